package audit

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/forestall/forestall/internal/cluster"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/internal/workload"
)

// Observer is told what a running cluster reports while an Inventory is filled, by one goroutine.
type Observer interface {
	// Workload is told of each object that makes pods, as JSON with its status, and of the object that stands for it in
	// the audit: a CronJob for its Jobs.
	Workload(of finding.Object, raw []byte)
	// Pod is told of each pod, after all workloads. The objects are those that stand for it in the audit: its workload, and
	// the first pod that differs from the workload in the same way.
	Pod(pod *corev1.Pod, of ...finding.Object)
	// Symptoms returns what the cluster reports about an object and its pods, once all is read.
	Symptoms(of finding.Object) []finding.Symptom
}

// InventoryOptions say what an Inventory takes in.
type InventoryOptions struct {
	// Kinds tells where pod templates stand.
	Kinds workload.Table
	// Selector chooses the objects that are judged, by their own labels; nil for all. The others count all the same
	// for what is judged: a Service for the pods behind it.
	Selector labels.Selector
	// Observer is told what the cluster reports; nil for none.
	Observer Observer
}

// Inventory is a Source: the objects of a running cluster. Pods are folded into the workload that makes them, so that it
// holds in memory a little of each workload and nothing of most pods. What is judged waits in a temporary file if there
// is much of it. Whoever fills it adds workloads before what they own, and pods last.
type Inventory struct {
	options InventoryOptions
	about   Cluster
	store   *cluster.Store
	kept    spool
	objects int
	// members are the workloads by their UID. What a workload owns leads to the same member.
	members map[types.UID]*member
	// standings are what the objects in kept stand for, by their number less one.
	standings []*standing
	// strays are the pods of owners that are not known, those that are alike once.
	strays map[likeness]*standing
	// asked are the keys of labels that Services select by, and selectable the pods that were told to the store because of them.
	asked      map[string]bool
	selectable map[likeness]bool
	// unread says of each kind that could not be read why not.
	unread map[string]string
}

// NewInventory returns an empty Inventory of a cluster.
func NewInventory(about Cluster, o InventoryOptions) *Inventory {
	return &Inventory{
		options: o, about: about, store: cluster.OfCluster(), members: map[types.UID]*member{},
		strays: map[likeness]*standing{}, asked: map[string]bool{}, selectable: map[likeness]bool{}, unread: map[string]string{},
	}
}

// Unread says that a kind could not be read, and why in a few words. The others are judged all the same.
func (i *Inventory) Unread(kind, why string) {
	if i.unread[kind] == "" {
		i.unread[kind] = why
		i.about.Unread = append(i.about.Unread, kind+": "+why)
	}
}

// IsUnread reports whether a kind could not be read, or not all of it.
func (i *Inventory) IsUnread(kind string) bool { return i.unread[kind] != "" }

// Nodes says of each node of the cluster how it is.
func (i *Inventory) Nodes(all []Node) { i.about.Nodes = all }

// AddContext takes in what counts for others: Services, which are judged as well, LimitRanges and Namespaces.
func (i *Inventory) AddContext(kind schema.GroupVersionKind, raws [][]byte) error {
	for _, raw := range raws {
		apiVersion := kind.GroupVersion().String()
		if err := i.store.PutObject(apiVersion, kind.Kind, raw); err != nil {
			i.Unread(kind.Kind, "one of them cannot be decoded")
		}
		if kind.Kind != "Service" || kind.Group != "" {
			continue
		}
		if err := i.addService(raw); err != nil {
			return err
		}
	}
	return nil
}

// addService keeps a Service, and notes what its selector asks for.
func (i *Inventory) addService(raw []byte) error {
	var o head
	if err := o.read(raw); err != nil {
		return nil //nolint:nilerr // told as unread
	}
	for key := range o.Spec.Selector {
		i.asked[key] = true
	}
	i.noteOwner(&o.Metadata)
	return i.keepSelected(raw, "v1", "Service", &o.Metadata, nil)
}

// Done ends the filling: from now on the Store answers. Callers then use the Inventory as a Source, and close it.
func (i *Inventory) Done() error {
	tell := func(kind string, known, unknown func(string)) {
		if why := i.unread[kind]; why != "" {
			unknown("they cannot be read: " + why)
			return
		}
		known("")
	}
	tell("Service", i.store.Services.Known, i.store.Services.Unknown)
	tell("LimitRange", i.store.LimitRanges.Known, i.store.LimitRanges.Unknown)
	tell("Namespace", i.store.Namespaces.Known, i.store.Namespaces.Unknown)
	mayBe := ""
	for _, kind := range append(i.options.Kinds.Kinds(), workload.Kind{Kind: "Pod"}) {
		if why := i.unread[kind.Kind]; why != "" && mayBe == "" {
			mayBe = fmt.Sprintf("objects of the kind %s cannot be read: %s", kind.Kind, why)
		}
	}
	i.store.PodTemplates.Known(mayBe)
	slices.Sort(i.about.Unread)
	i.strays, i.selectable, i.members = nil, nil, nil
	return i.kept.flush()
}

// Cluster returns what the Inventory says of the cluster, as the context of reviews.
func (i *Inventory) Cluster() *cluster.Store { return i.store }

// Counts returns how much was read.
func (i *Inventory) Counts() Summary {
	about := i.about
	return Summary{Objects: i.objects, Cluster: &about}
}

// Close removes what was kept.
func (i *Inventory) Close() error {
	if err := i.kept.Close(); err != nil {
		return fmt.Errorf("removing what was kept: %w", err)
	}
	return nil
}

// Batches yields what is judged, an object at a time.
func (i *Inventory) Batches(ctx context.Context) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		for all := i.kept.records(); ; {
			raw, err := all.next()
			if errors.Is(err, io.EOF) {
				return
			}
			var b Batch
			if err = cmp.Or(err, ctx.Err()); err == nil {
				b, err = i.batch(raw)
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// batch is the object of a record.
func (i *Inventory) batch(raw []byte) (Batch, error) {
	r := recordReader{left: raw}
	number := r.number()
	o := finding.Object{APIVersion: r.text(), Kind: r.text(), Namespace: r.text(), Name: r.text()}
	if r.failed || number > uint64(len(i.standings)) {
		return Batch{}, io.ErrUnexpectedEOF
	}
	object := Object{Subject: review.Subject{
		Operation: review.Audit, Stored: true, Object: r.left,
		Kind: schema.FromAPIVersionAndKind(o.APIVersion, o.Kind), Namespace: o.Namespace, Name: o.Name,
	}}
	if o.Kind == "Pod" && o.APIVersion == "v1" {
		object.Pods = 1
	}
	if number > 0 {
		s := i.standings[number-1]
		object.Pods, object.Beside = s.pods, s.beside
	}
	if i.options.Observer != nil {
		object.Observed, object.Symptoms = true, i.options.Observer.Symptoms(o)
	}
	return Batch{Objects: []Object{object}, Size: len(raw)}, nil
}

// recordReader takes a record of kept apart.
type recordReader struct {
	left   []byte
	failed bool
}

func (r *recordReader) number() uint64 {
	n, size := binary.Uvarint(r.left)
	if size <= 0 {
		r.failed = true
		return 0
	}
	r.left = r.left[size:]
	return n
}

func (r *recordReader) text() string {
	n := r.number()
	if n > uint64(len(r.left)) {
		r.failed = true
		return ""
	}
	text := string(r.left[:n])
	r.left = r.left[n:]
	return text
}

// NameOf returns the name of an object; empty where it cannot be read.
func NameOf(raw []byte) string {
	var o head
	_ = o.read(raw) // an object without a name that can be read has none
	return o.Metadata.Name
}
