package main

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// results is what became of all attacks.
type results struct {
	evasions []evaded
	floods   []*withstood
}

// evaded is what became of an evasion.
type evaded struct {
	evasion
	err error
}

// withstood is what became of a flood.
type withstood struct {
	flood
	sent   int64
	honest record
	probes probes
	memory memory
	err    error
}

// failed joins all that an attack has reached.
func (r *results) failed() error {
	var errs []error
	for _, e := range r.evasions {
		if e.err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", e.name, e.err))
		}
	}
	for i := range r.floods {
		if err := r.floods[i].failed(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", r.floods[i].name, err))
		}
	}
	return errors.Join(errs...)
}

// page is the results as Markdown.
func (r *results) page(o options) string {
	var b strings.Builder
	b.WriteString(`# Attacks

What becomes of attacks on forestall-webhook behind a real API server. ` + "`make attack`" + ` makes them; what they are
good for, and what an operator must do, is in the [threat model](threat-model.md). The webhook has one
processor (` + "`GOMAXPROCS=1`" + `), ` + "`GOMEMLIMIT=160MiB`" + `, and knows 10,000 Services; its memory limit would be 256 MiB.
Of the memory in the table, 40 MiB are the pages of the program itself, which the kernel can take back.

## Past it

| attack | what is sent | |
|---|---|---|
`)
	for _, e := range r.evasions {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", e.name, e.tried, verdict(e.err, "denied"))
	}
	fmt.Fprintf(&b, `
## Down with it

Each flood lasts %s. Meanwhile an honest user of another namespace creates Pods that would fail, through the API server,
and a kubelet asks whether the webhook is ready. The times are those of the whole request, on a machine
that runs the attackers, the API server and etcd besides.

| attack | what is sent | how often | honest Pods | denied | p50 | p99 | unready | memory, at most |
|---|---|---|---|---|---|---|---|---|
`, o.span)
	for i := range r.floods {
		w := r.floods[i]
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %s | %s | %d of %d | %d MiB |\n", w.name, w.flood.sent, w.sent, len(w.honest.took), w.honest.denied,
			w.honest.quantile(0.5).Round(time.Millisecond), w.honest.quantile(0.99).Round(time.Millisecond), w.probes.unready, w.probes.asked, w.memory.peak>>20)
	}
	return b.String()
}

func verdict(err error, held string) string {
	if err != nil {
		return "**passed**"
	}
	return held
}
