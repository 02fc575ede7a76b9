#!/bin/sh
# config set and config unset: one setting changes in a file, and every other byte stays.
. "$(dirname "$0")/../lib.sh"

user=$HOME/.ikigai/config.json
export user
mkdir "$HOME/.ikigai"
git init -q repo
mkdir -p repo/sub repo/.ikm

# A table: the file before ('-': none), the words behind 'config', the file after. \n and \t as in
# printf. Each row also says whether it changed the file.
cat >"$T/edits" <<'E'
-|set check.minSeverity block|{\n  "check": {\n    "minSeverity": "block"\n  }\n}\n
 |set user ada|{\n  "user": "ada"\n}\n
{}|set user ada|{\n  "user": "ada"\n}
{}|set undo.days 7|{\n  "undo": {\n    "days": 7\n  }\n}
{"user":"ada"}|set user bob|{"user":"bob"}
{"user":"ada"}|set undo.days 7|{"user":"ada", "undo": {"days": 7}}
{ "undo" : { "days" : 7 } }\n|set undo.days 8|{ "undo" : { "days" : 8 } }\n
{"undo.days": 7}|set undo.days 8|{"undo.days": 8}
{"undo.days": 7}|set undo.bytes 8|{"undo.days": 7, "undo.bytes": 8}
{"undo": {"days": 7}, "undo.bytes": 9}|set undo.bytes 8|{"undo": {"days": 7}, "undo.bytes": 8}
{"undo": {"days": 7}, "undo.days": 9}|set undo.days 8|{"undo.days": 8}
{"undo.days": 9, "user": "a", "undo": {"days": 7}}|set undo.days 8|{"user": "a", "undo": {"days": 8}}
{"undo": {"days": 7}, "undo.days": 9}|unset undo.days|{}
{\n\t"user": "ada"\n}\n|set undo.days 7|{\n\t"user": "ada",\n\t"undo": {\n\t\t"days": 7\n\t}\n}\n
{\r\n  "user": "ada"\r\n}\r\n|set undo.days 7|{\r\n  "user": "ada",\r\n  "undo": {\r\n    "days": 7\r\n  }\r\n}\r\n
{\n    "a.b": 1,\n    "undo": {\n        "bytes": 1\n    }\n}|set undo.days 7|{\n    "a.b": 1,\n    "undo": {\n        "bytes": 1,\n        "days": 7\n    }\n}
{"undo": {}}|set undo.days 7|{"undo": {"days": 7}}
{"$schema": "x",  "user": "\\u00e9"}|set session s|{"$schema": "x",  "user": "\\u00e9", "session": "s"}
\357\273\277{"user": "ada"}|set user bob|\357\273\277{"user": "bob"}
{"undo": {"days": 7, "bytes": 9}}|unset undo.days|{"undo": {"bytes": 9}}
{"undo": {"days": 7, "bytes": 9}}|unset undo.bytes|{"undo": {"days": 7}}
{\n  "user": "ada",\n  "undo": {\n    "days": 7\n  }\n}|unset undo.days|{\n  "user": "ada"\n}
{\n  "undo": {\n    "days": 7\n  },\n  "user": "ada"\n}|unset undo.days|{\n  "user": "ada"\n}
{"chek": {"x": 1}, "user": "a"}|unset chek.x|{"user": "a"}
{"chek": {}, "user": "a"}|unset chek|{"user": "a"}
{"check": 5, "user": "a"}|unset check|{"user": "a"}
-|set sync.users a b|{\n  "sync": {\n    "users": ["a", "b"]\n  }\n}\n
-|set sync.users a,b|{\n  "sync": {\n    "users": ["a", "b"]\n  }\n}\n
-|set sync.users ["a","b,c"]|{\n  "sync": {\n    "users": ["a", "b,c"]\n  }\n}\n
{"sync": {"users": ["a"]}}|set sync.users []|{"sync": {"users": []}}
{"sync": {"users": [ "a" ]}}|set --add sync.users b a c|{"sync": {"users": [ "a", "b", "c" ]}}
{"sync": {"users": []}}|set --add sync.users b|{"sync": {"users": ["b"]}}
{}|set --add sync.layers user|{\n  "sync": {\n    "layers": ["project", "team", "org", "company", "user"]\n  }\n}
{}|set --add sync.layers team|=
{}|set --add sync.users b|{\n  "sync": {\n    "users": ["b"]\n  }\n}
{"sync": {"users": [\n"a",\n"b",\n"a"\n]}}|set --remove sync.users a x|{"sync": {"users": [\n"b"\n]}}
{"sync": {"users": ["a"]}}|set --remove sync.users a|{"sync": {"users": []}}
-|set knowledge.requires ORG team|{\n  "knowledge": {\n    "requires": ["org", "team"]\n  }\n}\n
-|set check.minSeverity BLOCK|{\n  "check": {\n    "minSeverity": "block"\n  }\n}\n
-|set tools.bash true|{\n  "tools": {\n    "bash": true\n  }\n}\n
-|set memory.org |{\n  "memory": {\n    "org": ""\n  }\n}\n
-|set --repo lint.disable date|{\n  "lint": {\n    "disable": ["date"]\n  }\n}\n
{"files": {"roots": ["/"]}}|unset --repo files.roots|{}
-|set knowledge.sources {"path":"/k","layer":"org"}|{\n  "knowledge": {\n    "sources": [\n      {"path": "/k", "layer": "org"}\n    ]\n  }\n}\n
{"knowledge": {"sources": [\n {"path": "a"}\n]}}|set --add knowledge.sources {"path":"b"}|{"knowledge": {"sources": [\n {"path": "a"},\n {"path": "b"}\n]}}
{"knowledge": {"sources": [{"layer": "org", "path": "a"}, {"path": "b"}]}}|set --remove knowledge.sources {"path":"a","layer":"org"}|{"knowledge": {"sources": [{"path": "b"}]}}
{"knowledge.sources": [{"path": "a"}], "knowledge": {"sources": [{"path": "b"}]}}|set --remove knowledge.sources {"path":"a"}|{"knowledge.sources": [], "knowledge": {"sources": [{"path": "b"}]}}
{"user":"ada"}|set user ada|=
{"undo": {"days": 7}}|unset undo.bytes|=
-|unset undo.bytes|-
{"sync": {"users": ["a"]}}|set --add sync.users a|=
{"sync": {"users": ["a"]}}|set --remove sync.users b|=
{"knowledge": {"sources": [{"layer": "org", "path": "a"}]}}|set --add knowledge.sources {"path":"a","layer":"org"}|=
E

long 'one setting changes, and every other byte stays' <<'E'
cd repo
file() { case $1 in *--repo*) echo .ikm/config.json ;; *) echo "$user" ;; esac; }
rows=0
while IFS='|' read -r before words after; do
	rm -f "$user" .ikm/config.json
	at=$(file "$words")
	case $before in -) ;; *) printf "$(printf %s "$before" | sed 's/%/%%/g')" >"$at" ;; esac
	case $after in = | -) changed=false ;; *) changed=true ;; esac
	case $after in = ) after=$before ;; esac
	case $words in *' ') set -- ${words% } '' ;; *) set -- $words ;; esac
	ikm config "$@" --json >out || { echo "refused: $before | $words"; exit 1; }
	if [ "$after" = - ]; then
		[ ! -e "$at" ]
	else
		printf "$(printf %s "$after" | sed 's/%/%%/g')" >want
		cmp want "$at" || { echo "$before | $words"; od -c "$at"; exit 1; }
	fi
	[ "$(jq -r .changed out)" = $changed ] || { echo "$words"; cat out; exit 1; }
	# The reader agrees, and the second time there is nothing to do.
	case $words in 'unset che'*) again='fails_for NO_SUCH_SETTING' ;; *) again= ;; esac
	$again ikm config "$@" --json >out
	[ "$(jq -r .changed out)" != true ] || { echo "again: $before | $words"; exit 1; }
	rows=$((rows + 1))
done <"$T/edits"
[ $rows -gt 40 ]
rm -f "$user" .ikm/config.json
E

# A table: the file, the words, the reason, a part of the message. The file stays as it is.
cat >"$T/refusals" <<'E'
{"user": }|set user ada|BAD_JSON|config.json: line 1, column 10: expected a value
{"user": "a",\n"user": "b"}|set user ada|BAD_JSON|line 2, column 1: the name "user" occurs twice
{"user": "a"|unset user|BAD_JSON|line 1, column 13
{"user": "\351"}|set user ada|BAD_UTF8|line 1
[]|set user ada|BAD_CONFIG|must hold an object, not a list
{"user": "x",\n"undo": 5}|set undo.days 7|BAD_CONFIG|line 2: 'undo' is a number, not an object
{"sync": {"users": "a"}}|set --add sync.users b|BAD_CONFIG|'sync.users' is a string, not a list
{}|set undo.days x|BAD_CONFIG|'undo.days' cannot be 'x'; allowed: a whole number, 0 to 36500 days
{}|set undo.days 36501|BAD_CONFIG|'undo.days' cannot be 36501
{}|set undo.days 1 2|BAD_ARGUMENT|'undo.days' takes one value, not 2
{}|set undo.days|MISSING_PARAMETER|value
{}|set check.minSeverity severe|BAD_CONFIG|allowed: info, warn, block
{}|set check.lostRules info|BAD_CONFIG|allowed: warn, block
{}|set tools.bash yes|BAD_CONFIG|allowed: true or false
{}|set knowledge.requires org x|BAD_CONFIG|cannot be a list with 'x' in it
{}|set knowledge.sources docs|BAD_JSON|write an object, such as
{}|set --add knowledge.sources docs|BAD_JSON|'docs' is no JSON
{}|set knowledge.sources {"paht":"docs"}|BAD_CONFIG|'paht' is unknown
{}|set knowledge.sources {"layer":"org"}|BAD_CONFIG|a source has no path
{}|set --repo knowledge.sources {"path":"../x"}|UNTRUSTED_CONFIG|outside the repository
{}|set --repo files.roots /|UNTRUSTED_CONFIG|a repository may not set 'files.roots'
{}|set --add undo.days 7|BAD_ARGUMENT|'undo.days' is no list
{}|set --add --remove lint.disable a|BAD_ARGUMENT|cannot be used together
{}|set --global --repo lint.disable a|BAD_ARGUMENT|cannot be used together
{}|set check.minSeverty warn|NO_SUCH_SETTING|did you mean 'check.minSeverity'?
{}|set check warn|NO_SUCH_SETTING|'check'; it is a group of settings, such as 'check.agentProtected'
{"check": {"minRules": 1}}|unset check|NO_SUCH_SETTING|it is a group of settings
{}|unset check.minSeverty|NO_SUCH_SETTING|did you mean 'check.minSeverity'?
{"$schema": "x"}|unset $schema|NO_SUCH_SETTING|no such setting '$schema'
E

more 'what is not allowed is refused with its place, and the file stays' <<'E'
cd repo
rows=0
while IFS='|' read -r before words reason said; do
	printf "$before" >"$user"
	printf "$before" >.ikm/config.json
	printf "$before" >want
	fails_for $reason ikm config $words 2>err || { echo "$before | $words"; cat err; exit 1; }
	grep -Fq -- "$said" err || { cat err; echo "not said: $said"; exit 1; }
	cmp want "$user"
	cmp want .ikm/config.json
	rows=$((rows + 1))
done <"$T/refusals"
[ $rows -gt 25 ]
rm -f "$user" .ikm/config.json
[ -z "$(find "$HOME/.ikigai" .ikm -name '.ikm-tmp-*')" ]
E

more 'the text says the old and the new value, and which place decides' <<'E'
cd repo
same "check.minSeverity=block in $user" "$(ikm config set check.minSeverity block)"
same "check.minSeverity=info in $user (was block)" "$(ikm config set check.minSeverity info)"
same "check.minSeverity=info is already in $user: nothing changed" \
	"$(ikm config set check.minSeverity info)"
ikm config set --repo check.minSeverity block >/dev/null
same "check.minSeverity=warn in $user (was info)
not in force here: check.minSeverity=warn; in force: block, repository (.ikm/config.json)" \
	"$(ikm config set check.minSeverity warn)"
same "check.minSeverity is no longer in $PWD/.ikm/config.json (was block)
in force here: check.minSeverity=warn, user ($user)" "$(ikm config unset --repo check.minSeverity)"
same "check.minSeverity is no longer in $user (was warn)
in force here: check.minSeverity=warn, built in (built in)" "$(ikm config unset check.minSeverity)"
same "check.minSeverity is not in $user: nothing changed
in force here: check.minSeverity=block, command line (-c check.minSeverity)" \
	"$(ikm -c check.minSeverity=block config unset check.minSeverity)"
IKM_UNDO_DAYS=3 ikm config set undo.days 5 --json >../out
same '{"old":null,"value":5,"inForce":3,"origin":"environment","where":"IKM_UNDO_DAYS","overridden":true,"scope":"user"}' \
	"$(jq -c '{old, value, inForce, origin, where, overridden, scope}' ../out)"
ikm config set knowledge.sources '{"path": "/k"}' >/dev/null
ikm config set --repo knowledge.sources '{"path": "docs"}' | grep -q 'members of other places count too'
same '/k docs' "$(ikm config get knowledge.sources --json | jq -r '[.value[].path] | join(" ")')"
rm -f "$user" .ikm/config.json
E

more 'a file with other mistakes can be repaired key by key' <<'E'
cd repo
printf '{"chek": {"x": 1}, "undo": {"days": -5}, "check": 5}' >"$user"
fails_for BAD_CONFIG ikm config list
ikm config set undo.days 30 | grep -q "^the settings still have a mistake: .*unknown setting 'chek.x'"
ikm config unset chek.x | grep -q "unknown setting 'check'"
same '' "$(ikm config unset check | grep mistake)"
same '{"undo": {"days": 30}}' "$(cat "$user")"
ikm config list >/dev/null
rm "$user"
E

more 'the file of the repository: the nearest one that is there, else at the top' <<'E'
cd repo/sub
same "$(cd .. && pwd)/.ikm/config.json" "$(ikm config set --repo check.minRules 1 --json | jq -r .file)"
mkdir .ikm
echo '{}' >.ikm/config.json
ikm config set --repo check.minRules 2 >out
grep -q "/sub/.ikm/config.json$" out
grep -q 'read the .ikm/config.json at the top' out
rm -r .ikm ../.ikm/config.json
cd "$T"
fails_for NO_REPOSITORY ikm config set --repo check.minRules 1
git init -q --bare bare.git
cd bare.git
fails_for NO_REPOSITORY ikm config set --repo check.minRules 1 2>err
grep -q 'is a bare repository: it has no working tree' err
E

more 'a home that is missing is made for its owner alone; a link stays a link' <<'E'
rmdir "$HOME/.ikigai"
fails_for BAD_CONFIG ikm config set undo.days x
[ ! -e "$HOME/.ikigai" ]
ikm config set undo.days 7 >/dev/null
same 700 "$(stat -c %a "$HOME/.ikigai")"
mkdir dotfiles
mv "$user" dotfiles/ikm.json
ln -s "$PWD/dotfiles/ikm.json" "$user"
chmod 600 dotfiles/ikm.json
ikm config set undo.days 8 >/dev/null
[ -L "$user" ]
same '8 600' "$(jq .undo.days dotfiles/ikm.json) $(stat -c %a dotfiles/ikm.json)"
rm "$user"
ln -s "$PWD/dotfiles/new.json" "$user"
ikm config set undo.days 9 >/dev/null
same 9 "$(jq .undo.days dotfiles/new.json)"
rm "$user"
E

more 'in a home that cannot be written, and with a file that is none' <<'E'
fails_for BAD_PATH env IKIGAI_HOME=relative ikm config set undo.days 7
chmod 500 "$HOME/.ikigai"
fails_for PERMISSION ikm config set undo.days 7
chmod 700 "$HOME/.ikigai"
[ ! -e "$user" ]
mkdir "$user"
fails_for NOT_A_FILE ikm config set undo.days 7
rmdir "$user"
mkfifo "$user"
fails_for NOT_A_FILE ikm config set undo.days 7
rm "$user"
ln "$(: >one && echo one)" "$user"
fails_for HARD_LINKED ikm config set undo.days 7
rm "$user"
E

more 'at every fault the file is old or new, and trying again helps' <<'E'
printf '{"user": "ada",  "undo": {"days": 7}}' >old
printf '{"user": "ada",  "undo": {"days": 8}}' >new
for way in '' -; do
	n=1
	while :; do
		cp old "$user"
		rc=0
		IKM_FAULT=$way$n ikm config set undo.days 8 >/dev/null 2>&1 || rc=$?
		cmp -s old "$user" || cmp new "$user"
		[ $rc != 0 ] || cmp new "$user"
		[ $rc != 0 ] || break
		ikm config set undo.days 8 >/dev/null
		cmp new "$user"
		same '' "$(find "$HOME/.ikigai" -name '.ikm-tmp-*')"
		n=$((n + 1))
	done
	[ $n -gt 3 ]
done
IKM_FAULT=1:28 fails_for NO_SPACE ikm config set undo.days 7
cmp new "$user"
E

more 'forty writers of forty members lose none' <<'E'
rm "$user"
for i in $(seq 40); do
	ikm config set --add sync.users "rule$i" >/dev/null &
done
wait
same 40 "$(jq '.sync.users | unique | length' "$user")"
rm "$user"
E

more 'keys and values complete' <<'E'
words() { n=$1; shift; ikm --complete "$n" ikm "$@" | cut -f1 | paste -sd' '; }
same 'undo.bytes undo.days' "$(words 3 config set undo.)"
same '' "$(words 4 config set --repo undo.)"
same 'lint.disable' "$(words 4 config unset --repo lin)"
same 'info warn block' "$(words 4 config set check.minSeverity '')"
same 'true' "$(words 5 config set --global tools.bash t)"
same 'company org team project' "$(words 5 config set knowledge.requires org '')"
same '' "$(words 4 config set undo.days '')"
words 3 config set --re | grep -q -- --repo
same set "$(words 2 config s)"
E

more 'a setting that may not be empty is refused, and one that may is set' <<'E'
for key in user agent.id garden.path; do
	fails_for BAD_CONFIG ikm config set "$key" '' --json >out
	jq -e --arg k "$key" '(.message | contains("1 to")) and (.help.steps[0] | contains("ikm config unset " + $k))' out
done
[ ! -e "$user" ]
ikm config set memory.team ''
same '""' "$(jq -c .memory.team "$user")"
printf '{"user": ""}' >"$user"
fails_for BAD_CONFIG ikm config list
rm "$user"
E

more 'tools cannot set a setting' <<'E'
for tool in config_set config_unset 'config set'; do
	echo '{"key": "undo.days", "value": ["7"]}' | fails_for NO_SUCH_TOOL ikm call "$tool"
done
same '' "$(ikm tool list --json | jq -r '.tools[].name' | grep config)"
[ ! -e "$user" ]
E

more 'a password in sync.url is refused at the door, and never shown' <<'E'
n=0
while IFS= read -r url; do
	n=$((n + 1))
	fails_for NOT_ALLOWED ikm config set sync.url "$url" --json >said 2>&1 || { echo "$url"; exit 1; }
	not grep geheim said
	ikm config set sync.url "$url" 2>said || :
	grep -q pgpass said
	grep -q PGPASSFILE said
	not grep geheim said
done <<'U'
postgresql://ada:geheim@db.example.org/ikm
postgres://:geheim@/ikm
postgresql://ada:geheim@db1,db2:5433/ikm
postgresql://ada@h/ikm?sslmode=require&password=geheim
postgresql://h/ikm?pass%77ord=geheim
postgresql://a?b@h/ikm?password=geheim
postgresql://h/ikm?sslpassword=geheim
host=h user=ada password=geheim
password = 'ge\'heim geheim' host=h
host='a b' sslpassword=geheim
U
same 10 "$n"
not grep -r geheim "$HOME"
while IFS= read -r url; do
	ikm config set sync.url "$url" >/dev/null
	same "$url" "$(ikm config get sync.url)"
done <<'U'
postgresql://ada@db.example.org:5433/ikm
postgresql://ada:@h/ikm
postgresql://[::1]:5433/ikm?application_name=a:b@c
postgresql:///password=x
host=h user=ada dbname=password
host=h options='-c x=password=y' passfile=/x
host=h password='' dbname=x
service=mine
U
# What libpq would refuse later is refused now.
for url in foo https://db.example.org/ikm 'https://h/?a=b' 'host=h ikm' /run/postgresql; do
	fails_for BAD_CONFIG ikm config set sync.url "$url" --json >said 2>&1 || { echo "$url"; exit 1; }
	grep -q 'write it as postgresql://ROLE@HOST/DATABASE' said
done
ikm config unset sync.url >/dev/null
# A repository may not set it at all, and what it tried is not shown.
mkdir -p evil/.ikm && git init -q evil && echo '{"sync": {"url": "postgresql://ada:geheim@h/x"}}' >evil/.ikm/config.json
fails_for UNTRUSTED_CONFIG ikm -C evil config get undo.days 2>said || :
not grep geheim said
E
try 'config set refuses a name that a later command would refuse' <<'E'
rm -f "$user"
fails_for NOT_IN_ENUM ikm config set lint.disable duplicate-ids
fails_for NOT_IN_ENUM ikm -C repo config set --repo lint.disable duplicate-ids
fails_for NO_SUCH_TOOL ikm config set tools.override file_reed
[ ! -e "$user" ]
ikm config set lint.disable duplicate-id
fails_for NOT_IN_ENUM ikm config set lint.disable --add nope
ikm config set tools.override file_read
same '["duplicate-id"]' "$(jq -c .lint.disable "$user")"
# A name that another hand wrote can be taken out again.
printf '{"lint": {"disable": ["nope", "old"]}}' >"$user"
ikm config set lint.disable --remove nope
ikm config unset lint.disable
E

done_testing
