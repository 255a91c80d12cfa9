package live_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/audit/live"
	"github.com/forestall/forestall/internal/builtin"
	"github.com/forestall/forestall/internal/evidence"
	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/kubeapi"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/internal/workload"
	"github.com/forestall/forestall/test/apiserver"
	"github.com/forestall/forestall/test/apiserver/apiservertest"
)

const shop = "shop"

// TestRead audits a real API server. There are no controllers: the test makes what they would make.
func TestRead(t *testing.T) {
	c := apiservertest.Start(t)
	if _, stderr, code := c.Kubectl(t.Context(), "apply", "-f", "testdata/shop.yaml"); code != 0 {
		t.Fatal(stderr)
	}
	s := stage{t, c}
	web := s.deployment("web")
	s.pods(web, "web", 3, nil)
	s.pods(web, "web-meshed", 2, func(p *corev1.Pod) {
		p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "mesh", Image: "registry.example.com/mesh/proxy:1"})
	})
	s.replicaSet("web", "web-old", 0)
	s.statefulPods("db", 2)
	s.jobOf("report", "report-1", corev1.PodSucceeded)
	s.jobOf("report", "report-2", corev1.PodRunning)
	s.strays()
	s.trouble()
	t.Run("everything", func(t *testing.T) { everything(t, c) })
	t.Run("one namespace, one label", func(t *testing.T) { chosen(t, c) })
	t.Run("what may not be read", func(t *testing.T) { forbidden(t, c) })
	t.Run("a mode before it is set", func(t *testing.T) { assumed(t, c) })
	t.Run("custom kinds", func(t *testing.T) { custom(t, c) })
	t.Run("many pages", func(t *testing.T) { pages(t, c) })
}

// everything: each object once, pods behind what makes them, those that differ beside it.
func everything(t *testing.T, c *apiserver.Cluster) {
	got := run(t, connect(t, c.Kubeconfig), live.Options{Namespaces: []string{shop}}, review.Assumed{})
	want := []string{
		"Service/db-0: judged, 0 pods",
		"Service/nothing: judged, 0 pods",
		"Deployment/web: judged, 5 pods",
		"StatefulSet/db: judged, 2 pods",
		"CronJob/report: judged, 2 pods",
		"ReplicaSet/alone: judged, 0 pods",
		"Pod/operated-0: judged, 2 pods",
		"Pod/single: judged, 1 pod",
		"Pod/web-meshed-0 beside Deployment/web: judged, 2 pods",
	}
	if diff := cmp.Diff(want, got.objects); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	// The Service db-0 selects a pod; nothing is said of nothing, since an operator makes pods here.
	findings := []string{
		"Deployment/web, web: command-exits deny, 5 pods",
		"Deployment/web, web: memory-limit-missing deny, 5 pods",
		"CronJob/report, report: memory-limit-missing deny, 2 pods",
		"ReplicaSet/alone, alone: memory-limit-missing deny, 0 pods",
		"Pod/operated-0, main: memory-limit-missing deny, 2 pods",
		"Pod/single, main: memory-limit-missing deny, 1 pods",
	}
	if diff := cmp.Diff(findings, withoutVariants(got.findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if mesh := "Pod/web-meshed-0, mesh: memory-limit-missing deny, 2 pods"; !contains(got.findings, mesh) {
		t.Errorf("nothing is said of the injected container: %q", got.findings)
	}
	// The pod web-0 reports what is predicted of its Deployment, and the StatefulSet an event that nothing predicts.
	if want := []string{"Deployment/web, web: command-exits"}; !cmp.Equal(want, got.happening) {
		t.Errorf("happening: %q, want %q", got.happening, want)
	}
	if want := []string{"StatefulSet/db: FailedMount"}; !cmp.Equal(want, got.troubles) {
		t.Errorf("without a prediction: %q, want %q", got.troubles, want)
	}
	about := got.summary.Cluster
	if about.Context != "envtest" || about.Name != "envtest" || about.Pods != 12 || len(about.Unread) > 0 || !strings.HasPrefix(about.Version, "v1.") {
		t.Errorf("the cluster is %+v", about)
	}
}

// chosen: what a selector leaves out counts for the rest.
func chosen(t *testing.T, c *apiserver.Cluster) {
	selector, err := labels.Parse("app=db")
	if err != nil {
		t.Fatal(err)
	}
	o := live.Options{Namespaces: []string{shop}, Selector: "app=db", Inventory: audit.InventoryOptions{Selector: selector}}
	got := run(t, connect(t, c.Kubeconfig), o, review.Assumed{})
	if diff := cmp.Diff([]string{"StatefulSet/db: judged, 2 pods"}, got.objects); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	_, err = live.Read(t.Context(), live.Options{Client: connect(t, c.Kubeconfig), Namespaces: []string{"shops"}})
	if err == nil || err.Error() != `the cluster has no namespace "shops": did you mean shop?` {
		t.Errorf("a namespace that does not exist: %v", err)
	}
}

// forbidden: the audit goes on without a kind that may not be read, and fails where nothing may.
func forbidden(t *testing.T, c *apiserver.Cluster) {
	s := stage{t, c}
	s.allow("some", rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"pods", "services"}, Verbs: []string{"list"}})
	got := run(t, s.as("some"), live.Options{Namespaces: []string{shop}}, review.Assumed{})
	unread := []string{
		"CronJob: Forbidden", "DaemonSet: Forbidden", "Deployment: Forbidden", "EndpointSlice: Forbidden", "Event: Forbidden", "Job: Forbidden",
		"LimitRange: Forbidden", "Namespace: Forbidden", "Node: Forbidden",
		"PodTemplate: Forbidden", "ReplicaSet: Forbidden", "ReplicationController: Forbidden", "StatefulSet: Forbidden",
	}
	if diff := cmp.Diff(unread, got.summary.Cluster.Unread); diff != "" {
		t.Errorf("unread (-want +got):\n%s", diff)
	}
	// Nobody knows what the label of the namespace says, and what would own the pods.
	if want := "Pod/web-0, web: command-exits warn, 3 pods"; !contains(got.findings, want) {
		t.Errorf("%q is not among %q", want, got.findings)
	}
	_, err := live.Read(t.Context(), live.Options{Client: s.as("nobody")})
	const want = `nothing of the cluster can be read: namespaces is forbidden: User "nobody" cannot list resource "namespaces" in API group "" ` +
		`at the cluster scope (-n NAMESPACE reads one namespace; docs/audit.md has a ClusterRole that is enough)`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	role, readErr := os.ReadFile("../../../docs/audit-rbac.yaml")
	if readErr != nil {
		t.Fatal(readErr)
	}
	s.allowFile("enough", role)
	if full := run(t, s.as("enough"), live.Options{}, review.Assumed{}); len(full.summary.Cluster.Unread) > 0 {
		t.Errorf("the ClusterRole of the docs leaves unread: %q", full.summary.Cluster.Unread)
	}
}

// assumed: deny is shown before it is set, against the label of the namespace.
func assumed(t *testing.T, c *apiserver.Cluster) {
	if _, stderr, code := c.Kubectl(t.Context(), "label", "namespace", shop, "forestall.dev/mode=audit"); code != 0 {
		t.Fatal(stderr)
	}
	o := live.Options{Namespaces: []string{shop}}
	if got := run(t, connect(t, c.Kubeconfig), o, review.Assumed{}); got.summary.Findings.Deny != 0 || got.summary.Assumed != nil {
		t.Errorf("with the label: %+v", got.summary)
	}
	got := run(t, connect(t, c.Kubeconfig), o, review.Assumed{Namespaces: map[string]finding.Level{shop: finding.Deny}})
	want := &audit.Assumed{As: "deny in shop", Denied: 6}
	if diff := cmp.Diff(want, got.summary.Assumed); diff != "" {
		t.Errorf("assumed (-want +got):\n%s", diff)
	}
}

const rollouts = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: rollouts.argoproj.io}
spec:
  group: argoproj.io
  names: {kind: Rollout, plural: rollouts}
  scope: Namespaced
  versions:
  - name: v1alpha1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
---
apiVersion: v1
kind: Namespace
metadata: {name: custom}
`

const rollout = `
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: canary, namespace: custom}
spec:
  replicas: 2
  template:
    metadata: {labels: {app: canary}}
    spec: {containers: [{name: main, image: "registry.example.com/shop/main:1"}]}
`

// custom: the ReplicaSets of a custom kind that is served lead to it, as those of a Deployment do; kinds that are not served are passed over.
func custom(t *testing.T, c *apiserver.Cluster) {
	s := stage{t, c}
	s.apply(rollouts)
	if _, stderr, code := c.Kubectl(t.Context(), "wait", "--for=condition=Established", "crd/rollouts.argoproj.io", "--timeout=60s"); code != 0 {
		t.Fatal(stderr)
	}
	s.apply(rollout)
	uid, stderr, code := c.Kubectl(t.Context(), "get", "rollouts.argoproj.io", "canary", "-n", "custom", "-o", "jsonpath={.metadata.uid}")
	if code != 0 {
		t.Fatal(stderr)
	}
	r := s.replicas("custom", "canary", 2)
	yes := true
	r.OwnerReferences = []metav1.OwnerReference{{APIVersion: "argoproj.io/v1alpha1", Kind: "Rollout", Name: "canary", UID: types.UID(uid), Controller: &yes}}
	if err := c.Client.Update(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		s.create(s.podOf(r, fmt.Sprintf("canary-%d", i)))
	}
	kinds, err := workload.NewTable(workload.Known()...)
	if err != nil {
		t.Fatal(err)
	}
	got := run(t, connect(t, c.Kubeconfig), live.Options{Namespaces: []string{"custom"}, Inventory: audit.InventoryOptions{Kinds: kinds}}, review.Assumed{})
	if diff := cmp.Diff([]string{"Rollout/canary: judged, 2 pods"}, got.objects); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	if unread := got.summary.Cluster.Unread; len(unread) > 0 {
		t.Errorf("unread: %q", unread)
	}
}

// pages: more objects than a page has, each once.
func pages(t *testing.T, c *apiserver.Cluster) {
	s := stage{t, c}
	s.create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "many"}})
	owner := s.replicas("many", "many", 1)
	const n = 1234
	for i := range n {
		p := s.podOf(owner, fmt.Sprintf("many-%04d", i))
		s.create(p)
	}
	var stages []string
	o := live.Options{Namespaces: []string{"many"}, Progress: func(stage audit.Stage, done, total int) {
		if stage == "listing pods" {
			stages = append(stages, fmt.Sprintf("%d of %d", done, total))
		}
	}}
	got := run(t, connect(t, c.Kubeconfig), o, review.Assumed{})
	if diff := cmp.Diff([]string{"ReplicaSet/many: judged, 1234 pods"}, got.objects); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"0 of 0", "500 of 1234", "1000 of 1234", "1234 of 1234"}, stages); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o.Client = connect(t, c.Kubeconfig)
	o.Progress = func(_ audit.Stage, done, _ int) {
		if done >= 500 {
			cancel()
		}
	}
	_, err := live.Read(ctx, o)
	if want := "listing pods, after 500 of 0: context canceled"; err == nil || err.Error() != want {
		t.Errorf("interrupted: %v", err)
	}
}

// outcome is what an audit comes to, in lines.
type outcome struct {
	objects, findings, happening, troubles []string
	summary                                audit.Summary
}

func run(t *testing.T, c *kubeapi.Client, o live.Options, as review.Assumed) outcome {
	t.Helper()
	o.Client, o.Evidence = c, evidence.New(evidence.Options{Now: time.Now().Add(10 * time.Minute)}) // past the time that pods may take
	i, err := live.Read(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	}()
	r, err := builtin.Reviewer(t.Context(), review.Settings{Assumed: as}, i.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	var out outcome
	for b, err := range i.Batches(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range b.Objects {
			line := o.Subject.Kind.Kind + "/" + o.Subject.Name
			if o.Beside != nil {
				line += " beside " + o.Beside.Kind + "/" + o.Beside.Name
			}
			pods := "pods"
			if o.Pods == 1 {
				pods = "pod"
			}
			out.objects = append(out.objects, fmt.Sprintf("%s: judged, %d %s", line, o.Pods, pods))
		}
	}
	var all audit.Result
	if _, err := (audit.Run{Reviewer: r, Source: i, Sink: &all, Assumed: as}).Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, e := range all.Errors {
		t.Error(e)
	}
	for _, d := range all.Troubles {
		reason, _, _ := strings.Cut(d.Reason, ":")
		out.troubles = append(out.troubles, fmt.Sprintf("%s/%s: %s", d.Object.Kind, d.Object.Name, reason))
	}
	for _, f := range all.Findings {
		if f.Status == finding.Happening {
			out.happening = append(out.happening, fmt.Sprintf("%s/%s, %s: %s", f.Object.Kind, f.Object.Name, f.Container, f.Rule))
		}
		if f.Level != finding.Audit {
			out.findings = append(out.findings, fmt.Sprintf("%s/%s, %s: %s %s, %d pods", f.Object.Kind, f.Object.Name, f.Container, f.Rule, f.Level, f.Pods))
		}
	}
	out.summary = all.Summary
	return out
}

func contains(all []string, one string) bool {
	for _, s := range all {
		if s == one {
			return true
		}
	}
	return false
}

// withoutVariants leaves out what is said of the pods that differ.
func withoutVariants(all []string) []string {
	var rest []string
	for _, s := range all {
		if !strings.HasPrefix(s, "Pod/web-meshed") {
			rest = append(rest, s)
		}
	}
	return rest
}

func connect(t *testing.T, kubeconfig string) *kubeapi.Client {
	t.Helper()
	c, err := kubeapi.Connect(kubeapi.Options{Kubeconfig: kubeconfig})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// stage makes what controllers make.
type stage struct {
	*testing.T
	c *apiserver.Cluster
}

func (s stage) create(o client.Object) {
	s.Helper()
	if err := s.c.Client.Create(s.Context(), o); err != nil {
		s.Fatal(err)
	}
}

func (s stage) get(name string, o client.Object) {
	s.Helper()
	if err := s.c.Client.Get(s.Context(), client.ObjectKey{Namespace: shop, Name: name}, o); err != nil {
		s.Fatal(err)
	}
}

// ownedBy makes o what the controller of the owner has made.
func (s stage) ownedBy(owner client.Object, o metav1.Object) {
	s.Helper()
	gvk, err := apiutil.GVKForObject(owner, s.c.Client.Scheme())
	if err != nil {
		s.Fatal(err)
	}
	yes := true
	o.SetOwnerReferences([]metav1.OwnerReference{{
		APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind, Name: owner.GetName(), UID: owner.GetUID(), Controller: &yes,
	}})
}

// deployment makes the ReplicaSet of a Deployment, and returns it.
func (s stage) deployment(name string) *appsv1.ReplicaSet { return s.replicaSet(name, name+"-1", 3) }

func (s stage) replicaSet(of, name string, replicas int32) *appsv1.ReplicaSet {
	s.Helper()
	var d appsv1.Deployment
	s.get(of, &d)
	r := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: shop, Labels: map[string]string{"pod-template-hash": name}},
		Spec:       appsv1.ReplicaSetSpec{Replicas: &replicas, Selector: d.Spec.Selector.DeepCopy(), Template: *d.Spec.Template.DeepCopy()},
	}
	r.Spec.Selector.MatchLabels["pod-template-hash"] = name
	r.Spec.Template.Labels["pod-template-hash"] = name
	s.ownedBy(&d, r)
	s.create(r)
	return r
}

// replicas makes a ReplicaSet that nobody owns.
func (s stage) replicas(namespace, name string, n int32) *appsv1.ReplicaSet {
	s.Helper()
	of := map[string]string{"app": name}
	r := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: &n, Selector: &metav1.LabelSelector{MatchLabels: of},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: of}, Spec: corev1.PodSpec{
				Containers: []corev1.Container{{Name: "main", Image: "registry.example.com/shop/main:1"}},
			}},
		},
	}
	s.create(r)
	return r
}

func (s stage) podOf(owner *appsv1.ReplicaSet, name string) *corev1.Pod {
	s.Helper()
	p := &corev1.Pod{ObjectMeta: *owner.Spec.Template.ObjectMeta.DeepCopy(), Spec: *owner.Spec.Template.Spec.DeepCopy()}
	p.Name, p.Namespace = name, owner.Namespace
	p.Spec.NodeName = "node-1"
	s.ownedBy(owner, p)
	return p
}

// pods makes the pods of a ReplicaSet, changed as by admission.
func (s stage) pods(owner *appsv1.ReplicaSet, name string, n int, change func(*corev1.Pod)) {
	s.Helper()
	for i := range n {
		p := s.podOf(owner, fmt.Sprintf("%s-%d", name, i))
		if change != nil {
			change(p)
		}
		s.create(p)
	}
}

func (s stage) statefulPods(name string, n int) {
	s.Helper()
	var set appsv1.StatefulSet
	s.get(name, &set)
	for i := range n {
		p := &corev1.Pod{ObjectMeta: *set.Spec.Template.ObjectMeta.DeepCopy(), Spec: *set.Spec.Template.Spec.DeepCopy()}
		p.Name, p.Namespace = fmt.Sprintf("%s-%d", name, i), shop
		p.Labels["statefulset.kubernetes.io/pod-name"] = p.Name
		p.Spec.Hostname, p.Spec.Subdomain = p.Name, set.Spec.ServiceName
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: "data", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data-" + p.Name},
		}})
		s.ownedBy(&set, p)
		s.create(p)
	}
}

// jobOf makes a Job of a CronJob, and its pod.
func (s stage) jobOf(of, name string, phase corev1.PodPhase) {
	s.Helper()
	var cron batchv1.CronJob
	s.get(of, &cron)
	j := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: shop}, Spec: *cron.Spec.JobTemplate.Spec.DeepCopy()}
	s.ownedBy(&cron, j)
	s.create(j)
	p := &corev1.Pod{ObjectMeta: *j.Spec.Template.ObjectMeta.DeepCopy(), Spec: *j.Spec.Template.Spec.DeepCopy()}
	p.Name, p.Namespace = name+"-pod", shop
	s.ownedBy(j, p)
	s.create(p)
	p.Status.Phase = phase
	if err := s.c.Client.Status().Update(s.Context(), p); err != nil {
		s.Fatal(err)
	}
}

// strays makes two pods of an operator that are alike, and one of nobody.
func (s stage) strays() {
	s.Helper()
	yes := true
	for i := range 2 {
		p := single(fmt.Sprintf("operated-%d", i))
		p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "db.example.com/v1", Kind: "Database", Name: "main", UID: "d1", Controller: &yes}}
		s.create(p)
	}
	s.create(single("single"))
}

// trouble makes a pod restart again and again, and another wait for its volume.
func (s stage) trouble() {
	s.Helper()
	var p corev1.Pod
	s.get("web-0", &p)
	began := metav1.NewTime(time.Now().Add(-time.Hour))
	p.Status.Phase, p.Status.StartTime = corev1.PodRunning, &began
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "web", Image: "registry.example.com/shop/web:1", RestartCount: 12,
		State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}},
		LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
			Reason: "Completed", StartedAt: began, FinishedAt: metav1.NewTime(time.Now().Add(-time.Minute)),
		}},
	}}
	if err := s.c.Client.Status().Update(s.Context(), &p); err != nil {
		s.Fatal(err)
	}
	var db corev1.Pod
	s.get("db-1", &db)
	for name, of := range map[string]corev1.Event{
		"usual":   {Reason: "Pulled", Message: "Successfully pulled image", Type: corev1.EventTypeNormal},
		"trouble": {Reason: "FailedMount", Message: "MountVolume.SetUp failed for volume data", Type: corev1.EventTypeWarning, Count: 7},
	} {
		of.ObjectMeta = metav1.ObjectMeta{Name: name, Namespace: shop}
		of.InvolvedObject = corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: shop, Name: db.Name, UID: db.UID}
		of.LastTimestamp = metav1.Now()
		s.create(&of)
	}
	s.create(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}})
}

func single(name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: shop},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "registry.example.com/shop/main:1"}}},
	}
}

// allow lets a user do what a rule says.
func (s stage) allow(user string, rules ...rbacv1.PolicyRule) {
	s.Helper()
	s.create(&rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: user}, Rules: rules})
	s.bind(user, user)
}

func (s stage) bind(user, role string) {
	s.Helper()
	s.create(&rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: user},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user}},
	})
}

func (s stage) apply(text string) {
	s.Helper()
	cmd := s.c.KubectlCommand(s.Context(), "apply", "-f", "-")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.Fatalf("%v: %s", err, out)
	}
}

// allowFile lets a user do what the ClusterRole in a file says.
func (s stage) allowFile(user string, role []byte) {
	s.Helper()
	s.apply(string(role))
	s.bind(user, "forestall-audit")
}

// as returns a client of another user.
func (s stage) as(user string) *kubeapi.Client {
	s.Helper()
	config, err := clientcmd.LoadFromFile(s.c.Kubeconfig)
	if err != nil {
		s.Fatal(err)
	}
	for _, who := range config.AuthInfos {
		who.Impersonate = user
	}
	file := s.TempDir() + "/kubeconfig"
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		s.Fatal(err)
	}
	return connect(s.T, file)
}
