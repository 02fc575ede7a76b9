#include "read_answer.h"
#include "crypt/crypt.h"

const struct field read_slice_fields[] = {
	FIELD_OF(struct read_slice, startLine, "the first line of the slice, from 1"),
	FIELD_OF(struct read_slice, endLine,
		 "the last line of the slice; startLine - 1 if it is empty"),
	FIELD_OF(struct read_slice, content, "its bytes"),
	FIELD_OF(struct read_slice, encoding, "base64, when the content is not UTF-8 text",
		 .flags = OPTIONAL),
	{0},
};

/* Whether there is no room: a part of a picture or program is useless. A picture alone is returned
 * as a picture. */
static bool answer_no_room(struct read_answer *an, struct str *base64)
{
	const struct fit *fit = an->fit;
	size_t cost;

	if (!fit || (!an->several && !an->slices && read_image(an->c->a, *base64)))
		return false;
	cost = fit_str_cost(fit, *base64);
	if (cost <= an->room) {
		an->room -= cost;
		return false;
	}
	*base64 = STR("");
	return true;
}

/* Cuts the text of a part to the room, or encodes bytes as base64. */
static struct err *read_answer_fit(struct read_answer *an, struct read_part *p,
				   const char **encoding, struct read_rest *rest)
{
	*rest = (struct read_rest){0};
	*encoding = NULL;
	if (str_is_text(p->content))
		return an->fit ? read_cut(an->fit, p, &an->room, rest) : NULL;
	*encoding = "base64";
	p->content = crypt_base64(an->c->a, p->content);
	rest->cut = answer_no_room(an, &p->content);
	return NULL;
}

/* ---- rangeSlices ---- */

static struct read_part read_slice_part(const struct read_source *s, const struct read_lines *r,
					size_t end)
{
	return (struct read_part){
		.from = s,
		.content = r->content,
		.lines = {.range = r->lines.range, .n = 1, .number = r->lines.number},
		.end = size_min(r->lines.range->to, end),
		.count = end,
	};
}

/* left gets the ranges that have to be asked for again. */
static struct err *read_slice_set(struct read_answer *an, struct read_part *p,
				  struct read_slice *to, struct strs *left)
{
	const struct lines_range *range = p->lines.range;
	struct arena *a = an->c->a;
	size_t had = p->content.n;
	struct read_rest rest;

	to->startLine = range->from;
	to->endLine = size_max(p->end, range->from - 1);
	TRY(read_answer_fit(an, p, &to->encoding, &rest));
	to->content = p->content;
	if (rest.cut && !to->encoding) {
		to->endLine = size_max(rest.line, range->from) - (rest.offset ? 0 : 1);
		strs_push(a, left,
			  rest.offset ? str_fmt(a, "bytes %.*s", STR_ARG(read_rest_range(a, &rest)))
				      : read_rest_range(a, &rest));
	} else if (rest.cut && had) {
		strs_push(a, left, str_fmt(a, "%zu:%zu", range->from, to->endLine));
		to->endLine = range->from - 1;
	}
	return NULL;
}

static struct err *read_answer_slices(struct read_answer *an, const struct read_source *s,
				      struct str slice, struct read_result *r)
{
	struct arena *a = an->c->a;
	size_t n = an->lines.n, tokens = 0, end;
	struct read_lines *part = arena_array(a, n, sizeof(*part));
	struct strs left = {0};

	r->rangeSlices.p = arena_array(a, n, sizeof(*r->rangeSlices.p));
	r->rangeSlices.n = n;
	for (size_t i = 0; i < n; i++)
		part[i].lines = (struct lines){
			.range = &an->lines.range[i], .n = 1, .number = an->lines.number};
	TRY(read_source_lines(s, an->fit, slice, part, n, &end));
	for (size_t i = 0; i < n; i++) {
		struct read_part p = read_slice_part(s, &part[i], end);

		TRY(read_slice_set(an, &p, &r->rangeSlices.p[i], &left));
		tokens += token_estimate(p.content, an->model);
	}
	r->tokens = (struct maybe_int){(int64_t)tokens, true};
	r->truncated = left.n;
	if (left.n)
		r->more = str_fmt(
			a, "these ranges are left out: %.*s; request fewer lines in one call",
			STR_ARG(str_join(a, &left, ", ")));
	return NULL;
}

/* ---- content ---- */

static struct err *read_answer_part(struct read_answer *an, const struct read_source *s,
				    struct str slice, struct read_part *p)
{
	struct read_lines one = {.lines = an->lines};

	one.lines.line = p->before;
	p->content = slice;
	p->count = s->fd < 0 ? lines_count(s->text) : SIZE_MAX;
	if (an->bytes.p) {
		p->is_bytes = !an->lines.number;
		TRY(read_source_bytes(s, an->fit, an->bytes, &p->content, &p->span));
		TRY(read_source_line_at(s, p->span.from, &p->before));
		one.lines.line = p->before;
	}
	p->end = s->fd < 0 ? p->before + lines_count(p->content) : SIZE_MAX;
	if (an->bytes.p && an->lines.number) {
		struct read_source part = {.a = s->a, .fd = -1, .name = s->name};
		size_t end;

		TRY(read_source_lines(&part, an->fit, p->content, &one, 1, &end));
		p->content = one.content;
	} else if (!an->bytes.p && (an->lines.n || an->lines.number || s->fd >= 0)) {
		TRY(read_source_lines(s, an->fit, slice, &one, 1, &p->count));
		p->content = one.content;
		p->end = size_min(p->end, p->count);
	}
	return lines_past(&p->lines, p->count, p->from->name);
}

struct err *read_answer_set(struct read_answer *an, const struct read_source *s, struct str slice,
			    size_t before, struct read_result *r)
{
	struct read_part p = {.from = s, .lines = an->lines, .before = before};
	struct arena *a = an->c->a;
	struct read_rest rest;
	size_t size;

	if (an->slices)
		return read_answer_slices(an, s, slice, r);
	TRY(read_answer_part(an, s, slice, &p));
	size = p.content.n;
	TRY(read_answer_fit(an, &p, &r->encoding, &rest));
	r->content = p.content.n ? p.content : STR("");
	r->tokens = (struct maybe_int){(int64_t)token_estimate(p.content, an->model), true};
	r->truncated = rest.cut;
	if (rest.cut && !r->encoding)
		r->more = read_more(a, &rest);
	else if (rest.cut)
		r->more = str_fmt(a,
				  "these %zu bytes are not text, and do not fit as base64; request "
				  "fewer with bytes",
				  size);
	return NULL;
}
