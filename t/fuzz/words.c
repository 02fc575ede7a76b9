#include "words/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int by_term(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Any bytes: words in order, inside the text, valid; their counts are the counts. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct str text = {(const char *)data, size};
	struct words *w;
	struct word_list list;
	struct words_counts counts;
	size_t end = 0, length = 0, at = 0;
	uint64_t *terms;

	if (words_new(a, &w))
		BUG("no words");
	words_read(w, a, text, &list);
	words_count(w, a, text, &counts, NULL);
	terms = arena_array(a, list.n + 1, sizeof(*terms));
	for (size_t i = 0; i < list.n; i++) {
		const struct word *word = &list.p[i];

		if (word->at.from >= word->at.to || word->at.to < end || word->at.to > size)
			BUG("word %zu is out of place", i);
		if (!word->text.n || !str_is_text(word->text))
			BUG("word %zu is no text", i);
		end = word->at.to;
		length += !word->extra;
		terms[i] = word->term;
	}
	qsort(terms, list.n, sizeof(*terms), by_term);
	for (size_t i = 0; i < counts.n; i++)
		for (uint32_t k = 0; k < counts.p[i].count; k++)
			if (at == list.n || terms[at++] != counts.p[i].term)
				BUG("term %zu is counted wrong", i);
	if (at != list.n || length != counts.length)
		BUG("%zu words, %zu counted", list.n, at);
	arena_free(a);
	return 0;
}
