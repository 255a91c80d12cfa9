package evidence

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/forestall/forestall/internal/finding"
)

// Workload is what the metadata and status of any workload say about how it is: a Deployment, a ReplicaSet, a StatefulSet,
// a DaemonSet, a Job. It decodes from the object's JSON.
type Workload struct {
	Metadata struct {
		UID types.UID `json:"uid"`
	} `json:"metadata"`
	Status struct {
		Conditions          []metav1.Condition `json:"conditions"`
		Replicas            int                `json:"replicas"`
		UnavailableReplicas int                `json:"unavailableReplicas"`
		NumberUnavailable   int                `json:"numberUnavailable"`
	} `json:"status"`
}

// bad are the conditions of workloads that say that something is wrong: by type, with the status that does. Sources:
// k8s.io/api apps/v1 DeploymentConditionType and ReplicaSetConditionType, batch/v1 JobConditionType.
func bad() map[string]metav1.ConditionStatus {
	return map[string]metav1.ConditionStatus{
		"Progressing":    metav1.ConditionFalse,
		"Available":      metav1.ConditionFalse,
		"ReplicaFailure": metav1.ConditionTrue,
		"Failed":         metav1.ConditionTrue,
		"FailureTarget":  metav1.ConditionTrue,
	}
}

// Workload takes in the status of a workload. The owner is the object that is judged: for a ReplicaSet its Deployment,
// for a Job its CronJob.
func (c *Collector) Workload(owner finding.Object, w *Workload) {
	var found []finding.Symptom
	for i := range w.Status.Conditions {
		condition := &w.Status.Conditions[i]
		if condition.Type == "Complete" && condition.Status == metav1.ConditionTrue {
			c.of(owner).complete = true
		}
		if condition.Status != bad()[condition.Type] || condition.Status == "" {
			continue
		}
		since := c.o.Now.Sub(condition.LastTransitionTime.Time)
		if condition.Type == "Failed" || condition.Type == "FailureTarget" { // a Job that has failed stays as it is
			if since > remembered {
				continue
			}
		}
		if condition.Reason == "MinimumReplicasUnavailable" && since < c.o.Grace {
			continue // a roll-out has just begun
		}
		found = append(found, finding.Symptom{
			Kind: finding.Condition, Reason: condition.Reason, Message: condition.Message, Last: condition.LastTransitionTime.Time,
		})
	}
	if n := w.Status.UnavailableReplicas + w.Status.NumberUnavailable; n > 0 && len(found) > 0 {
		found[0].Message += fmt.Sprintf(" (%d unavailable)", n)
	}
	found = append(found, c.claim(w.Metadata.UID)...)
	if len(found) > 0 {
		c.of(owner).add(found...)
	}
}
