/* A memory supersedes another. All functions run within db_write(). */
#include "memory/internal.h"
#include "os/os.h"

struct err *memory_newest(struct memories *m, struct arena *a, struct str id, struct str *out)
{
	*out = STR("");
	DB_EACH(rows, m->db, Q_MEMORY_NEWEST, DB_S(id))
		*out = db_str(rows, a, 0);
	return NULL;
}

static struct err *superseded_already(struct memories *m, struct arena *a, const struct memory *old)
{
	struct str last;
	struct err *e;

	TRY(memory_newest(m, a, old->id, &last));
	if (!last.n)
		last = old->superseded_by;
	e = err_new(E_SUPERSEDED, "the memory '%.*s' was superseded already, by '%.*s'",
		    STR_ARG(old->id), STR_ARG(last));
	err_detail(e, "requestedId", old->id);
	err_detail(e, "newest", last);
	return err_help(e, "supersede the newest: '%.*s'", STR_ARG(last));
}

/* Otherwise people who see `old` would be told of a memory that they cannot see. */
bool memory_may_supersede(const struct memory *old, const struct memory *by)
{
	static const unsigned width[MEMORY_LAYERS_END] = {
		[MEMORY_AGENT] = 0, [MEMORY_SESSION] = 0, [MEMORY_USER] = 1,   [MEMORY_PROJECT] = 2,
		[MEMORY_TEAM] = 3,  [MEMORY_ORG] = 4,     [MEMORY_COMPANY] = 5};

	return by->layer == old->layer || width[by->layer] > width[old->layer];
}

struct err *memory_too_narrow(const char *parameter, const struct memory *old,
			      const struct memory *by)
{
	return err_param(E_BAD_ARGUMENT, str_of(parameter),
			 "the memory '%.*s' is in layer '%s', so others see it too: a memory of "
			 "layer '%s' cannot supersede it",
			 STR_ARG(old->id), memory_layers[old->layer], memory_layers[by->layer]);
}

static struct err *supersede_too_narrow(const struct memory *old, const struct memory *by)
{
	const char *wide = memory_layers[old->layer], *narrow = memory_layers[by->layer];

	return err_help(memory_too_narrow("supersedes", old, by),
			"add it to the layer %s, or without 'supersedes': of two like memories a "
			"search shows the one of layer %s",
			wide, narrow);
}

static struct err *make_as_sensitive(struct memories *m, struct arena *a, const struct memory *old,
				     struct memory *by)
{
	struct memory was, now;

	if (old->redaction <= by->redaction)
		return NULL;
	/* An import has `by` from its line, without the number of its row. */
	TRY(memory_get(m, a, by->id, false, &was));
	now = was;
	now.redaction = old->redaction;
	TRY(memory_change(m, a, &was, &now));
	*by = now;
	return NULL;
}

struct err *memory_supersede(struct memories *m, struct arena *a, struct str old, struct memory *by,
			     int64_t when)
{
	struct memory was, now;

	TRY(memory_get(m, a, old, false, &was));
	/* `by` is an exact repeat of `was`: there is nothing to supersede. */
	if (str_eq(was.id, by->id))
		return NULL;
	if (was.superseded_by.n)
		return superseded_already(m, a, &was);
	if (memory_kind_rules[was.kind].append_only)
		return err_param(E_BAD_ARGUMENT, STR("supersedes"),
				 "the memory '%.*s' is of kind '%s', and such "
				 "memories cannot be superseded",
				 STR_ARG(was.id), memory_kinds[was.kind]);
	if (!memory_may_supersede(&was, by))
		return supersede_too_narrow(&was, by);
	TRY(make_as_sensitive(m, a, &was, by));
	now = was;
	if (was.state != MEMORY_REJECTED)
		now.state = MEMORY_SUPERSEDED;
	now.superseded_by = by->id;
	now.superseded = when;
	TRY(memory_change(m, a, &was, &now));
	return memory_log(m, a,
			  &(struct memory_log){.op = MEMORY_SUPERSEDE,
					       .was = &was,
					       .now = &now,
					       .follows = true,
					       .by = by->id});
}

struct err *memory_revive(struct memories *m, struct arena *a, const struct memory *gone)
{
	struct memory was, now;
	struct err *e;

	if (!gone->supersedes.n)
		return NULL;
	e = memory_get(m, a, gone->supersedes, false, &was);
	if (e)
		return err_reason(e) == E_NO_SUCH_MEMORY ? NULL : e;
	if (!str_eq(was.superseded_by, gone->id))
		return NULL;
	now = was;
	if (was.state != MEMORY_REJECTED)
		now.state = MEMORY_CURRENT;
	now.superseded_by = (struct str){0};
	now.superseded = 0;
	TRY(memory_change(m, a, &was, &now));
	return memory_log(m, a,
			  &(struct memory_log){.op = MEMORY_REVIVE,
					       .was = &was,
					       .now = &now,
					       .follows = true,
					       .by = gone->id});
}

struct err *memory_supersede_again(struct memories *m, struct arena *a, struct memory *one)
{
	struct memory old;
	struct err *e;

	if (!one->supersedes.n)
		return NULL;
	e = memory_get(m, a, one->supersedes, false, &old);
	if (e)
		return err_reason(e) == E_NO_SUCH_MEMORY ? NULL : e;
	return old.superseded_by.n || !memory_may_supersede(&old, one)
		       ? NULL
		       : memory_supersede(m, a, old.id, one, os_now());
}
