/* The cache of answers to --schema. A second search then costs one stat for each program. */
#include "tool/internal.h"
#include "json/json.h"

#define VERSION   1
#define BYTES_MAX ((size_t)32 << 20)
/* A failure may pass: a network drive, or a package that is being installed. */
#define FAILURE_MS ((int64_t)60 * 1000)

static bool read_memo(const struct val *v, struct tool_memo *out)
{
	int64_t dev, ino, size;

	if (!val_as_int(val_get(v, "dev"), &dev) || !val_as_int(val_get(v, "ino"), &ino) ||
	    !val_as_int(val_get(v, "size"), &size))
		return false;
	*out = (struct tool_memo){
		.path = val_get_str(v, "path"),
		.st = {.dev = (uint64_t)dev,
		       .ino = (uint64_t)ino,
		       .size = (uint64_t)size,
		       .mtime_ns = val_get_int(v, "mtime")},
		.document = val_get(v, "document"),
		.why = val_get_str(v, "why"),
		.at = val_get_int(v, "at"),
	};
	return out->path.n && (out->document || out->why.n);
}

void tool_memos_read(struct arena *a, const char *home, struct tool_memos *out)
{
	struct tool_memo memo;
	struct str text;
	struct val *v;

	*out = (struct tool_memos){0};
	if (!home || os_read(a, os_join(a, home, "tools.cache"), BYTES_MAX, &text) ||
	    json_read(a, text, NULL, &v) || val_get_int(v, "version") != VERSION)
		return;
	VAL_EACH(val_get(v, "programs"), program)
		if (read_memo(program, &memo))
			*VEC_PUSH(a, out) = memo;
}

void tool_memos_write(struct arena *a, const char *home, const struct tool_memos *memos)
{
	struct val *v = val_map(a), *programs = val_list(a);
	struct buf b = buf_in(a);

	for (size_t i = 0; i < memos->n; i++) {
		const struct tool_memo *m = &memos->p[i];
		struct val *one;

		if (!str_is_utf8(m->path))
			continue;
		one = val_add(programs, val_map(a));
		val_set(a, one, "path", val_str(a, m->path));
		val_set(a, one, "dev", val_int(a, (int64_t)m->st.dev));
		val_set(a, one, "ino", val_int(a, (int64_t)m->st.ino));
		val_set(a, one, "size", val_int(a, (int64_t)m->st.size));
		val_set(a, one, "mtime", val_int(a, m->st.mtime_ns));
		if (m->document) {
			val_set(a, one, "document", val_copy(a, m->document));
		} else {
			val_set(a, one, "why", val_str(a, m->why));
			val_set(a, one, "at", val_int(a, m->at));
		}
	}
	val_set(a, v, "version", val_int(a, VERSION));
	val_set(a, v, "programs", programs);
	json_write(&b, v, 0);
	if (os_write(os_join(a, home, "tools.cache"), buf_str(&b), 0))
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
		if (m->st.dev != st->dev || m->st.ino != st->ino || m->st.size != st->size ||
		    m->st.mtime_ns != st->mtime_ns)
			return NULL;
		age = os_now() - m->at;
		/* If the clock was set back, do not keep the failure for ever. */
		return m->document || (age >= 0 && age < FAILURE_MS) ? m : NULL;
	}
	return NULL;
}
