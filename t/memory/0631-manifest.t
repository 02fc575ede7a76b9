#!/bin/sh
# Manifests: ikm manifest list, ikm manifest check; an example, and all that can be wrong with one.
. "$(dirname "$0")/../lib.sh"

dir=$HOME/.ikigai/manifests
mkdir -p "$dir"
export dir

# The example of the requirement (memory queries, "Tool Manifest Declaration").
cat >"$T/example.yaml" <<'E'
tool:
  id: wine_recommender
  version: 1.0.0
  
  # Declare memory access
  memory_access:
    episodic:
      enabled: true
      query_types: ["observation", "user_preference"]
      tags: ["wine", "preference"]
      max_queries: 3
      max_budget_tokens: 500
    
    semantic:
      enabled: true
      query_types: ["fact", "skill"]
      tags: ["wine"]
      max_queries: 2
      max_budget_tokens: 400
    
    scratch_page:
      enabled: true
      query_types: ["contextual_insight", "risk_alert"]
      max_queries: 1
      max_budget_tokens: 200
    
    conversation:
      enabled: true
      max_queries: 1
      max_budget_tokens: 300
    
    working:
      enabled: false  # Not needed for this tool
E

says() { # TEXT, then what is said of it, a part of each line
	printf '%s\n' "$1" >x.yaml
	shift
	fails 1 ikm manifest check x.yaml >out
	for want; do
		grep -qF -- "$want" out || { echo "not said: $want"; cat out; return 1; }
	done
	[ "$(wc -l <out)" = $# ] || { echo "more or less is said"; cat out; return 1; }
}
access() { # the members of memory_access.episodic
	printf 'tool:\n  id: x\n  memory_access:\n    episodic:\n      enabled: true\n%s\n' "$1"
}

try 'the example of the requirement is read with every field' <<'E'
cp "$T/example.yaml" "$dir/wine_recommender.yaml"
ikm manifest check
ikm manifest check "$T/example.yaml"
ikm manifest list --json >out
jq -e '.broken == []' out
jq -S -c '.manifests[0] | .tool_id, .version, .memory_access[0]' out >got
cat >want <<'W'
"wine_recommender"
"1.0.0"
{"enabled":true,"fallback":"none","layers":[],"max_budget_tokens":500,"max_queries":3,"memory_type":"episodic","query_types":["observation","user_preference"],"sensitive":false,"tags":["preference","wine"]}
W
diff -u want got
same '["episodic","semantic","scratch_page","conversation"]' \
	"$(jq -c '[.manifests[0].memory_access[] | select(.enabled).memory_type]' out)"
ikm manifest list wine_recommender >out
grep -q '^  conversation  yes  max_queries: 1  max_budget_tokens: 300$' out
grep -q '^  working       no$' out
E

try 'the example of ikm-formats(5) is right' <<'E'
awk '/^\.Ss Manifests/ { on = 1 } lit && /^\.Ed/ { exit } lit { print }
	on && /^\.Bd -literal/ { lit = 1 }' "$TOP/man/ikm-formats.5" >wine.yaml
grep -q '^tool:' wine.yaml
ikm manifest check wine.yaml
E

try 'what there is besides: sensitive, provenance, layers; in the folder of a tool' <<'E'
mkdir -p "$HOME/.ikigai/tools/x" "$HOME/.ikigai/tools/without"
access '      sensitive: true
      layers: [user, project]
      provenance: [user, agent]' >"$HOME/.ikigai/tools/x/tool.yaml"
ikm manifest check
ikm manifest list x --json | jq -c '.manifests[0].memory_access[0] | [.sensitive, .layers, .provenance]' >out
same '[true,["user","project"],["user","agent"]]' "$(cat out)"
same 2 "$(ikm manifest list --json | jq '.manifests | length')"
E

try 'unknown keys name the nearest and what is allowed' <<'E'
says 'tools: {id: x}' "x.yaml:1:1: key 'tools' is unknown: did you mean 'tool'?; allowed: tool" \
	"x.yaml:1:1: the key 'tool' is missing"
says 'tool: {id: x, memory_acess: {}}' "did you mean 'memory_access'?"
says 'tool: {id: x, memory_access: {episodc: {}}}' \
	"x.yaml:1:31: key 'episodc' is unknown: did you mean 'episodic'?; allowed: episodic, semantic, working, scratch_page, conversation"
says "$(access '      max_query: 3')" "x.yaml:6:7: key 'max_query' is unknown: did you mean 'max_queries'?"
says "$(access '      layers: [usr]')" "x.yaml:6:16: layers 'usr' is unknown: did you mean 'user'?; allowed: agent, user, session"
says "$(access '      provenance: [gods]')" "allowed: user, agent, tool, import, sync"
E

try 'keys that are not about memories are ignored, and named; near misses are not' <<'E'
{ printf 'schema: 3\ntool:\n  name: Wine\n  description: drinks\n  capabilities: [a, b]\n  inputs: {x: {y: 1}}\n'
	access "" | sed 1d; } >"$HOME/.ikigai/tools/x/tool.yaml"
ikm manifest check 2>err
same 5 "$(grep -c '^ignored .*tool.yaml:.*ikm reads only memory_access$' err)"
grep -q "tool.yaml:3:3: 'name'" err
same "[\"1:1: 'schema'\",\"3:3: 'name'\"]" "$(ikm manifest list x --json | jq -c '.manifests[0].ignored[:2]')"
ikm mem add -l agent -k episodic -t wine 'one wine' >/dev/null
printf '{"request_id":"r","tool_id":"x","memory_queries":[{"query_id":"q","memory_type":"episodic","query_text":"wine"}]}' >q.json
same '["ok",1]' "$(ikm mem query q.json | jq -c '.memory_context[0] | [.outcome, (.results | length)]')"
says 'memory_access: {}' "key 'memory_access' is unknown" "the key 'tool' is missing"
says 'tool: {id: x, versoin: 1}' "did you mean 'version'?"
says 'tool: {id: x, memory_access: {name: Wine}}' "key 'name' is unknown; allowed: episodic"
says "$(access '      name: x')" "key 'name' is unknown"
for wrong in "$(access '      name: x')" "$(access '' | sed '1a\  versoin: 1')"; do
	printf '%s\n' "$wrong" >"$HOME/.ikigai/tools/x/tool.yaml"
	same '["denied",0]' "$(ikm mem query q.json | jq -c '.memory_context[0] | [.outcome, (.results | length)]')"
done
E

long 'wrong types and values say what is allowed' <<'E'
says 'just text' "x.yaml:1:1: a manifest must be a mapping, not a string"
says '' "a manifest must be a mapping, not null"
says '[]' "not a list"
says 'tool: x' "'tool' must be a mapping"
says 'tool: {memory_access: {}}' "'tool' has no 'id'"
says 'tool: {id: 3}' "'id' must be a string, not a number"
says 'tool: {id: ../x}' "'id' is '../x'; allowed: letters, digits"
says 'tool: {id: .x}' "'id' is '.x'"
says 'tool: {id: x, version: [1]}' "'version' must be a string, not a list"
says 'tool: {id: x, memory_access: []}' "'memory_access' must be a mapping, not a list"
says 'tool: {id: x, memory_access: {episodic: true}}' "'episodic' must be a mapping, not a boolean"
says 'tool: {id: x, memory_access: {episodic: {}}}' "'episodic' has no 'enabled': set it to true or false"
says 'tool: {id: x, memory_access: {episodic: {enabled: yes please}}}' "'enabled' must be true or false, not a string"
says "$(access '      tags: wine')" "'tags' must be a list of strings, not a string"
says "$(access '      tags:')" "'tags' must be a list of strings, not null"
says "$(access '      tags: [1, true, ""]')" "must be a list of strings, but has a number: put it in quotes" \
	"must be a list of strings, but has a boolean: put it in quotes" "a string of 0 bytes"
says "$(access '      query_types: []')" "'query_types' is empty: leave it out to allow any, or set 'enabled: false'"
says "$(access '      fallback: newest')" "fallback 'newest' is unknown; allowed: none, recent"
says "$(access '      max_queries: 0')" "'max_queries' is 0; allowed: 1 to 10000"
says "$(access '      max_queries: "3"')" "'max_queries' must be a whole number, not a string"
says "$(access '      max_queries: 1.5')" "'max_queries' must be a whole number"
says "$(access '      max_queries: 99999999999999999999')" "'max_queries' must be a whole number"
says "$(access '      max_budget_tokens: 1001')" "'max_budget_tokens' is 1001; allowed: 1 to 1000"
says "$(access '      sensitive: 1')" "'sensitive' must be true or false, not a number"
says "$(access "      tags: [$(seq 300 | sed 's/^/t/' | paste -sd,)]")" "'tags' has 300 members; allowed: 1 to 256"
E

try 'all that is wrong is said, in the order of the text, not only the first' <<'E'
says "$(access '      tags: 1
      max_queries: x
    working: 2
  verison: red')" 'x.yaml:6:13: ' 'x.yaml:7:20: ' 'x.yaml:8:14: ' 'x.yaml:9:3: '
cut -d: -f2 out >lines
sort -n lines | cmp - lines
ikm manifest check x.yaml --json >out || [ $? = 1 ]
same '4 6 13' "$(jq -r '"\(.problems | length) \(.problems[0].line) \(.problems[0].column)"' out)"
access "$(seq 100 | sed 's/.*/      k&: 1/')" >x.yaml
fails 1 ikm manifest check x.yaml >out
same 51 "$(wc -l <out)"
grep -q '50 more problems$' out
E

try 'YAML that is none, a loop of aliases, a bomb, a huge file: a place, and no crash' <<'E'
says 'tool: [' 'x.yaml:'
says 'a: &a [*a]' 'x.yaml:1:'
says 'tool: {id: x, id: y}' 'x.yaml:1:'
says "$(printf 'a: \377')" 'x.yaml:1:'
says "$(printf 'tool: {id: x}\n---\ntool: {id: y}')" 'x.yaml:'
{ echo 'a0: &a0 [x, x, x, x, x, x, x, x, x]'
for i in 1 2 3 4 5 6 7 8 9; do
	j=$((i - 1))
	echo "a$i: &a$i [*a$j, *a$j, *a$j, *a$j, *a$j, *a$j, *a$j, *a$j, *a$j]"
done; } >x.yaml
fails 1 ikm manifest check x.yaml >out
grep -q 'x.yaml:' out
head -c 2000000 /dev/zero | tr '\0' '#' >x.yaml
fails 2 ikm manifest check x.yaml 2>err
grep -q 'x.yaml' err
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "[" }' >x.yaml
fails 1 ikm manifest check x.yaml
E

more 'a folder, a FIFO, another name, another tool, two for one tool' <<'E'
rm -rf "$HOME/.ikigai"
mkdir -p "$dir/d.yaml" "$HOME/.ikigai/tools/wine_recommender"
mkfifo "$dir/f.yaml"
cp "$T/example.yaml" "$dir/wine_recommender.yaml"
cp "$T/example.yaml" "$HOME/.ikigai/tools/wine_recommender/tool.yaml"
cp "$T/example.yaml" "$dir/beer.yaml"
cp "$T/example.yaml" "$dir/notes.txt"
cp "$T/example.yaml" "$dir/.hidden"
access '      tags: 1' >"$dir/x.yaml"
fails 1 timeout 10 ikm manifest check >out
grep -q 'd.yaml: ' out
grep -q 'f.yaml: ' out
grep -q "tool 'wine_recommender' has two manifests, .*: remove one" out
grep -q "beer.yaml: its id is 'wine_recommender', but its file name belongs to tool 'beer'" out
grep -q "notes.txt: ignored: the name must be a tool's id and '.yaml'" out
grep -q "x.yaml:6:13: 'tags' must be a list" out
fails 1 grep -q hidden out
same 6 "$(wc -l <out)"
ikm manifest list --json >out
same '0 6' "$(jq -r '"\(.manifests | length) \(.broken | length)"' out)"
ikm manifest list >out 2>err
same 6 "$(wc -l <err)"
for i in ../../etc/passwd .. . a/b 'a b' ''; do
	printf '{"tool": "%s"}' "$i" | ikm call memory_access >out || [ $? = 2 ]
	same 0 "$(jq '.manifests | length' out)"
done
E

more 'nothing there is no error, and nothing is made' <<'E'
rm -rf "$HOME/.ikigai"
ikm manifest list 2>err
grep -q 'no manifests, so no tool may read memories' err
ikm manifest check 2>err
grep -q '^0 checked' err
ikm manifest list nobody 2>err
grep -q "tool 'nobody' has no manifest at .*/manifests/nobody.yaml" err
[ ! -e "$HOME/.ikigai" ]
fails 3 ikm manifest check nowhere.yaml
mkdir "$HOME/.ikigai"
: >"$HOME/.ikigai/manifests"
fails 1 ikm manifest check >out
grep -q 'manifests: it is not a folder' out
E
more 'what anybody may write gives no leave, and is told' <<'E'
rm -rf "$HOME/.ikigai"
mkdir -p "$dir"
access '' >"$dir/x.yaml"
ikm manifest check
for open in "$dir/x.yaml" "$dir"; do
	chmod o+w "$open"
	ikm manifest list --json >out
	jq -e '.manifests == [] and (.broken | length == 1)' out
	jq -r '.broken[0]' out | grep -qF "anybody may write to it"
	jq -r '.broken[0]' out | grep -qF "chmod o-w '$open' first"
	fails 1 ikm manifest check >out 2>&1
	grep -qF "chmod o-w '$open' first" out
	printf '{"request_id": "r", "tool_id": "x", "memory_queries": [%s]}' \
		'{"query_id": "q", "memory_type": "episodic", "query_text": "a"}' |
		ikm mem query --json >out
	grep -qF 'anybody may write to it' out
	chmod o-w "$open"
done
ikm manifest list --json | jq -e '.manifests | length == 1'
E

done_testing
