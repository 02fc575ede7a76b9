/* The record as a chain: its rows and their MACs, the marks of both ends, and the keys. */
#include "event/row.h"
#include "event/keys.h"
#include "event/ulid.h"
#include "os/os.h"

const char *const event_steps[] = {EVENT_STEPS(ENUM_NAME) NULL};

#define ROW_FORM    "ikm-event-1,"
#define HEAD_FORM   "ikm-head-1,"
#define TURN_FORM   "ikm-rotation-1,"
#define BEGUN_FORM  "ikm-begun-1,"
#define KEYS_FOLDER "keys"
#define KEY_NAME    "event-%jd.key"
#define KEY_DIGITS  ((size_t)2 * HMAC_BYTES)
/* A key is 65 bytes. More is read, so that a longer file is refused for what it is. */
#define KEY_FILE_MOST ((size_t)4096)

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

/* "hmac:…" of a form that is no row, such as the mark of the end, and its n cells. */
static struct str event_key_mac(const struct event_key *k, struct arena *a, const char *form,
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

/* Whether any row has a MAC, or the chain's end has a mark. */
static struct err *event_chain_is_begun(struct db *db, struct arena *a, bool *out)
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

/* A system event of the record about itself. */
static struct err *event_row_new_system(struct events *log, struct arena *a, enum event_step step,
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

/*
 * The key, the MAC and the number that the next row of the chain continues, within a transaction.
 * When the mark of the end does not fit the rows, it first appends a row that says so.
 */
struct event_place {
	struct event_key key;
	struct str prev;
	int64_t seq;
};

static struct err *event_next_place_find(struct events *log, struct arena *a, struct event_place *p)
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

/* ---- the files of the keys ---- */

struct err *event_key_folder(const struct events *log, struct arena *a, const char **out)
{
	const char *store = db_path(log->db);
	size_t slash;

	if (!store)
		return err_new(E_NO_HOME, "there is no home folder for the keys");
	slash = str_rfind_char(str_of(store), '/');
	*out = slash == SIZE_MAX
		       ? KEYS_FOLDER
		       : os_join(a, str_c(a, str_sub(str_of(store), 0, size_max(slash, 1))),
				 KEYS_FOLDER);
	return NULL;
}

static struct err *key_bad(const char *path, const char *why)
{
	return err_add_detail(err_new(E_BAD_KEY, "the key '%s' %s", path, why), "path",
			      str_of(path));
}

/* Refuses what others may read or change. *there false: there is no such file or folder. */
static struct err *key_check_private(const char *path, enum os_kind kind, uint32_t mode,
				     bool *there)
{
	struct os_stat st;

	TRY(os_stat(path, false, &st));
	*there = st.kind != OS_NONE;
	if (!*there)
		return NULL;
	if (st.kind != kind)
		return err_help(
			key_bad(path, kind == OS_DIR ? "is no folder" : "is no regular file"),
			"move it away: mv '%s' '%s.old'", path, path);
	if (os_uid() && st.uid != os_uid())
		return err_help(key_bad(path, "belongs to another user"),
				"sudo chown \"$(id -u)\" '%s'", path);
	if (st.mode & 077)
		return err_help(err_help(key_bad(path, "can be read or changed by others"),
					 "chmod %04o '%s'", (unsigned)mode, path),
				"if others could have read it, replace it: ikm events rotate-key");
	return NULL;
}

/* A file of the folder of keys. *there false: the file or the folder is missing. */
static struct err *key_file(const struct events *log, struct arena *a, const char *name,
			    const char **path, bool *there)
{
	const char *folder;

	TRY(event_key_folder(log, a, &folder));
	TRY(key_check_private(folder, OS_DIR, 0700, there));
	*path = os_join(a, folder, name);
	return *there ? key_check_private(*path, OS_FILE, 0600, there) : NULL;
}

struct err *event_key_bytes(const struct events *log, struct arena *a, const char *name,
			    unsigned char out[HMAC_BYTES])
{
	struct str text, digits;
	const char *path;
	bool there;

	TRY(key_file(log, a, name, &path, &there));
	if (!there) {
		struct err *e = err_new(E_NOT_CONFIGURED, "the key '%s' is missing", path);

		err_add_detail(e, "path", str_of(path));
		if (str_ends(str_of(path), STR("/" CHECKPOINT_KEY)))
			return err_help(e, "make it: ikm init");
		return err_help(err_help(e, "restore it from a backup of the folder of the store"),
				"if it is lost for good: ikm events rotate-key --lost");
	}
	TRY(os_read_path(a, path, KEY_FILE_MOST, &text));
	digits = str_sub(text, 0, text.n - str_ends(text, STR("\n")));
	if (digits.n == KEY_DIGITS && crypt_hex_decode(digits, out, HMAC_BYTES)) {
		crypt_wipe((char *)text.p, text.n);
		return NULL;
	}
	return err_help(err_help(key_bad(path, "is no key of 64 hexadecimal digits"),
				 "restore it from a backup of the folder of the store"),
			"if it is lost for good: mv '%s' '%s.bad' && %s", path, path,
			strcmp(name, CHECKPOINT_KEY) != 0 ? "ikm events rotate-key --lost"
							  : "ikm init");
}

struct err *event_key_check(const struct events *log, struct arena *a, const char *name)
{
	unsigned char bytes[HMAC_BYTES];
	struct err *e = event_key_bytes(log, a, name, bytes);

	crypt_wipe(bytes, sizeof(bytes));
	return e;
}

static const char *key_name(struct arena *a, int64_t version)
{
	return str_fmt(a, KEY_NAME, (intmax_t)version).p;
}

struct err *event_key_load(const struct events *log, struct arena *a, int64_t version,
			   struct event_key *out)
{
	unsigned char bytes[HMAC_BYTES];

	TRY(event_key_bytes(log, a, key_name(a, version), bytes));
	out->version = version;
	hmac_init(&out->start, bytes);
	crypt_wipe(bytes, sizeof(bytes));
	return NULL;
}

struct err *event_key_newest(const struct events *log, struct arena *a, int64_t *version)
{
	const char *folder;
	bool there;

	*version = 0;
	if (!db_path(log->db))
		return NULL;
	TRY(event_key_folder(log, a, &folder));
	TRY(key_check_private(folder, OS_DIR, 0700, &there));
	return there ? event_greatest_number(a, folder, "event-", ".key", version) : NULL;
}

struct err *event_key_make_file(const struct events *log, struct arena *a, const char *name,
				bool *made)
{
	unsigned char bytes[HMAC_BYTES];
	const char *folder, *path;
	struct str text;
	struct err *e;
	bool there;

	*made = false;
	TRY(event_key_folder(log, a, &folder));
	path = os_join(a, folder, name);
	TRY(key_check_private(folder, OS_DIR, 0700, &there));
	if (there)
		TRY(key_check_private(path, OS_FILE, 0600, &there));
	else
		TRY(os_mkdirs(folder, 0700));
	if (there)
		return NULL;
	os_random(bytes, sizeof(bytes));
	text = str_fmt(a, "%s\n", crypt_hex(a, bytes, sizeof(bytes)).p);
	crypt_wipe(bytes, sizeof(bytes));
	e = os_write(path, text, OS_EXCLUSIVE | OS_MODE(0600));
	/* Another process has made it in the meantime. */
	if (e && err_reason(e) == E_EXISTS)
		return NULL;
	*made = !e;
	return e;
}

struct err *event_keys_need(struct events *log, struct arena *a)
{
	struct event_head head;
	struct event_key k;
	const char *folder;
	int64_t version;
	bool holds;

	TRY(event_head_read(log->db, a, &head));
	TRY(event_key_current_version(log, a, &head, &version, &holds));
	if (version > 0)
		return event_key_load(log, a, version, &k);
	TRY(event_key_folder(log, a, &folder));
	return err_help(
		err_add_detail(err_new(E_NOT_CONFIGURED,
				       "there is no key for the record of changes in '%s', and "
				       "the garden is only changed with a record that shows "
				       "edits",
				       folder),
			       "path", str_of(folder)),
		"make the keys: ikm init");
}

/* ---- the beginning of the chain, and the key in use ---- */

static struct str begun_mac(const struct event_key *k, struct arena *a, const struct event_begun *m)
{
	const struct db_arg v[] = {DB_I(m->seq), DB_I(m->time), DB_S(m->chain)};

	return event_key_mac(k, a, BEGUN_FORM, v, ARRAY_SIZE(v));
}

bool event_take_named_line(struct str *rest, const char *name, struct str *value)
{
	struct str line;

	if (!str_next_line(rest, &line) || !str_starts(line, str_of(name)))
		return false;
	*value = str_sub(line, strlen(name), line.n);
	return str_is_text(*value);
}

static bool begun_parse(struct str text, struct event_begun *out, struct str *mac)
{
	struct str value;

	return event_take_named_line(&text, "seq ", &value) && str_int(value, &out->seq) &&
	       out->seq > 0 && event_take_named_line(&text, "time ", &value) &&
	       str_int(value, &out->time) && event_take_named_line(&text, "chain ", &out->chain) &&
	       event_take_named_line(&text, "mac ", mac) && !text.n;
}

struct err *event_chain_start_read(const struct events *log, struct arena *a,
				   struct event_begun *out)
{
	const char *path;
	struct event_key first;
	struct str text, mac;
	struct err *e;
	bool there;

	*out = (struct event_begun){0};
	if (!db_path(log->db))
		return NULL;
	TRY(key_file(log, a, BEGUN_FILE, &path, &there));
	if (!there)
		return NULL;
	out->there = true;
	TRY(os_read_path(a, path, KEY_FILE_MOST, &text));
	if (!begun_parse(text, out, &mac)) {
		*out = (struct event_begun){.there = true};
		return NULL;
	}
	e = event_key_load(log, a, 1, &first);
	if (e && err_reason(e) != E_NOT_CONFIGURED)
		return e;
	out->holds = !e && str_eq(begun_mac(&first, a, out), mac);
	return NULL;
}

/* The first row with a MAC; false: it is no valid beginning. */
static struct err *begun_first(const struct events *log, struct arena *a, const struct event_key *k,
			       struct event_begun *out, bool *valid)
{
	struct buf b = buf_in(a);
	struct event_cells c;

	*valid = false;
	DB_EACH(rows, log->db, Q_EVENT_CHAIN, DB_I(INT64_MAX)) {
		event_cells_read(rows, &c);
		if (c.v[COL_CHAIN].type == DB_NULL)
			continue;
		event_row_canonical(&b, &c);
		*valid = c.v[COL_CHAIN].type == DB_TEXT && c.v[COL_TS].type == DB_INT &&
			 event_cell_is(&c, COL_OP, OP_BEGIN) && event_cell_is(&c, COL_PREV, "") &&
			 event_key_mac_holds(k, buf_as_str(&b), c.v[COL_CHAIN].s);
		if (*valid)
			*out = (struct event_begun){.seq = c.v[COL_SEQ].i,
						    .time = c.v[COL_TS].i,
						    .chain = str_dup(a, c.v[COL_CHAIN].s)};
		break;
	}
	return NULL;
}

/*
 * Makes the mark when it is missing and the first row with a MAC is a valid beginning. DB_CORRUPT
 * when it is none.
 */
static struct err *event_begun_make(const struct events *log, struct arena *a)
{
	struct event_begun begun;
	struct event_key first;
	const char *folder;
	struct err *e;
	bool valid;

	TRY(event_chain_start_read(log, a, &begun));
	if (begun.there)
		return NULL;
	e = event_key_load(log, a, 1, &first);
	/* The first key was lost: nobody can prove the beginning, and verify says so. */
	if (e && err_reason(e) == E_NOT_CONFIGURED)
		return NULL;
	TRY(e);
	TRY(begun_first(log, a, &first, &begun, &valid));
	if (!valid)
		return err_help(err_new(E_DB_CORRUPT, "the record of changes does not begin with "
						      "a valid checkpoint under key 1"),
				"'ikm events verify' says what was changed");
	TRY(event_key_folder(log, a, &folder));
	e = os_write(os_join(a, folder, BEGUN_FILE),
		     str_fmt(a, "seq %jd\ntime %jd\nchain %.*s\nmac %.*s\n", (intmax_t)begun.seq,
			     (intmax_t)begun.time, STR_ARG(begun.chain),
			     STR_ARG(begun_mac(&first, a, &begun))),
		     OS_EXCLUSIVE | OS_MODE(0600));
	/* Another process has made it in the meantime. */
	return e && err_reason(e) == E_EXISTS ? NULL : e;
}

struct err *event_keys_find_traces(const struct events *log, struct arena *a,
				   struct event_keys_traces *out)
{
	struct event_begun mark, first;
	struct event_key key;
	const char *folder;
	int64_t newest;
	bool begun, valid = false;

	*out = (struct event_keys_traces){0};
	TRY(event_chain_is_begun(log->db, a, &begun));
	TRY(event_chain_start_read(log, a, &mark));
	TRY(event_key_newest(log, a, &newest));
	out->any = begun || mark.there || newest;
	if (mark.seq || event_key_load(log, a, 1, &key))
		return NULL;
	TRY(begun_first(log, a, &key, &first, &valid));
	if (!valid)
		return NULL;
	TRY(event_key_folder(log, a, &folder));
	out->begun = os_join(a, folder, BEGUN_FILE);
	out->damaged = mark.there;
	return NULL;
}

struct err *event_key_current_version(const struct events *log, struct arena *a,
				      const struct event_head *head, int64_t *version, bool *holds)
{
	struct event_key k;
	int64_t named = 0;
	struct err *e;

	*holds = false;
	if (head->there && head->key_version > 0 && head->key_version <= VERSION_MOST) {
		e = event_key_load(log, a, head->key_version, &k);
		if (e && err_reason(e) != E_NOT_CONFIGURED)
			return e;
		*version = head->key_version;
		*holds = !e && str_eq(event_head_expected_mac(&k, a, head), head->mac);
		if (*holds)
			return NULL;
	}
	TRY(event_key_newest(log, a, version));
	TRY(db_number(log->db, Q_EVENT_VERSION, &named, DB_I(VERSION_MOST)));
	if (named > *version && named <= VERSION_MOST)
		*version = named;
	return NULL;
}

/* ---- making keys, and the chain ---- */

static struct err *key_start(struct events *log, struct arena *a, struct event_keys_made *out)
{
	struct db_txn t DB_TXN = {0};
	struct event_begun mark;
	struct event_key k;
	bool begun;

	TRY(db_begin(&t, log->db));
	TRY(event_chain_is_begun(log->db, a, &begun));
	TRY(event_chain_start_read(log, a, &mark));
	/* A chain that was removed is not begun anew: the next row says that it was removed. */
	if (begun || mark.there)
		return NULL;
	TRY(event_key_load(log, a, out->key_version, &k));
	out->chain_started = true;
	TRY(event_chain_create(log, a, &k, &out->covered));
	return db_commit(&t);
}

struct err *event_keys_create(struct events *log, struct arena *a, struct event_keys_made *out)
{
	struct event_begun mark;
	struct event_head head;
	bool made, begun, holds;

	*out = (struct event_keys_made){0};
	TRY(event_key_folder(log, a, &out->folder));
	TRY(event_chain_is_begun(log->db, a, &begun));
	TRY(event_chain_start_read(log, a, &mark));
	begun = begun || mark.there;
	TRY(event_head_read(log->db, a, &head));
	TRY(event_key_current_version(log, a, &head, &out->key_version, &holds));
	if (out->key_version < 1)
		out->key_version = 1;
	/* A key that the record needs is never made anew: the record would not fit it. */
	if (begun) {
		struct event_key k;

		TRY(event_key_load(log, a, out->key_version, &k));
	} else {
		TRY(event_key_make_file(log, a, key_name(a, out->key_version), &made));
		if (made)
			strs_push(a, &out->made, str_of(key_name(a, out->key_version)));
	}
	TRY(event_key_make_file(log, a, CHECKPOINT_KEY, &made));
	if (made)
		strs_push(a, &out->made, STR(CHECKPOINT_KEY));
	if (!begun)
		TRY(key_start(log, a, out));
	return event_begun_make(log, a);
}

/* ---- rotation ---- */

/* The row of the rotation. */
static struct err *key_turn(struct events *log, struct arena *a, const struct event_key *to,
			    struct event_rotated *out)
{
	struct db_txn txn DB_TXN = {0};
	struct event_place p;
	struct event_head head;
	struct event_tail tail;
	struct event_cells c;
	int64_t version;
	bool holds;

	TRY(db_begin(&txn, log->db));
	TRY(event_head_read(log->db, a, &head));
	TRY(event_key_current_version(log, a, &head, &version, &holds));
	/* Another process may have rotated since the versions were read. */
	if (holds && version != out->from)
		return err_new(E_CHANGED, "another process has changed the key to version %jd",
			       (intmax_t)version);
	if (out->lost) {
		/* The place is what the mark of the end and the rows say. */
		TRY(event_chain_last_mac_read(log->db, a, &tail));
		p.key = *to;
		p.prev = head.there ? head.chain : tail.chain;
		p.seq = (tail.seq > head.seq || head.seq >= ROWS_MOST ? tail.seq : head.seq) + 1;
	} else {
		TRY(event_next_place_find(log, a, &p));
	}
	TRY(event_row_new_system(log, a, EVENT_STEP_ROTATION, OP_ROTATE,
				 event_rotation_text(a, out->from, to, out->lost, p.prev, p.seq),
				 &c));
	TRY(event_row_put(log, a, &c, &p.key, to, p.prev, p.seq));
	out->event = c.v[COL_EVENT].s;
	return db_commit(&txn);
}

struct err *event_rotate(struct events *log, struct arena *a, bool lost, struct event_rotated *out)
{
	struct event_head head;
	struct event_key former, to;
	struct event_begun mark;
	struct err *e;
	bool made, begun, holds;

	*out = (struct event_rotated){0};
	TRY(event_head_read(log->db, a, &head));
	TRY(event_chain_start_read(log, a, &mark));
	TRY(event_chain_is_begun(log->db, a, &begun));
	TRY(event_key_current_version(log, a, &head, &out->from, &holds));
	if (!begun && !mark.there)
		return err_help(err_new(E_NOT_CONFIGURED,
					"the record of changes has no chain whose key could be "
					"replaced"),
				"make the keys: ikm init");
	if (out->from < 1)
		out->from = 1;
	e = event_key_load(log, a, out->from, &former);
	if (e && (!lost || err_reason(e) != E_NOT_CONFIGURED))
		return e;
	out->lost = e != NULL;
	if (!out->lost) {
		struct db_txn txn DB_TXN = {0};
		struct event_place p;

		/* Where the mark of the end does not fit, a row under the key in use says so. */
		TRY(db_begin(&txn, log->db));
		TRY(event_next_place_find(log, a, &p));
		out->from = p.key.version;
		TRY(db_commit(&txn));
	}
	out->to = out->from + 1;
	TRY(event_key_make_file(log, a, key_name(a, out->to), &made));
	TRY(event_key_load(log, a, out->to, &to));
	TRY(key_turn(log, a, &to, out));
	return NULL;
}

/* ---- contents ---- */

bool event_content_holds(const struct events *log, struct arena *a, const struct event *e,
			 struct str content)
{
	struct event_key k;

	return e->line_hash.n && e->key_version > 0 &&
	       !event_key_load(log, a, e->key_version, &k) &&
	       event_key_mac_holds(&k, event_content_canonical(a, content), e->line_hash);
}

struct str event_content_canonical(struct arena *a, struct str content)
{
	struct buf b = buf_with_max(a, content.n + 1);
	size_t end = 0; /* of the last line that is not empty, its newline included */

	for (size_t i = 0, line = 0; i <= content.n; i++) {
		size_t from = line, to = i;

		if (i < content.n && content.p[i] != '\n' && content.p[i] != '\r')
			continue;
		while (to > from && (content.p[to - 1] == ' ' || content.p[to - 1] == '\t'))
			to--;
		buf_put(&b, str_sub(content, from, to));
		buf_putc(&b, '\n');
		if (to > from)
			end = b.n;
		if (i + 1 < content.n && content.p[i] == '\r' && content.p[i + 1] == '\n')
			i++;
		line = i + 1;
	}
	return str_sub(buf_as_str(&b), 0, end);
}
