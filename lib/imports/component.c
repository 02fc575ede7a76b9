/*
 * Components of Vue, Svelte and Astro: their scripts are JavaScript or TypeScript. In the markup
 * only the calls import() and require() count, within braces and tags.
 */
#include "imports/lexer.h"

/* Where in the markup the reader is. */
struct component {
	struct lexer *r;
	bool tag;     /* in a tag */
	char quote;   /* of the attribute, in whose value the reader is; or 0 */
	size_t depth; /* open braces */
};

struct component_tag {
	struct str lang, type;
	struct span src; /* to 0: none */
	bool empty;      /* <script src="a" /> */
};

/* Whether the tag `name` begins at `at`: <name> or </name>, in any case. */
static bool component_is_tag(const struct lexer *r, size_t at, const char *open, const char *name)
{
	size_t from = at + strlen(open), end = from + strlen(name);

	return lexer_is(r, at, open) && str_ieq(lexer_slice(r, from, end), str_of(name)) &&
	       (end >= r->text.n || strchr(" \t\r\n\f/>", r->text.p[end]));
}

/* Where the text of an element ends whose content is no markup. */
static size_t component_raw_end(struct lexer *r, size_t at, const char *name, const char *reason)
{
	size_t end = lexer_find(r, '<', at);

	while (end < r->text.n && !component_is_tag(r, end, "</", name))
		end = lexer_find(r, '<', end + 1);
	if (end == r->text.n)
		lexer_unended(r, at, reason);
	return end;
}

/* ---- the tag of a script ---- */

static bool component_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static void component_blanks(struct lexer *r)
{
	while (component_is_blank(lexer_char(r, r->at)))
		r->at++;
}

/* Behind the "=" of an attribute. */
static struct span component_value(struct lexer *r)
{
	char quote = lexer_char(r, r->at), c;
	struct span s;

	if (quote == '"' || quote == '\'') {
		s.from = r->at + 1;
		s.to = lexer_find(r, quote, s.from);
		r->at = size_min(s.to + 1, r->text.n);
		return s;
	}
	for (s.from = r->at; (c = lexer_char(r, r->at)) && c != '>' && !component_is_blank(c);)
		r->at++;
	s.to = r->at;
	return s;
}

/* Behind "<script": attributes up to ">". */
static void component_attributes(struct lexer *r, struct component_tag *tag)
{
	*tag = (struct component_tag){.lang = {"", 0}, .type = {"", 0}};
	while (r->at < r->text.n && r->text.p[r->at] != '>') {
		size_t from = r->at;
		struct str name;
		struct span value;

		while (r->at < r->text.n && !component_is_blank(r->text.p[r->at]) &&
		       !memchr("=/>", r->text.p[r->at], 3))
			r->at++;
		name = lexer_slice(r, from, r->at);
		component_blanks(r);
		if (lexer_char(r, r->at) != '=') {
			tag->empty = lexer_is(r, r->at, "/>");
			r->at += lexer_char(r, r->at) == '/';
			continue;
		}
		r->at++;
		component_blanks(r);
		value = component_value(r);
		if (lexer_same(name, "lang"))
			tag->lang = lexer_slice(r, value.from, value.to);
		else if (lexer_same(name, "type"))
			tag->type = lexer_slice(r, value.from, value.to);
		else if (lexer_same(name, "src"))
			tag->src = value;
	}
	r->at = size_min(r->at + 1, r->text.n);
}

/* Whether the content is a program, and no data or template. */
static bool component_is_program(struct str type)
{
	return !type.n || str_is(type, "module") || str_find(type, STR("script"), 0) != SIZE_MAX ||
	       str_find(type, STR("babel"), 0) != SIZE_MAX;
}

static void component_read(struct lexer *r, bool jsx, size_t end)
{
	struct lexer part = *r;

	part.path = jsx ? STR("x.tsx") : STR("x.ts");
	part.form = lexer_form(part.path, STR(""));
	part.text.n = end;
	imports_read_javascript(&part);
}

static void component_script(struct component *c)
{
	static const char known[] = "js jsx ts tsx mjs mts javascript typescript babel";
	struct lexer *r = c->r;
	struct component_tag tag;
	size_t at = r->at, end;

	r->at += strlen("<script");
	component_attributes(r, &tag);
	if (!component_is_program(tag.type))
		tag.src.to = 0;
	if (str_find_char(lexer_slice(r, tag.src.from, tag.src.to), '{', 0) != SIZE_MAX)
		lexer_unknown(r, tag.src, "a program decides which module this is");
	else
		imports_add(r, IMPORTS_STATIC, lexer_slice(r, tag.src.from, tag.src.to), tag.src);
	if (tag.empty)
		return;
	end = component_raw_end(r, r->at, "script", "the script that begins here does not end");
	if (component_is_program(tag.type) && tag.lang.n && !lexer_word_fits(known, tag.lang)) {
		lexer_unknown(r, (struct span){at, r->at},
			      "ikm does not read the language of this script");
	} else if (component_is_program(tag.type)) {
		component_read(r, str_ends(tag.lang, STR("sx")), end);
	}
	r->at = end;
}

/* Vue closes a style that names a file in its tag: <style src="a.css" />. */
static void component_style(struct component *c)
{
	struct lexer *r = c->r;
	struct component_tag tag;

	r->at += strlen("<style");
	component_attributes(r, &tag);
	if (!tag.empty)
		r->at = component_raw_end(r, r->at, "style",
					  "the style that begins here does not end");
}

/* Between the fences of Astro stands TypeScript. */
static void component_fences(struct lexer *r)
{
	size_t at = r->at, text_n = r->text.n, end;

	component_blanks(r);
	if (!lexer_is(r, r->at, "---")) {
		r->at = at;
		return;
	}
	at = r->at;
	r->at += 3;
	end = str_find(r->text, STR("\n---"), r->at);
	if (end == SIZE_MAX) {
		lexer_unended(r, at, "the script that begins here does not end");
		end = r->text.n;
	}
	component_read(r, false, end);
	r->at = size_min(end + 4, text_n);
}

/* ---- markup ---- */

/* import('a') or require('a') at r->at. */
static bool component_call(struct component *c)
{
	struct lexer *r = c->r;
	bool import = lexer_is(r, r->at, "import");
	size_t at = r->at + strlen(import ? "import" : "require"), end;
	char quote, before = r->at ? r->text.p[r->at - 1] : 0;
	struct span literal;

	if ((!import && !lexer_is(r, r->at, "require")) || lexer_is_word(before) ||
	    memchr("$.-", before, 3))
		return false;
	while (component_is_blank(lexer_char(r, at)))
		at++;
	if (lexer_char(r, at) != '(')
		return false;
	for (at++; component_is_blank(lexer_char(r, at));)
		at++;
	quote = lexer_char(r, at);
	literal = (struct span){at + 1, at + 1};
	if (!memchr("'\"`", quote, 3))
		quote = 0;
	else
		while (literal.to < r->text.n && !memchr("\n\\$", r->text.p[literal.to], 3) &&
		       r->text.p[literal.to] != quote)
			literal.to++;
	for (end = literal.to + 1; component_is_blank(lexer_char(r, end));)
		end++;
	if (quote && lexer_char(r, literal.to) == quote && memchr("),", lexer_char(r, end), 2))
		imports_add(r, import ? IMPORTS_DYNAMIC : IMPORTS_REQUIRE,
			    lexer_slice(r, literal.from, literal.to), literal);
	else
		lexer_unknown(r, (struct span){r->at, size_min(at + 40, r->text.n)},
			      "a program decides which module this is");
	r->at = size_min(at, r->text.n);
	return true;
}

/* Follows tags, attributes and braces. */
static void component_markup(struct component *c, char x)
{
	if (c->quote) {
		c->quote = x == c->quote ? 0 : c->quote;
	} else if (x == '{') {
		c->depth++;
	} else if (x == '}') {
		c->depth -= c->depth > 0;
	} else if (c->depth) {
		return;
	} else if (c->tag && (x == '"' || x == '\'')) {
		c->quote = x;
	} else if (x == '<' || x == '>') {
		c->tag = x == '<';
	}
}

void imports_read_component(struct lexer *r)
{
	struct component c = {.r = r};

	if (str_ends(r->path, STR(".astro")))
		component_fences(r);
	while (r->at < r->text.n) {
		char x = r->text.p[r->at];

		if (x == '<' && component_is_tag(r, r->at, "<", "script")) {
			component_script(&c);
		} else if (x == '<' && component_is_tag(r, r->at, "<", "style")) {
			component_style(&c);
		} else if (x == '<' && !c.quote && lexer_is(r, r->at, "<!--")) {
			lexer_block_comment(r, "<!--", "-->", false);
		} else if ((x != 'i' && x != 'r') || (!c.tag && !c.depth) || !component_call(&c)) {
			component_markup(&c, x);
			r->at++;
		}
	}
}
