/* Reads and validates cells, counts skipped rows, and reads all rows of a table as readers do. */
#include "db/internal.h"
#include <sqlite3.h>

/* This many damaged rows are named; further ones are only counted. */
#define DAMAGE_NAMED ((size_t)20)
#define VERIFY_BATCH 64

void db_cell_bad(struct db_cells *c, int column, const char *why)
{
	if (c->why)
		return;
	c->bad = column;
	c->why = why;
}

static bool cell_is(struct db_cells *c, int column, int type, const char *name)
{
	if (sqlite3_column_type(c->rows->stmt, column) == type)
		return true;
	db_cell_bad(c, column, name);
	return false;
}

static bool cell_is_null(const struct db_cells *c, int column)
{
	return sqlite3_column_type(c->rows->stmt, column) == SQLITE_NULL;
}

int64_t db_cell_int(struct db_cells *c, int column, int64_t least, int64_t most)
{
	int64_t n;

	if (!cell_is(c, column, SQLITE_INTEGER, "is no integer"))
		return 0;
	n = sqlite3_column_int64(c->rows->stmt, column);
	if (n >= least && n <= most)
		return n;
	db_cell_bad(c, column, "is out of range");
	return 0;
}

int64_t db_cell_int_or_null(struct db_cells *c, int column, int64_t least, int64_t most)
{
	return cell_is_null(c, column) ? 0 : db_cell_int(c, column, least, most);
}

double db_cell_share(struct db_cells *c, int column)
{
	double x;

	if (!cell_is(c, column, SQLITE_FLOAT, "is no number"))
		return 0;
	x = sqlite3_column_double(c->rows->stmt, column);
	if (x >= 0 && x <= 1)
		return x;
	db_cell_bad(c, column, "is out of range");
	return 0;
}

static struct str cell_bytes(struct db_cells *c, struct arena *a, int column)
{
	struct str s = db_column_bytes(c->rows, column);

	return a && s.n ? str_dup(a, s) : s;
}

struct str db_cell_text(struct db_cells *c, struct arena *a, int column)
{
	struct str s = db_cell_raw_text(c, a, column);

	if (str_is_utf8(s))
		return s;
	db_cell_bad(c, column, "is no UTF-8");
	return STR("");
}

struct str db_cell_text_or_null(struct db_cells *c, struct arena *a, int column)
{
	return cell_is_null(c, column) ? (struct str){0} : db_cell_text(c, a, column);
}

struct str db_cell_raw_text(struct db_cells *c, struct arena *a, int column)
{
	if (!cell_is(c, column, SQLITE_TEXT, "is no text"))
		return STR("");
	return cell_bytes(c, a, column);
}

struct str db_cell_raw_text_or_null(struct db_cells *c, struct arena *a, int column)
{
	return cell_is_null(c, column) ? (struct str){0} : db_cell_raw_text(c, a, column);
}

struct str db_cell_blob(struct db_cells *c, struct arena *a, int column)
{
	if (!cell_is(c, column, SQLITE_BLOB, "is no blob"))
		return STR("");
	return cell_bytes(c, a, column);
}

unsigned db_cell_choice(struct db_cells *c, int column, const char *const *names)
{
	struct str s = db_cell_text(c, NULL, column);

	for (unsigned i = 0; names[i]; i++)
		if (str_is(s, names[i]))
			return i;
	db_cell_bad(c, column, "is none of the allowed words");
	return 0;
}

/* The key itself may be damaged. */
static struct str cells_key(const struct db_cells *c, struct arena *a)
{
	sqlite3_stmt *stmt = c->rows->stmt;
	struct str s = str_utf8(a, db_column_bytes(c->rows, c->key));

	switch (sqlite3_column_type(stmt, c->key)) {
	case SQLITE_TEXT: return s.n > 80 ? str_utf8(a, str_sub(s, 0, 80)) : s;
	case SQLITE_INTEGER: return str_fmt(a, "%jd", (intmax_t)sqlite3_column_int64(stmt, c->key));
	default: return STR("?");
	}
}

struct err *db_cells_check(struct db_cells *c)
{
	struct db *db = c->rows->db;
	struct arena *a ARENA_LOCAL = NULL;
	const char *column;
	struct str key;
	struct err *e;

#ifdef IKM_TEST
	for (int i = 0; c->columns && c->columns[i]; i++) {
		const char *name = sqlite3_column_name(c->rows->stmt, i);

		if (!name || strcmp(name, c->columns[i]) != 0)
			BUG("column %d of %s is '%s', and not '%s'", i, c->table,
			    name ? name : "nothing", c->columns[i]);
	}
#endif
	if (!c->why)
		return NULL;
	a = arena_new();
	column = sqlite3_column_name(c->rows->stmt, c->bad);
	key = cells_key(c, a);
	e = err_new(E_DB_CORRUPT,
		    "the store has a damaged row: table '%s', row '%.*s': "
		    "'%s' %s",
		    c->table, STR_ARG(key), column ? column : "?", c->why);
	err_add_detail(e, "table", str_of(c->table));
	err_add_detail(e, "row", key);
	err_add_detail(e, "column", str_of(column ? column : "?"));
	err_help(e,
		 "'ikm doctor' lists all damage; 'ikm doctor --rebuild' moves damaged rows aside");
	db->bad_row = e;
	return e;
}

static bool hashes_add(struct arena *a, struct db_hashes *set, uint64_t hash)
{
	struct db_hashes old = *set;
	size_t i = 0;

	if (2 * old.n >= old.cap) {
		*set = (struct db_hashes){.cap = size_max(2 * old.cap, 64)};
		set->p = arena_array(a, set->cap, sizeof(*set->p));
		for (; i < old.cap; i++)
			if (old.p[i])
				hashes_add(a, set, old.p[i]);
	}
	for (i = hash & (set->cap - 1); set->p[i]; i = (i + 1) & (set->cap - 1))
		if (set->p[i] == hash)
			return false;
	set->p[i] = hash;
	set->n++;
	return true;
}

/* A search reads a row more than once, and counts it once: the hash of its text is remembered. */
static void damage_count(struct db *db, uint64_t hash, struct str what)
{
	if (!hashes_add(db->a, &db->damage_seen, hash + !hash))
		return;
	db->damage.n++;
	if (what.n && db->damage.rows.n < DAMAGE_NAMED)
		strs_push(db->a, &db->damage.rows, str_dup(db->a, what));
}

void db_note_damage(struct db *db, struct str what)
{
	damage_count(db, str_hash(what), what);
}

bool db_skip_damaged_row(struct db *db, struct err *e)
{
	if (!e || e != db->bad_row || err_reason(e) != E_DB_CORRUPT)
		return false;
	db->bad_row = NULL;
	db_note_damage(db, str_of(err_message(e)));
	return true;
}

const struct db_damage *db_damage_so_far(const struct db *db)
{
	return &db->damage;
}

void db_damage_merge(struct db *db, const struct db *from)
{
	for (size_t i = 0; i < from->damage.rows.n; i++)
		db_note_damage(db, from->damage.rows.p[i]);
	for (size_t i = 0; i < from->damage_seen.cap; i++)
		if (from->damage_seen.p[i])
			damage_count(db, from->damage_seen.p[i], STR(""));
}

struct err *db_verify(struct db *db, struct arena *a, const struct db_verify *how,
		      struct db_damaged_rows *out, int64_t *n)
{
	struct progress progress PROGRESS = progress_start("rows verified", 0);
	struct arena *batch ARENA_LOCAL = arena_new();
	struct db_rows *rows;

	TRY(db_select_args(db, how->query, &rows, &(const struct db_arg){0}, 0));
	DB_REST(rows) {
		struct err *bad = how->row(how->ctx, batch, rows);

		progress_at(&progress, (uint64_t)++ * n);
		if (bad) {
			struct db_arg is = db_column_value(rows, how->column);

			is.s = is.s.p ? str_dup(a, is.s) : is.s;
			*VEC_PUSH(a, out) = (struct db_damaged_row){
				.table = how->table,
				.key = how->key,
				.is = is,
				.why = str_dup(a, str_of(err_message(bad))),
			};
			if (!db_skip_damaged_row(db, bad))
				return bad;
		}
		if (*n % VERIFY_BATCH == 0)
			arena_reset(batch);
	}
	return NULL;
}
