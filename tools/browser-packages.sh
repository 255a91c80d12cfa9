#!/usr/bin/env bash
# Makes sure that the machine has what the tests of the report page run in: Chromium, and Node.js with npm. Root on
# Debian gets the packages installed; everybody else is told what is missing.
# Prints the browser's path. Fails, saying why, where no browser can be had.
set -euo pipefail

browser() {
	local name
	for name in ${CHROMIUM:-chromium chromium-browser google-chrome}; do
		command -v "$name" && return
	done
	return 1
}

missing() {
	browser >/dev/null || echo chromium
	command -v node >/dev/null || echo nodejs
	command -v npm >/dev/null || echo npm
}

packages=$(missing)
if [ -n "$packages" ]; then
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
		echo "missing, and only installed by itself for root with apt-get (Debian's names):" $packages >&2
		exit 1
	fi
	echo "installing" $packages "…" >&2
	log=$(mktemp)
	if ! { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $packages; } >"$log" 2>&1; then
		cat "$log" >&2
		rm -f "$log"
		exit 1
	fi
	rm -f "$log"
	packages=$(missing)
	[ -z "$packages" ] || { echo "still missing after apt-get:" $packages >&2; exit 1; }
fi
browser
