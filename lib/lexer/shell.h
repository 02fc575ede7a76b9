/*
 * shell: the commands of sh, bash, ksh and zsh, and their words. Commands stand in strings, in here
 * documents and in each other; what is open stands on one stack, so there is no recursion.
 */
#ifndef IKM_LEXER_SHELL_H
#define IKM_LEXER_SHELL_H

#include "lexer/lexer.h"

#define SH_DOCS_MAX 8 /* here documents within each other */

/* The construct that the reader has entered and not left: a string, a subshell, a case. */
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

struct sh_open {
	enum sh_open_kind what;
	struct sh_command saved;
	size_t at;
	unsigned depth; /* parentheses in SH_SUM */
	bool quotes;    /* ' quotes in SH_VALUE */
};

/* A here document whose text follows the line. */
struct sh_pending {
	struct str end;
	bool quoted, tabs;
	size_t at;
};
struct sh_pendings {
	struct sh_pending *p;
	size_t n, cap;
};

/* A here document in which expansions are read. */
struct sh_doc {
	size_t text_n, next; /* what comes behind it */
	struct sh_pendings pending;
};

struct sh {
	struct lexer *r; /* set by the caller, as are the functions, of which each may be NULL */
	/* A word of a command has ended: the last of these n, which begin with the command. */
	void (*on_word)(struct sh *y, const struct sh_word *words, size_t n);
	/* A command has ended. */
	void (*on_command)(struct sh *y, const struct sh_word *words, size_t n);
	void (*on_comment)(struct sh *y, struct span comment);
	/* Private to shell.c. */
	struct sh_command c;
	struct {
		struct sh_word *p;
		size_t n, cap;
	} words; /* of the command that is read, behind those of the ones around it */
	struct {
		struct sh_open *p;
		size_t n, cap;
	} open;
	size_t parens, ticks; /* how many of SH_PAREN and the like, and of SH_TICK are open */
	struct sh_pendings pending;
	struct {
		struct sh_doc p[SH_DOCS_MAX];
		size_t n;
	} docs;
};

/* Reads to the end of the text. */
void sh_read(struct sh *y);
/* A word without its quotes. Borrows when it has none. */
struct str sh_text(const struct sh *y, struct span word);

#endif
