/* internal: what the files of lint share; no other module includes it. */
#pragma once

#include "judge/judge.h"
#include "conf/conf.h"
#include "lint/lint.h"
#include "md/md.h"

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
	struct strs paths; /* of all files of the tree, sorted; see lint_list_paths() */
	bool has_paths;
};

/* Whether the rule is on, and its problems would be shown. */
bool lint_wants(const struct lint *l, int rule);
/* Reports a problem. at: line 0 for the whole file. f NULL: the path is that of no item. */
void lint_say_of_path(struct lint *l, const struct lint_file *f, int rule, struct str path,
		      struct place at, const char *fmt, ...) PRINTF(6, 7);
#define lint_say(l, f, rule, ...) lint_say_of_path(l, f, rule, (f)->item->shown_path, __VA_ARGS__)

/* ---- an edit that mends a problem ---- */

struct lint_edit {
	int rule;
	struct span at;
	struct str new;
};
struct lint_edits VEC(struct lint_edit);
/* The edits of all fixable rules, sorted by place, without overlap. */
void lint_edits_of(struct arena *a, const struct lint_file *f, struct lint_edits *out);

/* Looks for what breaks a rule in one item, and in what others say of it. */
struct err *lint_item(struct lint *l, const struct lint_file *f) MUST_USE;
