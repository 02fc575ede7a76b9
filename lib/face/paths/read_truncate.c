#include "read_truncate.h"
#include "crypt/crypt.h"

/* The tokens of the answer's other members. */
#define ROOM_REST 200
/* The bytes of a line number, which lines_copy_selected() adds. */
#define NUMBER 7

/* Converts line n of the content (from 0) to its number in the source. */
static size_t read_line_of(const struct read_part *p, size_t n)
{
	size_t line = p->before + 1;

	for (; line < p->end; line++)
		if (lines_is_selected(&p->lines, line) && !n--)
			break;
	return line;
}

/* When the cut is inside a line: finds the offset of the first byte that is left out. */
static struct err *read_rest_bytes(struct read_part *p, size_t whole, struct read_rest *rest)
{
	size_t n = p->content.n, nl = str_rfind_char(p->content, '\n');
	size_t begun = nl == SIZE_MAX ? 0 : nl + 1, number = p->lines.number ? NUMBER : 0;
	const struct str *text = &p->from->text;
	/* The lines are a slice of the source's text; span: the bytes that were requested. */
	bool slice = !p->is_bytes && p->from->fd < 0 && p->content.p >= text->p &&
		     p->content.p < text->p + text->n;
	struct read_span span = p->span;
	uint64_t begin;

	if (slice) {
		span.from = (uint64_t)(p->content.p - text->p);
		span.to = span.from + whole;
	}
	if (p->is_bytes || slice) {
		rest->offset = span.from + n + 1;
		rest->to = span.to < p->from->size ? span.to : 0;
		return NULL;
	}
	TRY(read_source_line_offset(p->from, rest->line, &begin));
	rest->offset = begin + (n - begun) - size_min(number, n - begun) + 1;
	return NULL;
}

struct err *read_cut(const struct fit *f, struct read_part *p, size_t *room, struct read_rest *rest)
{
	size_t left = *room > ROOM_REST ? *room - ROOM_REST : 0, kept, last;
	/* In JSON a byte becomes at most six, and a token has at least one byte. */
	bool short_text = p->content.n < left / 6;
	size_t n = short_text ? p->content.n : fit_head(f, p->content, left);
	size_t whole = p->content.n;

	*rest = (struct read_rest){0};
	*room -= size_min(*room,
			  ROOM_REST + (short_text ? fit_cost(f, p->content)
						  : fit_str_cost(f, str_sub(p->content, 0, n))));
	if (n == whole)
		return NULL;
	kept = str_line_count(str_sub(p->content, 0, n));
	p->content.n = n;
	rest->cut = true;
	if (p->is_bytes || (n && p->content.p[n - 1] != '\n')) {
		rest->line = read_line_of(p, kept ? kept - 1 : 0);
		return read_rest_bytes(p, whole, rest);
	}
	rest->line = read_line_of(p, kept);
	/* The last selected line of the source. */
	last = p->lines.n ? 0 : p->count;
	for (size_t i = 0; i < p->lines.n; i++)
		if (p->lines.range[i].from <= p->count)
			last = size_max(last, size_min(p->lines.range[i].to, p->count));
	last = size_min(last, p->end);
	/* A range without an end has the largest number as its end. */
	rest->last = last < p->count && last < PTRDIFF_MAX ? last : SIZE_MAX;
	return NULL;
}

struct str read_rest_range_text(struct arena *a, const struct read_rest *rest)
{
	uint64_t from = rest->offset ? rest->offset : rest->line;
	uint64_t to = rest->offset ? rest->to : rest->last == SIZE_MAX ? 0 : rest->last;

	if (!to)
		return str_fmt(a, "%ju:", (uintmax_t)from);
	return str_fmt(a, "%ju:%ju", (uintmax_t)from, (uintmax_t)to);
}

struct str read_rest_more_text(struct arena *a, const struct read_rest *rest)
{
	struct str range = read_rest_range_text(a, rest);

	if (rest->offset)
		return str_fmt(a,
			       "the bytes after byte %ju are left out; call again with \"bytes\": "
			       "\"%.*s\", or search the file for what you need",
			       (uintmax_t)rest->offset - 1, STR_ARG(range));
	if (rest->last == SIZE_MAX)
		return str_fmt(a,
			       "line %zu and the lines after it are left out; call again with "
			       "\"lines\": \"%.*s\"",
			       rest->line, STR_ARG(range));
	return str_fmt(a,
		       "lines from %zu to %zu are left out; call again with \"lines\": "
		       "\"%.*s\"",
		       rest->line, rest->last, STR_ARG(range));
}

const char *read_image_type(struct arena *a, struct str base64)
{
	static const struct {
		const char *type;
		struct str begins;
		size_t at;
		struct str then;
	} types[] = {
		{"image/png", STR_INIT("\x89PNG\r\n\x1a\n"), 0, STR_INIT("")},
		{"image/jpeg", STR_INIT("\xff\xd8\xff"), 0, STR_INIT("")},
		{"image/gif", STR_INIT("GIF8"), 0, STR_INIT("")},
		{"image/webp", STR_INIT("RIFF"), 8, STR_INIT("WEBP")},
	};
	struct str bytes;

	if (base64.n < 16 || !crypt_base64_decode(a, str_sub(base64, 0, 16), &bytes))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (str_starts(bytes, types[i].begins) &&
		    str_starts(str_sub(bytes, types[i].at, bytes.n), types[i].then))
			return types[i].type;
	return NULL;
}
