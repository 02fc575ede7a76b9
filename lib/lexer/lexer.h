/*
 * lexer: the one reader of source languages. A table has the forms of all languages: how their
 * files are named, where their lines end, and how comments, strings and words look. A reader makes
 * one pass without recursion, takes any bytes, and tells what it cannot know. The lexer knows no
 * rules: other modules match what they look for against words, strings and marks.
 */
#ifndef IKM_LEXER_LEXER_H
#define IKM_LEXER_LEXER_H

#include "base/base.h"

struct lexer;

/* Where a line ends beside "\n": there ends a comment of one line. */
enum lexer_ends {
	LEXER_CR = 1,     /* a carriage return alone */
	LEXER_LS = 2,     /* U+2028, U+2029 */
	LEXER_NEL = 4,    /* U+0085 */
	LEXER_ESCAPES = 8 /* Java: \u0041 is the letter A wherever it stands */
};

/* How the files of a language are named, and how they are read. */
struct lexer_form {
	const char *name;     /* of a programming language, or NULL */
	const char *suffixes; /* divided by blanks */
	const char *names;    /* whole names of files; "x*y": begins and ends like this; or NULL */
	const char *programs; /* names in #! lines, or NULL */
	unsigned ends;        /* enum lexer_ends */
	unsigned flags;       /* for the reader */
	void (*skim)(struct lexer *l); /* reads the text to its end; NULL: the plain reader */
	/* Of the plain reader. */
	const char *line[3]; /* what begins a comment up to the end of the line */
	struct {
		const char *open, *close;
		bool nests;
	} block[2];
};
/* forms.c: the only table of languages; a row without suffixes and names ends it. */
extern const struct lexer_form lexer_forms[];

/*
 * The form for a file of this path; `text` decides for scripts without a suffix, by their first
 * line. NULL: ikm does not know the format.
 */
const struct lexer_form *lexer_form(struct str path, struct str text);
const struct lexer_form *lexer_form_named(const char *name);
/* Whether its files have comments that ikm knows. */
bool lexer_has_comments(const struct lexer_form *f);
/* The program in "#!/usr/bin/env -S python3 -u", without folder and version; or empty. */
struct str lexer_program(struct str text);
/* "python*" fits "python3"; other words fit themselves. `list` is divided by blanks. */
bool lexer_word_fits(const char *list, struct str name);

/* ---- comments ---- */

struct lexer_comment {
	struct span at;   /* in the text, with its markers */
	struct span text; /* without its markers */
};
struct lexer_comments {
	struct lexer_comment *p;
	size_t n, cap;
};
/*
 * The comments that contain `want`, in the order of the file. A text that ends inside a string or a
 * comment gives the comments before it. Takes O(text) time.
 */
void lexer_comments(struct arena *a, const struct lexer_form *f, struct str path, struct str text,
		    struct str want, struct lexer_comments *out);

/* ---- readers ---- */

/* A place where the text does not tell something: a program decides, or a string does not end. */
struct lexer_unknown {
	struct span at;
	struct str text;    /* the beginning of it, as written */
	const char *reason; /* a clause */
};
struct lexer_unknowns {
	struct lexer_unknown *p;
	size_t n, cap;
};

enum lexeme_kind {
	LEX_END,
	LEX_WORD,
	LEX_VARIABLE, /* PHP: $a */
	LEX_SYMBOL,   /* Ruby: :a */
	LEX_STRING,
	LEX_OTHER, /* a number, a regular expression, or what else has a value */
	LEX_MARK,
	LEX_LINE, /* the end of a line, in languages where it may end a statement */
};

struct lexeme {
	enum lexeme_kind kind;
	char mark;       /* MARK */
	struct str word; /* WORD: without the backticks of Kotlin and others; or empty */
	struct span at;  /* STRING: without its quotes */
	bool program;    /* STRING: it has code in it, or is no plain text for another reason */
	bool raw;        /* STRING: a backslash only escapes the quote and itself, or nothing */
	bool quoted;     /* WORD: it stands in backticks, so it is no keyword */
	bool dot;        /* WORD: behind a dot or "::" */
	bool label;      /* WORD of Ruby: "a:" */
	bool defined;    /* WORD of Ruby: "def" or "alias" stands before it */
	bool blank;      /* of Ruby: a blank stands before it */
	bool blank_next; /* MARK of Ruby: ... and behind it */
};

struct lexer {
	struct arena *a;
	const struct lexer_form *form;
	struct str path;   /* of the file */
	struct str source; /* as it is in the file */
	/*
	 * As the compiler sees it: every end of a line is "\n", and escapes of LEXER_ESCAPES are
	 * decoded. Mostly it is the source itself. All offsets are in it; lexer_place() gives those
	 * in the source.
	 */
	struct str text;
	size_t at; /* the next byte */
	struct {
		struct lexer_shift {
			size_t at, source; /* here in the text, there in the source */
		} * p;
		size_t n, cap;
	} shifts;
	size_t from;       /* where the last lexeme begins, with its quotes */
	size_t nested;     /* in the code of so many strings */
	size_t string_end; /* of the last string with code that ended: without its quotes */
	bool told;         /* a literal that does not end was told: the rest may be wrong for it */
	struct lexer_unknowns *unknown;  /* NULL: nobody asks */
	struct lexer_comments *comments; /* NULL: nobody asks */
	struct str want;                 /* what a comment must contain */
};

/* Starts at the beginning of a text, behind a byte order mark. Sets what is not set by the caller.
 */
void lexer_begin(struct lexer *l, struct arena *a, const struct lexer_form *f, struct str path,
		 struct str text);
struct span lexer_place(const struct lexer *l, struct span at);

static inline char lexer_char(const struct lexer *l, size_t at)
{
	return at < l->text.n ? l->text.p[at] : 0;
}

/* Letters, digits, "_" and every byte of a character beyond ASCII. */
static inline bool lexer_is_word(char c)
{
	/* A bit for each byte of ASCII: every reader asks this of most bytes. */
	static const uint32_t words[] = {0, 0x03ff0000, 0x87fffffe, 0x07fffffe};
	unsigned char u = (unsigned char)c;

	return u >= 0x80 || (words[u >> 5] >> (u & 31) & 1);
}

static inline bool lexer_is(const struct lexer *l, size_t at, const char *what)
{
	size_t n = strlen(what);

	return at <= l->text.n && n <= l->text.n - at && !memcmp(l->text.p + at, what, n);
}

/* The offset of the next such byte at or behind `at`, or the end. */
static inline size_t lexer_find(const struct lexer *l, char c, size_t at)
{
	const char *p = at < l->text.n ? memchr(l->text.p + at, c, l->text.n - at) : NULL;

	return p ? (size_t)(p - l->text.p) : l->text.n;
}

static inline struct str lexer_slice(const struct lexer *l, size_t from, size_t to)
{
	return str_sub(l->text, from, to);
}

static inline bool lexer_same(struct str word, const char *text)
{
	size_t n = strlen(text);

	return word.n == n && !memcmp(word.p, text, n);
}

void lexer_unknown(struct lexer *l, struct span at, const char *reason);
/* The literal that begins at `at` does not end. Told once for each file. */
void lexer_unended(struct lexer *l, size_t at, const char *reason);
/* A comment from `from` to `to`, whose markers have `open` and `close` bytes. */
void lexer_comment_add(struct lexer *l, size_t from, size_t open, size_t close, size_t to);
/* Passes over the comment at l->at, whose marker has `open` bytes, up to the end of the line. */
void lexer_line_comment(struct lexer *l, size_t open);
/* Passes over the comment at l->at up to the byte `end`, which is no part of it. */
void lexer_comment_to(struct lexer *l, size_t open, size_t end);
/* Passes over the comment at l->at; tells one that does not end. */
void lexer_block_comment(struct lexer *l, const char *open, const char *close, bool nests);
/*
 * The text between the quotes, with escapes of the C family decoded: \n, \x41, \101, \u0041,
 * \U00000041, \u{41}, and a line that a backslash continues. Borrows when it has none.
 */
struct str lexer_unescape(struct arena *a, struct str s);
/*
 * The offset behind the string whose quote stands at `at`; a backslash escapes. lines: it may have
 * several lines. SIZE_MAX: it does not end; *stop is where reading goes on.
 */
size_t lexer_string_end(const struct lexer *l, size_t at, bool lines, size_t *stop);

/* ---- for the files of this module ---- */

/* The readers that only look for comments. */
void lexer_skim_lexemes(struct lexer *l);
void lexer_skim_c(struct lexer *l);
void lexer_skim_javascript(struct lexer *l);
void lexer_skim_php(struct lexer *l);
void lexer_skim_python(struct lexer *l);
void lexer_skim_ruby(struct lexer *l);
void lexer_skim_shell(struct lexer *l);
void lexer_skim_plain(struct lexer *l);
/* The comments of the text from l->at to `end`, which has the form of a file with this name. */
void lexer_skim_region(struct lexer *l, const char *name, size_t end);

#endif
