package policy

import (
	"slices"

	"github.com/forestall/forestall/internal/cluster"
)

// reads tells what is read of a value: all of it, or some parts. The zero value reads only
// whether the value is there.
type reads struct {
	all   bool
	parts map[string]*reads
}

// anyPart stands for any element of a list, or any key of a map.
const anyPart = "*"

// place is the way from the input document to a value in it.
type place []string

// below returns a place within this one.
func (p place) below(steps ...string) place {
	return append(p[:len(p):len(p)], steps...)
}

// at returns the reads of a place. It notes that the rule reads whether the place is there.
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

// add notes everything that is read in other.
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

// cluster returns the parts of the cluster's context in which something is read.
func (r *reads) cluster() cluster.Parts {
	read := func(fields ...string) bool {
		return slices.ContainsFunc(fields, func(field string) bool { return r.touches(place{"cluster", field}) })
	}
	return cluster.Parts{
		Services:     read("services", "moreServices"),
		ServicePorts: read("servicePorts", "moreServicePorts"),
		LimitRanges:  read("defaultMemoryLimit", "memoryRanges"),
	}
}

// anonymous reports whether the same is read of any two objects that differ only in their names
// and bookkeeping (workload.WriteContent) and in who sent them.
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
