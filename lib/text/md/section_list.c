/* Finds the sections of a Markdown text, with GitHub's slugs for their headings. */
#include "md/md.h"

/* ---- slugs ---- */

/* GitHub removes these above ASCII: punctuation, symbols, and numbers that are not digits. */
static const struct {
	uint32_t from, to;
} dropped[] = {
	{0x80, 0xa9},       {0xab, 0xb4},     {0xb6, 0xb9},     {0xbb, 0xbf},     {0xd7, 0xd7},
	{0xf7, 0xf7},       {0x2000, 0x203e}, {0x2041, 0x2053}, {0x2055, 0x2070}, {0x2074, 0x207e},
	{0x2080, 0x208e},   {0x20a0, 0x20cf}, {0x2150, 0x2182}, {0x2185, 0x24b5}, {0x24ea, 0x2bff},
	{0x2e00, 0x2e2e},   {0x2e30, 0x3004}, {0x3007, 0x3020}, {0x3030, 0x3030}, {0xe000, 0xf8ff},
	{0xfe10, 0xfe19},   {0xfe30, 0xfe32}, {0xfe35, 0xfe4c}, {0xfe50, 0xfe6b}, {0xff01, 0xff0f},
	{0xff1a, 0xff20},   {0xff3b, 0xff3e}, {0xff40, 0xff40}, {0xff5b, 0xff65}, {0xffe0, 0xffff},
	{0x1f000, 0x1faff},
};

static bool is_dropped(uint32_t c)
{
	if (c < 0x80)
		return !(c == '-' || c == '_' || ascii_is_alnum((char)c));
	for (size_t i = 0; i < ARRAY_SIZE(dropped) && dropped[i].from <= c; i++)
		if (c <= dropped[i].to)
			return true;
	return false;
}

/* Lower case for Latin, Greek and Cyrillic: scripts with capitals in headings. */
static uint32_t md_section_lower(uint32_t c)
{
	if ((c >= 'A' && c <= 'Z') || (c >= 0xc0 && c <= 0xde) || (c >= 0x391 && c <= 0x3ab) ||
	    (c >= 0x410 && c <= 0x42f))
		return c + 32;
	if (c >= 0x400 && c <= 0x40f)
		return c + 80;
	if (c == 0x178)
		return 0xff;
	/* Pairs: the capital comes first and is even here; it is odd in the next ranges. */
	if ((c >= 0x100 && c <= 0x12f) || (c >= 0x132 && c <= 0x137) ||
	    (c >= 0x14a && c <= 0x177) || (c >= 0x460 && c <= 0x481) ||
	    (c >= 0x48a && c <= 0x4bf) || (c >= 0x4d0 && c <= 0x52f) ||
	    (c >= 0x1e00 && c <= 0x1e95) || (c >= 0x1ea0 && c <= 0x1eff))
		return c | 1;
	if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17e) || (c >= 0x4c1 && c <= 0x4ce))
		return c + (c & 1);
	return c;
}

static struct str slug(struct arena *a, struct str heading)
{
	struct buf b = buf_in(a);
	uint32_t c;

	for (size_t i = 0, n; i < heading.n; i += n) {
		n = str_utf8_char(heading.p + i, heading.n - i, &c);
		if (!n)
			BUG("a heading's text is not UTF-8");
		if (c == ' ')
			buf_putc(&b, '-');
		else if (!is_dropped(c))
			buf_utf8(&b, md_section_lower(c));
	}
	return buf_as_str(&b);
}

/* A hash table of the slugs in use. `again` counts the later headings that wanted the same slug. */
struct slugs {
	struct taken {
		struct str slug;
		size_t again;
	} * p;
	size_t mask;
};

static struct taken *slugs_find(const struct slugs *t, struct str s)
{
	size_t i = (size_t)str_hash(s) & t->mask;

	while (t->p[i].slug.p && !str_eq(t->p[i].slug, s))
		i = (i + 1) & t->mask;
	return &t->p[i];
}

static struct str slugs_add(struct arena *a, struct slugs *t, struct str wanted)
{
	struct taken *first = slugs_find(t, wanted), *free = first;
	struct str s = wanted;

	while (free->slug.p) {
		s = str_fmt(a, "%.*s-%zu", STR_ARG(wanted), ++first->again);
		free = slugs_find(t, s);
	}
	free->slug = s.n ? s : STR("");
	return free->slug;
}

/* ---- sections ---- */

/* The offset behind the line that contains `at`. */
static size_t md_section_next_line(struct str text, size_t at)
{
	while (at < text.n && text.p[at] != '\n' && text.p[at] != '\r')
		at++;
	at += at + 1 < text.n && text.p[at] == '\r' && text.p[at + 1] == '\n';
	return size_min(at + 1, text.n);
}

/* A heading ends the open sections of its level and of deeper levels. */
static void set_ends(struct arena *a, struct str text, struct md_sections *out)
{
	struct VEC(size_t) open = {0};

	for (size_t i = 0; i <= out->n; i++) {
		size_t end = i < out->n ? out->p[i].at.from : text.n;
		unsigned level = i < out->n ? out->p[i].level : 0;

		if (i < out->n && out->p[i].nested)
			continue;
		while (open.n && out->p[open.p[open.n - 1]].level >= level) {
			struct md_section *s = &out->p[open.p[--open.n]];

			s->at.to = end;
			s->body.from = size_min(s->body.from, end);
			s->body.to = end;
		}
		*VEC_PUSH(a, &open) = i;
	}
}

void md_sections_of_parsed(struct arena *a, struct str text, const struct md *md,
			   const struct md_anchors *anchors, struct md_sections *out)
{
	size_t headings = 0, line = 1, counted = 0, next = 0;
	struct slugs taken = {.mask = 15};

	*out = (struct md_sections){0};
	for (size_t i = 0; i < md->n; i++)
		headings += md->p[i].type == MD_HEADING;
	while (taken.mask < headings * 2)
		taken.mask = taken.mask * 2 + 1;
	taken.p = arena_array(a, taken.mask + 1, sizeof(*taken.p));
	VEC_EACH(const struct md_block, b, md) {
		struct md_section *s;
		struct str base;
		size_t k;

		if (b->type != MD_HEADING)
			continue;
		base = slug(a, b->text);
		s = VEC_PUSH(a, out);
		for (; counted < b->at.from; counted++)
			line += text.p[counted] == '\n';
		*s = (struct md_section){
			.anchor = STR(""),
			.slug = slugs_add(a, &taken, base),
			.base = base,
			.heading = b->text,
			.level = b->level,
			.line = line,
			.nested = b->depth > 0,
			.heading_at = b->at,
			.at = b->at,
			.body = {b->at.to, b->at.to},
		};
		if (b->depth)
			continue;
		s->body.from = md_section_next_line(text, b->at.to);
		while (next < anchors->n && anchors->p[next].at.from < b->at.to)
			next++;
		if (next == anchors->n ||
		    !str_is_blank(str_sub(text, b->at.to, anchors->p[next].at.from)))
			continue;
		s->anchor = anchors->p[next].name;
		s->anchor_at = anchors->p[next].at;
		/* The text begins behind this anchor, and behind those that follow it directly. */
		k = next;
		do {
			s->body.from = size_max(s->body.from,
						md_section_next_line(text, anchors->p[k++].at.to));
		} while (k < anchors->n &&
			 str_is_blank(str_sub(text, s->body.from, anchors->p[k].at.from)));
	}
	set_ends(a, text, out);
}

struct err *md_sections(struct arena *a, struct str text, struct md_sections *out)
{
	size_t body = md_body_offset(text);
	struct md_anchors anchors;
	struct md md;

	*out = (struct md_sections){0};
	TRY(md_read(a, str_sub(text, body, text.n), body, &md));
	md_hidden_anchors_of_parsed(a, text, &md, &anchors);
	md_sections_of_parsed(a, text, &md, &anchors, out);
	return NULL;
}
