/* Finds the markers of a prompt, looks up their names, and replaces them. */
#include "expand/expand.h"
#include "expand/code_spans.h"
#include <unistd.h>

/* ---- where a marker begins, and where its name ends ---- */

/* Whether the colon ends a word of letters such as "see:". In an address or a URL it does not. */
static bool ends_label(struct str text, size_t colon)
{
	size_t from = colon;

	while (from && ascii_is_letter(text.p[from - 1]))
		from--;
	return from < colon && (!from || ascii_is_any_space(text.p[from - 1]) ||
				prose_is_one_of(text.p[from - 1], "([{\"'*"));
}

/*
 * Whether a word can begin at `at`, by the character before it. It can after a character of a
 * script without blanks.
 */
static bool begins_word(struct str text, size_t at)
{
	uint32_t code;
	size_t from = at;

	if (!at)
		return true;
	if (!(text.p[at - 1] & 0x80))
		return ascii_is_any_space(text.p[at - 1]) ||
		       prose_is_one_of(text.p[at - 1], "([{<>\"',;|=*~") ||
		       (text.p[at - 1] == ':' && ends_label(text, at - 1));
	while (from && at - from < 4 && (text.p[from - 1] & 0xc0) == 0x80)
		from--;
	from -= from > 0;
	return str_utf8_char(text.p + from, at - from, &code) == at - from &&
	       (prose_is_punctuation(code) || prose_is_unspaced_script(code));
}

/* The length of the character at `at` if a name without quotes may have it, else 0. */
static size_t name_char(struct str s, size_t at)
{
	unsigned char c = (unsigned char)s.p[at];
	uint32_t code;
	size_t n;

	if (c < 0x80)
		return c > ' ' && c != 0x7f && !prose_is_one_of((char)c, "\"'`,;<>|");
	n = str_utf8_char(s.p + at, s.n - at, &code);
	return n && prose_is_punctuation(code) ? 0 : size_max(n, 1);
}

static size_t name_end(struct str text, size_t at)
{
	for (size_t n; at < text.n && (n = name_char(text, at)); at += n)
		;
	return at;
}

/* The offset of the first letter or digit at or after `at`. */
static size_t next_letter(struct str s, size_t at)
{
	for (; at < s.n; at++) {
		unsigned char c = (unsigned char)s.p[at];

		if (c >= 0x80 || ascii_is_alnum((char)c))
			break;
	}
	return at;
}

/*
 * Reads the name of @"…" without its backslashes. \n is a newline, so that a marker is one line.
 * *end: the offset behind the closing quote.
 */
static bool quoted_name(struct arena *a, struct str text, size_t from, struct str *name,
			size_t *end)
{
	struct buf b = buf_with_max(a, OS_PATH_MAX);

	for (size_t i = from; i < text.n && !b.cut; i++) {
		char c = text.p[i];

		if (c == '"') {
			*name = buf_as_str(&b);
			*end = i + 1;
			return b.n > 0;
		}
		if (c == '\n')
			return false;
		if (c == '\\' && i + 1 < text.n) {
			c = text.p[++i];
			c = c == 'n' ? '\n' : c;
		}
		buf_putc(&b, c);
	}
	return false;
}

struct str expand_marker_for_path(struct arena *a, bool asset, struct str name)
{
	const char *at = asset ? "@@" : "@";
	struct buf b = buf_in(a);

	buf_puts(&b, at);
	if (name.n && name.p[0] != '@' && next_letter(name, 0) < name.n &&
	    name_end(name, 0) == name.n) {
		buf_put(&b, name);
		return buf_as_str(&b);
	}
	buf_putc(&b, '"');
	for (size_t i = 0; i < name.n; i++) {
		if (name.p[i] == '"' || name.p[i] == '\\' || name.p[i] == '\n')
			buf_putc(&b, '\\');
		buf_putc(&b, name.p[i] == '\n' ? 'n' : name.p[i]);
	}
	buf_putc(&b, '"');
	return buf_as_str(&b);
}

/* ---- expanding ---- */

struct expansion {
	struct arena *a, *scratch; /* scratch: freed after each marker */
	struct str text;
	const struct expand_options *o;
	expand_fn *fn;
	void *ctx;
	struct buf out;
	size_t done; /* the prompt up to here is in out */
	/* Results of searches from an earlier place, so that no byte is read twice. */
	size_t end, letter;
	struct expand_references *refs;
};

static struct err *expand_too_big(const struct expansion *x)
{
	return err_help(err_detail_int(err_new(E_TOO_BIG, "the prompt expands to over %zu bytes",
					       x->o->max_total),
				       "limit", (int64_t)x->o->max_total),
			"use fewer references, or raise expand.maxTotal");
}

static struct err *expand_copy_to(struct expansion *x, size_t to)
{
	buf_put(&x->out, str_sub(x->text, x->done, to));
	x->done = to;
	return x->out.cut ? expand_too_big(x) : NULL;
}

/* Finds the end of the bare name from `from`. False: it is only punctuation, or too long. */
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

/* How many marks are removed from a name's end one by one; then all others are removed at once. */
#define MARKS_MAX 8

/*
 * Looks up a bare name: as it stands; then without the last punctuation mark, and so on; then up to
 * the end of a link's text; then up to a script without blanks. *end becomes the end of the name
 * that was found.
 */
static struct err *look_bare(struct expansion *x, bool asset, size_t from, size_t *end,
			     struct expand_target *t)
{
	struct expand_target other;
	size_t bare = *end, n = 0, link;
	uint32_t code;

	/* Such marks belong to the sentence, unless something has a name that ends with them. */
	while (bare > x->letter + 1 && prose_is_one_of(x->text.p[bare - 1], ".:!?)]}*~_"))
		bare--;
	for (;;) {
		TRY(expand_look(x, asset, str_sub(x->text, from, *end), t));
		if (t->found || *end == bare)
			break;
		*end = ++n > MARKS_MAX ? bare : *end - 1;
	}
	/* Tries the name up to the end of a Markdown link's text: [@README.md](url). */
	link = str_find(str_sub(x->text, from, *end), STR("]("), 0);
	if (!t->found && link != SIZE_MAX && link && x->letter < from + link) {
		*end = from + link;
		TRY(expand_look(x, asset, str_sub(x->text, from, *end), t));
	}
	for (size_t i = from; !t->found && i < *end; i += size_max(n, 1)) {
		n = str_utf8_char(x->text.p + i, *end - i, &code);
		if (i == from || !n || !prose_is_unspaced_script(code))
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

const char *expand_missing_reason(enum err_reason why)
{
	switch (why) {
	case E_NOT_TEXT: return "it is no text";
	case E_NOT_A_FILE: return "it is neither a file nor a folder";
	case E_PERMISSION: return "there is no permission to read it";
	case E_OUTSIDE_ROOTS: return "it is not below the repository or a root";
	case E_BAD_PATH: return "it is no name of a file or an asset";
	case E_NO_SUCH_ASSET: return "there is no stored asset of that name";
	default: return "there is nothing of that name";
	}
}

static struct err *expand_missing(const struct expand_reference *r)
{
	struct err *e = err_new(E_MISSING_REFERENCE, "'%.*s' leads nowhere: %s", STR_ARG(r->marker),
				expand_missing_reason(r->why));

	err_add_detail(e, "reference", r->marker);
	if (r->near.n)
		err_help(e, "did you mean '%.*s'?", STR_ARG(r->near));
	return err_help(e, "correct the name, or write \\@ for text that is no marker");
}

/*
 * Expands the marker at `at`, if there is one. *next: where to go on. Contents live in x->scratch.
 */
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
	/*
	 * "@@" begins no ordinary word, so it is always a marker. One "@" and a name that is like
	 * no path is reported only if something has that name.
	 */
	if (!t.found && !asset && str_find_char(name, '/', 0) == SIZE_MAX &&
	    str_find_char(name, '.', 0) == SIZE_MAX && t.why != E_NOT_TEXT &&
	    t.why != E_NOT_A_FILE && t.why != E_PERMISSION)
		return NULL;
	r = (struct expand_reference){
		.marker = str_sub(x->text, at, end),
		.target = str_dup(x->a, t.target.p ? t.target : name),
		.at = {at, end},
		.size = t.content.n,
		.asset = asset,
		.missing = !t.found,
		.why = t.why,
		.near = t.near.n ? expand_marker_for_path(x->a, asset, t.near) : STR(""),
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
		.out = buf_with_max(a, options->max_total),
		.refs = references,
	};
	struct prose_codes code = {0};
	size_t k = 0;

	prose_code_spans(a, text, &code);
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
	*out = buf_as_str(&x.out);
	return NULL;
}

/* ---- looking up a name: a file or folder inside the roots, or a stored asset ---- */

struct listing {
	struct buf out;
	const struct file_ref *folder;
};

static struct err *expand_lookup_list_one(void *ctx, const struct tree_file *file)
{
	struct listing *l = ctx;
	struct arena *a = l->out.arena;

	buf_put(&l->out, str_quoted(a, file_path_shown(a, l->folder, false, file->path)));
	buf_puts(&l->out, file->kind == TREE_FOLDER ? "/\n" : "\n");
	return NULL;
}

/*
 * Whether a file has a NUL near its start, by which Git detects binaries. The file is not read
 * whole.
 */
static bool expand_lookup_is_binary(struct files *f, struct str name)
{
	char start[8000];
	ssize_t n;
	int fd;

	if (str_starts(name, STR(ASSET_SCHEME)) ||
	    os_open_file_in_roots(f->roots, f->cwd, name, &fd))
		return false;
	n = read(fd, start, sizeof(start));
	close(fd);
	return n > 0 && str_has_nul((struct str){start, (size_t)n});
}

static struct err *expand_lookup_look(struct files *f, struct str name, bool folders, size_t max,
				      struct expand_target *out)
{
	const struct file_walk walk = {.folders = true, .depth = 1};
	struct file_stat st;
	struct file_ref r;
	struct listing l = {buf_with_max(f->a, max), &r};
	struct tree *t;
	bool file;

	TRY(file_ref_named(f, name, &r));
	TRY(file_stat(f, &r, &st));
	if (st.kind == OS_NONE || (st.kind == OS_DIR && !folders))
		return err_new(E_FILE_NOT_FOUND, "'%.*s' is not there", STR_ARG(name));
	out->target = name;
	if (st.kind == OS_DIR) {
		/*
		 * Lists a folder, one name a line, as people type it behind the @. Unusual names
		 * are quoted, and ignored files are left out.
		 */
		TRY(file_tree(f, &r, &walk, &t, &file));
		TRY(tree_foreach(t, STR(""), expand_lookup_list_one, &l));
		out->content = buf_as_str(&l.out);
		if (l.out.cut)
			return err_detail_int(err_new(E_TOO_BIG,
						      "the listing of '%.*s' is over the limit "
						      "of %zu bytes",
						      STR_ARG(r.shown), max),
					      "limit", (int64_t)max);
	} else {
		TRY(file_read(f, f->a, &r, max, &out->content));
	}
	if (!str_is_text(out->content))
		return err_new(E_NOT_TEXT, "'%.*s' is no text", STR_ARG(name));
	out->found = true;
	return NULL;
}

static struct err *expand_lookup_look_for(struct files *f, struct str name, bool folders,
					  size_t max, struct expand_target *out)
{
	struct err *e = expand_lookup_look(f, name, folders, max, out);

	if (!e)
		return NULL;
	out->why = err_reason(e);
	if (out->why == E_TOO_BIG && expand_lookup_is_binary(f, name))
		out->why = E_NOT_TEXT;
	if (out->why == E_TOO_BIG)
		return err_help(e, "refer to a smaller file, raise expand.maxBytes, or write \\@");
	/* These reasons leave the marker as it was typed: a prompt may quote any text. */
	return out->why == E_FILE_NOT_FOUND || out->why == E_NO_SUCH_ASSET ||
			       out->why == E_NOT_A_FILE || out->why == E_OUTSIDE_ROOTS ||
			       out->why == E_BAD_PATH || out->why == E_TOO_LONG ||
			       out->why == E_PERMISSION || out->why == E_NOT_TEXT
		       ? NULL
		       : e;
}

struct lookup {
	struct files *f;
	const struct strs *also;
};

static struct err *expand_lookup_find(void *ctx, struct arena *a, bool asset, struct str name,
				      size_t max, struct expand_target *out)
{
	const struct lookup *l = ctx;
	struct files f = *l->f;

	f.a = a;
	if (asset) {
		struct strs names = {0};

		/* Tries the paths of asset_candidates(), then the folder of this name. */
		if (str_starts(name, STR(ASSET_SCHEME)))
			name = str_sub(name, sizeof(ASSET_SCHEME) - 1, name.n);
		while (name.n && name.p[0] == '/')
			name = str_sub(name, 1, name.n);
		while (name.n && name.p[name.n - 1] == '/')
			name.n--;
		asset_candidates(f.a, name, &names);
		for (size_t i = 0; i < names.n && !out->found; i++)
			TRY(expand_lookup_look_for(
				&f, str_fmt(f.a, ASSET_SCHEME "/%.*s", STR_ARG(names.p[i])), false,
				max, out));
		if (!out->found)
			TRY(expand_lookup_look_for(
				&f, str_fmt(f.a, ASSET_SCHEME "/%.*s", STR_ARG(name)), true, max,
				out));
		if (!out->found && out->why == E_FILE_NOT_FOUND)
			out->why = E_NO_SUCH_ASSET;
		if (!out->found && out->why == E_NO_SUCH_ASSET)
			TRY(asset_nearest(f.assets, f.a, name, &out->near));
		return NULL;
	}
	TRY(expand_lookup_look_for(&f, name, true, max, out));
	if (str_starts(name, STR("/")) || !l->also)
		return NULL;
	/* Else the first other folder that has it. */
	for (size_t i = 0; i < l->also->n && !out->found && out->why == E_FILE_NOT_FOUND; i++)
		TRY(expand_lookup_look_for(
			&f, str_of(os_join(a, str_c(a, l->also->p[i]), str_c(a, name))), true, max,
			out));
	return NULL;
}

struct err *expand_text(struct files *f, struct str text, const struct expand_options *options,
			struct str *out, struct expand_references *references)
{
	struct lookup l = {f, options->also};

	return expand_markers(f->a, text, options, expand_lookup_find, &l, out, references);
}
