#include "deps/pypi.h"

struct origin origin_of(const struct reader *r, const struct val *v)
{
	struct span in = reader_span(r, v->at, v->s, v->s);

	return (struct origin){v->s, in, in.to - in.from == v->s.n};
}

static struct span span_in(const struct origin *o, struct str part)
{
	size_t from;

	if (!o->exact)
		return o->at;
	from = o->at.from + (size_t)(part.p - o->whole.p);
	return (struct span){from, from + part.n};
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static struct str skip_blanks(struct str s)
{
	while (s.n && is_blank(s.p[0]))
		s.p++, s.n--;
	return s;
}

/* pip's ${NAME}, or what begins like one; an empty string when there is none. */
static struct str variable(struct str s)
{
	size_t at = str_find(s, STR("${"), 0), end;

	if (at == SIZE_MAX)
		return STR("");
	end = str_find_char(s, '}', at);
	return str_sub(s, at, end == SIZE_MAX ? s.n : end + 1);
}

/* Behind what may still be part of a name. */
static bool begins_with_variable(struct str s)
{
	while (s.n && (s.p[0] == '-' || s.p[0] == '_' || s.p[0] == '.'))
		s = str_sub(s, 1, s.n);
	return str_starts(s, STR("${"));
}

/* The longest run that can be a name; PEP 508 wants a letter or digit at both ends. */
static struct str take_name(struct str *s)
{
	size_t n = 0;

	if (!s->n || !is_alnum(s->p[0]))
		return (struct str){"", 0};
	while (n < s->n &&
	       (is_alnum(s->p[n]) || s->p[n] == '-' || s->p[n] == '_' || s->p[n] == '.'))
		n++;
	while (!is_alnum(s->p[n - 1]))
		n--;
	struct str name = str_sub(*s, 0, n);

	*s = str_sub(*s, n, s->n);
	return name;
}

static size_t operator_length(struct str s)
{
	char c = s.n ? s.p[0] : 0, next = s.n > 1 ? s.p[1] : 0;

	if (c == '=' || c == '!' || c == '~')
		return next != '=' ? 0 : c == '=' && s.n > 2 && s.p[2] == '=' ? 3 : 2;
	return c == '<' || c == '>' ? 1 + (next == '=') : 0;
}

/* Operators and versions between commas. The versions are judged by whoever compares them. */
static bool is_specifier(struct str s)
{
	struct str clause;

	while (str_split(&s, ',', &clause)) {
		clause = str_trim(clause);
		if (!clause.n && !s.n)
			break; /* a comma at the end is let through by pip too */
		size_t op = operator_length(clause);

		clause = str_trim(str_sub(clause, op, clause.n));
		if (!op || !clause.n)
			return false;
		for (size_t i = 0; i < clause.n; i++)
			if (is_blank(clause.p[i]))
				return false;
	}
	return true;
}

static struct err *bad(struct reader *r, const struct origin *o, struct str all, struct str here,
		       const char *why)
{
	return reader_bad(r, span_in(o, here).from, "'%.*s' is not a requirement: %s",
			  STR_ARG(str_trim(str_sub(all, 0, 200))), why);
}

static struct err *bad_specifier(struct reader *r, const struct origin *o, struct str all,
				 struct str here)
{
	return bad(r, o, all, here,
		   "after the name and its [extras] only @ and a URL, or versions with one of "
		   "== != ~= === <= >= < > in front, can stand, then a ; and a marker");
}

static bool same_project(struct reader *r, struct str a, struct str b)
{
	return str_eq(deps_normal(r->a, DEPS_PYPI, a), deps_normal(r->a, DEPS_PYPI, b));
}

struct err *pypi_requirement(struct reader *r, const struct origin *o, struct str s)
{
	struct str all = s, name, version, file, rest;
	struct dep *d;
	size_t end;

	s = skip_blanks(s);
	rest = s;
	name = take_name(&rest);
	if (begins_with_variable(name.n ? rest : s)) {
		reader_unresolved(r, variable(s), span_in(o, variable(s)),
				  "a variable of the environment is part of the name");
		return NULL;
	}
	if (!name.n)
		return bad(r, o, all, s,
			   "it must begin with a package name, of letters, digits, "
			   "and - _ . between them");
	rest = skip_blanks(rest);
	if (rest.n && rest.p[0] == '[') {
		end = str_find_char(rest, ']', 0);
		if (end == SIZE_MAX)
			return bad(r, o, all, rest, "the [extras] have no end");
		rest = skip_blanks(str_sub(rest, end + 1, rest.n));
	}
	if (rest.n && rest.p[0] == '@') {
		struct str url = skip_blanks(str_sub(rest, 1, rest.n));

		for (end = 0; end < url.n && !is_blank(url.p[end]); end++)
			;
		if (!end)
			return bad(r, o, all, rest, "a URL must follow the @");
		d = reader_add(r, name, span_in(o, name));
		url = str_sub(url, 0, end);
		if (url_pypi_file(url, &file, &version) && same_project(r, file, name)) {
			d->version = version;
			d->locked = true;
		}
		return NULL;
	}
	end = str_find_char(rest, ';', 0);
	version = str_trim(str_sub(rest, 0, end));
	if (version.n > 1 && version.p[0] == '(' && version.p[version.n - 1] == ')')
		version = str_trim(str_sub(version, 1, version.n - 1));
	if (variable(version).n)
		version = STR("");
	else if (!is_specifier(version))
		return bad_specifier(r, o, all, rest);
	reader_add(r, name, span_in(o, name))->version = version;
	return NULL;
}

/* ---- lines of requirements files ---- */

/* A # at the start or after a blank begins a comment; the one of a URL's fragment does not. */
static struct str without_comment(struct str s)
{
	size_t i = 0;

	while ((i = str_find_char(s, '#', i)) != SIZE_MAX) {
		if (!i || is_blank(s.p[i - 1]))
			return str_sub(s, 0, i);
		i++;
	}
	return s;
}

/* Options of the requirement (--hash=…) begin at a word with a dash. */
static struct str without_options(struct str s)
{
	for (size_t i = 1; i < s.n; i++)
		if (s.p[i] == '-' && is_blank(s.p[i - 1]))
			return str_sub(s, 0, i);
	return s;
}

/* The value of "#egg=NAME[extras]&…". */
static struct str egg_of(struct str url)
{
	size_t hash = str_find_char(url, '#', 0), at, end;

	if (hash == SIZE_MAX)
		return STR("");
	at = str_find(url, STR("egg="), hash);
	if (at == SIZE_MAX || (url.p[at - 1] != '#' && url.p[at - 1] != '&'))
		return STR("");
	for (end = at + 4; end < url.n && url.p[end] != '&' && !is_blank(url.p[end]); end++)
		;
	return str_sub(url, at + 4, end);
}

/* An address without a name in front: what the fragment or the file's name tells. */
static struct err *address(struct reader *r, const struct origin *o, struct str s, bool local)
{
	struct str egg = egg_of(s), name, version;
	struct dep *d;
	size_t end;

	if (egg.n)
		return pypi_requirement(r, o, egg);
	for (end = 0; end < s.n && !is_blank(s.p[end]); end++)
		;
	s = str_sub(s, 0, end);
	if (url_pypi_file(s, &name, &version) && !variable(name).n) {
		d = reader_add(r, name, span_in(o, name));
		d->version = version;
		d->locked = true;
		return NULL;
	}
	if (local)
		return NULL; /* a folder of this project, which has a manifest of its own */
	/* Only its metadata knows the name; the repository's is the best guess there is. */
	reader_unresolved(r, s, span_in(o, s), "an address that does not name its package");
	name = url_repo(s);
	if (name.n && !variable(name).n)
		reader_add(r, name, span_in(o, name));
	return NULL;
}

static bool is_address(struct str s)
{
	struct str vcs[] = {STR("git+"), STR("hg+"), STR("svn+"), STR("bzr+"), STR("file:")};

	for (size_t i = 0; i < ARRAY_SIZE(vcs); i++)
		if (str_starts(s, vcs[i]))
			return true;
	return url_has_scheme(s);
}

/* NAME and what can only follow one: most lines, so this is worth a look before the others. */
static bool is_plain(struct str s)
{
	struct str rest = s, name = take_name(&rest);

	return name.n && rest.n && (strchr("=<>!~[;(@", rest.p[0]) || is_blank(rest.p[0]));
}

static bool is_path(struct str s)
{
	struct str name, version, word;
	size_t end;

	for (end = 0; end < s.n && !is_blank(s.p[end]) && !strchr("[;@=<>!~(", s.p[end]); end++)
		;
	word = str_sub(s, 0, end);
	return str_starts(word, STR(".")) || str_find_char(word, '/', 0) != SIZE_MAX ||
	       str_find_char(word, '\\', 0) != SIZE_MAX ||
	       (end == s.n && url_pypi_file(word, &name, &version));
}

/* The value of an option, whose long name may be cut short as long as it is clear: pip's parser. */
static bool option(struct str s, const char *letter, const char *full, const char *clear,
		   struct str *value)
{
	size_t n = 0;

	if (str_starts(s, str_of(letter))) {
		*value = str_sub(s, 2, s.n);
	} else {
		while (n < s.n && full[n] && s.p[n] == full[n])
			n++;
		if (n < strlen(clear) || (n < s.n && !is_blank(s.p[n]) && s.p[n] != '='))
			return false;
		*value = str_sub(s, n, s.n);
	}
	*value = skip_blanks(*value);
	if (value->n && value->p[0] == '=')
		*value = skip_blanks(str_sub(*value, 1, value->n));
	if (value->n && (value->p[0] == '"' || value->p[0] == '\''))
		*value = str_sub(*value, 1, value->n - 1);
	return true;
}

/* A file that is read besides: by its own name, or nobody knows what is in it. */
static void included(struct reader *r, const struct origin *o, struct str file)
{
	size_t slash = str_rfind_char(r->path, '/');
	struct str folder = str_sub(r->path, 0, slash == SIZE_MAX ? 0 : slash + 1);

	file = str_trim(file);
	if (is_address(file) || !deps_is_manifest(str_fmt(r->a, "%.*s%.*s", STR_ARG(folder),
							  STR_ARG(file))))
		reader_unresolved(r, file, span_in(o, file),
				  "the included file is not named like a requirements file");
}

struct err *pypi_line(struct reader *r, const struct origin *o, struct str s)
{
	struct str value;
	bool edit;

	s = str_trim(without_comment(s));
	if (!s.n)
		return NULL;
	edit = s.p[0] == '-';
	if (edit) {
		if (option(s, "-r", "--requirement", "--requirem", &value) ||
		    option(s, "-c", "--constraint", "--cons", &value)) {
			included(r, o, value);
			return NULL;
		}
		/* The other options name no package: indexes, switches. */
		if (!option(s, "-e", "--editable", "--ed", &value))
			return NULL;
		s = value;
	}
	s = str_trim(without_options(s));
	if (!edit && is_plain(s))
		return pypi_requirement(r, o, s);
	if (is_address(s))
		return address(r, o, s, str_starts(s, STR("file:")));
	if (is_path(s) || edit)
		return str_find(s, STR(" @ "), 0) == SIZE_MAX ? address(r, o, s, true)
							      : pypi_requirement(r, o, s);
	return pypi_requirement(r, o, s);
}
