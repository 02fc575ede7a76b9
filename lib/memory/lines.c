/* Reads the lines of a file in batches. */
#include "memory/line.h"
#include "os/os.h"
#include <sys/stat.h>

#define BATCH_BYTES ((size_t)64 << 20)
#define READ_BYTES  ((size_t)1 << 20)

_Static_assert(BATCH_BYTES > 2 * MEMORY_LINE_MAX, "a batch has room for a line");

/* json was given this line only, so it says "line 1". */
struct err *memory_at_line(struct err *e, size_t number)
{
	const char *message = err_message(e);

	if (str_starts(str_of(message), STR("line 1, ")))
		e = err_new(err_reason(e), "line %zu, %s", number, message + strlen("line 1, "));
	else
		e = err_in(e, "line %zu", number);
	return err_detail_int(e, "line", (int64_t)number);
}

/* The number of lines in a batch; tests set a small one. */
static size_t lines_most(void)
{
	int64_t most = (int64_t)MEMORY_LINES_MOST;
#ifdef IKM_TEST
	const char *set = os_env("IKM_IMPORT_LINES");

	if (set && (!str_int(str_of(set), &most) || most < 1 || most > (int64_t)MEMORY_LINES_MOST))
		BUG("IKM_IMPORT_LINES=%s is not 1 to %zu", set, MEMORY_LINES_MOST);
#endif
	return (size_t)most;
}

void memory_lines_start(struct memory_lines *l, struct arena *a, int fd, struct str text,
			const char *name)
{
	struct stat st;

	*l = (struct memory_lines){.name = name, .most = lines_most(), .fd = fd, .from = text};
	if (text.p)
		l->all = text.n;
	else if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		l->all = (uint64_t)st.st_size;
	/* The system gives pages only when lines are read into them. */
	l->text = arena_alloc(a, BATCH_BYTES);
	l->p = arena_array(a, l->most, sizeof(*l->p));
}

static struct err *memory_lines_fill(struct memory_lines *l)
{
	size_t n = size_min(READ_BYTES, BATCH_BYTES - l->bytes);

	if (l->from.p) {
		n = size_min(n, l->from.n);
		memcpy(l->text + l->bytes, l->from.p, n);
		l->from = str_sub(l->from, n, l->from.n);
	} else {
		TRY(os_read_some(l->fd, l->name, l->text + l->bytes, n, &n));
	}
	l->bytes += n;
	l->end = !n;
	return NULL;
}

static void take_line(struct memory_lines *l, size_t to)
{
	l->p[l->n++] = (struct str){l->text + l->begin, to - l->begin};
	l->begin = size_min(to + 1, l->bytes);
}

/* Takes complete lines, as many as a batch may have. No line ends before `from`. */
static void take_lines(struct memory_lines *l, size_t from)
{
	const char *nl;

	while (l->n < l->most && from < l->bytes) {
		nl = memchr(l->text + from, '\n', l->bytes - from);
		if (!nl)
			break;
		take_line(l, (size_t)(nl - l->text));
		from = l->begin;
	}
	/* The last line may end without a newline. */
	if (l->end && l->n < l->most && l->begin < l->bytes)
		take_line(l, l->bytes);
}

struct err *memory_lines_next(struct memory_lines *l)
{
	size_t from = 0;

	/* Move the rest of the last batch to the front. */
	l->before += l->n;
	l->n = 0;
	l->read += l->begin;
	memmove(l->text, l->text + l->begin, l->bytes - l->begin);
	l->bytes -= l->begin;
	l->begin = 0;
	for (;;) {
		take_lines(l, from);
		from = l->bytes;
		if (l->n == l->most || l->end)
			return NULL;
		if (l->bytes - l->begin > MEMORY_LINE_MAX)
			return memory_at_line(
				err_new(E_TOO_LONG, "it has more than %zu bytes", MEMORY_LINE_MAX),
				l->before + l->n + 1);
		if (l->bytes == BATCH_BYTES)
			return NULL;
		TRY(memory_lines_fill(l));
	}
}
