#!/bin/sh
# Twenty processes write sections of one profile, its evidence, notes, and other parts at once,
# beside a person who runs git status, git add and git commit. Nothing is lost: each success is in the
# file and in a commit, and the record is whole.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
cd "$G" || exit 1
for part in p2 p3 p4 p5; do
	mkdir -p users/ada/parts/$part
	sed "s/^id: p1/id: $part/" "$P" >users/ada/parts/$part/profile.md
done
git add -A
git commit -qm 'more parts'

# Writer N, change I, as a call with the text "wN.I". A write that meets a lock or what the person has
# just staged is told so, and is done again; every other refusal is an error.
change() { # N I
	text=w$1.$2
	case $1 in
	1 | 2 | 3 | 4 | 5 | 6 | 7 | 8)
		anchor=$(echo identity role triggers needs concerns allies polarizations evolution | cut -d' ' -f"$1")
		ikm md patch users/ada/parts/p1/profile.md "$anchor v1" --append "$text" --rationale "why $text" --json
		;;
	9 | 10 | 11 | 12)
		ikm md curate users/ada/parts/p1/profile.md 'evidence v1' append \
			"\"$text\" ev:20260131T120000Z-01ARZ3NDEKTSV4RRFFQ69G5F${1}$2" --rationale "why $text" --json
		;;
	13 | 14 | 15 | 16)
		printf -- '- %s\n' "$text" | ikm append users/ada/notes.md --rationale "why $text" --json
		;;
	*) ikm edit "users/ada/parts/p$(($1 - 15))/profile.md" --old 'It fears to fail.' --new "It fears to fail.
$text" --rationale "why $text" --json ;;
	esac
}
writer() { # N
	for i in 1 2; do
		tries=0
		until change "$1" $i >"$T/answer.$1.$i" 2>"$T/err.$1.$i"; do
			tries=$((tries + 1))
			reason=$(jq -r '.details.reason' "$T/answer.$1.$i")
			case $reason in STAGED | LOCKED | UNDER_WAY) ;; *) return 1 ;; esac
			[ $tries -lt 40 ] || return 1
			sleep 0.1
		done
	done
}
person() { # git ends when ikm has the lock of the index, so the person tries again
	for i in 1 2 3 4 5 6 7 8; do
		git status --short
		echo "$i" >person.md
		until git add person.md && git commit -qm "person $i"; do sleep 0.02; done
		sleep 0.05
	done
}

try 'twenty writers and a person' <<'E'
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	writer $n || touch "$T/failed.$n" &
done
person >"$T/person" 2>&1 &
wait
for failed in "$T"/failed.*; do
	[ ! -e "$failed" ] || { cat "$failed" "$T"/err.*; exit 1; }
done
git log --format=%s --grep='^person ' >"$T/persons"
least 3 "$T/persons"
cat "$T"/answer.* | jq -r '"\(.event) \(.path // "users/ada/notes.md")"' >"$T/events"
printf '%s\n' "$T"/answer.* | sed 's/.*answer[.]/w/' | paste -d' ' - "$T/events" >"$T/done"
least 40 "$T/done"
E

more 'each success is in its file, once, and its reason in the Change Log' <<'E'
while read -r text event path; do
	same 1 "$(grep -c -e "^$text\$" -e "^- \"$text\" ev:" -e "^- $text\$" "$path")"
	[ "$path" = users/ada/notes.md ] || same 1 "$(grep -c ": why $text\$" "$path")"
done <"$T/done"
E

more 'each success is in one commit, with its reason, and nothing is to be settled' <<'E'
ikm events reconcile --json >"$T/rec"
jq -e .settled "$T/rec"
git log --format='%H %(trailers:key=Ikm-Event,valueonly,separator= )' >"$T/commits"
while read -r text event path; do
	same 1 "$(grep -c "$event" "$T/commits")"
	commit=$(sed -n "s/^\([0-9a-f]*\) .*$event.*/\1/p" "$T/commits")
	git show "$commit:$path" >"$T/then"
	grep -q "$text" "$T/then"
	git log -1 --format=%B "$commit" >"$T/message"
	grep -q "^why $text\$" "$T/message"
done <"$T/done"
same '{"settled":true,"events":[]}' "$(ikm events reconcile --json)"
E

more 'the record is whole, and each event goes on where the one before it ended' <<'E'
ikm events verify
ikm events query -n 1000 --json | jq -e '[.rows[] | select(.after_hash)] | length == 40 and
	(map(.status == "committed") | all) and (group_by(.path) | map(sort_by(.seq) |
		[range(1; length) as $i | .[$i].before_hash == .[$i - 1].after_hash] | all) | all)'
E

# `git commit` reads the index before it locks it (ikm-garden(7)), so a person may have put an old
# entry back. The files are what counts: what the person adds now has all of it.
more 'a person who commits all has all' <<'E'
git add -A
git diff --cached --quiet || git commit -qm all
while read -r text event path; do
	git show "HEAD:$path" >"$T/now"
	grep -q "$text" "$T/now"
done <"$T/done"
clean
E

done_testing
