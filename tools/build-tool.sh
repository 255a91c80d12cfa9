#!/usr/bin/env bash
# Builds one binary from a module of its own, once, showing that it moves:
#
#   build-tool.sh MODULE_DIR PACKAGE OUTPUT TITLE [LDFLAGS [CGO_TAGS]]
#
# With CGO_TAGS, build tags, it is built with the C compiler, else without.
# The binary appears under its name only when it is whole, so that an
# interrupted build never leaves half of one behind.
set -euo pipefail

module=$1 package=$2 output=$3 title=$4 ldflags=${5:-} cgo_tags=${6:-}

mkdir -p "$(dirname "$output")"
partial=$(mktemp "$output.partial.XXXXXX")
trap 'rm -f "$partial"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# -v names each package as it is compiled and each module as it is fetched;
# hundreds of such lines become a few, and everything else (errors) is shown.
progress() {
	local compiled=0 fetched=0 line
	while IFS= read -r line; do
		case $line in
		'go: downloading '*)
			fetched=$((fetched + 1))
			if ((fetched % 50 == 0)); then echo "  $fetched modules fetched (${SECONDS}s)"; fi
			;;
		*[[:space:]]* | *:*) echo "$line" ;;
		*)
			compiled=$((compiled + 1))
			if ((compiled % 200 == 0)); then echo "  $compiled packages compiled (${SECONDS}s)"; fi
			;;
		esac
	done
}

echo "building $title (once)…"
cgo=0
[ -z "$cgo_tags" ] || cgo=1
CGO_ENABLED=$cgo GOWORK=off "$(dirname "$0")/heartbeat.sh" "building" go -C "$module" build -v -trimpath -buildvcs=false \
	-tags "$cgo_tags" -ldflags "-s -w $ldflags" -o "$partial" "$package" 2>&1 | progress
chmod 755 "$partial"
mv "$partial" "$output"
echo "  built $output in ${SECONDS}s"
