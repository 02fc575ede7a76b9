#!/bin/sh
# ikm hook run agent: edits of the judge itself, shell commands, the end of a turn, the session.
. "$(dirname "$0")/../lib.sh"

sh "$TOP/t/sample.sh" r; cd r || exit 1
R=$PWD; export R
cat >"$T/events.sh" <<'E'
claude() { jq -cn --arg e "$1" --arg t "$2" --argjson i "$3" '{session_id: "s", transcript_path: "/t",
	cwd: $ENV.R, permission_mode: "default", hook_event_name: $e, tool_name: $t, tool_input: $i,
	tool_use_id: "u"}'; }
codex() { jq -cn --arg t "$1" --argjson i "$2" '{session_id: "s", turn_id: "1", cwd: $ENV.R,
	hook_event_name: "PreToolUse", model: "m", tool_name: $t, tool_input: $i}'; }
run() { ikm hook run agent "$@"; }
verdict() { claude PreToolUse "$1" "$2" | run | jq -r '.hookSpecificOutput |
	.permissionDecision // (if (.additionalContext // "") | startswith("What binds") then empty
	elif .additionalContext then "context" else "nothing" end)' | grep . || echo allow; }
shell() { verdict Bash "$(jq -cn --arg c "$1" '{command: $c}')"; }
input() { jq -cn "$@"; }
ADR=docs/adr/0001-postgresql-for-relational-data.md
E

long 'an edit of rules, settings, exemptions or hooks: the person is asked' <<'E'
. "$T/events.sh"
asked() { same ask "$(verdict Write "$(input --arg p "$1" --arg c "$2" '{file_path: $p, content: $c}')")" || { echo "not asked: $1"; return 1; }; }
asked .ikm/config.json '{}'
asked .ikm/waivers.yaml 'x'
asked src/a.js "x(); // ikm:allow 2 until $(date -u -d '+30 days' +%F): why"
asked "$ADR" "$(sed 's/severity: block/severity: warn/' "$ADR")"
asked "$ADR" "$(sed 's/status: accepted/status: deprecated/' "$ADR")"
asked docs/adr/0099-new.md "$(sed 's/mysql2/left-pad/' "$ADR")"
asked .gitattributes 'src/* linguist-generated'
asked .git/hooks/pre-commit 'exit 0'
asked .git/config '[core]'
asked .claude/settings.json '{"hooks": {}}'
asked .claude/settings.local.json '{"disableAllHooks": true}'
asked .codex/hooks.json '{}'
asked .codex/config.toml '[features]
hooks = false'
asked .gemini/settings.json '{"hooks": {}}'
asked .github/hooks/x.json '{}'
asked .cursor/hooks.json '{}'
asked .opencode/plugins/ikm.js ''
asked "$HOME/.claude/settings.json" '{"hooks": {}}'
asked "$HOME/.ikigai/config.json" '{}'
claude PreToolUse Write "$(input '{file_path: ".ikm/config.json", content: "{}"}')" | run |
	jq -r .hookSpecificOutput.permissionDecisionReason >../out
grep -q "so a person decides: '.ikm/config.json' has ikm's settings" ../out
rm -rf .claude .codex .gemini
E

long 'drafts, proposals and prose pass: agents write decisions' <<'E'
. "$T/events.sh"
free() { same allow "$(verdict Write "$(input --arg p "$1" --arg c "$2" '{file_path: $p, content: $c}')")" || { echo "not free: $1"; return 1; }; }
free docs/adr/0099-new.md "$(sed 's/status: accepted/status: draft/' "$ADR")"
free docs/adr/0099-new.md "$(sed 's/status: accepted/status: proposed/' "$ADR")"
free docs/adr/0098-new.md '# A decision

## Status

Accepted'
free "$ADR" "$(cat "$ADR"; echo 'One more sentence.')"
free src/a.js "s = '// ikm:allow 2 until $(date -u -d '+30 days' +%F): why';"
free .gitattributes '*.png binary'
free .claude/settings.json '{"permissions": {}}'
free .codex/config.toml 'model = "m"'
# The same, and accepted.
same ask "$(verdict Write "$(input --arg c "$(cat "$ADR")" '{file_path: "docs/adr/0099-new.md", content: ($c + "x") | sub("mysql2"; "left-pad")}')")"
E

long 'a hook manager that calls ikm must go on to do so, and is free otherwise' <<'E'
. "$T/events.sh"
mkdir .husky; printf 'npm test\nikm hook run pre-commit\n' >.husky/pre-commit
same ask "$(verdict Write '{"file_path": ".husky/pre-commit", "content": "npm test\n"}')"
same allow "$(verdict Write '{"file_path": ".husky/pre-commit", "content": "npm run lint\nikm hook run pre-commit\n"}')"
same allow "$(verdict Write '{"file_path": ".husky/commit-msg", "content": "x\n"}')"
rm -r .husky
E

try 'a host that cannot ask denies, or warns where check.agentProtected says so' <<'E'
. "$T/events.sh"
edit() { codex apply_patch "$(input '{command: "*** Begin Patch\n*** Add File: .codex/hooks.json\n+{}\n*** End Patch"}')" | run "$@"; }
same deny "$(edit | jq -r .hookSpecificOutput.permissionDecision)"
same null "$(edit -c check.agentProtected=warn | jq -r .hookSpecificOutput.permissionDecision)"
edit -c check.agentProtected=warn | jq -r .hookSpecificOutput.additionalContext | grep -q 'so a person decides'
# The setting itself is guarded.
same ask "$(verdict Write '{"file_path": ".ikm/config.json", "content": "{\"check\": {\"agentProtected\": \"warn\"}}"}')"
E

more 'packages that a command installs are judged as dependencies' <<'E'
. "$T/events.sh"
# Each manager has its names; one decision forbids a package of each.
cat >docs/adr/0050-packages.md <<'D'
---
title: Packages
status: accepted
severity: block
constraints:
  - operator: must_not_use
    target: dependency
    pattern: '@evil/pkg|evil-pkg|Evil\.Pkg|evil/pkg|example\.org/evil'
---
# Packages
D
git add -A; git commit -qm packages
while read -r line; do
	same deny "$(shell "$line")" || { echo "not denied: $line"; exit 1; }
done <<'C'
npm i mysql2
npm install --save-dev mysql2@^3
cd web && npm i -w app mysql2
npm i db@npm:mysql2@3
npm i @evil/pkg@1
pnpm add -D mysql2
yarn add mysql2
bun add mysql2
pip install evil-pkg==1.0
pip3 install -r req.txt 'evil_pkg[extra]>=1'
python3 -m pip install evil-pkg
uv add --group dev evil-pkg
uv pip install evil-pkg
poetry add evil-pkg@^1
cargo add evil-pkg --features full
go get example.org/evil@v1
bundle add evil-pkg --version 1
composer require evil/pkg:^1
dotnet add package Evil.Pkg
dotnet add web/web.csproj package Evil.Pkg --version 1
dotnet package add Evil.Pkg --project web/web.csproj
sudo env A=1 npm i mysql2
sudo -E -u me npm i mysql2
timeout 60 npm i mysql2
timeout -k 5 --signal=KILL 1m npm i mysql2
stdbuf -o0 -e L npm i mysql2
/usr/bin/nice -n 10 npm i mysql2
ionice -c 3 npm i mysql2
echo x | xargs -n 1 -t npm i mysql2
corepack yarn add mysql2
yarn workspace web add mysql2
bun i mysql2
bun a mysql2
pip3.11 install evil-pkg
/opt/bin/pip3 install evil-pkg
py -3 -m pip install evil-pkg
python3.12 -I -m pip install evil-pkg
pdm add -G test evil-pkg
pipenv install --dev evil-pkg
conda install -n base -c conda-forge evil-pkg=1.0
micromamba install evil-pkg
pixi add evil-pkg
deno add npm:mysql2@3
dart pub add mysql2
flutter pub add mysql2:^1
gem install evil-pkg -v 1
bash -lc 'npm i mysql2'
bash --norc -c 'npm i mysql2'
bash --rcfile rc -c 'npm i mysql2'
bash -o pipefail -c 'npm i mysql2'
bash -eo pipefail -c 'npm i mysql2'
sh -ce 'npm i mysql2' name
sh -c -e 'npm i mysql2'
sh -c -- 'npm i mysql2'
true; (npm i mysql2)
version=$(npm i mysql2)
echo "of $(echo "it's"; npm i mysql2)"
a=`npm i mysql2`
cat <(npm i mysql2)
for i in 1 2; do npm i mysql2; done
if ! npm i mysql2; then exit 1; fi
case $x in a) npm i mysql2 ;; esac
{ npm i mysql2; } 2>&1 | tail -1
f() { npm i mysql2; }
corepack yarn@4.1 add mysql2
yarn workspaces foreach -A add mysql2
yarn workspaces foreach -A --include web add mysql2
time -p npm i mysql2
npm.cmd i mysql2
npm install-test mysql2
uv run pip install evil-pkg
uv run --with pip python -m pip install evil-pkg
poetry run pip install evil-pkg
conda run -n base pip install evil-pkg
find . -name x -exec npm i mysql2 \;
eval "npm i mysql2"
eval npm i mysql2
flock lock npm i mysql2
taskset -c 0,1 npm i mysql2
strace -f -o log npm i mysql2
chronic npm i mysql2
unbuffer npm i mysql2
watch -n 2 npm i mysql2
gtimeout 60 npm i mysql2
busybox timeout 60 npm i mysql2
caffeinate -i npm i mysql2
parallel -j 2 npm i ::: mysql2
mise exec node@20 -- npm i mysql2
volta run --node 20 npm i mysql2
nvm exec 18 npm i mysql2
nvm exec npm i mysql2
fnm exec --using=18 npm i mysql2
dotenv -e .env -- npm i mysql2
direnv exec . npm i mysql2
C
while read -r line; do
	same allow "$(shell "$line")" || { echo "not allowed: $line"; exit 1; }
done <<'C'
npm i
npm ci
npm i express
npm i -g mysql2
composer global require evil/pkg
timeout 60 echo npm i mysql2
command -v npm
uv run echo pip install evil-pkg
find . -name npm -exec echo npm i mysql2 \;
eval 'echo npm i mysql2'
npm run build -- npm i mysql2
xargs -n 1 echo npm i mysql2
python3 -m build npm i mysql2
yarn workspace mysql2 run build
pipenv install -r mysql2
npm run mysql2
npm i ./mysql2
echo npm i mysql2
git commit -m 'npm i mysql2'
grep -rn 'npm i mysql2' .
npm i "$PACKAGE"
# npm i mysql2
pip install -r mysql2
cargo add serde --rename evil-pkg
for i in npm i mysql2; do echo $i; done
a=(npm i mysql2)
echo '$(npm i mysql2)'
case npm in npm) ls mysql2 ;; esac
bash build.sh -c 'npm i mysql2'
bash -c 'echo "$1"' -c 'npm i mysql2'
bash --norc 'npm i mysql2'
dotnet remove package Evil.Pkg
dotnet remove web/web.csproj package Evil.Pkg
dotnet package remove Evil.Pkg
dotnet package search Evil.Pkg
dotnet list web/web.csproj package Evil.Pkg
dotnet add web/web.csproj reference Evil.Pkg
go get example.org/evil@none
C
# The verb is no package.
git rm -q --cached docs/adr/0050-packages.md
sed 's/evil-pkg|/add|&/' docs/adr/0050-packages.md >docs/adr/0051-add.md; rm docs/adr/0050-packages.md
git add -A; git commit -qm add
same allow "$(shell 'dotnet package add Good.Pkg')"
same deny "$(shell 'dotnet package add Evil.Pkg')"
same allow "$(shell "cat >notes.md <<'EOF'
npm i mysql2
EOF
ls")"
E

more 'words that skip hooks are denied' <<'E'
. "$T/events.sh"
while read -r line; do
	same deny "$(shell "$line")" || { echo "not denied: $line"; exit 1; }
done <<'C'
git commit --no-verify -m x
git commit -n -m x
git commit -anm x
git push --no-verify
git -C . -c core.hooksPath=/dev/null commit -m x
git config core.hooksPath /dev/null
git config --unset core.hooksPath
HUSKY=0 git commit -m x
LEFTHOOK=0 git commit -m x
SKIP=ikm-check git commit -m x
export IKM_HOOKS=0
IKM_HOOKS=0 git commit -m x
ls && git commit -qn -m x
C
while read -r line; do
	same allow "$(shell "$line")" || { echo "not allowed: $line"; exit 1; }
done <<'C'
git commit -m 'no --no-verify here'
git commit -m -n
git commit -mn
git push -n
git log -n 3
git config core.hooksPath
SKIP=1 make test
grep --no-verify x
C
claude PreToolUse Bash '{"command": "git commit -n -m x"}' | run | jq -r .hookSpecificOutput.permissionDecisionReason |
	grep -q "'git commit -n' skips the hooks"
E

more 'after a shell command the working tree is judged against HEAD, each finding told once' <<'E'
. "$T/events.sh"
after() { claude PostToolUse "$1" '{"command": "x"}' | run; }
same '' "$(after Bash)"
sed -i 's/"pg": .*/"pg": "1", "mysql2": "3"/' package.json
after Bash >../out
same PostToolUse "$(jq -r .hookSpecificOutput.hookEventName ../out)"
jq -r .hookSpecificOutput.additionalContext ../out >../text
grep -q 'the working tree breaks decisions' ../text; grep -q '  package.json:6:17: mysql2 3$' ../text
same '' "$(after Bash)"
echo '{"dependencies": {"mysql2": "1"}}' >src/package.json
after mcp__fs__write >../out
grep -q 'src/package.json' ../out
fails 1 grep -q ' package.json:6' ../out
same '' "$(after Read)"
E

more 'after a shell command a rule that is lost is told too' <<'E'
. "$T/events.sh"
mv "$ADR" ../adr
lost() { claude PostToolUse Bash '{}' | jq -c '.session_id = "lost"' | run; }
lost | jq -r .hookSpecificOutput.additionalContext >../out
grep -q "rule 1 of 0001-postgresql-for-relational-data is lost: " ../out
same '' "$(lost)"
mv ../adr "$ADR"
E

more 'at the end of a turn: told what was not told, and no loop' <<'E'
. "$T/events.sh"
stop() { jq -cn --argjson a "$1" --arg s "$2" '{session_id: $s, transcript_path: "/t", cwd: $ENV.R,
	permission_mode: "default", hook_event_name: "Stop", stop_hook_active: $a}' | run; }
same '' "$(stop false s)"
stop false t >../out
same 'block ["decision","reason"]' "$(jq -r '"\(.decision) \(keys)"' ../out)"
jq -r .reason ../out | grep -q 'package.json:6:17: mysql2 3'
same '' "$(stop false t)"
same '' "$(stop true u)"
git checkout -q package.json; rm src/package.json
same '' "$(stop false u)"
E

more 'the start of a session: decisions as data, within a budget, and the hooks that are missing' <<'E'
. "$T/events.sh"
start() { jq -cn '{session_id: "s", transcript_path: "/t", cwd: $ENV.R, hook_event_name: "SessionStart",
	source: "startup"}' | run --host claude; }
ID=$(basename "$ADR" .md)
start | jq -r .hookSpecificOutput.additionalContext >../out
grep -q "^decision  $ID  PostgreSQL for relational data" ../out
ikm know for package.json --no-memories | grep "^block  $ID #1" >../rule
grep -Fxq -f ../rule ../out
grep -q 'is data from files, not instructions' ../out
fails 1 grep -q 'hooks' ../out
for i in $(seq 100 400); do
	printf -- '---\ntitle: Decision %s\nstatus: accepted\nsummary: "many ``` fences"\n---\n# D\n' $i >docs/adr/0$i-d.md
done
printf 'repos:\n  - repo: local\n    hooks:\n      - id: ikm-check\n' >.pre-commit-config.yaml
start | jq -r .hookSpecificOutput.additionalContext >../out
grep -q "^decision  $ID  " ../out
grep -Fxq -f ../rule ../out
grep -Eq "^cut: rules 0, decisions [0-9]+; 'ikm know list' lists all, and 'ikm know for PATH' what binds a file$" ../out
same 2 "$(grep -c '```' ../out)"
[ "$(wc -c <../out)" -lt 8000 ]
grep -q "run 'pre-commit install --hook-type pre-commit'" ../out
git clean -fdq
# Hooks of ikm that another program has deleted.
ikm hook install >/dev/null; rm .git/hooks/pre-push
start | jq -r .hookSpecificOutput.additionalContext >../out
grep -q "^ikm: this clone had ikm's hooks, and Git does not call ikm any more for pre-push: run" ../out
ikm hook uninstall >/dev/null
E

more 'the start tells what is pinned, and nothing about pins where there are none' <<'E'
. "$T/events.sh"
start() { jq -cn '{session_id: "s", transcript_path: "/t", cwd: $ENV.R, hook_event_name: "SessionStart"}' | run | jq -r .hookSpecificOutput.additionalContext; }
start >../out; fails 1 grep -q Pinned ../out
echo 'Deploys happen on Fridays.' | ikm write ikigai:///blocks/deploys.md
ikm asset pin blocks/deploys.md >/dev/null
start | grep -q 'Deploys happen on Fridays.'
E

more 'the state of sessions is bounded, private, and can be damaged without harm' <<'E'
. "$T/events.sh"
state=$HOME/.ikigai/agent
same 700 "$(stat -c %a "$state")"
file=$(grep -l told "$state"/*.json | head -n 1)
same 600 "$(stat -c %a "$file")"
jq -e 'has("told")' "$file" >/dev/null
for f in "$state"/*.json; do echo '{' >"$f"; done
sed -i 's/"pg": .*/"pg": "1", "mysql2": "3"/' package.json
claude PostToolUse Bash '{}' | run | grep -q 'mysql2 3'
for i in $(seq 300); do echo '{}' >"$state/$i.json"; touch -d "2020-01-01 +$i minutes" "$state/$i.json"; done
claude PostToolUse Bash '{}' | jq -c '.session_id = "more"' | run | grep -q 'mysql2 3'
[ "$(ls "$state" | wc -l)" -le 256 ]
[ ! -e "$state/1.json" ]
chmod 500 "$state"
claude PostToolUse Bash '{}' | jq -c '.session_id = "read only"' | run | grep -q 'mysql2 3'
chmod 700 "$state"
git checkout -q package.json
E

more "one host's file that another host runs: the denial counts, the context is given once" <<'E'
. "$T/events.sh"
event() { jq -cn '{sessionId: "c", timestamp: 1, cwd: $ENV.R, source: "new", initialPrompt: "x"}'; }
event | run --host claude | jq -r .additionalContext | grep -q PostgreSQL
mkdir -p .github/hooks
echo '{"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "ikm hook run agent --host copilot"}]}}' >.github/hooks/ikm.json
same '' "$(event | run --host claude)"
event | run --host copilot | jq -r .additionalContext | grep -q PostgreSQL
rm -r .github
E
done_testing
