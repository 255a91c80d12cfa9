package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/forestall/forestall/test/apiserver"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// options say what is measured.
type options struct {
	forestall        string
	pods             []int
	workloads, nodes int
	page             string
}

func parse() (options, error) {
	o := options{}
	pods := "2000,10000,20000"
	flag.StringVar(&o.forestall, "forestall", "", "the command that is measured")
	flag.StringVar(&pods, "pods", pods, "how many pods there are, rising")
	flag.IntVar(&o.workloads, "workloads", 3000, "how many workloads they belong to")
	flag.IntVar(&o.nodes, "nodes", 500, "how many nodes there are")
	flag.StringVar(&o.page, "o", "", "write the page to this file")
	flag.Parse()
	for text := range strings.SplitSeq(pods, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || len(o.pods) > 0 && n < o.pods[len(o.pods)-1] {
			return o, fmt.Errorf("--pods: %q is no rising list of numbers", pods)
		}
		o.pods = append(o.pods, n)
	}
	if o.forestall == "" {
		return o, errors.New("--forestall is missing: name the command that is measured")
	}
	path, err := filepath.Abs(o.forestall)
	o.forestall = path
	return o, err
}

func run(ctx context.Context) error {
	o, err := parse()
	if err != nil {
		return err
	}
	log.SetLogger(logr.Discard())
	c, err := apiserver.Start(ctx, apiserver.Options{})
	if err != nil {
		return err
	}
	all, err := measure(ctx, c, o)
	if err := errors.Join(err, c.Stop()); err != nil {
		return err
	}
	text := page(o, all)
	if o.page == "" {
		_, err = os.Stdout.WriteString(text)
		return err
	}
	return os.WriteFile(o.page, []byte(text), 0o600)
}

// measure creates ever more pods, and audits the cluster with each number.
func measure(ctx context.Context, c *apiserver.Cluster, o options) ([]result, error) {
	m := newMaker(c, o)
	began := time.Now()
	if err := m.around(ctx); err != nil {
		return nil, err
	}
	var all []result
	for _, pods := range o.pods {
		if err := m.upTo(ctx, pods); err != nil {
			return nil, err
		}
		fmt.Fprintf(os.Stderr, "%d pods are there after %s\n", pods, time.Since(began).Round(time.Second))
		r, err := audited(ctx, c, o.forestall, pods)
		if err != nil {
			return nil, err
		}
		if err := m.expect(pods, r); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// page is what is measured, for the docs.
func page(o options, all []result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Audits of a large cluster\n\n`make scale` writes this page. It creates %d nodes and %d workloads (Deployments, StatefulSets, DaemonSets and CronJobs, with "+
		"the ReplicaSets and Jobs\nbetween) with their pods as objects in a real API server, and audits them all: `forestall audit --cluster -o json`. There are etcd and an API "+
		"server alone: controllers would evict\nthe pods. Pods have two containers and what Kubernetes adds to them; one in fifty restarts again and again, and has an event. One workload in twenty has a mistake, "+
		"and\none in twenty a container that was injected into its pods alone.\n\n", o.nodes, o.workloads)
	fmt.Fprintf(&b, "%s/%s, %d processors, which etcd, the API server and the audit share; Kubernetes %s. The fastest of %d runs; calls and bytes are counted by a proxy in\nanother run. "+
		"Bytes are those of answers as they come over the wire, compressed.\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), all[0].version, runs)
	b.WriteString("| pods | objects judged | findings | seconds | CPU seconds | peak memory, MiB | API calls | answers, MiB |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range all {
		fmt.Fprintf(&b, "| %d | %d | %d | %.1f | %.1f | %d | %d | %.1f |\n", r.pods, r.judged, r.findings,
			r.wall.Seconds(), r.cpu.Seconds(), r.peak>>20, r.calls, float64(r.bytes)/(1<<20))
	}
	b.WriteString("\nWhat an audit does once, such as compiling the rules, is the same for all. Of a pod that is like the template of its workload nothing is kept but a count.\n")
	return b.String()
}
