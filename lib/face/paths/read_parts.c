#include "read_parts.h"
#include "crypt/crypt.h"
#include "file/charset.h"
#include <errno.h>
#include <unistd.h>

#define PIECE ((size_t)128 << 10)
/* The longest UTF-8 character. */
#define CHAR_BYTES 4
/* The tokens of the answer's other members. */
#define ROOM_REST 200
/* The bytes of a line number, which lines_copy_selected() adds. */
#define NUMBER 7

/* ---- lines by their numbers ---- */

static struct err *lines_bad_range(struct str s, const char *what)
{
	return err_help(err_for_param(E_BAD_ARGUMENT, str_of(what), "'%.*s' is not a range of %s",
				      STR_ARG(s), what[0] == 'r' ? "lines" : what),
			"write A:B, A:, :B or A, counted from 1, with A not above B");
}

/* The number of a line: "12", or "L12" as in links to code. */
static bool lines_number(struct str s, int64_t *n)
{
	if (s.n > 1 && (s.p[0] == 'L' || s.p[0] == 'l'))
		s = str_sub(s, 1, s.n);
	return str_int(s, n);
}

/* Reads one range, of the parameter lines, ranges or bytes; `what` names the parameter's unit. */
static struct err *lines_range_read(struct str s, const char *what, struct lines_range *r)
{
	static const char *const marks[] = {":", "..", "-"};
	struct str from = s, to = s;
	int64_t a = 1, b = INT64_MAX;

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		struct str mark = str_of(marks[i]);
		size_t at = str_find(s, mark, 0);

		/* "-1" is a negative number. */
		if (at == SIZE_MAX || (!at && mark.p[0] == '-'))
			continue;
		from = str_trim(str_sub(s, 0, at));
		to = str_trim(str_sub(s, at + mark.n, s.n));
		break;
	}
	if ((!from.n && !to.n) || (from.n && !lines_number(from, &a)) ||
	    (to.n && !lines_number(to, &b)))
		return lines_bad_range(s, what);
	/* Some tools write the end of the file so. */
	if (b == -1 && from.p != to.p)
		b = INT64_MAX;
	if (a < 1 || b < a)
		return lines_bad_range(s, what);
	*r = (struct lines_range){(size_t)a, (size_t)b};
	return NULL;
}

struct err *lines_ranges_read(struct arena *a, const struct strs *texts, const char *what,
			      struct lines *out)
{
	struct lines_range *range = arena_array(a, texts->n + 1, sizeof(*range));

	for (size_t i = 0; i < texts->n; i++)
		TRY(lines_range_read(texts->p[i], what, &range[i]));
	out->range = range;
	out->n = texts->n;
	return NULL;
}

/* Whether the line is in one of the ranges, or there are none. */
static bool lines_is_selected(const struct lines *l, size_t line)
{
	for (size_t i = 0; i < l->n; i++)
		if (line >= l->range[i].from && line <= l->range[i].to)
			return true;
	return !l->n;
}

void lines_copy_selected(struct lines *l, struct str s)
{
	if (!l->n && !l->number) {
		l->put(l->to, s);
		return;
	}
	while (s.n) {
		struct str part = str_line_from(s, 0);

		if (!l->inside)
			l->line++;
		if (lines_is_selected(l, l->line)) {
			char number[32];
			int n = snprintf(number, sizeof(number), "%6zu\t", l->line);

			if (l->number && !l->inside)
				l->put(l->to, (struct str){number, (size_t)n});
			l->put(l->to, part);
		}
		l->inside = !str_ends(part, STR("\n"));
		s = str_sub(s, part.n, s.n);
	}
}

static void lines_to_buf(void *to, struct str s)
{
	buf_put(to, s);
}

void lines_to_out(void *to, struct str s)
{
	out_bytes_unchanged(to, s);
}

struct err *lines_check_ranges(const struct lines *l, size_t count, struct str name)
{
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < l->n; i++)
		least = size_min(least, l->range[i].from);
	if (!l->n || least <= size_max(count, 1))
		return NULL;
	return err_for_param(E_OUT_OF_RANGE, STR("lines"),
			     "line %zu is past the end: '%.*s' has %zu line%s", least,
			     STR_ARG(name), count, PLURAL(count));
}

struct err *lines_print(struct lines *l, struct out *o, struct arena *a, int fd, struct str name)
{
	size_t size = (size_t)128 << 10, last = l->n ? 0 : SIZE_MAX;
	char *piece = arena_alloc(a, size);
	const char *shown = str_c(a, name);

	l->put = lines_to_out;
	l->to = o;
	for (size_t i = 0; i < l->n; i++)
		last = size_max(last, l->range[i].to);
	while (l->line <= last && !out_failed(o)) {
		size_t n;

		TRY(os_read_some(fd, shown, piece, size, &n));
		if (!n)
			return lines_check_ranges(l, l->line, name);
		lines_copy_selected(l, (struct str){piece, n});
	}
	return NULL;
}

/* ---- a source ---- */

static void read_source_close(void *p)
{
	close(((struct read_source *)p)->fd);
}

struct err *read_source_open(struct files *f, struct str path, struct read_source *out)
{
	struct read_source *kept;
	struct file_stat st;
	struct file_ref r;

	*out = (struct read_source){.a = f->a, .fd = -1, .name = path};
	TRY(file_ref_resolve(f, path, &r));
	TRY(file_stat(f, &r, &st));
	if (st.kind == OS_FILE && st.size > FILE_BYTES_MAX)
		TRY(file_open(f, &r, &out->fd));
	if (out->fd >= 0) {
		out->size = st.size;
		kept = ARENA_NEW(f->a, struct read_source);
		*kept = *out;
		arena_defer(f->a, read_source_close, kept);
		return NULL;
	}
	TRY(file_read(f, f->a, &r, FILE_BYTES_MAX, &out->text));
	out->size = out->text.n;
	out->path = file_disk_path(&r);
	return NULL;
}

/* Reads at most n bytes from an offset on. *out is shorter only at the end of the source. */
static struct err *source_piece(const struct read_source *s, char *to, size_t n, uint64_t from,
				struct str *out)
{
	size_t got = 0;

	if (s->fd < 0) {
		from = from < s->text.n ? from : s->text.n;
		*out = str_sub(s->text, (size_t)from, size_min(s->text.n, (size_t)from + n));
		return NULL;
	}
	while (got < n) {
		ssize_t now = pread(s->fd, to + got, n - got, (off_t)(from + got));

		if (now < 0 && errno == EINTR)
			continue;
		if (now < 0)
			return err_errno(errno, "read '%.*s'", STR_ARG(s->name));
		if (!now)
			break;
		got += (size_t)now;
	}
	*out = (struct str){to, got};
	return NULL;
}

static struct err *source_too_big(const struct read_source *s, const char *help)
{
	struct err *e =
		err_new(E_TOO_BIG, "the requested part of '%.*s' is over the limit of %zu bytes",
			STR_ARG(s->name), FILE_BYTES_MAX);

	err_add_detail(e, "path", s->name);
	err_detail_int(e, "limit", (int64_t)FILE_BYTES_MAX);
	err_detail_int(e, "size", (int64_t)s->size);
	return err_help(e, "%s", help);
}

/* ---- lines ---- */

static bool part_done(const struct read_lines *p)
{
	size_t last = p->lines.n ? 0 : SIZE_MAX;

	for (size_t i = 0; i < p->lines.n; i++)
		last = size_max(last, p->lines.range[i].to);
	return p->stopped || p->lines.line > last;
}

static struct err *parts_put(const struct read_source *s, const struct fit *fit,
			     struct read_lines *part, struct buf *b, size_t n, struct str piece,
			     bool *done)
{
	*done = true;
	for (size_t i = 0; i < n; i++) {
		if (part_done(&part[i]))
			continue;
		lines_copy_selected(&part[i].lines, piece);
		if (b[i].cut)
			return source_too_big(s, part[i].lines.n
							 ? "ask for fewer lines"
							 : "read it by parts: lines "
							   "[\"1:1000\"], then [\"1001:2000\"]");
		part[i].stopped = fit && s->fd >= 0 && b[i].n > 2 * FIT_BYTES;
		*done = *done && part_done(&part[i]);
	}
	return NULL;
}

struct err *read_source_lines(const struct read_source *s, const struct fit *fit, struct str slice,
			      struct read_lines *part, size_t n, size_t *end)
{
	struct buf *b = arena_array(s->a, n + 1, sizeof(*b));
	char *to = s->fd < 0 ? NULL : arena_alloc(s->a, PIECE);
	bool done = false, at_end = false;
	uint64_t from = 0;
	struct str piece;

	for (size_t i = 0; i < n; i++) {
		/* Without this check ikm would read 64 MiB before it notices the limit. */
		if (s->fd >= 0 && !part[i].lines.n && !fit)
			return source_too_big(s, "read it by parts: lines [\"1:1000\"], then "
						 "[\"1001:2000\"]");
		b[i] = buf_with_max(s->a, FILE_BYTES_MAX);
		part[i].lines.put = lines_to_buf;
		part[i].lines.to = &b[i];
	}
	if (s->fd < 0)
		TRY(parts_put(s, fit, part, b, n, slice, &done));
	while (s->fd >= 0 && !done && !at_end) {
		TRY(source_piece(s, to, PIECE, from, &piece));
		from += piece.n;
		at_end = !piece.n;
		if (!at_end)
			TRY(parts_put(s, fit, part, b, n, piece, &done));
	}
	*end = s->fd < 0 ? str_line_count(s->text) : SIZE_MAX;
	for (size_t i = 0; i < n; i++) {
		part[i].content = buf_as_str(&b[i]);
		if (at_end)
			*end = size_min(*end, part_done(&part[i]) ? SIZE_MAX : part[i].lines.line);
	}
	return NULL;
}

/* Reads until `lines` lines have ended, or to an offset. */
static struct err *source_scan(const struct read_source *s, size_t lines, uint64_t to,
			       size_t *ended, uint64_t *offset)
{
	char *room = arena_alloc(s->a, s->fd < 0 ? 1 : PIECE);
	struct str piece;

	*ended = 0;
	*offset = 0;
	while (*ended < lines && *offset < to) {
		size_t n = to - *offset < PIECE ? (size_t)(to - *offset) : PIECE, at = 0;

		TRY(source_piece(s, room, n, *offset, &piece));
		if (!piece.n)
			return NULL;
		while (*ended < lines && at < piece.n) {
			size_t nl = str_find_char(piece, '\n', at);

			*ended += nl != SIZE_MAX;
			at = nl == SIZE_MAX ? piece.n : nl + 1;
		}
		*offset += at;
	}
	return NULL;
}

struct err *read_source_count_lines(const struct read_source *s, uint64_t offset, size_t *lines)
{
	uint64_t to;

	return source_scan(s, SIZE_MAX, offset, lines, &to);
}

/* ---- bytes ---- */

/* If the offset is inside a UTF-8 character, moves it to the character's end. */
static struct err *source_char_end(const struct read_source *s, uint64_t *offset)
{
	char room[2 * CHAR_BYTES];
	uint64_t from = *offset > CHAR_BYTES ? *offset - CHAR_BYTES : 0;
	size_t inside = (size_t)(*offset - from);
	struct str near;
	uint32_t code;

	TRY(source_piece(s, room, inside + CHAR_BYTES, from, &near));
	for (size_t begin = inside; begin-- > 0;) {
		size_t n = str_utf8_char(near.p + begin, near.n - begin, &code);

		if (n > 1 && begin + n > inside)
			*offset = from + begin + n;
		if (n)
			break;
	}
	return NULL;
}

struct err *read_source_bytes(const struct read_source *s, const struct fit *fit, struct str range,
			      struct str *out, struct read_span *span)
{
	struct lines_range r;
	uint64_t n;
	char *room;

	TRY(lines_range_read(range, "bytes", &r));
	if (r.from > s->size && r.from > 1)
		return err_for_param(E_OUT_OF_RANGE, STR("bytes"),
				     "'%.*s' is past the end: there are %ju bytes", STR_ARG(range),
				     (uintmax_t)s->size);
	span->from = r.from - 1;
	span->to = r.to < s->size ? r.to : s->size;
	TRY(source_char_end(s, &span->from));
	TRY(source_char_end(s, &span->to));
	if (span->to < span->from)
		span->to = span->from;
	n = span->to - span->from;
	/* An answer has no room for more bytes. */
	if (fit && s->fd >= 0 && n > 2 * FIT_BYTES)
		n = 2 * FIT_BYTES;
	if (s->fd >= 0 && n > FILE_BYTES_MAX)
		return source_too_big(s, "ask for fewer bytes");
	room = s->fd < 0 ? NULL : arena_alloc(s->a, size_max((size_t)n, 1));
	return source_piece(s, room, (size_t)n, span->from, out);
}

struct err *read_source_section(const struct read_source *s, struct str section, struct str *out,
				size_t *before)
{
	struct err *e;

	*before = 0;
	*out = s->text;
	if (!section.p)
		return NULL;
	if (s->fd >= 0)
		return err_help(err_new(E_TOO_BIG,
					"'%.*s' is over the limit of %zu bytes, so its "
					"sections are not known",
					STR_ARG(s->name), FILE_BYTES_MAX),
				"search it for the heading, and read the lines from there");
	e = file_section(s->a, s->text, section, out);
	if (e)
		return err_add_context(e, "'%.*s'", STR_ARG(s->name));
	*before = str_line_count(str_sub(s->text, 0, (size_t)(out->p - s->text.p)));
	return NULL;
}

/* ---- cut to the size of an answer ---- */

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
	size_t ended;

	if (slice) {
		span.from = (uint64_t)(p->content.p - text->p);
		span.to = span.from + whole;
	}
	if (p->is_bytes || slice) {
		rest->offset = span.from + n + 1;
		rest->to = span.to < p->from->size ? span.to : 0;
		return NULL;
	}
	TRY(source_scan(p->from, rest->line - 1, UINT64_MAX, &ended, &begin));
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
