/*
 * manifest_tokens: literal declarations of manifests that are programs: Ruby, Groovy, Kotlin,
 * Python, Elixir, Swift, and of HCL. The lexemes of lib/text/lexer stand in an array; the readers
 * match sequences of them, and tell every declaration that they cannot read. Private to deps.
 */
#pragma once

#include "deps/reader.h"

enum token_type {
	TOKEN_END,
	TOKEN_WORD,   /* a name or a number */
	TOKEN_STRING, /* a literal; `plain` when nothing in it is computed */
	TOKEN_LINE,   /* the end of a line that ends a statement */
	TOKEN_MARK,   /* any other character, alone */
	TOKEN_BROKEN, /* a string or a comment that does not end */
};

/* Small, because a program has many. Offsets fit: deps_read() refuses longer texts. */
struct token {
	struct str s; /* of a string: its content, escapes resolved */
	struct {
		uint32_t from, to;
	} at;           /* of a string: its content in the file */
	uint32_t close; /* of an opening bracket: the index behind the one that closes it */
	uint32_t depth; /* open brackets of all kinds before it */
	uint8_t type;   /* enum token_type */
	bool plain;
	bool spaced; /* blanks or a line end before it */
};

enum program_language {
	PROGRAM_RUBY,
	PROGRAM_GROOVY,
	PROGRAM_KOTLIN,
	PROGRAM_PYTHON,
	PROGRAM_ELIXIR,
	PROGRAM_SWIFT,
	PROGRAM_HCL,
};

struct tokens VEC(struct token);

/*
 * All tokens of the text, with TOKEN_END at the end. A string or comment that does not end is
 * unresolved.
 */
void program_tokens(struct reader *r, enum program_language language, struct tokens *out);

struct span token_span(const struct token *t);
/* Whether the token is one of these words or marks, with bars between. */
static inline bool token_is(const struct token *t, const char *words)
{
	return (t->type == TOKEN_WORD || t->type == TOKEN_MARK) &&
	       reader_is_any_of_words(t->s, words);
}
/* The index behind the bracket that closes the one at i; the end when it is open. */
size_t program_closing_bracket(const struct tokens *v, size_t i);
/* The index of the token that ends the statement at i: a line end, a semicolon, or a bracket. */
size_t program_statement_end(const struct tokens *v, size_t i);
/* As program_statement_end(), but looks at a few tokens only: for messages. */
size_t program_statement_end_near(const struct tokens *v, size_t i);
/* A literal string in which nothing is computed. */
static inline bool token_is_literal(const struct token *t)
{
	return t->type == TOKEN_STRING && t->plain;
}
/* The next token at or behind i that is no line end. */
size_t program_skip_line_ends(const struct tokens *v, size_t i);
/* The index of the first argument of the call at i: WORD(x), also on a line below, or WORD x. */
size_t program_call_argument(const struct tokens *v, size_t i);
/*
 * The index of the value of an option in [i, end), "NAME: x" or "NAME = x", at most at that depth;
 * 0: it has none.
 */
size_t program_call_option(const struct tokens *v, size_t i, size_t end, unsigned depth,
			   const char *name);
/* The declaration at i is unresolved; the message has its source. */
void program_add_unresolved(struct reader *r, const struct tokens *v, size_t i, const char *why);
/* The source of the tokens [i, end), at most 80 bytes, for messages. */
struct str program_tokens_text(const struct reader *r, const struct tokens *v, size_t i,
			       size_t end);
