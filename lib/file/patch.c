/* A diff's files: computed one after the other in memory, then written, or put back. */
#include "file/patching.h"
#include "crypt/crypt.h"
#include "file/backend.h"

#define SYMLINK    0120000
#define SUBMODULE  0160000
#define EXECUTABLE 0100755

/* A file that the diff is about, as it was and as it shall be; p NULL: there is none. */
struct item {
	struct file_ref ref;
	struct str before, now;
	struct item *source;     /* what it is a rename of */
	uint32_t mode, new_mode; /* of a file, as it was and as it shall be; 0: as it comes */
	bool executable;         /* a new one */
	size_t row;              /* of the result, the last that is about it */
	struct item *next;       /* in the order of the diff */
	struct item *same_slot;
};

#define SLOTS 4096

struct job {
	struct files *f;
	const struct file_patch *p;
	struct patch diff;
	struct file_patch_result *out;
	struct item *first, **last;
	struct item **slots;
	struct item *at; /* the one that is written */
};

static struct err *file_patch_named(struct err *e, struct str name)
{
	return err_detail(err_in(e, "'%.*s'", STR_ARG(name)), "path", name);
}

/* ---- one section ---- */

static bool file_patch_creates(const struct job *j, const struct patch_file *s)
{
	return j->p->reverse ? s->removes : s->creates;
}

static bool file_patch_removes(const struct job *j, const struct patch_file *s)
{
	return j->p->reverse ? s->creates : s->removes;
}

static bool file_patch_may_create(const struct job *j, const struct patch_file *s)
{
	const struct patch_hunk *h = s->hunks;

	return file_patch_creates(j, s) ||
	       (s->n == 1 && !(j->p->reverse ? h->new_line : h->old_line));
}

static bool file_patch_is_kind(const struct patch_file *s, uint32_t mode)
{
	return s->old_mode == mode || s->new_mode == mode;
}

/* Whether the section wants its file to be executable. */
static bool is_executable(const struct job *j, const struct patch_file *s)
{
	return (j->p->reverse ? s->old_mode : s->new_mode) == EXECUTABLE;
}

/*
 * The mode that a section makes of one: x where it may be read, or nowhere. A diff tells no more of
 * a mode. What has none keeps none, and is told.
 */
static uint32_t changed_mode(struct job *j, const struct patch_file *s, uint32_t mode,
			     struct str name)
{
	bool executable = is_executable(j, s);

	if (!s->old_mode || !s->new_mode || s->old_mode == s->new_mode)
		return mode;
	if (mode)
		return executable ? mode | (mode & 0444) >> 2 : mode & ~(uint32_t)0111;
	strs_push(j->f->a, &j->out->warnings,
		  str_fmt(j->f->a, "'%.*s' has no mode: the diff makes it %s", STR_ARG(name),
			  executable ? "executable" : "not executable"));
	return 0;
}

/* A mode that changes, as a flag. */
static unsigned mode_flag(uint32_t was, uint32_t now)
{
	return now != was ? OS_MODE(now) : 0;
}

static bool differs(struct str a, struct str b)
{
	return !a.p != !b.p || !str_eq(a, b);
}

static int64_t farther(int64_t a, int64_t b)
{
	return (b < 0 ? -b : b) > (a < 0 ? -a : a) ? b : a;
}

/* What is there with the section applied; *done is its row of the result, without path. */
static struct err *compute(struct job *j, struct arena *a, const struct patch_file *s,
			   struct str old, struct str *new, struct file_patched *done)
{
	const struct patch_options options = {j->p->fuzz, j->p->reverse};
	struct patch_hunk_done *hunks = arena_array(a, s->n, sizeof(*hunks));
	struct err *e;

	if (file_patch_is_kind(s, SYMLINK) || file_patch_is_kind(s, SUBMODULE))
		return err_new(E_BAD_PATCH,
			       "it is a %s in the diff: only regular files can be patched",
			       file_patch_is_kind(s, SYMLINK) ? "symbolic link" : "submodule");
	done->hunks = s->n;
	e = patch_apply(a, s, old, &options, new, hunks);
	if (e && j->p->forward && patch_is_applied(a, s, old, j->p->reverse)) {
		*new = old;
		e = NULL;
	}
	if (e)
		return e;
	for (size_t i = 0; i < s->n; i++) {
		done->offset = farther(done->offset, hunks[i].offset);
		done->fuzz = hunks[i].fuzz > done->fuzz ? hunks[i].fuzz : done->fuzz;
	}
	if (new->p &&new->n > FILE_BYTES_MAX)
		return err_new(E_TOO_BIG, "it would be over the limit of %zu bytes",
			       FILE_BYTES_MAX);
	done->status = !differs(old, *new) ? PATCH_UNCHANGED
		       : !old.p            ? PATCH_CREATED
		       : !new->p           ? PATCH_DELETED
					   : PATCH_MODIFIED;
	done->hash = new->p ? crypt_content_hash(j->f->a, *new) : STR("");
	return NULL;
}

/* Deleting and renaming is for maintainers, by whichever tool. */
static struct err *not_kept(struct str name, const struct file_patched *row)
{
	struct err *e;

	if (row->status == PATCH_RENAMED)
		e = err_new(E_NOT_ALLOWED,
			    "the diff renames '%.*s' to '%.*s', which only a "
			    "maintainer may do; no file was changed",
			    STR_ARG(name), STR_ARG(row->path));
	else
		e = err_new(E_NOT_ALLOWED,
			    "the diff deletes '%.*s', which only a maintainer may do; "
			    "no file was changed",
			    STR_ARG(name));
	err_detail(e, "path", name);
	return err_help(e, "leave that file out of the diff, and ask the user to do it; a "
			   "maintainer gives --maintainer");
}

/* ---- one file, under its lock ---- */

struct single {
	struct job *j;
	const struct patch_file *s;
	const struct file_ref *r;
	struct file_patched *done;
};

static struct err *change_single(void *ctx, struct arena *a, const struct str *old, struct str *new)
{
	struct single *c = ctx;
	struct str content = old ? *old : (struct str){0}, none;
	struct err *e = compute(c->j, a, c->s, content, new, c->done);

	/* What is not there is told as a read would tell it. */
	if (e && !old && !file_patch_removes(c->j, c->s) && err_reason(e) == E_FILE_NOT_FOUND)
		TRY(file_read(c->j->f, a, c->r, FILE_BYTES_MAX, &none));
	if (e)
		return file_patch_named(e, c->r->shown);
	if (c->j->p->keeps && content.p && !new->p)
		return not_kept(c->r->shown, c->done);
	if (c->j->p->dry)
		*new = content;
	return NULL;
}

/* Its folder need not be there either, so there is nothing to lock. */
static struct err *without_file(struct single *c)
{
	struct str want = c->j->p->if_match, new;

	if (want.p && !str_is(want, "none"))
		return err_new(E_CHANGED, "'%.*s' is not there", STR_ARG(c->r->shown));
	return change_single(c, c->j->f->a, NULL, &new);
}

static struct err *patch_single(struct job *j, const struct patch_file *s, struct str name)
{
	struct file_patched *row = VEC_PUSH(j->f->a, j->out);
	struct file_write w = {.op = "patch", .if_match = j->p->if_match, .flags = j->p->flags};
	struct file_ref r;
	struct single c = {j, s, &r, row};
	struct file_stat st;
	unsigned mode = 0;
	struct file_done done;

	row->path = name;
	TRY(file_ref(j->f, name, &r));
	if (file_patch_may_create(j, s))
		w.flags |= OS_PARENTS | (is_executable(j, s) ? OS_EXECUTABLE : 0);
	TRY(file_stat(j->f, &r, &st));
	if (st.kind != OS_NONE && !file_patch_removes(j, s))
		mode = mode_flag(st.mode, changed_mode(j, s, st.mode, name));
	w.flags |= j->p->dry ? 0 : mode;
	if (st.kind == OS_NONE && (j->p->dry || !file_patch_may_create(j, s)))
		return without_file(&c);
	TRY(file_change(j->f, &r, &w, change_single, &c, &done));
	row->event = done.event;
	for (size_t i = 0; i < done.warnings.n; i++)
		strs_push(j->f->a, &j->out->warnings, done.warnings.p[i]);
	if (row->status == PATCH_UNCHANGED && mode)
		row->status = PATCH_MODIFIED;
	return NULL;
}

/* ---- several: in memory ---- */

static struct err *file_patch_load(struct job *j, struct str name, struct item **out)
{
	struct item **slot = &j->slots[str_hash(name) % SLOTS], *it;
	struct file_stat st;
	struct err *e;

	for (it = *slot; it && !str_eq(it->ref.shown, name);)
		it = it->same_slot;
	*out = it;
	if (it)
		return NULL;
	it = ARENA_NEW(j->f->a, struct item);
	TRY(file_ref(j->f, name, &it->ref));
	TRY(file_stat(j->f, &it->ref, &st));
	e = file_read(j->f, j->f->a, &it->ref, FILE_BYTES_MAX, &it->before);
	if (e && err_reason(e) != E_FILE_NOT_FOUND && err_reason(e) != E_NO_SUCH_ASSET)
		return e;
	if (e)
		it->before = (struct str){0};
	it->mode = it->new_mode = e ? 0 : st.mode;
	it->now = it->before;
	it->same_slot = *slot;
	*slot = it;
	*j->last = it;
	j->last = &it->next;
	*out = it;
	return NULL;
}

/*
 * The source is gone and the target is there: an apply that was killed may have renamed it and have
 * changed it or not.
 */
static struct err *resume(struct job *j, const struct patch_file *s, struct item *to,
			  struct file_patched *row)
{
	if (s->n && !patch_is_applied(j->f->a, s, to->now, j->p->reverse))
		return compute(j, j->f->a, s, to->now, &to->now, row);
	row->hunks = s->n;
	row->status = PATCH_UNCHANGED;
	row->hash = crypt_content_hash(j->f->a, to->now);
	return NULL;
}

static struct err *to_new(struct job *j, const struct patch_file *s, struct item *from,
			  struct item *to, struct file_patched *row)
{
	struct str new;

	if (j->p->forward && to->now.p && (s->copies || !from->now.p))
		return resume(j, s, to, row);
	TRY(compute(j, j->f->a, s, from->now, &new, row));
	if (to->now.p)
		return err_new(E_EXISTS, "the diff %s it from '%.*s', and it is there already",
			       s->renames ? "renames" : "copies", STR_ARG(from->ref.shown));
	to->now = new;
	to->new_mode = changed_mode(j, s, from->new_mode, row->path);
	row->status = s->renames ? PATCH_RENAMED : PATCH_CREATED;
	if (!s->renames)
		return NULL;
	to->source = from->before.p && !to->before.p ? from : NULL;
	from->now = (struct str){0};
	return NULL;
}

static struct err *file_patch_section(struct job *j, const struct patch_file *s)
{
	struct file_patched *row = VEC_PUSH(j->f->a, j->out);
	struct item *from, *to;
	struct str old;
	struct err *e;

	TRY(file_patch_names(j->f, s, j->p->strip, j->p->reverse, &row->from, &row->path));
	TRY(file_patch_load(j, row->from, &from));
	TRY(file_patch_load(j, row->path, &to));
	to->row = j->out->n - 1;
	if (from != to) {
		e = to_new(j, s, from, to, row);
		return e ? file_patch_named(e, row->path) : NULL;
	}
	old = to->now;
	e = compute(j, j->f->a, s, old, &to->now, row);
	if (e)
		return file_patch_named(e, row->path);
	row->from = (struct str){"", 0};
	if (s->copies) {
		to->now = (struct str){0};
		row->status = PATCH_DELETED;
		row->hash = STR("");
	}
	if (row->status == PATCH_CREATED) {
		to->executable = is_executable(j, s);
	} else if (to->now.p) {
		uint32_t was = to->new_mode;

		to->new_mode = changed_mode(j, s, was, row->path);
		if (row->status == PATCH_UNCHANGED && to->new_mode != was)
			row->status = PATCH_MODIFIED;
	}
	return NULL;
}

/* ---- several: written, or put back ---- */

struct step {
	struct item *it;
	bool move;
	struct str was, now; /* of a change: what it replaced, and what it wrote */
	uint32_t mode;       /* of what it replaced */
	struct str event;
	struct os_made *made;
};
struct steps {
	struct step *p;
	size_t n, cap;
};

/* Folders are made here, so that they can be taken back. */
static struct err *make_parents(struct job *j, struct item *it, struct steps *steps)
{
	struct str path = it->ref.path;
	size_t slash = str_rfind_char(path, '/');
	struct os_made *made;

	if (it->ref.backend != &backend_fs || it->before.p || slash == SIZE_MAX || !slash)
		return NULL;
	TRY(os_roots_mkdirs(j->f->roots, j->f->a, j->f->cwd, str_sub(path, 0, slash), 0777, &made));
	if (made)
		*VEC_PUSH(j->f->a, steps) = (struct step){.it = it, .made = made};
	return NULL;
}

/* Noted before it is done: what failed may be in place all the same (os_write). */
static struct err *file_patch_put(struct job *j, struct item *it, struct str was, uint32_t mode,
				  struct steps *steps)
{
	struct file_write w = {.op = "patch", .if_match = STR_INIT("none")};
	struct step *step = VEC_PUSH(j->f->a, steps);
	struct file_done done;

	j->at = it;
	*step = (struct step){.it = it, .was = was, .now = it->now, .mode = mode};
	w.flags = j->p->flags | (it->executable ? OS_EXECUTABLE : 0) |
		  (it->now.p ? mode_flag(mode, it->new_mode) : 0);
	if (was.p)
		w.if_match = crypt_content_hash(j->f->a, was);
	TRY(file_change(j->f, &it->ref, &w, file_replace, &it->now, &done));
	step->event = j->out->p[it->row].event = done.event;
	for (size_t i = 0; i < done.warnings.n; i++)
		strs_push(j->f->a, &j->out->warnings, done.warnings.p[i]);
	return NULL;
}

/* A rename moves the file, so that it keeps its mode, and changes it there: one event for both. */
static struct err *rename_item(struct job *j, struct item *it, struct item *source,
			       struct steps *steps)
{
	bool changes = differs(source->before, it->now);
	struct step *step = VEC_PUSH(j->f->a, steps);
	struct file_write w = {
		.op = changes ? "patch" : "move",
		.if_match = crypt_content_hash(j->f->a, source->before),
		.flags = j->p->flags | mode_flag(source->mode, it->new_mode),
	};
	struct file_done done;
	struct err *e;

	*step = (struct step){.it = it,
			      .move = true,
			      .was = source->before,
			      .now = it->now,
			      .mode = source->mode};
	e = file_move_change(j->f, &source->ref, &it->ref, &w, changes ? file_replace : NULL,
			     &it->now, &done);
	step->event = j->out->p[it->row].event = done.event;
	TRY(e);
	for (size_t i = 0; i < done.warnings.n; i++)
		strs_push(j->f->a, &j->out->warnings, done.warnings.p[i]);
	source->before = (struct str){0}; /* nothing is left to remove there */
	return NULL;
}

static struct err *write_item(struct job *j, struct item *it, struct steps *steps)
{
	struct item *source = it->source && !it->source->now.p ? it->source : NULL;

	j->at = it;
	TRY(make_parents(j, it, steps));
	if (source && source->ref.backend == it->ref.backend)
		return rename_item(j, it, source, steps);
	return differs(it->before, it->now) || it->mode != it->new_mode
		       ? file_patch_put(j, it, it->before, it->mode, steps)
		       : NULL;
}

/* What it was already, stays: it failed before anything was done. */
static struct err *back(void *ctx, struct arena *a, const struct str *old, struct str *new)
{
	const struct step *s = ctx;
	struct str there = old ? *old : (struct str){0};

	(void)a;
	*new = s->was;
	if (differs(there, s->was) && differs(there, s->now))
		return err_new(E_CHANGED, "it was changed meanwhile");
	return NULL;
}

static struct err *undo_move(struct job *j, struct step *s, const struct file_write *w)
{
	struct file_done done;
	struct file_stat st;

	TRY(file_stat(j->f, &s->it->source->ref, &st));
	if (st.kind != OS_NONE)
		return NULL;
	return file_move_change(j->f, &s->it->ref, &s->it->source->ref, w,
				differs(s->was, s->now) ? back : NULL, s, &done);
}

static struct err *undo(struct job *j, struct step *s)
{
	struct file_write w = {.op = "undo", .undoes = s->event};
	struct file_done done;

	if (s->made) {
		os_unmake(s->made);
		return NULL;
	}
	w.flags = s->was.p && s->mode ? OS_MODE(s->mode) : 0;
	return s->move ? undo_move(j, s, &w) : file_change(j->f, &s->it->ref, &w, back, s, &done);
}

/* Backwards. What went wrong is told anew: undoing makes errors of its own, and few are kept. */
static struct err *file_patch_put_back(struct job *j, const struct err *why,
				       const struct steps *steps)
{
	enum err_reason reason = err_reason(why);
	struct str message = str_dup(j->f->a, str_of(err_message(why)));
	struct strs left = {0};
	struct err *e;

	for (size_t i = steps->n; i--;)
		if (undo(j, &steps->p[i]))
			strs_push(j->f->a, &left, steps->p[i].it->ref.shown);
	e = err_new(reason, "%.*s; %s", STR_ARG(message),
		    left.n ? "other files are changed already, and could not be put back"
			   : "no file was changed");
	if (left.n)
		err_detail_list(e, "changed", &left);
	return err_detail(e, "path", j->at->ref.shown);
}

static struct err *file_patch_write_all(struct job *j, struct steps *steps)
{
	/* What goes away goes last: a kill before that loses nothing. */
	for (struct item *it = j->first; it; it = it->next)
		if (it->now.p && (differs(it->before, it->now) || it->mode != it->new_mode))
			TRY(write_item(j, it, steps));
	for (struct item *it = j->first; it; it = it->next)
		if (it->before.p && !it->now.p)
			TRY(file_patch_put(j, it, it->before, it->mode, steps));
	return NULL;
}

/* The row that takes the file away under this name. */
static const struct file_patched *renamed_from(const struct job *j, struct str name)
{
	const struct file_patched *row = &j->out->p[0];

	for (size_t i = 0; i < j->out->n; i++)
		if (str_eq(j->out->p[i].from, name) || str_eq(j->out->p[i].path, name))
			row = &j->out->p[i];
	return row;
}

static struct err *patch_several(struct job *j)
{
	struct steps steps = {0};
	struct err *e;

	if (j->p->if_match.p)
		return err_detail(err_new(E_BAD_ARGUMENT,
					  "the hash to match is of one file, and the "
					  "diff has %zu, or renames one",
					  j->diff.n),
				  "parameter", STR("ifMatch"));
	j->slots = arena_array(j->f->a, SLOTS, sizeof(struct item *));
	j->last = &j->first;
	/* Sections build upon those before them. */
	for (size_t i = 0; i < j->diff.n; i++)
		TRY(file_patch_section(j, &j->diff.p[j->p->reverse ? j->diff.n - 1 - i : i]));
	for (const struct item *it = j->first; j->p->keeps && it; it = it->next)
		if (it->before.p && !it->now.p)
			return not_kept(it->ref.shown, renamed_from(j, it->ref.shown));
	if (j->p->dry)
		return NULL;
	e = file_patch_write_all(j, &steps);
	return e ? file_patch_put_back(j, e, &steps) : NULL;
}

struct err *file_patch(struct files *f, const struct file_patch *p, struct file_patch_result *out)
{
	struct job j = {.f = f, .p = p, .out = out};
	struct str from, to;

	*out = (struct file_patch_result){0};
	TRY(patch_read(f->a, p->diff, &j.diff));
	if (p->path.p && j.diff.n > 1)
		return err_help(err_new(E_BAD_ARGUMENT,
					"the diff is of %zu files, and '%.*s' is one", j.diff.n,
					STR_ARG(p->path)),
				"leave the path away: the diff names its files");
	if (p->path.p)
		return patch_single(&j, &j.diff.p[0], p->path);
	if (j.diff.n > 1)
		return patch_several(&j);
	TRY(file_patch_names(f, &j.diff.p[0], p->strip, p->reverse, &from, &to));
	return str_eq(from, to) && !j.diff.p[0].copies ? patch_single(&j, &j.diff.p[0], to)
						       : patch_several(&j);
}
