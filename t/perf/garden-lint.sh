#!/bin/sh
# lint of 950 Markdown files of a garden against remark-lint with its recommended rules, and against
# markdownlint-cli2, as whole processes: two lines. Each file is a part's profile with some 250
# words. For a peer that is missing it says so, and times ikm alone. Usage: garden-lint.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
modules=${IKM_NPM:-$here/../../build/npm}/node_modules
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir/home
G=$dir/garden
export HOME G
mkdir "$HOME"
# shellcheck source=t/garden.sh
. "$here/../garden.sh"

part ada p0 "$dir/profile"
text='It watches the door, and it counts who comes in. It does not sleep before the others sleep.'
sed "s/^Rest\\./$text $text $text/; s/^Loud rooms\\./- $text\\n- **$text**\\n- [$text](notes.md)/" \
	"$dir/profile" >"$dir/long"
i=0
while [ $i -lt "${FILES:-950}" ]; do
	mkdir -p "$G/users/ada/parts/p$i"
	sed "s/^id: p0/id: p$i/" "$dir/long" >"$G/users/ada/parts/p$i/profile.md"
	i=$((i + 1))
done
[ "$("$1" -c garden.path="$G" lint --json "$G" | jq -c '[.files, .summary.errors]')" = "[${FILES:-950},0]" ]

# pair counts any exit status of a peer, so first a look that it reads all the files. A peer that is
# missing, or does not, is told.
against() { # NAME 'PACKAGE...' WORDS PEER...: the words of its answer, once a file or with their number
	name=$1 packages=$2 words=$3
	shift 3
	for package in node $packages; do
		[ "$package" = node ] && command -v node >/dev/null || [ -d "$modules/$package" ] || {
			echo "$name: $package is missing; 'make perf GET=1' installs it" >&2
			return
		}
	done
	"$@" >"$dir/said" 2>&1 || :
	if [ "$(grep -c "$words" "$dir/said")" = 0 ]; then
		echo "$name: the peer does not lint the files:" >&2
		head -n 3 "$dir/said" >&2
		return
	fi
	timed=1
	"$pair" "$name" 5 "$ikm" -c garden.path="$G" lint "$G" -- "$@"
}
timed='' ikm=$1 pair=$2
cd "$G"
preset=remark-preset-lint-recommended
against garden-lint-remark "remark-cli $preset" "p$((i - 1))/profile.md" \
	node "$modules/remark-cli/cli.js" --frail --no-config --no-stdout --no-color \
	--use "$modules/$preset/index.js" users
against garden-lint-markdownlint markdownlint-cli2 "^Linting: $i files" \
	node "$modules/markdownlint-cli2/markdownlint-cli2-bin.mjs" 'users/**/*.md'
[ -n "$timed" ] || "$pair" garden-lint-alone 5 "$ikm" -c garden.path="$G" lint "$G" -- cat "$dir/long"
