#!/bin/sh
# The Makefile: what a changed flag rebuilds, the messages about missing programs, and linking.
# Builds a few objects in a copy of the sources.
. "$(dirname "$0")/../lib.sh"

# Hides the variables of the make that runs this test.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES CC CFLAGS CPPFLAGS LDFLAGS DESTDIR PREFIX SYSCONFDIR \
	SAN COVERAGE SHARED SOURCE_DATE_EPOCH PKG_CONFIG GET

mkdir src
cp "$TOP/Makefile" src/
for part in cmd hooks lib man sql t; do
	ln -s "$TOP/$part" "src/$part"
done
touch -d @1700000000 src/Makefile
cd src || exit 1
objects='build/o/lib/core/base/str.o build/o/cmd/version.o'
both='build/o/lib/core/base/str.o
build/o/cmd/version.o'
export objects both

# The objects that make would compile.
compiles() { make -n "$@" $objects >commands && sed -n 's/.* -c -o \([^ ]*\) .*/\1/p' commands; }

try 'the same flags twice: nothing to do' <<'E'
make -s $objects
make -q $objects
same '' "$(compiles)"
E

for change in CC='gcc -pipe' CFLAGS=-O0 CPPFLAGS=-DNONE; do
	export change
	try "$change compiles all again" <<'E'
fails 1 make -q "$change" $objects
same "$both" "$(compiles "$change")"
E
done

for change in VERSION=9 SYSCONFDIR=/opt/etc SOURCE_DATE_EPOCH=1; do
	export change
	try "$change compiles the sources that use it, no others" <<'E'
fails 1 make -q "$change" $objects
same build/o/cmd/version.o "$(compiles "$change")"
make -s "$change" $objects
make -q "$change" $objects
make -s $objects
E
done

long 'version, date and folder of the configuration are compiled in' <<'E'
make -s VERSION=9.8.7 SYSCONFDIR=/opt/etc build/gen/base/build.h
same '#define IKM_VERSION "9.8.7"
#define IKM_DATE "November 14, 2023"
#define IKM_SYSCONFDIR "/opt/etc"' "$(cat build/gen/base/build.h)"
make -s $objects
E

more 'LDFLAGS links again, and so does a source that is gone' <<'E'
make -s build/link.flags
make -q build/link.flags
fails 1 make -q LDFLAGS=-Wl,-z,now build/link.flags
rm cmd; mkdir cmd; ln -s "$TOP"/cmd/*.[ch] cmd/; rm cmd/version.c
fails 1 make -q build/link.flags
rm -r cmd; ln -s "$TOP/cmd" cmd
make -q build/link.flags
E

more 'the flags of the analyzer: the same twice, and changed' <<'E'
make -s build/analyze/flags
make -q build/analyze/flags
fails 1 make -q CPPFLAGS=-DNONE build/analyze/flags
E

more 'a changed command in the Makefile compiles again, a comment does not' <<'E'
sed 's/^WARN  *= /&-Wfloat-equal /' Makefile >changed
fails 1 make -q -f changed $objects
same "$both" "$(compiles -f changed)"
cp -p Makefile kept
echo '# a comment' >>Makefile
same build/o/cmd/version.o "$(compiles)"
mv kept Makefile
make -s $objects
E

long "the caller's jobs are those of the makes below" <<'E'
make -j3 -n demo >commands 2>err
grep -e '-o build/ikm' commands
! grep -i jobserver err
E

more 'the flags of the caller follow ours' <<'E'
make -n CPPFLAGS=-DTHEIRS CFLAGS=-O3 LDFLAGS=-Wl,--theirs build/o/lib/core/base/str.o build/ikm >commands
grep -e '-D_GNU_SOURCE.*-DTHEIRS.*-O3.*-o build/o/lib/core/base/str.o' commands
grep -e '-Wl,--gc-sections.*-Wl,--theirs.*-o build/ikm' commands
make -n SAN=1 CFLAGS=-O3 build/san/o/lib/core/base/str.o >commands
grep -e '-fsanitize=address,undefined.*-O3' commands
E

try 'make coverage counts lines by module, and names the blocks that no test ran' <<'E'
mkdir -p seen/lib/x/y
cd seen
printf '%s\n' 'int a(void)' '{' '	if (b())' '		BUG("no");' '	return 1;' '}' >lib/x/y/z.c
printf '%s\n' SF:./lib/x/y/z.c FN:1,a FN:6,z.c:b FNDA:2,a FNDA:0,z.c:b DA:1,2 DA:3,2 DA:4,0 DA:5,1 \
	DA:6,0 end_of_record SF:/usr/include/z.h DA:1,0 end_of_record >lcov
fails 1 awk -v blocks=blocks -f "$TOP/t/coverage.awk" lcov >table
grep -E '^x/y +5 +3 +60.0$' table
grep -E '^all +5 +3 +60.0$' table
grep -E '^not run, BUG +1$' table
same '1 lib/x/y/z.c:4-4 a: BUG("no");
1 lib/x/y/z.c:6-6 b: is never called' "$(cat blocks)"
sed 's/,0$/,1/' lcov | awk -v blocks=none -f "$TOP/t/coverage.awk" >table
grep -E '^all +5 +5 +100.0$' table
# A target of which the trace has no line has covered nothing.
fails 1 awk -v target=odd -v files=lib/no/no.c -v blocks=none -f "$TOP/t/coverage.awk" lcov >table
grep -E '^odd +0 +0 +0.0 +0$' table
E

more 'the same bytes in every folder' <<'E'
mkdir -p "$T/elsewhere/deep"
cp -pL Makefile "$T/elsewhere/deep/"
for part in cmd hooks lib man sql t; do ln -s "$TOP/$part" "$T/elsewhere/deep/$part"; done
make -s -C "$T/elsewhere/deep" $objects
for object in $objects; do cmp "$object" "$T/elsewhere/deep/$object"; done
E

long 'the date is the given one, that of the last commit, or that of the Makefile' <<'E'
dated() { make -s "$@" build/gen/base/build.h && sed -n 's/.*DATE "\(.*\)"/\1/p' build/gen/base/build.h; }
same 'January 1, 1970' "$(dated SOURCE_DATE_EPOCH=1)"
same 'November 14, 2023' "$(dated)"
git init -q .
GIT_COMMITTER_DATE='1000000000 +0000' git commit -q --allow-empty -m x
same 'September 9, 2001' "$(dated)"
rm -rf .git
E

# ---- what is missing: programs that install write down that they were asked ----

mkdir bin
for program in apt-get sudo npm; do
	printf '#!/bin/sh\necho %s "$@" >>"%s/asked"\nexit 1\n' $program "$PWD" >bin/$program
	chmod +x bin/$program
done
PATH=$PWD/bin:$PATH
need() { # all but GET=1
	CC=gcc sh "$TOP/t/need.sh" "$@"
}

try 'what is missing is named with the line that installs it, and not installed' <<'E'
fails 1 need 'make demo' libgit2-dev libnone-dev 2>err
grep -F 'make demo: these Debian packages are missing: libnone-dev' err
grep -E '^  (sudo )?apt-get update && (sudo )?apt-get install -y --no-install-recommends libnone-dev$' err
grep -Fx '  make demo GET=1' err
GET=0 fails 1 need 'make demo' libnone-dev 2>err
[ ! -e asked ]
E

try 'what is optional is named, and make goes on' <<'E'
need 'make check' libgit2-dev --optional none --npm "$PWD/npm" 2>err
grep -F "not installed: none and npm's packages" err
grep -F "'make check GET=1' installs it" err
[ ! -e asked ]
E

try 'with GET=1 it says what it installs before it does' <<'E'
GET=1 fails 1 need 'make demo' libnone-dev 2>err
grep -A1 'make demo: installing Debian packages:' err | grep 'install.* libnone-dev$'
grep -E '^(apt-get|sudo).* update' asked
rm asked
GET=1 need 'make check' libgit2-dev --npm "$PWD/npm" 2>err
grep "make check: downloading the packages of .*package.json into $PWD/npm" err
grep 'make check: npm could not get all' err
grep '^npm .*install' asked
rm asked
E

more "make's own GET does not count, nor does that of the environment" <<'E'
GET=1 make -n demo >commands
grep "GET='' sh t/need.sh 'make demo' gcc libc6-dev libgit2-dev" commands
make -n SAN=1 check GET=1 >commands
grep "GET='1' sh t/need.sh 'make check SAN=1' clang libclang-rt-dev libc6-dev libgit2-dev" commands
E

more 'a compiler that CC names and that is missing is named' <<'E'
fails 2 make demo CC=no-compiler 2>err
grep "make demo CC=no-compiler: there is no compiler 'no-compiler'" err
E

more 'without a compiler gcc is among the packages, and GET=1 installs it' <<'E'
mkdir bare
for program in sh awk dirname id; do ln -s "$(command -v $program)" bare/; done
printf '#!/bin/sh\nfor package; do :; done\ncase $package in libgit2-dev) printf installed ;; esac\n' \
	>bare/dpkg-query
cp bin/apt-get bin/sudo bare/
chmod +x bare/dpkg-query
bare() { PATH=$PWD/bare CC=gcc fails 1 sh "$TOP/t/need.sh" 'make demo' gcc libc6-dev libgit2-dev; }
bare 2>err
grep -E 'install -y --no-install-recommends gcc libc6-dev$' err
[ ! -e asked ]
GET=1 bare 2>err
grep -A1 'make demo: installing Debian packages:' err | grep 'install.* gcc libc6-dev$'
grep -E '^(apt-get|sudo).* update' asked
rm asked
E

more 'install makes a file for the settings of the system, and replaces none' <<'E'
make -n install DESTDIR="$T/d" 2>/dev/null | sed -n '/^if install -d/,/fi$/p' >part
least 1 part
sh part
same '{}' "$(cat "$T/d/etc/ikigai/config.json")"
echo '{"user":"x"}' >"$T/d/etc/ikigai/config.json"
sh part
same '{"user":"x"}' "$(cat "$T/d/etc/ikigai/config.json")"
E

more 'no target installs without t/need.sh, which knows that each needs the compiler' <<'E'
rm -f build/libraries
for target in all static demo check coverage check-hosts check-hollow mutate lint fuzz perf install; do
	make -n "$target" >commands 2>err || { cat err; exit 1; }
	grep 'sh t/need.sh .* gcc libc6-dev ' commands
	! grep -E '(apt-get|pip|curl|wget|npm (ci|install)) ' commands
done
E

# ---- a tree of a few sources, and a compiler that only makes the files ----

mkdir -p few/lib/core few/cmd
for part in hooks man sql t; do ln -s "$TOP/$part" "few/$part"; done
ln -s "$TOP/lib/LIBRARIES" few/lib/
ln -s "$TOP/lib/core/base" few/lib/core/
ln -s "$TOP/cmd/version.c" few/cmd/
cp -p Makefile few/
cat >bin/fast-cc <<'C'
#!/bin/sh
case " $* " in
*' -E '* | *' -print-file-name='*) exec gcc "$@" ;;
*" $FAST_CC_FAILS "*) echo "'$FAST_CC_FAILS' is wrong" >&2; exit 1 ;;
esac
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\n' >"$2"
chmod +x "$2"
C
chmod +x bin/fast-cc
few() { rm -rf few/build; make -C few CC="$PWD/bin/fast-cc" "$@"; }

long 'what is compiled is counted' <<'E'
objects=$(($(ls few/lib/core/base/*.c | wc -l) + 1))
FAST_CC_FAILS=nothing few -j3 demo >out 2>err || :
grep -x "building: $objects of $objects" err
fails 1 grep "building: 1 of" err
FAST_CC_FAILS=nothing make -C few CC="$PWD/bin/fast-cc" demo >out 2>err || :
fails 1 grep building err
E

long 'a compiler that fails is heard, and ends make' <<'E'
FAST_CC_FAILS=lib/core/base/buf.c fails 2 few -j3 demo >out 2>err
grep "'lib/core/base/buf.c' is wrong" err
[ ! -e few/build/ikm ]
E

# ---- archives and shared libraries ----

more 'where the archives do not link, shared libraries are linked, and that is said' <<'E'
printf '#!/bin/sh\necho -lasked-pkg-config\n' >bin/pkg-config
chmod +x bin/pkg-config
FAST_CC_FAILS=-lsodium few build/ikm >out 2>&1
grep '^linking shared libraries, because the archives do not link: build/link.errors has the reason' out
grep -e '-o build/ikm .* -lasked-pkg-config -lm$' out
same "'-lsodium' is wrong" "$(cat few/build/link.errors)"
FAST_CC_FAILS=-lsodium fails 2 make -C few CC="$PWD/bin/fast-cc" static >out 2>err
grep 'make static: there is no static link here, because the archives do not link' err
# The reason is gone: the same build folder links the archives, and once only.
make_few() { make -C few CC="$PWD/bin/fast-cc" build/ikm; }
FAST_CC_FAILS=nothing make_few >out 2>&1
not grep shared out
grep -e '-o build/ikm .* -lsodium' out
FAST_CC_FAILS=nothing make_few >out 2>&1
not grep -e '-o build/ikm' out
rm bin/pkg-config
E

more 'pkg-config names the libraries where an archive is missing, and with SHARED=1' <<'E'
printf '#!/bin/sh\necho -lasked-pkg-config\n' >bin/pkg-config
printf '#!/bin/sh\ncase $1 in *libyaml.a) echo libyaml.a ;; *) exec gcc "$@" ;; esac\n' >bin/poor-cc
chmod +x bin/pkg-config bin/poor-cc
make -n build/ikm CC=poor-cc >commands
grep 'linking shared libraries, for lack of libyaml.a' commands
grep -e '-o build/ikm .* -lasked-pkg-config -lm$' commands
make -n build/shared/ikm SHARED=1 >commands
grep -e '-o build/shared/ikm .* -lasked-pkg-config -lm$' commands
not grep lack commands
make -n build/static/ikm CC=poor-cc >commands
grep 'make static: there is no static link here, for lack of libyaml.a' commands
rm bin/pkg-config bin/poor-cc
E

# ---- the static program: in an empty root, where user namespaces are allowed ----

# Builds with sanitizers have none: these need shared libraries.
if [ -x "$BUILD/static/ikm" ]; then
mkdir -p root/home root/repo
cp "$BUILD/static/ikm" root/
in_root() {
	if unshare -r chroot / true 2>/dev/null; then
		env -i HOME=/home unshare -rR "$PWD/root" /ikm -C /repo "$@"
	else
		env -i HOME="$PWD/root/home" root/ikm -C root/repo "$@"
	fi
}

more 'the static program needs neither libraries nor a loader' <<'E'
readelf -lW root/ikm >segments
grep LOAD segments
not grep INTERP segments
! readelf -d root/ikm | grep NEEDED
E

more 'it runs where nothing else is' <<'E'
bare=
{ unshare -r chroot / true 2>/dev/null || ikm version | grep -q 'without /proc'; } && bare='; without /proc: what a tool leaves behind goes on running'
same "ikm $(sed -n 's/^VERSION *= //p' Makefile)
a static program: it cannot sync with a server$bare" "$(in_root version)"
echo 'line 1' >root/repo/file
same 'line 1' "$(in_root read file)"
in_root mem add 'the orders table is in the billing database'
in_root mem search 'which database has orders?' | grep 'orders table'
mkdir root/repo/.ikm root/repo/adr
echo '{"knowledge": {"sources": [{"path": "adr"}]}}' >root/repo/.ikm/config.json
printf '%s\n' --- 'status: accepted' constraints: \
	'  - {operator: must_not_use, target: dependency, pattern: mysql2, severity: block}' \
	--- '# PostgreSQL only' >root/repo/adr/0001-pg.md
echo '{"dependencies": {"mysql2": "1"}}' >root/repo/package.json
git -C root/repo init -q
git -C root/repo add -A
fails 1 in_root check --staged >out
grep '^block PostgreSQL only' out
E
fi
done_testing
