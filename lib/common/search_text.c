/* Prints the lines of a search as text. */
#include "search_result.h"

static void print_path(struct print *p, struct str path, char sep)
{
	out_style(p->out, OUT_CYAN);
	out_path(p->out, path, p->zero ? 0 : sep);
	out_style(p->out, OUT_PLAIN);
}

/* Faster than printf, for millions of lines. */
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
	print_path(p, line->path, *sep);
	out_style(o, OUT_GREEN);
	print_number(o, line->line);
	out_style(o, OUT_PLAIN);
	out_puts(o, sep);
	if (p->each) {
		out_styled(o, OUT_RED, str_sub(line->text, line->match.from, line->match.to));
	} else if (line->context || !out_is_terminal(o)) {
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

	print_path(p, path, p->counts ? ':' : '\n');
	if (!p->counts)
		return;
	print_number(p->out, lines);
	out_puts(p->out, "\n");
}

/* The reader has closed the output. */
bool print_enough(void *ctx)
{
	return out_failed(((const struct print *)ctx)->out);
}

void print_changes(struct call *c, const struct search_result *r)
{
	for (size_t i = 0; i < r->changes.n; i++) {
		if (out_is_terminal(c->out))
			out_safe(c->out, r->changes.p[i].diff, true);
		else
			out_raw(c->out, r->changes.p[i].diff);
	}
	if (r->apply.n)
		out_fmt(c->err, "nothing was written; %.*s\n", STR_ARG(r->apply));
}
