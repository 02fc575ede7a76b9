/*
 * A text without a reader breaks a rule that forbids names only when it has one of the names. Each
 * alternative of the pattern gives a word that the text must have.
 */
#include "judge/internal.h"

#define PRETEST_WORD 64

struct pretest {
	struct str text;
	struct str rest; /* of the pattern */
	char word[PRETEST_WORD];
	size_t n;         /* the length of the word of the alternative that was read last */
	bool path;        /* that alternative is a path */
	struct str first; /* what was found first in the text */
};

/*
 * The word of the next alternative, in small letters and without "-" and "_". Of a path it is the
 * last segment, for a relative path or an alias has the others in another way. False: the pattern
 * has no such word.
 */
static bool pretest_word(struct pretest *t)
{
	bool fresh = false, suffix = false;
	struct str rest = t->rest;
	size_t i = 0;

	t->n = 0;
	t->path = false;
	for (; i < rest.n && rest.p[i] != '|'; i++) {
		bool escaped = rest.p[i] == '\\' && i + 1 < rest.n;
		char c = rest.p[i += escaped], next = i + 1 < rest.n ? rest.p[i + 1] : '|';
		bool times = memchr("?*+", next, 3);

		if (!escaped && ((c == '^' && !i) || (c == '$' && next == '|')))
			continue;
		if ((unsigned char)c >= 0x80 || c <= ' ' ||
		    (escaped ? ascii_is_alnum(c) : strchr("[](){}*+?^$\\", c) != NULL))
			return false;
		i += times;
		if (strchr("/:\\.", c)) {
			t->path |= c != '.';
			suffix = t->path && c == '.' && !times;
			fresh |= !suffix;
		} else if (times && next != '+') {
			fresh = true; /* "mysql2?" has "mysql" */
		} else if (!suffix && c != '-' && c != '_') {
			if (fresh)
				t->n = 0;
			fresh = times; /* "ab+c" has "c" */
			if (t->n == PRETEST_WORD)
				return false;
			t->word[t->n++] = ascii_lower(c);
		}
	}
	if (i + 1 == rest.n)
		return false; /* the last alternative is empty */
	t->rest = str_sub(rest, i + (i < rest.n), rest.n);
	/*
	 * These names stand for the folder above, so an import need not write them: a package of
	 * Dart is its folder "lib", one of a workspace often its "src".
	 */
	return t->n &&
	       !lexer_word_is_one_of((struct str){t->word, t->n}, "index mod init main lib src");
}

/* A package name is the same with "-", "_" and "." and without. */
static struct str pretest_find(const struct pretest *t, struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		size_t j = i, at = 0;

		if (ascii_lower(text.p[i]) != t->word[0])
			continue;
		while (j < text.n && at < t->n) {
			if (ascii_lower(text.p[j]) == t->word[at])
				at++;
			else if (!strchr("-_.", text.p[j]) || !text.p[j])
				break;
			j++;
		}
		if (at == t->n)
			return str_sub(text, i, j);
	}
	return (struct str){0};
}

/* "\x64", "&#100;", "%64": the text may have the word in another way. */
static bool pretest_escapes(struct str text)
{
	for (size_t i = 0; i + 1 < text.n; i++) {
		char c = text.p[i + 1];

		if ((text.p[i] == '\\' && c && strchr("01234567uUxN", c)) ||
		    (text.p[i] == '&' && c == '#') || (text.p[i] == '%' && ascii_is_digit(c)))
			return true;
	}
	return false;
}

static void pretest_first(struct pretest *t, struct str found)
{
	if (found.p && (!t->first.p || found.p < t->first.p))
		t->first = found;
}

static void pretest_name(void *ctx, struct str from, struct str to)
{
	struct pretest *t = ctx;
	size_t at;

	from = str_sub(from, 0, str_find_char(from, '*', 0));
	at = from.n && pretest_find(t, to).p ? str_find(t->text, from, 0) : SIZE_MAX;
	if (at != SIZE_MAX)
		pretest_first(t, str_sub(t->text, at, at + from.n));
}

bool pretest_may_match(const struct rule *r, struct str text, pretest_names_fn *names, void *ctx,
		       struct str *word)
{
	struct pretest t = {.text = text, .rest = r->c->pattern};

	*word = (struct str){0};
	if (!r->forbids || pretest_escapes(text))
		return true;
	do {
		if (!pretest_word(&t))
			return true;
		pretest_first(&t, pretest_find(&t, text));
		if (t.path && names)
			names(ctx, pretest_name, &t);
	} while (t.rest.n);
	*word = t.first;
	return word->p != NULL;
}
