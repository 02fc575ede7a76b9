#!/bin/sh
# Folders and renames as git sees them, over generated trees.
. "$(dirname "$0")/../lib.sh"
PATH=$BUILD/tool:$PATH
gen=$TOP/t/tool

git init -q g # everything is compared in this one

same_list() { # the files want and got, NUL between names
	cmp -s want got && return
	tr '\0\n' '\n?' <want >want.txt
	tr '\0\n' '\n?' <got >got.txt
	diff -u want.txt got.txt
	return 1
}

# The files that git would add of ./tree, in the order of its index.
would_add() {
	GIT_DIR=g/.git GIT_WORK_TREE=tree git ls-files -co -z --exclude-standard | sort -z
}

ignore_cases() { # FROM TO
	seed=$1 files=0
	while [ "$seed" -le "$2" ]; do
		rm -rf tree excludes
		perl "$gen/ignore-tree.pl" "$seed"
		[ -e excludes ] || : >excludes
		cp excludes g/.git/info/exclude
		perl -0777 -ne 's/^\xef\xbb\xbf//; print map { s/\r$//r; "-x\0$_\0" } split /\n/' \
			excludes >args
		would_add >want
		xargs -0 tree tree -i <args >got
		same_list || { echo "seed $seed"; return 1; }
		files=$((files + $(tr -cd '\0' <got | wc -c)))
		seed=$((seed + 1))
	done
	[ "$files" -gt "$2" ]
}

try 'files that are not ignored: what git would add, in its order' <<'E'
ignore_cases 1 $((60 / share))
E

more 'ignored files are listed only without -i' <<'E'
mkdir some; echo '*.o' >some/.gitignore; : >some/a.o; : >some/b
same 3 "$(tree some | tr -cd '\0' | wc -c)"
same 2 "$(tree some -i | tr -cd '\0' | wc -c)"
same 1 "$(tree some -i -x b | tr -cd '\0' | wc -c)"
E

more 'below a folder: the same files as in the whole' <<'E'
rm -rf tree; perl "$gen/ignore-tree.pl" 3
tree tree -i >all
(cd tree; find . -mindepth 1 -type d -print0) >folders
[ "$(tr -cd '\0' <folders | wc -c)" -gt 5 ]
xargs -0 -n 1 sh -c '
	prefix=${1#./}x; prefix=${prefix%x}
	tree tree -i -p "$prefix" >got
	PREFIX=$prefix perl -0ne "print if !index(\$_, \"\$ENV{PREFIX}/\")" all >want
	cmp want got || exit 255' sh <folders
E

more 'nested repositories and submodules are one entry, as in git' <<'E'
rm -rf tree; mkdir -p tree/lib.x
git init -q tree/lib; : >tree/lib/f; : >tree/lib.x/f; : >tree/a
git init -q tree/odd; : >tree/odd/f; mkdir -p tree/odd.d/.git; : >tree/odd.d/f
git init -q --separate-git-dir=sep tree/sep; : >tree/sep/f
echo /odd/ >tree/.gitignore
would_add | perl -0pe 's|/(?=\0)||' | sort -z >want
tree tree -i >got
same_list
same 6 "$(tr -cd '\0' <got | wc -c)"
E

# Both sides as trees of one repository, as its plumbing compares them.
write_sides() {
	for side in old new; do
		rm -f g/.git/index
		GIT_DIR=g/.git GIT_WORK_TREE=$side git add -A .
		GIT_DIR=g/.git git write-tree >$side.id
	done
}
by_git() { # options of git diff-tree
	git -C g diff-tree -r "$@" --name-status -z "$(cat old.id)" "$(cat new.id)" |
		perl -0pe 's/^R\d+/R/'
}
rename_cases() { # FROM TO
	# Git takes a good match of the same name before a better one of another; we do not.
	GIT_BASENAME_FACTOR=100
	export GIT_BASENAME_FACTOR
	seed=$1 renames=0
	while [ "$seed" -le "$2" ]; do
		rm -rf old new
		perl "$gen/rename-trees.pl" "$seed"
		write_sides
		by_git -M50% -l9999 >want
		tree -d old new -r >got
		same_list || { echo "seed $seed"; return 1; }
		renames=$((renames + $(tr '\0' '\n' <got | grep -c '^R$' || true)))
		seed=$((seed + 1))
	done
	[ "$renames" -gt "$2" ]
}

more 'renames: the pairs that git finds' <<'E'
rename_cases 1 40
E

more 'without asking for renames, only what differs' <<'E'
rm -rf old new; perl "$gen/rename-trees.pl" 7; write_sides
by_git --no-renames >want
tree -d old new >got
same_list
[ -s got ]
E

done_testing
