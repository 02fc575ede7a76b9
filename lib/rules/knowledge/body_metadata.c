/* Reads members from the Markdown body: title, status, dates, tags, relations, summary. */
#include "knowledge/read.h"

#define SUMMARY_MAX 400

struct str kn_heading_text(const struct md_block *b)
{
	struct str s = b->text;

	while (s.n && s.p[s.n - 1] == ':')
		s = str_trim(str_sub(s, 0, s.n - 1));
	return s;
}

size_t kn_section_end(const struct md *md, size_t i)
{
	size_t end = i + 1;

	while (end < md->n && !(md->p[end].type == MD_HEADING && !md->p[end].depth &&
				md->p[end].level <= md->p[i].level))
		end++;
	return end;
}

/* Splits a line "Key: value" or "| Key | value |". The Markdown reader has removed other markup. */
static bool key_value(struct str line, struct str *key, struct str *value)
{
	size_t at = 0;

	line = str_trim(line);
	if (str_starts(line, STR("|")))
		line = str_trim(str_sub(line, 1, line.n));
	while (at < line.n && line.p[at] != ':' && line.p[at] != '|')
		at++;
	if (at == line.n)
		return false;
	*key = str_trim(str_sub(line, 0, at));
	*value = str_trim(str_sub(line, at + 1, line.n));
	if (str_ends(*value, STR("|")))
		*value = str_trim(str_sub(*value, 0, value->n - 1));
	return true;
}

static void set_date(struct kn_reading *r, struct str *to, struct str text, size_t at)
{
	if (to->n || !text.n)
		return;
	if (!kn_date(r->a, text, to))
		kn_note(r, KN_WARNING, KN_RULE_DATE, at,
			"date '%.*s' is not understood: write it as 2019-01-31 (or 31/01/2019)",
			STR_ARG(str_sub(text, 0, 80)));
}

/* ---- the status, and the items that it names ---- */

#define NAMES_MAX 20

/*
 * Adds the names in "ADR-0012, 0013-x and [14. Foo]" to out, a list of the item. A link replaces
 * the text.
 */
static void add_names(struct kn_reading *r, struct str what, struct str link, struct strs *out)
{
	struct arena *a = r->a;
	struct str part;

	if (link.n && out->n < NAMES_MAX) {
		strs_push(a, out, str_dup(a, link));
		return;
	}
	what = str_sub(what, 0, str_find_char(what, '\n', 0));
	while (str_next_part(&what, ',', &part)) {
		size_t cut;

		do {
			struct str name;

			cut = str_find(part, STR(" and "), 0);
			name = str_trim(str_sub(part, 0, cut));
			part = str_sub(part, cut == SIZE_MAX ? part.n : cut + 5, part.n);
			while (name.n && strchr("[(\"'`", name.p[0]) && name.p[0])
				name = str_sub(name, 1, name.n);
			while (name.n && strchr("])\"'`.;", name.p[name.n - 1]) &&
			       name.p[name.n - 1])
				name = str_sub(name, 0, name.n - 1);
			if (name.n && out->n < NAMES_MAX)
				strs_push(a, out, str_dup(a, name));
		} while (cut != SIZE_MAX);
	}
}

/* Whether an arrow leads from the status to another one: "Proposed -> Accepted". */
static bool status_moves(struct arena *a, struct str text, enum kn_status from)
{
	static const struct str arrows[] = {STR_INIT("→"), STR_INIT("->"), STR_INIT("=>")};
	enum kn_status to = from;
	bool partly;

	for (size_t i = 0; i < ARRAY_SIZE(arrows) && to == from; i++) {
		size_t at = str_find(text, arrows[i], 0);

		if (at != SIZE_MAX)
			(void)kn_status_parse(a, str_sub(text, at + arrows[i].n, text.n), &to,
					      &partly);
	}
	return to != from;
}

void kn_status_from_text(struct kn_reading *r, struct str text, struct str link, size_t at)
{
	struct kn_item *item = r->item;
	bool partly;

	item->status_text = str_dup(r->a, text);
	item->status_at = kn_place_of_offset(r, at);
	if (!kn_status_parse(r->a, text, &item->status, &partly)) {
		item->status = KN_STATUS_DRAFT;
		kn_wrong(r, KN_RULE_STATUS_UNKNOWN, at,
			 "status '%.*s' is unknown, so it counts as draft; known: %.*s",
			 STR_ARG(str_sub(text, 0, 80)), STR_ARG(kn_choices(r->a, kn_statuses)));
		return;
	}
	if (status_moves(r->a, text, item->status))
		kn_note(r, KN_WARNING, KN_RULE_STATUS_UNKNOWN, at,
			"status '%.*s' names more than one, and counts as %s: write the one that "
			"holds now",
			STR_ARG(str_sub(text, 0, 80)), kn_statuses[item->status]);
	if (partly)
		kn_note(r, KN_WARNING, KN_RULE_STATUS_PARTLY, at, "'%.*s' counts as accepted%s",
			STR_ARG(str_sub(text, 0, 80)),
			r->rules ? ": all of its rules are still enforced" : "");
	/* The names are read from the text as written, because lowering would change them. */
	for (size_t i = 0; item->status == KN_STATUS_SUPERSEDED && i < text.n; i++)
		if (str_ieq(str_sub(text, i, i + 3), STR("by ")) ||
		    str_ieq(str_sub(text, i, i + 3), STR("by:"))) {
			add_names(r, str_sub(text, i + 3, text.n), link, &item->superseded_by);
			break;
		}
}

/* ---- lines ---- */

static const char *const superseded_by[] = {"superseded by", "superseded-by", "superceded by",
					    "supersededby",  "replaced by",   NULL};
static const char *const supersedes[] = {"supersedes", "supercedes", "replaces", NULL};

/* Whether the text begins with one of the phrases, with or without a colon; *what: what follows. */
static bool relation_words(struct str text, const char *const *phrases, struct str *what)
{
	for (; *phrases; phrases++) {
		struct str p = str_of(*phrases);

		if (str_ieq(str_sub(text, 0, p.n), p) && text.n > p.n &&
		    strchr(" :\n[", text.p[p.n])) {
			*what = str_trim(str_sub(text, p.n, text.n));
			if (str_take_char(what, ':'))
				*what = str_trim(*what);
			return true;
		}
	}
	return false;
}

/* Whether the text behind "Supersedes" names an item; in prose it does not. */
static bool names_item(struct str line, struct str what, struct str link)
{
	static const char *const nothing[] = {
		"",    "-",  "--",      "none",         "n/a",          "na", "nil",
		"tbd", "no", "nothing", "\xe2\x80\x93", "\xe2\x80\x94", NULL};

	/* An unfilled line of a template must not retire a decision. */
	if (kn_word_index(nothing, what) >= 0 || str_find_char(what, '{', 0) < what.n)
		return false;
	return link.n || str_find_char(line, ':', 0) < line.n ||
	       str_ieq(str_sub(what, 0, 3), STR("adr")) ||
	       (what.n && (what.p[0] == '[' || what.p[0] == '#' || ascii_is_digit(what.p[0])));
}

/* Reads a line "superseded by X" or "supersedes X" among the metadata. */
static bool relation(struct kn_reading *r, const struct md_block *b, struct str line)
{
	struct kn_item *item = r->item;
	struct str what, link = b->link;

	if (relation_words(line, superseded_by, &what) && names_item(line, what, link)) {
		/*
		 * The line sets the status too, over a "Status:" line. A status in the front matter
		 * wins.
		 */
		if (!val_get_str(r->front, "status").n &&
		    (item->status == KN_STATUS_ACCEPTED || item->status == KN_STATUS_DRAFT)) {
			item->status = KN_STATUS_SUPERSEDED;
			item->status_text = str_dup(r->a, line);
			item->status_at = kn_place_of_offset(r, b->at.from);
		}
		add_names(r, what, link, &item->superseded_by);
		if (!item->superseded_by_at.line)
			item->superseded_by_at = kn_place_of_offset(r, b->at.from);
		return true;
	}
	if (relation_words(line, supersedes, &what) && names_item(line, what, link)) {
		add_names(r, what, link, &item->supersedes);
		if (!item->supersedes_at.line)
			item->supersedes_at = kn_place_of_offset(r, b->at.from);
		return true;
	}
	return false;
}

/* "Date 09/04/2018": authors forget the colon. */
static bool bare_date(struct kn_reading *r, struct str line, struct str *day)
{
	return str_ieq(str_sub(line, 0, 5), STR("date ")) &&
	       kn_date(r->a, str_sub(line, 5, line.n), day);
}

static void body_read_metadata(struct kn_reading *r, const struct md_block *b, struct str line)
{
	struct kn_item *item = r->item;
	struct str key, value, day, part;
	char sep;

	/* A row of a table, such as "| Supersedes | 0001-x |". */
	if (str_starts(str_trim(line), STR("|")) && key_value(line, &key, &value))
		line = str_fmt(r->a, "%.*s: %.*s", STR_ARG(key), STR_ARG(value));
	if (bare_date(r, line, &day)) {
		set_date(r, &item->created_at, day, b->at.from);
	} else if (relation(r, b, line) || !key_value(line, &key, &value)) {
		return;
	} else if (str_ieq(key, STR("status"))) {
		if (value.n && !item->status_text.n)
			kn_status_from_text(r, value, b->link, b->at.from);
	} else if (str_ieq(key, STR("date")) || str_ieq(key, STR("created"))) {
		set_date(r, &item->created_at, value, b->at.from);
	} else if (str_ieq(key, STR("updated")) || str_ieq(key, STR("last updated"))) {
		set_date(r, &item->updated_at, value, b->at.from);
	} else if (str_ieq(key, STR("tags")) && !item->tags.n) {
		sep = str_find_char(value, ',', 0) != SIZE_MAX ? ',' : ' ';
		while (str_next_part(&value, sep, &part))
			if (str_trim(part).n)
				strs_push(r->a, &item->tags, str_dup(r->a, str_trim(part)));
	}
}

/* "|---|:---:|" below the head of a table. */
static bool is_table_rule(struct str line)
{
	bool dash = false;

	for (size_t i = 0; i < line.n; i++) {
		if (!line.p[i] || !strchr("|-: ", line.p[i]))
			return false;
		dash = dash || line.p[i] == '-';
	}
	return dash && str_starts(line, STR("|"));
}

/* Whether all lines of a paragraph are metadata. Then it is no summary. */
static bool is_metadata(struct kn_reading *r, const struct md_block *b)
{
	/* clang-format off */
	static const char *const keys[] = {
		"status", "date", "created", "updated", "last updated", "tags", "deciders",
		"decision-makers", "decision makers", "consulted", "informed", "author", "authors",
		"owner", "owners", "technical story", "supersedes", "superseded by", "version",
		"category", "type", "issue", "ticket", NULL,
	};
	/* clang-format on */
	struct str rest = b->text, line, key, value;

	while (str_next_line(&rest, &line))
		if (!is_table_rule(str_trim(line)) && !bare_date(r, line, &value) &&
		    !relation_words(line, superseded_by, &value) &&
		    !relation_words(line, supersedes, &value) &&
		    !(key_value(line, &key, &value) && kn_word_index(keys, key) >= 0))
			return false;
	return true;
}

/* Reads metadata before the first section only. Below it, a "Status:" describes something else. */
static void read_preamble(struct kn_reading *r)
{
	VEC_EACH(const struct md_block, b, &r->md) {
		struct str rest = b->text, line;

		if (b->depth || (b->type == MD_HEADING && b->level == 1))
			continue;
		if (b->type == MD_HEADING)
			return;
		if (b->type == MD_PARAGRAPH || b->type == MD_ITEM)
			while (str_next_line(&rest, &line))
				body_read_metadata(r, b, line);
	}
}

static void read_status_section(struct kn_reading *r, size_t from, size_t end)
{
	bool had = r->item->status_text.n;

	for (size_t i = from; i < end; i++) {
		const struct md_block *b = &r->md.p[i];
		struct str rest = b->text, line, key, value;

		if (b->depth || (b->type != MD_PARAGRAPH && b->type != MD_ITEM))
			continue;
		while (str_next_line(&rest, &line)) {
			line = str_trim(line);
			if (key_value(line, &key, &value) && str_ieq(key, STR("status")))
				line = value;
			if (!line.n || (had && relation(r, b, line)))
				continue;
			/*
			 * A status in front matter or preamble wins; later lines only comment on
			 * the status.
			 */
			if (!had)
				kn_status_from_text(r, line, b->link, b->at.from);
			had = true;
		}
	}
}

/* ---- summary ---- */

static struct str first_word(struct str *s)
{
	struct str word;

	*s = str_trim(*s);
	return str_next_part(s, ' ', &word) ? word : STR("");
}

/* "Decision", "The decision", "Decision outcome", "Our decisions", but not "Decision drivers". */
static bool is_decision(struct str name)
{
	static const char *const before[] = {"the", "our", "final", "existing", "proposed", NULL};
	static const char *const not_after[] = {
		"driver",  "drivers", "maker",   "makers", "criteria", "record",  "records", "log",
		"process", "factors", "context", "date",   "status",   "history", NULL,
	};
	struct str rest = name, word = first_word(&rest);

	while (kn_word_index(before, word) >= 0)
		word = first_word(&rest);
	if (!str_ieq(word, STR("decision")) && !str_ieq(word, STR("decisions")))
		return false;
	return kn_word_index(not_after, first_word(&rest)) < 0;
}

static bool is_proposal(struct str name)
{
	static const char *const names[] = {
		"proposal",
		"proposed solution",
		"what's proposed",
		"what\xe2\x80\x99s proposed",
		"solution",
		"outcome",
		NULL,
	};

	return kn_word_index(names, name) >= 0;
}

struct str kn_one_line(struct arena *a, struct str s, size_t max)
{
	struct buf b = buf_in(a);
	struct str rest = str_trim(s), line;

	while (str_next_line(&rest, &line)) {
		line = str_trim(line);
		if (b.n && line.n)
			buf_putc(&b, ' ');
		buf_put(&b, line);
	}
	s = buf_as_str(&b);
	if (s.n <= max)
		return s;
	s.n = max;
	while (s.n && s.p[s.n] != ' ')
		s.n--;
	/* One word is longer than max: cut between characters. */
	if (!s.n)
		for (s.n = max; s.n && ((unsigned char)s.p[s.n] & 0xc0) == 0x80;)
			s.n--;
	return str_fmt(a, "%.*s\xe2\x80\xa6", STR_ARG(str_trim(s)));
}

/*
 * The first paragraph or list item. A paragraph that only introduces a list is joined with the
 * list.
 */
static struct str first_text(struct kn_reading *r, size_t from, size_t end)
{
	const struct md *md = &r->md;

	for (size_t i = from; i < end; i++) {
		const struct md_block *b = &md->p[i];
		struct buf all = buf_in(r->a);
		size_t items = 0;

		if ((b->type != MD_PARAGRAPH && b->type != MD_ITEM) || !b->text.n || b->depth ||
		    str_ieq(b->text, STR("tbd")) || str_ieq(b->text, STR("todo")))
			continue;
		buf_put(&all, b->text);
		/* It only introduces a list: "We will:", "Chosen option: x, because". */
		if (b->type == MD_PARAGRAPH &&
		    (str_ends(b->text, STR(":")) || str_ends(b->text, STR(" because"))))
			for (size_t j = i + 1; j < end && all.n < SUMMARY_MAX &&
					       (md->p[j].depth || md->p[j].type == MD_ITEM);
			     j++)
				if (!md->p[j].depth && md->p[j].text.n) {
					buf_puts(&all, items++ ? "; " : " ");
					buf_put(&all, md->p[j].text);
				}
		return kn_one_line(r->a, buf_as_str(&all), SUMMARY_MAX);
	}
	return (struct str){"", 0};
}

static void summarize(struct kn_reading *r)
{
	bool (*const kinds[])(struct str) = {is_decision, is_proposal};
	const struct md *md = &r->md;
	size_t i = 0;

	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
		for (size_t j = 0; j < md->n; j++)
			if (md->p[j].type == MD_HEADING && !md->p[j].depth && md->p[j].level > 1 &&
			    kinds[k](kn_heading_text(&md->p[j]))) {
				r->item->summary = first_text(r, j + 1, kn_section_end(md, j));
				if (r->item->summary.n)
					return;
			}
	while (i < md->n) {
		const struct md_block *b = &md->p[i];

		if (b->type == MD_HEADING && !b->depth &&
		    str_ieq(kn_heading_text(b), STR("status"))) {
			i = kn_section_end(md, i);
			continue;
		}
		if (b->type == MD_PARAGRAPH && !b->depth && b->text.n && !is_metadata(r, b)) {
			r->item->summary = first_text(r, i, md->n);
			return;
		}
		i++;
	}
}

void kn_read_body(struct kn_reading *r)
{
	struct kn_item *item = r->item;
	struct str id = item->id;
	size_t digits = 0;

	for (size_t i = 0; i < r->md.n && !item->title.n; i++)
		if (r->md.p[i].type == MD_HEADING && r->md.p[i].level == 1 && !r->md.p[i].depth)
			item->title = kn_one_line(r->a, r->md.p[i].text, SIZE_MAX);
	if (!item->title.n)
		item->title = item->id;
	read_preamble(r);
	for (size_t i = 0; i < r->md.n; i++) {
		const struct md_block *b = &r->md.p[i];
		struct str name = kn_heading_text(b);

		if (b->type != MD_HEADING || b->depth || b->level > 2)
			continue;
		if (str_ieq(name, STR("status"))) {
			read_status_section(r, i + 1, kn_section_end(&r->md, i));
		} else if (str_ieq(name, STR("date")) && i + 1 < r->md.n &&
			   r->md.p[i + 1].type == MD_PARAGRAPH) {
			set_date(r, &item->created_at, r->md.p[i + 1].text, r->md.p[i + 1].at.from);
		}
	}
	/* log4brains names files 20201016-slug.md. */
	while (digits < size_min(id.n, 8) && ascii_is_digit(id.p[digits]))
		digits++;
	if (!item->created_at.n && digits == 8 && (id.n == 8 || id.p[8] == '-' || id.p[8] == '_'))
		kn_date(r->a, str_sub(id, 0, 8), &item->created_at);
	if (!item->summary.n)
		summarize(r);
}
