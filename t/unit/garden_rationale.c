/* The forms of a rationale, an evidence token and an item of the Change Log. */
#include "tap.h"
#include "garden/garden.h"

static struct arena *a;

static void rationales(void)
{
	static const struct {
		const char *text;
		int reason; /* -1: it is fine */
	} rows[] = {
		{"", -1},
		{"two sources agree", -1},
		{"Žofie to potvrdila -> [zápis](x.md)", -1},
		{"a\nb", E_BAD_ARGUMENT},
		{"a\rb", E_BAD_ARGUMENT},
		{"a\tb", E_BAD_ARGUMENT},
		{"a\xe2\x80\xa8"
		 "b",
		 E_BAD_ARGUMENT},
		{"a\xc2\x85"
		 "b",
		 E_BAD_ARGUMENT},
		{"a <!-- @anchor: needs v1 -->", E_BAD_ARGUMENT},
		{"a -->", E_BAD_ARGUMENT},
		{"  ", E_BAD_ARGUMENT},
		{"\xe2\x80\x8b", E_BAD_ARGUMENT},
		{" \xc2\xad \xe2\x81\xa0", E_BAD_ARGUMENT},
		{"a\xe2\x80\xae"
		 "b",
		 E_BAD_ARGUMENT},
		{"a \xe2\x81\xa6"
		 "b",
		 E_BAD_ARGUMENT},
		{"a\xe2\x80\x8b"
		 "b",
		 -1},
		{"\xff", E_BAD_UTF8},
	};
	char *lengthy = arena_alloc(a, 502);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct err *e = garden_rationale_check(str_of(rows[i].text));

		if (rows[i].reason < 0)
			works(e, "a rationale");
		else
			fails(e, (enum err_reason)rows[i].reason, "a rationale");
	}
	memset(lengthy, 'x', 501);
	fails(garden_rationale_check(str_of(lengthy)), E_TOO_LONG, "a rationale of 501 bytes");
	works(garden_rationale_check(str_sub(str_of(lengthy), 0, 500)), "one of 500 bytes");
}

static void tokens(void)
{
	static const struct {
		const char *text;
		bool token;
	} rows[] = {
		{"ev:20260131T120000Z-01KG9Z2V7M8QWERTYASDFGHJKX", true},
		{"ev:20260131T120000Z-01kg9z2v7m8qwertyasdfghjkx", true},
		{"ev:20260231T120000Z-01KG9Z2V7M8QWERTYASDFGHJKX", false},
		{"ev:20260131T126000Z-01KG9Z2V7M8QWERTYASDFGHJKX", false},
		{"ev:20260131T120000Z-01KG9Z2V7M8QWERTYASDFGHJK", false},
		{"ev:20260131T120000Z-01KG9Z2V7M8QWERTYASDFGHJKXX", false},
		{"ev:20260131T120000Z-81KG9Z2V7M8QWERTYASDFGHJKX", false},
		{"ev:20260131T120000Z-01KG9Z2V7M8QWERTYASDFGHJKU", false},
		{"ev:20260131T120000-01KG9Z2V7M8QWERTYASDFGHJKX", false},
		{"ev:", false},
		{"", false},
	};
	static const struct {
		const char *text;
		bool item;
	} items[] = {
		{"2026-01-31T12:00:00Z: made", true}, {"2026-01-31: made", true},
		{"2026-01-31T12:00:00Z made", false}, {"2026-01-31T12:00:00Z:", false},
		{"2026-13-31: made", false},          {"made", false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		ok(garden_is_evidence_token(str_of(rows[i].text)) == rows[i].token, "token '%s'",
		   rows[i].text);
	for (size_t i = 0; i < ARRAY_SIZE(items); i++)
		ok(garden_is_log_item(str_of(items[i].text)) == items[i].item, "item '%s'",
		   items[i].text);
}

int main(void)
{
	a = arena_new();
	rationales();
	tokens();
	arena_free(a);
	return tap_done();
}
