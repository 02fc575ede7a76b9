#include "tap.h"
#include "json/json.h"
#include "out/sarif.h"

static struct arena *a;

/* The part of the log that a dotted path names; a number is an index. NULL: not there. */
static const struct val *part(const struct val *v, const char *path)
{
	struct str rest = str_of(path), name;

	while (v && str_next_part(&rest, '.', &name)) {
		int64_t i = 0;

		if (v->type == VAL_LIST && !str_int(name, &i))
			return NULL;
		for (v = v->first; v; v = v->next)
			if (str_eq(v->key, name) || (!v->key.n && !i--))
				break;
	}
	return v;
}

static struct str text(const struct val *log, const char *path)
{
	const struct val *v = part(log, path);

	return v && (v->type == VAL_STR || v->type == VAL_NUM) ? v->s : STR("(nothing)");
}

static const struct val *finished(struct sarif *s, struct out *o)
{
	struct val *log = NULL;

	sarif_end(s);
	works(json_read(a, out_text_so_far(o), NULL, &log), "the log is JSON");
	return part(log, "runs.0");
}

static const struct sarif_rule rules[] = {
	{.id = STR_INIT("0001/1"), .title = STR_INIT("one"), .level = SARIF_ERROR},
	{.id = STR_INIT("0002/1"), .title = STR_INIT("two"), .level = SARIF_NOTE},
};
static const struct sarif_run run = {
	.tool = "ikm", .version = "1.2.3", .fingerprint = "key/v1", .rules = rules, .rules_n = 2};

static void empty(void)
{
	struct out *o = out_new_in_memory(a);
	struct sarif_run none = run;
	struct sarif s;
	const struct val *log;

	none.rules_n = 0;
	sarif_begin(&s, o, &none);
	log = finished(&s, o);
	ok(part(log, "results") && part(log, "results")->n == 0,
	   "a log without results has a list");
	ok(part(log, "tool.driver.rules")->n == 0, "and a list of rules");
	is_str(text(log, "tool.driver.version"), STR("1.2.3"), "the version");
}

static void results(void)
{
	struct out *o = out_new_in_memory(a);
	struct sarif s;
	const struct val *log;

	sarif_begin(&s, o, &run);
	sarif_result(&s, &(struct sarif_result){.rule = 1,
						.level = SARIF_NOTE,
						.message = STR("see [this](http://x) \\ \"q\""),
						.place = {.path = STR("a b/\xc3\xa9:%\xff?.js"),
							  .line = 3,
							  .column = 2,
							  .end = 4,
							  .text = STR("[x](y)")},
						.fingerprint = STR("f/1")});
	sarif_result(&s, &(struct sarif_result){.message = STR("arr[i](j"), .level = SARIF_ERROR});
	sarif_notice(&s, &(struct sarif_notice){.id = STR("kind"),
						.level = SARIF_WARNING,
						.message = STR("not read\n{0}"),
						.place = {.path = STR("x"), .line = 7}});
	sarif_notice(&s, &(struct sarif_notice){.id = STR("kind"),
						.message = STR("m"),
						.place = {STR("/srv/a b")}});
	log = finished(&s, o);
	is_str(text(log, "results.0.ruleId"), STR("0002/1"), "the id of the rule");
	is_str(text(log, "results.0.ruleIndex"), STR("1"), "its index");
	is_str(text(log, "results.0.level"), STR("note"), "its level");
	is_str(text(log, "results.0.message.text"), STR("see \\[this\\](http://x) \\\\ \"q\""),
	       "a link in a message is text");
#define AT "results.0.locations.0.physicalLocation."
	is_str(text(log, AT "artifactLocation.uri"), STR("a%20b/%C3%A9%3A%25%FF%3F.js"),
	       "a path is encoded byte by byte");
	is_str(text(log, AT "artifactLocation.uriBaseId"), STR("SRCROOT"), "below a base");
	ok(part(log, "originalUriBaseIds.SRCROOT"), "which the log declares");
	is_str(text(log, AT "region.startLine"), STR("3"), "line");
	is_str(text(log, AT "region.startColumn"), STR("2"), "column");
	is_str(text(log, AT "region.endColumn"), STR("4"), "end");
	is_str(text(log, AT "region.snippet.text"), STR("[x](y)"), "a snippet stays as it is");
	is_str(text(log, "results.0.partialFingerprints.key/v1"), STR("f/1"), "the fingerprint");
	ok(!part(log, "results.1.locations"), "a result without a place");
	is_str(text(log, "results.1.ruleIndex"), STR("0"), "index 0 is written");
	is_str(text(log, "invocations.0.toolExecutionNotifications.0.message.text"),
	       STR("not read\n{0}"), "a notice");
	is_str(text(log, "invocations.0.toolExecutionNotifications.0.locations.0.physicalLocation."
			 "region.startLine"),
	       STR("7"), "has a place");
#define OUTSIDE                                                                                    \
	"invocations.0.toolExecutionNotifications.1.locations.0.physicalLocation.artifactLocation"
	is_str(text(log, OUTSIDE ".uri"), STR("file:///srv/a%20b"), "a file outside is an address");
	ok(!part(log, OUTSIDE ".uriBaseId"), "which has no base");
}

static void units(void)
{
	is_int(sarif_utf16_length(STR("abc")), 3, "letters");
	is_int(sarif_utf16_length(STR("\xc3\xa9\xe6\xbc\xa2")), 2,
	       "two and three bytes are one unit");
	is_int(sarif_utf16_length(STR("\xf0\x9f\x98\x80")), 2, "four bytes are two units");
	is_int(sarif_utf16_length(STR("a\xff\xe6\xbc")), 4, "a byte that is not UTF-8 is a unit");
}

int main(void)
{
	a = arena_new();
	empty();
	results();
	units();
	arena_free(a);
	return tap_done();
}
