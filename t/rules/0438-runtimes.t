#!/bin/sh
# Rules on runtimes, and on parts of PHP: stopped when a rule names them; allow-lists stay silent.
. "$(dirname "$0")/../lib.sh"

fresh() { # a repository with one blocking rule: OPERATOR PATTERN [MORE]
	rm -rf app
	git init -q app
	cd app
	mkdir -p .ikm docs/adr
	echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
	cat >docs/adr/0001-rule.md <<M
---
status: accepted
constraints:
  - {operator: $1, target: dependency, pattern: '$2', severity: block${3:+, $3}}
---
# A rule
M
	git add -A
	git commit -qm base
}

found() { # what stops the staged change, sorted
	git add -A
	ikm check --staged --json >out || [ $? = 1 ]
	jq -r '.violations[].found' out | sort
}

try "an extension of PHP is a package: its rule stops the commit that its example proves" <<'E'
fresh must_not_use ext-mysqli 'examples: {stops: ["composer:ext-mysqli"], passes: [ext-json, "composer:php"]}'
ikm know test 1 >../told
grep -q 'examples: 3 of 3 hold' ../told
ikm hook install >/dev/null
echo '{"require": {"php": "^8.2", "ext-mysqli": "*"}}' >composer.json
git add -A
fails 1 git commit -qm 'use mysqli' 2>err
grep -q 'composer.json:1:30  ext-mysqli \*' err
E

try "a rule that names a runtime sees it in each format" <<'E'
fresh must_not_use 'php|node|pnpm|python|go|toolchain|ruby|rust'
echo '{"require": {"php": "^8.2", "a/b": "*"}}' >composer.json
echo '{"engines": {"node": ">=18"}, "packageManager": "pnpm@9.1.0"}' >package.json
printf '[project]\nrequires-python = ">=3.9"\n' >pyproject.toml
printf 'module x\n\ngo 1.22\n\ntoolchain go1.22.3\n' >go.mod
printf 'ruby "3.2"\n' >Gemfile
printf '[package]\nname = "x"\nrust-version = "1.70"\n' >Cargo.toml
found >got
same 'go 1.22 (runtime)
node >=18 (runtime)
php ^8.2 (runtime)
pnpm 9.1.0 (as packageManager) (runtime)
python >=3.9 (as requires-python) (runtime)
ruby 3.2 (runtime)
rust 1.70 (as rust-version) (runtime)
toolchain 1.22.3 (runtime)' "$(cat got)"
E

try "the key of the format names the runtime too" <<'E'
fresh must_not_use requires-python
printf '[project]\nrequires-python = ">=3.9"\n' >pyproject.toml
same 'python >=3.9 (as requires-python) (runtime)' "$(found)"
E

try "versions: the ecosystem of the file reads them" <<'E'
fresh must_not_use 'php|python|node|go|ruby' "version: '<3'"
echo '{"require": {"php": "^2.4"}}' >composer.json
echo '{"engines": {"node": "^3 || 2.x"}}' >package.json
printf '[project]\nrequires-python = "~=2.7"\n' >pyproject.toml
printf 'module x\n\ngo 1.22\n' >go.mod
printf 'ruby "~> 3.1"\n' >Gemfile
same 'go 1.22 (runtime)
node ^3 || 2.x (runtime)
php ^2.4 (runtime)
python ~=2.7 (as requires-python) (runtime)' "$(found)"
E

try "must_use: a runtime that the rule names satisfies it" <<'E'
fresh must_use php "version: '>=8.1'"
echo '{"require": {"php": "^8.2"}}' >composer.json
git add -A
ikm check --all
echo '{"require": {"php": "^7.4"}}' >composer.json
git add -A
fails 1 ikm check --all >out
grep -q 'no dependency matches' out
E

long "a pattern for any package, or for a longer name, is no rule on runtimes" <<'E'
echo '{"engines": {"node": ">=18"}}' >package.json
printf '[project]\nrequires-python = ">=3.9"\n' >pyproject.toml
mkdir keep
mv package.json pyproject.toml keep
for pattern in '.*' '.+' '[a-z]+' '\w+' '(?!react$).*' '[^@].*' 'python-.*' 'nod' 'node-.*'; do
	fresh must_not_use "$pattern"
	cp ../keep/* .
	same '' "$(found)" || { echo "$pattern"; exit 1; }
	cd ..
done
fresh must_not_use 'node|python'
cp ../keep/* .
same 2 "$(found | wc -l | tr -d ' ')"
E

long "allow-lists do not have runtimes, unless they say so" <<'E'
for op in must_match must_not_match; do
	for said in '' 'runtimes: false' 'runtimes: true'; do
		[ $op = must_match ] && pattern='react|six' || pattern='node|python'
		fresh $op "$pattern" "$said"
		echo '{"engines": {"node": ">=18"}, "dependencies": {"react": "1"}}' >package.json
		printf '[project]\nrequires-python = ">=3.9"\ndependencies = ["six"]\n' >pyproject.toml
		found >../got
		if [ "$said" = 'runtimes: true' ]; then
			same 'node >=18 (runtime)
python >=3.9 (as requires-python) (runtime)' "$(cat ../got)" || { echo "$op $said"; exit 1; }
		else
			[ ! -s ../got ] || { echo "$op $said"; exit 1; }
		fi
		cd ..
	done
done
E

try "runtimes: true lets a pattern for any name see them, and belongs to the rule" <<'E'
fresh must_not_use '.*' 'runtimes: true'
echo '{"engines": {"node": ">=18"}}' >package.json
same 'node >=18 (runtime)' "$(found)"
jq -e '.violations[0].constraint.runtimes' out
ikm know for --json package.json | jq -e '.rules[0].runtimes'
sed -i 's/, runtimes: true//' docs/adr/0001-rule.md
git add -A
ikm check --staged | grep -q 'with runtimes'
E

try "runtimes is a member of rules on dependencies only, and true or false" <<'E'
fresh must_not_use x
sed -i "s/target: dependency/target: import, runtimes: true/" docs/adr/0001-rule.md
git add -A
fails 1 ikm check --staged >out
grep -q "'runtimes' is for target dependency only" out
sed -i "s/target: import, runtimes: true/target: dependency, runtimes: yes please/" docs/adr/0001-rule.md
git add -A
fails 1 ikm check --staged >out
grep -q "'runtimes' must be true or false" out
E

done_testing
