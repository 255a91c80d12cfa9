package facts

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/workload"
)

// plainVolumes are the volumes, by name, in which there are only ordinary files: what the kubelet writes, and the
// empty directories that one container alone mounts. In any other one somebody else may have made a named pipe.
type plainVolumes map[string]bool

func observePlainVolumes(b *budget.Budget, v *workload.View) plainVolumes {
	users := map[string]int{}
	for i := range v.Containers {
		mounts := v.Containers[i].VolumeMounts
		b.Spend(len(mounts))
		seen := make(map[string]bool, len(mounts))
		for j := range mounts {
			if name := mounts[j].Name; !seen[name] {
				seen[name] = true
				users[name]++
			}
		}
	}
	plain := plainVolumes{}
	b.Spend(len(v.PodSpec.Volumes))
	for i := range v.PodSpec.Volumes {
		volume := &v.PodSpec.Volumes[i]
		if isWritten(&volume.VolumeSource) || volume.EmptyDir != nil && users[volume.Name] < 2 {
			plain[volume.Name] = true
		}
	}
	return plain
}

// isWritten reports whether the kubelet writes the files of a volume.
func isWritten(source *corev1.VolumeSource) bool {
	return source.ConfigMap != nil || source.Secret != nil || source.Projected != nil || source.DownwardAPI != nil
}
