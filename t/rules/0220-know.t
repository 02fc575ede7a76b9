#!/bin/sh
# know list, query, show and why: filters, layers, sources, history.
. "$(dirname "$0")/../lib.sh"

item() { # path, title, front matter lines
	mkdir -p "$(dirname "$1")"
	printf -- '---\n%s\n---\n# %s\n\n## Decision\n\nWe do %s.\n' "$3" "$2" "$2" >"$1"
}

try 'the layout of company, orgs, teams and projects gives layer and type' <<'E'
item k/company/policies/secrets.md 'Secrets' 'status: accepted'
item k/orgs/acme/adrs/db.md 'Databases' 'status: accepted'
item k/teams/core/patterns/retry.md 'Retry' 'status: proposed'
item k/projects/shop/specs/api.md 'API' 'status: accepted'
ikm know list --knowledge k --json | jq -r '.items[] | "\(.layer) \(.type) \(.id) \(.status)"' |
	sort >out
cat >want <<'W'
company policy secrets accepted
org adr db accepted
project spec api accepted
team pattern retry proposed
W
diff -u want out
E

try 'what could not be read is told, and when nothing is configured' <<'E'
item b/a.md 'A' 'status: accepted'
item b/b.md 'B' 'status: [accepted'
ikm know list --knowledge b --json >out
same '["b/b.md",3]' "$(jq -c '.broken[0] | [.file, .line]' out)"
same null "$(jq .noKnowledge out)"
ikm know list --knowledge b 2>err >out
grep -q 'broken knowledge b/b.md:3: ' err
ikm know list 2>err
grep -q 'no knowledge is configured' err
# 'ikm init' finds nothing here, and the message has what helps
git init -q -b main none
(cd none && ikm init >/dev/null 2>&1 && ikm know list 2>../err &&
	sh -c "$(sed -n 's/.*to begin a folder: //p' ../err)" >/dev/null &&
	ikm know new adr 'Use tabs' >/dev/null && ikm know list | grep -q 'Use tabs')
ikm know list --knowledge k --limit 1 | grep -q '1 of 4; --limit shows more'
E

long 'each filter' <<'E'
ids() { ikm know list --knowledge k --json "$@" | jq -r '[.items[].id] | join(" ")'; }
item k/company/policies/tls.md 'TLS' 'status: rejected
tags: [security, network]'
item k/company/policies/keys.md 'Keys' 'status: accepted
tags: [security]'
same 'api' "$(ids --type spec)"
same 'keys secrets tls' "$(ids --layer company | tr ' ' '\n' | sort | tr '\n' ' ' | sed 's/ $//')"
same 'tls' "$(ids --status rejected)"
same 'keys tls' "$(ids --tag security | tr ' ' '\n' | sort | tr '\n' ' ' | sed 's/ $//')"
same 'tls' "$(ids --tag security --tag network)"
ikm know list --knowledge k --tag nothing
same '["keys"]' "$(ikm know query --knowledge k --tag security --json | jq -c '[.items[].id]')"
E

long 'a question in plain words finds what shares a word, the best first' <<'E'
same db "$(ikm know query 'which databases should we use?' --knowledge k --json | jq -r '.items[0].id')"
fails 1 ikm know query zebra --knowledge k 2>err
grep -q 'no item matches' err
for q in '"' '(' '***' 'a AND' "$(printf '\303\050')" '日本' ''; do
	ikm know query "$q" --knowledge k --json >out || [ $? = 1 ]
	jq -e .success out >/dev/null
done
fails_for TOO_LONG ikm know query "$(head -c 5000 /dev/zero | tr '\0' a)" --knowledge k
E

# One folding for knowledge and memories. Each line: a word in a text, the word in a query.
long 'a question finds what differs in case, accents and width only, as in memories' <<'E'
while read -r there asked; do
	echo "$there, asked as $asked"
	rm -rf fold && mkdir fold
	printf '# Choose %s\n\nStatus: accepted\n' "$there" >fold/0001-one.md
	printf '# Choose nothing\n\nStatus: accepted\n' >fold/0002-two.md
	same '["0001-one"]' "$(ikm know query "$asked" --knowledge team=fold --json | jq -c '[.items[].id]')"
	ikm mem add "Choose $there" >/dev/null
	same "Choose $there" "$(ikm mem search "$asked" --limit 1 --json | jq -r '.results[0].content')"
done <<'X'
železo ŽELEZO
ŽELEZO železo
Straße STRASSE
Fuſsboden fussboden
ΣΊΣΥΦΟΣ σίσυφος
İzmir izmir
ｗｉｄｅ WIDE
café CAFÉ
émoi ÉMOI
X
fails 1 ikm know query zelenina --knowledge team=fold
E

more 'numbers are found without their leading zeros, names by their parts' <<'E'
rm -rf fold && mkdir fold
printf '# Use PostgreSQL 9.6\n\nStatus: accepted\n' >fold/adr-0007.md
printf '# Use nothing\n\nStatus: accepted\n' >fold/adr-0008.md
ids() { ikm know query "$1" --knowledge team=fold --json | jq -c '[.items[].id]'; }
for q in 7 007 sql 9.6 postgresql; do
	same '["adr-0007"]' "$(ids "$q")"
done
same '"adr-0008"' "$(ids 'adr 8' | jq -c '.[0]')"
E

more 'limit and total' <<'E'
ikm know list --knowledge k --limit 2 --json >out
same '2 6' "$(jq -r '"\(.items | length) \(.totalCount)"' out)"
ikm know list --knowledge k >out
[ "$(wc -l <out)" = 6 ]
E

more 'a folder of ADRs as it is, given a layer' <<'E'
mkdir plain
printf '# 1. Use C\n\nDate: 2020-02-03\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use C.\n' >plain/0001-use-c.md
ikm know list --knowledge team=plain --json >out
same '0001-use-c team adr accepted 2020-02-03' \
	"$(jq -r '.items[0] | "\(.id) \(.layer) \(.type) \(.status) \(.createdAt)"' out)"
IKM_KNOWLEDGE="k:team=plain" ikm know list --json >out
same 7 "$(jq .totalCount out)"
E

more 'the most specific of one id is shown, and --layer shows another' <<'E'
item k2/company/adrs/x.md 'General' 'status: accepted'
item k2/teams/core/adrs/x.md 'Special' 'status: accepted'
same Special "$(ikm know show x --knowledge k2 --json | jq -r .item.title)"
same General "$(ikm know show x --layer company --knowledge k2 --json | jq -r .item.title)"
fails_for NO_SUCH_ITEM ikm know show x --layer org --knowledge k2
same '["Special"]' "$(ikm know query --knowledge k2 --json | jq -c '[.items[].title]')"
E

more 'show: text, and the near name of one that is not there' <<'E'
ikm know show db --knowledge k >out
grep -q '^id  *db$' out
grep -q '^We do Databases.$' out
fails 3 ikm know show dv --knowledge k 2>err
grep -q "Knowledge item 'dv' not found; did you mean 'db'?" err
E

sh "$TOP/t/sample.sh" sample

more 'history follows renames, newest first, as git tells it' <<'E'
cd sample
git mv docs/adr/0002-no-console-in-services.md docs/adr/0002-logging.md
git commit -qm 'adr: a shorter name'
printf '\nMore.\n' >>docs/adr/0002-logging.md
git commit -qam 'adr: more'
ikm know show 0002-logging --history --json | jq -r '.history[] | .version + " " + .message' >out
git log --follow --format='%H %s' -- docs/adr/0002-logging.md >want
diff -u want out
[ "$(wc -l <out)" = 3 ]
same "2023-11-14T22:13:20Z Ada" "$(ikm know show 0002-logging --history --json | jq -r '.history[0] | .timestamp + " " + .author')"
E

more 'a source at a ref, in a submodule, and in another repository' <<'E'
git init -q other
mkdir other/adrs
item other/adrs/far.md 'Far' 'status: accepted'
git -C other add -A
git -C other commit -qm one
git -C other tag v1
item other/adrs/later.md 'Later' 'status: accepted'
git -C other add -A
git -C other commit -qm two
mkdir -p "$HOME/.ikigai"
printf '{"knowledge": {"sources": [{"layer": "org", "path": "%s", "ref": "v1"}]}}' "$PWD/other" \
	>"$HOME/.ikigai/config.json"
git clone -q --bare other bare.git
cd sample
same far "$(ikm know list --layer org --json | jq -r '[.items[].id] | join(" ")')"
printf '{"knowledge": {"sources": [{"layer": "org", "path": "%s", "ref": "HEAD"}]}}' "$T/w/bare.git" \
	>"$HOME/.ikigai/config.json"
same 'far later' "$(ikm know list --layer org --json | jq -r '[.items[].id] | sort | join(" ")')"
rm "$HOME/.ikigai/config.json"
git -c protocol.file.allow=always submodule --quiet add ../other sub
git commit -qm sub
git -C sub rm -q adrs/later.md
echo '{"knowledge": {"sources": [{"path": "docs/adr"}, {"path": "sub", "layer": "team"}]}}' >.ikm/config.json
same 'far later' "$(ikm know list --layer team --json | jq -r '[.items[].id] | sort | join(" ")')"
echo '{"knowledge": {"sources": [{"path": "docs/adr", "ref": "HEAD~1"}]}}' >.ikm/config.json
same 2 "$(ikm know list --json | jq .totalCount)"
git checkout -q .ikm
E

more 'a configured source that is missing is an error that names it' <<'E'
cd sample
echo '{"knowledge": {"sources": [{"path": "docs/decisions"}]}}' >.ikm/config.json
fails 3 ikm know list --json >../out
same NO_SUCH_SOURCE "$(jq -r .details.reason ../out)"
jq -r .message ../out | grep -q "docs/decisions.*.ikm/config.json"
fails_for NO_SUCH_SOURCE ikm check --all
git checkout -q .ikm
fails 3 ikm know list --knowledge "$T/none" 2>../err
grep -q "$T/none" ../err
echo '{"knowledge": {"sources": [{"path": "docs/adr", "ref": "no-such-ref"}]}}' >.ikm/config.json
fails_for NO_SUCH_SOURCE ikm know list
git checkout -q .ikm
E

more 'a required layer without a source is an error, never a silent pass' <<'E'
cd sample
echo '{"knowledge": {"requires": ["org"], "sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
fails 3 ikm check --all 2>../err
grep -q 'requires org knowledge' ../err
ikm know list --knowledge org=../other/adrs >../out
git checkout -q .ikm
E

more 'why tells what a decision replaced' <<'E'
cd sample
item docs/adr/0003-new.md 'New' 'status: accepted
supersedes: 0002-logging'
ikm why 0003-new --json | jq -r '.replaced[].id' >../out
same 0002-logging "$(cat ../out)"
ikm why 0003-new | grep -q '0002-logging'
fails_for NO_SUCH_ITEM ikm why nothing 2>../err
not grep "know for" ../err
: >a-file
fails_for NO_SUCH_ITEM ikm why a-file 2>../err
grep -qF "'ikm know for a-file' lists what binds that file" ../err
# a tool tells only of files that it may read
for what in a-file /etc/passwd; do
	echo "{\"what\": \"$what\"}" | ikm --root . call knowledge_why 2>/dev/null
done >../out || :
jq -rs 'map(.details.reason + " " + (.help.steps | join(" "))) | .[]' ../out >../told
least 2 ../told
grep -q '^NO_SUCH_ITEM.*knowledge_for.*a-file' ../told
not grep 'knowledge_for.*passwd' ../told
rm a-file
fails 3 ikm why 0123456789ab 2>../err
grep -q 'ikm check --all' ../err
rm docs/adr/0003-new.md
E

more 'no knowledge at all is a pass that says so' <<'E'
git init -q empty
cd empty
ikm know list
ikm check --all >../out
grep -q 'no knowledge is configured' ../out
same true "$(ikm check --staged --json | jq .checked.noKnowledge)"
E

more '.knowledge is read without being configured' <<'E'
git init -q conv
cd conv
item .knowledge/adrs/a.md 'A' 'status: accepted'
item .knowledge/policies/p.md 'P' 'status: accepted'
same 'adr policy' "$(ikm know list --json | jq -r '[.items[].type] | sort | join(" ")')"
same project "$(ikm know show a --json | jq -r .item.layer)"
E
done_testing
