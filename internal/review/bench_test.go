package review_test

import (
	"strings"
	"testing"

	"github.com/forestall/forestall/internal/review"
)

const benchPod = `
apiVersion: v1
kind: Pod
metadata: {name: shop, labels: {app: shop}}
spec:
  containers:
    - name: web
      image: registry.example.com/shop/web:1.4.2
      command: ["/app/server", "--port=8080"]
      ports: [{containerPort: 8080}]
      readinessProbe: {httpGet: {path: /ready, port: 8080}}
      livenessProbe: {httpGet: {path: /healthz, port: 8080}, failureThreshold: 5}
      resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {memory: 256Mi}}
    - name: cache
      image: registry.example.com/shop/cache:1.4.2
      args: ["--max=64mb"]
      resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {memory: 128Mi}}
    - name: log
      image: registry.example.com/shop/log:1.4.2
      command: ["sh", "-c", "exec /app/log --follow /var/log/shop"]
      resources: {requests: {cpu: 10m, memory: 32Mi}, limits: {memory: 64Mi}}
`

// BenchmarkReview is one review of a pod with three containers: without a finding,
// and with one finding each of a missing limit and of a command that ends.
func BenchmarkReview(b *testing.B) {
	failing := strings.Replace(strings.Replace(benchPod,
		", limits: {memory: 64Mi}", "", 1),
		`["/app/server", "--port=8080"]`, `["sh", "-c", "echo migrating && echo done"]`, 1)
	for _, bm := range []struct {
		name, object string
		findings     int
	}{{"healthy", benchPod, 0}, {"failing", failing, 2}} {
		b.Run(bm.name, func(b *testing.B) {
			r := reviewer(b, review.Settings{})
			s := subject(b, review.Create, bm.object, "")
			b.ReportAllocs()
			for b.Loop() {
				d, err := r.Review(b.Context(), s)
				if err != nil || len(d.Findings) != bm.findings {
					b.Fatalf("%d findings, %v; want %d", len(d.Findings), err, bm.findings)
				}
			}
		})
	}
}
