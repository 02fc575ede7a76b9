#!/bin/sh
# One script on two backends: on a folder and on stored assets every tool must print and leave the
# same. Only the reason and the message for a missing object may differ.
. "$(dirname "$0")/../lib.sh"

git init -q repo
cd repo || exit 1
mkdir t

# Runs one call; prints its status and output, without the backend's names and the ids of events.
call() {
	printf '%s\n' "$2" >../in
	rc=0
	ikm call ${3-} "$1" <../in >../out 2>../err || rc=$?
	printf '%s\n' "$1 $2: $rc"
	jq -cS 'del(.event, .help, .files[]?.event?) |
		if .details.reason | IN("FILE_NOT_FOUND", "NO_SUCH_ASSET") then
			{errorCode, reason: "NOT_THERE", retryable} else . end' ../out
}

script() {
	p=$1
	call file_write "{\"path\": \"$p/a.md\", \"content\": \"one\\ntwo\\ntwo\\n\"}"
	call file_read "{\"path\": \"$p/a.md\"}"
	first=$(jq -r .hash ../out)
	call file_read "{\"path\": \"$p/a.md\", \"lines\": [\"2:\"], \"number\": true}"
	call file_write "{\"path\": \"$p/a.md\", \"content\": \"one\\ntwo\\ntwo\\n\"}"
	call file_write "{\"path\": \"$p/a.md\", \"content\": \"x\", \"ifMatch\": \"none\"}"
	call file_write "{\"path\": \"$p/new/b.md\", \"content\": \"# B\", \"ifMatch\": \"none\", \"parents\": true}"
	call file_edit "{\"path\": \"$p/a.md\", \"old\": \"one\", \"new\": \"1\", \"ifMatch\": \"$first\"}"
	call file_edit "{\"path\": \"$p/a.md\", \"old\": \"1\", \"new\": \"2\", \"ifMatch\": \"$first\"}"
	call file_edit "{\"path\": \"$p/a.md\", \"old\": \"two\", \"new\": \"2\"}"
	call file_edit "{\"path\": \"$p/a.md\", \"old\": \"tow\", \"new\": \"2\"}"
	call file_edit "{\"path\": \"$p/a.md\", \"old\": \"two\", \"new\": \"2\", \"all\": true}"
	call file_edit "{\"path\": \"$p/a.md\", \"old\": \"\", \"new\": \"2\"}"
	call file_edit "{\"path\": \"$p/none.md\", \"old\": \"a\", \"new\": \"b\"}"
	call fs_append "{\"path\": \"$p/new/b.md\", \"text\": \"## Two\\ntext\"}"
	call fs_append "{\"path\": \"$p/new/b.md\", \"text\": \"\"}"
	call fs_append "{\"path\": \"$p/c.md\", \"text\": \"made\"}"
	call fs_hash "{\"path\": \"$p/new/b.md\"}"
	call fs_hash "{\"path\": \"$p/new/b.md\", \"sectionAnchor\": \"two\"}"
	call fs_hash "{\"path\": \"$p/new/b.md\", \"section\": \"three\"}"
	call file_read "{\"path\": \"$p/new/b.md\", \"section\": \"two\"}"
	call file_read "{\"path\": \"$p/none.md\"}"
	call file_read "{\"path\": \"$p/new\"}"
	call file_read "{\"path\": \"$p/a.md\", \"paths\": [\"$p/c.md\"]}"
	call file_write "{\"path\": \"$p/new\", \"content\": \"x\"}"
	call file_write "{\"path\": \"$p/a.md/below\", \"content\": \"x\", \"parents\": true}"
	diff='--- a\n+++ b\n@@ -1 +1,2 @@\n-made\n\\\\ No newline at end of file\n+made\n+patched\n'
	call fs_patch "{\"path\": \"$p/c.md\", \"diffText\": \"$diff\"}"
	call fs_patch "{\"path\": \"$p/c.md\", \"diffText\": \"$diff\"}"
	call fs_patch "{\"path\": \"$p/c.md\", \"diffText\": \"none\"}"
	call fs_list "{\"path\": \"$p\"}"
	call fs_list "{\"path\": \"$p/new\"}"
	call fs_list "{\"path\": \"$p/none\"}"
	call glob "{\"pattern\": \"**/b*\", \"path\": \"$p\"}"
	call grep "{\"pattern\": \"^.ade|tex\", \"path\": \"$p\"}"
	call grep "{\"pattern\": \"(\", \"path\": \"$p\"}"
	call fs_search "{\"pattern\": \"2\", \"root\": \"$p\"}"
	call fs_search "{\"pattern\": \"no such text\", \"root\": \"$p\"}"
	call fs_ensure_dir "{\"path\": \"$p/c.md\"}"
	call fs_ensure_dir "{\"path\": \"$p/new\"}"
	call fs_move "{\"path\": \"$p/a.md\", \"newPath\": \"$p/d.md\"}"
	call fs_move "{\"path\": \"$p/a.md\", \"newPath\": \"$p/d.md\"}" --maintainer
	call fs_move "{\"path\": \"$p/c.md\", \"newPath\": \"$p/d.md\"}" --maintainer
	call fs_move "{\"path\": \"$p/none.md\", \"newPath\": \"$p/e.md\"}" --maintainer
	call file_read "{\"path\": \"$p/d.md\"}"
	call file_write "{\"path\": \"$p/a\\u0000b\", \"content\": \"x\"}"
}

try 'the same script prints the same' <<'E'
script t >../fs
script ikigai:///t >../asset.raw
sed 's|ikigai:///t|t|g' ../asset.raw >../asset
diff -u ../fs ../asset
[ "$(grep -c '"newHash"' ../fs)" -gt 6 ]
E

more 'the same script leaves the same content' <<'E'
(cd t && find . -type f | sort) >../fs.names
sqlite3 "$HOME/.ikigai/ikm.db" "select './' || substr(path, 3) from stored_assets
	where path like 't/%' order by path" >../asset.names
diff -u ../fs.names ../asset.names
while read -r name; do
	ikm read "ikigai:///t/$name" | cmp - "t/$name"
done <<N
$(sed 's|^\./||' ../fs.names)
N
E

more 'the same script records the same events' <<'E'
db=$HOME/.ikigai/ikm.db
sqlite3 "$db" "select * from (select op, tool, before_hash, after_hash from events
	where entity_type = 'file' order by seq)" >../fs.events
sqlite3 "$db" "select * from (select op, tool, before_hash, after_hash from events
	where entity_type = 'asset' order by seq)" >../asset.events
[ -s ../fs.events ]
diff -u ../fs.events ../asset.events
E

more 'what is no text is for files only' <<'E'
for content in '/wA=' 'AA=='; do
	printf '{"path": "ikigai:///t/bin", "content": "%s", "encoding": "base64"}' "$content" >../in
	fails 2 sh -c "ikm call file_write <../in >../out"
	same NOT_TEXT "$(jq -r .details.reason ../out)"
done
fails 3 ikm read ikigai:///t/bin
E

more 'an asset by a slip of its name' <<'E'
fails 3 ikm read ikigai:///t/d --json >../out
jq -e '.help.steps[0] | contains("ikigai:///t/d.md")' ../out
fails_for BAD_PATH ikm read ikigai:///t/../d.md
fails_for BAD_PATH ikm read ikigai://
fails_for BAD_PATH ikm read ikigai:/t/d.md
E
done_testing
