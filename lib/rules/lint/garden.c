/* Lints files of the garden, and mends them. */
#include "garden/garden.h"
#include "lint/internal.h"

#define GARDEN_COMMENT "<!-- ikm-lint-disable"

/* ---- which files ---- */

static struct str lint_garden_shown(const struct lint *l, struct str path)
{
	return str_fmt(l->a, "%.*s%.*s", STR_ARG(l->o->garden.shown), STR_ARG(path));
}

struct lint_garden_list {
	struct lint *l;
	struct VEC(struct tree_file) files;
};

static struct err *lint_garden_add(void *ctx, const struct tree_file *f)
{
	struct lint_garden_list *list = ctx;

	*VEC_PUSH(list->l->a, &list->files) = *f;
	return NULL;
}

ORDER_OF(lint_garden_cmp, struct tree_file, ORDER_STR(path))

/* The wanted files, sorted, each once. Says which of the given paths have none. */
static struct err *lint_garden_files(struct lint *l, struct lint_garden_list *list)
{
	const struct lint_garden *g = &l->o->garden;
	size_t kept = 0;

	list->l = l;
	for (size_t i = 0; i < g->paths.n; i++) {
		size_t before = list->files.n;
		struct tree_file f;
		bool found;

		TRY(tree_find(g->tree, g->paths.p[i], &f, &found));
		if (found)
			TRY(lint_garden_add(list, &f));
		else
			TRY(tree_foreach(g->tree, g->paths.p[i], lint_garden_add, list));
		if (list->files.n == before)
			strs_push(l->a, &l->out->notes,
				  str_fmt(l->a, "'%.*s' has no file of the garden",
					  STR_ARG(lint_garden_shown(l, g->paths.p[i]))));
	}
	VEC_SORT(&list->files, lint_garden_cmp);
	for (size_t i = 0; i < list->files.n; i++)
		if (!kept || !str_eq(list->files.p[kept - 1].path, list->files.p[i].path))
			list->files.p[kept++] = list->files.p[i];
	list->files.n = kept;
	return NULL;
}

/* ---- problems ---- */

/* Adds the rules that comments of the text switch off. The text is parsed again only for them. */
static struct err *lint_garden_off(struct lint *l, struct arena *a, struct str path,
				   struct str text, bool *off)
{
	struct lint_file f = {.text = text};
	struct strs unknown = {0};

	memset(off, 0, LINT_RULE_COUNT * sizeof(*off));
	if (str_find(text, STR(GARDEN_COMMENT), 0) == SIZE_MAX)
		return NULL;
	TRY(lint_file_parse(a, &f, &unknown));
	memcpy(off, f.off, LINT_RULE_COUNT * sizeof(*off));
	for (size_t i = 0; i < unknown.n; i++) {
		struct strs known = strs_of(a, lint_rule_ids);

		lint_say_of_path(l, NULL, LINT_DISABLE, lint_garden_shown(l, path),
				 str_place_of_offset(text, (size_t)(unknown.p[i].p - text.p)),
				 "'%.*s' is no rule%.*s", STR_ARG(unknown.p[i]),
				 STR_ARG(str_did_you_mean(a, str_nearest(unknown.p[i], &known))));
	}
	return NULL;
}

static void lint_garden_push(struct lint *l, struct str shown, struct lint_cursor *cursor,
			     const struct garden_diagnostic *d)
{
	enum lint_severity severity = (enum lint_severity)d->severity;

	if (!l->on[LINT_GARDEN + d->rule] || severity < l->o->least)
		return;
	*VEC_PUSH(l->a, &l->out->problems) = (struct lint_problem){
		.rule = LINT_GARDEN + (int)d->rule,
		.severity = severity,
		.path = shown,
		.line = d->line,
		.column = d->column,
		.units = lint_utf16_column(cursor, (struct place){d->line, d->column}),
		.message = str_fmt(l->a, "%.*s; %.*s", STR_ARG(d->message), STR_ARG(d->fix)),
		.fixable = d->fixable,
	};
}

static struct err *lint_garden_file(struct lint *l, const struct tree_file *f)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct garden_diagnostic whole = {.rule = GARDEN_RULE_PATH, .severity = GARDEN_ERROR};
	struct garden_diagnostics found;
	struct lint_cursor cursor = {.text = STR("")};
	bool off[LINT_RULE_COUNT];
	struct str text = STR(""), shown;
	struct err *e;

	if (f->kind == TREE_LINK) {
		whole.message = STR("it is a link, and no file");
		whole.fix = STR("put a copy of the file in its place");
	} else if (f->kind == TREE_SUBMODULE) {
		whole.message = STR("it is a repository, and no file");
		whole.fix = STR("move it out of the folder users");
	} else if ((e = tree_read(l->o->garden.tree, a, f, LINT_FILE_MAX, &text))) {
		if (err_reason(e) != E_TOO_BIG)
			return e;
		whole.rule = GARDEN_RULE_TEXT;
		whole.message = str_of(err_message(e));
		whole.fix = STR("split the file, or move text to the notes");
	}
	if (whole.message.n) {
		lint_garden_push(l, lint_garden_shown(l, f->path), &cursor, &whole);
		return NULL;
	}
	garden_lint_text(a, f->path, text, &found);
	garden_mark_fixable(a, f->path, text, &found);
	TRY(lint_garden_off(l, a, f->path, text, off));
	cursor.text = text;
	shown = found.n ? lint_garden_shown(l, f->path) : STR("");
	for (size_t i = 0; i < found.n; i++)
		if (!off[LINT_GARDEN + found.p[i].rule])
			lint_garden_push(l, shown, &cursor, &found.p[i]);
	return NULL;
}

struct err *lint_garden(struct lint *l)
{
	struct lint_garden_list list = {0};

	if (!l->o->garden.paths.n)
		return NULL;
	TRY(lint_garden_files(l, &list));
	for (size_t i = 0; i < list.files.n; i++)
		TRY(lint_garden_file(l, &list.files.p[i]));
	l->out->garden = (unsigned)list.files.n;
	l->out->files += l->out->garden;
	return NULL;
}

/* ---- mending ---- */

/* The edits of the rules that are on. */
static struct err *lint_garden_edits(struct lint *l, struct str path, struct str text,
				     struct garden_edits *edits)
{
	bool off[LINT_RULE_COUNT];
	size_t kept = 0;

	TRY(lint_garden_off(l, l->a, path, text, off));
	garden_fix(l->a, path, text, edits);
	for (size_t i = 0; i < edits->n; i++) {
		int rule = LINT_GARDEN + (int)edits->p[i].rule;

		if (l->on[rule] && !off[rule])
			edits->p[kept++] = edits->p[i];
	}
	edits->n = kept;
	return NULL;
}

static struct err *lint_garden_fix_file(struct files *files, struct lint *l,
					const struct tree_file *at, struct lint_fixes *fixed)
{
	const struct file_write w = {.op = "lint", .existing = true};
	const struct lint_garden *g = &l->o->garden;
	struct garden_edits edits;
	struct file_change *c;
	struct file_done done;
	struct file_ref ref;
	struct str text;
	struct err *e;

	if (at->kind != TREE_FILE && at->kind != TREE_EXEC)
		return NULL;
	TRY(tree_read(g->tree, l->a, at, LINT_FILE_MAX, &text));
	TRY(lint_garden_edits(l, at->path, text, &edits));
	if (!edits.n)
		return NULL;
	TRY(file_ref_resolve(files, str_fmt(l->a, "%s/%.*s", g->top, STR_ARG(at->path)), &ref));
	TRY(file_begin(files, &ref, &w, &c));
	/* The file may have changed since it was read: the edits are of the text under the lock. */
	text = str_dup(l->a, c->old);
	e = lint_garden_edits(l, at->path, text, &edits);
	if (e || !edits.n)
		return file_abort(c, e);
	TRY(file_commit(c, garden_edits_apply(l->a, text, &edits), &done));
	for (int rule = 0; rule < GARDEN_RULE_COUNT; rule++) {
		size_t n = 0;

		for (size_t i = 0; i < edits.n; i++)
			n += (int)edits.p[i].rule == rule;
		if (n)
			*VEC_PUSH(l->a, fixed) = (struct lint_fixed){lint_garden_shown(l, at->path),
								     LINT_GARDEN + rule, n};
	}
	return NULL;
}

struct err *lint_garden_fix(struct files *files, struct lint *l, struct lint_fixes *fixed)
{
	struct lint_garden_list list = {0};

	if (!l->o->garden.paths.n)
		return NULL;
	TRY(lint_garden_files(l, &list));
	for (size_t i = 0; i < list.files.n; i++) {
		struct err *e = lint_garden_fix_file(files, l, &list.files.p[i], fixed);

		if (e && list.files.n == 1 && l->o->garden_only)
			return e;
		if (e)
			lint_fix_failed(l, lint_garden_shown(l, list.files.p[i].path), e, fixed);
	}
	return NULL;
}
