package workload

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// DisplayName is what a person would call the object: its name, or the prefix of
// the name that the API server has yet to generate, followed by "*".
func (v *View) DisplayName() string { return displayName(v.Meta) }

// JudgedOwner returns the object's controller where it is of a judged kind: the
// same template was judged when the owner was submitted. The group and kind of
// the owner reference decide, not its version.
func (v *View) JudgedOwner() *metav1.OwnerReference {
	owner := metav1.GetControllerOfNoCopy(&v.Meta)
	if owner == nil {
		return nil
	}
	gv, err := schema.ParseGroupVersion(owner.APIVersion)
	if err != nil || !judgedIn(gv.Group, owner.Kind) {
		return nil
	}
	return owner
}

// Bare reports whether the object is a Pod that no controller would replace.
func (v *View) Bare() bool {
	return v.TemplatePath == templateIsObject && metav1.GetControllerOfNoCopy(&v.Meta) == nil
}

func displayName(meta metav1.ObjectMeta) string {
	if meta.Name == "" && meta.GenerateName != "" {
		return meta.GenerateName + "*"
	}
	return meta.Name
}
