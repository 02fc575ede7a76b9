/*
 * The vocabulary and its search for near words. A search scans two ranges. Words with the same
 * first letters have their slips behind them. Words with the same middle letters, which an index
 * has, have them before or behind the middle. So a word costs one row and one entry of an index.
 */
#include "vocab/vocab.h"
#include "json/json.h"

enum {
	BEGIN_CHARS = 3, /* too many words begin with a shorter word */
	SLIP_CHARS = 4,
	PLURAL_CHARS = 5,
	TWO_SLIPS_CHARS = 8,
	PART = 4,    /* number of letters in a part of a word, at most */
	FEW = 64,    /* words from which on one statement changes many */
	MANY = 1024, /* and how many */
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

/* ---- changes ---- */

struct vocab_use {
	int64_t scope, by; /* by: uses to add */
	struct str word;
	uint64_t first; /* its first bytes, as a number in their order */
};
/* A hash table with open addressing, at most three quarters full. */
struct vocab_changes {
	struct arena *a;
	struct vocab_use **slots;
	size_t n, cap;
};

struct vocab_changes *vocab_changes_new(struct arena *a)
{
	struct vocab_changes *c = ARENA_NEW(a, struct vocab_changes);

	c->a = a;
	return c;
}

static uint64_t vocab_first(struct str word)
{
	uint64_t out = 0;

	for (size_t i = 0; i < sizeof(out); i++)
		out = out << 8 | (i < word.n ? (unsigned char)word.p[i] : 0);
	return out;
}

static struct vocab_use **vocab_slot(const struct vocab_changes *c, int64_t scope, struct str word)
{
	size_t i = (size_t)(str_hash(word) + (uint64_t)scope * UINT64_C(0x9e3779b97f4a7c15)) &
		   (c->cap - 1);

	while (c->slots[i] && (c->slots[i]->scope != scope || !str_eq(c->slots[i]->word, word)))
		i = (i + 1) & (c->cap - 1);
	return &c->slots[i];
}

void vocab_change(struct vocab_changes *c, int64_t scope, const struct strs *words, int by)
{
	for (size_t i = 0; i < words->n; i++) {
		struct vocab_use **use;

		if (c->n >= c->cap / 4 * 3) {
			struct vocab_changes old = *c;

			c->cap = size_max(old.cap * 2, 64);
			c->slots = arena_array(c->a, c->cap, sizeof(*c->slots));
			for (size_t k = 0; k < old.cap; k++)
				if (old.slots[k])
					*vocab_slot(c, old.slots[k]->scope, old.slots[k]->word) =
						old.slots[k];
		}
		use = vocab_slot(c, scope, words->p[i]);
		if (!*use) {
			*use = ARENA_NEW(c->a, struct vocab_use);
			**use = (struct vocab_use){scope, 0, str_dup(c->a, words->p[i]),
						   vocab_first(words->p[i])};
			c->n++;
		}
		(*use)->by += by;
	}
}

/* Sorted, so that each page is written once. */
ORDER_OF_POINTERS(vocab_use_order, struct vocab_use,
		  ORDER_UP(scope) || ORDER_UP(first) || ORDER_STR(word))

static struct err *vocab_store_many(struct db *db, struct vocab_use *const *p, size_t n)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct buf list = buf_in(a);

	for (size_t i = 0; i < n; i++) {
		buf_putc(&list, i ? ',' : '{');
		json_write_str(&list, p[i]->word);
		buf_putc(&list, ':');
		/* Most words are new, and have one use; buf_fmt() takes longer. */
		if (p[i]->by > 0 && p[i]->by < 10)
			buf_putc(&list, (char)('0' + p[i]->by));
		else
			buf_fmt(&list, "%jd", (intmax_t)p[i]->by);
	}
	buf_putc(&list, '}');
	return db_do(db, Q_WORDS_USE, NULL, DB_I((*p)->scope), DB_S(buf_as_str(&list)));
}

struct err *vocab_store(const struct vocab_changes *c, struct db *db)
{
	struct vocab_use **p = arena_array(c->a, c->n, sizeof(*p));
	size_t n = 0, same;

	for (size_t i = 0; i < c->cap; i++)
		if (c->slots[i] && c->slots[i]->by)
			p[n++] = c->slots[i];
	if (n)
		qsort(p, n, sizeof(*p), vocab_use_order);
	for (size_t i = 0; i < n; i += same) {
		for (same = 1; same < MANY && i + same < n && p[i + same]->scope == p[i]->scope;)
			same++;
		if (same >= FEW)
			TRY(vocab_store_many(db, p + i, same));
		for (size_t k = i; same < FEW && k < i + same; k++)
			TRY(db_do(db, Q_WORD_USE, NULL, DB_I(p[k]->scope), DB_S(p[k]->word),
				  DB_I(p[k]->by)));
	}
	for (size_t i = 0; i < n; i++)
		if (p[i]->by < 0)
			TRY(db_do(db, Q_WORD_UNUSED, NULL, DB_I(p[i]->scope), DB_S(p[i]->word)));
	return NULL;
}

struct err *vocab_clear(struct db *db)
{
	return db_do(db, Q_WORDS_CLEAR, NULL);
}

/* ---- near words ---- */

/*
 * Counts the slips between two words: letters to insert, delete, replace, or swap with the next.
 * More than `max` slips give max + 1. This is optimal string alignment: no letter is changed twice.
 */
static unsigned slips_between(const struct letters *a, const struct letters *b, unsigned max)
{
	size_t rows[3][WORD_BYTES + 1], *before = rows[0], *last = rows[1], *now = rows[2];

	if (a->n > b->n + max || b->n > a->n + max)
		return max + 1;
	for (size_t j = 0; j <= b->n; j++)
		last[j] = j;
	for (size_t i = 1; i <= a->n; i++) {
		size_t least = now[0] = i, *oldest = before;

		for (size_t j = 1; j <= b->n; j++) {
			size_t d = size_min(last[j - 1] + (a->p[i - 1] != b->p[j - 1]),
					    size_min(last[j], now[j - 1]) + 1);

			if (i > 1 && j > 1 && a->p[i - 1] == b->p[j - 2] &&
			    a->p[i - 2] == b->p[j - 1])
				d = size_min(d, before[j - 2] + 1);
			now[j] = d;
			least = size_min(least, d);
		}
		if (least > max)
			return max + 1;
		before = last;
		last = now;
		now = oldest;
	}
	return (unsigned)size_min(last[b->n], max + 1);
}

struct looking {
	struct arena *a;
	int64_t scope;
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

ORDER_OF(vocab_near_by_text, struct vocab_near, ORDER_STR(word.text) || ORDER_UP(distance))

/* A part of the word, from a letter on; n letters, or up to the end of the word. */
static struct str vocab_part(const struct letters *l, struct str word, size_t from, size_t n)
{
	return str_sub(word, l->end[size_min(from, l->n)], l->end[size_min(from + n, l->n)]);
}

/* Words whose first n letters are those of `word`, and that have about as many letters. */
static struct err *vocab_look_front(struct looking *l, struct db *db, struct str word, size_t n)
{
	struct letters letters;

	vocab_letters(word, &letters);
	DB_EACH(rows, db, Q_WORD_STARTS, DB_I(l->scope), DB_S(vocab_part(&letters, word, 0, n)),
		DB_I((int64_t)l->letters.n - l->max), DB_I((int64_t)l->letters.n + l->max))
		vocab_slip(l, db_column_bytes(rows, 0));
	return NULL;
}

/*
 * The letters before the middle of a word with n letters. The expression of the index words_middle
 * is the same.
 */
static size_t vocab_front(size_t n)
{
	return size_min(n / 2, PART);
}

static struct err *vocab_look(struct looking *l, struct db *db)
{
	size_t n = l->letters.n, front = vocab_front(n), least = vocab_front(n - 1);
	struct buf swapped = buf_in(l->a);
	struct strs middles = {0};

	if (l->max == 1)
		TRY(vocab_look_front(l, db, l->word, size_max(least, SLIP_CHARS / 2)));
	else
		TRY(vocab_look_front(l, db, l->word, PART));
	/* Swapped letters may stand on both sides of the border. */
	buf_put(&swapped, vocab_part(&l->letters, l->word, 0, front - 1));
	buf_put(&swapped, vocab_part(&l->letters, l->word, front, 1));
	buf_put(&swapped, vocab_part(&l->letters, l->word, front - 1, 1));
	buf_put(&swapped, vocab_part(&l->letters, l->word, front + 1, n));
	TRY(vocab_look_front(l, db, buf_as_str(&swapped), l->max == 1 ? n : PART));
	for (size_t other = size_max(n - l->max, SLIP_CHARS); other <= n + l->max; other++) {
		size_t begin = vocab_front(other), most = size_min(other - begin, PART);

		/* Slips in the first part of the other word make it longer or shorter. */
		for (size_t from = begin - l->max; from <= begin + l->max; from++) {
			struct str middle = vocab_part(&l->letters, l->word, from, most);

			if (from + most <= n && !strs_has(&middles, middle) &&
			    (l->max == 2 || from + other == begin + n))
				strs_push(l->a, &middles, middle);
		}
	}
	/*
	 * The middle is behind the first half of a short word, and behind the first four letters of
	 * a longer one.
	 */
	for (size_t i = 0; i < middles.n; i++)
		DB_EACH(rows, db, Q_WORD_MIDDLE, DB_I(l->scope), DB_S(middles.p[i]),
			DB_I((int64_t)n - l->max), DB_I((int64_t)n + l->max))
			vocab_slip(l, db_column_bytes(rows, 0));
	return NULL;
}

struct err *vocab_near(struct words *w, struct db *db, struct arena *a, const int64_t *scopes,
		       size_t n_scopes, struct str word, size_t max, struct vocab_nears *out)
{
	struct looking l = {.a = a, .word = word, .max = 1, .out = out};
	size_t n = 0;

	*out = (struct vocab_nears){0};
	if (word.n > WORD_BYTES || !str_is_text(word))
		return NULL;
	vocab_letters(word, &l.letters);
	if (l.letters.n >= TWO_SLIPS_CHARS)
		l.max = 2;
	for (size_t i = 0; i < n_scopes; i++) {
		l.scope = scopes[i];
		if (l.letters.n >= BEGIN_CHARS) {
			DB_EACH(rows, db, Q_WORD_BEGUN, DB_I(l.scope), DB_S(l.word),
				DB_I((int64_t)max))
				vocab_near_add(&l, db_column_bytes(rows, 0), 0);
		}
		if (l.letters.n >= SLIP_CHARS)
			TRY(vocab_look(&l, db));
	}
	if (!out->n && l.letters.n >= PLURAL_CHARS) {
		l.word = str_ends(word, STR("s")) ? str_sub(word, 0, word.n - 1)
						  : str_fmt(a, "%.*ss", STR_ARG(word));
		vocab_letters(l.word, &l.letters);
		for (size_t i = 0; i < n_scopes; i++) {
			l.scope = scopes[i];
			TRY(vocab_look(&l, db));
		}
	}
	if (!out->n)
		return NULL;
	/* Each word once, with its smallest distance; of these the first `max`. */
	qsort(out->p, out->n, sizeof(*out->p), vocab_near_by_text);
	for (size_t i = 0; i < out->n; i++)
		if (!n || !str_eq(out->p[n - 1].word.text, out->p[i].word.text))
			out->p[n++] = out->p[i];
	qsort(out->p, n, sizeof(*out->p), by_nearness);
	out->n = size_min(n, max);
	for (size_t i = 0; i < out->n; i++)
		out->p[i].word.term = words_term_of_stem(w, out->p[i].word.text);
	return NULL;
}

struct err *vocab_find_inflected(struct db *db, struct arena *a, const int64_t *scopes,
				 size_t n_scopes, struct str word, struct strs *out)
{
	struct str root = words_root(word);

	if (!root.n)
		return NULL;
	if (!str_eq(root, word))
		strs_push(a, out, str_dup(a, root));
	for (size_t i = 0; i < n_scopes; i++)
		DB_EACH(rows, db, Q_WORD_BEGUN, DB_I(scopes[i]), DB_S(root),
			DB_I(VOCAB_INFLECTED)) {
			struct str other = db_column_bytes(rows, 0);

			if (str_eq(words_root(other), root) && !str_eq(other, word) &&
			    !strs_has(out, other))
				strs_push(a, out, str_dup(a, other));
		}
	return NULL;
}
