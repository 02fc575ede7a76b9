#!/bin/sh
# Tools that do all that a tool should not: each gets its code, nothing else suffers, nothing stays.
. "$(dirname "$0")/lib.sh"

zoo=$HOME/.ikigai/tools
mkdir -p "$zoo"
ZOO=$T # in the environment of all that they start
export ZOO zoo

# A tool that describes itself well, and then does this.
animal() {
	cat >"$zoo/$1" <<A
#!/bin/sh
if [ "\$*" = --schema ]; then
	echo '{"description": "one of the zoo", "parameters": {}}'
	exit
fi
$2
A
	chmod +x "$zoo/$1"
}
# One that does this when it is asked for its schema.
mute() {
	printf '#!/bin/sh\n%s\n' "$2" >"$zoo/$1"
	chmod +x "$zoo/$1"
}
# What lives of all that they started.
alive() {
	for p in $(env -u ZOO grep -slzx "ZOO=$T" /proc/[0-9]*/environ); do
		tr '\0' ' ' <"${p%environ}cmdline" || :
	done 2>/dev/null
}
# The answer of `tool call` is in out.json, its exit status is 0, and all is over.
calls() { # NAME INPUT CODE
	printf '%s' "$2" | ikm tool call "$1" >out.json 2>err
	same "$3" "$(jq -r 'if .tool_success then "ok" else .error_code end' out.json)"
	same '' "$(alive)"
}

animal good 'cat'

try 'what lives on would be seen' <<'E'
sleep 1000 &
pid=$!
seen=
# Before its exec it has the environment that this shell began with.
for _ in $(seq 200); do
	case $(alive) in *'sleep 1000'*) seen=yes; break ;; esac
	sleep 0.05
done
kill $pid
same yes "$seen"
E

try 'one that echoes' <<'E'
calls good '{"a": [1, "ü\u0000"]}' ok
same '{"a":[1,"ü\u0000"]}' "$(jq -c .result out.json)"
E

try 'exits with a status' <<'E'
animal status 'cat >/dev/null; echo half; echo "no disk" >&2; exit 3'
calls status '{}' TOOL_CRASHED
same "Tool 'status' crashed with exit code 3" "$(jq -r .error out.json)"
same '{"exit_code":3,"stdout":"half\n","stderr":"no disk\n"}' "$(jq -c .details out.json)"
E

try 'crashes' <<'E'
animal crash 'kill -SEGV $$'
calls crash '{}' TOOL_CRASHED
same 139 "$(jq .details.exit_code out.json)"
same "Tool 'crash' crashed with exit code 139" "$(jq -r .error out.json)"
E

try 'hangs' <<'E'
animal hang 'echo "{\"a\":"; echo waiting >&2; sleep 1000'
export IKM_TOOLS_TIMEOUT=300
calls hang '{}' TOOL_TIMEOUT
same '{"exit_code":143,"stdout":"{\"a\":\n","stderr":"waiting\n"}' "$(jq -c .details out.json)"
E

try 'hangs and ignores TERM, with children that do' <<'E'
animal deaf "trap '' TERM; sleep 1000 & setsid sleep 1000 & while :; do sleep 1000; done"
export IKM_TOOLS_TIMEOUT=200
calls deaf '{}' TOOL_TIMEOUT
same 137 "$(jq .details.exit_code out.json)"
E

try 'stops itself, or would join another group' <<'E'
animal stopped 'trap "echo {} >&2; exit 7" TERM; kill -STOP $$; while :; do :; done'
export IKM_TOOLS_TIMEOUT=600 # on a busy machine it needs a while to get there
calls stopped '{}' TOOL_TIMEOUT
same '[7,"{}\n"]' "$(jq -c '.details | [.exit_code, .stderr]' out.json)"
animal deserter 'exec perl -e "setpgrp(0, getpgrp(getppid())); sleep 1000"'
calls deserter '{}' TOOL_TIMEOUT
same 143 "$(jq .details.exit_code out.json)"
E

try 'closes its output and goes on' <<'E'
animal silent 'echo "{}"; exec >&- 2>&-; sleep 0.2; echo >"$ZOO/went-on"'
calls silent '{}' ok
[ -e "$ZOO/went-on" ]
E

try 'leaves a daemon that holds its output' <<'E'
animal daemon '(setsid sleep 1000 & ); echo "{\"daemon\": true}"'
calls daemon '{}' ok
same true "$(jq .result.daemon out.json)"
animal daemons '(setsid sh -c "setsid sleep 1000 & exec sleep 1000" </dev/null >/dev/null 2>&1 & )
echo "{}"'
calls daemons '{}' ok
animal orphan '(setsid sleep 1000 & ); sleep 1000'
export IKM_TOOLS_TIMEOUT=200
calls orphan '{}' TOOL_TIMEOUT
E

try 'floods both outputs at once' <<'E'
animal flood 'head -c 30000000 /dev/zero >&2 &
printf "\""; head -c 10000000 /dev/zero | tr "\0" x; printf "\""; wait'
calls flood '{}' ok
same 10000000 "$(jq '.result | length' out.json)"
animal noise 'yes noise >&2'
export IKM_TOOLS_TIMEOUT=300
calls noise '{}' TOOL_TIMEOUT
same 65536 "$(jq .details.stderr_bytes out.json)"
same 16384 "$(jq '.details.stderr | length' out.json)"
E

try 'prints no JSON, half of it, or two' <<'E'
for text in 'hello' '' '{"a":' '{} {}' "{'a': 1}" '{"a":1,"a":2}' 'NaN'; do
	animal bad "cat <<'X'
$text
X"
	calls bad '{}' INVALID_OUTPUT
	same 0 "$(jq .details.exit_code out.json)"
done
jq -r .error out.json | grep "Tool 'bad' wrote no valid JSON: line 1, column 1"
animal bad "head -c 100000 /dev/zero | tr '\\0' '['"
calls bad '{}' INVALID_OUTPUT
E

try 'prints invalid UTF-8' <<'E'
animal latin1 "printf '{\"a\": \"\\377\"}'"
calls latin1 '{}' INVALID_OUTPUT
jq -e '.details.stdout == "{\"a\": \"\ufffd\"}"' out.json
E

try 'prints 100 MB' <<'E'
animal big 'head -c 100000000 /dev/zero | tr "\0" " "; echo "{}"'
calls big '{}' INVALID_OUTPUT
jq -r .error out.json | grep 'wrote more than 16777216 bytes'
same 16777216 "$(jq .details.stdout_bytes out.json)"
E

try 'closes its input, reads a part of it, or ends without reading' <<'E'
big=$(head -c 10000000 /dev/zero | tr '\0' x)
animal shut 'exec 0<&-; sleep 0.1; echo "{}"'
calls shut "{\"a\": \"$big\"}" ok
animal part 'head -c 1 >/dev/null; echo "{}"'
calls part "{\"a\": \"$big\"}" ok
animal early 'echo "{}"'
calls early "{\"a\": \"$big\"}" ok
calls good "{\"a\": \"$big\"}" ok
same 10000000 "$(jq '.result.a | length' out.json)"
E

try 'says error and exits with 0: that is an answer' <<'E'
animal sorry "cat >/dev/null; echo '{\"error\": \"no key\", \"error_code\": \"MISSING_CREDENTIALS\"}'"
calls sorry '{}' ok
same MISSING_CREDENTIALS "$(jq -r .result.error_code out.json)"
E

try 'gets no object' <<'E'
for input in '[]' '{' 'null' '{"a":1,"a":2}' 'x'; do
	calls good "$input" INVALID_PARAMS
done
printf '{"a":"\377"}' | ikm tool call good >out.json
same INVALID_PARAMS "$(jq -r .error_code out.json)"
calls good '' ok
E

try 'has no descriptor of ours, and none of our secrets' <<'E'
animal looks 'printf "%s" "{\"fds\": \"$(ls /proc/self/fd | tr "\n" " ")\",
	\"key\": \"$IKM_SIGNING_KEY\", \"user\": \"$IKM_USER\", \"mine\": \"$MY_TOKEN\"}"'
printf '{}' | IKM_SIGNING_KEY=s IKM_USER=ada MY_TOKEN=t ikm tool call looks >out.json
# 3 is the folder that ls reads; what a shell left open for us is not passed on.
same '0 1 2 3 ' "$(jq -r .result.fds out.json)"
same '["","ada","t"]' "$(jq -c '.result | [.key, .user, .mine]' out.json)"
E

try 'has the signals, the umask and the folder of the user' <<'E'
animal state 'cd -P . && jq -Rsc "split(\"\n\")" <<S
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

try 'asks the user at the terminal: there is none, and it is not stopped' <<'E'
# A shell that waited for a child blocks no signal any more.
animal asks 'cat >/dev/null; read x </dev/tty || echo "{\"read\": \"nothing\"}"'
terminal '' tool call asks >shown
grep nothing shown
grep 'status 0' shown
terminal '' bash 'ls >/dev/null; sh -c "ls >/dev/null; stty -echo </dev/tty"' >shown
grep 'status 1' shown
E

try 'hears the interrupt and quit keys' <<'E'
animal keys 'trap "echo INT >heard; exit" INT; trap "echo QUIT >heard; exit" QUIT
(setsid sleep 1000 & ); >up; while :; do sleep 0.01; done'
ulimit -c 0
for key in '\x03 INT 2' '\x1c QUIT 3'; do
	set -- $key
	rm -f up heard
	terminal "$1" tool call keys >shown
	grep "signal $3\$" shown
	same "$2" "$(cat heard)"
	same '' "$(alive)"
done
rm -f up heard
terminal '\x03' bash 'trap "echo INT >heard; exit" INT; >up; while :; do sleep 0.01; done' >shown
grep 'signal 2$' shown
same INT "$(cat heard)"
E

try 'a signal to ikm reaches it and all it started' <<'E'
animal heard 'trap "echo TERM >\"$ZOO/heard\"; exit" TERM; (setsid sleep 1000 & ); sleep 1000 &
>"$ZOO/up"; wait'
printf '{}' >input
ikm tool call heard <input >out.json &
pid=$!
n=0
while ! [ -e "$ZOO/up" ] && [ $n -lt 1000 ]; do
	sleep 0.02
	n=$((n + 1))
done
kill -TERM $pid
rc=0
wait $pid || rc=$?
same 143 $rc
same TERM "$(cat "$ZOO/heard")"
same '' "$(alive)"
E

try 'what is no program is no tool, and says why' <<'E'
mkdir "$zoo/folder"
mkfifo "$zoo/fifo"
ln -s nowhere "$zoo/dangling"
cp "$zoo/good" "$zoo/plain"
chmod -x "$zoo/plain"
cp "$zoo/good" "$zoo/a space"
cp "$zoo/good" "$zoo/a
newline"
cp "$zoo/good" "$zoo/good.py"
cp "$zoo/good" "$zoo/$(head -c 65 /dev/zero | tr '\0' n)"
ln -s circle-b "$zoo/circle-a"
ln -s circle-a "$zoo/circle-b"
printf '#!/no/such/interpreter\n' >"$zoo/nothing"
printf 'echo "{}"\n' >"$zoo/text"
printf 'MZ\220\000\003no program of ours' >"$zoo/foreign-format"
chmod +x "$zoo/nothing" "$zoo/text" "$zoo/foreign-format"
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
grep "nothing' skipped: .*its first line names '/no/such/interpreter', which does not exist" err
grep "text' skipped: .*no script that begins with '#!'" err
grep "circle-a' skipped: .*symbolic links" err
fails 1 grep -e folder -e plain err
calls good '{}' ok
rm -r "$zoo/folder" "$zoo/fifo" "$zoo/dangling" "$zoo/plain" "$zoo/a space" "$zoo/a
newline" "$zoo/good.py" "$zoo/nothing" "$zoo/foreign-format" "$zoo"/nnn* "$zoo"/circle-* "$zoo/text"
E

try 'is replaced, or goes away, when it was found already' <<'E'
animal changes 'echo 1'
calls changes '{}' ok
animal other 'echo 2'
mv "$zoo/other" "$zoo/changes"
calls changes '{}' ok
same 2 "$(jq .result out.json)"
chmod -x "$zoo/changes"
calls changes '{}' TOOL_NOT_FOUND
jq -r .error out.json | grep 'it is not executable'
rm "$zoo/changes"
calls changes '{}' TOOL_NOT_FOUND
mute vanishes 'echo "{\"description\": \"x\"}"; rm "$0"'
calls vanishes '{}' TOOL_NOT_FOUND
jq -r .error out.json | grep "Tool 'vanishes' is not there any more"
E

try 'schemas that cannot be had: each is skipped and named, the others are there' <<'E'
mute m-crash 'kill -SEGV $$'
mute m-status 'echo "no python" >&2; exit 4'
mute m-hang 'sleep 1000'
mute m-deaf "trap '' TERM; while :; do sleep 1000; done"
mute m-bad 'echo "{"'
mute m-empty 'exit 0'
mute m-latin "printf '{\"description\": \"\\377\", \"parameters\": {}}'"
mute m-flood 'yes'
mute m-noise 'yes >&2'
mute m-big 'head -c 100000000 /dev/zero | tr "\0" " "'
mute m-deep "head -c 10000 /dev/zero | tr '\\0' '['"
mute m-list "echo '[]'"
mute m-type "echo '{\"description\": \"x\", \"parameters\": {\"a\": {\"type\": \"text\"}}}'"
mute m-silent "echo '{\"parameters\": {}}'"
ikm tool list --json >list.json 2>err
for name in crash status hang deaf bad empty latin flood noise big deep list type silent; do
	same 1 "$(grep -c "m-$name' skipped: " err)"
	same 1 "$(jq --arg n "/m-$name" '[.skipped[] | select(.path | endswith($n))] | length' list.json)"
done
same '' "$(jq -r '.tools[].name | select(startswith("m_"))' list.json)"
jq -e '.tools[] | select(.name == "good")' list.json
grep "m-status' skipped: --schema ended with exit code 4: no python" err
grep "m-hang' skipped: it did not answer --schema within 1000 ms" err
grep "m-big' skipped: its answer to --schema has more than 65536 bytes" err
grep "m-type' skipped: its schema: 'parameters.a.type' must be string, number" err
grep "m-silent' skipped: its schema: 'description' must be a string that says what it is for, not missing" err
same '' "$(alive)"
rm "$zoo"/m-*
E

try 'a schema with a daemon, or input to read, or exactly a second' <<'E'
mute s-daemon '(setsid sleep 1000 & ); echo "{\"description\": \"x\"}"'
mute s-reads 'cat; echo "{\"description\": \"x\"}"'
mute s-second 'sleep 1; echo "{\"description\": \"x\"}"'
ikm tool list --json >list.json 2>err
for name in good s_daemon s_reads; do
	jq -e --arg n $name '.tools[] | select(.name == $n)' list.json
done
# Either is right, but it must be one of both.
same 1 "$(jq '[.tools[] | select(.name == "s_second")] + [.skipped // [] | .[]] | length' list.json)"
same '' "$(alive)"
rm "$zoo"/s-*
E

try 'a schema with another name is known by its file' <<'E'
mute other-name "[ \"\$1\" = --schema ] && echo '{\"name\": \"mine\", \"description\": \"x\"}' || cat"
ikm tool list --json 2>err | jq -e '.tools[] | select(.name == "other_name")'
grep "other-name' calls itself 'mine'; here it is 'other_name'" err
same other_name "$(ikm tool schema other_name | jq -r .name)"
calls other_name '{}' ok
calls mine '{}' TOOL_NOT_FOUND
mute other-name "echo '{\"name\": \"other-name\", \"description\": \"x\"}'"
ikm tool list --json 2>err | jq -e '.tools[] | select(.name == "other_name")'
fails 1 grep other-name err
E

try 'memory does not grow with what a tool prints' <<'E'
peak() { # NAME: the most that ikm had, in KiB
	python3 - "$1" <<'P'
import os, resource, subprocess, sys
subprocess.run(["ikm", "tool", "call", sys.argv[1]], input=b"{}", stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
P
}
! grep -q __asan_init "$BUILD/test/ikm" || exit 0 # which keeps what was freed
animal loud 'head -c 300000000 /dev/zero >&2; echo "{}"'
small=$(peak good) loud=$(peak loud) big=$(peak big)
same ok "$(echo '{}' | ikm tool call good | jq -r 'if .tool_success then "ok" else .error_code end')"
# The sixteen MiB that may be an answer are held while they grow; more is not.
[ $((loud - small)) -lt 8192 ] || { echo "$small KiB grew to $loud"; exit 1; }
[ $((big - small)) -lt 65536 ] || { echo "$small KiB grew to $big"; exit 1; }
E
done_testing
