#include "history/gardens.h"

#define TREES_FILE_MAX ((size_t)16 << 20)

struct trees_judge {
	struct arena *a;
	const struct garden_trees *q;
	struct garden_judged *out;
	struct str top, users; /* "people/garden", "people/garden/users/" */
};

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
}

static const char *trees_is_no_file(const struct tree_file *f)
{
	return f->kind == TREE_LINK        ? "it is a link, and no file"
	       : f->kind == TREE_SUBMODULE ? "it is a repository, and no file"
					   : "it is a file, and no folder";
}

/* A file whose content cannot be judged blocks when it is new or changed. */
static void trees_say(struct trees_judge *j, struct str path, enum garden_rule rule,
		      const char *message)
{
	bool allowed = garden_rules[rule].force == GARDEN_FORCE_PERSON && j->q->person &&
		       j->q->rationale.n;
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

/* What one side has of a file. */
struct trees_side {
	struct str text, big; /* text p NULL: no file; big: why it was not read */
	const char *other;    /* why a link or a submodule is no file; NULL: it is one */
};

/* f NULL: the tree has no such file. */
static struct err *trees_side_read(struct trees_judge *j, struct tree *t, const struct tree_file *f,
				   struct trees_side *s)
{
	struct err *e;

	*s = (struct trees_side){0};
	if (!f)
		return NULL;
	if (f->kind == TREE_LINK || f->kind == TREE_SUBMODULE) {
		s->other = trees_is_no_file(f);
		return NULL;
	}
	e = tree_read(t, j->a, f, TREES_FILE_MAX, &s->text);
	if (!e || err_reason(e) != E_TOO_BIG) {
		s->text.p = s->text.p ? s->text.p : "";
		return e;
	}
	/* Its deletion is one all the same. */
	s->text = STR("");
	s->big = str_fmt(j->a, "%s", err_message(e));
	return NULL;
}

static bool trees_has_fault(const struct garden_diagnostics *list,
			    const struct garden_diagnostic *d)
{
	for (size_t i = 0; i < list->n; i++)
		if (!list->p[i].old && list->p[i].rule == d->rule &&
		    str_eq(list->p[i].subject, d->subject))
			return true;
	return false;
}

/*
 * The faults of the file against the first side that has it, less those that are none against
 * another side; a file that no side has is new.
 */
static struct err *trees_policy(struct trees_judge *j, struct garden_ask *q,
				const struct trees_side *sides, size_t n,
				struct garden_diagnostics *found)
{
	bool first = true;

	for (size_t i = 0; i <= n; i++) {
		struct garden_diagnostics some;
		size_t kept = 0;

		if (i < n ? !sides[i].text.p : !first)
			continue;
		q->before = i < n ? sides[i].text : (struct str){0};
		TRY(garden_judge_change(j->a, q, first ? found : &some));
		for (size_t k = 0; !first && k < found->n; k++)
			if (trees_has_fault(&some, &found->p[k]))
				found->p[kept++] = found->p[k];
		found->n = first ? found->n : kept;
		first = false;
	}
	return NULL;
}

/* old, new: NULL when the file is not there. */
static struct err *trees_file(struct trees_judge *j, struct str path, const struct tree_file *old,
			      const struct tree_file *new)
{
	const struct garden_trees *t = j->q;
	struct trees_side now, *sides = arena_array(j->a, t->sides.n + 1, sizeof(*sides));
	struct garden_ask q = {
		.path = str_sub(path, j->top.n + (j->top.n > 0), path.n),
		.rationale = t->rationale,
		.person = t->person,
	};
	struct garden_diagnostics found = {0};

	if (!str_starts(path, j->users)) {
		/* Something in the place of "people", "people/garden" or "people/garden/users". */
		if (new &&str_starts(j->users, path) && j->users.p[path.n] == '/')
			trees_say(j, path, GARDEN_RULE_PATH, trees_is_no_file(new));
		return NULL;
	}
	for (size_t i = 0; i < t->sides.n; i++) {
		struct tree_file f;
		bool there = old;

		if (i)
			TRY(tree_find(t->sides.p[i], path, &f, &there));
		else if (old)
			f = *old;
		/* Another side of the merge has the file as it is now. */
		if (i && (there && new ? f.kind == new->kind &&f.id_len &&f.id_len == new->id_len &&
						 !memcmp(f.id, new->id, f.id_len)
				       : there == !!new))
			return NULL;
		TRY(trees_side_read(j, t->sides.p[i], there ? &f : NULL, &sides[i]));
	}
	j->out->files++;
	TRY(trees_side_read(j, t->now, new, &now));
	if (now.other) {
		trees_say(j, path, GARDEN_RULE_PATH, now.other);
		return NULL;
	}
	if (now.big.n) {
		trees_say(j, path, GARDEN_RULE_TEXT, str_c(j->a, now.big));
		return NULL;
	}
	/* A link that goes away is no file that is deleted. */
	if ((sides[0].other && !new) ||
	    (sides[0].text.p && now.text.p && str_eq(sides[0].text, now.text)))
		return NULL;
	q.after = now.text;
	TRY(trees_policy(j, &q, sides, t->sides.n, &found));
	for (size_t i = 0; i < found.n; i++)
		if (!found.p[i].old)
			trees_add(j, path, &found.p[i]);
	return NULL;
}

ORDER_OF(trees_cmp, struct garden_judged_file, ORDER_STR(path))

struct err *garden_judge_trees(struct arena *a, const struct garden_trees *q,
			       struct garden_judged *out)
{
	struct trees_judge j = {.a = a, .q = q, .out = out};
	struct tree_changes changes = {0};

	*out = (struct garden_judged){0};
	TRY(garden_rationale_check(q->rationale));
	TRY(tree_diff(a, q->sides.n ? q->sides.p[0] : NULL, q->now, &changes));
	for (size_t t = 0; t < q->tops.n; t++) {
		j.top = q->tops.p[t];
		j.users = str_fmt(a, "%.*s%susers/", STR_ARG(j.top), j.top.n ? "/" : "");
		VEC_EACH(const struct tree_change, c, &changes) {
			struct str path = c->has_new ? c->new.path : c->old.path;

			TRY(trees_file(&j, path, c->has_old ? &c->old : NULL,
				       c->has_new ? &c->new : NULL));
		}
	}
	VEC_SORT(out, trees_cmp);
	return NULL;
}

/* ---- text ---- */

void garden_judged_print(struct out *o, const struct garden_judged *j)
{
	static const char *const names[] = {"info", "warning", "error"};
	bool person = false;

	for (int blocks = 1; blocks >= 0; blocks--)
		for (size_t i = 0; i < j->n; i++)
			VEC_EACH(const struct garden_diagnostic, d, &j->p[i].found) {
				if (d->blocks != (blocks == 1) ||
				    (!d->blocks && d->severity == GARDEN_INFO))
					continue;
				out_styled(o, OUT_BOLD, j->p[i].path);
				out_fmt(o, ":%zu:%zu: ", size_max(d->line, 1),
					size_max(d->column, 1));
				out_styled(o, d->severity == GARDEN_ERROR ? OUT_RED : OUT_YELLOW,
					   str_of(names[d->severity]));
				out_fmt(o, " %s: ", garden_rules[d->rule].id);
				out_safe(o, d->message, false);
				out_puts(o, d->overridden ? " (allowed by the rationale)" : "; ");
				out_safe_line(o, d->overridden ? STR("") : d->fix);
				person = person || (d->blocks && garden_rules[d->rule].force ==
									 GARDEN_FORCE_PERSON);
			}
	if (!j->blocked)
		return;
	out_fmt(o, "%u change%s of the garden %s not allowed; ikm-garden(7) has the rules\n",
		j->blocked, PLURAL(j->blocked), j->blocked == 1 ? "is" : "are");
	if (person)
		out_puts(o,
			 "if you mean a deletion, a moved file or a changed identity, add a line "
			 "'Ikm-Rationale: WHY' to the end of the commit message\n");
}
