/* Finds where a file has its status or a date, and edits it there. The order is that of
 * body_metadata.c. */
#include "knowledge/field_edit.h"
#include "json/json.h"
#include "yaml/yaml.h"

struct err *kn_text_parse(struct arena *a, struct str text, struct kn_text *out)
{
	struct knowledge *k = ARENA_NEW(a, struct knowledge);
	struct kn_item *item = ARENA_NEW(a, struct kn_item);
	struct kn_reading r = {.a = a, .scratch = a, .k = k, .item = item, .text = text};
	size_t lf = str_find_char(text, '\n', 0);
	struct str body;

	if (!r.text.n)
		r.text = STR("");
	*out = (struct kn_text){.nl = lf != SIZE_MAX && lf && text.p[lf - 1] == '\r' ? "\r\n"
										     : "\n"};
	if (!kn_read_front(&r, &body))
		return err_new(E_BAD_MARKDOWN, "%.*s",
			       STR_ARG(k->passed.n ? k->passed.p[0].message
						   : STR("the front matter cannot be read")));
	out->text = r.text;
	out->front = r.front;
	out->body = (size_t)(body.p - r.text.p);
	out->front_end = out->body;
	/* Back over the closing fence's line. */
	if (out->front_end && r.text.p[out->front_end - 1] == '\n')
		out->front_end--;
	while (out->front_end && r.text.p[out->front_end - 1] != '\n')
		out->front_end--;
	return md_read(a, body, out->body, &out->md);
}

/* ---- lines ---- */

struct span kn_line_at(struct str text, size_t at)
{
	size_t to = str_find_char(text, '\n', at), from = at;

	to = to == SIZE_MAX ? text.n : to;
	while (from && text.p[from - 1] != '\n')
		from--;
	if (to > from && text.p[to - 1] == '\r')
		to--;
	return (struct span){from, to};
}

static size_t spot_blank(struct str text, size_t at, size_t to)
{
	while (at < to && (text.p[at] == ' ' || text.p[at] == '\t'))
		at++;
	return at;
}

/* The offset behind the marker of a list item or a table's row. */
static size_t spot_marker(struct str text, size_t at, size_t to)
{
	size_t from = spot_blank(text, at, to), i = from;

	if (i < to && strchr("-+*|", text.p[i]) && text.p[i]) {
		i++;
	} else {
		while (i < to && ascii_is_digit(text.p[i]))
			i++;
		if (i == from || i == to || !strchr(".)", text.p[i]) || !text.p[i])
			return from;
		i++;
	}
	if (i < to && text.p[i] != ' ' && text.p[i] != '\t')
		return from;
	return spot_blank(text, i, to);
}

/* The span without blanks, comments, a table's last bar and a hard line break. */
static struct span spot_value(struct str text, size_t from, size_t to, bool table)
{
	bool more = true;

	if (table && to > from && text.p[to - 1] == '|')
		to--;
	while (more) {
		struct str s = str_sub(text, from, to);
		size_t open, close;

		more = false;
		while (to > from && strchr(" \t\\", text.p[to - 1]) && text.p[to - 1])
			to--;
		from = spot_blank(text, from, to);
		s = str_sub(text, from, to);
		close = str_find(s, STR("-->"), 0);
		if (str_starts(s, STR("<!--")) && close != SIZE_MAX) {
			from += close + 3;
			more = true;
		} else if (str_ends(s, STR("-->"))) {
			for (open = s.n; open-- && !str_starts(str_sub(s, open, s.n), STR("<!--"));)
				;
			if (open != SIZE_MAX) {
				to = from + open;
				more = true;
			}
		}
	}
	return (struct span){from, to};
}

/* Reads "**Key:** value" or "| Key | value |" at the offset. False: another key, or none. */
static bool spot_key(struct str text, size_t from, struct span line, const char *const *keys,
		     struct kn_spot *out)
{
	size_t i = from, word, end;
	struct str open;
	bool table = line.from < line.to && text.p[spot_blank(text, line.from, line.to)] == '|' &&
		     from > line.from;

	while (i < line.to && strchr("*_`", text.p[i]) && text.p[i])
		i++;
	open = str_sub(text, from, i);
	out->emphasis = open;
	word = i;
	while (i < line.to && text.p[i] != ':' && text.p[i] != '|' && !strchr("*_`", text.p[i]))
		i++;
	end = i;
	while (end > word && text.p[end - 1] == ' ')
		end--;
	if (kn_word_index(keys, str_sub(text, word, end)) < 0)
		return false;
	if (open.n && str_starts(str_sub(text, i, line.to), open)) {
		i += open.n;
		open.n = 0;
	}
	i = spot_blank(text, i, line.to);
	if (i == line.to || (text.p[i] != ':' && text.p[i] != '|'))
		return false;
	i++;
	if (open.n && str_starts(str_sub(text, i, line.to), open))
		i += open.n;
	out->value = spot_value(text, i, line.to, table);
	out->line = line;
	out->marker = str_sub(text, line.from, from);
	return true;
}

/* ---- the three styles ---- */

static const char *const status_keys[] = {"status", NULL};
static const char *const created_keys[] = {"date", "created", NULL};
static const char *const updated_keys[] = {"updated", "last updated", NULL};
static const char *const created_members[] = {"createdAt", "created", "date", NULL};
static const char *const updated_members[] = {"updatedAt", "updated", NULL};

static const struct {
	const char *const *members, *const *keys;
	const char *section;
} spot_names[] = {
	[KN_STATUS] = {status_keys, status_keys, "status"},
	[KN_CREATED] = {created_members, created_keys, "date"},
	[KN_UPDATED] = {updated_members, updated_keys, NULL},
};

struct kn_spot kn_spot_in_front(const struct kn_text *t, const char *const *keys)
{
	struct kn_spot s = {.style = KN_NOWHERE};
	const struct val *v = NULL;

	for (; *keys && !v; keys++)
		v = val_get(t->front, *keys);
	if (!v)
		return s;
	s = (struct kn_spot){.style = KN_FRONT, .value = v->at, .before = ""};
	s.line = kn_line_at(t->text, v->key_at.from);
	if (v->at.to > v->at.from && strchr("\"'", t->text.p[v->at.from])) {
		s.quote = t->text.p[v->at.from];
	} else if (v->type == VAL_NULL && v->at.to <= v->at.from) {
		size_t colon = str_find_char(t->text, ':', v->key_at.to);

		s.value.from = colon < t->text.n ? colon + 1 : v->key_at.to;
		s.value.to = spot_blank(t->text, s.value.from, s.line.to);
		s.before = " ";
	}
	return s;
}

/* Raw lines of a paragraph or item: as many as its text has. */
static bool spot_in_block(const struct kn_text *t, const struct md_block *b,
			  const char *const *keys, struct kn_spot *out)
{
	struct str rest = b->text, line;
	size_t at = b->at.from;

	while (at < b->at.to && str_next_line(&rest, &line)) {
		struct span raw = kn_line_at(t->text, at);
		size_t from = spot_marker(t->text, raw.from, raw.to);

		if (spot_key(t->text, from, raw, keys, out)) {
			out->style = KN_LINE;
			out->end = b->at.to;
			out->before = out->value.from < out->value.to ||
						      (out->value.from &&
						       t->text.p[out->value.from - 1] == ' ')
					      ? ""
					      : " ";
			return true;
		}
		at = str_find_char(t->text, '\n', raw.to);
		at = at == SIZE_MAX ? t->text.n : at + 1;
	}
	return false;
}

static struct kn_spot spot_preamble(const struct kn_text *t, const char *const *keys)
{
	struct kn_spot s = {.style = KN_NOWHERE};

	VEC_EACH(const struct md_block, b, &t->md) {
		if (b->depth || (b->type == MD_HEADING && b->level == 1))
			continue;
		if (b->type == MD_HEADING)
			break;
		if ((b->type == MD_PARAGRAPH || b->type == MD_ITEM) &&
		    spot_in_block(t, b, keys, &s))
			break;
	}
	return s;
}

/* The first line of a section's text that is more than a comment. */
static bool spot_first_line(const struct kn_text *t, const struct md_block *b,
			    const char *const *keys, struct kn_spot *out)
{
	for (size_t at = b->at.from; at < b->at.to;) {
		struct span raw = kn_line_at(t->text, at);
		size_t from = spot_marker(t->text, raw.from, raw.to);

		out->line = raw;
		out->marker = str_sub(t->text, raw.from, from);
		if (!spot_key(t->text, from, raw, keys, out)) {
			out->emphasis = STR("");
			out->value = spot_value(t->text, from, raw.to, false);
		}
		out->end = b->at.to;
		if (out->value.to > out->value.from)
			return true;
		at = str_find_char(t->text, '\n', raw.to);
		at = at == SIZE_MAX ? t->text.n : at + 1;
	}
	return false;
}

static struct kn_spot spot_section(const struct kn_text *t, const char *name,
				   const char *const *keys)
{
	struct kn_spot s = {.style = KN_NOWHERE, .before = ""};

	for (size_t i = 0; i < t->md.n; i++) {
		const struct md_block *h = &t->md.p[i];
		size_t end = kn_section_end(&t->md, i);

		if (h->type != MD_HEADING || h->depth || h->level > 2 ||
		    !str_ieq(kn_heading_text(h), str_of(name)))
			continue;
		s.style = KN_SECTION;
		for (size_t j = i + 1; j < end; j++) {
			const struct md_block *b = &t->md.p[j];

			if (!b->depth && (b->type == MD_PARAGRAPH || b->type == MD_ITEM) &&
			    spot_first_line(t, b, keys, &s))
				return s;
		}
		/* Insert behind the heading, which may be two lines long. */
		s.line = kn_line_at(t->text, h->at.to > h->at.from ? h->at.to - 1 : h->at.from);
		s.value = (struct span){s.line.to, s.line.to};
		s.before = !strcmp(t->nl, "\n") ? "\n\n" : "\r\n\r\n";
		return s;
	}
	return s;
}

struct kn_spot kn_spot_of_member(const struct kn_text *t, enum kn_member what)
{
	struct kn_spot s = kn_spot_in_front(t, spot_names[what].members);
	struct str value;
	size_t n = 0;

	if (s.style == KN_NOWHERE)
		s = spot_preamble(t, spot_names[what].keys);
	if (s.style == KN_NOWHERE && spot_names[what].section)
		s = spot_section(t, spot_names[what].section, spot_names[what].keys);
	if (s.style != KN_LINE && s.style != KN_SECTION)
		return s;
	/* Emphasis around the whole value stays: the span of "accepted" in "**accepted**". */
	value = str_sub(t->text, s.value.from, s.value.to);
	while (n < value.n && strchr("*_`", value.p[n]) && value.p[n])
		n++;
	if (n && value.n > 2 * n &&
	    str_eq(str_sub(value, 0, n), str_sub(value, value.n - n, value.n)) &&
	    str_find_char(str_sub(value, n, value.n - n), value.p[0], 0) == SIZE_MAX)
		s.value = (struct span){s.value.from + n, s.value.to - n};
	return s;
}

/* ---- edits ---- */

void kn_edit_add(struct arena *a, struct kn_edits *edits, struct span at, struct str by)
{
	*VEC_PUSH(a, edits) = (struct kn_edit){at, by};
}

struct str kn_edits_apply(struct arena *a, struct str text, struct kn_edits *edits)
{
	struct buf b = buf_in(a);
	size_t at = 0;

	/* A few edits: a stable sort by insertion. */
	for (size_t i = 1; i < edits->n; i++)
		for (size_t j = i; j && edits->p[j - 1].at.from > edits->p[j].at.from; j--) {
			struct kn_edit e = edits->p[j];

			edits->p[j] = edits->p[j - 1];
			edits->p[j - 1] = e;
		}
	for (size_t i = 0; i < edits->n; i++) {
		buf_put(&b, str_sub(text, at, edits->p[i].at.from));
		buf_put(&b, edits->p[i].by);
		at = size_max(at, edits->p[i].at.to);
	}
	buf_put(&b, str_sub(text, at, text.n));
	return b.n ? buf_as_str(&b) : STR("");
}

struct str kn_word_in_case_of(struct arena *a, const char *word, struct str like)
{
	struct str w = str_of(word);
	size_t i = 0;

	while (i < like.n && !ascii_is_letter(like.p[i]))
		i++;
	if (i < like.n && !ascii_is_upper(like.p[i]))
		return w;
	if (i + 1 < like.n && ascii_is_upper(like.p[i + 1]))
		return str_upper(a, w);
	return str_fmt(a, "%c%s", ascii_upper(word[0]), word + 1);
}

struct str kn_yaml_scalar_text(struct arena *a, struct str s)
{
	struct val v = {.type = VAL_STR, .plain = true, .s = s};
	bool plain = s.n && (ascii_is_alnum(s.p[0]) || (unsigned char)s.p[0] >= 0x80);

	yaml_resolve(&v, s);
	for (size_t i = 0; plain && i < s.n; i++)
		plain = (unsigned char)s.p[i] >= ' ' && s.p[i] != 0x7f &&
			!(s.p[i] == ':' && (i + 1 == s.n || s.p[i + 1] == ' ')) &&
			!(s.p[i] == '#' && i && s.p[i - 1] == ' ') && !strchr(",[]{}", s.p[i]);
	if (plain && v.type == VAL_STR && s.p[s.n - 1] != ' ')
		return s;
	/* A string of JSON is a double-quoted scalar. */
	return json_text(a, val_str(a, s));
}

void kn_spot_set_value(struct arena *a, const struct kn_spot *s, struct str value,
		       struct kn_edits *edits)
{
	struct str by = value;

	if (s->style == KN_FRONT) {
		by = kn_yaml_scalar_text(a, value);
		if (s->quote == '"' && str_eq(by, value))
			by = str_fmt(a, "\"%.*s\"", STR_ARG(value));
		else if (s->quote == '\'' && str_eq(by, value) &&
			 str_find_char(value, '\'', 0) == SIZE_MAX)
			by = str_fmt(a, "'%.*s'", STR_ARG(value));
	}
	kn_edit_add(a, edits, s->value, str_fmt(a, "%s%.*s", s->before, STR_ARG(by)));
}
