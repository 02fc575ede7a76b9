/*
 * "*** Begin Patch" changes only the lines that it adds and removes: random files and random
 * patches of them, which have the file's lines, or lines that are a little different.
 */
#include "tap.h"
#include "match/match.h"
#include "git/git.h"
#include "host/host.h"

#define LINES  24
#define ROUNDS 4000

static struct arena *a;
static uint64_t state = 7;

static size_t below(size_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(state >> 33) % n;
}

static const char *const texts[] = {
	"a",
	"b",
	"",
	"\tx = 1;",
	"    x = 1;",
	"say \u201chi\u201d \u2013 now",
	"no\u00a0break",
	"end  ",
	"}",
	"\t\treturn x;",
	"\"q\"",
	"- item",
};
static const char *const new_texts[] = {"new", "\tnew = 2;", "", "new  ", "\u201cnew\u201d"};

/* How the patch writes line ends: never a CR, the CR of each line, or CR LF in the whole text. */
enum style { STYLE_LF, STYLE_BYTES, STYLE_CRLF, STYLES };

struct line {
	struct str text;
	const char *end;
	bool gone;
	size_t added; /* number of new lines before it */
	struct str new[2];
};
struct sample {
	struct line lines[LINES + 1]; /* the last one stands for the end of the file */
	size_t n;
	const char *bom;
	enum style style;
	struct str old, want, patch;
	bool ambiguous; /* a hunk fits at two places, or has no line that finds one */
};

static const char *sample_end(const struct sample *s, size_t at)
{
	for (size_t i = at; i-- > 0;)
		if (*s->lines[i].end)
			return s->lines[i].end;
	for (size_t i = at; i < s->n; i++)
		if (*s->lines[i].end)
			return s->lines[i].end;
	return "\n";
}

static void sample_file(struct sample *s)
{
	size_t ends = below(3);

	*s = (struct sample){.n = 1 + below(LINES), .bom = below(8) ? "" : "\xEF\xBB\xBF"};
	s->style = (enum style)below(STYLES);
	for (size_t i = 0; i < s->n; i++) {
		struct line *l = &s->lines[i];

		l->text = str_of(texts[below(ARRAY_SIZE(texts))]);
		if (below(2))
			l->text = str_fmt(a, "%.*s%zu", STR_ARG(l->text), below(30));
		l->end = ends == 0 || (ends == 2 && below(2)) ? "\n" : "\r\n";
	}
	if (!below(3) && s->lines[s->n - 1].text.n)
		s->lines[s->n - 1].end = "";
	s->lines[s->n].end = "";
}

static void sample_change(struct sample *s)
{
	for (size_t tries = 1 + below(3); tries--;) {
		struct line *l = &s->lines[below(s->n + 1)];

		l->gone = l != &s->lines[s->n] && below(3);
		l->added = l->gone ? below(3) : 1 + below(2);
		for (size_t i = 0; i < l->added; i++)
			l->new[i] = str_of(new_texts[below(ARRAY_SIZE(new_texts))]);
	}
}

struct piece {
	struct str text;
	const char *end;
	bool added;
};

/* The old content, and the new one: kept lines with their own bytes, and the added lines. */
static void sample_contents(struct sample *s)
{
	struct piece all[4 * LINES];
	struct buf old = buf_in(a), want = buf_in(a);
	size_t n = 0;

	buf_puts(&old, s->bom);
	buf_puts(&want, s->bom);
	for (size_t i = 0; i <= s->n; i++) {
		const struct line *l = &s->lines[i];

		for (size_t k = 0; k < l->added; k++)
			all[n++] = (struct piece){l->new[k], sample_end(s, i + l->gone), true};
		if (i < s->n && !l->gone)
			all[n++] = (struct piece){l->text, l->end, false};
		buf_put(&old, l->text);
		buf_puts(&old, l->end);
	}
	for (size_t i = 0; i < n; i++) {
		bool last = i + 1 == n, open = !*s->lines[s->n - 1].end;

		buf_put(&want, all[i].text);
		if (last && all[i].added && open)
			continue;
		buf_puts(&want, last || *all[i].end ? all[i].end : sample_end(s, s->n));
	}
	s->old = buf_as_str(&old);
	s->want = buf_as_str(&want);
}

/* ---- the patch ---- */

static bool changes(const struct line *l)
{
	return l->gone || l->added;
}

static void put_line(struct sample *s, struct buf *b, char kind, struct str text, const char *end)
{
	bool cr = s->style == STYLE_CRLF || (s->style == STYLE_BYTES && !strcmp(end, "\r\n"));

	buf_fmt(b, "%c%.*s%s\n", kind, STR_ARG(text), cr ? "\r" : "");
}

static size_t places(const struct sample *s, size_t from, size_t to)
{
	size_t count = 0;

	for (size_t at = 0; at + (to - from) <= s->n; at++) {
		size_t i = from;

		while (i < to && str_eq(s->lines[i].text, s->lines[at + i - from].text))
			i++;
		count += i == to;
	}
	return count;
}

/* Hunks with up to `context` lines around the changes. numbers: as a unified diff. */
static struct str sample_hunks(struct sample *s, size_t context, bool numbers)
{
	struct buf b = buf_in(a);
	int64_t shift = 0;

	for (size_t i = 0, done = 0; i <= s->n; i++) {
		size_t from, to = i, until;
		struct buf lines = buf_in(a);
		int64_t added = 0, gone = 0;

		if (!changes(&s->lines[i]))
			continue;
		from = i < done + context ? done : i - context;
		until = i;
		while (until <= s->n && until <= to + 2 * context + 1) {
			if (changes(&s->lines[until]))
				to = until;
			until++;
		}
		until = size_min(s->n, to + 1 + context);
		for (size_t k = from; k <= until; k++) {
			const struct line *l = &s->lines[k];

			if (k == until && !(k == s->n && to == s->n))
				break;
			if (l->gone)
				put_line(s, &lines, '-', l->text, l->end);
			for (size_t n = 0; n < l->added; n++)
				put_line(s, &lines, '+', l->new[n],
					 numbers ? "\n" : sample_end(s, k + l->gone));
			added += (int64_t)l->added;
			gone += l->gone;
			if (k < s->n && !l->gone)
				put_line(s, &lines, ' ', l->text, l->end);
		}
		if (numbers)
			buf_fmt(&b, "@@ -%zu,%zu +%lld,%lld @@\n", from + (until > from),
				until - from,
				(long long)((int64_t)from + shift +
					    ((int64_t)(until - from) + added - gone > 0)),
				(long long)((int64_t)(until - from) + added - gone));
		else
			buf_puts(&b, s->style == STYLE_CRLF ? "@@\r\n" : "@@\n");
		buf_put(&b, buf_as_str(&lines));
		s->ambiguous = s->ambiguous || from == until || places(s, from, until) != 1;
		shift += added - gone;
		done = until;
		i = until ? until - 1 : 0;
		i = size_max(i, to);
	}
	return buf_as_str(&b);
}

static struct err *sample_apply(const struct sample *s, struct str hunks, struct str *new,
				match_set *tolerated)
{
	const char *cr = s->style == STYLE_CRLF ? "\r" : "";
	struct str text =
		str_fmt(a, "*** Begin Patch%s\n*** Update File: f%s\n%.*s*** End Patch%s\n", cr, cr,
			STR_ARG(hunks), cr);
	struct host_patch p;

	TRY(host_patch_read(a, text, &p));
	return match_apply_host_patch(a, &p.p[0], s->old, true, new, tolerated);
}

/* ---- the properties ---- */

static bool told(bool good, const struct sample *s, struct str hunks, struct str new, struct err *e)
{
	if (!good)
		fprintf(stderr, "# file:\n%.*s\n# hunks:\n%.*s# got:\n%.*s\n# want:\n%.*s\n# %s\n",
			STR_ARG(s->old), STR_ARG(hunks), STR_ARG(new), STR_ARG(s->want),
			e ? err_message(e) : "no error");
	return good;
}

/* The new content is the wanted one; only a hunk that fits at several places may be refused. */
static bool exact(bool *counts)
{
	struct str hunks, new = {"", 0};
	match_set tolerated;
	struct sample s;
	struct err *e;

	sample_file(&s);
	sample_change(&s);
	sample_contents(&s);
	hunks = sample_hunks(&s, below(4), false);
	e = sample_apply(&s, hunks, &new, &tolerated);
	*counts = !e;
	if (e)
		return told(s.ambiguous && err_reason(e) == E_HUNK_FAILED, &s, hunks, new, e);
	return told(str_eq(new, s.want), &s, hunks, new, e);
}

/* The same change as a unified diff gives the same content. */
static bool unified(bool *counts)
{
	const struct patch_options options = {0};
	match_set tolerated;
	struct str hunks, new = {"", 0}, other = {"", 0};
	struct sample s;
	struct patch p;
	struct err *e;
	bool lf = below(2);

	sample_file(&s);
	s.bom = "";
	s.style = STYLE_LF;
	for (size_t i = 0; i < s.n; i++)
		s.lines[i].end = lf ? "\n" : "\r\n";
	sample_change(&s);
	sample_contents(&s);
	hunks = sample_hunks(&s, 3, false);
	e = sample_apply(&s, hunks, &new, &tolerated);
	*counts = !e;
	if (e)
		return told(s.ambiguous, &s, hunks, new, e);
	hunks = str_fmt(a, "--- f\n+++ f\n%.*s", STR_ARG(sample_hunks(&s, 3, true)));
	e = patch_read(a, hunks, &p);
	if (!e)
		e = patch_apply(a, &p.p[0], s.old, &options, &other, NULL);
	return told(!e && str_eq(new, other.p ? other : STR("")), &s, hunks, other, e);
}

/* The same lines, but for the indentation of added ones. */
static bool shifted(struct str new, struct str want)
{
	struct str one, other;

	if (str_starts(new, STR("\xEF\xBB\xBF"))) {
		new = str_sub(new, 3, new.n);
		want = str_sub(want, 3, want.n);
	}
	while (str_next_part(&new, '\n', &one)) {
		bool added = false;

		if (!str_next_part(&want, '\n', &other))
			return false;
		for (size_t i = 0; i < ARRAY_SIZE(new_texts); i++)
			added = added || str_eq(str_trim(other), str_trim(str_of(new_texts[i])));
		if (!str_eq(one, other) && !(added && str_eq(str_trim(one), str_trim(other))))
			return false;
	}
	return !want.n;
}

/*
 * One line of the patch is not quite one of the file: the change is made as meant where one place
 * fits, and all that stays has the bytes of the file; else it is refused.
 */
static bool loosened(bool *counts)
{
	static const char *const changed[][2] = {
		{"\t", "    "},  {"    ", "\t"}, {"\u201c", "\""}, {"\u2013", "-"},
		{"\u00a0", " "}, {"  ", " "},    {"a", "a "},      {"b", " b"},
	};
	struct buf b = buf_in(a);
	struct str hunks, line, rest, new = {"", 0};
	bool loose = false;
	match_set tolerated = 0;
	struct sample s;
	struct err *e;

	sample_file(&s);
	s.style = STYLE_LF;
	sample_change(&s);
	sample_contents(&s);
	rest = hunks = sample_hunks(&s, 3, false);
	while (str_next_part(&rest, '\n', &line)) {
		size_t k = below(ARRAY_SIZE(changed)), at = SIZE_MAX;

		if (!loose && line.p[0] != '+' && line.p[0] != '@')
			at = str_find(line, str_of(changed[k][0]), 1);
		loose = loose || at != SIZE_MAX;
		if (at == SIZE_MAX)
			buf_fmt(&b, "%.*s\n", STR_ARG(line));
		else
			buf_fmt(&b, "%.*s%s%.*s\n", (int)at, line.p, changed[k][1],
				(int)(line.n - at - strlen(changed[k][0])),
				line.p + at + strlen(changed[k][0]));
	}
	*counts = loose;
	if (!loose)
		return true;
	hunks = buf_as_str(&b);
	e = sample_apply(&s, hunks, &new, &tolerated);
	*counts = !e;
	if (e)
		return told(err_reason(e) == E_HUNK_FAILED, &s, hunks, new, e);
	return told(tolerated && (tolerated & 1U << MATCH_INDENT ? shifted(new, s.want)
								 : str_eq(new, s.want)),
		    &s, hunks, new, e);
}

static void many(bool (*holds)(bool *), size_t least, const char *what)
{
	struct arena *outer = a;
	size_t bad = 0, counted = 0;

	for (size_t i = 0; i < ROUNDS && bad < 3; i++) {
		struct arena *inner ARENA_LOCAL = arena_new();
		bool counts;

		a = inner;
		bad += !holds(&counts);
		counted += counts;
		a = outer;
	}
	is_int(bad, 0, what);
	ok(counted >= least, "in %zu of %d samples or more", least, ROUNDS);
}

int main(void)
{
	a = arena_new();
	many(exact, ROUNDS / 2, "only added and removed lines differ from the file");
	many(unified, ROUNDS / 2, "the unified diff of the same change makes the same");
	many(loosened, ROUNDS / 10, "a line that is nearly one of the file finds it");
	arena_free(a);
	return tap_done();
}
