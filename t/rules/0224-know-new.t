#!/bin/sh
# know new: the next file in the style of its folder: number, template, status, title; nothing is
# ever overwritten, and two at once get two numbers.
. "$(dirname "$0")/../lib.sh"

IKM_NOW=2026-11-23T10:20:30Z EDITOR=false
export IKM_NOW EDITOR
config() { mkdir -p .ikm && printf '%s' "{\"knowledge\": {\"sources\": [$1]}}" >.ikm/config.json; }
git init -q shop
cd shop || exit 1
# An empty folder, and files with these names in it.
folder() {
	rm -rf docs && mkdir -p docs/adr
	for name; do printf '# x\n' >"docs/adr/$name"; done
}
made() { ikm know new "$@" --json | jq -r .path; }

try 'without knowledge it says what to configure; the folder need not exist' <<'E'
fails_for NOT_CONFIGURED ikm know new adr X
ikm know new adr X 2>err || :
grep -q '{"path": "docs/adr"}' err
config '{"path": "docs/adr"}'
ikm know new adr Use Redis for queues >out
same '0001-use-redis-for-queues  docs/adr/0001-use-redis-for-queues.md' "$(cat out)"
same '---
status: proposed
date: 2026-11-23
---

# Use Redis for queues' "$(head -6 docs/adr/0001*)"
ikm know list --json >out
same '["Use Redis for queues","proposed","adr","2026-11-23","",false]' \
	"$(jq -c '.items[0] | [.title,.status,.type,.createdAt,.summary,.hasConstraints]' out)"
ikm know new adr X --json >out
same '[true,"0002-x","docs/adr/0002-x.md","X","adr","project","proposed",null,null]' \
	"$(jq -c '[.success,.id,.path,.title,.type,.layer,.status,.template,.notes]' out)"
E

long 'the number, its width and separator are those of the folder' <<'E'
while read -r want names; do
	eval "folder $names"
	same "docs/adr/$want.md" "$(made adr A Title)"
done <<'R'
0001-a-title
0008-a-title 0007-x.md
0010-a-title 0002-x.md 0009-x.md
10-a-title 9-x.md 8-x.md
1000-a-title 0999-x.md
ADR-013-a-title ADR-012-x.md ADR-001-y.md README.md
adr_0013_a_title adr_0012_x.md
0004_a_title 0003_x.md
0013-a-title 0012-x.md 9999-template.md index.md ADR-0090-y.md 0001-z.md
0006-a-title 0004-x.md 0003-y.md ADR-0005-z.md
20261123-a-title 20240101-x.md 20231231-y.md
2026-11-23-a-title 2024-01-01-x.md
a-title use-redis.md drop-mysql.md
0002-a-title 0001-x.md 3scale-gateway.md
0002-a-title 0001-x.md notes.txt
R
folder 20261123-a-title.md
same docs/adr/20261123-a-title-2.md "$(made adr A Title)"
folder a-title.md b.md a-title-2.md
same docs/adr/a-title-3.md "$(made adr A Title)"
E

long 'titles of every kind' <<'E'
folder
title() { # want of the name, title
	ikm know new adr "$2" --json >out
	name=$(jq -r .id out)
	same "$1" "${name#????-}"
	same "${3-$2}" "$(jq -r .title out)"
	same "${3-$2}" "$(ikm know show "$name" --json | jq -r .item.title)"
}
title uber-zelezo-sql 'Über ŽELEZO & SQL'
title データベースを使う-go 'データベースを使う Go'
title use-c-not-b-i 'Use *C*, [not] `b`_ <i>' 'Use *C*, [not] b_ <i>'
title use-lunr 'Use `lunr`' 'Use lunr'
grep -q '^# .*Use `lunr`$' docs/adr/*use-lunr.md
title a-b 'A ` *b*'
title x-a-b '*x* `a*b`'
title ends 'Ends #'
title 0-is-a-title '0. is: "a" title'
title path-to-x '../path/to/x'
title x-y 'x -y-'
long=$(printf 'word%.0s ' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25)
title word-word-word-word-word-word-word-word-word-word-word-word-word-word-word-word "${long% }"
title naive-resume "$(printf 'nai\314\210ve re\314\201sume\314\201')"
ls docs/adr >before
for bad in '???' ' ' '😀'; do
	fails_for BAD_ARGUMENT ikm know new adr "$bad"
done
fails_for BAD_ARGUMENT ikm know new adr "$(printf 'a\nb')"
fails_for BAD_ARGUMENT ikm know new adr "$(printf 'a\033[1mb')"
fails_for BAD_ARGUMENT ikm know new adr template
ikm know new adr template 2>err || :
grep -q "template.md' would be no item" err
fails_for MISSING_PARAMETER ikm know new adr
fails_for NOT_IN_ENUM ikm know new rfc X
fails_for TOO_LONG ikm know new adr "$(printf '%0600d' 1)"
ls docs/adr | cmp - before
E

more 'the style of the newest item: MADR, Nygard, lists, tables, CRLF' <<'E'
folder
printf -- '---\nstatus: accepted\ncreatedAt: 2020-01-01\n---\n# ADR-0004: A\n\n## Context and Problem Statement\n\nx\n\n## Decision Outcome\n\nx\n' \
	>docs/adr/0004-a.md
file=$(made adr B)
same 'docs/adr/0005-b.md
---
status: proposed
createdAt: 2026-11-23
---

# ADR-0005: B

## Context and Problem Statement' "$file
$(head -8 "$file")"
grep -q '^## Decision Outcome$' "$file"
folder
printf '# 9. A\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nx\n\n## Decision\n\nx\n' >docs/adr/0009-a.md
file=$(made adr B --status accepted)
same '# 10. B

Date: 2026-11-23

## Status

Accepted

## Context' "$(head -9 "$file")"
same '["accepted","2026-11-23"]' "$(ikm know show 10 --json | jq -c '.item | [.status,.createdAt]')"
folder
printf '# A\r\n\r\n* **Status:** accepted\r\n* **Date:** 2020-01-01\r\n\r\nx\r\n' >docs/adr/0001-a.md
file=$(made adr B)
printf '# B\r\n\r\n* **Status:** proposed\r\n* **Date:** 2026-11-23\r\n\r\n## Context\r\n' >want
head -6 "$file" | cmp - want
same 0 "$(grep -vc "$(printf '\r')\$" "$file")"
folder
printf '# A\n\n| Status | Done |\n|---|---|\n| Date | 2020-01-01 |\n\nx\n' >docs/adr/0001-a.md
file=$(made adr B)
same '| Status | Proposed |
|---|---|
| Date | 2026-11-23 |' "$(sed -n 3,5p "$file")"
same '["proposed","2026-11-23","B"]' "$(ikm know show 2 --json | jq -c '.item | [.status,.createdAt,.title]')"
printf 'x\377\n' >docs/adr/0003-odd.md
same docs/adr/0004-c.md "$(made adr C)"
E

more 'the template of the folder is filled' <<'E'
folder 0001-a.md
cat >docs/adr/adr-template.md <<'M'
---
# MADR's own words.
status: "{proposed | rejected | accepted | … | superseded by ADR-0123"
date: {YYYY-MM-DD when: the decision was last updated}
decision-makers: {list everyone involved}
---

# {short title, of problem and solution}

## Context and Problem Statement

{Describe it.}
M
echo '# wrong one' >docs/adr/adr-template-minimal.md
echo '# wrong type' >docs/adr/policy-template.md
ikm know new adr 'B: x' --json >out
same '["docs/adr/0002-b-x.md","adr-template.md","B: x","proposed"]' \
	"$(jq -c '[.path,.template,.title,.status]' out)"
sed -e 's/^status: .*/status: proposed/' -e 's/^date: .*/date: 2026-11-23/' \
	-e 's/^# {short.*/# B: x/' docs/adr/adr-template.md | cmp - docs/adr/0002-b-x.md

folder 0011-a.md
mkdir docs/adr/templates
printf '# NUMBER. TITLE\n\nDate: DATE\n\n## Status\n\nSTATUS\n\n## Context\n\nUPDATE the TITLE\n' \
	>docs/adr/templates/template.md
file=$(made adr B)
same '# 12. B

Date: 2026-11-23

## Status

Proposed

## Context

UPDATE the B' "$(cat "$file")"

folder
printf '# [short title]\n\n- Status: [draft | proposed | … ] <!-- optional -->\n- Date: [YYYY-MM-DD] <!-- when -->\n' >docs/adr/template.md
same '# B

- Status: proposed <!-- optional -->
- Date: 2026-11-23 <!-- when -->' "$(cat "$(made adr B)")"

folder
printf -- '---\nid: ID\ntitle: "TITLE"\nstatus: Draft # first\nupdatedAt: 2000-01-01\n---\nText.\n' >docs/adr/0000-template.md
file=$(made adr 'B: yes')
same '---
id: 0001-b-yes
title: "B: yes"
status: Draft # first
updatedAt: 2026-11-23
---
Text.' "$(cat "$file")"
same draft "$(ikm know status 1)"
same proposed "$(ikm know new adr C --status proposed --json | jq -r .status)"

folder
# https://github.com/backstage/backstage/blob/master/docs/architecture-decisions/adr000-template.md
printf -- '---\nid: adrs-adr000\ntitle: ADR000: [TITLE]\ndescription: ADR for [TITLE]\n---\n\n## Context\n' >docs/adr/adr000-template.md
ikm know new adr 'Use: X' --json >../out
same '"adr000-template.md" "Use: X"' "$(jq -c '.template, .title' ../out | paste -sd' ')"
rm docs/adr/*
printf '# ADR-NNNN: title\n' >docs/adr/template.md
same '# ADR-0001: B' "$(head -1 "$(made adr B)")"
ikm know status 1 >out
printf -- '---\nstatus: [\n---\n# x\n' >docs/adr/template.md
fails_for BAD_MARKDOWN ikm know new adr C
ikm know new adr C 2>err || :
grep -q "^ikm: the template '.*/docs/adr/template.md': " err
printf -- '---\nconstraints: [{operator: x}]\n---\n# x\n' >docs/adr/template.md
fails_for BAD_MARKDOWN ikm know new adr C
printf '\377' >docs/adr/template.md
fails_for BAD_UTF8 ikm know new adr C
same '0001-b.md
template.md' "$(ls docs/adr)"
E

more 'the folder: by type, layer and source' <<'E'
rm -rf docs org && mkdir -p docs/policies org/company org/teams/pay org/teams/web/patterns plain docs/adr
echo '# x' >org/company/x.md
config '{"path": "docs/adr"}, {"path": "docs/policies", "type": "policy"}, {"path": "org"}'
same docs/policies/no-secrets.md "$(made policy No secrets)"
same docs/adr/0001-a.md "$(made adr A)"
same policy "$(ikm know show no-secrets --json | jq -r .item.type)"
fails_for NOT_UNIQUE ikm know new pattern P
ikm know new pattern P 2>err || :
grep -q 'org/company/patterns, org/teams/pay/patterns, org/teams/web/patterns' err
ikm know new pattern P --layer company --json >out
same '["org/company/patterns/p.md","company"]' "$(jq -c '[.path,.layer]' out)"
fails_for NOT_UNIQUE ikm know new pattern P --layer team
ikm know new pattern P --source org/teams/web --json >out
same '["org/teams/web/patterns/p.md","team"]' "$(jq -c '[.path,.layer]' out)"
same org/teams/web/patterns/q.md "$(cd org/teams/web && made pattern Q --source patterns)"
same org/teams/pay/adrs/0001-x.md "$(made adr X --source "$PWD/org/teams/pay")"
fails_for NO_SUCH_SOURCE ikm know new spec S --source plain
fails_for NO_SUCH_SOURCE ikm know new adr S --layer org
ikm know new adr S --layer org 2>err || :
grep -q 'sources: docs/adr (adr), docs/policies (policy), org (adr)' err
fails_for FILE_NOT_FOUND ikm know new adr S --source nowhere
fails_for NO_SUCH_SOURCE ikm know new adr S --source docs/policies
config '{"path": "docs/adr"}'
mkdir docs/adr/web
same docs/adr/web/0001-w.md "$(made adr W --source docs/adr/web)"
same docs/adr/0002-v.md "$(made adr V)"
config '{"path": "keps", "files": "*/*/README.md"}'
mkdir -p keps/node/0007-a && echo '# A' >keps/node/0007-a/README.md
fails_for BAD_ARGUMENT ikm know new adr K
same keps/node/0008-k/README.md "$(made adr K --source keps/node)"
same 0008-k "$(ikm know list --json | jq -r '.items[] | select(.title == "K").id')"
rm .ikm/config.json && mkdir -p .knowledge/specs && echo '# s' >.knowledge/specs/s.md
same .knowledge/adrs/0001-in.md "$(made adr In)"
same .knowledge/specs/t.md "$(made spec T)"
mkdir ../elsewhere
same ../elsewhere/0001-e.md "$(made adr E --knowledge org=../elsewhere --source ../elsewhere)"
same ../elsewhere/0002-f.md "$(made adr F --knowledge org=../elsewhere --layer org)"
E

more 'the editor opens the file; what it breaks is told' <<'E'
rm -rf .knowledge && folder && config '{"path": "docs/adr"}'
EDITOR="sed -i 's/proposed/accepted/'" ikm know new adr A --edit --json >out
same '["0001-a","accepted"]' "$(jq -c '[.id,.status]' out)"
same accepted "$(ikm know status 1)"
fails_for PROGRAM_FAILED ikm know new adr B --edit
same 0001-a.md "$(ls docs/adr)"
EDITOR="sh -c 'echo more >>\"\$1\"; exit 1' x" fails_for PROGRAM_FAILED ikm know new adr B -e
same more "$(tail -1 docs/adr/0002-b.md)"
EDITOR="sed -i 's/^status:.*/status: nonsense/'" ikm know new adr C -e >out 2>err
grep -q "^docs/adr/0003-c.md:2: status 'nonsense' is unknown" err
echo docs/adr/0004-d.md >.gitignore
ikm know new adr D >out 2>err
grep -q "'docs/adr/0004-d.md' is not read as an item" err
E

more 'a symbolic link that the reader does not follow gets no item' <<'E'
rm -rf docs && mkdir -p docs/real && ln -s real docs/adr
for source in '' '--source docs/adr'; do
	fails_for NO_SUCH_SOURCE ikm know new adr A $source
	ikm know new adr A $source 2>err || :
	grep -q "docs/adr' is a symbolic link, which ikm does not follow" err
done
rm -rf docs && mkdir real && ln -s real docs
fails_for NO_SUCH_SOURCE ikm know new adr A
rm docs && mkdir -p docs/adr && ln -s ../../real docs/adr/adrs
fails_for NO_SUCH_SOURCE ikm know new adr A
same '' "$(ls real)"
rm -rf docs real
E

more 'the next number of the most frequent style, past those of other styles' <<'E'
folder
for i in 0001-a 0002-b 0003-c 0005-e adr_4-x adr_6-y adr_7-z 2026-01-02-day; do echo '# x' >docs/adr/$i.md; done
ikm know new adr Next >out
ls docs/adr | grep next >got
same 0008-next.md "$(cat got)"
rm -rf docs/adr
E

more 'many at once get as many numbers' <<'E'
folder
for i in 1 2 3 4 5 6 7 8; do
	ikm know new adr "same title" >"out$i" 2>&1 &
done
wait
same "$(printf '000%d-same-title.md\n' 1 2 3 4 5 6 7 8)" "$(ls docs/adr)"
same 8 "$(cat out? | sort -u | grep -c '^000.-same-title  docs/adr')"
same '' "$(find docs -name '.ikm-tmp*')"
rm -rf keps && mkdir keps && echo '# x' >keps/README.md && config '{"path": "keps", "files": "*/README.md"}'
for i in 1 2 3 4; do
	ikm know new adr "title $i" >"out$i" 2>&1 &
done
wait
same '0001 0002 0003 0004 ' "$(find keps -mindepth 2 -name README.md | sed 's|keps/\([0-9]*\).*|\1|' | sort | tr '\n' ' ')"
rm -rf keps && config '{"path": "docs/adr"}'
E

more 'a fault at any effect leaves a whole file, or none' <<'E'
for sign in '' -; do
	n=1
	while :; do
		rm -rf docs
		rc=0
		IKM_FAULT=$sign$n ikm know new adr A >out 2>err || rc=$?
		[ $rc = 0 ] && break
		if [ -e docs/adr/0001-a.md ]; then
			same proposed "$(ikm know status 1)"
		fi
		ikm know new adr B >out
		n=$((n + 1))
	done
	[ $n -gt 2 ] || { echo "only $n effects"; exit 1; }
done
rm -rf docs && mkdir -p docs/adr && chmod 555 docs/adr
[ -w docs/adr ] || fails_for PERMISSION ikm know new adr A
E
done_testing
