#!/bin/sh
# Memories that say it in other words are found by a table of word vectors, and are no answers.
. "$(dirname "$0")/../lib.sh"

ikm mem import - >/dev/null <<'X'
{"content":"The lift in the Bremen house is out of order until March."}
{"content":"Doctors complained that the calendar shows too few hours at once."}
{"content":"The bakery on Linden Street gives ten percent off with the card."}
{"content":"Marek keeps the spare keyboards in his desk."}
{"content":"Lunch is at noon."}
{"content":"The red van belongs to Ingrid."}
{"content":"Thursday is the day without meetings."}
{"content":"Die Rechnungen werden auf gelbem Papier gedruckt."}
X

try 'the memory with like words comes first, is related and no answer' <<'E'
	ikm mem search 'Which discount do we get on bread?' --json >out
	jq -e '.results[0].content | startswith("The bakery")' out
	jq -e '.relevance == "related" and .belowThreshold and all(.results[]; .score < .7)' out
	ikm mem search 'What annoys physicians?' --json |
		jq -e '.results[0].content | startswith("Doctors")'
E
try 'at most five are related, and a limit holds' <<'E'
	ikm mem search 'What annoys physicians?' --threshold 0.7 --json >out
	jq -e '.results | length <= 5' out
	ikm mem search 'Which discount do we get on bread?' -n 1 --json >out
	jq -e '(.results | length == 1) and .belowThreshold' out
E
try 'people and agents are told so' <<'E'
	ikm mem search 'What annoys physicians?' >out 2>err
	grep 'no memory has words that answer' err
	echo '{"query": "What annoys physicians?"}' | ikm call memory_search >out
	jq -e '.relevance == "related"' out
E
try '--explain names the pairs of words' <<'E'
	ikm mem search 'What annoys physicians?' --explain --json >out
	jq -e '.results[0].pairs | test("physicians ~ doctors")' out
	ikm mem search 'What annoys physicians?' --explain >out
	grep '^ *meaning  *physicians ~ doctors' out
	grep '^ *lacks  *annoys$' out
E
try '--explain tells which words a memory has and lacks, and what each point is for' <<'E'
	ikm mem search 'Where does Marek keep his blue keybaords?' --explain >out
	grep '^ *has  *marek, keep, keybaords ~ keyboards$' out
	grep '^ *lacks  *blue$' out
	grep '^ *words  *+[0-9.]*  words of the query' out
	ikm mem search 'Where does Marek keep his blue keybaords?' --explain --json >out
	jq -e '.results[0] | .lacks == ["blue"] and (.has | length == 3) and .parts.words > 0' out
	ikm mem search 'Where does Marek keep his keyboards?' --json | jq -e '.results[0] |
		has("has") or has("lacks") or has("parts") | not'
E
try 'a question that the words answer is answered by words alone' <<'E'
	ikm mem search 'Where does Marek keep the spare keyboards?' --explain --json >out
	jq -e '.relevance == "answers" and all(.results[]; has("pairs") | not)' out
E
try 'words that the table lacks, and other languages, find nothing more' <<'E'
	for words in 'zyxglorp qwrtzpl' 'Пропадёт электричество'; do
		fails 1 ikm mem search "$words" --json >out
		grep '"results":\[\]' out
	done
E
try 'a filter holds for related memories, too' <<'E'
	ikm mem add 'The nurse leaves in March.' --tag ward >/dev/null
	ikm mem search 'What annoys physicians?' --tag ward --json >out
	jq -e '[.results[].tags[]?] == ["ward"]' out
E
try 'what others store has no part in it' <<'E'
	ikm mem search 'What annoys physicians?' --json | jq -S '[.results[] | {content, score}]' >before
	awk 'BEGIN {
		for (i = 0; i < 300; i++)
			printf "{\"content\":\"The doctor %d and the nurse complained of pain\"}\n", i
	}' | IKM_USER=zoe ikm mem import - >/dev/null
	ikm mem search 'What annoys physicians?' --json | jq -S '[.results[] | {content, score}]' >after
	jq -e length before
	cmp before after
E

done_testing
