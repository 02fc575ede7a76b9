#include "result_fit.h"
#include "app/client_info.h"
#include "json/json.h"

/* A member that costs at most this is never cut in favour of a larger one. */
#define SMALL 64

const struct fit *answer_limit_of_call(const struct call *c)
{
	return c->client ? c->client->fit : NULL;
}

size_t fit_room(const struct fit *f)
{
	return f ? f->tokens - f->tokens / 20 : 0;
}

struct fit fit_from_settings(struct arena *a, const struct conf *conf)
{
	return (struct fit){a, conf->tokens_model, (size_t)conf->mcp_result_tokens};
}

size_t fit_cost(const struct fit *f, struct str text)
{
	size_t by_bytes = text.n * f->tokens / FIT_BYTES;

	return size_max(by_bytes, token_estimate(text, f->model));
}

/* The cost in tokens of a value, or of a string, as JSON. */
static size_t fit_val_cost(const struct fit *f, const struct val *v)
{
	struct arena *scratch ARENA_LOCAL = arena_new();

	return fit_cost(f, json_text(scratch, v));
}

size_t fit_str_cost(const struct fit *f, struct str s)
{
	struct val v = {.type = VAL_STR, .s = s};

	return fit_val_cost(f, &v);
}

/* Counts the cost of text by blocks, and by smaller blocks where a large one does not fit. Counting
 * line by line would overestimate. */
static const size_t sizes[] = {2048, 128};

static bool is_inside(struct str s, size_t at)
{
	return at < s.n && ((unsigned char)s.p[at] & 0xc0) == 0x80;
}

/* The next piece to count: whole lines, or a part of a long line. */
static size_t fit_piece(struct str text, size_t size)
{
	size_t n = size_min(text.n, size), nl = str_rfind_char(str_sub(text, 0, n), '\n');

	if (n < text.n && nl != SIZE_MAX)
		return nl + 1;
	while (n > 1 && is_inside(text, n))
		n--;
	return n;
}

size_t fit_head(const struct fit *f, struct str text, size_t room)
{
	size_t at = 0, line = 0;

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		while (at < text.n) {
			size_t n = fit_piece(str_sub(text, at, text.n), sizes[i]);
			size_t cost = fit_str_cost(f, str_sub(text, at, at + n));

			if (cost > room)
				break;
			room -= cost;
			at += n;
			if (text.p[at - 1] == '\n')
				line = at;
		}
	return at < text.n && line ? line : at;
}

/* The last piece to count: whole lines, or a part of a long line. */
static size_t fit_last_piece(struct str text, size_t size)
{
	size_t from = text.n - size_min(text.n, size);
	size_t nl = from ? str_find_char(text, '\n', from - 1) : SIZE_MAX;

	if (nl != SIZE_MAX && nl + 1 < text.n)
		return nl + 1;
	while (from < text.n - 1 && is_inside(text, from))
		from++;
	return from;
}

size_t fit_tail(const struct fit *f, struct str text, size_t room)
{
	size_t at = text.n, line = text.n;

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		while (at) {
			size_t from = fit_last_piece(str_sub(text, 0, at), sizes[i]);
			size_t cost = fit_str_cost(f, str_sub(text, from, at));

			if (cost > room)
				break;
			room -= cost;
			at = from;
			if (!at || text.p[at - 1] == '\n')
				line = at;
		}
	return text.n - (at && line < text.n ? line : at);
}

/* ---- a result ---- */

static void fit_cut_val(const struct fit *f, struct val *v, struct str name, size_t room,
			struct fit_cut *cut);

static void fit_cut_list(const struct fit *f, struct val *v, struct str name, size_t room,
			 struct fit_cut *cut)
{
	size_t n = 0, had = v->n;
	struct val *last = NULL;

	for (struct val *m = v->first; m; m = m->next) {
		size_t cost = fit_val_cost(f, m) + 1;

		if (cost > room && n)
			break;
		/* Keep the first member in any case, or the reader could not continue. */
		if (cost > room)
			fit_cut_val(f, m, name, room, cut);
		room -= size_min(cost, room);
		last = m;
		n++;
	}
	if (n == had)
		return;
	last->next = NULL;
	v->last = last;
	v->n = n;
	if (!cut->list) {
		cut->list = v;
		cut->name = name;
	}
	strs_push(f->a, &cut->said,
		  str_fmt(f->a, "%.*s: cut to %zu of %zu", STR_ARG(name), n, had));
}

/* Divides the room among the large members in proportion to their sizes. */
static void fit_cut_map(const struct fit *f, struct val *v, size_t room, struct fit_cut *cut)
{
	size_t *cost = arena_array(f->a, v->n + 1, sizeof(*cost));
	size_t small = 0, large = 0, i = 0;

	VAL_EACH(v, m) {
		size_t value = fit_val_cost(f, m);

		cost[i] = value > SMALL && (m->type == VAL_STR || m->type == VAL_LIST ||
					    m->type == VAL_MAP)
				  ? value
				  : 0;
		small += fit_str_cost(f, m->key) + 2 + (cost[i] ? 0 : value);
		large += cost[i++];
	}
	room -= size_min(room, small);
	i = 0;
	VAL_EACH(v, m) {
		size_t its = cost[i++];
		size_t share = large ? (size_t)((double)room * (double)its / (double)large) : 0;

		if (its > share)
			fit_cut_val(f, m, m->key, share, cut);
	}
}

static void fit_cut_val(const struct fit *f, struct val *v, struct str name, size_t room,
			struct fit_cut *cut)
{
	size_t n = v->type == VAL_STR ? fit_head(f, v->s, room) : 0;

	if (v->type == VAL_STR && n < v->s.n) {
		strs_push(f->a, &cut->said,
			  str_fmt(f->a, "%.*s: cut to the first %zu of %zu bytes", STR_ARG(name), n,
				  v->s.n));
		v->s.n = n;
	}
	if (v->type == VAL_LIST)
		fit_cut_list(f, v, name, room, cut);
	else if (v->type == VAL_MAP)
		fit_cut_map(f, v, room, cut);
}

/* A token has at least one byte, so a short text needs no estimate. */
bool fit_has_room(const struct fit *f, struct str json)
{
	return json.n <= f->tokens || fit_cost(f, json) <= f->tokens;
}

void fit_result(const struct fit *f, struct val *v, struct fit_cut *cut)
{
	*cut = (struct fit_cut){0};
	/* Leave room for the message about the cut. */
	fit_cut_val(f, v, STR("result"), f->tokens - f->tokens / 20, cut);
}
