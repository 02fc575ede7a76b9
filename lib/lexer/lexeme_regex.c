/* Regular expressions of Swift: /.../ on one line, #/.../# also on several. */
#include "lexer/lexeme.h"

/*
 * Whether the operator at `at` has no operand directly before it. Swift's own lexer looks at the
 * byte before, and so tells "a / b" and "a/b" from "f(/b/)".
 */
static bool regex_is_prefix(const struct lexer *r, size_t at)
{
	return !at || (r->text.p[at - 1] && strchr(" \t\r\n([{,;:", r->text.p[at - 1])) ||
	       (at >= 2 && r->text.p[at - 1] == '/' && r->text.p[at - 2] == '*');
}

/* Behind #/: the same number of "#" behind a slash ends it; in one line, or behind a line's end. */
static size_t regex_extended(struct lexemes *t, size_t hashes)
{
	const struct lexer *r = t->r;
	size_t at = r->at + hashes + 1, i = at, most = 0, n;
	struct lexeme_no_regex *no;
	bool lines;

	while (lexer_char(r, i) && strchr(" \t\r", r->text.p[i]))
		i++;
	lines = lexer_char(r, i) == '\n';
	no = lines ? &t->no_regex : &t->no_regex_line;
	if (r->at < no->to && hashes >= no->hashes)
		return SIZE_MAX;
	for (; at < r->text.n && (lines || r->text.p[at] != '\n'); at++) {
		if (r->text.p[at] == '\\') {
			at++;
		} else if (r->text.p[at] == '/') {
			n = lexeme_run(r, at + 1, '#');
			if (n >= hashes)
				return at + 1 + hashes;
			most = size_max(most, n);
		}
	}
	*no = (struct lexeme_no_regex){at, most + 1};
	return SIZE_MAX;
}

/* /.../: no blank at either end, and no parenthesis that closes what it did not open. */
static size_t regex_plain(const struct lexer *r)
{
	size_t at = r->at + 1, groups = 0, classes = 0;

	if (!regex_is_prefix(r, r->at) || !lexer_char(r, at) || strchr(" \t*/", r->text.p[at]))
		return SIZE_MAX;
	for (; at < r->text.n && r->text.p[at] != '\n'; at++) {
		char c = r->text.p[at];

		if (c == '/') {
			if (strchr(" \t", r->text.p[at - 1]) && r->text.p[at - 2] != '\\')
				return SIZE_MAX;
			return lexer_char(r, at + 1) && strchr("*/", r->text.p[at + 1]) ? SIZE_MAX
											: at + 1;
		}
		if (c == '\\') {
			at += lexer_char(r, at + 1) != '\n';
		} else if (c == '[') {
			classes++;
		} else if (c == ']') {
			classes -= classes > 0;
		} else if (!classes && c == '(') {
			groups++;
		} else if (!classes && c == ')' && !groups--) {
			return SIZE_MAX;
		}
	}
	return SIZE_MAX;
}

size_t lexeme_regex_end(struct lexemes *t)
{
	struct lexer *r = t->r;
	size_t hashes = lexeme_run(r, r->at, '#'), end;

	if (lexer_char(r, r->at + hashes) != '/')
		return SIZE_MAX;
	if (!hashes)
		return regex_plain(r);
	end = regex_extended(t, hashes);
	if (end == SIZE_MAX)
		lexer_unended(r, r->at, "the regular expression that begins here does not end");
	return end;
}
