#!/bin/sh
# Forbidden packages that a manifest names in a roundabout way: stopped, or told as not known.
. "$(dirname "$0")/../lib.sh"

fresh() { # a repository with one blocking rule, and a manifest without what it forbids
	rm -rf app
	git init -q app
	cd app
	mkdir -p .ikm docs/adr
	echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
	cat >docs/adr/0001-no-mysql.md <<'M'
---
status: accepted
constraints:
  - {operator: must_not_use, target: dependency, pattern: 'mysql2?|mysqlclient', severity: block}
---
# No MySQL
M
	printf '{\n  "dependencies": {\n    "pg": "^8"\n  }\n}\n' >package.json
	git add -A
	git commit -qm base
}

put() { # PATH: from standard input
	case $1 in */*) mkdir -p "${1%/*}" ;; esac
	cat >"$1"
}

db() { # the entry of package.json
	printf '{\n  "dependencies": {\n    "db": "%s"\n  }\n}\n' "$1" >package.json
}

stopped() { # PATH LINE: of the violation
	git add -A
	fails 1 ikm check --staged --json >out
	jq -r '.violations[] | "\(.location.file) \(.location.line)"' out >places
	grep -qx "$1 $2" places || { cat out; return 1; }
}

unknown() { # N: as many names are told as not known, and nothing is stopped
	git add -A
	ikm check --staged --json >out
	same "$1" "$(jq .checked.unresolved out)"
}

try 'the prefix of an alias counts in any case' <<'E'
fresh; db 'NPM:mysql2@^3'
stopped package.json 3
E

try 'escapes in the address of a registry are no way around' <<'E'
fresh; db 'https://registry.npmjs.org/my%73ql2/-/my%73ql2-3.9.7.tgz'
stopped package.json 3
E

long 'an address is told: nobody knows the package' <<'E'
for address in sidorares/node-pool https://codeload.github.com/a/b/tar.gz/1 \
	https://cdn.example.com/a/b.tgz github:evil/x file:x.tgz; do
	fresh; db "$address"; unknown 1 || { echo "$address"; exit 1; }
	cd ..
done
E

try 'a catalog is resolved' <<'E'
fresh
printf 'catalog:\n  db: npm:mysql2@^3\n' >pnpm-workspace.yaml
db catalog:
stopped package.json 3
stopped pnpm-workspace.yaml 2
E

try 'a catalog of a commit before is resolved, above the manifest' <<'E'
fresh
printf 'catalogs:\n  x: {db: "npm:mysql2@^3"}\n' >pnpm-workspace.yaml
git add -A; git commit -qm catalog
mkdir -p packages/a
printf '{"dependencies": {"db": "catalog:x"}}\n' >packages/a/package.json
stopped packages/a/package.json 1
E

try 'a catalog that nobody has is told' <<'E'
fresh; db catalog:
unknown 1
E

try 'a folder is judged by the name in its manifest' <<'E'
fresh
echo '{"name": "mysql2"}' | put vendor/x/package.json
git add -A; git commit -qm vendored
db file:vendor/x
stopped package.json 3
E

try 'what is added by pnpm to packages of others' <<'E'
fresh
echo '{"pnpm": {"packageExtensions": {"a": {"dependencies": {"mysql2": "3"}}}}}' >package.json
stopped package.json 1
E

try 'options of pip that follow others on the line' <<'E'
fresh; echo '--pre -e git+https://x/y#egg=mysqlclient' >requirements.txt
stopped requirements.txt 1
echo '-i https://pypi.org/simple -r a.lst' >requirements.txt
unknown 1
echo '--no-index -c c.lst --trusted-host x --requirement f' >requirements.txt
unknown 2
E

try 'a name that is broken over lines' <<'E'
fresh; printf 'my\\\nsqlclient\n' >requirements.txt
stopped requirements.txt 1
E

try 'a byte that ends a line in the encoding that the file declares' <<'E'
fresh; printf '# coding: latin-1\n# x\205mysqlclient\n' >requirements.txt
stopped requirements.txt 2
E

try 'an included file that is not in the tree' <<'E'
fresh
echo build/ >.gitignore; mkdir build; echo mysqlclient >build/requirements.txt
echo x >base-requirements.txt
printf -- '-r build/requirements.txt\n-r ../requirements.txt\n-r base-requirements.txt\n' >requirements.txt
unknown 2
E

try 'lockfiles: gems and packages of folders' <<'E'
fresh
printf 'PATH\n  remote: vendor/x\n  specs:\n    mysql2 (0.5.3)\n' >Gemfile.lock
stopped Gemfile.lock 4
printf '[[package]]\nname = "mysqlclient"\nversion = "1"\n[package.source]\ntype = "directory"\n' >poetry.lock
stopped poetry.lock 2
printf '[[package]]\nname = "mysqlclient"\nsource = { editable = "vendor/x" }\n' >uv.lock
stopped uv.lock 2
E

try 'lockfiles of npm: a scope that a registry leaves out is there' <<'E'
fresh
printf '{"packages": {"node_modules/@d/mysql2": {"version": "2.0.0",\n"resolved": "%s"}}}\n' \
	https://r.example/npm/d/mysql2/-/mysql2-2.0.0.tgz >package-lock.json
unknown 0
sed -i 's,https.*tgz,https://registry.npmjs.org/mysql2/-/mysql2-2.0.0.tgz,' package-lock.json
stopped package-lock.json 2
E

try 'lockfiles of npm: what only the older form has' <<'E'
fresh
printf '{"packages": {"node_modules/a": {"version": "1.0.0"}},\n"dependencies": {"a":\n%s}}\n' \
	'{"version": "1.0.0", "dependencies": {"mysql2": {"version": "3.0.0"}}}' >package-lock.json
stopped package-lock.json 3
E

try 'lockfiles of yarn: members in quotes, and a workspace of any name' <<'E'
fresh
printf '"{{ x }}@workspace:.":\n  resolution: "{{ x }}@workspace:."\n\n"a@npm:1":\n%s\n' \
	'  "resolution": "mysql2@npm:3.0.0"' >yarn.lock
stopped yarn.lock 5
E

long 'tables of pyproject.toml' <<'E'
fresh
for table in tool.hatch.build.hooks.x 'tool.hatch.build.targets.wheel.hooks.x'; do
	printf '[%s]\ndependencies = ["mysqlclient"]\n' "$table" >pyproject.toml
	stopped pyproject.toml 2
done
printf '[tool.uv.extra-build-dependencies]\nx = ["mysqlclient"]\n' >pyproject.toml
stopped pyproject.toml 2
printf '[tool.pixi.pypi-dependencies]\nmysqlclient = "*"\n' >pyproject.toml
stopped pyproject.toml 2
E

try 'a manifest in another case' <<'E'
fresh; git mv package.json Package.json
printf '{"dependencies": {"mysql2": "3"}}\n' >Package.json
stopped Package.json 1
cd ..; fresh; echo 'A text in prose.' >REQUIREMENTS.TXT
unknown 1
E

done_testing
