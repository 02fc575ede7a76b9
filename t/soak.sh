#!/bin/sh
# Eight processes run all writing commands over one home, one repository and one server of sync, and
# every sixth command is killed (-9) at some time. Afterwards all that was answered as done is there,
# once; what was answered as an error, or killed, is there once or not at all; and all is whole.
#
#   t/soak.sh [SECONDS]          ten seconds unless told; `make check-more ROWS=soak` runs it for 600
#
# IKM_SEED repeats the commands and the kills of a run, whose first line has the seed; when each
# process gets its turn is the system's choice.
# shellcheck disable=SC1091,SC2016,SC2086,SC2154,SC2317
IKM_TOP=${IKM_TOP:-$(cd "$(dirname "$0")/.." && pwd)}
seconds=${1:-10}
export IKM_TOP seconds
. "$IKM_TOP/t/lib.sh"
. "$TOP/t/sync.sh"
sync_up ada
member ada --layer project
# One person, who has one home.
PGUSER=ada IKM_USER=ada IKM_SYNC_TENANT=acme IKM_MEMORY_PROJECT=p IKIGAI_HOME=$T/w/a1
S=$IKIGAI_HOME
G=$S/garden
R=$PWD
export PGUSER IKM_USER IKM_SYNC_TENANT IKM_MEMORY_PROJECT IKIGAI_HOME S G R
mkdir -p docs/adr files "$T/log"
printf -- '---\nstatus: accepted\ndate: 2026-01-01\nconstraints: [{operator: must_not_use, target: code, pattern: eval, severity: block}]\n---\n# Base\n' >docs/adr/0001-base.md
{
	ikm init --garden
	ikm md new notes
	echo '# Shared' | ikm write files/shared.md
	echo '# Shared' | ikm write ikigai:///soak/shared.md
	printf 'one\ntwo\n' | ikm write files/swap.md
} >"$T/made" 2>&1 || { cat "$T/made"; exit 1; }
N=$G/users/ada/notes.md until_day=$(date -u -d "+90 days" +%F)
[ -e "$N" ] || { cat "$T/made"; exit 1; }
export N until_day

seed=${IKM_SEED:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}
echo "# seed $seed"
# A number below N, in this shell: a subshell would draw it again.
random() {
	state=$(((state * 1103515245 + 12345) % 2147483648))
	n=$((state / 65536 % $1))
}
# What the names of the log stand for: each writes its KEY once.
kinds='memory file append asset assets adr waiver garden edit tag forget other sync'
command_of() { # KIND KEY
	case $1 in
	memory) echo "ikm mem add 'fact $2' --layer project --json" ;;
	file) echo "ikm write files/$2.md" ;;
	append) echo 'ikm append files/shared.md' ;;
	asset) echo "ikm write ikigai:///soak/$2.md" ;;
	assets) echo 'ikm append ikigai:///soak/shared.md' ;;
	adr) echo "ikm know new adr 'Use $2'" ;;
	waiver) echo "ikm know waive 1 --path $2 --reason $2 --until $until_day" ;;
	garden) echo 'ikm append $N --rationale soak' ;;
	edit) echo "ikm edit files/swap.md --old two --new '$2 two'" ;;
	tag) echo "ikm mem edit $(cat "$T/log/last.$me") --tag $2" ;;
	forget) echo "ikm mem delete $(cat "$T/log/last.$me")" ;;
	sync) echo 'ikm sync now --only remote' ;;
	other)
		case $which in
		0) echo 'ikm events rotate-key' ;;
		1) echo "ikm config set undo.days $days" ;;
		2) echo "ikm backup $T/backup.$2" ;;
		3) echo 'ikm know export --agents-md' ;;
		4) echo 'ikm events reconcile' ;;
		5) echo 'ikm check --all' ;;
		esac
		;;
	esac
}
# A line of its answers: KIND KEY STATUS; the key of a change of a memory ends with its id.
worker() {
	me=$1 i=0 state=$((seed + 7919 * $1))
	until=$(($(date +%s) + seconds))
	while [ "$(date +%s)" -lt $until ]; do
		i=$((i + 1))
		key=k${me}x${i}z
		random 13
		kind=$(echo $kinds | cut -d' ' -f$((n + 1)))
		random 30
		days=$((n + 3))
		random 6
		which=$n
		random 6
		kills=$n
		random 200
		case $kind in tag | forget) [ -s "$T/log/last.$me" ] || continue ;; esac
		eval "set -- $(command_of $kind $key)"
		echo "$key" >"$T/log/in.$me"
		"$@" <"$T/log/in.$me" >"$T/log/out.$me" 2>"$T/log/err.$me" &
		pid=$!
		if [ $kills = 0 ]; then
			sleep "$(printf '0.%03d' $n)"
			kill -9 $pid 2>/dev/null
		fi
		rc=0
		wait $pid 2>/dev/null || rc=$?
		case $kind in
		memory) [ $rc != 0 ] || jq -r .memoryId "$T/log/out.$me" >"$T/log/last.$me" ;;
		tag | forget) key=$key:$(cat "$T/log/last.$me") ;;
		esac
		[ $kind != forget ] || : >"$T/log/last.$me"
		echo "$kind $key $rc" >>"$T/log/answers.$me"
		case $rc in 0 | 137) ;; *) sed "s|^|$kind $key $rc $1 $2 $3: |" "$T/log/err.$me" >>"$T/log/errors" ;; esac
	done
}

# "KIND KEY" for each time that something is there.
there() {
	sqlite3 "$S/ikm.db" "select 'memory ' || substr(content, 6) from memories where content like 'fact k%'
		union all select 'memory ' || substr(memory ->> 'content', 6) from deleted_memories where memory ->> 'content' like 'fact k%'
		union all select 'tag ' || value || ':' || m.id from memories m, json_each(tags)
		union all select 'forget ' || id from deleted_memories
		union all select 'asset ' || rtrim(content, char(10)) from stored_assets where path like '%soak/k%.md'"
	cat files/k*.md | sed 's/^/file /'
	sed -n 's/^k/append k/p' files/shared.md
	ikm read ikigai:///soak/shared.md | sed -n 's/^k/assets k/p'
	sed -n 's/^# Use /adr /p' docs/adr/*.md
	sed -n 's/.*reason: /waiver /p' .ikm/waivers.yaml
	git -C "$G" show HEAD:users/ada/notes.md | sed -n 's/^k/garden k/p'
	grep -o 'k[0-9x]*z' files/swap.md | sed 's/^/edit /'
}
# What was answered, against how often it is there.
compared() {
	awk 'NR == FNR { n[$1, $2]++; next }
		$1 == "other" || $1 == "sync" { next }
		{ id = $2; sub(/.*:/, "", id) }
		$1 == "forget" { gone[id] = 1; $2 = id }
		{ kind[++last] = $1; key[last] = $2; rc[last] = $3; of[last] = id }
		END {
			for (i = 1; i <= last; i++) {
				if (kind[i] == "tag" && of[i] in gone)
					continue
				times = n[kind[i], key[i]] + 0
				word = times > 1 ? "doubled" : !times && rc[i] == 0 ? "lost" : times && rc[i] != 0 && rc[i] != 137 ? "ghost" : ""
				if (word)
					print word, kind[i], key[i], "status", rc[i]
			}
		}' "$T/there" "$T/answers"
}

for me in 1 2 3 4 5 6 7 8; do worker $me & done
wait
cat "$T"/log/answers.* >"$T/answers"
touch "$T/log/errors"

try 'what was answered as done is there, once, and nothing else' <<'E'
ikm events reconcile
there >"$T/there"
compared >"$T/wrong"
while read -r word kind key more; do
	echo "$word $kind $key $more"
	grep "^$kind $key" "$T/log/errors" || :
done <"$T/wrong"
[ ! -s "$T/wrong" ]
E
try 'no command failed but for a lock, or what another one had changed' <<'E'
grep -v '^[a-z]* [^ ]* \(4\|75\) ' "$T/log/errors" >"$T/failed" || :
head -n 40 "$T/failed"
[ ! -s "$T/failed" ]
E
try 'another machine has the same memories' <<'E'
for round in 1 2 3; do ikm sync now --only remote >/dev/null; done
IKIGAI_HOME=$T/w/a2 ikm sync now --only remote >/dev/null
equal a1 a2
least 1 one
E
# A leftover of a killed command goes with the next write in its folder.
try 'store, record, garden and repository are whole; nothing is left' <<'E'
for folder in . files docs/adr; do echo x | ikm write $folder/last.md; done
ikm know waive 1 --path last --reason last --until $until_day
echo x | ikm append $N --rationale last
ikm config set undo.days 30
ikm events rotate-key
same ok "$(sqlite3 "$S/ikm.db" 'pragma integrity_check')"
same '' "$(git -C "$G" fsck --strict --no-dangling --no-progress 2>&1; git -C "$G" status --short)"
ikm events verify
ikm doctor | tee "$T/doctor"
grep 'no problem' "$T/doctor"
same '' "$(ls docs/adr | grep ^0 | cut -c1-4 | sort | uniq -d)"
same '' "$(find "$R" "$S" -name '.ikm-tmp-*' -o -path '*/.git/*.lock')"
E
echo "# $(wc -l <"$T/answers") commands, $(grep -c ' 137$' "$T/answers") killed, $(grep -vc ' \(0\|137\)$' "$T/answers") with an error"
done_testing
