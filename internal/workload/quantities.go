package workload

import (
	"fmt"

	"github.com/forestall/forestall/internal/quantity"
)

// boundQuantities names the first quantity of an object that is out of bounds.
func boundQuantities(raw []byte, specPath string) error {
	return eachQuantity(raw, specPath, func(path, text string) error {
		if quantity.Huge([]byte(text)) {
			return &FieldError{Field: path, Err: fmt.Errorf("%w: %.*s", quantity.ErrHuge, maxQuoted, text)}
		}
		return nil
	})
}
