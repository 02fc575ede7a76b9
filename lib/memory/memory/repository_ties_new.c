/* Ties a memory to files and to the present commit, and renews these ties. */
#include "memory/repository_ties_internal.h"
#include "os/os.h"

static struct err *ties_no_identity(void)
{
	return err_help(err_new(E_NO_REPOSITORY,
				"the repository has neither a commit nor an origin yet, so ikm "
				"could not know it again"),
			"make the first commit: git commit");
}

/* The repository's identity, HEAD, and the time. */
static struct err *ties_stamp(struct memory_ground *ground, struct memory_file *out)
{
	if (!ground || !ground->g)
		return err_help(err_new(E_NO_REPOSITORY,
					"a memory can only be tied to files of a Git repository, "
					"and this folder is in none"),
				"run ikm in the repository, or give the file in 'source'");
	TRY(memory_ground_set_repository(ground));
	if (!ground->repository.n)
		return ties_no_identity();
	if (!ground->has_head)
		TRY(git_head(ground->g, ground->a, &ground->head));
	ground->has_head = true;
	out->repository = ground->repository;
	out->commit = ground->head.commit;
	out->checked = os_now();
	return NULL;
}

/* ---- the name ---- */

static struct err *ties_outside(struct str path, const char *top)
{
	return err_help(err_for_param(E_BAD_PATH, STR("files"),
				      "'%.*s' is not in the repository '%s'", STR_ARG(path), top),
			"name a file in its working tree");
}

static struct err *ties_nested(struct arena *a, const char *top, struct str below)
{
	struct os_stat st;

	for (size_t at = str_find_char(below, '/', 0); at != SIZE_MAX;
	     at = str_find_char(below, '/', at + 1)) {
		struct str folder = str_sub(below, 0, at);
		const char *git = os_join(a, os_join(a, top, str_c(a, folder)), ".git");

		TRY(os_stat(git, false, &st));
		if (st.kind == OS_NONE)
			continue;
		return err_help(err_for_param(E_BAD_PATH, STR("files"),
					      "'%.*s' lies in another repository, '%.*s'",
					      STR_ARG(below), STR_ARG(folder)),
				"run ikm in that repository: ikm -C '%.*s'", STR_ARG(folder));
	}
	return NULL;
}

/* The path below the top, through links. */
static struct err *ties_below(struct memory_ground *ground, struct arena *a, const char *cwd,
			      struct str path, struct str *out)
{
	const char *top = git_top(ground->g), *real, *real_top;
	struct str below;

	if (!top)
		return err_help(
			err_new(E_NO_REPOSITORY, "the repository is bare: it has no working tree"),
			"run it in a clone: ikm -C DIR");
	TRY(os_realpath(
		a, str_starts(path, STR("/")) ? str_c(a, path) : os_join(a, cwd, str_c(a, path)),
		&real));
	TRY(os_realpath(a, top, &real_top));
	below = str_of(real);
	if (!str_starts(below, str_of(real_top)) || below.p[strlen(real_top)] != '/')
		return ties_outside(path, top);
	below = str_sub(below, strlen(real_top) + 1, below.n);
	if (str_is(below, ".git") || str_starts(below, STR(".git/")))
		return ties_outside(path, top);
	if (!str_is_text(below))
		return err_help(err_for_param(E_BAD_PATH, STR("files"),
					      "'%.*s' has a name that is no UTF-8 text",
					      STR_ARG(str_utf8(a, path))),
				"rename it: mv OLD NEW");
	TRY(ties_nested(a, real_top, below));
	*out = below;
	return NULL;
}

/* ---- lines ---- */

/*
 * Splits "PATH:10", "PATH:10:20" and "PATH:10-20". A file whose whole name is like that comes
 * first. *lines is empty when there are none.
 */
static struct err *ties_split(struct arena *a, const struct os_roots *roots, const char *cwd,
			      struct str spec, struct str *path, struct str *lines)
{
	struct tied_range range;
	struct os_stat st;
	size_t last = str_rfind_char(spec, ':'), before;
	struct str tail, head;
	int64_t n;

	*path = spec;
	*lines = STR("");
	TRY(os_roots_stat(roots, cwd, spec, &st));
	if (st.kind != OS_NONE || last == SIZE_MAX || !last)
		return NULL;
	head = str_sub(spec, 0, last);
	tail = str_sub(spec, last + 1, spec.n);
	before = str_find_char(tail, '-', 0);
	if (before != SIZE_MAX && before)
		tail = str_fmt(a, "%.*s:%.*s", (int)before, tail.p,
			       STR_ARG(str_sub(tail, before + 1, tail.n)));
	else if (str_int(tail, &n))
		tail = str_fmt(a, "%jd:%jd", (intmax_t)n, (intmax_t)n);
	before = str_rfind_char(head, ':');
	if (before != SIZE_MAX && before && str_int(str_sub(head, before + 1, head.n), &n)) {
		tail = str_sub(spec, before + 1, spec.n);
		head = str_sub(spec, 0, before);
	}
	if (tied_range_read(tail, &range)) {
		*path = head;
		*lines = str_fmt(a, "%zu:%zu", range.from, range.to);
		return NULL;
	}
	TRY(os_roots_stat(roots, cwd, head, &st));
	if (st.kind == OS_NONE)
		return NULL;
	return err_help(err_for_param(E_BAD_ARGUMENT, STR("files"),
				      "'%.*s' is not a range of lines",
				      STR_ARG(str_sub(spec, head.n + 1, spec.n))),
			"write PATH, PATH:A or PATH:A:B, counted from 1, with A not above B");
}

/* Sets hash and bytes. */
static struct err *ties_hash(struct arena *a, struct str bytes, struct memory_file *f)
{
	struct str text = tied_text_normalize(a, bytes);
	struct tied_starts starts;
	struct tied_range range;

	if (f->lines.n && tied_range_read(f->lines, &range)) {
		tied_text_line_starts(a, text, &starts);
		if (range.to > starts.n - 1)
			return err_help(
				err_detail_int(err_for_param(E_BAD_ARGUMENT, STR("files"),
							     "'%.*s' has %zu lines, so it has no "
							     "lines %.*s",
							     STR_ARG(f->path), starts.n - 1,
							     STR_ARG(f->lines)),
					       "lines", (int64_t)starts.n - 1),
				"give lines that the file has, or the file alone");
		text = tied_range_text(text, &starts, &range);
	}
	f->bytes = (int64_t)text.n;
	f->hash = tied_file_content_hash(a, text);
	return NULL;
}

/* ---- adding ---- */

struct err *memory_file_from_spec(struct memory_ground *ground, struct arena *a,
				  const struct os_roots *roots, const char *cwd, struct str spec,
				  struct memory_file *out)
{
	struct str path, bytes;

	*out = (struct memory_file){0};
	TRY(ties_stamp(ground, out));
	TRY(ties_split(a, roots, cwd, spec, &path, &out->lines));
	TRY(os_roots_read(roots, a, cwd, path, MEMORY_FILE_MAX, &bytes));
	TRY(ties_below(ground, a, cwd, path, &out->path));
	return ties_hash(a, bytes, out);
}

struct err *memory_ties_set_commit(struct memory_ground *ground, struct memory *one)
{
	struct memory_file stamp = {0};
	struct err *e;

	if (one->layer != MEMORY_PROJECT || !ground || !ground->g)
		return NULL;
	e = ties_stamp(ground, &stamp);
	/* Nothing can be told about a memory that was made before the first commit. */
	if (e)
		return err_reason(e) == E_NO_REPOSITORY ? NULL : e;
	one->repository = stamp.repository;
	one->commit = stamp.commit;
	one->branch = ground->head.branch;
	one->change = ground->head.change;
	return NULL;
}

/* ---- renewing ---- */

static struct err *ties_renew_file(struct memory_ground *ground, struct arena *a,
				   const struct memory_file_now *now, struct memory_file *f)
{
	struct str bytes, path = f->path, repository = f->repository;

	TRY(ties_stamp(ground, f));
	if (!str_eq(repository, f->repository))
		return err_help(err_new(E_NO_REPOSITORY,
					"the file '%.*s' of the memory belongs to another "
					"repository, '%.*s'",
					STR_ARG(path), STR_ARG(repository)),
				"run ikm in a clone of it: ikm -C DIR");
	if (now && now->state == MEMORY_FILE_REMOVED)
		return err_help(err_new(E_FILE_NOT_FOUND, "%.*s", STR_ARG(now->note)),
				"add the memory again with the file that it speaks of now, and "
				"--supersedes");
	/* It was renamed, or its lines moved. */
	if (now && now->now_path.n)
		path = now->now_path;
	if (now && now->now_lines.n)
		f->lines = now->now_lines;
	f->path = path;
	TRY(os_read_path(a, os_join(a, git_top(ground->g), str_c(a, path)), MEMORY_FILE_MAX,
			 &bytes));
	return ties_hash(a, bytes, f);
}

struct err *memory_ties_renew(struct memory_ground *ground, struct arena *a, struct memory *one)
{
	const struct memory_ties *t = memory_ties_now(ground, a, one);
	size_t n = one->files ? one->files->n : 0;
	struct memory_file *files = arena_array(a, n + 1, sizeof(*files));

	for (size_t i = 0; i < n; i++) {
		const struct memory_file_now *now = NULL;

		memory_file_from_val(a, one->files, i, &files[i]);
		for (size_t k = 0; t && k < t->files.n; k++)
			if (str_eq(t->files.p[k].path, files[i].path) &&
			    str_eq(t->files.p[k].lines, files[i].lines))
				now = &t->files.p[k];
		TRY(ties_renew_file(ground, a, now, &files[i]));
	}
	if (n)
		one->files = memory_files_val(a, files, n);
	return memory_ties_set_commit(ground, one);
}

/* ---- joining ---- */

static struct memory_file *ties_same_file(struct memory_file *files, size_t n,
					  const struct memory_file *f)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(files[i].repository, f->repository) && str_eq(files[i].path, f->path) &&
		    str_eq(files[i].lines, f->lines))
			return &files[i];
	return NULL;
}

static struct err *ties_join_files(struct arena *a, const struct val *more, struct memory *now,
				   struct strs *told)
{
	size_t n = now->files ? now->files->n : 0;
	struct memory_file *all = arena_array(a, n + more->n, sizeof(*all)), *same, f;
	bool changed = false;

	for (size_t i = 0; i < n; i++)
		memory_file_from_val(a, now->files, i, &all[i]);
	for (size_t i = 0; i < more->n; i++) {
		memory_file_from_val(a, more, i, &f);
		same = ties_same_file(all, n, &f);
		if (same && (f.checked <= same->checked || str_eq(f.hash, same->hash)))
			continue;
		changed = true;
		*(same ? same : &all[n++]) = f;
	}
	if (!changed)
		return NULL;
	strs_push(a, told, STR("files"));
	now->files = memory_files_val(a, all, n);
	return memory_files_validate_value(a, now->files);
}

struct err *memory_ties_merge(struct memory_ground *ground, struct arena *a,
			      const struct memory *one, struct memory *now, struct strs *told)
{
	if (one->commit.n && memory_ties_commit_elsewhere(ground, now) &&
	    !memory_ties_commit_elsewhere(ground, one)) {
		strs_push(a, told, STR("madeAt"));
		now->repository = one->repository;
		now->commit = one->commit;
		now->branch = one->branch;
		now->change = one->change;
	}
	return one->files && one->files->n ? ties_join_files(a, one->files, now, told) : NULL;
}
