package workload

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// manifest is the part of a submitted object that is decoded: its metadata, its
// pod template and how its controller treats the pods. The rest is not read, so
// that status and fields of newer API versions cost nothing and break nothing.
type manifest interface {
	typeMeta() metav1.TypeMeta
	objectMeta() metav1.ObjectMeta
	// template may return nil: nothing in the JSON forces one to be there.
	template() *corev1.PodTemplateSpec
	// controller is zero for the kinds that control nothing.
	controller() Controller
}

// manifestFor returns the empty manifest to decode into, by the place where the
// kind keeps its template.
func manifestFor(k Kind) manifest {
	if k.custom() {
		return newCustomManifest(k)
	}
	switch k.TemplatePath {
	case templateIsObject:
		return &podManifest{}
	case templateAtRoot:
		return &rootManifest{}
	case templateInCronJob:
		return &cronJobManifest{}
	default:
		return &specManifest{}
	}
}

type header struct {
	metav1.TypeMeta   `json:""`
	metav1.ObjectMeta `json:"metadata"`
}

func (h *header) typeMeta() metav1.TypeMeta     { return h.TypeMeta }
func (h *header) objectMeta() metav1.ObjectMeta { return h.ObjectMeta }

func (*header) controller() Controller { return Controller{} }

// podManifest is a Pod: the object is its own template.
type podManifest struct {
	header
	Spec corev1.PodSpec `json:"spec"`
}

func (m *podManifest) template() *corev1.PodTemplateSpec {
	return &corev1.PodTemplateSpec{ObjectMeta: m.ObjectMeta, Spec: m.Spec}
}

// rootManifest is a PodTemplate.
type rootManifest struct {
	header
	Template *corev1.PodTemplateSpec `json:"template"`
}

func (m *rootManifest) template() *corev1.PodTemplateSpec { return m.Template }

// specManifest is a kind with spec.template: most of them.
type specManifest struct {
	header
	Spec struct {
		Controller
		Template *corev1.PodTemplateSpec `json:"template"`
	} `json:"spec"`
}

func (m *specManifest) template() *corev1.PodTemplateSpec { return m.Spec.Template }
func (m *specManifest) controller() Controller            { return m.Spec.Controller }

// cronJobManifest is a CronJob, which holds the template of a Job.
type cronJobManifest struct {
	header
	Spec struct {
		ConcurrencyPolicy ConcurrencyPolicy `json:"concurrencyPolicy"`
		Suspend           bool              `json:"suspend"`
		JobTemplate       struct {
			Spec struct {
				Controller
				Template *corev1.PodTemplateSpec `json:"template"`
			} `json:"spec"`
		} `json:"jobTemplate"`
	} `json:"spec"`
}

func (m *cronJobManifest) template() *corev1.PodTemplateSpec {
	return m.Spec.JobTemplate.Spec.Template
}

func (m *cronJobManifest) controller() Controller {
	job := m.Spec.JobTemplate.Spec.Controller
	return Controller{
		ActiveDeadlineSeconds: job.ActiveDeadlineSeconds, Parallelism: job.Parallelism, Completions: job.Completions,
		BackoffLimit: job.BackoffLimit, BackoffLimitPerIndex: job.BackoffLimitPerIndex, PodFailurePolicy: job.PodFailurePolicy,
		ConcurrencyPolicy: m.Spec.ConcurrencyPolicy, Suspend: m.Spec.Suspend,
	}
}
