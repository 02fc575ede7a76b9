#!/bin/sh
# What the step of action.yml runs: finds ikm, fetches the commits and files that the check reads, runs
# it, and hands on its reports. The exit status is that of ikm check.
set -eu

stop() {
	echo "::error title=ikm::$1"
	exit 2
}

cd "${IKM_DIRECTORY:-.}"
# In a container the files belong to another user.
git rev-parse --git-dir >/dev/null 2>&1 || git config --global --add safe.directory "$PWD"
git rev-parse --git-dir >/dev/null 2>&1 ||
	stop "there is no Git repository in '$PWD': actions/checkout comes before this step"

ikm=${IKM_PROGRAM:-$(command -v ikm || :)}
if [ -z "$ikm" ]; then
	sources=$GITHUB_ACTION_PATH/../../..
	echo '::group::build ikm'
	make -s -C "$sources" GET=1 build/ikm || stop "ikm could not be built in '$sources'"
	echo '::endgroup::'
	ikm=$sources/build/ikm
fi
"$ikm" version >/dev/null || stop "'$ikm' does not run here"

# ---- what the change is compared with; none: the whole tree is checked ----

branch() {
	base=refs/remotes/origin/$1
	want=+refs/heads/$1:$base
}

base='' want='' from='' before=${IKM_BEFORE-}
case $GITHUB_EVENT_NAME in
pull_request_target)
	[ -n "${IKM_BASE-}" ] || stop "pull_request_target checks out the target branch, not the pull \
request: use pull_request, or check out the pull request and set base"
	;;
esac
if [ -n "${IKM_BASE-}" ]; then
	if git rev-parse -q --verify "$IKM_BASE^{commit}" >/dev/null; then
		base=$IKM_BASE
	elif printf %s "$IKM_BASE" | grep -qE '^[0-9a-f]{40,}$'; then
		base=$IKM_BASE want=$IKM_BASE
	else
		branch "${IKM_BASE#origin/}"
	fi
elif [ -n "${GITHUB_BASE_REF-}" ]; then
	branch "$GITHUB_BASE_REF"
elif [ -n "${before#"${before%%[!0]*}"}" ]; then
	base=$before want=$before
elif [ -n "$before" ] && [ "$GITHUB_REF" != "refs/heads/$IKM_DEFAULT" ]; then
	branch "$IKM_DEFAULT" # a new branch
fi

shallow() { [ "$(git rev-parse --is-shallow-repository)" = true ]; }
negotiate=default
fetch() { git -c fetch.negotiationAlgorithm=$negotiate fetch -q --no-tags --no-recurse-submodules "$@"; }

if [ -n "$base" ]; then
	if shallow; then set -- --depth=1; else set --; fi
	[ -z "$want" ] || fetch "$@" origin "$want" ||
		stop "'$base' could not be fetched: set base, or give actions/checkout fetch-depth: 0"
	# No further back than to the place where the branch began.
	for more in --deepen=50 --deepen=500 --deepen=5000 --unshallow; do
		if git merge-base "$base" HEAD >/dev/null || ! shallow; then break; fi
		fetch $more origin ${want:+"$want"} "$(git rev-parse HEAD)" ||
			stop "the history could not be fetched: give actions/checkout fetch-depth: 0"
	done
	from=$(git merge-base "$base" HEAD) || stop "'$base' and HEAD have no commit in common"
fi

# A sparse checkout makes a partial clone, which lacks the files outside of it.
if git config --get-regexp '^(remote\..*\.promisor|extensions\.partialclone)$' >/dev/null; then
	git rev-list --objects --no-walk --missing=print HEAD ${from:+"$from"} |
		sed -n 's/^?//p' >"$RUNNER_TEMP/ikm.missing"
	# Else the server takes it that we have the files of the commits that we have.
	negotiate=noop
	[ ! -s "$RUNNER_TEMP/ikm.missing" ] ||
		fetch --filter=blob:none --no-write-fetch-head --stdin origin <"$RUNNER_TEMP/ikm.missing" ||
		stop 'the files that this partial clone lacks could not be fetched'
fi

# ---- the check, and its reports ----

sarif=$RUNNER_TEMP/ikm.sarif
comment=$RUNNER_TEMP/ikm.md
: >"$comment"
status=0
if [ -n "$base" ]; then set -- --range "$base..HEAD"; else set -- --all; fi
# shellcheck disable=SC2086
GITHUB_STEP_SUMMARY=$comment "$ikm" check --format github --output "sarif:$sarif" \
	${IKM_OPTIONS-} "$@" || status=$?
[ -z "${GITHUB_STEP_SUMMARY-}" ] || cat "$comment" >>"$GITHUB_STEP_SUMMARY"
{
	echo "comment=$comment"
	[ ! -s "$sarif" ] || echo "sarif=$sarif"
} >>"$GITHUB_OUTPUT"

# One comment a pull request, which each run replaces. A clean pull request gets none.
if [ -n "${IKM_PULL-}" ] && [ -s "$comment" ]; then
	mark='<!-- ikm check -->'
	{ echo "$mark"; head -c 60000 "$comment"; } >"$comment.post"
	all=repos/$GITHUB_REPOSITORY/issues/$IKM_PULL/comments
	is=".[] | select(.body | startswith(\"$mark\")) | .id"
	{
		old=$(gh api --paginate "$all?per_page=100" --jq "$is") && old=$(echo "$old" | head -n 1)
	} && if [ -n "$old" ]; then
		gh api -X PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$old" -F "body=@$comment.post"
	elif [ $status != 0 ]; then
		gh api "$all" -F "body=@$comment.post"
	fi >/dev/null || echo "::warning title=ikm::the comment was not written; it needs the permission \
pull-requests: write, which a pull request of a fork does not get"
fi
exit $status
