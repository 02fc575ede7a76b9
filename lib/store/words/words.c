/* Words and their terms: the list of words for a query, and the counts for the index. */
#include "crypt/crypt.h"
#include "words/internal.h"

/* A word that was found; its text is valid during the call. */
struct found {
	struct str text;
	struct span at;
	enum words_script script;
	bool extra, stop;
};

enum { HUMPS = 6, HUMPED_BYTES = 40 };

/* The compound of the words that stand together without a blank. */
struct compound {
	char p[WORD_BYTES];
	size_t n;
	size_t parts;
	struct span at;
	size_t last;   /* length of the last part, folded */
	bool numbers;  /* digits only */
	bool initials; /* single letters with dots */
	bool over;     /* longer than a word */
};

struct split {
	struct db_words *tokenizers;
	struct str text;
	void (*fn)(void *ctx, const struct found *f);
	void *ctx;
	size_t run; /* start of the run of letters */
	struct compound made;
};

static void split_give(struct split *s, struct str word, size_t from, size_t to)
{
	struct found f = {word, {from, to}, WORDS_LETTERS, true, false};

	s->fn(s->ctx, &f);
}

static bool alnum(char c)
{
	return ascii_is_alnum(c) || (unsigned char)c >= 0x80;
}

static bool split_digits(struct str word)
{
	for (size_t i = 0; i < word.n; i++)
		if (word.p[i] < '0' || word.p[i] > '9')
			return false;
	return word.n;
}

/* ---- compounds ---- */

static void end_compound(struct split *s)
{
	struct compound *c = &s->made;

	if (c->parts == 1 && !c->over) {
		struct str rest = str_sub(s->text, c->at.to, s->text.n);
		size_t len = str_starts(rest, STR("++")) ? 2 : str_starts(rest, STR("#"));

		/* The signs of c++ and c#, when they follow a short word. */
		if (c->n > 2 || (len < rest.n && alnum(rest.p[len])))
			len = 0;
		memcpy(c->p + c->n, s->text.p + c->at.to, len);
		c->at.to += len;
		if (len)
			split_give(s, (struct str){c->p, c->n + len}, c->at.from, c->at.to);
	} else if (c->parts && !c->over) {
		split_give(s, (struct str){c->p, c->n}, c->at.from, c->at.to);
	}
	c->parts = 0;
}

static void add_part(struct compound *c, struct str part, size_t from, size_t to)
{
	bool one = part.n == 1 && ascii_is_lower(part.p[0]);

	if (!c->parts)
		*c = (struct compound){.at.from = from, .numbers = true, .initials = true};
	c->over = c->over || c->n + part.n > WORD_BYTES;
	if (!c->over) {
		memcpy(c->p + c->n, part.p, part.n);
		c->n += part.n;
	}
	c->numbers = c->numbers && split_digits(part);
	c->initials = c->initials && one;
	c->parts++;
	c->last = part.n;
	c->at.to = to;
}

static bool contracted(struct str part)
{
	return str_is(part, "ll") || str_is(part, "re") || str_is(part, "ve");
}

enum joint { APART, KEPT, DROPPED };

/* The relation of the part to the compound before it. */
static enum joint joint(const struct compound *c, struct str between, struct str part)
{
	char sign = between.n == 1 ? between.p[0] : 0;

	if (!between.n || between.n > 3 || sign == ' ')
		return APART;
	if (str_eq(between, STR("\xc2\xad")) || str_eq(between, STR("\xe2\x80\x8c")))
		return DROPPED;
	if (str_eq(between, STR("\xe2\x80\x99")))
		sign = '\'';
	if (c->initials && c->parts > 1)
		return sign == '.' && part.n == 1 ? DROPPED : APART;
	if (c->numbers && split_digits(part)) {
		if ((sign == ',' || sign == '\'') && c->last <= 3 && part.n == 3)
			return DROPPED;
		if (sign && strchr(".:-/", sign))
			return KEPT;
	}
	if (c->initials && (sign == '-' || sign == '\'') && part.n > 1 && !contracted(part))
		return DROPPED;
	if (sign == '.')
		return c->initials && part.n == 1 && ascii_is_lower(part.p[0]) ? DROPPED : KEPT;
	return sign == '_' || sign == '@' ? KEPT : APART;
}

static void split_join(struct split *s, struct str part, size_t from, size_t to)
{
	struct compound *c = &s->made;
	struct str between = str_sub(s->text, c->at.to, from);
	enum joint how;

	/* Removes the v of v1.2, which is not part of the number. */
	if (between.n == 1 && between.p[0] == '.' && c->parts == 1 && !c->over && c->p[0] == 'v' &&
	    split_digits(part) && split_digits((struct str){c->p + 1, c->n - 1})) {
		memmove(c->p, c->p + 1, --c->n);
		c->numbers = true;
	}
	how = c->parts ? joint(c, between, part) : APART;
	if (how == APART) {
		end_compound(s);
	} else if (how == KEPT) {
		if (c->numbers && c->parts > 1 && !c->over)
			split_give(s, (struct str){c->p, c->n}, c->at.from, c->at.to);
		c->over = c->over || c->n == WORD_BYTES;
		if (!c->over)
			c->p[c->n++] = between.p[0];
	}
	add_part(c, part, from, to);
}

/* ---- words of a run of letters ---- */

static bool hump(struct str word, size_t i)
{
	if (!i || i == word.n || !ascii_is_upper(word.p[i]))
		return false;
	/* URLs and PCs have no parts; HTTPServer has two. */
	return ascii_is_lower(word.p[i - 1]) ||
	       (ascii_is_upper(word.p[i - 1]) && i + 2 < word.n && ascii_is_lower(word.p[i + 1]) &&
		ascii_is_lower(word.p[i + 2]));
}

/* Emits the parts of a camelCase word of ASCII, from its source text and its folded text. */
static void give_humps(struct split *s, struct str word, const char *folded, size_t from)
{
	size_t humps = 0;

	if (word.n > HUMPED_BYTES)
		return;
	for (size_t i = 0; i < word.n; i++)
		humps += hump(word, i);
	if (!humps || humps >= HUMPS)
		return;
	for (size_t i = 1, start = 0; i <= word.n; i++) {
		if (i < word.n && !hump(word, i))
			continue;
		if (i - start > 1)
			split_give(s, (struct str){folded + start, i - start}, from + start,
				   from + i);
		start = i;
	}
}

/* True for the "don" of "don't", which is not a word. */
static bool negated(struct str text, size_t to)
{
	size_t t = to;

	if (!to || (text.p[to - 1] | 0x20) != 'n')
		return false;
	if (to < text.n && text.p[to] == '\'')
		t = to + 1;
	else if (str_starts(str_sub(text, to, text.n), STR("\xe2\x80\x99")))
		t = to + 3;
	return t > to && t < text.n && (text.p[t] | 0x20) == 't' &&
	       (t + 1 == text.n || !alnum(text.p[t + 1]));
}

/* capitals: the word has capitals behind its first letter. */
static void give_letters(struct split *s, struct str word, size_t from, size_t to, bool capitals)
{
	struct found f = {word, {from, to}, WORDS_LETTERS, false, false};
	/* True when a blank follows, as after most words: nothing can be joined to the word. */
	bool alone = to == s->text.n || s->text.p[to] == ' ' || s->text.p[to] == '\n';

	if (s->made.parts || !alone) {
		split_join(s, word, from, to);
		f.stop = negated(s->text, to);
	}
	if (capitals)
		give_humps(s, str_sub(s->text, from, to), word.p, from);
	s->fn(s->ctx, &f);
	if (alone && s->made.parts)
		end_compound(s);
}

/* Letters that unicode61 does not fold. */
static const struct {
	uint32_t code;
	char as[3];
} unfolded_letters[] = {
	{0xdf, "ss"},        {0xe6, "ae"},        {0xf0, "d"},         {0xf8, "o"},
	{0xfe, "th"},        {0x111, "d"},        {0x131, "i"},        {0x142, "l"},
	{0x153, "oe"},       {0x451, "\xd0\xb5"}, {0x3ac, "\xce\xb1"}, {0x3ad, "\xce\xb5"},
	{0x3ae, "\xce\xb7"}, {0x3af, "\xce\xb9"}, {0x390, "\xce\xb9"}, {0x3ca, "\xce\xb9"},
	{0x3cc, "\xce\xbf"}, {0x3cd, "\xcf\x85"}, {0x3b0, "\xcf\x85"}, {0x3cb, "\xcf\x85"},
	{0x3ce, "\xcf\x89"}, {0x3c2, "\xcf\x83"}, {0x640, ""}, /* the Arabic tatweel, which only
								  stretches a word */
};

/* Vowel points of Hebrew and Arabic. Most texts omit them. */
static bool is_point(uint32_t c)
{
	return (c >= 0x591 && c <= 0x5c7) || (c >= 0x610 && c <= 0x61a) ||
	       (c >= 0x64b && c <= 0x65f) || c == 0x670 || (c >= 0x6d6 && c <= 0x6ed) ||
	       (c >= 0x300 && c <= 0x36f);
}

static struct str fold(uint32_t code, const char *p, size_t n, char *one)
{
	if ((code >= 0xff10 && code <= 0xff19) || (code >= 0xff41 && code <= 0xff5a)) {
		*one = (char)(code - 0xfee0);
		return (struct str){one, 1};
	}
	if (is_point(code))
		return (struct str){0};
	for (size_t i = 0; i < ARRAY_SIZE(unfolded_letters); i++)
		if (unfolded_letters[i].code == code)
			return str_of(unfolded_letters[i].as);
	return (struct str){p, n};
}

/* Completes the folding of unicode61 for a word, into out[WORD_BYTES]. Returns the length. */
static size_t word_fold(struct str word, char *out)
{
	size_t n = 0;

	for (size_t i = 0, len; i < word.n; i += len) {
		struct str as = {word.p + i, len = 1};
		uint32_t code;
		char one;

		if ((unsigned char)word.p[i] >= 0x80) {
			len = size_max(str_utf8_char(word.p + i, word.n - i, &code), 1);
			as = len > 1 ? fold(code, word.p + i, len, &one) : (struct str){0};
		}
		if (n + as.n > WORD_BYTES)
			break;
		memcpy(out + n, as.p ? as.p : "", as.n);
		n += as.n;
	}
	return n;
}

static void letters(void *ctx, struct str token, size_t from, size_t to)
{
	struct split *s = ctx;
	const char *written = s->text.p + s->run + from;
	char folded[WORD_BYTES];
	unsigned char bits = 0, other = 0;

	for (size_t i = 0; i < token.n; i++)
		bits |= (unsigned char)token.p[i];
	if (bits >= 0x80 || token.n > WORD_BYTES)
		token = (struct str){folded, word_fold(token, folded)};
	if (!token.n)
		return;
	for (size_t i = 1; i < token.n && to - from == token.n && bits < 0x80; i++)
		other |= (unsigned char)(written[i] ^ token.p[i]);
	give_letters(s, token, s->run + from, s->run + to, other);
}

/* The folding of unicode61 for ASCII; 0: the byte separates words, or is not ASCII. */
static const unsigned char ascii[0x100] = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
					  "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
					  "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
					  "0123456789\0\0\0\0\0\0"
					  "\0abcdefghijklmno"
					  "pqrstuvwxyz\0\0\0\0\0"
					  "\0abcdefghijklmno"
					  "pqrstuvwxyz\0\0\0\0\0";

/*
 * Reads a word of ASCII, as most words are, like unicode61, but in a third of the time. Returns
 * where the word ends. Returns `from` when a character that is not ASCII follows: unicode61 must
 * then split the text.
 */
static size_t ascii_letters(struct split *s, size_t from)
{
	const unsigned char *p = (const unsigned char *)s->text.p;
	const size_t full = size_min(s->text.n, from + WORD_BYTES);
	char word[WORD_BYTES];
	unsigned char c, other = 0;
	size_t to = from, n;

	for (; to < full && (c = ascii[p[to]]); to++) {
		word[to - from] = (char)c;
		other |= to > from ? c ^ p[to] : 0;
	}
	n = to - from;
	while (to < s->text.n && ascii[p[to]])
		to++;
	if (to < s->text.n && p[to] >= 0x80)
		return from;
	give_letters(s, (struct str){word, n}, from, to, other && n == to - from);
	return to;
}

/* ---- runs without blanks ---- */

struct character {
	char p[4];
	size_t n;
	struct span at;
	enum char_class class;
};

static bool next_character(struct str text, size_t *at, struct character *c)
{
	uint32_t code;

	if (!str_utf8_char(text.p + *at, text.n - *at, &code))
		return false;
	c->class = char_class(code);
	if (c->class < CHAR_HAN || c->class > CHAR_UNSPACED)
		return false;
	c->at.from = *at;
	code = char_compose(text, at);
	c->at.to = *at;
	c->n = code < 0x10000 ? 3 : 4;
	for (size_t i = c->n; --i; code >>= 6)
		c->p[i] = (char)(0x80 | (code & 0x3f));
	c->p[0] = (char)((c->n == 3 ? 0xe0 : 0xf0) | code);
	return true;
}

static void give_char(struct split *s, const struct character *c, bool alone)
{
	struct found f = {
		{c->p, c->n}, c->at, WORDS_CHAR, !alone, !alone || c->class == CHAR_HIRAGANA};

	if (alone || c->class == CHAR_HAN || c->class == CHAR_HANGUL)
		s->fn(s->ctx, &f);
}

static size_t unspaced_run(struct split *s, size_t at)
{
	struct character last, c;
	bool alone = true;

	next_character(s->text, &at, &last);
	while (next_character(s->text, &at, &c)) {
		char both[8];
		struct found f;

		give_char(s, &last, false);
		f = (struct found){{both, last.n + c.n}, {last.at.from, c.at.to}, WORDS_PAIR};
		memcpy(both, last.p, last.n);
		memcpy(both + last.n, c.p, c.n);
		f.stop = last.class == CHAR_HIRAGANA && c.class == CHAR_HIRAGANA;
		s->fn(s->ctx, &f);
		last = c;
		alone = false;
	}
	give_char(s, &last, alone);
	return at;
}

static size_t symbol(struct split *s, size_t at, size_t n, enum char_class class)
{
	uint32_t next;
	struct found f = {.at = {at, at + n}, .script = WORDS_SYMBOL};

	if (class == CHAR_FLAG && str_utf8_char(s->text.p + at + n, s->text.n - at - n, &next) &&
	    char_class(next) == CHAR_FLAG)
		f.at.to += n;
	f.text = str_sub(s->text, f.at.from, f.at.to);
	s->fn(s->ctx, &f);
	return f.at.to;
}

/* The class of the character, and its length; 0: it is not UTF-8. */
static size_t class_at(struct str text, size_t at, enum char_class *class)
{
	uint32_t code;
	size_t n = str_utf8_char(text.p + at, text.n - at, &code);

	*class = n ? char_class(code) : CHAR_BREAK;
	return n;
}

/* Reads text up to a character that is not text, or up to a word that may be only ASCII. */
static size_t other_letters(struct split *s, size_t from)
{
	struct str text = s->text;
	enum char_class class;
	bool parted = false;
	size_t to = from, n;

	while (to < text.n) {
		unsigned char c = (unsigned char)text.p[to];

		if (c < 0x80) {
			if (parted && ascii[c])
				break;
			parted = parted || !ascii[c];
			to++;
			continue;
		}
		n = class_at(text, to, &class);
		if (class != CHAR_TEXT)
			break;
		parted = false;
		to += n;
	}
	if (to > from) {
		s->run = from;
		db_words_split(s->tokenizers, str_sub(text, from, to), letters, s);
	}
	return to;
}

static void words_split(struct db_words *tokenizers, struct str text,
			void (*fn)(void *ctx, const struct found *f), void *ctx)
{
	struct split s = {.tokenizers = tokenizers, .text = text, .fn = fn, .ctx = ctx};

	for (size_t at = 0, to, n; at < text.n; at = to) {
		unsigned char c = (unsigned char)text.p[at];
		enum char_class class;

		if (c < 0x80 && !ascii[c]) {
			to = at + 1;
			continue;
		}
		to = ascii[c] ? ascii_letters(&s, at) : at;
		if (to == at)
			to = other_letters(&s, at);
		if (to > at)
			continue;
		n = class_at(text, at, &class);
		end_compound(&s);
		to = class == CHAR_BREAK    ? at + size_max(n, 1)
		     : class >= CHAR_SYMBOL ? symbol(&s, at, n, class)
					    : unspaced_run(&s, at);
	}
	end_compound(&s);
}

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
	return db_fts5_tokenizer_borrow(a, &w->tokenizers);
}

uint64_t words_term_hash(char class, struct str text)
{
	return crypt_short_hash(class, text);
}

/* ---- terms of letters ---- */

/*
 * The stem of the word; valid until the next call. Porter makes "at" of "ate", and "hi" of "his".
 * So a stop word is its own stem, and no other word has it as a stem: a question about food would
 * find each "at".
 */
static struct str words_stem(struct words *w, struct str word)
{
	struct str stem;

	/* Words like c++ and a.b have no stem: unicode61, inside the stemmer, would split them. */
	for (size_t i = 0; i < word.n; i++) {
		unsigned char c = (unsigned char)word.p[i];

		if (c < '0' || (c > '9' && c < 'a'))
			return word;
	}
	stem = db_words_stem(w->tokenizers, word);
	return str_eq(stem, word) || word_is_stop(word) || word_is_stop(stem) ? word : stem;
}

static uint64_t stem_term(struct words *w, struct str word)
{
	return words_term_hash('w', words_stem(w, word));
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

/* The seventh and eighth byte of a word reach only the highest bits, and words differ there. */
static struct kept *words_place_of(struct words *w, struct str word)
{
	w->hash = words_hash_of(word);
	return &w->kept[(w->hash ^ w->hash >> 47) & (w->n_kept - 1)];
}

/* The cache entry of the word, made when it is missing. NULL: the word is too long. */
static struct kept *words_keep(struct words *w, struct str word)
{
	struct kept *k, made;

	if (word.n > KEPT_BYTES)
		return NULL;
	/* The entry of the word, without its term. */
	made = (struct kept){.word = {words_eight(word, 0), words_eight(word, 8)},
			     .rest = words_eight(word, 16) << 8};
	k = words_place_of(w, word);
	if (k->word[0] == made.word[0] && k->word[1] == made.word[1] &&
	    (k->rest & ~KEPT_BITS) == made.rest)
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

uint64_t words_term_of_stem(struct words *w, struct str word)
{
	struct kept *k = words_keep(w, word);

	return k ? k->term : stem_term(w, word);
}

static uint64_t term_of(struct words *w, const struct found *f)
{
	return f->script == WORDS_LETTERS ? words_term_of_stem(w, f->text)
					  : words_term_hash('w', f->text);
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

static bool char_is_capital(uint32_t c)
{
	if (c < 0x80)
		return c >= 'A' && c <= 'Z';
	if (c >= 0x100 && c < 0x138)
		return c % 2 == 0;
	if (c >= 0x139 && c < 0x149)
		return c % 2 == 1;
	if (c >= 0x14a && c < 0x178)
		return c % 2 == 0;
	return (c >= 0xc0 && c <= 0xde && c != 0xd7) || (c >= 0x178 && c <= 0x17d && c % 2) ||
	       c == 0x178 || (c >= 0x386 && c <= 0x38f && c != 0x387) ||
	       (c >= 0x391 && c <= 0x3ab) || (c >= 0x400 && c <= 0x42f) ||
	       (c >= 0x531 && c <= 0x556) || (c >= 0xff21 && c <= 0xff3a);
}

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
	words_mark_stop_by_language(out);
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
	struct str stem = words_stem(w, word);

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

void words_each_with_sieve(struct words *w, struct str text, const struct words_sieve *sieve,
			   void (*fn)(void *ctx, struct str word, uint64_t term, bool extra),
			   void *ctx)
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
		w->terms =
			arena_array_grow(w->arena, w->terms, &w->cap, w->n + 1, sizeof(*w->terms));
	w->terms[w->n++] = k         ? k->term
			   : letters ? stem_term(w, f->text)
				     : words_term_hash('w', f->text);
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
