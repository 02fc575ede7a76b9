#!/bin/sh
# Bad input to the tools over files: names, content, files that are too big or change, full disks.
. "$(dirname "$0")/../lib.sh"

git init -q repo
cd repo || exit 1
echo text >f

# TOOL JSON REASON [STATUS]: refused for this reason.
refuses() {
	rc=0
	printf '%s' "$2" | timeout 60 ikm call "$1" >../out 2>../err || rc=$?
	same "${4:-2} $3" "$rc $(jq -r .details.reason ../out)"
}

try 'invalid paths' <<'E'
long=$(printf '%05000d' 1)
printf '%s\n' 'file_edit "old": "a", "new": "b"' 'file_write "content": "x"' 'fs_append "text": "x"' \
	'file_read' 'fs_hash' 'fs_ensure_dir' | sample 1 >../tools
least 2 ../tools
while read -r tool; do
	rest=${tool#* }
	[ "$rest" != "$tool" ] && rest=", $rest" || rest=
	tool=${tool%% *}
	refuses "$tool" "{\"path\": \"\"$rest}" BAD_ARGUMENT
	refuses "$tool" "{\"path\": \"$long\"$rest}" TOO_LONG
	refuses "$tool" "{\"path\": \"a\\u0000b\"$rest}" BAD_PATH
	refuses "$tool" "{\"path\": \"ikigai:///a\\u0000b\"$rest}" BAD_PATH
	refuses "$tool" "{\"path\": \"-\"$rest}" BAD_PATH
	refuses "$tool" "{\"path\": \"http://example.org/f\"$rest}" BAD_PATH
	refuses "$tool" "{\"path\": \"file:///etc/passwd\"$rest}" BAD_PATH
	refuses "$tool" "{\"path\": \"IKIGAI:///a\"$rest}" BAD_PATH
	refuses "$tool" "{\"path\": \"ikigai:/a\"$rest}" BAD_PATH
	refuses "$tool" "{\"path\": \"ikigai:///\"$rest}" BAD_PATH
	refuses "$tool" "{\"path\": \"ikigai:///a/../b\"$rest}" BAD_PATH
	refuses "$tool" "{\"path\": \"ikigai:///a//b\"$rest}" BAD_PATH
	refuses "$tool" "{\"path\": \"ikigai:///./b\"$rest}" BAD_PATH
	refuses "$tool" "{\"path\": 1$rest}" WRONG_TYPE
	refuses "$tool" "{\"path\": null$rest}" WRONG_TYPE
done <../tools
name=$(printf '%0256d' 1)
refuses file_write "{\"path\": \"$name\", \"content\": \"x\"}" BAD_PATH
same f "$(ls)"
E

more 'a path is bytes: blanks, newlines, hyphens and no UTF-8' <<'E'
mkdir names
cd names
for name in ' ' 'a b' "$(printf 'a\nb')" -x - "$(printf '\377\376')" '*' '\' 'ünïcode' 'a:b' 'c://d'; do
	case $name in *://*) mkdir -p c: ;; esac
	path=./$name
	ikm write -- "$path" </dev/null
	ikm append "$path" --text x
	ikm edit "$path" --old x --new y
	same y "$(ikm read "$path")"
	same y "$(cat "$path")"
	ikm read "$path" --json | jq -e .path >/dev/null
done
E

more 'JSON that is no UTF-8 or has a key twice' <<'E'
printf '{"path": "f", "content": "\377"}' >../in
fails 2 sh -c 'ikm call file_write <../in >../out'
same BAD_UTF8 "$(jq -r .details.reason ../out)"
refuses file_write '{"path": "f", "path": "g", "content": "x"}' BAD_JSON
refuses file_write '{"path": "f", "content": "x", "mode": 1}' UNKNOWN_PARAMETER
refuses file_write '{"path": "f", "content": "x", "parents": "yes"}' WRONG_TYPE
refuses file_edit '{"path": "f", "old": "text"}' MISSING_PARAMETER
same text "$(cat f)"
E

more 'content with NUL bytes and without UTF-8 is data' <<'E'
printf 'a\0b\377\r\n' >../bytes
ikm write bin <../bytes
cmp bin ../bytes
printf '\0' | ikm append bin
{ cat ../bytes; printf '\0'; } | cmp - bin
printf '{"path": "bin", "old": "b\\u0000", "new": ""}' >../in
fails 3 sh -c 'ikm call file_edit <../in >../out' # the nearest line is bytes too
jq -e .details.reason ../out
E

more 'a sparse file of 3 GiB: lines are streamed, the rest is too big' <<'E'
truncate -s 3G huge
printf 'first\n' | dd of=huge conv=notrunc status=none
printf '\nlast\n' >>huge
# Sanitizers reserve address space, so this limit would stop them.
same first "$(grep -q __asan_init "$BUILD/test/ikm" || ulimit -v 2000000
	ikm read huge --lines 1)"
refuses file_read '{"path": "huge"}' TOO_BIG 2
refuses file_edit '{"path": "huge", "old": "first", "new": "second"}' TOO_BIG 2
refuses fs_append '{"path": "huge", "text": "x"}' TOO_BIG 2
refuses fs_hash '{"path": "huge"}' TOO_BIG 2
refuses file_write '{"path": "huge", "content": "x"}' TOO_BIG 2
same 3221225478 "$(stat -c %s huge)"
rm huge
E

more 'a file that grows and shrinks while it is read' <<'E'
: >../log
perl -e '$| = 1; open(my $f, ">>", "../log"); for (1 .. 3000) { syswrite($f, "x" x 4096 . "\n");
	truncate("../log", 0) if $_ % 500 == 0; last if -e "../stop" }' &
writer=$!
for i in 1 2 3 4 5 6 7 8 9 10; do
	timeout 20 ikm read ../log >../out
	timeout 20 ikm read ../log --json >../out
	same "$(jq -r .hash ../out)" "sha256:$(jq -j .content ../out | sha256sum | cut -d' ' -f1)"
done
: >../stop
wait $writer
E

more 'a read-only folder or file: said so, and no litter' <<'E'
mkdir ro
echo x >ro/f
chmod 555 ro
refuses file_write '{"path": "ro/g", "content": "x"}' PERMISSION 8
refuses file_write '{"path": "ro/f", "content": "y"}' PERMISSION 8
refuses file_edit '{"path": "ro/f", "old": "x", "new": "y"}' PERMISSION 8
refuses fs_append '{"path": "ro/f", "text": "y"}' PERMISSION 8
refuses fs_ensure_dir '{"path": "ro/d"}' PERMISSION 8
refuses file_write '{"path": "ro/d/e", "content": "x", "parents": true}' PERMISSION 8
same x "$(cat ro/f)"
same f "$(ls -A ro)"
echo x >locked
chmod 444 locked
refuses file_edit '{"path": "locked", "old": "x", "new": "y"}' PERMISSION 8
chmod 0 locked
refuses file_edit '{"path": "locked", "old": "x", "new": "y"}' PERMISSION 8
E

more 'a full disk at each step: nothing changed, no litter' <<'E'
mkdir full
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
	echo before >full/f
	rc=0
	printf '{"path": "full/f", "old": "before", "new": "after"}' |
		IKM_FAULT=$n:28 ikm call file_edit >../out 2>../err || rc=$?
	[ $rc != 0 ] || break
	# The last steps have the change in place; before them nothing happened.
	same NO_SPACE "$(jq -r .details.reason ../out)"
	same 'false 8' "$(jq -r .retryable ../out) $rc"
	case $(cat full/f) in before | after) ;; *) exit 1 ;; esac
	same f "$(ls -A full)"
done
[ "$n" -gt 4 ]
same after "$(cat full/f)"
E

more 'a file that is over the limit of what a process may write' <<'E'
head -c 100000 /dev/zero | tr '\0' x >../big
echo old >limited
fails 8 sh -c "trap '' XFSZ; ulimit -f 20; ikm write limited <../big 2>/dev/null"
same old "$(cat limited)"
same '' "$(ls -A | grep ikm-tmp || :)"
E
done_testing
