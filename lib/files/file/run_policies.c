/* Asks the policies of a change, each at its moment: see struct file_policy. */
#include "file/run_policies.h"

#define POLICY_EACH(p, c) for (const struct file_policy *p = (c)->f->policy; p; p = p->next)

struct err *policy_prepare_change(struct file_change *c)
{
	POLICY_EACH(p, c)
	if (p->enter)
		TRY(p->enter(p->ctx, c->a, c->f, c->p, c->n, c->f->proposed));
	return NULL;
}

struct err *policy_judge_places_after_error(struct file_change *c, const char *op, struct err *e)
{
	struct err *other = NULL;

	for (const struct file_policy *p = c->f->policy; p && !other; p = p->next)
		if (p->place)
			other = p->place(p->ctx, c->a, c->f, c->p, c->n, op ? op : "write");
	return other ? other : e;
}

static struct file_proposal policy_proposal(const struct file_change *c, struct file_step *s)
{
	const struct file_item *source = s->from ? s->from : s->at;
	struct str named = STR("");

	if (source->ref.backend == &backend_fs) {
		named = source->ref.path;
		if (!str_starts(named, STR("/")) && c->f->cwd)
			named = str_fmt(c->a, "%s/%.*s", c->f->cwd, STR_ARG(named));
	}
	return (struct file_proposal){
		.op = s->w.op,
		.anchor = s->w.anchor,
		.undoes = s->w.undoes,
		.asset = s->at->ref.backend == &backend_asset,
		.path = source->where,
		.path_to = s->from ? s->at->where : STR(""),
		.named = named,
		.before = s->was,
		.after = s->from && !s->new.p ? s->was : s->new,
		.before_hash = s->done.before,
		.after_hash = s->done.hash,
		.event = s->done.event,
		.done = &s->done,
	};
}

struct err *policy_let_replace_content(struct file_change *c, struct file_step *s)
{
	struct file_proposal proposal = policy_proposal(c, s);

	POLICY_EACH(p, c)
	if (p->complete)
		TRY(p->complete(p->ctx, c->a, &proposal));
	s->new = proposal.after;
	return NULL;
}

struct err *policy_judge(struct file_change *c, struct file_step *steps, size_t n)
{
	struct file_proposal *proposals = arena_array(c->a, n, sizeof(*proposals));
	struct strs warnings = {0};
	struct err *e = NULL;
	size_t changed = 0;

	for (size_t i = 0; i < n; i++)
		if (steps[i].done.changed)
			proposals[changed++] = policy_proposal(c, &steps[i]);
	if (!changed || !c->f->policy)
		return NULL;
	/* A judge may run git, as file.h says; nothing else waits for the outside. */
	os_critical_end();
	for (const struct file_policy *p = c->f->policy; p && !e; p = p->next)
		if (p->judge)
			e = p->judge(p->ctx, c->a, proposals, changed, c->f->proposed, &warnings);
	os_critical_begin("a change of a file");
	for (size_t i = 0; i < warnings.n; i++)
		strs_push(c->f->a, &steps[0].done.warnings, str_dup(c->f->a, warnings.p[i]));
	return e;
}

struct err *policy_fill_event(struct file_change *c, struct file_step *s, struct event *e)
{
	const struct file_proposal proposal = policy_proposal(c, s);
	struct events *log = NULL;

	POLICY_EACH(p, c)
	if (p->record)
		TRY(p->record(p->ctx, c->a, &proposal, e, &log));
	s->log = log ? log : c->f->events;
	s->kept_by_policy = log != NULL;
	return NULL;
}

struct err *policy_save_before_write(struct file_change *c, struct file_step *s)
{
	const struct file_proposal proposal = policy_proposal(c, s);

	POLICY_EACH(p, c)
	if (p->save)
		TRY(p->save(p->ctx, c->a, &proposal));
	return NULL;
}

void policy_after_write(struct file_change *c, struct file_step *steps, size_t n)
{
	if (!c->f->policy)
		return;
	/* Nothing depends on the time that a policy needs for this, except those who wait. */
	os_critical_end();
	for (size_t i = 0; i < n; i++) {
		struct file_step *s = &steps[i];
		const struct file_proposal proposal = policy_proposal(c, s);

		if (!s->done.changed)
			continue;
		POLICY_EACH(p, c)
		{
			struct err *e = p->keep ? p->keep(p->ctx, c->a, &proposal) : NULL;

			if (e)
				strs_push(c->f->a, &s->done.warnings,
					  str_fmt(c->f->a, "the change is done, but not kept: %s",
						  err_message(e)));
		}
	}
	os_critical_begin("a change of a file");
}

void policy_tell_undone(struct file_change *c, struct file_step *s)
{
	const struct file_proposal proposal = policy_proposal(c, s);

	os_critical_end();
	POLICY_EACH(p, c)
	if (p->undone)
		p->undone(p->ctx, c->a, &proposal);
	os_critical_begin("a change of a file");
}

struct err *policy_undo_content(struct file_change *c, const struct event *e, struct str *out,
				bool *done)
{
	struct err *failed = NULL;

	*done = false;
	/* Like a judge, it may run git. */
	os_critical_end();
	for (const struct file_policy *p = c->f->policy; p && !*done && !failed; p = p->next)
		if (p->restore)
			failed = p->restore(p->ctx, c->a, e, c->old, out, done);
	os_critical_begin("a change of a file");
	return failed;
}

static struct str policy_copy(struct file_change *c, struct str s)
{
	return s.p ? str_dup(c->f->a, s) : s;
}

void policy_record_proposed_change(struct file_change *c, struct file_step *s)
{
	struct file_proposal p = policy_proposal(c, s);

	p.path = policy_copy(c, p.path);
	p.path_to = policy_copy(c, p.path_to);
	p.named = policy_copy(c, p.named);
	p.before = policy_copy(c, p.before);
	p.after = policy_copy(c, p.after);
	p.done = NULL;
	*VEC_PUSH(c->f->a, c->f->proposed) = p;
}
