#!/bin/sh
# ikm md: one section of a Markdown text changes, and every other byte stays. The garden's functions
# have tables of cases in t/unit/garden_text.c; here is what the commands add.
. "$(dirname "$0")/../lib.sh"

cat >profile <<'E'
---
id: p1
---
# Guard

## Needs
<!-- @anchor: needs v1 -->

rest

## Evidence (curated)
[//]: # (anchor: evidence v1)

- "early" ev:20260131T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FAV
- "late" ev:20260201T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FAW

Open Questions
--------------

- who?

## Open Questions

```
## Needs
```
E
export IKM_NOW=2026-01-31T12:00:00Z
git init -q .

call() { # TOOL JSON
	echo "$2" | ikm call "$1"
}
paths() { # FILE: its lines, but those of the body of Needs
	sed '/^<!-- @anchor: needs/,/^## Evidence/{/^<!--/b;/^## Ev/b;d;}' "$1"
}

try 'sections: as the requirement has them, and how to name the others' <<'E'
cp profile f
ikm md sections f --json >out
same '[["","Guard",4,"guard"],["needs v1","Needs",6,null],["evidence v1","Evidence (curated)",11,null],["","Open Questions",17,"open-questions:17"],["","Open Questions",22,"open-questions-1:22"]]' \
	"$(jq -c '[.sections[] | [.anchor, .heading, .startLine, .name]]' out)"
jq -r '.sections[] | .name // .anchor' out | tac >names # from the end, so that lines stay
while read -r name; do
	ikm md patch f "$name" --append "to $name"
done <names
same "$(cat names)" "$(sed -n 's/^to //p' f | tac | sed '1{h;d;};$G')"
printf 'plain text\n' >none
same '{"sections":[]}' "$(ikm md sections none --json)"
printf '\377\n' >bytes
fails_for NOT_TEXT ikm md sections bytes
fails_for FILE_NOT_FOUND ikm md sections gone
E

long 'patch: the body alone changes, on files and assets' <<'E'
for f in f ikigai:///blocks/f.md; do
	ikm write "$f" --content - <profile
	ikm md patch "$f" 'needs v1' --replace 'a plan' --json >out
	ikm read "$f" >got
	same "$(paths profile)" "$(paths got)"
	same "$(ikm hash profile --section needs) $(ikm hash got --section needs)" \
		"$(jq -r '.beforeHash + " " + .afterHash' out)"
	same "sha256:$(sha256sum got | cut -d' ' -f1)" "$(jq -r .newHash out)"
	same '["Needs","needs v1",true,false]' "$(jq -c '[.heading,.anchor,.changed,.created]' out)"
	printf 'from stdin\n' | ikm md patch "$f" needs --append -
	ikm read "$f" --section needs >got
	same '## Needs|<!-- @anchor: needs v1 -->||a plan||from stdin||' "$(tr '\n' '|' <got)"
	printf '\n\na plan\n\nfrom stdin\n\n' | ikm md patch "$f" needs --replace - --json >out
	same '[false,true]' "$(jq -c '[.changed, .beforeHash == .afterHash]' out)"
done
E

try 'patch: the parameters of the requirement, and no others' <<'E'
cp profile f
call md.patch_section '{"path":"f","sectionAnchor":"needs v1","change":{"replace":"x"},"opts":{"ifMatch":"none"}}' >out && exit 1
same CHANGED "$(jq -r .details.reason out)"
call md.patch_section '{"path":"f","sectionAnchor":"needs v1","change":{"replace":"x"},"opts":{"breakLinks":true}}' >out
jq -e '.beforeHash != .afterHash' out
cp f was
for change in '"change":{}' '"change":{"replace":"a","append":"b"}' '"change":{"append":"b"},"replace":"a"' \
	'"change":"x"' '"change":{"text":"x"}' '"opts":"x"'; do
	fails 2 call md_patch_section "{\"path\":\"f\",\"sectionAnchor\":\"needs\",$change}"
done
fails_for MISSING_PARAMETER ikm md patch f needs
fails_for BAD_ARGUMENT ikm md patch f needs --replace a --append b
fails_for BAD_MARKDOWN ikm md patch f needs --replace '```'
fails_for NO_SUCH_SECTION ikm md patch f need --replace x
fails_for FILE_NOT_FOUND ikm md patch gone needs --replace x
cmp f was
E

try 'patch: what is ambiguous is refused with the lines, and nothing changes' <<'E'
cp profile f
fails_for NOT_UNIQUE ikm md patch f 'Open Questions' --append x --json >out
same '[17,22]' "$(jq -c .details.lines out)"
jq -e '.help.steps[0] | contains("Open Questions:17")' out
fails_for NO_SUCH_SECTION ikm md patch f nowhere --append x --json >out
jq -e '.details.sections | index("needs v1") and index("open-questions")' out
printf '\nx <!-- @anchor: needs v1 -->\n' >>f
cp f was
fails_for NOT_UNIQUE ikm md patch f 'needs v1' --replace x --json >out
same '[7,28]' "$(jq -c .details.lines out)"
cmp f was
E

try 'patch: a condition may be the hash of the file or of the section' <<'E'
cp profile f
file=$(ikm hash f) section=$(ikm hash f --section needs) bytes=sha256:$(sha256sum f | cut -d' ' -f1)
ikm md patch f evidence --append x
for hash in "$file" "$bytes"; do
	fails_for CHANGED ikm md patch f needs --append x --if-match "$hash"
done
ikm md patch f needs --append x --if-match "$section"
fails_for CHANGED ikm md patch f needs --append y --if-match "$section" --json >out
same "$(ikm hash f --section needs)" "$(jq -r .details.current out)"
ikm md patch f needs --append y --if-match "$(ikm hash f)"
same 1 "$(grep -c '^y$' f)"
E

try 'patch: line ends, and anchors that a new text takes away, are told' <<'E'
sed 's/$/\r/' profile >f
printf 'a\nb\n' | ikm md patch f needs --replace - --json >out
same crlf "$(jq -r .lineEnds out)"
same "$(wc -l <f)" "$(grep -c "$(printf '\r')\$" f)"
cp profile f
ikm md patch f guard --replace short --json >out
jq -e '.warnings[0] | contains("needs v1") and contains("evidence v1")' out
ikm md patch f guard --tombstone 'merged with p2'
same '*Given up 2026-01-31T12:00:00Z: merged with p2*' "$(tail -1 f)"
fails_for BAD_ARGUMENT ikm md patch f guard --tombstone 'x
# y'
E

try 'curate: the list changes by tokens and texts, and nothing else' <<'E'
cp profile f
ikm md curate f evidence append '- "new"' --json >out
same '[1,null]' "$(jq -c '[.added,.removed]' out)"
one=ev:20260131T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FAV two=ev:20260201T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FAW
ikm md curate f evidence merge $one $two '"both"' --reason 'one event' --json >out
same '[1,2]' "$(jq -c '[.added,(.removed | length)]' out)"
same "- \"both\" $one $two|- \"new\"|" "$(grep '^- "' f | tr '\n' '|')"
ikm md curate f evidence append,prune '"last"' '"new"' -m 'no longer true' >out
same 'removed "new"' "$(cat out)"
same "$(sed '/^- "/d' profile)" "$(sed '/^- "/d' f)"
call md_curate_list '{"path":"f","sectionAnchor":"evidence v1","op":"append","item":"\"one more\""}' >out
same 1 "$(jq .added out)"
# One text is one item, with its commas.
call md_curate_list '{"path":"f","sectionAnchor":"evidence v1","ops":"append","items":"\"first, then\""}' >out
same 1 "$(jq .added out)"
grep -q '^- "first, then"$' f
ikm tool schema md_curate_list --format mcp | jq -e '.inputSchema.properties | .items.type == "array" and .ops.type == "array"'
call md_curate_list '{"path":"f","sectionAnchor":"evidence v1","ops":["prune"],"items":["\"one more\"","\"last\""],"reason":"x"}' >out
same '["\"one more\"","\"last\""]' "$(jq -c .removed out)"
E

more 'curate: what does not fit is refused, and nothing changes' <<'E'
cp profile f
item='"early" ev:20260131T120000Z-01ARZ3NDEKTSV4RRFFQ69G5FAV'
fails_for MISSING_PARAMETER call md_curate_list '{"path":"f","sectionAnchor":"evidence","items":["x"]}'
fails_for NOT_IN_ENUM call md_curate_list '{"path":"f","sectionAnchor":"evidence","ops":["x"],"items":["x"]}'
fails_for NOT_IN_ENUM ikm md curate f evidence remove x
fails_for BAD_ARGUMENT ikm md curate f evidence prune "$item"
fails_for BAD_ARGUMENT ikm md curate f evidence append,append x
fails_for BAD_ARGUMENT ikm md curate f evidence append 'x
## y'
fails_for NO_SUCH_TEXT ikm md curate f evidence prune ev:1 -m x
fails_for EXISTS ikm md curate f evidence append "$item"
fails_for NO_SUCH_TEXT ikm md curate f evidence append,prune x ev:1 -m x
cmp f profile
ikm md curate f open-questions:17 prune 'who?' -m answered 2>err
grep -q 'has no items now' err
grep -q '^\*Given up 2026-01-31T12:00:00Z: answered\*$' f
E

more 'snapshot: a copy with time and hash, made once' <<'E'
mkdir d
for f in profile d/profile.md ikigai:///blocks/p.md; do
	[ -e "$f" ] || ikm write "$f" --content - <profile
	hash=$(ikm read "$f" --json | jq -r .hash)
	ikm md snapshot "$f" --json >out
	folder=${f%"${f##*/}"}
	same "${folder}history/20260131T120000.000Z-$(echo "$hash" | cut -c8-19)-${f##*/}" \
		"$(jq -r .historyPath out)"
	same "[true,\"$hash\"]" "$(jq -c '[.created,.hash]' out)"
	ikm read "$(jq -r .historyPath out)" | cmp - profile
	IKM_NOW=2027-01-01T00:00:00Z ikm md snapshot "$f" --json >again
	same "[false,$(jq .historyPath out)]" "$(jq -c '[.created,.historyPath]' again)"
	[ "$f" = profile ] || echo more | ikm append "$f"
done
same true "$(ikm md snapshot d/profile.md --json | jq .created)"
same 2 "$(ls d/history | wc -l)"
for i in 1 2 3 4 5 6; do IKM_NOW=2026-02-0${i}T00:00:00Z ikm md snapshot none >/dev/null 2>&1 & done
wait
same 1 "$(ls history | grep -c none)"
fails_for FILE_NOT_FOUND ikm md snapshot gone
E

more 'new: what the kind does not have is refused' <<'E'
fails_for MISSING_PARAMETER ikm md new part
fails_for BAD_ARGUMENT ikm md new overview p1
fails_for BAD_ARGUMENT ikm md new part p1 --participant a
fails_for BAD_ARGUMENT ikm md new part ../p1
fails_for BAD_ARGUMENT ikm md new part p1 --user ..
fails_for BAD_ARGUMENT ikm md new relationship r1 --participant p1
fails_for BAD_ARGUMENT ikm md new notes --part p1 --relationship r1
fails_for BAD_ARGUMENT ikm md new part p1 --title 'a
## b'
fails_for NOT_CONFIGURED ikm md new part p1
[ ! -e "$HOME/.ikigai/garden" ]
E

more 'eight sections at once: all changes survive' <<'E'
for i in 1 2 3 4 5 6 7 8; do printf '## S%s\n\n- 0\n\n' $i; done >f
for i in 1 2 3 4 5 6 7 8; do
	for n in 1 2 3; do ikm md curate f "s$i" append "$n of $i"; done &
done
wait
for i in 1 2 3 4 5 6 7 8; do
	same "- 0|- 1 of $i|- 2 of $i|- 3 of $i|" "$(ikm read f --section s$i | grep '^-' | tr '\n' '|')"
done
E

more 'completion: the names of the sections of the file that was typed' <<'E'
cp profile f
same 'guard needs evidence open-questions:17 open-questions-1:22 ' \
	"$(ikm --complete 4 ikm md patch f | cut -f1 | tr '\n' ' ')"
same needs "$(ikm --complete 6 ikm md curate --reason x f ne | cut -f1)"
same append "$(ikm --complete 5 ikm md curate f evidence ap | cut -f1)"
same '' "$(ikm --complete 4 ikm md patch gone '' 2>/dev/null)"
E

done_testing
