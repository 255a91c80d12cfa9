package audit

import (
	"encoding/json"

	"github.com/forestall/forestall/internal/manifest"
)

// placed returns the JSON of an object with the namespace that it goes to. An object without
// readable metadata is returned as it is: the review tells what is wrong with it.
func (s *Set) placed(o *manifest.Object) []byte {
	if s.namespace == "" || o.Namespace != "" {
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
	if metadata["namespace"], err = json.Marshal(s.namespace); err != nil {
		return o.JSON
	}
	if object["metadata"], err = json.Marshal(metadata); err != nil {
		return o.JSON
	}
	placed, err := json.Marshal(object)
	if err != nil {
		return o.JSON
	}
	return placed
}
