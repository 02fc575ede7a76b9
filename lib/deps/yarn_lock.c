#include "deps/npm.h"

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
		e->l.name = url_repo(first);
		range.n = 0;
		if (!url_has_scheme(first) || !e->l.name.n)
			return reader_bad(r, reader_at(r, key).from, "'%.*s' names no package",
					  STR_ARG(str_sub(first, 0, 200)));
	}
	e->l.real = e->l.name;
	if (str_starts(range, STR("npm:")) && npm_split(str_sub(range, 4, range.n), &real, &rest))
		e->l.real = real;
	e->l.at = reader_at(r, e->l.real);
	return NULL;
}

/*
 * A text over several lines could look like a member and hide the real one; so a second one is an
 * error.
 */
static struct err *yarn_lock_once(struct reader *r, bool *seen, struct str line)
{
	if (*seen)
		return reader_bad(r, reader_at(r, line).from, "'%.*s' appears twice",
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
	key = reader_bare(key);
	if (str_is(key, "version")) {
		TRY(yarn_lock_once(r, &e->version, line));
		e->l.version = reader_bare(value);
	} else if (str_is(key, "resolved")) {
		TRY(yarn_lock_once(r, &e->resolution, line));
		e->l.resolved = reader_bare(value);
		e->l.resolved_at = reader_at(r, value);
	} else if (str_is(key, "resolution")) {
		/* Berry: the package that the descriptors resolve to. */
		TRY(yarn_lock_once(r, &e->resolution, line));
		value = reader_bare(value);
		e->own = npm_is_workspace(value) && !reader_holds(value, "@npm:");
		if (e->own || !npm_split(value, &name, &reference))
			return NULL;
		if (!str_starts(reference, STR("npm:"))) {
			e->l.resolved = reference;
			e->l.resolved_at = reader_at(r, reference);
		}
		if (!str_eq(name, e->l.real)) {
			e->l.real = name;
			e->l.at = reader_at(r, name);
		}
	}
	return NULL;
}

struct err *yarn_lock(struct reader *r)
{
	struct str rest = r->text, line;
	struct entry e = {0};

	while (str_line(&rest, &line)) {
		bool asked = str_starts(line, STR("? "));
		size_t indent;

		TRY(npm_indent(r, line, &indent));
		if (indent == line.n || line.p[indent] == '#')
			continue;
		/* A key of over 1,024 bytes has its colon on the next line. */
		if (!indent && e.open && str_is(line, ":"))
			continue;
		if (indent && !e.open)
			return reader_bad(r, reader_at(r, line).from, "a member outside an entry");
		if (indent == 1 || (indent && !e.members && indent != 2))
			return reader_bad(
				r, reader_at(r, line).from,
				"a member must stand behind two blanks, as yarn writes it");
		e.members = e.members || indent;
		if (indent == 2)
			TRY(yarn_lock_member(r, &e, str_sub(line, 2, line.n)));
		if (indent)
			continue;
		TRY(yarn_lock_finish(r, &e));
		if (!asked && !str_ends(line, STR(":")))
			return reader_bad(
				r, reader_at(r, line).from,
				"'%.*s' is not as yarn writes it: a name@range and a colon",
				STR_ARG(str_sub(line, 0, 200)));
		TRY(yarn_lock_begin(
			r, &e, asked ? str_sub(line, 2, line.n) : str_sub(line, 0, line.n - 1)));
	}
	return yarn_lock_finish(r, &e);
}
