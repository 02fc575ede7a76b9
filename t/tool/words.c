/*
 * words: what standard input is found by. `words counts` prints `term count` for each term of its
 * words, without the extra ones; `words terms` reads lines `stem count` and prints them the same
 * way, so that another tokenizer's stems can be held against ours. `words nfc` prints each line in
 * normalization form C, or "! CHARACTER" for a line with a character that this form never has.
 * `words stems` prints `term word` for each line, and " stop" behind a stop word. counts and terms
 * leave out the words of the file STOPS, and what Porter makes one of them: there we differ.
 */
#include "words/internal.h"
#include "os/os.h"

/* The stop words, and the stems that Porter gives them. */
static struct strs stop_stems(struct db_words *porter, struct arena *a, const char *path)
{
	struct strs out = {0};
	struct str text, stop;

	if (os_read_path(a, path, SIZE_MAX, &text))
		exit(2);
	while (str_next_line(&text, &stop)) {
		strs_push(a, &out, stop);
		strs_push(a, &out, str_dup(a, db_words_stem(porter, stop)));
	}
	return out;
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

static int by_term(const void *a, const void *b)
{
	const struct word *x = a, *y = b;

	return x->term < y->term ? -1 : x->term > y->term;
}

static void counts(struct words *w, struct db_words *porter, const struct strs *stops,
		   struct arena *a, struct str text)
{
	struct word_list list;
	size_t n = 0;

	words_read(w, a, text, &list);
	for (size_t i = 0; i < list.n; i++)
		if (!list.p[i].extra && !strs_has(stops, db_words_stem(porter, list.p[i].text)))
			list.p[n++] = list.p[i];
	if (n)
		qsort(list.p, n, sizeof(*list.p), by_term);
	for (size_t i = 0, same; i < n; i += same) {
		for (same = 1; i + same < n && list.p[i + same].term == list.p[i].term;)
			same++;
		printf("%016llx %zu\n", (unsigned long long)list.p[i].term, same);
	}
}

int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	struct words *w;
	struct db_words *porter;
	struct strs stops = {0};
	struct str text = slurp(a), line, stem;

	if (argc < 2 || argc > 3 || words_new(a, &w) || db_fts5_tokenizer_borrow(a, &porter))
		return 2;
	if (argc == 3)
		stops = stop_stems(porter, a, argv[2]);
	if (str_is(str_of(argv[1]), "counts")) {
		counts(w, porter, &stops, a, text);
	} else if (str_is(str_of(argv[1]), "stems")) {
		while (str_next_line(&text, &line))
			printf("%016llx %.*s%s\n", (unsigned long long)words_term_of_stem(w, line),
			       STR_ARG(line), word_is_stop(line) ? " stop" : "");
	} else if (str_is(str_of(argv[1]), "nfc")) {
		while (str_next_line(&text, &line)) {
			const char *mark = words_nfc(a, line, &stem) ? "" : "! ";

			printf("%s%.*s\n", mark, STR_ARG(stem));
		}
	} else {
		while (str_next_line(&text, &line)) {
			str_next_part(&line, ' ', &stem);
			if (!strs_has(&stops, stem))
				printf("%016llx %.*s\n",
				       (unsigned long long)words_term_hash('w', stem),
				       STR_ARG(line));
		}
	}
	arena_free(a);
	return 0;
}
