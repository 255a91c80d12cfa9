// Package cpu observes what CPU a container requests.
package cpu

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/forestall/forestall/internal/facts/fact"
)

// largeCores is what no ordinary container requests: whole cores in three
// digits. As a number of millicores it would be an ordinary request.
const largeCores = 100

// Facts are the CPU observations of one container.
type Facts struct {
	// Large is a request of 100 cores or more.
	Large Request `json:"large"`
}

// Request is a request for CPU and where it comes from.
type Request struct {
	fact.Observation
	// Cores is the amount in whole cores, rounded up.
	Cores int64 `json:"cores,omitempty"`
	// Text is the quantity; whole cores without a suffix.
	Text string `json:"text,omitempty"`
	// Binary says that it has a suffix that belongs to memory: "100Mi".
	Binary bool `json:"binary"`
	// Instead is the same number with the unit that was probably meant: "100m".
	Instead string `json:"instead,omitempty"`
}

// Observe returns the CPU facts of one container. Where only a limit is written,
// the API server makes it the request too (pkg/apis/core/v1/defaults.go, SetDefaults_Pod),
// so the path is that of the limit where both are the same.
func Observe(r corev1.ResourceRequirements, path string) Facts {
	place := path + ".resources.requests.cpu"
	q, ok := r.Requests[corev1.ResourceCPU]
	if limit, limited := r.Limits[corev1.ResourceCPU]; limited && (!ok || q.Cmp(limit) == 0) {
		q, ok = limit, true
		place = path + ".resources.limits.cpu"
	}
	if !ok || q.CmpInt64(largeCores) < 0 {
		return Facts{Large: Request{Observation: fact.AbsentAt(place)}}
	}
	request := Request{
		Observation: fact.PresentAt(place), Cores: q.Value(), Text: q.String(), Binary: q.Format == resource.BinarySI,
	}
	switch {
	case request.Binary:
		request.Instead = number(request.Text) + "m"
	case q.CmpInt64(request.Cores) == 0:
		// Not "1k", which is how the API server writes 1000.
		request.Text = strconv.FormatInt(request.Cores, 10)
		request.Instead = request.Text + "m"
	}
	return Facts{Large: request}
}

// number is the text without its suffix.
func number(text string) string { return strings.TrimRight(text, "KMGTPEi") }
