/* shell: what the lexer and the commands of the shells share. Private to their files. */
#ifndef IKM_IMPORTS_SHELL_H
#define IKM_IMPORTS_SHELL_H

#include "imports/lexer.h"

#define SH_DOCS_MAX 8 /* here documents within each other */

/* What is open. */
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
	SH_PREFIX,  /* builtin, command: the same */
	SH_SOURCE,  /* the file follows */
	SH_FOLDERS, /* source -p */
	SH_REST,    /* other words of a command */
	SH_SUBJECT, /* case */
	SH_IN,      /* case x */
	SH_FOR,
	SH_FOR_NAME, /* for x */
	SH_FUNCTION, /* function */
	SH_TEST,     /* [[ */
};

struct sh_command {
	enum sh_state state;
	size_t call, from; /* where "source" and the word that is read begin */
	bool word;         /* a word is read */
	bool program;      /* it has an expansion */
	bool glob;         /* or stands for several words */
	bool target;       /* the next word belongs to < or > */
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
	struct lexer *r;
	struct sh_command c;
	struct {
		struct sh_open *p;
		size_t n, cap;
	} open;
	size_t parens, ticks; /* how many of SH_PAREN and the like, and of SH_TICK are open */
	struct span hint;     /* the file in "# shellcheck source=file" before a command; or to 0 */
	struct sh_pendings pending;
	struct {
		struct sh_doc p[SH_DOCS_MAX];
		size_t n;
	} docs;
};

/* What was opened last. Ask only where sh_what() is not SH_TOP. */
static inline struct sh_open *sh_top(struct sh *y)
{
	if (!y->open.n)
		BUG("nothing is open");
	return &y->open.p[y->open.n - 1];
}

static inline enum sh_open_kind sh_what(struct sh *y)
{
	return y->open.n ? y->open.p[y->open.n - 1].what : SH_TOP;
}

/* Opens `what`, whose mark has n bytes. */
struct sh_open *sh_push(struct sh *y, enum sh_open_kind what, size_t n);
void sh_pop(struct sh *y);

/* ---- shell_word.c: which words name a file ---- */

/* A comment, which may name the file that the next command reads. */
void sh_comment(struct sh *y, struct span comment);
/* The word without its quotes. */
struct str sh_text(struct sh *y, struct str raw);
/* A word begins or goes on at the next byte; it ends before it. */
void sh_word_begin(struct sh *y);
void sh_word_end(struct sh *y);

#endif
