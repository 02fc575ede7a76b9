#!/bin/sh
# events verify of a record of 20,000 rows, against one HMAC over the same bytes, by libsodium and
# by openssl (whose code uses the processor's SHA instructions).
# Usage: record.sh IKM PAIR
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir
export HOME
cd "$dir"
tool=$(dirname "$2")/tool/event
[ -x "$tool" ] || {
	echo 'record: no build/tool/event (make test-build); skipped' >&2
	exit 0
}
"$tool" "$dir/.ikigai/ikm.db" init >made
seq 40 >text
"$tool" "$dir/.ikigai/ikm.db" many "$dir/part" text 6666 >made
sqlite3 .ikigai/ikm.db "select name from pragma_table_info('events') where name <> 'chain_hash'" >columns
form=$(sed "s/.*/case typeof(&) when 'null' then 'n,' when 'integer' then 'i' || & || ',' else 't' || length(cast(& as blob)) || ':' || & || ',' end/" columns | paste -sd'~' | sed 's/~/ || /g')
sqlite3 .ikigai/ikm.db "select 'ikm-event-1,' || $form from events" >bytes
key=$(cat .ikigai/keys/event-1.key)
"$2" record-verify-libsodium 7 "$1" events verify -- "$tool" - hmac bytes
"$2" record-verify-openssl 7 "$1" events verify -- \
	openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" bytes
