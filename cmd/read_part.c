#include "read_part.h"
#include "crypt/crypt.h"

/* What a file's members and an answer's end cost besides the content. */
#define ROOM_REST 200

static bool is_inside_char(struct str s, size_t at)
{
	return at < s.n && ((unsigned char)s.p[at] & 0xc0) == 0x80;
}

struct err *read_bytes(struct str text, struct str range, struct str *out)
{
	bool chars = str_is_utf8(text);
	struct lines_range r;
	size_t to;

	TRY(lines_range_of(range, "bytes", &r));
	if (r.from > text.n && r.from > 1)
		return err_detail(err_new(E_OUT_OF_RANGE,
					  "'%.*s' is past the end: there are %zu bytes",
					  STR_ARG(range), text.n),
				  "parameter", STR("bytes"));
	to = size_min(r.to, text.n);
	r.from--;
	while (chars && is_inside_char(text, r.from))
		r.from++;
	while (chars && is_inside_char(text, to))
		to++;
	*out = str_sub(text, r.from, size_max(to, r.from));
	return NULL;
}

struct err *read_past(const struct read_part *p)
{
	size_t count = lines_count(p->text), least = SIZE_MAX;

	for (size_t i = 0; i < p->lines.n; i++)
		least = size_min(least, p->lines.range[i].from);
	if (!p->lines.n || least <= size_max(count, 1))
		return NULL;
	return err_detail(err_new(E_OUT_OF_RANGE, "line %zu is past the end: '%.*s' has %zu lines",
				  least, STR_ARG(p->path), count),
			  "parameter", STR("lines"));
}

/* The line that the content's line n (from 0) is in the file. */
static size_t line_of(const struct read_part *p, size_t n)
{
	size_t line = p->before + 1;

	for (; line < p->end; line++)
		if (lines_wanted(&p->lines, line) && !n--)
			break;
	return line;
}

static size_t line_offset(struct str text, size_t line)
{
	size_t at = 0;

	while (--line && (at = str_find_char(text, '\n', at)) != SIZE_MAX)
		at++;
	return at;
}

bool read_cut(const struct fit *f, struct read_part *p, size_t *room, struct str *more)
{
	size_t left = *room > ROOM_REST ? *room - ROOM_REST : 0, kept, line, last;
	/* As JSON a byte becomes six at most, and no token is less than a byte. */
	bool short_text = p->content.n < left / 6;
	size_t n = short_text ? p->content.n : fit_head(f, p->content, left);
	bool slice = p->content.p >= p->text.p && p->content.p < p->text.p + p->text.n;
	size_t end = slice ? (size_t)(p->content.p - p->text.p) + p->content.n : p->text.n;
	struct str to = STR("");

	*room -= size_min(*room, ROOM_REST + (short_text ? fit_cost(f, p->content)
						      : fit_str_cost(f, str_sub(p->content, 0, n))));
	if (n == p->content.n)
		return false;
	kept = lines_count(str_sub(p->content, 0, n));
	p->content.n = n;
	if (n && p->content.p[n - 1] != '\n') {
		size_t number = p->lines.number ? 7 : 0;
		size_t begun = str_rfind_char(p->content, '\n') + 1; /* SIZE_MAX + 1 is 0 */
		size_t offset;

		line = line_of(p, kept - 1);
		offset = line_offset(p->text, line) + n - begun - size_min(number, n - begun);
		if (slice)
			offset = (size_t)(p->content.p - p->text.p) + n;
		if (end < p->text.n)
			to = str_fmt(f->a, "%zu", end);
		*more = str_fmt(f->a,
				"the text is cut within a line; call again with \"bytes\": "
				"\"%zu:%.*s\", or search the file for what you need",
				offset + 1, STR_ARG(to));
		return true;
	}
	line = line_of(p, kept);
	last = size_min(lines_last(&p->lines, lines_count(p->text)), p->end);
	if (last < lines_count(p->text))
		to = str_fmt(f->a, "%zu", last);
	*more = str_fmt(f->a,
			"lines from %zu to %zu are left out; call again with \"lines\": "
			"[\"%zu:%.*s\"]",
			line, last, line, STR_ARG(to));
	return true;
}

const char *read_image(struct arena *a, struct str base64)
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
