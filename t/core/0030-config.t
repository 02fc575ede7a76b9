#!/bin/sh
# Settings: where each comes from, what a repository may not say.
. "$(dirname "$0")/../lib.sh"

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
same '/srv/knowledge docs/adr' \
	"$(ikm config get knowledge.sources --json | jq -r '[.value[].path] | join(" ")')"
rm "$HOME/.ikigai/config.json" .ikm/config.json
E

try 'of a list that does not add up, the last place counts, and only that is shown' <<'E'
cd repo
echo '{"tools": {"override": ["file_read", "glob"]}}' >"$HOME/.ikigai/config.json"
shown() {
	ikm "$@" config list --json | jq -r '[.settings[] | select(.key == "tools.override") |
		.origin, .value] | join(" ")'
}
same 'user file_read user glob' "$(shown)"
same 'command line grep' "$(shown -c tools.override=grep)"
rm "$HOME/.ikigai/config.json"
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
grep -q "config.json, line 1: 'check.maxFileSize' is 'large'; allowed: a whole number" ../err
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

# ---- each setting: what it refuses, and what it says ----

cat >"$T/numbers" <<'E'
assets.budget 0 1000000000 tokens
assets.keepDays 0 36500 days
assets.keepVersions 0 1000000 versions
check.maxFileSize 1 1073741824 bytes
check.minRules 0 1000000 rules
expand.maxBytes 0 1073741824 bytes
expand.maxTotal 0 1073741824 bytes
mcp.resultTokens 1000 100000 tokens
asset.summarizerTimeout 1 2147483647 milliseconds
memory.embedderTimeout 1 2147483647 milliseconds
memory.maxBytes 1 1048576 bytes
memory.recencyConversation 1 36500 days
memory.recencyEpisodic 1 36500 days
memory.recencyScratch 1 36500 days
memory.recencySemantic 1 36500 days
memory.recencyWorking 1 36500 days
sync.timeout 100 3600000 milliseconds
tools.timeout 1 86400000 milliseconds
trace.keepDays 0 36500 days
undo.bytes 0 1099511627776 bytes
undo.days 0 36500 days
E
cat >"$T/words" <<'E'
check.agentProtected deny, warn
check.agentWrites deny, warn, off
check.lostRules warn, block
check.minSeverity info, warn, block
check.newWaivers count, warn, ignore
check.retire commit, merged
check.unjudged warn, block
garden.commit on, off
garden.readers own, all
sync.assets true or false
sync.events off, auto
tokens.model o200k, cl100k
tools.bash true or false
tools.external true or false
E
cat >"$T/lines" <<'E'
agent.id 256 1 to
garden.path 4096 1 to
memory.company 256
memory.org 256
memory.project 4096
memory.team 256
session 256
sync.tenant 256
sync.url 4096
user 256 1 to
E
cat >"$T/lists" <<'E'
files.roots a list of strings, such as ["a", "b"]
knowledge.requires a list of these words: company, org, team, project
knowledge.sources a list of objects, such as [{"path": "docs/adr"}]
lint.disable a list of strings, such as ["a", "b"]
asset.summarizer a list of strings, such as ["a", "b"]
memory.embedder a list of strings, such as ["a", "b"]
sync.layers a list of these words: agent, user, session, project, team, org, company
sync.users a list of strings, such as ["a", "b"]
tools.override a list of strings, such as ["a", "b"]
E

# KEY VALUE SHOWN ALLOWED: refused behind -c, with these words and a next step.
refused() {
	fails_for BAD_CONFIG ikm -c "$1=$2" config get "$1" 2>"$T/said"
	{
		read -r said
		read -r step
	} <"$T/said"
	[ "$said" = "ikm: -c $1: '$1' is $3; allowed: $4" ] || same "$1 $2" "$said"
	[ "${step%%:*}" = 'correct it there, or leave it out' ] || same 'a next step' "$step"
}

try 'the tables of these tests have every setting' <<'E'
{ cut -d' ' -f1 "$T/numbers" "$T/words" "$T/lines" "$T/lists"; echo check.garden; } | sort >here
ikm config list --json | jq -r '.settings[].key' | sort -u | diff - here
E

more 'a number is in its range, which has a unit' <<'E'
while read -r key low high unit; do
	allowed="a whole number, $low to $high $unit"
	for value in $low $high; do
		same $value "$(ikm -c $key=$value config get $key)"
	done
	for value in $((low - 1)) $((high + 1)) 1.5; do
		refused $key $value $value "$allowed"
	done
	refused $key x "'x'" "$allowed"
done <"$T/numbers"
for value in 999999999999999 99999999999999999999 -99999999999999999999 1e3 true null; do
	refused undo.days $value $value 'a whole number, 0 to 36500 days'
done
for value in 007 0x1 '' ' 1 d'; do
	refused undo.days "$value" "'$value'" 'a whole number, 0 to 36500 days'
done
refused undo.days '"1"' "'1'" 'a whole number, 0 to 36500 days'
refused undo.days '[1]' 'a list' 'a whole number, 0 to 36500 days'
fails 2 ikm -c undo.days=-5 config list --json >out
same '"undo.days"' "$(jq -c .details.setting out)"
E

more 'a choice is one of its words, in any case; a switch is true or false' <<'E'
while read -r key allowed; do
	for value in $(echo "$allowed" | sed 's/,//g; s/ or / /'); do
		same $value "$(ikm -c $key=$value config get $key)"
	done
	refused $key foo "'foo'" "$allowed"
	case $key in
	tools.* | sync.assets) refused $key 1 1 "$allowed" ;;
	*) refused $key 1 "'1'" "$allowed" ;;
	esac
done <"$T/words"
refused check.lostRules info "'info'" 'warn, block'
same BLOCK "$(ikm -c check.minSeverity=BLOCK config get check.minSeverity)"
E

more 'a text is one line, not blank, and not too long' <<'E'
while read -r key most least; do
	allowed="one line of text, not blank, ${least:-at most} $most bytes"
	long=$(printf "%0${most}d" 0)
	same "$long" "$(ikm -c "$key=$long" config get "$key")"
	refused "$key" "0$long" "'$(printf %064d 0)'..." "$allowed"
	refused "$key" ' ' "' '" "$allowed"
	[ -z "$least" ] || refused "$key" '' "''" "$allowed"
	for value in "a
b" "$(printf 'a\377')" "$(printf 'a\033[1m')"; do
		fails_for BAD_CONFIG ikm -c "$key=$value" config list
	done
done <"$T/lines"
for who in --agent --user; do
	fails_for BAD_CONFIG ikm "$who" '' mem list 2>"$T/said"
	grep -q "is ''; allowed: one line of text, not blank, 1 to 256 bytes$" "$T/said"
done
same default "$(IKM_AGENT_ID='' ikm config get agent.id)"
E

more 'a folder of the repository leads nowhere else' <<'E'
for value in . users docs/people .hidden 'a b'; do
	same "$value" "$(ikm -c "check.garden=$value" config get check.garden)"
done
for value in / /etc .. ../x a/.. a/../b a//b a/ ./a .git a/.GIT/b ' '; do
	refused check.garden "$value" "'$value'" "a folder of the repository, such as docs/people, or '.' for its top"
done
E

more 'a list has members of its type, and words where these are all' <<'E'
while read -r key allowed; do
	case $key in
	knowledge.sources) refused $key '["x"]' "a list with 'x' in it" "$allowed" ;;
	knowledge.requires | sync.layers) refused $key org,x "a list with 'x' in it" "$allowed" ;;
	*) refused $key '["x", {}]' 'a list with an object in it' "$allowed" ;;
	esac
	refused $key '[7]' 'a list with 7 in it' "$allowed"
	refused $key '{"a": 1}' 'an object' "$allowed"
	same '[]' "$(ikm -c $key=[] config get $key)"
done <"$T/lists"
E

more 'a repository may set what decides how it is judged, and nothing else' <<'E'
cd repo
printf '%s\n' check.agentProtected check.agentWrites check.garden check.lostRules check.maxFileSize check.minRules check.minSeverity check.newWaivers check.retire \
	check.unjudged knowledge.requires knowledge.sources lint.disable >may
ikm config list --json | jq -r '.settings[] | select(.repository) | .key' | diff may -
ikm config list --json | jq -r '.settings[] | .key' | sort -u >all
while read -r key; do
	jq -n --arg key "$key" 'setpath($key / "."; 1.5)' >.ikm/config.json
	fails 2 ikm config list --json >out
	line=$(grep -n 1.5 .ikm/config.json | cut -d: -f1)
	if grep -qx "$key" may; then
		reason=BAD_CONFIG said="'$key' is 1.5; allowed: "
	else
		reason=UNTRUSTED_CONFIG said="a repository may not set '$key'"
	fi
	same "$reason $line" "$(jq -r '.details | "\(.reason) \(.line)"' out)"
	jq -r .message out | grep -Fq ".ikm/config.json, line $line: $said"
done <all
rm .ikm/config.json may all out
E

more 'a value that is not allowed is refused by each command, before it does anything' <<'E'
cd repo
echo text >f
for bad in undo.days=999999999999999 undo.days=-5 check.minSeverity=foo; do
	for cmd in 'config list' 'config get user' 'check --all' 'know list' 'mem list' 'mem add x' \
		'mem query f' 'asset list' 'read f' 'write new' 'edit f --old text --new other' 'list' 'glob f' \
		'grep text' 'expand x' 'find f' 'tool list' 'tool call glob' 'call file_read' \
		'events query' 'context' 'doctor' 'memory-tool' 'compact f' 'hash f' 'bash true'; do
		fails_for BAD_CONFIG ikm -c $bad $cmd || { echo "$bad $cmd"; exit 1; }
	done
done
[ ! -e new ]
same text "$(cat f)"
[ ! -e "$HOME/.ikigai/ikm.db" ]
E

try 'a setting that does not exist: the nearest of its group, and nothing far away' <<'E'
while read -r key meant; do
	fails_for NO_SUCH_SETTING ikm config get $key 2>err
	grep -q "^ikm: no such setting '$key'$meant$" err
	$(sed -n "s/^  '\(.*\)' lists all settings$/\1/p" err) >out
done <<-'L'
	memory.foo
	memory.projct ; did you mean 'memory.project'?
	memry.project ; did you mean 'memory.project'?
	chek ; did you mean 'check'?
L
E

more 'only the code of config reads a setting by its key' <<'E'
cd "$TOP"
grep -lE 'conf_find\(' cmd/*.c lib/*/*/*.c >"$T/found"
printf '%s\n' cmd/config.c cmd/config_set.c lib/core/conf/conf.c lib/core/conf/edit.c | diff - "$T/found"
! grep -nE 'conf(_[a-z_]+)?\([^)]*"[a-z]+(\.[a-zA-Z]+)?"' lib/*/*/*.c lib/*/*/*.h cmd/*.c
E

more 'keys and words complete' <<'E'
words() { n=$1; shift; ikm --complete "$n" ikm "$@" | cut -f1 | paste -sd' '; }
same 'check.minRules= check.minSeverity=' "$(words 2 -c check.min)"
same 'check.minRules= check.minSeverity=' "$(words 3 read --config check.min)"
same 'warn block' "$(words 2 -c check.unjudged=)"
same 'info' "$(words 3 check -c check.minSeverity=i)"
same 'true' "$(words 2 -c tools.bash=t)"
same '' "$(words 2 -c undo.days=)"
same 'check.minRules check.minSeverity' "$(words 3 config get check.min)"
E

more '--help has each setting, also where the settings are broken' <<'E'
cd repo
echo '{"chek": 1}' >.ikm/config.json
ikm config list --help | tr -s '\n ' ' ' >../out
rm .ikm/config.json
grep -q ' undo.days how long .*; a whole number, 0 to 36500 days (default 30) user ' ../out
grep -q ' check.minSeverity the lowest .*; info, warn, block (default warn); a repository may' ../out
E
done_testing
