/*
 * Keeps the part of a line around a match. The report keeps no tree and no file, and a line may be
 * a whole file, so the part has a fixed size.
 */
#include "judge/engine.h"
#include "out/sarif.h"

/* Moves to the offset: finds its line, and counts the units before it. Linear for all offsets. */
static void quote_move(struct quotes *q, size_t at)
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
		q->units += sarif_units(str_sub(q->raw, q->at, at));
		q->at = at;
		return;
	}
	if (!q->at)
		q->line = q->at = code_text_mark(q->raw, q->encoding);
	while (q->at < at && q->at < q->raw.n) {
		uint32_t c = code_text_char(q->raw, q->encoding, &q->at);

		q->units = c == '\n' ? 0 : q->units + (c > 0xffff ? 2 : 1);
		if (c == '\n')
			q->line = q->at;
	}
}

static void quote_bytes(struct arena *a, const struct quotes *q, size_t at, struct check_quote *out)
{
	size_t from = at - size_min(at - q->line, CHECK_QUOTE_BEFORE);
	struct str rest = str_sub(q->raw, at, q->raw.n), tail;
	size_t end = str_find_char(rest, '\n', 0);

	/* Not in the middle of a character. */
	while (from > q->line && from < at && ((unsigned char)q->raw.p[from] & 0xc0) == 0x80)
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
}

static void quote_decoded(struct arena *a, const struct quotes *q, size_t at,
			  struct check_quote *out)
{
	unsigned unit = code_text_unit(q->encoding);
	size_t i = at - size_min(at - q->line, CHECK_QUOTE_BEFORE / 4 * unit);
	struct buf b = buf_in(a);

	out->before = i > q->line;
	while (i < q->raw.n) {
		bool before = i < at;
		uint32_t c = code_text_char(q->raw, q->encoding, &i);

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
	out->text = buf_str(&b);
}

/* The length of the match in the quoted line, when the line has it as it was found. */
static size_t quote_length(const struct check_quote *q, const struct finding *f)
{
	const struct str found[] = {f->text, f->name};
	struct str rest = str_sub(q->text, q->at, q->text.n), line;

	for (size_t i = 0; i < ARRAY_SIZE(found); i++) {
		struct str s = found[i];

		if (!str_line(&s, &line) || !line.n)
			continue;
		/* A match longer than the quoted part ends with it. */
		if (str_starts(rest, line) || (q->after && str_starts(line, rest)))
			return size_min(line.n, rest.n);
	}
	return 0;
}

void quote_at(struct arena *a, struct quotes *q, size_t at, const struct finding *f,
	      struct check_quote *out)
{
	at = size_min(at, q->raw.n);
	quote_move(q, at);
	if (q->encoding == CODE_BYTES)
		quote_bytes(a, q, at, out);
	else
		quote_decoded(a, q, at, out);
	/* SARIF does not count the byte order mark of UTF-8. */
	out->column = q->units + 1;
	if (q->encoding == CODE_BYTES && !q->line && at >= 3 &&
	    str_starts(q->raw, STR("\xef\xbb\xbf")))
		out->column--;
	if (!out->text.p)
		out->text = STR("");
	out->n = quote_length(out, f);
}
