#!/bin/sh
# Many changes of a profile, with a clock that goes back and forth; undone in a random order; and
# every state of it rebuilt from events and history copies. IKM_SEED chooses another order.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
cd "$G" || exit 1
seed=${IKM_SEED:-14}
export seed
random() { # N: sets r, from 0 to N - 1
	seed=$(((seed * 1103515245 + 12345) & 0x7fffffff))
	r=$(((seed >> 16) % $1))
}
clock() { # the time of the next write
	random 4
	case $r in
	0) IKM_NOW=2020-02-03T04:05:06Z ;;
	1) IKM_NOW=2031-02-03T04:05:06Z ;;
	*) IKM_NOW=2026-11-23T10:00:00Z ;;
	esac
	export IKM_NOW
}
state() { # keeps the file as it is, as the next state
	at=$(($(cat "$T/n") + 1))
	echo $at >"$T/n"
	cp "$P" "$T/states/$at"
}
section() { # NAME: its one line
	sed -n "/@anchor: $1 v1/,/^## /{/^text /p;}" "$P"
}
mkdir "$T/states"
echo 0 >"$T/n"
state

try 'changes of three sections, while the clock goes back and forth' <<'E'
: >"$T/made"
for n in 1 2 3 4 5 6 7 8; do
	random 3
	s=$(echo needs concerns role | cut -d' ' -f$((r + 1)))
	clock
	before=$(section $s)
	ikm md patch "$P" "$s v1" --replace "text $n" --rationale "change $n" --json >"$T/said"
	state
	echo "$(last .event_id)|$s|$before|text $n" >>"$T/made"
done
clean
E

long 'the order is that of the record, not that of the clock' <<'E'
ikm events query --path "$P" --json | jq -r '.rows | reverse | .[].event_id' | tail -n 8 >"$T/order"
cut -d'|' -f1 "$T/made" | diff - "$T/order"
sort "$T/order" | diff - "$T/order"
ikm events query --path "$P" --json >"$T/all"
for year in 2020 2026 2031; do
	ikm events query --path "$P" --since $year-01-01 --until $((year + 1))-01-01 --json >"$T/told"
	jq -c --arg y $year '[.rows[] | select(.ts | startswith($y))]' "$T/all" >"$T/want"
	jq -c .rows "$T/told" | diff "$T/want" -
	jq -r '.rows | length' "$T/told" >>"$T/lengths"
done
same 8 "$(awk '{ n += $1 } END { print n }' "$T/lengths")"
# Pages do not depend on the clock either.
: >"$T/pages"
id=
while :; do
	# shellcheck disable=SC2086
	ikm events query --path "$P" -n 3 $id --json >"$T/page"
	jq -r '.rows[].event_id' "$T/page" >>"$T/pages"
	id="--before $(jq -r '.next // empty' "$T/page")"
	[ "$id" != '--before ' ] || break
done
tac "$T/order" | diff - "$T/pages"
# Of two checkpoints the one that covers more counts, whatever their times.
IKM_NOW=2031-05-05T00:00:00Z ikm events checkpoint --note >"$T/one" 2>"$T/said"
IKM_NOW=2020-05-05T00:00:00Z ikm append users/ada/notes.md --text more >"$T/said"
state_of=$(git rev-parse HEAD)
IKM_NOW=2020-05-05T00:00:00Z ikm events checkpoint --note >"$T/two" 2>"$T/said"
ikm events verify --json | jq -e --arg id "$state_of" --argjson n "$(sed -n 's/^seq //p' "$T/two")" \
	'.ok and .checkpoint.commit == $id and .checkpoint.seq == $n' >"$T/told"
E

more 'undone in a random order: it works, or the later event that stands in the way is named' <<'E'
cp "$T/made" "$T/left"
done=0 refused=0
while [ -s "$T/left" ]; do
	random "$(wc -l <"$T/left")"
	line=$(sed -n "$((r + 1))p" "$T/left")
	IFS='|' read -r id s before after <<X
$line
X
	clock
	if [ "$(section "$s")" = "$after" ]; then
		ikm events undo "$id" >"$T/told" || { echo "$line"; exit 1; }
		same "$before" "$(section "$s")"
		state
		grep -v "^$id" "$T/left" >"$T/rest" || :
		mv "$T/rest" "$T/left"
		done=$((done + 1))
		continue
	fi
	refused=$((refused + 1))
	[ $refused -lt 60 ]
	sha256sum "$P" >"$T/sum"
	fails_for CHANGED_SINCE ikm events undo "$id" --json >"$T/told" 2>"$T/said" || { cat "$T/told" "$T/said"; exit 1; }
	sha256sum "$P" | diff "$T/sum" -
	# The newest event of this section that is not undone.
	same "$(grep "|$s|" "$T/left" | tail -n 1 | cut -d'|' -f1)" "$(jq -r .details.laterEvent "$T/told")"
	same 3 "$(jq '[.details | .beforeHash, .afterHash, .currentHash | select(startswith("sha256:"))] | unique | length' "$T/told")"
done
same 8 $done
[ $refused -gt 2 ] || { echo "only $refused of seed $seed were refused"; exit 1; }
same '' "$(section needs)$(section role)"
clean
E

more 'an undo that was undone stands in the way like the change itself' <<'E'
for n in a b; do ikm md patch "$P" 'needs v1' --replace "text $n" --rationale "$n" >"$T/told" && last .event_id >"$T/$n" && state; done
ikm events undo "$(cat "$T/b")" >"$T/told" && state
ikm events undo "$(last .event_id)" >"$T/told" && state
fails_for CHANGED_SINCE ikm events undo "$(cat "$T/a")" --json >"$T/told" 2>/dev/null
same "$(cat "$T/b")" "$(jq -r .details.laterEvent "$T/told")"
fails_for CHANGED_SINCE ikm events undo "$(cat "$T/a")" 2>"$T/told"
grep -q "the newest of them is $(cat "$T/b")" "$T/told"
for name in before: after: now:; do grep -q "^$name  *sha256:" "$T/told"; done
E

more 'every state is rebuilt from the events and the copies alone, byte for byte' <<'E'
ikm edit "$P" --old 'name: The Critic' --new 'name: Critic' >"$T/told" 2>&1
state
ikm md patch "$P" 'needs v1' --replace killed --rationale x >"$T/told" && state
IKM_FAULT=-25 ikm md patch "$P" 'needs v1' --replace 'killed again' --rationale x >"$T/told" 2>&1 || :
ikm events reconcile >"$T/told" 2>&1 || :
cmp -s "$P" "$T/states/$(cat "$T/n")" || state
rm -rf "$T/alone" "$T/rebuilt"
mkdir "$T/alone" "$T/rebuilt"
cp users/ada/parts/p1/history/* "$P" "$T/alone"
ikm events query --path "$P" -n 1000 --json >"$T/told"
(cd "$T/alone" && sha256sum -- *) >"$T/sums"
n=0
jq -r '[.rows[] | select((.status == "committed" or .status == "written") and .after_hash)] | reverse |
	(.[0].before_hash), .[].after_hash' "$T/told" | sed 's/sha256://' | uniq >"$T/chain"
while read -r hash; do
	n=$((n + 1))
	file=$(grep -m 1 "^$hash" "$T/sums" | cut -c67-)
	[ -n "$file" ] || { echo "no copy of state $n, $hash"; exit 1; }
	cp "$T/alone/$file" "$T/rebuilt/$n"
done <"$T/chain"
same "$(cat "$T/n")" $n
[ $n -gt 20 ]
diff -r "$T/states" "$T/rebuilt"
E

done_testing
