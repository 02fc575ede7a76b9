/* Words for ranking: lowered, stemmed, stop words told. */
#include "knowledge/read.h"

#define WORD_MAX 64

/* Sorted, for bsearch. */
static const char *const stops[] = {
	"a",     "about", "after", "all",     "also",  "am",     "an",   "and",  "any",  "are",
	"as",    "at",    "be",    "because", "been",  "before", "but",  "by",   "can",  "could",
	"did",   "do",    "does",  "for",     "from",  "had",    "has",  "have", "how",  "i",
	"if",    "in",    "into",  "is",      "it",    "its",    "me",   "my",   "no",   "not",
	"of",    "on",    "or",    "our",     "shall", "should", "so",   "than", "that", "the",
	"their", "them",  "then",  "there",   "these", "they",   "this", "to",   "us",   "was",
	"we",    "were",  "what",  "when",    "where", "which",  "who",  "why",  "will", "with",
	"would", "you",   "your"};

static int stop_cmp(const void *key, const void *elem)
{
	return str_cmp(*(const struct str *)key, str_of(*(const char *const *)elem));
}

static bool is_stop(struct str word)
{
	return bsearch(&word, stops, ARRAY_SIZE(stops), sizeof(*stops), stop_cmp);
}

static bool is_vowel(char c)
{
	return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y';
}

static bool has_vowel(const char *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_vowel(w[i]))
			return true;
	return false;
}

static bool ends(const char *w, size_t n, const char *suffix)
{
	size_t len = strlen(suffix);

	return n >= len && !memcmp(w + n - len, suffix, len);
}

/* What is left of a word without "ing" and "ed": running, run; but calling, call. */
static size_t undouble(const char *w, size_t n)
{
	if (n > 2 && w[n - 1] == w[n - 2] && !is_vowel(w[n - 1]) && w[n - 1] != 'l' &&
	    w[n - 1] != 's' && w[n - 1] != 'z')
		return n - 1;
	return n;
}

/*
 * Enough English that databases finds database, and selecting finds selection. Both sides go
 * through it, so a stem need not be a word; only different words must not meet too often.
 */
static size_t terms_stem(char *w, size_t n)
{
	if (n > 4 && ends(w, n, "ies")) {
		w[n - 3] = 'y';
		n -= 2;
	} else if (n > 4 && (ends(w, n, "sses") || ends(w, n, "xes") || ends(w, n, "ches") ||
			     ends(w, n, "shes") || ends(w, n, "zes"))) {
		n -= 2;
	} else if (n > 3 && w[n - 1] == 's' && !ends(w, n, "ss") && !ends(w, n, "us") &&
		   !ends(w, n, "is")) {
		n--;
	}
	if (n > 4 && ends(w, n, "ing") && has_vowel(w, n - 3))
		n = undouble(w, n - 3);
	else if (n > 4 && ends(w, n, "ied"))
		w[n - 3] = 'y', n -= 2;
	else if (n > 3 && ends(w, n, "ed") && !ends(w, n, "eed") && has_vowel(w, n - 2))
		n = undouble(w, n - 2);
	else if (n > 6 && (ends(w, n, "tion") || ends(w, n, "sion")))
		n -= 3;
	if (n > 2 && w[n - 1] == 'e')
		n--;
	return n;
}

/* Chinese, Japanese, Korean: written without blanks between words. */
static bool is_cjk(uint32_t c)
{
	return (c >= 0x3040 && c < 0x3100) || (c >= 0x3400 && c < 0x4dc0) ||
	       (c >= 0x4e00 && c < 0xa000) || (c >= 0xac00 && c < 0xd7b0) ||
	       (c >= 0xf900 && c < 0xfb00) || (c >= 0xff66 && c < 0xffa0) ||
	       (c >= 0x20000 && c < 0x30000);
}

/* Beyond ASCII. */
static bool terms_is_letter(uint32_t c)
{
	return c >= 0xc0 && c != 0xd7 && c != 0xf7 && !(c >= 0x2000 && c < 0x2c00) &&
	       !(c >= 0x3000 && c < 0x3040) && !(c >= 0xfe00 && c < 0xff10) && c != 0xfffd &&
	       !(c >= 0x1f000 && c < 0x20000) && c < 0xe0000;
}

/* Of the scripts that decisions are written in: Latin, Greek, Cyrillic. */
static uint32_t terms_lower(uint32_t c)
{
	if ((c >= 0xc0 && c <= 0xde && c != 0xd7) || (c >= 0x391 && c <= 0x3a9) ||
	    (c >= 0x410 && c <= 0x42f))
		return c + 0x20;
	if (c >= 0x400 && c <= 0x40f)
		return c + 0x50;
	if ((c >= 0x100 && c <= 0x137) || (c >= 0x14a && c <= 0x177) ||
	    (c >= 0x1e00 && c <= 0x1eff))
		return c | 1;
	return c;
}

struct word {
	kn_term_fn *fn;
	void *ctx;
	char p[WORD_MAX];
	size_t n;
	bool query, ascii, number;
};

static void word_end(struct word *w)
{
	struct str s = {w->p, w->n};
	bool stop;

	if (!w->n)
		return;
	stop = w->query && w->ascii && is_stop(s);
	if (w->number)
		while (s.n > 1 && s.p[0] == '0')
			s = str_sub(s, 1, s.n);
	else if (w->ascii)
		s.n = terms_stem(w->p, s.n);
	w->fn(w->ctx, str_hash(s), stop);
	w->n = 0;
}

/* A letter or digit of ASCII goes into the word; false for all else. */
static bool word_ascii(struct word *w, char c)
{
	bool digit = c >= '0' && c <= '9';

	if (c >= 'A' && c <= 'Z')
		c = (char)(c | 0x20);
	if (!digit && !(c >= 'a' && c <= 'z'))
		return false;
	if (!w->n)
		w->ascii = w->number = true;
	w->number = w->number && digit;
	/* What is longer is a hash or a URL; its beginning is enough. */
	if (w->n < WORD_MAX)
		w->p[w->n++] = c;
	return true;
}

static void word_put(struct word *w, uint32_t c)
{
	char bytes[4];
	struct buf b = {.p = bytes, .cap = sizeof(bytes), .max = sizeof(bytes)};

	w->ascii = w->number = false;
	buf_utf8(&b, terms_lower(c));
	if (w->n + b.n <= WORD_MAX) {
		memcpy(w->p + w->n, bytes, b.n);
		w->n += b.n;
	}
}

/* A run of characters without blanks between words: every character, and every pair. */
static size_t cjk_run(struct str s, bool query, kn_term_fn *fn, void *ctx)
{
	size_t at = 0, before = 0, n;
	uint32_t c;

	while ((n = str_utf8_char(s.p + at, s.n - at, &c)) && is_cjk(c)) {
		struct str next = str_sub(s, at + n, s.n);
		bool alone = !at && !(str_utf8_char(next.p, next.n, &c) && is_cjk(c));

		if (!query || alone)
			fn(ctx, str_hash(str_sub(s, at, at + n)), false);
		if (at)
			fn(ctx, str_hash(str_sub(s, before, at + n)), false);
		before = at;
		at += n;
	}
	return at;
}

/* An apostrophe inside a word: "team's" is "teams". */
static bool is_apostrophe(uint32_t c)
{
	return c == '\'' || c == 0x2019;
}

void kn_terms(struct str text, bool query, kn_term_fn *fn, void *ctx)
{
	struct word w = {.fn = fn, .ctx = ctx, .query = query};

	while (text.n) {
		uint32_t c = 0;
		size_t n = 1;

		/* Nearly all of it is ASCII. */
		if (word_ascii(&w, text.p[0])) {
			text = str_sub(text, 1, text.n);
			continue;
		}
		n = str_utf8_char(text.p, text.n, &c);
		if (n && is_cjk(c)) {
			word_end(&w);
			n = cjk_run(text, query, fn, ctx);
		} else if (n && c >= 0x80 && terms_is_letter(c)) {
			word_put(&w, c);
		} else if (!n || !w.n || !is_apostrophe(c)) {
			word_end(&w);
		}
		text = str_sub(text, n ? n : 1, text.n);
	}
	word_end(&w);
}
