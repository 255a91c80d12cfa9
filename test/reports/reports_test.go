// Package reports_test has a real API server take the reports that an audit writes for clusters.
package reports_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/report"
	"github.com/forestall/forestall/test/apiserver"
	"github.com/forestall/forestall/test/apiserver/apiservertest"
)

// object is a report as it is sent and stored, without what the API server adds.
type object map[string]any

// name of the object. kubectl puts what names no namespace into the current one.
func (o object) name() string {
	meta := o["metadata"].(map[string]any)
	namespace, _ := meta["namespace"].(string)
	if namespace == "" && !strings.HasPrefix(o["kind"].(string), "Cluster") {
		namespace = "default"
	}
	return fmt.Sprint(o["kind"], "/", namespace, "/", meta["name"])
}

// plain is the object with the labels alone of its metadata.
func (o object) plain() object {
	meta := o["metadata"].(map[string]any)
	o["metadata"] = map[string]any{"labels": meta["labels"]}
	return o
}

// TestReportsInACluster applies the reports by the definitions that clusters have installed, twice, and compares what is stored.
func TestReportsInACluster(t *testing.T) {
	cluster := apiservertest.Start(t)
	files, err := filepath.Glob("testdata/crds/*.yaml")
	if err != nil || len(files) != 4 {
		t.Fatalf("%d definitions: %v", len(files), err)
	}
	definitions := "--filename=" + strings.Join(files, ",")
	kubectl(t, cluster, nil, "apply", definitions)
	kubectl(t, cluster, nil, "wait", "--for=condition=Established", definitions)
	kubectl(t, cluster, nil, "create", "namespace", "shop")
	kubectl(t, cluster, nil, "create", "namespace", "pay")
	for format, kinds := range map[report.Format][]string{
		report.OpenReports:  {"reports.openreports.io", "clusterreports.openreports.io"},
		report.PolicyReport: {"policyreports.wgpolicyk8s.io", "clusterpolicyreports.wgpolicyk8s.io"},
	} {
		t.Run(string(format), func(t *testing.T) {
			var stream bytes.Buffer
			sink, err := report.Audit(&stream, format, report.Options{Now: time.Unix(1795000000, 0)})
			if err == nil {
				err = some().Tell(sink)
			}
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				kubectl(t, cluster, stream.Bytes(), "apply", "--validate=strict", "--filename=-")
			}
			want, got := map[string]object{}, map[string]object{}
			for text := range strings.SplitSeq(stream.String(), "\n---\n") {
				var o object
				if err := yaml.Unmarshal([]byte(text), &o); err != nil {
					t.Fatal(err)
				}
				want[o.name()] = o.plain()
			}
			for _, kind := range kinds {
				var list struct{ Items []object }
				if err := json.Unmarshal(kubectl(t, cluster, nil, "get", kind, "--all-namespaces", "--output=json"), &list); err != nil {
					t.Fatal(err)
				}
				for _, o := range list.Items {
					got[o.name()] = o.plain()
				}
			}
			if diff := cmp.Diff(want, got); diff != "" || len(got) < 6 {
				t.Errorf("%d reports are stored (-sent +stored):\n%s", len(got), diff)
			}
		})
	}
}

func kubectl(t *testing.T, c *apiserver.Cluster, in []byte, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := c.KubectlCommand(t.Context(), args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, errs.String())
	}
	return out.Bytes()
}

// some is a result with all that there is to tell, more of it than one object can hold, in texts that are long and hostile.
func some() *audit.Result {
	exit := int32(137)
	f := finding.Finding{
		Rule: "command-exits", Level: finding.Deny, Certainty: finding.Certain, Category: "command", Cause: "command", Container: "app",
		Path: "spec.template.spec.containers[0].command", Field: "spec.template.spec.containers[name=app].command",
		Reason: strings.Repeat("ü", 4000), What: strings.Repeat("\"", 5000), Why: strings.Repeat("\x00\n", 3000), Fix: strings.Repeat(": ", 4000),
		Evidence: []finding.Symptom{{Kind: finding.Terminated, Reason: "OOMKilled", ExitCode: &exit, Count: 12, Pods: 2}},
	}
	var r audit.Result
	for i := range 90 {
		f.Level, f.Patched = finding.Levels()[1+i%3], i%5 == 0
		f.Object = finding.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: []string{"shop", "pay", ""}[i%3], Name: fmt.Sprintf("web-%02d", i)}
		r.Findings = append(r.Findings, f)
	}
	f.Object.Namespace = "No Namespace/../x"
	r.Findings = append(r.Findings, f)
	r.Ignored = []finding.Ignored{{Finding: f, IgnoreReason: "known"}}
	r.Troubles = []finding.Trouble{{Object: f.Object, Reason: "ImagePullBackOff", Known: "It cannot be pulled."}}
	r.Warnings = []audit.Warning{{Source: finding.Source{File: "a.yaml", Line: 1}, Message: "it does not count"}}
	r.Errors = []audit.Error{{Source: finding.Source{File: "b.yaml"}, Err: errors.New("no end")}}
	r.Summary.Errors = 1
	return &r
}
