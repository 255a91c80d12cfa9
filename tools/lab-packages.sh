#!/usr/bin/env bash
# Makes sure that the machine has what a lab's node is made of beside the
# binaries of make lab-binaries, and what those are built with. Root on Debian gets the packages installed; everybody
# else is told what is missing.
# Fails, saying why, where a lab cannot be.
set -euo pipefail

# program:package, or file:package
needs=(
	gcc:gcc
	pkg-config:pkg-config
	/usr/include/stdlib.h:libc6-dev
	/usr/include/seccomp.h:libseccomp-dev
	iptables:iptables
	iptables-save:iptables
	conntrack:conntrack
	ip:iproute2
	nsenter:util-linux
	unshare:util-linux
	mount:mount
	/usr/lib/cni/bridge:containernetworking-plugins
	/usr/lib/cni/host-local:containernetworking-plugins
	/usr/lib/cni/portmap:containernetworking-plugins
	/usr/lib/cni/loopback:containernetworking-plugins
	busybox:busybox-static
)

missing() {
	local need
	for need in "${needs[@]}"; do
		[ -e "${need%%:*}" ] || command -v "${need%%:*}" >/dev/null || echo "${need##*:}"
	done | sort -u
}

PATH=$PATH:/usr/sbin:/sbin
[ "$(uname -s)" = Linux ] || { echo "the lab needs Linux: its node is this machine" >&2; exit 1; }
[ "$(id -u)" = 0 ] || { echo "the lab needs root: it makes namespaces, cgroups and mounts" >&2; exit 1; }

# Root of a container is often not allowed to.
unshare --net --mount true || { echo "the lab cannot make namespaces here" >&2; exit 1; }

packages=$(missing)
[ -n "$packages" ] || exit 0
if ! command -v apt-get >/dev/null; then
	echo "missing, and not installable without apt-get (Debian's names):" $packages >&2
	exit 1
fi
echo "installing" $packages "…"
log=$(mktemp)
if ! { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $packages; } >"$log" 2>&1; then
	cat "$log" >&2
	rm -f "$log"
	exit 1
fi
rm -f "$log"
packages=$(missing)
[ -z "$packages" ] || { echo "still missing after apt-get:" $packages >&2; exit 1; }
