#!/bin/sh
# check --receive of a push of 1,000 commits, as pre-receive is started, against what Git itself
# needs to list these commits and to compare both ends. Usage: receive.sh IKM PAIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=t/perf/rules.sh
. "$here/rules.sh"
# shellcheck source=t/perf/history.sh
. "$here/history.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
HOME=$dir
export HOME
history_repo "$here" "$dir"
git clone -q --bare . "$dir/bare.git"
cd "$dir/bare.git"
main=$(git rev-parse main) more=$(git rev-parse more)
git update-ref -d refs/heads/more
git symbolic-ref HEAD refs/heads/main
echo "$main $more refs/heads/main" >"$dir/lines"
PERF_IN=$dir/lines
export PERF_IN
"$2" receive-1000 21 "$1" check --receive -- \
	sh -c "git rev-list $main..$more; git diff $main $more"
z=0000000000000000000000000000000000000000
echo "$z $more refs/heads/new" >"$dir/lines"
"$2" receive-new 21 "$1" check --receive -- \
	sh -c "git rev-list $main..$more; git diff $main $more"
