#!/bin/sh
# Five machines of one person change the same few memories without each other, in any order, and sync in
# any order. In the end all have the same, and no memory is weaker than any machine made it. SEED and STEPS
# give another story.
. "$(dirname "$0")/../lib.sh"
long_all
. "$TOP/t/sync.sh"

sync_up ada bob
for m in ada bob; do member $m --layer project; done
machines='a1 a2 a3 a4 a5'

# A story: lines MACHINE OPERATION MEMORY VALUE.
story() { # SEED STEPS
	awk -v seed="$1" -v steps="$2" 'BEGIN {
		srand(seed)
		n = split("tag tag tag untag importance confidence source expires metadata sensitive rejected delete purge layer sync sync sync sync", op, " ")
		for (i = 0; i < steps; i++)
			print "a" 1 + int(rand() * 5), op[1 + int(rand() * n)], 1 + int(rand() * 12), int(rand() * 10)
	}'
}
tell() { # MACHINE OPERATION MEMORY VALUE: what cannot be done there is left out
	id=$(sed -n "$3p" ids)
	case $2 in
	sync) sync "$1"; return ;;
	purge) at "$1" 'select id from deleted_memories where memory is not null' >>purged; on "$1" mem purge >/dev/null 2>&1; return ;;
	esac
	[ -n "$(at "$1" "select id from memories where id = '$id'")" ] || return 0
	case $2 in
	tag) on "$1" mem edit "$id" --tag "t$4" ;;
	untag) on "$1" mem edit "$id" --untag "t$4" ;;
	importance | confidence) on "$1" mem edit "$id" "--$2" "0.$4" ;;
	source) on "$1" mem edit "$id" --source "s$4" ;;
	expires) on "$1" mem edit "$id" --expires "209$4-01-01" ;;
	metadata) on "$1" mem edit "$id" --metadata "{\"k$4\": $4}" ;;
	sensitive) on "$1" mem edit "$id" --redaction sensitive && echo "$id" >>secret ;;
	rejected) on "$1" mem mark "$id" rejected && echo "$id" >>wrong ;;
	delete) on "$1" mem delete "$id" ;;
	layer) on "$1" mem edit "$id" --layer user && echo "$id" >>secret ;;
	esac >/dev/null 2>err || { cat err; exit 1; }
}
run() { # SEED STEPS
	for m in $machines b1; do rm -rf "$T/w/$m"; done
	PGDATABASE=postgres pg_fresh "story$1"
	PGUSER=service IKM_SYNC_TENANT=acme ikm sync migrate >/dev/null
	for m in ada bob; do member $m --layer project; done
	: >ids && : >purged && : >secret && : >wrong
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do add a1 "statement number $i of the story" >>ids; done
	# shellcheck disable=SC2086
	sync a1 $machines b1
	story "$1" "$2" >told
	while read -r machine op memory value; do tell "$machine" "$op" "$memory" "$value"; done <told
	# shellcheck disable=SC2086
	sync $machines $machines $machines b1
	sort -u secret | sed "s/.*/'&'/" | paste -sd, >secrets
	# What is shared is the same everywhere, and is not what anybody made private.
	for m in $machines; do
		at "$m" "select id, tags, importance, confidence, source, redaction, state, rejected, expires_at, metadata from memories where redaction <> 'sensitive' and id not in ($(cat secrets)) order by id" >"shared.$m"
		diff shared.a1 "shared.$m"
		same 0 "$(at "$m" "select count(*) from memories m join scopes using (scope) where layer <> 'user' and redaction <> 'sensitive' and id in ($(cat secrets))")"
		sort -u purged >ids
		while read -r id; do same "$m 0 $id" "$m $(at "$m" "select count(*) from memories where id = '$id'") $id"; done <ids
		sort -u wrong >ids
		while read -r id; do
			# A machine that made it private has not heard what others, who keep it as sensitive, think of it.
			same "$m  $id" "$m $(at "$m" "select 'holds' from memories m join scopes using (scope) where id = '$id' and not rejected and redaction <> 'sensitive' and layer <> 'user'") $id"
		done <ids
		same 0 "$(at "$m" 'select count(*) from sync_waiting')"
	done
	same 0 "$(pg_sql admin "select count(*) from ikm.memories where memory is not null and id in ($(cat secrets))")"
	same 0 "$(at b1 "select count(*) from memories where id in ($(cat secrets))")"
	# shellcheck disable=SC2086
	sync $machines
	for m in $machines; do same "$m 0 0 0 0 0 0" "$m $(counts "$m")"; done
}

try 'a short story' <<'E'
run "${SEED:-3}" "${STEPS:-40}"
E

more 'longer ones' <<'E'
run 11 150
run 12 150
run 13 150
E
done_testing
