#!/usr/bin/env bash
# Checks that a binary runs in an empty image:
#
#   verify-static.sh BINARY
#
# It must not ask for a loader or libraries. Root also runs it where there is nothing else,
# as the user of the image, unless it is for another kind of processor.
set -euo pipefail

binary=$1
if ! go version -m "$binary" | grep -q 'CGO_ENABLED=0'; then
	echo "$binary was built with cgo" >&2
	exit 1
fi
if grep -qa '/ld-linux\|/ld-musl' <(head -c 4096 "$binary"); then
	echo "$binary asks for a dynamic loader" >&2
	exit 1
fi
if ! go version -m "$binary" | grep -q "GOARCH=$(go env GOHOSTARCH)" || [ "$(uname -s)" != Linux ] || [ "$(id -u)" != 0 ]; then
	echo "$binary is static; it was not run in an empty root (that takes root, on its kind of machine)"
	exit 0
fi
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
install -m 755 "$binary" "$root/forestall-webhook"
echo "in an empty root: $(chroot --userspec=65532:65532 "$root" /forestall-webhook version)"
