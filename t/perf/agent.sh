#!/bin/sh
# hook run agent: one edit judged in a working tree of 100,000 files by 50 rules, against git
# --version; and what is judged after a command, against git status. Usage: agent.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=t/perf/rules.sh
. "$here/rules.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir
export HOME
sh "$here/mkrepo" "$dir/repo" "${FILES:-100000}" 0 >/dev/null
rules "$dir/repo"
cd "$dir/repo"
git checkout -qf HEAD -- .
git add .knowledge
git -c user.name=Perf -c user.email=perf@example.org commit -qm rules
file=$(git ls-files '*.js' | head -n 500 | tail -n 1)
event() {
	printf '{"session_id":"s","transcript_path":"/t","cwd":"%s","permission_mode":"default",' "$PWD"
	printf '"hook_event_name":"%s","tool_name":"%s","tool_input":%s,"tool_use_id":"u"}\n' "$@"
}
event PreToolUse Write "{\"file_path\":\"$file\",\"content\":\"one line\\n\"}" >"$dir/edit"
event PostToolUse Bash '{"command":"true"}' >"$dir/after"
PERF_IN=$dir/edit "$2" agent-edit 41 "$1" hook run agent -- git --version
PERF_IN=$dir/after "$2" agent-after 11 "$1" hook run agent -- git status
