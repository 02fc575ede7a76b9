/* Stop words: which words of a text have no meaning of their own. */
#include "words/words.h"
#include "tap.h"

/* The words of a text on one line, a stop word in brackets. */
static struct str marked(struct words *w, struct arena *a, struct str text)
{
	struct word_list list;
	struct buf out = buf_in(a);

	words_read(w, a, text, &list);
	for (size_t i = 0; i < list.n; i++)
		buf_fmt(&out, list.p[i].stop ? "%s(%.*s)" : "%s%.*s", i ? " " : "",
			STR_ARG(list.p[i].text));
	return buf_as_str(&out);
}

static void test_languages(struct words *w, struct arena *a)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{"Wo steht die Brücke?", "(wo) steht (die) brucke"},
		{"Welche Fahrt hat der Mann", "(welche) fahrt (hat) (der) mann"},
		{"why did the server die", "(why) (did) (the) server die"},
		{"which AI wears a hat", "(which) ai wears (a) hat"},
		{"quand est la réunion des équipes", "(quand) (est) (la) reunion (des) equipes"},
		{"donde vive el hijo de la reina", "(donde) vive (el) hijo (de) (la) reina"},
		{"когда приедет мама", "(когда) приедет мама"},
		/* "was" is German and English, so nothing tells which */
		{"was die casting", "(was) die casting"},
		{"the Brücke und die Straße", "(the) brucke (und) die strasse"},
		{"man page hat", "man page hat"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		is_str(marked(w, a, str_of(cases[i].text)), str_of(cases[i].want), cases[i].text);
}

static void test_each(void)
{
	static const char *const stop[] = {"the", "wer", "qui", "para", "кто", "in", "yourself"};
	static const char *const no[] = {"die", "la", "ai", "server", "", "th", "zzz"};

	for (size_t i = 0; i < ARRAY_SIZE(stop); i++)
		ok(word_is_stop(str_of(stop[i])), "'%s' is a stop word in each text", stop[i]);
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		ok(!word_is_stop(str_of(no[i])), "'%s' is not", no[i]);
}

int main(void)
{
	struct arena *a = arena_new();
	struct words *w;

	works(words_new(a, &w), "words without a store");
	test_languages(w, a);
	test_each();
	arena_free(a);
	return tap_done();
}
