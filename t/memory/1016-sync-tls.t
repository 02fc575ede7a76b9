#!/bin/sh
# TLS: the server proves its name with a certificate, or nothing is sent. openssl makes them.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/postgres.sh"
needs 'PostgreSQL (apt-get install postgresql)' "${pg_bin:-$T/none}/initdb"
needs 'openssl' "$(command -v openssl || echo "$T/none")"

authority() { # NAME: NAME.pem signs the certificate of the server
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj "/CN=$1" \
		-keyout "$1.key" -out "$1.pem"
}
{
	authority ours && authority theirs
	openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=db.test \
		-keyout server.key -out server.csr
	echo 'subjectAltName=DNS:db.test' >names
	openssl x509 -req -in server.csr -CA ours.pem -CAkey ours.key -CAcreateserial -days 30 \
		-extfile names -out server.pem
} >made 2>&1 || { cat made; exit 1; }

pg_up
pg_sql admin 'create role service login'
pg_sql admin "create role pw login password 'geheim'"
pg_fresh one
pg_down fast
cp server.pem server.key "$PGDIR"
chmod 600 "$PGDIR/server.key"
[ "$(id -u)" != 0 ] || chown postgres "$PGDIR/server.key"
# A role without TLS is refused.
printf '%s\n' 'local all pw scram-sha-256' 'local all all trust' 'hostssl all all 127.0.0.0/8 trust' >"$PGDIR/data/pg_hba.conf"
printf '%s\n' 'ssl = on' "ssl_cert_file = '$PGDIR/server.pem'" "ssl_key_file = '$PGDIR/server.key'" \
	"listen_addresses = '127.0.0.1,127.0.0.2'" >>"$PGDIR/data/postgresql.auto.conf"
export pg_bin
# A port that nobody has.
awk -v s="$$" 'BEGIN { srand(s); for (i = 0; i < 20; i++) print 20000 + int(rand() * 20000) }' >ports
while read -r PGPORT; do
	echo "port = $PGPORT" >>"$PGDIR/data/postgresql.auto.conf"
	export PGPORT
	(pg_start) </dev/null >started 2>&1 && break
done <ports
pg_sql admin 'select 1' >/dev/null || { cat started; exit 1; }
export IKM_SYNC_TENANT=acme
unset PGUSER
# Sets what a URL says besides the server, and runs a command: the parts of libpq's own form.
to() { # "KEY=VALUE…" COMMAND…
	url="port=$PGPORT user=service dbname=one $1" && shift
	(unset PGHOST PGPORT PGDATABASE; ikm -c sync.url="$url" -c sync.timeout=3000 "$@")
}
says() { # TEXT: in the message, and the reason; it was not tried again
	grep -q "$1" err || { cat err; exit 1; }
}

try 'the right authority and the right name: verify-full works, and so does require' <<'T'
to "host=db.test hostaddr=127.0.0.1 sslmode=verify-full sslrootcert=$PWD/ours.pem" sync migrate >/dev/null
to 'host=db.test hostaddr=127.0.0.1 sslmode=require' sync member list
to "host=127.0.0.1 sslmode=verify-ca sslrootcert=$PWD/ours.pem" sync member list
# The connection is one with TLS: the server lets in no other.
fails_for SERVER_REFUSED to 'host=127.0.0.1 sslmode=disable' sync member list 2>err
says 'no encryption'
T

try 'a certificate of another authority is refused at once, with what to do' <<'T'
from=$(date +%s%3N)
fails_for SERVER_REFUSED to "host=db.test hostaddr=127.0.0.1 sslmode=verify-full sslrootcert=$PWD/theirs.pem" sync member list 2>err
says 'certificate verify failed'
to "host=db.test hostaddr=127.0.0.1 sslmode=verify-full sslrootcert=$PWD/theirs.pem" sync member list --json >out 2>/dev/null || rc=$?
[ -s out ]
jq -e '.help.steps | any(contains("sslrootcert"))' out
jq -e '.retryable | not' out
T

try 'the certificate of another host is refused' <<'T'
to "host=other.test hostaddr=127.0.0.1 sslmode=verify-full sslrootcert=$PWD/ours.pem" sync member list --json >out 2>err || rc=$?
[ -s out ]
jq -e '.details.reason == "SERVER_REFUSED" and (.retryable | not)' out
jq -e '.message | contains("does not match host name") and contains("db.test")' out
jq -e '.help.steps | any(contains("host of sync.url"))' out
T

try 'a server elsewhere must prove its name without being told; its authority is in ~/.postgresql' <<'T'
# The loopback network is local at 127.0.0.1 alone.
to 'host=db.test hostaddr=127.0.0.2' sync member list --json >out 2>err || rc=$?
[ -s out ]
jq -e '.details.reason == "SERVER_REFUSED" and (.message | contains("root certificate file"))' out
jq -e '.help.steps | any(contains("root.crt"))' out
mkdir -p "$HOME/.postgresql" && cp ours.pem "$HOME/.postgresql/root.crt"
to 'host=db.test hostaddr=127.0.0.2' sync member list
rm "$HOME/.postgresql/root.crt"
T

more 'passwords: none, a wrong one, ~/.pgpass, PGPASSFILE and PGPASSWORD; none is shown' <<'T'
(unset PGPORT; as_pw() { ikm -c sync.url="host=$PGHOST port=$1 user=pw dbname=one" sync member list --json >>all 2>&1; }
port=$(pg_sql admin 'show port' 2>/dev/null || sed -n 's/^port = //p' "$PGDIR/data/postgresql.auto.conf" | tail -1)
ikm() { command ikm "$@"; }
reason() { tail -1 all | jq -r '.details.reason // "none"' 2>/dev/null || :; }
as_pw "$port" || rc=$?
grep -q NOT_CONFIGURED all && grep -q 'pgpass' all
: >all
echo "*:*:*:pw:falsch" >pass && chmod 600 pass
PGPASSFILE=$PWD/pass as_pw "$port" || rc=$?
grep -q SERVER_REFUSED all && grep -q 28P01 all
for right in 1 2 3; do
	: >all
	case $right in
	1) echo "*:*:*:pw:geheim" >"$HOME/.pgpass" && chmod 600 "$HOME/.pgpass" && as_pw "$port" || rc=$? ; rm "$HOME/.pgpass" ;;
	2) echo "*:*:*:pw:geheim" >pass && PGPASSFILE=$PWD/pass as_pw "$port" || rc=$? ;;
	3) PGPASSWORD=geheim as_pw "$port" || rc=$? ;;
	esac
	# In, but no member of anything.
	grep -q NOT_ALLOWED all || { cat all; exit 1; }
done
not grep geheim all)
T

more 'a server without TLS gets nothing' <<'T'
pg_sql admin 'alter system set ssl = off' && pg_sql admin 'select pg_reload_conf()' >/dev/null
for i in $(seq 50); do [ "$(pg_sql admin 'show ssl')" = on ] || break; sleep 0.1; done
to "host=db.test hostaddr=127.0.0.2 sslrootcert=$PWD/ours.pem" sync member list --json >out 2>err || rc=$?
[ -s out ]
jq -e '.details.reason == "SERVER_REFUSED" and (.message | contains("does not support SSL"))' out
jq -e '.help.steps | any(contains("ssl = on"))' out
T
done_testing
