package main

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/test/apiserver"
)

// writers is how many objects are created at once.
const writers = 24

// maker creates the objects of a cluster.
type maker struct {
	options
	client client.Client
	owners []client.Object // of pods, one for each workload
	specs  []corev1.PodTemplateSpec
	made   int
}

func newMaker(c *apiserver.Cluster, o options) *maker {
	return &maker{options: o, client: c.Client, owners: make([]client.Object, o.workloads), specs: make([]corev1.PodTemplateSpec, o.workloads)}
}

// each calls make for 0 to n-1, several at once.
func each(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(writers)
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		all.Go(func() error { return do(ctx, i) })
	}
	return all.Wait()
}

const namespaces = 50

func namespaceOf(workload int) string { return fmt.Sprintf("team-%02d", workload%namespaces) }

// around creates what is there beside pods: namespaces, nodes, workloads and Services.
func (m *maker) around(ctx context.Context) error {
	err := each(ctx, namespaces, func(ctx context.Context, i int) error {
		name := namespaceOf(i)
		if err := m.client.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}); err != nil {
			return err
		}
		return m.client.Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: name, Name: "default"}})
	})
	if err != nil {
		return fmt.Errorf("creating namespaces: %w", err)
	}
	if err := each(ctx, m.nodes, m.node); err != nil {
		return fmt.Errorf("creating nodes: %w", err)
	}
	if err := each(ctx, m.workloads, m.workload); err != nil {
		return fmt.Errorf("creating workloads: %w", err)
	}
	return nil
}

func (m *maker) node(ctx context.Context, i int) error {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: nodeName(i)}}
	if err := m.client.Create(ctx, n); err != nil {
		return err
	}
	given := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("16"), corev1.ResourceMemory: resource.MustParse("64Gi"), corev1.ResourcePods: resource.MustParse("110")}
	ready := corev1.ConditionTrue
	if i%100 == 99 {
		ready = corev1.ConditionFalse
	}
	n.Status.Capacity, n.Status.Allocatable = given, given
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready, LastTransitionTime: metav1.Now()}}
	return m.client.Status().Update(ctx, n)
}

func nodeName(i int) string { return fmt.Sprintf("node-%03d", i) }

// wrong and injected are the workloads with a mistake, and those whose pods get a container.
func wrong(workload int) bool    { return workload%20 == 7 }
func injected(workload int) bool { return workload%20 == 13 }

// workload creates a workload and what its controller makes of it but pods.
func (m *maker) workload(ctx context.Context, i int) error {
	name := fmt.Sprintf("app-%04d", i)
	meta := metav1.ObjectMeta{Namespace: namespaceOf(i), Name: name, Labels: map[string]string{"app": name}}
	template := m.template(i, name)
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}
	var owner client.Object
	switch i % 30 {
	case 1:
		owner = &appsv1.StatefulSet{ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{ServiceName: name, Selector: selector, Template: template}}
	case 2:
		owner = &appsv1.DaemonSet{ObjectMeta: meta, Spec: appsv1.DaemonSetSpec{Selector: selector, Template: template}}
	case 3:
		template.Spec.RestartPolicy = corev1.RestartPolicyNever
		spec := batchv1.JobSpec{Template: template}
		cron := &batchv1.CronJob{ObjectMeta: meta, Spec: batchv1.CronJobSpec{Schedule: "0 3 * * *", JobTemplate: batchv1.JobTemplateSpec{Spec: spec}}}
		if err := m.client.Create(ctx, cron); err != nil {
			return err
		}
		owner = &batchv1.Job{ObjectMeta: owned(cron, "batch/v1", "CronJob", name+"-1"), Spec: spec}
	default:
		d := &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Selector: selector, Template: template}}
		if err := m.client.Create(ctx, d); err != nil {
			return err
		}
		owner = &appsv1.ReplicaSet{ObjectMeta: owned(d, "apps/v1", "Deployment", name+"-1"), Spec: appsv1.ReplicaSetSpec{Selector: selector, Template: d.Spec.Template}}
	}
	if err := m.client.Create(ctx, owner); err != nil {
		return err
	}
	m.owners[i], m.specs[i] = owner, template
	if i%3 != 0 {
		return nil
	}
	// The API server has 254 addresses for Services that are not headless.
	service := corev1.ServiceSpec{ClusterIP: corev1.ClusterIPNone, Selector: map[string]string{"app": name}, Ports: []corev1.ServicePort{{Port: 80}}}
	return m.client.Create(ctx, &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: meta.Namespace, Name: name}, Spec: service})
}

// owned is the metadata of what a controller makes.
func owned(owner client.Object, apiVersion, kind, name string) metav1.ObjectMeta {
	yes := true
	return metav1.ObjectMeta{Namespace: owner.GetNamespace(), Name: name, OwnerReferences: []metav1.OwnerReference{
		{APIVersion: apiVersion, Kind: kind, Name: owner.GetName(), UID: owner.GetUID(), Controller: &yes},
	}}
}

// template is the pod template of a workload: two containers with the usual things.
func (*maker) template(i int, name string) corev1.PodTemplateSpec {
	limits := func(memory string) corev1.ResourceRequirements {
		return corev1.ResourceRequirements{
			Limits:   corev1.ResourceList{corev1.ResourceMemory: resource.MustParse(memory)},
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("64Mi")},
		}
	}
	server := corev1.Container{
		Name: "server", Image: "registry.example.com/" + name + "/server:1.4." + fmt.Sprint(i), Resources: limits("512Mi"),
		Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}},
	}
	for n := range 20 {
		server.Env = append(server.Env, corev1.EnvVar{Name: fmt.Sprintf("SETTING_%02d", n), Value: fmt.Sprintf("value %d of %s, as long as they are", n, name)})
	}
	agent := corev1.Container{Name: "agent", Image: "registry.example.com/observe/agent:3.1.0", Resources: limits("128Mi"), Args: []string{"--quiet"}}
	if wrong(i) {
		agent.Command, agent.Args = []string{"sh", "-c", "echo started"}, nil
	}
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": name}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{server, agent}},
	}
}
