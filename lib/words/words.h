/*
 * words: text into the words that it is found by (memory.md, "Search"). Runs of Latin, Greek,
 * Cyrillic and the like go through SQLite's unicode61 and Porter's stemmer; runs of Chinese,
 * Japanese and Korean become overlapping pairs of characters and the run's last character. What is
 * indexed and what is asked pass through the same functions. Every byte string is a valid text.
 *
 * The vocabulary, which words the store has seen, serves prefixes and spelling neighbours.
 */
#ifndef IKM_WORDS_H
#define IKM_WORDS_H

#include "db/db.h"

struct words; /* one thread */
struct err *words_new(struct arena *a, struct words **out) MUST_USE;

enum words_script { WORDS_LETTERS, WORDS_PAIR, WORDS_LAST };

struct word {
	struct str text;  /* folded, not stemmed; in the arena */
	uint64_t term;    /* what stands for it in the index: words_term('w', its stem) */
	struct span at;   /* in the text */
	enum words_script script;
	bool stop;        /* says nothing by itself: "the", "who", a pair of hiragana */
	bool capital;     /* written with a capital letter: a name, or a sentence's begin */
};
struct word_list {
	struct word *p;
	size_t n, cap;
};
/* All words in order, stop words included. */
void words_read(struct words *w, struct arena *a, struct str text, struct word_list *out);

/* The same as counts, each term once, sorted by term. *length: how many words in all. */
struct words_count {
	uint64_t term;
	uint32_t count;
};
struct words_counts {
	struct words_count *p;
	size_t n, cap;
	uint32_t length;
};
void words_count(struct words *w, struct arena *a, struct str text, struct words_counts *out);

/* 64 bits that stand for a text of this class: 'w' words' stems; others are marks (lib/memory). */
uint64_t words_term(char class, struct str text);

/* ---- the vocabulary ---- */

/* Remembers the words of a list (not pairs, not numbers of many digits). Within db_write(). */
struct err *words_learn(struct words *w, struct db *db, const struct word_list *list) MUST_USE;
/*
 * Words of the vocabulary that `word` may stand for: those that begin with it (three letters and
 * more), and those one slip of the hand away (two for eight letters and more). At most `max`,
 * nearest first, then alphabetically. Not the word itself.
 */
struct word_near {
	struct word word;
	unsigned distance; /* slips; 0: it begins so */
};
struct words_near {
	struct word_near *p;
	size_t n, cap;
};
struct err *words_near(struct words *w, struct db *db, struct arena *a, struct str word, size_t max,
		       struct words_near *out) MUST_USE;
/* Takes words out of the vocabulary: for what must be erased. Within db_write(). */
struct err *words_forget(struct words *w, struct db *db, const struct strs *texts) MUST_USE;

#endif
