#include "deps/npm_locked.h"
#include "deps/npm_spec.h"

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
