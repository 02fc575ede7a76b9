/* The files of a memory, and its commit: reads, hashes, checks and renews them. */
#include "crypt/crypt.h"
#include "json/json.h"
#include "memory/repository_ties_internal.h"
#include "os/os.h"

#define TIED_HASH "sha256:"
/* Lines that moved are looked for until so many bytes were hashed. */
#define TIED_HASHED_MAX ((size_t)8 << 20)

_Static_assert(sizeof(enum memory_file_state) == sizeof(unsigned), "names are written as numbers");

const char *const memory_file_states[] = {MEMORY_FILE_STATES(ENUM_NAME) NULL};

#define F struct memory_file
const struct field memory_file_record[] = {
	FIELD_OF(F, repository, "the repository: its origin, else its root commit", .min = 1,
		 .max = OS_PATH_MAX),
	FIELD_OF(F, path, "the path below its top", .min = 1, .max = OS_PATH_MAX),
	FIELD_OF(F, lines, "the lines A:B; missing: the whole file", .flags = IF_ANY, .max = 64),
	FIELD_OF(F, hash, "the hash of the content, with LF as the end of a line", .min = 1,
		 .max = 80),
	FIELD_OF(F, bytes, "the bytes of the content", .max = MEMORY_FILE_MAX),
	FIELD_OF(F, commit, "HEAD when it was last checked", .flags = IF_ANY, .max = 64),
	FIELD_TIME(F, checked, "checkedAt", "when it was last checked"),
	{0},
};
#undef F

/* ---- foreign input ---- */

static bool files_is_hex(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!(ascii_is_digit(s.p[i]) || (s.p[i] >= 'a' && s.p[i] <= 'f')))
			return false;
	return true;
}

/* Reads "A:B". */
static bool tied_range_read(struct str text, struct tied_range *out)
{
	size_t colon = str_find_char(text, ':', 0);
	int64_t from, to;

	if (colon == SIZE_MAX || !str_int(str_sub(text, 0, colon), &from) ||
	    !str_int(str_sub(text, colon + 1, text.n), &to) || from < 1 || to < from)
		return false;
	*out = (struct tied_range){(size_t)from, (size_t)to};
	return true;
}

/* A path from an import must not lead out of the repository. */
static bool files_path_is_below(struct str path)
{
	struct str part, rest = path;

	if (!str_is_text(path) || str_starts(path, STR("/")))
		return false;
	while (str_next_part(&rest, '/', &part))
		if (!part.n || str_is(part, ".") || str_is(part, "..") ||
		    str_ieq(part, STR(".git")))
			return false;
	return true;
}

static struct err *files_bad(size_t i, const char *member, const char *what)
{
	return err_for_param(E_BAD_ARGUMENT, STR("files"), "files[%zu].%s %s", i, member, what);
}

static struct err *files_check_one(struct arena *a, const struct val *v, size_t i)
{
	static const struct record_reader how = {.what = "a file", .unknown = RECORD_REFUSED};
	struct memory_file f = {0};
	struct tied_range range;
	const struct str kind = STR(TIED_HASH);

	TRY(record_from_val(a, &how, memory_file_record, v, &f));
	if (!files_path_is_below(f.path))
		return files_bad(i, "path", "must be a path below the top of a repository");
	if (f.lines.n && !tied_range_read(f.lines, &range))
		return files_bad(i, "lines", "must be A:B, with A not above B");
	if (!str_starts(f.hash, kind) || f.hash.n != kind.n + 2 * SHA256_BYTES ||
	    !files_is_hex(str_sub(f.hash, kind.n, f.hash.n)))
		return files_bad(i, "hash", "must be \"" TIED_HASH "\" and 64 hexadecimal digits");
	if (!files_is_hex(f.commit) || (f.commit.n && f.commit.n < 40))
		return files_bad(i, "commit", "must be the full id of a commit");
	if (f.checked < DB_TIME_LEAST || f.checked > DB_TIME_MOST)
		return files_bad(i, "checkedAt", "is outside the years 0 to 9999");
	return str_is_text(f.repository) ? NULL
					 : files_bad(i, "repository", "must be one line of text");
}

struct err *memory_files_validate_value(struct arena *a, const struct val *files)
{
	size_t i = 0;

	if (!files)
		return NULL;
	if (files->type != VAL_LIST)
		return err_for_param(E_WRONG_TYPE, STR("files"), "files must be a list, not %s",
				     val_type_name(files->type));
	if (files->n > MEMORY_FILES_MAX)
		return err_detail_int(
			err_for_param(E_OUT_OF_RANGE, STR("files"),
				      "the memory would have %zu files; at most %d are "
				      "allowed",
				      files->n, MEMORY_FILES_MAX),
			"limit", MEMORY_FILES_MAX);
	VAL_EACH(files, v)
		TRY(files_check_one(a, v, i++));
	return NULL;
}

const struct val *memory_files_val(struct arena *a, const struct memory_file *files, size_t n)
{
	struct val *list = val_list(a);

	for (size_t i = 0; i < n; i++)
		val_add(list, record_val_with_copies(a, memory_file_record, &files[i]));
	return list;
}

/* ---- content ---- */

/* The content with LF as the end of each line. It may borrow. */
static struct str tied_text_normalize(struct arena *a, struct str bytes)
{
	struct buf b;

	if (str_find(bytes, STR("\r\n"), 0) == SIZE_MAX)
		return bytes;
	b = buf_in(a);
	for (size_t at = 0; at < bytes.n;) {
		size_t end = str_find(bytes, STR("\r\n"), at);

		buf_put(&b, str_sub(bytes, at, end == SIZE_MAX ? bytes.n : end));
		at = end == SIZE_MAX ? bytes.n : end + 1;
	}
	return buf_as_str(&b);
}

/* Where each line begins, and then the length of the text. */
struct tied_starts {
	size_t *p, n, cap;
};

static void tied_text_line_starts(struct arena *a, struct str text, struct tied_starts *out)
{
	*out = (struct tied_starts){0};
	for (size_t at = 0; at < text.n; at += str_line_from(text, at).n)
		*VEC_PUSH(a, out) = at;
	*VEC_PUSH(a, out) = text.n;
}

/* These lines, without the end of the last one. */
static struct str tied_range_text(struct str text, const struct tied_starts *s,
				  const struct tied_range *r)
{
	struct str part = str_sub(text, s->p[r->from - 1], s->p[r->to]);

	/* The last line of a file may win or lose its line end. */
	if (str_ends(part, STR("\n")))
		part.n--;
	return part;
}

/* Whether these lines have the kept content. The length is compared first: it costs nothing. */
static bool files_same_at(struct arena *a, struct str part, const struct memory_file *kept,
			  size_t *hashed)
{
	if ((int64_t)part.n != kept->bytes)
		return false;
	*hashed += part.n;
	return str_eq(crypt_content_hash(a, part), kept->hash);
}

enum tied_found tied_locate_kept_content(struct str bytes, const struct memory_file *kept,
					 struct tied_range *now)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct str text = tied_text_normalize(a, bytes);
	struct tied_starts s;
	struct tied_range was;
	size_t lines, count, hashed = 0;

	if (!kept->lines.n)
		return str_eq(crypt_content_hash(a, text), kept->hash) ? TIED_SAME : TIED_OTHER;
	if (!tied_range_read(kept->lines, &was))
		BUG("lines '%.*s'", STR_ARG(kept->lines));
	tied_text_line_starts(a, text, &s);
	lines = s.n - 1;
	count = was.to - was.from + 1;
	if (count > lines)
		return TIED_OTHER;
	/* Lines that have moved: the same in a row anywhere, the nearest to the old place first. */
	for (size_t away = 0; away < size_max(was.from, lines); away++) {
		for (int side = 0; side < 1 + (away > 0); side++) {
			size_t from = side ? was.from - away : was.from + away;

			if ((side && away >= was.from) || from + count - 1 > lines)
				continue;
			*now = (struct tied_range){from, from + count - 1};
			if (files_same_at(a, tied_range_text(text, &s, now), kept, &hashed))
				return away ? TIED_MOVED : TIED_SAME;
			if (hashed > TIED_HASHED_MAX)
				return TIED_TOO_LONG;
		}
	}
	return TIED_OTHER;
}

/* ---- tying ---- */

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
		return err_help(
			err_new(E_NO_REPOSITORY,
				"the repository has neither a commit nor an origin yet, so ikm "
				"could not know it again"),
			"make the first commit: git commit");
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

/* The path below the top, through links. */
static struct err *ties_below(struct memory_ground *ground, struct arena *a, const char *cwd,
			      struct str path, struct str *out)
{
	const char *top = git_top(ground->g), *real, *real_top;
	struct str below;
	struct os_stat st;

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
	for (size_t at = str_find_char(below, '/', 0); at != SIZE_MAX;
	     at = str_find_char(below, '/', at + 1)) {
		struct str folder = str_sub(below, 0, at);
		const char *git = os_join(a, os_join(a, real_top, str_c(a, folder)), ".git");

		TRY(os_stat(git, false, &st));
		if (st.kind == OS_NONE)
			continue;
		return err_help(err_for_param(E_BAD_PATH, STR("files"),
					      "'%.*s' lies in another repository, '%.*s'",
					      STR_ARG(below), STR_ARG(folder)),
				"run ikm in that repository: ikm -C '%.*s'", STR_ARG(folder));
	}
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
	f->hash = crypt_content_hash(a, text);
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

struct err *memory_ties_renew(struct memory_ground *ground, struct arena *a, struct memory *one)
{
	const struct memory_ties *t = memory_ties_now(ground, a, one);
	size_t n = one->files ? one->files->n : 0;
	struct memory_file *files = arena_array(a, n + 1, sizeof(*files));

	for (size_t i = 0; i < n; i++) {
		const struct memory_file_now *now = NULL;
		struct memory_file *f;
		struct str bytes, path, repository;

		memory_file_from_val(a, one->files, i, &files[i]);
		for (size_t k = 0; t && k < t->files.n; k++)
			if (str_eq(t->files.p[k].path, files[i].path) &&
			    str_eq(t->files.p[k].lines, files[i].lines))
				now = &t->files.p[k];
		f = &files[i];
		path = f->path;
		repository = f->repository;
		TRY(ties_stamp(ground, f));
		if (!str_eq(repository, f->repository))
			return err_help(err_new(E_NO_REPOSITORY,
						"the file '%.*s' of the memory belongs to another "
						"repository, '%.*s'",
						STR_ARG(path), STR_ARG(repository)),
					"run ikm in a clone of it: ikm -C DIR");
		if (now && now->state == MEMORY_FILE_REMOVED)
			return err_help(
				err_new(E_FILE_NOT_FOUND, "%.*s", STR_ARG(now->note)),
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
		TRY(ties_hash(a, bytes, f));
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

struct err *memory_ties_merge(struct memory_ground *ground, struct arena *a,
			      const struct memory *one, struct memory *now, struct strs *told)
{
	struct memory_file *all, *same, f;
	bool changed = false;
	size_t n;

	if (one->commit.n && memory_ties_commit_elsewhere(ground, now) &&
	    !memory_ties_commit_elsewhere(ground, one)) {
		strs_push(a, told, STR("madeAt"));
		now->repository = one->repository;
		now->commit = one->commit;
		now->branch = one->branch;
		now->change = one->change;
	}
	if (!one->files || !one->files->n)
		return NULL;
	n = now->files ? now->files->n : 0;
	all = arena_array(a, n + one->files->n, sizeof(*all));
	for (size_t i = 0; i < n; i++)
		memory_file_from_val(a, now->files, i, &all[i]);
	for (size_t i = 0; i < one->files->n; i++) {
		memory_file_from_val(a, one->files, i, &f);
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
