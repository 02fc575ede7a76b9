# errors.sh: sourced. mcp_errors makes the repository ./p, goes there, and calls each tool of
# errors.txt over one `ikm mcp`, with the line's number as its id. A line is the reason that is due,
# the tool and its arguments; BIG stands for 5,000 bytes.
# Usage: . errors.sh; mcp_errors ERRORS_TXT >ANSWERS

mcp_errors() {
	git init -q p
	cd p || return
	printf 'a\nb\na\n' >twice
	printf '\ta = 1\n\tb = 2\n' >indented
	printf '\000\001' >bytes
	mkdir dir
	printf '# A\n\n## B\n\nx\n\n## C\n\ny\n' >doc.md
	for asset in pinned.md gone.md fixed.md; do
		printf x | ikm write "ikigai:///$asset" >/dev/null
	done
	seq 60000 | ikm write ikigai:///huge.md >/dev/null
	ikm asset delete gone.md >/dev/null
	ikm asset set fixed.md --read-only >/dev/null
	big=$(head -c 5000 /dev/zero | tr '\0' x)
	version='"io.modelcontextprotocol/protocolVersion":"2026-07-28"'
	meta='"_meta":{'$version',"io.modelcontextprotocol/clientCapabilities":{}}'
	n=0
	while IFS=' ' read -r _ tool args; do
		n=$((n + 1))
		printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s,%s}}\n' \
			$n "$tool" "$args" "$meta"
	done <"$1" | sed "s/BIG/$big/" | ikm mcp
}
