/*
 * Makes the memories that point to knowledge items.
 *
 * Compares items with their pointers, and stores the differences. The comparison only
 * reads, so a sync without changes takes no lock. Differences are stored in batches, each item as a
 * nested transaction, and the pointer is read again there: two syncs at once make no pointer twice.
 */
#include "sync/knowledge_pointers.h"
#include "crypt/crypt.h"
#include "event/ulid.h"
#include "json/json.h"
#include "os/os.h"

#define POINTER "knowledgePointer"
/* How many reasons of blocking rules its text tells. */
#define SYNC_REASONS 3

/* ---- the tables of sync: what failed, which sources are known, what earlier runs did ---- */

static int state_choice(struct db_cells *c, int column, const char *const *names)
{
	return db_column_bytes(c->rows, column).p ? (int)db_cell_choice(c, column, names) : -1;
}

struct err *sync_failures_of(struct db *db, struct arena *a, struct str place,
			     struct sync_failures *out)
{
	*out = (struct sync_failures){0};
	DB_EACH(rows, db, Q_SYNC_FAILURES_OF, DB_S(place)) {
		struct db_cells c = {.rows = rows, .table = "sync_failures", .key = 0};
		struct sync_failure one = {
			.path = db_cell_raw_text(&c, a, 0),
			.item = db_cell_text(&c, a, 1),
			.layer = state_choice(&c, 2, kn_layers),
			.type = state_choice(&c, 3, kn_types),
			.reason = db_cell_text(&c, a, 4),
			.message = db_cell_raw_text(&c, a, 5),
			.first = db_cell_int(&c, 6, DB_TIME_LEAST, DB_TIME_MOST),
			.tries = db_cell_int(&c, 7, 1, INT64_MAX),
		};

		DB_ROW(db, db_cells_check(&c), continue);
		*VEC_PUSH(a, out) = one;
	}
	return NULL;
}

struct err *sync_known_sources(struct db *db, struct arena *a, struct str place,
			       struct sync_known_list *out)
{
	*out = (struct sync_known_list){0};
	DB_EACH(rows, db, Q_SYNC_SOURCES_OF, DB_S(place)) {
		struct db_cells c = {.rows = rows, .table = "sync_sources", .key = 0};
		struct sync_known one = {
			.source = db_cell_raw_text(&c, a, 0),
			.commit = db_cell_text_or_null(&c, a, 1),
		};

		DB_ROW(db, db_cells_check(&c), continue);
		*VEC_PUSH(a, out) = one;
	}
	for (size_t i = 0; i < out->n; i++) {
		struct sync_known *known = &out->p[i];

		/* A repository that was moved or removed reads nothing any more. */
		DB_EACH(rows, db, Q_SYNC_SOURCE_PLACES, DB_S(known->source), DB_S(place)) {
			struct str other = db_column_str(rows, a, 0);
			struct os_stat there = {.kind = OS_DIR};

			if (other.n && os_stat(str_c(a, other), true, &there))
				continue;
			known->shared = known->shared || there.kind == OS_DIR;
		}
	}
	return NULL;
}

struct err *sync_history_read(struct db *db, struct str place, struct sync_history *out)
{
	*out = (struct sync_history){0};
	DB_EACH(rows, db, Q_SYNC_PLACE_GET, DB_S(place)) {
		struct db_cells c = {.rows = rows, .table = "sync_places", .key = 0};

		*out = (struct sync_history){
			.runs = db_cell_int(&c, 0, 1, INT64_MAX),
			.changes = db_cell_int(&c, 1, 0, INT64_MAX),
			.duration_ms = db_cell_int(&c, 2, 0, INT64_MAX),
			.last = db_cell_int(&c, 3, DB_TIME_LEAST, DB_TIME_MOST),
		};
		DB_ROW(db, db_cells_check(&c), continue);
	}
	return NULL;
}

/* ---- for people ---- */

struct str sync_time_ago(struct arena *a, int64_t then, int64_t now)
{
	static const struct {
		int64_t ms;
		const char *unit;
	} units[] = {{DAY_MS, "day"}, {HOUR_MS, "hour"}, {60 * 1000, "minute"}};
	int64_t age = now - then;

	if (!then)
		return STR("never");
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		int64_t n = age / units[i].ms;

		if (n > 0)
			return str_fmt(a, "%jd %s%s", (intmax_t)n, units[i].unit, PLURAL(n));
	}
	return STR("just now");
}

/* ---- the pointer of an item: its id ---- */

static struct str sync_knowledge_pointer_id(struct arena *a, struct str source,
					    const struct kn_item *item)
{
	unsigned char sum[SHA256_BYTES];
	struct sha256 h;

	sha256_init(&h);
	sha256_add_part(&h, source);
	sha256_add_part(&h, str_of(kn_layers[item->layer]));
	sha256_add_part(&h, item->owner);
	sha256_add_part(&h, item->id);
	sha256_end(&h, sum);
	/* Without a time: every machine must make the same id. */
	return str_fmt(a, "mem_%.*s", STR_ARG(ulid_of(a, 0, sum)));
}

/* ---- the text ---- */

static struct str pointer_text(struct arena *a, const struct kn_item *item)
{
	struct buf b = buf_in(a);
	unsigned reasons = 0;

	buf_put(&b, item->title.n ? item->title : item->id);
	buf_putc(&b, '\n');
	if (item->summary.n) {
		buf_put(&b, item->summary);
		buf_putc(&b, '\n');
	}
	/* "adr 'x' of layer org, superseded by 'y': it no longer holds" */
	buf_fmt(&b, "%s '%.*s' of layer %s, ", kn_types[item->type], STR_ARG(item->id),
		kn_layers[item->layer]);
	if (item->status == KN_STATUS_SUPERSEDED && item->superseded_by.n)
		buf_fmt(&b, "superseded by '%.*s'",
			STR_ARG(str_join(a, &item->superseded_by, "', '")));
	else
		buf_puts(&b, kn_statuses[item->status]);
	if (item->status == KN_STATUS_DEPRECATED || item->status == KN_STATUS_SUPERSEDED)
		buf_puts(&b, ": it no longer holds");
	else if (item->status != KN_STATUS_ACCEPTED)
		buf_puts(&b, ": it is not in force");
	if (item->status != KN_STATUS_ACCEPTED && item->status != KN_STATUS_PROPOSED)
		return buf_as_str(&b);
	for (size_t i = 0; i < item->constraints_n && reasons < SYNC_REASONS; i++)
		if (item->constraints[i].severity == KN_SEVERITY_BLOCK) {
			const struct kn_constraint *c = &item->constraints[i];

			buf_puts(&b, "\nBlocks: ");
			if (c->message.n)
				buf_put(&b, c->message);
			else
				buf_fmt(&b, "%s %s %.*s", kn_targets[c->target],
					kn_operators[c->op], STR_ARG(c->pattern));
			reasons++;
		}
	return buf_as_str(&b);
}

/* ---- the metadata ---- */

static void hash_strs(struct sha256 *h, const struct strs *list)
{
	sha256_add_part(h, str_of(list->n ? "list" : ""));
	for (size_t i = 0; i < list->n; i++)
		sha256_add_part(h, list->p[i]);
}

/* Over all that a reader of the item sees, so that any change of it shows. */
static struct str pointer_hash(struct arena *a, const struct kn_item *item)
{
	unsigned char sum[SHA256_BYTES];
	struct sha256 h;

	sha256_init(&h);
	sha256_add_part(&h, item->title);
	sha256_add_part(&h, item->summary);
	sha256_add_part(&h, item->content);
	sha256_add_part(&h, str_of(kn_types[item->type]));
	sha256_add_part(&h, str_of(kn_statuses[item->status]));
	sha256_add_part(&h, str_of(kn_severities[item->severity]));
	hash_strs(&h, &item->tags);
	hash_strs(&h, &item->supersedes);
	hash_strs(&h, &item->superseded_by);
	for (size_t i = 0; i < item->constraints_n; i++) {
		const struct kn_constraint *c = &item->constraints[i];

		sha256_add_part(&h, str_of(kn_operators[c->op]));
		sha256_add_part(&h, str_of(kn_targets[c->target]));
		sha256_add_part(&h, str_of(kn_severities[c->severity]));
		sha256_add_part(&h, c->pattern);
		sha256_add_part(&h, c->message);
		sha256_add_part(&h, c->version);
		sha256_add_part(&h, c->use_instead);
		hash_strs(&h, &c->applies_to);
	}
	sha256_end(&h, sum);
	return str_fmt(a, "sha256:%.*s", STR_ARG(crypt_hex(a, sum, sizeof(sum))));
}

struct pointer_meta {
	struct str sourceType, source, sourceId, contentHash, sourceLayer, path;
	int64_t synced;
	bool isOrphaned;
};
static const struct field pointer_meta_fields[] = {
	FIELD_OF(struct pointer_meta, sourceType, "adr, policy, pattern or spec"),
	FIELD_OF(struct pointer_meta, sourceId, "the item's id"),
	FIELD_OF(struct pointer_meta, contentHash, "of the item"),
	FIELD_TIME(struct pointer_meta, synced, "syncedAt", "when the pointer was stored"),
	FIELD_OF(struct pointer_meta, sourceLayer, "the item's layer"),
	FIELD_OF(struct pointer_meta, isOrphaned, "the item is gone"),
	FIELD_OF(struct pointer_meta, source, "its repository and folder"),
	FIELD_OF(struct pointer_meta, path, "its file, from the top of its repository"),
	{0},
};

static struct str pointer_metadata(struct arena *a, const struct pointer_meta *meta)
{
	struct val *v = val_map(a);

	val_set(a, v, "type", val_str(a, str_of(memory_kinds[MEMORY_KNOWLEDGE_POINTER])));
	val_set(a, v, POINTER, record_val(a, pointer_meta_fields, meta));
	return json_text(a, v);
}

static bool pointer_read_meta(struct arena *a, const struct memory *pointer,
			      struct pointer_meta *out)
{
	const struct record_reader how = {
		.what = "a pointer", .unknown = RECORD_IGNORED, .partial = true};
	const struct val *meta;
	struct val *v;

	*out = (struct pointer_meta){.synced = 0};
	if (!pointer->metadata.n || json_read(a, pointer->metadata, NULL, &v))
		return false;
	meta = val_get(v, POINTER);
	return meta && meta->type == VAL_MAP &&
	       !record_from_val(a, &how, pointer_meta_fields, meta, out);
}

/* ---- the pointer of an item ---- */

/* The time that the item tells of, so that every machine has the same; 0: unknown. */
static int64_t pointer_time(const struct kn_item *item)
{
	int64_t ms;

	if (os_time_read(item->updated_at, &ms) || os_time_read(item->created_at, &ms))
		return ms;
	return 0;
}

/* ---- the sync ---- */

#define BATCH ((size_t)32)

/* An item that has a pointer. */
struct sync_item {
	struct str id; /* of its pointer */
	struct str item, path;
	enum kn_layer layer;
	enum kn_type type;
};
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

/* ---- the items that are there ---- */

/* Whether an item of that layer and type is asked for; -1: it is no item, and always is. */
static bool sync_wants(const struct sync_ask *ask, int layer, int type)
{
	return (layer < 0 || !ask->layers || ask->layers & 1u << layer) &&
	       (type < 0 || !ask->types || ask->types & 1u << type);
}

ORDER_OF(change_order, struct change, ORDER_STR(id) || ORDER_STR(item->shown_path))

static const struct sync_source *syncing_source(const struct syncing *s,
						const struct kn_source *source)
{
	for (size_t i = 0; i < s->ask->sources.n; i++)
		if (s->ask->sources.p[i].source == source)
			return &s->ask->sources.p[i];
	BUG("an item of a source that the caller does not name");
}

static void syncing_find_wanted(struct syncing *s)
{
	const struct knowledge *k = s->ask->k;
	struct change_list kept = {0};

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
	/* Of items with the same key only the first can have the pointer. */
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
	const struct pointer_meta meta = {
		.sourceType = str_of(kn_types[c->item->type]),
		.source = c->source,
		.sourceId = c->item->id,
		.contentHash = pointer_hash(a, c->item),
		.sourceLayer = str_of(kn_layers[c->item->layer]),
		.path = c->item->tree_path,
		.synced = synced,
	};
	struct memory in = {
		.id = c->id,
		.layer = (enum memory_layer)record_choice_index(memory_layers,
								str_of(kn_layers[c->item->layer])),
		.kind = MEMORY_KNOWLEDGE_POINTER,
		.type = str_of(kn_types[c->item->type]),
		.content = pointer_text(a, c->item),
		.tags = c->item->tags,
		.metadata = pointer_metadata(a, &meta),
		.source = STR("knowledge"),
		.importance = -1,
		.confidence = -1,
		.provenance = MEMORY_BY_SYNC,
		.happened = pointer_time(c->item),
	};

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
	struct pointer_meta meta;
	int64_t synced = os_now();
	bool found;

	TRY(memory_knowledge_pointer_get(s->ask->m, a, c->id, &was, &found));
	if (found)
		synced = pointer_read_meta(a, &was, &meta) ? meta.synced : 0;
	TRY(syncing_pointer(s, a, c, found ? &was : NULL, synced, &now));
	*same = found && !s->ask->force && memory_knowledge_pointer_same(&was, &now);
	if (s->ask->dry && !*same)
		(*(found ? &s->out->counts.updated : &s->out->counts.added))++;
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
			s->out->counts.unchanged++;
		else
			*VEC_PUSH(s->a, &s->todo) = *c;
	}
	return NULL;
}

static struct err *syncing_find_gone(struct syncing *s, struct str source, bool whole)
{
	struct db *db = s->ask->m->db;

	DB_EACH(rows, db, Q_SYNC_ITEMS_OF, DB_S(source)) {
		struct db_cells c = {.rows = rows, .table = "sync_items", .key = 0};
		const struct sync_item k = {
			.id = db_cell_text(&c, s->a, 0),
			.layer = (enum kn_layer)db_cell_choice(&c, 1, kn_layers),
			.type = (enum kn_type)db_cell_choice(&c, 2, kn_types),
			.item = db_cell_text(&c, s->a, 3),
			.path = db_cell_raw_text(&c, s->a, 4),
		};

		DB_ROW(db, db_cells_check(&c), continue);
		if (!sync_wants(s->ask, (int)k.layer, (int)k.type) ||
		    (!whole && (syncing_has(s, k.id) || syncing_unread(s, k.path))))
			continue;
		*VEC_PUSH(s->a, &s->todo) =
			(struct change){.source = source, .known = k, .id = k.id};
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

/* ---- storing ---- */

static struct err *syncing_put(struct syncing *s, const struct change *c)
{
	struct memories *m = s->ask->m;
	struct memory was, now;
	bool found;

	TRY(memory_knowledge_pointer_get(m, s->a, c->id, &was, &found));
	TRY(syncing_pointer(s, s->a, c, found ? &was : NULL, os_now(), &now));
	TRY(memory_knowledge_pointer_put(m, s->a, found ? &was : NULL, &now));
	(*(found ? &s->out->counts.updated : &s->out->counts.added))++;
	return db_do(m->db, Q_SYNC_ITEM_PUT, NULL, DB_S(c->id), DB_S(c->source),
		     DB_S(str_of(kn_layers[c->item->layer])), DB_S(c->item->owner),
		     DB_S(c->item->id), DB_S(str_of(kn_types[c->item->type])),
		     DB_S(c->item->shown_path));
}

static struct err *syncing_remove(struct syncing *s, const struct change *c)
{
	struct memories *m = s->ask->m;
	struct pointer_meta meta;
	struct memory was;
	bool found;

	TRY(memory_knowledge_pointer_get(m, s->a, c->id, &was, &found));
	/* A person may have edited it into something else, which nothing can restore now. */
	if (found && pointer_read_meta(s->a, &was, &meta)) {
		meta.isOrphaned = true;
		was.metadata = pointer_metadata(s->a, &meta);
	}
	if (found)
		TRY(memory_pointer_remove(m, s->a, &was));
	s->out->counts.deleted++;
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
		struct sync_counts before = s->out->counts;
		struct err *e = syncing_one(s, c);

		if (e)
			s->out->counts = before;
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

static const struct sync_failure *state_find(const struct sync_failures *list,
					     const struct sync_failure *like)
{
	for (size_t i = 0; i < list->n; i++)
		if (str_eq(list->p[i].path, like->path) && str_eq(list->p[i].item, like->item))
			return &list->p[i];
	return NULL;
}

static struct db_arg state_name(const char *const *names, int i)
{
	return i < 0 ? DB_N : DB_S(str_of(names[i]));
}

/* Remembers what a sync of the place found out: failures, sources, totals. */
static struct err *sync_record_outcome(struct arena *a, const struct sync_ask *ask,
				       const struct sync_done *done)
{
	const struct sync_counts *n = &done->counts;
	struct db *db = ask->m->db;
	struct sync_failures old;
	bool whole;

	TRY(sync_failures_of(db, a, ask->place, &old));
	for (size_t i = 0; i < old.n; i++)
		if (sync_wants(ask, old.p[i].layer, old.p[i].type))
			TRY(db_do(db, Q_SYNC_FAILURE_REMOVE, NULL, DB_S(ask->place),
				  DB_S(old.p[i].path), DB_S(old.p[i].item)));
	for (size_t i = 0; i < done->failed.n; i++) {
		const struct sync_failure *f = &done->failed.p[i], *was = state_find(&old, f);

		TRY(db_do(db, Q_SYNC_FAILURE_PUT, NULL, DB_S(ask->place), DB_S(f->path),
			  DB_S(f->item), state_name(kn_layers, f->layer),
			  state_name(kn_types, f->type), DB_S(f->reason), DB_S(f->message),
			  DB_I(was ? was->first : os_now()), DB_I(was ? was->tries + 1 : 1)));
	}
	/* A source's commit stays where it was when an item of it failed, or was not looked at. */
	whole = !ask->types && !ask->layers && !done->failed.n;
	VEC_EACH(const struct sync_source, s, &ask->sources)
		TRY(db_do(ask->m->db, Q_SYNC_SOURCE_PUT, NULL, DB_S(ask->place), DB_S(s->key),
			  whole ? db_text_or_null(s->commit) : DB_N));
	return db_do(ask->m->db, Q_SYNC_PLACE_RAN, NULL, DB_S(ask->place),
		     DB_I(n->added + n->updated + n->deleted), DB_I(done->duration_ms),
		     DB_I(os_now()));
}

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

struct err *sync_knowledge_into_store(struct arena *a, const struct sync_ask *ask,
				      struct sync_done *out)
{
	struct syncing s = {.a = a, .ask = ask, .out = out};
	struct strs left = {0};
	struct strs seen = {0};
	const struct knowledge *k = ask->k;

	*out = (struct sync_done){.counts = {.added = 0}};
	/* Broken knowledge: an item may lack a rule, so its pointer must not follow it. */
	for (size_t i = 0; i < k->passed.n; i++)
		if (kn_note_kind_of_reason(k->passed.p[i].why) == KN_BROKEN)
			syncing_add_unread(&s, k->passed.p[i].path, k->passed.p[i].message);
	for (size_t i = 0; i < k->notes.n; i++)
		if (k->notes.p[i].kind == KN_BROKEN)
			syncing_add_unread(&s, k->notes.p[i].path, k->notes.p[i].message);
	syncing_find_wanted(&s);
	TRY(syncing_compare_all(&s));
	/* Files that gave no item at all. */
	VEC_EACH(const struct unread, u, &s.unread) {
		bool has_item = false;

		for (size_t j = 0; j < k->items.n && !has_item; j++)
			has_item = str_eq(k->items.p[j].shown_path, u->path);
		if (!has_item)
			syncing_fail(&s, u->path, NULL, E_BAD_MARKDOWN, u->message);
	}
	for (size_t i = 0; i < ask->missing.n; i++)
		syncing_fail(&s, ask->missing.p[i], NULL, E_NO_SUCH_SOURCE, ask->missing.p[i]);
	VEC_EACH(const struct sync_source, source, &ask->sources) {
		/* Two rows of the settings may name one folder. */
		if (!strs_has(&seen, source->key))
			TRY(syncing_find_gone(&s, source->key, false));
		strs_push(a, &seen, source->key);
	}
	TRY(syncing_find_left(&s, &left));
	if (ask->dry) {
		for (size_t i = 0; i < s.todo.n; i++)
			out->counts.deleted += !s.todo.p[i].item;
		return NULL;
	}
	s.all = s.todo.n + (uint64_t)out->counts.unchanged;
	syncing_advance(&s, (uint64_t)out->counts.unchanged);
	TRY(syncing_store(&s));
	out->duration_ms = (int64_t)((os_ticks() - ask->began) / 1000000);
	return syncing_remember(&s, &left);
}
