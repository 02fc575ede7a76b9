# writers.sh: source it after lib.sh. Each command that writes, as a row; a home and a repository for
# them; and what must hold after one of them, whatever became of it.
#
#   $rows                    the names of the rows; one of them is in $name
#   begin                    the states before and after, without a fault
#   place "$T/base.$name"    then run `sh -c "$(row "$name")"` with a fault: its status in rc, its output
#                            in $T/said, its errors in $T/err
#   judged                   old or new, a message, again succeeds, nothing is left, all is whole
# shellcheck disable=SC2016,SC2034,SC2086,SC2154,SC2164
IKM_NOW=2026-11-23T10:00:00Z IKM_USER=ada
export IKM_NOW IKM_USER
# Cases run in one place, so that all paths are the same: $T/now has the home and the repository r.
HOME=$T/now/home
S=$HOME/.ikigai
G=$S/garden
export HOME S G

# What a row is called, its command, and what it needs before; a command is a line of shell in r.
row() {
	case $1 in
	file) echo 'echo new | ikm write a.md' ;;
	folders) echo 'echo new | ikm write --parents d/e/n.md' ;;
	call) echo 'echo "{\"path\": \"a.md\", \"content\": \"new\"}" | ikm call file_write' ;;
	asset) echo 'echo new | ikm write ikigai:///t/a.md' ;;
	patch) printf 'printf "%%s\\n" "--- a.md" "+++ a.md" "@@ -1 +1 @@" -one +1 "--- b.md" "+++ b.md" "@@ -1 +1 @@" -one +1 | ikm patch\n' ;;
	move) echo 'ikm move --maintainer --parents a.md d/c.md' ;;
	undo) echo 'ikm events undo $(cat ../event)' ;;
	new) echo "ikm know new adr 'Use less'" ;;
	status) echo 'ikm know status 1 deprecated' ;;
	supersede) echo 'ikm know supersede 1 2' ;;
	waive) echo 'ikm know waive 1 --path a.md --reason old --until 2026-12-01' ;;
	rule) echo 'ikm know rule 2 --forbid-dependency left-pad' ;;
	export) echo 'ikm know export --agents-md' ;;
	trust) echo 'ikm tool trust .' ;;
	config) echo 'ikm config set undo.days 8' ;;
	hook) echo 'ikm hook install' ;;
	add) echo "ikm mem add 'the sea is blue'" ;;
	edit) echo 'ikm mem edit $(cat ../memory) --tag wet' ;;
	forget) echo 'ikm mem delete $(cat ../memory)' ;;
	import) echo 'ikm mem import - <../lines' ;;
	rotate) echo 'ikm events rotate-key' ;;
	garden) echo 'ikm md new part p1' ;;
	profile) echo 'ikm md patch $G/users/ada/overview.md identity --replace Rest. --rationale why' ;;
	backup) echo 'ikm backup ../b' ;;
	init) echo 'ikm init --garden' ;;
	esac
}
rows='file folders call asset patch move undo new status supersede waive rule export trust config hook
	add edit forget import rotate garden profile backup init'

place() { # FROM: its copy is where cases run
	cd "$T" || exit
	rm -rf now
	cp -a "$1" now
	cd now/r || exit
}
# Files by their bytes, but those that another run makes otherwise, and the garden's copies of former
# contents, which come before a write; then the rows of the store.
state() {
	(
		cd "$T/now"
		find . \( -path ./home/.ikigai/ikm.db\* -o -name .git -o -path ./home/.ikigai/keys -o \
			-path ./home/.ikigai/locks -o -path ./b -o -path '*/history' -o -name '.ikm-tmp-*' \) -prune -o -type f \
			-exec sha256sum {} + | sort
		ls home/.ikigai/keys r/.git/hooks 2>/dev/null || :
		[ ! -e b ] || find b -type f | wc -l
	)
	[ ! -s "$S/ikm.db" ] || [ "$(sqlite3 "$S/ikm.db" "select count(*) from sqlite_master where name = 'stored_assets'")" = 0 ] || {
		sqlite3 "$S/ikm.db" "select content, tags from memories order by content;
			select path, content from stored_assets order by path"
	}
	[ ! -e "$G/.git" ] || git -C "$G" ls-tree -r HEAD 2>/dev/null | grep -v /history/ || :
}
# libgit2 leaves pack_git2_* where unlink() fails. The name is random, so the file locks nothing.
litter() { # FOLDER…
	find "$@" -name '.ikm-tmp-*' -o -path '*/.git/*.lock' ! -name 'pack_git2_*'
}
# Nothing is left, and all that keeps itself is whole.
whole() {
	[ ! -e "$S/ikm.db" ] || same ok "$(sqlite3 "$S/ikm.db" 'pragma integrity_check')" || return 1
	[ ! -e "$G/.git" ] || same '' "$(git -C "$G" fsck --strict --no-dangling --no-progress 2>&1; git -C "$G" status --short)" ||
		return 1
	ikm events verify >"$T/verify" 2>&1 || { cat "$T/verify"; return 1; }
	ikm doctor >"$T/doctor" 2>&1 || { cat "$T/doctor"; return 1; }
	same '' "$(litter "$T/now")"
}
told() { # what is done, before the error; without memory, or where the message fails, nobody can
	grep -q 'write(2, .*INJECTED' "$T/trace" 2>/dev/null || grep -q 'is written\|is made\|are written\|was written\|stands\|durable\|answer\|out of memory' "$T/err" || { echo "exit $rc, and it is done:"; cat "$T/err"; return 1; }
}
judged() {
	[ $rc = 0 ] || [ $rc = 137 ] || [ -s "$T/said" ] || [ -s "$T/err" ] || { echo "exit $rc without a message"; return 1; }
	# begin showed that all holds in files that are as they were.
	[ $rc = 0 ] || ! diff -rq --no-dereference -x ikm.db-shm -x locks "$T/base.$name" "$T/now" >/dev/null || return 0
	ikm events reconcile >"$T/rec" 2>&1 || { echo 'events reconcile fails'; cat "$T/rec"; return 1; }
	state >"$T/is"
	if cmp -s "$T/is" "$T/new"; then
		# "It failed" would be wrong: what follows the write is a note or a warning.
		case $name.$rc in *.0 | *.137 | init.* | hook.* | rotate.*) ;; *) told || return 1 ;; esac
	else
		# init and hook install have steps; each is whole, and tells when it failed.
		case $name in init | hook) ;; *) cmp -s "$T/is" "$T/old" ;; esac || { echo 'neither old nor new'; diff "$T/old" "$T/is"; return 1; }
		[ $rc != 0 ] || grep -q ^skipped "$T/said" || { echo 'exit 0, and nothing was done'; return 1; }
		sh -c "$(row "$name")" >"$T/again" 2>&1 || { echo "not again: exit $?"; cat "$T/again"; return 1; }
		state >"$T/is"
		diff "$T/new" "$T/is" || { echo 'again makes another state'; return 1; }
	fi
	# A lock file that cannot be removed is told.
	! grep -q "^ikm: warning: cannot remove '.*/index.lock'" "$T/err" || rm -f .git/index.lock
	# The next write in a folder removes what a killed one left there, or one that could not look
	# at its own lock file.
	echo x | ikm mem add z >/dev/null || return 1
	litter "$T/now" >"$T/litter"
	while read -r left; do
		case $left in
		"$G"/*) ikm md patch "$G/users/ada/overview.md" identity --replace z --rationale z >/dev/null ;;
		"$S"/keys/*) ikm events rotate-key >/dev/null ;;
		"$S"/*) ikm config set undo.days 9 >/dev/null ;;
		*) echo x | ikm write "${left%/*}/z.md" ;;
		esac || return 1
	done <"$T/litter"
	whole
}
begin() {
	place "$T/base"
	case $name in
	init) rm -rf "$HOME" && mkdir "$HOME" ;;
	undo) echo '{"path": "a.md", "content": "x"}' | ikm call file_write | jq -r .event >../event ;;
	edit | forget) ikm mem add 'a fact of the sea' >../memory ;;
	esac
	cd "$T" && rm -rf "base.$name" && cp -a now "base.$name" && cd now/r
	state >"$T/old"
	sh -c "$(row "$name")"
	state >"$T/new"
	not cmp -s "$T/old" "$T/new"
	whole
	cases=0 bad=0
}

mkdir -p "$HOME" "$T/now/r/docs/adr"
cd "$T/now/r" || exit 1
{
	git init -q .
	printf 'one\n' | tee a.md >b.md
	printf '{"content": "%s"}\n' one two three >../lines
	for n in 1 2; do
		printf -- '---\nstatus: accepted\ndate: 2026-01-01\nconstraints: [{operator: must_not_use, target: code, pattern: eval, severity: block}]\n---\n# Rule %s\n' $n >docs/adr/000$n-rule-$n.md
	done
	ikm init --garden
	printf 'one\n' | ikm write ikigai:///t/a.md
	git -C "$G" status --short
	rm -rf "$G/.git/hooks" .git/hooks
} >"$T/made" 2>&1 </dev/null
cp -a "$T/now" "$T/base"
