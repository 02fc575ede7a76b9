/* Unicode's normalization form C, by its definition: decompose, sort the marks, compose. */
#include "words/internal.h"

/* Syllables of Hangul are composed by arithmetic. */
#define HANGUL_S  0xac00u
#define HANGUL_L  0x1100u
#define HANGUL_V  0x1161u
#define HANGUL_T  0x11a7u
#define HANGUL_LS 19u
#define HANGUL_VS 21u
#define HANGUL_TS 28u

struct nfc_chars {
	uint32_t *p;
	size_t n, cap;
};

static unsigned nfc_order_of(uint32_t c)
{
	for (const struct nfc_order *o = nfc_orders; o->to && o->from <= c; o++)
		if (c <= o->to)
			return o->class;
	return 0;
}

static bool nfc_is_never(uint32_t c)
{
	for (const struct nfc_range *r = nfc_never; r->to && r->from <= c; r++)
		if (c <= r->to)
			return true;
	return false;
}

/* Finds the pair of a composed character. */
static bool nfc_split(uint32_t c, uint32_t *base, uint32_t *mark)
{
	uint32_t s = c - HANGUL_S, composed;

	if (c >= HANGUL_S && s < HANGUL_LS * HANGUL_VS * HANGUL_TS) {
		*base = s % HANGUL_TS ? c - s % HANGUL_TS : HANGUL_L + s / HANGUL_TS / HANGUL_VS;
		*mark = s % HANGUL_TS ? HANGUL_T + s % HANGUL_TS
				      : HANGUL_V + s / HANGUL_TS % HANGUL_VS;
		return true;
	}
	for (const struct nfc_mark *m = nfc_marks; m->mark; m++)
		for (const char *p = m->pairs; *p;) {
			p += str_utf8_char(p, 4, base);
			p += str_utf8_char(p, 4, &composed);
			*mark = m->mark;
			if (composed == c)
				return true;
		}
	return false;
}

/* The composed character of a pair, or 0. */
static uint32_t nfc_join(uint32_t base, uint32_t mark)
{
	uint32_t first, composed;

	if (base - HANGUL_L < HANGUL_LS && mark - HANGUL_V < HANGUL_VS)
		return HANGUL_S + ((base - HANGUL_L) * HANGUL_VS + mark - HANGUL_V) * HANGUL_TS;
	if (base - HANGUL_S < HANGUL_LS * HANGUL_VS * HANGUL_TS &&
	    !((base - HANGUL_S) % HANGUL_TS) && mark - HANGUL_T - 1 < HANGUL_TS - 1)
		return base + mark - HANGUL_T;
	for (const struct nfc_mark *m = nfc_marks; m->mark; m++)
		for (const char *p = m->pairs; m->mark == mark && *p;) {
			p += str_utf8_char(p, 4, &first);
			p += str_utf8_char(p, 4, &composed);
			if (first == base)
				return composed;
		}
	return 0;
}

static void nfc_decompose(struct arena *a, uint32_t c, struct nfc_chars *out)
{
	uint32_t base, mark;

	/* A mark never decomposes into more than one character here. */
	if (c >= 0x80 && nfc_split(c, &base, &mark)) {
		nfc_decompose(a, base, out);
		nfc_decompose(a, mark, out);
	} else {
		*VEC_PUSH(a, out) = c;
	}
}

/* Sorts each run of marks by their class; marks of one class keep their order. */
static void nfc_sort(struct nfc_chars *v)
{
	for (size_t i = 1; i < v->n; i++) {
		uint32_t c = v->p[i];
		unsigned class = nfc_order_of(c);
		size_t k = i;

		for (; class && k && nfc_order_of(v->p[k - 1]) > class; k--)
			v->p[k] = v->p[k - 1];
		v->p[k] = c;
	}
}

static void nfc_compose(struct nfc_chars *v)
{
	size_t n = 0, starter = SIZE_MAX;
	unsigned last = 0;

	for (size_t i = 0; i < v->n; i++) {
		unsigned class = nfc_order_of(v->p[i]);
		bool next = starter != SIZE_MAX && starter + 1 == n;
		uint32_t joined = starter != SIZE_MAX && (next || last < class)
					  ? nfc_join(v->p[starter], v->p[i])
					  : 0;

		if (joined) {
			v->p[starter] = joined;
			continue;
		}
		if (!class)
			starter = n;
		last = class;
		v->p[n++] = v->p[i];
	}
	v->n = n;
}

bool words_nfc(struct arena *a, struct str text, struct str *out)
{
	struct nfc_chars v = {0};
	struct buf b = buf_in(a);
	uint32_t c;

	for (size_t i = 0, n; i < text.n; i += n) {
		n = str_utf8_char(text.p + i, text.n - i, &c);
		if (!n || nfc_is_never(c)) {
			*out = str_sub(text, i, i + size_max(n, 1));
			return false;
		}
		nfc_decompose(a, c, &v);
	}
	nfc_sort(&v);
	nfc_compose(&v);
	for (size_t i = 0; i < v.n; i++)
		buf_utf8(&b, v.p[i]);
	*out = buf_str(&b);
	return true;
}
