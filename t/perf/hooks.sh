#!/bin/sh
# check --staged by 50 rules, with 736 Markdown files staged in a repository of 5,900 files, against
# the bare start of other programs that run hooks: each runs one command that does nothing. Their
# native programs are started, without npm's script in front. Usage: hooks.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=t/perf/rules.sh
. "$here/rules.sh"
modules=${IKM_NPM:-$here/../../build/npm}/node_modules
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir PREK_HOME=$dir/prek LEFTHOOK_QUIET=meta
export HOME PREK_HOME LEFTHOOK_QUIET
sh "$here/mkrepo" "$dir/repo" "${FILES:-5900}" 1 >/dev/null
cd "$dir/repo"
# Other programs look at the working tree too.
git reset -q --hard
rules .
cat >lefthook.yml <<'YML'
pre-commit:
  commands:
    empty: {run: "true"}
YML
cat >.pre-commit-config.yaml <<'YML'
repos:
  - repo: local
    hooks:
      - {id: empty, name: empty, entry: "true", language: system, pass_filenames: false}
YML
git add .
git commit -qm rules
mkdir notes
awk 'BEGIN {
	for (i = 1; i <= 736; i++) {
		name = "notes/" i ".md"
		printf "# Note %d\n\n", i >name
		for (k = i % 40; k; k--)
			printf "The cache calls strcpy_%d (%d) and then waits.\n", k, i >name
		close(name)
	}
}'
git add notes

# NAME PROGRAM [ARG…]: a pair, when the program is there and its hook succeeds.
against() {
	name=$1
	shift
	if [ ! -x "$1" ]; then
		echo "hooks: $name is left out: npm has not installed its program for this machine" >&2
	elif ! "$@" >"$dir/said" 2>&1; then
		echo "hooks: $name is left out: its hook fails: $(tail -n 1 "$dir/said")" >&2
	else
		"$pair" "check-staged-$name" 21 "$ikm" check --staged -- "$@"
	fi
}

ikm=$1 pair=$2
for lefthook in "$modules"/lefthook-*/bin/lefthook; do break; done
for prek in "$modules"/@j178/prek-*/prek; do break; done
against lefthook "$lefthook" run pre-commit
against prek "$prek" run
