/* internal: what the files of lint share; no other module includes it. */
#pragma once

#include "judge/judge.h"
#include "conf/conf.h"
#include "lint/lint.h"
#include "md/md.h"
#include "yaml/yaml.h"

#define LINT_FILE_MAX ((size_t)16 << 20)

/* An item, its file, and what a comment in the file switches off. */
struct lint_file {
	const struct kn_item *item;
	struct str text;         /* the whole file, as stored */
	size_t body;             /* offset of the Markdown */
	struct md md;            /* of the body; offsets are in text */
	const struct val *front; /* the front matter, a map; NULL: none that parses */
	bool off[LINT_RULE_COUNT];
};

struct lint {
	struct arena *a;
	const struct lint_options *o;
	struct lint_report *out;
	struct tree *tree; /* NULL: no repository */
	struct conf *conf;
	struct knowledge *k;
	bool on[LINT_RULE_COUNT];
	struct VEC(struct lint_file) files; /* of the wanted items, sorted by shown path */
	struct strs paths; /* of all files of the tree, sorted; see lint_tree_paths() */
	bool has_paths;
};

/* A place in a text for lint_utf16_column(); start: {.text = text}. */
struct lint_cursor {
	struct str text;
	size_t line, at; /* the offset at which the line begins */
};
/*
 * The column of the place in units of UTF-16, as SARIF counts; 0: the text has no such place. Takes
 * O(text) for all places in ascending order of lines.
 */
size_t lint_utf16_column(struct lint_cursor *c, struct place at);

/* Whether the rule is on, and its problems would be shown. */
bool lint_wants(const struct lint *l, int rule);
/* Reports a problem. at: line 0 for the whole file. f NULL: the path is that of no item. */
void lint_say_of_path(struct lint *l, const struct lint_file *f, int rule, struct str path,
		      struct place at, const char *fmt, ...) PRINTF(6, 7);
#define lint_say(l, f, rule, ...) lint_say_of_path(l, f, rule, (f)->item->shown_path, __VA_ARGS__)
/* The paths of all files of the tree, sorted; listed once. Empty without a repository. */
struct err *lint_tree_paths(struct lint *l, const struct strs **out) MUST_USE;
/* Whether the path, as in lint_tree_paths(), is a file or a folder of the tree. */
bool lint_tree_has_path(const struct strs *paths, struct str path);

/* ---- an edit that mends a problem ---- */

struct lint_edit {
	int rule;
	struct span at;
	struct str new;
};
struct lint_edits VEC(struct lint_edit);
/* The edits of all fixable rules, sorted by place, without overlap. */
void lint_edits_of(struct arena *a, const struct lint_file *f, struct lint_edits *out);
/* Reads front matter and Markdown of f->text, and what comments switch off. */
struct err *lint_file_parse(struct arena *a, struct lint_file *f, struct strs *unknown) MUST_USE;

/* Adds a file that could not be mended. */
void lint_fix_failed(struct lint *l, struct str path, const struct err *e,
		     struct lint_fixes *fixed);

/* ---- the groups of rules ---- */

/* The files of the garden that are wanted; lint_fix() for them. */
struct err *lint_garden(struct lint *l) MUST_USE; /* garden.c */
struct err *lint_garden_fix(struct files *f, struct lint *l, struct lint_fixes *fixed) MUST_USE;

void lint_check_text(struct lint *l, const struct lint_file *f);                  /* text.c */
struct err *lint_links(struct lint *l, const struct lint_file *f) MUST_USE;       /* links.c */
void lint_relations(struct lint *l);                                              /* links.c */
struct err *lint_constraints(struct lint *l, const struct lint_file *f) MUST_USE; /* constraint.c */
