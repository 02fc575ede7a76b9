/*
 * lexeme: the words, strings and marks of languages whose literals are much alike: Go, Rust, Java,
 * Kotlin, Scala, Swift and C#. A string with code in it is one lexeme; its code is read as lexemes
 * behind it.
 */
#ifndef IKM_LEXER_LEXEME_H
#define IKM_LEXER_LEXEME_H

#include "lexer/lexer.h"

enum lexeme_flag {
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
	T_NEWLINE = 1 << 12, /* the end of a line is a lexeme */
	T_SINGLE = 1 << 13,  /* '...', and with T_TRIPLE '''...''' */
	T_HASH = 1 << 14,    /* "#" begins a comment */
	T_GROOVY = 1 << 15,  /* /.../ and $/.../$, where a value is expected */
	T_ELIXIR = 1 << 16,  /* #{code} in strings, ~w(...), ?x; "//" begins no comment */
	T_HCL = 1 << 17,     /* ${code} and %{code}, <<WORD, "-" in words */
};

/* A string or an XML literal in whose code the reader is. */
struct lexeme_string {
	size_t depth;  /* open brackets of the code */
	size_t parens; /* C#: open ( and [ of the code */
	unsigned quotes, hashes, dollars;
	char quote;
	const char *marks; /* of code behind them stands "{" */
	bool names;        /* $name stands for a value */
	bool computed;     /* ... and one is there */
	bool escapes, lines, code, doubles;
	bool prefixed;    /* of Scala: $$ and $" stand for a character */
	char open, close; /* the brackets of the code */
	bool unended;     /* the text or the line ended before it */
	bool xml, tag;    /* XML; in one of its tags */
	size_t elements;  /* of XML that are open */
	size_t at;
};

struct lexemes {
	struct lexer *r;
	unsigned flags; /* of the form */
	struct {
		struct lexeme_string *p;
		size_t n, cap;
	} strings;
	struct lexeme now;
	bool word_before; /* the last token was a word that ends at r->at */
	/*
	 * No regular expression that begins before `to` ends with so many "#": on its line, or in
	 * the text. So a text is searched once, however many begin in it.
	 */
	struct lexeme_no_regex {
		size_t to, hashes;
	} no_regex_line, no_regex;
};

static inline struct lexemes lexemes_of(struct lexer *r)
{
	return (struct lexemes){.r = r, .flags = r->form->flags};
}
/* Reads the next lexeme into t->now. Returns whether there is one. */
bool lexeme_next(struct lexemes *t);
static inline bool lexeme_is(const struct lexemes *t, const char *word)
{
	return t->now.kind == LEX_WORD && !t->now.quoted && lexer_same(t->now.word, word);
}
static inline bool lexeme_mark(const struct lexemes *t, char c)
{
	return t->now.kind == LEX_MARK && t->now.mark == c;
}

/* How many of `c` stand at `at`. */
unsigned lexeme_run(const struct lexer *r, size_t at, char c);

/* ---- lexeme_xml.c ---- */

/* Whether the "<" at r->at begins an XML literal of Scala. */
bool lexeme_is_xml(const struct lexer *r);
/* Reads XML from r->at, up to its end or to code in it. False: code follows. */
bool lexeme_xml_text(struct lexer *r, struct lexeme_string *s);

/* ---- lexeme_regex.c ---- */

/*
 * The offset behind the regular expression of Swift that begins at r->at with "/" or "#"; SIZE_MAX:
 * none begins there.
 */
size_t lexeme_regex_end(struct lexemes *t);

/* ---- names ---- */

/* A name that is read part by part: "a", ".", "b". Borrows while no blank stands in it. */
struct lexeme_name {
	struct span at;
	struct buf joined;
	bool parts;
};
void lexeme_name_add(struct lexemes *t, struct lexeme_name *n);
struct str lexeme_name_text(const struct lexemes *t, const struct lexeme_name *n);

#endif
