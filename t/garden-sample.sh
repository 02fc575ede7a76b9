# garden-sample.sh: source it after lib.sh. Makes ikm's home with a key, and a garden in Git with
# one part of user ada. G is the garden, P the part's profile.
G=$HOME/.ikigai/garden
P=$G/users/ada/parts/p1/profile.md
export G P
mkdir -p "$HOME/.ikigai/keys" "$G/users/ada/parts/p1"
chmod 700 "$HOME/.ikigai" "$HOME/.ikigai/keys"
(
	umask 077
	printf '%064d\n' 7 >"$HOME/.ikigai/keys/event-1.key"
	"$BUILD/tool/event" "$HOME/.ikigai/ikm.db" init >/dev/null
	printf '{"user": "ada"}\n' >"$HOME/.ikigai/config.json"
)
git init -q "$G"
{
	printf -- '---\nid: p1\nuser_id: ada\nname: The Critic\nschema: part/1\nstatus: active\n'
	printf 'last_updated: 2026-01-01\n---\n# The Critic\n'
	for section in 'Identity:identity' 'Role:role' 'Triggers:triggers' 'Needs:needs' \
		'Concerns:concerns' 'Allies:allies' 'Polarizations:polarizations' \
		'Evidence (curated):evidence' 'Working Agreements:working_agreements' \
		'Evolution:evolution' 'Open Questions:open_questions' 'Change Log:change_log' \
		'Extensions:extensions'; do
		printf '\n## %s\n<!-- @anchor: %s v1 -->\n' "${section%:*}" "${section#*:}"
		case $section in
		Concerns*) printf 'It fears to fail.\n' ;;
		Change*) printf -- '- 2026-01-01T00:00:00Z: created\n' ;;
		esac
	done
} >"$P"
printf '# Notes\n\n## Inbox\n' >"$G/users/ada/notes.md"
git -C "$G" add -A
git -C "$G" commit -qm 'a garden'

clean() { # nothing is left: Git agrees with the files, the record with itself
	same '' "$(git -C "$G" status --short)" || return 1
	git -C "$G" fsck --strict 2>/dev/null || { git -C "$G" fsck --strict; return 1; }
	ikm events verify >"$T/verify.out" || { cat "$T/verify.out"; return 1; }
	same '' "$(find "$G" -name '.ikm-tmp*' -o -name '*.lock')"
}
last() { # FILTER: of the newest event
	ikm events query -n 1 --json | jq -r ".rows[0]$1"
}
trailer() { # NAME: of the last commit
	git -C "$G" log -1 --format="%(trailers:key=$1,valueonly,separator=)"
}
