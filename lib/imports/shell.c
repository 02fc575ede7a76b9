/*
 * The shells: "." and "source" where a command begins. Commands stand in strings, in here documents
 * and in each other, so what is open stands on one stack, with the command that it interrupts.
 */
#include "imports/shell.h"

/* ---- what is open ---- */

static bool sh_ends_with_paren(enum sh_open_kind what)
{
	return what == SH_PAREN || what == SH_COMMANDS || what == SH_GLOB || what == SH_ARRAY ||
	       what == SH_TESTS;
}

struct sh_open *sh_push(struct sh *y, enum sh_open_kind what, size_t n)
{
	*VEC_PUSH(y->r->a, &y->open) =
		(struct sh_open){.what = what, .saved = y->c, .at = y->r->at};
	y->parens += sh_ends_with_paren(what);
	y->ticks += what == SH_TICK;
	y->c = (struct sh_command){.state = what == SH_ARRAY   ? SH_REST
					    : what == SH_TESTS ? SH_TEST
							       : SH_COMMAND};
	y->r->at = size_min(y->r->at + n, y->r->text.n);
	return sh_top(y);
}

void sh_pop(struct sh *y)
{
	struct sh_open *o = sh_top(y);

	y->parens -= sh_ends_with_paren(o->what);
	y->ticks -= o->what == SH_TICK;
	y->c = o->saved;
	y->open.n--;
}

/* ---- here documents ---- */

/* Behind "<<" or "<<-": the word that ends it. */
static void sh_doc_begin(struct sh *y, size_t at, bool tabs)
{
	struct lexer *r = y->r;
	size_t from;
	struct str raw;

	while (lexer_char(r, r->at) == ' ' || lexer_char(r, r->at) == '\t')
		r->at++;
	for (from = r->at; r->at < r->text.n && !memchr(" \t\n;&|()<>", r->text.p[r->at], 10);) {
		char c = r->text.p[r->at];

		if (c == '\'' || c == '"')
			r->at = size_min(lexer_find(r, c, r->at + 1), r->text.n - 1);
		else if (c == '\\')
			r->at++;
		r->at = size_min(r->at + 1, r->text.n);
	}
	raw = lexer_slice(r, from, r->at);
	if (!raw.n)
		return;
	*VEC_PUSH(r->a, &y->pending) = (struct sh_pending){.end = sh_text(y, raw),
							   .quoted = !str_eq(sh_text(y, raw), raw),
							   .tabs = tabs,
							   .at = at};
}

/* Where the text ends that begins at `from`; *next is behind the line that ends it. */
static size_t sh_doc_end(struct sh *y, const struct sh_pending *d, size_t from, size_t *next)
{
	struct lexer *r = y->r;

	while (from < r->text.n) {
		size_t end = lexer_find(r, '\n', from), at = from;

		while (d->tabs && lexer_char(r, at) == '\t')
			at++;
		*next = size_min(end + 1, r->text.n);
		if (str_eq(lexer_slice(r, at, size_max(at, end)), d->end))
			return from;
		from = *next;
	}
	*next = r->text.n;
	lexer_unended(r, d->at, "the here document that begins here does not end");
	return r->text.n;
}

/* Reads the here documents that wait, at the beginning of a line; stops in one with expansions. */
static void sh_docs(struct sh *y)
{
	struct lexer *r = y->r;
	struct sh_pendings pending = y->pending;

	for (size_t i = 0; i < pending.n; i++) {
		struct sh_pending d = pending.p[i];
		size_t next = r->at, end = sh_doc_end(y, &d, r->at, &next);
		struct str text = lexer_slice(r, r->at, end);
		bool code = !d.quoted && (str_find(text, STR("$("), 0) != SIZE_MAX ||
					  str_find_char(text, '`', 0) != SIZE_MAX);

		if (code && y->docs.n == SH_DOCS_MAX) {
			lexer_unknown(r, (struct span){d.at, size_min(d.at + 20, r->text.n)},
				      "too many here documents stand in each other");
			code = false;
		}
		if (!code) {
			r->at = next;
			continue;
		}
		sh_push(y, SH_DOC, 0);
		y->docs.p[y->docs.n] = (struct sh_doc){.text_n = r->text.n, .next = next};
		y->docs.p[y->docs.n].pending.p = pending.p + i + 1;
		y->docs.p[y->docs.n++].pending.n = pending.n - i - 1;
		y->pending = (struct sh_pendings){0};
		r->text.n = end;
		return;
	}
	y->pending = (struct sh_pendings){0};
}

/* At the end of the text of a here document. */
static void sh_doc_leave(struct sh *y)
{
	struct lexer *r = y->r;
	struct sh_doc d = y->docs.p[--y->docs.n];

	sh_word_end(y);
	if (sh_what(y) != SH_DOC)
		lexer_unended(r, sh_top(y)->at, "what begins here does not end");
	while (sh_what(y) != SH_DOC)
		sh_pop(y);
	sh_pop(y);
	r->text.n = d.text_n;
	r->at = d.next;
	y->pending = d.pending;
	y->pending.cap = y->pending.n;
	sh_docs(y);
}

/* ---- text with expansions ---- */

/* ${name and its operator: whether ' quotes in what follows. */
static bool sh_value_quotes(struct sh *y, bool string)
{
	struct lexer *r = y->r;
	size_t at = r->at + 2;

	if (!string)
		return true;
	while (lexer_is_word(lexer_char(r, at)) || memchr("@*!?[]", lexer_char(r, at), 6))
		at++;
	return lexer_char(r, at) && strchr("#%/^,", lexer_char(r, at));
}

/* Leaves the innermost `...`. False: the text of a here document in it goes on. */
static bool sh_tick_end(struct sh *y)
{
	while (sh_what(y) != SH_TICK) {
		if (sh_what(y) == SH_DOC)
			return false;
		sh_word_end(y);
		if (sh_what(y) != SH_TICK)
			sh_pop(y);
	}
	sh_word_end(y);
	while (sh_what(y) != SH_TICK)
		sh_pop(y);
	sh_pop(y);
	return true;
}

/*
 * At a backslash: `a \`b \\\`c\\\` \`` has commands in commands, the innermost behind the most
 * backslashes. False: no such command begins or ends here. code: not in a string or its like.
 */
static bool sh_inner_tick(struct sh *y, bool code)
{
	struct lexer *r = y->r;
	size_t n = 0, level = 1;

	while (lexer_char(r, r->at + n) == '\\' && n < 64)
		n++;
	if (lexer_char(r, r->at + n) != '`' || (n & (n + 1)))
		return false;
	for (size_t i = n; i; i >>= 1)
		level++;
	if (level == y->ticks + 1) {
		if (code)
			sh_word_begin(y);
		y->c.program = true;
		sh_push(y, SH_TICK, n + 1);
		return true;
	}
	if (level != y->ticks || !sh_tick_end(y))
		return false;
	r->at += n + 1;
	return true;
}

/* At "$" or "`". string: in a string or here document, where $'a' is no quote. */
static void sh_expand(struct sh *y, bool string)
{
	struct lexer *r = y->r;
	char next = lexer_char(r, r->at + 1);

	if (r->text.p[r->at] == '`') {
		if (!y->ticks) {
			y->c.program = true;
			sh_push(y, SH_TICK, 1);
			return;
		}
		while (y->ticks && sh_tick_end(y))
			;
		r->at++;
	} else if (next == '(' && lexer_char(r, r->at + 2) == '(') {
		y->c.program = true;
		sh_push(y, SH_SUM, 3);
	} else if (next == '(') {
		y->c.program = true;
		sh_push(y, SH_COMMANDS, 2);
	} else if (next == '{') {
		bool quotes = sh_value_quotes(y, string);

		y->c.program = true;
		sh_push(y, SH_VALUE, 2)->quotes = quotes;
	} else if (next == '\'' && !string) {
		size_t stop, end;

		r->at++;
		end = lexer_string_end(r, r->at, true, &stop);
		if (end == SIZE_MAX)
			lexer_unended(r, r->at, "the string that begins here does not end");
		r->at = end == SIZE_MAX ? stop : end;
	} else if (next == '"' && !string) {
		r->at++;
	} else {
		y->c.program |= lexer_is_word(next) || (next && strchr("@*#?$!-", next));
		r->at += next && strchr("#$", next) ? 2 : 1;
		r->at = size_min(r->at, r->text.n);
	}
}

static void sh_single(struct sh *y)
{
	struct lexer *r = y->r;
	size_t end = lexer_find(r, '\'', r->at + 1);

	if (end == r->text.n)
		lexer_unended(r, r->at, "the string that begins here does not end");
	r->at = size_min(end + 1, r->text.n);
}

/* In a string, a here document or ${}. */
static void sh_in_text(struct sh *y, enum sh_open_kind what)
{
	struct lexer *r = y->r;
	char c = r->text.p[r->at];
	struct sh_open *top = sh_top(y);

	if (c == '\\') {
		if (!y->ticks || !sh_inner_tick(y, false))
			r->at = size_min(r->at + 2, r->text.n);
	} else if (c == '$' || c == '`') {
		sh_expand(y, what == SH_VALUE ? !top->quotes : what != SH_GLOB);
	} else if (what == SH_STRING && c == '"') {
		bool program = y->c.program;

		sh_pop(y);
		y->c.program |= program;
		r->at++;
	} else if (what == SH_VALUE && c == '}') {
		sh_pop(y);
		r->at++;
	} else if (what != SH_STRING && what != SH_DOC && c == '"') {
		sh_push(y, SH_STRING, 1);
	} else if (c == '\'' && ((what == SH_VALUE && top->quotes) || what == SH_GLOB)) {
		sh_single(y);
	} else if (what == SH_GLOB && c == '(') {
		sh_push(y, SH_GLOB, 1);
	} else if (what == SH_GLOB && c == ')') {
		sh_pop(y);
		r->at++;
	} else {
		r->at++;
	}
}

/* In $(( )) or (( )). */
static void sh_in_sum(struct sh *y)
{
	struct lexer *r = y->r;
	struct sh_open *top = sh_top(y);
	char c = r->text.p[r->at];

	if (c == '(') {
		top->depth++;
		r->at++;
	} else if (c == ')' && top->depth) {
		top->depth--;
		r->at++;
	} else if (c == ')' && lexer_char(r, r->at + 1) == ')') {
		sh_pop(y);
		if (!y->c.word)
			y->c.state = y->c.state == SH_FOR ? SH_FOR_NAME : SH_REST;
		r->at += 2;
	} else if (c == ')') {
		lexer_unknown(r, (struct span){top->at, size_min(top->at + 20, r->text.n)},
			      "'((' may begin two subshells: put a blank between them");
		/* The inner one has ended. */
		top->what = SH_PAREN;
		y->parens++;
		y->c.state = SH_REST;
		r->at++;
	} else if (c == '\'') {
		sh_single(y);
	} else {
		sh_in_text(y, SH_SUM);
	}
}

/* ---- commands ---- */

/* "\n", ";", "&", "|" */
static void sh_separator(struct sh *y, char c)
{
	struct lexer *r = y->r;
	enum sh_state s;

	sh_word_end(y);
	s = y->c.state;
	r->at++;
	if (c == ';' && sh_what(y) == SH_BRANCH &&
	    (lexer_char(r, r->at) == ';' || lexer_char(r, r->at) == '&' ||
	     lexer_char(r, r->at) == '|')) {
		r->at += lexer_is(r, r->at, ";&") || lexer_is(r, r->at, ";|") ? 2 : 1;
		sh_top(y)->what = SH_PATTERN;
		y->c = (struct sh_command){.state = SH_COMMAND};
	} else if (sh_what(y) != SH_ARRAY && s != SH_TEST && s != SH_SUBJECT && s != SH_IN) {
		y->c.state = SH_COMMAND;
		y->c.target = false;
	}
	if (c == '\n' && y->pending.n)
		sh_docs(y);
}

/* "(" */
static void sh_paren(struct sh *y)
{
	struct lexer *r = y->r;
	size_t at = r->at + 1;
	char before = r->at ? r->text.p[r->at - 1] : 0;

	if (y->c.word && before == '=') {
		sh_push(y, SH_ARRAY, 1);
		return;
	}
	if (y->c.word && (memchr("?*+@", before, 4) || (before == '!' && r->at - y->c.from > 1))) {
		y->c.glob = true;
		sh_push(y, SH_GLOB, 1);
		return;
	}
	while (lexer_char(r, at) == ' ' || lexer_char(r, at) == '\t')
		at++;
	sh_word_end(y);
	if (y->c.state == SH_TEST) {
		sh_push(y, SH_TESTS, 1);
	} else if (lexer_char(r, at) == ')') {
		/* A function's name stands before it. */
		r->at = at + 1;
		y->c.state = SH_COMMAND;
	} else if (sh_what(y) == SH_PATTERN) {
		r->at++;
	} else if (lexer_char(r, r->at + 1) == '(' &&
		   (y->c.state == SH_COMMAND || y->c.state == SH_FOR)) {
		sh_push(y, SH_SUM, 2);
	} else {
		sh_push(y, SH_PAREN, 1);
	}
}

/* ")" */
static void sh_paren_end(struct sh *y)
{
	sh_word_end(y);
	y->r->at++;
	if (sh_what(y) == SH_PATTERN) {
		sh_top(y)->what = SH_BRANCH;
		y->c = (struct sh_command){.state = SH_COMMAND};
		return;
	}
	if (!y->parens)
		return;
	while (!sh_ends_with_paren(sh_what(y))) {
		if (sh_what(y) == SH_DOC || sh_what(y) == SH_TICK)
			return;
		sh_pop(y);
	}
	sh_pop(y);
	if (!y->c.word && y->c.state == SH_COMMAND)
		y->c.state = SH_REST;
}

/* "<" or ">" */
static void sh_redirect(struct sh *y, char c)
{
	struct lexer *r = y->r;
	size_t at = r->at, i = y->c.from;

	if (lexer_char(r, at + 1) == '(' && y->c.state != SH_TEST) {
		sh_word_end(y);
		sh_word_begin(y);
		y->c.program = true;
		sh_push(y, SH_COMMANDS, 2);
		return;
	}
	/* In "2>x" the number belongs to the mark. */
	while (y->c.word && i < at && ascii_is_digit(r->text.p[i]))
		i++;
	if (y->c.word && i == at)
		y->c.word = false;
	sh_word_end(y);
	r->at++;
	if (y->c.state == SH_TEST)
		return;
	if (c == '<' && lexer_char(r, r->at) == '<' && lexer_char(r, r->at + 1) != '<') {
		bool tabs = lexer_char(r, r->at + 1) == '-';

		r->at += 1 + tabs;
		sh_doc_begin(y, at, tabs);
		return;
	}
	while (r->at < r->text.n && memchr("<>&|", r->text.p[r->at], 4) &&
	       lexer_char(r, r->at + 1) != '(')
		r->at++;
	y->c.target = true;
}

static void sh_code(struct sh *y)
{
	struct lexer *r = y->r;
	char c = r->text.p[r->at];
	size_t from;

	switch (c) {
	case ' ':
	case '\t':
	case '\r':
	case '\f':
		sh_word_end(y);
		r->at++;
		break;
	case '\n':
	case ';':
	case '|': sh_separator(y, c); break;
	case '&':
		if (lexer_char(r, r->at + 1) == '>' && y->c.state != SH_TEST) {
			sh_word_end(y);
			r->at++;
			sh_redirect(y, '>');
		} else {
			sh_separator(y, c);
		}
		break;
	case '(': sh_paren(y); break;
	case ')': sh_paren_end(y); break;
	case '<':
	case '>': sh_redirect(y, c); break;
	case '#':
		if (y->c.word) {
			r->at++;
			break;
		}
		from = r->at;
		r->at = lexer_find(r, '\n', from);
		sh_comment(y, (struct span){from, r->at});
		break;
	case '\\':
		if (y->ticks && sh_inner_tick(y, true))
			break;
		if (lexer_char(r, r->at + 1) != '\n')
			sh_word_begin(y);
		r->at = size_min(r->at + 2, r->text.n);
		break;
	case '\'':
		sh_word_begin(y);
		sh_single(y);
		break;
	case '"':
		sh_word_begin(y);
		sh_push(y, SH_STRING, 1);
		break;
	case '`':
		if (y->ticks) {
			sh_expand(y, false);
			break;
		}
		/* fallthrough */
	case '$':
		sh_word_begin(y);
		sh_expand(y, false);
		break;
	default:
		sh_word_begin(y);
		y->c.glob |= c == '*' || c == '?' || c == '[' || c == '{';
		r->at++;
	}
}

void imports_read_shell(struct lexer *r)
{
	struct sh y = {.r = r};

	for (;;) {
		enum sh_open_kind what = sh_what(&y);

		if (r->at >= r->text.n) {
			if (!y.docs.n)
				break;
			sh_doc_leave(&y);
		} else if (what == SH_STRING || what == SH_VALUE || what == SH_DOC ||
			   what == SH_GLOB) {
			sh_in_text(&y, what);
		} else if (what == SH_SUM) {
			sh_in_sum(&y);
		} else {
			sh_code(&y);
		}
	}
	sh_word_end(&y);
	if (y.open.n)
		lexer_unended(r, y.open.p[y.open.n - 1].at, "what begins here does not end");
	for (size_t i = 0; i < y.pending.n; i++)
		lexer_unended(r, y.pending.p[i].at,
			      "the here document that begins here does not end");
}
