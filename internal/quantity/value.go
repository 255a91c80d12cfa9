package quantity

import (
	"math"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Value returns a quantity in whole units, rounded up. What an int64 cannot hold is the number
// nearest to it: Quantity.Value makes 0 of 100E, or a negative number.
func Value(q resource.Quantity) int64 {
	switch {
	case q.CmpInt64(math.MaxInt64) >= 0:
		return math.MaxInt64
	case q.CmpInt64(math.MinInt64) <= 0:
		return math.MinInt64
	}
	return q.Value()
}

// Text returns a quantity as Kubernetes writes it. From 2^63 on it has no suffixes that go
// so far and writes 1 for 1e21: those are written with all digits.
func Text(q resource.Quantity) string {
	if q.CmpInt64(math.MaxInt64) > 0 || q.CmpInt64(math.MinInt64) < 0 {
		return q.AsDec().String()
	}
	return q.String()
}
