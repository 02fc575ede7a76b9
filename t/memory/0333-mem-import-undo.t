#!/bin/sh
# An import is one change: one event, and one undo, which leaves what was changed since. Searches go on
# while another process imports. The root commit that names a repository is found once.
. "$(dirname "$0")/../lib.sh"

db=$HOME/.ikigai/ikm.db
fresh() { rm -rf "$HOME/.ikigai"; }
contents() { ikm mem export | jq -r 'select(.content) | .content' | sort | xargs; }
reason() { sed 's/.*"reason":"\([A-Z_0-9]*\)".*/\1/' "$1"; }
import() { ikm mem import "$@" --json | jq -r '.event // "none"'; }
id() { ikm mem export | jq -r --arg c "$1" 'select(.content == $c) | .memoryId'; }
whole() {
	same ok "$(sqlite3 "$db" 'pragma integrity_check')"
	same '' "$(sqlite3 "$db" 'pragma foreign_key_check')"
	ikm doctor >checked || { cat checked; return 1; }
}
printf '{"content": "%s"}\n' red green blue >three

long 'import: one event; the undo deletes; the undo of the undo restores' <<'E'
fresh
event=$(import three)
same 'import' "$(ikm events query --json | jq -r '[.rows[].op] | join(" ")')"
same none "$(import three)"
ikm events undo "$event" --json >said
same '[3,true,null]' "$(jq -c '[.deleted, .changed, .keptMemories]' said)"
same '' "$(contents)"
same 'undo import' "$(ikm events query --json | jq -r '[.rows[].op] | join(" ")')"
ikm events undo "$event" --json >said || :
same UNDONE_ALREADY "$(reason said)"
undo=$(ikm events query --json | jq -r '.rows[0].event_id')
same 3 "$(ikm events undo "$undo" --json | jq .restored)"
same 'blue green red' "$(contents)"
ikm events undo "$event" >said
grep -qx 'deleted 3 memories' said
whole
E

long 'undo: a memory that was changed since stays and is named; a deleted one is gone' <<'E'
fresh
event=$(import three)
id=$(id green)
ikm mem edit "$id" --tag mine >said
ikm mem delete "$(id blue)" >said
fails 1 ikm events undo "$event" --json >said
same "[1,[\"$id\"]]" "$(jq -c '[.deleted, .keptMemories]' said)"
same green "$(contents)"
whole
E

try 'import after the undo adds again; but not what a person deleted' <<'E'
fresh
event=$(import three)
ikm mem delete "$(id blue)" >said
ikm events undo "$event" >said
same 2 "$(ikm mem import three --json | jq .added)"
same 'green red' "$(contents)"
whole
E

try 'undo: changes by the same import are no later changes' <<'E'
fresh
printf '%s\n' '{"content": "old", "memoryId": "mem_01JDCXJ2JEX98SF3WMC9WJ64VR"}' \
	'{"content": "new", "supersedes": "mem_01JDCXJ2JEX98SF3WMC9WJ64VR"}' \
	'{"content": "twice", "tags": ["a"]}' '{"content": "twice", "tags": ["b"]}' >lines
event=$(import lines)
ikm mem reindex >said
same '[3,null]' "$(ikm events undo "$event" --json | jq -c '[.deleted, .keptMemories]')"
same '' "$(contents)"
whole
E

try 'undo: by a person, of the own import only; no record without undo.days' <<'E'
fresh
event=$(import three)
echo "{\"eventId\": \"$event\"}" | ikm call events_undo >said || :
same NOT_ALLOWED "$(reason said)"
IKM_USER=eve ikm events undo "$event" --json >said || :
same NOT_ALLOWED "$(reason said)"
same 'blue green red' "$(contents)"
echo '{"undo": {"days": 0}}' >"$HOME/.ikigai/config.json"
printf '{"content": "late"}\n' >late
same none "$(import late)"
E

more 'thousands: the undo of several transactions, and searches during an import' <<'E'
fresh
import three >said
jq -nc 'range(2500) | {content: "kite number \(.)"}' >many
ikm mem import many --json >imported &
n=0
while kill -0 $! 2>/dev/null; do
	ikm mem search green --json >found || { cat found; exit 1; }
	n=$((n + 1))
done
wait $!
[ $n -gt 0 ]
same 2500 "$(jq .added imported)"
same 2500 "$(ikm events undo "$(jq -r .event imported)" --json | jq .deleted)"
same 'blue green red' "$(contents)"
whole
E

more 'thousands: an undo that is killed between two transactions goes on' <<'E'
fresh
jq -nc 'range(2500) | {content: "kite number \(.)"}' >many
event=$(ikm mem import many --json | jq -r .event)
cp -a "$HOME/.ikigai" made
n=0
left=2500
while [ "$left" = 2500 ]; do
	n=$((n + 1))
	[ $n -lt 20 ] || { echo "no effect between two transactions"; exit 1; }
	rm -rf "$HOME/.ikigai"
	cp -a made "$HOME/.ikigai"
	fails 137 sh -c 'IKM_FAULT=-$0 ikm events undo "$1"' $n "$event" >said 2>&1
	left=$(contents | wc -w)
	left=$((left / 3))
done
same 1476 "$left"
whole
same 1476 "$(ikm events undo "$event" --json | jq .deleted)"
same '' "$(contents)"
whole
fails 4 ikm events undo "$event" >said 2>&1
E

more 'an undo of 1,024 memories is killed before or after its event' <<'E'
fresh
jq -nc 'range(1024) | {content: "kite number \(.)"}' >many
event=$(ikm mem import many --json | jq -r .event)
rm -rf made
cp -a "$HOME/.ikigai" made
n=0
ended=137
while [ $ended = 137 ]; do
	n=$((n + 1))
	[ $n -lt 20 ]
	rm -rf "$HOME/.ikigai"
	cp -a made "$HOME/.ikigai"
	ended=0
	IKM_FAULT=-$n ikm events undo "$event" >said 2>&1 || ended=$?
	left=$(($(contents | wc -w) / 3))
	if [ "$left" = 0 ]; then
		fails 4 ikm events undo "$event" --json >said
		same UNDONE_ALREADY "$(reason said)"
	else
		same 1024 "$left"
	fi
done
same 0 $ended
[ $n -gt 1 ]
E

more 'root commit: found once, again after a new root, not kept for a shallow clone' <<'E'
fresh
root() { sqlite3 "$db" "select root from repository_roots where head = '$(git rev-parse HEAD)'"; }
git init -q repo
cd repo
git commit -q --allow-empty -m one
first=$(git rev-parse HEAD)
ikm mem add -l project 'built by meson' >../said
ikm mem search meson >../said
same "$first" "$(root)"
git commit -q --allow-empty -m two
ikm mem search meson >../said
grep -q meson ../said
same "$first" "$(root)"
git checkout -q --orphan other
GIT_COMMITTER_DATE=2030-01-01T00:00:00Z git commit -q --allow-empty -m other
other=$(git rev-parse HEAD)
ikm mem search meson >../said || :
same "$other" "$(root)"
fails 1 grep -q meson ../said
GIT_COMMITTER_DATE=2030-01-02T00:00:00Z git merge -q --allow-unrelated-histories -m join "$first"
ikm mem search meson >../said
grep -q meson ../said
same "$first" "$(root)"
git clone -q --depth 1 "file://$PWD" ../shallow
cd ../shallow
git remote remove origin
sqlite3 "$db" 'delete from repository_roots'
ikm mem search meson >../said || :
same '' "$(root)"
E

done_testing
