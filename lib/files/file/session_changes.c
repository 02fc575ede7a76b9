#include "file/session_changes.h"
#include "file/backend.h"
#include "crypt/crypt.h"

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

static struct str session_former(struct files *f, const struct session_file *s, struct str hash)
{
	struct asset_version version;
	struct str content = {0}, path;
	bool found = false;

	if (!hash.n)
		return content;
	if (!str_is(s->entity, backend_asset.name)) {
		if (event_kept_content_by_hash(f->events, f->a, hash, &content))
			return (struct str){0};
		return content.p ? content : STR("");
	}
	if (asset_path_read(f->a, s->path, false, &path) ||
	    asset_version_by_hash(f->assets, f->a, path, hash, &version, &found) || !found)
		return (struct str){0};
	return version.content.p ? version.content : STR("");
}

/* Reads the content of now, which is often the content after the last change. */
static struct err *session_now(struct files *f, struct session_file *s)
{
	struct file_ref ref;
	struct str text = {0};
	struct err *e;

	s->before = (struct file_version){s->first, session_former(f, s, s->first)};
	TRY(file_ref_resolve(f, s->path, &ref));
	e = file_read(f, f->a, &ref, FILE_BYTES_MAX, &text);
	if (e && err_code(e) != CODE_NOT_FOUND)
		return e;
	s->now = e ? STR("") : crypt_content_hash(f->a, text);
	s->later = !str_eq(s->now, s->last);
	s->after = (struct file_version){s->last, s->later ? session_former(f, s, s->last) : text};
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
			.path = e->path_to.n ? e->path_to : e->path,
			.event = e->id,
			.reason = str_dup(f->a, str_of(err_message(why))),
			.before = u.before,
			.after = u.after,
			.now = u.now,
		};
	}
	return NULL;
}
