#!/bin/sh
# What a commit of the garden takes along: no uncommitted edit that the policy forbids, every history
# copy that no commit has, no file that Git would store otherwise than ikm can.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
cd "$G" || exit 1
F=users/ada/parts/p1/profile.md

held() { # RULE [HELP]: a tool's write is a conflict that names the rule, and changes nothing
	cp $F ../f
	git rev-parse HEAD >../head
	printf '{"path":"%s","sectionAnchor":"needs v1","change":{"append":"- rest"},"rationale":"x"}' $F |
		fails 4 ikm call md_patch_section >../ans || return
	same "UNCOMMITTED $1" "$(jq -r '"\(.details.reason) \(.details.rule)"' ../ans)" || return
	cmp ../f $F
	git rev-parse HEAD | cmp - ../head
	same " M $F" "$(git status --short)"
}
patch() { ikm md patch $F needs --append "- $1" --rationale "$1"; }

# Edits of a person that a commit of that person would not pass, and whether a rationale opens it.
cat >"$T/edits" <<'CASES'
garden-identity|s/^user_id: ada/user_id: bob/|Ikm-Rationale
garden-anchor|/anchor: concerns/d|Ikm-Rationale
garden-change-log-past|s/: created$/: forged/|Ikm-Rationale
garden-title|/^# The Critic/d|take it back
CASES

long "a tool's write takes no forbidden edit of a person along; the person's lines stay" <<'E'
rows=0
while IFS='|' read -r rule edit help; do
	sed -i "$edit" $F
	held "$rule"
	jq -r '.help.steps[]?, .message' ../ans | grep -q -- "$help\|git diff"
	git checkout -q -- $F
	rows=$((rows + 1))
done <"$T/edits"
[ $rows = 4 ]
patch one
clean
E

long 'what the policy allows a person goes along, and a mended edit too' <<'E'
sed -i 's/^It fears to fail\.$/It fears to fail, often./' $F
patch two
git show HEAD:$F | grep -q 'often'
clean
sed -i '/anchor: concerns/d' $F
held garden-anchor
git commit -q -m 'no concerns' -m 'Ikm-Rationale: meant' $F
patch three
clean
git revert -n HEAD~1 2>/dev/null || git checkout -q HEAD~2 -- $F
git reset -q --hard
E

try 'a file that Git does not have yet is judged as a new one' <<'E'
mkdir -p users/ada/parts/p2
sed 's/^id: p1/id: p9/' $F >users/ada/parts/p2/profile.md
fails_for UNCOMMITTED ikm md patch users/ada/parts/p2/profile.md needs --append '- x' --rationale x
sed -i 's/^id: p9/id: p2/' users/ada/parts/p2/profile.md
ikm md patch users/ada/parts/p2/profile.md needs --append '- x' --rationale x
clean
E

try "ikm's own uncommitted writes are none of a person" <<'E'
git config commit.gpgSign true
git config gpg.program /bin/false
patch four 2>../err
patch five 2>../err
git config --unset commit.gpgSign
patch six
clean
same 3 "$(grep -c '^- \(four\|five\|six\)' $F)"
E

more 'history copies that were made with garden.commit off come with the next commit' <<'E'
patch seven
export IKM_GARDEN_COMMIT=off
patch eight
patch nine
same " M $F
?? users/ada/parts/p1/history/" "$(git status --short | sed 's|history/.*|history/|' | sort -u)"
unset IKM_GARDEN_COMMIT
echo junk >users/ada/parts/p1/history/20260131T120000.000Z-1a2b3c4d5e6f-profile.md
patch ten
same '?? users/ada/parts/p1/history/20260131T120000.000Z-1a2b3c4d5e6f-profile.md' "$(git status --short)"
rm users/ada/parts/p1/history/20260131T*
same 3 "$(git show --name-only --format= HEAD | grep -c /history/)"
clean
E

more 'a filter of the file or of its history copies alone is told before the write' <<'E'
git config filter.mark.clean "touch $T/ran; cat"
for path in "$F" '**/history/*'; do
	echo "$path filter=mark" >.gitattributes
	git add .gitattributes; git commit -qm attributes
	cp $F ../f
	rm -f "$T/ran"
	fails_for GIT_UNSUPPORTED ikm md patch $F needs --append '- x' --rationale x 2>../err
	grep -q 'filter=mark' ../err
	[ ! -e "$T/ran" ]
	cmp ../f $F
	same '' "$(git status --short)"
	git rm -q .gitattributes; git commit -qm plain
done
patch eleven
clean
E

more 'an index entry that git commit wrote back moves again; what somebody stages stays' <<'E'
for n in 1 2; do
	cp .git/index ../index
	patch "race $n"
	[ $n = 1 ] || { echo x >later; git add later; git commit -qm later later; rm later; git commit -qam gone; }
	if [ $n = 1 ]; then cp ../index .git/index; else
		git update-index --cacheinfo "100644,$(git rev-parse HEAD~3:$F),$F"
	fi
	git status --short | grep -q "^MM $F\|^M  $F\|^MM"
	ikm propose md patch $F needs --append '- dry' --rationale x >/dev/null 2>&1 || :
	git status --short | grep -q "^MM $F"
	patch "after $n"
	clean
done
git update-index --cacheinfo "100644,$(git rev-parse HEAD~4:$F),$F"
fails_for STAGED patch no
git reset -q
sed -i 's/^It fears/It still fears/' $F
git update-index --cacheinfo "100644,$(git rev-parse HEAD~1:$F),$F"
fails_for STAGED patch no
git reset -q --hard
E

more 'a commit on no branch is told, and one on a branch is not' <<'E'
git checkout -q --detach
patch detached 2>../err
grep -q "on no branch.*git switch -c" ../err
at=$(git rev-parse HEAD)
git switch -q -
git merge -q "$at"
patch attached 2>../err
not grep 'on no branch' ../err
clean
E

more 'line ends and $Id$ are stored as git add stores them' <<'E'
printf '*.md text eol=crlf ident\n' >.gitattributes
git add .gitattributes; git commit -qm attributes
rm $F; git checkout -q -- $F
grep -q "$(printf '\r')" $F
patch twelve
same '' "$(git status --short)"
same 0 "$(git cat-file -p HEAD:$F | grep -c "$(printf "\r")" || :)"
git rm -q .gitattributes; git commit -qm plain; git rm -q --cached -r users; git reset -q --hard
clean
E

more 'a garden in a folder of a repository: what is staged there counts' <<'E'
git init -q ../code
mkdir -p ../code/people
cp -r users ../code/people
rm -rf ../code/people/users/ada/parts/p1/history
git -C ../code add -A; git -C ../code commit -qm begin
cd ../code/people
ikm config set garden.path "$PWD" >/dev/null
sed 's/Critic/Inner Critic/' $F >../staged
cp $F ../f; cp ../staged $F; git add $F; cp ../f $F
fails_for STAGED ikm md patch $F needs --append '- x' --rationale x
git reset -q
sed -i 's/^user_id: ada/user_id: bob/' $F
fails_for UNCOMMITTED ikm md patch $F needs --append '- x' --rationale x
git checkout -q -- $F
ikm md patch $F needs --append '- x' --rationale x
same '?? f
?? staged' "$(git -C .. status --short)"
E
done_testing
