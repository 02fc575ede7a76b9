/*
 * Applies the hunks of "*** Begin Patch", which have no line numbers. The lines of a hunk only find
 * its place: what is neither added nor removed keeps the file's own bytes. So these lines must be
 * those of the file, at one place. Only line ends may differ, and a byte order mark.
 */
#include "match/internal.h"

/* Lines to compare: for one hunk, under a second; for all hunks of a file, some seconds. */
#define PLACE_WORK  ((size_t)50 << 20)
#define PLACE_WORKS ((size_t)1 << 30)
#define PLACE_SHOWN 80 /* bytes of a line in a message */

struct patch_place {
	struct match m;
	const struct host_patch_file *f;
	const struct host_patch_hunk *h; /* the hunk at hand */
	struct match_hunk hunk;          /* its lines */
	enum match_pass pass;
	bool loosely;
	match_set tolerated;
	size_t works; /* steps that are left after the hunk at hand */
};
/* Where a hunk fits, in ascending order: the first two places, the last, and the number of all. */
struct place_found {
	size_t at, next, last, n;
	bool numbered; /* one of them is the line in the hunk's header */
};

/* ---- finding ---- */

/* The text of a line of the file, as the pass sees it but for blanks around it. */
static struct str place_text(struct patch_place *p, struct str line)
{
	line = match_without_line_ending(line);
	return str_trim(p->pass == MATCH_LETTERS ? match_fold_letters(p->m.a, line) : line);
}

static bool place_fits(struct patch_place *p, size_t at)
{
	struct match_place place;

	return match_fits(&p->m, &p->hunk, p->pass, at, &place);
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
	struct match_place place;

	return match_find_from_line(&p->m, &p->hunk, p->pass, at, &place) ? place.line : SIZE_MAX;
}

/* An anchor is only looked for, so its indentation and its end may be missing. */
static size_t place_anchor(struct patch_place *p, struct str anchor, size_t at, bool begins)
{
	anchor = place_text(p, anchor);
	for (; at < p->m.lines.n && p->m.work; at++, p->m.work--) {
		struct str line = place_text(p, lines_get(&p->m.lines, at));

		if (begins ? str_starts(line, anchor) : str_eq(line, anchor))
			return at;
	}
	return SIZE_MAX;
}

/*
 * The line of the file that each @@ line names, and the first place behind the last of them. What
 * was found is looked for again only when the search has passed it: a thousand lines may be equal
 * to an anchor.
 */
static void place_behind(struct patch_place *p, struct place_found *out, struct str *missing)
{
	const struct strs *anchors = &p->h->anchors;
	size_t *named = arena_array(p->m.a, anchors->n, sizeof(*named)), behind = 0;
	bool begins = place_anchor(p, anchors->p[0], 0, false) == SIZE_MAX;
	size_t first = place_anchor(p, anchors->p[0], 0, begins);

	*missing = first == SIZE_MAX ? anchors->p[0] : (struct str){0};
	for (; first != SIZE_MAX && p->m.work;
	     first = place_anchor(p, anchors->p[0], first + 1, begins)) {
		size_t at = first, place;

		for (size_t i = 1; i < anchors->n && at != SIZE_MAX; i++) {
			if (named[i] <= at) {
				named[i] = place_anchor(p, anchors->p[i], at + 1, false);
				/* It may also be the beginning of a line only. */
				if (named[i] == SIZE_MAX)
					named[i] = place_anchor(p, anchors->p[i], at + 1, true);
			}
			at = named[i];
			if (at == SIZE_MAX && !out->n)
				*missing = anchors->p[i];
		}
		if (at == SIZE_MAX)
			return;
		*missing = (struct str){0};
		/* The hunk may repeat the line that its @@ names; one that only adds follows it. */
		place = at + !p->hunk.wants;
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

/* ---- errors ---- */

static struct str place_shown(const struct patch_place *p, struct str line)
{
	return str_utf8(p->m.a, str_sub(line, 0, PLACE_SHOWN));
}

static struct err *place_error(const struct patch_place *p, struct err *e)
{
	size_t hunk = (size_t)(p->h - p->f->p) + 1;

	err_detail_int(e, "hunk", (int64_t)hunk);
	return err_add_context(e, "hunk %zu of %zu", hunk, p->f->n);
}

static struct err *place_ambiguous(struct patch_place *p, const struct place_found *found)
{
	struct match_place at = {.line = found->at, .pass = p->pass};
	struct str words =
		match_tolerated_text(p->m.a, match_hunk_differences(&p->m, &p->hunk, &at));
	struct err *e =
		err_new(E_HUNK_FAILED, "it fits at %zu places%s%.*s: at line %zu, at line %zu%s",
			found->n, words.n ? ", with other " : "", STR_ARG(words), found->at + 1,
			found->next + 1, found->n > 2 ? " and others" : "");

	return err_help(place_error(p, e),
			"give more of the lines around it, or a line '@@ ' with a line of the "
			"file that stands before it, such as the head of its function");
}

/* The lines are nowhere as they are; says what differs at the nearest place. */
static struct err *place_missing(struct patch_place *p, struct str missing)
{
	struct place_found all = {0};
	bool gone = false;
	struct buf content = buf_in(p->m.a), want = buf_in(p->m.a);

	p->pass = MATCH_ENDS;
	if (missing.p)
		return place_error(p, err_new(E_HUNK_FAILED,
					      "the file has no line '%.*s', which "
					      "the line '@@ ' of the hunk names",
					      STR_ARG(place_shown(p, missing))));
	if (p->h->anchors.n && p->hunk.wants && (all.at = place_from(p, 0)) != SIZE_MAX)
		return place_error(
			p, err_new(E_HUNK_FAILED,
				   "it fits at line %zu, and not behind the line '%.*s' that its "
				   "'@@ ' names",
				   all.at + 1,
				   STR_ARG(place_shown(p, p->h->anchors.p[p->h->anchors.n - 1]))));
	/* Nothing is applied any more, so the lines that other hunks removed may come back. */
	for (size_t i = 0; i < p->m.lines.n; i++) {
		gone = gone || p->m.gone[i];
		p->m.gone[i] = false;
	}
	if (gone && p->hunk.wants && (all.at = place_from(p, 0)) != SIZE_MAX)
		return place_error(p, err_new(E_HUNK_FAILED,
					      "it fits at line %zu only, of which a hunk before it "
					      "removes a line",
					      all.at + 1));
	if (p->h->at_end && p->hunk.wants && (all.at = place_from(p, 0)) != SIZE_MAX)
		return place_error(p, err_new(E_HUNK_FAILED,
					      "it fits at line %zu, and not at the end of the "
					      "file, where its '*** End of File' says it is",
					      all.at + 1));
	for (size_t i = 0; i < p->m.lines.n; i++) {
		buf_put(&content, match_line_key(p->m.a, lines_get(&p->m.lines, i), MATCH_ENDS));
		buf_putc(&content, '\n');
	}
	for (size_t i = 0; i < p->hunk.wants; i++) {
		buf_put(&want, match_line_key(p->m.a, p->hunk.want[i], MATCH_ENDS));
		buf_putc(&want, '\n');
	}
	return place_error(p, match_no_such_lines(p->m.a, buf_as_str(&content), buf_as_str(&want)));
}

/* ---- a hunk ---- */

/* The lines of the hunk with LF, which the form has between them. */
static void place_lines(struct patch_place *p)
{
	struct arena *a = p->m.a;
	struct patch_line *lines = arena_array(a, p->h->n, sizeof(*lines));

	for (size_t i = 0; i < p->h->n; i++)
		lines[i] = (struct patch_line){p->h->p[i].kind,
					       str_fmt(a, "%.*s\n", STR_ARG(p->h->p[i].text))};
	match_hunk_init(a, lines, p->h->n, &p->hunk);
	p->hunk.named_ends = false;
}

/* Finds the hunk in the first pass where it fits. */
static void place_search(struct patch_place *p, struct place_found *found, struct str *missing)
{
	size_t n = p->m.lines.n;

	for (p->pass = MATCH_ENDS; p->pass < MATCH_PASSES; p->pass++) {
		*found = (struct place_found){0};
		*missing = (struct str){0};
		/* *** End of File is obeyed: the hunk is there, or nowhere. */
		if (p->h->at_end && p->hunk.wants) {
			if (p->hunk.wants <= n && place_fits(p, n - p->hunk.wants))
				place_add(p, found, n - p->hunk.wants);
		} else if (p->h->anchors.n) {
			place_behind(p, found, missing);
			if (p->h->at_end && found->n)
				*found = (struct place_found){.at = n, .n = 1};
		} else {
			for (size_t at = 0; (at = place_from(p, at)) != SIZE_MAX; at++)
				place_add(p, found, at);
		}
		if (found->n || !p->m.work || !p->loosely)
			return;
	}
}

static struct err *place_hunk(struct patch_place *p)
{
	const struct host_patch_hunk *h = p->h;
	struct match_place at = {.line = p->m.lines.n, .pass = MATCH_ENDS};
	struct place_found found;
	struct str missing;
	size_t all = p->m.work + p->works;

	/* Steps for one hunk, taken from those for all. */
	p->m.work = size_min(all, PLACE_WORK);
	p->works = all - p->m.work;
	place_lines(p);
	if (!p->hunk.wants && !h->anchors.n && h->numbered && !h->at_end && p->m.lines.n)
		return err_help(place_error(p, err_new(E_HUNK_FAILED,
						       "it only adds lines, and no line says "
						       "where")),
				"begin the hunk with a line of the file, behind a blank");
	if (!p->hunk.wants && !h->anchors.n)
		return match_apply_hunk(&p->m, &p->hunk, &at);
	place_search(p, &found, &missing);
	/* An empty line at the end of a hunk may only separate it from what follows. */
	if (!found.n && p->hunk.wants > 1 && h->p[h->n - 1].kind == ' ' && !h->p[h->n - 1].text.n) {
		match_hunk_init(p->m.a, p->hunk.p, p->hunk.n - 1, &p->hunk);
		p->hunk.named_ends = false;
		place_search(p, &found, &missing);
	}
	if (!p->m.work)
		return err_help(place_error(p, err_new(E_HUNK_FAILED,
						       "ikm gave up the search: too many places "
						       "are alike")),
				"give the change as a unified diff, whose hunks have line numbers");
	if (!found.n)
		return place_missing(p, missing);
	if (found.n > 1 && !(found.numbered && p->pass == MATCH_ENDS))
		return place_ambiguous(p, &found);
	if (!p->hunk.wants)
		at.line = found.at;
	else
		match_fits(&p->m, &p->hunk, p->pass, found.n > 1 ? h->line - 1 : found.at, &at);
	p->tolerated |= match_hunk_differences(&p->m, &p->hunk, &at);
	return match_apply_hunk(&p->m, &p->hunk, &at);
}

struct err *match_apply_host_patch(struct arena *a, const struct host_patch_file *f, struct str old,
				   bool loosely, struct str *new, match_set *tolerated)
{
	struct patch_place p = {.f = f, .loosely = loosely, .works = PLACE_WORKS};

	TRY(match_init(a, old, &p.m));
	p.m.work = 0;
	for (size_t i = 0; i < f->n; i++) {
		p.h = &f->p[i];
		TRY(place_hunk(&p));
	}
	*new = match_new_content(&p.m);
	*tolerated = p.tolerated;
	return NULL;
}
