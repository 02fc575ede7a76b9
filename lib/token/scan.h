/*
 * scan: one pass over a text that cuts it where a model's own pre-tokenizer does and tells, piece by
 * piece, what its number of tokens depends on. Private to token.c and the program that fits the
 * tables (t/perf/tokens-fit.c): both see the same pieces and features because both include this.
 *
 * Whoever includes it defines struct sink and the four sink_ functions. A feature is an index into
 * one table of weights; the weights of a piece's features add up to its score.
 */
#ifndef IKM_TOKEN_SCAN_H
#define IKM_TOKEN_SCAN_H

#include "base/base.h"

typedef const unsigned char *pos;

/* The table: a few hundred exact features, then three regions of hashed ones. */
enum {
	SHAPE_WORD = 0,                   /* by what is in front, letter case and length */
	SHAPE_MARKS = SHAPE_WORD + 240,   /* by blank in front, line end behind, length */
	SHAPE_LINES = SHAPE_MARKS + 64,   /* by length */
	SHAPE_BLANKS = SHAPE_LINES + 32,  /* by length */
	SHAPE_WIDE = SHAPE_BLANKS + 128,  /* by block of Unicode */
	KNOWN = SHAPE_WIDE + 16,          /* a word that is one token, says the list of them */
	GRAM = 512,
	GRAM_BITS = 13,
	WIDE = GRAM + (1 << GRAM_BITS),
	WIDE_BITS = 14,
	FEATURES = WIDE + (1 << WIDE_BITS),
	KNOWN_BITS = 12,
};

static void sink_add(struct sink *s, unsigned feature);
/* A whole word or run of marks, by its hash: adds KNOWN when it is in the list. */
static void sink_whole(struct sink *s, uint64_t hash);
/* Ends a piece: at least `least` tokens, more by its score. */
static void sink_piece(struct sink *s, unsigned least, pos end);
/* A piece (or several) about which there is nothing to estimate. */
static void sink_exact(struct sink *s, size_t tokens, pos end);

enum class { LOWER, UPPER, LETTER, DIGIT, BLANK, LINE_END, MARK, OTHER };

/* LETTER leads two or three bytes of U+00C0 to U+1FFF; OTHER is the rest above ASCII. */
static const unsigned char class_of[256] = {
	[0x00 ... 0x08] = MARK,   ['\t'] = BLANK,	    ['\n'] = LINE_END,
	['\v' ... '\f'] = BLANK, ['\r'] = LINE_END,	    [0x0e ... 0x1f] = MARK,
	[' '] = BLANK,		  ['!' ... '/'] = MARK,	    ['0' ... '9'] = DIGIT,
	[':' ... '@'] = MARK,	  ['A' ... 'Z'] = UPPER,    ['[' ... '`'] = MARK,
	['a' ... 'z'] = LOWER,	  ['{' ... 0x7f] = MARK,    [0x80 ... 0xc2] = OTHER,
	[0xc3 ... 0xe1] = LETTER, [0xe2 ... 0xff] = OTHER,
};

#define SCAN_MIX 0x9E3779B97F4A7C15ull

static inline uint64_t mix(uint64_t hash, uint64_t c)
{
	hash = (hash ^ c) * SCAN_MIX;
	return hash ^ hash >> 29;
}

/* Windows of characters, 16 bits each; `kind` keeps those of words, marks and blanks apart. */
static inline unsigned gram(uint64_t window, uint64_t kind)
{
	uint64_t last3 = window & 0xffffffffffffull;

	return GRAM + (unsigned)((last3 | kind << 60) * SCAN_MIX >> (64 - GRAM_BITS));
}

/* Where the list of known words may hold this one, and what it then holds. */
static inline unsigned known_slot(uint64_t hash)
{
	return (unsigned)(hash * SCAN_MIX >> (64 - KNOWN_BITS));
}

static inline char known_tag(uint64_t hash)
{
	return (char)('#' + ((hash & 0xffff) * 90 >> 16));
}

static inline unsigned wide_gram(uint64_t left, uint64_t right)
{
	return WIDE + (unsigned)((left << 32 | right) * SCAN_MIX >> (64 - WIDE_BITS));
}

/* The character at p and its bytes; 0 when that is not UTF-8. */
static inline unsigned decode(pos p, pos end, uint32_t *out)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned n = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;
	uint32_t c;

	if (n < 2) {
		*out = *p;
		return n;
	}
	if ((size_t)(end - p) < n)
		return 0;
	c = *p & (0x7fu >> n);
	for (unsigned i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	*out = c;
	return c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : n;
}

static inline bool letter_at(pos p, pos end)
{
	uint32_t c;

	return p < end && (class_of[*p] <= UPPER || (class_of[*p] == LETTER && decode(p, end, &c)));
}

/* The bytes of 's, 'll and their like at p, or 0. */
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

/* Letters, with the one character before them that is neither letter, digit nor line end. */
static inline pos scan_word(struct sink *s, pos p, pos end, bool humps)
{
	enum { BARE, AFTER_BLANK, AFTER_MARK } before = BARE;
	enum { SMALL, CAPITAL, CAPITALS, MIXED, FOREIGN } look;
	uint64_t window = 0, hash = 0;
	size_t n = 0, uppers = 0;
	bool lower = false, foreign = false, capital;
	unsigned suffix;

	if (class_of[*p] > LETTER) {
		before = *p == ' ' ? AFTER_BLANK : AFTER_MARK;
		window = hash = *p++;
	}
	hash += 0x1234567;
	capital = class_of[*p] == UPPER;
	for (; p < end; n++) {
		uint32_t c = *p;
		unsigned class = class_of[c], len = 1;

		if (class == LOWER) {
			lower = true;
		} else if (class == UPPER) {
			if (humps && lower)
				break;
			uppers++;
		} else if (class == LETTER && (len = decode(p, end, &c))) {
			lower = foreign = true;
		} else {
			break;
		}
		window = window << 16 | c;
		hash = mix(hash, c);
		if (n)
			sink_add(s, gram(window, 0));
		p += len;
	}
	if (humps && lower)
		for (suffix = contraction(p, end); suffix; suffix--) {
			window = window << 16 | *p;
			hash = mix(hash, *p++);
		}
	sink_add(s, gram(window << 16 | 1, 0));
	look = foreign ? FOREIGN : !uppers ? SMALL : uppers == n ? CAPITALS :
	       capital && uppers == 1 ? CAPITAL : MIXED;
	sink_add(s, SHAPE_WORD + ((unsigned)before * 5 + look) * 16 + (unsigned)size_min(n, 15));
	sink_whole(s, hash);
	sink_piece(s, 1, p);
	return p;
}

/* Punctuation, the blank before it and the line ends behind it. */
static inline pos scan_marks(struct sink *s, pos p, pos end, bool humps)
{
	enum { REPEAT = 128 };
	bool blank = *p == ' ';
	uint64_t window = 0, hash = 0x77;
	size_t n = 0;
	unsigned lines = 0;

	if (blank) {
		window = hash = *p++;
		n = 1;
	}
	for (; p < end && class_of[*p] == MARK; n++) {
		window = window << 16 | *p;
		if (end - p > 3 && p[1] == *p && p[2] == *p && p[3] == *p) {
			/* A rule of dashes has tokens of its own lengths. */
			pos from = p;
			unsigned run;

			while (p < end && *p == *from && p - from < REPEAT)
				p++;
			run = (unsigned)(p - from);
			sink_add(s, gram((run < 17 ? run : 16 + run / 8) << 8 | *from, 2));
			window = window << 16 | *from;
			hash = mix(hash, *from | run << 8);
			continue;
		}
		hash = mix(hash, *p++);
		if (n)
			sink_add(s, gram(window, 1));
	}
	for (; p < end && (class_of[*p] == LINE_END || (humps && *p == '/')); lines++) {
		hash = mix(hash, *p);
		if (lines < 2) {
			window = window << 16 | *p;
			sink_add(s, gram(window, 1));
		}
		p++;
	}
	sink_add(s, gram(window << 16 | 2, 0));
	sink_add(s, SHAPE_MARKS + (blank ? 32 : 0) + (lines ? 16 : 0) + (unsigned)size_min(n, 15));
	sink_whole(s, hash);
	sink_piece(s, 1, p);
	return p;
}

/*
 * From a blank or line end. Lines end with the last line end of the white space; of the blanks that
 * are left, the last one belongs to what follows.
 */
static inline pos scan_blanks(struct sink *s, pos p, pos end)
{
	enum { MOST = 127 };
	pos to = p, line = p;
	uint64_t window = 0;
	size_t n = 0;

	while (to < end && (class_of[*to] == BLANK || class_of[*to] == LINE_END))
		if (class_of[*to++] == LINE_END)
			line = to;
	if (line == p + 1) {
		sink_exact(s, 1, line);
		return line;
	}
	if (line > p) {
		uint64_t hash = 0x99;

		for (; p < line; p++) {
			hash = mix(hash, *p);
			window = window << 16 | *p;
			if (n++)
				sink_add(s, gram(window, 3));
		}
		sink_add(s, SHAPE_LINES + (unsigned)size_min(n, 31));
		sink_whole(s, hash);
		sink_piece(s, 1, p);
		return p;
	}
	if (to - p > 1 && to < end)
		to--;
	if (to - p == 1) {
		sink_exact(s, 1, to);
		return to;
	}
	for (unsigned before = 0; p < to; p++) {
		if (*p != ' ')
			sink_add(s, gram(before << 8 | *p, 4));
		before = *p;
		if (++n == MOST || p + 1 == to) {
			sink_add(s, SHAPE_BLANKS + (unsigned)n);
			sink_piece(s, 1, p + 1);
			n = before = 0;
		}
	}
	return to;
}

/* Of what is above ASCII, and below: neither letter nor digit. */
static inline bool is_symbol(uint32_t c)
{
	static const struct {
		uint32_t from, to;
	} ranges[] = {{0, 0x40},	{0x5b, 0x60},	  {0x7b, 0xbf},	    {0x2000, 0x2e7f},
		      {0x3000, 0x3004}, {0x3008, 0x3020}, {0x30fb, 0x30fb}, {0xfe10, 0xfe6f},
		      {0xff01, 0xff0f}, {0xff1a, 0xff20}, {0xff3b, 0xff40}, {0xff5b, 0xff65},
		      {0x1f000, 0x1ffff}};

	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		if (c <= ranges[i].to)
			return c >= ranges[i].from;
	return false;
}

static inline unsigned block_of(uint32_t c)
{
	static const uint32_t ends[] = {0x80,	0x2000, 0x3000, 0x3040, 0x30a0,
					0x3400, 0xa000, 0xf000, 0x10000};
	unsigned i = 0;

	while (i < ARRAY_SIZE(ends) && c >= ends[i])
		i++;
	return i;
}

/*
 * Scripts without blanks between words, and symbols: character by character, each with its two
 * neighbours, since a token may be a part of a character or several of them.
 */
static inline pos scan_wide(struct sink *s, pos start, pos p, pos end)
{
	uint32_t before = p > start ? p[-1] : 0, c, next;
	unsigned len = decode(p, end, &c), next_len;

	if (!len) {
		sink_exact(s, 1, p + 1);
		return p + 1;
	}
	for (;;) {
		unsigned class;

		p += len;
		next = 0;
		next_len = p < end ? decode(p, end, &next) : 0;
		if (!next_len)
			next = 0;
		sink_add(s, wide_gram(0, c));
		sink_add(s, wide_gram(before, c));
		sink_add(s, wide_gram(c, next | 1u << 31));
		sink_add(s, SHAPE_WIDE + block_of(c));
		sink_piece(s, 0, p);
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

/* `humps`: words are cut before a capital, as o200k does and cl100k does not. */
static inline void scan(struct sink *s, pos p, pos end, bool humps)
{
	pos start = p;

	while (p < end) {
		unsigned class = class_of[*p], next = p + 1 < end ? class_of[p[1]] : LINE_END, n;

		if (class == DIGIT) {
			pos from = p;

			while (p < end && class_of[*p] == DIGIT)
				p++;
			sink_exact(s, (size_t)(p - from + 2) / 3, p);
		} else if (!humps && (n = contraction(p, end))) {
			p += n;
			sink_exact(s, 1, p);
		} else if (letter_at(p, end) ||
			   ((class == BLANK || class == MARK) && letter_at(p + 1, end))) {
			p = scan_word(s, p, end, humps);
		} else if (class == MARK || (*p == ' ' && next == MARK)) {
			p = scan_marks(s, p, end, humps);
		} else if (class == LINE_END || (class == BLANK && next != OTHER)) {
			p = scan_blanks(s, p, end);
		} else {
			p = scan_wide(s, start, p, end);
		}
	}
}

#endif
