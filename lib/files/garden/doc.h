/* doc: a garden file as its parts, parsed once; what the files of the policy share. */
#pragma once

#include "garden/garden.h"
#include "md/md.h"

struct garden_doc {
	const struct garden_form *form;
	struct str text;
	struct str unreadable; /* why it is no Markdown that can be judged; empty: it is */
	size_t body;           /* the offset behind the frontmatter */
	struct md md;
	struct md_anchors anchors;
	struct md_sections sections;
	const struct val *front; /* a map; NULL: none that parses */
	bool has_front;          /* there is frontmatter, also a broken one */
	struct str front_wrong;  /* why it does not parse; empty: it does, or there is none */
	size_t front_line;       /* of that, or 0 */
};
/* Reads a text; form decides what its sections are called. */
void garden_doc_read(struct arena *a, const struct garden_form *form, struct str text,
		     struct garden_doc *out);
/* Whether any anchor of the text has this name. */
bool garden_doc_has_anchor(const struct garden_doc *d, struct str name);
/* The section that the Change Log is; NULL: there is none. */
const struct md_section *garden_doc_log(const struct garden_doc *d);
/* The items of the list at the top level of a section, as indexes into md.p. */
struct garden_items VEC(const struct md_block *);
void garden_doc_items(struct arena *a, const struct garden_doc *d, struct span at,
		      struct garden_items *out);

/* A fault of a text. Two texts have the same one when rule and subject are equal. */
struct garden_problem {
	struct garden_diagnostic d;
	struct str subject;
	size_t measure; /* how bad it is: items, words, places */
	size_t at;      /* the offset in the text; SIZE_MAX: d.line says it, or the whole file */
};
struct garden_problems {
	struct garden_problem *p;
	size_t n, cap;
	/* of each rule: how many there are, and 1 + the index of the one that stands for the rest
	 */
	size_t count[GARDEN_RULE_COUNT], rest[GARDEN_RULE_COUNT];
	struct garden_problem spare; /* what callers get of those that are only counted */
};
/* The problems of a rule beyond this number are one problem: a hostile text may have millions. */
#define GARDEN_PROBLEMS_MAX ((size_t)200)
/* The faults that the text has by itself. */
void garden_doc_check(struct arena *a, const struct garden_path *path, const struct garden_doc *doc,
		      struct garden_problems *out);

/* Adds a fault with the severity of its rule. Its line and column are computed from `at` later. */
struct garden_problem *garden_problem_add(struct arena *a, struct garden_problems *out,
					  enum garden_rule rule, size_t at, struct str subject,
					  const char *fmt, ...) PRINTF(6, 7);

/* A set of strings that is filled, sorted once, and searched. */
struct garden_name {
	struct str name;
	size_t i; /* what the name is of */
};
struct garden_names VEC(struct garden_name);
void garden_names_sort(struct garden_names *v);
/* The first entry of the name, and their number; NULL and 0: none. Sorted by name, then i. */
const struct garden_name *garden_names_find(const struct garden_names *v, struct str name,
					    size_t *n);
