/*
 * HTML, and components of Vue, Svelte and Astro. Their scripts are regions of their own. In the
 * markup only the calls import() and require() count, within tags, and in components within braces.
 */
#include "imports/internal.h"
#include "json/json.h"

/* Where in the markup the reader is. */
struct markup {
	struct lexer *l;
	bool html;    /* braces are text */
	bool tag;     /* in a tag */
	char quote;   /* of the attribute, in whose value the reader is; or 0 */
	size_t depth; /* open braces */
};

/* import('a') or require('a') at l->at. */
static bool markup_call(struct markup *c)
{
	struct lexer *l = c->l;
	bool import = lexer_is(l, l->at, "import");
	size_t at = l->at + strlen(import ? "import" : "require"), end;
	char quote, before = l->at ? l->text.p[l->at - 1] : 0;
	struct span literal;

	if ((!import && !lexer_is(l, l->at, "require")) || lexer_is_word_byte(before) ||
	    memchr("$.-", before, 3))
		return false;
	while (ascii_is_any_space(lexer_char_at(l, at)))
		at++;
	if (lexer_char_at(l, at) != '(')
		return false;
	for (at++; ascii_is_any_space(lexer_char_at(l, at));)
		at++;
	quote = lexer_char_at(l, at);
	literal = (struct span){at + 1, at + 1};
	if (!memchr("'\"`", quote, 3))
		quote = 0;
	else
		while (literal.to < l->text.n && !memchr("\n\\$", l->text.p[literal.to], 3) &&
		       l->text.p[literal.to] != quote)
			literal.to++;
	for (end = literal.to + 1; ascii_is_any_space(lexer_char_at(l, end));)
		end++;
	if (quote && lexer_char_at(l, literal.to) == quote &&
	    memchr("),", lexer_char_at(l, end), 2))
		imports_add(l, import ? IMPORTS_DYNAMIC : IMPORTS_REQUIRE,
			    lexer_slice(l, literal.from, literal.to), literal);
	else
		lexer_note_unknown(l, (struct span){l->at, size_min(at + 40, l->text.n)},
				   "a program decides which module this is");
	l->at = size_min(at, l->text.n);
	return true;
}

/*
 * Follows tags, attributes, braces and the strings in braces. An apostrophe there may also be text:
 * then a brace too many stays open, and more is read, not less.
 */
static void markup_follow(struct markup *c, char x)
{
	if (c->quote) {
		if (x == c->quote || (x == '\n' && c->depth && x != '`'))
			c->quote = 0;
		else if (x == '\\' && c->depth && c->l->at + 1 < c->l->text.n)
			c->l->at++;
	} else if (x == '{' && !c->html) {
		c->depth++;
	} else if (x == '}') {
		c->depth -= c->depth > 0;
	} else if ((c->tag || c->depth) && (x == '"' || x == '\'' || (c->depth && x == '`'))) {
		c->quote = x;
	} else if (c->depth) {
		return;
	} else if (x == '<' || x == '>') {
		/* "a < b" is text. */
		c->tag = x == '<' && ascii_is_letter(lexer_char_at(c->l, c->l->at + 1));
	}
}

void imports_read_markup(struct lexer *l)
{
	struct markup c = {.l = l, .html = !strcmp(l->form->name, "HTML")};

	while (l->at < l->text.n) {
		char x = l->text.p[l->at];

		/* In HTML only tags have code. */
		if (c.html && !c.tag && x != '<') {
			l->at = lexer_find_byte(l, '<', l->at);
			continue;
		}

		if (x == '<' && !c.quote && lexer_is(l, l->at, "<!--")) {
			lexer_block_comment(l, "<!", lexer_html_comment_closer(l), false);
		} else if ((x != 'i' && x != 'r') || (!c.tag && !c.depth) || !markup_call(&c)) {
			markup_follow(&c, x);
			l->at++;
		}
	}
}

static void markup_target(struct lexer *l, size_t from, const struct val *v)
{
	if (v->type == VAL_STR)
		imports_add(l, IMPORTS_REFERENCE, v->s,
			    (struct span){from + v->at.from + 1, from + v->at.to - 1});
}

/* The files that the names of an import map stand for. */
void imports_read_importmap(struct lexer *l)
{
	size_t from = l->at;
	struct val *top;

	if (json_read(l->a, lexer_slice(l, from, l->text.n), NULL, &top)) {
		lexer_note_unknown(l, (struct span){from, size_min(from + 20, l->text.n)},
				   "the import map is no JSON");
		return;
	}
	VAL_EACH(val_get(top, "imports"), v)
		markup_target(l, from, v);
	VAL_EACH(val_get(top, "scopes"), scope)
		VAL_EACH(scope, v)
			markup_target(l, from, v);
}
