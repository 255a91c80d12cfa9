package port

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/budget"
)

// Files are the volumes of a pod, by name, that may hold the configuration of a program.
type Files map[string]bool

// clusterCA is the ConfigMap that the API server puts into every namespace and, with a token, into every pod
// (k8s.io/kubernetes plugin/pkg/admission/serviceaccount/admission.go, TokenVolumeSource).
const clusterCA = "kube-root-ca.crt"

// FilesOf returns the volumes that hold files from outside the pod: those of ConfigMaps, Secrets and the node, and what
// an init container may have written. Data that the program keeps for itself is none.
func FilesOf(b *budget.Budget, spec *corev1.PodSpec) Files {
	if len(spec.Volumes) == 0 || !b.Spend(len(spec.Volumes)) {
		return nil
	}
	written := map[string]bool{}
	for i := range spec.InitContainers {
		if !b.Spend(len(spec.InitContainers[i].VolumeMounts)) {
			return nil
		}
		for _, m := range spec.InitContainers[i].VolumeMounts {
			written[m.Name] = !m.ReadOnly || written[m.Name]
		}
	}
	files := Files{}
	for i := range spec.Volumes {
		v := &spec.Volumes[i]
		files[v.Name] = written[v.Name] || holdsFiles(v)
	}
	return files
}

func holdsFiles(v *corev1.Volume) bool {
	if v.Projected != nil {
		return slices.ContainsFunc(v.Projected.Sources, func(s corev1.VolumeProjection) bool {
			return s.Secret != nil || s.ConfigMap != nil && s.ConfigMap.Name != clusterCA
		})
	}
	return v.ConfigMap != nil || v.Secret != nil || v.HostPath != nil || v.CSI != nil || v.FlexVolume != nil || v.Image != nil
}

// tokens is where a pod has the credentials of its ServiceAccount.
const tokens = "/var/run/secrets/kubernetes.io/"

// Configured returns the place of a file that may tell the container where to listen: one that is mounted, or that
// a word or variable of the container names. Empty for none.
func (f Files) Configured(b *budget.Budget, c *corev1.Container, path string) string {
	for i, m := range c.VolumeMounts {
		if b.Spend(1) && f[m.Name] && !strings.HasPrefix(m.MountPath, tokens) {
			return indexed(path, "volumeMounts", i)
		}
	}
	for _, list := range []struct {
		field string
		words []string
	}{{"command", c.Command}, {"args", c.Args}} {
		for i, word := range list.words {
			if b.Spend(1+min(len(word), maxWord)/perStep) && len(word) <= maxWord && slices.ContainsFunc(strings.Fields(word), configures) {
				return indexed(path, list.field, i)
			}
		}
	}
	for i, v := range c.Env {
		if b.Spend(1) && configFile(v.Value) {
			return indexed(path, "env", i)
		}
	}
	return ""
}

// configures tells whether a word names a file of configuration: --config=..., -conf, /etc/app.yaml.
func configures(word string) bool {
	name, value, _ := strings.Cut(word, "=")
	flag := strings.HasPrefix(name, "-") && strings.Contains(strings.ToLower(name), "conf")
	return flag || configFile(strings.Trim(word, `"';`)) || configFile(strings.Trim(value, `"';`))
}

// configFile tells by its name whether a file holds configuration.
func configFile(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	return dot >= 0 && slices.Contains([]string{
		".yaml", ".yml", ".json", ".toml", ".conf", ".cfg", ".ini", ".properties", ".hcl", ".cnf", ".xml", ".rb", ".config",
	}, name[dot:])
}
