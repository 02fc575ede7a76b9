#!/bin/sh
# Refusals around the garden say what to do next. t/unit/garden.c demands it of every rule.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"

steps() { # FILE: the message and the next steps
	jq -r '.message, .help.steps[]?' "$1"
}

long 'a link out of the garden is called a link, and one outside is not' <<'E'
mkdir far root
echo x >far/f
ln -s "$PWD/far" root/out
ln -s "$PWD/far/f" root/notes.md
ln -s "$PWD/far" far/again
for name in out/f notes.md; do
	jq -n --arg p "$PWD/root/$name" '{path: $p, content: "y"}' >in
	fails_for OUTSIDE_ROOTS ikm call file_write --root "$PWD/root" <in >out
	steps out | grep -qF "'$PWD/root/$name' leads through a symbolic link outside the roots"
done
jq -n --arg p "$PWD/far/again/f" '{path: $p, content: "y"}' >in
fails_for OUTSIDE_ROOTS ikm call file_write --root "$PWD/root" <in >out
steps out | grep -qF "'$PWD/far/again/f' is outside the roots"
same x "$(cat far/f)"
ln -s "$PWD/far/f" "$G/users/ada/parts/p1/notes.md"
jq -n --arg p "$G/users/ada/parts/p1/notes.md" '{path: $p, content: "y"}' >in
fails_for OUTSIDE_ROOTS ikm call file_write <in >out
steps out | grep -qF "leads through a symbolic link"
same x "$(cat far/f)"
rm "$G/users/ada/parts/p1/notes.md"
E

try 'a folder is no file, and what is no text is named with its line' <<'E'
jq -n --arg p "$G/users" '{path: $p, content: "y"}' >in
fails_for NOT_A_FILE ikm call file_write <in >out
steps out | grep -qF 'name a file in it'
{ cat "$P" && printf 'a\0b\n'; } | base64 | jq -Rs --arg p "$P" '{path: $p, content: gsub("\n"; ""), encoding: "base64"}' >in
fails_for GARDEN_POLICY ikm call file_write <in >out
steps out | grep -q 'garden-text: the file has a NUL byte in line [0-9]*; write it as UTF-8 text'
clean
E

try 'the reason of a commit that cannot be signed has no other warnings' <<'E'
cat >sign <<'S'
#!/bin/sh
echo 'warning: of something else' >&2
echo 'gpg: no secret key' >&2
exit 2
S
chmod +x sign
printf '[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = %s/sign\n' "$PWD" >"$HOME/.gitconfig"
export GIT_CONFIG_GLOBAL="$HOME/.gitconfig"
ikm md patch "$P" needs --replace x --rationale y --json >out
same false "$(jq -r .committed out)"
jq -r '[.. | strings] | join(" ")' out >text
grep -q 'failed to sign the data' text
not grep -q 'warning: of\|fsyncObjectFiles' text
E
done_testing
