#include "event/row.h"
#include "event/keys.h"
#include "event/ulid.h"
#include "os/os.h"

const char *const event_steps[] = {EVENT_STEPS(ENUM_NAME) NULL};

#define ROW_FORM  "ikm-event-1,"
#define HEAD_FORM "ikm-head-1,"
#define TURN_FORM "ikm-rotation-1,"

/* ---- canonical forms ---- */

/* printf() would take a third of the time of a verification. */
static char *row_number(char *end, int64_t n)
{
	uint64_t rest = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;

	do
		*--end = (char)('0' + rest % 10);
	while (rest /= 10);
	if (n < 0)
		*--end = '-';
	return end;
}

static void row_append_cell(struct buf *b, const struct db_arg *v)
{
	char digits[32], *end = digits + sizeof(digits), *at;

	switch (v->type) {
	case DB_NULL: buf_put(b, STR("n,")); return;
	case DB_INT:
		*--end = ',';
		at = row_number(end, v->i);
		*--at = 'i';
		buf_put(b, (struct str){at, (size_t)(end + 1 - at)});
		return;
	/* No column has these types, but the file may be edited. */
	case DB_REAL: buf_fmt(b, "r%.17g,", v->d); return;
	case DB_BLOB:
	case DB_TEXT: break;
	}
	*--end = ':';
	at = row_number(end, (int64_t)v->s.n);
	*--at = v->type == DB_TEXT ? 't' : 'b';
	buf_put(b, (struct str){at, (size_t)(end + 1 - at)});
	buf_put(b, v->s);
	buf_putc(b, ',');
}

void event_row_canonical(struct buf *b, const struct event_cells *c)
{
	bool old = c->v[COL_SCHEMA].type == DB_INT && c->v[COL_SCHEMA].i < EVENT_SCHEMA_FACE;

	buf_puts(b, ROW_FORM);
	for (size_t i = 0; i < EVENT_COLUMN_COUNT; i++)
		/* An old row has no face in its MAC, but a face that was added to it later counts.
		 */
		if (i != COL_CHAIN && (!old || i < COL_FACE || c->v[i].type != DB_NULL))
			row_append_cell(b, &c->v[i]);
}

/* "hmac:…" of the bytes. */
static struct str row_mac(const struct event_key *k, struct arena *a, struct str bytes)
{
	unsigned char mac[HMAC_BYTES];
	struct hmac h = k->start;

	hmac_add(&h, bytes);
	hmac_end(&h, mac);
	return hmac_to_text(a, mac);
}

struct str event_key_mac(const struct event_key *k, struct arena *a, const char *form,
			 const struct db_arg *v, size_t n)
{
	struct buf b = buf_in(a);

	buf_puts(&b, form);
	for (size_t i = 0; i < n; i++)
		row_append_cell(&b, &v[i]);
	return row_mac(k, a, buf_as_str(&b));
}

bool event_key_mac_holds(const struct event_key *k, struct str bytes, struct str text)
{
	unsigned char mac[HMAC_BYTES];
	struct hmac h = k->start;

	if (!str_starts(text, STR(HMAC_PREFIX)))
		return false;
	hmac_add(&h, bytes);
	hmac_end(&h, mac);
	return crypt_hex_same(mac, sizeof(mac), str_sub(text, strlen(HMAC_PREFIX), text.n));
}

struct str event_head_expected_mac(const struct event_key *k, struct arena *a,
				   const struct event_head *h)
{
	const struct db_arg v[] = {DB_I(h->seq), DB_S(h->chain), DB_I(h->key_version)};

	return event_key_mac(k, a, HEAD_FORM, v, ARRAY_SIZE(v));
}

struct str event_rotation_text(struct arena *a, int64_t from, const struct event_key *to, bool lost,
			       struct str prev, int64_t seq)
{
	const struct db_arg v[] = {DB_I(from), DB_I(to->version), DB_I(lost), DB_S(prev),
				   DB_I(seq)};

	/* The MAC by the new key proves that whoever rotated had it. */
	return str_fmt(a, "{\"from\":%jd,\"to\":%jd,\"lost\":%s,\"mac\":\"%.*s\"}", (intmax_t)from,
		       (intmax_t)to->version, lost ? "true" : "false",
		       STR_ARG(event_key_mac(to, a, TURN_FORM, v, ARRAY_SIZE(v))));
}

/* ---- the end of the record ---- */

struct err *event_head_read(struct db *db, struct arena *a, struct event_head *out)
{
	*out = (struct event_head){0};
	DB_EACH(rows, db, Q_EVENT_HEAD) {
		*out = (struct event_head){
			.there = true,
			.seq = db_column_int(rows, 0),
			.chain = db_column_str(rows, a, 1),
			.key_version = db_column_int(rows, 2),
			.mac = db_column_str(rows, a, 3),
		};
		break;
	}
	return NULL;
}

struct err *event_chain_last_mac_read(struct db *db, struct arena *a, struct event_tail *out)
{
	*out = (struct event_tail){0};
	DB_EACH(rows, db, Q_EVENT_LAST_ROW)
		*out = (struct event_tail){db_column_int(rows, 0), db_column_str(rows, a, 1)};
	/* Only an edit by hand makes such a number; no row could follow it. */
	if (out->seq < 0 || out->seq > ROWS_MOST)
		return err_help(err_new(E_DB_CORRUPT, "the last event has the number %jd",
					(intmax_t)out->seq),
				"'ikm events verify' says what was changed");
	return NULL;
}

struct err *event_chain_is_begun(struct db *db, struct arena *a, bool *out)
{
	struct event_head head;

	TRY(event_head_read(db, a, &head));
	*out = head.there;
	if (*out)
		return NULL;
	DB_EACH(rows, db, Q_EVENT_CHAINED)
		*out = true;
	return NULL;
}

/* ---- new rows ---- */

struct err *event_machine_id(struct events *log, struct arena *a, struct str *id)
{
	*id = STR("");
	DB_EACH(rows, log->db, Q_META_GET, DB_S(STR("machine"))) {
		*id = db_column_str(rows, a, 0);
		break;
	}
	return NULL;
}

/* The id is made when the row gets its place, since a row about the chain may come before it. */
static struct err *row_identify(struct events *log, struct arena *a, struct event_cells *c)
{
	struct str last = STR("");

	if (c->v[COL_EVENT].type != DB_NULL)
		return NULL;
	DB_EACH(rows, log->db, Q_EVENT_LAST)
		last = db_column_str(rows, a, 0);
	c->v[COL_EVENT] = DB_S(ulid_new(a, c->v[COL_TS].i, last));
	return NULL;
}

/* A column that must not be null. */
static struct db_arg row_text(struct str s)
{
	return DB_S(s.p ? s : STR(""));
}

struct err *event_row_new(struct events *log, struct arena *a, struct str id, enum event_step step,
			  struct event_cells *c)
{
	struct str machine;

	*c = (struct event_cells){0};
	TRY(event_machine_id(log, a, &machine));
	/* It is made once per store. */
	if (!machine.n) {
		machine = ulid_new(a, os_now(), STR(""));
		TRY(db_do(log->db, Q_META_PUT, NULL, DB_S(STR("machine")), DB_S(machine)));
	}
	c->v[COL_EVENT] = db_text_or_null(id);
	c->v[COL_NUMBER] = DB_I(0);
	c->v[COL_STEP] = DB_S(str_of(event_steps[step]));
	c->v[COL_SCHEMA] = DB_I(EVENT_SCHEMA);
	c->v[COL_MACHINE] = DB_S(machine);
	c->v[COL_TS] = DB_I(os_now());
	c->v[COL_USER] = row_text(log->user);
	c->v[COL_AGENT] = row_text(log->agent);
	c->v[COL_SESSION] = row_text(log->session);
	c->v[COL_TOOL] = row_text(log->tool);
	c->v[COL_FACE] = DB_S(str_of(event_faces[log->face]));
	c->v[COL_CLIENT] = db_text_or_null(log->client);
	return NULL;
}

struct err *event_row_new_system(struct events *log, struct arena *a, enum event_step step,
				 const char *op, struct str change, struct event_cells *c)
{
	TRY(event_row_new(log, a, STR(""), step, c));
	c->v[COL_ENTITY_TYPE] = DB_S(str_of(event_entities[EVENT_USER]));
	c->v[COL_ENTITY_ID] = c->v[COL_USER];
	c->v[COL_TYPE] = DB_S(str_of(event_types[EVENT_SYSTEM]));
	c->v[COL_OP] = DB_S(str_of(op));
	c->v[COL_CHANGE] = DB_S(change);
	return NULL;
}

/* ---- appending ---- */

static struct err *row_insert(struct events *log, const struct event_cells *c)
{
	struct db_arg args[EVENT_COLUMN_COUNT + 1] = {0}; /* db_do_args() skips the first */

	memcpy(args + 1, c->v, sizeof(c->v));
	return db_do_args(log->db, Q_EVENT_APPEND, NULL, args, EVENT_COLUMN_COUNT);
}

struct err *event_row_put(struct events *log, struct arena *a, struct event_cells *c,
			  const struct event_key *k, const struct event_key *next, struct str prev,
			  int64_t seq)
{
	struct event_head head = {.seq = seq, .key_version = next->version};
	struct buf b = buf_in(a);

	TRY(row_identify(log, a, c));
	c->v[COL_SEQ] = DB_I(seq);
	c->v[COL_KEY] = DB_I(k->version);
	c->v[COL_PREV] = DB_S(prev.p ? prev : STR(""));
	event_row_canonical(&b, c);
	head.chain = row_mac(k, a, buf_as_str(&b));
	c->v[COL_CHAIN] = DB_S(head.chain);
	TRY(row_insert(log, c));
	return db_do(log->db, Q_EVENT_HEAD_PUT, NULL, DB_I(seq), DB_S(head.chain),
		     DB_I(next->version), DB_S(event_head_expected_mac(next, a, &head)));
}

bool event_cell_is(const struct event_cells *c, enum event_column column, const char *text)
{
	return c->v[column].type == DB_TEXT && str_is(c->v[column].s, text);
}

void event_cells_read(struct db_rows *rows, struct event_cells *out)
{
	for (int i = 0; i < EVENT_COLUMN_COUNT; i++)
		out->v[i] = db_column_value(rows, i);
}

struct err *event_chain_create(struct events *log, struct arena *a, const struct event_key *k,
			       int64_t *covered)
{
	unsigned char digest[SHA256_BYTES];
	struct buf b = buf_in(a);
	struct event_cells c;
	struct event_tail tail;
	struct str change;
	struct sha256 h;

	TRY(event_chain_last_mac_read(log->db, a, &tail));
	/* It covers the rows so far, none of which has a MAC. */
	*covered = 0;
	sha256_init(&h);
	DB_EACH(rows, log->db, Q_EVENT_CHAIN, DB_I(tail.seq)) {
		event_cells_read(rows, &c);
		b.n = 0;
		event_row_canonical(&b, &c);
		sha256_add(&h, buf_as_str(&b));
		++*covered;
	}
	sha256_end(&h, digest);
	change = str_fmt(a, "{\"rows\":%jd,\"sha256\":\"%s\"}", (intmax_t)*covered,
			 crypt_hex(a, digest, sizeof(digest)).p);
	TRY(event_row_new_system(log, a, EVENT_STEP_CHECKPOINT, OP_BEGIN, change, &c));
	return event_row_put(log, a, &c, k, k, STR(""), tail.seq + 1);
}

struct err *event_next_place_find(struct events *log, struct arena *a, struct event_place *p)
{
	struct event_head head;
	struct event_tail tail;
	struct event_cells c;
	int64_t version;
	bool holds;

	TRY(event_head_read(log->db, a, &head));
	TRY(event_chain_last_mac_read(log->db, a, &tail));
	TRY(event_key_current_version(log, a, &head, &version, &holds));
	if (!holds || head.seq < tail.seq || head.seq > ROWS_MOST ||
	    (head.seq == tail.seq && !str_eq(head.chain, tail.chain))) {
		/* An old mark that was put back has a MAC by a key that is retired. */
		if (holds)
			TRY(event_key_current_version(log, a, &(struct event_head){0}, &version,
						      &holds));
		/* Without any key the error is about the first one. */
		TRY(event_key_load(log, a, version < 1 ? 1 : version, &p->key));
		/*
		 * The mark of the end does not fit the rows: somebody edited one of them. The
		 * record goes on, and says so in a row of its own, so that event_verify() finds the
		 * place for ever.
		 */
		TRY(event_row_new_system(log, a, EVENT_STEP_CHECKPOINT, OP_RESUME,
					 str_fmt(a, "{\"last\":%jd,\"marked\":%jd}",
						 (intmax_t)tail.seq,
						 (intmax_t)(head.there ? head.seq : 0)),
					 &c));
		TRY(event_row_put(log, a, &c, &p->key, &p->key, tail.chain, tail.seq + 1));
		p->prev = c.v[COL_CHAIN].s;
		p->seq = tail.seq + 2;
		return NULL;
	}
	TRY(event_key_load(log, a, version, &p->key));
	/* After a tail that was cut off, the numbers go on, so that the gap stays visible. */
	p->prev = head.chain;
	p->seq = head.seq + 1;
	return NULL;
}

struct err *event_row_append(struct events *log, struct arena *a, struct event_cells *c,
			     struct str content)
{
	struct event_begun mark;
	struct event_tail tail;
	struct event_place p;
	bool begun;

	TRY(event_chain_is_begun(log->db, a, &begun));
	if (!begun) {
		TRY(event_chain_start_read(log, a, &mark));
		/* Another process may be at it: a chain begins in `ikm init` only. */
		if (!mark.there && log->keyed) {
			TRY(event_keys_need(log, a));
			return err_help(err_new(E_NOT_CONFIGURED,
						"there is a key for the record of changes, but its "
						"chain has not begun: 'ikm init' was interrupted"),
					"begin the chain: ikm init");
		}
		if (!mark.there) {
			TRY(row_identify(log, a, c));
			TRY(event_chain_last_mac_read(log->db, a, &tail));
			c->v[COL_SEQ] = DB_I(tail.seq + 1);
			return row_insert(log, c);
		}
	}
	TRY(event_next_place_find(log, a, &p));
	if (content.p)
		c->v[COL_LINE_HASH] = DB_S(row_mac(&p.key, a, event_content_canonical(a, content)));
	return event_row_put(log, a, c, &p.key, &p.key, p.prev, p.seq);
}
