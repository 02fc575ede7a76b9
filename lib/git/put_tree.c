/*
 * New trees: a tree object with some paths changed. All other entries stay as they are, byte for
 * byte, so a tree with odd modes keeps them.
 */
#include "git/commit.h"
#include "os/os.h"

/* One entry of the tree under construction. */
struct tree_line {
	struct item item;
	struct str raw; /* mode, blank, name, NUL, id */
};
struct tree_lines {
	struct tree_line *p;
	size_t n, cap;
};

/* Some changes, sorted, whose paths begin with the same `at` bytes. */
struct put_group {
	const struct change *p;
	size_t n, at;
};

static struct err *put_tree_read(struct git *g, struct arena *a, const unsigned char *id,
				 struct tree_lines *out)
{
	struct str rest;
	bool more;

	if (!id)
		return NULL;
	TRY(object_read(g, a, id, OBJECT_TREE, OBJECT_MAX, &rest));
	for (;;) {
		struct tree_line l = {.raw = rest};

		TRY(item_next(&rest, g->id_len, &l.item, &more));
		if (!more)
			return NULL;
		l.raw.n -= rest.n;
		*VEC_PUSH(a, out) = l;
	}
}

static struct tree_line *put_tree_find(struct tree_lines *t, struct str name)
{
	for (size_t i = 0; i < t->n; i++)
		if (str_eq(t->p[i].item.name, name))
			return &t->p[i];
	return NULL;
}

static void put_tree_remove(struct tree_lines *t, struct tree_line *l)
{
	size_t i = (size_t)(l - t->p);

	memmove(l, l + 1, (t->n - i - 1) * sizeof(*l));
	t->n--;
}

static void put_tree_set(struct git *g, struct arena *a, struct tree_lines *t, struct str name,
			 uint32_t mode, const unsigned char *id)
{
	struct tree_line l = {.item.name = name}, *old = put_tree_find(t, name);
	struct buf b = buf_in(a);
	size_t i = 0;

	mode_kind(mode, &l.item.is_dir, &l.item.kind);
	buf_fmt(&b, "%o %.*s", (unsigned)mode, STR_ARG(name));
	buf_putc(&b, 0);
	l.item.id = (const unsigned char *)str_dup(a, (struct str){(const char *)id, g->id_len}).p;
	buf_put(&b, (struct str){(const char *)id, g->id_len});
	l.raw = buf_str(&b);
	if (old) {
		*old = l;
		return;
	}
	while (i < t->n && item_cmp(&t->p[i].item, &l.item) < 0)
		i++;
	*VEC_PUSH(a, t) = l;
	memmove(t->p + i + 1, t->p + i, (t->n - 1 - i) * sizeof(l));
	t->p[i] = l;
}

static struct err *put_tree_in_way(struct str path, const struct item *i)
{
	const char *is = i->is_dir                   ? "a folder"
			 : i->kind == TREE_SUBMODULE ? "a submodule"
						     : "a file";

	return err_new(E_NOT_A_FILE, "'%.*s' is %s in HEAD, so git cannot commit the path there",
		       STR_ARG(path), is);
}

static struct err *put_tree_file(struct git *g, struct arena *a, struct tree_lines *t,
				 const struct change *c, struct str name)
{
	struct tree_line *old = put_tree_find(t, name);

	if (old && (old->item.is_dir || old->item.kind == TREE_SUBMODULE))
		return put_tree_in_way(c->path, &old->item);
	if (c->id)
		put_tree_set(g, a, t, name, c->mode, c->id);
	else if (old)
		put_tree_remove(t, old);
	return NULL;
}

static struct err *put_tree_group(struct git *g, struct arena *a, const unsigned char *old,
				  struct put_group of, unsigned char *id, bool *empty);

static struct err *put_tree_folder(struct git *g, struct arena *a, struct tree_lines *t,
				   struct put_group in, struct str name)
{
	struct tree_line *old = put_tree_find(t, name);
	unsigned char id[ID_MAX];
	bool empty;

	if (old && !old->item.is_dir)
		return put_tree_in_way(str_sub(in.p[0].path, 0, in.at - 1), &old->item);
	TRY(put_tree_group(g, a, old ? old->item.id : NULL, in, id, &empty));
	if (!empty)
		put_tree_set(g, a, t, name, 0040000, id);
	else if (old)
		put_tree_remove(t, old);
	return NULL;
}

/* The tree `old` (NULL: empty) with the changes of the group. */
static struct err *put_tree_group(struct git *g, struct arena *a, const unsigned char *old,
				  struct put_group of, unsigned char *id, bool *empty)
{
	struct tree_lines t = {0};
	struct buf b = buf_in(a);

	TRY(put_tree_read(g, a, old, &t));
	for (size_t i = 0, n; i < of.n; i += n) {
		struct str path = of.p[i].path, folder;
		size_t slash = str_find_char(path, '/', of.at);

		n = 1;
		if (slash == SIZE_MAX) {
			TRY(put_tree_file(g, a, &t, &of.p[i], str_sub(path, of.at, path.n)));
			continue;
		}
		folder = str_sub(path, 0, slash + 1);
		while (i + n < of.n && str_starts(of.p[i + n].path, folder))
			n++;
		TRY(put_tree_folder(g, a, &t, (struct put_group){of.p + i, n, slash + 1},
				    str_sub(path, of.at, slash)));
	}
	*empty = !t.n;
	if (*empty && of.at)
		return NULL;
	for (size_t i = 0; i < t.n; i++)
		buf_put(&b, t.p[i].raw);
	return object_write(g, a, OBJECT_TREE, buf_str(&b), id);
}

struct err *put_tree(struct git *g, struct arena *a, const unsigned char *base,
		     const struct change *changes, size_t n, unsigned char *id, bool *same)
{
	bool empty;

	TRY(put_tree_group(g, a, base, (struct put_group){changes, n, 0}, id, &empty));
	*same = base ? id_eq(id, base, g->id_len) : empty;
	return NULL;
}
