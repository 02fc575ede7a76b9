#include "match/internal.h"

/*
 * The place of a hunk, its fuzz and its search follow GNU patch. The search starts at the header's
 * line, shifted by the offset of the hunk before, and moves outwards. It never goes before the
 * lines that the hunk before changed. A hunk with less context at one end belongs to that end of
 * the file, unless fuzz allows the difference.
 */

struct apply {
	struct arena *a;
	const struct patch_file *f;
	unsigned fuzz;
	bool reverse, held;
	bool strict;         /* only lines that are exactly those of the file */
	bool adrift;         /* the hunk that failed has a place, and no line of it is there */
	bool asked, applied; /* patch_is_applied() was called, and its answer */
	struct match m;
	struct str old; /* the content, with its byte order mark */
	size_t copied;  /* lines before it are done */
	int64_t shift;  /* offset of the hunk before */
	size_t failed;  /* index of the hunk that failed */
	/* That hunk fits at these two places, in a looser pass. */
	struct match_place first, second;
	bool twice;
};

/* The old lines of a hunk, which must be found in the content. */
struct wanted {
	struct match_hunk h;
	size_t prefix, suffix; /* number of context lines at both ends */
	int64_t first;         /* the header's line, from 0 */
};
struct found {
	struct match_place at;
	unsigned fuzz;
	bool elsewhere; /* not at the end of the file that the hunk belongs to */
};

static void hunk_wanted(struct apply *w, const struct patch_hunk *h, struct wanted *out)
{
	struct patch_line *lines = arena_array(w->a, h->n, sizeof(*lines));
	size_t line = w->reverse ? h->new_line : h->old_line, first = h->n, last = 0;

	*out = (struct wanted){0};
	for (size_t i = 0; i < h->n; i++) {
		char kind = h->lines[i].kind;

		lines[i] = h->lines[i];
		if (kind == ' ')
			continue;
		if (w->reverse)
			lines[i].kind = kind == '+' ? '-' : '+';
		first = size_min(first, i);
		last = i + 1;
	}
	match_hunk_init(w->a, lines, h->n, &out->h);
	out->prefix = first;
	out->suffix = h->n - size_max(last, first);
	/* When a hunk has no old lines, its header names the line before it. */
	out->first = (int64_t)size_min(line, INT32_MAX) - (out->h.wants > 0);
}

/* How many of the wanted lines, from the first on, the content has at this line. */
static size_t equal_lines(const struct apply *w, const struct wanted *h, size_t where)
{
	size_t i = 0;

	while (i < h->h.wants && where + i < w->m.lines.n &&
	       str_eq(h->h.want[i], lines_get(&w->m.lines, where + i)))
		i++;
	return i;
}

/* Sets the search for this fuzz; false when the hunk cannot match anywhere. */
static bool hunk_sought(const struct apply *w, const struct wanted *h, unsigned fuzz,
			struct sought *s)
{
	int64_t context = (int64_t)size_max(h->prefix, h->suffix);
	int64_t prefix = (int64_t)fuzz + (int64_t)h->prefix - context;
	int64_t suffix = (int64_t)fuzz + (int64_t)h->suffix - context;
	int64_t n = (int64_t)h->h.wants, lines = (int64_t)w->m.lines.n, copied = (int64_t)w->copied;

	*s = (struct sought){.p = h->h.want, .n = h->h.wants, .near = h->first + w->shift};
	s->from = prefix > 0 ? (size_t)prefix : 0;
	s->to = h->h.wants - (suffix > 0 ? (size_t)suffix : 0);
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

/* The answer is the same for all hunks and passes, and costs a whole application of the diff. */
static bool apply_is_done(struct apply *w)
{
	if (!w->asked)
		w->applied = patch_is_applied(w->f, w->old, w->reverse);
	w->asked = true;
	return w->applied;
}

/*
 * The only place in this pass behind the hunk before; false also when there are two. It may be
 * anywhere, also where the missing context at an end of the hunk says that it is not.
 */
static bool apply_only(struct apply *w, const struct wanted *h, enum match_pass pass,
		       struct found *out)
{
	struct sought s;
	int64_t line;

	if (!match_find_from_line(&w->m, &h->h, pass, w->copied, &out->at))
		return false;
	w->twice = match_find_from_line(&w->m, &h->h, pass, out->at.line + 1, &w->second);
	w->first = out->at;
	line = (int64_t)out->at.line;
	out->elsewhere = !hunk_sought(w, h, 0, &s) || line < s.low || line > s.high;
	/* A diff that was applied may fit again where it then lacks context. */
	return !w->twice && (!out->elsewhere || !apply_is_done(w));
}

/* The nearest place where the lines are those of the file, but for the fuzz. */
static bool apply_nearest(struct apply *w, const struct wanted *h, unsigned fuzz,
			  enum match_pass pass, struct found *out)
{
	struct sought s;

	*out = (struct found){.fuzz = fuzz, .at.pass = pass};
	if (!hunk_sought(w, h, fuzz, &s))
		return false;
	return match_find_lines(&w->m, pass, &s, &out->at.line);
}

static bool patch_apply_find(struct apply *w, const struct wanted *h, struct found *out)
{
	unsigned most = (unsigned)size_min(w->fuzz, size_max(h->prefix, h->suffix));
	struct sought s;

	*out = (struct found){0};
	w->twice = false;
	if (hunk_sought(w, h, 0, &s) && s.near >= s.low && s.near <= s.high &&
	    equal_lines(w, h, (size_t)s.near) == h->h.wants) {
		out->at.line = (size_t)s.near;
		return true;
	}
	/* A hunk without old lines fits anywhere, so only the header's place counts. */
	if (!h->h.wants)
		return false;
	if (apply_nearest(w, h, 0, MATCH_EXACT, out))
		return true;
	if (w->strict)
		return false;
	for (int pass = MATCH_ENDS; pass < MATCH_PASSES; pass++)
		if (apply_only(w, h, (enum match_pass)pass, out) || w->twice)
			return !w->twice;
	for (unsigned fuzz = 1; fuzz <= most; fuzz++)
		if (apply_nearest(w, h, fuzz, MATCH_EXACT, out) ||
		    apply_nearest(w, h, fuzz, MATCH_ENDS, out))
			return true;
	return false;
}

/* Whether a line of the hunk, which is not blank, is at its place. */
static bool patch_apply_is_held(const struct apply *w, const struct wanted *h,
				const struct found *at)
{
	if (!h->h.wants || !at->fuzz)
		return h->h.wants || !w->m.lines.n;
	for (size_t i = 0; i < h->h.wants && at->at.line + i < w->m.lines.n; i++)
		if (str_trim(h->h.want[i]).n &&
		    str_eq(match_without_line_ending(h->h.want[i]),
			   match_without_line_ending(lines_get(&w->m.lines, at->at.line + i))))
			return true;
	return false;
}

/* strict: a hunk without old lines counts as failed too, because it fits anywhere. */
static struct err *apply_all(struct apply *w, struct str old, struct str *out,
			     struct patch_hunk_done *done, bool *worked)
{
	/* The first line is the same with a byte order mark and without. */
	struct wanted first = {0};
	size_t bom;

	*worked = false;
	w->old = old;
	if (w->f->n)
		hunk_wanted(w, &w->f->hunks[0], &first);
	bom = str_starts(old, STR(MATCH_BOM)) && !first.h.bom ? strlen(MATCH_BOM) : 0;
	TRY(match_init(w->a, str_sub(old, bom, old.n), &w->m));
	for (size_t i = 0; i < w->f->n; i++)
		for (size_t k = 0; k < w->f->hunks[i].n; k++)
			w->m.cr = w->m.cr || str_ends(w->f->hunks[i].lines[k].text, STR("\r\n"));
	for (w->failed = 0; w->failed < w->f->n; w->failed++) {
		struct wanted h;
		struct found at;

		hunk_wanted(w, &w->f->hunks[w->failed], &h);
		if (!patch_apply_find(w, &h, &at) || (w->strict && !h.h.wants))
			return NULL;
		w->adrift = w->held && !patch_apply_is_held(w, &h, &at);
		if (w->adrift)
			return NULL;
		w->shift = (int64_t)at.at.line - h.first;
		if (done)
			done[w->failed] = (struct patch_hunk_done){
				w->shift, at.fuzz,
				(at.fuzz ? 0 : match_hunk_differences(&w->m, &h.h, &at.at)) |
					(at.elsewhere ? 1U << MATCH_EXACT : 0)};
		TRY(match_apply_hunk(&w->m, &h.h, &at.at));
		for (size_t i = 0, line = at.at.line; i < h.h.n; i++) {
			line += h.h.p[i].kind != '+';
			if (h.h.p[i].kind != ' ')
				w->copied = line;
		}
	}
	*out = match_new_content(&w->m);
	if (bom)
		*out = str_fmt(w->a, MATCH_BOM "%.*s", STR_ARG(*out));
	*worked = true;
	return NULL;
}

/* ---- errors ---- */

/* The first 80 bytes of the line, without its line end. */
static struct str line_for_message(struct arena *a, struct str line)
{
	struct str text = {"", 0};

	str_next_line(&line, &text);
	return str_utf8(a, str_sub(text, 0, 80));
}

static struct err *with_hunk(struct err *e, const struct apply *w)
{
	err_detail_int(e, "hunk", (int64_t)w->failed + 1);
	err_detail_int(e, "line", (int64_t)w->f->hunks[w->failed].at);
	return e;
}

static struct err *hunk_is_twice(struct apply *w, const struct wanted *h, struct str name)
{
	struct str words =
		match_tolerated_text(w->a, match_hunk_differences(&w->m, &h->h, &w->first));
	struct err *e = err_new(E_HUNK_FAILED,
				"%.*s fits only with other %.*s, and so at two places: at line %zu "
				"and at line %zu",
				STR_ARG(name), STR_ARG(words.n ? words : STR("context around it")),
				w->first.line + 1, w->second.line + 1);

	return err_help(with_hunk(e, w),
			"copy the lines exactly as the file has them, or give more of the lines "
			"around them");
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
	struct str expected, line;
	struct sought s;
	struct wanted h;
	size_t where, i;
	struct err *e;

	hunk_wanted(w, hunk, &h);
	if (w->adrift)
		return err_help(with_hunk(err_new(E_HUNK_FAILED,
						  "%.*s %s, so only its line number says where it "
						  "belongs",
						  STR_ARG(name),
						  h.h.wants ? "has no line that the file has there"
							    : "has no context"),
					  w),
				"read the file again and make the diff from its present content, "
				"with context");
	if (w->twice)
		return hunk_is_twice(w, &h, name);
	if (!h.h.wants)
		return with_hunk(
			err_new(E_HUNK_FAILED,
				"%.*s adds lines after line %lld of %zu, where they cannot be",
				STR_ARG(name), (long long)(h.first + w->shift), w->m.lines.n),
			w);
	if (!w->m.work)
		return with_hunk(err_new(E_HUNK_FAILED,
					 "%.*s could be at too many places that are almost "
					 "alike; nothing was changed",
					 STR_ARG(name)),
				 w);
	s = (struct sought){
		.p = h.h.want, .n = h.h.wants, .to = h.h.wants, .near = h.first + w->shift};
	if (!match_find_best_lines(&w->m, &s, &where))
		where = s.near < 0 ? 0 : (size_t)s.near;
	i = equal_lines(w, &h, where);
	if (i == h.h.wants)
		return with_hunk(err_new(E_HUNK_FAILED,
					 "%.*s fits only at line %zu, which is not its place",
					 STR_ARG(name), where + 1),
				 w);
	expected = line_for_message(w->a, h.h.want[i]);
	line = where + i < w->m.lines.n ? lines_get(&w->m.lines, where + i) : STR("");
	if (where + i >= w->m.lines.n) {
		e = err_new(E_HUNK_FAILED,
			    "%.*s does not fit: expected '%.*s' at line %zu, found "
			    "the end of the file",
			    STR_ARG(name), STR_ARG(expected), where + i + 1);
	} else {
		struct str found = line_for_message(w->a, line), want = h.h.want[i];

		e = err_new(E_HUNK_FAILED,
			    "%.*s does not fit: expected '%.*s' at line %zu, found "
			    "'%.*s'%s",
			    STR_ARG(name), STR_ARG(expected), where + i + 1, STR_ARG(found),
			    str_ends(line, STR("\n")) != str_ends(want, STR("\n"))
				    ? " (one of them has no newline at its end)"
			    : str_eq(match_line_key(w->a, line, MATCH_LETTERS),
				     match_line_key(w->a, want, MATCH_LETTERS))
				    ? " (other lines of the hunk differ in another way)"
				    : "");
		err_add_detail(e, "found", found);
	}
	err_add_detail(e, "expected", expected);
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

bool patch_is_applied(const struct patch_file *f, struct str content, bool reverse)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct apply back = {.a = a, .f = f, .reverse = !reverse, .strict = true};
	struct str was;
	bool worked;

	if (patch_apply_creates(&back) || !content.p)
		return patch_apply_creates(&back) && !content.p;
	return f->n && !apply_all(&back, content, &was, NULL, &worked) && worked &&
	       (!patch_apply_removes(&back) || !was.n);
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

	TRY(apply_all(w, STR(""), new, done, &worked));
	if (!worked)
		return hunk_failed(w);
	if (!old.p)
		return NULL;
	if (str_eq(old, *new))
		return patch_applied_error(E_EXISTS, w->reverse,
					   "the file that it creates exists with this content");
	return err_help(
		err_new(E_EXISTS,
			"the diff creates the file, but the file exists with other content"),
		"read the file, and make the diff from its present content");
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
	bool worked, for_empty;

	if (f->binary)
		return err_help(err_new(E_BAD_PATCH, "the diff is of a binary file; only text "
						     "files can be patched"),
				"leave that file out of the diff, and copy it instead");
	/*
	 * The only hunk is for an empty file. Without dates, only this shows that the diff may
	 * create the file; it may also change an empty file.
	 */
	for_empty = f->n == 1 && !(w.reverse ? f->hunks->new_line : f->hunks->old_line) &&
		    !(w.reverse ? f->hunks->new_count : f->hunks->old_count);
	if (patch_apply_creates(&w) || (!old.p && for_empty))
		return patch_apply_create(&w, old, new, done);
	if (!old.p && patch_apply_removes(&w))
		return patch_applied_error(E_FILE_NOT_FOUND, w.reverse,
					   "the file that it removes does not exist");
	if (!old.p)
		return err_new(E_FILE_NOT_FOUND,
			       "the diff changes the file, but the file does not exist");
	TRY(apply_all(&w, old, new, done, &worked));
	if (!worked && apply_is_done(&w))
		return with_hunk(
			patch_applied_error(E_HUNK_FAILED, w.reverse, "its reverse fits the file"),
			&w);
	if (!worked)
		return hunk_failed(&w);
	if (patch_apply_removes(&w) && new->n)
		return err_new(E_HUNK_FAILED,
			       "the diff removes the file, but the file has %zu bytes that "
			       "the diff does not have",
			       new->n);
	if (patch_apply_removes(&w))
		*new = (struct str){0};
	return NULL;
}
