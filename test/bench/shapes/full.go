package shapes

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// What builds leave in objects. The commit is a number to some parsers.
const (
	commit   = "7e80412"
	revision = "4f0c1b7e9a3d52c86e11d0aa7b5c93f2e8406d1b"
	checksum = "9b1c6f2e8d4a07e53512f8c0a6e94d7b3058e1f29c74ab6d80e3f5127ba9c6d4"
)

// complete adds to an object what a build, an operator and a mesh write into it.
func (s Shape) complete(meta *metav1.ObjectMeta, template *corev1.PodTemplateSpec, variant int) {
	labels := map[string]string{
		"app": meta.Labels["app"], "app.kubernetes.io/name": "shop", "app.kubernetes.io/instance": "shop-production",
		"app.kubernetes.io/version": "1.4.0", "app.kubernetes.io/component": "server", "app.kubernetes.io/part-of": "store",
		"app.kubernetes.io/managed-by": "Helm", "helm.sh/chart": "shop-1.4.0", "team": "checkout",
		"security.istio.io/tlsMode": "istio", "service.istio.io/canonical-revision": "latest",
	}
	meta.Labels, template.Labels = labels, labels
	meta.Annotations = map[string]string{
		"deployment.kubernetes.io/revision": "17", "meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": Namespace,
		"argocd.argoproj.io/tracking-id": "store:apps/Deployment:shop/shop",
	}
	template.Annotations = annotations(variant)
	if s.Kind == "Pod" { // what an operator of its own creates, so that it is judged as a bare one
		meta.OwnerReferences = []metav1.OwnerReference{{
			APIVersion: "shop.example.com/v1", Kind: "Shop", Name: "shop", UID: "52b9c1de-3c7f-4a0e-8f52-9d6c1e3b7a40",
			Controller: ptr.To(true), BlockOwnerDeletion: ptr.To(true),
		}}
	}
	completeSpec(&template.Spec, variant)
}

func annotations(variant int) map[string]string {
	return map[string]string{
		"checksum/config":                                checksum,
		"checksum/secret":                                checksum[:57] + fmt.Sprintf("%07d", variant),
		"ci.example.com/commit":                          revision,
		"ci.example.com/commit-short":                    commit,
		"ci.example.com/pipeline":                        "https://ci.example.com/store/shop/-/pipelines/1849372",
		"ci.example.com/built":                           "2026-01-02T03:04:05.123456Z",
		"kubectl.kubernetes.io/default-container":        "app-0",
		"kubectl.kubernetes.io/restartedAt":              "2026-01-05T17:20:31+01:00",
		"prometheus.io/scrape":                           "true",
		"prometheus.io/port":                             "15020",
		"prometheus.io/path":                             "/stats/prometheus",
		"sidecar.istio.io/proxyCPULimit":                 "2",
		"sidecar.istio.io/status":                        `{"initContainers":["istio-validation"],"containers":["istio-proxy"],"volumes":["workload-socket","istio-envoy","istio-data","istio-podinfo"],"imagePullSecrets":null,"revision":"default"}`,
		"cluster-autoscaler.kubernetes.io/safe-to-evict": "true",
	}
}

func completeSpec(spec *corev1.PodSpec, variant int) {
	spec.ImagePullSecrets = []corev1.LocalObjectReference{{Name: "registry"}}
	spec.SecurityContext = &corev1.PodSecurityContext{
		RunAsNonRoot: ptr.To(true), RunAsUser: ptr.To[int64](10001), FSGroup: ptr.To[int64](10001),
		SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
	}
	spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
		MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.ScheduleAnyway,
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app.kubernetes.io/name": "shop"}},
	}}
	spec.Volumes = []corev1.Volume{
		{Name: "data", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
		{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
		{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
			LocalObjectReference: corev1.LocalObjectReference{Name: "shop"},
		}}},
	}
	for i := range spec.Containers {
		completeContainer(&spec.Containers[i], i, variant)
	}
}

func completeContainer(c *corev1.Container, i, variant int) {
	c.Image = fmt.Sprintf("registry.example.com:5000/store/shop/app-%d@sha256:%s%07d", i, checksum[:57], variant)
	c.Env = append(c.Env, []corev1.EnvVar{
		{Name: "COMMIT", Value: commit},
		{Name: "REVISION", Value: revision},
		{Name: "CONFIG_SHA256", Value: checksum},
		{Name: "TRACE_SEED", Value: "0x9E3779B97F4A7C15"},
		{Name: "DATABASE_URL", Value: "postgres://shop.database.svc.cluster.local:5432/shop?sslmode=verify-full"},
		{Name: "OTEL_EXPORTER_OTLP_ENDPOINT", Value: "http://collector.observability.svc.cluster.local:4317"},
		{Name: "OTEL_RESOURCE_ATTRIBUTES", Value: "service.name=shop,service.version=1.4.0,deployment.environment=production"},
		{Name: "HTTP_TIMEOUT_SECONDS", Value: "30"},
		{Name: "POD_NAME", ValueFrom: fromField("metadata.name")},
		{Name: "POD_NAMESPACE", ValueFrom: fromField("metadata.namespace")},
		{Name: "NODE_NAME", ValueFrom: fromField("spec.nodeName")},
		{Name: "DATABASE_PASSWORD", ValueFrom: fromSecret("database", "password")},
		{Name: "SESSION_KEY", ValueFrom: fromSecret("session", "key")},
	}...)
	c.SecurityContext = &corev1.SecurityContext{
		AllowPrivilegeEscalation: ptr.To(false), ReadOnlyRootFilesystem: ptr.To(true), RunAsNonRoot: ptr.To(true),
		Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
	}
	c.VolumeMounts = append(c.VolumeMounts,
		corev1.VolumeMount{Name: "tmp", MountPath: "/tmp"},
		corev1.VolumeMount{Name: "config", MountPath: "/etc/shop", ReadOnly: true})
}
