#!/bin/sh
# @MARK@
# 'ikm hook install --global' set core.hooksPath, so git does not look into the repository's own
# hooks any more; this calls the one that is there.
own=$(git rev-parse --git-common-dir)/hooks/@HOOK@
# shellcheck disable=SC3013 # dash, bash, busybox and POSIX 2024 have -ef
[ "$own" -ef "$0" ] || [ ! -x "$own" ] || exec "$own" "$@"
