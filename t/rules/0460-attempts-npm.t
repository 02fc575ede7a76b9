#!/bin/sh
# Attempts to bring in a forbidden package with npm, yarn, pnpm and bun.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/attempts.sh"

# ---- package.json: where a name may stand ----

for table in dependencies devDependencies optionalDependencies peerDependencies resolutions \
	overrides; do
	attempt "package.json: $table" stopped 'package.json:' <<E
echo '{"$table": {"mysql2": "^3"}}' >package.json
E
done
for table in bundledDependencies bundleDependencies; do
	attempt "package.json: $table alone" stopped 'package.json' <<E
echo '{"$table": ["mysql2"]}' >package.json
E
done
attempt 'package.json: pnpm.overrides' stopped 'package.json:1' <<'E'
echo '{"pnpm": {"overrides": {"pg>db": "npm:mysql2@3"}}}' >package.json
E
attempt 'package.json: pnpm.packageExtensions' stopped 'package.json:1' <<'E'
echo '{"pnpm": {"packageExtensions": {"pg": {"peerDependencies": {"mysql2": "3"}}}}}' >package.json
E
attempt 'package.json: nested overrides' stopped 'package.json:1' <<'E'
echo '{"overrides": {"pg": {"db": {".": "npm:mysql2@3"}}}}' >package.json
E
attempt 'package.json: an override that refers to a dependency by $' stopped 'package.json' <<'E'
echo '{"dependencies": {"db": "npm:mysql2@3"}, "overrides": {"x": "$db"}}' >package.json
E
attempt 'package.json: a resolution with a path' stopped 'package.json:1' <<'E'
echo '{"resolutions": {"**/pg/db": "npm:mysql2@3"}}' >package.json
E
attempt 'package.json: bun catalog' stopped 'package.json' <<'E'
echo '{"workspaces": {"packages": ["p/*"], "catalog": {"db": "npm:mysql2@3"}}, "dependencies": {"db": "catalog:"}}' >package.json
E
attempt 'package.json: bun catalogs at the top' stopped 'package.json' <<'E'
echo '{"workspaces": ["p/*"], "catalogs": {"x": {"mysql2": "3"}}, "dependencies": {"mysql2": "catalog:x"}}' >package.json
E

# ---- package.json: how the package may be written ----

for spec in npm:mysql2@^3 NPM:mysql2@^3 npm:mysql2 npm:MySQL2@3 ' npm:mysql2@3' 'npm: mysql2@3' \
	https://registry.npmjs.org/mysql2/-/mysql2-3.9.7.tgz \
	https://registry.yarnpkg.com/mysql2/-/mysql2-3.9.7.tgz \
	https://registry.npmjs.org/my%73ql2/-/my%73ql2-3.9.7.tgz \
	HTTPS://REGISTRY.NPMJS.ORG/mysql2/-/mysql2-3.9.7.tgz \
	'https:\/\/registry.npmjs.org\/mysql2\/-\/mysql2-3.9.7.tgz' \
	https://npm.pkg.example.com/mysql2/-/mysql2-3.9.7.tgz \
	git+https://github.com/sidorares/mysql2.git git+ssh://git@github.com/x/mysql2.git#v3 \
	github:sidorares/mysql2 sidorares/mysql2 gitlab:x/mysql2 bitbucket:x/mysql2 \
	workspace:mysql2@* 'patch:mysql2@npm%3A3.9.7#x.patch' 'npm:\u006dysql2@3'; do
	attempt "package.json: the specification '$spec'" either 'package.json:4' <<E
cat >package.json <<'J'
{
  "dependencies": {
    "pg": "^8",
    "db": "$spec"
  }
}
J
E
done
for spec in sidorares/node-pool github:x/y git://host/x.git git@github.com:x/y.git \
	https://codeload.github.com/a/b/tar.gz/1 https://cdn.example.com/a/b.tgz \
	gist:11081aaa281 file:vendor/x.tgz file:../x link:../x portal:../x exec:./x.js \
	catalog: catalog:none './vendor/x' /opt/x; do
	attempt "package.json: the specification '$spec' is told with its line" told 'package.json:4' <<E
db '$spec'
E
done
attempt 'package.json: a folder of the tree, by its name' stopped 'package.json' <<'E'
echo '{"name": "mysql2"}' | put vendor/x/package.json; db file:vendor/x
E
attempt 'package.json: a folder that was vendored before, by a link' stopped 'package.json' <<'E'
echo '{"name": "mysql2"}' | put vendor/x/package.json; commit; db link:./vendor/x
E
attempt 'package.json: a workspace that has the name' stopped 'package.json' <<'E'
echo '{"name": "mysql2", "version": "1.0.0"}' | put p/x/package.json
echo '{"workspaces": ["p/*"], "dependencies": {"mysql2": "workspace:*"}}' >package.json
E

# ---- package.json: how JSON may be written ----

attempt 'package.json: an escape in the key' stopped 'package.json:1' <<'E'
printf '{"dependencies": {"my\\u0073ql2": "3"}}\n' >package.json
E
attempt 'package.json: an escape in the name of the table' stopped 'package.json:1' <<'E'
printf '{"depend\\u0065ncies": {"mysql2": "3"}}\n' >package.json
E
attempt 'package.json: the table twice, the last is good' stopped 'package.json' <<'E'
echo '{"dependencies": {"mysql2": "3"}, "dependencies": {"pg": "8"}}' >package.json
E
attempt 'package.json: the table twice, the last is bad' stopped 'package.json' <<'E'
echo '{"dependencies": {"pg": "8"}, "dependencies": {"mysql2": "3"}}' >package.json
E
attempt 'package.json: the key twice' stopped 'package.json' <<'E'
echo '{"dependencies": {"db": "8", "db": "npm:mysql2@3"}}' >package.json
E
attempt 'package.json: after a byte order mark' stopped 'package.json:1' <<'E'
printf '\357\273\277{"dependencies": {"mysql2": "3"}}\n' >package.json
E
attempt 'package.json: CRLF' stopped 'package.json:3' <<'E'
printf '{\r\n"dependencies": {\r\n"mysql2": "3"}}\r\n' >package.json
E
attempt 'package.json: carriage returns alone' stopped 'package.json' <<'E'
printf '{\r"dependencies": {\r"mysql2": "3"}}\r' >package.json
E
attempt 'package.json: comments' stopped 'package.json' <<'E'
printf '{ // x\n"dependencies": {"mysql2": "3"}}\n' >package.json
E
attempt 'package.json: a comma too many' stopped 'package.json' <<'E'
printf '{"dependencies": {"mysql2": "3",},}\n' >package.json
E
attempt 'package.json: text behind' stopped 'package.json' <<'E'
printf '{}\n{"dependencies": {"mysql2": "3"}}\n' >package.json
E
attempt 'package.json: UTF-16' stopped 'package.json' <<'E'
printf '{"dependencies": {"mysql2": "3"}}\n' | iconv -t UTF-16 >package.json
E
attempt 'package.json: UTF-16LE without a mark' stopped 'package.json' <<'E'
printf '{"dependencies": {"mysql2": "3"}}\n' | iconv -t UTF-16LE >package.json
E
attempt 'package.json: UTF-16 by .gitattributes' stopped 'package.json' <<'E'
echo 'package.json working-tree-encoding=UTF-16' >.gitattributes
printf '{"dependencies": {"mysql2": "3"}}\n' | iconv -t UTF-16 >package.json
E
attempt 'package.json: a NUL byte' stopped 'package.json' <<'E'
printf '{"dependencies": {"mysql2": "3"}}\n\0' >package.json
E
attempt 'package.json: an array' stopped 'package.json' <<'E'
printf '[{"dependencies": {"mysql2": "3"}}]\n' >package.json
E
attempt 'package.json: dependencies as a list' stopped 'package.json' <<'E'
printf '{"dependencies": ["mysql2"]}\n' >package.json
E
attempt 'package.json: capital letters' stopped 'package.json:1' <<'E'
printf '{"dependencies": {"MySQL2": "3"}}\n' >package.json
E
attempt 'package.json: a Git LFS pointer' stopped 'package.json' <<'E'
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 40\n' 1 >package.json
E
attempt 'package.json: called binary and generated' stopped 'package.json' <<'E'
printf 'package.json binary linguist-generated linguist-vendored -diff export-ignore\n' >.gitattributes
printf '{"dependencies": {"mysql2": "3"}}\n' >package.json
E
attempt 'package.json: attributes in a commit before' stopped 'package.json' <<'E'
printf '* linguist-generated linguist-vendored binary\n' >.gitattributes; commit
printf '{"dependencies": {"mysql2": "3"}}\n' >package.json
E

# ---- package.json: where the file may be ----

for place in packages/x .hidden node_modules/x vendor/x 'a b/ü' test/fixtures docs/adr a/b/c/d/e/f; do
	attempt "package.json in '$place'" stopped "package.json" <<E
echo '{"dependencies": {"mysql2": "3"}}' | put '$place/package.json'
git add -f '$place/package.json'
E
done
attempt 'package.json in an ignored folder, added by force' stopped 'build/package.json' <<'E'
echo build >.gitignore; echo '{"dependencies": {"mysql2": "3"}}' | put build/package.json
git add -f build
E
attempt 'package.json in another case' either 'Package.json' <<'E'
echo '{"dependencies": {"mysql2": "3"}}' >Package.json
E
attempt 'package.json as a link to a file of the tree' either 'package.json' <<'E'
echo '{"dependencies": {"mysql2": "3"}}' >deps.json; rm package.json; ln -s deps.json package.json
E
attempt 'package.json as a link to outside' stopped 'package.json' <<'E'
rm package.json; ln -s ../../x.json package.json
E
attempt 'package.json by git mv of a file with another name' stopped 'package.json' <<'E'
echo '{"dependencies": {"mysql2": "3"}, "description": "a long text to be similar"}' >deps.json; commit
git mv -f deps.json package.json
E
attempt 'package.json moved from a folder, with the package' silent '' <<'E'
echo '{"dependencies": {"mysql2": "3"}, "description": "a long text to be similar"}' | put a/package.json
skipped; git mv a b
E
attempt 'package.json copied from a folder, with the package' stopped 'b/package.json' <<'E'
echo '{"dependencies": {"mysql2": "3"}, "description": "a long text to be similar"}' | put a/package.json
skipped; cp -r a b
E
attempt 'package.json of a submodule' told 'vendor/mysql2' <<'E'
git init -q sub; echo '{"name": "mysql2"}' >sub/package.json
git -C sub add -A; git -C sub commit -qm x
git -c protocol.file.allow=always submodule --quiet add "$PWD/sub" vendor/mysql2
rm -rf sub
E
attempt 'package.json in a nested repository' told 'vendor/mysql2' <<'E'
git init -q vendor/mysql2; echo '{"name": "mysql2"}' >vendor/mysql2/package.json
git -C vendor/mysql2 add -A; git -C vendor/mysql2 commit -qm x
E

# ---- lockfiles ----

attempt 'package-lock.json version 1' stopped 'package-lock.json:1' <<'E'
echo '{"lockfileVersion": 1, "dependencies": {"mysql2": {"version": "3.9.7"}}}' >package-lock.json
E
attempt 'package-lock.json version 1: nested' stopped 'package-lock.json:1' <<'E'
echo '{"lockfileVersion": 1, "dependencies": {"pg": {"version": "8.0.0", "dependencies": {"mysql2": {"version": "3.9.7"}}}}}' >package-lock.json
E
attempt 'package-lock.json version 1: an alias' stopped 'package-lock.json:1' <<'E'
echo '{"lockfileVersion": 1, "dependencies": {"db": {"version": "npm:mysql2@3.9.7"}}}' >package-lock.json
E
attempt 'package-lock.json version 2: the old part' stopped 'package-lock.json:1' <<'E'
echo '{"lockfileVersion": 2, "packages": {"": {}}, "dependencies": {"mysql2": {"version": "3.9.7"}}}' >package-lock.json
E
attempt 'package-lock.json version 3' stopped 'package-lock.json:1' <<'E'
echo '{"lockfileVersion": 3, "packages": {"": {}, "node_modules/mysql2": {"version": "3.9.7"}}}' >package-lock.json
E
attempt 'package-lock.json version 3: nested' stopped 'package-lock.json:1' <<'E'
echo '{"lockfileVersion": 3, "packages": {"node_modules/pg/node_modules/mysql2": {"version": "3.9.7"}}}' >package-lock.json
E
attempt 'package-lock.json version 3: an alias by name' stopped 'package-lock.json:1' <<'E'
echo '{"lockfileVersion": 3, "packages": {"node_modules/db": {"name": "mysql2", "version": "3.9.7"}}}' >package-lock.json
E
attempt 'package-lock.json version 3: another package by resolved' stopped 'package-lock.json:1' <<'E'
echo '{"lockfileVersion": 3, "packages": {"node_modules/db": {"version": "3.9.7", "resolved": "https://registry.npmjs.org/mysql2/-/mysql2-3.9.7.tgz"}}}' >package-lock.json
E
attempt 'package-lock.json version 3: resolved by git' told 'package-lock.json:1' <<'E'
echo '{"lockfileVersion": 3, "packages": {"node_modules/db": {"version": "3.9.7", "resolved": "git+ssh://git@github.com/x/y.git#0123"}}}' >package-lock.json
E
attempt 'package-lock.json: a version of the future' either 'package-lock.json' <<'E'
echo '{"lockfileVersion": 9, "tree": {"mysql2": {"version": "3.9.7"}}}' >package-lock.json
E
attempt 'npm-shrinkwrap.json' stopped 'npm-shrinkwrap.json:1' <<'E'
echo '{"lockfileVersion": 3, "packages": {"node_modules/mysql2": {"version": "3.9.7"}}}' >npm-shrinkwrap.json
E
attempt 'node_modules/.package-lock.json' either '.package-lock.json' <<'E'
echo '{"lockfileVersion": 3, "packages": {"node_modules/mysql2": {"version": "3.9.7"}}}' | put node_modules/.package-lock.json
E
attempt 'yarn.lock of yarn 1' stopped 'yarn.lock:' <<'E'
printf '# yarn lockfile v1\n\n\nmysql2@^3:\n  version "3.9.7"\n' >yarn.lock
E
attempt 'yarn.lock of yarn 1: an alias' stopped 'yarn.lock:' <<'E'
printf '# yarn lockfile v1\n\n\n"db@npm:mysql2@^3":\n  version "3.9.7"\n' >yarn.lock
E
attempt 'yarn.lock of yarn 1: another package by resolved' stopped 'yarn.lock:' <<'E'
printf '# yarn lockfile v1\n\n\n"db@^3":\n  "version" "3.9.7"\n  "resolved" "https://registry.yarnpkg.com/mysql2/-/mysql2-3.9.7.tgz#a"\n' >yarn.lock
E
attempt 'yarn.lock of yarn 1: an address' told 'yarn.lock:' <<'E'
printf '# yarn lockfile v1\n\n\n"db@https://github.com/x/y.git":\n  version "3.9.7"\n  resolved "https://github.com/x/y.git#1"\n' >yarn.lock
E
attempt 'yarn.lock of yarn 2 and later' stopped 'yarn.lock:' <<'E'
printf '__metadata:\n  version: 8\n\n"db@npm:^3":\n  version: 3.9.7\n  resolution: "mysql2@npm:3.9.7"\n  linkType: hard\n' >yarn.lock
E
attempt 'yarn.lock of yarn 2 and later: an address' either 'yarn.lock' <<'E'
printf '__metadata:\n  version: 8\n\n"db@https://github.com/x/y.git":\n  version: 3.9.7\n  resolution: "db@https://github.com/x/y.git#commit=1"\n  linkType: hard\n' >yarn.lock
E
attempt 'yarn.lock with the marks of a conflict' stopped 'yarn.lock' <<'E'
printf '# yarn lockfile v1\n\n<<<<<<< HEAD\n=======\nmysql2@^3:\n  version "3.9.7"\n>>>>>>> x\n' >yarn.lock
E
attempt 'pnpm-lock.yaml version 5' stopped 'pnpm-lock.yaml:' <<'E'
printf 'lockfileVersion: 5.4\npackages:\n  /mysql2/3.9.7:\n    resolution: {integrity: sha512-x}\n' >pnpm-lock.yaml
E
attempt 'pnpm-lock.yaml version 6' stopped 'pnpm-lock.yaml:' <<'E'
printf "lockfileVersion: '6.0'\npackages:\n  /mysql2@3.9.7:\n    resolution: {integrity: sha512-x}\n" >pnpm-lock.yaml
E
attempt 'pnpm-lock.yaml version 9' stopped 'pnpm-lock.yaml:' <<'E'
printf "lockfileVersion: '9.0'\npackages:\n  mysql2@3.9.7:\n    resolution: {integrity: sha512-x}\n" >pnpm-lock.yaml
E
attempt 'pnpm-lock.yaml: an archive by its address' either 'pnpm-lock.yaml:' <<'E'
printf "lockfileVersion: '9.0'\npackages:\n  db@https://codeload.github.com/x/y/tar.gz/1:\n    resolution: {tarball: 'https://codeload.github.com/x/y/tar.gz/1'}\n    version: 1.0.0\n" >pnpm-lock.yaml
E
attempt 'pnpm-lock.yaml: a YAML anchor' either 'pnpm-lock.yaml' <<'E'
printf "x: &a {mysql2@3.9.7: {resolution: {integrity: x}}}\nlockfileVersion: '9.0'\npackages: *a\n" >pnpm-lock.yaml
E
attempt 'pnpm-lock.yaml: several documents' either 'pnpm-lock.yaml' <<'E'
printf "lockfileVersion: '9.0'\npackages: {}\n---\nlockfileVersion: '9.0'\npackages:\n  mysql2@3.9.7: {}\n" >pnpm-lock.yaml
E
attempt 'pnpm-workspace.yaml: overrides' stopped 'pnpm-workspace.yaml:' <<'E'
printf 'packages: []\noverrides:\n  db: npm:mysql2@3\n' >pnpm-workspace.yaml
E
attempt 'pnpm-workspace.yaml: packageExtensions' stopped 'pnpm-workspace.yaml:' <<'E'
printf 'packageExtensions:\n  pg:\n    dependencies:\n      mysql2: "3"\n' >pnpm-workspace.yaml
E
attempt 'pnpm-workspace.yaml: a catalog' stopped 'pnpm-workspace.yaml:' <<'E'
printf 'catalogs:\n  x:\n    db: npm:mysql2@^3\n' >pnpm-workspace.yaml
E
attempt 'pnpm-workspace.yaml: a catalog that is used already' stopped 'pnpm-workspace.yaml:' <<'E'
printf 'catalog:\n  db: ^1\n' >pnpm-workspace.yaml; db catalog:; commit
printf 'catalog:\n  db: npm:mysql2@^3\n' >pnpm-workspace.yaml
E
attempt 'pnpm-workspace.yaml: configDependencies' either 'pnpm-workspace.yaml' <<'E'
printf 'configDependencies:\n  mysql2: 3.9.7+sha512-x\n' >pnpm-workspace.yaml
E
attempt 'pnpm-workspace.yaml: a merge key' either 'pnpm-workspace.yaml' <<'E'
printf 'x: &x {db: "npm:mysql2@3"}\ncatalog:\n  <<: *x\n' >pnpm-workspace.yaml
E

# ---- what ikm has no reader for ----

attempt 'bun.lock' stopped 'bun.lock:1' <<'E'
printf '{"lockfileVersion": 1, "packages": {"mysql2": ["mysql2@3.9.7"]}}\n' >bun.lock
E
attempt 'bun.lockb' told 'not judged: bun.lockb' <<'E'
printf '\0\1\2mysql2' >bun.lockb
E
attempt 'package.json5' told 'not judged: package.json5' <<'E'
printf "{dependencies: {mysql2: '3'}}\n" >package.json5
E
attempt 'package.yaml' stopped 'package.yaml:' <<'E'
printf "dependencies:\n  mysql2: '3'\n" >package.yaml
E
attempt 'package.yaml in flow style, with escapes' stopped 'package.yaml:' <<'E'
printf '{"dep\\u0065ndenci\\u0065s": {mysql2: "3"}}\n' >package.yaml
E
attempt '.yarnrc.yml: packageExtensions' stopped '.yarnrc.yml:' <<'E'
printf 'packageExtensions:\n  "pg@*":\n    dependencies:\n      mysql2: "3"\n' >.yarnrc.yml
E
attempt '.yarnrc.yml: packageExtensions in flow style' stopped '.yarnrc.yml:' <<'E'
printf '{"packageExtensions": {"pg@*": {"dependencies": {"mysql2": "3"}}}}\n' >.yarnrc.yml
E
attempt '.pnpmfile.cjs' told 'not judged: .pnpmfile.cjs' <<'E'
echo 'module.exports = {hooks: {readPackage (p) { p.dependencies.mysql2 = "3"; return p }}}' >.pnpmfile.cjs
E
attempt 'deno.json' stopped 'deno.json:' <<'E'
echo '{"imports": {"db": "npm:mysql2@3"}}' >deno.json
E
attempt 'an import map' stopped 'import_map.json:' <<'E'
echo '{"imports": {"db": "npm:mysql2@3"}}' >import_map.json
E
attempt 'bower.json' told 'not judged: bower.json' <<'E'
echo '{"dependencies": {"mysql2": "3"}}' >bower.json
E
attempt '.pnp.cjs' told '.pnp.cjs' <<'E'
printf 'const RAW = `{"packageRegistryData": [["mysql2", []]]}`\n' >.pnp.cjs
E

done_testing
