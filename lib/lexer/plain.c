/* Formats of which only comments are read: a row of the table says how these and strings look. */
#include "lexer/plain.h"

static void plain_emit(struct plain *l, size_t from, size_t open, size_t close, size_t to)
{
	lexer_comment_add(l->r, from, open, close, to);
}

/* ---- markup ---- */

/* The value of the attribute "lang" in the text of a tag, or empty. */
static struct str plain_lang(struct str tag)
{
	size_t at = str_find(tag, STR(" lang="), 0), to;

	if (at == SIZE_MAX)
		return STR("");
	tag = str_sub(tag, at + 6, tag.n);
	if (tag.n && (tag.p[0] == '"' || tag.p[0] == '\''))
		tag = str_sub(tag, 1, tag.n);
	for (to = 0; to < tag.n && ascii_is_alnum(tag.p[to]);)
		to++;
	return str_sub(tag, 0, to);
}

/* A name for the text between <script> and </script>, or <style>: it has the form of that file. */
static const char *plain_region(bool script, struct str lang)
{
	if (!script)
		return !lang.n || str_is(lang, "css") || str_is(lang, "postcss") ? "x.css"
										 : "x.scss";
	/* "<T>a" is an element in a language of that name only. */
	return str_ends(lang, STR("sx")) ? "x.tsx" : "x.ts";
}

/* A tag: attributes may have "<!--" in quotes. In HTML a script has its own form. */
static void plain_tag(struct plain *l)
{
	static const char *const raw[] = {"script", "style", "textarea", "title"};
	struct str rest = str_sub(l->text, l->at + 1, l->end), tag;
	size_t from = l->at, which = 0, end;

	while (which < ARRAY_SIZE(raw) &&
	       !str_ieq(str_sub(rest, 0, strlen(raw[which])), str_of(raw[which])))
		which++;
	for (l->at++; l->at < l->end && l->text.p[l->at] != '>'; l->at++)
		if (l->text.p[l->at] == '"' || l->text.p[l->at] == '\'')
			l->at = plain_quoted(l, l->at, false, false, true) - 1;
	l->at = size_min(l->at + 1, l->end);
	tag = str_sub(l->text, from, l->at);
	if (which == ARRAY_SIZE(raw) || !plain_has(l, F_HTML) || str_ends(tag, STR("/>")))
		return;
	end = plain_find(l, str_c(l->a, str_fmt(l->a, "</%s", raw[which])), l->at);
	l->r->at = l->at;
	/* The others are text, which has no comments. */
	if (which < 2)
		lexer_skim_region(l->r, plain_region(which == 0, plain_lang(tag)), end);
	l->at = end;
}

/* Between the fences of Astro, at the beginning of the file, stands TypeScript. */
static void plain_fences(struct plain *l)
{
	size_t at = l->at, end;

	while (ascii_is_blank(plain_char(l, at)))
		at++;
	if (!str_ends(l->r->path, STR(".astro")) || !plain_is(l, at, "---"))
		return;
	end = plain_find(l, "\n---", at + 3);
	l->r->at = at + 3;
	lexer_skim_region(l->r, "x.ts", end);
	l->at = size_min(end + 4, l->end);
}

/* Whether no run of n backticks follows. */
static bool plain_is_unpaired(const struct plain *l, size_t n)
{
	for (size_t i = 0; i < l->unpaired.n; i++)
		if (l->unpaired.p[i] == n)
			return true;
	return false;
}

static void plain_set_unpaired(struct plain *l, size_t n)
{
	if (!plain_is_unpaired(l, n))
		*VEC_PUSH(l->a, &l->unpaired) = n;
}

/* Fenced and quoted code of Markdown. Returns whether something was passed over. */
static bool plain_markdown(struct plain *l)
{
	char c = l->text.p[l->at];
	size_t n = 1, to;

	if (c != '`' && !(c == '~' && l->line_start))
		return false;
	while (plain_char(l, l->at + n) == c)
		n++;
	if (n >= 3 && l->line_start) {
		struct str rest, line;

		to = plain_line_end(l, l->at);
		rest = str_sub(l->text, size_min(to + 1, l->end), l->end);
		while (str_line(&rest, &line)) {
			size_t m = 0;

			line = str_trim(line);
			while (m < line.n && line.p[m] == c)
				m++;
			if (m >= n && m == line.n)
				break;
		}
		l->at = l->end - rest.n;
		l->line_start = true;
		return true;
	}
	if (c != '`')
		return false;
	to = plain_is_unpaired(l, n) ? l->end : l->at + n;
	while (to < l->end) {
		size_t m = 0;

		while (plain_char(l, to + m) == '`')
			m++;
		if (m == n)
			break;
		to += size_max(m, 1);
	}
	/* A run of backticks without its like is text; so are all later runs of its length. */
	if (to >= l->end)
		plain_set_unpaired(l, n);
	l->at = to < l->end ? to + n : l->at + n;
	l->line_start = false;
	return true;
}

/* ---- comments ---- */

static bool plain_begins_line(const struct plain *l, const char *mark)
{
	char before = l->at ? l->text.p[l->at - 1] : '\n', after;

	if (!plain_is(l, l->at, mark))
		return false;
	if (plain_has(l, C_START) && !l->line_start)
		return false;
	if (plain_has(l, C_WORD) && !ascii_is_blank(before) && !memchr(";&|()", before, 5))
		return false;
	if (plain_has(l, C_NOT_URL) && before == ':')
		return false;
	if (plain_has(l, C_DASHES)) {
		size_t at = l->at;

		while (plain_char(l, at) == '-')
			at++;
		after = plain_char(l, at);
		if (after && memchr("!#$%&*+./<=>?@\\^|~:", after, 19))
			return false;
		if (before && memchr("!#$%&*+./<=>?@\\^|~:", before, 19))
			return false;
	}
	return true;
}

static size_t plain_block_end(const struct plain *l, size_t which)
{
	const char *open = l->f->block[which].open, *close = l->f->block[which].close;
	size_t depth = 1, at = l->at + strlen(open);

	if (!l->f->block[which].nests) {
		at = plain_find(l, close, at);
		return at == l->end ? SIZE_MAX : at + strlen(close);
	}
	while (at < l->end) {
		if (plain_is(l, at, close)) {
			at += strlen(close);
			if (!--depth)
				return at;
		} else if (plain_is(l, at, open)) {
			at += strlen(open);
			depth++;
		} else {
			at++;
		}
	}
	return SIZE_MAX;
}

/* Passes over a comment. Returns whether one begins here. */
static bool plain_comment(struct plain *l)
{
	for (size_t i = 0; i < ARRAY_SIZE(l->f->block) && l->f->block[i].open; i++) {
		size_t to;

		if (!plain_is(l, l->at, l->f->block[i].open))
			continue;
		to = plain_block_end(l, i);
		/* A comment without its end is an error of the file: nothing in it counts. */
		if (to == SIZE_MAX)
			l->at = l->end;
		else
			plain_emit(l, l->at, strlen(l->f->block[i].open),
				   strlen(l->f->block[i].close), to);
		l->at = to == SIZE_MAX ? l->end : to;
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(l->f->line) && l->f->line[i]; i++) {
		size_t n = strlen(l->f->line[i]), to;

		if (!plain_begins_line(l, l->f->line[i]))
			continue;
		to = plain_has(l, S_LONG) ? plain_long(l, l->at + n) : SIZE_MAX;
		if (to == SIZE_MAX)
			to = plain_line_end(l, l->at);
		plain_emit(l, l->at, n, 0, to);
		l->at = to;
		return true;
	}
	return false;
}

/* =word at the start of a line begins documentation of Perl and Ruby. */
static bool plain_pod(struct plain *l)
{
	struct str rest, line;

	if (!plain_has(l, F_PERL) || l->text.p[l->at] != '=' ||
	    (l->at && l->text.p[l->at - 1] != '\n') || !ascii_is_letter(plain_char(l, l->at + 1)))
		return false;
	rest = str_sub(l->text, l->at, l->end);
	while (str_line(&rest, &line))
		if (str_starts(line, STR("=cut")) || str_starts(line, STR("=end")))
			break;
	l->at = l->end - rest.n;
	l->line_start = true;
	return true;
}

/* ---- the loop ---- */

/* Reads one character, comment or literal. */
static void plain_step(struct plain *l)
{
	char c = l->text.p[l->at];
	size_t to;

	if (c == '\n') {
		l->at++;
		l->line_start = true;
		plain_heredocs(l);
		return;
	}
	if (ascii_is_blank(c)) {
		l->at++;
		return;
	}
	if (plain_pod(l))
		return;
	if (plain_comment(l))
		return;
	if (plain_has(l, F_MARKDOWN) && plain_markdown(l))
		return;
	if (plain_has(l, F_TAGS) && c == '<') {
		if (plain_is(l, l->at, "<![CDATA["))
			l->at = size_min(plain_find(l, "]]>", l->at) + 3, l->end);
		else
			plain_tag(l);
		return;
	}
	if (plain_has(l, F_YAML) && (c == '|' || c == '>') && plain_yaml_block(l, l->at)) {
		size_t end = plain_line_end(l, l->at);

		to = str_find_char(str_sub(l->text, 0, end), '#', l->at);
		if (to != SIZE_MAX)
			plain_emit(l, to, 1, 0, end);
		l->at = plain_yaml_end(l, l->at);
		l->before = 0;
		l->line_start = true;
		return;
	}
	to = plain_literal(l);
	l->before = l->text.p[to > l->at ? to - 1 : l->at];
	l->line_start = false;
	l->at = size_max(to, l->at + 1);
}

void lexer_skim_plain(struct lexer *r)
{
	struct plain l = {.r = r,
			  .a = r->a,
			  .f = r->form,
			  .text = r->text,
			  .at = r->at,
			  .end = r->text.n,
			  .line_start = true};

	plain_fences(&l);
	while (l.at < l.end)
		plain_step(&l);
}
