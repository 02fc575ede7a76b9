#!/bin/sh
# asset.summarizer: a program shortens a pinned asset when a write would exceed the budget.
. "$(dirname "$0")/../lib.sh"

# It gives the first words of the text, four bytes for each token that is allowed at most.
cat >first <<'P'
cat >asked
jq -c '{texts: [.maxTokens as $most | .texts[0][:$most * 4] | sub("[^ ]*$"; "")]}' asked
P
use() { # PROGRAM [ARGUMENT…]: the summarizer from here on
	mkdir -p "$HOME/.ikigai"
	jq -cn --args '{asset: {summarizer: $ARGS.positional}, assets: {budget: 1000}}' "$@" \
		>"$HOME/.ikigai/config.json"
}
words() { # WORD N: N times the word
	i=0
	while [ $i -lt "$2" ]; do
		printf '%s ' "$1"
		i=$((i + 1))
	done
	echo
}
put() { ikm write "ikigai:///$1"; }
text() { ikm read "ikigai:///$1"; }
used() { ikm asset budget --json | jq .used; }
call() { jq -cn --arg path "ikigai:///$1" --arg content "$2" '{$path, $content}' | ikm call file_write; }

try 'without one a write above the budget is refused, as ever' <<'E'
mkdir -p "$HOME/.ikigai"
echo '{"assets": {"budget": 1000}}' >"$HOME/.ikigai/config.json"
words short 100 | put notes
ikm asset pin notes >/dev/null
words longer 1500 >long
fails 6 put notes <long 2>err
not grep -i summar err
same "$(words short 100)" "$(text notes)"
E

try 'the text that is written is shortened, told, and kept whole as a version' <<'E'
use sh "$PWD/first"
call notes "$(cat long)" >out
jq -r '.warnings[]' out | grep "^the summarizer (asset.summarizer) shortened 'ikigai:///notes' from "
[ "$(used)" -le 1000 ]
[ "$(used)" -gt 500 ]
same "$(jq -r .newHash out)" "sha256:$(text notes | sha256sum | cut -d' ' -f1)"
words longer 1500 | grep -qF "$(text notes)"
same '["summarize","write"]' "$(ikm asset history notes --json | jq -c '[.versions[].op]')"
same "$(cat long)" "$(ikm asset history notes 2)"
same "$(words short 100)" "$(ikm asset history notes 1)"
same 1 "$(jq '.texts | length' asked)"
E

try 'a person is told too' <<'E'
put notes <long >out 2>err
cat out err | grep 'shortened .ikigai:///notes.'
E

try 'undo takes it back: the text before the write returns' <<'E'
words short 100 | put notes
event=$(call notes "$(cat long)" | jq -r .event)
ikm events undo "$event" >/dev/null
same "$(words short 100)" "$(text notes)"
E

long 'another asset is shortened when it is larger, as a change of its own' <<'E'
words large 700 | put large
ikm asset pin large >/dev/null
words mine 200 >mine
call notes "$(cat mine)" >/dev/null
words mine 400 >mine
call notes "$(cat mine)" >out
jq -r '.warnings[]' out | grep "shortened 'ikigai:///large' from "
same "$(cat mine)" "$(text notes)"
[ "$(used)" -le 1000 ]
same "$(words large 700)" "$(ikm asset history large 1)"
same '["write","summarize"]' \
	"$(ikm events query -n 2 --json | jq -c '[.rows[].op] | sort_by(. == "summarize")')"
ikm events undo "$(ikm events query --json | jq -r '[.rows[] | select(.op == "summarize")][0].event_id')" \
	2>err || grep -q 'Block budget exceeded' err
E

long 'edit, append and a patch ask it too' <<'E'
ikm asset delete large >/dev/null
words short 100 | put notes
printf 'end\n' | ikm append ikigai:///notes
ikm append ikigai:///notes <long >out 2>&1
grep 'shortened .ikigai:///notes.' out
words short 100 | put notes
jq -cn --rawfile new long '{path: "ikigai:///notes", old: "short \n", $new}' | ikm call file_edit >out
jq -r '.warnings[]' out | grep 'shortened .ikigai:///notes.'
[ "$(used)" -le 1000 ]
words short 100 | put notes
{
	printf '*** Begin Patch\n*** Update File: ikigai:///notes\n@@\n-%s\n' "$(text notes)"
	sed 's/^/+/' long
	printf '*** End Patch\n'
} | ikm patch >out 2>&1
cat out
grep 'shortened .ikigai:///notes.' out
E

try 'what is restored is not shortened, nor what a person protects' <<'E'
words short 100 | put notes
fails 6 ikm asset restore notes 2 2>err
not grep "no asset was shortened" err
words short 50 | put notes
words large 900 | put large
ikm asset pin large >/dev/null
ikm asset set large --read-only >/dev/null
words mine 300 >mine
put notes <mine >out 2>&1
grep 'shortened .ikigai:///notes.' out
same "$(words large 900)" "$(text large)"
ikm asset set notes --read-only >/dev/null
words other 10 | put other
ikm -c assets.budget=5000 asset pin other >/dev/null
words other 40 >mine
fails 6 ikm -c assets.budget=900 write ikigai:///other <mine 2>err
cat err
grep "no asset was shortened: .* tokens are too many, and the largest pinned asset that may be shortened, 'other', has only 41" err
ikm asset set notes --writable >/dev/null
ikm asset set large --writable >/dev/null
ikm asset delete large >/dev/null
ikm asset delete other >/dev/null
E

try 'a summary that equals the present text keeps the full one too' <<'E'
words short 100 | put notes
echo 'jq -c --rawfile is is "{texts: [\$is]}"' >same
text notes >is
use sh "$PWD/same"
put notes <long 2>err
same "$(words short 100)" "$(text notes)"
last=$(ikm asset history notes --json | jq '.versions | max_by(.version).version')
same "$(cat long)" "$(ikm asset history notes "$last")"
E

long 'a program that fails changes nothing, and its words are told' <<'E'
words short 100 | put notes
bad() { # WORDS SCRIPT
	printf '%s\n' "$2" >bad
	use sh "$PWD/bad"
	fails 6 put notes <long 2>err
	cat err
	grep -F 'Block budget exceeded' err
	grep -F "no asset was shortened: the summarizer 'sh' (asset.summarizer): $1" err
	same "$(words short 100)" "$(text notes)"
}
bad 'it ended with status 3: no model' 'cat >/dev/null; echo no model >&2; exit 3'
bad 'it printed nothing' 'cat >/dev/null'
bad 'its output is not JSON' 'cat >/dev/null; echo hello'
bad 'its answer has no list texts with one string' 'cat >/dev/null; echo "{\"texts\":[]}"'
bad 'its answer has no list texts with one string' 'cat >/dev/null; echo "{\"texts\":[1]}"'
bad 'its text is empty' 'cat >/dev/null; echo "{\"texts\":[\" \"]}"'
bad 'its text has ' 'jq -c "{texts: .texts}"'
use ./is-not-there
fails 6 put notes <long 2>err
grep -F "no asset was shortened: the summarizer './is-not-there'" err
echo 'sleep 30' >bad
use sh "$PWD/bad"
fails 6 ikm -c asset.summarizerTimeout=100 write ikigai:///notes <long 2>err
grep -F 'no asset was shortened: ' err
same "$(words short 100)" "$(text notes)"
E

try 'an asset that is changed while the program runs is not overwritten' <<'E'
cat >slow <<'P'
ikm -c asset.summarizer=[] write ikigai:///notes <by-another >&2 || exit 1
exec sh first
P
echo by another >by-another
use sh "$PWD/slow"
fails 4 put notes <long 2>err
grep "was changed meanwhile" err
same 'by another' "$(text notes)"
E

try 'a change that is only proposed, and one within the budget, do not run it' <<'E'
rm -f asked
use sh "$PWD/first"
words short 100 | put notes
[ ! -e asked ]
E

done_testing
