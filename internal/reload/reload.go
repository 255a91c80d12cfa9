// Package reload keeps a configuration file in force while it changes. A file that
// cannot be used leaves the last good one in force.
package reload

import (
	"bytes"
	"cmp"
	"context"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"

	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/follow"
	"github.com/forestall/forestall/internal/review"
)

// Options say what is kept in force. Build is required.
type Options struct {
	// Path of the file; without one the zero Configuration stays in force.
	Path string
	// Build makes a Reviewer of settings. It is called once for each new content.
	Build func(review.Settings) (*review.Reviewer, error)
	// Loaded, if set, is told of each attempt: nil where it succeeded.
	Loaded func(error)
	// Log says what was loaded, and what could not be.
	Log logr.Logger
	// Poll is how often the file is looked at; 0 for follow.DefaultPoll.
	Poll time.Duration
}

// InForce is a configuration with what was made of it.
type InForce struct {
	Configuration config.Configuration
	Reviewer      *review.Reviewer
}

// File is a configuration file in force. Its methods may be called at the same time.
type File struct {
	Options
	current atomic.Pointer[InForce]
	failed  atomic.Pointer[error]
	tried   []byte // the content that was looked at last; of Start alone
}

// New loads the file. One that cannot be used is an error here: nothing is in
// force yet that could stay so.
func New(o Options) (*File, error) {
	f := &File{Options: o}
	content, err := f.read()
	if err != nil {
		return nil, err
	}
	in, err := f.load(content)
	if err != nil {
		return nil, err
	}
	f.tried = content
	f.take(in, nil)
	return f, nil
}

// Current returns what is in force.
func (f *File) Current() InForce { return *f.current.Load() }

// Failed returns why the file as it is now is not in force, or nil.
func (f *File) Failed() error {
	if err := f.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Ready returns nil: something is always in force.
func (*File) Ready() error { return nil }

// NeedLeaderElection says that every replica reads its own file.
func (*File) NeedLeaderElection() bool { return false }

// Start follows the file until ctx ends.
func (f *File) Start(ctx context.Context) error {
	if f.Path == "" {
		<-ctx.Done()
		return nil
	}
	(&follow.File{Path: f.Path, What: "the configuration", Poll: f.Poll, Log: f.Log, Look: f.look}).Run(ctx)
	return nil
}

// look loads the file if its content is not that of the last attempt.
func (f *File) look() {
	content, err := f.read()
	if err == nil && bytes.Equal(content, f.tried) || err != nil && f.tried == nil {
		return
	}
	f.tried = content
	if err != nil {
		f.take(InForce{}, err)
		return
	}
	in, err := f.load(content)
	f.take(in, err)
}

// read returns the content of the file, which is nil where it cannot be read.
func (f *File) read() ([]byte, error) {
	if f.Path == "" {
		return nil, nil
	}
	return config.Read(f.Path)
}

// load makes a Reviewer of the content of the file.
func (f *File) load(content []byte) (InForce, error) {
	var c config.Configuration
	if f.Path != "" {
		var err error
		if c, err = config.Parse(f.Path, content); err != nil {
			return InForce{}, err
		}
	}
	r, err := f.Build(c.Settings())
	if err != nil {
		return InForce{}, c.Locate(err)
	}
	return InForce{Configuration: c, Reviewer: r}, nil
}

func (f *File) take(in InForce, err error) {
	if f.Loaded != nil {
		f.Loaded(err)
	}
	if err != nil {
		f.failed.Store(&err)
		f.Log.Error(err, "The configuration cannot be used; the last good one stays in force", "file", f.Path)
		return
	}
	f.failed.Store(nil)
	f.current.Store(&in)
	f.Log.Info("The configuration is in force", "file", f.Path, "mode", cmp.Or(string(in.Configuration.Mode), "deny"))
}
