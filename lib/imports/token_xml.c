/* XML literals of Scala: text, elements and comments, with {code} in attributes and between tags.
 */
#include "imports/token.h"

/* Scala's own lexer decides by the bytes around "<", wherever the token stands. */
bool token_is_xml(const struct imports_reader *r)
{
	char before = r->at ? r->text.p[r->at - 1] : ' ', next = imports_char(r, r->at + 1);

	return before && strchr(" \t\n{(>", before) &&
	       ((imports_is_word(next) && !ascii_is_digit(next)) || next == '!' || next == '?');
}

/* Passes over what `open` begins and `close` ends, if it stands at r->at. */
static bool xml_passed(struct imports_reader *r, const struct token_string *s, const char *open,
		       const char *close)
{
	size_t end;

	if (!imports_is(r, r->at, open))
		return false;
	end = str_find(r->text, str_of(close), r->at + strlen(open));
	if (end == SIZE_MAX)
		imports_add_unended(r, s->at, "the XML that begins here does not end");
	r->at = end == SIZE_MAX ? r->text.n : end + strlen(close);
	return true;
}

/* In a tag, up to ">" or "/>". False: code begins. */
static bool xml_tag(struct imports_reader *r, struct token_string *s)
{
	char c = r->text.p[r->at++];

	if (c == '"' || c == '\'') {
		r->at = size_min(imports_find(r, c, r->at) + 1, r->text.n);
	} else if (c == '/' && imports_char(r, r->at) == '>') {
		r->at++;
		s->tag = false;
		s->elements--;
	} else if (c == '>') {
		s->tag = false;
	}
	return c != '{';
}

/* Between tags. False: code begins. */
static bool xml_children(struct imports_reader *r, struct token_string *s)
{
	char c = r->text.p[r->at];

	if (c != '<' && c != '{') {
		r->at++;
	} else if (c == '{' && imports_char(r, r->at + 1) == '{') {
		r->at += 2;
	} else if (c == '{') {
		r->at++;
		return false;
	} else if (imports_char(r, r->at + 1) == '/') {
		r->at = size_min(imports_find(r, '>', r->at) + 1, r->text.n);
		s->elements -= s->elements > 0;
	} else if (!xml_passed(r, s, "<!--", "-->") && !xml_passed(r, s, "<![CDATA[", "]]>") &&
		   !xml_passed(r, s, "<?", "?>")) {
		r->at++;
		s->elements++;
		s->tag = true;
	}
	return true;
}

bool token_xml_text(struct imports_reader *r, struct token_string *s)
{
	while (r->at < r->text.n) {
		if (!(s->tag ? xml_tag(r, s) : xml_children(r, s)))
			return false;
		if (!s->tag && !s->elements)
			return true;
	}
	s->unended = true;
	imports_add_unended(r, s->at, "the XML that begins here does not end");
	return true;
}
