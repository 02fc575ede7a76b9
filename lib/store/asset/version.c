#include "asset/internal.h"
#include "os/os.h"

#define VERSION(member, ...) FIELD_OF(struct asset_version, member, __VA_ARGS__)
const struct field asset_version_record[] = {
	FIELD_AS(struct asset_version, number, "version",
		 "its number, from 1 for each asset, never used again"),
	FIELD_TIME(struct asset_version, saved, "savedAt", "the time when it was replaced"),
	VERSION(op, "the kind of change that replaced it"),
	VERSION(agent, "the agent that replaced it"),
	VERSION(tokens, "estimated at that time"),
	VERSION(size, "bytes"),
	VERSION(hash, "sha256 of its content"),
	{0},
};

/* ---- reading ---- */

static struct err *version_row(struct db_rows *rows, struct arena *a, struct asset_version *out)
{
	struct db_cells c = {.rows = rows, .table = "asset_versions", .key = 0};
	/* version_each selects no contents. */
	bool content = db_column_bytes(rows, 9).p;

	*out = (struct asset_version){
		.number = db_cell_int(&c, 0, 1, INT64_MAX),
		.description = db_cell_text(&c, a, 1),
		.category = (enum asset_category)db_cell_choice(&c, 2, asset_categories),
		.tokens = db_cell_int(&c, 3, 0, INT32_MAX),
		.size = db_cell_int(&c, 4, 0, INT64_MAX),
		.saved = db_cell_int(&c, 5, DB_TIME_LEAST, DB_TIME_MOST),
		.hash = db_cell_text(&c, a, 6),
		.op = db_cell_text(&c, a, 7),
		.agent = db_cell_raw_text(&c, a, 8),
		.content = content ? db_cell_blob(&c, a, 9) : (struct str){0},
	};
	if (!str_is_text(out->content))
		db_cell_bad(&c, 9, "is no text");
	return db_cells_check(&c);
}

struct err *asset_history(struct assets *s, struct arena *a, struct str path,
			  struct asset_versions *out)
{
	struct asset_version one;

	DB_EACH(rows, s->db, Q_VERSION_EACH, DB_S(path)) {
		DB_ROW(s->db, version_row(rows, a, &one), continue);
		*VEC_PUSH(a, out) = one;
	}
	return NULL;
}

struct err *asset_version(struct assets *s, struct arena *a, struct str path, int64_t number,
			  struct asset_version *out)
{
	DB_EACH(rows, s->db, Q_VERSION_GET, DB_S(path), DB_I(number))
		return version_row(rows, a, out);
	return err_help(
		err_detail_int(err_add_detail(err_new(E_NO_SUCH_VERSION,
						      "no version %jd of the asset '%.*s' is kept",
						      (intmax_t)number, STR_ARG(path)),
					      "path", path),
			       "version", number),
		"'ikm asset history %.*s' lists the kept versions", STR_ARG(path));
}

struct err *asset_version_by_hash(struct assets *s, struct arena *a, struct str path,
				  struct str hash, struct asset_version *out, bool *found)
{
	*found = false;
	DB_EACH(rows, s->db, Q_VERSION_OF, DB_S(path), DB_S(hash)) {
		*found = true;
		return version_row(rows, a, out);
	}
	return NULL;
}

/* ---- all of them ---- */

static struct err *asset_verify_row(void *ctx, struct arena *a, struct db_rows *rows)
{
	struct assets *s = ctx;
	struct asset one;

	return asset_row(s, rows, a, true, &one);
}

static struct err *version_verify_row(void *ctx, struct arena *a, struct db_rows *rows)
{
	struct asset_version one;

	(void)ctx;
	return version_row(rows, a, &one);
}

struct err *asset_verify_all(struct db *db, struct arena *a, struct db_damaged_rows *damaged)
{
	struct assets s = {.db = db};
	const struct db_verify live = {
		Q_VERIFY_ASSET_ROWS, "stored_assets", "path", 0, asset_verify_row, &s};
	const struct db_verify old = {
		Q_VERIFY_VERSIONS, "asset_versions", "rowid", 10, version_verify_row, NULL};
	int64_t n = 0;

	TRY(db_verify(db, a, &live, damaged, &n));
	return db_verify(db, a, &old, damaged, &n);
}
