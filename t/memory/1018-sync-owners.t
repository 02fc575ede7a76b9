#!/bin/sh
# Nothing that came from another person is pushed, whichever server, tenant or login it came through;
# and what belongs to one tenant goes to no other without an answer.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/sync.sh"

sync_up ada bob eve ada_new
for m in ada bob ada_new; do member $m --layer project; done
for m in ada eve; do PGUSER=service IKM_SYNC_TENANT=other ikm sync member add $m --layer project >/dev/null; done
# What the server has, as owner and content, of a tenant.
has() { pg_sql admin "select owner, memory ->> 'content' from ikm.memories where tenant = '$1' and memory is not null order by 1, 2" | paste -sd,; }
as() { # TENANT MACHINE COMMAND…: on a machine, for that tenant
	tenant=$1 machine=$2 && shift 2
	case $machine in b*) who=bob ;; e*) who=eve ;; *) who=ada ;; esac
	PGUSER=${LOGIN:-$who} IKM_USER=${NAMED:-$who} IKM_SYNC_TENANT=$tenant IKIGAI_HOME=$T/w/$machine IKM_MEMORY_PROJECT=${PROJECT:-p} ikm "$@"
}
push() { as "$1" "$2" sync now --only remote --json >pushed; }

add b1 'a secret of bob' >bobs
add a1 'a fact of ada' >adas
sync b1 a1

try 'a second tenant gets nothing without an answer, and no other person'"'"'s with one' <<'E'
push other a1
jq -e '.remote | .pushed == 0 and .undecided == 0 and .eventsPushed == 0' pushed
same '' "$(has other)"
as other a1 sync status --json >status || [ $? = 1 ]
jq -e '.remote | .pending == 0 and .withheld.otherTenants == 1 and .withheld.ofOthers == 1' status
# A project that no tenant has yet is asked for, once.
PROJECT=q as other a1 mem add 'a fact of q' --layer project >/dev/null
push other a1
jq -e '.remote | .pushed == 0 and .undecided == 1' pushed
as other a1 sync status --json >status || [ $? = 1 ]
jq -e '(.healthy | not) and .remote.undecided == [{"what": "project", "whose": "[\"q\"]", "memories": 1}]' status
as other a1 sync tenant >out 2>err
grep -q '^1 memory wait.*other.*project:q' err
grep -q 'yes: *ikm sync tenant project:q' err
sync a1
same 'ada|a fact of ada,bob|a secret of bob' "$(has acme)"
as other a1 sync tenant project:q >/dev/null
push other a1
same 'ada|a fact of q' "$(has other)"
PROJECT=q as other a1 mem add 'more of q' --layer project >/dev/null
push other a1
jq -e '.remote | .pushed == 1 and .undecided == 0' pushed
sync a1
same 'ada|a fact of ada,bob|a secret of bob' "$(has acme)"
# To the wrong one, also of what was pulled: only one's own goes.
as other a1 sync tenant project:p >/dev/null 2>said
grep -q "the next sync sends 1 change to 'other'" said
push other a1
same 'ada|a fact of ada,ada|a fact of q,ada|more of q' "$(has other)"
push acme a1
jq -e '.remote.otherTenants == 3' pushed
as acme a1 sync now --only remote | grep -q '3 stay here, because another organisation has them'
as acme a1 sync tenant project:p >/dev/null
# Errors, none, and all that waits.
fails_for NOT_IN_ENUM as other a1 sync tenant projects:p
fails_for MISSING_PARAMETER as other a1 sync tenant --none
fails_for MISSING_PARAMETER as other a1 sync tenant --forget
fails_for BAD_ARGUMENT as other a1 sync tenant --none --forget project:p
# A part of what has no parts; and a name that nothing has yet, which may be a slip.
for what in record:x assets:y; do fails_for BAD_ARGUMENT as other a1 sync tenant --none $what; done
as other a1 sync tenant --none project:qq >out 2>err
grep -q "no memory here is of 'project:qq' yet; did you mean 'project:[pq]'" err
grep -q '^project:qq  -$' out
as other a1 sync tenant --forget project:qq >out 2>err
not grep 'project:qq' out
PROJECT=r as other a1 mem add 'a fact of r' --layer project >/dev/null
as other a1 sync tenant --none --waiting >/dev/null
push other a1 && push acme a1
same 0 "$(pg_sql admin "select count(*) from ikm.memories where whose like '%\"r\"%'")"
E

try 'what is one person'"'"'s is asked for once, and an answer is taken back' <<'E'
mine() { IKM_SESSION=$1 as other a1 -c sync.layers=session,project mem add "said in $1" --layer session >/dev/null; }
shared() { as other a1 -c sync.layers=session,project "$@"; }
mine s1 && mine s2
shared sync status --json >status || [ $? = 1 ]
jq -e '.remote.undecided == [{"what": "session", "memories": 2}]' status
shared sync tenant session >/dev/null
mine s3
shared sync now --only remote --json | jq -e '.remote | .pushed == 3 and .undecided == 0'
shared sync tenant --forget session >/dev/null
mine s4
shared sync now --only remote --json | jq -e '.remote | .pushed == 0 and .undecided == 1'
shared sync tenant --none session >/dev/null
E

more 'a failed sync is remembered, whatever the failure was' <<'E'
failed() { # MACHINE REASON: the status tells of it
	on "$1" sync status --json >status || [ $? = 1 ]
	jq -e --arg r "$2" '(.healthy | not) and .remote.failedAt != null and .remote.reason == $r' status
}
pg_sql admin 'create role carol login'
member carol --layer project
carol() { PGUSER=carol IKM_USER=carol IKM_SYNC_TENANT=acme IKIGAI_HOME=$T/w/c1 IKM_MEMORY_PROJECT=p ikm "$@"; }
carol sync now --only remote >/dev/null
carol sync status --json | jq -e '.healthy and .remote.failedAt == null' || carol sync status --json | jq -e '.remote.failedAt == null'
PGUSER=service IKM_SYNC_TENANT=acme ikm sync member remove carol >/dev/null
fails 7 carol sync now --only remote 2>err
grep -q "carol@.* is no member of 'acme'\|carol.* is no member of 'acme'" err
carol sync status --json >status || [ $? = 1 ]
jq -e '(.healthy | not) and .remote.failedAt != null and .remote.reason == "NOT_ALLOWED"' status
# Also that of a home which no sync has reached the server from.
fails 7 on e7 sync now --only remote 2>err
failed e7 NOT_ALLOWED
member eve --layer project
sync e7
on e7 sync status --json >status || [ $? = 1 ]
jq -e '.remote.failedAt == null' status
PGUSER=service IKM_SYNC_TENANT=acme ikm sync member remove eve >/dev/null
E

more 'another login of the same person' <<'E'
LOGIN=ada_new push acme a1
same 'ada|a fact of ada,ada_new|a fact of ada,bob|a secret of bob' "$(has acme)"
pg_sql admin "delete from ikm.memories where owner = 'ada_new'"
E

more 'an export that another home imports, a deletion and its undo, an edit: the owner stays' <<'E'
as acme a1 mem export >lines
jq -es --arg id "$(cat bobs)" 'any(.[]; .memoryId == $id and .owner == "bob")' lines
as acme a3 mem import lines >/dev/null
# Of the days before this member there is the name of the user.
jq -c 'del(.owner) | select(.userId == "bob") | .memoryId = "mem_01ARZ3NDEKTSV4RRFFQ69G5FAV" | .content = "an old one of bob"' lines >old
as acme a3 mem import old >/dev/null
id=$(cat bobs)
as acme a3 mem edit "$id" --tag mine >/dev/null
as acme a3 mem delete "$id" >/dev/null && as acme a3 mem restore "$id" >/dev/null
as acme a3 mem edit "$id" --layer user >/dev/null && as acme a3 mem edit "$id" --layer project >/dev/null
pg_fresh two
PGUSER=service ikm sync migrate >/dev/null
for m in ada bob; do member $m --layer project; done
push acme a3
same 'ada|a fact of ada' "$(has acme)"
as acme a3 sync status --json >status || [ $? = 1 ]
jq -e '.remote.withheld.ofOthers == 2' status
# A former name of one's own.
as acme a3 -c sync.users=bob sync now --only remote >/dev/null
has acme | grep -q 'ada|an old one of bob'
has acme >all
not grep 'a secret' all
E

more 'a new database with the same members: each pushes the own ones, and can take them back' <<'E'
pg_fresh three
PGUSER=service ikm sync migrate >/dev/null
for m in ada bob; do member $m --layer project; done
sync a1 b1 a1
same 'ada|a fact of ada,bob|a secret of bob' "$(has acme)"
on b1 mem edit "$(cat bobs)" --redaction sensitive >/dev/null
sync b1 a1
same 'ada|a fact of ada' "$(has acme)"
same 0 "$(at a1 "select count(*) from memories where id = '$(cat bobs)'")"
on b1 mem edit "$(cat bobs)" --redaction internal --may-publish >/dev/null 2>&1 || on b1 mem edit "$(cat bobs)" --redaction internal >/dev/null
sync b1 a1
same bob "$(at a1 "select owner from memories where id = '$(cat bobs)'")"
E

more 'a home that another person copied' <<'E'
cp -R "$T/w/a1" "$T/w/b9"
pg_fresh four
PGUSER=service ikm sync migrate >/dev/null
for m in ada bob; do member $m --layer project; done
sync b9
same '' "$(has acme | tr , '\n' | grep -v 'bob|a secret of bob' | paste -sd,)"
sync a1 b9
has acme | tr , '\n' | grep -q 'ada|a fact of ada'
has acme >all
not grep 'bob|a fact' all
# The own ones, which are another person's in the home that was copied, are bob's again.
sync b1 b9
same '' "$(at b9 "select owner from memories where id = '$(cat bobs)'")"
has acme | grep -q 'bob|a secret of bob'
same ada "$(at b9 "select owner from memories where id = '$(cat adas)'")"
E

more 'two people say the same, or one corrects the other: each keeps their own tags' <<'E'
PGDATABASE=three
on b1 mem add 'the ferry is slow' --layer project --tag bobs >/dev/null
on a1 mem add 'the ferry is slow' --layer project --tag adas >/dev/null
sync b1 a1 b1
for m in a1 b1; do same '["adas"],["bobs"]' "$(at $m "select tags from memories where content like 'the ferry%' order by 1" | paste -sd,)"; done
on a1 mem add 'the ferry is fast' --layer project --supersedes "$(at a1 "select id from memories where tags like '%bobs%'")" >/dev/null
jq -nc '{content: "the ferry is slow", layer: "project", userId: "bob", tags: ["imported"]}' >line
on a1 mem import line >/dev/null
sync a1
same 0 "$(pg_sql admin "select count(*) from ikm.memories where owner = 'ada' and memory::text ~ 'bobs|imported'")"
E

more 'a store of an older ikm learns whose its memories are, and takes back what it leaked' <<'E'
PGDATABASE=one
# As it was: bob's memory in the store without an owner, and pushed to another tenant as ada's.
cp -R "$T/w/a1" "$T/w/a7"
id=$(cat bobs)
at a7 "update memories set owner = ''; delete from sync_tenants; delete from meta where key = 'sync users'; delete from sync_rows where id = '$id' and remote <> 1;
	insert into sync_rows (id, remote, owner, doc, clock, machine, hash) select '$id', (select remote from sync_remotes where tenant = 'other'), '', doc, 1, 'm', 0 from memories where id = '$id';
	drop table index_scopes; alter table index_numbers drop column stale; drop index memories_scope;
	create table doubted_words (word text primary key);
	drop index events_calls; alter table events drop column face; alter table events drop column client;
	drop trigger memories_based; drop trigger memories_unbased; drop trigger sync_rows_exchanged;
	drop trigger deleted_memories_emptied; drop table sync_bases; alter table sync_conflicts drop column members;
	drop table sync_tenants; alter table memories drop column owner; pragma user_version = 14"
pg_sql eve "update ikm.tenants set last = last + 1 where tenant = 'other'"
pg_sql ada "insert into ikm.memories (tenant, id, seq, clock, machine, layer, whose, memory) values ('other', '$id', 1, 1, 'm', 'project', '[\"p\"]', '{\"content\": \"leaked\"}')"
as other a7 mem list >/dev/null
same 'bob' "$(at a7 "select owner from memories where id = '$id'")"
same 'project|["q"]|other' "$(at a7 "select what, whose, tenant from sync_tenants where what = 'project' and whose <> '[\"p\"]'")"
push other a7
same 0 "$(pg_sql admin "select count(*) from ikm.memories where tenant = 'other' and id = '$id' and memory is not null")"
E
long 'what the role may not write stays, and the status says which layers those are' <<'E'
mine() { PGUSER=ada IKM_USER=ada IKM_SYNC_TENANT=acme IKIGAI_HOME=$T/w/a4 IKM_MEMORY_PROJECT=p IKM_MEMORY_ORG=acme IKM_MEMORY_TEAM=ops ikm "$@"; }
mine mem add 'of the org' --layer org >/dev/null
mine mem add 'of the team' --layer team >/dev/null
mine mem add 'for myself' --layer user --redaction sensitive >/dev/null
mine sync now --only remote | grep -q '2 stay here, because your role may not write their layer'
mine sync status --json >status || [ $? = 1 ]
jq -e '.remote | .withheld.role == 2 and .pending == 0' status
jq -ce '[.remote.memories[] | select(.why == "role") | [.layer, .memories]] == [["org:acme", 1], ["team:ops", 1]]' status
mine sync status >out 2>&1 || :
grep -q '^team:ops  *1  stays here: your role may not write it.*sync member add ROLE --layer team:ops$' out
grep -q '^user  *1  stays here: sensitive' out
grep -q '^project  *[0-9]*  on the server$' out
PGUSER=service IKM_SYNC_TENANT=acme ikm sync member add ada --layer team:ops >added
grep -q '^ada belongs to acme, and shares project, team:ops (before: project)$' added
mine sync now --only remote --json | jq -e '.remote.pushed == 1'
PGUSER=service IKM_SYNC_TENANT=acme ikm sync member add ada --only --layer project --json | jq -e '.layers == ["project"] and .before == ["project", "team:ops"]'
E
done_testing
