/* Compares texts: near-duplicates, and texts that make the same statement. */
#include "meaning/meaning.h"
#include "memory/rank.h"

enum { SHINGLE = 3 };
/*
 * UPDATES: the best hits that are compared for updates. UPDATE_WORDS: longer texts state more than
 * one thing.
 */
enum { UPDATES = 20, UPDATE_WORDS = 30 };
/* The best hits that may be doubted, and how long they may be. */
enum { DOUBTED = 10, DOUBT_BYTES = 200 };
#define VALUES_ALIKE  0.5 /* cosine: "Lisbon" and "Porto" */
#define UPDATE_POINTS 0.7 /* the newer one has at least this part of the older one's points */
/*
 * The newer one has what the older one has of the question, but for this part of the question.
 * Otherwise it is about another thing: "the search service stores" does not update "the gateway
 * service stores", if the question asks for the gateway.
 */
#define UPDATE_LACKS 0.05

struct memory_shingles { /* sorted, without repeats */
	uint64_t *p;
	size_t n, cap;
};

struct terms {
	struct arena *a;
	struct memory_shingles *out;
};

static void alike_add_term(void *ctx, struct str word, uint64_t term, bool extra)
{
	struct terms *t = ctx;

	(void)word;
	if (!extra)
		*VEC_PUSH(t->a, t->out) = term;
}

struct memory_shingles *memory_shingles(struct words *w, struct arena *a, struct str text)
{
	struct memory_shingles *s = ARENA_NEW(a, struct memory_shingles);
	struct terms t = {a, s};
	size_t each, n, kept = 0;

	words_sift(w, text, NULL, alike_add_term, &t);
	each = size_min(s->n, SHINGLE);
	n = s->n ? s->n - each + 1 : 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t h = 0;

		for (size_t k = 0; k < each; k++)
			h = (h ^ s->p[i + k]) * UINT64_C(0x9E3779B97F4A7C15) + k;
		s->p[i] = h; /* the term at i is not needed any more */
	}
	words_sort_terms(s->p, n);
	for (size_t i = 0; i < n; i++)
		if (!i || s->p[i] != s->p[i - 1])
			s->p[kept++] = s->p[i];
	s->n = kept;
	return s;
}

/*
 * Counts the shingles that both texts have. It stops when more than `misses` are in only one text.
 */
static size_t common(const struct memory_shingles *a, const struct memory_shingles *b,
		     size_t misses)
{
	size_t i = 0, j = 0, both = 0;

	while (i < a->n && j < b->n && i + j - 2 * both <= misses) {
		bool left = a->p[i] <= b->p[j], right = b->p[j] <= a->p[i];

		both += left && right;
		i += left;
		j += right;
	}
	return both;
}

double memory_alike(const struct memory_shingles *a, const struct memory_shingles *b)
{
	size_t both = common(a, b, SIZE_MAX);

	return both ? (double)both / (double)(a->n + b->n - both) : 0;
}

bool shingles_same(const struct memory_shingles *a, const struct memory_shingles *b)
{
	size_t misses = shingles_misses(a->n + b->n), both;

	if (size_max(a->n, b->n) - size_min(a->n, b->n) > misses)
		return false;
	both = common(a, b, misses);
	return both && (double)both >= MEMORY_SAME * (double)(a->n + b->n - both);
}

/* ---- the same statement ---- */

/*
 * Words that do not change a statement. All others may: a number, a name, "never", "from". Sorted.
 */
static const char *const weightless[] = {
	"a",    "an",   "au",    "aux",   "das",   "dem",  "den",   "der", "des", "du",
	"ein",  "eine", "einem", "einen", "einer", "el",   "just",  "les", "los", "so",
	"that", "the",  "then",  "there", "these", "this", "those", "une", "very"};

static int weightless_compare(const void *key, const void *element)
{
	return str_cmp(*(const struct str *)key, str_of(*(const char *const *)element));
}

static void statement_add(void *ctx, struct str word, uint64_t term, bool extra)
{
	struct terms *t = ctx;

	if (!extra && !bsearch(&word, weightless, ARRAY_SIZE(weightless), sizeof(*weightless),
			       weightless_compare))
		*VEC_PUSH(t->a, t->out) = term;
}

bool memory_same_statement(struct words *w, struct str x, struct str y)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct memory_shingles left = {0}, right = {0};
	struct terms tx = {a, &left}, ty = {a, &right};

	words_sift(w, x, NULL, statement_add, &tx);
	words_sift(w, y, NULL, statement_add, &ty);
	return left.n == right.n && (!left.n || !memcmp(left.p, right.p, left.n * sizeof(*left.p)));
}

/* ---- the same subject ---- */

static void subject_add(void *ctx, struct str word, uint64_t term, bool extra)
{
	struct terms *t = ctx;

	if (!extra && !word_is_stop(word))
		*VEC_PUSH(t->a, t->out) = term;
}

/* The terms of a statement, sorted, each once. Returns the first one of the text; 0: none. */
static uint64_t subject_terms(struct words *w, struct arena *a, struct str text,
			      struct memory_shingles *out)
{
	struct terms t = {a, out};
	size_t kept = 0;
	uint64_t first;

	words_sift(w, text, NULL, subject_add, &t);
	first = out->n ? out->p[0] : 0;
	words_sort_terms(out->p, out->n);
	for (size_t i = 0; i < out->n; i++)
		if (!i || out->p[i] != out->p[i - 1])
			out->p[kept++] = out->p[i];
	out->n = kept;
	return first;
}

static bool terms_have(const struct memory_shingles *terms, uint64_t term)
{
	for (size_t i = 0; i < terms->n; i++)
		if (terms->p[i] == term)
			return true;
	return false;
}

#define SUBJECT_SAME 0.6
/*
 * Whether two statements have most words in common: SUBJECT_SAME of the words of the shorter, which
 * has at least half as many words as the longer; and one of them begins with a word of the other,
 * or they speak of two things: "Ann drinks coffee", "Bo drinks coffee". Stop words do not count.
 */
static bool memory_same_subject(struct words *w, struct str x, struct str y)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct memory_shingles left = {0}, right = {0};
	size_t least, most;
	uint64_t one = subject_terms(w, a, x, &left), other = subject_terms(w, a, y, &right);

	least = size_min(left.n, right.n);
	most = size_max(left.n, right.n);
	return least >= 2 && most <= 2 * least &&
	       (terms_have(&left, other) || terms_have(&right, one)) &&
	       (double)common(&left, &right, SIZE_MAX) >= SUBJECT_SAME * (double)least;
}

/* ---- statements that may not hold any more ---- */

/* Words that say that something is no longer as it was, folded. */
static bool alike_changes(struct str w)
{
	static const char *const words[] = {
		"now",        "moved",      "relocated", "changed",  "switched",   "renamed",
		"replaced",   "migrated",   "upgraded",  "longer",   "anymore",    "instead",
		"became",     "jetzt",      "umgezogen", "geandert", "verschoben", "gewechselt",
		"ersetzt",    "neuerdings", "теперь",    "переехал", "переехала",  "перенесен",
		"перенесена", "сменил",     "сменила",   "заменен",  "maintenant", "desormais",
		"demenage",   "deplace",    "deplacee",  "remplace", "ahora",      "mudo",
		"trasladado", "cambio",     "reemplazo", "现在",     "改为",       "搬到",
		"今は",       "変更"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (str_is(w, words[i]))
			return true;
	return false;
}

struct fact {
	struct arena *a;
	struct memory_shingles terms; /* in the order of the text */
	struct strs words;            /* of the terms */
	bool changes;
};

static void fact_add(void *ctx, struct str word, uint64_t term, bool extra)
{
	struct fact *s = ctx;

	if (extra)
		return;
	s->changes = s->changes || alike_changes(word);
	if (word_is_stop(word))
		return;
	*VEC_PUSH(s->a, &s->terms) = term;
	strs_push(s->a, &s->words, str_dup(s->a, word));
}

/* Whether two words can be values of one thing: numbers, names, or words of like meaning. */
static bool values_alike(struct str x, struct str y)
{
	const signed char *one = meaning_row(x), *other = meaning_row(y);

	if (ascii_is_digit(x.p[0]) || ascii_is_digit(y.p[0]))
		return ascii_is_digit(x.p[0]) && ascii_is_digit(y.p[0]);
	return one && other ? meaning_cosine(one, other) >= VALUES_ALIKE : !one && !other;
}

/* Whether the newer text may give another value of what the older one is about. */
static bool statement_doubts(const struct fact *newer, const struct fact *older, bool same_subject)
{
	size_t shared = 0;

	if (!newer->terms.n || !older->terms.n || (!newer->changes && !same_subject) ||
	    (!terms_have(&newer->terms, older->terms.p[0]) &&
	     !terms_have(&older->terms, newer->terms.p[0])))
		return false;
	for (size_t i = 0; i < older->terms.n; i++)
		shared += terms_have(&newer->terms, older->terms.p[i]);
	if (newer->changes && 2 * shared > older->terms.n)
		return true;
	for (size_t i = 0; i < older->terms.n; i++)
		for (size_t k = 0; k < newer->terms.n; k++)
			if (!terms_have(&newer->terms, older->terms.p[i]) &&
			    !terms_have(&older->terms, newer->terms.p[k]) &&
			    values_alike(older->words.p[i], newer->words.p[k]))
				return true;
	return false;
}

/* ---- outlines ---- */

void outline_add(struct outline *o, struct str word)
{
	enum { LAST = (1 << 8 * SHINGLE) - 1 };

	o->last = (o->last << 8 | (unsigned char)word.p[0]) & LAST;
	if (++o->n >= SHINGLE)
		o->bits |= UINT64_C(1) << (o->last * UINT64_C(0x9E3779B97F4A7C15) >> 58);
}

/* ---- lists in the order of rank_order() ---- */

static const struct memory_shingles *ranked_shingles(struct words *w, struct arena *a,
						     struct ranked *r)
{
	if (!r->shingles)
		r->shingles = memory_shingles(w, a, r->memory->content);
	return r->shingles;
}

static bool ranked_alike(struct words *w, struct arena *a, struct ranked *x, struct ranked *y)
{
	return !outlines_differ(&x->outline, &y->outline) &&
	       shingles_same(ranked_shingles(w, a, x), ranked_shingles(w, a, y)) &&
	       memory_same_statement(w, x->memory->content, y->memory->content);
}

/* Whether x stays, of two near-duplicates: what no longer holds is no copy of what does. */
static bool ranked_holds_more(const struct ranked *x, const struct ranked *y)
{
	const bool holds = x->state == MEMORY_CURRENT;

	return holds != (y->state == MEMORY_CURRENT) ? holds : x->memory->layer < y->memory->layer;
}

void ranked_drop_alike(struct words *w, struct arena *a, struct ranked_list *best)
{
	size_t kept = 0;

	for (size_t i = 0; i < best->n; i++) {
		struct ranked *one = &best->p[i];
		size_t k = 0;

		while (k < kept && !ranked_alike(w, a, &best->p[k], one))
			k++;
		if (k == kept) {
			best->p[kept++] = *one;
		} else if (ranked_holds_more(one, &best->p[k])) {
			one->points = best->p[k].points;
			best->p[k] = *one;
		}
	}
	best->n = kept;
}

static bool alike_newer(const struct memory *a, const struct memory *b)
{
	return a->happened != b->happened ? a->happened > b->happened : a->created > b->created;
}

/* Whether x states anew what y stated before, and still holds. */
static bool ranked_updates(struct words *w, const struct ranked *x, const struct ranked *y)
{
	const struct memory *a = x->memory, *b = y->memory;

	if (x->state != MEMORY_CURRENT || !memory_kind_rules[a->kind].merges ||
	    !memory_kind_rules[b->kind].merges || a->scope != b->scope ||
	    x->outline.n > UPDATE_WORDS || y->outline.n > UPDATE_WORDS ||
	    x->points < UPDATE_POINTS * y->points || x->covered < y->covered - UPDATE_LACKS)
		return false;
	if (!alike_newer(a, b))
		return false;
	return memory_same_subject(w, a->content, b->content);
}

static bool ranked_may_replace(const struct ranked *x, const struct ranked *y)
{
	const struct memory *a = x->memory, *b = y->memory;

	return x->state == MEMORY_CURRENT && y->state == MEMORY_CURRENT && a->scope == b->scope &&
	       memory_kind_rules[a->kind].merges && memory_kind_rules[b->kind].merges &&
	       alike_newer(a, b);
}

static void ranked_doubt(struct words *w, struct ranked_list *best)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct fact all[DOUBTED] = {0};
	size_t n = size_min(best->n, DOUBTED);

	for (size_t i = 0; i < n; i++) {
		all[i].a = a;
		if (best->p[i].memory->content.n <= DOUBT_BYTES)
			words_sift(w, best->p[i].memory->content, NULL, fact_add, &all[i]);
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n && !best->p[i].doubted_by; k++) {
			const struct memory *newer = best->p[k].memory;

			if (ranked_may_replace(&best->p[k], &best->p[i]) &&
			    statement_doubts(&all[k], &all[i],
					     memory_same_subject(w, newer->content,
								 best->p[i].memory->content)))
				best->p[i].doubted_by = newer;
		}
}

void ranked_newer_first(struct words *w, struct ranked_list *best)
{
	for (size_t i = 1; i < best->n && i < UPDATES; i++)
		for (size_t k = 0; k < i; k++) {
			struct ranked newer = best->p[i];

			if (!ranked_updates(w, &newer, &best->p[k]))
				continue;
			newer.parts.state += best->p[k].points - newer.points;
			newer.points = best->p[k].points;
			newer.found = fmax(newer.found, best->p[k].found);
			memmove(&best->p[k + 1], &best->p[k], (i - k) * sizeof(*best->p));
			best->p[k] = newer;
			break;
		}
	ranked_doubt(w, best);
}
