/* The script of each character, and the characters of CJK as the index uses them. */
#include "words/internal.h"

struct range {
	uint32_t from, to;
	enum char_class class;
};

/*
 * Sorted. Every other character is text. Box drawing and block characters draw tables, so they are
 * not symbols.
 */
static const struct range ranges[] = {
	{0x00a2, 0x00a9, CHAR_SYMBOL}, /* currencies, section, copyright */
	{0x00ac, 0x00ac, CHAR_SYMBOL},
	{0x00ae, 0x00b1, CHAR_SYMBOL}, /* registered, degree, plus-minus */
	{0x00b6, 0x00b6, CHAR_SYMBOL},
	{0x00d7, 0x00d7, CHAR_SYMBOL},
	{0x00f7, 0x00f7, CHAR_SYMBOL},
	{0x0e01, 0x0eff, CHAR_UNSPACED}, /* Thai, Lao */
	{0x1000, 0x109f, CHAR_UNSPACED}, /* Burmese */
	{0x1100, 0x11ff, CHAR_HANGUL},   /* Jamo */
	{0x1780, 0x17ff, CHAR_UNSPACED}, /* Khmer */
	{0x200d, 0x200d, CHAR_BREAK},    /* joins emoji */
	{0x20a0, 0x20cf, CHAR_SYMBOL},   /* currencies */
	{0x20e3, 0x20e3, CHAR_BREAK},
	{0x2100, 0x2101, CHAR_SYMBOL},
	{0x2103, 0x2106, CHAR_SYMBOL},
	{0x2116, 0x2117, CHAR_SYMBOL},
	{0x2120, 0x2123, CHAR_SYMBOL},
	{0x2190, 0x244a, CHAR_SYMBOL}, /* arrows, mathematics, technical */
	{0x25a0, 0x2775, CHAR_SYMBOL}, /* shapes, weather, games, dingbats */
	{0x2794, 0x2bff, CHAR_SYMBOL},
	{0x2e80, 0x2fdf, CHAR_HAN}, /* radicals */
	{0x3005, 0x3005, CHAR_HAN}, /* the iteration mark */
	{0x3007, 0x3007, CHAR_HAN},
	{0x3021, 0x3029, CHAR_HAN},
	{0x3038, 0x303b, CHAR_HAN},
	{0x3041, 0x309f, CHAR_HIRAGANA},
	{0x30a1, 0x30fa, CHAR_KATAKANA}, /* without the middle dot, which separates words */
	{0x30fc, 0x30ff, CHAR_KATAKANA}, /* the long vowel sign and iteration marks */
	{0x3105, 0x312f, CHAR_HAN},      /* Bopomofo */
	{0x3131, 0x318e, CHAR_HANGUL},
	{0x31a0, 0x31bf, CHAR_HAN},
	{0x31f0, 0x31ff, CHAR_KATAKANA},
	{0x3400, 0x4dbf, CHAR_HAN},
	{0x4e00, 0x9fff, CHAR_HAN},
	{0xa960, 0xa97f, CHAR_HANGUL},
	{0xac00, 0xd7ff, CHAR_HANGUL},
	{0xf900, 0xfaff, CHAR_HAN},
	{0xfe00, 0xfe0f, CHAR_BREAK},    /* variation selectors */
	{0xff66, 0xff9f, CHAR_KATAKANA}, /* half-width */
	{0x1f000, 0x1f1e5, CHAR_SYMBOL},
	{0x1f1e6, 0x1f1ff, CHAR_FLAG},
	{0x1f200, 0x1f3fa, CHAR_SYMBOL},
	{0x1f3fb, 0x1f3ff, CHAR_BREAK}, /* colours of skin */
	{0x1f400, 0x1faff, CHAR_SYMBOL},
	{0x20000, 0x3ffff, CHAR_HAN},
	{0xe0000, 0xe0fff, CHAR_BREAK}, /* tags and more selectors */
};

enum char_class char_class(uint32_t code)
{
	size_t low = 0;

	if (code < ranges[0].from)
		return CHAR_TEXT;
	BISECT(low, mid, ARRAY_SIZE(ranges), code > ranges[mid].to);
	return low < ARRAY_SIZE(ranges) && code >= ranges[low].from ? ranges[low].class : CHAR_TEXT;
}

/* For each character from U+FF66 on, its full-width form as an offset from U+3000. */
static const unsigned char half_width[] = {
	0xf2, 0xa1, 0xa3, 0xa5, 0xa7, 0xa9, 0xe3, 0xe5, 0xe7, 0xc3, 0xfc, 0xa2, 0xa4, 0xa6, 0xa8,
	0xaa, 0xab, 0xad, 0xaf, 0xb1, 0xb3, 0xb5, 0xb7, 0xb9, 0xbb, 0xbd, 0xbf, 0xc1, 0xc4, 0xc6,
	0xc8, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xd2, 0xd5, 0xd8, 0xdb, 0xde, 0xdf, 0xe0, 0xe1,
	0xe2, 0xe4, 0xe6, 0xe8, 0xe9, 0xea, 0xeb, 0xec, 0xed, 0xef, 0xf3, 0x99, 0x9a};

enum {
	VOICED = 0x3099,
	HALF_VOICED = 0x309a,
	HANGUL_FIRST = 0xac00,
	JAMO_L = 0x1100,
	JAMO_V = 0x1161,
	JAMO_T = 0x11a7,
};

static uint32_t script_single(uint32_t code)
{
	return code >= 0xff66 && code <= 0xff9f ? 0x3000u + half_width[code - 0xff66] : code;
}

/* The kana with its voicing mark; 0 when the mark does not apply to it. */
static uint32_t voice(uint32_t kana, uint32_t mark)
{
	uint32_t katakana = kana >= 0x30a1 ? 0x60 : 0, base = kana - katakana;

	if (mark == VOICED && base == 0x3046)
		return 0x3094 + katakana;
	if (base >= 0x306f && base <= 0x307b && (base - 0x306f) % 3 == 0)
		return kana + (mark == VOICED ? 1 : 2);
	if (mark != VOICED)
		return 0;
	/* The small tsu stands between chi and tsu. */
	if ((base >= 0x304b && base <= 0x3061 && base % 2) ||
	    (base >= 0x3064 && base <= 0x3068 && base % 2 == 0))
		return kana + 1;
	return 0;
}

/* Combines conjoining letters of Hangul into a syllable; 0 when they do not combine. */
static uint32_t conjoin(uint32_t code, uint32_t next)
{
	if (code >= JAMO_L && code < JAMO_L + 19 && next >= JAMO_V && next < JAMO_V + 21)
		return HANGUL_FIRST + ((code - JAMO_L) * 21 + next - JAMO_V) * 28;
	if (code >= HANGUL_FIRST && code < HANGUL_FIRST + 11172 &&
	    (code - HANGUL_FIRST) % 28 == 0 && next > JAMO_T && next < JAMO_T + 28)
		return code + next - JAMO_T;
	return 0;
}

uint32_t char_compose(struct str text, size_t *at)
{
	uint32_t code = 0, next;

	*at += str_utf8_char(text.p + *at, text.n - *at, &code);
	code = script_single(code);
	for (size_t n; (n = str_utf8_char(text.p + *at, text.n - *at, &next)); *at += n) {
		uint32_t mark = script_single(next), composed;

		composed = mark == VOICED || mark == HALF_VOICED ? voice(code, mark)
								 : conjoin(code, next);
		if (!composed)
			break;
		code = composed;
	}
	return code;
}
