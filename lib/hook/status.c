/* Reports the file at each hook's path, and probes that git calls ikm there. */
#include "hook/internal.h"
#include "hook/probe.h"

#define PROBE_MS    10000
#define PROGRAM_MAX ((size_t)256 << 20)

enum state { STATE_OURS, STATE_EDITED, STATE_MANAGED, STATE_OTHER, STATE_ABSENT };
const char *const hook_states[] = {
	[STATE_OURS] = "ours",   [STATE_EDITED] = "edited", [STATE_MANAGED] = "managed",
	[STATE_OTHER] = "other", [STATE_ABSENT] = "absent", NULL};

enum proof { PROOF_YES, PROOF_NO, PROOF_NONE };
const char *const hook_proofs[] = {
	[PROOF_YES] = "yes", [PROOF_NO] = "no", [PROOF_NONE] = "unproven", NULL};

static struct str random_token(struct arena *a)
{
	uint64_t half[2];

	os_random(half, sizeof(half));
	return str_fmt(a, "%016llx%016llx", (unsigned long long)half[0],
		       (unsigned long long)half[1]);
}

/* "ikm-hook-probe TOKEN PROGRAM": the program's path, or p NULL when the token is not there. */
static struct str find_answer(struct str said, struct str answer)
{
	size_t at = str_find(said, answer, 0);
	struct str line = {0};

	if (at == SIZE_MAX)
		return line;
	said = str_sub(said, at + answer.n, said.n);
	return str_line(&said, &line) ? line : STR("");
}

/*
 * As git would call it. git before 2.36 cannot be asked to; then the file that it would run is run
 * from where it would run it.
 */
static struct err *call_hook(struct arena *a, struct git *g, const struct hook_place *p,
			     const struct hook_file *f, const char *name, const char *probe,
			     struct git_said *said)
{
	const char *const args[] = {"hook", "run", "--ignore-missing", name, NULL};
	const char *const direct[] = {f->path, NULL};
	const char *const env[] = {probe, "IKM_HOOKS", NULL};
	const struct git_ask q = {.args = args, .env = env, .timeout_ms = PROBE_MS};
	const struct os_spawn s = {
		.argv = direct, .env = env, .timeout_ms = PROBE_MS, .cwd = p->top};
	struct os_result r;

	TRY(git_ask(g, a, &q, said));
	if (said->status != 1 || str_find(said->err, STR("is not a git command"), 0) == SIZE_MAX)
		return NULL;
	TRY(os_run(a, &s, &r));
	*said = (struct git_said){r.status, r.out, r.err};
	return NULL;
}

static struct err *probe_hook(struct arena *a, struct git *g, const struct hook_place *p,
			      const struct hook_file *f, const char *name, struct val *row,
			      enum proof *out)
{
	struct str token = random_token(a), program, why = STR("");
	struct str answer = str_fmt(a, HOOK_PROBE_ANSWER "%.*s ", STR_ARG(token));
	const char *probe = str_fmt(a, HOOK_PROBE_ENV "=%.*s", STR_ARG(token)).p;
	struct git_said r = {0};
	struct err *e = call_hook(a, g, p, f, name, probe, &r);

	*out = PROOF_NO;
	if (e && err_reason(e) != E_TOOK_TOO_LONG && err_reason(e) != E_NO_PROGRAM)
		return e;
	program = find_answer(r.err, answer);
	if (!program.p)
		program = find_answer(r.out, answer);
	if (program.p) {
		*out = PROOF_YES;
		val_set(a, row, "program", val_str(a, str_utf8(a, program)));
		return NULL;
	}
	if (e)
		why = str_dup(a, str_of(err_message(e)));
	else if (!f->executable)
		why = STR("it is not executable, so git ignores it: chmod +x, or install again");
	else if (r.err.n || r.out.n)
		why = str_trim(r.err.n ? r.err : r.out);
	else
		why = STR("git does not run it");
	val_set(a, row, "why", val_str(a, str_utf8(a, why)));
	return NULL;
}

static enum state hook_status_state_of(const struct hook_file *f, bool managed)
{
	switch (f->owner) {
	case OWNER_OURS: return STATE_OURS;
	case OWNER_EDITED: return STATE_EDITED;
	case OWNER_OTHER:
	case OWNER_NONE: break;
	}
	return managed ? STATE_MANAGED : f->owner == OWNER_OTHER ? STATE_OTHER : STATE_ABSENT;
}

static struct str hook_status_why_not(struct arena *a, const struct hook_file *f, enum state state,
				      size_t i, const struct hook_managed *m)
{
	switch (state) {
	case STATE_EDITED:
		return STR("it was changed after ikm wrote it, so it is not run to find out");
	case STATE_MANAGED:
		if (!m->installed[i])
			return hook_manager_missing(a, m, (enum hook_name)i);
		return str_fmt(a,
			       "%s is to call it, as %s says; its other commands are not run to "
			       "find out",
			       hook_managers[m->by], m->file);
	case STATE_OTHER:
		if (m->by)
			return str_fmt(a,
				       "%s wrote it, and does not call ikm; 'ikm hook install' "
				       "says what to add",
				       hook_managers[m->by]);
		return STR("another hook is there; 'ikm hook install' puts ikm in front of it");
	case STATE_ABSENT:
		return f->has_prev ? STR("an install was cut short: run 'ikm hook install' again")
				   : STR("not installed: ikm hook install");
	case STATE_OURS: break;
	}
	return STR("");
}

/*
 * Whether running the hook runs ikm and nothing else. A repository may come with a hook, and the
 * digest in it can be forged; so it must be what ikm writes, and name a copy of this program. One
 * that is not there any more is looked for in PATH.
 */
static bool shim_runs_ikm(struct arena *a, const struct hook_file *f, const char *name)
{
	const char *self = os_self(a), *path;
	struct str program, mine, other;
	struct os_stat st, own;
	struct arena *scratch;
	bool same;

	if (!hook_shim_program(a, f, name, &program))
		return false;
	path = str_c(a, program);
	if (path[0] != '/' || (self && !strcmp(path, self)))
		return true;
	if (os_stat(path, true, &st) || !self || os_stat(self, true, &own))
		return false;
	if (st.kind == OS_NONE || (st.dev == own.dev && st.ino == own.ino))
		return true;
	if (st.kind != OS_FILE || st.size != own.size)
		return false;
	scratch = arena_new();
	same = !os_read(scratch, path, PROGRAM_MAX, &other) &&
	       !os_read(scratch, self, PROGRAM_MAX, &mine) && str_eq(mine, other);
	arena_free(scratch);
	return same;
}

static struct err *hook_status_one(struct arena *a, struct git *g, const struct hook_place *p,
				   const struct hook_file *f, size_t i,
				   const struct hook_managed *m, struct val *rows, bool *silent)
{
	enum state state = hook_status_state_of(f, m->runs_ikm[i]);
	bool unproven = state == STATE_EDITED || (state == STATE_MANAGED && m->installed[i]);
	enum proof proof = unproven ? PROOF_NONE : PROOF_NO;
	struct val *v = val_add(rows, val_map(a));

	val_set(a, v, "name", val_str(a, str_of(hook_names[i])));
	val_set(a, v, "path", val_str(a, str_utf8(a, str_of(f->path))));
	val_set(a, v, "state", val_str(a, str_of(hook_states[state])));
	val_set(a, v, "executable", val_bool(a, f->executable));
	if (f->has_prev) {
		val_set(a, v, "previous", val_str(a, str_utf8(a, str_of(f->prev))));
		val_set(a, v, "previousRuns", val_bool(a, f->prev_runs));
	}
	if (state == STATE_OURS && !shim_runs_ikm(a, f, hook_names[i])) {
		proof = PROOF_NONE;
		val_set(a, v, "why",
			val_str(a, STR("it runs another program, or another version of ikm, so it "
				       "is not run to find out; 'ikm hook install' renews it")));
	} else if (state == STATE_OURS)
		TRY(probe_hook(a, g, p, f, hook_names[i], v, &proof));
	else
		val_set(a, v, "why",
			val_str(a, str_utf8(a, hook_status_why_not(a, f, state, i, m))));
	val_set(a, v, "fires", val_str(a, str_of(hook_proofs[proof])));
	*silent = *silent || proof == PROOF_NO;
	return NULL;
}

struct err *hook_status(struct arena *a, struct git *g, const struct hook_options *o,
			struct val **out, bool *silent)
{
	const char *hooks = os_env("IKM_HOOKS");
	struct hook_file file[HOOK_COUNT];
	struct hook_managed m;
	struct hook_place p;
	struct val *rows;
	unsigned names;

	*silent = false;
	TRY(hook_choose(g, o, &names));
	TRY(hook_place_find(a, g, o->global, &p));
	for (size_t i = 0; i < HOOK_COUNT; i++)
		TRY(hook_file_read(a, p.dir, hook_names[i], &file[i]));
	TRY(hook_manager_find(a, &p, file, &m));
	*out = val_map(a);
	val_set(a, *out, "directory", val_str(a, str_utf8(a, str_of(p.dir))));
	if (p.value.p) {
		val_set(a, *out, "hooksPath", val_str(a, str_utf8(a, p.value)));
		val_set(a, *out, "scope", val_str(a, str_utf8(a, p.origin)));
	}
	if (m.by)
		val_set(a, *out, "manager", val_str(a, str_of(hook_managers[m.by])));
	val_set(a, *out, "skipped", val_bool(a, hooks && !strcmp(hooks, "0")));
	rows = val_set(a, *out, "hooks", val_list(a));
	for (size_t i = 0; i < HOOK_COUNT; i++)
		if (names & 1u << i)
			TRY(hook_status_one(a, g, &p, &file[i], i, &m, rows, silent));
	return NULL;
}
