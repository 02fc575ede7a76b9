#!/bin/sh
# A dependency named as people type it: judged by the grammar of its ecosystem, or refused.
. "$(dirname "$0")/../lib.sh"

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
	sample 1 >../rows
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

more 'what only resembles it passes' <<'E'
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

more 'the real name and the version are shown' <<'E'
setup
passed 'x@npm:mysql2@3'
same 'mysql2 3 (as x)' "$(jq -r '.violations[0].found' ../out)"
passed 'requests[socks]>=2'
same 'requests >=2' "$(jq -r '.violations[0].found' ../out)"
passed mysql:8.0
same 1 "$(jq '.violations | length' ../out)"
E

more 'a name that no ecosystem allows is refused, with its reason and the next step' <<'E'
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

more 'an address that does not tell its package is told as not judged' <<'E'
setup
same true "$(passed left-pad npm git+https://example.org/x/left-pad.git)"
same 'dependencies[0] left-pad' "$(jq -r '.unjudged[] | "\(.path) \(.name)"' ../out)"
E

more 'a path with a backslash, or with a blank at an end, is refused' <<'E'
setup
for path in 'packages\a\package.json' 'package.json ' ' package.json'; do
	jq -nc --arg p "$path" '{files: [{path: $p, content: "{\"dependencies\": {\"mysql2\": \"3\"}}"}]}' >../in
	fails_for BAD_PATH ikm call knowledge_check <../in >../out 2>../err
done
E

ranges() { # RANGE, and lines of NAME on standard input: rules that forbid these versions
	printf -- '---\nstatus: accepted\nconstraints:\n'
	while read -r name; do
		printf '  - {operator: must_not_use, target: dependency, pattern: "%s", version: "%s", severity: block}\n' \
			"$name" "$1"
	done
	printf -- '---\n# Old versions\n'
}

more 'without an ecosystem a version counts as whole as with it' <<'E'
setup
tr ' ' '\n' <<'N' | ranges '<20' >docs/adr/0001-no-mysql.md
requests uvicorn celery psycopg numpy mysql node php postgres eclipse-temurin pkg http rails
phoenix serde left-pad dapper zlib fmt .*/pkg vendor/pkg g.h:a ghcr.io/a/b maven python
N
while IFS='|' read -r good bad ecosystem; do
	for as in '' "$ecosystem"; do
		same "$good $as true" "$good $as $(passed "$good" "$as")"
		same "$bad $as false" "$bad $as $(passed "$bad" "$as")"
	done
done <<'R'
requests[socks]>=20|requests[socks]>=2|pypi
requests[socks]==20.1|requests[socks]==2.1|pypi
uvicorn[standard]>=20.1|uvicorn[standard]>=0.20|pypi
celery[redis,s3]~=20.3|celery[redis,s3]~=5.3|pypi
psycopg[binary]==20.1.18|psycopg[binary]==3.1.18|pypi
requests>=20 ; python_version < "3.9"|requests>=2 ; python_version < "3.9"|pypi
requests@^20|requests@^2|pypi
node:20-alpine|node:18-alpine|docker
node:20.9.0-bullseye-slim|node:19.9.0-bullseye-slim|docker
mysql:20.0-debian|mysql:8.0-debian|docker
php:20-fpm|php:8.1-fpm|docker
python:20-slim|python:3.10-slim|docker
maven:20-eclipse-temurin-17|maven:3.9-eclipse-temurin-17|docker
eclipse-temurin:21-jre|eclipse-temurin:17-jre|docker
postgres:20.2-alpine3.19|postgres:16.2-alpine3.19|docker
ghcr.io/a/b:20-slim|ghcr.io/a/b:2-slim|docker
node:20|node:18|docker
node:v20-alpine|node:v18-alpine|docker
node:20.1.RELEASE|node:18.1.RELEASE|docker
rails:20.0|rails:20.0.0.beta2|gem
node:20|node:latest|docker
numpy[version='>=20']|numpy[version='>=1']|conda
numpy=20.1|numpy=1.26|conda
http:^20.0.0|http:^1.0.0|pub
http:20.0.0|http:19.0.0-dev.1|pub
rails:20.1|rails:7.0|gem
phoenix@20.1.0|phoenix@1.7.0|hex
serde@20|serde@1|cargo
left-pad@^20|left-pad@1.x|npm
Dapper@20.1|Dapper@2.1|nuget
zlib/20.1|zlib/1.3|conan
vendor/pkg:^20|vendor/pkg:^1|composer
g.h:a:20-jre|g.h:a:1-jre|maven
github.com/a/pkg@v20.0.0|github.com/a/pkg@v1.2.3|go
R
# A triplet is no version.
same false "$(passed fmt:x64-windows)"
same false "$(passed fmt:x64-windows vcpkg)"
same false "$(passed 'zlib[core]:x64-linux')"
while read -r name; do
	ask "$name" "" "" >../in
	fails_for BAD_ARGUMENT ikm call knowledge_check <../in >../out
done <<'R'
numpy[mkl]=1.26
requests[socks]/1.0
requests[a=b
R
# The examples of a rule are read alike.
sed -i "s/pattern: \"requests\", version: \"<20\"/&, examples: {stops: ['requests[socks]>=2'], passes: ['requests[socks]>=20']}/" \
	docs/adr/0001-no-mysql.md
ikm lint --json >../out || :
same '' "$(jq -r '.. | .message? // empty' ../out | grep socks)"
ikm know test 1 >../out
grep -q 'examples: 2 of 2 hold' ../out
E

more 'examples are read in the same way' <<'E'
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
