/* Replaces matches by a text with groups. */
#include "re/internal.h"

struct piece {
	struct str text; /* p NULL: the group */
	size_t group;
};
struct re_template {
	const struct re *re;
	struct VEC(struct piece) pieces;
};

static struct err *template_bad(struct str text, size_t at, const char *why)
{
	struct err *e =
		err_for_param(E_BAD_ARGUMENT, STR("replace"), "'%.*s' at offset %zu: %s",
			      STR_ARG(str_sub(text, at, size_min(at + 20, text.n))), at, why);

	return err_help(e, "$1 or ${1} is a group, ${name} a named group, $0 the match, $$ a "
			   "dollar sign");
}

/* Reads the group behind the dollar sign at *at. */
static struct err *template_group(struct arena *a, const struct re *re, struct str text, size_t *at,
				  size_t *group)
{
	size_t from = *at + 1, to = from, start = *at;
	bool braces = from < text.n && text.p[from] == '{';
	struct str name;
	int64_t n;

	if (braces) {
		to = str_find_char(text, '}', ++from);
		if (to == SIZE_MAX)
			return template_bad(text, start, "no } follows");
	} else {
		while (to < text.n && ascii_is_digit(text.p[to]))
			to++;
	}
	name = str_sub(text, from, to);
	if (!name.n)
		return template_bad(text, start, "no group follows");
	*at = to + braces;
	if (str_int(name, &n) && n >= 0) {
		*group = (size_t)n;
		if (*group > re_group_count(re))
			return template_bad(text, start, "the pattern has fewer groups");
		return NULL;
	}
	*group = re_group_named(a, re, name);
	return *group ? NULL : template_bad(text, start, "the pattern has no such group");
}

struct err *re_template_new(struct arena *a, const struct re *re, struct str text,
			    struct re_template **out)
{
	struct re_template *t = ARENA_NEW(a, struct re_template);
	struct str rest = text.p ? text : STR("");
	size_t at = 0;

	t->re = re;
	*out = t;
	while (at < rest.n) {
		size_t to = re_is_literal(re) ? SIZE_MAX : str_find_char(rest, '$', at);
		struct piece *one;

		to = size_min(to, rest.n);
		if (to > at)
			*VEC_PUSH(a, &t->pieces) = (struct piece){.text = str_sub(rest, at, to)};
		at = to;
		if (at == rest.n)
			break;
		one = VEC_PUSH(a, &t->pieces);
		*one = (struct piece){0};
		if (at + 1 < rest.n && rest.p[at + 1] == '$') {
			one->text = STR("$");
			at += 2;
			continue;
		}
		TRY(template_group(a, re, rest, &at, &one->group));
	}
	return NULL;
}

static void template_put(const struct re_template *t, const struct re_work *w, struct str text,
			 struct span match, struct buf *b)
{
	VEC_EACH(const struct piece, one, &t->pieces) {
		struct span group;

		if (one->text.p)
			buf_put(b, one->text);
		else if (re_group(w, match, one->group, &group))
			buf_put(b, str_sub(text, group.from, group.to));
	}
}

enum re_answer re_replace(struct arena *a, const struct re_template *t, struct str text,
			  struct str *out, size_t *count)
{
	struct re_work *w = re_work_new_with_groups(a, t->re);
	struct buf b = buf_in(a);
	enum re_answer r = RE_NO;
	size_t at = 0, done = 0;
	struct span m;

	*count = 0;
	while (at <= text.n && (r = re_find(t->re, w, text, at, &m)) == RE_YES) {
		/* There is no line behind the last LF. */
		if (m.from >= text.n && (!text.n || text.p[text.n - 1] == '\n'))
			break;
		buf_put(&b, str_sub(text, done, m.from));
		template_put(t, w, text, m, &b);
		done = m.to;
		at = m.to + (m.to == m.from);
		++*count;
	}
	if (r == RE_LIMIT)
		return RE_LIMIT;
	if (!*count)
		return RE_NO;
	buf_put(&b, str_sub(text, done, text.n));
	*out = buf_as_str(&b);
	return RE_YES;
}
