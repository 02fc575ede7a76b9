/*
 * Python requirements: one of PEP 508, what pip takes in place of one, and a line of a requirements
 * file as pip reads it.
 */
#include "deps/pypi_requirement.h"
#include "toml/toml.h"

#define PEP508_BLANKS " \t\n\v\f\r"

struct origin origin_of_toml_string(const struct reader *r, const struct val *v)
{
	struct span in = reader_string_part_span(r, v->at, v->s, v->s);

	return (struct origin){.whole = v->s, .at = in, .exact = in.to - in.from == v->s.n};
}

/* The place of a slice of the text. */
static struct span origin_span_of_part(const struct origin *o, struct str part)
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
static struct str pypi_find_variable_reference(struct str s)
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

/* NAME alone, or with text that can only follow a name. Most lines are so: a fast test. */
static bool pypi_is_plain(struct str s)
{
	struct str rest = s, name = pep508_parse_name(&rest);

	return name.n && rest.n &&
	       (strchr("=<>!~[;(@", rest.p[0]) || ascii_is_any_space(rest.p[0]));
}

/* ---- one line ---- */

/*
 * One line of a requirements file, as pip reads it: first the words of a requirement, then options.
 * A line that begins with an option may have several. Options are split as a shell does.
 */

enum pip_kind { PIP_FLAG, PIP_OTHER, PIP_INCLUDE, PIP_EDITABLE }; /* a flag has no value */

/* clang-format off */
/* pip's options, including those of former versions. */
static const struct pip_option {
	const char *name;
	char letter;
	enum pip_kind kind;
} pip_options[] = {
	{"--requirement", 'r', PIP_INCLUDE}, {"--constraint", 'c', PIP_INCLUDE},
	{"--editable", 'e', PIP_EDITABLE}, {"--index-url", 'i', PIP_OTHER},
	{"--pypi-url", 0, PIP_OTHER}, {"--extra-index-url", 0, PIP_OTHER},
	{"--no-index", 0, PIP_FLAG}, {"--find-links", 'f', PIP_OTHER},
	{"--no-binary", 0, PIP_OTHER}, {"--only-binary", 0, PIP_OTHER},
	{"--prefer-binary", 0, PIP_FLAG}, {"--require-hashes", 0, PIP_FLAG},
	{"--pre", 0, PIP_FLAG}, {"--trusted-host", 0, PIP_OTHER},
	{"--use-feature", 0, PIP_OTHER}, {"--global-option", 0, PIP_OTHER},
	{"--install-option", 0, PIP_OTHER}, {"--hash", 0, PIP_OTHER},
	{"--config-settings", 'C', PIP_OTHER}, {"--always-unzip", 'Z', PIP_FLAG},
	{"--process-dependency-links", 0, PIP_FLAG}, {"--use-wheel", 0, PIP_FLAG},
	{"--no-use-wheel", 0, PIP_FLAG}, {"--allow-external", 0, PIP_OTHER},
	{"--allow-unverified", 0, PIP_OTHER}, {"--allow-all-external", 0, PIP_FLAG},
	{"--no-allow-external", 0, PIP_FLAG}
};
/* clang-format on */

/* A word of the options, without its quotes. */
struct pip_word {
	struct str s;
	struct origin at;
};

struct pip_words VEC(struct pip_word);

static struct err *pip_bad(struct reader *r, const struct origin *o, struct str s, size_t i,
			   const char *why)
{
	return reader_error_at(r, origin_span_of_part(o, str_sub(s, i, i + 1)).from,
			       "the options cannot be split: %s", why);
}

/* Splits as Python's shlex does for POSIX shells. */
static struct err *pip_split(struct reader *r, const struct origin *o, struct str s,
			     struct pip_words *out)
{
	for (size_t i = 0;; i++) {
		struct buf b = buf_in(r->a);
		struct pip_word *w;
		struct str raw;
		size_t from, in;

		while (i < s.n && ascii_is_space(s.p[i]))
			i++;
		if (i >= s.n)
			return NULL;
		from = i;
		for (char quote = 0; i < s.n; i++) {
			char c = s.p[i];

			if (!quote && ascii_is_space(c))
				break;
			if (c == quote) {
				quote = 0;
			} else if (!quote && (c == '"' || c == '\'')) {
				if (str_find_char(s, c, i + 1) == SIZE_MAX)
					return pip_bad(r, o, s, i, "a quote has no end");
				quote = c;
			} else if (c == '\\' && quote != '\'') {
				if (i + 1 == s.n)
					return pip_bad(r, o, s, i, "nothing follows the backslash");
				if (quote && s.p[i + 1] != quote && s.p[i + 1] != '\\')
					buf_putc(&b, c);
				buf_putc(&b, s.p[++i]);
			} else {
				buf_putc(&b, c);
			}
			if (quote && i + 1 == s.n)
				return pip_bad(r, o, s, from, "a quote has no end");
		}
		/* A slice of the line, unless a quote is inside. */
		raw = str_sub(s, from, i);
		in = str_find(raw, buf_as_str(&b), 0);
		w = VEC_PUSH(r->a, out);
		if (in != SIZE_MAX)
			*w = (struct pip_word){str_sub(raw, in, in + buf_as_str(&b).n), *o};
		else
			*w = (struct pip_word){
				buf_as_str(&b),
				{.whole = buf_as_str(&b), .at = origin_span_of_part(o, raw)}};
	}
}

/* Long names may be abbreviated while they are unambiguous. NULL: unknown or ambiguous. */
static const struct pip_option *pip_option_long(struct str name)
{
	const struct pip_option *found = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(pip_options); i++) {
		const struct pip_option *o = &pip_options[i];

		if (str_is(name, o->name))
			return o;
		if (!str_starts(str_of(o->name), name))
			continue;
		/* Options of former versions do not make a name ambiguous for pip. */
		if (found && found->kind < PIP_INCLUDE && o->kind < PIP_INCLUDE)
			continue;
		if (found)
			return NULL;
		found = o;
	}
	return found;
}

struct err *pypi_check_include(struct reader *r, struct str file, struct span at)
{
	const char *why = NULL;
	struct str path = {"", 0};
	bool known, found;

	if (pypi_find_variable_reference(file).n)
		why = "a variable of the environment is part of the file's name";
	else if (pypi_is_address(file) && !str_starts(file, STR("file:")))
		why = "the included file lies on the network";
	else if (str_starts(file, STR("file:")) || !reader_resolve_path(r, file, &path))
		why = "the included file lies outside the tree";
	if (!why) {
		TRY(reader_has_file(r, path, &known, &found));
		if (known && !found)
			why = "the included file is not in the tree";
		else if (!deps_is_requirements(path))
			why = "the included file is not named like a requirements file";
		if (found && why)
			strs_push(r->a, &r->out->includes, path);
	}
	if (why)
		reader_add_unresolved(r, file, at, "%s", why);
	return NULL;
}

static bool pip_is_path(struct str s)
{
	struct str word = reader_until(s, "[;@=<>!~( \t\n\v\f\r"), name, version;

	word = str_sub(word, 0, str_find_char(word, 0, 0));
	return str_starts(word, STR(".")) || str_holds(word, "/") || str_holds(word, "\\") ||
	       (word.n == s.n && url_pypi_file(word, &name, &version));
}

static struct err *pip_option(struct reader *r, const struct pip_option *option,
			      const struct origin *o, struct str value)
{
	if (option->kind == PIP_INCLUDE)
		return pypi_check_include(r, value, origin_span_of_part(o, value));
	if (option->kind != PIP_EDITABLE)
		return NULL;
	return pypi_is_address(value) || !str_holds(value, " @ ") ? pypi_add_address(r, o, value)
								  : pypi_requirement(r, o, value);
}

static struct err *pip_option_line(struct reader *r, const struct origin *o, struct str s)
{
	struct pip_words words = {0};

	TRY(pip_split(r, o, s, &words));
	for (size_t i = 0; i < words.n; i++) {
		const struct pip_word *w = &words.p[i];
		const struct pip_option *option = NULL;
		struct str value = {0};

		if (str_is(w->s, "--"))
			break;
		if (w->s.n < 2 || w->s.p[0] != '-') {
			/*
			 * pip ignores a word that belongs to no option; but a variable may hold
			 * options.
			 */
			if (pypi_find_variable_reference(w->s).n)
				reader_add_unresolved(r, w->s, origin_span_of_part(&w->at, w->s),
						      "a variable of the environment");
			continue;
		}
		if (w->s.p[1] == '-') {
			struct str name = reader_until(w->s, "=");

			option = pip_option_long(name);
			if (name.n < w->s.n)
				value = str_sub(w->s, name.n + 1, w->s.n);
		} else {
			for (size_t k = 0; k < ARRAY_SIZE(pip_options) && !option; k++)
				if (pip_options[k].letter == w->s.p[1])
					option = &pip_options[k];
			if (w->s.n > 2)
				value = str_sub(w->s, 2, w->s.n);
		}
		if (!option) /* it may take the next word or not */
			reader_add_unresolved(r, w->s, origin_span_of_part(&w->at, w->s),
					      "ikm does not know this option of pip");
		if (!option || option->kind == PIP_FLAG)
			continue;
		if (!value.p && ++i < words.n) {
			w = &words.p[i];
			value = w->s;
		}
		/* "-e NAME @ URL", which uv reads as one requirement; pip reads the first word. */
		if (value.p && option->kind == PIP_EDITABLE && i + 2 < words.n &&
		    value.p == w->s.p && str_is(w[1].s, "@") && w->at.whole.p == o->whole.p &&
		    w[2].at.whole.p == o->whole.p) {
			const char *end = w[2].s.p + w[2].s.n;

			TRY(pypi_requirement(r, o, (struct str){w->s.p, (size_t)(end - w->s.p)}));
			i += 2;
		} else if (value.p)
			TRY(pip_option(r, option, &w->at, value));
	}
	return NULL;
}

struct err *pypi_line(struct reader *r, const struct origin *o, struct str s)
{
	size_t i = 0;

	/* A # at the start or after a blank begins a comment; that of a URL's fragment does not. */
	while (i < s.n && !(s.p[i] == '#' && (!i || ascii_is_any_space(s.p[i - 1]))))
		i++;
	s = str_trim(str_sub(s, 0, i));
	if (!s.n)
		return NULL;
	if (s.p[0] == '-')
		return pip_option_line(r, o, s);
	/* Options of the requirement (--hash=…) name no package. */
	for (i = 1; i < s.n && !(s.p[i] == '-' && ascii_is_any_space(s.p[i - 1]));)
		i++;
	s = str_trim(str_sub(s, 0, i));
	if (!pypi_is_plain(s) && (pypi_is_address(s) || (pip_is_path(s) && !str_holds(s, " @ "))))
		return pypi_add_address(r, o, s);
	return pypi_requirement(r, o, s);
}
