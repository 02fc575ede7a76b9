/* Requests without an answer yet, and how their answers are sent: one by one, or as a batch. */
#include "mcp/internal.h"

#define SECOND ((uint64_t)1000 * 1000 * 1000)

/* ---- answers ---- */

void mcp_answer(struct os_serve *serve, struct batch *b, struct str line)
{
	if (!b) {
		os_serve_write_line(serve, line);
		return;
	}
	if (b->answers.n)
		buf_putc(&b->answers, ',');
	buf_put(&b->answers, line);
}

void mcp_batch_count_answer(struct os_serve *serve, struct batch *b)
{
	if (!b || --b->left)
		return;
	if (b->answers.n)
		os_serve_write_line(serve,
				    str_fmt(b->a, "[%.*s]", STR_ARG(buf_as_str(&b->answers))));
	arena_free(b->a);
}

void mcp_fail(const struct session *s, struct os_serve *serve, struct batch *b,
	      const struct val *id, const struct rpc_error *e)
{
	struct arena *a ARENA_LOCAL = arena_new();
	/* A revision whose schema allows no error without an id gets "id": null, as in JSON-RPC. */
	bool null = s->revision && s->revision < MCP_2025_11_25;

	mcp_answer(serve, b, rpc_failure(a, id, null, e));
}

void mcp_fail_worker(const struct session *s, struct os_serve *serve, const struct pending *p,
		     int status)
{
	struct rpc_error e = {.code = RPC_INTERNAL};

	e.message = status < 0     ? STR("ikm could not start a process for it; try again")
		    : status > 128 ? str_fmt(p->a, "%.*s was ended by signal %d",
					     STR_ARG(p->method), status - 128)
				   : str_fmt(p->a, "%.*s ended with status %d", STR_ARG(p->method),
					     status);
	mcp_fail(s, serve, p->batch, p->id, &e);
}

/* ---- pending requests ---- */

static struct pending **bucket(const struct session *s, struct str id_text)
{
	return (struct pending **)&s->pending[str_hash(id_text) % PENDING_BUCKETS];
}

struct pending *mcp_pending_find(const struct session *s, struct str id_text)
{
	struct pending *p = *bucket(s, id_text);

	while (p && !str_eq(p->id_text, id_text))
		p = p->next;
	return p;
}

/* A copy of a number or string that owns its memory. */
static const struct val *pending_keep(struct arena *a, const struct val *v)
{
	struct val *own = val_copy_shallow(a, v);

	own->s = str_dup(a, v->s);
	return own;
}

struct pending *mcp_pending_add(struct session *s, struct os_serve *serve,
				const struct rpc_message *m, struct str id_text, struct batch *b)
{
	struct arena *a = arena_new();
	struct pending *p = ARENA_NEW(a, struct pending), **at;
	const struct val *token = val_get(val_get(m->params, "_meta"), "progressToken");
	int64_t n;

	*p = (struct pending){.a = a, .batch = b, .since = os_ticks()};
	p->id_text = str_dup(a, id_text);
	p->method = str_dup(a, m->method);
	p->id = pending_keep(a, m->id);
	if (token && (token->type == VAL_STR || val_as_int(token, &n))) {
		p->token = pending_keep(a, token);
		s->tokens++;
		os_serve_tick_after(serve, 1000);
	}
	if (b)
		b->left++;
	at = bucket(s, p->id_text);
	p->next = *at;
	*at = p;
	return p;
}

void mcp_pending_forget(struct session *s, struct os_serve *serve, struct pending *p)
{
	struct pending **at = bucket(s, p->id_text);
	struct batch *b = p->batch;

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	s->tokens -= p->token != NULL;
	arena_free(p->a);
	mcp_batch_count_answer(serve, b);
}

/* The progress is the seconds since the start, so that the client sees that the work goes on. */
static void tell_progress(const struct session *s, struct os_serve *serve, const struct pending *p,
			  uint64_t now)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct val *v = val_map(a);
	unsigned long long took = now - p->since;

	val_set(a, v, "progressToken", val_copy_shallow(a, p->token));
	val_set(a, v, "progress", val_int(a, (int64_t)(took / (SECOND / 1000))));
	if (s->revision != MCP_2024_11_05)
		val_set(a, v, "message", val_str(a, str_fmt(a, "%llu s", took / SECOND)));
	os_serve_write_line(serve, rpc_notification(a, "notifications/progress", v));
}

void mcp_progress_send(struct session *s, struct os_serve *serve)
{
	uint64_t now = os_ticks();

	if (!s->tokens)
		return;
	for (size_t i = 0; i < PENDING_BUCKETS; i++)
		for (const struct pending *p = s->pending[i]; p; p = p->next)
			if (p->token && p->job.task && now - p->since >= SECOND)
				tell_progress(s, serve, p, now);
}

void mcp_pending_release(struct session *s)
{
	for (size_t i = 0; i < PENDING_BUCKETS; i++)
		while (s->pending[i]) {
			struct pending *p = s->pending[i];

			s->pending[i] = p->next;
			if (p->batch && !--p->batch->left)
				arena_free(p->batch->a);
			arena_free(p->a);
		}
}
