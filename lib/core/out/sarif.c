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

/* ,"name": for every member but the first of its object. */
static void sarif_key(struct buf *b, const char *name)
{
	if (b->n && b->p[b->n - 1] != '{')
		buf_putc(b, ',');
	buf_fmt(b, "\"%s\":", name);
}

static void sarif_str(struct buf *b, const char *name, struct str s)
{
	if (!s.n)
		return;
	sarif_key(b, name);
	json_write_str(b, s);
}

static void sarif_number(struct buf *b, const char *name, size_t n)
{
	if (!n)
		return;
	sarif_key(b, name);
	buf_fmt(b, "%zu", n);
}

/* Text of a file, as it stands there. */
static void sarif_content(struct buf *b, const char *name, struct str s)
{
	if (!s.n)
		return;
	sarif_key(b, name);
	buf_putc(b, '{');
	sarif_str(b, "text", s);
	buf_putc(b, '}');
}

/*
 * A message for people. Text from outside must not become a link: "[text](address)" would. Braces
 * stay single: viewers replace "{0}" only where a message has arguments.
 */
static void sarif_text(struct buf *b, const char *name, struct str s)
{
	struct buf safe = buf_in(b->arena);

	if (str_holds(s, "](")) {
		for (size_t i = 0; i < s.n; i++) {
			if (s.p[i] == '[' || s.p[i] == ']' || s.p[i] == '\\')
				buf_putc(&safe, '\\');
			buf_putc(&safe, s.p[i]);
		}
		s = buf_as_str(&safe);
	}
	sarif_content(b, name, s);
}

static void sarif_level_of(struct buf *b, enum sarif_level level)
{
	sarif_str(b, "level", str_of(sarif_levels[level]));
}

/*
 * RFC 3986: everything but unreserved characters and the slash is encoded. An absolute path, of a
 * file outside the repository, is an address of its own.
 */
static void sarif_encoded(struct buf *b, struct str path)
{
	for (size_t i = 0; i < path.n; i++) {
		char c = path.p[i];

		if (ascii_is_alnum(c) || (c && memchr("/-._~", c, 5)))
			buf_putc(b, c);
		else
			buf_fmt(b, "%%%02X", (unsigned char)c);
	}
}

static void sarif_region(struct buf *b, const struct sarif_place *p)
{
	if (!p->line)
		return;
	sarif_key(b, "region");
	buf_putc(b, '{');
	sarif_number(b, "startLine", p->line);
	sarif_number(b, "startColumn", p->column);
	if (p->end > p->column)
		sarif_number(b, "endColumn", p->end);
	sarif_content(b, "snippet", p->end > p->column ? p->text : STR(""));
	buf_putc(b, '}');
}

static void sarif_locations(struct buf *b, const struct sarif_place *p)
{
	if (!p->path.n)
		return;
	sarif_key(b, "locations");
	buf_puts(b, "[{\"physicalLocation\":{\"artifactLocation\":{");
	sarif_key(b, "uri");
	buf_puts(b, *p->path.p == '/' ? "\"file://" : "\"");
	sarif_encoded(b, p->path);
	buf_putc(b, '"');
	if (*p->path.p != '/')
		sarif_str(b, "uriBaseId", STR(SARIF_ROOT));
	buf_putc(b, '}');
	sarif_region(b, p);
	buf_puts(b, "}}]");
}

static void sarif_rule(struct buf *b, const struct sarif_rule *r)
{
	/* GitHub shows this severity beside the rule, and has words of its own for it. */
	static const char *const problem[] = {
		[SARIF_NOTE] = "recommendation",
		[SARIF_WARNING] = "warning",
		[SARIF_ERROR] = "error",
	};

	buf_putc(b, '{');
	sarif_str(b, "id", r->id);
	sarif_str(b, "name", r->name);
	sarif_text(b, "shortDescription", r->title);
	sarif_text(b, "fullDescription", r->text);
	sarif_text(b, "help", r->help);
	if (r->web.n) {
		sarif_key(b, "helpUri");
		buf_putc(b, '"');
		buf_put(b, r->web);
		sarif_encoded(b, r->web_path);
		buf_putc(b, '"');
	}
	sarif_key(b, "defaultConfiguration");
	buf_putc(b, '{');
	sarif_level_of(b, r->level);
	buf_putc(b, '}');
	sarif_key(b, "properties");
	buf_putc(b, '{');
	sarif_str(b, "problem.severity", str_of(problem[r->level]));
	if (r->tags.n) {
		sarif_key(b, "tags");
		buf_putc(b, '[');
		for (size_t i = 0; i < r->tags.n; i++) {
			buf_puts(b, i ? "," : "");
			json_write_str(b, r->tags.p[i]);
		}
		buf_putc(b, ']');
	}
	buf_puts(b, "}}");
}

/* Writes one entry of a list on a line of its own. */
static void sarif_write(struct sarif *s, const struct buf *b, size_t *count)
{
	out_puts(s->o, (*count)++ ? ",\n" : "\n");
	out_bytes_unchanged(s->o, buf_as_str(b));
}

void sarif_begin(struct sarif *s, struct out *o, const struct sarif_run *run)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct buf b = buf_in(a);
	size_t rules = 0, kinds = 0;

	*s = (struct sarif){.o = o, .run = run};
	buf_puts(&b, "{");
	sarif_str(&b, "$schema", STR(SARIF_SCHEMA));
	sarif_str(&b, "version", STR("2.1.0"));
	sarif_key(&b, "runs");
	buf_puts(&b, "[{\"tool\":{\"driver\":{");
	sarif_str(&b, "name", str_of(run->tool));
	sarif_str(&b, "version", str_of(run->version));
	sarif_str(&b, "semanticVersion", str_of(run->version));
	sarif_key(&b, "notifications");
	buf_putc(&b, '[');
	out_bytes_unchanged(o, buf_as_str(&b));
	for (size_t i = 0; i < run->kinds_n; i++) {
		b.n = 0;
		sarif_rule(&b, &run->kinds[i]);
		sarif_write(s, &b, &kinds);
	}
	b.n = 0;
	buf_puts(&b, "],");
	buf_puts(&b, "\"rules\":[");
	out_bytes_unchanged(o, buf_as_str(&b));
	for (size_t i = 0; i < run->rules_n; i++) {
		b.n = 0;
		sarif_rule(&b, &run->rules[i]);
		sarif_write(s, &b, &rules);
	}
	out_puts(o,
		 "]}},\n\"columnKind\":\"utf16CodeUnits\",\n\"originalUriBaseIds\":{\"" SARIF_ROOT
		 "\":{\"description\":{\"text\":\"the top of the repository\"}}},\n"
		 "\"results\":[");
}

void sarif_result(struct sarif *s, const struct sarif_result *r)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct buf b = buf_in(a);

	buf_putc(&b, '{');
	sarif_str(&b, "ruleId", s->run->rules[r->rule].id);
	sarif_key(&b, "ruleIndex");
	buf_fmt(&b, "%zu", r->rule);
	sarif_level_of(&b, r->level);
	sarif_text(&b, "message", r->message);
	sarif_locations(&b, &r->place);
	if (r->fingerprint.n) {
		sarif_key(&b, "partialFingerprints");
		buf_putc(&b, '{');
		sarif_str(&b, s->run->fingerprint, r->fingerprint);
		buf_putc(&b, '}');
	}
	buf_putc(&b, '}');
	sarif_write(s, &b, &s->results);
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
	struct buf b = buf_in(a);

	sarif_close_results(s);
	buf_puts(&b, "{\"descriptor\":{");
	sarif_str(&b, "id", n->id);
	buf_putc(&b, '}');
	sarif_level_of(&b, n->level);
	sarif_text(&b, "message", n->message);
	sarif_locations(&b, &n->place);
	buf_putc(&b, '}');
	sarif_write(s, &b, &s->notices);
}

void sarif_end(struct sarif *s)
{
	sarif_close_results(s);
	out_puts(s->o, "]}]}]}\n");
}
