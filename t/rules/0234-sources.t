#!/bin/sh
# Decisions in another place: every form of a repository, of a ref, and of what can be missing.
. "$(dirname "$0")/../lib.sh"

item() { # DIR NAME
	mkdir -p "$1/docs/adr"
	printf -- '---\nstatus: accepted\n---\n# %s\n' "$2" >"$1/docs/adr/$2.md"
}
# Two commits: `one` is in both, `two` in the second.
decisions() { # DIR [git init's options]
	dir=$1
	shift
	git init -q -b main "$@" "$dir"
	item "$dir" one
	git -C "$dir" add -A
	git -C "$dir" commit -qm one
	git -C "$dir" tag v1
	git -C "$dir" tag -a -m v1 annotated
	item "$dir" two
	git -C "$dir" add -A
	git -C "$dir" commit -qm two
	git -C "$dir" branch team/payments/next
}
user() { # PATH REF: the only source of a user
	mkdir -p "$HOME/.ikigai"
	printf '{"knowledge": {"sources": [{"layer": "org", "path": "%s", "ref": "%s"}]}}' "$@" \
		>"$HOME/.ikigai/config.json"
}
ids() { ikm know list --json | jq -r '[.items[].id] | sort | join(" ")'; }
wrong() { # PATH REF WORDS: the error names the source and says why
	user "$1" "$2"
	fails_for NO_SUCH_SOURCE ikm know list 2>err
	grep -F "the knowledge source '$1' (" err
	grep -F "cannot be read: " err | grep -e "$3"
}

decisions org
decisions sha --object-format=sha256
git clone -q --bare org bare.git
git -C org worktree add -q ../linked v1
git clone -q --depth 1 "file://$PWD/org" shallow
git -C org config uploadpack.allowFilter true
git clone -q --filter=blob:none --no-checkout "file://$PWD/org" partial
git init -q -b main unborn
git clone -q org gone 2>/dev/null
git -C gone rm -rq docs # another commit may be checked out
mkdir plain
first=$(git -C org rev-parse v1)
export first

# WHERE REF ITEMS
long 'each form of a repository and of a ref' <<'E'
n=0
while read -r where ref want; do
	echo "$where at $ref"
	user "$T/w/$where" "$ref"
	same "$want" "$(ids)"
	n=$((n + 1))
done <<X
org/docs/adr HEAD one two
org/docs/adr main one two
org/docs/adr refs/heads/main one two
org/docs/adr team/payments/next one two
org/docs/adr v1 one
org/docs/adr annotated one
org/docs/adr $first one
org/docs/adr $(echo "$first" | cut -c1-10) one
org/docs/adr main~1 one
org v1 one
bare.git main one two
bare.git team/payments/next one two
bare.git v1 one
bare.git/docs/adr v1 one
bare.git/docs/adr/ v1 one
gone/docs/adr main one two
linked/docs/adr HEAD one
linked/docs/adr main one two
shallow/docs/adr HEAD one two
shallow/docs/adr origin/main one two
sha/docs/adr main one two
sha/docs/adr v1 one
X
same 22 $n
E

long 'what is missing is an error that names the source and says what to do' <<'E'
wrong "$T/w/org/docs/adr" no/such/ref "'no/such/ref' is no commit in"
wrong "$T/w/bare.git" nothing "'nothing' is no commit in"
wrong "$T/w/unborn" HEAD "'HEAD' is no commit in"
wrong "$T/w/unborn" main "'main' is no commit in"
wrong "$T/w/shallow/docs/adr" "$first" 'is no commit in'
wrong "$T/w/shallow/docs/adr" HEAD~1 'is no commit in'
wrong "$T/w/plain" HEAD 'is not in a Git repository'
wrong "$T/w/nowhere" HEAD 'No such file'
wrong "$T/w/org/docs/adr" "$(git -C org rev-parse v1:docs/adr/one.md)" 'neither a commit nor a tree'
E

more 'a folder that the commit lacks is an error, and no source without items' <<'E'
mkdir org/later
wrong "$T/w/org/later" main 'no such folder'
rmdir org/later
wrong "$T/w/org/later" main 'no such folder'
wrong "$T/w/bare.git/docs/none" main 'no such folder'
E

more 'an object that a partial clone lacks is named, and not fetched' <<'E'
mkdir -p partial/docs/adr
user "$T/w/partial/docs/adr" main
fails_for NO_SUCH_OBJECT ikm know list 2>err
grep 'this is a partial clone' err
grep 'fetch all that is missing: git fetch --refetch --no-filter' err
E

# ---- sources that the repository itself names ----

app() {
	cd "$T/w"
	rm -rf app "$HOME/.ikigai"
	git init -q -b main app
	cd app
	mkdir .ikm
}
conf() { printf '{"knowledge": {"sources": [%s]}}\n' "$1" >.ikm/config.json; }

more 'refs of the repository itself: a branch of its own with the decisions' <<'E'
app
git fetch -q ../org main:team/decisions v1:old
git tag kept old
for want in 'team/decisions|one two' 'refs/heads/team/decisions|one two' 'old|one' "$first|one" 'kept|one'; do
	conf "{\"path\": \"docs/adr\", \"ref\": \"${want%%|*}\"}"
	git add .ikm
	same "${want#*|}" "$(ids)"
done
conf '{"path": "docs/adr", "ref": "gone"}'
fails_for NO_SUCH_SOURCE ikm know list 2>err
grep "'gone' is no commit in" err
conf '{"path": "docs/none", "ref": "old"}'
fails_for NO_SUCH_SOURCE ikm know list 2>err
grep 'has no such folder' err
conf '{"path": "docs/adr", "ref": "--output=x"}'
fails_for NO_SUCH_SOURCE ikm know list 2>err
[ ! -e x ]
E

more 'a submodule: the recorded commit, whatever is checked out, and a folder of it' <<'E'
app
git -c protocol.file.allow=always submodule --quiet add "$T/w/org" shared
git -C shared checkout -q v1
git add -A
git commit -qm shared
git -C shared checkout -q main
for path in shared/docs/adr shared; do
	conf "{\"path\": \"$path\", \"layer\": \"org\"}"
	same one "$(ids)"
done
conf '{"path": "shared/none", "layer": "org"}'
fails_for NO_SUCH_SOURCE ikm know list
conf '{"path": "shared/docs/adr", "layer": "org"}'
git submodule --quiet deinit -f shared
same one "$(ids)"
rm -rf .git/modules
fails 3 ikm know list 2>err
grep "the knowledge source 'shared/docs/adr'.*is not checked out" err
grep "git submodule update --init -- 'shared'" err
E

more 'a folder for each decision, at a ref and in a submodule' <<'E'
app
git init -q -b main ../keps
for n in 1-a 2-b; do
	mkdir -p "../keps/keps/sig/$n"
	printf -- '---\nstatus: accepted\n---\n# %s\n' "$n" >"../keps/keps/sig/$n/README.md"
done
echo '# all' >../keps/keps/README.md
git -C ../keps add -A
git -C ../keps commit -qm keps
git fetch -q ../keps main:keps
conf '{"path": "keps", "ref": "keps", "files": "*/*/README.md"}'
same '1-a 2-b' "$(ids)"
git -c protocol.file.allow=always submodule --quiet add "$T/w/keps" sub
conf '{"path": "sub/keps", "files": "*/*/README.md"}'
same '1-a 2-b' "$(ids)"
conf '{"path": "keps", "ref": "keps"}'
ikm know list >out 2>err || [ $? = 1 ]
grep 'no item is in this source: its files are passed over (3 README, index or template); to read a folder as an item, give the source "files": "\*/\*/README.md"' err
E

# https://github.com/backstage/backstage/blob/master/docs/architecture-decisions/adr000-template.md
more 'a template with placeholders that are no YAML blocks nothing' <<'E'
rm -f "$HOME/.ikigai/config.json"; rm -rf tpl; git init -q tpl; cd tpl; mkdir -p .ikm
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
item . 0001-one
for name in adr000-template.md template/adr-NNNN.md; do
	mkdir -p docs/adr/template
	printf -- '---\nid: adrs-adr000\ntitle: ADR000: [TITLE]\ndescription: ADR for [TITLE]\n---\n# ADR\n' >docs/adr/$name
done
git add -A; git commit -qm all
ikm check --all
same 0001-one "$(ids)"
E

try 'a decision in another format than Markdown is told on every face' <<'E'
rm -f "$HOME/.ikigai/config.json"; rm -rf other; git init -q other; cd other; mkdir -p .ikm
echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
item . 0001-one; git add -A; git commit -qm one; ikm hook install >/dev/null
told='that may be decisions are not read, because only Markdown in files named \*.md is: docs/adr/0002.yaml, docs/adr/0003.adoc, docs/adr/rules.yml'
printf 'status: accepted\n' >docs/adr/0002.yaml
printf '= Title\n' >docs/adr/0003.adoc
printf 'constraints:\n- {operator: must_use, target: code, pattern: x}\n' >docs/adr/rules.yml
printf 'nav: []\n' >docs/adr/mkdocs.yml; printf 'x' >docs/adr/a.png
ikm check >out
for f in 0002.yaml 0003.adoc rules.yml; do grep "docs/adr/$f: it is not read: only Markdown" out; done
not grep -e mkdocs -e png out
git add -A; git commit -qm more 2>out; grep 'docs/adr/0002.yaml: it is not read' out
git commit -q --allow-empty -m next 2>out; same '' "$(cat out)"
ikm check --all >out; grep "3 files $told" out
ikm know list 2>out; grep "3 files $told" out
ikm lint >out || :; grep "3 files $told" out
echo '{}' | ikm call knowledge_list | jq -r '.passed[] | select(.reason == "documents") | .message' >out
grep "3 files $told" out
E
done_testing
