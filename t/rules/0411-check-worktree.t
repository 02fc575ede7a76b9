#!/bin/sh
# ikm check without an argument: the working tree, with untracked files, against HEAD.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/hook.sh"

found() { # the files of the violations, as a JSON list
	ikm check "$@" --json | jq -c '[.violations[].location.file] | sort'
}

try 'changed, staged and untracked files are judged; ignored ones are not' <<'E'
repo r; cd r
good >a.c; good >b.c; echo 'ignored.c' >.gitignore
git add .; IKM_HOOKS=0 git commit -qm base
same '[]' "$(found)"
ikm check
bad >a.c
bad >b.c; git add b.c
bad >new.c
bad >ignored.c
fails 1 ikm check >out
same '["a.c","b.c","new.c"]' "$(found)"
E

try 'what HEAD has already is existing, and does not block' <<'E'
cd r
git add .; IKM_HOOKS=0 git commit -qm bad --no-verify
ikm check >out
same '[]' "$(found)"
same '["a.c","b.c","new.c"]' "$(found --existing)"
bad >c.c
same '["c.c"]' "$(found)"
fails 1 ikm check --all >out
E

try 'from a folder below the top the whole working tree is judged' <<'E'
cd r; mkdir -p sub; cd sub
fails 1 ikm check >out
same '["c.c"]' "$(found)"
E

try 'a PATH is a file or folder, also when its name is a glob' <<'E'
cd r
bad >'[c].c'
fails 1 ikm check '[c].c' >out
same '["[c].c"]' "$(found '[c].c')"
rm '[c].c'
E

try 'a rule that the working tree lost is told, and blocks' <<'E'
cd r; rm c.c
git rm -q .knowledge/adrs/0001*.md
fails 1 ikm check --json >out
same lost "$(jq -r '.ruleChanges[0].change' out)"
git reset -q --hard
E

try 'before the first commit everything is new' <<'E'
repo first; cd first
git update-ref -d HEAD
bad >a.c
same '["a.c"]' "$(found)"
E

try 'outside a repository and in a bare one it is refused with the reason' <<'E'
mkdir none; cd none
fails_for NO_REPOSITORY ikm check
ikm check 2>err || :
grep -q 'not a Git repository' err
cd ..; git clone -q --bare r bare.git; cd bare.git
fails_for NO_REPOSITORY ikm check
ikm check 2>err || :
grep -q 'bare repository has no working tree' err
grep -q -- '--range A..B' err
E

# For git what a sparse checkout leaves out is unchanged: the settings and decisions too.
some_tree() { # of a clone: an old finding in lib, and nothing but app is checked out
	git clone -q r "$1"; cd "$1"
	mkdir app lib .ikm; good >app/a.c; bad >lib/b.c
	echo '{"check": {"unjudged": "block"}}' >.ikm/config.json
	git add .; IKM_HOOKS=0 git commit -qnm files
	shift
	git sparse-checkout "$@" app
	[ ! -e lib ] && [ ! -e .knowledge ] && [ ! -e .ikm ]
}
sparse_faces() {
	fails 1 ikm check --all >../out; grep -q 'lib/b.c:3' ../out
	fails 1 ikm check lib >../out; grep -q 'lib/b.c:3' ../out
	(cd app; fails 1 ikm check ../lib/b.c >../../out)
	same '[]' "$(found)"
	same block "$(ikm config get check.unjudged)"
	ikm know list >../out; grep -q 'No forbidden calls' ../out
	ikm know for app/new.c >../out; grep -q calls-and-databases ../out
	ikm know test 0001-calls-and-databases >../out; grep -q 'lib/b.c:3' ../out
	ikm lint >../out 2>&1; grep -q '^1 item' ../out
	bad | jq -Rs '{files: [{path: "lib/x.c", content: .}]}' | ikm call knowledge_check >../out || :
	jq -e '.passed == false' ../out
	bad >app/n.c
	same '["app/n.c"]' "$(found)"
	mkdir lib; good >lib/b.c
	found --all | jq -e 'index("lib/b.c") == null and index("app/n.c") != null'
}
long 'what a sparse checkout leaves out is judged as the index has it' <<'E'
some_tree cone set --cone
sparse_faces
E

more 'the same with a sparse index' <<'E'
some_tree index set --cone --sparse-index
git ls-files -s --sparse | grep ^040000
sparse_faces
E

try 'a decision that is not checked out is not written over' <<'E'
some_tree write set --cone
fails_for FILE_NOT_FOUND ikm know status 0001-calls-and-databases deprecated
ikm know rule 0001-calls-and-databases --forbid-dependency left-pad 2>out && exit 1
grep -q "git sparse-checkout add '.knowledge/adrs'" out
git sparse-checkout add .knowledge .ikm
ikm know waive 0001-calls-and-databases --path lib/b.c --reason 'it is old' --until "$(date -u -d "+9 days" +%F)"
git add .ikm; IKM_HOOKS=0 git commit -qnm waived
git sparse-checkout set app .knowledge
fails_for FILE_NOT_FOUND ikm know waive 0001-calls-and-databases --path app --reason 'it is old' \
	--until "$(date -u -d '+9 days' +%F)"
[ ! -e .ikm ]
E

long 'a merge that brings published commits does not introduce them' <<'E'
git clone -q r up; git clone -q up mine; cd mine
git config user.name x; git config user.email x@x
git checkout -q -b topic; good >t.c; git add t.c; IKM_HOOKS=0 git commit -qm t
lfs() { printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 5\n' "$1"; }
cd ../up; bad >from_up.c; lfs 1 >lfs_up.c; git add .; IKM_HOOKS=0 git commit -qm up
cd ../mine; git fetch -q
git merge -q --no-commit --no-ff origin/HEAD
same '[]' "$(found)"
bad >own.c; lfs 2 >lfs_own.c
same '["own.c"]' "$(found)"
same '["lfs_own.c"]' "$(ikm check --json | jq -c '[.unjudged[].path]')"
E

gone='a file that goes away after the folder was listed is not judged, and stops nothing'
if strace -o /dev/null true 2>/dev/null; then
	try "$gone" <<'E'
cd r
same '[]' "$(found)"
bad >kept.c
bad >gone.c
same '["gone.c","kept.c"]' "$(found)"
ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 strace -f -o trace.log -P gone.c -e trace=openat,openat2 \
	-e inject=openat,openat2:error=ENOENT ikm check --json >found.json || [ $? = 1 ]
grep INJECTED trace.log
same '["kept.c"]' "$(jq -c '[.violations[].location.file]' found.json)"
rm kept.c gone.c
E
else
	skip "$gone" 'strace is missing, or may trace nothing here'
fi

try 'two of the choices exclude each other' <<'E'
cd r
fails_for BAD_ARGUMENT ikm check --staged --all
E
done_testing
