/* Stores the writes of a tool's response: all or none. An item that is sent again is stored
 * once. */
#include "crypt/crypt.h"
#include "json/json.h"
#include "os/os.h"
#include "request/request.h"

/* How long ikm remembers the items that it has stored. */
#define KNOWN_MS ((int64_t)30 * 24 * 60 * 60 * 1000)

/* The members of both kinds of writes; struct request_write has the members of all. */
#define PARAM_WRITE(m, ...) PARAM_OF(struct request_write, m, __VA_ARGS__)
#define PARAMS_OF_BOTH                                                                             \
	PARAM_WRITE(content, .flags = REQUIRED, .min = 1, .max = MEMORY_CONTENT_MAX,               \
		    .help = "the text to remember"),                                               \
		PARAM_WRITE(type, .min = 1, .max = MEMORY_NAME_MAX,                                \
			    .help = "its type, such as observation or risk_alert"),                \
		PARAM_WRITE(source, .flags = RARE, .min = 1, .max = MEMORY_NAME_MAX,               \
			    .help = "its source; default: the tool"),                              \
		PARAM_WRITE(timestamp, .flags = RARE, .min = 1, .max = 64,                         \
			    .help = "when it happened, ISO 8601; default: now"),                   \
		PARAM_WRITE(importance, .def = "0.5", .min = 0, .max = 1,                          \
			    .help = "its importance"),                                             \
		PARAM_WRITE(tags, .min = 1, .max = MEMORY_TAG_MAX, .help = "its tags"),            \
		PARAM_WRITE(metadata, .flags = RARE, .help = "any further data"),                  \
		PARAM_WRITE(redaction, .flags = RARE, .def = "internal",                           \
			    .choices = memory_redactions,                                          \
			    .help = "sensitive: only for tools whose manifest says so")

const struct param request_memory_params[] = {
	PARAMS_OF_BOTH,
	{0},
};
const struct param request_scratch_params[] = {
	PARAMS_OF_BOTH,
	PARAM_WRITE(status, .def = "active", .choices = memory_statuses,
		    .help = "whether it is still to do"),
	PARAM_WRITE(confidence, .flags = RARE, .min = 0, .max = 1,
		    .help = "how sure it is; default: 0.5"),
	PARAM_WRITE(expires_at, .flags = RARE, .min = 1, .max = 64,
		    .help = "when it expires, ISO 8601; default: in seven days"),
	{0},
};

/* ---- an item as a memory ---- */

struct item {
	struct memory memory;
	struct str name;   /* "memory_writes[2]" */
	struct str digest; /* identifies equal items */
	struct str id;     /* the memory's id, once it is known */
	bool existing, scratch;
	struct str refused; /* the reason why it is not stored; empty: it is stored */
};
struct ingest {
	struct requests *r;
	struct arena *a;
	const struct response *in;
	int64_t now;
	struct item *items;
	size_t n;
};

static struct err *ingest_time_of(struct str text, const char *name, int64_t *out)
{
	if (!text.p || (os_time_read(text, out) && *out))
		return NULL;
	return err_new(E_BAD_ARGUMENT,
		       "%s is '%.*s', which is %s; write 2025-01-31 or 2025-01-31T12:00:00Z", name,
		       STR_ARG(text), os_time_read(text, out) ? "no time to ikm" : "not a time");
}

static struct err *memory_of(struct ingest *g, const struct request_write *w, bool scratch,
			     struct memory *out)
{
	struct memory m = {
		.layer = MEMORY_AGENT,
		.kind = scratch ? MEMORY_SCRATCH : MEMORY_EPISODIC,
		.type = w->type.p ? w->type : STR(""),
		.content = w->content,
		.tags = w->tags,
		.metadata = w->metadata ? json_text(g->a, w->metadata) : STR(""),
		.source = w->source.p ? w->source : g->in->tool_id,
		.importance = w->importance,
		.confidence = scratch && !isnan(w->confidence) ? w->confidence : -1,
		.provenance = MEMORY_BY_TOOL,
		.redaction = (enum memory_redaction)w->redaction,
		.status = scratch ? (enum memory_status)w->status : MEMORY_ACTIVE,
		.speaker = STR(""),
		.supersedes = STR(""),
	};

	TRY(ingest_time_of(w->timestamp, "timestamp", &m.happened));
	TRY(ingest_time_of(w->expires_at, "expires_at", &m.expires));
	if (w->expires_at.p && m.expires <= g->now)
		return err_new(E_OUT_OF_RANGE, "expires_at is %.*s, which is in the past",
			       STR_ARG(w->expires_at));
	*out = m;
	return NULL;
}

/*
 * The digest covers the item as it was sent, not as it is stored: defaults that depend on the clock
 * must not change it. `twin` is the number of equal items before this one in the request, since two
 * equal items are two memories.
 */
static struct str ingest_digest(struct ingest *g, const struct request_write *w, bool scratch,
				size_t twin)
{
	const struct memory_who *who = &g->r->memories->who;
	const struct str parts[] = {
		who->user,
		who->agent,
		g->in->request_id,
		g->in->tool_id,
		scratch ? STR("scratch") : STR("episodic"),
		w->type,
		w->content,
		w->source,
		w->timestamp,
		w->expires_at,
		str_fmt(g->a, "%zu %.17g %.17g %d %d %zu", twin, w->importance, w->confidence,
			w->redaction, w->status, w->tags.n),
	};
	unsigned char sum[SHA256_BYTES];
	struct sha256 h;

	sha256_init(&h);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		sha256_add_part(&h, parts[i]);
	for (size_t i = 0; i < w->tags.n; i++)
		sha256_add_part(&h, w->tags.p[i]);
	sha256_add_part(&h, w->metadata ? json_text(g->a, w->metadata) : STR(""));
	sha256_end(&h, sum);
	return str_dup(g->a, (struct str){(const char *)sum, sizeof(sum)});
}

ORDER_OF_POINTERS(by_digest, struct item, ORDER_STR(digest) || ORDER_PLACE)

static struct err *read_items(struct ingest *g, const struct request_write *w, size_t n,
			      bool scratch)
{
	const char *list = scratch ? "scratch_page_writes" : "memory_writes";
	struct item *items = g->items + g->n;
	struct item **sorted;
	struct str last = {0};
	size_t twin = 0;

	for (size_t i = 0; i < n; i++) {
		struct err *e = memory_of(g, &w[i], scratch, &items[i].memory);

		items[i].scratch = scratch;
		items[i].name = str_fmt(g->a, "%s[%zu]", list, i);
		if (e)
			return err_add_context(e, "%.*s", STR_ARG(items[i].name));
		items[i].digest = ingest_digest(g, &w[i], scratch, 0);
	}
	/* Gives equal items different digests, by their order. */
	sorted = arena_array(g->a, n + 1, sizeof(*sorted));
	for (size_t i = 0; i < n; i++)
		sorted[i] = &items[i];
	if (n > 1)
		qsort(sorted, n, sizeof(struct item *), by_digest);
	for (size_t i = 0; i < n; i++) {
		struct str plain = sorted[i]->digest;

		twin = last.p && str_eq(plain, last) ? twin + 1 : 0;
		last = plain;
		if (twin)
			sorted[i]->digest = ingest_digest(g, &w[sorted[i] - items], scratch, twin);
	}
	g->n += n;
	return NULL;
}

/* ---- storing ---- */

static struct err *ingest_store(struct ingest *g)
{
	struct memories *m = g->r->memories;
	struct db_txn t DB_TXN = {0};

	TRY(memory_begin(&t, m, g->a));
	TRY(db_do(m->db, Q_INGESTED_EXPIRE, NULL, DB_I(g->now - KNOWN_MS)));
	for (size_t i = 0; i < g->n; i++) {
		struct item *it = &g->items[i];
		struct memory_list one = {.p = &it->memory, .n = 1}, added = {0};
		struct err *e;

		it->existing = false;
		DB_EACH(rows, m->db, Q_INGESTED_GET, DB_B(it->digest)) {
			it->existing = true;
			it->id = db_column_str(rows, g->a, 0);
		}
		if (it->existing)
			continue;
		e = memory_add_all(m, g->a, &one, &added);
		/* A full scratch page or a rejected statement must not stop the other items. */
		if (e && ((it->scratch && err_reason(e) == E_TOO_MANY_MEMORIES) ||
			  err_reason(e) == E_REJECTED)) {
			it->refused = str_fmt(g->a, "%.*s: %s", STR_ARG(it->name), err_message(e));
			continue;
		}
		if (e)
			return err_add_context(e, "%.*s", STR_ARG(it->name));
		it->id = added.p[0].id;
		TRY(db_do(m->db, Q_INGESTED_PUT, NULL, DB_B(it->digest), DB_S(it->id),
			  DB_I(g->now)));
	}
	return memory_commit(&t, m, g->a);
}

struct err *request_store_items(struct requests *r, struct arena *a, const struct response *in,
				struct request_written *out)
{
	struct ingest g = {.r = r, .a = a, .in = in, .now = os_now()};
	const struct str me = r->memories->who.agent;

	*out = (struct request_written){0};
	if (in->agent_id.p && !str_eq(in->agent_id, me))
		return err_help(err_new(E_NOT_ALLOWED,
					"the response names agent '%.*s', but the caller is agent "
					"'%.*s'",
					STR_ARG(in->agent_id), STR_ARG(me)),
				"send it with the caller's agent_id, or without agent_id");
	if (!manifest_is_id(in->tool_id))
		return err_for_param(E_BAD_ARGUMENT, STR("tool_id"),
				     "tool_id '%.*s' is not valid; allowed: letters, digits "
				     "and '_', inside also '-' and '.', 1 to 128",
				     STR_ARG(str_sub(in->tool_id, 0, 128)));
	g.items = arena_array(a, in->n_memories + in->n_scratch_notes + 1, sizeof(*g.items));
	TRY(read_items(&g, in->memories, in->n_memories, false));
	TRY(read_items(&g, in->scratch_notes, in->n_scratch_notes, true));
	if (!g.n)
		return NULL;
	TRY(ingest_store(&g));
	for (size_t i = 0; i < g.n; i++) {
		strs_push(a, i < in->n_memories ? &out->memory_ids : &out->scratch_ids,
			  g.items[i].refused.n ? STR("") : g.items[i].id);
		if (g.items[i].refused.n) {
			strs_push(a, &out->refused, g.items[i].refused);
			continue;
		}
		*(g.items[i].existing ? &out->existing : &out->added) += 1;
	}
	return NULL;
}
