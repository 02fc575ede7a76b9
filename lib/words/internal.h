/* What the parts of lib/words share. */
#ifndef IKM_WORDS_INTERNAL_H
#define IKM_WORDS_INTERNAL_H

#include "db/db.h"
#include "words/words.h"

/* ---- characters (script.c) ---- */

enum char_class {
	CHAR_TEXT, /* for unicode61: letters with blanks between words, digits, punctuation */
	CHAR_HAN,
	CHAR_HIRAGANA,
	CHAR_KATAKANA,
	CHAR_HANGUL,
	CHAR_UNSPACED, /* Thai and others */
	CHAR_SYMBOL,
	CHAR_FLAG,  /* half a flag */
	CHAR_BREAK, /* colours of skin and other modifiers: nothing, and no letter */
};
enum char_class char_class(uint32_t code);
/* The next character of a run of CJK, with what combines with it, as it is indexed. */
uint32_t char_compose(struct str text, size_t *at);
bool char_is_capital(uint32_t code);
/* unicode61's folding and what it leaves out, into out[WORD_BYTES]; gives the length. */
size_t word_fold(struct str word, char *out);

/* ---- text into words (split.c) ---- */

/* A word as it was found; the text is valid during the call. */
struct found {
	struct str text;
	struct span at;
	enum words_script script;
	bool extra, stop;
};
void words_split(struct db_words *tokenizers, struct str text,
		 void (*fn)(void *ctx, const struct found *f), void *ctx);

bool word_is_stop(struct str word); /* stop.c */

#endif
