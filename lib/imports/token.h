/*
 * token: the tokens of languages whose literals are much alike: Go, Rust, Java, Kotlin, Scala,
 * Swift and C#. A string with code in it is one token; its code is read as tokens behind it.
 */
#ifndef IKM_IMPORTS_TOKEN_H
#define IKM_IMPORTS_TOKEN_H

#include "imports/lexer.h"

enum token_flag {
	T_NESTED = 1,        /* block comments nest */
	T_CHAR = 1 << 1,     /* 'x', where a quote alone may be a lifetime or a symbol */
	T_TRIPLE = 1 << 2,   /* """...""" */
	T_ESCAPES = 1 << 3,  /* a backslash escapes in """...""" too */
	T_BACKTICK = 1 << 4, /* `...` is a string without escapes */
	T_NAME = 1 << 5,     /* `...` is a word */
	T_LINES = 1 << 6,    /* "..." may have several lines */
	T_RUST = 1 << 7,     /* r"..." and r#"..."# */
	T_SWIFT = 1 << 8,    /* #"..."#, \(code) in strings, and regular expressions */
	T_DOLLAR = 1 << 9,   /* ${code} in strings */
	T_SCALA = 1 << 10,   /* ... only in those behind a word, as s"..."; 'symbols, and XML */
	/* @"...", $"...{code}", """...""" with any number of quotes; the line of a "#" is a mark */
	T_CSHARP = 1 << 11,
	T_NEWLINE = 1 << 12, /* the end of a line is a token */
};

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_STRING, TOKEN_MARK, TOKEN_NEWLINE };

struct token {
	enum token_kind kind;
	struct str word; /* WORD: without backticks */
	bool quoted;     /* WORD: it stands in backticks, so it is no keyword */
	char mark;       /* MARK */
	struct span at;  /* STRING: without its quotes */
	bool program;    /* STRING: it has code in it */
};

/* A string or an XML literal in whose code the reader is. */
struct token_string {
	size_t depth;  /* open brackets of the code */
	size_t parens; /* C#: open ( and [ of the code */
	unsigned quotes, hashes, dollars;
	bool escapes, lines, code, doubles;
	bool prefixed;    /* of Scala: $$ and $" stand for a character */
	char open, close; /* the brackets of the code */
	bool unended;     /* the text or the line ended before it */
	bool xml, tag;    /* XML; in one of its tags */
	size_t elements;  /* of XML that are open */
	size_t at;
};

struct tokens {
	struct imports_reader *r;
	unsigned flags;
	struct {
		struct token_string *p;
		size_t n, cap;
	} strings;
	struct token now;
	bool word_before; /* the last token was a word that ends at r->at */
	/*
	 * No regular expression that begins before `to` ends with so many "#": on its line, or in
	 * the text. So a text is searched once, however many begin in it.
	 */
	struct token_no_regex {
		size_t to, hashes;
	} no_regex_line, no_regex;
};

/* Reads the next token into t->now. Returns whether there is one. */
bool token_next(struct tokens *t);
static inline bool token_is(const struct tokens *t, const char *word)
{
	return t->now.kind == TOKEN_WORD && !t->now.quoted && imports_same(t->now.word, word);
}
static inline bool token_mark(const struct tokens *t, char c)
{
	return t->now.kind == TOKEN_MARK && t->now.mark == c;
}

/* How many of `c` stand at `at`. */
unsigned token_run(const struct imports_reader *r, size_t at, char c);

/* ---- token_xml.c ---- */

/* Whether the "<" at r->at begins an XML literal of Scala. */
bool token_is_xml(const struct imports_reader *r);
/* Reads XML from r->at, up to its end or to code in it. False: code follows. */
bool token_xml_text(struct imports_reader *r, struct token_string *s);

/* ---- token_regex.c ---- */

/*
 * The offset behind the regular expression of Swift that begins at r->at with "/" or "#"; SIZE_MAX:
 * none begins there.
 */
size_t token_regex_end(struct tokens *t);

/* ---- names ---- */

/* A name that is read part by part: "a", ".", "b". Borrows while no blank stands in it. */
struct token_name {
	struct span at;
	struct buf joined;
	bool parts;
};
void token_name_add(struct tokens *t, struct token_name *n);
struct str token_name_text(const struct tokens *t, const struct token_name *n);

#endif
