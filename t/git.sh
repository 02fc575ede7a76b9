# git.sh: what the tests of lib/repo/git share. Sourced after lib.sh; git's plumbing is the referee.

tool() { "$BUILD/tool/git-tree" "$@"; }

# A repository with the things that differ: modes, links, depth, names that need quoting.
sample() { # [git init's options] DIR
	git init -q -b main "$@"
	for last; do :; done
	cd "$last" || return
	mkdir -p deep/er/still a
	echo one >one
	echo two >deep/two
	echo three >deep/er/three
	echo four >deep/er/still/four
	echo x >a/x
	echo minus >a-b
	echo dot >a.b
	printf 'new\nline\n' >"$(printf 'new\nline')"
	echo quote >'say "hi"	\ there'
	echo latin >"$(printf 'na\357ve-\377')"
	echo run >run.sh
	chmod +x run.sh
	ln -s deep/two link
	ln -s nowhere dangling
	: >empty
	git add -A
	git commit -qm first
}

# "MODE ID TAB PATH NUL" for each
git_index() { git ls-files -s -z --full-name :/ | sed -z 's/^\([0-7]*\) \([0-9a-f]*\) 0\t/\1 \2\t/'; }
git_tree() { git ls-tree --full-tree -r -z "$1" | sed -z 's/^\([0-7]*\) [a-z]* /\1 /'; }

cmp_z() { # WANT GOT: files of NUL-ended records
	cmp -s "$1" "$2" && return
	tr '\n\0' '?\n' <"$1" >"$1.txt"
	tr '\n\0' '?\n' <"$2" >"$2.txt"
	diff -u "$1.txt" "$2.txt"
	return 1
}

same_index() {
	git_index >"$T/want" && tool list index >"$T/got" && cmp_z "$T/want" "$T/got"
}
same_tree() { # REV
	git_tree "$1" >"$T/want" && tool list "$1" >"$T/got" && cmp_z "$T/want" "$T/got"
}
same_staged() {
	git diff-index --cached --raw -z --no-abbrev --no-renames --ita-invisible-in-index HEAD \
		>"$T/want" && tool diff head index >"$T/got" && cmp_z "$T/want" "$T/got"
}
same_diff() { # REV REV
	git diff-tree -r --raw -z --no-abbrev --no-renames "$1" "$2" >"$T/want" &&
		tool diff "$1" "$2" >"$T/got" && cmp_z "$T/want" "$T/got"
}

# Changes of every kind, staged: added, deleted, modified, mode, type, folder for file and back.
stage_some() {
	echo more >>deep/two
	echo new >deep/er/new
	git rm -q a.b
	git update-index --chmod=+x one
	ln -sf one dangling
	rm empty && ln -s one empty
	git rm -qr a
	echo 'a file' >a
	git rm -q a-b
	mkdir a-b
	echo 'in a folder' >a-b/file
	git add -A
}

# Bytes: dash's printf does not know \xHH.
bytes() { env printf "$@"; }
# An id as in a tree object, for bytes().
raw_id() { echo "$1" | sed 's/../\\x&/g'; }
