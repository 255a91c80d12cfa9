package workload

import (
	"errors"
	"strings"
	"testing"
)

func TestFromObjectErrors(t *testing.T) {
	for name, test := range map[string]struct{ object, want string }{
		"empty":            {``, "reading apiVersion and kind: not a JSON object: EOF"},
		"a list":           {`[]`, "reading apiVersion and kind: not a JSON object"},
		"null":             {`null`, "reading apiVersion and kind: not a JSON object"},
		"no kind":          {`{"apiVersion":"v1"}`, "apiVersion or kind is missing"},
		"kind in capitals": {`{"apiVersion":"v1","Kind":"Pod"}`, "apiVersion or kind is missing"},
		"cut off":          {`{"apiVersion":"v1"`, "reading apiVersion and kind: EOF"},
		"kind, a number":   {`{"kind":5}`, "reading apiVersion and kind: kind: json: cannot unmarshal number"},
		"cut off later": {
			`{"apiVersion":"v1","kind":"Pod","spec":{`,
			`decoding Pod "": unexpected end of JSON input`,
		},
		"wrong type": {
			`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"template":{"spec":{"containers":[{"ports":[{"containerPort":"80"}]}]}}}}`,
			`decoding Deployment "web": spec.template.spec.containers[0].ports[0].containerPort: want an integer, found "80": write 80 without quotes`,
		},
		"wrong type in metadata": {
			`{"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"web-","labels":{"a":1}}}`,
			`decoding Pod "web-*": metadata.labels.a: want a string, found 1: write "1"`,
		},
		"object for list": {
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":{}}}`,
			`decoding Pod "web": spec.containers: want a list, found an object`,
		},
		"wrong type in an embedded struct": {
			`{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"web"},"spec":{"jobTemplate":{"spec":{"template":{"spec":{"volumes":[{"secret":"x"}]}}}}}}`,
			`decoding CronJob "web": spec.jobTemplate.spec.template.spec.volumes[0].secret: want an object, found "x"`,
		},
		"many of wrong types, in parts that are not read as well": {
			`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":"2","selector":[],"revisionHistoryLimit":1.5,` +
				`"template":{"metadata":{"annotations":{"example.com/a":true}},"spec":{"containers":[{"args":"a b","env":[{"value":8080}]},{"ports":[{"containerPort":"80a"}]}]}}}}`,
			`decoding Deployment "web": spec.replicas: want an integer, found "2": write 2 without quotes; spec.selector: want an object, found a list; ` +
				`spec.revisionHistoryLimit: want an integer, found 1.5; spec.template.metadata.annotations[example.com/a]: want a string, found true: write "true"; ` +
				`spec.template.spec.containers[0].args: want a list, found "a b"; spec.template.spec.containers[0].env[0].value: want a string, found a number; ` +
				`spec.template.spec.containers[1].ports[0].containerPort: want an integer, found "80a"`,
		},
		"no quantity": {
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[{},{"resources":{"limits":{"cpu":1,"memory":"1 Gi"}}}]}}`,
			`decoding Pod "web": spec.containers[1].resources.limits.memory: "1 Gi" is not a quantity: quantities must match`,
		},
		"two kinds": {
			`{"apiVersion":"v1","kind":"Pod","kind":"Secret"}`,
			`decoding Pod "": apiVersion or kind stands twice, the second time as "v1", "Secret"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := Table{}.FromObject([]byte(test.object))
			if v != nil || err == nil {
				t.Fatalf("FromObject() = %v, %v", v, err)
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %q\ndoes not contain %q", err, test.want)
			}
			if errors.Is(err, ErrNotJudged) {
				t.Errorf("error %q is ErrNotJudged", err)
			}
		})
	}
}

func TestNotJudged(t *testing.T) {
	for _, object := range []string{
		`{"apiVersion":"v1","kind":"ConfigMap"}`,
		`{"kind":"Ingress","apiVersion":"extensions/v1beta1","spec":1}`,
		`{"kind":"Deployment","apiVersion":"example.com/v1"}`,
	} {
		if v, err := (Table{}).FromObject([]byte(object)); v != nil || !errors.Is(err, ErrNotJudged) {
			t.Errorf("FromObject(%s) = %v, %v", object, v, err)
		}
	}
}

// TestNoTemplate holds the promise that an object without a template is an empty
// View, not an error.
func TestNoTemplate(t *testing.T) {
	for _, k := range (Table{}).Kinds() {
		for _, rest := range []string{``, `,"spec":null,"template":null`, `,"spec":{"template":null,"jobTemplate":{}}`} {
			v, err := Table{}.FromObject([]byte(`{"apiVersion":"` + k.APIVersion() + `","kind":"` + k.Kind + `"` + rest + `}`))
			if err != nil {
				t.Errorf("%s%s: %v", k.Kind, rest, err)
				continue
			}
			if len(v.Containers) != 0 || v.SpecPath != k.SpecPath {
				t.Errorf("%s%s: %+v", k.Kind, rest, v)
			}
		}
	}
}

func TestCaseSensitiveFields(t *testing.T) {
	v, err := Table{}.FromObject([]byte(`{"metadata":{"name":"web"},"kind":"Pod","apiVersion":"v1","Spec":{"hostPID":true},"spec":{"hostpid":true,"HostIPC":true}}`))
	if err != nil {
		t.Fatal(err)
	}
	if v.PodSpec.HostPID || v.PodSpec.HostIPC || v.Meta.Name != "web" {
		t.Errorf("View = %+v", v)
	}
}
