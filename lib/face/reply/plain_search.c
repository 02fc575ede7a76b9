/*
 * How a model reads the matches of search. The lines of a file stand below its name; "12:" begins a
 * match, "11-" a neighbour.
 */
#include "plain_for_model.h"
#include "json/json.h"

struct plain_at {
	struct str path;
	int64_t line; /* the last line that was printed */
};

static void plain_put_line(struct buf *b, struct plain_at *at, int64_t line, char mark,
			   struct str text)
{
	/* Several matches of one line stand below each other. */
	if (line < at->line || (line == at->line && mark == '-'))
		return;
	if (at->line && line > at->line + 1 && mark == '-')
		buf_puts(b, "--\n");
	buf_fmt(b, "%jd%c%.*s\n", (intmax_t)line, mark, STR_ARG(text));
	at->line = line;
}

/* Returns the number of the last line. */
static int64_t plain_put_match_lines(struct buf *b, struct plain_at *at, int64_t line,
				     struct str text)
{
	for (;; line++) {
		size_t lf = str_find_char(text, '\n', 0);

		plain_put_line(b, at, line, ':', str_sub(text, 0, size_min(lf, text.n)));
		if (lf == SIZE_MAX)
			return line;
		text = str_sub(text, lf + 1, text.n);
	}
}

static void plain_search_print(struct arena *a, struct buf *b, const struct val *v)
{
	struct plain_at at = {0};

	(void)a;
	VAL_EACH(val_get(v, "matches"), m) {
		const struct val *before = val_get(m, "before"), *next = m->next;
		int64_t line = val_get_int(m, "line"),
			from = line - (int64_t)(before ? before->n : 0);
		struct str path = val_get_str(m, "path");

		if (!str_eq(path, at.path)) {
			buf_fmt(b, "%s%.*s\n", at.path.n ? "\n" : "", STR_ARG(path));
			at = (struct plain_at){.path = path};
		}
		VAL_EACH(before, one)
			plain_put_line(b, &at, from++, '-', one->s);
		line = plain_put_match_lines(b, &at, line, val_get_str(m, "text"));
		if (val_get_int(m, "end") > line)
			line = val_get_int(m, "end");
		if (next && !str_eq(val_get_str(next, "path"), path))
			next = NULL;
		VAL_EACH(val_get(m, "after"), one) {
			if (next && line + 1 >= val_get_int(next, "line"))
				break;
			plain_put_line(b, &at, ++line, '-', one->s);
		}
	}
}

const struct plain plain_search = {
	.print = plain_search_print,
	.template =
		"{/paths:{.}\n}{/changes:{diff%n}}{/counts:{path}:{count}\n}"
		"{/types:{name}: {files}\n}"
		"{?!matches&!paths&!counts&!changes&!types:nothing matches in {files} {?files=1:file|files}\n|"
		"{?truncated:[{?!^from:the first }"
		"{?paths:{#paths}|{?counts:{#counts}|{?changes:{#changes}|{#matches}}}}"
		" of {total}{?^from:, from {from}}; narrow the search, or give offset or limit]\n}}"
		"{?skipped.binary:[{skipped.binary} {?skipped.binary=1:file|files} not searched: no text]\n}"
		"{?skipped.unreadable:[{skipped.unreadable} {?skipped.unreadable=1:file|files} could not be read]\n}"
		"{?skipped.gaveUp:[{skipped.gaveUp} {?skipped.gaveUp=1:file|files} took too long to search]\n}"
		"{?apply:[nothing was written; {apply}]\n}",
};
