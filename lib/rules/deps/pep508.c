#include "deps/pypi_requirement.h"
#include "toml/toml.h"

#define PEP508_BLANKS " \t\n\v\f\r"

struct origin origin_of_toml_string(const struct reader *r, const struct val *v)
{
	struct span in = reader_string_part_span(r, v->at, v->s, v->s);

	return (struct origin){.whole = v->s, .at = in, .exact = in.to - in.from == v->s.n};
}

struct span origin_span_of_part(const struct origin *o, struct str part)
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
		reader_add_runtime(r, STR("python"), str_is(v->key, "python") ? STR("") : v->key,
				   v->s, reader_key_span(r, v));
	return NULL;
}

struct err *pypi_item(struct reader *r, const struct val *v)
{
	struct origin o;

	TRY(reader_require_entry_type(r, v, VAL_STR));
	o = origin_of_toml_string(r, v);
	return pypi_requirement(r, &o, v->s);
}

static struct str pep508_skip_blanks(struct str s)
{
	while (s.n && ascii_is_any_space(s.p[0]))
		s.p++, s.n--;
	return s;
}

/* pip's ${NAME}, or the beginning of such a variable; empty: none. */
struct str pypi_find_variable_reference(struct str s)
{
	size_t at = str_find(s, STR("${"), 0), end = str_find_char(s, '}', at);

	return at == SIZE_MAX ? STR("") : str_sub(s, at, end == SIZE_MAX ? s.n : end + 1);
}

/* The longest run that can be a name; PEP 508 requires a letter or digit at both ends. */
static struct str pep508_parse_name(struct str *s)
{
	struct str name = {s->p, 0};

	while (name.n < s->n && (ascii_is_alnum(s->p[name.n]) ||
				 (name.n && s->p[name.n] && strchr("-_.", s->p[name.n]))))
		name.n++;
	while (name.n && !ascii_is_alnum(s->p[name.n - 1]))
		name.n--;
	*s = str_sub(*s, name.n, s->n);
	return name;
}

/* Operators and versions between commas. The caller that compares versions validates them. */
static bool is_specifier(struct str s)
{
	struct str clause;

	while (str_next_part(&s, ',', &clause)) {
		clause = str_trim(clause);
		if (!clause.n && !s.n)
			break; /* pip also accepts a trailing comma */
		size_t op = reader_starts_with_any_of(clause, "===|==|!=|~=|<=|<|>=|>");

		clause = str_trim(str_sub(clause, op, clause.n));
		if (!op || !clause.n || reader_until(clause, PEP508_BLANKS).n < clause.n)
			return false;
	}
	return true;
}

static struct err *pep508_bad(struct reader *r, const struct origin *o, struct str all,
			      struct str here, const char *why)
{
	return reader_error_at(r, origin_span_of_part(o, here).from,
			       "'%.*s' is not a requirement: %s",
			       STR_ARG(str_trim(str_sub(all, 0, 200))), why);
}

struct err *pypi_requirement(struct reader *r, const struct origin *o, struct str s)
{
	struct str all = s, name, version, file, rest, bare;
	struct dep *d;
	size_t end;

	s = pep508_skip_blanks(s);
	rest = s;
	name = pep508_parse_name(&rest);
	bare = name.n ? rest : s;
	while (bare.n && bare.p[0] && strchr("-_.", bare.p[0]))
		bare = str_sub(bare, 1, bare.n);
	if (str_starts(bare, STR("${")))
		return reader_add_unresolved(
			r, pypi_find_variable_reference(s),
			origin_span_of_part(o, pypi_find_variable_reference(s)),
			"a variable of the environment is part of the name");
	if (!name.n)
		return pep508_bad(r, o, all, s,
				  "it must begin with a package name, of letters, digits, "
				  "and - _ . between them");
	rest = pep508_skip_blanks(rest);
	if (str_starts(rest, STR("["))) {
		end = str_find_char(rest, ']', 0);
		if (end == SIZE_MAX)
			return pep508_bad(r, o, all, rest, "the [extras] have no end");
		rest = pep508_skip_blanks(str_sub(rest, end + 1, rest.n));
	}
	if (str_starts(rest, STR("@"))) {
		struct str url = pep508_skip_blanks(str_sub(rest, 1, rest.n));

		url = reader_until(url, PEP508_BLANKS);
		if (!url.n)
			return pep508_bad(r, o, all, rest, "a URL must follow the @");
		d = reader_add_dep(r, name, origin_span_of_part(o, name));
		if (url_pypi_file(url, &file, &version) &&
		    str_eq(deps_normal(r->a, DEPS_PYPI, file), deps_normal(r->a, DEPS_PYPI, name)))
			reader_set_locked_version(d, version);
		return NULL;
	}
	version = str_trim(reader_until(rest, ";"));
	if (version.n > 1 && version.p[0] == '(' && version.p[version.n - 1] == ')')
		version = str_trim(str_sub(version, 1, version.n - 1));
	if (pypi_find_variable_reference(version).n)
		version = STR("");
	else if (!is_specifier(version))
		return pep508_bad(
			r, o, all, rest,
			"after the name and its [extras] only @ and a URL, or versions "
			"with one of == != ~= === <= >= < > in front, can stand, then a ; "
			"and a marker");
	reader_add_dep(r, name, origin_span_of_part(o, name))->version = version;
	return NULL;
}

/* ---- addresses and paths ---- */

/* A folder of the tree: its own manifest names the package, unless that manifest is a program. */
static struct err *pep508_add_folder(struct reader *r, const struct origin *o, struct str s)
{
	struct str bare = reader_skip_prefix(reader_until(s, "["), "file://|file:"), path, text;
	const struct val *name;
	struct val *top;
	bool found;

	if (!reader_resolve_path(r, bare, &path))
		return reader_add_unresolved(r, s, origin_span_of_part(o, s),
					     "a folder outside the tree");
	/* The project of this file is not its own dependency. */
	if (!path.n || str_starts(r->path, str_fmt(r->a, "%.*s/", STR_ARG(path))))
		return NULL;
	TRY(reader_read_other_file(r, str_fmt(r->a, "%.*s/pyproject.toml", STR_ARG(path)), &text,
				   &found));
	if (found && !toml_read(r->a, text, &top)) {
		name = reader_get_path(top, "project.name");
		if (!name)
			name = reader_get_path(top, "tool.poetry.name");
		if (name && name->type == VAL_STR) {
			reader_add_dep(r, name->s, origin_span_of_part(o, s))->written = s;
			return NULL;
		}
	}
	return reader_add_unresolved(r, s, origin_span_of_part(o, s),
				     "a folder without a pyproject.toml that names its package");
}

struct err *pypi_add_address(struct reader *r, const struct origin *o, struct str s)
{
	size_t hash = str_find_char(s, '#', 0), egg = str_find(s, STR("egg="), hash);
	bool folder = !pypi_is_address(s) || str_starts(s, STR("file:"));
	struct str name = {"", 0}, version;

	/* "#egg=NAME[extras]&…" */
	if (hash != SIZE_MAX && egg != SIZE_MAX && strchr("#&", s.p[egg - 1]))
		name = reader_until(str_sub(s, egg + 4, s.n), "&" PEP508_BLANKS);
	if (name.n)
		return pypi_requirement(r, o, name);
	s = reader_until(s, PEP508_BLANKS);
	if (url_pypi_file(s, &name, &version) && !pypi_find_variable_reference(name).n) {
		reader_set_locked_version(reader_add_dep(r, name, origin_span_of_part(o, name)),
					  version);
		return NULL;
	}
	if (pypi_find_variable_reference(s).n && folder)
		return reader_add_unresolved(r, s, origin_span_of_part(o, s),
					     "it contains a variable of the environment");
	if (folder)
		return pep508_add_folder(r, o, s);
	/* Only its metadata have the name; the repository's name is the best guess. */
	name = url_repo_name(s);
	if (name.n && !pypi_find_variable_reference(name).n)
		reader_add_dep(r, name, origin_span_of_part(o, name));
	return reader_add_unresolved(r, s, origin_span_of_part(o, s),
				     "an address that does not name its package");
}

bool pypi_is_address(struct str s)
{
	return reader_starts_with_any_of(s, "git+|hg+|svn+|bzr+|file:") || url_has_scheme(s);
}

bool pypi_is_plain(struct str s)
{
	struct str rest = s, name = pep508_parse_name(&rest);

	return name.n && rest.n &&
	       (strchr("=<>!~[;(@", rest.p[0]) || ascii_is_any_space(rest.p[0]));
}
