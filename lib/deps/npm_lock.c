#include "deps/npm.h"
#include "json/json.h"

/*
 * package-lock.json and npm-shrinkwrap.json, bun.lock, and what they share with the lockfiles of
 * yarn and pnpm.
 */

/* Whether a part of an archive's address is the name, as in addresses of registries. */
static bool locked_named(struct str url, struct str name)
{
	size_t at = 0;

	while ((at = str_find(url, name, at)) != SIZE_MAX) {
		size_t end = at + name.n;

		if (at && url.p[at - 1] == '/' && (end == url.n || strchr("/-", url.p[end])))
			return true;
		at++;
	}
	return false;
}

static struct err *locked_unknown(struct reader *r, const struct npm_locked *l, const char *why)
{
	return reader_unresolved(r, l->name,
				 reader_span(r, l->resolved_at, l->resolved, l->resolved),
				 "'%.*s' %s", STR_ARG(str_sub(l->resolved, 0, 200)), why);
}

static struct dep *locked_list(struct reader *r, const struct npm_locked *l, struct str name,
			       struct span at)
{
	struct dep *d = reader_add(r, name, at);

	if (!str_eq(name, l->name))
		d->written = l->name;
	/* Anything else is an address. */
	if (l->version.n && ascii_is_digit(l->version.p[0]))
		reader_lock(d, l->version);
	return d;
}

/* A repository, or an archive outside registries: its name is a guess, listed in addition. */
static struct err *locked_address(struct reader *r, const struct npm_locked *l, struct str url)
{
	struct str guess = url_repo(url);
	bool archive = reader_head(url, "https://|http://") && !reader_holds(url, ".git#") &&
		       !reader_holds(url, "://codeload.github.com/") &&
		       !reader_holds(url, "://github.com/");

	if (str_eq(guess, l->real) || (archive && locked_named(url, l->real)))
		return NULL;
	if (guess.n)
		locked_list(r, l, guess, reader_span(r, l->resolved_at, l->resolved, STR("")));
	return locked_unknown(r, l, "is an address, which does not name its package");
}

/* A folder's own manifest names the package; for an archive the file name is a guess. */
static struct err *locked_local(struct reader *r, const struct npm_locked *l, struct str path)
{
	struct str name;
	bool found, archive;

	path = str_sub(path, 0,
		       size_min(str_find_char(path, '#', 0), str_find(path, STR("::"), 0)));
	archive = reader_tail(path, ".tgz|.tar.gz|.tar");
	if (archive)
		name = url_repo(path);
	else
		TRY(npm_folder_name(r, path, &name, &found));
	if (!name.n || str_eq(name, l->real))
		return NULL;
	locked_list(r, l, name, reader_span(r, l->resolved_at, l->resolved, STR("")));
	return archive ? locked_unknown(r, l, "is an archive, and ikm does not open it") : NULL;
}

struct err *npm_locked_add(struct reader *r, struct npm_locked l)
{
	struct str fetched, version, url = l.resolved.p ? url_decoded(r->a, l.resolved) : STR("");
	size_t folder;

	if (url_npm_tarball(url, &fetched, &version)) {
		fetched = npm_full_name(url, fetched, l.real);
		if (!str_eq(fetched, l.real)) {
			l.real = fetched;
			l.version = version;
			l.at = url.p == l.resolved.p
				       ? reader_span(r, l.resolved_at, l.resolved, fetched)
				       : l.resolved_at;
		}
		url = STR("");
	}
	locked_list(r, &l, l.real, l.at);
	folder = reader_head(url, "file:|link:|portal:");
	if (folder)
		return locked_local(r, &l, str_sub(url, folder, url.n));
	return url_has_scheme(url) || url_is_scp(url) ||
			       reader_head(url, "github:|gitlab:|bitbucket:")
		       ? locked_address(r, &l, url)
		       : NULL;
}

struct err *npm_indent(struct reader *r, struct str line, size_t *out)
{
	size_t n = 0;

	while (n < line.n && line.p[n] == ' ')
		n++;
	*out = n;
	if (n < line.n && line.p[n] == '\t')
		return reader_bad(r, reader_at(r, line).from + n,
				  "a tab, where only blanks may be");
	return str_starts(line, STR("|||||||")) || reader_head(line, "<<<<<<<|=======|>>>>>>>")
		       ? reader_bad(r, reader_at(r, line).from, "an unresolved merge conflict")
		       : NULL;
}

bool npm_is_workspace(struct str descriptor)
{
	return reader_holds(str_sub(descriptor, 1, descriptor.n), "@workspace:");
}

bool npm_split(struct str descriptor, struct str *name, struct str *range)
{
	size_t at = str_find_char(descriptor, '@', 1), slash;

	if (at == SIZE_MAX)
		return false;
	*name = str_sub(descriptor, 0, at);
	*range = str_sub(descriptor, at + 1, descriptor.n);
	slash = str_find_char(*name, '/', 0);
	for (size_t i = 0; i < name->n; i++)
		if ((unsigned char)name->p[i] <= ' ' || strchr("\\\"':,()", name->p[i]))
			return false;
	return name->p[0] == '@' ? slash != SIZE_MAX && slash > 1 && slash + 1 < name->n
				 : slash == SIZE_MAX;
}

/*
 * ---- package-lock.json ----
 *
 * Version 1 nests "dependencies"; version 3 has a flat map "packages" of folders; version 2 has
 * both. npm 6 reads the first and npm 7 the second, so entries that only "dependencies" has are
 * listed too.
 */

#define LOCK_VERSION_MAX 3

static struct err *npm_lock_add(struct reader *r, const struct val *entry, struct str name,
				struct span at)
{
	const struct val *version = val_get(entry, "version"), *alias = val_get(entry, "name");
	const struct val *resolved = val_get(entry, "resolved");
	struct str real = name, number = {"", 0};
	struct npm_locked l;

	if (version && version->type != VAL_NULL) {
		TRY(reader_want(r, version, VAL_STR, "the version of %.*s", STR_ARG(name)));
		number = version->s;
	}
	if (alias && alias->type != VAL_NULL) {
		TRY(reader_want(r, alias, VAL_STR, "the name of %.*s", STR_ARG(name)));
		real = alias->s;
		at = reader_val_span(r, alias);
	} else if (str_starts(number, STR("npm:"))) {
		/* Version 1 writes an alias as "version": "npm:NAME@VERSION". */
		reader_cut(str_sub(number, 4, number.n), '@', 1, &real, &number);
		at = reader_part(r, version, real);
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

/* What "packages" lists is known: npm_lock_nested() lists the rest. */
static struct str locked_key(struct reader *r, const struct dep *d)
{
	return str_fmt(r->a, "%.*s@%.*s", STR_ARG(d->name), STR_ARG(d->version));
}

static struct err *npm_lock_nested(struct reader *r, const struct val *map)
{
	VAL_EACH(map, m) {
		size_t n = r->out->n, keep = n, unresolved = r->out->unresolved.n;
		struct val *more;

		TRY(reader_want(r, m, VAL_MAP, "dependencies.%.*s", STR_ARG(m->key)));
		TRY(npm_lock_add(r, m, m->key, reader_key_span(r, m)));
		for (size_t i = n; i < r->out->n; i++)
			if (!r->shared.n || !names_get(&r->shared, locked_key(r, &r->out->p[i])))
				r->out->p[keep++] = r->out->p[i];
		r->out->n = keep;
		if (keep == n)
			r->out->unresolved.n = unresolved;
		TRY(reader_member(r, m, "", "dependencies", VAL_MAP, &more));
		TRY(npm_lock_nested(r, more)); /* JSON limits the depth */
	}
	return NULL;
}

/* "node_modules/x" may be a link to a folder whose own entry has its name. */
static void npm_lock_linked(struct reader *r, const struct val *map, const struct val *m,
			    struct str name)
{
	const struct val *link = val_get(m, "link"), *real = NULL;

	if (link && link->type == VAL_BOOL && link->b && reader_get_str(m, "resolved"))
		real = reader_get_str(reader_find(r, map, val_get_str(m, "resolved")), "name");
	if (real && !str_eq(real->s, name))
		reader_add_val(r, real)->written = name;
}

/*
 * "node_modules/a/node_modules/@s/b" is @s/b; "packages/a" is a folder of the project, no
 * dependency.
 */
static struct err *npm_lock_packages(struct reader *r, const struct val *map)
{
	static const struct str mark = STR_INIT("node_modules/");

	VAL_EACH(map, m) {
		size_t i = m->key.n;

		TRY(reader_want(r, m, VAL_MAP, "packages.%.*s", STR_ARG(m->key)));
		while (i && !(str_starts(str_sub(m->key, i - 1, m->key.n), mark) &&
			      (i == 1 || m->key.p[i - 2] == '/')))
			i--;
		if (!i || i - 1 + mark.n == m->key.n)
			continue;
		struct str name = str_sub(m->key, i - 1 + mark.n, m->key.n);

		TRY(npm_lock_add(r, m, name, reader_span(r, m->key_at, m->key, name)));
		npm_lock_linked(r, map, m, name);
	}
	return NULL;
}

struct err *npm_lock(struct reader *r)
{
	struct val *top, *packages, *map, *version;
	int64_t n;

	TRY(reader_json(r, &top));
	TRY(reader_member(r, top, "", "lockfileVersion", VAL_NUM, &version));
	/* A future version of npm may keep its packages under other names. */
	if (version && (!str_int(version->s, &n) || n > LOCK_VERSION_MAX))
		reader_unresolved(r, version->s, version->at,
				  "ikm reads lockfiles up to version %d", LOCK_VERSION_MAX);
	TRY(reader_member(r, top, "", "packages", VAL_MAP, &packages));
	TRY(reader_member(r, top, "", "dependencies", VAL_MAP, &map));
	TRY(npm_lock_packages(r, packages));
	for (size_t i = 0; map && i < r->out->n; i++)
		names_set(r->a, &r->shared, locked_key(r, &r->out->p[i]), map);
	return npm_lock_nested(r, map);
}

/*
 * ---- bun.lock ----
 *
 * JSON with trailing commas and comments. "packages" has a list for each package, and its first
 * item is "NAME@VERSION", or "NAME@ADDRESS".
 */

/* The name that a project requests: the last part of a path "parent/name". */
static struct str bun_requested(struct str key)
{
	size_t slash = str_rfind_char(key, '/'), before;

	if (slash == SIZE_MAX)
		return key;
	before = str_rfind_char(str_sub(key, 0, slash), '/');
	before = before == SIZE_MAX ? 0 : before + 1;
	return key.p[before] == '@' ? str_sub(key, before, key.n) : str_sub(key, slash + 1, key.n);
}

static struct err *bun_package(struct reader *r, const struct val *v)
{
	struct npm_locked l = {.name = bun_requested(v->key)};
	struct str version;
	const struct val *first, *second;

	TRY(tree_want(r, v, VAL_LIST));
	first = v->first;
	if (!first || first->type != VAL_STR || !npm_split(first->s, &l.real, &version))
		return reader_bad(r, v->at.from, "%s has no name with a version", tree_name(r, v));
	if (str_starts(version, STR("workspace:")) || str_starts(version, STR("root:")))
		return NULL;
	l.at = reader_span(r, first->at, first->s, l.real);
	second = first->next;
	if (ascii_is_digit(version.n ? version.p[0] : 0)) {
		l.version = version;
		if (second && second->type == VAL_STR && second->s.n) {
			l.resolved = second->s;
			l.resolved_at = second->at;
		}
	} else {
		l.resolved = version;
		l.resolved_at = reader_span(r, first->at, first->s, version);
	}
	return npm_locked_add(r, l);
}

TREE_READER(bun_lock, jsonc, {"packages{}", .read = bun_package})
