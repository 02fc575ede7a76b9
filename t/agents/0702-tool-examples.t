#!/bin/sh
# The programs that ikm-tools(7) shows are tools, as they stand there.
. "$(dirname "$0")/../lib.sh"

tools=$HOME/.ikigai/tools
mkdir -p "$tools"
export tools

# The Nth block of the page's examples, with blanks for tabs, as one takes it from the page.
block() {
	awk -v want="$1" '
	/^\.Sh / { on = /EXAMPLES/ }
	on && /^\.Bd -literal/ { n++; inside = n == want; next }
	/^\.Ed/ { inside = 0 }
	inside { gsub(/\\&/, ""); gsub(/\\e/, "\\"); print }' "$TOP/man/ikm-tools.7" |
		expand
}
call() { printf '%s' "$2" | ikm tool call "$1"; }

try 'the example in sh' <<'E'
block 1 >"$tools/line-count"
chmod +x "$tools/line-count"
printf 'a\nb\n' >file
same '{"tool_success":true,"result":{"lines":2}}' "$(call line_count '{"path":"file"}')"
same FILE_NOT_FOUND "$(call line_count '{"path":"none"}' | jq -r .result.error_code)"
same FILE_NOT_FOUND "$(call line_count '{}' | jq -r .result.error_code)"
same '["path"]' "$(ikm tool schema line_count --format json-schema | jq -c .required)"
E

try "the page's setting gives it to agents" <<'E'
echo '{"path":"file"}' >asked
fails 3 ikm call line_count <asked >out
grep '^{"tools"' "$TOP/man/ikm-tools.7" >"$HOME/.ikigai/config.json"
same '{"lines":2}' "$(ikm call line_count <asked)"
rm "$HOME/.ikigai/config.json"
E

long 'the example in Python, with a missing credential' <<'E'
block 2 >"$tools/db-query"
chmod +x "$tools/db-query"
call db_query '{"query":"select 1"}' >out
same '[true,"MISSING_CREDENTIALS",3]' \
	"$(jq -c '[.tool_success, .result.error_code, (.result.help.steps | length)]' out)"
sqlite3 'shop?.db' 'create table t (a); insert into t values (7);'
export SHOP_DATABASE="$PWD/shop?.db"
same '[[7]]' "$(call db_query '{"query":"select a from t"}' | jq -c .result.rows)"
many='with recursive n(i) as (select 1 union all select i + 1 from n limit 2000) select i from n'
same 1000 "$(call db_query "{\"query\":\"$many\"}" | jq '.result.rows | length')"
call db_query "{\"query\":\"select x'00ff'\"}" | jq -e .tool_success
for query in '"drop table t"' '"select 1; select 2"' '"select"' 7 null; do
	same QUERY_FAILED "$(call db_query "{\"query\":$query}" | jq -r .result.error_code)"
done
E

more 'the example in C, with cJSON' <<'E'
block 3 >disk.c
grep -Fx 'in C with cJSON, which Debian has as libcjson-dev; built by' "$TOP/man/ikm-tools.7"
cc -Wall -Wextra -Werror -o "$tools/disk-free" disk.c -lcjson
call disk_free '{"path":"."}' >out
same "$(df -P -B1 . | awk 'NR == 2 { print $2 }')" "$(jq .result.total out)"
jq -e '.tool_success and .result.free <= .result.total and .result.free > 0' out
same FILE_NOT_FOUND "$(call disk_free '{"path":"none/here"}' | jq -r .result.error_code)"
for given in '{}' '{"path":7}' '{"PATH":"."}'; do
	same INVALID_PARAMS "$(call disk_free "$given" | jq -r .result.error_code)"
done
same '["path"]' "$(ikm tool schema disk_free --format json-schema | jq -c .required)"
E

more 'none was skipped or differs' <<'E'
ikm tool list --json 2>err >listed
jq -e '(.tools | length > 40) and (has("skipped") | not)' listed
same '' "$(cat err)"
E
done_testing
