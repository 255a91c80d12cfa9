package workload

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Table holds the kinds that are judged: the built-in ones, and custom ones. The zero
// value holds the built-in kinds alone. It is immutable.
type Table struct {
	custom []Kind
	// anyWeight says that objects are decoded however much memory they take.
	anyWeight bool
}

// AnyWeight returns the Table without the bound of MaxWeight. It is for tests that hold how costs grow beyond it.
func (t Table) AnyWeight() Table {
	t.anyWeight = true
	return t
}

// NewTable returns a Table with custom kinds beside the built-in ones. Each of the joined errors
// begins with the place of the fault, such as [0].templatePath.
func NewTable(custom ...Kind) (Table, error) {
	var t Table
	var errs []error
	for i, k := range custom {
		k.SpecPath = k.TemplatePath + ".spec"
		found := k.problems()
		if other, ok := t.named(k.APIVersion(), k.Kind); ok && other.custom() {
			found = append(found, fmt.Errorf("kind: %s of %s is there twice", k.Kind, k.APIVersion()))
		}
		for _, err := range found {
			errs = append(errs, fmt.Errorf("[%d].%w", i, err))
		}
		t.custom = append(t.custom, k)
	}
	if err := errors.Join(errs...); err != nil {
		return Table{}, err
	}
	return t, nil
}

// Kinds lists the judged kinds, the built-in ones first. The slice is the caller's own.
func (t Table) Kinds() []Kind {
	all := kinds()
	return append(all[:], t.custom...)
}

// Judged reports whether objects of the kind carry a pod template that FromObject can read.
func (t Table) Judged(gvk schema.GroupVersionKind) bool {
	_, ok := t.named(gvk.GroupVersion().String(), gvk.Kind)
	return ok
}

// Equal reports whether two tables hold the same kinds in the same order.
func (t Table) Equal(other Table) bool { return slices.Equal(t.custom, other.custom) }

// named finds a kind by the two fields that begin every manifest.
func (t Table) named(apiVersion, kind string) (Kind, bool) {
	group, version, ok := strings.Cut(apiVersion, "/")
	if !ok {
		group, version = "", apiVersion
	}
	is := func(k Kind) bool { return k.Kind == kind && k.Group == group && k.Version == version }
	for _, k := range kinds() {
		if is(k) {
			return k, true
		}
	}
	for _, k := range t.custom {
		if is(k) {
			return k, true
		}
	}
	return Kind{}, false
}
