# sync.sh: machines that sync through one server, for the tests of sync. Sourced after lib.sh.
# A machine is a home, $T/w/MACHINE. The first letter of its name names the person who works there:
# a1 and a2 are ada's, b1 is bob's, e1 is eve's. All are of the tenant acme and the project p.
#
#   sync_up PERSON…       a server with ikm's schema; these people may connect; now in a repository
#   member PERSON LAYER…  this person is a member, with `--layer` options
#   on MACHINE COMMAND…   an ikm command on that machine
#   at MACHINE SQL        ask its store
#   sync MACHINE…         each of them syncs with the server, one after the other
#   counts MACHINE        what its last sync did: pushed withdrawn pulled removed conflicts waiting
#   add MACHINE TEXT [LAYER]    a memory, of the project unless told; prints its id
#   all MACHINE           the memories that are synced, all of each
#   equal MACHINE…        all have the same
# shellcheck disable=SC1091,SC2154
. "$TOP/t/postgres.sh"
needs 'PostgreSQL (apt-get install postgresql)' "${pg_bin:-$T/none}/initdb"

sync_up() {
	pg_up
	for role in service "$@"; do pg_sql admin "create role $role login"; done
	pg_fresh one
	export pg_bin
	git init -q repo && cd repo && git commit -q --allow-empty -m root
	PGUSER=service IKM_SYNC_TENANT=acme ikm sync migrate >/dev/null
}
member() { PGUSER=service IKM_SYNC_TENANT=acme ikm sync member add "$@" >/dev/null; }
on() {
	machine=$1 && shift
	case $machine in
	b*) who=bob ;;
	e*) who=eve ;;
	*) who=ada ;;
	esac
	PGUSER=$who IKM_USER=$who IKM_SYNC_TENANT=acme IKIGAI_HOME=$T/w/$machine IKM_MEMORY_PROJECT=p ikm "$@"
}
at() { db=$T/w/$1/ikm.db; shift; sqlite3 "$db" "$@"; }
sync() {
	for machine in "$@"; do
		on "$machine" sync now --only remote --json >"$T/w/synced.$machine" || return
	done
}
counts() { jq -r '.remote | [.pushed, .withdrawn, .pulled, .removed, .conflicts, .waiting] | join(" ")' "$T/w/synced.$1"; }
add() { on "$1" mem add "$2" --layer "${3:-project}" --json | jq -r .memoryId; }
# Without what is local: the number in the index, tokens, and who deleted.
all() { at "$1" "select id, layer, s.owner, kind, type, tags, source, importance, confidence, provenance, redaction, m.status, state, user_id, agent_id, session_id, speaker, turn, supersedes, superseded_by, superseded_at, happened_at, created_at, updated_at, expires_at, files, rejected, metadata, content from memories m join scopes s using (scope) where layer <> 'user' order by id"; }
equal() { all "$1" >one; shift; for m in "$@"; do all "$m" | diff one - || return 1; done; }
