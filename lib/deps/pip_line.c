#include "deps/pypi.h"

/*
 * One line of a requirements file, as pip reads it: first the words of a requirement, then options.
 * A line that begins with an option may have several. Options are split as a shell does.
 */

enum pip_kind { PIP_OTHER, PIP_INCLUDE, PIP_EDITABLE };

/* pip's options, including those of former versions. */
static const struct pip_option {
	const char *name;
	char letter;
	bool value;
	enum pip_kind kind;
} pip_options[] = {
	{"--requirement", 'r', true, PIP_INCLUDE},
	{"--constraint", 'c', true, PIP_INCLUDE},
	{"--editable", 'e', true, PIP_EDITABLE},
	{"--index-url", 'i', true, PIP_OTHER},
	{"--pypi-url", 0, true, PIP_OTHER},
	{"--extra-index-url", 0, true, PIP_OTHER},
	{"--no-index", 0, false, PIP_OTHER},
	{"--find-links", 'f', true, PIP_OTHER},
	{"--no-binary", 0, true, PIP_OTHER},
	{"--only-binary", 0, true, PIP_OTHER},
	{"--prefer-binary", 0, false, PIP_OTHER},
	{"--require-hashes", 0, false, PIP_OTHER},
	{"--pre", 0, false, PIP_OTHER},
	{"--trusted-host", 0, true, PIP_OTHER},
	{"--use-feature", 0, true, PIP_OTHER},
	{"--global-option", 0, true, PIP_OTHER},
	{"--install-option", 0, true, PIP_OTHER},
	{"--hash", 0, true, PIP_OTHER},
	{"--config-settings", 'C', true, PIP_OTHER},
	{"--always-unzip", 'Z', false, PIP_OTHER},
	{"--process-dependency-links", 0, false, PIP_OTHER},
	{"--use-wheel", 0, false, PIP_OTHER},
	{"--no-use-wheel", 0, false, PIP_OTHER},
	{"--allow-external", 0, true, PIP_OTHER},
	{"--allow-unverified", 0, true, PIP_OTHER},
	{"--allow-all-external", 0, false, PIP_OTHER},
	{"--no-allow-external", 0, false, PIP_OTHER},
};

/* A word of the options, without its quotes. */
struct pip_word {
	struct str s;
	struct origin at;
};

struct pip_words {
	struct pip_word *p;
	size_t n, cap;
};

static struct err *pip_bad(struct reader *r, const struct origin *o, struct str here,
			   const char *why)
{
	return reader_bad(r, origin_span(o, here).from, "the options cannot be split: %s", why);
}

/* Ends a word, with its value and its place: a slice of the line unless a quote is inside. */
static void pip_word_end(struct reader *r, struct pip_words *out, const struct origin *o,
			 struct str raw, struct str decoded)
{
	struct pip_word *w = VEC_PUSH(r->a, out);
	size_t in = str_find(raw, decoded, 0);

	w->s = decoded;
	if (in != SIZE_MAX) {
		w->s = str_sub(raw, in, in + decoded.n);
		w->at = *o;
	} else {
		w->at = (struct origin){.whole = decoded, .at = origin_span(o, raw)};
	}
}

/* Splits as Python's shlex does for POSIX shells. */
static struct err *pip_split(struct reader *r, const struct origin *o, struct str s,
			     struct pip_words *out)
{
	size_t i = 0;

	for (;;) {
		struct buf b = buf_in(r->a);
		size_t from;

		while (i < s.n && strchr(" \t\r\n", s.p[i]) && s.p[i])
			i++;
		if (i == s.n)
			return NULL;
		from = i;
		for (char quote = 0; i < s.n; i++) {
			char c = s.p[i];

			if (!quote && (c == ' ' || c == '\t' || c == '\r' || c == '\n'))
				break;
			if (c == quote) {
				quote = 0;
			} else if (!quote && (c == '"' || c == '\'')) {
				if (str_find_char(s, c, i + 1) == SIZE_MAX)
					return pip_bad(r, o, str_sub(s, i, i + 1),
						       "a quote has no end");
				quote = c;
			} else if (c == '\\' && quote != '\'') {
				if (i + 1 == s.n)
					return pip_bad(r, o, str_sub(s, i, i + 1),
						       "nothing follows the backslash");
				if (quote && s.p[i + 1] != quote && s.p[i + 1] != '\\')
					buf_putc(&b, c);
				buf_putc(&b, s.p[++i]);
			} else {
				buf_putc(&b, c);
			}
			if (quote && i + 1 == s.n)
				return pip_bad(r, o, str_sub(s, from, from + 1),
					       "a quote has no end");
		}
		pip_word_end(r, out, o, str_sub(s, from, i), buf_str(&b));
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
		if (found && found->kind == PIP_OTHER && o->kind == PIP_OTHER)
			continue;
		if (found)
			return NULL;
		found = o;
	}
	return found;
}

static const struct pip_option *pip_option_letter(char c)
{
	for (size_t i = 0; i < ARRAY_SIZE(pip_options); i++)
		if (pip_options[i].letter == c)
			return &pip_options[i];
	return NULL;
}

struct err *pypi_include(struct reader *r, struct str file, struct span at)
{
	const char *why = NULL;
	struct str path = {"", 0};
	bool known, found;

	if (pypi_variable(file).n)
		why = "a variable of the environment is part of the file's name";
	else if (pypi_is_address(file) && !str_starts(file, STR("file:")))
		why = "the included file lies on the network";
	else if (str_starts(file, STR("file:")) || !reader_beside(r, file, &path))
		why = "the included file lies outside the tree";
	if (!why) {
		TRY(reader_has(r, path, &known, &found));
		if (known && !found)
			why = "the included file is not in the tree";
		else if (!deps_is_requirements(path))
			why = "the included file is not named like a requirements file";
		if (found && why)
			strs_push(r->a, &r->out->includes, path);
	}
	if (why)
		reader_unresolved(r, file, at, "%s", why);
	return NULL;
}

static bool pip_is_path(struct str s)
{
	struct str name, version, word;
	size_t end;

	for (end = 0; end < s.n && !ascii_is_blank(s.p[end]) && !strchr("[;@=<>!~(", s.p[end]);
	     end++)
		;
	word = str_sub(s, 0, end);
	return str_starts(word, STR(".")) || str_find_char(word, '/', 0) != SIZE_MAX ||
	       str_find_char(word, '\\', 0) != SIZE_MAX ||
	       (end == s.n && url_pypi_file(word, &name, &version));
}

static struct err *pip_editable(struct reader *r, const struct origin *o, struct str s)
{
	return pypi_is_address(s) || str_find(s, STR(" @ "), 0) == SIZE_MAX
		       ? pypi_address(r, o, s)
		       : pypi_requirement(r, o, s);
}

static struct err *pip_option(struct reader *r, const struct pip_option *option,
			      const struct origin *o, struct str value)
{
	if (option->kind == PIP_INCLUDE)
		return pypi_include(r, value, origin_span(o, value));
	return option->kind == PIP_EDITABLE ? pip_editable(r, o, value) : NULL;
}

/* "-e NAME @ URL", which uv reads as one requirement; pip would read the first word only. */
static struct err *pip_editable_at(struct reader *r, const struct origin *o,
				   const struct pip_word *w, bool *taken)
{
	const char *end = w[2].s.p + w[2].s.n;

	*taken = w[0].at.whole.p == o->whole.p && w[2].at.whole.p == o->whole.p;
	if (!*taken)
		return NULL;
	return pypi_requirement(r, o, (struct str){w[0].s.p, (size_t)(end - w[0].s.p)});
}

/* An unknown option may take the next word or not. */
static void pip_unknown(struct reader *r, const struct pip_word *w)
{
	reader_unresolved(r, w->s, origin_span(&w->at, w->s),
			  "ikm does not know this option of pip");
}

static struct err *pip_option_line(struct reader *r, const struct origin *o, struct str s)
{
	struct pip_words words = {0};

	TRY(pip_split(r, o, s, &words));
	for (size_t i = 0; i < words.n; i++) {
		const struct pip_word *w = &words.p[i];
		struct str name = w->s, value = {0};
		const struct pip_option *option;

		if (str_is(w->s, "--"))
			break;
		if (w->s.n < 2 || w->s.p[0] != '-') {
			/*
			 * pip ignores a word that belongs to no option; but a variable may hold
			 * options.
			 */
			if (pypi_variable(w->s).n)
				reader_unresolved(r, w->s, origin_span(&w->at, w->s),
						  "a variable of the environment");
			continue;
		}
		if (w->s.p[1] == '-') {
			size_t equals = str_find_char(w->s, '=', 0);

			name = str_sub(w->s, 0, equals);
			option = pip_option_long(name);
			if (equals != SIZE_MAX)
				value = str_sub(w->s, equals + 1, w->s.n);
		} else {
			option = pip_option_letter(w->s.p[1]);
			if (w->s.n > 2)
				value = str_sub(w->s, 2, w->s.n);
		}
		if (!option) {
			pip_unknown(r, w);
			continue;
		}
		if (!option->value)
			continue;
		if (!value.p && ++i < words.n) {
			w = &words.p[i];
			value = w->s;
		}
		if (value.p && option->kind == PIP_EDITABLE && i + 2 < words.n &&
		    value.p == w->s.p && str_is(words.p[i + 1].s, "@")) {
			bool taken;

			TRY(pip_editable_at(r, o, w, &taken));
			if (taken) {
				i += 2;
				continue;
			}
		}
		if (value.p)
			TRY(pip_option(r, option, &w->at, value));
	}
	return NULL;
}

/* A # at the start or after a blank begins a comment; the # of a URL's fragment does not. */
static struct str pip_without_comment(struct str s)
{
	size_t i = 0;

	while ((i = str_find_char(s, '#', i)) != SIZE_MAX) {
		if (!i || ascii_is_blank(s.p[i - 1]))
			return str_sub(s, 0, i);
		i++;
	}
	return s;
}

/* Options of the requirement (--hash=…) begin at a word with a dash; they name no package. */
static struct str pip_without_options(struct str s)
{
	for (size_t i = 1; i < s.n; i++)
		if (s.p[i] == '-' && ascii_is_blank(s.p[i - 1]))
			return str_sub(s, 0, i);
	return s;
}

struct err *pypi_line(struct reader *r, const struct origin *o, struct str s)
{
	s = str_trim(pip_without_comment(s));
	if (!s.n)
		return NULL;
	if (s.p[0] == '-')
		return pip_option_line(r, o, s);
	s = str_trim(pip_without_options(s));
	if (pypi_is_plain(s))
		return pypi_requirement(r, o, s);
	if (pypi_is_address(s))
		return pypi_address(r, o, s);
	if (pip_is_path(s))
		return str_find(s, STR(" @ "), 0) == SIZE_MAX ? pypi_address(r, o, s)
							      : pypi_requirement(r, o, s);
	return pypi_requirement(r, o, s);
}
