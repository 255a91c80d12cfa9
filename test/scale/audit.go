package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	api "k8s.io/client-go/tools/clientcmd/api"

	"github.com/forestall/forestall/test/apiserver"
)

// runs is how often each audit runs; the fastest counts, for what else the machine does can only make it slower.
const runs = 3

// result is what one audit took, and what it came to.
type result struct {
	pods, judged, findings int
	wall, cpu              time.Duration
	peak                   int64 // bytes
	calls                  int
	bytes                  int64
	version                string
}

// audited audits the cluster a few times, and once through a proxy that counts.
func audited(ctx context.Context, c *apiserver.Cluster, forestall string, pods int) (result, error) {
	var best result
	for range runs {
		r, err := once(ctx, forestall, c.Kubeconfig)
		if err != nil {
			return best, err
		}
		peak := max(best.peak, r.peak)
		if best.wall == 0 || r.wall < best.wall {
			best = r
		}
		best.peak = peak // the worst counts
	}
	best.pods = max(best.pods, 0)
	if best.pods != pods {
		return best, fmt.Errorf("the audit has seen %d pods, and there are %d", best.pods, pods)
	}
	var err error
	best.calls, best.bytes, err = counted(ctx, c, forestall)
	return best, err
}

// once runs one audit.
func once(ctx context.Context, forestall, kubeconfig string) (result, error) {
	cmd := exec.CommandContext(ctx, forestall, "audit", "--cluster", "--no-config", "--fail-on", "none", "--kubeconfig", kubeconfig, "-o", "json")
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	began := time.Now()
	err := cmd.Run()
	r := result{wall: time.Since(began)}
	if err != nil {
		return r, fmt.Errorf("auditing: %w: %s", err, said.Bytes())
	}
	used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return r, errors.New("the system does not tell what a process has used")
	}
	r.cpu, r.peak = cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), used.Maxrss<<10
	var report struct {
		Summary struct {
			Judged   int
			Findings struct{ Deny, Warn, Audit int }
			Cluster  struct {
				Pods    int
				Version string
				Unread  []string
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		return r, fmt.Errorf("reading the report: %w", err)
	}
	s := &report.Summary
	if len(s.Cluster.Unread) > 0 {
		return r, fmt.Errorf("the audit could not read %q", s.Cluster.Unread)
	}
	r.judged, r.findings = s.Judged, s.Findings.Deny+s.Findings.Warn+s.Findings.Audit
	r.pods, r.version = s.Cluster.Pods, s.Cluster.Version
	return r, nil
}

// counted audits through a proxy, and returns how many requests were sent and how many bytes came back.
func counted(ctx context.Context, c *apiserver.Cluster, forestall string) (calls int, size int64, err error) {
	to, _, err := rest.DefaultServerUrlFor(c.Config)
	if err != nil {
		return 0, 0, err
	}
	transport, err := rest.TransportFor(c.Config)
	if err != nil {
		return 0, 0, err
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.Transport = transport
	var requests, answered atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			http.Error(w, "an audit only reads", http.StatusMethodNotAllowed)
			return
		}
		requests.Add(1)
		proxy.ServeHTTP(counting{w, &answered}, r)
	}))
	defer server.Close()
	file, err := kubeconfigOf(server.URL)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(filepath.Dir(file))) }()
	_, err = once(ctx, forestall, file)
	return int(requests.Load()), answered.Load(), err
}

// counting counts the bytes of answers.
type counting struct {
	http.ResponseWriter
	bytes *atomic.Int64
}

func (c counting) Write(p []byte) (int, error) {
	c.bytes.Add(int64(len(p)))
	return c.ResponseWriter.Write(p)
}

func kubeconfigOf(address string) (string, error) {
	at, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	config := api.NewConfig()
	config.Clusters["proxy"] = &api.Cluster{Server: at.String()}
	config.AuthInfos["proxy"] = &api.AuthInfo{}
	config.Contexts["proxy"] = &api.Context{Cluster: "proxy", AuthInfo: "proxy"}
	config.CurrentContext = "proxy"
	dir, err := os.MkdirTemp("", "forestall-scale-")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "kubeconfig")
	return file, clientcmd.WriteToFile(*config, file)
}
