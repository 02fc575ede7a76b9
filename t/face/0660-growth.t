#!/bin/sh
# What a command costs grows with its input, and no faster: four times the input costs at most nine
# times the user time, in which a quadratic step would cost sixteen times.
. "$(dirname "$0")/../lib.sh"
more_all
G=$T/garden
export G
. "$TOP/t/garden.sh"
cat >"$T/user.py" <<'P'
import os, resource, subprocess, sys
# The least user time of two runs, in milliseconds.
least = None
for _ in range(2):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    null = open(os.devnull, 'w')
    status = subprocess.call(['sh', '-c', sys.argv[1]], stdin=subprocess.DEVNULL, stdout=null, stderr=null)
    if status > 1:
        sys.exit('%s: %d' % (sys.argv[1], status))
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    least = spent if least is None else min(least, spent)
print(int(least * 1000))
P

repo() { # TARGET PATTERN N: N decisions with a rule each
	rm -rf r
	mkdir -p r/.knowledge/policies r/src
	cd r || return
	git init -q
	echo text >src/a.c
	awk -v target="$1" -v pattern="$2" -v n="$3" 'BEGIN {
		for (i = 1; i <= n; i++) {
			f = sprintf(".knowledge/policies/%05d-r.md", i)
			printf "---\nstatus: accepted\nseverity: warn\nconstraints:\n  - {operator: " \
				"must_not_use, target: %s, pattern: %s%d}\n---\n# Rule %d\n",
				target, pattern, i, i >f
			close(f)
		}
	}'
	git add -A
	git commit -qm rules
}
lines() { # FORMAT N
	awk -v format="$1" -v n="$2" 'BEGIN { for (i = 1; i <= n; i++) printf format "\n", i, i, i }'
}

# Each makes an input of N.
decisions_edited() { repo dependency lib "$1" && sed -i 's/lib/other/' .knowledge/policies/* && git add -A; }
decision_edited() { repo dependency lib "$1" && echo more >>.knowledge/policies/00007-r.md && git add -A; }
decisions() { repo dependency lib "$1"; }
findings() { repo code text 1 && lines 'text1 %d' "$1" >src/a.c; }
# New lines of a merge itself, which the check compares with both parents.
merged_findings() {
	findings 1
	git branch other
	git commit -qam one
	git checkout -q other
	git commit -q --allow-empty -m other
	git merge -q --no-commit -s ours -
	lines 'text1' "$1" >src/b.c
	git add -A
	git commit -qm merge
}
waivers() {
	findings 100
	mkdir .ikm
	lines '- {item: 00001-r, paths: ["p%d/x"], reason: l, owner: r, expires: 2027-06-01}' "$1" >.ikm/waivers.yaml
}
commits() {
	repo code text 5
	git branch start
	lines 'commit refs/heads/more\ncommitter A <a@b> %d +0000\ndata 1\nx\nM 100644 inline src/%d\ndata 2\nxy\n' "$1" |
		awk '/^committer/ { first = !seen++ } { print } /^x$/ && first { print "from refs/heads/start^0"; first = 0 }' |
		git fast-import --quiet
}
# Hunks with less context behind than before, as at the end of a file, and other line ends.
elsewhere() {
	lines 'line %d\r' "$1" >d.txt
	awk -v n="$1" 'BEGIN {
		print "--- a/d.txt\n+++ b/d.txt"
		for (i = 50; i + 3 < n; i += 90)
			printf "@@ -%d,4 +%d,4 @@\n line %d\n line %d\n-line %d\n+new\n line %d\n",
				i, i, i, i + 1, i + 2, i + 3
	}' >d.diff
}
sections() { lines '# Section %d\n\nText of %d.\n' "$1" >d.md; }
numbers() { lines 'the line %d' "$1" >d.txt; }
memories() { lines '{"content":"the berth w%d of the harbour x%d","kind":"episodic"}' "$1" >m.json; }
events() {
	seq 40 >text
	"$BUILD/tool/event" "$HOME/.ikigai/ikm.db" init
	"$BUILD/tool/event" "$HOME/.ikigai/ikm.db" many "$PWD/part" text "$1"
}
assets() { mkdir f && lines '# Text %d\n\nof word%d' "$1" | split -a 4 -l 3 --additional-suffix=.md - f/ && ikm asset import f; }
parts() {
	part ada p0 p0
	for i in $(seq "$1"); do
		mkdir -p "$G/users/ada/parts/p$i"
		sed "s/^id: p0/id: p$i/" p0 >"$G/users/ada/parts/p$i/profile.md"
	done
}
# In one process: changes of a file, which are recorded.
edits() {
	ikm init
	{
		echo '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}'
		lines '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"file_write","arguments":{"path":"f.txt","content":"x%d"}}}' "$1"
	} >calls.json
}
command_words() {
	repo code text 1
	awk -v n="$1" 'BEGIN {
		printf "{\"session_id\":\"s\",\"transcript_path\":\"/t\",\"cwd\":\"%s\"," \
			"\"permission_mode\":\"default\",\"hook_event_name\":\"PreToolUse\"," \
			"\"tool_name\":\"Bash\",\"tool_use_id\":\"u\",\"tool_input\":{\"command\":\"", ENVIRON["PWD"]
		for (i = 0; i < n; i++)
			printf "find dotenv "
		print "\"}}"
	}' >event.json
}

grows() { # NAME N COMMAND
	try "four times as many $1: $3" <<-E
	for times in 1 4; do
		rm -rf "$T/in" "$HOME/.ikigai" "$G"
		mkdir "$T/in"
		cd "$T/in"
		$1 \$(($2 * times)) >/dev/null
		python3 "$T/user.py" '$3' >"$T/used\$times"
	done
	one=\$(cat "$T/used1") four=\$(cat "$T/used4")
	echo "$2: \$one ms; four times: \$four ms"
	# The clock of a small time is coarse.
	[ \$four -le \$((9 * one + 20)) ]
	E
}

while IFS='|' read -r input n command; do
	grows "$input" "$n" "$command"
done <<'ROWS'
decisions_edited|1000|ikm check --staged
decisions|1500|ikm check --all
findings|25000|ikm check --all
merged_findings|4000|ikm check --verify HEAD~1..HEAD
waivers|2500|ikm check --all
commits|300|ikm check --verify start..more
memories|2000|rm -rf "$HOME/.ikigai"; ikm mem import m.json
decision_edited|1000|ikm check --staged
decisions|2500|ikm know for src/a.c
sections|10000|ikm md sections d.md
numbers|200000|ikm search 7 d.txt
numbers|25000|ikm edit d.txt --old line --new row --all; ikm edit d.txt --old row --new line --all
decisions|1500|ikm lint
command_words|4000|ikm hook run agent <event.json
elsewhere|15000|ikm patch --dry-run <d.diff
commits|2000|ikm check --range start..more
events|20000|ikm events query --path text -n 1000
events|10000|ikm events verify
events|5000|ikm events export
assets|1500|rm -rf "$HOME/.ikigai"; ikm asset import f
assets|4000|ikm asset list
assets|4000|ikm search word7 ikigai:///
parts|400|ikm -c garden.path="$G" lint "$G"
parts|400|ikm -c garden.path="$G" search loud "$G"
edits|100|ikm mcp <calls.json
decisions|400|rm -rf "$HOME/.ikigai"; ikm sync now
decisions|400|ikm sync now
ROWS
done_testing
