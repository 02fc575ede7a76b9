#include "plain.h"
#include "json/json.h"

/* The digits of a hash that a model repeats in ifMatch; see file_match(). */
#define DIGITS 12

struct str plain_hash(struct str hash)
{
	size_t colon = str_rfind_char(hash, ':');

	return str_sub(hash, 0, colon == SIZE_MAX ? hash.n : colon + 1 + DIGITS);
}

void plain_lines(struct buf *b, const struct val *list)
{
	VAL_EACH(list, one)
		buf_fmt(b, "%.*s\n", STR_ARG(one->s));
}

static bool plain_is_in(const char *names, struct str name)
{
	struct str rest = str_of(names ? names : ""), one;

	while (str_split(&rest, ' ', &one))
		if (str_eq(one, name))
			return true;
	return false;
}

static bool plain_is_empty(const struct val *v)
{
	switch (v->type) {
	case VAL_NULL: return true;
	case VAL_BOOL: return !v->b;
	case VAL_STR: return !v->s.n;
	case VAL_LIST:
	case VAL_MAP: return !v->n;
	default: return false;
	}
}

static void plain_put_warnings(struct buf *b, const struct val *list)
{
	VAL_EACH(list, one)
		buf_fmt(b, "warning: %.*s\n", STR_ARG(one->s));
}

static void plain_put_other(struct arena *a, struct buf *b, const struct val *m)
{
	struct str text = m->type == VAL_STR ? m->s : json_text(a, m);

	buf_fmt(b, "%.*s: %.*s\n", STR_ARG(m->key), STR_ARG(text));
}

void plain_text(struct arena *a, const struct plain *p, const struct val *v, struct str *body,
		struct str *rest)
{
	struct buf b = buf_in(a);

	*body = p->body ? val_get_str(v, p->body) : STR("");
	if (p->print)
		p->print(a, &b, v);
	VAL_EACH(v, m) {
		if (plain_is_empty(m) || (p->body && str_is(m->key, p->body)) ||
		    plain_is_in(p->shown, m->key))
			continue;
		if (str_is(m->key, "warnings"))
			plain_put_warnings(&b, m);
		else if (!str_is(m->key, "truncated") || !val_get(v, "more"))
			plain_put_other(a, &b, m);
	}
	*rest = buf_str(&b);
	while (rest->n && rest->p[rest->n - 1] == '\n')
		rest->n--;
}

struct str plain_error(struct arena *a, const struct val *envelope)
{
	const struct val *details = val_get(envelope, "details");
	struct str message = val_get_str(envelope, "message");
	struct buf b = buf_in(a);

	buf_fmt(&b, "%.*s: %.*s", STR_ARG(val_get_str(details, "reason")), STR_ARG(message));
	VAL_EACH(val_get(val_get(envelope, "help"), "steps"), step)
		buf_fmt(&b, "\n%.*s", STR_ARG(step->s));
	if (val_get(details, "settings"))
		buf_fmt(&b, "\nwarning: %.*s", STR_ARG(val_get_str(details, "settings")));
	return buf_str(&b);
}

void plain_written_print(struct arena *a, struct buf *b, const struct val *v)
{
	const struct val *created = val_get(v, "created"), *changed = val_get(v, "changed");
	struct str ends = val_get_str(v, "lineEnds");

	(void)a;
	buf_fmt(b, "%.*s: %s, %.*s\n", STR_ARG(val_get_str(v, "path")),
		created && created->b    ? "created"
		: changed && !changed->b ? "unchanged, it had this content"
					 : "changed",
		STR_ARG(plain_hash(val_get_str(v, "newHash"))));
	if (str_is(ends, "crlf"))
		buf_puts(b, "the text got the file's line ends, CR LF\n");
}

const struct plain plain_written = {.print = plain_written_print, .shown = PLAIN_WRITTEN};
