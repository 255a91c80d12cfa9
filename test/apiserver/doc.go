// Package apiserver runs a real Kubernetes API server (with its etcd) and a
// real forestall-webhook process beside it, for tests and for the demo:
//
//	cluster, err := apiserver.Start(ctx, apiserver.Options{})
//	…
//	defer cluster.Stop()
//	hook, err := cluster.StartWebhook(ctx, apiserver.WebhookOptions{})
//	…
//	stdout, stderr, exit := cluster.Kubectl(ctx, "apply", "-f", "pod.yaml")
//
// There is no kubelet and no controller: objects are admitted and stored, and
// nothing more happens to them. That is all that an admission webhook sees.
//
// Everything listens on loopback, on free ports, and keeps its files in one
// temporary directory. Nothing of it outlives the process that started it:
// Stop ends it in order, and a watchdog ends it where Stop was never reached
// (a panic, a test time-out, kill -9). The processes get an environment of
// their own, so neither a KUBECONFIG nor an ETCD_ variable of the user leaks in.
package apiserver
