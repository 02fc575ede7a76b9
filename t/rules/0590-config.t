#!/bin/sh
# Rules on settings, from the decision to the stopped commit.
. "$(dirname "$0")/../lib.sh"

start() {
	rm -rf r
	git init -q -b main r
	cd r
	mkdir -p .knowledge/adrs deploy
	cat >.knowledge/adrs/0001-settings.md <<'M'
---
status: accepted
severity: block
constraints:
  - operator: must_not_use
    target: config
    pattern: '(^|\.)debug=true$'
    appliesTo: ['*']
    message: It prints the secrets of customers.
    useInstead: log.level
    examples:
      stops: [debug=true, app.debug=true]
      passes: [debug=false, debugger=true]
  - operator: must_exist
    target: config
    pattern: server.tls
---
# Settings of services
M
	printf 'server:\n  tls: {min: "1.3"}\n' >deploy/app.yaml
	git add -A
	git commit -qm decide
}

try 'a setting is stopped with its line, and a lost one is told' <<'E'
start
ikm check --all
printf '{\n  // why\n  "app": {"debug": true},\n}\n' >app.json
git add -A
fails 1 ikm check --staged >../text
grep -q '^  where  *app.json:3:11  app.debug=true$' ../text
grep -q '^  reason  *It prints the secrets' ../text
grep -q '^  use instead log.level$' ../text
git rm -qf app.json
echo 'server: {}' >deploy/app.yaml
git add -A
fails 1 ikm check --staged --json >../out
same '["0001-settings","must_exist"]' \
	"$(jq -c '.violations[] | [.knowledgeItemId, .constraint.operator]' ../out)"
E

try 'a file that does not parse, and a format without a reader, are told' <<'E'
start
sed -i "s|\['\*'\]|[deploy/]|" .knowledge/adrs/0001-settings.md
git add -A; git commit -qm narrow
printf 'a: {{ .Values.a }}: {{\n' >deploy/t.yaml
echo 'debug true;' >deploy/nginx.conf
echo 'debug = true' >other.conf
git add -A
ikm check --staged >../text
grep -q '^not judged: deploy/nginx.conf: ikm cannot read the settings of this format' ../text
grep -q '^not judged: deploy/t.yaml: rules on settings cannot judge this file: line 1, ' ../text
not grep -q other.conf ../text
fails 1 ikm -c check.unjudged=block check --staged --json >../out
same 'unread_config unreadable_config' "$(jq -r '[.unjudged[].reason] | sort | join(" ")' ../out)"
E

try 'examples of settings, what binds a file, and a glob that finds none' <<'E'
start
ikm know test 0001-settings >../tested
sed -i 's/debug=false, /x.debug=true, /' .knowledge/adrs/0001-settings.md
fails 1 ikm lint >../linted
grep -q "'x.debug=true', is stopped" ../linted
ikm know for deploy/app.yaml >../binds
grep -q 0001-settings ../binds
sed -i "s|\['\*'\]|[README.md]|; /x.debug/d" .knowledge/adrs/0001-settings.md
echo x >README.md
git add -A
ikm lint >../linted || :
grep -q "appliesTo 'README.md' matches no file of settings" ../linted
E
done_testing
