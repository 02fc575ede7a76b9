#include "deps/manifest_tokens.h"
#include "deps/range.h"

/*
 * Gemfile and *.gemspec, which are Ruby. Literal declarations are read; any other one is
 * unresolved. Blocks for groups, platforms and sources do not matter: their gems count.
 */

#define BUNDLER_GEMFILE "gem|plugin"
#define BUNDLER_GEMSPEC "add_dependency|add_runtime_dependency|add_development_dependency"

/* Whether the token may follow a literal argument: another argument, or the end of the call. */
static bool bundler_ends_argument(const struct token *t)
{
	return t->type == TOKEN_LINE || t->type == TOKEN_END ||
	       token_is(t, "if|unless|do|end|,|)|]|;|}");
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

		i = program_skip_line_ends(v, i + 1);
		list = token_is(&v->p[i], "[");
		i = list ? program_skip_line_ends(v, i + 1) : i;
		while (bundler_string(v, &i, &t)) {
			/* Mostly there is one, which needs no copy. */
			if (n++ == 1)
				buf_put(&b, all);
			if (n > 1) {
				buf_puts(&b, ", ");
				buf_put(&b, t->s);
			}
			all = n > 1 ? buf_as_str(&b) : t->s;
			i = list ? program_skip_line_ends(v, i) : i;
			if (!list || !token_is(&v->p[i], ","))
				break;
			i = program_skip_line_ends(v, i + 1);
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

/* i: the token of the call's name. */
static void bundler_call(struct reader *r, const struct tokens *v, size_t i)
{
	const struct token *t = &v->p[i], *name;
	size_t at = program_call_argument(v, i), open = i > 3 && token_is(t - 2, "(");

	if (i && token_is(t - 1, ":") && t->at.from == t[-1].at.to) {
		/* RubyGems writes "if s.respond_to? :add_dependency". */
		if (i <= 2 + open || !token_is(t - 2 - open, "?") ||
		    !token_is(t - 3 - open, "respond_to"))
			program_add_unresolved(r, v, i, "a program makes the call");
		return;
	}
	if (i && token_is(t - 1, "def|alias")) {
		program_add_unresolved(r, v, i, "the program gives this word another meaning");
		return;
	}
	/* "gem: x" is a key and "gem = x" a variable. */
	if ((token_is(t + 1, ":") && !t[1].spaced) || token_is(t + 1, "=|.") ||
	    bundler_ends_argument(t + 1))
		return;
	if (!bundler_string(v, &at, &name)) {
		program_add_unresolved(r, v, i, "a program computes the name");
		return;
	}
	reader_add_dep(r, name->s, token_span(name))->version = bundler_versions(r, v, at);
}

/* 'ruby "3.2.0"' or 'ruby file: ".ruby-version"', at the beginning of a statement. */
static void bundler_ruby(struct reader *r, const struct tokens *v, size_t i)
{
	const struct token *t = &v->p[i], *version;
	size_t at = program_call_argument(v, i);
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
	reader_add_runtime(r, t->s, STR(""), range, token_span(t));
}

/* 's.required_ruby_version = [">= 3.0", "< 4"]': the strings up to the end of the statement. */
static void bundler_required(struct reader *r, const struct tokens *v, size_t i)
{
	struct buf b = buf_in(r->a);

	if (!token_is(&v->p[i + 1], "="))
		return;
	for (size_t at = i + 2; v->p[at].type != TOKEN_LINE && v->p[at].type != TOKEN_END; at++)
		if (v->p[at].type == TOKEN_STRING)
			buf_fmt(&b, "%s%.*s", buf_as_str(&b).n ? ", " : "", STR_ARG(v->p[at].s));
	reader_add_runtime(
		r, str_is(v->p[i].s, "required_ruby_version") ? STR("ruby") : STR("rubygems"),
		v->p[i].s, buf_as_str(&b), token_span(&v->p[i]));
}

static struct err *bundler_read(struct reader *r, const char *words)
{
	struct tokens v = {0};

	r->reach = DEPS_DIRECT;
	program_tokens(r, PROGRAM_RUBY, &v);
	for (size_t i = 0; i + 1 < v.n; i++) {
		const struct token *t = &v.p[i], *name;
		struct str s = str_sub(r->text, t->at.from, t->at.to), path, word, rest, text;
		bool found = false;

		if (t->type == TOKEN_STRING) {
			/* One over several lines may hide what ikm takes for a string. */
			rest = str_holds(s, "\n") ? str_of(words) : STR("");
			while (!found && str_next_part(&rest, '|', &word))
				found = str_find(s, word, 0) != SIZE_MAX;
			if (found)
				reader_add_unresolved(r, STR(""), token_span(t),
						      "a string over several lines contains '%.*s'",
						      STR_ARG(word));
		} else if (token_is(t, words)) {
			bundler_call(r, &v, i);
		} else if (!strcmp(words, BUNDLER_GEMFILE) && token_is(t, "ruby")) {
			bundler_ruby(r, &v, i);
		} else if (!strcmp(words, BUNDLER_GEMSPEC) &&
			   token_is(t, "required_ruby_version|required_rubygems_version")) {
			bundler_required(r, &v, i);
		} else if (token_is(t, "eval_gemfile|instance_eval|eval|class_eval")) {
			/* Known when the name is literal, and ikm reads it as a Gemfile. */
			size_t at = program_call_argument(&v, i);

			if (bundler_string(&v, &at, &name) &&
			    reader_resolve_path(r, name->s, &path) && deps_is_manifest(path))
				TRY(reader_read_other_file(r, path, &text, &found));
			found = found && deps_text_is_manifest(path, text);
			if (!found)
				program_add_unresolved(
					r, &v, i,
					"it includes a file that ikm does not read as a Gemfile");
		}
	}
	return NULL;
}

struct err *gem_manifest(struct reader *r)
{
	/* bundler/inline: behind its block stands the script. */
	size_t block = str_find(r->text, STR("bundler/inline"), 0), end;

	if (block != SIZE_MAX) {
		block = str_find(r->text, STR("\ngemfile"), block);
		end = block == SIZE_MAX ? block : str_find(r->text, STR("\nend"), block);
		r->text.n = size_min(end, r->text.n);
	}
	return bundler_read(r, BUNDLER_GEMFILE);
}

struct err *gem_spec(struct reader *r)
{
	return bundler_read(r, BUNDLER_GEMSPEC);
}

/*
 * ---- Gemfile.lock ----
 *
 * As Bundler writes it: sections without indent, and below "specs:" one gem with its version per
 * line, behind four blanks. PATH has gems in folders; the folder "." is the project.
 */

struct err *gem_lock(struct reader *r)
{
	struct str rest = r->text, all, line, section = {"", 0}, name, version;
	bool gems = false, specs = false, own = false;
	size_t n;

	while (str_next_line(&rest, &all)) {
		size_t indent = 0, from = (size_t)(all.p - r->text.p);

		while (indent < all.n && all.p[indent] == ' ')
			indent++;
		line = str_sub(all, indent, all.n);
		if (!line.n)
			continue;
		if (line.p[0] == '\t')
			return reader_error_at(r, from + indent, "a tab, where only blanks may be");
		if (!indent) {
			/* Words in capitals; conflict markers of a merge are no sections. */
			if (!ascii_is_upper(line.p[0]))
				return reader_bad_line(r, line, "is not a section of Bundler");
			section = line;
			gems = reader_is_any_of_words(section, "GEM|GIT|PATH|PLUGIN SOURCE");
			specs = own = false;
		} else if (gems && indent == 2) {
			specs = str_is(line, "specs:") && !own;
			own = own || (str_is(section, "PATH") && str_is(line, "remote: ."));
		} else if ((str_is(section, "DEPENDENCIES") && indent == 2) ||
			   (own && !specs && gems && indent == 6)) {
			/*
			 * The project itself asks for it, or its own gem: "name", "name (~> 1.0)",
			 * "name!" of a source.
			 */
			name = reader_until(line, " ");
			if (str_ends(name, STR("!")))
				name.n--;
			name_map_put(r->a, &r->shared, name, r);
		} else if (str_is(section, "RUBY VERSION") && str_starts(line, STR("ruby "))) {
			/* "ruby 3.2.2p53": the patch level is no part of the version. */
			version = str_trim(str_sub(line, 5, line.n));
			for (n = 0; n < version.n &&
				    (ascii_is_digit(version.p[n]) || version.p[n] == '.');)
				n++;
			reader_add_runtime(r, str_sub(line, 0, 4), STR(""), str_sub(version, 0, n),
					   (struct span){from + indent, from + indent + 4})
				->locked = true;
		} else if (specs && indent == 4) {
			/* "name (1.2.3)" or "name (1.2.3-x86_64-linux)" */
			reader_split_at(line, ' ', 0, &name, &version);
			if (!name.n || str_ends(name, STR(":")) || !str_starts(version, STR("(")) ||
			    !str_ends(version, STR(")")))
				return reader_bad_line(r, line, "is no gem with its version");
			version = reader_until(str_sub(version, 1, version.n - 1), "-");
			reader_add_dep_slice(r, name)->version = version;
			r->out->p[r->out->n - 1].locked = true;
		} else if (specs && indent != 6) {
			return reader_error_at(
				r, from,
				"a gem must stand behind four blanks, as Bundler writes it");
		}
	}
	/* Below DEPENDENCIES stand the direct gems; a lockfile without it does not tell. */
	for (size_t i = 0; i < r->out->n && r->shared.n; i++)
		r->out->p[i].reach =
			name_map_get(&r->shared, r->out->p[i].name) ? DEPS_DIRECT : DEPS_TRANSITIVE;
	return NULL;
}

/*
 * Versions and requirements of RubyGems. A version is a list of numbers and words. A word sorts
 * before the end of the list, and the end before a number: 1.a < 1 < 1.0.1. Trailing zeros and
 * zeros before the first word are ignored.
 *
 * A key: for each part 0x01, the word and 0x00, or 0x03 and the number; at the end 0x02.
 */

#define PARTS_MAX 64

struct parts {
	struct str p[PARTS_MAX];
	size_t n, numbers; /* numbers: count of numbers before the first word */
};

/* "1.2.rc1" as 1, 2, rc, 1; a hyphen is ".pre.". */
static bool gem_split(struct str s, struct parts *out)
{
	bool words = false;

	*out = (struct parts){0};
	if (!s.n || !ascii_is_digit(s.p[0]))
		return false;
	for (size_t i = 0; i < s.n;) {
		size_t from = i;
		bool digit = ascii_is_digit(s.p[i]);

		if (out->n + 2 > PARTS_MAX || (!digit && !ascii_is_letter(s.p[i])))
			return false;
		while (i < s.n && (digit ? ascii_is_digit(s.p[i]) : ascii_is_letter(s.p[i])))
			i++;
		words = words || !digit;
		out->p[out->n++] = str_sub(s, from, i);
		out->numbers += !words;
		if (i < s.n && s.p[i] == '-') {
			out->p[out->n++] = STR("pre");
			words = true;
		}
		if (i < s.n && (s.p[i] == '.' || s.p[i] == '-') && ++i == s.n)
			return false;
	}
	return true;
}

static struct str gem_key_of(struct arena *a, struct parts v, bool end)
{
	struct buf b = buf_in(a);
	size_t words = v.n - v.numbers, keep = v.numbers;

	/* Zeros that comparing ignores: at the end of the numbers, and of all. */
	while (keep > 1 && str_is_zeros(v.p[keep - 1]))
		keep--;
	memmove(v.p + keep, v.p + v.numbers, words * sizeof(v.p[0]));
	v.n = keep + words;
	while (v.n > keep && ascii_is_digit(v.p[v.n - 1].p[0]) && str_is_zeros(v.p[v.n - 1]))
		v.n--;
	/* A single zero counts as no part. */
	for (size_t i = keep == 1 && str_is_zeros(v.p[0]); i < v.n; i++) {
		bool digit = ascii_is_digit(v.p[i].p[0]);

		key_append_part(&b, digit ? 3 : 1, v.p[i], digit);
	}
	if (end)
		buf_putc(&b, 2);
	return buf_as_str(&b);
}

static bool gem_version_key(struct arena *a, struct str text, struct str *key)
{
	struct parts v;

	if (!gem_split(text, &v))
		return false;
	*key = gem_key_of(a, v, true);
	return true;
}

static bool gem_version_bounds(struct arena *a, struct str text, struct cuts *out)
{
	struct parts v;

	if (!gem_split(text, &v))
		return false;
	out->lo = gem_key_of(a, v, true);
	out->hi = version_bound_above_prefix(a, out->lo);
	/* The upper bound of "~> v": 1.2.3 goes up to 1.3, 1 up to 2. */
	v.n = v.numbers = v.numbers - (v.numbers > 1);
	v.p[v.n - 1] = number_plus_one(a, v.p[v.n - 1]);
	out->compatible = gem_key_of(a, v, false);
	return true;
}

/* Requirements of Hex: those of RubyGems, with "and" and "or". */
static struct str hex_range_as_gem(struct arena *a, struct str text)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < text.n; i++) {
		struct str here = str_sub(text, i, text.n);

		if (str_starts(here, STR(" and "))) {
			buf_putc(&b, ',');
			i += 4;
		} else if (str_starts(here, STR(" or "))) {
			buf_puts(&b, "||");
			i += 3;
		} else {
			buf_putc(&b, text.p[i]);
		}
	}
	return buf_as_str(&b);
}

#define GEM                                                                                        \
	gem_version_key, gem_version_bounds, "~> >= <= != > < =", ",", "",                         \
		RANGE_COMMAS | RANGE_SIDES, STR_INIT("")

const struct versions versions_gem = {GEM, "1.2.3, ~> 1.2, >= 1, < 2, != 1.5, joined by commas"},
		      versions_terraform = {GEM,
					    "1.2.3, ~> 1.2, >= 1, < 2, != 1.5, joined by commas"},
		      versions_hex = {GEM, "~> 1.2, >= 1.0 and < 2.0, != 1.5, joined by or",
				      hex_range_as_gem};
