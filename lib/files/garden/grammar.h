/*
 * grammar: what a garden may hold, as one table: for each kind of file its paths, its sections in
 * order, and the fields of its frontmatter (requirement: garden, "Allowed path roots", "Hidden
 * anchors and headings"; ikm-garden(7), GRAMMAR). The rules, the files that are made anew, and the
 * paths are derived from it. Another domain gets another table of the same form.
 */
#pragma once

#include "base/base.h"

/* name in C, its name in messages and results */
#define GARDEN_KINDS_LIST(X)                                                                       \
	X(GARDEN_OVERVIEW, "overview")                                                             \
	X(GARDEN_PART, "part profile")                                                             \
	X(GARDEN_RELATIONSHIP, "relationship profile")                                             \
	X(GARDEN_NOTES, "notes")                                                                   \
	X(GARDEN_HISTORY, "history copy")
enum garden_kind { GARDEN_KINDS_LIST(ENUM_MEMBER) GARDEN_KINDS };
/* In the order of the enum, NULL-ended. */
extern const char *const garden_kinds[];

enum garden_section_flag {
	/* Its list items are counted: at most GARDEN_EVIDENCE_MAX. It is no narrative. */
	GARDEN_EVIDENCE = 1,
	/* The lines that tell of changes. A file with this section keeps it. It is no narrative. */
	GARDEN_CHANGE_LOG = 2,
	/* Free text of any length. */
	GARDEN_FREE = 4,
};
struct garden_section {
	const char *heading; /* of level 2; its anchor is derived: garden_anchor() */
	unsigned flags;
};

enum garden_field_flag {
	GARDEN_IDENTITY = 1, /* no tool may change it */
	GARDEN_OPTIONAL = 2,
	GARDEN_IS_ID = 4,   /* it equals the id in the path */
	GARDEN_IS_USER = 8, /* it equals the user in the path */
	GARDEN_DATE = 16,   /* a date, or a date with a time */
	GARDEN_LIST = 32,   /* a list of texts, at least two; else it is one text */
};
struct garden_field {
	const char *name;
	unsigned flags;
};

/* A path form and the entity that such a file tells of. */
struct garden_place {
	/* "users/{user}/parts/{id}/profile.md"; {copy} is the name of a history copy */
	const char *path;
	const char *entity_type; /* "user", "part", "relationship", "note" */
};

/* Ended by members with a NULL name. */
struct garden_form {
	struct garden_place places[8];
	struct garden_section sections[16]; /* in canonical order */
	struct garden_field fields[10];
	bool free;   /* sections are suggested, and neither title nor frontmatter is required */
	bool copied; /* a write keeps the former content as a history copy */
	bool frozen; /* written once, by a snapshot, and never changed */
};
/* In the order of the enum. */
extern const struct garden_form garden_grammar[GARDEN_KINDS];

#define GARDEN_EVIDENCE_MAX ((size_t)7)
#define GARDEN_WORDS_MAX    ((size_t)400)
/* The frontmatter of a file, in bytes. */
#define GARDEN_FRONT_MAX ((size_t)16 << 10)

/* The canonical anchor: "Open Questions" is "open_questions v1", "Evidence (curated)" is
 * "evidence v1". */
struct str garden_anchor(struct arena *a, struct str heading);
/* The section with this heading or this canonical anchor; an empty string is not compared. NULL:
 * none. */
const struct garden_section *garden_form_find_section(const struct garden_form *form,
						      struct str heading, struct str anchor);
