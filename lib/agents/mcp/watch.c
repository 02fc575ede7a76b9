/*
 * Subscriptions. For each subscription a worker repeats the client's request; another answer is a
 * change. So ikm reports exactly the changes that the client would see, whatever caused them. A
 * read that hangs or crashes does no harm.
 */
#include "mcp/internal.h"

#define WATCHES_MAX 1024
/* The interval of polls: for subscriptions, and for tools/list before 2026-07-28, where clients
 * cannot subscribe. */
#define ASKED_MS   2000
#define UNASKED_MS 10000
/* The pause between two rounds is at least this many times as long as a round, so polling uses at
 * most a 20th of a core. */
#define REST 20
/* The number of polls at once. The client's calls go on beside them, and one poll that hangs does
 * not delay the rest. */
#define AT_ONCE 2
#define MS      ((uint64_t)1000 * 1000)
/* The beginnings of our own requests and their results; see rpc.h. */
#define OWN_ID    0
#define BEGIN(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ","
#define RESULT    BEGIN("0") "\"result\":"

enum watched { WATCH_TOOLS, WATCH_RESOURCES, WATCH_RESOURCE };

static const struct {
	const char *list, *changed, *filter; /* the method, the notification, the member */
} kinds[] = {
	[WATCH_TOOLS] = {"tools/list", "notifications/tools/list_changed", "toolsListChanged"},
	[WATCH_RESOURCES] = {"resources/list", "notifications/resources/list_changed",
			     "resourcesListChanged"},
	[WATCH_RESOURCE] = {"resources/read", "notifications/resources/updated",
			    "resourceSubscriptions"},
};

struct watch {
	struct job job;
	struct arena *a;
	struct watch *next;
	enum watched kind;
	struct str uri, request;
	struct pending *listen; /* the request that subscribed; NULL: the whole connection */
	struct pending *first;  /* the request that waits for this watch's first answer */
	uint64_t seen;          /* a hash of the answer */
	bool known;             /* seen is valid */
	bool due;               /* poll it in this round */
	bool unasked;
	bool gone; /* free it when its job is done */
};

static uint64_t watch_hash_of(struct str answer, size_t id_n)
{
	return str_hash(str_sub(answer, sizeof(BEGIN("")) - 1 + id_n, answer.n));
}

/* ---- creating and ending ---- */

static void looked(struct session *s, struct os_serve *serve, struct job *job, struct str answer,
		   int status);

/* modern: for 2026-07-28. */
static struct watch *watch_new(struct session *s, enum watched kind, struct str uri, bool modern)
{
	struct arena *a = arena_new();
	struct watch *w = ARENA_NEW(a, struct watch);
	struct val *params = val_map(a), *meta;

	*w = (struct watch){.job.done = looked, .a = a, .kind = kind, .uri = str_dup(a, uri)};
	if (kind == WATCH_RESOURCE)
		val_set(a, params, "uri", val_str(a, w->uri));
	meta = val_set(a, params, "_meta", val_map(a));
	val_set(a, meta, MCP_OWN, val_bool(a, true));
	if (modern) {
		val_set(a, meta, MCP_META "protocolVersion", val_str(a, STR(MCP_LATEST_NAME)));
		val_set(a, meta, MCP_META "clientCapabilities", val_map(a));
	}
	w->request = rpc_request(a, val_int(a, OWN_ID), kinds[kind].list, params);
	w->next = s->watches;
	s->watches = w;
	s->watching++;
	return w;
}

static void unlink_watch(struct session *s, struct watch *w)
{
	struct watch **at = &s->watches;

	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
	arena_free(w->a);
}

static void watch_drop(struct session *s, struct watch *w)
{
	if (!w->gone)
		s->watching--;
	w->gone = true;
	if (!w->job.task)
		unlink_watch(s, w);
}

static void watch_look(struct session *s, struct os_serve *serve, struct watch *w)
{
	w->due = false;
	s->looking++;
	w->job.task = os_serve_add_job(serve, w->request, &w->job, OS_POOL_READ, true);
}

static void look_on(struct session *s, struct os_serve *serve)
{
	for (struct watch *w = s->watches; w && s->looking < AT_ONCE; w = w->next)
		if (w->due && !w->gone)
			watch_look(s, serve, w);
}

/* Plans the next round. */
static void watch_plan(struct session *s, struct os_serve *serve)
{
	uint64_t wait = UNASKED_MS * MS, took = os_ticks() - s->look_since;
#ifdef IKM_TEST
	const char *set = os_env("IKM_WATCH_MS");
	int64_t ms;
#endif

	for (const struct watch *w = s->watches; w; w = w->next)
		if (!w->gone && !w->unasked)
			wait = ASKED_MS * MS;
	wait = wait > took * REST ? wait : took * REST;
#ifdef IKM_TEST
	if (set && str_int(str_of(set), &ms))
		wait = (uint64_t)ms * MS;
#endif
	s->look_at = os_ticks() + wait;
	os_serve_tick_after(serve, (unsigned)(wait / MS));
}

/* ---- notifying ---- */

static struct val *subscription_meta(struct arena *a, const struct val *id)
{
	struct val *meta = val_map(a);

	val_set(a, meta, MCP_META "subscriptionId", val_copy_shallow(a, id));
	return meta;
}

/* Confirms the subscriptions. Of the resources it names those that exist. */
static void acknowledge(const struct session *s, struct os_serve *serve, const struct pending *p)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct val *params = val_map(a), *filter = val_map(a), *uris = val_list(a);

	for (const struct watch *w = s->watches; w; w = w->next) {
		if (w->listen != p || w->gone)
			continue;
		if (w->kind == WATCH_RESOURCE)
			val_add(uris, val_str(a, w->uri));
		else
			val_set(a, filter, kinds[w->kind].filter, val_bool(a, true));
	}
	if (uris->n)
		val_set(a, filter, kinds[WATCH_RESOURCE].filter, uris);
	val_set(a, params, "_meta", subscription_meta(a, p->id));
	val_set(a, params, "notifications", filter);
	os_serve_write_line(
		serve, rpc_notification(a, "notifications/subscriptions/acknowledged", params));
}

/* The connection's watch of this resource. NULL when there is none, or when its first answer is
 * still due. */
static struct watch *subscribed(const struct session *s, struct str uri)
{
	struct watch *w = s->watches;

	while (w && (w->gone || w->first || w->listen || w->kind != WATCH_RESOURCE ||
		     !str_eq(w->uri, uri)))
		w = w->next;
	return w;
}

/* Later answers are compared with the first one, so ikm confirms nothing before it. */
static void looked_first(struct session *s, struct os_serve *serve, struct watch *w,
			 struct str answer, int status)
{
	struct pending *p = w->first;
	bool there = str_starts(answer, STR(RESULT));
	/* A client that subscribes twice before the first answer gets one subscription. */
	bool twice = !p->listens && subscribed(s, w->uri);

	w->first = NULL;
	w->known = true;
	if (!there || twice || s->ended)
		watch_drop(s, w);
	if (p->listens) {
		if (!--p->looks)
			acknowledge(s, serve, p);
	} else if (there) {
		mcp_answer(serve, p->batch, rpc_result(p->a, p->id, val_map(p->a)));
		mcp_pending_forget(s, serve, p);
	} else {
		/* The client gets the error of our own first read as the answer to its
		 * subscription. */
		if (answer.p)
			mcp_answer(serve, p->batch,
				   str_fmt(p->a, BEGIN("%.*s") "%.*s", STR_ARG(p->id_text),
					   STR_ARG(str_sub(answer, sizeof(BEGIN("0")) - 1,
							   answer.n))));
		else
			mcp_fail_worker(s, serve, p, status);
		mcp_pending_forget(s, serve, p);
	}
}

static void looked(struct session *s, struct os_serve *serve, struct job *job, struct str answer,
		   int status)
{
	struct watch *w = (struct watch *)job;
	uint64_t now = answer.p ? watch_hash_of(answer, 1) : w->seen;
	bool changed = w->known && now != w->seen;

	job->task = NULL;
	s->looking--;
	if (w->gone) {
		unlink_watch(s, w);
	} else {
		w->seen = now;
		if (w->first) {
			looked_first(s, serve, w, answer, status);
		} else if (changed) {
			struct arena *a ARENA_LOCAL = arena_new();
			struct val *params = NULL;

			if (w->listen || w->kind == WATCH_RESOURCE)
				params = val_map(a);
			if (w->listen)
				val_set(a, params, "_meta", subscription_meta(a, w->listen->id));
			if (w->kind == WATCH_RESOURCE)
				val_set(a, params, "uri", val_str(a, w->uri));
			os_serve_write_line(serve,
					    rpc_notification(a, kinds[w->kind].changed, params));
		}
	}
	look_on(s, serve);
	if (!s->looking)
		watch_plan(s, serve);
}

/* ---- subscribing ---- */

static bool watch_too_many(const struct session *s, size_t more, struct rpc_error *e)
{
	if (s->watching + s->listening + more <= WATCHES_MAX)
		return false;
	return !rpc_refuse(e, RPC_INVALID_PARAMS,
			   STR("a connection can have 1024 subscriptions; end some of them first"));
}

static void watch_begin(struct session *s, struct os_serve *serve, struct pending *p,
			enum watched kind, struct str uri)
{
	struct watch *w = watch_new(s, kind, uri, p->listens);

	w->listen = p->listens ? p : NULL;
	w->first = p;
	w->due = true;
	p->looks++;
	if (!s->looking)
		s->look_since = os_ticks();
	look_on(s, serve);
}

/* One wrong member refuses the whole filter. */
static bool check_filter(const struct session *s, const struct val *filter, struct rpc_error *e)
{
	size_t n = 1;

	if (!filter || filter->type != VAL_MAP)
		return rpc_refuse(e, RPC_INVALID_PARAMS,
				  STR("subscriptions/listen needs notifications, an object"));
	VAL_EACH(filter, v) {
		if (str_is(v->key, kinds[WATCH_RESOURCE].filter)) {
			bool uris = v->type == VAL_LIST;

			VAL_EACH(uris ? v : NULL, uri)
				uris = uris && uri->type == VAL_STR;
			if (!uris)
				return rpc_refuse(
					e, RPC_INVALID_PARAMS,
					STR("resourceSubscriptions must be a list of URIs"));
			n += v->n;
		} else if (str_ends(v->key, STR("ListChanged"))) {
			if (v->type != VAL_BOOL)
				return rpc_refuse(e, RPC_INVALID_PARAMS,
						  STR("a member that ends in ListChanged must be a "
						      "boolean"));
			n++;
		}
	}
	return !watch_too_many(s, n, e);
}

static bool watch_listen(struct session *s, struct os_serve *serve, const struct rpc_message *m,
			 struct str id_text, struct rpc_error *e)
{
	const struct val *filter = val_get(m->params, "notifications");
	struct pending *p;

	if (!check_filter(s, filter, e))
		return false;
	p = mcp_pending_add(s, serve, m, id_text, NULL);
	p->listens = true;
	s->listening++;
	for (int kind = WATCH_TOOLS; kind <= WATCH_RESOURCE; kind++) {
		const struct val *v = val_get(filter, kinds[kind].filter);

		if (!v || !mcp_method_find(s, str_of(kinds[kind].list)))
			continue;
		if (kind == WATCH_RESOURCE)
			VAL_EACH(v, uri)
				watch_begin(s, serve, p, WATCH_RESOURCE, uri->s);
		else if (v->b)
			watch_begin(s, serve, p, (enum watched)kind, STR(""));
	}
	if (!p->looks)
		acknowledge(s, serve, p);
	return true;
}

bool mcp_subscription_handle(struct session *s, struct os_serve *serve, struct arena *a,
			     const struct rpc_message *m, struct str id_text, struct batch *b,
			     struct val **result, struct rpc_error *e)
{
	const struct val *uri = val_get(m->params, "uri");
	bool begins = str_is(m->method, "resources/subscribe");
	struct watch *w;

	if (str_is(m->method, "subscriptions/listen"))
		return watch_listen(s, serve, m, id_text, e);
	if (!uri || uri->type != VAL_STR)
		return rpc_refuse(e, RPC_INVALID_PARAMS,
				  begins ? STR("resources/subscribe needs uri, a string")
					 : STR("resources/unsubscribe needs uri, a string"));
	w = subscribed(s, uri->s);
	if (begins && !w) {
		if (watch_too_many(s, 1, e))
			return false;
		watch_begin(s, serve, mcp_pending_add(s, serve, m, id_text, b), WATCH_RESOURCE,
			    uri->s);
		return true;
	}
	/* The client can only cancel a subscription that has no answer yet. */
	if (w && !begins)
		watch_drop(s, w);
	*result = val_map(a);
	return true;
}

void mcp_watch_tools(struct session *s, struct os_serve *serve, const struct pending *p,
		     struct str answer)
{
	struct watch *w = s->watches;

	if (s->ended || !p->old || !str_is(p->method, kinds[WATCH_TOOLS].list))
		return;
	while (w && !w->unasked)
		w = w->next;
	if (!w) {
		w = watch_new(s, WATCH_TOOLS, STR(""), false);
		w->unasked = true;
		if (!s->looking) {
			s->look_since = os_ticks();
			watch_plan(s, serve);
		}
	}
	/* A poll that runs now is compared with the list that the client has just got. */
	w->seen = watch_hash_of(answer, p->id_text.n);
	w->known = true;
}

void mcp_unsubscribe_request(struct session *s, const struct pending *p)
{
	for (struct watch *w = s->watches, *next; w; w = next) {
		next = w->next;
		if (w->listen == p || w->first == p)
			watch_drop(s, w);
	}
	s->listening -= p->listens;
}

/* ---- timers ---- */

void mcp_watches_poll(struct session *s, struct os_serve *serve, bool behind)
{
	uint64_t now = os_ticks();

	if (!s->watching)
		return;
	if (s->looking || now < s->look_at) {
		os_serve_tick_after(serve, s->looking ? ASKED_MS
						      : (unsigned)((s->look_at - now) / MS + 1));
		return;
	}
	s->look_since = now;
	/* A client that does not read needs no further notification. */
	for (struct watch *w = s->watches; w && !behind; w = w->next)
		w->due = !w->gone;
	look_on(s, serve);
	if (!s->looking)
		watch_plan(s, serve);
}

void mcp_close_subscriptions(struct session *s, struct os_serve *serve)
{
	for (size_t i = 0; i < PENDING_BUCKETS; i++)
		for (struct pending *p = s->pending[i], *next; p; p = next) {
			struct val *result;

			next = p->next;
			if (!p->listens)
				continue;
			result = val_map(p->a);
			val_set(p->a, result, "_meta", subscription_meta(p->a, p->id));
			mcp_result_finish(s, p->a, result, false);
			mcp_answer(serve, NULL, rpc_result(p->a, p->id, result));
			mcp_unsubscribe_request(s, p);
			mcp_pending_forget(s, serve, p);
		}
	s->ended = true;
	for (struct watch *w = s->watches, *next; w; w = next) {
		next = w->next;
		if (!w->first)
			watch_drop(s, w);
		else if (w->due)
			watch_look(s, serve, w);
	}
}

void mcp_watches_release(struct session *s)
{
	while (s->watches) {
		struct watch *w = s->watches;

		s->watches = w->next;
		arena_free(w->a);
	}
}
