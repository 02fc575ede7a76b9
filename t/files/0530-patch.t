#!/bin/sh
# ikm patch: against GNU patch over generated cases, names, several files, all or none.
. "$(dirname "$0")/../lib.sh"
GNU_PATCH=$(command -v patch) # build/tool has one of ours
PATH=$BUILD/tool:$PATH
export GNU_PATCH

# Every case by GNU patch and by us: the same bytes, places and fuzz. Where they differ it must be
# - a text with CR LF: we let LF and CR LF match, so we may do what GNU patch does not, and a diff
#   that shows no line end of the file gets the file's;
# - a hunk without context at one end, which belongs to that end of the file and fits elsewhere only:
#   we take the place, and tell it, if no other has all its lines;
# - an insertion without context behind the end of the file, or into what the hunk before changed,
#   which GNU patch puts where it can: that has nothing to do with where it belongs, and is refused.
compare() ( # case
	cd "cases/$1"
	[ -s diff ] || return 0
	theirs=0 ours=0 reverse=$(cat args)
	"$GNU_PATCH" --binary -f --verbose -r - -F2 $reverse -o gnu target <./diff >log 2>&1 || theirs=$?
	patch apply diff target 2 $reverse >ikm 2>places || ours=$?
	perl -ne 'print "$1 offset ", $3 // 0, " fuzz ", $2 // 0, "\n"
		if /^Hunk #(\d+) succeeded at \d+(?: with fuzz (\d+))?(?: \(offset (-?\d+))?/ &&
			($2 || $3)' log >want
	case $theirs,$ours in
	0,0)
		if grep -q tolerated places; then
			:
		elif grep -q "$(printf '\r')" old new target; then
			[ -s want ] || cmp gnu ikm || { ! grep -q "$(printf '\r')" diff &&
				[ "$(tr -d '\r' <gnu)" = "$(tr -d '\r' <ikm)" ]; }
		else
			cmp gnu ikm && cmp want places
		fi && echo same >>../../count ;;
	1,4) [ ! -s ikm ] && echo fails >>../../count ;;
	0,4) grep -q 'where they cannot be\|with other context around it' places && echo refused >>../../count ;;
	1,0) grep -q "tolerated\|$(printf '\r')" places old new target && echo ends >>../../count ;;
	*) false ;;
	esac || { echo "case $1 ($(cat make)): GNU patch $theirs, ours $ours"; cat log places; return 1; }
)

# Where git applies the diff we have the same bytes. Where it refuses and we do not, the only reason
# is the end of the file that a hunk belongs to, a hunk without old lines, or CR LF. Forced to put
# the last line elsewhere git joins "\ No newline" and the next line; we do not.
referee() ( # case
	cd "cases/$1"
	[ -s diff ] && ! grep -q -e '-U0 \|new 0' make || return 0
	theirs=0 ours=0 reverse=$(cat args)
	perl -ne 'print "--- a/git\n+++ b/git\n" if /^@@/ && !$n++; print if $n' diff >for-git
	cp target git
	git apply --whitespace=nowarn $reverse for-git >log 2>&1 || theirs=$?
	patch apply for-git target 0 $reverse >exact 2>places || ours=$?
	case $theirs,$ours in
	0,0) cmp git exact && ! grep tolerated places && echo same >>../../referee ;;
	1,0)
		! grep -q "^. No newline\|$(printf '\r')" for-git target || return 0
		! grep -q 'git:0$' log || return 0
		git apply --whitespace=nowarn --unidiff-zero $reverse for-git && cmp git exact &&
			echo elsewhere >>../../referee
		;;
	1,4) [ ! -s exact ] ;;
	*) false ;;
	esac || { echo "case $1 ($(cat make)): git $theirs, ours $ours"; cat log places; return 1; }
)

long 'as GNU patch: bytes, offsets, fuzz, success' <<'E'
last=100
[ -z "${IKM_MORE-}" ] || last=400
perl "$TOP/t/tool/patch-cases.pl" 1 $last
for case in $(seq $last); do
	compare $case
done
[ "$(grep -c same count)" -gt $((last * 5 / 8)) ]
[ "$(grep -c fails count)" -gt $((last / 10)) ]
[ "$(grep -c refused count)" -lt $((last / 40)) ]
E

try 'as git apply: bytes, and what does not apply' <<'E'
last=30
[ -z "${IKM_MORE-}" ] || last=400
perl "$TOP/t/tool/patch-cases.pl" 1 $last
for case in $(seq $last); do
	referee $case
done
[ "$(grep -c same referee)" -gt $((last / 4)) ]
[ "$(grep -c elsewhere referee)" -gt $((last / 20)) ]
E

long 'CR LF and no newline at the end: the bytes of git apply, whatever else has CR LF' <<'E'
count=0
like_git() { # FILTER: of the diff of old and new
	git diff --no-index -U3 old new | sed -e 's,^\([-+]* [ab]\)/\(old\|new\),\1/f,' \
		-e '/^diff\|^index/d' >plain || :
	sed "$1" plain >d
	cp old f
	git apply --whitespace=nowarn d 2>/dev/null || return 0
	cp f git
	cp old f
	ikm patch <d
	cmp git f
	count=$((count + 1))
}
texts='a\r\nb\r\nc|a\r\nb\r\nC|a\r\nb\r\nc\r\n|a\r\nb|a\r\nb\nc|A\r\nb\r\nc\r\nd|a\r\nb\r\nc\r'
IFS='|'
for old in $texts; do
	for new in $texts; do
		printf "$old" >old
		printf "$new" >new
		! cmp -s old new || continue
		like_git ''
		like_git '1,2s/$/\r/'
		like_git 's/\r*$/\r/'
		like_git '3,$s/\r*$/\r/'
	done
done
[ $count -gt 90 ]
# Where Git refuses, a newline that the diff adds is not lost.
printf 'a\r\nb' >f
printf -- '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n' | ikm patch
printf 'a\r\nb\r\n' | cmp - f
printf 'a\r\nb' >f
printf -- '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n\\ No newline at end of file\n' |
	sed 's/$/\r/' | ikm patch
printf 'a\r\nB' | cmp - f
# What turns out not to be the last line gets the line end of the file.
printf 'a\r\nb\r\nd\r\n' >f
printf -- '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n' | ikm patch
printf 'a\r\nc\r\nd\r\n' | cmp - f
E

more 'a small change, and back' <<'E'
seq 1 20 >f; sed 's/^7$/seven/' f >g; cp f old
diff -u f g >d || :
same 'modified f' "$(ikm patch f <d)"
cmp f g
ikm patch -R f --diff - <d
cmp f old
ikm patch f --diff "$(cat d)" --json >out
same "sha256:$(sha256sum <g | cut -d' ' -f1)" "$(jq -r .newHash out)"
same '["f","modified",1,0,0]' "$(jq -c '.files[0] | [.path, .status, .hunks, .offset, .fuzz]' out)"
E

more 'applied already' <<'E'
fails 4 ikm patch f --json <d >out
same 'HUNK_FAILED true f' "$(jq -r '.details | .reason + " \(.applied) " + .path' out)"
jq -r .message out | grep 'applied already'
same 'unchanged f' "$(ikm patch -N f <d)"
cmp f g
E

more 'moved, and with fuzz' <<'E'
(echo new; echo newer; sed 's/^5$/five/' old) >f
same 'modified f (moved by 2 lines) (fuzz 2)' "$(ikm patch f <d)"
(echo new; cat old) >one
same 'modified one (moved by 1 line)' "$(ikm patch one <d)"
sed -n 9p f | grep seven
(echo new; echo newer; sed 's/^5$/five/' old) >f; cp f before
fails 4 ikm patch -F 1 f <d
cmp f before
E

more 'what does not fit is shown, and nothing is changed' <<'E'
sed 's/^7$/sieben/' old >f; cp f before
fails 4 ikm patch f --json <d >out 2>err
same '["HUNK_FAILED","f",1,3,7,"7","sieben"]' "$(jq -c '.details |
	[.reason, .path, .hunk, .line, .fileLine, .expected, .found]' out)"
cmp f before
E

more 'a bad diff is named by its line' <<'E'
sed 3d d | fails 2 ikm patch f --json >out
same '["BAD_PATCH",3]' "$(jq -c '.details | [.reason, .line]' out)"
echo hello | fails 2 ikm patch f 2>err
grep 'no unified diff' err
cmp f before
E

more 'only what was read' <<'E'
cp old f
hash=$(sha256sum <f | cut -d' ' -f1)
fails 4 ikm patch f --if-match "sha256:$(echo | sha256sum | cut -d' ' -f1)" --json <d >out
same "CHANGED sha256:$hash" "$(jq -r '.details | .reason + " " + .currentHash' out)"
fails 4 ikm patch f --if-match none --dry-run <d
ikm patch f --if-match "sha256:$hash" --dry-run <d
cmp f old
ikm patch f --if-match "sha256:$hash" <d
cmp f g
E

# A repository before and after: every kind of change.
sides() (
	rm -rf old new
	git init -q old
	mkdir old/dir
	cd old
	seq 1 30 >changed; seq 40 70 >dir/renamed; seq 80 99 >moved; echo gone >dir/gone
	: >empty; seq 5 25 >copied; chmod +x dir/renamed; printf 'no end' >'odd "name'
	git add -A; git commit -qm old
	cp -a . ../new
	cd ../new
	sed -i 's/^9$/nine/;25d' changed; git mv dir/renamed renamed; sed -i 1d renamed
	mkdir -p far/away; git mv moved far/away/moved; git rm -q dir/gone empty
	sed s/7/seven/ copied >copy; echo x >>copied; : >'new empty'; echo new >far/new
	printf 'an end\n' >'odd "name'
	git add -A
)
kinds() { (cd new; git diff --cached -C -M >../diff); }
is() { # folder has what the other has
	diff -r -x .git "$1" "$2"
	same "$(cd "$1"; find . -name .git -prune -o -type f -perm -100 -print)" \
		"$(cd "$2"; find . -name .git -prune -o -type f -perm -100 -print)"
}

more 'every kind of change of git, and back' <<'E'
sides; kinds
cp -a old work; cd work
ikm patch --dry-run <../diff >../dry
is ../old .
ikm patch <../diff >../done
same "$(cat ../dry)" "$(cat ../done)"
cat ../done
same 9 "$(wc -l <../done)"
grep '^renamed far/away/moved from moved' ../done
rmdir dir
is ../new .
ikm patch -R <../diff
find . -type d -empty -delete
is ../old .
E

more 'the same from a mail' <<'E'
rm -rf work mail; cp -a old work
(cd new; git commit -qm 'A change
--- what it is about
'; git format-patch -1 -C -M --stdout >../mail)
(cd work; ikm patch <../mail; rmdir dir)
is new work
E

more 'several commits one after the other' <<'E'
rm -rf work; sides
cd new; git commit -qm one; git mv changed other; echo 1 >>other; git commit -qam two
echo 2 >>other; echo again >changed; git add -A; git commit -qm three
git format-patch -3 --stdout -M >../mail; cd ..
cp -a old work; cd work
ikm patch <../mail
rmdir dir
is ../new .
ikm patch -R <../mail
find . -type d -empty -delete
is ../old .
E

more 'folders by diff -ruN' <<'E'
rm -rf work; sides; cp -a old work
diff -ruN -x .git old new >d || :
cd work
ikm patch -p1 <../d
find . -empty -delete # diff does not tell of empty files
(cd ../new; find . -empty -name '*empty*' -delete)
diff -r -x .git . ../new
E

more 'of two names, the one that exists' <<'E'
rm -rf names; mkdir names; cd names
seq 1 5 >x; sed s/3/three/ x >x.new; diff -u x x.new >d || :
ikm patch <d | grep '^modified x$' # the shorter
seq 1 5 >x; mv x.new y
sed 's/^--- x/--- nowhere/' d >e; mv x x.new
same 'modified x.new' "$(ikm patch <e)"
E

more 'an agent writes a/ and b/ without git' <<'E'
mkdir -p src; echo one >src/f
printf -- '--- a/src/f\n+++ b/src/f\n@@ -1 +1 @@\n-one\n+two' | ikm patch
same two "$(cat src/f)"
printf -- '--- a/src/f\n+++ b/src/f\n@@ -1 +1 @@\n-two\n+three\n' >d
fails 3 ikm patch -p 0 <d
fails 2 ikm patch -p 9 <d
cd src; ikm patch -p 2 <../d
same three "$(cat f)"
E

more 'names that lead elsewhere are refused, at the command line too' <<'E'
rm -rf in; mkdir in; echo x >out; echo x >in/f; cd in; git init -q .
for name in ../out /etc/hostname a/../../out .git/config sub/.GIT/config "$PWD/.git/config" \
	"$PWD/../out" "${PWD}x/out"; do
	printf -- '--- %s\n+++ %s\n@@ -0,0 +1 @@\n+y\n' "$name" "$name" >d
	fails 5 ikm patch --json <d >answer
	same OUTSIDE_ROOTS "$(jq -r .details.reason answer)"
	printf -- '--- a/%s\n+++ b/%s\n@@ -0,0 +1 @@\n+y\n' "${name#/}" "${name#/}" >d
	case $name in /*) continue ;; esac
	fails 5 ikm patch --json <d >answer
done
same x "$(cat ../out)"
jq -Rs '{path: "../out", diffText: .}' <d | fails 5 ikm call fs_patch >answer
for name in ../out /etc/hostname .git/config; do
	printf '*** Begin Patch\n*** Add File: %s\n+y\n*** End Patch\n' "$name" >d
	fails_for OUTSIDE_ROOTS ikm patch <d 2>err
	jq -Rs '{diffText: .}' <d | fails 5 ikm call fs_patch >answer
done
printf '*** Begin Patch\n*** Add File: /etc/x\n+y\n*** End Patch\n' | fails 5 ikm patch 2>err
grep -q "write a name that is relative to the current folder '$PWD'" err
E

more 'what cannot be patched is refused by name' <<'E'
rm -rf bin; git init -q bin; cd bin
printf 'a\0b' >b; echo a >t; git add -A; git commit -qm 1
printf 'a\0c' >b; echo b >t
git diff >../d1; git diff --binary >../d2; git checkout -q .
for d in ../d1 ../d2; do
	fails 2 ikm patch --json <$d >../answer
	same 'BAD_PATCH b' "$(jq -r '.details | .reason + " " + .path' ../answer)"
	same a "$(cat t)"
done
ln -s t link; git add link; git diff --cached >../d; git rm -q --cached link; rm link
fails 2 ikm patch <../d 2>../err
grep 'symbolic link' ../err
E

more 'modes: alone, with hunks, renamed, among others, taken back; undone' <<'E'
git init -q modes; cd modes
mode() { stat -c %a "$@" | tr '\n' ' '; }
seq 5 >a; seq 6 >b; seq 7 >c; chmod 640 a; git add -A; git commit -qm 1
chmod +x a; git diff >../d; chmod 640 a
same '["modified"]' "$(ikm patch --dry-run --json <../d | jq -c '[.files[].status]')"
same '640 ' "$(mode a)"
same '["modified"]' "$(ikm patch --json <../d | jq -c '[.files[].status]')"
same '750 ' "$(mode a)"
same '["unchanged"]' "$(ikm patch --json <../d | jq -c '[.files[].status]')"
ikm patch -R <../d
same '640 ' "$(mode a)"
chmod +x a c; git mv b e; chmod +x e; echo 8 >>c; git add -A
git diff --cached -M >../d; git reset -q --hard; chmod 640 a
ikm patch <../d
same '750 755 755 ' "$(mode a c e)"
[ ! -e b ]
git add -A; git diff --cached -M | diff - ../d
ikm patch -R <../d
same '640 644 644 ' "$(mode a c b)"
# A removed one that was executable comes back so, by itself and among others.
git add -A; chmod +x c; git add c; git commit -qm x
git rm -q c; git diff --cached >../d3
ikm patch -R <../d3
same '755 ' "$(mode c)"
git rm -q b; git diff --cached >../d3; rm c
ikm patch -R <../d3
same '644 755 ' "$(mode b c)"
git reset -q --hard HEAD^; chmod 640 a
# One that fails behind them takes all back.
printf -- '--- a/c\n+++ b/c\n@@ -1 +1 @@\n-not there\n+x\n' | cat ../d - >../d2
fails 4 ikm patch <../d2
same '640 644 644 ' "$(mode a c b)"
for n in 3 6 9 12; do
	(export IKM_FAULT=$n; ikm patch <../d) >out 2>&1 || same '640 644 644 ' "$(mode a c b)"
	rm -f out; git reset -q --hard; git clean -qfd; chmod 640 a
done
# As a tool: an event that has the modes, which undo puts back.
chmod +x a; git diff >../d; chmod 640 a
id=$(jq -Rs '{diffText: .}' ../d | ikm call fs_patch | jq -r '.files[0].event')
same '750 ' "$(mode a)"
ikm events undo "$id" --json >undone
same '640 ' "$(mode a)"
ikm events undo "$(jq -r .event undone)"
same '750 ' "$(mode a)"
printf 'x\n' | ikm write ikigai:///a
printf 'diff --git a/a b/a\nold mode 100644\nnew mode 100755\n' |
	ikm patch ikigai:///a --json | jq -r '.warnings[]' | grep "'ikigai:///a' has no mode"
E

more 'as a tool every change has its event' <<'E'
rm -rf tool; git init -q tool; cd tool
seq 1 5 >a; seq 1 5 >b; git add -A; git commit -qm 1
seq 1 4 >a; seq 2 5 >b; echo c >c; git add -A; git diff --cached >../d; git reset -q --hard
jq -Rs '{diffText: .}' ../d | ikm call fs_patch >../answer
same '["modified",26,"modified",26,"created",26]' \
	"$(jq -c '[.files[] | .status, (.event | length)]' ../answer)"
printf -- '--- a/no/where\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n' >../d
jq -Rs '{diffText: ., forward: true}' ../d | ikm call fs_patch >../answer
same '["unchanged"]' "$(jq -c '[.files[].status]' ../answer)"
E

more 'delete and rename are for maintainers on tool faces, and nothing else of the diff is done' <<'E'
rm -rf names; git init -q names; cd names
patch() { # OPTION... <diff: as a tool
	jq -Rs '{diffText: .}' | ikm "$@" call fs_patch
}
for p in '' ikigai:///n/; do
	printf 'x\n' | ikm write "${p}f"
	printf 'y\n' | ikm write "${p}other"
	printf -- '--- %sother\n+++ %sother\n@@ -1 +1 @@\n-y\n+z\n' "$p" "$p" >../other
	printf -- '--- %sf\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n' "$p" >../deletes
	printf -- '--- /dev/null\n+++ %sf\n@@ -0,0 +1 @@\n+x\n' "$p" >../creates
	for d in '../deletes' '../other ../deletes'; do
		cat $d | fails 7 patch >../out
		same '["UNAUTHORIZED","NOT_ALLOWED"]' "$(jq -c '[.errorCode,.details.reason]' ../out)"
		jq -e --arg p "${p}f" '.message | contains("the diff deletes '"'"'" + $p + "'"'"'")' ../out
		same 'x y' "$(ikm read "${p}f") $(ikm read "${p}other")"
	done
	jq -Rs '{diffText: ., reverse: true}' ../creates | fails 7 ikm call fs_patch >../out
	jq -Rs --arg p "${p}f" '{diffText: ., path: $p}' ../deletes | fails 7 ikm call fs_patch >../out
	jq -Rs '{diffText: ., dryRun: true}' ../deletes | fails 7 ikm call fs_patch >../out
	same x "$(ikm read "${p}f")"
	same 0 "$(ikm events query --path "${p}f" --json | jq '.rows | length')"
	cat ../other ../deletes | patch --maintainer >../out
	same '["modified","deleted"]' "$(jq -c '[.files[].status]' ../out)"
done
echo x >f; echo y >other
printf -- '--- other\n+++ other\n@@ -1 +1 @@\n-y\n+z\n' >../other
printf 'diff --git a/f b/g\nsimilarity index 100%%\nrename from f\nrename to g\n' >../renames
cat ../other ../renames | fails 7 patch >../out
jq -e '.message | contains("renames '"'f' to 'g'"'")' ../out
same 'f other' "$(ls | xargs)"
same 'x y' "$(cat f other | xargs)"
patch --maintainer <../renames >../out
same 'g other' "$(ls | xargs)"
ikm patch -R <../renames
ikm patch <../deletes 2>/dev/null && exit 1
printf -- '--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n' | ikm patch
[ ! -e f ]
E

more 'the event of a rename undoes all of it, and that undo can be undone' <<'E'
rm -rf renames; git init -q renames; cd renames
seq 1 9 >f; chmod 644 f
git add -A; git commit -qm 1
git mv f g; sed -i 's/^5$/five/' g; chmod 755 g
git diff HEAD -M >../both
printf 'diff --git a/f b/d/g\nsimilarity index 100%%\nrename from f\nrename to d/g\n' >../pure
git reset -q --hard
apply() { jq -Rs '{diffText: .}' | ikm --maintainer call fs_patch; }
apply <../both >../out
same '["renamed","g"]' "$(jq -c '.files[0] | [.status, .path]' ../out)"
id=$(jq -r '.files[0].event' ../out)
same '1 file changed' "$(git add -A && git diff --cached HEAD -M --shortstat | cut -d, -f1 | xargs)"
same 755 "$(stat -c %a g)"
same 1 "$(ikm events query --path "$PWD" --json | jq '.rows | length')"
ikm events undo "$id" --json >../undone
git add -A; git diff --cached --exit-code HEAD
same 644 "$(stat -c %a f)"
ikm events undo "$(jq -r .event ../undone)"
same 'five 755' "$(sed -n 5p g) $(stat -c %a g)"
[ ! -e f ]
fails 4 ikm events undo "$(jq -r .event ../undone)"
ikm events undo "$id"
git add -A; git diff --cached --exit-code HEAD
apply <../pure >../out
id=$(jq -r '.files[0].event' ../out)
same 26 "${#id}"
[ -e d/g ]
ikm events undo "$id"
[ -e f ] && [ ! -e d/g ]
# ikm leaves a file alone that was changed since.
id=$(apply <../both | jq -r '.files[0].event')
echo more >>g
fails 4 ikm events undo "$id" --json >../out
same CHANGED_SINCE "$(jq -r .details.reason ../out)"
rm g
git reset -q --hard
seq 1 9 | ikm write ikigai:///r/f
sed -e 's,a/f,a/ikigai:///r/f,;s,b/g,b/ikigai:///r/g,;s,from f,from ikigai:///r/f,' \
	-e 's,to g,to ikigai:///r/g,;/mode/d' ../both >../assets
apply <../assets >../out
same five "$(ikm read ikigai:///r/g | sed -n 5p)"
ikm events undo "$(jq -r '.files[0].event' ../out)"
same "$(seq 1 9)" "$(ikm read ikigai:///r/f)"
fails 3 ikm read ikigai:///r/g
E

more 'a rename that fails is as before; one that is killed can be undone or goes on' <<'E'
rm -rf faults; git init -q faults; cd faults
seq 1 9 >f
git add -A; git commit -qm 1
git mv f g; sed -i 's/^5$/five/' g
git diff HEAD -M >../both
git diff HEAD -M --no-renames >../want
half=0
jq -Rs '{diffText: ., forward: true}' ../both >../request
state() { git add -A; git diff --cached HEAD --no-renames; }
for sign in '' -; do
	for n in $(seq 1 60); do
		git reset -q --hard; git clean -qfd
		rm -rf "$HOME/.ikigai"
		rc=0
		IKM_FAULT=$sign$n ikm --maintainer call fs_patch <../request >../out 2>../err || rc=$?
		find . -name '.ikm-tmp-*' -delete
		state >../now
		[ $rc != 0 ] || { [ "$(jq '.warnings | length' ../out)" != 0 ] || break; continue; }
		cmp -s ../now ../want || [ ! -s ../now ] || {
			[ -n "$sign" ] && [ -e g ] && [ ! -e f ] || { cat ../now; exit 1; }
			half=$((half + 1))
			id=$(ikm events query --json | jq -r '.rows[0].event_id')
			ikm events undo "$id"
			state | cmp - /dev/null
			git mv f g
		}
		ikm --maintainer call fs_patch <../request >../out
		state | cmp - ../want
	done
	[ "$n" -gt 6 ] && [ "$n" -lt 60 ]
done
[ $half -gt 0 ]
E

more 'assets' <<'E'
seq 1 9 | ikm write ikigai:///blocks/x.md
printf -- '--- a\n+++ b\n@@ -4,2 +4,2 @@\n 4\n-5\n+five\n' >d
ikm patch ikigai:///blocks/x.md -F 3 <d
ikm read ikigai:///blocks/x.md | sed -n 5p | grep five
printf -- '--- /dev/null\n+++ ikigai:///blocks/new.md\n@@ -0,0 +1 @@\n+new\n--- ikigai:///blocks/x.md\n+++ /dev/null\n@@ -1,9 +0,0 @@\n' >d
ikm read ikigai:///blocks/x.md | sed 's/^/-/' >>d
ikm patch <d
same new "$(ikm read ikigai:///blocks/new.md)"
fails 3 ikm read ikigai:///blocks/x.md
ikm patch -R <d
fails 3 ikm read ikigai:///blocks/new.md
same 9 "$(ikm read ikigai:///blocks/x.md | wc -l)"
E

more 'one file by two names: refused, for one change would be lost' <<'E'
rm -rf twice; mkdir -p twice/dir; cd twice
ln -s dir link; seq 1 9 >dir/f
printf -- '--- %s\n+++ %s\n@@ -1 +1 @@\n-1\n+one\n' dir/f dir/f >d
printf -- '--- %s\n+++ %s\n@@ -9 +9 @@\n-9\n+nine\n' link/f link/f >>d
fails 2 ikm patch <d 2>err
grep 'by two names' err
same "$(seq 1 9)" "$(cat dir/f)"
E

more 'many files in many folders, with few descriptors' <<'E'
rm -rf wide; mkdir wide; cd wide
for n in $(seq 1 300); do
	printf -- '--- /dev/null\n+++ d%d/x%d\n@@ -0,0 +1 @@\n+x\n' $((n % 100)) $n
done >d
(ulimit -n 160; ikm patch <d >said)
same 300 "$(find . -name 'x*' | wc -l)"
rm -rf d[0-9]*
(ulimit -n 60; fails 8 ikm patch <d 2>err)
grep 'no file was changed' err
same '' "$(find . -name 'd[0-9]*')"
E

more 'forty at once, each its line' <<'E'
rm -rf many; mkdir many; cd many
seq 101 140 >f
for n in $(seq 101 140); do
	printf -- '--- f\n+++ f\n@@ -%d +%d @@\n-%d\n+%dx\n' $((n - 100)) $((n - 100)) $n $n >d$n
	ikm patch f <d$n &
done
wait
same "$(seq 101 140 | sed 's/$/x/')" "$(cat f)"
E

more 'one of several does not fit: none is changed' <<'E'
rm -rf work; sides; kinds; cp -a old work; cd work
echo other >'odd "name'; rm -f ../before; cp -a . ../before
fails 4 ikm patch --json <../diff >../answer
same 'HUNK_FAILED odd "name' "$(jq -r '.details | .reason + " " + .path' ../answer)"
is ../before .
E

more 'one of several cannot be written: the others are put back' <<'E'
rm -rf work before; cp -a old work; cd work
mkdir dir/deny
sed 's|far/new|dir/deny/new|g' ../diff >../d
chmod a-w dir/deny; cp -a . ../before
fails 8 ikm patch <../d 2>../err
grep 'no file was changed' ../err
is ../before .
E

more 'faults: all files or none, no litter, and again succeeds' <<'E'
sides; kinds
n=1
while :; do
	rm -rf work; cp -a old work
	rc=0
	(cd work; IKM_FAULT=$n ikm patch <../diff >../said 2>&1) || rc=$?
	[ $rc != 0 ] || break
	is old work || { echo "fault $n"; cat said; exit 1; }
	same "$(cd old; find . -name .git -prune -o -print | sort)" \
		"$(cd work; find . -name .git -prune -o -print | sort)"
	grep -q 'no file was changed' said
	(cd work; ikm patch <../diff)
	find work -type d -empty -delete
	is new work
	n=$((n + 1))
done
[ $n -gt 20 ]
E

more 'killed anywhere: each file is old or new, and again with --forward succeeds' <<'E'
n=1
while :; do
	rm -rf work; cp -a old work
	rc=0
	(cd work; IKM_FAULT=-$n ikm patch <../diff >../said 2>&1) || rc=$?
	[ $rc != 0 ] || break
	(cd work; ikm patch --forward <../diff >../said) || { echo "kill $n"; exit 1; }
	find work -type d -empty -delete
	is new work || { echo "kill $n"; exit 1; }
	n=$((n + 1))
done
[ $n -gt 20 ]
E
more 'wrong counts in hunk headers are corrected, as git apply --recount does' <<'E'
git init -q recount
cd recount
seq 20 >n
cp n m
printf -- '--- a/n\n+++ b/n\n@@ -1,9 +1,2 @@\n 1\n-2\n+two\n 3\n@@ -18 +18,7 @@\n 18\n-19\n 20\n+21\n\n' >diff
patched() { jq -Rs '{diffText: .}' "$1" | ikm call fs_patch; }
patched diff >out
same '["modified",2,1]' "$(jq -c '[.files[0].status, .files[0].hunks, (.warnings | length)]' out)"
sed 's/n$/m/' diff | head -n -1 >theirs
git apply --recount theirs
cmp n m
# A diff whose counts are right has no warning; one that is no diff keeps its error.
printf -- '--- a/n\n+++ b/n\n@@ -1 +1 @@\n-1\n+one\n' >diff
same null "$(patched diff | jq .warnings)"
printf -- '--- a/n\n+++ b/n\n@@ somewhere @@\n-1\n+one\n' >diff
fails 2 patched diff >out
jq -r .message out | grep -q "'@@ somewhere @@' is not a hunk header"
E

more '*** Begin Patch: updates, new files, and what only maintainers do' <<'E'
cd recount
printf 'int a;\nint b;\nint c;\n' >c.c
cat >p <<'P'
*** Begin Patch
*** Update File: c.c
@@ int a;
-int b;
+long b;
*** Add File: new/d.c
+int d;
*** End Patch
P
jq -Rs '{diffText: .}' p | ikm call fs_patch >out
same '[["c.c","modified"],["new/d.c","created"]]' "$(jq -c '[.files[] | [.path, .status]]' out)"
same 'int a; long b; int c;' "$(xargs <c.c)"
same 'int d;' "$(cat new/d.c)"
fails_for HUNK_FAILED sh -c "jq -Rs '{diffText: .}' p | ikm call fs_patch >out"
jq -r .message out | grep -q "'c.c'"
printf '*** Begin Patch\n*** Delete File: c.c\n*** End Patch\n' >p
fails_for NOT_ALLOWED sh -c "jq -Rs '{diffText: .}' p | ikm call fs_patch >out"
[ -e c.c ]
jq -Rs '{diffText: .}' p | ikm --maintainer call fs_patch >out
[ ! -e c.c ]
printf '*** Begin Patch\n*** Update File: new/d.c\n*** Move to: new/e.c\n@@\n-int d;\n+int e;\n*** End Patch\n' >p
jq -Rs '{diffText: .}' p | ikm --maintainer call fs_patch | jq -c '.files[0] | [.path, .from, .status]' >out
same '["new/e.c","new/d.c","renamed"]' "$(cat out)"
same 'int e;' "$(cat new/e.c)"
E
more '*** Begin Patch: context lines keep their bytes, on every face' <<'E'
begin() { printf '*** Begin Patch\n*** Update File: %s\n@@\n%b*** End Patch\n' "$1" "$2"; }
tool() { jq -Rs '{diffText: .}' | ikm call fs_patch; }
same_bytes() { same "$(printf "$1" | od -c)" "$(od -c <"$2")"; }
# CR LF, a mark, no end of line at the end: an added line takes them over.
git init -q begin
cd begin
printf '\357\273\277a\r\n\tb  \r\nc\r\nd' >crlf
begin crlf ' a\n-\tb  \n+B\n+\n c\n' | ikm patch
begin crlf ' c\n-d\n+D\n+e\n' | tool >/dev/null
same_bytes '\357\273\277a\r\nB\r\n\r\nc\r\nD\r\ne' crlf
begin crlf ' e\n+f\n' | sed 's/$/\r/' | ikm patch
same_bytes '\357\273\277a\r\nB\r\n\r\nc\r\nD\r\ne\r\nf' crlf
# A patch whose lines all came with CR LF means no CR for a file without; one line with it does.
printf 'a\nb\nc\n' >lf
begin lf ' a\r\n-b\r\n+B\r\n c\r\n' | ikm patch
same_bytes 'a\nB\nc\n' lf
begin lf ' a\n-B\n+b\r\n c\n' | ikm patch
same_bytes 'a\nb\r\nc\n' lf
# Only the first line speaks for the byte order mark, which is not told as a line end.
printf '\357\273\277a\nb\n' >marked
begin marked '-a\n+x\n b\n' | tool | jq -e '.files[0].tolerated == null'
same_bytes '\357\273\277x\nb\n' marked
begin marked '-x\n-b\n+y\n+\357\273\277z\n' | ikm patch
same_bytes '\357\273\277y\n\357\273\277z\n' marked
begin marked '-\357\273\277y\n+\357\273\277Y\n' | ikm patch
same_bytes '\357\273\277Y\n\357\273\277z\n' marked
begin marked '-\357\273\277Y\n+Y\n' | ikm patch
same_bytes 'Y\n\357\273\277z\n' marked
printf 'all:\r\n\tcc\r\n' | ikm write ikigai:///make.md
begin ikigai:///make.md ' all:\n-\tcc\n+\tld\n' | tool >/dev/null
same "$(printf 'all:\r\n\tld\r\n' | od -c)" "$(ikm read ikigai:///make.md | od -c)"
# Several updates of one file; a here-document; a header with line numbers finds one of two places.
printf 'x\ny\nx\n' >twice
{ echo "apply_patch <<'EOF'"
begin twice '-y\n+z\n' | sed '$d'
printf '*** Update File: twice\n@@ -3 +3 @@\n-x\n+X\n*** End Patch\nEOF\n'; } | ikm patch
same 'x z X' "$(xargs <twice)"
E

more '*** Begin Patch: lines that fit loosely at one place; at two they change nothing' <<'E'
begin() { printf '*** Begin Patch\n*** Update File: %s\n%b*** End Patch\n' "$1" "$2"; }
refused() { # FILE HUNKS WORDS...
	cp "$1" was
	begin "$1" "$2" >p
	fails_for HUNK_FAILED ikm patch <p 2>err
	cmp was "$1"
	jq -Rs '{diffText: .}' p >p.json
	fails_for HUNK_FAILED sh -c 'ikm call fs_patch <p.json >out'
	cmp was "$1"
	grep -q "^ikm: '$1': hunk" err
	shift 2
	for word; do grep -q -e "$word" err || { cat err; exit 1; }; done
}
taken() { # FILE HUNKS WORD CONTENT
	begin "$1" "$2" | ikm patch >out
	grep -q "^modified $1 (other $3" out
	printf "$4" | cmp - "$1"
}
cd begin
printf 'class A:\n    def f(self):\n        x = 1\n        return x\n' >a.py
refused a.py '@@\n   def f(self):\n-        x = 1\n+        x = 2\n       return x\n' \
	'nearest line is 2:' 'by 4 blanks in the file and by 2 blanks in the patch' 'like this: 4$'
taken a.py '@@\n-    x = 1\n+    x = 2\n' indentation \
	'class A:\n    def f(self):\n        x = 2\n        return x\n'
printf 'all:\n\tcc x.c\n' >Makefile
taken Makefile '@@\n all:\n-    cc x.c\n+    cc y.c\n' indentation 'all:\n\tcc y.c\n'
printf 'say \342\200\234hi\342\200\235\nend  \n' >q
taken q '@@\n-say "hi"\n+x\n' quotes 'x\nend  \n'
taken q '@@\n end\n+x\n' 'blanks at line ends' 'x\nend  \nx\n'
printf 'a();\nx();\nb();\nx();\n' >two
refused two '@@\n-x();\n+y();\n' 'at line 2, at line 4' "'@@ '"
refused two '@@\n-a();\n+A();\n@@\n-a();\n+B();\n' 'hunk 2 of 2: it fits at line 1 only, of which a hunk before it removes'
refused two '@@ c();\n-x();\n+y();\n' "no line 'c();'"
refused two '@@ b();\n a();\n+y();\n' "fits at line 1, and not behind the line 'b();'"
refused two '@@ x();\n+y();\n' 'fits at 2 places: at line 3, at line 5'
refused two '@@ -1,0 +2 @@\n+y();\n' 'no line says where'
refused two '@@ -0,0 +1 @@\n+y();\n' 'no line says where'
printf '%s\n' k x k x k k k k x >three
refused three '@@ k\n-x\n+y\n' 'fits at 3 places: at line 2, at line 4 and others'
# As many equal lines before it as there may be: the search does not begin again at each.
{ yes '}' | head -n 20000; echo zz; } >near
begin near '@@ }\n-zz\n+yy\n' | ikm patch
same yy "$(tail -n 1 near)"
# Each hunk is searched for in the whole file, and has work of its own.
seq 100000 >far
for i in $(seq 160 160 96000); do printf '@@\n-%s\n+x%s\n' $i $i; done >hunks
{ printf '*** Begin Patch\n*** Update File: far\n'; cat hunks; printf '*** End Patch\n'; } | ikm patch
same 600 "$(grep -c x far)"
begin two '@@ b();\n-x();\n+y();\n' | ikm patch
same 'a(); x(); b(); y();' "$(xargs <two)"
# Lines that are only added stand behind the line that their @@ names, if there is one such line.
begin two '@@ b();\n+z();\n' >p
ikm patch <p
same 'a(); x(); b(); z(); y();' "$(xargs <two)"
ikm patch -R <p
same 'a(); x(); b(); y();' "$(xargs <two)"
# With *** End of File they stand there; the line that @@ names must be in the file.
begin two '@@ b();\n+z();\n*** End of File\n' >p
ikm patch <p
same 'a(); x(); b(); y(); z();' "$(xargs <two)"
ikm patch -R <p
same 'a(); x(); b(); y();' "$(xargs <two)"
refused two '@@ c();\n+z();\n*** End of File\n' "no line 'c();'"
refused two '@@\n \n totally_other_thing\n-gone\n' "nor one like 'totally_other_thing'"
refused two '@@\n \n-\n' 'no such blank lines'
printf 'a\nhead\nb\nhead\nc\n' >heads
begin heads '@@ head\n+new\n*** End of File\n' | ikm patch
begin heads '@@ -9,0 +9 @@\n+newer\n*** End of File\n' | ikm patch
same 'a head b head c new newer' "$(xargs <heads)"
begin two ' a();\n' >p
fails_for BAD_PATCH ikm patch <p
E
begin_patch() { # LINES
	printf '*** Begin Patch\n%b*** End Patch\n' "$1"
}

more '*** Begin Patch: with a path, the names do not count, and the lines fit as strictly' <<'E'
git init -q path; cd path
mkdir pkg
printf 'def a():\n    return x\n\ndef b():\n    return x\n' >pkg/util.py
printf 'def b():\n    return x\n' >util.py
cp pkg/util.py was; cp util.py one
begin_patch '*** Update File: util.py\n@@\n-    return x\n+    return y\n' >p
jq -Rs '{path: "pkg/util.py", diffText: .}' p >p.json
fails_for HUNK_FAILED ikm patch pkg/util.py <p 2>err
grep -q "'pkg/util.py': hunk 1 of 1: it fits at 2 places: at line 2, at line 5" err
fails_for HUNK_FAILED sh -c 'ikm call fs_patch <p.json >out'
cmp was pkg/util.py
# The named file has other lines around it, or is not there.
printf 'class C:\n    return x\nzzz\n' >util.py
begin_patch '*** Update File: util.py\n@@\n class C:\n-    return x\n+    return y\n zzz\n' >p2
printf 'class D:\n    return x\nqqq\n' >other.py
cp other.py other.was
for named in util.py missing; do
	sed "s/util.py/$named/" p2 >p3
	fails_for HUNK_FAILED ikm patch other.py <p3 2>err
	cmp other.was other.py
	fails_for HUNK_FAILED ikm patch pkg/util.py <p3
	cmp was pkg/util.py
done
sed 's/util.py/missing/' p >p3
same 'modified one' "$(ikm patch one <p3)"
same '    return y' "$(sed -n 2p one)"
fails_for FILE_NOT_FOUND ikm patch missing <p2 2>err
grep -q "'missing'" err
begin_patch '*** Add File: x\n+new\n' | ikm patch fresh
same new "$(cat fresh)"
[ ! -e x ]
E

more '*** Begin Patch without numbers: random changes of real files, byte for byte' <<'E'
mkdir begun
cd begun
set -- "$TOP"/lib/files/match/*.c "$TOP"/man/ikm-m*.mdoc "$TOP"/t/051*.t "$TOP/Makefile"
some=0
for form in lf crlf mixed bare; do
	seed=0
	while [ $seed -lt 30 ]; do
		seed=$((seed + 1))
		first=$1
		shift
		set -- "$@" "$first"
		perl "$TOP/t/tool/begin-cases.pl" $seed $form "$first" || continue
		cp old f
		ikm patch f <diff >out 2>err || { echo "$form $seed $first"; cat err; exit 1; }
		cmp f new || { echo "$form $seed $first"; exit 1; }
		some=$((some + 1))
	done
done
[ $some -ge 100 ]
E

more '*** Begin Patch: back, and again' <<'E'
git init -q back; cd back
printf 'a\nb\nc\n' >f; printf 'one\n' >g; printf '1\n2\n' >m; printf 'end\n' >e
mkdir ../back.was; cp f g m e ../back.was
begin_patch '*** Update File: f\n@@\n a\n-b\n+B\n+BB\n*** Update File: f\n@@\n-c\n+C\n*** Add File: d/new\n+x\n+y\n*** Update File: m\n*** Move to: d/m\n@@\n-1\n+I\n*** Update File: e\n@@\n+more\n' >p
ikm patch <p
cp -r . ../back.now
same 'a B BB C end more x y I 2' "$(cat f e d/new d/m | xargs)"
fails_for HUNK_FAILED ikm patch <p 2>../err
same 5 "$(ikm patch -N <p | grep -c ^unchanged)"
diff -r -x .git . ../back.now
same 5 "$(ikm patch -R <p | wc -l)"
rmdir d
for file in f g m e; do cmp $file ../back.was/$file; done
same 'e f g m p' "$(ls | xargs)"
# Lines that were added to an end tell nothing once they are gone.
sed '/Update File: e/,/+more/d' p >p2
same 4 "$(ikm patch -R -N <p2 | grep -c ^unchanged)"
fails_for HUNK_FAILED ikm patch -R -N <p
rm p2
begin_patch '*** Update File: f\n@@\n-b\n+B\n' >p
ikm patch <p
fails 4 ikm patch --json <p >out
same 'HUNK_FAILED true f' "$(jq -r '.details | .reason + " \(.applied) " + .path' out)"
jq -r .message out | grep 'applied already'
ikm patch -R <p
fails 4 ikm patch -R <p 2>err
grep -q 'reversed already' err
# A deletion has no lines to make the file from.
begin_patch '*** Delete File: g\n' >p
ikm patch <p
same 'unchanged g' "$(ikm patch -N <p)"
fails 3 ikm patch <p 2>err
fails_for BAD_PATCH ikm patch -R <p 2>err
grep -q 'its reverse cannot make the file' err
# On the way back, the header's line in the new file picks the place.
printf 'x\ny\nx\n' >twice
begin_patch '*** Update File: twice\n@@ -1,2 +1,3 @@\n+0\n x\n y\n@@ -3 +4 @@\n-x\n+y\n' >p
ikm patch <p
same '0 x y y' "$(xargs <twice)"
ikm patch -R <p
same 'x y x' "$(xargs <twice)"
# An empty new file; a new file that is there.
begin_patch '*** Add File: empty\n' | ikm patch
[ -e empty ] && [ ! -s empty ]
begin_patch '*** Add File: f\n+z\n' >p
fails_for EXISTS ikm patch <p
E

more 'absolute names below the current folder, or a root of tools, in both forms' <<'E'
git init -q abs; cd abs
mkdir sub; echo a >q; echo a >sub/q
for name in "$PWD/q" "$PWD/sub/q"; do
	printf -- '--- %s\n+++ %s\n@@ -1 +1 @@\n-a\n+b\n' "$name" "$name" | ikm patch
	begin_patch "*** Update File: $name\n@@\n-b\n+c\n" | ikm patch
	same c "$(cat "$name")"
done
begin_patch "*** Add File: $PWD/new/n\n+n\n" | ikm patch
same n "$(cat new/n)"
ln -s "$PWD" ../abs.link
begin_patch "*** Update File: $PWD.link/q\n@@\n-c\n+d\n" | ikm patch
same d "$(cat q)"
# A tool in a folder below its root.
cd sub
begin_patch "*** Update File: ${PWD%/sub}/q\n@@\n-d\n+e\n" >p
fails_for OUTSIDE_ROOTS ikm patch <p
jq -Rs '{diffText: .}' p | ikm call fs_patch >out
same e "$(cat ../q)"
E
more 'a file that a diff makes, changes and renames goes away by the reverse, in both forms' <<'E'
git init -q chain; cd chain
begin_patch '*** Add File: n\n+1\n*** Update File: n\n@@\n-1\n+2\n*** Update File: n\n*** Move to: m\n@@\n-2\n+3\n' >begin
printf -- '--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+1\n--- a/n\n+++ b/n\n@@ -1 +1 @@\n-1\n+2\n' >diff
printf 'diff --git a/n b/m\nrename from n\nrename to m\n--- a/n\n+++ b/m\n@@ -1 +1 @@\n-2\n+3\n' >>diff
for form in begin diff; do
	ikm patch <$form
	same 3 "$(cat m)"
	[ ! -e n ]
	ikm patch -R <$form
	same 'begin diff' "$(ls | xargs)"
done
E

more 'the examples of the manual hold one after the other in one repository, too' <<'E'
. "$TOP/t/example.sh"
blocks "$TOP/man/ikm-patch.mdoc" "$T/block" EXAMPLES
cat "$T"/block[0-9] >"$T/all"
[ "$(grep -c '^\$ ' "$T/all")" -gt 20 ]
sh "$TOP/t/sample.sh" sample
cd sample
example "$T/all"
E
done_testing
