/* The pointer memory of a knowledge item: its id, its text, its metadata. */
#include "crypt/crypt.h"
#include "event/ulid.h"
#include "json/json.h"
#include "os/os.h"
#include "sync/internal.h"

#define POINTER "knowledgePointer"

struct str sync_knowledge_pointer_id(struct arena *a, struct str source, const struct kn_item *item)
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

static bool pointer_holds(const struct kn_item *item)
{
	return item->status == KN_STATUS_ACCEPTED || item->status == KN_STATUS_PROPOSED;
}

/* "adr 'x' of layer org, superseded by 'y': it no longer holds" */
static void pointer_put_status(struct buf *b, struct arena *a, const struct kn_item *item)
{
	const char *status = kn_statuses[item->status];

	buf_fmt(b, "%s '%.*s' of layer %s, ", kn_types[item->type], STR_ARG(item->id),
		kn_layers[item->layer]);
	if (item->status == KN_STATUS_SUPERSEDED && item->superseded_by.n)
		buf_fmt(b, "superseded by '%.*s'",
			STR_ARG(str_join(a, &item->superseded_by, "', '")));
	else
		buf_puts(b, status);
	if (item->status == KN_STATUS_DEPRECATED || item->status == KN_STATUS_SUPERSEDED)
		buf_puts(b, ": it no longer holds");
	else if (item->status != KN_STATUS_ACCEPTED)
		buf_puts(b, ": it is not in force");
}

static void pointer_put_reason(struct buf *b, const struct kn_constraint *c)
{
	buf_puts(b, "\nBlocks: ");
	if (c->message.n)
		buf_put(b, c->message);
	else
		buf_fmt(b, "%s %s %.*s", kn_targets[c->target], kn_operators[c->op],
			STR_ARG(c->pattern));
}

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
	pointer_put_status(&b, a, item);
	if (!pointer_holds(item))
		return buf_as_str(&b);
	for (size_t i = 0; i < item->constraints_n && reasons < SYNC_REASONS; i++)
		if (item->constraints[i].severity == KN_SEVERITY_BLOCK) {
			pointer_put_reason(&b, &item->constraints[i]);
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

static void hash_constraint(struct sha256 *h, const struct kn_constraint *c)
{
	sha256_add_part(h, str_of(kn_operators[c->op]));
	sha256_add_part(h, str_of(kn_targets[c->target]));
	sha256_add_part(h, str_of(kn_severities[c->severity]));
	sha256_add_part(h, c->pattern);
	sha256_add_part(h, c->message);
	sha256_add_part(h, c->version);
	sha256_add_part(h, c->use_instead);
	hash_strs(h, &c->applies_to);
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
	for (size_t i = 0; i < item->constraints_n; i++)
		hash_constraint(&h, &item->constraints[i]);
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

int64_t sync_knowledge_pointer_time(struct arena *a, const struct memory *pointer)
{
	struct pointer_meta meta;

	return pointer_read_meta(a, pointer, &meta) ? meta.synced : 0;
}

struct str sync_metadata_mark_orphaned(struct arena *a, const struct memory *pointer)
{
	struct pointer_meta meta;

	/* A person may have edited it into something else, which nothing can restore now. */
	if (!pointer_read_meta(a, pointer, &meta))
		return pointer->metadata;
	meta.isOrphaned = true;
	return pointer_metadata(a, &meta);
}

/* ---- the memory ---- */

/* The time that the item tells of, so that every machine has the same; 0: unknown. */
static int64_t pointer_time(const struct kn_item *item)
{
	int64_t ms;

	if (os_time_read(item->updated_at, &ms) || os_time_read(item->created_at, &ms))
		return ms;
	return 0;
}

struct memory sync_pointer_new(struct arena *a, struct str source, const struct kn_item *item,
			       int64_t synced)
{
	const struct pointer_meta meta = {
		.sourceType = str_of(kn_types[item->type]),
		.source = source,
		.sourceId = item->id,
		.contentHash = pointer_hash(a, item),
		.sourceLayer = str_of(kn_layers[item->layer]),
		.path = item->tree_path,
		.synced = synced,
	};

	return (struct memory){
		.id = sync_knowledge_pointer_id(a, source, item),
		.layer = (enum memory_layer)record_choice_index(memory_layers,
								str_of(kn_layers[item->layer])),
		.kind = MEMORY_KNOWLEDGE_POINTER,
		.type = str_of(kn_types[item->type]),
		.content = pointer_text(a, item),
		.tags = item->tags,
		.metadata = pointer_metadata(a, &meta),
		.source = STR("knowledge"),
		.importance = -1,
		.confidence = -1,
		.provenance = MEMORY_BY_SYNC,
		.happened = pointer_time(item),
	};
}
