package workload

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// tokenPod is a pod with a token volume and whatever else is given.
func tokenPod(token, more string) string {
	return `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web"},"spec":{"volumes":[{"name":"` + token + `"}],` +
		`"containers":[{"name":"web","volumeMounts":[{"name":"` + token + `"}],"volumeDevices":[{"name":"` + token + `"}]}]` + more + `}}`
}

const (
	tokenA = "kube-api-access-aaaaa"
	tokenB = "kube-api-access-bbbbb"
)

// TestContentCannotBeForged: nothing that an object says elsewhere passes for the token volume's name.
func TestContentCannotBeForged(t *testing.T) {
	for name, more := range map[string]string{
		"a variable":              `,"initContainers":[{"env":[{"name":"A","value":"%s"}]}]`,
		"a variable's name":       `,"initContainers":[{"env":[{"name":"%s"}]}]`,
		"a container":             `,"initContainers":[{"name":"%s"}]`,
		"a port":                  `,"initContainers":[{"ports":[{"name":"%s"}]}]`,
		"an argument":             `,"initContainers":[{"args":["%s"]}]`,
		"a mount's path":          `,"initContainers":[{"volumeMounts":[{"mountPath":"%s"}]}]`,
		"a claim":                 `,"volumes":[{"name":"a","persistentVolumeClaim":{"claimName":"%s"}}]`,
		"a node":                  `,"nodeSelector":{"a":"%s"}`,
		"a key":                   `,"nodeSelector":{"%s":"a"}`,
		"volumes elsewhere":       `,"securityContext":{"volumes":[{"name":"%s"}]}`,
		"containers elsewhere":    `,"overhead":{"containers":[{"volumeMounts":[{"name":"%s"}]}]}`,
		"an escaped variable":     `,"initContainers":[{"env":[{"name":"A","value":"kube\u002dapi-access-%s"}]}]`,
		"the container's own key": `,"initContainers":[{"env":[],"env":[{"name":"%s"}]}]`,
	} {
		t.Run(name, func(t *testing.T) {
			x := contentOf(t, tokenPod(tokenA, strings.Replace(more, "%s", tokenA, 1)))
			for _, other := range []string{tokenB, "kube-api-access-", `\u0000`, ""} {
				if y := contentOf(t, tokenPod(tokenB, strings.Replace(more, "%s", other, 1))); x == y {
					t.Errorf("%q passes for %q: %q", other, tokenA, x)
				}
			}
		})
	}
	for name, pair := range map[string][2]string{
		"a label": {
			`{"metadata":{"labels":{"a":"kube-api-access-aaaaa"}},"spec":{"volumes":[{"name":"kube-api-access-aaaaa"}]}}`,
			`{"metadata":{"labels":{"a":"kube-api-access-bbbbb"}},"spec":{"volumes":[{"name":"kube-api-access-bbbbb"}]}}`,
		},
		"a template, whose names somebody wrote": {
			`{"spec":{"template":{"spec":{"volumes":[{"name":"kube-api-access-aaaaa"}]}}}}`,
			`{"spec":{"template":{"spec":{"volumes":[{"name":"kube-api-access-bbbbb"}]}}}}`,
		},
		"two such volumes": {
			`{"spec":{"volumes":[{"name":"kube-api-access-aaaaa"},{"name":"kube-api-access-bbbbb"}]}}`,
			`{"spec":{"volumes":[{"name":"kube-api-access-aaaaa"},{"name":"kube-api-access-ccccc"}]}}`,
		},
		"two such volumes and one": {
			`{"spec":{"volumes":[{"name":"kube-api-access-aaaaa"},{"name":"kube-api-access-bbbbb"}]}}`,
			`{"spec":{"volumes":[{"name":"kube-api-access-aaaaa"},{"name":"kube-api-access-aaaaa"}]}}`,
		},
		"mounts crossed": {
			`{"spec":{"volumes":[{"name":"kube-api-access-aaaaa"},{"name":"kube-api-access-bbbbb"}],"containers":[{"volumeMounts":[{"name":"kube-api-access-aaaaa"}]}]}}`,
			`{"spec":{"volumes":[{"name":"kube-api-access-aaaaa"},{"name":"kube-api-access-bbbbb"}],"containers":[{"volumeMounts":[{"name":"kube-api-access-bbbbb"}]}]}}`,
		},
		"an escaped mount of another": {
			`{"spec":{"volumes":[{"name":"kube-api-access-aaaaa"}],"containers":[{"volumeMounts":[{"name":"kube\u002dapi-access-aaaaa"}]}]}}`,
			`{"spec":{"volumes":[{"name":"kube-api-access-bbbbb"}],"containers":[{"volumeMounts":[{"name":"kube\u002dapi-access-aaaaa"}]}]}}`,
		},
		"no suffix of the API server's": {
			`{"spec":{"volumes":[{"name":"kube-api-access-A/..."}]}}`, `{"spec":{"volumes":[{"name":"kube-api-access-aaaaa"}]}}`,
		},
		"a field with the name of a place": {
			`{"metadata":{"labels":{"a":"b"}}}`, `{"metadata":{},"metadata.labels":{"a":"b"}}`,
		},
		"a label outside of the metadata": {
			`{"metadata":{"labels":{"a":"b"}}}`, `{"metadata":{},"labels":{"a":"b"}}`,
		},
	} {
		if x, y := contentOf(t, pair[0]), contentOf(t, pair[1]); x == y {
			t.Errorf("%s: %s and %s have the same content: %q", name, pair[0], pair[1], x)
		}
	}
}

// TestContentFindsTheTokenVolume however it is written and wherever it stands.
func TestContentFindsTheTokenVolume(t *testing.T) {
	for name, pair := range map[string][2]string{
		"its suffix":        {tokenPod(tokenA, ``), tokenPod(tokenB, ``)},
		"mounts come first": {`{"spec":{"containers":[{"volumeMounts":[{"name":"` + tokenA + `"}]}],"volumes":[{"name":"` + tokenA + `"}]}}`, `{"spec":{"containers":[{"volumeMounts":[{"name":"` + tokenB + `"}]}],"volumes":[{"name":"` + tokenB + `"}]}}`},
		"escaped":           {`{"spec":{"volumes":[{"name":"kube\u002dapi-access-aaaaa"}]}}`, `{"spec":{"volumes":[{"name":"kube-api-access-bbbbb"}]}}`},
		"escaped keys":      {`{"sp\u0065c":{"volumes":[{"n\u0061me":"kube-api-access-aaaaa"}]}}`, `{"sp\u0065c":{"volumes":[{"n\u0061me":"kube-api-access-bbbbb"}]}}`},
	} {
		if x, y := contentOf(t, pair[0]), contentOf(t, pair[1]); x != y {
			t.Errorf("%s:\n%q\n%q", name, x, y)
		}
	}
}

// FuzzSameContent changes an object in some places: where the content stays the same, so does
// the View, but for names and that of the token volume.
func FuzzSameContent(f *testing.F) {
	for _, raw := range []string{
		replicated, tokenPod(tokenA, ``),
		tokenPod(tokenA, `,"initContainers":[{"name":"kube-api-access-aaaaa","env":[{"name":"A","value":"kube-api-access-aaaaa"}]}]`),
		tokenPod(tokenA, `,"volumes":[{"name":"b","name":"kube-api-access-aaaaa"},{"name":"kube-api-access-bbbbb"}],"containers":null`),
		`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","labels":{"a":"b"},"name":"c"},"metadata":null,"spec":{"volumes":[{"name":"kube\u002dapi-access-aaaaa"}]}}`,
		`{"kind":"Deployment","apiVersion":"apps/v1","spec":{"template":{"metadata":{"name":"a"},"spec":{"volumes":[{"name":"kube-api-access-aaaaa"}]}}}}`,
	} {
		for _, change := range [][2]string{{"aaaaa", "bbbbb"}, {"x2x7z", "bbbbb"}, {"name", "uid"}, {`"name":"a"`, ``}, {`kube-`, `kube\u002d`}, {tokenA, "kube-api-access-"}, {"spec", "status"}} {
			f.Add([]byte(raw), []byte(change[0]), []byte(change[1]), uint64(0xffffffff))
			f.Add([]byte(raw), []byte(change[0]), []byte(change[1]), uint64(5))
		}
	}
	f.Fuzz(func(t *testing.T, raw, from, to []byte, which uint64) {
		changed := replaceSome(raw, from, to, which)
		x, tokenX, err := readContent(raw)
		if err != nil {
			return
		}
		y, tokenY, err := readContent(changed)
		if err != nil || x != y {
			return
		}
		v, w := anonymous(raw, tokenX), anonymous(changed, tokenY)
		if v != nil && w != nil && !reflect.DeepEqual(v, w) {
			t.Errorf("%s\nand\n%s\nhave the content %q (-one +other):\n%s", raw, changed, x, cmp.Diff(v, w))
		}
	})
}

// replaceSome replaces those of the first 64 occurrences that have a bit in which.
func replaceSome(raw, from, to []byte, which uint64) []byte {
	if len(from) == 0 {
		return raw
	}
	parts := bytes.SplitN(raw, from, 64)
	var out []byte
	for i, part := range parts {
		out = append(out, part...)
		switch {
		case i == len(parts)-1:
		case which>>i&1 == 1:
			out = append(out, to...)
		default:
			out = append(out, from...)
		}
	}
	return out
}

func readContent(raw []byte) (text, token string, err error) {
	c := newContent(raw)
	if err := c.root(); err != nil {
		return "", "", err
	}
	var b bytes.Buffer
	err = c.write(&b)
	return b.String(), c.token, err
}

// anonymous is the View of an object without names and that of its token volume; nil where
// there is none.
func anonymous(raw []byte, token string) *View {
	v, err := Table{}.FromObject(raw)
	if err != nil {
		return nil
	}
	var forget []*string
	for i := range v.PodSpec.Volumes {
		forget = append(forget, &v.PodSpec.Volumes[i].Name)
	}
	for _, c := range v.Containers { // they share their mounts with those of the spec
		for i := range c.VolumeMounts {
			forget = append(forget, &c.VolumeMounts[i].Name)
		}
		for i := range c.VolumeDevices {
			forget = append(forget, &c.VolumeDevices[i].Name)
		}
	}
	for _, name := range forget {
		if *name == token {
			*name = ""
		}
	}
	v.Meta = nameless(v.Meta)
	if v.Kind == "Pod" {
		v.PodMeta = nameless(v.PodMeta)
	}
	return v
}

func nameless(m metav1.ObjectMeta) metav1.ObjectMeta {
	m.Name, m.GenerateName, m.UID, m.ResourceVersion = "", "", "", ""
	m.SelfLink = "" //nolint:staticcheck // deprecated, and read all the same
	m.Generation, m.CreationTimestamp, m.ManagedFields = 0, metav1.Time{}, nil
	return m
}
