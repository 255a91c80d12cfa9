package review

import (
	"path"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/workload"
)

// Sender says who sends an object that names a controller as its owner.
type Sender string

// The senders. Empty is for objects without such an owner, and for audits, where nobody sends.
const (
	// Controller is one of those that create objects for others.
	Controller Sender = "controller"
	// Other is anybody else: a person who writes an owner reference is no controller.
	Other Sender = "other"
)

const (
	// controllerManager is who the controllers of Kubernetes are where they share one identity, and
	// serviceAccounts begins their names where each has its own
	// (k8s.io/kubernetes cmd/kube-controller-manager, --use-service-account-credentials).
	controllerManager = "system:kube-controller-manager"
	serviceAccounts   = "system:serviceaccount:kube-system:"
	// nodes begins the names of kubelets (k8s.io/kubernetes pkg/auth/nodeidentifier).
	nodes = "system:node:"
)

// senderOf says whether a controller sends the object.
func (r *Reviewer) senderOf(s Subject) Sender {
	switch {
	case s.Operation == Audit:
		return ""
	case s.User == controllerManager, strings.HasPrefix(s.User, serviceAccounts):
		return Controller
	}
	named := func(pattern string) bool {
		ok, _ := path.Match(pattern, s.User) // patterns were checked
		return ok
	}
	if slices.ContainsFunc(r.settings.Controllers, named) {
		return Controller
	}
	return Other
}

// believed reports whether the owner reference of an object is one that a controller wrote. The Job
// of a CronJob is a copy of its template whoever sends it: kubectl create job --from makes one.
func (r *Reviewer) believed(s Subject, v *workload.View) bool {
	return s.Operation == Audit || r.settings.TrustOwnerReferences || v.Kind == "Job" || r.senderOf(s) == Controller
}

// sentByNode reports whether a kubelet sends the object. Nobody sends what is audited.
func sentByNode(s Subject) bool {
	return s.Operation == Audit || strings.HasPrefix(s.User, nodes)
}
