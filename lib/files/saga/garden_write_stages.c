/* One write in the garden: the functions of its policy, in the order in which lib/files/file calls
 * them.
 */
#include "saga/internal.h"
#include "crypt/crypt.h"
#include "event/keys.h"
#include "file/undo.h"
#include "garden/section_edit.h"
#include "json/json.h"

/* ---- what the commit would take along, before anything is written ---- */

/* An earlier write of ikm left the content, and Git could not commit it: no edit of a person. */
static struct err *saga_is_own(struct saga *s, struct arena *a, struct str path, struct str content,
			       bool *own)
{
	struct str hash = crypt_content_hash(a, content);
	struct event_list list = {0};

	*own = false;
	TRY(event_unsettled(s->log, a, path, &list));
	for (size_t i = 0; i < list.n && !*own; i++)
		*own = str_eq(list.p[i].after, hash);
	return NULL;
}

/*
 * The commit goes from HEAD to the new content, and the policy has judged the step from the file
 * alone. So what a person has edited since is judged as a commit of that person.
 */
static struct err *saga_judge_head(struct saga *s, struct arena *a, const struct garden_ask *q,
				   struct str path, struct str stored)
{
	struct garden_ask person = {.path = q->path, .after = stored, .person = true};
	struct garden_diagnostics found;
	struct str was;
	bool own;

	if (!q->before.p || s->maintainer)
		return NULL;
	TRY(git_convert_to_object(s->own->git, a, path, q->before, &was));
	TRY(git_read_file_at_head(s->own->git, a, path, &person.before));
	if (person.before.p && str_eq(person.before, was))
		return NULL;
	TRY(saga_is_own(s, a, path, q->before, &own));
	if (own)
		return NULL;
	TRY(garden_judge_change(a, &person, &found));
	for (size_t i = 0; i < found.n; i++)
		if (found.p[i].blocks) {
			const struct garden_diagnostic *first = &found.p[i];
			struct err *e = err_new(
				E_UNCOMMITTED,
				"'%.*s' has an edit that is not committed, and a commit of this change would take "
				"it along though the policy does not allow it: %.*s",
				STR_ARG(q->path), STR_ARG(garden_diagnostic_text(a, first)));

			err_add_detail(e, "path", q->path);
			err_add_detail(e, "rule", str_of(garden_rules[first->rule].id));
			if (first->line)
				err_detail_int(e, "line", (int64_t)first->line);
			return err_help(
				e,
				"a person decides: git diff HEAD -- '%.*s' shows it; take it back in the "
				"file%s",
				STR_ARG(q->path),
				garden_rules[first->rule].force == GARDEN_FORCE_NEVER
					? ""
					: ", or commit it with a line 'Ikm-Rationale: WHY' at the end of the "
					  "message");
		}
	return NULL;
}

/*
 * A `git commit` at the same moment can write back the index entry that an earlier write had moved.
 * That is no content which somebody staged: the file is what HEAD has, the entry what it was before
 * ikm's commit. The history copy of that commit moves with it.
 */
static struct err *saga_is_free(struct saga *s, struct arena *a, const struct garden_ask *q,
				struct str path)
{
	struct err *e = git_path_check_committable(s->own->git, a, path);
	struct strs paths = {0};
	struct str stored = {0}, head, commit, parent, id;
	bool behind;
	size_t moved;
	struct tree *before = NULL, *after;
	struct tree_changes changes;

	if (!e || err_reason(e) != E_STAGED)
		return e;
	if (q->before.p)
		TRY(git_convert_to_object(s->own->git, a, path, q->before, &stored));
	TRY(git_read_file_at_head(s->own->git, a, path, &head));
	if (!stored.p || !head.p || !str_eq(stored, head))
		return git_path_check_committable(s->own->git, a, path);
	TRY(git_index_is_behind(s->own->git, a, path, STR("Ikm-Event"), &behind, &commit));
	if (!behind)
		return git_path_check_committable(s->own->git, a, path);
	if (s->own->dry)
		return NULL;
	/* What a commit changed, from the top of the repository. */
	parent = str_fmt(a, "%.*s^", STR_ARG(commit));
	TRY(git_tree_at(s->own->git, str_c(a, commit), &after));
	/* The first commit has none. */
	if (!git_rev_id(s->own->git, a, str_c(a, parent), &id))
		TRY(git_tree_at(s->own->git, str_c(a, id), &before));
	TRY(tree_diff(a, before, after, &changes));
	for (size_t i = 0; i < changes.n; i++)
		strs_push(a, &paths,
			  changes.p[i].has_new ? changes.p[i].new.path : changes.p[i].old.path);
	TRY(git_index_move_to_head(s->own->git, a, str_c(a, commit), paths.p, paths.n, &moved));
	return git_path_check_committable(s->own->git, a, path);
}

/* Lines around a difference in the event's `change`. */
#define CHANGE_CONTEXT 3

/* ---- enter: before all locks ---- */

static bool saga_is_asset(const struct file_item *it)
{
	return str_starts(it->ref.shown, STR(ASSET_SCHEME));
}

/* A change that has items of the garden and others. */
static struct err *saga_mixed(const struct file_item *it, const char *what)
{
	return err_help(
		err_add_detail(err_new(E_BAD_ARGUMENT,
				       "one change cannot have files of the garden and '%.*s', "
				       "%s",
				       STR_ARG(it->ref.shown), what),
			       "path", it->ref.shown),
		"make two changes of it");
}

/*
 * Looks at a new file outside the garden. Errors: BAD_PATH when its name can only be meant for the
 * garden; else it may add a warning.
 */
static struct err *saga_refuse_misplaced_file(struct saga *s, struct arena *a, const char *cwd,
					      const struct file_item *it)
{
	struct saga_name q = {
		.top = s->top, .user = s->log->user, .cwd = cwd, .name = it->ref.path};
	struct saga_stray stray;
	struct os_stat st;
	struct err *e;

	/* A file that exists is not mistyped, and a name with "./" in front means the current
	 * folder. */
	if ((it->optional && !it->parents) || !str_starts(q.name, STR("users/")))
		return NULL;
	if (!cwd)
		TRY(os_cwd(a, &q.cwd));
	if (os_stat(os_join(a, q.cwd, str_c(a, q.name)), false, &st) || st.kind != OS_NONE ||
	    !saga_name_is_meant_for_garden(a, &q, &stray))
		return NULL;
	/* Without its folder the change fails anyway. */
	if (stray.sure && it->parents) {
		e = err_new(E_BAD_PATH, "%.*s", STR_ARG(stray.why));
		err_add_detail(e, "path", q.name);
		err_help(e, "the garden has %.*s", STR_ARG(garden_path_forms(a)));
		return err_help(e, "for a file of this folder write './%.*s'", STR_ARG(q.name));
	}
	strs_push(s->a, &s->own->strays, str_dup(s->a, stray.why));
	return NULL;
}

static struct err *saga_enter(void *ctx, struct arena *a, const struct files *f,
			      struct file_item *items, size_t n, bool dry)
{
	struct saga *s = ctx;
	struct os_lock *lock;
	struct str real;
	bool any = false, has;

	if (s->own) {
		s->own->locked = false;
		s->own->judged_n = 0;
		s->own->strays = s->own->unlogged = (struct strs){0};
		s->own->unsettled = (struct saga_unsettled_list){0};
	}
	for (size_t i = 0; i < n; i++) {
		if (saga_is_asset(&items[i]))
			continue;
		TRY(saga_garden_has_path(s, a, f->cwd, items[i].ref.path, &has, NULL));
		any |= has;
		if (!has) {
			TRY(saga_refuse_misplaced_file(s, a, f->cwd, &items[i]));
			continue;
		}
		items[i].unread = false;
		items[i].held = true;
	}
	if (!any)
		return NULL;
	/* The garden's lock is the lock of its folder, which a file in that folder needs too. */
	for (size_t i = 0; i < n; i++) {
		if (saga_is_asset(&items[i]))
			return saga_mixed(&items[i], "which is a stored asset");
		TRY(saga_garden_has_path(s, a, f->cwd, items[i].ref.path, &has, &real));
		if (str_is(saga_parent_folder(real), s->own->real))
			return saga_mixed(&items[i], "which lies beside its users/");
	}
	TRY(garden_rationale_check(s->log->ids.rationale));
	TRY(event_keys_need(s->log, a));
	TRY(os_lock_dir(a, s->own->real, SAGA_LOCK_MS, &lock));
	s->own->locked = true;
	s->own->dry = dry;
	return dry ? NULL : saga_settle(s, a, false, NULL);
}

/* ---- complete ---- */

/* The caller's reason; an undo has one of its own. */
static struct str saga_reason(const struct saga *s, struct arena *a, const struct file_proposal *p)
{
	if (s->log->ids.rationale.n || !p->undoes.n)
		return s->log->ids.rationale;
	return str_fmt(a, "undid %.*s", STR_ARG(p->undoes));
}

static struct err *saga_complete(void *ctx, struct arena *a, struct file_proposal *p)
{
	struct saga *s = ctx;
	struct str text, why = saga_reason(s, a, p);
	struct garden_path at;
	bool added;
	struct err *e;

	if (p->asset || !s->own ||
	    !(p->after.p && (!p->before.p || !str_eq(p->before, p->after))) ||
	    !garden_path_read(saga_path_below_garden(s, p->path), &at))
		return NULL;
	p->after = garden_text_set_dates(a, at.kind, p->before, p->after, os_now());
	if (!why.n)
		return NULL;
	e = garden_text_log_add(a, at.kind, p->after, os_now(), why, &text, &added);
	/* The policy says what is wrong with a text that has no Change Log or cannot be read. */
	if (!e && added)
		p->after = text;
	else if (!e && !garden_grammar[at.kind].free)
		strs_push(s->a, &s->own->unlogged,
			  str_dup(s->a, saga_path_below_garden(s, p->path)));
	return NULL;
}

/* ---- the event of a write, or of a refusal ---- */

static const struct saga_judgement *saga_judgement_of(const struct saga *s, struct str below)
{
	for (size_t i = 0; i < s->own->judged_n; i++)
		if (s->own->judged[i].inside && str_eq(s->own->judged[i].path, below))
			return &s->own->judged[i];
	return NULL;
}

/* {"diagnostics":[…],"overrides":[{"rule","rationale"}]}; empty: there is nothing to tell. */
static struct str saga_lint(struct saga *s, struct arena *a, const struct file_proposal *p,
			    struct str below)
{
	const struct saga_judgement *j = saga_judgement_of(s, below);
	struct val *v = val_map(a), *all = val_list(a), *over = val_list(a), *one;

	for (size_t i = 0; j && i < j->diagnostics.n; i++) {
		const struct garden_diagnostic *d = &j->diagnostics.p[i];

		if (d->old)
			continue;
		val_add(all, record_val(a, garden_diagnostic_fields, d));
		if (!d->overridden)
			continue;
		one = val_add(over, val_map(a));
		val_set(a, one, "rule", val_str(a, str_of(garden_rules[d->rule].id)));
		val_set(a, one, "rationale", val_str(a, saga_reason(s, a, p)));
	}
	if (!all->n)
		return STR("");
	val_set(a, v, "diagnostics", all);
	if (over->n)
		val_set(a, v, "overrides", over);
	return json_text(a, v);
}

/* Fills in the members that the garden knows. */
static struct err *saga_fill_event(struct saga *s, struct arena *a, const struct file_proposal *p,
				   struct event *e)
{
	struct str below = saga_path_below_garden(s, p->path), section;
	struct garden_path at;
	const char *name;

	if (!below.n)
		below = saga_path_below_garden(s, p->path_to);
	/* A path outside the grammar can only be of a refused attempt, or a maintainer's. */
	if (garden_path_read(below, &at)) {
		e->entity = at.entity_type;
		e->entity_id = at.entity_id;
		e->type = at.kind == GARDEN_NOTES     ? EVENT_OBSERVATION
			  : at.kind == GARDEN_HISTORY ? EVENT_SYSTEM
						      : EVENT_PROFILE_UPDATE;
	} else {
		e->entity = STR("user");
	}
	e->section_anchor = p->anchor;
	e->lint = saga_lint(s, a, p, below);
	/* integrity_line_hash is made of the section that the caller named, or of all. */
	e->content = p->after;
	if (p->anchor.n && p->after.p && !file_section(a, p->after, p->anchor, &section))
		e->content = section;
	/* The diff of the change: `ikm events` shows it, also when the writer died. */
	name = str_c(a, str_utf8(a, below));
	e->change = STR("");
	if ((!p->before.p && !p->after.p) ||
	    (p->path_to.n && (!p->before.p || !p->after.p || str_eq(p->before, p->after))) ||
	    (p->before.p && !str_is_text(p->before)) || (p->after.p && !str_is_text(p->after)))
		return NULL;
	return git_diff_contents(a, p->before.p ? name : "/dev/null", p->before,
				 p->after.p ? name : "/dev/null", p->after, CHANGE_CONTEXT,
				 &e->change);
}

/*
 * Records a refused change, unless it is only proposed. Returns `why`, with the event in its
 * details. If it cannot be recorded, a warning says so.
 */
static struct err *saga_refuse(struct saga *s, struct arena *a, const struct file_proposal *p,
			       struct err *why, struct strs *warnings)
{
	struct err *failed;
	struct event e = {
		.op = str_of(p->op),
		.path = p->path,
		.path_to = p->path_to,
		.before = p->before_hash,
		.after = p->after_hash,
		.undoes = p->undoes,
	};
	struct str id = STR("");

	if (s->own->dry)
		return why;
	failed = saga_fill_event(s, a, p, &e);
	if (!failed)
		failed = event_refused(s->log, a, &e, why, &id);
	if (failed)
		strs_push(s->a, warnings,
			  str_fmt(s->a, "the refusal could not be recorded: %s",
				  err_message(failed)));
	return id.n ? err_add_detail(why, "event", id) : why;
}

/* ---- judge ---- */

static struct garden_ask saga_ask(const struct saga *s, struct arena *a,
				  const struct file_proposal *p, struct str below)
{
	return (struct garden_ask){
		.path = below,
		.user = s->log->user,
		.rationale = saga_reason(s, a, p),
		.maintainer = s->maintainer,
	};
}

/* Judges the part of a change that concerns one path. below empty: outside the garden. */
static struct err *saga_judge_path(struct saga *s, struct arena *a, struct garden_ask *q,
				   struct garden_diagnostics *all)
{
	struct garden_diagnostics some = {0};
	struct str path = {0}, stored, copy;

	if (!q->path.n)
		return NULL;
	/*
	 * The change must be committable before anything is written: nobody has staged another
	 * content, that Git can store it, and that the commit takes no uncommitted edit of
	 * a person along that the policy does not allow.
	 */
	if (s->commits) {
		path = str_of(os_join(a, s->own->real, str_c(a, q->path)));
		TRY(saga_open_git(s));
		TRY(saga_is_free(s, a, q, path));
	}
	/* A file that goes needs no conversion. */
	if (s->commits && q->after.p) {
		TRY(git_convert_to_object(s->own->git, a, path, q->after, &stored));
		if (q->before.p && saga_path_keeps_history_copy(q->path)) {
			copy = garden_text_history_path(a, path, q->before, os_now());
			TRY(git_convert_to_object(s->own->git, a, copy, q->before, &copy));
		}
		TRY(saga_judge_head(s, a, q, path, stored));
	}
	TRY(garden_judge_change(s->a, q, &some));
	for (size_t i = 0; i < some.n; i++)
		*VEC_PUSH(s->a, all) = some.p[i];
	return NULL;
}

/* What a verb of maintainers needs: the reason is kept in the event and in the commit. */
static struct err *saga_want_rationale(const struct saga *s, struct arena *a,
				       const struct file_proposal *p)
{
	if (saga_reason(s, a, p).n || (!p->path_to.n && p->after.p))
		return NULL;
	return err_help(err_for_param(E_MISSING_PARAMETER, STR("rationale"),
				      "a file of the garden is %s only with a rationale",
				      p->path_to.n ? "moved" : "deleted"),
			"add the reason, on one line: --rationale WHY");
}

/* Nobody writes the whole form of a profile by heart. */
static void saga_help_new(struct err *e, struct str below)
{
	struct garden_path at;
	struct str kind;

	if (!garden_path_read(below, &at) || garden_grammar[at.kind].free)
		return;
	kind = str_of(garden_kinds[at.kind]);
	err_help(e, "to make it with all its sections: ikm md new %.*s%s%.*s",
		 STR_ARG(str_sub(kind, 0, str_find_char(kind, ' ', 0))),
		 at.kind == GARDEN_OVERVIEW ? "" : " ",
		 STR_ARG(at.kind == GARDEN_OVERVIEW ? STR("") : at.id));
}

static struct err *saga_judge_one(struct saga *s, struct arena *a, const struct file_proposal *p,
				  struct saga_judgement *j, struct strs *warnings)
{
	struct garden_ask from = saga_ask(s, a, p, saga_path_below_garden(s, p->path)), to;
	struct err *e;
	struct str path;

	to = saga_ask(s, a, p, p->path_to.n ? saga_path_below_garden(s, p->path_to) : STR(""));
	if (p->asset || (!from.path.n && !to.path.n))
		return NULL;
	if (!s->own->locked)
		return err_help(err_new(E_CHANGED, "the folder of '%.*s' was replaced meanwhile",
					STR_ARG(p->path)),
				"do it again");
	*j = (struct saga_judgement){.inside = true, .path = from.path.n ? from.path : to.path};
	from.snapshot = !strcmp(p->op, "snapshot");
	from.before = p->before;
	from.after = p->path_to.n ? (struct str){0} : p->after;
	to.after = p->after;
	TRY(saga_judge_path(s, a, &from, &j->diagnostics));
	TRY(saga_judge_path(s, a, &to, &j->diagnostics));
	e = garden_diagnostics_any_blocks(&j->diagnostics)
		    ? garden_refusal(s->a, j->path, &j->diagnostics)
		    : saga_want_rationale(s, a, p);
	if (e && !from.before.p && from.after.p)
		saga_help_new(e, from.path);
	if (e)
		return saga_refuse(s, a, p, e, warnings);
	/* After a move the file keeps its front matter, and its id no longer fits: somebody has to
	 * mend that. */
	path = to.path.n ? to.path : j->path;
	VEC_EACH(const struct garden_diagnostic, d, &j->diagnostics) {
		struct str line = d->line ? str_fmt(s->a, "%zu:", d->line) : STR("");

		if (d->old || d->severity == GARDEN_INFO ||
		    (d->overridden && !(p->path_to.n && d->rule == GARDEN_RULE_IDENTITY)))
			continue;
		strs_push(s->a, warnings,
			  str_fmt(s->a, "%.*s:%.*s %.*s (%s): %.*s", STR_ARG(path), STR_ARG(line),
				  STR_ARG(d->message), garden_rules[d->rule].id, STR_ARG(d->fix)));
	}
	return NULL;
}

/* Earlier changes of the file that are not settled. Of other files reconcile tells. */
static void saga_warn_unsettled(struct saga *s, struct str path, bool waiting,
				struct strs *warnings)
{
	VEC_EACH(const struct saga_unsettled, u, &s->own->unsettled) {
		if (u->waiting != waiting || !str_eq(u->path, path))
			continue;
		if (u->n == 1)
			strs_push(s->a, warnings,
				  str_fmt(s->a,
					  "the earlier change %.*s of '%.*s' is not settled: %.*s",
					  STR_ARG(u->oldest), STR_ARG(path), STR_ARG(u->why)));
		else
			strs_push(s->a, warnings,
				  str_fmt(s->a,
					  "%zu earlier changes of '%.*s', the oldest %.*s, are not "
					  "settled: %.*s",
					  u->n, STR_ARG(path), STR_ARG(u->oldest),
					  STR_ARG(u->why)));
	}
}

static struct err *saga_judge(void *ctx, struct arena *a, const struct file_proposal *p, size_t n,
			      bool dry, struct strs *warnings)
{
	struct saga *s = ctx;

	(void)dry;
	TRY(saga_find_garden(s));
	s->own->judged = arena_array(s->a, n, sizeof(*s->own->judged));
	s->own->judged_n = n;
	for (size_t i = 0; i < n; i++)
		TRY(saga_judge_one(s, a, &p[i], &s->own->judged[i], warnings));
	for (size_t i = 0; s->own->locked && i < n; i++)
		saga_warn_unsettled(s, p[i].path, false, warnings);
	for (size_t i = 0; i < s->own->unlogged.n; i++)
		strs_push(a, warnings,
			  str_fmt(s->a,
				  "the rationale is kept in the event only: '%.*s' has no section "
				  "Change Log; add '## Change Log' with the line '<!-- @anchor: "
				  "change_log v1 -->' below it",
				  STR_ARG(s->own->unlogged.p[i])));
	strs_add_all(a, warnings, &s->own->strays);
	return NULL;
}

/* ---- place: what cannot begin, and folders ---- */

static struct err *saga_place(void *ctx, struct arena *a, const struct files *f,
			      const struct file_item *items, size_t n, const char *op)
{
	struct saga *s = ctx;
	struct saga_judgement *j;
	struct strs warnings = {0};
	struct file_proposal p;
	struct garden_ask q;
	struct str real;
	struct err *e;
	bool has;

	if (!s->own || !s->own->locked)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (saga_is_asset(&items[i]))
			continue;
		TRY(saga_garden_has_path(s, a, f->cwd, items[i].ref.path, &has, &real));
		if (!has)
			continue;
		p = (struct file_proposal){.op = op, .path = real};
		q = saga_ask(s, a, &p, saga_path_below_garden(s, real));
		j = ARENA_NEW(s->a, struct saga_judgement);
		*j = (struct saga_judgement){.inside = true, .path = str_dup(s->a, q.path)};
		garden_judge_place(s->a, &q, !strcmp(op, "mkdir"), &j->diagnostics);
		if (!garden_diagnostics_any_blocks(&j->diagnostics))
			continue;
		s->own->judged = j;
		s->own->judged_n = 1;
		e = saga_refuse(s, a, &p, garden_refusal(s->a, j->path, &j->diagnostics),
				&warnings);
		for (size_t k = 0; k < warnings.n; k++)
			err_help(e, "%.*s", STR_ARG(warnings.p[k]));
		return e;
	}
	return NULL;
}

const struct saga_judgement *saga_last_judgements(const struct saga *s, size_t *n)
{
	*n = s->own ? s->own->judged_n : 0;
	return s->own ? s->own->judged : NULL;
}

static struct err *saga_record(void *ctx, struct arena *a, const struct file_proposal *p,
			       struct event *e, struct events **log)
{
	struct saga *s = ctx;

	if (p->asset || !s->own || !s->own->locked)
		return NULL;
	*log = s->log;
	e->rationale = saga_reason(s, a, p);
	return saga_fill_event(s, a, p, e);
}

/* ---- save and keep ---- */

static struct err *saga_save(void *ctx, struct arena *a, const struct file_proposal *p)
{
	struct saga *s = ctx;
	struct str copy = STR(""), former;

	if (p->asset || !s->own || !s->own->locked || !p->before.p ||
	    !saga_path_keeps_history_copy(saga_path_below_garden(s, p->path)) ||
	    (p->after.p && str_eq(p->before, p->after)))
		return NULL;
	TRY(saga_history_copy_make(
		a, p->path, p->before,
		p->event.n && !event_kept_content_by_hash(s->log, a, p->before_hash, &former),
		&copy));
	p->done->history = str_dup(s->a, copy);
	return NULL;
}

/* The verb of a maintainer did what only a person with a rationale may commit. */
static bool saga_is_forced(const struct saga *s, const struct file_proposal *p)
{
	const struct saga_judgement *j = saga_judgement_of(s, saga_path_below_garden(s, p->path));

	if (!s->maintainer)
		return false;
	for (size_t i = 0; j && i < j->diagnostics.n; i++)
		if (j->diagnostics.p[i].overridden &&
		    garden_rules[j->diagnostics.p[i].rule].force == GARDEN_FORCE_PERSON)
			return true;
	return p->path_to.n || !p->after.p;
}

/* *again: the index was not updated, so the event stays open for the next writer. */
static struct err *saga_keep_commit(struct saga *s, struct arena *a, const struct file_proposal *p,
				    bool *again)
{
	const struct saga_commit c = {
		.event = p->event,
		.op = str_of(p->op),
		.tool = s->log->tool,
		.agent = s->log->agent,
		.rationale = saga_reason(s, a, p),
		.path = p->path,
		.path_to = p->path_to,
		.content = p->after,
		.copy = p->done->history,
		.copy_content = p->before,
		.forced = saga_is_forced(s, p),
	};
	struct str warning;

	TRY(saga_commit(s, a, &c, &p->done->commit, &warning));
	p->done->committed.b = true;
	if (s->own->detached)
		strs_push(s->a, &p->done->warnings,
			  str_fmt(s->a,
				  "HEAD of the garden is on no branch, so git forgets the commit "
				  "%.*s once another one is checked out; to keep it: git switch -c "
				  "NAME, or git switch BRANCH and git merge %.*s",
				  STR_ARG(str_sub(p->done->commit, 0, 12)),
				  STR_ARG(str_sub(p->done->commit, 0, 12))));
	*again = warning.n;
	if (warning.n)
		strs_push(s->a, &p->done->warnings,
			  str_fmt(s->a,
				  "the commit is made, but the index was not updated: %.*s; the "
				  "next write or 'ikm events reconcile' does it",
				  STR_ARG(warning)));
	return NULL;
}

static struct err *saga_keep(void *ctx, struct arena *a, const struct file_proposal *p)
{
	struct saga *s = ctx;
	struct event_outcome outcome = {.status = EVENT_COMMITTED};
	bool again = false;
	struct err *e;

	if (p->asset || !s->own || !s->own->locked)
		return NULL;
	p->done->committed.given = true;
	if (!s->commits) {
		outcome.error = STR("garden.commit is off");
		p->done->uncommitted = outcome.error;
		return event_append_step(s->log, p->event, &outcome);
	}
	e = saga_keep_commit(s, a, p, &again);
	if (e) {
		size_t waiting = 0;

		VEC_EACH(const struct saga_unsettled, u, &s->own->unsettled)
			if (u->waiting && str_eq(u->path, p->path))
				waiting += u->n;

		/* The event stays `written`: the next writer or reconcile makes the commit. */
		p->done->uncommitted = str_dup(s->a, str_of(err_message(e)));
		strs_push(
			s->a, &p->done->warnings,
			str_fmt(s->a,
				"the file is written, but Git has no commit of it yet%.*s: %s; the "
				"next write in the garden or 'ikm events reconcile' makes it",
				STR_ARG(waiting ? str_fmt(s->a, ", nor of %zu earlier change%s",
							  waiting, waiting > 1 ? "s" : "")
						: STR("")),
				err_message(e)));
		return NULL;
	}
	saga_warn_unsettled(s, p->path, true, &p->done->warnings);
	if (again)
		return NULL;
	outcome.commit = p->done->commit;
	return event_append_step(s->log, p->event, &outcome);
}

static void saga_undone(void *ctx, struct arena *a, const struct file_proposal *p)
{
	struct saga *s = ctx;
	const struct event e = {.id = p->event, .tool = s->log->tool, .agent = s->log->agent};

	if (!p->asset && s->own && s->own->locked && s->commits && p->done->history.n)
		saga_history_copy_commit(s, a, &e, p->done->history, p->before);
}

/* ---- restore: what `ikm events undo` writes ---- */

#define CHANGE_LOG STR("change_log v1")

/* The body of a section, without its heading and anchor; p NULL: there is no such section. */
static struct str restore_section(struct arena *a, struct str text, struct str anchor)
{
	struct str section;

	if (!text.p || file_section(a, text, anchor, &section))
		return (struct str){0};
	return section;
}

/* Puts one section of `from` into `text`. Both have it. */
static struct str restore_put(struct arena *a, struct str text, struct str from, struct str anchor)
{
	struct str now = restore_section(a, text, anchor);
	struct str then = restore_section(a, from, anchor);
	struct buf b = buf_in(a);

	/* Both slices are whole sections, so they fit into each other's place. */
	buf_fmt(&b, "%.*s%.*s%.*s", STR_ARG(str_sub(text, 0, (size_t)(now.p - text.p))),
		STR_ARG(then), STR_ARG(str_sub(text, (size_t)(now.p - text.p) + now.n, text.n)));
	return buf_as_str(&b);
}

/* A content by its hash: what undo keeps, or a history copy. p NULL: neither has it. */
static struct str restore_former(struct saga *s, struct arena *a, struct str path, struct str hash)
{
	struct str content, copy;

	if (!event_kept_content_by_hash(s->log, a, hash, &content))
		return content.p ? content : STR("");
	if (saga_history_copy_read(a, path, hash, &copy, &content))
		return (struct str){0};
	return content;
}

/* Restores what an event changed: see struct file_policy, restore. */
static struct err *saga_undo_content(void *ctx, struct arena *a, const struct event *e,
				     struct str now, struct str *out, bool *done)
{
	struct saga *s = ctx;
	struct str before, after, then, is;

	*done = false;
	if (!now.p || !s->own || !s->own->locked || !e->before.n || !e->after.n || e->path_to.n)
		return NULL;
	before = restore_former(s, a, e->path, e->before);
	after = str_eq(crypt_content_hash(a, now), e->after)
			? now
			: restore_former(s, a, e->path, e->after);
	if (!after.p)
		after = file_content_of_commit(a, e);
	if (!before.p || !after.p)
		return NULL;
	/*
	 * A section is restored when it still is what the event left. Other sections, and the
	 * Change Log, may have changed since.
	 */
	if (e->section_anchor.n) {
		then = restore_section(a, after, e->section_anchor);
		is = restore_section(a, now, e->section_anchor);
		if (then.p && is.p && str_eq(then, is) &&
		    restore_section(a, before, e->section_anchor).p) {
			*done = true;
			*out = restore_put(a, now, before, e->section_anchor);
			return NULL;
		}
	}
	if (!str_eq(now, after))
		return NULL;
	*done = true;
	*out = before;
	/* The Change Log tells what happened, so its lines stay. */
	if (restore_section(a, now, CHANGE_LOG).p && restore_section(a, before, CHANGE_LOG).p)
		*out = restore_put(a, before, now, CHANGE_LOG);
	return NULL;
}

/* ---- the policy ---- */

struct file_policy saga_garden_write_policy(struct saga *s)
{
	return (struct file_policy){
		.enter = saga_enter,
		.complete = saga_complete,
		.place = saga_place,
		.judge = saga_judge,
		.record = saga_record,
		.save = saga_save,
		.keep = saga_keep,
		.undone = saga_undone,
		.restore = saga_undo_content,
		.ctx = s,
	};
}

/* ---- refused before a change began ---- */

struct err *saga_record_refusal(struct saga *s, struct arena *a, const char *cwd,
				const struct saga_attempt *q, struct err *why)
{
	struct file_proposal p = {.op = q->op, .undoes = q->undoes};
	struct strs warnings = {0};
	struct str content;
	bool from = false, to = false;

	/* What cannot be looked at is no file of the garden that could have been changed. */
	if (saga_garden_has_path(s, a, cwd, q->path, &from, &p.path))
		return why;
	if (q->path_to.n && saga_garden_has_path(s, a, cwd, q->path_to, &to, &p.path_to))
		return why;
	if (!from && !to)
		return why;
	/* The file as it is: nothing was changed. */
	if (!q->undoes.n && !os_read_path(a, str_c(a, p.path), FILE_BYTES_MAX, &content)) {
		p.before_hash = crypt_content_hash(a, content);
		if (p.path_to.n)
			p.after_hash = p.before_hash;
	}
	why = saga_refuse(s, a, &p, why, &warnings);
	for (size_t i = 0; i < warnings.n; i++)
		err_help(why, "%.*s", STR_ARG(warnings.p[i]));
	return why;
}

/* ---- repeats ---- */

struct err *saga_event_still_holds(struct saga *s, struct arena *a, const struct event *e,
				   bool *holds)
{
	struct str path = e->path_to.n ? e->path_to : e->path, now, then, section;
	struct err *failed = os_read_path(a, str_c(a, path), FILE_BYTES_MAX, &now);

	*holds = false;
	TRY(saga_find_garden(s));
	if (failed) {
		*holds = err_reason(failed) == E_FILE_NOT_FOUND && !e->after.n;
		return NULL;
	}
	*holds = str_eq(crypt_content_hash(a, now), e->after);
	if (*holds || !e->section_anchor.n || !e->after.n)
		return NULL;
	then = restore_former(s, a, path, e->after);
	section = restore_section(a, then, e->section_anchor);
	*holds = section.p && str_eq(section, restore_section(a, now, e->section_anchor));
	return NULL;
}
