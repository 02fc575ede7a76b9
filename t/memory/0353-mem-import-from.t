#!/bin/sh
# Memories of other programs: what is taken over, what is told, and that nothing is doubled.
. "$(dirname "$0")/../lib.sh"

fresh() { rm -rf "$HOME/.ikigai"; }
contents() { ikm mem export | jq -r .content | sort; }
left() { jq -r '.left[] | "\(.file)\(if .line then ":\(.line)" else "" end): \(.what)"' "$1"; }
twice() { # imports the same once more: nothing is added
	ikm mem import "$@" --json >again || :
	same 0 "$(jq .added again)"
}

try "the reference memory server's lines" <<'E'
fresh
cat >memory.json <<'J'
{"type":"entity","name":"Ada","entityType":"person","observations":["Speaks German","Ada likes tea"]}
{"type":"entity","name":"Core","entityType":"module","observations":[]}
{"type":"relation","from":"Ada","to":"Core","relationType":"works_on"}
{"type":"relation","from":"Core","to":"Ada","relationType":"is_known_to"}
J
ikm mem import memory.json --json >out
same '[5,false]' "$(jq -c '[.added, has("left")]' out)"
same 'Ada likes tea
Ada works on Core
Ada: Speaks German
Core is a module
Core is known to Ada' "$(contents)"
same '["import","mcp:Ada",["person"],{"entity":"Ada","entityType":"person"}]' "$(ikm mem export |
	jq -c 'select(.content == "Ada likes tea") | [.provenance, .source, .tags, .metadata]')"
twice memory.json
# also when it was deleted here meanwhile
ikm mem delete "$(ikm mem search German --json | jq -r '.results[0].memoryId')" >deleted
twice memory.json
E

long 'wrong lines are told by their number, and the others are stored' <<'E'
fresh
{
	echo '{"type":"entity","name":"A","entityType":"t","observations":["good"],"mtime":3}'
	echo '{"type":"entity","name":"A",'
	printf '{"type":"entity","name":"B","entityType":"t","observations":["\377"]}\n'
	echo '{"type":"entity","name":"C","observations":["c", 4]}'
	echo '{"type":"entity","name":" ","observations":["c"]}'
	echo '{"type":"relation","from":"C"}'
	printf '{"type":"entity","name":"D","observations":["'
	head -c 17000000 /dev/zero | tr '\0' x
	echo '"]}'
	echo '[1]'
} >graph.jsonl
fails 1 ikm mem import graph.jsonl --json >out
same 2 "$(jq .added out)"
same '1 2 3 4 5 6 7 8' "$(jq -r '.left[].line' out | xargs)"
left out | grep -q "^graph.jsonl:1: the member 'mtime' is not kept"
left out | grep -q '^graph.jsonl:4: observation 2 is a number, not a text'
left out | grep -q '^graph.jsonl:6: the relation needs from, to and relationType'
fails 1 ikm mem import graph.jsonl --dry-run >out 2>err
same '2 lines can be imported; nothing was stored' "$(cat out)"
same 8 "$(grep -c '^ikm: graph.jsonl:[1-8]: ' err)"
E

more "mem0's memories" <<'E'
fresh
cat >all.json <<'J'
{"results": [
 {"id": "11-aa", "memory": "Ada likes tea", "user_id": "ada", "run_id": null, "hash": "0f",
  "metadata": {"room": 3}, "categories": ["taste"], "score": 0.4,
  "created_at": "2024-07-26T10:29:36.630547-07:00", "updated_at": "2024-07-27T10:00:00Z"},
 {"id": "11-bb", "memory": ""},
 {"id": "11-cc", "memory": "Ada has a cat", "created_at": "yesterday", "odd": 1}],
 "relations": [{"source": "ada", "relationship": "has_a", "target": "cat"}]}
J
fails 1 ikm mem import all.json --json >out
same 3 "$(jq .added out)"
same '["2024-07-26T17:29:36.630Z","2024-07-27T10:00:00.000Z","mem0:11-aa",["taste"],3,"ada"]' \
	"$(ikm mem export | jq -c 'select(.content == "Ada likes tea") |
	[.createdAt, .updatedAt, .source, .tags, .metadata.room, .metadata.mem0.user_id]')"
ikm mem export | grep -q '"content":"ada has a cat"'
same "all.json:5: it has no text in the member 'memory'
all.json:6: created_at is no past time in ISO 8601
all.json:6: the member 'odd' is not kept" "$(left out | sort)"
twice all.json
jq -c .results all.json >list.json
twice list.json
E

more 'a folder of notes: observations, relations and sections' <<'E'
fresh
mkdir -p notes/sub notes/.git
cat >notes/coffee.md <<'J'
---
title: Coffee
type: note
tags: brew, beans
permalink: drinks/coffee
created: 2024-05-01
odd: 1
---
# Coffee
Prose about it.

## Observations
- [method] Pour over is clear #taste (said twice)
- [ ] buy beans
- [a link](b.md)
```
- [no] code
```
## Relations
- pairs_with [[Tea]] (often)
J
echo '- [Coffee](coffee.md) - what we drink' >notes/MEMORY.md
echo 'Deploys run at noon.' >notes/sub/deploy.md
printf 'bad \377\n' >notes/bad.md
echo '- [no] hidden' >notes/.git/x.md
ln -s ../notes notes/loop
ln -s coffee.md notes/other.md
ln -s nothing notes/lost
mkfifo notes/pipe.md
mkdir notes/shut notes/listed
chmod 0 notes/shut
echo text >notes/listed/a.md
chmod 444 notes/listed
fails 1 ikm mem import notes --json >out
same '["Coffee pairs_with Tea (often)","Coffee, Observations:\n- [ ] buy beans\n- [a link](b.md)\n```\n- [no] code\n```","Coffee:\nProse about it.","Coffee: Pour over is clear #taste (said twice)","deploy:\nDeploys run at noon."]' \
	"$(ikm mem export | jq -sc 'map(.content) | sort')"
same '["method",["beans","brew","taste"],"notes:coffee.md","2024-05-01T00:00:00.000Z","drinks/coffee"]' \
	"$(ikm mem export | jq -c 'select(.type == "method") |
	[.type, .tags, .source, .createdAt, .metadata.permalink]')"
same "MEMORY.md:1: an entry of the index; its file is read by itself
bad.md:1: this is not UTF-8 text; convert it: iconv -f ENCODING -t UTF-8 FILE
coffee.md:7: the member 'odd' of the front matter is not kept
listed/a.md: cannot look at '$PWD/notes/listed/a.md': Permission denied
loop: a symbolic link, which is not followed
other.md: a symbolic link, which is not followed
pipe.md: no regular file
shut: cannot list '$PWD/notes/shut': Permission denied" "$(left out | sort)"
touch -d '2999-01-01' notes/coffee.md
twice notes
sed -i 's/\[method\]/[way]/' notes/coffee.md
ikm mem import notes --json >out || :
same 1 "$(jq .added out)"
E

more 'a front matter in other forms of YAML, and fences as CommonMark has them' <<'E'
fresh
mkdir forms
cat >forms/a.md <<'J'
---
name: "A: quoted"
description: >
  two
  lines
tags: [a, 'b c'] # two
aliases: &all x
nested:
  x: 1
---
# A: quoted
````
```
# no heading
````
~~~ md
# none either
- [no] observation
~~~
- [idea] seen
J
ikm mem import forms --json >out
same '["A: quoted:\n````\n```\n# no heading\n````\n~~~ md\n# none either\n- [no] observation\n~~~","A: quoted:\ntwo lines","A: quoted: seen"]' \
	"$(ikm mem export | jq -sc 'map(.content) | sort')"
same '["a","b c"]' "$(ikm mem export | jq -sc 'map(.tags) | unique[]')"
same "a.md:7: the member 'aliases' of the front matter is not kept
a.md:8: the member 'nested' of the front matter is not kept" "$(left out)"
E

more 'what ikm could not store is told, and ends no import' <<'E'
fresh
cat >graph.jsonl <<'J'
{"type":"entity","name":"A","entityType":"t","observations":["\ud800 half", "whole", "  "]}
{"type":"entity","name":"A","name":"B","entityType":"t","observations":["x"]}
{"type":"relation","from":"A","to":"B","relationType":"is"} more
J
fails 1 ikm mem import graph.jsonl --json >out
same 2 "$(jq .added out)"
same 'graph.jsonl:1: it has half of a surrogate pair, which is no character
graph.jsonl:2: an object has a member twice
graph.jsonl:3: column 60: more follows the object' "$(left out)"
printf '{"count": 1,\n "results": [{"id": "1", "memory": "m", "metadata": {"n": 1e999}}]}\n' >all.json
fails 1 ikm mem import all.json --json >out
same '0 all.json:2: a number of it is out of range' "$(jq .added out) $(left out)"
E

more 'without python3 it says what to do, and reads its own lines' <<'E'
fresh
echo '{"type":"entity","name":"A","entityType":"t","observations":["good"]}' >graph.jsonl
echo '{"content": "x"}' >own
mkdir bin
ln -s "$(command -v ikm)" bin
fails_for NO_PROGRAM env PATH="$PWD/bin" ikm mem import graph.jsonl 2>err
grep -q "^ikm: .*'python3'" err
grep -q '^  install python3: ' err
PATH=$PWD/bin ikm mem import own >out
same '1 added, 0 existed, 0 deleted' "$(cat out)"
printf '#!/bin/sh\necho "no module named json" >&2\nexit 1\n' >bin/python3
chmod +x bin/python3
fails_for PROGRAM_FAILED env PATH="$PWD/bin:/bin" ikm mem import graph.jsonl 2>err
grep -q 'no module named json' err
same 1 "$(ikm mem export | wc -l)"
E

more 'what is no such thing' <<'E'
fresh
mkdir empty
echo '{"content": "x"}' >own
fails_for BAD_ARGUMENT ikm mem import empty 2>err
mkdir odd
printf '\377\376' >odd/wide.md
ln -s nothing odd/lost.md
fails 1 ikm mem import odd 2>err
same 'ikm: lost.md: a symbolic link, which is not followed
ikm: wide.md:1: this is not UTF-8 text; convert it: iconv -f ENCODING -t UTF-8 FILE' "$(cat err)"
fails_for BAD_ARGUMENT ikm mem import empty --from mem0 2>err
fails_for MISSING_PARAMETER ikm mem import --from mcp </dev/null 2>err
fails_for FILE_NOT_FOUND ikm mem import missing --from mcp 2>err
fails 1 ikm mem import own --from mem0 2>err
grep -q "^ikm: own:1: it has no list 'results'" err
ikm mem import own >out
same '1 added, 0 existed, 0 deleted' "$(cat out)"
E
done_testing
