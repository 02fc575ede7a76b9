#include "patch/internal.h"

/*
 * The place of a hunk, its fuzz and its search follow GNU patch. The search starts at the header's
 * line, shifted by the offset of the hunk before, and moves outwards. It never goes before the
 * lines that the hunk before changed. A hunk with less context at one end belongs to that end of
 * the file, unless fuzz allows the difference.
 */

/* Steps of comparison for all hunks: some seconds. */
#define WORK ((size_t)1 << 30)

struct apply {
	struct arena *a;
	const struct patch_file *f;
	unsigned fuzz;
	bool reverse, held;
	bool adrift; /* the hunk that failed has a place, and no line of it is there */
	struct lines old;
	struct line_index *exact, *loose; /* NULL until needed */
	bool cr;                          /* the diff or the content has CR LF */
	struct buf out;
	size_t copied; /* number of lines of `old` that are copied to `out` or removed */
	int64_t shift; /* offset of the hunk before */
	size_t failed; /* index of the hunk that failed */
	size_t work;
};

/* The old lines of a hunk, which must be found in the content. */
struct wanted {
	const struct patch_hunk *h;
	struct str *p;            /* the old lines */
	size_t n, prefix, suffix; /* number of old lines; of context lines at both ends */
	int64_t first;            /* the header's line, from 0 */
};
struct found {
	size_t where;
	unsigned fuzz;
	bool loose;
};

static bool is_old(const struct apply *w, char kind)
{
	return kind == ' ' || kind == (w->reverse ? '+' : '-');
}

static void hunk_wanted(struct apply *w, const struct patch_hunk *h, struct wanted *out)
{
	size_t line = w->reverse ? h->new_line : h->old_line, first = h->n, last = 0;

	*out = (struct wanted){.h = h, .p = arena_array(w->a, h->n, sizeof(struct str))};
	for (size_t i = 0; i < h->n; i++) {
		if (is_old(w, h->lines[i].kind))
			out->p[out->n++] = h->lines[i].text;
		if (h->lines[i].kind != ' ') {
			first = size_min(first, i);
			last = i + 1;
		}
	}
	out->prefix = first;
	out->suffix = h->n - size_max(last, first);
	/* When a hunk has no old lines, its header names the line before it. */
	out->first = (int64_t)size_min(line, INT32_MAX) - (out->n > 0);
}

static bool lies_at(const struct apply *w, const struct wanted *h, int64_t where)
{
	if (where < 0 || (size_t)where + h->n > w->old.n)
		return false;
	for (size_t i = 0; i < h->n; i++)
		if (!str_eq(h->p[i], lines_get(&w->old, (size_t)where + i)))
			return false;
	return true;
}

/* Sets the search for this fuzz; false when the hunk cannot match anywhere. */
static bool hunk_sought(const struct apply *w, const struct wanted *h, unsigned fuzz,
			struct sought *s)
{
	int64_t context = (int64_t)size_max(h->prefix, h->suffix);
	int64_t prefix = (int64_t)fuzz + (int64_t)h->prefix - context;
	int64_t suffix = (int64_t)fuzz + (int64_t)h->suffix - context;
	int64_t n = (int64_t)h->n, lines = (int64_t)w->old.n, copied = (int64_t)w->copied;

	*s = (struct sought){.p = h->p, .n = h->n, .near = h->first + w->shift};
	s->from = prefix > 0 ? (size_t)prefix : 0;
	s->to = h->n - (suffix > 0 ? (size_t)suffix : 0);
	/*
	 * Do not go back into the lines that the hunk before changed. At the expected place, the
	 * context at the hunk's start may overlap with them.
	 */
	s->low = s->near > copied - (int64_t)h->prefix ? s->near : copied - (int64_t)h->prefix;
	s->low = s->low > copied ? copied : s->low > 0 ? s->low : 0;
	s->high = lines - (int64_t)s->to;
	if (prefix < 0 && h->first <= 0)
		s->high = s->high < 0 ? s->high : 0;
	if (suffix < 0)
		s->low = s->low > lines - n ? s->low : lines - n;
	return s->low <= s->high;
}

static bool patch_apply_find(struct apply *w, const struct wanted *h, struct found *out)
{
	unsigned most = (unsigned)size_min(w->fuzz, size_max(h->prefix, h->suffix));
	struct sought s;

	*out = (struct found){0};
	if (hunk_sought(w, h, 0, &s) && s.near >= s.low && s.near <= s.high &&
	    lies_at(w, h, s.near)) {
		out->where = (size_t)s.near;
		return true;
	}
	/* A hunk without old lines fits anywhere, so only the header's place counts. */
	if (!h->n)
		return false;
	for (out->fuzz = 0; out->fuzz <= most; out->fuzz++) {
		if (!hunk_sought(w, h, out->fuzz, &s))
			continue;
		s.work = &w->work;
		if (!w->exact)
			w->exact = line_index_new(w->a, &w->old, false);
		if (line_index_find(w->exact, &s, &out->where))
			return true;
		if (!w->cr)
			continue;
		if (!w->loose)
			w->loose = line_index_new(w->a, &w->old, true);
		out->loose = line_index_find(w->loose, &s, &out->where);
		if (out->loose)
			return true;
	}
	return false;
}

/* Lines without their ends are compared, so that CR LF and LF match. */
static bool patch_apply_same(struct str a, struct str b)
{
	struct str x = {"", 0}, y = {"", 0};

	str_line(&a, &x);
	str_line(&b, &y);
	return str_eq(x, y);
}

/* Whether a line of the hunk, which is not blank, is at its place. */
static bool patch_apply_is_held(const struct apply *w, const struct wanted *h,
				const struct found *at)
{
	if (!h->n || !at->fuzz)
		return h->n || !w->old.n;
	for (size_t i = 0; i < h->n && at->where + i < w->old.n; i++)
		if (str_trim(h->p[i]).n &&
		    patch_apply_same(h->p[i], lines_get(&w->old, at->where + i)))
			return true;
	return false;
}

/* ---- the new content ---- */

/* Appends a line. When the line before it has no LF, adds the LF: it is no longer the last line. */
static void patch_apply_put(struct buf *b, struct str s)
{
	if (s.n && b->n && b->p[b->n - 1] != '\n')
		buf_putc(b, '\n');
	buf_put(b, s);
}

static void patch_apply_copy_to(struct apply *w, size_t line)
{
	patch_apply_put(&w->out, str_sub(w->old.text, w->old.at[w->copied], w->old.at[line]));
	w->copied = line;
}

/* True when the first line that differs in its line end has CR LF in the content. */
static bool has_cr_at(const struct apply *w, const struct wanted *h, size_t where)
{
	for (size_t i = 0; i < h->n && where + i < w->old.n; i++) {
		struct str line = lines_get(&w->old, where + i);

		if (str_ends(line, STR("\r\n")) != str_ends(h->p[i], STR("\r\n")))
			return str_ends(line, STR("\r\n"));
	}
	return false;
}

static void put_ended(struct apply *w, struct str line, bool cr)
{
	if (!str_ends(line, STR("\n")) || str_ends(line, STR("\r\n")) == cr) {
		patch_apply_put(&w->out, line);
		return;
	}
	line.n -= cr ? 1 : 2;
	/* Not patch_apply_put(): without its line end the line may be empty here. */
	if (w->out.n && w->out.p[w->out.n - 1] != '\n')
		buf_putc(&w->out, '\n');
	buf_put(&w->out, line);
	buf_puts(&w->out, cr ? "\r\n" : "\n");
}

static void patch_apply_change(struct apply *w, const struct wanted *h, const struct found *at)
{
	bool cr = at->loose && has_cr_at(w, h, at->where);
	size_t line = at->where;

	for (size_t i = 0; i < h->h->n; i++) {
		const struct patch_line *l = &h->h->lines[i];

		if (l->kind == ' ') {
			line++;
			continue;
		}
		/*
		 * Copy the lines before this one only now. Context comes from the file, not from
		 * the diff, and may reach beyond the end of the file.
		 */
		patch_apply_copy_to(w, line);
		if (is_old(w, l->kind))
			w->copied = ++line;
		else if (at->loose)
			put_ended(w, l->text, cr);
		else
			patch_apply_put(&w->out, l->text);
	}
}

static bool any_cr(const struct patch_file *f, struct str old)
{
	for (size_t i = 0; i < f->n; i++)
		for (size_t l = 0; l < f->hunks[i].n; l++)
			if (str_ends(f->hunks[i].lines[l].text, STR("\r\n")))
				return true;
	return str_find(old, STR("\r\n"), 0) != SIZE_MAX;
}

/* certain: a hunk without old lines counts as failed, because it fits anywhere. */
static struct err *apply_all(struct apply *w, struct str old, bool certain,
			     struct patch_hunk_done *done, bool *worked)
{
	*worked = false;
	w->out = buf_in(w->a);
	w->work = WORK;
	w->cr = any_cr(w->f, old);
	TRY(lines_split(w->a, old, &w->old));
	for (w->failed = 0; w->failed < w->f->n; w->failed++) {
		struct wanted h;
		struct found at;

		hunk_wanted(w, &w->f->hunks[w->failed], &h);
		if (!patch_apply_find(w, &h, &at) || (certain && !h.n))
			return NULL;
		w->adrift = w->held && !patch_apply_is_held(w, &h, &at);
		if (w->adrift)
			return NULL;
		w->shift = (int64_t)at.where - h.first;
		if (done)
			done[w->failed] = (struct patch_hunk_done){w->shift, at.fuzz};
		patch_apply_change(w, &h, &at);
	}
	patch_apply_copy_to(w, w->old.n);
	*worked = true;
	return NULL;
}

/* ---- errors ---- */

/* The first 80 bytes of the line, without its line end. */
static struct str line_for_message(struct arena *a, struct str line)
{
	struct str text = {"", 0};

	str_line(&line, &text);
	return str_utf8(a, str_sub(text, 0, 80));
}

static bool same_but_blanks(struct str a, struct str b)
{
	size_t i = 0, k = 0;

	for (;;) {
		while (i < a.n && strchr(" \t\r\n", a.p[i]) && a.p[i])
			i++;
		while (k < b.n && strchr(" \t\r\n", b.p[k]) && b.p[k])
			k++;
		if (i == a.n || k == b.n)
			return i == a.n && k == b.n;
		if (a.p[i++] != b.p[k++])
			return false;
	}
}

static struct err *with_hunk(struct err *e, const struct apply *w)
{
	err_detail_int(e, "hunk", (int64_t)w->failed + 1);
	err_detail_int(e, "line", (int64_t)w->f->hunks[w->failed].at);
	return e;
}

/*
 * The error for a hunk that did not fit. It shows the first difference at the place where most
 * lines of the hunk match.
 */
static struct err *hunk_failed(struct apply *w)
{
	const struct patch_hunk *hunk = &w->f->hunks[w->failed];
	struct str name = str_fmt(w->a, "hunk %zu of %zu (line %zu of the diff)", w->failed + 1,
				  w->f->n, hunk->at);
	struct sought s;
	struct wanted h;
	size_t where, i = 0;
	struct str expected, found;
	struct err *e;

	hunk_wanted(w, hunk, &h);
	if (w->adrift)
		return err_help(with_hunk(err_new(E_HUNK_FAILED,
						  "%.*s %s, so only its line number says where it "
						  "belongs",
						  STR_ARG(name),
						  h.n ? "has no line that the file has there"
						      : "has no context"),
					  w),
				"read the file again and make the diff from its present content, "
				"with context");
	if (!h.n)
		return with_hunk(
			err_new(E_HUNK_FAILED,
				"%.*s adds lines after line %lld of %zu, where they cannot be",
				STR_ARG(name), (long long)(h.first + w->shift), w->old.n),
			w);
	if (!w->work)
		return with_hunk(err_new(E_HUNK_FAILED,
					 "%.*s could be at too many places that are almost "
					 "alike; nothing was changed",
					 STR_ARG(name)),
				 w);
	s = (struct sought){.p = h.p, .n = h.n, .to = h.n, .near = h.first + w->shift};
	if (!w->exact)
		w->exact = line_index_new(w->a, &w->old, false);
	if (!line_index_nearest(w->exact, &s, &where))
		where = s.near < 0 ? 0 : (size_t)s.near;
	while (i < h.n && where + i < w->old.n && str_eq(h.p[i], lines_get(&w->old, where + i)))
		i++;
	if (i == h.n)
		return with_hunk(err_new(E_HUNK_FAILED,
					 "%.*s fits only at line %zu, which is not its place",
					 STR_ARG(name), where + 1),
				 w);
	expected = line_for_message(w->a, h.p[i]);
	if (where + i >= w->old.n) {
		e = err_new(E_HUNK_FAILED,
			    "%.*s does not fit: expected '%.*s' at line %zu, found "
			    "the end of the file",
			    STR_ARG(name), STR_ARG(expected), where + i + 1);
	} else {
		struct str line = lines_get(&w->old, where + i);

		found = line_for_message(w->a, line);
		e = err_new(E_HUNK_FAILED,
			    "%.*s does not fit: expected '%.*s' at line %zu, found "
			    "'%.*s'%s",
			    STR_ARG(name), STR_ARG(expected), where + i + 1, STR_ARG(found),
			    str_ends(line, STR("\n")) != str_ends(h.p[i], STR("\n"))
				    ? " (one of them has no newline at its end)"
			    : same_but_blanks(h.p[i], line) ? " (only blanks differ)"
							    : "");
		err_detail(e, "found", found);
	}
	err_detail(e, "expected", expected);
	err_detail_int(e, "fileLine", (int64_t)(where + i + 1));
	return err_help(with_hunk(e, w),
			"read the file again and make the diff from its present content");
}

/* ---- a file ---- */

static bool patch_apply_creates(const struct apply *w)
{
	return w->reverse ? w->f->removes : w->f->creates;
}

static bool patch_apply_removes(const struct apply *w)
{
	return w->reverse ? w->f->creates : w->f->removes;
}

/*
 * True when the only hunk is for an empty file. Without dates, only this shows that the diff may
 * create the file; it may also change an empty file.
 */
static bool patch_apply_may_create(const struct apply *w)
{
	const struct patch_hunk *h = w->f->hunks;

	return w->f->n == 1 && !(w->reverse ? h->new_line : h->old_line) &&
	       !(w->reverse ? h->new_count : h->old_count);
}

bool patch_is_applied(struct arena *a, const struct patch_file *f, struct str content, bool reverse)
{
	struct apply back = {.a = a, .f = f, .reverse = !reverse};
	bool worked;

	if (patch_apply_creates(&back) || !content.p)
		return patch_apply_creates(&back) && !content.p;
	return f->n && !apply_all(&back, content, true, NULL, &worked) && worked &&
	       (!patch_apply_removes(&back) || !back.out.n);
}

struct err *patch_applied_error(enum err_reason reason, bool reverse, const char *why)
{
	struct err *e = err_new(reason, "the diff is %s already: %s",
				reverse ? "reversed" : "applied", why);

	return err_detail_bool(e, "applied", true);
}

static struct err *patch_apply_create(struct apply *w, struct str old, struct str *new,
				      struct patch_hunk_done *done)
{
	bool worked;

	TRY(apply_all(w, STR(""), false, done, &worked));
	if (!worked)
		return hunk_failed(w);
	*new = buf_str(&w->out);
	if (!old.p)
		return NULL;
	if (str_eq(old, *new))
		return patch_applied_error(E_EXISTS, w->reverse,
					   "the file that it creates exists with this content");
	return err_new(E_EXISTS,
		       "the diff creates the file, but the file exists with other content");
}

struct err *patch_apply(struct arena *a, const struct patch_file *f, struct str old,
			const struct patch_options *options, struct str *new,
			struct patch_hunk_done *done)
{
	struct apply w = {.a = a,
			  .f = f,
			  .fuzz = options->fuzz,
			  .reverse = options->reverse,
			  .held = options->held};
	bool worked;

	if (f->binary)
		return err_new(E_BAD_PATCH,
			       "the diff is of a binary file; only text files can be patched");
	if (patch_apply_creates(&w) || (!old.p && patch_apply_may_create(&w)))
		return patch_apply_create(&w, old, new, done);
	if (!old.p && patch_apply_removes(&w))
		return patch_applied_error(E_FILE_NOT_FOUND, w.reverse,
					   "the file that it removes does not exist");
	if (!old.p)
		return err_new(E_FILE_NOT_FOUND,
			       "the diff changes the file, but the file does not exist");
	TRY(apply_all(&w, old, false, done, &worked));
	if (!worked && patch_is_applied(a, f, old, w.reverse))
		return with_hunk(
			patch_applied_error(E_HUNK_FAILED, w.reverse, "its reverse fits the file"),
			&w);
	if (!worked)
		return hunk_failed(&w);
	*new = buf_str(&w.out);
	if (patch_apply_removes(&w) && new->n)
		return err_new(E_HUNK_FAILED,
			       "the diff removes the file, but the file has %zu bytes that "
			       "the diff does not have",
			       new->n);
	if (patch_apply_removes(&w))
		*new = (struct str){0};
	return NULL;
}
