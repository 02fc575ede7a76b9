#include "base/base.h"
#include "asset/internal.h"
#include "crypt/crypt.h"
#include "os/os.h"

static const char *const categories[] = ASSET_CATEGORIES;

enum asset_category asset_category_cell(struct db_cells *c, int column)
{
	return (enum asset_category)db_cell_choice(c, column, categories);
}

struct str asset_category_name(enum asset_category c)
{
	return str_of(categories[c]);
}

struct str asset_model(const struct assets *s)
{
	static const char *const models[] = TOKEN_MODELS;

	return str_of(models[s->model]);
}

/* ---- reading ---- */

struct err *asset_row(struct assets *s, struct db_rows *rows, struct arena *a, bool content,
		      struct asset *out)
{
	struct db_cells c = {.rows = rows, .table = "stored_assets", .key = 0};
	bool counted = db_cell_int(&c, 6, 0, 1);
	struct str text = STR("");

	*out = (struct asset){
		.path = db_cell_text(&c, a, 0),
		.description = db_cell_text(&c, a, 1),
		.category = asset_category_cell(&c, 2),
		.read_only = db_cell_int(&c, 3, 0, 1),
		.hash = db_cell_text(&c, a, 4),
		.tokens = db_cell_int(&c, 5, 0, INT32_MAX),
		.size = db_cell_int(&c, 7, 0, INT64_MAX),
		.created = db_cell_int(&c, 8, DB_TIME_LEAST, DB_TIME_MOST),
		.updated = db_cell_int(&c, 9, DB_TIME_LEAST, DB_TIME_MOST),
		.pin = db_cell_int(&c, 10, 0, INT64_MAX),
	};
	/* Estimated where it is: it is copied only for who wants it. */
	if (content || !counted)
		text = db_cell_blob(&c, content ? a : NULL, 11);
	if (!str_is_text(text))
		db_cell_bad(&c, 11, "is no text");
	if (!counted)
		out->tokens = (int64_t)token_estimate(text, s->model);
	if (content)
		out->content = text;
	return db_cells_end(&c);
}

struct err *asset_get(struct assets *s, struct arena *a, struct str path, bool content,
		      struct asset *out, bool *found)
{
	*out = (struct asset){0};
	*found = false;
	DB_EACH(rows, s->db, Q_ASSET_GET, DB_S(s->agent), DB_I(content), DB_S(asset_model(s)),
		DB_S(path)) {
		*found = true;
		return asset_row(s, rows, a, content, out);
	}
	return NULL;
}

struct err *asset_each(struct assets *s, struct arena *a, struct str prefix, struct asset_list *out)
{
	/* Between "blocks/" and "blocks0", the byte behind the slash; no path begins with 0xff. */
	struct str from = prefix.n ? str_fmt(a, "%.*s/", STR_ARG(prefix)) : STR("");
	struct str to = prefix.n ? str_fmt(a, "%.*s0", STR_ARG(prefix)) : STR("\xff");
	struct asset one;
	struct err *e;

	DB_EACH(rows, s->db, Q_ASSET_EACH, DB_S(s->agent), DB_I(0), DB_S(asset_model(s)),
		DB_S(from), DB_S(to)) {
		e = asset_row(s, rows, a, false, &one);
		if (db_pass_over(s->db, e))
			continue;
		TRY(e);
		*VEC_PUSH(a, out) = one;
	}
	return NULL;
}

/* ---- changing ---- */

struct change {
	struct assets *s;
	struct arena *a;
	struct str path;
	const char *op;
	const struct asset_meta *meta;
	asset_fn *fn;
	void *ctx;
	struct asset *out;
};

struct err *asset_protected(struct str path)
{
	return err_help(err_detail(err_new(E_READ_ONLY_ASSET, "the asset '%.*s' is read-only",
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

/* "skills/x" is a skill: what a new asset is when nobody says. */
static enum asset_category category_by(struct str path)
{
	struct str first;

	str_split(&path, '/', &first);
	if (str_is(first, "skills"))
		return ASSET_SKILL;
	return str_is(first, "preferences") ? ASSET_PREFERENCE : ASSET_BLOCK;
}

static void describe(struct asset *now, const struct asset_meta *meta)
{
	if (!meta)
		return;
	if (meta->description.p)
		now->description = meta->description;
	if (meta->category >= 0)
		now->category = (enum asset_category)meta->category;
	if (meta->read_only >= 0)
		now->read_only = meta->read_only;
}

static struct err *asset_put(struct change *c, const struct asset *old, struct asset *now)
{
	struct assets *s = c->s;

	TRY(asset_check_text(c->path, now->content));
	now->size = (int64_t)now->content.n;
	now->tokens = (int64_t)token_estimate(now->content, s->model);
	TRY(asset_check_budget(s, c->path, now->tokens, false));
	if (old)
		TRY(asset_keep(s, c->path, c->op));
	return db_do(s->db, Q_ASSET_PUT, NULL, DB_S(c->path), DB_S(now->description),
		     DB_S(asset_category_name(now->category)), DB_I(now->read_only),
		     DB_I(now->tokens), DB_S(asset_model(s)), DB_S(now->hash), DB_I(now->updated),
		     DB_B(now->content));
}

/* A new one; what comes back as it was is described as it was. */
static struct err *asset_begin(struct change *c, struct asset *now)
{
	struct asset_version was;
	bool known;

	now->path = c->path;
	now->created = now->updated;
	now->category = category_by(c->path);
	now->description = STR("");
	TRY(asset_version_of(c->s, c->a, c->path, now->hash, &was, &known));
	if (known) {
		now->category = was.category;
		now->description = was.description;
	}
	return NULL;
}

static struct err *asset_remove_one(struct change *c)
{
	TRY(asset_keep(c->s, c->path, c->op));
	return db_do(c->s->db, Q_ASSET_REMOVE, NULL, DB_S(c->path));
}

static struct err *asset_change_in_txn(void *ctx)
{
	struct change *c = ctx;
	struct asset old, now;
	struct str content = {0};
	bool found, same;

	TRY(asset_get(c->s, c->a, c->path, true, &old, &found));
	TRY(c->fn(c->ctx, c->a, found ? &old : NULL, &content));
	*c->out = (struct asset){0};
	if (!found && !content.p)
		return NULL;
	same = found && content.p && str_eq(content, old.content);
	if (found && old.read_only && !same)
		return asset_protected(c->path);
	if (!content.p) {
		TRY(asset_remove_one(c));
		return asset_prune(c->s, c->path);
	}
	now = old;
	now.updated = os_now();
	now.content = content;
	if (!same)
		now.hash = crypt_content_hash(c->a, content);
	if (!found)
		TRY(asset_begin(c, &now));
	describe(&now, c->meta);
	if (!same) {
		TRY(asset_put(c, found ? &old : NULL, &now));
		TRY(asset_prune(c->s, c->path));
	} else if (now.category != old.category || now.read_only != old.read_only ||
		   !str_eq(now.description, old.description)) {
		TRY(db_do(c->s->db, Q_ASSET_DESCRIBE, NULL, DB_S(c->path), DB_S(now.description),
			  DB_S(asset_category_name(now.category)), DB_I(now.read_only),
			  DB_I(now.updated)));
	} else {
		now = old;
	}
	*c->out = now;
	c->out->content = (struct str){0};
	return NULL;
}

struct err *asset_change(struct assets *s, struct arena *a, struct str path, const char *op,
			 const struct asset_meta *meta, asset_fn *fn, void *ctx, struct asset *out)
{
	struct asset ignored;
	struct change c = {s, a, {0}, op, meta, fn, ctx, out ? out : &ignored};

	TRY(asset_path(a, path, true, &c.path));
	return db_write(s->db, asset_change_in_txn, &c);
}

/* ---- moving ---- */

struct move {
	struct assets *s;
	struct arena *a;
	struct str from, to;
};

static struct err *asset_move_in_txn(void *ctx)
{
	struct move *m = ctx;
	struct asset from, to;
	bool found, taken;

	TRY(asset_get(m->s, m->a, m->from, false, &from, &found));
	if (!found)
		return asset_missing(m->s, m->a, m->from);
	if (from.read_only)
		return asset_protected(m->from);
	TRY(asset_get(m->s, m->a, m->to, false, &to, &taken));
	if (taken)
		return err_detail(
			err_new(E_EXISTS, "there is an asset '%.*s' already", STR_ARG(m->to)),
			"path", m->to);
	TRY(asset_move_versions(m->s, m->from, m->to));
	return db_do(m->s->db, Q_ASSET_RENAME, NULL, DB_S(m->from), DB_S(m->to));
}

struct err *asset_move(struct assets *s, struct str from, struct str to)
{
	struct arena *a = arena_new();
	struct move m = {.s = s, .a = a};
	struct err *e = asset_path(a, from, true, &m.from);

	if (!e)
		e = asset_path(a, to, true, &m.to);
	if (!e)
		e = db_write(s->db, asset_move_in_txn, &m);
	arena_free(a);
	return e;
}
