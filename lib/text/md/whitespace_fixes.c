/* Finds blanks and line ends that say nothing, and the edits that mend them. */
#include "md/md.h"

static void md_blank_add(struct arena *a, struct md_blank_edits *out, enum md_blank kind,
			 size_t from, size_t to, struct str new)
{
	*VEC_PUSH(a, out) = (struct md_blank_edit){kind, {from, to}, new};
}

/* Blanks at line ends matter in code and HTML, and two of them behind a text break its line. */
static bool md_blanks_matter(struct str text, const struct md *md, size_t *block, size_t line,
			     size_t from, size_t end)
{
	bool spaces = true;

	while (*block < md->n &&
	       ((md->p[*block].type != MD_CODE && md->p[*block].type != MD_HTML) ||
		md->p[*block].at.to <= line))
		++*block;
	if (*block < md->n && md->p[*block].at.from <= end)
		return true;
	for (size_t i = from; i < end; i++)
		spaces = spaces && text.p[i] == ' ';
	return from > line && spaces && end - from >= 2;
}

void md_whitespace_fixes_find(struct arena *a, struct str text, size_t body, const struct md *md,
			      struct md_blank_edits *out)
{
	size_t lf = 0, crlf = 0, block = 0, line = 0, next;

	for (size_t i = 0; (i = str_find_char(text, '\n', i)) != SIZE_MAX; i++)
		++*(i && text.p[i - 1] == '\r' ? &crlf : &lf);
	for (; line < text.n; line = next) {
		size_t nl = str_find_char(text, '\n', line), end, from;
		bool cr;

		next = nl == SIZE_MAX ? text.n : nl + 1;
		end = nl == SIZE_MAX ? text.n : nl;
		cr = nl != SIZE_MAX && end > line && text.p[end - 1] == '\r';
		end -= cr;
		for (from = end;
		     from > line && (text.p[from - 1] == ' ' || text.p[from - 1] == '\t');)
			from--;
		/*
		 * The front matter is YAML, where blanks at a line end may be data. Without blanks
		 * behind it a backslash would break the line, and a lone CR would become a part of
		 * the line end.
		 */
		if (from < end && line >= body && md->n &&
		    !(from > line && (text.p[from - 1] == '\\' || text.p[from - 1] == '\r')) &&
		    !md_blanks_matter(text, md, &block, line, from, end))
			md_blank_add(a, out, MD_TRAILING_BLANKS, from, end, STR(""));
		/* Of CR CR LF it is not known what it should be. */
		if (nl == SIZE_MAX || !lf || !crlf || (cr && end > line && text.p[end - 1] == '\r'))
			continue;
		if (cr && lf >= crlf)
			md_blank_add(a, out, MD_LINE_ENDS, end, end + 1, STR(""));
		else if (!cr && crlf > lf)
			md_blank_add(a, out, MD_LINE_ENDS, end, end, STR("\r"));
	}
	/* A lone CR ends a line too; an LF behind it would make a CR LF that the text does not
	 * have. */
	if (text.n && text.p[text.n - 1] != '\n' && text.p[text.n - 1] != '\r')
		md_blank_add(a, out, MD_FINAL_NEWLINE, text.n, text.n,
			     crlf > lf ? STR("\r\n") : STR("\n"));
}
