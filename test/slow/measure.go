package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/policies"
	"github.com/forestall/forestall/webhook"
)

// way is how an object is given to forestall.
type way string

const (
	validate way = "/validate"
	update   way = "/validate of an update"
	mutate   way = "/mutate"
	auditing way = "audit"
	// propose is what an audit does with an object after it was read. It tells its steps.
	propose way = "audit of one object"
)

// cost is what one object takes.
type cost struct {
	bytes      int
	steps      int64
	cpu        time.Duration
	unfinished bool
}

func (c cost) perByte() float64 { return float64(c.cpu) / float64(max(1, c.bytes)) }

// perStep is nanoseconds of a processor for each step. Reading is bounded by the bytes, and the first millisecond is
// what every object takes.
func (c cost) perStep() float64 {
	return max(0, float64(c.cpu-time.Millisecond)) / float64(c.steps+int64(c.bytes/16)+1000)
}

// bench gives objects to forestall, in clusters with different Services.
type bench struct {
	rules     *builtin.Rules
	webhooks  []*webhook.Webhook
	reviewers []*review.Reviewer
	counter   *counter
}

// counter is a Reviewer that keeps what the last review took.
type counter struct{ last review.Decision }

type counting struct {
	*review.Reviewer
	*counter
}

func (c counting) Review(ctx context.Context, s review.Subject) (review.Decision, error) {
	d, err := c.Reviewer.Review(ctx, s)
	c.last = d
	return d, err
}

func (c counting) Repair(ctx context.Context, s review.Subject, d review.Decision) (review.Repaired, error) {
	r, err := c.Reviewer.Repair(ctx, s, d)
	c.last.Steps += r.Steps
	return r, err
}

func newBench(ctx context.Context) (*bench, error) {
	rules, err := builtin.RulesOf(ctx, policies.FS)
	if err != nil {
		return nil, err
	}
	b := &bench{rules: rules, counter: &counter{}}
	for _, services := range [][]string{nil, services(2000, 50), services(4, 20_000)} {
		store := cluster.OfFiles(true)
		for _, s := range services {
			if err := store.Add("v1", "Service", []byte(s)); err != nil {
				return nil, fmt.Errorf("adding a Service: %w", err)
			}
		}
		r, err := rules.Reviewer(settings(), store)
		if err != nil {
			return nil, err
		}
		w, err := webhook.New(webhook.Options{
			Admission: webhook.Always(webhook.Admission{Reviewer: counting{r, b.counter}}), Timeout: time.Hour, MaxConcurrent: 2,
		})
		if err != nil {
			return nil, err
		}
		b.webhooks, b.reviewers = append(b.webhooks, w), append(b.reviewers, r)
	}
	return b, nil
}

// settings let the webhook repair what has no limit.
func settings() review.Settings {
	return review.Settings{Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "64Mi"}}}
}

// services are n Services with so many ports each, which send to the pods of the grammar.
func services(n, ports int) []string {
	var list strings.Builder
	for i := range ports {
		fmt.Fprintf(&list, `{"name":"p%d","port":%d,"targetPort":"p%d"},`, i, i+1, i)
	}
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`{"apiVersion":"v1","kind":"Service","metadata":{"name":"s%d"},"spec":{"selector":{"app":"a"},"ports":[%s]}}`, i, strings.TrimSuffix(list.String(), ","))
	}
	return all
}

// worlds is how many clusters there are.
func (b *bench) worlds() int { return len(b.webhooks) }

// measure gives the object, the least of some tries. old is the stored object of an update.
func (b *bench) measure(ctx context.Context, w way, world int, raw, old []byte, tries int) (cost, error) {
	var least cost
	for i := range tries {
		if len(raw) > 2*small {
			runtime.GC() // of what others left behind
		}
		before := processorTime()
		c, err := b.give(ctx, w, world, raw, old)
		if err != nil {
			return cost{}, err
		}
		c.cpu, c.bytes = processorTime()-before, len(raw)+len(old)
		if i == 0 || c.cpu < least.cpu {
			least = c
		}
	}
	return least, nil
}

func (b *bench) give(ctx context.Context, w way, world int, raw, old []byte) (cost, error) {
	switch w {
	case auditing:
		return b.audit(ctx, raw)
	case propose:
		return b.propose(ctx, world, raw)
	}
	h, path := b.webhooks[world].ValidateHandler(), webhook.ValidatePath
	if w == mutate {
		h, path = b.webhooks[world].MutateHandler(), webhook.MutatePath
	}
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, path, bytes.NewReader(reviewOf(w, raw, old)))
	r.Header.Set("Content-Type", "application/json")
	got := httptest.NewRecorder()
	b.counter.last = review.Decision{}
	h.ServeHTTP(got, r)
	c := cost{steps: b.counter.last.Steps, unfinished: b.counter.last.Unfinished != ""}
	if strings.Contains(got.Body.String(), "a bug") {
		return c, fmt.Errorf("a bug: %.300s", got.Body)
	}
	return c, nil
}

func (b *bench) audit(ctx context.Context, raw []byte) (cost, error) {
	set, err := audit.Load(ctx, audit.Options{Paths: []string{"-"}, Stdin: bytes.NewReader(raw), Complete: true})
	if err != nil {
		return cost{}, fmt.Errorf("reading the object: %w", err)
	}
	r, err := b.rules.Reviewer(settings(), set.Cluster())
	if err != nil {
		return cost{}, err
	}
	if _, err = set.Review(ctx, r); err != nil {
		return cost{}, fmt.Errorf("auditing the object: %w", err)
	}
	return cost{}, nil
}

func (b *bench) propose(ctx context.Context, world int, raw []byte) (cost, error) {
	var version, kind string
	kindOf(raw, &version, &kind)
	gv, err := schema.ParseGroupVersion(version)
	if err != nil {
		return cost{}, fmt.Errorf("reading apiVersion: %w", err)
	}
	s := review.Subject{Operation: review.Audit, Kind: gv.WithKind(kind), Namespace: "shop", Object: raw}
	d, err := b.reviewers[world].Review(ctx, s)
	if err == nil {
		b.reviewers[world].Propose(ctx, s, &d)
	}
	return cost{steps: d.Steps, unfinished: d.Unfinished != ""}, nil // what cannot be read is told
}

// reviewOf is the request in which an API server sends the object.
func reviewOf(w way, raw, old []byte) []byte {
	var apiVersion, kind string
	kindOf(raw, &apiVersion, &kind)
	group, version, ok := strings.Cut(apiVersion, "/")
	if !ok {
		group, version = "", apiVersion
	}
	operation := `"operation":"CREATE"`
	if w == update {
		operation = `"operation":"UPDATE","oldObject":` + string(old)
	}
	return fmt.Appendf(nil, `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"a-uid",`+
		`"kind":{"group":%q,"version":%q,"kind":%q},"namespace":"shop",%s,"object":%s}}`, group, version, kind, operation, raw)
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
