#!/bin/sh
# A full tablespace of the server: the push says what to do and leaves nothing half done, and the
# next sync completes it. The file system is one of 24 MiB, in a name space of our own, where the
# kernel lets us have one. A server may not be root there either, so it gets another user.
if [ -z "${IKM_SPACE-}" ] && unshare -rm unshare -U --map-user=1000 true 2>/dev/null; then
	IKM_SPACE=$(mktemp -d "${TMPDIR:-/tmp}/ikm-space.XXXXXX") || exit 1
	export IKM_SPACE
	# shellcheck disable=SC2016
	exec unshare -rm sh -c 'mount -t tmpfs -o size=24m,mode=777 tmpfs "$IKM_SPACE" &&
		exec unshare -U --map-user=1000 sh "$0"' "$0"
fi
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/sync.sh"
if [ -z "${IKM_SPACE-}" ]; then
	skip 'a full tablespace' 'no name space of our own'
	done_testing
	exit
fi

sync_up ada
member ada --layer project
mkdir "$IKM_SPACE/ts" && head -c 20000000 /dev/zero >"$IKM_SPACE/ballast"
pg_sql admin "create tablespace small location '$IKM_SPACE/ts'"
pg_sql admin 'alter table ikm.memories set tablespace small'

try 'a full tablespace: the error, the place, what to do; whole batches alone are stored' <<'E'
awk 'BEGIN { for (i = 1; i <= 15000; i++) printf "{\"content\":\"the barge %d carries coal and timber down the river to the old harbour\",\"layer\":\"project\",\"kind\":\"episodic\"}\n", i }' >l
on a1 mem import l >/dev/null
on a1 sync now --only remote --json >out 2>err || [ $? = 8 ]
jq -e '.details | .reason == "NO_SPACE" and .sqlstate == "53100"' out
jq -e '.message | contains("could not extend file") and contains("pg_tblspc")' out
jq -e '.help.steps | any(contains("free space"))' out
pg_sql admin 'select count(*) from ikm.memories' >stored
same "$(cat stored)" "$(at a1 'select count(*) from sync_rows')"
[ "$(cat stored)" -gt 0 ] && [ "$(cat stored)" -lt 15000 ]
same 0 "$(($(cat stored) % 4096))"
on a1 sync status --json >status || [ $? = 1 ]
jq -e --argjson n "$(cat stored)" '.remote | .reason == "NO_SPACE" and .pending >= 15000 - $n' status
E

more 'space is free again: the next sync completes it, and another machine has all' <<'E'
rm "$IKM_SPACE/ballast"
on a1 sync now --only remote --json | jq -e --argjson n "$(cat stored)" '.remote.pushed == 15000 - $n'
same '15000|15000' "$(pg_sql admin "select count(*), count(distinct memory ->> 'content') from ikm.memories")"
on a2 sync now --only remote >/dev/null
for m in a1 a2; do at $m 'select id, content, updated_at from memories order by id' >rows.$m; done
cmp rows.a1 rows.a2
least 15000 rows.a2
E
done_testing
