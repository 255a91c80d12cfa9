package cluster_test

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/facts/fact"
)

func service(name, app string) *cluster.Service {
	return &cluster.Service{Namespace: "shop", Name: name, Selector: map[string]string{"app": app}}
}

// selecting are the names of the Services that send to the pods of an app.
func selecting(s *cluster.Store, app string) []string {
	var names []string
	for _, o := range s.ServicesOf(nil, "shop", map[string]string{"app": app, "tier": "x"}).Objects {
		names = append(names, o.Name)
	}
	return names
}

// TestFeeding puts, replaces and deletes; after each step all that can be asked is held.
func TestFeeding(t *testing.T) {
	var s cluster.Store
	s.Services.Known("")
	for _, step := range []struct {
		name    string
		do      func()
		want    map[string][]string
		changed bool // what is known of the namespace
	}{
		{"empty", func() {}, map[string][]string{}, false},
		{"put", func() { s.Services.Put(service("b", "web")); s.Services.Put(service("a", "web")) }, map[string][]string{"web": {"a", "b"}}, true},
		{"the same again", func() { s.Services.Put(service("b", "web")) }, map[string][]string{"web": {"a", "b"}}, false},
		{"another selector", func() { s.Services.Put(service("b", "db")) }, map[string][]string{"web": {"a"}, "db": {"b"}}, true},
		{"delete", func() { s.Services.Delete(service("a", "whatever it was")) }, map[string][]string{"db": {"b"}}, true},
		{"delete what is gone", func() { s.Services.Delete(service("a", "web")) }, map[string][]string{"db": {"b"}}, false},
		{"replace by the same", func() { s.Services.Replace([]*cluster.Service{service("b", "db")}) }, map[string][]string{"db": {"b"}}, false},
		{"replace", func() {
			s.Services.Replace([]*cluster.Service{service("c", "db"), service("d", "web")})
		}, map[string][]string{"db": {"c"}, "web": {"d"}}, true},
		{"elsewhere", func() { s.Services.Put(&cluster.Service{Namespace: "other", Name: "x"}) }, map[string][]string{"db": {"c"}, "web": {"d"}}, false},
		{"nothing is left", func() { s.Services.Replace(nil) }, map[string][]string{}, true},
		{"the same as before", func() { s.Services.Put(service("b", "web")); s.Services.Put(service("a", "web")) }, map[string][]string{"web": {"a", "b"}}, true},
	} {
		before := s.Services.Generation("shop")
		step.do()
		for _, app := range []string{"web", "db"} {
			if diff := cmp.Diff(step.want[app], selecting(&s, app)); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", step.name, app, diff)
			}
		}
		var all []string
		for _, o := range s.Services.In("shop").Objects {
			all = append(all, o.Name)
			if got := s.Services.Get("shop", o.Name); got.State != fact.Present || got.Object != o {
				t.Errorf("%s: %s is %+v", step.name, o.Name, got)
			}
		}
		if want := slices.Sorted(maps.Keys(keys(step.want))); !slices.Equal(all, want) {
			t.Errorf("%s: there are %q, want %q", step.name, all, want)
		}
		if got := s.Services.Get("shop", "nobody").State; got != fact.Absent {
			t.Errorf("%s: who is not there is %s", step.name, got)
		}
		if got := s.Services.Generation("shop") != before; got != step.changed {
			t.Errorf("%s: changed: %t, want %t", step.name, got, step.changed)
		}
	}
}

func keys(names map[string][]string) map[string]bool {
	all := map[string]bool{}
	for _, list := range names {
		for _, name := range list {
			all[name] = true
		}
	}
	return all
}

// TestGenerationsNeverComeBack, also where what is known does.
func TestGenerationsNeverComeBack(t *testing.T) {
	var s cluster.Store
	seen := map[cluster.Generation]int{}
	for i, do := range []func(){
		func() {},
		func() { s.Services.Known("") },
		func() { s.Services.Put(service("a", "web")) },
		func() { s.Services.Delete(service("a", "web")) },
		func() { s.Services.Put(service("a", "web")) },
		func() { s.Services.Unknown("the API server does not answer") },
		func() { s.Services.Known("") },
		func() { s.Services.Known("more") },
		func() { s.Services.Replace(nil) },
	} {
		do()
		now := s.Services.Generation("shop")
		if at, ok := seen[now]; ok {
			t.Errorf("after step %d it is %v, as after step %d", i, now, at)
		}
		seen[now] = i
	}
	before := s.Services.Generation("shop")
	s.Services.Known("more")
	if s.Services.Generation("shop") != before {
		t.Error("it changes though nothing does")
	}
}

// TestUnknownIsNotTold: what does not stand any more is kept, for the feeder goes on from it.
func TestUnknownIsNotTold(t *testing.T) {
	var s cluster.Store
	s.Services.Put(service("a", "web"))
	want := cluster.List[*cluster.Service]{Unknown: "they have not been read yet"}
	if diff := cmp.Diff(want, s.Services.In("shop")); diff != "" {
		t.Errorf("at first (-want +got):\n%s", diff)
	}
	s.Services.Known("")
	s.Services.Unknown("gone")
	if got := s.Services.Get("shop", "a"); got.State != fact.Unknown || got.Reason != "gone" || got.Object != nil {
		t.Errorf("got %+v", got)
	}
	if got := s.ServicesOf(nil, "shop", map[string]string{"app": "web"}); got.Unknown != "gone" || got.Objects != nil {
		t.Errorf("got %+v", got)
	}
	s.Services.Known("")
	if got := selecting(&s, "web"); !slices.Equal(got, []string{"a"}) {
		t.Errorf("got %q", got)
	}
}

const many = 10_000

// TestManyServices of one namespace, all under one label: to take in one more copies none of
// the others, and to ask for others looks at none of them.
func TestManyServices(t *testing.T) {
	var s cluster.Store
	s.Services.Known("")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range many {
		s.Services.Put(service(fmt.Sprint("s", i), "web"))
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / many; each > 4<<10 {
		t.Errorf("each of %d Services takes %d bytes", many, each)
	}
	found := s.ServicesOf(nil, "shop", map[string]string{"app": "web"})
	if len(found.Objects) != 1024 || found.More != many-1024 || found.Objects[1023].Name != "s1919" {
		t.Errorf("%d Services and %d others select the pod, the last is %v", len(found.Objects), found.More, found.Objects[1023])
	}
	labels := map[string]string{"app": "db"}
	if none := testing.AllocsPerRun(100, func() { s.ServicesOf(nil, "shop", labels) }); none > 10 {
		t.Errorf("a pod that no Service selects takes %.0f allocations", none)
	}
}

// TestAskedWhileFed is for the race detector.
func TestAskedWhileFed(t *testing.T) {
	var s cluster.Store
	done := make(chan struct{})
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond):
				}
				selecting(&s, "web")
				s.Services.Get("shop", "s1")
				s.Services.Generation("shop")
			}
		})
	}
	for i := range many / 10 {
		s.Services.Put(service(fmt.Sprint("s", i), "web"))
		s.Services.Known("")
		s.Services.Delete(service(fmt.Sprint("s", i-1), "web"))
	}
	s.Services.Replace(nil)
	close(done)
	asking.Wait()
	if got := s.Services.In("shop"); len(got.Objects) > 0 || got.Unknown != "" {
		t.Errorf("%+v", got)
	}
}
