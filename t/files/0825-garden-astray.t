#!/bin/sh
# A name that looks like one of the garden, typed where it names a file of another repository: ikm
# says so, or makes no file there.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
git init -q code && cd code || exit 1

nothing_here() { same .git "$(ls -A)"; }

long 'a mistyped path of the garden makes no file elsewhere' <<'E'
while read -r name meant; do
	fails_for BAD_PATH ikm write -p "$name" --content x 2>err
	grep -q "'$name' is no path of the garden '$G'" err
	grep -q "for a file of this folder write './$name'" err
	[ -z "$meant" ] || grep -q "did you mean '$meant'?" err
	jq -n --arg path "$name" '{$path, content: "x", parents: true}' >in
	fails_for BAD_PATH ikm call file_write <in >out
	rm in out err
done <<'L'
users/ada/parts/p1/profil.md users/ada/parts/p1/profile.md
users/ada/part/p1/profile.md users/ada/parts/p1/profile.md
users/ada/note.md users/ada/notes.md
users/ada/todo/list.md
L
fails_for BAD_PATH ikm mkdir users/ada/part/p2
printf -- '--- /dev/null\n+++ b/users/ada/noets.md\n@@ -0,0 +1 @@\n+x\n' >diff
fails_for BAD_PATH ikm patch -p1 <diff
jq -n --rawfile diff diff '{operation: "fs_patch", input: {diffText: $diff}}' >in
fails_for BAD_PATH ikm call propose_change <in >out
rm diff in out
nothing_here
E

try 'a file that is not there gets the hint' <<'E'
for name in read 'edit --old a --new b' 'append --text x' 'md sections'; do
	# shellcheck disable=SC2086
	fails_for FILE_NOT_FOUND ikm ${name%% --*} users/ada/parts/p1/profil.md ${name#"${name%% --*}"} 2>err
	grep -q "did you mean 'users/ada/parts/p1/profile.md'?" err || { cat err; exit 1; }
	rm err
done
nothing_here
E

try 'a folder with users/ keeps its files, and a new one is told' <<'E'
mkdir -p users/ada
ikm write users/ada/notes.md --content mine 2>err
grep -q "'users/ada/notes.md' is a file of this folder, which has users/.* '$G/users/ada/notes.md'" err
ikm write users/ada/notes.md --content more 2>err
same '' "$(cat err)"
jq -n '{path: "users/ada/note.md", content: "x"}' | ikm call file_write >out
same 1 "$(jq '.warnings | map(select(contains("is no path of the garden"))) | length' out)"
ikm write users/bob/notes.md -p --content his 2>err
same '' "$(cat err)"
same more "$(cat users/ada/notes.md)"
rm -r users err out
E

try 'a file that the garden does not have yet is made by md new, and the error says how' <<'E'
(
	cd "$G"
	for name in read 'edit --old a --new b' 'md sections' 'md patch --replace x'; do
		# shellcheck disable=SC2086
		fails_for FILE_NOT_FOUND ikm $name users/ada/parts/p9/profile.md \
			$([ "${name%% --*}" != 'md patch' ] || echo identity) 2>err
		grep -qx "  ikm md new part 'p9' makes it" err || { cat err; exit 1; }
		not grep -q 'has users/\|--parents' err
	done
	rm err
)
fails_for FILE_NOT_FOUND ikm md sections garden:///relationships/r9/profile.md 2>err
grep -qx "  ikm md new relationship 'r9' makes it" err
fails_for FILE_NOT_FOUND ikm md sections users/ada/parts/p9/notes.md 2>err
not grep -q 'makes it' err
fails_for FILE_NOT_FOUND ikm md sections users/bob/notes.md 2>err
not grep -q 'makes it' err
rm err
E

try 'a file that is gone while Git has it comes back by the command that the error names' <<'E'
profile=users/ada/parts/p1/profile.md
cp "$G/$profile" was
for name in read 'md patch --replace x' 'md new'; do
	rm "$G/$profile"
	case $name in
	read) ikm read "$profile" ;;
	'md new') ikm md new part p1 ;;
	*) ikm md patch --replace x "$profile" identity ;;
	esac 2>err && exit 1
	not grep -q 'makes it' err
	sed -n "s/.*: \(git -C '[^']*' restore '[^']*'\).*/\1/p" err >step
	same 1 "$(wc -l <step)"
	sh ./step
	cmp was "$G/$profile"
done
rm was err step
E

try 'what is meant as it stands is made' <<'E'
ikm write -p ./users/ada/parts/p1/profil.md --content x 2>err
ikm write -p "$PWD/users/bob/noted.md" --content x 2>>err
same '' "$(cat err)"
rm -r users
ikm write -p users/zoe/lib/main.c --content x 2>err
same '' "$(cat err)"
rm -r users
ikm -c garden.path="$T/none" write -p users/ada/notes.md --content x 2>err
grep -q "there is no garden: 'ikm init --garden' makes it" err
rm -r users err
nothing_here
E
done_testing
