#include "deps/npm.h"

struct npm_locked {
	struct str name;         /* the name in requests */
	struct str real;         /* the name of the package itself; often the same */
	struct span at;          /* of the real name */
	struct str version;      /* the locked version; otherwise an address, or empty */
	struct str resolved;     /* where it is fetched from; p NULL: not given */
	struct span resolved_at; /* with its quotes, if it has any */
};

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
	return reader_add_unresolved(
		r, l->name, reader_string_part_span(r, l->resolved_at, l->resolved, l->resolved),
		"'%.*s' %s", STR_ARG(str_sub(l->resolved, 0, 200)), why);
}

static struct dep *locked_list(struct reader *r, const struct npm_locked *l, struct str name,
			       struct span at)
{
	struct dep *d = reader_add_dep(r, name, at);

	if (!str_eq(name, l->name))
		d->written = l->name;
	/* Anything else is an address. */
	if (l->version.n && ascii_is_digit(l->version.p[0]))
		reader_set_locked_version(d, l->version);
	return d;
}

/* A repository, or an archive outside registries: its name is a guess, listed in addition. */
static struct err *locked_address(struct reader *r, const struct npm_locked *l, struct str url)
{
	struct str guess = url_repo_name(url);
	bool archive = reader_starts_with_any_of(url, "https://|http://") &&
		       !str_holds(url, ".git#") && !str_holds(url, "://codeload.github.com/") &&
		       !str_holds(url, "://github.com/");

	if (str_eq(guess, l->real) || (archive && locked_named(url, l->real)))
		return NULL;
	if (guess.n)
		locked_list(r, l, guess,
			    reader_string_part_span(r, l->resolved_at, l->resolved, STR("")));
	return locked_unknown(r, l, "is an address, which does not name its package");
}

/* A folder's own manifest names the package; for an archive the file name is a guess. */
static struct err *locked_local(struct reader *r, const struct npm_locked *l, struct str path)
{
	struct str name;
	bool found, archive;

	path = str_sub(path, 0,
		       size_min(str_find_char(path, '#', 0), str_find(path, STR("::"), 0)));
	archive = reader_suffix_word_length(path, ".tgz|.tar.gz|.tar");
	if (archive)
		name = url_repo_name(path);
	else
		TRY(npm_package_json_name(r, path, &name, &found));
	if (!name.n || str_eq(name, l->real))
		return NULL;
	locked_list(r, l, name, reader_string_part_span(r, l->resolved_at, l->resolved, STR("")));
	return archive ? locked_unknown(r, l, "is an archive, and ikm does not open it") : NULL;
}

/*
 * The fetched address takes precedence over the entry's name. A repository, and an archive outside
 * registries, is listed by the entry's name and by its own name; it is unresolved when the names
 * differ.
 */
static struct err *npm_locked_add(struct reader *r, struct npm_locked l)
{
	struct str fetched, version, url = l.resolved.p ? url_decoded(r->a, l.resolved) : STR("");
	size_t folder;

	if (url_npm_tarball(url, &fetched, &version)) {
		fetched = npm_full_name(url, fetched, l.real);
		if (!str_eq(fetched, l.real)) {
			l.real = fetched;
			l.version = version;
			l.at = url.p == l.resolved.p ? reader_string_part_span(r, l.resolved_at,
									       l.resolved, fetched)
						     : l.resolved_at;
		}
		url = STR("");
	}
	locked_list(r, &l, l.real, l.at);
	folder = reader_starts_with_any_of(url, "file:|link:|portal:");
	if (folder)
		return locked_local(r, &l, str_sub(url, folder, url.n));
	return url_has_scheme(url) || url_is_scp(url) ||
			       reader_starts_with_any_of(url, "github:|gitlab:|bitbucket:")
		       ? locked_address(r, &l, url)
		       : NULL;
}

/* Counts leading blanks; BAD_MANIFEST for a tab and for conflict markers of a merge. */
static struct err *npm_indent(struct reader *r, struct str line, size_t *out)
{
	size_t n = 0;

	while (n < line.n && line.p[n] == ' ')
		n++;
	*out = n;
	if (n < line.n && line.p[n] == '\t')
		return reader_error_at(r, reader_slice_span(r, line).from + n,
				       "a tab, where only blanks may be");
	return str_starts(line, STR("|||||||")) ||
			       reader_starts_with_any_of(line, "<<<<<<<|=======|>>>>>>>")
		       ? reader_error_at(r, reader_slice_span(r, line).from,
					 "an unresolved merge conflict")
		       : NULL;
}

/* "NAME@workspace:…": a folder of the project, which may have any name. */
static bool npm_is_workspace(struct str descriptor)
{
	return str_holds(str_sub(descriptor, 1, descriptor.n), "@workspace:");
}

/* Splits "name@range", scoped or not; false when it has another form. */
static bool npm_split(struct str descriptor, struct str *name, struct str *range)
{
	size_t slash;

	if (!reader_split_at(descriptor, '@', 1, name, range))
		return false;
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
		TRY(reader_require_type(r, version, VAL_STR, "the version of %.*s", STR_ARG(name)));
		number = version->s;
	}
	if (alias && alias->type != VAL_NULL) {
		TRY(reader_require_type(r, alias, VAL_STR, "the name of %.*s", STR_ARG(name)));
		real = alias->s;
		at = reader_val_span(r, alias);
	} else if (str_starts(number, STR("npm:"))) {
		/* Version 1 writes an alias as "version": "npm:NAME@VERSION". */
		reader_split_at(str_sub(number, 4, number.n), '@', 1, &real, &number);
		at = reader_part_span(r, version, real);
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

		TRY(reader_require_type(r, m, VAL_MAP, "dependencies.%.*s", STR_ARG(m->key)));
		TRY(npm_lock_add(r, m, m->key, reader_key_span(r, m)));
		for (size_t i = n; i < r->out->n; i++)
			if (!r->shared.n || !name_map_get(&r->shared, locked_key(r, &r->out->p[i])))
				r->out->p[keep++] = r->out->p[i];
		r->out->n = keep;
		if (keep == n)
			r->out->unresolved.n = unresolved;
		TRY(reader_get_member(r, m, "", "dependencies", VAL_MAP, &more));
		TRY(npm_lock_nested(r, more)); /* JSON limits the depth */
	}
	return NULL;
}

struct err *npm_lock(struct reader *r)
{
	static const struct str mark = STR_INIT("node_modules/");
	struct val *top, *packages, *map, *version;
	int64_t n;

	TRY(reader_json(r, &top));
	TRY(reader_get_member(r, top, "", "lockfileVersion", VAL_NUM, &version));
	/* A future version of npm may keep its packages under other names. */
	if (version && (!str_int(version->s, &n) || n > LOCK_VERSION_MAX))
		reader_add_unresolved(r, version->s, version->at,
				      "ikm reads lockfiles up to version %d", LOCK_VERSION_MAX);
	TRY(reader_get_member(r, top, "", "packages", VAL_MAP, &packages));
	TRY(reader_get_member(r, top, "", "dependencies", VAL_MAP, &map));
	/*
	 * "node_modules/a/node_modules/@s/b" is @s/b; "packages/a" is a folder of the project, no
	 * dependency.
	 */
	VAL_EACH(packages, m) {
		const struct val *link = val_get(m, "link"), *real = NULL;
		size_t i = m->key.n;

		TRY(reader_require_type(r, m, VAL_MAP, "packages.%.*s", STR_ARG(m->key)));
		while (i && !(str_starts(str_sub(m->key, i - 1, m->key.n), mark) &&
			      (i == 1 || m->key.p[i - 2] == '/')))
			i--;
		if (!i || i - 1 + mark.n == m->key.n)
			continue;
		struct str name = str_sub(m->key, i - 1 + mark.n, m->key.n);

		TRY(npm_lock_add(r, m, name, reader_string_part_span(r, m->key_at, m->key, name)));
		/* It may be a link to a folder whose own entry has its name. */
		if (link && link->type == VAL_BOOL && link->b && reader_get_str(m, "resolved"))
			real = reader_get_str(
				reader_find_map_member(r, packages, val_get_str(m, "resolved")),
				"name");
		if (real && !str_eq(real->s, name))
			reader_add_dep_val(r, real)->written = name;
	}
	for (size_t i = 0; map && i < r->out->n; i++)
		name_map_put(r->a, &r->shared, locked_key(r, &r->out->p[i]), map);
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

	TRY(reader_require_entry_type(r, v, VAL_LIST));
	first = v->first;
	if (!first || first->type != VAL_STR || !npm_split(first->s, &l.real, &version))
		return reader_error_at(r, v->at.from, "%s has no name with a version",
				       reader_entry_name(r, v));
	if (str_starts(version, STR("workspace:")) || str_starts(version, STR("root:")))
		return NULL;
	l.at = reader_string_part_span(r, first->at, first->s, l.real);
	second = first->next;
	if (ascii_is_digit(version.n ? version.p[0] : 0)) {
		l.version = version;
		if (second && second->type == VAL_STR && second->s.n) {
			l.resolved = second->s;
			l.resolved_at = second->at;
		}
	} else {
		l.resolved = version;
		l.resolved_at = reader_string_part_span(r, first->at, first->s, version);
	}
	return npm_locked_add(r, l);
}

TREE_READER(bun_lock, jsonc, {"packages{}", .read = bun_package})

/*
 * yarn.lock, of yarn 1 and of later versions (berry). Only yarn writes it: an entry is a key
 * without indent, and members behind two blanks. So ikm reads it line by line; a line in another
 * form is an error and never skipped. Berry quotes a whole key, yarn 1 each descriptor.
 */

struct entry {
	bool open, asks; /* asks: the entry asks for a package; metadata do not */
	struct npm_locked l;
	bool own;                          /* a workspace: a folder of the project */
	bool members, version, resolution; /* the entry has had them */
};

static struct err *yarn_lock_finish(struct reader *r, struct entry *e)
{
	struct entry done = *e;

	*e = (struct entry){0};
	return done.open && done.asks && !done.own ? npm_locked_add(r, done.l) : NULL;
}

static struct err *yarn_lock_begin(struct reader *r, struct entry *e, struct str key)
{
	struct str first = str_sub(key, 0, str_find_char(key, ',', 0)), range = {"", 0}, real, rest;

	if (str_starts(key, STR("\""))) {
		first = reader_until(str_sub(key, 1, key.n), "\"");
		first = str_sub(first, 0, str_find(first, STR(", "), 0));
	}
	e->open = true;
	if (str_is(first, "__metadata"))
		return NULL;
	e->asks = true;
	if (npm_is_workspace(first)) {
		/* The resolution says whether it is a workspace. */
		e->l.name = str_sub(first, 0, str_find(first, STR("@workspace:"), 0));
	} else if (!npm_split(first, &e->l.name, &range)) {
		/* A bare address names its package. */
		e->l.name = url_repo_name(first);
		range.n = 0;
		if (!url_has_scheme(first) || !e->l.name.n)
			return reader_error_at(r, reader_slice_span(r, key).from,
					       "'%.*s' names no package",
					       STR_ARG(str_sub(first, 0, 200)));
	}
	e->l.real = e->l.name;
	if (str_starts(range, STR("npm:")) && npm_split(str_sub(range, 4, range.n), &real, &rest))
		e->l.real = real;
	e->l.at = reader_slice_span(r, e->l.real);
	return NULL;
}

/*
 * A text over several lines could look like a member and hide the real one; so a second one is an
 * error.
 */
static struct err *yarn_lock_once(struct reader *r, bool *seen, struct str line)
{
	if (*seen)
		return reader_error_at(r, reader_slice_span(r, line).from, "'%.*s' appears twice",
				       STR_ARG(str_sub(line, 0, str_find_char(line, ' ', 0))));
	*seen = true;
	return NULL;
}

static struct err *yarn_lock_member(struct reader *r, struct entry *e, struct str line)
{
	size_t blank = str_find_char(line, ' ', 0);
	struct str key = str_sub(line, 0, blank), value = str_trim(str_sub(line, blank, line.n));
	struct str name, reference;

	if (str_ends(key, STR(":")))
		key.n--;
	key = reader_unquote(key);
	if (str_is(key, "version")) {
		TRY(yarn_lock_once(r, &e->version, line));
		e->l.version = reader_unquote(value);
	} else if (str_is(key, "resolved")) {
		TRY(yarn_lock_once(r, &e->resolution, line));
		e->l.resolved = reader_unquote(value);
		e->l.resolved_at = reader_slice_span(r, value);
	} else if (str_is(key, "resolution")) {
		/* Berry: the package that the descriptors resolve to. */
		TRY(yarn_lock_once(r, &e->resolution, line));
		value = reader_unquote(value);
		e->own = npm_is_workspace(value) && !str_holds(value, "@npm:");
		if (e->own || !npm_split(value, &name, &reference))
			return NULL;
		if (!str_starts(reference, STR("npm:"))) {
			e->l.resolved = reference;
			e->l.resolved_at = reader_slice_span(r, reference);
		}
		if (!str_eq(name, e->l.real)) {
			e->l.real = name;
			e->l.at = reader_slice_span(r, name);
		}
	}
	return NULL;
}

struct err *yarn_lock(struct reader *r)
{
	struct str rest = r->text, line;
	struct entry e = {0};

	while (str_next_line(&rest, &line)) {
		bool asked = str_starts(line, STR("? "));
		size_t indent;

		TRY(npm_indent(r, line, &indent));
		if (indent == line.n || line.p[indent] == '#')
			continue;
		/* A key of over 1,024 bytes has its colon on the next line. */
		if (!indent && e.open && str_is(line, ":"))
			continue;
		if (indent && !e.open)
			return reader_error_at(r, reader_slice_span(r, line).from,
					       "a member outside an entry");
		if (indent == 1 || (indent && !e.members && indent != 2))
			return reader_error_at(
				r, reader_slice_span(r, line).from,
				"a member must stand behind two blanks, as yarn writes it");
		e.members = e.members || indent;
		if (indent == 2)
			TRY(yarn_lock_member(r, &e, str_sub(line, 2, line.n)));
		if (indent)
			continue;
		TRY(yarn_lock_finish(r, &e));
		if (!asked && !str_ends(line, STR(":")))
			return reader_bad_line(
				r, line, "is not as yarn writes it: a name@range and a colon");
		TRY(yarn_lock_begin(
			r, &e, asked ? str_sub(line, 2, line.n) : str_sub(line, 0, line.n - 1)));
	}
	return yarn_lock_finish(r, &e);
}

/*
 * pnpm-lock.yaml, versions 5 to 9. Only pnpm writes it, always in the same form. ikm reads it line
 * by line, many times faster than a YAML reader; a line in another form is an error and never
 * skipped. Only "packages" counts: it has all fetched packages by their real names. The local name
 * that an importer uses stands in its package.json.
 */

struct lock {
	struct reader *r;
	bool packages, open;      /* inside "packages"; inside an entry of it */
	bool slashes;             /* keys are /name/version: before version 6 */
	bool keyed;               /* the key has the name */
	bool members, resolution; /* the entry has had them */
	bool nested;              /* inside its resolution */
	size_t begun;             /* where the entry began */
	struct npm_locked l;
};

static struct err *pnpm_lock_finish(struct lock *k)
{
	if (!k->open)
		return NULL;
	k->open = false;
	if (!k->l.name.n)
		return reader_error_at(k->r, k->begun, "an entry that names no package");
	k->l.real = k->l.name;
	k->l.at = reader_slice_span(k->r, k->l.name);
	return npm_locked_add(k->r, k->l);
}

/* When the key has no name (a repository, an archive), the members "name" and "version" have it. */
static struct err *pnpm_lock_begin(struct lock *k, struct str key)
{
	struct str bare = reader_unquote(key), name = {"", 0}, version = {"", 0};

	k->open = true;
	k->members = k->resolution = k->nested = false;
	k->keyed = !k->slashes || str_starts(bare, STR("/"));
	k->begun = reader_slice_span(k->r, key).from;
	k->l = (struct npm_locked){0};
	if (str_holds(bare, "\\") || str_holds(bare, "''"))
		return reader_bad_line(k->r, key, "is no key as pnpm writes it");
	if (!str_take_char(&bare, '/') && k->slashes)
		/* Skip a leading registry. */
		bare = str_sub(bare, size_min(str_find_char(bare, '/', 0), bare.n - 1) + 1, bare.n);
	if (k->slashes) {
		/* "name/version_peers" */
		size_t slash = str_find_char(bare, '/', 0);

		if (str_starts(bare, STR("@")) && slash != SIZE_MAX)
			slash = str_find_char(bare, '/', slash + 1);
		if (slash != SIZE_MAX) {
			name = str_sub(bare, 0, slash);
			version = reader_until(str_sub(bare, slash + 1, bare.n), "_");
		}
	} else if (npm_split(bare, &name, &version)) {
		version = reader_until(version, "(");
	} else {
		name = version = (struct str){"", 0};
		k->keyed = false;
	}
	k->l.name = name;
	k->l.version = version;
	return NULL;
}

/* The address in "{integrity: …, tarball: ADDRESS}", or on a line of its own. */
static void read_tarball(struct lock *k, struct str line)
{
	static const struct str mark = STR_INIT("tarball: ");
	size_t at = str_find(line, mark, 0);
	struct str value;

	if (at == SIZE_MAX || (at && !strchr(" {,", line.p[at - 1])))
		return;
	value = reader_until(str_sub(line, at + mark.n, line.n), " ,}");
	k->l.resolved = reader_unquote(value);
	k->l.resolved_at = reader_slice_span(k->r, value);
}

/*
 * pnpm writes the resolution first. A text over several lines could look like a second resolution,
 * or like a name. So a second resolution is an error, and the name counts only when the key has
 * none.
 */
static struct err *pnpm_lock_member(struct lock *k, struct str line, size_t indent)
{
	size_t colon = size_min(str_find_char(line, ':', 0), line.n - 1);
	struct str key = str_sub(line, 0, colon),
		   value = str_trim(str_sub(line, colon + 1, line.n));
	bool first = !k->members;

	k->members = true;
	if (first && indent != 4)
		return reader_bad_line(k->r, line,
				       "is not as pnpm writes it: a member behind four blanks");
	if (indent != 4) {
		if (k->nested)
			read_tarball(k, line);
		return NULL;
	}
	k->nested = false;
	if (str_is(key, "resolution")) {
		if (k->resolution)
			return reader_bad_line(k->r, line, "appears twice");
		k->resolution = true;
		k->nested = first && !value.n;
		if (first)
			read_tarball(k, value);
	} else if (str_is(key, "name") && !k->keyed) {
		k->l.name = reader_unquote(value);
	} else if (str_is(key, "version") &&
		   (!k->keyed || !k->l.version.n || !strchr("0123456789", k->l.version.p[0]))) {
		k->l.version = reader_unquote(value);
	}
	return NULL;
}

static struct err *pnpm_lock_top(struct lock *k, struct str line)
{
	size_t colon = str_find_char(line, ':', 0);
	struct str key = str_sub(line, 0, colon), value;

	for (size_t i = 0; i < key.n; i++)
		if (!strchr("_-", key.p[i]) && !ascii_is_alnum(key.p[i]))
			colon = SIZE_MAX;
	if (colon == SIZE_MAX || !key.n)
		return reader_bad_line(k->r, line, "is not as pnpm writes it");
	value = str_trim(str_sub(line, colon + 1, line.n));
	k->packages = str_is(key, "packages");
	if (str_is(key, "lockfileVersion"))
		k->slashes = str_starts(reader_unquote(value), STR("5"));
	if (k->packages && value.n && !str_is(value, "{}"))
		return reader_bad_line(k->r, line, "is not as pnpm writes it: a package on a line");
	return NULL;
}

/* A line of "packages". */
static struct err *pnpm_lock_line(struct lock *k, struct str line, size_t indent)
{
	struct str rest = str_sub(line, indent, line.n);
	bool asked = str_starts(rest, STR("? "));
	size_t end;

	/* A key of over 1,024 bytes has its colon on the next line, followed by a member. */
	if (indent == 2 && k->open && str_starts(rest, STR(": ")))
		return pnpm_lock_member(k, str_sub(rest, 2, rest.n), 4);
	if (indent > 2 && k->open)
		return pnpm_lock_member(k, rest, indent);
	TRY(pnpm_lock_finish(k));
	end = str_find(rest, STR(": "), 0);
	if (indent != 2 || (!asked && !str_ends(rest, STR(":")) && end == SIZE_MAX))
		return reader_bad_line(
			k->r, line, "is not as pnpm writes it: two blanks, a package and a colon");
	if (asked)
		return pnpm_lock_begin(k, str_sub(rest, 2, rest.n));
	if (str_ends(rest, STR(":")))
		return pnpm_lock_begin(k, str_sub(rest, 0, rest.n - 1));
	TRY(pnpm_lock_begin(k, str_sub(rest, 0, end)));
	read_tarball(k, str_sub(rest, end + 2, rest.n));
	return NULL;
}

struct err *pnpm_lock(struct reader *r)
{
	struct lock k = {.r = r};
	struct str rest = r->text, line;

	while (str_next_line(&rest, &line)) {
		size_t indent;

		TRY(npm_indent(r, line, &indent));
		if (indent == line.n || line.p[indent] == '#')
			continue;
		if (indent && k.packages) {
			TRY(pnpm_lock_line(&k, line, indent));
		} else if (!indent) {
			TRY(pnpm_lock_finish(&k));
			k.packages = false;
			/* pnpm puts its own needs into a separate first document. */
			if (!str_is(line, "---"))
				TRY(pnpm_lock_top(&k, line));
		}
	}
	return pnpm_lock_finish(&k);
}
