#include "out/out.h"

static const char *xml_reference(char c, bool attribute)
{
	switch (c) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '"': return "&quot;";
	case '\r': return "&#13;";
	/* A reader makes blanks of these when they stand in an attribute as they are. */
	case '\n': return attribute ? "&#10;" : "\n";
	case '\t': return attribute ? "&#9;" : "\t";
	default: return NULL;
	}
}

static void xml_escape(struct out *o, struct str s, bool attribute)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct buf b = buf_in(a);

	s = str_utf8(a, s);
	for (size_t i = 0; i < s.n;) {
		uint32_t c = 0;
		size_t n = str_utf8_char(s.p + i, s.n - i, &c);
		const char *reference = xml_reference(s.p[i], attribute);

		if (reference)
			buf_puts(&b, reference);
		else if (c < 0x20)
			buf_fmt(&b, "\\x%02x", c);
		else if (c == 0xfffe || c == 0xffff)
			buf_utf8(&b, 0xfffd);
		else
			buf_put(&b, str_sub(s, i, i + n));
		i += n;
	}
	out_bytes_unchanged(o, buf_as_str(&b));
}

void out_xml(struct out *o, struct str s)
{
	xml_escape(o, s, false);
}

void out_xml_attribute(struct out *o, const char *name, struct str s)
{
	out_fmt(o, " %s=\"", name);
	xml_escape(o, s, true);
	out_puts(o, "\"");
}
