#!/bin/sh
# The main job on a sample, in a temporary folder: a decision that forbids MySQL, a commit that adds
# it stopped, the same commit passing after the fix. Usage: demo.sh IKM
set -eu
ikm=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d "${TMPDIR:-/tmp}/ikm-demo.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
mkdir "$dir/bin" "$dir/home"
: >"$dir/gitconfig"
ln -s "$ikm" "$dir/bin/ikm"
# Nothing of the user's own configuration is read or written.
PATH=$dir/bin:$PATH HOME=$dir/home GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=$dir/gitconfig
export PATH HOME GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL
GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org IKM_USER=ada
GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL IKM_USER
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE IKIGAI_HOME IKM_KNOWLEDGE IKM_HOOKS

if [ -t 1 ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold='' plain=''; fi
say() { printf '\n%s# %s%s\n' "$bold" "$1" "$plain"; }
run() { printf '$ %s\n' "$1"; eval "$1"; }

sh "$here/sample.sh" "$dir/orders"
cd "$dir/orders"

say 'A small service in a Git repository, and what its people have decided:'
run 'ikm know list'
run "sed -n '1,13p' docs/adr/0001-postgresql-for-relational-data.md"

say 'One command puts the judge before every commit:'
run 'ikm hook install'

say 'Somebody adds MySQL:'
run "sed -i 's/\"pg\": .*/\"pg\": \"^8.11.5\",\\n    \"mysql2\": \"^3.9.7\"/' package.json"
run 'git add package.json'
printf '$ git commit -m "orders: read the old shop"\n'
if git commit -m 'orders: read the old shop'; then
	echo "demo: the commit should have been stopped" >&2
	exit 1
fi

say 'Why? The decision itself:'
run 'ikm why 0001-postgresql-for-relational-data'

say 'The fix, and the same commit passes:'
run "sed -i -e '/mysql2/d' -e 's/\"\\^8.11.5\",/\"^8.11.5\"/' package.json"
run "printf '%s\\n' '// The old shop is read through its API.' >>src/server.js"
run 'git add package.json src/server.js'
run 'git commit -m "orders: read the old shop"'

say 'What an agent changes through a tool can be taken back:'
run "echo '{\"path\": \"src/server.js\", \"old\": \"8080\", \"new\": \"80\"}' | ikm call file_edit >/dev/null"
run 'git diff --stat'
run 'ikm events query'
run "ikm events undo \$(ikm events query --limit 1 | cut -c 1-26)"

say 'The same command edits a note that it keeps; pinned, it is part of its context:'
run "printf '# Conventions\n\nOne pool of connections.\n' | ikm write ikigai:///blocks/conventions.md"
run "ikm edit ikigai:///blocks/conventions.md --old 'One pool' --new 'One shared pool'"
run 'ikm asset pin blocks/conventions'

say 'What it learns it remembers, and finds by a question:'
run "ikm mem add 'Replies of the old shop are cached for an hour' --layer project --tag shop"
run "ikm mem add 'Deploys happen on Tuesdays' --layer project"
run "ikm mem search 'how long do we cache what the shop replies?'"

say 'A garden: Markdown files that an agent may edit, and that everyone can trust:'
garden=$HOME/.ikigai/garden
profile=users/ada/parts/guard/profile.md
export garden profile
run 'ikm init --home-only --garden'
run "ikm md new part guard --title 'The Guard'"
run "echo '{\"path\": \"'\$profile'\", \"sectionAnchor\": \"concerns v1\", \"change\": {\"replace\": \"- Being late again.\"}, \"opts\": {\"rationale\": \"named in the talk of today\"}}' | ikm call md_patch_section >/dev/null"
run "ikm read \$profile --section 'concerns v1'"
run "ikm read \$profile --section 'change_log v1'"

say 'One commit of that file and a copy of its former content, and a signed event:'
run "git -C \$garden log --stat --format='%h %s' -1"
run 'ikm events query --limit 1'

say 'An attempt to remove an anchor is refused, and recorded too:'
printf '$ %s\n' "echo '{\"path\": \"'\$profile'\", \"old\": \"<!-- @anchor: concerns v1 -->\", \"new\": \"\"}' | ikm call file_edit"
if echo '{"path": "'"$profile"'", "old": "<!-- @anchor: concerns v1 -->", "new": ""}' |
	ikm call file_edit >"$dir/refused"; then
	echo "demo: the edit should have been refused" >&2
	exit 1
fi
run 'ikm events query --limit 1 2>/dev/null'
run 'ikm events verify'

say 'That was the main job. Your own repository next: README.md, "In your repository".'
