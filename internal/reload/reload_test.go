package reload_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/reload"
	"github.com/forestall/forestall/internal/review"
)

const head = "apiVersion: forestall.dev/v1alpha1\nkind: Configuration\n"

// TestFile follows a file through good and bad contents, told by events and, where
// there are none, by looking.
func TestFile(t *testing.T) {
	for name, poll := range map[string]time.Duration{"by event": time.Hour, "by poll": 20 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "forestall.yaml")
			write(t, path, head+"mode: warn\n")
			attempts := &attempts{}
			f := start(t, reload.Options{Path: path, Poll: poll, Loaded: attempts.note})

			mode(t, f, finding.Warn)
			write(t, path, head+"mode: off\n")
			mode(t, f, finding.Off)

			write(t, path, head+"mode: loud\n")
			failed(t, f, path+`:3: mode: unknown level "loud"`)
			mode(t, f, finding.Off)
			write(t, path, head+"rules: {comand-exits: {level: deny}}\n")
			failed(t, f, path+`:3: rules.comand-exits: there is no such rule: did you mean command-exits or command-exits-late?`)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			failed(t, f, "no such file or directory")
			mode(t, f, finding.Off)

			write(t, path, head+"mode: audit\n")
			mode(t, f, finding.Audit)
			if err := f.Failed(); err != nil {
				t.Errorf("still failed: %v", err)
			}
			if good, bad := attempts.counts(); good != 3 || bad < 3 {
				t.Errorf("%d good attempts and %d bad ones", good, bad)
			}
		})
	}
}

// TestReplacedFolder because the kubelet changes a ConfigMap volume by pointing a
// symbolic link somewhere else.
func TestReplacedFolder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"one": head + "mode: warn\n", "two": head + "mode: audit\n"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name, "forestall.yaml"), text)
	}
	link, path := filepath.Join(dir, "..data"), filepath.Join(dir, "forestall.yaml")
	if err := errors.Join(os.Symlink("one", link), os.Symlink("..data/forestall.yaml", path)); err != nil {
		t.Fatal(err)
	}
	f := start(t, reload.Options{Path: path, Poll: time.Hour})
	mode(t, f, finding.Warn)
	if err := errors.Join(os.Symlink("two", link+"_tmp"), os.Rename(link+"_tmp", link)); err != nil {
		t.Fatal(err)
	}
	mode(t, f, finding.Audit)
}

func TestNewRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forestall.yaml")
	write(t, path, head+"mode: loud\n")
	build := reviewers(t)
	if _, err := reload.New(reload.Options{Path: path, Build: build}); err == nil || !strings.Contains(err.Error(), "unknown level") {
		t.Errorf("got %v", err)
	}
	if f, err := reload.New(reload.Options{Build: build}); err != nil || f.Current().Configuration.Mode != "" {
		t.Errorf("without a file: %v", err)
	}
}

type attempts struct {
	mu        sync.Mutex
	good, bad int
}

func (a *attempts) note(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err != nil {
		a.bad++
	} else {
		a.good++
	}
}

func (a *attempts) counts() (good, bad int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.good, a.bad
}

func reviewers(t *testing.T) func(review.Settings) (*review.Reviewer, error) {
	t.Helper()
	build, err := builtin.Reviewers(t.Context(), nil, review.NewCache())
	if err != nil {
		t.Fatal(err)
	}
	return build
}

func start(t *testing.T, o reload.Options) *reload.File {
	t.Helper()
	o.Build = reviewers(t)
	f, err := reload.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	time.Sleep(50 * time.Millisecond) // until the folder is watched
	return f
}

func mode(t *testing.T, f *reload.File, want finding.Level) {
	t.Helper()
	eventually(t, func() bool { return f.Current().Configuration.Mode == want })
}

func failed(t *testing.T, f *reload.File, want string) {
	t.Helper()
	eventually(t, func() bool { err := f.Failed(); return err != nil && strings.Contains(err.Error(), want) })
}

func eventually(t *testing.T, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Fatal("it did not happen within 20s")
}

// write replaces a file as careful programs do.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.WriteFile(path+"~", []byte(text), 0o600), os.Rename(path+"~", path)); err != nil {
		t.Fatal(err)
	}
}
