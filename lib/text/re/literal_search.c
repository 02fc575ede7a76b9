/*
 * The search for many literals in one pass. Each literal gives one window: a few of its bytes,
 * where they are rarest. A gram is 2 to 4 bytes. The grams at `stride` successive places of the
 * window go into a table. So only every stride-th place of the text needs a lookup, and no lookup
 * depends on the one before. This reads several bytes per cycle. Aho-Corasick waits for its table
 * once per byte.
 */
#include "re/internal.h"
#include <endian.h>

#define FOLD        0x2020202020202020u
#define NO_PLACE    SIZE_MAX
#define BITS_FEW    12 /* 4 KiB */
#define BITS_MANY   16
#define ENTRIES_FEW 64
#define COMMON      (1.0 / 4096)
#define HEAD_SHIFT  5 /* one list for 1 << HEAD_SHIFT hashes, because few hashes are used */

struct entry {
	uint32_t gram, lit, next; /* next: index + 1 of the next entry of the list; 0 ends it */
	uint32_t off;             /* offset of the gram in the literal */
};

struct finder {
	const struct owned_lit *lits;
	struct entry *entries;
	uint32_t *heads; /* index + 1 of the first entry, by the high bits of the hash */
	uint8_t *table;  /* by the hash: 1 if some gram has it */
	uint32_t mask;   /* the bits of a gram of q bytes */
	unsigned bits;   /* the table has 1 << bits bytes: BITS_FEW or BITS_MANY */
	unsigned q, stride;
	size_t max_off;
};

/*
 * byte_information_bits() of each ASCII character as a hexadecimal digit: measured on 180 MB of C,
 * Python, JavaScript and Markdown. Upper and lower case were counted together.
 */
static const char surprise[] = "fffffffff85fffffffffffffffffffff2b88aca8667b7777788998999988a89c"
			       "b576646765b767556a55568887a9b9dfb576646765b767556a55568887a9b9df";

/* Every four letters in this string are frequent in source text, more than byte_information_bits()
 * predicts. */
static const char common[] = "definefinitypeconsonsttionopensignchecnamefunctrinringinfochar"
			     "voidturnreturetucertectisionvaluealueratiatiothisfreeparainte"
			     "atorunsidatastrutructationprocableiterjectflagstackformwithtext"
			     "enctcontobjebjecfilecodecallattrrespnullrecoinclcludoptiusermenta"
			     "servmethpoinversregicaseerrorlistlinetimetestfromselfimporequmodu"
			     "loadbacksystlocawordprinthatpropdefaclasindeexpobooldocucoltnumb";

unsigned byte_information_bits(unsigned char c)
{
	char h = c < 128 ? surprise[c] : 'd';

	return (unsigned)(h <= '9' ? h - '0' : h - 'a' + 10);
}

static uint32_t gram_at(const struct finder *f, const void *p, size_t n)
{
	uint32_t g = 0;

	memcpy(&g, p, size_min(n, sizeof(g)));
	return (le32toh(g) | (uint32_t)FOLD) & f->mask;
}

static inline uint64_t finder_load(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return le64toh(w) | FOLD;
}

static inline uint32_t finder_hash_of(uint32_t gram, unsigned bits)
{
	return (gram * 0x9e3779b1u) >> (32 - bits);
}

static uint32_t *finder_head(const struct finder *f, uint32_t gram)
{
	return &f->heads[finder_hash_of(gram, f->bits) >> HEAD_SHIFT];
}

static bool is_common(const char *gram)
{
	char low[4];

	for (size_t k = 0; k < sizeof(low); k++)
		low[k] = (char)(gram[k] | 0x20);
	for (size_t i = 0; i + sizeof(low) < sizeof(common); i++)
		if (!memcmp(low, common + i, sizeof(low)))
			return true;
	return false;
}

static size_t best_window(const struct finder *f, const struct literal *l)
{
	double costs[LIT_MAX], sum = 0, least = 0;
	size_t best = SIZE_MAX;

	for (size_t i = 0; i + f->q <= l->n; i++) {
		const char *gram = l->b + i;
		double cost = 1;

		/* How often a gram occurs by chance. Less is better. */
		for (size_t k = 0; k < f->q; k++)
			cost /= (double)(1u << byte_information_bits((unsigned char)gram[k]));
		costs[i] = f->q == 4 && cost < COMMON && is_common(gram) ? COMMON : cost;
		sum += costs[i] - (i < f->stride ? 0 : costs[i - f->stride]);
		if (i + 1 >= f->stride && (best == SIZE_MAX || sum < least))
			least = sum, best = i + 1 - f->stride;
	}
	return best;
}

struct finder *finder_new(struct arena *a, const struct owned_lit *lits, size_t n)
{
	struct finder *f = ARENA_NEW(a, struct finder);
	size_t least = LIT_MAX;
	uint32_t entry = 0;

	for (size_t i = 0; i < n; i++)
		least = size_min(least, lits[i].lit.n);
	f->lits = lits;
	f->q = (unsigned)size_min(least, 4);
	f->mask = f->q == 4 ? UINT32_MAX : (1u << (8 * f->q)) - 1;
	f->stride = least >= 11 ? 8 : least >= 7 ? 4 : least >= 5 ? 2 : 1;
	f->bits = n * f->stride <= ENTRIES_FEW ? BITS_FEW : BITS_MANY;
	f->table = arena_alloc(a, (size_t)1 << f->bits);
	f->heads = arena_array(a, (size_t)1 << (f->bits - HEAD_SHIFT), sizeof(*f->heads));
	f->entries = arena_array(a, n * f->stride, sizeof(*f->entries));
	for (size_t i = 0; i < n; i++) {
		size_t at = best_window(f, &lits[i].lit);

		for (size_t k = at; k < at + f->stride; k++) {
			uint32_t gram = gram_at(f, lits[i].lit.b + k, f->q);
			uint32_t *head = finder_head(f, gram);

			f->table[finder_hash_of(gram, f->bits)] = 1;
			f->entries[entry] = (struct entry){.gram = gram,
							   .lit = (uint32_t)i,
							   .off = (uint32_t)k,
							   .next = *head};
			*head = ++entry;
			f->max_off = size_max(f->max_off, k);
		}
	}
	return f;
}

static inline uint32_t finder_table_at(const uint8_t *table, uint64_t w, uint32_t mask,
				       unsigned bits)
{
	return table[finder_hash_of((uint32_t)w & mask, bits)];
}

/* The number of bytes that one step of probe_by() advances. */
static inline unsigned group_of(unsigned stride)
{
	return stride == 1 ? 4 : stride == 8 ? 16 : 8;
}

/* Always inlined: the stride becomes a constant, and the loop has no inner loop. */
static inline __attribute__((always_inline)) size_t
probe_by(const struct finder *f, const char *p, size_t n, size_t at, const unsigned stride,
	 const uint32_t mask, const unsigned bits)
{
	const uint8_t *table = f->table;

	for (; at + 16 <= n; at += group_of(stride)) {
		uint64_t w = finder_load(p + at);
		uint32_t hit = finder_table_at(table, w, mask, bits);
		if (stride == 1) {
			hit |= finder_table_at(table, w >> 8, mask, bits) |
			       finder_table_at(table, w >> 16, mask, bits) |
			       finder_table_at(table, w >> 24, mask, bits);
		} else if (stride == 2) {
			hit |= finder_table_at(table, w >> 16, mask, bits) |
			       finder_table_at(table, w >> 32, mask, bits) |
			       finder_table_at(table, finder_load(p + at + 6), mask, bits);
		} else {
			hit |= finder_table_at(table, finder_load(p + at + stride), mask, bits);
		}
		if (hit)
			return at;
	}
	return at;
}

/*
 * The next group of places, from `at`, with a gram of the table. The switch makes all parameters of
 * the loop constants: a variable shift alone would halve its speed.
 */
static size_t probe_group(const struct finder *f, const char *p, size_t n, size_t at)
{
	const uint32_t all = UINT32_MAX;

	if (f->q < 4)
		return f->bits == BITS_FEW ? probe_by(f, p, n, at, 1, f->mask, BITS_FEW)
					   : probe_by(f, p, n, at, 1, f->mask, BITS_MANY);
	if (f->bits == BITS_FEW) {
		switch (f->stride) {
		case 1: return probe_by(f, p, n, at, 1, all, BITS_FEW);
		case 2: return probe_by(f, p, n, at, 2, all, BITS_FEW);
		case 4: return probe_by(f, p, n, at, 4, all, BITS_FEW);
		default: return probe_by(f, p, n, at, 8, all, BITS_FEW);
		}
	}
	switch (f->stride) {
	case 1: return probe_by(f, p, n, at, 1, all, BITS_MANY);
	case 2: return probe_by(f, p, n, at, 2, all, BITS_MANY);
	case 4: return probe_by(f, p, n, at, 4, all, BITS_MANY);
	default: return probe_by(f, p, n, at, 8, all, BITS_MANY);
	}
}

/*
 * The next place from `at`, in steps of the stride, whose gram may be in the table, or NO_PLACE.
 * probe_group() stops before the last few bytes. The loop here checks them one by one.
 */
static size_t probe(const struct finder *f, const char *p, size_t n, size_t at)
{
	size_t group_end = 0;

	for (; at + f->q <= n; at += f->stride) {
		if (at >= group_end) {
			at = probe_group(f, p, n, at);
			group_end = at + group_of(f->stride);
			if (at + f->q > n)
				break;
		}
		if (f->table[finder_hash_of(gram_at(f, p + at, n - at), f->bits)])
			return at;
	}
	return NO_PLACE;
}

/* True when the literal of the entry, whose gram is at `at`, occurs there. */
static bool occurs(const struct finder *f, const struct entry *e, uint32_t gram, struct str text,
		   size_t at)
{
	const struct literal *l = &f->lits[e->lit].lit;
	const char *p;

	if (e->gram != gram || at < e->off || at - e->off + l->n > text.n)
		return false;
	p = text.p + (at - e->off);
	if (!l->icase)
		return !memcmp(p, l->b, l->n);
	for (size_t i = 0; i < l->n; i++)
		if (ascii_lower(p[i]) != l->b[i])
			return false;
	return true;
}

bool finder_next(const struct finder *f, struct str text, size_t at, struct finder_hit *hit)
{
	while ((at = probe(f, text.p, text.n, at)) != NO_PLACE) {
		uint32_t gram = gram_at(f, text.p + at, text.n - at);
		size_t last = NO_PLACE;

		for (uint32_t k = *finder_head(f, gram); k; k = f->entries[k - 1].next) {
			const struct entry *e = &f->entries[k - 1];

			if (occurs(f, e, gram, text, at))
				last = last == NO_PLACE ? at - e->off : size_max(last, at - e->off);
		}
		if (last != NO_PLACE) {
			hit->from = at > f->max_off ? at - f->max_off : 0;
			hit->last = last;
			hit->next = at + f->stride;
			return true;
		}
		at += f->stride;
	}
	return false;
}

/* Sets may[owner] for each literal in the text. *left is the number of owners not yet set. */
static void finder_mark_literal_owners(const struct finder *f, struct str text, bool *may,
				       size_t *left)
{
	size_t at = 0;

	while (*left && (at = probe(f, text.p, text.n, at)) != NO_PLACE) {
		uint32_t gram = gram_at(f, text.p + at, text.n - at);

		for (uint32_t k = *finder_head(f, gram); k; k = f->entries[k - 1].next) {
			const struct entry *e = &f->entries[k - 1];
			uint32_t owner = f->lits[e->lit].owner;

			if (!may[owner] && occurs(f, e, gram, text, at)) {
				may[owner] = true;
				--*left;
			}
		}
		at += f->stride;
	}
}

/*
 * ---- sets of patterns: one pass searches for the required literals of many patterns. Short
 * literals have their own pass. In a common pass the shortest literal would set the stride for all.
 */

#define SHORT 4

struct re_set {
	size_t n, with_lits;
	const bool *always; /* n members */
	struct finder *shorter, *longer;
};

static struct finder *finder_of(struct arena *a, const struct re *const *patterns, size_t n,
				size_t from, size_t to)
{
	struct VEC(struct owned_lit) v = {0};

	for (size_t i = 0; i < n; i++) {
		const struct literals *l = re_literals(patterns[i]);

		for (size_t k = 0; k < l->n; k++)
			if (l->p[k].n >= from && l->p[k].n < to)
				*VEC_PUSH(a, &v) = (struct owned_lit){l->p[k], (uint32_t)i};
	}
	return v.n ? finder_new(a, v.p, v.n) : NULL;
}

struct err *re_set_new(struct arena *a, const struct re *const *patterns, size_t n,
		       struct re_set **out)
{
	struct re_set *set = ARENA_NEW(a, struct re_set);
	bool *always = arena_array(a, n, sizeof(*always));

	set->n = n;
	for (size_t i = 0; i < n; i++) {
		always[i] = !re_literals(patterns[i])->n;
		set->with_lits += !always[i];
	}
	set->always = always;
	set->shorter = finder_of(a, patterns, n, LIT_MIN, SHORT);
	set->longer = finder_of(a, patterns, n, SHORT, LIT_MAX + 1);
	*out = set;
	return NULL;
}

void re_set_scan(const struct re_set *set, struct str text, bool *may)
{
	size_t left = set->with_lits;

	if (!set->n)
		return;
	memcpy(may, set->always, set->n * sizeof(*may));
	if (set->longer)
		finder_mark_literal_owners(set->longer, text, may, &left);
	if (set->shorter)
		finder_mark_literal_owners(set->shorter, text, may, &left);
}
