#!/bin/sh
# The worked examples of ikm-knowledge(5), as far as they go on one machine: each subsection runs in a
# clone of the sample repository. Its files are written, its commands are run and compared, and what
# a CI service would run is run with that service's variables.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/example.sh"

page=$TOP/man/ikm-knowledge.5
ln -s "$BUILD/test/ikm" "$T/ikm"
blocks "$page" "$T/block-" 'WORKED EXAMPLES'
sed -n '/^\.Sh WORKED EXAMPLES/,/^\.Sh SEE/s/^\.Ss //p' "$page" >"$T/sections"

# https://git.example.org is a folder of bare repositories.
export GIT_CONFIG_COUNT=3 \
	GIT_CONFIG_KEY_0="url.$T/hosts/.insteadOf" GIT_CONFIG_VALUE_0=https://git.example.org/ \
	GIT_CONFIG_KEY_1=protocol.file.allow GIT_CONFIG_VALUE_1=always \
	GIT_CONFIG_KEY_2=init.defaultBranch GIT_CONFIG_VALUE_2=main

# A new home, and clones: ~/decisions, and of the sample repository. What a subsection pushed to
# decisions.git is there in the next one.
laptop() {
	cd "$T"
	rm -rf "$T/place" "$T/hosts/orders.git"
	HOME=$T/place/home
	for host in orders decisions; do
		[ -d "$T/hosts/$host.git" ] || git init -q --bare "$T/hosts/$host.git"
	done
	mkdir -p "$HOME"
	git clone -q https://git.example.org/decisions.git "$HOME/decisions" 2>/dev/null
	sh "$TOP/t/sample.sh" "$T/place/orders"
	cd "$T/place/orders"
	git remote add origin https://git.example.org/orders.git
	git push -q -u origin main
	git remote set-head origin main
}

# Each block of the subsection: a file is written, a session is run.
walk() { # SUBSECTION
	for n in $(seq "$(find "$T" -name 'block-*.head' | wc -l)"); do
		[ "$(sed -n 1p "$T/block-$n.head")" = "$1" ] || continue
		file=$(sed -n 2p "$T/block-$n.head")
		case $(sed -n '1s/^\$ .*/session/p' "$T/block-$n")$file in
		session*) example "$T/block-$n" || return 1 ;;
		[~]/*) mkdir -p "$(dirname "$HOME/${file#??}")" && cp "$T/block-$n" "$HOME/${file#??}" ;;
		*) mkdir -p "$(dirname "$file")" && cp "$T/block-$n" "$file" ;;
		esac
	done
}

while read -r section; do
	export section
	some 4 "$section" <<'E'
laptop
walk "$section"
E
done <"$T/sections"

# What a CI service runs: the lines of `run:` and `script:`, with the variables of the file.
ci() { # FILE
	awk '
	function end() { if (line != "") print line; line = "" }
	folded && match($0, /[^ ]/) > indent { sub(/^ */, ""); line = line (line == "" ? "" : " ") $0; next }
	{ end(); folded = 0 }
	# What an expression gives is in the environment.
	given && match($0, /[^ ]/) > indent { next }
	{ given = 0 }
	/^ *[A-Z][A-Z_]*: >-$/ { given = 1; indent = match($0, /[A-Z]/); next }
	/^ *- run: >-$/ { folded = 1; indent = match($0, /-/) + 2; next }
	/^ *[A-Z][A-Z_]*: / { sub(/^ */, ""); sub(/: /, "="); print "export " $0 }
	/^ *script:$/ { script = 1; next }
	script && /^ *- / { sub(/^ *- /, ""); print }
	END { end() }' "$1"
}

# The sample's branch of work: one good change, one that breaks a shared decision.
branch() {
	git checkout -q -b work
	echo "$1" >src/tls.js
	git add src
	git commit -qm 'connect to the queue'
	git push -q origin work
	git checkout -q main
}
good='tls.connect({ca})'
bad='tls.connect({rejectUnauthorized: false})'
export good bad

more 'GitHub runs it: the merge of the branch, the whole history, no branch of its own' <<'E'
for change in "$good" "$bad"; do
	laptop
	walk 'GitHub Actions'
	grep -F 'fetch-depth: 0' .github/workflows/decisions.yml
	ci .github/workflows/decisions.yml >"$T/job"
	least 3 "$T/job"
	branch "$change"
	git merge -q --no-ff -m merge work
	git push -q origin HEAD:refs/pull/1/merge
	git init -q ../runner/orders
	cd ../runner/orders
	git remote add origin https://git.example.org/orders.git
	git fetch -q origin '+refs/heads/*:refs/remotes/origin/*' '+refs/pull/1/merge:refs/remotes/pull/1/merge'
	git checkout -q --detach refs/remotes/pull/1/merge
	rc=0
	GITHUB_ACTIONS=true BASE=origin/main sh -eu "$T/job" >"$T/said" || rc=$?
	cat "$T/said"
	if [ "$change" = "$good" ]; then
		[ $rc = 0 ]
		grep '^checked 1 file' "$T/said"
	else
		[ $rc = 1 ]
		grep '^::error file=src/tls.js,line=1,' "$T/said"
	fi
done
E

more 'GitLab runs it: the branch alone, and the target branch that the job fetches' <<'E'
for change in "$good" "$bad"; do
	laptop
	walk 'GitLab CI'
	grep -F 'GIT_DEPTH: "0"' .gitlab-ci.yml
	ci .gitlab-ci.yml >"$T/job"
	least 5 "$T/job"
	branch "$change"
	git init -q ../runner/orders
	cd ../runner/orders
	git remote add origin https://git.example.org/orders.git
	git fetch -q origin +refs/heads/work:refs/remotes/origin/work
	git checkout -q --detach refs/remotes/origin/work
	rc=0
	CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main sh -eu "$T/job" >"$T/said" || rc=$?
	cat "$T/said"
	if [ "$change" = "$good" ]; then
		[ $rc = 0 ]
		grep '^checked 1 file' "$T/said"
	else
		[ $rc = 1 ]
		grep '^block Services check certificates' "$T/said"
	fi
done
E

done_testing
