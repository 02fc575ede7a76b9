#include "deps/pypi_requirement.h"
#include "deps/manifest_tokens.h"

/*
 * setup.cfg and setup.py of setuptools, and PEP 723: requirements in the head of a script. setup.py
 * is a program: literal lists in the call of setup() are read.
 */

/* One requirement at this slice of the file; blanks and comments are none. */
static struct err *setup_requirement(struct reader *r, struct str s)
{
	struct origin o = {
		.whole = str_trim(s), .at = reader_slice_span(r, str_trim(s)), .exact = true};

	return !o.whole.n || o.whole.p[0] == '#' || o.whole.p[0] == ';'
		       ? NULL
		       : pypi_requirement(r, &o, o.whole);
}

/* ---- setup.cfg ---- */

/* One line of a value; a value on the line of its option may have several behind semicolons. */
static struct err *setup_value(struct reader *r, struct str line, bool first)
{
	struct str s = str_trim(line), part, files = reader_skip_prefix(s, "file:");

	/* "file: a.txt, b.txt": requirements files, which are judged under their own names. */
	while (str_starts(s, STR("file:")) && str_next_part(&files, ',', &part)) {
		part = str_trim(part);
		if (part.n)
			TRY(pypi_check_include(r, part, reader_slice_span(r, part)));
	}
	if (str_starts(s, STR("file:")))
		return NULL;
	if (str_holds(s, "%("))
		return reader_add_unresolved(r, s, reader_slice_span(r, s),
					     "it is computed from another option");
	if (!first)
		return setup_requirement(r, s);
	while (str_next_part(&s, ';', &part))
		TRY(setup_requirement(r, part));
	return NULL;
}

/* configparser: an indented line continues the value, a comment or an empty line does not end it.
 */
struct err *setup_cfg(struct reader *r)
{
	struct str rest = r->text, line, section = {"", 0};
	bool list = false;

	while (str_next_line(&rest, &line)) {
		struct str s = str_trim(line), option, name;

		if (!s.n || s.p[0] == '#' || s.p[0] == ';')
			continue;
		if (line.p[0] == ' ' || line.p[0] == '\t') {
			if (list)
				TRY(setup_value(r, line, false));
			continue;
		}
		list = false;
		if (s.p[0] == '[') {
			section = reader_until(str_sub(s, 1, s.n), "]");
			continue;
		}
		option = reader_until(line, "=:");
		s = str_sub(line, option.n + 1, line.n);
		/* setuptools takes - for _ in the names of options. */
		name = reader_replace_chars(r->a, str_trim(option), "-", '_');
		list = str_is(section, "options.extras_require") ||
		       (str_is(section, "options") &&
			reader_is_any_of_words(name,
					       "install_requires|setup_requires|tests_require"));
		if (str_is(section, "options") && str_is(name, "python_requires") && str_trim(s).n)
			reader_add_runtime(r, STR("python"), str_trim(option), str_trim(s),
					   reader_slice_span(r, str_trim(option)));
		if (list && option.n < line.n)
			TRY(setup_value(r, s, true));
	}
	return NULL;
}

/* ---- setup.py ---- */

static struct err *setup_unknown(struct reader *r, const struct tokens *v, size_t i,
				 const char *why)
{
	return reader_add_unresolved(r, v->p[i].s, token_span(&v->p[i]), "%s", why);
}

/* The literals of [i, end): a list of requirements, or a dictionary whose values are such lists. */
static void setup_literals(struct reader *r, const struct tokens *v, size_t i, size_t end)
{
	for (; i < end; i++) {
		const struct token *t = &v->p[i], *next = &v->p[i + 1];
		struct origin o = {.whole = t->s,
				   .at = token_span(t),
				   .exact = t->at.to - t->at.from == t->s.n};

		if (t->type == TOKEN_LINE || token_is(t, "[|]|(|)|{|}|,"))
			continue;
		if (t->type == TOKEN_STRING && token_is(next, ":")) {
			i++; /* the key of a dictionary */
		} else if (token_is_literal(t) &&
			   (token_is(next, ",|]|)|}") || next->type == TOKEN_LINE)) {
			if (!str_holds(t->s, "\n") && !pypi_requirement(r, &o, t->s))
				continue;
			r->bad.line = 0;
			setup_unknown(r, v, i, "it is not written as a requirement");
		} else {
			setup_unknown(r, v, i, "a program computes it");
			while (i + 1 < end && !token_is(&v->p[i + 1], ","))
				i = token_is(&v->p[i + 1], "(|[|{")
					    ? program_closing_bracket(v, i + 1) - 1
					    : i + 1;
		}
	}
}

struct err *setup_py(struct reader *r)
{
	struct tokens v = {0};
	bool any = false;

	program_tokens(r, PROGRAM_PYTHON, &v);
	for (size_t i = 0; i + 2 < v.n; i++) {
		const struct token *t = &v.p[i], *value = t + 2, *next;
		size_t end;

		if (token_is(t, "python_requires") && token_is(t + 1, "=") &&
		    token_is_literal(value))
			reader_add_runtime(r, STR("python"), t->s, value->s, token_span(t));
		if (token_is(t, "setup") && token_is(t + 1, "("))
			any = true;
		if (token_is(t, "*") && token_is(t + 1, "*") && t->depth)
			setup_unknown(r, &v, i + 2, "a program computes the arguments");
		if (t->type == TOKEN_MARK ||
		    !reader_is_any_of_words(t->s, "install_requires|setup_requires|tests_require|"
						  "extras_require"))
			continue;
		if (t->type != TOKEN_WORD || !token_is(t + 1, "=") || token_is(value, "=")) {
			setup_unknown(r, &v, i, "a program uses it");
		} else if (!token_is(value, "[|{|(")) {
			setup_unknown(r, &v, i, "a program computes it");
		} else {
			end = program_closing_bracket(&v, i + 2);
			next = &v.p[end];
			setup_literals(r, &v, i + 3, end - 1);
			if (next->type != TOKEN_LINE && next->type != TOKEN_END &&
			    !token_is(next, ",|)"))
				setup_unknown(r, &v, i, "a program adds to it");
			i = end - 1;
		}
	}
	return any ? NULL
		   : reader_add_unresolved(r, STR(""), (struct span){0, 0},
					   "ikm finds no call of setup() in this program");
}

/* ---- PEP 723 ---- */

/* Whether the line is this comment; blanks may follow. */
static bool script_is(struct str line, const char *text)
{
	return str_starts(line, STR("#")) && str_is(str_trim(line), text);
}

static TREE_READER(setup_tables, toml, {"requires-python", .runtime = "python"},
		   {"dependencies[]", .read = pypi_item})

	struct err *setup_script(struct reader *r)
{
	char *copy = str_c(r->a, r->text);
	struct str rest = r->text, line;
	size_t from = 0, start = 0, end = 0;
	bool in = false, again = false;

	/* From the block "# /// script" up to the last "# ///" of its comment lines. */
	while (str_next_line(&rest, &line)) {
		size_t at = (size_t)(line.p - r->text.p);

		in = in && line.n && line.p[0] == '#';
		if (in && script_is(line, "# ///"))
			end = at;
		if (in || !script_is(line, "# /// script"))
			continue;
		again = start; /* a second block, which the PEP forbids */
		if (again)
			break;
		in = true;
		from = at;
		start = (size_t)(rest.p - r->text.p);
	}
	/* All other text becomes blanks, so that places stay. */
	for (size_t i = 0; i < r->text.n; i++)
		if ((i < start || i >= end ||
		     (copy[i] == '#' && (i == start || copy[i - 1] == '\n'))) &&
		    copy[i] != '\n')
			copy[i] = ' ';
	if (!end)
		return reader_add_unresolved(r, STR(""), (struct span){from, from},
					     "the block '# /// script' has no end '# ///'");
	r->text.p = copy;
	if (again)
		reader_add_unresolved(r, STR(""), (struct span){from, from},
				      "there are two blocks '# /// script'");
	return setup_tables(r);
}
