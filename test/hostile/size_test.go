package hostile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/webhook"
)

// TestLarge gives both ways in objects that are as large or as deep as they can be. What
// can be read is judged in whole: the container beside keeps its findings.
func TestLarge(t *testing.T) {
	w := newWebhook(t)
	for name, object := range largePods() {
		t.Run(name, func(t *testing.T) { // one after the other: each has all the time
			result := audited(t, []byte(object))
			asked := ask(t, w, reviewOf("Pod", []byte(object)))
			if len(result.Errors) > 0 || asked.outcome != webhook.OutcomeDeny {
				t.Fatalf("the webhook: %s %s; the audit: %v", asked.outcome, asked.message, result.Errors)
			}
			for _, want := range []string{
				"command-not-executable at spec.containers[0].command[0]", "image-reference-invalid at spec.containers[0].image",
			} {
				if !slices.Contains(asked.denied, want) || !slices.Contains(ofVictim(result.Findings), want) {
					t.Errorf("%s is missing; the webhook denies %d, the audit finds %d", want, len(asked.denied), len(result.Findings))
				}
			}
		})
	}
}

// largePods have the victim as their first container.
func largePods() map[string]string {
	const mebibytes = 6 << 20
	long := strings.Repeat("x", mebibytes)
	many := func(n int, item string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ","+item, i)
		}
		return b.String()[1:]
	}
	container := func(fields string) string {
		return podOf(`{"name":"large","image":"web:1"` + fields + `}`)
	}
	pods := map[string]string{
		"a long argument":      container(`,"command":["server","` + long + `"]`),
		"a long program":       container(`,"command":["` + long + `"]`),
		"a long variable":      container(`,"command":["server"],"env":[{"name":"A","value":"` + long + `"}]`),
		"a long image":         podOf(`{"name":"large","image":"` + strings.Repeat("a.", mebibytes/2) + `/b"}`),
		"a long port name":     container(`,"readinessProbe":{"httpGet":{"port":"` + long + `"}}`),
		"a long name":          podOf(`{"name":"` + long + `","image":"web:1"}`),
		"many arguments":       container(`,"command":["server",` + many(400_000, `"--a=%d"`) + `]`),
		"many variables":       container(`,"command":["server","$(A1)"],"env":[` + many(150_000, `{"name":"A%d","value":"$(A1)"}`) + `]`),
		"many ports":           container(`,"ports":[` + many(100_000, `{"containerPort":8080,"name":"p%d"}`) + `],"readinessProbe":{"tcpSocket":{"port":"p99999"}}`),
		"many mounts":          container(`,"volumeMounts":[` + many(100_000, `{"name":"a%d","mountPath":"/a"}`) + `]`),
		"a long script":        container(`,"command":["sh","-c","` + strings.Repeat("echo a | sed s/a/b/ && x=$(date)\\n", 200<<10/32) + `"]`),
		"a long dark script":   container(`,"command":["sh","-c","` + strings.Repeat("$(", 200<<10/2) + `"]`),
		"a script of a shell":  container(`,"command":["sh","-c","` + strings.Repeat("while true; do if a; then (b) & fi; done; ", 200<<10/42) + `"]`),
		"a deep unknown field": strings.Replace(container(``), `"spec"`, `"new":`+strings.Repeat(`{"a":`, 9_000)+`1`+strings.Repeat(`}`, 9_000)+`,"spec"`, 1),
		"a deep list":          strings.Replace(container(``), `"spec"`, `"new":`+strings.Repeat(`[`, 9_000)+strings.Repeat(`]`, 9_000)+`,"spec"`, 1),
		"annotations":          strings.Replace(container(``), `"metadata":{`, `"metadata":{"annotations":{`+many(200_000, `"a%d":"8080"`)+`},`, 1),
	}
	return pods
}

// podOf is a Pod with the victim and another container.
func podOf(other string) string {
	return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"large"},"spec":{"containers":[` +
		`{"name":"victim","image":"Shop/Victim","command":["sleep 1000"]},` + other + `]}}`
}

// TestManyContainers holds that no finding is lost among thousands: the webhook tells the first of each rule, and how
// many there are.
func TestManyContainers(t *testing.T) {
	const n = 2000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,{"name":"c%d","image":"Web%d","command":["sleep %d"],"ports":[{"containerPort":%d,"name":"p%d"}],`+
			`"readinessProbe":{"httpGet":{"port":"q%d"}},"livenessProbe":{"tcpSocket":{"port":%d}},"resources":{"limits":{"memory":"64Mi"}}}`,
			i, i, i+1000, 1000+i, i, i, 3000+i)
	}
	object := podOf(b.String()[1:])
	asked := ask(t, newWebhook(t), reviewOf("Pod", []byte(object)))
	result := audited(t, []byte(object))
	for _, rule := range []string{"image-reference-invalid", "command-not-executable", "probe-port-name-undefined"} {
		denied, found := 0, 0
		for _, cause := range asked.denied {
			if strings.HasPrefix(cause, rule+" at ") {
				denied++
			}
		}
		for _, f := range result.Findings {
			if f.Rule == rule && f.Container != victim {
				found++
			}
		}
		if found != n || denied < 10 {
			t.Errorf("%s: the audit finds %d of %d, the webhook names %d", rule, found, n, denied)
		}
	}
	all := 0
	for _, f := range result.Findings {
		if f.Level == finding.Deny {
			all++
		}
	}
	if headline, _, _ := strings.Cut(asked.message, "\n"); !strings.HasSuffix(headline, fmt.Sprintf("(%d problems)", all)) {
		t.Errorf("the audit finds %d problems, the webhook says %s", all, headline)
	}
	if len(asked.message) > 64<<10 {
		t.Errorf("the message has %d bytes", len(asked.message))
	}
}

// TestManyAlike holds the same for the other kinds of container: what is said of one may count the others, but
// not look at each of them again.
func TestManyAlike(t *testing.T) {
	t.Parallel()
	const n = 1000
	for rule, test := range map[string]struct{ list, fields string }{
		"command-never-ends":        {"initContainers", `"image":"web:1","command":["sleep","infinity"]`},
		"probe-port-name-undefined": {"initContainers", `"image":"web:1","restartPolicy":"Always","startupProbe":{"httpGet":{"port":"q"}}`},
		"probe-port-dead":           {"containers", `"image":"web:1","command":["sleep","infinity"],"readinessProbe":{"tcpSocket":{"port":8080}}`},
		"image-tag-mutable":         {"containers", `"image":"web"`},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, `,{"name":"c%d",%s}`, i, test.fields)
			}
			found := 0
			for _, f := range audited(t, []byte(`{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"a","image":"a:1"}],"`+test.list+`":[`+b.String()[1:]+`]}}`)).Findings {
				if f.Rule == rule {
					found++
				}
			}
			if found != n {
				t.Errorf("%d findings of %d", found, n)
			}
		})
	}
}

// TestDeepNesting gives objects that are nested deeper than anything reads, between two that can be
// read. Each is told, and hides nothing of the others.
func TestDeepNesting(t *testing.T) {
	t.Parallel()
	const depth = 200_000
	victims := podOf(`{"name":"web","image":"web:1"}`)
	nested := func(opening, closing string) string {
		return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"deep"},"new":` +
			strings.Repeat(opening, depth) + "1" + strings.Repeat(closing, depth) + `,"spec":{}}`
	}
	w := newWebhook(t)
	for name, deep := range map[string]string{
		"objects in JSON": nested(`{"a":`, `}`),
		"lists in JSON":   nested(`[`, `]`),
		"lists in YAML":   "apiVersion: v1\nkind: Pod\nnew: " + strings.Repeat("[", depth),
		"blocks in YAML":  "apiVersion: v1\nkind: Pod\nnew:\n" + strings.Repeat("- ", depth) + "a",
		"keys in YAML":    "apiVersion: v1\nkind: Pod\nnew:\n" + strings.Repeat("? ", depth) + "a",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if strings.HasSuffix(name, "JSON") {
				if got := post(t, w, webhook.ValidatePath, reviewOf("Pod", []byte(deep))); got.Code != 400 || !strings.HasPrefix(got.Body.String(), "forestall: decoding the AdmissionReview: ") {
					if asked := ask(t, w, reviewOf("Pod", []byte(deep))); asked.outcome != webhook.OutcomeError && asked.outcome != webhook.OutcomeMalformed {
						t.Errorf("outcome %s: %s", asked.outcome, asked.message)
					}
				}
			}
			result := audited(t, []byte(victims+"\n---\n"+deep+"\n---\n"+victims+"\n"))
			if len(result.Errors) != 1 || result.Judged != 2 {
				t.Errorf("%d are judged, errors: %v", result.Judged, result.Errors)
			}
		})
	}
}

// TestTruncatedReviews cuts a review off everywhere.
func TestTruncatedReviews(t *testing.T) {
	t.Parallel()
	w := newWebhook(t)
	body := reviewOf("Pod", []byte(podOf(`{"name":"web","image":"web:1"}`)))
	for end := range body {
		for path, message := range map[string]string{
			webhook.ValidatePath: `"message":"forestall: the admission request could not be read"`,
			webhook.MutatePath:   `"message":"forestall: the admission request could not be read; passed on unchanged"`,
		} {
			got := post(t, w, path, body[:end])
			refused := got.Code == 400 && strings.HasPrefix(got.Body.String(), "forestall: ")
			answered := got.Code == 200 && strings.Contains(got.Body.String(), message)
			if !refused && !answered {
				t.Errorf("%s: cut off after %q: %d %s", path, body[:end], got.Code, got.Body)
			}
		}
	}
}

// TestInvalidUTF8 holds that text which is none is told or judged, in every field.
func TestInvalidUTF8(t *testing.T) {
	t.Parallel()
	pod := strings.NewReplacer("victim", "vic\xfftim", "sleep", "sleep\xc3", `"Shop`, "\"Shop\xed\xa0\x80").Replace(podOf(`{"name":"web","image":"web:1"}`))
	asked := ask(t, newWebhook(t), reviewOf("Pod", []byte(pod)))
	if asked.outcome != webhook.OutcomeDeny || len(asked.denied) < 2 || !strings.Contains(strings.Join(asked.denied, " "), "image-reference-invalid") {
		t.Errorf("the webhook: %s, denied %q", asked.outcome, asked.denied)
	}
	result := audited(t, []byte(podOf(`{"name":"web","image":"web:1"}`)+"\n---\n"+pod+"\n"))
	if len(result.Errors) != 1 || result.Judged != 1 || len(ofVictim(result.Findings)) == 0 {
		t.Errorf("%d are judged, errors: %v", result.Judged, result.Errors)
	}
}
