/*
 * The backend of stored assets. What is read, the record and the write are one transaction: an
 * error anywhere, the record's included, leaves everything as it was.
 */
#include "file/backend.h"

/* Not there: with the nearest names, and with the one that only lacks its ".md". */
static struct err *file_asset_missing(struct assets *s, struct arena *a, struct str path)
{
	struct str uri = asset_uri(a, path), other;
	struct err *e;

	TRY(asset_resolve(s, a, path, &other));
	e = err_new(E_NO_SUCH_ASSET, "there is no stored asset '%.*s'", STR_ARG(uri));
	err_detail(e, "path", uri);
	if (str_eq(other, path))
		return e;
	other = asset_uri(a, other);
	return err_help(e, "did you mean '%.*s'?", STR_ARG(other));
}

static struct err *get_stat(struct files *f, struct arena *a, struct str path,
			    struct file_stat *out)
{
	struct asset_list below = {0};
	struct asset asset;
	bool found;

	*out = (struct file_stat){.kind = OS_NONE};
	TRY(asset_get(f->assets, a, path, false, &asset, &found));
	if (found) {
		*out = (struct file_stat){OS_FILE, (uint64_t)asset.size, 0};
		return NULL;
	}
	/* A folder is there as long as something is in it. */
	TRY(asset_each(f->assets, a, path, &below));
	if (below.n || !path.n)
		out->kind = OS_DIR;
	return NULL;
}

static struct err *get_content(struct files *f, struct arena *a, struct str path, size_t max,
			       struct str *out)
{
	struct file_stat st;
	struct asset asset;
	struct str uri;
	bool found;

	TRY(asset_get(f->assets, a, path, true, &asset, &found));
	if (!found) {
		TRY(get_stat(f, a, path, &st));
		uri = asset_uri(a, path);
		if (st.kind == OS_DIR)
			return err_new(E_NOT_A_FILE, "'%.*s' is a folder, not a regular file",
				       STR_ARG(uri));
		return file_asset_missing(f->assets, a, path);
	}
	if (asset.content.n > max)
		return err_detail_int(err_new(E_TOO_BIG, "'%.*s' is over the limit of %zu bytes",
					      STR_ARG(asset_uri(a, path)), max),
				      "limit", (int64_t)size_min(max, INT64_MAX));
	*out = asset.content;
	return NULL;
}

static struct err *store_stat(struct files *f, struct str path, struct file_stat *out)
{
	struct arena *a = arena_new();
	struct err *e = get_stat(f, a, path, out);

	arena_free(a);
	return e;
}

/* ---- changing ---- */

struct job {
	struct files *f;
	struct arena *a;
	struct str path, to;
	const struct backend_change *change;
	const struct backend_move *move;
	struct str new;
};

static struct err *file_asset_give(void *ctx, struct arena *a, const struct asset *old,
				   struct str *new)
{
	struct job *j = ctx;

	(void)a;
	(void)old;
	*new = j->new;
	return NULL;
}

/* A name is a file's or a folder's, as on a disk: what lists and walks must not meet both. */
static struct err *check_new(struct job *j, struct str path)
{
	struct asset_list below = {0};
	struct asset above;
	bool there;

	TRY(asset_each(j->f->assets, j->a, path, &below));
	if (below.n)
		return err_new(E_NOT_A_FILE, "'%.*s' is a folder, not a regular file",
			       STR_ARG(asset_uri(j->a, path)));
	for (size_t i = 0; (i = str_find_char(path, '/', i)) != SIZE_MAX; i++) {
		struct str folder = str_sub(path, 0, i);

		TRY(asset_get(j->f->assets, j->a, folder, false, &above, &there));
		if (there)
			return err_new(E_EXISTS,
				       "cannot make the folder '%.*s': a file has this "
				       "name",
				       STR_ARG(asset_uri(j->a, folder)));
	}
	return NULL;
}

static struct err *check_free(struct job *j, struct str path)
{
	struct asset other;
	bool there;

	TRY(asset_get(j->f->assets, j->a, path, false, &other, &there));
	if (there)
		return err_detail(
			err_new(E_EXISTS, "'%.*s' exists already", STR_ARG(asset_uri(j->a, path))),
			"path", asset_uri(j->a, path));
	return check_new(j, path);
}

static struct err *file_asset_change_in(void *ctx)
{
	struct job *j = ctx;
	const struct backend_change *c = j->change;
	struct asset old;
	bool there;

	TRY(asset_get(j->f->assets, j->a, j->path, true, &old, &there));
	TRY(c->fn(c->ctx, j->a, there ? &old.content : NULL, &j->new));
	if (there == (j->new.p != NULL) && (!there || str_eq(old.content, j->new)))
		return NULL;
	if (!there)
		TRY(check_new(j, j->path));
	TRY(c->begin(c->ctx, j->a, asset_uri(j->a, j->path), there ? &old.content : NULL, 0, 0));
	TRY(asset_change(j->f->assets, j->a, j->path, c->op, NULL, file_asset_give, j, NULL));
	return c->end(c->ctx, j->a, NULL);
}

static struct err *store_change(struct files *f, struct str path, const struct backend_change *c,
				struct strs *warnings)
{
	struct arena *a = arena_new();
	struct job j = {.f = f, .a = a, .path = path, .change = c};
	struct err *e = db_write(f->assets->db, file_asset_change_in, &j);

	(void)warnings;
	arena_free(a);
	return e;
}

static struct err *file_asset_move_in(void *ctx)
{
	struct job *j = ctx;
	const struct backend_move *m = j->move;
	struct str content;

	TRY(get_content(j->f, j->a, j->path, FILE_BYTES_MAX, &content));
	TRY(check_free(j, j->to));
	if (m->begin)
		TRY(m->begin(m->ctx, j->a, asset_uri(j->a, j->path), asset_uri(j->a, j->to),
			     content, 0, &j->new));
	TRY(asset_move(j->f->assets, j->path, j->to));
	if (j->new.p)
		TRY(asset_change(j->f->assets, j->a, j->to, m->op, NULL, file_asset_give, j, NULL));
	return m->end(m->ctx, j->a, NULL);
}

static struct err *store_move(struct files *f, struct str from, struct str to,
			      const struct backend_move *m)
{
	struct arena *a = arena_new();
	struct job j = {.f = f, .a = a, .path = from, .to = to, .move = m};
	struct err *e = db_write(f->assets->db, file_asset_move_in, &j);

	arena_free(a);
	return e;
}

/* There are no folders but those that an asset is in. */
static struct err *store_mkdir(struct files *f, struct str path, bool *made)
{
	struct file_stat st;

	*made = false;
	TRY(store_stat(f, path, &st));
	if (st.kind == OS_FILE)
		return err_new(E_EXISTS,
			       "cannot make the folder '" ASSET_SCHEME "/%.*s': a file "
			       "has this name",
			       STR_ARG(path));
	return NULL;
}

const struct backend backend_asset = {
	.name = "asset",
	.stat = store_stat,
	.read = get_content,
	.change = store_change,
	.tree = backend_asset_tree,
	.mkdir = store_mkdir,
	.move = store_move,
};
