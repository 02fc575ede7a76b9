/* javascript: the words, strings and marks of JavaScript and TypeScript, with JSX. */
#ifndef IKM_LEXER_JAVASCRIPT_H
#define IKM_LEXER_JAVASCRIPT_H

#include "lexer/lexer.h"

/* An open construct, one character each. */
enum js_open {
	JS_PAREN = '(',
	JS_CONTROL = 'c', /* the parenthesis of if, while, for, with: a statement follows it */
	JS_BRACKET = '[',
	JS_BLOCK = '{',
	JS_OBJECT = 'o',
	JS_IN_TEMPLATE = '$', /* ${ */
	JS_IN_ELEMENT = 'j',  /* { between or in tags */
	JS_TEMPLATE = '`',
	JS_TAG = '<',
	JS_CHILDREN = '>',
};

struct js {
	struct lexer *r;
	bool jsx; /* "<a>" begins an element */
	struct {
		char *p;
		size_t n, cap;
	} open;
	/*
	 * WORD: escapes are decoded. STRING: also a template without ${}. OTHER: a number, a
	 * regular expression, a template with ${}, an element. MARK: "." stands for "?." too.
	 */
	struct lexeme now;
	bool operand;    /* the last lexeme ends an expression, so "/" divides */
	bool dot;        /* it is "." or "?." */
	bool words;      /* there was one */
	unsigned angles; /* "<" in a tag: arguments of a generic element */
	char last;       /* the last lexeme when it is a mark, or 0 */
	struct str word; /* ... when it is a word */
	size_t no_regex; /* no regular expression ends before this offset */
	size_t closing;  /* no "</" stands between r->at and this offset */
};

/* jsx: as the suffix of the file tells. */
struct js js_of(struct lexer *r);
/*
 * Reads the next lexeme into j->now. Returns whether there is one. open.n tells how much is open
 * behind it.
 */
bool js_next(struct js *j);
static inline bool js_mark(const struct js *j, char c)
{
	return j->now.kind == LEX_MARK && j->now.mark == c;
}

#endif
