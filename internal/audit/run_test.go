package audit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// pods are a source that reads no files: n Pods, of which each has a finding.
type pods struct {
	n int
	// err ends the source.
	err error
}

func (p pods) Counts() Summary { return Summary{Objects: p.n} }

func (p pods) Batches(context.Context) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		for i := range p.n {
			raw := fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod-%d"},"spec":{"containers":[{"name":"a","image":"a:1"}]}}`, i)
			o := Object{Subject: review.Subject{Operation: review.Audit, Kind: schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, Object: []byte(raw)}}
			if !yield(Batch{Objects: []Object{o}, Errors: []Error{{Err: fmt.Errorf("error %d", i)}}}, nil) {
				return
			}
		}
		if p.err != nil {
			yield(Batch{}, p.err)
		}
	}
}

// TestRunWithoutFiles tells what is found in the order of the source.
func TestRunWithoutFiles(t *testing.T) {
	const n = 300
	var got Result
	sum, err := Run{Reviewer: newReviewer(t, cluster.OfFiles(false)), Source: pods{n: n}, Sink: &got}.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := Summary{Objects: n, Judged: n, Errors: n, Findings: sum.Findings, NotJudged: []NotJudged{}}
	if diff := cmp.Diff(want, sum); diff != "" || len(got.Findings) < n {
		t.Errorf("%d findings, summary (-want +got):\n%s", len(got.Findings), diff)
	}
	var names, texts, inOrder, errs []string
	for i := range n {
		inOrder, errs = append(inOrder, fmt.Sprintf("pod-%d", i)), append(errs, fmt.Sprintf("error %d", i))
	}
	for _, f := range got.Findings {
		names = append(names, f.Object.Name)
		if f.Source != (finding.Source{}) {
			t.Errorf("%s has the place %v", f.Object.Name, f.Source)
		}
	}
	for _, e := range got.Errors {
		texts = append(texts, e.Err.Error())
	}
	if diff := cmp.Diff([][]string{inOrder, errs}, [][]string{slices.Compact(names), texts}); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// failing is a sink that fails at the n-th finding.
type failing struct {
	Result
	n    int
	then func()
}

var errFull = errors.New("the disk is full")

func (f *failing) Found(of finding.Finding) error {
	if err := f.Result.Found(of); err != nil || len(f.Findings) < f.n {
		return err
	}
	if f.then != nil {
		f.then()
		return nil
	}
	return errFull
}

// TestRunEndsWithItsErrors: an error of the source or of the sink ends the run, and no
// goroutine is left behind.
func TestRunEndsWithItsErrors(t *testing.T) {
	r := newReviewer(t, cluster.OfFiles(false))
	before := runtime.NumGoroutine()
	if _, err := (Run{Reviewer: r, Source: pods{n: 500}, Sink: &failing{n: 3}}).Do(t.Context()); !errors.Is(err, errFull) {
		t.Errorf("a sink that fails: %v", err)
	}
	gone := errors.New("the API server is gone")
	if _, err := (Run{Reviewer: r, Source: pods{n: 3, err: gone}, Sink: &Result{}}).Do(t.Context()); !errors.Is(err, gone) {
		t.Errorf("a source that fails: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := Run{Reviewer: r, Source: pods{n: 500}, Sink: &failing{n: 3, then: cancel}}.Do(ctx)
	var cut *Interrupted
	if !errors.As(err, &cut) || cut.Done < 3 || cut.Done >= 500 || cut.Total != 500 || !errors.Is(err, context.Canceled) {
		t.Errorf("a run that is cut short: %v", err)
	}
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, there were %d", runtime.NumGoroutine(), before)
		}
	}
}

// TestPipelineIsBounded holds how much is under way when nothing leaves the pipeline.
func TestPipelineIsBounded(t *testing.T) {
	for name, tt := range map[string]struct{ size, most int }{
		"small items":  {0, max(tokens, 4*runtime.GOMAXPROCS(0))},
		"large items":  {15 * tokenSize, max(tokens, 4*runtime.GOMAXPROCS(0)) / 16},
		"beyond bound": {1 << 40, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var taken atomic.Int64
			done := 0
			err := pipeline[int, int]{
				source: func(yield func(int, error) bool) {
					for i := range 1000 {
						if taken.Add(1); !yield(i, nil) {
							return
						}
					}
				},
				size: func(int) int { return tt.size },
				work: func(_ context.Context, i int) int { return i },
				then: func(i int) error {
					if i != done {
						t.Fatalf("%d comes after %d", i, done-1)
					}
					if under := int(taken.Load()) - done; under > tt.most+1 { // one waits to be let in
						t.Fatalf("%d are under way, more than %d", under, tt.most)
					}
					done++
					return nil
				},
			}.run(t.Context())
			if err != nil || done != 1000 {
				t.Errorf("%d done: %v", done, err)
			}
		})
	}
}

// TestFilesAreReadOnce: what becomes of a file after it was read changes nothing.
func TestFilesAreReadOnce(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	file := filepath.Join(t.TempDir(), "pods.yaml")
	if err := os.WriteFile(file, []byte(stream(20)), 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := Load(t.Context(), Options{Paths: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	got, err := set.Review(t.Context(), newReviewer(t, set.Cluster()))
	if err := errors.Join(err, set.Close()); err != nil {
		t.Fatal(err)
	}
	if len(got.Findings) != 2 || len(got.Errors) != 0 || got.Findings[1].Source.Line != 10*streamLines+7 {
		t.Errorf("findings %v, errors %v", got.Findings, got.Errors)
	}
}
