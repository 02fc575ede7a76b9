# counts.sh: what a command asks of the system, on inputs that are always the same. Source it.
#
#   counts_place         goes to a new folder, where HOME and a copy of ikm are too, of a path that is
#                        always as long: each folder of a path costs calls; remove $COUNTS at the end
#   counts_inputs        makes the repository orders and fills the home; source garden-sample.sh first
#   counts_rows          the commands to count, a line each: a name, a tab, a command of the shell
#   counted COMMAND      runs a command of a row in orders on one processor, and prints how often it
#                        waited for the disk, and its system calls: of ikm alone, not of git, and without
#                        those that the C library makes for memory and locks, and to load libraries:
#                        the environment may name more of them, or more folders to search
#
# The limits stand in t/counts; t/face/0661-counts.t holds them, and make perf prints the counts.

counts_place() {
	COUNTS=$(mktemp -d /tmp/ikm-c.XXXXXX) HOME=$COUNTS/home
	mkdir "$HOME" "$COUNTS/bin"
	cp "$(command -v ikm)" "$COUNTS/bin/"
	PATH=$COUNTS/bin:$PATH
	unset IKM_RAN # with the whole suite ikm notes what ran, which is five calls
	export COUNTS HOME PATH
	cd "$COUNTS" || exit 1
}

counts_inputs() {
	sh "$TOP/t/sample.sh" orders
	(
		cd orders || exit 1
		mkdir src/many
		for i in $(seq 200); do printf 'const n%d = %d;\nneedle\n' "$i" "$i" >"src/many/$i.js"; done
		git add -A
		git commit -qm many
		for i in $(seq 20); do
			echo "const more = $i;" >"src/many/$i.js"
			git commit -qam "change $i"
		done
		echo '// one more line' >>src/server.js
		git add -A
		for i in $(seq 300); do
			printf '{"content":"The ferry %d leaves harbour %d at noon","layer":"user"}\n' "$i" $((i % 7))
		done >memories.jsonl
		echo '*.jsonl' >.git/info/exclude
		ikm mem import memories.jsonl
		echo '# Tides' | ikm write ikigai:///tides.md
		sed 's/ferry/boat/' memories.jsonl >boats.jsonl
		# The first change of a page makes folders, and waits for them.
		ikm md patch "$P" needs --replace 'It needs rest.' --rationale counted
		# Who finds a long log puts it back into the file, and waits three times for it.
		sqlite3 "$HOME/.ikigai/ikm.db" 'pragma wal_checkpoint(truncate)'
		ikm mem add 'the harbour is deep'
		printf 'one\n' >.git/asset
		for i in $(seq 10); do
			printf '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"file_read",' "$i"
			printf '"arguments":{"path":"src/server.js"},"_meta":{"io.modelcontextprotocol/protocolVersion":'
			printf '"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}\n'
		done >.git/reads
	) >/dev/null
}

counts_rows() {
	tab=$(printf '\t')
	sed "s/^\([a-z0-9-]*\)  */\1$tab/" <<'E'
version            ikm version
read               ikm read src/server.js
read-asset         ikm read ikigai:///tides.md
list               ikm list
find               ikm find @srvjs
search             ikm search needle src/many
check-staged       ikm check --staged
check-range        ikm check --range HEAD~20..HEAD
check-verify       ikm check --verify HEAD~20..HEAD
check-all          ikm check --all
know-for           ikm know for src/server.js
lint               ikm lint
mem-search         ikm mem search 'when does the ferry leave?'
mem-add            ikm mem add 'the tide is high'
mem-import         ikm mem import boats.jsonl
asset-write        ikm write ikigai:///tides.md <.git/asset
file-edit          printf '{"path":"src/server.js","old":"8080","new":"8081"}' | ikm call file_edit
md-patch           ikm md patch "$P" concerns --replace 'It fears to lose.' --rationale counted
events-verify      ikm events verify
tool-list          ikm tool list
doctor             ikm doctor
mcp-10-reads       ikm mcp <.git/reads
E
}

counted() { # COMMAND
	(
		cd "$COUNTS/orders" || exit 2
		ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
		export ASAN_OPTIONS
		taskset -c "$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)" \
			strace -f -qq -o "$T/calls" sh -c "exec $1"
	) >/dev/null 2>&1 || { echo "'$1' failed" >&2; return 1; }
	# A call that another process interrupts has two lines, the second with "resumed".
	awk '$2 ~ /^execve\(/ { split($0, quoted, "\""); program[$1] = quoted[2]; sub(/.*\//, "", program[$1])
			loaded[$1] = 0 }
		# The loader gives the first thread its number when all libraries are there.
		$2 ~ /^set_tid_address\(/ { loaded[$1] = 1 }
		program[$1] != "" && (program[$1] != "ikm" || !loaded[$1]) { next }
		/resumed>/ || $2 !~ /^[a-z_0-9]+\(/ { next }
		{ call = $2; sub(/\(.*/, "", call) }
		call ~ /^(futex|brk|mmap|munmap|mprotect|madvise|mremap|sched_yield|restart_syscall)$/ { next }
		{ calls++; waits += call ~ /^(fsync|fdatasync|sync|syncfs|msync)$/ }
		END { print waits + 0, calls + 0 }' "$T/calls"
}
