/* A report in Markdown, for the summary that GitHub shows above the log of a job. */
#include "report/entries.h"
#include "report/formats.h"
#include "report/show.h"
#include "os/os.h"

/* GitHub refuses the whole summary of a step when it is larger. */
#define SUMMARY_MAX ((size_t)1 << 20)
/* Kept free for the lines behind the tables. */
#define SUMMARY_TAIL ((size_t)4096)

/* Text from outside in a cell of a table: no mark-up, no HTML, one line. */
static void summary_text(struct buf *b, struct str s)
{
	struct arena *a ARENA_LOCAL = arena_new();

	s = str_utf8(a, s);
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if ((unsigned char)c < 0x20 || c == 0x7f)
			c = ' ';
		if (memchr("\\`*_[]<>|~&$@:#", c, 15))
			buf_putc(b, '\\');
		buf_putc(b, c);
	}
}

static void summary_cell(struct buf *b, struct str s)
{
	summary_text(b, s);
	buf_puts(b, " | ");
}

/* most: of the bytes of the whole summary so far. */
static void summary_table(struct buf *b, const struct check_entries *list,
			  enum check_entry_kind kind, size_t most)
{
	static const struct {
		const char *title, *columns, *line;
	} tables[] = {
		[ENTRY_FINDING] = {"Findings",
				   "| | place | found | reason | use instead | decided in |",
				   "|---|---|---|---|---|---|"},
		[ENTRY_NOTE] = {"Knowledge", "| | place | | |", "|---|---|---|---|"},
		[ENTRY_CHANGE] = {"Rules", "| | place | | |", "|---|---|---|---|"},
		[ENTRY_UNJUDGED] = {"Not judged", "| | place | | |", "|---|---|---|---|"},
	};
	size_t cut = 0; /* rows that did not fit */
	bool any = false;

	VEC_EACH(const struct check_entry, e, list) {
		struct arena *a ARENA_LOCAL = arena_new();
		struct buf row = buf_in(a);

		if (e->kind != kind)
			continue;
		if (!any)
			buf_fmt(&row, "\n### %s\n\n%s\n%s\n", tables[kind].title,
				tables[kind].columns, tables[kind].line);
		any = true;
		buf_fmt(&row, "| %s | ", e->blocks ? "block" : kn_severities[e->severity]);
		summary_text(&row, e->path);
		if (e->line)
			buf_fmt(&row, "\\:%zu", e->line);
		buf_puts(&row, " | ");
		if (kind == ENTRY_FINDING) {
			summary_cell(&row, str_trim(e->finding->found));
			summary_cell(&row, e->finding->message);
			summary_cell(&row, e->finding->constraint->use_instead);
			summary_text(&row, e->title);
			buf_puts(&row, ", ");
			summary_cell(&row, e->finding->item->shown_path);
		} else {
			summary_cell(&row, e->title);
			summary_cell(&row, check_entry_message(a, e, false));
		}
		row.n--; /* the blank behind the last column */
		buf_putc(&row, '\n');
		/* A row fits whole or is counted. */
		if (cut || b->n + row.n > most + 1)
			cut++;
		else
			buf_put(b, buf_as_str(&row));
	}
	if (cut)
		buf_fmt(b, "\nRows that do not fit into a summary: %zu. 'ikm check' lists all.\n",
			cut);
}

struct err *check_summary_append(struct arena *a, const struct check_report *r)
{
	const char *path = os_env("GITHUB_STEP_SUMMARY");
	struct check_entries list;
	struct str before = {"", 0};
	struct os_stat st;
	struct out *o;
	struct buf b;
	size_t room;

	if (!path)
		return NULL;
	TRY(os_stat(path, true, &st));
	if (st.kind != OS_NONE)
		TRY(os_read_path(a, path, SUMMARY_MAX, &before));
	if (before.n + 2 * SUMMARY_TAIL > SUMMARY_MAX)
		return err_new(E_TOO_BIG, "'%s' has %zu bytes already, and GitHub takes %zu", path,
			       before.n, SUMMARY_MAX);
	/* Behind what the file has already. The tables say how many rows they leave out. */
	b = buf_with_max(a, SUMMARY_MAX - before.n);
	room = SUMMARY_MAX - before.n - SUMMARY_TAIL;
	check_entries_of_report(a, r, false, &list);
	buf_fmt(&b, "## ikm check %s\n",
		!r->passed     ? "failed"
		: r->nothing.n ? "judged nothing"
			       : "passed");
	/* However many findings there are, the other tables have room. */
	summary_table(&b, &list, ENTRY_FINDING, room / 4 * 3);
	summary_table(&b, &list, ENTRY_CHANGE, room / 8 * 7);
	summary_table(&b, &list, ENTRY_NOTE, room / 16 * 15);
	summary_table(&b, &list, ENTRY_UNJUDGED, room);
	buf_putc(&b, '\n');
	o = out_new_in_memory(a);
	check_counts_text(o, r, "");
	check_done_text(o, r, false);
	summary_text(&b, str_trim(out_text_so_far(o)));
	buf_putc(&b, '\n');
	return os_write(path, str_fmt(a, "%.*s%.*s", STR_ARG(before), STR_ARG(buf_as_str(&b))), 0);
}
