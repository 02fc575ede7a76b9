/* Statuses as people write them. */
#include "knowledge/read.h"

/* Beginnings of a status in lower case, without markup and emoji. The first match counts. */
static const struct {
	const char *phrase;
	enum kn_status status;
	bool partly;
} table[] = {
	{"draft", KN_STATUS_DRAFT, false},
	{"wip", KN_STATUS_DRAFT, false},
	{"work in progress", KN_STATUS_DRAFT, false},
	{"in progress", KN_STATUS_DRAFT, false},
	{"returned for revision", KN_STATUS_DRAFT, false},
	{"proposed", KN_STATUS_PROPOSED, false},
	{"proposal", KN_STATUS_PROPOSED, false},
	{"pending", KN_STATUS_PROPOSED, false},
	{"on hold", KN_STATUS_PROPOSED, false},
	{"on-hold", KN_STATUS_PROPOSED, false},
	{"incomplete", KN_STATUS_PROPOSED, false},
	{"in review", KN_STATUS_PROPOSED, false},
	{"under review", KN_STATUS_PROPOSED, false},
	{"in discussion", KN_STATUS_PROPOSED, false},
	{"under discussion", KN_STATUS_PROPOSED, false},
	{"rfc", KN_STATUS_PROPOSED, false},
	{"review", KN_STATUS_PROPOSED, false},
	{"active review", KN_STATUS_PROPOSED, false},
	{"awaiting review", KN_STATUS_PROPOSED, false},
	{"scheduled for review", KN_STATUS_PROPOSED, false},
	{"final comment period", KN_STATUS_PROPOSED, false},
	{"last call", KN_STATUS_PROPOSED, false},
	{"provisional", KN_STATUS_PROPOSED, false},
	{"deferred", KN_STATUS_PROPOSED, false},
	{"accepted", KN_STATUS_ACCEPTED, false},
	{"approved", KN_STATUS_ACCEPTED, false},
	{"adopted", KN_STATUS_ACCEPTED, false},
	{"agreed", KN_STATUS_ACCEPTED, false},
	{"done", KN_STATUS_ACCEPTED, false},
	{"implemented", KN_STATUS_ACCEPTED, false},
	{"partially implemented", KN_STATUS_ACCEPTED, false},
	{"previewing", KN_STATUS_ACCEPTED, false},
	{"active", KN_STATUS_ACCEPTED, false},
	{"final", KN_STATUS_ACCEPTED, false},
	{"living", KN_STATUS_ACCEPTED, false},
	{"implementable", KN_STATUS_ACCEPTED, false},
	{"partly superseded", KN_STATUS_ACCEPTED, true},
	{"partially superseded", KN_STATUS_ACCEPTED, true},
	{"partly superceded", KN_STATUS_ACCEPTED, true},
	{"partially superceded", KN_STATUS_ACCEPTED, true},
	{"deprecated", KN_STATUS_DEPRECATED, false},
	{"obsolete", KN_STATUS_DEPRECATED, false},
	{"retired", KN_STATUS_DEPRECATED, false},
	{"moved", KN_STATUS_DEPRECATED, false},
	{"stagnant", KN_STATUS_DEPRECATED, false},
	{"historic", KN_STATUS_DEPRECATED, false},
	{"superseded", KN_STATUS_SUPERSEDED, false},
	{"superceded", KN_STATUS_SUPERSEDED, false}, /* adr-tools spells it so */
	{"replaced", KN_STATUS_SUPERSEDED, false},
	{"rejected", KN_STATUS_REJECTED, false},
	{"declined", KN_STATUS_REJECTED, false},
	{"withdrawn", KN_STATUS_REJECTED, false},
	{"expired", KN_STATUS_REJECTED, false},
	{"april fool", KN_STATUS_REJECTED, false},
	{"abandoned", KN_STATUS_REJECTED, false},
	{"cancelled", KN_STATUS_REJECTED, false},
};

static bool is_symbol(uint32_t c)
{
	return (c >= 0x2000 && c < 0x2c00) || (c >= 0x3000 && c < 0x3040) ||
	       (c >= 0xfe00 && c < 0xfe10) || c == 0xfeff || c == 0xa0 || c == 0xfffd ||
	       (c >= 0x1f000 && c < 0x20000) || c >= 0xe0000;
}

/* The length of an emoji's name such as ":white_check_mark:" at the front, or 0. */
static size_t shortcode(struct str s)
{
	size_t i = 1;

	if (!s.n || s.p[0] != ':')
		return 0;
	while (i < s.n && (ascii_is_lower(s.p[i]) || ascii_is_digit(s.p[i]) || s.p[i] == '_' ||
			   s.p[i] == '+' || s.p[i] == '-'))
		i++;
	return i > 1 && i < s.n && s.p[i] == ':' ? i + 1 : 0;
}

/* The text in lower case, with one blank between words, without emoji and opening markup. */
static struct str knowledge_status_bare(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);
	bool blank = false;

	while (s.n) {
		uint32_t c = 0;
		size_t n = str_utf8_char(s.p, s.n, &c), code = shortcode(s);

		if (code || !n || is_symbol(c) || c <= ' ') {
			blank = true;
			n = code ? code : n ? n : 1;
		} else if (!b.n && c < 0x80 && strchr("*_`~\"'([:", (int)c)) {
			n = 1;
		} else {
			if (blank && b.n)
				buf_putc(&b, ' ');
			blank = false;
			buf_put(&b, str_sub(s, 0, n));
		}
		s = str_sub(s, n, s.n);
	}
	return str_lower(a, buf_as_str(&b));
}

static bool begins(struct str s, const char *phrase)
{
	struct str p = str_of(phrase);
	unsigned char next = s.n > p.n ? (unsigned char)s.p[p.n] : ' ';

	return str_starts(s, p) && !(ascii_is_lower((char)next) || ascii_is_digit((char)next) ||
				     next == '_' || next >= 0x80);
}

const char *kn_status_parse(struct arena *a, struct str text, enum kn_status *out, bool *partly)
{
	struct str s = knowledge_status_bare(a, text);

	*partly = false;
	/* "proposed | accepted | …": a template in which nobody made a choice. */
	if (str_holds(s, "|"))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (begins(s, table[i].phrase)) {
			*out = table[i].status;
			*partly = table[i].partly;
			return table[i].phrase;
		}
	return NULL;
}
