package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

const (
	// maxReport bounds the results of one object, as JSON. kubectl apply keeps a copy of the object in an annotation, and all
	// annotations of an object have 256 KiB (k8s.io/apimachinery/pkg/api/validation, TotalAnnotationSizeLimitB).
	maxReport = 220 << 10
	// maxReports bounds what waits for the rest of its namespace.
	maxReports = 32 << 20
	// maxMessage bounds one text of a result.
	maxMessage = 2 << 10
)

// reportAPI is an API that has reports.
type reportAPI struct {
	apiVersion, namespaced, clusterWide string
	// source is true where the report as a whole names its source.
	source bool
}

// openReports is the API of OpenReports (https://github.com/openreports/reports-api).
func openReports() reportAPI {
	return reportAPI{apiVersion: "openreports.io/v1alpha1", namespaced: "Report", clusterWide: "ClusterReport", source: true}
}

// policyReports is its predecessor (https://github.com/kubernetes-sigs/wg-policy-prototypes).
func policyReports() reportAPI {
	return reportAPI{apiVersion: "wgpolicyk8s.io/v1alpha2", namespaced: "PolicyReport", clusterWide: "ClusterPolicyReport"}
}

// reports is a sink that writes a stream of objects for kubectl apply: a report for each namespace, or several where one would
// be too large, and one of the whole run.
type reports struct {
	to      io.Writer
	api     reportAPI
	options Options
	// waiting are the results of each namespace that were not written yet, and size is the length of all.
	waiting map[string]*reportPart
	size    int
	// run holds what was found about no object.
	run     reportPart
	written int
	// most is how much may wait; 0 for maxReports.
	most int
}

// reportPart holds results as text, until they are written.
type reportPart struct {
	// number of the part within its namespace, from 0.
	number int
	// results as YAML, and how long they are as JSON.
	results bytes.Buffer
	size    int
	summary reportSummary
	// more were left out.
	more int
}

func newReports(w io.Writer, o Options, api reportAPI) *reports {
	return &reports{to: w, api: api, options: o, waiting: map[string]*reportPart{}}
}

// Found keeps a result.
func (r *reports) Found(f finding.Finding) error {
	result := r.result(f)
	if f.Patched {
		result.Result, result.Properties["patched"] = skipResult, "true"
	}
	return r.add(f.Object, result)
}

// FoundIgnored keeps a result that was skipped.
func (r *reports) FoundIgnored(i finding.Ignored) error {
	result := r.result(i.Finding)
	result.Result, result.Properties["ignored"] = skipResult, cutText(i.IgnoreReason)
	return r.add(i.Object, result)
}

// FoundTrouble keeps a warning of no rule.
func (r *reports) FoundTrouble(t finding.Trouble) error {
	f := finding.Finding{
		Rule: observedRule, Object: t.Object, Container: t.Container, Level: finding.Warn, Evidence: t.Evidence,
		Reason: strings.TrimSpace(t.Reason + "\n" + t.Known),
	}
	return r.add(t.Object, r.result(f))
}

// Warned keeps a warning about the input.
func (r *reports) Warned(w audit.Warning) error {
	return r.addToRun(reportResult{Policy: warningRule, Result: warnResult, Message: cutText(w.Source.String() + ": " + w.Message)})
}

// Failed keeps an error.
func (r *reports) Failed(e audit.Error) error {
	return r.addToRun(reportResult{Policy: errorRule, Result: errorResult, Message: cutText(e.Source.String() + ": " + e.Err.Error())})
}

// Done writes what waits, and the report of the run.
func (r *reports) Done(s audit.Summary) error {
	for _, namespace := range r.namespaces() {
		if err := r.write(namespace, r.waiting[namespace]); err != nil {
			return err
		}
	}
	result := reportResult{Policy: "everything-judged", Result: passResult, Message: line(s)}
	if s.Errors > 0 {
		result.Result = errorResult
	}
	if r.run.more > 0 {
		result.Message += fmt.Sprintf(" (%d of the warnings and errors are not listed)", r.run.more)
	}
	r.complete(&result)
	text, size, err := result.text()
	if err != nil {
		return wrapped(err)
	}
	r.run.add(result.Result, text, size)
	return r.document(r.api.clusterWide, "", &r.run)
}

func (r *reports) namespaces() []string {
	var all []string
	for name, part := range r.waiting {
		if part.results.Len() > 0 {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// add keeps a result about an object.
func (r *reports) add(o finding.Object, result reportResult) error {
	// What is no name of a namespace would make kubectl refuse the whole report.
	namespace := o.Namespace
	if len(validation.IsDNS1123Label(namespace)) > 0 {
		namespace = ""
	}
	part := r.waiting[namespace]
	if part == nil {
		part = &reportPart{}
		r.waiting[namespace] = part
	}
	r.complete(&result)
	text, size, err := result.text()
	if err != nil {
		return wrapped(err)
	}
	if part.size > 0 && part.size+size > maxReport {
		if err := r.write(namespace, part); err != nil {
			return err
		}
	}
	part.add(result.Result, text, size)
	r.size += len(text)
	return r.relieve()
}

// relieve writes the longest part when too much waits.
func (r *reports) relieve() error {
	most := r.most
	if most == 0 {
		most = maxReports
	}
	if r.size < most {
		return nil
	}
	all := r.namespaces()
	longest := slices.MaxFunc(all, func(a, b string) int { return r.waiting[a].results.Len() - r.waiting[b].results.Len() })
	return r.write(longest, r.waiting[longest])
}

// addToRun keeps a result about the run, as long as there is room.
func (r *reports) addToRun(result reportResult) error {
	r.complete(&result)
	text, size, err := result.text()
	if err != nil {
		return wrapped(err)
	}
	if r.run.size+size > maxReport {
		r.run.more++
		r.run.summary.count(result.Result)
		return nil
	}
	r.run.add(result.Result, text, size)
	return nil
}

// write writes a part of a namespace, and begins the next.
func (r *reports) write(namespace string, part *reportPart) error {
	r.size -= part.results.Len()
	err := r.document(r.api.namespaced, namespace, part)
	*part = reportPart{number: part.number + 1}
	return err
}

// document writes one object.
func (r *reports) document(kind, namespace string, part *reportPart) error {
	name := "forestall-audit"
	if part.number > 0 {
		name = fmt.Sprintf("forestall-audit-%d", part.number+1)
	}
	head := reportHead{APIVersion: r.api.apiVersion, Kind: kind, Summary: part.summary, Metadata: reportMeta{
		Name: name, Namespace: namespace, Labels: map[string]string{"app.kubernetes.io/managed-by": reportSource},
	}}
	if r.api.source {
		head.Source = reportSource
	}
	text, err := yaml.Marshal(head)
	if err != nil {
		return wrapped(err)
	}
	between := ""
	if r.written > 0 {
		between = "---\n"
	}
	r.written++
	_, err = io.WriteString(r.to, between+string(text)+"results:\n"+part.results.String())
	return wrapped(err)
}
