#!/bin/sh
# Eight processes at work in one home and one repository, for two seconds, or ten with LONG=1
# (t/soak.sh): nothing that was answered as done is lost or doubled. `make check-more ROWS=soak` does
# it for ten minutes.
IKM_TOP=${IKM_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
export IKM_TOP
[ -n "$*${IKM_LONG-}${IKM_MORE-}" ] || set -- 2
. "$IKM_TOP/t/soak.sh"
