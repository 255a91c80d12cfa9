package html

import (
	"bufio"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/terminal"
)

// maxAside bounds the rows of each table beside the findings, so that they do not become the page.
const maxAside = 1000

// page is what the template shows.
type page struct {
	assets
	Data template.JS

	Title   string
	Verdict []string
	// Unfinished says why the audit does not tell all; empty where it does.
	Unfinished []string
	Made       time.Time
	Version    string
	About      []fact
	Tiles      []tile

	ByRule, ByNamespace *chart
	Confirmed           confirmations
	Nodes               *nodes

	Plain     plain
	Ignored   aside[finding.Ignored]
	Warnings  aside[audit.Warning]
	Errors    aside[failure]
	NotJudged []audit.NotJudged
	Cluster   *audit.Cluster
	Summary   audit.Summary
}

// fact is a line of what was audited.
type fact struct{ Name, Value string }

// failure is something that could not be read or judged.
type failure struct {
	Source        finding.Source
	Rule, Message string
}

// aside is a table beside the findings.
type aside[T any] struct {
	Rows []T
	// More is how many are left out.
	More int
}

func asideOf[T any](all []T) aside[T] {
	if len(all) > maxAside {
		return aside[T]{Rows: all[:maxAside], More: len(all) - maxAside}
	}
	return aside[T]{Rows: all}
}

// Count is how many there are.
func (a aside[T]) Count() int { return len(a.Rows) + a.More }

func write(w io.Writer, r *audit.Result, o Options) error {
	fixed, err := loadAssets()
	if err != nil {
		return err
	}
	all, err := encode(r, o.Rules)
	if err != nil {
		return err
	}
	t, err := template.New("page.html").Funcs(functions()).ParseFS(files, "page/*.html")
	if err != nil {
		return err
	}
	c := counted(r)
	p := page{
		assets: fixed, Data: all,
		Title: title(r), Verdict: c.verdict(), Unfinished: unfinished(r), Made: o.Now.UTC(), Version: o.Version, About: about(r), Tiles: c.tiles(),
		ByRule: byRule(r), ByNamespace: byNamespace(r), Confirmed: confirmationsOf(r.Cluster), Nodes: nodesOf(r.Cluster),
		Plain: plainOf(r), Ignored: asideOf(r.Ignored), Warnings: asideOf(r.Warnings), Errors: asideOf(failures(r.Errors)),
		NotJudged: r.NotJudged, Cluster: r.Cluster, Summary: r.Summary,
	}
	out := bufio.NewWriterSize(w, 64<<10)
	if err := t.Execute(out, p); err != nil {
		return err
	}
	return out.Flush()
}

func failures(all []audit.Error) []failure {
	var told []failure
	for _, e := range all {
		told = append(told, failure{Source: e.Source, Rule: e.Rule, Message: e.Err.Error()})
	}
	return told
}

// functions are those of the templates. Text from outside goes through text, so that it cannot turn the direction of
// what stands around it.
func functions() template.FuncMap {
	return template.FuncMap{
		"text":   func(v any) string { return terminal.Printable(fmt.Sprint(v)) },
		"object": objectName,
		"count":  count,
		"number": number,
		"join":   strings.Join,
		"day":    func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") },
		"stamp":  func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	}
}

// objectName names an object, with its namespace where it has one, and a container of it.
func objectName(o finding.Object, container string) string {
	name := o.Kind + " "
	if o.Namespace != "" {
		name += o.Namespace + "/"
	}
	name += o.Name
	if container != "" {
		name += ", container " + container
	}
	return terminal.Printable(name)
}

func count(n int, what string) string { return verb(n, what, what+"s") }

// verb is a number with what is said of one, or of several.
func verb(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + several
}

// number is a number for people: 12,345.
func number(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", number(n/1000), n%1000)
}
