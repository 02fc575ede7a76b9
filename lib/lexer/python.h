/*
 * python: the words, strings and marks of Python. A format string has expressions with strings of
 * their own, which are read as lexemes behind it.
 */
#ifndef IKM_LEXER_PYTHON_H
#define IKM_LEXER_PYTHON_H

#include "lexer/lexer.h"

/* An open construct, one character each. */
enum py_open {
	PY_BRACKET = '(',
	PY_FORMAT = 'f',     /* the text of a format string */
	PY_EXPRESSION = '{', /* {expression} in it */
	PY_SPEC = ':',       /* the text behind {expression: */
};

/* A format string. */
struct py_format {
	char quote;
	bool three, raw;
	size_t at;
};

struct py {
	struct lexer *r;
	struct {
		char *p;
		size_t n, cap;
	} open;
	struct {
		struct py_format *p;
		size_t n, cap;
	} formats;
	/* STRING: program, when it is a format string or has bytes. LINE: no bracket is open. */
	struct lexeme now;
};

static inline struct py py_of(struct lexer *r)
{
	return (struct py){.r = r};
}
/* Reads the next lexeme into y->now. Returns whether there is one. */
bool py_next(struct py *y);

#endif
