#!/bin/sh
# ikm hook install --agent: ikm in the settings of agents' hosts, taken out, and proven to be live.
. "$(dirname "$0")/../lib.sh"

sh "$TOP/t/sample.sh" r; cd r || exit 1
cat >"$T/files" <<'E'
claude .claude/settings.json PreToolUse
codex .codex/hooks.json PreToolUse
gemini .gemini/settings.json BeforeTool
copilot .github/hooks/ikm.json preToolUse
cursor .cursor/hooks.json preToolUse
E

long 'each host: installed, shown, installed again without a change, and taken out' <<'E'
while read -r host file event; do
	ikm hook install --agent "$host" >../out
	head -n 1 ../out | grep -q "^$host: installed in .*/r/$file\$"
	grep -q "^  $event: .*ikm hook run agent --host $host" ../out
	jq -e --arg e "$event" '.hooks[$e] | length == 1' "$file" >/dev/null
	cp "$file" ../was
	ikm hook install --agent "$host" | head -n 1 | grep -q "^$host: unchanged"
	cmp "$file" ../was
	same '[true,"removed",[]]' "$(ikm hook uninstall --agent "$host" --json | jq -c '[.changed, .agent.action, .hooks]')"
	[ ! -e "$file" ]
	same '[false,"absent"]' "$(ikm hook uninstall --agent "$host" --json | jq -c '[.changed, .agent.action]')"
done <"$T/files"
ikm hook install --agent opencode >../out
[ -s .opencode/plugins/ikm.js ]
ikm hook uninstall --agent opencode | grep -q removed
same '' "$(git status --porcelain)"
E

long 'the limits are in the unit of the host, and the matchers name its tools' <<'E'
while read -r host file event; do ikm hook install --agent "$host" >/dev/null; done <"$T/files"
same '[5,"Edit|Write|MultiEdit|NotebookEdit|Bash"]' "$(jq -c '.hooks.PreToolUse[0] | [.hooks[0].timeout, .matcher]' .claude/settings.json)"
same '[5,"apply_patch|Bash"]' "$(jq -c '.hooks.PreToolUse[0] | [.hooks[0].timeout, .matcher]' .codex/hooks.json)"
same '[5000,"write_file|replace|run_shell_command"]' "$(jq -c '.hooks.BeforeTool[0] | [.hooks[0].timeout, .matcher]' .gemini/settings.json)"
same '[1,5,"create|edit|bash|apply_patch"]' "$(jq -c '[.version] + (.hooks.preToolUse[0] | [.timeoutSec, .matcher])' .github/hooks/ikm.json)"
same '[1,5,"Shell|Write|Delete"]' "$(jq -c '[.version] + (.hooks.preToolUse[0] | [.timeout, .matcher])' .cursor/hooks.json)"
git clean -fdq
E

long 'what else is in the settings stays byte for byte' <<'E'
mkdir .claude; f=.claude/settings.json
round() {
	cp $f ../before
	ikm hook install --agent claude >/dev/null
	jq -e '.hooks.PreToolUse[-1].hooks[0].command | contains("ikm hook run agent")' $f >/dev/null
	ikm hook uninstall --agent claude >/dev/null
	cmp $f ../before || { cat $f; return 1; }
}
printf '{\n\t"model": "x",\n\t"permissions": {"allow": ["Bash(ls)"]}\n}\n' >$f; round
printf '{"model":"x"}' >$f; round
printf '{\n    "hooks": {\n        "PreToolUse": [\n            {"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}]}\n        ]\n    },\n    "z": 1.50\n}\n' >$f; round
jq -e '.hooks.PreToolUse[0].hooks[0].command == "mine"' $f >/dev/null
printf '{\r\n  "a": "\\u00e9"\r\n}\r\n' >$f; round
printf '{"hooks": {"Stop": []}, "b": [1,\n2]}\n' >$f; cp $f ../before
ikm hook install --agent claude >/dev/null; ikm hook uninstall --agent claude >/dev/null
same 2 "$(jq -c '.b[1]' $f)"
chmod 600 $f; printf '{"model":"x"}' >$f; ikm hook install --agent claude >/dev/null
same 600 "$(stat -c %a $f)"
rm -r .claude
E

try "one's own commands in a group with ikm's stay" <<'E'
mkdir .claude
printf '{"hooks":{"PreToolUse":[{"matcher":"Write","hooks":[{"type":"command","command":"mine"},{"type":"command","command":"ikm hook run agent"}]}]}}' >.claude/settings.json
ikm hook uninstall --agent claude >/dev/null
same '{"hooks":{"PreToolUse":[{"matcher":"Write","hooks":[{"type":"command","command":"mine"}]}]}}' "$(cat .claude/settings.json)"
rm -r .claude
E

try 'an entry of another version is renewed' <<'E'
mkdir .claude
printf '{"hooks":{"PreToolUse":[{"matcher":"Write","hooks":[{"type":"command","command":"ikm hook run agent --host claude"}]}]}}' >.claude/settings.json
ikm hook install --agent claude | head -n 1 | grep -q '^claude: renewed'
same 1 "$(jq '.hooks.PreToolUse | length' .claude/settings.json)"
rm -r .claude
E

try 'settings that are no JSON, or of another shape, are refused and kept' <<'E'
mkdir .claude
for bad in '{' '[]' '{"hooks": []}' '{"hooks": {"Stop": 1}}' '// a comment
{}'; do
	printf '%s' "$bad" >.claude/settings.json
	fails_for BAD_JSON ikm hook install --agent claude 2>../err
	grep -q "settings.json': " ../err
	same "$bad" "$(cat .claude/settings.json)"
done
rm -r .claude
fails_for NOT_IN_ENUM ikm hook install --agent emacs 2>../err
grep -q 'claude, codex, gemini, copilot, cursor, opencode' ../err
fails_for BAD_ARGUMENT ikm hook install --agent claude --hook pre-push 2>../err
fails_for BAD_ARGUMENT ikm hook install --fail-closed 2>../err
fails_for BAD_ARGUMENT ikm hook install --agent codex --fail-closed 2>../err
grep -q 'claude and cursor have it' ../err
cd ..
fails_for NO_REPOSITORY ikm hook install --agent claude 2>err
grep -q -- '--global' err
E

try 'the settings of the user, with --global, in the folder that the host names' <<'E'
cd ..
ikm hook install --agent claude --global >/dev/null
[ -s "$HOME/.claude/settings.json" ]
CODEX_HOME=$T/codex ikm hook install --agent codex --global >/dev/null
[ -s "$T/codex/hooks.json" ]
ikm hook uninstall --agent claude --global >/dev/null
CODEX_HOME=$T/codex ikm hook uninstall --agent codex --global >/dev/null
[ ! -e "$HOME/.claude" ]
E

try 'the command survives a missing ikm, and denies with it' <<'E'
ikm hook install --agent claude >/dev/null; ikm hook install --agent cursor >/dev/null
claude=$(jq -r '.hooks.PreToolUse[0].hooks[0].command' .claude/settings.json)
cursor=$(jq -r '.hooks.preToolUse[0].command' .cursor/hooks.json)
event='{"hook_event_name":"PreToolUse","tool_use_id":"u","tool_name":"Bash","tool_input":{"command":"git commit -n"}}'
same '' "$(echo "$event" | PATH=/usr/bin:/bin sh -c "$claude")"
same '{"permission":"allow"}' "$(echo "$event" | PATH=/usr/bin:/bin sh -c "$cursor")"
same deny "$(echo "$event" | sh -c "$claude" | jq -r .hookSpecificOutput.permissionDecision)"
ikm hook install --agent claude --fail-closed | grep -q renewed
same block "$(jq -r '.hooks.PreToolUse[0].hooks[0].onFailure' .claude/settings.json)"
same 'ikm hook run agent --host claude' "$(jq -r '.hooks.PreToolUse[0].hooks[0].command' .claude/settings.json)"
git clean -fdq
E

long 'status proves that it is live: an event that must be denied, through the command' <<'E'
for host in claude gemini cursor opencode; do
	fails 1 ikm hook status --agent $host >../out
	grep -q "^  not installed: ikm hook install --agent $host\$" ../out
	ikm hook install --agent $host >/dev/null
	ikm hook status --agent $host >../out
	grep -q "^$host: fires, in " ../out
done
same '["claude","cursor","gemini","opencode"]' "$(ikm hook status --agent all --json | jq -c '[.agents[] | select(.fires == "yes") | .host] | sort')"
ikm hook install --agent claude --fail-closed >/dev/null
ikm hook status --agent claude | grep -q 'fires'
mkdir ../bin; ln -sf "$(command -v ikm)" ../bin/its-ikm
fails 1 env PATH=/usr/bin:/bin "$T/w/bin/its-ikm" hook status --agent gemini >../out
grep -q 'ikm is not in PATH' ../out
git clean -fdq
fails 1 ikm hook status --agent all >../out
grep -q "no host's settings call ikm" ../out
E

try 'status does not run what ikm did not write' <<'E'
mkdir .claude
jq -n '{hooks: {PreToolUse: [{hooks: [{type: "command", command: "touch ran; ikm hook run agent --host claude"}]}]}}' >.claude/settings.json
ikm hook status --agent claude >../out
grep -q '^claude: not proven' ../out; grep -q "not one that ikm writes" ../out
[ ! -e ran ]
ikm hook install --agent opencode >/dev/null
echo 'syntax error here' >>.opencode/plugins/ikm.js
ikm hook status --agent opencode >../out
grep -q '^opencode: not proven' ../out
fails_for EXISTS ikm hook uninstall --agent opencode 2>../err
git clean -fdq
E

try 'hooks that are switched off do not fire' <<'E'
ikm hook install --agent claude >/dev/null
echo '{"disableAllHooks": true}' >.claude/settings.local.json
fails 1 ikm hook status --agent claude >../out
grep -q 'disableAllHooks is set in .claude/settings.local.json' ../out
git clean -fdq
E

try 'Codex: not trusted until the folder and the hash of the hook are' <<'E'
export CODEX_HOME=$T/codex; mkdir -p "$CODEX_HOME"
ikm hook install --agent codex | grep -q 'run /hooks'
fails 1 ikm hook status --agent codex >../out
grep -q 'does not trust this folder' ../out
printf '[projects."%s"]\ntrust_level = "trusted"\n' "$PWD" >"$CODEX_HOME/config.toml"
fails 1 ikm hook status --agent codex >../out
grep -q '^  installed, not trusted: start codex here, and run /hooks$' ../out
hash=$(jq -cjS '.hooks.PreToolUse[0] | {event_name: "pre_tool_use", matcher,
	hooks: [.hooks[0] | {async: false, command, timeout, type}]}' .codex/hooks.json | sha256sum | cut -d' ' -f1)
printf '[hooks.state."%s/.codex/hooks.json:pre_tool_use:0:0"]\ntrusted_hash = "sha256:%s"\n' "$PWD" "$hash" >>"$CODEX_HOME/config.toml"
cp "$CODEX_HOME/config.toml" ../config
ikm hook status --agent codex >../out
grep -q '^codex: fires' ../out
cmp "$CODEX_HOME/config.toml" ../config
sed -i 's/"timeout":5/"timeout":6/' .codex/hooks.json
fails 1 ikm hook status --agent codex >/dev/null
sed -i 's/"timeout":6/"timeout":5/' .codex/hooks.json
printf '[features]\nhooks = false\n' >>"$CODEX_HOME/config.toml"
fails 1 ikm hook status --agent codex >../out
grep -q 'hooks is false' ../out
git clean -fdq
E

try 'Copilot: only in folders that are trusted' <<'E'
ikm hook install --agent copilot >/dev/null
fails 1 ikm hook status --agent copilot >../out
grep -q 'installed, not trusted' ../out
mkdir -p "$HOME/.copilot"; jq -n --arg d "$PWD" '{trusted_folders: [$d]}' >"$HOME/.copilot/config.json"
ikm hook status --agent copilot | grep -q '^copilot: fires'
git clean -fdq
E

if command -v node >/dev/null; then
	long "opencode's plugin loads, denies by an error, and adds context to a result" <<'E'
ikm hook install --agent opencode >/dev/null
cp .opencode/plugins/ikm.js ../ikm.mjs
cat >../drive.mjs <<'J'
import { Ikm } from "./ikm.mjs"
const hooks = await Ikm({ directory: process.argv[2] })
const call = { tool: "bash", sessionID: "s", callID: "c" }
try {
  await hooks["tool.execute.before"](call, { args: { command: "npm i mysql2" } })
  console.log("ran")
} catch (e) { console.log("stopped: " + e.message.split("\n")[0]) }
await hooks["tool.execute.before"](call, { args: { command: "ls" } })
const output = { output: "was" }
await hooks["tool.execute.after"]({ ...call, args: { command: "ls" } }, output)
console.log(output.output.split("\n")[0], output.output.includes("mysql2"))
const system = { system: [] }
await hooks["experimental.chat.system.transform"]({ sessionID: "s" }, system)
console.log(system.system[0].includes("PostgreSQL"))
J
sed -i 's/"pg": .*/"pg": "1", "mysql2": "3"/' package.json
node ../drive.mjs "$PWD" >../out
same 'stopped: ikm: stopped before it ran: it breaks a decision of this repository.
was true
true' "$(cat ../out)"
PATH=$(dirname "$(command -v node)") node ../drive.mjs "$PWD" 2>&1 | head -n 1 >../out
same ran "$(cat ../out)"
git checkout -q package.json; git clean -fdq
E
else
	skip "opencode's plugin loads" 'node is missing'
fi

try 'where PATH has no ikm the hook lets everything pass, and the installation says so' <<'E'
rm -rf far nowhere bare
bare=$PWD/bare
mkdir far nowhere bare
for p in sh git; do ln -s "$(command -v $p)" bare/; done
cp "$(command -v ikm)" far/ikm
git init -q nowhere
cd nowhere
env PATH="$bare" ../far/ikm hook install --agent claude >../out 2>../err
grep -q '^ikm: warning: PATH has no ikm, so the hook of claude lets everything pass' ../err
fails 1 env PATH="$bare" ../far/ikm hook status --agent claude >../out
line=$(sed 's/.*anew: //' ../err)
PATH=$bare
eval "$line"
ikm hook status --agent claude >../out
ikm hook install --agent claude >../out 2>../err
[ ! -s ../err ]
E
done_testing
