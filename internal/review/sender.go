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
	// Controller creates objects for their owners.
	Controller Sender = "controller"
	// Other is anybody else. A person who writes an owner reference is no controller.
	Other Sender = "other"
)

const (
	// controllerManager is the user name of the controllers of Kubernetes where they share one.
	// serviceAccounts begins their names where each has its own (k8s.io/kubernetes
	// cmd/kube-controller-manager, --use-service-account-credentials).
	controllerManager = "system:kube-controller-manager"
	serviceAccounts   = "system:serviceaccount:kube-system:"
	// nodes begins the user names of kubelets (k8s.io/kubernetes pkg/auth/nodeidentifier).
	nodes = "system:node:"
)

// senderOf returns who sends the object.
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

// believed reports whether a controller has written the owner reference of an object. The Job
// of a CronJob is a copy of its template whoever sends it: kubectl create job --from makes one.
func (r *Reviewer) believed(s Subject, v *workload.View) bool {
	return s.Operation == Audit || r.settings.TrustOwnerReferences || v.Kind == "Job" || r.senderOf(s) == Controller
}

// sentByNode reports whether a kubelet sends the object. In an audit nobody sends it.
func sentByNode(s Subject) bool {
	return s.Operation == Audit || strings.HasPrefix(s.User, nodes)
}
