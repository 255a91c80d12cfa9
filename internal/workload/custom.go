package workload

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// activeDeadline stands beside the template in kinds that embed the spec of a Job.
const activeDeadline = "activeDeadlineSeconds"

// customManifest is an object of a custom kind. There is no Go type for it, so a struct type is
// made of the paths of the few fields that are read; the object is then decoded like all others.
type customManifest struct {
	kind Kind
	// fields is a pointer to a struct of that type.
	fields reflect.Value
}

func newCustomManifest(k Kind) *customManifest {
	leaves := []leaf{
		{[]string{"apiVersion"}, reflect.TypeFor[string]()},
		{[]string{"kind"}, reflect.TypeFor[string]()},
		{[]string{"metadata"}, reflect.TypeFor[metav1.ObjectMeta]()},
		{strings.Split(k.TemplatePath, "."), reflect.TypeFor[*corev1.PodTemplateSpec]()},
	}
	// Numbers may be of any type: what cannot be read as one is unknown, and no error.
	for _, path := range []string{k.ReplicasPath, k.deadlinePath()} {
		if path != "" {
			leaves = append(leaves, leaf{strings.Split(path, "."), reflect.TypeFor[any]()})
		}
	}
	return &customManifest{kind: k, fields: reflect.New(structOf(leaves))}
}

// deadlinePath returns where the deadline stands in a kind that completes, if it embeds the spec
// of a Job; "" for other kinds.
func (k Kind) deadlinePath() string {
	dot := strings.LastIndexByte(k.TemplatePath, '.')
	if path := k.TemplatePath[:dot+1] + activeDeadline; k.completes() && path != k.ReplicasPath {
		return path
	}
	return ""
}

// into returns what the JSON of an object is decoded into.
func into(m manifest) any {
	if c, ok := m.(*customManifest); ok {
		return c.fields.Interface()
	}
	return m
}

func (m *customManifest) typeMeta() metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: m.at("apiVersion").String(), Kind: m.at("kind").String()}
}

func (m *customManifest) objectMeta() metav1.ObjectMeta {
	meta, _ := m.at("metadata").Interface().(metav1.ObjectMeta)
	return meta
}

func (m *customManifest) template() *corev1.PodTemplateSpec {
	template, _ := m.at(m.kind.TemplatePath).Interface().(*corev1.PodTemplateSpec)
	return template
}

func (m *customManifest) controller() Controller {
	var c Controller
	if n, ok := m.number(m.kind.ReplicasPath); ok && 0 <= n && n <= math.MaxInt32 {
		c.Replicas = new(int32(n))
	}
	if n, ok := m.number(m.kind.deadlinePath()); ok {
		c.ActiveDeadlineSeconds = &n
	}
	return c
}

// number reads a whole number; ok is false where there is none.
func (m *customManifest) number(path string) (n int64, ok bool) {
	if path == "" {
		return 0, false
	}
	switch found := m.at(path).Interface().(type) {
	case int64:
		return found, true
	case float64:
		return int64(found), found == math.Trunc(found) && math.Abs(found) < 1<<53
	}
	return 0, false
}

// at returns the field at a path that newCustomManifest has put there.
func (m *customManifest) at(path string) reflect.Value {
	v := m.fields.Elem()
	for step := range strings.SplitSeq(path, ".") {
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") == step {
				v = v.Field(i)
				break
			}
		}
	}
	return v
}

// leaf is a field that is read, and the steps that lead there.
type leaf struct {
	steps  []string
	typeOf reflect.Type
}

// structOf makes the type of a struct with all the fields and those on the way to them.
func structOf(leaves []leaf) reflect.Type {
	var names []string
	under := map[string][]leaf{}
	for _, l := range leaves {
		name := l.steps[0]
		if _, ok := under[name]; !ok {
			names = append(names, name)
		}
		under[name] = append(under[name], leaf{l.steps[1:], l.typeOf})
	}
	fields := make([]reflect.StructField, 0, len(names))
	for i, name := range names {
		next := under[name][0].typeOf
		if len(under[name][0].steps) > 0 {
			next = structOf(under[name])
		}
		fields = append(fields, reflect.StructField{
			Name: "F" + strconv.Itoa(i), Type: next, Tag: reflect.StructTag(`json:"` + name + `"`),
		})
	}
	return reflect.StructOf(fields)
}

// prepare does what the controller of a custom kind does before the API server applies its defaults.
func (k Kind) prepare(spec *corev1.PodSpec) {
	if k.completes() {
		// A Job accepts no Always, so what makes Jobs of a template cannot leave the field out
		// (github.com/kedacore/keda pkg/scaling/executor/scale_jobs.go).
		setDefault(&spec.RestartPolicy, corev1.RestartPolicyOnFailure)
	}
	if k.Fills.ContainerName == "" {
		return
	}
	for i := range spec.Containers {
		name := k.Fills.ContainerName
		if len(spec.Containers) > 1 {
			name += "-" + strconv.Itoa(i)
		}
		setDefault(&spec.Containers[i].Name, name)
	}
}
