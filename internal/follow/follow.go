// Package follow looks at a file whenever it may have changed.
package follow

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/go-logr/logr"
)

const (
	// DefaultPoll is how often a file is looked at unless a File says otherwise: some file
	// systems tell of no changes.
	DefaultPoll = 10 * time.Second
	// settleTime is how long a file is given after a change, since editors and ConfigMap
	// volumes change it in several steps.
	settleTime = 100 * time.Millisecond
)

// File is a file that is followed. Path and Look are required.
type File struct {
	Path string
	// What names the content of the file in the log.
	What string
	// Poll is how often the file is looked at; 0 for DefaultPoll.
	Poll time.Duration
	// Log says what keeps changes from being seen at once.
	Log logr.Logger
	// Look is called when the file may have changed, never twice at the same time.
	Look func()
}

// Run follows the file until ctx ends.
func (f *File) Run(ctx context.Context) {
	changes, stop, err := f.watch()
	if err != nil { // the poll is left
		f.Log.Error(err, "Watching "+f.What+"; it is read every so often instead", "every", f.poll().String())
	}
	defer stop()
	f.follow(ctx, changes)
}

func (f *File) poll() time.Duration { return cmp.Or(f.Poll, DefaultPoll) }

// changes is what a watcher tells.
type changes struct {
	events <-chan fsnotify.Event
	errors <-chan error
}

// watch follows the folder: a file that is replaced is a new file.
func (f *File) watch() (changes, func(), error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return changes{}, func() {}, fmt.Errorf("watching files: %w", err)
	}
	stop := func() { _ = w.Close() } // nothing is written through it
	if err := w.Add(filepath.Dir(f.Path)); err != nil {
		return changes{}, stop, fmt.Errorf("watching the folder of %s: %w", f.Path, err)
	}
	return changes{w.Events, w.Errors}, stop, nil
}

// follow looks at the file whenever it may have changed, until ctx ends. An error of the watcher
// means that it missed changes, because there were more of them than its queue holds. The watcher
// waits until somebody reads the error: otherwise it would tell of nothing more.
func (f *File) follow(ctx context.Context, c changes) {
	poll := time.NewTicker(f.poll())
	defer poll.Stop()
	missed := missed{what: f.What, log: f.Log}
	for {
		select {
		case <-ctx.Done():
			return
		case err := <-c.errors:
			missed.tell(err)
		case <-c.events:
			if !c.settle(ctx, missed.tell) {
				return
			}
		case <-poll.C:
		}
		f.Look()
	}
}

// missed logs the errors of a watcher, each kind of them once.
type missed struct {
	what string
	log  logr.Logger
	told map[string]bool
}

func (m *missed) tell(err error) {
	if err == nil || m.told[err.Error()] {
		return
	}
	if m.told == nil {
		m.told = map[string]bool{}
	}
	m.told[err.Error()] = true
	m.log.Error(err, "Watching "+m.what+"; it is read now, and this is not logged again")
}

// settle waits until a change is complete, and treats everything that is told meanwhile as part
// of it. It reports whether the time has passed; false means that ctx has ended.
func (c changes) settle(ctx context.Context, tell func(error)) bool {
	t := time.NewTimer(settleTime)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case err := <-c.errors:
			tell(err)
		case <-c.events:
		case <-t.C:
			return true
		}
	}
}
