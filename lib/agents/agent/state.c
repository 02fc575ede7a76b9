/* The record of a session: denials, findings that were told, context that waits. */
#include "agent/internal.h"
#include "crypt/crypt.h"
#include "history/last_stops_by_rule.h"
#include "json/json.h"
#include "record/record.h"

#define STATE_FOLDER   "agent"
#define STATE_BYTES    ((size_t)1 << 20)
#define STATE_TOLD     4096 /* findings of one session; the oldest go first */
#define STATE_RULES    1024
#define STATE_SESSIONS 256 /* files; the oldest go first */
#define STATE_WAIT_MS  500
#define STOP_AND_ASK   3 /* from so many denials of one rule on the agent is told to stop */

static const struct field count_fields[] = {
	FIELD_OF(struct agent_count, rule, "the item and the number of its constraint"),
	FIELD_OF(struct agent_count, n, "how often it stopped an edit"),
	{0},
};
static const struct field state_fields[] = {
	FIELD_RECORDS(struct agent_state, denied, "denied", count_fields, "rules that stopped",
		      .flags = OPTIONAL),
	FIELD_OF(struct agent_state, told, "fingerprints of findings that were told",
		 .flags = OPTIONAL),
	FIELD_OF(struct agent_state, pending, "context for the next event", .flags = IF_ANY),
	{0},
};

/* ---- files ---- */

struct state_file {
	const char *path;
	int64_t mtime;
};

ORDER_OF(state_by_age, struct state_file, ORDER_UP(mtime))

/* Other sessions' files beyond so many: those that changed least recently. */
static void state_prune(struct arena *a, const char *folder)
{
	struct strs names = {0};
	struct state_file *files;
	size_t n = 0;

	if (os_list(a, folder, &names) || names.n < STATE_SESSIONS)
		return;
	files = arena_array(a, names.n, sizeof(*files));
	for (size_t i = 0; i < names.n; i++) {
		struct os_stat st;
		const char *path = os_join(a, folder, str_c(a, names.p[i]));

		if (str_ends(names.p[i], STR(".json")) && !os_stat(path, false, &st) &&
		    st.kind == OS_FILE)
			files[n++] = (struct state_file){path, st.mtime_ns};
	}
	qsort(files, n, sizeof(*files), state_by_age);
	for (size_t i = 0; i + STATE_SESSIONS <= n; i++)
		if (os_remove(files[i].path))
			return;
}

static struct err *state_read(struct agent *g, struct agent_state *s)
{
	struct record_reader how = {.what = "the state of a session", .unknown = RECORD_IGNORED};
	struct os_stat st;
	struct str text;
	struct val *v;

	TRY(os_stat(s->path, false, &st));
	if (st.kind == OS_NONE)
		return NULL;
	TRY(os_read_path(g->a, s->path, STATE_BYTES, &text));
	TRY(json_read(g->a, text, NULL, &v));
	TRY(record_from_val(g->a, &how, state_fields, v, s));
	/* The lists that were read have no spare room: a push must copy them. */
	s->denied.cap = s->denied.n;
	s->told.cap = s->told.n;
	return NULL;
}

static struct err *state_open(struct agent *g, struct agent_state *s)
{
	const char *home = os_ikigai_home(g->a), *folder;
	struct str key = g->e.session;
	struct err *e;

	if (!home)
		return err_new(E_NO_HOME, "there is no home folder");
	folder = os_join(g->a, home, STATE_FOLDER);
	TRY(os_mkdirs(folder, 0700));
	TRY(os_lock_dir(g->a, folder, STATE_WAIT_MS, &s->lock));
	state_prune(g->a, folder);
	/* Hosts choose the names of sessions, so a name becomes a digest. The host's hooks, ikm's
	 * tools and Git's hooks share the file of a session. */
	if (!key.n)
		key = str_fmt(g->a, "%s\n%s", host_names[g->e.host], g->cwd);
	key = str_sub(crypt_content_hash(g->a, key), 7, 39);
	s->path = os_join(g->a, folder, str_fmt(g->a, "%.*s.json", STR_ARG(key)).p);
	e = state_read(g, s);
	/* A damaged state is begun anew: it only saves repetition. */
	if (e)
		*s = (struct agent_state){.path = s->path, .lock = s->lock};
	return NULL;
}

void agent_state_open(struct agent *g)
{
	if (g->state)
		return;
	g->state = ARENA_NEW(g->a, struct agent_state);
	/* Without a state a finding is told again, which is better than not at all. */
	if (state_open(g, g->state))
		*g->state = (struct agent_state){0};
}

void agent_state_save(struct agent *g)
{
	struct agent_state *s = g->state;
	size_t extra;

	if (!s || !s->path)
		return;
	extra = s->told.n - size_min(s->told.n, STATE_TOLD);
	s->told.p += extra;
	s->told.n -= extra;
	/* Nothing depends on it that cannot be told again, so an error has no consequence. */
	if (os_write(s->path, json_text(g->a, record_val(g->a, state_fields, s)), OS_MODE(0600)))
		s->path = NULL;
	os_unlock(s->lock);
}

/* ---- what is in it ---- */

/* Counts one more denial of the rule, and returns how many there are. */
static int64_t agent_state_count_denial(struct agent *g, struct str rule)
{
	struct agent_state *s;

	agent_state_open(g);
	s = g->state;
	for (size_t i = 0; i < s->denied.n; i++)
		if (str_eq(s->denied.p[i].rule, rule))
			return ++s->denied.p[i].n;
	if (s->denied.n < STATE_RULES)
		*VEC_PUSH(g->a, &s->denied) = (struct agent_count){rule, 1};
	return 1;
}

/* Counts each rule that stops once. Tells the agent to ask a person when one has stopped it often;
 * or empty. */
static struct str judging_count(struct agent *g, const struct check_report *r)
{
	struct strs seen = {0};
	struct str ask = {"", 0};

	VEC_EACH(const struct check_violation, v, &r->violations) {
		struct str rule =
			str_fmt(g->a, "%.*s#%u", STR_ARG(v->item->id), v->constraint->index);

		if (v->existing || v->severity != KN_SEVERITY_BLOCK || strs_has(&seen, rule))
			continue;
		strs_push(g->a, &seen, rule);
		if (agent_state_count_denial(g, rule) >= STOP_AND_ASK)
			ask = str_fmt(g->a,
				      "%.*s has stopped several changes in this session. Stop "
				      "here, and ask the person how to go on.",
				      STR_ARG(rule));
	}
	return ask;
}

struct str agent_advise_after_denials(struct agent *g, const struct agent_repo *repo)
{
	stops_note(g->a, repo->git, &repo->report);
	return judging_count(g, &repo->report);
}

struct str agent_advise_after_blocks(struct arena *a, const struct check_report *r)
{
	struct agent g = {.a = a};
	struct str ask;

	g.e.host = host_running(&g.e.session);
	if (!g.e.session.n)
		return STR("");
	ask = judging_count(&g, r);
	agent_state_save(&g);
	return ask;
}

bool agent_state_note_told(struct agent *g, struct str fingerprint)
{
	agent_state_open(g);
	if (strs_has(&g->state->told, fingerprint))
		return false;
	strs_push(g->a, &g->state->told, fingerprint);
	return true;
}
