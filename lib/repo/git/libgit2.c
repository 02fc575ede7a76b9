/*
 * Reads with libgit2: revisions, references, merge bases and configuration of one repository, and
 * the differences of two texts. libgit2 gets objects from ikm's readers, because libgit2 1.5
 * loops forever on a truncated loose object and reads beyond a pack whose index is damaged.
 */
#include "git/libgit2.h"
#include "os/os.h"
#include <git2/sys/alloc.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>

static void libgit2_shutdown(void *unused)
{
	(void)unused;
	git_libgit2_shutdown();
}

static void libgit2_close(void *p)
{
	struct libgit2 *lg = p;

	git_repository_free(lg->writer);
	git_config_free(lg->config);
	git_repository_free(lg->repo);
}

static const char *libgit2_words(void)
{
	const git_error *e = git_error_last();

	return e && e->message ? e->message : "libgit2 does not say why";
}

struct err *libgit2_failed(const char *doing)
{
	struct err *e = err_new(E_GIT_FAILED, "%s: %s", doing, libgit2_words());

	git_error_clear();
	return e;
}

static bool add_config(struct libgit2 *lg, const char *path, git_config_level_t level)
{
	struct os_stat st;
	struct err *e = os_stat(path, true, &st);

	/* git too reads no file of the user below a folder that the user may not enter. */
	if (e)
		return err_reason(e) == E_PERMISSION;
	/* Scripts use /dev/null for "no file"; libgit2 needs regular files. */
	if (st.kind != OS_FILE)
		return true;
	return !git_config_add_file_ondisk(lg->config, path, level, lg->repo, 1);
}

/* libgit2 knows neither the variables that name these files nor config.worktree. */
static bool open_config(struct git *g, struct libgit2 *lg)
{
	struct arena *a = g->arena;
	const char *xdg = os_env("XDG_CONFIG_HOME"), *home = os_env("HOME");
	const char *user = os_env("GIT_CONFIG_GLOBAL"), *system = os_env("GIT_CONFIG_SYSTEM");
	bool good = !git_config_new(&lg->config);
	int on = 0;

	if (good && !config_bool(os_env("GIT_CONFIG_NOSYSTEM"), false))
		good = add_config(lg, system ? system : "/etc/gitconfig", GIT_CONFIG_LEVEL_SYSTEM);
	if (good && !user && (xdg || home))
		good = add_config(lg,
				  xdg ? os_join(a, xdg, "git/config")
				      : os_join(a, home, ".config/git/config"),
				  GIT_CONFIG_LEVEL_XDG);
	if (good && (user || home))
		good = add_config(lg, user ? user : os_join(a, home, ".gitconfig"),
				  GIT_CONFIG_LEVEL_GLOBAL);
	good = good && add_config(lg, os_join(a, g->common, "config"), GIT_CONFIG_LEVEL_LOCAL);
	if (good && !git_config_get_bool(&on, lg->config, "extensions.worktreeconfig") && on)
		good = add_config(lg, os_join(a, g->dir, "config.worktree"), GIT_CONFIG_LEVEL_APP);
	return good && !git_repository_set_config(lg->repo, lg->config);
}

/* ---- formats ---- */

struct format {
	int version;
	bool strange;
	size_t settings; /* of the repository's own file */
};

static int check_extension(const git_config_entry *e, void *p)
{
	static const char *const known[] = {"noop", "worktreeconfig", "partialclone",
					    "relativeworktrees", "preciousobjects"};
	struct format *f = p;
	const char *value = e->value ? e->value : "";
	bool is_known = false;

	f->settings += e->level == GIT_CONFIG_LEVEL_LOCAL;
	if (e->level != GIT_CONFIG_LEVEL_LOCAL || strncmp(e->name, "extensions.", 11) != 0)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		is_known = is_known || !strcmp(e->name + 11, known[i]);
	if (!strcmp(e->name + 11, "objectformat"))
		f->strange = f->strange || f->version < 1 || strcmp(value, "sha1") != 0;
	else if (!strcmp(e->name + 11, "refstorage"))
		f->strange = f->strange || f->version < 1 || strcmp(value, "files") != 0;
	else
		/* Version 0 promised nothing about unknown extensions. */
		f->strange = f->strange || (!is_known && f->version > 0);
	return 0;
}

/* libgit2's own check knows few extensions, and leaks memory for each setting that is none. */
static bool unsupported_format(struct git *g)
{
	enum config_from from;
	struct format f = {0};
	const char *version;
	struct os_stat st;

	if (libgit2_config(g, g->arena, "core.repositoryformatversion", &version, &from))
		return true;
	f.version = version && from == CONFIG_COMMON ? version[0] - '0' : 0;
	if (f.version < 0 || f.version > 1 || (version && version[1]))
		return true;
	if (git_config_foreach(g->libgit2->config, check_extension, &f) || f.strange)
		return true;
	/* libgit2 takes a file for missing when access() fails in whatever way. */
	return !f.settings && (os_stat(os_join(g->arena, g->common, "config"), true, &st) ||
			       (st.kind == OS_FILE && st.size));
}

/* ---- objects for libgit2's own lookups ---- */

struct backend {
	git_odb_backend parent; /* must be first: libgit2 uses the address of this member */
	struct git *git;
};

static const git_object_t types[] = {GIT_OBJECT_ANY, GIT_OBJECT_COMMIT, GIT_OBJECT_TREE,
				     GIT_OBJECT_BLOB, GIT_OBJECT_TAG};

static enum object_type type_of(git_object_t t)
{
	for (unsigned i = OBJECT_COMMIT; i < ARRAY_SIZE(types); i++)
		if (types[i] == t)
			return (enum object_type)i;
	return OBJECT_ANY;
}

static int libgit2_damage(struct git *g, const struct err *e)
{
	g->libgit2->damage = str_c(g->arena, str_of(err_message(e)));
	g->libgit2->damage_reason = err_reason(e);
	return GIT_ERROR;
}

/* data NULL: only size and type. */
static int read_data(void **data, size_t *n, git_object_t *type, git_odb_backend *b,
		     const git_oid *id)
{
	struct git *g = ((struct backend *)b)->git;
	struct arena *a ARENA_LOCAL = arena_new();
	enum object_type t = OBJECT_ANY;
	struct str text = STR("");
	bool found = false;
	struct err *e = object_load(g, a, id->id, OBJECT_MAX, &t, n, data ? &text : NULL, &found);
	int rc = e ? libgit2_damage(g, e) : found ? 0 : GIT_ENOTFOUND;

	*type = types[t];
	if (!rc && data) {
		*data = git_odb_backend_data_alloc(b, text.n + 1);
		if (*data)
			memcpy(*data, text.p, text.n);
		else
			rc = GIT_ERROR;
	}
	return rc;
}

static int libgit2_read_header(size_t *n, git_object_t *type, git_odb_backend *b, const git_oid *id)
{
	return read_data(NULL, n, type, b, id);
}

static int libgit2_exists(git_odb_backend *b, const git_oid *id)
{
	git_object_t type;
	size_t n;

	/* libgit2 does not write an object that exists; so only one that was read does. */
	return !read_data(NULL, &n, &type, b, id);
}

/* Of a commit; libgit2_pack_put() writes it with the others. Else the next backend writes it. */
static int libgit2_keep(git_odb_backend *b, const git_oid *id, const void *data, size_t n,
			git_object_t type)
{
	struct git *g = ((struct backend *)b)->git;
	struct object_new *new;

	if (!g->packing)
		return GIT_ERROR;
	new = VEC_PUSH(g->arena, &g->unwritten);
	memcpy(new->id, id->id, GIT_OID_RAWSZ);
	new->bytes = str_dup(g->arena, (struct str){data, n});
	new->type = type_of(type);
	return 0;
}

static int exists_prefix(git_oid *out, git_odb_backend *b, const git_oid *start, size_t len)
{
	struct git *g = ((struct backend *)b)->git;
	char hex[GIT_OID_HEXSZ + 1];
	struct str digits = {hex, len};
	unsigned n = 0;
	struct err *e;

	git_oid_tostr(hex, sizeof(hex), start);
	e = loose_count_prefix(g, digits, out->id, &n);
	if (!e)
		e = pack_count_prefix(g, digits, out->id, &n);
	if (e)
		return libgit2_damage(g, e);
	return n == 0 ? GIT_ENOTFOUND : n == 1 ? 0 : GIT_EAMBIGUOUS;
}

static int read_prefix(git_oid *out, void **data, size_t *n, git_object_t *type, git_odb_backend *b,
		       const git_oid *start, size_t len)
{
	int rc = exists_prefix(out, b, start, len);

	return rc ? rc : read_data(data, n, type, b, out);
}

/* libgit2 asks for it before it takes an object for missing. */
static int libgit2_refresh(git_odb_backend *b)
{
	packs_mark_changed(((struct backend *)b)->git);
	return 0;
}

static void free_backend(git_odb_backend *b)
{
	free(b);
}

static bool set_objects(struct git *g, struct libgit2 *lg)
{
	/* libgit2 frees it. */
	struct backend *b = mem_zeroed(1, sizeof(*b));
	git_odb *odb = NULL;
	bool done;

	b->git = g;
	b->parent = (git_odb_backend){.version = GIT_ODB_BACKEND_VERSION,
				      .read = read_data,
				      .read_prefix = read_prefix,
				      .read_header = libgit2_read_header,
				      .write = libgit2_keep,
				      .refresh = libgit2_refresh,
				      .exists = libgit2_exists,
				      .exists_prefix = exists_prefix,
				      .free = free_backend};
	if (git_odb_new(&odb) || git_odb_add_backend(odb, &b->parent, 1)) {
		git_odb_free(odb);
		free(b);
		return false;
	}
	done = !git_repository_set_odb(lg->repo, odb);
	git_odb_free(odb);
	return done;
}

/* ---- its memory: without it libgit2 would crash ---- */

static void *libgit2_realloc(void *p, size_t n, const char *file, int line)
{
	(void)file;
	(void)line;
	return mem_resized(p, n);
}

static void *libgit2_malloc(size_t n, const char *file, int line)
{
	return libgit2_realloc(NULL, n, file, line);
}

#if LIBGIT2_VER_MAJOR == 1 && LIBGIT2_VER_MINOR < 7
static void *libgit2_calloc(size_t n, size_t size, const char *file, int line)
{
	(void)file;
	(void)line;
	return mem_zeroed(n, size);
}

static char *libgit2_substrdup(const char *s, size_t n, const char *file, int line)
{
	char *copy = libgit2_malloc(n + 1, file, line);

	copy[n] = '\0';
	return memcpy(copy, s, n);
}

static char *libgit2_strndup(const char *s, size_t n, const char *file, int line)
{
	return libgit2_substrdup(s, strnlen(s, n), file, line);
}

static char *libgit2_strdup(const char *s, const char *file, int line)
{
	return libgit2_substrdup(s, strlen(s), file, line);
}

static void *libgit2_reallocarray(void *p, size_t n, size_t size, const char *file, int line)
{
	return libgit2_realloc(p, size && n > SIZE_MAX / size ? SIZE_MAX : n * size, file, line);
}

static void *libgit2_mallocarray(size_t n, size_t size, const char *file, int line)
{
	return libgit2_reallocarray(NULL, n, size, file, line);
}
#endif

/* Before main(), for no thread may use libgit2 yet. */
__attribute__((constructor)) static void libgit2_set_memory(void)
{
	git_allocator memory = {
		.gmalloc = libgit2_malloc,
		.grealloc = libgit2_realloc,
		.gfree = free,
#if LIBGIT2_VER_MAJOR == 1 && LIBGIT2_VER_MINOR < 7
		.gcalloc = libgit2_calloc,
		.gstrdup = libgit2_strdup,
		.gstrndup = libgit2_strndup,
		.gsubstrdup = libgit2_substrdup,
		.greallocarray = libgit2_reallocarray,
		.gmallocarray = libgit2_mallocarray,
#endif
	};

	git_libgit2_opts(GIT_OPT_SET_ALLOCATOR, &memory);
}

void libgit2_open(struct git *g)
{
	struct libgit2 *lg = ARENA_NEW(g->arena, struct libgit2);
	const char *common = repo_env_get(g, "GIT_COMMON_DIR");

	if (git_libgit2_init() < 0) {
		g->why_no_libgit2 = str_c(g->arena, str_of(libgit2_words()));
		return;
	}
	arena_defer(g->arena, libgit2_shutdown, NULL);
	arena_defer(g->arena, libgit2_close, lg);
	/* Compressed bytes have a checksum of their own; git checks nothing else either. */
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
	g->libgit2 = lg;
	if (common && strcmp(common, g->common) != 0)
		g->why_no_libgit2 = "GIT_COMMON_DIR is set";
	/* "Bare" opens exactly this folder, without a working tree and without further checks. */
	else if (git_repository_open_bare(&lg->repo, g->dir) || !open_config(g, lg) ||
		 !set_objects(g, lg))
		g->why_no_libgit2 = str_c(g->arena, str_of(libgit2_words()));
	else if (unsupported_format(g))
		g->why_no_libgit2 = "it has another format";
	if (g->why_no_libgit2)
		g->libgit2 = NULL;
	git_error_clear();
}

/* ---- revisions ---- */

/* libgit2 met an unreadable object: report that, not "no such revision". */
static struct err *corrupt_object(struct git *g)
{
	const char *what = g->libgit2->damage;

	git_error_clear();
	g->libgit2->damage = NULL;
	return what ? err_help(err_new(g->libgit2->damage_reason, "%s", what),
			       "see what else is: git fsck")
		    : NULL;
}

/*
 * The object of the reference at the start of a revision must be readable before libgit2 resolves
 * it; otherwise libgit2 leaks the reference.
 */
static struct err *reference_is_good(struct git *g, const char *rev, bool *good)
{
	struct arena *a ARENA_LOCAL = arena_new();
	size_t n = strcspn(rev, "^~:@{"), size;
	const char *name = n ? str_c(a, (struct str){rev, n}) : "HEAD";
	git_reference *ref = NULL;
	enum object_type type;
	struct err *e;
	struct str text;

	*good = true;
	e = git_rev_ref_files_check_regular(g, rev);
	if (!e && !git_reference_dwim(&ref, g->libgit2->repo, name) && git_reference_target(ref))
		e = object_load(g, a, git_reference_target(ref)->id, OBJECT_MAX, &type, &size,
				&text, good);
	git_reference_free(ref);
	return e;
}

struct err *libgit2_revision(struct git *g, const char *rev, unsigned char *id,
			     enum object_type *type, bool *found)
{
	git_object *o = NULL, *peeled;

	*found = false;
	TRY(reference_is_good(g, rev, found));
	if (!*found)
		return NULL;
	*found = false;
	if (git_revparse_single(&o, g->libgit2->repo, rev))
		return corrupt_object(g);
	/*
	 * Type "any": the object that a tag names in the end. Type "commit" would peel a commit to
	 * its tree.
	 */
	if (git_object_type(o) == GIT_OBJECT_TAG) {
		int rc = git_object_peel(&peeled, o, GIT_OBJECT_ANY);

		git_object_free(o);
		if (rc)
			return corrupt_object(g);
		o = peeled;
	}
	memcpy(id, git_object_id(o)->id, GIT_OID_RAWSZ);
	*type = type_of(git_object_type(o));
	git_object_free(o);
	*found = true;
	return NULL;
}

enum libgit2_head libgit2_head(struct git *g, unsigned char *id)
{
	git_reference *ref = NULL;
	const git_oid *oid;
	int rc = git_repository_head(&ref, g->libgit2->repo);

	git_error_clear();
	if (rc == GIT_EUNBORNBRANCH)
		return LIBGIT2_HEAD_UNBORN;
	oid = rc ? NULL : git_reference_target(ref);
	if (oid)
		memcpy(id, oid->id, GIT_OID_RAWSZ);
	git_reference_free(ref);
	return oid ? LIBGIT2_HEAD_COMMIT : LIBGIT2_HEAD_UNKNOWN;
}

struct err *libgit2_merge_base(struct git *g, const unsigned char *one, const unsigned char *two,
			       unsigned char *id, enum libgit2_base *out)
{
	git_oid a, b, base;
	int rc;

	git_oid_fromraw(&a, one);
	git_oid_fromraw(&b, two);
	rc = git_merge_base(&base, g->libgit2->repo, &a, &b);
	if (!rc)
		memcpy(id, base.id, GIT_OID_RAWSZ);
	*out = !rc                   ? LIBGIT2_BASE_FOUND
	       : rc == GIT_ENOTFOUND ? LIBGIT2_BASE_NONE
				     : LIBGIT2_BASE_UNKNOWN;
	return rc ? corrupt_object(g) : NULL;
}

struct err *libgit2_refs(struct git *g, struct arena *a, struct strs *out)
{
	git_strarray names = {0};

	TRY(git_ref_files_check_regular(g));
	if (git_reference_list(&names, g->libgit2->repo))
		return libgit2_failed("list the references");
	for (size_t i = 0; i < names.count; i++)
		strs_push(a, out, str_dup(a, str_of(names.strings[i])));
	git_strarray_dispose(&names);
	return NULL;
}

/* ---- configuration ---- */

static struct err *bad_config(const char *what)
{
	return err_new(E_BAD_CONFIG, "read git's configuration (%s): %s", what, libgit2_words());
}

struct err *libgit2_config(struct git *g, struct arena *a, const char *key, const char **out,
			   enum config_from *from)
{
	git_config_entry *e = NULL;
	int rc = git_config_get_entry(&e, g->libgit2->config, key);

	*out = NULL;
	*from = CONFIG_UNSET;
	if (rc == GIT_ENOTFOUND || rc == GIT_EINVALIDSPEC) {
		git_error_clear();
		return rc == GIT_ENOTFOUND ? NULL
					   : err_new(E_BAD_ARGUMENT,
						     "'%s' is no key of git's configuration", key);
	}
	if (rc)
		return bad_config(key);
	/* "[core] bare" without "=" is the short form for true. */
	*out = str_c(a, str_of(e->value ? e->value : "true"));
	*from = e->level == GIT_CONFIG_LEVEL_LOCAL ? CONFIG_COMMON
		: e->level == GIT_CONFIG_LEVEL_APP ? CONFIG_WORKTREE
						   : CONFIG_USER;
	git_config_entry_free(e);
	return NULL;
}

struct gather {
	struct arena *a;
	struct strs *out;
	const char *start, *end;
	bool protected; /* only files of the machine and the user */
};

static int libgit2_gather(const git_config_entry *e, void *p)
{
	struct gather *c = p;
	struct str name = str_of(e->name);

	if (c->protected != (e->level < GIT_CONFIG_LEVEL_LOCAL))
		return 0;
	if (str_starts(name, str_of(c->start)) && str_ends(name, str_of(c->end)))
		strs_push(c->a, c->out, str_dup(c->a, str_of(e->value ? e->value : "true")));
	return 0;
}

struct err *libgit2_config_protected(struct git *g, struct arena *a, const char *key,
				     struct strs *out)
{
	struct gather c = {a, out, key, "", true};

	return git_config_foreach(g->libgit2->config, libgit2_gather, &c) ? bad_config(key) : NULL;
}

struct err *libgit2_config_find_keys(struct git *g, struct arena *a, const char *start,
				     const char *end, struct strs *values)
{
	struct gather c = {a, values, start, end, false};

	return git_config_foreach(g->libgit2->config, libgit2_gather, &c) ? bad_config(start)
									  : NULL;
}

/* ---- differences of two texts ---- */

static void put_name(struct buf *b, const char *mark, const char *name)
{
	bool odd = str_needs_quotes(str_of(name));

	buf_puts(b, mark);
	if (!odd) {
		buf_puts(b, name);
	} else {
		buf_putc(b, '"');
		for (const char *p = name; *p; p++) {
			if (*p == '"' || *p == '\\')
				buf_fmt(b, "\\%c", *p);
			else if ((unsigned char)*p < ' ' || *p == 127)
				buf_fmt(b, "\\%03o", (unsigned)*p);
			else
				buf_putc(b, *p);
		}
		buf_putc(b, '"');
	}
	/* Readers take the text after a blank for a date, unless a tab ends the name. */
	buf_puts(b, strchr(name, ' ') && !odd ? "\t\n" : "\n");
}

struct diff_text {
	struct buf b;
	const char *old_name, *new_name;
};

static void put_range(struct buf *b, int start, int count)
{
	buf_fmt(b, "%d", start);
	if (count != 1)
		buf_fmt(b, ",%d", count);
}

static int put_hunk(const git_diff_delta *delta, const git_diff_hunk *h, void *p)
{
	struct diff_text *t = p;

	(void)delta;
	if (!t->b.n) {
		put_name(&t->b, "--- ", t->old_name);
		put_name(&t->b, "+++ ", t->new_name);
	}
	/* Not h->header: it has the enclosing function, which git prints and diff -u does not. */
	buf_puts(&t->b, "@@ -");
	put_range(&t->b, h->old_start, h->old_lines);
	buf_puts(&t->b, " +");
	put_range(&t->b, h->new_start, h->new_lines);
	buf_puts(&t->b, " @@\n");
	return 0;
}

static int libgit2_put_line(const git_diff_delta *delta, const git_diff_hunk *h,
			    const git_diff_line *l, void *p)
{
	struct diff_text *t = p;

	(void)delta;
	(void)h;
	/* The other origins are "no newline"; their content is the whole line. */
	if (l->origin == GIT_DIFF_LINE_CONTEXT || l->origin == GIT_DIFF_LINE_ADDITION ||
	    l->origin == GIT_DIFF_LINE_DELETION)
		buf_putc(&t->b, l->origin);
	buf_put(&t->b, (struct str){l->content, l->content_len});
	return 0;
}

struct err *git_diff_contents(struct arena *a, const char *old_name, struct str old,
			      const char *new_name, struct str new, unsigned context,
			      struct str *out)
{
	git_diff_options options = GIT_DIFF_OPTIONS_INIT;
	struct diff_text t = {buf_in(a), old_name, new_name};
	struct err *e = NULL;

	git_libgit2_init();
	options.flags = GIT_DIFF_FORCE_TEXT;
	options.context_lines = context;
	options.max_size = -1;
	if (git_diff_buffers(old.p ? old.p : "", old.n, NULL, new.p ? new.p : "", new.n, NULL,
			     &options, NULL, NULL, put_hunk, libgit2_put_line, &t))
		e = err_new(E_GIT_FAILED, "cannot compare '%s' with '%s': %s", old_name, new_name,
			    libgit2_words());
	git_libgit2_shutdown();
	*out = buf_as_str(&t.b);
	return e;
}
