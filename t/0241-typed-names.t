#!/bin/sh
# A dependency named as people type it: judged by the grammar of its ecosystem, or refused.
. "$(dirname "$0")/lib.sh"

setup() {
	git init -q app
	cd app
	mkdir -p .ikm docs/adr
	echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
	cat >docs/adr/0001-no-mysql.md <<'M'
---
status: accepted
constraints:
  - operator: must_not_use
    target: dependency
    pattern: mysql2?|requests|mysql-connector-j|@evil/x|.*/go-sql-driver/mysql|ext-mysqli
    severity: block
  - {operator: must_not_use, target: dependency, pattern: lodash, version: <4.17.21, severity: block}
---
# No MySQL
M
}

ask() { # NAME ECOSYSTEM VERSION: the input
	jq -nc --arg n "$1" --arg e "$2" --arg v "$3" '{dependencies: [{name: $n} +
		if $e == "" then {} else {ecosystem: $e} end +
		if $v == "" then {} else {version: $v} end]}'
}

passed() { # NAME ECOSYSTEM VERSION
	ask "$1" "${2-}" "${3-}" | ikm call knowledge_check >../out || [ $? = 1 ]
	jq .passed ../out
}

judged() { # WANT: lines of NAME|ECOSYSTEM|VERSION on standard input
	cp /dev/stdin ../rows
	while IFS='|' read -r name ecosystem version; do
		got=$(passed "$name" "$ecosystem" "$version")
		[ "$got" = "$1" ] || { echo "'$name' '$ecosystem' '$version': $got"; return 1; }
	done <../rows
}

try 'what people type to install it is stopped' <<'E'
setup
judged false <<'R'
mysql2||
MySQL2||
mysql2 ||
"mysql2"||
'mysql2'||
mysql2@3.9||
mysql2@^3||
mysql2@latest||
npm:mysql2||
npm:mysql2@^3||
x@npm:mysql2@3||
x||npm:mysql2@3
x|npm|npm:mysql2@3
mysql2|npm|^3
@evil/x@1||
pkg:npm/mysql2@3.9||
pkg:npm/%40evil/x||
requests==2.31||
requests>=2||
requests[socks]||
requests[socks]>=2 ; python_version < "3.9"||
requests[socks]>=2|pypi|
requests|pypi|>=2
requests @ https://example.org/r.whl||
mysql:8.0||
mysql:8.0|docker|
docker.io/library/mysql:8||
docker.io/library/mysql@sha256:0123456789|docker|
com.mysql:mysql-connector-j||
com.mysql:mysql-connector-j:8.1||
com.mysql:mysql-connector-j:jar:8.1|maven|
github.com/go-sql-driver/mysql@v1.8.1||
https://github.com/go-sql-driver/mysql.git||
mysql2 -v 0.5|gem|
mysql2:0.5|gem|
ext-mysqli||
ext-mysqli:*|composer|
git+https://github.com/x/mysql2.git|npm|
lodash@4.17.20||
lodash@^4||
lodash@4||
R
E

try 'what only resembles it passes' <<'E'
setup
judged true <<'R'
pg||
mysql2-like@1||
@good/x@^1||
node:18||
requests-mock>=1||
lodash@4.17.21||
lodash@^5||
lodash|npm|>=4.17.21
python:3.12-slim||
g:mysql2x:1||
R
E

try 'the real name and the version are shown' <<'E'
setup
passed 'x@npm:mysql2@3'
same 'mysql2 3 (as x)' "$(jq -r '.violations[0].found' ../out)"
passed 'requests[socks]>=2'
same 'requests >=2' "$(jq -r '.violations[0].found' ../out)"
passed mysql:8.0
same 1 "$(jq '.violations | length' ../out)"
E

try 'a name that no ecosystem allows is refused, with its reason and the next step' <<'E'
setup
while IFS='|' read -r name ecosystem version why; do
	ask "$name" "$ecosystem" "$version" >../in
	fails_for BAD_ARGUMENT ikm call knowledge_check <../in >../out 2>../err
	jq -r .message ../out >../said
	grep -qF "dependencies[0].name: '$name'" ../said
	grep -qF "$why" ../said
	jq -e '.help.steps[0] | test("apart")' ../out
done <<'R'
a b c|||no ecosystem writes a package so
mysql2@|||no ecosystem writes a package so
requests==2|npm||NAME@RANGE
monolog|composer||VENDOR/NAME
npm:mysql2|pypi||NAME[EXTRA]>=VERSION
pkg:deb/debian/curl|||no ecosystem of that type
mysql2@3|npm|4|another version is given apart
R
E

try 'an address that does not tell its package is told as not judged' <<'E'
setup
same true "$(passed left-pad npm git+https://example.org/x/left-pad.git)"
same 'dependencies[0] left-pad' "$(jq -r '.unjudged[] | "\(.path) \(.name)"' ../out)"
E

try 'a path with a backslash, or with a blank at an end, is refused' <<'E'
setup
for path in 'packages\a\package.json' 'package.json ' ' package.json'; do
	jq -nc --arg p "$path" '{files: [{path: $p, content: "{\"dependencies\": {\"mysql2\": \"3\"}}"}]}' >../in
	fails_for BAD_PATH ikm call knowledge_check <../in >../out 2>../err
done
E

try 'examples are read in the same way' <<'E'
setup
sed -i 's/^    severity: block$/&\n    examples: {stops: ["npm:mysql2@3.9", "requests[socks]>=2", "mysql:8.0", "pkg:npm\/mysql2"], passes: ["npm:pg@8"]}/' \
	docs/adr/0001-no-mysql.md
ikm know test 1 >../out
grep -q 'examples: 5 of 5 hold' ../out
sed -i 's/"npm:pg@8"/"p g"/' docs/adr/0001-no-mysql.md
ikm know test 1 >../out || true
grep -q "'p g' names no package" ../out
E

done_testing
