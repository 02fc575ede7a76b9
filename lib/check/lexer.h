/* lexer: the reader of comment.c and its literals. Private to these two files. */
#ifndef IKM_CHECK_LEXER_H
#define IKM_CHECK_LEXER_H

#include "check/comment.h"

#define HEREDOCS_MAX 8

struct lexer {
	struct arena *a;
	const struct comment_form *f;
	struct str text, want;
	struct comments *out;
	size_t at, end;
	char before;     /* the last character that is no blank and no comment; 0: none */
	bool line_start; /* only blanks since the start of the line */
	struct {
		struct str word;
		bool tabs; /* <<-: the end may be indented */
	} heredoc[HEREDOCS_MAX];
	size_t heredocs;
	/* Markdown: lengths of runs of backticks that have no like in the rest of the text. */
	struct {
		size_t *p;
		size_t n, cap;
	} unpaired;
	unsigned unended; /* here-documents whose last line is missing */
};

static inline bool lexer_is(const struct lexer *l, size_t at, const char *what)
{
	size_t n = strlen(what);

	return at + n <= l->end && !memcmp(l->text.p + at, what, n);
}

static inline char lexer_char(const struct lexer *l, size_t at)
{
	return at < l->end ? l->text.p[at] : 0;
}

static inline bool lexer_has(const struct lexer *l, unsigned flag)
{
	return (l->f->flags & flag) != 0;
}

static inline size_t lexer_find(const struct lexer *l, const char *what, size_t from)
{
	size_t at = str_find(str_sub(l->text, 0, l->end), str_of(what), size_min(from, l->end));

	return at == SIZE_MAX ? l->end : at;
}

static inline size_t lexer_line_end(const struct lexer *l, size_t from)
{
	return lexer_find(l, "\n", from);
}

static inline bool lexer_is_word(char c)
{
	return ascii_is_alnum(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* literal.c */
/* The offset behind the string or other literal that begins at l->at; l->at: none does. */
size_t lexer_literal(struct lexer *l);
/*
 * The offset behind a string. doubles: two quotes are one. A string of one line ends with its line.
 */
size_t lexer_quoted(const struct lexer *l, size_t at, bool escapes, bool doubles, bool lines);
/* The offset behind [[...]] or [=[...]=]; SIZE_MAX: something else. */
size_t lexer_long(const struct lexer *l, size_t at);
/* At the start of a line: passes over the here-documents that the line before announced. */
void lexer_heredocs(struct lexer *l);
/* YAML: whether | or > begins a block of text, and the end of the block. */
bool yaml_is_block(const struct lexer *l, size_t at);
size_t yaml_block_end(const struct lexer *l, size_t at);

#endif
