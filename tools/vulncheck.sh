#!/usr/bin/env bash
# Looks for known vulnerabilities that the commands call, those of Go itself included:
#
#   vulncheck.sh GOVULNCHECK DATABASE
#
# The database is asked first, for a few seconds: where it cannot be reached, nothing is
# built or looked for, and that is said. GOVULNCHECK is what make builds then.
set -euo pipefail

govulncheck=$1 database=$2

skip() {
	echo "vulncheck: $1; skipped"
	exit 0
}

case $database in
file://*) [ -e "${database#file://}/index/db.json" ] || skip "the vulnerability database $database cannot be reached" ;;
*)
	command -v curl >/dev/null || skip "there is no curl to ask for the vulnerability database"
	curl --fail --silent --location --connect-timeout 3 --max-time 5 --output /dev/null "$database/index/db.json.gz" ||
		skip "the vulnerability database $database cannot be reached"
	;;
esac

"${MAKE:-make}" --no-print-directory "$govulncheck"
echo "looking for known vulnerabilities, about half a minute on 2 cores…"
exec "$govulncheck" -db "$database" ./cmd/...
