#!/bin/sh
# Gets what is missing with the system's package manager when it may, else prints the exact line.
#
#   need.sh PACKAGE…              Debian packages
#   need.sh --npm DIR [PACKAGE…]  what t/npm/package-lock.json pins, and these packages besides, into
#                                 DIR/node_modules
set -eu

if [ "${1-}" = --npm ]; then
	dir=$2 pinned=$(dirname "$0")/npm missing=
	shift 2
	into() { # the hidden lock file is what npm writes last
		npm --prefix "$dir" --ignore-scripts --no-audit --no-fund --loglevel=error \
			--fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=4000 "$@" >/dev/null
	}
	if ! cmp -s "$pinned/package-lock.json" "$dir/package-lock.json" ||
		[ ! -e "$dir/node_modules/.package-lock.json" ]; then
		echo "need: getting Node and the tests' packages from npm into $dir:" \
			"a few hundred MB, once" >&2
		mkdir -p "$dir"
		cp "$pinned/package.json" "$pinned/package-lock.json" "$dir/"
		into install --no-save || {
			rm -f "$dir/package-lock.json"
			echo "need: npm could not get what $pinned/package.json names;" \
				"what needs it will be skipped" >&2
		}
	fi
	for package; do
		[ -d "$dir/node_modules/${package%@*}" ] || missing=$package
	done
	[ -z "$missing" ] || into install --no-save --no-package-lock "$@" ||
		echo "need: npm could not get all of $*; what needs them will be skipped" >&2
	exit 0
fi

has() { # a program or library that came another way counts too
	case $1 in
	npm) command -v npm >/dev/null ;;
	nodejs) command -v node >/dev/null ;;
	perl) command -v prove >/dev/null ;;
	jq | mandoc | shellcheck) command -v "$1" >/dev/null ;;
	*) [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ;;
	esac
}

missing=
for package; do
	has "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
	echo "need: these Debian packages, or what your system calls them, are missing:$missing" >&2
	exit 1
fi
install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
	as=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
	as=sudo
else
	echo "need: this is missing; run" >&2
	echo "  sudo apt-get update && sudo $install" >&2
	exit 1
fi
echo "need: installing$missing" >&2
# shellcheck disable=SC2086
{ $as apt-get update -qq && DEBIAN_FRONTEND=noninteractive $as $install; } >/dev/null
