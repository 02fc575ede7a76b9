#include "deps/npm_locked.h"

/* A version, or an address from which nothing can be told. */
static bool is_version(struct str s)
{
	return s.n && s.p[0] >= '0' && s.p[0] <= '9';
}

void npm_locked_add(struct reader *r, struct npm_locked l)
{
	struct str fetched, version;
	struct dep *d;

	if (l.resolved.p && url_npm_tarball(l.resolved, &fetched, &version) &&
	    !str_eq(fetched, l.real)) {
		l.real = fetched;
		l.at = reader_span(r, l.resolved_at, l.resolved, fetched);
		l.version = version;
	}
	d = reader_add(r, l.real, l.at);
	if (!str_eq(l.real, l.name))
		d->written = l.name;
	if (is_version(l.version)) {
		d->version = l.version;
		d->locked = true;
	}
}

struct span npm_span(const struct reader *r, struct str slice)
{
	size_t from = (size_t)(slice.p - r->text.p);

	return (struct span){from, from + slice.n};
}

struct err *npm_indent(struct reader *r, struct str line, size_t *out)
{
	static const char *const marks[] = {"<<<<<<<", "|||||||", "=======", ">>>>>>>"};
	size_t n = 0;

	while (n < line.n && line.p[n] == ' ')
		n++;
	*out = n;
	if (n < line.n && line.p[n] == '\t')
		return reader_bad(r, npm_span(r, line).from + n, "a tab, where only blanks may be");
	for (size_t i = 0; !n && i < ARRAY_SIZE(marks); i++)
		if (str_starts(line, str_of(marks[i])))
			return reader_bad(r, npm_span(r, line).from,
					  "a merge conflict that nobody has resolved");
	return NULL;
}

struct str npm_bare(struct str s)
{
	if (s.n > 1 && (s.p[0] == '"' || s.p[0] == '\'') && s.p[s.n - 1] == s.p[0])
		return str_sub(s, 1, s.n - 1);
	return s;
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
