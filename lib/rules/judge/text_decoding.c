/*
 * The text of a file as programs may read it. Git calls a file with a NUL byte binary, but node, sh
 * and compilers run it. So a file with a source code name is never only data.
 * Also the line of a match, as the report quotes it.
 */
#include "judge/internal.h"
#include "out/sarif.h"

#define GIT_LOOKS_AT 8000 /* git calls a file binary when these bytes have a NUL */
#define SAMPLE       4096 /* of a file without byte order mark, to detect UTF-16 and UTF-32 */

static const struct {
	unsigned unit; /* bytes */
	bool big;      /* the highest byte comes first */
	const char *mark;
} text_encodings[] = {
	[CODE_BYTES] = {1, false, ""},
	[CODE_UTF16LE] = {2, false, "\xff\xfe"},
	[CODE_UTF16BE] = {2, true, "\xfe\xff"},
	[CODE_UTF32LE] = {4, false, "\xff\xfe\0\0"},
	[CODE_UTF32BE] = {4, true, "\0\0\xfe\xff"},
};

/* The longest mark decides: that of UTF-16 is the beginning of another. */
static enum code_encoding text_marked_encoding(struct str s, size_t *mark)
{
	for (enum code_encoding e = CODE_UTF32BE; e != CODE_BYTES; e--) {
		*mark = text_encodings[e].unit;
		if (s.n >= *mark && !memcmp(s.p, text_encodings[e].mark, *mark))
			return e;
	}
	*mark = 0;
	return CODE_BYTES;
}

/* Guesses by the position of zero bytes in mostly Latin text. */
static enum code_encoding text_likely_encoding(struct str s)
{
	size_t zero[4] = {0}, n = size_min(s.n, SAMPLE) / 4;
	size_t even, odd;

	if (n < 2) /* too short to guess */
		return CODE_BYTES;
	for (size_t i = 0; i < n * 4; i++)
		zero[i % 4] += !s.p[i];
	if (zero[2] * 10 >= n * 9 && zero[3] * 10 >= n * 9 && zero[0] * 20 <= n)
		return CODE_UTF32LE;
	if (zero[0] * 10 >= n * 9 && zero[1] * 10 >= n * 9 && zero[3] * 20 <= n)
		return CODE_UTF32BE;
	even = zero[0] + zero[2];
	odd = zero[1] + zero[3];
	if (odd * 5 >= n * 4 && even * 10 <= n)
		return CODE_UTF16LE;
	if (even * 5 >= n * 4 && odd * 10 <= n)
		return CODE_UTF16BE;
	return CODE_BYTES;
}

static uint32_t text_unit_at(struct str s, enum code_encoding e, size_t i)
{
	unsigned unit = text_encodings[e].unit;
	uint32_t c = 0;

	for (unsigned k = 0; k < unit; k++) {
		size_t at = i + (text_encodings[e].big ? k : unit - 1 - k);

		c = c << 8 | (at < s.n ? (unsigned char)s.p[at] : 0);
	}
	return c;
}

/* The character at *i, which moves past it; U+FFFD for an invalid one. Not for CODE_BYTES. */
static uint32_t code_text_next_char(struct str s, enum code_encoding e, size_t *i)
{
	unsigned unit = text_encodings[e].unit;
	uint32_t c = text_unit_at(s, e, *i), low;
	bool whole = s.n - *i >= unit;

	*i = size_min(*i + unit, s.n);
	if (!whole)
		return 0xfffd;
	if (unit == 2 && c >= 0xd800 && c < 0xdc00 && s.n - *i >= 2) {
		low = text_unit_at(s, e, *i);
		if (low >= 0xdc00 && low < 0xe000) {
			*i += 2;
			return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		}
	}
	return c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0xfffd : c;
}

static unsigned text_utf8_length(uint32_t c)
{
	return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
}

/* A leading byte order mark is not part of the text; of CODE_BYTES it is. */
static size_t code_text_bom_length(struct str raw, enum code_encoding e)
{
	size_t mark;

	return e != CODE_BYTES && text_marked_encoding(raw, &mark) == e ? mark : 0;
}

static struct str text_decoded(struct arena *a, struct str raw, enum code_encoding e)
{
	struct buf b = buf_in(a);

	for (size_t i = code_text_bom_length(raw, e); i < raw.n;)
		buf_utf8(&b, code_text_next_char(raw, e, &i));
	return buf_as_str(&b);
}

static struct str text_without_nuls(struct arena *a, struct str raw)
{
	char *p = arena_alloc(a, raw.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < raw.n; i++)
		if (raw.p[i])
			p[n++] = raw.p[i];
	return (struct str){p, n};
}

/* At most `few` control bytes, or a twentieth. */
static bool text_is_likely(struct str s, size_t few)
{
	size_t odd = 0, i = 0;

	while (i < s.n) {
		size_t n = str_utf8_char(s.p + i, s.n - i, &(uint32_t){0});
		unsigned char c = (unsigned char)s.p[i];

		odd += !n || (c < 0x20 && !(c >= 7 && c <= 13) && c != 0x1b);
		i += n ? n : 1;
	}
	return odd <= few || odd <= s.n / 20;
}

static bool text_has_suffix(struct str path)
{
	size_t slash = str_rfind_char(path, '/'), dot = str_rfind_char(path, '.');

	return dot != SIZE_MAX && dot && (slash == SIZE_MAX || dot > slash + 1);
}

static void text_add_view(struct code_text *t, struct str text, enum view_how how)
{
	t->view[t->n].text = text;
	t->view[t->n++].how = how;
}

bool code_text_decode(struct arena *a, struct str path, struct str raw, struct code_text *out)
{
	bool nul = raw.n && memchr(raw.p, 0, raw.n), marked, early, code;
	size_t mark;
	enum code_encoding e = text_marked_encoding(raw, &mark);

	*out = (struct code_text){.raw = raw};
	/* With so few zero bytes UTF-16 would have no ASCII; read as bytes it may be a script. */
	if (e != CODE_BYTES && text_is_likely(str_sub(raw, mark, raw.n), 1))
		e = CODE_BYTES;
	marked = e != CODE_BYTES;
	if (!nul && !marked) {
		out->mark = str_starts(raw, STR("\xef\xbb\xbf")) ? 3 : 0;
		text_add_view(out, str_sub(raw, out->mark, raw.n), VIEW_RAW);
		return true;
	}
	early = nul && memchr(raw.p, 0, size_min(raw.n, GIT_LOOKS_AT));
	code = skip_path_is_source(path) || str_starts(raw, STR("#!")) ||
	       (!skip_path_is_data(path) &&
		(marked || (!text_has_suffix(path) && text_is_likely(raw, 4))));
	if (!code && early)
		return false;
	if (code && !marked && early)
		e = text_likely_encoding(raw);
	if (code && e != CODE_BYTES) {
		out->encoding = e;
		text_add_view(out, text_decoded(a, raw, e), VIEW_DECODED);
	}
	text_add_view(out, raw, VIEW_RAW);
	if (code && nul)
		text_add_view(out, text_without_nuls(a, raw), VIEW_NO_NULS);
	return true;
}

unsigned code_text_program_view(const struct code_text *t)
{
	return t->encoding != CODE_BYTES ? 0 : t->n - 1;
}

/* The start of the character that holds the byte. */
static size_t text_unit_start(const struct code_text *t, size_t raw)
{
	size_t mark = code_text_bom_length(t->raw, t->encoding);

	return raw < mark ? raw : raw - (raw - mark) % text_encodings[t->encoding].unit;
}

size_t code_text_raw_offset(const struct code_text *t, unsigned view, struct code_cursor *c,
			    size_t at)
{
	switch (t->view[view].how) {
	case VIEW_RAW: return text_unit_start(t, t->mark + at);
	case VIEW_NO_NULS:
		for (; c->raw < t->raw.n; c->raw++) {
			if (!t->raw.p[c->raw])
				continue;
			if (c->view == at)
				break;
			c->view++;
		}
		return text_unit_start(t, c->raw);
	case VIEW_DECODED:
		if (!c->raw)
			c->raw = code_text_bom_length(t->raw, t->encoding);
		while (c->view < at && c->raw < t->raw.n)
			c->view +=
				text_utf8_length(code_text_next_char(t->raw, t->encoding, &c->raw));
		return c->raw;
	}
	BUG("view %d", (int)t->view[view].how);
}

struct place code_place_of_offset(struct code_places *p, size_t raw)
{
	if (p->encoding == CODE_BYTES) {
		if (!p->bytes.text.p)
			p->bytes.text = p->raw;
		return str_place_of_next_offset(&p->bytes, raw);
	}
	if (!p->at)
		p->at = code_text_bom_length(p->raw, p->encoding);
	while (p->at < raw && p->at < p->raw.n) {
		uint32_t c = code_text_next_char(p->raw, p->encoding, &p->at);

		p->column = c == '\n' ? 0 : p->column + text_utf8_length(c);
		p->lines += c == '\n';
	}
	return (struct place){p->lines + 1, p->column + 1};
}

/*
 * Bytes on either side of a match that identify its line. Bounded, since a whole file may be one
 * line.
 */
#define LINE_WINDOW 256

/* The line where the match begins, without its indentation, which may change freely. */
struct str code_line_text_at(struct str text, size_t at)
{
	size_t from = at > LINE_WINDOW ? at - LINE_WINDOW : 0;
	size_t to = size_min(text.n, at + LINE_WINDOW);
	struct str before = str_sub(text, from, at), after = str_sub(text, at, to);
	size_t nl = str_rfind_char(before, '\n');

	if (nl != SIZE_MAX)
		from += nl + 1;
	nl = str_find_char(after, '\n', 0);
	return str_trim(str_sub(text, from, nl == SIZE_MAX ? to : at + nl));
}

/* ---- quoting ---- */

/* Moves to the offset: finds its line, and counts the units before it. Linear for all offsets. */
static void quote_move(struct code_quotes *q, size_t at)
{
	const char *end;

	if (at < q->at)
		q->line = q->at = q->units = 0;
	if (q->encoding == CODE_BYTES) {
		end = memrchr(q->raw.p + q->at, '\n', at - q->at);
		if (end) {
			q->line = q->at = (size_t)(end + 1 - q->raw.p);
			q->units = 0;
		}
		q->units += sarif_utf16_length(str_sub(q->raw, q->at, at));
		q->at = at;
		return;
	}
	if (!q->at)
		q->line = q->at = code_text_bom_length(q->raw, q->encoding);
	while (q->at < at && q->at < q->raw.n) {
		uint32_t c = code_text_next_char(q->raw, q->encoding, &q->at);

		q->units = c == '\n' ? 0 : q->units + (c > 0xffff ? 2 : 1);
		if (c == '\n')
			q->line = q->at;
	}
}

static void quote_decoded(struct arena *a, const struct code_quotes *q, size_t at,
			  struct check_quote *out)
{
	unsigned unit = text_encodings[q->encoding].unit;
	size_t i = at - size_min(at - q->line, CHECK_QUOTE_BEFORE / 4 * unit);
	struct buf b = buf_in(a);

	out->before = i > q->line;
	while (i < q->raw.n) {
		bool before = i < at;
		uint32_t c = code_text_next_char(q->raw, q->encoding, &i);

		/* The second half of a character whose first half was cut off. */
		if (before && !b.n && out->before && c == 0xfffd)
			continue;
		if (c == '\n')
			break;
		if (b.n - out->at + 4 > CHECK_QUOTE_AFTER) {
			out->after = true;
			break;
		}
		buf_utf8(&b, c);
		if (before)
			out->at = b.n;
	}
	if (b.n > out->at && b.p[b.n - 1] == '\r' && !out->after)
		b.n--;
	out->text = buf_as_str(&b);
}

void code_quote_at(struct arena *a, struct code_quotes *q, size_t at, struct check_quote *out)
{
	at = size_min(at, q->raw.n);
	quote_move(q, at);
	if (q->encoding == CODE_BYTES) {
		size_t from = at - size_min(at - q->line, CHECK_QUOTE_BEFORE);
		struct str rest = str_sub(q->raw, at, q->raw.n), tail;
		size_t end = str_find_char(rest, '\n', 0);

		/* Not in the middle of a character. */
		while (from > q->line && from < at &&
		       ((unsigned char)q->raw.p[from] & 0xc0) == 0x80)
			from++;
		if (end != SIZE_MAX)
			rest = str_sub(rest, 0, end);
		if (rest.n && rest.p[rest.n - 1] == '\r')
			rest.n--;
		tail = str_utf8_head(rest, CHECK_QUOTE_AFTER);
		out->before = from > q->line;
		out->after = tail.n < rest.n;
		out->at = at - from;
		out->text = str_dup(a, str_sub(q->raw, from, at + tail.n));
	} else {
		quote_decoded(a, q, at, out);
	}
	/* SARIF does not count the byte order mark of UTF-8. */
	out->column = q->units + 1;
	if (q->encoding == CODE_BYTES && !q->line && at >= 3 &&
	    str_starts(q->raw, STR("\xef\xbb\xbf")))
		out->column--;
	if (!out->text.p)
		out->text = STR("");
}
