#!/bin/sh
# The picture at the head of README.md: a commit that a decision stops, as a terminal shows it. Prints
# an SVG of a real run. Usage: PATH=DIR-OF-IKM:$PATH recording.sh >recording.svg
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d "${TMPDIR:-/tmp}/ikm-recording.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
: >"$dir/gitconfig"
HOME=$dir GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=$dir/gitconfig TERM=xterm
GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org
GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
export HOME GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL TERM
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
unset NO_COLOR GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE IKIGAI_HOME IKM_KNOWLEDGE IKM_HOOKS

sh "$here/sample.sh" "$dir/orders" >/dev/null
cd "$dir/orders"
ikm hook install >/dev/null
sed -i 's/"pg": .*/"pg": "^8.11.5",\n    "mysql2": "^3.9.7"/' package.json
git add package.json
commit="git commit -m 'orders: read the old shop'"
script -qec "stty cols 88; $commit" /dev/null </dev/null >"$dir/shown" 2>/dev/null || true

# One row of text for each line, one span for each colour of the terminal.
{ printf '\033[2m$\033[0m %s\n' "$commit" && sed '/^rules:/,$d; /blocking violation/q' "$dir/shown"; } |
tr -d '\r' | awk '
function escaped(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); return s }
function span(s, code) {
	if (s == "") return ""
	return "<tspan" (code in style ? " class=\"" style[code] "\"" : "") ">" escaped(s) "</tspan>"
}
BEGIN {
	style["1"] = "bold"; style["2"] = "dim"; style["1;31"] = "red"; style["36"] = "cyan"
}
{
	plain = $0
	gsub(/\033\[[0-9;]*m/, "", plain)
	if (length(plain) > columns) columns = length(plain)
	line = ""; code = ""; rest = $0
	while (match(rest, /\033\[[0-9;]*m/)) {
		line = line span(substr(rest, 1, RSTART - 1), code)
		code = substr(rest, RSTART + 2, RLENGTH - 3)
		rest = substr(rest, RSTART + RLENGTH)
	}
	text[++n] = line span(rest, code)
}
END {
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">\n",
		9 * columns + 32, 20 * n + 24
	print "<style>"
	print "text { font: 14px ui-monospace, monospace; fill: #d6d6d6; white-space: pre }"
	print ".bold { font-weight: bold } .dim { fill: #8f8f8f }"
	print ".red { font-weight: bold; fill: #ff6b5e } .cyan { fill: #5fd0d0 }"
	print "</style>"
	print "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1b1d1f\"/>"
	for (i = 1; i <= n; i++)
		printf "<text x=\"16\" y=\"%d\" xml:space=\"preserve\">%s</text>\n", 20 * i + 8, text[i]
	print "</svg>"
}'
