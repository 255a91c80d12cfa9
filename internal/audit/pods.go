package audit

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/workload"
)

// AddPods takes in pods. They come after everything that may own them.
func (i *Inventory) AddPods(ctx context.Context, raws [][]byte) error {
	const atOnce = 64
	for chunk := range slices.Chunk(raws, atOnce) {
		all := make([]openedPod, len(chunk))
		each(ctx, len(chunk), func(n int) { all[n].open(chunk[n]) })
		for n := range all {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := i.addOpened(chunk[n], &all[n]); err != nil {
				return err
			}
			chunk[n] = nil
		}
	}
	return nil
}

// openedPod is a pod that was decoded, or why it could not be.
type openedPod struct {
	pod  corev1.Pod
	like likeness
	err  error
}

func (o *openedPod) open(raw []byte) {
	o.err = guarded(func() error {
		if err := readPod(raw, &o.pod); err != nil {
			return err
		}
		o.like = likenessOf(o.pod.Spec.DeepCopy(), o.pod.Annotations, o.pod.Name)
		return nil
	})
}

func (i *Inventory) addOpened(raw []byte, o *openedPod) error {
	i.about.Pods++
	if o.err != nil {
		return i.addBroken(raw)
	}
	return i.addPod(raw, &o.pod, o.like)
}

// addBroken keeps a pod that cannot be decoded: the review says why.
func (i *Inventory) addBroken(raw []byte) error {
	i.Unread("Pod", "one of them cannot be decoded")
	var o head
	if o.read(raw) != nil {
		return nil
	}
	return i.keepSelected(raw, "v1", "Pod", &o.Metadata, nil)
}

func (i *Inventory) addPod(raw []byte, pod *corev1.Pod, like likeness) error {
	owner := metav1.GetControllerOfNoCopy(pod)
	if owner == nil {
		return i.addBare(raw, pod)
	}
	m := i.members[owner.UID]
	if m == nil {
		i.noteOwner(&pod.ObjectMeta)
		return i.addStray(raw, pod, owner, like)
	}
	i.offer(pod, like, m)
	if !m.selected {
		i.observe(pod) // it is on its node all the same
		return nil
	}
	if pod.Status.Phase != corev1.PodFailed || owner.Kind == "Job" {
		m.pods++
	}
	if pod.Status.Phase == corev1.PodSucceeded || like == m.template {
		i.observe(pod, m.object)
		return nil
	}
	variant := m.variants[like]
	if variant == nil && len(m.variants) >= maxVariants {
		i.observe(pod, m.object)
		return nil
	}
	if variant != nil {
		variant.pods++
		i.observe(pod, m.object, variant.object)
		return nil
	}
	if m.variants == nil {
		m.variants = map[likeness]*standing{}
	}
	variant = &standing{pods: 1, beside: &m.object, object: objectOf(pod)}
	m.variants[like] = variant
	i.observe(pod, m.object, variant.object)
	return i.keep(raw, "v1", "Pod", &pod.ObjectMeta, variant)
}

// addBare keeps a pod without a controller.
func (i *Inventory) addBare(raw []byte, pod *corev1.Pod) error {
	if err := i.tellStore(raw); err != nil {
		return err
	}
	if !i.selects(&pod.ObjectMeta) {
		i.observe(pod)
		return nil
	}
	i.observe(pod, objectOf(pod))
	return i.keep(raw, "v1", "Pod", &pod.ObjectMeta, nil)
}

// addStray keeps a pod whose owner is not known, unless there is one like it of the same owner. The pods that kubelets
// show of what they run from files are alike on all nodes.
func (i *Inventory) addStray(raw []byte, pod *corev1.Pod, owner *metav1.OwnerReference, like likeness) error {
	of := owner.UID
	if owner.Kind == "Node" && owner.APIVersion == "v1" {
		of = types.UID(pod.Namespace)
	}
	key := like.of(of)
	if known := i.strays[key]; known != nil {
		known.pods++
		i.offer(pod, key, &member{})
		i.observe(pod, known.told()...)
		return nil
	}
	s := &standing{pods: 1}
	i.strays[key] = s
	if err := i.tellStore(raw); err != nil {
		return err
	}
	if !i.selects(&pod.ObjectMeta) {
		i.observe(pod)
		return nil
	}
	s.object = objectOf(pod)
	i.observe(pod, s.object)
	return i.keep(raw, "v1", "Pod", &pod.ObjectMeta, s)
}

func (i *Inventory) observe(pod *corev1.Pod, of ...finding.Object) {
	if i.options.Observer != nil {
		i.options.Observer.Pod(pod, of...)
	}
}

// offer tells the store of a pod that a Service may select for other reasons than its workload: it has another label that
// Services ask for, as each pod of a StatefulSet has its own name, or other containers.
func (i *Inventory) offer(pod *corev1.Pod, like likeness, m *member) {
	h := sha256.New()
	other := like != m.template
	for _, key := range slices.Sorted(maps.Keys(pod.Labels)) {
		if value := pod.Labels[key]; i.asked[key] && m.labels[key] != value {
			other = true
			h.Write([]byte(key + "=" + value + ","))
		}
	}
	if !other {
		return
	}
	key := like.of(types.UID(m.object.Namespace + "/" + m.object.Kind + "/" + m.object.Name + "/" + string(h.Sum(nil))))
	if i.selectable[key] {
		return
	}
	i.selectable[key] = true
	i.store.PutPods(viewOf(pod))
}

func (i *Inventory) tellStore(raw []byte) error {
	v, err := i.options.Kinds.FromObject(raw)
	if err != nil {
		i.Unread("Pod", "one of them cannot be decoded")
		return nil
	}
	i.store.PutPods(v)
	return nil
}

// viewOf is as much of a pod as the store keeps.
func viewOf(pod *corev1.Pod) *workload.View {
	raw, err := json.Marshal(pod)
	if err == nil {
		if v, err := (workload.Table{}).FromObject(raw); err == nil {
			return v
		}
	}
	return &workload.View{Kind: "Pod", Meta: pod.ObjectMeta, PodMeta: pod.ObjectMeta, PodSpec: pod.Spec}
}

func objectOf(pod *corev1.Pod) finding.Object {
	return finding.Object{APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name}
}
