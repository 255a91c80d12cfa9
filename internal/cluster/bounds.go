package cluster

import (
	"maps"
	"slices"
	"strings"
)

// Whoever may create Services decides how many there are, how many ports each has and how long its
// selector is: an object may be as large as etcd takes, 1.5 MiB. So what is kept of one, and what a
// review takes of all, has bounds. Hardly any Service has ten ports or five labels in its selector,
// and hardly any pod has ten Services. What is beyond a bound is unknown and never absent.
const (
	// maxTargets is how many different targets of one Service are kept.
	maxTargets = 64
	// maxSelector is how many bytes of a selector are kept, with pairOverhead for each of its pairs.
	maxSelector  = 2 << 10
	pairOverhead = 48
	// maxSelecting is how many Services that select a pod are looked at.
	maxSelecting = 1024
	// maxNamed is how many Services the input document names, maxNamedPorts how many of their ports,
	// and maxRanges how many bounds of LimitRanges.
	maxNamed      = 64
	maxNamedPorts = 256
	maxRanges     = 64
	// maxMode is the length of the longest value that a label may have, in bytes.
	maxMode = 63
)

// kept returns as many pairs of a selector as are kept, in the order of their keys, and whether
// there are more. It copies the texts, so that the object which they were decoded from is let go.
func kept(selector map[string]string) (pairs map[string]string, more bool) {
	if len(selector) == 0 {
		return nil, false
	}
	pairs = make(map[string]string, min(len(selector), maxSelector/pairOverhead))
	size := 0
	for _, key := range slices.Sorted(maps.Keys(selector)) {
		size += pairOverhead + len(key) + len(selector[key])
		if size > maxSelector {
			return pairs, true
		}
		pairs[strings.Clone(key)] = strings.Clone(selector[key])
	}
	return pairs, false
}
