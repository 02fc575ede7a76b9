/*
 * lexer: the one reader of source languages. A table has the forms of all languages: how their
 * files are named, where their lines end, and how comments, strings and words look. A reader makes
 * one pass without recursion, takes any bytes, and tells what it cannot know. The lexer knows no
 * rules: other modules match what they look for against words, strings and marks.
 */
#pragma once

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
	/* As lexer_next(), which sets the end; NULL: the plain reader. */
	bool (*next)(struct lexer *l);
	/* Files that have regions in other languages: calls `each` for every one, in their order.
	 */
	void (*cut)(struct lexer *l, void (*each)(struct lexer *region));
	/* Of the plain reader. */
	const char *line[3]; /* what begins a comment up to the end of the line */
	struct {
		const char *open, *close;
		bool nests;
	} block[2];
	/* Texts in which nothing is special; without a close ikm cannot tell where they end. */
	struct {
		const char *open, *close;
	} text[14];
	const char *escapes; /* outside strings the character behind one of these is itself */
	const char *code;    /* in strings code up to its bracket: "$(" */
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
/*
 * Behind the last line of the here-document that begins at `at`: the line `word`, before which
 * bytes of `indent` may stand. SIZE_MAX: there is none.
 */
size_t lexer_heredoc_end(struct str text, size_t at, struct str word, const char *indent);
/* "python*" fits "python3"; other words fit themselves. `list` is divided by blanks. */
bool lexer_name_matches_list(const char *list, struct str name);

/* ---- comments ---- */

struct lexer_comment {
	struct span at;   /* in the text, with its markers */
	struct span text; /* without its markers */
	size_t below;     /* the line below it; 0: none, or code stands beside the comment */
	/*
	 * Why comments in `at` may be unknown: it is no comment. `text` begins where the reason
	 * stands; it is empty when that is the whole file. Known comments may follow in `at`.
	 */
	const char *unread;
};
struct lexer_comments VEC(struct lexer_comment);
/*
 * The comments that contain `want`, and the parts that ikm cannot read, in the order of the file.
 * Takes O(text) time.
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
struct lexer_unknowns VEC(struct lexer_unknown);

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

/* ---- what the readers remember, each in its own part of struct lexer ---- */

/* C: what a lexeme imports. */
enum c_import {
	C_NONE,
	C_SYSTEM, /* <a.h> */
	C_QUOTED, /* "a.h" */
	C_MACRO,  /* a macro decides */
	C_MODULE, /* import a.b; */
};
struct c_reader {
	enum c_import import; /* of l->now: a line of the preprocessor that includes */
	size_t stop;          /* reading ends here; 0: at the end */
	bool in_line;         /* more than blanks and comments stand before it in its line */
	bool inside;          /* no statement may begin here */
	bool directive;       /* in a line of the preprocessor, whose text need not be code */
	size_t no_character;  /* an apostrophe before this offset begins no character */
};

/* JavaScript: what may stand in l->open. */
enum js_open {
	JS_PAREN = '(',
	JS_CONTROL = 'c', /* the parenthesis of if, while, for, with: a statement follows it */
	JS_BRACKET = '[',
	JS_BLOCK = '{',
	JS_OBJECT = 'o',
	JS_IN_TEMPLATE = '$', /* ${ */
	JS_IN_ELEMENT = 'j',  /* { between or in tags */
	JS_TEMPLATE = '`',
	JS_TAG = '<',
	JS_CHILDREN = '>',
	JS_ESM = 'm', /* statements of MDX, up to a blank line */
};
struct js_reader {
	bool operand;    /* the last lexeme ends an expression, so "/" divides */
	bool dot;        /* it is "." or "?." */
	bool words;      /* there was one */
	unsigned angles; /* "<" in a tag: arguments of a generic element */
	char last;       /* the last lexeme when it is a mark, or 0 */
	struct str word; /* ... when it is a word */
	size_t no_regex; /* no regular expression ends before this offset */
	size_t closing;  /* no "</" stands between l->at and this offset */
	bool markdown;   /* MDX: between tags stands Markdown */
};

/* PHP: what may stand in l->open beside brackets. */
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
struct php_heredoc {
	struct str label;
	size_t at;
};
struct php_reader {
	struct VEC(struct php_heredoc) heredocs;
	size_t opened;           /* where the last string with code began */
	bool code;               /* behind <?php */
	bool member;             /* "->" or "::" stands before the lexeme */
	struct str before;       /* the word before the lexeme, or empty */
	char mark_before;        /* the mark before the lexeme, or 0 */
	bool class_word, is_new; /* the last lexeme was "class" or its like, behind "new" */
	bool only_named;         /* ... it was "trait", "interface" or "enum" */
	bool halts;              /* the lexeme is "__halt_compiler" */
	bool class_waits;        /* the next brace is that of a class */
};

/* Python: what may stand in l->open. */
enum py_open {
	PY_BRACKET = '(',
	PY_FORMAT = 'f',     /* the text of a format string */
	PY_EXPRESSION = '{', /* {expression} in it */
	PY_SPEC = ':',       /* the text behind {expression: */
};
struct py_format {
	char quote;
	bool three, raw;
	size_t at;
};
struct py_reader {
	struct VEC(struct py_format) formats;
};

/* Ruby: what the last lexeme lets follow tells a division from a regular expression. */
enum ruby_after {
	RUBY_BEGIN, /* an operand */
	RUBY_VALUE, /* an operator: a value has ended */
	RUBY_NAME,  /* the name of a method: an operator, or an argument behind a blank */
	RUBY_DOT,   /* the name of a method, behind a dot */
	RUBY_DEF,   /* a name that is defined: "def", "alias" */
	RUBY_CLASS, /* behind "class", where "<<" is an operator */
};
struct ruby_open {
	enum { RUBY_CODE, RUBY_TEXT, RUBY_DOC } what;
	char open, close;        /* TEXT: its brackets or quotes */
	size_t depth;            /* TEXT: open brackets; CODE: braces around its string */
	bool code;               /* TEXT: #{code} may stand in it */
	bool regex;              /* TEXT: flags follow it */
	size_t at;               /* where it begins */
	size_t doc, first, last; /* DOC: which; those of its line; what held before */
};
struct ruby_doc { /* a here document: its text follows the line */
	struct str end;
	bool code, indented;
	size_t at;
};
struct ruby_reader {
	struct VEC(struct ruby_open) open;
	struct VEC(struct ruby_doc) docs;
	size_t docs_first; /* the first one that waits for the end of this line */
	size_t braces;     /* open ones of the code that is read */
	enum ruby_after after;
	struct str receiver; /* of a WORD behind a dot: the word before the dot, or empty */
	struct str before;   /* the lexeme before when it is a word */
	unsigned shifts;     /* "a <<b" that began no here document */
	unsigned names;      /* names of "alias a b" that follow */
	bool def;            /* behind "def self", where a dot leads to the name */
};

/* Shells: the construct that the reader has entered and not left. */
enum sh_open_kind {
	SH_TOP = 0,
	SH_PAREN = '(',    /* a subshell */
	SH_COMMANDS = '$', /* $(, <( */
	SH_TICK = '`',
	SH_STRING = '"',
	SH_VALUE = '{',   /* ${ */
	SH_SUM = '+',     /* $((, (( */
	SH_GLOB = '*',    /* @(a|b) in a word */
	SH_ARRAY = 'A',   /* a=( */
	SH_TESTS = 't',   /* ( in [[ ]] */
	SH_PATTERN = 'P', /* case x in */
	SH_BRANCH = 'B',  /* case x in a) */
	SH_DOC = 'h',     /* the text of a here document */
};
enum sh_state {
	SH_COMMAND, /* the first word of a command may follow */
	SH_REST,    /* other words of a command, or of a list */
	SH_SUBJECT, /* case */
	SH_IN,      /* case x */
	SH_FOR,
	SH_FOR_NAME, /* for x */
	SH_FUNCTION, /* function */
	SH_TEST,     /* [[ */
};
struct sh_command {
	enum sh_state state;
	size_t from;  /* where the word that is read begins */
	size_t first; /* the command's first word in sh.words */
	bool named;   /* one of these is its name */
	bool word;    /* a word is read */
	bool program; /* it has an expansion */
	bool glob;    /* or stands for several words */
	bool target;  /* the next word belongs to < or > */
};
/* A word of a command: its name, what stands behind that, and assignments before it. */
struct sh_word {
	struct span at; /* with its quotes */
	bool assignment;
	bool program; /* it has an expansion */
	bool glob;    /* it may stand for several words */
};
struct sh_pending { /* a here document whose text follows the line */
	struct str end;
	bool quoted, tabs;
	size_t at;
};
struct sh_pendings VEC(struct sh_pending);
#define SH_DOCS_MAX 8 /* here documents within each other */
struct sh_open {
	enum sh_open_kind what;
	struct sh_command saved; /* the command that it interrupts */
	size_t at;
	unsigned depth; /* parentheses in SH_SUM */
	bool quotes;    /* ' quotes in SH_VALUE */
};
/*
 * Commands stand in strings, in here documents and in each other. So lexer_next() reads the whole
 * text, and gives them to functions of the caller, of which each may be NULL.
 */
struct sh_reader {
	/* A word of a command has ended: the last of these n, which begin with the command. */
	void (*on_word)(struct lexer *l, const struct sh_word *words, size_t n);
	/* A command has ended. */
	void (*on_command)(struct lexer *l, const struct sh_word *words, size_t n);
	void (*on_comment)(struct lexer *l, struct span comment);
	void *ctx; /* the caller's */
	struct sh_command c;
	struct VEC(struct sh_word)
		words; /* of the command that is read, behind those of the ones around it */
	struct VEC(struct sh_open) open;
	size_t parens, ticks; /* how many of SH_PAREN and the like, and of SH_TICK are open */
	struct sh_pendings pending;
	struct {
		struct sh_doc {              /* one in which expansions are read */
			size_t text_n, next; /* what comes behind it */
			struct sh_pendings pending;
		} p[SH_DOCS_MAX];
		size_t n;
	} docs;
};
/* A word without its quotes. Borrows when it has none. */
struct str sh_word_unquoted(const struct lexer *l, struct span word);

/* Go, Rust, Java, Kotlin, Scala, Swift, C#, Groovy, Elixir, HCL, CSS: their literals are much
 * alike.
 */
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
	T_CSS = 1 << 18,     /* url(a) is a string, "-" in words */
	T_SASS = 1 << 19,    /* ... #{code} and @{code} in strings; without it "//" is no comment */
	T_INDENTED = 1 << 20 /* ... a comment goes on in deeper lines */
};
/* A string or an XML literal in whose code the reader is. */
struct lexeme_string {
	size_t depth;  /* open brackets of the code */
	size_t parens; /* C#: open ( and [ of the code */
	size_t quotes, hashes, dollars;
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
struct lexeme_reader {
	struct VEC(struct lexeme_string) strings;
	bool word_before; /* the last lexeme was a word that ends at l->at */
	/*
	 * No regular expression that begins before `to` ends with so many "#": on its line, or in
	 * the text. So a text is searched once, however many begin in it.
	 */
	struct lexeme_no_regex {
		size_t to, hashes;
	} no_regex_line, no_regex;
};

/* Formats of which only comments are read: flags of the table, beside its marks of comments. */
enum plain_flag {
	S_DOUBLE = 1,          /* "..." */
	S_SINGLE = 1 << 1,     /* '...' */
	S_CHAR = 1 << 2,       /* 'x', where a quote alone has other meanings: a lifetime, 1'000 */
	S_NO_ESCAPE = 1 << 3,  /* a quote is doubled; a backslash escapes nothing */
	S_RAW_SINGLE = 1 << 4, /* '...' without any escape, where "..." has some */
	S_LINES = 1 << 5,      /* strings may have several lines */
	S_TRIPLE = 1 << 6,     /* """...""", and '''...''' where '...' is a string */
	S_BACKTICK = 1 << 7,   /* `...`, where code may stand in strings with escapes */
	S_VERBATIM = 1 << 8,   /* @"..." */
	S_DOLLAR = 1 << 9,     /* $tag$...$tag$ */
	S_LONG = 1 << 10,      /* [[...]] and [=[...]=] */
	S_REGEX = 1 << 11,     /* /.../ where a value is expected */
	S_HEREDOC = 1 << 12,   /* <<WORD up to the line WORD */
	C_WORD = 1 << 14,      /* a line comment begins at the start of a word only */
	C_START = 1 << 15,     /* a line comment begins at the start of a line only */
	S_TICK = 1 << 16,      /* in "..." a backtick escapes the next character */
	C_DASHES = 1 << 17,    /* "--" is an operator when a symbol follows: "-->" */
	F_YAML = 1 << 18,     /* block scalars; a quote begins a string only where a value begins */
	F_TAGS = 1 << 19,     /* XML: tags with attributes, CDATA */
	F_MAKE = 1 << 20,     /* recipes have strings of the shell */
	F_MARKDOWN = 1 << 21, /* `...` is code, with any number of backticks */
	/* q{}, s{}{} and their like; lines from =word to =cut or =end are documentation */
	F_PERL = 1 << 22,
	F_BARS = 1 << 23,     /* {word|...|word}; strings count in comments too */
	F_QUASI = 1 << 25,    /* [word|...|] */
	S_ASSIGN = 1 << 26,   /* a quote begins a string only behind "=" */
	S_DIALECTS = 1 << 27, /* SQL: whether a backslash escapes is not known, nor what "#" is */
	S_UNSURE = 1 << 28,   /* whether strings may have several lines is not known */
	F_BRACES = 1 << 29,   /* F_TAGS, and code in braces */
};
#define PLAIN_HEREDOCS 8
struct plain_reader {
	char before;     /* the last character that is no blank and no comment; 0: none */
	bool in_line;    /* more than blanks stand before l->at in its line */
	bool assigned;   /* ... and a "=" does */
	bool recipe;     /* F_MAKE: the line is one of the shell */
	unsigned nested; /* strings in whose code l->at stands */
	unsigned braces; /* F_BRACES: that are open */
	size_t heredocs;
	struct {
		struct str word;
		const char *indent; /* what may stand before it in its last line */
	} heredoc[PLAIN_HEREDOCS];
	/* Markdown: lengths of runs of backticks that have no like in the rest of the block. */
	struct VEC(size_t) unpaired;
	unsigned unended; /* here-documents whose last line is missing */
	bool no_quasi;    /* F_QUASI: the rest has no "|]" */
};

struct lexer_shift {
	size_t at, source; /* here in the text, there in the source */
};
struct lexer_shifts VEC(struct lexer_shift);

struct lexer {
	struct arena *a;
	const struct lexer_form *form;
	struct str path;   /* of the file */
	struct str source; /* as it is in the file */
	/*
	 * As the compiler sees it: every end of a line is "\n", and escapes of LEXER_ESCAPES are
	 * decoded. Mostly it is the source itself. All offsets are in it; lexer_source_span() gives
	 * those in the source.
	 */
	struct str text;
	size_t at; /* the next byte */
	/* From the text to the source; and from there to the file, when this is a region of it. */
	struct lexer_shifts shifts, outer;
	const struct lexer_form *file; /* of a region: the form of its file */
	struct span src;               /* of a script in markup: the file that it names; or to 0 */
	size_t unread;                 /* of the file is told to who asks for comments */
	struct lexeme now;             /* what lexer_next() has read */
	size_t from;                   /* where it begins, with its quotes */
	size_t nested;                 /* it stands in the code of so many strings */
	size_t string_end; /* of the last string with code that ended: without its quotes */
	bool told;         /* a literal that does not end was told: the rest may be wrong for it */
	struct lexer_unknowns *unknown;  /* NULL: nobody asks */
	struct lexer_comments *comments; /* NULL: nobody asks */
	struct str want;                 /* what a comment must contain */
	void *ctx;                       /* the caller's */
	/* JavaScript, PHP and Python: what is open, a character each. */
	struct VEC(char) open;
	struct c_reader c;
	struct js_reader js;
	struct php_reader php;
	struct py_reader py;
	struct ruby_reader ruby;
	struct sh_reader sh;
	struct lexeme_reader lexemes;
	struct plain_reader plain;
};

/*
 * Reads the next lexeme into l->now. Returns whether there is one: LEX_END is none. Behind a string
 * with code come the lexemes of its code. Formats of which ikm only knows comments, and shells, are
 * read to their end.
 */
bool lexer_next(struct lexer *l);
static inline bool lexer_is_mark(const struct lexer *l, char c)
{
	return l->now.kind == LEX_MARK && l->now.mark == c;
}
/* The bracket that was opened last and is still open; 0: none is. */
static inline char lexer_top_bracket(const struct lexer *l)
{
	return l->open.n ? l->open.p[l->open.n - 1] : 0;
}

/*
 * Calls `each` for every region of the file, in their order; a file in one language is one region.
 * l->unknown tells what cannot be cut.
 */
void lexer_each_region(struct lexer *l, void (*each)(struct lexer *region));

/* Starts at the beginning of a text, behind a byte order mark. Sets what is not set by the caller.
 */
void lexer_begin(struct lexer *l, struct arena *a, const struct lexer_form *f, struct str path,
		 struct str text);
struct span lexer_source_span(const struct lexer *l, struct span at);

static inline char lexer_char_at(const struct lexer *l, size_t at)
{
	return at < l->text.n ? l->text.p[at] : 0;
}

/* Letters, digits, "_" and every byte of a character beyond ASCII. */
static inline bool lexer_is_word_byte(char c)
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
static inline size_t lexer_find_byte(const struct lexer *l, char c, size_t at)
{
	const char *p = at < l->text.n ? memchr(l->text.p + at, c, l->text.n - at) : NULL;

	return p ? (size_t)(p - l->text.p) : l->text.n;
}

/* The end of the word at `at`. */
static inline size_t lexer_word_end(const struct lexer *l, size_t at)
{
	while (at < l->text.n && lexer_is_word_byte(l->text.p[at]))
		at++;
	return at;
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

/* Whether l->now is this word, and no name in backticks. */
static inline bool lexer_is_named(const struct lexer *l, const char *word)
{
	return l->now.kind == LEX_WORD && !l->now.quoted && lexer_same(l->now.word, word);
}

/* The same in PHP, whose words ignore case. */
static inline bool php_token_is(const struct lexer *l, const char *word)
{
	return l->now.kind == LEX_WORD && str_ieq(l->now.word, str_of(word));
}

/* The lexeme from `from` to `to` becomes l->now. Returns true. */
static inline bool lexer_set_lexeme(struct lexer *l, enum lexeme_kind kind, size_t from, size_t to)
{
	l->now = (struct lexeme){.kind = kind,
				 .mark = kind == LEX_MARK ? lexer_char_at(l, from) : 0,
				 .word = {"", 0},
				 .at = {from, to},
				 .blank = l->now.blank};
	if (kind == LEX_WORD || kind == LEX_VARIABLE)
		l->now.word = lexer_slice(l, from, to);
	return true;
}

/* The next n bytes become l->now, and are passed over. Returns true. */
static inline bool lexer_take_bytes(struct lexer *l, enum lexeme_kind kind, size_t n)
{
	lexer_set_lexeme(l, kind, l->at, l->at + n);
	l->at += n;
	return true;
}

/* How many of this byte stand at `at`. */
static inline size_t lexer_run_length(const struct lexer *l, size_t at, char c)
{
	size_t n = 0;

	while (at + n < l->text.n && l->text.p[at + n] == c)
		n++;
	return n;
}

/* The offset behind blanks and tabs. */
static inline size_t lexer_behind_blanks(const struct lexer *l, size_t at)
{
	while (lexer_char_at(l, at) == ' ' || lexer_char_at(l, at) == '\t')
		at++;
	return at;
}

static inline bool lexer_begins_name(char c)
{
	return lexer_is_word_byte(c) && !ascii_is_digit(c);
}

void lexer_note_unknown(struct lexer *l, struct span at, const char *reason);
/* The literal that begins at `at` does not end. Told once for each file. */
void lexer_unended(struct lexer *l, size_t at, const char *reason);
void lexer_unended_string(struct lexer *l, size_t at);
/* To who asks for comments: ikm cannot read this part. `reason` stands at its beginning. */
void lexer_note_unreadable(struct lexer *l, struct span part, const char *reason);
/* A comment from `from` to `to`, whose markers have `open` and `close` bytes. */
void lexer_comment_add(struct lexer *l, size_t from, size_t open, size_t close, size_t to);
/* Passes over the comment at l->at, whose marker has `open` bytes, up to the end of the line. */
void lexer_line_comment(struct lexer *l, size_t open);
/* Passes over the comment at l->at up to the byte `end`, which is no part of it. */
void lexer_comment_to(struct lexer *l, size_t open, size_t end);
/* Passes over the comment at l->at; tells one that does not end. */
void lexer_block_comment(struct lexer *l, const char *open, const char *close, bool nests);
/* What ends the comment of HTML at l->at. */
const char *lexer_html_comment_closer(const struct lexer *l);
/*
 * The text between the quotes, with escapes of the C family decoded: \n, \x41, \101, \u0041,
 * \U00000041, \u{41}, and a line that a backslash continues. Borrows when it has none.
 */
struct str lexer_unescape(struct arena *a, struct str s);
/*
 * Passes over the string whose quote stands at l->at; a backslash escapes. lines: it may have
 * several lines. False: it does not end, and l->at is where reading goes on.
 */
bool lexer_pass_string(struct lexer *l, bool lines);
/* Whether the word is one of the list, which blanks divide. */
bool lexer_word_is_one_of(struct str word, const char *list);

/* The text of the string that l->now is, which has no code. */
struct str php_string_content(struct lexer *l);
struct str ruby_string_content(struct lexer *l);

/* A name that is read part by part: "a", ".", "b". Borrows while no blank stands in it. */
struct lexer_name {
	struct span at;
	struct buf joined;
	bool parts;
};
/* Adds l->now. */
void lexer_name_append(struct lexer *l, struct lexer_name *n);
struct str lexer_name_text(const struct lexer *l, const struct lexer_name *n);

/* ---- for the files of this module ---- */

static inline void lexer_push_bracket(struct lexer *l, char what)
{
	*VEC_PUSH(l->a, &l->open) = what;
}

/* The readers of forms.c. */
bool lexer_next_c(struct lexer *l);
bool lexer_next_javascript(struct lexer *l);
bool lexer_next_generic(struct lexer *l);
bool lexer_next_php(struct lexer *l);
bool lexer_next_comments_only(struct lexer *l);
bool lexer_next_python(struct lexer *l);
bool lexer_next_ruby(struct lexer *l);
bool lexer_next_shell(struct lexer *l);
void lexer_cut_markdown(struct lexer *l, void (*each)(struct lexer *region));
void lexer_cut_mdx(struct lexer *l, void (*each)(struct lexer *region));
void lexer_cut_notebook(struct lexer *l, void (*each)(struct lexer *region));
void lexer_cut_tagged_regions(struct lexer *l, void (*each)(struct lexer *region));
