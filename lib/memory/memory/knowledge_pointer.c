/* Pointers to knowledge. Their ids are made outside, and they are replaced as a whole. */
#include "memory/memories_of_other_machines.h"
#include "memory/storage_internal.h"
#include "os/os.h"

struct err *memory_knowledge_pointer_get(struct memories *m, struct arena *a, struct str id,
					 struct memory *out, bool *found)
{
	TRY(memory_synced_get(m, a, id, out, found));
	if (*found && out->kind != MEMORY_KNOWLEDGE_POINTER)
		return err_help(
			err_add_detail(
				err_new(E_EXISTS,
					"the memory '%.*s' is of kind '%s', and sync needs its "
					"id for a pointer",
					STR_ARG(id), memory_kinds[out->kind]),
				"requestedId", id),
			"remove it: ikm mem delete %.*s", STR_ARG(id));
	return NULL;
}

struct err *memory_knowledge_pointer_check(struct memories *m, struct arena *a,
					   const struct memory *in, struct memory *out)
{
	size_t most = m->content_most ? m->content_most : MEMORY_CONTENT_MAX;

	TRY(memory_check(a, in, most, out));
	out->kind = MEMORY_KNOWLEDGE_POINTER;
	out->provenance = MEMORY_BY_SYNC;
	out->state = MEMORY_CURRENT;
	return NULL;
}

bool memory_knowledge_pointer_same(const struct memory *one, const struct memory *other)
{
	if (one->tags.n != other->tags.n)
		return false;
	for (size_t i = 0; i < one->tags.n; i++)
		if (!str_eq(one->tags.p[i], other->tags.p[i]))
			return false;
	return one->layer == other->layer && one->scope == other->scope &&
	       one->state == other->state && one->redaction == other->redaction &&
	       one->importance == other->importance && one->confidence == other->confidence &&
	       one->expires == other->expires && one->happened == other->happened &&
	       str_eq(one->type, other->type) && str_eq(one->source, other->source) &&
	       str_eq(one->content, other->content) && str_eq(one->metadata, other->metadata) &&
	       str_eq(one->supersedes, other->supersedes) &&
	       str_eq(one->superseded_by, other->superseded_by);
}

struct err *memory_knowledge_pointer_put(struct memories *m, struct arena *a,
					 const struct memory *was, struct memory *now)
{
	now->user = m->who.user;
	now->agent = m->who.agent;
	now->session = m->who.session;
	now->updated = os_now();
	now->created = was ? was->created : now->updated;
	now->tokens = (int64_t)token_estimate(now->content, m->model);
	/* A person may have deleted it: its tombstone must not come back with the next purge. */
	TRY(db_do(m->db, Q_DELETED_TAKE, NULL, DB_S(now->id)));
	if (was)
		TRY(memory_drop_for_good(m, a, was));
	return memory_put(m, a, now);
}

struct err *memory_pointer_remove(struct memories *m, struct arena *a, const struct memory *was)
{
	return memory_delete_stored(m, a, was, os_now());
}
