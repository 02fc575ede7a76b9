# history.sh: sourced by benchmarks: history DIR COMMITS adds so many commits on top of HEAD to a
# repository of mkrepo, each of which changes some files, never the decisions; no working tree is
# needed. history_repo HERE DIR makes such a repository
# with rules, in DIR/repo, and goes there; HERE is this folder.
history() {
	git -C "$1" ls-tree -r --name-only HEAD | awk -v commits="$2" -v seed=7 '
	!/^\.knowledge\// { path[++paths] = $0 }
	END {
		srand(seed)
		for (i = 1; i <= commits; i++) {
			print "commit refs/heads/more"
			printf "committer Perf <perf@example.org> %d +0000\n", 1700000000 + i
			printf "data %d\nchange %d\n", length("change " i), i
			if (i == 1)
				print "from refs/heads/main^0"
			for (k = int(rand() * 8) + 1; k; k--) {
				text = ""
				for (lines = int(rand() * 60) + 1; lines; lines--)
					text = text "value" int(rand() * 1000) " = call(" i ", " lines ");\n"
				printf "M 100644 inline %s\ndata %d\n%s\n", \
					path[int(rand() * paths) + 1], length(text), text
			}
		}
	}' | git -C "$1" fast-import --quiet
}

history_repo() {
	sh "$1/mkrepo" "$2/repo" "${FILES:-20000}" 0 >/dev/null
	cd "$2/repo" || return
	rules .
	git add .knowledge 2>/dev/null
	git commit -qm rules
	history . "${COMMITS:-1000}"
}
