/* Reads a content in windows, and finds and reports its matching lines. */
#include "file/charset.h"
#include "file/find_matching_lines.h"
#include <errno.h>
#include <unistd.h>

#define LINE_MAX FILE_BYTES_MAX
/*
 * Bytes that are read at a time; at least SEARCH_BINARY. Small in tests, so that tests see many
 * windows.
 */
#ifdef IKM_TEST
#define WINDOW ((size_t)8 << 10)
#else
#define WINDOW ((size_t)128 << 10)
#endif

/* Matches, one per line, in order; offsets in the window's new lines. */
struct hits VEC(struct span);

struct scanner {
	struct scan_plan *plan;
	struct arena *a;
	struct re_work *work;
	bool *may, *off; /* per pattern; off: it took too long in this content */
	struct hits hits, more, merged;
	struct next {
		struct re_work *work; /* its own, because each pattern continues in the text */
		struct span match;
		bool known, none;
	} * next;           /* per pattern, for `each` */
	struct arena *room; /* holds own */
	char *own;
	size_t cap;
	uint64_t left; /* size of the file at its opening minus what is read; wraps if unknown */
	/* The content. The window is the part of it that is in memory. */
	const char *p;
	size_t n;                /* bytes in the window */
	size_t start;            /* lines before this were scanned */
	size_t end;              /* whole lines end here */
	size_t number, numbered; /* the number of the line that begins at `numbered` */
	size_t told;             /* end of the last reported line */
	size_t after;            /* how many more lines may be reported as context */
	bool told_any, hole;     /* hole: lines after the last reported line have left the window */
	const struct scan_sink *sink;
	struct scan_result *out;
};

static void free_room(void *p)
{
	arena_free(((struct scanner *)p)->room);
}

struct scanner *scanner_new(struct arena *a, struct scan_plan *plan)
{
	struct scanner *s = ARENA_NEW(a, struct scanner);

	s->plan = plan;
	s->a = a;
	s->work = re_work_new(a);
	s->may = arena_array(a, plan->n, sizeof(*s->may));
	s->off = arena_array(a, plan->n, sizeof(*s->off));
	s->may[0] = true;
	if (plan->s->each)
		s->next = arena_array(a, plan->n, sizeof(*s->next));
	arena_defer(a, free_room, s);
	return s;
}

/* ---- reporting lines ---- */

/* Counts the lines up to `at`, eight bytes at a time: memchr() would stop at every line. */
static void number_to(struct scanner *s, size_t at)
{
	const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f), lf = UINT64_C(0x0a0a0a0a0a0a0a0a);
	size_t i = s->numbered;

	for (; i + 8 <= at; i += 8) {
		uint64_t x;

		memcpy(&x, s->p + i, 8);
		x ^= lf;
		x = ~(((x & low) + low) | x | low);
		s->number += (size_t)((x >> 7) * UINT64_C(0x0101010101010101) >> 56);
	}
	for (; i < at; i++)
		s->number += s->p[i] == '\n';
	s->numbered = at;
}

static size_t file_scan_line_end(const struct scanner *s, size_t at)
{
	const char *lf = memchr(s->p + at, '\n', s->n - at);

	return lf ? (size_t)(lf - s->p) : s->n;
}

static size_t line_before(const struct scanner *s, size_t at)
{
	const char *lf = at > 1 ? memrchr(s->p, '\n', at - 1) : NULL;

	return lf ? (size_t)(lf - s->p) + 1 : 0;
}

/* Reports the line at `at`, and returns the offset of the next line. match NULL: it is context. */
static size_t file_scan_tell(struct scanner *s, size_t at, const struct span *match, bool joined)
{
	size_t end = file_scan_line_end(s, at);
	struct search_line line = {
		.text = {s->p + at, end - at},
		.context = !match,
		.gap = s->told_any && (at > s->told || s->hole),
		.joined = joined,
		.match = {0, end - at},
	};

	number_to(s, at);
	line.line = s->number;
	if (match && !s->plan->s->invert)
		line.match = (struct span){size_max(match->from, at) - at,
					   size_min(match->to, end) - at};
	s->sink->line(s->sink->ctx, &line);
	s->told_any = true;
	s->hole = false;
	s->told = size_min(end + 1, s->n);
	return s->told;
}

static void tell_after(struct scanner *s, size_t to)
{
	for (; s->after && s->told < to; s->after--)
		file_scan_tell(s, s->told, NULL, false);
}

/* Reports the lines of a match. */
static void file_scan_tell_match(struct scanner *s, size_t at, const struct span *match)
{
	at = file_scan_tell(s, at, match, false);
	while (at < match->to)
		at = file_scan_tell(s, at, match, true);
}

static bool file_scan_tells(const struct scanner *s)
{
	return s->plan->s->want == SEARCH_LINES &&
	       !atomic_load_explicit(&s->plan->full, memory_order_relaxed);
}

/* Counts the wanted line at `at`, and reports it with its context. */
static void want_line(struct scanner *s, size_t at, const struct span *match)
{
	size_t before = at;

	s->out->lines++;
	if (!file_scan_tells(s))
		return;
	tell_after(s, at);
	for (size_t i = 0; i < s->plan->s->before && before > s->told; i++)
		before = size_max(line_before(s, before), s->told);
	while (before < at)
		before = file_scan_tell(s, before, NULL, false);
	file_scan_tell_match(s, at, match);
	s->after = s->plan->s->after;
}

/* ---- matching ---- */

static void file_scan_give_up(struct scanner *s, size_t i)
{
	if (!s->out->gave_up)
		s->out->gave_up = &s->plan->patterns[i];
	s->off[i] = true;
}

static bool one_is_enough(const struct scanner *s)
{
	return s->plan->s->want == SEARCH_FILES;
}

static bool file_scan_tries(struct scanner *s, size_t i)
{
	struct scan_pattern *p = &s->plan->patterns[i];

	if (!s->off[i] && atomic_load_explicit(&p->gave_up, memory_order_relaxed) < SCAN_GIVE_UP)
		return true;
	file_scan_give_up(s, i);
	return false;
}

static enum re_answer file_scan_find(struct scanner *s, size_t i, struct re_work *w,
				     struct str text, size_t at, struct span *out)
{
	struct scan_pattern *p = &s->plan->patterns[i];
	enum re_answer r = re_find(p->re, w, text, at, out);

	if (r == RE_LIMIT) {
		atomic_fetch_add(&p->gave_up, 1);
		file_scan_give_up(s, i);
	}
	/* There is no line behind the last LF, where a pattern that sees all lines may match. */
	return r == RE_YES && (out->from >= text.n && (!text.n || text.p[text.n - 1] == '\n'))
		       ? RE_NO
		       : r;
}

/* Adds the next match. Matches that share a line become one. */
static void file_scan_push(struct scanner *s, struct str text, struct hits *out, struct span m)
{
	struct span *last = out->n ? &out->p[out->n - 1] : NULL;
	size_t end = last ? last->to : 0;

	if (last && end > last->from && text.p[end - 1] == '\n')
		end--;
	/* A match shares a line if it begins on the last line of the one before it, or within it.
	 */
	if (!last || (m.from > end && memchr(text.p + end, '\n', m.from - end)))
		*VEC_PUSH(s->a, out) = m;
	else if (s->plan->s->across)
		last->to = size_max(last->to, m.to);
}

/* Finds the first match of a pattern in each line. */
static void file_scan_find_all(struct scanner *s, size_t i, struct str text, struct hits *out)
{
	size_t at = 0;
	struct span m;

	out->n = 0;
	if (!file_scan_tries(s, i))
		return;
	while (file_scan_find(s, i, s->work, text, at, &m) == RE_YES) {
		if (s->plan->s->across) {
			file_scan_push(s, text, out, m);
			at = m.to + (m.to == m.from);
		} else {
			const char *lf;

			*VEC_PUSH(s->a, out) = m;
			/* The beginning of the line behind a match within one line. */
			lf = memchr(text.p + m.to, '\n', text.n - m.to);
			at = lf ? (size_t)(lf - text.p) + 1 : text.n;
		}
		if (at >= text.n || (one_is_enough(s) && !s->plan->s->invert))
			break;
	}
}

/* Merges s->more into s->hits, with one match per line: the first. Matches that share a line become
 * one. */
static void file_scan_merge(struct scanner *s, struct str text)
{
	struct hits *x = &s->hits, *y = &s->more, *out = &s->merged, swap;
	size_t i = 0, k = 0;

	out->n = 0;
	while (i < x->n || k < y->n) {
		struct span m;

		if (k == y->n || (i < x->n && x->p[i].from <= y->p[k].from))
			m = x->p[i++];
		else
			m = y->p[k++];
		file_scan_push(s, text, out, m);
	}
	swap = *x;
	*x = *out;
	*out = swap;
}

static void file_scan_find_any(struct scanner *s, struct str text)
{
	s->hits.n = 0;
	if (s->plan->set)
		re_set_scan(s->plan->set, text, s->may);
	for (size_t i = 0; i < s->plan->n; i++) {
		if (!s->may[i])
			continue;
		if (!s->hits.n) {
			file_scan_find_all(s, i, text, &s->hits);
		} else {
			file_scan_find_all(s, i, text, &s->more);
			if (s->more.n)
				file_scan_merge(s, text);
		}
		if (s->hits.n && one_is_enough(s) && !s->plan->s->invert)
			return;
	}
}

/* ---- each match ---- */

/* The first match at or after `at`; the longest of those that begin there. */
static bool file_scan_next(struct scanner *s, struct str text, size_t at, struct span *out)
{
	const struct span *best = NULL;

	for (size_t i = 0; i < s->plan->n; i++) {
		struct next *next = &s->next[i];

		if (!s->may[i] || next->none)
			continue;
		if (!next->known || next->match.from < at) {
			if (!next->work)
				next->work = re_work_new(s->a);
			next->known = true;
			next->none =
				!file_scan_tries(s, i) ||
				file_scan_find(s, i, next->work, text, at, &next->match) != RE_YES;
			if (next->none)
				continue;
		}
		if (!best || next->match.from < best->from ||
		    (next->match.from == best->from && next->match.to > best->to))
			best = &next->match;
	}
	if (best)
		*out = *best;
	return best;
}

/* Counts and reports each match that is not empty, in `text`, which begins at `offset`. */
static void file_scan_each(struct scanner *s, struct str text, size_t offset)
{
	struct span m;

	for (size_t i = 0; i < s->plan->n; i++)
		s->next[i].known = s->next[i].none = false;
	for (size_t at = 0; at <= text.n && file_scan_next(s, text, at, &m);) {
		at = m.to + (m.to == m.from);
		if (m.to == m.from)
			continue;
		s->out->lines++;
		m.from += offset;
		m.to += offset;
		if (file_scan_tells(s))
			file_scan_tell_match(s, size_max(line_before(s, m.from + 1), offset), &m);
	}
}

/* ---- lines ---- */

static void want_others(struct scanner *s, size_t offset)
{
	size_t at = s->start;

	/* A pattern gave up, so it is unknown which lines do not match. */
	if (s->out->gave_up)
		return;
	for (size_t i = 0; i <= s->hits.n; i++) {
		size_t to = i < s->hits.n ? s->hits.p[i].from + offset : s->end;

		while (at < s->end && (i == s->hits.n || file_scan_line_end(s, at) < to)) {
			want_line(s, at, &(struct span){0, 0});
			if (one_is_enough(s))
				return;
			at = file_scan_line_end(s, at) + 1;
		}
		/* Skip the line of the hit. */
		if (i < s->hits.n)
			at = file_scan_line_end(s, to) + 1;
	}
}

/* Scans the new whole lines of the window. */
static void scan_lines(struct scanner *s)
{
	size_t offset = s->start;
	struct str text = {s->p + offset, s->end - offset};

	if (!text.n)
		return;
	if (s->plan->s->each && s->plan->s->across) {
		if (s->plan->set)
			re_set_scan(s->plan->set, text, s->may);
		file_scan_each(s, text, offset);
		return;
	}
	file_scan_find_any(s, text);
	if (s->plan->s->invert) {
		want_others(s, offset);
	} else if (s->plan->s->want == SEARCH_COUNTS) {
		s->out->lines += s->hits.n;
	} else {
		for (size_t i = 0; i < s->hits.n; i++) {
			struct span m = {s->hits.p[i].from + offset, s->hits.p[i].to + offset};
			const char *lf = memrchr(s->p + offset, '\n', m.from - offset);
			size_t at = lf ? (size_t)(lf - s->p) + 1 : offset;

			if (s->plan->s->each)
				file_scan_each(s,
					       str_sub((struct str){s->p, s->n}, at,
						       file_scan_line_end(s, at)),
					       at);
			else
				want_line(s, at, &m);
		}
	}
	if (s->plan->s->want == SEARCH_LINES)
		tell_after(s, s->end);
}

/* ---- the window ---- */

static void file_scan_grow(struct scanner *s)
{
	struct arena *room = arena_new();
	size_t cap = s->cap ? s->cap * 2 : WINDOW;
	char *p = arena_alloc(room, cap);

	if (s->n)
		memcpy(p, s->own, s->n);
	arena_free(s->room);
	s->room = room;
	s->own = p;
	s->p = p;
	s->cap = cap;
}

/* Reads until the window is full. *end: the content has ended. */
static bool file_scan_fill(struct scanner *s, int fd, bool *end)
{
	while (s->n < s->cap && !*end) {
		ssize_t got = read(fd, s->own + s->n, s->cap - s->n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			s->out->end = SCAN_FAILED;
			s->out->errnum = errno;
			return false;
		}
		s->n += (size_t)got;
		s->left -= (size_t)got;
		/* This read asked for more than was left. */
		*end = !got || (!s->left && s->n < s->cap);
	}
	return true;
}

static void skip_mark(struct scanner *s)
{
	if (str_starts((struct str){s->p, s->n}, STR(FILE_BOM)))
		s->start = s->numbered = s->told = strlen(FILE_BOM);
}

static bool file_scan_is_binary(const struct scanner *s)
{
	return memchr(s->p, 0, size_min(s->n, SEARCH_BINARY));
}

/* Whether the beginning of the file is in another encoding than UTF-8. */
static bool scan_is_encoded(const struct scanner *s, struct str path)
{
	const char *lf = memrchr(s->p, '\n', s->n);
	struct str lines = {s->p, lf ? (size_t)(lf - s->p) : s->n};
	bool odd = !str_is_utf8(lines), letters = false;
	const struct strs *patterns = &s->plan->s->patterns;

	/* A pattern with letters beyond ASCII finds them in other encodings too. */
	for (size_t i = 0; odd && i < patterns->n; i++)
		for (size_t k = 0; !letters && k < patterns->p[i].n; k++)
			letters = (unsigned char)patterns->p[i].p[k] > 0x7f;
	return letters ||
	       charset_is_other(path, (struct str){s->p, size_min(s->n, SEARCH_BINARY)}, !odd);
}

/* The whole file at once, since the window moves by lines. */
static void scan_encoded(struct scanner *s, int fd, struct str path, bool *end)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct charset charset;
	struct str text;

	while (!*end && s->cap < LINE_MAX) {
		file_scan_grow(s);
		if (!file_scan_fill(s, fd, end))
			return;
	}
	if (!*end) {
		s->out->end = SCAN_TOO_BIG;
		return;
	}
	if (charset_decode_file(a, path, (struct str){s->own, s->n}, (struct str){0}, &text,
				&charset) ||
	    (!charset.name.n && str_has_nul(text))) {
		s->out->end = SCAN_BINARY;
		return;
	}
	s->p = text.p;
	s->n = s->end = text.n;
	skip_mark(s);
	scan_lines(s);
	s->p = s->own;
	s->n = s->end = s->start = 0;
}

static void scan_fd(struct scanner *s, int fd, struct str path)
{
	bool end = false, first = true;

	if (!s->cap)
		file_scan_grow(s);
	s->p = s->own;
	while (file_scan_fill(s, fd, &end)) {
		const char *lf = end ? NULL : memrchr(s->p + s->start, '\n', s->n - s->start);
		size_t keep;

		if (first && scan_is_encoded(s, path)) {
			scan_encoded(s, fd, path, &end);
			return;
		}
		if (first && file_scan_is_binary(s)) {
			s->out->end = SCAN_BINARY;
			return;
		}
		if (first)
			skip_mark(s);
		first = false;
		if (!end && (!lf || s->plan->s->across) && s->cap >= LINE_MAX) {
			s->out->end = s->plan->s->across ? SCAN_TOO_BIG : SCAN_LONG_LINE;
			return;
		}
		if (!end && (!lf || s->plan->s->across)) {
			file_scan_grow(s);
			continue;
		}
		s->end = end ? s->n : (size_t)(lf - s->p) + 1;
		scan_lines(s);
		if (end || atomic_load_explicit(&s->plan->stop, memory_order_relaxed) ||
		    (s->out->lines && one_is_enough(s)))
			return;
		/* Removes scanned lines from the window, except those that may be needed as
		 * context. */
		keep = s->end;
		for (size_t i = 0; i < s->plan->s->before; i++)
			keep = line_before(s, keep);
		if (keep > s->numbered)
			number_to(s, keep);
		memmove(s->own, s->own + keep, s->n - keep);
		s->n -= keep;
		s->start = s->end - keep;
		s->numbered -= keep;
		s->hole = s->hole || s->told < keep;
		s->told -= size_min(s->told, keep);
	}
}

void scanner_run(struct scanner *s, int fd, uint64_t size, struct str path, struct str text,
		 const struct scan_sink *sink, struct scan_result *out)
{
	*out = (struct scan_result){0};
	memset(s->off, 0, s->plan->n * sizeof(*s->off));
	s->n = s->start = s->end = s->numbered = s->told = s->after = 0;
	s->number = 1;
	s->told_any = s->hole = false;
	s->left = size;
	s->sink = sink;
	s->out = out;
	if (fd >= 0) {
		scan_fd(s, fd, path);
		return;
	}
	s->p = text.p ? text.p : "";
	s->n = s->end = text.n;
	if (file_scan_is_binary(s)) {
		out->end = SCAN_BINARY;
		return;
	}
	skip_mark(s);
	scan_lines(s);
}
