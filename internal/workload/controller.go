package workload

import (
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Controller holds what the spec of a controller says beside its template, as it
// was written: a field that is left out is nil or empty, also where the API server
// has a default for it.
type Controller struct {
	Replicas                *int32            `json:"replicas"`
	MinReadySeconds         int32             `json:"minReadySeconds"`
	ProgressDeadlineSeconds *int32            `json:"progressDeadlineSeconds"`
	Paused                  bool              `json:"paused"`
	PodManagementPolicy     string            `json:"podManagementPolicy"`
	Strategy                *RolloutStrategy  `json:"strategy"`
	UpdateStrategy          *RolloutStrategy  `json:"updateStrategy"`
	ActiveDeadlineSeconds   *int64            `json:"activeDeadlineSeconds"`
	Parallelism             *int32            `json:"parallelism"`
	Completions             *int32            `json:"completions"`
	BackoffLimit            *int32            `json:"backoffLimit"`
	BackoffLimitPerIndex    *int32            `json:"backoffLimitPerIndex"`
	PodFailurePolicy        *PodFailurePolicy `json:"podFailurePolicy"`
	Suspend                 bool              `json:"-"`
	ConcurrencyPolicy       ConcurrencyPolicy `json:"-"`
}

// ConcurrencyPolicy is the field of a CronJob.
type ConcurrencyPolicy string

// PodFailurePolicy is the field of a Job. Only whether it is there is read: with it, not each failed pod counts
// for the backoffLimit.
type PodFailurePolicy struct{}

// RolloutStrategy is what Deployments, StatefulSets and DaemonSets have in common
// of the way in which they replace pods.
type RolloutStrategy struct {
	Type          string         `json:"type"`
	RollingUpdate *RollingUpdate `json:"rollingUpdate"`
}

// RollingUpdate bounds how many pods are replaced at a time.
type RollingUpdate struct {
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable"`
	MaxSurge       *intstr.IntOrString `json:"maxSurge"`
}
