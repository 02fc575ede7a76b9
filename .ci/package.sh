#!/bin/sh
# Makes what a release consists of, from what is built. Called by `make deb`, `make archive`
# and `make npm`, which set CC, PROGRAM, VERSION, EPOCH, LIBRARIES and OUT. The same sources give the
# same bytes in every folder.
#
#   .ci/package.sh deb|archive|npm
set -eu
export LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH="$EPOCH"
umask 022
here=$(cd "$(dirname "$0")/.." && pwd)
cd "$here"
machine=$($CC -dumpmachine)
case $machine in
x86_64-*) deb=amd64 node=x64 ;;
aarch64-*) deb=arm64 node=arm64 ;;
*) echo "package: no name for packages of '$machine' is known" >&2; exit 2 ;;
esac
strip=$(command -v "$machine-strip" || echo strip)
mkdir -p "$OUT"
work=$(mktemp -d "$OUT/.package.XXXXXX")
trap 'rm -rf "$work"' EXIT

# The installed files, with the program stripped, below PREFIX.
installed() { # FOLDER PREFIX
	make -s install DESTDIR="$1" PREFIX="$2" SYSCONFDIR=/etc
	rm -rf "${1:?}/etc"
	install -s --strip-program="$strip" "$PROGRAM" "$1$2/bin/ikm"
}

# The licences of what is linked into the program, as Debian has them. $1: also of the C library.
notices() {
	echo 'ikm is linked with the libraries below. Each has its own licence.'
	for package in $LIBRARIES $1; do
		file=/usr/share/doc/$package/copyright
		[ -r "$file" ] || { echo "package: '$file' is missing" >&2; return 1; }
		printf '\n---- %s ----\n\n' "${package%-dev}"
		cat "$file"
	done
}

settled() { find "$1" -exec touch -h -d "@$EPOCH" {} +; }

package_archive() {
	name=ikm-$VERSION-linux-$deb
	installed "$work/$name" ''
	rm -rf "$work/$name/libexec"
	cp LICENSE README.md "$work/$name/"
	notices libc6-dev >"$work/$name/NOTICES"
	settled "$work/$name"
	tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner -cf - "$name" |
		gzip -9n >"$OUT/$name.tar.gz"
	(cd "$OUT" && sha256sum ikm-"$VERSION"-*.tar.gz >SHA256SUMS)
	echo "$OUT/$name.tar.gz"
}

package_deb() {
	root=$work/root doc=$work/root/usr/share/doc/ikm
	installed "$root" /usr
	mkdir -p "$root/DEBIAN" "$doc" "$root/usr/share/lintian/overrides"
	mv "$root/usr/share/ikm/examples" "$doc/examples"
	mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
	find "$root/usr/share/man" -type f -exec gzip -9n {} +
	ln -s ikm.1.gz "$root/usr/share/man/man1/git-ikm.1.gz"
	{
		cat LICENSE
		printf '\n-------------------------------------------------------------------------------\n\n'
		notices ''
	} >"$doc/copyright"
	printf 'ikm (%s) unstable; urgency=medium\n\n  * See ikm(1).\n\n -- %s  %s\n' "$VERSION" \
		"$MAINTAINER" "$(date -uR -d "@$EPOCH")" | gzip -9n >"$doc/changelog.gz"
	cat >"$root/usr/share/lintian/overrides/ikm" <<'L'
# ikm carries its libraries, so that one file runs on every later release; ikm-design(7).
ikm: embedded-library *
# The copyright file is LICENSE of the sources, which has the licence of the word vectors in full.
ikm: copyright-file-contains-full-apache-2-license
# The licences of the libraries stand there as their packages have them, with old addresses.
ikm: old-fsf-address-in-copyright-file
L
	libc=$(objdump -T "$root/usr/bin/ikm" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
	cat >"$root/DEBIAN/control" <<C
Package: ikm
Version: $VERSION
Architecture: $deb
Maintainer: $MAINTAINER
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: libc6 (>= ${libc#GLIBC_}), git
Suggests: libpq5
Section: vcs
Priority: optional
Description: decisions in Markdown that stop Git commits
 ikm checks each commit against the documented decisions of its repository.
 When a commit breaks a decision, ikm prints the decision, the reason, the
 file and line, and what to use instead. Agents ask it over the Model
 Context Protocol. ikm keeps memories and Markdown gardens for agents too.
C
	cat >"$root/DEBIAN/postrm" <<'P'
#!/bin/sh
set -e
if [ "$1" = purge ]; then
	echo 'ikm: the folders ~/.ikigai of the users and the hooks in repositories are kept; ikm-machines(7) tells how to remove them'
fi
P
	chmod 755 "$root/DEBIAN/postrm"
	(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
	settled "$root"
	dpkg-deb --root-owner-group -Zxz --build "$root" "$OUT/ikm_${VERSION}_$deb.deb" >/dev/null
	echo "$OUT/ikm_${VERSION}_$deb.deb"
}

package_npm() {
	platform=ikm-linux-$node
	mkdir -p "$work/$platform/bin" "$work/ikm/bin"
	install -s --strip-program="$strip" "$PROGRAM" "$work/$platform/bin/ikm"
	notices libc6-dev >"$work/$platform/NOTICES"
	cp LICENSE "$work/$platform/"
	cp LICENSE README.md "$work/ikm/"
	cp .ci/npm.cjs "$work/ikm/bin/ikm.cjs"
	chmod 755 "$work/ikm/bin/ikm.cjs"
	cat >"$work/$platform/package.json" <<J
{
  "name": "$platform",
  "version": "$VERSION",
  "description": "the program of ikm for Linux on $node",
  "license": "MIT",
  "os": ["linux"],
  "cpu": ["$node"],
  "files": ["bin", "NOTICES"],
  "preferUnplugged": true
}
J
	cat >"$work/ikm/package.json" <<J
{
  "name": "ikm",
  "version": "$VERSION",
  "description": "decisions in Markdown that stop Git commits",
  "license": "MIT",
  "bin": {"ikm": "bin/ikm.cjs"},
  "files": ["bin"],
  "engines": {"node": ">=16"},
  "optionalDependencies": {
    "ikm-linux-x64": "$VERSION",
    "ikm-linux-arm64": "$VERSION"
  }
}
J
	settled "$work"
	for package in "$platform" ikm; do
		(cd "$work/$package" && npm pack --silent --pack-destination "$OUT" >/dev/null)
		echo "$OUT/$package-$VERSION.tgz"
	done
}

"package_$1"
