/* The cache of terms of words, and the words that a text uses. */
#include "words/words.h"
#include "tap.h"

/* The cache of terms compares eight bytes at a time, and has no place for words over 23 bytes. */
static void test_cache(struct words *w)
{
	char word[40];
	bool same = true, differ = true;

	for (size_t n = 1; n < sizeof(word); n++) {
		uint64_t before, terms[sizeof(word)];

		memset(word, 'q', n);
		before = words_term_of_stem(w, (struct str){word, n});
		for (size_t i = 0; i < n; i++) {
			word[i] = 'z';
			terms[i] = words_term_of_stem(w, (struct str){word, n});
			word[i] = 'q';
			differ = differ && terms[i] != before && (!i || terms[i] != terms[i - 1]);
		}
		same = same && words_term_of_stem(w, (struct str){word, n}) == before;
	}
	ok(differ, "words that differ in one letter have other terms");
	ok(same, "a word has the same term again");
}

static void test_uses(struct words *w, struct arena *a)
{
	struct words_counts one, two;
	struct strs uses = {0}, again = {0};
	struct str text = STR("fresh fresher fresh, a_b 設定 the 55555");

	words_count(w, a, text, &one, NULL);
	words_count(w, a, text, &two, &uses);
	ok(one.n == two.n && !memcmp(one.p, two.p, one.n * sizeof(*one.p)), "the same counts");
	is_str(str_join(a, &uses, " "), STR("fresh fresher"), "each word of the vocabulary once");
	words_count(w, a, text, &two, &again);
	is_str(str_join(a, &again, " "), STR("fresh fresher"), "the same for the same text");
}

int main(void)
{
	struct arena *a = arena_new();
	struct words *w;

	works(words_new(a, &w), "words without a store");
	test_cache(w);
	test_uses(w, a);
	arena_free(a);
	return tap_done();
}
