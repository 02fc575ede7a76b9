#!/bin/sh
# Tools that misbehave: each gets its error code, disturbs nothing else, and leaves no process.
. "$(dirname "$0")/../lib.sh"

tools=$HOME/.ikigai/tools
mkdir -p "$tools"
TOOLS=$T # in the environment of every process that they start
export TOOLS tools

# Makes a tool NAME with a valid schema, which runs this script when it is called.
tool() {
	cat >"$tools/$1" <<A
#!/bin/sh
if [ "\$*" = --schema ]; then
	echo '{"description": "a hostile tool", "parameters": {}}'
	exit
fi
$2
A
	chmod +x "$tools/$1"
}
# Makes a tool NAME that runs this script when it is asked for its schema.
no_schema() {
	printf '#!/bin/sh\n%s\n' "$2" >"$tools/$1"
	chmod +x "$tools/$1"
}
# The processes that the tools have started and that are still alive.
alive() {
	for p in $(env -u TOOLS grep -slzx "TOOLS=$T" /proc/[0-9]*/environ); do
		tr '\0' ' ' <"${p%environ}cmdline" || :
	done 2>/dev/null
}
# No process is left. Where ikm says that it leaves them, they are ended here.
ended() {
	case $(ikm version) in
	*'what a tool leaves behind goes on running'*)
		env -u TOOLS grep -slzx "TOOLS=$T" /proc/[0-9]*/environ | cut -d/ -f3 | xargs -r kill -KILL 2>&- || : ;;
	*) same '' "$(alive)" ;;
	esac
}
# Calls a tool: the exit status is 0, the answer is in out.json, and no process is left.
calls() { # NAME INPUT CODE
	printf '%s' "$2" | ikm tool call "$1" >out.json 2>err
	same "$3" "$(jq -r 'if .tool_success then "ok" else .error_code end' out.json)"
	ended
}

tool good 'cat'

try 'a process that stays alive would be found' <<'E'
sleep 1000 &
pid=$!
seen=
# Before exec, a child still has the environment that this shell started with.
for _ in $(seq 200); do
	case $(alive) in *'sleep 1000'*) seen=yes; break ;; esac
	sleep 0.05
done
kill $pid
same yes "$seen"
E

try 'a tool that returns its input' <<'E'
calls good '{"a": [1, "ü\u0000"]}' ok
same '{"a":[1,"ü\u0000"]}' "$(jq -c .result out.json)"
E

try 'a tool that exits with a status' <<'E'
tool status 'cat >/dev/null; echo half; echo "no disk" >&2; exit 3'
calls status '{}' TOOL_CRASHED
same "Tool 'status' crashed with exit code 3" "$(jq -r .error out.json)"
same '{"exit_code":3,"stdout":"half\n","stderr":"no disk\n"}' "$(jq -c .details out.json)"
E

try 'a tool that crashes' <<'E'
tool crash 'kill -SEGV $$'
calls crash '{}' TOOL_CRASHED
same 139 "$(jq .details.exit_code out.json)"
same "Tool 'crash' crashed with exit code 139" "$(jq -r .error out.json)"
E

try 'a tool that hangs' <<'E'
tool hang 'echo "{\"a\":"; echo waiting >&2; sleep 1000'
export IKM_TOOLS_TIMEOUT=300
calls hang '{}' TOOL_TIMEOUT
same '{"exit_code":143,"stdout":"{\"a\":\n","stderr":"waiting\n"}' "$(jq -c .details out.json)"
E

try 'a tool that hangs and ignores TERM, as its children do' <<'E'
tool deaf "trap '' TERM; sleep 1000 & setsid sleep 1000 & while :; do sleep 1000; done"
export IKM_TOOLS_TIMEOUT=200
calls deaf '{}' TOOL_TIMEOUT
same 137 "$(jq .details.exit_code out.json)"
E

try 'a tool that stops itself, or joins another process group' <<'E'
tool stopped 'trap "echo {} >&2; exit 7" TERM; kill -STOP $$; while :; do :; done'
export IKM_TOOLS_TIMEOUT=600 # on a busy machine it needs a while to get there
calls stopped '{}' TOOL_TIMEOUT
same '[7,"{}\n"]' "$(jq -c '.details | [.exit_code, .stderr]' out.json)"
tool deserter 'exec perl -e "setpgrp(0, getpgrp(getppid())); sleep 1000"'
calls deserter '{}' TOOL_TIMEOUT
same 143 "$(jq .details.exit_code out.json)"
E

try 'a tool that closes its output and keeps running' <<'E'
tool silent 'echo "{}"; exec >&- 2>&-; sleep 0.2; echo >"$TOOLS/went-on"'
calls silent '{}' ok
[ -e "$TOOLS/went-on" ]
E

try 'a tool that leaves a daemon with its output open' <<'E'
tool daemon '(setsid sleep 1000 & ); echo "{\"daemon\": true}"'
calls daemon '{}' ok
same true "$(jq .result.daemon out.json)"
tool daemons '(setsid sh -c "setsid sleep 1000 & exec sleep 1000" </dev/null >/dev/null 2>&1 & )
echo "{}"'
calls daemons '{}' ok
tool orphan '(setsid sleep 1000 & ); sleep 1000'
export IKM_TOOLS_TIMEOUT=200
calls orphan '{}' TOOL_TIMEOUT
E

more 'a tool that floods both outputs at once' <<'E'
tool flood 'head -c 30000000 /dev/zero >&2 &
printf "\""; head -c 10000000 /dev/zero | tr "\0" x; printf "\""; wait'
calls flood '{}' ok
same 10000000 "$(jq '.result | length' out.json)"
tool noise 'yes noise >&2'
export IKM_TOOLS_TIMEOUT=300
calls noise '{}' TOOL_TIMEOUT
same 65536 "$(jq .details.stderr_bytes out.json)"
same 16384 "$(jq '.details.stderr | length' out.json)"
E

more 'a tool that prints no JSON, half a value, or two values' <<'E'
for text in 'hello' '' '{"a":' '{} {}' "{'a': 1}" '{"a":1,"a":2}' 'NaN'; do
	tool bad "cat <<'X'
$text
X"
	calls bad '{}' INVALID_OUTPUT
	same 0 "$(jq .details.exit_code out.json)"
done
jq -r .error out.json | grep "Tool 'bad' wrote no valid JSON: line 1, column 1"
tool bad "head -c 100000 /dev/zero | tr '\\0' '['"
calls bad '{}' INVALID_OUTPUT
E

more 'a tool that prints invalid UTF-8' <<'E'
tool latin1 "printf '{\"a\": \"\\377\"}'"
calls latin1 '{}' INVALID_OUTPUT
jq -e '.details.stdout == "{\"a\": \"\ufffd\"}"' out.json
E

more 'a tool that prints 100 MB' <<'E'
tool big 'head -c 100000000 /dev/zero | tr "\0" " "; echo "{}"'
calls big '{}' INVALID_OUTPUT
jq -r .error out.json | grep 'wrote more than 16777216 bytes'
same 16777216 "$(jq .details.stdout_bytes out.json)"
E

more 'a tool that closes its input, reads a part of it, or ends without reading' <<'E'
big=$(head -c 10000000 /dev/zero | tr '\0' x)
tool shut 'exec 0<&-; sleep 0.1; echo "{}"'
calls shut "{\"a\": \"$big\"}" ok
tool part 'head -c 1 >/dev/null; echo "{}"'
calls part "{\"a\": \"$big\"}" ok
tool early 'echo "{}"'
calls early "{\"a\": \"$big\"}" ok
calls good "{\"a\": \"$big\"}" ok
same 10000000 "$(jq '.result.a | length' out.json)"
E

more 'a member error with exit status 0 is an answer' <<'E'
tool sorry "cat >/dev/null; echo '{\"error\": \"no key\", \"error_code\": \"MISSING_CREDENTIALS\"}'"
calls sorry '{}' ok
same MISSING_CREDENTIALS "$(jq -r .result.error_code out.json)"
E

more 'parameters that are no object are refused' <<'E'
for input in '[]' '{' 'null' '{"a":1,"a":2}' 'x'; do
	calls good "$input" INVALID_PARAMS
done
printf '{"a":"\377"}' | ikm tool call good >out.json
same INVALID_PARAMS "$(jq -r .error_code out.json)"
calls good '' ok
E

more 'a tool inherits no file descriptor and no secret of ikm' <<'E'
tool looks 'printf "%s" "{\"fds\": \"$(ls /proc/self/fd | tr "\n" " ")\",
	\"key\": \"$IKM_SIGNING_KEY\", \"user\": \"$IKM_USER\", \"mine\": \"$MY_TOKEN\"}"'
printf '{}' | IKM_SIGNING_KEY=s IKM_USER=ada MY_TOKEN=t ikm tool call looks >out.json
# 3 is the folder that ls reads; what a shell left open for us is not passed on.
same '0 1 2 3 ' "$(jq -r .result.fds out.json)"
same '["","ada","t"]' "$(jq -c '.result | [.key, .user, .mine]' out.json)"
E

more 'a tool has the signals, the umask and the folder of the user' <<'E'
tool state 'cd -P . && jq -Rsc "split(\"\n\")" <<S
$(sed -n "s/^SigBlk:.0*//p; s/^SigIgn:.*\(.......\)$/\1/p; s/^Umask:.//p" /proc/$$/status)
$PWD
S'
(umask 027; trap "" PIPE CHLD; printf '{}' | ikm tool call state >out.json)
same "[\"0027\",\"\",\"0000000\",\"$(pwd -P)\",\"\"]" "$(jq -c .result out.json)"
E

# The keys are typed once the file "up" is there, or at once; prints what the terminal shows, and
# how it ended: the signal, or the status.
terminal() { # KEYS ARG ...
	python3 - "$@" <<'P'
import os, pty, signal, sys, time

pid, fd = pty.fork()
if not pid:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execvp("ikm", ["ikm"] + sys.argv[2:])
os.write(fd, b"{}\n\x04")
for _ in range(1000):
    if not sys.argv[1] or os.path.exists("up"):
        break
    time.sleep(0.01)
os.write(fd, sys.argv[1].encode().decode("unicode_escape").encode())
try:
    while True:
        sys.stdout.buffer.write(os.read(fd, 4096))
except OSError:
    pass
status = os.waitpid(pid, 0)[1]
print("signal", os.WTERMSIG(status)) if os.WIFSIGNALED(status) else print(
    "status", os.WEXITSTATUS(status))
P
}

more 'a tool that reads the terminal gets none, and is not stopped' <<'E'
# After a shell has waited for a child, it blocks no signal.
tool asks 'cat >/dev/null; read x </dev/tty || echo "{\"read\": \"nothing\"}"'
terminal '' tool call asks >shown
grep nothing shown
grep 'status 0' shown
terminal '' bash 'ls >/dev/null; sh -c "ls >/dev/null; stty -echo </dev/tty"' >shown
grep 'status 1' shown
E

more 'a tool gets the interrupt and quit keys' <<'E'
tool keys 'trap "echo INT >heard; exit" INT; trap "echo QUIT >heard; exit" QUIT
(setsid sleep 1000 & ); >up; while :; do sleep 0.01; done'
ulimit -c 0
for key in '\x03 INT 2' '\x1c QUIT 3'; do
	set -- $key
	rm -f up heard
	terminal "$1" tool call keys >shown
	grep "signal $3\$" shown
	same "$2" "$(cat heard)"
	ended
done
rm -f up heard
terminal '\x03' bash 'trap "echo INT >heard; exit" INT; >up; while :; do sleep 0.01; done' >shown
grep 'signal 2$' shown
same INT "$(cat heard)"
E

more 'a signal to ikm reaches the tool and its children' <<'E'
tool heard 'trap "echo TERM >\"$TOOLS/heard\"; exit" TERM; (setsid sleep 1000 & ); sleep 1000 &
>"$TOOLS/up"; wait'
printf '{}' >input
ikm tool call heard <input >out.json &
pid=$!
n=0
while ! [ -e "$TOOLS/up" ] && [ $n -lt 1000 ]; do
	sleep 0.02
	n=$((n + 1))
done
kill -TERM $pid
rc=0
wait $pid || rc=$?
same 143 $rc
same TERM "$(cat "$TOOLS/heard")"
ended
E

more 'a file that is no program is skipped, with the reason' <<'E'
mkdir "$tools/folder"
mkfifo "$tools/fifo"
ln -s nowhere "$tools/dangling"
cp "$tools/good" "$tools/plain"
chmod -x "$tools/plain"
cp "$tools/good" "$tools/a space"
cp "$tools/good" "$tools/a
newline"
cp "$tools/good" "$tools/good.py"
cp "$tools/good" "$tools/$(head -c 65 /dev/zero | tr '\0' n)"
ln -s circle-b "$tools/circle-a"
ln -s circle-a "$tools/circle-b"
printf '#!%s/none\n' "$T" >"$tools/nothing"
printf 'echo "{}"\n' >"$tools/text"
printf 'MZ\220\000\003no program of ours' >"$tools/foreign-format"
chmod +x "$tools/nothing" "$tools/text" "$tools/foreign-format"
for name in folder fifo dangling plain 'a space' good.py nothing foreign_format no_such_tool \
	circle-a text; do
	printf '{}' | ikm tool call "$name" >out.json
	same TOOL_NOT_FOUND "$(jq -r .error_code out.json)"
done
for name in fifo dangling nothing folder plain; do
	printf '{}' | ikm tool call $name | jq -r .error | grep "/$name' was skipped: "
done
ikm tool list >/dev/null 2>err
for name in fifo dangling 'a space' 'a.x0Anewline' good.py nothing foreign-format nnnnn circle-a \
	circle-b text; do
	same 1 "$(grep -ci "$name.* skipped: " err)"
done
grep "nothing' skipped: .*its first line names '$T/none', which does not exist" err
grep "text' skipped: .*no script that begins with '#!'" err
grep "circle-a' skipped: .*symbolic links" err
fails 1 grep -e folder -e plain err
calls good '{}' ok
rm -r "$tools/folder" "$tools/fifo" "$tools/dangling" "$tools/plain" "$tools/a space" "$tools/a
newline" "$tools/good.py" "$tools/nothing" "$tools/foreign-format" "$tools"/nnn* "$tools"/circle-* "$tools/text"
E

more 'a tool that is replaced or removed after it was found' <<'E'
tool changes 'echo 1'
calls changes '{}' ok
tool other 'echo 2'
mv "$tools/other" "$tools/changes"
calls changes '{}' ok
same 2 "$(jq .result out.json)"
chmod -x "$tools/changes"
calls changes '{}' TOOL_NOT_FOUND
jq -r .error out.json | grep 'it is not executable'
rm "$tools/changes"
calls changes '{}' TOOL_NOT_FOUND
no_schema vanishes 'echo "{\"description\": \"x\"}"; rm "$0"'
calls vanishes '{}' TOOL_NOT_FOUND
jq -r .error out.json | grep "Tool 'vanishes' is not there any more"
E

more 'tools without a usable schema are skipped and named, the others are listed' <<'E'
no_schema m-crash 'kill -SEGV $$'
no_schema m-status 'echo "no python" >&2; exit 4'
no_schema m-hang 'sleep 1000'
no_schema m-deaf "trap '' TERM; while :; do sleep 1000; done"
no_schema m-bad 'echo "{"'
no_schema m-empty 'exit 0'
no_schema m-latin "printf '{\"description\": \"\\377\", \"parameters\": {}}'"
no_schema m-flood 'yes'
no_schema m-noise 'yes >&2'
no_schema m-big 'head -c 100000000 /dev/zero | tr "\0" " "'
no_schema m-deep "head -c 10000 /dev/zero | tr '\\0' '['"
no_schema m-list "echo '[]'"
no_schema m-type "echo '{\"description\": \"x\", \"parameters\": {\"a\": {\"type\": \"text\"}}}'"
no_schema m-silent "echo '{\"parameters\": {}}'"
ikm tool list --json >list.json 2>err
for name in hang deaf noise; do
	same 1 "$(grep -c "m-$name' is late: " err)"
	same "late: it did not answer --schema within 1000 ms; a call asks it again, and may take long" \
		"$(jq -r ".tools[] | select(.name == \"m_$name\" and .late) | .description" list.json)"
done
for name in crash status bad empty latin flood big deep list type silent; do
	same 1 "$(grep -c "m-$name' skipped: " err)"
	same 1 "$(jq --arg n "/m-$name" '[.skipped[] | select(.path | endswith($n))] | length' list.json)"
done
same '' "$(jq -r '.tools[] | select(.late | not) | .name | select(startswith("m_"))' list.json)"
jq -e '.tools[] | select(.name == "good")' list.json
grep "m-status' skipped: --schema ended with exit code 4: no python" err
grep "m-big' skipped: its answer to --schema has more than 65536 bytes" err
grep "m-type' skipped: its schema: 'parameters.a.type' must be string, number" err
grep "m-silent' skipped: its schema: 'description' must be a string that says what it is for, not missing" err
ended
rm "$tools"/m-*
E

long 'a program that is late is listed so, and asked again when it is called' <<'E'
mkdir -p "$HOME/.ikigai/tools"
no_schema late-one '
if [ "$*" = --schema ]; then
	[ ! -e "$TOOLS/busy" ] || sleep 1.3
	echo "{\"description\": \"It answers.\", \"parameters\": {\"a\": {\"type\": \"string\", \"required\": true}}}"
	exit
fi
cat'
touch "$T/busy"
late() { jq -r '.tools[] | select(.name == "late_one") | "\(.late) \(.description)"'; }
for face in 'tool list --json' '--root . -c tools.external=true call tool_list'; do
	# shellcheck disable=SC2086
	same 'true late: it did not answer --schema within 1000 ms; a call asks it again, and may take long' \
		"$(echo "{}" | ikm $face 2>err | late)"
done
req() { echo '{"jsonrpc":"2.0","id":'"$1"',"method":"'"$2"'","params":'"$3"'}'; }
{
	req 0 initialize '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}'
	echo '=wait 0'
	req 1 tools/list '{}'
	echo '=wait 1'
	req 2 tools/call '{"name":"late_one","arguments":{"a":"1"}}'
} | python3 -IS "$TOP/t/mcp.py" ikm --root . -c tools.external=true mcp -t tools --structured >out
jq -c 'select(.id == 1) | .result.tools[] | select(.name == "late_one") | .inputSchema.type' out | grep object
jq -ce 'select(.id == 2) | .result | .isError == false and (.content[0].text | contains("1"))' out
# Now the schema is known, and is not asked for any more.
same 'null It answers.' "$(ikm tool list --json | late)"
rm "$T/busy"
# Its own limit ends a call by name.
no_schema late-two 'sleep 1000'
ikm tool list 2>&1 | grep -q 'late_two'
ikm -c tools.timeout=1200 tool call late-two </dev/null >out.json 2>err || :
jq -e '.error_code == "TOOL_NOT_FOUND" and (.error | contains("within 1200 ms"))' out.json
ended
rm "$tools"/late-*
E

more 'a schema from a program that starts a daemon, reads input, or takes a second' <<'E'
no_schema s-daemon '(setsid sleep 1000 & ); echo "{\"description\": \"x\"}"'
no_schema s-reads 'cat; echo "{\"description\": \"x\"}"'
no_schema s-second 'sleep 1; echo "{\"description\": \"x\"}"'
ikm tool list --json >list.json 2>err
for name in good s_daemon s_reads; do
	jq -e --arg n $name '.tools[] | select(.name == $n)' list.json
done
# Both results are right, but no third one.
same 1 "$(jq '[.tools[] | select(.name == "s_second")] + [.skipped // [] | .[]] | length' list.json)"
ended
rm "$tools"/s-*
E

more 'a tool has the name of its file, whatever name its schema has' <<'E'
no_schema other-name "[ \"\$1\" = --schema ] && echo '{\"name\": \"mine\", \"description\": \"x\"}' || cat"
ikm tool list --json 2>err | jq -e '.tools[] | select(.name == "other_name")'
grep "other-name' calls itself 'mine'; here it is 'other_name'" err
same other_name "$(ikm tool schema other_name | jq -r .name)"
calls other_name '{}' ok
calls mine '{}' TOOL_NOT_FOUND
no_schema other-name "echo '{\"name\": \"other-name\", \"description\": \"x\"}'"
ikm tool list --json 2>err | jq -e '.tools[] | select(.name == "other_name")'
fails 1 grep other-name err
E

more 'memory does not grow with what a tool prints' <<'E'
peak() { # NAME: the most that ikm had, in KiB
	python3 - "$1" <<'P'
import os, resource, subprocess, sys
subprocess.run(["ikm", "tool", "call", sys.argv[1]], input=b"{}", stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
P
}
! grep -q __asan_init "$BUILD/test/ikm" || exit 0 # which keeps what was freed
tool loud 'head -c 300000000 /dev/zero >&2; echo "{}"'
small=$(peak good) loud=$(peak loud) big=$(peak big)
same ok "$(echo '{}' | ikm tool call good | jq -r 'if .tool_success then "ok" else .error_code end')"
# ikm keeps at most 16 MiB, the limit of an answer.
[ $((loud - small)) -lt 8192 ] || { echo "$small KiB grew to $loud"; exit 1; }
[ $((big - small)) -lt 65536 ] || { echo "$small KiB grew to $big"; exit 1; }
E
done_testing
