package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/memory"
)

const volumePod = `
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
    - {name: small, image: "a:1", resources: {limits: {memory: 64Mi}}, volumeMounts: [{name: ram, mountPath: /a, readOnly: READONLY}]}
    - {name: large, image: "a:1", resources: {limits: {memory: LIMIT}}, volumeMounts: [{name: ram, mountPath: /a}]}
  volumes:
    - {name: disk, emptyDir: {sizeLimit: 9Gi}}
    - {name: ram, emptyDir: {medium: Memory, sizeLimit: 1Gi}}
`

// A volume in memory belongs to the container that may use most.
func TestVolumes(t *testing.T) {
	ask := []memory.Ask{{
		Kind: memory.Volume, Bytes: gibi, Text: `sizeLimit 1Gi of the volume "ram"`, Flag: "sizeLimit",
		Path: "spec.volumes[1].emptyDir.sizeLimit",
	}}
	for name, tt := range map[string]struct {
		readOnly, limit string
		want            [2][]memory.Ask
	}{
		"the largest limit":    {"false", "512Mi", [2][]memory.Ask{nil, ask}},
		"whichever it is":      {"false", "32Mi", [2][]memory.Ask{ask, nil}},
		"a reader writes none": {"true", "32Mi", [2][]memory.Ask{nil, ask}},
		"someone has no limit": {"false", `"0"`, [2][]memory.Ask{nil, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			f := factsOf(view(t, replace(volumePod, "READONLY", tt.readOnly, "LIMIT", tt.limit)), alone(), facts.Knowledge{})
			got := [2][]memory.Ask{f.Containers[0].Memory.Demand.Asks, f.Containers[1].Memory.Demand.Asks}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What is needed is compared with the limit; an ordinary limit is never small.
func TestNeed(t *testing.T) {
	for name, tt := range map[string]struct {
		container string
		want      int64
	}{
		"no limit":                {`command: [java, -version]`, 0},
		"an ordinary limit":       {"command: [java, -version]" + limit1G, 0},
		"any container":           {`resources: {limits: {memory: 5Mi}}`, 6 * mebi},
		"java":                    {"command: [java, -version]\n  resources: {limits: {memory: 16Mi}}", 20 * mebi},
		"node runs there":         {"command: [node, a.js]\n  resources: {limits: {memory: 16Mi}}", 0},
		"an image as it is":       {"image: docker.io/confluentinc/cp-kafka-connect:5.0.1" + limit1G, 2 * gibi},
		"with its variable":       {"image: confluentinc/cp-kafka-connect:5.0.1\n  env: [{name: KAFKA_HEAP_OPTS, value: x}]" + limit1G, 0},
		"with another command":    {"image: confluentinc/cp-kafka-connect:5.0.1\n  command: [x]" + limit1G, 0},
		"of the same name almost": {"image: example/my-cp-kafka-connect:5.0.1" + limit1G, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := factsOf(view(t, withoutImage(podOf(tt.container))), alone(), known(t))
			if got := f.Containers[0].Memory.Need.Bytes; got != tt.want {
				t.Errorf("need %d, want %d", got, tt.want)
			}
		})
	}
}
