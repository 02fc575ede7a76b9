#!/bin/sh
# Gets what is missing with the system's package manager when it may, else prints the exact line.
#
#   need.sh PACKAGE…              Debian packages
#   need.sh --npm DIR PACKAGE…    packages for tests, into DIR/node_modules
set -eu

if [ "${1-}" = --npm ]; then
	dir=$2
	shift 2
	for package; do
		[ -d "$dir/node_modules/${package%@*}" ] ||
			npm install --prefix "$dir" --ignore-scripts --no-audit --no-fund \
				--loglevel=error "$package" >/dev/null ||
			echo "need: $package could not be had from npm; its tests will be skipped" >&2
	done
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
