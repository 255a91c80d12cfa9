package memory

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/quantity"
)

// Mounts are the containers of a pod with their limits, for its volumes in memory.
type Mounts struct {
	Containers []*corev1.Container
	Limits     []Quantity
	// Budget bounds the work; nil for the default.
	Budget *budget.Budget
}

// VolumeAsks returns what the volumes in memory of a pod may grow to, by
// container. Pages of a tmpfs count as the memory of who writes them
// (kubernetes.io/docs/concepts/storage/volumes, emptyDir). Who writes most is not
// known, so a volume is the demand of the container that may use most memory; where
// one that may write has no limit, it is nobody's.
func VolumeAsks(volumes []corev1.Volume, path string, m Mounts) map[int][]Ask {
	m.Budget = m.Budget.OrDefault()
	inMemory := map[string]int{} // the containers that own them; nobody at first
	for i := range volumes {
		if m.Budget.Spend(1) && isInMemory(&volumes[i]) {
			inMemory[volumes[i].Name] = nobody
		}
	}
	if len(inMemory) == 0 {
		return nil
	}
	m.own(inMemory)
	asks := map[int][]Ask{}
	for i := range volumes {
		owner, ok := inMemory[volumes[i].Name]
		if !ok || owner < 0 || !isInMemory(&volumes[i]) {
			continue
		}
		size := volumes[i].EmptyDir.SizeLimit
		asks[owner] = append(asks[owner], Ask{
			Kind: Volume, Bytes: quantity.Value(*size), Flag: "sizeLimit",
			Text: "sizeLimit " + size.String() + " of the volume " + strconv.Quote(volumes[i].Name),
			Path: path + ".volumes[" + strconv.Itoa(i) + "].emptyDir.sizeLimit",
		})
	}
	return asks
}

func isInMemory(v *corev1.Volume) bool {
	dir := v.EmptyDir
	return dir != nil && dir.Medium == corev1.StorageMediumMemory && dir.SizeLimit != nil && !dir.SizeLimit.IsZero()
}

// These stand for the owner of a volume that no single container owns: nobody writes to it, or a
// container without a limit may.
const (
	nobody = -1 - iota
	anybody
)

// own finds the owners of volumes by their names, in one walk over all mounts.
func (m Mounts) own(owners map[string]int) {
	for i, c := range m.Containers {
		for j := range c.VolumeMounts {
			if !m.Budget.Spend(1) {
				return
			}
			mount := &c.VolumeMounts[j]
			owner, inMemory := owners[mount.Name]
			switch {
			case !inMemory || mount.ReadOnly || owner == anybody:
			case m.Limits[i].Bytes == 0:
				owners[mount.Name] = anybody
			case owner == nobody || m.Limits[i].Bytes > m.Limits[owner].Bytes:
				owners[mount.Name] = i
			}
		}
	}
}
