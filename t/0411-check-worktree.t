#!/bin/sh
# ikm check without an argument: the working tree, with untracked files, against HEAD.
. "$(dirname "$0")/lib.sh"
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
grep -q 'no Git repository' err
cd ..; git clone -q --bare r bare.git; cd bare.git
fails_for NO_REPOSITORY ikm check
ikm check 2>err || :
grep -q 'bare repository has no working tree' err
grep -q -- '--range A..B' err
E

try 'a sparse checkout is told' <<'E'
git clone -q r sparse; cd sparse
git sparse-checkout set --no-cone '/*' '!/new.c' >out 2>&1
[ ! -e new.c ]
ikm check >out
grep -q 'core.sparseCheckout is set' out
E

try 'a merge that brings published commits does not introduce them' <<'E'
git clone -q r up; git clone -q up mine; cd mine
git config user.name x; git config user.email x@x
git checkout -q -b topic; good >t.c; git add t.c; IKM_HOOKS=0 git commit -qm t
cd ../up; bad >from_up.c; git add from_up.c; IKM_HOOKS=0 git commit -qm up
cd ../mine; git fetch -q
git merge -q --no-commit --no-ff origin/HEAD
same '[]' "$(found)"
bad >own.c
same '["own.c"]' "$(found)"
E

try 'two of the choices exclude each other' <<'E'
cd r
fails_for BAD_ARGUMENT ikm check --staged --all
E
done_testing
