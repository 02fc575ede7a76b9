#!/bin/sh
# The index that ikm writes, against git: random sequences of new, changed and removed paths in
# versions 2 to 4, beside what others staged; and indexes of other forms.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/git-commit.sh"

# Paths that share parts, sort around the slash, and are long.
long=$(printf 'n%.0s' $(seq 200))
cat >"$T/paths" <<E
a
a.b
a-b/c
a/b
a/c/d
a0
users/ada/notes.md
users/ada/parts/p1/profile.md
users/ada/parts/p1/notes.md
users/ada-b/notes.md
users/ärger/notes.md
$long
$long/$long
z z
E
sed -i "s|^$long\$|$long.md|" "$T/paths"

agrees() { # the index has HEAD's files and $T/staged, and git finds nothing wrong with it
	{ git ls-tree -r -z HEAD | tr '\0' '\n' | sed 's/ blob / /; s/	/ 0	/'; cat "$T/staged"; } |
		sort -t '	' -k 2 >"$T/want"
	git ls-files -z --stage | tr '\0' '\n' | sort -t '	' -k 2 | diff "$T/want" - || return
	git fsck --strict --no-dangling 2>"$T/fsck" || { cat "$T/fsck"; return 1; }
	git diff-index --cached --name-only HEAD >"$T/differ"
	same "$(cut -f 2 "$T/staged" | sort)" "$(sort "$T/differ")" || return
	[ -s "$T/staged" ] || same "$(git rev-parse "HEAD^{tree}")" "$(git write-tree)"
}
number() { awk -v seed="$1" -v n="$2" 'BEGIN { srand(seed); print int(rand() * n) }'; }

long 'random commits of a path leave an index as git has it' <<'E'
steps=0
for version in $(printf "%s\n" 2 3 4 | sample 3); do
	git init -q -b main v$version
	cd v$version
	echo start >start
	git add start
	git commit -qm start
	: >"$T/staged"
	git update-index --index-version $version
	for step in $(seq 24); do
		path=$(sed -n "$(($(number $((version * 100 + step)) 14) + 1))p" "$T/paths")
		what=$path
		if [ -f "$path" ] && [ $((step % 3)) != 0 ]; then
			rm "$path"
			what=-$path
		elif [ -d "$path" ] || ! mkdir -p "$(dirname "$path")" 2>/dev/null; then
			continue
		else
			echo "$version $step" >"$path"
		fi
		# git writes the cache tree again; others stage, mark, and look.
		[ $((step % 5)) != 0 ] || git write-tree >/dev/null
		[ $step != 10 ] || { echo staged >staged; git add staged; git ls-files --stage staged >"$T/staged"; }
		[ $version != 3 ] || [ $step != 12 ] || git update-index --skip-worktree start
		[ $step != 18 ] || { git rm -q --cached staged; rm staged; : >"$T/staged"; }
		gc commit "step $step" -- "$what" >/dev/null
		agrees || { echo "version $version, step $step: $path"; exit 1; }
		steps=$((steps + 1))
	done
	[ $version != 3 ] || same 'S start' "$(git ls-files -t start)"
	git ls-files -v >/dev/null
	cd ..
done
[ $steps -gt 14 ]
E

# Forms that ikm does not write itself: git does, and the form stays.
more 'split, untracked cache, sparse, fsmonitor: the form stays' <<'E'
for kind in split untracked sparse fsmonitor; do
	garden -q "k-$kind"
	: >"$T/staged"
	case $kind in
	split) git update-index --split-index; sign=link ;;
	untracked) git update-index --force-untracked-cache; git status >/dev/null; sign=UNTR ;;
	fsmonitor)
		printf '#!/bin/sh\nprintf "token\\0/\\0"\n' >../monitor
		chmod +x ../monitor
		git config core.fsmonitor "$T/w/monitor"
		git update-index --fsmonitor
		git status >/dev/null
		sign=FSMN
		;;
	sparse)
		git sparse-checkout init --cone --sparse-index 2>/dev/null
		git sparse-checkout set users src 2>/dev/null
		sign=sdir
		;;
	esac
	grep -q $sign .git/index || { echo "$kind: git makes no such index here"; exit 1; }
	write two
	gc commit two -- $ada $old >/dev/null
	same '' "$(git status --short)"
	# ikm lets git start no monitor, so git asks it again afterwards.
	grep -q $sign .git/index || { echo "$kind: the form went"; exit 1; }
	git ls-files --stage >"$T/all"
	same "$(git rev-parse HEAD:$ada)" "$(git rev-parse :$ada)"
	sound
	cd ..
done
E

more 'an index of an unknown form, or a damaged one, is refused and stays' <<'E'
garden unknown
write two
# A required extension: git refuses it too.
python3 - .git/index <<'PYX'
import sys, hashlib
p = sys.argv[1]
b = open(p, 'rb').read()[:-20] + b'abcd' + (4).to_bytes(4, 'big') + b'data'
open(p, 'wb').write(b + hashlib.sha1(b).digest())
PYX
cp .git/index ../index
fails_for GIT_FAILED gc commit two -- $ada || fails_for GIT_CORRUPT gc commit two -- $ada
cmp ../index .git/index
head -c 60 ../index >.git/index
fails_for GIT_CORRUPT gc commit two -- $ada
same 60 "$(wc -c <.git/index)"
same 1 "$(git rev-list --count HEAD)"
E
done_testing
