package webhook

import (
	"context"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
)

const (
	// rememberTime is how long an answer holds before a check is made again. The kubelet asks every second at most.
	rememberTime = time.Second
	// staleTime is how long an answer is still given while the next check is made. A busy machine
	// takes longer for a handshake than the kubelet waits, and is no reason to be sent nothing: the
	// other replicas are as busy.
	staleTime = 10 * time.Second
)

// remembered is a check that is made once at a time and once in a while, however many ask.
type remembered struct {
	of   healthz.Checker
	once singleflight.Group

	mu   sync.Mutex
	at   time.Time // when the last answer was found; zero for never
	last error
}

func newRemembered(of healthz.Checker) *remembered { return &remembered{of: of} }

// check is a healthz.Checker.
func (m *remembered) check(r *http.Request) error {
	age, err := m.answer()
	if age < rememberTime {
		return err
	}
	// Who asks first may leave, and others wait for the same answer.
	next := m.once.DoChan("", func() (any, error) { return nil, m.find(r) })
	if age < staleTime {
		select {
		case found := <-next:
			return found.Err
		default:
			return err
		}
	}
	select {
	case found := <-next:
		return found.Err
	case <-r.Context().Done():
		return r.Context().Err()
	}
}

func (m *remembered) answer() (age time.Duration, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at.IsZero() {
		return staleTime, nil
	}
	return time.Since(m.at), m.last
}

// find makes the check.
func (m *remembered) find(r *http.Request) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), staleTime)
	defer cancel()
	err := m.of(r.WithContext(ctx))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.at, m.last = time.Now(), err
	return err
}
