/*
 * One commit of given files; git.h says what it promises, and what a kill leaves at each step.
 *
 *   step                 tool                             otherwise
 *   blobs, trees, commit libgit2                          git hash-object, read-tree, update-index
 *                                                         and write-tree; commit-tree to sign
 *   one pack of them     libgit2                          loose, by git
 *   durable, read back   ikm, whoever wrote them
 *   the branch           ikm: git's locks (rev.c)          git update-ref
 *   the index            libgit2, on a second name        git update-index, on a copy; both are put
 *                                                         in place under ikm's lock
 *
 * "Otherwise" is for what libgit2 cannot write: sha256, reftable, core.sharedRepository; and of the
 * index alone: split and sparse ones, and extensions that libgit2 would drop.
 */
#include "git/commit_paths.h"
#include "os/os.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

struct ident {
	struct str name, email, date; /* date: "1700000000 +0100" */
};
enum ident_role { IDENT_AUTHOR, IDENT_COMMITTER };

/* A name without what git removes from names. */
static struct str ident_clean(struct arena *a, struct str name)
{
	static const char crud[] = ".,:;<>\"\\'";
	struct buf b = buf_in(a);

	while (name.n && ((unsigned char)name.p[0] <= ' ' || strchr(crud, name.p[0])))
		name = str_sub(name, 1, name.n);
	while (name.n &&
	       ((unsigned char)name.p[name.n - 1] <= ' ' || strchr(crud, name.p[name.n - 1])))
		name.n--;
	for (size_t i = 0; i < name.n; i++)
		if (name.p[i] && name.p[i] != '\n' && name.p[i] != '<' && name.p[i] != '>')
			buf_putc(&b, name.p[i]);
	return buf_as_str(&b);
}

/* "Ada <ada@example.org> 1700000000 +0100" */
static struct str ident_text(struct arena *a, const struct ident *i)
{
	return str_fmt(a, "%.*s <%.*s> %.*s", STR_ARG(i->name), STR_ARG(i->email),
		       STR_ARG(i->date));
}

/* ---- dates ---- */

static bool ident_is_zone(struct str s)
{
	if (s.n != 5 || (s.p[0] != '+' && s.p[0] != '-'))
		return false;
	for (size_t i = 1; i < 5; i++)
		if (!ascii_is_digit(s.p[i]))
			return false;
	return true;
}

static struct err *ident_date(struct arena *a, const char *env, struct str *out)
{
	struct str given = str_of(os_env(env)), seconds, zone = given;
	/* Git calls a commit from before 1970 an error. */
	int64_t n = os_now() < 0 ? 0 : os_now() / 1000, ms;
	time_t now = (time_t)n;
	long offset;
	struct tm tm;

	str_take_char(&zone, '@');
	if (given.n && str_next_part(&zone, ' ', &seconds) && str_int(seconds, &n) && n >= 0 &&
	    (!zone.n || ident_is_zone(zone))) {
		*out = str_fmt(a, "%lld %.*s", (long long)n, STR_ARG(zone.n ? zone : STR("+0000")));
		return NULL;
	}
	if (given.n && os_time_read(given, &ms) && ms >= 0) {
		*out = str_fmt(a, "%lld +0000", (long long)(ms / 1000));
		return NULL;
	}
	if (given.n)
		return err_new(E_BAD_ARGUMENT,
			       "%s is '%.*s', and ikm reads 'SECONDS ZONE' (1700000000 +0100) and "
			       "RFC 3339 (2026-01-31T12:00:00Z) only, not before 1970",
			       env, STR_ARG(given));
	if (!localtime_r(&now, &tm))
		return err_new(E_BAD_CONFIG, "the clock shows no date");
	offset = tm.tm_gmtoff / 60;
	*out = str_fmt(a, "%lld %c%02ld%02ld", (long long)now, offset < 0 ? '-' : '+',
		       labs(offset) / 60, labs(offset) % 60);
	return NULL;
}

/* ---- names ---- */

static struct err *ident_part(struct git *g, struct arena *a, const char *env, const char *own,
			      const char *common, struct str *out)
{
	const char *value = os_env(env);

	if (!value)
		TRY(git_setting(g, a, own, &value));
	if (!value)
		TRY(git_setting(g, a, common, &value));
	*out = ident_clean(a, str_of(value));
	return NULL;
}

/* git's identity. NOT_CONFIGURED; BAD_ARGUMENT for a date that ikm cannot read. */
static struct err *ident_of(struct git *g, struct arena *a, enum ident_role role, struct ident *out)
{
	bool author = role == IDENT_AUTHOR;
	struct err *e;

	TRY(ident_part(g, a, author ? "GIT_AUTHOR_NAME" : "GIT_COMMITTER_NAME",
		       author ? "author.name" : "committer.name", "user.name", &out->name));
	TRY(ident_part(g, a, author ? "GIT_AUTHOR_EMAIL" : "GIT_COMMITTER_EMAIL",
		       author ? "author.email" : "committer.email", "user.email", &out->email));
	if (!out->email.n)
		out->email = ident_clean(a, str_of(os_env("EMAIL")));
	if (out->name.n && out->email.n)
		return ident_date(a, author ? "GIT_AUTHOR_DATE" : "GIT_COMMITTER_DATE", &out->date);
	e = err_new(E_NOT_CONFIGURED,
		    "git does not know the %s for the %s of a commit in '%s': %s is not set",
		    out->name.n ? "e-mail address" : "name", author ? "author" : "committer",
		    g->top ? g->top : g->dir, out->name.n ? "user.email" : "user.name");
	if (!out->name.n)
		err_help(e, "git config --global user.name 'YOUR NAME'");
	return out->email.n ? e : err_help(e, "git config --global user.email YOU@EXAMPLE.ORG");
}

#define TRIES       8      /* commits of others that came first */
#define SIGN_MS     120000 /* a person may have to type a passphrase */
#define MESSAGE_MAX 65536  /* git warns about longer lines only; this is not for texts */

/* One call. */
struct committing {
	struct git *g;
	struct arena *a;
	const struct git_commit_ask *q;
	struct change *c;
	size_t n;
	struct ident author, committer;
	struct str text; /* the message with its trailers */
	bool sign;
};

/* ---- the tools ---- */

bool put_can_use_libgit2(const struct git *g, struct arena *a)
{
	const char *shared = NULL;

	if (!g->libgit2 ||
	    git_setting((struct git *)(uintptr_t)g, a, "core.sharedRepository", &shared))
		return false;
	/* libgit2 does not give the files to the group. */
	return !shared || !strcmp(shared, "umask") || !config_bool(shared, true);
}

static struct err *put_id_by_git(struct git *g, struct arena *a, const char *const *args,
				 const char *const *env, struct str in, unsigned char *id)
{
	struct str out = {0};

	TRY(put_by_git(g, a, args, env, in, &out));
	if (!id_parse(str_trim(out), id, g->id_len))
		return err_new(E_GIT_FAILED, "git %s gave no id", args[0]);
	return NULL;
}

/* ---- the proof ---- */

static void written_add(struct git *g, const unsigned char *id)
{
	for (size_t i = 0; i < g->written.n; i++)
		if (id_eq(g->written.p[i], id, g->id_len))
			return;
	memcpy(*VEC_PUSH(g->arena, &g->written), id, g->id_len);
}

struct written_sync {
	struct strs paths;
	atomic_int errnum;
};

static void written_sync_one(void *ctx, unsigned thread, size_t i)
{
	struct written_sync *s = ctx;
	int fd = open(s->paths.p[i].p, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	(void)thread;
	/* A repack has moved it: object_verify() reads it there. */
	if (fd < 0 && errno == ENOENT)
		return;
	if (fd < 0 || os_fsync(fd))
		s->errnum = errno;
	if (fd >= 0)
		close(fd);
}

/*
 * Those that lie in files of their own: also one that was there, which maybe nobody made durable.
 * At the same time, so that the file system can write them in one go.
 */
static struct err *written_sync(struct git *g, struct arena *a)
{
	const char *objects = g->objects.p[0].p;
	struct written_sync s = {0};
	char hex[HEX_MAX];

	for (size_t i = 0; i < g->written.n; i++) {
		struct str dir, file;

		id_hex(g->written.p[i], g->id_len, hex);
		dir = str_fmt(a, "%s/%.2s", objects, hex);
		file = str_fmt(a, "%s/%s", dir.p, hex + 2);
		if (access(file.p, F_OK))
			continue;
		strs_push(a, &s.paths, file);
		if (!strs_has(&s.paths, dir))
			strs_push(a, &s.paths, dir);
	}
	if (s.paths.n)
		strs_push(a, &s.paths, g->objects.p[0]);
	if (!os_fault("fsync of objects"))
		s.errnum = errno;
	else
		os_parallel_for(s.paths.n, 8, written_sync_one, &s);
	return s.errnum ? err_errno(s.errnum, "make the objects in '%s' durable", objects) : NULL;
}

static void written_forget(struct git *g)
{
	g->written.n = g->unwritten.n = 0;
	g->packing = false;
}

/*
 * Of a whole commit one pack is written: each loose object has a file, and often a folder, that the
 * disk must be waited for. Then all is read back. A writer may have been wrong about an object that
 * it did not write because "it is there already", and git would then have a branch that names
 * missing objects.
 */
static struct err *written_settle(struct git *g, struct arena *a)
{
	if (g->unwritten.n) {
		struct object_ids new = {0};
		const char *name;

		for (size_t i = 0; i < g->unwritten.n; i++)
			memcpy(*VEC_PUSH(a, &new), g->unwritten.p[i].id, g->id_len);
		TRY(libgit2_pack_put(g, a, &new, &name));
		g->unwritten.n = 0;
	}
	/* What git wrote, git made durable. */
	if (put_can_use_libgit2(g, a))
		TRY(written_sync(g, a));
	for (size_t i = 0; i < g->written.n; i++)
		TRY(object_verify(g, g->written.p[i]));
	g->written.n = 0;
	return NULL;
}

/* ---- objects ---- */

static struct err *put_object(struct git *g, struct arena *a, enum object_type type,
			      struct str bytes, unsigned char *id)
{
	static const char *const names[] = {"", "commit", "tree", "blob", "tag"};
	const char *const args[] = {"hash-object", "-t", names[type], "-w", "--stdin", NULL};

	TRY(put_can_use_libgit2(g, a) ? libgit2_object_write(g, type, bytes, id)
				      : put_id_by_git(g, a, args, NULL, bytes, id));
	/* Also one that was there: it may come from a git that does not make objects durable. */
	written_add(g, id);
	return NULL;
}

/* ---- a copy of the index, for both tools: they take no lock that somebody else holds ---- */

static const char *index_copy(const struct git *g, struct arena *a)
{
	return str_fmt(a, "%s.ikm", g->index).p;
}

static void index_copy_remove(const char *copy, struct arena *a)
{
	unlink(copy);
	unlink(str_fmt(a, "%s.lock", copy).p);
}

static struct err *index_copy_by_git(struct git *g, struct arena *a, const struct change *c,
				     size_t n)
{
	static const char *const args[] = {"update-index", "-z", "--add", "--index-info", NULL};
	static const unsigned char none[ID_MAX];
	const char *const env[] = {str_fmt(a, "GIT_INDEX_FILE=%s", index_copy(g, a)).p, NULL};
	struct buf in = buf_in(a);
	char hex[HEX_MAX];
	struct str said;

	for (size_t i = 0; i < n; i++) {
		buf_fmt(&in, "%o %s\t", c[i].id ? (unsigned)c[i].mode : 0,
			id_hex(c[i].id ? c[i].id : none, g->id_len, hex));
		buf_put(&in, c[i].path);
		buf_putc(&in, 0);
	}
	return put_by_git(g, a, args, env, buf_as_str(&in), &said);
}

/* ---- the tree ---- */

static struct err *put_tree(struct git *g, struct arena *a, const unsigned char *base,
			    const struct change *c, size_t n, unsigned char *id)
{
	if (put_can_use_libgit2(g, a)) {
		TRY(libgit2_tree_write(g, a, base, c, n, id));
	} else {
		static const char *const write[] = {"write-tree", NULL};
		const char *copy = index_copy(g, a);
		const char *const env[] = {str_fmt(a, "GIT_INDEX_FILE=%s", copy).p, NULL};
		const char *read[] = {"read-tree", "--empty", NULL};
		struct os_lock_file *l;
		char hex[HEX_MAX];
		struct str said;
		struct err *e;

		if (base)
			read[1] = id_hex(base, g->id_len, hex);
		/* Held as long as the copy is in use. */
		TRY(os_git_lock_file(a, g->index, NULL, LOCK_MS, &l));
		index_copy_remove(copy, a);
		e = put_by_git(g, a, read, env, STR(""), &said);
		if (!e)
			e = index_copy_by_git(g, a, c, n);
		if (!e)
			e = put_id_by_git(g, a, write, env, STR(""), id);
		index_copy_remove(copy, a);
		os_unlock_file(l);
		if (e)
			return e;
	}
	written_add(g, id);
	for (size_t i = 0; i < n; i++) {
		struct items way = {0};
		struct str path = c[i].path;
		bool found;

		TRY(object_walk_tree_path(g, a, id, &path, &way, &found));
		for (size_t k = 0; k < way.n; k++)
			if (way.p[k].is_dir)
				written_add(g, way.p[k].id);
	}
	return NULL;
}

/* ---- the index ---- */

static struct err *put_index(struct git *g, struct arena *a, struct os_lock_file *l,
			     const struct change *c, size_t n)
{
	static const struct timespec future[] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = INT32_MAX}};
	const char *copy = index_copy(g, a);
	struct str old = STR(""), new;
	struct index ix = {0};
	struct err *e = NULL;
	bool there, native;

	TRY_IN(map_file(a, g->index, INDEX_MAX, &old, &there), "the index");
	if (there)
		TRY(index_parse(a, old, g->index, g->id_len, &ix));
	native = put_can_use_libgit2(g, a) && !ix.foreign && !ix.only_git;
	index_copy_remove(copy, a);
	/* libgit2 replaces its file, so a second name is as good as a copy. */
	native = native &&
		 (!old.n || !linkat(AT_FDCWD, g->index, AT_FDCWD, copy, AT_SYMLINK_FOLLOW)) &&
		 libgit2_index_write(g, a, copy, c, n);
	if (!native) {
		index_copy_remove(copy, a);
		if (old.n)
			e = os_write(copy, old, 0);
		/*
		 * git would read the contents of files that are as new as the index, and for that
		 * run the filter drivers of the repository. In an index of the far future no file
		 * is as new.
		 */
		if (!e && old.n && utimensat(AT_FDCWD, copy, future, 0))
			e = err_errno(errno, "set the time of '%s'", copy);
		if (!e)
			e = index_copy_by_git(g, a, c, n);
	}
	if (!e && !os_fault("a copy of the index"))
		e = err_errno(errno, "read '%s'", copy);
	if (!e)
		e = os_read_path(a, copy, INDEX_MAX, &new);
	index_copy_remove(copy, a);
	TRY(e);
	/* Equal already: the index of a commit that was made before. */
	if (there && str_eq(old, new))
		return NULL;
	/*
	 * The new file keeps the time of the old one. git reads the content of each file that is as
	 * new as the index, because the entry of such a file proves nothing. A newer index would
	 * hide that.
	 */
	return os_lock_file_replace(l, new, true);
}

/* ---- the parameters ---- */

ORDER_OF(commit_change_cmp, struct change, ORDER_STR(path))

static struct err *commit_paths_read(struct committing *k)
{
	if (!k->q->n)
		return err_new(E_BAD_ARGUMENT, "a commit needs at least one path");
	k->n = k->q->n;
	k->c = arena_array(k->a, k->n, sizeof(*k->c));
	for (size_t i = 0; i < k->n; i++) {
		const struct git_put *p = &k->q->puts[i];

		k->c[i] = (struct change){.bytes = p->bytes, .executable = p->executable};
		TRY(path_relative_to_top(k->g, k->a, p->path, &k->c[i].path));
		TRY(path_check_trackable(k->g, k->a, k->c[i].path));
	}
	qsort(k->c, k->n, sizeof(*k->c), commit_change_cmp);
	for (size_t i = 1; i < k->n; i++)
		if (str_eq(k->c[i - 1].path, k->c[i].path))
			return err_new(E_BAD_ARGUMENT, "the path '%.*s' is given twice",
				       STR_ARG(k->c[i].path));
	return NULL;
}

static bool commit_trailer_is_good(const struct git_trailer *t)
{
	for (size_t i = 0; i < t->name.n; i++)
		if (!ascii_is_alnum(t->name.p[i]) && t->name.p[i] != '-')
			return false;
	return t->name.n && str_find_char(t->value, '\n', 0) == SIZE_MAX &&
	       str_find_char(t->value, '\r', 0) == SIZE_MAX && str_is_text(t->value) &&
	       str_trim(t->value).n;
}

static struct err *commit_start(struct committing *k)
{
	struct git *g = k->g;
	struct str message;
	struct buf b;

	TRY(repo_require_worktree(g));
	TRY(commit_paths_read(k));
	/* The trailers are the last paragraph, where `git interpret-trailers` finds them. */
	message = str_trim(k->q->message);
	b = buf_in(k->a);
	if (!message.n || message.n > MESSAGE_MAX || !str_is_text(message))
		return err_new(E_BAD_ARGUMENT,
			       "the message of a commit is UTF-8 text of 1 to %d bytes",
			       MESSAGE_MAX);
	buf_put(&b, message);
	buf_puts(&b, k->q->trailers_n ? "\n\n" : "\n");
	for (size_t i = 0; i < k->q->trailers_n; i++) {
		const struct git_trailer *t = &k->q->trailers[i];

		if (!commit_trailer_is_good(t))
			return err_new(E_BAD_ARGUMENT,
				       "the trailer '%.*s' needs a name of letters, digits and "
				       "'-', and one line of text",
				       STR_ARG(t->name));
		buf_fmt(&b, "%.*s: %.*s\n", STR_ARG(t->name), STR_ARG(str_trim(t->value)));
	}
	k->text = buf_as_str(&b);
	TRY(under_way_check(g, k->a));
	TRY(ident_of(g, k->a, IDENT_COMMITTER, &k->committer));
	TRY(ident_of(g, k->a, IDENT_AUTHOR, &k->author));
	if (k->q->author_name.p)
		k->author.name = ident_clean(k->a, k->q->author_name);
	if (k->q->author_email.p)
		k->author.email = ident_clean(k->a, k->q->author_email);
	return git_setting_bool(g, "commit.gpgSign", &k->sign);
}

/* ---- what is committed ---- */

static struct err *commit_blobs(struct committing *k, const struct head *h)
{
	for (size_t i = 0; i < k->n; i++) {
		struct change *c = &k->c[i];
		struct entry_state head;
		unsigned char *id;
		struct str bytes;
		const char *value = NULL;
		bool trusted;

		TRY(tree_read_entry_state(k->g, k->a, h->unborn ? NULL : h->tree, c->path, &head));
		if (head.in_way.p)
			return err_new(E_NOT_A_FILE,
				       "'%.*s' is %s in HEAD, so git cannot commit '%.*s'",
				       STR_ARG(head.in_way),
				       head.mode == 0040000   ? "a folder"
				       : head.mode == 0160000 ? "a submodule"
							      : "a file",
				       STR_ARG(c->path));
		c->there = head.there;
		if (!c->bytes.p)
			continue;
		/* The mode that `git add` would record. */
		TRY(git_setting(k->g, k->a, "core.fileMode", &value));
		trusted = config_bool(value, true);
		c->mode = c->executable ? 0100755 : 0100644;
		if (!trusted)
			c->mode = head.there && (head.mode & 0170000) == 0100000 ? head.mode
										 : 0100644;
		TRY(git_convert_to_object(k->g, k->a, c->path, c->bytes, &bytes));
		id = arena_alloc(k->a, ID_MAX);
		TRY(put_object(k->g, k->a, OBJECT_BLOB, bytes, id));
		c->id = id;
	}
	return NULL;
}

/*
 * git runs gpg or ssh-keygen. Only the user's own configuration and that of the system may name
 * another program.
 */
static struct err *commit_signer(struct committing *k, const char *const **out)
{
	static const char *const keys[][2] = {{"gpg.program", "gpg"},
					      {"gpg.openpgp.program", NULL},
					      {"gpg.x509.program", "gpgsm"},
					      {"gpg.ssh.program", "ssh-keygen"},
					      {"gpg.ssh.defaultKeyCommand", ""}};
	const char **settings = arena_array(k->a, ARRAY_SIZE(keys) + 3, sizeof(*settings));
	const char *openpgp = NULL;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		struct strs values = {0};
		const char *value = keys[i][1];

		if (k->g->libgit2)
			TRY(libgit2_config_protected(k->g, k->a, keys[i][0], &values));
		TRY(config_env(k->g, k->a, keys[i][0], &values));
		if (values.n)
			value = str_c(k->a, values.p[values.n - 1]);
		if (i == 0)
			openpgp = value;
		/* The first two name the same program. */
		settings[n++] =
			str_c(k->a, str_fmt(k->a, "%s=%s", keys[i][0], value ? value : openpgp));
	}
	settings[n++] = "core.fsync=all";
	settings[n++] = "core.fsyncObjectFiles=true";
	settings[n] = NULL;
	*out = settings;
	return NULL;
}

static const char *commit_env(struct committing *k, const char *name, struct str value)
{
	return str_c(k->a, str_fmt(k->a, "%s=%.*s", name, STR_ARG(value)));
}

/* Warnings and hints are of other things, such as of a setting, unless git says nothing else. */
static struct str commit_complaint(struct arena *a, struct str said)
{
	struct str all = said, line;
	struct buf b = buf_in(a);

	while (str_next_line(&said, &line))
		if (!str_starts(line, STR("warning: ")) && !str_starts(line, STR("hint: ")))
			buf_fmt(&b, "%.*s\n", STR_ARG(line));
	return str_trim(buf_as_str(&b)).n ? buf_as_str(&b) : all;
}

static struct err *commit_signed(struct committing *k, const char *tree, const char *parent,
				 unsigned char *id)
{
	const char *const args[] = {"commit-tree", "-S", tree, parent ? "-p" : NULL, parent, NULL};
	const char *const env[] = {commit_env(k, "GIT_AUTHOR_NAME", k->author.name),
				   commit_env(k, "GIT_AUTHOR_EMAIL", k->author.email),
				   commit_env(k, "GIT_AUTHOR_DATE", k->author.date),
				   commit_env(k, "GIT_COMMITTER_NAME", k->committer.name),
				   commit_env(k, "GIT_COMMITTER_EMAIL", k->committer.email),
				   commit_env(k, "GIT_COMMITTER_DATE", k->committer.date),
				   NULL};
	struct git_ask q = {.args = args, .in = k->text, .env = env, .timeout_ms = SIGN_MS};
	struct git_said said;
	struct str words;

	/* git wants to read the tree. */
	TRY(written_settle(k->g, k->a));
	TRY(commit_signer(k, &q.settings));
	if (!os_fault("git commit-tree"))
		return err_new(E_GIT_FAILED, "git commit-tree did not run");
	TRY(git_ask(k->g, k->a, &q, &said));
	if (!said.status && id_parse(str_trim(said.out), id, k->g->id_len)) {
		written_add(k->g, id);
		return NULL;
	}
	words = cli_git_message_line(k->a, commit_complaint(k->a, said.err));
	return err_help(err_new(E_GIT_FAILED, "the commit cannot be signed (commit.gpgSign): %.*s",
				STR_ARG(words)),
			"try it: git commit-tree -S -m test HEAD^{tree}; to commit without a "
			"signature: git config commit.gpgSign false");
}

static struct err *commit_object(struct committing *k, const struct head *h,
				 const unsigned char *tree, unsigned char *id)
{
	struct buf b = buf_in(k->a);
	char hex[HEX_MAX], old[HEX_MAX];

	id_hex(tree, k->g->id_len, hex);
	id_hex(h->id, k->g->id_len, old);
	if (k->sign)
		return commit_signed(k, hex, h->unborn ? NULL : old, id);
	buf_fmt(&b, "tree %s\n", hex);
	if (!h->unborn)
		buf_fmt(&b, "parent %s\n", old);
	buf_puts(&b, "author ");
	buf_put(&b, ident_text(k->a, &k->author));
	buf_puts(&b, "\ncommitter ");
	buf_put(&b, ident_text(k->a, &k->committer));
	buf_puts(&b, "\n\n");
	buf_put(&b, k->text);
	return put_object(k->g, k->a, OBJECT_COMMIT, buf_as_str(&b), id);
}

/* ---- what is staged ---- */

/* The tree of the first parent; NULL: the commit has no parent, and what it has is all new. */
static struct err *commit_tree_before(struct git *g, struct arena *a, const unsigned char *id,
				      const unsigned char **out)
{
	struct commit c, *parent = ARENA_NEW(a, struct commit);

	*out = NULL;
	TRY(commit_read(g, a, id, &c));
	if (!c.parents_n)
		return NULL;
	TRY(commit_read(g, a, c.parents, parent));
	*out = parent->tree;
	return NULL;
}

/*
 * An entry is free when it has what HEAD had, or already what the commit has. again: HEAD has the
 * new contents, so an entry may also be what a kill left, and have what the parent had.
 */
static struct err *commit_is_free(struct committing *k, const struct head *h, bool again)
{
	struct entry_state *s = arena_array(k->a, k->n, sizeof(*s)), head;
	const unsigned char *tree = h->unborn ? NULL : h->tree;

	if (again)
		TRY(commit_tree_before(k->g, k->a, h->id, &tree));
	TRY(index_read_entry_states(k->g, k->a, k->c, k->n, s));
	for (size_t i = 0; i < k->n; i++) {
		const struct change *c = &k->c[i];
		struct entry_state new = {.there = c->id, .mode = c->mode};

		if (s[i].conflict || s[i].in_way.p)
			return entry_staged_error(&s[i], c->path);
		if (c->id)
			memcpy(new.id, c->id, k->g->id_len);
		if (entry_same(k->g, &s[i], &new))
			continue;
		TRY(tree_read_entry_state(k->g, k->a, tree, c->path, &head));
		if (!entry_same(k->g, &s[i], &head))
			return entry_staged_error(&s[i], c->path);
	}
	return NULL;
}

/* ---- the steps ---- */

/*
 * The branch, unless HEAD has the contents already: no empty commit. Then the entries, if nobody
 * staged anything else.
 */
static struct err *commit_move(struct committing *k, const struct head *h, const unsigned char *id,
			       bool same, struct os_lock_file *l, struct git_committed *out)
{
	unsigned ms = k->q->timeout_ms ? k->q->timeout_ms : LOCK_MS;
	struct str rest = k->text, line = STR(""), subject;
	char hex[HEX_MAX];
	struct err *e;

	if (same)
		head_remove_stale_locks(k->g, k->a, h);
	TRY(commit_is_free(k, h, same));
	if (!same) {
		str_next_line(&rest, &line);
		subject = str_fmt(k->a, "%s: %.*s", h->unborn ? "commit (initial)" : "commit",
				  STR_ARG(line));
		TRY(head_update_branch(k->g, k->a, h, id, ident_text(k->a, &k->committer), subject,
				       ms));
		out->oid = str_dup(k->a, str_of(id_hex(id, k->g->id_len, hex)));
	}
	if (strcmp(h->name, "HEAD"))
		out->branch = str_of(h->name);
	/* The branch has the commit; what fails from here on does not undo it. */
	e = put_index(k->g, k->a, l, k->c, k->n);
	if (e)
		out->index_why = str_dup(k->a, str_of(err_message(e)));
	return NULL;
}

static struct err *commit_once(struct committing *k, struct git_committed *out)
{
	unsigned char tree[ID_MAX], id[ID_MAX];
	struct os_lock_file *l;
	struct head h;
	struct err *e;
	bool adds = false, same;

	*out = (struct git_committed){.oid = STR(""), .branch = STR(""), .index_why = STR("")};
	written_forget(k->g);
	k->g->packing = put_can_use_libgit2(k->g, k->a);
	TRY(head_read(k->g, k->a, &h));
	TRY(commit_blobs(k, &h));
	for (size_t i = 0; i < k->n; i++)
		adds = adds || k->c[i].id;
	if (h.unborn && !adds)
		return NULL;
	TRY(put_tree(k->g, k->a, h.unborn ? NULL : h.tree, k->c, k->n, tree));
	same = !h.unborn && id_eq(tree, h.tree, k->g->id_len);
	if (!same) {
		/* Before anything more is written; again under the lock. */
		TRY(commit_is_free(k, &h, false));
		TRY(commit_object(k, &h, tree, id));
		TRY(written_settle(k->g, k->a));
	}
	TRY(os_git_lock_file(k->a, k->g->index, NULL, k->q->timeout_ms ? k->q->timeout_ms : LOCK_MS,
			     &l));
	e = under_way_check(k->g, k->a);
	if (!e)
		e = commit_move(k, &h, id, same, l, out);
	os_unlock_file(l);
	return e;
}

struct err *git_commit_paths(struct git *g, struct arena *a, const struct git_commit_ask *q,
			     struct git_committed *out)
{
	struct committing k = {.g = g, .a = a, .q = q};
	struct err *e = NULL;

	TRY(commit_start(&k));
	for (int i = 0; i < TRIES; i++) {
		e = commit_once(&k, out);
		written_forget(g);
		if (!e || err_reason(e) != E_CHANGED)
			return e;
	}
	return err_help(e, "try again when the other program has ended");
}

/* ---- one path of the index ---- */

/* The index has nothing for the path, or exactly what the file was. */
static struct err *stage_is_free(struct git *g, struct arena *a, const struct change *c,
				 struct str was, bool *is_free, uint32_t *mode)
{
	struct entry_state s;
	unsigned char id[ID_MAX];
	struct str bytes;

	TRY(index_read_entry_states(g, a, c, 1, &s));
	*is_free = !s.conflict && !s.in_way.p;
	*mode = s.there ? s.mode : 0100644;
	if (!*is_free || !s.there)
		return NULL;
	TRY(git_convert_to_object(g, a, c->path, was.p ? was : STR(""), &bytes));
	TRY(put_object(g, a, OBJECT_BLOB, bytes, id));
	*is_free = was.p && id_eq(s.id, id, g->id_len) && (s.mode & 0170000) == 0100000;
	return NULL;
}

struct err *git_stage(struct git *g, struct arena *a, struct str path, struct str was,
		      struct str now, bool *staged)
{
	unsigned char id[ID_MAX];
	struct change c = {.id = id};
	struct os_lock_file *l;
	struct str bytes;
	struct err *e;

	*staged = false;
	TRY(repo_require_worktree(g));
	written_forget(g);
	TRY(path_relative_to_top(g, a, path, &c.path));
	TRY(path_check_trackable(g, a, c.path));
	TRY(git_convert_to_object(g, a, c.path, now, &bytes));
	TRY(put_object(g, a, OBJECT_BLOB, bytes, id));
	TRY(written_settle(g, a));
	TRY(os_git_lock_file(a, g->index, NULL, LOCK_MS, &l));
	e = stage_is_free(g, a, &c, was, staged, &c.mode);
	if (!e && *staged)
		e = put_index(g, a, l, &c, 1);
	os_unlock_file(l);
	written_forget(g);
	return e;
}

/* ---- afterwards ---- */

/* The changes that make the entries equal to HEAD; those of others' staged contents are left out.
 */
static struct err *index_again_changes(struct committing *k, const struct head *h,
				       const unsigned char *before)
{
	struct entry_state *s = arena_array(k->a, k->n, sizeof(*s)), was, now;
	size_t kept = 0;

	TRY(index_read_entry_states(k->g, k->a, k->c, k->n, s));
	for (size_t i = 0; i < k->n; i++) {
		struct change *c = &k->c[i];
		unsigned char *id = arena_alloc(k->a, ID_MAX);

		TRY(tree_read_entry_state(k->g, k->a, before, c->path, &was));
		TRY(tree_read_entry_state(k->g, k->a, h->tree, c->path, &now));
		if (s[i].conflict || s[i].in_way.p || !entry_same(k->g, &s[i], &was) ||
		    entry_same(k->g, &s[i], &now))
			continue;
		memcpy(id, now.id, ID_MAX);
		c->id = now.there ? id : NULL;
		c->mode = now.mode;
		k->c[kept++] = *c;
	}
	k->n = kept;
	return NULL;
}

struct err *git_index_move_to_head(struct git *g, struct arena *a, const char *commit,
				   const struct str *paths, size_t n, size_t *moved)
{
	struct git_put *puts = arena_array(a, n, sizeof(*puts));
	const struct git_commit_ask q = {.puts = puts, .n = n};
	struct committing k = {.g = g, .a = a, .q = &q};
	unsigned char id[ID_MAX];
	const unsigned char *before;
	enum object_type type;
	struct os_lock_file *l;
	struct head h;
	struct err *e;

	*moved = 0;
	for (size_t i = 0; i < n; i++)
		puts[i].path = paths[i];
	TRY(repo_require_worktree(g));
	TRY(commit_paths_read(&k));
	TRY(rev_resolve(g, commit ? commit : "HEAD", id, &type));
	TRY(commit_tree_before(g, a, id, &before));
	TRY(os_git_lock_file(a, g->index, NULL, LOCK_MS, &l));
	e = head_read(g, a, &h);
	if (!e)
		head_remove_stale_locks(g, a, &h);
	if (!e)
		e = index_again_changes(&k, &h, before);
	if (!e && k.n)
		e = put_index(g, a, l, k.c, k.n);
	os_unlock_file(l);
	if (!e)
		*moved = k.n;
	return e;
}

/* Whether the last paragraph of the message has the trailer; value p NULL: with any value. */
static bool commit_has_trailer(struct str text, const struct git_trailer *t)
{
	struct str line, rest, body = str_trim(text);
	size_t at = 0, next = 0;

	while ((next = str_find(body, STR("\n\n"), next)) != SIZE_MAX)
		at = next += 2;
	rest = str_sub(body, at, body.n);

	while (str_next_line(&rest, &line)) {
		size_t colon = str_find_char(line, ':', 0);

		if (colon != SIZE_MAX && str_ieq(str_sub(line, 0, colon), t->name) &&
		    (!t->value.p ||
		     str_eq(str_trim(str_sub(line, colon + 1, line.n)), str_trim(t->value))))
			return true;
	}
	return false;
}

struct err *git_commit_find_by_trailer(struct git *g, struct arena *a, const struct git_trailer *t,
				       size_t max, struct str *oid)
{
	struct head h;
	char hex[HEX_MAX];

	*oid = STR("");
	TRY(head_read(g, a, &h));
	for (size_t i = 0; i < max && !h.unborn; i++) {
		struct arena *scratch ARENA_LOCAL = arena_new();
		struct commit c;
		struct str text;

		TRY(object_read(g, scratch, h.id, OBJECT_COMMIT, OBJECT_MAX, &text));
		if (!commit_parse(scratch, text, g->id_len, &c))
			return err_new(E_GIT_CORRUPT, "commit %s is damaged",
				       id_hex(h.id, g->id_len, hex));
		if (commit_has_trailer(text, t)) {
			*oid = str_dup(a, str_of(id_hex(h.id, g->id_len, hex)));
			return NULL;
		}
		h.unborn = !c.parents_n;
		if (c.parents_n)
			memcpy(h.id, c.parents, g->id_len);
	}
	return NULL;
}

struct err *git_index_is_behind(struct git *g, struct arena *a, struct str path, struct str trailer,
				bool *behind, struct str *commit)
{
	const struct git_trailer t = {.name = trailer};
	struct change change = {0};
	struct entry_state is, was, now;
	const unsigned char *before;
	struct git_log log = {0};
	enum object_type type;
	unsigned char id[ID_MAX];
	struct str text;
	struct head h;

	*behind = false;
	TRY(path_relative_to_top(g, a, path, &change.path));
	TRY(head_read(g, a, &h));
	if (h.unborn)
		return NULL;
	TRY(git_file_log(g, a, "HEAD", change.path, 1, &log));
	if (!log.n)
		return NULL;
	*commit = log.p[0].id;
	TRY(rev_resolve(g, str_c(a, *commit), id, &type));
	TRY(object_read(g, a, id, OBJECT_COMMIT, OBJECT_MAX, &text));
	if (!commit_has_trailer(text, &t))
		return NULL;
	TRY(commit_tree_before(g, a, id, &before));
	TRY(index_read_entry_states(g, a, &change, 1, &is));
	TRY(tree_read_entry_state(g, a, before, change.path, &was));
	TRY(tree_read_entry_state(g, a, h.tree, change.path, &now));
	*behind = !is.conflict && !is.in_way.p && entry_same(g, &is, &was) &&
		  !entry_same(g, &is, &now);
	return NULL;
}

void git_locks_clean(struct git *g, struct arena *a)
{
	const char *files[3] = {os_join(a, g->dir, "HEAD"), g->index, NULL};
	struct str head, ref = STR("ref: ");

	if (!os_read_path(a, files[0], OS_PATH_MAX, &head) && str_starts(head, ref))
		files[2] = os_join(a, git_common_dir(g),
				   str_c(a, str_trim(str_sub(head, ref.n, head.n))));
	/* To take a lock removes a stale lock file; an error means that there is nothing to do. */
	for (size_t i = 0; i < ARRAY_SIZE(files) && files[i]; i++) {
		struct os_lock_file *l;

		if (!os_git_lock_file(a, files[i], NULL, 0, &l))
			os_unlock_file(l);
	}
}
