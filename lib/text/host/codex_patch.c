/*
 * The patch format of Codex, which Copilot and opencode took over: files by markers, hunks without
 * line numbers. A hunk is found by its lines, as the hosts find it: exactly, then with other
 * spaces, then with other quotes and dashes.
 */
#include "host/host.h"

#define PATCH_BEGIN  "*** Begin Patch"
#define PATCH_END    "*** End Patch"
#define PATCH_ADD    "*** Add File: "
#define PATCH_UPDATE "*** Update File: "
#define PATCH_DELETE "*** Delete File: "
#define PATCH_MOVE   "*** Move to: "
#define PATCH_EOF    "*** End of File"

/* ---- reading ---- */

struct host_patch_reader {
	struct arena *a;
	struct str rest, line; /* line: the one that is looked at; p NULL: none is left */
	size_t number;
	bool cr; /* every line ends with CR LF */
	struct host_patch *out;
};

/* p NULL: none is left. */
static struct str line_at(struct str *rest)
{
	struct str line = {NULL, 0};

	str_next_part(rest, '\n', &line);
	return line;
}

static void reader_next(struct host_patch_reader *r)
{
	r->line = line_at(&r->rest);
	if (r->cr && str_ends(r->line, STR("\r")))
		r->line.n--;
	r->number++;
}

static bool reader_all_cr(struct str text)
{
	size_t at = 0;

	for (struct str rest = text; (at = str_find_char(rest, '\n', 0)) != SIZE_MAX;
	     rest = str_sub(rest, at + 1, rest.n))
		if (!at || rest.p[at - 1] != '\r')
			return false;
	return true;
}

static bool is_marker(struct str line, const char *marker)
{
	return str_starts(str_trim(line), str_trim(str_of(marker)));
}

static struct str marker_rest(struct str line, const char *marker)
{
	return str_trim(str_sub(str_trim(line), strlen(marker) - 1, line.n));
}

static struct err *reader_bad(const struct host_patch_reader *r, const char *why)
{
	return err_help(err_new(E_BAD_PATCH, "line %zu of the patch: %s", r->number, why),
			"correct this line, and give the patch again");
}

/* Reads "-A[,B] +C[,D] @@" of a unified diff, which models write here too. */
static bool read_numbers(struct str anchor, size_t *line, size_t *new_line)
{
	struct str old, new, number;
	int64_t n, new_n;

	if (!str_next_part(&anchor, ' ', &old) || !str_next_part(&anchor, ' ', &new) ||
	    !str_starts(old, STR("-")) || !str_starts(new, STR("+")) ||
	    !str_starts(anchor, STR("@@")))
		return false;
	old = str_sub(old, 1, old.n);
	new = str_sub(new, 1, new.n);
	if (!str_next_part(&old, ',', &number) || !str_int(number, &n) || n < 0 ||
	    !str_next_part(&new, ',', &number) || !str_int(number, &new_n) || new_n < 0)
		return false;
	*line = (size_t)n;
	*new_line = (size_t)new_n;
	return true;
}

static struct err *read_update(struct host_patch_reader *r, struct host_patch_file *f)
{
	reader_next(r);
	if (r->line.p && is_marker(r->line, PATCH_MOVE)) {
		f->move_to = marker_rest(r->line, PATCH_MOVE);
		reader_next(r);
	}
	while (r->line.p && !is_marker(r->line, "*** ")) {
		struct host_patch_hunk *h = VEC_PUSH(r->a, f);

		while (r->line.p && str_starts(r->line, STR("@@"))) {
			struct str anchor = str_sub(r->line, 2, r->line.n);

			if (str_starts(anchor, STR(" ")))
				anchor = str_sub(anchor, 1, anchor.n);
			if (read_numbers(anchor, &h->line, &h->new_line))
				h->numbered = true;
			else if (str_trim(anchor).n)
				strs_push(r->a, &h->anchors, anchor);
			reader_next(r);
		}
		for (; r->line.p; reader_next(r)) {
			struct str line = r->line;
			char kind = line.n ? line.p[0] : ' ';

			h->at_end = is_marker(line, PATCH_EOF);
			if (h->at_end)
				reader_next(r);
			if (h->at_end || str_starts(line, STR("@@")) ||
			    str_starts(line, STR("***")))
				break;
			if (!strchr(" +-", kind))
				return reader_bad(
					r, "a line of a hunk begins with a space, '-' or '+'");
			*VEC_PUSH(r->a, h) =
				(struct host_patch_line){kind, str_sub(line, 1, line.n)};
		}
		if (!h->n)
			return reader_bad(r, "a hunk without lines");
	}
	if (!f->n && !f->move_to.n)
		return reader_bad(r, "an update without hunks");
	return NULL;
}

static struct err *read_file(struct host_patch_reader *r)
{
	static const struct {
		const char *marker;
		enum host_patch_kind kind;
	} markers[] = {{PATCH_ADD, HOST_PATCH_ADD},
		       {PATCH_UPDATE, HOST_PATCH_UPDATE},
		       {PATCH_DELETE, HOST_PATCH_DELETE}};

	for (size_t i = 0; i < ARRAY_SIZE(markers); i++) {
		struct host_patch_file *f;

		if (!is_marker(r->line, markers[i].marker))
			continue;
		f = VEC_PUSH(r->a, r->out);
		f->kind = markers[i].kind;
		f->path = marker_rest(r->line, markers[i].marker);
		if (!f->path.n)
			return reader_bad(r, "no file is named");
		if (f->kind == HOST_PATCH_ADD) {
			struct buf b = buf_in(r->a);

			for (reader_next(r); r->line.p && str_starts(r->line, STR("+"));
			     reader_next(r)) {
				buf_put(&b, str_sub(r->line, 1, r->line.n));
				buf_puts(&b, r->cr ? "\r\n" : "\n");
			}
			f->content = buf_as_str(&b);
			return NULL;
		}
		if (f->kind == HOST_PATCH_UPDATE)
			return read_update(r, f);
		reader_next(r);
		return NULL;
	}
	return reader_bad(r,
			  "'" PATCH_ADD "', '" PATCH_UPDATE "' or '" PATCH_DELETE "' is expected");
}

struct err *host_patch_read(struct arena *a, struct str text, struct host_patch *out)
{
	size_t from = str_find(text, STR(PATCH_BEGIN), 0);
	struct host_patch_reader r = {.a = a, .out = out};

	*out = (struct host_patch){0};
	if (from == SIZE_MAX)
		return err_new(E_BAD_PATCH, "the patch has no line '" PATCH_BEGIN "'");
	r.rest = str_sub(text, from, text.n);
	r.cr = reader_all_cr(r.rest);
	reader_next(&r);
	reader_next(&r);
	while (r.line.p && !is_marker(r.line, PATCH_END)) {
		if (!str_trim(r.line).n)
			reader_next(&r);
		else
			TRY(read_file(&r));
	}
	if (!r.line.p)
		return err_help(
			err_new(E_BAD_PATCH, "the patch has no line '" PATCH_END "': it is cut"),
			"add what is missing at its end, '" PATCH_END "' as the last line");
	return NULL;
}

struct str host_patch_added(struct arena *a, const struct host_patch_file *f)
{
	struct buf b = buf_in(a);

	if (f->kind == HOST_PATCH_ADD)
		return f->content;
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < f->p[i].n; k++) {
			if (f->p[i].p[k].kind != '+')
				continue;
			buf_put(&b, f->p[i].p[k].text);
			buf_putc(&b, '\n');
		}
	return buf_as_str(&b);
}

/* ---- finding a hunk's lines ---- */

enum likeness { LIKE_EXACT, LIKE_END, LIKE_TRIM, LIKE_LETTERS, LIKENESSES };

static char plain_char(uint32_t c)
{
	if ((c >= 0x2010 && c <= 0x2015) || c == 0x2212)
		return '-';
	if (c >= 0x2018 && c <= 0x201b)
		return '\'';
	if (c >= 0x201c && c <= 0x201f)
		return '"';
	if (c == 0xa0 || (c >= 0x2002 && c <= 0x200a) || c == 0x202f || c == 0x205f || c == 0x3000)
		return ' ';
	return 0;
}

static struct str plain_letters(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < s.n;) {
		uint32_t code = 0;
		size_t n = str_utf8_char(s.p + i, s.n - i, &code);
		char c = n ? plain_char(code) : 0;

		if (c)
			buf_putc(&b, c);
		else
			buf_put(&b, str_sub(s, i, i + (n ? n : 1)));
		i += n ? n : 1;
	}
	return str_trim(buf_as_str(&b));
}

/* The lines of the file, in each likeness once it was needed. */
struct line_finder {
	struct arena *a;
	struct strs lines[LIKENESSES];
	size_t work; /* lines that were compared */
};

#define FINDER_WORK_MAX ((size_t)50 << 20) /* under a second; a hostile patch could take hours */

static struct strs lines_as(struct arena *a, const struct strs *lines, enum likeness how)
{
	struct strs out = {arena_array(a, lines->n, sizeof(*out.p)), lines->n, lines->n};

	for (size_t i = 0; i < lines->n; i++) {
		struct str s = lines->p[i];

		while (how == LIKE_END && s.n && ascii_is_any_space(s.p[s.n - 1]))
			s.n--;
		out.p[i] = how == LIKE_TRIM      ? str_trim(s)
			   : how == LIKE_LETTERS ? plain_letters(a, s)
						 : s;
	}
	return out;
}

static bool finder_matches(struct line_finder *f, const struct strs *lines, size_t at,
			   const struct strs *want)
{
	for (size_t i = 0; i < want->n; i++) {
		f->work++;
		if (!str_eq(lines->p[at + i], want->p[i]))
			return false;
	}
	return true;
}

static size_t finder_find(struct line_finder *f, const struct strs *want, size_t from, bool at_end)
{
	struct arena *scratch ARENA_LOCAL = arena_new();
	size_t n = f->lines[LIKE_EXACT].n;

	if (want->n > n)
		return SIZE_MAX;
	for (int how = 0; how < LIKENESSES && f->work < FINDER_WORK_MAX; how++) {
		struct strs *lines = &f->lines[how];
		struct strs as = lines_as(scratch, want, (enum likeness)how);

		if (!lines->p)
			*lines = lines_as(f->a, &f->lines[LIKE_EXACT], (enum likeness)how);
		if (at_end && finder_matches(f, lines, n - want->n, &as))
			return n - want->n;
		for (size_t i = from; i + want->n <= n && f->work < FINDER_WORK_MAX; i++)
			if (finder_matches(f, lines, i, &as))
				return i;
	}
	return SIZE_MAX;
}

/* ---- applying ---- */

struct applied_hunk {
	size_t at, old, index; /* replaces so many lines there */
	struct strs new;
};

static struct err *apply_failed(const struct host_patch_file *f, struct str line)
{
	return err_new(E_HUNK_FAILED, "'%.*s' has no such lines: '%.*s'", STR_ARG(f->path),
		       STR_ARG(str_utf8_head(line, 80)));
}

static struct err *hunk_place(struct line_finder *finder, const struct host_patch_file *f,
			      const struct host_patch_hunk *h, size_t *from,
			      struct applied_hunk *out)
{
	struct arena *a = finder->a;
	struct strs old = {0};

	for (size_t i = 0; i < h->anchors.n; i++) {
		struct strs one = {&h->anchors.p[i], 1, 1};
		size_t at = finder_find(finder, &one, *from, false);

		if (at == SIZE_MAX)
			return apply_failed(f, h->anchors.p[i]);
		*from = at + 1;
	}
	for (size_t i = 0; i < h->n; i++) {
		if (h->p[i].kind != '+')
			strs_push(a, &old, h->p[i].text);
		if (h->p[i].kind != '-')
			strs_push(a, &out->new, h->p[i].text);
	}
	/* A hunk that only adds goes to the end of the file, as Codex has it. */
	if (!old.n) {
		out->at = finder->lines[LIKE_EXACT].n;
		return NULL;
	}
	out->at = finder_find(finder, &old, *from, h->at_end);
	if (out->at == SIZE_MAX && old.n > 1 && !old.p[old.n - 1].n) {
		/* The last empty line stands for the end of the text. */
		old.n--;
		if (out->new.n && !out->new.p[out->new.n - 1].n)
			out->new.n--;
		out->at = finder_find(finder, &old, *from, h->at_end);
	}
	if (out->at == SIZE_MAX)
		return apply_failed(f, old.p[0]);
	out->old = old.n;
	*from = out->at + old.n;
	return NULL;
}

ORDER_OF(by_place, struct applied_hunk, ORDER_UP(at) || ORDER_UP(index))

static void put_lines(struct buf *b, const struct strs *lines, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		buf_put(b, lines->p[i]);
		buf_putc(b, '\n');
	}
}

struct err *host_patch_apply(struct arena *a, const struct host_patch_file *f, struct str old,
			     struct str *new)
{
	struct applied_hunk *done = arena_array(a, f->n, sizeof(*done));
	struct line_finder finder = {.a = a};
	struct strs *lines = &finder.lines[LIKE_EXACT];
	struct buf b = buf_in(a);
	size_t from = 0, at = 0;
	struct str line;

	if (!f->n) {
		*new = old;
		return NULL;
	}
	while ((line = line_at(&old)).p)
		strs_push(a, lines, line);
	for (size_t i = 0; i < f->n; i++) {
		done[i].index = i;
		TRY(hunk_place(&finder, f, &f->p[i], &from, &done[i]));
	}
	/* A hunk that only adds stands at the end, wherever it is in the patch. */
	qsort(done, f->n, sizeof(*done), by_place);
	for (size_t i = 0; i < f->n; i++) {
		put_lines(&b, lines, at, done[i].at);
		put_lines(&b, &done[i].new, 0, done[i].new.n);
		at = done[i].at + done[i].old;
	}
	put_lines(&b, lines, at, lines->n);
	*new = buf_as_str(&b);
	return NULL;
}

/* ---- in a shell command ---- */

bool host_patch_in_command(struct str command, struct str *cwd, struct str *patch)
{
	struct str rest = str_trim(command);
	size_t end;

	*cwd = STR("");
	if (str_starts(rest, STR("cd "))) {
		end = str_find(rest, STR("&&"), 0);
		if (end == SIZE_MAX)
			return false;
		*cwd = str_trim(str_sub(rest, 3, end));
		if (cwd->n > 1 && (cwd->p[0] == '\'' || cwd->p[0] == '"') &&
		    cwd->p[cwd->n - 1] == cwd->p[0])
			*cwd = str_sub(*cwd, 1, cwd->n - 1);
		rest = str_trim(str_sub(rest, end + 2, rest.n));
	}
	if (!str_starts(rest, STR("apply_patch")) && !str_starts(rest, STR("applypatch")))
		return false;
	rest = str_sub(rest, strlen("apply_patch") - (rest.p[5] != '_'), rest.n);
	if (str_find(rest, STR(PATCH_BEGIN), 0) == SIZE_MAX)
		return false;
	*patch = rest;
	return true;
}
