package follow

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/go-logr/logr/funcr"
)

// TestErrorsOfTheWatcher: each error of the watcher is read and means that the file is looked at
// now, also while a change settles. It is logged once.
func TestErrorsOfTheWatcher(t *testing.T) {
	log := &lines{}
	looked := make(chan struct{})
	f := &File{
		Path: "forestall.yaml", What: "the configuration", Poll: time.Hour, Log: funcr.New(log.add, funcr.Options{}),
		Look: func() { looked <- struct{}{} },
	}
	events, errs := make(chan fsnotify.Event), make(chan error) // unbuffered, as fsnotify's own
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f.follow(ctx, changes{events, errs})
	}()
	for _, settles := range []bool{false, true, false} {
		if settles {
			events <- fsnotify.Event{}
			events <- fsnotify.Event{} // nobody waits for the first to settle
		}
		errs <- fsnotify.ErrEventOverflow
		select {
		case <-looked:
		case <-time.After(20 * time.Second):
			t.Fatal("nobody has looked at the file within 20s")
		}
	}
	cancel()
	<-ended
	want := []string{`"msg"="Watching the configuration; it is read now, and this is not logged again" "error"="` + fsnotify.ErrEventOverflow.Error() + `"`}
	if !slices.Equal(log.all, want) {
		t.Errorf("log %q, want %q", log.all, want)
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
