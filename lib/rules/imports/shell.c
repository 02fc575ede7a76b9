/* The shells: files that "." and "source" read. */
#include "imports/internal.h"

#define TEXT_MAX  4096 /* bytes of a word that may name a file */
#define NAME_MAX  20   /* and of one that may name a command */
#define WORDS_MAX 64   /* words before the name of a command, and of "source" */

/* The file in "# shellcheck source=file" before a command; to 0: none. */
static struct span *shell_hint_of(struct lexer *l)
{
	return l->sh.ctx;
}

/* ShellCheck reads "# shellcheck disable=SC1090 source=lib/a.sh", with blanks or tabs. */
static void shell_hint(struct lexer *l, struct span comment)
{
	bool directive = false;

	for (size_t at = comment.from + 1, from; at < comment.to; at++) {
		struct str word;

		for (from = at; at < comment.to && !ascii_is_any_space(l->text.p[at]);)
			at++;
		word = lexer_slice(l, from, at);
		if (!word.n)
			continue;
		if (!directive && !lexer_same(word, "shellcheck"))
			return;
		directive = true;
		if (str_starts(word, STR("source=")) && !str_is(word, "source=/dev/null"))
			*shell_hint_of(l) = (struct span){from + strlen("source="), at};
	}
}

/* The file of the word, which the command at `call` reads. */
static void shell_file(struct lexer *l, const struct sh_word *w, size_t call)
{
	struct span at = w->at, *hint = shell_hint_of(l);
	size_t n = at.to - at.from;
	struct str text;

	if (n <= TEXT_MAX && !w->glob) {
		text = sh_word_unquoted(l, at);
		if (n >= 2 && text.n == n - 2 && strchr("\"'", l->text.p[at.from])) {
			at.from++;
			at.to--;
		}
		if (!w->program || imports_shell_after_dirname(text).n) {
			imports_add(l, IMPORTS_INCLUDE, text, at);
			return;
		}
	}
	if (hint->to) {
		imports_add(l, IMPORTS_INCLUDE, lexer_slice(l, hint->from, hint->to), *hint);
		return;
	}
	/* Words stand in each other: a whole one would be read once for each of them. */
	lexer_note_unknown(l, (struct span){call, size_min(w->at.to, call + 200)},
			   "a program decides which file this is");
}

/* Which word of "source" or "." is the file; SIZE_MAX: none of these. */
static size_t shell_file_word(struct lexer *l, const struct sh_word *words, size_t i, size_t n)
{
	for (; i < n && i < WORDS_MAX; i++) {
		struct str w = lexer_slice(l, words[i].at.from, words[i].at.to);

		if (str_is(w, "-p"))
			i++;
		else if (!str_is(w, "--") && !str_starts(w, STR("-p")))
			return i;
	}
	return SIZE_MAX;
}

/* Finds the name of the command in the words up to the last one, and the file behind "source". */
static void shell_source(struct lexer *l, const struct sh_word *words, size_t n)
{
	bool prefix = false;

	for (size_t i = 0; i < n && i < WORDS_MAX; i++) {
		const struct sh_word *w = &words[i];
		struct str name = w->at.to - w->at.from < NAME_MAX && !w->program
					  ? sh_word_unquoted(l, w->at)
					  : STR("");

		if (w->assignment)
			continue;
		if (prefix && str_starts(name, STR("-"))) {
			/* "command -v source" only asks. */
			if (str_find_char(name, 'v', 0) != SIZE_MAX ||
			    str_find_char(name, 'V', 0) != SIZE_MAX)
				return;
			continue;
		}
		prefix = str_is(name, "builtin") || str_is(name, "command");
		if (prefix)
			continue;
		if (!str_is(name, ".") && !str_is(name, "source")) {
			/* A test may stand between the comment and the command that it is about. */
			if (i == n - 1 && !str_is(name, "[") && !str_is(name, "test"))
				*shell_hint_of(l) = (struct span){0, 0};
		} else if (i < n - 1 && shell_file_word(l, words, i + 1, n) == n - 1) {
			shell_file(l, &words[n - 1], w->at.from);
			*shell_hint_of(l) = (struct span){0, 0};
		}
		return;
	}
}

void imports_read_shell(struct lexer *l)
{
	struct span hint = {0, 0};

	l->sh.on_word = shell_source;
	l->sh.on_comment = shell_hint;
	l->sh.ctx = &hint;
	lexer_next(l);
}
