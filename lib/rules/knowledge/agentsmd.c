#include "knowledge/agentsmd.h"
#include "md/md.h"

#define MARK_BEGIN   "<!-- ikm:decisions begin"
#define MARK_END     "<!-- ikm:decisions end"
#define SUMMARY_MOST 200 /* bytes of a summary */

const char *const agentsmd_names[] = {"AGENTS.md", "CLAUDE.md", NULL};

/* ---- the block as it should be ---- */

/*
 * Text of a decision as plain text of Markdown on one line: no markup, no comment that could be a
 * marker, no control character.
 */
static void agentsmd_put(struct arena *a, struct buf *b, struct str s, size_t most)
{
	struct str head = str_utf8(a, str_utf8_head(s, most));
	bool blank = false;

	for (size_t i = 0; i < head.n; i++) {
		unsigned char c = (unsigned char)head.p[i];

		if (c <= ' ' || c == 0x7f) {
			blank = true;
			continue;
		}
		if (blank)
			buf_putc(b, ' ');
		blank = false;
		if (c < 0x80 && strchr("\\`*_[]<>#|~!&@", (int)c))
			buf_putc(b, '\\');
		buf_putc(b, (char)c);
	}
	if (s.n > most)
		buf_puts(b, "\xe2\x80\xa6");
}

/*
 * Sources of a person's own settings are left out: the block would differ from person to person.
 * Of one id the item that is read counts: the most specific layer's.
 */
static bool agentsmd_lists(const struct knowledge *k, const struct kn_item *item)
{
	return (item->source->own || item->source->given) && item->status == KN_STATUS_ACCEPTED &&
	       !item->broken && knowledge_is_active(k, item) &&
	       knowledge_find(k, item->id, -1) == item;
}

ORDER_OF_POINTERS(agentsmd_cmp, struct kn_item, ORDER_STR(id))

static struct str agentsmd_block(struct arena *a, const struct knowledge *k, const char *nl,
				 size_t *n)
{
	const struct kn_item **items = arena_array(a, k->items.n + 1, sizeof(*items));
	struct buf b = buf_in(a);

	*n = 0;
	for (size_t i = 0; i < k->items.n; i++)
		if (agentsmd_lists(k, &k->items.p[i]))
			items[(*n)++] = &k->items.p[i];
	if (*n)
		qsort(items, *n, sizeof(*items), agentsmd_cmp);
	buf_fmt(&b,
		MARK_BEGIN ": written by 'ikm know export --agents-md'; change the decisions, not "
			   "this list -->%s## Decisions%s%s",
		nl, nl, nl);
	buf_fmt(&b, "%s%s%s",
		*n ? "These decisions hold in this repository. `ikm know show ID` has the whole "
		     "text of one, and `ikm check` judges a change."
		   : "No decision holds in this repository yet.",
		nl, *n ? nl : "");
	for (size_t i = 0; i < *n; i++) {
		const struct kn_item *item = items[i];

		buf_puts(&b, "- ");
		agentsmd_put(a, &b, item->id, item->id.n);
		buf_puts(&b, ": ");
		agentsmd_put(a, &b, item->title, SUMMARY_MOST);
		if (item->summary.n && !str_eq(item->summary, item->title)) {
			buf_puts(&b, ". ");
			agentsmd_put(a, &b, item->summary, SUMMARY_MOST);
		}
		buf_puts(&b, nl);
	}
	buf_fmt(&b, MARK_END " -->%s", nl);
	return buf_as_str(&b);
}

/* ---- the block that is there ---- */

static struct err *agentsmd_damaged(struct str text, size_t at, const char *what)
{
	size_t line = str_place_of_offset(text, at).line;
	struct err *e = err_new(E_BAD_MARKDOWN, "line %zu: %s", line, what);

	err_detail_int(e, "line", (int64_t)line);
	return err_help(e, "mend the markers, or take both out: ikm then adds a new block at the "
			   "end");
}

/* Whether the offset lies in a block of code; for offsets in ascending order, from block *i on. */
static bool agentsmd_in_code(const struct md *md, size_t *i, size_t at)
{
	while (*i < md->n && (md->p[*i].type != MD_CODE || md->p[*i].at.to <= at))
		++*i;
	return *i < md->n && md->p[*i].at.from <= at;
}

/* Code or a comment that is open at the end of the text would swallow a block that is added. */
static struct err *agentsmd_closed(struct arena *a, struct str text)
{
	struct str probe = str_fmt(a, "%.*s\n\n# x\n", STR_ARG(text));
	size_t from = md_body_offset(probe);
	const struct md_block *last;
	struct md md;

	TRY(md_read(a, str_sub(probe, from, probe.n), from, &md));
	last = md.n ? &md.p[md.n - 1] : NULL;
	/* An item of a list ends its code, but only after the text that is added. */
	for (size_t i = 0; i < md.n; i++)
		if (md.p[i].type == MD_CODE && md.p[i].at.from < text.n &&
		    md.p[i].at.to > text.n + 1)
			last = &md.p[i];
	if (last && last->type == MD_CODE)
		return agentsmd_damaged(text, last->at.from,
					"a block of code begins here, and does not end");
	if (last && last->type == MD_HTML)
		return agentsmd_damaged(text, last->at.from,
					"a comment or HTML begins here, and does not end");
	return NULL;
}

/* *block: from the first marker to the line behind the second one; SIZE_MAX: there is none. */
static struct err *agentsmd_find(struct arena *a, struct str text, struct span *block)
{
	struct str rest = text, line;
	size_t body = md_body_offset(text), code = 0;
	struct md md;

	*block = (struct span){SIZE_MAX, SIZE_MAX};
	TRY(md_read(a, str_sub(text, body, text.n), body, &md));
	while (str_next_line(&rest, &line)) {
		size_t at = (size_t)(line.p - text.p);
		struct str bare = str_trim(line);
		const char *wrong;
		bool begin = str_starts(bare, STR(MARK_BEGIN)),
		     end = str_starts(bare, STR(MARK_END));

		/* A sample in code is no marker. */
		if ((!begin && !end) || agentsmd_in_code(&md, &code, at))
			continue;
		wrong = !str_ends(bare, STR("-->")) && str_holds(bare, "-->")
				? "nothing may stand behind the marker on its line"
			: !str_ends(bare, STR("-->"))
				? "a marker of ikm's block is not closed with '-->'"
			: begin && block->from != SIZE_MAX ? "a second block of ikm begins"
			: end && block->from == SIZE_MAX
				? "ikm's block ends here, and did not begin"
			: end && block->to != SIZE_MAX ? "ikm's block ends a second time"
						       : NULL;
		if (wrong)
			return agentsmd_damaged(text, at, wrong);
		if (begin)
			block->from = at;
		else
			block->to = text.n - rest.n;
	}
	if (block->from != SIZE_MAX && block->to == SIZE_MAX)
		return agentsmd_damaged(text, block->from,
					"ikm's block begins here, and does not end");
	return block->from == SIZE_MAX ? agentsmd_closed(a, text) : NULL;
}

struct err *agentsmd_compare(struct arena *a, const struct knowledge *k, struct str text,
			     struct agentsmd *out)
{
	size_t lf = str_find_char(text, '\n', 0);
	const char *nl = lf != SIZE_MAX && lf && text.p[lf - 1] == '\r' ? "\r\n" : "\n";
	struct span at;

	*out = (struct agentsmd){.at = {text.n, text.n}};
	out->block = agentsmd_block(a, k, nl, &out->decisions);
	TRY(agentsmd_find(a, text, &at));
	out->there = at.from != SIZE_MAX;
	if (!out->there) {
		out->stale = out->decisions > 0;
		return NULL;
	}
	out->at = at;
	out->stale = !str_eq(str_sub(text, at.from, at.to), out->block);
	/* A last line without a line end stays so. */
	if (out->stale && at.to == text.n && !str_ends(text, STR("\n"))) {
		out->block.n -= strlen(nl);
		out->stale = !str_eq(str_sub(text, at.from, at.to), out->block);
	}
	return NULL;
}

struct str agentsmd_put_block(struct arena *a, struct str text, const struct agentsmd *m)
{
	const char *nl = str_ends(m->block, STR("\r\n")) ? "\r\n" : "\n";
	struct buf b = buf_in(a);

	buf_put(&b, str_sub(text, 0, m->at.from));
	if (!m->there && text.n)
		buf_fmt(&b, "%s%s", str_ends(text, STR("\n")) ? "" : nl, nl);
	buf_put(&b, m->block);
	buf_put(&b, str_sub(text, m->at.to, text.n));
	return buf_as_str(&b);
}
