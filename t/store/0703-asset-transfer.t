#!/bin/sh
# ikm asset export, import: stored assets as files, and back, with nothing lost and nothing replaced.
. "$(dirname "$0")/../lib.sh"

printf 'one\n' | ikm write ikigai:///blocks/a.md
printf 'two\n' | ikm write 'ikigai:///notes/b c.md'
ikm asset set blocks/a -d 'first' --category skill >/dev/null
ikm asset set 'notes/b c.md' --read-only >/dev/null

try 'what goes out comes in again on another home' <<'E'
same '2 written, 0 unchanged' "$(ikm asset export out)"
same 'one
two' "$(cat out/blocks/a.md 'out/notes/b c.md')"
same '0 written, 2 unchanged' "$(ikm asset export out)"
ikm asset list --json | jq -c '.assets[] | [.path, .description, .category, .readOnly, .hash]' >want
export HOME=$T/home2
mkdir "$HOME"
same '2 written, 0 unchanged' "$(ikm asset import out)"
ikm asset list --json | jq -c '.assets[] | [.path, .description, .category, .readOnly, .hash]' | diff want -
same '0 written, 2 unchanged' "$(ikm asset import out)"
E

try 'a difference is kept and told, until it may be replaced' <<'E'
echo mine >out/blocks/a.md
ikm asset export out blocks >said 2>err
same mine "$(cat out/blocks/a.md)"
grep -q '^kept, for it differs: blocks/a.md' err
ikm asset import out/ >said 2>err
same one "$(ikm read ikigai:///blocks/a.md)"
ikm asset import out --overwrite blocks >said
same '["mine","one"]' "$(printf '%s\n' "$(ikm read ikigai:///blocks/a.md)" "$(ikm asset history blocks/a 1)" | jq -Rsc 'split("\n")[:-1]')"
E

try 'what is no asset is told, and the rest is taken' <<'E'
mkdir in
printf 'a\0b' >in/bin
echo good >in/good.md
fails 1 ikm asset import in >said 2>err
same '1 written, 0 unchanged' "$(cat said)"
grep -q "'bin' was not taken" err
fails 3 ikm asset import none
fails 2 ikm asset import in/good.md
echo '{' >in/.ikm-assets
fails_for BAD_JSON ikm asset import in
E
done_testing
