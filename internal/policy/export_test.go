package policy

import "k8s.io/utils/lru"

// Whole returns an engine that gives every rule the whole document.
func (e *Engine) Whole() *Engine {
	whole := *e
	whole.together, whole.reads = lru.New(maxTogether), map[string]*reads{}
	for _, r := range e.rules {
		whole.reads[r.ID] = &reads{all: true}
	}
	return &whole
}
