package workload

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func podWith(spec string) []byte {
	return []byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","annotations":{"number":"1e99999999"}},"spec":{` + spec + `}}`)
}

// TestHugeQuantities gives the decoder quantities that would keep it busy.
func TestHugeQuantities(t *testing.T) {
	for place, spec := range map[string]string{
		"spec.containers[0].resources.limits.cpu":                                       `"containers":[{"resources":{"limits":{"cpu":"1e-99999999"}}}]`,
		"spec.containers[0].resources.requests.cpu":                                     `"containers":[{"resources":{"requests":{"cpu":1e-99999999}}}]`,
		"spec.initContainers[1].resources.limits.memory":                                `"initContainers":[{},{"resources":{"limits":{"memory":" +1.5E99999999 "}}}]`,
		"spec.overhead.cpu":                                                             `"overhead":{"cpu":"1e+99999999","cpu":"1"}`,
		"spec.resources.limits.cpu":                                                     `"resources":{"limits":{"cpu":"1e99999999"}},"resources":{"limits":{"cpu":"1"}}`,
		"spec.volumes[0].emptyDir.sizeLimit":                                            `"volumes":[{"emptyDir":{"sizeLimit":"1e99999999"}}]`,
		"spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor":                  `"containers":[{"env":[{"valueFrom":{"resourceFieldRef":{"divisor":"1e-99999999"}}}]}]`,
		"spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests.storage": `"volumes":[{"ephemeral":{"volumeClaimTemplate":{"spec":{"resources":{"requests":{"storage":"1e-99999999"}}}}}}]`,
		"spec.containers[1].resources.limits.cpu":                                       `"containers":[{},{"resources":{"limits":{"cpu":"` + strings.Repeat("9", 3_000_000) + `"}}}]`,
	} {
		t.Run(place, func(t *testing.T) {
			_, err := Table{}.FromObject(podWith(spec))
			if err == nil || !strings.Contains(err.Error(), `decoding Pod "web": `+place+`: a quantity may have `) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestNumbersThatAreNoQuantities holds that nothing but quantities is bounded.
func TestNumbersThatAreNoQuantities(t *testing.T) {
	for _, spec := range []string{
		`"containers":[{"env":[{"name":"COMMIT","value":"1e99999999"}]}]`,
		`"containers":[{"args":["1e99999999",".5E-99999"]}]`,
		`"nodeSelector":{"commit":"12345e67890"}`,
		`"containers":[{"resources":{"limits":{"cpu":"1e3","memory":"1E"}}}]`,
		`"containers":[{"image":"app@sha256:11e1111111111111111111111111111111111111111111111111111111111111"}]`,
	} {
		if _, err := (Table{}).FromObject(podWith(spec)); err != nil {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

// TestHugeQuantitiesElsewhere: fields that are none to the API server are none to whatever looks for
// the cause of an error.
func TestHugeQuantitiesElsewhere(t *testing.T) {
	_, err := Table{}.FromObject(podWith(`"Overhead":{"cpu":"1e-99999999"},"hostNetwork":5`))
	if err == nil || !strings.Contains(err.Error(), `decoding Pod "web": `) {
		t.Errorf("error %v", err)
	}
}

// TestNumbersBesideQuantities: what looks like a number out of bounds leaves quantities as the API
// server reads them, also where only its own decoder reads the object.
func TestNumbersBesideQuantities(t *testing.T) {
	for _, twice := range []string{``, `"hostNetwork":true,"hostNetwork":true,`} {
		v, err := Table{}.FromObject(podWith(twice + `"containers":[{"args":["1e99999999"],"resources":{"limits":{"cpu":1.5,"memory":" 1Gi ","x":null}}}],` +
			`"volumes":[{"emptyDir":{"sizeLimit":"1e3"}},{"emptyDir":{"sizeLimit":null}}]`))
		if err != nil {
			t.Fatal(err)
		}
		want := corev1.ResourceList{"cpu": resource.MustParse("1500m"), "memory": resource.MustParse("1Gi"), "x": {}}
		if diff := cmp.Diff(want, v.Containers[0].Resources.Limits); diff != "" {
			t.Errorf("limits (-want +got):\n%s", diff)
		}
		if got := v.PodSpec.Volumes[0].EmptyDir.SizeLimit; got == nil || got.String() != "1e3" || v.PodSpec.Volumes[1].EmptyDir.SizeLimit != nil {
			t.Errorf("sizeLimit = %v", got)
		}
	}
}

// TestEveryQuantityIsFound: the walk knows every field of a pod spec that is a quantity.
func TestEveryQuantityIsFound(t *testing.T) {
	paths := quantityPaths(reflect.TypeFor[corev1.PodSpec](), "", 0)
	if len(paths) < 10 {
		t.Fatalf("found only %q", paths)
	}
	for _, path := range paths {
		if !isQuantity(path) {
			t.Errorf("%s holds a quantity", path)
		}
	}
}

// quantityPaths lists the places of quantities below a type, with "x" for the keys of a map.
func quantityPaths(of reflect.Type, path string, depth int) []string {
	if of == reflect.TypeFor[resource.Quantity]() {
		return []string{path}
	}
	var found []string
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice:
		return quantityPaths(of.Elem(), path, depth)
	case reflect.Map:
		return quantityPaths(of.Elem(), path+".x", depth)
	case reflect.Struct:
		for i := range of.NumField() {
			f := of.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.IsExported() && depth < 16 {
				place := path
				if name != "" {
					place += "." + name
				}
				found = append(found, quantityPaths(f.Type, place, depth+1)...)
			}
		}
	}
	return found
}

// TestDeepNesting holds that the walk over quantities is bounded.
func TestDeepNesting(t *testing.T) {
	for _, nesting := range []string{strings.Repeat(`[`, 1_000_000), strings.Repeat(`{"a":`, 1_000_000)} {
		if _, err := (Table{}).FromObject(podWith(`"overhead":{"a":1e9},"x":1e9999,"y":` + nesting)); err == nil {
			t.Error("no error for unbalanced brackets")
		}
	}
}
