/* ruby: the words, strings and marks of Ruby. */
#ifndef IKM_LEXER_RUBY_H
#define IKM_LEXER_RUBY_H

#include "lexer/lexer.h"

#define RUBY_OPEN_MAX   100000 /* strings and code that stand in each other */
#define RUBY_SHIFTS_MAX 64     /* each one reads the rest of the file */

/* What the last token lets follow: it tells a division from a regular expression. */
enum ruby_state {
	RUBY_BEGIN, /* an operand */
	RUBY_VALUE, /* an operator: a value has ended */
	RUBY_NAME,  /* the name of a method: an operator, or an argument behind a blank */
	RUBY_DOT,   /* the name of a method, behind a dot */
	RUBY_DEF,   /* a name that is defined: "def", "alias" */
	RUBY_CLASS, /* behind "class", where "<<" is an operator */
};

/* An open construct: code, a string or a here document. */
struct ruby_open {
	enum { RUBY_CODE, RUBY_TEXT, RUBY_DOC } what;
	char open, close;        /* TEXT: its brackets or quotes */
	size_t depth;            /* TEXT: open brackets; CODE: open braces around its string */
	bool code;               /* TEXT: #{code} may stand in it */
	bool regex;              /* TEXT: flags follow it */
	size_t at;               /* where it begins */
	size_t doc, first, last; /* DOC: which one; those of its line; what held before */
};

/* A here document: its text follows the line. */
struct ruby_doc {
	struct str end;
	bool code, indented;
	size_t at;
};

struct ruby {
	struct lexer *r;
	struct {
		struct ruby_open *p;
		size_t n, cap;
	} open;
	struct {
		struct ruby_doc *p;
		size_t n, cap;
	} docs;
	size_t docs_first; /* the first one that waits for the end of this line */
	size_t braces;     /* open ones of the code that is read */
	enum ruby_state state;
	struct lexeme now;
	struct str receiver; /* of a WORD behind a dot: the word before the dot, or empty */
	struct str before;   /* the token before when it is a word */
	unsigned shifts;     /* "a <<b" that began no here document */
	unsigned names;      /* names of "alias a b" that follow */
	bool def;            /* behind "def self", where a dot leads to the name */
};

static inline struct ruby ruby_of(struct lexer *r)
{
	return (struct ruby){.r = r, .receiver = {"", 0}, .before = {"", 0}};
}
/*
 * Reads the next token into y->now. False: there is none. Behind a string come the tokens of its
 * code, and behind "}" its text goes on.
 */
bool ruby_next(struct ruby *y);
static inline bool ruby_mark(const struct ruby *y, char c)
{
	return y->now.kind == LEX_MARK && y->now.mark == c;
}
static inline bool ruby_is(const struct ruby *y, const char *word)
{
	return y->now.kind == LEX_WORD && !y->now.dot && lexer_same(y->now.word, word);
}

/* ---- ruby_text.c: strings and here documents ---- */

struct ruby_open *ruby_push(struct ruby *y, struct ruby_open o);
static inline struct ruby_open *ruby_top(struct ruby *y)
{
	return y->open.n ? &y->open.p[y->open.n - 1] : NULL;
}
/* Reads the string or here document on top from r->at, to its end or to code in it. */
void ruby_read_text(struct ruby *y);
/* The literal whose text begins at r->at + skip becomes y->now. */
bool ruby_literal(struct ruby *y, size_t skip, char open, char close, bool code, bool regex);
/* At "<<". False: it begins no here document. */
bool ruby_doc_begin(struct ruby *y);
/* Behind the end of a line: the here documents that it named begin. */
void ruby_docs(struct ruby *y);
/* The text of the string that y->now is, which has no code. */
struct str ruby_text(struct ruby *y);

#endif
