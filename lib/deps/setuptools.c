#include "deps/pypi.h"
#include "deps/program.h"

/*
 * setup.cfg and setup.py of setuptools, and PEP 723: requirements in the head of a script. setup.py
 * is a program: literal lists in the call of setup() are read.
 */

/* One requirement at this slice of the file; blanks and comments are none. */
static struct err *setup_requirement(struct reader *r, struct str s)
{
	struct origin o;

	s = str_trim(s);
	if (!s.n || s.p[0] == '#' || s.p[0] == ';')
		return NULL;
	o = (struct origin){.whole = s, .at = reader_at(r, s), .exact = true};
	return pypi_requirement(r, &o, s);
}

/* ---- setup.cfg ---- */

/* Whether the option has requirements: setuptools takes - for _ in its name. */
static bool setup_is_list(struct arena *a, struct str section, struct str option)
{
	static const char *const lists[] = {"install_requires", "setup_requires", "tests_require"};
	char *name = str_c(a, option);

	if (str_is(section, "options.extras_require"))
		return true;
	for (size_t i = 0; i < option.n; i++)
		name[i] = name[i] == '-' ? '_' : name[i];
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		if (str_is(section, "options") && !strcmp(name, lists[i]))
			return true;
	return false;
}

/* "file: a.txt, b.txt": requirements files, which are judged under their own names. */
static struct err *setup_files(struct reader *r, struct str value)
{
	struct str part;

	while (str_split(&value, ',', &part)) {
		part = str_trim(part);
		if (part.n)
			TRY(pypi_include(r, part, reader_at(r, part)));
	}
	return NULL;
}

/* One line of a value; a value on the line of its option may have several behind semicolons. */
static struct err *setup_value(struct reader *r, struct str line, bool first)
{
	struct str s = str_trim(line), part;

	if (str_starts(s, STR("file:")))
		return setup_files(r, str_sub(s, 5, s.n));
	if (str_find(s, STR("%("), 0) != SIZE_MAX) {
		reader_unresolved(r, s, reader_at(r, s), "it is computed from another option");
		return NULL;
	}
	if (!first)
		return setup_requirement(r, s);
	while (str_split(&s, ';', &part))
		TRY(setup_requirement(r, part));
	return NULL;
}

static void setup_python(struct reader *r, struct str section, struct str option, struct str value)
{
	value = str_trim(value);
	if (str_is(section, "options") && value.n &&
	    (str_is(option, "python_requires") || str_is(option, "python-requires")))
		reader_runtime(r, STR("python"), option, value, reader_at(r, option));
}

/* configparser: an indented line continues the value, a comment or an empty line does not end it.
 */
struct err *setup_cfg(struct reader *r)
{
	struct str rest = r->text, line, section = {"", 0};
	bool list = false;

	while (str_line(&rest, &line)) {
		struct str s = str_trim(line);
		size_t mark = 0;

		if (!s.n || s.p[0] == '#' || s.p[0] == ';')
			continue;
		if (line.p[0] == ' ' || line.p[0] == '\t') {
			if (list)
				TRY(setup_value(r, line, false));
			continue;
		}
		list = false;
		if (s.p[0] == '[') {
			section = str_sub(s, 1, str_find_char(s, ']', 0));
			continue;
		}
		while (mark < line.n && line.p[mark] != '=' && line.p[mark] != ':')
			mark++;
		list = setup_is_list(r->a, section, str_trim(str_sub(line, 0, mark)));
		setup_python(r, section, str_trim(str_sub(line, 0, mark)),
			     str_sub(line, mark + 1, line.n));
		if (list && mark < line.n)
			TRY(setup_value(r, str_sub(line, mark + 1, line.n), true));
	}
	return NULL;
}

/* ---- setup.py ---- */

static void setup_unknown(struct reader *r, const struct tokens *v, size_t i, const char *why)
{
	reader_unresolved(r, v->p[i].s, token_at(&v->p[i]), "%s", why);
}

/* The literals of [i, end): a list of requirements, or a dictionary whose values are such lists. */
static struct err *setup_literals(struct reader *r, const struct tokens *v, size_t i, size_t end)
{
	for (; i < end; i++) {
		const struct token *t = &v->p[i], *next = &v->p[i + 1];
		bool ends = token_is(next, ",") || token_is(next, "]") || token_is(next, ")") ||
			    token_is(next, "}") || next->type == TOKEN_LINE;

		if (t->type == TOKEN_LINE ||
		    (t->type == TOKEN_MARK && strchr("[](){},", t->s.p[0])))
			continue;
		if (t->type == TOKEN_STRING && token_is(next, ":")) {
			i++; /* the key of a dictionary */
		} else if (t->type == TOKEN_STRING && t->plain && ends) {
			struct origin o = {.whole = t->s,
					   .at = token_at(t),
					   .exact = t->at.to - t->at.from == t->s.n};
			struct err *e = str_find_char(t->s, '\n', 0) == SIZE_MAX
						? pypi_requirement(r, &o, t->s)
						: NULL;

			if (e || str_find_char(t->s, '\n', 0) != SIZE_MAX) {
				r->bad.line = 0;
				setup_unknown(r, v, i, "it is not written as a requirement");
			}
		} else {
			setup_unknown(r, v, i, "a program computes it");
			while (i + 1 < end && !token_is(&v->p[i + 1], ","))
				i = v->p[i + 1].type == TOKEN_MARK &&
						    strchr("([{", v->p[i + 1].s.p[0])
					    ? program_close(v, i + 1) - 1
					    : i + 1;
		}
	}
	return NULL;
}

struct err *setup_py(struct reader *r)
{
	static const char *const names[] = {"install_requires", "setup_requires", "tests_require",
					    "extras_require"};
	struct tokens v = {0};
	bool any = false;

	program_tokens(r, PROGRAM_PYTHON, &v);
	for (size_t i = 0; i + 2 < v.n; i++) {
		bool is = false;
		size_t at = i + 2;

		if (token_is(&v.p[i], "python_requires") && token_is(&v.p[i + 1], "=") &&
		    token_is_literal(&v.p[at]))
			reader_runtime(r, STR("python"), v.p[i].s, v.p[at].s, token_at(&v.p[i]));
		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			is = is || (v.p[i].type != TOKEN_MARK && str_is(v.p[i].s, names[k]));
		if (token_is(&v.p[i], "setup") && token_is(&v.p[i + 1], "("))
			any = true;
		if (token_is(&v.p[i], "*") && token_is(&v.p[i + 1], "*") && v.p[i].depth)
			setup_unknown(r, &v, i + 2, "a program computes the arguments");
		if (!is)
			continue;
		if (v.p[i].type == TOKEN_WORD && token_is(&v.p[i + 1], "=") &&
		    !token_is(&v.p[at], "=")) {
			if (token_is(&v.p[at], "[") || token_is(&v.p[at], "{") ||
			    token_is(&v.p[at], "(")) {
				size_t end = program_close(&v, at);
				const struct token *next = &v.p[end];

				TRY(setup_literals(r, &v, at + 1, end - 1));
				if (next->type != TOKEN_LINE && next->type != TOKEN_END &&
				    !token_is(next, ",") && !token_is(next, ")"))
					setup_unknown(r, &v, i, "a program adds to it");
				i = end - 1;
			} else {
				setup_unknown(r, &v, i, "a program computes it");
			}
		} else {
			setup_unknown(r, &v, i, "a program uses it");
		}
	}
	if (!any)
		reader_unresolved(r, STR(""), (struct span){0, 0},
				  "ikm finds no call of setup() in this program");
	return NULL;
}

/* ---- PEP 723 ---- */

static bool script_is(struct str line, const char *text)
{
	while (line.n && (line.p[line.n - 1] == '\r' || ascii_is_blank(line.p[line.n - 1])))
		line.n--;
	return str_is(line, text);
}

/*
 * The block "# /// script" up to the last "# ///" of its comment lines. Everything else becomes
 * blanks, so that places stay. *again: there is a second block, which the PEP forbids.
 */
static bool script_block(struct reader *r, struct str *out, size_t *from, bool *again)
{
	char *copy = str_c(r->a, r->text);
	struct str rest = r->text, line;
	size_t start = 0, end = 0;
	bool in = false, done = false;

	*again = false;
	while (str_line(&rest, &line)) {
		size_t at = (size_t)(line.p - r->text.p);

		if (in && (!line.n || line.p[0] != '#'))
			in = false;
		else if (in && script_is(line, "# ///"))
			end = at;
		if (!in && script_is(line, "# /// script")) {
			if (done) {
				*again = true;
				break;
			}
			in = done = true;
			*from = at;
			start = (size_t)(rest.p - r->text.p);
		}
	}
	if (!end)
		return false;
	for (size_t i = 0; i < r->text.n; i++)
		if ((i < start || i >= end ||
		     (copy[i] == '#' && (i == start || copy[i - 1] == '\n'))) &&
		    copy[i] != '\n')
			copy[i] = ' ';
	*out = (struct str){copy, r->text.n};
	return true;
}

static TREE_READER(setup_tables, toml, {"requires-python", .read = pypi_python},
		   {"dependencies[]", .read = pypi_item})

	struct err *setup_script(struct reader *r)
{
	struct str block;
	size_t from = 0;
	bool again;

	if (!script_block(r, &block, &from, &again)) {
		reader_unresolved(r, STR(""), (struct span){from, from},
				  "the block '# /// script' has no end '# ///'");
		return NULL;
	}
	if (again)
		reader_unresolved(r, STR(""), (struct span){from, from},
				  "there are two blocks '# /// script'");
	r->text = block;
	return setup_tables(r);
}
