/*
 * One matcher for all forms: random changes of real files, as a unified diff, as "*** Begin Patch"
 * and as an edit. The lines of the patch differ from the file as each pass tolerates it. The result
 * differs from the file only in the lines that the patch adds and removes, or the patch is refused.
 */
#include "tap.h"
#include "file/file.h"
#include "match/match.h"
#include "os/os.h"

#define ROUNDS 3000 /* for each form: some hundred for each pass, file and kind of file */
#define SHOWN  60   /* lines of a file that are used at a time */

static struct arena *a;
static uint64_t state = 11;

static size_t below(size_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(state >> 33) % n;
}

static const char *const files[] = {
	"Makefile",  "lib/files/match/match_hunk.c", "man/ikm-patch.mdoc", "t/unit/match_real.c",
	"README.md", "t/files/0511-edit.t",
};
enum form { FORM_UNIFIED, FORM_BEGIN, FORM_EDIT, FORMS };
enum kind { KIND_LF, KIND_CRLF, KIND_MIXED, KIND_BOM, KIND_OPEN, KIND_LETTERS, KINDS };

struct line {
	struct str text;
	const char *end;
};
struct sample {
	struct line old[SHOWN + 1];
	size_t n;
	size_t from, to;  /* the lines of the hunk */
	bool gone[SHOWN]; /* lines that it removes */
	size_t added;     /* new lines behind line `at` */
	size_t at;
	struct str new[3];
	struct str given[3];    /* as the patch has them */
	struct str want[SHOWN]; /* the lines of the hunk, as the patch has them */
	bool bom;
	enum match_pass pass;
};

static const char *end_at(const struct sample *s, size_t at)
{
	for (size_t i = at; i-- > 0;)
		if (*s->old[i].end)
			return s->old[i].end;
	return at < s->n && *s->old[at].end ? s->old[at].end : "\n";
}

static struct str replaced(struct str s, const char *from, const char *to)
{
	struct buf b = buf_in(a);
	size_t at;

	while ((at = str_find(s, str_of(from), 0)) != SIZE_MAX) {
		buf_put(&b, str_sub(s, 0, at));
		buf_puts(&b, to);
		s = str_sub(s, at + strlen(from), s.n);
	}
	buf_put(&b, s);
	return buf_as_str(&b);
}

/* Letters of a real text that models write in another way: quotes, a no-break space, e and accent.
 */
static struct str lettered(struct str s)
{
	s = replaced(s, "\"", "\u201d");
	s = replaced(s, " a ", "\u00a0a ");
	return replaced(s, "ee", "e\u0301e");
}

static struct str plain(struct str s)
{
	s = replaced(s, "\u201d", "\"");
	s = replaced(s, "\u00a0", " ");
	return replaced(s, "e\u0301", "\u00e9");
}

static void sample_file(struct sample *s, enum kind kind)
{
	struct str text = {0}, line;
	struct err *e = os_read_path(a, files[below(ARRAY_SIZE(files))], 1 << 20, &text);
	struct strs lines = {0};
	size_t first;

	if (e)
		BUG("%s", err_message(e));
	while (str_next_part(&text, '\n', &line))
		strs_push(a, &lines, line);
	first = below(lines.n > SHOWN ? lines.n - SHOWN : 1);
	*s = (struct sample){.n = size_min(SHOWN, lines.n - first), .bom = kind == KIND_BOM};
	for (size_t i = 0; i < s->n; i++) {
		struct line *l = &s->old[i];

		l->text = lines.p[first + i];
		if (kind == KIND_LETTERS)
			l->text = lettered(l->text);
		l->end = kind == KIND_CRLF || (kind == KIND_MIXED && below(2)) ? "\r\n" : "\n";
	}
	if (kind == KIND_OPEN && s->old[s->n - 1].text.n)
		s->old[s->n - 1].end = "";
}

static void sample_change(struct sample *s)
{
	size_t indent = 0, first, last, context = 1 + below(3);
	struct str line;

	/* As many lines around the change at both ends, as a diff has them. */
	s->at = below(4) ? below(s->n) : below(2) ? 0 : s->n - 1;
	first = s->at - size_min(s->at, below(4));
	last = size_min(s->n, s->at + 1 + below(4));
	for (size_t i = first; i < last; i++)
		s->gone[i] = i == s->at ? below(2) : i == first || i + 1 == last || !below(3);
	s->from = first - size_min(first, context);
	s->to = size_min(s->n, last + context);
	s->added = !s->gone[s->at] + below(3);
	line = s->old[s->at].text;
	while (indent < line.n && strchr(" \t", line.p[indent]))
		indent++;
	for (size_t i = 0; i < s->added; i++)
		s->new[i] = str_fmt(a, "%.*snew \u201cone\u201d %zu  ", (int)indent, line.p, i);
}

/* The lines as a model writes them, with what the pass tolerates. */
static void sample_loosen(struct sample *s)
{
	const char *const shifts[] = {"\t", "  ", "    "};
	const char *shift = shifts[below(3)];

	s->pass = (enum match_pass)below(MATCH_PASSES);
	for (size_t i = 0; i < s->added; i++)
		s->given[i] = s->new[i];
	for (size_t i = s->from; i < s->to; i++) {
		struct str t = s->old[i].text;

		if (s->pass == MATCH_BLANKS && below(2))
			t = str_fmt(a, "%.*s%s", STR_ARG(t), below(2) ? "  " : "\t");
		if (s->pass == MATCH_INDENT && str_trim(t).n)
			t = str_fmt(a, "%s%.*s", shift, STR_ARG(t));
		if (s->pass == MATCH_LETTERS)
			t = plain(t);
		s->want[i] = t;
	}
	if (s->pass != MATCH_INDENT)
		return;
	for (size_t i = 0; i < s->added; i++)
		s->given[i] = str_fmt(a, "%s%.*s", shift, STR_ARG(s->new[i]));
}

static struct str sample_old(const struct sample *s)
{
	struct buf b = buf_in(a);

	buf_puts(&b, s->bom ? "\xEF\xBB\xBF" : "");
	for (size_t i = 0; i < s->n; i++)
		buf_fmt(&b, "%.*s%s", STR_ARG(s->old[i].text), s->old[i].end);
	return buf_as_str(&b);
}

static struct str sample_new(const struct sample *s)
{
	struct buf b = buf_in(a);
	bool last_added = false, open = !*s->old[s->n - 1].end;
	size_t end = 0;

	buf_puts(&b, s->bom ? "\xEF\xBB\xBF" : "");
	for (size_t i = 0; i < s->n; i++) {
		if (!s->gone[i]) {
			buf_fmt(&b, "%.*s%s", STR_ARG(s->old[i].text), s->old[i].end);
			last_added = false;
		}
		for (size_t k = 0; i == s->at && k < s->added; k++) {
			if (b.n > 3 && b.p[b.n - 1] != '\n')
				buf_puts(&b, end_at(s, i));
			buf_fmt(&b, "%.*s%s", STR_ARG(s->new[k]), end_at(s, i + 1));
			end = strlen(end_at(s, i + 1));
			last_added = true;
		}
	}
	if (open && last_added)
		b.n -= end;
	return buf_as_str(&b);
}

/* The last added line is the last of the file, which has no newline there. */
static bool ends_open(const struct sample *s)
{
	for (size_t i = s->at + 1; i < s->n; i++)
		if (!s->gone[i])
			return false;
	return !*s->old[s->n - 1].end;
}

static struct err *form_unified(const struct sample *s, struct str old, struct str *out)
{
	struct patch_options options = {0};
	struct buf b = buf_in(a);
	size_t gone = 0;
	struct patch p;

	for (size_t i = s->from; i < s->to; i++)
		gone += s->gone[i];
	buf_fmt(&b, "--- f\n+++ f\n@@ -%zu,%zu +%zu,%zu @@\n", s->from + 1, s->to - s->from,
		s->from + 1, s->to - s->from - gone + s->added);
	for (size_t i = s->from; i < s->to; i++) {
		bool crlf = s->pass == MATCH_EXACT && !strcmp(s->old[i].end, "\r\n");
		const char *none = *s->old[i].end ? "" : "\\ No newline at end of file\n";

		buf_fmt(&b, "%c%s%.*s%s\n%s", s->gone[i] ? '-' : ' ',
			s->bom && !i && s->pass == MATCH_EXACT ? "\xEF\xBB\xBF" : "",
			STR_ARG(s->want[i]), crlf ? "\r" : "", none);
		for (size_t k = 0; i == s->at && k < s->added; k++) {
			buf_fmt(&b, "+%s%.*s%s\n",
				s->bom && !i && s->gone[i] && !k && s->pass == MATCH_EXACT
					? "\xEF\xBB\xBF"
					: "",
				STR_ARG(s->given[k]),
				s->pass == MATCH_EXACT && !strcmp(end_at(s, i + 1), "\r\n") ? "\r"
											    : "");
			if (k + 1 == s->added && ends_open(s))
				buf_puts(&b, "\\ No newline at end of file\n");
		}
	}
	TRY(patch_read(a, buf_as_str(&b), &p));
	return patch_apply(a, &p.p[0], old, &options, out, NULL);
}

static struct err *form_begin(const struct sample *s, struct str old, struct str *out)
{
	struct buf b = buf_in(a);
	match_set tolerated;
	struct host_patch p;

	buf_puts(&b, "*** Begin Patch\n*** Update File: f\n@@\n");
	for (size_t i = s->from; i < s->to; i++) {
		buf_fmt(&b, "%c%.*s\n", s->gone[i] ? '-' : ' ', STR_ARG(s->want[i]));
		for (size_t k = 0; i == s->at && k < s->added; k++)
			buf_fmt(&b, "+%.*s\n", STR_ARG(s->given[k]));
	}
	if (s->to == s->n && below(2))
		buf_puts(&b, "*** End of File\n");
	buf_puts(&b, "*** End Patch\n");
	TRY(host_patch_read(a, buf_as_str(&b), &p));
	return match_apply_host_patch(a, &p.p[0], old, true, out, &tolerated);
}

static bool is_once(const struct sample *s, size_t line)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += str_eq(s->old[i].text, s->old[line].text);
	return n == 1 && str_trim(s->old[line].text).n > 12;
}

/* An edit need not have a line around those that it changes, if these are enough to find it. */
static void sample_trim(struct sample *s)
{
	size_t from = s->at, to = s->at + 1;

	for (size_t i = s->from; i < s->to; i++) {
		from = s->gone[i] ? size_min(from, i) : from;
		to = s->gone[i] ? size_max(to, i + 1) : to;
	}
	s->from = below(2) && is_once(s, from) ? from : s->from;
	s->to = below(2) && is_once(s, to - 1) ? to : s->to;
}

/* Without the newline at its end; false where the last line would go with it. */
static bool is_cut(struct buf *b)
{
	if (b->n < 2 || b->p[b->n - 2] == '\n')
		return false;
	b->n--;
	return true;
}

static struct err *form_edit(const struct sample *s, struct str old, struct str *out)
{
	struct buf was = buf_in(a), now = buf_in(a);
	struct file_edited done;
	struct file_edit edit;
	size_t from = s->bom ? strlen(FILE_BOM) : 0, at;
	bool cut = below(2) && (*s->old[s->to - 1].end || !s->gone[s->to - 1]);

	for (size_t i = s->from; i < s->to; i++) {
		buf_fmt(&was, "%.*s\n", STR_ARG(s->want[i]));
		if (!s->gone[i])
			buf_fmt(&now, "%.*s\n", STR_ARG(s->want[i]));
		for (size_t k = 0; i == s->at && k < s->added; k++)
			buf_fmt(&now, "%.*s\n", STR_ARG(s->given[k]));
	}
	/* Both end inside a line, which one of them may have in the middle. */
	if (cut && is_cut(&was) && !is_cut(&now))
		buf_putc(&was, '\n');
	edit = (struct file_edit){.old = buf_as_str(&was), .new = buf_as_str(&now)};
	for (size_t i = 0; i < s->from; i++)
		from += s->old[i].text.n + strlen(s->old[i].end);
	/* With one line end for all lines the text may be that of another place. */
	at = str_find(old, edit.old, 0);
	if (at != SIZE_MAX && at != from)
		return err_new(E_NOT_UNIQUE, "the text is at %zu", at);
	return file_edit_text(a, old, &edit, out, &done);
}

static bool is_same_line(struct str x, struct str y)
{
	x.n -= str_ends(x, STR("\r"));
	y.n -= str_ends(y, STR("\r"));
	return str_eq(x, y);
}

/* Of two equal lines of the changed part either may be the one that went. */
static bool is_either(const struct sample *s, struct str line)
{
	size_t n = 0;

	for (size_t i = s->from; i < s->to; i++)
		n += is_same_line(s->old[i].text, line);
	return n > 1;
}

static bool same_but_cr(const struct sample *s, struct str new, struct str want)
{
	struct str one, other;

	while (str_next_part(&new, '\n', &one)) {
		if (!str_next_part(&want, '\n', &other))
			return false;
		if (!str_eq(one, other) &&
		    (!is_same_line(one, other) ||
		     (!is_either(s, one) && str_find(one, STR("new \u201cone"), 0) == SIZE_MAX)))
			return false;
	}
	return !want.n;
}

static bool sample_holds(enum form form, bool *applied)
{
	struct err *(*const forms[])(const struct sample *, struct str,
				     struct str *) = {form_unified, form_begin, form_edit};
	enum kind kind = (enum kind)below(KINDS);
	struct str old, new = {"", 0}, want;
	struct sample s;
	struct err *e;

	sample_file(&s, kind);
	sample_change(&s);
	if (form == FORM_EDIT)
		sample_trim(&s);
	sample_loosen(&s);
	/* Exact bytes: the byte order mark would go with its line. */
	if (form == FORM_UNIFIED && s.pass == MATCH_EXACT && s.bom && !s.from)
		s.pass = MATCH_ENDS;
	old = sample_old(&s);
	want = sample_new(&s);
	e = forms[form](&s, old, &new);
	*applied = !e;
	if (e)
		return true;
	if (str_eq(new, want))
		return true;
	/* In a file with both line ends an edit does not say which of its lines replaces
	 * which. */
	if (form == FORM_EDIT && kind == KIND_MIXED && same_but_cr(&s, new, want))
		return true;
	fprintf(stderr, "# form %d pass %d lines %zu to %zu of %zu\n", (int)form, (int)s.pass,
		s.from, s.to, s.n);
	fprintf(stderr, "# old:\n%.*s\n# got:\n%.*s\n# want:\n%.*s\n", STR_ARG(old), STR_ARG(new),
		STR_ARG(want));
	return false;
}

int main(void)
{
	static const char *const names[] = {"unified diff", "Begin Patch", "edit"};
	struct arena *outer = arena_new();

	for (int form = 0; form < FORMS; form++) {
		size_t wrong = 0, applied = 0;

		for (size_t i = 0; i < ROUNDS && wrong < 2; i++) {
			struct arena *inner ARENA_LOCAL = arena_new();
			bool done;

			a = inner;
			wrong += !sample_holds((enum form)form, &done);
			applied += done;
		}
		a = outer;
		is_int(wrong, 0, names[form]);
		ok(applied >= ROUNDS * 3 / 5, "%s: %zu of %d applied", names[form], applied,
		   ROUNDS);
	}
	arena_free(outer);
	return tap_done();
}
