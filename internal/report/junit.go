package report

import (
	"bufio"
	"encoding/xml"
	"io"
	"strings"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// junit is a sink that writes the XML that build servers read test results from. A suite is a file, or a namespace of a cluster;
// a case is one finding about an object. One suite is kept until the next begins.
type junit struct {
	out   *bufio.Writer
	fails func(finding.Level) bool
	begun bool
	suite junitSuite
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	// Name is the rule, and ClassName the object.
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	File      string        `xml:"file,attr,omitempty"`
	Line      int           `xml:"line,attr,omitempty"`
	Failure   *junitProblem `xml:"failure"`
	Error     *junitProblem `xml:"error"`
	Skipped   *junitProblem `xml:"skipped"`
	Output    string        `xml:"system-out,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

func newJUnit(w io.Writer, o Options) *junit {
	return &junit{out: bufio.NewWriterSize(w, 32<<10), fails: o.fails}
}

// Found adds a case, which fails at the level of --fail-on or above.
func (j *junit) Found(f finding.Finding) error {
	c := caseOf(f)
	text := details(&f)
	switch {
	case f.Patched:
		c.Output = "patched: " + f.Reason + "\n" + text
	case j.fails(f.Level):
		c.Failure = &junitProblem{Message: f.Reason, Type: string(f.Level), Text: text}
	default:
		c.Output = string(f.Level) + ": " + f.Reason + "\n" + text
	}
	return j.add(suiteOf(f.Source, f.Object), c)
}

// FoundIgnored adds a case that was skipped.
func (j *junit) FoundIgnored(i finding.Ignored) error {
	c := caseOf(i.Finding)
	c.Skipped = &junitProblem{Message: "ignored: " + i.IgnoreReason}
	return j.add(suiteOf(i.Source, i.Object), c)
}

// FoundTrouble adds a case that passes, as in the exit code, and tells the trouble.
func (j *junit) FoundTrouble(t finding.Trouble) error {
	return j.add(suiteOf(finding.Source{}, t.Object), junitCase{
		Name: observedRule, ClassName: objectName(t.Object, t.Container), Output: strings.TrimSpace(t.Reason + "\n" + t.Known),
	})
}

// Warned adds a case that passes and tells the warning.
func (j *junit) Warned(w audit.Warning) error {
	return j.add(suiteOf(w.Source, finding.Object{}), junitCase{
		Name: warningRule, ClassName: w.Source.String(), File: w.Source.File, Line: w.Source.Line, Output: w.Message,
	})
}

// Failed adds a case that could not be carried out.
func (j *junit) Failed(e audit.Error) error {
	return j.add(suiteOf(e.Source, finding.Object{}), junitCase{
		Name: errorRule, ClassName: e.Source.String(), File: e.Source.File, Line: e.Source.Line,
		Error: &junitProblem{Message: e.Err.Error(), Type: errorRule},
	})
}

// Done adds a suite for the run itself: readers take a report without a case for a mistake.
func (j *junit) Done(s audit.Summary) error {
	if err := j.flush(); err != nil {
		return err
	}
	c := junitCase{Name: "everything was judged", ClassName: "forestall", Output: strings.Join(comesTo(s), "\n")}
	if s.Errors > 0 {
		c.Error = &junitProblem{Message: count(s.Errors, "error") + ": the audit is not whole", Type: errorRule}
	}
	if err := j.add("forestall", c); err != nil {
		return err
	}
	if err := j.flush(); err != nil {
		return err
	}
	_, _ = j.out.WriteString("</testsuites>\n") // an error comes back from Flush
	return wrapped(j.out.Flush())
}

func (j *junit) add(suite string, c junitCase) error {
	if suite != j.suite.Name {
		if err := j.flush(); err != nil {
			return err
		}
		j.suite.Name = suite
	}
	j.suite.Tests++
	j.suite.Cases = append(j.suite.Cases, c)
	switch {
	case c.Failure != nil:
		j.suite.Failures++
	case c.Error != nil:
		j.suite.Errors++
	case c.Skipped != nil:
		j.suite.Skipped++
	}
	return nil
}

// flush writes the suite that was kept.
func (j *junit) flush() error {
	if !j.begun {
		j.begun = true
		_, _ = j.out.WriteString(xml.Header + "<testsuites name=\"forestall\">\n")
	}
	if j.suite.Tests == 0 {
		return nil
	}
	e := xml.NewEncoder(j.out)
	e.Indent(indent, indent)
	if err := e.Encode(j.suite); err != nil {
		return wrapped(err)
	}
	j.suite = junitSuite{}
	_, err := j.out.WriteString("\n")
	return wrapped(err)
}

func suiteOf(s finding.Source, o finding.Object) string {
	if s.File != "" {
		return s.File
	}
	return "namespace " + orDash(o.Namespace)
}

func caseOf(f finding.Finding) junitCase {
	return junitCase{Name: f.Rule, ClassName: about(f), File: f.Source.File, Line: f.Source.Line}
}

// details are the texts of a finding, a line each, with what the cluster reports.
func details(f *finding.Finding) string {
	var b strings.Builder
	for _, part := range []struct{ name, text string }{
		{"at", pointsAt(f)}, {"what", f.What}, {"why", f.Why}, {"fix", f.Fix}, {"seen", seen(f)}, {"about", pageOf(f.Rule)},
	} {
		if part.text != "" {
			b.WriteString(part.name + ": " + part.text + "\n")
		}
	}
	return b.String()
}

// pointsAt is where a finding points.
func pointsAt(f *finding.Finding) string {
	if f.Source.File == "" {
		return f.Path
	}
	return f.Source.String() + " (" + f.Path + ")"
}
