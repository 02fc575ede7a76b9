/* Shared declarations of lib/store/words. */
#pragma once

#include "db/db.h"
#include "words/words.h"

/* ---- characters (script.c) ---- */

enum char_class {
	CHAR_TEXT, /* letters of scripts with blanks between words, digits, punctuation: unicode61
		      splits them */
	CHAR_HAN,
	CHAR_HIRAGANA,
	CHAR_KATAKANA,
	CHAR_HANGUL,
	CHAR_UNSPACED, /* Thai and others */
	CHAR_SYMBOL,
	CHAR_FLAG,  /* half of a flag */
	CHAR_BREAK, /* skin colours and other modifiers: no letters, not indexed */
};
enum char_class char_class(uint32_t code);
/*
 * Reads the next character of a run of CJK and the marks that combine with it. Returns the
 * character that the index uses.
 */
uint32_t char_compose(struct str text, size_t *at);
/*
 * Marks further stop words of a text: those of the language, or of each of the languages, that most
 * of its stop words are of. So "die" is one in "wo steht die Brücke", and none in "why did it die".
 * Clears the capitals of a German text.
 */
void words_mark_stop_by_language(struct word_list *words);
