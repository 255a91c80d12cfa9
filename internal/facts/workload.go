package facts

import (
	"cmp"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/forestall/forestall/internal/workload"
)

// Workload is what is observed about the object as a whole.
type Workload struct {
	// Kind of the submitted object.
	Kind string `json:"kind"`
	// Unserved says whether no API server serves the kind in the version in which it is written.
	Unserved Unserved `json:"unserved"`
	// Like is the built-in kind whose pods behave the same, where the object is of a custom kind.
	Like string `json:"like,omitempty"`
	// Name to show to people; a name that is still to be generated ends in "*".
	Name string `json:"name"`
	// Bare is true for a Pod without a controller: nothing replaces it when it ends.
	Bare bool `json:"bare"`
	// SpecPath is the place of the pod spec in the submitted object.
	SpecPath string `json:"specPath"`
	// Replicas is how many pods are asked for. It is left out for kinds that ask for no number,
	// and for custom kinds whose number of pods stands at no known path.
	Replicas *int32 `json:"replicas,omitempty"`
	// Rollout is how pods are replaced when the template changes; only for Deployments,
	// StatefulSets and DaemonSets.
	Rollout *Rollout `json:"rollout,omitempty"`
	// ActiveDeadlineSeconds is the time after which a Job, or the Job of a CronJob, is
	// ended; left out where there is none.
	ActiveDeadlineSeconds *int64 `json:"activeDeadlineSeconds,omitempty"`
	// BackoffLimit is how many failures of its pods, or restarts of their containers, end a Job or the Job of a
	// CronJob; left out for other kinds, and where the Job counts in another way (backoffLimitPerIndex,
	// podFailurePolicy).
	BackoffLimit *int32 `json:"backoffLimit,omitempty"`
	// ConcurrencyPolicy of a CronJob.
	ConcurrencyPolicy string `json:"concurrencyPolicy,omitempty" jsonschema:"enum=Allow,enum=Forbid,enum=Replace"`
	// OutlastsDeadline says whether a startup probe lets a start take as long as the
	// progress deadline of a Deployment, or longer.
	OutlastsDeadline OutlastsDeadline `json:"outlastsDeadline"`
}

// Rollout is how a controller replaces pods, with the API's defaults applied.
type Rollout struct {
	// Strategy is RollingUpdate, Recreate (Deployments) or OnDelete (the others).
	Strategy string `json:"strategy" jsonschema:"enum=RollingUpdate,enum=Recreate,enum=OnDelete"`
	// MaxUnavailable is how many pods of a Deployment may be missing meanwhile,
	// worked out from the number of replicas.
	MaxUnavailable *int32 `json:"maxUnavailable,omitempty"`
	// ProgressDeadlineSeconds is the time without progress after which the roll-out
	// of a Deployment is reported as failed; left out where there is no deadline.
	ProgressDeadlineSeconds int32 `json:"progressDeadlineSeconds,omitempty"`
	// MinReadySeconds is the time for which a new pod must be Ready to count.
	MinReadySeconds int32 `json:"minReadySeconds,omitempty"`
	// PodManagementPolicy of a StatefulSet.
	PodManagementPolicy string `json:"podManagementPolicy,omitempty" jsonschema:"enum=OrderedReady,enum=Parallel"`
}

// What the API server sets where a field is left out (k8s.io/kubernetes
// pkg/apis/apps/v1/defaults.go, pkg/apis/batch/v1/defaults.go), and the deadline
// that stands for none (pkg/controller/deployment/util, HasProgressDeadline).
const (
	defaultReplicas         = 1
	defaultRolloutShare     = "25%"
	defaultProgressDeadline = 600
	defaultBackoffLimit     = 6
	noProgressDeadline      = 1<<31 - 1
	rollingUpdate           = "RollingUpdate"
)

func observeWorkload(v *workload.View) Workload {
	w := Workload{
		Kind: v.Kind, Name: v.DisplayName(), Bare: v.Bare(), SpecPath: v.SpecPath,
		ActiveDeadlineSeconds: v.Controller.ActiveDeadlineSeconds,
	}
	w.Unserved = observeUnserved(v)
	if v.Like != v.Kind {
		w.Like = v.Like
	}
	if v.Custom { // its own defaults, and how it replaces pods, are not known
		w.Replicas = v.Controller.Replicas
		return w
	}
	switch v.Kind {
	case "Deployment", "StatefulSet", "ReplicaSet", "ReplicationController":
		w.Replicas = v.Controller.Replicas
		if w.Replicas == nil {
			w.Replicas = new(int32)
			*w.Replicas = defaultReplicas
		}
	case "Job":
		w.BackoffLimit = backoffLimit(v.Controller)
	case "CronJob":
		w.BackoffLimit = backoffLimit(v.Controller)
		w.ConcurrencyPolicy = cmp.Or(string(v.Controller.ConcurrencyPolicy), "Allow")
	}
	w.Rollout = observeRollout(v, w.Replicas)
	return w
}

// backoffLimit is nil where each index has a limit of its own, or a policy decides which failures count.
func backoffLimit(c workload.Controller) *int32 {
	if c.BackoffLimitPerIndex != nil || c.PodFailurePolicy != nil {
		return nil
	}
	limit := int32(defaultBackoffLimit)
	if c.BackoffLimit != nil {
		limit = *c.BackoffLimit
	}
	return &limit
}

func observeRollout(v *workload.View, replicas *int32) *Rollout {
	c := v.Controller
	switch v.Kind {
	case "Deployment":
		r := rollout(c.Strategy, c.MinReadySeconds)
		r.ProgressDeadlineSeconds = defaultProgressDeadline
		if c.ProgressDeadlineSeconds != nil {
			r.ProgressDeadlineSeconds = *c.ProgressDeadlineSeconds
		}
		if r.ProgressDeadlineSeconds == noProgressDeadline {
			r.ProgressDeadlineSeconds = 0
		}
		r.MaxUnavailable = maxUnavailable(c.Strategy, r.Strategy, *replicas)
		return r
	case "StatefulSet":
		r := rollout(c.UpdateStrategy, c.MinReadySeconds)
		r.PodManagementPolicy = cmp.Or(c.PodManagementPolicy, "OrderedReady")
		return r
	case "DaemonSet":
		return rollout(c.UpdateStrategy, c.MinReadySeconds)
	}
	return nil
}

func rollout(s *workload.RolloutStrategy, minReady int32) *Rollout {
	r := &Rollout{Strategy: rollingUpdate, MinReadySeconds: minReady}
	if s != nil && s.Type != "" {
		r.Strategy = s.Type
	}
	return r
}

// maxUnavailable works the number out as the Deployment controller does: the
// surge is rounded up, what may be missing down, and where both are 0 one pod may
// be missing (k8s.io/kubernetes pkg/controller/deployment/util, ResolveFenceposts).
// Nil where the strategy has no such number, or it cannot be read.
func maxUnavailable(s *workload.RolloutStrategy, strategy string, replicas int32) *int32 {
	if strategy != rollingUpdate {
		return nil
	}
	var given workload.RollingUpdate
	if s != nil && s.RollingUpdate != nil {
		given = *s.RollingUpdate
	}
	missing, err := share(given.MaxUnavailable, replicas, false)
	surge, surgeErr := share(given.MaxSurge, replicas, true)
	if err != nil || surgeErr != nil {
		return nil
	}
	if missing == 0 && surge == 0 {
		missing = 1
	}
	n := int32(min(missing, int(replicas))) //nolint:gosec // at most replicas
	return &n
}

func share(given *intstr.IntOrString, replicas int32, up bool) (int, error) {
	if given == nil {
		quarter := intstr.FromString(defaultRolloutShare)
		given = &quarter
	}
	return intstr.GetScaledValueFromIntOrPercent(given, int(replicas), up)
}
