#!/bin/sh
# No rule is lost in silence when knowledge is read: folders, front matter, names, links.
. "$(dirname "$0")/lib.sh"

# app: a repository with a blocking rule in docs/adr/0001-no-mysql.md.
app() {
	rm -rf app
	git init -q app
	cd app
	mkdir -p .ikm docs/adr
	echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
	cat >docs/adr/0001-no-mysql.md <<'W'
---
status: accepted
date: 2026-01-01
constraints:
  - {operator: must_not_use, target: dependency, pattern: mysql2, severity: block, message: No MySQL.}
---
# PostgreSQL only
W
	echo '{"dependencies": {"pg": "^8"}}' >package.json
	git add -A
	git commit -qm base
}
# The forbidden change, staged, must be stopped by that rule.
stopped() {
	echo '{"dependencies": {"mysql2": "^3"}}' >package.json
	git add -A
	fails 1 ikm check --staged >out 2>&1
	grep -q 'No MySQL\.' out
}
# The message of docs/adr/0001-no-mysql.md when everything is judged.
message() {
	fails "$1" ikm check --all --json >out
	jq -r '.checked.notes[]? // .notes[]? | select(.file // .path == "docs/adr/0001-no-mysql.md") |
		"\(.line // 0) \(.message)"' out
}
export -f app stopped message 2>/dev/null || true
done_testing
