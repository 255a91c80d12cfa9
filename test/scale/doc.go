// Command scale measures an audit of a large cluster: it creates nodes, workloads and their pods as objects in a real API server, with
// statuses and events of some that are in trouble, and audits them as a user would.
//
//	go build -o bin/ ./cmd/forestall && KUBEBUILDER_ASSETS=bin/kube-… go run ./test/scale --forestall bin/forestall
//
// There are etcd and an API server and nothing else: controllers would evict the pods or make more of them.
package main
