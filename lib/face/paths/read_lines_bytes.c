#include "read_lines_bytes.h"
#include "file/charset.h"
#include <errno.h>
#include <unistd.h>

#define PIECE ((size_t)128 << 10)
/* The longest UTF-8 character. */
#define CHAR_BYTES 4

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
	char *room = s->fd < 0 ? NULL : arena_alloc(s->a, PIECE);
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

struct err *read_source_line_offset(const struct read_source *s, size_t line, uint64_t *offset)
{
	size_t ended;

	return source_scan(s, line - 1, UINT64_MAX, &ended, offset);
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
