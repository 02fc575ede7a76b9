/*
 * Applies a diff: computes its files one after the other in memory, then writes them, or undoes
 * them.
 */
#include "file/patch.h"
#include "crypt/crypt.h"
#include "file/backend.h"
#include "file/charset.h"
#include "garden/path.h"
#include <inttypes.h>

const char *const file_patch_statuses[] = {FILE_PATCH_STATUSES(ENUM_NAME) NULL};

/* ---- the forms in which models write patches ---- */

/*
 * Unified diffs with wrong counts, and "*** Begin Patch", whose hunks have no line numbers. A file
 * of that form is a section of a diff like any other; only its hunks are placed by
 * match_apply_host_patch(), in the file that the caller names.
 */

/* A diff as it was written. The files of "*** Begin Patch" stand in `form` too, by the same index.
 */
struct patch_text {
	struct patch diff;
	struct host_patch form; /* n 0: a unified diff */
	bool recounted;         /* the counts in its hunk headers were wrong */
};

/* A diff can have a new file whole. */
static void patchform_add(struct arena *a, struct str content, struct patch_file *out)
{
	struct patch_hunk *h;

	out->creates = true;
	if (!content.n)
		return;
	h = out->hunks = ARENA_NEW(a, struct patch_hunk);
	out->n = out->cap = 1;
	for (size_t end; content.n; content = str_sub(content, end, content.n)) {
		if (h->n == h->cap)
			h->lines =
				arena_array_grow(a, h->lines, &h->cap, h->n + 1, sizeof(*h->lines));
		end = str_find_char(content, '\n', 0) + 1;
		h->lines[h->n++] = (struct patch_line){'+', str_sub(content, 0, end)};
	}
	h->new_line = 1;
	h->new_count = h->n;
}

static bool patchform_has(const struct host_patch_hunk *h, char kind)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->p[i].kind == kind)
			return true;
	return false;
}

static bool patchform_changes(const struct host_patch_file *f)
{
	if (f->kind != HOST_PATCH_UPDATE || f->move_to.n)
		return true;
	for (size_t i = 0; i < f->n; i++)
		if (patchform_has(&f->p[i], '+') || patchform_has(&f->p[i], '-'))
			return true;
	return false;
}

static struct err *patchform_read(struct arena *a, struct str given, struct patch_text *out)
{
	struct str counted, cwd, patch;
	struct err *e;

	*out = (struct patch_text){0};
	/* Alone, or as the here-document of a shell command. */
	if (str_starts(str_trim(given), STR("*** Begin Patch")) ||
	    (host_patch_in_command(given, &cwd, &patch) && !cwd.n)) {
		bool changes = false;

		TRY(host_patch_read(a, given, &out->form));
		VEC_EACH(const struct host_patch_file, f, &out->form) {
			struct patch_file *to = VEC_PUSH(a, &out->diff);

			*to = (struct patch_file){.old_path = f->path, .new_path = f->path};
			changes = changes || patchform_changes(f);
			if (f->kind == HOST_PATCH_ADD) {
				to->old_path = (struct str){0};
				patchform_add(a, f->content, to);
			} else if (f->kind == HOST_PATCH_DELETE) {
				to->removes = true;
				to->new_path = (struct str){0};
			} else if (f->move_to.n) {
				to->renames = true;
				to->new_path = f->move_to;
			}
		}
		if (changes)
			return NULL;
		return err_new(E_BAD_PATCH, "the patch changes nothing: %s",
			       out->form.n ? "no line of it begins with - or +"
					   : "it names no file");
	}
	e = patch_read(a, given, &out->diff);
	if (!e || !patch_recount(a, given, &counted))
		return e;
	/* The first error names the line that the caller wrote. */
	if (patch_read(a, counted, &out->diff))
		return e;
	out->recounted = true;
	return NULL;
}

static struct host_patch_file patchform_reversed(struct arena *a, const struct host_patch_file *f)
{
	struct host_patch_file back = *f;

	back.p = arena_array(a, f->n, sizeof(*back.p));
	for (size_t i = 0; i < f->n; i++) {
		const struct host_patch_hunk *from = &f->p[i];
		struct host_patch_hunk *h = &back.p[i];

		*h = *from;
		h->line = from->new_line;
		h->new_line = from->line;
		h->p = arena_array(a, from->n, sizeof(*h->p));
		for (size_t k = 0; k < from->n; k++) {
			char kind = from->p[k].kind;

			h->p[k] = from->p[k];
			h->p[k].kind = kind == '+' ? '-' : kind == '-' ? '+' : ' ';
		}
		/* Lines without a place were added at the end of the file. */
		if (!h->anchors.n && !patchform_has(from, ' ') && !patchform_has(from, '-'))
			h->at_end = true;
	}
	return back;
}

/* As patch_is_applied(). */
static bool patchform_is_applied(struct arena *a, const struct host_patch_file *f,
				 struct str content, bool reverse)
{
	const struct host_patch_file reversed = patchform_reversed(a, f);
	const struct host_patch_file *back = reverse ? f : &reversed;
	struct str ignored;
	match_set tolerated;

	if (f->kind == HOST_PATCH_DELETE)
		return !reverse && !content.p;
	/* The reverse fits, and it has lines that say where. */
	for (size_t i = 0; i < back->n; i++)
		if (!patchform_has(&back->p[i], ' ') && !patchform_has(&back->p[i], '-'))
			return false;
	return content.p && back->n &&
	       !match_apply_host_patch(a, back, content, false, &ignored, &tolerated);
}

/* The file that has an update may fit it once more: no line of it goes away. */
static bool patchform_fits_twice(const struct host_patch_file *f, bool reverse)
{
	for (size_t i = 0; i < f->n; i++)
		if (patchform_has(&f->p[i], reverse ? '+' : '-'))
			return false;
	return f->n;
}

/*
 * The content after an update or a deletion of "*** Begin Patch". p NULL: the file does not exist.
 * BAD_PATCH for the reverse of a deletion.
 */
static struct err *patchform_apply(struct arena *a, const struct host_patch_file *f, struct str old,
				   bool reverse, struct str *new, match_set *tolerated)
{
	struct host_patch_file back = patchform_reversed(a, f);
	struct err *e;

	if (f->kind == HOST_PATCH_DELETE && reverse)
		return err_help(err_new(E_BAD_PATCH,
					"'*** Delete File' has no line of the file, so its reverse "
					"cannot make the file"),
				"restore it from where it is kept: git restore, or ikm events undo "
				"for a change of a tool");
	if (f->kind == HOST_PATCH_DELETE && !old.p)
		return patch_applied_error(E_FILE_NOT_FOUND, reverse,
					   "the file that it removes does not exist");
	if (!old.p)
		return err_new(E_FILE_NOT_FOUND,
			       "the diff changes the file, but the file does not exist");
	*tolerated = 0;
	*new = (struct str){0};
	if (f->kind == HOST_PATCH_DELETE)
		return NULL;
	e = match_apply_host_patch(a, reverse ? &back : f, old, true, new, tolerated);
	if (e && patchform_is_applied(a, f, old, reverse))
		return patch_applied_error(E_HUNK_FAILED, reverse, "its reverse fits the file");
	return e;
}

/* ---- the diff ---- */

#define SYMLINK    0120000
#define SUBMODULE  0160000
#define EXECUTABLE 0100755

/* A file of the diff: its old state, and its new content (p NULL: none). */
struct item {
	struct file_item *was;
	struct str now;
	struct item *source; /* the item from which it is renamed */
	uint32_t new_mode;   /* the mode after the patch; 0: the default */
	bool executable;     /* a new file is to be executable */
	bool moved;          /* a step renames it */
	size_t row;          /* index of the last row of the result about it */
	struct item *same_slot;
};

#define SLOTS 4096

/* A section of the diff and its items. from and to differ only for renames and copies. */
struct section {
	const struct patch_file *s;
	/* Its hunks are these, which have no line numbers; NULL: they are those of s. */
	const struct host_patch_file *form;
	size_t from, to; /* indexes of items */
};

struct job {
	struct files *f;
	const struct file_patch *p;
	struct patch_text read;
	struct file_patch_result *out;
	struct section *sections;
	struct item *items; /* in the order of the diff */
	struct file_item *places;
	size_t n;
	struct item **slots;
};

static struct err *file_patch_named(struct arena *a, struct err *e, struct str name)
{
	/* The error of a read has the name already. */
	if (str_find(str_of(err_message(e)), str_fmt(a, "'%.*s'", STR_ARG(name)), 0) == SIZE_MAX)
		e = err_add_context(e, "'%.*s'", STR_ARG(name));
	return err_add_detail(e, "path", name);
}

/* ---- one section ---- */

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
 * The mode after a section. A diff says only whether a file is executable: x is then set where r is
 * set, else nowhere. A stored asset has no mode, so there is a warning.
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

static size_t section_hunks(const struct section *at)
{
	return at->form ? at->form->n : at->s->n;
}

static bool section_is_applied(const struct job *j, const struct section *at, struct str content)
{
	return at->form ? patchform_is_applied(j->f->a, at->form, content, j->p->reverse)
			: patch_is_applied(at->s, content, j->p->reverse);
}

/* Other lines are the bytes of a file, as `git diff` prints them of any encoding. */
static bool section_is_utf8(const struct section *at)
{
	for (size_t i = 0; i < at->s->n; i++)
		for (size_t k = 0; k < at->s->hunks[i].n; k++)
			if (!str_is_utf8(at->s->hunks[i].lines[k].text))
				return false;
	return true;
}

/* Applies a section to a content in UTF-8. *done: its row of the result, without path. */
static struct err *compute_text(struct job *j, const struct file_item *to, const struct section *at,
				struct str old, struct str *new, struct file_patched *done)
{
	const struct patch_options options = {
		.fuzz = j->p->fuzz, .reverse = j->p->reverse, .held = to->held};
	const struct patch_file *s = at->s;
	struct arena *a = j->f->a;
	struct patch_hunk_done *hunks = arena_array(a, s->n, sizeof(*hunks));
	match_set tolerated = 0;
	struct err *e = NULL;

	if (file_patch_is_kind(s, SYMLINK) || file_patch_is_kind(s, SUBMODULE))
		return err_help(
			err_new(E_BAD_PATCH,
				"it is a %s in the diff: only regular files can be patched",
				file_patch_is_kind(s, SYMLINK) ? "symbolic link" : "submodule"),
			"leave that file out of the diff");
	done->hunks = section_hunks(at);
	/* A section that only adds lines behind others fits the file that has them already. */
	if (j->p->forward && at->form && patchform_fits_twice(at->form, j->p->reverse) &&
	    section_is_applied(j, at, old))
		*new = old;
	else if (at->form)
		e = patchform_apply(a, at->form, old, j->p->reverse, new, &tolerated);
	else
		e = patch_apply(a, s, old, &options, new, hunks);
	if (e && section_is_applied(j, at, old)) {
		if (!j->p->forward)
			return err_help(e, "to skip such files, give --forward");
		*new = old;
		e = NULL;
	}
	if (e)
		return e;
	for (size_t i = 0; i < s->n; i++) {
		if (imaxabs(hunks[i].offset) > imaxabs(done->offset))
			done->offset = hunks[i].offset;
		done->fuzz = hunks[i].fuzz > done->fuzz ? hunks[i].fuzz : done->fuzz;
		tolerated |= hunks[i].tolerated;
	}
	done->tolerated = match_tolerated_text(a, tolerated);
	if (new->p &&new->n > FILE_BYTES_MAX)
		return err_new(E_TOO_BIG, "it would be over the limit of %zu bytes",
			       FILE_BYTES_MAX);
	done->status = !file_content_differs(old, *new) ? PATCH_UNCHANGED
		       : !old.p                         ? PATCH_CREATED
		       : !new->p                        ? PATCH_DELETED
							: PATCH_MODIFIED;
	done->hash = new->p ? crypt_content_hash(j->f->a, *new) : STR("");
	return NULL;
}

/* The same for a content in any encoding, which it keeps. */
static struct err *compute(struct job *j, const struct file_item *to, const struct section *at,
			   struct str old, struct str *new, struct file_patched *done)
{
	struct arena *a = j->f->a;
	struct charset charset;
	struct str text = old;
	enum file_ends ends;

	if (!old.n || !section_is_utf8(at)) {
		TRY(compute_text(j, to, at, old, new, done));
		if (!new->n || !section_is_utf8(at))
			return NULL;
		TRY(charset_encode_new_file(a, to, j->p->encoding, *new, &ends, new));
		done->hash = crypt_content_hash(a, *new);
		return NULL;
	}
	TRY(charset_decode_file(a, file_disk_path(&to->ref), old, j->p->encoding, &text, &charset));
	TRY(compute_text(j, to, at, text, new, done));
	if (!charset.name.n || !new->p)
		return NULL;
	TRY(charset_encode(a, &charset, text, *new, new));
	done->hash = crypt_content_hash(a, *new);
	if (charset.guessed)
		strs_push(a, &j->out->warnings,
			  str_fmt(a, "'%.*s' is not UTF-8; its encoding is guessed as %.*s",
				  STR_ARG(to->ref.shown), STR_ARG(charset.name)));
	return NULL;
}

/* ---- the names of files in a diff ---- */

/* An absolute name, also by links, is below the current folder or a root. */
static struct err *patchname_absolute(struct files *f, struct str name)
{
	const char *cwd = f->cwd, *real;
	struct str at;
	struct strs dirs = {0};
	struct err *e;

	if (f->roots)
		os_roots_paths(f->roots, f->a, &dirs);
	if (cwd || !os_cwd(f->a, &cwd))
		strs_push(f->a, &dirs, str_of(cwd));
	at = name;
	if (!os_realpath(f->a,
			 str_c(f->a, str_sub(name, 0, size_max(str_rfind_char(name, '/'), 1))),
			 &real))
		at = str_of(os_join(f->a, real, "x"));
	for (size_t i = 0; i < dirs.n; i++)
		if (str_is(dirs.p[i], "/") || str_is_below(at, dirs.p[i]))
			return NULL;
	e = err_new(E_OUTSIDE_ROOTS, "the diff names '%.*s', which is not below the current folder",
		    STR_ARG(name));
	return err_help(
		e,
		"write a name that is relative to the current folder '%s', or give the path of the file with the diff",
		cwd ? cwd : ".");
}

/* The names come from outside: they must not leave the folder, nor lead into .git. */
static struct err *patchname_check(struct files *f, struct str name)
{
	struct str rest = name, part;

	while (str_next_part(&rest, '/', &part)) {
		if (str_is(part, ".."))
			return err_new(E_OUTSIDE_ROOTS,
				       "the diff names '%.*s', which may be outside "
				       "of the current folder",
				       STR_ARG(name));
		if (str_ieq(part, STR(".git")))
			return err_help(
				err_new(E_OUTSIDE_ROOTS,
					"the diff names '%.*s', which is in a folder .git",
					STR_ARG(name)),
				"leave that file out of the diff: git changes its own files");
	}
	return name.p[0] == '/' ? patchname_absolute(f, name) : NULL;
}

static struct err *patchname_clean(struct files *f, struct str name, unsigned strip,
				   struct str *out)
{
	struct str rest = patch_strip(name, strip), part;
	struct buf b = buf_in(f->a);
	bool absolute;

	*out = (struct str){0};
	if (!name.p)
		return NULL;
	if (str_starts(rest, STR(ASSET_SCHEME)) || str_starts(rest, STR(GARDEN_URI))) {
		*out = rest;
		return NULL;
	}
	if (rest.p) {
		TRY(patchname_check(f, rest));
		absolute = rest.p[0] == '/';
		/* Turns "./a//b" into "a/b", so that a file has one name in a diff. */
		while (str_next_part(&rest, '/', &part)) {
			if (!part.n || str_is(part, "."))
				continue;
			if (b.n || absolute)
				buf_putc(&b, '/');
			buf_put(&b, part);
		}
		*out = buf_as_str(&b);
	}
	if (out->n)
		return NULL;
	return err_help(err_new(E_BAD_PATCH,
				"nothing is left of the name '%.*s' without its first "
				"%u parts",
				STR_ARG(name), strip),
			"remove fewer parts with -p, or name the file");
}

/* Whether the names are a/x and b/x, as git and agents write them. */
static bool patchname_is_prefixed(const struct patch_file *s)
{
	struct str old = s->old_path, new = s->new_path;

	if ((old.p && !str_starts(old, STR("a/"))) || (new.p && !str_starts(new, STR("b/"))))
		return false;
	return !old.p || !new.p || str_eq(str_sub(old, 2, old.n), str_sub(new, 2, new.n));
}

static size_t patchname_parts(struct str name)
{
	size_t n = 1;

	for (size_t i = 0; i < name.n; i++)
		n += name.p[i] == '/';
	return n;
}

static struct err *patchname_exists(struct files *f, struct str name, bool *out)
{
	struct file_ref r;
	struct file_stat st;

	TRY(file_ref_named(f, name, &r));
	TRY(file_stat(f, &r, &st));
	*out = st.kind != OS_NONE;
	return NULL;
}

/*
 * The files that a section of a diff reads and writes; they differ only for renames and copies.
 * Errors: BAD_PATCH when it names no file; OUTSIDE_ROOTS for names that leave the current folder
 * and the roots, or have a part .git.
 */
static struct err *file_patch_names(struct files *f, const struct patch_file *s, int strip,
				    bool reverse, struct str *from, struct str *to)
{
	unsigned n = strip >= 0 ? (unsigned)strip : s->git || patchname_is_prefixed(s) ? 1 : 0;
	struct str old, new;

	TRY(patchname_clean(f, s->old_path, n, &old));
	TRY(patchname_clean(f, s->new_path, n, &new));
	if (!old.p && !new.p)
		return err_help(err_new(E_BAD_PATCH, "the diff names no file"),
				"give the path of the file with the diff");
	if (!old.p || !new.p) {
		*from = *to = old.p ? old : new;
	} else if (s->renames || s->copies) {
		*from = reverse ? new : old, *to = reverse ? old : new;
	} else if (str_eq(old, new) || s->creates || s->removes) {
		*from = *to = s->creates ? new : old;
	} else {
		bool has_one, has_two;

		/* Picks one of two names, as for `diff -u x.orig x`. */
		TRY(patchname_exists(f, old, &has_one));
		TRY(patchname_exists(f, new, &has_two));
		if (has_one != has_two)
			*from = has_one ? old : new;
		else if (patchname_parts(old) != patchname_parts(new))
			*from = patchname_parts(old) < patchname_parts(new) ? old : new;
		else
			*from = old.n < new.n ? old : new;
	}
	if (!to->p)
		*to = *from;
	/* The reverse of a copy concerns only the copy. */
	if (s->copies && reverse)
		*to = *from;
	return NULL;
}

/* ---- the files ---- */

static struct err *file_patch_item(struct job *j, struct str name, size_t *out)
{
	struct item **slot = &j->slots[str_hash(name) % SLOTS], *it;

	for (it = *slot; it && !str_eq(it->was->ref.shown, name);)
		it = it->same_slot;
	if (!it) {
		it = &j->items[j->n];
		it->was = &j->places[j->n++];
		TRY(file_ref_named(j->f, name, &it->was->ref));
		/* A missing folder gives the error of a missing file. */
		it->was->optional = true;
		it->same_slot = *slot;
		*slot = it;
	}
	*out = (size_t)(it - j->items);
	return NULL;
}

static struct err *file_patch_name(struct job *j, struct section *at, struct file_patched *row)
{
	const struct patch_file *s = at->s;
	/* Only a unified diff names its files with a/ and b/. */
	int strip = j->read.form.n && j->p->strip < 0 ? 0 : j->p->strip;
	struct file_item *from, *to;

	if (j->p->path.p)
		row->from = row->path = j->p->path;
	else
		TRY(file_patch_names(j->f, s, strip, j->p->reverse, &row->from, &row->path));
	TRY(file_patch_item(j, row->from, &at->from));
	TRY(file_patch_item(j, row->path, &at->to));
	from = j->items[at->from].was;
	to = j->items[at->to].was;
	if (from != to) {
		from->itself = to->itself = s->renames;
		to->parents = true;
	} else if ((j->p->reverse ? s->removes : s->creates) ||
		   (s->n == 1 && !(j->p->reverse ? s->hunks->new_line : s->hunks->old_line))) {
		/* It may be made. */
		to->parents = true;
	}
	return NULL;
}

/* Lists the sections in the order in which they apply; each builds on those before it. */
static struct err *file_patch_files(struct job *j)
{
	const struct patch_text *read = &j->read;
	size_t n = read->diff.n;

	j->slots = arena_array(j->f->a, SLOTS, sizeof(struct item *));
	j->sections = arena_array(j->f->a, n, sizeof(*j->sections));
	j->items = arena_array(j->f->a, 2 * n, sizeof(*j->items));
	j->places = arena_array(j->f->a, 2 * n, sizeof(*j->places));
	for (size_t i = 0; i < n; i++) {
		size_t k = j->p->reverse ? n - 1 - i : i;

		j->sections[i].s = &read->diff.p[k];
		if (read->form.n && read->form.p[k].kind != HOST_PATCH_ADD)
			j->sections[i].form = &read->form.p[k];
		TRY(file_patch_name(j, &j->sections[i], VEC_PUSH(j->f->a, j->out)));
	}
	return NULL;
}

/* Reads the files for a dry run, without locking them or making folders. */
static struct err *file_patch_look(struct job *j)
{
	for (size_t i = 0; i < j->n; i++) {
		struct file_item *it = &j->places[i];
		struct file_stat st;
		struct err *e;

		TRY(file_stat(j->f, &it->ref, &st));
		e = file_read(j->f, j->f->a, &it->ref, FILE_BYTES_MAX, &it->content);
		if (e && err_reason(e) != E_FILE_NOT_FOUND && err_reason(e) != E_NO_SUCH_ASSET)
			return e;
		it->there = !e;
		it->mode = e ? 0 : st.mode;
		if (e)
			it->content = (struct str){0};
	}
	return NULL;
}

/* ---- the sections, in memory ---- */

static struct err *to_new(struct job *j, const struct section *at, struct item *from,
			  struct item *to, struct file_patched *row)
{
	const struct patch_file *s = at->s;
	struct str new;

	if (j->p->forward && to->now.p && (s->copies || !from->now.p)) {
		/*
		 * The source is gone and the target exists: a run that was killed has renamed it,
		 * and has perhaps changed it.
		 */
		if (section_hunks(at) && !section_is_applied(j, at, to->now))
			return compute(j, to->was, at, to->now, &to->now, row);
		row->hunks = section_hunks(at);
		row->status = PATCH_UNCHANGED;
		row->hash = crypt_content_hash(j->f->a, to->now);
		return NULL;
	}
	TRY(compute(j, from->was, at, from->now, &new, row));
	if (to->now.p)
		return err_new(E_EXISTS, "the diff %s it from '%.*s', but it exists already",
			       s->renames ? "renames" : "copies", STR_ARG(from->was->ref.shown));
	to->now = new;
	to->new_mode = changed_mode(j, s, from->new_mode, row->path);
	row->status = s->renames ? PATCH_RENAMED : PATCH_CREATED;
	if (!s->renames)
		return NULL;
	to->source = from->was->content.p && !to->was->content.p ? from : NULL;
	from->now = (struct str){0};
	return NULL;
}

static struct err *file_patch_section(struct job *j, const struct section *at,
				      struct file_patched *row)
{
	const struct patch_file *s = at->s;
	struct item *from = &j->items[at->from], *to = &j->items[at->to];
	struct str new;
	struct err *e, *missing = NULL;

	to->row = (size_t)(row - j->out->p);
	if (from != to) {
		e = to_new(j, at, from, to, row);
		return e ? file_patch_named(j->f->a, e, row->path) : NULL;
	}
	row->from = (struct str){"", 0};
	e = compute(j, to->was, at, to->now, &new, row);
	if (e) {
		/* If the diff has one file and it is missing, gives the error of a read. */
		if (j->read.diff.n == 1 && !to->now.p &&
		    !(j->p->reverse ? s->creates : s->removes) && err_reason(e) == E_FILE_NOT_FOUND)
			missing = file_read(j->f, j->f->a, &to->was->ref, FILE_BYTES_MAX, &new);
		return file_patch_named(j->f->a, missing ? missing : e, row->path);
	}
	to->now = new;
	if (s->copies && !j->p->path.p) {
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

/* The row that deletes or renames the file of this name. */
static const struct file_patched *renamed_from(const struct job *j, struct str name)
{
	const struct file_patched *row = &j->out->p[0];

	for (size_t i = 0; i < j->out->n; i++)
		if (str_eq(j->out->p[i].from, name) || str_eq(j->out->p[i].path, name))
			row = &j->out->p[i];
	return row;
}

/* Each step is computed from its own name, so one file under two names would lose a step. */
static struct err *file_patch_distinct(struct job *j)
{
	struct strs all = {0};

	for (size_t i = 0; i < j->n; i++)
		if (j->places[i].where.n)
			strs_push(j->f->a, &all, j->places[i].where);
	strs_sort(&all);
	for (size_t i = 1; i < all.n; i++)
		if (str_eq(all.p[i - 1], all.p[i]))
			return err_help(err_new(E_BAD_PATCH,
						"the diff names the file '%.*s' by two names",
						STR_ARG(all.p[i])),
					"apply the parts of the diff one after the other");
	return NULL;
}

static struct err *file_patch_compute(struct job *j)
{
	if (j->p->if_match.p)
		TRY(file_check_if_match(j->f, j->places, j->p->if_match));
	for (size_t i = 0; i < j->n; i++) {
		j->items[i].now = j->places[i].content;
		j->items[i].new_mode = j->places[i].mode;
	}
	for (size_t i = 0; i < j->read.diff.n; i++)
		TRY(file_patch_section(j, &j->sections[i], &j->out->p[i]));
	return NULL;
}

/* Tools may change files, and neither delete nor rename them. */
static struct err *file_patch_allow(void *ctx)
{
	struct job *j = ctx;

	for (size_t i = 0; j->p->keeps && i < j->n; i++)
		if (j->places[i].content.p && !j->items[i].now.p) {
			struct str name = j->places[i].ref.shown;
			const struct file_patched *row = renamed_from(j, name);
			struct err *e;

			/* Only maintainers may delete and rename, with any tool. */
			if (row->status == PATCH_RENAMED)
				e = err_new(E_NOT_ALLOWED,
					    "the diff renames '%.*s' to '%.*s', which only a "
					    "maintainer may do; no file was changed",
					    STR_ARG(name), STR_ARG(row->path));
			else
				e = err_new(
					E_NOT_ALLOWED,
					"the diff deletes '%.*s', which only a maintainer may do; "
					"no file was changed",
					STR_ARG(name));
			err_add_detail(e, "path", name);
			return err_help(
				e,
				"leave that file out of the diff, and ask a maintainer to do it");
		}
	return NULL;
}

/* ---- the steps ---- */

struct steps VEC(struct file_step);

/*
 * Adds the step for an item. A rename moves the file, so that it keeps its mode, and changes it
 * there: one event for both.
 */
static void file_patch_step(struct job *j, struct item *it, struct steps *steps)
{
	/* A file that is removed again is not moved before. */
	bool moves = it->now.p && it->source && !it->source->now.p;
	struct item *source = moves ? it->source : NULL;
	const struct file_item *was = it->was;
	struct file_step step = {.at = it->was, .w = {.op = "patch", .flags = j->p->flags}};

	if (source && source->was->ref.backend != was->ref.backend)
		source = NULL;
	if (source) {
		was = step.from = source->was;
		source->moved = true;
	}
	if (!source || file_content_differs(was->content, it->now))
		step.new = it->now;
	else
		step.w.op = "move";
	if (it->executable)
		step.w.flags |= OS_EXECUTABLE;
	if (it->now.p)
		step.w.flags |= it->new_mode != was->mode ? OS_MODE(it->new_mode) : 0;
	if (source || file_content_differs(was->content, it->now) || was->mode != it->new_mode)
		*VEC_PUSH(j->f->a, steps) = step;
}

static struct err *file_patch_commit(struct job *j, struct file_change *c)
{
	struct steps steps = {0};

	/* Deletions come last: a kill before them loses nothing. */
	for (size_t i = 0; i < j->n; i++)
		if (j->items[i].now.p)
			file_patch_step(j, &j->items[i], &steps);
	for (size_t i = 0; i < j->n; i++)
		if (!j->items[i].now.p && !j->items[i].moved)
			file_patch_step(j, &j->items[i], &steps);
	TRY(file_commit_all(c, steps.p, steps.n));
	for (size_t i = 0; i < steps.n; i++) {
		const struct file_done *done = &steps.p[i].done;
		const struct item *it = &j->items[steps.p[i].at - j->places];

		j->out->p[it->row].event = done->event;
		j->out->p[it->row].kept = *done;
		strs_add_all(j->f->a, &j->out->warnings, &done->warnings);
	}
	return NULL;
}

struct err *file_patch(struct files *f, const struct file_patch *p, struct file_patch_result *out)
{
	struct job j = {.f = f, .p = p, .out = out};
	struct file_change *c;
	struct err *e;

	*out = (struct file_patch_result){0};
	TRY(patchform_read(f->a, p->diff, &j.read));
	if (j.read.recounted)
		strs_push(f->a, &out->warnings,
			  STR("the counts in the hunk headers were wrong, and were corrected"));
	if (p->path.p && j.read.diff.n > 1)
		return err_help(err_new(E_BAD_ARGUMENT,
					"the diff is for %zu files, and '%.*s' is one",
					j.read.diff.n, STR_ARG(p->path)),
				"leave the path out: the diff names its files");
	TRY(file_patch_files(&j));
	if (p->if_match.p && j.n > 1)
		return err_for_param(E_BAD_ARGUMENT, STR("ifMatch"),
				     "ifMatch is the hash of one file, and the "
				     "diff has %zu, or renames one",
				     j.read.diff.n);
	if (p->dry) {
		TRY(file_patch_look(&j));
		TRY(file_patch_compute(&j));
		return file_patch_allow(&j);
	}
	e = file_begin_all(f, j.places, j.n, &c);
	if (e)
		return j.read.diff.n > 1 ? err_add_context(e, "no file was changed") : e;
	c->w.op = "patch";
	c->allow = file_patch_allow;
	c->allow_ctx = &j;
	e = file_patch_distinct(&j);
	if (!e)
		e = file_patch_compute(&j);
	return e ? file_abort(c, e) : file_patch_commit(&j, c);
}
