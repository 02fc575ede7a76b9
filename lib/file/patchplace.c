/*
 * Applies the hunks of "*** Begin Patch", which have no line numbers. The lines of a hunk only find
 * its place: what is neither added nor removed keeps the file's own bytes. So these lines must be
 * those of the file, at one place. Only line ends may differ, and a byte order mark.
 */
#include "file/backend.h"

/* Lines to compare: for one hunk, under a second; for all hunks of a file, some seconds. */
#define PLACE_WORK  ((size_t)50 << 20)
#define PLACE_WORKS ((size_t)1 << 30)
#define PLACE_BOM   "\xEF\xBB\xBF"
#define PLACE_SHOWN 80 /* bytes of a line in a message */

struct place_line {
	struct str text, end; /* end: LF, CR LF, or nothing where the file ends without one */
	bool gone;            /* a hunk removes it */
};
struct place_added {
	size_t at, index; /* before this line of the file; the order of those at one place */
	struct str text, end;
};
struct patch_place {
	struct arena *a;
	const struct host_patch_file *f;
	const struct host_patch_hunk *h; /* the hunk at hand */
	struct {
		struct place_line *p;
		size_t n, cap;
	} file;
	struct {
		struct place_added *p;
		size_t n, cap;
	} added;
	struct strs want; /* the lines that the hunk at hand expects */
	size_t work,
		works; /* lines that were compared: for the hunk at hand, for the ones before */
};
/* Where a hunk fits, in ascending order: the first two places, the last, and the number of all. */
struct place_found {
	size_t at, next, last, n;
	bool numbered; /* one of them is the line in the hunk's header */
};

/* ---- lines ---- */

static struct str place_bare(struct str line)
{
	return str_sub(line, 0, line.n - str_ends(line, STR("\r")));
}

static void place_split(struct patch_place *p, struct str text)
{
	struct str line;

	for (struct str rest = text; str_split(&rest, '\n', &line);) {
		struct place_line *l = VEC_PUSH(p->a, &p->file);

		*l = (struct place_line){.text = line, .end = STR("")};
		if (line.p + line.n == text.p + text.n)
			return;
		l->text = place_bare(line);
		l->end = str_sub(text, (size_t)(l->text.p - text.p) + l->text.n,
				 (size_t)(line.p - text.p) + line.n + 1);
	}
}

/* The line end at a place of the file: that of the line before, or of the nearest one. */
static struct str place_end(const struct patch_place *p, size_t at)
{
	for (size_t i = at; i-- > 0;)
		if (p->file.p[i].end.n)
			return p->file.p[i].end;
	for (size_t i = at; i < p->file.n; i++)
		if (p->file.p[i].end.n)
			return p->file.p[i].end;
	return STR("\n");
}

/* ---- finding ---- */

static bool place_same(const struct place_line *l, struct str want)
{
	return !l->gone && (str_eq(l->text, want) ||
			    (str_ends(want, STR("\r")) && str_eq(l->text, place_bare(want))));
}

static bool place_fits(struct patch_place *p, size_t at)
{
	if (p->want.n > p->file.n - at)
		return false;
	for (size_t i = 0; i < p->want.n; i++) {
		p->work++;
		if (!place_same(&p->file.p[at + i], p->want.p[i]))
			return false;
	}
	return true;
}

static void place_add(const struct patch_place *p, struct place_found *out, size_t at)
{
	if (out->n && at == out->last)
		return;
	out->last = at;
	out->numbered = out->numbered || at + 1 == p->h->line;
	if (!out->n)
		out->at = out->next = at;
	else if (out->n == 1)
		out->next = at;
	out->n++;
}

/* The first place from this line on; SIZE_MAX: none. */
static size_t place_from(struct patch_place *p, size_t at)
{
	for (; at < p->file.n && p->work < PLACE_WORK; at++)
		if (place_fits(p, at))
			return at;
	return SIZE_MAX;
}

/* An anchor is only looked for, so its indentation and its end may be missing. */
static size_t place_anchor(struct patch_place *p, struct str anchor, size_t at, bool begins)
{
	anchor = str_trim(anchor);
	for (; at < p->file.n; at++) {
		struct str line = str_trim(p->file.p[at].text);

		p->work++;
		if (begins ? str_starts(line, anchor) : str_eq(line, anchor))
			return at;
	}
	return SIZE_MAX;
}

/* The same for an anchor behind another one, which may also be the beginning of a line only. */
static size_t place_anchor_next(struct patch_place *p, struct str anchor, size_t from)
{
	size_t at = place_anchor(p, anchor, from, false);

	return at == SIZE_MAX ? place_anchor(p, anchor, from, true) : at;
}

/*
 * The line of the file that each @@ line names, and the first place behind the last of them. What
 * was found is looked for again only when the search has passed it: a thousand lines may be equal
 * to an anchor.
 */
static void place_behind(struct patch_place *p, struct place_found *out, struct str *missing)
{
	const struct strs *anchors = &p->h->anchors;
	size_t *named = arena_array(p->a, anchors->n, sizeof(*named)), behind = 0;
	bool begins = place_anchor(p, anchors->p[0], 0, false) == SIZE_MAX;
	size_t first = place_anchor(p, anchors->p[0], 0, begins);

	*missing = first == SIZE_MAX ? anchors->p[0] : (struct str){0};
	for (; first != SIZE_MAX && p->work < PLACE_WORK;
	     first = place_anchor(p, anchors->p[0], first + 1, begins)) {
		size_t at = first, place;

		for (size_t i = 1; i < anchors->n && at != SIZE_MAX; i++) {
			if (named[i] <= at)
				named[i] = place_anchor_next(p, anchors->p[i], at + 1);
			at = named[i];
			if (at == SIZE_MAX && !out->n)
				*missing = anchors->p[i];
		}
		if (at == SIZE_MAX)
			return;
		*missing = (struct str){0};
		/* The hunk may repeat the line that its @@ names; one that only adds follows it. */
		place = at + !p->want.n;
		if (!place_fits(p, place)) {
			if (behind <= at)
				behind = place_from(p, at + 1);
			place = behind;
		}
		if (place == SIZE_MAX)
			return;
		place_add(p, out, place);
	}
}

static void place_find(struct patch_place *p, struct place_found *out, struct str *missing)
{
	size_t n = p->file.n;

	*out = (struct place_found){0};
	*missing = (struct str){0};
	if (p->h->at_end && p->want.n <= n && place_fits(p, n - p->want.n))
		place_add(p, out, n - p->want.n);
	else if (p->h->anchors.n)
		place_behind(p, out, missing);
	else
		for (size_t at = 0; (at = place_from(p, at)) != SIZE_MAX; at++)
			place_add(p, out, at);
}

/* ---- errors ---- */

static struct str place_shown(const struct patch_place *p, struct str line)
{
	return str_utf8(p->a, str_sub(line, 0, PLACE_SHOWN));
}

static struct err *place_error(const struct patch_place *p, struct err *e)
{
	size_t hunk = (size_t)(p->h - p->f->p) + 1;

	err_detail_int(e, "hunk", (int64_t)hunk);
	return err_in(e, "hunk %zu of %zu", hunk, p->f->n);
}

static struct err *place_ambiguous(const struct patch_place *p, const struct place_found *found)
{
	struct err *e = err_new(E_HUNK_FAILED, "it fits at %zu places: at line %zu, at line %zu%s",
				found->n, found->at + 1, found->next + 1,
				found->n > 2 ? " and others" : "");

	return err_help(place_error(p, e),
			"give more of the lines around it, or a line '@@ ' with a line of the "
			"file that stands before it, such as the head of its function");
}

/* The lines are nowhere as they are; says what differs at the nearest place. */
static struct err *place_missing(struct patch_place *p, struct str missing)
{
	struct place_found all = {0};
	bool gone = false;
	struct buf content = buf_in(p->a), want = buf_in(p->a);

	if (missing.p)
		return place_error(p, err_new(E_HUNK_FAILED,
					      "the file has no line '%.*s', which "
					      "the line '@@ ' of the hunk names",
					      STR_ARG(place_shown(p, missing))));
	if (p->h->anchors.n && p->want.n && (all.at = place_from(p, 0)) != SIZE_MAX)
		return place_error(
			p, err_new(E_HUNK_FAILED,
				   "it fits at line %zu, and not behind the line '%.*s' that its "
				   "'@@ ' names",
				   all.at + 1,
				   STR_ARG(place_shown(p, p->h->anchors.p[p->h->anchors.n - 1]))));
	/* Nothing is applied any more, so the lines that other hunks removed may come back. */
	for (size_t i = 0; i < p->file.n; i++) {
		gone = gone || p->file.p[i].gone;
		p->file.p[i].gone = false;
	}
	if (gone && p->want.n && (all.at = place_from(p, 0)) != SIZE_MAX)
		return place_error(p, err_new(E_HUNK_FAILED,
					      "it fits at line %zu only, of which a hunk before it "
					      "removes a line",
					      all.at + 1));
	for (size_t i = 0; i < p->file.n; i++) {
		buf_put(&content, p->file.p[i].text);
		buf_putc(&content, '\n');
	}
	for (size_t i = 0; i < p->want.n; i++) {
		buf_put(&want, place_bare(p->want.p[i]));
		buf_putc(&want, '\n');
	}
	return place_error(p, file_no_such_lines(p->a, buf_str(&content), buf_str(&want)));
}

/* ---- a hunk ---- */

/* The hunk has CR LF where the file has it: its author sees line ends, and means those it adds. */
static bool place_ends_meant(const struct patch_place *p, size_t at)
{
	bool cr = false;

	for (size_t i = 0; i < p->want.n; i++) {
		bool has = str_ends(p->want.p[i], STR("\r"));

		if (has != str_is(p->file.p[at + i].end, "\r\n"))
			return false;
		cr = cr || has;
	}
	return cr;
}

/* Each line has CR LF: so the patch came, whatever the file has. */
static bool place_ends_carried(const struct patch_place *p)
{
	for (size_t i = 0; i < p->h->n; i++)
		if (!str_ends(p->h->p[i].text, STR("\r")))
			return false;
	return p->want.n > 0;
}

static void place_change(struct patch_place *p, size_t at, size_t lines)
{
	bool meant = place_ends_meant(p, at), carried = !meant && place_ends_carried(p);

	for (size_t i = 0; i < lines; i++) {
		const struct host_patch_line *l = &p->h->p[i];

		if (l->kind == '+')
			*VEC_PUSH(p->a, &p->added) = (struct place_added){
				.at = at,
				.index = p->added.n,
				.text = place_bare(l->text),
				.end = str_ends(l->text, STR("\r")) && !carried ? STR("\r\n")
				       : meant                                  ? STR("\n")
										: place_end(p, at)};
		else
			p->file.p[at++].gone = l->kind == '-';
	}
}

static struct err *place_hunk(struct patch_place *p)
{
	const struct host_patch_hunk *h = p->h;
	struct place_found found;
	struct str missing;
	size_t lines = h->n;

	p->want = (struct strs){0};
	p->works += p->work;
	p->work = 0;
	for (size_t i = 0; i < h->n; i++)
		if (h->p[i].kind != '+')
			strs_push(p->a, &p->want, h->p[i].text);
	if (!p->want.n && !h->anchors.n && h->numbered && p->file.n)
		return err_help(place_error(p, err_new(E_HUNK_FAILED,
						       "it only adds lines, and no line says "
						       "where")),
				"begin the hunk with a line of the file, behind a blank");
	if (!p->want.n && !h->anchors.n) {
		place_change(p, p->file.n, lines);
		return NULL;
	}
	place_find(p, &found, &missing);
	/* An empty line at the end of a hunk may only separate it from what follows. */
	if (!found.n && p->want.n > 1 && h->p[h->n - 1].kind == ' ' && !h->p[h->n - 1].text.n) {
		p->want.n--;
		lines--;
		place_find(p, &found, &missing);
	}
	if (p->work >= PLACE_WORK || p->works >= PLACE_WORKS)
		return err_help(place_error(p, err_new(E_HUNK_FAILED,
						       "ikm compared %zu lines of the file, and "
						       "did not come to the end of the search",
						       p->works + p->work)),
				"give the change as a unified diff, whose hunks have line numbers");
	if (!found.n)
		return place_missing(p, missing);
	if (found.n > 1 && !found.numbered)
		return place_ambiguous(p, &found);
	place_change(p, found.numbered ? h->line - 1 : found.at, lines);
	return NULL;
}

/* ---- the new content ---- */

static int place_by_line(const void *x, const void *y)
{
	const struct place_added *a = x, *b = y;

	return a->at != b->at ? (a->at > b->at) - (a->at < b->at)
			      : (a->index > b->index) - (a->index < b->index);
}

/* A line that stands behind one without a line end gives it one. */
static void place_put(const struct patch_place *p, struct buf *b, struct str text, struct str end)
{
	if (b->n && b->p[b->n - 1] != '\n')
		buf_put(b, place_end(p, p->file.n));
	buf_put(b, text);
	buf_put(b, end);
}

static struct str place_content(struct patch_place *p)
{
	bool open = p->file.n && !p->file.p[p->file.n - 1].end.n;
	struct buf b = buf_in(p->a);
	size_t k = 0, last = p->file.n;

	if (p->added.n)
		qsort(p->added.p, p->added.n, sizeof(*p->added.p), place_by_line);
	while (last && p->file.p[last - 1].gone)
		last--;
	for (size_t i = 0; i <= p->file.n; i++) {
		for (; k < p->added.n && p->added.p[k].at == i; k++) {
			const struct place_added *l = &p->added.p[k];
			bool ends = k + 1 == p->added.n && i >= last;

			place_put(p, &b, l->text, open && ends ? STR("") : l->end);
		}
		if (i < p->file.n && !p->file.p[i].gone)
			place_put(p, &b, p->file.p[i].text, p->file.p[i].end);
	}
	return buf_str(&b);
}

static bool place_names_bom(const struct host_patch_file *f)
{
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < f->p[i].n; k++)
			if (str_starts(f->p[i].p[k].text, STR(PLACE_BOM)))
				return true;
	return false;
}

struct err *file_patch_place(struct arena *a, const struct host_patch_file *f, struct str old,
			     struct str *new)
{
	struct str bom = STR("");
	struct patch_place p = {.a = a, .f = f};

	if (str_starts(old, STR(PLACE_BOM)) && !place_names_bom(f)) {
		bom = str_sub(old, 0, strlen(PLACE_BOM));
		old = str_sub(old, bom.n, old.n);
	}
	place_split(&p, old);
	for (size_t i = 0; i < f->n; i++) {
		p.h = &f->p[i];
		TRY(place_hunk(&p));
	}
	*new = place_content(&p);
	if (bom.n)
		*new = str_fmt(a, "%.*s%.*s", STR_ARG(bom), STR_ARG(*new));
	return NULL;
}
