/* The files of a memory: reads them from a command line, and hashes them. */
#include "crypt/crypt.h"
#include "json/json.h"
#include "memory/repository_ties_internal.h"
#include "os/os.h"

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

bool tied_range_read(struct str text, struct tied_range *out)
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

void memory_file_from_val(struct arena *a, const struct val *files, size_t i,
			  struct memory_file *out)
{
	static const struct record_reader how = {.what = "a file", .unknown = RECORD_IGNORED};
	struct err *e;

	*out = (struct memory_file){0};
	VAL_EACH(files, v)
		if (!i--) {
			e = record_from_val(a, &how, memory_file_record, v, out);
			if (e)
				BUG("files were not checked: %s", err_message(e));
			return;
		}
	BUG("a memory has fewer files");
}

const struct val *memory_files_val(struct arena *a, const struct memory_file *files, size_t n)
{
	struct val *list = val_list(a);

	for (size_t i = 0; i < n; i++)
		val_add(list, record_val_with_copies(a, memory_file_record, &files[i]));
	return list;
}

/* ---- content ---- */

struct str tied_text_normalize(struct arena *a, struct str bytes)
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

struct str tied_file_content_hash(struct arena *a, struct str text)
{
	return crypt_content_hash(a, text);
}

void tied_text_line_starts(struct arena *a, struct str text, struct tied_starts *out)
{
	*out = (struct tied_starts){0};
	for (size_t at = 0; at < text.n; at += str_line_from(text, at).n)
		*VEC_PUSH(a, out) = at;
	*VEC_PUSH(a, out) = text.n;
}

struct str tied_range_text(struct str text, const struct tied_starts *s, const struct tied_range *r)
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
	return str_eq(tied_file_content_hash(a, part), kept->hash);
}

/*
 * Finds lines again that have moved: the same lines in a row anywhere in the file, the nearest to
 * the old place.
 */
static enum tied_found files_find_lines(struct arena *a, struct str text,
					const struct memory_file *kept, struct tied_range *now)
{
	struct tied_starts s;
	struct tied_range was;
	size_t lines, count, hashed = 0;

	if (!tied_range_read(kept->lines, &was))
		BUG("lines '%.*s'", STR_ARG(kept->lines));
	tied_text_line_starts(a, text, &s);
	lines = s.n - 1;
	count = was.to - was.from + 1;
	if (count > lines)
		return TIED_OTHER;
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

enum tied_found tied_locate_kept_content(struct str bytes, const struct memory_file *kept,
					 struct tied_range *now)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct str text = tied_text_normalize(a, bytes);

	if (kept->lines.n)
		return files_find_lines(a, text, kept, now);
	return str_eq(tied_file_content_hash(a, text), kept->hash) ? TIED_SAME : TIED_OTHER;
}
