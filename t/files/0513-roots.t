#!/bin/sh
# The paths that tools may use: writing, moving and making folders through links, "..", /proc,
# special files, and races between check and use. For reading see t/files/0100-read.t and
# t/unit/os_roots.c.
. "$(dirname "$0")/../lib.sh"

mkdir outside repo
echo secret >outside/f
mkdir outside/d
cd repo || exit 1
git init -q .
mkdir -p d/e real
echo inside >f
echo inside >real/f
ln -s real inlink
ln -s "$PWD/real" absolute
ln -s ../outside outlink
ln -s "$T/w/outside" outabsolute
ln -s ../outside/f outfile
ln -s ../outside/new outnew
ln -s d/../../outside tricky
ln -s loop loop
ln -s /proc/self/cwd procwd
ln -s /proc/self/root procroot
ln -s .git hidden
ln -s "$HOME/.ikigai" home
mkdir -p "$HOME/.ikigai"
mkfifo fifo

ask() { # TOOL JSON: what it printed is in out, its status in rc
	rc=0
	printf '%s' "$2" | timeout 10 ikm call "$1" --maintainer >../out 2>../err || rc=$?
}
# Each call on the path is refused, and nothing outside changes.
refused() { # REASON PATH
	for call in 'file_write "content": "owned"' 'file_edit "old": "secret", "new": "owned"' \
		'fs_append "text": "owned"' 'fs_ensure_dir "path": "X"' 'file_read "path": "X"' \
		'fs_hash "path": "X"' 'fs_move "newPath": "taken"'; do
		tool=${call%% *}
		rest=$(printf '%s' "${call#* }" | sed 's/"path": "X"//')
		ask "$tool" "{\"path\": \"$2\"${rest:+, $rest}}"
		[ "$rc" != 0 ] || { echo "$tool $2 was done"; return 1; }
		[ "$rc" != 124 ] || { echo "$tool $2 hangs"; return 1; }
		reason=$(jq -r .details.reason ../out)
		case " $1 " in *" $reason "*) ;; *) echo "$tool $2: $reason"; return 1 ;; esac
	done
	same secret "$(cat ../outside/f)"
	same 'd, f' "$(ls -m ../outside)"
	[ ! -e taken ]
}

try 'outside stays outside, whatever the path looks like' <<'E'
printf '%s\n' ../outside/f ../outside/new "$T/w/outside/f" outlink/f outlink/new outabsolute/f \
	tricky/f d/../../outside/f d/e/../../../outside/f ./outlink/./f \
	real/../outlink/f outlink/d/../f /etc/passwd /dev/null /proc/self/environ \
	procwd/f procroot/etc/passwd /proc/self/cwd/../outside/f "/proc/$$/root/etc/passwd" |
	sample 1 >../paths
least 6 ../paths
while read -r path; do
	refused OUTSIDE_ROOTS "$path"
done <../paths
for path in outfile outnew; do # a move does not look where a link leads
	refused 'OUTSIDE_ROOTS NOT_A_FILE' "$path"
done
E

more 'a repository that is the home is no root, by whatever name HOME has it' <<'E'
git init -q ../whole
ln -s whole ../alias
cd ../whole
for h in "$T/w/whole" "$T/w/whole/" "$T/w/alias" "$T/w/repo/../whole"; do
	echo '{"path": "f", "content": "x"}' | HOME=$h fails 5 ikm call file_write >../out
	same NO_ROOTS "$(jq -r .details.reason ../out)"
done
E

more 'the repository of Git and our home are outside' <<'E'
before=$(find .git -type f | sort | xargs sha256sum)
for path in .git/config .git/new .GIT/config d/../.git/hooks/pre-commit hidden/config \
	"$PWD/.git/config" "$HOME/.ikigai/config.json" home/config.json d/.git/config d/.git; do
	refused "OUTSIDE_ROOTS" "$path"
done
same "$before" "$(find .git -type f | sort | xargs sha256sum)"
same '' "$(ls "$HOME/.ikigai" | grep config)"
fails 5 sh -c "printf '{\"path\": \"f\", \"newPath\": \".git/f\"}' | ikm call fs_move --maintainer"
fails 5 sh -c "printf '{\"path\": \"f\", \"newPath\": \"../f\"}' | ikm call fs_move --maintainer"
fails 5 sh -c "printf '{\"path\": \"f\", \"newPath\": \"outlink/f2\"}' | ikm call fs_move --maintainer"
[ -f f ]
E

more 'a loop of links ends' <<'E'
refused 'BAD_PATH IO_ERROR CHANGED OUTSIDE_ROOTS TOO_DEEP FILE_NOT_FOUND NOT_A_FILE' loop
refused 'BAD_PATH IO_ERROR CHANGED OUTSIDE_ROOTS TOO_DEEP FILE_NOT_FOUND NOT_A_FILE EXISTS' loop/f
E

more 'links that stay inside and absolute paths work' <<'E'
for path in inlink/f absolute/f "$PWD/real/f" d/../real/f real/../inlink/./f; do
	ask file_write "{\"path\": \"$path\", \"content\": \"by $path\"}"
	same 0 "$rc"
	same "by $path" "$(cat real/f)"
	ask file_edit "{\"path\": \"$path\", \"old\": \"by\", \"new\": \"of\"}"
	same 0 "$rc"
	same "of $path" "$(cat real/f)"
done
[ -L inlink ] && [ -L absolute ]
ask fs_ensure_dir '{"path": "absolute/x/../y"}'
same 0 "$rc"
[ -d real/y ]
ask file_write '{"path": "inlink/p/q/f", "content": "x", "parents": true}'
same 0 "$rc"
same x "$(cat real/p/q/f)"
E

more 'a symbolic link is no file to move' <<'E'
ask fs_move '{"path": "outfile", "newPath": "g"}'
same 2 "$rc"
[ -L outfile ]
E

more 'FIFOs, devices, sockets and folders are refused, and never waited for' <<'E'
perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "socket", Listen => 1) or die'
for path in fifo socket d; do
	for call in 'file_write "content": "x"' 'file_edit "old": "a", "new": "b"' \
		'fs_append "text": "x"' 'file_read' 'fs_hash' 'fs_move "newPath": "g"'; do
		rest=${call#* }
		[ "$rest" != "$call" ] || rest=
		ask "${call%% *}" "{\"path\": \"$path\"${rest:+, $rest}}"
		same "2 NOT_A_FILE" "$rc $(jq -r .details.reason ../out)"
	done
done
for path in fifo /dev/null /dev/zero d; do # a person has no roots, and the same protection
	fails 2 timeout 10 ikm write "$path" --content x
	fails 2 timeout 10 ikm append "$path" --text x
	fails 2 timeout 10 ikm edit "$path" --old a --new b
done
E

more 'a folder that turns into a link while we write never leads out' <<'E'
mkdir swap
echo inside >swap/f
ln -s ../outside swaplink
perl -e 'for (1 .. 200000) {
	rename "swap", "swap.x"; rename "swaplink", "swap";
	rename "swap", "swaplink"; rename "swap.x", "swap";
	last if -e "../stop" }' &
swapper=$!
for i in 1 2 3 4 5 6 7 8; do
	ask file_write "{\"path\": \"swap/f\", \"content\": \"$i\"}"
	case $rc in 0 | 3 | 4 | 5) ;; *) cat ../out; exit 1 ;; esac
	ask fs_append '{"path": "swap/f", "text": "more"}'
	ask file_write "{\"path\": \"swap/n/$i\", \"content\": \"x\", \"parents\": true}"
	ask fs_ensure_dir "{\"path\": \"swap/d$i\"}"
	ask file_read '{"path": "swap/f"}'
	if grep secret ../out; then exit 1; fi
done
: >../stop
wait $swapper
same secret "$(cat ../outside/f)"
same 'd, f' "$(ls -m ../outside)"
E

more 'a file that turns into a link while we write never leads out' <<'E'
echo inside >flip
ln -s ../outside/f fliplink
rm -f ../stop
perl -e 'for (1 .. 200000) {
	rename "flip", "flip.x"; rename "fliplink", "flip";
	rename "flip", "fliplink"; rename "flip.x", "flip";
	last if -e "../stop" }' &
swapper=$!
for i in 1 2 3 4 5 6 7 8; do
	ask file_write "{\"path\": \"flip\", \"content\": \"$i\"}"
	case $rc in 0 | 2 | 3 | 4 | 5) ;; *) cat ../out; exit 1 ;; esac
	ask file_edit '{"path": "flip", "old": "secret", "new": "owned"}'
	ask fs_move '{"path": "flip", "newPath": "got"}' # which may get the link, and not what it names
	ask file_read '{"path": "flip"}'
	if grep secret ../out; then exit 1; fi
	[ ! -e got ] || mv got flip
done
: >../stop
wait $swapper
same secret "$(cat ../outside/f)"
E

more 'several roots, and one in another; a person may set them too' <<'E'
mkdir -p ../more/sub
cd ..
fails_for OUTSIDE_ROOTS ikm --root repo write more/f --content x
ikm --root repo --root more write more/f --content x
same x "$(cat more/f)"
fails_for OUTSIDE_ROOTS ikm --root more/sub write more/f --content y
fails_for OUTSIDE_ROOTS ikm --root repo move --maintainer repo/f more/g
ikm --root repo --root more move --maintainer repo/f more/g
[ -f more/g ]
fails_for FILE_NOT_FOUND ikm --root none write f --content x
E

# A client over MCP that offers one root and reads one file: the reason, or the content.
client() { # ROOT FILE
	{
		echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{}},"clientInfo":{"name":"t","version":"1"}}}'
		echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
		echo '=request roots/list'
		echo "=reply {\"roots\":[{\"uri\":\"file://$1\"}]}"
		echo "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"file_read\",\"arguments\":{\"path\":\"$2\"}}}"
		echo '=wait 7'
	} | python3 "$TOP/t/mcp.py" ikm mcp --structured | jq -r 'select(.id == 7) | .result | (.structuredContent // (.content[0].text | fromjson)) |
		.details.reason // .content'
}

more 'a root in a protected folder opens nothing, whoever names it' <<'E'
git init -q ../guard
cd ../guard
echo x >x
mkdir -p "$HOME/.ikigai/tools" "$T/other/sub" .git/hooks husk/.git sub
git init -q --bare ../bare.git
git init -q --separate-git-dir "$PWD/own" apart
for dir in .git .git/hooks husk/.git "$HOME/.ikigai" "$HOME/.ikigai/tools" ../bare.git ../bare.git/hooks own own/hooks; do
	for by in "--root $dir" "-c files.roots=[\"$(realpath "$dir")\"]"; do
		# shellcheck disable=SC2086
		echo "{\"path\": \"$dir/x\", \"content\": \"x\"}" | fails 5 ikm $by call file_write >../out 2>../err
		same OUTSIDE_ROOTS "$(jq -r .details.reason ../out)"
		grep -q 'cannot be a root: it is in .*, which is always outside' ../err
	done
	[ ! -e "$dir/x" ]
	same NO_ROOTS "$(client "$(realpath "$dir")" "$(realpath "$dir")/x")"
done
echo '{"path": "x"}' | IKIGAI_HOME=$T/other fails 5 ikm --root "$T/other/sub" call file_read >../out
same OUTSIDE_ROOTS "$(jq -r .details.reason ../out)"
fails 5 ikm --root .git/hooks write .git/hooks/x --content x
# Both homes of ikm, below a root that a person names.
echo x >"$T/other/x"
for path in "$HOME/.ikigai/x" "$T/other/x"; do
	echo "{\"path\": \"$path\"}" |
		IKIGAI_HOME=$T/other fails_for OUTSIDE_ROOTS ikm --root "$T" call file_read
done
E

more "the repository's own folder is closed under another name, too" <<'E'
git init -q --separate-git-dir "$T/w/project/own.git" ../project
cd ../project
for path in own.git/hooks/x own.git/config; do
	echo "{\"path\": \"$path\", \"content\": \"x\"}" | fails 5 ikm call file_write >../out
	same OUTSIDE_ROOTS "$(jq -r .details.reason ../out)"
done
echo '{"path": "f", "content": "x"}' | ikm call file_write >../out
E

more 'a root of a client does not open the home, nor a folder that holds it' <<'E'
mkdir -p "$T/users/u" "$T/users/v"
echo secret >"$T/users/u/f"
cd ../guard
for root in "$T/users" "$T/users/u" "$T" / /etc /root /home; do
	same NO_ROOTS "$(HOME=$T/users/u client "$root" "$T/users/u/f")"
done
same OUTSIDE_ROOTS "$(HOME=$T/users/u client "$T/users/v" "$T/users/u/f")"
mkdir "$T/users/u/project"
echo fine >"$T/users/u/project/f"
same fine "$(HOME=$T/users/u client "$T/users/u/project" "$T/users/u/project/f")"
E

more 'core.worktree cannot open a folder, and the error says what would' <<'E'
git init -q ../worktree
cd ../worktree
mkdir -p "$T/far" sub
echo far >"$T/far/f"
git config core.worktree "$T/far"
for call in "file_read {\"path\": \"$T/far/f\"}" "file_write {\"path\": \"$T/far/g\", \"content\": \"x\"}"; do
	printf '%s' "${call#* }" | fails 5 ikm call "${call%% *}" >../out 2>../err
	same NO_ROOTS "$(jq -r .details.reason ../out)"
	grep -q "no folder is open to tools here: the working tree '$T/far': the repository's core.worktree points there" ../err
	jq -r ".help.steps[]" ../out | grep -qF "\"roots\": [\"$T/far\"]"
done
[ ! -e "$T/far/g" ]
echo "{\"path\": \"$T/far/f\"}" | ikm -c files.roots="[\"$T/far\"]" call file_read >../out
same far "$(jq -r .content ../out)"
git config core.worktree "$PWD/sub"
echo '{"path": "sub/f", "content": "x"}' | ikm call file_write >../out
echo '{"path": "g", "content": "x"}' | fails 5 ikm call file_write >../out
# A submodule has its core.worktree from git, and a linked worktree none.
git config --unset core.worktree
git commit -q --allow-empty -m one
git -c protocol.file.allow=always submodule --quiet add "$PWD" module
git worktree add -q ../worktree2
for dir in module ../worktree2; do
	(cd "$dir"; echo '{"path": "f", "content": "x"}' | ikm call file_write >/dev/null)
	[ -e "$dir/f" ]
done
E

more 'outside the roots: the text names the roots, and what opens another' <<'E'
cd ../guard
fails 5 ikm --root sub read "$T/far/f" >../out 2>../err
same "ikm: '$T/far/f' is outside the roots" "$(sed -n 1p ../err)"
grep -q "open to tools: '$PWD/sub'" ../err
grep -q 'open another folder: .*--root DIR' ../err
E

done_testing
