#!/usr/bin/env bash
# Runs a command, and says every half a minute that it still runs, since Go compiles without a word:
#
#   heartbeat.sh TITLE COMMAND [ARGUMENT...]
set -euo pipefail

title=$1
shift

# The sleep must not outlive the command: it would keep a pipe open.
beat() {
	trap 'kill "$pause" 2>/dev/null || true; exit 0' TERM
	while :; do
		sleep 30 &
		pause=$!
		wait "$pause"
		echo "  $title, for ${SECONDS}s so far…" >&2
	done
}

beat &
heart=$!
trap 'kill "$heart" 2>/dev/null || true' EXIT
"$@"
