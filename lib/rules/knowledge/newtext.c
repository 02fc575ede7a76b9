/* The text of a new item: from a template, in the style of the newest item, or ikm's own. */
#include "knowledge/item_edit.h"
#include "knowledge/field_edit.h"
#include "os/os.h"

#define TEMPLATE_MAX ((size_t)1 << 20)

/* ---- the folder's own template ---- */

struct newtext_template {
	const char *path;
	struct str name; /* within the source */
	unsigned score;
};

static unsigned newtext_score(struct arena *a, struct str file, enum kn_type type, bool folder)
{
	struct str name = str_lower(a, file), word = str_of(kn_types[type]);

	if (!kn_is_markdown(file, false))
		return 0;
	/* The name may say another type: "policy-template.md". */
	for (int t = 0; kn_types[t]; t++)
		if (t != (int)type && str_holds(name, kn_types[t]))
			return 0;
	if (folder && str_eq(name, str_fmt(a, "%.*s.md", STR_ARG(word))))
		return 4000;
	if (kn_file_kind_by_name(a, file, false) != KN_NAME_TEMPLATE)
		return 0;
	if (str_is(name, "template.md"))
		return 3000;
	/* Of adr-template.md, adr-template-minimal.md and others the plain one. */
	return (str_find(name, word, 0) != SIZE_MAX ? 2000 : 1000) -
	       (unsigned)size_min(name.n, 900);
}

static struct err *newtext_look(struct arena *a, const struct kn_source *s, struct str name,
				enum kn_type type, bool folder, struct newtext_template *best)
{
	const char *path = name.n ? os_join(a, s->folder, str_c(a, name)) : s->folder;
	struct strs files = {0};
	struct os_stat st;

	TRY(os_stat(path, true, &st));
	if (st.kind != OS_DIR)
		return NULL;
	TRY(os_list(a, path, &files));
	for (size_t i = 0; i < files.n; i++) {
		unsigned score = newtext_score(a, files.p[i], type, folder);

		if (score <= best->score)
			continue;
		best->score = score;
		best->path = os_join(a, path, str_c(a, files.p[i]));
		best->name = name.n ? str_fmt(a, "%.*s/%.*s", STR_ARG(name), STR_ARG(files.p[i]))
				    : files.p[i];
	}
	return NULL;
}

/* ---- filling a template ---- */

/* The offset of a word in capitals, as adr-tools has in its templates; SIZE_MAX: none. */
static size_t newtext_word(struct str text, const char *word, size_t from)
{
	size_t n = strlen(word);

	for (size_t at = from; (at = str_find(text, str_of(word), at)) != SIZE_MAX; at++)
		if ((!at || !ascii_is_word(text.p[at - 1])) &&
		    (at + n == text.n || !ascii_is_word(text.p[at + n])))
			return at;
	return SIZE_MAX;
}

/* adr-tools: NUMBER, TITLE, DATE and STATUS. Other templates do not have the first two. */
static struct str newtext_fill_words(struct arena *a, struct str text,
				     const struct knowledge_new *n, struct str title,
				     const char *status)
{
	const struct {
		const char *word;
		struct str by;
	} words[] = {
		{"NUMBER", kn_number_of(n->number)},
		{"TITLE", title},
		{"DATE", os_day_text(a, os_now())},
		{"STATUS", kn_word_in_case_of(a, status, STR("A"))},
	};
	struct kn_edits edits = {0};

	if (newtext_word(text, "NUMBER", 0) == SIZE_MAX ||
	    newtext_word(text, "TITLE", 0) == SIZE_MAX)
		return text;
	for (size_t w = 0; w < ARRAY_SIZE(words); w++)
		for (size_t at = 0; (at = newtext_word(text, words[w].word, at)) != SIZE_MAX; at++)
			kn_edit_add(a, &edits, (struct span){at, at + strlen(words[w].word)},
				    words[w].by);
	return kn_edits_apply(a, text, &edits);
}

/* Whether the value of a line is no YAML for its colon: "title: ADR000: [TITLE]" of Backstage. */
static bool newtext_wants_quotes(struct str line, struct str value)
{
	return value.n && ascii_is_alnum(*value.p) && ascii_is_alnum(*line.p) &&
	       str_holds(value, ": ") && !str_holds(value, " #") && !str_holds(value, "\"") &&
	       !str_holds(value, "\\");
}

/*
 * MADR's placeholders, such as status: "{proposed | ...", need not be YAML. So they go before
 * anybody parses the front matter.
 */
static struct str newtext_fill_front(struct arena *a, struct str text, const char *status)
{
	struct kn_edits edits = {0};
	struct str rest = text, line;
	size_t lines = 0;

	while (str_next_line(&rest, &line)) {
		size_t colon = str_find_char(line, ':', 0), at = (size_t)(line.p - text.p);
		struct str key = str_sub(line, 0, colon),
			   value = str_trim(
				   str_sub(line, colon == SIZE_MAX ? line.n : colon + 1, line.n));

		if (!lines++ && !str_is(line, "---"))
			return text;
		if (lines > 1 && str_is(line, "---"))
			return kn_edits_apply(a, text, &edits);
		if (newtext_wants_quotes(line, value)) {
			size_t from = (size_t)(value.p - text.p);

			kn_edit_add(a, &edits, (struct span){from, from + value.n},
				    str_fmt(a, "\"%.*s\"", STR_ARG(value)));
			continue;
		}
		if (!value.n || !strchr("{<\"'", value.p[0]) ||
		    (value.p[0] != '{' && value.p[0] != '<' && value.n > 1 && value.p[1] != '{'))
			continue;
		if (str_is(key, "status"))
			kn_edit_add(a, &edits, (struct span){at + colon + 1, at + line.n},
				    str_fmt(a, " %s", status));
		else if (str_is(key, "date"))
			kn_edit_add(a, &edits, (struct span){at + colon + 1, at + line.n},
				    str_fmt(a, " %.*s", STR_ARG(os_day_text(a, os_now()))));
	}
	return text;
}

/* ---- headings ---- */

static const struct md_block *newtext_h1(const struct kn_text *t)
{
	for (size_t i = 0; i < t->md.n; i++)
		if (t->md.p[i].type == MD_HEADING && t->md.p[i].level == 1 && !t->md.p[i].depth)
			return &t->md.p[i];
	return NULL;
}

/* The text of the heading in the source: behind "# ", or the first of two lines. */
static struct span newtext_h1_span(const struct kn_text *t, const struct md_block *h)
{
	struct span at = {h->at.from, kn_line_at(t->text, h->at.from).to};

	while (at.from < at.to && strchr("# \t", t->text.p[at.from]) && t->text.p[at.from])
		at.from++;
	return at;
}

/*
 * "12. ", "ADR-0012: ": what stands before the title in the heading of item 12, or in a template
 * with a number of zeros or letters. Empty: nothing.
 */
static struct str newtext_lead(struct arena *a, struct str heading, struct str old,
			       const struct knowledge_new *n)
{
	size_t from = 0, to, end;
	struct str digits, number = kn_number_of(n->number);

	while (from < heading.n && ascii_is_letter(heading.p[from]) &&
	       !str_starts(str_sub(heading, from, heading.n), STR("NNN")) &&
	       !str_starts(str_sub(heading, from, heading.n), STR("XXX")))
		from++;
	if (from && from < heading.n && strchr("-_ ", heading.p[from]) && heading.p[from])
		from++;
	for (to = from; to < heading.n && strchr("0123456789NX", heading.p[to]) && heading.p[to];)
		to++;
	digits = str_sub(heading, from, to);
	end = to;
	while (end < heading.n && strchr(".:) -", heading.p[end]) && heading.p[end])
		end++;
	while (digits.n > 1 && digits.p[0] == '0' && old.n)
		digits = str_sub(digits, 1, digits.n);
	if (!number.n || to == from || end == to || (old.n && !str_eq(digits, old)) ||
	    (!old.n && !str_is_zeros(digits) && !strchr("NX", digits.p[0])))
		return STR("");
	return str_fmt(a, "%.*s%.*s%.*s%.*s", STR_ARG(str_sub(heading, 0, from)),
		       (int)(to - from - size_min(to - from, number.n)), "000000000",
		       STR_ARG(number), STR_ARG(str_sub(heading, to, end)));
}

/* ---- a whole text ---- */

static struct err *newtext_from(struct arena *a, struct str text, const char *where,
				struct str title, struct knowledge_new *n, const char *status)
{
	static const char *const titles[] = {"title", NULL}, *const ids[] = {"id", NULL};
	struct kn_edits edits = {0};
	const struct md_block *h;
	struct kn_spot s, front;
	struct kn_text t;
	struct str day = os_day_text(a, os_now()), lead;
	struct err *e;

	text = newtext_fill_words(a, text, n, title, status);
	text = newtext_fill_front(a, text, status);
	e = kn_text_parse(a, text, &t);
	if (e)
		return err_add_context(e, "the template '%s'", where);
	front = kn_spot_in_front(&t, titles);
	if (front.style != KN_NOWHERE)
		kn_spot_set_value(a, &front, n->title, &edits);
	h = newtext_h1(&t);
	if (h && str_find(h->text, n->title, 0) == SIZE_MAX) {
		struct span at = newtext_h1_span(&t, h);

		lead = newtext_lead(a, h->text, STR(""), n);
		kn_edit_add(a, &edits, at, str_fmt(a, "%.*s%.*s", STR_ARG(lead), STR_ARG(title)));
	} else if (!h && front.style == KN_NOWHERE) {
		kn_edit_add(
			a, &edits, (struct span){t.body, t.body},
			str_fmt(a, "%s# %.*s%s%s", t.body ? t.nl : "", STR_ARG(title), t.nl,
				t.body && t.body < text.n && text.p[t.body] == '\n' ? "" : t.nl));
	}
	s = kn_spot_of_member(&t, KN_STATUS);
	rewrite_set_status(a, &t, &s, status, &edits);
	s = kn_spot_of_member(&t, KN_CREATED);
	if (s.style != KN_NOWHERE)
		kn_spot_set_value(a, &s, day, &edits);
	s = kn_spot_of_member(&t, KN_UPDATED);
	if (s.style != KN_NOWHERE)
		kn_spot_set_value(a, &s, day, &edits);
	s = kn_spot_in_front(&t, ids);
	if (s.style != KN_NOWHERE)
		kn_spot_set_value(a, &s, str_sub(n->file, 0, str_find_char(n->file, '.', 0)),
				  &edits);
	n->text = kn_edits_apply(a, text, &edits);
	return NULL;
}

/* A template that is a draft by itself makes drafts. */
static enum kn_status newtext_status(struct arena *a, struct str template)
{
	enum kn_status status;
	struct kn_text t;
	struct kn_spot s;
	bool partly;

	if (!template.n || kn_text_parse(a, template, &t))
		return KN_STATUS_PROPOSED;
	s = kn_spot_of_member(&t, KN_STATUS);
	return s.style != KN_NOWHERE &&
			       kn_status_parse(a, str_sub(t.text, s.value.from, s.value.to),
					       &status, &partly) &&
			       status == KN_STATUS_DRAFT
		       ? KN_STATUS_DRAFT
		       : KN_STATUS_PROPOSED;
}

/* ---- without a template: a template in the style of the newest item ---- */

struct newtext_style {
	struct kn_text t;
	struct kn_spot status, created;
	const struct md_block *h1;
	bool known, madr;
};

static struct err *newtext_read_style(struct arena *a, const struct knowledge_folder *f,
				      const struct knowledge_new *n, struct newtext_style *out)
{
	struct str text;
	struct os_stat st;
	const char *path;

	*out = (struct newtext_style){.status = {.style = KN_FRONT}};
	out->t.nl = "\n";
	if (!n->model.n)
		return NULL;
	path = os_join(a, f->path, str_c(a, n->model));
	TRY(os_stat(path, true, &st));
	if (st.kind != OS_FILE || st.size > TEMPLATE_MAX)
		return NULL;
	TRY(os_read_path(a, path, TEMPLATE_MAX, &text));
	/* A neighbour that cannot be read only gives no style. */
	if (!str_is_text(text) || kn_text_parse(a, text, &out->t)) {
		out->t = (struct kn_text){.nl = "\n"};
		return NULL;
	}
	out->known = true;
	out->h1 = newtext_h1(&out->t);
	VEC_EACH(const struct md_block, b, &out->t.md)
		out->madr |= b->type == MD_HEADING &&
			     str_ieq(kn_heading_text(b), STR("Context and Problem Statement"));
	out->created = kn_spot_of_member(&out->t, KN_CREATED);
	out->status = kn_spot_of_member(&out->t, KN_STATUS);
	if (out->status.style == KN_NOWHERE)
		out->status.style = KN_FRONT;
	return NULL;
}

/* clang-format off */
static const char *const madr_sections =
	"## Context and Problem Statement\n\n<!-- What has to be decided, and why now? -->\n\n"
	"## Considered Options\n\n<!-- * one -->\n\n"
	"## Decision Outcome\n\n<!-- What is done, and because of what? -->\n\n"
	"### Consequences\n\n<!-- What becomes easier, and what harder? -->\n";
static const char *const own_sections[] = {
	[KN_TYPE_ADR] =
		"## Context\n\n<!-- What has to be decided, and why now? -->\n\n"
		"## Decision\n\n<!-- What is done. The first paragraph is the summary. -->\n\n"
		"## Consequences\n\n<!-- What becomes easier, and what harder? -->\n",
	[KN_TYPE_POLICY] =
		"## Decision\n\n<!-- What must be done, and by whom. The first paragraph is the summary. -->\n\n"
		"## Reasons\n\n<!-- What goes wrong without it? -->\n\n"
		"## Exceptions\n\n<!-- Who grants one, and for how long? -->\n",
	[KN_TYPE_PATTERN] =
		"## Problem\n\n<!-- When is this of use? -->\n\n"
		"## Solution\n\n<!-- What to do. The first paragraph is the summary. -->\n\n"
		"## Example\n\n<!-- One that can be copied. -->\n",
	[KN_TYPE_SPEC] =
		"## Outcome\n\n<!-- What it is for. The first paragraph is the summary. -->\n\n"
		"## Requirements\n\n<!-- * one -->\n\n"
		"## Open questions\n\n<!-- * one -->\n",
};
/* clang-format on */

static struct str newtext_crlf(struct arena *a, struct str text)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\n')
			buf_putc(&b, '\r');
		buf_putc(&b, text.p[i]);
	}
	return buf_as_str(&b);
}

static void newtext_put_line(struct buf *b, const struct kn_spot *s, const char *key,
			     struct str value)
{
	bool row = str_starts(s->marker, STR("|"));

	buf_fmt(b, "%.*s%.*s%s%s%.*s %s%.*s%s\n", STR_ARG(s->marker), STR_ARG(s->emphasis), key,
		row ? "" : ":", STR_ARG(s->emphasis), row ? "| " : "", STR_ARG(value),
		row ? " |" : "");
	if (row && !strcmp(key, "Status"))
		buf_puts(b, "|---|---|\n");
}

static struct str newtext_own(struct arena *a, const struct knowledge_new *n,
			      const struct newtext_style *s, struct str title, const char *status)
{
	static const char *const day_members[] = {"createdAt", "created", NULL};
	struct buf b = buf_in(a);
	struct str was = str_sub(s->t.text, s->status.value.from, s->status.value.to),
		   lead = {"", 0}, day = os_day_text(a, os_now()), word;
	enum kn_style style = s->status.style;

	word = kn_word_in_case_of(a, status, s->known ? was : STR("a"));
	if (s->h1 && n->model.n)
		lead = newtext_lead(a, s->h1->text, kn_number_of(n->model), n);
	if (style == KN_FRONT) {
		const char *key = "date";

		for (size_t i = 0; day_members[i]; i++)
			if (val_get(s->t.front, day_members[i]))
				key = day_members[i];
		buf_fmt(&b, "---\nstatus: %s\n%s: %.*s\n", status, key, STR_ARG(day));
		if (val_get(s->t.front, "title"))
			buf_fmt(&b, "title: %.*s\n", STR_ARG(kn_yaml_scalar_text(a, n->title)));
		buf_puts(&b, "---\n");
	}
	if (style != KN_FRONT || !val_get(s->t.front, "title") || s->h1)
		buf_fmt(&b, "%s# %.*s%.*s\n\n", style == KN_FRONT ? "\n" : "", STR_ARG(lead),
			STR_ARG(title));
	else
		buf_puts(&b, "\n");
	if (style == KN_LINE) {
		newtext_put_line(&b, &s->status, "Status", word);
		newtext_put_line(&b, &s->status, "Date", day);
		buf_puts(&b, "\n");
	} else if (style == KN_SECTION) {
		if (s->created.style == KN_LINE) {
			newtext_put_line(&b, &s->created, "Date", day);
			buf_puts(&b, "\n");
		}
		buf_fmt(&b, "## Status\n\n%.*s%.*s\n\n", STR_ARG(s->status.marker), STR_ARG(word));
	}
	buf_puts(&b, s->madr ? madr_sections : own_sections[n->type]);
	return strcmp(s->t.nl, "\r\n") ? buf_as_str(&b) : newtext_crlf(a, buf_as_str(&b));
}

/* ---- reading it again ---- */

static struct err *newtext_template_help(const struct knowledge_new *n, struct err *e)
{
	return n->template.n ? err_help(e, "correct the template '%.*s'", STR_ARG(n->template)) : e;
}

static struct err *newtext_verify(struct arena *a, const struct knowledge_folder *f,
				  struct knowledge_new *n, enum kn_status status, bool *title)
{
	struct tree_mem_file file = {.content = n->text, .kind = TREE_FILE};
	struct buf plain = buf_in(a);
	struct knowledge k = {0};
	const struct kn_item *it;

	file.path =
		f->name.n ? str_fmt(a, "%.*s/%.*s", STR_ARG(f->name), STR_ARG(n->file)) : n->file;
	TRY(knowledge_read_tree(a, f->source, tree_mem(a, STR("the new item"), &file, 1),
				f->source->type, f->source->in_tree, &k));
	if (k.items.n != 1)
		return err_help(
			err_for_param(E_BAD_ARGUMENT, STR("title"),
				      "a file named '%.*s' would be no item: ikm passes over it",
				      STR_ARG(file.path)),
			"give another title");
	it = &k.items.p[0];
	n->item = *it;
	for (size_t i = 0; i < k.notes.n; i++)
		if (k.notes.p[i].kind == KN_BROKEN)
			return newtext_template_help(
				n, err_new(E_BAD_MARKDOWN,
					   "the new item would be broken knowledge: line %zu: %.*s",
					   k.notes.p[i].line, STR_ARG(k.notes.p[i].message)));
	if (it->type != n->type)
		return err_for_param(E_BAD_ARGUMENT, STR("source"),
				     "an item in '%s' is read as %s, not as %s", f->path,
				     kn_types[it->type], kn_types[n->type]);
	if (it->status != status)
		return err_help(newtext_template_help(
					n, err_new(E_BAD_MARKDOWN,
						   "the new item would read as %s, not as %s",
						   kn_statuses[it->status], kn_statuses[status])),
				"it needs 'status: %s' in its front matter, and '-->' for each "
				"'<!--'",
				kn_statuses[status]);
	if (!it->status_text.n)
		return err_help(err_new(E_BAD_MARKDOWN,
					"the new item would have no status: ikm "
					"cannot add one to the template '%.*s'",
					STR_ARG(n->template)),
				"give the template a status, or close its comments");
	/* A span of code reads without its backticks. */
	for (size_t i = 0; i < n->title.n; i++)
		if (n->title.p[i] != '`')
			buf_putc(&plain, n->title.p[i]);
	*title = str_ends(it->title, n->title) || str_ends(it->title, buf_as_str(&plain));
	return NULL;
}

/* The title as Markdown: with backslashes before what would be markup. */
static struct str newtext_escaped(struct arena *a, struct str title, const char *marks)
{
	struct buf b = buf_in(a);

	for (size_t i = 0; i < title.n; i++) {
		if (title.p[i] && strchr(marks, title.p[i]))
			buf_putc(&b, '\\');
		buf_putc(&b, title.p[i]);
	}
	return buf_as_str(&b);
}

struct err *knowledge_new_text(struct arena *a, const struct knowledge_folder *f,
			       struct knowledge_new *n)
{
	struct newtext_template found = {0};
	struct str template = {"", 0},
		   titles[] = {n->title, newtext_escaped(a, n->title, "\\*_[]<>&#~|!"),
			       newtext_escaped(a, n->title, "\\`*_[]<>&#~|!")};
	struct newtext_style style;
	enum kn_status status;
	bool reads = false;
	struct str places[] = {f->name, STR("")};

	/* In the item's folder before that of the source; in each also "templates", as adr-tools
	 * has it. */
	for (size_t i = 0; i < ARRAY_SIZE(places) && !found.score; i++) {
		struct str p = places[i];

		TRY(newtext_look(a, f->source, p, n->type, false, &found));
		TRY(newtext_look(a, f->source,
				 p.n ? str_fmt(a, "%.*s/templates", STR_ARG(p)) : STR("templates"),
				 n->type, true, &found));
	}
	if (found.score)
		TRY(os_read_path(a, found.path, TEMPLATE_MAX, &template));
	if (found.score && !str_is_text(template))
		return err_new(E_BAD_UTF8, "the template '%s' is not UTF-8", found.path);
	n->template = found.score ? found.name : STR("");
	TRY(newtext_read_style(a, f, n, &style));
	status = n->status >= 0 ? (enum kn_status)n->status : newtext_status(a, template);
	n->status = (int)status;
	for (size_t i = 0; i < ARRAY_SIZE(titles) && !reads; i++) {
		if (found.score)
			TRY(newtext_from(a, template, found.path, titles[i], n,
					 kn_statuses[status]));
		else
			n->text = newtext_own(a, n, &style, titles[i], kn_statuses[status]);
		TRY(newtext_verify(a, f, n, status, &reads));
	}
	if (!reads)
		return err_new(E_BAD_MARKDOWN, "the title would read as '%.*s'",
			       STR_ARG(n->item.title));
	return NULL;
}
