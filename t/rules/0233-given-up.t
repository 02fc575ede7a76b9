#!/bin/sh
# Patterns that backtrack for ever: each is tried in some files, named, and given up for the rest.
. "$(dirname "$0")/../lib.sh"

slow='(x+x+)+y'
export slow

start() { # NAME, constraints
	mkdir -p "$1/.knowledge/adrs"
	cd "$1"
	git init -q
	printf -- '---\nstatus: accepted\nseverity: block\nconstraints:\n%s\n---\n# Rules\n' "$2" \
		>.knowledge/adrs/rules.md
	git add -A
	git commit -qm rules
}
# The y keeps a quick answer away.
bad() { head -c 3000 /dev/zero | tr '\0' x; printf '\ny\n'; }
many() { # N SUFFIX: a01.c, a02.c, …
	for i in $(seq -w "$1"); do bad >"a$i$2"; done
}
unjudged() { jq -c '[.unjudged[] | select(.reason == "given_up") | [.path, .severity, .blocks, .message]]' "$1"; }

try 'text that must not occur: eight findings, and one line for the rest' <<'E'
start code "  - {operator: must_not_use, target: code, pattern: '$slow', appliesTo: ['*.c', '*.h']}"
many 20 .c
# Behind the files that are hopeless: what is found there is told for all files or for none.
for i in $(seq 300); do echo xxy >"z$i.h"; done
fails 1 timeout 60 ikm check --json >../one.json
same '[".knowledge/adrs/rules.md","block",false,"the pattern was not tried in 312 files after it reached its match limit in 8: (x+x+)+y"]' \
	"$(unjudged ../one.json | jq -c '.[]')"
same 8 "$(jq '.violations | length' ../one.json)"
same 'a01.c a02.c a03.c a04.c a05.c a06.c a07.c a08.c' "$(jq -r '[.violations[].location.file] | join(" ")' ../one.json)"
fails 1 ikm check >../out
grep -Fx "not judged: .knowledge/adrs/rules.md: the pattern was not tried in 312 files after it reached its match limit in 8: $slow (rule rules)" ../out
grep '^8 blocking violations' ../out
E

long 'where the base had it, it is existing; check.unjudged: block stops that too' <<'E'
cd code
git add -A
git commit -qm slow
for f in a*.c; do echo more >>"$f"; done
git add -A
fails 1 ikm -c check.unjudged=block check --staged --json >../out.json
same '[0,8]' "$(jq -c '[(.violations | length), .checked.existing]' ../out.json)"
same true "$(unjudged ../out.json | jq '.[0][2]')"
E

long 'few files are all judged' <<'E'
cd code
git reset -q --hard HEAD~1
many 7 .c
echo xxy >z.h
fails 1 ikm check --json >../out.json
same '[8,0]' "$(jq -c '[.summary.block, ([.unjudged[] | select(.reason == "given_up")] | length)]' ../out.json)"
E

more 'text that must be in every file' <<'E'
start must "  - {operator: must_match, target: code, pattern: '$slow', appliesTo: ['*.c']}"
many 12 .c
fails 1 timeout 60 ikm check --json >../out.json
same 8 "$(jq .summary.block ../out.json)"
unjudged ../out.json | grep 'not tried in 4 files'
E

more 'text that one file must have: a file before the hopeless ones counts' <<'E'
start one "  - {operator: must_use, target: code, pattern: '$slow', appliesTo: ['*.c']}"
many 12 .c
fails 1 timeout 60 ikm check --all --json >../out.json
jq -r '.violations[].message' ../out.json | grep 'reached its match limit'
unjudged ../out.json | grep 'not tried in 4 files'
echo xxy >a00.c
timeout 60 ikm check --all --json >../out.json
same 0 "$(jq .summary.block ../out.json)"
E

more 'paths' <<'E'
start paths "  - {operator: must_not_match, target: file, pattern: '$slow'}"
long=$(head -c 200 /dev/zero | tr '\0' x)
mkdir "$long"
for i in $(seq -w 30); do : >"$long/$i.y"; done
fails 1 timeout 60 ikm check --json >../out.json
same 8 "$(jq .summary.block ../out.json)"
unjudged ../out.json | grep 'not tried in 22 files'
E

more 'names of dependencies: in one manifest, in many, and in a plan' <<'E'
start deps "  - {operator: must_not_use, target: dependency, pattern: '(x+x+)+y'}"
names() { seq 500 | sed "s/.*/\"$(head -c 100 /dev/zero | tr '\0' x)y&\": \"1\"/" | paste -sd,; }
for i in $(seq -w 12); do
	mkdir "$i"
	printf '{"dependencies": {%s}}\n' "$(names)" >"$i/package.json"
done
fails 1 timeout 120 ikm check --json >../out.json
same 8 "$(jq .summary.block ../out.json)"
unjudged ../out.json | grep 'not tried in 4 files'
names | jq -Rc '"{\(.)}" | fromjson | {dependencies: [keys[] | {name: .}]}' >../plan.json
timeout 60 ikm call knowledge_check <../plan.json >../out.json || [ $? = 1 ]
jq -r '.violations[].message' ../out.json | grep 'reached its match limit'
E
done_testing
