package main

import (
	"context"

	"github.com/forestall/forestall/test/apiserver"
)

// stay leaves the cluster and forestall-webhook to the person at the terminal,
// until Ctrl-C.
func (d *demo) stay(ctx context.Context, cluster *apiserver.Cluster) error {
	d.out.part("yours until Ctrl-C")
	if _, err := d.startWebhook(ctx, cluster, ""); err != nil {
		return err
	}
	d.out.line("\nIn another terminal:\n")
	d.out.line("  export KUBECONFIG=%s", cluster.Kubeconfig)
	d.out.line("  alias kubectl=%s", cluster.KubectlPath)
	d.out.line("  kubectl apply -f %s/three-problems.yaml", d.examples)
	d.out.line("\nThere is no kubelet: objects are stored, and nothing runs.")
	d.out.line("forestall-webhook runs with its defaults and logs to a file in %s.", cluster.Dir)
	<-ctx.Done()
	return nil
}
