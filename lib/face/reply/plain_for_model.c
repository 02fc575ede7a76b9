#include "plain_for_model.h"
#include "cmd/result_template.h"
#include "json/json.h"
#include "record/member_value.h"

static bool plain_is_in(const char *names, struct str name)
{
	struct str rest = str_of(names ? names : ""), one;

	while (str_next_part(&rest, ' ', &one))
		if (str_eq(one, name))
			return true;
	return false;
}

static bool plain_is_default(const struct val *v);

/* An object that only has members that say nothing is empty too. */
static bool plain_is_empty(const struct val *v)
{
	switch (v->type) {
	case VAL_NULL: return true;
	case VAL_BOOL: return !v->b;
	case VAL_STR: return !v->s.n;
	case VAL_LIST: return !v->n;
	case VAL_MAP:
		VAL_EACH(v, m)
			if (!plain_is_default(m))
				return false;
		return true;
	default: return false;
	}
}

/* Whether v, within a row, says nothing: empty, false or 0. */
static bool plain_is_default(const struct val *v)
{
	return plain_is_empty(v) || (v->type == VAL_NUM && str_is(v->s, "0"));
}

/* ---- an outline: names and values, without quotes and braces ---- */

static bool plain_is_row(const struct val *v)
{
	return v->type == VAL_MAP || v->type == VAL_LIST;
}

/* Whether v fits on the line of its name: a list of short values, or an object of such. */
static bool plain_is_flat(const struct val *v)
{
	VAL_EACH(v, m)
		if ((plain_is_row(m) || str_holds(m->s, "\n")) &&
		    !(v->type == VAL_MAP && m->type == VAL_LIST && plain_is_flat(m)))
			return false;
	return true;
}

/* A text of several lines stands below its name. */
static void plain_put_string(struct buf *b, struct str text, size_t depth)
{
	struct str line;

	if (!str_holds(text, "\n")) {
		buf_fmt(b, " %.*s\n", STR_ARG(text));
		return;
	}
	buf_putc(b, '\n');
	while (str_next_part(&text, '\n', &line))
		buf_fmt(b, "%*s%.*s\n", 2 * (int)depth + 2, "", STR_ARG(line));
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
			buf_put(b, m->type == VAL_STR ? m->s : json_text(a, m));
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
		buf_fmt(b, "%*s%.*s:", begun ? 0 : 2 * (int)depth, "", STR_ARG(m->key));
		begun = false;
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
		buf_fmt(b, " %.*s\n", STR_ARG(json_text(a, v)));
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
			buf_fmt(b, "%*s-", 2 * (int)depth, "");
			if (row->type == VAL_MAP && !plain_is_flat(row)) {
				buf_putc(b, ' ');
				plain_put_members(a, b, row, depth + 1, true);
			} else {
				plain_put_value(a, b, row, depth);
			}
		}
	}
}

/* The rows that the template names in any branch. A server asks this for every answer. */
static uint64_t plain_names(struct arena *a, const struct plain *p, const struct field *rows)
{
	static _Thread_local struct {
		const struct plain *p;
		const struct field *rows;
		uint64_t names;
	} known[16], *k;

	k = &known[(uintptr_t)p / sizeof(*p) % ARRAY_SIZE(known)];
	if (k->p != p || k->rows != rows) {
		k->names = template_used_fields(a, p->template, rows);
		k->p = p;
		k->rows = rows;
	}
	return k->names;
}

/* Whether the template or print() has shown the member, or nobody need read it. */
static bool plain_is_shown(const struct plain *p, const struct field *rows, uint64_t named,
			   const struct val *m)
{
	const struct field *f = rows ? record_find_field(rows, m->key) : NULL;

	return (plain_is_empty(m) && !(p->no && m->type == VAL_BOOL)) ||
	       (p->body && str_is(m->key, p->body)) || plain_is_in(p->hidden, m->key) ||
	       (f && f - rows < 64 && named >> (f - rows) & 1);
}

void plain_result_text(struct arena *a, const struct plain *p, const struct field *rows,
		       const struct val *v, struct str *body, struct str *rest)
{
	struct buf b = buf_in(a);
	bool empty;
	uint64_t named = 0;

	*body = p->body ? val_get_str(v, p->body) : STR("");
	if (p->print)
		p->print(a, &b, v);
	if (p->template) {
		named = plain_names(a, p, rows);
		buf_put(&b, template_render_text(a, p->template, rows, v));
	}
	VAL_EACH(v, m) {
		if (plain_is_shown(p, rows, named, m))
			continue;
		if (str_is(m->key, "warnings")) {
			VAL_EACH(m, one)
				buf_fmt(&b, "warning: %.*s\n", STR_ARG(one->s));
		} else if (!str_is(m->key, "truncated") || (m->b && !val_get(v, "more"))) {
			buf_fmt(&b, "%.*s:", STR_ARG(m->key));
			plain_put_value(a, &b, m, 0);
		}
	}
	/* No answer is an empty text, which reads like a tool that broke. */
	empty = !b.n && !p->body;
	VAL_EACH(v, m)
		if (empty && m->type == VAL_LIST && !m->n)
			buf_fmt(&b, "%.*s: none\n", STR_ARG(m->key));
	*rest = buf_as_str(&b);
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
	return buf_as_str(&b);
}

const struct plain plain_data = {.hidden = "success", .no = true};

/*
 * ---- search ----
 *
 * How a model reads the matches of search. The lines of a file stand below its name; "12:" begins a
 * match, "11-" a neighbour.
 */

struct plain_at {
	struct str path;
	int64_t line; /* the last line that was printed */
};

static void plain_put_line(struct buf *b, struct plain_at *at, int64_t line, char mark,
			   struct str text)
{
	/* Several matches of one line stand below each other. */
	if (line < at->line || (line == at->line && mark == '-'))
		return;
	if (at->line && line > at->line + 1 && mark == '-')
		buf_puts(b, "--\n");
	buf_fmt(b, "%jd%c%.*s\n", (intmax_t)line, mark, STR_ARG(text));
	at->line = line;
}

/* Returns the number of the last line. */
static int64_t plain_put_match_lines(struct buf *b, struct plain_at *at, int64_t line,
				     struct str text)
{
	for (;; line++) {
		size_t lf = str_find_char(text, '\n', 0);

		plain_put_line(b, at, line, ':', str_sub(text, 0, size_min(lf, text.n)));
		if (lf == SIZE_MAX)
			return line;
		text = str_sub(text, lf + 1, text.n);
	}
}

static void plain_search_print(struct arena *a, struct buf *b, const struct val *v)
{
	struct plain_at at = {0};

	(void)a;
	VAL_EACH(val_get(v, "matches"), m) {
		const struct val *before = val_get(m, "before"), *next = m->next;
		int64_t line = val_get_int(m, "line"),
			from = line - (int64_t)(before ? before->n : 0);
		struct str path = val_get_str(m, "path");

		if (!str_eq(path, at.path)) {
			buf_fmt(b, "%s%.*s\n", at.path.n ? "\n" : "", STR_ARG(path));
			at = (struct plain_at){.path = path};
		}
		VAL_EACH(before, one)
			plain_put_line(b, &at, from++, '-', one->s);
		line = plain_put_match_lines(b, &at, line, val_get_str(m, "text"));
		if (val_get_int(m, "end") > line)
			line = val_get_int(m, "end");
		if (next && !str_eq(val_get_str(next, "path"), path))
			next = NULL;
		VAL_EACH(val_get(m, "after"), one) {
			if (next && line + 1 >= val_get_int(next, "line"))
				break;
			plain_put_line(b, &at, ++line, '-', one->s);
		}
	}
}

const struct plain plain_search = {
	.print = plain_search_print,
	.template =
		"{/paths:{.}\n}{/changes:{diff%n}}{/counts:{path}:{count}\n}"
		"{/types:{name}: {files}\n}"
		"{?!matches&!paths&!counts&!changes&!types:nothing matches in {files} {?files=1:file|files}\n|"
		"{?truncated:[{?!^from:the first }"
		"{?paths:{#paths}|{?counts:{#counts}|{?changes:{#changes}|{#matches}}}}"
		" of {total}{?^from:, from {from}}; narrow the search, or give offset or limit]\n}}"
		"{?skipped.binary:[{skipped.binary} {?skipped.binary=1:file|files} not searched: no text]\n}"
		"{?skipped.unreadable:[{skipped.unreadable} {?skipped.unreadable=1:file|files} could not be read]\n}"
		"{?skipped.gaveUp:[{skipped.gaveUp} {?skipped.gaveUp=1:file|files} took too long to search]\n}"
		"{?apply:[nothing was written; {apply}]\n}",
};
