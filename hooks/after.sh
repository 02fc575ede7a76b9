#!/bin/sh
# @MARK@
# Written by 'ikm hook install', taken away by 'ikm hook uninstall'; not when it was edited.
ikm=@IKM@ hook=@HOOK@ scope=@SCOPE@ prev=$0.ikm-prev
if [ "$scope" = global ] && [ ! -x "$prev" ]; then
	prev=$(git rev-parse --git-common-dir)/hooks/$hook
	# shellcheck disable=SC3013 # dash, bash, busybox and POSIX 2024 have -ef
	[ ! "$prev" -ef "$0" ] || prev=
fi
[ -x "$ikm" ] || ikm=$(command -v ikm) || ikm=
# Where this runs may be a stranger's repository: not a program from below here.
case $ikm in /*) ;; *) ikm= ;; esac
# The commit is made, so there is nothing to stop; the other hooks say that ikm is missing.
[ -z "$ikm" ] || exec "$ikm" hook run --chain "$prev" "$hook" -- "$@"
[ ! -x "$prev" ] || exec "$prev" "$@"
