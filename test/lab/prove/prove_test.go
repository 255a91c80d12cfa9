package prove

import (
	"errors"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/test/lab/proof"
)

func TestStandIn(t *testing.T) {
	container := func(image string, env ...any) map[string]any {
		c := map[string]any{"name": "c", "image": image}
		if len(env) > 0 {
			c["env"] = env
		}
		return c
	}
	object := func(containers ...any) map[string]any {
		return map[string]any{"kind": "Job", "spec": map[string]any{"template": map[string]any{"spec": map[string]any{
			"containers": containers, "initContainers": []any{container("web:1")},
		}}}}
	}
	ill := map[string]any{"name": "ILL", "value": "yes"}
	got := object(container("web:1", map[string]any{"name": "A", "value": "b"}), container("busybox:1.37"))
	standIn(got, map[string]proof.StandIn{"web:1": {Image: "lab/server:1", Env: map[string]string{"ILL": "yes"}}})
	want := object(container("lab/server:1", map[string]any{"name": "A", "value": "b"}, ill), container("busybox:1.37"))
	want["spec"].(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)["initContainers"] = []any{container("lab/server:1", ill)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestDeniedBy(t *testing.T) {
	denial := func(rules ...string) error {
		s := metav1.Status{Code: http.StatusForbidden, Details: &metav1.StatusDetails{}}
		for _, r := range rules {
			s.Details.Causes = append(s.Details.Causes, metav1.StatusCause{Type: metav1.CauseType(r)})
		}
		return &apierrors.StatusError{ErrStatus: s}
	}
	for _, tt := range []struct {
		name string
		err  error
		want bool
	}{
		{"by the rule", denial("other", "mine"), true},
		{"by another", denial("other"), false},
		{"by nobody", &apierrors.StatusError{}, false},
		{"no answer", errors.New("refused"), false},
	} {
		if got := deniedBy(tt.err, "mine"); got != tt.want {
			t.Errorf("%s: got %t", tt.name, got)
		}
	}
}

func TestRules(t *testing.T) {
	policies := filepath.Join("..", "..", "..", "policies")
	all, err := rules(t.Context(), policies, "")
	if err != nil || len(all) < 3 {
		t.Errorf("%d rules, %v", len(all), err)
	}
	one, err := rules(t.Context(), policies, "command-exits")
	if err != nil || len(one) != 1 || one[0].predicted != "CrashLoopBackOff" {
		t.Errorf("got %+v, %v", one, err)
	}
	if _, err := rules(t.Context(), policies, "no-such-rule"); err == nil {
		t.Error("an unknown rule was proved")
	}
}
