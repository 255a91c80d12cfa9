package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/review"
)

// An object that is too large to be judged whole is an error at its place, in an audit and where it should
// be repaired. The objects beside it are judged.
func TestObjectThatIsTooLarge(t *testing.T) {
	functions := "f0() { a; };"
	for i := range 7 {
		functions += fmt.Sprintf("f%d() { %s };", i+1, strings.Repeat(fmt.Sprintf("f%d; ", i), 5))
	}
	const small = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: web, image: web:1}]}\n---\n"
	large := small + "apiVersion: v1\nkind: Pod\nmetadata: {name: large}\nspec:\n  containers:\n" +
		strings.Repeat("  - {name: web, image: web:1, command: [sh, -c, '"+functions+"f7']}\n", 1000)
	set := load(t, audit.Options{Paths: []string{"-"}, Stdin: strings.NewReader(large), Keep: true})
	fixed, r := fix(t, set, withDefault(), review.Selection{})
	got, err := load(t, audit.Options{Paths: []string{"-"}, Stdin: strings.NewReader(large), Keep: true}).Review(t.Context(), r)
	if err != nil || got.Judged != 2 {
		t.Fatalf("%d objects are judged, %v", got.Judged, err)
	}
	for what, errs := range map[string][]audit.Error{"audit": got.Errors, "fix": fixed.Errors} {
		if len(errs) != 1 || !strings.HasSuffix(errs[0].Error(), ":6: the object is too large to be judged whole") {
			t.Errorf("%s: %v", what, errs)
		}
	}
	if len(fixed.Made) != 1 {
		t.Errorf("%d repairs are made, want that of the small object", len(fixed.Made))
	}
}
