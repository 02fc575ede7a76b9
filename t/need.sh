#!/bin/sh
# Looks for what a target of the Makefile needs, before it begins. Installs nothing but with GET=1.
#
#   need.sh COMMAND PACKAGE… [--optional PACKAGE…] [--lock FOLDER] [--npm DIR [PACKAGE@VERSION…]]
#
# COMMAND is what the user typed, for messages. A missing Debian package ends it with status 1; an
# optional one is named, and so are npm's packages: those of t/FOLDER/package-lock.json (t/npm's by
# default), and the given ones besides, in DIR/node_modules. What needs them is skipped then.
set -eu
here=$(dirname "$0")
command=$1
shift
case ${GET-} in '' | 0) get= ;; *) get=1 ;; esac
CC=${CC:-gcc}

needed='' optional='' npm='' npm_more='' lock=$here/npm kind=needed
while [ $# -gt 0 ]; do
	case $1 in
	--optional) kind=optional ;;
	--npm) kind=npm npm=$2 && shift ;;
	--lock) lock=$here/$2 && shift ;;
	*)
		case $kind in
		needed) needed="$needed $1" ;;
		optional) optional="$optional $1" ;;
		npm) npm_more="$npm_more $1" ;;
		esac
		;;
	esac
	shift
done

has() { # a program or header that came another way than by its package counts too
	header=$(awk -v package="$1" '/^[a-z]/ && $3 == package { print $4 }' "$here/../lib/LIBRARIES")
	[ "$1" != libc6-dev ] || header=stdlib.h
	if [ -n "$header" ] && [ -n "$compiler" ]; then
		# shellcheck disable=SC2086
		printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$header" |
			$CC -E - >/dev/null 2>&1
		return
	fi
	case $1 in
	gcc) [ -n "$compiler" ] ;;
	nodejs) command -v node ;;
	perl) command -v prove ;;
	openssh-client) command -v ssh-keygen ;;
	ripgrep) command -v rg ;;
	php-cli) command -v php ;;
	postgresql) ls /usr/lib/postgresql/*/bin/initdb || command -v initdb ;;
	*) command -v "$1" || [ "$(dpkg-query -W -f '${db:Status-Status}' "$1")" = installed ] ;;
	esac >/dev/null 2>&1
}

missing() { # of the packages: those that are not there
	for package; do
		has "$package" || printf ' %s' "$package"
	done
}

npm_missing() { # the hidden lock file is what npm writes last
	[ -n "$npm" ] || return 1
	cmp -s "$lock/package-lock.json" "$npm/package-lock.json" &&
		[ -e "$npm/node_modules/.package-lock.json" ] || return 0
	for package in $npm_more; do
		[ -d "$npm/node_modules/${package%@*}" ] || return 0
	done
	return 1
}

npm_into() {
	npm --prefix "$npm" --ignore-scripts --no-audit --no-fund --loglevel=error \
		--fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=4000 install --no-save "$@" >/dev/null
}

npm_get() {
	echo "$command: downloading the packages of $lock/package.json$npm_more into $npm" >&2
	mkdir -p "$npm"
	if ! cmp -s "$lock/package-lock.json" "$npm/package-lock.json" ||
		[ ! -e "$npm/node_modules/.package-lock.json" ]; then
		cp "$lock/package.json" "$lock/package-lock.json" "$npm/"
		npm_into || {
			rm -f "$npm/package-lock.json"
			return 1
		}
	fi
	# shellcheck disable=SC2086
	[ -z "$npm_more" ] || npm_into --no-package-lock $npm_more
}

apt() { # the packages: the line that installs them, for a person to run
	as='sudo '
	[ "$(id -u)" != 0 ] || as=
	echo "${as}apt-get update && ${as}apt-get install -y --no-install-recommends$1"
}

apt_get() {
	line=$(apt "$1")
	echo "$command: installing Debian packages:" >&2
	echo "  $line" >&2
	DEBIAN_FRONTEND=noninteractive sh -c "$line" >/dev/null ||
		echo "$command: that failed" >&2
}

# A package brings the compiler only if CC names it.
compiler=$(command -v "${CC%% *}" || :)
case $compiler,$needed\  in
,*" ${CC%% *} "*) ;;
,*)
	echo "$command: there is no compiler '$CC'; install it, or set CC=gcc" >&2
	exit 1
	;;
esac
# shellcheck disable=SC2086
{
	needed=$(missing $needed)
	optional=$(missing $optional)
}
if [ -n "$needed$optional" ] && [ -n "$get" ]; then
	command -v apt-get >/dev/null || {
		echo "$command: GET=1 needs apt-get; install what your system calls these:" \
			"$needed$optional" >&2
		exit 1
	}
	apt_get "$needed$optional"
	compiler=$(command -v "${CC%% *}" || :)
	# shellcheck disable=SC2086
	{
		needed=$(missing $needed)
		optional=$(missing $optional)
	}
fi
if npm_missing && [ -n "$get" ]; then
	npm_get || echo "$command: npm could not get all of its packages" >&2
fi

if [ -n "$needed" ]; then
	echo "$command: these Debian packages are missing:$needed" >&2
	if command -v apt-get >/dev/null; then
		echo "To install them:" >&2
		echo "  $(apt "$needed")" >&2
		echo "To let make install all that it uses here:" >&2
		echo "  $command GET=1" >&2
	else
		echo "Install what your system calls them, and try again." >&2
	fi
	exit 1
fi
if npm_missing; then
	optional="${optional:+$optional and} npm's packages (a few hundred MB, into $npm)"
fi
if [ -n "$optional" ]; then
	echo "$command: what needs this is skipped, for it is not installed:$optional" >&2
	[ -n "$get" ] || echo "  '$command GET=1' installs it" >&2
fi
