#!/bin/sh
# What .ci/package.sh makes: the archive of the static program, the package for Debian, and those for
# npm. `make check` builds none of them.
. "$(dirname "$0")/../lib.sh"
more_all

# make gives its variables to the tests; what a user builds has none of them.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES DESTDIR PREFIX SYSCONFDIR SAN COVERAGE MORE
package() { # KIND OUT
	make -s -C "$TOP" "$1" PACKAGES="$2" >"$2.made"
}
only=$(dpkg --print-architecture)
export only

try 'the archive: one program, its manual and completions, licences and a sum; the same bytes twice' <<'E'
for out in one two/deep; do mkdir -p $out; package archive "$T/w/$out"; done
cmp one/ikm-*.tar.gz two/deep/ikm-*.tar.gz
(cd one; sha256sum -c --quiet SHA256SUMS)
tar -xf one/ikm-*.tar.gz
cd ikm-*-linux-$only
for file in bin/ikm share/man/man1/ikm.1 share/man/man7/ikm-start.7 LICENSE NOTICES README.md \
	share/bash-completion/completions/ikm share/zsh/site-functions/_ikm; do
	[ -s $file ] || echo "$file"
done >missing
same '' "$(cat missing)"
grep -q '^---- libgit2 ----' NOTICES
bin/ikm version
same '' "$(readelf -d bin/ikm | grep NEEDED || :)"
E

try 'the package for Debian needs the C library and Git; remove and purge say what is kept' <<'E'
mkdir d; package deb "$T/w/d"
deb=$(ls d/*.deb)
dpkg-deb -f $deb Depends | grep -qE '^libc6 \(>= [0-9.]+\), git$'
same libpq5 "$(dpkg-deb -f $deb Suggests)"
dpkg-deb -R $deb root
(cd root; md5sum -c --quiet DEBIAN/md5sums)
for file in bin/ikm bin/git-ikm share/man/man1/ikm.1.gz share/doc/ikm/copyright \
	share/bash-completion/completions/ikm share/zsh/vendor-completions/_ikm \
	share/fish/vendor_completions.d/ikm.fish; do
	[ -e root/usr/$file ] || echo $file
done >missing
same '' "$(cat missing)"
root/usr/bin/ikm version
same '' "$(sh root/DEBIAN/postrm remove)"
sh root/DEBIAN/postrm purge | grep -q '~/.ikigai .*kept'
E

try 'the archive of the sources builds without a repository, and gives the same program' <<'E'
# The tests may run in a copy of the sources that has no repository.
mkdir src
tar -C "$TOP" --exclude=./build --exclude=./.git -cf - . | tar -C src -xf -
git -C src init -q
git -C src add -A
git -C src commit -qm all
make -s -C src dist PACKAGES="$T/w"
tar -xf ikm-*.tar.gz; rm ikm-*.tar.gz
cd ikm-*
git -C ../src ls-tree -r --name-only HEAD | while read -r file; do [ -e "$file" ] || echo "$file"; done >missing
same '' "$(cat missing)"
GIT_CEILING_DIRECTORIES=$T make -s demo >../shown
# The date of the commit is in the program, so $BUILD may have another one.
make -s -C ../src build/ikm
cmp build/ikm ../src/build/ikm
E

if command -v mandoc >/dev/null; then
try 'the manual in HTML: a page for each page, no dead link, and an index of all sections' <<'E'
make -s -C "$TOP" html HTML="$T/w/html" >made
cd html
same "$(ls "$BUILD"/man/man?/* | sed 's|.*/||; s/$/.html/' | sort)" "$(ls | grep -v '^index' | sort)"
grep -oh 'href="[^"]*' *.html | sed 's/href="//' | grep -v '^https:' | sort -u >"$T/links"
sed -n 's/^\([^#]*[.]html\).*/\1/p' "$T/links" | sort -u | while read -r page; do [ -e "$page" ] || echo "$page"; done >"$T/dead"
same '' "$(cat "$T/dead")"
grep -q 'href="ikm-know.1.html#EXAMPLES">ikm-know.1</a>' index.html
not grep -nE '<(script|img|iframe|link)[^>]* (src|href)=' *.html
# An anchor for each section and each option, and no link to another.
for page in "$BUILD"/man/man?/*; do
	html=$(basename "$page").html
	grep -oE ' id="[^"]*' $html | sed 's/.*"//' | sort >"$T/has"
	uniq -d "$T/has"
	sed -n 's/^\.S[hs] //p; s/^\.It Fl \(.*Fl \)*\\-\([a-z-]*\).*/\2/p' "$page" |
		tr -d '"' | tr ' ' _ | sort -u | comm -23 - "$T/has"
	grep -oE 'href="#[^"]*' $html | sed 's/.*#//' | sort -u | comm -23 - "$T/has"
done >"$T/lost"
same '' "$(cat "$T/lost")"
E
else
	skip 'the manual in HTML' 'mandoc is missing'
fi

try 'npm installs the program of the machine without a script, and says where there is none' <<'E'
mkdir n app; package npm "$T/w/n"
cd app
npm init -y >/dev/null
npm install --silent --offline --no-audit ../n/ikm-linux-*.tgz ../n/ikm-0*.tgz
npx --no-install ikm version | grep -q '^ikm '
fails 2 npx --no-install ikm hash --nonsense
not grep -rn '"\(pre\|post\)*install"' node_modules/ikm*/package.json
rm -r node_modules/ikm-linux-*
fails 127 npx --no-install ikm version 2>../err
grep -q 'the package ikm-linux-.* is not installed' ../err
git init -q
npm_lifecycle_event=prepare CI='' node node_modules/ikm/bin/ikm.cjs hook install 2>../err
grep -q 'there is no program for .*: no hooks were installed' ../err
E

try 'with a script "prepare" each clone has hooks after npm install, but not in CI' <<'E'
sh "$TOP/t/sample.sh" team; cd team
echo '{"name": "team", "private": true, "scripts": {"build": "true"}}' >package.json
npm install --silent --offline --no-audit ../n/ikm-linux-*.tgz ../n/ikm-0*.tgz
npx --no-install ikm init | grep -x '  npx ikm hook install --npm .*'
npx --no-install ikm hook install --npm
same 'true ikm hook install' "$(jq -r '.scripts | "\(.build) \(.prepare)"' package.json)"
echo node_modules >.gitignore
git add -A; git commit -qm 'ikm for everybody'
cd ..
git clone -q team fresh; cd fresh
CI=1 npm install --offline --no-audit >../said 2>&1
[ ! -e .git/hooks/pre-commit ]
CI='' npm install --silent --offline --no-audit
jq '.dependencies.mysql2 = "3"' package.json >x; mv x package.json
git add -A
fails 1 git commit -qm bad
git archive HEAD >../team.tar
mkdir ../tar; cd ../tar; tar -xf ../team.tar
GIT_CEILING_DIRECTORIES=$T CI='' npm install --silent --offline --no-audit
E

# A registry that has these packages, and one for arm64 that no manager may install here.
if [ -d "$NPM/pnpm" ] && [ -d "$NPM/yarn" ]; then
cat >registry.py <<'P'
import base64, glob, hashlib, http.server, io, json, sys, tarfile
known, packed = {}, {}
def add(package, data):
    name, version = package['name'], package['version']
    path = '/%s/-/%s-%s.tgz' % (name, name, version)
    integrity = 'sha512-' + base64.b64encode(hashlib.sha512(data).digest()).decode()
    dist = dict(integrity=integrity, shasum=hashlib.sha1(data).hexdigest(), tarball=url + path)
    known['/' + name] = {'name': name, 'dist-tags': {'latest': version},
                         'versions': {version: dict(package, dist=dist)}}
    packed[path] = data
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        text = json.dumps(known[self.path]).encode() if self.path in known else packed.get(self.path)
        self.send_response(200 if text else 404)
        self.end_headers()
        self.wfile.write(text or b'{}')
    def log_message(self, *args):
        print(self.path, flush=True)
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
url = 'http://127.0.0.1:%d' % server.server_port
for name in glob.glob(sys.argv[1] + '/*.tgz'):
    package = json.load(tarfile.open(name).extractfile('package/package.json'))
    add(package, open(name, 'rb').read())
    if 'cpu' in package:
        package = dict(package, name='ikm-linux-arm64', cpu=['arm64'])
        text, packed_to = json.dumps(package).encode(), io.BytesIO()
        one = tarfile.TarInfo('package/package.json')
        one.size = len(text)
        with tarfile.open(fileobj=packed_to, mode='w:gz') as archive:
            archive.addfile(one, io.BytesIO(text))
        add(package, packed_to.getvalue())
print(url, flush=True)
server.serve_forever()
P
python3 registry.py n >asked 2>&1 &
server=$!
until [ -s asked ] || ! kill -0 $server; do sleep .1; done
npm_config_registry=$(head -n 1 asked) YARN_CACHE_FOLDER=$HOME/yarn
export npm_config_registry YARN_CACHE_FOLDER
for manager in npm pnpm yarn; do
	export manager
	try "$manager: a fresh clone has working hooks after the install" <<'E'
rm -rf team fresh
case $manager in
npm) manage() { npm --no-audit "$@"; }; add='install --save-dev' ;;
pnpm) manage() { node "$NPM/pnpm/bin/pnpm.cjs" "$@"; }; add='add -D' ;;
yarn) manage() { node "$NPM/yarn/bin/yarn.js" --non-interactive "$@"; }; add='add -D' ;;
esac
sh "$TOP/t/sample.sh" team; cd team
echo '{"name": "team", "private": true}' >package.json
manage $add ikm
node_modules/.bin/ikm hook install --npm
echo node_modules >.gitignore
git add -A; git commit -qm 'ikm for everybody'
cd ..
git clone -q team fresh; cd fresh
CI='' manage install
for hook in pre-commit pre-merge-commit pre-push post-commit; do [ -x .git/hooks/$hook ]; done
jq '.dependencies.mysql2 = "3"' package.json >../package.json; mv ../package.json .
fails 1 git commit -qam bad 2>../said
grep '^block PostgreSQL for relational data' ../said
[ "$(find node_modules/ -name 'ikm-linux-*' -type d | sed 's|.*/||; s/@.*//' | sort -u)" = "ikm-linux-$(node -p process.arch)" ]
E
done
kill $server
else
	skip 'pnpm and yarn install ikm' "npm's pnpm and yarn, which make check GET=1 installs, are missing"
fi

done_testing
