/* php: what the lexer and the statements of PHP share. Private to their files. */
#ifndef IKM_IMPORTS_PHP_H
#define IKM_IMPORTS_PHP_H

#include "imports/lexer.h"

/* An open construct: the character of a bracket, or one of these. */
enum php_open {
	PHP_CLASS = 'C',  /* the braces of a class */
	PHP_WAITS = 'P',  /* ( before which "new class" stands: its braces follow */
	PHP_CODE = 'v',   /* {$code} or ${code} in a string */
	PHP_STRING = '"', /* "..." with code */
	PHP_TICKS = '`',
	PHP_HEREDOC = 'h',
};

enum php_kind { PHP_END, PHP_WORD, PHP_VARIABLE, PHP_LITERAL, PHP_MARK };
#define PHP_ARROW  'a' /* the mark "->" or "?->" */
#define PHP_COLONS 'c' /* the mark "::" */

struct php_token {
	enum php_kind kind;
	char mark;
	struct str word; /* WORD: with its backslashes */
	struct span at;  /* LITERAL: without its quotes */
	bool program;    /* LITERAL: it has variables or code in it */
	bool raw;        /* LITERAL: '...', where a backslash only escapes ' and itself */
};

struct php {
	struct imports_reader *r;
	struct {
		char *p;
		size_t n, cap;
	} open;
	struct {
		struct php_heredoc {
			struct str label;
			size_t at;
		} * p;
		size_t n, cap;
	} heredocs;
	size_t opened; /* where the last string with code began */
	struct php_token now;
	bool html;               /* text outside of <?php ?> */
	bool member;             /* "->" or "::" stands before the token */
	struct str before;       /* the word before the token, or empty */
	char mark_before;        /* the mark before the token, or 0 */
	bool class_word, is_new; /* the last token was "class" or its like, behind "new" */
	bool only_named;         /* ... it was "trait", "interface" or "enum" */
	bool class_waits;        /* the next brace is that of a class */
};

/*
 * Reads the next token into p->now. False: there is none. Behind a literal come the tokens of its
 * code, and behind "}" its text goes on.
 */
bool php_next(struct php *p);
static inline char php_top(const struct php *p)
{
	return p->open.n ? p->open.p[p->open.n - 1] : 0;
}
static inline bool php_mark(const struct php *p, char c)
{
	return p->now.kind == PHP_MARK && p->now.mark == c;
}
/* Words of PHP ignore case. */
static inline bool php_is(const struct php *p, const char *word)
{
	return p->now.kind == PHP_WORD && p->now.word.n == strlen(word) &&
	       str_ieq(p->now.word, str_of(word));
}
/* The text of a literal without code. */
struct str php_text(struct php *p);

#endif
