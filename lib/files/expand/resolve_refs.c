/* Resolves links and paths from the text that has them, and checks their fragments. */
#include "expand/resolve_refs.h"
#include "file/types.h"
#include "md/md.h"

const char *const refs_kinds[] = {REFS_KINDS(ENUM_NAME) NULL};

/* The largest text that is read, in bytes. */
#define TEXT_MAX ((size_t)16 << 20)

/* A document that a link with a fragment names. */
struct refs_doc {
	struct str path;
	bool known;          /* false: it could not be read as Markdown, so it is not checked */
	struct strs anchors; /* sorted */
};

/* A text whose references are read; its memory is in f.a. */
struct source {
	struct refs *r;
	struct files f;
	struct str path; /* absolute, or ikigai:///… */
	struct str text;
	struct refs_links links;
};

static bool is_asset(struct str path)
{
	return str_starts(path, STR(ASSET_SCHEME));
}

/* ---- paths ---- */

/*
 * Joins dir, which is absolute and ends with a slash ("/a/", "ikigai:///a/"), and a relative path.
 * The result has no "." and "..".
 */
static struct str refs_join(struct arena *a, struct str dir, struct str path)
{
	struct str root = is_asset(dir) ? STR(ASSET_SCHEME "/") : STR("/"), part, rest;
	struct strs parts = {0};

	rest = str_fmt(a, "%.*s/%.*s", STR_ARG(str_sub(dir, root.n, dir.n)), STR_ARG(path));
	while (str_next_part(&rest, '/', &part)) {
		if (str_is(part, ".."))
			parts.n -= parts.n > 0;
		else if (part.n && !str_is(part, "."))
			strs_push(a, &parts, part);
	}
	part = str_join(a, &parts, "/");
	return str_fmt(a, "%.*s%.*s", STR_ARG(root), STR_ARG(part));
}

static struct str refs_absolute(const struct refs *r, struct arena *a, struct str path)
{
	if (is_asset(path))
		return refs_join(a, STR(ASSET_SCHEME "/"),
				 str_sub(path, sizeof(ASSET_SCHEME) - 1, path.n));
	return refs_join(a, str_starts(path, STR("/")) ? STR("/") : str_fmt(a, "%s/", r->f->cwd),
			 path);
}

static struct str refs_folder_of(struct str path)
{
	return str_sub(path, 0, str_rfind_char(path, '/') + 1);
}

/* The folder that paths in texts are relative to: "/a/b/". */
static struct str top_of(const struct refs *r, struct arena *a)
{
	return str_fmt(a, "%s/", r->top ? r->top : r->f->cwd);
}

/* The path relative to the current folder. Outside the repository it stays absolute. */
static struct str refs_shown(const struct refs *r, struct arena *a, struct str path)
{
	struct str here = str_fmt(a, "%s/", r->f->cwd), top = top_of(r, a);
	struct str whole = str_fmt(a, "%.*s/", STR_ARG(path)); /* so that folders compare alike */
	struct buf b = buf_in(a);

	if (is_asset(path) || !str_starts(whole, top) || !str_starts(here, top))
		return path;
	while (!str_starts(whole, here)) {
		buf_puts(&b, "../");
		here = refs_folder_of(str_sub(here, 0, here.n - 1));
	}
	buf_put(&b, str_sub(whole, here.n, whole.n));
	return b.n ? str_sub(buf_as_str(&b), 0, b.n - 1) : STR(".");
}

/* *why: NULL if the path exists, else the reason. */
static struct err *refs_look(struct source *s, struct str path, enum os_kind *kind,
			     const char **why)
{
	struct file_stat st = {OS_NONE, 0};
	struct file_ref ref;
	struct err *e = file_ref_resolve(&s->f, path, &ref);

	if (!e)
		e = file_stat(&s->f, &ref, &st);
	*kind = st.kind;
	*why = e || st.kind == OS_NONE ? "there is nothing of that name" : NULL;
	if (!e)
		return NULL;
	switch (err_reason(e)) {
	case E_OUTSIDE_ROOTS: *why = "it is not below the repository or a root"; return NULL;
	case E_PERMISSION: *why = "there is no permission to read it"; return NULL;
	case E_FILE_NOT_FOUND:
	case E_NOT_A_FILE:
	case E_BAD_PATH:
	case E_TOO_LONG: return NULL;
	default: return e;
	}
}

/* ---- fragments ---- */

/* The slot of the document with that path, or the free slot for it. */
static struct refs_doc **doc_slot(struct refs *r, struct str path)
{
	size_t mask = r->docs.slots - 1, i = (size_t)str_hash(path) & mask;

	while (r->docs.slot[i] && !str_eq(r->docs.slot[i]->path, path))
		i = (i + 1) & mask;
	return &r->docs.slot[i];
}

static void refs_make_room(struct refs *r)
{
	struct refs_doc **old = r->docs.slot;
	size_t n = r->docs.slots;

	if (2 * r->docs.n < n)
		return;
	r->docs.slots = n ? 2 * n : 64;
	r->docs.slot = arena_array(r->f->a, r->docs.slots, sizeof(struct refs_doc *));
	for (size_t i = 0; i < n; i++)
		if (old[i])
			*doc_slot(r, old[i]->path) = old[i];
}

static struct err *doc_of(struct source *s, struct str path, struct refs_doc **out)
{
	struct arena *a = s->r->f->a;
	struct md_sections sections = {0};
	struct str text = s->text;
	struct refs_doc **slot, *doc;
	struct file_ref ref;

	refs_make_room(s->r);
	slot = doc_slot(s->r, path);
	*out = *slot;
	if (*slot)
		return NULL;
	*out = *slot = doc = ARENA_NEW(a, struct refs_doc);
	s->r->docs.n++;
	doc->path = str_dup(a, path);
	if (!str_eq(path, s->path)) {
		TRY(file_ref_resolve(&s->f, path, &ref));
		if (file_read(&s->f, s->f.a, &ref, TEXT_MAX, &text))
			return NULL;
	}
	if (md_sections(s->f.a, text, &sections))
		return NULL;
	doc->known = true;
	/* Adds the values of id="…" and name="…" in HTML. */
	for (size_t i = 0; (i = str_find_char(text, '=', i)) != SIZE_MAX; i++) {
		struct str before = str_sub(text, 0, i), rest = str_sub(text, i + 1, i + 1000);
		size_t end;

		if (rest.n < 2 || (rest.p[0] != '"' && rest.p[0] != '\'') ||
		    (!str_ends(before, STR(" id")) && !str_ends(before, STR(" name"))))
			continue;
		end = str_find_char(rest, rest.p[0], 1);
		if (end != SIZE_MAX)
			strs_push(a, &doc->anchors, str_dup(a, str_sub(rest, 1, end)));
	}
	for (size_t i = 0; i < sections.n; i++) {
		strs_push(a, &doc->anchors, str_dup(a, sections.p[i].slug));
		strs_push(a, &doc->anchors, str_dup(a, sections.p[i].anchor));
	}
	strs_sort(&doc->anchors);
	return NULL;
}

/* ---- references ---- */

/*
 * Resolves a path in a text from the top, then from the text's folder. *path empty: no reference.
 */
static struct err *refs_find_path(struct source *s, const struct refs_link *l, struct str *path,
				  enum os_kind *kind, const char **why)
{
	struct arena *a = s->f.a;
	bool here_only = str_starts(l->dest, STR("./")) || str_starts(l->dest, STR("../"));
	struct str bases[2] = {top_of(s->r, a), refs_folder_of(s->path)};
	struct str first = str_sub(l->dest, 0, str_find_char(l->dest, '/', 0));
	bool near = false;

	for (size_t i = here_only; i < 2; i++) {
		if (i && is_asset(s->path))
			break;
		*path = refs_join(a, bases[i], l->dest);
		TRY(refs_look(s, *path, kind, why));
		if (!*why)
			return NULL;
		if (!near && l->file && !here_only) {
			TRY(refs_look(s, refs_join(a, bases[i], first), kind, why));
			near = *kind == OS_DIR;
		}
	}
	*path = near ? refs_join(a, bases[0], l->dest) : (struct str){"", 0};
	*why = "there is nothing of that name";
	return NULL;
}

/* *path: the target of a link, absolute; empty: it is no reference. */
static struct err *lead(struct source *s, const struct refs_link *l, struct str *path,
			enum os_kind *kind, const char **why)
{
	struct arena *a = s->f.a;

	*why = NULL;
	*kind = OS_NONE;
	*path = l->dest;
	if (l->kind == REFS_EXTERNAL)
		return NULL;
	if (l->kind == REFS_PATH)
		return refs_find_path(s, l, path, kind, why);
	if (l->kind == REFS_ASSET)
		*path = refs_absolute(s->r, a, l->dest);
	else if (!l->dest.n)
		*path = s->path;
	else if (!str_starts(l->dest, STR("/")))
		*path = refs_join(a, refs_folder_of(s->path), l->dest);
	else /* The top is the repository's, as on GitHub. */
		*path = refs_join(a, is_asset(s->path) ? STR(ASSET_SCHEME "/") : top_of(s->r, a),
				  l->dest);
	return refs_look(s, *path, kind, why);
}

static struct err *open_source(struct refs *r, struct arena *a, struct str path, struct source *s)
{
	struct file_ref ref;

	*s = (struct source){.r = r, .f = *r->f};
	s->f.a = a;
	s->path = refs_absolute(r, a, path);
	TRY(file_ref_resolve(&s->f, path, &ref));
	TRY(file_read(&s->f, a, &ref, TEXT_MAX, &s->text));
	if (!str_is_text(s->text))
		return err_new(E_NOT_TEXT, "'%.*s' is no text", STR_ARG(path));
	return NULL;
}

/*
 * Lists the references of the text, and checks their fragments. to: lists only references to this
 * path, without that check.
 */
static struct err *references_of(struct source *s, const struct str *to, struct refs_list *out)
{
	struct arena *a = s->r->f->a;
	struct str from = str_dup(a, refs_shown(s->r, s->f.a, s->path));
	struct places places = {.text = s->text};

	refs_find_in_text(s->f.a, s->text, is_asset(s->path) || file_is_markdown(s->path),
			  &s->links);
	VEC_EACH(const struct refs_link, l, &s->links) {
		struct refs_reference ref = {.kind = l->kind, .from = from};
		struct refs_doc *doc;
		enum os_kind kind;
		struct str path, fragment;

		if (l->kind == REFS_EXTERNAL && (to || !s->r->external))
			continue;
		TRY(lead(s, l, &path, &kind, &ref.why));
		if (!path.n || (to && !str_eq(path, *to)))
			continue;
		ref.at = str_place_of_next_offset(&places, l->at.from);
		ref.broken = ref.why != NULL;
		ref.fragment = l->fragment.p ? str_dup(a, l->fragment) : l->fragment;
		ref.target = str_dup(a, l->kind == REFS_EXTERNAL ? path
								 : refs_shown(s->r, s->f.a, path));
		fragment = ref.fragment;
		/* On GitHub "#L10" is a line of any file, and "#top" the top of any page. */
		if (kind == OS_FILE && !to && fragment.n && !str_is(fragment, "top") &&
		    !(fragment.n > 1 && fragment.p[0] == 'L' && ascii_is_digit(fragment.p[1])) &&
		    file_is_markdown(path)) {
			TRY(doc_of(s, path, &doc));
			if (doc->known && !strs_sorted_has(&doc->anchors, fragment)) {
				ref.broken = true;
				ref.why = "it has no such heading or anchor";
			}
		}
		*VEC_PUSH(a, out) = ref;
	}
	return NULL;
}

struct err *refs_of(struct refs *r, struct str path, struct refs_list *out)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct source s;

	TRY(open_source(r, a, path, &s));
	return references_of(&s, NULL, out);
}

/* The last part of the path, if nobody can write it in another way; else empty. */
static struct str refs_plain_name(struct str path)
{
	struct str name = str_base(path);

	for (size_t i = 0; i < name.n; i++) {
		char c = (char)(name.p[i] | 0x20);

		if (!ascii_is_lower(c) && !ascii_is_digit(name.p[i]) && name.p[i] != '.' &&
		    name.p[i] != '-')
			return (struct str){"", 0};
	}
	return name;
}

bool refs_error_means_not_text(const struct err *e)
{
	switch (err_reason(e)) {
	case E_FILE_NOT_FOUND:
	case E_NO_SUCH_ASSET:
	case E_NOT_A_FILE:
	case E_NOT_TEXT:
	case E_OUTSIDE_ROOTS:
	case E_PERMISSION:
	case E_BAD_PATH:
	case E_TOO_BIG: return true;
	default: return false;
	}
}

struct err *refs_to(struct refs *r, struct str path, const struct strs *paths,
		    struct refs_list *out)
{
	struct str to = refs_absolute(r, r->f->a, path), name = refs_plain_name(to);

	for (size_t i = 0; i < paths->n; i++) {
		struct arena *a ARENA_LOCAL = arena_new();
		struct source s;
		struct err *e = open_source(r, a, paths->p[i], &s);

		if (e && refs_error_means_not_text(e))
			e = NULL;
		else if (!e && !str_eq(s.path, to) && str_find(s.text, name, 0) != SIZE_MAX)
			e = references_of(&s, &to, out);
		TRY(e);
	}
	return NULL;
}
