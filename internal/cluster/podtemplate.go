package cluster

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/forestall/forestall/internal/apijson"
	"github.com/forestall/forestall/internal/workload"
)

// PodTemplate is what is kept of an object that makes pods, or is one: what tells which
// Services send to its pods, and to which ports.
type PodTemplate struct {
	// Kind, Namespace and Name of the object.
	Kind, Namespace, Name string
	// Labels of its pods.
	Labels map[string]string
	// HostNetwork is true where its pods are on the network of their node.
	HostNetwork bool
	// Containers are those that a Service can send to: the sidecars and the regular ones
	// (k8s.io/kubernetes pkg/api/v1/pod/util.go, FindPort).
	Containers []TemplateContainer
}

// TemplateContainer is a container with the ports that it declares.
type TemplateContainer struct {
	Name  string
	Ports []ContainerPort
}

// ContainerPort is a declared port.
type ContainerPort struct {
	Name     string
	Number   int32
	Protocol string
}

// place has the kind in the name: a Deployment and a Job may be called the same.
func (p *PodTemplate) place() (namespace, name string) { return p.Namespace, p.Kind + "/" + p.Name }

func (p *PodTemplate) found() []label {
	all := make([]label, 0, len(p.Labels))
	for key, value := range p.Labels {
		all = append(all, label{key, value})
	}
	return all
}

// PodsOf returns what makes pods that a selector selects.
func (s *Store) PodsOf(namespace string, selector map[string]string) List[*PodTemplate] {
	one := func(yield func(string, string) bool) {
		for key, value := range selector {
			yield(key, value)
			return
		}
	}
	return s.PodTemplates.selected(orDefault(namespace), one, func(o *PodTemplate) bool { return Selects(selector, o.Labels) })
}

// templateManifest is what is read of an object with a pod template, wherever that stands.
type templateManifest struct {
	Metadata metav1.ObjectMeta `json:"metadata"`
	Spec     struct {
		podSpec
		Template    template `json:"template"`
		JobTemplate struct {
			Spec struct {
				Template template `json:"template"`
			} `json:"spec"`
		} `json:"jobTemplate"`
	} `json:"spec"`
}

type template struct {
	Metadata struct {
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Spec podSpec `json:"spec"`
}

type podSpec struct {
	HostNetwork    bool             `json:"hostNetwork"`
	InitContainers []declaringPorts `json:"initContainers"`
	Containers     []declaringPorts `json:"containers"`
}

type declaringPorts struct {
	Name          string                        `json:"name"`
	RestartPolicy corev1.ContainerRestartPolicy `json:"restartPolicy"`
	Ports         []corev1.ContainerPort        `json:"ports"`
}

// of returns the template of an object of a kind. An object of the kind PodTemplate makes no
// pods by itself, and has none.
func (m *templateManifest) of(k workload.Kind) *template {
	switch k.TemplatePath {
	case "":
		t := &template{Spec: m.Spec.podSpec}
		t.Metadata.Labels = m.Metadata.Labels
		return t
	case "spec.template":
		return &m.Spec.Template
	case "spec.jobTemplate.spec.template":
		return &m.Spec.JobTemplate.Spec.Template
	}
	return nil
}

// addPodTemplate takes in an object with a pod template. What cannot be read of one is told
// when it is judged.
func (s *Store) addPodTemplate(apiVersion, kind string, raw []byte) {
	for _, k := range workload.Kinds() {
		if k.Kind != kind || k.APIVersion() != apiVersion {
			continue
		}
		var m templateManifest
		if err := apijson.Unmarshal(raw, &m); err != nil {
			s.PodTemplates.Known(unread)
			return
		}
		if t := m.of(k); t != nil {
			add(&s.PodTemplates, t.podTemplate(kind, &m.Metadata))
		}
	}
}

func (t *template) podTemplate(kind string, meta *metav1.ObjectMeta) *PodTemplate {
	p := &PodTemplate{
		Kind: kind, Namespace: orDefault(meta.Namespace), Name: meta.Name,
		Labels: t.Metadata.Labels, HostNetwork: t.Spec.HostNetwork,
	}
	if meta.Name == "" {
		p.Name = meta.GenerateName + "*"
	}
	for _, c := range t.Spec.InitContainers {
		if c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			p.Containers = append(p.Containers, c.kept())
		}
	}
	for _, c := range t.Spec.Containers {
		p.Containers = append(p.Containers, c.kept())
	}
	return p
}

func (c *declaringPorts) kept() TemplateContainer {
	k := TemplateContainer{Name: c.Name}
	for _, p := range c.Ports {
		k.Ports = append(k.Ports, ContainerPort{Name: p.Name, Number: p.ContainerPort, Protocol: string(p.Protocol)})
	}
	return k
}
