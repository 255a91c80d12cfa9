package workload

import (
	"fmt"

	"github.com/forestall/forestall/internal/quantity"
)

// boundQuantities refuses an object with a quantity that is out of bounds. The
// object is only walked where a cheap look at its bytes finds something that
// could be one.
func boundQuantities(raw []byte, specPath string) error {
	if !quantity.Huge(raw) {
		return nil
	}
	return eachQuantity(raw, specPath, func(path, text string) error {
		if quantity.Huge([]byte(text)) {
			return &FieldError{path, fmt.Errorf("a quantity may have %d digits and an exponent of %d digits: %.40s",
				quantity.MaxDigits, quantity.MaxExponentDigits, text)}
		}
		return nil
	})
}
