#include "file/undo.h"
#include "crypt/crypt.h"
#include "file/backend.h"
#include "file/session_changes.h"
#include "git/git.h"

struct job {
	struct files *f;
	struct event *e;
	struct file_ref from;  /* the event's path */
	struct file_undo *out; /* NULL: the event is only settled */
	/* The file's folder, if it is missing before the undo makes it; p NULL: it is there, or the
	 * event is about an asset. */
	struct str lost;
	/* The command that makes that folder reachable where events have it, when it is below the
	 * present home or the current folder now; p NULL: it is not. */
	struct str link;
};

/* Where the file or asset of an event is afterwards; versions of an asset move with it. */
static struct str undo_where(const struct event *e)
{
	return e->path_to.n ? e->path_to : e->path;
}

/* ---- settling ---- */

/* The saga of a garden write settles its events itself, with their commits. */
static bool undo_settles(const struct event *e)
{
	return e->status == EVENT_PENDING &&
	       (str_is(e->entity, backend_fs.name) || str_is(e->entity, backend_asset.name));
}

/* Settles the event as done or not done. If both or neither hold, it stays pending. */
static struct err *settle_as(struct job *j, bool done, bool not_done)
{
	struct event *e = j->e;

	if (!undo_settles(e) || done == not_done)
		return NULL;
	if (!j->f->proposed)
		TRY(event_settle(j->f->events, e->id, done));
	e->status = done ? EVENT_COMMITTED : EVENT_FAILED;
	return NULL;
}

struct err *file_settle_event(struct files *f, struct event *e)
{
	const struct file_write w = {.op = "undo"};
	struct job j = {.f = f, .e = e};
	struct file_change *c;
	struct file_done done;
	struct file_stat st;
	struct file_ref at;
	struct err *failed;
	struct str now;
	bool half;

	if (!undo_settles(e))
		return NULL;
	TRY(file_ref_resolve(f, e->path, &j.from));
	TRY(file_ref_resolve(f, undo_where(e), &at));
	TRY(file_begin(f, &at, &w, &c));
	now = file_item_content_hash(c, c->p);
	if (e->path_to.n) {
		/*
		 * A move is done when the file is at the new place only. A move that changes the
		 * content too may have stopped in between; then it is neither done nor not done.
		 */
		half = c->p->there && !str_eq(e->before, e->after) && str_eq(now, e->before);
		failed = file_stat(f, &j.from, &st);
		if (!failed)
			failed = settle_as(&j, c->p->there && !half && st.kind == OS_NONE,
					   !c->p->there && st.kind == OS_FILE);
	} else {
		failed = settle_as(&j, str_eq(now, e->after), str_eq(now, e->before));
	}
	/*
	 * The content stays. The commit is for the outcome, which may be recorded in its
	 * transaction.
	 */
	TRY(failed ? file_abort(c, failed) : file_commit(c, c->old, &done));
	/*
	 * The writer may have ended the event during the wait for the lock; the first outcome
	 * stays.
	 */
	return event_get(f->events, f->a, e->id, e);
}

/* ---- whether it can be undone ---- */

static struct err *undo_failed(const struct event *e)
{
	return err_for_param(E_BAD_ARGUMENT, STR("eventId"),
			     "the event %.*s failed: it changed nothing", STR_ARG(e->id));
}

/* If the undo was undone, the change is in place again. *first: the first undo. */
static struct err *undone_now(struct files *f, struct str id, bool *undone, struct str *first)
{
	struct event by;
	struct str last;

	*undone = false;
	*first = STR("");
	for (;;) {
		TRY(event_undone_by(f->events, f->a, id, &last));
		if (!last.n)
			return NULL;
		TRY(event_get(f->events, f->a, last, &by));
		if (by.status == EVENT_PENDING) {
			TRY(file_settle_event(f, &by));
			/* That undo was never done, so look for an earlier undo. */
			if (by.status == EVENT_FAILED)
				continue;
			if (!event_is_done(&by))
				return NULL;
		}
		*first = first->n ? *first : by.id;
		*undone = !*undone;
		id = by.id;
	}
}

/* A change that is in place again can be undone again. */
static struct err *check_not_undone(struct files *f, struct str id)
{
	struct str first;
	struct err *e;
	bool undone;

	TRY(undone_now(f, id, &undone, &first));
	if (!undone)
		return NULL;
	e = err_new(E_UNDONE_ALREADY, "the event %.*s is undone already, by %.*s", STR_ARG(id),
		    STR_ARG(first));
	err_add_detail(e, "undoneBy", first);
	return err_help(e, "to restore its change, undo %.*s", STR_ARG(first));
}

/* Sets lost and link of an undo. */
static void undo_find_lost(struct job *j)
{
	struct arena *a = j->f->a;
	const char *tops[2];
	struct str folder = undo_where(j->e), top, above;
	size_t slash = str_rfind_char(folder, '/');
	struct file_stat there;
	struct os_stat st;
	struct file_ref r;

	if (str_is(j->e->entity, backend_asset.name) || slash == SIZE_MAX || !slash)
		return;
	folder = str_sub(folder, 0, slash);
	if (file_ref_resolve(j->f, folder, &r) || file_stat(j->f, &r, &there) ||
	    there.kind != OS_NONE)
		return;
	j->lost = top = above = folder;
	tops[0] = os_ikigai_home(a);
	tops[1] = j->f->cwd;
	/* The first folder that lacks. */
	while (above.n && !os_stat(str_c(a, above), true, &st) && st.kind == OS_NONE) {
		top = above;
		above = str_sub(above, 0, size_min(str_rfind_char(above, '/'), above.n));
	}
	for (size_t i = 0; i < ARRAY_SIZE(tops) && top.n < folder.n && !j->link.p; i++) {
		struct str rest = str_sub(folder, top.n, folder.n);

		if (tops[i] &&
		    !os_stat(str_fmt(a, "%s%.*s", tops[i], STR_ARG(rest)).p, true, &st) &&
		    st.kind == OS_DIR)
			j->link = str_fmt(a, "ln -s '%s' '%.*s'", tops[i], STR_ARG(top));
	}
}

#define LATER_EVENTS ((size_t)100)

/*
 * The newest later event whose change of the same thing is in place; empty: there is none. again:
 * one that gave it the same content.
 */
static struct err *later_event(struct files *f, const struct event *e, bool again, struct str *out)
{
	struct str path = undo_where(e);
	struct event_filter filter = {
		.path = path, .status = -1, .done = true, .limit = LATER_EVENTS};
	struct event_list list;
	struct str first;
	bool undone;

	*out = STR("");
	do {
		TRY(event_query(f->events, f->a, &filter, &list));
		VEC_EACH(const struct event, later, &list) {
			/* The clock may have gone back: the order is that of the record. */
			if (later->seq <= e->seq)
				return NULL;
			/* It cannot stand in the way of undoing e, or it gave another content. */
			if (later->undoes.n ||
			    (e->section_anchor.n && later->section_anchor.n &&
			     !str_eq(e->section_anchor, later->section_anchor)) ||
			    (again && !str_eq(later->after, e->after)))
				continue;
			TRY(undone_now(f, later->id, &undone, &first));
			if (undone)
				continue;
			*out = later->id;
			return NULL;
		}
		filter.before_id = list.n ? list.p[list.n - 1].id : STR("");
	} while (list.n == LATER_EVENTS);
	return NULL;
}

static struct err *changed_since(struct files *f, const struct event *e, struct str folder,
				 struct str link, struct str now)
{
	struct str path = undo_where(e);
	struct str later;
	struct err *err;

	TRY(later_event(f, e, false, &later));
	if (folder.p)
		err = err_new(E_CHANGED_SINCE,
			      "the folder '%.*s' of the event %.*s is not there any "
			      "more",
			      STR_ARG(folder), STR_ARG(e->id));
	else
		err = err_new(E_CHANGED_SINCE, "'%.*s' was %s since the event %.*s", STR_ARG(path),
			      now.n ? "changed" : "removed", STR_ARG(e->id));
	err_add_detail(err, "path", path);
	err_add_detail(err, "beforeHash", e->before);
	err_add_detail(err, "afterHash", e->after);
	err_add_detail(err, "currentHash", now);
	if (folder.p) {
		err_help(err,
			 "events hold absolute paths: for the undo put a link where it was%s%.*s",
			 link.p ? ": " : ", ln -s NEW OLD", STR_ARG(link));
		return err_help(err, "or take the former content from Git");
	}
	if (later.n) {
		err_add_detail(err, "laterEvent", later);
		err_help(err,
			 "undo the later events first, newest first: 'ikm events query --path "
			 "%.*s' lists them",
			 STR_ARG(path));
		return err_help(err, "the newest of them is %.*s", STR_ARG(later));
	}
	return err_help(err, "no later event is recorded: a person or another program changed it; "
			     "the details show what differs, so make the change by hand");
}

/* ---- restoring ---- */

/* The content with this hash that is kept of a file or asset. */
static struct err *undo_content_of(struct files *f, struct arena *a, struct str entity,
				   struct str where, struct str hash, struct str *out)
{
	struct asset_version version;
	struct str path;
	struct err *e;
	bool found;

	if (!str_is(entity, backend_asset.name)) {
		e = event_kept_content_by_hash(f->events, a, hash, out);
		if (e && err_reason(e) == E_NO_FORMER)
			return err_add_detail(err_add_context(e, "'%.*s'", STR_ARG(where)), "path",
					      where);
		TRY(e);
	} else {
		TRY(asset_path_read(a, where, false, &path));
		TRY(asset_version_by_hash(f->assets, a, path, hash, &version, &found));
		if (!found)
			return err_help(err_add_detail(err_new(E_NO_FORMER,
							       "the version of '%.*s' with "
							       "the hash %.*s is not kept",
							       STR_ARG(where), STR_ARG(hash)),
						       "hash", hash),
					"the settings assets.keepVersions and assets.keepDays "
					"limit what is kept");
		*out = version.content;
	}
	if (!out->p)
		*out = STR("");
	return NULL;
}

static struct file_version undo_version(struct files *f, struct str entity, struct str where,
					struct str hash)
{
	struct file_version v = {.hash = hash};

	if (hash.n && undo_content_of(f, f->a, entity, where, hash, &v.content))
		v.content = (struct str){0};
	return v;
}

static struct err *undo_committed(struct arena *a, const struct event *e, struct str *out)
{
	struct str path = undo_where(e), content;
	const char *top;
	struct tree_file file;
	struct tree *tree;
	struct git *git;
	bool found;

	TRY(git_open(a, str_c(a, str_sub(path, 0, str_rfind_char(path, '/'))), &git));
	if (!git_top(git))
		return NULL;
	TRY(os_realpath(a, git_top(git), &top));
	if (!str_starts(path, str_fmt(a, "%s/", top)))
		return NULL;
	TRY(git_tree_at(git, str_c(a, e->commit), &tree));
	TRY(tree_find(tree, str_sub(path, strlen(top) + 1, path.n), &file, &found));
	if (!found)
		return NULL;
	TRY(tree_read(tree, a, &file, FILE_BYTES_MAX, &content));
	if (str_eq(crypt_content_hash(a, content), e->after))
		*out = content.p ? content : STR("");
	return NULL;
}

struct str file_content_of_commit(struct arena *a, const struct event *e)
{
	struct str content = {0};

	/* A commit that cannot be read has nothing, like one that is not there. */
	if (!e->commit.n || !e->after.n || undo_committed(a, e, &content))
		return (struct str){0};
	return content;
}

/* Gives the three versions that are kept, so that people can compare them. */
static struct err *tell_versions(struct job *j, struct file_change *c)
{
	struct file_undo *out = j->out;

	out->before = undo_version(j->f, j->e->entity, undo_where(j->e), j->e->before);
	out->after = undo_version(j->f, j->e->entity, undo_where(j->e), j->e->after);
	out->now.hash = c ? file_item_content_hash(c, c->p) : STR("");
	if (c && c->p->there)
		out->now.content = str_dup(j->f->a, c->old);
	return changed_since(j->f, j->e, j->lost, j->link, out->now.hash);
}

/* The content that the undo restores. */
static struct err *undo_former(struct job *j, struct file_change *c, struct str *new)
{
	struct str now = file_item_content_hash(c, c->p);
	bool is_after = str_eq(now, j->e->after), is_before = str_eq(now, j->e->before), done;
	struct str later = STR("");

	/* A move is settled already, by its names rather than by the hash. */
	if (!j->e->path_to.n)
		TRY(settle_as(j, is_after, is_before));
	if (j->e->status == EVENT_FAILED)
		return undo_failed(j->e);
	if (!is_before) {
		TRY(policy_undo_content(c, j->e, new, &done));
		if (done)
			return NULL;
	}
	/* Somebody may have written the same content again, after another one. */
	if (is_after && !is_before)
		TRY(later_event(j->f, j->e, true, &later));
	if ((!is_after && !is_before) || later.n)
		return tell_versions(j, c);
	*new = is_before ? c->old : (struct str){0};
	if (is_before || !j->e->before.n)
		return NULL;
	return undo_content_of(j->f, c->a, j->e->entity, undo_where(j->e), j->e->before, new);
}

static struct err *undo_commit(struct job *j, struct file_change *c)
{
	struct str new;
	struct file_version *after = &j->out->after;
	struct err *e = undo_former(j, c, &new);

	if (!e)
		return file_commit(c, new, &j->out->done);
	e = file_abort(c, e);
	/* Nobody waits for the lock any more, so git may be asked. */
	if (after->hash.n && !after->content.p)
		after->content = file_content_of_commit(j->f->a, j->e);
	return e;
}

/* Undoes a move: the name, and the content if the move changed it. */
static struct err *move_back(struct job *j, const struct file_write *w)
{
	const struct event *event = j->e;
	struct file_change *c;
	struct file_ref at;
	struct err *e;

	TRY(file_settle_event(j->f, j->e));
	if (event->status == EVENT_FAILED)
		return undo_failed(event);
	TRY(file_ref_resolve(j->f, event->path_to, &at));
	e = file_begin_move(j->f, &at, &j->from, w, false, &c);
	if (e)
		return err_code(e) == CODE_NOT_FOUND ? tell_versions(j, NULL) : e;
	e = undo_commit(j, c);
	if (e && err_reason(e) == E_EXISTS)
		err_help(e, "move '%.*s' away, and undo again", STR_ARG(event->path));
	return e;
}

struct err *undo_check_own(const struct event *e, const struct file_undo_ask *q)
{
	struct err *not_own;

	if (!q->agent.p)
		return NULL;
	/* The record does not say whether a person or a program made a change without one. */
	if (!q->session.n)
		return err_help(
			err_for_param(E_NOT_ALLOWED, STR("session"),
				      "ikm does not know your conversation, so the event %.*s "
				      "is not known to be your own",
				      STR_ARG(e->id)),
			"start ikm with --session or IKM_SESSION, as for the change; or a "
			"person undoes it: ikm events undo %.*s",
			STR_ARG(e->id));
	/* Nobody is told of another user's memories; lib/memory/memory says that there is none. */
	if (!str_eq(q->user, e->user) && !str_is(e->entity, event_entities[EVENT_MEMORY]))
		not_own = err_new(E_NOT_ALLOWED, "the event %.*s is of user '%.*s'", STR_ARG(e->id),
				  STR_ARG(e->user));
	else if (!str_eq(q->agent, e->agent))
		not_own = err_new(E_NOT_ALLOWED, "the event %.*s is by agent '%.*s'",
				  STR_ARG(e->id), STR_ARG(e->agent));
	else if (!event_is_of_agent(e))
		not_own =
			err_new(E_NOT_ALLOWED,
				e->face == EVENT_FACE_UNKNOWN
					? "the event %.*s is of an older version, which did not "
					  "record whether a program made it"
					: "the event %.*s is of a command that no agent's host ran",
				STR_ARG(e->id));
	else if (!e->session.n)
		not_own = err_new(E_NOT_ALLOWED,
				  "the event %.*s is by a person or a program, and of no "
				  "conversation",
				  STR_ARG(e->id));
	else if (!str_eq(q->session, e->session))
		not_own = err_new(E_NOT_ALLOWED,
				  "the event %.*s is of the conversation '%.*s', and not of this "
				  "one",
				  STR_ARG(e->id), STR_ARG(e->session));
	else
		return NULL;
	return err_help(not_own, "a person may undo it: ikm events undo %.*s", STR_ARG(e->id));
}

static struct err *undo_may(const struct event *e, const struct file_undo_ask *q)
{
	/* An event of the garden has one of its entities; a file elsewhere and an asset have
	 * theirs. */
	bool garden = !str_is(e->entity, backend_fs.name) && !str_is(e->entity, backend_asset.name);
	bool tool = q->agent.p, gone = !e->after.n && e->before.n;

	TRY(undo_check_own(e, q));
	/*
	 * A deletion or move is a maintainer's verb, and so is its undo. A removal that is itself
	 * an undo only took back a creation: outside the garden tools may do that.
	 */
	if (q->maintainer ||
	    !(e->path_to.n ? garden || tool : gone && (garden || (tool && !e->undoes.n))))
		return NULL;
	return err_help(
		err_new(E_NOT_ALLOWED, "the event %.*s is a %s, and only maintainers undo it",
			STR_ARG(e->id), e->path_to.n ? "move" : "deletion"),
		"a maintainer may undo it: ikm events undo --maintainer %.*s", STR_ARG(e->id));
}

struct err *file_undo_event(struct files *f, const struct file_undo_ask *q, struct file_undo *out)
{
	struct job j = {.f = f, .e = &out->event, .out = out};
	struct file_write w = {.op = "undo", .flags = OS_PARENTS, .verbatim = true};
	struct event *e = &out->event;
	struct file_change *c;
	struct err *denied;
	bool removed, other;

	*out = (struct file_undo){0};
	TRY(event_get(f->events, f->a, q->id, e));
	denied = undo_may(e, q);
	out->refused = denied != NULL;
	TRY(denied);
	TRY(check_not_undone(f, e->id));
	if (e->status == EVENT_FAILED)
		return undo_failed(e);
	/* An observation, or an event of the record about itself. */
	if (!e->path.n || (!e->before.n && !e->after.n && !e->path_to.n))
		return err_for_param(E_BAD_ARGUMENT, STR("eventId"),
				     "the event %.*s records no change of a file or asset",
				     STR_ARG(e->id));
	TRY(file_ref_resolve(f, e->path, &j.from));
	undo_find_lost(&j);
	w.undoes = e->id;
	/* The mode to restore, if the event removed the file or changed its mode; else 0. */
	removed = !e->after.n;
	other = e->after_mode && e->after_mode != e->before_mode;
	if (e->before_mode && (removed || other))
		w.flags |= OS_MODE(e->before_mode);
	if (e->path_to.n)
		return move_back(&j, &w);
	TRY(file_begin(f, &j.from, &w, &c));
	TRY(undo_commit(&j, c));
	/* It is not undone: the file is where its folder is now. */
	if (!out->done.changed && j.link.p)
		return changed_since(f, e, j.lost, j.link, out->now.hash);
	if (!out->done.changed && j.lost.p)
		strs_push(f->a, &out->done.warnings,
			  str_fmt(f->a,
				  "the folder '%.*s' is not there any more: if the repository "
				  "was moved, the file is still in it",
				  STR_ARG(str_utf8(f->a, j.lost))));
	return NULL;
}

/* ---- all changes that match a filter, as one: see session_changes.h ---- */

/* The events of the filter that changed something and are in place, newest first. */
static struct err *session_events(struct files *f, const struct event_filter *given,
				  struct event_list *out)
{
	struct event_filter filter = *given;
	struct event_list all = {0};
	bool undone;

	*out = (struct event_list){0};
	filter.done = true;
	filter.status = -1;
	filter.limit = SESSION_EVENTS + 1;
	TRY(event_query(f->events, f->a, &filter, &all));
	if (all.n > SESSION_EVENTS)
		return err_help(
			err_new(E_TOO_LONG, "there are more than %zu changes", SESSION_EVENTS),
			"give a later time as --since");
	VEC_EACH(const struct event, e, &all) {
		/* An observation changes nothing. An undo is no work of its own. */
		if (!e->path.n || e->undoes.n || (!e->before.n && !e->after.n && !e->path_to.n))
			continue;
		TRY(event_is_undone(f->events, f->a, e->id, &undone));
		if (!undone)
			*VEC_PUSH(f->a, out) = *e;
	}
	return NULL;
}

/* ---- what they did ---- */

/* Reads the content of now, which is often the content after the last change. */
static struct err *session_now(struct files *f, struct session_file *s)
{
	struct file_ref ref;
	struct str text = {0};
	struct err *e;

	s->before = undo_version(f, s->entity, s->path, s->first);
	TRY(file_ref_resolve(f, s->path, &ref));
	e = file_read(f, f->a, &ref, FILE_BYTES_MAX, &text);
	if (e && err_code(e) != CODE_NOT_FOUND)
		return e;
	s->now = e ? STR("") : crypt_content_hash(f->a, text);
	s->later = !str_eq(s->now, s->last);
	s->after = s->later ? undo_version(f, s->entity, s->path, s->last)
			    : (struct file_version){s->last, text};
	if (!s->after.content.p)
		s->after.content = file_content_of_commit(f->a, s->newest);
	if (!s->later && !e && !text.p)
		s->after.content = STR("");
	return NULL;
}

/*
 * Finds who changed the file between two changes. Events of the file lead from the content after
 * the first change to the content before the second. A change without an event was done by hand.
 */
static struct err *session_gap(struct files *f, struct session_file *s, const struct event *e)
{
	struct event_filter filter = {
		.path = e->path, .status = -1, .done = true, .limit = SESSION_EVENTS};
	struct event_list all = {0};
	struct str at = s->last;

	TRY(event_query(f->events, f->a, &filter, &all));
	for (size_t i = all.n; i-- > 0;) {
		const struct event *one = &all.p[i];

		if (one->seq <= s->newest->seq || one->seq >= e->seq ||
		    (!one->before.n && !one->after.n))
			continue;
		s->by_others = true;
		s->by_hand = s->by_hand || !str_eq(at, one->before);
		at = one->after;
	}
	s->by_hand = s->by_hand || !str_eq(at, e->before);
	return NULL;
}

struct err *session_changes(struct files *f, const struct event_filter *filter,
			    struct session_files *out)
{
	struct session_files all;
	struct event_list events;
	size_t read = 0;

	*out = (struct session_files){0};
	TRY(session_events(f, filter, &events));
	for (size_t i = events.n; i-- > 0;) {
		const struct event *e = &events.p[i];
		struct session_file *s = NULL;

		/* The file that has this name after the changes that were read so far. */
		for (size_t k = 0; !s && k < out->n; k++)
			if (str_eq(out->p[k].path, e->path))
				s = &out->p[k];

		if (!s) {
			s = VEC_PUSH(f->a, out);
			*s = (struct session_file){
				.path = e->path, .entity = e->entity, .first = e->before};
		} else if (!str_eq(s->last, e->before)) {
			TRY(session_gap(f, s, e));
		}
		s->events++;
		s->newest = e;
		s->last = e->after;
		if (e->path_to.n) {
			s->from = s->from.n ? s->from : s->path;
			s->path = e->path_to;
		}
	}
	all = *out;
	for (out->n = 0; read < all.n; read++) {
		struct session_file s = all.p[read];
		struct err *why = session_now(f, &s);

		if (why && err_code(why) == CODE_PROVIDER_ERROR)
			return why;
		if (!why)
			out->p[out->n++] = s;
		else
			strs_push(f->a, &out->left_out,
				  str_fmt(f->a, "'%.*s' is left out: %s",
					  STR_ARG(str_utf8(f->a, s.path)), err_message(why)));
	}
	return NULL;
}

/* ---- taking them back ---- */

struct err *session_undo(struct files *f, const struct event_filter *filter,
			 const struct file_undo_ask *q, struct session_undone *out)
{
	struct event_list events;

	*out = (struct session_undone){0};
	TRY(session_events(f, filter, &events));
	for (size_t i = 0; i < events.n; i++) {
		const struct event *e = &events.p[i];
		struct file_undo_ask ask = *q;
		struct file_undo u;
		bool kept = false;
		struct err *why;

		VEC_EACH(const struct session_kept, k, &out->kept)
			kept = kept || str_eq(k->path, e->path) || str_eq(k->path, e->path_to);
		if (kept)
			continue;
		ask.id = e->id;
		why = file_undo_event(f, &ask, &u);
		/* Nothing was done, and the change may live on elsewhere: a file was moved, say. */
		if (!why && !u.done.changed)
			why = err_new(E_CHANGED_SINCE, "'%.*s' %s", STR_ARG(e->path),
				      e->before.n ? "has its former content already"
						  : "is not there any more: perhaps it was moved");
		if (!why) {
			*VEC_PUSH(f->a, &out->events) = u.event;
			strs_add_all(f->a, &out->warnings, &u.done.warnings);
			continue;
		}
		if (err_code(why) == CODE_PROVIDER_ERROR)
			return why;
		*VEC_PUSH(f->a, &out->kept) = (struct session_kept){
			.path = undo_where(e),
			.event = e->id,
			.reason = str_dup(f->a, str_of(err_message(why))),
			.before = u.before,
			.after = u.after,
			.now = u.now,
		};
	}
	return NULL;
}
