/*
 * scan: one pass over a text. It cuts the text into the pieces of the model's own pre-tokenizer,
 * and emits the features of each piece. The features give the estimate of the number of tokens.
 * Private to token.c and to t/perf/tokens-fit.c, which fits the tables. Both include this file, so
 * both see the same pieces and features.
 *
 * The including file defines struct sink and the four sink_ functions. A feature is an index into a
 * table of weights. The score of a piece is the sum of the weights of its features.
 */
#pragma once

#include "base/base.h"

typedef const unsigned char *pos;

/* Inlining keeps the sink in registers, which is twice as fast. */
#define ALWAYS static inline __attribute__((always_inline))

/* The table: a few hundred exact features, then two regions of hashed features. */
enum {
	SHAPE_WORD = 0,                  /* by the character in front, letter case and length */
	SHAPE_MARKS = SHAPE_WORD + 288,  /* by blank in front, line end behind, length */
	SHAPE_LINES = SHAPE_MARKS + 64,  /* by length */
	SHAPE_BLANKS = SHAPE_LINES + 32, /* by length */
	SHAPE_WIDE = SHAPE_BLANKS + 128, /* by block of Unicode */
	GRAM = SHAPE_WIDE + 16,
	GRAM_BITS = 13,
	WIDE = GRAM + (1 << GRAM_BITS),
	WIDE_BITS = 14,
	FEATURES = WIDE + (1 << WIDE_BITS),
	KNOWN_BITS = 13,
};

/* A weight in a table is a character: 'P' is 0, and nine characters more are 1. The limit is 45. */
enum { WEIGHT_ZERO = 'P', WEIGHT_ONE = 9, WEIGHT_MOST = 45 };

/*
 * A longer piece is scored in parts of this length. Otherwise the features of a very long piece
 * could cancel each other, and a megabyte would count as one token.
 */
enum { LONGEST = 32 };

static void sink_add_token_feature(struct sink *s, unsigned feature);
/* True when the list of one-token pieces has this hash. The piece is then counted. */
static bool sink_count_known_piece(struct sink *s, uint64_t hash, pos end);
/* Ends a piece: counts `least` tokens, and more by its score. */
static void sink_end_token_piece(struct sink *s, unsigned least, pos end);
/* Counts pieces whose number of tokens is known exactly. */
static void sink_add_exact_tokens(struct sink *s, size_t tokens, pos end);

/* The order matters: comparisons find the classes that may be in a word, or before a word. */
enum class { LOWER, UPPER, LETTER, BLANK, MARK, DIGIT, LINE_END, OTHER };

/* LETTER is the first byte of a character from U+00C0 to U+1FFF. OTHER is the rest above ASCII. */
static const unsigned char class_of[256] = {
	[0x00 ... 0x08] = MARK,  ['\t'] = BLANK,
	['\n'] = LINE_END,       ['\v' ... '\f'] = BLANK,
	['\r'] = LINE_END,       [0x0e ... 0x1f] = MARK,
	[' '] = BLANK,           ['!' ... '/'] = MARK,
	['0' ... '9'] = DIGIT,   [':' ... '@'] = MARK,
	['A' ... 'Z'] = UPPER,   ['[' ... '`'] = MARK,
	['a' ... 'z'] = LOWER,   ['{' ... 0x7f] = MARK,
	[0x80 ... 0xc2] = OTHER, [0xc3 ... 0xe1] = LETTER,
	[0xe2 ... 0xff] = OTHER,
};

#define SCAN_MIX 0x9E3779B97F4A7C15ull

static inline uint64_t mix(uint64_t hash, uint64_t c)
{
	hash = (hash ^ c) * SCAN_MIX;
	return hash ^ hash >> 29;
}

/* The slot of a piece in the list of known pieces, and the tag in that slot. */
static inline unsigned known_piece_slot(uint64_t hash)
{
	return (unsigned)(hash >> (64 - KNOWN_BITS));
}

static inline char known_piece_tag(uint64_t hash)
{
	return (char)('#' + ((hash & 0xffff) * 90 >> 16));
}

/*
 * The kinds of grams. A gram is the last three characters of a window: 8 bits for each character
 * when all are ASCII, else 16 bits.
 */
enum gram_kind { IN_WORD, IN_FOREIGN, IN_MARKS, IN_REPEAT, IN_LINES, IN_BLANKS };

static inline unsigned gram_bucket(enum gram_kind kind, uint64_t window)
{
	return GRAM + (unsigned)((window << 16 | kind) * SCAN_MIX >> (64 - GRAM_BITS));
}

static inline unsigned wide_gram(uint64_t left, uint64_t right)
{
	return WIDE + (unsigned)((left << 32 | right) * SCAN_MIX >> (64 - WIDE_BITS));
}

static inline bool utf8_is_continuation_byte(unsigned c)
{
	return (c & 0xc0) == 0x80;
}

/* Decodes the character at p. Returns its length in bytes, or 0 when it is not UTF-8. */
static inline unsigned decode_utf8_char(pos p, pos end, uint32_t *out)
{
	size_t n = (size_t)(end - p);
	uint32_t c = *p;

	*out = c;
	if (c < 0x80)
		return 1;
	if (c < 0xe0) {
		*out = (c & 0x1f) << 6 | (n > 1 ? p[1] & 0x3f : 0);
		return c >= 0xc2 && n > 1 && utf8_is_continuation_byte(p[1]) ? 2 : 0;
	}
	if (n < 3 || !utf8_is_continuation_byte(p[1]) || !utf8_is_continuation_byte(p[2]))
		return 0;
	if (c < 0xf0) {
		*out = c = (c & 0x0f) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
		return c < 0x800 || (c >= 0xd800 && c < 0xe000) ? 0 : 3;
	}
	if (n < 4 || !utf8_is_continuation_byte(p[3]))
		return 0;
	*out = c = (c & 0x0f) << 18 | (p[1] & 0x3fu) << 12 | (p[2] & 0x3fu) << 6 | (p[3] & 0x3fu);
	return *p > 0xf4 || c < 0x10000 || c > 0x10ffff ? 0 : 4;
}

/* The length of 's, 'll and similar at p in bytes, or 0. */
static inline unsigned contraction(pos p, pos end)
{
	unsigned a, b;

	if (end - p < 2 || *p != '\'')
		return 0;
	a = p[1] | 32;
	b = end - p > 2 ? p[2] | 32 : 0;
	if (a == 's' || a == 't' || a == 'm' || a == 'd')
		return 2;
	return ((a == 'r' || a == 'v') && b == 'e') || (a == 'l' && b == 'l') ? 3 : 0;
}

/* Loads eight bytes, the first into the lowest byte; bytes past the end are zero. */
static inline uint64_t load8(pos p, pos end)
{
	uint64_t x = 0;

	if (end - p >= 8)
		memcpy(&x, p, 8);
	else if (p < end)
		memcpy(&x, p, (size_t)(end - p));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = __builtin_bswap64(x);
#endif
	return x;
}

struct word {
	pos from, end;
	uint64_t hash;
	uint64_t upper, lower; /* for the first eight letters: bit 7 of each byte */
	unsigned before;       /* the character in front that is a part of the word, or 0 */
};

/* Reads ASCII letters, eight at a time. In each mask, bit 7 of a byte holds the answer for it. */
ALWAYS void take_letters(struct word *w, pos end, bool humps)
{
	const uint64_t each = 0x0101010101010101u, top = each << 7;
	uint64_t lower_before = 0;

	for (;;) {
		uint64_t x = load8(w->end, end), small = (x | each << 5) & ~top;
		uint64_t letters =
			(small + each * (0x80 - 'a')) & ~(small + each * (0x7f - 'z')) & ~x & top;
		uint64_t lower = letters & x << 2, stop = letters ^ top, in = ~0ull;

		if (humps)
			stop |= (letters ^ lower) & (lower << 8 | lower_before);
		if (stop)
			in = (stop & -stop) - 1;
		if (w->end == w->from) {
			w->upper = (letters ^ lower) & in;
			w->lower = lower & in;
		}
		if (stop) {
			w->hash = mix(w->hash, x & in >> 7);
			w->end += (unsigned)__builtin_ctzll(stop) / 8;
			return;
		}
		w->hash = mix(w->hash, x);
		w->end += 8;
		lower_before = lower >> 56;
	}
}

/* Reads a word that has letters from U+00C0 to U+1FFF, character by character. */
ALWAYS void take_foreign(struct word *w, pos end, bool humps)
{
	bool lower = false;

	w->end = w->from;
	for (unsigned len; w->end < end; w->end += len) {
		uint32_t c = *w->end;
		unsigned class = class_of[c];

		len = 1;
		if (class == UPPER && humps && lower)
			return;
		if (class > LETTER ||
		    (class == LETTER && !(len = decode_utf8_char(w->end, end, &c))))
			return;
		lower |= class != UPPER;
		w->hash = mix(w->hash, c);
	}
}

static inline unsigned shape_of_word(unsigned before, unsigned look, size_t letters)
{
	unsigned in_front = !before ? 0 : before == ' ' ? 1 : 2;

	return SHAPE_WORD + (in_front * 6 + look) * 16 + (unsigned)size_min(letters, 15);
}

ALWAYS void score_word(struct sink *s, const struct word *w)
{
	enum { SMALL, CAPITAL, CAPITALS, MIXED };
	size_t n = (size_t)(w->end - w->from);
	uint32_t window = w->before << 8 | *w->from;
	unsigned look = !w->upper          ? SMALL
			: !w->lower        ? CAPITALS
			: w->upper == 0x80 ? CAPITAL
					   : MIXED;

	for (size_t i = 1; i < n; i++) {
		window = (window << 8 | w->from[i]) & 0xffffff;
		sink_add_token_feature(s, gram_bucket(IN_WORD, window));
		if (i % LONGEST == 0) {
			sink_add_token_feature(s, shape_of_word(w->before, look, LONGEST));
			sink_end_token_piece(s, 1, w->from + i + 1);
		}
	}
	sink_add_token_feature(s, gram_bucket(IN_WORD, window << 8 & 0xffffff));
	sink_add_token_feature(s, shape_of_word(w->before, look, n));
}

ALWAYS void score_foreign(struct sink *s, const struct word *w)
{
	enum { FOREIGN = 4, FOREIGN_CAPITALS };
	uint64_t window = w->before;
	size_t n = 0, uppers = 0;
	uint32_t c;

	for (pos p = w->from; p < w->end; n++) {
		p += decode_utf8_char(p, w->end, &c);
		window = window << 16 | c;
		/* Capitals of Latin-1, Greek and Cyrillic, which occur in headings. */
		uppers += (c >= 0xc0 && c < 0xdf) || (c >= 0x391 && c < 0x3aa) ||
			  (c >= 0x400 && c < 0x430);
		if (n)
			sink_add_token_feature(s, gram_bucket(IN_FOREIGN, window));
		if (n % LONGEST == LONGEST - 1) {
			sink_add_token_feature(s, shape_of_word(w->before, FOREIGN, LONGEST));
			sink_end_token_piece(s, 1, p);
		}
	}
	sink_add_token_feature(s, gram_bucket(IN_FOREIGN, window << 16));
	sink_add_token_feature(
		s, shape_of_word(w->before, uppers > 1 ? FOREIGN_CAPITALS : FOREIGN, n));
}

/* Reads a word: letters, and the character before them if not a letter, digit or line end. */
ALWAYS pos scan_word(struct sink *s, pos p, pos end, bool humps)
{
	pos first = p;
	struct word w = {.before = class_of[*p] > LETTER ? *p++ : 0};
	bool foreign = false;
	unsigned suffix;
	uint32_t c;

	w.from = w.end = p;
	w.hash = w.before + 0x1234567u;
	take_letters(&w, end, humps);
	if (w.end < end && class_of[*w.end] == LETTER && decode_utf8_char(w.end, end, &c)) {
		foreign = true;
		w.hash = w.before;
		take_foreign(&w, end, humps);
	}
	if (w.end == w.from) {
		/* The first byte of a letter without the rest: not UTF-8. */
		sink_add_exact_tokens(s, 1, first + 1);
		return first + 1;
	}
	p = w.end;
	if (humps && p < end && *p == '\'' && (suffix = contraction(p, end))) {
		w.hash = mix(w.hash, suffix << 8 | p[1]);
		p += suffix;
	}
	if (sink_count_known_piece(s, w.hash, p))
		return p;
	if (foreign)
		score_foreign(s, &w);
	else
		score_word(s, &w);
	if (p > w.end)
		sink_add_token_feature(
			s, gram_bucket(IN_WORD, (uint64_t)w.end[-1] << 16 | '\'' << 8 | p[-1]));
	sink_end_token_piece(s, 1, p);
	return p;
}

static inline void score_punctuation_tokens(struct sink *s, pos p, pos end)
{
	enum { REPEAT = 128 };
	bool blank = *p == ' ';
	uint32_t window = 0;
	unsigned lines = 0;
	size_t n = blank;

	if (blank)
		window = *p++;
	for (; p < end && class_of[*p] == MARK; n++) {
		window = (window << 8 | *p) & 0xffffff;
		if (end - p > 3 && p[1] == *p && p[2] == *p && p[3] == *p) {
			/* A long run of one character, such as dashes, has its own tokens. */
			pos from = p;
			unsigned run;

			while (p < end && *p == *from && p - from < REPEAT)
				p++;
			run = (unsigned)(p - from);
			sink_add_token_feature(
				s, gram_bucket(IN_REPEAT,
					       (run < 17 ? run : 16 + run / 8) << 8 | *from));
			window = (window << 8 | *from) & 0xffffff;
		} else {
			p++;
			if (n)
				sink_add_token_feature(s, gram_bucket(IN_MARKS, window));
		}
		if (n % LONGEST == LONGEST - 1)
			sink_end_token_piece(s, 1, p);
	}
	for (; p < end; lines++) {
		window = (window << 8 | *p++) & 0xffffff;
		if (lines < 2)
			sink_add_token_feature(s, gram_bucket(IN_MARKS, window));
		else if (lines % LONGEST == LONGEST - 1)
			sink_end_token_piece(s, 1, p);
	}
	sink_add_token_feature(s, gram_bucket(IN_MARKS, window << 8 & 0xffffff));
	sink_add_token_feature(s, SHAPE_MARKS + (blank ? 32u : 0u) + (lines ? 16u : 0u) +
					  (unsigned)size_min(n, 15));
}

/* Reads punctuation, with the blank before it and the line ends behind it. */
ALWAYS pos scan_marks(struct sink *s, pos p, pos end, bool humps)
{
	pos from = p;
	uint64_t hash = 0x77;

	do
		hash = mix(hash, *p++);
	while (p < end && class_of[*p] == MARK);
	for (; p < end && (class_of[*p] == LINE_END || (humps && *p == '/')); p++)
		hash = mix(hash, *p);
	if (sink_count_known_piece(s, hash, p))
		return p;
	score_punctuation_tokens(s, from, p);
	sink_end_token_piece(s, 1, p);
	return p;
}

ALWAYS void scan_lines(struct sink *s, pos p, pos end)
{
	uint64_t hash = 0x99;
	size_t n = (size_t)(end - p);

	if (n == 1) {
		sink_add_exact_tokens(s, 1, end);
		return;
	}
	for (size_t i = 0; i < n; i++)
		hash = mix(hash, p[i]);
	if (sink_count_known_piece(s, hash, end))
		return;
	for (size_t i = 1; i < n; i++) {
		sink_add_token_feature(s, gram_bucket(IN_LINES, (uint64_t)p[i - 1] << 8 | p[i]));
		if (i % LONGEST == 0)
			sink_end_token_piece(s, 1, p + i + 1);
	}
	sink_add_token_feature(s, SHAPE_LINES + (unsigned)size_min(n, 31));
	sink_end_token_piece(s, 1, end);
}

/*
 * Reads white space from a blank or a line end. Everything up to the last line end is a piece. Of
 * the blanks behind it, the last blank belongs to the next piece.
 */
ALWAYS pos scan_blanks(struct sink *s, pos p, pos end)
{
	enum { MOST = 127 };
	pos first = p, to = p, line = p;
	unsigned n = 0, before = 0;

	while (to < end && (class_of[*to] == BLANK || class_of[*to] == LINE_END))
		if (class_of[*to++] == LINE_END)
			line = to;
	if (line > p)
		scan_lines(s, p, line);
	p = line;
	/* A single blank at which this function began stays: no other function has read it. */
	if (to < end && to > p && (p > first || to - p > 1))
		to--;
	if (to - p == 1) {
		sink_add_exact_tokens(s, 1, to);
		return to;
	}
	for (; p < to; p++) {
		if (*p != ' ')
			sink_add_token_feature(s, gram_bucket(IN_BLANKS, before << 8 | *p));
		before = *p;
		if (++n == MOST || p + 1 == to) {
			sink_add_token_feature(s, SHAPE_BLANKS + n);
			sink_end_token_piece(s, 1, p + 1);
			n = before = 0;
		}
	}
	return to;
}

/* True for characters that are neither letters nor digits, in ASCII and above. */
static inline bool is_symbol(uint32_t c)
{
	static const struct {
		uint32_t from, to;
	} ranges[] = {{0, 0x40},         {0x5b, 0x60},     {0x7b, 0xbf},     {0x2000, 0x2e7f},
		      {0x3000, 0x3004},  {0x3008, 0x3020}, {0x30fb, 0x30fb}, {0xfe10, 0xfe6f},
		      {0xff01, 0xff0f},  {0xff1a, 0xff20}, {0xff3b, 0xff40}, {0xff5b, 0xff65},
		      {0x1f000, 0x1ffff}};

	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		if (c <= ranges[i].to)
			return c >= ranges[i].from;
	return false;
}

static inline unsigned unicode_range_class(uint32_t c)
{
	return c >= 0x10000  ? 0
	       : c >= 0xf000 ? 1
	       : c >= 0xa000 ? 2
	       : c >= 0x3400 ? 3
	       : c >= 0x30a0 ? 4
	       : c >= 0x3040 ? 5
	       : c >= 0x3000 ? 6
	       : c >= 0x2000 ? 7
	       : c >= 0x80   ? 8
			     : 9;
}

/*
 * Reads symbols, and scripts without blanks between words, character by character. Each character
 * is scored with its two neighbours, because a token may be a part of a character or several
 * characters.
 */
ALWAYS pos scan_wide(struct sink *s, pos start, pos p, pos end)
{
	uint32_t before = p > start ? p[-1] : 0, c, next;
	unsigned len = decode_utf8_char(p, end, &c), next_len;

	if (!len) {
		sink_add_exact_tokens(s, 1, p + 1);
		return p + 1;
	}
	for (;;) {
		unsigned class;

		p += len;
		next = 0;
		next_len = p < end ? decode_utf8_char(p, end, &next) : 0;
		if (!next_len)
			next = 0;
		sink_add_token_feature(s, wide_gram(0, c));
		sink_add_token_feature(s, wide_gram(before, c));
		sink_add_token_feature(s, wide_gram(c, next | 1u << 31));
		sink_add_token_feature(s, SHAPE_WIDE + unicode_range_class(c));
		sink_end_token_piece(s, 0, p);
		if (!next_len)
			return p;
		class = class_of[*p];
		if (class != OTHER && !(is_symbol(c) && (class == LINE_END || class == MARK)))
			return p;
		before = c;
		c = next;
		len = next_len;
	}
}

/* Reads the whole text. `humps`: cut words before a capital, as o200k does and cl100k does not. */
ALWAYS void scanner_run(struct sink *s, pos p, pos end, bool humps)
{
	pos start = p;

	while (p < end) {
		unsigned class = class_of[*p], next = p + 1 < end ? class_of[p[1]] : LINE_END, n;

		if (!humps && *p == '\'' && (n = contraction(p, end))) {
			p += n;
			sink_add_exact_tokens(s, 1, p);
		} else if (class <= LETTER || (class <= MARK && next <= LETTER)) {
			p = scan_word(s, p, end, humps);
		} else if (class == DIGIT) {
			pos from = p;

			while (p < end && class_of[*p] == DIGIT)
				p++;
			sink_add_exact_tokens(s, (size_t)(p - from + 2) / 3, p);
		} else if (class == MARK || (*p == ' ' && next == MARK)) {
			p = scan_marks(s, p, end, humps);
		} else if (class == LINE_END || (class == BLANK && next != OTHER)) {
			p = scan_blanks(s, p, end);
		} else {
			p = scan_wide(s, start, p, end);
		}
	}
}
