#include "judge/internal.h"

/*
 * Reads the two attributes of .gitattributes that exempt generated and vendored code. The patterns
 * follow gitattributes(5): a pattern that matches a folder does not match the files in it. The
 * globs of re.h do match them, and would exempt too much. Macros ([attr]) are not followed, so
 * files that they exempt are judged.
 */
#define ATTRS_FILE_MAX ((size_t)4 << 20)

static const char *const names[] = {"linguist-generated", "linguist-vendored"};

struct line {
	struct str pattern;
	bool whole; /* match the path from the folder; otherwise the last part only */
	/* By name: 0 not mentioned, 1 set, -1 any other value, which ends the search. */
	signed char value[ARRAY_SIZE(names)];
};

struct dir {
	struct dir *next, *parent;
	struct str path; /* no slash at the end; the top folder is empty */
	struct VEC(struct line) lines;
	struct str told[ARRAY_SIZE(names)]; /* "linguist-generated in .gitattributes" */
};

#define BUCKETS 1024

struct attrs {
	struct arena *a;
	struct tree *tree;
	struct dir *buckets[BUCKETS];
	struct dir *last; /* files come in order, so most share the folder of the previous file */
};

void attrs_switch_tree(struct attrs *attrs, struct tree *t)
{
	attrs->tree = t;
}

struct attrs *attrs_new(struct arena *a, struct tree *t)
{
	struct attrs *attrs = ARENA_NEW(a, struct attrs);

	attrs->a = a;
	attrs->tree = t;
	return attrs;
}

static struct str attrs_unquote(struct arena *a, struct str *rest)
{
	struct buf b = buf_in(a);
	size_t i = 1;

	for (; i < rest->n && rest->p[i] != '"'; i++) {
		char c = rest->p[i];

		if (c == '\\' && i + 1 < rest->n) {
			unsigned code = 0, digits = 0;

			c = rest->p[++i];
			while (digits < 3 && i < rest->n && rest->p[i] >= '0' &&
			       rest->p[i] <= '7') {
				code = code * 8 + (unsigned)(rest->p[i++] - '0');
				digits++;
			}
			if (digits) {
				c = (char)code;
				i--;
			} else {
				c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
			}
		}
		buf_putc(&b, c);
	}
	*rest = str_sub(*rest, i + 1, rest->n);
	return buf_as_str(&b);
}

static struct str attrs_word(struct str *rest)
{
	size_t from = 0, to;
	struct str w;

	while (from < rest->n && memchr(" \t\r", rest->p[from], 3))
		from++;
	for (to = from; to < rest->n && !memchr(" \t\r", rest->p[to], 3);)
		to++;
	w = str_sub(*rest, from, to);
	*rest = str_sub(*rest, to, rest->n);
	return w;
}

static void attrs_read_line(struct attrs *t, struct dir *d, struct str text)
{
	struct line l = {0};
	bool any = false;
	struct str w;

	text = str_trim(text);
	if (!text.n || text.p[0] == '#' || str_starts(text, STR("[attr]")))
		return;
	l.pattern = text.p[0] == '"' ? attrs_unquote(t->a, &text) : attrs_word(&text);
	if (str_starts(l.pattern, STR("!"))) /* git refuses negative patterns here */
		return;
	while ((w = attrs_word(&text)).n) {
		bool minus = w.p[0] == '-' || w.p[0] == '!';
		struct str name = str_sub(w, minus, w.n);
		struct str rest = name, value;

		str_next_part(&rest, '=', &name);
		value = name.n < w.n - minus ? rest : STR("true");
		for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
			if (!str_is(name, names[i]))
				continue;
			l.value[i] = !minus && str_is(value, "true") ? 1 : -1;
			any = true;
		}
	}
	if (!any)
		return;
	l.whole = str_find_char(l.pattern, '/', 0) != SIZE_MAX;
	if (str_starts(l.pattern, STR("/")))
		l.pattern = str_sub(l.pattern, 1, l.pattern.n);
	*VEC_PUSH(t->a, &d->lines) = l;
}

static struct err *read_dir(struct attrs *t, struct dir *d)
{
	struct str path =
		str_fmt(t->a, "%.*s%s.gitattributes", STR_ARG(d->path), d->path.n ? "/" : "");
	struct str text, line;
	struct tree_file f;
	struct err *e;
	bool found;

	TRY(tree_find(t->tree, path, &f, &found));
	/* Git does not follow a link here either. */
	if (!found || !tree_file_is_regular(&f))
		return NULL;
	e = tree_read(t->tree, t->a, &f, ATTRS_FILE_MAX, &text);
	if (e && err_reason(e) == E_TOO_BIG) /* too big: exempts nothing, so everything is judged */
		return NULL;
	TRY(e);
	while (str_next_line(&text, &line))
		attrs_read_line(t, d, line);
	return NULL;
}

static struct err *find_dir(struct attrs *t, struct str path, struct dir **out)
{
	struct dir **to = out, **bucket, *d;

	if (t->last && str_eq(t->last->path, path))
		return *out = t->last, NULL;
	/* Upwards to the first known folder, so that a deep path costs only once. */
	for (;; path = str_dir(path), to = &d->parent) {
		bucket = &t->buckets[str_hash(path) % BUCKETS];
		for (d = *bucket; d && !str_eq(d->path, path);)
			d = d->next;
		if (d)
			break;
		d = ARENA_NEW(t->a, struct dir);
		d->path = str_dup(t->a, path);
		TRY(read_dir(t, d));
		d->next = *bucket;
		*bucket = *to = d;
		if (!path.n)
			break;
	}
	*to = d;
	t->last = *out;
	return NULL;
}

static int value_of(const struct dir *d, struct str path, size_t name)
{
	struct str rest = str_sub(path, d->path.n ? d->path.n + 1 : 0, path.n);
	struct str base = str_base(rest);

	/* The last line that mentions it wins. */
	for (size_t i = d->lines.n; i-- > 0;) {
		const struct line *l = &d->lines.p[i];

		if (l->value[name] &&
		    tree_ignore_pattern_matches_path(l->pattern, l->whole ? rest : base))
			return l->value[name];
	}
	return 0;
}

struct err *attrs_exempt(struct attrs *t, struct str path, struct str *out)
{
	struct dir *dir;

	*out = STR("");
	TRY(find_dir(t, str_dir(path), &dir));
	for (size_t n = 0; n < ARRAY_SIZE(names); n++) {
		/* The nearest folder that mentions it wins. */
		for (struct dir *d = dir; d; d = d->parent) {
			int v = value_of(d, path, n);

			if (v > 0 && !d->told[n].n)
				d->told[n] = str_fmt(t->a, "%s in %.*s%s.gitattributes", names[n],
						     STR_ARG(d->path), d->path.n ? "/" : "");
			if (v > 0) {
				*out = d->told[n];
				return NULL;
			}
			if (v)
				break;
		}
	}
	return NULL;
}
