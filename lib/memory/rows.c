/* Rows as they are read: one by its id, several by their numbers, a turn's neighbours, all. */
#include "base/base.h"
#include "json/json.h"
#include "memory/internal.h"
#include "os/os.h"

/* Shorter beginnings of an id say only when it was made, to some hours. */
#define ID_LEAST ((size_t)8)

static int choice(const char *const *names, struct str s)
{
	for (int i = 0; names[i]; i++)
		if (str_is(s, names[i]))
			return i;
	BUG("'%.*s' in the store", STR_ARG(s));
}

/* Tags without escapes, which are nearly all, as json_write() writes them; false: there are others. */
static bool plain_tags(struct arena *a, struct str text, struct strs *tags)
{
	size_t at = 1, end;

	if (text.n < 2 || text.p[0] != '[' || str_find_char(text, '\\', 0) != SIZE_MAX)
		return false;
	while (at < text.n && text.p[at] == '"') {
		end = str_find_char(text, '"', ++at);
		if (end == SIZE_MAX || end + 1 >= text.n)
			return false;
		strs_push(a, tags, str_sub(text, at, end));
		at = end + 1;
		at += text.p[at] == ',';
	}
	return at + 1 == text.n && text.p[at] == ']';
}

static struct strs tags_of(struct arena *a, struct str text)
{
	struct strs tags = {0};
	struct val *list;
	struct err *e;

	if (plain_tags(a, text, &tags))
		return tags;
	tags = (struct strs){0};
	e = json_read(a, text, NULL, &list);
	if (e)
		BUG("tags in the store: %s", err_message(e));
	VAL_EACH(list, v)
		strs_push(a, &tags, v->s);
	return tags;
}

struct str memory_model(const struct memories *m)
{
	static const char *const models[] = TOKEN_MODELS;

	return str_of(models[m->model]);
}

/* The columns of memory_rows. */
struct memory memory_row(struct memories *m, struct arena *a, struct db_rows *rows)
{
	struct memory out = {
		.doc = db_int(rows, 0),
		.id = db_str(rows, a, 1),
		.layer = (enum memory_layer)choice(memory_layers, db_bytes(rows, 2)),
		.scope = db_int(rows, 3),
		.kind = (enum memory_kind)choice(memory_kind_names, db_bytes(rows, 4)),
		.type = db_str(rows, a, 5),
		.tags = tags_of(a, db_str(rows, a, 6)),
		.source = db_str(rows, a, 7),
		.importance = db_double(rows, 8),
		.confidence = db_double(rows, 9),
		.provenance = (enum memory_provenance)choice(memory_provenances, db_bytes(rows, 10)),
		.redaction = (enum memory_redaction)choice(memory_redactions, db_bytes(rows, 11)),
		.user = db_str(rows, a, 14),
		.agent = db_str(rows, a, 15),
		.session = db_str(rows, a, 16),
		.speaker = db_str(rows, a, 17),
		.turn = db_int(rows, 18),
		.supersedes = db_str(rows, a, 19),
		.superseded_by = db_str(rows, a, 20),
		.superseded = db_int(rows, 21),
		.happened = db_int(rows, 22),
		.created = db_int(rows, 23),
		.updated = db_int(rows, 24),
		.expires = db_int(rows, 25),
		.tokens = db_int(rows, 26),
		.metadata = db_str(rows, a, 29),
		.content = db_str(rows, a, 30),
	};

	if (memory_kinds[out.kind].has_status)
		out.status = (enum memory_status)choice(memory_statuses, db_bytes(rows, 12));
	out.state = (enum memory_state)choice(memory_states, db_bytes(rows, 13));
	if (out.state == MEMORY_CURRENT && out.expires && out.expires <= os_now())
		out.state = MEMORY_EXPIRED;
	if (!str_eq(db_bytes(rows, 27), memory_model(m)))
		out.tokens = (int64_t)token_estimate(out.content, m->model);
	return out;
}

void memory_brief(struct db_rows *rows, struct arena *a, bool marks, struct memory *out)
{
	*out = (struct memory){
		.doc = db_int(rows, 0),
		.scope = db_int(rows, 1),
		.kind = (enum memory_kind)choice(memory_kind_names, db_bytes(rows, 2)),
		.state = (enum memory_state)choice(memory_states, db_bytes(rows, 3)),
		.importance = db_double(rows, 4),
		.happened = db_int(rows, 5),
		.created = db_int(rows, 6),
		.expires = db_int(rows, 7),
		.superseded = db_int(rows, 8),
		.turn = db_int(rows, 9),
		.id = db_str(rows, a, 10),
		.superseded_by = db_str(rows, a, 11),
		.session = db_str(rows, a, 12),
		.speaker = db_str(rows, a, 13),
		.content = db_str(rows, a, 14),
	};
	if (!marks)
		return;
	out->type = db_str(rows, a, 15);
	out->tags = tags_of(a, db_str(rows, a, 16));
	out->source = db_str(rows, a, 17);
	out->provenance = (enum memory_provenance)choice(memory_provenances, db_bytes(rows, 18));
	out->redaction = (enum memory_redaction)choice(memory_redactions, db_bytes(rows, 19));
	out->agent = db_str(rows, a, 20);
	if (memory_kinds[out->kind].has_status)
		out->status = (enum memory_status)choice(memory_statuses, db_bytes(rows, 21));
}

struct err *memory_no_such(struct str id)
{
	return err_help(err_detail(err_new(E_NO_SUCH_MEMORY, "Memory '%.*s' not found",
					   STR_ARG(id)),
				   "requestedId", id),
			"'ikm mem list' and 'ikm mem search' tell the ids of yours");
}

static struct err *no_such_deleted(struct str id, bool purged)
{
	struct err *e = err_new(E_NO_SUCH_MEMORY, purged ? "the memory '%.*s' was deleted and purged"
							 : "Memory '%.*s' not found",
				STR_ARG(id));

	err_detail(e, "requestedId", id);
	return err_help(e, "'ikm mem list --deleted' tells what was deleted and not yet purged");
}

void memory_scopes_text(struct buf *b, const struct memory_scopes *scopes)
{
	buf_putc(b, '[');
	for (size_t i = 0; i < scopes->n; i++)
		buf_fmt(b, "%s%jd", i ? "," : "", (intmax_t)scopes->p[i].scope);
	buf_putc(b, ']');
}

struct err *memory_own_scopes(struct memories *m, struct arena *a, struct str *out)
{
	struct memory_scopes own;
	struct buf b = buf_in(a);

	TRY(memory_scopes(m, a, 0, &own));
	memory_scopes_text(&b, &own);
	*out = buf_str(&b);
	return NULL;
}

static struct err *not_unique(struct str id)
{
	return err_help(err_detail(err_new(E_NOT_UNIQUE, "several memories begin with '%.*s'",
					   STR_ARG(id)),
				   "requestedId", id),
			"give more of the id");
}

/* *more: there is one, and `rows` is at it. An id that is whole goes before longer ones. */
static struct err *only_one(struct db_rows *rows, int column, struct str id, bool *unique)
{
	bool more;

	*unique = str_eq(db_bytes(rows, column), id);
	if (*unique) {
		db_reset(rows);
		return NULL;
	}
	TRY(db_next(rows, &more));
	*unique = !more;
	if (more)
		db_reset(rows);
	return NULL;
}

/* As it is exported is how a tombstone keeps it. */
struct err *memory_tombstone(struct memories *m, struct arena *a, struct db_rows *rows,
			     struct memory *out)
{
	struct val *v;

	*out = (struct memory){.scope = db_int(rows, 1)};
	TRY(json_read(a, db_str(rows, a, 3), NULL, &v));
	TRY(memory_read(a, v, out));
	out->deleted = db_int(rows, 2);
	out->tokens = (int64_t)token_estimate(out->content, m->model);
	return NULL;
}

static struct err *get_deleted(struct memories *m, struct arena *a, struct str id, struct str scopes,
			       struct memory *out)
{
	struct db_rows *rows;
	bool more, purged, unique;

	TRY(db_ask(m->db, Q_DELETED_BY_ID, &rows, DB_S(id), DB_S(scopes)));
	TRY(db_next(rows, &more));
	if (!more)
		return no_such_deleted(id, false);
	purged = !db_bytes(rows, 3).p;
	if (!purged)
		TRY(memory_tombstone(m, a, rows, out));
	TRY(only_one(rows, 0, id, &unique));
	if (!unique)
		return not_unique(id);
	return purged ? no_such_deleted(id, true) : NULL;
}

struct err *memory_get(struct memories *m, struct arena *a, struct str id, bool deleted,
		       struct memory *out)
{
	struct db_rows *rows;
	struct str scopes;
	bool more, unique;

	if (id.n < ID_LEAST)
		return err_help(memory_no_such(str_utf8(a, id)),
				"of an id at least %zu characters must be given", ID_LEAST);
	if (!str_is_text(id))
		return memory_no_such(str_utf8(a, id));
	TRY(memory_own_scopes(m, a, &scopes));
	TRY(db_ask(m->db, Q_MEMORY_BY_ID, &rows, DB_S(id), DB_S(scopes)));
	TRY(db_next(rows, &more));
	if (!more)
		return deleted ? get_deleted(m, a, id, scopes, out) : memory_no_such(id);
	*out = memory_row(m, a, rows);
	TRY(only_one(rows, 1, id, &unique));
	return unique ? NULL : not_unique(id);
}

/* ---- several ---- */

static struct err *take_all(struct memories *m, struct arena *a, struct db_rows *rows,
			    struct memory_list *out)
{
	bool more;

	for (;;) {
		TRY(db_next(rows, &more));
		if (!more)
			return NULL;
		*VEC_PUSH(a, out) = memory_row(m, a, rows);
	}
}

struct some {
	struct memories *m;
	struct arena *a;
	const int64_t *docs;
	size_t n;
	struct memory_list *out;
};

static struct err *rows_by_doc(void *ctx)
{
	struct some *s = ctx;
	struct db_rows *rows;

	for (size_t i = 0; i < s->n; i++) {
		TRY(db_ask(s->m->db, Q_MEMORY_BY_DOC, &rows, DB_I(s->docs[i])));
		TRY(take_all(s->m, s->a, rows, s->out));
	}
	return NULL;
}

struct err *memory_rows(struct memories *m, struct arena *a, const int64_t *docs, size_t n,
			struct memory_list *out)
{
	struct some s = {.m = m, .a = a, .docs = docs, .n = n, .out = out};

	*out = (struct memory_list){0};
	return db_read(m->db, rows_by_doc, &s);
}
