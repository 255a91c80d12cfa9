package webhook

import (
	"context"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/review"
)

// TestObjectsTakeTurns: what may become of a body counts, and not its bytes. No more are reviewed at once
// than fit into memory; a small Pod goes past the heavy ones.
func TestObjectsTakeTurns(t *testing.T) {
	for _, test := range []struct {
		name  string
		items int // objects in an object
		heavy bool
		// each of the four requests is of another namespace
		apart bool
		want  map[string]int
	}{
		{"20000 containers in 60 KiB", 20_000, true, true, map[string]int{
			"no verdict before the deadline":                                            1,
			"the large objects of other requests were not reviewed before the deadline": 3,
		}},
		{"20000 containers in 60 KiB, of one namespace", 20_000, true, false, map[string]int{
			"no verdict before the deadline": 1,
			"the large objects of other requests of this namespace were not reviewed before the deadline": 3,
		}},
		{"380 containers", 380, false, true, map[string]int{
			"no verdict before the deadline": 2, // 12 MiB each, of 32 for 8 reviews
			"too many reviews at once":       2,
		}},
		{"380 containers, of one namespace", 380, false, false, map[string]int{
			"no verdict before the deadline":             2,
			"too many reviews of this namespace at once": 2,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			object := `{"apiVersion":"v1","kind":"Pod","metadata":{},"spec":{"containers":[` + strings.Repeat(`{},`, test.items) + `{}]}}`
			var bodies []string
			for i := range 4 {
				namespace := "shop"
				if test.apart {
					namespace += strconv.Itoa(i)
				}
				body := reviewed{resource: "pods", kind: "Pod", operation: "CREATE", object: object, namespace: namespace}.body(t)
				if bodies = append(bodies, body); len(body) > maxSmall {
					t.Fatalf("the body has %d bytes: it is not small", len(body))
				}
			}
			synctest.Test(t, func(t *testing.T) { takeTurns(t, bodies, test.heavy, test.want) })
		})
	}
}

func takeTurns(t *testing.T, bodies []string, heavy bool, want map[string]int) {
	release := make(chan struct{})
	s := stub{review: func(_ context.Context, s review.Subject) (review.Decision, error) {
		if strings.Contains(string(s.Object), "{},{}") {
			<-release
		}
		return review.Decision{}, nil
	}}
	w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: s}), MaxConcurrent: 8})
	answers := make(chan *httptest.ResponseRecorder, len(bodies))
	for _, body := range bodies {
		go func() { answers <- post(w.ValidateHandler(), ValidatePath, body) }()
	}
	synctest.Wait()
	if heavy { // light ones wait for each other, in the order in which they came
		if got := post(w.ValidateHandler(), ValidatePath, create).Body.String(); !strings.Contains(got, `"decision":"allow"`) {
			t.Errorf("a small one meanwhile: %s", got)
		}
	}
	got := map[string]int{}
	for range cap(answers) {
		answer := (<-answers).Body.String()
		for text := range want {
			if strings.Contains(answer, text) {
				answer = text
			}
		}
		got[answer]++
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	close(release)
	synctest.Wait()
	if free, held := len(w.slots.free), w.bodies.held.Load(); free != 8 || held != 0 {
		t.Errorf("%d slots are free and %d bytes held afterwards", free, held)
	}
}
