/*
 * The vocabulary and its search for near words. The table word_slips has keys for every word of
 * four letters or more. The keys are the first letters of the word, and the same with each letter
 * left out in turn. Two words that are one slip apart share a key, so a search compares few words.
 * The second slip of a long word may be anywhere behind the first letters, or anywhere except in
 * the first four letters.
 */
#include "vocab/vocab.h"

enum {
	BEGIN_CHARS = 3, /* too many words begin with a shorter word */
	SLIP_CHARS = 4,
	TWO_SLIPS_CHARS = 8,
	WINDOW = 7, /* number of first letters that are left out in turn */
	START = 4,
};

/* A word as characters. */
struct letters {
	uint32_t p[WORD_BYTES];
	size_t end[WORD_BYTES + 1]; /* offset of each character; the last: the length of the word */
	size_t n;
};

static void vocab_letters(struct str word, struct letters *out)
{
	size_t at = 0;

	out->n = 0;
	while (at < word.n && out->n < WORD_BYTES) {
		out->end[out->n] = at;
		at += size_max(str_utf8_char(word.p + at, word.n - at, &out->p[out->n]), 1);
		out->n++;
	}
	out->end[out->n] = at;
}

/* ---- the keys of a word ---- */

struct parts {
	int64_t p[WINDOW + 1];
	size_t n;
};

/* 32 bits are enough, because every word that is found is compared. They keep the table small. */
static int64_t part_of(const char *p, size_t n)
{
	return (int64_t)(words_term('s', (struct str){p, n}) & UINT32_MAX);
}

static void parts_of(struct str word, struct parts *out)
{
	struct letters l;
	char rest[WORD_BYTES];
	size_t window, bytes;

	vocab_letters(word, &l);
	window = size_min(l.n, WINDOW);
	bytes = l.end[window];
	out->n = 0;
	out->p[out->n++] = part_of(word.p, bytes);
	for (size_t i = 0; i < window; i++) {
		size_t from = l.end[i], to = l.end[i + 1];

		/* Leaving out either letter of a double letter gives the same key. */
		if (i && l.p[i] == l.p[i - 1])
			continue;
		memcpy(rest, word.p, from);
		memcpy(rest + from, word.p + to, bytes - to);
		out->p[out->n++] = part_of(rest, bytes - (to - from));
	}
}

static bool has_slips(struct str word)
{
	struct letters l;

	vocab_letters(word, &l);
	return l.n >= SLIP_CHARS;
}

/* ---- learning and forgetting ---- */

struct slip {
	int64_t part;
	struct str word;
};
struct slips {
	struct slip *p;
	size_t n, cap;
};

static int by_part(const void *a, const void *b)
{
	const struct slip *x = a, *y = b;

	return x->part < y->part ? -1 : x->part > y->part ? 1 : str_cmp(x->word, y->word);
}

static struct err *vocab_add(struct arena *a, struct db *db, const struct strs *texts)
{
	struct slips slips = {0};

	for (size_t i = 0; i < texts->n; i++) {
		struct str word = texts->p[i];
		struct parts parts;
		int64_t changed;

		TRY(db_do(db, Q_WORD_ADD, &changed, DB_S(word)));
		if (!changed || !has_slips(word))
			continue;
		parts_of(word, &parts);
		for (size_t j = 0; j < parts.n; j++)
			*VEC_PUSH(a, &slips) = (struct slip){parts.p[j], word};
	}
	/* The table's order keeps this fast when the table exceeds SQLite's cache. */
	if (slips.n)
		qsort(slips.p, slips.n, sizeof(*slips.p), by_part);
	for (size_t i = 0; i < slips.n; i++)
		TRY(db_do(db, Q_WORD_SLIP_ADD, NULL, DB_I(slips.p[i].part), DB_S(slips.p[i].word)));
	return NULL;
}

struct err *vocab_learn(struct words *w, struct db *db, const struct strs *texts)
{
	struct arena *a = arena_new();
	struct strs fit = {0};
	struct err *e;

	for (size_t i = 0; i < texts->n; i++) {
		words_met(w, texts->p[i], true);
		if (word_is_learned(texts->p[i]))
			strs_push(a, &fit, texts->p[i]);
	}
	e = vocab_add(a, db, &fit);
	arena_free(a);
	return e;
}

struct err *vocab_forget(struct words *w, struct db *db, const struct strs *texts)
{
	for (size_t i = 0; i < texts->n; i++) {
		struct str word = texts->p[i];
		struct parts parts;
		int64_t changed;

		words_met(w, word, false);
		TRY(db_do(db, Q_WORD_REMOVE, &changed, DB_S(word)));
		if (!changed || !has_slips(word))
			continue;
		parts_of(word, &parts);
		for (size_t j = 0; j < parts.n; j++)
			TRY(db_do(db, Q_WORD_SLIP_REMOVE, NULL, DB_I(parts.p[j]), DB_S(word)));
	}
	return NULL;
}

struct err *vocab_clear(struct words *w, struct db *db)
{
	words_meet_none(w);
	TRY(db_do(db, Q_WORDS_CLEAR, NULL));
	return db_do(db, Q_WORD_SLIPS_CLEAR, NULL);
}

/* ---- near words ---- */

/*
 * Counts the slips between two words: letters to insert, delete, replace, or swap with the next.
 * More than `max` slips give max + 1. This is optimal string alignment: no letter is changed twice.
 */
static unsigned slips_between(const struct letters *a, const struct letters *b, unsigned max)
{
	unsigned rows[3][WORD_BYTES + 1], *before = rows[0], *last = rows[1], *now = rows[2];

	if (a->n > b->n + max || b->n > a->n + max)
		return max + 1;
	for (size_t j = 0; j <= b->n; j++)
		last[j] = (unsigned)j;
	for (size_t i = 1; i <= a->n; i++) {
		unsigned least = now[0] = (unsigned)i, *oldest = before;

		for (size_t j = 1; j <= b->n; j++) {
			unsigned d = last[j - 1] + (a->p[i - 1] != b->p[j - 1]);

			if (last[j] + 1 < d)
				d = last[j] + 1;
			if (now[j - 1] + 1 < d)
				d = now[j - 1] + 1;
			if (i > 1 && j > 1 && a->p[i - 1] == b->p[j - 2] &&
			    a->p[i - 2] == b->p[j - 1] && before[j - 2] + 1 < d)
				d = before[j - 2] + 1;
			now[j] = d;
			if (d < least)
				least = d;
		}
		if (least > max)
			return max + 1;
		before = last;
		last = now;
		now = oldest;
	}
	return last[b->n] > max ? max + 1 : last[b->n];
}

struct looking {
	struct words *w;
	struct arena *a;
	struct str word;
	struct letters letters;
	unsigned max; /* limit of slips */
	struct vocab_nears *out;
};

static void vocab_near_add(struct looking *l, struct str word, unsigned distance)
{
	struct vocab_near *near = VEC_PUSH(l->a, l->out);

	near->word = (struct word){.text = str_dup(l->a, word), .script = WORDS_LETTERS};
	near->distance = distance;
}

static struct err *begun(struct looking *l, struct db *db, size_t max)
{
	DB_EACH(rows, db, Q_WORD_BEGUN, DB_S(l->word), DB_I((int64_t)max))
		vocab_near_add(l, db_bytes(rows, 0), 0);
	return NULL;
}

static void vocab_slip(struct looking *l, struct str word)
{
	struct letters other;
	unsigned distance;

	vocab_letters(word, &other);
	distance = slips_between(&l->letters, &other, l->max);
	if (distance && distance <= l->max)
		vocab_near_add(l, word, distance);
}

static int by_nearness(const void *a, const void *b)
{
	const struct vocab_near *x = a, *y = b;

	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	/* Among words that begin with the word, a longer word is farther. */
	if (!x->distance && x->word.text.n != y->word.text.n)
		return x->word.text.n < y->word.text.n ? -1 : 1;
	return str_cmp(x->word.text, y->word.text);
}

static int vocab_near_by_text(const void *a, const void *b)
{
	const struct vocab_near *x = a, *y = b;
	int c = str_cmp(x->word.text, y->word.text);

	return c ? c : x->distance < y->distance ? -1 : x->distance > y->distance;
}

/* Keeps each word once, with its smallest distance; sorts; keeps the first `max` words. */
static void vocab_near_finish(struct looking *l, size_t max)
{
	struct vocab_nears *out = l->out;
	size_t n = 0;

	if (!out->n)
		return;
	qsort(out->p, out->n, sizeof(*out->p), vocab_near_by_text);
	for (size_t i = 0; i < out->n; i++)
		if (!n || !str_eq(out->p[n - 1].word.text, out->p[i].word.text))
			out->p[n++] = out->p[i];
	qsort(out->p, n, sizeof(*out->p), by_nearness);
	out->n = size_min(n, max);
	for (size_t i = 0; i < out->n; i++)
		out->p[i].word.term = words_stem_term(l->w, out->p[i].word.text);
}

struct err *vocab_near(struct words *w, struct db *db, struct arena *a, struct str word, size_t max,
		       struct vocab_nears *out)
{
	struct looking l = {.w = w, .a = a, .word = word, .max = 1, .out = out};
	struct parts parts;

	*out = (struct vocab_nears){0};
	if (word.n > WORD_BYTES || !str_is_text(word))
		return NULL;
	vocab_letters(word, &l.letters);
	if (l.letters.n >= BEGIN_CHARS)
		TRY(begun(&l, db, max));
	if (l.letters.n < SLIP_CHARS) {
		vocab_near_finish(&l, max);
		return NULL;
	}
	if (l.letters.n >= TWO_SLIPS_CHARS)
		l.max = 2;
	parts_of(word, &parts);
	for (size_t i = 0; i < parts.n; i++)
		DB_EACH(rows, db, Q_WORD_SLIPPED, DB_I(parts.p[i]))
			vocab_slip(&l, db_bytes(rows, 0));
	if (l.max == 2) {
		struct str start = {word.p, l.letters.end[START]};

		DB_EACH(rows, db, Q_WORD_STARTS, DB_S(start), DB_I((int64_t)l.letters.n - l.max),
			DB_I((int64_t)l.letters.n + l.max))
			vocab_slip(&l, db_bytes(rows, 0));
	}
	vocab_near_finish(&l, max);
	return NULL;
}

struct err *vocab_inflected(struct db *db, struct arena *a, struct str word, struct strs *out)
{
	struct str root = words_root(word);

	if (!root.n)
		return NULL;
	if (!str_eq(root, word))
		strs_push(a, out, str_dup(a, root));
	DB_EACH(rows, db, Q_WORD_BEGUN, DB_S(root), DB_I(VOCAB_INFLECTED)) {
		struct str other = db_bytes(rows, 0);

		if (str_eq(words_root(other), root) && !str_eq(other, word) &&
		    !strs_has(out, other))
			strs_push(a, out, str_dup(a, other));
	}
	return NULL;
}
