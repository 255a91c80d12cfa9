// Package cpu observes what CPU a container requests.
package cpu

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/quantity"
)

// mostMillicores is the number from which on it makes no sense as millicores either: 100 cores.
const mostMillicores = 100_000

// Facts are the CPU observations of one container.
type Facts struct {
	// Request is the CPU that the scheduler keeps for the container.
	Request Request `json:"request"`
}

// Request is a request for CPU and where it comes from. Zero counts as none.
type Request struct {
	fact.Observation
	// Cores is how many whole cores that are, rounded down.
	Cores int64 `json:"cores"`
	// Text is the quantity; whole cores without a suffix.
	Text string `json:"text,omitempty"`
	// Binary says that it has a suffix that belongs to memory: "100Mi".
	Binary bool `json:"binary"`
	// Instead is the same number with the unit of thousandths: "100m".
	Instead string `json:"instead,omitempty"`
	// Also is the place of the limit, where one of the same amount is written beside the request.
	Also string `json:"also,omitempty"`
}

// Observe returns the CPU facts of one container. Where only a limit is written,
// the API server makes it the request too (pkg/apis/core/v1/defaults.go, SetDefaults_Pod).
func Observe(r corev1.ResourceRequirements, path string) Facts {
	place, limitPlace := path+".resources.requests.cpu", path+".resources.limits.cpu"
	q, requested := r.Requests[corev1.ResourceCPU]
	limit, limited := r.Limits[corev1.ResourceCPU]
	if limited && !requested {
		q, place = limit, limitPlace
	}
	if q.Sign() <= 0 {
		return Facts{Request: Request{Observation: fact.AbsentAt(place)}}
	}
	request := Request{
		Observation: fact.PresentAt(place), Cores: cores(q), Text: quantity.Text(q), Binary: q.Format == resource.BinarySI,
	}
	request.Text, request.Instead = meant(q, request)
	if requested && limited && q.Cmp(limit) == 0 {
		request.Also = limitPlace
	}
	return Facts{Request: request}
}

// cores rounds down, so that a number is reached only by a request of that much.
func cores(q resource.Quantity) int64 {
	n := quantity.Value(q)
	if q.CmpInt64(n) < 0 {
		n--
	}
	return n
}

// meant returns the text of a quantity as people write it, and the same number in
// thousandths, where one of them may have been meant.
func meant(q resource.Quantity, r Request) (text, instead string) {
	if number, ok := strings.CutSuffix(r.Text, "Mi"); ok {
		if q.CmpInt64(mostMillicores<<20) >= 0 {
			return r.Text, ""
		}
		return r.Text, number + "m"
	}
	if r.Binary || r.Cores > mostMillicores || q.CmpInt64(r.Cores) != 0 {
		return r.Text, ""
	}
	// Not "1k", which is how the API server writes 1000.
	number := strconv.FormatInt(r.Cores, 10)
	if r.Cores >= mostMillicores {
		return number, ""
	}
	return number, number + "m"
}
