/* Stores memories of other machines, and gives memories to them. */
#include "memory/memories_of_other_machines.h"
#include "json/json.h"
#include "memory/storage_internal.h"
#include "memory/import_line.h"
#include "os/os.h"
#include "vocab/vocab.h"

struct err *memory_synced_row(struct memories *m, struct arena *a, struct db_rows *rows,
			      struct memory *out)
{
	return memory_row(m, a, rows, out);
}

struct str memory_synced_text(struct arena *a, const struct memory *one)
{
	struct memory now = *one;

	now.owner = (struct str){0};
	/* It follows from the time, so it would make a text of each machine's clock. */
	if (now.state == MEMORY_EXPIRED)
		now.state = MEMORY_CURRENT;
	return json_text(a, record_val(a, memory_record, &now));
}

struct err *memory_synced_parse(struct memories *m, struct arena *a, struct str text,
				struct str layer, struct memory *out)
{
	const struct memory_import how = {.layer = MEMORY_USER, .kind = MEMORY_FACT};
	const struct memory_who nobody = {.user = {NULL, 0}};
	struct memory_line line;

	TRY(memory_line_read(a, text, 1, &how, &nobody, &line));
	if (line.tombstone || line.one.kind == MEMORY_KNOWLEDGE_POINTER)
		return err_new(E_BAD_ARGUMENT, "it is %s, which machines do not share",
			       line.tombstone ? "a deletion" : "a pointer to knowledge");
	if (!str_is(layer, memory_layers[line.one.layer]))
		return err_new(E_BAD_ARGUMENT, "its layer is '%s', and its row says '%.*s'",
			       memory_layers[line.one.layer], STR_ARG(layer));
	if (line.one.redaction == MEMORY_SENSITIVE)
		return err_new(E_NOT_ALLOWED, "it is sensitive");
	*out = line.one;
	out->owner = (struct str){0};
	out->tokens = (int64_t)token_estimate(out->content, m->model);
	return NULL;
}

struct err *memory_synced_get(struct memories *m, struct arena *a, struct str id,
			      struct memory *out, bool *found)
{
	*found = false;
	DB_EACH(rows, m->db, Q_MEMORY_POINTER, DB_S(id)) {
		TRY(memory_row(m, a, rows, out));
		*found = true;
	}
	return NULL;
}

/* ---- storing ---- */

/* A list of one or two identifiers, as memory_layer_owner() writes it. */
static bool shared_is_owner(struct arena *a, struct str whose)
{
	struct val *list;

	if (json_read(a, whose, NULL, &list) || list->type != VAL_LIST || !list->n || list->n > 2)
		return false;
	VAL_EACH(list, v)
		if (v->type != VAL_STR || !v->s.n)
			return false;
	return str_eq(json_text(a, list), whose);
}

struct err *memory_synced_scope_of_owner(struct memories *m, struct arena *a,
					 enum memory_layer layer, struct str whose, int64_t *scope)
{
	struct db_arg name = DB_S(str_of(memory_layers[layer]));

	TRY(db_number(m->db, Q_SCOPE_GET, scope, name, DB_S(whose)));
	if (*scope)
		return NULL;
	if (!shared_is_owner(a, whose))
		return err_new(E_BAD_ARGUMENT, "'%.*s' is no list of identifiers of a layer",
			       STR_ARG(str_utf8(a, str_utf8_head(whose, 100))));
	return db_number(m->db, Q_SCOPE_PUT, scope, name, DB_S(whose));
}

bool memory_synced_same_origin(const struct memory *one, const struct memory *other)
{
	return memory_hash(one) == memory_hash(other) && one->created == other->created &&
	       one->happened == other->happened && one->turn == other->turn &&
	       one->provenance == other->provenance && str_eq(one->user, other->user) &&
	       str_eq(one->agent, other->agent) && str_eq(one->session, other->session) &&
	       str_eq(one->speaker, other->speaker);
}

struct err *memory_synced_put(struct memories *m, struct arena *a, const struct memory *was,
			      struct memory *now)
{
	if (was && memory_synced_same_origin(was, now))
		return memory_replace(m, a, was, now);
	if (was)
		TRY(memory_drop_for_good(m, a, was));
	else
		TRY(db_do(m->db, Q_DELETED_TAKE, NULL, DB_S(now->id)));
	return memory_put(m, a, now);
}

struct err *memory_synced_merge_repeat(struct memories *m, struct arena *a,
				       const struct memory *one, struct memory *was)
{
	struct memory_told told = {0};

	return memory_merge(m, a, one, was, &told);
}

struct err *memory_synced_remove(struct memories *m, struct arena *a, const struct memory *one,
				 int64_t when)
{
	if (!when)
		return memory_drop_for_good(m, a, one);
	TRY(db_do(m->db, Q_DELETED_PUT, NULL, DB_S(one->id), DB_I(one->scope), DB_I(when),
		  DB_S(m->who.agent), DB_S(json_text(a, record_val(a, memory_record, one))),
		  DB_I(0)));
	return memory_remove_row(m, a, one);
}

struct err *memory_synced_erase(struct memories *m, struct arena *a, struct str id,
				const struct memory *one, int64_t when)
{
	if (one)
		TRY(memory_synced_remove(m, a, one, when));
	TRY(memory_history_erase(m, id));
	return db_do(m->db, Q_DELETED_EMPTY, NULL, DB_S(id));
}

/* ---- what follows from a memory that supersedes another ---- */

struct err *memory_synced_supersede(struct memories *m, struct arena *a, struct memory *by,
				    struct memory_shared_followed *out)
{
	enum memory_superseding how;

	*out = (struct memory_shared_followed){.changed = false};
	TRY(memory_synced_get(m, a, by->supersedes, &out->was, &out->found));
	/* Another person's memory may retire what several people share. */
	if (!out->found || memory_kind_rules[out->was.kind].append_only ||
	    str_eq(out->was.id, by->id) || (by->owner.n && memory_layer_is_private(out->was.layer)))
		return NULL;
	TRY(memory_supersede_stored(m, a, &out->was, by, &out->now, &how));
	out->changed = how == SUPERSEDE_DONE;
	return NULL;
}

/* ---- many new ones ---- */

struct memory_shared_ready {
	struct index_doc doc;
	struct strs uses; /* words for the vocabulary */
	int64_t hash;
};

struct err *memory_synced_prepare(struct memories *m, struct arena *a, const struct memory *one,
				  struct memory_shared_ready **out)
{
	*out = ARENA_NEW(a, struct memory_shared_ready);
	**out = (struct memory_shared_ready){.hash = memory_hash(one)};
	return memory_index_doc(m, a, one, &(*out)->doc, &(*out)->uses);
}

struct err *memory_synced_find_repeat(struct memories *m, struct arena *a, const struct memory *one,
				      const struct memory_shared_ready *ready, struct memory *out,
				      bool *found)
{
	*found = false;
	if (one->state != MEMORY_CURRENT)
		return NULL;
	return memory_find_repeat(m, a, one, ready->hash, out, found);
}

struct memory_shared_bulk {
	struct memories *m;
	struct arena *a; /* of the thread that indexes */
	struct index_bulk *index;
	struct vocab_changes *words;
};

struct err *memory_synced_bulk_begin(struct memories *m, struct arena *a, size_t n,
				     struct memory_shared_bulk **out, int64_t *first)
{
	struct arena *own = arena_child(a);

	*out = ARENA_NEW(own, struct memory_shared_bulk);
	**out = (struct memory_shared_bulk){.m = m, .a = own, .words = vocab_changes_new(own)};
	TRY(db_bulk(m->db));
	return index_bulk_begin(m->db, own, n, &(*out)->index, first);
}

struct err *memory_synced_bulk_add(struct memory_shared_bulk *b, struct arena *a,
				   const struct memory *one,
				   const struct memory_shared_ready *ready)
{
	return memory_insert(b->m, a, one, ready->hash);
}

void memory_synced_bulk_index(struct memory_shared_bulk *b, const struct memory *one,
			      struct memory_shared_ready *ready)
{
	/* The thread that prepared it did not know the scope, which is a mark. */
	memory_index_doc_set_marks(b->a, one, &ready->doc);
	vocab_change(b->words, ready->doc.scope, &ready->uses, 1);
	index_bulk_add(b->index, &ready->doc);
}

struct err *memory_synced_bulk_end(struct memory_shared_bulk *b)
{
	TRY(index_bulk_end(b->index));
	return vocab_store(b->words, b->m->db);
}
