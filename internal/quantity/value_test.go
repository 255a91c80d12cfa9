package quantity_test

import (
	"math"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/forestall/forestall/internal/quantity"
)

func TestValue(t *testing.T) {
	for text, want := range map[string]int64{
		"0":                       0,
		"1500m":                   2,
		"128Mi":                   128 << 20,
		"7Ei":                     7 << 60,
		"8Ei":                     math.MaxInt64,
		"9227P":                   math.MaxInt64,
		"100E":                    math.MaxInt64,
		"1e30":                    math.MaxInt64,
		"9223372036854775807":     math.MaxInt64,
		"9223372036854775808":     math.MaxInt64,
		"9223372036854775806500m": math.MaxInt64,
		"-9227P":                  math.MinInt64,
		"-1":                      -1,
	} {
		if got := quantity.Value(resource.MustParse(text)); got != want {
			t.Errorf("Value(%s) = %d, want %d", text, got, want)
		}
	}
}

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"1024Mi": "1Gi", "1000": "1k", "1E": "1E", "9227P": "9227000000000000000", "1e21": "1000000000000000000000", "-1e21": "-1000000000000000000000", "100m": "100m",
	} {
		if got := quantity.Text(resource.MustParse(text)); got != want {
			t.Errorf("Text(%s) = %s, want %s", text, got, want)
		}
	}
}
