#include "deps/npm_locked.h"

/*
 * package-lock.json and npm-shrinkwrap.json. Version 1 nests "dependencies"; version 3 has a flat
 * map "packages" of folders; version 2 has both. npm 6 reads the first and npm 7 the second, so
 * entries that only "dependencies" has are listed too.
 */

#define LOCK_VERSION_MAX 3

static struct err *npm_lock_add(struct reader *r, const struct val *entry, struct str name,
				struct span at)
{
	const struct val *version = val_get(entry, "version"), *alias = val_get(entry, "name");
	const struct val *resolved = val_get(entry, "resolved");
	struct str real = name, number = {"", 0};
	struct npm_locked l;
	size_t i;

	if (version && version->type != VAL_NULL) {
		TRY(reader_want(r, version, VAL_STR, "the version of %.*s", STR_ARG(name)));
		number = version->s;
	}
	if (alias && alias->type != VAL_NULL) {
		TRY(reader_want(r, alias, VAL_STR, "the name of %.*s", STR_ARG(name)));
		real = alias->s;
		at = reader_span(r, alias->at, alias->s, alias->s);
	} else if (str_starts(number, STR("npm:"))) {
		/* Version 1 writes an alias as "version": "npm:NAME@VERSION". */
		i = str_find_char(number, '@', 5);
		real = str_sub(number, 4, i);
		at = reader_span(r, version->at, version->s, real);
		number = i == SIZE_MAX ? STR("") : str_sub(number, i + 1, number.n);
	}
	l = (struct npm_locked){name, real, at, number, {0}, {0}};
	/* Version 1 has an address in the place of the version. */
	if (version && !resolved && str_find_char(number, ':', 0) != SIZE_MAX)
		resolved = version;
	if (resolved && resolved->type == VAL_STR) {
		l.resolved = resolved->s;
		l.resolved_at = resolved->at;
	}
	return npm_locked_add(r, l);
}

static int lock_cmp(const void *a, const void *b)
{
	const struct dep *x = a, *y = b;
	int c = str_cmp(x->name, y->name);

	return c ? c : str_cmp(x->version, y->version);
}

/* Removes entries added since n that the sorted entries of "packages" already have. */
static void drop_known(struct reader *r, const struct deps *known, size_t n, size_t unresolved)
{
	size_t keep = n;

	if (!known)
		return;
	for (size_t i = n; i < r->out->n; i++)
		if (!known->n ||
		    !bsearch(&r->out->p[i], known->p, known->n, sizeof(*known->p), lock_cmp))
			r->out->p[keep++] = r->out->p[i];
	if (keep == n)
		r->out->unresolved.n = unresolved;
	r->out->n = keep;
}

static struct err *npm_lock_nested(struct reader *r, const struct val *map,
				   const struct deps *known)
{
	VAL_EACH(map, m) {
		size_t n = r->out->n, unresolved = r->out->unresolved.n;
		struct val *more;

		TRY(reader_want(r, m, VAL_MAP, "dependencies.%.*s", STR_ARG(m->key)));
		TRY(npm_lock_add(r, m, m->key, reader_key_span(r, m)));
		drop_known(r, known, n, unresolved);
		TRY(reader_member(r, m, "", "dependencies", VAL_MAP, &more));
		TRY(npm_lock_nested(r, more, known)); /* JSON limits the depth */
	}
	return NULL;
}

/*
 * "node_modules/a/node_modules/@s/b" is @s/b; "packages/a" is a folder of the project, no
 * dependency.
 */
static struct str package_of(struct str folder)
{
	static const char mark[] = "node_modules/";
	size_t n = sizeof(mark) - 1;

	for (size_t i = folder.n; i-- > 0;)
		if (str_starts(str_sub(folder, i, folder.n), STR("node_modules/")) &&
		    (!i || folder.p[i - 1] == '/'))
			return str_sub(folder, i + n, folder.n);
	return (struct str){"", 0};
}

/* "node_modules/x" may be a link to a folder whose own entry has its name. */
static struct err *add_linked(struct reader *r, const struct val *map, const struct val *m,
			      struct str name)
{
	const struct val *link = val_get(m, "link"), *to = val_get(m, "resolved"), *real;
	struct dep *d;

	if (!link || link->type != VAL_BOOL || !link->b || !to || to->type != VAL_STR)
		return NULL;
	real = val_get(reader_find(r, map, to->s), "name");
	if (!real || real->type != VAL_STR || str_eq(real->s, name))
		return NULL;
	d = reader_add(r, real->s, reader_span(r, real->at, real->s, real->s));
	d->written = name;
	return NULL;
}

static struct err *read_packages(struct reader *r, const struct val *map)
{
	VAL_EACH(map, m) {
		struct str name = package_of(m->key);

		TRY(reader_want(r, m, VAL_MAP, "packages.%.*s", STR_ARG(m->key)));
		if (!name.n)
			continue;
		TRY(npm_lock_add(r, m, name, reader_span(r, m->key_at, m->key, name)));
		TRY(add_linked(r, map, m, name));
	}
	return NULL;
}

/* A future version of npm may keep its packages under other names. */
static struct err *version_known(struct reader *r, const struct val *top)
{
	struct val *v;
	int64_t n;

	TRY(reader_member(r, top, "", "lockfileVersion", VAL_NUM, &v));
	if (v && (!str_int(v->s, &n) || n > LOCK_VERSION_MAX))
		reader_unresolved(r, v->s, v->at, "ikm reads lockfiles up to version %d",
				  LOCK_VERSION_MAX);
	return NULL;
}

struct err *npm_lock(struct reader *r)
{
	struct val *top, *packages, *map;
	struct deps known = {0};

	TRY(reader_json(r, &top));
	TRY(version_known(r, top));
	TRY(reader_member(r, top, "", "packages", VAL_MAP, &packages));
	TRY(reader_member(r, top, "", "dependencies", VAL_MAP, &map));
	if (!packages)
		return npm_lock_nested(r, map, NULL);
	TRY(read_packages(r, packages));
	if (!map || !r->out->n)
		return npm_lock_nested(r, map, NULL);
	known.n = r->out->n;
	known.p = arena_array(r->a, known.n, sizeof(*known.p));
	memcpy(known.p, r->out->p, known.n * sizeof(*known.p));
	qsort(known.p, known.n, sizeof(*known.p), lock_cmp);
	return npm_lock_nested(r, map, &known);
}
