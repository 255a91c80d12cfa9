package audit

import (
	"cmp"
	"encoding/json"

	"github.com/forestall/forestall/internal/manifest"
)

// home is where the objects of a file go that write no namespace; empty where nobody knows.
func (s *Set) home(in *file) string {
	if in.rendered != nil {
		return cmp.Or(in.rendered.Namespace, s.namespace)
	}
	return s.namespace
}

// placed returns the JSON of an object with the namespace that it goes to. An object without
// readable metadata is returned as it is: the review tells what is wrong with it.
func placed(o *manifest.Object, namespace string) []byte {
	if namespace == "" || o.Namespace != "" {
		return o.JSON
	}
	var object, metadata map[string]json.RawMessage
	if json.Unmarshal(o.JSON, &object) != nil || object == nil {
		return o.JSON
	}
	if raw, ok := object["metadata"]; ok && json.Unmarshal(raw, &metadata) != nil {
		return o.JSON
	}
	if metadata == nil {
		metadata = map[string]json.RawMessage{}
	}
	var err error
	if metadata["namespace"], err = json.Marshal(namespace); err != nil {
		return o.JSON
	}
	if object["metadata"], err = json.Marshal(metadata); err != nil {
		return o.JSON
	}
	raw, err := json.Marshal(object)
	if err != nil {
		return o.JSON
	}
	return raw
}
