#!/bin/sh
# @MARK@
# Written by 'ikm hook install --server', taken away by 'ikm hook uninstall --server'; not when it
# was edited.
ikm=@IKM@ hook=@HOOK@ prev=$0.ikm-prev
[ -x "$ikm" ] || ikm=$(command -v ikm) || ikm=
case $ikm in /*) ;; *) ikm= ;; esac
# IKM_HOOKS=0 does not count: the person who pushes may have set it, and this judge is the server's.
if [ -n "$ikm" ]; then
	exec "$ikm" hook run --chain "$prev" "$hook" -- "$@"
elif [ "$(git config --get ikm.hookMissing)" = warn ]; then
	echo "ikm: not found on the server, nothing was judged (ikm.hookMissing is warn)" >&2
else
	echo "ikm: the push was stopped: ikm is not where it was on the server, and not in PATH" >&2
	echo "  the administrator of the server can install it again, or let pushes pass until then:" >&2
	echo "  git config ikm.hookMissing warn, in the repository on the server" >&2
	exit 1
fi
[ ! -x "$prev" ] || exec "$prev" "$@"
