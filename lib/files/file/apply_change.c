/* Changes contents: locks and reads, then asks the policies, records and writes. */
#include "file/backend.h"
#include "crypt/crypt.h"
#include "secret/secret.h"

/* ---- if_match ---- */

/* The first digits of a hash tell two contents of one file apart; a model repeats few of them. */
#define DIGITS_MIN 12

static bool is_hash_of(struct str s, struct str prefix, size_t least)
{
	if (!str_starts(s, prefix) || s.n < prefix.n + least || s.n > prefix.n + 2 * SHA256_BYTES)
		return false;
	for (size_t i = prefix.n; i < s.n; i++)
		if (!strchr("0123456789abcdef", s.p[i]) || !s.p[i])
			return false;
	return true;
}

static bool is_hash(struct str s, size_t least)
{
	return is_hash_of(s, STR("sha256:"), least) || is_hash_of(s, STR("text:sha256:"), least);
}

bool file_hash_is_valid(struct str s)
{
	return is_hash(s, 2 * SHA256_BYTES);
}

/* The hash without quotes around it, and with the prefix that a model left out. */
static struct str if_match_written(struct arena *a, struct str want)
{
	if (want.n > 1 && str_starts(want, STR("\"")) && str_ends(want, STR("\"")))
		want = str_sub(want, 1, want.n - 1);
	return is_hash_of(want, STR(""), DIGITS_MIN) ? str_fmt(a, "sha256:%.*s", STR_ARG(want))
						     : want;
}

static struct err *check_if_match(struct str want)
{
	struct err *e;

	if (!want.p || str_is(want, "none") || is_hash(want, DIGITS_MIN))
		return NULL;
	e = err_for_param(E_BAD_ARGUMENT, STR("ifMatch"),
			  "ifMatch is '%.*s'; allowed: none, or sha256: or text:sha256: and %d "
			  "to %d hexadecimal digits",
			  STR_ARG(want), DIGITS_MIN, 2 * SHA256_BYTES);
	return err_help(e, "take the hash that a read, write or edit of the file gave");
}

struct str file_item_content_hash(const struct file_change *c, struct file_item *it)
{
	if (it->content.p && !it->hash.n)
		it->hash = crypt_content_hash(c->f->a, it->content);
	return it->content.p ? it->hash : STR("");
}

struct err *file_check_if_match(struct files *f, const struct file_item *it, struct str want)
{
	struct str now = STR("none");
	struct err *e;

	want = if_match_written(f->a, want);
	TRY(check_if_match(want));
	if (!want.p)
		return NULL;
	if (it->content.p && str_starts(want, STR("text:")))
		TRY(file_text_hash(f->a, it->content, &now));
	else if (it->content.p)
		now = it->hash.n ? it->hash : crypt_content_hash(f->a, it->content);
	if (str_starts(now, want))
		return NULL;
	if (str_is(want, "none"))
		e = err_new(E_CHANGED, "'%.*s' exists already", STR_ARG(it->ref.shown));
	else if (!it->content.p)
		e = err_new(E_CHANGED, "'%.*s' does not exist, so it has no such hash",
			    STR_ARG(it->ref.shown));
	else
		/* As many digits as ifMatch needs. The details have the whole hash. */
		e = err_new(E_CHANGED, "'%.*s' was changed: it is %.*s now", STR_ARG(it->ref.shown),
			    STR_ARG(str_sub(now, 0, str_rfind_char(now, ':') + 1 + DIGITS_MIN)));
	err_add_detail(e, "path", it->ref.shown);
	err_add_detail(e, "expected", want);
	err_add_detail(e, "currentHash", now);
	if (!it->content.p)
		return err_help(e, "to make it, omit --if-match, or give none");
	if (str_is(want, "none"))
		return err_help(e, "read it, and give its hash for --if-match to replace it");
	return err_help(e, "read it again, and change its present content");
}

/* ---- the policies, each asked at its moment: see struct file_policy ---- */

#define POLICY_EACH(p, c) for (const struct file_policy *p = (c)->f->policy; p; p = p->next)

static struct err *policy_prepare_change(struct file_change *c)
{
	POLICY_EACH(p, c)
	if (p->enter)
		TRY(p->enter(p->ctx, c->a, c->f, c->p, c->n, c->f->proposed));
	return NULL;
}

/* Asks about the places of a change that is refused with e; returns the error to give. op NULL:
 * that of a write. */
static struct err *policy_judge_places_after_error(struct file_change *c, const char *op,
						   struct err *e)
{
	struct err *other = NULL;

	for (const struct file_policy *p = c->f->policy; p && !other; p = p->next)
		if (p->place)
			other = p->place(p->ctx, c->a, c->f, c->p, c->n, op ? op : "write");
	return other ? other : e;
}

static struct file_proposal policy_proposal(const struct file_change *c, struct file_step *s)
{
	const struct file_item *source = s->from ? s->from : s->at;
	struct str named = STR("");

	if (source->ref.backend == &backend_fs) {
		named = source->ref.path;
		if (!str_starts(named, STR("/")) && c->f->cwd)
			named = str_fmt(c->a, "%s/%.*s", c->f->cwd, STR_ARG(named));
	}
	return (struct file_proposal){
		.op = s->w.op,
		.anchor = s->w.anchor,
		.undoes = s->w.undoes,
		.asset = s->at->ref.backend == &backend_asset,
		.path = source->where,
		.path_to = s->from ? s->at->where : STR(""),
		.named = named,
		.before = s->was,
		.after = s->from && !s->new.p ? s->was : s->new,
		.before_hash = s->done.before,
		.after_hash = s->done.hash,
		.event = s->done.event,
		.done = &s->done,
	};
}

/* Lets the policies replace s->new; s->was is set. */
static struct err *policy_let_replace_content(struct file_change *c, struct file_step *s)
{
	struct file_proposal proposal = policy_proposal(c, s);

	POLICY_EACH(p, c)
	if (p->complete)
		TRY(p->complete(p->ctx, c->a, &proposal));
	s->new = proposal.after;
	return NULL;
}

/*
 * Asks about all steps at once, because the files of one change belong together: a manifest and its
 * lockfile, a file and its new name.
 */
static struct err *policy_judge(struct file_change *c, struct file_step *steps, size_t n)
{
	struct file_proposal *proposals = arena_array(c->a, n, sizeof(*proposals));
	struct strs warnings = {0};
	struct err *e = NULL;
	size_t changed = 0;

	for (size_t i = 0; i < n; i++)
		if (steps[i].done.changed)
			proposals[changed++] = policy_proposal(c, &steps[i]);
	if (!changed || !c->f->policy)
		return NULL;
	/* A judge may run git, as file.h says; nothing else waits for the outside. */
	os_critical_end();
	for (const struct file_policy *p = c->f->policy; p && !e; p = p->next)
		if (p->judge)
			e = p->judge(p->ctx, c->a, proposals, changed, c->f->proposed, &warnings);
	os_critical_begin("a change of a file");
	for (size_t i = 0; i < warnings.n; i++)
		strs_push(c->f->a, &steps[0].done.warnings, str_dup(c->f->a, warnings.p[i]));
	return e;
}

/* Sets s->log and s->kept_by_policy, and completes the event. */
static struct err *policy_fill_event(struct file_change *c, struct file_step *s, struct event *e)
{
	const struct file_proposal proposal = policy_proposal(c, s);
	struct events *log = NULL;

	POLICY_EACH(p, c)
	if (p->record)
		TRY(p->record(p->ctx, c->a, &proposal, e, &log));
	s->log = log ? log : c->f->events;
	s->kept_by_policy = log != NULL;
	return NULL;
}

static struct err *policy_save_before_write(struct file_change *c, struct file_step *s)
{
	const struct file_proposal proposal = policy_proposal(c, s);

	POLICY_EACH(p, c)
	if (p->save)
		TRY(p->save(p->ctx, c->a, &proposal));
	return NULL;
}

static void policy_after_write(struct file_change *c, struct file_step *steps, size_t n)
{
	if (!c->f->policy)
		return;
	/* Nothing depends on the time that a policy needs for this, except those who wait. */
	os_critical_end();
	for (size_t i = 0; i < n; i++) {
		struct file_step *s = &steps[i];
		const struct file_proposal proposal = policy_proposal(c, s);

		if (!s->done.changed)
			continue;
		POLICY_EACH(p, c)
		{
			struct err *e = p->keep ? p->keep(p->ctx, c->a, &proposal) : NULL;

			if (e)
				strs_push(c->f->a, &s->done.warnings,
					  str_fmt(c->f->a, "the change is done, but not kept: %s",
						  err_message(e)));
		}
	}
	os_critical_begin("a change of a file");
}

static void policy_tell_undone(struct file_change *c, struct file_step *s)
{
	const struct file_proposal proposal = policy_proposal(c, s);

	os_critical_end();
	POLICY_EACH(p, c)
	if (p->undone)
		p->undone(p->ctx, c->a, &proposal);
	os_critical_begin("a change of a file");
}

struct err *policy_undo_content(struct file_change *c, const struct event *e, struct str *out,
				bool *done)
{
	struct err *failed = NULL;

	*done = false;
	/* Like a judge, it may run git. */
	os_critical_end();
	for (const struct file_policy *p = c->f->policy; p && !*done && !failed; p = p->next)
		if (p->restore)
			failed = p->restore(p->ctx, c->a, e, c->old, out, done);
	os_critical_begin("a change of a file");
	return failed;
}

static struct str policy_copy(struct file_change *c, struct str s)
{
	return s.p ? str_dup(c->f->a, s) : s;
}

/* Adds what the step would do to c->f->proposed; its strings outlive the change. */
static void policy_record_proposed_change(struct file_change *c, struct file_step *s)
{
	struct file_proposal p = policy_proposal(c, s);

	p.path = policy_copy(c, p.path);
	p.path_to = policy_copy(c, p.path_to);
	p.named = policy_copy(c, p.named);
	p.before = policy_copy(c, p.before);
	p.after = policy_copy(c, p.after);
	p.done = NULL;
	*VEC_PUSH(c->f->a, c->f->proposed) = p;
}

/* ---- begin and end ---- */

static void file_change_end(void *p)
{
	struct file_change *c = p;

	if (!c->a)
		return;
	db_end(&c->txn);
	arena_free(c->a);
	c->a = NULL;
	os_critical_end();
}

struct err *file_abort(struct file_change *c, struct err *e)
{
	/* A policy may have a better reason, and wants to know of an attempt. */
	if (e && c->a && !c->judged) {
		os_critical_end();
		e = policy_judge_places_after_error(c, c->w.op, e);
	}
	file_change_end(c);
	return e;
}

struct err *file_begin_all(struct files *f, struct file_item *items, size_t n,
			   struct file_change **out)
{
	static const struct backend *const order[] = {&backend_fs, &backend_asset};
	struct file_change *c = ARENA_NEW(f->a, struct file_change);
	struct err *e;

	*c = (struct file_change){.f = f, .a = arena_new(), .p = items, .n = n};
	/* A begin within another must not wait for a lock that this process has. */
	os_critical_begin("a change of a file");
	os_critical_end();
	e = policy_prepare_change(c);
	if (e) {
		arena_free(c->a);
		return e;
	}
	os_critical_begin("a change of a file");
	arena_defer(f->a, file_change_end, c);
	/* Folders before the store: lib/files/file/file.h gives the order of locks. */
	for (size_t i = 0; !e && i < ARRAY_SIZE(order); i++) {
		bool locked = false;

		for (size_t k = 0; !e && k < n; k++) {
			if (items[k].ref.backend != order[i])
				continue;
			if (!locked)
				e = order[i]->lock(c);
			locked = true;
			if (!e)
				e = order[i]->look(c, &items[k]);
		}
	}
	if (e)
		return file_abort(c, e);
	c->old = items[0].content;
	*out = c;
	return NULL;
}

/* A missing file gets the error that a read of it would get. */
static struct err *file_want_there(struct files *f, const struct file_item *it)
{
	struct str none;

	if (it->there)
		return NULL;
	TRY(file_read(f, f->a, &it->ref, FILE_BYTES_MAX, &none));
	return err_new(E_CHANGED, "'%.*s' was created meanwhile", STR_ARG(it->ref.shown));
}

/* Begins a change, and checks the conditions of w on items[0]. */
static struct err *file_begin_as(struct files *f, struct file_item *items, size_t n,
				 const struct file_write *w, struct file_change **out)
{
	struct file_change *c;
	struct err *e;

	TRY(check_if_match(if_match_written(f->a, w->if_match)));
	e = file_begin_all(f, items, n, &c);
	/* Without its folder a file that must exist is as missing as without itself. */
	if (e && w->existing && n == 1 && err_reason(e) == E_FILE_NOT_FOUND)
		TRY(file_want_there(f, items));
	TRY(e);
	c->w = *w;
	e = file_check_if_match(f, items, w->if_match);
	if (!e && w->existing)
		e = file_want_there(f, items);
	if (!e && items->there && w->flags & OS_EXCLUSIVE)
		e = err_new(E_EXISTS, "'%.*s' exists already", STR_ARG(items->ref.shown));
	*out = c;
	return e ? file_abort(c, e) : NULL;
}

struct err *file_begin(struct files *f, const struct file_ref *r, const struct file_write *w,
		       struct file_change **out)
{
	struct file_item *it = ARENA_NEW(f->a, struct file_item);

	*it = (struct file_item){.ref = *r, .parents = w->flags & OS_PARENTS};
	return file_begin_as(f, it, 1, w, out);
}

struct err *file_begin_move(struct files *f, const struct file_ref *from, const struct file_ref *to,
			    const struct file_write *given, bool keeps, struct file_change **out)
{
	struct file_item *it = arena_array(f->a, 2, sizeof(*it));
	struct file_write w = *given;
	/* Do not read a content that no function needs, because it may be large. */
	bool unread = keeps && !f->events && !w.if_match.p && !(w.flags & OS_MODE_GIVEN);

	if (from->backend != to->backend)
		return err_help(
			err_new(E_BAD_ARGUMENT,
				"'%.*s' and '%.*s' are not both files or both stored assets",
				STR_ARG(from->shown), STR_ARG(to->shown)),
			"read the first, write the second, then remove the first");
	/* A policy without enter() needs the contents of all files. */
	for (const struct file_policy *p = f->policy; p; p = p->next)
		unread = unread && p->enter;
	w.existing = true;
	it[0] = (struct file_item){.ref = *from, .itself = true, .unread = unread};
	it[1] = (struct file_item){
		.ref = *to, .itself = true, .unread = true, .parents = w.flags & OS_PARENTS};
	return file_begin_as(f, it, 2, &w, out);
}

/* ---- one step ---- */

/* Fills in s->done as if the step were done. done.changed: there is something to do. */
static struct err *file_step_plan(struct file_change *c, struct file_step *s)
{
	struct file_item *source = s->from ? s->from : s->at;
	bool content, mode;

	if (s->new.p && s->new.n > FILE_BYTES_MAX)
		return err_detail_int(err_new(E_TOO_BIG,
					      "'%.*s' would be over the limit of %zu bytes",
					      STR_ARG(s->at->ref.shown), FILE_BYTES_MAX),
				      "limit", (int64_t)FILE_BYTES_MAX);
	s->was = source->content;
	s->was_mode = source->mode;
	if (s->from && s->new.p &&str_eq(s->new, s->was))
		s->new = (struct str){0};
	/* A summary may be what the asset has already: the full text is kept all the same. */
	content = (s->new.p || !s->from) && (s->full.p || file_content_differs(s->was, s->new));
	mode = (s->new.p || s->from) && source->mode && s->w.flags & OS_MODE_GIVEN &&
	       OS_MODE_OF(s->w.flags) != source->mode;
	s->changes = content || mode;
	s->done = (struct file_done){
		.before = file_item_content_hash(c, source),
		.created = !s->from && !s->was.p && s->new.p,
		.changed = s->from || s->changes,
		.warnings = s->done.warnings,
	};
	s->done.hash = !content   ? s->done.before
		       : s->new.p ? crypt_content_hash(c->f->a, s->new)
				  : STR("");
	s->done.size = content || !s->from ? s->new.n : s->was.n;
	return NULL;
}

static struct err *file_step_record(struct file_change *c, struct file_step *s, struct str *id)
{
	const struct file_item *source = s->from ? s->from : s->at;
	unsigned given = s->w.flags & OS_MODE_GIVEN ? OS_MODE_OF(s->w.flags) : source->mode;
	bool fs = source->ref.backend == &backend_fs, moved = s->from;
	struct event event = {
		.entity = str_of(source->ref.backend->name),
		.op = str_of(s->w.op),
		.path = source->where,
		.path_to = moved ? s->at->where : STR(""),
		.before = s->done.before,
		.after = s->done.hash,
		/* A move records the modes only when it changes them. */
		.before_mode = moved && given == source->mode ? 0 : source->mode,
		.after_mode = !fs || (moved ? given == source->mode : !s->new.p) ? 0 : given,
		.undoes = s->w.undoes,
	};
	/* lib/store/asset keeps former versions of assets itself. */
	struct str former = fs && (!moved || s->new.p) ? s->was : (struct str){0};
	struct err *e;

	TRY(policy_fill_event(c, s, &event));
	if (!s->log)
		return NULL;
	e = event_begin(s->log, c->a, &event, former, id);
	if (e) {
		enum err_reason why = err_reason(e);

		e = err_add_context(e, "nothing was changed, because it could not be recorded");
		/* The error of a key has its own steps; no setting of undo helps there. */
		if (why == E_NOT_CONFIGURED || why == E_BAD_KEY)
			return e;
		return err_help(
			e,
			"name a folder that can be written in IKIGAI_HOME, or set undo.days to 0: "
			"then changes are not recorded, and cannot be undone");
	}
	s->done.event = str_dup(c->f->a, *id);
	if (former.p && former.n > (uint64_t)s->log->keep_bytes)
		strs_push(c->f->a, &s->done.warnings,
			  str_fmt(c->f->a,
				  "the former content of '%.*s' has %zu bytes, more than "
				  "undo.bytes keeps: this change cannot be undone",
				  STR_ARG(str_utf8(c->f->a, source->ref.shown)), former.n));
	return NULL;
}

/* A policy that keeps the file ends the event of a file that is in place. */
static struct err *file_step_end(struct file_step *s, const char *error)
{
	const struct event_outcome written = {.status = EVENT_WRITTEN};

	if (s->kept_by_policy && !error)
		return event_append_step(s->log, s->done.event, &written);
	/* A copy of the former content was made already: settling keeps it, and ends the event. */
	if (s->kept_by_policy && s->done.history.n)
		return NULL;
	s->kept_by_policy = false;
	return event_end(s->log, s->done.event, error);
}

static struct err *file_step_check(struct file_change *c, const struct file_step *s)
{
	if (s->from && s->at->there)
		return err_add_detail(
			err_new(E_EXISTS, "'%.*s' exists already", STR_ARG(s->at->ref.shown)),
			"path", s->at->ref.shown);
	return s->at->ref.backend->check(c, s);
}

static struct err *file_step_do(struct file_change *c, struct file_step *s)
{
	const struct backend *b = s->at->ref.backend;
	enum file_outcome outcome = FILE_NOT_DONE;
	struct err *e, *open = NULL;
	struct str id = {0};

	if (!s->done.changed)
		return NULL;
	TRY(file_step_check(c, s));
	TRY(file_step_record(c, s, &id));
	e = policy_save_before_write(c, s);
	if (!e)
		e = b->put(c, s, &outcome);
	if (id.n && outcome != FILE_HALF)
		open = file_step_end(s, outcome == FILE_DONE ? NULL : err_message(e));
	if (outcome == FILE_DONE) {
		struct file_item *at = s->at;

		/* Updates the items to their state after the step. */
		at->there = s->from || s->new.p;
		at->content = s->from && !s->new.p ? s->was : s->new;
		at->hash = s->done.hash;
		if (s->from) {
			at->mode = s->from->mode;
			s->from->there = false;
			s->from->content = s->from->hash = (struct str){0};
			s->from->mode = 0;
		}
	}
	if (open && !e)
		strs_push(c->f->a, &s->done.warnings,
			  str_fmt(c->f->a, "the change is done, but its record stays open: %s",
				  err_message(open)));
	return e;
}

/* ---- commit ---- */

/* Undoes a step, done or not. CHANGED: the file has neither its old content nor the step's. */
static struct err *file_step_back(struct file_change *c, struct file_step *s)
{
	const struct backend *b = s->at->ref.backend;
	struct str made = s->from && !s->new.p ? s->was : s->new;
	struct file_step back = {
		.at = s->from ? s->from : s->at,
		.from = s->from ? s->at : NULL,
		.w = {.op = "undo", .undoes = s->done.event},
		.new = s->was,
	};

	if (s->was.p && s->was_mode)
		back.w.flags = OS_MODE(s->was_mode);
	TRY(b->look(c, s->at));
	if (s->from)
		TRY(b->look(c, s->from));
	if (s->from && s->from->there)
		return NULL;
	if (file_content_differs(s->at->content, s->was) &&
	    file_content_differs(s->at->content, made))
		return err_new(E_CHANGED, "'%.*s' was changed meanwhile",
			       STR_ARG(s->at->ref.shown));
	TRY(file_step_plan(c, &back));
	TRY(file_step_do(c, &back));
	/* The policy keeps neither the step nor its undoing, so both events end here. */
	if (s->kept_by_policy) {
		TRY(event_end(s->log, s->done.event, "a later file of the change failed"));
		policy_tell_undone(c, s);
	}
	if (!back.kept_by_policy)
		return NULL;
	TRY(event_end(back.log, back.done.event, NULL));
	policy_tell_undone(c, &back);
	return NULL;
}

/* Undoes steps, the last one first. Committed assets need a new transaction. */
static struct err *file_steps_back(struct file_change *c, struct file_step *steps, size_t n,
				   const struct backend *b, struct strs *left)
{
	struct err *e = NULL;

	for (size_t i = n; i--;) {
		if (steps[i].at->ref.backend != b || !steps[i].done.changed)
			continue;
		if (b->finish && !c->txn.db)
			e = b->lock(c);
		if (e || file_step_back(c, &steps[i]))
			strs_push(c->f->a, left, steps[i].at->ref.shown);
	}
	return e || !c->txn.db || !b->finish ? e : b->finish(c);
}

static struct err *file_steps_do(struct file_change *c, struct file_step *steps, size_t n,
				 const struct backend *b)
{
	struct strs left = {0};
	struct err *e;

	for (size_t i = 0; i < n; i++) {
		enum err_reason reason;
		struct str message;

		if (steps[i].at->ref.backend != b)
			continue;
		e = file_step_do(c, &steps[i]);
		if (!e)
			continue;
		if (n == 1)
			return e;
		/* Undoing makes errors of its own, and only few are kept. */
		message = str_dup(c->f->a, str_of(err_message(e)));
		reason = err_reason(e);
		/* When an asset failed, no asset is committed yet, and no file was changed. */
		if (b == &backend_fs && (file_steps_back(c, steps, i + 1, &backend_fs, &left) ||
					 file_steps_back(c, steps, n, &backend_asset, &left)))
			strs_push(c->f->a, &left, STR(ASSET_SCHEME "/"));
		e = err_new(reason, "%.*s; %s", STR_ARG(message),
			    left.n ? "other files were changed, and could not be restored"
				   : "no file was changed");
		if (left.n)
			err_detail_list(e, "changed", &left);
		return err_add_detail(e, "path", steps[i].at->ref.shown);
	}
	return NULL;
}

/*
 * Checks the steps as file_steps_do() does. Assets are even written, for their budget, in a
 * transaction that ends without a commit.
 */
static struct err *file_steps_check(struct file_change *c, struct file_step *steps, size_t n)
{
	enum file_outcome outcome;

	for (size_t i = 0; i < n; i++) {
		struct file_step *s = &steps[i];

		if (!s->done.changed)
			continue;
		TRY(file_step_check(c, s));
		if (s->at->ref.backend == &backend_asset && c->txn.db)
			TRY(backend_asset.put(c, s, &outcome));
	}
	return NULL;
}

/* ---- the summarizer of assets ---- */

/* Puts the summary in the place of the text that it is made of: that of a step, or of another
 * asset. */
static struct err *file_summary_put(struct file_change *c, struct file_step *steps, size_t n,
				    const struct asset_summary *sum)
{
	struct file_item *it = ARENA_NEW(c->a, struct file_item);
	struct file_step other = {.at = it, .w = {.op = "summarize"}, .new = sum->content};

	strs_push(
		c->f->a, &steps[0].done.warnings,
		str_fmt(c->f->a,
			"the summarizer (asset.summarizer) shortened '%.*s' from %jd to %jd "
			"tokens, to stay within assets.budget; the full text is kept as a version "
			"('ikm asset history %.*s')",
			STR_ARG(asset_uri(c->f->a, sum->path)), (intmax_t)sum->full_tokens,
			(intmax_t)sum->tokens, STR_ARG(sum->path)));
	for (size_t i = 0; i < n; i++) {
		if (!str_eq(steps[i].at->ref.path, sum->path))
			continue;
		steps[i].full = sum->full;
		steps[i].new = sum->content;
		return file_step_plan(c, &steps[i]);
	}
	*it = (struct file_item){.ref = file_ref_of_asset(c->f, sum->path)};
	TRY(backend_asset.look(c, it));
	if (file_content_differs(it->content, sum->full))
		return err_help(
			err_new(E_CHANGED, "'%.*s' was changed meanwhile", STR_ARG(it->ref.shown)),
			"try again");
	TRY(file_step_plan(c, &other));
	return file_step_do(c, &other);
}

/* Does the steps of assets again, with a shorter text of the largest pinned asset. */
static struct err *file_steps_summarized(struct file_change *c, struct file_step *steps, size_t n)
{
	struct asset_new *with = arena_array(c->a, n, sizeof(*with));
	struct asset_summary sum;
	struct str trouble = {0};
	struct err *e;

	for (size_t i = 0; i < n; i++)
		with[i] = (struct asset_new){steps[i].at->ref.path, steps[i].new};
	/* Gives the store free while the program runs. */
	db_end(&c->txn);
	os_critical_end();
	e = asset_summarize(c->f->assets, c->a, with, n, &sum);
	os_critical_begin("a change of a file");
	if (e)
		trouble = str_dup(c->f->a, str_of(err_message(e)));
	/* Reads the assets again, and fails if another process has changed one meanwhile. */
	TRY(backend_asset.lock(c));
	for (size_t i = 0; i < c->n; i++)
		TRY(backend_asset.look(c, &c->p[i]));
	for (size_t i = 0; i < n; i++) {
		struct file_step *s = &steps[i];

		if (!str_eq(file_item_content_hash(c, s->at), s->done.before))
			return err_help(err_new(E_CHANGED, "'%.*s' was changed meanwhile",
						STR_ARG(s->at->ref.shown)),
					"read it again, and change its present content");
		TRY(file_step_plan(c, s));
	}
	if (!trouble.p)
		TRY(file_summary_put(c, steps, n, &sum));
	e = file_steps_do(c, steps, n, &backend_asset);
	if (e && trouble.p)
		err_help(e, "no asset was shortened: %.*s", STR_ARG(trouble));
	return e;
}

/* An asset is read by every agent, and its versions keep what was in it. */
static void file_step_warn(struct file_change *c, const struct file_step *s)
{
	const struct files *f = c->f;
	const char *what;
	struct str text = s->full.p ? s->full : s->new;
	size_t at;

	if (!f->notes || !s->changes || !s->new.p || s->at->ref.backend != &backend_asset)
		return;
	what = secret_find(text, &at);
	if (what)
		strs_push(
			f->notes_a, f->notes,
			str_fmt(f->notes_a,
				"'%.*s', line %zu, seems to hold %s; if it does, replace that key "
				"where it is valid: the asset's versions and the undo keep it",
				STR_ARG(s->at->ref.shown), str_place_of_offset(text, at).line,
				what));
}

struct err *file_commit_all(struct file_change *c, struct file_step *steps, size_t n)
{
	struct err *e = NULL;
	bool summarize;

	for (size_t i = 0; !e && i < n; i++) {
		struct file_step *s = &steps[i];

		s->was = (s->from ? s->from : s->at)->content;
		e = s->new.p ? policy_let_replace_content(c, s) : NULL;
		if (!e)
			e = file_step_plan(c, s);
	}
	for (size_t i = 0; !e && c->f->proposed && i < n; i++)
		if (steps[i].done.changed)
			policy_record_proposed_change(c, &steps[i]);
	if (!e)
		e = policy_judge(c, steps, n);
	c->judged = true;
	if (!e && c->allow)
		e = c->allow(c->allow_ctx);
	if (!e && c->f->proposed)
		return file_abort(c, file_steps_check(c, steps, n));
	if (!e) {
		e = file_steps_do(c, steps, n, &backend_asset);
		summarize = e && err_reason(e) == E_OVER_BUDGET && c->txn.db &&
			    c->f->assets->summarizer.command.n && !os_env(CONF_PROGRAM_RUNS);
		for (size_t i = 0; i < c->n; i++)
			summarize = summarize && c->p[i].ref.backend == &backend_asset;
		for (size_t i = 0; i < n; i++)
			summarize = summarize && !steps[i].from && !steps[i].w.verbatim;
		if (summarize)
			e = file_steps_summarized(c, steps, n);
	}
	if (!e && c->txn.db)
		e = backend_asset.finish(c);
	if (!e)
		e = file_steps_do(c, steps, n, &backend_fs);
	/* From here on no step is undone or rolled back. */
	if (!e)
		policy_after_write(c, steps, n);
	for (size_t i = 0; !e && i < n; i++)
		file_step_warn(c, &steps[i]);
	return file_abort(c, e);
}

struct err *file_commit(struct file_change *c, struct str new, struct file_done *out)
{
	bool moves = c->n == 2;
	struct file_step s = {
		.at = &c->p[moves], .from = moves ? &c->p[0] : NULL, .w = c->w, .new = new};
	struct err *e = file_commit_all(c, &s, 1);

	*out = s.done;
	return e;
}

struct err *file_put(struct files *f, const struct file_ref *r, const struct file_write *w,
		     struct str new, struct file_done *out)
{
	struct file_change *c;

	TRY(file_begin(f, r, w, &c));
	return file_commit(c, new, out);
}

struct err *file_move(struct files *f, const struct file_ref *from, const struct file_ref *to,
		      const struct file_write *w, struct file_done *out)
{
	struct file_change *c;

	TRY(file_begin_move(f, from, to, w, true, &c));
	return file_commit(c, (struct str){0}, out);
}

/* ---- folders ---- */

/*
 * What would be made, without making it. Below a file the real call makes nothing either, and says
 * why.
 */
static struct err *mkdir_propose(struct files *f, const struct file_ref *r, bool *made)
{
	struct file_stat st = {.kind = OS_DIR};
	struct str path = r->path, above;
	size_t slash;

	if (f->cwd && !str_starts(path, STR("/")))
		path = str_of(os_join(f->a, f->cwd, str_c(f->a, path)));
	while (path.n > 1 && path.p[path.n - 1] == '/')
		path.n--;
	/* Looks for the nearest folder above the path, or other thing, that exists. */
	for (above = path;;) {
		struct file_ref ref = {0};

		slash = str_rfind_char(above, '/');
		if (slash == SIZE_MAX || !slash)
			break;
		above = str_sub(above, 0, slash);
		TRY(file_ref_resolve(f, above, &ref));
		TRY(file_stat(f, &ref, &st));
		if (st.kind != OS_NONE)
			break;
	}
	if (st.kind != OS_DIR)
		return r->backend->mkdir(f, r->path, made);
	*made = true;
	*VEC_PUSH(f->a, f->proposed) = (struct file_proposal){.op = "mkdir", .path = path};
	return NULL;
}

struct err *file_mkdir(struct files *f, const struct file_ref *r, bool *made)
{
	struct file_item it = {.ref = *r, .parents = true};
	struct file_change c = {.f = f, .a = arena_new(), .p = &it, .n = 1};
	struct file_stat st;
	bool there = !file_stat(f, r, &st) && st.kind != OS_NONE;
	struct err *e = NULL;

	/* Policies judge what is made, not what is there. */
	if (!there) {
		e = policy_prepare_change(&c);
		if (!e)
			e = policy_judge_places_after_error(&c, "mkdir", NULL);
	}
	if (!e && f->proposed && !there && r->backend == &backend_fs)
		e = mkdir_propose(f, r, made);
	else if (!e)
		e = r->backend->mkdir(f, r->path, made);
	arena_free(c.a);
	return e;
}
