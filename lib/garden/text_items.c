/* Finds the items of a section's list by their evidence tokens and texts. */
#include "garden/text_edit.h"

/* ---- items ---- */

size_t text_marker(struct str s)
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

struct str text_squeezed(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);

	s = str_trim(s);
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_space(s.p[i]))
			buf_putc(&b, s.p[i]);
		else if (b.p[b.n - 1] != ' ')
			buf_putc(&b, ' ');
	return buf_str(&b);
}

/* An item's lines end where the first item below it begins, or with the item. */
static void text_item_set(const struct text_edit *t, struct text_item *it, size_t end)
{
	struct str s = str_sub(t->text, it->from, end);
	size_t marker, i = 0;

	while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t' || s.p[i] == '>'))
		i++;
	it->indent = str_sub(s, 0, i);
	s = str_sub(s, i, s.n);
	marker = text_marker(s);
	it->marker = str_trim(str_sub(s, 0, marker));
	it->text = text_squeezed(t->a, str_sub(s, marker, s.n));
}

struct err *text_items(const struct text_edit *t, struct text_items *out)
{
	struct span body = t->section->body;
	struct places places = {.text = t->text};
	struct md md;

	*out = (struct text_items){0};
	TRY(md_read(t->a, str_sub(t->text, body.from, body.to), body.from, &md));
	for (size_t i = 0; i < md.n; i++) {
		const struct md_block *b = &md.p[i];
		struct text_item *it;
		size_t end = b->at.to;

		if (b->type != MD_ITEM)
			continue;
		it = VEC_PUSH(t->a, out);
		it->from = b->at.from;
		it->to = b->at.to;
		it->depth = b->depth;
		it->line = str_places(&places, b->at.from).line;
		for (size_t k = i + 1; k < md.n && md.p[k].at.from < b->at.to && !it->parent; k++)
			if (md.p[k].type == MD_ITEM && md.p[k].depth > b->depth) {
				it->parent = true;
				end = size_max(md.p[k].at.from, it->from);
			}
		text_item_set(t, it, end);
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

struct strs text_tokens(struct arena *a, struct str s)
{
	struct strs all = {0};
	struct str token;

	while (text_token(&s, &token))
		if (!strs_has(&all, token))
			strs_push(a, &all, token);
	return all;
}

struct str text_without_tokens(struct arena *a, struct str s)
{
	struct buf b = buf_in(a);
	struct str rest = s, token, out;

	while (text_token(&rest, &token)) {
		buf_put(&b, str_sub(s, 0, (size_t)(token.p - s.p)));
		s = rest;
	}
	buf_put(&b, s);
	out = text_squeezed(a, buf_str(&b));
	while (out.n && strchr(" ,;([{", out.p[out.n - 1]))
		out.n--;
	while (str_ends(out, STR("()")) || str_ends(out, STR("[]")))
		out = str_trim(str_sub(out, 0, out.n - 2));
	return out;
}

static bool text_only_tokens(struct arena *a, struct str s)
{
	struct str rest = text_without_tokens(a, s);

	for (size_t i = 0; i < rest.n; i++)
		if (!strchr(" ,;()[]", rest.p[i]))
			return false;
	return text_tokens(a, s).n > 0;
}

/* ---- names of items ---- */

void text_found_add(struct text_found *f, size_t i)
{
	f->n += !f->is[i];
	f->is[i] = true;
}

static struct err *text_several(const struct text_edit *t, struct str name,
				const struct text_items *items, const struct text_found *f)
{
	int64_t lines[TEXT_LINES_MAX];
	size_t n = 0;

	for (size_t i = 0; i < items->n && n < TEXT_LINES_MAX; i++)
		if (f->is[i])
			lines[n++] = (int64_t)items->p[i].line;
	return err_help(
		text_at_lines(t->a,
			      err_new(E_NOT_UNIQUE, "'%.*s' fits %zu items", STR_ARG(name), f->n),
			      lines, f->n),
		"replace the section instead");
}

struct err *text_find_one(const struct text_edit *t, const struct text_items *items,
			  struct str name, bool token, struct text_found *f, bool *found)
{
	struct str plain = text_squeezed(t->a, name), bare;
	struct text_found one = {arena_array(t->a, items->n + 1, sizeof(bool)), 0};

	bare = str_sub(plain, text_marker(plain), plain.n);
	for (size_t i = 0; i < items->n; i++) {
		struct str text = items->p[i].text;
		struct strs tokens = {0};

		if (token)
			tokens = text_tokens(t->a, text);
		if (token ? strs_has(&tokens, name)
			  : text.n && (str_eq(text, plain) || str_eq(text, bare)))
			text_found_add(&one, i);
	}
	if (one.n > 1)
		return text_several(t, name, items, &one);
	for (size_t i = 0; i < items->n; i++)
		if (one.is[i])
			text_found_add(f, i);
	*found = one.n > 0;
	return NULL;
}

struct err *text_no_item(const struct text_edit *t, const struct text_items *items, struct str name)
{
	struct strs texts = {0};
	struct str near;
	struct err *e;

	for (size_t i = 0; i < items->n; i++) {
		struct strs tokens = text_tokens(t->a, items->p[i].text);

		strs_push(t->a, &texts, items->p[i].text);
		for (size_t k = 0; k < tokens.n; k++)
			strs_push(t->a, &texts, tokens.p[k]);
	}
	near = str_nearest(name, &texts);
	e = err_new(E_NO_SUCH_TEXT, "the section '%.*s' has no item '%.*s'%.*s",
		    STR_ARG(t->section->heading), STR_ARG(name), STR_ARG(str_meant(t->a, near)));
	if (near.n)
		err_detail(e, "nearest", near);
	return err_help(e, "name an item by its token (ev:...) or by its exact text");
}

struct err *text_find_named(const struct text_edit *t, const struct text_items *items,
			    struct str name, struct text_found *f, bool *found)
{
	struct strs tokens = text_tokens(t->a, name);

	if (!text_only_tokens(t->a, name))
		return text_find_one(t, items, name, false, f, found);
	for (size_t i = 0; i < tokens.n; i++) {
		TRY(text_find_one(t, items, tokens.p[i], true, f, found));
		if (!*found)
			return text_no_item(t, items, tokens.p[i]);
	}
	return NULL;
}
