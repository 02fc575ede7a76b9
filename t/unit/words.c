/* Text into words, counts, the vocabulary. */
#include "words/words.h"
#include "dir.h"
#include "tap.h"

/* "word", "(stop)", "+extra": what words_read() makes of a text, on one line. */
static struct str shown(struct words *w, struct arena *a, struct str text)
{
	struct word_list list;
	struct buf out = buf_in(a);

	words_read(w, a, text, &list);
	for (size_t i = 0; i < list.n; i++) {
		const struct word *word = &list.p[i];

		buf_fmt(&out, "%s%s%s%.*s%s", i ? " " : "", word->extra ? "+" : "",
			word->stop ? "(" : "", STR_ARG(word->text), word->stop ? ")" : "");
	}
	return buf_str(&out);
}
int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	struct words *w;
	works(words_new(a, &w), "words");
	for (int i = 1; i < argc; i++) printf("%s => %.*s\n", argv[i], STR_ARG(shown(w, a, str_of(argv[i]))));
	arena_free(a);
	return tap_done();
}
