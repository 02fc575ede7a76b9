/* Reads the record: lists of events, one event, its steps, and the check of all rows. */
#include "event/row.h"
#include "event/ulid.h"
#include "json/json.h"
#include "os/os.h"
#include "words/words.h"

/* The columns of event_rows in sql/query.sql that are read, in its order. */
#define ROW_COLUMNS(X)                                                                             \
	X(ROW_ID, "event_id")                                                                      \
	X(ROW_SEQ, "seq")                                                                          \
	X(ROW_SCHEMA, "schema_version")                                                            \
	X(ROW_MACHINE, "machine_id")                                                               \
	X(ROW_TS, "ts")                                                                            \
	X(ROW_USER, "user_id")                                                                     \
	X(ROW_AGENT, "agent_id")                                                                   \
	X(ROW_SESSION, "session_id")                                                               \
	X(ROW_TOOL, "tool")                                                                        \
	X(ROW_ENTITY_TYPE, "entity_type")                                                          \
	X(ROW_ENTITY_ID, "entity_id")                                                              \
	X(ROW_TYPE, "type")                                                                        \
	X(ROW_OP, "op")                                                                            \
	X(ROW_ANCHOR, "section_anchor")                                                            \
	X(ROW_PATH, "file_path")                                                                   \
	X(ROW_PATH_TO, "path_to")                                                                  \
	X(ROW_RATIONALE, "rationale")                                                              \
	X(ROW_BEFORE, "before_hash")                                                               \
	X(ROW_AFTER, "after_hash")                                                                 \
	X(ROW_BEFORE_MODE, "before_mode")                                                          \
	X(ROW_AFTER_MODE, "after_mode")                                                            \
	X(ROW_EVIDENCE, "evidence_refs")                                                           \
	X(ROW_LINT, "lint")                                                                        \
	X(ROW_CHANGE, "change")                                                                    \
	X(ROW_UNDOES, "undoes")                                                                    \
	X(ROW_IDEMPOTENCY, "idempotency_key")                                                      \
	X(ROW_TRANSACTION, "transaction_id")                                                       \
	X(ROW_TOOL_CALL, "tool_call_id")                                                           \
	X(ROW_ACTION, "agent_action_id")                                                           \
	X(ROW_ERROR, "error")                                                                      \
	X(ROW_COMMIT, "commit_oid")                                                                \
	X(ROW_LINE_HASH, "integrity_line_hash")                                                    \
	X(ROW_KEY, "integrity_salt_version")                                                       \
	X(ROW_CHAIN, "chain_hash")                                                                 \
	X(ROW_STATUS, "status") X(ROW_KEPT, "kept") X(ROW_FACE, "face") X(ROW_CLIENT, "client")
enum row_column { ROW_COLUMNS(ENUM_MEMBER) };
static const char *const row_columns[] = {ROW_COLUMNS(ENUM_NAME) NULL};

/* A text that results print as JSON: the reader must not believe it. */
static struct str row_json(struct db_cells *c, struct arena *a, int column)
{
	struct str s = db_cell_text_or_null(c, a, column);
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct val *v;

	if (!s.n || !json_read(scratch, s, NULL, &v))
		return s;
	db_cell_bad(c, column, "is no JSON");
	return STR("");
}

/* whole: with `change`, which may be long. */
struct err *event_row_read(struct db_rows *rows, struct arena *a, bool whole, struct event *out)
{
	struct db_cells c = {
		.rows = rows, .table = "events", .key = ROW_ID, .columns = row_columns};

	*out = (struct event){
		.id = db_cell_text(&c, a, ROW_ID),
		.seq = db_cell_int(&c, ROW_SEQ, 1, INT64_MAX),
		.schema_version = db_cell_int(&c, ROW_SCHEMA, 1, INT32_MAX),
		.machine = db_cell_text(&c, a, ROW_MACHINE),
		.time = db_cell_int(&c, ROW_TS, DB_TIME_LEAST, DB_TIME_MOST),
		.user = db_cell_raw_text(&c, a, ROW_USER),
		.agent = db_cell_raw_text(&c, a, ROW_AGENT),
		.session = db_cell_raw_text(&c, a, ROW_SESSION),
		.tool = db_cell_text(&c, a, ROW_TOOL),
		.entity = db_cell_text(&c, a, ROW_ENTITY_TYPE),
		.entity_id = db_cell_raw_text(&c, a, ROW_ENTITY_ID),
		.type = db_cell_choice(&c, ROW_TYPE, event_types),
		.op = db_cell_text(&c, a, ROW_OP),
		.section_anchor = db_cell_text_or_null(&c, a, ROW_ANCHOR),
		.path = db_cell_raw_text(&c, a, ROW_PATH),
		.path_to = db_cell_raw_text_or_null(&c, a, ROW_PATH_TO),
		.rationale = db_cell_raw_text_or_null(&c, a, ROW_RATIONALE),
		.before = db_cell_text_or_null(&c, a, ROW_BEFORE),
		.after = db_cell_text_or_null(&c, a, ROW_AFTER),
		.before_mode = (uint32_t)db_cell_int_or_null(&c, ROW_BEFORE_MODE, 0, 07777),
		.after_mode = (uint32_t)db_cell_int_or_null(&c, ROW_AFTER_MODE, 0, 07777),
		.evidence_refs = row_json(&c, a, ROW_EVIDENCE),
		.lint = row_json(&c, a, ROW_LINT),
		.change = whole ? db_cell_raw_text_or_null(&c, a, ROW_CHANGE) : (struct str){0},
		.undoes = db_cell_text_or_null(&c, a, ROW_UNDOES),
		.ids =
			{
				.idempotency_key = db_cell_raw_text_or_null(&c, a, ROW_IDEMPOTENCY),
				.transaction = db_cell_raw_text_or_null(&c, a, ROW_TRANSACTION),
				.tool_call = db_cell_raw_text_or_null(&c, a, ROW_TOOL_CALL),
				.agent_action = db_cell_raw_text_or_null(&c, a, ROW_ACTION),
			},
		.error = db_cell_raw_text_or_null(&c, a, ROW_ERROR),
		.commit = db_cell_text_or_null(&c, a, ROW_COMMIT),
		.line_hash = db_cell_text_or_null(&c, a, ROW_LINE_HASH),
		.key_version = db_cell_int_or_null(&c, ROW_KEY, 1, INT32_MAX),
		.chain = db_cell_text_or_null(&c, a, ROW_CHAIN),
		.status = db_cell_choice(&c, ROW_STATUS, event_statuses),
		.kept = db_cell_int_or_null(&c, ROW_KEPT, 0, 1),
		.face = db_cell_choice(&c, ROW_FACE, event_faces),
		.client = db_cell_raw_text_or_null(&c, a, ROW_CLIENT),
	};
	return db_cells_check(&c);
}

static struct err *no_such_event(struct str id)
{
	return err_help(
		err_add_detail(err_new(E_NO_SUCH_EVENT, "there is no event '%.*s'", STR_ARG(id)),
			       "requestedId", id),
		"'ikm events query' lists the events");
}

/*
 * Up to this many events of a path are found by number first. With more of them, a scan from the
 * newest event finds enough soon.
 */
#define FEW ((int64_t)4096)

struct err *event_find_lookalike_path(struct events *log, struct arena *a, struct str path,
				      struct str *out)
{
	struct str key = words_normalize_file_name(a, path), one;
	struct strs found = {0};

	*out = STR("");
	DB_EACH(rows, log->db, Q_EVENT_PATHS) {
		size_t parts = 0;

		one = db_column_str(rows, a, 0);
		/* The folder of a recorded path with as many parts. */
		for (size_t i = 0; i < path.n; i++)
			parts += path.p[i] == '/';
		for (size_t i = 0; i < one.n; i++)
			if (one.p[i] == '/' && !parts--)
				one.n = i;
		if (str_eq(words_normalize_file_name(a, one), key) && !strs_has(&found, one))
			strs_push(a, &found, one);
	}
	if (found.n == 1 && !str_eq(found.p[0], path))
		*out = found.p[0];
	return NULL;
}

enum query_value {
#define X(member, column) QUERY_##member,
	EVENT_FILTERS(X)
#undef X
		QUERY_FILTERS
};
/* status, text, after, limit, before, since, until; then the path: one or two */
#define QUERY_VALUES (QUERY_FILTERS + 7)

/* The values of a filter that the two queries share, in the order of their parameters. */
static size_t filter_values(struct arena *a, const struct event_filter *f, int64_t after,
			    struct db_arg *v)
{
	struct str statuses = STR("");
	size_t n = 0;

	if (f->status >= 0)
		statuses = str_fmt(a, "|%s|", event_statuses[f->status]);
	else if (f->done)
		statuses = str_fmt(a, "|%s|%s|", event_statuses[EVENT_WRITTEN],
				   event_statuses[EVENT_COMMITTED]);
#define X(member, column) v[n++] = db_text_or_null(f->member);
	EVENT_FILTERS(X)
#undef X
	v[n++] = db_text_or_null(statuses);
	v[n++] = db_text_or_null(str_lower(a, f->text));
	v[n++] = after < 0 ? DB_N : DB_I(after);
	v[n++] = DB_I((int64_t)f->limit);
	v[n++] = db_text_or_null(f->before_id);
	v[n++] = f->since ? DB_I(f->since) : DB_N;
	v[n++] = f->until ? DB_I(f->until) : DB_N;
	return n;
}

static struct err *ask_rows(struct events *log, struct arena *a, const struct event_filter *f,
			    int64_t after, struct db_rows **rows)
{
	struct db_arg v[1 + QUERY_VALUES + 2] = {0}; /* db_select_args() skips the first */
	struct str folder = STR(""), few = {0}, end;
	struct buf b = buf_in(a);
	int64_t below = 0;
	size_t n = 1;

	if (f->path.n) {
		folder = str_ends(f->path, STR("/")) ? f->path
						     : str_fmt(a, "%.*s/", STR_ARG(f->path));
		/* '0' is the byte after '/', so it ends the range of the folder's paths. */
		end = str_fmt(a, "%.*s0", STR_ARG(str_sub(folder, 0, folder.n - 1)));
		/* The numbers of the path's events as a JSON list, if they are few. */
		DB_EACH(found, log->db, Q_EVENT_BELOW, DB_S(f->path), DB_S(folder), DB_S(end),
			DB_I(FEW + 1))
			buf_fmt(&b, "%s%jd", below++ ? "," : "[",
				(intmax_t)db_column_int(found, 0));
		buf_puts(&b, below ? "]" : "[]");
		if (below <= FEW)
			few = buf_as_str(&b);
	}
	n += filter_values(a, f, after, v + n);
	if (few.p) {
		v[n++] = DB_S(few);
	} else {
		v[n++] = db_text_or_null(f->path);
		v[n++] = db_text_or_null(folder);
	}
	return db_select_args(log->db, few.p ? Q_EVENT_QUERY_OF : Q_EVENT_QUERY, rows, v, n - 1);
}

/* whole: with `change`, which may be long. */
/* whole: as in event_row_read(). of_agents: only events of agents. */
static struct err *list_rows(struct events *log, struct arena *a, struct db_rows *rows, bool whole,
			     bool of_agents, struct event_list *out)
{
	struct event one;

	DB_REST(rows) {
		DB_ROW(log->db, event_row_read(rows, a, whole, &one), continue);
		if (!of_agents || event_is_of_agent(&one))
			*VEC_PUSH(a, out) = one;
	}
	return NULL;
}

struct err *event_conversation_by_prefix(struct events *log, struct arena *a, struct str begins,
					 struct str *id, int64_t *time)
{
	*id = STR("");
	*time = 0;
	DB_EACH(rows, log->db, Q_EVENT_CONVERSATION, DB_S(begins),
		DB_S(str_fmt(a, "%.*s~", STR_ARG(begins)))) {
		*id = db_column_str(rows, a, 0);
		*time = db_column_int(rows, 1);
	}
	return NULL;
}

struct err *event_query(struct events *log, struct arena *a, const struct event_filter *f,
			struct event_list *out)
{
	struct event_filter typed = *f;
	struct db_rows *rows;
	struct event before;

	*out = (struct event_list){0};
	if (f->before_id.n) {
		TRY(event_get(log, a, f->before_id, &before));
		typed.before_id = before.id;
	}
	TRY(ask_rows(log, a, &typed, -1, &rows));
	return list_rows(log, a, rows, false, typed.of_agents, out);
}

struct err *event_list_of_memory(struct events *log, struct arena *a, struct str id,
				 struct event_list *out)
{
	struct db_rows *rows;

	*out = (struct event_list){0};
	TRY(db_ask(log->db, Q_EVENT_OF_MEMORY, &rows, DB_S(id)));
	return list_rows(log, a, rows, true, false, out);
}

struct err *event_unsettled(struct events *log, struct arena *a, struct str path,
			    struct event_list *out)
{
	struct str folder = str_ends(path, STR("/")) ? path : str_fmt(a, "%.*s/", STR_ARG(path));
	struct db_rows *rows;

	*out = (struct event_list){0};
	TRY(db_ask(log->db, Q_EVENT_UNSETTLED, &rows, DB_S(path), DB_S(folder)));
	return list_rows(log, a, rows, false, false, out);
}

struct err *event_find_recent_write(struct events *log, struct arena *a, struct str path,
				    struct str after, struct str *id)
{
	*id = STR("");
	DB_EACH(rows, log->db, Q_EVENT_WRITTEN, DB_S(path), DB_S(after), DB_S(log->user),
		DB_S(log->agent), DB_I(os_now() - EVENT_JOIN_MS))
		*id = db_column_str(rows, a, 0);
	return NULL;
}

/* ---- the steps of one event ---- */

static const char *const step_columns[] = {"seq",
					   "ts",
					   "step",
					   "user_id",
					   "agent_id",
					   "session_id",
					   "tool",
					   "after_hash",
					   "error",
					   "commit_oid",
					   "rationale",
					   "evidence_refs",
					   "lint",
					   "transaction_id",
					   "tool_call_id",
					   "agent_action_id",
					   "integrity_line_hash",
					   "integrity_salt_version",
					   "chain_hash",
					   NULL};

#define STEP_COLUMNS ((int)ARRAY_SIZE(step_columns) - 1)

static struct err *step_row_read(struct db_rows *rows, struct arena *a, struct event_step_row *out)
{
	struct db_cells c = {.rows = rows, .table = "events", .key = 0, .columns = step_columns};

	*out = (struct event_step_row){
		.seq = db_cell_int(&c, 0, 1, INT64_MAX),
		.time = db_cell_int(&c, 1, DB_TIME_LEAST, DB_TIME_MOST),
		.step = db_cell_choice(&c, 2, event_steps),
		.user = db_cell_raw_text(&c, a, 3),
		.agent = db_cell_raw_text(&c, a, 4),
		.session = db_cell_raw_text(&c, a, 5),
		.tool = db_cell_text(&c, a, 6),
		.after = db_cell_text_or_null(&c, a, 7),
		.error = db_cell_raw_text_or_null(&c, a, 8),
		.commit = db_cell_text_or_null(&c, a, 9),
		.rationale = db_cell_raw_text_or_null(&c, a, 10),
		.evidence_refs = row_json(&c, a, 11),
		.lint = row_json(&c, a, 12),
		.transaction = db_cell_raw_text_or_null(&c, a, 13),
		.tool_call = db_cell_raw_text_or_null(&c, a, 14),
		.agent_action = db_cell_raw_text_or_null(&c, a, 15),
		.line_hash = db_cell_text_or_null(&c, a, 16),
		.key_version = db_cell_int_or_null(&c, 17, 1, INT32_MAX),
		.chain = db_cell_text_or_null(&c, a, 18),
	};
	return db_cells_check(&c);
}

struct err *event_list_steps(struct events *log, struct arena *a, struct str id,
			     struct event_step_rows *out)
{
	struct event_step_row one;

	*out = (struct event_step_rows){0};
	DB_EACH(rows, log->db, Q_EVENT_STEPS, DB_S(id)) {
		DB_ROW(log->db, step_row_read(rows, a, &one), continue);
		*VEC_PUSH(a, out) = one;
	}
	return NULL;
}

/* ---- following ---- */

struct err *event_last_row_number(struct events *log, int64_t *out)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct event_tail tail;

	TRY(event_chain_last_mac_read(log->db, a, &tail));
	*out = tail.seq;
	return NULL;
}

ORDER_OF(follow_by_id, struct event, ORDER_STR(id))

/* The status of an event after this step. */
static enum event_status follow_status(const struct event *e, enum event_step step)
{
	switch (step) {
	case EVENT_STEP_PENDING: return EVENT_PENDING;
	case EVENT_STEP_WRITTEN: return EVENT_WRITTEN;
	case EVENT_STEP_FAILED: return EVENT_FAILED;
	case EVENT_STEP_COMMITTED:
	case EVENT_STEP_ROTATION:
	case EVENT_STEP_CHECKPOINT: return EVENT_COMMITTED;
	case EVENT_STEP_ANNOTATION: break;
	}
	return e->status;
}

struct err *event_follow(struct events *log, struct arena *a, const struct event_filter *f,
			 int64_t since, struct event_followed_list *out, int64_t *last)
{
	struct event_filter any = *f;
	struct event_list events = {0};
	struct event_step_row step;
	struct db_txn t DB_TXN = {0};
	struct db_rows *rows;

	*out = (struct event_followed_list){0};
	any.status = -1;
	any.limit = PTRDIFF_MAX;
	TRY(db_begin_read(&t, log->db));
	TRY(event_last_row_number(log, last));
	if (*last <= since)
		return NULL;
	TRY(ask_rows(log, a, &any, since, &rows));
	TRY(list_rows(log, a, rows, false, false, &events));
	if (!events.n)
		return NULL;
	qsort(events.p, events.n, sizeof(*events.p), follow_by_id);
	DB_EACH(found, log->db, Q_EVENT_STEPS_AFTER, DB_I(since), DB_I(*last)) {
		const struct event key = {.id = db_column_bytes(found, STEP_COLUMNS)}, *e;
		enum event_status status;

		e = bsearch(&key, events.p, events.n, sizeof(key), follow_by_id);
		if (!e)
			continue;
		DB_ROW(log->db, step_row_read(found, a, &step), continue);
		status = follow_status(e, step.step);
		if (f->status >= 0 &&
		    (step.step == EVENT_STEP_ANNOTATION || status != (enum event_status)f->status))
			continue;
		*VEC_PUSH(a, out) = (struct event_followed){*e, step};
		out->p[out->n - 1].event.status = status;
	}
	return NULL;
}

/* ---- all rows ---- */

static struct err *event_check_first(void *ctx, struct arena *a, struct db_rows *rows)
{
	struct event one;

	(void)ctx;
	return event_row_read(rows, a, true, &one);
}

static struct err *event_check_step(void *ctx, struct arena *a, struct db_rows *rows)
{
	struct event_step_row one;

	(void)ctx;
	return step_row_read(rows, a, &one);
}

struct err *event_find_damaged_rows(struct db *db, struct arena *a, struct db_damaged_rows *damaged)
{
	const struct db_verify first = {Q_VERIFY_EVENTS,   "events", "event_id", 0,
					event_check_first, NULL};
	const struct db_verify steps = {Q_VERIFY_STEPS, "events", "seq", 0, event_check_step, NULL};
	int64_t n = 0;

	TRY(db_verify(db, a, &first, damaged, &n));
	return db_verify(db, a, &steps, damaged, &n);
}

struct err *event_get(struct events *log, struct arena *a, struct str id, struct event *out)
{
	struct str key = ulid_normalize_input(a, id);
	struct err *e = NULL;
	size_t n = 0;

	if (!id.n || !str_is_text(id))
		return no_such_event(str_utf8(a, id));
	DB_EACH(rows, log->db, Q_EVENT_GET, DB_S(key))
		if (!n++)
			e = event_row_read(rows, a, true, out);
	if (!n)
		return no_such_event(id);
	if (n == 1)
		return e;
	return err_help(
		err_add_detail(err_new(E_NOT_UNIQUE, "the ids of several events begin with '%.*s'",
				       STR_ARG(id)),
			       "requestedId", id),
		"give more characters of the id");
}

struct err *event_undone_by(struct events *log, struct arena *a, struct str id, struct str *by)
{
	*by = STR("");
	DB_EACH(rows, log->db, Q_EVENT_UNDONE, DB_S(id))
		*by = db_column_str(rows, a, 0);
	return NULL;
}

struct err *event_is_undone(struct events *log, struct arena *a, struct str id, bool *out)
{
	struct str by;

	for (*out = false;; *out = !*out, id = by) {
		TRY(event_undone_by(log, a, id, &by));
		if (!by.n)
			return NULL;
	}
}
