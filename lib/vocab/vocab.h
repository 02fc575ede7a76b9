/*
 * vocab: the words that the store has seen. They answer which words a word of a query may stand
 * for: those that begin with it, and those that a slip of the hand makes of it. lib/memory keeps
 * the vocabulary in step with its texts. Splitting text into words is lib/words.
 */
#ifndef IKM_VOCAB_H
#define IKM_VOCAB_H

#include "db/db.h"
#include "words/words.h"

/*
 * Remembers words, as words_count() tells fresh ones: those of three characters and more, with at
 * most four digits, that are no stop words. Within db_write(). w keeps in mind what it has learned:
 * after a transaction that failed, take another one.
 */
struct err *vocab_learn(struct words *w, struct db *db, const struct strs *texts) MUST_USE;
/*
 * Words of the vocabulary that `word`, a struct word's text, may stand for: those that begin with
 * it (three letters and more), the shortest first; then those one slip of the hand away (four
 * letters and more): a letter too many, too few, another one, or two swapped; then those two slips
 * away (eight letters and more), unless both are in the first seven letters and one in the first
 * four. Alphabetically where they are as near, at most `max`, not the word itself.
 */
struct vocab_near {
	struct word word;
	unsigned distance; /* slips; 0: it begins so */
};
struct vocab_nears {
	struct vocab_near *p;
	size_t n, cap;
};
struct err *vocab_near(struct words *w, struct db *db, struct arena *a, struct str word, size_t max,
		       struct vocab_nears *out) MUST_USE;
/* Takes words out of the vocabulary: for what must be erased. Within db_write(). */
struct err *vocab_forget(struct words *w, struct db *db, const struct strs *texts) MUST_USE;
/* Empties the vocabulary: for who then learns all words anew. Within db_write(). */
struct err *vocab_clear(struct words *w, struct db *db) MUST_USE;

#endif
