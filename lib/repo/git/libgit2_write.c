/*
 * Writes objects, trees and the index with libgit2, and asks libgit2 what `git add` would store. It
 * has a repository of its own for that: with the working tree, whose .gitattributes count, and with
 * an index of its own, so that libgit2 does not parse the real index.
 */
#include "git/commit_paths.h"
#include "git/libgit2.h"
#include "os/os.h"
#include <errno.h>
#include <fcntl.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>
#include <sys/stat.h>
#include <unistd.h>

static const git_object_t libgit2_types[] = {GIT_OBJECT_ANY, GIT_OBJECT_COMMIT, GIT_OBJECT_TREE,
					     GIT_OBJECT_BLOB, GIT_OBJECT_TAG};

/*
 * Reads go to ikm's readers first; only what they do not have is asked of libgit2's own backend. A
 * write goes there unless ikm keeps the object for a pack.
 */
static bool writer_set_objects(struct git *g, git_repository *repo)
{
	git_odb_backend *loose = NULL;
	git_odb *odb = NULL;
	bool done;

	if (git_repository_odb(&odb, g->libgit2->repo))
		return false;
	done = g->objects.n && !git_odb_backend_loose(&loose, g->objects.p[0].p, -1, 0, 0, 0) &&
	       !git_odb_add_backend(odb, loose, 0);
	if (!done && loose)
		loose->free(loose);
	done = done && !git_repository_set_odb(repo, odb);
	git_odb_free(odb);
	return done;
}

static struct err *libgit2_writer(struct git *g, git_repository **out)
{
	struct libgit2 *lg = g->libgit2;
	git_repository *repo = NULL;
	bool done;

	*out = lg->writer;
	if (*out)
		return NULL;
	done = !git_repository_open_bare(&repo, g->dir) &&
	       !git_repository_set_workdir(repo, g->top, 0) &&
	       !git_repository_set_config(repo, lg->config) && writer_set_objects(g, repo);
	if (!done) {
		git_repository_free(repo);
		return libgit2_failed("open the repository for writing");
	}
	*out = lg->writer = repo;
	return NULL;
}

/* ---- objects ---- */

struct err *libgit2_object_write(struct git *g, enum object_type type, struct str bytes,
				 unsigned char *id)
{
	git_repository *repo;
	git_odb *odb = NULL;
	struct err *e = NULL;
	git_oid oid;

	TRY(libgit2_writer(g, &repo));
	if (!os_fault("object"))
		return err_errno(errno, "write an object into '%s'", g->objects.p[0].p);
	if (git_repository_odb(&odb, repo) ||
	    git_odb_write(&oid, odb, bytes.p, bytes.n, libgit2_types[type]))
		e = libgit2_failed("write an object");
	else
		memcpy(id, oid.id, GIT_OID_RAWSZ);
	git_odb_free(odb);
	return e;
}

struct err *libgit2_tree_write(struct git *g, struct arena *a, const unsigned char *base,
			       const struct change *c, size_t n, unsigned char *id)
{
	git_tree_update *updates = arena_array(a, n, sizeof(*updates));
	git_repository *repo;
	git_tree *tree = NULL;
	struct err *e = NULL;
	size_t updates_n = 0;
	git_oid oid;

	TRY(libgit2_writer(g, &repo));
	for (size_t i = 0; i < n; i++) {
		git_tree_update *u = &updates[updates_n];

		/* libgit2 refuses to remove what is not there. */
		if (!c[i].id && !c[i].there)
			continue;
		updates_n++;
		*u = (git_tree_update){.action = GIT_TREE_UPDATE_REMOVE,
				       .path = str_c(a, c[i].path)};
		if (!c[i].id)
			continue;
		u->action = GIT_TREE_UPDATE_UPSERT;
		u->filemode = c[i].mode;
		memcpy(u->id.id, c[i].id, GIT_OID_RAWSZ);
	}
	if (!os_fault("tree"))
		return err_errno(errno, "write a tree into '%s'", g->objects.p[0].p);
	if ((base && (git_oid_fromraw(&oid, base) || git_tree_lookup(&tree, repo, &oid))) ||
	    git_tree_create_updated(&oid, repo, tree, updates_n, updates))
		e = libgit2_failed("write a tree");
	else
		memcpy(id, oid.id, GIT_OID_RAWSZ);
	git_tree_free(tree);
	return e;
}

/* The pack, its index, and the folder that names them. */
static struct err *pack_sync(struct arena *a, const char *dir, const char *name)
{
	const char *const paths[] = {str_fmt(a, "%s.pack", name).p, str_fmt(a, "%s.idx", name).p,
				     dir};
	int rc = os_fault("fsync of a pack") ? 0 : -1;

	for (size_t i = 0; !rc && i < ARRAY_SIZE(paths); i++) {
		int fd = open(paths[i], O_RDONLY | O_CLOEXEC);

		rc = fd < 0 ? -1 : os_fsync(fd);
		if (fd >= 0)
			close(fd);
	}
	return rc ? err_errno(errno, "make the pack '%s' durable", name) : NULL;
}

struct err *libgit2_pack_put(struct git *g, struct arena *a, const struct object_ids *ids,
			     const char **name)
{
	const char *dir = os_join(a, g->objects.p[0].p, "pack");
	git_packbuilder *pack = NULL;
	git_repository *repo;
	struct err *e = NULL;
	bool done;

	TRY(libgit2_writer(g, &repo));
	TRY(os_mkdirs(dir, 0777));
	done = !git_packbuilder_new(&pack, repo);
	for (size_t i = 0; done && i < ids->n; i++) {
		git_oid id;

		memcpy(id.id, ids->p[i], GIT_OID_RAWSZ);
		done = !git_packbuilder_insert(pack, &id, NULL);
	}
	if (!os_fault("pack"))
		e = err_errno(errno, "write a pack into '%s'", dir);
	else if (done && !git_packbuilder_write(pack, dir, 0, NULL, NULL))
		*name = str_fmt(a, "%s/pack-%s", dir, git_packbuilder_name(pack)).p;
	else
		e = libgit2_failed("write a pack");
	git_packbuilder_free(pack);
	packs_mark_changed(g);
	return e ? e : pack_sync(a, dir, *name);
}

/* ---- the index ---- */

/*
 * The state of the file as git records it, if the file has the bytes of the change. Else zeros: git
 * compares the contents then.
 */
static void libgit2_entry_stat(const struct git *g, struct arena *a, const struct change *c,
			       git_index_entry *out)
{
	const char *path = os_join(a, g->top, str_c(a, c->path));
	struct stat st, now;
	struct str text;

	if (!c->bytes.p || lstat(path, &st) || !S_ISREG(st.st_mode) ||
	    (uint64_t)st.st_size != c->bytes.n || os_read_path(a, path, c->bytes.n, &text) ||
	    !str_eq(text, c->bytes) || lstat(path, &now) || now.st_ino != st.st_ino ||
	    now.st_size != st.st_size || now.st_mtim.tv_sec != st.st_mtim.tv_sec ||
	    now.st_mtim.tv_nsec != st.st_mtim.tv_nsec)
		return;
	out->ctime = (git_index_time){(int32_t)st.st_ctim.tv_sec, (uint32_t)st.st_ctim.tv_nsec};
	out->mtime = (git_index_time){(int32_t)st.st_mtim.tv_sec, (uint32_t)st.st_mtim.tv_nsec};
	out->dev = (uint32_t)st.st_dev;
	out->ino = (uint32_t)st.st_ino;
	out->uid = st.st_uid;
	out->gid = st.st_gid;
	out->file_size = (uint32_t)st.st_size;
}

static bool libgit2_entry_put(const struct git *g, struct arena *a, git_index *ix,
			      const struct change *c)
{
	const char *path = str_c(a, c->path);
	const git_index_entry *old = git_index_get_bypath(ix, path, 0);
	git_index_entry e = {.mode = c->mode, .path = path};

	if (!c->id)
		return !old || !git_index_remove(ix, path, 0);
	/* The other flags stay; a new content is not intended any more, but there. */
	if (old) {
		e.flags = old->flags & GIT_INDEX_ENTRY_VALID;
		e.flags_extended = old->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE;
	}
	memcpy(e.id.id, c->id, GIT_OID_RAWSZ);
	libgit2_entry_stat(g, a, c, &e);
	return !git_index_add(ix, &e);
}

bool libgit2_index_write(const struct git *g, struct arena *a, const char *path,
			 const struct change *c, size_t n)
{
	git_index *ix = NULL;
	bool done = !git_index_open(&ix, path);

	for (size_t i = 0; done && i < n; i++)
		done = libgit2_entry_put(g, a, ix, &c[i]);
	done = done && !git_index_write(ix);
	git_index_free(ix);
	git_error_clear();
	return done;
}

/* ---- references ---- */

struct err *libgit2_ref_id(struct git *g, const char *name, unsigned char *id, bool *found)
{
	git_oid oid;
	int rc;

	TRY(git_rev_ref_files_check_regular(g, name));
	rc = git_reference_name_to_id(&oid, g->libgit2->repo, name);
	*found = !rc;
	if (rc && rc != GIT_ENOTFOUND)
		return libgit2_failed("read a reference");
	git_error_clear();
	if (rc)
		return ref_confirm_missing(g, name);
	memcpy(id, oid.id, GIT_OID_RAWSZ);
	return NULL;
}

struct err *libgit2_ref_target(struct git *g, struct arena *a, const char *name, const char **out)
{
	git_reference *ref = NULL;
	const char *target;
	int rc;

	*out = NULL;
	TRY(git_rev_ref_files_check_regular(g, name));
	rc = git_reference_lookup(&ref, g->libgit2->repo, name);
	if (rc && rc != GIT_ENOTFOUND)
		return libgit2_failed("read a reference");
	git_error_clear();
	target = rc ? NULL : git_reference_symbolic_target(ref);
	if (target)
		*out = str_c(a, str_of(target));
	git_reference_free(ref);
	return NULL;
}

/* ---- what `git add` stores ---- */

/*
 * git reads a .gitattributes file that is not in the working tree from the index, and keeps the CRs
 * of a file that the index has with CRs. So these entries are enough of an index.
 */
static bool writer_set_index(git_repository *repo, const struct index_entry *staged, size_t n)
{
	static const uint32_t modes[] = {GIT_FILEMODE_BLOB, GIT_FILEMODE_BLOB_EXECUTABLE,
					 GIT_FILEMODE_LINK, GIT_FILEMODE_COMMIT};
	git_index *ix = NULL;
	bool done = !git_index_new(&ix);

	for (size_t i = 0; done && i < n; i++) {
		git_index_entry e = {.mode = modes[staged[i].kind], .path = staged[i].name};

		memcpy(e.id.id, staged[i].id, GIT_OID_RAWSZ);
		done = !git_index_add(ix, &e);
	}
	done = done && !git_repository_set_index(repo, ix);
	git_index_free(ix);
	return done;
}

struct err *libgit2_attributes(struct git *g, struct arena *a, const char *path,
			       const struct index_entry *staged, size_t staged_n,
			       const char *const *names, size_t n, const char **values)
{
	git_repository *repo;

	TRY(libgit2_writer(g, &repo));
	git_attr_cache_flush(repo);
	if (!writer_set_index(repo, staged, staged_n) ||
	    git_attr_get_many(values, repo, GIT_ATTR_CHECK_FILE_THEN_INDEX, path, n,
			      (const char **)(uintptr_t)names))
		return libgit2_failed("read the attributes");
	for (size_t i = 0; i < n; i++)
		switch (git_attr_value(values[i])) {
		case GIT_ATTR_VALUE_UNSPECIFIED: values[i] = NULL; break;
		case GIT_ATTR_VALUE_TRUE: values[i] = "true"; break;
		case GIT_ATTR_VALUE_FALSE: values[i] = "false"; break;
		case GIT_ATTR_VALUE_STRING: values[i] = str_c(a, str_of(values[i])); break;
		}
	return NULL;
}

struct err *libgit2_to_object(struct git *g, struct arena *a, const char *path, struct str bytes,
			      struct str *out)
{
	git_filter_list *filters = NULL;
	git_buf text = GIT_BUF_INIT;
	git_repository *repo;
	struct err *e = NULL;

	TRY(libgit2_writer(g, &repo));
	/* core.safecrlf warns in git; a warning is no reason to refuse. */
	if (git_filter_list_load(&filters, repo, NULL, path, GIT_FILTER_TO_ODB,
				 GIT_FILTER_ALLOW_UNSAFE) ||
	    git_filter_list_apply_to_buffer(&text, filters, bytes.p, bytes.n))
		e = libgit2_failed("convert the line ends");
	else
		*out = str_dup(a, (struct str){text.ptr, text.size});
	git_buf_dispose(&text);
	git_filter_list_free(filters);
	return e;
}
