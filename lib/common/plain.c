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

/* ---- an outline: names and values, without quotes and braces ---- */

static bool plain_is_row(const struct val *v)
{
	return v->type == VAL_MAP || v->type == VAL_LIST;
}

/* Whether v, within a row, says nothing: empty, false or 0. */
static bool plain_is_default(const struct val *v)
{
	return plain_is_empty(v) || (v->type == VAL_NUM && str_is(v->s, "0"));
}

static bool plain_is_line(const struct val *v)
{
	return !plain_is_row(v) && str_find_char(v->s, '\n', 0) == SIZE_MAX;
}

/* Whether v fits on the line of its name: a list of short values, or an object of such. */
static bool plain_is_flat(const struct val *v)
{
	VAL_EACH(v, m)
		if (!plain_is_line(m) &&
		    !(v->type == VAL_MAP && m->type == VAL_LIST && plain_is_flat(m)))
			return false;
	return true;
}

static void plain_put_scalar(struct arena *a, struct buf *b, const struct val *v)
{
	buf_put(b, v->type == VAL_STR ? v->s : json_text(a, v));
}

static void plain_put_indent(struct buf *b, size_t depth)
{
	for (size_t i = 0; i < depth; i++)
		buf_puts(b, "  ");
}

/* A text of several lines stands below its name. */
static void plain_put_string(struct buf *b, struct str text, size_t depth)
{
	struct str line;

	if (str_find_char(text, '\n', 0) == SIZE_MAX) {
		buf_fmt(b, " %.*s\n", STR_ARG(text));
		return;
	}
	buf_putc(b, '\n');
	while (str_split(&text, '\n', &line)) {
		plain_put_indent(b, depth + 1);
		buf_fmt(b, "%.*s\n", STR_ARG(line));
	}
}

/* "a, b" of a list, "name: a; other: b" of an object. */
static void plain_put_flat(struct arena *a, struct buf *b, const struct val *v)
{
	bool any = false;

	VAL_EACH(v, m) {
		if (v->type == VAL_MAP && plain_is_default(m))
			continue;
		if (any)
			buf_puts(b, v->type == VAL_MAP ? "; " : ", ");
		if (v->type == VAL_MAP)
			buf_fmt(b, "%.*s: ", STR_ARG(m->key));
		if (plain_is_row(m))
			plain_put_flat(a, b, m);
		else
			plain_put_scalar(a, b, m);
		any = true;
	}
}

static void plain_put_value(struct arena *a, struct buf *b, const struct val *v, size_t depth);

/* The members of an object, a line each. The first one continues the line when `begun`. */
static void plain_put_members(struct arena *a, struct buf *b, const struct val *v, size_t depth,
			      bool begun)
{
	VAL_EACH(v, m) {
		if (plain_is_default(m))
			continue;
		if (!begun)
			plain_put_indent(b, depth);
		begun = false;
		buf_fmt(b, "%.*s:", STR_ARG(m->key));
		plain_put_value(a, b, m, depth);
	}
	if (begun)
		buf_putc(b, '\n');
}

/* Ends the line behind a name, and puts what belongs below it. */
static void plain_put_value(struct arena *a, struct buf *b, const struct val *v, size_t depth)
{
	if (v->type == VAL_STR) {
		plain_put_string(b, v->s, depth);
	} else if (!plain_is_row(v)) {
		buf_putc(b, ' ');
		plain_put_scalar(a, b, v);
		buf_putc(b, '\n');
	} else if (plain_is_flat(v)) {
		buf_putc(b, ' ');
		plain_put_flat(a, b, v);
		buf_putc(b, '\n');
	} else if (v->type == VAL_MAP) {
		buf_putc(b, '\n');
		plain_put_members(a, b, v, depth + 1, false);
	} else {
		buf_putc(b, '\n');
		VAL_EACH(v, row) {
			plain_put_indent(b, depth);
			buf_putc(b, '-');
			if (row->type == VAL_MAP && !plain_is_flat(row)) {
				buf_putc(b, ' ');
				plain_put_members(a, b, row, depth + 1, true);
			} else {
				plain_put_value(a, b, row, depth);
			}
		}
	}
}

static void plain_put_other(struct arena *a, struct buf *b, const struct val *m)
{
	buf_fmt(b, "%.*s:", STR_ARG(m->key));
	plain_put_value(a, b, m, 0);
}

void plain_text(struct arena *a, const struct plain *p, const struct val *v, struct str *body,
		struct str *rest)
{
	struct buf b = buf_in(a);

	*body = p->body ? val_get_str(v, p->body) : STR("");
	if (p->print)
		p->print(a, &b, v);
	VAL_EACH(v, m) {
		if ((plain_is_empty(m) && !(p->no && m->type == VAL_BOOL)) ||
		    (p->body && str_is(m->key, p->body)) || plain_is_in(p->shown, m->key))
			continue;
		if (str_is(m->key, "warnings"))
			plain_put_warnings(&b, m);
		else if (!str_is(m->key, "truncated") || (m->b && !val_get(v, "more")))
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

const struct plain plain_data = {.shown = "success", .no = true};
