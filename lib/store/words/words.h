/*
 * words: splits text into the words that a search uses (ikm-design(7), "Query planning"). Indexed
 * texts and queries pass through the same functions. Every byte string is a valid text; NUL and
 * bytes that are not UTF-8 separate words.
 *
 * In scripts with blanks between words, letters and digits are split and folded as SQLite's
 * unicode61 does it (case and diacritics). ikm also folds full-width letters, and the sharp s to
 * ss. Then Porter's rules give the stem. Only the first 64 bytes of a word count. FTS5 finds the
 * same words. Only stop words differ: each is its own stem, and no other word's. ikm adds more
 * words beside them, which are marked `extra`:
 *   - Compounds a.b, a_b, a@b, behind their parts: identifiers, file names, hosts, addresses,
 *     versions. Numbers also with : - / (10:30, 2023-05-08), and every beginning (1.2 of 1.2.3
 *     and v1.2.3). A path has only its parts. A compound has at most 64 bytes.
 *   - Joined words: e-mail, O'Brien (one letter before - or '), U.S.A., 12,500, soft hyphens.
 *   - The parts of camelCase, and c++, c#.
 *   - Each character of a run of Han or Hangul.
 * A run of Han, kana or Hangul, or of Thai, Lao, Khmer or Burmese, gives overlapping pairs of
 * characters; half-width kana are folded. A run of one character gives that character. An emoji or
 * other symbol is a word, without its colour; so is a flag.
 *
 * words keeps no store: lib/store/index and lib/store/vocab store the words, and
 * lib/rules/knowledge ranks by them.
 */
#pragma once

#include "base/base.h"

struct words; /* used by one thread */
struct err *words_new(struct arena *a, struct words **out) MUST_USE;

enum words_script {
	WORDS_LETTERS,
	WORDS_PAIR, /* two characters of a run */
	WORDS_CHAR, /* one character of a run */
	WORDS_SYMBOL,
};

struct word {
	struct str text; /* folded, not stemmed; in the arena */
	uint64_t term;   /* its term in the index: words_term_hash('w', its stem) */
	struct span at;  /* in the text */
	enum words_script script;
	bool stop;  /* a stop word: "the", "who", a pair of hiragana, a character of a longer run */
	bool extra; /* repeats other words; not counted in the length, not used in phrases */
	/*
	 * Begins with a capital: a name, or the first word of a sentence. In a German text none
	 * does: there each noun begins so.
	 */
	bool capital;
};
struct word_list VEC(struct word);
/* Returns all words, in order of their ends, with the stop words. */
void words_read(struct words *w, struct arena *a, struct str text, struct word_list *out);
/*
 * Counts the terms of a text, sorted by term. `length` is the number of words without the extra
 * words. `uses` (may be NULL) receives the words of the vocabulary that the text has, for
 * vocab_change(): the same words for the same text, nearly all of them once.
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
		 struct strs *uses);

/* A filter by first letters for words that may have one of some terms. It rejects most words. */
#define WORDS_SIEVE 32
struct words_sieve {
	bool pairs[WORDS_SIEVE * WORDS_SIEVE];
};
/* Adds the term of this word, the text of a struct word, to the filter. */
void words_sieve_add(struct words *w, struct words_sieve *s, struct str word);
/*
 * Calls fn for each word that words_read() finds. For callers that read many texts and keep none:
 * the word is valid during the call. term is 0 when the sieve rejects the word (sieve NULL accepts
 * all). This saves the stem, which takes longer than finding the word. Words with the same term
 * begin with the same byte.
 */
void words_each_with_sieve(struct words *w, struct str text, const struct words_sieve *sieve,
			   void (*fn)(void *ctx, struct str word, uint64_t term, bool extra),
			   void *ctx);

/* Whether a folded word is a stop word in texts of any language: "the", "who". */
bool word_is_stop(struct str word);

/*
 * Adds the other forms of a folded word that its stem does not cover: "went" of "go", "feet" of
 * "foot". For queries: index and vocabulary have each word as it is.
 */
void words_forms(struct str word, struct arena *a, struct strs *out);
/*
 * The root of a Cyrillic word: the word without its ending. Words with the same root are mostly
 * inflections of one word. Empty for words of other scripts, and for words of fewer than three
 * letters.
 */
struct str words_root(struct str word);

/* A hash of 64 bits for a text of a class: 'w' for stems; lib/memory/memory has other classes. */
uint64_t words_term_hash(char class, struct str text);
/* Sorts numbers such as terms; fast for the few dozens that a memory has. n may be 0. */
void words_sort_terms(uint64_t *p, size_t n);

/*
 * The text in Unicode's normalization form C, where a letter with its marks is one character. For
 * short texts such as ids. False: the text has a character that this form never has, as U+212B, or
 * a byte that is no UTF-8, and *out is that.
 */
bool words_nfc(struct arena *a, struct str text, struct str *out) MUST_USE;
/*
 * What two names of files have in common that differ only in Unicode's form and in kinds of space:
 * form C, with plain blanks. A name that is no UTF-8 stays as it is.
 */
struct str words_normalize_file_name(struct arena *a, struct str name);
/* The text with letters that are not ASCII in lower case and without their marks: "grosse" of
 * "größe". A text that is no UTF-8 stays as it is. */
struct str words_plain_letters(struct arena *a, struct str text);
/* Whether a key is another spelling of a name: by case, marks, width, invisible characters, blanks,
 * "-" or "_". */
bool words_key_is_like(struct arena *a, struct str key, struct str name);

/* ---- for the vocabulary (lib/store/vocab) ---- */

/* ikm reads the first 64 bytes of a word, and ignores the rest of a longer word. */
#define WORD_BYTES 64

/* The term of a struct word's text: words_term_hash('w', its stem). */
uint64_t words_term_of_stem(struct words *w, struct str word);
