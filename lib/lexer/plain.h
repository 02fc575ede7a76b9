/*
 * plain: the reader of formats that only need their comments: a row of the table says how these and
 * strings look. Private to this module.
 */
#ifndef IKM_LEXER_PLAIN_H
#define IKM_LEXER_PLAIN_H

#include "lexer/lexer.h"

enum plain_flag {
	S_DOUBLE = 1,          /* "..." */
	S_SINGLE = 1 << 1,     /* '...' */
	S_CHAR = 1 << 2,       /* 'x', where a quote alone has other meanings: a lifetime, 1'000 */
	S_NO_ESCAPE = 1 << 3,  /* a quote is doubled; a backslash escapes nothing */
	S_RAW_SINGLE = 1 << 4, /* '...' without any escape, where "..." has some */
	S_LINES = 1 << 5,      /* strings may have several lines */
	S_TRIPLE = 1 << 6,     /* """...""", and '''...''' where '...' is a string */
	S_BACKTICK = 1 << 7,   /* `...` without escapes */
	S_VERBATIM = 1 << 8,   /* @"..." */
	S_DOLLAR = 1 << 9,     /* $tag$...$tag$ */
	S_LONG = 1 << 10,      /* [[...]] and [=[...]=] */
	S_REGEX = 1 << 11,     /* /.../ where a value is expected */
	S_HEREDOC = 1 << 12,   /* <<WORD up to the line WORD */
	S_ESCAPE = 1 << 13,    /* outside strings a backslash escapes the next character */
	C_WORD = 1 << 14,      /* a line comment begins at the start of a word only */
	C_START = 1 << 15,     /* a line comment begins at the start of a line only */
	C_NOT_URL = 1 << 16,   /* "//" behind a colon is part of an address */
	C_DASHES = 1 << 17,    /* "--" is an operator when a symbol follows: "-->" */
	F_YAML = 1 << 18,     /* block scalars; a quote begins a string only where a value begins */
	F_TAGS = 1 << 19,     /* XML: tags with attributes, CDATA */
	F_MARKDOWN = 1 << 21, /* fenced and quoted code */
	F_PERL = 1 << 22,     /* lines from =word to =cut or =end are documentation */
};

#define PLAIN_HEREDOCS 8

struct plain {
	struct lexer *r; /* gets the comments */
	struct arena *a;
	const struct lexer_form *f;
	struct str text;
	size_t at, end;
	char before;     /* the last character that is no blank and no comment; 0: none */
	bool line_start; /* only blanks since the start of the line */
	struct {
		struct str word;
		bool tabs; /* <<-: the end may be indented */
	} heredoc[PLAIN_HEREDOCS];
	size_t heredocs;
	/* Markdown: lengths of runs of backticks that have no like in the rest of the text. */
	struct {
		size_t *p;
		size_t n, cap;
	} unpaired;
	unsigned unended; /* here-documents whose last line is missing */
};

static inline bool plain_is(const struct plain *l, size_t at, const char *what)
{
	size_t n = strlen(what);

	return at + n <= l->end && !memcmp(l->text.p + at, what, n);
}

static inline char plain_char(const struct plain *l, size_t at)
{
	return at < l->end ? l->text.p[at] : 0;
}

static inline bool plain_has(const struct plain *l, unsigned flag)
{
	return (l->f->flags & flag) != 0;
}

static inline size_t plain_find(const struct plain *l, const char *what, size_t from)
{
	size_t at = str_find(str_sub(l->text, 0, l->end), str_of(what), size_min(from, l->end));

	return at == SIZE_MAX ? l->end : at;
}

static inline size_t plain_line_end(const struct plain *l, size_t from)
{
	return plain_find(l, "\n", from);
}

static inline bool plain_is_word(char c)
{
	return ascii_is_alnum(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* The offset behind the string or other literal that begins at l->at; l->at: none does. */
size_t plain_literal(struct plain *l);
/*
 * The offset behind a string. doubles: two quotes are one. A string of one line ends with its line.
 */
size_t plain_quoted(const struct plain *l, size_t at, bool escapes, bool doubles, bool lines);
/* The offset behind [[...]] or [=[...]=]; SIZE_MAX: something else. */
size_t plain_long(const struct plain *l, size_t at);
/* At the start of a line: passes over the here-documents that the line before announced. */
void plain_heredocs(struct plain *l);
/* YAML: whether | or > begins a block of text, and the end of the block. */
bool plain_yaml_block(const struct plain *l, size_t at);
size_t plain_yaml_end(const struct plain *l, size_t at);

#endif
