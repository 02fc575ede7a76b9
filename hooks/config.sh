#!/bin/sh
# @MARK@
# Written by 'ikm hook install --git-config', taken away by 'ikm hook uninstall'; not when it was edited.
# shellcheck disable=SC2119,SC2120 # git adds "$@" to the end of this text when there are arguments
ikm=@IKM@ hook=@HOOK@
[ -x "$ikm" ] || ikm=$(command -v ikm) || ikm=
# Where this runs may be a stranger's repository: not a program from below here.
case $ikm in /*) ;; *) ikm= ;; esac
ikm_hook() {
	if [ -n "$ikm" ]; then
		exec "$ikm" hook run --configured "$hook" -- "$@"
	elif [ "$hook" = post-commit ]; then
		: # The commit is made, so there is nothing to stop.
	elif [ "${IKM_HOOKS-}" = 0 ]; then
		echo "ikm: IKM_HOOKS=0: $hook was skipped, nothing was judged" >&2
	elif [ "$(git config --get ikm.hookMissing)" = warn ]; then
		echo "ikm: not found, $hook judged nothing (ikm.hookMissing is warn)" >&2
	else
		echo "ikm: stopped by the $hook hook: ikm is not where it was, and not in PATH" >&2
		echo "  install it again (its README says how), or add its folder to PATH" >&2
		echo "  to go on this once: put IKM_HOOKS=0 in front of the git command" >&2
		echo "  to go on until it is there: git config ikm.hookMissing warn" >&2
		exit 1
	fi
}
ikm_hook
