#include "expand/code_spans.h"

bool prose_is_punctuation(uint32_t code)
{
	return (code >= 0xa0 && code <= 0xbf) ||     /* no-break space, guillemets */
	       (code >= 0x2000 && code <= 0x206f) || /* general punctuation */
	       (code >= 0x3000 && code <= 0x303f) || /* Chinese and Japanese punctuation */
	       (code >= 0xff01 && code <= 0xff0f) || (code >= 0xff1a && code <= 0xff20) ||
	       (code >= 0xff3b && code <= 0xff40) || (code >= 0xff5b && code <= 0xff65);
}

bool prose_is_unspaced_script(uint32_t code)
{
	return code >= 0x2e80;
}

/* ---- fences ---- */

struct fence {
	char c; /* 0: none is open */
	size_t n, quotes, from;
};

/*
 * The line without blanks and quote marks at its front. items: also without list markers, because a
 * fence may open behind them.
 */
static struct str unprefixed(struct str line, bool items, size_t *quotes)
{
	size_t i = 0;

	*quotes = 0;
	for (;;) {
		size_t k = i;

		while (i < line.n && ascii_is_any_space(line.p[i]))
			i++;
		if (i < line.n && line.p[i] == '>') {
			++*quotes;
			i++;
			continue;
		}
		if (!items)
			break;
		k = i;
		while (k < line.n && k < i + 9 && ascii_is_digit(line.p[k]))
			k++;
		if (k < line.n &&
		    (k > i ? line.p[k] == '.' || line.p[k] == ')'
			   : line.p[k] == '-' || line.p[k] == '*' || line.p[k] == '+') &&
		    k + 1 < line.n && ascii_is_any_space(line.p[k + 1]))
			i = k + 2;
		else
			break;
	}
	return str_sub(line, i, line.n);
}

static size_t run_of(struct str s, char c)
{
	size_t n = 0;

	while (n < s.n && s.p[n] == c)
		n++;
	return n;
}

static bool opens(struct str line, struct fence *f)
{
	struct str s = unprefixed(line, true, &f->quotes);

	f->c = s.n ? s.p[0] : 0;
	if (f->c != '`' && f->c != '~')
		return false;
	f->n = run_of(s, f->c);
	/* Backquotes that have others behind them are a code span at the start of a line. */
	return f->n >= 3 && (f->c == '~' || str_find_char(s, '`', f->n) == SIZE_MAX);
}

/* ---- code spans ---- */

struct ticks {
	size_t at, n;
	size_t next; /* the next run of this length in the block; SIZE_MAX: none */
};
struct scan {
	struct arena *a;
	struct str text;
	struct prose_codes *out;
	struct VEC(struct ticks) runs;
	size_t *last; /* by length: the nearest run so far, from the block's end */
	size_t last_cap;
};

static void prose_push(struct scan *s, size_t from, size_t to, bool fence)
{
	*VEC_PUSH(s->a, s->out) = (struct prose_code){{from, to}, fence};
}

/* Finds the code spans in lines without a blank line between them; no span crosses a blank line. */
static void spans_of(struct scan *s, size_t from, size_t to)
{
	size_t longest = 0;

	if (from >= to)
		return;
	s->runs.n = 0;
	for (size_t i = from; (i = str_find_char(s->text, '`', i)) < to;) {
		size_t n = run_of(str_sub(s->text, i, to), '`');

		*VEC_PUSH(s->a, &s->runs) = (struct ticks){i, n, SIZE_MAX};
		longest = size_max(longest, n);
		i += n;
	}
	if (longest >= s->last_cap)
		s->last = arena_array_grow(s->a, s->last, &s->last_cap, longest + 1,
					   sizeof(*s->last));
	for (size_t n = 0; n <= longest; n++)
		s->last[n] = SIZE_MAX;
	for (size_t i = s->runs.n; i-- > 0;) {
		s->runs.p[i].next = s->last[s->runs.p[i].n];
		s->last[s->runs.p[i].n] = i;
	}
	for (size_t i = 0; i < s->runs.n; i++) {
		const struct ticks *open = &s->runs.p[i], *close;
		size_t slashes = 0;

		while (open->at - slashes > from && s->text.p[open->at - slashes - 1] == '\\')
			slashes++;
		if (slashes % 2 || open->next == SIZE_MAX)
			continue;
		close = &s->runs.p[open->next];
		prose_push(s, open->at, close->at + close->n, false);
		i = open->next;
	}
}

void prose_code_spans(struct arena *a, struct str text, struct prose_codes *out)
{
	struct scan s = {.a = a, .text = text, .out = out};
	struct str rest = text, line;
	struct fence f = {0}, begun;
	size_t block = 0;

	while (str_next_line(&rest, &line)) {
		size_t from = (size_t)(line.p - text.p), end = text.n - rest.n, quotes;

		if (f.c) {
			struct str inner = unprefixed(line, false, &quotes);
			size_t n = run_of(inner, f.c);

			if (quotes >= f.quotes) {
				if (n >= f.n && !str_trim(str_sub(inner, n, inner.n)).n) {
					prose_push(&s, f.from, end, true);
					f.c = 0;
					block = end;
				}
				continue;
			}
			/* The block quote has ended, and the fence in it. */
			prose_push(&s, f.from, from, true);
			f.c = 0;
			block = from;
		}
		if (opens(line, &begun)) {
			spans_of(&s, block, from);
			f = begun;
			f.from = from;
		} else if (!str_trim(line).n) {
			spans_of(&s, block, from);
			block = end;
		}
	}
	if (f.c)
		prose_push(&s, f.from, text.n, true);
	else
		spans_of(&s, block, text.n);
}
