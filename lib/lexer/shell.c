/* The shells: what is open, with the command that it interrupts, and the words of commands. */
#include "lexer/shell.h"

/* ---- what is open ---- */

/* The innermost open construct. The caller knows that there is one: sh_what() is not SH_TOP. */
static struct sh_open *sh_top(struct sh *y)
{
	if (!y->open.n)
		BUG("nothing is open");
	return &y->open.p[y->open.n - 1];
}

static enum sh_open_kind sh_what(struct sh *y)
{
	return y->open.n ? y->open.p[y->open.n - 1].what : SH_TOP;
}

static bool sh_ends_with_paren(enum sh_open_kind what)
{
	return what == SH_PAREN || what == SH_COMMANDS || what == SH_GLOB || what == SH_ARRAY ||
	       what == SH_TESTS;
}

/* Opens `what`, whose mark has n bytes. */
static struct sh_open *sh_push(struct sh *y, enum sh_open_kind what, size_t n)
{
	*VEC_PUSH(y->r->a, &y->open) =
		(struct sh_open){.what = what, .saved = y->c, .at = y->r->at};
	y->parens += sh_ends_with_paren(what);
	y->ticks += what == SH_TICK;
	y->c = (struct sh_command){.state = what == SH_ARRAY   ? SH_REST
					    : what == SH_TESTS ? SH_TEST
							       : SH_COMMAND,
				   .first = y->words.n};
	y->r->at = size_min(y->r->at + n, y->r->text.n);
	return sh_top(y);
}

/* The words of the command that ends here. */
static void sh_command_end(struct sh *y)
{
	if (y->on_command && y->words.n > y->c.first)
		y->on_command(y, y->words.p + y->c.first, y->words.n - y->c.first);
	y->words.n = y->c.first;
	y->c.named = false;
}

static void sh_pop(struct sh *y)
{
	struct sh_open *o = sh_top(y);

	sh_command_end(y);
	y->parens -= sh_ends_with_paren(o->what);
	y->ticks -= o->what == SH_TICK;
	y->c = o->saved;
	y->open.n--;
}

/* ---- words ---- */

static bool sh_is_plain(struct str raw)
{
	for (size_t i = 0; i < raw.n; i++)
		if (memchr("'\"\\$`", raw.p[i], 5))
			return false;
	return true;
}

struct str sh_text(const struct sh *y, struct span word)
{
	struct str raw = lexer_slice(y->r, word.from, word.to);
	struct buf b;
	bool string = false;

	if (sh_is_plain(raw))
		return raw;
	b = buf_in(y->r->a);
	for (size_t i = 0; i < raw.n; i++) {
		char c = raw.p[i], next = i + 1 < raw.n ? raw.p[i + 1] : 0;

		if (c == '"') {
			string = !string;
		} else if (c == '\'' && !string) {
			size_t end = str_find_char(raw, '\'', i + 1);

			end = size_min(end, raw.n);
			buf_put(&b, str_sub(raw, i + 1, end));
			i = end;
		} else if (c == '$' && next == '\'' && !string) {
			size_t from = i + 2;

			for (i = from; i < raw.n && raw.p[i] != '\''; i++)
				i += raw.p[i] == '\\';
			buf_put(&b,
				lexer_unescape(y->r->a, str_sub(raw, from, size_min(i, raw.n))));
		} else if (c == '$' && next == '"' && !string) {
			continue;
		} else if (c == '\\' && (!string || (next && strchr("$`\"\\\n", next)))) {
			if (++i < raw.n && next != '\n')
				buf_putc(&b, next);
		} else {
			buf_putc(&b, c);
		}
	}
	return buf_str(&b);
}

/* a=b, a+=b, a[1]=b */
static bool sh_is_assignment(struct str raw)
{
	size_t i = 0;

	while (i < raw.n && lexer_is_word(raw.p[i]))
		i++;
	if (!i || ascii_is_digit(raw.p[0]) || i == raw.n)
		return false;
	if (raw.p[i] == '[')
		i = size_min(str_find(raw, STR("]"), i), raw.n - 1) + 1;
	if (i < raw.n && raw.p[i] == '+')
		i++;
	return i < raw.n && raw.p[i] == '=';
}

static bool sh_one_of(struct str word, const char *const *words)
{
	for (size_t i = 0; words[i]; i++)
		if (lexer_same(word, words[i]))
			return true;
	return false;
}

static void sh_word_add(struct sh *y, struct sh_word w)
{
	w.program = y->c.program;
	w.glob = y->c.glob;
	*VEC_PUSH(y->r->a, &y->words) = w;
	if (y->on_word)
		y->on_word(y, y->words.p + y->c.first, y->words.n - y->c.first);
}

/* The first word of a command. */
static void sh_first(struct sh *y, struct str raw, struct span at)
{
	static const char *const before[] = {"if", "then", "else", "elif", "while",  "until",
					     "do", "!",    "{",    "time", "coproc", NULL};

	if (sh_what(y) == SH_PATTERN || lexer_same(raw, "esac")) {
		if (!lexer_same(raw, "esac"))
			return;
		if (sh_what(y) == SH_PATTERN || sh_what(y) == SH_BRANCH)
			sh_pop(y);
		y->c.state = SH_REST;
	} else if (sh_is_assignment(raw)) {
		sh_word_add(y, (struct sh_word){.at = at, .assignment = true});
	} else if (sh_one_of(raw, before)) {
		return;
	} else if (lexer_same(raw, "case")) {
		y->c.state = SH_SUBJECT;
	} else if (lexer_same(raw, "for") || lexer_same(raw, "select")) {
		y->c.state = SH_FOR;
	} else if (lexer_same(raw, "function")) {
		y->c.state = SH_FUNCTION;
	} else if (lexer_same(raw, "[[")) {
		y->c.state = SH_TEST;
	} else {
		y->c.state = SH_REST;
		y->c.named = true;
		sh_word_add(y, (struct sh_word){.at = at});
	}
}

static void sh_word_state(struct sh *y, struct span at)
{
	struct str raw = lexer_slice(y->r, at.from, at.to);

	switch (y->c.state) {
	case SH_COMMAND: sh_first(y, raw, at); break;
	case SH_REST:
		if (y->c.named)
			sh_word_add(y, (struct sh_word){.at = at});
		break;
	case SH_SUBJECT: y->c.state = SH_IN; break;
	case SH_IN:
		y->c.state = SH_REST;
		if (lexer_same(raw, "in"))
			sh_push(y, SH_PATTERN, 0);
		break;
	case SH_FOR: y->c.state = SH_FOR_NAME; break;
	case SH_FOR_NAME: y->c.state = lexer_same(raw, "do") ? SH_COMMAND : SH_REST; break;
	case SH_FUNCTION: y->c.state = SH_COMMAND; break;
	case SH_TEST:
		if (lexer_same(raw, "]]") && sh_what(y) != SH_TESTS)
			y->c.state = SH_REST;
		break;
	}
}

static void sh_word_end(struct sh *y)
{
	if (!y->c.word)
		return;
	y->c.word = false;
	if (y->c.target)
		y->c.target = false;
	else
		sh_word_state(y, (struct span){y->c.from, y->r->at});
	y->c.program = y->c.glob = false;
}

static void sh_word_begin(struct sh *y)
{
	if (y->c.word)
		return;
	y->c.word = true;
	y->c.program = y->c.glob = false;
	y->c.from = y->r->at;
}

/* ---- here documents ---- */

/* Behind "<<" or "<<-": the word that ends it. */
static void sh_doc_begin(struct sh *y, size_t at, bool tabs)
{
	struct lexer *r = y->r;
	size_t from;
	struct str raw, end;

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
	end = sh_text(y, (struct span){from, r->at});
	*VEC_PUSH(r->a, &y->pending) = (struct sh_pending){
		.end = end, .quoted = !str_eq(end, raw), .tabs = tabs, .at = at};
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

/* The pattern or the commands of "case". */
static void sh_begin_branch(struct sh *y, enum sh_open_kind what)
{
	sh_command_end(y);
	sh_top(y)->what = what;
	y->c = (struct sh_command){.state = SH_COMMAND, .first = y->c.first};
}

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
		sh_begin_branch(y, SH_PATTERN);
	} else if (sh_what(y) != SH_ARRAY && s != SH_TEST && s != SH_SUBJECT && s != SH_IN) {
		sh_command_end(y);
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
		y->words.n = y->c.first;
		y->c.named = false;
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
		sh_begin_branch(y, SH_BRANCH);
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
		lexer_comment_add(r, from, 1, 0, r->at);
		if (y->on_comment)
			y->on_comment(y, (struct span){from, r->at});
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

void sh_read(struct sh *y)
{
	struct lexer *r = y->r;

	for (;;) {
		enum sh_open_kind what = sh_what(y);

		if (r->at >= r->text.n) {
			if (!y->docs.n)
				break;
			sh_doc_leave(y);
		} else if (what == SH_STRING || what == SH_VALUE || what == SH_DOC ||
			   what == SH_GLOB) {
			sh_in_text(y, what);
		} else if (what == SH_SUM) {
			sh_in_sum(y);
		} else {
			sh_code(y);
		}
	}
	sh_word_end(y);
	sh_command_end(y);
	if (y->open.n)
		lexer_unended(r, y->open.p[y->open.n - 1].at, "what begins here does not end");
	for (size_t i = 0; i < y->pending.n; i++)
		lexer_unended(r, y->pending.p[i].at,
			      "the here document that begins here does not end");
}

void lexer_skim_shell(struct lexer *r)
{
	struct sh y = {.r = r};

	sh_read(&y);
}
