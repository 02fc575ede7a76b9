#!/bin/sh
# Episodic memories stored one after another lend each other context, without a session.
. "$(dirname "$0")/../lib.sh"

IKM_USER=ada
export IKM_USER

# KIND: a log of some entries. Two are about a proxy; the answer has no word of the question.
log() {
	rm -rf "$HOME/.ikigai"
	while IFS='|' read -r time text; do
		jq -cn --arg kind "$1" --arg time "$time" --arg text "$text" \
			'{content: $text, kind: $kind, happenedAt: $time}'
	done <<'L' | ikm mem import >/dev/null
2026-01-03T09:00:00Z|Ada: The gallery opens at ten on Sundays
2026-01-03T09:01:00Z|Bo: Trains to the coast leave from platform four
2026-01-03T10:00:00Z|Ada: Which port does the proxy use?
2026-01-03T10:01:00Z|Bo: 8443, and nothing else
2026-01-03T10:02:00Z|Bo: Lunch is ready
2026-01-07T10:00:00Z|Ada: The plumber mended the proxy
2026-01-09T10:00:00Z|Bo: Soup was bought
L
	ikm mem search 'which port does the proxy use' --threshold 0 --explain --json >out
}
neighbours() {
	jq --arg text "$1" 'first(.results[] | select(.content | endswith($text))
		| .parts.neighbours > 0) // "not found"' out
}

try 'an entry that follows a question is found by the words of the question' <<'E'
log episodic
same true "$(neighbours '8443, and nothing else')"
same 'Bo: 8443, and nothing else' "$(jq -r '.results[1].content' out)"
E

try 'an entry of another time follows nothing' <<'E'
log episodic
same '"not found"' "$(neighbours 'Soup was bought')"
E

try 'facts lend no context' <<'E'
log fact
same '"not found"' "$(neighbours '8443, and nothing else')"
E

try 'entries of other users lend no context' <<'E'
rm -rf "$HOME/.ikigai"
IKM_USER=bo ikm mem add -k episodic 'Ada: Which port does the proxy use?' >/dev/null
ikm mem add -k episodic 'Bo: 8443, and nothing else' >/dev/null
ikm mem add -k episodic 'Bo: Trains leave from platform four, not by proxy' >/dev/null
ikm mem search 'which port does the proxy use' --threshold 0 --explain --json >out
same '"not found"' "$(neighbours '8443, and nothing else')"
E

try 'an entry beside one that answers ranks before one with the same words elsewhere' <<'E'
rm -rf "$HOME/.ikigai"
for text in 'We repaired the old boat in the harbour' 'The sails were white' 'Soup for lunch' \
	'Rain all day' 'A letter came' 'Chess with Carl' 'Curtains were white'; do
	jq -cn --arg text "$text" '{content: $text, kind: "episodic"}'
done | ikm mem import >/dev/null
same 'The sails were white' "$(ikm mem search 'white things on the boat in the harbour' \
	--threshold 0 --json | jq -r '[.results[].content | select(test("white"))][0]')"
E

done_testing
