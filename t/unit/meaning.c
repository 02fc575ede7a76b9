/* The table of word vectors. */
#include "meaning/meaning.h"
#include "tap.h"
#include <math.h>

static bool near_has(const struct meaning_nears *near, struct str word)
{
	for (size_t i = 0; i < near->n; i++)
		if (str_eq(near->p[i].word, word))
			return true;
	return false;
}

static double cosine(const char *x, const char *y)
{
	return meaning_cosine(meaning_vector_of_word(str_of(x)), meaning_vector_of_word(str_of(y)));
}

/* Every word of the table: by the words near to those found before. */
static void test_words(struct arena *a)
{
	struct meaning_nears all;
	bool found = true, sorted = true;

	meaning_nearest_words(a, meaning_vector_of_word(STR("doctor")), -1.1, SIZE_MAX, &all);
	ok(all.n == 29999, "all words but the word itself are near enough to a cosine below -1");
	for (size_t i = 0; i < all.n; i++) {
		const signed char *row = meaning_vector_of_word(all.p[i].word);

		found = found && row && fabs(meaning_cosine(row, row) - 1) < 0.05;
		sorted = sorted && (!i || all.p[i].cosine <= all.p[i - 1].cosine);
	}
	ok(found, "each word is found by its letters, and its row has the length 1");
	ok(sorted, "the nearest word comes first");
}

int main(void)
{
	struct arena *a = arena_new();
	static const char *const none[] = {
		"", "a a", "zzzz", "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq", "\xff", "0"};
	struct meaning_nears near;

	test_words(a);
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		ok(!meaning_vector_of_word(str_of(none[i])), "the table lacks '%s'", none[i]);
	meaning_nearest_words(a, meaning_vector_of_word(STR("elevator")), 0.4, 40, &near);
	ok(near.n == 40 && near_has(&near, STR("stairs")) && !near_has(&near, STR("elevator")),
	   "at most as many as asked for, without the word itself");
	ok(cosine("doctor", "physician") > 0.7, "words of one meaning are near each other");
	ok(cosine("doctor", "printer") < 0.4, "others are not");
	arena_free(a);
	return tap_done();
}
