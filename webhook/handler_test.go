package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"

	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/explain"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/patch"
	"github.com/forestall/forestall/internal/policy"
	"github.com/forestall/forestall/internal/review"
)

const create = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{` + uid +
	`,"kind":{"version":"v1","kind":"Pod"},"name":"web","namespace":"shop","operation":"CREATE","object":{}}}`

// What goes wrong inside is answered by the failure mode; /mutate never refuses.
func TestFailures(t *testing.T) {
	blocked := stub{review: func(ctx context.Context, _ review.Subject) (review.Decision, error) {
		<-ctx.Done()
		return review.Decision{Errors: []policy.RuleError{{Rule: "slow", Err: ctx.Err()}}}, nil
	}}
	panicking := stub{review: func(context.Context, review.Subject) (review.Decision, error) { panic("a bug") }}
	failing := stub{review: func(context.Context, review.Subject) (review.Decision, error) {
		return review.Decision{}, errors.New("no JSON")
	}}
	for _, test := range []struct {
		name     string
		reviewer stub
		want     string // the status without its message
		text     string
	}{
		{"deadline", blocked, `"reason":"Timeout","code":504},"auditAnnotations":{"decision":"timeout"}`, "no verdict before the deadline"},
		{"panic", panicking, `"reason":"InternalError","code":500},"auditAnnotations":{"decision":"panic"}`, "an internal error"},
		{"unreadable", failing, `"reason":"BadRequest","code":400},"auditAnnotations":{"decision":"error"}`, "the object could not be read"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const head = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"a-uid","allowed":`
				const status = `,"status":{"metadata":{},"status":"Failure","message":"forestall: `
				ignored := test.text + "; admitted without a review"
				unchanged := test.text + "; passed on unchanged"
				unannotated, _, _ := strings.Cut(test.want, `,"auditAnnotations"`)
				for _, c := range []struct {
					mode config.FailureMode
					path string
					want string
				}{
					{config.Ignore, ValidatePath, head + "true" + status + ignored + `",` + test.want + `,"warnings":["forestall: ` + ignored + `"]}}` + "\n"},
					{config.Fail, ValidatePath, head + "false" + status + test.text + `",` + test.want + "}}\n"},
					{config.Ignore, MutatePath, head + "true" + status + unchanged + `",` + unannotated + `,"warnings":["forestall: ` + unchanged + `"]}}` + "\n"},
					{config.Fail, MutatePath, head + "true" + status + unchanged + `",` + unannotated + `,"warnings":["forestall: ` + unchanged + `"]}}` + "\n"},
				} {
					w := post(newWebhook(t, Options{Admission: Always(Admission{Reviewer: test.reviewer, FailureMode: c.mode})}).at(c.path), c.path, create)
					if got := w.Body.String(); got != c.want {
						t.Errorf("%s %s: body\ngot  %s\nwant %s", c.mode, c.path, got, c.want)
					}
				}
			})
		})
	}
}

// The errors of rules never hide, and never hide the answers of other rules.
func TestRuleErrors(t *testing.T) {
	d := review.Decision{Errors: []policy.RuleError{
		{Rule: "a-rule", Err: errors.New("a\nreason")}, {Rule: "a-rule", Err: errors.New("another")}, {Rule: "b-rule", Err: errors.New("a reason")},
	}}
	const warnings = `"warnings":["forestall: rule a-rule could not answer","forestall: rule b-rule could not answer"]}}`
	validate := post(newWebhook(t, Options{Admission: Always(Admission{Reviewer: decides(d)})}).ValidateHandler(), ValidatePath, create).Body.String()
	if !strings.Contains(validate, `"auditAnnotations":{"decision":"warn"},`+warnings) {
		t.Errorf("/validate: body = %s", validate)
	}
	d.Errors = d.Errors[:2]
	also := decides(d)
	also.repair = func(context.Context, review.Decision) (review.Repaired, error) {
		return review.Repaired{Errors: []policy.RuleError{{Rule: "b-rule", Err: errors.New("a reason")}}}, nil
	}
	mutate := post(newWebhook(t, Options{Admission: Always(Admission{Reviewer: also})}).MutateHandler(), MutatePath, create).Body.String()
	// A withheld repair is a line in the log: the finding itself is told by /validate.
	if !strings.Contains(mutate, `"allowed":true,"warnings":["forestall: rule a-rule could not answer"]}}`) {
		t.Errorf("/mutate: body = %s", mutate)
	}
}

// The patch is what the API server takes, and the patched object is admitted.
func TestPatchedObjectIsAdmitted(t *testing.T) {
	r := realReviewer(t, review.Settings{Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "256Mi"}}})
	w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: r})})
	request := pod(t, "failing.pod.json")
	var answered admissionv1.AdmissionReview
	decodeInto(t, post(w.MutateHandler(), MutatePath, request.body(t)).Body.Bytes(), &answered)
	var ops []finding.Operation
	decodeInto(t, answered.Response.Patch, &ops)
	patched, err := patch.Apply([]byte(request.object), ops)
	if err != nil {
		t.Fatal(err)
	}
	request.object = string(patched)
	for path, want := range map[string]string{ValidatePath: `"allowed":true,"auditAnnotations":{"decision":"allow"}}`, MutatePath: `"allowed":true}`} {
		if got := post(w.at(path), path, request.body(t)).Body.String(); !strings.Contains(got, want) {
			t.Errorf("%s: body = %s, want %s in it", path, got, want)
		}
	}
}

// A field of a Kubernetes that is newer than our API types is neither lost nor in the way.
func TestPatchKeepsNewerFields(t *testing.T) {
	r := realReviewer(t, review.Settings{Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "256Mi"}}})
	w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: r})})
	const newer = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","newer":[1]},"spec":{"newer":{"a":1},"containers":[` +
		`{"image":"web:1","name":"web","newer":"x","resources":{%s"newer":true}}]}}`
	request := reviewed{resource: "pods", kind: "Pod", operation: "CREATE", object: fmt.Sprintf(newer, "")}
	var answered admissionv1.AdmissionReview
	decodeInto(t, post(w.MutateHandler(), MutatePath, request.body(t)).Body.Bytes(), &answered)
	var ops []finding.Operation
	decodeInto(t, answered.Response.Patch, &ops)
	patched, err := patch.Apply([]byte(request.object), ops)
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	decodeInto(t, patched, &got)
	decodeInto(t, fmt.Appendf(nil, newer, `"limits":{"memory":"256Mi"},`), &want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// owners notes what it is told.
type owners struct{ told []string }

func (o *owners) Tell(owner review.Owner, object finding.Object, findings []finding.Finding) {
	o.told = append(o.told, fmt.Sprintf("%s %s of %s %s: %s", object.Kind, object.Name, owner.Kind, owner.Name, findings[0].Rule))
}

// TestFailureModeOfRules: under fail, an object about which a rule at level deny said nothing is refused, on
// /validate alone.
func TestFailureModeOfRules(t *testing.T) {
	broken := func(l finding.Level) review.Decision {
		return review.Decision{Errors: []policy.RuleError{{Rule: "a-rule", Level: l, Err: errors.New("panic: a bug")}}}
	}
	denied := broken(finding.Deny)
	denied.Findings = []finding.Finding{{Rule: "b-rule", Level: finding.Deny}}
	for _, test := range []struct {
		name     string
		mode     config.FailureMode
		path     string
		decision review.Decision
		allowed  bool
		message  string
	}{
		{"fail", config.Fail, ValidatePath, broken(finding.Deny), false, "forestall: rule a-rule could not answer, and the failure mode is fail"},
		{"fail, a rule that only warns", config.Fail, ValidatePath, broken(finding.Warn), true, ""},
		{"ignore", config.Ignore, ValidatePath, broken(finding.Deny), true, ""},
		{"fail, on /mutate", config.Fail, MutatePath, broken(finding.Deny), true, ""},
		{"a denial says more", config.Fail, ValidatePath, denied, false, explain.Denial(denied)},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: decides(test.decision), FailureMode: test.mode})})
			var review admissionv1.AdmissionReview
			raw := post(w.at(test.path), test.path, pod(t, "healthy.pod.json").body(t)).Body.Bytes()
			if err := json.Unmarshal(raw, &review); err != nil || review.Response == nil {
				t.Fatalf("%v: %s", err, raw)
			}
			got, message := review.Response, ""
			if got.Result != nil {
				message = got.Result.Message
			}
			if got.Allowed != test.allowed || message != test.message {
				t.Errorf("allowed: %t, %q; want %t, %q", got.Allowed, message, test.allowed, test.message)
			}
		})
	}
}

// Owners are told once of what is really created.
func TestOwnersAreTold(t *testing.T) {
	const ownedPod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-x","ownerReferences":[` +
		`{"apiVersion":"apps/v1","kind":"%s","name":"web","uid":"1","controller":true}]},"spec":{"containers":[%s]}}`
	const faulty, sound = `{"name":"web","image":"web:1"}`, `{"name":"web","image":"web:1","resources":{"limits":{"memory":"64Mi"}}}`
	for _, test := range []struct {
		name, path, owner, container, operation string
		dryRun                                  bool
		user                                    string
		want                                    []string
	}{
		{name: "created", path: ValidatePath, owner: "ReplicaSet", container: faulty, operation: "CREATE", want: []string{"Pod web-x of ReplicaSet web: memory-limit-missing"}},
		{name: "by a person", path: ValidatePath, owner: "ReplicaSet", container: faulty, operation: "CREATE", user: "jane"},
		{name: "only tried", path: ValidatePath, owner: "ReplicaSet", container: faulty, operation: "CREATE", dryRun: true},
		{name: "changed", path: ValidatePath, owner: "ReplicaSet", container: faulty, operation: "UPDATE"},
		{name: "asked before", path: MutatePath, owner: "ReplicaSet", container: faulty, operation: "CREATE"},
		{name: "sound", path: ValidatePath, owner: "ReplicaSet", container: sound, operation: "CREATE"},
		{name: "of an unknown kind", path: ValidatePath, owner: "Robot", container: faulty, operation: "CREATE"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := &owners{}
			w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: realReviewer(t, review.Settings{})}), Owners: o})
			request := reviewed{
				resource: "pods", kind: "Pod", operation: test.operation, dryRun: test.dryRun,
				user:   test.user,
				object: fmt.Sprintf(ownedPod, test.owner, test.container),
			}
			if request.user == "" {
				request.user = "system:kube-controller-manager"
			}
			if test.operation == "UPDATE" {
				request.oldObject = strings.Replace(request.object, "web:1", "web:0", 1)
			}
			post(w.at(test.path), test.path, request.body(t))
			if diff := cmp.Diff(test.want, o.told); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	for _, test := range []struct {
		name    string
		options Options
		want    string
	}{
		{"no Admission", Options{}, "needs an Admission"},
		{"negative timeout", Options{Admission: Always(Admission{Reviewer: stub{}}), Timeout: -1}, "must not be negative"},
		{"negative concurrency", Options{Admission: Always(Admission{Reviewer: stub{}}), MaxConcurrent: -1}, "must not be negative"},
	} {
		if _, err := New(test.options); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: New() = %v, want an error with %q", test.name, err, test.want)
		}
	}
	w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: stub{}})})
	if got, want := len(w.slots.all), 4*runtime.GOMAXPROCS(0); got != want {
		t.Errorf("%d reviews at once by default, want %d", got, want)
	}
}

func decodeInto(t *testing.T, raw []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("decoding %s: %v", raw, err)
	}
}
