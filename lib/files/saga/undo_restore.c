/* What `ikm events undo` writes into a file of the garden. */
#include "saga/internal.h"
#include "crypt/crypt.h"
#include "file/undo.h"
#include "garden/section_edit.h"

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

struct err *saga_undo_content(void *ctx, struct arena *a, const struct event *e, struct str now,
			      struct str *out, bool *done)
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
