/* Any bytes as XML: spans lie in the text, and a child lies behind its parent's tag. */
#include "base/base.h"
#include "xml/xml.h"

static void fuzz_xml(struct str text, const struct xml *v)
{
	struct span at = xml_text_span(text, v);

	if (v->at.from > v->at.to || v->at.to > text.n || at.from > at.to || at.to > text.n)
		BUG("an element outside the text");
	for (size_t i = 0; i < v->attrs_n; i++) {
		at = xml_attr_span(text, v, "a");
		if (at.from > at.to || at.to > text.n)
			BUG("an attribute outside the text");
	}
	XML_EACH(v, c)
	{
		if (c->at.from < v->at.to)
			BUG("a child before its parent");
		fuzz_xml(text, c);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};
	struct arena *a = arena_new();
	struct xml *top;

	if (!xml_read(a, text, &top))
		fuzz_xml(text, top);
	arena_free(a);
	return 0;
}
