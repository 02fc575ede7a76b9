#include "out/sarif.h"
#include "json/json.h"

#define SARIF_SCHEMA                                                                               \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"                      \
	"sarif-schema-2.1.0.json"
/* The base of all paths. The log does not say where the folder lies on this machine. */
#define SARIF_ROOT "SRCROOT"

static const char *const sarif_levels[] = {SARIF_LEVELS(ENUM_NAME) NULL};

size_t sarif_utf16_length(struct str s)
{
	size_t units = 0;

	while (s.n) {
		uint32_t c = 0;
		size_t n = str_utf8_char(s.p, s.n, &c);

		units += c > 0xffff ? 2 : 1;
		s = str_sub(s, n ? n : 1, s.n);
	}
	return units;
}

static void sarif_str(struct arena *a, struct val *v, const char *name, struct str s)
{
	if (s.n)
		val_set(a, v, name, val_str(a, s));
}

static void sarif_number(struct arena *a, struct val *v, const char *name, size_t n)
{
	if (n)
		val_set(a, v, name, val_int(a, (int64_t)n));
}

/* Text of a file, as it stands there. */
static void sarif_content(struct arena *a, struct val *v, const char *name, struct str s)
{
	if (s.n)
		val_set(a, val_set(a, v, name, val_map(a)), "text", val_str(a, s));
}

/*
 * A message for people. Text from outside must not become a link: "[text](address)" would. Braces
 * stay single: viewers replace "{0}" only where a message has arguments.
 */
static void sarif_text(struct arena *a, struct val *v, const char *name, struct str s)
{
	struct buf safe = buf_in(a);

	if (str_holds(s, "](")) {
		for (size_t i = 0; i < s.n; i++) {
			if (s.p[i] == '[' || s.p[i] == ']' || s.p[i] == '\\')
				buf_putc(&safe, '\\');
			buf_putc(&safe, s.p[i]);
		}
		s = buf_as_str(&safe);
	}
	sarif_content(a, v, name, s);
}

/*
 * RFC 3986: everything but unreserved characters and the slash is encoded. An absolute path, of a
 * file outside the repository, is an address of its own.
 */
static struct str sarif_encoded(struct arena *a, struct str begin, struct str path)
{
	struct buf b = buf_in(a);

	buf_put(&b, begin);
	for (size_t i = 0; i < path.n; i++) {
		char c = path.p[i];

		if (ascii_is_alnum(c) || (c && memchr("/-._~", c, 5)))
			buf_putc(&b, c);
		else
			buf_fmt(&b, "%%%02X", (unsigned char)c);
	}
	return buf_as_str(&b);
}

static void sarif_locations(struct arena *a, struct val *v, const struct sarif_place *p)
{
	struct val *list, *place, *artifact, *region;
	bool absolute = p->path.n && *p->path.p == '/';

	if (!p->path.n)
		return;
	list = val_set(a, v, "locations", val_list(a));
	place = val_set(a, val_add(list, val_map(a)), "physicalLocation", val_map(a));
	artifact = val_set(a, place, "artifactLocation", val_map(a));
	sarif_str(a, artifact, "uri",
		  sarif_encoded(a, absolute ? STR("file://") : STR(""), p->path));
	if (!absolute)
		sarif_str(a, artifact, "uriBaseId", STR(SARIF_ROOT));
	if (!p->line)
		return;
	region = val_set(a, place, "region", val_map(a));
	sarif_number(a, region, "startLine", p->line);
	sarif_number(a, region, "startColumn", p->column);
	if (p->end > p->column) {
		sarif_number(a, region, "endColumn", p->end);
		sarif_content(a, region, "snippet", p->text);
	}
}

/* Writes one entry of a list on a line of its own. */
static void sarif_write(struct sarif *s, struct arena *a, const struct val *v, size_t *count)
{
	out_puts(s->o, (*count)++ ? ",\n" : "\n");
	out_bytes_unchanged(s->o, json_text(a, v));
}

static void sarif_rules(struct sarif *s, const struct sarif_rule *rules, size_t n)
{
	/* GitHub shows this severity beside the rule, and has words of its own for it. */
	static const char *const problem[] = {
		[SARIF_NOTE] = "recommendation",
		[SARIF_WARNING] = "warning",
		[SARIF_ERROR] = "error",
	};
	size_t count = 0;

	for (const struct sarif_rule *r = rules; r < rules + n; r++) {
		struct arena *a ARENA_LOCAL = arena_new();
		struct val *v = val_map(a), *properties;

		sarif_str(a, v, "id", r->id);
		sarif_str(a, v, "name", r->name);
		sarif_text(a, v, "shortDescription", r->title);
		sarif_text(a, v, "fullDescription", r->text);
		sarif_text(a, v, "help", r->help);
		if (r->web.n)
			sarif_str(a, v, "helpUri", sarif_encoded(a, r->web, r->web_path));
		sarif_str(a, val_set(a, v, "defaultConfiguration", val_map(a)), "level",
			  str_of(sarif_levels[r->level]));
		properties = val_set(a, v, "properties", val_map(a));
		sarif_str(a, properties, "problem.severity", str_of(problem[r->level]));
		if (r->tags.n)
			val_set(a, properties, "tags", val_list_of_strs(a, &r->tags));
		sarif_write(s, a, v, &count);
	}
}

void sarif_begin(struct sarif *s, struct out *o, const struct sarif_run *run)
{
	*s = (struct sarif){.o = o, .run = run};
	out_fmt(o,
		"{\"$schema\":\"" SARIF_SCHEMA "\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{"
		"\"driver\":{\"name\":\"%s\",\"version\":\"%s\",\"semanticVersion\":\"%s\","
		"\"notifications\":[",
		run->tool, run->version, run->version);
	sarif_rules(s, run->kinds, run->kinds_n);
	out_puts(o, "],\"rules\":[");
	sarif_rules(s, run->rules, run->rules_n);
	out_puts(o,
		 "]}},\n\"columnKind\":\"utf16CodeUnits\",\n\"originalUriBaseIds\":{\"" SARIF_ROOT
		 "\":{\"description\":{\"text\":\"the top of the repository\"}}},\n"
		 "\"results\":[");
}

void sarif_result(struct sarif *s, const struct sarif_result *r)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct val *v = val_map(a);

	sarif_str(a, v, "ruleId", s->run->rules[r->rule].id);
	val_set(a, v, "ruleIndex", val_int(a, (int64_t)r->rule));
	sarif_str(a, v, "level", str_of(sarif_levels[r->level]));
	sarif_text(a, v, "message", r->message);
	sarif_locations(a, v, &r->place);
	if (r->fingerprint.n)
		sarif_str(a, val_set(a, v, "partialFingerprints", val_map(a)), s->run->fingerprint,
			  r->fingerprint);
	sarif_write(s, a, v, &s->results);
}

static void sarif_close_results(struct sarif *s)
{
	if (!s->noticing)
		out_puts(s->o, "],\n\"invocations\":[{\"executionSuccessful\":true,"
			       "\"toolExecutionNotifications\":[");
	s->noticing = true;
}

void sarif_notice(struct sarif *s, const struct sarif_notice *n)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct val *v = val_map(a);

	sarif_close_results(s);
	sarif_str(a, val_set(a, v, "descriptor", val_map(a)), "id", n->id);
	sarif_str(a, v, "level", str_of(sarif_levels[n->level]));
	sarif_text(a, v, "message", n->message);
	sarif_locations(a, v, &n->place);
	sarif_write(s, a, v, &s->notices);
}

void sarif_end(struct sarif *s)
{
	sarif_close_results(s);
	out_puts(s->o, "]}]}]}\n");
}
