/*
 * check.h: for the tests of check: trees and knowledge from a few words, and cases as tables.
 *
 * Each case is a base, a change and rules, and what the report says, one line for each thing:
 *
 *   block adr.1 src/a.js:3:5 'eval('       a violation; " existing", " base" behind it
 *   skip a.png binary                      " blocking", " added", " blocks" behind it
 *   unjudged a.md:1:1 knowledge_file 'x'   what else is told by name; " blocks" behind it
 *   broken docs/adr.md blocks              a note
 *   not judged 1                           counts, when they are not 0
 *   existing 3
 *   blocked                                it did not pass
 */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include "tap.h"
#include "judge/judge.h"
#include "re/re.h"

struct file {
	const char *path, *text;
	enum tree_kind kind;
	size_t n; /* of text, when it has NULs */
};

struct con {
	const char *item; /* NULL: "adr" */
	enum kn_operator op;
	enum kn_target target;
	const char *pattern; /* NULL ends a list */
	enum kn_severity severity;
	const char *in, *version, *message;
	enum kn_status status; /* of the item */
	bool draft;            /* status is DRAFT, which is 0 */
};

#define FILES 8
#define CONS  5

struct test {
	const char *what;
	bool no_base, own_base_rules, existing, json;
	enum kn_severity min;
	const char *only, *ids;
	struct file base[FILES], now[FILES];
	struct con rules[CONS], base_rules[CONS];
	struct check_dep deps[4];
	bool incomplete;
	size_t max_file;
	struct kn_note note;
	bool all;    /* broken_blocks and list_unjudged */
	bool strict; /* unjudged_blocks */
	bool ignore_case;
	const char *want;
};

#define BLOCK        KN_SEVERITY_BLOCK
#define WARN         KN_SEVERITY_WARN
#define INFO         KN_SEVERITY_INFO
#define DEP(o, p)    .op = KN_OP_##o, .target = KN_TARGET_DEPENDENCY, .pattern = p
#define CODE(o, p)   .op = KN_OP_##o, .target = KN_TARGET_CODE, .pattern = p
#define USES(o, p)   .op = KN_OP_##o, .target = KN_TARGET_IMPORT, .pattern = p
#define PATH(o, p)   .op = KN_OP_##o, .target = KN_TARGET_FILE, .pattern = p
#define CONFIG(o, p) .op = KN_OP_##o, .target = KN_TARGET_CONFIG, .pattern = p
#define B            .severity = BLOCK
#define W            .severity = WARN

static inline struct strs words(struct arena *a, const char *text)
{
	struct str rest = str_of(text), part;
	struct strs v = {0};

	while (text && str_next_part(&rest, ' ', &part))
		strs_push(a, &v, part);
	return v;
}

/* As the reader of knowledge does it. */
static inline void compile(struct arena *a, struct kn_constraint *c)
{
	bool match = c->op == KN_OP_MUST_MATCH || c->op == KN_OP_MUST_NOT_MATCH;
	unsigned flags = c->target == KN_TARGET_DEPENDENCY || c->target == KN_TARGET_IMPORT
				 ? RE_ICASE | RE_WHOLE
			 : c->target == KN_TARGET_CODE ? RE_MULTILINE
						       : 0;
	struct err *e = globs_new(a, &c->applies_to, &c->applies);

	if (!e && c->target == KN_TARGET_FILE && !match)
		e = glob_new(a, c->pattern, &c->glob);
	else if (!e && c->op != KN_OP_MUST_EXIST && c->op != KN_OP_MUST_NOT_EXIST)
		e = re_new(a, c->pattern, flags, &c->re);
	if (e)
		BUG("%s", err_message(e));
}

static inline struct knowledge *knowledge_of(struct arena *a, const struct con *c)
{
	struct knowledge *k = ARENA_NEW(a, struct knowledge);

	k->sources = 1;
	strs_push(a, &k->folders, STR("docs"));
	for (; c->pattern; c++) {
		struct str id = str_of(c->item ? c->item : "adr");
		struct kn_item *i = NULL;
		struct kn_constraint one;
		size_t cap;

		for (size_t n = 0; n < k->items.n; n++)
			if (str_eq(k->items.p[n].id, id))
				i = &k->items.p[n];
		if (!i) {
			i = VEC_PUSH(a, &k->items);
			i->id = i->title = id;
			i->layer = KN_LAYER_PROJECT;
			i->status = c->draft    ? KN_STATUS_DRAFT
				    : c->status ? c->status
						: KN_STATUS_ACCEPTED;
			i->status_text = str_of(kn_statuses[i->status]);
			i->path = str_fmt(a, "%.*s.md", STR_ARG(id));
			i->tree_path = i->shown_path = str_fmt(a, "docs/%.*s.md", STR_ARG(id));
			i->metadata = val_map(a);
			i->in_tree = true;
		}
		cap = i->constraints_n;
		one = (struct kn_constraint){
			.index = (unsigned)++i->constraints_n,
			.op = c->op,
			.target = c->target,
			.pattern = str_of(c->pattern),
			.applies_to = words(a, c->in),
			.severity = c->severity,
			.message = str_of(c->message),
			.version = str_of(c->version),
			.waivable = true,
		};
		i->constraints =
			arena_array_grow(a, i->constraints, &cap, i->constraints_n, sizeof(one));
		i->constraints[i->constraints_n - 1] = one;
		compile(a, &i->constraints[i->constraints_n - 1]);
	}
	knowledge_finish(a, k);
	return k;
}

static inline struct tree *tree_of(struct arena *a, const char *name, const struct file *f)
{
	struct tree_mem_file *files = arena_array(a, FILES, sizeof(*files));
	size_t n = 0;

	for (; f->path && n < FILES; f++, n++) {
		files[n].path = str_of(f->path);
		files[n].kind = f->kind;
		files[n].content = f->n ? (struct str){f->text, f->n} : str_of(f->text);
	}
	return tree_mem(a, str_of(name), files, n);
}

static inline int by_path(const void *x, const void *y)
{
	const struct check_unjudged *a = *(const struct check_unjudged *const *)x;
	const struct check_unjudged *b = *(const struct check_unjudged *const *)y;
	int c = str_cmp(a->path, b->path);

	return c                    ? c
	       : a->line != b->line ? (a->line < b->line ? -1 : 1)
				    : (int)a->reason - (int)b->reason;
}

/* All skipped files; of other notes only the reported ones. */
static inline void unjudged_text(struct arena *a, struct buf *b, const struct check_report *r)
{
	const struct check_unjudged **p = arena_array(a, r->unjudged.n, sizeof(*p));

	for (size_t i = 0; i < r->unjudged.n; i++)
		p[i] = &r->unjudged.p[i];
	qsort(p, r->unjudged.n, sizeof(*p), by_path);
	for (size_t i = 0; i < r->unjudged.n; i++) {
		const struct check_unjudged *u = p[i];

		if (check_unjudged_is_skipped(u)) {
			bool blocking = u->severity == KN_SEVERITY_BLOCK && !u->counted;

			buf_fmt(b, "skip %.*s %s%s%s%s\n", STR_ARG(u->path),
				check_skipped_reason_name(u->reason), blocking ? " blocking" : "",
				u->added ? " added" : "",
				u->blocks && u->reason != CHECK_UNREADABLE ? " blocks" : "");
		} else if (u->named) {
			buf_fmt(b, "unjudged %.*s", STR_ARG(u->path));
			if (u->line)
				buf_fmt(b, ":%zu:%zu", u->line, u->column);
			buf_fmt(b, " %s", check_reasons[u->reason]);
			if (u->name.n)
				buf_fmt(b, " '%.*s'", STR_ARG(u->name));
			buf_puts(b, u->blocks ? " blocks\n" : "\n");
		}
	}
}

static inline struct str text_of(struct arena *a, const struct check_report *r)
{
	struct check_report all = *r;
	struct buf b = buf_in(a);

	for (size_t i = 0; i < r->violations.n; i++) {
		const struct check_violation *v = &r->violations.p[i];

		buf_fmt(&b, "%s %.*s.%u", kn_severities[v->severity], STR_ARG(v->item->id),
			v->constraint->index);
		if (v->file.n)
			buf_fmt(&b, " %.*s", STR_ARG(v->file));
		if (v->line)
			buf_fmt(&b, ":%zu:%zu", v->line, v->column);
		if (v->found.n && !str_eq(v->found, v->file))
			buf_fmt(&b, " '%.*s'", STR_ARG(v->found));
		buf_fmt(&b, "%s%s\n", v->existing ? " existing" : "", v->from_base ? " base" : "");
	}
	unjudged_text(a, &b, r);
	check_report_finish(a, &all);
	for (size_t i = 0; i < all.all_notes.n; i++) {
		const struct check_note *n = &all.all_notes.p[i];

		buf_fmt(&b, "%s %.*s%s\n", check_note_kinds[n->kind], STR_ARG(n->path),
			n->blocks ? " blocks" : "");
	}
	if (r->not_judged)
		buf_fmt(&b, "not judged %u\n", r->not_judged);
	if (r->existing)
		buf_fmt(&b, "existing %u\n", r->existing);
	if (!r->passed)
		buf_puts(&b, "blocked\n");
	return buf_as_str(&b);
}

#define FILE_MOST ((size_t)8 << 20)

static inline struct check_input input_of(struct arena *a, const struct test *t)
{
	struct check_input in = {
		.now = t->json && !t->now[0].path ? NULL : tree_of(a, "now", t->now),
		.base = t->no_base || t->json ? NULL : tree_of(a, "base", t->base),
		.only = words(a, t->only),
		.items = words(a, t->ids),
		.min_severity = t->min,
		.complete = !t->incomplete,
		.want_existing = t->existing,
		.broken_blocks = t->all,
		.list_unjudged = t->all,
		.unjudged_blocks = t->strict,
		.ignore_case = t->ignore_case,
		.max_file = t->max_file ? t->max_file : FILE_MOST,
		.threads = 1,
	};
	struct knowledge *k = knowledge_of(a, t->rules);

	if (t->note.path.n)
		*VEC_PUSH(a, &k->notes) = t->note;
	in.rules = k;
	in.base_rules = t->own_base_rules ? knowledge_of(a, t->base_rules) : NULL;
	in.deps = t->deps;
	while (in.deps_n < ARRAY_SIZE(t->deps) && t->deps[in.deps_n].name.n)
		in.deps_n++;
	return in;
}

static inline void run_case(const struct test *t)
{
	struct arena *a = arena_new();
	struct check_input in = input_of(a, t);
	struct check_report one = {0}, two = {0};
	struct err *e = check_run(a, &in, &one);

	if (e) {
		works(e, t->what);
	} else {
		is_str(text_of(a, &one), str_of(t->want), t->what);
		in.threads = 3;
		e = check_run(a, &in, &two);
		if (e || !str_eq(text_of(a, &one), text_of(a, &two)))
			ok(false, "%s: the same with three threads", t->what);
	}
	arena_free(a);
}

#define PKG(deps) "{\n  \"dependencies\": {" deps "}\n}\n"
#define LFS                                                                                        \
	"version https://git-lfs.github.com/spec/v1\n"                                             \
	"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"            \
	"size 12345\n"

#define F(p, t)                                                                                    \
	{                                                                                          \
		.path = p, .text = t                                                               \
	}

static inline struct check_report run(struct arena *a, struct check_input in)
{
	struct check_report r = {0};

	if (!in.max_file)
		in.max_file = FILE_MOST;
	works(check_run(a, &in, &r), "runs");
	return r;
}

static inline struct check_report run_on(struct arena *a, const struct con *c,
					 const struct file *base, const struct file *now)
{
	return run(a, (struct check_input){.now = tree_of(a, "now", now),
					   .base = base ? tree_of(a, "base", base) : NULL,
					   .rules = knowledge_of(a, c),
					   .complete = true});
}

#endif
