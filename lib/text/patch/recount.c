/* Corrects the counts of hunk headers, as `git apply --recount` does: models count badly. */
#include "patch/patch.h"

/* "-12,3" or "-12": the end of the number, or 0. */
static size_t recount_number(struct str s, size_t at, char sign)
{
	size_t from = at + 1;

	if (at >= s.n || s.p[at] != sign)
		return 0;
	for (at = from; at < s.n && ascii_is_digit(s.p[at]);)
		at++;
	return at > from ? at : 0;
}

static size_t recount_skip_count(struct str s, size_t at)
{
	if (at < s.n && s.p[at] == ',')
		for (at++; at < s.n && ascii_is_digit(s.p[at]);)
			at++;
	return at;
}

/* Counts the lines of a hunk. Blank lines at its end are no lines of it. */
static void recount_hunk(struct str body, size_t *old, size_t *new)
{
	size_t blank = 0;

	*old = *new = 0;
	while (body.n) {
		struct str line = str_line_from(body, 0);

		body = str_sub(body, line.n, body.n);
		if (!str_trim(line).n && line.p[0] != ' ') {
			blank++;
			continue;
		}
		/* The line begins another part of the diff. */
		if (str_starts(line, STR("@@ ")) || str_starts(line, STR("diff ")) ||
		    str_starts(line, STR("Index: ")) || !strchr(" +-\\", line.p[0]) ||
		    (str_starts(line, STR("--- ")) && str_starts(body, STR("+++ "))))
			return;
		*old += blank + (line.p[0] != '+' && line.p[0] != '\\');
		*new += blank + (line.p[0] != '-' && line.p[0] != '\\');
		blank = 0;
	}
}

bool patch_recount(struct arena *a, struct str text, struct str *out)
{
	struct buf b = buf_in(a);
	struct str rest = text;
	bool changed = false;

	while (rest.n) {
		struct str line = str_line_from(rest, 0), head;
		size_t old_end, new_at, new_end, end, old, new;

		rest = str_sub(rest, line.n, rest.n);
		old_end = str_starts(line, STR("@@ ")) ? recount_number(line, 3, '-') : 0;
		new_at = old_end ? recount_skip_count(line, old_end) + 1 : 0;
		new_end = new_at ? recount_number(line, new_at, '+') : 0;
		end = new_end ? recount_skip_count(line, new_end) : 0;
		if (!end || !str_starts(str_sub(line, end, line.n), STR(" @@"))) {
			buf_put(&b, line);
			continue;
		}
		recount_hunk(rest, &old, &new);
		head = str_fmt(a, "%.*s,%zu %.*s,%zu%.*s", STR_ARG(str_sub(line, 0, old_end)), old,
			       STR_ARG(str_sub(line, new_at, new_end)), new,
			       STR_ARG(str_sub(line, end, line.n)));
		changed = changed || !str_eq(head, line);
		buf_put(&b, head);
	}
	*out = buf_as_str(&b);
	return changed;
}
