package live

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/cache"
)

// kind is one kind of object that is watched, and the state of its watch.
type kind struct {
	name      string
	reflector *cache.Reflector
	patience  time.Duration
	log       logr.Logger
	// known and lost tell the Table whether its objects count.
	known func()
	lost  func(reason string)

	mu sync.Mutex
	// listed is true after the first list; synced is true while the kind is known.
	listed, synced bool
	// failing is when the requests began to fail, and err the last failure; both are zero while
	// they succeed.
	failing time.Time
	err     error
	// waiting ends the patience, since the next attempt may come much later.
	waiting *time.Timer
	// told is true after the log has said that the kind is unknown.
	told bool
}

var errUnread = errors.New("it has not been read yet")

// begin starts the time that the first list may take.
func (k *kind) begin() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.failing = time.Now()
}

// end stops what would still be done after the watch has ended.
func (k *kind) end() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.calm()
}

func (k *kind) calm() {
	if k.waiting != nil {
		k.waiting.Stop()
		k.waiting = nil
	}
}

// unknown returns why the kind is not known, or nil.
func (k *kind) unknown() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.synced:
		return nil
	case k.err != nil:
		return fmt.Errorf("%s: %w", k.name, k.err)
	}
	return fmt.Errorf("%s: %w", k.name, errUnread)
}

// read notes a list that succeeded: the kind is known.
func (k *kind) read() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.listed = true
	k.stand()
}

// resumed notes a watch that continues where the last one ended.
func (k *kind) resumed() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.listed {
		k.stand()
	}
}

func (k *kind) stand() {
	k.failing, k.err = time.Time{}, nil
	k.calm()
	if k.synced {
		return
	}
	k.synced = true
	k.known()
	if k.told {
		k.told = false
		k.log.Info("Objects of this kind are known again")
	}
}

// failed notes a list or a watch that failed. What was read before counts for a while.
func (k *kind) failed(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.err = err
	if k.failing.IsZero() {
		k.failing = time.Now()
		k.waiting = time.AfterFunc(k.patience, k.lose)
	}
	if time.Since(k.failing) >= k.patience {
		k.unknow()
	}
}

// lose ends the time for which what was read before counts: it is over even while nothing is
// asked: see backoff.
func (k *kind) lose() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.waiting != nil && k.err != nil { // else it was read meanwhile
		k.unknow()
	}
}

func (k *kind) unknow() {
	k.synced = false
	k.lost("they cannot be read: " + reasonOf(k.err))
	k.tell()
}

// tellUnread logs that the kind is unknown, if it is.
func (k *kind) tellUnread() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.synced {
		k.tell()
	}
}

func (k *kind) tell() {
	if !k.told {
		k.told = true
		k.log.Error(k.err, "Objects of this kind are not known: nothing is denied because of them")
	}
}

// reasonOf returns the error in a few words that fit into a fact.
func reasonOf(err error) string {
	if reason := apierrors.ReasonForError(err); reason != "" {
		return string(reason)
	}
	return "the API server does not answer"
}
