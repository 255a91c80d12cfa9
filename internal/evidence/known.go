package evidence

import (
	"strings"

	"github.com/forestall/forestall/internal/finding"
)

// weight is how much a symptom says about the cause.
type weight int

const (
	none   weight = iota // says nothing: a Job may run for long
	follow               // follows from something else: CrashLoopBackOff, an event BackOff, restarts
	effect               // a failure of which the cause is in the container: exit code 1, a probe that fails
	cause                // names the cause: OOMKilled, an image that cannot be pulled
)

// known is what is known of a failure that a cluster reports.
type known struct {
	// reason of the API, and a part of the message and the exit code where they matter. Empty fits all.
	reason, message string
	exit            int32 // with code
	code            bool
	// family is what goes wrong; symptoms of one family have one cause.
	family string
	weight weight
	// text is what to know at three in the morning, and what to look at.
	text string
}

// rows are what is known of the symptoms of a kind, the more special first.
func rows(kind finding.SymptomKind) []known {
	switch kind {
	case finding.Terminated:
		return ends()
	case finding.Waiting:
		return waits()
	case finding.Event:
		return events()
	case finding.Condition:
		return conditions()
	case finding.Phase:
		return phases()
	case finding.Endpoints:
		return []known{
			{reason: noPorts, family: "service", weight: effect, text: "The target port of the Service is a name that no container of its pods declares. Compare the names: kubectl describe service, and ports in the pods."},
			{family: "service", weight: follow, text: "The Service selects pods, and the cluster counts none of them as ready. Look at them with its selector: kubectl get pods -l ..., then kubectl get endpointslices."},
		}
	case finding.OnNode:
		return []known{{family: "node", weight: cause, text: "The kubelet of the node does not report, or reports that it is not ready: the pods there may be dead. See kubectl describe node, Conditions and Events."}}
	case finding.Running:
		return []known{
			{reason: "Init", family: "init", weight: effect, text: "An init container has not ended, so the containers of the pod do not start. See what it waits for: kubectl logs POD -c CONTAINER."},
			{family: "running", weight: none},
		}
	case finding.Restarts:
		return []known{{family: "crash", weight: follow, text: "The container was started again and again. Its last end is in kubectl describe pod, its last words in kubectl logs --previous."}}
	}
	return nil
}

// knownOf is what is known of a symptom; the zero value where that is nothing.
func knownOf(s *finding.Symptom) known {
	for _, k := range rows(s.Kind) {
		if k.reason != "" && k.reason != s.Reason || !strings.Contains(s.Message, k.message) {
			continue
		}
		if k.code && (s.ExitCode == nil || *s.ExitCode != k.exit) {
			continue
		}
		return k
	}
	return known{family: string(s.Kind) + " " + s.Reason, weight: effect}
}
