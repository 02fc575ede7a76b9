#!/bin/sh
# Tools: where ikm finds them, which one wins, the cache, their descriptions, and how they run.
. "$(dirname "$0")/../lib.sh"

tools=$HOME/.ikigai/tools
mkdir -p "$tools" one two
export tools

# FILE ANSWER: makes a tool that prints its name, and records each time that it is asked.
tool() {
	cat >"$1" <<A
#!/bin/sh
if [ "\$1" = --schema ]; then
	echo "\$0" >>"$T/asked"
	cat <<'S'
{"description": "$2", "parameters": {"q": {"type": "string", "required": true}}}
S
else
	printf '{"from": "$2", "got": %s}' "\$(cat)"
fi
A
	chmod +x "$1"
}
call() { printf '%s' "${2-"{}"}" | ikm tool call "$1"; }
asked() { wc -l <"$T/asked"; }
listed() { ikm tool list --json 2>/dev/null | jq -r '.tools[].name'; }
settings() { printf '%s' "$1" >"$HOME/.ikigai/config.json"; }

try 'a program dropped into the folder is a tool' <<'E'
tool "$tools/db-query" home
same '{"tool_success":true,"result":{"from":"home","got":{"q":"x"}}}' "$(call db_query '{"q":"x"}')"
ikm tool list | grep -A1 '^db_query$' | grep '^  home$'
same "$tools/db-query" "$(ikm tool list --json | jq -r '.tools[] | select(.name == "db_query").path')"
ikm tool show db_query | grep 'q  string, required'
# what a parameter may be, and what it is when it is not given
ikm tool show memory_search >out
grep -q '^  limit  integer, 1 to 100, default 10$' out
grep -q '^    one of: agent, user, session, project, team, org, company$' out
ikm tool show memory_add | grep -q '^  layer  string, default user$'
listed | sort -c
# Its author knows it by the name of the file.
same home "$(call db-query | jq -r .result.from)"
same db_query "$(ikm tool show db-query --json | jq -r .name)"
same "Tool 'db_qeury' not found; did you mean 'db_query'?" "$(call db_qeury | jq -r .error)"
same "Tool 'edit' not found; did you mean 'file_edit'?" "$(call edit | jq -r .error)"
same "Tool 'glbo' not found; did you mean 'glob'?" "$(call glbo | jq -r .error)"
fails 3 ikm tool show dbquery 2>err
grep "did you mean 'db_query'" err
E

try 'a program is asked once, and again after a change or a refresh' <<'E'
n=$(asked)
listed >/dev/null
call db_query >/dev/null
same "$n" "$(asked)"
tool "$tools/db-query" other
same other "$(ikm tool list --json | jq -r '.tools[] | select(.name == "db_query").description')"
same $((n + 1)) "$(asked)"
same "Tools refreshed. $(listed | wc -l) tools available." "$(ikm tool refresh)"
same $((n + 2)) "$(asked)"
same "$(ikm tool refresh)" "$(ikm slash /refresh)"
same $((n + 4)) "$(asked)"
ikm slash /tool | grep '^db_query$'
E

try 'a failure is cached for a minute, unless the file changes' <<'E'
printf '#!/bin/sh\necho x >>"%s/failed"; exit 1\n' "$T" >"$tools/late"
chmod +x "$tools/late"
export IKM_NOW=2026-03-01T12:00:00Z
listed >/dev/null
listed >/dev/null
same 1 "$(wc -l <"$T/failed")"
IKM_NOW=2026-03-01T12:01:01Z
listed >/dev/null
same 2 "$(wc -l <"$T/failed")"
IKM_NOW=2026-03-01T11:00:00Z # the clock was set back
listed >/dev/null
same 3 "$(wc -l <"$T/failed")"
tool "$tools/late" late
listed | grep late
rm "$tools/late"
E

long 'a damaged cache of schemas is thrown away' <<'E'
listed >../want
cache=$HOME/.ikigai/tools.cache
cp "$cache" ../cache
for text in '' '[]' '{"version":1}' '{"version":2,"programs":[]}' \
	'{"version":1,"programs":[1,{},{"path":1}]}' "$(head -c 100 ../cache)"; do
	printf '%s' "$text" >"$cache"
	listed | diff -u ../want -
done
chmod 500 "$HOME/.ikigai"
listed | diff -u ../want -
chmod 700 "$HOME/.ikigai"
E

try 'a folder counts once a person trusted it, and until that is taken back' <<'E'
tool one/from-one one
listed >l; fails 1 grep from_one l
same "$PWD/one" "$(ikm tool trust one)"
listed | grep from_one
same one "$(call from_one | jq -r .result.from)"
same false "$(ikm tool trust ./one/ --json | jq .changed)"
same "$PWD/one" "$(ikm tool trust)"
ikm tool untrust one
listed >l; fails 1 grep from_one l
fails 1 ikm tool untrust one
ikm tool trust one >/dev/null
mv one gone
listed >/dev/null
ikm tool untrust "$PWD/one/"
mv gone one
same '' "$(ikm tool trust)"
E

try 'folders that cannot be trusted' <<'E'
fails 3 ikm tool trust none
>file
fails 2 ikm tool trust file
mkdir anybody
chmod 777 anybody
fails 7 ikm tool trust anybody 2>err
grep 'chmod o-w' err
# A folder of another user: for who is not root, one of root in a namespace that knows only one user.
mkdir -p theirs
if chown 12345 theirs 2>/dev/null; then
	fails 7 ikm tool trust theirs 2>err
	grep 'it belongs to another user (12345)' err
elif unshare -r true 2>/dev/null; then
	fails 7 unshare -r ikm tool trust /usr 2>err
	grep 'it belongs to another user' err
fi
fails 2 ikm tool trust ''
name=$(printf 'f\377')
mkdir "$name"
fails 2 ikm tool trust "$name" 2>err
grep "/f.*' is not UTF-8; a folder of tools must have a name in UTF-8" err
for text in '{"x":1}' '["relative"]' '[1]' '[' '["/a\u0000b"]'; do
	printf '%s' "$text" >"$HOME/.ikigai/tools.trusted"
	fails 2 ikm tool list 2>err
	grep tools.trusted err
done
rm "$HOME/.ikigai/tools.trusted"
E

more 'a folder that anybody may write to is left out' <<'E'
tool one/from-one one
ikm tool trust one >/dev/null
chmod o+w one "$tools"
ikm tool list --json 2>err | jq -e '[.tools[] | select(.path)] == []'
same 2 "$(grep -c "folder of tools .* skipped: anybody may write to it" err)"
chmod o-w one "$tools"
listed | grep from_one
chmod o+w one/from-one
listed >l
fails 1 grep from_one l
same "Tool 'from_one' not found: '$PWD/one/from-one' was skipped: anybody may write to it: chmod o-w first" \
	"$(call from_one | jq -r .error)"
chmod o-w one/from-one
ikm tool untrust one
E

more 'later folders win by name' <<'E'
tool one/db-query one
tool two/db-query two
ikm tool trust one >/dev/null
same one "$(call db_query | jq -r .result.from)"
ikm tool trust two >/dev/null
same two "$(call db_query | jq -r .result.from)"
# If the last one is broken, no other takes its place.
printf '#!/bin/sh\nexit 1\n' >two/db-query
same TOOL_NOT_FOUND "$(call db_query | jq -r .error_code)"
ikm tool untrust two
same one "$(call db_query | jq -r .result.from)"
ikm tool untrust one
tool "$tools/db_query" underscore
same underscore "$(call db_query | jq -r .result.from)"
ikm tool list 2>&1 >/dev/null | grep "db-query' skipped: .*db_query' beside it"
rm "$tools/db_query"
E

more 'the folder beside the bin that ikm is in, with links to ikm and programs' <<'E'
mkdir -p inst/bin inst/libexec/ikigai
cp "$BUILD/test/ikm" inst/bin/ikm
ln -s ../../bin/ikm inst/libexec/ikigai/file-read
ln -s ../../bin/ikm inst/libexec/ikigai/no-such
tool inst/libexec/ikigai/system system
PATH=$PWD/inst/bin:$PATH
same system "$(call system | jq -r .result.from)"
ikm tool list --json 2>err >list
same 1 "$(jq '[.tools[] | select(.name == "file_read")] | length' list)"
jq -e '.tools[] | select(.name == "file_read") | has("path") | not' list
grep 'no-such.* skipped: it is ikm itself' err
tool "$tools/system" user
same user "$(call system | jq -r .result.from)"
rm "$tools/system"
E

more 'a tool of ikm is replaced only by name, and then on every face' <<'E'
git init -q repo
cd repo
echo text >f
ln -s "$BUILD/test/ikm" ../file-read
tool "$tools/file-read" mine
ikm tool list 2>&1 >/dev/null | grep "file-read' skipped: .*tools.override"
same text "$(call file_read '{"path":"f","lines":["1"]}' | jq -j .result.content)"
settings '{"tools": {"override": ["file_read"]}}'
same mine "$(call file_read | jq -r .result.from)"
same mine "$(echo '{}' | ikm call file_read | jq -r .from)"
same mine "$(echo '{}' | ikm call fs_read | jq -r .from)"
same mine "$(echo '{}' | ../file-read | jq -r .from)"
same mine "$(../file-read --schema | jq -r .description)"
same mine "$(ikm tool schema file_read | jq -r .description)"
mcp() { # METHOD [PARAMETERS]
	printf '{"jsonrpc":"2.0","id":1,"method":"%s","params":{%s"_meta":{%s,%s}}}\n' "$1" "${2-}" \
		'"io.modelcontextprotocol/protocolVersion":"2026-07-28"' \
		'"io.modelcontextprotocol/clientCapabilities":{}' | ikm mcp --structured
}
same mine "$(mcp tools/call '"name":"file_read","arguments":{},' | jq -r .result.structuredContent.from)"
same mine "$(mcp tools/list | jq -r '.result.tools[] | select(.name == "file_read").description')"
same 1 "$(listed | grep -c '^file_read$')"
same mine "$(echo '{}' | ikm call tool_list | jq -r '.tools[] | select(.name == "file_read").description')"
rm "$tools/file-read"
# The tool was replaced for a reason: ikm's own does not come back by itself.
same TOOL_NOT_FOUND "$(call file_read '{"path":"f"}' | jq -r .error_code)"
fails 3 sh -c "echo '{}' | ikm call file_read >out"
listed >l; fails 1 grep '^file_read$' l
settings '{"tools": {"override": ["file_raed"]}}'
fails 3 ikm tool list 2>err
grep "tools.override: Tool 'file_raed' not found; did you mean 'file_read'" err
# A repository cannot say so.
settings '{}'
mkdir .ikm
echo '{"tools": {"override": ["file_read"]}}' >.ikm/config.json
fails 2 ikm config list
tool "$tools/file-read" mine
call file_read '{"path":"f"}' >l; fails 1 grep mine l
rm -r .ikm "$tools/file-read"
E

more 'a program that replaces a tool of ikm may call that tool' <<'E'
cd repo
cat >"$tools/file-read" <<'A'
#!/bin/sh
if [ "$1" = --schema ]; then
	ikm tool schema file_read
else
	ikm call file_read | jq -c '.content |= ascii_upcase'
fi
A
chmod +x "$tools/file-read"
settings '{"tools": {"override": ["file_read"]}}'
same TEXT "$(call file_read '{"path":"f"}' | jq -r .result.content)"
same TEXT "$(echo '{"path":"f"}' | ikm call file_read | jq -r .content)"
same '["path"]' "$(ikm tool schema file_read --format json-schema | jq -c .required)"
rm "$tools/file-read"
settings '{}'
E

more 'programs are on tool faces once a person says so' <<'E'
fails 3 sh -c "echo '{}' | ikm call db_query >out"
jq -r '.help.steps[]' out | grep 'a person must set tools.external to true'
jq -e '.details.tools | index("glob") and (index("db_query") | not)' out
echo '{}' | ikm call tool_list >l; fails 1 grep db_query l
fails 3 sh -c "echo '{\"name\":\"db_query\"}' | ikm call tool_schema"
settings '{"tools": {"external": true}}'
same other "$(echo '{}' | ikm call db_query | jq -r .from)"
echo '{}' | ikm call tool_list | grep db_query
same other "$(echo '{"name":"db_query"}' | ikm call tool_schema | jq -r .schema.description)"
printf '#!/bin/sh\n[ "$1" = --schema ] && echo "{\\"description\\":\\"x\\"}" || exit 5\n' >"$tools/bad"
chmod +x "$tools/bad"
fails 8 sh -c "echo '{}' | ikm call bad >out"
same '["PROGRAM_FAILED","TOOL_CRASHED",5]' "$(jq -c '[.details | .reason, .tool_error, .exit_code]' out)"
fails 3 sh -c "echo '{}' | ikm call no_such >out"
settings '{}'
E

more 'tool call: tools of ikm get the wrapper too' <<'E'
cd repo
same '[true,["f"]]' "$(call glob '{"pattern":"f*"}' | jq -c '[.tool_success, .result.paths]')"
call file_read '{"path":"none"}' >out
same '[true,"FILE_NOT_FOUND"]' "$(jq -c '[.tool_success, .result.details.reason]' out)"
same OUTSIDE_ROOTS "$(call file_read '{"path":"/etc/passwd"}' | jq -r .result.details.reason)"
same UNKNOWN_PARAMETER "$(call glob '{"x":1}' | jq -r .result.details.reason)"
same INVALID_PARAMS "$(call glob '[' | jq -r .error_code)"
same TOOL_NOT_FOUND "$(call check | jq -r .error_code)" # as a tool it is knowledge_check
same TOOL_NOT_FOUND "$(call config_get | jq -r .error_code)"
printf '{"path":"w","content":"x"}' | ikm --agent a1 tool call file_write >/dev/null
same 'a1 file_write' "$(ikm events query --json | jq -r '.rows[0] | .agent_id + " " + .tool')"
fails 2 ikm -c tools.timeout=0 tool call db_query </dev/null
E

more 'each form of schema, of ours and of a program, from both forms of parameters' <<'E'
cat >"$tools/schema" <<'A'
#!/bin/sh
cat <<'S'
{"description": "d", "parameters": {"type": "object", "properties": {"q": {"type": "string"},
 "o": {"type": "object", "properties": {"in": {"type": "integer", "required": true}}}},
 "required": ["q"]}, "returns": {"type": "object", "properties": {"a": {"type": ["string", "null"]}}}}
S
A
chmod +x "$tools/schema"
for name in schema db_query file_read; do
	in=$(ikm tool schema $name --format json-schema | jq -Sc 'del(."$schema")')
	same "$in" "$(ikm tool schema $name --format openai | jq -Sc .function.parameters)"
	same "$in" "$(ikm tool schema $name --format anthropic | jq -Sc .input_schema)"
	same "$in" "$(ikm tool schema $name --format mcp | jq -Sc .inputSchema)"
	same function "$(ikm tool schema $name --format openai | jq -r .type)"
	same "$name" "$(ikm tool schema $name --format anthropic | jq -r .name)"
	ikm tool schema $name --wrapped | jq -e '.returns | .tool_success and .result and .error and .error_code'
done
same '{"properties":{"o":{"properties":{"in":{"type":"integer"}},"required":["in"],"type":"object"},"q":{"type":"string"}},"required":["q"],"type":"object"}' \
	"$(ikm tool schema schema --format json-schema | jq -Sc .)"
same '["q"]' "$(ikm tool schema db_query --format mcp | jq -c .inputSchema.required)"
fails 2 ikm tool schema db_query --format mcp --wrapped
fails 3 ikm tool schema no_such
fails 3 ikm tool show no_such
E

more 'which draft a schema is of is told where the form has a place for it' <<'E'
cat >"$tools/draft" <<'A'
#!/bin/sh
cat <<'S'
{"description": "d", "parameters": {"$schema": "http://json-schema.org/draft-07/schema#",
 "type": "object", "definitions": {"a": {"type": "string"}},
 "properties": {"q": {"$ref": "#/definitions/a"}}}}
S
A
chmod +x "$tools/draft"
draft() { ikm tool schema "$1" --format "$2" | jq -c "$3 | .\"\$schema\""; }
same '"http://json-schema.org/draft-07/schema#"' "$(draft draft mcp .inputSchema)"
same null "$(draft draft openai .function.parameters)"
same null "$(draft draft anthropic .input_schema)"
same null "$(draft file_read mcp .inputSchema)"
rm "$tools/draft"
E

more 'many at once: the same tools for all, and no trust is lost' <<'E'
rm -f "$HOME/.ikigai/tools.cache"
want=$(listed | sort)
ikm tool refresh >/dev/null
rm -f "$HOME/.ikigai/tools.cache"
for i in 1 2 3 4 5 6 7 8; do
	mkdir "many$i"
	listed >"many$i.list" &
	ikm tool trust "many$i" >/dev/null &
done
wait
for i in 1 2 3 4 5 6 7 8; do
	same "$want" "$(sort "many$i.list")"
	ikm tool trust | grep "/many$i\$"
	ikm tool untrust "many$i"
done
same '' "$(ikm tool trust)"
jq -e '.programs | length > 1' "$HOME/.ikigai/tools.cache"
E

more 'trust and what is remembered, failed and killed at each effect' <<'E'
# VERB BACK WANT: trusts or untrusts the second of two folders; the first is always trusted.
faults() {
	for sign in '' -; do
		n=0 rc=1
		while [ $rc != 0 ]; do
			n=$((n + 1))
			[ $n -lt 20 ] || { echo "no end of effects"; return 1; }
			ikm tool trust one >/dev/null
			ikm tool "$2" two >/dev/null || [ $? = 1 ]
			before=$(ikm tool trust) rc=0
			IKM_FAULT=$sign$n ikm tool "$1" two >out 2>err || rc=$?
			[ $rc = 0 ] || [ -z "$sign" ] || [ $rc = 137 ]
			now=$(ikm tool trust)
			[ "$now" = "$before" ] || same "$3" "$now"
			ikm tool "$1" two >/dev/null || [ $? = 1 ]
			same "$3" "$(ikm tool trust)"
		done
		[ $n -gt 2 ] || { echo "only $n effects"; return 1; }
		same '' "$(find "$HOME/.ikigai" -name '.ikm-tmp-*')"
	done
}
faults trust untrust "$PWD/one
$PWD/two"
faults untrust trust "$PWD/one"
ikm tool untrust one
listed >../want
for fault in 1 2 3 4 5 -1 -2 -3 -4 -5; do
	rm -f "$HOME/.ikigai/tools.cache"
	IKM_FAULT=$fault ikm tool list --json >out 2>err || [ $? = 137 ]
	listed | diff -u ../want -
done
same '' "$(find "$HOME/.ikigai" -name '.ikm-tmp-*')"
E

try 'bash: its output and its status' <<'E'
settings '{"tools": {"bash": true}}'
same '["o\n","e\n",3]' "$(echo '{"command": "echo o; echo e >&2; exit 3"}' | ikm call bash |
	jq -c '[.stdout, .stderr, .exit_code]')"
E

more 'bash: status, signals, outputs, limits' <<'E'
settings '{"tools": {"bash": true}}'
sh_() { jq -n --arg c "$1" '{command: $c}' | ikm call bash; }
same '{"stdout":"o\n","stderr":"e\n","exit_code":127,"output":"o\ne\n"}' \
	"$(sh_ 'echo o; echo e >&2; exit 127')"
same 137 "$(sh_ 'kill -9 $$' | jq .exit_code)"
same 139 "$(sh_ 'sh -c "kill -SEGV \$\$"; exit $?' | jq .exit_code)"
same '"a\n1\nb\n2\nc\n3\n"' \
	"$(sh_ 'for i in a:1 b:2 c:3; do echo ${i%:*}; /bin/echo ${i#*:} >&2; done' | jq .output)"
sh_ 'printf "\377"' | jq -e '.stdout == "\ufffd" and .replaced'
same '["a\u0000b",null]' "$(sh_ 'printf "a\0b"' | jq -c '[.stdout, .replaced]')"
same '[4194304,805696]' "$(sh_ 'head -c 5000000 /dev/zero | tr "\0" x' | jq -c '[(.stdout | length), .lost_bytes]')"
sh_ '(setsid sh -c "echo \$\$ >pid; exec sleep 1000" & ); while ! [ -s pid ]; do sleep 0.01; done'
fails 1 kill -0 "$(cat pid)"
echo '{"command":"echo x; sleep 1000","timeout_ms":200}' | ikm call bash >out || :
same '["x\n",143,true]' "$(jq -c '[.stdout, .exit_code, .timed_out]' out)"
mkdir -p sub
same "$PWD/sub" "$(echo '{"command":"pwd","cwd":"sub"}' | ikm call bash | jq -r '.stdout | rtrimstr("\n")')"
fails 3 sh -c 'echo "{\"command\":\"pwd\",\"cwd\":\"none\"}" | ikm call bash'
fails 2 sh -c 'echo "{\"command\":\"a\\u0000b\"}" | ikm call bash'
fails 2 sh -c 'echo "{\"command\":\"\"}" | ikm call bash'
same '[true,3]' "$(call bash '{"command":"exit 3"}' | jq -c '[.tool_success, .result.exit_code]')"
E

more 'a parent that ignores SIGCHLD does not disturb ikm' <<'E'
trap '' CHLD
same hi "$(ikm -c tools.timeout=20000 bash 'echo hi')"
E

more 'bash: off for tools until a person says so; a person has it' <<'E'
settings '{}'
fails 7 sh -c 'echo "{\"command\":\"true\"}" | ikm call bash >out'
same NOT_ALLOWED "$(jq -r .details.reason out)"
same NOT_ALLOWED "$(call bash '{"command":"true"}' | jq -r .result.details.reason)"
echo '{}' | ikm call tool_list >l; fails 1 grep '"bash"' l
listed | grep '^bash$'
git init -q off
mkdir off/.ikm
echo '{"tools": {"bash": true}}' >off/.ikm/config.json
fails 7 sh -c 'cd off && echo "{\"command\":\"true\"}" | ikm call bash >out'
printf 'a\377' >../want
ikm bash 'printf "a\377"; echo err >&2' >../got 2>../err
cmp ../want ../got
same err "$(cat ../err)"
# The output arrives while the command runs: both outputs in order, and complete.
ikm bash 'for i in 1 2 3; do echo o$i; echo e$i >&2; done' >../both 2>&1
same 'o1 e1 o2 e2 o3 e3' "$(tr '\n' ' ' <../both | sed 's/ $//')"
same 6000000 "$(ikm bash 'head -c 6000000 /dev/zero' | wc -c)"
mkfifo live go
(ikm bash --timeout-ms 20000 'echo first; read x <go; echo $x' >live) &
{ read -r first && echo second >go && read -r second; } <live
same 'first second' "$first $second"
wait $!
fails 1 ikm bash 'exit 4'
fails 75 ikm bash --timeout-ms 100 'sleep 1000'
fails 75 ikm -c tools.timeout=100 bash 'sleep 1000'
E
more 'descriptors that ikm inherited are not passed on' <<'E'
exec 9</dev/null
same '0 1 2' "$(ikm bash 'cd /proc/self/fd; for fd in 0 1 2 4 5 6 7 8 9 10; do [ ! -e $fd ] || printf "%s " $fd; done' | sed 's/ $//')"
exec 9<&-
E

done_testing
