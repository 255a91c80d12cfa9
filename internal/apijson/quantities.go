package apijson

import (
	"errors"

	fast "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/forestall/forestall/internal/quantity"
)

// UnmarshalQuantities is Unmarshal for a struct that holds quantities. None that is out of bounds
// reaches the parser of quantities, which it would keep busy.
//
// Nearly always a look at the bytes shows that there is none. Where one may be, the
// fast decoder asks for each quantity. The slow one cannot be made to ask, so bounded has to say
// before it runs whether all are in bounds, and which is not.
func UnmarshalQuantities(raw []byte, into any, bounded func() error) error {
	if !quantity.Huge(raw) {
		return Unmarshal(raw, into)
	}
	err := fast.Unmarshal(raw, into, eachQuantity)
	if err == nil {
		return nil
	}
	if outOfBounds := bounded(); outOfBounds != nil {
		return outOfBounds
	}
	if errors.Is(err, quantity.ErrHuge) { // of a field that bounded does not know
		return err
	}
	return exactly(raw, into)
}

// eachQuantity makes the fast decoder ask for each quantity. It is made once, like a regular
// expression: the decoder notes in it, safely for all, what it asks of each type.
var eachQuantity = fast.WithUnmarshalers(fast.UnmarshalFromFunc(unmarshalBounded))

func unmarshalBounded(d *jsontext.Decoder, q *resource.Quantity) error {
	text, err := d.ReadValue()
	if err != nil {
		return err
	}
	if quantity.Huge(text) {
		return quantity.ErrHuge
	}
	return q.UnmarshalJSON(text)
}
