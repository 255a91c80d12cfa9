package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// summed returns a result of these findings, with what they come to.
func summed(findings []finding.Finding) audit.Result {
	r := audit.Result{Findings: findings}
	objects := map[finding.Object]bool{}
	for i := range findings {
		objects[findings[i].Object] = true
		if findings[i].Patched {
			r.Patched++
		} else {
			r.Summary.Findings.Count(findings[i].Level)
		}
	}
	r.Objects = len(objects)*3 + 5
	r.Judged = len(objects) * 3
	return r
}

// draw is a number below n that stays the same for the same text.
func draw(n int, text string) int {
	h := fnv.New32a()
	h.Write([]byte(text))
	return int(h.Sum32() % uint32(n)) //nolint:gosec // n is a small constant
}

// ofFiles is the audit of a folder.
func ofFiles(found []finding.Finding) audit.Result {
	r := summed(slices.Clone(found))
	r.Files = 121
	return r
}

// sample is the audit of a small cluster.
func sample(found []finding.Finding) audit.Result {
	namespaces := []string{"checkout", "payments", "search", "media", "platform"}
	all := slices.DeleteFunc(slices.Clone(found), ofFilesAlone)
	c := &audit.Cluster{
		Name: "sample", Context: "sample-admin", Server: "https://10.20.0.1:6443", Version: "v1.36.3", Pods: 412, Nodes: sampleNodes(9),
	}
	counts := map[string]*audit.RuleEvidence{}
	var order []string
	for i := range all {
		f := &all[i]
		f.Source = finding.Source{}
		f.Object.Namespace = namespaces[draw(len(namespaces), f.Object.Name)]
		f.Pods = 1 + draw(6, f.Object.Name+"pods")
		happens(f, i)
		if counts[f.Rule] == nil {
			counts[f.Rule] = &audit.RuleEvidence{Rule: f.Rule}
			order = append(order, f.Rule)
		}
		counts[f.Rule].Findings++
		if f.Status == finding.Happening {
			counts[f.Rule].Happening++
		}
	}
	for _, rule := range order {
		c.Rules = append(c.Rules, *counts[rule])
	}
	r := summed(all)
	r.Cluster, r.Troubles = c, troubles()
	r.Summary.Troubles = len(r.Troubles)
	r.Ignored = []finding.Ignored{{Finding: all[0], IgnoreReason: "a batch tool that is started by hand"}}
	r.Summary.Ignored = 1
	return r
}

// ofFilesAlone reports whether there cannot be such a finding in a cluster: no API server stores what it is about.
func ofFilesAlone(f finding.Finding) bool {
	return slices.Contains([]string{"kind-not-served", "field-unknown", "field-repeated"}, f.Rule)
}

// happens says of some findings that the cluster reports them.
func happens(f *finding.Finding, i int) {
	f.Status = finding.Predicted
	word, _, _ := strings.Cut(strings.TrimSuffix(f.Failure, ","), " ")
	word = strings.TrimSuffix(word, ",")
	if f.Certainty != finding.Certain || f.Level != finding.Deny || i%2 == 0 || strings.ToLower(word[:1]) == word[:1] {
		return
	}
	f.Status = finding.Happening
	f.Evidence = []finding.Symptom{
		{Kind: finding.Waiting, Container: f.Container, Reason: word, Count: 3 + i, Pods: f.Pods, Last: made().Add(-time.Duration(i) * time.Minute)},
		{Kind: finding.Restarts, Container: f.Container, Count: 3 + i, Pods: f.Pods},
	}
}

// troubles are failures without a prediction.
func troubles() []finding.Trouble {
	one := func(namespace, name, reason, known, word, message string) finding.Trouble {
		return finding.Trouble{
			Object: finding.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: namespace, Name: name}, Container: name, Pods: 2,
			Reason: reason, Known: known,
			Evidence: []finding.Symptom{{Kind: finding.Waiting, Container: name, Reason: word, Message: message, Pods: 2, Count: 9, Last: made().Add(-time.Hour)}},
		}
	}
	return []finding.Trouble{
		one("search", "indexer", "ImagePullBackOff", "look at the tag, and at imagePullSecrets of the pod.",
			"ImagePullBackOff", `failed to pull "registry.example.com/search/indexer:1.9.0": not found`),
		one("media", "thumbnails", "Error, exit code 1", "the program ended by itself: its log says why (kubectl logs --previous).",
			"Error", "back-off 5m0s restarting failed container"),
	}
}

// sampleNodes are nodes, the first of which are in trouble.
func sampleNodes(n int) []audit.Node {
	var all []audit.Node
	for i := range n {
		node := audit.Node{
			Name: fmt.Sprintf("worker-%02d", i+1), Ready: true, Pods: 38 + draw(20, fmt.Sprint(i)), Memory: 31 << 30,
			Limits: int64(12+draw(24, fmt.Sprint("limits", i))) << 30,
		}
		switch i {
		case 0:
			node.Ready, node.ReadySince, node.Flaps = false, made().Add(-17*time.Minute), 6
		case 1:
			node.Pressure, node.Limits, node.Unlimited = []string{"MemoryPressure"}, 74<<30, 5
		case 2:
			node.Limits, node.Unlimited = 46<<30, 1
		}
		all = append(all, node)
	}
	return all
}

// large repeats the findings until there are n, in a cluster of 500 nodes.
func large(found []finding.Finding, n int) audit.Result {
	var all []finding.Finding
	for i := range n {
		f := found[i%len(found)]
		f.Object.Namespace = fmt.Sprintf("team-%03d", draw(80, fmt.Sprint(i)))
		f.Object.Name = fmt.Sprintf("%s-%05d", f.Object.Name, i/3)
		f.Source = finding.Source{}
		f.Pods = 1 + i%7
		happens(&f, i)
		all = append(all, f)
	}
	r := summed(all)
	r.Troubles = troubles()
	r.Cluster = &audit.Cluster{Name: "large", Version: "v1.36.3", Pods: 20_000, Nodes: sampleNodes(500)}
	return r
}

// strange is text that would run, if a browser took it for markup or for a part of the page's script.
const strange = "</script><!--<script>document.documentElement.dataset.ran='1'</script><img src=x onerror=\"document.documentElement.dataset.ran='2'\">" +
	"<a href=\"javascript:void(document.documentElement.dataset.ran='3')\">x</a>\"'`${document.documentElement.dataset.ran='4'}\u2028\u202e"

// ofStrangers is the audit of manifests whose authors try to run something in the page.
func ofStrangers(f finding.Finding) audit.Result {
	f.Rule, f.Container, f.Path, f.Reason, f.What, f.Why, f.Fix, f.Failure = strange, strange, strange, strange, strange, strange, strange, strange
	f.Object = finding.Object{APIVersion: strange, Kind: strange, Namespace: strange, Name: strange}
	f.Source = finding.Source{File: strange, Line: 1}
	f.Status = finding.Happening
	f.Evidence = []finding.Symptom{{Kind: finding.Event, Container: strange, Reason: strange, Message: strange}}
	f.Merged = []finding.Identity{{Rule: strange, Field: strange}}
	f.Patch = []finding.Operation{{Op: "add", Path: strange, Value: strange}}
	r := summed([]finding.Finding{f})
	r.Ignored = []finding.Ignored{{Finding: f, IgnoreReason: strange}}
	r.Troubles = []finding.Trouble{{Object: f.Object, Container: strange, Reason: strange, Known: strange, Evidence: f.Evidence}}
	r.Warnings = []audit.Warning{{Source: f.Source, Message: strange}}
	r.Errors = []audit.Error{{Source: f.Source, Rule: strange, Err: errors.New(strange)}}
	r.Cluster = &audit.Cluster{
		Name: strange, Context: strange, Server: strange, Version: strange, Namespaces: []string{strange}, Selector: strange, As: strange, Unread: []string{strange},
		Rules: []audit.RuleEvidence{{Rule: strange, Findings: 1, Happening: 1}}, Nodes: []audit.Node{{Name: strange, Pressure: []string{strange}}},
	}
	return r
}

// unfinished is an audit that found nothing, and could not read everything.
func unfinished() audit.Result {
	return audit.Result{
		Summary: audit.Summary{Files: 2, Objects: 1, Judged: 1, Errors: 1},
		Errors:  []audit.Error{{Source: finding.Source{File: "shop/web.yaml", Line: 12}, Err: errors.New("reading YAML: found a tab where spaces must be")}},
	}
}
