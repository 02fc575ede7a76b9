#include "event/event.h"
#include "event/ulid.h"
#include "os/os.h"

const char *const event_statuses[] = {EVENT_STATUSES(ENUM_NAME) NULL};

/* Reads the first column of a statement's only row; empty when there is no row. */
static struct err *ask_one(struct db *db, struct arena *a, enum db_query query, struct str key,
			   bool keyed, struct str *out)
{
	struct db_rows *rows;

	*out = STR("");
	if (keyed)
		TRY(db_ask(db, query, &rows, DB_S(key)));
	else
		TRY(db_ask(db, query, &rows));
	DB_REST(rows) {
		*out = db_str(rows, a, 0);
		break;
	}
	return NULL;
}

/* ---- recording ---- */

struct begin {
	struct events *log;
	struct arena *a;
	const struct event *e;
	struct str former, id;
};

/* The id of the store's machine; it is made once per store. */
static struct err *machine(struct begin *b, struct str *id)
{
	struct db *db = b->log->db;

	TRY(ask_one(db, b->a, Q_META_GET, STR("machine"), true, id));
	if (id->n)
		return NULL;
	*id = ulid_new(b->a, os_now(), STR(""));
	return db_do(db, Q_META_PUT, NULL, DB_S(STR("machine")), DB_S(*id));
}

static struct err *former_total(struct db *db, int64_t *bytes)
{
	*bytes = 0;
	DB_EACH(rows, db, Q_FORMER_TOTAL)
		*bytes = db_int(rows, 0);
	return NULL;
}

static struct err *keep_former(struct begin *b, int64_t now)
{
	struct events *log = b->log;
	int64_t total, dropped = 1;

	TRY(db_do(log->db, Q_FORMER_EXPIRE, NULL, DB_I(now - log->keep_ms)));
	/* A content above the limit would only push out all others. */
	if (b->former.p && log->keep_ms > 0 && b->former.n <= (uint64_t)log->keep_bytes)
		TRY(db_do(log->db, Q_FORMER_PUT, NULL, DB_S(b->e->before), DB_B(b->former),
			  DB_I((int64_t)b->former.n), DB_I(now)));
	TRY(former_total(log->db, &total));
	while (total > log->keep_bytes && dropped) {
		TRY(db_do(log->db, Q_FORMER_DROP_OLDEST, &dropped));
		TRY(former_total(log->db, &total));
	}
	return NULL;
}

static struct err *settle_last(struct begin *b)
{
	bool done = false, not_done = false;
	struct str id = {0};

	DB_EACH(rows, b->log->db, Q_EVENT_OPEN, DB_S(b->e->path), db_text_or_null(b->e->before)) {
		id = db_str(rows, b->a, 0);
		done = db_int(rows, 1);
		not_done = db_int(rows, 2);
		break;
	}
	return done || not_done ? event_settle(b->log, id, done) : NULL;
}

static struct err *event_begin_in_txn(void *ctx)
{
	struct begin *b = ctx;
	struct events *log = b->log;
	const struct event *e = b->e;
	struct str last, on;
	int64_t now = os_now();

	TRY(settle_last(b));
	TRY(machine(b, &on));
	TRY(ask_one(log->db, b->a, Q_EVENT_LAST, STR(""), false, &last));
	b->id = ulid_new(b->a, now, last);
	TRY(db_do(log->db, Q_EVENT_INSERT, NULL, DB_S(b->id), DB_S(on), DB_I(now), DB_S(log->user),
		  DB_S(log->agent), DB_S(log->session), DB_S(log->tool), DB_S(e->entity),
		  DB_S(e->path), DB_S(e->op), str_is(e->entity, "file") ? DB_S(e->path) : DB_N,
		  db_text_or_null(e->path_to), db_text_or_null(e->before),
		  db_text_or_null(e->after), db_text_or_null(e->undoes),
		  db_int_or_null(e->before_mode), db_int_or_null(e->after_mode)));
	return keep_former(b, now);
}

struct err *event_begin(struct events *log, struct arena *a, const struct event *e,
			struct str former, struct str *id)
{
	struct begin b = {.log = log, .a = a, .e = e, .former = former};

	TRY(db_write(log->db, event_begin_in_txn, &b));
	*id = b.id;
	return NULL;
}

struct end {
	struct events *log;
	struct str id;
	const char *error;
};

static struct err *event_end_in_txn(void *ctx)
{
	const struct end *e = ctx;
	enum event_status status = e->error ? EVENT_FAILED : EVENT_COMMITTED;

	return db_do(e->log->db, Q_EVENT_OUTCOME, NULL, DB_S(e->id), DB_I(os_now()),
		     DB_S(str_of(event_statuses[status])),
		     e->error ? DB_S(str_of(e->error)) : DB_N);
}

struct err *event_end(struct events *log, struct str id, const char *error)
{
	struct end e = {log, id, error};

	return db_write(log->db, event_end_in_txn, &e);
}

struct err *event_settle(struct events *log, struct str id, bool done)
{
	return event_end(log, id, done ? NULL : "the process ended before the change was done");
}

/* ---- queries ---- */

static struct err *event_row(struct db_rows *rows, struct arena *a, struct event *out)
{
	static const char *const words[] = {"pending", "written", "committed", "failed", NULL};
	struct db_cells c = {.rows = rows, .table = "events", .key = 0};
	unsigned status = db_cell_choice(&c, 14, words);

	*out = (struct event){
		.id = db_cell_text(&c, a, 0),
		.time = db_cell_int(&c, 1, DB_TIME_LEAST, DB_TIME_MOST),
		.user = db_cell_name(&c, a, 2),
		.agent = db_cell_name(&c, a, 3),
		.session = db_cell_name(&c, a, 4),
		.tool = db_cell_text(&c, a, 5),
		.entity = db_cell_text(&c, a, 6),
		.op = db_cell_text(&c, a, 7),
		.path = db_cell_name(&c, a, 8),
		.path_to = db_cell_name_or_null(&c, a, 9),
		.before = db_cell_text_or_null(&c, a, 10),
		.after = db_cell_text_or_null(&c, a, 11),
		.undoes = db_cell_text_or_null(&c, a, 12),
		.error = db_cell_name_or_null(&c, a, 13),
		.kept = db_cell_int_or_null(&c, 15, 0, 1),
		.before_mode = (uint32_t)db_cell_int_or_null(&c, 16, 0, 07777),
		.after_mode = (uint32_t)db_cell_int_or_null(&c, 17, 0, 07777),
		/* "written" (garden: in place, not committed in Git) counts as committed here. */
		.status = status == 0   ? EVENT_PENDING
			  : status == 3 ? EVENT_FAILED
					: EVENT_COMMITTED,
	};
	return db_cells_end(&c);
}

static struct err *no_such_event(struct str id)
{
	return err_help(
		err_detail(err_new(E_NO_SUCH_EVENT, "there is no event '%.*s'", STR_ARG(id)),
			   "requestedId", id),
		"'ikm events query' lists the events");
}

/*
 * Up to this many events of a path are found by number first. With more of them, a scan from the
 * newest event finds enough soon.
 */
#define FEW ((int64_t)4096)

/* The numbers of a path's events as a JSON list; p NULL: there are more than FEW. */
static struct err *few_of(struct events *log, struct arena *a, struct str path, struct str folder,
			  struct str *out)
{
	/* '0' is the byte after '/', so it ends the range of the folder's paths. */
	struct str end = str_fmt(a, "%.*s0", STR_ARG(str_sub(folder, 0, folder.n - 1)));
	struct buf b = buf_in(a);
	int64_t n = 0;

	*out = (struct str){0};
	DB_EACH(rows, log->db, Q_EVENT_BELOW, DB_S(path), DB_S(folder), DB_S(end), DB_I(FEW + 1))
		buf_fmt(&b, "%s%jd", n++ ? "," : "[", (intmax_t)db_int(rows, 0));
	buf_puts(&b, n ? "]" : "[]");
	if (n <= FEW)
		*out = buf_str(&b);
	return NULL;
}

static struct err *ask_rows(struct events *log, struct arena *a, const struct event_filter *f,
			    struct db_rows **rows)
{
	struct db_arg before = db_text_or_null(f->before_id),
		      since = f->since ? DB_I(f->since) : DB_N;
	struct db_arg until = f->until ? DB_I(f->until) : DB_N, op = db_text_or_null(f->op);
	struct db_arg agent = db_text_or_null(f->agent), user = db_text_or_null(f->user);
	struct db_arg session = db_text_or_null(f->session), tool = db_text_or_null(f->tool);
	struct db_arg status = f->status < 0 ? DB_N : DB_S(str_of(event_statuses[f->status]));
	struct db_arg text = db_text_or_null(str_lower(a, f->text)),
		      limit = DB_I((int64_t)f->limit);
	struct str folder = STR(""), few = {0};

	if (f->path.n) {
		folder = str_ends(f->path, STR("/")) ? f->path
						     : str_fmt(a, "%.*s/", STR_ARG(f->path));
		TRY(few_of(log, a, f->path, folder, &few));
	}
	if (few.p)
		return db_ask(log->db, Q_EVENT_QUERY_OF, rows, before, since, until, DB_S(few), op,
			      agent, user, session, tool, status, text, limit);
	return db_ask(log->db, Q_EVENT_QUERY, rows, before, since, until, db_text_or_null(f->path),
		      db_text_or_null(folder), op, agent, user, session, tool, status, text, limit);
}

struct err *event_query(struct events *log, struct arena *a, const struct event_filter *f,
			struct event_list *out)
{
	struct db_rows *rows;
	struct event one;
	struct str found;

	*out = (struct event_list){0};
	if (f->before_id.n) {
		TRY(ask_one(log->db, a, Q_EVENT_EXISTS, f->before_id, true, &found));
		if (!found.n)
			return no_such_event(f->before_id);
	}
	TRY(ask_rows(log, a, f, &rows));
	DB_REST(rows) {
		DB_ROW(log->db, event_row(rows, a, &one), continue);
		*VEC_PUSH(a, out) = one;
	}
	return NULL;
}

static struct err *event_verify_row(void *ctx, struct arena *a, struct db_rows *rows)
{
	struct event one;

	(void)ctx;
	return event_row(rows, a, &one);
}

struct err *event_verify(struct db *db, struct arena *a, struct db_damaged_rows *damaged)
{
	const struct db_verify all = {Q_VERIFY_EVENTS,  "events", "event_id", 0,
				      event_verify_row, NULL};
	int64_t n = 0;

	return db_verify(db, a, &all, damaged, &n);
}

struct err *event_get(struct events *log, struct arena *a, struct str id, struct event *out)
{
	struct str key = str_upper(a, id);
	struct err *e = NULL;
	size_t n = 0;

	if (!id.n || !str_is_text(id))
		return no_such_event(str_utf8(a, id));
	DB_EACH(rows, log->db, Q_EVENT_GET, DB_S(key))
		if (!n++)
			e = event_row(rows, a, out);
	if (!n)
		return no_such_event(id);
	if (n == 1)
		return e;
	return err_help(
		err_detail(err_new(E_NOT_UNIQUE, "the ids of several events begin with '%.*s'",
				   STR_ARG(id)),
			   "requestedId", id),
		"give more characters of the id");
}

struct err *event_undone(struct events *log, struct arena *a, struct str id, struct str *by)
{
	return ask_one(log->db, a, Q_EVENT_UNDONE, id, true, by);
}

struct err *event_former(struct events *log, struct arena *a, struct str hash, struct str *content)
{
	DB_EACH(rows, log->db, Q_FORMER_GET, DB_S(hash)) {
		*content = db_str(rows, a, 0);
		return NULL;
	}
	return err_help(
		err_detail(err_new(E_NO_FORMER, "the content with the hash %.*s is not kept",
				   STR_ARG(hash)),
			   "hash", hash),
		"the settings undo.days and undo.bytes limit what is kept");
}
