#!/bin/sh
# A store that grows with texts about something else still answers what it answered.
. "$(dirname "$0")/../lib.sh"

shapes=$TOP/t/perf/shapes
# Each part is of a user whom the others do not concern.
export IKM_USER

# The questions of a shape that find a memory of theirs at the default threshold.
answered() { # SHAPE: "QUESTION" lines
	jq -r 'select(.ask and (.gold | length) > 0).ask' "$shapes/$1.jsonl" | while read -r question; do
		ikm mem search "$question" -n 10 --json </dev/null 2>/dev/null |
			jq -r --arg q "$question" 'select(any(.results[]; .score >= .7)) | $q' || :
	done
}
# Texts of random words: FIRST, COUNT.
others() {
	awk -v first="$1" -v n="$2" 'BEGIN {
		srand(first)
		for (i = 0; i < n; i++) {
			s = ""
			for (k = 0; k < 12; k++) s = s " w" int(rand() * rand() * 8000)
			printf "{\"content\":\"%s\",\"kind\":\"episodic\"}\n", substr(s, 2)
		}
	}'
}
manual() { # lines of the manual of ikm
	cat "$TOP"/man/* | grep '^[A-Z].* .* .* .* ' | LC_ALL=C sort -u |
		jq -Rc '{content: ., kind: "episodic"}'
}
keeps() { # SHAPE: of 100 questions that were answered, 95 are
	jq -c 'select(.text) | {content: .text}' "$shapes/$1.jsonl" | ikm mem import - >/dev/null
	n=$(ikm mem list -n 1000 --json | jq '.memories | length')
	answered "$1" >few
	least 10 few
	for times in $(printf "%s\n" 10 100 | sample 2); do
		{ others $times $((n * times * 9 / 10)) && manual; } | ikm mem import - >/dev/null
		answered "$1" | grep -Fxf few >many || :
		echo "$times times: $(wc -l <many) of $(wc -l <few)"
		[ $((100 * $(wc -l <many))) -ge $((95 * $(wc -l <few))) ]
	done
}

long 'beside 10 and 100 times as many memories: facts' <<'E'
IKM_USER=facts
keeps facts
E

more 'beside 10 and 100 times as many memories, in German' <<'E'
IKM_USER=de
keeps de
E

more 'a conversation beside much else: its turns answer as before' <<'E'
IKM_USER=ann
i=0
while IFS='|' read -r speaker text; do
	i=$((i + 1))
	echo "{\"content\":\"$text\",\"kind\":\"conversation\",\"speaker\":\"$speaker\",\"sessionId\":\"s\",\"turn\":$i}"
done <<-'L' | ikm mem import - >/dev/null
	Ann|Morning! How are the dogs?
	Bo|Fine. I give them a treat when they sit.
	Ann|Rewards work better than shouting.
	Bo|We hiked on Sunday.
L
answers() {
	for question in 'How does Bo reward the dogs?' 'When did Bo hike?'; do
		ikm mem search "$question" --json | jq -c '[.results[] | select(.score >= .7).content] | sort'
	done
}
answers >alone
grep -q treat alone
for n in 300 10000; do
	others $n $n | ikm mem import - >/dev/null
	answers >beside
	diff alone beside
done
E
done_testing
