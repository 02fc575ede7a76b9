#include "deps/pypi_requirement.h"

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
