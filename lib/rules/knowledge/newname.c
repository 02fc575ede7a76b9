/* The file name of a new item: the next number in the style of the folder, and the title's words.
 */
#include "knowledge/item_edit.h"
#include "base/sort.h"
#include "knowledge/read.h"
#include "os/os.h"
#include "words/words.h"

/* ---- the title as words of a file name ---- */

#define SLUG_MAX 80

struct slug {
	struct buf *out;
	char sep;
	size_t end; /* of the last run of characters in the title */
};

static void slug_put(struct slug *s, struct str word)
{
	if (s->out->n + (s->out->n > 0) + word.n > SLUG_MAX && s->out->n)
		return;
	if (s->out->n)
		buf_putc(s->out, s->sep);
	buf_put(s->out, str_utf8_head(word, SLUG_MAX));
}

ORDER_OF(slug_by_place, struct word, ORDER_UP(at.from) || ORDER_DOWN(at.to))

/*
 * Letters without case and accents, where a script has them: "Über C++" is uber-c. Scripts without
 * blanks stay as they are.
 */
static struct err *newname_slug(struct arena *a, struct str title, char sep, struct str *out)
{
	struct buf b = buf_in(a);
	struct slug s = {.out = &b, .sep = sep};
	struct word_list list;
	struct words *w;

	TRY(words_new(a, &w));
	words_read(w, a, title, &list);
	VEC_SORT(&list, slug_by_place);
	for (size_t i = 0; i < list.n; i++) {
		const struct word *word = &list.p[i];
		struct span run = word->at;

		if (word->script == WORDS_SYMBOL || word->extra || run.to <= s.end)
			continue;
		if (word->script == WORDS_LETTERS) {
			slug_put(&s, word->text);
		} else {
			/* Pairs of characters overlap: join them to the run that they come from. */
			for (size_t j = i; j < list.n && list.p[j].at.from <= run.to; j++)
				if (list.p[j].script == WORDS_PAIR ||
				    list.p[j].script == WORDS_CHAR)
					run.to = size_max(run.to, list.p[j].at.to);
			slug_put(&s, str_sub(title, run.from, run.to));
		}
		s.end = run.to;
	}
	*out = b.n ? buf_as_str(&b) : STR("");
	return NULL;
}

/* ---- the names that are there ---- */

enum newname_kind { NAME_PLAIN, NAME_NUMBER, NAME_DAY, NAME_DAY_DASHES };

struct newname {
	enum newname_kind kind;
	struct str file, prefix, digits, sep;
	int64_t n;
	size_t alike; /* names in this style */
};
struct newnames VEC(struct newname);

#define DIGITS_MAX 9

static bool newname_is_day(struct arena *a, struct str s)
{
	struct str iso;

	return kn_date(a, s, &iso) && (str_starts(s, STR("19")) || str_starts(s, STR("20")));
}

static size_t newname_digits(struct str s, size_t at)
{
	while (at < s.n && ascii_is_digit(s.p[at]))
		at++;
	return at;
}

/* Reads "ADR-0012-title", "0012_title", "12. title", "20240131-title", "2024-01-31-title". */
static struct newname newname_read(struct arena *a, struct str file, struct str stem)
{
	struct newname out = {.file = file};
	size_t from = 0, to;

	while (from < stem.n && ascii_is_letter(stem.p[from]))
		from++;
	if (from && from < stem.n && strchr("-_ ", stem.p[from]) && stem.p[from])
		from++;
	to = newname_digits(stem, from);
	if (to == from || to - from > DIGITS_MAX)
		return out;
	out.prefix = str_sub(stem, 0, from);
	out.digits = str_sub(stem, from, to);
	if (out.digits.n == 4 && stem.n >= to + 6 &&
	    newname_is_day(a, str_sub(stem, from, to + 6)) && stem.p[to] == '-' &&
	    newname_digits(stem, to + 1) == to + 3) {
		out.kind = NAME_DAY_DASHES;
		to += 6;
	} else {
		out.kind =
			out.digits.n == 8 && newname_is_day(a, out.digits) ? NAME_DAY : NAME_NUMBER;
	}
	from = to;
	while (to < stem.n && strchr("-_. ", stem.p[to]) && stem.p[to])
		to++;
	/* "3scale-gateway" has no number. */
	if (to == from && to < stem.n)
		return (struct newname){.file = file};
	out.sep = str_sub(stem, from, to);
	str_int(out.digits, &out.n);
	return out;
}

/* The names of items in the folder; for items that are folders, of those. */
static struct err *newname_list(struct arena *a, const struct knowledge_folder *f, bool folders,
				struct newnames *out)
{
	struct strs names = {0};
	struct os_stat st;

	TRY(os_stat(f->path, true, &st));
	if (st.kind != OS_DIR)
		return NULL;
	TRY(os_list(a, f->path, &names));
	for (size_t i = 0; i < names.n; i++) {
		struct str file = names.p[i], stem = file;

		if (folders ? str_starts(file, STR(".")) || kn_is_markdown(file, true)
			    : !kn_is_markdown(file, f->source->files != NULL))
			continue;
		if (!folders && kn_file_kind_by_name(a, file, false) != KN_NAME_ITEM)
			continue;
		if (kn_is_markdown(file, true))
			stem = str_sub(file, 0, str_rfind_char(file, '.'));
		*VEC_PUSH(a, out) = newname_read(a, file, stem);
	}
	return NULL;
}

ORDER_OF(newname_by_style, struct newname, ORDER_STR(prefix) || ORDER_UP(kind) || ORDER_STR(sep))

ORDER_OF(newname_by_number, struct newname, ORDER_UP(n))

/* The newest name of the most frequent style. all: at least one. */
static const struct newname *newname_model(struct arena *a, struct newnames *all)
{
	struct newname **sorted =
		sort_into_pointers(a, all->p, all->n, sizeof(*all->p), newname_by_style);
	const struct newname *best = all->p;

	for (size_t i = 0, end; i < all->n; i = end) {
		for (end = i; end < all->n && !newname_by_style(sorted[i], sorted[end]);)
			end++;
		for (size_t k = i; k < end; k++)
			sorted[k]->alike = end - i;
	}
	VEC_EACH(const struct newname, x, all)
		if (x->alike > best->alike || (x->alike == best->alike && x->n >= best->n))
			best = x;
	return best;
}

static int64_t newname_next(struct arena *a, struct newnames *all, const struct newname *model)
{
	struct newname **sorted =
		sort_into_pointers(a, all->p, all->n, sizeof(*all->p), newname_by_number);
	int64_t next = 1;

	for (size_t i = 0; i < all->n; i++)
		if (!newname_by_style(model, sorted[i]))
			next = sorted[i]->n + 1 > next ? sorted[i]->n + 1 : next;
	/* A number of another style may be a decision too. */
	for (size_t i = 0; i < all->n; i++)
		if (sorted[i]->kind == NAME_NUMBER && sorted[i]->n == next)
			next++;
	return next;
}

/* ---- the new name ---- */

/* The file within the folder that the source's "files" reads; with README.md and the like. */
static struct err *newname_form(struct arena *a, const struct knowledge_folder *f, struct str stem,
				struct str *file)
{
	static const char *const ends[] = {".md", "/README.md", "/index.md", NULL};
	const struct glob *files = f->source->files;

	for (size_t i = 0; ends[i]; i++) {
		struct str name = str_fmt(a, "%.*s%s", STR_ARG(stem), ends[i]);
		struct str path =
			f->name.n ? str_fmt(a, "%.*s/%.*s", STR_ARG(f->name), STR_ARG(name)) : name;

		if (!files || glob_match(files, path)) {
			*file = name;
			return NULL;
		}
	}
	return err_help(
		err_for_param(E_BAD_ARGUMENT, STR("source"),
			      "the \"files\" of the source '%.*s' matches no new item in '%s'",
			      STR_ARG(f->source->name), f->path),
		"name a folder that it matches with --source, or correct it: ikm config "
		"get knowledge.sources");
}

static bool newname_exists(struct arena *a, const struct knowledge_folder *f, struct str file)
{
	struct os_stat st;

	return os_stat(os_join(a, f->path, str_c(a, file)), false, &st) || st.kind != OS_NONE;
}

static struct str newname_start(struct arena *a, struct newnames *all, const struct newname *model,
				struct knowledge_new *n)
{
	struct str today = os_day_text(a, os_now());

	switch (model->kind) {
	case NAME_NUMBER:
		n->number = str_fmt(a, "%0*jd", (int)model->digits.n,
				    (intmax_t)newname_next(a, all, model));
		return str_fmt(a, "%.*s%.*s", STR_ARG(model->prefix), STR_ARG(n->number));
	case NAME_DAY:
		return str_fmt(a, "%.*s%.*s%.*s%.*s", STR_ARG(model->prefix),
			       STR_ARG(str_sub(today, 0, 4)), STR_ARG(str_sub(today, 5, 7)),
			       STR_ARG(str_sub(today, 8, 10)));
	case NAME_DAY_DASHES: return str_fmt(a, "%.*s%.*s", STR_ARG(model->prefix), STR_ARG(today));
	case NAME_PLAIN: break;
	}
	return STR("");
}

struct err *knowledge_new_name(struct arena *a, const struct knowledge_folder *f,
			       struct knowledge_new *n)
{
	struct str file, slug, start, stem;
	/* Decisions are numbered as adr-tools and MADR do; the other types are found by their
	 * words. */
	struct newname model = n->type == KN_TYPE_ADR ? (struct newname){.kind = NAME_NUMBER,
									 .digits = STR("0000"),
									 .sep = STR("-")}
						      : (struct newname){.kind = NAME_PLAIN};
	struct newnames all = {0};
	bool folders;
	char sep;

	n->title = str_trim(n->title);
	for (size_t i = 0; i < n->title.n; i++)
		if ((unsigned char)n->title.p[i] < ' ' || n->title.p[i] == 0x7f)
			return err_help(
				err_for_param(E_BAD_ARGUMENT, STR("title"),
					      "a title is one line without control characters"),
				"leave out line breaks and tabs");
	if (!str_is_text(n->title))
		return err_for_param(E_BAD_UTF8, STR("title"), "the title is not UTF-8");
	TRY(newname_form(a, f, STR("0"), &file));
	folders = str_holds(file, "/");
	TRY(newname_list(a, f, folders, &all));
	if (all.n)
		model = *newname_model(a, &all);
	n->model = model.file.n && folders ? str_fmt(a, "%.*s%.*s", STR_ARG(model.file),
						     STR_ARG(str_sub(file, 1, file.n)))
					   : model.file;
	n->number = STR("");
	sep = str_is(model.sep, "_") ? '_' : '-';
	TRY(newname_slug(a, n->title, sep, &slug));
	if (!slug.n)
		return err_help(
			err_for_param(E_BAD_ARGUMENT, STR("title"),
				      "the title '%.*s' has no letter or digit for a file name",
				      STR_ARG(n->title)),
			"give a title with a word");
	start = newname_start(a, &all, &model, n);
	stem = !start.n ? slug
			: str_fmt(a, "%.*s%.*s%.*s", STR_ARG(start),
				  STR_ARG(model.sep.n ? model.sep : STR("-")), STR_ARG(slug));
	TRY(newname_form(a, f, stem, &file));
	/* Without a number, two items may have one title, or one day. */
	for (unsigned i = 2; model.kind != NAME_NUMBER && newname_exists(a, f, file); i++)
		TRY(newname_form(a, f, str_fmt(a, "%.*s%c%u", STR_ARG(stem), sep, i), &file));
	n->file = file;
	return NULL;
}
