#include "deps/reader.h"

bool url_has_scheme(struct str s)
{
	size_t i = 0;

	while (i < s.n &&
	       (ascii_is_alnum(s.p[i]) || s.p[i] == '+' || s.p[i] == '-' || s.p[i] == '.'))
		i++;
	return i && str_starts(str_sub(s, i, s.n), STR("://"));
}

bool url_is_scp(struct str s)
{
	size_t at = str_find_char(s, '@', 0), colon = str_find_char(s, ':', 0);

	return at != SIZE_MAX && at && colon != SIZE_MAX && at < colon && colon + 1 < s.n &&
	       str_find_char(str_sub(s, 0, colon), '/', 0) == SIZE_MAX;
}

/* Removes query and fragment. */
static struct str url_bare(struct str url)
{
	return reader_until(url, "#?");
}

static struct str url_last_part(struct str path)
{
	for (size_t i = path.n; i-- > 0;)
		if (path.p[i] == '/' || path.p[i] == ':')
			return str_sub(path, i + 1, path.n);
	return path;
}

struct str url_decoded(struct arena *a, struct str url)
{
	struct buf b;
	uint32_t c;

	if (str_find_char(url, '%', 0) == SIZE_MAX)
		return url;
	b = buf_in(a);
	for (size_t i = 0; i < url.n; i++) {
		if (url.p[i] == '%' && i + 2 < url.n &&
		    str_parse_hex(str_sub(url, i + 1, i + 3), &c) && c) {
			buf_putc(&b, (char)c);
			i += 2;
		} else {
			buf_putc(&b, url.p[i]);
		}
	}
	return buf_as_str(&b);
}

/* Some registries leave the @ of the scope out of their addresses. */
struct str npm_full_name(struct str url, struct str name, struct str recorded)
{
	size_t slash = str_find_char(recorded, '/', 0), from = (size_t)(name.p - url.p);
	struct str before = str_sub(url, 0, from), scope = str_sub(recorded, 1, slash + 1);

	if (slash == SIZE_MAX || recorded.p[0] != '@' || name.p[0] == '@' ||
	    !str_eq(str_sub(recorded, slash + 1, recorded.n), name) || !str_ends(before, scope))
		return name;
	before.n -= scope.n;
	return str_ends(before, STR("/")) ? recorded : name;
}

bool url_npm_tarball(struct str url, struct str *name, struct str *version)
{
	size_t dash = str_find(url, STR("/-/"), 0), from;
	struct str file, base, before;

	if (dash == SIZE_MAX)
		return false;
	before = str_sub(url, 0, dash);
	base = url_last_part(before);
	from = dash - base.n;
	if (!base.n || !from || base.p[0] == '@')
		return false;
	file = url_last_part(url_bare(url));
	/* GitLab's archives have /-/ too, but not the package name before the file name. */
	if (file.n <= base.n + 5 || !str_starts(file, base) || file.p[base.n] != '-' ||
	    !str_ends(file, STR(".tgz")))
		return false;
	*version = str_sub(file, base.n + 1, file.n - 4);
	before = url_last_part(str_sub(url, 0, from - 1));
	if (before.n > 1 && before.p[0] == '@')
		from -= before.n + 1;
	*name = str_sub(url, from, dash);
	return true;
}

/* Removes the suffix of an archive; false when it has none. */
static bool archive_stem(struct str file, struct str *stem)
{
	size_t end = reader_suffix_word_length(file,
					       ".tar.gz|.tgz|.zip|.tar.bz2|.tbz|.whl|.tar.xz|.tar");

	*stem = str_sub(file, 0, file.n - (end < file.n ? end : 0));
	return end && end < file.n;
}

/* "foo-bar-1.2" is foo-bar and 1.2: splits at the last dash before a digit. */
static bool split_version(struct str stem, struct str *name, struct str *version)
{
	for (size_t i = stem.n; i-- > 1;)
		if (stem.p[i] == '-' && i + 1 < stem.n && ascii_is_digit(stem.p[i + 1])) {
			*name = str_sub(stem, 0, i);
			*version = str_sub(stem, i + 1, stem.n);
			return true;
		}
	return false;
}

struct str url_repo_name(struct str url)
{
	/* Path parts between a repository and the archive of one of its commits. */
	static const char *const marks[] = {"/-/",      "/archive/", "/tarball/",  "/zipball/",
					    "/tar.gz/", "/zip/",     "/releases/", "/tree/"};
	struct str part, stem, version;
	size_t path, at;

	url = url_bare(url);
	path = str_find(url, STR("://"), 0);
	path = path == SIZE_MAX ? str_find_char(url, ':', 0) : str_find_char(url, '/', path + 3);
	if (path == SIZE_MAX)
		path = 0;
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		at = str_find(url, str_of(marks[i]), path);
		if (at != SIZE_MAX && at > path)
			url = str_sub(url, 0, at);
	}
	at = str_find_char(url, '@', path); /* pip's …/repo.git@revision */
	if (at != SIZE_MAX)
		url = str_sub(url, 0, at);
	while (url.n && url.p[url.n - 1] == '/')
		url.n--;
	part = url_last_part(url);
	if (part.n > 4 && str_ends(part, STR(".git")))
		return str_sub(part, 0, part.n - 4);
	if (archive_stem(part, &stem) && split_version(stem, &part, &version))
		return part;
	return stem;
}

bool url_pypi_file(struct str url, struct str *name, struct str *version)
{
	struct str file = url_last_part(url_bare(url)), stem;
	size_t one, two;

	if (!archive_stem(file, &stem))
		return false;
	if (!str_ends(file, STR(".whl")))
		return split_version(stem, name, version);
	one = str_find_char(stem, '-', 0);
	two = one == SIZE_MAX ? one : str_find_char(stem, '-', one + 1);
	if (!one || two == SIZE_MAX)
		return false;
	*name = str_sub(stem, 0, one);
	*version = str_sub(stem, one + 1, two);
	return true;
}

bool url_repo_address(struct arena *a, struct str url, struct str *name)
{
	size_t at = str_find(url, STR("://"), 0), slash;
	struct str s = url;

	if (at != SIZE_MAX) {
		struct str scheme = str_sub(s, 0, at), host;
		size_t port;

		/* git+https://, git::https:// */
		scheme = str_sub(
			scheme,
			size_max(str_rfind_char(scheme, '+') + 1, str_rfind_char(scheme, ':') + 1),
			scheme.n);
		s = str_sub(s, at + 3, s.n);
		at = str_find_char(reader_until(s, "/"), '@', 0);
		s = at == SIZE_MAX ? s : str_sub(s, at + 1, s.n);
		/* "host:443/path" of https is "host/path": a port would hide the name from rules.
		 */
		host = reader_until(s, "/");
		scheme = str_lower(a, scheme);
		port = reader_suffix_word_length(host, str_is(scheme, "https")  ? ":443"
						       : str_is(scheme, "http") ? ":80"
						       : str_is(scheme, "ssh")  ? ":22"
						       : str_is(scheme, "git")  ? ":9418"
										: "");
		if (port)
			s = str_fmt(a, "%.*s%.*s", STR_ARG(str_sub(host, 0, host.n - port)),
				    STR_ARG(str_sub(s, host.n, s.n)));
	} else if (url_is_scp(s)) {
		struct str path;

		reader_split_at(str_sub(s, str_find_char(s, '@', 0) + 1, s.n), ':', 0, &s, &path);
		s = str_fmt(a, "%.*s/%.*s", STR_ARG(s), STR_ARG(path));
	} else {
		return false;
	}
	while (str_ends(s, STR("/")))
		s.n--;
	s.n -= reader_suffix_word_length(s, ".git");
	slash = str_rfind_char(s, '/');
	if (slash == SIZE_MAX || slash + 1 == s.n)
		return false;
	*name = s;
	return true;
}
