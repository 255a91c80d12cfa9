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
			`decoding Deployment "web": spec.template.spec.containers.ports.containerPort: want an integer, found string`,
		},
		"wrong type in metadata": {
			`{"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"web-","labels":{"a":1}}}`,
			`decoding Pod "web-*": metadata.labels: want a string, found number`,
		},
		"object for list": {
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":{}}}`,
			`decoding Pod "web": spec.containers: want a list, found object`,
		},
		"wrong type in an embedded struct": {
			`{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"web"},"spec":{"jobTemplate":{"spec":{"template":{"spec":{"volumes":[{"secret":"x"}]}}}}}}`,
			`decoding CronJob "web": spec.jobTemplate.spec.template.spec.volumes.secret: want an object, found string`,
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
		`{"kind":"CronJob","apiVersion":"batch/v1beta1","spec":1}`,
		`{"kind":"Deployment","apiVersion":"v1"}`,
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
