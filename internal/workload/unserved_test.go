package workload_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/workload"
)

// TestUnserved: what no API server serves is read as what is meant, unless a custom kind may have the name.
func TestUnserved(t *testing.T) {
	apps := func(kind, written, since string, selector bool) *workload.Unserved {
		return &workload.Unserved{Kind: written, Since: since, Write: metav1.TypeMeta{APIVersion: "apps/v1", Kind: kind}, NeedsSelector: selector}
	}
	cron := func(since string) *workload.Unserved {
		return &workload.Unserved{Kind: "CronJob", Since: since, Write: metav1.TypeMeta{APIVersion: "batch/v1", Kind: "CronJob"}}
	}
	const withSelector = `"selector":{"matchLabels":{"app":"a"}},`
	for _, tt := range []struct {
		apiVersion, kind, selector string
		want                       *workload.Unserved
	}{
		{"extensions/v1beta1", "Deployment", "", apps("Deployment", "Deployment", "1.16", true)},
		{"apps/v1beta2", "StatefulSet", withSelector, apps("StatefulSet", "StatefulSet", "1.16", false)},
		{"batch/v1beta1", "CronJob", "", cron("1.25")},
		{"batch/v2alpha1", "CronJob", "", cron("1.21")},
		{"apps/v1", "deployment", withSelector, apps("Deployment", "deployment", "", false)},
		{"v1", "ReplicaSet", withSelector, apps("ReplicaSet", "ReplicaSet", "", false)},
		{"apps/v1", "Pod", "", &workload.Unserved{Kind: "Pod", Write: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}}},
		{"apps/v1", "Deployment", "", nil},
		{"batch/v1", "CronJob", "", nil},
	} {
		v, err := workload.Table{}.FromObject(fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,"spec":{%s"replicas":1}}`, tt.apiVersion, tt.kind, tt.selector))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, v.Unserved); diff != "" || v.APIVersion != tt.apiVersion {
			t.Errorf("%s %s (-want +got):\n%s", tt.apiVersion, tt.kind, diff)
		}
	}
	for _, other := range []string{`"apiVersion":"example.com/v1","kind":"Deployment"`, `"apiVersion":"extensions/v1beta1","kind":"Ingress"`} {
		if _, err := (workload.Table{}).FromObject([]byte("{" + other + "}")); !errors.Is(err, workload.ErrNotJudged) {
			t.Errorf("%s: %v", other, err)
		}
	}
}
