#!/bin/sh
# A decision that is renamed, renumbered or moved keeps its rules, and its former ids still name it.
. "$(dirname "$0")/../lib.sh"

conf() { printf '{"knowledge": {"sources": [{"path": "%s"}]}}\n' "$1" >.ikm/config.json; }
one=docs/adr/0001-no-mysql.md

# A repository with one rule; its text is so short that few new lines make another file of it.
app() {
	cd "$T/w"
	rm -rf app
	git init -q -b main app
	cd app
	mkdir -p .ikm docs/adr
	conf docs/adr
	decision "No MySQL" >$one
	echo '# Decisions' >docs/adr/README.md # so that the folder stays
	echo '{"dependencies": {"pg": "^3"}}' >package.json
	git add -A
	git commit -qm base
}
# shellcheck disable=SC2120 # calls in bodies pass arguments
decision() { # title, further lines of the front matter
	printf -- '---\nstatus: %s\n%bconstraints:\n' "${status-accepted}" "${2-}"
	printf '  - {operator: must_not_use, target: dependency, pattern: mysql2, severity: block}\n'
	printf -- '---\n# %s\n' "${1-No MySQL}"
}
essay() { i=0; while [ $i -lt 40 ]; do echo "Line $i says more about databases."; i=$((i + 1)); done; }
changes() {
	git add -A
	ikm check --staged --json >../out || :
	jq -r '.ruleChanges[] | select(.change != "setting") | "\(.change) \(.item)"' ../out
}

long 'renumbered and written anew: the title, or the name, shows what it was' <<'E'
app; git rm -q $one
{ decision | sed s/mysql2/mysql3/; essay; } >docs/adr/0017-databases.md
same 'edited 0001-no-mysql' "$(changes)"
app; git rm -q $one
{ decision 'Other title' | sed s/mysql2/mysql3/; essay; } >docs/adr/0017-no-mysql.md
same 'edited 0001-no-mysql' "$(changes)"
app; git rm -q $one
{ status=deprecated; decision; essay; } >docs/adr/0017-databases.md
same 'retired 0001-no-mysql' "$(changes)"
E

long 'another decision is no successor, nor are two with the same title' <<'E'
app; git rm -q $one
{ decision 'No Oracle' | sed s/mysql2/oracledb/; essay; } >docs/adr/0017-oracle.md
same 'lost 0001-no-mysql
added 0017-oracle' "$(changes)"
app; git rm -q $one
for n in 17 18; do { decision | sed "s/mysql2/mysql$n/"; essay; } >docs/adr/00$n-x.md; done
same 'lost 0001-no-mysql
added 0017-x
added 0018-x' "$(changes)"
E

try 'an id in the front matter outlives every name' <<'E'
app; decision 'No MySQL' 'id: no-mysql\n' >$one; git add -A; git commit -qm id
git rm -q $one
{ decision 'Databases' 'id: no-mysql\n' | sed s/mysql2/mysql3/; essay; } >docs/adr/databases.md
same 'edited no-mysql' "$(changes)"
E

try 'moved with its folder and the setting: no rule goes, and a retired one is retired' <<'E'
app; git mv docs/adr docs/decisions; conf docs/decisions
same '' "$(changes)"
same true "$(jq .passed ../out)"
status=deprecated; decision >docs/decisions/0001-no-mysql.md
same 'retired 0001-no-mysql' "$(changes)"
same true "$(jq .passed ../out)"
E

long 'ikm why finds a decision by the ids that it had' <<'E'
app; git mv $one docs/adr/0005-mysql.md
ikm why 0001-no-mysql >../out
grep -q '^0001-no-mysql is 0005-mysql now$' ../out
grep -q '^No MySQL$' ../out
git commit -qam mv; mkdir docs/adr/old; git mv docs/adr/0005-mysql.md docs/adr/old/7.md
git commit -qam mv2; essay >>docs/adr/old/7.md; git commit -qam more
for id in 0001-no-mysql 0005-mysql; do
	same "7 $id" "$(ikm why $id --json | jq -r '"\(.item.id) \(.formerId)"')"
done
same null "$(ikm why 7 --json | jq .formerId)"
git rm -q docs/adr/old/7.md; git commit -qm rm
fails_for NO_SUCH_ITEM ikm why 0001-no-mysql 2>../err
fails_for NO_SUCH_ITEM ikm why 0002-never 2>../err
E
done_testing
