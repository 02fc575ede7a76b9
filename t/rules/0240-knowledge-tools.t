#!/bin/sh
# The schemas and examples of the requirement memory and knowledge, held against what ikm prints.
. "$(dirname "$0")/../lib.sh"

# The knowledge of the examples.
mkdir -p know/orgs/acme/adrs
cat >know/orgs/acme/adrs/adr-042-database-selection.md <<'E'
---
title: Database Selection for New Services
summary: Use PostgreSQL for all new services requiring relational data
status: accepted
tags: [database, infrastructure]
severity: block
constraints:
  - operator: must_not_use
    target: dependency
    pattern: mysql|mysql2|mariadb
    message: MySQL not allowed for new services per ADR-042. Use PostgreSQL instead.
---
# Database Selection for New Services

## Decision

PostgreSQL.
E
IKM_KNOWLEDGE=$PWD/know
export IKM_KNOWLEDGE

for tool in memory_add memory_search knowledge_query knowledge_check; do
	export tool
	try "$tool: every property of the required schema, with its type, enum, limits and default" <<'E'
jq -S ".$tool" "$TOP/t/conformance/schemas.json" >required.json
# Descriptions and lengths are ours; so are members that are added, as ecosystem is. Unknown members
# of an object are refused.
ikm tool schema "$tool" --format json-schema | jq -S --slurpfile r required.json '
	walk(if type == "object" then del(.minLength, .maxLength) else . end) |
	walk(if type == "object" and (.description | type) == "string" then del(.description) else . end) |
	del(.properties.dependencies.items.properties.ecosystem) |
	(.properties[].items | objects) |= del(.additionalProperties) |
	{"$schema", type, required, properties: .properties |
		with_entries(select(.key as $k | $r[0].properties | has($k)))} |
	if .required then . else del(.required) end' >ours.json
least 10 required.json
diff -u required.json ours.json
E
done

try 'the required error codes are there' <<'E'
for code in INVALID_INPUT NOT_FOUND PROVIDER_ERROR RATE_LIMITED UNAUTHORIZED TIMEOUT CONFLICT; do
	grep -q "X($code," "$TOP/lib/core/base/err.h"
done
E

try 'the example of knowledge_query' <<'E'
echo '{"query": "database selection", "type": "adr", "status": ["accepted"]}' |
	ikm call knowledge_query >out
jq -S '.items[0] |= {id, type, layer, title, summary, status, tags, hasConstraints}' out >got
jq -S . >want <<'J'
{"success": true, "totalCount": 1, "items": [{
  "id": "adr-042-database-selection", "type": "adr", "layer": "org",
  "title": "Database Selection for New Services",
  "summary": "Use PostgreSQL for all new services requiring relational data",
  "status": "accepted", "tags": ["database", "infrastructure"], "hasConstraints": true}]}
J
diff -u want got
E

try 'the example of knowledge_check' <<'E'
fails 1 sh -c "echo '{\"dependencies\": [{\"name\": \"mysql2\", \"version\": \"3.0.0\"}]}' |
	ikm call knowledge_check >out"
jq -S '{passed, summary, violations: [.violations[] | {knowledgeItemId, knowledgeItemTitle,
	constraint, severity, message}]}' out >got
jq -S . >want <<'J'
{"passed": false, "summary": {"info": 0, "warn": 0, "block": 1}, "violations": [{
  "knowledgeItemId": "adr-042-database-selection",
  "knowledgeItemTitle": "Database Selection for New Services",
  "constraint": {"operator": "must_not_use", "target": "dependency",
    "pattern": "mysql|mysql2|mariadb"},
  "severity": "block",
  "message": "MySQL not allowed for new services per ADR-042. Use PostgreSQL instead."}]}
J
diff -u want got
same false "$(jq '.violations[0] | has("location")' out)"
E

try 'the example of an error' <<'E'
fails 3 sh -c "echo '{\"id\": \"adr-999\"}' | ikm call knowledge_show >out"
jq -S '{success, errorCode, message, retryable, requestedId: .details.requestedId,
	searched: (.details.searchedLayers | type), item}' out >got
jq -S . >want <<'J'
{"success": false, "errorCode": "NOT_FOUND", "message": "Knowledge item 'adr-999' not found",
 "retryable": false, "requestedId": "adr-999", "searched": "array", "item": null}
J
diff -u want got
E

try 'knowledge_show has every required member, with its type' <<'E'
echo '{"id": "adr-042-database-selection", "includeHistory": true}' | ikm call knowledge_show >out
jq -e '.success == true and (.history | type == "array")' out
jq -e '.item | [.id, .type, .layer, .title, .summary, .content, .status, .severity, .createdAt,
	.updatedAt] | all(type == "string")' out
jq -e '.item | (.tags | type) == "array" and (.metadata | type) == "object"' out
jq -e '.item.constraints[0] | .operator == "must_not_use" and .severity == "block"' out
echo '{"id": "adr-042-database-selection", "includeConstraints": false}' | ikm call knowledge_show >out
jq -e '.item | has("constraints") | not' out
same false "$(jq 'has("history")' out)"
E

try "minSeverity's default is warn, and each value leaves out what is less severe" <<'E'
cat >know/orgs/acme/adrs/info.md <<'I'
---
status: accepted
constraints:
  - {operator: must_not_use, target: dependency, pattern: left-pad, severity: info}
  - {operator: must_not_use, target: dependency, pattern: is-odd, severity: warn}
---
# Small things
I
ask() { echo "{\"dependencies\": [{\"name\": \"left-pad\"}, {\"name\": \"is-odd\"}] $1}" |
	ikm call knowledge_check | jq -c '[.passed, .summary.info, .summary.warn, .summary.block]'; }
same '[true,0,1,0]' "$(ask '')"
same '[true,1,1,0]' "$(ask ', "minSeverity": "info"')"
same '[true,0,0,0]' "$(ask ', "minSeverity": "block"')"
rm know/orgs/acme/adrs/info.md
E

try 'an unknown item is NOT_FOUND' <<'E'
fails 3 sh -c "echo '{\"dependencies\": [], \"knowledgeItemIds\": [\"adr-9\"]}' |
	ikm call knowledge_check >out"
same 'NOT_FOUND adr-9' "$(jq -r '.errorCode + " " + .details.requestedId' out)"
E
long 'a file of the input is judged however its path is written, or refused' <<'E'
cd "$T/w"; [ -d p ] || sh "$TOP/t/sample.sh" p
cd p
ask() { echo "{\"files\": [{\"path\": \"$1\", \"content\": \"console.log(1)\"}${2-}]}" |
	ikm call knowledge_check; }
for path in src/a.js ./src/a.js src//a.js src/./a.js lib/../src/a.js "$PWD/src/a.js"; do
	same 'src/a.js' "$(ask "$path" | jq -r .violations[0].location.file)"
done
for path in ../a.js /etc/passwd / . src/../.. 'a\u0000b'; do
	fails 2 ask "$path" >out
	same BAD_PATH "$(jq -r .details.reason out)"
done
fails 2 ask src/a.js ', {"path": "./src/a.js", "content": ""}' >out
grep -q "files has 'src/a.js' more than once" out
E

done_testing
