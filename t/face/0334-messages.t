#!/bin/sh
# Each error message says what to do. t/messages.rows has commands that fail. Each message of the
# sources is printed by one of them, or stands in t/messages.rest with the reason why none prints it.
# "sh t/face/0334-messages.t print" prints the commands and the messages, for a reader who judges them.
print=${1-}
. "$(dirname "$0")/../lib.sh"

world=$T/world
mkdir -p "$world/w/docs/adr"
HOME=$world/home
mkdir "$HOME"
cp "$GIT_CONFIG_GLOBAL" "$world/gitconfig"
cd "$world/w" || exit 1
git init -q .
printf -- '---\nstatus: accepted\nconstraints:\n  - operator: must_not_use\n    target: dependency\n    pattern: mysql2\n---\n# One\n\nText.\n' >docs/adr/0001-one.md
printf 'one two\nthree\n' >a.txt
printf '# One\n\ntext\n' >a.md
printf '# One\n\n## Two\n\nx\n\n## Two\n\ny\n' >twice.md
printf 'a\0b\377' >bin
cp bin bin.md
printf 'caf\351\n' >latin1.txt
: >empty
printf 'x\nx\n' >same.txt
printf '{"query":"x","expected":[]}\n' >questions
printf -- '---\nstatus: superseded by 0001-one\n---\n# Two\n\nText.\n' >docs/adr/0002-two.md
printf -- '---\nstatus: accepted\nconstraints: [\n---\n# Three\n\nText.\n' >docs/adr/0003-three.md
echo x >hard
ln hard hard2
printf '# One\n\n## Two\n\n- one\n- two\n' >list.md
git add .
git commit -qm one
ikm init --garden --home-only >"$T/made" 2>&1
ikm init --repo-only >"$T/made" 2>&1
git add .
git commit -qm settings
ikm mem add 'Ada prefers tea' --json >"$T/mem" 2>"$T/err"
mem=$(jq -r .memoryId "$T/mem")
export mem
echo x | ikm write ikigai:///x.md

# Prints "$ COMMAND", the message and its steps, for each row.
messages() {
	while IFS= read -r row; do
		case $row in
		'#'* | '') continue ;;
		'= '*)
			chmod -R u+rwx "$T/copy" 2>/dev/null
			rm -rf "$T/copy"
			cp -a "$world" "$T/copy"
			HOME=$T/copy/home GIT_CONFIG_GLOBAL=$T/copy/gitconfig
			cd "$T/copy/w"
			setup=${row#= }
			eval "$setup" >"$T/made" 2>&1 || :
			continue
			;;
		esac
		rc=0
		printf '$ %s\n' "$row"
		(eval "$row") 2>&1 >"$T/said" </dev/null || rc=$?
		said=
		read -r said <"$T/said" || :
		case $said in
		'{'*) jq -r '.help.steps // [] | .[] | "  " + .' "$T/said" 2>"$T/made" || : ;;
		esac
		[ $rc != 0 ] || echo "IT WORKS"
	done <"$TOP/t/messages.rows" | sed "s|$T/copy/home|HOME|g; s|$T/copy/w|DIR|g; s|$T/copy|TOP|g"
}
(set +eu; messages) >"$T/messages"
[ -z "$print" ] || { cat "$T/messages"; exit; }

long 'each row fails with a message' <<'E'
least 1000 "$T/messages"
same '' "$(grep -B3 '^IT WORKS' "$T/messages")"
E

long 'each message has a step, or says what is allowed' <<'E'
awk '/^\$ / {
		if (lines == 1 && message !~ plain)
			print command "\n" message
		command = $0
		lines = 0
		next
	}
	!lines++ { message = $0 }' \
	plain='allowed|did you mean|must |missing|empty|blanks|in the past|needs|twice|more than once|: there are|; it has|: .* has [0-9]+ lines|has no member|no UTF-8|iconv|no JSON|^failed' \
	"$T/messages" >silent
grep '^ikm: ' "$T/messages" >told
least 400 told
same '' "$(cat silent)"
E

try 'each text of the sources is printed by a row, or listed' <<'E'
perl "$TOP/t/messages.pl" "$TOP" "$T/messages" "$TOP/t/messages.rest"
E
done_testing
