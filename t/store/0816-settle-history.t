#!/bin/sh
# A change that is in place is never settled as failed: where a person committed it, that commit is
# the event's.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/garden-sample.sh"
cd "$G" || exit 1
N=$G/users/ada/notes.md
export N
sign() { # yes: ikm's commits fail, no: they work
	git config gpg.program /bin/false
	git config commit.gpgsign "$([ "$1" = yes ] && echo true || echo false)"
}
# What became of an event: its status, its commit, the first word of its error.
became() {
	ikm events show "$1" --json | jq -r '.event // . | [.status,.commit_oid // "-",(.error // "-" | split(" ")[0])]|join(" ")'
}
written() { # CMD …: a change that Git does not get; prints its event
	sign yes
	"$@" --json 2>/dev/null | jq -r .event
	sign no
}

long 'a person committed the change as it is' <<'E'
id=$(written ikm md patch "$P" 'concerns v1' --replace 'It fears much.')
same 'written - -' "$(became "$id")"
git commit -qam 'by hand'
ikm events reconcile --json | jq -e '.settled and .events[0].outcome == "committed"'
same "committed $(git rev-parse HEAD) -" "$(became "$id")"
same "?? A history" "$(git log -1 --format= --name-status | sed 's|^A.*history/.*|?? A history|')"
same "$id" "$(trailer Ikm-Event)"
clean
E

long 'a person committed it, and changed it since' <<'E'
id=$(written ikm append "$N" --text one)
git commit -qam 'by hand'
by=$(git rev-parse HEAD)
echo two >>"$N"
git commit -qam 'more by hand'
echo three >>"$N"
ikm events reconcile --json | jq -e '.settled and .events[0].outcome == "committed"'
same "committed $by -" "$(became "$id")"
git commit -qam 'the rest'
clean
E

long 'the next write settles it so, too' <<'E'
id=$(written ikm append "$N" --text four)
git commit -qam 'by hand'
by=$(git rev-parse HEAD)
echo five >>"$N"
git commit -qam 'more by hand'
ikm append "$N" --text six --json >"$T/told"
not grep "is not settled" "$T/told"
same "committed $by -" "$(became "$id")"
clean
E

long 'a change that no commit has alone: drift, and accepted it is not failed' <<'E'
id=$(written ikm append "$N" --text seven)
echo eight >>"$N"
git commit -qam 'both in one'
fails 1 ikm events reconcile --json >"$T/told"
same drift "$(jq -r '.events[0].outcome' "$T/told")"
same 'written - -' "$(became "$id")"
ikm events reconcile --accept
same 'committed - the' "$(became "$id")"
clean
E

try 'a deletion that a person committed, and a new file in its place' <<'E'
id=$(written ikm delete --maintainer "$N" --rationale 'not needed')
git commit -qam 'by hand'
by=$(git rev-parse HEAD)
printf '# Notes\n\n## Inbox\n' >"$N"
git add -A
git commit -qm 'again'
ikm events reconcile
same "committed $by -" "$(became "$id")"
clean
E

more 'a pending event is not taken for done by an older equal content' <<'E'
printf '# Notes\n\n## Inbox\n\nolder\n' >"$N"
git commit -qam older
printf '# Notes\n\n## Inbox\n' >"$N"
git commit -qam back
n=0 open=
while [ -z "$open" ]; do
	[ $((n += 1)) -lt 40 ]
	IKM_FAULT=-$n ikm append "$N" --text older || :
	open=$(ikm events query --status pending --json | jq -r '.rows[0].event_id // ""')
done
printf '# Notes\n\n## Inbox\n\nother\n' >"$N"
git commit -qam other
fails 1 ikm events reconcile
same 'pending - -' "$(became "$open")"
ikm events reconcile --accept
same 'failed - the' "$(became "$open")"
E

# What a write does not wait for: the name of the history copy, the branch, and Git's index.
long 'a power cut took the history copy: settling makes it again' <<'E'
id=$(written ikm md patch "$P" 'concerns v1' --replace 'It fears little.')
rm "$(ls -t "$(dirname "$P")"/history/* | head -n 1)"
ikm events reconcile
same "committed $(git rev-parse HEAD) -" "$(became "$id")"
git show "HEAD^:${P#"$G"/}" | cmp - "$(ls -t "$(dirname "$P")"/history/* | head -n 1)"
ikm events verify
clean
E

try 'a power cut took the branch back: the next write commits the file and its copy' <<'E'
ikm md patch "$P" 'concerns v1' --replace 'It fears cuts.' --rationale x
before=$(git rev-parse HEAD^) after=$(git rev-parse HEAD)
git reset -q "$before"
ikm md patch "$P" 'needs v1' --replace Light. --rationale x
same "$before" "$(git rev-parse HEAD^)"
same '' "$(git diff --diff-filter=d --name-status "$after" HEAD -- '*/history/*' | grep -v ^A)"
git show "HEAD:${P#"$G"/}" | grep 'It fears cuts.'
clean
E

try 'a power cut left an empty index: nothing is written, and the message says how to make it' <<'E'
: >.git/index
cp "$P" "$T/was"
fails 8 ikm md patch "$P" 'needs v1' --replace Rest. --rationale x 2>"$T/said"
grep -F "rm '$G/.git/index' && git reset" "$T/said"
cmp "$P" "$T/was"
rm .git/index && git reset -q
ikm md patch "$P" 'needs v1' --replace Rest. --rationale x
clean
E

done_testing
