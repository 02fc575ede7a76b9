/* Changes a section: its body, the items of its list, and the lines of the Change Log. */
#include "garden/section_edit.h"
#include "garden/doc.h"
#include "garden/text_edit.h"

/* ---- a section ---- */

/* The text with the line ends of the section, without blank lines around it, and without a BOM. */
static struct str text_in_kind(const struct text_edit *t, struct str given, bool *adapted)
{
	struct str s = str_sub(given, str_starts(given, STR("\xef\xbb\xbf")) ? 3 : 0, given.n);
	struct span core = text_trim_blank_lines(s, (struct span){0, s.n});
	struct buf b = buf_in(t->a);

	*adapted = false;
	for (size_t at = core.from, end, next; at < core.to; at = next) {
		next = end = text_next_line_start(s, at);
		while (end > at && (s.p[end - 1] == '\n' || s.p[end - 1] == '\r'))
			end--;
		if (end < next && next < core.to)
			*adapted = *adapted || !str_is(str_sub(s, end, next), t->eol);
		buf_put(&b, str_sub(s, at, end));
		buf_puts(&b, t->eol);
	}
	return buf_as_str(&b);
}

/*
 * The body of a section that is given up: "*Given up 2026-01-31T12:00:00Z: why*", so that nobody
 * takes an empty section for a forgotten one.
 */
static struct str garden_text_section_tombstone(struct arena *a, int64_t now, struct str why)
{
	return str_fmt(a, "*Given up %.*s: %.*s*", STR_ARG(os_time_text(a, now, false)),
		       STR_ARG(str_trim(why)));
}

static bool garden_text_is_tombstone(struct str body)
{
	struct str s = str_trim(body), time;
	size_t blank;
	int64_t ms;

	if (!str_starts(s, STR("*Given up ")) || !str_ends(s, STR("*")) ||
	    str_find_char(s, '\n', 0) != SIZE_MAX || str_find_char(s, '\r', 0) != SIZE_MAX)
		return false;
	time = str_sub(s, sizeof("*Given up ") - 1, s.n);
	blank = str_find_char(time, ' ', 0);
	time = str_sub(time, 0, blank);
	return str_ends(time, STR(":")) && os_time_read(str_sub(time, 0, time.n - 1), &ms);
}

struct err *garden_text_update_section(struct arena *a, struct str text,
				       const struct garden_patch *p, struct garden_text_done *out)
{
	struct str given = p->replace.p ? p->replace : p->append.p ? p->append : p->tombstone;
	struct str core, new, old;
	struct buf b = buf_in(a);
	struct text_edit t;
	bool item = false;
	struct md md;

	*out = (struct garden_text_done){0};
	if (!given.p || !!p->replace.p + !!p->append.p + !!p->tombstone.p > 1)
		return err_new(E_BAD_ARGUMENT, "give one of replace, append and tombstone");
	if (!str_is_text(given))
		return err_new(E_BAD_UTF8, "the text of a section must be UTF-8 without NUL");
	if (p->tombstone.p) {
		TRY(text_check_one_line(p->tombstone, "tombstone"));
		TRY(garden_rationale_check(p->tombstone));
		given = garden_text_section_tombstone(a, p->now, p->tombstone);
	}
	TRY(text_edit_begin(a, text, p->section, &t));
	out->crlf = str_is(str_of(t.eol), "\r\n");
	core = new = text_in_kind(&t, given, &out->adapted);
	old = str_sub(text, t.core.from, t.core.to);
	if (p->append.p && !new.n) {
		core = old;
	} else if (p->append.p && old.n && !garden_text_is_tombstone(old)) {
		TRY(md_read(a, old, 0, &md));
		for (size_t i = 0; i < md.n; i++)
			if (!md.p[i].depth)
				item = md.p[i].type == MD_ITEM;
		if (item)
			TRY(md_read(a, new, 0, &md));
		buf_put(&b, old);
		if (old.p[old.n - 1] != '\n' && old.p[old.n - 1] != '\r')
			buf_puts(&b, t.eol);
		/* A new item joins the list at the end. */
		if (!item || !md.n || md.p[0].type != MD_ITEM)
			buf_puts(&b, t.eol);
		buf_put(&b, new);
		core = buf_as_str(&b);
	}
	out->tombstone = garden_text_is_tombstone(core);
	return text_edit_end(&t, core, new, out);
}

/* ---- the items of a list ---- */

struct text_item {
	size_t from, to; /* its lines, without blank lines behind it */
	size_t line;
	unsigned depth;
	bool parent;     /* other items stand below it */
	struct str text; /* its own text, without the marker; lines joined by a blank */
	struct str indent, marker;
};
struct text_items VEC(struct text_item);

struct text_found {
	bool *is; /* for each item: it is named */
	size_t n;
};

static size_t text_marker(struct str s)
{
	size_t i = 0;

	if (i < s.n && strchr("-*+", s.p[i]) && s.p[i]) {
		i++;
	} else {
		while (i < s.n && i < 9 && ascii_is_digit(s.p[i]))
			i++;
		if (!i || i == s.n || (s.p[i] != '.' && s.p[i] != ')'))
			return 0;
		i++;
	}
	if (i < s.n && !ascii_is_space(s.p[i]))
		return 0;
	while (i < s.n && ascii_is_space(s.p[i]))
		i++;
	return i;
}

/* Every run of blanks and line ends becomes one blank. */
static struct str text_squeezed(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	s = str_trim(s);
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_space(s.p[i]))
			buf_putc(&b, s.p[i]);
		else if (b.p[b.n - 1] != ' ')
			buf_putc(&b, ' ');
	return buf_as_str(&b);
}

/* The items of the body, outer and inner ones, in order. */
static struct err *text_items(const struct text_edit *t, struct text_items *out)
{
	struct span body = t->section->body;
	struct places places = {.text = t->text};
	struct md md;

	*out = (struct text_items){0};
	TRY(md_read(t->a, str_sub(t->text, body.from, body.to), body.from, &md));
	for (size_t i = 0; i < md.n; i++) {
		const struct md_block *b = &md.p[i];
		struct text_item *it;
		size_t end = b->at.to, marker, n = 0;
		struct str s;

		if (b->type != MD_ITEM)
			continue;
		it = VEC_PUSH(t->a, out);
		it->from = b->at.from;
		it->to = b->at.to;
		it->depth = b->depth;
		it->line = str_place_of_next_offset(&places, b->at.from).line;
		for (size_t k = i + 1; k < md.n && md.p[k].at.from < b->at.to && !it->parent; k++)
			if (md.p[k].type == MD_ITEM && md.p[k].depth > b->depth) {
				it->parent = true;
				end = size_max(md.p[k].at.from, it->from);
			}
		/* An item's lines end where the first item below it begins, or with the item. */
		s = str_sub(t->text, it->from, end);
		while (n < s.n && (s.p[n] == ' ' || s.p[n] == '\t' || s.p[n] == '>'))
			n++;
		it->indent = str_sub(s, 0, n);
		s = str_sub(s, n, s.n);
		marker = text_marker(s);
		it->marker = str_trim(str_sub(s, 0, marker));
		it->text = text_squeezed(t->a, str_sub(s, marker, s.n));
	}
	return NULL;
}

/* ---- evidence tokens ---- */

/* Takes the next word that begins with "ev:" off *rest. Malformed tokens count, so that they can
 * be pruned. */
static bool text_token(struct str *rest, struct str *token)
{
	size_t at = 0, end;

	while ((at = str_find(*rest, STR("ev:"), at)) != SIZE_MAX) {
		for (end = at + 3; end < rest->n && (ascii_is_alnum(rest->p[end]) ||
						     rest->p[end] == '-' || rest->p[end] == '_');
		     end++)
			;
		if (end > at + 3 && (!at || !ascii_is_alnum(rest->p[at - 1]))) {
			*token = str_sub(*rest, at, end);
			*rest = str_sub(*rest, end, rest->n);
			return true;
		}
		at = end;
	}
	return false;
}

/* The evidence tokens of a text, each once, also malformed ones. */
static struct strs text_tokens(struct arena *a, struct str s)
{
	struct strs all = {0};
	struct str token;

	while (text_token(&s, &token))
		if (!strs_has(&all, token))
			strs_push(a, &all, token);
	return all;
}

/* The text without its tokens and the brackets and commas that stood around them. */
static struct str text_without_tokens(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);
	struct str rest = s, token, out;

	while (text_token(&rest, &token)) {
		buf_put(&b, str_sub(s, 0, (size_t)(token.p - s.p)));
		s = rest;
	}
	buf_put(&b, s);
	out = text_squeezed(a, buf_as_str(&b));
	while (out.n && strchr(" ,;([{", out.p[out.n - 1]))
		out.n--;
	while (str_ends(out, STR("()")) || str_ends(out, STR("[]")))
		out = str_trim(str_sub(out, 0, out.n - 2));
	return out;
}

/* ---- names of items ---- */

/* Adds the item with this text or this token. Two of them are the error NOT_UNIQUE. */
static struct err *text_find_one(const struct text_edit *t, const struct text_items *items,
				 struct str name, bool token, struct text_found *f, bool *found)
{
	struct str plain = text_squeezed(t->a, name), bare;
	int64_t lines[TEXT_LINES_MAX];
	size_t n = 0, first = 0;

	bare = str_sub(plain, text_marker(plain), plain.n);
	for (size_t i = 0; i < items->n; i++) {
		struct str text = items->p[i].text;
		struct strs tokens = {0};

		if (token)
			tokens = text_tokens(t->a, text);
		if (!(token ? strs_has(&tokens, name)
			    : text.n && (str_eq(text, plain) || str_eq(text, bare))))
			continue;
		first = n ? first : i;
		if (n < TEXT_LINES_MAX)
			lines[n] = (int64_t)items->p[i].line;
		n++;
	}
	if (n > 1)
		return err_help(text_error_add_lines(t->a,
						     err_new(E_NOT_UNIQUE, "'%.*s' fits %zu items",
							     STR_ARG(name), n),
						     lines, n),
				"replace the section instead");
	if (n && !f->is[first]) {
		f->is[first] = true;
		f->n++;
	}
	*found = n > 0;
	return NULL;
}

/* The error NO_SUCH_TEXT with the nearest item. */
static struct err *text_no_item(const struct text_edit *t, const struct text_items *items,
				struct str name)
{
	struct strs texts = {0};
	struct str near;
	struct err *e;

	for (size_t i = 0; i < items->n; i++) {
		struct strs tokens = text_tokens(t->a, items->p[i].text);

		strs_push(t->a, &texts, items->p[i].text);
		strs_add_all(t->a, &texts, &tokens);
	}
	near = str_nearest(name, &texts);
	e = err_new(E_NO_SUCH_TEXT, "the section '%.*s' has no item '%.*s'%.*s",
		    STR_ARG(t->section->heading), STR_ARG(name),
		    STR_ARG(str_did_you_mean(t->a, near)));
	if (near.n)
		err_add_detail(e, "nearest", near);
	return err_help(e, "name an item by its token (ev:...) or by its exact text");
}

/*
 * Adds the items that a line names: by tokens alone, or by its text. *found is false when it is the
 * text of no item. Errors: NOT_UNIQUE; NO_SUCH_TEXT for a token that no item has.
 */
static struct err *text_find_named(const struct text_edit *t, const struct text_items *items,
				   struct str name, struct text_found *f, bool *found)
{
	struct strs tokens = text_tokens(t->a, name);
	struct str rest = text_without_tokens(t->a, name);
	bool only = tokens.n;

	for (size_t i = 0; i < rest.n; i++)
		only = only && strchr(" ,;()[]", rest.p[i]);
	if (!only)
		return text_find_one(t, items, name, false, f, found);
	for (size_t i = 0; i < tokens.n; i++) {
		TRY(text_find_one(t, items, tokens.p[i], true, f, found));
		if (!*found)
			return text_no_item(t, items, tokens.p[i]);
	}
	return NULL;
}

/* The text is read again for each item. */
#define ITEMS_MAX 1000

const char *const garden_text_ops[] = {GARDEN_TEXT_OPS(ENUM_NAME) NULL};

/* ---- changes of the body ---- */

/* The core with these items cut out, and `line` in place of the first; p NULL: nothing. */
static struct str text_cut(const struct text_edit *t, const struct text_items *items,
			   const struct text_found *f, struct str line)
{
	struct str core = str_sub(t->text, 0, t->core.to), out;
	struct span span;
	struct buf b = buf_in(t->a);
	size_t at = t->core.from;

	for (size_t i = 0; i < items->n; i++) {
		const struct text_item *it = &items->p[i];

		if (!f->is[i])
			continue;
		buf_put(&b, str_sub(core, at, it->from));
		at = text_next_line_start(core, it->to);
		out = buf_as_str(&b);
		if (line.p) {
			buf_put(&b, line);
			buf_puts(&b, t->eol);
			line = (struct str){0};
		} else if (str_ends(out, str_fmt(t->a, "%s%s", t->eol, t->eol))) {
			/* The blank lines before the item stay. Those behind it would make two. */
			while (str_starts(str_sub(core, at, core.n), str_of(t->eol)))
				at += strlen(t->eol);
		}
	}
	buf_put(&b, str_sub(core, at, core.n));
	out = buf_as_str(&b);
	span = text_trim_blank_lines(out, (struct span){0, out.n});
	return str_sub(out, span.from, span.to);
}

/* The core with a new item behind the last one of the outer list, or before the first one. */
static struct str text_insert(const struct text_edit *t, const struct text_items *items,
			      struct str text, bool first)
{
	struct str core = str_sub(t->text, t->core.from, t->core.to), marker = STR("-");
	const struct text_item *beside = NULL, *before = NULL;
	struct buf b = buf_in(t->a);
	size_t at = t->core.to;
	bool blank = core.n > 0;
	int64_t number;

	if (garden_text_is_tombstone(core))
		return str_fmt(t->a, "- %.*s%s", STR_ARG(text), t->eol);
	for (size_t i = 0; i < items->n; i++)
		if (!items->p[i].depth && !(first && beside)) {
			before = beside;
			beside = &items->p[i];
		}
	if (beside) {
		at = first ? beside->from : text_next_line_start(t->text, beside->to);
		/* Blank lines stand between these items. */
		blank = !first &&
			(before && text_next_line_start(t->text, before->to) < beside->from);
		marker = beside->marker;
		/* A number one higher, or the same sign. */
		if (!first && marker.n > 1 && str_int(str_sub(marker, 0, marker.n - 1), &number))
			marker = str_fmt(t->a, "%lld%c", (long long)number + 1,
					 marker.p[marker.n - 1]);
		else if (!first && !marker.n)
			marker = STR("-");
	}
	buf_put(&b, str_sub(t->text, t->core.from, at));
	if (b.n && b.p[b.n - 1] != '\n' && b.p[b.n - 1] != '\r')
		buf_puts(&b, t->eol);
	if (blank)
		buf_puts(&b, t->eol);
	buf_fmt(&b, "%.*s%.*s %.*s%s", STR_ARG(beside ? beside->indent : STR("")), STR_ARG(marker),
		STR_ARG(text), t->eol);
	buf_put(&b, str_sub(t->text, at, t->core.to));
	return buf_as_str(&b);
}

/* ---- the ops ---- */

static struct err *text_append_item(const struct text_edit *t, const struct text_items *items,
				    struct str item, struct str *core, struct garden_text_done *out)
{
	struct str plain = str_trim(item);
	struct strs tokens = text_tokens(t->a, item);

	TRY(text_check_one_line(item, "items"));
	if (strchr("-*+", plain.p[0]))
		plain = str_sub(plain, text_marker(plain), plain.n);
	TRY(text_check_one_line(plain, "items"));
	for (size_t i = 0; i < items->n; i++) {
		struct strs has = text_tokens(t->a, items->p[i].text);
		bool same = str_eq(items->p[i].text, text_squeezed(t->a, plain));

		for (size_t k = 0; k < tokens.n; k++)
			same = same || strs_has(&has, tokens.p[k]);
		if (same)
			return err_help(
				err_detail_int(err_new(E_EXISTS,
						       "line %zu of the section '%.*s' has the "
						       "item already: '%.*s'",
						       items->p[i].line,
						       STR_ARG(t->section->heading),
						       STR_ARG(items->p[i].text)),
					       "line", (int64_t)items->p[i].line),
				"to change an item, merge it or replace the section");
	}
	*core = text_insert(t, items, plain, false);
	out->added++;
	return NULL;
}

static struct err *text_drop(const struct text_edit *t, const struct text_items *items,
			     const struct text_found *f, struct garden_text_done *out)
{
	for (size_t i = 0; i < items->n; i++) {
		if (!f->is[i])
			continue;
		if (items->p[i].parent)
			return err_help(err_new(E_BAD_ARGUMENT,
						"the item in line %zu has items below it: '%.*s'",
						items->p[i].line, STR_ARG(items->p[i].text)),
					"prune the items below it first");
		strs_push(t->a, &out->removed, items->p[i].text);
	}
	return NULL;
}

static struct err *text_prune_item(const struct text_edit *t, const struct text_items *items,
				   struct str item, struct str *core, struct garden_text_done *out)
{
	struct text_found f = {arena_array(t->a, items->n + 1, sizeof(bool)), 0};
	bool found = false;

	TRY(text_check_one_line(item, "items"));
	TRY(text_find_named(t, items, item, &f, &found));
	if (!found)
		return text_no_item(t, items, text_squeezed(t->a, item));
	TRY(text_drop(t, items, &f, out));
	*core = text_cut(t, items, &f, (struct str){0});
	return NULL;
}

/* The text of the new item, with every token of the old ones. */
static struct str text_merged(const struct text_edit *t, const struct text_items *items,
			      const struct text_found *old, struct str text)
{
	struct strs tokens = text.p ? text_tokens(t->a, text) : (struct strs){0};
	struct strs texts = {0};
	struct buf b = buf_in(t->a);
	size_t given = tokens.n;

	for (size_t i = 0; i < items->n; i++) {
		struct strs has = {0};

		if (!old->is[i])
			continue;
		has = text_tokens(t->a, items->p[i].text);
		strs_push(t->a, &texts, text_without_tokens(t->a, items->p[i].text));
		for (size_t k = 0; k < has.n; k++)
			if (!strs_has(&tokens, has.p[k]))
				strs_push(t->a, &tokens, has.p[k]);
	}
	buf_put(&b, text.p ? text : str_join(t->a, &texts, "; "));
	for (size_t i = given; i < tokens.n; i++)
		buf_fmt(&b, "%s%.*s", b.n ? " " : "", STR_ARG(tokens.p[i]));
	return buf_as_str(&b);
}

static struct err *text_merge_items(const struct text_edit *t, const struct text_items *items,
				    struct str lines, struct str *core,
				    struct garden_text_done *out)
{
	struct text_found old = {arena_array(t->a, items->n + 1, sizeof(bool)), 0};
	const struct text_item *first = items->p;
	struct str line, text = {0};

	while (str_next_line(&lines, &line)) {
		struct strs tokens = text_tokens(t->a, line);
		bool found = false;

		if (!str_trim(line).n)
			continue;
		TRY(text_check_one_line(line, "items"));
		TRY(text_find_named(t, items, line, &old, &found));
		if (found)
			continue;
		if (text.p)
			return err_help(err_new(E_BAD_ARGUMENT,
						"a merge has one new text, but '%.*s' and '%.*s' "
						"are no items of the section '%.*s'",
						STR_ARG(text), STR_ARG(line),
						STR_ARG(t->section->heading)),
					"name items by their token (ev:...) or by their exact "
					"text");
		text = str_trim(line);
		if (strchr("-*+", text.p[0]))
			text = str_sub(text, text_marker(text), text.n);
		for (size_t i = 0; i < tokens.n; i++)
			TRY(text_find_one(t, items, tokens.p[i], true, &old, &found));
	}
	if (old.n < 2)
		return err_help(
			err_new(E_BAD_ARGUMENT,
				"merge needs two items of the section '%.*s' or more, and %s",
				STR_ARG(t->section->heading),
				old.n ? "only one is named" : "none is named"),
			"name them by their tokens (ev:...) or exact texts, then give the "
			"new text");
	TRY(text_drop(t, items, &old, out));
	while (!old.is[first - items->p])
		first++;
	*core = text_cut(t, items, &old,
			 str_fmt(t->a, "%.*s%.*s %.*s", STR_ARG(first->indent),
				 STR_ARG(first->marker),
				 STR_ARG(text_merged(t, items, &old, text))));
	out->added++;
	return NULL;
}

/* ---- curate ---- */

static struct err *text_curate_check(const struct garden_curate *c)
{
	if (!c->nops || !c->items.n)
		return err_new(E_BAD_ARGUMENT, "give at least one of ops and one of items");
	if (c->nops > 1 && c->nops != c->items.n)
		return err_help(err_for_param(E_BAD_ARGUMENT, STR("items"),
					      "there are %zu ops and %zu %s", c->nops, c->items.n,
					      c->items.n == 1 ? "item" : "items"),
				"give one op for all items, or one op for each item");
	if (c->items.n > ITEMS_MAX)
		return err_for_param(E_TOO_LONG, STR("items"),
				     "there are %zu items; at most %d are allowed", c->items.n,
				     ITEMS_MAX);
	if (c->reason.p) {
		TRY(text_check_one_line(c->reason, "reason"));
		TRY(garden_rationale_check(c->reason));
	}
	for (size_t i = 0; i < c->nops && !c->reason.p; i++)
		if (c->ops[i] != GARDEN_TEXT_APPEND)
			return err_help(err_for_param(E_BAD_ARGUMENT, STR("reason"),
						      "%s needs a reason",
						      garden_text_ops[c->ops[i]]),
					"say why in one line; on a command line: -m WHY");
	return NULL;
}

/* Does one op on a text whose other sections are fixed. */
static struct err *text_curate_one(const struct text_edit *t, enum garden_text_op op,
				   struct str item, struct str *core, struct garden_text_done *out)
{
	struct text_items items;

	if (!str_is_text(item))
		return err_for_param(E_BAD_UTF8, STR("items"), "an item must be UTF-8 without NUL");
	TRY(text_items(t, &items));
	switch (op) {
	case GARDEN_TEXT_APPEND: return text_append_item(t, &items, item, core, out);
	case GARDEN_TEXT_PRUNE: return text_prune_item(t, &items, item, core, out);
	default: return text_merge_items(t, &items, item, core, out);
	}
}

struct err *garden_text_curate_list(struct arena *a, struct str text, const struct garden_curate *c,
				    struct garden_text_done *out)
{
	struct garden_text_done step = {0};
	struct strs items = c->items, gone = {0};
	struct str joined, now = text;
	struct text_edit first, t;

	*out = (struct garden_text_done){0};
	TRY(text_curate_check(c));
	/* One merge of all items, each of which names some, or is the new text. */
	if (c->nops == 1 && c->ops[0] == GARDEN_TEXT_MERGE) {
		joined = str_join(a, &c->items, "\n");
		items = (struct strs){&joined, 1, 1};
	}
	TRY(text_edit_begin(a, text, c->section, &first));
	for (size_t i = 0; i < items.n; i++) {
		enum garden_text_op op = c->ops[c->nops == 1 ? 0 : i];
		struct str core;
		struct err *e;

		TRY(text_edit_begin(a, now, c->section, &t));
		e = text_curate_one(&t, op, items.p[i], &core, out);
		if (e)
			return items.n > 1 ? err_add_context(e, "item %zu", i + 1) : e;
		if (!str_trim(core).n)
			core = str_fmt(a, "%.*s%s",
				       STR_ARG(garden_text_section_tombstone(a, c->now, c->reason)),
				       t.eol);
		step = (struct garden_text_done){.tombstone = garden_text_is_tombstone(core)};
		TRY(text_edit_end(&t, core, (struct str){0}, &step));
		now = step.text;
		strs_add_all(a, &gone, &step.gone);
	}
	step.gone = gone;
	step.removed = out->removed;
	step.added = out->added;
	step.before = str_sub(text, first.section->at.from, first.section->at.to);
	step.crlf = str_is(str_of(first.eol), "\r\n");
	*out = step;
	return NULL;
}

/* ---- the Change Log ---- */

/* Whether the dates of the items go down from the first to the last. */
static bool text_newest_first(const struct text_items *items)
{
	int64_t first = 0, last = 0;
	size_t n = 0;

	for (size_t i = 0; i < items->n; i++) {
		struct str s = items->p[i].text, time = str_sub(s, 0, str_find_char(s, ' ', 0));
		int64_t ms;

		if (items->p[i].depth)
			continue;
		while (time.n && time.p[time.n - 1] == ':')
			time.n--;
		if (!os_time_read(time, &ms))
			continue;
		first = n++ ? first : ms;
		last = ms;
	}
	return n > 1 && first > last;
}

struct err *garden_text_log_add(struct arena *a, enum garden_kind kind, struct str text,
				int64_t now, struct str what, struct str *out, bool *added)
{
	struct garden_text_done done = {0};
	const struct md_section *log;
	struct garden_doc doc;
	struct text_items items;
	struct text_edit t;
	struct buf line = buf_in(a);

	*out = text;
	*added = false;
	TRY(text_check_one_line(what, "rationale"));
	TRY(garden_rationale_check(what));
	if (!str_is_text(text))
		return err_new(E_NOT_TEXT, "only UTF-8 text without NUL has sections");
	/* The section that the policy protects: a line elsewhere could be removed again. */
	garden_doc_read(a, &garden_grammar[kind], text, &doc);
	log = garden_doc_log(&doc);
	if (!log)
		return NULL;
	TRY(text_edit_begin(a, text, str_fmt(a, "%.*s:%zu", STR_ARG(log->slug), log->line), &t));
	TRY(text_items(&t, &items));
	buf_fmt(&line, "%.*s: ", STR_ARG(os_time_text(a, now, false)));
	what = str_trim(what);
	for (size_t i = 0; i < what.n; i++) {
		char next = i + 1 < what.n ? what.p[i + 1] : ' ';

		/* A tag in a reason is text for readers, so a backslash stands before it. */
		if (what.p[i] == '<' && (ascii_is_letter(next) || strchr("/!?", next)) &&
		    !(i && what.p[i - 1] == '\\'))
			buf_putc(&line, '\\');
		buf_putc(&line, what.p[i]);
	}
	TRY(text_edit_end(&t, text_insert(&t, &items, buf_as_str(&line), text_newest_first(&items)),
			  (struct str){0}, &done));
	*out = done.text;
	*added = true;
	return NULL;
}
