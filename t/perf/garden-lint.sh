#!/bin/sh
# lint of 950 Markdown files of a garden against remark-lint with its recommended rules, as whole
# processes. Each file is a part's profile with some 250 words. remark-lint is not one of the
# packages that t/npm pins: put remark-cli and remark-preset-lint-recommended into build/npm.
# Without them the last line has ikm's time alone. Usage: garden-lint.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
modules=$here/../../build/npm/node_modules
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir/home
G=$dir/garden
export HOME G
mkdir "$HOME"
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

remark=$modules/remark-cli/cli.js
if command -v node >/dev/null && [ -e "$remark" ] &&
	[ -d "$modules/remark-preset-lint-recommended" ]; then
	"$2" garden-lint 5 "$1" -c garden.path="$G" lint "$G" -- \
		node "$remark" --quiet --frail --no-config --no-stdout \
		--use "$modules/remark-preset-lint-recommended" "$G"
else
	echo 'garden-lint: remark-cli and remark-preset-lint-recommended are not in build/npm' >&2
	"$2" garden-lint-alone 5 "$1" -c garden.path="$G" lint "$G" -- cat "$dir/long"
fi
