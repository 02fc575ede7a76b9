/* Deletes memories, and sets the status of scratch notes. */
#include "json/json.h"
#include "memory/storage_internal.h"
#include "os/os.h"

/* ---- delete ---- */

struct err *memory_delete_stored(struct memories *m, struct arena *a, const struct memory *one,
				 int64_t when)
{
	struct str text = json_text(a, record_val(a, memory_record, one));

	TRY(db_do(m->db, Q_DELETED_PUT, NULL, DB_S(one->id), DB_I(one->scope), DB_I(when),
		  DB_S(m->who.agent), DB_S(text), DB_I(m->undoing ? m->importing : 0)));
	TRY(memory_remove_row(m, a, one));
	TRY(memory_log_change(m, a, &(struct memory_log){.op = "delete", .was = one}));
	return memory_revive_superseded(m, a, one);
}

struct err *memory_delete_by_ids(struct memories *m, struct arena *a, const struct strs *ids,
				 struct memory_list *out, struct strs *events)
{
	struct db_txn t DB_TXN = {0};
	int64_t now = os_now();
	struct memory one;

	*out = (struct memory_list){0};
	*events = (struct strs){0};
	TRY(memory_begin(&t, m, a));
	/* All are found before the first is deleted, since an id may be given twice. */
	for (size_t i = 0; i < ids->n; i++) {
		bool again = false;

		TRY(memory_get(m, a, ids->p[i], false, &one));
		for (size_t k = 0; k < out->n && !again; k++)
			again = str_eq(out->p[k].id, one.id);
		if (!again)
			*VEC_PUSH(a, out) = one;
	}
	for (size_t i = 0; i < out->n; i++) {
		/* The deletion of one that it superseded, or that superseded it, changed its row.
		 */
		TRY(memory_get(m, a, out->p[i].id, false, &one));
		TRY(memory_delete_stored(m, a, &one, now));
		if (m->events)
			strs_push(a, events, m->event);
	}
	return memory_commit(&t, m, a);
}

struct err *memory_delete(struct memories *m, struct arena *a, struct str id)
{
	struct strs ids = {.p = &id, .n = 1};
	struct memory_list gone;
	struct strs events;

	return memory_delete_by_ids(m, a, &ids, &gone, &events);
}

/* ---- restore ---- */

struct err *memory_check_no_repeat(struct memories *m, struct arena *a, const struct memory *one)
{
	struct memory same;
	bool found = false;

	if (one->state == MEMORY_CURRENT)
		TRY(memory_find_repeat(m, a, one, memory_hash(one), &same, &found));
	if (!found)
		return NULL;
	return err_help(err_add_detail(err_new(E_EXISTS,
					       "the memory '%.*s' was added again since, as '%.*s'",
					       STR_ARG(one->id), STR_ARG(same.id)),
				       "requestedId", one->id),
			"to restore this one, delete '%.*s' first", STR_ARG(same.id));
}

/* ---- status ---- */

/* The statuses that may follow each status, as bits. */
static const unsigned next_status[] = {
	[MEMORY_ACTIVE] =
		1u << MEMORY_PENDING_REVIEW | 1u << MEMORY_RESOLVED | 1u << MEMORY_ARCHIVED,
	[MEMORY_PENDING_REVIEW] =
		1u << MEMORY_ACTIVE | 1u << MEMORY_RESOLVED | 1u << MEMORY_ARCHIVED,
	[MEMORY_RESOLVED] = 1u << MEMORY_ACTIVE | 1u << MEMORY_ARCHIVED,
	[MEMORY_ARCHIVED] = 0,
};

struct err *memory_set_status(struct memories *m, struct arena *a, struct str id,
			      enum memory_status status, struct memory *out)
{
	struct db_txn t DB_TXN = {0};
	struct memory was;

	TRY(memory_begin(&t, m, a));
	TRY(memory_get(m, a, id, false, &was));
	if (!memory_kind_rules[was.kind].has_status)
		return err_help(err_help(err_new(E_BAD_ARGUMENT,
						 "the memory '%.*s' is of kind '%s', which has no "
						 "status; only scratch notes have a status",
						 STR_ARG(was.id), memory_kinds[was.kind]),
					 "'ikm mem list --kind scratch' lists those"),
				"to remove this memory: ikm mem delete %.*s", STR_ARG(was.id));
	*out = was;
	if (was.status == status)
		return NULL;
	if (!(next_status[was.status] & 1u << status)) {
		struct strs allowed = {0};
		struct err *e;

		for (unsigned i = 0; memory_statuses[i]; i++)
			if (next_status[was.status] & 1u << i)
				strs_push(a, &allowed, str_of(memory_statuses[i]));
		e = err_new(E_BAD_ARGUMENT,
			    "the memory '%.*s' is %s and cannot become %s; allowed: %.*s",
			    STR_ARG(was.id), memory_statuses[was.status], memory_statuses[status],
			    STR_ARG(allowed.n ? str_join(a, &allowed, ", ") : STR("nothing")));
		return err_detail_list(e, "allowed", &allowed);
	}
	out->status = status;
	if (status == MEMORY_ACTIVE)
		TRY(memory_make_room(m, a, out));
	TRY(memory_change(m, a, &was, out));
	TRY(memory_log_change(m, a, &(struct memory_log){.op = "mark", .was = &was, .now = out}));
	return memory_commit(&t, m, a);
}
