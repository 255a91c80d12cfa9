package facts

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/workload"
)

func TestPlainVolumes(t *testing.T) {
	mounted := func(names ...string) workload.Container {
		c := workload.Container{}
		for _, name := range names {
			c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: name, MountPath: "/" + name})
		}
		return c
	}
	volume := func(name string, source corev1.VolumeSource) corev1.Volume {
		return corev1.Volume{Name: name, VolumeSource: source}
	}
	v := &workload.View{
		Containers: []workload.Container{mounted("own", "own", "shared", "config", "node", "claim"), mounted("shared", "secret")},
		PodSpec: corev1.PodSpec{Volumes: []corev1.Volume{
			volume("own", corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}),
			volume("shared", corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}),
			volume("config", corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{}}),
			volume("secret", corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{}}),
			volume("node", corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/var/run"}}),
		}},
	}
	want := plainVolumes{"own": true, "config": true, "secret": true}
	if diff := cmp.Diff(want, observePlainVolumes(nil, v)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
