package reload

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/go-logr/logr/funcr"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// TestErrorsOfTheWatcher: each error of the watcher is read and means that the file is looked at
// now, also while a change settles. It is logged once.
func TestErrorsOfTheWatcher(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forestall.yaml")
	write := func(mode finding.Level) {
		t.Helper()
		text := "apiVersion: forestall.dev/v1alpha1\nkind: Configuration\nmode: " + string(mode) + "\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("warn")
	log := &lines{}
	f, err := New(Options{
		Path: path, Poll: time.Hour, Log: funcr.New(log.add, funcr.Options{}),
		Build: func(review.Settings) (*review.Reviewer, error) { return &review.Reviewer{}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	events, errs := make(chan fsnotify.Event), make(chan error) // unbuffered, as fsnotify's own
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f.follow(ctx, changes{events, errs})
	}()
	for _, mode := range []finding.Level{"audit", "off", "deny"} {
		write(mode)
		if mode == "off" {
			events <- fsnotify.Event{}
			events <- fsnotify.Event{} // nobody waits for the first to settle
		}
		errs <- fsnotify.ErrEventOverflow
		for end := time.Now().Add(20 * time.Second); f.Current().Configuration.Mode != mode; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the mode is %s, not %s", f.Current().Configuration.Mode, mode)
			}
		}
	}
	cancel()
	<-ended
	told := slices.DeleteFunc(log.all, func(s string) bool {
		return s != `"msg"="Watching the configuration; it is read now, and this is not logged again" "error"="`+fsnotify.ErrEventOverflow.Error()+`"`
	})
	if len(told) != 1 {
		t.Errorf("%d lines about the error: %q", len(told), log.all)
	}
}

// lines are those of a log.
type lines struct {
	mu  sync.Mutex
	all []string
}

func (l *lines) add(_, line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, line)
}
