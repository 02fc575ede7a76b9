#!/bin/sh
# Nothing in a repository starts a program. Runs every git command that ikm can run, and every
# command of ikm that reads a repository, in repositories that name a program wherever Git would run
# it.
. "$(dirname "$0")/../lib.sh"
. "$TOP/t/git.sh"

printf '#!/bin/sh\necho "$0 $*" >>%s/ran\nexit 1\n' "$T" >"$T/mark"
chmod +x "$T/mark"
unset GIT_PAGER PAGER EDITOR VISUAL GIT_ASKPASS

# Every setting of git 2.39 to 2.5x that names a program, and attributes that select those of them.
hostile() {
	d=$(git rev-parse --absolute-git-dir) c=$(git rev-parse --git-common-dir)
	m=$T/mark
	mkdir -p "$c/hooks" "$T/hooks"
	for hook in post-index-change reference-transaction post-checkout pre-commit pre-push \
		fsmonitor-watchman query-watchman pre-auto-gc; do
		cp "$m" "$c/hooks/$hook"
		cp "$m" "$T/hooks/$hook"
	done
	for key in core.fsmonitor core.pager core.editor core.askPass core.sshCommand core.gitProxy \
		core.alternateRefsCommand credential.helper diff.external gpg.program \
		gpg.openpgp.program gpg.ssh.program gpg.x509.program gpg.ssh.defaultKeyCommand sequence.editor \
		interactive.diffFilter uploadpack.packObjectsHook pager.config pager.diff-index \
		pager.rev-list pager.cat-file pager.for-each-ref diff.mark.command diff.mark.textconv \
		filter.mark.clean filter.mark.smudge filter.mark.process merge.mark.driver \
		remote.origin.uploadpack remote.origin.receivepack remote.origin.vcs \
		trailer.mark.command trailer.mark.cmd web.browser browser.mark.cmd \
		difftool.mark.cmd mergetool.mark.cmd sendemail.sendmailCmd \
		hook.mark.command guitool.mark.cmd receive.procReceiveRefs \
		submodule.sub.update; do
		git config --file "$c/config" "$key" "$m"
	done
	for name in $(tool commands) log status diff; do
		git config --file "$c/config" "alias.$name" "!$m"
	done
	git config --file "$c/config" core.hooksPath "$T/hooks"
	git config --file "$c/config" remote.origin.url "ext::$m %S"
	git config --file "$c/config" url.ext::"$m".insteadOf https://example.org
	git config --file "$c/config" fetch.recurseSubmodules true
	git config --file "$c/config" hook.mark.event pre-commit
	mkdir -p "$c/info"
	echo '* filter=mark diff=mark merge=mark' >"$c/info/attributes"
	: "$d"
}

rules() {
	mkdir -p .ikm docs/adr deep/er
	echo '{"knowledge": {"sources": [{"path": "docs/adr"}]}}' >.ikm/config.json
	printf -- '---\nstatus: accepted\nconstraints:\n  - {operator: must_not_use, target: code, pattern: "eval", severity: block, message: no}\n---\n# No\n' \
		>docs/adr/1.md
	echo x >x
	echo y >deep/er/y
	echo '* filter=mark diff=mark merge=mark' >.gitattributes
	git add -A
	git commit -qm one
	echo z >z
	git add z
	git commit -qm two
	echo new >new
	git add new
}

plain() { git init -q -b main "$1"; cd "$1"; rules; }
split() { plain "$1"; git update-index --split-index; }
sparse() {
	plain "$1"
	git commit -qm three
	git sparse-checkout init --cone --sparse-index 2>/dev/null
	git sparse-checkout set docs .ikm 2>/dev/null
	git ls-files --sparse | grep -q '/$'
}
sha256() { git init -q -b main --object-format=sha256 "$1"; cd "$1"; rules; }
linked() { plain "$1-main"; git worktree add -q -b side "../$1"; cd "../$1"; echo n >n; git add n; }
partial() { # the blob of the file x is missing
	plain "$1"
	git config core.repositoryFormatVersion 1
	git config extensions.partialClone origin
	git config remote.origin.promisor true
	id=$(git rev-parse HEAD~1:x)
	f=.git/objects/$(echo "$id" | sed 's/../&\//')
	rm -f "$f"
}
kinds='plain split sparse sha256 linked partial'

unmarked() {
	[ ! -e "$T/ran" ] || { echo "ran in $1:"; cat "$T/ran"; rm "$T/ran"; return 1; }
}

long 'the marker works: git itself starts it' <<'E'
plain control
hostile
git status >/dev/null 2>&1 || :
[ -e "$T/ran" ]
rm "$T/ran"
plain control
hostile
git status >/dev/null 2>&1 || :
[ -e "$T/ran" ]
rm "$T/ran"
E

# Arguments for each command of the table; one without a row here fails the next test.
sample_of() {
	case $1 in
	cat-file) echo '-p HEAD' ;;
	check-attr) echo 'filter x' ;;
	commit-tree) echo '-m one HEAD^{tree}' ;;
	config) echo '--get core.bare' ;;
	diff-index) echo '--cached -p HEAD~1' ;;
	for-each-ref) echo '--format=%(refname)' ;;
	hash-object) echo 'z' ;;
	hook) echo 'run --ignore-missing no-such-hook' ;;
	ls-files) echo '-t -z --full-name -- :/' ;;
	merge-base) echo 'HEAD HEAD~1' ;;
	notes) echo '--ref ikm add -f -m x HEAD' ;;
	read-tree) echo '--empty' ;;
	remote) echo '-v' ;;
	rev-list) echo 'HEAD' ;;
	rev-parse) echo 'HEAD' ;;
	show-ref) echo '--heads' ;;
	symbolic-ref) echo 'HEAD' ;;
	update-index) echo '--force-remove no-such-file' ;;
	update-ref) echo 'refs/heads/new HEAD' ;;
	version) ;;
	write-tree) ;;
	*) return 1 ;;
	esac
}

for kind in $kinds; do
	some 5 "every command of git, $kind" <<'E'
"$kind" "g-$kind"
hostile
[ "$(tool commands | wc -l)" -ge 12 ]
for command in $(tool commands); do
	args=$(sample_of "$command") || { echo "git $command: no sample"; exit 1; }
	rc=0
	# For a file as new as the index git compares contents; lib/repo/git gives it an index of the future.
	[ $command != update-index ] || touch -d 2037-01-01 "$(git rev-parse --git-path index)"
	# shellcheck disable=SC2086
	tool git "$command" $args >out 2>err || rc=$?
	case $kind-$command in
	*-hook | partial-diff-index) ;;
	*) [ $rc = 0 ] || { echo "git $command $args: $rc"; cat err; rm -f "$T/ran"; exit 1; } ;;
	esac
	unmarked "git $command"
done
E
done

long 'no command of git has a protocol, whatever the environment allows' <<'E'
plain protocols
mkdir ../shown
printf '#!/bin/sh\nprintenv GIT_ALLOW_PROTOCOL\n' >../shown/git
chmod +x ../shown/git
tool commands >../commands
least 12 ../commands
while read -r command; do
	GIT_ALLOW_PROTOCOL=file:ext PATH=$PWD/../shown:$PATH tool git "$command" >../got 2>../err || :
	same none "$(head -n 1 ../got)"
done <../commands
E

more 'a command that is not in the table cannot be run' <<'E'
plain table
rc=0
tool git status >out 2>&1 || rc=$?
[ $rc != 0 ]
grep -q 'git status is not in the table of commands' out
E

more 'no other place starts git' <<'E'
cd "$TOP"
same lib/repo/git/command.c "$(grep -rlE '(= |[{]) *"git"(;|,$|, ("[^:]|[^"]))' lib cmd --include='*.c' | sort)"
E

for kind in $kinds; do
	some 5 "every command of ikm that reads a repository, $kind" <<'E'
"$kind" "i-$kind"
hostile
run() { timeout 60 ikm "$@" >out 2>&1 </dev/null || :; unmarked "ikm $*"; }
ikm version
run check --all
run check --staged
run check --range HEAD~1..HEAD
run check --range 'HEAD^{/one}..HEAD'
run check deep/er/y
run know list
run know query --text no
run know show 1
run know show 1 --ref HEAD~1
run why x
run find x
run refs docs/adr/1.md
run search eval
run list
run expand 'see @x'
run hook status
run hook run pre-commit
run hook run pre-merge-commit
z=$(git rev-parse HEAD | tr '[:xdigit:]' 0)
echo "refs/heads/main $(git rev-parse HEAD) refs/heads/main $z" |
	timeout 60 ikm hook run pre-push -- origin url >out 2>&1 || :
unmarked 'pre-push'
run mem list
run mem add 'one thing'
run config list
for call in 'knowledge_query {"query": "no"}' \
	'knowledge_check {"files": [{"path": "a", "content": "eval"}]}' 'fs_list {}' \
	'file_read {"path": "x"}' 'fs_search {"pattern": "eval"}'; do
	printf '%s' "${call#* }" | timeout 60 ikm call "${call%% *}" >out 2>&1 || :
	unmarked "ikm call $call"
done
E
done

more 'a hook with a forged digest is not run by hook status' <<'E'
plain forged
ikm hook install >/dev/null
same yes "$(ikm hook status --json | jq -r '.hooks[0].fires')"
perl -e 'my ($file, $new) = @ARGV; local $/; open my $h, "<", $file or die; my $t = <$h>; close $h;
	$t =~ s/^ikm=\S+/ikm=$new/m or die;
	my ($before, $after) = $t =~ /\A(.*?# ikm-hook 1 pre-commit )[0-9a-f]{16}(.*)\z/s or die;
	use integer; my $d = 0xcbf29ce484222325;
	$d = ($d ^ ord) * 0x100000001b3 for split //, "$before$after";
	open $h, ">", $file; printf $h "%s%016x%s", $before, $d, $after' .git/hooks/pre-commit "'$T/mark'"
rc=0
ikm hook status --json >../out || rc=$?
unmarked 'hook status'
same 'ours unproven' "$(jq -r '.hooks[0] | "\(.state) \(.fires)"' ../out)"
E

done_testing
