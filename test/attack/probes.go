package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// probes are the answers to a kubelet.
type probes struct {
	asked, unready int
	last           string
}

// probe asks for the readiness as a kubelet does, only more often.
func (s *stage) probe(ctx context.Context) probes {
	var p probes
	for ctx.Err() == nil {
		p.asked++
		if err := s.ready(ctx); err != nil && ctx.Err() == nil {
			p.unready++
			p.last = err.Error()
		}
		time.Sleep(200 * time.Millisecond)
	}
	return p
}

// ready returns an error unless the webhook says that it is ready within a second, as long as a
// kubelet waits unless it is told otherwise.
func (s *stage) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.hook.HealthURL+"/readyz", http.NoBody)
	if err != nil {
		return err
	}
	r.Close = true // a kubelet makes a new connection for each probe
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, 4096))
	_ = response.Body.Close()
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.New(response.Status + ": " + string(text))
	}
	return err
}
