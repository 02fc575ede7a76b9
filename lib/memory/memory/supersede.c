/* A memory supersedes another. All functions run within a transaction. */
#include "memory/storage_internal.h"
#include "memory/memories_of_other_machines.h"
#include "os/os.h"

/* A damaged store may have a circle. */
enum { STEPS = 1000 };

/* The id at the end of the chain of memories that supersede this one; its own if none does. */
static struct err *supersede_newest(struct memories *m, struct arena *a, struct str id,
				    struct str *out)
{
	*out = STR("");
	DB_EACH(rows, m->db, Q_MEMORY_NEWEST, DB_S(id))
		*out = db_column_str(rows, a, 0);
	return NULL;
}

/*
 * Whether everybody who sees `old` sees `by`: it has the same layer or a wider one. Agent and
 * session are equally narrow, and narrower than user. Otherwise people who see `old` would be told
 * of a memory that they cannot see.
 */
static bool memory_may_supersede(const struct memory *old, const struct memory *by)
{
	static const unsigned width[MEMORY_LAYERS_END] = {
		[MEMORY_AGENT] = 0, [MEMORY_SESSION] = 0, [MEMORY_USER] = 1,   [MEMORY_PROJECT] = 2,
		[MEMORY_TEAM] = 3,  [MEMORY_ORG] = 4,     [MEMORY_COMPANY] = 5};

	return by->layer == old->layer || width[by->layer] > width[old->layer];
}

/* The error for that: BAD_ARGUMENT names the parameter. */
static struct err *memory_too_narrow_error(const char *parameter, const struct memory *old,
					   const struct memory *by)
{
	return err_for_param(
		E_BAD_ARGUMENT, str_of(parameter),
		"the memory '%.*s' is in layer '%s', so others see it too: a memory of "
		"layer '%s' cannot supersede it",
		STR_ARG(old->id), memory_layers[old->layer], memory_layers[by->layer]);
}

struct err *memory_check_superseded_layer(struct memories *m, struct arena *a,
					  const struct memory *one)
{
	struct memory old;
	struct err *e;

	if (!one->supersedes.n)
		return NULL;
	e = memory_get(m, a, one->supersedes, false, &old);
	if (e)
		return err_reason(e) == E_NO_SUCH_MEMORY ? NULL : e;
	return str_eq(old.superseded_by, one->id) && !memory_may_supersede(&old, one)
		       ? memory_too_narrow_error("layer", &old, one)
		       : NULL;
}

static struct err *supersede_append_only(const struct memory *old)
{
	return err_help(
		err_for_param(E_BAD_ARGUMENT, STR("supersedes"),
			      "the memory '%.*s' is of kind '%s', and such memories cannot be "
			      "superseded",
			      STR_ARG(old->id), memory_kinds[old->kind]),
		"leave it as it is, and add the new memory by itself");
}

static struct err *make_as_sensitive(struct memories *m, struct arena *a, const struct memory *old,
				     struct memory *by)
{
	struct memory was, now;
	bool found;

	if (old->redaction <= by->redaction)
		return NULL;
	/* An import has `by` from its line, without the number of its row. */
	TRY(memory_synced_get(m, a, by->id, &was, &found));
	if (!found)
		return NULL;
	now = was;
	now.redaction = old->redaction;
	TRY(memory_change(m, a, &was, &now));
	*by = now;
	return NULL;
}

/* What the store makes of `was` when `by` supersedes it. */
static struct memory superseded_by(const struct memory *was, struct str by, int64_t when)
{
	struct memory now = *was;

	if (was->state != MEMORY_REJECTED)
		now.state = MEMORY_SUPERSEDED;
	now.superseded_by = by;
	now.superseded = when;
	return now;
}

/* And when nothing does any more. */
static struct memory superseded_no_more(const struct memory *was)
{
	struct memory now = *was;

	if (was->state != MEMORY_REJECTED)
		now.state = MEMORY_CURRENT;
	now.superseded_by = (struct str){0};
	now.superseded = 0;
	return now;
}

/* Stores and records what became of `was`: it follows from a change of the memory `by`. */
static struct err *store_followed(struct memories *m, struct arena *a, const struct memory *was,
				  struct memory *now, struct str by)
{
	TRY(memory_change(m, a, was, now));
	return memory_log_change(
		m, a,
		&(struct memory_log){.op = now->superseded_by.n ? MEMORY_SUPERSEDE : MEMORY_REVIVE,
				     .was = was,
				     .now = now,
				     .follows = true,
				     .by = by});
}

struct err *memory_supersede(struct memories *m, struct arena *a, struct str old, struct memory *by,
			     int64_t when)
{
	struct memory was, now;

	TRY(memory_get(m, a, old, false, &was));
	/* `by` is an exact repeat of `was`: there is nothing to supersede. */
	if (str_eq(was.id, by->id))
		return NULL;
	if (was.superseded_by.n) {
		struct str last;
		struct err *e;

		TRY(supersede_newest(m, a, was.id, &last));
		if (!last.n)
			last = was.superseded_by;
		e = err_new(E_SUPERSEDED, "the memory '%.*s' was superseded already, by '%.*s'",
			    STR_ARG(was.id), STR_ARG(last));
		err_add_detail(e, "requestedId", was.id);
		err_add_detail(e, "newest", last);
		return err_help(e, "supersede the newest: '%.*s'", STR_ARG(last));
	}
	if (memory_kind_rules[was.kind].append_only)
		return supersede_append_only(&was);
	if (!memory_may_supersede(&was, by)) {
		return err_help(
			memory_too_narrow_error("supersedes", &was, by),
			"add it to the layer %s, or without 'supersedes': of two like memories a "
			"search shows the one of layer %s",
			memory_layers[was.layer], memory_layers[by->layer]);
	}
	TRY(make_as_sensitive(m, a, &was, by));
	now = superseded_by(&was, by->id, when);
	return store_followed(m, a, &was, &now, by->id);
}

/*
 * What `was` becomes when `gone`, which superseded it, is gone. A memory that superseded `gone` in
 * turn has replaced `was`, too.
 */
static struct err *supersede_without(struct memories *m, struct arena *a, const struct memory *was,
				     const struct memory *gone, struct memory *now)
{
	struct memory by;
	bool found = false;

	if (gone->superseded_by.n && !str_eq(gone->superseded_by, was->id))
		TRY(memory_synced_get(m, a, gone->superseded_by, &by, &found));
	*now = found ? superseded_by(was, gone->superseded_by, was->superseded)
		     : superseded_no_more(was);
	return NULL;
}

/* Reads a memory, or what a deletion left of it. all: in scopes that the caller does not see, too.
 */
static struct err *supersede_look(struct memories *m, struct arena *a, struct str id, bool all,
				  struct memory *out, bool *found)
{
	bool purged;
	struct err *e;

	if (!all) {
		e = memory_find(m, a, id, out, &purged);
		*found = !e && !purged;
		return e && err_reason(e) != E_NO_SUCH_MEMORY ? e : NULL;
	}
	TRY(memory_synced_get(m, a, id, out, found));
	if (*found)
		return NULL;
	DB_EACH(rows, m->db, Q_DELETED_ONE, DB_S(id)) {
		DB_ROW(m->db, memory_tombstone_read(m, a, rows, out), continue);
		*found = true;
	}
	return NULL;
}

/*
 * Finds the next memory that is superseded by `by`. Behind a memory that was deleted or rejected
 * stand those that it had superseded. *id: where to look; it begins as by->supersedes.
 */
static struct err *supersede_next(struct memories *m, struct arena *a, const struct memory *by,
				  bool all, struct str *id, struct memory *was, bool *found)
{
	for (unsigned step = 0; id->n && step < STEPS; step++) {
		TRY(supersede_look(m, a, *id, all, was, found));
		if (!*found)
			return NULL;
		*id = was->deleted || was->state == MEMORY_REJECTED ? was->supersedes : STR("");
		if (!was->deleted && str_eq(was->superseded_by, by->id))
			return NULL;
	}
	*found = false;
	return NULL;
}

struct err *memory_revive_superseded(struct memories *m, struct arena *a, const struct memory *gone)
{
	struct str id = gone->supersedes;
	struct memory was;
	bool found;

	for (;;) {
		struct memory now;

		TRY(supersede_next(m, a, gone, false, &id, &was, &found));
		if (!found)
			return NULL;
		TRY(supersede_without(m, a, &was, gone, &now));
		TRY(store_followed(m, a, &was, &now, gone->id));
	}
}

struct err *memory_revive_superseded_undo(struct memories *m, struct arena *a, struct memory *one)
{
	struct memory old;
	struct err *e;

	if (!one->supersedes.n)
		return NULL;
	e = memory_get(m, a, one->supersedes, false, &old);
	if (e)
		return err_reason(e) == E_NO_SUCH_MEMORY ? NULL : e;
	if (old.superseded_by.n && str_eq(old.superseded_by, one->superseded_by)) {
		struct memory now = superseded_by(&old, one->id, old.superseded);

		/* `one` takes the place again that it had between `old` and what superseded both.
		 */
		return store_followed(m, a, &old, &now, one->id);
	}
	return old.superseded_by.n || !memory_may_supersede(&old, one)
		       ? NULL
		       : memory_supersede(m, a, old.id, one, os_now());
}

/* ---- memories that come from elsewhere ---- */

struct err *memory_supersede_stored(struct memories *m, struct arena *a, const struct memory *was,
				    struct memory *by, struct memory *now,
				    enum memory_superseding *out)
{
	struct str last;

	*now = *was;
	*out = SUPERSEDE_NOT;
	if (was->superseded_by.n || was->state == MEMORY_SUPERSEDED ||
	    !memory_may_supersede(was, by))
		return NULL;
	if (memory_kind_rules[was->kind].append_only)
		return supersede_append_only(was);
	TRY(supersede_newest(m, a, by->id, &last));
	/* In a circle no memory would hold. */
	*out = str_eq(last, was->id) ? SUPERSEDE_CIRCLE : SUPERSEDE_DONE;
	if (*out == SUPERSEDE_CIRCLE)
		return NULL;
	/* Another person's memory is as sensitive as that person says. */
	if (!by->owner.n)
		TRY(make_as_sensitive(m, a, was, by));
	*now = superseded_by(was, by->id, by->created);
	return memory_replace(m, a, was, now);
}

struct err *memory_synced_revive_superseded(struct memories *m, struct arena *a,
					    const struct memory *gone,
					    struct memory_shared_followed *out)
{
	struct str id = gone->supersedes;

	*out = (struct memory_shared_followed){.changed = false};
	TRY(supersede_next(m, a, gone, true, &id, &out->was, &out->found));
	out->changed = out->found;
	if (!out->found)
		return NULL;
	TRY(supersede_without(m, a, &out->was, gone, &out->now));
	return memory_replace(m, a, &out->was, &out->now);
}

struct err *memory_synced_keep_superseded(struct memories *m, struct arena *a,
					  const struct memory *was, struct memory *now)
{
	struct memory by;
	struct str id;
	bool keep = false;

	if (str_eq(was->superseded_by, now->superseded_by))
		return NULL;
	if (now->superseded_by.n) {
		TRY(supersede_look(m, a, now->superseded_by, true, &by, &keep));
		keep = keep && by.deleted;
	} else {
		TRY(memory_synced_get(m, a, was->superseded_by, &by, &keep));
		id = by.supersedes;
		if (keep)
			TRY(supersede_next(m, a, &by, true, &id, &by, &keep));
		keep = keep && str_eq(by.id, was->id);
	}
	if (!keep)
		return NULL;
	*now = was->superseded_by.n ? superseded_by(now, was->superseded_by, was->superseded)
				    : superseded_no_more(now);
	return NULL;
}
