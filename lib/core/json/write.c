#include "json/json.h"

void json_write_str(struct buf *b, struct str s)
{
	size_t plain = 0;

	s = str_utf8(b->arena, s);
	buf_putc(b, '"');
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c >= ' ' && c != '"' && c != '\\')
			continue;
		buf_put(b, str_sub(s, plain, i));
		switch (c) {
		case '"': buf_puts(b, "\\\""); break;
		case '\\': buf_puts(b, "\\\\"); break;
		case '\b': buf_puts(b, "\\b"); break;
		case '\f': buf_puts(b, "\\f"); break;
		case '\n': buf_puts(b, "\\n"); break;
		case '\r': buf_puts(b, "\\r"); break;
		case '\t': buf_puts(b, "\\t"); break;
		default: buf_fmt(b, "\\u%04x", c);
		}
		plain = i + 1;
	}
	buf_put(b, str_sub(s, plain, s.n));
	buf_putc(b, '"');
}

/* Removes the digits at the front; false when there are none. */
static bool json_write_digits(struct str *s)
{
	size_t n = 0;

	while (n < s->n && ascii_is_digit(s->p[n]))
		n++;
	*s = str_sub(*s, n, s->n);
	return n;
}

/* YAML and TOML have numbers that JSON cannot express: inf, nan, .5, 007. */
static bool is_json_number(struct str s)
{
	str_take_char(&s, '-');
	if (s.n > 1 && s.p[0] == '0' && ascii_is_digit(s.p[1]))
		return false;
	if (!json_write_digits(&s))
		return false;
	if (str_take_char(&s, '.') && !json_write_digits(&s))
		return false;
	if (s.n && (s.p[0] == 'e' || s.p[0] == 'E')) {
		s = str_sub(s, s.n > 1 && (s.p[1] == '+' || s.p[1] == '-') ? 2 : 1, s.n);
		if (!json_write_digits(&s))
			return false;
	}
	return !s.n;
}

static void json_new_line(struct buf *b, unsigned indent, unsigned level)
{
	if (!indent)
		return;
	buf_putc(b, '\n');
	for (unsigned i = 0; i < indent * level; i++)
		buf_putc(b, ' ');
}

/* Recursion is safe: the reader limits the depth of a tree, and ikm's own trees are shallow. */
static void write_value(struct buf *b, const struct val *v, unsigned indent, unsigned level)
{
	const char *brackets = v->type == VAL_MAP ? "{}" : "[]";

	switch (v->type) {
	case VAL_NULL: buf_puts(b, "null"); return;
	case VAL_BOOL: buf_puts(b, v->b ? "true" : "false"); return;
	case VAL_NUM:
		if (is_json_number(v->s))
			buf_put(b, v->s);
		else
			json_write_str(b, v->s);
		return;
	case VAL_STR:
	case VAL_TIME: json_write_str(b, v->s); return;
	case VAL_LIST:
	case VAL_MAP: break;
	}
	buf_putc(b, brackets[0]);
	VAL_EACH(v, m) {
		if (b->cut)
			return;
		if (m != v->first)
			buf_putc(b, ',');
		json_new_line(b, indent, level + 1);
		if (v->type == VAL_MAP) {
			json_write_str(b, m->key);
			buf_puts(b, indent ? ": " : ":");
		}
		write_value(b, m, indent, level + 1);
	}
	if (v->n)
		json_new_line(b, indent, level);
	buf_putc(b, brackets[1]);
}

void json_write(struct buf *b, const struct val *v, unsigned indent)
{
	write_value(b, v, indent, 0);
}

struct str json_text(struct arena *a, const struct val *v)
{
	struct buf b = buf_in(a);

	json_write(&b, v, 0);
	return buf_as_str(&b);
}
