package audit

import (
	"context"
	"encoding/binary"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/forestall/forestall/internal/apijson"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/workload"
)

// maxVariants is how many pods of one workload that differ from it, each in its own way, are judged. Others are counted.
const maxVariants = 16

// standing is what an object of the audit stands for.
type standing struct {
	pods   int
	beside *finding.Object
	object finding.Object
}

// told is the object, unless it is not judged.
func (s *standing) told() []finding.Object {
	if s.object.Name == "" {
		return nil
	}
	return []finding.Object{s.object}
}

// member is a workload of a running cluster.
type member struct {
	standing
	// selected is false for one that counts only for others.
	selected bool
	// template is what its pods should be, and labels those of its template.
	template likeness
	labels   map[string]string
	// variants are the pods that differ from it.
	variants map[likeness]*standing
}

// head is what is read of an object without a pod template.
type head struct {
	Metadata metav1.ObjectMeta `json:"metadata"`
	Spec     struct {
		Selector map[string]string `json:"selector"`
	} `json:"spec"`
}

func (h *head) read(raw []byte) error { return apijson.Unmarshal(raw, h) }

// AddWorkloads takes in objects of a kind that makes pods. What is owned by one that is known already is folded into it.
func (i *Inventory) AddWorkloads(ctx context.Context, kind workload.Kind, raws [][]byte) error {
	type opened struct {
		view     *workload.View
		template likeness
		err      error
	}
	all := make([]opened, len(raws))
	each(ctx, len(raws), func(n int) {
		o := &all[n]
		o.err = guarded(func() (err error) {
			if o.view, err = i.options.Kinds.FromObject(raws[n]); err == nil {
				o.template = likenessOf(o.view.PodSpec.DeepCopy(), o.view.PodMeta.Annotations, "")
			}
			return err
		})
	})
	for n := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := i.addWorkload(kind, raws[n], all[n].view, all[n].template, all[n].err); err != nil {
			return err
		}
		raws[n] = nil // it is kept, or not needed
	}
	return nil
}

func (i *Inventory) addWorkload(kind workload.Kind, raw []byte, v *workload.View, template likeness, err error) error {
	if err != nil {
		return i.addUnread(kind, raw, err)
	}
	m := &member{
		standing: standing{object: finding.Object{APIVersion: v.APIVersion, Kind: v.Kind, Namespace: v.Meta.Namespace, Name: v.Meta.Name}},
		template: template, labels: v.PodMeta.Labels, selected: i.selects(&v.Meta),
	}
	owner := v.ControllerOwner()
	if owner != nil {
		if of := i.members[owner.UID]; of != nil {
			i.members[v.Meta.UID] = of
			if i.options.Observer != nil && of.selected {
				i.options.Observer.Workload(of.object, raw)
			}
			return nil
		}
		i.noteOwner(&v.Meta)
	}
	i.members[v.Meta.UID] = m
	if owner != nil && v.Kind == "ReplicaSet" && v.Controller.Replicas != nil && *v.Controller.Replicas == 0 {
		m.selected = false // what an earlier version has left
		return nil
	}
	if v.TemplatePath != "template" {
		i.store.PutPods(v)
	}
	if i.options.Observer != nil && m.selected {
		i.options.Observer.Workload(m.object, raw)
	}
	return i.keepSelected(raw, v.APIVersion, v.Kind, &v.Meta, &m.standing)
}

// addUnread keeps a workload that cannot be decoded: what is wrong is told when it is judged. An object of a custom kind
// may have no template.
func (i *Inventory) addUnread(kind workload.Kind, raw []byte, err error) error {
	var o head
	if o.read(raw) != nil {
		return nil
	}
	if !errors.Is(err, workload.ErrNotJudged) {
		i.Unread(kind.Kind, "one of them cannot be decoded")
	}
	return i.keepSelected(raw, kind.APIVersion(), kind.Kind, &o.Metadata, nil)
}

// noteOwner notes the owner of an object: if nobody knows how it makes pods, it may make others.
func (i *Inventory) noteOwner(meta *metav1.ObjectMeta) {
	owner := metav1.GetControllerOfNoCopy(meta)
	if owner != nil && i.members[owner.UID] == nil {
		i.store.PutMaker(meta.Namespace, *owner)
	}
}

func (i *Inventory) selects(meta *metav1.ObjectMeta) bool {
	return i.options.Selector == nil || i.options.Selector.Matches(labels.Set(meta.Labels))
}

// keepSelected keeps an object if it is selected.
func (i *Inventory) keepSelected(raw []byte, apiVersion, kind string, meta *metav1.ObjectMeta, of *standing) error {
	if !i.selects(meta) {
		return nil
	}
	return i.keep(raw, apiVersion, kind, meta, of)
}

// keep keeps an object to be judged, and what it stands for.
func (i *Inventory) keep(raw []byte, apiVersion, kind string, meta *metav1.ObjectMeta, of *standing) error {
	number := uint64(0)
	if of != nil {
		i.standings = append(i.standings, of)
		number = uint64(len(i.standings))
	}
	record := binary.AppendUvarint(make([]byte, 0, len(raw)+256), number)
	for _, text := range []string{apiVersion, kind, meta.Namespace, meta.Name} {
		record = append(binary.AppendUvarint(record, uint64(len(text))), text...)
	}
	i.objects++
	return i.kept.add(append(record, raw...))
}
