#include "judge/baseline_file.h"
#include "judge/internal.h"
#include "base/sort.h"
#include "os/os.h"

#define HEAD                                                                                       \
	"# ikm baseline 1: findings that 'ikm check --all --baseline' treats as existing.\n"       \
	"# '--update-baseline' writes it anew. Each line: fingerprint, item, path.\n"
#define FINGERPRINT 12
#define GONE_TOLD   10

/* ---- reading ---- */

ORDER_OF(by_entry, struct baseline_entry, ORDER_STR(fingerprint) || ORDER_UP(line))

static struct err *baseline_bad(const struct baseline *b, size_t line, const char *what)
{
	return err_help(err_new(E_BAD_ARGUMENT, "%.*s:%zu: %s", STR_ARG(b->file), line, what),
			"correct the line; or remove the file and write it anew: ikm check --all "
			"--baseline %.*s --update-baseline",
			STR_ARG(b->file));
}

static bool baseline_is_print(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!memchr("0123456789abcdef", s.p[i], 16))
			return false;
	return s.n == FINGERPRINT;
}

static struct err *baseline_read(struct arena *a, struct str text, struct baseline *b)
{
	struct str line;

	for (size_t n = 1; str_next_line(&text, &line); n++) {
		struct baseline_entry e = {.line = n};
		struct str rest = line;

		if (!line.n || line.p[0] == '#')
			continue;
		if (str_starts(line, STR("<<<<<<<")) || str_starts(line, STR("=======")) ||
		    str_starts(line, STR(">>>>>>>")))
			return baseline_bad(b, n, "a conflict that is not resolved");
		if (!str_next_part(&rest, '\t', &e.fingerprint) ||
		    !baseline_is_print(e.fingerprint))
			return baseline_bad(b, n,
					    "the line does not begin with a fingerprint, 12 "
					    "hexadecimal digits");
		if (str_find_char(rest, '\t', 0) == SIZE_MAX ||
		    !str_next_part(&rest, '\t', &e.item) || !e.item.n)
			return baseline_bad(b, n,
					    "a tab, the item, a tab and the path must follow "
					    "the fingerprint");
		e.path = rest;
		*VEC_PUSH(a, &b->entries) = e;
	}
	VEC_SORT(&b->entries, by_entry);
	return NULL;
}

struct err *baseline_open(struct arena *a, struct str file, bool all, bool paths, bool update,
			  struct baseline **out)
{
	struct baseline *b = ARENA_NEW(a, struct baseline);
	struct str text;
	struct err *e;

	*out = NULL;
	if (update && (!file.n || !all))
		return err_help(err_new(E_BAD_ARGUMENT, "--update-baseline writes what the whole "
							"tree has"),
				"ikm check --all --baseline FILE --update-baseline");
	if (!file.n)
		return NULL;
	if (!all && !paths)
		return err_help(err_new(E_BAD_ARGUMENT,
					"--baseline is for --all and PATH; other checks compare "
					"with a commit"),
				"ikm check --all --baseline FILE");
	*b = (struct baseline){.file = file, .update = update};
	*out = b;
	e = os_read_path(a, str_c(a, file), BASELINE_MAX, &text);
	if (e && update && err_reason(e) == E_FILE_NOT_FOUND)
		return NULL;
	/* An update reads it too: a file that is no baseline must not be overwritten. */
	return e ? e : baseline_read(a, text, b);
}

/* ---- comparing ---- */

/* An entry for the finding that no other finding has taken. */
static struct baseline_entry *baseline_take(struct baseline *b, struct str print)
{
	size_t low = 0, next;

	BISECT(low, mid, b->entries.n, str_cmp(b->entries.p[mid].fingerprint, print) < 0);
	if (low == b->entries.n || !str_eq(b->entries.p[low].fingerprint, print))
		return NULL;
	/* They are used in their order. */
	next = low + b->entries.p[low].taken;
	if (next == b->entries.n || !str_eq(b->entries.p[next].fingerprint, print))
		return NULL;
	b->entries.p[low].taken++;
	b->entries.p[next].used = true;
	return &b->entries.p[next];
}

ORDER_OF(by_gone_line, struct baseline_entry, ORDER_UP(line))

ORDER_OF(by_written, struct check_violation,
	 ORDER_STR(file) || ORDER_STR(item->id) || ORDER_STR(fingerprint))

static struct str baseline_text(struct arena *a, const struct check_violations *list)
{
	const struct check_violation **p =
		sort_into_pointers(a, list->p, list->n, sizeof(*list->p), by_written);
	struct buf b = buf_in(a);

	buf_puts(&b, HEAD);
	for (size_t i = 0; i < list->n; i++)
		buf_fmt(&b, "%.*s\t%.*s\t%.*s\n", STR_ARG(p[i]->fingerprint),
			STR_ARG(str_quoted(a, p[i]->item->id)), STR_ARG(str_quoted(a, p[i]->file)));
	return buf_as_str(&b);
}

void baseline_apply(struct arena *a, struct baseline *b, bool all, bool keep,
		    struct check_report *r)
{
	struct baseline_list *gone = &r->baseline.gone;
	size_t kept = 0;

	r->baseline.file = b->file;
	r->baseline.entries = (unsigned)b->entries.n;
	if (b->update)
		b->text = baseline_text(a, &r->violations);
	for (size_t i = 0; i < r->violations.n; i++) {
		struct check_violation *v = &r->violations.p[i];
		bool had = baseline_take(b, v->fingerprint) != NULL;

		r->baseline.matched += had;
		r->baseline.added += b->update && !had;
		if (had || b->update) {
			v->existing = true;
			r->existing++;
			if (!keep)
				continue;
		}
		r->violations.p[kept++] = *v;
	}
	r->violations.n = kept;
	/* A waived finding is still there, so its entry is used. */
	for (size_t i = 0; i < r->waived.n; i++)
		baseline_take(b, r->waived.p[i].fingerprint);
	for (size_t i = 0; all && i < b->entries.n; i++)
		if (!b->entries.p[i].used)
			*VEC_PUSH(a, gone) = b->entries.p[i];
	VEC_SORT(gone, by_gone_line);
	for (size_t i = 0; !b->update && i < gone->n && i < GONE_TOLD; i++)
		*VEC_PUSH(a, &r->notes) = (struct check_note){
			.kind = CHECK_WARNING,
			.path = b->file,
			.line = gone->p[i].line,
			.message = str_fmt(
				a,
				"the finding %.*s of %.*s is gone (%.*s); "
				"--update-baseline takes it out",
				STR_ARG(gone->p[i].fingerprint), STR_ARG(gone->p[i].item),
				STR_ARG(gone->p[i].path.n ? gone->p[i].path : STR("no file")))};
	if (!b->update && gone->n > GONE_TOLD)
		check_warn(a, r, false, b->file,
			   str_fmt(a, "%zu more %s gone (--json lists all)", gone->n - GONE_TOLD,
				   gone->n - GONE_TOLD == 1 ? "finding is" : "findings are"));
}
