#!/bin/sh
# know status and know supersede: both change a file where it has its status, keep every other byte,
# and refuse what a decision cannot become. git diff is the referee of what was written.
# The texts of items and changes are formats of printf.
# shellcheck disable=SC2059
. "$(dirname "$0")/../lib.sh"

git init -q shop
cd shop || exit 1
mkdir -p .ikm docs/adr
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
# Forms of an item, for printf and a title.
front='---\nstatus: accepted\n---\n# %s\n'
nygard='# %s\n\n## Status\n\nAccepted\n\n## Context\n\nx\n'
list='# %s\n\n* **Status:** accepted\n* Date: 2020-01-01\n\nx\n'
table='# %s\n\n| Status | Accepted |\n|---|---|\n| Date | 2020-01-01 |\n'
rule='constraints: [{operator: must_not_use, target: code, pattern: eval, severity: block}]'
new() { # name, text for printf: an item and the state that git has of it
	mkdir -p docs/adr
	printf -- "$2" >"docs/adr/$1.md"
	git add . && git commit -qm "$1"
}
# The changed lines of all items.
changes() { git diff -U0 docs | grep '^[-+]' | grep -v '^---\|^+++' | tr -d '\r'; }
back() { git checkout -q .; }
status() { ikm know status "$1" --json | jq -r .status; }

try 'it prints the status, and in JSON what may follow' <<'E'
new 0001-a '---\nstatus: accepted\n---\n# A\n\n## Decision\n\nWe do a.\n'
same accepted "$(ikm know status 1)"
ikm know status docs/adr/0001-a.md --json >out
same '["0001-a","docs/adr/0001-a.md","accepted","accepted",false,["deprecated","superseded"],0]' \
	"$(jq -c '[.id,.path,.status,.before,.changed,.allowed,.rules]' out)"
fails_for NO_SUCH_ITEM ikm know status 99
fails_for NOT_IN_ENUM ikm know status 1 wanted
same '' "$(changes)"
E

# file, new status, its text before for printf, the changed lines
table() {
	while IFS='~' read -r to text want; do
		[ -n "$to" ] || continue
		new 0002-b "$text"
		ikm know status 2 "$to" >out 2>err || { cat err; printf '%s\n' "$text"; exit 1; }
		grep -q "^0002-b  .* → $to  docs/adr/0002-b.md\$" out || { cat out; exit 1; }
		same "$(printf -- "$want")" "$(changes)"
		same "$to" "$(status 2)"
		back
	done
}

more 'the status is written where the file has it' <<'E'
table <<'R'
accepted~---\nstatus: proposed\n---\n# B\n\nx\n~-status: proposed\n+status: accepted
accepted~---\nstatus: "Proposed" # why\ntags: [a]\n---\n# B\n~-status: "Proposed" # why\n+status: "Accepted" # why
rejected~---\ntags: [a]\nstatus: 'in review'\n---\n# B\n~-status: 'in review'\n+status: 'rejected'
proposed~---\nstatus:\ntitle: B\n---\nx\n~-status:\n+status: proposed
proposed~---\ntags: [a]\n---\n# B\n\nx\n~+status: proposed
deprecated~# 2. B\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nx\n~-Accepted\n+Deprecated
deprecated~# B\n\n## Status:\n\n* ACCEPTED\n\nAmends [1](0001-a.md)\n\n## Context\n~-* ACCEPTED\n+* DEPRECATED
proposed~# B\n\n## Status\n\n<!-- one of them -->\n\n## Context\n\nx\n~+Proposed\n+
rejected~# B\n\nStatus\n======\n\n✅ Draft, of Ada <!-- yet -->\n\n## Context\n~-✅ Draft, of Ada <!-- yet -->\n+✅ Rejected, of Ada <!-- yet -->
accepted~# B\n\n* Status: proposed <!-- optional -->\n* Deciders: Ada\n\nx\n~-* Status: proposed <!-- optional -->\n+* Status: accepted <!-- optional -->
accepted~# B\n\n- **Status:** *On hold*\n- Date: 2020-01-01\n~-- **Status:** *On hold*\n+- **Status:** *Accepted*
deprecated~# B\n\n**Status**: Done  \nDate: 2020-01-01\n\nx\n~-**Status**: Done  \n+**Status**: Deprecated  
deprecated~# B\n\n| Status | accepted |\n|---|---|\n| Date | 2020-01-01 |\n~-| Status | accepted |\n+| Status | deprecated |
deprecated~# B\n\n## Status\n\n✅ Accepted (documenting an existing thing)\n~-✅ Accepted (documenting an existing thing)\n+✅ Deprecated (documenting an existing thing)
deprecated~# B\n\n## Status\n\nAccepted (x), see [ticket 5](http://x/5)\n~-Accepted (x), see [ticket 5](http://x/5)\n+Deprecated (x), see [ticket 5](http://x/5)
deprecated~# B\n\n* Status: accepted by Ada and Bob on 2020-01-01\n~-* Status: accepted by Ada and Bob on 2020-01-01\n+* Status: deprecated by Ada and Bob on 2020-01-01
accepted~# B\n\n## Status\n\n![](badge.svg) Proposed\n~-![](badge.svg) Proposed\n+![](badge.svg) Accepted
deprecated~# B\n\n## Status\n\n\176\176proposed\176\176 ACCEPTED\n~-\176\176proposed\176\176 ACCEPTED\n+\176\176proposed\176\176 DEPRECATED
deprecated~---\nstatus: "✅ Accepted, of Ada"\n---\n# B\n~-status: "✅ Accepted, of Ada"\n+status: "✅ Deprecated, of Ada"
proposed~---\nstatus: maybe\n---\n# B\n~-status: maybe\n+status: proposed
proposed~# B\n\nWe do b.\n\n## Context\n\nx\n~+## Status\n+\n+Proposed\n+
proposed~# B\n\nWe do b.~-We do b.\n+We do b.\n+\n+## Status\n+\n+Proposed
R
E

more 'a date of the last change gets today in its own form, and other forms stay' <<'E'
IKM_NOW=2026-11-23T10:20:30Z
export IKM_NOW
while IFS='~' read -r line want; do
	printf -- "# B\n\nStatus: proposed\n$line\n\nx\n" >docs/adr/0002-b.md
	git add . && git commit -qm date
	ikm know status 2 accepted >out 2>err
	sed -i '/^Status: /d' docs/adr/0002-b.md
	same "$want" "$(sed -n 3p docs/adr/0002-b.md)"
	[ "$want" != "$line" ] || grep -q "at line 4 stays: ikm cannot write today's date in this form" err
	[ "$want" = "$line" ] || same '' "$(cat err)"
	git checkout -q .
done <<'R'
Last updated: 01/02/2020 by Ada~Last updated: 23/11/2026 by Ada
Last updated: 2020-01-02~Last updated: 2026-11-23
Last updated: 2020/1/2, amended~Last updated: 2026/11/23, amended
Last updated: **2.1.20** (Ada)~Last updated: **23.11.26** (Ada)
Last updated: 11/25/2020~Last updated: 11/23/2026
Updated: 2020-01-02T03:04:05Z~Updated: 2026-11-23T10:20:30Z
Updated: 2020-01-02 03:04Z by Ada~Updated: 2026-11-23 10:20Z by Ada
Updated: 2020-01-02 by Ada~Updated: 2026-11-23 by Ada
Updated: 2020-01-02 03:04~Updated: 2020-01-02 03:04
Updated: 2020-01-02T03:04:05+01:00~Updated: 2020-01-02T03:04:05+01:00
Updated: 2 January 2020~Updated: 2 January 2020
Updated: long ago~Updated: long ago
R
while read -r line; do
	printf -- "---\nstatus: proposed\n$line\n---\n# B\n" >docs/adr/0002-b.md
	git add . && git commit -qm date
	ikm know status 2 accepted >out 2>err
	same "-status: proposed
+status: accepted" "$(changes)"
	grep -q "at line 3 stays: ikm cannot write today's date in this form" err
	git checkout -q .
done <<'R'
updatedAt: {a: 1}
updatedAt: [2020-01-01, 2020-01-02]
updatedAt: &d 2020-01-01
updatedAt: 2 January 2020
R
E

# name, reason, words; each stays as it is
more 'a status that is no one word is refused' <<'E'
while IFS='~' read -r to text words; do
	printf -- "$text" >docs/adr/0002-b.md
	git add . && git commit -qm word
	fails_for BAD_MARKDOWN ikm know status 2 "$to"
	ikm know status 2 "$to" 2>err || :
	grep -q "$words" err || { cat err; exit 1; }
	grep -q 'change that line by hand' err
	same '' "$(changes)"
done <<'R'
deprecated~# B\n\n## Status\n\n[Accepted](accepted.md)\n~at line 5 ikm cannot tell what to replace, where the word does not stand once: accepted
proposed~# B\n\n* Status: to be seen\n~in 'to be seen' at line 3 ikm cannot tell
accepted~---\nstatus: !x proposed\n---\n# B\n~which has a tag or is used elsewhere
proposed~<!-----status:\n\n# B\n~was not changed
R
E

long 'supersede keeps the words behind the status' <<'E'
printf "$nygard" '3. C' >docs/adr/0003-c.md
while IFS='~' read -r text want; do
	printf -- "# B\n\n$text\n" >docs/adr/0002-b.md
	git add . && git commit -qm words
	ikm know supersede 2 3 >out
	same "$(printf -- "$want")" "$(git diff -U0 docs/adr/0002-b.md | grep '^+[^+]')"
	same '["0003-c"]' "$(ikm know show 2 --json | jq -c .item.supersededBy)"
	back
done <<'R'
## Status\n\nAccepted (x), see [ticket 5](http://x/5)~+Superseded by [3. C](0003-c.md) (x), see [ticket 5](http://x/5)
* Status: accepted by Ada and Bob~+* Status: superseded by [0003-c](0003-c.md); accepted by Ada and Bob
## Status\n\n\176\176proposed\176\176 accepted~+\176\176proposed\176\176 superseded by [3. C](0003-c.md)
R
printf -- '---\nstatus: accepted by Ada\n---\n# B\n' >docs/adr/0002-b.md
git add . && git commit -qm by
fails_for BAD_MARKDOWN ikm know supersede 2 3
fails_for NO_SUCH_ITEM ikm know supersede 2 'Use Let us Encrypt' 2>err
grep -q "^  begin it, and use its id: ikm know new adr 'Use Let us Encrypt'" err
sh -ec "$(sed -n 's/.*use its id: //p' err)" >out
rm docs/adr/*use-let-us-encrypt.md
same '' "$(changes)"
git rm -q docs/adr/0003-c.md && git commit -qm c
E

more 'CRLF, emoji, comments and the rules of the file stay' <<'E'
printf -- '---\r\nstatus: proposed\r\n%s\r\nupdatedAt: 2020-01-01T10:00:00Z\r\n---\r\n# C 😀\r\n\r\nx <!-- y -->\r\n' \
	"$rule" >docs/adr/0003-c.md
git add . && git commit -qm c
IKM_NOW=2026-11-23T10:20:30Z ikm know status 3 accepted >out 2>err
printf -- '---\r\nstatus: accepted\r\n%s\r\nupdatedAt: 2026-11-23T10:20:30Z\r\n---\r\n# C 😀\r\n\r\nx <!-- y -->\r\n' \
	"$rule" >want
cmp want docs/adr/0003-c.md
same "the rule of '0003-c' judges from now on; 'ikm check --all --item 0003-c' lists what breaks it already" \
	"$(cat err)"
git commit -qam c
E

more 'an item with rules is retired in a commit of its own, which ikm names' <<'E'
IKM_NOW=2026-11-23T10:20:30Z ikm know status 3 deprecated >out 2>err
grep -q "commit it by itself" err
next=$(sed -n 's/.*forbade: //p' err)
same "git commit -m '0003-c is deprecated' -- docs/adr/0003-c.md" "$next"
echo other >other && git add other
eval "$next" >out
same docs/adr/0003-c.md "$(git show --name-only --format= HEAD)"
git commit -qm other
(cd docs && ikm know status 3 accepted --json >out)
same '[true,"deprecated","accepted",1]' "$(jq -c '[.changed,.before,.status,.rules]' docs/out)"
back
E

more 'only the transitions of ikm-know(1), and the error lists them' <<'E'
new 0004-d '---\nstatus: rejected\n---\n# D\n'
fails_for BAD_ARGUMENT ikm know status 1 draft
ikm know status 1 draft --json >out || :
same '["accepted",["deprecated","superseded"]]' "$(jq -c '[.details.from,.details.allowed]' out)"
ikm know status 1 draft 2>err || :
same "ikm: '0001-a' is accepted, and cannot become draft; allowed: deprecated, superseded" "$(sed -n 1p err)"
fails_for BAD_ARGUMENT ikm know status 4 accepted
ikm know status 4 accepted 2>err || :
grep -q "no status follows this one" err
for row in draft:proposed,rejected proposed:accepted,rejected accepted:deprecated,superseded \
	deprecated:accepted superseded: rejected:; do
	new 0005-e "---\nstatus: ${row%%:*}\n---\n# E\n"
	same "${row#*:}" "$(ikm know status 5 --json | jq -r '.allowed | join(",")')"
	for to in draft proposed accepted deprecated superseded rejected; do
		case ",${row#*:},${row%%:*}," in
		*",$to,"*) ikm know status 5 $to >out 2>err; same $to "$(status 5)"; back ;;
		*) fails_for BAD_ARGUMENT ikm know status 5 $to ;;
		esac
	done
done
same '' "$(changes)"
ikm know status 1 accepted >out
grep -q '^0001-a  accepted already  ' out
same '' "$(changes)"
E

more 'what cannot be written as meant is refused, and stays' <<'E'
new 0006-f '---\nstatus: accepted\nconstraints: [{operator: nonsense}]\n---\n# F\n'
fails_for BAD_MARKDOWN ikm know status 6 deprecated
ikm know status 6 deprecated 2>err || :
grep -q "^ikm: docs/adr/0006-f.md:3: the item is broken knowledge: " err
git rm -q docs/adr/0006-f.md && git commit -qm f
new 0007-g '---\nstatus: &s accepted\nx: *s\n---\n# G\n'
fails_for BAD_MARKDOWN ikm know status 7 deprecated
mkdir ../out && printf -- '---\nstatus: accepted\n---\n# Z\n' >../out/0009-z.md
git -C ../out init -q && git -C ../out add . && git -C ../out commit -qm z
ikm know status 9 deprecated --knowledge ../out >out
grep -q 'status: deprecated' ../out/0009-z.md
mkdir ../person && cat >../person/config.json <<'C'
{"knowledge": {"sources": [{"path": "../out", "ref": "HEAD"}]}}
C
IKIGAI_HOME=$T/w/person; export IKIGAI_HOME
same accepted "$(ikm know status 9)"
fails_for BAD_ARGUMENT ikm know status 9 deprecated
ikm know status 9 deprecated 2>err || :
grep -q "which is no folder on disk" err
same '' "$(changes)"
E

more 'supersede writes both files, each in its style' <<'E'
git rm -q docs/adr/*.md && git commit -qm none
mkdir -p docs/adr
for old in front nygard list table; do
	for successor in front nygard list table; do
		eval "printf -- \"\$$old\" '1. A [b]' >docs/adr/0001-a.md"
		eval "printf -- \"\$$successor\" '2. C' >'docs/adr/0002-c.md'"
		git add . && git commit -qm "$old $successor"
		ikm know supersede 1 2 >out
		same '0001-a is superseded by 0002-c' "$(cat out)"
		changes >"$T/$old-$successor"
		same '["superseded",["0002-c"]]' \
			"$(ikm know show 1 --json | jq -c '.item | [.status,.supersededBy]')"
		same '["accepted","0001-a"]' \
			"$(ikm know show 2 --json | jq -c '.item | [.status,.supersedes]')"
		back
	done
done
same '-status: accepted
+status: superseded
+supersededBy: 0002-c
+supersedes: 0001-a' "$(cat "$T/front-front")"
same '-Accepted
+Superseded by [2. C](0002-c.md)
+Supersedes [1. A \[b\]](0001-a.md)
+' "$(cat "$T/nygard-nygard")"
same '-* **Status:** accepted
+* **Status:** superseded by [0002-c](0002-c.md)
+* **Supersedes:** [0001-a](0001-a.md)' "$(cat "$T/list-list")"
same '-| Status | Accepted |
+| Status | Superseded by 0002-c |
+| Supersedes | 0001-a |' "$(cat "$T/table-table")"
E

more 'a list of superseded items grows, in either form' <<'E'
for have in '[x-1]' '\n- x-1' '\n  - x-1' x-1 '' '[]'; do
	printf -- "$front" A >docs/adr/0001-a.md
	printf -- "---\nsupersedes: $have\nstatus: accepted\n---\n# C\n" >docs/adr/0002-c.md
	ikm know supersede 1 2 >out
	case $have in
	'' | '[]') want='["0001-a"]' ;;
	*) want='["x-1","0001-a"]' ;;
	esac
	same "$want" "$(ikm know show 2 --json | jq -c '.item.supersedesAll // [.item.supersedes]')"
done
back
E

try 'a successor that Git does not know yet: the printed commit takes both files' <<'E'
printf -- '---\nstatus: accepted\n%s\n---\n# R\n' "$rule" >docs/adr/0070-r.md
git add . && git commit -qm r
ikm know new adr 'After R' >out
new=$(ls docs/adr/*after-r.md)
ikm know supersede 70 "$(basename "$new" .md)" 2>notes
eval "$(sed -n 's/.*forbade: //p' notes)" >out
same '' "$(git status --short docs)"
fails 3 ikm know supersede 70 8765 2>err
grep -q "ikm know new adr 'TITLE'" err
E

try 'a decision that is staged is staged with its new status; another one is not' <<'E'
ikm know new adr 'Staged one' >out
one=$(ls docs/adr/*staged-one.md)
git add "$one"
ikm know status "$(basename "$one" .md)" accepted 2>err
grep -qx "staged: $one" err
same "A  $one" "$(git status --short "$one")"
git commit -qm one
ikm know status "$(basename "$one" .md)" deprecated 2>err
not grep staged: err
same " M $one" "$(git status --short "$one")"
git checkout -q -- "$one"
ikm know new adr 'Half staged' >out
half=$(ls docs/adr/*half-staged.md)
git add "$half"
echo more >>"$half"
ikm know status "$(basename "$half" .md)" accepted 2>err
grep -qx "the index has its former status: git add $half" err
rm "$half" && git rm -q --cached "$half"
E

more 'in another folder, with odd names, and with rules' <<'E'
mkdir -p 'docs/adr/old ones'
printf -- '---\nstatus: accepted\n%s\n---\n# A\n' "$rule" >'docs/adr/old ones/0003-a.md'
printf "$nygard" '4. D' >'docs/adr/0004-d (x).md'
git add . && git commit -qm more
ikm know supersede 3 4 --json >out
same '["0003-a","0004-d (x)"]' "$(jq -c '[.id,.successor]' out)"
jq -r '.notes[]' out >notes
eval "$(sed -n 's/.*forbade: //p' notes)" >out
same '' "$(git status --short docs)"
same superseded "$(status 3)"
grep -q '^Supersedes \[A\](old%20ones/0003-a.md)$' 'docs/adr/0004-d (x).md'
printf "$nygard" '5. E' >docs/adr/0005-e.md
git add . && git commit -qm e
ikm know supersede 4 5 >out
grep -q '^Supersedes \[4. D\](0004-d%20%28x%29.md)$' docs/adr/0005-e.md
same '["0005-e"]' "$(ikm know show 4 --json | jq -c .item.supersededBy)"
git commit -qam e
E

more 'what supersede refuses changes nothing' <<'E'
printf -- "$front" A >docs/adr/0001-a.md
printf -- "$front" C >docs/adr/0002-c.md
printf -- '---\nstatus: draft\n---\n# F\n' >docs/adr/0006-f.md
printf -- '---\nstatus: superseded\n---\n# G\n' >docs/adr/0007-g.md
printf -- '---\nstatus: accepted\nsupersedes: 0009-i\n---\n# H\n' >docs/adr/0008-h.md
printf -- '---\nstatus: proposed\nsupersedes: 0008-h\n---\n# I\n' >docs/adr/0009-i.md
git add . && git commit -qm refused
refused() { # reason, words, items
	fails_for "$1" ikm know supersede "$3" "$4" 2>err
	grep -q "$2" err || { cat err; exit 1; }
}
refused BAD_ARGUMENT 'cannot supersede itself' 1 1
refused BAD_ARGUMENT 'a successor: accepted, proposed' 1 6
refused BAD_ARGUMENT 'allowed for a successor' 1 7
refused BAD_ARGUMENT 'is superseded, and cannot become superseded' 7 1
refused BAD_ARGUMENT 'is draft, and cannot become superseded' 6 1
refused SUPERSEDED "'0004-d (x)' is superseded by '0005-e' already" 4 1
refused BAD_ARGUMENT 'would be a cycle' 9 8
refused NO_SUCH_ITEM "'77'" 1 77
same '' "$(changes)"
E

try 'before the first commit: a staged decision stays staged' <<'E'
git init -q unborn
cd unborn
mkdir -p .ikm docs/adr
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
printf -- "$front" A | tee docs/adr/0001-a.md >docs/adr/0002-b.md
ikm know status 2 deprecated
git add docs/adr/0001-a.md
ikm know status 1 deprecated >out 2>&1
grep -q 'staged: docs/adr/0001-a.md' out
git show :docs/adr/0001-a.md | grep -x 'status: deprecated'
same '?? docs/adr/0002-b.md' "$(git status --short -- docs | grep 0002)"
E

more 'a fault at any effect leaves both files as they were, or both changed' <<'E'
cat docs/adr/0001-a.md docs/adr/0002-c.md >before
for sign in '' -; do
	n=1
	while :; do
		rc=0
		IKM_FAULT=$sign$n ikm know supersede 1 2 >out 2>err || rc=$?
		git diff --quiet docs/adr/0001-a.md && old=same || old=new
		git diff --quiet docs/adr/0002-c.md && successor=same || successor=new
		case $rc:$old:$successor in
		0:new:new) break ;;
		0:* | *:new:same) echo "$sign$n: $rc $old $successor"; exit 1 ;;
		# A killed process may leave the successor alone, which means the same.
		*:same:new) [ -n "$sign" ] || { grep -q 'may have' err || exit 1; } ;;
		esac
		grep -q '^status: accepted$' docs/adr/0002-c.md
		grep -qx 'status: accepted\|status: superseded' docs/adr/0001-a.md
		git checkout -q docs
		n=$((n + 1))
	done
	[ $n -gt 3 ] || { echo "only $n effects"; exit 1; }
	git checkout -q docs
done
same '' "$(find docs -name '.ikm-tmp*')"
cat docs/adr/0001-a.md docs/adr/0002-c.md | cmp - before
E
done_testing
