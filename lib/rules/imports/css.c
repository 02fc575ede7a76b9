/* CSS, Sass and Less: rules such as @use that name another sheet, and Sass's load-css(). */
#include "imports/internal.h"

/* Code in a string is no lexeme of the rule. */
static void css_next(struct lexer *l)
{
	while (lexer_next(l) && l->nested)
		;
}

static bool css_is(const struct lexer *l, const char *word)
{
	return l->now.kind == LEX_WORD && str_ieq(l->now.word, str_of(word));
}

static bool css_is_end(const struct lexer *l)
{
	return l->now.kind == LEX_END || l->now.kind == LEX_LINE ||
	       (l->now.kind == LEX_MARK && strchr(";{}@", l->now.mark));
}

/* "\64 b" is "db": up to six digits, and one blank that ends them. An end of line has no letter. */
static struct err *css_escape(void *ctx, const char **p, const char *end, struct buf *out)
{
	struct str rest = {*p, (size_t)(end - *p)};
	uint32_t code;
	size_t n = 0;

	(void)ctx;
	while (n < size_min(rest.n, 6) && str_parse_hex(str_sub(rest, n, n + 1), &code))
		n++;
	if (str_parse_hex(str_sub(rest, 0, n), &code)) {
		buf_utf8(out, code ? code : '?'); /* no file has NUL in its name */
		n += n < rest.n && ascii_is_space(rest.p[n]);
	} else if (rest.n) {
		n = 1;
		if (*rest.p != '\n')
			buf_putc(out, *rest.p);
	}
	*p += n;
	return NULL;
}

static void css_add(struct lexer *l, struct span at, bool program)
{
	struct str module = lexer_slice(l, at.from, at.to);

	if (program)
		lexer_note_unknown(l, (struct span){at.from, size_min(at.from + 40, l->text.n)},
				   "a program decides which sheet this is");
	else if (!buf_unescape(l->a, module, css_escape, NULL, &module))
		imports_add(l, IMPORTS_INCLUDE, module, at);
}

/* A sheet: "a", url(a), url("a"), and without quotes in the lines of indented Sass. */
static bool css_sheet(struct lexer *l, bool bare)
{
	size_t to = l->from;

	if (css_is(l, "url"))
		css_next(l);
	if (lexer_is_mark(l, '('))
		css_next(l);
	if (l->now.kind == LEX_STRING) {
		css_add(l, l->now.at, l->now.program);
		css_next(l);
		return true;
	}
	if (!bare || css_is_end(l))
		return false;
	while (to < l->text.n && !strchr("\n,;", l->text.p[to]))
		to++;
	l->at = to;
	while (to > l->from && ascii_is_any_space(l->text.p[to - 1]))
		to--;
	css_add(l, (struct span){l->from, to}, str_holds(lexer_slice(l, l->from, to), "#{"));
	css_next(l);
	return true;
}

/* Behind "@import": a list of sheets, and for what each is. Other rules name one sheet. */
static void css_rule(struct lexer *l, bool import)
{
	bool bare = import && (l->form->flags & T_INDENTED), found;
	size_t open = 0;

	if (lexer_is_mark(l, '(')) { /* Less: (reference, optional) */
		while (!lexer_is_mark(l, ')') && !css_is_end(l))
			css_next(l);
		css_next(l);
	}
	found = css_sheet(l, bare);
	if (import && !found && l->now.kind == LEX_MARK && strchr("@#", l->now.mark))
		css_add(l, l->now.at, true); /* a variable */
	while (import && found && !css_is_end(l)) {
		bool comma = lexer_is_mark(l, ',') && !open;

		open += lexer_is_mark(l, '(');
		open -= open && lexer_is_mark(l, ')');
		css_next(l);
		/* A word behind a comma is one more medium. */
		if (comma)
			css_sheet(l, bare);
		else
			bare = false;
	}
}

/* Behind "load-css": ("a", $with: (b: c)) or ($url: "a") */
static void css_load(struct lexer *l)
{
	struct span at = l->now.at, literal = {0, 0};

	css_next(l);
	if (!lexer_is_mark(l, '('))
		return;
	css_next(l);
	if (css_is(l, "$url"))
		do
			css_next(l);
		while (lexer_is_mark(l, ':'));
	if (l->now.kind == LEX_STRING && !l->now.program) {
		literal = l->now.at;
		css_next(l);
	}
	if (literal.to && (lexer_is_mark(l, ',') || lexer_is_mark(l, ')')))
		css_add(l, literal, false);
	else
		css_add(l, at, true);
}

void imports_read_css(struct lexer *l)
{
	css_next(l);
	while (l->now.kind != LEX_END) {
		bool at = lexer_is_mark(l, '@'),
		     call = lexer_is_mark(l, '.') || css_is(l, "include"),
		     from = css_is(l, "from"); /* composes: a from "b.css" */

		css_next(l);
		at = at && l->text.p[l->from - 1] == '@';
		if (at && lexer_is_mark(l, '\\'))
			lexer_note_unknown(l, (struct span){l->from, l->from + 1},
					   "an escape hides which rule this is");
		if (at && css_is(l, "import")) {
			css_next(l);
			css_rule(l, true);
		} else if (at && l->now.kind == LEX_WORD &&
			   lexer_name_matches_list("use forward plugin reference config",
						   l->now.word)) {
			css_next(l);
			css_rule(l, false);
		} else if (call && (css_is(l, "load-css") || css_is(l, "load_css"))) {
			css_load(l);
		} else if (from && l->now.kind == LEX_STRING) {
			css_add(l, l->now.at, l->now.program);
		}
	}
}
