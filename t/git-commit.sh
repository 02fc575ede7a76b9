# git-commit.sh: what the tests of git_commit_paths() share. Sourced after lib.sh.
# shellcheck disable=SC2034

gc() { "$BUILD/tool/git-commit" "$@"; }
ada=users/ada/parts/p1/profile.md
old=users/ada/parts/p1/history/1-profile.md

# A repository with a garden and other files.
garden() { # [git init's options] DIR
	git init -q -b main "$@"
	for dir; do :; done
	cd "$dir" || return
	mkdir -p users/ada/parts/p1/history src a a-b
	printf 'one\n' >$ada
	for f in src/a.c src/b.c a/x a-b/x a.b top; do echo "$f" >$f; done
	git add -A
	git commit -qm start
}
write() { # CONTENT: the profile gets it, and the history copy what was there
	mkdir -p users/ada/parts/p1/history
	cp $ada "$old"
	printf '%s\n' "$1" >$ada
}
stage_others() {
	echo more >>src/a.c
	echo new >>src/new.c
	git rm -q --cached --ignore-unmatch a.b
	git add src/a.c src/new.c
	echo not staged >>top
}
sound() { # nothing is damaged, nothing is left over
	git fsck --strict --no-dangling --no-progress >"$T/fsck" 2>&1 || { cat "$T/fsck"; return 1; }
	grep -v '^notice:\|^hint:' "$T/fsck" && return 1
	find "$(git rev-parse --git-common-dir)" -name '*.lock' -o -name '.ikm*' -o -name '*.ikm' \
		-o -name 'tmp_obj*' >"$T/left"
	[ ! -s "$T/left" ] || { cat "$T/left"; return 1; }
}
committed() { git show --format= --name-status "${1-HEAD}"; }
