/* The shells: what is open, with the command that it interrupts, and the words of commands. */
#include "lexer/lexer.h"

/* ---- what is open ---- */

/* The innermost open construct. The caller knows that there is one: sh_what() is not SH_TOP. */
static struct sh_open *sh_top(struct lexer *l)
{
	if (!l->sh.open.n)
		BUG("nothing is open");
	return &l->sh.open.p[l->sh.open.n - 1];
}

static enum sh_open_kind sh_what(struct lexer *l)
{
	return l->sh.open.n ? l->sh.open.p[l->sh.open.n - 1].what : SH_TOP;
}

static bool sh_ends_with_paren(enum sh_open_kind what)
{
	return what == SH_PAREN || what == SH_COMMANDS || what == SH_GLOB || what == SH_ARRAY ||
	       what == SH_TESTS;
}

/* Opens `what`, whose mark has n bytes. */
static struct sh_open *sh_push(struct lexer *l, enum sh_open_kind what, size_t n)
{
	*VEC_PUSH(l->a, &l->sh.open) =
		(struct sh_open){.what = what, .saved = l->sh.c, .at = l->at};
	l->sh.parens += sh_ends_with_paren(what);
	l->sh.ticks += what == SH_TICK;
	l->sh.c = (struct sh_command){.state = what == SH_ARRAY   ? SH_REST
					       : what == SH_TESTS ? SH_TEST
								  : SH_COMMAND,
				      .first = l->sh.words.n};
	l->at = size_min(l->at + n, l->text.n);
	return sh_top(l);
}

/* The words of the command that ends here. */
static void sh_command_end(struct lexer *l)
{
	if (l->sh.on_command && l->sh.words.n > l->sh.c.first)
		l->sh.on_command(l, l->sh.words.p + l->sh.c.first, l->sh.words.n - l->sh.c.first);
	l->sh.words.n = l->sh.c.first;
	l->sh.c.named = false;
}

static void sh_pop(struct lexer *l)
{
	struct sh_open *o = sh_top(l);

	sh_command_end(l);
	l->sh.parens -= sh_ends_with_paren(o->what);
	l->sh.ticks -= o->what == SH_TICK;
	l->sh.c = o->saved;
	l->sh.open.n--;
}

/* ---- words ---- */

struct str sh_word_unquoted(const struct lexer *l, struct span word)
{
	struct str raw = lexer_slice(l, word.from, word.to);
	struct buf b;
	bool string = false;
	size_t plain = 0;

	while (plain < raw.n && !memchr("'\"\\$`", raw.p[plain], 5))
		plain++;
	if (plain == raw.n)
		return raw;
	b = buf_in(l->a);
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
			buf_put(&b, lexer_unescape(l->a, str_sub(raw, from, size_min(i, raw.n))));
		} else if (c == '$' && next == '"' && !string) {
			continue;
		} else if (c == '\\' && (!string || (next && strchr("$`\"\\\n", next)))) {
			if (++i < raw.n && next != '\n')
				buf_putc(&b, next);
		} else {
			buf_putc(&b, c);
		}
	}
	return buf_as_str(&b);
}

/* a=b, a+=b, a[1]=b */
static bool sh_is_assignment(struct str raw)
{
	size_t i = 0;

	while (i < raw.n && lexer_is_word_byte(raw.p[i]))
		i++;
	if (!i || ascii_is_digit(raw.p[0]) || i == raw.n)
		return false;
	if (raw.p[i] == '[')
		i = size_min(str_find(raw, STR("]"), i), raw.n - 1) + 1;
	if (i < raw.n && raw.p[i] == '+')
		i++;
	return i < raw.n && raw.p[i] == '=';
}

static void sh_word_add(struct lexer *l, struct sh_word w)
{
	w.program = l->sh.c.program;
	w.glob = l->sh.c.glob;
	*VEC_PUSH(l->a, &l->sh.words) = w;
	if (l->sh.on_word)
		l->sh.on_word(l, l->sh.words.p + l->sh.c.first, l->sh.words.n - l->sh.c.first);
}

/* The first word of a command. */
static void sh_first(struct lexer *l, struct str raw, struct span at)
{
	if (sh_what(l) == SH_PATTERN || lexer_same(raw, "esac")) {
		if (!lexer_same(raw, "esac"))
			return;
		if (sh_what(l) == SH_PATTERN || sh_what(l) == SH_BRANCH)
			sh_pop(l);
		l->sh.c.state = SH_REST;
	} else if (sh_is_assignment(raw)) {
		sh_word_add(l, (struct sh_word){.at = at, .assignment = true});
	} else if (lexer_word_is_one_of(raw, "if then else elif while until do ! { time coproc")) {
		return;
	} else if (lexer_same(raw, "case")) {
		l->sh.c.state = SH_SUBJECT;
	} else if (lexer_same(raw, "for") || lexer_same(raw, "select")) {
		l->sh.c.state = SH_FOR;
	} else if (lexer_same(raw, "function")) {
		l->sh.c.state = SH_FUNCTION;
	} else if (lexer_same(raw, "[[")) {
		l->sh.c.state = SH_TEST;
	} else {
		l->sh.c.state = SH_REST;
		l->sh.c.named = true;
		sh_word_add(l, (struct sh_word){.at = at});
	}
}

static void sh_word_end(struct lexer *l)
{
	if (!l->sh.c.word)
		return;
	l->sh.c.word = false;
	if (l->sh.c.target) {
		l->sh.c.target = false;
	} else {
		struct span at = {l->sh.c.from, l->at};
		struct str raw = lexer_slice(l, at.from, at.to);

		switch (l->sh.c.state) {
		case SH_COMMAND: sh_first(l, raw, at); break;
		case SH_REST:
			if (l->sh.c.named)
				sh_word_add(l, (struct sh_word){.at = at});
			break;
		case SH_SUBJECT: l->sh.c.state = SH_IN; break;
		case SH_IN:
			l->sh.c.state = SH_REST;
			if (lexer_same(raw, "in"))
				sh_push(l, SH_PATTERN, 0);
			break;
		case SH_FOR: l->sh.c.state = SH_FOR_NAME; break;
		case SH_FOR_NAME:
			l->sh.c.state = lexer_same(raw, "do") ? SH_COMMAND : SH_REST;
			break;
		case SH_FUNCTION: l->sh.c.state = SH_COMMAND; break;
		case SH_TEST:
			if (lexer_same(raw, "]]") && sh_what(l) != SH_TESTS)
				l->sh.c.state = SH_REST;
			break;
		}
	}
	l->sh.c.program = l->sh.c.glob = false;
}

static void sh_word_begin(struct lexer *l)
{
	if (l->sh.c.word)
		return;
	l->sh.c.word = true;
	l->sh.c.program = l->sh.c.glob = false;
	l->sh.c.from = l->at;
}

/* ---- here documents ---- */

/* Behind "<<" or "<<-": the word that ends it. */
static void sh_doc_begin(struct lexer *l, size_t at, bool tabs)
{
	size_t from;
	struct str raw, end;

	l->at = lexer_behind_blanks(l, l->at);
	for (from = l->at; l->at < l->text.n && !memchr(" \t\n;&|()<>", l->text.p[l->at], 10);) {
		char c = l->text.p[l->at];

		if (c == '\'' || c == '"')
			l->at = size_min(lexer_find_byte(l, c, l->at + 1), l->text.n - 1);
		else if (c == '\\')
			l->at++;
		l->at = size_min(l->at + 1, l->text.n);
	}
	raw = lexer_slice(l, from, l->at);
	if (!raw.n)
		return;
	end = sh_word_unquoted(l, (struct span){from, l->at});
	*VEC_PUSH(l->a, &l->sh.pending) = (struct sh_pending){
		.end = end, .quoted = !str_eq(end, raw), .tabs = tabs, .at = at};
}

/* Where the text ends that begins at `from`; *next is behind the line that ends it. */
static size_t sh_doc_end(struct lexer *l, const struct sh_pending *d, size_t from, size_t *next)
{
	while (from < l->text.n) {
		size_t end = lexer_find_byte(l, '\n', from);
		size_t at = from + (d->tabs ? lexer_run_length(l, from, '\t') : 0);

		*next = size_min(end + 1, l->text.n);
		if (str_eq(lexer_slice(l, at, size_max(at, end)), d->end))
			return from;
		from = *next;
	}
	*next = l->text.n;
	lexer_unended(l, d->at, "the here document that begins here does not end");
	return l->text.n;
}

/* Reads the here documents that wait, at the beginning of a line; stops in one with expansions. */
static void sh_docs(struct lexer *l)
{
	struct sh_pendings pending = l->sh.pending;

	for (size_t i = 0; i < pending.n; i++) {
		struct sh_pending d = pending.p[i];
		size_t next = l->at, end = sh_doc_end(l, &d, l->at, &next);
		struct str text = lexer_slice(l, l->at, end);
		bool code = !d.quoted &&
			    (str_holds(text, "$(") || str_find_char(text, '`', 0) != SIZE_MAX);

		if (code && l->sh.docs.n == SH_DOCS_MAX) {
			lexer_note_unknown(l, (struct span){d.at, size_min(d.at + 20, l->text.n)},
					   "too many here documents stand in each other");
			code = false;
		}
		if (!code) {
			l->at = next;
			continue;
		}
		sh_push(l, SH_DOC, 0);
		l->sh.docs.p[l->sh.docs.n] = (struct sh_doc){.text_n = l->text.n, .next = next};
		l->sh.docs.p[l->sh.docs.n].pending.p = pending.p + i + 1;
		l->sh.docs.p[l->sh.docs.n++].pending.n = pending.n - i - 1;
		l->sh.pending = (struct sh_pendings){0};
		l->text.n = end;
		return;
	}
	l->sh.pending = (struct sh_pendings){0};
}

/* At the end of the text of a here document. */
static void sh_doc_leave(struct lexer *l)
{
	struct sh_doc d = l->sh.docs.p[--l->sh.docs.n];

	sh_word_end(l);
	if (sh_what(l) != SH_DOC)
		lexer_unended(l, sh_top(l)->at, "what begins here does not end");
	while (sh_what(l) != SH_DOC)
		sh_pop(l);
	sh_pop(l);
	l->text.n = d.text_n;
	l->at = d.next;
	l->sh.pending = d.pending;
	l->sh.pending.cap = l->sh.pending.n;
	sh_docs(l);
}

/* ---- text with expansions ---- */

/* Leaves the innermost `...`. False: the text of a here document in it goes on. */
static bool sh_tick_end(struct lexer *l)
{
	while (sh_what(l) != SH_TICK) {
		if (sh_what(l) == SH_DOC)
			return false;
		sh_word_end(l);
		if (sh_what(l) != SH_TICK)
			sh_pop(l);
	}
	sh_word_end(l);
	while (sh_what(l) != SH_TICK)
		sh_pop(l);
	sh_pop(l);
	return true;
}

/*
 * At a backslash: `a \`b \\\`c\\\` \`` has commands in commands, the innermost behind the most
 * backslashes. False: no such command begins or ends here. code: not in a string or its like.
 */
static bool sh_inner_tick(struct lexer *l, bool code)
{
	size_t n = 0, level = 1;

	while (lexer_char_at(l, l->at + n) == '\\' && n < 64)
		n++;
	if (lexer_char_at(l, l->at + n) != '`' || (n & (n + 1)))
		return false;
	for (size_t i = n; i; i >>= 1)
		level++;
	if (level == l->sh.ticks + 1) {
		if (code)
			sh_word_begin(l);
		l->sh.c.program = true;
		sh_push(l, SH_TICK, n + 1);
		return true;
	}
	if (level != l->sh.ticks || !sh_tick_end(l))
		return false;
	l->at += n + 1;
	return true;
}

/* At "$" or "`". string: in a string or here document, where $'a' is no quote. */
static void sh_expand(struct lexer *l, bool string)
{
	char next = lexer_char_at(l, l->at + 1);

	if (l->text.p[l->at] == '`') {
		if (!l->sh.ticks) {
			l->sh.c.program = true;
			sh_push(l, SH_TICK, 1);
			return;
		}
		while (l->sh.ticks && sh_tick_end(l))
			;
		l->at++;
	} else if (next == '(') {
		bool sum = lexer_char_at(l, l->at + 2) == '(';

		l->sh.c.program = true;
		sh_push(l, sum ? SH_SUM : SH_COMMANDS, sum ? 3 : 2);
	} else if (next == '{') {
		size_t at = l->at + 2;

		/* Whether ' quotes behind the operator. */
		while (lexer_is_word_byte(lexer_char_at(l, at)) ||
		       memchr("@*!?[]", lexer_char_at(l, at), 6))
			at++;
		l->sh.c.program = true;
		sh_push(l, SH_VALUE, 2)->quotes =
			!string || (lexer_char_at(l, at) && strchr("#%/^,", lexer_char_at(l, at)));
	} else if (next == '\'' && !string) {
		size_t at = ++l->at;

		if (!lexer_pass_string(l, true))
			lexer_unended_string(l, at);
	} else if (next == '"' && !string) {
		l->at++;
	} else {
		l->sh.c.program |= lexer_is_word_byte(next) || (next && strchr("@*#?$!-", next));
		l->at += next && strchr("#$", next) ? 2 : 1;
		l->at = size_min(l->at, l->text.n);
	}
}

static void sh_single(struct lexer *l)
{
	size_t end = lexer_find_byte(l, '\'', l->at + 1);

	if (end == l->text.n)
		lexer_unended_string(l, l->at);
	l->at = size_min(end + 1, l->text.n);
}

/* In a string, a here document or ${}. */
static void sh_in_text(struct lexer *l, enum sh_open_kind what)
{
	char c = l->text.p[l->at];
	struct sh_open *top = sh_top(l);

	if (c == '\\') {
		if (!l->sh.ticks || !sh_inner_tick(l, false))
			l->at = size_min(l->at + 2, l->text.n);
	} else if (c == '$' || c == '`') {
		sh_expand(l, what == SH_VALUE ? !top->quotes : what != SH_GLOB);
	} else if (what == SH_STRING && c == '"') {
		bool program = l->sh.c.program;

		sh_pop(l);
		l->sh.c.program |= program;
		l->at++;
	} else if ((what == SH_VALUE && c == '}') || (what == SH_GLOB && c == ')')) {
		sh_pop(l);
		l->at++;
	} else if (what != SH_STRING && what != SH_DOC && c == '"') {
		sh_push(l, SH_STRING, 1);
	} else if (c == '\'' && ((what == SH_VALUE && top->quotes) || what == SH_GLOB)) {
		sh_single(l);
	} else if (what == SH_GLOB && c == '(') {
		sh_push(l, SH_GLOB, 1);
	} else {
		l->at++;
	}
}

/* In $(( )) or (( )). */
static void sh_in_sum(struct lexer *l)
{
	struct sh_open *top = sh_top(l);
	char c = l->text.p[l->at];

	if (c == '(') {
		top->depth++;
		l->at++;
	} else if (c == ')' && top->depth) {
		top->depth--;
		l->at++;
	} else if (c == ')' && lexer_char_at(l, l->at + 1) == ')') {
		sh_pop(l);
		if (!l->sh.c.word)
			l->sh.c.state = l->sh.c.state == SH_FOR ? SH_FOR_NAME : SH_REST;
		l->at += 2;
	} else if (c == ')') {
		lexer_note_unknown(l, (struct span){top->at, size_min(top->at + 20, l->text.n)},
				   "'((' may begin two subshells: put a blank between them");
		/* The inner one has ended. */
		top->what = SH_PAREN;
		l->sh.parens++;
		l->sh.c.state = SH_REST;
		l->at++;
	} else if (c == '\'') {
		sh_single(l);
	} else {
		sh_in_text(l, SH_SUM);
	}
}

/* ---- commands ---- */

/* The pattern or the commands of "case". */
static void sh_begin_branch(struct lexer *l, enum sh_open_kind what)
{
	sh_command_end(l);
	sh_top(l)->what = what;
	l->sh.c = (struct sh_command){.state = SH_COMMAND, .first = l->sh.c.first};
}

/* "\n", ";", "&", "|" */
static void sh_separator(struct lexer *l, char c)
{
	enum sh_state s;

	sh_word_end(l);
	s = l->sh.c.state;
	l->at++;
	if (c == ';' && sh_what(l) == SH_BRANCH &&
	    (lexer_char_at(l, l->at) == ';' || lexer_char_at(l, l->at) == '&' ||
	     lexer_char_at(l, l->at) == '|')) {
		l->at += lexer_is(l, l->at, ";&") || lexer_is(l, l->at, ";|") ? 2 : 1;
		sh_begin_branch(l, SH_PATTERN);
	} else if (sh_what(l) != SH_ARRAY && s != SH_TEST && s != SH_SUBJECT && s != SH_IN) {
		sh_command_end(l);
		l->sh.c.state = SH_COMMAND;
		l->sh.c.target = false;
	}
	if (c == '\n' && l->sh.pending.n)
		sh_docs(l);
}

/* "(" */
static void sh_paren(struct lexer *l)
{
	size_t at = l->at + 1;
	char before = l->at ? l->text.p[l->at - 1] : 0;

	if (l->sh.c.word && before == '=') {
		sh_push(l, SH_ARRAY, 1);
		return;
	}
	if (l->sh.c.word &&
	    (memchr("?*+@", before, 4) || (before == '!' && l->at - l->sh.c.from > 1))) {
		l->sh.c.glob = true;
		sh_push(l, SH_GLOB, 1);
		return;
	}
	at = lexer_behind_blanks(l, at);
	sh_word_end(l);
	if (l->sh.c.state == SH_TEST) {
		sh_push(l, SH_TESTS, 1);
	} else if (lexer_char_at(l, at) == ')') {
		/* A function's name stands before it. */
		l->at = at + 1;
		l->sh.words.n = l->sh.c.first;
		l->sh.c.named = false;
		l->sh.c.state = SH_COMMAND;
	} else if (sh_what(l) == SH_PATTERN) {
		l->at++;
	} else if (lexer_char_at(l, l->at + 1) == '(' &&
		   (l->sh.c.state == SH_COMMAND || l->sh.c.state == SH_FOR)) {
		sh_push(l, SH_SUM, 2);
	} else {
		sh_push(l, SH_PAREN, 1);
	}
}

/* ")" */
static void sh_paren_end(struct lexer *l)
{
	sh_word_end(l);
	l->at++;
	if (sh_what(l) == SH_PATTERN) {
		sh_begin_branch(l, SH_BRANCH);
		return;
	}
	if (!l->sh.parens)
		return;
	while (!sh_ends_with_paren(sh_what(l))) {
		if (sh_what(l) == SH_DOC || sh_what(l) == SH_TICK)
			return;
		sh_pop(l);
	}
	sh_pop(l);
	if (!l->sh.c.word && l->sh.c.state == SH_COMMAND)
		l->sh.c.state = SH_REST;
}

/* "<" or ">" */
static void sh_redirect(struct lexer *l, char c)
{
	size_t at = l->at, i = l->sh.c.from;

	if (lexer_char_at(l, at + 1) == '(' && l->sh.c.state != SH_TEST) {
		sh_word_end(l);
		sh_word_begin(l);
		l->sh.c.program = true;
		sh_push(l, SH_COMMANDS, 2);
		return;
	}
	/* In "2>x" the number belongs to the mark. */
	while (l->sh.c.word && i < at && ascii_is_digit(l->text.p[i]))
		i++;
	if (l->sh.c.word && i == at)
		l->sh.c.word = false;
	sh_word_end(l);
	l->at++;
	if (l->sh.c.state == SH_TEST)
		return;
	if (c == '<' && lexer_char_at(l, l->at) == '<' && lexer_char_at(l, l->at + 1) != '<') {
		bool tabs = lexer_char_at(l, l->at + 1) == '-';

		l->at += 1 + tabs;
		sh_doc_begin(l, at, tabs);
		return;
	}
	while (l->at < l->text.n && memchr("<>&|", l->text.p[l->at], 4) &&
	       lexer_char_at(l, l->at + 1) != '(')
		l->at++;
	l->sh.c.target = true;
}

static void sh_code(struct lexer *l)
{
	char c = l->text.p[l->at];
	size_t from;

	switch (c) {
	case ' ':
	case '\t':
	case '\r':
	case '\f':
		sh_word_end(l);
		l->at++;
		break;
	case '\n':
	case ';':
	case '|': sh_separator(l, c); break;
	case '&':
		if (lexer_char_at(l, l->at + 1) == '>' && l->sh.c.state != SH_TEST) {
			sh_word_end(l);
			l->at++;
			sh_redirect(l, '>');
		} else {
			sh_separator(l, c);
		}
		break;
	case '(': sh_paren(l); break;
	case ')': sh_paren_end(l); break;
	case '<':
	case '>': sh_redirect(l, c); break;
	case '#':
		if (l->sh.c.word) {
			l->at++;
			break;
		}
		from = l->at;
		l->at = lexer_find_byte(l, '\n', from);
		lexer_comment_add(l, from, 1, 0, l->at);
		if (l->sh.on_comment)
			l->sh.on_comment(l, (struct span){from, l->at});
		break;
	case '\\':
		if (l->sh.ticks && sh_inner_tick(l, true))
			break;
		if (lexer_char_at(l, l->at + 1) != '\n')
			sh_word_begin(l);
		l->at = size_min(l->at + 2, l->text.n);
		break;
	case '\'':
		sh_word_begin(l);
		sh_single(l);
		break;
	case '"':
		sh_word_begin(l);
		sh_push(l, SH_STRING, 1);
		break;
	case '`':
		if (l->sh.ticks) {
			sh_expand(l, false);
			break;
		}
		/* fallthrough */
	case '$':
		sh_word_begin(l);
		sh_expand(l, false);
		break;
	default:
		sh_word_begin(l);
		l->sh.c.glob |= c == '*' || c == '?' || c == '[' || c == '{';
		l->at++;
	}
}

bool lexer_next_shell(struct lexer *l)
{
	for (;;) {
		enum sh_open_kind what = sh_what(l);

		if (l->at >= l->text.n) {
			if (!l->sh.docs.n)
				break;
			sh_doc_leave(l);
		} else if (what == SH_STRING || what == SH_VALUE || what == SH_DOC ||
			   what == SH_GLOB) {
			sh_in_text(l, what);
		} else if (what == SH_SUM) {
			sh_in_sum(l);
		} else {
			sh_code(l);
		}
	}
	sh_word_end(l);
	sh_command_end(l);
	if (l->sh.open.n)
		lexer_unended(l, l->sh.open.p[l->sh.open.n - 1].at,
			      "what begins here does not end");
	for (size_t i = 0; i < l->sh.pending.n; i++)
		lexer_unended(l, l->sh.pending.p[i].at,
			      "the here document that begins here does not end");
	return false;
}
