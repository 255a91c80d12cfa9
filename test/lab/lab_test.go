package lab_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/forestall/forestall/test/lab"
	"github.com/forestall/forestall/test/lab/observe"
)

// TestLab runs two labs side by side, and pods in both: neither kubelet takes
// the other's pods for its own, and nothing is left of them.
func TestLab(t *testing.T) {
	first, second := lab.StartT(t), lab.StartT(t)
	manifest := filepath.Join("testdata", "job.yaml")
	for _, l := range []*lab.Lab{first, second} {
		if err := l.Namespace(t.Context(), "shop"); err != nil {
			t.Fatal(err)
		}
		if err := l.Apply(t.Context(), "shop", manifest); err != nil {
			t.Fatal(err)
		}
	}
	for _, l := range []*lab.Lab{first, second} {
		if err := l.WaitFor(t.Context(), "the Job of lab "+l.Name, complete(l)); err != nil {
			t.Error(err)
		}
	}
	if err := first.Stop(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(first.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory of the lab is still there: %v", err)
	}
	if err := second.Delete(t.Context(), "shop", manifest); err != nil {
		t.Error(err)
	}
	if err := second.DeleteNamespace(t.Context(), "shop"); err != nil {
		t.Error(err)
	}
}

func complete(l *lab.Lab) func(context.Context) error {
	return func(ctx context.Context) error {
		s, err := observe.Namespace(ctx, l.Client, "shop", nil)
		if err != nil {
			return err
		}
		for _, job := range s.Jobs {
			if job.Succeeded == 1 {
				return nil
			}
		}
		return fmt.Errorf("observed: %+v", s)
	}
}
