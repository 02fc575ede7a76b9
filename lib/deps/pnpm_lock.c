#include "deps/npm.h"

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
		return reader_bad(k->r, k->begun, "an entry that names no package");
	k->l.real = k->l.name;
	k->l.at = reader_at(k->r, k->l.name);
	return npm_locked_add(k->r, k->l);
}

/* When the key has no name (a repository, an archive), the members "name" and "version" have it. */
static struct err *pnpm_lock_begin(struct lock *k, struct str key)
{
	struct str bare = reader_bare(key), name = {"", 0}, version = {"", 0};

	k->open = true;
	k->members = k->resolution = k->nested = false;
	k->keyed = !k->slashes || str_starts(bare, STR("/"));
	k->begun = reader_at(k->r, key).from;
	k->l = (struct npm_locked){0};
	if (reader_holds(bare, "\\") || reader_holds(bare, "''"))
		return reader_bad_line(k->r, key, "is no key as pnpm writes it");
	if (str_starts(bare, STR("/")))
		bare = str_sub(bare, 1, bare.n);
	else if (k->slashes)
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
	k->l.resolved = reader_bare(value);
	k->l.resolved_at = reader_at(k->r, value);
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
		k->l.name = reader_bare(value);
	} else if (str_is(key, "version") &&
		   (!k->keyed || !k->l.version.n || !strchr("0123456789", k->l.version.p[0]))) {
		k->l.version = reader_bare(value);
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
		k->slashes = str_starts(reader_bare(value), STR("5"));
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

	while (str_line(&rest, &line)) {
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
