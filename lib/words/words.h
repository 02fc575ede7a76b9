/*
 * words: splits text into the words that a search finds it by (ikm-design(7), "Query planning").
 * Indexed texts and queries pass through the same functions. Every byte string is a valid text;
 * what is no UTF-8 parts words, and NUL does.
 *
 * Letters and digits of scripts that leave blanks between words are split and folded as SQLite's
 * unicode61 does it (case and diacritics; here also full-width letters, and ss for a sharp s), then
 * stemmed by Porter's rules. Of a word of more than 64 bytes the first 64 count. So far that is
 * what FTS5 finds; more words stand beside them and are marked `extra`:
 *   - a.b, a_b, a@b whole, behind their parts: identifiers, file names, hosts, addresses, versions.
 *     Numbers also with : - / (10:30, 2023-05-08), and every beginning (1.2 of 1.2.3 and v1.2.3).
 *     Paths are their parts. Nothing over 64 bytes.
 *   - joined: e-mail, O'Brien (one letter before - or '), U.S.A., 12,500, soft hyphens.
 *   - the parts of camelCase, and c++, c#.
 *   - each character of a run of Han or Hangul.
 * Runs of Han, kana and Hangul, and of Thai, Lao, Khmer and Burmese, are overlapping pairs of
 * characters, half-width kana folded; a run of one character is that. An emoji or other symbol is a
 * word, without its colour; a flag is one.
 *
 * Knows no store: lib/index and lib/vocab keep what this module finds, and lib/knowledge ranks by
 * it.
 */
#ifndef IKM_WORDS_H
#define IKM_WORDS_H

#include "base/base.h"

struct words; /* one thread */
struct err *words_new(struct arena *a, struct words **out) MUST_USE;

enum words_script {
	WORDS_LETTERS,
	WORDS_PAIR, /* two characters of a run */
	WORDS_CHAR, /* one character of a run */
	WORDS_SYMBOL,
};

struct word {
	struct str text; /* folded, not stemmed; in the arena */
	uint64_t term;   /* what stands for it in the index: words_term('w', its stem) */
	struct span at;  /* in the text */
	enum words_script script;
	bool stop;    /* says nothing by itself: "the", "who", a pair of hiragana, a character
			 whose run is longer */
	bool extra;   /* says again what other words say; not part of the length, of no phrase */
	bool capital; /* written with a capital letter: a name, or a sentence's begin */
};
struct word_list {
	struct word *p;
	size_t n, cap;
};
/* All words, in order of their ends, stop words included. */
void words_read(struct words *w, struct arena *a, struct str text, struct word_list *out);
/*
 * Words as counts, each term once, sorted by term. length: how many words without the extra. fresh
 * (may be NULL): those words that w has not met lately, for vocab_learn(): a thread that only
 * counts hands them to the one that writes. Some come more than once.
 */
struct words_count {
	uint64_t term;
	uint32_t count;
};
struct words_counts {
	struct words_count *p;
	size_t n, cap;
	uint32_t length;
};
void words_count(struct words *w, struct arena *a, struct str text, struct words_counts *out,
		 struct strs *fresh);

/* Which words may have one of some terms, by how they begin: most words have none of them. */
#define WORDS_SIEVE 32
struct words_sieve {
	bool pairs[WORDS_SIEVE * WORDS_SIEVE];
};
/* Lets through what has the term of this word, a struct word's text. */
void words_sieve_add(struct words *w, struct words_sieve *s, struct str word);
/*
 * Calls fn for each word, as words_read() gives them, for who reads many texts and keeps none: the
 * word is valid during the call. term: 0 when the sieve (NULL: it lets all through) says that it is
 * none of those; that saves finding its stem, which takes longer than finding the word. Words that
 * have the same term begin with the same byte.
 */
void words_sift(struct words *w, struct str text, const struct words_sieve *sieve,
		void (*fn)(void *ctx, struct str word, uint64_t term, bool extra), void *ctx);

/* 64 bits that stand for a text of this class: 'w' words' stems; others are marks (lib/memory). */
uint64_t words_term(char class, struct str text);

/* ---- what the vocabulary (lib/vocab) is made of ---- */

/* At most so many bytes of a word count. */
#define WORD_BYTES 64

/* The vocabulary takes words of three characters and more, with at most four digits, no stop words.
 */
bool word_is_learned(struct str word);
/* The term of a struct word's text: words_term('w', its stem). */
uint64_t words_stem_term(struct words *w, struct str word);
/* Tells whether w remembers that the vocabulary has the word, then remembers `met` instead. */
bool words_met(struct words *w, struct str word, bool met);
void words_meet_none(struct words *w);

#endif
