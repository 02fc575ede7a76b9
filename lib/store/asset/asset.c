#include "asset/asset.h"
#include "crypt/crypt.h"
#include "os/os.h"

const char *const asset_categories[] = {ASSET_CATEGORIES(ENUM_NAME) NULL};
const char *const asset_levels[] = {ASSET_LEVELS(ENUM_NAME) NULL};

const struct field asset_record[] = {
	ASSET_ROW_PATH(struct asset, ),
	ASSET_ROW_URI(struct asset, ),
	FIELD_OF(struct asset, description, "its purpose, or empty"),
	FIELD_NAMED(struct asset, category, "category", asset_categories, "its category"),
	FIELD_AS(struct asset, read_only, "readOnly", "whether it is protected from changes"),
	FIELD_OF(struct asset, pinned, "whether the agent has pinned it"),
	ASSET_ROW_TOKENS(struct asset, ),
	FIELD_OF(struct asset, size, "bytes"),
	FIELD_OF(struct asset, hash, "sha256 of its content"),
	FIELD_TIME(struct asset, created, "createdAt", "the time of creation"),
	FIELD_TIME(struct asset, updated, "updatedAt", "the time of the last change"),
	{0},
};

/* The name of the tokenizer's family, as the store has it. */
static struct str asset_token_model(const struct assets *s)
{
	return str_of(token_models[s->model]);
}

/* ---- reading ---- */

/* Reads and checks a row. DB_CORRUPT: it is damaged; db_skip_damaged_row() may skip it. */
static struct err *asset_row(struct assets *s, struct db_rows *rows, struct arena *a, bool content,
			     struct asset *out)
{
	struct db_cells c = {.rows = rows, .table = "stored_assets", .key = 0};
	bool counted = db_cell_int(&c, 6, 0, 1);
	struct str text = STR("");

	*out = (struct asset){
		.path = db_cell_text(&c, a, 0),
		.description = db_cell_text(&c, a, 1),
		.category = (enum asset_category)db_cell_choice(&c, 2, asset_categories),
		.read_only = db_cell_int(&c, 3, 0, 1),
		.hash = db_cell_text(&c, a, 4),
		.tokens = db_cell_int(&c, 5, 0, INT32_MAX),
		.size = db_cell_int(&c, 7, 0, INT64_MAX),
		.created = db_cell_int(&c, 8, DB_TIME_LEAST, DB_TIME_MOST),
		.updated = db_cell_int(&c, 9, DB_TIME_LEAST, DB_TIME_MOST),
		.pinned = db_cell_int(&c, 10, 0, INT64_MAX),
	};
	out->uri = asset_uri(a, out->path);
	/* Without `content` the text is only counted where it is, and not copied. */
	if (content || !counted)
		text = db_cell_blob(&c, content ? a : NULL, 11);
	if (!str_is_text(text))
		db_cell_bad(&c, 11, "is no text");
	if (!counted)
		out->tokens = (int64_t)token_estimate(text, s->model);
	if (content)
		out->content = text;
	return db_cells_check(&c);
}

struct err *asset_get(struct assets *s, struct arena *a, struct str path, bool content,
		      struct asset *out, bool *found)
{
	*out = (struct asset){0};
	*found = false;
	DB_EACH(rows, s->db, Q_ASSET_GET, DB_S(s->agent), DB_I(content), DB_S(asset_token_model(s)),
		DB_S(path)) {
		*found = true;
		return asset_row(s, rows, a, content, out);
	}
	return NULL;
}

struct err *asset_list_by_prefix(struct assets *s, struct arena *a, struct str prefix,
				 struct asset_list *out)
{
	/*
	 * Paths below "blocks" lie between "blocks/" and "blocks0", because '0' is the byte after
	 * '/'. No path begins with 0xff.
	 */
	struct str from = prefix.n ? str_fmt(a, "%.*s/", STR_ARG(prefix)) : STR("");
	struct str to = prefix.n ? str_fmt(a, "%.*s0", STR_ARG(prefix)) : STR("\xff");
	struct asset one;

	DB_EACH(rows, s->db, Q_ASSET_EACH, DB_S(s->agent), DB_I(0), DB_S(asset_token_model(s)),
		DB_S(from), DB_S(to)) {
		DB_ROW(s->db, asset_row(s, rows, a, false, &one), continue);
		*VEC_PUSH(a, out) = one;
	}
	return NULL;
}

struct err *asset_list_pinned(struct assets *s, struct arena *a, bool content,
			      struct asset_list *out)
{
	struct asset one;

	DB_EACH(rows, s->db, Q_ASSET_PINNED, DB_S(s->agent), DB_I(content),
		DB_S(asset_token_model(s))) {
		DB_ROW(s->db, asset_row(s, rows, a, content, &one), continue);
		*VEC_PUSH(a, out) = one;
	}
	return NULL;
}

/* ---- the budget ---- */

struct asset_budget asset_budget_of_pinned(const struct assets *s, const struct asset_list *pinned)
{
	struct asset_budget b = {.limit = s->budget, .level = ASSET_OK};

	for (size_t i = 0; i < pinned->n; i++)
		b.used += pinned->p[i].tokens;
	b.percent = b.limit > 0 ? b.used * 100 / b.limit : 0;
	/* Products instead of quotients: 80 % of an odd limit needs no rounding. */
	if (b.used * 100 > b.limit * 80)
		b.level = ASSET_WARNING;
	if (b.used * 100 > b.limit * 95)
		b.level = ASSET_CRITICAL;
	if (b.used > b.limit)
		b.level = ASSET_OVER;
	return b;
}

/* "45k", and what thousands would hide as it is: "950". */
static struct str pin_thousands(struct arena *a, int64_t tokens)
{
	return tokens < 1000 ? str_fmt(a, "%jd", (intmax_t)tokens)
			     : str_fmt(a, "%jdk", (intmax_t)(tokens / 1000));
}

/*
 * Within the transaction of a change: it may not raise the tokens of the agent's pins above the
 * limit. tokens: those of the new content. pinning: the change pins the path.
 */
static struct err *asset_check_budget(struct assets *s, struct str path, int64_t tokens,
				      bool pinning)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct asset_list list = {0};
	int64_t used, after;
	bool pinned = pinning;
	struct err *e;

	TRY(asset_list_pinned(s, a, false, &list));
	used = asset_budget_of_pinned(s, &list).used;
	after = used + tokens;
	for (size_t i = 0; i < list.n; i++)
		if (str_eq(list.p[i].path, path)) {
			after -= list.p[i].tokens;
			pinned = true;
		}
	if (!pinned || after <= s->budget || after <= used)
		return NULL;
	/* The requirement gives the words (requirement: assets, "Block Budget Enforcement"). */
	e = err_new(E_OVER_BUDGET,
		    "Block budget exceeded: %.*s/%.*s tokens. "
		    "This write would use %.*s tokens. "
		    "Use /compact or /unpin to free space.",
		    STR_ARG(pin_thousands(a, used)), STR_ARG(pin_thousands(a, s->budget)),
		    STR_ARG(pin_thousands(a, tokens)));
	err_detail_int(e, "used", used);
	err_detail_int(e, "limit", s->budget);
	err_detail_int(e, "wouldUse", tokens);
	err_add_detail(e, "path", path);
	err_help(e, "'ikm asset pinned' lists the pinned assets");
	return err_help(e, "write a shorter text, or free space with 'ikm asset unpin'");
}

/* ---- keeping versions ---- */

/* Keeps the current content as a version, before op replaces it. */
static struct err *asset_keep_version(struct assets *s, struct str path, const char *op)
{
	int64_t number;

	/* Adds to the path's last number, which stays when versions are deleted. */
	TRY(db_number(s->db, Q_ASSET_NUMBER, &number, DB_S(path), DB_I(1)));
	return db_do(s->db, Q_VERSION_KEEP, NULL, DB_S(path), DB_I(number), DB_S(str_of(op)),
		     DB_S(s->agent), DB_I(os_now()));
}

/*
 * Deletes the oldest versions of this path above the limit keep_versions, and the versions of all
 * paths that are older than keep_days.
 */
static struct err *asset_prune(struct assets *s, struct str path)
{
	int64_t keep = s->keep_versions > 0 ? s->keep_versions : 0;
	int64_t now = os_now(), days = s->keep_days > 0 ? s->keep_days : 0;

	TRY(db_do(s->db, Q_VERSION_PRUNE_COUNT, NULL, DB_S(path), DB_I(keep)));
	if (days)
		TRY(db_once_a_day(s->db, STR("looked: asset_versions"), now, &now));
	if (!now || days > now / DAY_MS)
		return NULL;
	return db_do(s->db, Q_VERSION_PRUNE_AGE, NULL, DB_I(now - days * DAY_MS));
}

/* ---- changing ---- */

struct err *asset_protected_error(struct str path)
{
	return err_help(err_add_detail(err_new(E_READ_ONLY_ASSET, "the asset '%.*s' is read-only",
					       STR_ARG(path)),
				       "path", path),
			"a person may allow it: ikm asset set '%.*s' --writable", STR_ARG(path));
}

static struct err *asset_check_text(struct str path, struct str s)
{
	size_t i = 0, n = 1;
	uint32_t code;

	if (s.n > ASSET_BYTES_MAX)
		return err_detail_int(
			err_new(E_TOO_LONG,
				"the content of the asset '%.*s' would have %zu bytes; "
				"at most %zu are allowed",
				STR_ARG(path), s.n, ASSET_BYTES_MAX),
			"limit", (int64_t)ASSET_BYTES_MAX);
	if (str_is_text(s))
		return NULL;
	for (; i < s.n && s.p[i] && n; i += n)
		n = str_utf8_char(s.p + i, s.n - i, &code);
	return err_detail_int(err_new(E_NOT_TEXT,
				      "the content of the asset '%.*s' is no text: %s at byte %zu",
				      STR_ARG(path), n ? "NUL" : "no UTF-8", i),
			      "byte", (int64_t)i);
}

static struct err *asset_store(struct assets *s, struct arena *a, struct str path,
			       const struct asset *old, const char *op, struct str content,
			       struct str hash, bool within_budget)
{
	struct asset now = old ? *old : (struct asset){0};

	if (old && old->read_only)
		return asset_protected_error(path);
	TRY(asset_check_text(path, content));
	now.path = path;
	now.updated = os_now();
	now.hash = hash;
	now.tokens = (int64_t)token_estimate(content, s->model);
	if (!old) {
		struct str rest = path, first;
		struct asset_version was;
		bool known;

		/* If a version with this content is kept, its description and category return. */
		now.created = now.updated;
		str_next_part(&rest, '/', &first);
		now.category = str_is(first, "skills")        ? ASSET_SKILL
			       : str_is(first, "preferences") ? ASSET_PREFERENCE
							      : ASSET_BLOCK;
		now.description = STR("");
		TRY(asset_version_by_hash(s, a, now.path, now.hash, &was, &known));
		if (known) {
			now.category = was.category;
			now.description = was.description;
		}
	}
	if (within_budget)
		TRY(asset_check_budget(s, path, now.tokens, false));
	if (old)
		TRY(asset_keep_version(s, path, op));
	TRY(db_do(s->db, Q_ASSET_PUT, NULL, DB_S(path), DB_S(now.description),
		  DB_S(str_of(asset_categories[now.category])), DB_I(now.read_only),
		  DB_I(now.tokens), DB_S(asset_token_model(s)), DB_S(hash), DB_I(now.updated),
		  DB_B(content)));
	return asset_prune(s, path);
}

struct err *asset_put(struct assets *s, struct arena *a, struct str path, const struct asset *old,
		      const char *op, struct str content, struct str hash)
{
	return asset_store(s, a, path, old, op, content, hash, true);
}

struct err *asset_put_summarized_content(struct assets *s, struct arena *a, struct str path,
					 const struct asset *old, const char *op, struct str full,
					 struct str content, struct str hash)
{
	TRY(asset_store(s, a, path, old, op, full, crypt_content_hash(a, full), false));
	return asset_store(s, a, path, old, "summarize", content, hash, true);
}

struct err *asset_remove(struct assets *s, const struct asset *old, const char *op)
{
	if (old->read_only)
		return asset_protected_error(old->path);
	TRY(asset_keep_version(s, old->path, op));
	TRY(db_do(s->db, Q_ASSET_REMOVE, NULL, DB_S(old->path)));
	return asset_prune(s, old->path);
}

struct err *asset_rename(struct assets *s, const struct asset *old, struct str to)
{
	int64_t taken, last;

	if (old->read_only)
		return asset_protected_error(old->path);
	/* The versions move too, and are renumbered. */
	TRY(db_number(s->db, Q_ASSET_NUMBER, &taken, DB_S(old->path), DB_I(0)));
	TRY(db_number(s->db, Q_ASSET_NUMBER, &last, DB_S(to), DB_I(taken)));
	TRY(db_do(s->db, Q_VERSION_MOVE, NULL, DB_S(old->path), DB_S(to), DB_I(last - taken)));
	return db_do(s->db, Q_ASSET_RENAME, NULL, DB_S(old->path), DB_S(to));
}

/* ---- describing ---- */

struct err *asset_set_description(struct assets *s, struct arena *a, struct str path,
				  const struct asset_meta *meta, struct asset *out)
{
	struct db_txn t DB_TXN = {0};
	struct asset old;
	bool found;

	TRY(db_begin(&t, s->db));
	TRY(asset_get(s, a, path, false, out, &found));
	if (!found)
		return asset_missing(s, a, path);
	old = *out;
	if (meta->description.p)
		out->description = meta->description;
	if (meta->category >= 0)
		out->category = (enum asset_category)meta->category;
	if (meta->read_only >= 0)
		out->read_only = meta->read_only;
	if (out->category == old.category && out->read_only == old.read_only &&
	    str_eq(out->description, old.description))
		return NULL;
	out->updated = os_now();
	TRY(db_do(s->db, Q_ASSET_DESCRIBE, NULL, DB_S(path), DB_S(out->description),
		  DB_S(str_of(asset_categories[out->category])), DB_I(out->read_only),
		  DB_I(out->updated)));
	return db_commit(&t);
}

struct err *asset_agents_with_pins(struct assets *s, struct arena *a, struct strs *out)
{
	DB_EACH(rows, s->db, Q_PIN_AGENTS)
		strs_push(a, out, db_column_str(rows, a, 0));
	return NULL;
}

/* ---- pins ---- */

struct err *asset_pin(struct assets *s, struct str path, bool *was)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct db_txn t DB_TXN = {0};
	struct asset it;
	bool found;

	TRY(db_begin(&t, s->db));
	TRY(asset_get(s, a, path, false, &it, &found));
	if (!found)
		return asset_missing(s, a, path);
	*was = it.pinned;
	if (*was)
		return NULL;
	TRY(asset_check_budget(s, path, it.tokens, true));
	TRY(db_do(s->db, Q_PIN_ADD, NULL, DB_S(s->agent), DB_S(path), DB_I(os_now())));
	return db_commit(&t);
}

struct err *asset_unpin(struct assets *s, struct str path, bool *was)
{
	struct db_txn t DB_TXN = {0};
	int64_t removed;

	TRY(db_begin(&t, s->db));
	TRY(db_do(s->db, Q_PIN_REMOVE, &removed, DB_S(s->agent), DB_S(path)));
	*was = removed;
	return db_commit(&t);
}

/* ---- reading versions ---- */

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
