/* Records what was refused: an agent that tries to break a rule is worth knowing. */
#include "saga/internal.h"
#include "crypt/crypt.h"

struct err *saga_refuse(struct saga *s, struct arena *a, const struct file_proposal *p,
			struct err *why, struct strs *warnings)
{
	struct err *failed;
	struct event e = {
		.op = str_of(p->op),
		.path = p->path,
		.path_to = p->path_to,
		.before = p->before_hash,
		.after = p->after_hash,
		.undoes = p->undoes,
	};
	struct str id = STR("");

	if (s->own->dry)
		return why;
	failed = saga_fill_event(s, a, p, &e);
	if (!failed)
		failed = event_refused(s->log, a, &e, why, &id);
	if (failed)
		strs_push(s->a, warnings,
			  str_fmt(s->a, "the refusal could not be recorded: %s",
				  err_message(failed)));
	return id.n ? err_add_detail(why, "event", id) : why;
}

/* The file as it is: nothing was changed. */
static void saga_refused_content(struct arena *a, struct file_proposal *p)
{
	struct str content;

	if (os_read_path(a, str_c(a, p->path), FILE_BYTES_MAX, &content))
		return;
	p->before_hash = crypt_content_hash(a, content);
	if (p->path_to.n)
		p->after_hash = p->before_hash;
}

struct err *saga_record_refusal(struct saga *s, struct arena *a, const char *cwd,
				const struct saga_attempt *q, struct err *why)
{
	struct file_proposal p = {.op = q->op, .undoes = q->undoes};
	struct strs warnings = {0};
	bool from = false, to = false;

	/* What cannot be looked at is no file of the garden that could have been changed. */
	if (saga_garden_has_path(s, a, cwd, q->path, &from, &p.path))
		return why;
	if (q->path_to.n && saga_garden_has_path(s, a, cwd, q->path_to, &to, &p.path_to))
		return why;
	if (!from && !to)
		return why;
	if (!q->undoes.n)
		saga_refused_content(a, &p);
	why = saga_refuse(s, a, &p, why, &warnings);
	for (size_t i = 0; i < warnings.n; i++)
		err_help(why, "%.*s", STR_ARG(warnings.p[i]));
	return why;
}
