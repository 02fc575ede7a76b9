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
if [ "${IKM_HOOKS-}" = 0 ]; then
	echo "ikm: IKM_HOOKS=0: $hook was skipped, nothing was judged" >&2
elif [ -n "$ikm" ]; then
	exec "$ikm" hook run --chain "$prev" "$hook" -- "$@"
elif [ "$(git config --get ikm.hookMissing)" = warn ]; then
	echo "ikm: not found, $hook judged nothing (ikm.hookMissing is warn)" >&2
else
	echo "ikm: stopped by the $hook hook: ikm is not where it was, and not in PATH" >&2
	echo "  install it again (its README says how), or add its folder to PATH" >&2
	echo "  to go on this once: put IKM_HOOKS=0 in front of the git command" >&2
	echo "  to go on until it is there: git config ikm.hookMissing warn" >&2
	exit 1
fi
[ ! -x "$prev" ] || exec "$prev" "$@"
