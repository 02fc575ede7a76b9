/*
 * Writes the index. ikm changes the entries of the given paths and copies the rest byte for byte:
 * flags, intent-to-add entries, the version. The cache tree loses the folders of the paths. The
 * offset tables EOIE and IEOT, which only save time, go. An index with any other extension (split,
 * sparse, untracked cache, file system monitor) is written by git.
 *
 * The new file keeps the time of the old one. git reads the content of each file that is as new as
 * the index, because the entry of such a file proves nothing. A newer index would hide that.
 */
#include "crypt/crypt.h"
#include "git/commit.h"
#include "os/os.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define STAT_BYTES 40
#define MODE_OFF   24
#define ASSUMED    0x8000u /* assume-unchanged */
#define NAME_BITS  0x0fffu

struct index_editor {
	struct arena *a;
	struct buf out;
	unsigned char id_len;
	uint32_t version, entries;
	struct str last; /* the path of the last entry that was written */
};

static void put_index_be32(unsigned char *p, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (unsigned char)(v >> (24 - 8 * i));
}

static void put_index_bytes(struct buf *b, const void *p, size_t n)
{
	buf_put(b, (struct str){p, n});
}

/* ---- entries ---- */

/* Version 4: the bytes to cut from the last path, in the form of a pack's offsets. */
static void put_index_cut(struct buf *b, size_t cut)
{
	unsigned char bytes[16];
	size_t at = sizeof(bytes) - 1;

	bytes[at] = cut & 127;
	while (cut >>= 7)
		bytes[--at] = (unsigned char)(128 | (--cut & 127));
	put_index_bytes(b, bytes + at, sizeof(bytes) - at);
}

/* The path, behind an entry's fixed part that begins at `start`. */
static void put_index_name(struct index_editor *w, size_t start, struct str path)
{
	size_t same = 0, most = size_min(w->last.n, path.n);

	if (w->version == 4) {
		while (same < most && w->last.p[same] == path.p[same])
			same++;
		put_index_cut(&w->out, w->last.n - same);
		put_index_bytes(&w->out, path.p + same, path.n - same);
		buf_putc(&w->out, 0);
	} else {
		buf_put(&w->out, path);
		do
			buf_putc(&w->out, 0);
		while ((w->out.n - start) % 8);
	}
	w->last = path;
	w->entries++;
}

static void put_index_copy(struct index_editor *w, const struct index_raw *raw)
{
	size_t start = w->out.n;

	if (w->version != 4) {
		put_index_bytes(&w->out, raw->p, raw->n);
		w->last = raw->path;
		w->entries++;
		return;
	}
	put_index_bytes(&w->out, raw->p,
			STAT_BYTES + w->id_len + (raw->flags & INDEX_EXTENDED ? 4u : 2u));
	put_index_name(w, start, raw->path);
}

/* old NULL: a new entry. */
static void put_index_entry(struct index_editor *w, const struct change *c,
			    const unsigned char stat[STAT_BYTES], const struct index_raw *old)
{
	uint32_t flags = old ? old->flags & ASSUMED : 0;
	uint32_t extended = old ? old->extended & ~INDEX_INTENT : 0;
	size_t start = w->out.n;
	unsigned char state[STAT_BYTES], two[4];

	memcpy(state, stat, sizeof(state));
	put_index_be32(state + MODE_OFF, c->mode);
	put_index_bytes(&w->out, state, sizeof(state));
	put_index_bytes(&w->out, c->id, w->id_len);
	flags |= (uint32_t)size_min(c->path.n, NAME_BITS) | (extended ? INDEX_EXTENDED : 0);
	put_index_be32(two, flags << 16 | extended);
	put_index_bytes(&w->out, two, extended ? 4 : 2);
	put_index_name(w, start, c->path);
}

/* ---- extensions ---- */

static bool put_index_touched(const struct change *c, size_t n, struct str folder)
{
	for (size_t i = 0; i < n; i++)
		if (str_starts(c[i].path, folder))
			return true;
	return false;
}

/*
 * One folder of the cache tree and those below it: "path NUL entries SP subtrees LF [id]". folder:
 * its path with a slash at the end. A folder with a changed path becomes invalid.
 */
static bool put_index_cached(struct index_editor *w, struct str *rest, struct str parent,
			     const struct change *c, size_t n, unsigned depth)
{
	struct str name, entries, subs, folder = parent, start = *rest;
	int64_t count, below;
	bool touched;

	if (depth > DEPTH_MAX || !str_split(rest, 0, &name) || !str_split(rest, ' ', &entries) ||
	    !str_int(entries, &count) || !str_split(rest, '\n', &subs) || !str_int(subs, &below) ||
	    below < 0 || (count >= 0 && rest->n < w->id_len))
		return false;
	if (depth)
		folder = str_fmt(w->a, "%.*s%.*s/", STR_ARG(parent), STR_ARG(name));
	touched = n && put_index_touched(c, n, folder);
	if (count >= 0)
		*rest = str_sub(*rest, w->id_len, rest->n);
	if (!touched) {
		put_index_bytes(&w->out, start.p, start.n - rest->n);
	} else {
		buf_put(&w->out, name);
		buf_putc(&w->out, 0);
		buf_fmt(&w->out, "-1 %.*s\n", STR_ARG(subs));
	}
	for (int64_t i = 0; i < below; i++)
		if (!put_index_cached(w, rest, folder, c, touched ? n : 0, depth + 1))
			return false;
	return true;
}

static bool put_index_cache_tree(struct index_editor *w, struct str body, const struct change *c,
				 size_t n)
{
	size_t at = w->out.n;

	put_index_bytes(&w->out, "TREE\0\0\0", 8);
	if (!put_index_cached(w, &body, STR(""), c, n, 0))
		return false;
	put_index_be32((unsigned char *)w->out.p + at + 4, (uint32_t)(w->out.n - at - 8));
	return true;
}

/* False: damaged. */
static bool put_index_extensions(struct index_editor *w, struct index_reader *r,
				 const struct change *c, size_t n, bool *only_git)
{
	while (r->end - r->at >= 8) {
		const unsigned char *p = r->p + r->at;
		size_t size = (size_t)p[4] << 24 | (size_t)p[5] << 16 | (size_t)p[6] << 8 | p[7];
		struct str body = {(const char *)p + 8, size};

		if (size > r->end - r->at - 8)
			return false;
		r->at += 8 + size;
		if (!memcmp(p, "TREE", 4)) {
			if (size && !put_index_cache_tree(w, body, c, n))
				return false;
		} else if (!memcmp(p, "REUC", 4)) {
			put_index_bytes(&w->out, p, 8 + size);
		} else if (memcmp(p, "EOIE", 4) && memcmp(p, "IEOT", 4)) {
			*only_git = true;
			return true;
		}
	}
	return r->at == r->end;
}

/* ---- the whole index ---- */

static const char *put_index_all(struct index_editor *w, struct index_reader *r,
				 const struct change *c, const unsigned char (*stat)[STAT_BYTES],
				 size_t n)
{
	struct index_raw raw;
	size_t k = 0;

	for (uint32_t i = 0; i < r->entries; i++) {
		int order = -1;

		if (!index_reader_next(r, &raw))
			return "an entry cannot be read";
		while (k < n && (order = str_cmp(c[k].path, raw.path)) < 0) {
			if (c[k].id)
				put_index_entry(w, &c[k], stat[k], NULL);
			k++;
		}
		if (k == n || order) {
			put_index_copy(w, &raw);
			continue;
		}
		if (c[k].id)
			put_index_entry(w, &c[k], stat[k], &raw);
		k++;
	}
	for (; k < n; k++)
		if (c[k].id)
			put_index_entry(w, &c[k], stat[k], NULL);
	return NULL;
}

struct err *index_edit(struct arena *a, struct str bytes, const char *name, const struct change *c,
		       const unsigned char (*stat)[STAT_BYTES], size_t n, struct str *out,
		       bool *only_git)
{
	static const unsigned char empty[12 + SHA1_BYTES] = {'D', 'I', 'R', 'C', 0, 0, 0, 2};
	struct index_editor w = {.a = a, .out = buf_in(a), .id_len = SHA1_BYTES};
	unsigned char sum[SHA1_BYTES] = {0};
	struct index_reader r = {0};
	const char *why;
	bool unsummed;

	*only_git = false;
	unsummed =
		bytes.n >= SHA1_BYTES && !memcmp(bytes.p + bytes.n - SHA1_BYTES, sum, SHA1_BYTES);
	if (!bytes.n)
		bytes = (struct str){(const char *)empty, sizeof(empty)};
	if (!index_reader_start(&r, a, bytes, SHA1_BYTES, &why))
		return index_is_bad(name, why);
	if (r.version < 2 || r.version > 4) {
		*only_git = true;
		return NULL;
	}
	w.version = r.version;
	/* Memory is allocated once: the new index is about as large as the old one. */
	if (!buf_room(&w.out, bytes.n + n * 2 * OS_PATH_MAX))
		return err_new(E_TOO_BIG, "the index '%s' is too large", name);
	put_index_bytes(&w.out, bytes.p, 12);
	why = put_index_all(&w, &r, c, stat, n);
	if (why)
		return index_is_bad(name, why);
	if (!put_index_extensions(&w, &r, c, n, only_git))
		return index_is_bad(name, "an extension is longer than the file");
	put_index_be32((unsigned char *)w.out.p + 8, w.entries);
	/* index.skipHash leaves zeros. */
	if (!unsummed)
		crypt_sha1(buf_str(&w.out), sum);
	put_index_bytes(&w.out, sum, sizeof(sum));
	*out = buf_str(&w.out);
	return NULL;
}

/* ---- the state of the file ---- */

/*
 * The state of the file as git records it, if the file has the bytes of the change. Else zeros: git
 * compares the contents then.
 */
static void put_index_stat(const struct git *g, struct arena *a, const struct change *c,
			   unsigned char out[STAT_BYTES])
{
	const char *path = os_join(a, g->top, str_c(a, c->path));
	struct stat st, now;
	struct str text;

	memset(out, 0, STAT_BYTES);
	if (!c->bytes.p || lstat(path, &st) || !S_ISREG(st.st_mode) ||
	    (uint64_t)st.st_size != c->bytes.n || os_read(a, path, c->bytes.n, &text) ||
	    !str_eq(text, c->bytes) || lstat(path, &now) || now.st_ino != st.st_ino ||
	    now.st_size != st.st_size || now.st_mtim.tv_sec != st.st_mtim.tv_sec ||
	    now.st_mtim.tv_nsec != st.st_mtim.tv_nsec)
		return;
	put_index_be32(out, (uint32_t)st.st_ctim.tv_sec);
	put_index_be32(out + 4, (uint32_t)st.st_ctim.tv_nsec);
	put_index_be32(out + 8, (uint32_t)st.st_mtim.tv_sec);
	put_index_be32(out + 12, (uint32_t)st.st_mtim.tv_nsec);
	put_index_be32(out + 16, (uint32_t)st.st_dev);
	put_index_be32(out + 20, (uint32_t)st.st_ino);
	put_index_be32(out + 28, (uint32_t)st.st_uid);
	put_index_be32(out + 32, (uint32_t)st.st_gid);
	put_index_be32(out + 36, (uint32_t)st.st_size);
}

/* ---- states ---- */

/* An entry for the folder of the path, or below the path. */
static bool index_excludes(struct str entry, struct str path)
{
	struct str a = entry.n < path.n ? entry : path, b = entry.n < path.n ? path : entry;

	return a.n < b.n && b.p[a.n] == '/' && str_starts(b, a);
}

static void index_state_add(struct entry_state *s, const struct change *c, struct str path,
			    const unsigned char *id, size_t id_len, uint32_t mode)
{
	if (str_eq(path, c->path)) {
		s->there = true;
		s->mode = mode;
		memcpy(s->id, id, id_len);
	} else if (index_excludes(path, c->path)) {
		s->in_way = path;
	}
}

static struct err *index_states_by_git(struct git *g, const struct change *c, size_t n,
				       struct entry_state *states)
{
	static const uint32_t modes[] = {0100644, 0100755, 0120000, 0160000};
	struct index ix;

	TRY(index_read(g, &ix));
	for (size_t k = 0; k < n; k++) {
		for (size_t i = 0; i < ix.n; i++)
			index_state_add(&states[k], &c[k], (struct str){ix.p[i].name, ix.p[i].len},
					ix.p[i].id, g->id_len, modes[ix.p[i].kind]);
		states[k].conflict = strs_has(&ix.conflicts, c[k].path);
	}
	return NULL;
}

struct err *index_states(struct git *g, struct arena *a, const struct change *c, size_t n,
			 struct entry_state *states)
{
	struct index_reader r = {0};
	struct index_raw raw;
	const char *why;
	struct index ix;
	struct str bytes;
	bool there;

	memset(states, 0, n * sizeof(*states));
	TRY_IN(map_file(a, g->index, INDEX_MAX, &bytes, &there), "the index");
	if (!there)
		return NULL;
	/* Checks the structure, and finds an index that only git can read. */
	TRY(index_parse(a, bytes, g->index, g->id_len, &ix));
	if (ix.foreign)
		return index_states_by_git(g, c, n, states);
	if (!index_reader_start(&r, a, bytes, g->id_len, &why))
		return index_is_bad(g->index, why);
	for (uint32_t i = 0; i < r.entries && index_reader_next(&r, &raw); i++) {
		const unsigned char *m = raw.p + MODE_OFF;
		uint32_t mode = (uint32_t)m[2] << 8 | m[3];

		for (size_t k = 0; k < n; k++) {
			if (raw.flags & INDEX_STAGE && str_eq(raw.path, c[k].path)) {
				states[k].conflict = true;
				continue;
			}
			index_state_add(&states[k], &c[k], raw.path, raw.p + STAT_BYTES, g->id_len,
					mode);
			if (raw.extended & INDEX_INTENT && str_eq(raw.path, c[k].path))
				states[k].intent = true;
		}
	}
	return NULL;
}

/* ---- writing ---- */

/*
 * git would read the contents of files that are as new as the index, and for that run the filter
 * drivers of the repository. In an index of the far future no file is as new.
 */
static struct err *index_put_copy(const char *copy, struct str old)
{
	const struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = INT32_MAX}};

	TRY(os_write(copy, old, 0));
	return utimensat(AT_FDCWD, copy, times, 0) ? err_errno(errno, "set the time of '%s'", copy)
						   : NULL;
}

/* git writes a copy, because it takes no lock that somebody else holds. */
static struct err *index_put_by_git(struct git *g, struct arena *a, struct str old,
				    const struct change *c, size_t n, struct str *out)
{
	static const char *const args[] = {"update-index", "-z", "--add", "--index-info", NULL};
	static const unsigned char none[ID_MAX];
	const char *copy = str_c(a, str_fmt(a, "%s.ikm", g->index));
	const char *const env[] = {str_c(a, str_fmt(a, "GIT_INDEX_FILE=%s", copy)), NULL};
	struct buf in = buf_in(a);
	char hex[HEX_MAX];
	struct str said;
	struct err *e = NULL;

	for (size_t i = 0; i < n; i++) {
		const unsigned char *id = c[i].id ? c[i].id : none;

		buf_fmt(&in, "%o %s\t", c[i].id ? (unsigned)c[i].mode : 0,
			id_hex(id, g->id_len, hex));
		buf_put(&in, c[i].path);
		buf_putc(&in, 0);
	}
	/* What a killed ikm left. */
	TRY(os_remove(copy));
	TRY(os_remove(str_c(a, str_fmt(a, "%s.lock", copy))));
	if (old.n)
		e = index_put_copy(copy, old);
	if (!e)
		e = put_by_git(g, a, args, env, buf_str(&in), &said);
	if (!e)
		e = os_read(a, copy, INDEX_MAX, out);
	if (os_remove(copy) && !e)
		e = err_new(E_IO_ERROR, "cannot remove '%s'", copy);
	return e;
}

struct err *index_put(struct git *g, struct arena *a, struct os_lock_file *l,
		      const struct change *c, size_t n)
{
	unsigned char(*stat)[STAT_BYTES] = arena_array(a, n, STAT_BYTES);
	struct str old = STR(""), new = STR("");
	bool there, only_git = !put_natively(g, a);

	TRY_IN(map_file(a, g->index, INDEX_MAX, &old, &there), "the index");
	for (size_t i = 0; i < n; i++)
		put_index_stat(g, a, &c[i], stat[i]);
	if (!only_git)
		TRY(index_edit(a, old, g->index, c, (const unsigned char(*)[STAT_BYTES])stat, n,
			       &new, &only_git));
	if (only_git)
		TRY(index_put_by_git(g, a, old, c, n, &new));
	/* Equal already: the index of a commit that was made before. */
	if (there && str_eq(old, new))
		return NULL;
	TRY(os_lock_file_put(l, new, there));
	return os_lock_file_sync(l);
}
