/* A report in Reviewdog Diagnostic Format: one JSON object. Its columns count bytes, as ours do. */
#include "report/entries.h"
#include "report/formats.h"
#include "json/json.h"

static void rdjson_range(struct buf *b, const struct check_entry *e)
{
	size_t n = e->kind == ENTRY_FINDING && e->column ? e->finding->quote.n : 0;

	if (!e->line)
		return;
	buf_fmt(b, ",\"range\":{\"start\":{\"line\":%zu", e->line);
	if (e->column)
		buf_fmt(b, ",\"column\":%zu", e->column);
	buf_putc(b, '}');
	if (n)
		buf_fmt(b, ",\"end\":{\"line\":%zu,\"column\":%zu}", e->line, e->column + n);
	buf_putc(b, '}');
}

void check_write_rdjson(struct out *o, const struct check_report *r, bool existing)
{
	static const char *const severities[] = {
		[KN_SEVERITY_INFO] = "INFO",
		[KN_SEVERITY_WARN] = "WARNING",
		[KN_SEVERITY_BLOCK] = "ERROR",
	};
	struct arena *a ARENA_LOCAL = arena_new();
	struct check_entries list;

	(void)existing;
	check_entries_harmful(a, r, &list);
	out_puts(o, "{\"source\":{\"name\":\"ikm\"},\"diagnostics\":[");
	for (size_t i = 0; i < list.n; i++) {
		const struct check_entry *e = &list.p[i];
		struct arena *one ARENA_LOCAL = arena_new();
		struct buf b = buf_in(one);

		buf_puts(&b, i ? ",\n" : "\n");
		buf_puts(&b, "{\"message\":");
		json_write_str(&b, str_fmt(one, "%.*s\n%.*s", STR_ARG(e->title),
					   STR_ARG(check_entry_text(one, e, true))));
		buf_puts(&b, ",\"location\":{\"path\":");
		json_write_str(&b, e->path);
		rdjson_range(&b, e);
		buf_fmt(&b, "},\"severity\":\"%s\",\"code\":{\"value\":", severities[e->severity]);
		json_write_str(&b, e->id);
		buf_puts(&b, "}}");
		out_bytes(o, buf_str(&b));
	}
	out_puts(o, list.n ? "\n]}\n" : "]}\n");
}
