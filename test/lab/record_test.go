package lab

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClaim(t *testing.T) {
	base := filepath.Join(t.TempDir(), "labs")
	numbers := map[string]int{}
	for _, name := range []string{"a", "b", "c"} {
		r, err := claim(Options{Name: name, Base: base})
		if err != nil {
			t.Fatal(err)
		}
		numbers[name] = r.Number
	}
	if _, err := claim(Options{Name: "b", Base: base}); !errors.Is(err, ErrExists) {
		t.Errorf("a name was given twice: %v", err)
	}
	if err := os.RemoveAll(filepath.Join(base, "b")); err != nil {
		t.Fatal(err)
	}
	r, err := claim(Options{Name: "d", Base: base})
	if err != nil {
		t.Fatal(err)
	}
	numbers["d"] = r.Number
	if diff := cmp.Diff(map[string]int{"a": 0, "b": 1, "c": 2, "d": 1}, numbers); diff != "" {
		t.Errorf("numbers, -want +got:\n%s", diff)
	}
	all, err := List(base)
	if err != nil || len(all) != 3 || all[0] != (Record{Name: "a", Owner: os.Getpid(), Born: born(os.Getpid())}) {
		t.Errorf("got %+v, %v", all, err)
	}
}

func TestOrphan(t *testing.T) {
	me, mine := os.Getpid(), born(os.Getpid())
	for _, tt := range []struct {
		name             string
		r                Record
		orphan, starting bool
	}{
		{"being started", Record{Owner: me, Born: mine}, false, true},
		{"in use", Record{Owner: me, Born: mine, Ready: true}, false, false},
		{"its owner was killed", Record{Owner: me, Born: "1", Ready: true}, true, false},
		{"left running on purpose", Record{Owner: me, Born: "1", Ready: true, Keep: true}, false, false},
		{"to be left running, but killed before", Record{Owner: me, Born: "1", Keep: true}, true, false},
	} {
		if tt.r.Orphan() != tt.orphan || tt.r.Starting() != tt.starting {
			t.Errorf("%s: orphan %t, starting %t", tt.name, tt.r.Orphan(), tt.r.Starting())
		}
	}
}

func TestAddressesDoNotOverlap(t *testing.T) {
	seen := map[string]int{}
	for n := range maxLabs {
		a := addressesOf(n)
		for _, s := range []string{a.host.String(), a.node.String(), a.pods.String(), a.services.String(), a.api.String(), a.dns.String()} {
			if other, ok := seen[s]; ok {
				t.Errorf("labs %d and %d share %s", other, n, s)
			}
			seen[s] = n
		}
	}
}

func TestOptions(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    Options
		ok   bool
	}{
		{"none", Options{}, true},
		{"a name that is a path", Options{Name: "../x"}, false},
		{"a name with capitals", Options{Name: "Lab"}, false},
		{"a folder that each lab has for itself", Options{Base: "/var/lib/labs"}, false},
		{"a folder of a like name", Options{Base: "/var/library"}, true},
	} {
		if _, err := tt.o.complete(); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
