/* Reads and checks rows of memories and tombstones, and finds memories by id and by number. */
#include "event/ulid.h"
#include "json/json.h"
#include "memory/storage_internal.h"
#include "memory/memories_of_other_machines.h"
#include "memory/repository_ties.h"
#include "os/os.h"

/* A shorter beginning of an id would be little more than a rough time. */
#define ID_LEAST ((size_t)8)

/*
 * Reads tags without escapes, as nearly all are, from the text of json_write(). False: read them as
 * JSON.
 */
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

/*
 * Whether tags are as memory_tags_sorted() makes them: sorted, without repeats, at most
 * MEMORY_TAGS_MAX.
 */
static bool tags_sound(const struct strs *tags)
{
	for (size_t i = 0; i < tags->n; i++)
		if (!str_is_utf8(tags->p[i]) || (i && str_cmp(tags->p[i - 1], tags->p[i]) >= 0))
			return false;
	return tags->n <= MEMORY_TAGS_MAX;
}

static bool tags_read(struct arena *a, struct str text, struct strs *tags)
{
	struct val *list;

	if (plain_tags(a, text, tags))
		return tags_sound(tags);
	*tags = (struct strs){0};
	if (json_read(a, text, NULL, &list) || list->type != VAL_LIST)
		return false;
	VAL_EACH(list, v) {
		if (v->type != VAL_STR)
			return false;
		strs_push(a, tags, v->s);
	}
	return tags_sound(tags);
}

static struct strs row_tags(struct db_cells *c, struct arena *a, int column)
{
	struct strs tags = {0};

	if (tags_read(a, db_cell_text(c, a, column), &tags))
		return tags;
	db_cell_bad(c, column, "is no list of tags");
	return (struct strs){0};
}

static struct str row_metadata(struct db_cells *c, struct arena *a, int column)
{
	struct str text = db_cell_text(c, a, column);
	struct val *v;

	if (text.n && (json_read(a, text, NULL, &v) || v->type != VAL_MAP)) {
		db_cell_bad(c, column, "is no JSON object");
		return STR("");
	}
	return text;
}

static const struct val *row_files(struct db_cells *c, struct arena *a, int column)
{
	struct str text = db_cell_text(c, a, column);
	struct val *v;

	if (!text.n)
		return NULL;
	if (!json_read(a, text, NULL, &v) && !memory_files_validate_value(a, v))
		return v;
	db_cell_bad(c, column, "is no list of files");
	return NULL;
}

static struct str row_id(struct db_cells *c, struct arena *a, int column)
{
	struct str id = db_cell_text(c, a, column);

	if (!str_starts(id, STR(MEMORY_ID)) || !ulid_is(str_sub(id, strlen(MEMORY_ID), id.n)))
		db_cell_bad(c, column, "is no id of a memory");
	return id;
}

static int64_t row_time(struct db_cells *c, int column)
{
	return db_cell_int(c, column, DB_TIME_LEAST, DB_TIME_MOST);
}

static int64_t row_time_or_null(struct db_cells *c, int column)
{
	return db_cell_int_or_null(c, column, DB_TIME_LEAST, DB_TIME_MOST);
}

/*
 * The columns of three statements, in order. Each list gives positions and names. A test build
 * compares the names with the statement.
 */
/* clang-format off */
#define COLUMNS_ROW(X)                                                                             \
	X(doc) X(id) X(layer) X(scope) X(kind) X(type) X(tags) X(source) X(importance)             \
	X(confidence) X(provenance) X(redaction) X(status) X(state) X(user_id) X(agent_id)         \
	X(session_id) X(speaker) X(turn) X(supersedes) X(superseded_by) X(superseded_at)           \
	X(happened_at) X(created_at) X(updated_at) X(expires_at) X(tokens) X(token_model)          \
	X(content_hash) X(files) X(made_repository) X(made_commit) X(made_branch) X(made_change)   \
	X(rejected) X(owner) X(metadata) X(content)
#define COLUMNS_BRIEF(X)                                                                           \
	X(doc) X(scope) X(kind) X(state) X(importance) X(happened_at) X(created_at) X(expires_at)  \
	X(superseded_at) X(turn) X(id) X(superseded_by) X(session_id) X(speaker) X(content)        \
	X(type) X(tags) X(source) X(provenance) X(redaction) X(agent_id) X(status)             \
	X(made_repository) X(made_commit) X(made_branch) X(made_change) X(rejected)
#define COLUMNS_REST(X)                                                                            \
	X(id) X(type) X(source) X(confidence) X(provenance) X(redaction) X(status) X(user_id)      \
	X(agent_id) X(supersedes) X(updated_at) X(tokens) X(token_model) X(files) X(owner) \
	X(metadata)
/* clang-format on */
#define NAME(column)  #column,
#define ROW(column)   ROW_##column,
#define BRIEF(column) BRIEF_##column,
#define REST(column)  REST_##column,
enum { COLUMNS_ROW(ROW) };
enum { COLUMNS_BRIEF(BRIEF) };
enum { COLUMNS_REST(REST) };
static const char *const row_columns[] = {COLUMNS_ROW(NAME) NULL};
_Static_assert(ARRAY_SIZE(row_columns) == MEMORY_ROW_COLUMNS + 1, "other statements add columns");
static const char *const brief_columns[] = {COLUMNS_BRIEF(NAME) NULL};
static const char *const rest_columns[] = {COLUMNS_REST(NAME) NULL};

/* Sets what depends on the clock and the configuration. model: for which `tokens` is. */
static void row_derive(const struct memories *m, struct str model, struct memory *out)
{
	if (out->state == MEMORY_CURRENT && out->expires && out->expires <= os_now())
		out->state = MEMORY_EXPIRED;
	if (!str_is(model, token_models[m->model]))
		out->tokens = (int64_t)token_estimate(out->content, m->model);
}

struct err *memory_row(struct memories *m, struct arena *a, struct db_rows *rows,
		       struct memory *out)
{
	struct db_cells c = {
		.rows = rows, .table = "memories", .key = ROW_id, .columns = row_columns};
	struct str model;

	*out = (struct memory){
		.doc = db_cell_int(&c, ROW_doc, 1, INT64_MAX),
		.id = row_id(&c, a, ROW_id),
		.layer = (enum memory_layer)db_cell_choice(&c, ROW_layer, memory_layers),
		.scope = db_cell_int(&c, ROW_scope, 1, INT64_MAX),
		.kind = (enum memory_kind)db_cell_choice(&c, ROW_kind, memory_kinds),
		.type = db_cell_text(&c, a, ROW_type),
		.tags = row_tags(&c, a, ROW_tags),
		.source = db_cell_text(&c, a, ROW_source),
		.importance = db_cell_share(&c, ROW_importance),
		.confidence = db_cell_share(&c, ROW_confidence),
		.provenance = (enum memory_provenance)db_cell_choice(&c, ROW_provenance,
								     memory_provenances),
		.redaction =
			(enum memory_redaction)db_cell_choice(&c, ROW_redaction, memory_redactions),
		.user = db_cell_raw_text(&c, a, ROW_user_id),
		.agent = db_cell_raw_text(&c, a, ROW_agent_id),
		.session = db_cell_raw_text(&c, a, ROW_session_id),
		.owner = db_cell_text(&c, a, ROW_owner),
		.speaker = db_cell_text(&c, a, ROW_speaker),
		.turn = db_cell_int(&c, ROW_turn, 0, INT64_MAX),
		.supersedes = db_cell_text_or_null(&c, a, ROW_supersedes),
		.superseded_by = db_cell_text_or_null(&c, a, ROW_superseded_by),
		.superseded = row_time_or_null(&c, ROW_superseded_at),
		.happened = row_time(&c, ROW_happened_at),
		.created = row_time(&c, ROW_created_at),
		.updated = row_time(&c, ROW_updated_at),
		.expires = row_time_or_null(&c, ROW_expires_at),
		.tokens = db_cell_int(&c, ROW_tokens, 0, INT32_MAX),
		.files = row_files(&c, a, ROW_files),
		.repository = db_cell_text(&c, a, ROW_made_repository),
		.commit = db_cell_text(&c, a, ROW_made_commit),
		.branch = db_cell_text(&c, a, ROW_made_branch),
		.change = db_cell_text(&c, a, ROW_made_change),
		.metadata = row_metadata(&c, a, ROW_metadata),
		.content = db_cell_text(&c, a, ROW_content),
	};
	if (memory_kind_rules[out->kind].has_status)
		out->status = (enum memory_status)db_cell_choice(&c, ROW_status, memory_statuses);
	out->state = (enum memory_state)db_cell_choice(&c, ROW_state, memory_states);
	if (db_cell_int(&c, ROW_rejected, 0, 1))
		out->state = MEMORY_REJECTED;
	model = db_cell_text(&c, NULL, ROW_token_model);
	TRY(db_cells_check(&c));
	row_derive(m, model, out);
	return NULL;
}

struct err *memory_row_for_ranking(struct db_rows *rows, struct arena *a, bool marks,
				   struct memory *out)
{
	struct db_cells c = {
		.rows = rows, .table = "memories", .key = BRIEF_id, .columns = brief_columns};

	*out = (struct memory){
		.doc = db_cell_int(&c, BRIEF_doc, 1, INT64_MAX),
		.scope = db_cell_int(&c, BRIEF_scope, 1, INT64_MAX),
		.kind = (enum memory_kind)db_cell_choice(&c, BRIEF_kind, memory_kinds),
		.state = (enum memory_state)db_cell_choice(&c, BRIEF_state, memory_states),
		.importance = db_cell_share(&c, BRIEF_importance),
		.happened = row_time(&c, BRIEF_happened_at),
		.created = row_time(&c, BRIEF_created_at),
		.expires = row_time_or_null(&c, BRIEF_expires_at),
		.superseded = row_time_or_null(&c, BRIEF_superseded_at),
		.turn = db_cell_int(&c, BRIEF_turn, 0, INT64_MAX),
		.id = row_id(&c, a, BRIEF_id),
		.superseded_by = db_cell_text_or_null(&c, a, BRIEF_superseded_by),
		.session = db_cell_raw_text(&c, a, BRIEF_session_id),
		.speaker = db_cell_text(&c, a, BRIEF_speaker),
		.content = db_cell_text(&c, a, BRIEF_content),
		.tags = row_tags(&c, a, BRIEF_tags),
		.repository = db_cell_text(&c, a, BRIEF_made_repository),
		.commit = db_cell_text(&c, a, BRIEF_made_commit),
		.branch = db_cell_text(&c, a, BRIEF_made_branch),
		.change = db_cell_text(&c, a, BRIEF_made_change),
	};
	if (db_cell_int(&c, BRIEF_rejected, 0, 1))
		out->state = MEMORY_REJECTED;
	if (!marks)
		return db_cells_check(&c);
	out->type = db_cell_text(&c, a, BRIEF_type);
	out->source = db_cell_text(&c, a, BRIEF_source);
	out->provenance =
		(enum memory_provenance)db_cell_choice(&c, BRIEF_provenance, memory_provenances);
	out->redaction =
		(enum memory_redaction)db_cell_choice(&c, BRIEF_redaction, memory_redactions);
	out->agent = db_cell_raw_text(&c, a, BRIEF_agent_id);
	if (memory_kind_rules[out->kind].has_status)
		out->status = (enum memory_status)db_cell_choice(&c, BRIEF_status, memory_statuses);
	return db_cells_check(&c);
}

struct err *memory_row_complete(struct memories *m, struct arena *a, struct db_rows *rows,
				struct memory *out)
{
	struct db_cells c = {
		.rows = rows, .table = "memories", .key = REST_id, .columns = rest_columns};
	struct str model = db_cell_text(&c, NULL, REST_token_model);

	out->type = db_cell_text(&c, a, REST_type);
	out->source = db_cell_text(&c, a, REST_source);
	out->confidence = db_cell_share(&c, REST_confidence);
	out->provenance =
		(enum memory_provenance)db_cell_choice(&c, REST_provenance, memory_provenances);
	out->redaction =
		(enum memory_redaction)db_cell_choice(&c, REST_redaction, memory_redactions);
	if (memory_kind_rules[out->kind].has_status)
		out->status = (enum memory_status)db_cell_choice(&c, REST_status, memory_statuses);
	out->user = db_cell_raw_text(&c, a, REST_user_id);
	out->agent = db_cell_raw_text(&c, a, REST_agent_id);
	out->owner = db_cell_text(&c, a, REST_owner);
	out->supersedes = db_cell_text_or_null(&c, a, REST_supersedes);
	out->updated = row_time(&c, REST_updated_at);
	out->tokens = db_cell_int(&c, REST_tokens, 0, INT32_MAX);
	out->files = row_files(&c, a, REST_files);
	out->metadata = row_metadata(&c, a, REST_metadata);
	TRY(db_cells_check(&c));
	row_derive(m, model, out);
	return NULL;
}

static struct err *memory_no_such(struct str id)
{
	return err_help(
		err_add_detail(err_new(E_NO_SUCH_MEMORY, "Memory '%.*s' not found", STR_ARG(id)),
			       "requestedId", id),
		"'ikm mem list' and 'ikm mem search' show the ids of your memories");
}

struct err *memory_store_change_number(struct memories *m, int64_t *out)
{
	*out = -1;
	DB_EACH(rows, m->db, Q_MEMORY_CHANGES)
		*out = db_column_int(rows, 0);
	return NULL;
}

struct err *memory_scopes_text(struct memories *m, struct arena *a, unsigned layers,
			       struct str *out)
{
	struct val *list = val_list(a);
	struct memory_scopes own;

	TRY(memory_scopes(m, a, layers, &own));
	for (size_t i = 0; i < own.n; i++)
		val_add(list, val_int(a, own.p[i].scope));
	*out = json_text(a, list);
	return NULL;
}

static struct err *memory_rows_not_unique(struct str id)
{
	return err_help(err_add_detail(err_new(E_NOT_UNIQUE, "several memories begin with '%.*s'",
					       STR_ARG(id)),
				       "requestedId", id),
			"give more characters of the id");
}

/* A tombstone keeps the memory as JSON, as exports have it. */
struct err *memory_tombstone_read(struct memories *m, struct arena *a, struct db_rows *rows,
				  struct memory *out)
{
	struct db_cells c = {.rows = rows, .table = "deleted_memories", .key = 0};
	struct memory one = {0};
	struct str id = row_id(&c, a, 0), text = db_cell_text(&c, a, 3);
	int64_t scope = db_cell_int(&c, 1, 1, INT64_MAX), when = row_time(&c, 2);
	struct memory checked;
	struct val *v;

	if (!c.why && (json_read(a, text, NULL, &v) || memory_from_json(a, v, &one) ||
		       !str_eq(one.id, id) || memory_check(a, &one, MEMORY_CONTENT_MAX, &checked)))
		db_cell_bad(&c, 3, "is no memory");
	TRY(db_cells_check(&c));
	*out = one;
	out->tags = checked.tags;
	out->importance = checked.importance;
	out->confidence = checked.confidence;
	out->scope = scope;
	out->deleted = when;
	out->tokens = (int64_t)token_estimate(out->content, m->model);
	return NULL;
}

/* purged: of a purged memory, *out gets its id and the time of its deletion. */
static struct err *get_deleted(struct memories *m, struct arena *a, struct str id,
			       struct str scopes, struct memory *out, bool *is_purged)
{
	bool purged = false;
	size_t n = 0;

	DB_EACH(rows, m->db, Q_DELETED_BY_ID, DB_S(id), DB_S(scopes)) {
		if (n++)
			return memory_rows_not_unique(id);
		purged = !db_column_bytes(rows, 3).p;
		if (!purged)
			TRY(memory_tombstone_read(m, a, rows, out));
		else
			*out = (struct memory){.id = db_column_str(rows, a, 0),
					       .deleted = db_column_int(rows, 2)};
		/* A whole id wins over longer ids that begin with it. */
		if (str_eq(db_column_bytes(rows, 0), id))
			break;
	}
	if (is_purged)
		*is_purged = purged;
	if (n && (!purged || is_purged))
		return NULL;
	return err_help(err_add_detail(err_new(E_NO_SUCH_MEMORY,
					       purged ? "the memory '%.*s' was deleted and purged"
						      : "Memory '%.*s' not found",
					       STR_ARG(id)),
				       "requestedId", id),
			"'ikm mem list --deleted' lists deleted memories that are not purged");
}

/* purged NULL: a purged memory is not found. */
static struct err *get_any(struct memories *m, struct arena *a, struct str typed, bool deleted,
			   struct memory *out, bool *purged)
{
	const size_t prefix = strlen(MEMORY_ID);
	struct str scopes, id;
	struct err *e = NULL;
	size_t n = 0;

	if (typed.n < ID_LEAST)
		return err_help(
			memory_no_such(str_utf8(a, typed)),
			"give the whole id, or on the command line at least %zu characters of it",
			ID_LEAST);
	if (!str_is_text(typed))
		return memory_no_such(str_utf8(a, typed));
	id = typed;
	if (str_eq(str_lower(a, str_sub(typed, 0, prefix)), STR(MEMORY_ID)))
		id = str_fmt(a, MEMORY_ID "%.*s",
			     STR_ARG(ulid_normalize_input(a, str_sub(typed, prefix, typed.n))));
	TRY(memory_scopes_text(m, a, 0, &scopes));
	DB_EACH(rows, m->db, Q_MEMORY_BY_ID, DB_S(id), DB_S(scopes)) {
		if (n++)
			return memory_rows_not_unique(id);
		/*
		 * The error of a damaged row counts only if no other id begins so. A whole id wins
		 * over longer ids that begin with it.
		 */
		e = memory_row(m, a, rows, out);
		if (str_eq(db_column_bytes(rows, 1), id))
			break;
	}
	if (!n)
		return deleted ? get_deleted(m, a, id, scopes, out, purged) : memory_no_such(typed);
	return e;
}

struct err *memory_get(struct memories *m, struct arena *a, struct str id, bool deleted,
		       struct memory *out)
{
	return get_any(m, a, id, deleted, out, NULL);
}

struct err *memory_find(struct memories *m, struct arena *a, struct str id, struct memory *out,
			bool *purged)
{
	*purged = false;
	return get_any(m, a, id, true, out, purged);
}

/* ---- several ---- */

struct err *memory_get_by_numbers(struct memories *m, struct arena *a, const int64_t *docs,
				  size_t n, struct memory_list *out)
{
	struct db_txn t DB_TXN = {0};
	struct db_rows *rows;

	*out = (struct memory_list){0};
	TRY(db_begin_read(&t, m->db));
	for (size_t i = 0; i < n; i++) {
		struct memory one;

		TRY(db_ask(m->db, Q_MEMORY_BY_DOC, &rows, DB_I(docs[i])));
		DB_REST(rows) {
			DB_ROW(m->db, memory_row(m, a, rows, &one), continue);
			*VEC_PUSH(a, out) = one;
		}
	}
	return NULL;
}
