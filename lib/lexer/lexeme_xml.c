/* XML literals of Scala: text, elements and comments, with {code} in attributes and between tags.
 */
#include "lexer/lexeme.h"

/* Scala's own lexer decides by the bytes around "<", wherever the token stands. */
bool lexeme_is_xml(const struct lexer *r)
{
	char before = r->at ? r->text.p[r->at - 1] : ' ', next = lexer_char(r, r->at + 1);

	return before && strchr(" \t\n{(>", before) &&
	       ((lexer_is_word(next) && !ascii_is_digit(next)) || next == '!' || next == '?');
}

/* Passes over what `open` begins and `close` ends, if it stands at r->at. */
static bool xml_passed(struct lexer *r, const struct lexeme_string *s, const char *open,
		       const char *close)
{
	size_t end;

	if (!lexer_is(r, r->at, open))
		return false;
	end = str_find(r->text, str_of(close), r->at + strlen(open));
	if (end == SIZE_MAX)
		lexer_unended(r, s->at, "the XML that begins here does not end");
	r->at = end == SIZE_MAX ? r->text.n : end + strlen(close);
	return true;
}

/* In a tag, up to ">" or "/>". False: code begins. */
static bool xml_tag(struct lexer *r, struct lexeme_string *s)
{
	char c = r->text.p[r->at++];

	if (c == '"' || c == '\'') {
		r->at = size_min(lexer_find(r, c, r->at) + 1, r->text.n);
	} else if (c == '/' && lexer_char(r, r->at) == '>') {
		r->at++;
		s->tag = false;
		s->elements--;
	} else if (c == '>') {
		s->tag = false;
	}
	return c != '{';
}

/* Between tags. False: code begins. */
static bool xml_children(struct lexer *r, struct lexeme_string *s)
{
	char c = r->text.p[r->at];

	if (c != '<' && c != '{') {
		r->at++;
	} else if (c == '{' && lexer_char(r, r->at + 1) == '{') {
		r->at += 2;
	} else if (c == '{') {
		r->at++;
		return false;
	} else if (lexer_char(r, r->at + 1) == '/') {
		r->at = size_min(lexer_find(r, '>', r->at) + 1, r->text.n);
		s->elements -= s->elements > 0;
	} else if (!xml_passed(r, s, "<!--", "-->") && !xml_passed(r, s, "<![CDATA[", "]]>") &&
		   !xml_passed(r, s, "<?", "?>")) {
		r->at++;
		s->elements++;
		s->tag = true;
	}
	return true;
}

bool lexeme_xml_text(struct lexer *r, struct lexeme_string *s)
{
	while (r->at < r->text.n) {
		if (!(s->tag ? xml_tag(r, s) : xml_children(r, s)))
			return false;
		if (!s->tag && !s->elements)
			return true;
	}
	s->unended = true;
	lexer_unended(r, s->at, "the XML that begins here does not end");
	return true;
}
