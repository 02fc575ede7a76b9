#!/bin/sh
# mkrepo.sh DIR [FILES [STAGED [SEED]]]: a repository with so many files in HEAD and in the index, of
# which STAGED are changed, added or deleted in the index. The same arguments give the same trees.
# There is no working tree: nothing that compares the index with a commit looks at it.
set -eu
dir=$1 files=${2:-100000} staged=${3:-50} seed=${4:-1}

git init -q "$dir"
cd "$dir"
git config user.name Perf
git config user.email perf@example.org

# Folders of uneven size and depth, as people make them.
awk -v files="$files" -v seed="$seed" '
function word(n) { return words[int(rand() * n) + 1] }
BEGIN {
	srand(seed)
	split("api auth build cache client common config core data db docs events files forms " \
	      "handler http i18n index input items jobs json layout lib list log login main menu " \
	      "model net node orders page parse payment plugin query queue report role route run " \
	      "schema search server session shared store style sync table task test theme token " \
	      "tools types ui user util view web worker", words, " ")
	split("c h js ts go py md json yaml css", ends, " ")
	for (i = 1; i <= 1000; i++) {
		text = ""
		for (k = int(rand() * 12) + 1; k; k--)
			text = text word(60) " " word(60) " = " word(60) "(" i ");\n"
		printf "blob\nmark :%d\ndata %d\n%s\n", i, length(text), text
	}
	print "commit refs/heads/main"
	print "committer Perf <perf@example.org> 1700000000 +0000"
	print "data 4\nmany"
	n = 0
	while (n < files) {
		if (n % 20 == 0) {
			folder = word(60)
			for (k = int(rand() * 5); k; k--)
				folder = folder "/" word(60)
		}
		path = folder "/" word(60) "_" n "." ends[int(rand() * 10) + 1]
		printf "M 100644 :%d %s\n", int(rand() * 1000) + 1, path
		n++
	}
	print ""
}' | git fast-import --quiet
git symbolic-ref HEAD refs/heads/main
git read-tree HEAD

blob=$(echo "staged $seed" | git hash-object -w --stdin)
git ls-files | awk -v files="$files" -v staged="$staged" -v blob="$blob" '
NR % int(files / staged) == 1 && n < staged {
	n++
	if (n % 10 == 0)
		printf "0 0000000000000000000000000000000000000000\t%s\n", $0
	else if (n % 5 == 0)
		printf "100644 %s\t%s.new\n", blob, $0
	else
		printf "100644 %s\t%s\n", blob, $0
}' | git update-index --index-info
