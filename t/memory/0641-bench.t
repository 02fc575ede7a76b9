#!/bin/sh
# ikm bench: its figures against those that jq computes from mem search; that it prints no content;
# bad lines.
. "$(dirname "$0")/../lib.sh"

IKM_USER=ada
export IKM_USER

# Forty memories about ten things, four each.
i=0
for thing in heron falcon kettle lantern harbour violin glacier pepper compass meadow; do
	for about in 'is kept in the north room' 'was bought in spring' 'belongs to the old team' \
		'needs to be cleaned every week'; do
		i=$((i + 1))
		printf '{"content":"The %s %s","tags":["%s"],"source":"s%s"}\n' "$thing" "$about" "$thing" $i
	done
done | ikm mem import >/dev/null
ikm mem list --limit 100 --json | jq -c '.memories[]' >memories

id() { jq -r --arg text "$1" 'select(.content | contains($text)).memoryId' memories | head -1; }

# One memory found first, one among many, two expected, one that cannot be found, one in no order.
{
	jq -cn --arg a "$(id 'heron is kept')" '{query: "where is the heron kept?", expected: [$a]}'
	jq -cn --arg a "$(id 'pepper was')" --arg b "$(id 'pepper belongs')" \
		'{query: "what of the pepper?", expected: [$a, $b]}'
	jq -cn --arg a "$(id 'violin was')" '{query: "who needs the glacier cleaned", expected: [$a]}'
	jq -cn --arg a "$(id 'compass was')" '{query: "bought in spring", expected: [$a, $a]}'
	echo
	jq -cn --arg a "$(id 'meadow is')" '{query: "kept in the north room", expected: [$a],
		tags: ["meadow", "harbour"], layers: ["user"], kind: ["fact"]}'
} >questions

# The same figures by jq, from what mem search answers to the same questions.
referee() { # LIMIT THRESHOLD
	while read -r q; do
		[ -n "$q" ] || continue
		printf '%s\n' "$q" | jq -c --argjson limit "$1" --argjson threshold "$2" \
			'del(.expected) + {limit: $limit, threshold: $threshold}' |
			ikm call memory_search |
			jq -c --argjson q "$q" '{got: [.results[].memoryId], want: ($q.expected | unique),
				below: (.belowThreshold == true or (.results | length) == 0)}'
	done <questions | jq -cs '
		def mean(f): (map(f) | add) / length | . * 10000 | round / 10000;
		def at($k): .want as $w | (.got[:$k] | map(select(IN($w[]))) | length) / ($w | length);
		def gain: 1 / ((. + 2) | log2);
		def found: .want as $w | .got | to_entries | map(select(.value | IN($w[])).key);
		{questions: length, measured: length, unknownExpected: 0,
		recallAt1: mean(at(1)), recallAt5: mean(at(5)), recallAt10: mean(at(10)),
		mrr: mean(found | if length > 0 then 1 / (.[0] + 1) else 0 end),
		ndcgAt10: mean(([found[] | select(. < 10) | gain] | add // 0) /
			([range([(.want | length), 10] | min) | gain] | add)),
		belowThreshold: (map(select(.below)) | length), withoutVectors: 0}'
}
figures() { ikm bench "$@" --json | jq -c 'del(.success, .latencyP50, .latencyP95, .latencyMax)'; }

long 'the figures are those of jq' <<'E'
for threshold in 0 0.7 1; do
	for limit in 10 40; do
		want=$(referee $limit $threshold)
		same "$want" "$(figures questions --limit $limit --threshold $threshold)"
	done
done
same "$(referee 10 0.7)" "$(figures questions)"
# The figures are not trivially 0 or 1.
referee 40 0 | jq -e '[.recallAt1, .recallAt5, .mrr, .ndcgAt10] | all(. > 0 and . < 1)'
E

more 'from standard input, and with -' <<'E'
want=$(figures questions)
[ -n "$want" ]
same "$want" "$(figures <questions)"
same "$want" "$(figures - <questions)"
E

more 'asked again and again, only the times change' <<'E'
want=$(figures questions)
[ -n "$want" ]
same "$want" "$(figures questions --repeat 5)"
ikm bench questions --repeat 5 --json | jq -e '.success and .latencyP50 > 0 and
	.latencyP50 <= .latencyP95 and .latencyP95 <= .latencyMax'
E

more 'for people: each figure and what it is, and no content' <<'E'
ikm bench questions >out
same 13 "$(wc -l <out)"
grep '^recallAt5 .*mean share in the first five' out
grep '^latencyP95 .*milliseconds\|^latencyP95 .*95 %' out
ikm bench questions --json >>out
! grep -i 'heron\|pepper\|glacier\|spring\|mem_' out
E

more 'expected ids that are not there are counted and left out' <<'E'
want=$(figures questions | jq -c '.unknownExpected = 2')
sed '1s/"expected":\[/&"mem_00000000000000000000000000","mem_0",/' questions >more
same "$want" "$(figures more)"
echo '{"query": "anything", "expected": ["mem_none"]}' >none
same '[1,0,1,0]' "$(ikm bench none --json | jq -c '[.questions, .measured, .unknownExpected, .mrr]')"
E

more 'expected ids of others, and deleted ones, are counted and left out' <<'E'
same '[5,0,6]' "$(IKM_USER=eve ikm bench questions --json | jq -c '[.questions, .measured, .unknownExpected]')"
id=$(ikm mem add 'gone tomorrow' --json | jq -r .memoryId)
jq -cn --arg id "$id" '{query: "gone tomorrow", expected: [$id]}' >gone
same 1 "$(ikm bench gone --json | jq .measured)"
ikm mem delete "$id" >/dev/null
same 0 "$(ikm bench gone --json | jq .measured)"
E

more 'without a store nothing is found, and none is made' <<'E'
IKIGAI_HOME=$PWD/nowhere
export IKIGAI_HOME
same '[5,0]' "$(ikm bench questions --json | jq -c '[.questions, .measured]')"
[ ! -e nowhere ]
E

wrong() { # RC, WORDS OF THE MESSAGE, TEXT
	printf '%s' "$3" >wrong
	fails "$1" ikm bench wrong --json >out 2>err
	jq -e --arg says "$2" '.message | contains($says)' out || { cat out; return 1; }
}

more 'a line that is wrong is named with its number' <<'E'
ok=$(head -1 questions)
wrong 2 "line 2" "$ok
{"
wrong 2 "line 3" "$ok

[]"
wrong 2 "query" '{"expected": ["x"]}'
wrong 2 "expected" '{"query": "x"}'
wrong 2 "expected has 0 ids; allowed: 1 to 1000" '{"query": "x", "expected": []}'
wrong 2 "expected" '{"query": "x", "expected": "y"}'
wrong 2 "expected" '{"query": "x", "expected": [7]}'
wrong 2 "did you mean 'expected'" '{"query": "x", "expectd": ["y"]}'
wrong 2 "layers" '{"query": "x", "expected": ["y"], "layers": ["galaxy"]}'
wrong 2 "kind" '{"query": "x", "expected": ["y"], "kind": ["rumour"]}'
wrong 2 "query" '{"query": "", "expected": ["y"]}'
wrong 2 "line 1" "$(printf '{"query": "\377", "expected": ["y"]}')"
wrong 2 "no questions" ''
wrong 2 "no questions" '

'
E

more 'options and files that are wrong' <<'E'
fails 2 ikm bench questions --limit 9
fails 2 ikm bench questions --limit 1001
fails 2 ikm bench questions --threshold 1.1
fails 2 ikm bench questions --repeat 0
fails 3 ikm bench no-such-file
fails 2 ikm bench .
E

more 'a failing embedder is counted when the store has embeddings' <<'E'
same 0 "$(ikm -c 'memory.embedder=["false"]' bench questions --json | jq .withoutVectors)"
echo 'jq -c "{model: \"toy\", vectors: [.texts[] | [length, 1]]}"' >toy
ikm -c 'memory.embedder=["sh", "toy"]' mem embed
jq -c '.query = "whose receipt vanished"' questions >other
same 10 "$(ikm -c 'memory.embedder=["false"]' bench other --repeat 2 --json | jq .withoutVectors)"
E

more 'it is for people only' <<'E'
ikm help tools >tools
! grep bench tools
E

long '--explain tells where the expected memory stands, and what stands before it' <<'E'
rm -rf "$HOME/.ikigai"
wrong=$(ikm mem add 'The staging server of the shop is called heron.')
right=$(ikm mem add 'Heron is down.')
lost=$(ikm mem add 'Lunch is at noon.')
printf '\n{"query": "staging server heron", "expected": ["%s"]}\n' "$right" >questions
printf '{"query": "staging server heron", "expected": ["%s"]}\n' "$lost" >>questions
ikm bench questions --explain --json >out
same '[[2,2],[3,0]]' "$(jq -c '[.each[] | [.line, .rank]]' out)"
jq -e --arg right "$right" --arg wrong "$wrong" '.each[0] | .expected.memoryId == $right and
	.before.memoryId == $wrong and .before.parts.words > .expected.parts.words' out
jq -e --arg wrong "$wrong" '.each[1] | .expected == null and .before.memoryId == $wrong' out
ikm bench questions --explain >out
grep '^line 2: rank 2' out
grep "^  before it  *$wrong  score 0.99: words +[0-9.]*, phrase +" out
grep "^  expected  *$right  score 0...: words +[0-9.]*, session +[0-9.]*$" out
grep '^line 3: not found in the first thousand results' out
grep "^  first  *$wrong " out
ikm bench questions | not grep '^line'
not grep -i heron out
E

try 'a score is written as mem search writes it, rounded down' <<'E'
rm -rf "$HOME/.ikigai"
q='In which street is the Berlin office?'
while read -r text; do
	jq -cn --arg q "$q" --arg id "$(ikm mem add "$text")" '{query: $q, expected: [$id]}'
done <<'L' >questions
The Hamburg office is in the Green Street.
The office in Lyon has forty desks and a garden.
L
ikm mem add 'Lunch is at noon.' >/dev/null
ikm mem add 'Ada likes tea.' >/dev/null
ikm mem add 'The staging server is called heron.' >/dev/null
ikm bench questions --explain |
	sed -n 's/^  expected  *\(mem_[^ ]*\)  score \([0-9.]*\): .*/\1 \2/p' | sort >bench
ikm mem search "$q" | awk '/^[0-9]/ { print $2, $1 }' | sort >search
same 2 "$(wc -l <bench)"
diff -u bench search
ikm mem search "$q" --json |
	jq -r '.results[] | "\(.memoryId) \(.score * 100 + 0.000001 | floor)"' | sort >json
sed 's/ 0\./ /' search | diff -u json -
E

done_testing
