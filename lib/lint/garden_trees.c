#include "lint/garden_trees.h"

#define TREES_FILE_MAX ((size_t)16 << 20)

struct trees_judge {
	struct arena *a;
	const struct garden_trees *q;
	struct garden_judged *out;
	struct str users; /* "people/garden/users/" */
};

/* ---- one file ---- */

static bool trees_has(const struct trees_judge *j, struct str path)
{
	return str_starts(path, j->users);
}

static void trees_add(struct trees_judge *j, struct str path, const struct garden_diagnostic *d)
{
	struct garden_judged *out = j->out;
	struct garden_judged_file *f = out->n ? &out->p[out->n - 1] : NULL;

	if (!f || !str_eq(f->path, path)) {
		f = VEC_PUSH(j->a, out);
		f->path = str_dup(j->a, path);
	}
	*VEC_PUSH(j->a, &f->found) = *d;
	out->blocked += d->blocks;
	out->overridden += d->overridden;
	out->warned += !d->blocks && !d->overridden && d->severity != GARDEN_INFO;
}

/* The content of one side. *other: what stands there is no file; *big: why it was not read. */
static struct err *trees_read(struct trees_judge *j, struct tree *t, const struct tree_file *f,
			      struct str *text, bool *other, struct str *big)
{
	struct err *e;

	*text = (struct str){0};
	*other = f && (f->kind == TREE_LINK || f->kind == TREE_SUBMODULE);
	if (!f || *other)
		return NULL;
	e = tree_read(t, j->a, f, TREES_FILE_MAX, text);
	if (!e || err_reason(e) != E_TOO_BIG) {
		text->p = text->p ? text->p : "";
		return e;
	}
	*big = str_fmt(j->a, "%s", err_message(e));
	return NULL;
}

/* A file whose content cannot be judged blocks when it is new or changed. */
static void trees_say(struct trees_judge *j, struct str path, enum garden_rule rule,
		      const char *message)
{
	bool allowed = garden_rules[rule].force == GARDEN_FORCE_PERSON &&
		       (j->q->maintainer || (j->q->person && j->q->rationale.n));
	const struct garden_diagnostic d = {
		.rule = rule,
		.severity = GARDEN_ERROR,
		.blocks = !allowed,
		.overridden = allowed,
		.message = str_of(message),
		.fix = str_of(garden_rules[rule].fix),
	};

	trees_add(j, path, &d);
}

/* old, new: NULL when the file is not there. */
static struct err *trees_file(struct trees_judge *j, struct str path, const struct tree_file *old,
			      const struct tree_file *new)
{
	struct str big = {0}, big_before = {0};
	const struct garden_trees *t = j->q;
	struct garden_ask q = {
		.path = str_sub(path, t->top.n + (t->top.n > 0), path.n),
		.user = t->user,
		.rationale = t->rationale,
		.person = t->person,
		.maintainer = t->maintainer,
	};
	struct garden_diagnostics found;
	bool other, other_before;

	if (!trees_has(j, path))
		return NULL;
	j->out->files++;
	TRY(trees_read(j, t->before, old, &q.before, &other_before, &big_before));
	TRY(trees_read(j, t->now, new, &q.after, &other, &big));
	if (other) {
		trees_say(j, path, GARDEN_RULE_PATH,
			  new->kind == TREE_LINK ? "it is a link, and no file"
						 : "it is a repository, and no file");
		return NULL;
	}
	if (big.n) {
		trees_say(j, path, GARDEN_RULE_TEXT, str_c(j->a, big));
		return NULL;
	}
	/* A link that goes away is no file that is deleted. */
	if (other_before && !new)
		return NULL;
	if (old && new && !other_before && str_eq(q.before, q.after))
		return NULL;
	TRY(garden_policy(j->a, &q, &found));
	for (size_t i = 0; i < found.n; i++)
		if (!found.p[i].old)
			trees_add(j, path, &found.p[i]);
	return NULL;
}

/* ---- all ---- */

static int trees_cmp(const void *x, const void *y)
{
	const struct garden_judged_file *a = x, *b = y;

	return str_cmp(a->path, b->path);
}

struct err *garden_judge_trees(struct arena *a, const struct garden_trees *q,
			       struct garden_judged *out)
{
	struct trees_judge j = {.a = a, .q = q, .out = out};
	struct tree_changes computed = {0};
	const struct tree_changes *changes = q->changes;

	*out = (struct garden_judged){0};
	TRY(garden_rationale_check(q->rationale));
	j.users = str_fmt(a, "%.*s%susers/", STR_ARG(q->top), q->top.n ? "/" : "");
	if (!changes) {
		TRY(tree_diff(a, q->before, q->now, &computed));
		changes = &computed;
	}
	for (size_t i = 0; i < changes->n; i++) {
		const struct tree_change *c = &changes->p[i];
		const struct tree_file *old = c->has_old ? &c->old : NULL;
		const struct tree_file *new = c->has_new ? &c->new : NULL;

		if (c->renamed) {
			TRY(trees_file(&j, c->old.path, old, NULL));
			TRY(trees_file(&j, c->new.path, NULL, new));
		} else {
			TRY(trees_file(&j, new ? c->new.path : c->old.path, old, new));
		}
	}
	if (out->n)
		qsort(out->p, out->n, sizeof(*out->p), trees_cmp);
	return NULL;
}

/* ---- text ---- */

static void trees_line(struct out *o, const struct garden_judged_file *f,
		       const struct garden_diagnostic *d)
{
	static const char *const names[] = {"info", "warning", "error"};

	out_styled(o, OUT_BOLD, f->path);
	out_fmt(o, ":%zu:%zu: ", size_max(d->line, 1), size_max(d->column, 1));
	out_styled(o, d->severity == GARDEN_ERROR ? OUT_RED : OUT_YELLOW,
		   str_of(names[d->severity]));
	out_fmt(o, " %s: ", garden_rules[d->rule].id);
	out_safe(o, d->message, false);
	if (!d->overridden) {
		out_puts(o, "; ");
		out_safe(o, d->fix, false);
	}
	out_puts(o, d->overridden ? " (allowed by the rationale)\n" : "\n");
}

void garden_judged_text(struct out *o, const struct garden_judged *j)
{
	bool person = false;

	for (int blocks = 1; blocks >= 0; blocks--)
		for (size_t i = 0; i < j->n; i++)
			for (size_t k = 0; k < j->p[i].found.n; k++) {
				const struct garden_diagnostic *d = &j->p[i].found.p[k];

				if (d->blocks != (blocks == 1) ||
				    (!d->blocks && d->severity == GARDEN_INFO))
					continue;
				trees_line(o, &j->p[i], d);
				person = person || (d->blocks && garden_rules[d->rule].force ==
									 GARDEN_FORCE_PERSON);
			}
	if (!j->blocked)
		return;
	out_fmt(o, "%u change%s of the garden %s not allowed; ikm-garden(7) has the rules\n",
		j->blocked, j->blocked == 1 ? "" : "s", j->blocked == 1 ? "is" : "are");
	if (person)
		out_puts(o,
			 "if you mean a deletion, a moved file or a changed identity, add a line "
			 "'Ikm-Rationale: WHY' to the end of the commit message\n");
}
