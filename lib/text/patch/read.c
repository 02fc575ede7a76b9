/* Parses unified diffs: names, files, hunks, and the extended headers of git. */
#include "patch/patch.h"

/* ---- quoted names ---- */

static char escape(char c)
{
	static const char from[] = "abtnvfr\"\\", to[] = "\a\b\t\n\v\f\r\"\\";
	const char *at = c ? strchr(from, c) : NULL;

	return at ? to[at - from] : 0;
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* Removes a C-quoted name from the front of *rest; false when there is none. */
static bool patch_unquote(struct arena *a, struct str *rest, struct str *out)
{
	struct str s = *rest;
	struct buf b = buf_in(a);
	size_t i = 1;

	if (!s.n || s.p[0] != '"')
		return false;
	for (; i < s.n && s.p[i] != '"'; i++) {
		if (s.p[i] != '\\') {
			buf_putc(&b, s.p[i]);
		} else if (i + 3 < s.n && s.p[i + 1] <= '3' && is_octal(s.p[i + 1]) &&
			   is_octal(s.p[i + 2]) && is_octal(s.p[i + 3])) {
			buf_putc(&b, (char)((s.p[i + 1] - '0') << 6 | (s.p[i + 2] - '0') << 3 |
					    (s.p[i + 3] - '0')));
			i += 3;
		} else if (i + 1 < s.n && escape(s.p[i + 1])) {
			buf_putc(&b, escape(s.p[++i]));
		} else {
			return false;
		}
	}
	if (i == s.n)
		return false;
	*out = buf_as_str(&b);
	*rest = str_sub(s, i + 1, s.n);
	return true;
}

/* ---- dates ---- */

/* Parses a zone like "+0130" into seconds. Without a zone it succeeds and sets *given to false. */
static bool zone_of(const char *s, int *seconds, bool *given)
{
	unsigned hours, minutes;
	char sign;
	int end = 0;

	*given = sscanf(s, " %c%2u%2u %n", &sign, &hours, &minutes, &end) == 3;
	if (*given) {
		*seconds = (int)(hours * 3600 + minutes * 60) * (sign == '-' ? -1 : 1);
		return !s[end] && (sign == '+' || sign == '-');
	}
	return !s[strspn(s, " ")];
}

static bool is_epoch(struct arena *a, struct str stamp)
{
	char *s = str_c(a, str_sub(str_trim(stamp), 0, 64));
	int year, month = 1, day, hour, minute, second, end = 0, zone = 0, at;
	char name[4] = "";
	bool zoned;

	if (sscanf(s, "%4d-%2d-%2d %2d:%2d:%2d%n", &year, &month, &day, &hour, &minute, &second,
		   &end) == 6) {
		if (s[end] == '.')
			end += 1 + (int)strspn(s + end + 1, "0");
	} else if (sscanf(s, "%*3s %3s %2d %2d:%2d:%2d %4d%n", name, &day, &hour, &minute, &second,
			  &year, &end) == 6) {
		month = !strcmp(name, "Dec") ? 12 : !strcmp(name, "Jan") ? 1 : 0;
	} else {
		return false;
	}
	if (year == 1970 && month == 1 && day == 1)
		at = 0;
	else if (year == 1969 && month == 12 && day == 31)
		at = -24 * 3600;
	else
		return false;
	at += hour * 3600 + minute * 60 + second;
	/* Without a zone the local time is unknown; the dates of these two days are near enough. */
	return zone_of(s + end, &zone, &zoned) && (!zoned || at == zone);
}

/* True when a blank and a date are at i: they end a name without quotes when there is no tab. */
static bool date_at(struct str s, size_t i)
{
	static const char *const days[] = {"Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "};
	struct str rest = str_sub(s, i + 1, s.n);

	if (s.p[i] != ' ')
		return false;
	for (size_t d = 0; d < ARRAY_SIZE(days); d++)
		if (str_starts(rest, str_of(days[d])))
			return true;
	for (size_t d = 0; d < 10; d++)
		if (d >= rest.n ||
		    (d == 4 || d == 7 ? rest.p[d] != '-' : rest.p[d] < '0' || rest.p[d] > '9'))
			return false;
	return true;
}

/* ---- names ---- */

/*
 * Parses a name behind "--- " and "+++ " as diff, git and other programs write it: quoted, or up to
 * a tab or a date. For /dev/null p is NULL. *epoch: the name is followed by the first moment of
 * 1970. This is how diff -N says that the file does not exist.
 */
static struct str patch_name(struct arena *a, struct str rest, bool *epoch)
{
	struct str name;
	size_t end = str_find_char(rest, '\t', 0);

	if (patch_unquote(a, &rest, &name)) {
		*epoch = is_epoch(a, rest);
	} else {
		for (size_t i = 0; end == SIZE_MAX && i < rest.n; i++)
			end = date_at(rest, i) ? i : SIZE_MAX;
		name = str_sub(rest, 0, end);
		*epoch = end != SIZE_MAX && is_epoch(a, str_sub(rest, end, rest.n));
		while (name.n && name.p[name.n - 1] == ' ')
			name.n--;
	}
	return str_is(name, "/dev/null") ? (struct str){0} : name;
}

struct str patch_strip(struct str name, unsigned strip)
{
	struct str none = {0};
	size_t at = 0;

	for (; strip; strip--) {
		at = str_find_char(name, '/', at);
		if (at == SIZE_MAX)
			return none;
		/* Several slashes in a row count as one. */
		while (at < name.n && name.p[at] == '/')
			at++;
	}
	return at < name.n ? str_sub(name, at, name.n) : none;
}

static struct str prefixed(struct arena *a, struct str prefix, struct str name)
{
	struct buf b = buf_in(a);

	buf_put(&b, prefix);
	buf_put(&b, name);
	return buf_as_str(&b);
}

/*
 * Parses the two names in the rest of a "diff --git" line. Names without quotes are ambiguous. They
 * can be told apart when they are equal behind their prefixes. They can also be told apart when the
 * section has given `from` and `to`; else these have p NULL. False when the names stay ambiguous.
 */
static bool patch_git_names(struct arena *a, struct str rest, struct str from, struct str to,
			    struct str *old, struct str *new)
{
	struct str one, two, tail = rest;

	bool quoted = patch_unquote(a, &tail, &one);
	struct str x;

	if (from.p && to.p) {
		/* `from` and `to` have no prefixes. When the line has prefixes, add them. */
		bool bare = quoted ? str_eq(one, from)
				   : str_starts(rest, from) &&
					     str_starts(str_sub(rest, from.n, rest.n), STR(" "));

		*old = bare ? from : prefixed(a, STR("a/"), from);
		*new = bare ? to : prefixed(a, STR("b/"), to);
		return true;
	}
	if (quoted && str_starts(tail, STR(" "))) {
		two = tail = str_sub(tail, 1, tail.n);
		patch_unquote(a, &tail, &two);
	} else if (rest.n % 2 && rest.p[rest.n / 2] == ' ') {
		one = str_sub(rest, 0, rest.n / 2);
		two = str_sub(rest, rest.n / 2 + 1, rest.n);
	} else {
		return false;
	}
	*old = one;
	*new = two;
	x = patch_strip(one, 1);
	return str_eq(one, two) || (x.p && str_eq(x, patch_strip(two, 1)));
}

struct reader {
	struct arena *a;
	struct str text;
	size_t at;     /* offset of the next line */
	size_t number; /* number of the last line that was read */
	struct patch *out;
};

/* ---- lines ---- */

static struct str patch_read_bare(struct str line)
{
	struct str out = {"", 0};

	str_next_line(&line, &out);
	return out;
}

static struct str patch_read_peek(const struct reader *r)
{
	return str_line_from(r->text, r->at);
}

static struct str patch_read_next(struct reader *r)
{
	struct str line = patch_read_peek(r);

	r->at += line.n;
	r->number++;
	return line;
}

/* The line after the next n lines. */
static struct str line_ahead(const struct reader *r, size_t n)
{
	size_t at = r->at;

	while (n--)
		at += str_line_from(r->text, at).n;
	return str_line_from(r->text, at);
}

PRINTF(2, 3)
static struct err *patch_read_bad(size_t line, const char *fmt, ...)
{
	struct err *e;
	va_list ap;

	va_start(ap, fmt);
	e = err_new_at_line(E_BAD_PATCH, (struct place){line, 1}, fmt, ap);
	va_end(ap);
	return e;
}

/* ---- hunks ---- */

/* Removes a range like "-12,3" from the front of *s. The default count is 1. */
static bool parse_range(struct str *s, char mark, size_t *line, size_t *count)
{
	size_t end = 1;
	int64_t n;

	if (!s->n || s->p[0] != mark)
		return false;
	*count = 1;
	for (unsigned i = 0; i < 2; i++) {
		size_t from = end;

		while (end < s->n && ascii_is_digit(s->p[end]))
			end++;
		if (!str_int(str_sub(*s, from, end), &n))
			return false;
		*(i ? count : line) = (size_t)n;
		if (i || end == s->n || s->p[end] != ',')
			break;
		end++;
	}
	*s = str_sub(*s, end, s->n);
	return true;
}

static bool begins_hunk(struct str line)
{
	return str_starts(line, STR("@@")) && !str_starts(line, STR("@@@"));
}

static bool is_hunk(struct str line, struct patch_hunk *h)
{
	if (!str_starts(line, STR("@@ ")))
		return false;
	line = str_sub(line, 3, line.n);
	if (!parse_range(&line, '-', &h->old_line, &h->old_count) || !str_starts(line, STR(" ")))
		return false;
	line = str_sub(line, 1, line.n);
	return parse_range(&line, '+', &h->new_line, &h->new_count) && str_starts(line, STR(" @@"));
}

static struct err *not_a_hunk(size_t number, struct str line)
{
	return err_help(patch_read_bad(number, "'%.*s' is not a hunk header",
				       STR_ARG(str_sub(patch_read_bare(line), 0, 60))),
			"write @@ -LINE,COUNT +LINE,COUNT @@ with the lines and counts of the old "
			"and the new file");
}

static struct err *wrong_count(size_t number, const struct patch_hunk *h, const char *what)
{
	return err_help(
		patch_read_bad(number,
			       "%s: the hunk of line %zu has %zu old and %zu new lines by its "
			       "header",
			       what, h->at, h->old_count, h->new_count),
		"old lines begin with a blank or -, new lines with a blank or +; make the "
		"diff with diff -u or git diff");
}

/* The text of a hunk's line. Adds the LF when the diff's last line has lost it. */
static struct str hunk_line(struct reader *r, struct str line)
{
	char *copy;

	if (str_ends(line, STR("\n")))
		return line;
	copy = arena_alloc(r->a, line.n + 1);
	if (line.n)
		memcpy(copy, line.p, line.n);
	copy[line.n] = '\n';
	return (struct str){copy, line.n + 1};
}

/* True when the next line looks like another line of the hunk: then the counts are too small. */
static bool is_stray(const struct reader *r)
{
	struct str line = patch_read_bare(patch_read_peek(r));

	if (!line.n || !memchr(" +-", line.p[0], 3))
		return false;
	/* Not a mail's signature, and not the next file. */
	return !str_is(line, "--") && !str_is(line, "-- ") &&
	       !(str_starts(line, STR("--- ")) && str_starts(line_ahead(r, 1), STR("+++ ")));
}

/* Some editors cut blank lines at the end of a text. diff prints at most this much context. */
#define CUT_MAX 3

static struct err *read_hunk(struct reader *r, struct patch_hunk *h)
{
	size_t old = h->old_count, new = h->new_count;
	bool changes = false;

	while (old || new) {
		struct str line = patch_read_peek(r);
		char kind = line.n ? line.p[0] : 0;

		if (!line.n && old == new &&old <= CUT_MAX) {
			line = STR("\n");
			kind = ' ';
		} else if (!line.n) {
			return wrong_count(r->number, h, "the diff ends too early");
		} else if (kind == '\\' && h->n) {
			struct str *last = &h->lines[h->n - 1].text;

			last->n -= str_ends(*last, STR("\n"));
			patch_read_next(r);
			continue;
		} else if (kind == '\n' || kind == '\t' || str_is(line, "\r\n")) {
			kind = ' '; /* it has lost its blank */
			line = hunk_line(r, patch_read_next(r));
		} else if (kind == ' ' || kind == '-' || kind == '+') {
			line = hunk_line(r, str_sub(patch_read_next(r), 1, line.n));
		} else {
			return wrong_count(r->number + 1, h, "the hunk ends too early");
		}
		if ((kind != '+' && !old) || (kind != '-' && !new))
			return wrong_count(r->number, h,
					   kind == '+'   ? "one new line too many"
					   : kind == '-' ? "one old line too many"
							 : "one line too many");
		changes = changes || kind != ' ';
		old -= kind != '+';
		new -= kind != '-';
		if (h->n == h->cap)
			h->lines = arena_array_grow(r->a, h->lines, &h->cap, h->n + 1,
						    sizeof(*h->lines));
		h->lines[h->n++] = (struct patch_line){kind, line};
	}
	if (str_starts(patch_read_peek(r), STR("\\ ")) && h->n) {
		h->lines[h->n - 1].text.n -= str_ends(h->lines[h->n - 1].text, STR("\n"));
		patch_read_next(r);
	}
	if (!changes)
		return patch_read_bad(h->at,
				      "the hunk changes nothing: no line begins with - or +");
	if (is_stray(r))
		return wrong_count(r->number + 1, h, "one line too many");
	return NULL;
}

static struct err *read_hunks(struct reader *r, struct patch_file *f)
{
	struct patch_hunk h = {0};

	for (;;) {
		struct str line = patch_read_peek(r);
		size_t at = r->at, blank = 0;

		/* Pasted hunks may have empty lines between them. */
		while (f->n && line.n && !patch_read_bare(line).n) {
			at += line.n;
			blank++;
			line = str_line_from(r->text, at);
		}
		if (!begins_hunk(line))
			return NULL;
		r->at = at + line.n;
		r->number += blank + 1;
		if (!is_hunk(line, &h))
			return not_a_hunk(r->number, line);
		h = (struct patch_hunk){.old_line = h.old_line,
					.old_count = h.old_count,
					.new_line = h.new_line,
					.new_count = h.new_count,
					.at = r->number};
		TRY(read_hunk(r, &h));
		if (f->n == f->cap)
			f->hunks = arena_array_grow(r->a, f->hunks, &f->cap, f->n + 1, sizeof(h));
		f->hunks[f->n++] = h;
	}
}

/* ---- files ---- */

static bool has_only_lines(const struct patch_file *f, char kind)
{
	for (size_t i = 0; i < f->n; i++)
		for (size_t l = 0; l < f->hunks[i].n; l++)
			if (f->hunks[i].lines[l].kind != kind)
				return false;
	return true;
}

static struct err *patch_read_push(struct reader *r, struct patch_file *f, size_t at)
{
	if (f->creates && !has_only_lines(f, '+'))
		return patch_read_bad(at, "a file that the diff creates has old lines");
	if (f->removes && !has_only_lines(f, '-'))
		return patch_read_bad(at, "a file that the diff removes has new lines");
	if (f->creates && f->removes)
		return patch_read_bad(at, "the diff both creates and removes the file");
	*VEC_PUSH(r->a, r->out) = *f;
	return NULL;
}

/* Reads "--- ", "+++ " and the hunks, also in a section of git. */
static struct err *patch_read_names(struct reader *r, struct patch_file *f)
{
	bool old_epoch, new_epoch;

	f->old_path = patch_name(r->a, str_sub(patch_read_bare(patch_read_next(r)), 4, SIZE_MAX),
				 &old_epoch);
	f->new_path = patch_name(r->a, str_sub(patch_read_bare(patch_read_next(r)), 4, SIZE_MAX),
				 &new_epoch);
	TRY(read_hunks(r, f));
	if (!f->n)
		return not_a_hunk(r->number + 1, patch_read_peek(r));
	f->creates |= !f->old_path.p;
	f->removes |= !f->new_path.p;
	/* The date alone proves nothing: files from 1970 exist. */
	if (f->n == 1 && old_epoch && !f->hunks[0].old_line && !f->hunks[0].old_count)
		f->creates = true;
	if (f->n == 1 && new_epoch && !f->hunks[0].new_line && !f->hunks[0].new_count)
		f->removes = true;
	return NULL;
}

static bool patch_read_after(struct str line, const char *prefix, struct str *rest)
{
	if (!str_starts(line, str_of(prefix)))
		return false;
	*rest = str_sub(line, strlen(prefix), line.n);
	return true;
}

static uint32_t patch_read_mode_of(struct str s)
{
	uint32_t mode = 0;

	for (size_t i = 0; i < s.n && i < 6 && s.p[i] >= '0' && s.p[i] <= '7'; i++)
		mode = mode << 3 | (uint32_t)(s.p[i] - '0');
	return mode;
}

static struct str patch_read_plain_name(struct arena *a, struct str s)
{
	struct str name = s;

	return patch_unquote(a, &s, &name) ? name : s;
}

/* Reads a line of git between "diff --git" and the names; false when it is another line. */
static bool extended(struct reader *r, struct str line, struct patch_file *f, struct str *from,
		     struct str *to)
{
	struct str rest;

	if (patch_read_after(line, "old mode ", &rest)) {
		f->old_mode = patch_read_mode_of(rest);
	} else if (patch_read_after(line, "new mode ", &rest)) {
		f->new_mode = patch_read_mode_of(rest);
	} else if (patch_read_after(line, "deleted file mode ", &rest)) {
		f->old_mode = patch_read_mode_of(rest);
		f->removes = true;
	} else if (patch_read_after(line, "new file mode ", &rest)) {
		f->new_mode = patch_read_mode_of(rest);
		f->creates = true;
	} else if (patch_read_after(line, "rename from ", &rest) ||
		   patch_read_after(line, "copy from ", &rest)) {
		*from = patch_read_plain_name(r->a, rest);
	} else if (patch_read_after(line, "rename to ", &rest)) {
		*to = patch_read_plain_name(r->a, rest);
		f->renames = true;
	} else if (patch_read_after(line, "copy to ", &rest)) {
		*to = patch_read_plain_name(r->a, rest);
		f->copies = true;
	} else if (patch_read_after(line, "index ", &rest)) {
		size_t blank = str_find_char(rest, ' ', 0);

		if (blank != SIZE_MAX && !f->old_mode && !f->new_mode)
			f->old_mode = f->new_mode =
				patch_read_mode_of(str_sub(rest, blank + 1, rest.n));
	} else if (str_is(line, "GIT binary patch") || str_starts(line, STR("Binary files "))) {
		f->binary = true;
	} else {
		return patch_read_after(line, "similarity index ", &rest) ||
		       patch_read_after(line, "dissimilarity index ", &rest);
	}
	return true;
}

static bool names_follow(const struct reader *r)
{
	return str_starts(patch_read_peek(r), STR("--- ")) &&
	       str_starts(line_ahead(r, 1), STR("+++ "));
}

static struct err *read_git(struct reader *r)
{
	struct patch_file f = {.git = true};
	struct str from = {0}, to = {0}, head = patch_read_bare(patch_read_next(r));
	size_t at = r->number;
	bool known;

	while (r->at < r->text.n &&
	       extended(r, patch_read_bare(patch_read_peek(r)), &f, &from, &to))
		patch_read_next(r);
	known = patch_git_names(r->a, str_sub(head, strlen("diff --git "), head.n), from, to,
				&f.old_path, &f.new_path);
	if (names_follow(r)) {
		TRY(patch_read_names(r, &f));
	} else if (!known) {
		return err_help(
			patch_read_bad(at, "the two names in '%.*s' are ambiguous", STR_ARG(head)),
			"make the diff with the prefixes a/ and b/");
	}
	if (f.creates)
		f.old_path = (struct str){0};
	if (f.removes)
		f.new_path = (struct str){0};
	return patch_read_push(r, &f, at);
}

/* Reads "Binary files x and y differ" of diff -r. */
static bool patch_read_is_binary(struct reader *r, struct str line, struct patch_file *f)
{
	struct str rest;
	bool epoch;
	size_t middle;

	if (!patch_read_after(line, "Binary files ", &rest) || !str_ends(rest, STR(" differ")))
		return false;
	rest.n -= strlen(" differ");
	middle = str_find(rest, STR(" and "), 0);
	if (middle == SIZE_MAX)
		return false;
	*f = (struct patch_file){.binary = true};
	f->old_path = patch_name(r->a, str_sub(rest, 0, middle), &epoch);
	f->new_path = patch_name(r->a, str_sub(rest, middle + strlen(" and "), rest.n), &epoch);
	return true;
}

/* True for a hunk's header, and for lines of a hunk that has lost its header. */
static bool is_body(struct str line)
{
	return begins_hunk(line) || (line.n && memchr(" +-", line.p[0], 3));
}

struct err *patch_read(struct arena *a, struct str text, struct patch *out)
{
	struct reader reader = {.a = a, .text = text, .out = out}, *r = &reader;

	*out = (struct patch){0};
	while (r->at < text.n) {
		struct str line = patch_read_bare(patch_read_peek(r));
		struct patch_file f = {0};
		struct patch_hunk h;
		size_t at = r->number + 1;

		if (str_starts(line, STR("diff --git "))) {
			TRY(read_git(r));
		} else if (names_follow(r) && is_body(line_ahead(r, 2))) {
			TRY(patch_read_names(r, &f));
			TRY(patch_read_push(r, &f, at));
		} else if (is_hunk(line, &h)) {
			TRY(read_hunks(r, &f));
			TRY(patch_read_push(r, &f, f.hunks[0].at));
		} else if (patch_read_is_binary(r, line, &f)) {
			patch_read_next(r);
			TRY(patch_read_push(r, &f, at));
		} else if (str_starts(line, STR("diff --cc ")) ||
			   str_starts(line, STR("diff --combined "))) {
			return err_help(patch_read_bad(at, "this is a combined diff of a merge"),
					"make a diff against one parent: git diff REV^1 REV");
		} else if (str_starts(line, STR("*** ")) &&
			   str_starts(line_ahead(r, 1), STR("--- ")) &&
			   str_starts(line_ahead(r, 2), STR("***************"))) {
			return err_help(patch_read_bad(at, "this is a context diff"),
					"make a unified diff with diff -u");
		} else {
			patch_read_next(r); /* other text */
		}
	}
	if (out->n)
		return NULL;
	return err_help(
		err_new(E_BAD_PATCH, "there is no unified diff in the text"),
		"give what diff -u or git diff prints: '--- OLD', '+++ NEW', then hunks that "
		"begin with '@@ -LINE,COUNT +LINE,COUNT @@'");
}
