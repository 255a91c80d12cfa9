package evidence

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/forestall/forestall/internal/finding"
)

// status is what the metadata and status of any workload say about how it is: a Deployment, a ReplicaSet, a StatefulSet, a
// DaemonSet, a Job.
type status struct {
	Metadata struct {
		UID types.UID `json:"uid"`
	} `json:"metadata"`
	Status struct {
		Conditions          []metav1.Condition `json:"conditions"`
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

// Workload takes in the status of a workload, as JSON, and the object that stands for it in the audit: for a ReplicaSet its
// Deployment, for a Job its CronJob. What cannot be read, such as the status of a custom kind, says nothing.
func (c *Collector) Workload(of finding.Object, raw []byte) {
	var w status
	if err := json.Unmarshal(raw, &w); err != nil {
		return
	}
	var found []finding.Symptom
	for i := range w.Status.Conditions {
		condition := &w.Status.Conditions[i]
		// A CronJob keeps Jobs that are complete beside the one that fails now.
		if condition.Type == "Complete" && condition.Status == metav1.ConditionTrue && of.Kind == "Job" {
			c.of(of).complete = true
		}
		if c.wrong(condition) {
			found = append(found, finding.Symptom{
				Kind: finding.Condition, Reason: condition.Reason, Message: condition.Message, Last: condition.LastTransitionTime.Time,
			})
		}
	}
	if n := w.Status.UnavailableReplicas + w.Status.NumberUnavailable; n > 0 && len(found) > 0 {
		found[0].Message += fmt.Sprintf(" (%d unavailable)", n)
	}
	if found = append(found, c.claim(w.Metadata.UID)...); len(found) > 0 {
		c.of(of).add(found...)
	}
}

// wrong reports whether a condition says that something is wrong, and has been so for long enough or not for too long: a Job that
// has failed stays as it is, and a roll-out that has just begun is not available yet.
func (c *Collector) wrong(condition *metav1.Condition) bool {
	if status, is := bad()[condition.Type]; !is || condition.Status != status {
		return false
	}
	since := c.o.Now.Sub(condition.LastTransitionTime.Time)
	switch {
	case condition.Type == "Failed" || condition.Type == "FailureTarget":
		return since < remembered
	case condition.Reason == "MinimumReplicasUnavailable":
		return since >= c.o.Stuck
	}
	return true
}
