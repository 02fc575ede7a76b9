/* The policy: which faults of a change block it. */
#include "garden/doc.h"

struct judge {
	struct arena *a;
	const struct garden_ask *q;
	struct garden_problems found; /* of the change */
	struct garden_problems had;   /* of the text before, sorted by rule and subject */
};

#define SAY(j, rule, subject, ...)                                                                 \
	garden_problem_add((j)->a, &(j)->found, GARDEN_RULE_##rule, SIZE_MAX, (subject),           \
			   __VA_ARGS__)

ORDER_OF(policy_subject_cmp, struct garden_problem, ORDER_UP(d.rule) || ORDER_STR(subject))

static bool policy_had(const struct judge *j, const struct garden_problem *p)
{
	size_t low = 0;

	BISECT(low, mid, j->had.n, policy_subject_cmp(&j->had.p[mid], p) < 0);
	for (; low < j->had.n && !policy_subject_cmp(&j->had.p[low], p); low++)
		if (j->had.p[low].measure >= p->measure)
			return true;
	return false;
}

/* ---- what a fault does ---- */

static void policy_apply(const struct judge *j, struct garden_problem *p)
{
	const struct garden_ask *q = j->q;
	struct garden_diagnostic *d = &p->d;
	bool given = q->rationale.n > 0, allowed = false;

	if (d->old) {
		d->severity = d->severity == GARDEN_ERROR ? GARDEN_WARNING : d->severity;
		return;
	}
	switch (garden_rules[d->rule].force) {
	case GARDEN_FORCE_NEVER: break;
	case GARDEN_FORCE_PERSON: allowed = q->maintainer || (q->person && given); break;
	case GARDEN_FORCE_TOOL:
		if (q->person || q->maintainer)
			return;
		break;
	case GARDEN_FORCE_CAP:
		if ((q->person || q->maintainer) && !given)
			return;
		allowed = given;
		break;
	case GARDEN_FORCE_WARN: return;
	}
	d->overridden = allowed;
	d->blocks = !allowed;
	if (d->blocks)
		d->severity = GARDEN_ERROR;
}

ORDER_OF(policy_offset_cmp, struct garden_problem, ORDER_UP(at) || ORDER_UP(d.rule))

ORDER_OF(policy_place_cmp, struct garden_diagnostic,
	 ORDER_UP(line) || ORDER_UP(column) || ORDER_UP(rule) || ORDER_STR(message))

static void policy_emit_diagnostics(struct arena *a, struct garden_problems *v, struct str text,
				    struct garden_diagnostics *out)
{
	struct places places = {.text = text};

	*out = (struct garden_diagnostics){0};
	if (!v->n)
		return;
	qsort(v->p, v->n, sizeof(*v->p), policy_offset_cmp);
	VEC_EACH(struct garden_problem, p, v) {
		if (p->at != SIZE_MAX) {
			struct place at = str_place_of_next_offset(&places, p->at);

			p->d.line = at.line;
			p->d.column = at.column;
		}
		p->d.subject = p->subject;
		*VEC_PUSH(a, out) = p->d;
	}
	qsort(out->p, out->n, sizeof(*out->p), policy_place_cmp);
}

/* ---- a change ---- */

static void policy_path(struct judge *j)
{
	const struct garden_ask *q = j->q;
	struct garden_problem *p;

	/* A person may mend or remove what should not be there. */
	if (q->person && q->before.p && !q->after.p)
		return;
	p = SAY(j, PATH, STR(""), "the garden's grammar has no path '%.*s'", STR_ARG(q->path));
	p->d.fix =
		str_fmt(j->a, "use one of %.*s; " GARDEN_ID_FORM, STR_ARG(garden_path_forms(j->a)));
	if (str_holds(q->path, "/history/"))
		p->d.fix = STR("history copies are made by ikm, at each write of a profile and by "
			       "md_snapshot_history");
	p->d.old = q->person && q->before.p;
}

static void policy_user(struct judge *j, struct str user)
{
	const struct garden_ask *q = j->q;

	if (!q->person && !q->maintainer && q->user.n && !str_eq(q->user, user))
		SAY(j, OTHER_USER, STR(""), "'%.*s' is the folder of '%.*s', and '%.*s' asks",
		    STR_ARG(q->path), STR_ARG(user), STR_ARG(q->user));
}

/* Only new files are judged: files that have such an id already stay valid. */
static void policy_ids(struct judge *j, const struct garden_path *path)
{
	const struct str ids[] = {path->user, path->id};
	struct str why, fix;

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		if (!ids[i].n || (i && str_eq(ids[0], ids[1])) ||
		    garden_id_check(j->a, ids[i], &why, &fix))
			continue;
		SAY(j, ID, ids[i], "the id '%.*s' %.*s", STR_ARG(ids[i]), STR_ARG(why))->d.fix =
			fix.n ? fix : STR(GARDEN_ID_FORM);
	}
}

/* The rules that need no look into the texts. True: nothing else is to be judged. */
static bool policy_file(struct judge *j, const struct garden_path *path)
{
	const struct garden_ask *q = j->q;

	policy_user(j, path->user);
	if (!garden_grammar[path->kind].frozen) {
		if (!q->before.p)
			policy_ids(j, path);
	} else if (q->before.p && q->after.p && !str_eq(q->before, q->after)) {
		SAY(j, HISTORY, STR(""), "a history copy is never changed");
	} else if (!q->before.p && !q->snapshot && !q->person && !q->maintainer) {
		SAY(j, HISTORY, STR(""), "history copies are written by snapshots only")->d.fix =
			str_fmt(j->a, "md_snapshot_history copies '%.*s/%.*s'",
				STR_ARG(path->folder), STR_ARG(path->file));
	}
	if (!q->after.p) {
		if (q->before.p)
			SAY(j, DELETE, STR(""), "'%.*s' was deleted", STR_ARG(q->path));
		return true;
	}
	return false;
}

static void policy_texts(struct judge *j, const struct garden_path *path)
{
	const struct garden_form *form = &garden_grammar[path->kind];
	struct garden_doc before, after;

	garden_doc_read(j->a, form, j->q->after, &after);
	if (j->q->before.p) {
		garden_doc_read(j->a, form, j->q->before, &before);
		if (garden_doc_is_empty(&after) && !garden_doc_is_empty(&before)) {
			SAY(j, EMPTY, STR(""), "'%.*s' was emptied", STR_ARG(j->q->path));
			return;
		}
	}
	garden_doc_check(j->a, path, &after, &j->found);
	if (j->q->before.p) {
		garden_doc_check(j->a, path, &before, &j->had);
		VEC_SORT(&j->had, policy_subject_cmp);
		for (size_t i = 0; i < j->found.n; i++)
			j->found.p[i].d.old = j->found.p[i].d.old || policy_had(j, &j->found.p[i]);
		garden_doc_compare(j->a, path, &before, &after, &j->found);
	}
}

struct err *garden_judge_change(struct arena *a, const struct garden_ask *q,
				struct garden_diagnostics *out)
{
	struct judge j = {.a = a, .q = q};
	struct garden_path path;

	*out = (struct garden_diagnostics){0};
	TRY(garden_rationale_check(q->rationale));
	if (!garden_path_read(q->path, &path))
		policy_path(&j);
	else if (!policy_file(&j, &path))
		policy_texts(&j, &path);
	for (size_t i = 0; i < j.found.n; i++)
		policy_apply(&j, &j.found.p[i]);
	policy_emit_diagnostics(a, &j.found, q->after, out);
	return NULL;
}

void garden_judge_place(struct arena *a, const struct garden_ask *q, bool folder,
			struct garden_diagnostics *out)
{
	struct judge j = {.a = a, .q = q};
	struct garden_path path;

	if (folder ? garden_path_is_folder(q->path, &path) : garden_path_read(q->path, &path)) {
		policy_user(&j, path.user);
		if (folder)
			policy_ids(&j, &path);
	} else if (folder) {
		SAY(&j, PATH, STR(""), "the garden's grammar has no folder '%.*s'",
		    STR_ARG(q->path))
			->d.fix = str_fmt(a, "make one for a file of %.*s; " GARDEN_ID_FORM,
					  STR_ARG(garden_path_forms(a)));
	} else {
		policy_path(&j);
	}
	for (size_t i = 0; i < j.found.n; i++)
		policy_apply(&j, &j.found.p[i]);
	policy_emit_diagnostics(a, &j.found, STR(""), out);
}

/* ---- a text as it is ---- */

void garden_lint_text(struct arena *a, struct str path, struct str text,
		      struct garden_diagnostics *out)
{
	const struct garden_ask q = {.path = path, .after = text};
	struct judge j = {.a = a, .q = &q};
	struct garden_path p;
	struct garden_doc doc;

	if (!garden_path_read(path, &p)) {
		policy_path(&j);
	} else {
		garden_doc_read(a, &garden_grammar[p.kind], text, &doc);
		garden_doc_check(a, &p, &doc, &j.found);
		if (!doc.form->frozen)
			policy_ids(&j, &p);
	}
	policy_emit_diagnostics(a, &j.found, text, out);
}
