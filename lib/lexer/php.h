/* php: the words, strings and marks of PHP. */
#ifndef IKM_LEXER_PHP_H
#define IKM_LEXER_PHP_H

#include "lexer/lexer.h"

/* An open construct: the character of a bracket, or one of these. */
enum php_open {
	PHP_CLASS = 'C',  /* the braces of a class */
	PHP_WAITS = 'P',  /* ( before which "new class" stands: its braces follow */
	PHP_CODE = 'v',   /* {$code} or ${code} in a string */
	PHP_STRING = '"', /* "..." with code */
	PHP_TICKS = '`',
	PHP_HEREDOC = 'h',
};

#define PHP_ARROW  'a' /* the mark "->" or "?->" */
#define PHP_COLONS 'c' /* the mark "::" */

struct php {
	struct lexer *r;
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
	struct lexeme now;
	bool html;               /* text outside of <?php ?> */
	bool member;             /* "->" or "::" stands before the token */
	struct str before;       /* the word before the token, or empty */
	char mark_before;        /* the mark before the token, or 0 */
	bool class_word, is_new; /* the last token was "class" or its like, behind "new" */
	bool only_named;         /* ... it was "trait", "interface" or "enum" */
	bool halts;              /* the token is "__halt_compiler" */
	bool class_waits;        /* the next brace is that of a class */
};

static inline struct php php_of(struct lexer *r)
{
	return (struct php){.r = r, .html = true, .before = {"", 0}};
}
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
	return p->now.kind == LEX_MARK && p->now.mark == c;
}
/* Words of PHP ignore case. */
static inline bool php_is(const struct php *p, const char *word)
{
	return p->now.kind == LEX_WORD && p->now.word.n == strlen(word) &&
	       str_ieq(p->now.word, str_of(word));
}
/* The text of a literal without code. */
struct str php_text(struct php *p);

#endif
