# garden-faults.sh: source it after lib.sh. A garden write that fails, or is killed, before each of
# its durable effects; one row of the table for each command that writes. The loop is each().
. "$TOP/t/garden-sample.sh"
N=$G/users/ada/notes.md
O=$G/users/ada/parts/p2/notes.md
ev=ev:20260131T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FAV
export N O ev
# With one time the same write leaves the same bytes, so a state is known by the id of its tree.
IKM_NOW=2026-11-23T10:00:00Z
export IKM_NOW
rm -rf "$G/.git/hooks"
cp -a "$HOME" "$T/base"
# A case runs where the garden does not: its folder is replaced.
cd "$T/w" || exit 1

# Every fourth effect, another one in each row; with sanitizers, where a case costs five times as
# much, every tenth. IKM_FAULT_STEP=1 tries all.
step=4
! grep -q __asan_init "$BUILD/test/ikm" || step=10
step=${IKM_FAULT_STEP:-$step}

# The table: what a row begins with, and its write.
rows='patch curate prune new new_notes create overwrite edit append diff diffs profile_first move
	delete undo undelete snapshot reconcile'
export rows

diff_profile() {
	printf -- '--- a/users/ada/parts/p1/profile.md\n+++ b/users/ada/parts/p1/profile.md\n'
	printf '@@ -2,5 +2,5 @@\n id: p1\n user_id: ada\n-name: The Critic\n+name: The Judge\n'
	printf ' schema: part/1\n status: active\n'
}
setup() { # ROW
	case $1 in
	prune) IKM_NOW=2026-11-23T09:00:00Z ikm md curate "$P" 'evidence v1' append "\"no\" $ev" --rationale x ;;
	undo) IKM_NOW=2026-11-23T09:00:00Z ikm md patch "$P" 'needs v1' --replace Rest. --rationale x ;;
	undelete) IKM_NOW=2026-11-23T09:00:00Z ikm delete --maintainer "$N" --rationale x ;;
	reconcile) # written, but Git had no commit of it
		git -C "$G" config commit.gpgSign true
		ikm md patch "$P" 'needs v1' --replace Rest. --rationale x
		git -C "$G" config --unset commit.gpgSign
		;;
	esac
	case $1 in
	undo | undelete) ikm events query -n 1 --json | jq -r '.rows[0].event_id' >"$T/undone" ;;
	diff*) : >"$T/diff" ;;
	profile_first) diff_profile >"$T/diff" ;;
	esac
	case $1 in
	diff | diffs | profile_first)
		printf -- '--- a/users/ada/notes.md\n+++ b/users/ada/notes.md\n' >>"$T/diff"
		printf '@@ -1,3 +1,4 @@\n # Notes\n \n ## Inbox\n+a thought\n' >>"$T/diff"
		;;
	esac
	[ "$1" != diffs ] || diff_profile >>"$T/diff"
}
write() { # ROW
	case $1 in
	patch) ikm md patch "$P" 'concerns v1' --replace 'It rests.' --rationale why ;;
	curate) ikm md curate "$P" 'evidence v1' append "\"no\" $ev" --rationale why ;;
	prune) ikm md curate "$P" 'evidence v1' prune $ev --reason 'said twice' ;;
	new) ikm md new part p3 ;;
	new_notes) ikm md new notes --part p1 ;;
	create) printf '# New\n' | ikm write --parents "$O" ;;
	overwrite) sed 's/^name: .*/name: Judge/' "$P" | ikm write "$P" --rationale why ;;
	edit) ikm edit "$P" --old 'It fears to fail.' --new 'It rests.' --rationale why ;;
	append) echo 'a thought' | ikm append "$N" --rationale why ;;
	diff | diffs | profile_first) (cd "$G" && ikm patch --rationale why <"$T/diff") ;;
	move) ikm move --maintainer --parents "$N" "$O" --rationale why ;;
	delete) ikm delete --maintainer "$N" --rationale why ;;
	undo | undelete) ikm events undo --maintainer "$(cat "$T/undone")" ;;
	snapshot) ikm md snapshot "$P" ;;
	reconcile) ikm events reconcile ;;
	esac
}

# The tree of HEAD, when Git finds no other difference to the files.
tree() {
	same '' "$(git -C "$G" status --short)" >&2 && git -C "$G" log -1 --format=%T
}
# The former state and a history copy: a write that ended between the two.
copied() { # BEFORE AFTER
	(
		GIT_INDEX_FILE=$T/index
		export GIT_INDEX_FILE
		rm -f "$T/index"
		git -C "$G" read-tree "$1"
		git -C "$G" ls-tree -r "$2" | grep '/history/' | git -C "$G" update-index --index-info
		git -C "$G" write-tree
	)
}
# git that knows the new state, too: the first case is the write without a fault.
git_both() {
	GIT_ALTERNATE_OBJECT_DIRECTORIES=$T/cases/0/.ikigai/garden/.git/objects git -C "$G" "$@"
}
# Of several files each is old or new, and no history copy is lost. Other copies may be there: what
# was written and put back has one.
partly() { # BEFORE AFTER
	git_both diff --name-only "$1" "$now" -- ':!*/history/*' >"$T/files"
	same '' "$(git_both diff --diff-filter=a --name-only "$1" "$now" -- '*/history/*')" &&
		while read -r file; do
			git_both diff --exit-code "$2" "$now" -- "$file" || return 1
		done <"$T/files"
}
again() { # ROW AFTER: what was not done is done by doing it again
	case $1 in
	diffs | profile_first)
		(cd "$G" && ikm patch --forward --rationale why <"$T/diff") &&
			git_both diff --exit-code "$2" "$(tree)" -- ':!*/history/*'
		;;
	*) write "$1" && same "$2" "$(tree)" ;;
	esac
}
# A fault after the file was in place: ikm tells it, and doing it again does not do it twice.
done_stays() {
	case $rc in
	0) [ ! -e "$T/hit" ] || not_silent ;;
	137) ;;
	*) { write "$row" || :; } && same "$after" "$(tree)" ;;
	esac
}
# That the lock files of a killed ikm cannot be removed is told when one of them is in the way.
not_silent() {
	! cmp -s "$T/said" "$T/plain" || [ "$row $(cat "$T/hit")" = 'reconcile creation of a lock file' ]
}
case_begin() {
	mv "$HOME" "$T/cases/$cases"
	cases=$((cases + 1))
	cp -a "$T/row" "$HOME"
}
settled() {
	ikm events reconcile --json >"$T/rec" && read -r line <"$T/rec" && now=$(tree) || return 1
	case $line in '{"settled":true,'*) ;; *) return 1 ;; esac
}
quiet() { # nothing to settle, nothing broken; and no lock or temporary file (tree() knows the others)
	ikm events reconcile --json >"$T/rec" && read -r line <"$T/rec" &&
		same '{"settled":true,"events":[]}' "$line" && ikm events verify >"$T/verify.out" || return 1
	for left in "$G"/.git/*.lock "$G"/.git/*/*.lock "$G"/.git/*/*/*.lock "$G"/.git/.ikm* \
		"$G"/.git/*/.ikm* "$G"/.git/*/*/.ikm*; do
		[ ! -e "$left" ] || { echo "left: $left"; return 1; }
	done
}
# git fsck of all cases at once: it reads the objects and branches of each.
cases_sound() {
	git init -q --bare "$T/all"
	for garden in "$T"/cases/*/.ikigai/garden/.git; do
		echo "$garden/objects" >>"$T/all/objects/info/alternates"
		cat "$garden"/refs/heads/* >>"$T/heads"
	done
	least "$cases" "$T/heads"
	# shellcheck disable=SC2046
	git -C "$T/all" fsck --strict --no-dangling --no-progress $(sort -u "$T/heads")
	rm -rf "$T/all" "$T/heads" "$T/cases"
}
each() { # '-' (killed) or '', ROW
	row=$2
	rm -rf "$HOME" "$T/row" "$T/cases"
	mkdir "$T/cases"
	cp -a "$T/base" "$HOME"
	setup "$2" >/dev/null
	before=$(git -C "$G" log -1 --format=%T)
	cp -a "$HOME" "$T/row"
	write "$2" >"$T/plain" 2>&1
	after=$(tree)
	[ "$before" != "$after" ]
	middle=$(copied "$before" "$after")
	news=0 cases=0 n=$(($(printf %s "$2" | wc -c) % step))
	while :; do
		case_begin
		n=$((n + step)) rc=0
		rm -f "$T/hit"
		IKM_FAULT=$1$n IKM_FAULT_HIT=$T/hit write "$2" >"$T/said" 2>&1 || rc=$?
		{
			settled &&
			case $2.$now in
			*."$after") news=$((news + 1)) && done_stays ;;
			*."$before" | *."$middle") [ $rc != 0 ] && again "$2" "$after" ;;
			diffs.* | profile_first.*) [ $rc != 0 ] && partly "$before" "$after" && again "$2" "$after" ;;
			*) echo 'neither old nor new' && git -C "$G" show --stat && false ;;
			esac &&
			quiet
		} >"$T/told" 2>&1 || { echo "at $1$n, exit $rc"; cat "$T/said" "$T/told" "$T/rec"; exit 1; }
		[ -e "$T/hit" ] || break
	done
	echo "$2: $n effects, $news of them after the file was in place"
	[ $n -gt 8 ] && { [ $news -gt 1 ] || [ "$step" -gt 4 ]; }
	cases_sound
}
