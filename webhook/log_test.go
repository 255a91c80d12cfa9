package webhook

import (
	"bytes"
	"errors"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/go-logr/logr"

	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
)

// Lines for people who run forestall, and what is in them: never the object.
func TestLog(t *testing.T) {
	withLimit := review.Settings{Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "256Mi"}}}
	failing := pod(t, "failing.pod.json").body(t)
	const denied = `level=INFO msg=Reviewed uid=705ab4f5-6393-11e8-b7cc-42010a800002 path=/validate outcome=deny operation=CREATE ` +
		`kind=Pod namespace=shop name=web rules=[memory-limit-missing] duration=D` + "\n"
	const patched = `level=INFO msg=Reviewed uid=705ab4f5-6393-11e8-b7cc-42010a800002 path=/mutate outcome=patch operation=CREATE ` +
		`kind=Pod namespace=shop name=web rules=[memory-limit-missing] duration=D` + "\n"
	const allowed = `level=DEBUG msg=Reviewed uid=705ab4f5-6393-11e8-b7cc-42010a800002 path=/validate outcome=allow operation=CREATE ` +
		`kind=Pod namespace=shop name=web rules=[] duration=D` + "\n"
	ruleError := decides(review.Decision{Errors: []policy.RuleError{{Rule: "a-rule", Err: errors.New("a reason")}}})
	for _, test := range []struct {
		name     string
		level    slog.Level
		reviewer Reviewer
		path     string
		body     string
		want     string
	}{
		{"denied", slog.LevelInfo, realReviewer(t, review.Settings{}), ValidatePath, failing, denied},
		{"patched", slog.LevelInfo, realReviewer(t, withLimit), MutatePath, failing, patched},
		{"allowed", slog.LevelInfo, stub{}, ValidatePath, failing, ""},
		{"allowed, debug", slog.LevelDebug, stub{}, ValidatePath, failing, allowed},
		{
			"skipped, debug", slog.LevelDebug, realReviewer(t, review.Settings{}), ValidatePath, strings.Replace(create, `"operation"`, `"subResource":"status","operation"`, 1),
			`level=DEBUG msg=Reviewed uid=a-uid path=/validate outcome=skip operation=CREATE kind=Pod namespace=shop name=web rules=[] duration=D ` +
				`why="the subresource status changes no pod template"` + "\n",
		},
		{"not a review", slog.LevelInfo, stub{}, ValidatePath, "{}", ""},
		{"a rule failed", slog.LevelInfo, ruleError, ValidatePath, create, `level=ERROR msg="A rule failed" err="its report cannot be read (*errors.errorString)" rule=a-rule uid=a-uid path=/validate` + "\n"},
		{"unreadable", slog.LevelInfo, realReviewer(t, review.Settings{}), ValidatePath, create, `level=ERROR msg=Reviewed err="apiVersion or kind is missing" uid=a-uid path=/validate outcome=error operation=CREATE ` +
			`kind=Pod namespace=shop name=web rules=[] duration=D` + "\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b bytes.Buffer
			log := logr.FromSlogHandler(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: test.level, ReplaceAttr: withoutTime}))
			post(newWebhook(t, Options{Admission: Always(Admission{Reviewer: test.reviewer}), Log: log}).at(test.path), test.path, test.body)
			got := regexp.MustCompile(`duration=[^ \n]+`).ReplaceAllString(b.String(), "duration=D")
			if got != test.want {
				t.Errorf("log\ngot  %swant %s", got, test.want)
			}
		})
	}
}

func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}
