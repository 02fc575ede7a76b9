#!/bin/sh
# The two commands of the README on bare machines: installs each release of Debian into a folder,
# clones this repository there, and runs the README's lines as its reader would. Prints one line for
# each release and command: ok or FAILED, the seconds, and the log. Called by `make check-chroot`.
# For the release "container" it does what hooks/Containerfile says, an image being a bare system.
# For a way, such as trixie/deb, it installs a package by the README's line, goes through the README's
# "In your repository", and tells how many commands and seconds lie before the first version and
# before the first commit that is stopped. What else a package promises is tried behind that.
#
#   t/chroot.sh FOLDER RELEASE[/WAY]…     WAY: deb, archive or npm, from FOLDER/packages
#                                         TESTS=…  only these tests   IKM_NPM=…  npm's packages, copied
#
# Packages come from the mirror, and by the settings, that apt has on this machine; npm likewise. The
# clone has what is committed.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 2 ] || { echo 'usage: t/chroot.sh FOLDER RELEASE[/WAY]…' >&2; exit 2; }
[ "$(id -u)" = 0 ] || {
	echo 'check-chroot: only root can make chroots: sudo make check-chroot' >&2
	exit 2
}
for program in debootstrap unshare; do
	command -v $program >/dev/null || {
		echo "check-chroot: install it: apt-get install $program" >&2
		exit 2
	}
done
GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org
GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org TOP=$top
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL TOP
. "$top/t/example.sh"
mkdir -p "$1"
work=$(cd "$1" && pwd)
shift

# The mounts of a private name space end with its last process, whatever happens.
[ -n "${IKM_CHROOT_MOUNTS-}" ] ||
	IKM_CHROOT_MOUNTS=1 exec unshare --mount --propagation private sh "$0" "$work" "$@"

# URI and suite of this machine's Debian sources: bookworm, bookworm-updates, bookworm-security.
here=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
# shellcheck disable=SC2016
sources=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' \
	'Created-By: Packages' 2>/dev/null | awk -v here="$here" \
	'$3 == "main" && ($2 == here || $2 == here "-updates" || $2 == here "-security")' | sort -u) || :
mirror=$(echo "$sources" | awk -v here="$here" '$2 == here { print $1; exit }')

in_chroot() { # command: with nothing of this machine but its proxies and the settings of npm
	# shellcheck disable=SC2046
	env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
		$(env | grep -iE '^((http|https|ftp|no|all)_proxy|npm_config_[a-z_]*)=[^ ]*$') \
		${NODE_EXTRA_CA_CERTS:+NODE_EXTRA_CA_CERTS=/root/ca.crt} \
		chroot "$root" sh -c "$1"
}

chroot_make() { # release: a bare system in $root, and the clone
	rm -rf --one-file-system "$root"
	# One for all, which nothing changes, and which the next run has too.
	[ -d "$work/bare.$1" ] || {
		rm -rf "$work/bare.new"
		# shellcheck disable=SC2086
		debootstrap --variant=minbase "$1" "$work/bare.new" $mirror
		mv "$work/bare.new" "$work/bare.$1"
	}
	cp -a "$work/bare.$1" "$root"
	for part in apt.conf.d auth.conf.d keyrings trusted.gpg.d; do
		[ ! -d "/etc/apt/$part" ] || cp -a "/etc/apt/$part" "$root/etc/apt/"
	done
	# A package that brings such a file there would ask which one to take.
	for file in /etc/apt/apt.conf.d/*; do
		! dpkg -S "$file" >/dev/null 2>&1 || rm -f "$root$file"
	done
	[ -z "$mirror" ] || echo "$sources" |
		awk -v here="$here" -v there="$1" '{ sub("^" here, there, $2); print "deb", $1, $2, $3 }' \
			>"$root/etc/apt/sources.list"
	cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
	[ ! -e ~/.npmrc ] || cp ~/.npmrc "$root/root/"
	[ -z "${NODE_EXTRA_CA_CERTS-}" ] || cp -L "$NODE_EXTRA_CA_CERTS" "$root/root/ca.crt"
	git -c safe.directory='*' -C "$top" bundle create -q "$root/root/ikm.bundle" HEAD
	git clone -q "$root/root/ikm.bundle" "$root/root/ikm"
	[ ! -d "${IKM_NPM:-}" ] || {
		mkdir -p "$root/root/ikm/build"
		cp -a "$IKM_NPM" "$root/root/ikm/build/npm"
	}
	mount -t proc proc "$root/proc"
	mount --rbind /sys "$root/sys"
	mount --rbind /dev "$root/dev"
}

# What deb promises after the first day.
life() { # WAY
	case $1 in
	deb) cat <<'L' ;;
ikm mem add 'kept' && dpkg -L ikm >/root/files
dpkg -i newer.deb && ikm version && git commit -qam again 2>&1 | grep -q "^block Use PostgreSQL"
apt-get remove -y ikm && git commit -qam again 2>&1 | grep -q "ikm is not where it was" && ikm=$(command -v ikm || echo none) && [ $ikm = none ]
apt-get purge -y ikm >/root/said && grep -F "ikm: the folders ~/.ikigai of the users and the hooks in repositories are kept" /root/said
[ -s ~/.ikigai/ikm.db ] && while read -r f; do [ -d $f ] || [ ! -e $f ] || { echo $f; exit 1; }; done </root/files
apt-get install -y --no-install-recommends lintian && lintian --allow-root --fail-on error,warning ./ikm_*.deb
L
	archive) echo 'umount -R /proc && ikm version | grep -F "without /proc" && git commit -qam again 2>&1 | grep -q "^block Use PostgreSQL"' ;;
	esac
}

failed=0 place=ikm
step() { # release, command: runs it in the chroot, and says how it went
	log=$work/$1.log begun=$(date +%s) said=ok
	echo "\$ $2" >>"$log"
	# In the background, because before || the shell would go on after an error.
	case $2 in
	'FROM debian:12-slim'*) chroot_make bookworm ;;
	'COPY . /src') mv "$root/root/ikm" "$root/src" ;;
	'COPY --from=build /made /') cp -a "$work/container.build/made/." "$root/" ;;
	'RUN '*) in_chroot "${2#RUN }" ;;
	debootstrap) chroot_make "${1%%.*}" ;;
	*) in_chroot "cd /root/$place && $2" ;;
	esac >>"$log" 2>&1 </dev/null &
	wait $! || said=FAILED failed=1
	echo "$said  $1  $2  $(($(date +%s) - begun)) s  $log"
}

way() { # RELEASE/WAY
	name=${1%/*}.${1#*/} way=${1#*/} own=$root/root/own place=own prefix=
	: >"$work/$name.log"
	step "$name" debootstrap
	[ $said = ok ] || return 0
	prose "$own"
	git -C "$own" config user.name Ada
	git -C "$own" config user.email ada@example.org
	cp "$work"/packages/ikm[_-]* "$own/"
	case $way in
	deb)
		dpkg-deb -R "$own"/ikm_*.deb "$root/root/newer"
		sed -i 's/^Version: .*/&+1/' "$root/root/newer/DEBIAN/control"
		dpkg-deb --root-owner-group -b "$root/root/newer" "$own/newer.deb" >/dev/null
		;;
	npm)
		prefix='npx '
		step "$name" 'apt-get update && apt-get install -y --no-install-recommends git npm'
		;;
	esac
	begun_all=$(date +%s) commands=1
	step "$name" "$(sed -n "s/^| $way | \`\(.*\)\` |$/\1/p" "$top/README.md")"
	step "$name" "${prefix}ikm version"
	[ $said = ok ] || return 0
	echo "      version after $(($(date +%s) - begun_all)) s and 1 command"
	shown 'In your repository' | sed -n 's/^\$ //p' >"$work/commands"
	while [ $said = ok ] && read -r command; do
		case $command in
		ikm*) command=$prefix$command ;;
		echo*) commands=$((commands - 1)) ;;
		*commit\ -am*) command="! $command >said 2>&1; cat said; grep -q '^block Use PostgreSQL' said" ;;
		esac
		commands=$((commands + 1))
		step "$name" "$command"
	done <"$work/commands"
	[ $said = ok ] || return 0
	echo "      a commit is stopped after $(($(date +%s) - begun_all)) s and $commands commands"
	life "$way" >"$work/commands"
	while [ $said = ok ] && read -r command; do step "$name" "$command"; done <"$work/commands"
}

sed -n '/^## Install/,/^## /s/^    //p' "$top/README.md" >"$work/source"
for command in 'make demo' 'make check'; do
	grep -q "^$command " "$work/source" || {
		echo "check-chroot: README.md has no '$command' under '## Install'" >&2
		exit 1
	}
done
for release; do
	root=$work/$release
	case $release in
	*/*)
		root=$work/${release%/*}.${release#*/}
		way "$release"
		continue
		;;
	esac
	: >"$work/$release.log" place=ikm
	if [ "$release" = container ]; then
		{ sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$top/hooks/Containerfile" && echo RUN ikm version; } |
			grep '^[A-Z]' >"$work/recipe"
		said=ok
		while [ $said = ok ] && read -r command; do
			case $command in *' AS '*) root=$work/container.${command##* } ;; FROM*) root=$work/container ;; esac
			step container "$command"
		done <"$work/recipe"
		continue
	fi
	step "$release" debootstrap
	while [ $said = ok ] && read -r command; do
		case $command in 'make check '*) command="$command${TESTS:+ TESTS=\"$TESTS\"}" ;; esac
		step "$release" "$command"
	done <"$work/source"
	sed -n 's/^\(Files=.*\|Result: .*\)/      \1/p' "$work/$release.log"
done
exit $failed
