/* The lines of a content, an index of equal lines, and the search for the lines of a hunk. */
#include "match/internal.h"

/* ---- lines ---- */

struct err *lines_split(struct arena *a, struct str text, struct lines *out)
{
	size_t n = 0, cap = 1;

	if (text.n >= UINT32_MAX)
		return err_new(
			E_TOO_BIG,
			"a content of %zu bytes is too large for a patch; the limit is 4 GiB",
			text.n);
	for (size_t at = 0; (at = str_find_char(text, '\n', at)) != SIZE_MAX; at++)
		cap++;
	out->text = text;
	out->at = arena_array(a, cap + 1, sizeof(*out->at));
	for (size_t at = 0; at < text.n; at += str_line_from(text, at).n)
		out->at[n++] = (uint32_t)at;
	out->at[n] = (uint32_t)text.n;
	out->n = n;
	return NULL;
}

struct str lines_get(const struct lines *l, size_t i)
{
	return str_sub(l->text, l->at[i], l->at[i + 1]);
}

/* ---- the index ---- */

#define NO_ID UINT32_MAX

struct line_index {
	struct arena *a;
	const struct lines *lines;
	enum match_pass pass;
	struct str *key; /* of each line */
	uint32_t *id;    /* number of each line */
	uint32_t *first; /* a line with each number */
	uint32_t *start,
		*places; /* the lines with number i are places[start[i]] to places[start[i + 1]] */
	uint32_t *table; /* hash table of numbers; NO_ID: free */
	size_t ids, mask;
	const struct str *sought; /* the pattern of the last search */
	uint32_t *pattern;        /* its lines as numbers; NO_ID: the line does not occur */
	size_t pattern_cap;
};

/* The slot of the key in the hash table: its number, or the free slot for it. */
static uint32_t *line_index_slot(const struct line_index *f, struct str key)
{
	size_t i = (size_t)str_hash(key) & f->mask;

	while (f->table[i] != NO_ID && !str_eq(f->key[f->first[f->table[i]]], key))
		i = (i + 1) & f->mask;
	return &f->table[i];
}

struct line_index *line_index_by_key_new(struct arena *a, const struct lines *l,
					 enum match_pass pass)
{
	struct line_index *f = ARENA_NEW(a, struct line_index);
	size_t size = 16;

	while (size < l->n * 2)
		size *= 2;
	*f = (struct line_index){.a = a, .lines = l, .pass = pass, .mask = size - 1};
	f->table = arena_array(a, size, sizeof(*f->table));
	memset(f->table, 0xff, size * sizeof(*f->table));
	f->key = arena_array(a, l->n, sizeof(*f->key));
	f->id = arena_array(a, l->n, sizeof(*f->id));
	f->first = arena_array(a, l->n, sizeof(*f->first));
	f->places = arena_array(a, l->n, sizeof(*f->places));
	for (size_t i = 0; i < l->n; i++) {
		uint32_t *at;

		f->key[i] = match_line_key(a, lines_get(l, i), pass);
		at = line_index_slot(f, f->key[i]);
		if (*at == NO_ID) {
			*at = (uint32_t)f->ids++;
			f->first[*at] = (uint32_t)i;
		}
		f->id[i] = *at;
	}
	/* A counting sort: the places of each number come in ascending order. */
	f->start = arena_array(a, f->ids + 1, sizeof(*f->start));
	for (size_t i = 0; i < l->n; i++)
		f->start[f->id[i]]++;
	for (size_t i = 1; i <= f->ids; i++)
		f->start[i] += f->start[i - 1];
	for (size_t i = l->n; i--;)
		f->places[--f->start[f->id[i]]] = (uint32_t)i;
	return f;
}

struct str line_index_line_key(const struct line_index *f, size_t line)
{
	return f->key[line];
}

static size_t occurrences(const struct line_index *f, uint32_t id)
{
	return id == NO_ID ? 0 : f->start[id + 1] - f->start[id];
}

/* The first place of this number that is not before `line`. */
static size_t place_from(const struct line_index *f, uint32_t id, int64_t line)
{
	size_t low = f->start[id];

	BISECT(low, mid, f->start[id + 1], (int64_t)f->places[mid] < line);
	return low;
}

static void load_pattern(struct line_index *f, const struct sought *s)
{
	if (f->sought == s->p)
		return;
	if (f->pattern_cap < s->n)
		f->pattern = arena_array_grow(f->a, f->pattern, &f->pattern_cap, s->n,
					      sizeof(*f->pattern));
	for (size_t i = 0; i < s->n; i++)
		f->pattern[i] = *line_index_slot(f, match_line_key(f->a, s->p[i], f->pass));
	f->sought = s->p;
}

static bool line_index_matches(const struct line_index *f, const struct sought *s, int64_t where)
{
	if (where + (int64_t)s->to > (int64_t)f->lines->n)
		return false;
	for (size_t i = s->from; i < s->to; i++) {
		if (!*s->work)
			return false;
		--*s->work;
		if (f->pattern[i] != f->id[(size_t)where + i])
			return false;
	}
	return true;
}

/*
 * Searches from the rarest line of the pattern: the pattern can only be where that line is. The
 * search gives up when it takes too many steps (an almost repeating pattern in an almost repeating
 * content).
 */
bool line_index_find_pattern(struct line_index *f, const struct sought *s, size_t *where)
{
	size_t rare = s->from, left, right;
	int64_t near = s->near < s->low ? s->low : s->near > s->high ? s->high : s->near;
	uint32_t id;

	if (s->low > s->high)
		return false;
	if (s->from >= s->to) {
		*where = (size_t)near;
		return true;
	}
	load_pattern(f, s);
	*s->work -= size_min(*s->work, s->to - s->from);
	for (size_t i = s->from; i < s->to; i++)
		if (occurrences(f, f->pattern[i]) < occurrences(f, f->pattern[rare]))
			rare = i;
	id = f->pattern[rare];
	if (id == NO_ID)
		return false;
	left = right = place_from(f, id, near + (int64_t)rare);
	while (*s->work) {
		int64_t before = INT64_MIN, after = INT64_MAX, at;

		if (left > f->start[id])
			before = (int64_t)f->places[left - 1] - (int64_t)rare;
		if (right < f->start[id + 1])
			after = (int64_t)f->places[right] - (int64_t)rare;
		if (before < s->low)
			before = INT64_MIN;
		if (after > s->high)
			after = INT64_MAX;
		if (before == INT64_MIN && after == INT64_MAX)
			return false;
		if (before == INT64_MIN ||
		    (after != INT64_MAX && after - s->near <= s->near - before)) {
			at = after;
			right++;
		} else {
			at = before;
			left--;
		}
		--*s->work;
		if (at >= s->low && at <= s->high && line_index_matches(f, s, at)) {
			*where = (size_t)at;
			return true;
		}
	}
	return false;
}

/* ---- the nearest place, for messages ---- */

#define VOTERS 64   /* lines of the pattern that vote */
#define VOTES  1000 /* places for each line */

static int line_index_by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t distance(int64_t a, int64_t b)
{
	return a < b ? b - a : a - b;
}

/* Each line of the pattern votes for the places where the pattern would begin. */
bool line_index_find_best(struct line_index *f, const struct sought *s, size_t *where)
{
	int64_t *votes = arena_array(f->a, (size_t)VOTERS * VOTES, sizeof(*votes));
	size_t n = 0, most = 0;

	load_pattern(f, s);
	for (size_t i = s->from; i < s->to && i < s->from + VOTERS; i++) {
		uint32_t id = f->pattern[i];
		size_t k;

		if (id == NO_ID)
			continue;
		k = place_from(f, id, s->near + (int64_t)i);
		k = k - size_min(k - f->start[id], VOTES / 2);
		for (size_t end = size_min(k + VOTES, f->start[id + 1]); k < end; k++)
			votes[n++] = (int64_t)f->places[k] - (int64_t)i;
	}
	qsort(votes, n, sizeof(*votes), line_index_by_value);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && votes[end] == votes[i];)
			end++;
		if (votes[i] >= 0 &&
		    (end - i > most ||
		     (end - i == most &&
		      distance(votes[i], s->near) < distance((int64_t)*where, s->near)))) {
			most = end - i;
			*where = (size_t)votes[i];
		}
	}
	return most;
}
