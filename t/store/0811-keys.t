#!/bin/sh
# The keys of the record: made once, private, never guessed; each defect has its message and step.
. "$(dirname "$0")/../lib.sh"

PATH=$BUILD/tool:$PATH
home=$HOME/.ikigai
store=$home/ikm.db
key=$home/keys/event-1.key
IKM_USER=ada rows=0
export PATH home store key IKM_USER
git init -q .
echo text >text
call() {
	echo >>"$T/calls"
	printf '{"path": "f", "content": "%d"}' "$(wc -l <"$T/calls")" | ikm call file_write
}

try 'a garden write without a key is refused with the step; other events go on' <<'E'
fails 1 event "$store" write "$PWD/part" text >out
grep -q '^MISSING_CREDENTIALS NOT_CONFIGURED: there is no key' out
fails 1 event "$store" refuse "$PWD/part" >out
grep -q NOT_CONFIGURED out
call | jq -e '.event | length > 20' >out
same 1 "$(ikm events query --json | jq '.rows | length')"
[ ! -e "$home/keys" ]
E

try 'the keys: 32 random bytes each, in files that only the user reads, made once' <<'E'
(umask 0 && event "$store" init) >out
same '700 600 600' "$(stat -c %a "$home/keys" "$key" "$home/keys/checkpoint.key" | paste -sd' ')"
grep -Eqx '[0-9a-f]{64}' "$key"
not cmp -s "$key" "$home/keys/checkpoint.key"
cp "$key" was
event "$store" init >out
cmp "$key" was
rm "$home/keys/checkpoint.key"
event "$store" init | grep -q 'made checkpoint.key, chain there'
ikm events verify >out
E

try 'two processes make one key' <<'E'
IKIGAI_HOME=$PWD/two
mkdir -m 700 two
for n in 1 2 3 4; do event two/ikm.db init >made$n & done
wait
same 1 "$(cat made* | grep -c 'made event-1.key')"
same 1 "$(cat made* | grep -c 'chain started')"
IKIGAI_HOME=$PWD/two ikm events verify | grep -q complete
E

damaged() { # REASON WORDS: writes, verify and init say so; nothing was changed
	for command in 'call' 'event_write' 'ikm events rotate-key'; do
		case $command in
		event_write) event "$store" write "$PWD/part" text >said 2>&1 && return 1 ;;
		*) $command >said 2>&1 && return 1 ;;
		esac
		grep -q "$2" said || { echo "$command:"; cat said; return 1; }
	done
	call >said 2>&1 && return 1
	not grep -q 'undo.days' said
	fails 7 ikm events rotate-key --json >out 2>/dev/null
	same "MISSING_CREDENTIALS $1 true" "$(jq -r '[.errorCode, .details.reason, (.help.steps | length > 0)] | join(" ")' out)"
	same "$rows" "$(sqlite3 "$store" 'select count(*) from events')"
}
more 'missing, short, no key, readable by others, a link, a folder: each is refused with a step' <<'E'
call >out
rows=$(sqlite3 "$store" 'select count(*) from events')
cp "$key" was
mv "$key" "$home/elsewhere"
damaged NOT_CONFIGURED "event-1.key' is missing"
fails 1 ikm events verify --json >out
same unverifiable "$(jq -r .firstBreak.kind out)"
event "$store" init >said && exit 1
grep -q 'event-1.key. is missing' said
ln -s "$home/elsewhere" "$key"
damaged BAD_KEY 'is no regular file'
rm "$key"
mkdir -m 700 "$key"
damaged BAD_KEY 'is no regular file'
rmdir "$key"
for text in '' 0123 "$(cat was)00" "$(tr 0-9a-f g-v <was)" "$(cut -c2- was)"; do
	(umask 077 && echo "$text" >"$key")
	damaged BAD_KEY 'is no key of 64 hexadecimal digits'
done
(umask 077 && cat was >"$key")
for mode in 640 604 602; do
	chmod $mode "$key"
	damaged BAD_KEY 'can be read or changed by others'
	grep -q "chmod 0600 '$key'" said
done
chmod 600 "$key"
chmod 755 "$home/keys"
damaged BAD_KEY 'can be read or changed by others'
grep -q "chmod 0700 '$home/keys'" said
fails_for BAD_KEY ikm events verify
fails 1 ikm doctor --json >out
jq -r '.findings[].step' out | grep -q "chmod 0700 '$home/keys'"
chmod 700 "$home/keys"
call >out
ikm events verify >out
not grep -qF "$(cat "$key")" said out
E

more 'a key is in no event, no answer and no message' <<'E'
cat "$home"/keys/*.key >all
least 2 all
ikm events query --json >out
ikm events checkpoint >>out
ikm events checkpoint --public-key >>out
sqlite3 "$store" .dump >>out
while read -r secret; do not grep -qF "$secret" out; done <all
E

more 'a key that is lost for good: a new one begins, and verify says so for ever' <<'E'
rm "$key"
fails_for NOT_CONFIGURED ikm events rotate-key
ikm events rotate-key --lost --json >out 2>said
same '[1,2,true]' "$(jq -c '[.from, .to, .lost]' out)"
call >out
fails 1 ikm events verify --json >out
same '["unverifiable","complete","unverifiable"]' "$(jq -c '[.integrity, .completeness, .firstBreak.kind]' out)"
jq -r '.breaks[].message' out | grep -q 'key 1 was lost'
E

more 'the canonical content: LF, no blanks at the ends of lines, one final newline' <<'E'
printf 'a \t\r\nb\rc  \n\n \t\n' >c
same "$(printf 'a\nb\nc\n' | od -c)" "$(event "$store" canonical c | od -c)"
printf 'no newline' >c
same "$(echo 'no newline' | od -c)" "$(event "$store" canonical c | od -c)"
printf ' \n\n' >c
same '' "$(event "$store" canonical c)"
: >c
same '' "$(event "$store" canonical c)"
printf '\n\n  a\n\nb' >c
same "$(printf '\n\n  a\n\nb\n' | od -c)" "$(event "$store" canonical c | od -c)"
E

done_testing
