// Package field finds out what was meant by fields that the API does not know.
package field

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/apijson"
	"github.com/forestall/forestall/internal/similar"
)

// Unknown is a field that the API does not know, or several that stand in an object where they do not belong.
type Unknown struct {
	// Path of the field, of several the first.
	Path string `json:"path"`
	// Object is the path of the object that has no such field; empty for the whole manifest.
	Object string `json:"object"`
	// Container is the name of the container in which the field stands; left out elsewhere.
	Container string `json:"container,omitempty"`
	// Names of the fields in the object, in their order. Several have been put into the wrong place together.
	Names []string `json:"names"`
	// Meant are the fields of the object that are called much the same, the likeliest first.
	Meant []string `json:"meant,omitempty"`
	// Places are where a field of the first name belongs nearby: spec.template.spec.containers[].env.
	Places []string `json:"places,omitempty"`
}

// directive begins the names of what steers a strategic merge patch, such as $patch: the object is one, whatever else is in it.
const directive = "$"

// maxMeant is the length from which on a name is no mistyped one.
const maxMeant = 64

// FindUnknown returns the fields among the problems that nobody knows. What is wrong in one object without looking
// like a slip of the pen is one finding: a block that was moved or indented as a whole.
func FindUnknown(problems []apijson.Problem) []Unknown {
	var all []Unknown
	block := map[string]int{} // by object, which of all holds what was moved there
	for i := range problems {
		p := &problems[i]
		if !p.Unknown || strings.HasPrefix(p.Name, directive) {
			continue
		}
		object := p.In[0]
		meant := meantBy(p.Name, object.Type)
		if at, moved := block[object.Path]; moved && len(meant) == 0 {
			all[at].Names = append(all[at].Names, p.Name)
			continue
		}
		u := Unknown{Path: p.Path, Object: object.Path, Names: []string{p.Name}, Meant: meant}
		if len(meant) == 0 {
			u.Places = placesOf(p.Name, p.In)
			block[object.Path] = len(all)
		}
		all = append(all, u)
	}
	return all
}

// meantBy returns the fields of a type that are called nearly as this one.
func meantBy(name string, in reflect.Type) []string {
	if len(name) > maxMeant {
		return nil
	}
	known := namesOf(in)
	for _, k := range known {
		if strings.EqualFold(plain(name), plain(k)) {
			return []string{k}
		}
	}
	return similar.Mistyped(name, known)
}

// plain leaves out how words are joined: image_pull_policy, image-pull-policy.
func plain(name string) string { return strings.NewReplacer("_", "", "-", "").Replace(name) }

func namesOf(t reflect.Type) []string { return slices.Sorted(maps.Keys(apijson.Fields(t))) }
