#include "deps/pypi.h"
#include "toml/toml.h"

struct origin origin_of(const struct reader *r, const struct val *v)
{
	struct span in = reader_span(r, v->at, v->s, v->s);

	return (struct origin){.whole = v->s, .at = in, .exact = in.to - in.from == v->s.n};
}

struct span origin_span(const struct origin *o, struct str part)
{
	size_t from = (size_t)(part.p - o->whole.p), end, i = o->pieces_n;

	if (!o->exact)
		return o->at;
	if (!i)
		return (struct span){o->at.from + from, o->at.from + from + part.n};
	while (i > 1 && o->pieces[i - 1].in_text > from)
		i--;
	end = i < o->pieces_n ? o->pieces[i].in_text : o->whole.n;
	end = size_min(end, from + part.n);
	from += o->pieces[i - 1].in_file - o->pieces[i - 1].in_text;
	end += o->pieces[i - 1].in_file - o->pieces[i - 1].in_text;
	return (struct span){from, end};
}

struct err *pypi_python(struct reader *r, const struct val *v)
{
	if (v->type == VAL_STR)
		reader_runtime(r, STR("python"), str_is(v->key, "python") ? STR("") : v->key, v->s,
			       reader_key_span(r, v));
	return NULL;
}

struct err *pypi_item(struct reader *r, const struct val *v)
{
	struct origin o;

	TRY(tree_want(r, v, VAL_STR));
	o = origin_of(r, v);
	return pypi_requirement(r, &o, v->s);
}

static struct str pep508_skip_blanks(struct str s)
{
	while (s.n && ascii_is_blank(s.p[0]))
		s.p++, s.n--;
	return s;
}

/* pip's ${NAME}, or the beginning of such a variable; empty: none. */
struct str pypi_variable(struct str s)
{
	size_t at = str_find(s, STR("${"), 0), end;

	if (at == SIZE_MAX)
		return STR("");
	end = str_find_char(s, '}', at);
	return str_sub(s, at, end == SIZE_MAX ? s.n : end + 1);
}

/* Skips the characters that may be part of a name. */
static bool begins_with_variable(struct str s)
{
	while (s.n && (s.p[0] == '-' || s.p[0] == '_' || s.p[0] == '.'))
		s = str_sub(s, 1, s.n);
	return str_starts(s, STR("${"));
}

/* The longest run that can be a name; PEP 508 requires a letter or digit at both ends. */
static struct str pep508_parse_name(struct str *s)
{
	size_t n = 0;

	if (!s->n || !ascii_is_alnum(s->p[0]))
		return (struct str){"", 0};
	while (n < s->n &&
	       (ascii_is_alnum(s->p[n]) || s->p[n] == '-' || s->p[n] == '_' || s->p[n] == '.'))
		n++;
	while (!ascii_is_alnum(s->p[n - 1]))
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

/* Operators and versions between commas. The caller that compares versions validates them. */
static bool is_specifier(struct str s)
{
	struct str clause;

	while (str_split(&s, ',', &clause)) {
		clause = str_trim(clause);
		if (!clause.n && !s.n)
			break; /* pip also accepts a trailing comma */
		size_t op = operator_length(clause);

		clause = str_trim(str_sub(clause, op, clause.n));
		if (!op || !clause.n)
			return false;
		for (size_t i = 0; i < clause.n; i++)
			if (ascii_is_blank(clause.p[i]))
				return false;
	}
	return true;
}

static struct err *pep508_bad(struct reader *r, const struct origin *o, struct str all,
			      struct str here, const char *why)
{
	return reader_bad(r, origin_span(o, here).from, "'%.*s' is not a requirement: %s",
			  STR_ARG(str_trim(str_sub(all, 0, 200))), why);
}

static struct err *bad_specifier(struct reader *r, const struct origin *o, struct str all,
				 struct str here)
{
	return pep508_bad(
		r, o, all, here,
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

	s = pep508_skip_blanks(s);
	rest = s;
	name = pep508_parse_name(&rest);
	if (begins_with_variable(name.n ? rest : s)) {
		reader_unresolved(r, pypi_variable(s), origin_span(o, pypi_variable(s)),
				  "a variable of the environment is part of the name");
		return NULL;
	}
	if (!name.n)
		return pep508_bad(r, o, all, s,
				  "it must begin with a package name, of letters, digits, "
				  "and - _ . between them");
	rest = pep508_skip_blanks(rest);
	if (rest.n && rest.p[0] == '[') {
		end = str_find_char(rest, ']', 0);
		if (end == SIZE_MAX)
			return pep508_bad(r, o, all, rest, "the [extras] have no end");
		rest = pep508_skip_blanks(str_sub(rest, end + 1, rest.n));
	}
	if (rest.n && rest.p[0] == '@') {
		struct str url = pep508_skip_blanks(str_sub(rest, 1, rest.n));

		for (end = 0; end < url.n && !ascii_is_blank(url.p[end]); end++)
			;
		if (!end)
			return pep508_bad(r, o, all, rest, "a URL must follow the @");
		d = reader_add(r, name, origin_span(o, name));
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
	if (pypi_variable(version).n)
		version = STR("");
	else if (!is_specifier(version))
		return bad_specifier(r, o, all, rest);
	reader_add(r, name, origin_span(o, name))->version = version;
	return NULL;
}

/* ---- addresses and paths ---- */

/* The value of "#egg=NAME[extras]&…". */
static struct str fragment_name(struct str url)
{
	size_t hash = str_find_char(url, '#', 0), at, end;

	if (hash == SIZE_MAX)
		return STR("");
	at = str_find(url, STR("egg="), hash);
	if (at == SIZE_MAX || (url.p[at - 1] != '#' && url.p[at - 1] != '&'))
		return STR("");
	for (end = at + 4; end < url.n && url.p[end] != '&' && !ascii_is_blank(url.p[end]); end++)
		;
	return str_sub(url, at + 4, end);
}

/* A folder of the tree: its own manifest names the package, unless that manifest is a program. */
static struct err *pep508_add_folder(struct reader *r, const struct origin *o, struct str s)
{
	struct str bare = str_sub(s, 0, str_find_char(s, '[', 0)), path, text;
	const struct val *name;
	struct val *top;
	bool found;

	if (str_starts(bare, STR("file:")))
		bare = str_sub(bare, str_starts(bare, STR("file://")) ? 7 : 5, bare.n);
	if (!reader_beside(r, bare, &path)) {
		reader_unresolved(r, s, origin_span(o, s), "a folder outside the tree");
		return NULL;
	}
	/* The project of this file is not its own dependency. */
	if (!path.n || str_starts(r->path, str_fmt(r->a, "%.*s/", STR_ARG(path))))
		return NULL;
	TRY(reader_file(r, str_fmt(r->a, "%.*s/pyproject.toml", STR_ARG(path)), &text, &found));
	if (found && !toml_read(r->a, text, &top)) {
		name = reader_get(top, "project.name");
		if (!name)
			name = reader_get(top, "tool.poetry.name");
		if (name && name->type == VAL_STR) {
			reader_add(r, name->s, origin_span(o, s))->written = s;
			return NULL;
		}
	}
	reader_unresolved(r, s, origin_span(o, s),
			  "a folder without a pyproject.toml that names its package");
	return NULL;
}

struct err *pypi_address(struct reader *r, const struct origin *o, struct str s)
{
	struct str egg = fragment_name(s), name, version;
	struct dep *d;
	size_t end;

	if (egg.n)
		return pypi_requirement(r, o, egg);
	for (end = 0; end < s.n && !ascii_is_blank(s.p[end]); end++)
		;
	s = str_sub(s, 0, end);
	if (url_pypi_file(s, &name, &version) && !pypi_variable(name).n) {
		d = reader_add(r, name, origin_span(o, name));
		d->version = version;
		d->locked = true;
		return NULL;
	}
	if (pypi_variable(s).n && (!pypi_is_address(s) || str_starts(s, STR("file:")))) {
		reader_unresolved(r, s, origin_span(o, s),
				  "it contains a variable of the environment");
		return NULL;
	}
	if (!pypi_is_address(s) || str_starts(s, STR("file:")))
		return pep508_add_folder(r, o, s);
	/* Only its metadata have the name; the repository's name is the best guess. */
	reader_unresolved(r, s, origin_span(o, s), "an address that does not name its package");
	name = url_repo(s);
	if (name.n && !pypi_variable(name).n)
		reader_add(r, name, origin_span(o, name));
	return NULL;
}

bool pypi_is_address(struct str s)
{
	struct str vcs[] = {STR("git+"), STR("hg+"), STR("svn+"), STR("bzr+"), STR("file:")};

	for (size_t i = 0; i < ARRAY_SIZE(vcs); i++)
		if (str_starts(s, vcs[i]))
			return true;
	return url_has_scheme(s);
}

bool pypi_is_plain(struct str s)
{
	struct str rest = s, name = pep508_parse_name(&rest);

	return name.n && rest.n && (strchr("=<>!~[;(@", rest.p[0]) || ascii_is_blank(rest.p[0]));
}
