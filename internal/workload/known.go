package workload

// Known lists custom kinds whose pod template is known from the source of their API. The slice is
// the caller's own.
//
// A kind is here when its template stands at one place, and its pods are as the template says
// except for what Fills names. How its controller replaces pods is not read.
func Known() []Kind {
	return append([]Kind{
		// github.com/argoproj/argo-rollouts pkg/apis/rollouts/v1alpha1/types.go, RolloutSpec. With a
		// workloadRef the template is that of another object, which is judged itself.
		known("argoproj.io", "v1alpha1", "Rollout", "rollouts", "Deployment", Fills{}),
		// github.com/openshift/api apps/v1/types.go, DeploymentConfigSpec. A trigger of type
		// ImageChange writes images into the template, which may hold a blank in their place.
		known("apps.openshift.io", "v1", "DeploymentConfig", "deploymentconfigs", "Deployment", Fills{Images: true}),
		knativeService(),
		scaledJob(),
	}, kruise()...)
}

// known returns a kind of the most common shape: spec.template and spec.replicas.
func known(group, version, kind, resource, like string, fills Fills) Kind {
	return Kind{
		Group: group, Version: version, Kind: kind, Resource: resource,
		TemplatePath: templateInSpec, SpecPath: templateInSpec + ".spec",
		Like: like, ReplicasPath: "spec.replicas", Fills: fills,
	}
}

// kruise are the kinds of OpenKruise (github.com/openkruise/kruise apis/apps/v1alpha1 and
// v1beta1: cloneset_types.go, statefulset_types.go, daemonset_types.go). It completes the
// template with the defaults of the core API (apis/apps/defaults).
func kruise() []Kind {
	const group = "apps.kruise.io"
	var all []Kind
	for _, version := range []string{"v1alpha1", "v1beta1"} {
		daemons := known(group, version, "DaemonSet", "daemonsets", "DaemonSet", Fills{})
		daemons.ReplicasPath = ""
		all = append(
			all,
			known(group, version, "CloneSet", "clonesets", "Deployment", Fills{}),
			known(group, version, "StatefulSet", "statefulsets", "StatefulSet", Fills{}),
			daemons,
		)
	}
	return all
}

// knativeService is github.com/knative/serving pkg/apis/serving/v1/service_types.go. Knative
// names containers (revision_defaults.go). It adds the variables PORT and K_*, gives ports to
// probes that have none and has readiness asked by a container of its own
// (pkg/reconciler/revision/resources/deploy.go), and replaces tags by digests
// (https://knative.dev/docs/serving/tag-resolution/). It decides itself how many pods there are.
func knativeService() Kind {
	k := known("serving.knative.dev", "v1", "Service", "services", "Deployment",
		Fills{Env: true, Probes: true, Images: true, ContainerName: "user-container"})
	k.ReplicasPath = ""
	return k
}

// scaledJob is github.com/kedacore/keda apis/keda/v1alpha1/scaledjob_types.go: jobTargetRef
// is the spec of a Job.
func scaledJob() Kind {
	k := known("keda.sh", "v1alpha1", "ScaledJob", "scaledjobs", "Job", Fills{})
	k.TemplatePath, k.SpecPath, k.ReplicasPath = "spec.jobTargetRef.template", "spec.jobTargetRef.template.spec", ""
	return k
}
