#!/bin/sh
# Attempts to bring forbidden content into HEAD or to a remote by another way than a plain commit.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/attempts.sh"

while IFS='|' read -r want words line; do
	case $want in '' | '#'*) continue ;; esac
	attempt "$line" "$want" "$words" <<E
bad() { echo 'eval (1)' >"lib/\${1-x}.js"; git add -A; }
branch() { git checkout -q -b side; bad; git commit -qnm side; git checkout -q main; }
$line
E
done <<'ROWS'
# ways to commit
stopped|lib/x.js|bad; record
stopped|lib/a.js|echo 'eval (1)' >>lib/a.js; record -a
stopped|lib/a.js|echo 'eval (1)' >>lib/a.js; record --only lib/a.js
stopped|lib/a.js|echo 'eval (1)' >>lib/a.js; record --include lib/a.js
stopped|lib/a.js|echo 'eval (1)' >>lib/a.js; yes | head -n 9 >y; hooked git commit -q -p -m x <y
stopped|lib/x.js|bad; hooked git commit -q --amend -m x
stopped|lib/x.js|bad; hooked git commit -q --amend --no-edit --allow-empty
stopped|lib/x.js|bad; hooked git commit -q --fixup=HEAD
stopped|lib/x.js|bad; hooked git commit -q -C HEAD
stopped|lib/x.js|cp .git/index .git/other; bad; export GIT_INDEX_FILE=.git/other; git add lib/x.js; record
stopped|lib/x.js|bad; export GIT_WORK_TREE="$PWD" GIT_DIR="$PWD/.git"; cd /; record
stopped|lib/x.js|bad; mkdir q; cd q; record
stopped|lib/x.js|bad; git checkout -q --detach; record
stopped|lib/x.js|bad; git checkout -q --orphan o; record
stopped|lib/x.js|git worktree add -q ../w; cd ../w; bad; record
stopped|lib/x.js|git branch side; git worktree add -q --no-checkout ../w side; cd ../w; git read-tree HEAD; mkdir lib; echo 'eval (1)' >lib/x.js; git add lib/x.js; record; done_here
stopped|lib/x.js|branch; hooked git merge -q --no-ff side
stopped|lib/x.js|branch; git merge -q --squash side; record
stopped|lib/x.js|branch; git merge -q --no-ff --no-commit side; record
stopped|lib/x.js|branch; git checkout -q -b two; git commit -q --allow-empty -m two; git checkout -q main; git commit -q --allow-empty -m m; hooked git merge -q side two; push
stopped|lib/y.js|branch; git commit -q --allow-empty -m m; git merge -q --no-commit side; bad y; record
stopped|lib/a.js|git checkout -q -b side; echo x >lib/a.js; git commit -qam x; git checkout -q main; echo y >lib/a.js; git commit -qam y; git merge -q side || :; echo 'eval (1)' >lib/a.js; git add -A; record
stopped|lib/x.js|branch; git cherry-pick -n side; record
stopped|lib/x.js|bad; git stash -q; git stash pop -q; record
stopped|lib/x.js|bad; git diff --cached HEAD >../p; git reset -q --hard; git apply --index ../p; record
# what no hook of a commit sees, the push does
stopped|lib/x.js|bad; skipped; push
stopped|lib/x.js|branch; git merge -q --ff-only side; push
stopped|lib/x.js|branch; git cherry-pick side; push
stopped|lib/x.js|branch; git commit -q --allow-empty -m m; git rebase -q main side; push
stopped|lib/x.js|bad; skipped; git rm -q lib/x.js; git commit -qm del; git revert --no-edit HEAD; push
stopped|lib/x.js|branch; git format-patch -q --stdout main..side >../p; git am -q ../p; push
stopped|lib/x.js|branch; git reset -q --hard side; push
stopped|lib/x.js|bad; git update-ref HEAD "$(git commit-tree -p HEAD -m x "$(git write-tree)")"; push
stopped|lib/x.js|bad; IKM_HOOKS=0 git commit -qm x; push
stopped|lib/x.js|bad; git -c core.hooksPath=/dev/null commit -qm x; push
stopped|lib/x.js|printf 'commit refs/heads/main\ncommitter a <a> 1 +0000\ndata 1\nx\nfrom main^0\nM 644 inline lib/x.js\ndata 8\neval (1)\n\n' | git fast-import --quiet; push
# ways to push
stopped|lib/x.js|branch; push origin side
stopped|lib/x.js|branch; push origin side:refs/heads/new
stopped|lib/x.js|branch; push origin main side
stopped|lib/x.js|branch; push --all origin
stopped|lib/x.js|branch; push --mirror origin
stopped|lib/x.js|branch; push -f origin side:main
stopped|lib/x.js|branch; git tag t side; push origin t
stopped|lib/x.js|branch; git tag -a -m t t side; push origin t
stopped|lib/x.js|branch; git tag -a -m t t side; git tag -a -m u u t; push origin u
stopped|lib/x.js|branch; git tag t side; push --tags origin
stopped|lib/x.js|branch; git tag -a -m t t side; git checkout -q side; git commit -q --allow-empty -m m; push --follow-tags origin side
stopped|lib/x.js|branch; push origin side:refs/notes/x
stopped|lib/x.js|branch; push origin side:refs/for/main
stopped|lib/x.js|branch; push origin side:refs/heads/side :refs/heads/none
stopped|lib/x.js|branch; git tag t "$(git rev-parse side^{tree})"; push origin t
told|refs/tags/t|git tag t "$(echo 'eval (1)' | git hash-object -w --stdin)"; push origin t
stopped|lib/x.js|branch; git init -q --bare ../two.git; git remote add two ../two.git; push two side
stopped|lib/x.js|branch; git init -q --bare ../two.git; push ../two.git side
stopped|lib/x.js|branch; git init -q --bare ../two.git; push "file://$PWD/../two.git" side
stopped|lib/x.js|branch; git checkout -q side; git commit -q --allow-empty -m 1; git commit -q --allow-empty -m 2; push origin side
stopped|lib/x.js|bad; skipped; push --force-with-lease
stopped|lib/x.js|bad; skipped; git replace HEAD HEAD~1; push origin HEAD:new
stopped|lib/x.js|bad; skipped; git replace --graft HEAD; push origin HEAD:new
stopped|lib/x.js|bad; skipped; git rev-parse HEAD >.git/info/grafts; push origin HEAD:new
stopped|lib/x.js|bad; skipped; git clone -q --shared . ../s; cd ../s; git remote set-url origin ../remote.git; ikm hook install >/dev/null; push
stopped|lib/x.js|git clone -q --filter=blob:none "file://$PWD/../remote.git" ../s; cd ../s; ikm hook install >/dev/null; bad; git commit -qnm x; push
stopped|lib/x.js|git clone -q --depth 1 "file://$PWD/../remote.git" ../s; cd ../s; ikm hook install >/dev/null; bad; git commit -qnm x; push
stopped|lib/x.js|git config push.default current; bad; skipped; push origin
stopped|lib/x.js|git config remote.origin.push 'refs/heads/main:refs/heads/other'; bad; skipped; push origin
stopped|lib/x.js|git update-ref refs/remotes/origin/x HEAD; bad; skipped; push
# the rules go in one commit, what is forbidden comes in the next, and both in one push
stopped|0002-no-eval|git rm -q docs/adr/0002*; skipped; bad; skipped; push
stopped|0002-no-eval|git rm -q .ikm/config.json; skipped; bad; skipped; push
stopped|0002-no-eval|git rm -q docs/adr/0002*; skipped; push
told|origin/main|git checkout -q --orphan o; git rm -rqf .; mkdir lib; bad; git commit -qnm o; push origin o; done_here
either|knowledge|git checkout -q --orphan o; git rm -rqf .; echo x >x; git add x; git commit -qnm o; push origin o; done_here
# the environment
told|nothing was judged|bad; export IKM_HOOKS=0; record
stopped|IKM_HOOK_PROBE|bad; export IKM_HOOK_PROBE=x; record
stopped|lib/x.js|bad; export IKM_HOOKS=false; record
stopped|lib/x.js|bad; export IKM_KNOWLEDGE=; record
stopped|lib/x.js|mkdir ../k; bad; export IKM_KNOWLEDGE="project=$PWD/../k"; record
stopped|lib/x.js|bad; export IKM_CHECK_MIN_SEVERITY=block; record
stopped|lib/x.js|bad; unset HOME; record
stopped|lib/x.js|bad; export HOME=/dev/null/none; record
stopped|lib/x.js|bad; export IKIGAI_HOME=/dev/null/none; record
stopped|lib/x.js|bad; export LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8; record
stopped|lib/x.js|bad; export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.bare GIT_CONFIG_VALUE_0=false; record
stopped|lib/x.js|bad; export GIT_LITERAL_PATHSPECS=1 GIT_ICASE_PATHSPECS=; record
stopped|lib/x.js|bad; export GIT_NAMESPACE=x; record
stopped|lib/x.js|bad; export GIT_TRACE=1 GIT_QUARANTINE_PATH=; record
stopped|lib/x.js|bad; export GIT_OBJECT_DIRECTORY="$PWD/.git/objects"; record
stopped|lib/x.js|mkdir -p ../obj/info; echo "$PWD/.git/objects" >../obj/info/alternates; export GIT_OBJECT_DIRECTORY="$PWD/../obj"; bad; record
stopped|lib/x.js|mkdir ../obj; export GIT_ALTERNATE_OBJECT_DIRECTORIES="$PWD/.git/objects" GIT_OBJECT_DIRECTORY="$PWD/../obj"; bad; record
stopped|lib/x.js|bad; export GIT_REPLACE_REF_BASE=refs/x/; record
stopped|lib/x.js|bad; git config core.fsmonitor true; record
stopped|lib/x.js|bad; export GIT_CEILING_DIRECTORIES="$PWD/.."; record
stopped|lib/x.js|git config core.worktree "$PWD"; bad; record
stopped|lib/x.js|git config core.bare true; export GIT_WORK_TREE="$PWD"; bad; record
stopped|lib/x.js|git config core.quotePath false; git config core.precomposeUnicode true; git config core.autocrlf true; bad; record
stopped|lib/x.js|git config extensions.worktreeConfig true; git config --worktree core.sparseCheckout true; bad; record
stopped|lib/x.js|git pack-refs --all; git gc -q; bad; record
stopped|lib/x.js|git repack -q -d; git multi-pack-index write; git commit-graph write; bad; record
stopped|lib/x.js|git config remote.pushDefault none; bad; skipped; push
either|ikm|ikm hook uninstall >/dev/null; bad; skipped; ikm check --range HEAD~1..HEAD >>"$HOOK_SAID" || exit 111
ROWS
attempt 'an unborn branch' stopped 'lib/x.js' <<'E'
git init -q ../new; cp -r docs .ikm ../new; cd ../new; ikm hook install >/dev/null
mkdir lib; echo 'eval (1)' >lib/x.js; commit
E
attempt 'a repository with SHA-256' stopped 'lib/x.js' <<'E'
git init -q --object-format=sha256 ../new; cp -r docs .ikm ../new; cd ../new; ikm hook install >/dev/null
git add -A; git commit -qm base; mkdir lib; echo 'eval (1)' >lib/x.js; commit
E
attempt 'a remote that has a branch of which nothing is known here' stopped 'lib/x.js' <<'E'
git clone -q ../remote.git ../other
(cd ../other && echo 'eval (1)' >lib/z.js && git add -A && git commit -qm z && git push -q origin HEAD:z)
echo 'eval (1)' >lib/x.js; skipped; push origin HEAD:y
E

done_testing
