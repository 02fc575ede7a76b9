/* Settles what a dead writer left, by comparing files with the hashes in their events. */
#include "saga/internal.h"
#include "crypt/crypt.h"
#include "json/json.h"

/* How many commits of a file are compared with what an event made of it. */
#define SETTLE_COMMITS ((size_t)1000)

const char *const saga_outcomes[] = {SAGA_OUTCOMES(ENUM_NAME) NULL};

/* The unsettled events of one file, oldest first, and what they turn out to be. */
struct settle {
	struct saga *s;
	struct arena *a;
	bool accept;
	struct event *p; /* all unsettled events of the garden */
	size_t n;
	enum saga_outcome *outcome; /* SAGA_WAITING: in place, to be committed */
	struct saga_report *out;
};

static struct err *settle_read(struct settle *t, struct str path, struct str *content,
			       struct str *hash)
{
	struct err *e = os_read_path(t->a, str_c(t->a, path), FILE_BYTES_MAX, content);

	*hash = STR("");
	if (!e) {
		*hash = crypt_content_hash(t->a, *content);
		return NULL;
	}
	*content = (struct str){0};
	/* A folder, a link or a huge file in its place is neither of the two contents. */
	if (err_reason(e) == E_NOT_A_FILE || err_reason(e) == E_TOO_BIG)
		*hash = STR("other");
	else if (err_reason(e) != E_FILE_NOT_FOUND)
		return e;
	return NULL;
}

/*
 * Decides about the events of one path from the newest to the oldest: the file shows whether the
 * newest was done; an older one was done if the next one began with what it left.
 */
static struct err *settle_decide(struct settle *t, size_t newest)
{
	struct str path = saga_event_path(&t->p[newest]), content, now, from, to;

	TRY(settle_read(t, path, &content, &now));
	for (size_t i = newest + 1; i--;) {
		const struct event *e = &t->p[i];

		if (!str_eq(saga_event_path(e), path))
			continue;
		if (e->path_to.n) {
			TRY(settle_read(t, e->path, &content, &from));
			TRY(settle_read(t, e->path_to, &content, &to));
			t->outcome[i] =
				!from.n && str_eq(to, e->after) ? SAGA_WAITING
				: !to.n && str_eq(from, e->before) && e->status != EVENT_WRITTEN
					? SAGA_FAILED
					: SAGA_DRIFT;
			continue;
		}
		t->outcome[i] = str_eq(now, e->after) ? SAGA_WAITING
				: str_eq(now, e->before) && e->status == EVENT_PENDING ? SAGA_FAILED
										       : SAGA_DRIFT;
		if (t->outcome[i] != SAGA_DRIFT)
			now = e->before;
	}
	return NULL;
}

static void settle_tell(struct settle *t, const struct event *e, enum saga_outcome outcome,
			struct str commit, struct str why)
{
	struct arena *a = t->s->a;
	struct saga_settled one = {
		.event = str_dup(a, e->id),
		.path = str_dup(a, saga_event_path(e)),
		.op = str_dup(a, e->op),
		.outcome = outcome,
		.commit = str_dup(a, commit),
		.why = str_dup(a, why),
	};
	struct saga_unsettled_list *all;
	struct saga_unsettled *u = NULL;

	if (t->out)
		*VEC_PUSH(a, t->out) = one;
	if (outcome != SAGA_DRIFT && outcome != SAGA_WAITING)
		return;
	/* Counts a change that is not settled: ten of one file for one reason are one warning. */
	all = &t->s->own->unsettled;
	for (size_t i = 0; i < all->n && !u; i++)
		if (str_eq(all->p[i].path, one.path) && str_eq(all->p[i].why, one.why))
			u = &all->p[i];
	if (!u) {
		u = VEC_PUSH(t->s->a, all);
		*u = (struct saga_unsettled){.path = one.path,
					     .why = one.why,
					     .oldest = one.event,
					     .waiting = one.outcome == SAGA_WAITING};
	}
	u->n++;
}

/* The history copy of a change. A power cut can take its name: made anew for one that was made. */
static struct err *settle_copy_of(struct settle *t, const struct event *e, bool made,
				  struct str *copy, struct str *content)
{
	TRY(saga_history_copy_read(t->a, e->path, e->before, copy, content));
	if (!made || copy->n || e->path_to.n ||
	    event_kept_content_by_hash(t->s->log, t->a, e->before, content))
		return NULL;
	return saga_history_copy_make(t->a, e->path, *content, true, copy);
}

/*
 * Commits the history copy of a change that ikm makes no commit of: of one that was not made, where
 * it holds what is there now, or of one that a person committed.
 */
static void settle_copy(struct settle *t, const struct event *e, bool made)
{
	struct saga *s = t->s;
	struct str copy = STR(""), content;

	if (!s->commits || !e->before.n || e->path_to.n)
		return;
	if (settle_copy_of(t, e, made, &copy, &content) || !copy.n)
		return;
	saga_history_copy_commit(s, t->a, e, copy, content);
}

/*
 * The newest commit of HEAD's history that made the file what the event made of it: a person may
 * have committed the change. *oid empty: there is none.
 */
static struct err *settle_by_hand(struct settle *t, const struct event *e, struct str *oid)
{
	struct git_log log = {0};
	struct str name = saga_event_path(e), content;
	struct tree_file file;
	struct tree *tree;
	const char *top;
	bool has = false, found;

	*oid = STR("");
	TRY(saga_open_git(t->s));
	if (!git_top(t->s->own->git))
		return NULL;
	TRY(os_realpath(t->a, git_top(t->s->own->git), &top));
	if (!str_is_below(name, str_of(top)))
		return NULL;
	/* As Git names it. */
	name = str_sub(name, strlen(top) + 1, name.n);
	if (!name.n)
		return NULL;
	TRY(git_file_log(t->s->own->git, t->a, "HEAD", name, SETTLE_COMMITS, &log));
	for (size_t i = 0; i < log.n && !has; i++) {
		if (!str_eq(log.p[i].path, name))
			continue;
		TRY(git_tree_at(t->s->own->git, str_c(t->a, log.p[i].id), &tree));
		TRY(tree_find(tree, name, &file, &found));
		has = !found && !e->after.n;
		if (found && e->after.n) {
			TRY(tree_read(tree, t->a, &file, FILE_BYTES_MAX, &content));
			has = str_eq(crypt_content_hash(t->a, content), e->after);
		}
		if (has)
			*oid = log.p[i].id;
	}
	return NULL;
}

static struct err *settle_drift(struct settle *t, const struct event *e)
{
	struct event_outcome outcome = {.status = EVENT_COMMITTED};
	static const char why[] = "the file has neither its former content nor the new one; 'ikm "
				  "events reconcile --accept' closes the event and leaves the file";

	/*
	 * The event was in place, and Git has it, though the file is another now. What Git cannot
	 * tell leaves the drift as it is.
	 */
	if (e->status == EVENT_WRITTEN && t->s->commits && !settle_by_hand(t, e, &outcome.commit) &&
	    outcome.commit.n) {
		TRY(event_append_step(t->s->log, e->id, &outcome));
		settle_tell(t, e, SAGA_COMMITTED, outcome.commit, STR(""));
		settle_copy(t, e, true);
		return NULL;
	}
	if (!t->accept) {
		settle_tell(t, e, SAGA_DRIFT, STR(""), str_of(why));
		return NULL;
	}
	/* It was in place: what came later does not make it a change that never happened. */
	if (e->status == EVENT_WRITTEN) {
		const struct event_outcome kept = {
			.status = EVENT_COMMITTED,
			.error = STR_INIT("the file was changed since, and a person accepted it; "
					  "ikm made no commit"),
		};

		TRY(event_append_step(t->s->log, e->id, &kept));
		settle_tell(t, e, SAGA_COMMITTED, STR(""), kept.error);
		settle_copy(t, e, true);
		return NULL;
	}
	TRY(event_end(t->s->log, e->id,
		      "the file was changed otherwise, and a person accepted it"));
	settle_tell(t, e, SAGA_FAILED, STR(""), STR("drift was accepted"));
	return NULL;
}

/* A maintainer moved or deleted the file, or went over a rule that only a person may break. */
static bool settle_is_forced(struct arena *a, const struct event *e)
{
	struct val *lint;

	if (e->path_to.n || !e->after.n)
		return true;
	if (!e->lint.n || json_read(a, e->lint, NULL, &lint))
		return false;
	VAL_EACH(val_get(lint, "overrides"), one)
		for (int r = 0; r < GARDEN_RULE_COUNT; r++)
			if (garden_rules[r].force == GARDEN_FORCE_PERSON &&
			    str_is(val_get_str(one, "rule"), garden_rules[r].id))
				return true;
	return false;
}

static struct err *settle_commit(struct settle *t, const struct event *e, const struct str *others,
				 size_t n, struct str *oid)
{
	struct saga_commit c = {
		.event = e->id,
		.op = e->op,
		.tool = e->tool,
		.agent = e->agent,
		.rationale = e->rationale,
		.path = e->path,
		.path_to = e->path_to,
		.forced = settle_is_forced(t->a, e),
		.others = others,
		.others_n = n,
	};
	const struct git_trailer trailer = {STR_INIT("Ikm-Event"), e->id};
	struct str hash, warning, paths[3];
	size_t k = 0, moved;

	if (e->before.n && saga_path_keeps_history_copy(saga_path_below_garden(t->s, e->path)))
		TRY(settle_copy_of(t, e, true, &c.copy, &c.copy_content));
	TRY(saga_open_git(t->s));
	/* A dead writer may have made the commit before it could record it. */
	TRY(git_commit_find_by_trailer(t->s->own->git, t->a, &trailer, 64, oid));
	if (oid->n) {
		paths[k++] = e->path;
		if (e->path_to.n)
			paths[k++] = e->path_to;
		if (c.copy.n)
			paths[k++] = c.copy;
		return git_index_move_to_head(t->s->own->git, t->a, str_c(t->a, *oid), paths, k,
					      &moved);
	}
	TRY(settle_read(t, saga_event_path(e), &c.content, &hash));
	TRY(saga_commit(t->s, t->a, &c, oid, &warning));
	if (warning.n)
		return err_new(E_GIT_FAILED, "the commit is made, but not the index: %.*s",
			       STR_ARG(warning));
	/* HEAD has the contents already, by a commit of a person; not to find it is no failure. */
	if (!oid->n && settle_by_hand(t, e, oid))
		*oid = STR("");
	return NULL;
}

/* Commits the newest event of a path that is in place, with the older ones that it covers. */
static struct err *settle_done(struct settle *t, size_t newest)
{
	const struct event *e = &t->p[newest];
	struct str *others = arena_array(t->a, t->n, sizeof(*others));
	struct event_outcome outcome = {.status = EVENT_COMMITTED};
	struct str oid = STR("");
	size_t n = 0;
	struct err *failed = NULL;

	for (size_t i = 0; i < newest; i++)
		if (t->outcome[i] == SAGA_WAITING &&
		    str_eq(saga_event_path(&t->p[i]), saga_event_path(e)))
			others[n++] = t->p[i].id;
	if (t->s->commits)
		failed = settle_commit(t, e, others, n, &oid);
	else
		outcome.error = STR("garden.commit is off");
	outcome.commit = oid;
	for (size_t i = 0; i <= newest; i++) {
		const struct event_outcome written = {.status = EVENT_WRITTEN};

		if (t->outcome[i] != SAGA_WAITING ||
		    !str_eq(saga_event_path(&t->p[i]), saga_event_path(e)))
			continue;
		if (t->p[i].status == EVENT_PENDING)
			TRY(event_append_step(t->s->log, t->p[i].id, &written));
		if (!failed)
			TRY(event_append_step(t->s->log, t->p[i].id, &outcome));
		settle_tell(t, &t->p[i], failed ? SAGA_WAITING : SAGA_COMMITTED, oid,
			    failed ? str_of(err_message(failed)) : outcome.error);
		/* The commit has the copy of the newest event; each older one has its own. */
		if (!failed && i < newest)
			settle_copy(t, &t->p[i], true);
	}
	return NULL;
}

/* Settles the events of the path whose newest event has this index. */
static struct err *settle_path(struct settle *t, size_t newest)
{
	struct str path = saga_event_path(&t->p[newest]);
	const char *folder = str_c(t->a, saga_parent_folder(path));

	/* Removes the temporary files that a killed writer of this path left. */
	os_tmp_clean_dir(folder);
	os_tmp_clean_dir(os_join(t->a, folder, "history"));
	TRY(settle_decide(t, newest));
	for (size_t i = newest + 1; i--;) {
		if (!str_eq(saga_event_path(&t->p[i]), path) || t->outcome[i] != SAGA_WAITING)
			continue;
		TRY(settle_done(t, i));
		break;
	}
	for (size_t i = 0; i <= newest; i++) {
		if (!str_eq(saga_event_path(&t->p[i]), path))
			continue;
		if (t->outcome[i] == SAGA_DRIFT) {
			TRY(settle_drift(t, &t->p[i]));
		} else if (t->outcome[i] == SAGA_FAILED) {
			TRY(event_end(t->s->log, t->p[i].id,
				      "the process ended before the change was done"));
			settle_tell(t, &t->p[i], SAGA_FAILED, STR(""), STR(""));
			settle_copy(t, &t->p[i], false);
		}
	}
	return NULL;
}

struct err *saga_settle(struct saga *s, struct arena *a, bool accept, struct saga_report *out)
{
	struct settle t = {.s = s, .a = a, .accept = accept, .out = out};
	struct event_list list = {0};

	TRY(event_unsettled(s->log, a, str_of(s->own->users), &list));
	t.p = list.p;
	t.n = list.n;
	if (t.n && s->commits && !saga_open_git(s))
		git_locks_clean(s->own->git, a);
	t.outcome = arena_array(a, t.n, sizeof(*t.outcome));
	for (size_t i = 0; i < t.n; i++) {
		bool newer = false;

		for (size_t k = i + 1; k < t.n && !newer; k++)
			newer = str_eq(saga_event_path(&t.p[k]), saga_event_path(&t.p[i]));
		if (!newer)
			TRY(settle_path(&t, i));
	}
	return NULL;
}

struct err *saga_reconcile(struct saga *s, bool accept, struct saga_report *out)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct os_lock *lock;

	*out = (struct saga_report){0};
	TRY(saga_find_garden(s));
	if (!s->own->real)
		return NULL;
	TRY(os_lock_dir(a, s->own->real, SAGA_LOCK_MS, &lock));
	return saga_settle(s, a, accept, out);
}
