#include "deps/reader.h"

/*
 * Cargo.lock, versions 1 to 4. Packages without a source are folders of this project. They are
 * listed when another package depends on them; otherwise they are the project itself.
 */

struct local {
	struct str name;
	bool needed;
};

struct locals {
	struct local *p;
	size_t n, cap;
};

static int cargo_lock_by_name(const void *a, const void *b)
{
	return str_cmp(((const struct local *)a)->name, ((const struct local *)b)->name);
}

static struct local *local_of(const struct locals *v, struct str name)
{
	struct local key = {name, false};

	return v->n ? bsearch(&key, v->p, v->n, sizeof(*v->p), cargo_lock_by_name) : NULL;
}

/* Sorted, each name once: two folders may hold packages of one name. */
static void cargo_lock_settle(struct locals *v)
{
	size_t n = 0;

	if (v->n)
		qsort(v->p, v->n, sizeof(*v->p), cargo_lock_by_name);
	for (size_t i = 0; i < v->n; i++)
		if (!n || cargo_lock_by_name(&v->p[n - 1], &v->p[i]))
			v->p[n++] = v->p[i];
	v->n = n;
}

/* "name", "name version" or "name version (source)" */
static struct err *cargo_lock_mark(struct reader *r, const struct val *package,
				   const struct locals *v)
{
	struct val *list;

	TRY(reader_member(r, package, "package", "dependencies", VAL_LIST, &list));
	VAL_EACH(list, d) {
		struct local *l;

		TRY(reader_want(r, d, VAL_STR, "an item of package.dependencies"));
		l = local_of(v, str_sub(d->s, 0, str_find_char(d->s, ' ', 0)));
		if (l)
			l->needed = true;
	}
	return NULL;
}

static struct err *cargo_lock_add(struct reader *r, const struct val *package,
				  const struct locals *v)
{
	struct val *name, *version, *source;
	struct dep *d;

	TRY(reader_member(r, package, "package", "name", VAL_STR, &name));
	TRY(reader_member(r, package, "package", "version", VAL_STR, &version));
	TRY(reader_member(r, package, "package", "source", VAL_STR, &source));
	if (!name || !version)
		return reader_bad(r, package->at.from, "a package has no %s",
				  name ? "version" : "name");
	if (!source) {
		const struct local *l = local_of(v, name->s);

		if (!l || !l->needed)
			return NULL;
	}
	d = reader_add(r, name->s, reader_span(r, name->at, name->s, name->s));
	d->version = version->s;
	d->locked = true;
	return NULL;
}

struct err *cargo_lock(struct reader *r)
{
	struct val *top, *packages, *root;
	struct locals locals = {0};

	TRY(reader_toml(r, &top));
	TRY(reader_member(r, top, "", "package", VAL_LIST, &packages));
	TRY(reader_member(r, top, "", "root", VAL_MAP,
			  &root)); /* the oldest form has the project in this member */
	VAL_EACH(packages, p) {
		TRY(reader_want(r, p, VAL_MAP, "package"));
		if (!val_get(p, "source"))
			VEC_PUSH(r->a, &locals)->name = val_get_str(p, "name");
	}
	cargo_lock_settle(&locals);
	TRY(cargo_lock_mark(r, root, &locals));
	VAL_EACH(packages, p)
		TRY(cargo_lock_mark(r, p, &locals));
	VAL_EACH(packages, p)
		TRY(cargo_lock_add(r, p, &locals));
	return NULL;
}
