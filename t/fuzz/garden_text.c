/* Changes random sections of any text: every byte outside the body stays, and so do all anchors
 * outside it. The input: how, which section, the length of the given text, that text, the file. */
#include "base/base.h"
#include "garden/section_edit.h"
#include "md/md.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NOW ((int64_t)1769860800000)

static void fuzz_read(struct arena *a, struct str text, struct md_sections *all,
		      struct md_anchors *anchors)
{
	if (md_sections(a, text, all) || md_hidden_anchors(a, text, anchors))
		BUG("a result cannot be read");
}

/* The bytes before the body stay, but for a line end that the last line lacked. */
static void fuzz_bytes(struct str old, struct str new, struct span body)
{
	size_t behind = old.n - body.to;

	if (new.n < body.from + behind ||
	    !str_eq(str_sub(old, 0, body.from), str_sub(new, 0, body.from)) ||
	    !str_eq(str_sub(old, body.to, old.n), str_sub(new, new.n - behind, new.n)))
		BUG("bytes outside the body changed");
}

static void fuzz_anchors(struct str old, const struct md_anchors *was, struct str new,
			 const struct md_anchors *now, struct span body)
{
	size_t last = now->n;

	for (size_t i = 0; i < was->n && was->p[i].at.from < body.from; i++)
		if (i >= now->n || now->p[i].at.from != was->p[i].at.from ||
		    !str_eq(now->p[i].name, was->p[i].name))
			BUG("anchor %zu before the body changed", i);
	for (size_t i = was->n; i-- > 0 && was->p[i].at.from >= body.to;)
		if (!last-- || new.n - now->p[last].at.from != old.n - was->p[i].at.from ||
		    !str_eq(now->p[last].name, was->p[i].name))
			BUG("anchor %zu behind the body changed", i);
}

/* The headings outside the body are headings of the same level. */
static void fuzz_headings(struct str old, const struct md_sections *was, struct str new,
			  const struct md_sections *now, struct span body)
{
	size_t last = now->n;

	for (size_t i = 0; i < was->n && was->p[i].at.from < body.from; i++)
		if (i >= now->n || now->p[i].at.from != was->p[i].at.from ||
		    now->p[i].level != was->p[i].level)
			BUG("section %zu before the body changed", i);
	for (size_t i = was->n; i-- > 0 && was->p[i].at.from >= body.to;)
		if (!last-- || new.n - now->p[last].at.from != old.n - was->p[i].at.from ||
		    now->p[last].level != was->p[i].level ||
		    now->p[last].at.to - now->p[last].at.from !=
			    was->p[i].at.to - was->p[i].at.from)
			BUG("section %zu behind the body changed", i);
}

static struct err *fuzz_change(struct arena *a, struct str text, struct str name, struct str given,
			       unsigned how, struct garden_text_done *done)
{
	struct garden_patch p = {.section = name, .now = NOW};
	enum garden_text_op op = (enum garden_text_op)(how % 3);
	struct garden_curate c = {
		.section = name, .ops = &op, .nops = 1, .reason = STR("why"), .now = NOW};

	switch (how % 6) {
	case 0: p.replace = given; break;
	case 1: p.append = given; break;
	case 2: p.tombstone = given; break;
	default: strs_push(a, &c.items, given); return garden_text_curate_list(a, text, &c, done);
	}
	return garden_text_update_section(a, text, &p, done);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct str in = {(const char *)data, size}, text, given, logged;
	struct md_sections was = {0}, now = {0};
	struct md_anchors anchors = {0}, after = {0};
	struct garden_text_done done;
	struct strs names;
	struct err *e;
	size_t i;
	bool added;

	given = str_sub(in, 3, 3 + (size > 2 ? data[2] : 0));
	text = str_sub(in, 3 + given.n, size);
	if (size < 3 || md_sections(a, text, &was) || md_hidden_anchors(a, text, &anchors) ||
	    !was.n)
		goto out;
	if (!garden_text_log_add(a, GARDEN_PART, text, NOW, STR("why"), &logged, &added) && added)
		fuzz_read(a, logged, &now, &after);
	md_section_names(a, &was, &names);
	i = data[1] % was.n;
	e = fuzz_change(a, text, names.p[i], given, data[0], &done);
	if (e || str_eq(done.text, text))
		goto out;
	fuzz_read(a, done.text, &now, &after);
	fuzz_bytes(text, done.text, was.p[i].body);
	fuzz_anchors(text, &anchors, done.text, &after, was.p[i].body);
	fuzz_headings(text, &was, done.text, &now, was.p[i].body);
	if (now.p[i].at.from != was.p[i].at.from ||
	    !str_eq(done.after, str_sub(done.text, now.p[i].at.from, now.p[i].at.to)))
		BUG("the section itself is elsewhere");
out:
	arena_free(a);
	return 0;
}
