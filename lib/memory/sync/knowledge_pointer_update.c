/*
 * Compares knowledge items with their pointers, and stores the differences. The comparison only
 * reads, so a sync without changes takes no lock. Differences are stored in batches, each item as a
 * nested transaction, and the pointer is read again there: two syncs at once make no pointer twice.
 */
#include "os/os.h"
#include "sync/internal.h"

#define BATCH ((size_t)32)

/* A pointer to store or to remove. */
struct change {
	const struct kn_item *item; /* NULL: remove it */
	struct str source;
	struct sync_item known; /* of a pointer to remove */
	struct str id;
};
struct change_list VEC(struct change);

/* A file that cannot be read in full. */
struct unread {
	struct str path, message;
};

struct syncing {
	struct arena *a;
	const struct sync_ask *ask;
	struct sync_done *out;
	struct change_list wanted; /* items that can be read, in order of their ids */
	struct change_list todo;
	struct VEC(struct unread) unread;
	uint64_t done, all;
	struct sync_counts counts;
};

static void syncing_advance(struct syncing *s, uint64_t n)
{
	s->done += n;
	if (s->ask->progress)
		s->ask->progress(s->ask->ctx, s->done, s->all);
}

/* ---- failures ---- */

static void syncing_fail(struct syncing *s, struct str path, const struct kn_item *item,
			 enum err_reason reason, struct str message)
{
	struct sync_failure *f = VEC_PUSH(s->a, &s->out->failed);

	*f = (struct sync_failure){
		.path = path,
		.item = item ? item->id : STR(""),
		.layer = item ? (int)item->layer : -1,
		.type = item ? (int)item->type : -1,
		.reason = str_of(err_reason_name(reason)),
		.message = str_dup(s->a, message),
	};
	s->out->counts.failures++;
}

/*
 * Keeps the error of one item as a failure. An error of the store itself would come again with
 * every item, so it ends the sync.
 */
static struct err *syncing_or_fail(struct syncing *s, const struct change *c, struct err *e)
{
	struct str message;

	if (!e ||
	    (err_code(e) != CODE_INVALID_INPUT && err_code(e) != CODE_NOT_FOUND &&
	     err_code(e) != CODE_CONFLICT && err_reason(e) != E_DB_CORRUPT) ||
	    err_reason(e) == E_NO_HOME)
		return e;
	message = str_of(err_message(e));
	if (err_reason(e) == E_MISSING_PARAMETER)
		message = str_fmt(s->a, "%s; ikm config set memory.%s ID names it", err_message(e),
				  kn_layers[c->item->layer]);
	syncing_fail(s, c->item ? c->item->shown_path : c->known.path, c->item, err_reason(e),
		     message);
	return NULL;
}

static const struct unread *syncing_unread(const struct syncing *s, struct str path)
{
	for (size_t i = 0; i < s->unread.n; i++)
		if (str_eq(s->unread.p[i].path, path))
			return &s->unread.p[i];
	return NULL;
}

static void syncing_add_unread(struct syncing *s, struct str path, struct str message)
{
	if (!syncing_unread(s, path))
		*VEC_PUSH(s->a, &s->unread) = (struct unread){path, message};
}

/* Files of broken knowledge. A broken item may lack a rule, so its pointer must not follow it. */
static void syncing_find_unread(struct syncing *s)
{
	const struct knowledge *k = s->ask->k;

	for (size_t i = 0; i < k->passed.n; i++)
		if (kn_note_kind_of_reason(k->passed.p[i].why) == KN_BROKEN)
			syncing_add_unread(s, k->passed.p[i].path, k->passed.p[i].message);
	for (size_t i = 0; i < k->notes.n; i++)
		if (k->notes.p[i].kind == KN_BROKEN)
			syncing_add_unread(s, k->notes.p[i].path, k->notes.p[i].message);
}

/* ---- the items that are there ---- */

ORDER_OF(change_order, struct change, ORDER_STR(id) || ORDER_STR(item->shown_path))

static const struct sync_source *syncing_source(const struct syncing *s,
						const struct kn_source *source)
{
	for (size_t i = 0; i < s->ask->sources.n; i++)
		if (s->ask->sources.p[i].source == source)
			return &s->ask->sources.p[i];
	BUG("an item of a source that the caller does not name");
}

/* Of items with the same key only the first can have the pointer. */
static void syncing_drop_doubles(struct syncing *s)
{
	struct change_list kept = {0};

	VEC_EACH(const struct change, c, &s->wanted) {
		const struct change *first = kept.n ? &kept.p[kept.n - 1] : NULL;

		if (first && str_eq(first->id, c->id))
			syncing_fail(s, c->item->shown_path, c->item, E_NOT_UNIQUE,
				     str_fmt(s->a, "%.*s has the same id '%.*s': rename one",
					     STR_ARG(first->item->shown_path),
					     STR_ARG(c->item->id)));
		else
			*VEC_PUSH(s->a, &kept) = *c;
	}
	s->wanted = kept;
}

static void syncing_find_wanted(struct syncing *s)
{
	const struct knowledge *k = s->ask->k;

	VEC_EACH(const struct kn_item, item, &k->items) {
		struct str source = syncing_source(s, item->source)->key;

		if (!sync_wants(s->ask, (int)item->layer, (int)item->type))
			continue;
		*VEC_PUSH(s->a, &s->wanted) = (struct change){
			.item = item,
			.source = source,
			.id = sync_knowledge_pointer_id(s->a, source, item),
		};
	}
	VEC_SORT(&s->wanted, change_order);
	syncing_drop_doubles(s);
}

static bool syncing_has(const struct syncing *s, struct str id)
{
	size_t i = 0;

	BISECT(i, mid, s->wanted.n, str_cmp(s->wanted.p[mid].id, id) < 0);
	return i < s->wanted.n && str_eq(s->wanted.p[i].id, id);
}

/* ---- the comparison ---- */

/* The pointer that an item should have. was NULL: it has none. */
static struct err *syncing_pointer(struct syncing *s, struct arena *a, const struct change *c,
				   const struct memory *was, int64_t synced, struct memory *out)
{
	struct memory in = sync_pointer_new(a, c->source, c->item, synced);

	if (!in.happened && was)
		in.happened = was->happened;
	TRY(memory_knowledge_pointer_check(s->ask->m, a, &in, out));
	return memory_scope_of_layer(s->ask->m, a, out->layer, db_is_writing(s->ask->m->db),
				     &out->scope);
}

/* *same: the stored pointer is as it should be. */
static struct err *syncing_compare(struct syncing *s, struct arena *a, const struct change *c,
				   bool *same)
{
	struct memory was, now;
	bool found;

	TRY(memory_knowledge_pointer_get(s->ask->m, a, c->id, &was, &found));
	TRY(syncing_pointer(s, a, c, found ? &was : NULL,
			    found ? sync_knowledge_pointer_time(a, &was) : os_now(), &now));
	*same = found && !s->ask->force && memory_knowledge_pointer_same(&was, &now);
	if (s->ask->dry && !*same)
		(*(found ? &s->counts.updated : &s->counts.added))++;
	return NULL;
}

static struct err *syncing_compare_all(struct syncing *s)
{
	VEC_EACH(const struct change, c, &s->wanted) {
		const struct unread *broken = syncing_unread(s, c->item->shown_path);
		struct arena *a ARENA_LOCAL = arena_new();
		bool same = true;
		int64_t failures = s->out->counts.failures;

		if (broken)
			syncing_fail(s, broken->path, c->item, E_BAD_MARKDOWN, broken->message);
		else
			TRY(syncing_or_fail(s, c, syncing_compare(s, a, c, &same)));
		if (failures != s->out->counts.failures)
			continue;
		if (same)
			s->counts.unchanged++;
		else
			*VEC_PUSH(s->a, &s->todo) = *c;
	}
	return NULL;
}

/* Files that gave no item at all. */
static void syncing_fail_unread(struct syncing *s)
{
	VEC_EACH(const struct unread, u, &s->unread) {
		bool has_item = false;

		for (size_t j = 0; j < s->ask->k->items.n && !has_item; j++)
			has_item = str_eq(s->ask->k->items.p[j].shown_path, u->path);
		if (!has_item)
			syncing_fail(s, u->path, NULL, E_BAD_MARKDOWN, u->message);
	}
	for (size_t i = 0; i < s->ask->missing.n; i++)
		syncing_fail(s, s->ask->missing.p[i], NULL, E_NO_SUCH_SOURCE, s->ask->missing.p[i]);
}

static struct err *syncing_find_gone(struct syncing *s, struct str source, bool whole)
{
	struct sync_items known = {0};

	TRY(sync_items_with_pointer(s->ask->m->db, s->a, source, &known));
	VEC_EACH(const struct sync_item, k, &known) {
		if (!sync_wants(s->ask, (int)k->layer, (int)k->type) ||
		    (!whole && (syncing_has(s, k->id) || syncing_unread(s, k->path))))
			continue;
		*VEC_PUSH(s->a, &s->todo) =
			(struct change){.source = source, .known = *k, .id = k->id};
	}
	return NULL;
}

/*
 * Sources that this place read before, and reads no more. While a source cannot be read, nobody can
 * tell which source of before it is.
 */
static struct err *syncing_find_left(struct syncing *s, struct strs *left)
{
	struct sync_known_list known;

	if (s->ask->missing.n || s->ask->types || s->ask->layers)
		return NULL;
	TRY(sync_known_sources(s->ask->m->db, s->a, s->ask->place, &known));
	for (size_t i = 0; i < known.n; i++) {
		bool still = false;

		for (size_t j = 0; j < s->ask->sources.n; j++)
			still = still || str_eq(s->ask->sources.p[j].key, known.p[i].source);
		if (still)
			continue;
		strs_push(s->a, left, known.p[i].source);
		if (!known.p[i].shared)
			TRY(syncing_find_gone(s, known.p[i].source, true));
	}
	return NULL;
}

static struct err *syncing_find_all_gone(struct syncing *s)
{
	struct strs seen = {0};

	VEC_EACH(const struct sync_source, source, &s->ask->sources) {
		/* Two rows of the settings may name one folder. */
		if (!strs_has(&seen, source->key))
			TRY(syncing_find_gone(s, source->key, false));
		strs_push(s->a, &seen, source->key);
	}
	return NULL;
}

/* ---- storing ---- */

static struct err *syncing_put(struct syncing *s, const struct change *c)
{
	struct memories *m = s->ask->m;
	struct memory was, now;
	bool found;

	TRY(memory_knowledge_pointer_get(m, s->a, c->id, &was, &found));
	TRY(syncing_pointer(s, s->a, c, found ? &was : NULL, os_now(), &now));
	TRY(memory_knowledge_pointer_put(m, s->a, found ? &was : NULL, &now));
	(*(found ? &s->counts.updated : &s->counts.added))++;
	return db_do(m->db, Q_SYNC_ITEM_PUT, NULL, DB_S(c->id), DB_S(c->source),
		     DB_S(str_of(kn_layers[c->item->layer])), DB_S(c->item->owner),
		     DB_S(c->item->id), DB_S(str_of(kn_types[c->item->type])),
		     DB_S(c->item->shown_path));
}

static struct err *syncing_remove(struct syncing *s, const struct change *c)
{
	struct memories *m = s->ask->m;
	struct memory was;
	bool found;

	TRY(memory_knowledge_pointer_get(m, s->a, c->id, &was, &found));
	if (found)
		TRY(memory_pointer_remove(m, s->a, &was, sync_metadata_mark_orphaned(s->a, &was)));
	s->counts.deleted++;
	return db_do(m->db, Q_SYNC_ITEM_REMOVE, NULL, DB_S(c->id));
}

static struct err *syncing_one(struct syncing *s, const struct change *c)
{
	struct db_txn t DB_TXN = {0};

	TRY(memory_begin(&t, s->ask->m, s->a));
	TRY(c->item ? syncing_put(s, c) : syncing_remove(s, c));
	return memory_commit(&t, s->ask->m, s->a);
}

static struct err *syncing_batch(struct syncing *s, size_t from, size_t to)
{
	struct db_txn t DB_TXN = {0};

	TRY(memory_begin(&t, s->ask->m, s->a));
	for (size_t i = from; i < to; i++) {
		const struct change *c = &s->todo.p[i];
		struct sync_counts before = s->counts;
		struct err *e = syncing_one(s, c);

		if (e)
			s->counts = before;
		TRY(syncing_or_fail(s, c, e));
	}
	return memory_commit(&t, s->ask->m, s->a);
}

static struct err *syncing_store(struct syncing *s)
{
	for (size_t from = 0, to; from < s->todo.n; from = to) {
		struct err *e;

		to = size_min(from + BATCH, s->todo.n);
		e = syncing_batch(s, from, to);
		if (e)
			return err_add_context(e, "%zu of %zu pointers were stored", from,
					       s->todo.n);
		syncing_advance(s, to - from);
	}
	return NULL;
}

/* ---- all of it ---- */

static struct err *syncing_remember(struct syncing *s, const struct strs *left)
{
	const struct sync_ask *ask = s->ask;
	bool changed = s->todo.n || left->n || s->out->failed.n;
	struct db_txn t DB_TXN = {0};

	if (changed)
		TRY(db_begin(&t, ask->m->db));
	else /* Nothing has changed but the time of the last sync. */
		TRY(db_begin(&t, ask->m->db, .sync = DB_LATER, .wait_ms = SYNC_NOTE_MS));
	for (size_t i = 0; i < left->n; i++)
		TRY(db_do(ask->m->db, Q_SYNC_SOURCE_REMOVE, NULL, DB_S(ask->place),
			  DB_S(left->p[i])));
	TRY(sync_record_outcome(s->a, ask, s->out));
	return db_commit(&t);
}

static void syncing_count(struct syncing *s)
{
	struct sync_counts *out = &s->out->counts;

	out->added = s->counts.added;
	out->updated = s->counts.updated;
	out->deleted = s->counts.deleted;
	out->unchanged = s->counts.unchanged;
}

static void syncing_count_gone(struct syncing *s)
{
	for (size_t i = 0; i < s->todo.n; i++)
		s->counts.deleted += !s->todo.p[i].item;
}

struct err *sync_knowledge_into_store(struct arena *a, const struct sync_ask *ask,
				      struct sync_done *out)
{
	struct syncing s = {.a = a, .ask = ask, .out = out};
	struct strs left = {0};

	*out = (struct sync_done){.counts = {.added = 0}};
	syncing_find_unread(&s);
	syncing_find_wanted(&s);
	TRY(syncing_compare_all(&s));
	syncing_fail_unread(&s);
	TRY(syncing_find_all_gone(&s));
	TRY(syncing_find_left(&s, &left));
	if (ask->dry) {
		syncing_count_gone(&s);
		syncing_count(&s);
		return NULL;
	}
	s.all = s.todo.n + (uint64_t)s.counts.unchanged;
	syncing_advance(&s, (uint64_t)s.counts.unchanged);
	TRY(syncing_store(&s));
	syncing_count(&s);
	out->duration_ms = (int64_t)((os_ticks() - ask->began) / 1000000);
	return syncing_remember(&s, &left);
}
