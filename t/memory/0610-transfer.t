#!/bin/sh
# mem export and mem import: nothing is lost or doubled, and a wrong line is reported by its number.
. "$(dirname "$0")/../lib.sh"

IKM_NOW=2026-03-01T12:00:00Z IKM_USER=ada
export IKM_NOW IKM_USER
db=$HOME/.ikigai/ikm.db
export db
empty() { rm -rf "$HOME/.ikigai"; }
# Prints the output of an import of the text in $1, and its exit status.
refused() { # text, what is said, reason
	empty
	printf '%s' "$1" | fails "${4:-2}" ikm mem import --json >out.json
	same "$3" "$(jq -r .details.reason out.json)"
	jq -r .message out.json | grep -qF -- "$2" || { jq -r .message out.json; return 1; }
	[ ! -e "$db" ] || same 0 "$(sqlite3 "$db" 'select count(*) from memories')"
}
segments() { sqlite3 "$db" "select count(*) from index_segments where state = 'live'"; }

try 'an empty store exports nothing, and is not made' <<'E'
same '' "$(ikm mem export)"
same '{"success":true,"memories":[]}' "$(ikm mem export --json)"
[ ! -e "$HOME/.ikigai" ]
E

# All that a memory can have, in several layers; a chain, a repeat, a deletion, a purged one.
try 'a store to be exported' <<'E'
ikm mem add 'the build uses meson' --tag build --metadata '{"a": {"b": [1, "x"]}}' --importance 0.9
old=$(ikm mem list --json | jq -r '.memories[0].memoryId')
IKM_NOW=2026-03-02T12:00:00Z ikm mem add 'the build uses make' --supersedes "$old" --tag build --tag new
ikm mem add 'notes of a turn' --kind conversation --layer session --session s1 --speaker 'Ada "x"'
printf 'a\nb\001 \360\237\246\243 データベース' | ikm mem add --kind episodic --layer agent
ikm mem add 'look into it' --kind scratch
ikm mem add 'a secret' --redaction sensitive -l project -c memory.project=p
ikm mem add 'to be deleted' --kind episodic
ikm mem add 'to be purged' --kind episodic
ikm mem delete "$(ikm mem list --json | jq -r '.memories[] | select(.content == "to be purged").memoryId')"
ikm mem purge
ikm mem delete "$(ikm mem list --json | jq -r '.memories[] | select(.content == "to be deleted").memoryId')"
sqlite3 "$db" "pragma wal_checkpoint(truncate)" >out
cp "$db" ../store.db
E

try 'the export has every memory, and of a deleted one nothing but its id' <<'E'
ikm -c memory.project=p mem export --session s1 >../export
same 8 "$(wc -l <../export | tr -d ' ')"
same 2 "$(jq -c 'select(.deletedAt) | keys' ../export | grep -c '^\["deletedAt","layer","memoryId"\]$')"
fails 1 grep 'to be' ../export
jq -r .memoryId ../export | head -6 | sort -C
same superseded "$(jq -r 'select(.content == "the build uses meson").state' ../export)"
same '{"a":{"b":[1,"x"]}}' "$(jq -c 'select(.metadata).metadata' ../export)"
jq -c . ../export >../lines
ikm -c memory.project=p mem export --session s1 --json | jq -c '.memories[]' | cmp - ../lines
same 1 "$(ikm mem export -l agent | wc -l | tr -d ' ')"
E

try 'who lacks the identifiers of a layer exports nothing of it' <<'E'
same 7 "$(ikm -c memory.project=p mem export | wc -l | tr -d ' ')"
fails 1 grep secret <<X
$(ikm mem export)
X
same '' "$(IKM_USER=bob ikm mem export)"
fails 2 ikm mem export -l team
E

try 'an import of an export exports the same bytes' <<'E'
empty
same '8 lines can be imported; nothing was stored' \
	"$(ikm -c memory.project=p mem import --session s1 -n ../export)"
[ ! -e "$db" ]
same '6 added, 0 existed, 2 deleted' "$(ikm -c memory.project=p mem import --session s1 ../export)"
ikm -c memory.project=p mem export --session s1 | cmp - ../export
same '0 added, 8 existed, 0 deleted' \
	"$(ikm -c memory.project=p mem import --session s1 - <../export)"
ikm -c memory.project=p mem export --session s1 | cmp - ../export
same ok "$(sqlite3 "$db" 'pragma integrity_check')"
E

try 'what was exported from one store comes to another that has its own' <<'E'
empty
ikm mem add 'here before'
ikm -c memory.project=p mem import --session s1 ../export
same 7 "$(ikm -c memory.project=p mem export --session s1 | jq -c 'select(.content)' | wc -l | tr -d ' ')"
E

try 'lines with nothing but a content get what import was told, and the same id again' <<'E'
empty
printf '{"content":"one"}\r\n\n{"content":"one"}\n  \n{"content":"two","tags":["b","a","b"]}' >in
same '{"success":true,"lines":3,"added":3,"existing":0,"tombstones":0}' \
	"$(ikm mem import in -l agent -k episodic --json | jq -c 'del(.event)')"
ikm mem export >out
same 'agent episodic import 1' "$(jq -r '[.layer, .kind, .provenance, .confidence] | join(" ")' out | sort -u)"
same '["a","b"]' "$(jq -c 'select(.content == "two").tags' out)"
same 2026-03-01T12:00:00.000Z "$(jq -r .createdAt out | sort -u)"
IKM_NOW=2027-01-01T00:00:00Z ikm mem import in -l agent -k episodic >said
same '0 added, 3 existed, 0 deleted' "$(cat said)"
ikm mem export | cmp - out
E

try 'an exact repeat gives its tags, and what a line supersedes is superseded' <<'E'
empty
ikm mem add 'tabs' --tag a
id=$(ikm mem list --json | jq -r '.memories[0].memoryId')
printf '{"content":"tabs","tags":["b"]}\n{"content":"tabs"}\n{"content":"spaces","supersedes":"%s"}\n' "$id" |
	ikm mem import >said
same '1 added, 2 existed, 0 deleted' "$(cat said)"
same 'spaces active []
tabs superseded ["a","b"]' "$(ikm mem export | jq -r '"\(.content) \(.state) \(.tags)"' | sort)"
E

try 'of lines that supersede each other one holds, and the import says so' <<'E'
cat >circle <<'L'
{"memoryId": "mem_01J00000000000000000000001", "content": "The hub is Rome", "supersedes": "mem_01J00000000000000000000002"}
{"memoryId": "mem_01J00000000000000000000002", "content": "The hub is Oslo", "supersedes": "mem_01J00000000000000000000003"}
{"memoryId": "mem_01J00000000000000000000003", "content": "The hub is Bern", "supersedes": "mem_01J00000000000000000000001"}
L
HOME=$T/circle-home
mkdir -p "$HOME"
same '[3,1]' "$(ikm mem import circle --json | jq -c '[.added, .circular]')"
same '["The hub is Rome"]' "$(ikm mem list --state active --json | jq -c '[.memories[].content]')"
ikm mem add 'The hub is Graz' --supersedes mem_01J00000000000000000000001 >/dev/null
E

try 'a deletion hides what is there, and keeps out what comes' <<'E'
empty
printf '{"content":"x","kind":"episodic","memoryId":"mem_01JD9D1HRYX98SF3WMC9WJ64VR"}\n' >x
printf '{"memoryId":"mem_01JD9D1HRYX98SF3WMC9WJ64VR","layer":"user","deletedAt":"2026-02-01T00:00:00Z"}\n' >gone
same '1 added, 0 existed, 1 deleted' "$(cat x gone | ikm mem import)"
same '' "$(ikm mem list)"
ikm mem export | cmp - gone 2>/dev/null || same "$(jq -c .memoryId gone)" "$(ikm mem export | jq -c .memoryId)"
same '0 added, 2 existed, 0 deleted' "$(cat x gone | ikm mem import)"
empty
same '0 added, 0 existed, 1 deleted' "$(ikm mem import gone)"
same '0 added, 1 existed, 0 deleted' "$(ikm mem import x)"
E

more "a deletion spares another user's memory, says so, and the lines after it are imported" <<'E'
empty
IKM_USER=bo ikm mem import x >said
sed 's/}$/}\n{"content":"after"}/' gone >both
ikm mem import both >said 2>err
same '1 added, 0 existed, 0 deleted' "$(cat said)"
same 'ikm: 1 deletion was skipped: the memory is not among those that you see
  to delete as another user or agent: --user, --agent' "$(cat err)"
same x "$(IKM_USER=bo ikm mem list --json | jq -r '.memories[].content')"
E

more 'what is wrong is told with line and member, and nothing is stored' <<'E'
ok='{"content":"fine"}
'
refused "$ok{" 'line 2, column 2' BAD_JSON
refused "$ok{\"content\":1}" 'line 2: content must be a string' WRONG_TYPE
refused "$ok[]" 'line 2: a memory must be an object' WRONG_TYPE
refused "$ok{\"contents\":\"x\"}" "did you mean 'content'" UNKNOWN_PARAMETER
refused "$ok{\"content\":\"\"}" 'line 2: content is empty' OUT_OF_RANGE
refused "$ok{}" 'line 2: content is empty' OUT_OF_RANGE
refused "$ok{\"content\":\"x\",\"content\":\"y\"}" 'line 2' BAD_JSON
refused "$ok{\"content\":\"x\",\"tags\":[\" \"]}" 'line 2: a tag is only blanks' OUT_OF_RANGE
same tags "$(jq -r .details.parameter out.json)"
refused "$ok{\"content\":\"x\",\"tags\":$(seq -f '"%g"' 65 | jq -sc .)}" 'line 2: tags: the memory would have 65' OUT_OF_RANGE
same tags "$(jq -r .details.parameter out.json)"
refused "$ok{\"content\":\"x\",\"kind\":\"facts\"}" 'kind is' NOT_IN_ENUM
refused "$ok{\"content\":\"x\",\"importance\":2}" 'line 2: importance' OUT_OF_RANGE
refused "$ok{\"content\":\"x\",\"createdAt\":\"2026-03-03T12:00:01Z\"}" 'line 2: createdAt is in the future' OUT_OF_RANGE
refused "$ok{\"content\":\"x\",\"createdAt\":\"soon\"}" "line 2: createdAt must be a time such as 2026-01-31T12:00:00Z, not 'soon'" WRONG_TYPE
refused "$ok{\"content\":\"x\",\"expiresAt\":\"1970-01-01T00:00:00Z\"}" 'line 2: expiresAt must be a time other than 1970-01-01' WRONG_TYPE
refused "$ok{\"content\":\"x\",\"memoryId\":\"m1\"}" 'line 2: memoryId is no id' BAD_ARGUMENT
refused "$ok{\"content\":\"x\",\"memoryId\":\"\"}" 'line 2: memoryId is no id' BAD_ARGUMENT
jq -r '.help.steps[]' out.json | grep -q '^leave it out of the line'
refused "$ok{\"content\":\"x\",\"supersedes\":\"m1\"}" 'line 2: supersedes is no id' BAD_ARGUMENT
jq -r '.help.steps[]' out.json | not grep '^leave it out'
refused "$ok{\"content\":\"x\",\"supersededBy\":\"m1\"}" 'line 2: supersededBy is no id' BAD_ARGUMENT
jq -r '.help.steps[]' out.json | not grep '^leave it out'
refused "$ok{\"memoryId\":\"m1\",\"deletedAt\":\"2020-01-01T00:00:00Z\"}" 'line 2: memoryId is no id' BAD_ARGUMENT
jq -r '.help.steps[]' out.json | not grep '^leave it out'
refused "$ok{\"content\":\"x\",\"layer\":\"team\"}" "line 2: the layer 'team'" MISSING_PARAMETER
refused "$ok{\"content\":\"x\",\"deletedAt\":\"2026-01-01\"}" 'line 2: content is not allowed' UNKNOWN_PARAMETER
refused "$ok{\"content\":\"x\",\"turn\":1}" 'line 2: ' BAD_ARGUMENT
refused "$ok{\"content\":\"x\",\"supersededBy\":\"mem_01JD9D1HRYX98SF3WMC9WJ64VR\",\"state\":\"active\"}" \
	'line 2: state must be' BAD_ARGUMENT
refused "$(printf '%s{"content":"a\377"}' "$ok")" 'line 2, column' BAD_UTF8
same 2 "$(jq .details.line out.json)"
same "'standard input'" "$(jq -r .message out.json | cut -d: -f1)"
fails 2 ikm mem import -n --json >out.json <<X
{"content":"x","layer":"team"}
X
same MISSING_PARAMETER "$(jq -r .details.reason out.json)"
E

more 'an id with another content is refused, in a file and against the store' <<'E'
id=mem_01JD9D1HRYX98SF3WMC9WJ64VR
refused "$(printf '{"content":"a","memoryId":"%s"}\n{"content":"b","memoryId":"%s"}' $id $id)" \
	'line 2: memoryId: there is a memory' EXISTS 4
printf '{"content":"a","memoryId":"%s"}\n{"content":"a","memoryId":"%s"}\n' $id $id | ikm mem import >said
same '1 added, 1 existed, 0 deleted' "$(cat said)"
printf '{"content":"b","memoryId":"%s"}\n' $id | fails 4 ikm mem import
same a "$(ikm mem export | jq -r .content)"
E

try 'a line over the limit, a missing file, a folder' <<'E'
empty
{ echo '{"content":"fine"}'; head -c 17000000 /dev/zero | tr '\0' 'x'; } >long
fails 2 ikm mem import long --json >out.json
same '' "$(ikm mem list)"
same TOO_LONG "$(jq -r .details.reason out.json)"
same 2 "$(jq .details.line out.json)"
fails 3 ikm mem import nothing
fails 2 ikm mem import .
fails 2 sh -c 'echo "{\"dryRun\":true}" | ikm mem import --no-such'
E

# 2,500 lines: threads, and with small blocks whole segments of the index.
lines() {
	awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++) printf \
		"{\"content\":\"line %d of heron%d and teal%d\",\"kind\":\"episodic\",\"sessionId\":\"s%d\"}\n",
		i, i % 7, i % 11, i / 100 }'
}

more 'many at once are indexed as one by one' <<'E'
empty
lines 2500 >in
ask() { ikm mem search 'teal5 or heron3' --limit 100 --threshold 0 --json; }
IKM_INDEX_BITS=6 IKM_IMPORT_LINES=1024 ikm mem import in >said
same '2500 added, 0 existed, 0 deleted' "$(cat said)"
[ "$(segments)" -gt 1 ]
ikm mem export >a
ask >answers
same true "$(jq '.totalCount > 100' answers)"
empty
IKM_IMPORT_LINES=500 ikm mem import in >said
same 0 "$(segments)"
ikm mem export | cmp - a
ask | cmp - answers
same ok "$(sqlite3 "$db" 'pragma integrity_check')"
E

more 'a wrong line in a later batch: what was before is stored, and going on adds the rest' <<'E'
empty
{ lines 250; echo '{"content":'; lines 300 | tail -50; } >in
IKM_IMPORT_LINES=100 fails 2 ikm mem import in --json >out.json
same '251 200' "$(jq -r '.details | "\(.line) \(.added)"' out.json)"
jq -r '.help.steps[]' out.json | grep -q '200 memories of the lines before are stored'
sed '251s/.*//' in >mended
IKM_IMPORT_LINES=100 ikm mem import mended >said
same '100 added, 200 existed, 0 deleted' "$(cat said)"
same 300 "$(sqlite3 "$db" 'select count(distinct content) from memories')"
E

more 'failed or killed at any point and started again: nothing lost, nothing doubled' <<'E'
{ lines 250; cat ../export; } >in
empty
run='ikm -c memory.project=p mem import --session s1 in'
IKM_IMPORT_LINES=100 $run
ikm -c memory.project=p mem export --session s1 >../whole
for sign in '' -; do
	n=0
	while :; do
		n=$((n + 1))
		[ $n -lt 40 ]
		empty
		rc=0
		IKM_INDEX_BITS=6 IKM_IMPORT_LINES=100 IKM_FAULT=$sign$n $run >../out 2>&1 || rc=$?
		[ $rc != 0 ] || ikm -c memory.project=p mem export --session s1 | cmp - ../whole
		[ ! -e "$db" ] || same ok "$(sqlite3 "$db" 'pragma integrity_check')"
		IKM_INDEX_BITS=6 IKM_IMPORT_LINES=100 $run >../out
		ikm -c memory.project=p mem export --session s1 | cmp - ../whole
		same '' "$(find "$HOME/.ikigai" -type f | grep -v '/ikm\.db\(-wal\|-shm\)\?$')"
		[ $rc != 0 ] || break
	done
	[ $n -gt 3 ]
done
E

long 'an export names what it leaves out, and --all takes it; a purge and a reindex take the whole store' <<'E'
rm -rf "$HOME/.ikigai"
for p in a b; do ikm -c memory.project=$p mem add "the $p team" --layer project >../out; done
ikm mem add tabs >../out
ikm --agent z mem add zz --layer agent >../out
ikm --user bob mem add 'of bob' >../out
ikm -c memory.project=a mem export 2>../err | jq -r .content | sort | paste -sd, >../out
same 'tabs,the a team' "$(cat ../out)"
grep -q '^ikm: warning: 3 memories of other projects, .* are left out; .*: ikm mem export --all; .*: ikm backup$' ../err
ikm -c memory.project=a mem export --json 2>../err | jq -r '.warnings[]' | grep -q '^3 memories'
ikm -c memory.project=a mem export --layer project 2>&1 >../out | grep -q '^ikm: warning: 1 memory of'
ikm mem export --layer user 2>&1 >../out | grep -q '^ikm: warning: 1 memory of'
ikm mem export --all 2>../err | jq -r .content | sort | paste -sd, >../out
same 'of bob,tabs,the a team,the b team,zz' "$(cat ../out)"
same '' "$(cat ../err)"
ikm mem export --all --layer project | jq -r .content | sort | paste -sd, >../out
same 'the a team,the b team' "$(cat ../out)"
ikm -c memory.project=b mem delete "$(ikm -c memory.project=b mem export --layer project 2>../err | jq -r .memoryId)" >../out
ikm mem export --all | grep -q deletedAt
ikm mem purge | grep -q '^erased 1 memory;'
ikm mem reindex | grep -q '^indexed 4 memories$'
E
done_testing
