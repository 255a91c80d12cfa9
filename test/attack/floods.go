package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// flood tries to take the webhook down, or deny with it.
type flood struct {
	name string
	// sent says what is sent.
	sent string
	// prepare, if any, makes what the attack needs.
	prepare func(ctx context.Context, s *stage) error
	// run attacks until ctx ends, and counts what it sends.
	run func(ctx context.Context, s *stage, sent *atomic.Int64) error
	// check, if any, looks at what is left of it afterwards.
	check func(ctx context.Context, s *stage) error
}

func floods() []flood {
	return []flood{
		{name: "nobody", sent: "nothing: what the honest user sees without an attack", run: idle},
		{name: "slow objects of a tenant", sent: "Pods of 2,000 containers with findings, 16 at a time, through the API server", run: slowObjects},
		{name: "slow objects, posted", sent: "the heaviest bodies of 3 MiB over 64 connections, all in one namespace", run: posted(sameNamespace)},
		{name: "slow objects, posted under many names", sent: "the same, each in another namespace", run: posted(otherNamespaces)},
		{name: "Services", sent: "20 Services of 20,000 ports, and small Pods that they select", prepare: createPorts, run: manyPorts},
		{name: "forged reviews", sent: "reviews of Pods whose invented owners are in kube-system, over 8 connections", run: inventedOwners, check: noEvents},
		{name: "logs", sent: "bodies of 5 MiB whose names fill them, over 2 connections", run: longNames, check: shortLog},
		{name: "HTTP/2: answers that nobody reads", sent: "reviews of 4 MiB over 15 connections with a window of 0", run: unread},
		{name: "HTTP/2: streams that are reset", sent: "streams that end as soon as they are open, over 8 connections", run: reset},
		{name: "idle connections", sent: "1,000 connections that never say anything, to the port of reviews and to that of probes", run: silent},
		{name: "slow bodies", sent: "200 connections that send a byte of a body every 50 ms", run: slowBodies},
	}
}

// withstand makes one flood, while the honest user works and the kubelet asks whether the
// webhook is ready.
func (s *stage) withstand(ctx context.Context, f flood) *withstood {
	out := &withstood{flood: f}
	if f.prepare != nil {
		out.err = f.prepare(ctx, s)
	}
	if out.err = errors.Join(out.err, s.forget()); out.err != nil {
		return out
	}
	during, stop := context.WithTimeout(ctx, s.span)
	defer stop()
	var sent atomic.Int64
	attacked := make(chan error, 1)
	go func() { attacked <- f.run(during, s, &sent) }()
	probed := make(chan probes, 1)
	go func() { probed <- s.probe(during) }()
	out.honest.work(during, s.honest)
	out.err = ended(<-attacked)
	out.probes = <-probed
	out.sent = sent.Load()
	var err error
	out.memory, err = s.memory()
	out.err = errors.Join(out.err, err)
	if f.check != nil && out.err == nil {
		out.err = f.check(ctx, s)
	}
	return out
}

// ended takes the end of the flood for no failure of it.
func ended(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func idle(ctx context.Context, _ *stage, _ *atomic.Int64) error {
	<-ctx.Done()
	return nil
}

// failed says what a flood has reached; nil for nothing.
func (w *withstood) failed() error {
	errs := []error{w.err}
	if w.memory.kills() {
		errs = append(errs, fmt.Errorf("%d MiB of memory, %d of them of files, the limit is %d", w.memory.peak>>20, w.memory.files>>20, limit>>20))
	}
	if w.probes.unready > 0 {
		errs = append(errs, fmt.Errorf("unready %d of %d times: %s", w.probes.unready, w.probes.asked, w.probes.last))
	}
	if len(w.honest.took) < 2 {
		errs = append(errs, fmt.Errorf("the honest user got %d answers", len(w.honest.took)))
	}
	// Nothing may be missed while the machine has time for both; where others keep it busy too, an
	// answer may be later than the API server waits.
	if missed := len(w.honest.missed); missed*100 > len(w.honest.took) {
		errs = append(errs, fmt.Errorf("%d of %d Pods that fail were not denied: %s", missed, len(w.honest.took), w.honest.missed[0]))
	}
	return errors.Join(errs...)
}
