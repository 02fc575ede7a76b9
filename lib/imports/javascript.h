/* javascript: what the lexer and the statements of JavaScript share. Private to their files. */
#ifndef IKM_IMPORTS_JAVASCRIPT_H
#define IKM_IMPORTS_JAVASCRIPT_H

#include "imports/lexer.h"

/* An open construct, one character each. */
enum js_open {
	JS_PAREN = '(',
	JS_CONTROL = 'c', /* the parenthesis of if, while, for, with: a statement follows it */
	JS_PROGRAM = 'u', /* the arguments of a call whose module a program decides */
	JS_BRACKET = '[',
	JS_BLOCK = '{',
	JS_OBJECT = 'o',
	JS_IN_TEMPLATE = '$', /* ${ */
	JS_IN_ELEMENT = 'j',  /* { between or in tags */
	JS_TEMPLATE = '`',
	JS_TAG = '<',
	JS_CHILDREN = '>',
};

/* How far a statement or call that may name a module was read. */
enum js_state {
	JS_NONE,
	JS_IMPORT,   /* import */
	JS_META,     /* import. */
	JS_GLOB,     /* import.meta */
	JS_PATTERN,  /* import.meta.glob, require.context: folders and patterns follow */
	JS_CLAUSE,   /* import a, {b as c */
	JS_LISTED,   /* import {a} */
	JS_FROM,     /* import a from */
	JS_EXPORT,   /* export */
	JS_EQUAL,    /* import a = */
	JS_CALLEE,   /* require */
	JS_RESOLVE,  /* require. */
	JS_ARGUMENT, /* require( */
	JS_LITERAL,  /* require("a" */
};

struct js {
	struct imports_reader *r;
	struct {
		char *p;
		size_t n, cap;
	} open;
	/* The calls of the open parentheses JS_PROGRAM. */
	struct {
		size_t *p;
		size_t n, cap;
	} calls;
	enum js_state state;
	enum imports_kind kind;
	size_t call;            /* where the call begins */
	struct span literal;    /* its argument */
	bool operand;           /* the last token ends an expression, so "/" divides */
	bool dot;               /* the last token is "." or "?." */
	bool typed;             /* ":" in the arguments of JS_PROGRAM: a declaration */
	unsigned choices;       /* "?" in them that wait for their ":" */
	bool braces;            /* within the braces of JS_CLAUSE */
	unsigned angles;        /* "<" in a tag: arguments of a generic element */
	bool words;             /* a token came before */
	char last;              /* the last token when it is a mark, or 0 */
	struct str word, owner; /* the last token when it is a word; the word before the dot */
	struct span ended;      /* a call that a program decides has just ended; to 0: none */
	size_t no_regex;        /* no regular expression ends before this offset */
	size_t closing;         /* no "</" stands between r->at and this offset */
	bool jsx;
};

static inline char js_top(const struct js *j)
{
	return j->open.n ? j->open.p[j->open.n - 1] : JS_BLOCK;
}

static inline void js_push(struct js *j, char what)
{
	*VEC_PUSH(j->r->a, &j->open) = what;
}

/* ---- javascript_state.c: which tokens name a module ---- */

/* A call whose module a program decides has ended; `next` is the token behind it. */
void js_settle(struct js *j, char next);
/* The argument of the call that is read is no literal. */
void js_program(struct js *j);
/* A string, or a template without ${}: the span is what stands between the quotes. */
void js_string(struct js *j, struct span s);
void js_word_state(struct js *j, struct str word, size_t at);
/* A punctuator. "(" stands on the stack already. */
void js_mark_state(struct js *j, char c);

#endif
