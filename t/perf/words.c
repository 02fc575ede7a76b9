/*
 * words: what finding words costs, and whether it finds.
 *   words speed <TEXT         MB a second of words_count(), line by line, and of FTS5's tokenizers
 *   words find QUERY <TEXT    lines that have the query's words, and lines that contain it
 *   words vocabulary STORE N  seconds to learn N words; µs of vocab_near(), mean and 99th
 * percentile Processor time, the best of some passes.
 */
#include "db/db.h"
#include "vocab/vocab.h"
#include "words/words.h"
#include <time.h>

enum { PASSES = 5, ASKED = 1000 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct str slurp(struct arena *a)
{
	struct buf b = buf_in(a);
	char part[65536];
	size_t n;

	while ((n = fread(part, 1, sizeof(part), stdin)) > 0)
		buf_put(&b, (struct str){part, n});
	return buf_as_str(&b);
}

static void must(struct err *e)
{
	if (e)
		BUG("%s", err_message(e));
}

/* ---- speed ---- */

static void stem(void *ctx, struct str word, size_t from, size_t to)
{
	(void)from;
	(void)to;
	db_words_stem(ctx, word);
}

static void speed(struct words *w, struct arena *a, struct str text)
{
	double ours = 0, theirs = 0;
	struct db_words *fts5;

	must(db_fts5_tokenizer_borrow(a, &fts5));
	for (int pass = 0; pass < PASSES; pass++) {
		struct arena *child = arena_new();
		struct str rest = text, line;
		double start = now(), middle;

		while (str_next_line(&rest, &line)) {
			struct words_counts counts;

			words_count(w, child, line, &counts, NULL);
		}
		middle = now();
		db_words_split(fts5, text, stem, fts5);
		theirs = theirs > 1 / (now() - middle) ? theirs : 1 / (now() - middle);
		ours = ours > 1 / (middle - start) ? ours : 1 / (middle - start);
		arena_free(child);
	}
	printf("%.1f %.1f\n", ours * (double)text.n / 1e6, theirs * (double)text.n / 1e6);
}

/* ---- finding ---- */

static bool has(const struct words_counts *counts, uint64_t term)
{
	for (size_t i = 0; i < counts->n; i++)
		if (counts->p[i].term == term)
			return true;
	return false;
}

static void find(struct words *w, struct arena *a, struct str text, struct str query)
{
	size_t contain = 0, found = 0;
	struct word_list want;
	struct str line;

	words_read(w, a, query, &want);
	while (str_next_line(&text, &line)) {
		struct arena *child = arena_new();
		struct words_counts counts;
		bool all = want.n;

		words_count(w, child, line, &counts, NULL);
		for (size_t i = 0; i < want.n && all; i++)
			all = want.p[i].stop || has(&counts, want.p[i].term);
		found += all;
		contain += str_find(line, query, 0) != SIZE_MAX;
		arena_free(child);
	}
	printf("%zu %zu\n", found, contain);
}

/* ---- the vocabulary ---- */

static uint64_t seed = 1;

static size_t chance(size_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (seed >> 33) % n;
}

static struct str any_word(struct arena *a)
{
	static const char *const begins[] = {"b", "c", "d",  "f", "g",  "l", "m",  "n",   "p", "pr",
					     "r", "s", "st", "t", "tr", "v", "ch", "con", "re"};
	static const char *const middles[] = {"a", "e", "i", "o", "u", "ea", "ou", "io"};
	static const char *const ends[] = {"", "n", "r", "s", "t", "ng", "ll", "st", "m", "d"};
	struct buf b = buf_in(a);

	for (size_t i = 2 + chance(3); i--;) {
		buf_puts(&b, begins[chance(ARRAY_SIZE(begins))]);
		buf_puts(&b, middles[chance(ARRAY_SIZE(middles))]);
		buf_puts(&b, ends[chance(ARRAY_SIZE(ends))]);
	}
	return buf_as_str(&b);
}

struct learning {
	struct db *db;
	struct strs texts;
};

static struct err *learn(struct learning *l)
{
	struct db_txn txn DB_TXN = {0};
	struct arena *a = arena_new();
	struct vocab_changes *c = vocab_changes_new(a);
	struct err *e;

	TRY(db_begin(&txn, l->db));
	vocab_change(c, 0, &l->texts, 1);
	e = vocab_store(c, l->db);
	arena_free(a);
	TRY(e);
	return db_commit(&txn);
}

static int by_time(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void vocabulary(struct words *w, struct arena *a, const char *path, size_t n)
{
	struct learning l = {db_new(a, path), {0}};
	double start, us[ASKED], sum = 0;
	struct strs all = {0};
	struct vocab_nears near;

	while (all.n < n) {
		while (all.n < n)
			strs_push(a, &all, any_word(a));
		strs_sort(&all);
		n = all.n;
		all.n = 0;
		for (size_t i = 0; i < n; i++)
			if (!all.n || !str_eq(all.p[all.n - 1], all.p[i]))
				all.p[all.n++] = all.p[i];
	}
	start = now();
	for (size_t i = 0; i < n; i += 4096) {
		l.texts = (struct strs){all.p + i, size_min(4096, n - i), 0};
		must(learn(&l));
	}
	printf("%.2f", now() - start);
	for (int i = 0; i < ASKED; i++) {
		struct str word = all.p[chance(n)];
		char *slip = str_c(a, word);

		slip[chance(word.n)] = (char)('a' + chance(26));
		start = now();
		must(vocab_near(w, l.db, a, (const int64_t[]){0}, 1, str_of(slip), 20, &near));
		sum += us[i] = (now() - start) * 1e6;
	}
	qsort(us, ASKED, sizeof(*us), by_time);
	printf(" %.0f %.0f\n", sum / ASKED, us[ASKED * 99 / 100]);
}

int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	struct words *w;
	int64_t n;

	must(words_new(a, &w));
	if (argc == 2 && str_is(str_of(argv[1]), "speed"))
		speed(w, a, slurp(a));
	else if (argc == 3 && str_is(str_of(argv[1]), "find"))
		find(w, a, slurp(a), str_of(argv[2]));
	else if (argc == 4 && str_int(str_of(argv[3]), &n) && n > 0)
		vocabulary(w, a, argv[2], (size_t)n);
	else
		return 2;
	arena_free(a);
	return 0;
}
