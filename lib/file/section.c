/* Finds a section of a text by its name. */
#include "file/file.h"
#include "md/md.h"

#define SHOWN 10 /* names in a message when no name is near */

/* The anchor without its version: "concerns" of "concerns v1". */
static struct str file_section_bare(struct str anchor)
{
	size_t blank = str_rfind_char(anchor, ' ');
	struct str version = blank == SIZE_MAX ? STR("") : str_sub(anchor, blank + 1, anchor.n);
	int64_t n;

	if (version.n < 2 || version.p[0] != 'v' || !str_int(str_sub(version, 1, version.n), &n))
		return anchor;
	return str_sub(anchor, 0, blank);
}

static const struct md_section *file_section_find(const struct md_sections *all, struct str name)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->p[i].anchor.n && str_eq(all->p[i].anchor, name))
			return &all->p[i];
	for (size_t i = 0; i < all->n; i++)
		if (all->p[i].anchor.n && str_eq(file_section_bare(all->p[i].anchor), name))
			return &all->p[i];
	for (size_t i = 0; i < all->n; i++)
		if (str_eq(all->p[i].slug, name))
			return &all->p[i];
	for (size_t i = 0; i < all->n; i++)
		if (str_eq(all->p[i].heading, name))
			return &all->p[i];
	for (size_t i = 0; i < all->n; i++)
		if (name.n && str_ieq(all->p[i].heading, name))
			return &all->p[i];
	return NULL;
}

static struct err *no_such_section(struct arena *a, const struct md_sections *all, struct str name)
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
		    STR_ARG(str_meant(a, near)));
	err_detail_list(e, "sections", &names);
	if (!names.n)
		return err_help(e, "the text has no headings");
	names.n = size_min(names.n, SHOWN);
	return near.n ? e
		      : err_help(e, "there are %.*s%s", STR_ARG(str_join(a, &names, ", ")),
				 more ? " ..." : "");
}

struct err *file_section(struct arena *a, struct str content, struct str anchor, struct str *out)
{
	struct md_sections all = {0};
	const struct md_section *s;

	if (!str_is_text(content))
		return err_new(E_NOT_TEXT, "only UTF-8 text without NUL has sections");
	TRY(md_sections(a, content, &all));
	s = file_section_find(&all, anchor);
	if (!s)
		return no_such_section(a, &all, anchor);
	*out = str_sub(content, s->at.from, s->at.to);
	return NULL;
}
