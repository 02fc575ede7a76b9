/* The words of the shells: which of them begin a command, and the files that they name. */
#include "imports/shell.h"

#define TEXT_MAX 4096 /* bytes of a word that may name a file */

/* ---- words ---- */

struct str sh_text(struct sh *y, struct str raw)
{
	struct buf b = buf_in(y->r->a);
	bool string = false;

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

static bool sh_is_plain(struct str raw)
{
	for (size_t i = 0; i < raw.n; i++)
		if (memchr("'\"\\$`", raw.p[i], 5))
			return false;
	return true;
}

/* ShellCheck reads "# shellcheck disable=SC1090 source=lib/a.sh", with blanks or tabs. */
void sh_comment(struct sh *y, struct span comment)
{
	const struct lexer *r = y->r;
	bool directive = false;

	for (size_t at = comment.from + 1, from; at < comment.to; at++) {
		struct str word;

		for (from = at; at < comment.to && !ascii_is_blank(r->text.p[at]);)
			at++;
		word = lexer_slice(r, from, at);
		if (!word.n)
			continue;
		if (!directive && !lexer_same(word, "shellcheck"))
			return;
		directive = true;
		if (str_starts(word, STR("source=")) && !str_is(word, "source=/dev/null"))
			y->hint = (struct span){from + strlen("source="), at};
	}
}

static void sh_emit(struct sh *y, struct str raw)
{
	struct lexer *r = y->r;
	struct span at = {y->c.from, y->c.from + raw.n}, hint = y->hint;
	struct str text;

	y->hint = (struct span){0, 0};
	if (raw.n <= TEXT_MAX && !y->c.glob) {
		text = sh_is_plain(raw) ? raw : sh_text(y, raw);
		if (raw.n >= 2 && text.n == raw.n - 2 && (raw.p[0] == '"' || raw.p[0] == '\'')) {
			at.from++;
			at.to--;
		}
		if (!y->c.program || imports_shell_beside(text).n) {
			imports_add(r, IMPORTS_INCLUDE, text, at);
			return;
		}
	}
	if (hint.to > hint.from) {
		imports_add(r, IMPORTS_INCLUDE, lexer_slice(r, hint.from, hint.to), hint);
		return;
	}
	/* Words stand in each other: a whole one would be read once for each of them. */
	lexer_unknown(r, (struct span){y->c.call, size_min(y->c.from + raw.n, y->c.call + 200)},
		      "a program decides which file this is");
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

/* The name of a command. */
static void sh_name(struct sh *y, struct str raw)
{
	struct str word = raw;

	if (raw.n < 20 && !y->c.program && !sh_is_plain(raw))
		word = sh_text(y, raw);
	if (lexer_same(word, ".") || lexer_same(word, "source")) {
		y->c.state = SH_SOURCE;
		y->c.call = y->c.from;
	} else if (lexer_same(word, "builtin") || lexer_same(word, "command")) {
		y->c.state = SH_PREFIX;
	} else {
		/* A test may stand between the comment and the command that it is about. */
		if (!lexer_same(word, "[") && !lexer_same(word, "test"))
			y->hint = (struct span){0, 0};
		y->c.state = SH_REST;
	}
}

/* The first word of a command. */
static void sh_first(struct sh *y, struct str raw)
{
	static const char *const before[] = {"if", "then", "else", "elif", "while",  "until",
					     "do", "!",    "{",    "time", "coproc", NULL};

	if (sh_what(y) == SH_PATTERN || lexer_same(raw, "esac")) {
		if (!lexer_same(raw, "esac"))
			return;
		if (sh_what(y) == SH_PATTERN || sh_what(y) == SH_BRANCH)
			sh_pop(y);
		y->c.state = SH_REST;
	} else if (sh_is_assignment(raw) || sh_one_of(raw, before)) {
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
		sh_name(y, raw);
	}
}

static void sh_word_state(struct sh *y, struct str raw)
{
	switch (y->c.state) {
	case SH_COMMAND: sh_first(y, raw); break;
	case SH_PREFIX:
		if (!str_starts(raw, STR("-")))
			sh_name(y, raw);
		else if (str_find_char(raw, 'v', 0) != SIZE_MAX ||
			 str_find_char(raw, 'V', 0) != SIZE_MAX)
			y->c.state = SH_REST; /* "command -v source" only asks */
		break;
	case SH_SOURCE:
		if (lexer_same(raw, "--"))
			break;
		if (str_starts(raw, STR("-p"))) {
			y->c.state = raw.n == 2 ? SH_FOLDERS : SH_SOURCE;
			break;
		}
		sh_emit(y, raw);
		y->c.state = SH_REST;
		break;
	case SH_FOLDERS: y->c.state = SH_SOURCE; break;
	case SH_REST: break;
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

void sh_word_end(struct sh *y)
{
	if (!y->c.word)
		return;
	y->c.word = false;
	if (y->c.target)
		y->c.target = false;
	else
		sh_word_state(y, lexer_slice(y->r, y->c.from, y->r->at));
	y->c.program = y->c.glob = false;
}

void sh_word_begin(struct sh *y)
{
	if (y->c.word)
		return;
	y->c.word = true;
	y->c.program = y->c.glob = false;
	y->c.from = y->r->at;
}

/* ---- paths ---- */

struct str imports_shell_beside(struct str text)
{
	static const char *const heads[] = {
		"$(dirname $0)/",
		"$(dirname -- $0)/",
		"$(dirname $BASH_SOURCE)/",
		"$(dirname ${BASH_SOURCE})/",
		"$(dirname ${BASH_SOURCE[0]})/",
		"$(dirname -- ${BASH_SOURCE[0]})/",
		"`dirname $0`/",
		"${0%/*}/",
		"${BASH_SOURCE%/*}/",
		"${BASH_SOURCE[0]%/*}/",
		"${0:h}/",
		"${0:A:h}/",
		"${0:a:h}/",
	};

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		struct str rest = str_sub(text, strlen(heads[i]), text.n);

		if (str_starts(text, str_of(heads[i])) && str_find_char(rest, '$', 0) == SIZE_MAX &&
		    str_find_char(rest, '`', 0) == SIZE_MAX)
			return rest;
	}
	return (struct str){"", 0};
}

/*
 * A file beside the script; any other relative path begins in the folder where the program was
 * started, which may be that of the script or the top.
 */
void imports_resolve_shell(struct arena *a, struct imports_tree *t, struct str path,
			   const struct import *m, struct imports_names *out)
{
	struct str beside = imports_shell_beside(m->module), to;
	struct str rest = beside.n ? beside : m->module;

	(void)t;
	if (memchr("/~", rest.p[0], 2))
		return;
	if (imports_join(a, imports_folder(path), rest, &to))
		imports_name_add(out, to, true);
	if (!beside.n && imports_join(a, STR(""), rest, &to))
		imports_name_add(out, to, true);
}
