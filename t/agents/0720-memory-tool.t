#!/bin/sh
# ikm memory-tool: the commands, answers and errors that the documentation of Anthropic's memory tool
# (memory_20250818) fixes, and what it says of paths; the store behind them; hosts that keep it running.
. "$(dirname "$0")/../lib.sh"

db=$HOME/.ikigai/ikm.db
export db

ask() { # JSON: the answer, whatever it is
	printf '%s' "$1" | ikm memory-tool || [ $? = 1 ]
}
# Lines "< JSON" with the expected answer behind, or "! JSON" with an expected error; in order, on
# one store.
table() {
	json='' want='' status=0 asked=0
	while IFS= read -r line; do
		case $line in
		'< '* | '! '*) check || return 1 ;;
		*) want="$want${want:+
}$line" ;;
		esac
		case $line in
		'< '*) status=0 json=${line#< } want='' ;;
		'! '*) status=1 json=${line#! } want='' ;;
		esac
	done
	check && [ $asked -gt 0 ]
}
check() {
	[ -n "$json" ] || return 0
	asked=$((asked + 1)) rc=0
	printf '%s' "$json" | ikm memory-tool >got || rc=$?
	same "$json
$want
$status" "$json
$(cat got)
$rc"
}

try 'reading an empty store creates nothing' <<'E'
table <<A
< {"command": "view", "path": "/memories"}
Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:
0B	/memories
! {"command": "view", "path": "/memories/notes.txt"}
The path /memories/notes.txt does not exist. Please provide a valid path.
A
[ ! -e "$HOME/.ikigai" ]
E

try 'create' <<'E'
table <<A
< {"command": "create", "path": "/memories/notes.txt", "file_text": "one\ntwo\nthree\n"}
File created successfully at: /memories/notes.txt
! {"command": "create", "path": "/memories/notes.txt", "file_text": "other"}
Error: File /memories/notes.txt already exists
< {"command": "create", "path": "/memories/a/b/c/deep.txt", "file_text": "deep"}
File created successfully at: /memories/a/b/c/deep.txt
! {"command": "create", "path": "/memories/a/b", "file_text": "a folder has this name"}
Error: File /memories/a/b already exists
! {"command": "create", "path": "/memories/notes.txt/x", "file_text": "a file has this name"}
Error: cannot make the folder '/memories/notes.txt': a file has this name
< {"command": "create", "path": "/memories/empty", "file_text": ""}
File created successfully at: /memories/empty
! {"command": "create", "path": "/memories/nul", "file_text": "a\u0000b"}
Error: the content of the file '/memories/nul' is no text: NUL at byte 1
A
same "one
two
three" "$(ikm read ikigai:///memories/notes.txt)"
E

try 'view a file' <<'E'
table <<A
< {"command": "view", "path": "/memories/notes.txt"}
Here's the content of /memories/notes.txt with line numbers:
     1	one
     2	two
     3	three
< {"command": "view", "path": "/memories/notes.txt", "view_range": [2, 3]}
Here's the content of /memories/notes.txt with line numbers:
     2	two
     3	three
< {"command": "view", "path": "/memories/notes.txt", "view_range": [3, -1]}
Here's the content of /memories/notes.txt with line numbers:
     3	three
< {"command": "view", "path": "/memories/notes.txt", "view_range": [3, 99]}
Here's the content of /memories/notes.txt with line numbers:
     3	three
< {"command": "view", "path": "/memories/notes.txt", "view_range": null}
Here's the content of /memories/notes.txt with line numbers:
     1	one
     2	two
     3	three
! {"command": "view", "path": "/memories/notes.txt", "view_range": "[4, 5]"}
Error: Invalid \`view_range\` parameter: [4, 5]. It should be within the range of lines of the file: [1, 3]
! {"command": "view", "path": "/memories/notes.txt", "view_range": [4, 5]}
Error: Invalid \`view_range\` parameter: [4, 5]. It should be within the range of lines of the file: [1, 3]
! {"command": "view", "path": "/memories/notes.txt", "view_range": [0, 1]}
Error: Invalid \`view_range\` parameter: [0, 1]. It should be within the range of lines of the file: [1, 3]
! {"command": "view", "path": "/memories/notes.txt", "view_range": [3, 2]}
Error: Invalid \`view_range\` parameter: [3, 2]. It should be within the range of lines of the file: [1, 3]
! {"command": "view", "path": "/memories/notes.txt", "view_range": [1]}
Error: \`view_range\` must be a list of two line numbers, such as [1, 10] or [11, -1]
< {"command": "view", "path": "/memories/empty"}
Here's the content of /memories/empty with line numbers:
A
seq 1 1000 | ikm write ikigai:///memories/many
same '  1000	1000' "$(ask '{"command": "view", "path": "/memories/many"}' | tail -n 1)"
ikm asset delete memories/many
E

try 'view a folder: two levels, sizes, no hidden ones, no node_modules' <<'E'
for name in .hidden a/.hidden/x node_modules/x a/node_modules/x; do
	echo not shown | ikm write ikigai:///memories/$name
done
head -c 1536 /dev/zero | tr '\0' x | ikm write ikigai:///memories/a/big
head -c 1048575 /dev/zero | tr '\0' x | ikm write ikigai:///memories/a-b
head -c 1023 /dev/zero | tr '\0' x | ikm write ikigai:///memories/a.md
table <<A
< {"command": "view", "path": "/memories"}
Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:
1.0M	/memories
1.0M	/memories/a-b
1023B	/memories/a.md
1.5K	/memories/a/
4B	/memories/a/b/
1.5K	/memories/a/big
0B	/memories/empty
14B	/memories/notes.txt
< {"command": "view", "path": "/memories/a/", "view_range": [1, 10]}
Here're the files and directories up to 2 levels deep in /memories/a, excluding hidden items and node_modules:
1.5K	/memories/a
4B	/memories/a/b/
4B	/memories/a/b/c/
1.5K	/memories/a/big
< {"command": "view", "path": "/memories/a/.hidden"}
Here're the files and directories up to 2 levels deep in /memories/a/.hidden, excluding hidden items and node_modules:
10B	/memories/a/.hidden
10B	/memories/a/.hidden/x
A
E

try 'a name from elsewhere cannot begin a line of the listing' <<'E'
echo x | ikm write "$(printf 'ikigai:///memories/odd\n9B\t/memories/lie')"
ask '{"command": "view", "path": "/memories"}' >got
fails 1 grep -q '^9B' got
grep -F '/memories/odd\x0a9B' got
ask '{"command": "delete", "path": "/memories/odd\n9B\t"}' | grep control
ikm asset delete "$(printf 'memories/odd\n9B\t/memories/lie')"
E

try 'str_replace' <<'E'
table <<A
< {"command": "create", "path": "/memories/p", "file_text": "1\n2\n3\nred\n5\n6\n7\nred red\n"}
File created successfully at: /memories/p
! {"command": "str_replace", "path": "/memories/p", "old_str": "red", "new_str": "blue"}
No replacement was performed. Multiple occurrences of old_str \`red\` in lines: 4, 8. Please ensure it is unique
! {"command": "str_replace", "path": "/memories/p", "old_str": "green", "new_str": "blue"}
No replacement was performed, old_str \`green\` did not appear verbatim in /memories/p.
< {"command": "str_replace", "path": "/memories/p", "old_str": "red\n5", "new_str": "blue\nand\nwhite"}
The memory file has been edited. Here is the snippet showing the change (with line numbers):
     2	2
     3	3
     4	blue
     5	and
     6	white
     7	6
     8	7
< {"command": "str_replace", "path": "/memories/p", "old_str": "1\n", "new_str": ""}
The memory file has been edited. Here is the snippet showing the change (with line numbers):
     1	2
     2	3
     3	blue
! {"command": "str_replace", "path": "/memories/none", "old_str": "a", "new_str": "b"}
Error: The path /memories/none does not exist. Please provide a valid path.
! {"command": "str_replace", "path": "/memories/a", "old_str": "a", "new_str": "b"}
Error: The path /memories/a does not exist. Please provide a valid path.
! {"command": "str_replace", "path": "/memories/p", "old_str": "", "new_str": "b"}
Error: the old text is empty
! {"command": "str_replace", "path": "/memories/p", "old_str": "red red", "new_str": "red red"}
Error: the new text is the old text
! {"command": "str_replace", "path": "/memories/p", "old_str": "red"}
Error: str_replace needs \`new_str\`
A
same "2
3
blue
and
white
6
7
red red" "$(ikm read ikigai:///memories/p)"
E

long 'the message of many places, and of a long text, is whole' <<'E'
yes same | head -n 200 | ikm write ikigai:///memories/same
ask '{"command": "str_replace", "path": "/memories/same", "old_str": "same", "new_str": "x"}' >got
grep -q ' in lines: 1, 2, .*, 99, 100, \.\.\.\. Please ensure it is unique$' got
long=$(head -c 20000 /dev/zero | tr '\0' y)
ask "{\"command\": \"str_replace\", \"path\": \"/memories/same\", \"old_str\": \"$long\", \"new_str\": \"x\"}" >got
same "No replacement was performed, old_str \`$long\` did not appear verbatim in /memories/same." "$(cat got)"
# ikm does not visit the matches one by one, even if there is one at every byte.
head -c 4000000 /dev/zero | tr '\0' y | ikm write ikigai:///memories/same
ask "{\"command\": \"str_replace\", \"path\": \"/memories/same\", \"old_str\": \"$long\", \"new_str\": \"x\"}" |
	tail -c 80 | grep -q 'in lines: 1. Please'
E

long 'what is inserted has the line ends of the place, and stands behind a byte order mark' <<'E'
inserted() { # CONTENT LINE TEXT WANT
	printf "$1" | ikm write ikigai:///memories/ends
	ask "{\"command\": \"insert\", \"path\": \"/memories/ends\", \"insert_line\": $2, \"insert_text\": \"$3\"}" >got
	same "$(printf "$4" | od -c)" "$(ikm read ikigai:///memories/ends | od -c)"
}
inserted 'a\r\nb\r\n' 1 'x\ny' 'a\r\nx\r\ny\r\nb\r\n'
inserted 'a\r\nb\r\n' 0 'x' 'x\r\na\r\nb\r\n'
inserted 'a\r\nb' 2 'x' 'a\r\nb\r\nx'
inserted 'a\nb\r\nc\n' 2 'x' 'a\nb\r\nx\r\nc\n'
inserted 'a\nb\n' 1 'x\r\n' 'a\nx\nb\n'
inserted '\357\273\277a\n' 0 'x' '\357\273\277x\na\n'
inserted '\357\273\277a' 1 'x' '\357\273\277a\nx'
E

long 'insert' <<'E'
table <<A
< {"command": "create", "path": "/memories/todo", "file_text": "a\nb"}
File created successfully at: /memories/todo
< {"command": "insert", "path": "/memories/todo", "insert_line": 1, "insert_text": "new"}
The file /memories/todo has been edited.
< {"command": "insert", "path": "/memories/todo", "insert_line": 0, "insert_text": "top\n"}
The file /memories/todo has been edited.
< {"command": "insert", "path": "/memories/todo", "insert_line": 4, "insert_text": "end"}
The file /memories/todo has been edited.
! {"command": "insert", "path": "/memories/todo", "insert_line": 6, "insert_text": "x"}
Error: Invalid \`insert_line\` parameter: 6. It should be within the range of lines of the file: [0, 5]
! {"command": "insert", "path": "/memories/todo", "insert_line": -1, "insert_text": "x"}
Error: Invalid \`insert_line\` parameter: -1. It should be within the range of lines of the file: [0, 5]
! {"command": "insert", "path": "/memories/none", "insert_line": 0, "insert_text": "x"}
Error: The path /memories/none does not exist
! {"command": "insert", "path": "/memories/a", "insert_line": 0, "insert_text": "x"}
Error: The path /memories/a does not exist
! {"command": "insert", "path": "/memories/none", "insert_line": "99", "insert_text": "x"}
Error: The path /memories/none does not exist
! {"command": "insert", "path": "/memories/todo", "insert_line": "99", "insert_text": "x"}
Error: Invalid \`insert_line\` parameter: 99. It should be within the range of lines of the file: [0, 5]
! {"command": "insert", "path": "/memories/todo", "insert_line": "first", "insert_text": "x"}
Error: \`insert_line\` is a string; it must be a whole number of lines, such as 0 or 12
A
same 'top a new b end' "$(ikm read ikigai:///memories/todo | tr '\n' ' ')"
# It had no newline at its end, and has none.
same d "$(ikm read ikigai:///memories/todo | tail -c 1)"
E

more 'rename' <<'E'
table <<A
< {"command": "rename", "old_path": "/memories/todo", "new_path": "/memories/new/done"}
Successfully renamed /memories/todo to /memories/new/done
! {"command": "rename", "old_path": "/memories/todo", "new_path": "/memories/x"}
Error: The path /memories/todo does not exist
! {"command": "rename", "old_path": "/memories/new/done", "new_path": "/memories/p"}
Error: The destination /memories/p already exists
! {"command": "rename", "old_path": "/memories/new/done", "new_path": "/memories/a"}
Error: The destination /memories/a already exists
! {"command": "rename", "old_path": "/memories/p", "new_path": "/memories/p"}
Error: The destination /memories/p already exists
< {"command": "rename", "old_path": "/memories/a", "new_path": "/memories/z/y"}
Successfully renamed /memories/a to /memories/z/y
! {"command": "rename", "old_path": "/memories/z", "new_path": "/memories/z/y/x"}
Error: The destination /memories/z/y/x is inside /memories/z
! {"command": "rename", "old_path": "/memories/z", "new_path": "/memories/p/x"}
Error: cannot make the folder '/memories/p': a file has this name
! {"command": "rename", "old_path": "/memories", "new_path": "/memories/x"}
Error: Cannot rename the /memories directory itself
A
same deep "$(ikm read ikigai:///memories/z/y/b/c/deep.txt)"
# Files that no listing shows are deleted with their folder.
ikm read ikigai:///memories/z/y/.hidden/x
fails 3 ikm read ikigai:///memories/a/big
E

more 'delete' <<'E'
echo kept | ikm write ikigai:///memories/zz
table <<A
< {"command": "delete", "path": "/memories/p"}
Successfully deleted /memories/p
! {"command": "delete", "path": "/memories/p"}
Error: The path /memories/p does not exist
< {"command": "delete", "path": "/memories/z"}
Successfully deleted /memories/z
! {"command": "view", "path": "/memories/z"}
The path /memories/z does not exist. Please provide a valid path.
! {"command": "delete", "path": "/memories"}
Error: Cannot delete the /memories directory itself
! {"command": "delete", "path": "/memories/"}
Error: Cannot delete the /memories directory itself
A
same kept "$(ikm read ikigai:///memories/zz)"
E

more 'nothing outside /memories can be named' <<'E'
echo secret | ikm write ikigai:///secret
echo secret >secret
sqlite3 "$db" 'select path, hash from stored_assets order by path' >before
cat >paths <<'A'
/etc/passwd

/
memories/x
/memoriesx
/Memories/x
/memories/..
/memories/../secret
/memories/a/../../secret
/memories/./x
/memories//x
/memories//
//memories/x
ikigai:///secret
ikigai:///memories/x
file:///etc/passwd
/memories/..\\secret
/memories\\..\\secret
/memories/%2e%2e/secret
/memories/%2E%2E%2Fsecret
/memories/%252e%252e/secret
/memories/..%2fsecret
/memories/a%00b
/memories/a\u0000b
/memories/a\nb
/memories/\u007f
A
while IFS= read -r path; do
	for json in '"command": "view", "path": "P"' '"command": "delete", "path": "P"' \
		'"command": "create", "path": "P", "file_text": "x"' \
		'"command": "insert", "path": "P", "insert_line": 0, "insert_text": "x"' \
		'"command": "str_replace", "path": "P", "old_str": "secret", "new_str": "x"' \
		'"command": "rename", "old_path": "P", "new_path": "/memories/got"' \
		'"command": "rename", "old_path": "/memories/zz", "new_path": "P"'; do
		printf '{%s}\n' "${json%%P\"*}$path\"${json#*P\"}"
	done
done <paths >asked
ikm memory-tool --lines <asked >got
same "$(grep -c . asked)" "$(jq -r 'select(.is_error) | .content' got | grep -c '^Error: the path .* cannot be used')"
sqlite3 "$db" 'select path, hash from stored_assets order by path' | diff before -
same secret "$(cat secret)"
long=/memories/$(head -c 4096 /dev/zero | tr '\0' x)
ask "{\"command\": \"create\", \"path\": \"$long\", \"file_text\": \"\"}" | grep -q 'at most 4087 are allowed'
E

more 'names that look odd but are allowed' <<'E'
for path in 50% '50% x' 100%x..y ... a..b 'a b' 'é/日本' "it's" '*' '-x' '{}' '%s'; do
	same "File created successfully at: /memories/$path" \
		"$(ask "{\"command\": \"create\", \"path\": \"/memories/$path\", \"file_text\": \"text\"}")"
	same "Successfully deleted /memories/$path" \
		"$(ask "{\"command\": \"delete\", \"path\": \"/memories/$path\"}")"
done
E

more 'limits: lines of a view, bytes of a file' <<'E'
yes '' | head -n 999999 | ikm write ikigai:///memories/lines
same 999999 "$(ask '{"command": "view", "path": "/memories/lines"}' | tail -n 1 | tr -d ' \t')"
yes '' | head -n 1000000 | ikm write ikigai:///memories/lines
same 'File /memories/lines exceeds maximum line limit of 999,999 lines.' \
	"$(ask '{"command": "view", "path": "/memories/lines"}')"
{
	printf '{"command": "create", "path": "/memories/big", "file_text": "'
	head -c 8388609 /dev/zero | tr '\0' x
	printf '"}'
} >big
fails 1 ikm memory-tool <big >got
same "Error: the content of the file '/memories/big' would have 8388609 bytes; at most 8388608 are allowed" "$(cat got)"
# A line that never ends does not fill the memory: what came before it is answered.
{ echo '{"command": "view", "path": "/memories/none"}'; head -c 70000000 /dev/zero; } >big
fails 2 ikm memory-tool --lines <big >got 2>err
same 1 "$(grep -c . got)"
grep -q 'a line of the input is over the limit of 67108864 bytes' err
rm big
E

more 'calls that are wrong are told to the model' <<'E'
table <<A
! {}
Error: \`command\` is missing; it must be one of view, create, str_replace, insert, delete, rename
! {"command": 1}
Error: \`command\` is missing; it must be one of view, create, str_replace, insert, delete, rename
! {"command": "undo_edit", "path": "/memories/zz"}
Error: there is no command \`undo_edit\`; the commands are view, create, str_replace, insert, delete, rename
! []
Error: the input is a list; it must be an object with a \`command\`
! {"command": "view"}
Error: view needs \`path\`
! {"command": "delete", "path": "/memories/none", "file_text": null, "recursive": null}
Error: The path /memories/none does not exist
! {"command": "view", "path": null}
Error: \`path\` is null; it must be a string
! {"command": "delete", "path": "/memories/zz", "recursive": true}
Error: delete has no parameter \`recursive\`; it takes command, path
! {"command": "insert", "path": "/memories/zz", "insert_line": 1.5, "insert_text": "x"}
Error: \`insert_line\` is a number; it must be a whole number of lines, such as 0 or 12
A
same kept "$(ikm read ikigai:///memories/zz)"
E

more 'input that is no JSON is told to the host' <<'E'
fails 2 sh -c 'echo oops | ikm memory-tool >got 2>err'
[ ! -s got ] && grep -q 'standard input: line 1' err && grep -q -- --lines err
fails 2 sh -c 'ikm memory-tool </dev/null 2>err'
fails 2 sh -c 'printf "{\"command\": \"view\", \"path\": \"/memories/\377\"}" | ikm memory-tool 2>err'
fails 2 sh -c 'echo oops | ikm memory-tool --json >got'
same INVALID_INPUT "$(jq -r .errorCode got)"
same '{"content":"Error: The path /memories/none does not exist","is_error":true}' \
	"$(ask '{"command": "delete", "path": "/memories/none"}' >/dev/null
	echo '{"command": "delete", "path": "/memories/none"}' | ikm memory-tool --json | jq -c .)"
E

more 'a whole block of type tool_use gets its tool_result' <<'E'
block='{"type": "tool_use", "id": "toolu_01", "name": "memory", "input": {"command": "delete", "path": "/memories/none"}}'
echo "$block" | ikm memory-tool --json >got || [ $? = 1 ]
same '{"type":"tool_result","tool_use_id":"toolu_01","content":"Error: The path /memories/none does not exist","is_error":true}' "$(jq -c . got)"
echo "$block" | jq -c '.name = "other"' | ikm memory-tool --lines >got
same '["toolu_01","Error: the block calls a tool other than memory"]' "$(jq -c '[.tool_use_id, .content]' got)"
echo "$block" | jq -c 'del(.id)' | ikm memory-tool --lines >got
same 'Error: a block of type tool_use must have `id` and `input`' "$(jq -r .content got)"
E

more '--lines: each line is answered when it comes, and none of them ends the loop' <<'E'
mkfifo in out
ikm memory-tool --lines <in >out &
exec 3>in 4<out
talk() { printf '%s\n' "$1" >&3; IFS= read -r answer <&4; }
talk '{"command": "create", "path": "/memories/talk", "file_text": "a\n"}'
same '{"content":"File created successfully at: /memories/talk","is_error":false}' "$answer"
talk 'oops'
same true "$(printf '%s' "$answer" | jq .is_error)"
# Others' changes in between are seen.
echo b | ikm write ikigai:///memories/talk
printf '\n \n{"command": "view", ' >&3
talk '"path": "/memories/talk"}'
same "Here's the content of /memories/talk with line numbers:
     1	b" "$(printf '%s' "$answer" | jq -r .content)"
exec 3>&-
wait $!
fails 1 read -r answer <&4
exec 4<&-
# The last line needs no newline; a host that has gone ends it, and it does not hang.
same 2 "$(printf '{"command": "view", "path": "/memories"}\n{}' | ikm memory-tool -l | grep -c .)"
yes '{"command": "view", "path": "/memories"}' | head -n 100000 |
	{ rc=0; ikm memory-tool --lines 2>err || rc=$?; echo $rc >status; } | head -n 1 >/dev/null
same 141 "$(cat status)"
E

more '--lines: a store that cannot be used is told to who runs the host, too' <<'E'
mkdir -p ../broken/.ikigai
echo junk >../broken/.ikigai/ikm.db
printf '%s\n' '{"command": "view", "path": "/memories"}' '{"command": "view"}' >asked
HOME=$T/broken ikm memory-tool --lines <asked >got 2>err
same '[true,true]' "$(jq -s -c 'map(.is_error)' got)"
same 1 "$(grep -c '^ikm: ' err)"
grep -q '^ikm: the store .* cannot be used: file is not a database' err
grep -q '^  without one, set the store aside: mkdir' err
E

more '--lines: memory does not grow with the lines' <<'E'
yes '{"command": "view", "path": "/memories/talk"}' | head -n 20000 >asked
(grep -q __asan_init "$BUILD/test/ikm" || ulimit -v 80000
	ikm memory-tool --lines <asked >got)
same 20000 "$(grep -c . got)"
E

more 'people of one host have stores of their own' <<'E'
for who in ada bob; do
	printf '{"command": "create", "path": "/memories/name", "file_text": "%s"}' $who |
		IKIGAI_HOME=$PWD/stores/$who ikm memory-tool
done
same '     1	ada' "$(IKIGAI_HOME=$PWD/stores/ada ask '{"command": "view", "path": "/memories/name"}' | tail -n 1)"
ask '{"command": "view", "path": "/memories/name"}' | grep -q 'does not exist'
E

more 'versions, the record and undo are as everywhere' <<'E'
ask '{"command": "create", "path": "/memories/u", "file_text": "first"}'
IKM_AGENT_ID=bot ask '{"command": "str_replace", "path": "/memories/u", "old_str": "first", "new_str": "second"}'
same first "$(sqlite3 "$db" "select content from asset_versions where path = 'memories/u'")"
id=$(ikm events query --path ikigai:///memories/u --json | jq -r '.rows[0] | select(.op == "edit" and .tool == "memory" and .agent_id == "bot") | .event_id')
ikm events undo "$id"
same first "$(ikm read ikigai:///memories/u)"
n=$(sqlite3 "$db" 'select count(*) from events')
printf '{"command": "delete", "path": "/memories/u"}' | ikm -c undo.days=0 memory-tool
same "$n" "$(sqlite3 "$db" 'select count(*) from events')"
E

more 'a file that a person protected, and the budget' <<'E'
ask '{"command": "create", "path": "/memories/d/1", "file_text": "x"}'
ask '{"command": "create", "path": "/memories/d/2", "file_text": "x"}'
ikm asset set memories/d/2 --read-only
for json in '{"command": "delete", "path": "/memories/d"}' \
	'{"command": "rename", "old_path": "/memories/d", "new_path": "/memories/e"}' \
	'{"command": "insert", "path": "/memories/d/2", "insert_line": 0, "insert_text": "x"}'; do
	same "Error: the file '/memories/d/2' is read-only" "$(ask "$json")"
done
same '1 2' "$(ikm list ikigai:///memories/d --json | jq -r '.paths[]' | sed 's/.*\///' | tr '\n' ' ' | sed 's/ $//')"
ikm asset pin memories/d/1
words=$(seq 1 300 | tr '\n' ' ')
printf '%s' "{\"command\": \"insert\", \"path\": \"/memories/d/1\", \"insert_line\": 0, \"insert_text\": \"$words\"}" >asked
fails 1 ikm -c assets.budget=100 memory-tool <asked >got
grep -q '^Error: ' got
same x "$(ikm read ikigai:///memories/d/1)"
ikm memory-tool <asked
E

more 'a store that cannot be used: an error for the host, an answer in the loop' <<'E'
mkdir broken
echo 'no database at all, and long enough to be looked at' >broken/ikm.db
json='{"command": "view", "path": "/memories"}'
printf %s "$json" >asked
IKIGAI_HOME=$PWD/broken fails 8 ikm memory-tool <asked >got 2>err
[ ! -s got ] && [ -s err ]
IKIGAI_HOME=$PWD/broken ikm memory-tool --lines <asked >got
same true "$(jq .is_error got)"
E

more 'offered to people and hosts, not to tools' <<'E'
fails 3 sh -c 'echo "{}" | ikm call memory_tool'
ikm tool list --json | jq -e '[.tools[].name | select(test("memory.tool"))] == []'
ln -s "$BUILD/test/ikm" ikm-memory-tool
same '0B	/memories/none' "$(echo '{"command": "create", "path": "/memories/none", "file_text": ""}' | ./ikm-memory-tool >/dev/null
	ask '{"command": "view", "path": "/memories"}' | grep none)"
E

example() { # its first words: a program of the manual
	awk -v first="$1" 'index($0, first) == 1 { on = 1 } /^\.Ed/ { on = 0 }
	on { gsub(/\\e/, "\\"); print }' "$TOP/man/ikm-memory-tool.mdoc"
}
more "the manual's host in Python is one" <<'E'
example 'import json' >host.py
cat >>host.py <<'P'

# The model's side, in the form of the service's library: one call, a second call that fails, then
# text.
class Block:
    def __init__(self, **members):
        self.__dict__.update(members)
    def model_dump(self):
        return dict(self.__dict__)

class Messages:
    def create(self, messages, tools, model):
        said = len(messages) // 2
        call = {"command": "create", "path": "/memories/py", "file_text": "é\n"}
        if said < 2:
            block = Block(type="tool_use", id="toolu_%d" % said, name="memory", input=call, caller=None)
        else:
            block = Block(type="text", text="done")
        return Block(content=[Block(type="text", text="…"), block])

client = Block(messages=Messages())
history = [{"role": "user", "content": "note it"}]
print(ask(client, {"model": "stub"}, history).content[1].text)
for message in history:
    if message["role"] == "user" and message["content"] != "note it":
        print([(r["type"], r["tool_use_id"], r["is_error"]) for r in message["content"]])
P
same "done
[('tool_result', 'toolu_0', False)]
[('tool_result', 'toolu_1', True)]" "$(PYTHONIOENCODING=utf-8 python3 host.py)"
same é "$(ikm read ikigai:///memories/py)"
E

# With what the example needs of the library, in its place.
command -v node >/dev/null && more "the manual's host in JavaScript is one" <<'E'
sdk=node_modules/@anthropic-ai/sdk
mkdir -p $sdk/helpers/beta $sdk/lib/tools
echo '{"type": "module", "exports": {"./*": "./*.js"}}' >$sdk/package.json
echo 'export const betaMemoryTool = (handlers) => ({run: (input) => handlers[input.command](input)});' >$sdk/helpers/beta/memory.js
echo 'export class ToolError extends Error {}' >$sdk/lib/tools/ToolError.js
example 'import {spawn}' >host.mjs
cat >main.mjs <<'J'
import {memory, close} from './host.mjs';
const path = '/memories/js';
console.log(...await Promise.all([memory.run({command: 'create', path, file_text: 'é'}),
	memory.run({command: 'delete', path}),
	memory.run({command: 'delete', path}).catch((e) => `${e.constructor.name}: ${e.message}`)]));
close();
J
same "File created successfully at: /memories/js Successfully deleted /memories/js ToolError: Error: The path /memories/js does not exist" "$(node main.mjs)"
E

done_testing
