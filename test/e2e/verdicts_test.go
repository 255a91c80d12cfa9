package e2e_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/explain"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// verdictsAreThoseOfTheAudit creates every fixture of every rule and holds what the
// API server says against what the audit of the same file says, word for word.
func verdictsAreThoseOfTheAudit(a *api) {
	files, err := filepath.Glob(filepath.Join("..", "..", "policies", "forestall", "rules", "*", "testdata", "*.yaml"))
	if err != nil || len(files) == 0 {
		a.t.Fatal(files, err)
	}
	for i, file := range files {
		if slices.Contains(ofFiles(), filepath.Base(filepath.Dir(filepath.Dir(file)))) || slices.Contains(readOtherwise(), filepath.Base(file)) {
			continue
		}
		if base := filepath.Base(file); (strings.HasPrefix(base, "fail-") || strings.HasPrefix(base, "pass-")) && !strings.HasSuffix(base, ".patched.yaml") {
			a.compare(file, fmt.Sprintf("fixture-%d", i))
		}
	}
}

// ofFiles are the rules about what never comes in a request: the API server refuses it, or drops it, before it asks
// a webhook (TestUnserved here, TestUnknownFields and TestRepeatedFields of test/defaults).
func ofFiles() []string { return []string{unserved, "field-repeated", "field-unknown"} }

// readOtherwise are the files that an audit reads otherwise than a request: one with an amount which the API server
// writes in its own way before it asks a webhook (0.5 as 500m), and one that it refuses by itself before that.
func readOtherwise() []string { return []string{"fail-fraction.yaml", "fail-refused-name.yaml"} }

func (a *api) compare(file, namespace string) {
	a.t.Helper()
	set, err := audit.Load(a.t.Context(), audit.Options{Paths: []string{file}})
	if err != nil {
		a.t.Fatal(err)
	}
	objects, failed, err := set.All(a.t.Context())
	if err != nil || len(failed) > 0 {
		a.t.Fatal(err, failed)
	}
	reviewer, err := builtin.Reviewer(a.t.Context(), review.Settings{}, set.Cluster())
	if err != nil {
		a.t.Fatal(err)
	}
	a.namespace(namespace, nil)
	for _, o := range objects {
		d, err := reviewer.Review(a.t.Context(), o.Subject)
		if err != nil {
			a.t.Fatal(err)
		}
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(o.Subject.Object); err != nil {
			a.t.Fatal(err)
		}
		object.SetNamespace(namespace)
		a.eventually(func() error { return a.sameVerdict(object.DeepCopy(), d, o.Place("")) })
	}
}

// sameVerdict creates the object and compares message, causes and warnings. What is
// judged is only tried, so that it can be tried again; the rest is its surroundings, as are
// Services: the webhook knows them, and is not asked about them.
func (a *api) sameVerdict(object *unstructured.Unstructured, d review.Decision, at finding.Source) error {
	var opts []client.CreateOption
	if d.Skipped == "" && object.GetKind() != "Service" {
		opts = append(opts, client.DryRunAll)
	}
	got := a.create(object, opts...)
	message := ""
	if d.Denied() {
		message = denied + explain.Denial(d)
	}
	switch {
	case got.message() != message:
		return fmt.Errorf("%s: the API server says\n%s\nthe audit says\n%s", at, got.message(), message)
	case !slices.Equal(ours(got.warnings), explain.Warnings(d)):
		return fmt.Errorf("%s: the API server warns %q, the audit %q", at, got.warnings, explain.Warnings(d))
	case !slices.Equal(causes(got), causesOf(d)):
		return fmt.Errorf("%s: the API server keeps the causes %v, the audit has %v", at, causes(got), causesOf(d))
	}
	return nil
}

// ours are the warnings of forestall; the API server has some of its own.
func ours(warnings []string) []string {
	return slices.DeleteFunc(slices.Clone(warnings), func(w string) bool { return !strings.HasPrefix(w, "forestall: ") })
}

func causes(r answer) []metav1.StatusCause {
	status, ok := r.err.(apierrors.APIStatus)
	if !ok || status.Status().Details == nil {
		return nil
	}
	return status.Status().Details.Causes
}

func causesOf(d review.Decision) []metav1.StatusCause {
	var causes []metav1.StatusCause
	for _, f := range d.At(finding.Deny) {
		causes = append(causes, metav1.StatusCause{Type: metav1.CauseType(f.Rule), Message: explain.Reason(f), Field: f.Path})
	}
	return causes
}
