/* Walks a tree by the path of a row, and lists its entries. */
#include "deps/reader.h"

const char *reader_entry_name(struct reader *r, const struct val *v)
{
	/* Only a member of an object has a key. */
	return v->key_at.to ? str_fmt(r->a, "%s%s%.*s", r->in, *r->in ? "." : "", STR_ARG(v->key)).p
			    : r->in;
}

/* named: the name of v, or of the list that v is an item of. */
static struct err *tree_want_named(struct reader *r, const struct val *v, const char *named,
				   enum val_type type)
{
	return reader_require_type(r, v, type, "%s%s", v->key_at.to || !*named ? "" : "an item of ",
				   named);
}

struct err *reader_require_entry_type(struct reader *r, const struct val *v, enum val_type type)
{
	return v->type == type ? NULL : tree_want_named(r, v, reader_entry_name(r, v), type);
}

static struct err *tree_check(struct reader *r, const struct tree_row *row, const struct val *v)
{
	bool object = row->version || row->name;

	if ((object && v->type == VAL_MAP) || (row->is & TREE_TEXT && reader_is_text(v)) ||
	    (row->is & TREE_NULL && v->type == VAL_NULL))
		return NULL;
	if (!(object && row->is & TREE_TEXT))
		return reader_require_entry_type(r, v, object ? VAL_MAP : VAL_STR);
	return reader_error_at(r, v->at.from, "%s%s is %s, and must be a string or an object",
			       v->key_at.to ? "" : "an item of ", reader_entry_name(r, v),
			       val_type_name(v->type));
}

/* A member that is a text, if it is there. */
static struct err *tree_member(struct reader *r, const struct val *v, const char *key,
			       const struct val **out)
{
	*out = key ? val_get(v, key) : NULL;
	if (*out && (*out)->type == VAL_NULL)
		*out = NULL;
	return !*out || reader_is_text(*out) ? NULL
					     : reader_require_type(r, *out, VAL_STR, "%s%s%s",
								   r->in, *r->in ? "." : "", key);
}

static struct err *tree_entry(struct reader *r, const struct tree_row *row, const struct val *v)
{
	const struct val *name = NULL, *version, *real;
	struct str member, value;
	struct dep *d;

	if (row->read)
		return row->read(r, v);
	if (row->runtime) {
		if (v->type == VAL_STR)
			reader_add_runtime(r, str_of(row->runtime), v->key, v->s,
					   reader_key_span(r, v));
		return NULL;
	}
	TRY(tree_check(r, row, v));
	TRY(tree_member(r, v, row->name, &name));
	TRY(tree_member(r, v, row->version, &version));
	if (reader_is_text(v))
		*(row->name ? &name : &version) = v;
	if ((row->name && !name) || (row->is & TREE_WHOLE && !version))
		return reader_error_at(r, v->at.from, "a package has no %s",
				       row->name && !name ? "name" : "version");
	if (row->own) {
		reader_split_at(str_of(row->own), '=', 0, &member, &value);
		TRY(tree_member(r, v, str_c(r->a, member), &real));
		if (real && str_ieq(real->s, value))
			return NULL;
	}
	if (row->skip && row->skip(r, v))
		return NULL;
	d = name ? reader_add_dep_val(r, name) : reader_add_dep_key(r, v);
	if (row->ecosystem != DEPS_UNKNOWN) {
		d->ecosystem = row->ecosystem;
		reader_set_real_name(r, d, d->name, d->at);
	}
	if (version && !(row->any && str_is(version->s, row->any)))
		d->version = version->s;
	d->locked = row->is & TREE_LOCKED && d->version.n;
	if (row->is & TREE_DIRECT)
		d->reach = DEPS_DIRECT;
	real = row->real ? reader_get_str(v, row->real) : NULL;
	if (real)
		reader_set_real_name(r, d, real->s, reader_val_span(r, real));
	return row->each ? row->each(r, v, d) : NULL;
}

/* v: what `path` begins at; `named` is its name. */
static struct err *tree_walk(struct reader *r, const struct tree_row *row, const struct val *v,
			     const char *path, const char *named)
{
	size_t n = strcspn(path, ".{[*");
	bool list;

	if (!*path)
		return tree_entry(r, row, v);
	r->in = named;
	if (n) {
		TRY(tree_want_named(r, v, named, VAL_MAP));
		v = val_get_key(v, (struct str){path, n});
		path += n + (path[n] == '.');
		return !v || v->type == VAL_NULL
			       ? NULL
			       : tree_walk(r, row, v, path, *path ? reader_entry_name(r, v) : NULL);
	}
	list = *path == '[' || (*path == '*' && v->type == VAL_LIST);
	/* npm and Composer take an empty list for an empty object, which PHP writes so. */
	if (*path == '{' && v->type == VAL_LIST && !v->n &&
	    (r->ecosystem == DEPS_NPM || r->ecosystem == DEPS_COMPOSER))
		return NULL;
	TRY(tree_want_named(r, v, named, list ? VAL_LIST : VAL_MAP));
	path += *path == '*' ? 1 : 2;
	path += *path == '.';
	VAL_EACH(v, m) {
		r->in = named;
		TRY(tree_walk(r, row, m, path, *path ? reader_entry_name(r, m) : NULL));
	}
	return NULL;
}

struct err *reader_read_deps_by_table(struct reader *r, const struct val *v,
				      const struct tree_row *rows, size_t n)
{
	const char *in = r->in, *named = reader_entry_name(r, v);

	for (size_t i = 0; i < n; i++) {
		r->in = in;
		TRY(tree_walk(r, &rows[i], v, rows[i].path, named));
	}
	r->in = in;
	return NULL;
}
