package port

import "slices"

// maxPlaces bounds the places that are kept of one number. A container has at most one of them,
// so the first ones tell of other containers than the one that asks. A place in a container that
// may listen is always among them.
const maxPlaces = 8

// mentions keeps the commands of probes and hooks apart: where such a command asks
// a port, it is no evidence that somebody listens.
type mentions struct{ said, exec places }

// places returns the first places, at most one of each container.
type places []kept

type kept struct {
	Place
	listens bool // the container may open a port
}

func (p *places) add(at kept) {
	listens := func(k kept) bool { return k.listens }
	known := func(k kept) bool { return k.Container == at.Container }
	switch {
	case slices.ContainsFunc(*p, known):
	case len(*p) < maxPlaces:
		*p = append(*p, at)
	case at.listens && !slices.ContainsFunc(*p, listens):
		(*p)[maxPlaces-1] = at
	}
}

func (p places) places() []Place {
	var all []Place
	for _, at := range p {
		all = append(all, at.Place)
	}
	return all
}

func (p places) containers() []string {
	var names []string
	for _, at := range p {
		names = append(names, at.Container)
	}
	return names
}

// place is a place in a container.
func (c Container) place(path string) kept {
	return kept{Place: Place{Container: c.Name, Path: path}, listens: c.Listens}
}
