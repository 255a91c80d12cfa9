package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/go-logr/logr"

	"github.com/forestall/forestall/internal/config"
	"github.com/forestall/forestall/internal/review"
)

// secret stands in the place of each field in turn.
const secret = "S3cr3tMarker"

// everything is a Pod with all that forestall looks at, and findings of many rules.
const everything = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop","creationTimestamp":"2026-01-02T03:04:05Z",
	"labels":{"app":"web"},"annotations":{"note":"8080"},"generation":1,"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r","uid":"u","controller":true}]},
	"spec":{"activeDeadlineSeconds":5,"restartPolicy":"OnFailure","nodeSelector":{"a":"b"},"volumes":[{"name":"v","emptyDir":{"medium":"Memory","sizeLimit":"1Gi"}}],
	"containers":[{"name":"web","image":"nginx:1.27","command":["java","-Xmx2g"],"args":["-jar","/app.jar"],"workingDir":"/","ports":[{"containerPort":8080,"name":"http"}],
	"env":[{"name":"JAVA_TOOL_OPTIONS","value":"-Xmx4g -Dpassword=x"},{"name":"PORT","value":"8080"},{"name":"PASSWORD","value":"x"},{"name":"L","valueFrom":{"resourceFieldRef":{"resource":"limits.memory","divisor":"1Mi"}}}],
	"resources":{"limits":{"memory":"128Mi","cpu":"1"},"requests":{"memory":"64Mi"}},"volumeMounts":[{"name":"v","mountPath":"/tmp"}],
	"livenessProbe":{"httpGet":{"path":"/","port":"q"},"periodSeconds":1},"readinessProbe":{"exec":{"command":["sh","-c","curl localhost:9"]}},
	"lifecycle":{"preStop":{"exec":{"command":["sh","-c","sleep 1"]}}}},
	{"name":"log","image":"busybox","command":["sh","-c","tail -f $LOG $PASSWORD"],"env":[{"name":"LOG","value":"/a"},{"name":"PASSWORD","value":"y"}]},
	{"name":"slip","image":"busybox","command":["sleep $(PASSWORD)"],"env":[{"name":"PASSWORD","value":"1"}]},
	{"name":"ends","image":"busybox","command":["echo","$(PASSWORD)"],"env":[{"name":"PASSWORD","value":"1"}]},
	{"name":"waits","image":"busybox","command":["sh","-c","server --password=$(PASSWORD) & tail -f $(PASSWORD)"],"env":[{"name":"PASSWORD","value":"1"}],"ports":[{"containerPort":1}]},
	{"name":"script","image":"busybox","command":["sh","-c"],"args":["$(SCRIPT)"],"env":[{"name":"SCRIPT","value":"sleep 5"}]},
	{"name":"listens","image":"busybox","command":["web","--port=$(PORT)","--listen","$(LISTEN)"],"ports":[{"containerPort":1}],"env":[{"name":"PORT","value":"80"},{"name":"LISTEN","value":":80"}],"readinessProbe":{"tcpSocket":{"port":9}}},
	{"name":"demands","image":"redis","command":["redis-server","--maxmemory","$(MAX)"],"env":[{"name":"MAX","value":"2gb"}],"resources":{"limits":{"memory":"1Mi"}}}]}}`

// leaves calls do once with each leaf of a document replaced, and its path.
func leaves(t *testing.T, document string, by any, do func(path, changed string)) {
	t.Helper()
	var root any
	if err := json.Unmarshal([]byte(document), &root); err != nil {
		t.Fatal(err)
	}
	var walk func(at any, path string, set func(any))
	walk = func(at any, path string, set func(any)) {
		switch v := at.(type) {
		case map[string]any:
			for key, item := range v {
				walk(item, path+"."+key, func(to any) { v[key] = to })
			}
		case []any:
			for i, item := range v {
				walk(item, fmt.Sprintf("%s[%d]", path, i), func(to any) { v[i] = to })
			}
		default:
			set(by)
			raw, err := json.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			do(path, string(raw))
			set(at)
		}
	}
	walk(root, "", func(any) {})
}

// TestSecretsAreNotTold: whatever stands in a field, and however wrong it is there, the log never
// tells it, and values of variables stand in no answer either. A denial may quote to the person who
// sent them commands and other fields.
func TestSecretsAreNotTold(t *testing.T) {
	var log bytes.Buffer
	limited := review.Settings{Params: map[string]map[string]any{"memory-limit-missing": {"defaultLimit": "256Mi"}}}
	w := newWebhook(t, Options{
		Admission: Always(Admission{Reviewer: realReviewer(t, limited), FailureMode: config.Fail}),
		Log:       logr.FromSlogHandler(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	said := 0
	for _, by := range []any{secret, "-Xmx64g -D" + secret, secret + ":8080", "sleep 1 " + secret, "echo " + secret, ":80 " + secret, []any{secret}, map[string]any{secret: secret}, json.Number("1" + strings.Repeat("0", 30) + "999777")} {
		marker := secret
		if _, ok := by.(json.Number); ok {
			marker = "999777"
		}
		leaves(t, everything, by, func(path, changed string) {
			for _, where := range []string{ValidatePath, MutatePath} {
				log.Reset()
				body := reviewed{resource: "pods", kind: "Pod", operation: "CREATE", object: changed}.body(t)
				answer := post(w.at(where), where, body).Body.String()
				if log.Len() == 0 {
					t.Errorf("%s: nothing is logged", path)
				}
				if strings.Contains(log.String(), marker) && !strings.HasSuffix(path, "metadata.name") {
					t.Errorf("%s %v: logged: %s", path, by, log.String())
				}
				if strings.Contains(answer, marker) {
					said++
					if strings.Contains(path, ".env[") && !strings.HasSuffix(path, ".name") {
						t.Errorf("%s %v: answered: %s", path, by, answer)
					}
				}
			}
		})
	}
	if said == 0 {
		t.Error("no denial quotes anything: the test proves nothing")
	}
}

// TestLinesAreShort: of a request as large as any, a line of the log and an error are short, and a
// terminal that shows them does nothing.
func TestLinesAreShort(t *testing.T) {
	var log bytes.Buffer
	w := newWebhook(t, Options{
		Admission: Always(Admission{Reviewer: realReviewer(t, review.Settings{})}),
		Log:       logr.FromSlogHandler(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	const begins = "\x1b]0;title\x07\u009b31m\u202e\n"
	huge := begins + strings.Repeat("a\x1b[2J", 40_000)
	largest := begins + strings.Repeat("a\x1b[2J", 600_000) // 5 MiB as JSON
	request := reviewed{resource: "pods", kind: "Pod", operation: "CREATE", object: everything}.body(t)
	bodies := map[string]string{"no JSON": huge, "no review": quoted(t, huge)}
	leaves(t, request, huge, func(path, changed string) {
		if !strings.HasPrefix(path, ".request.object.spec") { // of these there are enough above
			bodies[path] = changed
		}
	})
	for _, path := range []string{".request.uid", ".request.name", ".request.object.metadata.name"} {
		leaves(t, request, largest, func(at, changed string) {
			if at == path {
				bodies["largest "+path] = changed
			}
		})
	}
	for _, path := range []string{".metadata.name", ".metadata.namespace", ".spec.containers[0].resources.limits.memory", ".spec.containers[0].name", ".spec.volumes[0].name", ".kind"} {
		leaves(t, everything, huge, func(at, changed string) {
			if at == path {
				bodies["object"+path] = reviewed{resource: "pods", kind: "Pod", operation: "CREATE", object: changed}.body(t)
			}
		})
	}
	for name, body := range bodies {
		for _, where := range []string{ValidatePath, MutatePath} {
			log.Reset()
			r, recorder := newRequest(where, body)
			w.at(where).ServeHTTP(recorder, r)
			short(t, name, log.String())
			if recorder.Code != http.StatusOK {
				short(t, name+": error", recorder.Body.String())
			}
		}
	}
	for name, change := range map[string]func(*http.Request){
		"content type": func(r *http.Request) { r.Header.Set("Content-Type", huge) },
		"method":       func(r *http.Request) { r.Method = huge },
	} {
		log.Reset()
		r, recorder := newRequest(ValidatePath, request)
		change(r)
		w.ValidateHandler().ServeHTTP(recorder, r)
		short(t, name, log.String())
		short(t, name+": error", recorder.Body.String())
	}
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	raw, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// short holds that each line is short, and has nothing that a terminal acts on.
func short(t *testing.T, name, text string) {
	t.Helper()
	const most = 8 << 10
	for line := range strings.Lines(text) {
		if len(line) > most {
			t.Errorf("%s: a line of %d bytes: %.300s", name, len(line), line)
		}
		if strings.ContainsAny(line, "\x1b\x07\u009b\u202e") || strings.Contains(line, `\u001b`) {
			t.Errorf("%s: a terminal acts on %.300q", name, line)
		}
	}
}

// TestPanicsQuoteNothing: what a panic holds may come from the object.
func TestPanicsQuoteNothing(t *testing.T) {
	for name, value := range map[string]any{"text": secret, "error": fmt.Errorf("x %s", secret), "value": struct{ a string }{secret}} {
		var log bytes.Buffer
		w := newWebhook(t, Options{Admission: Always(Admission{Reviewer: panics(value)}), Log: logr.FromSlogHandler(slog.NewTextHandler(&log, nil))})
		answer := post(w.ValidateHandler(), ValidatePath, create)
		if strings.Contains(log.String(), secret) || strings.Contains(answer.Body.String(), secret) || !strings.Contains(log.String(), "panic: a ") {
			t.Errorf("%s: %s\n%s", name, log.String(), answer.Body.String())
		}
	}
}

// panics returns a Reviewer that panics.
func panics(value any) stub {
	return stub{review: func(context.Context, review.Subject) (review.Decision, error) { panic(value) }}
}
