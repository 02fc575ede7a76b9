#include "expand/expand.h"
#include "expand/prose.h"

/* ---- where a marker begins, and where its name ends ---- */

static bool expand_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

/* "see:" and its like: a word of letters alone, so no address and no URL. */
static bool ends_label(struct str text, size_t colon)
{
	size_t from = colon;

	while (from && ascii_is_letter(text.p[from - 1]))
		from--;
	return from < colon && (!from || ascii_is_blank(text.p[from - 1]) ||
				expand_one_of(text.p[from - 1], "([{\"'*"));
}

/* The character before a place; the place after a script without blanks is like one after a
 * blank. */
static bool begins_word(struct str text, size_t at)
{
	uint32_t code;
	size_t from = at;

	if (!at)
		return true;
	if (!(text.p[at - 1] & 0x80))
		return ascii_is_blank(text.p[at - 1]) ||
		       expand_one_of(text.p[at - 1], "([{<>\"',;|=*~") ||
		       (text.p[at - 1] == ':' && ends_label(text, at - 1));
	while (from && at - from < 4 && (text.p[from - 1] & 0xc0) == 0x80)
		from--;
	from -= from > 0;
	return str_utf8_char(text.p + from, at - from, &code) == at - from &&
	       (prose_is_mark(code) || prose_is_dense(code));
}

/* Bytes of the character at `at` if a name may go on with it without quotes, else 0. */
static size_t name_char(struct str s, size_t at)
{
	unsigned char c = (unsigned char)s.p[at];
	uint32_t code;
	size_t n;

	if (c < 0x80)
		return c > ' ' && c != 0x7f && !expand_one_of((char)c, "\"'`,;<>|");
	n = str_utf8_char(s.p + at, s.n - at, &code);
	return n && prose_is_mark(code) ? 0 : size_max(n, 1);
}

static size_t name_end(struct str text, size_t at)
{
	for (size_t n; at < text.n && (n = name_char(text, at)); at += n)
		;
	return at;
}

/* Punctuation at a name's end is that of the sentence, unless there is something of that name. */
static bool is_trailing(char c)
{
	return expand_one_of(c, ".:!?)]}*~_");
}

/* The first byte of a letter or digit at or after `at`. */
static size_t next_letter(struct str s, size_t at)
{
	for (; at < s.n; at++) {
		unsigned char c = (unsigned char)s.p[at];

		if (c >= 0x80 || ascii_is_alnum((char)c))
			break;
	}
	return at;
}

/* @"…": the name without its backslashes, and the place behind the quote. */
static bool quoted_name(struct arena *a, struct str text, size_t from, struct str *name,
			size_t *end)
{
	struct buf b = buf_max(a, OS_PATH_MAX);

	for (size_t i = from; i < text.n && !b.cut; i++) {
		if (text.p[i] == '"') {
			*name = buf_str(&b);
			*end = i + 1;
			return b.n > 0;
		}
		if (text.p[i] == '\n')
			return false;
		if (text.p[i] == '\\' && i + 1 < text.n)
			i++;
		buf_putc(&b, text.p[i]);
	}
	return false;
}

struct str expand_marker(struct arena *a, bool asset, struct str name)
{
	const char *at = asset ? "@@" : "@";
	struct buf b = buf_in(a);

	buf_puts(&b, at);
	if (name.n && name.p[0] != '@' && next_letter(name, 0) < name.n &&
	    name_end(name, 0) == name.n) {
		buf_put(&b, name);
		return buf_str(&b);
	}
	buf_putc(&b, '"');
	for (size_t i = 0; i < name.n; i++) {
		if (name.p[i] == '"' || name.p[i] == '\\' || name.p[i] == '\n')
			buf_putc(&b, '\\');
		buf_putc(&b, name.p[i]);
	}
	buf_putc(&b, '"');
	return buf_str(&b);
}

/* ---- expanding ---- */

struct expansion {
	struct arena *a, *scratch; /* scratch: of one marker */
	struct str text;
	const struct expand_options *o;
	expand_fn *fn;
	void *ctx;
	struct buf out;
	size_t done; /* the prompt up to here is in out */
	/* What was looked for from an earlier place, so that no byte is looked at twice. */
	size_t end, letter;
	struct expand_references *refs;
};

static struct err *expand_too_big(const struct expansion *x)
{
	return err_help(err_detail_int(err_new(E_TOO_BIG, "the prompt expands to over %zu bytes",
					       x->o->max_total),
				       "limit", (int64_t)x->o->max_total),
			"refer to less, or raise expand.maxTotal");
}

static struct err *expand_copy_to(struct expansion *x, size_t to)
{
	buf_put(&x->out, str_sub(x->text, x->done, to));
	x->done = to;
	return x->out.cut ? expand_too_big(x) : NULL;
}

/* Where the bare name from `from` ends; false when there is none: punctuation, or too long. */
static bool bare_name(struct expansion *x, size_t from, size_t *end)
{
	if (x->end < from)
		x->end = name_end(x->text, from);
	if (x->letter < from)
		x->letter = next_letter(x->text, from);
	*end = x->end;
	return x->letter < x->end && x->end - from <= OS_PATH_MAX;
}

static struct err *expand_look(struct expansion *x, bool asset, struct str name,
			       struct expand_target *t)
{
	*t = (struct expand_target){0};
	return x->fn(x->ctx, x->scratch, asset, name, x->o->max_bytes, t);
}

/* So many marks at the end of a name may be its own; with more it is looked for without any. */
#define MARKS_MAX 8

/* A name that is a Markdown link's text ends with it: [@README.md](url). */
static struct err *look_link(struct expansion *x, bool asset, size_t from, size_t *end,
			     struct expand_target *t)
{
	struct str name = str_sub(x->text, from, *end);
	size_t n = str_find(name, STR("]("), 0);

	if (t->found || n == SIZE_MAX || !n || x->letter >= from + n)
		return NULL;
	*end = from + n;
	return expand_look(x, asset, str_sub(name, 0, n), t);
}

/*
 * Looks for a bare name as it stands, then without the last punctuation mark, and so on; then up to
 * the end of a link's text; at last up to where a script without blanks begins. *end is moved to
 * the end of what was taken.
 */
static struct err *look_bare(struct expansion *x, bool asset, size_t from, size_t *end,
			     struct expand_target *t)
{
	struct expand_target other;
	size_t bare = *end, n = 0;
	uint32_t code;

	while (bare > x->letter + 1 && is_trailing(x->text.p[bare - 1]))
		bare--;
	for (;;) {
		TRY(expand_look(x, asset, str_sub(x->text, from, *end), t));
		if (t->found || *end == bare)
			break;
		*end = ++n > MARKS_MAX ? bare : *end - 1;
	}
	TRY(look_link(x, asset, from, end, t));
	for (size_t i = from; !t->found && i < *end; i += size_max(n, 1)) {
		n = str_utf8_char(x->text.p + i, *end - i, &code);
		if (i == from || !n || !prose_is_dense(code))
			continue;
		TRY(expand_look(x, asset, str_sub(x->text, from, i), &other));
		if (other.found) {
			*t = other;
			*end = i;
		}
		break;
	}
	return NULL;
}

static bool looks_like_path(struct str name)
{
	return str_find_char(name, '/', 0) != SIZE_MAX || str_find_char(name, '.', 0) != SIZE_MAX;
}

/* Not to be overlooked although the name alone would be no path. */
static bool is_there(enum err_reason why)
{
	return why == E_NOT_TEXT || why == E_NOT_A_FILE || why == E_PERMISSION;
}

const char *expand_why(enum err_reason why)
{
	switch (why) {
	case E_NOT_TEXT: return "it is no text";
	case E_NOT_A_FILE: return "it is neither a file nor a folder";
	case E_PERMISSION: return "it may not be read";
	case E_OUTSIDE_ROOTS: return "it is not below the repository or a root";
	case E_BAD_PATH: return "it is no name of a file or an asset";
	case E_NO_SUCH_ASSET: return "there is no stored asset of that name";
	default: return "there is nothing of that name";
	}
}

static struct err *expand_missing(const struct expand_reference *r)
{
	struct err *e = err_new(E_MISSING_REFERENCE, "'%.*s' leads nowhere: %s", STR_ARG(r->marker),
				expand_why(r->why));

	err_detail(e, "reference", r->marker);
	if (r->near.n)
		err_help(e, "did you mean '%.*s'?", STR_ARG(r->near));
	return err_help(e, "correct the name, or write \\@ where nothing is meant");
}

/* Expands the marker at `at`, if there is one. *next is where to go on. Looked up texts live in
 * x->scratch. */
static struct err *marker_at(struct expansion *x, size_t at, size_t *next)
{
	bool asset = at + 1 < x->text.n && x->text.p[at + 1] == '@';
	size_t from = at + 1 + asset, end;
	struct expand_target t = {0};
	struct expand_reference r;
	struct str name;

	*next = from;
	if (from >= x->text.n)
		return NULL;
	if (x->text.p[from] == '@') {
		while (*next < x->text.n && x->text.p[*next] == '@')
			++*next;
		return NULL;
	}
	if (x->text.p[from] == '"') {
		if (!quoted_name(x->scratch, x->text, from + 1, &name, &end))
			return NULL;
		TRY(expand_look(x, asset, name, &t));
	} else {
		if (!bare_name(x, from, &end))
			return NULL;
		TRY(look_bare(x, asset, from, &end, &t));
		name = str_sub(x->text, from, end);
	}
	/* "@@" begins no ordinary word: what it names is always meant. */
	if (!t.found && !asset && !looks_like_path(name) && !is_there(t.why))
		return NULL;
	r = (struct expand_reference){
		.marker = str_sub(x->text, at, end),
		.target = str_dup(x->a, t.target.p ? t.target : name),
		.at = {at, end},
		.size = t.content.n,
		.asset = asset,
		.missing = !t.found,
		.why = t.why,
		.near = t.near.n ? expand_marker(x->a, asset, t.near) : STR(""),
	};
	*VEC_PUSH(x->a, x->refs) = r;
	if (!t.found)
		return x->o->strict ? expand_missing(&r) : NULL;
	TRY(expand_copy_to(x, at));
	buf_put(&x->out, t.content);
	x->done = *next = end;
	return x->out.cut ? expand_too_big(x) : NULL;
}

struct err *expand_markers(struct arena *a, struct str text, const struct expand_options *options,
			   expand_fn *fn, void *ctx, struct str *out,
			   struct expand_references *references)
{
	struct expansion x = {
		.a = a,
		.text = text,
		.o = options,
		.fn = fn,
		.ctx = ctx,
		.out = buf_max(a, options->max_total),
		.refs = references,
	};
	struct prose_codes code = {0};
	size_t k = 0;

	prose_codes(a, text, &code);
	for (size_t at = 0, next; (at = str_find_char(text, '@', at)) != SIZE_MAX; at = next) {
		next = at + 1;
		while (k < code.n && code.p[k].at.to <= at)
			k++;
		if (k < code.n && code.p[k].at.from <= at) {
			next = code.p[k].at.to;
			continue;
		}
		if (at && text.p[at - 1] == '\\' && begins_word(text, at - 1)) {
			TRY(expand_copy_to(&x, at - 1));
			x.done = at;
		} else if (begins_word(text, at)) {
			struct err *e;

			x.scratch = arena_new();
			e = marker_at(&x, at, &next);
			arena_free(x.scratch);
			TRY(e);
		}
	}
	TRY(expand_copy_to(&x, text.n));
	*out = buf_str(&x.out);
	return NULL;
}
