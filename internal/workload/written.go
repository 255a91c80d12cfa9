package workload

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/quantity"
)

// mostWritten is the largest amount of memory, in bytes, of which it matters how it was written: so little nobody means.
const mostWritten = 64 << 10

// written returns the amounts of memory that were written in another way than Kubernetes writes them, by their place:
// 0.5 where it writes 500m. It reads the object again, and so only where an amount is so small that it was not meant.
// The API server sends its own way to webhooks; a file has that of a person.
func written(raw []byte, v *View) map[string]string {
	own := map[string]string{}
	for i := range v.Containers {
		addSmall(own, &v.Containers[i].Resources, v.Containers[i].Path)
	}
	if v.PodSpec.Resources != nil {
		addSmall(own, v.PodSpec.Resources, v.SpecPath)
	}
	if len(own) == 0 {
		return nil
	}
	var others map[string]string
	//nolint:errcheck // the visit returns none
	eachQuantity(raw, v.SpecPath, func(path, text string) error {
		if canonical, ok := own[path]; ok && canonical != text {
			if others == nil {
				others = map[string]string{}
			}
			others[path] = text
		}
		return nil
	})
	return others
}

// addSmall adds the limit of a container or a pod, and its request, if the limit is so small.
func addSmall(to map[string]string, r *corev1.ResourceRequirements, path string) {
	limit, ok := r.Limits[corev1.ResourceMemory]
	if !ok || limit.CmpInt64(mostWritten) > 0 {
		return
	}
	to[strings.Join([]string{path, "resources", "limits", "memory"}, ".")] = quantity.Text(limit)
	if request, ok := r.Requests[corev1.ResourceMemory]; ok {
		to[strings.Join([]string{path, "resources", "requests", "memory"}, ".")] = quantity.Text(request)
	}
}
