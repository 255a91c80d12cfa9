package workload

import (
	"bytes"
	"strings"
	"testing"
)

// replicated is the pod of a ReplicaSet as the API server sends it.
const replicated = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-5d4f8c7b9-x2x7z","generateName":"web-5d4f8c7b9-","namespace":"shop",` +
	`"uid":"1","creationTimestamp":"2026-01-02T03:04:05Z","labels":{"app":"web"},"ownerReferences":[{"uid":"9"}],"managedFields":[{"manager":"a"}]},` +
	`"spec":{"volumes":[{"name":"kube-api-access-x2x7z","projected":{}}],"containers":[{"name":"web","image":"web:1",` +
	`"volumeMounts":[{"name":"kube-api-access-x2x7z"}]}]},"status":{"phase":"Pending"}}`

func contentOf(t *testing.T, raw string) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteContent(&b, []byte(raw)); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return b.String()
}

func TestWriteContent(t *testing.T) {
	want := `{,"kind":"Pod","apiVersion":"v1","metadata":{,"namespace":"shop","labels":{"app":"web"},"ownerReferences":[{"uid":"9"}]},` +
		`"spec":{"volumes":[{"name":` + "\x00" + `,"projected":{}}],"containers":[{"name":"web","image":"web:1",` +
		`"volumeMounts":[{"name":` + "\x00" + `}]}]}}`
	if got := contentOf(t, replicated); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestContentTellsApart what is another workload, and nothing else.
func TestContentTellsApart(t *testing.T) {
	base := contentOf(t, replicated)
	for from, to := range map[string]string{
		`"name":"web-5d4f8c7b9-x2x7z"`: `"name":"web-5d4f8c7b9-00000"`,
		`"uid":"1"`:                    `"uid":"2"`,
		`2026`:                         `2027`,
		`"manager":"a"`:                `"manager":"b"`,
		`Pending`:                      `Running`,
		`kube-api-access-x2x7z`:        `kube-api-access-bbbbb`,
	} {
		if changed := strings.ReplaceAll(replicated, from, to); changed == replicated || contentOf(t, changed) != base {
			t.Errorf("%s and %s are not the same", from, to)
		}
	}
	for from, to := range map[string]string{
		`"Pod"`:        `"Job"`,
		`"shop"`:       `"shop2"`,
		`"app":"web"`:  `"app":"web2"`,
		`{"uid":"9"}`:  `{"uid":"8"}`,
		`"name":"web"`: `"name":"web2"`,
		`web:1`:        `web:2`,
		`"volumeMounts":[{"name":"kube-api-access-x2x7z"`: `"volumeMounts":[{"name":"kube-api-access-bbbbb"`,
		`kube-api-access-x2x7z`:                           `kube-api-access-x2x7zz`,
		`"name":"web","image":"web:1"`:                    `"name":"web\"","image":"web:1"`,
	} {
		if changed := strings.ReplaceAll(replicated, from, to); changed == replicated || contentOf(t, changed) == base {
			t.Errorf("%s and %s are the same", from, to)
		}
	}
}

func TestContentOfWhatCannotBeRead(t *testing.T) {
	for _, raw := range []string{``, `[]`, `{`, `{"a":}`, `{"a":1`, `{"metadata":{"labels"}}`, `nul`} {
		if err := WriteContent(&bytes.Buffer{}, []byte(raw)); err == nil {
			t.Errorf("%q has content", raw)
		}
	}
	if got := contentOf(t, ` { "metadata" : null, "spec" : "kube-api-access-x2x7z" } x`); got != `{,"metadata" : null,"spec" : "kube-api-access-x2x7z" }` {
		t.Errorf("got %s", got)
	}
}

// FuzzWriteContent: what is no object has no content, and a name is none of it.
func FuzzWriteContent(f *testing.F) {
	f.Add([]byte(replicated))
	f.Add([]byte(`{"spec":"kube-api-access-"}`))
	f.Add([]byte(`{"spec":"kube-api-access-\"\"\"\"\""}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var b, again bytes.Buffer
		err := WriteContent(&b, raw)
		if err == nil && !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
			t.Fatalf("%q has content", raw)
		}
		if err != nil {
			return
		}
		rest, _ := bytes.CutPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("{"))
		separator := ","
		if bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte("}")) {
			separator = ""
		}
		named := append([]byte(`{"status":{"a":1}`+separator), rest...)
		if err := WriteContent(&again, named); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Fatalf("with a status, %s says %s, not %s (%v)", named, again.Bytes(), b.Bytes(), err)
		}
	})
}
