/*
 * vocab: the words of each scope. It answers which words begin with a word of a query, or
 * differ from it by a typing error. lib/memory/memory keeps the vocabulary in step with its texts;
 * lib/store/words splits text into words.
 */
#pragma once

#include "db/db.h"
#include "words/words.h"

/*
 * Changes of the vocabulary, which count how often each scope uses a word. A word without a use is
 * gone. words: as words_count() gives them for a text; by: 1 for a text that was added, -1 for a
 * text that was removed. vocab_store() stores the changes inside a transaction.
 */
struct vocab_changes;
struct vocab_changes *vocab_changes_new(struct arena *a);
void vocab_change(struct vocab_changes *c, int64_t scope, const struct strs *words, int by);
struct err *vocab_store(const struct vocab_changes *c, struct db *db) MUST_USE;
/*
 * Finds the words of some scopes that are near `word`, the text of a struct word. First come
 * words that begin with it (three letters or more), the shortest first. Then come words that are
 * one slip away (four letters or more). A slip is a letter too many, a letter too few, a wrong
 * letter, or two swapped letters. Then come words that are two slips away (eight letters or more),
 * when the first four letters of the word have none, or the four letters behind them. If there is
 * none, the plural or the singular of the word is looked for with slips (five letters or more).
 * Equally near words are in alphabetical order. Returns at most `max` words, without the word
 * itself.
 */
struct vocab_near {
	struct word word;
	unsigned distance; /* number of slips; 0: it begins with the word */
};
struct vocab_nears VEC(struct vocab_near);
struct err *vocab_near(struct words *w, struct db *db, struct arena *a, const int64_t *scopes,
		       size_t n_scopes, struct str word, size_t max,
		       struct vocab_nears *out) MUST_USE;
/*
 * Adds the words of the vocabulary that have the same root as `word`, without the word itself: see
 * words_root(). The root is added without looking it up. At most VOCAB_INFLECTED longer words are
 * compared in each scope, the shortest first.
 */
#define VOCAB_INFLECTED 64
struct err *vocab_find_inflected(struct db *db, struct arena *a, const int64_t *scopes,
				 size_t n_scopes, struct str word, struct strs *out) MUST_USE;
/* Empties the vocabulary, before all words are added again. Call it inside a transaction. */
struct err *vocab_clear(struct db *db) MUST_USE;
