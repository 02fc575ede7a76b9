#!/bin/sh
# Eight processes at work in one home and one repository, for ten seconds (t/soak.sh): nothing that was
# answered as done is lost or doubled. `make check-more ROWS=soak` does it for ten minutes.
IKM_TOP=${IKM_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
export IKM_TOP
. "$IKM_TOP/t/soak.sh"
