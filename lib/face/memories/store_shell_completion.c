/* Completes in the shell what the store has: assets, memories, events and conversations. */
#include "assets/asset_common.h"
#include "events/event_common.h"
#include "paths/find_candidates.h"
#include "paths/open_files_for_call.h"
#include "memories.h"

/* A shell shows at most a screen of candidates; a conversation may be much older than that. */
#define SHOWN 100
#define ASKED 1000

/* Each candidate is one line, and a tab ends its word. */
static void store_complete_offer(struct call *c, struct str typed, struct str word, struct str what)
{
	if (!str_holds(word, "\n") && !str_holds(word, "\t"))
		cmd_candidate(c->out, typed, word, what);
}

static struct err *store_complete_names(struct call *c, struct str typed, bool uris)
{
	struct strs names = {0}, warnings = {0};

	TRY(find_list_names_to_rank(c, &(struct find_where){.asset = true}, &names, &warnings));
	for (size_t i = 0; i < names.n; i++)
		store_complete_offer(c, typed, uris ? asset_uri(c->a, names.p[i]) : names.p[i],
				     STR(""));
	return NULL;
}

static struct err *store_complete_assets(struct call *c, const void *word, void *result)
{
	const struct str *typed = word;

	(void)result;
	return store_complete_names(c, *typed, str_starts(*typed, STR(ASSET_SCHEME)));
}

static struct err *store_complete_uris(struct call *c, const void *word, void *result)
{
	(void)result;
	return store_complete_names(c, *(const struct str *)word, true);
}

struct store_memories {
	struct call *c;
	struct str typed;
};

static struct err *store_complete_memory(void *ctx, struct arena *a, const struct memory *one)
{
	const struct store_memories *s = ctx;

	(void)a;
	store_complete_offer(s->c, s->typed, one->id, one->content);
	return NULL;
}

static struct err *store_complete_memories(struct call *c, const void *word, void *result)
{
	struct memory_filter f = {.status = -1, .state = -1, .limit = ASKED};
	struct store_memories s = {c, *(const struct str *)word};
	struct memories *m;

	(void)result;
	f.deleted = strs_has(&c->words, STR("restore"));
	TRY(mem_open_layers(c, 0, &m));
	return memory_each(m, &f, store_complete_memory, &s);
}

static struct err *store_complete_log(struct call *c, struct event_list *out)
{
	const struct event_filter filter = {.status = -1, .limit = ASKED};
	struct files *f;

	TRY(event_open_files_recording(c, &f));
	return event_query(f->events, c->a, &filter, out);
}

static struct str store_complete_what(struct arena *a, const struct event *e)
{
	return str_fmt(a, "%.*s %.*s %.*s", STR_ARG(os_time_text(a, e->time, true)), STR_ARG(e->op),
		       STR_ARG(e->path));
}

static struct err *store_complete_events(struct call *c, const void *word, void *result)
{
	const struct str typed = *(const struct str *)word;
	struct event_list list = {0};
	size_t shown = 0;

	(void)result;
	TRY(store_complete_log(c, &list));
	for (size_t i = 0; i < list.n && shown < SHOWN; i++) {
		if (!str_starts(list.p[i].id, typed))
			continue;
		store_complete_offer(c, typed, list.p[i].id, store_complete_what(c->a, &list.p[i]));
		shown++;
	}
	return NULL;
}

/* Each conversation once, with its last change. */
static struct err *store_complete_sessions(struct call *c, const void *word, void *result)
{
	const struct str typed = *(const struct str *)word;
	struct event_list list = {0};
	struct strs told = {0};

	(void)result;
	TRY(store_complete_log(c, &list));
	for (size_t i = 0; i < list.n; i++) {
		struct str session = list.p[i].session;

		if (!session.n || strs_has(&told, session))
			continue;
		strs_push(c->a, &told, session);
		store_complete_offer(c, typed, session, store_complete_what(c->a, &list.p[i]));
	}
	return NULL;
}

struct err *asset_complete(struct call *c, struct str typed)
{
	return complete_word(c, typed, FIND_NEED, store_complete_assets);
}

struct err *memory_ids_complete(struct call *c, struct str typed)
{
	return complete_word(c, typed, FIND_NEED, store_complete_memories);
}

struct err *uri_complete(struct call *c, struct str typed)
{
	const struct str scheme = STR(ASSET_SCHEME);

	/* One letter is more likely the beginning of a file's name. */
	if (typed.n < 2 ||
	    !str_starts(typed.n < scheme.n ? scheme : typed, typed.n < scheme.n ? typed : scheme))
		return NULL;
	return complete_word(c, typed, FIND_NEED, store_complete_uris);
}

struct err *event_complete_ids(struct call *c, struct str typed)
{
	return complete_word(c, typed, FIND_NEED, store_complete_events);
}

struct err *session_complete(struct call *c, struct str typed)
{
	return complete_word(c, typed, FIND_NEED, store_complete_sessions);
}
