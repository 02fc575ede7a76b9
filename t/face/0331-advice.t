#!/bin/sh
# The step of an error is a command: it is run as it is printed. After it the command that failed
# works, or, where the step only shows what there is, the step itself does.
. "$(dirname "$0")/../lib.sh"

home=$HOME/.ikigai
db=$home/ikm.db
export home db
git init -q repo
mkdir -p repo/docs/adr
printf '# One\n\nStatus: accepted\n\nText\n' >repo/docs/adr/0001-one.md
(cd repo && ikm init --repo-only >/dev/null)

# The command in the first step that has one: "to do that: ikm x", "run 'ikm x' for all".
step() {
	jq -r '.help.steps[]' "$T/error" |
		sed -n "/^\(ikm\|mv\|chmod\) /p; s/^'\(ikm [^']*\)'.*/\1/p; s/^run '\(ikm [^']*\)'.*/\1/p; s/.*: \(\(ikm\|mv\|chmod\) .*\)/\1/p" |
		head -1
}
closed_asset() {
	echo x | ikm write ikigai:///a.md
	ikm asset set a.md --read-only
}
# how: then, the failed command works after the step; shows, the step ends well.
advice() { # SETUP, COMMAND, REASON, how
	rm -rf "$home" "$home".*
	ikm init --garden --home-only >"$T/made"
	ikm mem add 'Ada prefers tea' >>"$T/made"
	(cd repo && eval "$1") >>"$T/made" 2>&1
	if (cd repo && eval "$2 --json") >"$T/error" 2>"$T/err"; then
		echo "does not fail: $2"
		return 1
	fi
	[ "$(jq -r .details.reason "$T/error")" = "$3" ] || { cat "$T/error"; return 1; }
	step >"$T/step"
	[ -s "$T/step" ] || { echo "no step: $2"; cat "$T/error"; return 1; }
	(cd repo && sh -e "$T/step") >"$T/made" 2>&1 || { cat "$T/step" "$T/made"; return 1; }
	[ "$4" = shows ] || (cd repo && eval "$2") >"$T/made" 2>&1 || { cat "$T/step" "$T/made"; return 1; }
}

long 'each step is run as it is printed' <<'E'
n=0
while IFS='|' read -r setup command reason how; do
	advice "$setup" "$command" "$reason" "$how" || { echo "row: $setup|$command"; exit 1; }
	n=$((n + 1))
done <<-'L'
	:|ikm mem lst|UNKNOWN_COMMAND|shows
	:|ikm frobnicate|UNKNOWN_COMMAND|shows
	:|ikm mem list --bogus|UNKNOWN_PARAMETER|shows
	:|ikm config get undo.dais|NO_SUCH_SETTING|shows
	:|ikm -c undo.dais=1 mem list|BAD_CONFIG|shows
	:|ikm know show 77|NO_SUCH_ITEM|shows
	:|ikm why 77|NO_SUCH_ITEM|shows
	:|ikm know supersede 1 77|NO_SUCH_ITEM|shows
	:|ikm tool show nope|NO_SUCH_TOOL|shows
	:|ikm asset history nope|NO_SUCH_ASSET|shows
	echo '{' >"$home/config.json"|ikm mem list|BAD_JSON|then
	rm "$home/keys/checkpoint.key"|ikm events checkpoint|NOT_CONFIGURED|then
	chmod 755 "$home/keys"|ikm events verify|BAD_KEY|then
	chmod 644 "$home/keys/event-1.key"|ikm events verify|BAD_KEY|then
	closed_asset|ikm call file_write '{"path":"ikigai:///a.md","content":"y"}'|READ_ONLY_ASSET|then
	rm "$home/keys/event-1.key"|ikm md new part guard --title G|NOT_CONFIGURED|then
L
same 16 "$n"
E
try 'what is typed half right gets the way on' <<'E'
cd repo
fails 2 ikm know waive 1 --days 3 2>err
grep -qx "  options about 'days': --until" err
fails 2 ikm mem list --bogus 2>err
not grep -q 'options about' err
ikm help adr | grep -q 'man 5 ikm-knowledge'
fails 3 ikm check --all --baseline no/such/base --update-baseline 2>err
sh -c "$(sed -n 's/^  make its folder: //p' err)"
[ -d no/such ]
ikm config set sync.tenant acme >/dev/null
fails 1 ikm sync status >out 2>&1
grep -q '^server: sync.url names none' out
ikm config unset sync.tenant >/dev/null
E

done_testing
