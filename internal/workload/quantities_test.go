package workload

import (
	"strings"
	"testing"
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

// TestDeepNesting holds that the walk over quantities is bounded.
func TestDeepNesting(t *testing.T) {
	for _, nesting := range []string{strings.Repeat(`[`, 1_000_000), strings.Repeat(`{"a":`, 1_000_000)} {
		if _, err := (Table{}).FromObject(podWith(`"overhead":{"a":1e9},"x":1e9999,"y":` + nesting)); err == nil {
			t.Error("no error for unbalanced brackets")
		}
	}
}
