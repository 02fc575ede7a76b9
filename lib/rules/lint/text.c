/* Rules about the text of one file: title, headings, blanks, line ends, the form of the status. */
#include "lint/internal.h"

/* ---- parsing ---- */

#define LINT_COMMENT "<!-- ikm-lint-disable"

/* Reads the comments "<!-- ikm-lint-disable RULE RULE -->". */
static void lint_file_disable(struct arena *a, struct lint_file *f, struct strs *unknown)
{
	const struct md *md = &f->md;
	size_t block = 0, seen = 0;
	bool span = false; /* a code span of the line */

	for (size_t at = 0; (at = str_find(f->text, STR(LINT_COMMENT), at)) != SIZE_MAX; at++) {
		size_t from = at + sizeof(LINT_COMMENT) - 1;
		size_t end = str_find(f->text, STR("-->"), from);
		struct str rest = str_sub(f->text, from, end), word;

		if (end == SIZE_MAX)
			return;
		for (; seen < at; seen++)
			span = f->text.p[seen] != '\n' && (span ^ (f->text.p[seen] == '`'));
		while (block < md->n && (md->p[block].type != MD_CODE || md->p[block].at.to <= at))
			block++;
		if (span || (block < md->n && md->p[block].at.from <= at))
			continue;
		while (rest.n) {
			size_t n = 0;
			int rule = 0;

			while (n < rest.n && !ascii_is_any_space(rest.p[n]) && rest.p[n] != ',')
				n++;
			word = str_sub(rest, 0, n);
			rest = str_sub(rest, n + (n < rest.n), rest.n);
			if (!word.n)
				continue;
			while (rule < LINT_RULE_COUNT && !str_is(word, lint_rules[rule].id))
				rule++;
			if (rule < LINT_RULE_COUNT)
				f->off[rule] = true;
			else
				strs_push(a, unknown, word);
		}
	}
}

struct err *lint_file_parse(struct arena *a, struct lint_file *f, struct strs *unknown)
{
	struct str yaml, body;
	bool unclosed = false;
	struct val *front;

	f->body = 0;
	f->front = NULL;
	f->md = (struct md){0};
	memset(f->off, 0, sizeof(f->off));
	if (md_frontmatter(f->text, &yaml, &body, &unclosed) && !unclosed) {
		f->body = (size_t)(body.p - f->text.p);
		/* The reader of items has reported front matter that does not parse. */
		if (!yaml_read(a, yaml, f->text, (size_t)(yaml.p - f->text.p), &front) &&
		    front->type == VAL_MAP)
			f->front = front;
	}
	/* So has it Markdown that is too deep; then only the front matter is looked at. */
	if (md_read(a, str_sub(f->text, f->body, f->text.n), f->body, &f->md))
		f->md = (struct md){0};
	lint_file_disable(a, f, unknown);
	return NULL;
}

/* ---- edits ---- */

/* Problems of white space, in the order of enum md_blank. */
static const int lint_blank_rules[MD_BLANKS] = {LINT_TRAILING_BLANKS, LINT_LINE_ENDS,
						LINT_FINAL_NEWLINE};

/* The bytes of a blank, of emphasis or of an emoji at the begin of s, or 0. */
static size_t lint_status_mark(struct str s)
{
	uint32_t c = 0;
	size_t n = s.n ? str_utf8_char(s.p, s.n, &c) : 0;
	bool emoji = (c >= 0x2190 && c < 0x2c00) || c == 0x200d || (c >= 0xfe00 && c < 0xfe10) ||
		     (c >= 0x1f000 && c < 0x20000);

	return n && (emoji || (c && c < 0x80 && strchr(" \t*_`", (int)c))) ? n : 0;
}

/*
 * Whether the file has the value as plain or quoted text. A value with an anchor or a tag, or an
 * alias, means more than its text, so it stays.
 */
static bool lint_is_bare(const struct lint_file *f, const struct val *v)
{
	struct str raw = str_sub(f->text, v->at.from, v->at.to);

	return raw.n && !str_holds(raw, "\n") &&
	       (raw.p[0] == '"' || raw.p[0] == '\'' || str_eq(raw, v->s));
}

/*
 * The plain word for a status such as "**Accepted**". A status with any other text says more than
 * one word could, so it stays; what is struck through is no status.
 */
static void lint_edit_status(struct arena *a, const struct lint_file *f, struct lint_edits *out)
{
	const struct val *v = val_get(f->front, "status");
	size_t from = 0, to, end, n;
	int status;

	if (!v || v->type != VAL_STR || !lint_is_bare(f, v))
		return;
	while ((n = lint_status_mark(str_sub(v->s, from, v->s.n))))
		from += n;
	for (to = from; to < v->s.n && ascii_is_letter(v->s.p[to]);)
		to++;
	for (end = to; (n = lint_status_mark(str_sub(v->s, end, v->s.n)));)
		end += n;
	status = kn_word_index(kn_statuses, str_sub(v->s, from, to));
	if (status < 0 || end < v->s.n || to - from == str_trim(v->s).n)
		return;
	*VEC_PUSH(a, out) = (struct lint_edit){
		LINT_STATUS_FORM, {v->at.from, v->at.to}, str_of(kn_statuses[status])};
}

ORDER_OF(lint_edit_cmp, struct lint_edit, ORDER_UP(at.from) || ORDER_UP(rule))

void lint_edits_of(struct arena *a, const struct lint_file *f, struct lint_edits *out)
{
	struct md_blank_edits blanks = {0};

	/* UTF-16 and the like: an edit of bytes would break it. */
	if (!str_is_utf8(f->text) || str_has_nul(f->text))
		return;
	lint_edit_status(a, f, out);
	md_whitespace_fixes_find(a, f->text, f->body, &f->md, &blanks);
	for (size_t i = 0; i < blanks.n; i++)
		*VEC_PUSH(a, out) = (struct lint_edit){lint_blank_rules[blanks.p[i].kind],
						       blanks.p[i].at, blanks.p[i].new};
	VEC_SORT(out, lint_edit_cmp);
}

/* ---- problems ---- */

static void lint_headings(struct lint *l, const struct lint_file *f)
{
	struct places w = {.text = f->text};
	unsigned last = 0, titles = 0;

	VEC_EACH(const struct md_block, b, &f->md) {
		if (b->type != MD_HEADING || b->depth)
			continue;
		titles += b->level == 1;
		if (last && b->level > last + 1)
			lint_say(l, f, LINT_HEADING_LEVELS,
				 str_place_of_next_offset(&w, b->at.from),
				 "a heading of level %u follows one of level %u", b->level, last);
		else if (b->level == 1 && titles == 2)
			lint_say(l, f, LINT_HEADING_LEVELS,
				 str_place_of_next_offset(&w, b->at.from),
				 "this is a second heading of level 1; sections have level 2");
		last = b->level;
	}
	if (!titles && !val_get_str(f->front, "title").n)
		lint_say(l, f, LINT_TITLE, (struct place){0},
			 "it has no title: write a heading '# …', or 'title:' in the front matter");
}

void lint_check_text(struct lint *l, const struct lint_file *f)
{
	struct lint_edits edits = {0};

	lint_headings(l, f);
	/* One problem for each rule and file: a file with DOS line ends would have hundreds. */
	lint_edits_of(l->a, f, &edits);
	for (int rule = 0; rule < LINT_RULE_COUNT; rule++) {
		const struct lint_edit *first = NULL;
		struct place at;
		size_t n = 0;

		for (size_t i = 0; i < edits.n; i++) {
			if (edits.p[i].rule != rule)
				continue;
			first = first ? first : &edits.p[i];
			n++;
		}
		if (!n)
			continue;
		at = str_place_of_offset(f->text, first->at.from);
		if (rule == LINT_TRAILING_BLANKS)
			lint_say(l, f, rule, at, "%zu line%s in blanks", n,
				 n == 1 ? " ends" : "s end");
		else if (rule == LINT_LINE_ENDS)
			lint_say(l, f, rule, at, "%zu line%s in %s, the others in %s", n,
				 n == 1 ? " ends" : "s end", first->new.n ? "LF" : "CR LF",
				 first->new.n ? "CR LF" : "LF");
		else if (rule == LINT_FINAL_NEWLINE)
			lint_say(l, f, rule, at, "the last line has no line end");
		else if (rule == LINT_STATUS_FORM)
			lint_say(l, f, rule, at,
				 "the status is written '%.*s'; the plain word is '%.*s'",
				 STR_ARG(str_utf8_head(val_get_str(f->front, "status"), 80)),
				 STR_ARG(first->new));
	}
}

/* ---- columns ---- */

size_t lint_utf16_column(struct lint_cursor *c, struct place at)
{
	size_t end, units = 1;
	uint32_t code;

	if (!at.line || !at.column)
		return 0;
	if (!c->line || at.line < c->line)
		*c = (struct lint_cursor){.text = c->text, .line = 1};
	for (; c->line < at.line; c->line++) {
		size_t next = str_find_char(c->text, '\n', c->at);

		if (next == SIZE_MAX)
			return 0;
		c->at = next + 1;
	}
	end = c->at + at.column - 1;
	if (end > c->text.n)
		return 0;
	for (size_t i = c->at, n; i < end; i += n) {
		n = str_utf8_char(c->text.p + i, c->text.n - i, &code);
		units += n == 4 ? 2 : 1;
		n = size_max(n, 1);
	}
	return units;
}
