#include "base/base.h"
#include "asset/internal.h"
#include "os/os.h"

#define DAY_MS ((int64_t)24 * 60 * 60 * 1000)

/* ---- reading ---- */

static struct asset_version row(struct db_rows *rows, struct arena *a)
{
	return (struct asset_version){
		.number = db_int(rows, 0),
		.description = db_str(rows, a, 1),
		.category = asset_category_of(db_str(rows, a, 2)),
		.tokens = db_int(rows, 3),
		.size = db_int(rows, 4),
		.saved = db_int(rows, 5),
		.hash = db_str(rows, a, 6),
		.op = db_str(rows, a, 7),
		.agent = db_str(rows, a, 8),
		.content = db_str(rows, a, 9),
	};
}

struct err *asset_history(struct assets *s, struct arena *a, struct str path,
			  struct asset_versions *out)
{
	struct db_rows *rows;
	bool more;

	TRY(db_ask(s->db, Q_VERSION_EACH, &rows, DB_S(path)));
	for (;;) {
		TRY(db_next(rows, &more));
		if (!more)
			return NULL;
		*VEC_PUSH(a, out) = row(rows, a);
	}
}

static struct err *one(struct db_rows *rows, struct arena *a, struct asset_version *out,
		       bool *found)
{
	TRY(db_next(rows, found));
	if (*found)
		*out = row(rows, a);
	db_reset(rows);
	return NULL;
}

struct err *asset_version(struct assets *s, struct arena *a, struct str path, int64_t number,
			  struct asset_version *out)
{
	struct db_rows *rows;
	bool found;

	TRY(db_ask(s->db, Q_VERSION_GET, &rows, DB_S(path), DB_I(number)));
	TRY(one(rows, a, out, &found));
	if (found)
		return NULL;
	return err_help(err_detail_int(err_detail(err_new(E_NO_SUCH_VERSION,
							  "no version %jd of the asset '%.*s' is kept",
							  (intmax_t)number, STR_ARG(path)),
						  "path", path),
				       "version", number),
			"'ikm asset history %.*s' shows what is kept", STR_ARG(path));
}

struct err *asset_version_of(struct assets *s, struct arena *a, struct str path, struct str hash,
			     struct asset_version *out, bool *found)
{
	struct db_rows *rows;

	TRY(db_ask(s->db, Q_VERSION_OF, &rows, DB_S(path), DB_S(hash)));
	return one(rows, a, out, found);
}

/* ---- keeping ---- */

/* Adds to the path's last number, which stays when versions go. */
static struct err *take_numbers(struct assets *s, struct str path, int64_t n, int64_t *last)
{
	struct db_rows *rows;
	bool more;

	TRY(db_ask(s->db, Q_ASSET_NUMBER, &rows, DB_S(path), DB_I(n)));
	TRY(db_next(rows, &more));
	*last = db_int(rows, 0);
	while (more)
		TRY(db_next(rows, &more));
	return NULL;
}

struct err *asset_keep(struct assets *s, struct str path, const char *op)
{
	int64_t number;

	TRY(take_numbers(s, path, 1, &number));
	return db_do(s->db, Q_VERSION_KEEP, NULL, DB_S(path), DB_I(number), DB_S(str_of(op)),
		     DB_S(s->agent), DB_I(os_now()));
}

struct err *asset_prune(struct assets *s, struct str path)
{
	int64_t keep = s->keep_versions > 0 ? s->keep_versions : 0;
	int64_t now = os_now(), days = s->keep_days > 0 ? s->keep_days : 0;

	TRY(db_do(s->db, Q_VERSION_PRUNE_COUNT, NULL, DB_S(path), DB_I(keep)));
	if (days > now / DAY_MS)
		return NULL;
	return db_do(s->db, Q_VERSION_PRUNE_AGE, NULL, DB_I(now - days * DAY_MS));
}

struct err *asset_move_versions(struct assets *s, struct str from, struct str to)
{
	int64_t taken, last;

	TRY(take_numbers(s, from, 0, &taken));
	TRY(take_numbers(s, to, taken, &last));
	return db_do(s->db, Q_VERSION_MOVE, NULL, DB_S(from), DB_S(to), DB_I(last - taken));
}
