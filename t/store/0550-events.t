#!/bin/sh
# ikm events query, ikm events undo: what tools changed is recorded, and put back.
. "$(dirname "$0")/../lib.sh"

git init -q r
cd r || exit 1
write() { jq -cn --arg path "$1" --arg content "$2" '{$path, $content}' | ikm call file_write; }
event() { jq -r .event; }
last() { ikm events query -n 1 --json | jq -r '.rows[0].event_id'; }
hash() { echo "sha256:$(sha256sum "$1" | cut -d' ' -f1)"; }
move() { printf '{"path":"%s","newPath":"%s"}' "$1" "$2" | ikm --maintainer call fs_move; }

try 'no store: no events, and none is made' <<'E'
same '{"rows":[]}' "$(ikm events query --json | jq -c .)"
[ ! -e "$HOME/.ikigai" ]
fails 3 ikm events undo 01ARZ3NDEKTSV4RRFFQ69G5FAV
E

try 'a person is not recorded, a tool is' <<'E'
echo one | ikm write f
same 0 "$(ikm events query --json | jq '.rows | length')"
before=$(hash f)
echo '{"path":"f","old":"one","new":"two"}' | ikm call file_edit >out
ikm events query --json | jq '.rows[0]' >row
same "$(jq -r .event out)" "$(jq -r .event_id row)"
same "[\"file_edit\",\"file\",\"edit\",\"$PWD/f\",\"$before\",\"$(hash f)\",\"committed\",true]" \
	"$(jq -c '[.tool,.entity_type,.op,.path,.before_hash,.after_hash,.status,.kept]' row)"
E

try 'undo puts the former content back, and is an event' <<'E'
id=$(last)
ikm events undo "$id" --json >out
same one "$(cat f)"
same "$id" "$(jq -r .undone.event_id out)"
same "$(hash f)" "$(jq -r .newHash out)"
ikm events query -n 1 --json | jq '.rows[0]' >row
same "[\"undo\",\"$id\",\"$(jq -r .event out)\"]" "$(jq -c '[.op,.undoes,.event_id]' row)"
E

try 'twice says so; undoing the undo brings the change back, and it can be undone again' <<'E'
undo=$(last)
id=$(ikm events query --op edit --json | jq -r '.rows[0].event_id')
fails 4 ikm events undo "$id" --json >out
same "UNDONE_ALREADY $undo" "$(jq -r '.details | .reason + " " + .undoneBy' out)"
same one "$(cat f)"
ikm events undo "$undo"
same two "$(cat f)"
ikm events undo "$id"
same one "$(cat f)"
E

try 'what was changed since is not touched, and the three versions are shown' <<'E'
id=$(write f 'by tool' | event)
echo 'by hand' >f
fails 4 ikm events undo "$id" 2>err
same 'by hand' "$(cat f)"
grep -q '^-one$' err
grep -q '^+by hand$' err
grep -q "^now: *$(hash f), 8 bytes" err
fails 4 ikm events undo "$id" --json >out
same "[\"CHANGED_SINCE\",\"$(hash f)\",false]" "$(jq -c '[.details.reason,.details.currentHash,.retryable]' out)"
jq -e '.details.diff | contains("+by hand")' out
printf 'by tool' >f
ikm events undo "$id"
same one "$(cat f)"
E

try 'put back by hand already: nothing to do' <<'E'
id=$(write f 'three' | event)
echo one >f
ikm events undo "$id" --json >out
same false "$(jq .changed out)"
same one "$(cat f)"
E

try 'a creation is undone by removing, and that by writing' <<'E'
id=$(echo '{"path":"d/new","content":"x","parents":true}' | ikm call file_write | event)
ikm events undo "$id" --json >out
[ ! -e d/new ]
same null "$(jq .newHash out)"
rmdir d
ikm events undo "$(last)"
same x "$(cat d/new)"
E

try 'a move is undone by moving back' <<'E'
echo moved >from
move from to
id=$(last)
ikm events undo "$id"
same moved "$(cat from)"
[ ! -e to ]
fails 4 ikm events undo "$id"
ikm events undo "$(last)"
same moved "$(cat to)"
echo other >to
fails 4 ikm events undo "$(last)"
same other "$(cat to)"
E

long 'a stored asset goes back to its version, within the budget' <<'E'
id=$(write ikigai:///blocks/a.md 'first, with several more words' | event)
id2=$(write ikigai:///blocks/a.md second | event)
ikm asset pin blocks/a
same '[true,false]' "$(ikm events query -n 2 --json | jq -c '[.rows[].kept]')"
ikm events undo "$id2"
same 'first, with several more words' "$(ikm read ikigai:///blocks/a.md)"
ikm events undo "$(last)"
same second "$(ikm read ikigai:///blocks/a.md)"
fails 6 ikm -c assets.budget=2 events undo "$id2"
same second "$(ikm read ikigai:///blocks/a.md)"
ikm events undo "$id2"
ikm events undo "$id"
fails 3 ikm read ikigai:///blocks/a.md
E

try 'a stored asset that comes back is described as it was' <<'E'
printf line | ikm write ikigai:///blocks/d.md
ikm asset set blocks/d -d 'what it is' --category skill
printf -- '--- a\n+++ /dev/null\n@@ -1 +0,0 @@\n-line\n\\ No newline at end of file\n' |
	jq -Rs '{path: "ikigai:///blocks/d.md", diffText: .}' |
	ikm --maintainer call fs_patch >out
fails 3 ikm read ikigai:///blocks/d.md
ikm events undo "$(last)"
same 'skill what it is' "$(ikm asset show blocks/d --json | jq -r '.asset | .category + " " + .description')"
E

try 'a tool undoes its own agent only' <<'E'
export IKM_SESSION=s
echo one >f
id=$(write f mine | event)
fails 7 sh -c "echo '{\"eventId\": \"$id\"}' | ikm --agent other call events_undo >out"
same NOT_ALLOWED "$(jq -r .details.reason out)"
same mine "$(cat f)"
echo "{\"eventId\": \"$id\"}" | ikm call events_undo >out
same one "$(cat f)"
E

more 'whether an event was undone is looked up, not searched' <<'E'
{ echo 'explain query plan' && statement event_undone; } | sqlite3 "$HOME/.ikigai/ikm.db" >plan
grep -q events_undoes plan
! grep SCAN plan
E

more 'roots hold for undo too' <<'E'
export IKM_SESSION=s
id=$(write f outside | event)
mkdir -p sub
fails 5 sh -c "echo '{\"eventId\": \"$id\"}' | ikm --root sub call events_undo >out"
same outside "$(cat f)"
E

more 'filters and pages' <<'E'
all=$(ikm events query -n 10000 --json | jq '.rows | length')
pages=0 next=
while :; do
	ikm events query -n 4 ${next:+--before "$next"} --json >page
	pages=$((pages + $(jq '.rows | length' page)))
	next=$(jq -r '.next // empty' page)
	[ -n "$next" ] || break
done
same "$all" "$pages"
ikm events query -n 10000 --json | jq -r '.rows[].event_id' >ids
sort -r ids | cmp - ids
count() { ikm events query -n 10000 --json "$@" | jq '.rows | length'; }
same "$(sqlite3 "$HOME/.ikigai/ikm.db" "select count(*) from events where op = 'undo'")" "$(count --op undo)"
same 3 "$(count --path d)"
same 3 "$(count --path "$PWD/d/new")"
same "$(count --path ikigai:///blocks)" "$(count --path ikigai:///)"
same 0 "$(count --path nowhere)"
same 0 "$(count --by-agent other)"
same "$all" "$(count --by-agent default --since 1h --status committed)"
same 0 "$(count --until 2020-01-01)"
same "$all" "$(count --until 2999-01-01T00:00:00+01:00)"
same 1 "$(count --tool file_edit)"
same "$(count --op move)" "$(count --text FROM --op move)"
fails 2 ikm events query --since yesterday
fails 2 ikm events query --path http://x
fails 3 ikm events query --before 01ARZ3NDEKTSV4RRFFQ69G5FAV
fails 4 ikm events undo 0
ikm events query -n 2 >out
same 2 "$(wc -l <out)"
E

more 'the events of a path are looked up, few or many of them' <<'E'
for q in event_below event_query_of; do
	{ echo 'explain query plan' && statement "$q"; } | sqlite3 "$HOME/.ikigai/ikm.db" >plan
	grep -q SEARCH plan
	if grep -E 'SCAN (e|events)\b' plan; then exit 1; fi
done
cp -R "$HOME/.ikigai" copy
sqlite3 copy/ikm.db "with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000)
	insert into events (event_id, number, step, schema_version, machine_id, ts, user_id, agent_id,
		session_id, tool, entity_type, entity_id, file_path, type, op, path_to)
	select printf('7%025d', i), 0, 'pending', 2, 'm', i, 'u',
		case i % 9 when 0 then 'nine' else 'a' end, 's', 't', 'file',
		printf('/big/%d/%d', i % 100, i), printf('/big/%d/%d', i % 100, i), 'action', 'move',
		case when i % 1000 = 0 then printf('/big2/%d', i) end from n"
of() { IKIGAI_HOME=$PWD/copy ikm events query -n 10000 --json --path "$@" | jq -c '[.rows[].path]'; }
same 5000 "$(of /big | jq length)"
same 555 "$(of /big --by-agent nine | jq -c length)"
same 50 "$(of /big/7 | jq length)"
same '["/big/7/4907","/big/7/4807","/big/7/4707"]' "$(of /big/7/ --tool t | jq -c '.[:3]')"
same '["/big/7/4707"]' "$(of /big/7/4707)"
same '["/big/0/5000","/big/0/4000","/big/0/3000","/big/0/2000","/big/0/1000"]' "$(of /big2)"
same '["/big/0/2000"]' "$(of /big2/2000)"
same "$(of /big/7 | jq -c '.[25:]')" "$(of /big/7 --before 70000000000000000000002507)"
same '[]' "$(of /bi)"
E

more 'what is not kept any more is told' <<'E'
echo long enough to be too much >f
id=$(write f x | event)
export IKM_NOW=2999-01-01T00:00:00Z
write g x >out
export IKM_NOW=2999-01-02T00:00:00Z
write g y >out
fails 3 ikm events undo "$id" --json >out
same NO_FORMER "$(jq -r .details.reason out)"
same x "$(cat f)"
echo long enough to be too much >f
id=$(jq -cn '{path: "f", content: "y"}' | ikm -c undo.bytes=5 call file_write | event)
same false "$(ikm events query -n 1 --json | jq '.rows[0].kept')"
fails 3 ikm events undo "$id"
E

more 'undo.days = 0 records nothing' <<'E'
before=$(last)
jq -cn '{path: "f", content: "z"}' | ikm -c undo.days=0 call file_write >out
same null "$(jq .event out)"
same "$before" "$(last)"
E

# A recorded write fails (N) or is killed (-N) at each durable effect. The file is old or new, the
# event says which, a repeated write succeeds, and the change can be undone.
faults() {
	for n in $(seq 1 80); do
		rm -rf "$HOME/.ikigai" f
		write g x >/dev/null
		echo old >f
		rc=0
		(export IKM_FAULT=$1$n; write f new) >out 2>&1 || rc=$?
		content=$(cat f)
		ikm events query --path f --json >rows
		case $content-$(jq -r '.rows[0].status // "none"' rows) in
		old-none | old-failed | new-committed) ;;
		*) echo "fault $1$n: '$content', $(cat rows out)"; return 1 ;;
		esac
		[ "$rc" != 0 ] || same new "$content"
		write f new >/dev/null
		same new "$(cat f)"
		same '' "$(find . -maxdepth 1 -name '.ikm-tmp-*')"
		if [ "$content" = new ]; then
			ikm events undo "$(jq -r '.rows[0].event_id' rows)" >/dev/null
			same old "$(cat f)"
		fi
		[ "$rc" != 0 ] || { [ "$n" -gt 3 ]; return; }
	done
	echo 'no end of faults'
	return 1
}

more 'a write that fails anywhere' <<'E'
faults ''
E

more 'a write that is killed anywhere' <<'E'
faults -
E

more 'an undo that is killed anywhere, and done again at once' <<'E'
for n in $(seq 1 80); do
	rm -rf "$HOME/.ikigai" f
	echo old >f
	id=$(write f new | event)
	killed=0 again=0
	IKM_FAULT=-$n ikm events undo "$id" >out 2>&1 || killed=$?
	content=$(cat f)
	ikm events undo "$id" >out 2>&1 || again=$?
	same old "$(cat f)"
	case $content-$again in
	new-0 | old-4) ;;
	*) echo "fault $n: '$content', $(cat out)"; exit 1 ;;
	esac
	same committed "$(ikm events query --op undo --json | jq -r '.rows[0].status')"
	[ "$killed" != 0 ] || { [ "$n" -gt 3 ]; exit; }
done
echo 'no end of faults'
exit 1
E

more 'a pending move is settled by what is there' <<'E'
for n in $(seq 1 80); do
	rm -rf "$HOME/.ikigai" a b
	echo x >a
	rc=0
	(export IKM_FAULT=-$n; move a b) >out 2>&1 || rc=$?
	there=$(ls a b 2>/dev/null || :)
	ikm events query --op move --json >rows
	case $there-$(jq -r '.rows[0].status // "none"' rows) in
	a-none | a-failed | b-committed) ;;
	*) echo "fault $n: '$there', $(cat rows)"; exit 1 ;;
	esac
	[ "$rc" != 0 ] || { [ "$n" -gt 3 ]; exit; }
done
echo 'no end of faults'
exit 1
E

more 'a change that is done again after a kill settles the one before' <<'E'
for n in $(seq 1 80); do
	rm -rf "$HOME/.ikigai" f
	echo old >f
	rc=0
	(export IKM_FAULT=-$n; write f new) >out 2>&1 || rc=$?
	content=$(cat f)
	write f new >out
	ikm events query --path f --json | jq -r '[.rows[].status] | join(" ")' >got
	case $content-$(cat got) in
	old-committed | 'old-committed failed' | new-committed) ;;
	*) echo "fault $n: '$content', $(cat got)"; exit 1 ;;
	esac
	[ "$rc" != 0 ] || { [ "$n" -gt 3 ]; exit; }
done
echo 'no end of faults'
exit 1
E

more 'a clock that is wrong for some hours takes no undo away' <<'E'
at() { IKM_NOW=$1 write "$2" "$3" | event; }
at 2031-01-01T00:00:00Z clock a >/dev/null
id=$(at 2031-01-01T01:00:00Z clock b)
at 2039-05-05T00:00:00Z other x >/dev/null
at 2039-05-05T06:00:00Z other y >/dev/null
at 2031-01-02T02:00:00Z other z >/dev/null
at 2031-01-03T03:00:00Z other w >/dev/null
IKM_NOW=2031-01-03T04:00:00Z ikm events undo "$id" --json >out
same a "$(cat clock)"
# In the course of time it goes.
at 2031-03-01T00:00:00Z other u >/dev/null
at 2031-03-02T01:00:00Z other v >/dev/null
fails_for NO_FORMER ikm events undo "$(jq -r .event out)"
rm clock other
E

more 'the bound on former contents is counted right, whatever comes and goes' <<'E'
rm -rf "$HOME/.ikigai" f
echo 0 >f
for n in $(seq 1 30); do
	content=$(head -c $((n * 37 % 200)) /dev/zero | tr '\0' x)
	IKM_UNDO_BYTES=$((500 - n % 3 * 100)) write f "$content" >out
	sqlite3 "$HOME/.ikigai/ikm.db" 'select bytes, (select coalesce(sum(size), 0)
		from former_contents), bytes <= 500 from former_size' >sizes
	grep -q '^\([0-9]*\)|\1|1$' sizes || { echo "$n: $(cat sizes)"; exit 1; }
done
[ "$(cut -d'|' -f1 sizes)" -gt 100 ]
# The oldest go first. A content above the bound is not kept, and pushes out no other.
export IKM_UNDO_BYTES=250
rm -rf "$HOME/.ikigai"
for size in 100 101 102 103 300 1; do head -c $size /dev/zero | tr '\0' x >content; write f "$(cat content)" >out; done
same '[false,true,true,false,false,false]' "$(ikm events query --path f --json | jq -c '[.rows[].kept]')"
rm content
E

more 'what was removed comes back with its mode' <<'E'
for mode in 755 600; do
	printf '#!/bin/sh\n' >script
	chmod $mode script
	git diff --no-index script /dev/null >script.diff || :
	id=$(jq -Rs '{diffText: .}' script.diff | ikm --maintainer call fs_patch |
		jq -r '.files[0].event')
	[ ! -e script ]
	ikm events undo "$id"
	same $mode "$(stat -c %a script)"
done
# An existing file keeps its current mode.
id=$(write script new | event)
chmod 640 script
ikm events undo "$id"
same 640 "$(stat -c %a script)"
rm script script.diff
E

more 'a write that is refused is no event' <<'E'
n=$(ikm events query -n 10000 --json | jq '.rows | length')
echo x >h1
ln h1 h2
printf '{"path": "h1", "content": "y"}' | fails 4 ikm call file_write >out
same HARD_LINKED "$(jq -r .details.reason out)"
jq -e '.help.steps | length == 1' out
echo x >ro
chmod 400 ro
printf '{"path": "ro", "content": "y"}' | fails 8 ikm call file_write >out
printf '{"path": "h1", "content": "x\\n"}' | ikm call file_write | jq -e '.changed == false'
same "$n" "$(ikm events query -n 10000 --json | jq '.rows | length')"
printf '{"path": "h1", "content": "y", "breakLinks": true}' | ikm call file_write
same "$((n + 1))" "$(ikm events query -n 10000 --json | jq '.rows | length')"
rm -f h1 h2 ro
E

more 'a tool settles what is inside its roots only: it looks at no other file' <<'E'
events() { sqlite3 "$HOME/.ikigai/ikm.db" 'select count(*) from events' 2>/dev/null || echo 0; }
status() { printf '{"path": "%s"}' "$PWD/f" | ikm "$@" call events_query | jq -r '.rows[0].status'; }
rm -rf "$HOME/.ikigai" f ../elsewhere
echo old >f
for n in $(seq 1 80); do
	(export IKM_FAULT=-$n; write f new) >out 2>&1 || :
	[ "$(events)" = 0 ] || break
done
git init -q ../elsewhere
same pending "$(status --root ../elsewhere)"
case $(status) in committed | failed) ;; *) exit 1 ;; esac
E

more 'what was changed after a kill stays pending, and is left alone' <<'E'
events() { sqlite3 "$HOME/.ikigai/ikm.db" 'select count(*) from events' 2>/dev/null || echo 0; }
rm -rf "$HOME/.ikigai" f
echo old >f
for n in $(seq 1 80); do
	(export IKM_FAULT=-$n; write f new) >out 2>&1 || :
	[ "$(events)" = 0 ] || break
done
echo other >f
same pending "$(ikm events query --path f --json | jq -r '.rows[0].status')"
fails 4 ikm events undo "$(last)" --json >out
same CHANGED_SINCE "$(jq -r .details.reason out)"
same other "$(cat f)"
E
long 'after a move of the home or the repository, undo names the link with which it works' <<'E'
HOME=$PWD/me; IKM_USER=ada; export HOME IKM_USER; unset IKIGAI_HOME
mkdir me; git init -q work; cd work
ikm init --garden >/dev/null 2>&1
profile=$(ikm md new part guard --title Guard)
ikm md patch "$profile" needs --replace hello --rationale why
patched=$(last); made=$(ikm events query --json | jq -r '.rows[1].event_id')
mkdir src; echo x >src/b.txt; other=$(write src/b.txt y | event)
mv ../me/.ikigai ../me/moved; IKIGAI_HOME=$PWD/../me/moved; export IKIGAI_HOME
IKIGAI_HOME=$(realpath "$IKIGAI_HOME")
for id in "$patched" "$made"; do
	fails 4 ikm events undo --maintainer "$id" >out 2>&1
	grep -q "^ikm: the folder '.*' of the event $id is not there any more" out
	grep -q "link where it was: ln -s '$IKIGAI_HOME' '$HOME/.ikigai'$" out
done
sh -c "$(sed -n 's/.*link where it was: //p' out)"
ikm events undo --maintainer "$patched"
not grep hello "$IKIGAI_HOME${profile#"$HOME/.ikigai"}"
cd ..; mv work work2; cd work2
fails 4 ikm events undo "$other" >out 2>&1
sh -c "$(sed -n 's/.*link where it was: //p' out)"
ikm events undo "$other"
same x "$(cat src/b.txt)"
E

done_testing
