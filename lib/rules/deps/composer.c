#include "deps/reader.h"
#include "deps/range.h"

bool composer_is_platform(struct str name)
{
	static const char *const heads[] = {"ext-", "lib-", "php-", "composer-"};

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		if (name.n > strlen(heads[i]) &&
		    str_ieq(str_sub(name, 0, strlen(heads[i])), str_of(heads[i])))
			return str_find_char(name, '/', 0) == SIZE_MAX;
	return str_ieq(name, STR("php")) || str_ieq(name, STR("hhvm")) ||
	       str_ieq(name, STR("composer"));
}

enum deps_kind composer_kind(struct str name)
{
	struct str head = str_sub(name, 0, 4);
	bool part = str_ieq(head, STR("ext-")) || str_ieq(head, STR("lib-"));

	return composer_is_platform(name) && !part ? DEPS_RUNTIME : DEPS_PACKAGE;
}

/* "dev-main as 1.0.x-dev" is the branch; the alias only satisfies others. */
static struct err *composer_entry(struct reader *r, const struct val *v, struct dep *d)
{
	(void)r;
	d->kind = composer_kind(v->key);
	d->version = str_trim(str_sub(v->s, 0, str_find(v->s, STR(" as "), 0)));
	return NULL;
}

/* The package in a repository of type "package" is written in the file itself. */
static struct err *composer_inline(struct reader *r, const struct val *v)
{
	if (v->type == VAL_LIST) {
		VAL_EACH(v, m)
			TRY(composer_inline(r, m));
	} else if (v->type == VAL_MAP) {
		const struct val *name = reader_get_str(v, "name");

		if (name)
			reader_set_locked_version(reader_add_dep_val(r, name),
						  val_get_str(v, "version"));
	}
	return NULL;
}

/*
 * Repositories beside packagist.org. A folder and a Git repository name their packages in their own
 * composer.json, and Composer refuses a package of another name, so a name in "require" is certain.
 */
static struct err *composer_repositories(struct reader *r, const struct val *list)
{
	if (list->type != VAL_LIST && list->type != VAL_MAP)
		return reader_error_at(r, list->at.from, "%s is %s, and must be a list",
				       reader_entry_name(r, list), val_type_name(list->type));
	VAL_EACH(list, v) {
		const struct val *package = val_get(v, "package");

		if (package && str_is(val_get_str(v, "type"), "package"))
			TRY(composer_inline(r, package));
	}
	return NULL;
}

#define COMPOSER_ENTRY  .is = TREE_DIRECT | TREE_TEXT, .each = composer_entry
#define COMPOSER_LOCKED .name = "name", .version = "version", .is = TREE_LOCKED

TREE_READER(composer_manifest, json, {"require{}", COMPOSER_ENTRY},
	    {"require-dev{}", COMPOSER_ENTRY}, {"repositories", .read = composer_repositories})

TREE_READER(composer_lock, json, {"packages[]", COMPOSER_LOCKED},
	    {"packages-dev[]", COMPOSER_LOCKED}, {"platform{}", COMPOSER_ENTRY},
	    {"platform-dev{}", COMPOSER_ENTRY})

/*
 * Versions of Composer: up to four numbers and a stability, dev < alpha < beta < RC < the release <
 * patch. A key: the four numbers, the rank of the stability, its number. "dev-main" names a branch,
 * and has no order. "2.x-dev" lies behind every version that begins with 2.
 */

struct composer_version {
	struct str p[4];
	unsigned n; /* numbers given */
	char rank;  /* 5: the release, given or not */
	bool given; /* a stability is written */
	bool star;  /* ends with .* or .x */
	struct str number;
};

static const struct {
	const char *word;
	char rank;
} composer_words[] = {{"dev", 1}, {"alpha", 2},  {"a", 2},     {"beta", 3}, {"b", 3},
		      {"rc", 4},  {"stable", 5}, {"patch", 6}, {"pl", 6},   {"p", 6}};

static bool composer_split(struct str s, struct composer_version *v)
{
	size_t n = 0;

	*v = (struct composer_version){.rank = 5};
	s = reader_skip_prefix(reader_until(s, "@+"), "v|V");
	v->star = reader_is_any_of_words(s, "*|x|X");
	if (v->star)
		return true;
	while (v->n < 4 && number_take_digits(&s, &v->p[v->n])) {
		v->n++;
		if (s.n < 2 || s.p[0] != '.' || !(ascii_is_digit(s.p[1]) || strchr("*xX", s.p[1])))
			break;
		s = str_sub(s, 1, s.n);
		if (!ascii_is_digit(s.p[0])) {
			v->star = true;
			s = str_sub(s, 1, s.n);
			if (s.n && s.p[0] == '.')
				s = str_sub(s, 2, s.n);
			break;
		}
	}
	if (!v->n || !s.n)
		return v->n;
	s = reader_skip_prefix(s, "-|.|_");
	while (n < s.n && ascii_is_letter(s.p[n]))
		n++;
	for (size_t i = 0; i < ARRAY_SIZE(composer_words); i++) {
		if (!str_ieq(str_sub(s, 0, n), str_of(composer_words[i].word)))
			continue;
		v->rank = composer_words[i].rank;
		v->given = true;
		s = reader_skip_prefix(str_sub(s, n, s.n), "-|.");
		number_take_digits(&s, &v->number);
		return !s.n || str_ieq(s, STR("-dev"));
	}
	return false;
}

/* The cut before all versions that begin with the first n numbers, with the last one raised. */
static struct str composer_cut(struct arena *a, const struct composer_version *v, unsigned n,
			       bool next)
{
	struct buf b = buf_in(a);

	for (unsigned i = 0; i < n; i++) {
		struct str digits = i < v->n ? v->p[i] : STR("0");

		key_append_number(&b, next && i + 1 == n ? number_plus_one(a, digits) : digits);
	}
	return buf_as_str(&b);
}

static struct str composer_key_of(struct arena *a, const struct composer_version *v)
{
	struct buf b = buf_in(a);

	buf_put(&b, composer_cut(a, v, 4, false));
	buf_putc(&b, v->rank);
	key_append_number(&b, v->number);
	buf_putc(&b, 0);
	return buf_as_str(&b);
}

static bool composer_version_key(struct arena *a, struct str text, struct str *key)
{
	struct composer_version v;

	if (!composer_split(text, &v))
		return false;
	if (v.star) /* 2.x-dev */
		*key = v.n ? version_bound_above_prefix(a, composer_cut(a, &v, v.n, false))
			   : STR("\xfe");
	else
		*key = composer_key_of(a, &v);
	return true;
}

static bool composer_version_bounds(struct arena *a, struct str text, struct cuts *out)
{
	struct composer_version v;
	unsigned n = 1;

	*out = (struct cuts){.lo = STR(""), .hi = CUT_HIGHEST, .whole = true};
	/* A branch, or only a stability: "@dev". No order excludes any version. */
	if (reader_starts_with_any_of(text, "dev-|@"))
		return true;
	if (!composer_split(text, &v))
		return false;
	if (v.star) {
		out->lo = composer_cut(a, &v, v.n, false);
		out->hi = v.n ? composer_cut(a, &v, v.n, true) : CUT_HIGHEST;
		return true;
	}
	out->whole = false;
	out->lo = composer_key_of(a, &v);
	out->hi = version_bound_above_prefix(a, out->lo);
	/* Before the pre-releases of a version that names none. */
	if (!v.given)
		out->ge = out->lt = composer_cut(a, &v, 4, false);
	/* ^1.2.3 up to 2; ^0.3 up to 0.4: the first number that is not zero stays. */
	while (n < v.n && str_is_zeros(v.p[n - 1]))
		n++;
	out->caret = composer_cut(a, &v, n, true);
	out->tilde = composer_cut(a, &v, v.n > 1 ? v.n - 1 : 1, true);
	/* "1.0 - 2.0": up to all of 2.0, when the end is not written whole. */
	if (v.n < 3 && !v.given)
		out->through = composer_cut(a, &v, v.n, true);
	return true;
}

const struct versions versions_composer = {
	.key = composer_version_key,
	.cuts = composer_version_bounds,
	.operators = ">= <= != <> == > < = ^ ~",
	.ends = ",",
	.skipped = "",
	.is = RANGE_HYPHEN | RANGE_SIDES | RANGE_LOOSE | RANGE_BAR,
	.lowest = STR_INIT(""),
	.syntax = "1.2.3, ^1.2, ~1.2, 1.2.*, >=1 <2, !=1.5, 1.0 - 2.0, joined by ||",
};
