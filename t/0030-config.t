#!/bin/sh
# Settings: where each comes from, what a repository may not say.
. "$(dirname "$0")/lib.sh"

git init -q repo
mkdir -p repo/.ikm repo/sub "$HOME/.ikigai"

try 'each origin wins over the one before' <<'E'
cd repo
get() { ikm "$@" config get check.minSeverity --json | jq -r '.value + " " + .origin'; }
same 'warn built in' "$(get)"
echo '{"check": {"minSeverity": "info"}}' >"$HOME/.ikigai/config.json"
same 'info user' "$(get)"
echo '{"check": {"minSeverity": "block"}}' >.ikm/config.json
same 'block repository' "$(get)"
IKM_CHECK_MIN_SEVERITY=warn
export IKM_CHECK_MIN_SEVERITY
same 'warn environment' "$(get)"
same 'info command line' "$(get -c check.minSeverity=info)"
same 'block repository' "$(unset IKM_CHECK_MIN_SEVERITY; get -C sub)"
rm "$HOME/.ikigai/config.json" .ikm/config.json
E

try 'a list adds up, and --show-origin tells the parts' <<'E'
cd repo
echo '{"knowledge": {"sources": [{"path": "/srv/knowledge", "layer": "org"}]}}' >"$HOME/.ikigai/config.json"
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
ikm config list --show-origin >out
grep -q "^user .*/srv/knowledge" out
grep -q "^repository (.ikm/config.json).*docs/adr" out
rm "$HOME/.ikigai/config.json" .ikm/config.json
E

try 'a repository may not name roots or places outside' <<'E'
cd repo
echo '{"files": {"roots": ["/"]}}' >.ikm/config.json
fails 2 ikm config list --json >../out
same UNTRUSTED_CONFIG "$(jq -r .details.reason ../out)"
jq -r .message ../out | grep -q "files.roots"
for path in /srv/knowledge ../other '~/knowledge' a/../../b; do
	printf '{"knowledge": {"sources": [{"path": "%s"}]}}' "$path" >.ikm/config.json
	fails 2 ikm know list --json >../out
	same UNTRUSTED_CONFIG "$(jq -r .details.reason ../out)"
done
rm .ikm/config.json
E

try 'an unknown key is an error with the nearest name and its line' <<'E'
cd repo
printf '{\n "check": {\n  "minSeverty": "warn"\n }\n}\n' >.ikm/config.json
fails 2 ikm config list 2>../err
grep -q ".ikm/config.json, line 3: unknown setting 'check.minSeverty'; did you mean 'check.minSeverity'?" ../err
E

try 'wrong types and broken JSON are errors with a place' <<'E'
cd repo
echo '{"check": {"maxFileSize": "large"}}' >.ikm/config.json
fails 2 ikm config list 2>../err
grep -q "check.maxFileSize. must be a whole number" ../err
printf '{"check": {\n"minSeverity" "warn"}}' >.ikm/config.json
fails 2 ikm config list 2>../err
grep -q 'config.json.*line 2' ../err
echo '[]' >.ikm/config.json
fails_for BAD_CONFIG ikm config list
rm .ikm/config.json
E

try 'the nearest file upwards counts, and never one above the top' <<'E'
mkdir -p .ikm
echo '{"check": {"minSeverity": "info"}}' >.ikm/config.json
cd repo/sub
same warn "$(ikm config get check.minSeverity)"
mkdir -p .ikm
echo '{"check": {"minSeverity": "block"}}' >.ikm/config.json
same block "$(ikm config get check.minSeverity)"
same warn "$(ikm -C .. config get check.minSeverity)"
E

try 'outside a repository there is no repository setting' <<'E'
cd "$HOME"
same warn "$(ikm config get check.minSeverity)"
fails_for NO_SUCH_SETTING ikm config get no.such
fails_for BAD_ARGUMENT ikm -c nonsense config list
E
done_testing
