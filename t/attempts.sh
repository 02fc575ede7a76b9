# attempts.sh: for tables of attempts to get something forbidden past the hooks, and of ordinary work
# that the hooks must not mention. Source it after lib.sh.
#
#   attempt 'name' stopped 'words' <<'E'   a body: does something in a fresh clone, and then a commit
#   attempt 'name' told 'words' <<'E'      passes, and the hooks say the words
#   attempt 'name' silent '' <<'E'         passes, and the hooks say nothing
#   attempt 'name' either 'words' <<'E'    is stopped or told, with the words: where both are right
#
# A body begins in a fresh copy of a clone with rules, hooks and a remote. After it everything is
# staged, and pre-commit is run. A body may also use these:
#
#   put PATH        writes a file from standard input, with its folders
#   db SPEC         writes package.json with a dependency "db" of that specification
#   rule ID TEXT    writes a decision with one blocking rule
#   commit [...]    git add -A; git commit with the installed hooks
#   record [...]    git commit with the installed hooks, of what is staged
#   skipped [...]   git add -A; git commit --no-verify
#   push [...]      git push with the installed hook
#   judge           git add -A; pre-commit, without a commit
#   judge_index     the same without git add
#   hooked cmd ...  a git command that may run hooks
#   done_here       nothing is staged and judged after the body
#
# Each of them ends the attempt when a hook stops it. IKM_ATTEMPTS=FILE adds the outcomes to a file.

HOOK_SAID=$T/said

put() {
	case $1 in */*) mkdir -p "${1%/*}" ;; esac
	cat >"$1"
}

db() {
	printf '{\n  "dependencies": {\n    "pg": "^8",\n    "db": "%s"\n  }\n}\n' "$1" >package.json
}

rule() { # ID MEMBERS [SEVERITY]
	{
		printf -- '---\nstatus: accepted\ndate: 2026-01-02\nconstraints:\n'
		printf '%s\n' "  - {$2, severity: ${3-block}}"
		printf -- '---\n# %s\n\nText.\n' "$1"
	} >"docs/adr/$1.md"
}

# Of git only what the hooks said counts: what git itself says goes elsewhere.
hooked() {
	hook_rc=0
	"$@" >"$T/git" 2>&1 || hook_rc=$?
	grep -aE '^(ikm: |rules: |not judged: |checked |block |warn |info |note |broken |warning |  where |[0-9]+ )' \
		"$T/git" | grep -av '^warning: ' >>"$HOOK_SAID" || :
	[ $hook_rc = 0 ] && return
	grep -q -e 'was stopped' -e '^ikm: ' "$T/git" && exit 111
	cat "$T/git"
	exit 112
}

commit() {
	git add -A
	hooked git commit -q -m x "$@"
}

record() { hooked git commit -q -m x "$@"; }

skipped() {
	git add -A
	git commit -q --no-verify -m x "$@"
}

push() {
	[ $# -gt 0 ] || set -- origin HEAD
	hooked git push -q "$@"
}

judge() {
	git add -A
	judge_index
}

judge_index() {
	hook_rc=0
	ikm hook run pre-commit >>"$HOOK_SAID" 2>&1 || hook_rc=$?
	[ $hook_rc = 0 ] || exit 111
}

done_here() { exit 110; }

attempts_base() {
	git init -q --bare -b main "$T/remote.git"
	git init -q -b main "$T/app"
	(
		cd "$T/app"
		mkdir -p .ikm docs/adr lib src
		printf '{"knowledge": {"sources": [{"path": "docs/adr"}]}}\n' >.ikm/config.json
		rule 0001-no-mysql "operator: must_not_use, target: dependency, pattern: \
'mysql2?|mysqlclient|PyMySQL|(.*/)?go-sql-driver/mysql(/.*)?', message: No MySQL., useInstead: pg"
		rule 0002-no-eval "operator: must_not_use, target: code, pattern: '\\beval\\s*\\(', message: No eval."
		rule 0003-no-keys "operator: must_not_exist, target: file, pattern: '*.pem', message: No keys."
		echo '# Our decisions' >docs/adr/README.md
		printf '{\n  "name": "app",\n  "dependencies": {\n    "pg": "^8"\n  }\n}\n' >package.json
		echo 'module.exports = 1' >lib/a.js
		printf 'int main(void)\n{\n\treturn 0;\n}\n' >src/a.c
		printf '# App\n\nA small thing.\n' >README.md
		git add -A
		git commit -qm base
		rm -f .git/hooks/*.sample
		ikm hook install >/dev/null
		git remote add origin "$T/remote.git"
		git push -q -u origin main >"$T/push" 2>&1 || { cat "$T/push"; exit 1; }
	) || exit 1
}

attempt_outcome() { # sets $outcome
	rm -rf "$T/x" "$T/said" "$T/git"
	mkdir "$T/x"
	cp -a "$T/app" "$T/x/app"
	cp -a "$T/remote.git" "$T/x/remote.git"
	: >"$T/said"
	(
		set -eu
		cd "$T/x/app"
		git config remote.origin.url ../remote.git
		# shellcheck disable=SC1091
		. "$T/body"
		judge
	) >"$T/out" 2>&1 </dev/null
	rc=$? # not after ||, where set -e counts for nothing
	case $rc in
	111) outcome=stopped ;;
	0 | 110) outcome=silent; [ ! -s "$T/said" ] || outcome=told ;;
	*) outcome=broken ;;
	esac
}

attempts=0
attempt() { # NAME WANT WORDS: a sample of them, as some 4 takes it
	attempts=$((attempts + 1))
	# shellcheck disable=SC2154 # share is of lib.sh
	if [ -z "${IKM_MORE-}" ] && [ $((attempts % (4 * share))) != 1 ]; then
		if [ $((attempts % 4)) = 1 ]; then long "attempt $attempts"; else more "attempt $attempts"; fi
		return
	fi
	cat >"$T/body"
	name=$1
	case $name in # report uses echo
	*\\* | *"
"*) name=$(printf %s "$name" | tr '\n' ' ' | sed 's/\\/\\\\/g') ;;
	esac
	attempt_outcome
	[ -f "$T/git" ] && sed 's/^/git: /' "$T/git" >>"$T/out"
	right=1
	case $2:$outcome in
	stopped:stopped | told:told | either:stopped | either:told)
		cat "$T/said" "$T/git" 2>/dev/null | grep -aqF -e "$3" || right=0
		;;
	silent:silent) ;;
	*) right=0 ;;
	esac
	if [ -n "${IKM_ATTEMPTS-}" ]; then
		printf '%s\t%s\t%s\t%s\t%s\n' "${0##*/}" "$name" "$2" "$outcome" "$right" >>"$IKM_ATTEMPTS"
	fi
	if [ $right = 1 ]; then
		report 0 "$name" ''
	else
		{ echo "wanted: $2 '$3'; it was: $outcome"; sed 's/^/hook: /' "$T/said"; } >>"$T/out"
		report 1 "$name" ''
	fi
}

attempts_base
