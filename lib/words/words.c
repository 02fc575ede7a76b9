/* Words and their terms: the list of words for a query, and the counts for the index. */
#include "crypt/crypt.h"
#include "words/internal.h"

/*
 * A cache of terms. A few thousand words make up most of any text, and a stem and its hash cost
 * much more time than finding the word. A hash of the word chooses its slot. The cache is small for
 * a single query, and grows for an import.
 */
enum { FEW = 512, MANY = 32768, MISSES = 4096, MET = 8192, KEPT_BYTES = 23 };
/* Too many words begin with a shorter word. */
enum { LEARN_CHARS = 3, LEARN_BYTES = 48, LEARN_DIGITS = 4 };

struct kept {
	uint64_t term;
	uint64_t word[2]; /* with zeros behind the word, which has none; all zeros: empty */
	uint64_t rest;    /* the last of its bytes, and bits */
};

/* Bits in kept.rest: what words_is_learned() says, and whether it was asked. */
#define KEPT_LEARNED UINT64_C(1)
#define KEPT_KNOWN   UINT64_C(2)
#define KEPT_BITS    (KEPT_LEARNED | KEPT_KNOWN)

struct words {
	struct arena *arena;
	struct db_words *tokenizers;
	struct kept *kept;
	size_t n_kept, misses;
	uint64_t *met; /* half-hashes of words, with the last text that had them; NULL: none yet */
	uint32_t text; /* the number of the current text */
	uint64_t hash; /* of the word whose place words_place_of() gave last */
	uint64_t *terms; /* of the current text */
	size_t n, cap;
};

struct err *words_new(struct arena *a, struct words **out)
{
	struct words *w = *out = ARENA_NEW(a, struct words);

	w->arena = a;
	w->n_kept = FEW;
	w->kept = arena_array(a, FEW, sizeof(*w->kept));
	return db_words_new(a, &w->tokenizers);
}

uint64_t words_term(char class, struct str text)
{
	return crypt_short_hash(class, text);
}

/* ---- terms of letters ---- */

/* Words like c++ and a.b have no stem: unicode61, inside the stemmer, would split them. */
static bool has_stem(struct str word)
{
	for (size_t i = 0; i < word.n; i++) {
		unsigned char c = (unsigned char)word.p[i];

		if (c < '0' || (c > '9' && c < 'a'))
			return false;
	}
	return true;
}

/*
 * The stem of the word; valid until the next call. Porter makes "at" of "ate", and "hi" of "his".
 * So a stop word is its own stem, and no other word has it as a stem: a question about food would
 * find each "at".
 */
static struct str stem_of(struct words *w, struct str word)
{
	struct str stem;

	if (!has_stem(word))
		return word;
	stem = db_words_stem(w->tokenizers, word);
	return str_eq(stem, word) || word_is_stop(word) || word_is_stop(stem) ? word : stem;
}

static uint64_t stem_term(struct words *w, struct str word)
{
	return words_term('w', stem_of(w, word));
}

/* Eight bytes of the word; zeros stand for the bytes behind it. */
static inline uint64_t words_eight(struct str word, size_t at)
{
	size_t n = word.n - at;
	uint64_t out = 0;

	if (at >= word.n)
		return 0;
	if (n >= 8) {
		memcpy(&out, word.p + at, 8);
		return out;
	}
	/* A call of memcpy() takes longer for these few bytes. */
	for (size_t i = 0; i < n; i++)
		out = out << 8 | (unsigned char)word.p[at + i];
	return out;
}

static uint64_t words_hash_of(struct str word)
{
	uint64_t h = word.n;

	for (size_t at = 0; at < word.n; at += 8) {
		h = (h ^ words_eight(word, at)) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 32;
	}
	return h;
}

static struct kept *words_place_of(struct words *w, struct str word)
{
	w->hash = words_hash_of(word);
	return &w->kept[w->hash & (w->n_kept - 1)];
}

/* The entry of the word, which has at most KEPT_BYTES, without its term. */
static struct kept kept_of(struct str word)
{
	return (struct kept){.word = {words_eight(word, 0), words_eight(word, 8)},
			     .rest = words_eight(word, 16) << 8};
}

static bool kept_is(const struct kept *k, const struct kept *word)
{
	return k->word[0] == word->word[0] && k->word[1] == word->word[1] &&
	       (k->rest & ~KEPT_BITS) == word->rest;
}

/* The cache entry of the word, made when it is missing. NULL: the word is too long. */
static struct kept *words_keep(struct words *w, struct str word)
{
	struct kept *k, made;

	if (word.n > KEPT_BYTES)
		return NULL;
	made = kept_of(word);
	k = words_place_of(w, word);
	if (kept_is(k, &made))
		return k;
	if (++w->misses == MISSES) {
		w->kept = arena_array(w->arena, MANY, sizeof(*w->kept));
		w->n_kept = MANY;
		k = words_place_of(w, word);
	}
	made.term = stem_term(w, word);
	*k = made;
	return k;
}

uint64_t words_stem_term(struct words *w, struct str word)
{
	struct kept *k = words_keep(w, word);

	return k ? k->term : stem_term(w, word);
}

static uint64_t term_of(struct words *w, const struct found *f)
{
	return f->script == WORDS_LETTERS ? words_stem_term(w, f->text) : words_term('w', f->text);
}

/*
 * True for words of the vocabulary: at least three characters, at most 48 bytes and four digits,
 * and no stop words.
 */
static bool words_is_learned(struct str word)
{
	size_t digits = 0, chars = 0;

	for (size_t i = 0; i < word.n; i++) {
		digits += word.p[i] >= '0' && word.p[i] <= '9';
		chars += ((unsigned char)word.p[i] & 0xc0) != 0x80;
	}
	return chars >= LEARN_CHARS && word.n <= LEARN_BYTES && digits <= LEARN_DIGITS &&
	       !word_is_stop(word);
}

/* ---- reading ---- */

struct reading {
	struct words *w;
	struct arena *a;
	struct str text;
	struct word_list *out;
};

static void words_read_word(void *ctx, const struct found *f)
{
	struct reading *r = ctx;
	const bool letters = f->script == WORDS_LETTERS;
	uint32_t code;

	*VEC_PUSH(r->a, r->out) = (struct word){
		.text = str_dup(r->a, f->text),
		.term = term_of(r->w, f),
		.at = f->at,
		.script = f->script,
		.stop = f->stop || (letters && word_is_stop(f->text)),
		.extra = f->extra,
		.capital = letters &&
			   str_utf8_char(r->text.p + f->at.from, r->text.n - f->at.from, &code) &&
			   char_is_capital(code),
	};
}

void words_read(struct words *w, struct arena *a, struct str text, struct word_list *out)
{
	struct reading r = {w, a, text, out};

	*out = (struct word_list){0};
	words_split(w->tokenizers, text, words_read_word, &r);
	words_stop_by_language(out);
}

/* ---- searching for some terms ---- */

/*
 * Stemming changes the end of a word. A stem of three bytes or more begins with the first two bytes
 * of the word. A shorter stem begins with the first byte ("aying" is "ai").
 */
static size_t pair_of(struct str word)
{
	const unsigned char *p = (const unsigned char *)word.p;

	return (size_t)p[0] % WORDS_SIEVE * WORDS_SIEVE +
	       (word.n > 1 ? (size_t)p[1] % WORDS_SIEVE : 0);
}

void words_sieve_add(struct words *w, struct words_sieve *s, struct str word)
{
	struct str stem = stem_of(w, word);

	if (stem.n > 2)
		s->pairs[pair_of(stem)] = true;
	else
		memset(s->pairs + (unsigned char)stem.p[0] % WORDS_SIEVE * WORDS_SIEVE, true,
		       WORDS_SIEVE);
}

struct sifting {
	struct words *w;
	const struct words_sieve *sieve;
	void (*fn)(void *ctx, struct str word, uint64_t term, bool extra);
	void *ctx;
};

static void sift(void *ctx, const struct found *f)
{
	struct sifting *s = ctx;
	bool may = !s->sieve || s->sieve->pairs[pair_of(f->text)];

	s->fn(s->ctx, f->text, may ? term_of(s->w, f) : 0, f->extra);
}

void words_sift(struct words *w, struct str text, const struct words_sieve *sieve,
		void (*fn)(void *ctx, struct str word, uint64_t term, bool extra), void *ctx)
{
	struct sifting s = {w, sieve, fn, ctx};

	words_split(w->tokenizers, text, sift, &s);
}

/* ---- counting ---- */

struct counting {
	struct words *w;
	struct arena *a;
	struct strs *uses;
	uint32_t length;
};

/*
 * Whether the current text has not had the word yet. Two words in one place of the table may have
 * it told twice; for the same text it is always told alike.
 */
static bool count_first(struct words *w, uint64_t h)
{
	uint64_t *place, now = (h >> 32) << 32 | w->text;

	if (!w->met)
		w->met = arena_array(w->arena, MET, sizeof(*w->met));
	place = &w->met[h & (MET - 1)];
	if (*place == now)
		return false;
	*place = now;
	return true;
}

static bool kept_learned(struct kept *k, struct str word)
{
	if (!(k->rest & KEPT_KNOWN))
		k->rest |= KEPT_KNOWN | (words_is_learned(word) ? KEPT_LEARNED : 0);
	return k->rest & KEPT_LEARNED;
}

static void count_word(void *ctx, const struct found *f)
{
	struct counting *c = ctx;
	struct words *w = c->w;
	bool letters = f->script == WORDS_LETTERS;
	struct kept *k = letters ? words_keep(w, f->text) : NULL;

	if (w->n == w->cap)
		w->terms = arena_grow(w->arena, w->terms, &w->cap, w->n + 1, sizeof(*w->terms));
	w->terms[w->n++] = k ? k->term : letters ? stem_term(w, f->text) : words_term('w', f->text);
	c->length += !f->extra;
	if (c->uses && letters && !f->extra &&
	    (k ? kept_learned(k, f->text) : words_is_learned(f->text)) &&
	    count_first(w, k ? w->hash : words_hash_of(f->text)))
		strs_push(c->a, c->uses, str_dup(c->a, f->text));
}

static int words_by_term(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* A memory has a few dozen terms. For so few, insertion sort takes half the time of qsort(). */
void words_sort_terms(uint64_t *p, size_t n)
{
	if (n > 64) {
		qsort(p, n, sizeof(*p), words_by_term);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		uint64_t x = p[i];
		size_t at = i;

		for (; at && p[at - 1] > x; at--)
			p[at] = p[at - 1];
		p[at] = x;
	}
}

void words_count(struct words *w, struct arena *a, struct str text, struct words_counts *out,
		 struct strs *uses)
{
	struct counting c = {w, a, uses, 0};

	*out = (struct words_counts){0};
	w->n = 0;
	w->text++;
	words_split(w->tokenizers, text, count_word, &c);
	out->length = c.length;
	if (!w->n)
		return;
	words_sort_terms(w->terms, w->n);
	out->p = arena_array(a, out->cap = w->n, sizeof(*out->p));
	for (size_t i = 0; i < w->n; i++) {
		if (!i || w->terms[i] != w->terms[i - 1])
			out->p[out->n++].term = w->terms[i];
		out->p[out->n - 1].count++;
	}
}
