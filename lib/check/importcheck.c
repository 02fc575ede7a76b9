/* Rules on the modules that source files import. */
#include "check/engine.h"

/* One import with all its names. */
struct use {
	struct imports_names names;
	const struct import *m;
	struct str key; /* what a fingerprint holds: a path for a relative import */
	size_t at;      /* in the file */
};
struct uses {
	const struct imports_language *language; /* NULL: names of an input */
	const struct code_text *text;
	struct use *p;
	size_t n, cap;
	struct imports imports;
	struct str all; /* every name in a line of its own, for the set of patterns */
};

/* ---- reading ---- */

/*
 * The text as the language's own program reads it: decoded, and without NUL bytes, which a shell
 * drops.
 */
static unsigned import_view(const struct code_text *t)
{
	if (t->encoding != CODE_BYTES)
		return 0;
	return t->n - 1;
}

static void import_read(struct worker *w, struct arena *scratch, struct str path, bool old,
			const struct code_text *t, struct uses *out)
{
	struct imports_tree *tree = old ? w->run->old_imports : w->run->now_imports;
	unsigned view = import_view(t);
	struct code_cursor cursor = {0};
	struct buf all = buf_in(scratch);
	size_t last = 0;

	*out = (struct uses){.language = imports_language(path, t->view[view].text), .text = t};
	if (!out->language || !imports_is_read(out->language))
		return;
	imports_read(scratch, out->language, path, t->view[view].text, &out->imports);
	for (size_t i = 0; i < out->imports.n; i++) {
		const struct import *m = &out->imports.p[i];
		struct use *u = VEC_PUSH(scratch, out);

		u->m = m;
		imports_names(scratch, tree, out->language, path, m, &u->names);
		u->key = m->module;
		if (u->names.n > 1 && u->names.p[1].path && str_starts(m->module, STR(".")))
			u->key = u->names.p[1].name;
		if (m->at.from < last)
			cursor = (struct code_cursor){0};
		last = m->at.from;
		u->at = code_text_raw(t, view, &cursor, last);
		for (size_t j = 0; j < u->names.n; j++) {
			buf_put(&all, u->names.p[j].name);
			buf_putc(&all, '\n');
		}
	}
	out->all = buf_str(&all);
}

/* The file in the base, read when the first rule asks. */
struct import_before {
	bool asked, has;
	struct code_text text;
	struct uses uses;
};

static bool import_of_base(struct worker *w, struct arena *scratch, const struct subject *s,
			   const struct code_text *now, struct import_before *b)
{
	struct str text;

	if (b->asked)
		return b->has;
	b->asked = true;
	b->has = s->has_old && worker_old_text(w, scratch, s, now->raw, w->run->max_file, &text) &&
		 !skip_is_lfs(text) && code_text_of(scratch, s->old.path, text, &b->text);
	if (b->has)
		import_read(w, scratch, s->old.path, true, &b->text, &b->uses);
	return b->has;
}

/* ---- matching ---- */

/* "lodash$" means lodash alone: leading parts of a name do not end it. */
static bool import_is_whole(struct str pattern)
{
	return str_ends(pattern, STR("$")) && !str_ends(pattern, STR("\\$"));
}

static enum re_answer import_match(struct worker *w, const struct rule *r,
				   const struct imports_language *l, const struct use *u)
{
	bool whole = import_is_whole(r->c->pattern), limit = false;
	struct span m;

	for (size_t i = 0; i < u->names.n; i++) {
		const struct imports_name *name = &u->names.p[i];

		for (size_t end = 0; imports_leading(l, name, &end);) {
			enum re_answer answer;

			if (whole && end < name->name.n)
				continue;
			answer = giveup_find(w, r, str_sub(name->name, 0, end), 0, &m);
			if (answer == RE_YES)
				return RE_YES;
			limit |= answer == RE_LIMIT;
		}
	}
	return limit ? RE_LIMIT : RE_NO;
}

/* Names of one file in which a pattern may reach its match limit; see NAME_LIMITS of depcheck. */
#define IMPORT_LIMITS 2

struct import_hits {
	struct occurrences found;
	unsigned limits;
};

static void import_hit(struct arena *scratch, const struct uses *uses, const struct use *u,
		       struct import_hits *out)
{
	*VEC_PUSH(scratch, &out->found) = (struct occurrence){
		.match = u->key,
		.line = uses->text ? code_line_of(uses->text->raw, u->at) : STR(""),
		.at = u->at,
		.which = (size_t)(u - uses->p),
	};
}

/*
 * A module and its members. To forbid: the module, or else each member that matches. To demand: the
 * module matches, or each member does; when none does, the module is the finding.
 */
static void import_statement(struct worker *w, struct arena *scratch, const struct rule *r,
			     const struct uses *uses, size_t i, struct import_hits *out)
{
	const struct use *u = &uses->p[i];
	size_t members = u->m ? u->m->members : 0, matched = 0;
	enum re_answer answer = import_match(w, r, uses->language, u);

	out->limits += answer == RE_LIMIT;
	if (answer == RE_YES) {
		if (r->forbids)
			import_hit(scratch, uses, u, out);
		return;
	}
	for (size_t j = 1; j <= members && out->limits < IMPORT_LIMITS; j++) {
		answer = import_match(w, r, uses->language, u + j);
		out->limits += answer == RE_LIMIT;
		matched += answer == RE_YES;
		if (answer == RE_YES && r->forbids)
			import_hit(scratch, uses, u + j, out);
	}
	if (r->forbids || matched == members + !members)
		return;
	for (size_t j = 1; j <= members && matched && out->limits < IMPORT_LIMITS; j++)
		if (import_match(w, r, uses->language, u + j) == RE_NO)
			import_hit(scratch, uses, u + j, out);
	if (!matched)
		import_hit(scratch, uses, u, out);
}

static void import_find_hits(struct worker *w, struct arena *scratch, const struct rule *r,
			     const struct uses *uses, struct import_hits *out)
{
	for (size_t i = 0; i < uses->n && out->limits < IMPORT_LIMITS;
	     i += 1 + (uses->p[i].m ? uses->p[i].m->members : 0))
		import_statement(w, scratch, r, uses, i, out);
}

/* ---- judging ---- */

/* "../db/user (src/db/user)": a path that the file does not show. */
static struct str import_shown(struct arena *scratch, const struct use *u)
{
	struct str module = u->names.p[0].name;

	return str_eq(u->key, module)
		       ? module
		       : str_fmt(scratch, "%.*s (%.*s)", STR_ARG(module), STR_ARG(u->key));
}

static void import_report(struct worker *w, struct arena *scratch, const struct rule *r,
			  const struct subject *s, const struct uses *uses,
			  const struct import_hits *now, const struct import_hits *old)
{
	const struct code_text *t = uses->text;
	struct findings found = {.encoding = t ? t->encoding : CODE_BYTES};

	for (size_t i = 0; i < now->found.n; i++) {
		const struct occurrence *o = &now->found.p[i];
		const struct use *u = &uses->p[o->which];

		*VEC_PUSH(scratch, &found) = (struct finding){
			.text = o->match,
			.shown = import_shown(scratch, u),
			.name = u->names.p[0].name,
			.at = t ? o->at : SIZE_MAX,
			.existing = !o->introduced,
		};
	}
	if (now->limits)
		*VEC_PUSH(scratch, &found) = (struct finding){
			.at = SIZE_MAX,
			.limit_hit = true,
			.existing = (s && !s->touched) || old->limits,
		};
	if (now->limits && old->limits)
		unjudged_by(w, s, r, CHECK_MATCH_LIMIT);
	findings_add(w, r, s ? s->now.path : STR(""), t ? t->raw : STR(""), &found);
}

static void import_rule(struct worker *w, struct arena *scratch, const struct rule *r,
			const struct subject *s, const struct uses *uses, struct import_before *b)
{
	struct import_hits now = {0}, old = {0};
	bool base;

	import_find_hits(w, scratch, r, uses, &now);
	if (!now.found.n && !now.limits)
		return;
	if (s->touched) {
		base = !r->added && s->has_old && w->was_scoped[r->scope] &&
		       import_of_base(w, scratch, s, uses->text, b);
		if (base)
			import_find_hits(w, scratch, r, &b->uses, &old);
		code_mark_introduced(scratch, &now.found, uses->text, &old.found,
				     base ? &b->text : NULL);
	}
	import_report(w, scratch, r, s, uses, &now, &old);
}

/* ---- what is not known ---- */

static struct spots import_spots(struct arena *a, const struct imports *m)
{
	struct spots s = {0};

	for (size_t i = 0; i < m->unknown.n; i++)
		*VEC_PUSH(a, &s) = (struct spot){
			.text = m->unknown.p[i].text,
			.reason = str_of(m->unknown.p[i].reason),
			.which = i,
		};
	return s;
}

struct unknown_at {
	size_t from, which;
};

static int by_unknown_at(const void *x, const void *y)
{
	const struct unknown_at *a = x, *b = y;

	return (a->from > b->from) - (a->from < b->from);
}

/* The place of each, in one pass: from the beginning for each, a large file would take minutes. */
static struct place *import_unknown_places(struct arena *a, const struct uses *uses)
{
	const struct imports *m = &uses->imports;
	struct code_places places = {.raw = uses->text->raw, .encoding = uses->text->encoding};
	struct code_cursor cursor = {0};
	struct place *out = arena_array(a, m->unknown.n, sizeof(*out));
	struct unknown_at *p = arena_array(a, m->unknown.n, sizeof(*p));

	for (size_t i = 0; i < m->unknown.n; i++)
		p[i] = (struct unknown_at){m->unknown.p[i].at.from, i};
	if (m->unknown.n)
		qsort(p, m->unknown.n, sizeof(*p), by_unknown_at);
	for (size_t i = 0; i < m->unknown.n; i++)
		out[p[i].which] =
			code_place(&places, code_text_raw(uses->text, import_view(uses->text),
							  &cursor, p[i].from));
	return out;
}

/* Imports that the file does not tell; those of the base only to rules that the change adds. */
static void import_report_unknown(struct worker *w, struct arena *scratch, const struct subject *s,
				  const struct uses *uses, struct import_before *b)
{
	struct spots now = import_spots(scratch, &uses->imports), old = {0};
	const struct place *places = NULL;

	if (now.n && s->touched && import_of_base(w, scratch, s, uses->text, b))
		old = import_spots(scratch, &b->uses.imports);
	spots_compare(&now, &old);
	for (size_t i = 0; i < now.n; i++) {
		const struct spot *x = &now.p[i];
		struct check_unjudged *u;

		unjudged_clear(w);
		if (!unjudged_blind(w, KN_TARGET_IMPORT,
				    BLIND_ABSENCE | (x->was ? BLIND_ADDED : 0)))
			continue;
		u = unjudged_add(w, s, CHECK_UNRESOLVED, x->reason);
		if (!u->named)
			continue;
		if (!places)
			places = import_unknown_places(scratch, uses);
		u->name = str_dup(w->a, x->text);
		u->line = places[x->which].line;
		u->column = places[x->which].column;
	}
}

static void import_report_unread(struct worker *w, const struct subject *s,
				 const struct imports_language *l)
{
	unjudged_clear(w);
	unjudged_blind(w, KN_TARGET_IMPORT, BLIND_ABSENCE);
	unjudged_add(w, s, CHECK_UNREAD_LANGUAGE, str_of(imports_language_name(l)));
}

/* ---- one file ---- */

static bool is_import_rule(const struct rule *r, bool presence)
{
	return r->c->target == KN_TARGET_IMPORT && r->presence == presence;
}

static void import_presence_in(struct worker *w, const struct uses *uses, const bool *pending,
			       bool *found)
{
	for (size_t i = 0; i < w->run->rules.n; i++) {
		const struct rule *r = &w->run->rules.p[i];
		unsigned limits = 0;

		if (!is_import_rule(r, true) || !w->scoped[r->scope] || (pending && !pending[i]) ||
		    found[i] || giveup_is(w, r))
			continue;
		for (size_t j = 0; j < uses->n && !found[i] && limits < IMPORT_LIMITS; j++) {
			enum re_answer a = import_match(w, r, uses->language, &uses->p[j]);

			found[i] = a == RE_YES;
			limits += a == RE_LIMIT;
		}
		if (found == w->present && found[i])
			w->present_at[i] = w->at;
		if (limits && found == w->present)
			w->limit_hit[i]++;
	}
}

void import_presence(struct worker *w, struct arena *scratch, const struct subject *s, bool old,
		     const struct code_text *text, const bool *pending, bool *found)
{
	struct uses uses;

	import_read(w, scratch, old ? s->old.path : s->now.path, old, text, &uses);
	import_presence_in(w, &uses, pending, found);
}

/* The rules that forbid what none of the names has need no look at each name. */
static void import_scan(struct worker *w, struct str all)
{
	const struct rules *rules = &w->run->rules;

	if (rules->import_n)
		re_set_scan(rules->import_set, all, w->may_import);
}

static void import_rules(struct worker *w, struct arena *scratch, const struct subject *s,
			 const struct uses *uses, struct import_before *b)
{
	const struct rules *rules = &w->run->rules;

	import_scan(w, uses->all);
	for (size_t j = 0; j < rules->import_n; j++) {
		const struct rule *r = &rules->p[rules->import[j]];

		if (r->presence || !w->scoped[r->scope] || (r->forbids && !w->may_import[j]) ||
		    giveup_is(w, r))
			continue;
		import_rule(w, scratch, r, s, uses, b);
	}
}

void import_judge(struct worker *w, struct arena *scratch, const struct subject *s,
		  const struct code_text *text)
{
	struct import_before before = {0};
	struct uses uses;

	import_read(w, scratch, s->now.path, false, text, &uses);
	if (!uses.language)
		return;
	if (!imports_is_read(uses.language)) {
		import_report_unread(w, s, uses.language);
		return;
	}
	import_report_unknown(w, scratch, s, &uses, &before);
	import_rules(w, scratch, s, &uses, &before);
	import_presence_in(w, &uses, NULL, w->present);
}

bool import_wants(const struct run *run, struct str path)
{
	return run->rules.import_n &&
	       (imports_language(path, STR("")) || imports_may_be_script(path));
}

void import_judge_input(struct run *run)
{
	struct worker *w = &run->workers[0];
	struct uses uses = {0};

	if (!run->in->modules.n || !run->rules.import_n)
		return;
	for (size_t i = 0; i < run->in->modules.n; i++) {
		struct use *u = VEC_PUSH(run->a, &uses);

		u->key = run->in->modules.p[i];
		u->names.p[0].name = u->key;
		u->names.n = 1;
	}
	for (size_t i = 0; i < run->rules.scopes.n; i++)
		w->scoped[i] = true;
	for (size_t j = 0; j < run->rules.import_n; j++) {
		const struct rule *r = &run->rules.p[run->rules.import[j]];
		struct import_hits now = {0}, none = {0};

		if (r->presence)
			continue;
		import_find_hits(w, run->a, r, &uses, &now);
		for (size_t i = 0; i < now.found.n; i++)
			now.found.p[i].introduced = true;
		if (now.found.n || now.limits)
			import_report(w, run->a, r, NULL, &uses, &now, &none);
	}
	import_presence_in(w, &uses, NULL, w->present);
}
