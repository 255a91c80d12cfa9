// Package lab runs a real Kubernetes on this machine: etcd, API server,
// controller manager, scheduler, kubelet, kube-proxy, containerd and runc. Pods
// really start in it, and really fail:
//
//	l, err := lab.Start(ctx, lab.Options{Name: "mine"})
//	…
//	defer l.Stop(ctx)
//	err = l.Apply(ctx, "shop", manifest)
//	pods, err := observe.Namespace(ctx, l.Client, "shop")
//
// A lab leaves nothing behind, by construction. Its processes live in a network
// namespace and a mount namespace of their own, in which /run, /var/lib and
// /var/log are its own as well, and in a cgroup of its own. So iptables chains,
// mounts, sockets, pod logs and the shims of containerd end with its processes,
// and its processes are those of the cgroup: Stop kills them, and a later Stop
// by anybody does the same where the process that started the lab was killed.
// All files are in one directory, with the lab's record in it; the records list
// the labs of the machine.
//
// What it changes outside of that: where cgroups are of version 2, their root has
// to hand down all controllers (cgroup.subtree_control). The last lab turns off
// those that the first one has turned on, unless another cgroup hands them down in
// turn by then. Modules that the kernel loads by itself (veth, bridge, overlay,
// netfilter) stay loaded.
//
// Each lab has a number, and its addresses follow from it, so that labs run
// side by side. Nothing outside the lab and this machine's end of its one link
// can be reached from it.
package lab
