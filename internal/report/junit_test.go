package report

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	reader "github.com/joshdk/go-junit"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/finding"
)

// TestJUnitIsRead has a report read as a build server does, control characters and all.
func TestJUnitIsRead(t *testing.T) {
	for _, c := range []struct {
		name   string
		result audit.Result
		level  finding.Level
		none   bool
		want   reader.Totals
	}{
		{name: "deny", result: everything(), want: reader.Totals{Tests: 13, Passed: 5, Skipped: 1, Failed: 4, Error: 3}},
		{name: "warn", result: everything(), level: finding.Warn, want: reader.Totals{Tests: 13, Passed: 4, Skipped: 1, Failed: 5, Error: 3}},
		{name: "none", result: everything(), none: true, want: reader.Totals{Tests: 13, Passed: 9, Skipped: 1, Error: 3}},
		{name: "nothing", result: nothing(), want: reader.Totals{Tests: 1, Passed: 1}},
	} {
		o := someOptions()
		o.FailOn, o.FailNone = c.level, c.none
		suites, err := reader.Ingest(told(t, c.result, JUnit, o))
		if err != nil {
			t.Fatal(err)
		}
		var all reader.Suite
		all.Suites = suites
		all.Aggregate()
		if diff := cmp.Diff(c.want, all.Totals); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestJUnitNames says where the parts of a finding stand.
func TestJUnitNames(t *testing.T) {
	suites, err := reader.Ingest(told(t, everything(), JUnit, someOptions()))
	if err != nil {
		t.Fatal(err)
	}
	got := suites[0].Tests[0]
	var failure reader.Error
	if !errors.As(got.Error, &failure) {
		t.Fatalf("the first case has no failure: %+v", got)
	}
	want := []string{
		"deploy/web.yaml", "command-exits", "Deployment/shop/web, app", "CrashLoopBackOff, the script ends", "deny",
		"at: deploy/web.yaml:12 (spec.template.spec.containers[0].command)\nwhat: It restarts for ever.\nwhy: The last command is \"nginx\".\n" +
			"fix: Run nginx -g 'daemon off;'.\nabout: https://github.com/forestall/forestall/blob/main/docs/rules/command-exits.md\n",
	}
	if diff := cmp.Diff(want, []string{suites[0].Name, got.Name, got.Classname, failure.Message, failure.Type, failure.Body}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
