# shellcheck shell=sh
# Files of a garden for tests, written without ikm: the referee of the grammar. $G is the garden.

part() { # USER ID [FILE]: a part's profile without a fault
	mkdir -p "$G/users/$1/parts/$2"
	{
		printf -- '---\nid: %s\nuser_id: %s\nname: Watcher\nschema: part/1\nstatus: active\n' "$2" "$1"
		printf -- 'last_updated: 2026-01-31\n---\n# Watcher\n'
		garden_section Identity identity
		garden_section Role role
		garden_section Triggers triggers
		garden_section Needs needs 'Rest.'
		garden_section Concerns concerns 'Loud rooms.'
		garden_section Allies allies
		garden_section Polarizations polarizations
		garden_section 'Evidence (curated)' evidence
		garden_section 'Working Agreements' working_agreements
		garden_section Evolution evolution
		garden_section 'Open Questions' open_questions
		garden_section 'Change Log' change_log '- 2026-01-31T12:00:00Z: made'
		garden_section Extensions extensions
	} >"${3:-$G/users/$1/parts/$2/profile.md}"
}
garden_section() { # HEADING ANCHOR [TEXT]
	printf '\n## %s\n<!-- @anchor: %s v1 -->\n' "$1" "$2"
	[ $# -lt 3 ] || printf '%s\n' "$3"
}
