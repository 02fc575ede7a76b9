#!/bin/sh
# ikm events verify compares the record with the commits and the history copies of the garden. git
# makes each state.
. "$(dirname "$0")/../lib.sh"
export IKM_USER=ada
profile=users/ada/parts/p1/profile.md

garden_new() { # a home with five events
	chmod -R u+rwx "$HOME" && rm -rf "$HOME" && mkdir "$HOME"
	G=$HOME/.ikigai/garden
	ikm init --garden >/dev/null 2>&1
	ikm md new part p1 >/dev/null
	for i in 1 2 3; do patch "$i"; done
}
patch() { ikm md patch $profile role --replace "It judges $1." --rationale "r$1" >/dev/null; }
git_() { git -C "$G" "$@"; }
proof() { # RC, then proven by_hand elsewhere contradicted
	fails "$1" ikm events verify --json >out
	same "$2" "$(jq -r '.garden | [.proven, .byHand, .elsewhere, .contradicted] | join(" ")' out)"
	same intact "$(jq -r .integrity out)"
	jq -e --argjson rc "$1" '.ok == ($rc == 0)' out >&2
	fails "$1" ikm events verify >text
	# The rows alone say nothing of it.
	ikm events verify --chain --json | jq -e '.ok and (has("garden") | not)' >&2
}
garden_new
cp -R "$HOME" home
again() { rm -rf "$HOME" && cp -R home "$HOME"; }

long 'proven; a later hand edit is told, and is no fault' <<'E'
proof 0 '5 0 0 0'
grep -qx 'garden        5 proven, 0 by hand, 0 elsewhere, 0 contradicted' text
echo more >>"$G/$profile"
git_ commit -qam 'by hand'
proof 0 '5 1 0 0'
ikm doctor >told && not grep -q 'event of the garden' told
grep -q '^by hand .* of .*profile.md: the file was changed by hand since$' text
patch 4
proof 0 '6 0 0 0'
ikm events undo "$(ikm events query -n 1 --json | jq -r '.rows[0].event_id')" >/dev/null
proof 0 '7 0 0 0'
echo '{}' | ikm call events_verify | jq -e '.garden.proven == 7'
E

try 'contradicted: an amended commit, one taken back, a copy that is gone or changed' <<'E'
again
sed -i 's/It judges/It FORGED/' "$G/$profile"
git_ commit -qa --amend --no-edit
proof 1 '4 0 0 1'
grep -q '^contradicted .* of .*profile.md: the commit has another content than the event wrote$' text
jq -e '.garden.doubts[0] | .kind == "contradicted" and .event_id and .commit and .path' out
ikm doctor | grep -qx 'note: 1 event of the garden has a commit or a history copy that is gone or says something else'
again
git_ reset -q --hard HEAD~1
fails 1 ikm events verify >text
grep -q 'no commit of HEAD has what it wrote' text
again
rm "$G"/users/ada/parts/p1/history/*
git_ commit -qam tidy
proof 1 '5 0 0 3'
again
for f in "$G"/users/ada/parts/p1/history/*; do chmod u+w "$f" && echo x >>"$f"; break; done
proof 1 '5 0 0 1'
E

long 'elsewhere: rebased, squashed, a shallow clone, another machine' <<'E'
again
GIT_COMMITTER_DATE="1800000000 +0000" git_ rebase -q --root --force-rebase
proof 0 '0 0 5 0'
again
git_ reset -q --soft HEAD~3 && git_ commit -qm squashed
proof 0 '2 0 3 0'
again
names=$(git_ log -3 --format=%B | grep ^Ikm-Event)
git_ reset -q --soft HEAD~3
printf 'squashed\n\n%s\n' "$names" | git_ commit -qF -
proof 0 '2 0 3 0'
again
git clone -q --depth 2 "file://$G" shallow && rm -rf "$G" && mv shallow "$G"
proof 0 '2 0 3 0'
again
git_ commit -q --allow-empty -m x -m 'Ikm-Event: 01ZZZZZZZZZZZZZZZZZZZZZZZZ'
proof 0 '5 0 1 0'
grep -q '^elsewhere .*: it names the event 01Z.*, which this machine did not record$' text
E

long 'two laptops over one remote: none contradicts the other' <<'E'
again
git clone -q --bare "$G" remote
git_ remote add origin "$PWD/remote"
mkdir other && cp -R "$HOME" other/one
rm -rf other/two && mkdir -p other/two/.ikigai && chmod 700 other/two/.ikigai
git clone -q remote other/two/.ikigai/garden
first=$HOME
export HOME="$PWD/other/two"
ikm init --garden >/dev/null 2>&1
echo '{"path": "users/ada/notes.md", "content": "# Notes"}' | ikm call file_write >/dev/null
git -C "$HOME/.ikigai/garden" push -q origin HEAD
fails 0 ikm events verify --json | jq -e '.garden | .proven == 1 and .elsewhere == 5 and .contradicted == 0'
export HOME="$first"
patch 9
git_ pull -q --rebase origin "$(git_ branch --show-current)"
proof 0 '5 0 2 0'
E

long 'files that a maintainer moved and deleted, and line ends of the working tree' <<'E'
again
to=users/ada/parts/p2/profile.md
mkdir -p "${G:?}/${to%/*}"
ikm move --maintainer $profile $to --rationale "a better name" 2>err || cat err
proof 0 '6 0 0 0'
ikm delete --maintainer $to --rationale "no longer" 2>err || cat err
proof 0 '7 0 0 0'
again
git_ config core.autocrlf true
patch crlf
proof 0 '6 0 0 0'
E

try 'a file that left the garden is proven, until its commit is taken back' <<'E'
again
ikm move --maintainer $profile "$T/o.md" --rationale out 2>err || cat err
proof 0 '6 0 0 0'
git_ reset -q --hard HEAD~1
fails 1 ikm events verify >text
grep -q 'no commit of HEAD has what it wrote' text
E

try 'a restored backup, a garden without Git, no garden' <<'E'
again
ikm backup saved >/dev/null 2>&1
IKIGAI_HOME=$HOME/restored ikm restore saved >/dev/null 2>&1
mv "$HOME/.ikigai" "$HOME/former" && mv "$HOME/restored" "$HOME/.ikigai"
proof 0 '5 0 0 0'
rm -rf "$G/.git"
ikm events verify >text 2>err
grep -q 'the garden was not compared: .*not in a Git working tree' text err
rm -rf "$G"
ikm events verify --json | jq -e '.ok and (has("garden") | not) and (has("warnings") | not)'
E

done_testing
