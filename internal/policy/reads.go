package policy

// reads is what is read of a value: all of it, or some of its parts. The zero value is
// that it is there, and nothing else.
type reads struct {
	all   bool
	parts map[string]*reads
}

// anyPart is the part that stands for whichever element of a list, or key of a map.
const anyPart = "*"

// place is the way from the input document to a value in it.
type place []string

// below is a place within another.
func (p place) below(steps ...string) place {
	return append(p[:len(p):len(p)], steps...)
}

// at returns what is read at a place, which is noted as being there.
func (r *reads) at(p place) *reads {
	for _, step := range p {
		if r.all {
			return r
		}
		if r.parts == nil {
			r.parts = map[string]*reads{}
		}
		if r.parts[step] == nil {
			r.parts[step] = &reads{}
		}
		r = r.parts[step]
	}
	return r
}

// whole notes that all is read.
func (r *reads) whole() { r.all, r.parts = true, nil }

// add notes what is read elsewhere.
func (r *reads) add(other *reads) {
	if other.all {
		r.whole()
	}
	if r.all {
		return
	}
	for name, part := range other.parts {
		r.at(place{name}).add(part)
	}
}

// touches reports whether something is read at a place, above or below it.
func (r *reads) touches(p place) bool {
	for _, step := range p {
		if r.all || r.parts[anyPart] != nil {
			return true
		}
		if r = r.parts[step]; r == nil {
			return false
		}
	}
	return true
}

// anonymous reports whether what is read is the same for objects that differ in nothing
// but their names and bookkeeping (workload.WriteContent), sent by whomever.
func (r *reads) anonymous() bool {
	for _, telling := range []place{
		{"object"}, {"request", "name"}, {"request", "dryRun"}, {"request", "user"}, {"workload", "name"},
	} {
		if r.touches(telling) {
			return false
		}
	}
	for _, telling := range []string{ // what workload.WriteContent leaves out
		"name", "generateName", "uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink",
	} {
		if r.touches(place{"pod", "metadata", telling}) {
			return false
		}
	}
	return true
}
