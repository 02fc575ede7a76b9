/* Finds a section by its name, and gives each section a name. */
#include "md/md.h"

#define SHOWN     10 /* names in a message when no name is near */
#define LINES_MAX 20 /* lines in a message */

/* The anchor without its version: "concerns" of "concerns v1". */
static struct str find_bare(struct str anchor)
{
	size_t blank = str_rfind_char(anchor, ' ');
	struct str version = blank == SIZE_MAX ? STR("") : str_sub(anchor, blank + 1, anchor.n);
	int64_t n;

	if (version.n < 2 || version.p[0] != 'v' || !str_int(str_sub(version, 1, version.n), &n))
		return anchor;
	return str_sub(anchor, 0, blank);
}

/* The ways to name a section, the most exact first. */
enum find_way { FIND_ANCHOR, FIND_BARE, FIND_SLUG, FIND_HEADING, FIND_CASE, FIND_WAYS };

static bool find_matches(const struct md_section *s, struct str name, enum find_way way)
{
	switch (way) {
	case FIND_ANCHOR: return s->anchor.n && str_eq(s->anchor, name);
	case FIND_BARE: return s->anchor.n && str_eq(find_bare(s->anchor), name);
	case FIND_SLUG: return str_eq(s->slug, name);
	case FIND_HEADING: return str_eq(s->heading, name);
	default: return name.n && str_ieq(s->heading, name);
	}
}

static struct err *find_no_section(struct arena *a, const struct md_sections *all, struct str name)
{
	struct strs names = {0};
	struct str near;
	struct err *e;
	bool more;

	for (size_t i = 0; i < all->n; i++) {
		if (all->p[i].anchor.n)
			strs_push(a, &names, all->p[i].anchor);
		if (all->p[i].slug.n)
			strs_push(a, &names, all->p[i].slug);
	}
	near = str_nearest(name, &names);
	more = names.n > SHOWN;
	e = err_new(E_NO_SUCH_SECTION, "there is no section '%.*s'%.*s", STR_ARG(name),
		    STR_ARG(str_did_you_mean(a, near)));
	err_detail_list(e, "sections", &names);
	if (!names.n)
		return err_help(e, "the text has no headings");
	names.n = size_min(names.n, SHOWN);
	return near.n ? e
		      : err_help(e, "its sections: %.*s%s", STR_ARG(str_join(a, &names, ", ")),
				 more ? " ..." : "");
}

struct err *md_section_find(struct arena *a, const struct md_sections *all, struct str name,
			    const struct md_section **out)
{
	for (int way = 0; way < FIND_WAYS; way++)
		for (size_t i = 0; i < all->n; i++)
			if (find_matches(&all->p[i], name, (enum find_way)way)) {
				*out = &all->p[i];
				return NULL;
			}
	return find_no_section(a, all, name);
}

/* ---- for changes ---- */

/* The sections that the name may mean, by the first way that finds one. */
struct find_found {
	const struct md_section *first, *nested;
	int64_t lines[LINES_MAX];
	size_t n;
};

static void find_every(const struct md_sections *all, struct str name, int64_t line,
		       struct find_found *f)
{
	*f = (struct find_found){0};
	for (int way = 0; way < FIND_WAYS && !f->n; way++)
		VEC_EACH(const struct md_section, s, all) {
			bool matches =
				find_matches(s, name, (enum find_way)way) ||
				/* the first of several equal headings has their slug */
				(way == FIND_SLUG && (f->n || line) && str_eq(s->base, name));

			if (!matches || (line && (int64_t)s->line != line))
				continue;
			if (s->nested) {
				f->nested = s;
				continue;
			}
			if (!f->n)
				f->first = s;
			if (f->n < LINES_MAX)
				f->lines[f->n] = (int64_t)s->line;
			f->n++;
		}
}

/* Splits "NAME:LINE". */
static bool find_line(struct str name, struct str *before, int64_t *line)
{
	size_t colon = str_rfind_char(name, ':');

	if (colon == SIZE_MAX || !str_int(str_sub(name, colon + 1, name.n), line) || *line < 1)
		return false;
	*before = str_sub(name, 0, colon);
	return true;
}

struct err *md_section_pick(struct arena *a, const struct md_sections *all, struct str name,
			    const struct md_section **out)
{
	struct str before = name;
	struct find_found f, at;
	int64_t line;

	find_every(all, name, 0, &f);
	if (!f.n && find_line(name, &before, &line)) {
		find_every(all, before, line, &at);
		f.nested = at.nested ? at.nested : f.nested;
		if (at.n)
			f = at;
	}
	if (f.n > 1) {
		size_t shown = size_min(f.n, LINES_MAX);
		struct strs lines = {0};
		struct err *e;

		for (size_t i = 0; i < shown; i++)
			strs_push(a, &lines, str_fmt(a, "%lld", (long long)f.lines[i]));
		e = err_new(E_NOT_UNIQUE, "'%.*s' may mean %zu sections, in the lines %.*s%s",
			    STR_ARG(name), f.n, STR_ARG(str_join(a, &lines, ", ")),
			    f.n > shown ? " and later" : "");
		err_detail_ints(e, "lines", f.lines, shown);
		err_detail_int(e, "count", (int64_t)f.n);
		return err_help(e, "name it with its line: '%.*s:%lld'", STR_ARG(name),
				(long long)f.lines[0]);
	}
	if (!f.n && f.nested)
		return err_help(err_detail_int(err_new(E_NO_SUCH_SECTION,
						       "the heading '%.*s' in line %zu stands in a "
						       "quote or list item, and has no section",
						       STR_ARG(f.nested->heading), f.nested->line),
					       "line", (int64_t)f.nested->line),
				"name a heading that stands by itself");
	if (!f.n)
		return find_no_section(a, all, name);
	*out = f.first;
	return NULL;
}

void md_section_names(struct arena *a, const struct md_sections *all, struct strs *out)
{
	struct strs anchors = {0}, bare = {0}, bases = {0};

	*out = (struct strs){0};
	for (size_t i = 0; i < all->n; i++) {
		if (all->p[i].anchor.n) {
			strs_push(a, &anchors, all->p[i].anchor);
			strs_push(a, &bare, find_bare(all->p[i].anchor));
		}
		strs_push(a, &bases, all->p[i].base);
	}
	strs_sort(&anchors);
	strs_sort(&bare);
	strs_sort(&bases);
	VEC_EACH(const struct md_section, s, all) {
		bool taken = strs_sorted_has(&anchors, s->slug) || strs_sorted_has(&bare, s->slug);

		if (s->anchor.n && strs_sorted_count_of(&anchors, s->anchor) == 1)
			strs_push(a, out, s->anchor);
		else if (!taken && s->slug.n && str_eq(s->slug, s->base) &&
			 strs_sorted_count_of(&bases, s->base) == 1)
			strs_push(a, out, s->slug);
		else
			strs_push(a, out, str_fmt(a, "%.*s:%zu", STR_ARG(s->slug), s->line));
	}
}
