package workload_test

import (
	"testing"

	"github.com/forestall/forestall/internal/workload"
)

func TestPartial(t *testing.T) {
	const head = `"metadata":{"name":"web"},`
	whole := `{"name":"web","image":"web:1"}`
	deployment := func(spec string) string {
		return `{"apiVersion":"apps/v1","kind":"Deployment",` + head + `"spec":{` + spec + `}}`
	}
	template := func(containers string) string { return `"template":{"spec":{"containers":[` + containers + `]}}` }
	const selector = `"selector":{"matchLabels":{"app":"web"}},`
	for _, tt := range []struct{ name, object, want string }{
		{"whole", deployment(selector + template(whole)), ""},
		{"a selector behind the template", deployment(template(whole) + `,"selector":{}`), ""},
		{"no image", deployment(selector + template(`{"name":"web"}`)), `container "web" has no image`},
		{"one of two", deployment(selector + template(whole+`,{"name":"log","$patch":"delete"}`)), `container "log" has no image`},
		{"no template", deployment(`"replicas":3`), "it has no containers"},
		{"an init container alone", deployment(selector + `"template":{"spec":{"initContainers":[` + whole + `]}}`), "it has no containers"},
		{"no selector", deployment(template(whole)), "it has no spec.selector"},
		{"no value for the selector", deployment(`"selector":null,` + template(whole)), "it has no spec.selector"},
		{"a Job needs none", `{"apiVersion":"batch/v1","kind":"Job",` + head + `"spec":{` + template(whole) + `}}`, ""},
		{"a CronJob", `{"apiVersion":"batch/v1","kind":"CronJob",` + head + `"spec":{"suspend":true}}`, "it has no containers"},
		{"a Pod", `{"apiVersion":"v1","kind":"Pod",` + head + `"spec":{"containers":[{"name":"web","image":""}]}}`, `container "web" has no image`},
		{"a blank image, which a trigger may fill", `{"apiVersion":"v1","kind":"Pod",` + head + `"spec":{"containers":[{"name":"web","image":" "}]}}`, ""},
		{"images that a controller writes", `{"apiVersion":"apps.openshift.io/v1","kind":"DeploymentConfig",` + head + `"spec":{` + template(`{"name":"web"}`) + `}}`, ""},
		{"a Rollout", `{"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout",` + head + `"spec":{` + template(`{"name":"web"}`) + `}}`, `container "web" has no image`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table, err := workload.NewTable(workload.Known()...)
			if err != nil {
				t.Fatal(err)
			}
			v, err := table.FromObject([]byte(tt.object))
			if err != nil {
				t.Fatal(err)
			}
			if got := v.Partial([]byte(tt.object)); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestTemplateIn(t *testing.T) {
	const containers = `{"containers":[{"name":"a","image":"a:1"}]}`
	for object, want := range map[string]string{
		`{"spec":{"template":{"metadata":{},"spec":` + containers + `}}}`:                        "spec.template",
		`{"spec":{"size":3,"pods":{"list":[1,{"a":2}],"template":{"spec":` + containers + `}}}}`: "spec.pods.template",
		`{"spec":` + containers + `}`:                                  "",
		`{"spec":{"template":{"spec":{"containers":3}}}}`:              "",
		`{"spec":{"template":{"spec":{"containers":[{"name":"a"}]}}}}`: "",
		`{"spec":{"parts":[{"spec":` + containers + `}]}}`:             "",
		`{"spec":{"template":{"spec":` + containers:                    "spec.template",
		`{"containers"`: "",
		``:              "",
	} {
		if got := workload.TemplateIn([]byte(object)); got != want {
			t.Errorf("%s: %q, want %q", object, got, want)
		}
	}
}
