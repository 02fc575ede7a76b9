#!/bin/sh
# Every command that writes, failed and killed at each of its durable effects: the old state or the new
# one; the same call again succeeds, and after it nothing is left lying about.
. "$(dirname "$0")/../lib.sh"

git init -q repo
cd repo || exit 1
db=$HOME/.ikigai/ikm.db

files() { find . -path ./.git -prune -o -type f -print | sort; }
assets() {
	[ -s "$db" ] || return 0
	# A store whose creation was interrupted has no tables yet.
	[ "$(sqlite3 "$db" "select count(*) from sqlite_master where name = 'stored_assets'")" = 0 ] ||
		sqlite3 "$db" 'select path, content from stored_assets order by path'
}
state() {
	find . -path ./.git -prune -o -name '.ikm-tmp-*' -o -type f -exec sha256sum {} + | sort
	assets
}
reset() {
	rm -rf d ./*.md "$HOME/.ikigai"
	printf 'one\ntwo\n' >a.md
	[ -n "${fresh-}" ] || printf 'one\ntwo\n' | ikm write ikigai:///t/a.md
}

# TOOL JSON [OPTION]: the call fails or dies at the Nth effect, for all N.
faults() {
	reset
	state >../before
	printf '%s' "$2" | ikm call "$1" ${3-} >../good
	state >../after
	cmp -s ../before ../after && { echo "$1 changes nothing"; return 1; }
	for sign in '' -; do
		n=0
		while :; do
			n=$((n + 1))
			[ $n -lt 60 ] || { echo "no end of effects"; return 1; }
			reset
			rc=0
			printf '%s' "$2" | IKM_FAULT=$sign$n ikm call "$1" ${3-} >../out 2>../err ||
				rc=$?
			state >../now
			if [ $rc = 0 ]; then
				# N is past the last effect, or at an effect whose failure gives
				# only a warning.
				cmp -s ../now ../after || { echo "$1 $sign$n: wrong"; return 1; }
				[ "$(jq '.warnings | length' ../out)" = 0 ] && break
				continue
			fi
			[ -z "$sign" ] || [ $rc = 137 ] || { echo "$1 $sign$n: $rc"; return 1; }
			cmp -s ../now ../before || cmp -s ../now ../after ||
				{ echo "$1 $sign$n: neither old nor new"; diff ../before ../now; return 1; }
			again "$1" "$2" "${3-}" "$sign$n" || return 1
		done
		[ $n -gt "$least" ] || { echo "only $n effects"; return 1; }
	done
}

again() {
	if cmp -s ../now ../before; then
		printf '%s' "$2" | ikm call "$1" $3 >../out || { echo "$1 $4: not again"; return 1; }
		state >../now
		cmp ../now ../after || return 1
	fi
	printf 'x' | ikm write z.md
	[ ! -d d ] || printf 'x' | ikm write d/z.md
	if find . -name '.ikm-tmp-*' | grep .; then
		echo "$1 $4: litter"
		return 1
	fi
	same ok "$(sqlite3 "$db" 'pragma integrity_check')"
}

for p in '' ikigai:///t/; do
	# A file has the effects of its folder, its own, and those of its record; an asset is one
	# transaction.
	least=5
	[ -z "$p" ] || least=1
	export p least
	try "write: ${p:-a file}" <<'E'
faults file_write "{\"path\": \"${p}a.md\", \"content\": \"new\"}"
E
	long "write what is new: ${p:-a file}" <<'E'
faults file_write "{\"path\": \"${p}n.md\", \"content\": \"new\"}"
E
	long "write with folders: ${p:-a file}" <<'E'
faults file_write "{\"path\": \"${p}d/e/n.md\", \"content\": \"new\", \"parents\": true}"
E
	some 4 "edit: ${p:-a file}" <<'E'
faults file_edit "{\"path\": \"${p}a.md\", \"old\": \"two\", \"new\": \"2\"}"
E
	some 4 "append: ${p:-a file}" <<'E'
faults fs_append "{\"path\": \"${p}a.md\", \"text\": \"three\"}"
E
	some 4 "move: ${p:-a file}" <<'E'
faults fs_move "{\"path\": \"${p}a.md\", \"newPath\": \"${p}d/b.md\", \"parents\": true}" --maintainer
E
done

more 'the first write of all makes the store, or not' <<'E'
fresh=yes least=2
faults file_write '{"path": "n.md", "content": "new"}'
faults file_write '{"path": "ikigai:///t/n.md", "content": "new"}'
E

more 'mkdir: what was made is durable, or not there' <<'E'
for sign in '' -; do
	for n in 1 2 3 4 5 6 7; do
		rm -rf d
		rc=0
		echo '{"path": "d/e/f"}' | IKM_FAULT=$sign$n ikm call fs_ensure_dir >../out 2>../err || rc=$?
		[ $rc != 0 ] || break
		[ -n "$sign" ] || [ ! -e d ]
		echo '{"path": "d/e/f"}' | ikm call fs_ensure_dir >../out
		[ -d d/e/f ]
	done
	same 7 "$n"
done
E

more 'without a record too: a person' <<'E'
for sign in '' -; do
	for n in 1 2 3 4 5 6 7 8; do
		echo old >p
		rc=0
		echo new | IKM_FAULT=$sign$n ikm write p 2>../err || rc=$?
		case $(cat p) in old | new) ;; *) exit 1 ;; esac
		[ $rc != 0 ] || break
	done
	same new "$(cat p)"
	[ "$n" -ge 6 ] && [ "$n" -le 7 ]
done
E
if strace -o /dev/null true 2>/dev/null; then
	more 'each open that fails, and each fsync that a signal interrupts: the old content or the new' <<'E'
export ASAN_OPTIONS=detect_leaks=0
mkdir calls
cd calls
printf 'new\n' >new
n=0
while :; do
	n=$((n + 1)) rc=0
	printf 'old\n' >a.txt
	strace --seccomp-bpf -f -o ../trace -e trace=openat -e inject=openat:error=EMFILE:when=$n \
		ikm write a.txt <new >../out 2>../err || rc=$?
	grep -q INJECTED ../trace || break
	echo "open $n: exit $rc"
	# 127: the loader found no library.
	case $rc in
	0) same new "$(cat a.txt)" ;;
	*) same old "$(cat a.txt)" && [ -s ../err ] ;;
	esac
	same 'a.txt
new' "$(ls -A)"
done
[ $n -gt 5 ]
# What fails behind the write does not hide that it was made.
printf 'old\n' >a.txt
strace -f -o ../trace -e trace=%%stat ikm write -x a.txt <new 2>../err
call=$(sed -n 's/^[0-9]* *\([a-z0-9]*\)(.*/\1/p' ../trace | tail -n 1)
n=$(grep -c " $call(" ../trace)
printf 'old\n' >a.txt
strace -f -o ../trace -e trace=%%stat -e "inject=$call:error=EIO:when=$n" ikm write -x a.txt <new 2>../err
grep -q INJECTED ../trace
same new "$(cat a.txt)"
grep -q "warning: 'a.txt' is written, .*Input/output error" ../err
printf 'old\n' >a.txt
strace --seccomp-bpf -f -o ../trace -e trace=fsync -e inject=fsync:error=EINTR:when=1 ikm write a.txt <new
grep -q INJECTED ../trace
same new "$(cat a.txt)"
E
	more 'a lock file goes though the system does not tell whose it is, or it is told' <<'E'
export ASAN_OPTIONS=detect_leaks=0
sh "$TOP/t/sample.sh" locked; cd locked
strace -qq -f -o "$T/trace" -P index.lock -e trace=newfstatat -e inject=newfstatat:error=EIO \
	ikm know rule 1 --forbid-dependency left-pad
grep -q INJECTED "$T/trace"
fails 1 test -e .git/index.lock
git add -A
strace -qq -f -o "$T/trace" -P index.lock -e trace=unlinkat -e inject=unlinkat:error=EIO \
	ikm know rule 1 --forbid-dependency right-pad 2>err
grep "^ikm: warning: cannot remove '.*/locked/.git/index.lock': Input/output error; it stops git$" err
E
	more 'without /proc: a child tells the path of an open folder, and all else is the same' <<'E'
export ASAN_OPTIONS=detect_leaks=0
mkdir -p bare/real/sub; ln -s real bare/link; cd bare/link
paths=
for n in 3 4 5 6 7 8 9; do paths="$paths -P /proc/self/fd/$n"; done
without() {
	strace -qq -f -o "$T/trace" $paths -e trace=readlink,readlinkat,openat \
		-e inject=readlink,readlinkat,openat:error=ENOENT "$@"
	grep -q INJECTED "$T/trace"
}
echo hello | without ikm write sub/a.md
echo '*.tmp' >sub/.gitignore; echo no >sub/b.tmp
same 'sub/.gitignore sub/a.md' "$(without ikm list | paste -sd ' ')"
same sub/a.md:1:hello "$(without ikm search hello)"
printf '*.jp working-tree-encoding=SHIFT-JIS\n' >sub/.gitattributes
printf '\223\372 x\n' >sub/a.jp
# A name in /proc is no link then.
for place in . sub sub/a.jp ./sub/ "$PWD/sub"; do
	strace -qq -f -o "$T/trace" -e trace=readlink,readlinkat \
		-e inject=readlink,readlinkat:error=EINVAL ikm search '日 x' "$place" | grep ':日 x$'
	grep -q INJECTED "$T/trace"
done
cd sub; same a.md "$(without ikm glob '*.md')"
E
else
	skip 'each open that fails' 'strace is missing, or may trace nothing here'
fi
done_testing
