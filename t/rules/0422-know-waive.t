#!/bin/sh
# ikm know waive writes an exception; ikm know list --waivers lists all of them.
. "$(dirname "$0")/../lib.sh"

IKM_NOW=2026-11-23T12:00:00Z
export IKM_NOW
add_mysql() { mkdir -p "$1"; echo '{"dependencies": {"mysql2": "^3", "mariadb": "1"}}' >"$1/package.json"; }
fingerprint() { ikm check --json | jq -r ".violations[$1].fingerprint"; }

try 'an item, paths, a reason and an end; all other bytes of the file stay' <<'E'
sh "$TOP/t/sample.sh" r; cd r
ikm know waive 1 --path legacy/ --path '*.old' --reason 'the old shop: until the move' \
	--until 2027-06-30 --owner 'Team Shop' >"$T/out"
same '.ikm/waivers.yaml:3: PostgreSQL for relational data is waived in legacy/, *.old until 2027-06-30 (219 days left)
this exception for 0001-postgresql-for-relational-data matches nothing: remove it, or correct it
next: git add .ikm/waivers.yaml, and commit it; agents and servers accept it when it is merged' "$(cat "$T/out")"
same '- item: 0001-postgresql-for-relational-data
  paths: ["legacy/", "*.old"]
  reason: "the old shop: until the move"
  owner: Team Shop
  expires: 2027-06-30' "$(grep -v '^#' .ikm/waivers.yaml)"
printf '\n# kept\n' >>.ikm/waivers.yaml; cp .ikm/waivers.yaml "$T/was"
ikm know waive 2 -p src/ -m debugging --until 2027-01-01 --constraint 1 --json >"$T/out"
same '["0002-no-console-in-services",1,["src/"],"Ada",10,0]' \
	"$(jq -c '[.item, .constraint, .paths, .owner, .line, .matches]' "$T/out")"
head -c "$(wc -c <"$T/was")" .ikm/waivers.yaml | cmp - "$T/was"
ikm check
E

try 'a finding gives its rule, its path and its package' <<'E'
cd r; rm .ikm/waivers.yaml
add_mysql 'odd [x]'
one=$(fingerprint 0); two=$(fingerprint 1)
ikm know waive "$one" --reason why --until 2027-06-30 >"$T/out"
grep -q 'it waives 1 finding of the working tree' "$T/out"
grep -q '^  found: \["m[a-z0-9]*"\]' .ikm/waivers.yaml
grep -q '^  paths: \["/odd \\\\\[x\\\\\]/package.json"\]' .ikm/waivers.yaml
same "$two" "$(fingerprint 0)"
same 1 "$(ikm check --json | jq '.violations | length')"
ikm why "$one" >"$T/out"
grep -q '^exception: .ikm/waivers.yaml:3, 219 days left: why' "$T/out"
same why "$(ikm why "$one" --json | jq -r .finding.waiver.reason)"
ikm know waive "$two" --reason why --until 2027-06-30 --path '*' >"$T/out"
ikm check
E

try 'the same with a later end waives the finding, and names the entry that it replaces' <<'E'
cd r; cp .ikm/waivers.yaml "$T/was"
ikm know waive 1 -p '*' -m why --until 2027-08-30 >"$T/out" 2>&1
grep -q 'it waives 2 findings of the working tree' "$T/out"
same 'the exception at .ikm/waivers.yaml:10 is not needed any more: remove it' \
	"$(grep 'not needed' "$T/out")"
ikm know waive 1 -p 'odd*' -m why --until 2027-07-30 >"$T/out" 2>&1
grep -q '^this exception for 0001-postgresql-for-relational-data is not needed: what it covers is waived' "$T/out"
cp "$T/was" .ikm/waivers.yaml
E

long 'what cannot be granted is refused, and writes nothing' <<'E'
cd r; cp .ikm/waivers.yaml "$T/was"
waive() { fails_for "$@" 2>"$T/err"; cmp -s .ikm/waivers.yaml "$T/was"; }
waive OUT_OF_RANGE ikm know waive 2 -p a -m x --until 2027-11-25
grep -q 'is 367 days ahead; an exception may last 366 days' "$T/err"
waive OUT_OF_RANGE ikm know waive 2 -p a -m x --until 2026-11-22
grep -q 'is in the past' "$T/err"
waive BAD_ARGUMENT ikm know waive 2 -p a -m x --until tomorrow
waive BAD_ARGUMENT ikm know waive 2 -p a -m x --until 2027-02-30
waive OUT_OF_RANGE ikm know waive 2 -p a -m ' ' --until 2027-01-01
waive OUT_OF_RANGE ikm know waive 2 -p a -m x --until 2027-01-01 --constraint 2
waive MISSING_PARAMETER ikm know waive 2 -m x --until 2027-01-01
waive MISSING_PARAMETER ikm know waive 2 -p a --until 2027-01-01
waive BAD_PATTERN ikm know waive 2 -p '!a' -m x --until 2027-01-01
waive NO_SUCH_ITEM ikm know waive 0009 -p a -m x --until 2027-01-01
waive NO_SUCH_ITEM ikm know waive 0123456789ab -m x --until 2027-01-01
ikm know waive 2 -p a -p b -m x --until 2027-06-30; cp .ikm/waivers.yaml "$T/was"
waive EXISTS ikm know waive 2 -p b -m x --until 2027-06-01 --constraint 1
grep -q 'to change its date or reason, edit .ikm/waivers.yaml:' "$T/err"
sed -i 's/^    severity: block/&\n    waivable: false/' docs/adr/0001*
waive NOT_ALLOWED ikm know waive 1 -p a -m x --until 2027-01-01
grep -q 'cannot be waived: they say waivable: false' "$T/err"
git checkout -q docs
E

try 'a file that cannot take an entry is left as it is, and the entry is shown' <<'E'
cd r
for text in '[]' '- item: 1' 'a: b'; do
	echo "$text" >.ikm/waivers.yaml
	fails_for BAD_YAML ikm know waive 2 -p a -m x --until 2027-01-01 2>"$T/err"
	same "$text" "$(cat .ikm/waivers.yaml)"
done
rm .ikm/waivers.yaml; ln -s ../package.json .ikm/waivers.yaml; cp package.json "$T/was"
fails_for NOT_A_FILE ikm know waive 2 -p a -m x --until 2027-01-01
cmp package.json "$T/was"; rm .ikm/waivers.yaml
mkdir .ikm/waivers.yaml
fails_for NOT_A_FILE ikm know waive 2 -p a -m x --until 2027-01-01
rmdir .ikm/waivers.yaml
cp -R .ikm "$T/else"; mv .ikm "$T/away"; ln -s "$T/else" .ikm
fails_for NOT_A_FILE ikm know waive 2 -p a -m x --until 2027-01-01 --knowledge docs/adr 2>"$T/err"
grep -q "'.ikm' is a symbolic link" "$T/err"
fails 1 test -e "$T/else/waivers.yaml"
rm .ikm; mv "$T/away" .ikm
yes '# a long comment' | head -c 1048500 >.ikm/waivers.yaml; echo >>.ikm/waivers.yaml
cp .ikm/waivers.yaml "$T/was"
fails_for TOO_BIG ikm know waive 2 -p a -m x --until 2027-01-01
cmp .ikm/waivers.yaml "$T/was"; rm .ikm/waivers.yaml
E

try 'entries that are written at the same time are all kept' <<'E'
cd r
runs=
for i in 1 2 3 4 5 6 7 8; do
	ikm know waive 2 -p "dir$i/" -m x --until 2027-01-01 >/dev/null & runs="$runs $!"
done
for i in $runs; do wait "$i"; done
same 'dir1/ dir2/ dir3/ dir4/ dir5/ dir6/ dir7/ dir8/' \
	"$(ikm know list --waivers --json | jq -r '.waivers[].paths[]' | sort | xargs)"
same 8 "$(grep -c '^- item' .ikm/waivers.yaml)"
rm .ikm/waivers.yaml
E

try 'a file that Git ignores has no effect, and the person is told' <<'E'
cd r; rm -r odd*; add_mysql legacy
echo '.ikm/waivers.yaml' >.git/info/exclude
ikm know waive 1 -p legacy/ -m x --until 2027-01-01 >"$T/out" 2>"$T/err"
grep -q '^Git ignores .ikm/waivers.yaml, so the entry has no effect' "$T/err"
same 1 "$(wc -l <"$T/out")"
fails 1 ikm check
git add -f .ikm/waivers.yaml
ikm check
ikm know waive 2 -p legacy/ -m x --until 2027-01-01 --json >"$T/out" 2>"$T/err"
same 'false null' "$(jq -r '"\(.ignored) \(.notes)"' "$T/out")"
same '' "$(cat "$T/err")"
git rm -q -f --cached .ikm/waivers.yaml
ikm know waive 2 -p a -m x --until 2027-01-01 --json >"$T/out"
same 'true 1' "$(jq -r '"\(.ignored) \(.notes | length)"' "$T/out")"
: >.git/info/exclude; rm -r .ikm/waivers.yaml legacy
E

try 'know new, status, supersede, waive and export are for people: no tool offers them' <<'E'
cd r
echo '{}' >"$T/in"
for verb in new status supersede waive export; do
	fails_for NO_SUCH_TOOL ikm call know_$verb <"$T/in"
	fails_for NO_SUCH_TOOL ikm call knowledge_$verb <"$T/in"
done
E

try 'know list --waivers: all of them, the first to end first; wrong and ended ones are marked' <<'E'
cd r; git reset -q --hard; git clean -qfdx
ikm know list --waivers
ikm know waive 1 -p legacy/ -m 'the old shop' --until 2027-06-30
ikm know waive 2 -p src/ -m debugging --until 2026-12-01
mkdir -p lib
cat >lib/a.py <<'P'
# ikm:allow 2 until 2026-11-30 by Bob: why
print(1)  # ikm:allow 0009-gone until 2027-01-01: why
# ikm:allow 2
s = "# ikm:allow 2 until 2027-01-01: in a string"
P
IKM_NOW=2026-12-01T00:00:00Z ikm know list --waivers >"$T/out"
same 'broken      2  lib/a.py:3: this ikm:allow does not count: '"'until'"' and the end are missing; write '"'ikm:allow ITEM until YYYY-MM-DD: reason'"'
broken      0009-gone  lib/a.py:2: Knowledge item '"'0009-gone'"' not found
2026-11-30  ended  0002-no-console-in-services  lib/a.py:1  Bob: why
2026-12-01     0 d  0002-no-console-in-services  .ikm/waivers.yaml:8  in src/  Ada: debugging
2027-06-30   211 d  0001-postgresql-for-relational-data  .ikm/waivers.yaml:3  in legacy/  Ada: the old shop' \
	"$(cat "$T/out")"
same 'true -1' "$(IKM_NOW=2026-12-01T00:00:00Z ikm know list --waivers --json | jq -r '.waivers[2] | "\(.ended) \(.days)"')"
same 5 "$(ikm know list --waivers --json | jq .totalCount)"
fails_for BAD_ARGUMENT ikm know list --waivers --active
E

try 'why names the exceptions from a decision' <<'E'
cd r
ikm why 1 >"$T/out"
sed -n '/^exceptions/,$p' "$T/out" >"$T/part"
same 'exceptions (for those in comments: ikm know list --waivers)
2027-06-30   219 d  0001-postgresql-for-relational-data  .ikm/waivers.yaml:3  in legacy/  Ada: the old shop

full text: ikm know show 0001-postgresql-for-relational-data' "$(cat "$T/part")"
same '["the old shop"]' "$(ikm why 1 --json | jq -c '[.exceptions[].reason]')"
same '["debugging"]' "$(ikm why 2 --json | jq -c '[.exceptions[].reason]')"
E

try 'know list --waivers names each file that it does not search' <<'E'
cd r; git reset -q --hard; git clean -qfdx
{ echo '# ikm:allow 2 until 2026-12-01 by Bob: why'; head -c 4096 /dev/zero | tr '\0' '#'; } >big.py
echo '# ikm:allow 2 until 2026-12-01 by Bob: why' >shut.py; chmod 0 shut.py
jq '.check.maxFileSize = 4000' .ikm/config.json >"$T/conf"; cp "$T/conf" .ikm/config.json
ikm know list --waivers 2>"$T/err"
same 'there are no exceptions
big.py was not searched for ikm:allow: it is larger than check.maxFileSize, 4000 bytes
shut.py was not searched for ikm:allow: ikm has no permission to read it' "$(cat "$T/err")"
same 'big.py shut.py' "$(ikm know list --waivers --json | jq -r '[.unread[].file] | join(" ")')"
same '["file","reason"]' "$(ikm know list --waivers --json | jq -c '.unread[0] | keys')"
E

try 'know list --waivers finds items by their former ids' <<'E'
cd r; git reset -q --hard; git clean -qfdx
ikm know waive 2 -p src/ -m debugging --until 2026-12-01 >/dev/null
ikm know waive 2 -p lib/ -m debugging --until 2026-12-01 >/dev/null
git mv docs/adr/0002-no-console-in-services.md docs/adr/0007-no-console.md
same '["0002-no-console-in-services","0007-no-console",null]' \
	"$(ikm know list --waivers --json | jq -c '.waivers[0] | [.item, .id, .problem]')"
git add -A; git -c core.hooksPath=/dev/null commit -qm renamed
ikm know list --waivers >"$T/out"
same '2026-12-01     8 d  0007-no-console  .ikm/waivers.yaml:3  in src/  Ada: debugging
2026-12-01     8 d  0007-no-console  .ikm/waivers.yaml:8  in lib/  Ada: debugging' "$(cat "$T/out")"
E

long 'a stopped commit and push name the command that waives the finding, once' <<'E'
sh "$TOP/t/sample.sh" stop; cd stop; ikm hook install >/dev/null
git clone -q --bare . ../stop.git; git remote add origin ../stop.git; git fetch -q
add_mysql a; add_mysql b; git add -A
fails 1 git commit -qm both 2>"$T/err"
step='^  to allow the first finding until a date: ikm know waive \([0-9a-f]*\) --reason WHY --until YYYY-MM-DD, then'
same 1 "$(grep -c 'know waive' "$T/err")"
one=$(sed -n "s/$step git add .ikm.waivers.yaml and commit again\$/\1/p" "$T/err")
ikm know waive "$one" --reason why --until 2027-01-01 | grep -q 'waives 1 finding'
for i in 1 2 3; do
	ikm know waive "$(fingerprint 0)" --reason why --until 2027-01-01 >/dev/null
done
git add -A; git commit -qm waived
git rm -q .ikm/waivers.yaml; rm -r b; git add -A; git commit -q --no-verify -m away
fails 1 git push -q origin HEAD:main 2>"$T/err"
grep -q "$step commit .ikm/waivers.yaml and push again\$" "$T/err"
git reset -q --hard HEAD~2; add_mysql a; git add -A
fails 1 env IKM_CHECK_NEW_WAIVERS=ignore git commit -qm ignore 2>"$T/err"
grep -q "$step merge .ikm/waivers.yaml in a change of its own\$" "$T/err"
git stash -q; sed -i 's/^    severity: block/&\n    waivable: false/' docs/adr/0001*
git commit -qam fixed; git stash pop -q
fails 1 git commit -qm both 2>"$T/err"
grep -q '^next: ' "$T/err"; same 0 "$(grep -c 'know waive' "$T/err" || :)"
E

done_testing
