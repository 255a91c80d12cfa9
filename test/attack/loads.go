package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// at runs n loops until ctx ends.
func at(ctx context.Context, n int, loop func(worker, round int)) {
	var all sync.WaitGroup
	for worker := range n {
		all.Go(func() {
			for round := 0; ctx.Err() == nil; round++ {
				loop(worker, round)
			}
		})
	}
	all.Wait()
}

// slowObjects: a tenant's Pods, no two alike, each as large as one may be.
func slowObjects(ctx context.Context, s *stage, sent *atomic.Int64) error {
	at(ctx, 16, func(worker, round int) {
		name := fmt.Sprintf("slow-%d-%d", worker, round)
		o, err := s.tenant.create(ctx, pod(name, repeated(2000, `{name: c%d, image: "Web:`+name+`", command: ["sleep %d"], livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 1}}`)))
		sent.Add(1)
		if err == nil {
			_ = s.tenant.Delete(ctx, o, client.GracePeriodSeconds(0))
		}
	})
	return nil
}

func sameNamespace(int, int) string { return tenant }

func otherNamespaces(worker, round int) string { return fmt.Sprintf("forged-%d-%d", worker, round) }

// posted sends the heaviest bodies past the API server.
func posted(namespace func(worker, round int) string) func(context.Context, *stage, *atomic.Int64) error {
	return func(ctx context.Context, s *stage, sent *atomic.Int64) error {
		objects := heaviest()
		at(ctx, 64, func(worker, round int) {
			c := s.post.client()
			defer c.CloseIdleConnections()
			body := forged{namespace: namespace(worker, round), object: objects[(worker+round)%len(objects)]}
			path := []string{"/validate", "/mutate"}[worker%2]
			if err := s.post.send(ctx, c, path, body); err != nil {
				time.Sleep(10 * time.Millisecond) // it was refused: not all of the processor is for trying again
			}
			sent.Add(1)
		})
		return nil
	}
}

// createPorts creates 20 Services of 20,000 ports.
func createPorts(ctx context.Context, s *stage) error {
	const ports = 20_000
	for i := range 20 {
		service := &corev1.Service{}
		service.Namespace, service.Name = tenant, fmt.Sprintf("ports-%d", i)
		service.Spec.ClusterIP = corev1.ClusterIPNone
		service.Spec.Selector = map[string]string{"app": "a"}
		for p := range ports {
			service.Spec.Ports = append(service.Spec.Ports, corev1.ServicePort{Name: fmt.Sprintf("p%d", p), Port: int32(p + 1)})
		}
		if err := s.tenant.Create(ctx, service); err != nil {
			return fmt.Errorf("creating a Service of %d ports: %w", ports, err)
		}
	}
	return nil
}

// manyPorts: what the store holds of a tenant's Services is asked for by each of its Pods.
func manyPorts(ctx context.Context, s *stage, sent *atomic.Int64) error {
	at(ctx, 4, func(worker, round int) {
		o, err := s.tenant.create(ctx, fmt.Sprintf(`{apiVersion: v1, kind: Pod, metadata: {name: p%d-%d, labels: {app: a}}, spec: {containers: [
			{name: a, image: "a:%d", readinessProbe: {tcpSocket: {port: 1}}, resources: {limits: {memory: 9}}}, {name: b, image: b}]}}`, worker, round, round))
		sent.Add(1)
		if err == nil {
			_ = s.tenant.Delete(ctx, o, client.GracePeriodSeconds(0))
		}
	})
	return nil
}

// inventedOwners: what a controller creates with a problem is told by an Event on its owner.
func inventedOwners(ctx context.Context, s *stage, sent *atomic.Int64) error {
	at(ctx, 8, func(worker, round int) {
		c := s.post.client()
		defer c.CloseIdleConnections()
		for i := range 50 {
			_ = s.post.send(ctx, c, "/validate", forged{
				namespace: "kube-system", user: "system:kube-controller-manager",
				object: fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet",`+
					`"name":"invented-%d-%d-%d","uid":"u-%d","controller":true}]},"spec":{"containers":[{"name":"web","image":"web:1","command":["sleep 1000"]}]}}`, worker, round, i, i),
			})
			sent.Add(1)
		}
	})
	return nil
}

// noEvents: nothing was written about what does not exist.
func noEvents(ctx context.Context, s *stage) error {
	var all corev1.EventList
	if err := s.cluster.Client.List(ctx, &all, client.InNamespace("kube-system")); err != nil {
		return err
	}
	for _, e := range all.Items {
		if strings.HasPrefix(e.InvolvedObject.Name, "invented") {
			return fmt.Errorf("an Event on %s, which does not exist: %s", e.InvolvedObject.Name, e.Message)
		}
	}
	return nil
}

// longNames: each review of 5 MiB has names of megabytes.
func longNames(ctx context.Context, s *stage, sent *atomic.Int64) error {
	long := strings.Repeat("x", 2500<<10)
	at(ctx, 2, func(int, int) {
		c := s.post.client()
		defer c.CloseIdleConnections()
		_ = s.post.send(ctx, c, "/validate", forged{
			namespace: long, user: "a",
			object: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` + long + `"},"spec":{"containers":[{"name":"web","command":["sleep 1000"]}]}}`,
		})
		sent.Add(1)
	})
	return nil
}

// longestLine is the most bytes that a line of the log may have.
const longestLine = 16 << 10

func shortLog(_ context.Context, s *stage) error {
	for line := range strings.Lines(s.hook.Logs()) {
		if len(line) > longestLine {
			return fmt.Errorf("a line of %d bytes in the log: %.200s", len(line), line)
		}
	}
	return nil
}
