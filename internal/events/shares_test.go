package events

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// TestShares: no namespace takes the share of another, and there are not more shares than there may be.
func TestShares(t *testing.T) {
	s := newShares()
	taken := func(namespace string) (n int) {
		for range 1500 {
			if _, ok := s.take(namespace); ok {
				n++
			}
		}
		return n
	}
	if a, b := taken("a"), taken("b"); a != atOnce || b != atOnce {
		t.Errorf("one takes %d, the other %d, want %d", a, b, atOnce)
	}
	for i := range 2 * maxNamespaces {
		s.take(fmt.Sprint("n", i)) // which stays taken
	}
	if len(s.all) > maxNamespaces+1 {
		t.Errorf("%d namespaces have shares", len(s.all))
	}
	idle := newShares()
	for i := range 2 * maxNamespaces {
		if i%maxNamespaces > 0 {
			idle.of(fmt.Sprint("n", i))
		}
	}
	if _, ok := idle.all[fmt.Sprint("n", 2*maxNamespaces-1)]; !ok {
		t.Error("those that use nothing leave no room")
	}
}

// TestPlacesAreGivenBack when an Event waits no longer.
func TestPlacesAreGivenBack(t *testing.T) {
	s := newShares()
	for i := range 3 {
		done, ok := s.take("a")
		if !ok || s.all["a"].waiting != 1 {
			t.Fatalf("%d: %t, %d wait", i, ok, s.all["a"].waiting)
		}
		done()
	}
}

// TestPossible: what a request says of an owner may be anything.
func TestPossible(t *testing.T) {
	good := review.Owner{Object: finding.Object{APIVersion: "apps/v1", Kind: "ReplicaSet", Namespace: "shop", Name: "web-5d"}, UID: "705ab4f5-6393-11e8-b7cc-42010a800002"}
	with := func(change func(*review.Owner)) review.Owner {
		o := good
		change(&o)
		return o
	}
	for name, tt := range map[string]struct {
		owner review.Owner
		want  bool
	}{
		"good":                  {good, true},
		"another kind":          {with(func(o *review.Owner) { o.Kind = "Secret" }), false},
		"another group":         {with(func(o *review.Owner) { o.APIVersion = "example.com/v1" }), false},
		"no uid":                {with(func(o *review.Owner) { o.UID = "" }), false},
		"a long uid":            {with(func(o *review.Owner) { o.UID = strings.Repeat("u", 1<<20) }), false},
		"a long name":           {with(func(o *review.Owner) { o.Name = strings.Repeat("n", 1<<20) }), false},
		"a path":                {with(func(o *review.Owner) { o.Name = "../../secrets/s" }), false},
		"another namespace":     {with(func(o *review.Owner) { o.Namespace = "shop/pods/x" }), false},
		"no namespace":          {with(func(o *review.Owner) { o.Namespace = "" }), false},
		"an escape of terminal": {with(func(o *review.Owner) { o.Name = "web\x1b[31m" }), false},
	} {
		if got := possible(tt.owner); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
