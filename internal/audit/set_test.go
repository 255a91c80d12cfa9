package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/review"
)

// stream is many documents, of which every tenth has a finding and every
// hundredth cannot be read.
func stream(documents int) string {
	var b strings.Builder
	for i := range documents {
		limit := "resources: {limits: {memory: 64Mi}}"
		switch {
		case i%100 == 50:
			limit = "resources: {limits: [}"
		case i%10 == 0:
			limit = "stdin: false"
		}
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Pod\nmetadata: {name: pod-%d}\nspec:\n  containers:\n  - name: web\n    image: nginx:1.29\n    %s\n", i, limit)
	}
	return b.String()
}

const streamLines = 9 // of one document

const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"

func loaded(t testing.TB, in []byte) *Set {
	t.Helper()
	set, err := Load(t.Context(), Options{Paths: []string{"-"}, Stdin: bytes.NewReader(in), MaxDocument: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = set.Close() })
	return set
}

func all(t testing.TB, s *Set) ([]Object, []Error) {
	t.Helper()
	objects, errs, err := s.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return objects, errs
}

func newReviewer(t testing.TB, store *cluster.Store) *review.Reviewer {
	t.Helper()
	r, err := builtin.Reviewer(t.Context(), review.Settings{}, store)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestStream(t *testing.T) {
	const n = 2000
	result := reviewed(t, stream(n))
	got := [5]int{result.Files, result.Documents, result.Objects, result.Judged, result.Skipped}
	if want := [5]int{1, n, n - n/100, n - n/100, 0}; got != want {
		t.Errorf("files, documents, objects, judged, skipped: got %v, want %v", got, want)
	}
	var lines []int
	for _, f := range result.Findings {
		lines = append(lines, f.Source.Line)
	}
	var want []int
	for i := range n {
		if i%10 == 0 && i%100 != 50 {
			want = append(want, i*streamLines+7)
		}
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("lines of findings (-want +got):\n%s", diff)
	}
	lines, want = nil, nil
	for _, e := range result.Errors {
		lines = append(lines, e.Source.Line)
	}
	for i := 50; i < n; i += 100 {
		want = append(want, i*streamLines+9)
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("lines of errors (-want +got):\n%s", diff)
	}
}

func reviewed(t testing.TB, in string) Result {
	t.Helper()
	set := loaded(t, []byte(in))
	result, err := set.Review(t.Context(), newReviewer(t, set.Cluster()))
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestMemoryDoesNotFollowTheInput reads far more than a spool keeps in memory.
func TestMemoryDoesNotFollowTheInput(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	in := []byte(strings.Repeat("---\n"+pod+"spec: {nodeName: "+strings.Repeat("b", 4<<10)+"}\n", 6000))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	set := loaded(t, in)
	runtime.GC()
	runtime.ReadMemStats(&after)
	kept := int(after.HeapAlloc) - int(before.HeapAlloc)
	if most := 2 * inMemory; kept > most || set.Counts().Objects != 6000 {
		t.Errorf("%d objects in %d bytes of input take %d bytes, more than %d", set.Counts().Objects, len(in), kept, most)
	}
	runtime.KeepAlive(in)
}

func TestReviewTwiceIsTheSame(t *testing.T) {
	in := stream(200)
	if diff := cmp.Diff(texts(reviewed(t, in)), texts(reviewed(t, in))); diff != "" {
		t.Errorf("results differ:\n%s", diff)
	}
}

func texts(r Result) []string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, fmt.Sprint(f.Source, f.Object, f.Rule, f.Path, f.Reason))
	}
	for _, e := range r.Errors {
		all = append(all, e.Error())
	}
	return all
}

func TestContextEndsAnAudit(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	set := loaded(t, []byte(stream(10)))
	r := newReviewer(t, set.Cluster())
	cancel()
	if _, err := set.Review(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("Review: got %v", err)
	}
	if _, err := Load(ctx, Options{Paths: []string{"-"}, Stdin: strings.NewReader(pod)}); !errors.Is(err, context.Canceled) {
		t.Errorf("Load: got %v", err)
	}
}

// brokenFile fails in the middle.
type brokenFile struct{ text *strings.Reader }

func (b brokenFile) Read(p []byte) (int, error) {
	if b.text.Len() == 0 {
		return 0, errors.New("the disk is gone")
	}
	return b.text.Read(p)
}

func TestFileThatBreaksOff(t *testing.T) {
	set, err := Load(t.Context(), Options{Paths: []string{"-"}, Stdin: brokenFile{strings.NewReader(pod + "---\n" + pod)}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	objects, errs := all(t, set)
	for _, e := range errs {
		got = append(got, e.Error())
	}
	if diff := cmp.Diff([]string{"<stdin>:7: the disk is gone"}, got); diff != "" || len(objects) != 1 {
		t.Errorf("%d objects, errors (-want +got):\n%s", len(objects), diff)
	}
}

func TestContextOfTheSet(t *testing.T) {
	set := loaded(t, []byte("apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}}\n"+
		"---\n\napiVersion: v1\nkind: Service\nspec: {selector: text}\n"))
	if got := set.Cluster().ServicesOf(nil, "", map[string]string{"app": "web"}); len(got.Objects) != 1 || got.Objects[0].Name != "web" || got.Unknown == "" {
		t.Errorf("services: %+v", got)
	}
	got, err := set.Review(t.Context(), newReviewer(t, set.Cluster()))
	if err != nil || len(got.Errors) != 1 || got.Errors[0].Source.Line != 7 {
		t.Errorf("errors, each told once: %v, %v", got.Errors, err)
	}
}

func TestPanicIsAnError(t *testing.T) {
	err := guarded(func() error { panic("oops") })
	if err == nil || !strings.Contains(err.Error(), "oops") {
		t.Errorf("got %v", err)
	}
}

func TestProgress(t *testing.T) {
	last := map[Stage]int{}
	set, err := Load(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(pod), Progress: func(s Stage, done, total int) {
		last[s] = total - done
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.Review(t.Context(), newReviewer(t, nil)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[Stage]int{Reading: -1, Reviewing: 0}, last); diff != "" {
		t.Errorf("what is left of each stage, -1 of what has no known total:\n%s", diff)
	}
}
