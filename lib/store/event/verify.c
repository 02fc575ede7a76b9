#include "event/verify.h"
#include "event/checkpoint.h"
#include "event/row.h"
#include "event/schema_compare.h"
#include "os/os.h"
#include "out/out.h"

const char *const event_breaks[] = {EVENT_BREAKS(ENUM_NAME) NULL};
const char *const event_integrities[] = {EVENT_INTEGRITIES(ENUM_NAME) NULL};
const char *const event_completenesses[] = {EVENT_COMPLETENESSES(ENUM_NAME) NULL};

/* ---- the schema ---- */

/* The tables of the record. */
static const struct {
	const char *name, *lost; /* lost: what it means when it is missing */
} schema_tables[] = {
	{"events", "all events are lost"},
	{"event_head",
	 "nothing marks the end of the record, so a tail that is cut off does not show"},
	{"event_open", "changes that are not settled are not found; it is derived from the events"},
	{"idempotency_records", "a repeated call is not known, and runs again"},
	{"former_contents", "the former contents that undo restores are lost"},
	{"former_size", "former contents are kept without a limit; it is derived from them"},
	{"meta", "the id of the machine, which the events name, is lost"},
};

/* What else belongs to them; an index that is not here makes reading faster. */
static const struct {
	const char *name, *lost;
} schema_parts[] = {
	{"events_no_update", "rows can be changed"},
	{"events_no_delete", "rows can be removed"},
	{"events_no_replace", "rows can be replaced"},
	{"events_opened", "changes that are not settled are not found later"},
	{"events_ended", "settled changes are looked at again and again"},
	{"events_step", "an event can have two rows for the same step"},
	{"former_grows", "former contents are kept without a limit"},
	{"former_shrinks", "former contents are given up too early"},
};

static const char *schema_table(struct str name)
{
	for (size_t i = 0; i < ARRAY_SIZE(schema_tables); i++)
		if (str_is(name, schema_tables[i].name))
			return schema_tables[i].lost;
	return NULL;
}

static const char *schema_lost(const struct db_difference *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(schema_parts); i++)
		if (str_is(d->name, schema_parts[i].name))
			return schema_parts[i].lost;
	return str_is(d->type, "index")     ? "rows are found slowly"
	       : str_is(d->type, "trigger") ? "rows are not handled as they should be"
					    : "its rows are lost";
}

static void schema_put_columns(struct buf *b, struct arena *a, const char *what,
			       const struct strs *columns)
{
	if (columns->n)
		buf_fmt(b, "; %s %s: %.*s", columns->n == 1 ? "column" : "columns", what,
			STR_ARG(str_join(a, columns, ", ")));
}

struct str event_schema_difference_text(struct arena *a, const struct db_difference *d)
{
	struct buf b = buf_in(a);
	const char *lost;

	buf_fmt(&b, "the %.*s '%.*s' ", STR_ARG(d->type), STR_ARG(d->name));
	switch (d->how) {
	case DB_IS_MISSING:
		lost = schema_table(d->name);
		buf_fmt(&b, "is missing: %s", lost ? lost : schema_lost(d));
		break;
	case DB_IS_ADDED:
		if (str_is(d->type, "view")) {
			buf_fmt(&b, "was added: ikm does not use it");
			break;
		}
		buf_fmt(&b, "of the table '%.*s' was added: %s", STR_ARG(d->table),
			str_is(d->type, "trigger") ? "it may change what is recorded"
						   : "it may refuse what ikm records");
		break;
	case DB_IS_CHANGED:
		buf_fmt(&b, "is not as ikm made it");
		schema_put_columns(&b, a, "missing", &d->missing);
		schema_put_columns(&b, a, "changed", &d->changed);
		schema_put_columns(&b, a, "added", &d->added);
		break;
	}
	return buf_as_str(&b);
}

/* Whether rows of this table can be read: it is there, with all columns. */
static bool event_schema_table_readable(const struct db_differences *of, const char *table)
{
	VEC_EACH(const struct db_difference, d, of)
		if (str_is(d->name, table) && (d->how == DB_IS_MISSING || d->missing.n))
			return false;
	return true;
}

bool event_schema_is_mendable(const struct db_difference *d)
{
	return !str_is(d->type, "table") || (d->how == DB_IS_MISSING && schema_table(d->name));
}

struct err *event_schema_mend(struct db *db, struct arena *a, struct strs *done)
{
	struct db_differences all;
	struct err *e;

	TRY(db_schema_compare(db, a, &all));
	VEC_EACH(const struct db_difference, d, &all) {
		if (!event_schema_is_mendable(d))
			continue;
		e = db_schema_mend(db, d);
		if (e)
			return err_help(err_add_context(e, "cannot make the %.*s '%.*s' again",
							STR_ARG(d->type), STR_ARG(d->name)),
					"move the rows that it does not allow aside, into a new "
					"store: ikm doctor --salvage");
		strs_push(a, done,
			  d->how == DB_IS_ADDED
				  ? str_fmt(a, "removed the %.*s '%.*s': %.*s", STR_ARG(d->type),
					    STR_ARG(d->name), STR_ARG(d->now))
				  : str_fmt(a, "made the %.*s '%.*s' again", STR_ARG(d->type),
					    STR_ARG(d->name)));
	}
	TRY(db_do(db, Q_SALVAGE_NO_OPEN, NULL));
	TRY(db_do(db, Q_SALVAGE_OPEN, NULL));
	TRY(db_do(db, Q_SALVAGE_NO_SIZE, NULL));
	return db_do(db, Q_SALVAGE_SIZE, NULL);
}

/* ---- the rows ---- */

/* The keys that were asked for, by version from 1. */
struct verify_key {
	bool asked, there;
	struct event_key key;
};

struct verify {
	struct events *log;
	struct arena *a;
	const struct event_checkpoint *checkpoint;
	struct event_begun mark; /* of the beginning */
	struct event_verdict *out;
	struct VEC(struct verify_key) keys;
	struct sha256 covered; /* over the rows before the chain */
	int64_t rows_before;
	bool begun;
	int64_t last;     /* number of the row before */
	int64_t version;  /* of the key that the next row must have */
	struct str prev;  /* MAC of the row before */
	struct str stamp; /* MAC of the row that the checkpoint names */
	int64_t open;     /* events without an outcome, so far */
	struct db_differences schema;
};

/* about: the event, or the object of a break of tables. */
PRINTF(5, 6)
static void verify_break(struct verify *v, enum event_break kind, int64_t seq, struct str about,
			 const char *fmt, ...)
{
	bool table = kind == EVENT_BREAK_SCHEMA || kind == EVENT_BREAK_DERIVED;
	struct event_verdict *out = v->out;
	struct event_break_found found = {.kind = kind, .seq = seq};
	struct buf b = buf_in(v->a);

	if (kind == EVENT_BREAK_MAC || kind == EVENT_BREAK_LINK)
		out->integrity = EVENT_CHANGED;
	if (kind == EVENT_BREAK_GAP || kind == EVENT_BREAK_TRUNCATED)
		out->completeness = EVENT_INCOMPLETE;
	if (kind == EVENT_BREAK_UNVERIFIABLE && out->integrity == EVENT_INTACT)
		out->integrity = EVENT_UNVERIFIABLE;
	out->breaks++;
	/* Breaks of tables are told behind any number of breaks of rows. */
	if (out->n >= (table ? 2 : 1) * EVENT_BREAKS_MOST)
		return;
	BUF_ARGS(&b, fmt);
	/* The row ends before the verdict is read. */
	if (table)
		found.object = about;
	else
		found.event = str_dup(v->a, str_utf8(v->a, about));
	found.what = str_utf8(v->a, buf_as_str(&b));
	*VEC_PUSH(v->a, out) = found;
	if (out->n == 1)
		out->first = found;
}

/* The key of this version; *key NULL: it is missing, which is told once. */
static struct err *verify_key(struct verify *v, int64_t version, int64_t seq,
			      const struct event_key **key)
{
	struct verify_key *k;
	struct err *e;

	*key = NULL;
	if (version < 1 || version > VERSION_MOST)
		return NULL;
	while (v->keys.n < (size_t)version)
		*VEC_PUSH(v->a, &v->keys) = (struct verify_key){0};
	k = &v->keys.p[version - 1];
	if (!k->asked) {
		k->asked = true;
		e = event_key_load(v->log, v->a, version, &k->key);
		k->there = !e;
		if (e && err_reason(e) != E_NOT_CONFIGURED)
			return e;
		if (e)
			verify_break(v, EVENT_BREAK_UNVERIFIABLE, seq, STR(""),
				     "the rows under key %jd cannot be verified: %s",
				     (intmax_t)version, err_message(e));
	}
	*key = k->there ? &k->key : NULL;
	return NULL;
}

static struct str cell_text(const struct event_cells *c, enum event_column column)
{
	return c->v[column].type == DB_TEXT ? c->v[column].s : STR("");
}

/* The mark beside the keys names the first row with a MAC. */
static bool verify_mark(struct verify *v, const struct event_cells *c, int64_t seq)
{
	const struct event_begun *m = &v->mark;
	struct str id = cell_text(c, COL_EVENT);

	if (!m->there)
		verify_break(v, EVENT_BREAK_UNVERIFIABLE, seq, id,
			     "nothing beside the keys tells where the chain began: the file '%s' "
			     "is missing; 'ikm init' makes it while the beginning is there",
			     BEGUN_FILE);
	else if (!m->seq)
		verify_break(v, EVENT_BREAK_UNVERIFIABLE, seq, id,
			     "the file '%s' beside the keys is not in the form of ikm-formats(5)",
			     BEGUN_FILE);
	else if (seq != m->seq || !str_eq(cell_text(c, COL_CHAIN), m->chain))
		verify_break(v, EVENT_BREAK_GAP, m->seq, id,
			     "the beginning of the chain is missing: it began with another row "
			     "%jd at %.*s, and row %jd is the first with a MAC now",
			     (intmax_t)m->seq, STR_ARG(os_time_text(v->a, m->time, false)),
			     (intmax_t)seq);
	else
		return true;
	return false;
}

/* The first row with a MAC covers the rows before it. */
static void verify_begin(struct verify *v, const struct event_cells *c, int64_t seq,
			 int64_t version)
{
	struct str id = cell_text(c, COL_EVENT), want;
	unsigned char digest[SHA256_BYTES];

	v->begun = true;
	if (!verify_mark(v, c, seq) && v->mark.there)
		return;
	if (version > 1) {
		verify_break(v, EVENT_BREAK_GAP, seq, id,
			     "the beginning of the chain is missing: row %jd is the first with a "
			     "MAC, and has it by key %jd",
			     (intmax_t)seq, (intmax_t)version);
		return;
	}
	if (!event_cell_is(c, COL_OP, OP_BEGIN) || !event_cell_is(c, COL_STEP, "checkpoint")) {
		verify_break(v, EVENT_BREAK_GAP, seq, id,
			     "the beginning of the chain is missing: row %jd is the first with a "
			     "MAC, and is no checkpoint",
			     (intmax_t)seq);
		return;
	}
	sha256_end(&v->covered, digest);
	want = str_fmt(v->a, "{\"rows\":%jd,\"sha256\":\"%s\"}", (intmax_t)v->rows_before,
		       crypt_hex(v->a, digest, sizeof(digest)).p);
	if (str_eq(want, cell_text(c, COL_CHANGE)))
		return;
	want = str_fmt(v->a, "{\"rows\":%jd,", (intmax_t)v->rows_before);
	if (str_starts(cell_text(c, COL_CHANGE), want))
		verify_break(v, EVENT_BREAK_MAC, 1, STR(""),
			     "one of the %jd rows from before the chain was changed",
			     (intmax_t)v->rows_before);
	else
		verify_break(v, EVENT_BREAK_GAP, 1, STR(""),
			     "rows from before the chain were removed or added: there are %jd, and "
			     "the checkpoint in row %jd covers %.*s",
			     (intmax_t)v->rows_before, (intmax_t)seq,
			     STR_ARG(cell_text(c, COL_CHANGE)));
}

/* A rotation names the key that comes next, and has a MAC by it. */
static struct err *verify_rotation(struct verify *v, const struct event_cells *c, int64_t seq,
				   int64_t version)
{
	bool lost = version == v->version + 1;
	const struct event_key *to;
	struct str want;

	TRY(verify_key(v, v->version + 1, seq, &to));
	v->version++;
	if (!to)
		return NULL;
	want = event_rotation_text(v->a, v->version - 1, to, lost, cell_text(c, COL_PREV), seq);
	if (!str_eq(want, cell_text(c, COL_CHANGE)))
		verify_break(v, EVENT_BREAK_MAC, seq, cell_text(c, COL_EVENT),
			     "the rotation in row %jd has no valid MAC by key %jd", (intmax_t)seq,
			     (intmax_t)v->version);
	else if (lost)
		verify_break(v, EVENT_BREAK_UNVERIFIABLE, seq, cell_text(c, COL_EVENT),
			     "key %jd was lost: row %jd begins anew with key %jd, and nothing "
			     "proves what came before",
			     (intmax_t)(v->version - 1), (intmax_t)seq, (intmax_t)v->version);
	return NULL;
}

/* A row that was appended where the mark of the end did not fit the rows. */
static bool verify_resumes(const struct event_cells *c)
{
	return event_cell_is(c, COL_STEP, "checkpoint") && event_cell_is(c, COL_OP, OP_RESUME);
}

/*
 * Whether a row may have a MAC by this key. After missing rows it may be any later key, since a
 * rotation may be among them; a record that resumes takes the newest.
 */
static bool verify_is_in_use(const struct verify *v, const struct event_cells *c, int64_t version,
			     bool after_gap)
{
	return version == v->version || (after_gap && version > v->version) ||
	       (verify_resumes(c) && version > v->version) ||
	       (event_cell_is(c, COL_STEP, "rotation") && version == v->version + 1);
}

static struct err *verify_chained(struct verify *v, struct buf *b, const struct event_cells *c,
				  int64_t seq, bool after_gap)
{
	int64_t version = c->v[COL_KEY].type == DB_INT ? c->v[COL_KEY].i : 0;
	struct str id = cell_text(c, COL_EVENT);
	const struct event_key *k;

	v->out->chained++;
	if (!v->begun) {
		v->version = version;
		verify_begin(v, c, seq, version);
	} else if (!after_gap && !str_eq(cell_text(c, COL_PREV), v->prev)) {
		verify_break(v, EVENT_BREAK_LINK, seq, id, "row %jd does not continue row %jd",
			     (intmax_t)seq, (intmax_t)v->last);
	}
	if (verify_resumes(c))
		verify_break(v, EVENT_BREAK_TRUNCATED, seq, id,
			     "before row %jd the end of the record was cut off or changed: %.*s",
			     (intmax_t)seq, STR_ARG(cell_text(c, COL_CHANGE)));
	if (!verify_is_in_use(v, c, version, after_gap)) {
		verify_break(v, EVENT_BREAK_LINK, seq, id,
			     "row %jd has a MAC by key %jd, but key %jd was in use", (intmax_t)seq,
			     (intmax_t)version, (intmax_t)v->version);
		return NULL;
	}
	TRY(verify_key(v, version, seq, &k));
	b->n = 0;
	event_row_canonical(b, c);
	if (k ? !event_key_mac_holds(k, buf_as_str(b), cell_text(c, COL_CHAIN))
	      : version < 1 || version > VERSION_MOST) {
		verify_break(v, EVENT_BREAK_MAC, seq, id,
			     "row %jd was changed, replaced or added: its MAC does not fit",
			     (intmax_t)seq);
		return NULL;
	}
	if (event_cell_is(c, COL_STEP, "rotation") &&
	    (version == v->version || version == v->version + 1))
		return verify_rotation(v, c, seq, version);
	v->version = version;
	return NULL;
}

static struct err *verify_row(struct verify *v, struct buf *b, const struct event_cells *c)
{
	int64_t seq = c->v[COL_SEQ].i;
	struct str id = cell_text(c, COL_EVENT);
	bool gap = seq != v->last + 1;

	v->out->rows++;
	if (c->v[COL_NUMBER].i ? event_cell_is(c, COL_STEP, "committed") ||
					 event_cell_is(c, COL_STEP, "failed")
			       : event_cell_is(c, COL_STEP, "pending"))
		v->open += c->v[COL_NUMBER].i ? -1 : 1;
	if (seq <= v->last)
		verify_break(v, EVENT_BREAK_MAC, seq, id,
			     "a row has the number %jd, and numbers begin with 1", (intmax_t)seq);
	else if (gap)
		verify_break(v, EVENT_BREAK_GAP, v->last + 1, STR(""),
			     seq == v->last + 2 ? "row %jd is missing"
						: "rows %jd to %jd are missing",
			     (intmax_t)(v->last + 1), (intmax_t)(seq - 1));
	if (c->v[COL_CHAIN].type != DB_NULL) {
		TRY(verify_chained(v, b, c, seq, gap));
	} else if (v->begun || (v->mark.seq && seq >= v->mark.seq) ||
		   c->v[COL_PREV].type != DB_NULL || c->v[COL_KEY].type != DB_NULL) {
		verify_break(v, EVENT_BREAK_MAC, seq, id,
			     "row %jd has no MAC: it was added, or its MAC was removed",
			     (intmax_t)seq);
	} else {
		b->n = 0;
		event_row_canonical(b, c);
		sha256_add(&v->covered, buf_as_str(b));
		v->rows_before++;
	}
	if (seq > v->last)
		v->last = seq;
	return NULL;
}

/* ---- the end ---- */

static struct err *verify_no_chain(struct verify *v)
{
	struct event_verdict *out = v->out;
	int64_t newest;

	TRY(event_key_newest(v->log, v->a, &newest));
	out->completeness = out->rows || newest ? EVENT_UNPROVEN : EVENT_COMPLETE;
	if (v->mark.there)
		verify_break(v, EVENT_BREAK_TRUNCATED, v->last + 1, STR(""),
			     "no row has a MAC, but the file '%s' beside the keys says that there "
			     "were such rows: the chain was removed",
			     BEGUN_FILE);
	else if (newest)
		verify_break(
			v, EVENT_BREAK_TRUNCATED, v->last + 1, STR(""),
			"there is a key, but no row has a MAC: 'ikm init' was interrupted; run "
			"it again");
	else if (out->rows)
		verify_break(v, EVENT_BREAK_UNVERIFIABLE, 1, STR(""),
			     "no row has a MAC, since there is no key: 'ikm init' makes one");
	return NULL;
}

static struct err *verify_end(struct verify *v)
{
	const struct event_key *k = NULL;
	struct event_head head;
	int64_t version;
	bool marked;

	head = (struct event_head){0};
	if (event_schema_table_readable(&v->schema, "event_head"))
		TRY(event_head_read(v->log->db, v->a, &head));
	v->out->key_version = v->version;
	/* A mark of the end that names no key is none. */
	if (!v->begun && head.key_version < 1)
		return verify_no_chain(v);
	TRY(event_key_current_version(v->log, v->a, &head, &version, &marked));
	/* Rows at the end may be missing, and the rotation with them. */
	if (head.there && head.key_version != v->version && (!marked || version < v->version)) {
		verify_break(v, EVENT_BREAK_TRUNCATED, v->last + 1, STR(""),
			     "the mark of the end was changed: it names key %jd, and the rows end "
			     "with key %jd",
			     (intmax_t)head.key_version, (intmax_t)v->version);
		return NULL;
	}
	v->out->key_version = marked ? version : v->version;
	TRY(verify_key(v, v->out->key_version, v->last, &k));
	if (!k && head.there) {
		if (v->out->completeness == EVENT_COMPLETE)
			v->out->completeness = EVENT_UNPROVEN;
		return NULL;
	}
	if (!marked)
		verify_break(v, EVENT_BREAK_TRUNCATED, v->last + 1, STR(""),
			     "the mark of the end is missing or was changed: rows after %jd may be "
			     "missing",
			     (intmax_t)v->last);
	else if (head.seq > v->last)
		verify_break(v, EVENT_BREAK_TRUNCATED, v->last + 1, STR(""),
			     head.seq == v->last + 1 ? "the end was cut off: row %jd is missing"
						     : "the end was cut off: rows %jd to %jd are "
						       "missing",
			     (intmax_t)(v->last + 1), (intmax_t)head.seq);
	else if (head.seq < v->last || !str_eq(head.chain, v->prev))
		verify_break(
			v, EVENT_BREAK_TRUNCATED, head.seq, STR(""),
			"the end is not the one that was written last: its mark names row %jd, "
			"and the last row is %jd",
			(intmax_t)head.seq, (intmax_t)v->last);
	return NULL;
}

static struct err *verify_checkpoint(struct verify *v)
{
	const struct event_checkpoint *c = v->checkpoint;
	struct str machine = c ? c->machine : STR("");

	if (!c)
		return NULL;
	if (event_schema_table_readable(&v->schema, "meta"))
		TRY(event_machine_id(v->log, v->a, &machine));
	if (!str_eq(c->machine, machine))
		verify_break(v, EVENT_BREAK_TRUNCATED, 1, STR(""),
			     "the signed checkpoint is of the record of machine %.*s, and this is "
			     "the record of machine %.*s: it is the checkpoint of another record, "
			     "or the store was replaced",
			     STR_ARG(c->machine), STR_ARG(machine.n ? machine : STR("(none)")));
	else if (c->seq > v->last)
		verify_break(
			v, EVENT_BREAK_TRUNCATED, v->last + 1, STR(""),
			"the signed checkpoint has %jd rows, the record %jd: its end was cut off",
			(intmax_t)c->seq, (intmax_t)v->last);
	else if (!str_eq(c->chain, v->stamp))
		verify_break(v, EVENT_BREAK_LINK, c->seq, STR(""),
			     "row %jd is not the one that the signed checkpoint names",
			     (intmax_t)c->seq);
	return NULL;
}

/* ---- the tables ---- */

static struct err *verify_rows(struct verify *v)
{
	struct buf b = buf_in(v->a), prev = buf_in(v->a);
	struct progress progress PROGRESS = progress_start("events verified", 0);
	struct event_cells c;
	int64_t n = 0, missing = 0, ended = 0;

	DB_EACH(rows, v->log->db, Q_EVENT_CHAIN, DB_I(INT64_MAX)) {
		event_cells_read(rows, &c);
		TRY(verify_row(v, &b, &c));
		progress_at(&progress, (uint64_t)v->out->rows);
		prev.n = 0;
		buf_put(&prev, cell_text(&c, COL_CHAIN));
		v->prev = buf_as_str(&prev);
		if (v->checkpoint && v->checkpoint->seq == v->last)
			v->stamp = str_dup(v->a, v->prev);
	}
	v->out->last = v->last;
	TRY(verify_end(v));
	/* event_open is derived: the events that have no outcome. */
	if (!event_schema_table_readable(&v->schema, "event_open"))
		return NULL;
	DB_EACH(rows, v->log->db, Q_VERIFY_OPEN_COUNT) {
		n = db_column_int(rows, 0);
		ended = db_column_int(rows, 1);
	}
	/* Only when the numbers differ each event is looked up. */
	if (n - ended != v->open)
		TRY(db_number(v->log->db, Q_VERIFY_OPEN_MISSING, &missing));
	if (missing || ended)
		verify_break(v, EVENT_BREAK_DERIVED, 0, STR("table event_open"),
			     "the table 'event_open' lacks %jd of the events that are not "
			     "settled, and has %jd that are: 'ikm doctor --rebuild' derives "
			     "it anew",
			     (intmax_t)missing, (intmax_t)ended);
	return NULL;
}

struct err *event_verify(struct events *log, struct arena *a,
			 const struct event_checkpoint *checkpoint, struct event_verdict *out)
{
	struct verify v = {
		.log = log, .a = a, .checkpoint = checkpoint, .out = out, .prev = STR("")};
	struct db_differences all;
	struct db_txn t DB_TXN = {0};
	bool lost = false;

	*out = (struct event_verdict){0};
	sha256_init(&v.covered);
	TRY(event_chain_start_read(log, a, &v.mark));
	TRY(db_begin_read(&t, log->db));
	TRY(db_schema_compare(log->db, a, &all));
	/* Keep the differences of the record: of its tables, and of what belongs to a table. */
	VEC_EACH(const struct db_difference, d, &all)
		if (schema_table(d->name) || schema_table(d->table))
			*VEC_PUSH(a, &v.schema) = *d;
	if (event_schema_table_readable(&v.schema, "events")) {
		TRY(verify_rows(&v));
	} else {
		for (size_t i = 0; i < v.schema.n; i++)
			lost |= str_is(v.schema.p[i].name, "events") &&
				v.schema.p[i].how == DB_IS_MISSING;
		out->integrity = lost ? EVENT_UNVERIFIABLE : EVENT_CHANGED;
		out->completeness = lost ? EVENT_INCOMPLETE : EVENT_UNPROVEN;
	}
	TRY(verify_checkpoint(&v));
	VEC_EACH(const struct db_difference, d, &v.schema)
		verify_break(&v, EVENT_BREAK_SCHEMA, 0,
			     str_fmt(a, "%.*s %.*s", STR_ARG(d->type), STR_ARG(d->name)), "%.*s",
			     STR_ARG(event_schema_difference_text(a, d)));
	return NULL;
}
