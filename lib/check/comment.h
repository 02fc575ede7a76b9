/*
 * comment: finds the comments of a source file by its name: which texts are comments, and which
 * only look like comments because they stand in a string. One table has the forms of all languages.
 */
#ifndef IKM_CHECK_COMMENT_H
#define IKM_CHECK_COMMENT_H

#include "base/base.h"

struct comment {
	struct span at;   /* in the text, with its markers */
	struct span text; /* without its markers */
};
struct comments {
	struct comment *p;
	size_t n, cap;
};

/* How a language writes comments and strings. */
struct comment_form;
/*
 * The form for a file of this path; `text` decides for scripts without a suffix, by their first
 * line. NULL: the format has no comments, or ikm does not know it.
 */
const struct comment_form *comment_form(struct str path, struct str text);
/*
 * The comments that contain `want`, in the order of the file. A text that ends inside a string or a
 * comment gives the comments before it. Takes O(text) time.
 */
void comments_find(struct arena *a, const struct comment_form *f, struct str text, struct str want,
		   struct comments *out);
/* ---- for the files of this module ---- */

enum comment_flag {
	S_DOUBLE = 1,          /* "..." */
	S_SINGLE = 1 << 1,     /* '...' */
	S_CHAR = 1 << 2,       /* 'x', where a quote alone has other meanings: a lifetime, 1'000 */
	S_NO_ESCAPE = 1 << 3,  /* a quote is doubled; a backslash escapes nothing */
	S_RAW_SINGLE = 1 << 4, /* '...' without any escape, where "..." has some */
	S_LINES = 1 << 5,      /* strings may have several lines */
	S_TRIPLE = 1 << 6,     /* """...""", and '''...''' where '...' is a string */
	S_BACKTICK = 1 << 7,   /* `...` without escapes */
	S_TEMPLATE = 1 << 8,   /* `...${code}...` */
	S_RAW_C = 1 << 9,      /* R"x(...)x" */
	S_RAW_RUST = 1 << 10,  /* r#"..."# */
	S_VERBATIM = 1 << 11,  /* @"..." */
	S_DOLLAR = 1 << 12,    /* $tag$...$tag$ */
	S_LONG = 1 << 13,      /* [[...]] and [=[...]=] */
	S_REGEX = 1 << 14,     /* /.../ where a value is expected */
	S_HEREDOC = 1 << 15,   /* <<WORD up to the line WORD */
	S_ESCAPE = 1 << 16,    /* outside strings a backslash escapes the next character */
	C_WORD = 1 << 17,      /* a line comment begins at the start of a word only */
	C_START = 1 << 18,     /* a line comment begins at the start of a line only */
	C_NOT_URL = 1 << 19,   /* "//" behind a colon is part of an address */
	C_DASHES = 1 << 20,    /* "--" is an operator when a symbol follows: "-->" */
	F_YAML = 1 << 21,     /* block scalars; a quote begins a string only where a value begins */
	F_TAGS = 1 << 22,     /* XML: tags with attributes, CDATA */
	F_HTML = 1 << 23,     /* <script> and <style> have their own form */
	F_MARKDOWN = 1 << 24, /* fenced and quoted code */
	F_PHP = 1 << 25,      /* code stands between <? and ?> */
	F_PERL = 1 << 26,     /* lines from =word to =cut or =end are documentation */
};

struct comment_form {
	const char *suffixes; /* divided by blanks */
	const char *names;    /* whole names of files; "x*y": begins and ends like this; or NULL */
	const char *programs; /* names in #! lines, or NULL */
	const char *line[3];  /* what begins a comment up to the end of the line */
	struct {
		const char *open, *close;
		bool nests;
	} block[2];
	unsigned flags;
};
/* comment_forms.c: the table; a row without suffixes and names ends it. */
extern const struct comment_form comment_forms[];

#endif
