#!/bin/sh
# Bad input: each gives a clear error or finding that names it; none crashes, and none passes in
# silence.
. "$(dirname "$0")/../lib.sh"

rules() { # extra rule lines
	mkdir -p .knowledge/adrs
	{
		printf -- '---\nstatus: accepted\nseverity: block\nconstraints:\n'
		printf '  - {operator: must_not_use, target: dependency, pattern: mysql2}\n'
		[ -z "${1-}" ] || printf '%s\n' "$1"
		printf -- '---\n# Rules\n'
	} >.knowledge/adrs/rules.md
}

start() {
	git init -q -b main "$1"
	cd "$1"
	rules "${2-}"
	git add -A
	git commit -qm rules
}

for case in 'package.json:{"dependencies": {"a": "1",}' 'pyproject.toml:[project' \
	'Cargo.toml:[dependencies]
x = ' 'package-lock.json:{"packages": []}' 'go.mod:require (' 'Cargo.lock:[[package]]
name = 1' 'package.json:' 'yarn.lock:mysql2@^3' "pnpm-lock.yaml:packages: {mysql2@3.0.0: {}}"; do
	export case
	try "a manifest that does not parse blocks, and is named: ${case%%:*}" <<'E'
start m
name=${case%%:*}
printf '%s' "${case#*:}" >"$name"
git add -A
fails 1 ikm check --staged --json >../out
same false "$(jq .passed ../out)"
jq -e --arg n "$name" '[.notes[].file, .skipped[].file] | any(. == $n)' ../out
fails 1 ikm check --staged >../text
grep -q "$name" ../text
E
	rm -rf m
done

try 'a rule holds for what only a lockfile names' <<'E'
start locks
printf '{"dependencies": {"db": "npm:%s@^3"}}\n' safe >package.json
printf '"db@npm:safe@^3":\n  version "3.0.0"\n  dependencies:\n    mysql2 "^3"\n\nmysql2@^3:\n  version "3.1.0"\n' >yarn.lock
printf "lockfileVersion: '9.0'\n\npackages:\n\n  mysql2@3.1.0:\n    resolution: {integrity: sha512-x==}\n" >pnpm-lock.yaml
printf 'GEM\n  remote: https://rubygems.org/\n  specs:\n    mysql2 (0.5.3)\n' >Gemfile.lock
printf '[[package]]\nname = "mysql2"\nversion = "1"\n' >uv.lock
git add -A
fails 1 ikm check --staged --json >../out
same '["Gemfile.lock:4","pnpm-lock.yaml:5","uv.lock:2","yarn.lock:6"]' \
	"$(jq -c '[.violations[] | "\(.location.file):\(.location.line)"] | sort' ../out)"
E
rm -rf locks

try 'front matter that does not parse blocks the change that brings it, with file and line' <<'E'
start f
printf -- '---\nstatus: accepted\nconstraints:\n  - {operator: must_not_use\n---\n# X\n' >.knowledge/adrs/x.md
git add -A
fails 1 ikm check --staged >../out
grep -q 'broken knowledge (blocks) .knowledge/adrs/x.md:[0-9]' ../out
git commit -qnm x
echo y >y
git add y
ikm check --staged >../out
grep -q 'broken knowledge .knowledge/adrs/x.md' ../out
fails 1 ikm check --all
E

try 'a regular expression that does not compile is broken knowledge' <<'E'
start r
rules '  - {operator: must_not_use, target: code, pattern: "a(b"}'
git add -A
fails 1 ikm check --staged >../out
grep -q 'broken knowledge (blocks) .knowledge/adrs/rules.md:6' ../out
E

try 'a regular expression that would run for ever is a finding that names it' <<'E'
start e '  - {operator: must_not_use, target: code, pattern: "(x+x+)+y", appliesTo: ["*.c"]}'
{ head -c 5000 /dev/zero | tr '\0' x; printf '\ny\n'; } >slow.c # the y keeps a quick answer away
git add -A
fails 1 timeout 20 ikm check --staged >../out
grep -q 'slow.c' ../out
grep -qF '(x+x+)+y' ../out
E

try 'a file of 1 GiB is told, not read' <<'E'
start g '  - {operator: must_not_use, target: code, pattern: "bad", appliesTo: ["*.c"]}'
truncate -s 1G big.c
(
	# AddressSanitizer's own shadow is larger than any limit.
	grep -q __asan_init "$BUILD/test/ikm" || ulimit -v 500000
	ikm check --all --json
) >../out
jq -e '.skipped[] | select(.file == "big.c") | .why == "too_big" and .blocking' ../out
ikm check --all | grep -q '^not judged: big.c: it has over [0-9]* bytes (check.maxFileSize)'
rm big.c
E

try 'an unreadable file is trouble that names it' <<'E'
start u '  - {operator: must_not_use, target: code, pattern: "bad"}'
echo x >locked.c
chmod 0 locked.c
rc=0
ikm check --all >../out 2>../err || rc=$?
[ $rc != 0 ]
cat ../out ../err | grep -q locked.c
E

try 'a dependency that only a program knows is told by a hook that passes' <<'E'
start n
ikm hook install >../out
printf '%s\n' 'requests==2.0' '${EXTRA}' >requirements.txt
git add -A
git commit -qm requirements 2>../said
grep -q 'unresolved: 1 dependency name' ../said
grep -q "^not judged: requirements.txt:2:1: the package of '\${EXTRA}' is not known: .*(rule rules)$" ../said
E

try 'no repository: an error with what to do, and none for a tool that needs none' <<'E'
mkdir plain
cd plain
fails 3 ikm check --staged 2>../err
grep -q 'not a Git repository' ../err
fails_for NO_REPOSITORY ikm check --all
ikm know list 2>/dev/null || [ $? = 1 ]
echo '{"dependencies": [{"name": "a"}]}' | ikm call knowledge_check | jq -e .nothingJudged
E

try 'a repository that may not be read is trouble, not the lack of one' <<'E'
start p
chmod 0 .git
echo '{"dependencies": []}' >../input
for ask in 'ikm check --staged' 'ikm know list' 'ikm call knowledge_check <../input'; do
	rc=0
	eval "$ask" >../out 2>../err || rc=$?
	[ $rc = 8 ] || { echo "$ask: $rc"; cat ../out ../err; exit 1; }
	grep -q 'cannot be read' ../err
done
chmod 755 .git
E

try 'an index, a HEAD and an object that are damaged are named' <<'E'
start d
echo a >a.c
git add a.c
blob=$(git rev-parse :a.c)
path=.git/objects/$(echo "$blob" | sed 's|..|&/|')
rules '  - {operator: must_not_use, target: code, pattern: "bad"}'
git add -A
chmod u+w "$path"
head -c 5 "$path" >cut && cat cut >"$path" && rm cut
fails 8 timeout 10 ikm check --staged 2>../err
grep -q "a.c\|$blob" ../err
printf 'DIRC\0\0\0\2\0\0\1\0garbage' >.git/index
fails 8 timeout 10 ikm check --staged 2>../err
grep -q 'index' ../err
E

try 'the words of a command line: empty, too long, not UTF-8, odd ranges' <<'E'
start w
for range in '' .. ..HEAD HEAD x..y HEAD~9..HEAD 'a b..c' "$(printf 'x\377..HEAD')" '--all..HEAD'; do
	rc=0
	ikm check --range="$range" >../out 2>../err || rc=$?
	[ $rc = 2 ] || { echo "'$range': $rc"; cat ../err; exit 1; }
	[ -s ../err ]
done
fails_for BAD_ARGUMENT ikm check --staged --all
fails_for BAD_ARGUMENT ikm check ''
fails_for BAD_PATH ikm check /etc
fails_for FILE_NOT_FOUND ikm check no-such-file
E
done_testing
