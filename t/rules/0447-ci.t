#!/bin/sh
# The Action of .github/actions/check and the job of hooks/gitlab.yml, run as the services run them:
# with their variables, their events and their clones.
#
# https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax
# https://docs.gitlab.com/ci/variables/predefined_variables/
. "$(dirname "$0")/../lib.sh"

unset GITHUB_STEP_SUMMARY GITHUB_BASE_REF GITHUB_REF
action=$TOP/.github/actions/check
zeros=0000000000000000000000000000000000000000
export action zeros

# The server: main, with a decision and an old breach; 60 commits later than the branches `bad` and
# `good`; and the merge of each into main, as the service makes it.
sh "$TOP/t/sample.sh" server
(
	cd server || exit 1
	git config uploadpack.allowFilter true
	git config uploadpack.allowAnySHA1InWant true
	echo 'console.log(1)' >src/old.js
	git add -A && git commit -qm 'an old breach'
	git branch fork
	for branch in bad good; do
		git checkout -qb $branch fork
		[ $branch = good ] || sed -i 's/"pg": .*/"mysql2": "3"/' package.json
		echo "// $branch" >>src/server.js
		git commit -qam $branch
	done
	git checkout -q main
	for i in $(seq 60); do
		echo "commit refs/heads/main"
		echo "committer Ada <ada@example.org> 17000$((i + 10000)) +0000"
		printf 'data 2\n%02d\n' "$i"
		[ "$i" != 1 ] || echo 'from refs/heads/main^0'
		printf 'M 644 inline other/%02d.txt\ndata 2\n%02d\n' "$i" "$i"
	done | git fast-import --quiet
	git reset -q --hard
	for branch in bad good; do
		git checkout -q --detach main
		git merge -q --no-ff -m merge $branch
		git update-ref refs/pull/$branch/merge HEAD
	done
	git checkout -q main
) >log 2>&1 || cat log

# What actions/checkout makes: checkout REF [OPTION…]
checkout() {
	ref=$1
	shift
	rm -rf "$T/w/ci"
	git init -q "$T/w/ci"
	cd "$T/w/ci"
	git remote add origin "file://$T/w/server"
	git fetch -q --no-tags "$@" origin "+$ref:refs/remotes/pull/x"
	git checkout -q --detach refs/remotes/pull/x
}

# The step of action.yml, with the values that the event and the inputs give its environment.
step() { # EVENT [NAME=VALUE…]
	event=$1
	shift
	rm -rf "$T/runner"; mkdir "$T/runner"
	rc=0
	env GITHUB_ACTIONS=true GITHUB_EVENT_NAME="$event" GITHUB_ACTION_PATH="$action" \
		RUNNER_TEMP="$T/runner" GITHUB_OUTPUT="$T/runner/output" GITHUB_REF=refs/heads/x \
		GITHUB_STEP_SUMMARY="$T/runner/summary" GITHUB_REPOSITORY=o/r IKM_DEFAULT=main \
		IKM_OPTIONS='-c check.newWaivers=ignore' "$@" sh "$action/check.sh" >"$T/said" 2>&1 || rc=$?
	cat "$T/said"
	return $rc
}

long 'action.yml gives the script each variable that it reads, and no other' <<'E'
grep -o '^        [A-Z_]*:' "$action/action.yml" | tr -d ' :' | sort >given
# gh reads GH_TOKEN.
{ grep -oE 'IKM_[A-Z]+' "$action/check.sh"; echo GH_TOKEN; } | sort -u >wanted
diff -u wanted given
grep -q 'run: sh "$GITHUB_ACTION_PATH/check.sh"' "$action/action.yml"
not grep -n 'run:.*\${{' "$action/action.yml"
for input in $(grep -oE 'inputs\.[a-z]+' "$action/action.yml" | cut -d. -f2 | sort -u); do
	grep -qx "  $input:" "$action/action.yml"
done
ikm version >out # what the script calls
E

for kind in '' --depth=1 '--depth=1 --filter=blob:none'; do
	export kind
	try "a pull request is compared with the place where it began: fetch ${kind:-all}" <<'E'
checkout refs/pull/bad/merge $kind
fails 1 step pull_request GITHUB_BASE_REF=main
grep -q '^::error file=package.json,line=6' "$T/said"
not grep old.js "$T/said"
grep -q '^## ikm check failed' "$T/runner/summary"
cmp "$T/runner/summary" "$T/runner/ikm.md"
same 1 "$(jq '.runs[0].results | length' "$T/runner/ikm.sarif")"
same "comment=$T/runner/ikm.md
sarif=$T/runner/ikm.sarif" "$(cat "$T/runner/output")"
checkout refs/pull/good/merge $kind
step pull_request GITHUB_BASE_REF=main
grep -q 'checked 1 file' "$T/said"
grep -q '^## ikm check passed' "$T/runner/summary"
E
done

long 'the head of a pull request, without its merge: the history is deepened' <<'E'
checkout refs/heads/bad --depth=1
fails 1 step pull_request GITHUB_BASE_REF=main
grep -q '^::error file=package.json,line=6' "$T/said"
not grep old.js "$T/said"
E

long 'a sparse checkout hides neither a decision nor a finding' <<'E'
checkout refs/heads/fork --depth=1 --filter=blob:none
git sparse-checkout set src
git fetch -q --depth=1 --filter=blob:none origin +refs/pull/bad/merge:refs/remotes/pull/x
git checkout -q --detach refs/remotes/pull/x
[ ! -e docs ]
fails 1 step pull_request GITHUB_BASE_REF=main
grep -q '^::error file=package.json,line=6' "$T/said"
E

long 'a merge queue and a push tell the commit before' <<'E'
for event in merge_group push; do
	checkout refs/heads/bad --depth=1
	fails 1 step $event IKM_BEFORE="$(git -C "$T/w/server" rev-parse fork)"
	grep -q '^::error file=package.json' "$T/said"
	not grep old.js "$T/said"
done
E

long 'a new branch is compared with the default one, and the first push is checked whole' <<'E'
checkout refs/heads/good
step push IKM_BEFORE=$zeros GITHUB_REF=refs/heads/good
grep -q 'checked 1 file' "$T/said"
step push IKM_BEFORE=$zeros GITHUB_REF=refs/heads/main
grep -q 'file=src/old.js' "$T/said"
step schedule
grep -q 'file=src/old.js' "$T/said"
E

long 'a base that is given: a branch, with or without origin/, or a commit' <<'E'
for base in fork origin/fork "$(git -C server rev-parse fork)"; do
	checkout refs/heads/good --depth=1
	step workflow_dispatch IKM_BASE="$base"
	grep -q 'checked 1 file' "$T/said"
done
E

long 'what cannot be judged fails with the next step' <<'E'
checkout refs/heads/main
fails 2 step pull_request_target GITHUB_BASE_REF=main
grep -q '^::error title=ikm::pull_request_target checks out the target branch.*use pull_request' "$T/said"
fails 2 step push IKM_BEFORE=1234567890123456789012345678901234567890
grep -q '^::error title=ikm::.*could not be fetched: set base' "$T/said"
fails 2 step push IKM_DIRECTORY=/
grep -q '^::error title=ikm::there is no Git repository.*actions/checkout' "$T/said"
fails 2 step push IKM_PROGRAM=/bin/false
grep -q "^::error title=ikm::'/bin/false' does not run here" "$T/said"
E

# A gh that keeps one comment.
mkdir bin
cat >bin/gh <<'P'
#!/bin/sh
echo "$*" >>"$T/asked"
case "$*" in
*--paginate*) cat "$T/comments" ;;
*body=@*) for last; do :; done; cat "${last#body=@}" >"$T/posted" ;;
esac
P
chmod +x bin/gh

long 'a comment is added for a finding, replaced by the next run, and not made for none' <<'E'
PATH=$T/w/bin:$PATH
: >"$T/comments"
checkout refs/pull/good/merge
step pull_request GITHUB_BASE_REF=main IKM_PULL=7
[ ! -e "$T/posted" ]
checkout refs/pull/bad/merge
fails 1 step pull_request GITHUB_BASE_REF=main IKM_PULL=7
same '<!-- ikm check -->
## ikm check failed' "$(head -n 2 "$T/posted")"
grep -q '^api repos/o/r/issues/7/comments -F body=@' "$T/asked"
echo 99 >"$T/comments"
checkout refs/pull/good/merge
step pull_request GITHUB_BASE_REF=main IKM_PULL=7
grep -q '^## ikm check passed' "$T/posted"
grep -q '^api -X PATCH repos/o/r/issues/comments/99 -F body=@' "$T/asked"
printf '#!/bin/sh\nexit 1\n' >"$T/w/bin/gh"
step pull_request GITHUB_BASE_REF=main IKM_PULL=7
grep -q '^::warning title=ikm::the comment was not written.*pull-requests: write' "$T/said"
E

# ---- GitLab ----

awk '/^  script:/ { on = 1; next } /^  [a-z]/ { on = 0 } on && sub(/^      /, "")' \
	"$TOP/hooks/gitlab.yml" >job

gitlab() { # NAME=VALUE…
	rc=0
	env GITLAB_CI=true IKM_OPTIONS="$(sed -n 's/^ *IKM_OPTIONS: //p' "$TOP/hooks/gitlab.yml")" \
		CI_MERGE_REQUEST_EVENT_TYPE= CI_MERGE_REQUEST_TARGET_BRANCH_NAME= \
		CI_COMMIT_BEFORE_SHA=$zeros "$@" sh -e "$T/w/job" >"$T/said" 2>&1 || rc=$?
	cat "$T/said"
	return $rc
}

long 'GitLab: a merge request, of its branch or of its merged result' <<'E'
least 10 job
for ref in refs/heads/bad refs/pull/bad/merge; do
	checkout $ref
	fails 1 gitlab CI_PIPELINE_SOURCE=merge_request_event CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main
	grep -q 'package.json:6' "$T/said"
	not grep 'old.js:1' "$T/said"
	same '["package.json"]' "$(jq -c '[.[].location.path]' ikm-quality.json)"
	grep -q 'failures="1"' ikm-junit.xml
done
for file in codequality:ikm-quality.json junit:ikm-junit.xml; do
	grep -q "^      ${file%:*}: ${file#*:}$" "$TOP/hooks/gitlab.yml"
done
E

long 'GitLab: a merge train, a push, the first push, every night' <<'E'
checkout refs/pull/bad/merge
fails 1 gitlab CI_PIPELINE_SOURCE=merge_request_event CI_MERGE_REQUEST_EVENT_TYPE=merge_train \
	CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main
grep -q 'package.json:6' "$T/said"
not grep 'old.js:1' "$T/said"
fails 1 gitlab CI_PIPELINE_SOURCE=push CI_COMMIT_BEFORE_SHA="$(git rev-parse HEAD^1)"
not grep 'old.js:1' "$T/said"
for source in push schedule; do
	fails 1 gitlab CI_PIPELINE_SOURCE=$source
	grep -q 'old.js:1' "$T/said"
done
E

done_testing
