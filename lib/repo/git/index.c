/*
 * Reads the index, versions 2 to 4 (gitformat-index(5)), in one pass. For versions 2 and 3, paths
 * and ids are borrowed from the file. Like git, ikm does not verify the checksum at the end: it
 * would take longer than the rest, and index.skipHash leaves it out. ikm does verify the structure.
 */
#include "git/commit_paths.h"
#include "os/os.h"

#define STAT_SIZE 40 /* times, device, inode, mode, owner, size */
#define MODE_AT   24
#define NAME_MASK 0x0fffu
#define NAMES     ((size_t)64 * 1024)

#define EXTENDED 0x4000u /* of the flags: two more bytes of flags follow */
#define STAGE    0x3000u
#define INTENT   0x2000u /* of the extended flags: intent-to-add */
#define SKIP     0x4000u /* of them: skip-worktree */

struct reader {
	struct arena *a;
	struct index *ix;
	const unsigned char *p;
	size_t at, end; /* end: where the checksum begins */
	uint32_t version, entries;
	unsigned char id_len;
	char *names; /* version 4: the next path is built here */
	size_t names_left;
	struct str last; /* path of the previous entry */
	unsigned last_stage;
	/*
	 * The first damage among the entries. It is no damage if the index turns out to be a split
	 * index.
	 */
	const char *doubt;
	uint32_t doubt_entry;
};

static size_t common_prefix(struct str a, struct str b)
{
	size_t n = size_min(a.n, b.n), i = 0;
	uint64_t x, y;

	for (; i + 8 <= n; i += 8) {
		memcpy(&x, a.p + i, 8);
		memcpy(&y, b.p + i, 8);
		if (x != y)
			break;
	}
	while (i < n && a.p[i] == b.p[i])
		i++;
	return i;
}

/* Whether a part is empty, "." or "..". Parts before `from` were checked with the previous path. */
static bool is_unsafe_path(struct str path, size_t from)
{
	const char *p, *slash, *end = path.p + path.n;

	while (from && path.p[from - 1] != '/')
		from--;
	for (p = path.p + from;; p = slash + 1) {
		slash = memchr(p, '/', (size_t)(end - p));
		switch ((slash ? slash : end) - p) {
		case 0: return true;
		case 1:
			if (p[0] == '.')
				return true;
			break;
		case 2:
			if (p[0] == '.' && p[1] == '.')
				return true;
			break;
		default: break;
		}
		if (!slash)
			return false;
	}
}

static void note_damage(struct reader *r, uint32_t entry, const char *why)
{
	if (!r->doubt) {
		r->doubt = why;
		r->doubt_entry = entry;
	}
}

static void check_path(struct reader *r, uint32_t entry, struct str path, unsigned stage)
{
	size_t same = common_prefix(r->last, path);
	bool less = same < r->last.n && (same == path.n || (unsigned char)r->last.p[same] >
								   (unsigned char)path.p[same]);

	if (less || (same == path.n && same == r->last.n && stage <= r->last_stage && entry > 1))
		note_damage(r, entry, "is not in order");
	else if (is_unsafe_path(path, same))
		note_damage(r, entry, "has a path with an empty part, '.' or '..'");
	r->last = path;
	r->last_stage = stage;
}

/* Version 4: the number of bytes to cut from the previous path, then the bytes to append. */
static bool unpack_name(struct reader *r, struct str *path)
{
	size_t cut, add, keep;
	unsigned char c;
	char *to;

	if (r->at >= r->end)
		return false;
	c = r->p[r->at++];
	for (cut = c & 127; c & 128; cut = (cut << 7) + (c & 127)) {
		if (r->at >= r->end || cut > OS_PATH_MAX)
			return false;
		c = r->p[r->at++];
		cut++;
	}
	to = memchr(r->p + r->at, 0, r->end - r->at);
	if (!to || cut > r->last.n)
		return false;
	add = (size_t)(to - (const char *)r->p) - r->at;
	keep = r->last.n - cut;
	/* This also keeps a small file from requesting gigabytes. */
	if (add > OS_PATH_MAX || keep + add > OS_PATH_MAX)
		return false;
	if (!r->names || r->names_left < keep + add) {
		r->names_left = size_max(NAMES, keep + add);
		r->names = arena_alloc(r->a, r->names_left);
	}
	to = r->names;
	r->names += keep + add;
	r->names_left -= keep + add;
	if (keep && r->last.p)
		memcpy(to, r->last.p, keep);
	memcpy(to + keep, r->p + r->at, add);
	r->at += add + 1;
	*path = (struct str){to, keep + add};
	return true;
}

static bool git_index_plain_name(struct reader *r, size_t entry_at, uint32_t flags,
				 struct str *path)
{
	const unsigned char *nul;
	size_t n = flags & NAME_MASK;

	if (n == NAME_MASK) {
		nul = memchr(r->p + r->at, 0, r->end - r->at);
		n = nul ? (size_t)(nul - r->p) - r->at : SIZE_MAX;
	}
	/* A NUL in a name would hide its end, such as ".c", from rules. */
	if (n >= r->end - r->at || memchr(r->p + r->at, 0, n + 1) != r->p + r->at + n)
		return false;
	*path = (struct str){(const char *)r->p + r->at, n};
	/* One to eight NULs, so that the next entry begins at a multiple of eight. */
	r->at = entry_at + ((r->at + n - entry_at + 8) & ~(size_t)7);
	return r->at <= r->end;
}

static bool read_entry(struct reader *r, uint32_t number)
{
	const unsigned char *p = r->p + r->at;
	uint32_t flags, extended = 0;
	enum tree_kind kind = TREE_FILE;
	size_t at = r->at;
	struct index_entry *e;
	struct str path;
	unsigned stage;
	bool is_dir;

	if (r->end - at < STAT_SIZE + r->id_len + 4u)
		return false;
	r->at += STAT_SIZE + r->id_len + 2u;
	flags = (uint32_t)r->p[r->at - 2] << 8 | r->p[r->at - 1];
	if (flags & EXTENDED) {
		extended = (uint32_t)r->p[r->at] << 8 | r->p[r->at + 1];
		r->at += 2;
	}
	if (r->version == 4 ? !unpack_name(r, &path) : !git_index_plain_name(r, at, flags, &path))
		return false;
	if (flags & EXTENDED && r->version < 3)
		note_damage(r, number, "has flags that its version does not know");
	stage = (flags & STAGE) >> 12;
	check_path(r, number, path, stage);
	if (path.n > OS_PATH_MAX)
		note_damage(r, number, "has a path of more than 4096 bytes");
	if (!mode_kind(git_be32(p + MODE_AT), &is_dir, &kind))
		note_damage(r, number, "has a mode that does not exist");
	else if (is_dir)
		note_damage(r, number, "is a folder, and the index is not a sparse one");
	/* `git commit` does not record intent-to-add entries. */
	if (extended & INTENT)
		return true;
	if (stage) {
		struct strs *c = &r->ix->conflicts;

		if (!c->n || !str_eq(c->p[c->n - 1], path))
			strs_push(r->a, c, path);
		return true;
	}
	e = &r->ix->p[r->ix->n++];
	e->name = path.p;
	e->len = (uint32_t)path.n;
	e->id = p + STAT_SIZE;
	e->stat = p;
	e->kind = (unsigned char)kind;
	e->skipped = extended & SKIP;
	return true;
}

/* ---- extensions ---- */

static bool git_index_number(struct str s, int64_t min, int64_t *out)
{
	return str_int(s, out) && *out >= min && *out <= UINT32_MAX;
}

ORDER_OF_POINTERS(node_cmp, struct cache_node, ORDER_STR(name))

/* "path NUL entries SP subtrees LF [id]", then the subtrees in the same form. */
static struct cache_node *cache_tree(struct arena *a, struct str *rest, unsigned char id_len,
				     unsigned depth)
{
	struct cache_node *n = ARENA_NEW(a, struct cache_node);
	int64_t entries, subs;
	struct str part;

	if (depth > DEPTH_MAX || !str_next_part(rest, 0, &n->name) ||
	    !str_next_part(rest, ' ', &part) || !git_index_number(part, -1, &entries) ||
	    !str_next_part(rest, '\n', &part) || !git_index_number(part, 0, &subs))
		return NULL;
	if (entries >= 0) {
		if (rest->n < id_len)
			return NULL;
		n->id = (const unsigned char *)rest->p;
		n->entries = (size_t)entries;
		*rest = str_sub(*rest, id_len, rest->n);
	}
	if ((size_t)subs > rest->n / 5)
		return NULL;
	n->subs = (size_t)subs;
	n->sub = arena_array(a, n->subs, sizeof(*n->sub));
	for (size_t i = 0; i < n->subs; i++) {
		n->sub[i] = cache_tree(a, rest, id_len, depth + 1);
		if (!n->sub[i])
			return NULL;
	}
	/* The file sorts them by length. */
	qsort(n->sub, n->subs, sizeof(struct cache_node *), node_cmp);
	return n;
}

static bool read_extensions(struct reader *r)
{
	while (r->end - r->at >= 8) {
		const char *sign = (const char *)r->p + r->at;
		size_t n = git_be32(r->p + r->at + 4);
		struct str body;

		r->at += 8;
		if (n > r->end - r->at)
			return false;
		body = (struct str){(const char *)r->p + r->at, n};
		r->at += n;
		/* Readers may skip only extensions whose name begins with a capital. */
		if (sign[0] < 'A' || sign[0] > 'Z')
			r->ix->foreign = true;
		else if (!memcmp(sign, "TREE", 4) && n)
			r->ix->root = cache_tree(r->a, &body, r->id_len, 0);
		/* The offset tables EOIE and IEOT only save time. */
		else if (memcmp(sign, "TREE", 4) && memcmp(sign, "REUC", 4) &&
			 memcmp(sign, "EOIE", 4) && memcmp(sign, "IEOT", 4))
			r->ix->only_git = true;
	}
	return r->at == r->end;
}

static struct err *index_is_bad(const char *name, const char *what)
{
	return err_help(err_new(E_GIT_CORRUPT, "the index '%s' is damaged: %s", name, what),
			"rebuild it from HEAD, keeping the working tree: rm '%s' "
			"&& git reset",
			name);
}

struct err *index_parse(struct arena *a, struct str bytes, const char *name, unsigned char id_len,
			struct index *out)
{
	struct reader r = {.a = a, .ix = out, .id_len = id_len};
	char what[120];

	*out = (struct index){.id_len = id_len};
	r.p = (const unsigned char *)bytes.p;
	r.at = 12;
	r.end = bytes.n - size_min(bytes.n, id_len);
	if (bytes.n < 12u + id_len)
		return index_is_bad(name, "it is too short");
	if (memcmp(bytes.p, "DIRC", 4) != 0)
		return index_is_bad(name, "it does not begin with DIRC");
	r.version = git_be32(r.p + 4);
	r.entries = git_be32(r.p + 8);
	/* Before allocating: can the file hold so many entries? */
	if (r.version >= 2 && r.version <= 4 &&
	    r.entries > (r.end - 12) / (STAT_SIZE + id_len + 2u))
		return index_is_bad(name, "it has fewer entries than it says");
	if (r.version < 2 || r.version > 4) {
		out->foreign = true;
		return NULL;
	}
	out->p = arena_array(a, r.entries, sizeof(*out->p));
	for (uint32_t i = 1; i <= r.entries; i++) {
		if (read_entry(&r, i))
			continue;
		snprintf(what, sizeof(what), "entry %u of %u cannot be read", i, r.entries);
		return index_is_bad(name, what);
	}
	if (!read_extensions(&r))
		return index_is_bad(name, "an extension is longer than the file");
	/*
	 * A split index has entries without names, a sparse index has folders: that is no damage.
	 */
	if (out->foreign || !r.doubt)
		return NULL;
	snprintf(what, sizeof(what), "entry %u %s", r.doubt_entry, r.doubt);
	return index_is_bad(name, what);
}

/* ---- looking up ---- */

struct str index_entry_path(const struct index *ix, size_t i)
{
	return (struct str){ix->p[i].name, ix->p[i].len};
}

size_t index_lower_bound(const struct index *ix, size_t lo, size_t hi, struct str path)
{
	BISECT(lo, mid, hi, str_cmp(index_entry_path(ix, mid), path) < 0);
	return lo;
}

size_t index_prefix_end(const struct index *ix, size_t lo, size_t hi, struct str prefix)
{
	size_t step = 1;

	/* Most folders are small, so search nearby first. */
	while (lo + step < hi && str_starts(index_entry_path(ix, lo + step), prefix)) {
		lo += step;
		step *= 2;
	}
	BISECT(lo, mid, size_min(hi, lo + step), str_starts(index_entry_path(ix, mid), prefix));
	return lo;
}

/* ---- by way of git ---- */

/* ":000000 100644 ID ID A NUL path NUL" for every entry: the index against an empty tree. */
static struct err *parse_raw(struct git *g, struct str rest, struct index *out)
{
	struct arena *a = g->arena;
	struct str meta, path, part;
	size_t lines = 0;

	for (size_t i = 0; i < rest.n; i++)
		lines += !rest.p[i];
	out->p = arena_array(a, lines / 2, sizeof(*out->p));
	while (str_next_part(&rest, 0, &meta) && meta.n) {
		struct index_entry *e = &out->p[out->n];
		unsigned char *id = arena_alloc(a, g->id_len);
		enum tree_kind kind = TREE_FILE;
		struct str field[5] = {0};
		uint32_t mode = 0;
		bool is_dir;

		for (size_t i = 0; i < 5 && str_next_part(&meta, ' ', &part); i++)
			field[i] = part;
		if (!str_next_part(&rest, 0, &path) || !path.n || !field[4].n)
			return err_new(E_GIT_FAILED, "git diff-index gave an entry without a path");
		if (field[4].p[0] == 'U') {
			strs_push(a, &out->conflicts, path);
			continue;
		}
		for (size_t i = 0; i < field[1].n; i++)
			mode = mode << 3 | (uint32_t)(field[1].p[i] - '0');
		if (!mode_kind(mode, &is_dir, &kind) || is_dir ||
		    !id_parse(field[3], id, g->id_len))
			return err_new(E_GIT_FAILED, "git diff-index gave '%.*s' as '%.*s'",
				       STR_ARG(path), STR_ARG(field[1]));
		e->name = path.p;
		e->len = (uint32_t)path.n;
		e->id = id;
		e->kind = (unsigned char)kind;
		out->n++;
	}
	return NULL;
}

static struct err *git_index_from_git(struct git *g, struct index *out)
{
	static const char *const hash[] = {"hash-object", "-t", "tree", "--stdin", NULL};
	static const char *const tags[] = {"ls-files", "-t", "-z", "--full-name", "--", ":/", NULL};
	/* -r: without it, git 2.47 shows the folders of a sparse index as folders. */
	const char *list[] = {"diff-index",
			      "--cached",
			      "-r",
			      "--raw",
			      "-z",
			      "--no-abbrev",
			      "--no-renames",
			      "--ita-invisible-in-index",
			      "--ignore-submodules=none",
			      NULL,
			      "--",
			      NULL};
	struct str empty, raw, line;
	size_t i = 0;

	*out = (struct index){.id_len = g->id_len};
	TRY(git_run(g, g->arena, hash, STR(""), &empty));
	list[9] = str_c(g->arena, str_trim(empty));
	TRY(git_run(g, g->arena, list, STR(""), &raw));
	TRY(parse_raw(g, raw, out));
	/* "S path NUL" for an entry with skip-worktree, in the order of the index. */
	TRY(git_run(g, g->arena, tags, STR(""), &raw));
	while (str_next_part(&raw, 0, &line) && line.n) {
		struct str path = str_sub(line, 2, line.n);

		if (!str_starts(line, STR("S ")))
			continue;
		i = index_lower_bound(out, i, out->n, path);
		if (i < out->n && str_eq(index_entry_path(out, i), path))
			out->p[i].skipped = true;
	}
	return NULL;
}

/*
 * Mapped, as in git: reading 10 MB takes longer than all other steps. Git never writes into an
 * index, it renames a new file over it, so the mapped file does not change.
 */
struct err *index_file_read(struct git *g, struct index *out)
{
	struct str bytes;
	bool there;

	*out = (struct index){.id_len = g->id_len};
	TRY_IN(map_file(g->arena, g->index, INDEX_MAX, &bytes, &there), "the index");
	if (!there)
		return NULL;
	TRY(index_parse(g->arena, bytes, g->index, g->id_len, out));
	if (!out->foreign)
		return NULL;
	TRY_IN(git_index_from_git(g, out), "read the index '%s', whose format only git can read",
	       g->index);
	return NULL;
}

/* ---- what it has for the paths of a commit ---- */

/* An entry for a folder of the path, or below the path. */
static struct str index_in_way(const struct index *ix, struct arena *a, struct str path)
{
	struct str below = str_fmt(a, "%.*s/", STR_ARG(path));
	size_t at = index_lower_bound(ix, 0, ix->n, below);

	if (at < ix->n && str_starts(index_entry_path(ix, at), below))
		return index_entry_path(ix, at);
	for (size_t slash = 0; (slash = str_find_char(path, '/', slash)) != SIZE_MAX; slash++) {
		at = index_lower_bound(ix, 0, ix->n, str_sub(path, 0, slash));
		if (at < ix->n && str_eq(index_entry_path(ix, at), str_sub(path, 0, slash)))
			return index_entry_path(ix, at);
	}
	return (struct str){0};
}

struct err *index_read_entry_states(struct git *g, struct arena *a, const struct change *c,
				    size_t n, struct entry_state *states)
{
	static const uint32_t modes[] = {0100644, 0100755, 0120000, 0160000};
	struct index ix;

	TRY(index_file_read(g, &ix));
	for (size_t i = 0; i < n; i++) {
		size_t at = index_lower_bound(&ix, 0, ix.n, c[i].path);
		struct entry_state *s = &states[i];

		*s = (struct entry_state){.conflict = strs_has(&ix.conflicts, c[i].path),
					  .in_way = index_in_way(&ix, a, c[i].path)};
		s->there = at < ix.n && str_eq(index_entry_path(&ix, at), c[i].path);
		if (!s->there)
			continue;
		s->mode = modes[ix.p[at].kind];
		memcpy(s->id, ix.p[at].id, g->id_len);
	}
	return NULL;
}

bool entry_same(const struct git *g, const struct entry_state *x, const struct entry_state *y)
{
	return x->there == y->there &&
	       (!x->there || (x->mode == y->mode && id_eq(x->id, y->id, g->id_len)));
}

struct err *entry_staged_error(const struct entry_state *s, struct str path)
{
	struct err *e;

	if (s->conflict) {
		e = err_new(E_STAGED, "'%.*s' has a conflict in the index", STR_ARG(path));
		return err_help(e, "resolve it, then: git add '%.*s' and git commit",
				STR_ARG(path));
	}
	if (s->in_way.p) {
		e = err_new(E_STAGED, "the index has '%.*s', which excludes '%.*s'",
			    STR_ARG(s->in_way), STR_ARG(path));
		return err_help(e, "git commit it, or take it out: git restore --staged '%.*s'",
				STR_ARG(s->in_way));
	}
	e = err_new(E_STAGED, "'%.*s' is staged with another content, which is not committed yet",
		    STR_ARG(path));
	return err_help(e,
			"commit it: git commit '%.*s'; or take it out of the index, the file "
			"stays: git restore --staged '%.*s'",
			STR_ARG(path), STR_ARG(path));
}
