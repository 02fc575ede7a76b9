#!/bin/sh
# What a caller may not see changes no byte of an answer: memories of other users, agents, projects,
# teams and sessions, deleted ones, and, for tools, sensitive ones.
. "$(dirname "$0")/../lib.sh"
long_all

IKM_NOW=2025-10-31T12:00:00Z
export IKM_NOW
many=${ISOLATION_MORE:-700} # memories of others in each place

# Lines with fixed ids: FIRST, COUNT, then members. Texts are of few words, so that others have them.
lines() {
	awk -v first="$1" -v n="$2" -v more="$3" -v seed="$4" 'BEGIN {
		srand(seed)
		words = "harbour lantern crane ferry dock reward rewards rewarding treat dogs database " \
			"databases migrate migration gateway invoice invoices staging server heron went going " \
			"at these Bo June thesis port 9443 lanterns lanterne lantarn harbor docked"
		n_words = split(words, w, " ")
		for (i = first; i < first + n; i++) {
			s = ""
			for (k = 3 + int(rand() * 9); k; k--) s = s " " w[1 + int(rand() * n_words)]
			if (rand() < .2) s = s " 設定を変更"
			if (rand() < .2) s = s " база данных"
			printf "{\"memoryId\":\"mem_%026d\",\"content\":\"%s\",\"createdAt\":\"2025-0%d-0%dT09:00:00Z\",", \
				i, substr(s, 2), 1 + i % 9, 1 + i % 7
			printf "\"happenedAt\":\"2025-0%d-0%dT09:00:00Z\"", 1 + i % 9, 1 + i % 7
			if (rand() < .3) printf ",\"tags\":[\"%s\"]", w[1 + int(rand() * n_words)]
			if (more != "") printf ",%s", more
			print "}"
		}
	}'
}
talk() { # FIRST COUNT SPEAKER SESSION SEED
	lines "$1" "$2" "\"kind\":\"conversation\",\"speaker\":\"$3\",\"sessionId\":\"$4\",\"turn\":1" "$5"
}
# Ann's memories, in three parts; the parts of others come between.
part() {
	case $1 in
	1) lines 1000 40 '' 1; lines 1100 30 '"kind":"episodic"' 2 ;;
	2) talk 1200 40 Bo s1 3; lines 1300 3 '"kind":"episodic"' 9 ;;
	3) lines 1400 40 '"kind":"episodic"' 4 ;;
	esac
}
others() { # NUMBER: memories that Ann cannot see
	n=$1
	lines "$n"10000 "$many" '' "$n"1 | ikm --user zoe mem import - >/dev/null
	lines "$n"20000 "$many" '"kind":"episodic"' "$n"2 | ikm --user zoe mem import - >/dev/null
	talk "$n"30000 "$many" June s1 "$n"3 | ikm --user zoe mem import - >/dev/null
	lines "$n"40000 40 '"layer":"project"' "$n"4 |
		ikm -c memory.project=elsewhere --user zoe mem import - >/dev/null
	lines "$n"50000 40 '"layer":"team"' "$n"5 |
		ikm -c memory.team=elsewhere --user zoe mem import - >/dev/null
	lines "$n"60000 40 '"layer":"agent"' "$n"6 | ikm --user ann --agent other mem import - >/dev/null
	lines "$n"70000 20 '"kind":"episodic"' "$n"7 | ikm --user ann mem import - >/dev/null
	ikm --user ann mem list --json -n 1000 |
		jq -r --arg n "mem_$(printf '%026d' "$n"70000 | cut -c1-24)" \
			'.memories[] | select(.memoryId | startswith($n)) | .memoryId' >gone
	least 20 gone
	xargs ikm --user ann mem delete <gone >/dev/null
}
answers() { # OUT: all answers of a store to Ann
	while read -r question; do
		for more in '' '--threshold 0' '-t heron --threshold 0' '--as-of 2025-05-01 --threshold 0' \
			'--strict -k episodic --threshold 0.3'; do
			# shellcheck disable=SC2086
			ikm --user ann mem search "$question" --json --explain $more || :
			# shellcheck disable=SC2086
			ikm --user ann mem search "$question" --explain $more 2>&1 || :
		done
	done >"$1" <<-Q
	Where is the lantern of the harbour?
	How does Bo reward the dogs?
	what did June say about the migration
	lanterm harbuor databse
	lante dat inv
	What happened in June 2025
	"staging server heron"
	設定
	базы данных
	Where did we eat at these ports?
	zyzzyva
	when did Bo go to the ferry dock with the crane and the gateway for the invoices
	Q
	{
		ikm --user ann mem list --json -n 1000
		ikm --user ann mem list -n 5
		ikm --user ann mem list -t heron --json
		ikm --user ann mem search harbor --session s1 --json --explain || :
	} >>"$1" 2>&1
}

try 'answers, scores and explanations are those of a store without what others have' <<'E'
HOME=$PWD/a; export HOME; mkdir -p "$HOME"
for n in 1 2 3; do part $n | ikm --user ann mem import - >/dev/null; done
answers alone
HOME=$PWD/b; mkdir -p "$HOME"
for n in 1 2 3; do
	others $n
	part $n | ikm --user ann mem import - >/dev/null
done
others 4
least 1000 alone
answers beside
cmp alone beside
ikm doctor >out
E

more 'the same after purge and reindex' <<'E'
HOME=$PWD/b; export HOME
ikm mem purge >/dev/null
answers beside
cmp alone beside
ikm mem reindex >/dev/null
answers beside
cmp alone beside
ikm doctor >out
E

more 'a tool that may not see sensitive memories gets the answers of a store without them' <<'E'
for home in c d; do
	HOME=$PWD/$home; export HOME
	mkdir -p "$HOME/.ikigai/manifests"
	printf 'tool:\n  id: t\n  version: 1.0.0\n  memory_access:\n    episodic: {enabled: true}\n' \
		>"$HOME/.ikigai/manifests/t.yaml"
	lines 1000 40 '"layer":"agent","kind":"episodic"' 1 | ikm --user ann --agent x mem import - >/dev/null
	[ $home = c ] || lines 5000 200 '"layer":"agent","kind":"episodic","redaction":"sensitive"' 2 |
		ikm --user ann --agent x mem import - >/dev/null
	lines 1100 40 '"layer":"agent","kind":"episodic"' 3 | ikm --user ann --agent x mem import - >/dev/null
	for question in 'the lantern of the harbour' 'lanterm databse' 'dogs reward'; do
		printf '{"request_id": "r", "tool_id": "t", "memory_queries": [{"query_id": "q",
			"memory_type": "episodic", "query_text": "%s"}]}' "$question" |
			ikm --user ann --agent x mem query | jq 'del(.. | objects | .query_time_ms)'
	done >$home.out
done
least 20 c.out
cmp c.out d.out
E
done_testing
