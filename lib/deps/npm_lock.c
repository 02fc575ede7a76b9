#include "deps/npm.h"
#include "json/json.h"

/*
 * package-lock.json and npm-shrinkwrap.json, bun.lock, and what they share with the lockfiles of
 * yarn and pnpm.
 */

/* A version, as opposed to an address without one. */
static bool is_version(struct str s)
{
	return s.n && ascii_is_digit(s.p[0]);
}

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

static bool locked_is_archive(struct str url)
{
	return (str_starts(url, STR("https://")) || str_starts(url, STR("http://"))) &&
	       str_find(url, STR(".git#"), 0) == SIZE_MAX &&
	       str_find(url, STR("://codeload.github.com/"), 0) == SIZE_MAX &&
	       str_find(url, STR("://github.com/"), 0) == SIZE_MAX;
}

static void locked_unknown(struct reader *r, const struct npm_locked *l, const char *why)
{
	reader_unresolved(r, l->name, reader_span(r, l->resolved_at, l->resolved, l->resolved),
			  "'%.*s' %s", STR_ARG(str_sub(l->resolved, 0, 200)), why);
}

static struct dep *locked_list(struct reader *r, const struct npm_locked *l, struct str name,
			       struct span at)
{
	struct dep *d = reader_add(r, name, at);

	if (!str_eq(name, l->name))
		d->written = l->name;
	if (is_version(l->version)) {
		d->version = l->version;
		d->locked = true;
	}
	return d;
}

/* A repository, or an archive outside registries: its name is a guess, listed in addition. */
static void locked_address(struct reader *r, const struct npm_locked *l, struct str url)
{
	struct str guess = url_repo(url);

	if (str_eq(guess, l->real) || (locked_is_archive(url) && locked_named(url, l->real)))
		return;
	if (guess.n)
		locked_list(r, l, guess, reader_span(r, l->resolved_at, l->resolved, STR("")));
	locked_unknown(r, l, "is an address, which does not name its package");
}

/* A folder's own manifest names the package; for an archive the file name is a guess. */
static struct err *locked_local(struct reader *r, const struct npm_locked *l, struct str path)
{
	static const char *const archives[] = {".tgz", ".tar.gz", ".tar"};
	struct str name;
	bool found;

	path = str_sub(path, 0,
		       size_min(str_find_char(path, '#', 0), str_find(path, STR("::"), 0)));
	for (size_t i = 0; i < ARRAY_SIZE(archives); i++) {
		if (!str_ends(path, str_of(archives[i])))
			continue;
		name = url_repo(path);
		if (name.n && !str_eq(name, l->real)) {
			locked_list(r, l, name,
				    reader_span(r, l->resolved_at, l->resolved, STR("")));
			locked_unknown(r, l, "is an archive, and ikm does not open it");
		}
		return NULL;
	}
	TRY(npm_folder_name(r, path, &name, &found));
	if (name.n && !str_eq(name, l->real))
		locked_list(r, l, name, reader_span(r, l->resolved_at, l->resolved, STR("")));
	return NULL;
}

struct err *npm_locked_add(struct reader *r, struct npm_locked l)
{
	static const char *const folders[] = {"file:", "link:", "portal:"};
	struct str fetched, version, url = {"", 0};

	if (l.resolved.p)
		url = url_decoded(r->a, l.resolved);
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
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		struct str prefix = str_of(folders[i]);

		if (str_starts(url, prefix))
			return locked_local(r, &l, str_sub(url, prefix.n, url.n));
	}
	if (url_has_scheme(url) || url_is_scp(url) || str_starts(url, STR("github:")) ||
	    str_starts(url, STR("gitlab:")) || str_starts(url, STR("bitbucket:")))
		locked_address(r, &l, url);
	return NULL;
}

struct err *npm_indent(struct reader *r, struct str line, size_t *out)
{
	static const char *const marks[] = {"<<<<<<<", "|||||||", "=======", ">>>>>>>"};
	size_t n = 0;

	while (n < line.n && line.p[n] == ' ')
		n++;
	*out = n;
	if (n < line.n && line.p[n] == '\t')
		return reader_bad(r, reader_at(r, line).from + n,
				  "a tab, where only blanks may be");
	for (size_t i = 0; !n && i < ARRAY_SIZE(marks); i++)
		if (str_starts(line, str_of(marks[i])))
			return reader_bad(r, reader_at(r, line).from,
					  "an unresolved merge conflict");
	return NULL;
}

struct str npm_bare(struct str s)
{
	if (s.n > 1 && (s.p[0] == '"' || s.p[0] == '\'') && s.p[s.n - 1] == s.p[0])
		return str_sub(s, 1, s.n - 1);
	return s;
}

bool npm_is_workspace(struct str descriptor)
{
	size_t at = str_find(descriptor, STR("@workspace:"), 0);

	return at != SIZE_MAX && at;
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
