#include "garden/grammar.h"

const char *const garden_kinds[] = {GARDEN_KINDS_LIST(ENUM_NAME) NULL};

/* clang-format off */
const struct garden_form garden_grammar[GARDEN_KINDS] = {
	[GARDEN_OVERVIEW] = {
		.places = {{"users/{user}/overview.md", "user"}},
		.sections = {
			{"Identity", 0},
			{"Current Focus", 0},
			{"Confirmed Parts", 0},
			{"Active Themes", 0},
			{"Working Agreements", 0},
			{"Recent Highlights", 0},
			{"Open Questions", 0},
			{"Change Log", GARDEN_CHANGE_LOG},
			{"Extensions", GARDEN_FREE},
		},
		.fields = {
			{"id", GARDEN_IDENTITY | GARDEN_IS_USER},
			{"schema", GARDEN_IDENTITY},
			{"last_updated", GARDEN_DATE},
		},
		.copied = true,
	},
	[GARDEN_PART] = {
		.places = {{"users/{user}/parts/{id}/profile.md", "part"}},
		.sections = {
			{"Identity", 0},
			{"Role", 0},
			{"Triggers", 0},
			{"Needs", 0},
			{"Concerns", 0},
			{"Allies", 0},
			{"Polarizations", 0},
			{"Evidence (curated)", GARDEN_EVIDENCE},
			{"Working Agreements", 0},
			{"Evolution", 0},
			{"Open Questions", 0},
			{"Change Log", GARDEN_CHANGE_LOG},
			{"Extensions", GARDEN_FREE},
		},
		.fields = {
			{"id", GARDEN_IDENTITY | GARDEN_IS_ID},
			{"user_id", GARDEN_IDENTITY | GARDEN_IS_USER},
			{"name", 0},
			{"schema", GARDEN_IDENTITY},
			{"status", 0},
			{"last_updated", GARDEN_DATE},
		},
		.copied = true,
	},
	[GARDEN_RELATIONSHIP] = {
		.places = {{"users/{user}/relationships/{id}/profile.md", "relationship"}},
		.sections = {
			{"Participants", 0},
			{"Type", 0},
			{"Dynamics", 0},
			{"Evidence of Interplay", GARDEN_EVIDENCE},
			{"Tensions", 0},
			{"Agreements", 0},
			{"Evolution", 0},
			{"Open Questions", 0},
			{"Change Log", GARDEN_CHANGE_LOG},
			{"Extensions", GARDEN_FREE},
		},
		.fields = {
			{"id", GARDEN_IDENTITY | GARDEN_IS_ID},
			{"user_id", GARDEN_IDENTITY | GARDEN_IS_USER},
			{"participants", GARDEN_IDENTITY | GARDEN_LIST},
			{"type", 0},
			{"polarity_level", GARDEN_OPTIONAL},
			{"schema", GARDEN_IDENTITY},
			{"last_updated", GARDEN_DATE},
		},
		.copied = true,
	},
	[GARDEN_NOTES] = {
		.places = {
			{"users/{user}/notes.md", "note"},
			{"users/{user}/parts/{id}/notes.md", "note"},
			{"users/{user}/relationships/{id}/notes.md", "note"},
		},
		.sections = {
			{"Inbox", GARDEN_FREE},
			{"Focus", GARDEN_FREE},
			{"Parking Lot", GARDEN_FREE},
			{"Research", GARDEN_FREE},
			{"Drafts", GARDEN_FREE},
		},
		/* Notes need no frontmatter. If they have some, these stay as they are. */
		.fields = {
			{"id", GARDEN_IDENTITY | GARDEN_OPTIONAL},
			{"user_id", GARDEN_IDENTITY | GARDEN_OPTIONAL | GARDEN_IS_USER},
			{"participants", GARDEN_IDENTITY | GARDEN_OPTIONAL | GARDEN_LIST},
			{"schema", GARDEN_IDENTITY | GARDEN_OPTIONAL},
		},
		.free = true,
	},
	[GARDEN_HISTORY] = {
		.places = {
			{"users/{user}/history/{copy}", "user"},
			{"users/{user}/parts/{id}/history/{copy}", "part"},
			{"users/{user}/relationships/{id}/history/{copy}", "relationship"},
		},
		.free = true,
		.frozen = true,
	},
};
/* clang-format on */

/* Writes the anchor, at most heading.n + 3 bytes. */
static size_t anchor_write(struct str heading, char *out)
{
	size_t n = 0;
	bool gap = false;

	/* What stands in parentheses explains the heading, and is no part of its name. */
	for (size_t i = 0; i < heading.n && heading.p[i] != '('; i++) {
		if (!ascii_is_alnum(heading.p[i])) {
			gap = n > 0;
			continue;
		}
		if (gap)
			out[n++] = '_';
		gap = false;
		out[n++] = ascii_lower(heading.p[i]);
	}
	memcpy(out + n, " v1", 3);
	return n + 3;
}

struct str garden_anchor(struct arena *a, struct str heading)
{
	char *out = arena_alloc(a, heading.n + 3);

	return (struct str){out, anchor_write(heading, out)};
}

const struct garden_section *garden_form_find_section(const struct garden_form *form,
						      struct str heading, struct str anchor)
{
	char out[64];

	for (const struct garden_section *s = form->sections; s->heading; s++) {
		struct str own = str_of(s->heading);

		if (own.n + 3 > sizeof(out))
			BUG("the heading '%s' is too long", s->heading);
		if ((heading.n && str_eq(heading, own)) ||
		    (anchor.n && str_eq(anchor, (struct str){out, anchor_write(own, out)})))
			return s;
	}
	return NULL;
}
