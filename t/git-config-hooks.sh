#!/bin/sh
# Stands in for git 2.54, which runs hooks of its configuration: tells that version, and does `git
# hook run` as git-hook(1) and git-config(1) of 2.54 describe it. All else is the real git's.
# Usage: as `git`, or git-config-hooks.sh --run HOOK [ARG…]; REAL_GIT is the real one. STANDIN_VERSION
# is the version to tell.
if [ "$1" = --run ]; then
	hook=$2 rc=0
	shift 2
	cat >"$T/standin-in" # each hook gets the whole input
	for name in $("$REAL_GIT" config --get-regexp '^hook\..*\.event$' "^$hook\$" |
		sed 's/^hook\.\(.*\)\.event .*/\1/'); do
		[ "$("$REAL_GIT" config --type=bool --default=true "hook.$name.enabled")" = true ] || continue
		command=$("$REAL_GIT" config "hook.$name.command") || exit 128
		if [ $# -gt 0 ]; then
			sh -c "$command \"\$@\"" "$command" "$@" <"$T/standin-in" >&2 || rc=1
		else
			sh -c "$command" "$command" <"$T/standin-in" >&2 || rc=1
		fi
	done
	"$REAL_GIT" hook run --ignore-missing "$hook" -- "$@" <"$T/standin-in" || rc=1
	exit $rc
fi

n=0 value=0
for word in "$@"; do
	if [ $value = 1 ]; then
		value=0
	else
		case $word in
		-c | -C) value=1 ;;
		--no-pager) ;;
		*) break ;;
		esac
	fi
	n=$((n + 1))
done
case $word in
version) echo "git version ${STANDIN_VERSION-2.54.0}" ;;
hook)
	eval "hook=\${$#}"
	i=0
	for word in "$@"; do
		i=$((i + 1))
		shift
		[ $i -gt $n ] || set -- "$@" "$word"
	done
	# An alias runs at the top of the working tree and sees the settings, as a hook does.
	exec "$REAL_GIT" "$@" -c alias.standin="!sh '$0' --run" standin "$hook" </dev/null
	;;
*) exec "$REAL_GIT" "$@" ;;
esac
