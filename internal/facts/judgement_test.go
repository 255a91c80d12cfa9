package facts_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/fact"
)

// judged is an object with something to judge in each subject.
const judged = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  progressDeadlineSeconds: 60
  template:
    spec:
      activeDeadlineSeconds: 90
      containers:
        - name: web
          image: web:1
          command: [java, -Xmx32m, -jar, web.jar]
          resources: {requests: {cpu: 2500m, memory: 64Mi}, limits: {memory: 128Mi}}
          livenessProbe: {tcpSocket: {port: 8080}, periodSeconds: 5, failureThreshold: 1}
          ports: [{containerPort: 8080}]
        - name: slow
          image: slow:1
          startupProbe: {tcpSocket: {port: 1}, periodSeconds: 10, failureThreshold: 60}
`

// states are those that a fact has in some container, pod or workload of the object.
func states(observed *facts.Facts, of facts.Subject, name string) string {
	var all []string
	for _, s := range []fact.State{fact.Present, fact.Absent, fact.Unknown} {
		if facts.ConditionOf([]facts.Judgement{{Of: of, Fact: name, State: s}}, nil).Holds(observed) {
			all = append(all, string(s))
		}
	}
	return strings.Join(all, " ")
}

// Every fact that a rule may judge is observed, under its name.
func TestStates(t *testing.T) {
	want := map[facts.Subject]map[string]string{
		facts.OfService:  {"selects": "", "targets": ""},                            // it is none
		facts.OfManifest: {"repeatedFields": "unknown", "unknownFields": "unknown"}, // an audit knows them
		facts.OfWorkload: {"outlastsDeadline": "present", "unserved": "absent"},
		facts.OfPod:      {"activeDeadline": "present"},
		facts.OfContainer: {
			"command.argv": "present absent", "command.detaches": "unknown", "command.ends": "unknown", "command.listens": "unknown",
			"completion.never": "absent", "cpu.request": "present absent", "gate": "absent", "image": "present", "image.invalid": "absent",
			"image.mutable": "absent", "image.neverPulled": "absent", "keepAlive": "absent unknown", "memory.demand": "present absent", "memory.demand.near": "absent",
			"memory.limit": "present absent", "memory.need": "absent", "memory.request": "present absent", "memory.unit": "absent",
			"ports": "present absent", "postStart": "absent", "probedPorts.listener": "unknown", "probedPorts.mentioned": "present absent",
			"probes.duringStart": "present absent", "probes.duringStart.once": "present absent",
			"probes.liveness": "present absent", "probes.liveness.fails": "unknown", "probes.liveness.target": "present unknown",
			"probes.readiness": "absent", "probes.readiness.fails": "unknown", "probes.readiness.target": "unknown",
			"probes.startup": "present absent", "probes.startup.fails": "unknown", "probes.startup.target": "present unknown",
			"restartAlways": "present", "slips.literal": "absent", "slips.unrunnable": "absent",
		},
	}
	observed := factsOf(view(t, judged), alone(), known(t))
	got := map[facts.Subject]map[string]string{}
	for _, of := range facts.Subjects() {
		got[of] = map[string]string{}
		for _, name := range facts.Names(of) {
			got[of][name] = states(&observed, of, name)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A number is compared with a parameter, both ends included.
func TestNumbers(t *testing.T) {
	want := map[facts.Subject]map[string]int64{
		facts.OfWorkload: {},
		facts.OfPod:      {"activeDeadline": 90},
		facts.OfContainer: {
			"cpu.request": 2, "memory.demand": 25, "memory.limit": 128 << 20, "memory.request": 64 << 20, "probes.duringStart": 5,
		},
	}
	observed := factsOf(view(t, judged), alone(), known(t))
	for _, of := range facts.Subjects() {
		if len(facts.Numbers(of)) != len(want[of]) {
			t.Errorf("%s: the facts with a number are %q", of, facts.Numbers(of))
		}
		for name, n := range want[of] {
			atLeast := facts.Judgement{Of: of, Fact: name, State: fact.Present, AtLeast: "p"}
			atMost := facts.Judgement{Of: of, Fact: name, State: fact.Present, AtMost: "p"}
			for _, tt := range []struct {
				judgement facts.Judgement
				param     int64
				want      bool
			}{
				{atLeast, n, true},
				{atLeast, n - 1, true},
				{atLeast, n + 1, false},
				{atMost, n, true},
				{atMost, n - 1, false},
				{atMost, n + 1, true},
			} {
				c := facts.ConditionOf([]facts.Judgement{tt.judgement}, map[string]int64{"p": tt.param})
				if got := c.Holds(&observed); got != tt.want {
					t.Errorf("%+v with %d: %t", tt.judgement, tt.param, got)
				}
			}
		}
	}
}

func TestConditionOf(t *testing.T) {
	observed := factsOf(view(t, judged), alone(), known(t))
	image := facts.Judgement{Of: facts.OfContainer, Fact: "image", State: fact.Present}
	limit := facts.Judgement{Of: facts.OfContainer, Fact: "memory.limit", State: fact.Present, AtLeast: "least", AtMost: "most"}
	for _, tt := range []struct {
		name   string
		judges []facts.Judgement
		params map[string]int64
		want   bool
	}{
		{"none", nil, nil, false},
		{"one of two", []facts.Judgement{{Of: facts.OfContainer, Fact: "gate", State: fact.Present}, image}, nil, true},
		{"a fact that is not there", []facts.Judgement{{Of: facts.OfContainer, Fact: "nothing", State: fact.Present}}, nil, false},
		{"a fact of somebody else", []facts.Judgement{{Of: facts.OfPod, Fact: "image", State: fact.Present}}, nil, false},
		{"a subject that is not there", []facts.Judgement{{Of: "node", Fact: "image", State: fact.Present}}, nil, false},
		{"between", []facts.Judgement{limit}, map[string]int64{"least": 1, "most": 1 << 30}, true},
		{"below", []facts.Judgement{limit}, map[string]int64{"least": 1 << 28, "most": 1 << 30}, false},
		{"a parameter that is not there", []facts.Judgement{limit}, map[string]int64{"least": 1}, false},
	} {
		if got := facts.ConditionOf(tt.judges, tt.params).Holds(&observed); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}
