/* c: the words, strings and marks of C, C++ and Objective-C, and what they include. */
#ifndef IKM_LEXER_C_H
#define IKM_LEXER_C_H

#include "lexer/lexer.h"

/* What a lexeme imports. */
enum c_import {
	C_NONE,
	C_SYSTEM, /* <a.h> */
	C_QUOTED, /* "a.h" */
	C_MACRO,  /* a macro decides */
	C_MODULE, /* import a.b; */
};

struct c_lexer {
	struct lexer *r;
	struct lexeme now; /* a line of the preprocessor that includes is one lexeme */
	enum c_import import;
	bool line_start;     /* only blanks and comments since the start of the line */
	bool begins;         /* a statement may begin here */
	size_t no_character; /* an apostrophe before this offset begins no character */
	bool directive;      /* in a line of the preprocessor, whose text need not be code */
};

static inline struct c_lexer c_of(struct lexer *r)
{
	return (struct c_lexer){.r = r, .line_start = true, .begins = true};
}
/* Reads the next lexeme into c->now. Returns whether there is one. */
bool c_next(struct c_lexer *c);

#endif
