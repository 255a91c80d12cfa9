package defaults

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/workload"
	"github.com/forestall/forestall/test/apiserver"
	"github.com/forestall/forestall/test/apiserver/apiservertest"
)

const rulesFolder = "../../policies/forestall/rules"

var unknownField = regexp.MustCompile(`unknown field "([^"]+)"`)

// TestUnknownFields holds what rule field-unknown says of its manifests against a real API server: which fields kubectl
// refuses, and that without strict validation they are dropped.
func TestUnknownFields(t *testing.T) {
	if testing.Short() {
		t.Skip("starts an API server")
	}
	cluster := apiservertest.Start(t)
	manifests, err := filepath.Glob(rulesFolder + "/field-unknown/testdata/fail-*.yaml")
	if err != nil || len(manifests) == 0 {
		t.Fatal(manifests, err)
	}
	for _, file := range append(manifests, written(t, manyUnknown)) {
		_, refused, exit := cluster.Kubectl(t.Context(), "apply", "-f", file)
		var want []string
		for _, match := range unknownField.FindAllStringSubmatch(refused, -1) {
			want = append(want, match[1])
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := unknownIn(t, text)
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" || exit == 0 || !strings.Contains(refused, "strict decoding error: ") {
			t.Errorf("%s: exit code %d\n%s\n-want +got:\n%s", file, exit, refused, diff)
		}
		stored, stderr, exit := cluster.Kubectl(t.Context(), "create", "--validate=false", "--dry-run=server", "-o", "yaml", "-f", file)
		if left := unknownIn(t, []byte(stored)); exit != 0 || len(left) > 0 {
			t.Errorf("%s without validation: exit code %d, %q is left\n%s", file, exit, left, stderr)
		}
	}
}

const manyUnknown = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, labls: {a: b}}
x-anchors: {}
spec:
  replica: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, creationTimestamp: null}
    spec:
      restartpolicy: Always
      containers:
      - {name: web, image: web, Image: web, resources: {limit: {memory: 1Gi}}, livenessprobe: {}, ports: [{containerPort: 80, containerport: 80}]}
      volumes: [{name: a, emptydir: {}}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessMode: ReadWriteOnce, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
status: {foo: 1}
`

// unknownIn lists the fields of a manifest that are reported as unknown.
func unknownIn(t *testing.T, text []byte) []string {
	t.Helper()
	raw, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	var meta metav1.TypeMeta
	if err := json.Unmarshal(raw, &meta); err != nil {
		t.Fatal(err)
	}
	kind := schema.FromAPIVersionAndKind(meta.APIVersion, meta.Kind)
	m, _ := facts.ReadManifest(facts.Written{Kind: kind, Raw: raw}, workload.WithoutTemplate(kind, metav1.ObjectMeta{}))
	var all []string
	for _, u := range m.UnknownFields.Fields {
		for _, name := range u.Names {
			all = append(all, strings.TrimPrefix(u.Object+"."+name, "."))
		}
	}
	return all
}

// TestRepeatedFields holds what rule field-repeated says against kubectl: the last value is sent, whatever is validated.
func TestRepeatedFields(t *testing.T) {
	if testing.Short() {
		t.Skip("starts an API server")
	}
	cluster := apiservertest.Start(t)
	folder := rulesFolder + "/field-repeated/testdata/"
	for _, args := range [][]string{{"create"}, {"apply"}, {"apply", "--server-side"}} {
		if got := environmentOf(t, cluster, append(args, "-f", folder+"fail-two-values.yaml")); got != "PORT=8080 " {
			t.Errorf("kubectl %q: the variables are %q", args, got)
		}
	}
	if got := environmentOf(t, cluster, []string{"create", "-f", written(t, twiceInJSON)}); got != "LAST=1 " {
		t.Errorf("of JSON the variables are %q", got)
	}
	_, stderr, exit := cluster.Kubectl(t.Context(), "create", "--dry-run=server", "-f", folder+"fail-same-value.yaml")
	if exit != 0 {
		t.Errorf("exit code %d\n%s", exit, stderr)
	}
}

const twiceInJSON = `{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"selector": {"matchLabels": {"a": "b"}},
 "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "c", "env": [{"name": "FIRST", "value": "1"}],
 "env": [{"name": "LAST", "value": "1"}]}]}}}}`

// environmentOf sends a Deployment and returns the variables of its container.
func environmentOf(t *testing.T, cluster *apiserver.Cluster, args []string) string {
	t.Helper()
	stdout, stderr, exit := cluster.Kubectl(t.Context(), append(args, "--dry-run=server", "-o", "json")...)
	var sent struct {
		Spec struct{ Template corev1.PodTemplateSpec }
	}
	if err := json.Unmarshal([]byte(stdout), &sent); err != nil || exit != 0 {
		t.Fatalf("kubectl %q: exit code %d, %v\n%s", args, exit, err, stderr)
	}
	var all strings.Builder
	for _, e := range sent.Spec.Template.Spec.Containers[0].Env {
		all.WriteString(e.Name + "=" + e.Value + " ")
	}
	return all.String()
}

func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "manifest.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
