/* The cache of answers to --schema. A second search then costs one stat for each program. */
#include "tool/internal.h"
#include "json/json.h"
#include "record/record.h"

#define VERSION   1
#define BYTES_MAX ((size_t)32 << 20)
/* A failure may pass: a network drive, or a package that is being installed. */
#define FAILURE_MS ((int64_t)60 * 1000)

/* The file's content. A program that failed has `why` and `at`; other programs have `document`. */
struct memo_file {
	int64_t version;
	struct tool_memos programs;
};
#define M struct tool_memo
static const struct field memo_rows[] = {
	FIELD_OF(M, path, "the program", .min = 1, .max = INT64_MAX),
	FIELD_OF(M, dev, "its device"),
	FIELD_OF(M, ino, "its inode"),
	FIELD_OF(M, size, "its bytes"),
	FIELD_OF(M, mtime, "its time of change"),
	FIELD_OF(M, document, "what it answered", .flags = OPTIONAL),
	FIELD_OF(M, why, "why there is no document", .flags = IF_ANY),
	FIELD_OF(M, late, "it had no answer in time", .flags = IF_ANY),
	FIELD_OF(M, at, "when it failed", .flags = IF_ANY),
	{0},
};
#undef M
static const struct field memo_file_rows[] = {
	FIELD_OF(struct memo_file, version, "of the format", .min = VERSION, .max = VERSION),
	FIELD_RECORDS(struct memo_file, programs, "programs", memo_rows, "all that were asked"),
	{0},
};

void tool_memos_read(struct arena *a, const char *home, struct tool_memos *out)
{
	static const struct record_reader how = {.what = "tools.cache", .unknown = RECORD_REFUSED};
	struct memo_file file = {0};
	struct str text;
	struct val *v;

	*out = (struct tool_memos){0};
	if (home && !os_read(a, os_join(a, home, "tools.cache"), BYTES_MAX, &text) &&
	    !json_read(a, text, NULL, &v) && !record_read(a, &how, memo_file_rows, v, &file))
		*out = file.programs;
}

void tool_memos_write(struct arena *a, const char *home, const struct tool_memos *memos)
{
	struct memo_file file = {.version = VERSION};

	for (size_t i = 0; i < memos->n; i++)
		if (str_is_utf8(memos->p[i].path))
			*VEC_PUSH(a, &file.programs) = memos->p[i];
	if (os_write(os_join(a, home, "tools.cache"),
		     json_text(a, record_val(a, memo_file_rows, &file)), 0))
		return;
}

const struct tool_memo *tool_memo_of(const struct tool_memos *memos, struct str path,
				     const struct os_stat *st)
{
	for (size_t i = 0; i < memos->n; i++) {
		const struct tool_memo *m = &memos->p[i];
		int64_t age;

		if (!str_eq(m->path, path))
			continue;
		if (m->dev != (int64_t)st->dev || m->ino != (int64_t)st->ino ||
		    m->size != (int64_t)st->size || m->mtime != st->mtime_ns)
			return NULL;
		age = os_now() - m->at;
		/* If the clock was set back, do not keep the failure for ever. */
		return m->document || (age >= 0 && age < FAILURE_MS) ? m : NULL;
	}
	return NULL;
}
