package memory

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/quantity"
)

// Mounts are the containers of a pod with their limits, for its volumes in memory.
type Mounts struct {
	Containers []*corev1.Container
	Limits     []Quantity
}

// VolumeAsks returns what the volumes in memory of a pod may grow to, by
// container. Pages of a tmpfs count as the memory of who writes them
// (kubernetes.io/docs/concepts/storage/volumes, emptyDir). Who writes most is not
// known, so a volume is the demand of the container that may use most memory; where
// one that may write has no limit, it is nobody's.
func VolumeAsks(volumes []corev1.Volume, path string, m Mounts) map[int][]Ask {
	var asks map[int][]Ask
	for i := range volumes {
		dir := volumes[i].EmptyDir
		if dir == nil || dir.Medium != corev1.StorageMediumMemory || dir.SizeLimit == nil || dir.SizeLimit.IsZero() {
			continue
		}
		owner := m.owner(volumes[i].Name)
		if owner < 0 {
			continue
		}
		if asks == nil {
			asks = map[int][]Ask{}
		}
		asks[owner] = append(asks[owner], Ask{
			Kind: Volume, Bytes: quantity.Value(*dir.SizeLimit), Flag: "sizeLimit",
			Text: "sizeLimit " + dir.SizeLimit.String() + " of the volume " + strconv.Quote(volumes[i].Name),
			Path: path + ".volumes[" + strconv.Itoa(i) + "].emptyDir.sizeLimit",
		})
	}
	return asks
}

func (m Mounts) owner(volume string) int {
	owner := -1
	for i, c := range m.Containers {
		if !writes(c, volume) {
			continue
		}
		if m.Limits[i].Bytes == 0 {
			return -1
		}
		if owner < 0 || m.Limits[i].Bytes > m.Limits[owner].Bytes {
			owner = i
		}
	}
	return owner
}

func writes(c *corev1.Container, volume string) bool {
	for i := range c.VolumeMounts {
		if c.VolumeMounts[i].Name == volume && !c.VolumeMounts[i].ReadOnly {
			return true
		}
	}
	return false
}
