#include "fuzzy/fuzzy.h"
#include "os/os.h"

/* The scores of a letter. The ratios are those of fzf, because people know its results. */
enum {
	MATCH = 16,
	GAP_START = -3,
	GAP_MORE = -1,
	AFTER_BLANK = 10, /* the first letter of the name, or after a blank */
	AFTER_SLASH = 9,  /* the first letter of a path part */
	AFTER_MARK = 8,   /* the first letter of a word; a punctuation mark itself */
	HUMP = 7,         /* the B of fooBar, the 1 of foo1 */
	RUN = 4,          /* at least this for a letter next to the previous letter */
	FIRST_TIMES = 2,  /* factor for the place of the query's first letter */
};

enum kind { BLANK, MARK, SLASH /* and similar */, LOWER, UPPER, LETTER, DIGIT };

struct word {
	struct str s; /* its bytes, for the fast check */
	uint32_t *letter;
	size_t n;
	bool fold; /* fold capitals of the names */
};
struct query VEC(struct word);

/* Buffers of a thread, as long as the longest name. */
struct room {
	uint32_t *letter;
	int *worth; /* the bonus of each letter's place */
	int *best;  /* the best score of a match that ends here or earlier */
	int *run;   /* the bonus of the first letter of the run that ends here; NO_RUN */
};
enum { NO_RUN = -1, NO_MATCH = -1 };

/* The result for a name. */
struct mark {
	int score;
	uint32_t length; /* number of letters */
};

struct ranking {
	const struct query *query;
	const struct strs *names;
	struct room *rooms;
	struct mark *marks;
};

/* ---- letters ---- */

static uint32_t lower_letter(uint32_t c)
{
	return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

/* Decodes the code points. A byte that is not UTF-8 becomes a number above all code points. */
static size_t fuzzy_letters_of(struct str s, uint32_t *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n;) {
		unsigned char c = (unsigned char)s.p[i];
		size_t len = 1;

		out[n] = c;
		if (c >= 0x80 && !(len = str_utf8_char(s.p + i, s.n - i, &out[n]))) {
			out[n] = 0x110000u + c;
			len = 1;
		}
		i += len;
		n++;
	}
	return n;
}

static enum kind fuzzy_kind_of(uint32_t c)
{
	if (c >= 'a' && c <= 'z')
		return LOWER;
	if (c >= 'A' && c <= 'Z')
		return UPPER;
	if (c >= '0' && c <= '9')
		return DIGIT;
	if (c >= 0x80)
		return LETTER;
	if (c == ' ' || (c >= '\t' && c <= '\r'))
		return BLANK;
	return c && strchr("/,:;|", (char)c) ? SLASH : MARK;
}

static int bonus_of(enum kind before, enum kind here)
{
	static const int after[] = {
		[BLANK] = AFTER_BLANK, [MARK] = AFTER_MARK, [SLASH] = AFTER_SLASH};

	if (here >= SLASH && before <= SLASH)
		return after[before];
	if ((before == LOWER && here == UPPER) || (before != DIGIT && here == DIGIT))
		return HUMP;
	return here <= MARK ? after[here] : 0;
}

/* ---- one name ---- */

/* True when the bytes occur in order. This fast check rejects most names. */
static bool in_order(const struct word *w, struct str name)
{
	size_t k = 0;

	for (size_t i = 0; i < name.n; i++) {
		unsigned char c = (unsigned char)name.p[i];

		if (w->fold)
			c = (unsigned char)lower_letter(c);
		if (c == (unsigned char)w->s.p[k] && ++k == w->s.n)
			return true;
	}
	return false;
}

/*
 * Finds the best alignment of the word's letters with the name's letters. It computes one row of
 * the usual table for each letter of the word. best[i] is the best score when the letter of this
 * row is at i or earlier. Each letter of a run scores at least as much as the run's first letter,
 * so `run` keeps that bonus.
 */
static int score_word(const struct word *w, const struct room *r, size_t n)
{
	size_t from = 0, end = n;
	int top = NO_MATCH;

#define SAME(k, i) ((w->fold ? lower_letter(r->letter[i]) : r->letter[i]) == w->letter[k])
	while (end && !SAME(w->n - 1, end - 1))
		end--;
	for (size_t k = 0; k < w->n; k++) {
		/* `above`: one row up, one column left. `left`: 0 before the first match. */
		int above = 0, above_run = NO_RUN, left = 0;
		bool gap = false;

		while (from < end && !SAME(k, from))
			from++;
		if (from >= end)
			return NO_MATCH;
		if (k) {
			above = r->best[from - 1];
			above_run = r->run[from - 1];
		}
		for (size_t i = from; i < end; i++) {
			int without = left + (gap ? GAP_MORE : GAP_START), with = 0;
			int run = NO_RUN, worth = r->worth[i];

			if (SAME(k, i) && !k) {
				with = MATCH + worth * FIRST_TIMES;
				without = 0;
				run = worth;
			} else if (SAME(k, i)) {
				run = above_run;
				/* A better place than the run's first letter starts a new run. */
				if (run == NO_RUN || (worth >= AFTER_MARK && worth > run))
					run = worth;
				else
					worth = (int)size_max(size_max((size_t)worth, RUN),
							      (size_t)run);
				with = above + MATCH + worth;
				if (with < without) {
					with = above + MATCH + r->worth[i];
					run = NO_RUN;
				}
			}
			above = r->best[i];
			above_run = r->run[i];
			gap = with < without;
			left = gap ? without : with;
			r->best[i] = left;
			r->run[i] = run;
			if (k == w->n - 1 && left > top)
				top = left;
		}
		from++;
	}
#undef SAME
	return top;
}

static struct mark score_name(const struct query *q, const struct room *r, struct str name)
{
	enum kind before = BLANK;
	struct mark m = {0, 0};
	size_t n;

	for (size_t i = 0; i < q->n; i++)
		if (!in_order(&q->p[i], name))
			return (struct mark){NO_MATCH, 0};
	n = fuzzy_letters_of(name, r->letter);
	m.length = (uint32_t)n;
	for (size_t i = 0; i < n; i++) {
		enum kind here = fuzzy_kind_of(r->letter[i]);

		r->worth[i] = bonus_of(before, here);
		before = here;
	}
	for (size_t i = 0; i < q->n; i++) {
		int score = score_word(&q->p[i], r, n);

		if (score == NO_MATCH)
			return (struct mark){NO_MATCH, 0};
		m.score += score;
	}
	return m;
}

/* ---- all names ---- */

/* The number of names that a thread takes at a time. */
#define BATCH 1024

static void score_batch(void *ctx, unsigned thread, size_t batch)
{
	struct ranking *r = ctx;
	size_t end = size_min((batch + 1) * BATCH, r->names->n);

	for (size_t i = batch * BATCH; i < end; i++)
		r->marks[i] = score_name(r->query, &r->rooms[thread], r->names->p[i]);
}

static bool is_better(const struct ranking *r, size_t x, size_t y)
{
	const struct mark *a = &r->marks[x], *b = &r->marks[y];
	int cmp;

	if (a->score != b->score)
		return a->score > b->score;
	if (a->length != b->length)
		return a->length < b->length;
	cmp = str_cmp(r->names->p[x], r->names->p[y]);
	return cmp ? cmp < 0 : x < y;
}

/* Restores the heap, which has the worst kept name on top. */
static void fuzzy_sink(const struct ranking *r, size_t *heap, size_t n, size_t at)
{
	for (size_t child; (child = 2 * at + 1) < n; at = child) {
		size_t moved = heap[at];

		if (child + 1 < n && is_better(r, heap[child], heap[child + 1]))
			child++;
		if (!is_better(r, heap[at], heap[child]))
			return;
		heap[at] = heap[child];
		heap[child] = moved;
	}
}

static void fuzzy_pick(struct arena *a, const struct ranking *r, size_t limit,
		       struct fuzzy_hits *out)
{
	size_t *heap = arena_array(a, limit, sizeof(*heap)), n = 0;

	for (size_t i = 0; i < r->names->n; i++) {
		if (r->marks[i].score == NO_MATCH)
			continue;
		if (n < limit) {
			heap[n++] = i;
			for (size_t k = n == limit ? n / 2 : 0; k-- > 0;)
				fuzzy_sink(r, heap, n, k);
		} else if (is_better(r, i, heap[0])) {
			heap[0] = i;
			fuzzy_sink(r, heap, n, 0);
		}
	}
	for (size_t k = n < limit ? n / 2 : 0; k-- > 0;)
		fuzzy_sink(r, heap, n, k);
	out->p = arena_array(a, n, sizeof(*out->p));
	out->n = out->cap = n;
	for (; n; n--) {
		out->p[n - 1] = (struct fuzzy_hit){heap[0], r->marks[heap[0]].score};
		heap[0] = heap[n - 1];
		fuzzy_sink(r, heap, n - 1, 0);
	}
}

struct err *fuzzy_rank(struct arena *a, struct str query, const struct strs *names, size_t limit,
		       struct fuzzy_hits *out)
{
	unsigned threads =
		names->n < 4 * BATCH ? 1 : (unsigned)size_min(os_cores(), OS_THREADS_MAX);
	struct query q = {0};
	struct ranking r = {.query = &q, .names = names};
	size_t longest = 0;
	struct str s;

	*out = (struct fuzzy_hits){0};
	if (query.n > FUZZY_QUERY_MAX)
		return err_detail_int(err_new(E_TOO_LONG,
					      "the query has %zu bytes; at most %d are allowed",
					      query.n, FUZZY_QUERY_MAX),
				      "limit", FUZZY_QUERY_MAX);
	while (str_next_part(&query, ' ', &s)) {
		struct word w = {.s = str_trim(s), .fold = true};

		if (!w.s.n)
			continue;
		w.letter = arena_array(a, w.s.n, sizeof(uint32_t));
		w.n = fuzzy_letters_of(w.s, w.letter);
		for (size_t i = 0; i < w.n; i++)
			w.fold = w.fold && fuzzy_kind_of(w.letter[i]) != UPPER;
		*VEC_PUSH(a, &q) = w;
	}
	limit = limit ? size_min(limit, names->n) : names->n;
	if (!limit)
		return NULL;
	if (!q.n) {
		for (size_t i = 0; i < limit; i++)
			*VEC_PUSH(a, out) = (struct fuzzy_hit){.index = i};
		return NULL;
	}
	for (size_t i = 0; i < names->n; i++)
		longest = size_max(longest, names->p[i].n);
	r.rooms = arena_array(a, threads, sizeof(*r.rooms));
	for (unsigned i = 0; i < threads; i++)
		r.rooms[i] = (struct room){
			.letter = arena_array(a, longest, sizeof(uint32_t)),
			.worth = arena_array(a, longest, sizeof(int)),
			.best = arena_array(a, longest, sizeof(int)),
			.run = arena_array(a, longest, sizeof(int)),
		};
	r.marks = arena_array(a, names->n, sizeof(*r.marks));
	os_parallel_for((names->n + BATCH - 1) / BATCH, threads, score_batch, &r);
	fuzzy_pick(a, &r, limit, out);
	return NULL;
}
