#include "matches.h"

#define SHOWN  ((size_t)2000) /* bytes of one line in JSON */
#define BEFORE ((size_t)500)  /* of them before a match in a longer line */

static void free_arena(void *a)
{
	arena_free(a);
}

struct matches *matches_new(struct arena *a, size_t context, enum search_want want)
{
	struct matches *m = ARENA_NEW(a, struct matches);

	m->a = arena_new();
	arena_defer(a, free_arena, m->a);
	m->context = context;
	m->counts = want == SEARCH_COUNTS;
	m->list = val_list(m->a);
	m->open = arena_array(a, context + 1, sizeof(*m->open));
	return m;
}

/* As much of a long line as is shown; *cut: it is not all. */
static struct str excerpt(struct arena *a, struct str text, struct span match, bool *cut)
{
	size_t from = 0, to = text.n;

	*cut = text.n > SHOWN;
	if (*cut) {
		from = match.from > BEFORE ? match.from - BEFORE : 0;
		to = size_min(from + SHOWN, text.n);
		while (from > 0 && from < to && (text.p[from] & 0xc0) == 0x80)
			from++;
		while (to > from && to < text.n && (text.p[to] & 0xc0) == 0x80)
			to--;
	}
	return str_utf8(a, str_dup(a, str_sub(text, from, to)));
}

static void same_file(struct matches *m, struct str path)
{
	if (m->path.p && str_eq(m->path, path))
		return;
	m->path = str_dup(m->a, path);
	m->recent.n = m->opened = 0;
}

static void add_around(struct matches *m, const struct search_line *line, struct str text)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->opened; i++) {
		if (line->line > m->open[i].line + m->context)
			continue;
		val_add(m->open[i].after, val_str(m->a, text));
		m->open[kept++] = m->open[i];
	}
	m->opened = kept;
}

void matches_line(void *ctx, const struct search_line *line)
{
	struct matches *m = ctx;
	struct val *v, *before;
	struct str text;
	bool cut;

	same_file(m, line->path);
	if (line->gap)
		m->recent.n = m->opened = 0;
	text = excerpt(m->a, line->text, line->match, &cut);
	add_around(m, line, text);
	if (!line->context) {
		struct str match = str_sub(line->text, line->match.from, line->match.to);
		bool short_of;

		v = val_add(m->list, val_map(m->a));
		val_set(m->a, v, "path", val_str(m->a, str_utf8(m->a, m->path)));
		val_set(m->a, v, "line", val_int(m->a, (int64_t)line->line));
		val_set(m->a, v, "column", val_int(m->a, (int64_t)line->match.from + 1));
		match = excerpt(m->a, match, (struct span){0}, &short_of);
		val_set(m->a, v, "match", val_str(m->a, match));
		val_set(m->a, v, "text", val_str(m->a, text));
		if (cut)
			val_set(m->a, v, "cut", val_bool(m->a, true));
		if (m->context) {
			before = val_set(m->a, v, "before", val_list(m->a));
			for (size_t i = 0; i < m->recent.n; i++)
				val_add(before, val_str(m->a, m->recent.p[i]));
			m->open[m->opened++] = (struct open){
				line->line, val_set(m->a, v, "after", val_list(m->a))};
		}
	}
	if (m->context && m->recent.n == m->context) {
		memmove(m->recent.p, m->recent.p + 1, (m->recent.n - 1) * sizeof(*m->recent.p));
		m->recent.n--;
	}
	if (m->context)
		strs_push(m->a, &m->recent, text);
}

void matches_file(void *ctx, struct str path, size_t lines)
{
	struct matches *m = ctx;
	struct val *name = val_str(m->a, str_utf8(m->a, str_dup(m->a, path))), *v;

	if (!m->counts) {
		val_add(m->list, name);
		return;
	}
	v = val_add(m->list, val_map(m->a));
	val_set(m->a, v, "path", name);
	val_set(m->a, v, "count", val_int(m->a, (int64_t)lines));
}

/* ---- text ---- */

static void print_path(struct print *p, struct str path, const char *sep)
{
	out_style(p->out, OUT_CYAN);
	out_raw(p->out, path);
	out_style(p->out, OUT_PLAIN);
	out_bytes(p->out, p->zero ? (struct str){"", 1} : str_of(sep));
}

/* Millions of lines: without the format's reader. */
static void print_number(struct out *o, size_t n)
{
	char digits[24];
	size_t i = sizeof(digits);

	do
		digits[--i] = (char)('0' + n % 10);
	while (n /= 10);
	out_bytes(o, (struct str){digits + i, sizeof(digits) - i});
}

void print_line(void *ctx, const struct search_line *line)
{
	struct print *p = ctx;
	struct out *o = p->out;
	const char *sep = line->context ? "-" : ":";
	bool new = p->any && (!p->last.arena || !str_eq(buf_str(&p->last), line->path));

	if (p->context && (new || line->gap))
		out_puts(o, "--\n");
	if (p->context && (new || !p->any)) {
		p->last.n = 0;
		buf_put(&p->last, line->path);
	}
	p->any = true;
	print_path(p, line->path, sep);
	out_style(o, OUT_GREEN);
	print_number(o, line->line);
	out_style(o, OUT_PLAIN);
	out_puts(o, sep);
	if (line->context || !out_is_terminal(o)) {
		out_raw(o, line->text);
	} else {
		out_raw(o, str_sub(line->text, 0, line->match.from));
		out_styled(o, OUT_RED, str_sub(line->text, line->match.from, line->match.to));
		out_raw(o, str_sub(line->text, line->match.to, line->text.n));
	}
	out_puts(o, "\n");
}

void print_file(void *ctx, struct str path, size_t lines)
{
	struct print *p = ctx;

	print_path(p, path, p->counts ? ":" : "\n");
	if (!p->counts)
		return;
	print_number(p->out, lines);
	out_puts(p->out, "\n");
}

/* ---- both ---- */

void matches_skipped(struct arena *a, struct val *to, const struct search_done *d)
{
	struct val *skipped = val_set(a, to, "skipped", val_map(a));

	val_set(a, skipped, "binary", val_int(a, (int64_t)d->binary));
	val_set(a, skipped, "unreadable", val_int(a, (int64_t)d->unreadable));
	val_set(a, skipped, "gaveUp", val_int(a, (int64_t)d->gave_up));
	val_set(a, to, "warnings", val_strs(a, &d->warnings));
}

void print_warnings(struct call *c, const struct strs *warnings)
{
	for (size_t i = 0; i < warnings->n; i++) {
		out_puts(c->err, "ikm: ");
		out_safe(c->err, warnings->p[i], false);
		out_puts(c->err, "\n");
	}
}

struct err *found_nothing(struct call *c, size_t unreadable, size_t gave_up,
			  const struct strs *warnings)
{
	struct err *e;

	c->negative = true;
	if (!unreadable && !gave_up)
		return NULL;
	e = err_new(gave_up ? E_MATCH_LIMIT : E_PERMISSION,
		    "nothing was found, but %zu files or folders could not be looked at: %.*s",
		    unreadable + gave_up, STR_ARG(warnings->p[0]));
	return err_detail_list(e, "warnings", warnings);
}
