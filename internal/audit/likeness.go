package audit

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/forestall/forestall/internal/apijson"
	"github.com/forestall/forestall/internal/quantity"
)

// likeness is a digest of what a pod runs. That of a pod is the same as that of the template that it was made of, unless
// something else than Kubernetes itself has changed it.
type likeness [sha256.Size]byte

// of returns a likeness that is the owner's alone.
func (l likeness) of(owner types.UID) likeness {
	return sha256.Sum256(append(l[:], owner...))
}

func readPod(raw []byte, pod *corev1.Pod) error {
	return apijson.UnmarshalQuantities(raw, pod, func() error { return quantity.ErrHuge })
}

// likenessOf digests a pod spec, which it changes: it takes out what the API server and the controllers of Kubernetes put
// into pods, and what rules do not look at. The name is that of the pod; empty for a template.
func likenessOf(s *corev1.PodSpec, annotations map[string]string, name string) likeness {
	plain(s, name)
	unlimit(s, annotations[limitRanger])
	for _, list := range [][]corev1.Container{s.InitContainers, s.Containers} {
		for n := range list {
			plainContainer(&list[n])
		}
	}
	raw, err := json.Marshal(s)
	if err != nil {
		raw = fmt.Appendf(nil, "%v", s)
	}
	return sha256.Sum256(raw)
}

// plain takes out what is different in the pods of one template.
//
// The scheduler sets the node; the controllers of StatefulSets and Jobs the host name and the volumes of claims
// (k8s.io/kubernetes pkg/controller/statefulset/stateful_set_utils.go, pkg/controller/job/indexed_job_utils.go); that of
// DaemonSets node affinity and tolerations (pkg/controller/daemon/util/daemonset_util.go); admission plugins the service account,
// priority, tolerations and overhead (plugin/pkg/admission).
func plain(s *corev1.PodSpec, name string) {
	s.NodeName, s.NodeSelector, s.Affinity, s.Tolerations, s.TopologySpreadConstraints = "", nil, nil, nil, nil
	s.Hostname, s.Subdomain, s.SchedulerName, s.SchedulingGates = "", "", "", nil
	s.ServiceAccountName, s.DeprecatedServiceAccount, s.ImagePullSecrets, s.AutomountServiceAccountToken = "", "", nil, nil
	s.Priority, s.PriorityClassName, s.PreemptionPolicy, s.Overhead = nil, "", nil, nil
	s.EphemeralContainers = nil // of kubectl debug
	if s.EnableServiceLinks == nil {
		yes := true
		s.EnableServiceLinks = &yes
	}
	s.Volumes = slices.DeleteFunc(s.Volumes, func(v corev1.Volume) bool {
		claim := v.PersistentVolumeClaim
		return isToken(v.Name) || name != "" && claim != nil && claim.ClaimName == v.Name+"-"+name
	})
}

// jobIndex is the variable that the pods of an indexed Job get.
const jobIndex = "JOB_COMPLETION_INDEX"

func plainContainer(c *corev1.Container) {
	c.VolumeMounts = slices.DeleteFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return isToken(m.Name) })
	c.Env = slices.DeleteFunc(c.Env, func(e corev1.EnvVar) bool { return e.Name == jobIndex })
	r := &c.Resources
	for what, limit := range r.Limits { // requests are made of limits (pkg/apis/core/v1/defaults.go, SetDefaults_Pod)
		if _, ok := r.Requests[what]; !ok {
			if r.Requests == nil {
				r.Requests = corev1.ResourceList{}
			}
			r.Requests[what] = limit
		}
	}
}

// isToken reports whether the name is that of the volume with the token of the service account.
func isToken(volume string) bool { return strings.HasPrefix(volume, "kube-api-access-") }

// limitRanger is the annotation in which the plugin of that name says what it has set
// (k8s.io/kubernetes plugin/pkg/admission/limitranger/admission.go, mergePodResourceRequirements).
const limitRanger = "kubernetes.io/limit-ranger"

// unlimit takes out the resources that come from LimitRanges: "LimitRanger plugin set: cpu, memory limit for container web".
func unlimit(s *corev1.PodSpec, said string) {
	_, said, ok := strings.Cut(said, ": ")
	if !ok {
		return
	}
	for part := range strings.SplitSeq(said, "; ") {
		m := setByRanger.FindStringSubmatch(part)
		if m == nil {
			continue
		}
		list := s.Containers
		if m[3] != "" {
			list = s.InitContainers
		}
		for n := range list {
			if c := &list[n]; c.Name == m[4] {
				unset(&c.Resources, m[2], m[1])
			}
		}
	}
}

// unset takes requests or limits out, which are named as in "cpu, memory".
func unset(r *corev1.ResourceRequirements, which, names string) {
	of := r.Requests
	if which == "limit" {
		of = r.Limits
	}
	for what := range strings.SplitSeq(names, ", ") {
		delete(of, corev1.ResourceName(what))
	}
}

var setByRanger = regexp.MustCompile(`^(.+) (request|limit) for (init )?container (.+)$`)
