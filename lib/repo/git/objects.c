/* Objects by id, from any reader; loose objects; and the contents of trees and commits. */
#include "crypt/crypt.h"
#include "git/internal.h"
#include "os/os.h"

#define HEAD_MAX 64 /* "commit 1234567890" and a NUL */

const char *id_hex(const unsigned char *id, size_t id_len, char hex[HEX_MAX])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < id_len; i++) {
		hex[2 * i] = digits[id[i] >> 4];
		hex[2 * i + 1] = digits[id[i] & 15];
	}
	hex[2 * id_len] = 0;
	return hex;
}

bool id_parse(struct str hex, unsigned char *id, unsigned char id_len)
{
	return crypt_hex_decode(hex, id, id_len);
}

bool id_eq(const unsigned char *a, const unsigned char *b, size_t id_len)
{
	return memcmp(a, b, id_len) == 0;
}

static const char *const type_names[] = {"object", "commit", "tree", "blob", "tag"};

enum object_type object_type_by_name(struct str name)
{
	for (unsigned i = OBJECT_COMMIT; i <= OBJECT_TAG; i++)
		if (str_is(name, type_names[i]))
			return (enum object_type)i;
	return OBJECT_ANY;
}

struct err *object_too_big(const char *what, size_t size, size_t max)
{
	return err_new(E_TOO_BIG, "object %s has %zu bytes, more than %zu", what, size, max);
}

/* ---- loose objects ---- */

static struct err *damaged(const char *path, const char *what)
{
	return err_new(E_GIT_CORRUPT, "loose object '%s' is damaged: %s", path, what);
}

/* "blob 12" and a NUL. */
static bool parse_head(struct str head, enum object_type *type, size_t *size)
{
	struct str name;
	int64_t n;

	if (!str_next_part(&head, ' ', &name) || !head.n || head.p[0] == '-' || head.p[0] == '+' ||
	    !str_int(head, &n) || n < 0)
		return false;
	*size = (size_t)n;
	*type = object_type_by_name(name);
	return *type != OBJECT_ANY;
}

static struct err *inflate_file(struct arena *a, struct inflate *f, const char *path,
				struct str file, size_t max, enum object_type *type, size_t *size,
				struct str *out)
{
	char head[HEAD_MAX], *to;
	size_t n = HEAD_MAX, at;

	inflate_start(f, file);
	if (!inflate_next(f, head, &n))
		return damaged(path, "it cannot be inflated");
	at = str_find_char((struct str){head, n}, 0, 0);
	if (at == SIZE_MAX || !parse_head((struct str){head, at}, type, size))
		return damaged(path, "it has no header");
	if (!out)
		return NULL;
	if (*size > max)
		return object_too_big(path, *size, max);
	n -= ++at;
	/* Before allocating. */
	if (*size / INFLATE_RATIO > file.n || n > *size)
		return damaged(path, "its size differs from the size in its header");
	to = arena_alloc(a, *size + INFLATE_ROOM);
	memcpy(to, head + at, n);
	at = *size - n + INFLATE_ROOM;
	if (!inflate_next(f, to + n, &at) || at != *size - n)
		return damaged(path, "it cannot be inflated to the size in its header");
	if (inflate_trailing_bytes(f))
		return damaged(path, "it has garbage at its end");
	*out = (struct str){to, *size};
	return NULL;
}

struct err *loose_parse(struct arena *a, const char *path, struct str file, size_t max,
			enum object_type *type, size_t *size, struct str *out)
{
	struct arena *scratch ARENA_LOCAL = arena_new();

	return inflate_file(a, inflate_new(scratch), path, file, max, type, size, out);
}

static struct err *loose_read(const struct git *g, struct arena *a, const unsigned char *id,
			      size_t max, enum object_type *type, size_t *size, struct str *out,
			      bool *found)
{
	char hex[HEX_MAX];

	id_hex(id, g->id_len, hex);
	*found = false;
	for (size_t i = 0; i < g->objects.n && !*found; i++) {
		struct arena *scratch ARENA_LOCAL = NULL;
		char path[OS_PATH_MAX];
		struct str file;
		int n = snprintf(path, sizeof(path), "%.*s/%.2s/%s", STR_ARG(g->objects.p[i]), hex,
				 hex + 2);

		if (n < 0 || (size_t)n >= sizeof(path))
			continue;
		scratch = arena_new();
		TRY(map_file(scratch, path, SIZE_MAX, &file, found));
		if (*found)
			TRY(inflate_file(a, inflate_new(scratch), path, file, max, type, size,
					 out));
	}
	return NULL;
}

struct err *loose_count_prefix(const struct git *g, struct str start, unsigned char *id,
			       unsigned *n)
{
	struct arena *a ARENA_LOCAL = arena_new();
	unsigned char one[ID_MAX];

	/* The only object so far might have a double in the folder that ikm did not see. */
	if (g->unseen)
		return err_new(E_IO_ERROR, "%s", g->unseen);
	for (size_t i = 0; i < g->objects.n && start.n >= 2; i++) {
		struct str dir = str_fmt(a, "%.*s/%.2s", STR_ARG(g->objects.p[i]), start.p);
		struct strs names = {0};
		struct err *e = os_list(a, str_c(a, dir), &names);

		if (e && err_reason(e) != E_FILE_NOT_FOUND)
			return e;
		for (size_t k = 0; k < names.n; k++) {
			struct str hex = str_fmt(a, "%.2s%.*s", start.p, STR_ARG(names.p[k]));

			if (!str_starts(hex, start) || !id_parse(hex, one, g->id_len) ||
			    (*n && id_eq(one, id, g->id_len)))
				continue;
			memcpy(id, one, g->id_len);
			++*n;
		}
	}
	return NULL;
}

/* ---- reading ---- */

static bool is_partial(struct git *g)
{
	static const char *const ask[] = {"config", "--get-regexp", "^remote\\..*\\.promisor$",
					  NULL};
	struct arena *scratch ARENA_LOCAL = arena_new();
	struct strs promised = {0};
	const char *partial = NULL;
	struct str out;
	int status = 1;

	/* An error here hides nothing: the object is missing in any case. */
	if (git_setting(g, scratch, "extensions.partialclone", &partial))
		partial = NULL;
	if (g->libgit2 ? libgit2_config_find_keys(g, scratch, "remote.", ".promisor", &promised)
		       : cli_git_try(g, scratch, ask, STR(""), &out, &status))
		promised.n = 0;
	return partial || promised.n || !status;
}

struct err *object_load(const struct git *g, struct arena *a, const unsigned char *id, size_t max,
			enum object_type *type, size_t *size, struct str *out, bool *found)
{
	struct err *in_packs;

	VEC_EACH(const struct object_new, new, &g->unwritten) {
		if (!id_eq(new->id, id, g->id_len))
			continue;
		if (new->bytes.n > max)
			return object_too_big("of the commit", new->bytes.n, max);
		*type = new->type;
		*size = new->bytes.n;
		*found = true;
		if (out)
			*out = str_dup(a, new->bytes);
		return NULL;
	}
	/* In the order of git: a miss in the packs costs no system call. */
	in_packs = pack_read(g, a, id, max, type, size, out, found);
	if (*found && !in_packs)
		return NULL;
	/* A pack that is damaged, as a kill leaves one, hides no loose object. */
	TRY(loose_read(g, a, id, max, type, size, out, found));
	return *found ? NULL : in_packs;
}

static struct err *object_get(struct git *g, struct arena *a, const unsigned char *id, size_t max,
			      enum object_type *type, struct str *out)
{
	bool found = false;
	char hex[HEX_MAX];
	size_t size;

	TRY(object_load(g, a, id, max, type, &size, out, &found));
	/* Another process may have made a pack, or joined some. */
	if (!found) {
		packs_mark_changed(g);
		TRY(object_load(g, a, id, max, type, &size, out, &found));
	}
	/* git may know places that ikm does not: quoted alternates, a repack just now. */
	if (!found) {
		struct err *e = cli_read_git_object(g, a, id, max, type, out, &found);

		/* A forbidden fetch is no damage, and neither is a missing git. */
		if (e && (err_reason(e) == E_TOO_BIG ||
			  (err_reason(e) != E_NO_PROGRAM && !is_partial(g))))
			return e;
	}
	if (found)
		return NULL;
	id_hex(id, g->id_len, hex);
	if (g->unseen)
		return err_new(E_IO_ERROR, "object %s is not found in '%s', and ikm %s", hex,
			       g->common, g->unseen);
	if (!is_partial(g))
		return err_new(E_NO_SUCH_OBJECT, "object %s is missing in '%s'", hex, g->common);
	/*
	 * In a partial clone git would fetch each missing object by itself. A check must not, so
	 * the message says how to fetch all of them at once.
	 */
	return err_help(err_new(E_NO_SUCH_OBJECT,
				"object %s is missing: this is a partial clone, and git "
				"has not fetched it yet",
				hex),
			"fetch all that is missing: git fetch --refetch --no-filter");
}

struct err *object_verify(struct git *g, const unsigned char *id)
{
	struct arena *a ARENA_LOCAL = arena_new();
	enum object_type type = OBJECT_ANY;
	unsigned char now[ID_MAX];
	struct buf b = buf_in(a);
	char hex[HEX_MAX];
	struct sha256 h;
	struct str text;

	TRY(object_get(g, a, id, SIZE_MAX, &type, &text));
	buf_fmt(&b, "%s %zu", type_names[type], text.n);
	buf_putc(&b, 0);
	buf_put(&b, text);
	if (g->id_len == SHA1_BYTES) {
		crypt_sha1(buf_as_str(&b), now);
	} else {
		sha256_init(&h);
		sha256_add(&h, buf_as_str(&b));
		sha256_end(&h, now);
	}
	if (id_eq(now, id, g->id_len))
		return NULL;
	return err_new(E_GIT_CORRUPT, "object %s of '%s' has the content of another",
		       id_hex(id, g->id_len, hex), g->common);
}

struct err *object_read(struct git *g, struct arena *a, const unsigned char *id,
			enum object_type want, size_t max, struct str *out)
{
	enum object_type type = OBJECT_ANY;
	char hex[HEX_MAX];

	TRY(object_get(g, a, id, max, &type, out));
	if (want != OBJECT_ANY && type != want)
		return err_new(E_GIT_CORRUPT, "object %s is a %s, but a %s was expected",
			       id_hex(id, g->id_len, hex), type_names[type], type_names[want]);
	return NULL;
}

/* ---- trees ---- */

bool mode_kind(uint32_t mode, bool *is_dir, enum tree_kind *kind)
{
	*is_dir = false;
	switch (mode & 0170000) {
	case 0040000: *is_dir = true; return true;
	case 0100000: *kind = mode & 0100 ? TREE_EXEC : TREE_FILE; return true;
	case 0120000: *kind = TREE_LINK; return true;
	case 0160000: *kind = TREE_SUBMODULE; return true;
	default: return false;
	}
}

static struct err *bad_tree(const char *what)
{
	return err_new(E_GIT_CORRUPT, "a tree is damaged: %s", what);
}

struct err *tree_object_entry_next(struct str *rest, unsigned char id_len, struct item *out,
				   bool *more)
{
	uint32_t mode = 0;
	size_t i = 0;
	const char *end;

	*more = rest->n != 0;
	if (!*more)
		return NULL;
	for (; i < rest->n && i < 7 && rest->p[i] >= '0' && rest->p[i] <= '7'; i++)
		mode = mode << 3 | (uint32_t)(rest->p[i] - '0');
	if (!i || i == 7 || i == rest->n || rest->p[i] != ' ')
		return bad_tree("an entry has no mode");
	if (!mode_kind(mode, &out->is_dir, &out->kind))
		return bad_tree("an entry has a mode that does not exist");
	out->name.p = rest->p + i + 1;
	end = memchr(out->name.p, 0, rest->n - i - 1);
	if (!end || rest->p + rest->n - end <= id_len)
		return bad_tree("it ends within an entry");
	out->name.n = (size_t)(end - out->name.p);
	/* In a path, these parts would lead elsewhere. */
	if (!out->name.n || (out->name.p[0] == '.' && out->name.n == 1) ||
	    (out->name.p[0] == '.' && out->name.n == 2 && out->name.p[1] == '.') ||
	    memchr(out->name.p, '/', out->name.n))
		return bad_tree("an entry's name is empty, '.', '..' or has a slash");
	out->id = (const unsigned char *)++end;
	end += id_len;
	*rest = (struct str){end, (size_t)(rest->p + rest->n - end)};
	return NULL;
}

int tree_object_entry_cmp(const struct item *a, const struct item *b)
{
	size_t n = size_min(a->name.n, b->name.n);
	int c = memcmp(a->name.p, b->name.p, n);
	unsigned char x, y;

	if (c)
		return c;
	x = n < a->name.n ? (unsigned char)a->name.p[n] : a->is_dir ? '/' : 0;
	y = n < b->name.n ? (unsigned char)b->name.p[n] : b->is_dir ? '/' : 0;
	return x < y ? -1 : x > y;
}

/* ---- commits ---- */

/* "Ada <ada@example.org> 1700000000 +0100" */
static void parse_person(struct str s, struct str *name, struct str *email, int64_t *time)
{
	size_t open = str_find_char(s, '<', 0), close = str_rfind_char(s, '>');
	struct str seconds;

	*time = 0;
	if (open == SIZE_MAX || close == SIZE_MAX || close < open) {
		*name = s;
		return;
	}
	*name = str_trim(str_sub(s, 0, open));
	*email = str_sub(s, open + 1, close);
	seconds = str_trim(str_sub(s, close + 1, s.n));
	seconds = str_sub(seconds, 0, size_min(str_find_char(seconds, ' ', 0), seconds.n));
	if (!str_int(seconds, time))
		*time = 0;
}

bool commit_parse(struct arena *a, struct str text, unsigned char id_len, struct commit *c)
{
	struct str rest = text, line, who, mail;
	unsigned char *parents;
	size_t n = 0;

	*c = (struct commit){0};
	if (!str_next_line(&rest, &line) || !str_starts(line, STR("tree ")) ||
	    !id_parse(str_sub(line, 5, line.n), c->tree, id_len))
		return false;
	for (struct str r = rest; str_next_line(&r, &line) && str_starts(line, STR("parent "));)
		n++;
	c->parents = parents = arena_array(a, n, id_len);
	c->parents_n = n;
	for (; n; n--, parents += id_len)
		if (!str_next_line(&rest, &line) ||
		    !id_parse(str_sub(line, 7, line.n), parents, id_len))
			return false;
	/* An empty line ends the headers; the lines of a signature start with a blank. */
	while (str_next_line(&rest, &line) && line.n) {
		if (str_starts(line, STR("author ")))
			parse_person(str_sub(line, 7, line.n), &c->author, &c->email, &c->time);
		else if (str_starts(line, STR("committer ")))
			parse_person(str_sub(line, 10, line.n), &who, &mail, &c->committed);
	}
	while (str_next_line(&rest, &c->message) && !str_trim(c->message).n)
		;
	c->message = str_trim(c->message);
	return true;
}

struct err *commit_read(struct git *g, struct arena *a, const unsigned char *id, struct commit *out)
{
	char hex[HEX_MAX];
	struct str text;

	TRY(object_read(g, a, id, OBJECT_COMMIT, OBJECT_MAX, &text));
	if (!commit_parse(a, text, g->id_len, out))
		return err_new(E_GIT_CORRUPT, "commit %s is damaged", id_hex(id, g->id_len, hex));
	return NULL;
}
