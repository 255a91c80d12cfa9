package apijson

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	exact "sigs.k8s.io/json"

	"github.com/forestall/forestall/internal/quantity"
)

func withCPU(cpu, more string) string {
	return `{"spec":{"containers":[{"args":["1e99999999"],"resources":{"limits":{"cpu":` + cpu + `}}}]` + more + `}}`
}

// TestUnmarshalQuantities: a quantity out of bounds is never parsed, nothing else is refused, and
// bounded is asked only before the slow decoder runs.
func TestUnmarshalQuantities(t *testing.T) {
	errBounded := errors.New("bounded")
	for name, test := range map[string]struct {
		text    string
		bounded error
		asked   bool
		want    string // of the error
		cpu     string
	}{
		"nothing near a bound":     {text: strings.ReplaceAll(withCPU(`"1500m"`, ``), "1e99999999", ""), cpu: "1500m"},
		"a number elsewhere":       {text: withCPU(`"1500m"`, ``), cpu: "1500m"},
		"a number for a quantity":  {text: withCPU(`1.5`, ``), cpu: "1500m"},
		"with space":               {text: withCPU(`" 1 "`, ``), cpu: "1"},
		"null":                     {text: withCPU(`null`, ``), cpu: "0"},
		"twice":                    {text: withCPU(`"1"`, `,"hostPID":true,"hostPID":false`), asked: true, cpu: "1"},
		"twice, out of bounds":     {text: withCPU(`"1"`, `,"hostPID":true,"hostPID":false`), asked: true, bounded: errBounded, want: "bounded"},
		"huge":                     {text: withCPU(`"1e-99999999"`, ``), asked: true, bounded: errBounded, want: "bounded"},
		"huge, where nobody looks": {text: withCPU(`1e-99999999`, ``), asked: true, want: "a quantity may have 100 digits and an exponent of 3 digits"},
		"no quantity":              {text: withCPU(`"x"`, ``), asked: true, want: "quantities must match the regular expression"},
	} {
		t.Run(name, func(t *testing.T) {
			asked := false
			var pod corev1.Pod
			err := UnmarshalQuantities([]byte(test.text), &pod, func() error { asked = true; return test.bounded })
			if asked != test.asked {
				t.Errorf("asked: %v", asked)
			}
			if test.want != "" {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("error %v, want %q in it", err, test.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := pod.Spec.Containers[0].Resources.Limits[corev1.ResourceCPU]
			if got.Cmp(resource.MustParse(test.cpu)) != 0 {
				t.Errorf("cpu is %s, want %s", got.String(), test.cpu)
			}
		})
	}
}

// FuzzSameQuantities: where bounded has nothing against it, values and errors are those of the API
// server's decoder.
func FuzzSameQuantities(f *testing.F) {
	for _, text := range odd() {
		f.Add([]byte(text))
	}
	for _, more := range []string{``, `,"hostPID":true,"hostPID":false`, `,"hostPID":1`, `,"overhead":{"a":"1e-99999999"}`} {
		for _, cpu := range []string{`"1"`, `1`, `null`, `"1e3"`, `"1e-99999999"`, `[]`, `"\u0031e9999"`} {
			f.Add([]byte(withCPU(cpu, more)))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) { sameQuantities(t, raw) })
}

func sameQuantities(t *testing.T, raw []byte) {
	t.Helper()
	for _, got := range types() {
		err := UnmarshalQuantities(raw, got, func() error {
			if quantity.Huge(raw) {
				return quantity.ErrHuge
			}
			return nil
		})
		if errors.Is(err, quantity.ErrHuge) {
			continue // who knows what is in it
		}
		want := reflect.New(reflect.TypeOf(got).Elem()).Interface()
		wantErr := exact.UnmarshalCaseSensitivePreserveInts(raw, want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%T of %q (-want +got):\n%s", got, raw, diff)
		}
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Errorf("%T of %q: %v, want %v", got, raw, err, wantErr)
		}
	}
}
