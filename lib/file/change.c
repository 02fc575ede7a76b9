/* The one way to change a content: compared, computed, recorded, written, by either backend. */
#include "file/backend.h"
#include "crypt/crypt.h"

struct change {
	struct files *f;
	const struct file_ref *r;
	const struct file_write *w;
	file_fn *fn;
	void *ctx;
	struct file_done *done;
	struct str id; /* of its event, while that is open */
	struct strs notes;
};

/* ---- if_match ---- */

static bool is_hash(struct str s, struct str prefix)
{
	if (!str_starts(s, prefix) || s.n != prefix.n + 2 * SHA256_BYTES)
		return false;
	for (size_t i = prefix.n; i < s.n; i++)
		if (!strchr("0123456789abcdef", s.p[i]) || !s.p[i])
			return false;
	return true;
}

static bool is_text_hash(struct str s)
{
	return str_starts(s, STR("text:"));
}

static struct err *check_if_match(struct str want)
{
	struct err *e;

	if (!want.p || str_is(want, "none") || is_hash(want, STR("sha256:")) ||
	    is_hash(want, STR("text:sha256:")))
		return NULL;
	e = err_new(E_BAD_ARGUMENT,
		    "ifMatch is '%.*s'; allowed: none, or sha256: or text:sha256: and 64 "
		    "hexadecimal digits",
		    STR_ARG(want));
	err_detail(e, "parameter", STR("ifMatch"));
	return err_help(e, "take the hash that a read, write or edit of the file gave");
}

static struct err *file_change_match(const struct change *c, struct arena *a, const struct str *old)
{
	struct str want = c->w->if_match, now = STR("none");
	struct err *e;

	if (!want.p)
		return NULL;
	if (old && is_text_hash(want))
		TRY(file_text_hash(a, *old, &now));
	else if (old)
		now = crypt_content_hash(a, *old);
	if (str_eq(now, want))
		return NULL;
	if (str_is(want, "none"))
		e = err_new(E_CHANGED, "'%.*s' exists already", STR_ARG(c->r->shown));
	else if (!old)
		e = err_new(E_CHANGED, "'%.*s' is not there any more", STR_ARG(c->r->shown));
	else
		e = err_new(E_CHANGED, "'%.*s' was changed: it is %.*s now", STR_ARG(c->r->shown),
			    STR_ARG(now));
	err_detail(e, "path", c->r->shown);
	err_detail(e, "expected", want);
	err_detail(e, "currentHash", now);
	return err_help(e, "read it again, and make the change to what is there now");
}

/* ---- the record ---- */

static struct err *unrecorded(struct err *e)
{
	return err_help(err_in(e, "nothing was changed, because it could not be recorded"),
			"name a folder that can be written in IKIGAI_HOME, or set undo.days to 0: "
			"then changes are not recorded, and cannot be undone");
}

static struct err *file_change_begin(struct change *c, struct arena *a, const struct event *event,
				     struct str former)
{
	struct err *e;

	if (!c->f->events)
		return NULL;
	e = event_begin(c->f->events, a, event, former, &c->id);
	if (e)
		return unrecorded(e);
	c->done->event = str_dup(c->f->a, c->id);
	if (former.p && former.n > (uint64_t)c->f->events->keep_bytes)
		strs_push(c->f->a, &c->notes,
			  str_fmt(c->f->a,
				  "the former content of '%.*s' has %zu bytes, more than "
				  "undo.bytes keeps: this change cannot be undone",
				  STR_ARG(str_utf8(c->f->a, c->r->shown)), former.n));
	return NULL;
}

static struct err *file_change_end(void *ctx, struct arena *a, const struct err *failed)
{
	struct change *c = ctx;
	struct str id = c->id;

	(void)a;
	if (!id.n)
		return NULL;
	c->id = (struct str){0};
	return event_end(c->f->events, id, failed ? err_message(failed) : NULL);
}

/* ---- a change ---- */

static struct err *file_change_ask(void *ctx, struct arena *a, const struct str *old,
				   struct str *new)
{
	struct change *c = ctx;
	struct file_done *done = c->done;

	TRY(file_change_match(c, a, old));
	if (old && c->w->flags & OS_EXCLUSIVE)
		return err_new(E_EXISTS, "'%.*s' exists already", STR_ARG(c->r->shown));
	TRY(c->fn(c->ctx, a, old, new));
	if (new->p &&new->n > FILE_BYTES_MAX)
		return err_detail_int(err_new(E_TOO_BIG,
					      "'%.*s' would be over the limit of %zu "
					      "bytes",
					      STR_ARG(c->r->shown), FILE_BYTES_MAX),
				      "limit", (int64_t)FILE_BYTES_MAX);
	*done = (struct file_done){
		.before = old ? crypt_content_hash(c->f->a, *old) : STR(""),
		.hash = new->p ? crypt_content_hash(c->f->a, *new) : STR(""),
		.size = new->p ? new->n : 0,
		.created = !old &&new->p,
	};
	done->changed = !str_eq(done->before, done->hash);
	return NULL;
}

static struct err *begin_change(void *ctx, struct arena *a, struct str where, const struct str *old,
				uint32_t before_mode, uint32_t after_mode)
{
	struct change *c = ctx;
	const struct event e = {
		.entity = str_of(c->r->backend->name),
		.op = str_of(c->w->op),
		.path = where,
		.before = c->done->before,
		.after = c->done->hash,
		.before_mode = before_mode,
		.after_mode = after_mode,
		.undoes = c->w->undoes,
	};

	c->done->changed = true;
	/* Assets keep their former versions themselves. */
	return file_change_begin(c, a, &e,
				 old && c->r->backend == &backend_fs ? *old : (struct str){0});
}

struct err *file_change(struct files *f, const struct file_ref *r, const struct file_write *w,
			file_fn *fn, void *ctx, struct file_done *out)
{
	struct change c = {.f = f, .r = r, .w = w, .fn = fn, .ctx = ctx, .done = out};
	const struct backend_change b = {.op = w->op,
					 .flags = w->flags,
					 .fn = file_change_ask,
					 .begin = begin_change,
					 .end = file_change_end,
					 .ctx = &c};
	struct strs warnings = {0};

	*out = (struct file_done){0};
	TRY(check_if_match(w->if_match));
	TRY(r->backend->change(f, r->path, &b, &warnings));
	for (size_t i = 0; i < c.notes.n; i++)
		strs_push(f->a, &warnings, c.notes.p[i]);
	out->warnings = warnings;
	return NULL;
}

/* ---- a move ---- */

static struct err *begin_move(void *ctx, struct arena *a, struct str from, struct str to,
			      struct str content, uint32_t mode, struct str *new)
{
	struct change *c = ctx;
	bool other_mode = mode && c->w->flags & OS_MODE_GIVEN;
	struct event e;

	TRY(file_change_match(c, a, &content));
	if (c->fn)
		TRY(c->fn(c->ctx, a, &content, new));
	if (new->p && str_eq(*new, content))
		*new = (struct str){0};
	c->done->before = c->done->hash = crypt_content_hash(c->f->a, content);
	if (new->p)
		c->done->hash = crypt_content_hash(c->f->a, *new);
	c->done->size = new->p ? new->n : content.n;
	c->done->changed = true;
	e = (struct event){
		.entity = str_of(c->r->backend->name),
		.op = str_of(c->w->op),
		.path = from,
		.path_to = to,
		.before = c->done->before,
		.after = c->done->hash,
		.before_mode = other_mode ? mode : 0,
		.after_mode = other_mode ? OS_MODE_OF(c->w->flags) : 0,
		.undoes = c->w->undoes,
	};
	return file_change_begin(
		c, a, &e, new->p && c->r->backend == &backend_fs ? content : (struct str){0});
}

struct err *file_replace(void *ctx, struct arena *a, const struct str *old, struct str *new)
{
	(void)a;
	(void)old;
	*new = *(struct str *)ctx;
	return NULL;
}

struct err *file_move_change(struct files *f, const struct file_ref *from,
			     const struct file_ref *to, const struct file_write *w, file_fn *fn,
			     void *ctx, struct file_done *out)
{
	struct change c = {.f = f, .r = from, .w = w, .fn = fn, .ctx = ctx, .done = out};
	bool asks = f->events || w->if_match.p || fn || w->flags & OS_MODE_GIVEN;
	struct strs warnings = {0};
	const struct backend_move m = {
		.op = w->op,
		.flags = w->flags,
		.changes = fn || w->flags & OS_MODE_GIVEN,
		.begin = asks ? begin_move : NULL,
		.end = file_change_end,
		.ctx = &c,
		.warnings = &warnings,
	};

	*out = (struct file_done){0};
	TRY(check_if_match(w->if_match));
	if (from->backend != to->backend)
		return err_help(
			err_new(E_BAD_ARGUMENT,
				"'%.*s' and '%.*s' are not both files or both stored assets",
				STR_ARG(from->shown), STR_ARG(to->shown)),
			"read the one, write the other, and remove the first");
	TRY(from->backend->move(f, from->path, to->path, &m));
	for (size_t i = 0; i < c.notes.n; i++)
		strs_push(f->a, &warnings, c.notes.p[i]);
	out->warnings = warnings;
	return NULL;
}

struct err *file_move_as(struct files *f, const struct file_ref *from, const struct file_ref *to,
			 const struct file_write *w, struct file_done *out)
{
	return file_move_change(f, from, to, w, NULL, NULL, out);
}

struct err *file_move(struct files *f, const struct file_ref *from, const struct file_ref *to,
		      unsigned flags)
{
	const struct file_write w = {.op = "move", .flags = flags};
	struct file_done done;

	return file_move_as(f, from, to, &w, &done);
}
