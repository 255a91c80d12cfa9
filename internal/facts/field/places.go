package field

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/apijson"
)

const (
	// maxDepth is how far below an object a field is looked for, and maxPlaces how many places are told: a name that
	// is at home in more of them says nothing.
	maxDepth  = 4
	maxPlaces = 2
)

// placesOf returns where a field of this name belongs: below the object in which it was found, else in one around it. What stands
// beside the object is another thing: a field of one type of volume is none of the others.
func placesOf(name string, in []apijson.Object) []string {
	found := below(name, in[0])
	for i := 1; i < len(in) && len(found) == 0; i++ {
		found = around(name, in[i], in[0])
	}
	if len(found) > maxPlaces {
		return nil
	}
	return found
}

// around looks for a field in an object, and in the one there that is called like the inner one: the securityContext of the pod.
func around(name string, object, from apijson.Object) []string {
	fields := apijson.Fields(object.Type)
	if _, ok := fields[name]; ok {
		return []string{join(object.Path, name)}
	}
	last := from.Path[strings.LastIndexByte(from.Path, '.')+1:]
	if same, ok := inner(join(object.Path, last), fields[last]); ok && same.path != from.Path {
		if _, ok := fieldsOf(same.t)[name]; ok {
			return []string{join(same.path, name)}
		}
	}
	return nil
}

// branch is a type, and the way to it.
type branch struct {
	path string
	t    reflect.Type
}

// below looks for a field at the least depth at which there is one.
func below(name string, object apijson.Object) []string {
	level := []branch{{object.Path, object.Type}}
	seen := map[reflect.Type]bool{}
	for range maxDepth {
		var found []string
		var next []branch
		for _, b := range level {
			seen[b.t] = true
			if _, ok := fieldsOf(b.t)[name]; ok {
				found = append(found, join(b.path, name))
			}
			next = append(next, b.inner(seen)...)
		}
		if len(found) > 0 {
			slices.Sort(found)
			return found
		}
		level = next
	}
	return nil
}

// inner returns the objects in the fields of a branch, but those of types that were looked through.
func (b branch) inner(seen map[reflect.Type]bool) []branch {
	var all []branch
	fields := fieldsOf(b.t)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if next, ok := inner(join(b.path, name), fields[name]); ok && !aside(name) && !seen[next.t] {
			all = append(all, next)
		}
	}
	return all
}

// fieldsOf returns the fields of a struct; a list of resources has those that people write.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	if t != reflect.TypeFor[corev1.ResourceList]() {
		return apijson.Fields(t)
	}
	all := map[string]reflect.Type{}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage} {
		all[string(name)] = t.Elem()
	}
	return all
}

// inner returns what is within a field, where that has fields.
func inner(path string, t reflect.Type) (branch, bool) {
	for t != nil {
		switch {
		case t.Kind() == reflect.Pointer:
			t = t.Elem()
		case t.Kind() == reflect.Slice:
			path, t = path+"[]", t.Elem()
		default:
			fields := t.Kind() == reflect.Struct && !apijson.DecodesItself(t) || t == reflect.TypeFor[corev1.ResourceList]()
			return branch{path, t}, fields
		}
	}
	return branch{}, false
}

// aside are fields in which nobody looks for another one: what the server writes, and the copies of a container that
// are not the usual one.
func aside(name string) bool {
	return slices.Contains([]string{"status", "managedFields", "ownerReferences", "initContainers", "ephemeralContainers", "ephemeral"}, name)
}

func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }
