/* Edits of a JSON text by spans. */
#include "json/edit_text.h"

#define STEP "  " /* one level of indentation, where the text shows none */

static struct str edit_splice(struct arena *a, struct str text, size_t from, size_t to,
			      struct str by)
{
	struct buf b = buf_in(a);

	buf_put(&b, str_sub(text, 0, from));
	buf_put(&b, by);
	buf_put(&b, str_sub(text, to, text.n));
	return buf_as_str(&b);
}

/* Where a member begins: at its name, or at its value in a list. */
static size_t edit_begin(const struct val *member)
{
	return member->key_at.to ? member->key_at.from : member->at.from;
}

/* The blanks at the begin of the line in which the place is. */
static struct str edit_indent(struct str text, size_t at)
{
	size_t line = str_rfind_char(str_sub(text, 0, at), '\n'), end;

	line = line == SIZE_MAX ? 0 : line + 1;
	for (end = line; end < at && (text.p[end] == ' ' || text.p[end] == '\t');)
		end++;
	return str_sub(text, line, end);
}

static bool edit_has_lines(struct str text, size_t from, size_t to)
{
	return memchr(text.p + from, '\n', to - from) != NULL;
}

/* One step of indentation, as the text has it. */
static struct str edit_step(struct str text, const struct val *root)
{
	struct str step = root->first ? edit_indent(text, edit_begin(root->first)) : STR("");

	return step.n ? step : STR(STEP);
}

static const char *edit_line_end(struct str text)
{
	size_t lf = str_find_char(text, '\n', 0);

	return lf != SIZE_MAX && lf && text.p[lf - 1] == '\r' ? "\r\n" : "\n";
}

/* ---- layout of a new value ---- */

static bool edit_is_scalar(const struct val *v)
{
	return v->type != VAL_LIST && v->type != VAL_MAP;
}

/* Short enough for one line: scalars, and lists and objects that hold only scalars. */
static bool edit_is_flat(const struct val *v)
{
	VAL_EACH(v, m)
		if (!edit_is_scalar(m))
			return false;
	return true;
}

struct edit_layout {
	const char *end; /* of a line; NULL: all on one line */
	struct str indent, step;
};

static void edit_new_line(struct buf *b, const struct edit_layout *l, unsigned level)
{
	buf_puts(b, l->end);
	buf_put(b, l->indent);
	for (unsigned i = 0; i < level; i++)
		buf_put(b, l->step);
}

/* Recursion is safe: the reader limits the depth of a tree. */
static void edit_write(struct buf *b, const struct edit_layout *l, const struct val *v,
		       unsigned level, bool in_list)
{
	/* {"path": "docs/adr"} in a list is one line; the same object elsewhere is not. */
	bool lines = l->end && v->n && !(edit_is_flat(v) && (in_list || v->type == VAL_LIST));

	if (edit_is_scalar(v)) {
		json_write(b, v, 0);
		return;
	}
	buf_putc(b, v->type == VAL_LIST ? '[' : '{');
	VAL_EACH(v, m) {
		if (m != v->first)
			buf_puts(b, lines ? "," : ", ");
		if (lines)
			edit_new_line(b, l, level + 1);
		if (v->type == VAL_MAP) {
			json_write_str(b, m->key);
			buf_puts(b, ": ");
		}
		edit_write(b, l, m, level + 1, v->type == VAL_LIST);
	}
	if (lines)
		edit_new_line(b, l, level);
	buf_putc(b, v->type == VAL_LIST ? ']' : '}');
}

/* Whether a new member of `in` gets a line of its own. */
static bool edit_on_lines(struct str text, const struct val *root, const struct val *in)
{
	if (in->last)
		return edit_has_lines(text, in->at.from, edit_begin(in->last));
	/* An empty one: as the rest of the text. A text of nothing else gets lines. */
	return !root->n || edit_has_lines(text, root->at.from, root->at.to);
}

struct str json_edit_format_value(struct arena *a, struct str text, const struct val *root,
				  const struct val *old, const struct val *value)
{
	struct edit_layout l = {.indent = edit_indent(text, old->at.from),
				.step = edit_step(text, root)};
	struct buf b = buf_in(a);

	if (edit_has_lines(text, root->at.from, root->at.to))
		l.end = edit_line_end(text);
	edit_write(&b, &l, value, 0, false);
	return buf_as_str(&b);
}

struct str json_edit_format_member(struct arena *a, struct str text, const struct val *root,
				   const struct val *in, struct str key, const struct val *value)
{
	struct edit_layout l = {.step = edit_step(text, root)};
	struct buf b = buf_in(a);

	if (edit_on_lines(text, root, in))
		l.end = edit_line_end(text);
	l.indent = in->last ? edit_indent(text, edit_begin(in->last))
			    : str_fmt(a, "%.*s%.*s", STR_ARG(edit_indent(text, in->at.from)),
				      STR_ARG(l.step));
	if (key.p) {
		json_write_str(&b, key);
		buf_puts(&b, ": ");
	}
	edit_write(&b, &l, value, 0, !key.p);
	return buf_as_str(&b);
}

/* ---- the edits ---- */

struct str json_edit_replace(struct arena *a, struct str text, const struct val *v, struct str by)
{
	return edit_splice(a, text, v->at.from, v->at.to, by);
}

struct str json_edit_insert(struct arena *a, struct str text, const struct val *root,
			    const struct val *in, struct str member)
{
	const char *end = edit_line_end(text);
	struct str indent, step;

	if (in->last) {
		step = edit_indent(text, edit_begin(in->last));
		return edit_splice(
			a, text, in->last->at.to, in->last->at.to,
			edit_on_lines(text, root, in)
				? str_fmt(a, ",%s%.*s%.*s", end, STR_ARG(step), STR_ARG(member))
				: str_fmt(a, ", %.*s", STR_ARG(member)));
	}
	if (!edit_on_lines(text, root, in))
		return edit_splice(a, text, in->at.from + 1, in->at.to - 1, member);
	indent = edit_indent(text, in->at.from);
	step = edit_step(text, root);
	return edit_splice(a, text, in->at.from + 1, in->at.to - 1,
			   str_fmt(a, "%s%.*s%.*s%.*s%s%.*s", end, STR_ARG(indent), STR_ARG(step),
				   STR_ARG(member), end, STR_ARG(indent)));
}

struct str json_edit_cut(struct arena *a, struct str text, const struct val *in,
			 const struct val *member)
{
	const struct val *before = NULL;

	for (const struct val *m = in->first; m != member; m = m->next)
		before = m;
	if (before)
		return edit_splice(a, text, before->at.to, member->at.to, STR(""));
	if (member->next)
		return edit_splice(a, text, edit_begin(member), edit_begin(member->next), STR(""));
	return edit_splice(a, text, in->at.from + 1, in->at.to - 1, STR(""));
}
