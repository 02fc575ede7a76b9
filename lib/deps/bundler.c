#include "deps/program.h"

/*
 * Gemfile and *.gemspec, which are Ruby. Literal declarations are read; any other one is
 * unresolved. Blocks for groups, platforms and sources do not matter: their gems count.
 */

static const char *const bundler_gemfile[] = {"gem", "plugin", NULL};
static const char *const bundler_gemspec[] = {"add_dependency", "add_runtime_dependency",
					      "add_development_dependency", NULL};

/* Whether the token may follow a literal argument: another argument, or the end of the call. */
static bool bundler_ends_argument(const struct token *t)
{
	static const char *const words[] = {"if", "unless", "do", "end", NULL};

	return t->type == TOKEN_LINE || t->type == TOKEN_END || token_is_one(t, words) ||
	       (t->type == TOKEN_MARK && strchr(",)];}", t->s.p[0]));
}

/* A literal string at *i, with or without ".freeze"; moves *i behind it. */
static bool bundler_string(const struct tokens *v, size_t *i, const struct token **out)
{
	const struct token *t = &v->p[*i];
	size_t next = *i + 1;

	if (!token_is_literal(t))
		return false;
	if (token_is(&v->p[next], ".") && token_is(&v->p[next + 1], "freeze"))
		next += 2;
	if (!bundler_ends_argument(&v->p[next]))
		return false;
	*i = next;
	*out = t;
	return true;
}

/* ", '~> 1.0', '< 2'" or ", ['>= 1']" behind the name, as one range. */
static struct str bundler_versions(struct reader *r, const struct tokens *v, size_t i)
{
	struct buf b = buf_in(r->a);
	struct str all = {"", 0};
	size_t n = 0;

	while (token_is(&v->p[i], ",")) {
		const struct token *t;
		bool list;

		i = program_skip_lines(v, i + 1);
		list = token_is(&v->p[i], "[");
		i = list ? program_skip_lines(v, i + 1) : i;
		while (bundler_string(v, &i, &t)) {
			/* Mostly there is one, which needs no copy. */
			if (n++ == 1)
				buf_put(&b, all);
			if (n > 1) {
				buf_puts(&b, ", ");
				buf_put(&b, t->s);
			}
			all = n > 1 ? buf_str(&b) : t->s;
			i = list ? program_skip_lines(v, i) : i;
			if (!list || !token_is(&v->p[i], ","))
				break;
			i = program_skip_lines(v, i + 1);
		}
		if (list && token_is(&v->p[i], "]"))
			i++;
		else if (list)
			return STR(""); /* computed: the range is not known */
		else if (v->p[i].type != TOKEN_LINE && !bundler_ends_argument(&v->p[i]))
			break;
	}
	return all;
}

/* Whether the symbol at i is a question: RubyGems writes "if s.respond_to? :add_dependency". */
static bool bundler_is_asked(const struct tokens *v, size_t i)
{
	const struct token *t = &v->p[i];
	size_t open = i > 3 && token_is(t - 2, "(");

	return i > 2 + open && token_is(t - 2 - open, "?") && token_is(t - 3 - open, "respond_to");
}

/* i: the token of the call's name. */
static void bundler_call(struct reader *r, const struct tokens *v, size_t i)
{
	const struct token *before = i ? &v->p[i - 1] : NULL, *after = &v->p[i + 1], *name;
	size_t at = i + 1;
	struct dep *d;

	if (before && token_is(before, ":") && v->p[i].at.from == before->at.to) {
		if (!bundler_is_asked(v, i))
			program_unknown(r, v, i, "a program makes the call");
		return;
	}
	if (before && (token_is(before, "def") || token_is(before, "alias"))) {
		program_unknown(r, v, i, "the program gives this word another meaning");
		return;
	}
	/* "gem: x" is a key and "gem = x" a variable. */
	if ((token_is(after, ":") && !after->spaced) || token_is(after, "=") ||
	    token_is(after, ".") || bundler_ends_argument(after))
		return;
	if (token_is(after, "("))
		at = program_skip_lines(v, at + 1);
	if (!bundler_string(v, &at, &name)) {
		program_unknown(r, v, i, "a program computes the name");
		return;
	}
	d = reader_add(r, name->s, token_at(name));
	d->reach = DEPS_DIRECT;
	d->version = bundler_versions(r, v, at);
}

/* 'ruby "3.2.0"' or 'ruby file: ".ruby-version"', at the beginning of a statement. */
static void bundler_ruby(struct reader *r, const struct tokens *v, size_t i)
{
	const struct token *t = &v->p[i], *version;
	size_t at = i + 1 + token_is(t + 1, "(");
	struct str range = {"", 0}, more;

	if (i && t[-1].type != TOKEN_LINE && !token_is(t - 1, ";"))
		return;
	if (bundler_string(v, &at, &version)) {
		more = bundler_versions(r, v, at);
		range = more.n ? str_fmt(r->a, "%.*s, %.*s", STR_ARG(version->s), STR_ARG(more))
			       : version->s;
	} else if (!token_is(&v->p[at], "file")) {
		return;
	}
	reader_runtime(r, t->s, STR(""), range, token_at(t));
}

/* 's.required_ruby_version = [">= 3.0", "< 4"]': the strings up to the end of the statement. */
static void bundler_required(struct reader *r, const struct tokens *v, size_t i)
{
	struct buf b = buf_in(r->a);

	if (!token_is(&v->p[i + 1], "="))
		return;
	for (size_t at = i + 2; v->p[at].type != TOKEN_LINE && v->p[at].type != TOKEN_END; at++)
		if (v->p[at].type == TOKEN_STRING)
			buf_fmt(&b, "%s%.*s", buf_str(&b).n ? ", " : "", STR_ARG(v->p[at].s));
	reader_runtime(r,
		       str_is(v->p[i].s, "required_ruby_version") ? STR("ruby") : STR("rubygems"),
		       v->p[i].s, buf_str(&b), token_at(&v->p[i]));
}

/* Other Gemfiles: known when the name is literal, and the tree has a file that ikm reads as one. */
static struct err *bundler_include(struct reader *r, const struct tokens *v, size_t i)
{
	const struct token *name;
	struct str path;
	size_t at = i + 1 + token_is(&v->p[i + 1], "(");
	bool known = false, found = false;

	if (bundler_string(v, &at, &name) && reader_beside(r, name->s, &path) &&
	    deps_is_manifest(path))
		TRY(reader_has(r, path, &known, &found));
	if (!found)
		program_unknown(r, v, i, "it includes a file that ikm does not read as a Gemfile");
	return NULL;
}

/* A string over several lines may hide what ikm takes for a string. */
static void bundler_text(struct reader *r, const struct token *t, const char *const *words)
{
	struct str s = str_sub(r->text, t->at.from, t->at.to);

	if (str_find_char(s, '\n', 0) == SIZE_MAX)
		return;
	for (; *words; words++)
		if (str_find(s, str_of(*words), 0) != SIZE_MAX) {
			reader_unresolved(r, STR(""), token_at(t),
					  "a string over several lines contains '%s'", *words);
			return;
		}
}

static struct err *bundler_read(struct reader *r, const char *const *words)
{
	static const char *const required[] = {"required_ruby_version", "required_rubygems_version",
					       NULL};
	static const char *const evals[] = {"eval_gemfile", "instance_eval", "eval", "class_eval",
					    NULL};
	struct tokens v = {0};

	program_tokens(r, PROGRAM_RUBY, &v);
	for (size_t i = 0; i + 1 < v.n; i++) {
		const struct token *t = &v.p[i];

		if (t->type == TOKEN_STRING)
			bundler_text(r, t, words);
		else if (token_is_one(t, words))
			bundler_call(r, &v, i);
		else if (words == bundler_gemfile && token_is(t, "ruby"))
			bundler_ruby(r, &v, i);
		else if (words == bundler_gemspec && token_is_one(t, required))
			bundler_required(r, &v, i);
		else if (token_is_one(t, evals))
			TRY(bundler_include(r, &v, i));
	}
	return NULL;
}

struct err *gem_manifest(struct reader *r)
{
	return bundler_read(r, bundler_gemfile);
}

struct err *gem_spec(struct reader *r)
{
	return bundler_read(r, bundler_gemspec);
}
