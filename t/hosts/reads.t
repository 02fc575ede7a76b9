#!/bin/sh
# What the agents' hosts give their models of an MCP server's answers: the table of ikm-mcp(7). A new
# version of a host that gives more or less changes that table, and perhaps the form of answers.
# `make check-hosts` runs it, in about half a minute.
TOP=$(cd "$(dirname "$0")/../.." && pwd)
IKM_TOP=$TOP
. "$TOP/t/lib.sh"

IKM_HOSTS=${IKM_HOSTS:-$TOP/build/hosts}
export IKM_HOSTS TOP
[ -e "$IKM_HOSTS/node_modules/.package-lock.json" ] ||
	skip_all "the agents' hosts, which 'make check-hosts GET=1' installs, are missing"

gives() { # HOST MARK…
	host=$1
	shift
	marks=$*
	export host marks
	try "$host gives its model: $marks" <<'E'
same "$host: $marks " "$(sh "$TOP/t/hosts/reads.sh" "$host")"
E
}
gives claude MARK-DESCRIPTION MARK-EMBEDDED MARK-INSTRUCTIONS MARK-LINK MARK-STRUCTURED
gives codex MARK-EMBEDDED MARK-INSTRUCTIONS MARK-LINK MARK-STRUCTURED
gives gemini MARK-CONTENT MARK-DESCRIPTION MARK-EMBEDDED MARK-INSTRUCTIONS MARK-LINK
gives copilot MARK-CONTENT MARK-DESCRIPTION MARK-EMBEDDED MARK-STRUCTURED
gives opencode MARK-CONTENT MARK-DESCRIPTION MARK-EMBEDDED MARK-INSTRUCTIONS
done_testing
