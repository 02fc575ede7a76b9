# postgres.sh: a private PostgreSQL on a Unix socket, for the tests of sync. Sourced after lib.sh.
# The server and what it makes go with the test's folder.
#
#   pg_up                start one, once for a test file: PGHOST, PGUSER and PGDATABASE are set
#   pg_down [MODE]       stop it: fast, immediate
#   pg_cluster           after that: start a new, empty one in its place
#   pg_sql USER SQL      as that role; the answer without a frame
#   pg_fresh NAME        an empty database of that name, owned by the role service

pg_bin=
for pg_dir in /usr/lib/postgresql/*/bin "$(pg_config --bindir 2>/dev/null)"; do
	[ ! -x "$pg_dir/initdb" ] || pg_bin=$pg_dir
done

# A server refuses to run as root. t/run.sh starts tests as another user; by hand it may be root.
pg_as() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"
	else
		"$@"
	fi
}

pg_up() {
	# The path of a socket has at most 107 bytes.
	PGDIR=$(mktemp -d /tmp/ikm-pg.XXXXXX) || exit 1
	PGHOST=$PGDIR PGUSER=admin PGDATABASE=postgres
	export PGDIR PGHOST PGUSER PGDATABASE
	# shellcheck disable=SC2154
	trap 'rc=$?; pg_down immediate; rm -rf "$PGDIR"; cd / && chmod -R u+rwx "$T" 2>/dev/null; rm -rf "$T"; exit $rc' EXIT
	chmod 755 "$PGDIR"
	[ "$(id -u)" != 0 ] || chown postgres "$PGDIR"
	pg_cluster
}

# A new cluster in the place of the former one, and its server.
pg_cluster() {
	rm -rf "$PGDIR/data"
	(cd "$PGDIR" && pg_as "$pg_bin/initdb" -D "$PGDIR/data" -U admin -A trust --no-sync \
		--locale=C.UTF-8 -E UTF8 >"$PGDIR/initdb.log" 2>&1) || { cat "$PGDIR/initdb.log"; exit 1; }
	printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$PGDIR'" 'fsync = off' \
		'max_connections = 20' 'superuser_reserved_connections = 3' \
		>>"$PGDIR/data/postgresql.auto.conf"
	pg_start
}

# Without the caller's descriptors: a server that outlives its test would hold locks of the caller.
pg_start() {
	(cd "$PGDIR" && pg_as "$pg_bin/pg_ctl" -D "$PGDIR/data" -s -w -l "$PGDIR/log" start \
		3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-) ||
		{ cat "$PGDIR/log"; exit 1; }
}

pg_down() { # MODE
	[ ! -f "$PGDIR/data/postmaster.pid" ] ||
		(cd "$PGDIR" && pg_as "$pg_bin/pg_ctl" -D "$PGDIR/data" -s -w -m "${1:-fast}" stop)
}

pg_sql() { # USER SQL
	"$pg_bin/psql" -X -q -A -t -U "$1" -v ON_ERROR_STOP=1 -c "$2"
}

pg_fresh() { # NAME
	pg_sql admin "create database $1 owner service"
	PGDATABASE=$1
	export PGDATABASE
}
