# hook.sh: for the tests of hooks: repositories with a decision in them, and plain git as the
# referee. Source it after lib.sh.
#
#   decide DIR          writes the decision and commits it, before any hook is there
#   repo DIR [OPTION…]  git init with the options, decide, ikm hook install
#   bad, good [TEXT]    print a source file that breaks the decision, and one that does not
#   refused cmd …       must be stopped by the decision, with HEAD, index and files as they were
#   passes cmd …        must work, and move HEAD
#   snapshot DIR        every file below: type, mode, size, inode and times

decide() {
	mkdir -p "$1/.knowledge/adrs"
	cat >"$1/.knowledge/adrs/0001-calls-and-databases.md" <<'ADR'
---
title: No forbidden calls, and PostgreSQL only
status: accepted
severity: block
constraints:
  - operator: must_not_use
    target: code
    pattern: 'forbidden_call\('
    appliesTo: ['*.c']
    message: It breaks under load.
    useInstead: allowed_call
  - operator: must_not_use
    target: dependency
    pattern: mysql|mysql2
    appliesTo: [package.json]
    message: MySQL is not used here.
---
# No forbidden calls, and PostgreSQL only
ADR
	git -C "$1" add .knowledge
	git -C "$1" commit -qm 'decide'
}

repo() {
	repo_dir=$1
	shift
	git init -q -b main "$@" "$repo_dir"
	decide "$repo_dir"
	ikm -C "$repo_dir" hook install >/dev/null
}

bad() {
	printf 'int %s(void)\n{\n\treturn forbidden_call(1);\n}\n' "${1:-f}"
}

good() {
	printf 'int %s(void)\n{\n\treturn allowed_call(1);\n}\n' "${1:-f}"
}

state() {
	git rev-parse -q --verify HEAD || true
	git ls-files -s -v
	git status --porcelain=v2
}

refused() {
	before=$(state)
	rc=0
	"$@" >"$T/said" 2>&1 || rc=$?
	[ "$rc" != 0 ] || { echo "'$*' was not stopped:"; cat "$T/said"; return 1; }
	if ! grep -q 'was stopped' "$T/said" || ! grep -q 'No forbidden calls' "$T/said"; then
		echo "'$*' was stopped by something else:"
		cat "$T/said"
		return 1
	fi
	same "$before" "$(state)"
}

passes() {
	before=$(git rev-parse -q --verify HEAD || true)
	"$@" >"$T/said" 2>&1 || { echo "'$*' failed:"; cat "$T/said"; return 1; }
	[ "$before" != "$(git rev-parse HEAD)" ] || { echo "'$*' moved nothing"; return 1; }
}

snapshot() {
	find "$1" -printf '%p %y %m %s %i %T@ %C@ %l\n' | sort
}
