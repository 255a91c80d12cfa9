package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/forestall/forestall/test/bench/shapes"
)

// warmUp is how long requests are sent before any is measured.
const warmUp = 200 * time.Millisecond

// load is how requests are sent: so many connections, each sending one request
// after the other, or a fixed rate.
type load struct {
	connections int
	rate        int // requests a second; 0 for as many as are answered
}

// sample is what was seen of one load on one path.
type sample struct {
	perRequest time.Duration // of CPU
	throughput float64       // requests a second
	latencies  []time.Duration
}

// with adds a round: the fastest counts, and all latencies.
func (s sample) with(round sample) sample {
	if s.latencies == nil {
		return round
	}
	s.perRequest = min(s.perRequest, round.perRequest)
	s.throughput = max(s.throughput, round.throughput)
	s.latencies = slices.Sorted(slices.Values(append(s.latencies, round.latencies...)))
	return s
}

func (s sample) quantile(q float64) time.Duration {
	if len(s.latencies) == 0 {
		return 0
	}
	return s.latencies[min(len(s.latencies)-1, int(q*float64(len(s.latencies))))]
}

// run sends the body for a time, each time with another number. Every answer must hold want.
func (l load) run(ctx context.Context, s *server, path string, body shapes.Numbered, want []byte, span time.Duration) (sample, error) {
	client := s.client(l.connections)
	defer client.CloseIdleConnections()
	one := func(int) error {
		return post(ctx, client, s.url+path+"?timeout=5s", body.With(int(s.sent.Add(1))), want)
	}
	if _, err := l.all(warmUp, one); err != nil { // what is done once, by the server and for each connection
		return sample{}, err
	}
	before, err := s.usage(ctx)
	if err != nil {
		return sample{}, err
	}
	begin := time.Now()
	latencies, err := l.all(span, one)
	if err != nil {
		return sample{}, err
	}
	took := time.Since(begin)
	after, err := s.usage(ctx)
	requests := max(1, len(latencies))
	return sample{
		perRequest: (after.CPU - before.CPU) / time.Duration(requests),
		throughput: float64(requests) / took.Seconds(),
		latencies:  latencies,
	}, err
}

// all sends over all connections at once and returns how long the answers took, sorted.
func (l load) all(span time.Duration, one func(int) error) ([]time.Duration, error) {
	begin := time.Now()
	parts := make([][]time.Duration, l.connections)
	errs := make([]error, l.connections)
	var all sync.WaitGroup
	for c := range l.connections {
		all.Go(func() { parts[c], errs[c] = l.send(c, begin, span, one) })
	}
	all.Wait()
	latencies := slices.Concat(parts...)
	slices.Sort(latencies)
	return latencies, errors.Join(errs...)
}

// send is one connection. At a fixed rate a request's time begins when it is due,
// not when the one before it has been answered.
func (l load) send(c int, begin time.Time, span time.Duration, one func(int) error) ([]time.Duration, error) {
	var latencies []time.Duration
	for i := c; time.Since(begin) < span; i += l.connections {
		due := time.Now()
		if l.rate > 0 {
			due = begin.Add(time.Duration(i) * time.Second / time.Duration(l.rate))
			time.Sleep(time.Until(due))
		}
		if err := one(i); err != nil {
			return nil, err
		}
		latencies = append(latencies, time.Since(due))
	}
	return latencies, nil
}

func post(ctx context.Context, client *http.Client, url string, body, want []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("asking the server: %w", err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("reading an answer: %w", err)
	}
	if !bytes.Contains(answer, want) {
		return fmt.Errorf("the answer of %s is %.300s, want %s in it", url, answer, want)
	}
	return nil
}
