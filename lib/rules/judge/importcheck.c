/* Rules on the modules that source files import. */
#include "judge/internal.h"
#include "base/sort.h"

/* One import with all its names. */
struct use {
	struct imports_names names;
	struct str key; /* as it is shown: a path for a relative import */
};

/* ---- reading ---- */

/* The file's own bytes: places ascend, but for a few. */
struct import_cursor {
	struct code_cursor at;
	size_t last;
};

static size_t import_raw(const struct code_text *t, struct import_cursor *c, size_t at)
{
	if (at < c->last)
		c->at = (struct code_cursor){0};
	c->last = at;
	return code_text_raw_offset(t, code_text_program_view(t), &c->at, at);
}

ORDER_OF(import_by_place, struct lexer_unknown, ORDER_UP(at.from))

/* Sorted by place: from the beginning for each, a large file would take minutes. */
static void import_spots(struct arena *a, const struct imports *m, struct facts *f)
{
	const struct code_text *t = f->side.text;
	struct code_places places = {.raw = t->raw, .encoding = t->encoding};
	const struct lexer_unknown **p = sort_into_pointers(a, m->unknown.p, m->unknown.n,
							    sizeof(*m->unknown.p), import_by_place);
	struct import_cursor cursor = {0};

	for (size_t i = 0; i < m->unknown.n; i++)
		*VEC_PUSH(a, &f->spots) = (struct spot){
			.text = p[i]->text,
			.reason = str_of(p[i]->reason),
			.which = (size_t)(p[i] - m->unknown.p),
			.place = code_place_of_offset(&places,
						      import_raw(t, &cursor, p[i]->at.from)),
		};
}

/* "*.scss files"; nothing when the name has no suffix, for then it is not known what it is. */
static struct str import_suffix(struct arena *a, struct str path)
{
	size_t dot = str_rfind_char(path, '.'), slash = str_rfind_char(path, '/');

	return dot == SIZE_MAX || (slash != SIZE_MAX && dot < slash)
		       ? (struct str){0}
		       : str_fmt(a, "*%.*s files", (int)(path.n - dot), path.p + dot);
}

static struct err *import_read(struct worker *w, struct arena *a, struct facts *f)
{
	struct imports_tree *tree = f->side.old ? w->run->old_imports : w->run->now_imports;
	const struct code_text *t = f->side.text;
	struct str text = t->view[code_text_program_view(t)].text, path = f->side.path;
	const struct lexer_form *l = imports_language(path, text);
	struct import_cursor cursor = {0};
	struct buf all = buf_in(a);
	struct imports imports = {0};
	struct use *uses;
	bool lost = false;

	f->of = l;
	f->unread_only = BLIND_ABSENCE | (l ? 0 : BLIND_SUFFIX);
	if (!l || !imports_is_read(l))
		f->unread = l ? str_of(l->name) : import_suffix(a, path);
	f->foreign = !l && !f->unread.p;
	if (!l || f->unread.p)
		return NULL;
	imports_read(a, l, path, text, &imports);
	uses = arena_array(a, imports.n, sizeof(*uses));
	for (size_t i = 0; i < imports.n; i++) {
		const struct import *m = &imports.p[i];
		struct use *u = &uses[i];

		imports_names_of_module(a, tree, l, path, m, &u->names);
		u->key = m->module;
		/* Once: the reason is the same for all. */
		if (u->names.lost.n && !lost)
			*VEC_PUSH(a, &imports.unknown) =
				(struct lexer_unknown){m->at, m->module, str_c(a, u->names.lost)};
		lost |= u->names.lost.n > 0;
		if (u->names.n > 1 && u->names.p[1].path && str_starts(m->module, STR(".")))
			u->key = u->names.p[1].name;
		*VEC_PUSH(a, f) = (struct fact){.key = imports_identity_of_import(l, &u->names),
						.at = import_raw(t, &cursor, m->at.from),
						.members = m->members,
						.of = u};
		for (size_t j = 0; j < u->names.n; j++) {
			buf_put(&all, u->names.p[j].name);
			buf_putc(&all, '\n');
		}
	}
	/* The rules that forbid what none of the names has need no look at each name. */
	f->views[0] = buf_as_str(&all);
	f->views_n = 1;
	if (imports.unknown.n && !f->side.pending)
		import_spots(a, &imports, f);
	return NULL;
}

static struct err *import_input(struct run *run, struct facts *f)
{
	const struct strs *modules = &run->in->modules;

	for (size_t i = 0; i < modules->n; i++) {
		struct use *u = ARENA_NEW(run->a, struct use);

		u->key = u->names.p[0].name = modules->p[i];
		u->names.n = 1;
		u->names.p[0].end = u->key.n;
		*VEC_PUSH(run->a, f) = (struct fact){.key = u->key, .line = STR(""), .of = u};
	}
	return NULL;
}

/* ---- matching ---- */

static enum re_answer import_match(struct worker *w, struct arena *a, const struct rule *r,
				   const struct facts *f, const struct fact *one)
{
	const struct use *u = one->of;
	bool limit = false;
	struct span m;

	(void)a;
	for (size_t i = 0; i < u->names.n; i++) {
		const struct imports_name *name = &u->names.p[i];

		for (size_t end = 0; imports_next_leading_part(f->of, name, &end);) {
			enum re_answer answer;

			/* "lodash$" means lodash alone: leading parts of a name do not end it. */
			re_work_set_text_is_cut(w->re, end < name->end);
			answer = pattern_find(w, r, str_sub(name->name, 0, end), 0, &m);
			re_work_set_text_is_cut(w->re, false);
			if (answer == RE_YES)
				return RE_YES;
			limit |= answer == RE_LIMIT;
		}
	}
	return limit ? RE_LIMIT : RE_NO;
}

/* "../db/user (src/db/user)": a path that the file does not show. */
static void import_show(struct arena *a, const struct rule *r, const struct facts *f,
			const struct hit *h, struct finding *out)
{
	const struct use *u = f->p[h->fact].of;

	(void)r;
	out->name = u->names.p[0].name;
	out->shown = out->name;
	if (!str_eq(u->key, out->name))
		out->shown = str_fmt(a, "%.*s (%.*s)", STR_ARG(out->name), STR_ARG(u->key));
}

/* ---- a text without a reader ---- */

struct import_names {
	struct imports_tree *tree;
	struct str path;
};

/* "~data/x" means src/db/x where an alias says so; in src/db/a/b.gts "../x" does. */
static void import_other_names(void *ctx, void (*each)(void *t, struct str from, struct str to),
			       void *t)
{
	const struct import_names *n = ctx;

	imports_aliases(n->tree, n->path, each, t);
	each(t, STR("./"), n->path);
}

static bool import_may(struct worker *w, const struct rule *r, const struct facts *f,
		       struct str *word)
{
	struct import_names n = {f->side.old ? w->run->old_imports : w->run->now_imports,
				 f->side.path};

	return pretest_may_match(r, f->side.text->view[code_text_program_view(f->side.text)].text,
				 import_other_names, &n, word);
}

/* ---- the row ---- */

static bool import_names(struct str path)
{
	return imports_language(path, STR(""));
}

static bool import_wants(struct str path)
{
	return import_names(path) || imports_may_be_script(path);
}

const struct target import_target = {
	.reads = READS_TEXT,
	.wants = import_wants,
	.names = import_names,
	.read = import_read,
	.given = offsetof(struct check_input, modules.n),
	.input = import_input,
	.match = import_match,
	.find = facts_breaking_rule,
	.show = import_show,
	.unread_as = CHECK_UNREAD_LANGUAGE,
	.unread_only = BLIND_ABSENCE | BLIND_SUFFIX,
	.may = import_may,
	.words = {"no file imports it, and one must",
		  "must not import",
		  "must import allowed modules only, not",
		  "an import may be missed",
		  {"an import may be missed at", ""},
		  "it is source code"},
};
