/* One commit of given files; git.h says what it promises. */
#include "git/commit.h"
#include "os/os.h"

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

/* ---- the parameters ---- */

static int commit_change_cmp(const void *x, const void *y)
{
	return str_cmp(((const struct change *)x)->path, ((const struct change *)y)->path);
}

static struct err *commit_paths_read(struct committing *k)
{
	if (!k->q->n)
		return err_new(E_BAD_ARGUMENT, "a commit needs at least one path");
	k->n = k->q->n;
	k->c = arena_array(k->a, k->n, sizeof(*k->c));
	for (size_t i = 0; i < k->n; i++) {
		const struct git_put *p = &k->q->puts[i];

		k->c[i] = (struct change){.bytes = p->bytes, .executable = p->executable};
		TRY(path_of_top(k->g, k->a, p->path, &k->c[i].path));
		TRY(path_is_clear(k->g, k->a, k->c[i].path));
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

/* The trailers are the last paragraph, where `git interpret-trailers` finds them. */
static struct err *commit_message(struct committing *k)
{
	struct str message = str_trim(k->q->message);
	struct buf b = buf_in(k->a);

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
	k->text = buf_str(&b);
	return NULL;
}

static struct err *commit_start(struct committing *k)
{
	struct git *g = k->g;

	if (!g->top)
		return err_new(E_GIT_FAILED, "'%s' is a bare repository: it has no working tree",
			       g->dir);
	TRY(commit_paths_read(k));
	TRY(commit_message(k));
	TRY(under_way(g, k->a));
	TRY(ident_of(g, k->a, IDENT_COMMITTER, &k->committer));
	TRY(ident_of(g, k->a, IDENT_AUTHOR, &k->author));
	if (k->q->author_name.p)
		k->author.name = ident_clean(k->a, k->q->author_name);
	if (k->q->author_email.p)
		k->author.email = ident_clean(k->a, k->q->author_email);
	return git_setting_bool(g, "commit.gpgSign", &k->sign);
}

/* ---- objects ---- */

/* The mode that `git add` would record. */
static struct err *commit_mode(struct committing *k, struct change *c,
			       const struct entry_state *head)
{
	const char *value = NULL;
	bool trusted;

	TRY(git_setting(k->g, k->a, "core.fileMode", &value));
	trusted = config_bool(value, true);
	c->mode = c->executable ? 0100755 : 0100644;
	if (!trusted)
		c->mode = head->there && (head->mode & 0170000) == 0100000 ? head->mode : 0100644;
	return NULL;
}

static struct err *commit_blobs(struct committing *k, const struct head *h)
{
	for (size_t i = 0; i < k->n; i++) {
		struct change *c = &k->c[i];
		struct entry_state head;
		unsigned char *id;
		struct str bytes;

		if (!c->bytes.p)
			continue;
		TRY(head_entry(k->g, k->a, h->unborn ? NULL : h->tree, c->path, &head));
		TRY(commit_mode(k, c, &head));
		TRY(put_convert(k->g, k->a, c->path, c->bytes, &bytes));
		id = arena_alloc(k->a, ID_MAX);
		TRY(object_write(k->g, k->a, OBJECT_BLOB, bytes, id));
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

	while (str_line(&said, &line))
		if (!str_starts(line, STR("warning: ")) && !str_starts(line, STR("hint: ")))
			buf_fmt(&b, "%.*s\n", STR_ARG(line));
	return str_trim(buf_str(&b)).n ? buf_str(&b) : all;
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

	TRY(commit_signer(k, &q.settings));
	if (!os_fault("git commit-tree"))
		return err_new(E_GIT_FAILED, "git commit-tree did not run");
	TRY(git_ask(k->g, k->a, &q, &said));
	if (!said.status && id_parse(str_trim(said.out), id, k->g->id_len)) {
		written_add(k->g, id);
		return NULL;
	}
	words = cli_words(k->a, commit_complaint(k->a, said.err));
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
	return object_write(k->g, k->a, OBJECT_COMMIT, buf_str(&b), id);
}

/* ---- the index ---- */

/*
 * An entry is free when it has what HEAD had, or already what the commit has. stale: HEAD has the
 * new contents, and the entries may be what a kill left.
 */
static struct err *commit_is_free(struct committing *k, const struct head *h, bool stale)
{
	struct entry_state *s = arena_array(k->a, k->n, sizeof(*s)), head;

	TRY(index_states(k->g, k->a, k->c, k->n, s));
	for (size_t i = 0; i < k->n; i++) {
		const struct change *c = &k->c[i];
		struct entry_state new = {.there = c->id, .mode = c->mode};

		if (s[i].conflict || s[i].in_way.p)
			return entry_staged(&s[i], c->path);
		if (c->id)
			memcpy(new.id, c->id, k->g->id_len);
		if (entry_same(k->g, &s[i], &new))
			continue;
		TRY(head_entry(k->g, k->a, h->unborn ? NULL : h->tree, c->path, &head));
		if (!stale && !entry_same(k->g, &s[i], &head))
			return entry_staged(&s[i], c->path);
	}
	return NULL;
}

/* Whether the entries have what the first parent of HEAD has: what a kill left. */
static struct err *commit_is_behind(struct committing *k, const struct head *h, bool *behind)
{
	struct entry_state *s = arena_array(k->a, k->n, sizeof(*s)), was, now;
	const unsigned char *tree = NULL;
	struct commit c, parent;

	TRY(commit_read(k->g, k->a, h->id, &c));
	if (c.parents_n) {
		TRY(commit_read(k->g, k->a, c.parents, &parent));
		tree = parent.tree;
	}
	TRY(index_states(k->g, k->a, k->c, k->n, s));
	*behind = true;
	for (size_t i = 0; i < k->n; i++) {
		TRY(head_entry(k->g, k->a, tree, k->c[i].path, &was));
		TRY(head_entry(k->g, k->a, h->tree, k->c[i].path, &now));
		if (s[i].conflict || s[i].in_way.p ||
		    !(entry_same(k->g, &s[i], &was) || entry_same(k->g, &s[i], &now)))
			*behind = false;
	}
	return NULL;
}

/* ---- the steps ---- */

static struct str commit_subject(struct committing *k, const struct head *h)
{
	struct str rest = k->text, line = STR("");

	str_line(&rest, &line);
	return str_fmt(k->a, "%s: %.*s", h->unborn ? "commit (initial)" : "commit", STR_ARG(line));
}

/* The branch has the commit; what fails from here on does not undo it. */
static void commit_move_entries(struct committing *k, struct os_lock_file *l,
				struct git_committed *out)
{
	struct err *e = index_put(k->g, k->a, l, k->c, k->n);

	if (e)
		out->index_why = str_dup(k->a, str_of(err_message(e)));
}

static struct err *commit_move(struct committing *k, const struct head *h, const unsigned char *id,
			       struct os_lock_file *l, struct git_committed *out)
{
	unsigned ms = k->q->timeout_ms ? k->q->timeout_ms : LOCK_MS;
	struct head now;
	struct err *e;
	char hex[HEX_MAX];

	TRY(commit_is_free(k, h, false));
	e = head_move(k->g, k->a, h, id, ident_text(k->a, &k->committer), commit_subject(k, h), ms);
	if (e) {
		/* Only the last step, making it durable, failed. */
		struct str why = str_dup(k->a, str_of(err_message(e)));
		enum err_reason reason = err_reason(e);

		if (reason == E_CHANGED || reason == E_LOCKED || head_read(k->g, k->a, &now) ||
		    now.unborn || !id_eq(now.id, id, k->g->id_len))
			return e;
		out->index_why = why;
	}
	out->oid = str_dup(k->a, str_of(id_hex(id, k->g->id_len, hex)));
	if (strcmp(h->name, "HEAD"))
		out->branch = str_of(h->name);
	commit_move_entries(k, l, out);
	return NULL;
}

/* HEAD has the contents: no empty commit. The entries move if nobody staged anything else. */
static struct err *commit_nothing(struct committing *k, const struct head *h,
				  struct os_lock_file *l, struct git_committed *out)
{
	bool behind;

	head_clear(k->g, k->a, h);
	TRY(commit_is_behind(k, h, &behind));
	TRY(commit_is_free(k, h, behind));
	if (strcmp(h->name, "HEAD"))
		out->branch = str_of(h->name);
	commit_move_entries(k, l, out);
	return NULL;
}

static struct err *commit_once(struct committing *k, struct git_committed *out)
{
	unsigned char tree[ID_MAX], id[ID_MAX];
	struct os_lock_file *l;
	struct head h;
	struct err *e;
	bool same;

	*out = (struct git_committed){.oid = STR(""), .branch = STR(""), .index_why = STR("")};
	k->g->written.n = 0;
	TRY(head_read(k->g, k->a, &h));
	TRY(commit_blobs(k, &h));
	TRY(put_tree(k->g, k->a, h.unborn ? NULL : h.tree, k->c, k->n, tree, &same));
	if (same && h.unborn)
		return NULL;
	if (!same) {
		/* Before anything more is written; again under the lock. */
		TRY(commit_is_free(k, &h, false));
		TRY(commit_object(k, &h, tree, id));
		TRY(written_settle(k->g, k->a));
	}
	TRY(os_lock_file(k->a, k->g->index, NULL, k->q->timeout_ms ? k->q->timeout_ms : LOCK_MS,
			 &l));
	e = under_way(k->g, k->a);
	if (!e)
		e = same ? commit_nothing(k, &h, l, out) : commit_move(k, &h, id, l, out);
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
		if (!e || err_reason(e) != E_CHANGED)
			return e;
	}
	return err_help(e, "try again when the other program has ended");
}

/* ---- afterwards ---- */

/* The changes that make the entries equal to HEAD; those of others' staged contents are left out.
 */
static struct err *index_again_changes(struct committing *k, const struct head *h,
				       const unsigned char *before)
{
	struct entry_state *s = arena_array(k->a, k->n, sizeof(*s)), was, now;
	size_t kept = 0;

	TRY(index_states(k->g, k->a, k->c, k->n, s));
	for (size_t i = 0; i < k->n; i++) {
		struct change *c = &k->c[i];
		unsigned char *id = arena_alloc(k->a, ID_MAX);

		TRY(head_entry(k->g, k->a, before, c->path, &was));
		TRY(head_entry(k->g, k->a, h->tree, c->path, &now));
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

struct err *git_commit_index_again(struct git *g, struct arena *a, const char *commit,
				   const struct str *paths, size_t n, size_t *moved)
{
	struct git_put *puts = arena_array(a, n, sizeof(*puts));
	const struct git_commit_ask q = {.puts = puts, .n = n};
	struct committing k = {.g = g, .a = a, .q = &q};
	unsigned char id[ID_MAX];
	struct commit c, parent = {0};
	enum object_type type;
	struct os_lock_file *l;
	struct head h;
	struct err *e;

	*moved = 0;
	for (size_t i = 0; i < n; i++)
		puts[i].path = paths[i];
	if (!g->top)
		return err_new(E_GIT_FAILED, "'%s' is a bare repository: it has no working tree",
			       g->dir);
	TRY(commit_paths_read(&k));
	TRY(rev_resolve(g, commit ? commit : "HEAD", id, &type));
	TRY(commit_read(g, a, id, &c));
	if (c.parents_n)
		TRY(commit_read(g, a, c.parents, &parent));
	TRY(os_lock_file(a, g->index, NULL, LOCK_MS, &l));
	e = head_read(g, a, &h);
	if (!e)
		head_clear(g, a, &h);
	if (!e)
		e = index_again_changes(&k, &h, c.parents_n ? parent.tree : NULL);
	if (!e && k.n)
		e = index_put(g, a, l, k.c, k.n);
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

	while (str_line(&rest, &line)) {
		size_t colon = str_find_char(line, ':', 0);

		if (colon != SIZE_MAX && str_ieq(str_sub(line, 0, colon), t->name) &&
		    (!t->value.p ||
		     str_eq(str_trim(str_sub(line, colon + 1, line.n)), str_trim(t->value))))
			return true;
	}
	return false;
}

struct err *git_commit_find(struct git *g, struct arena *a, const struct git_trailer *t, size_t max,
			    struct str *oid)
{
	struct head h;
	char hex[HEX_MAX];

	*oid = STR("");
	TRY(head_read(g, a, &h));
	for (size_t i = 0; i < max && !h.unborn; i++) {
		struct arena *scratch = arena_new();
		struct commit c;
		struct str text;
		struct err *e = object_read(g, scratch, h.id, OBJECT_COMMIT, OBJECT_MAX, &text);
		bool found = !e && commit_has_trailer(text, t);

		if (!e && !commit_parse(scratch, text, g->id_len, &c))
			e = err_new(E_GIT_CORRUPT, "commit %s is damaged",
				    id_hex(h.id, g->id_len, hex));
		if (found)
			*oid = str_dup(a, str_of(id_hex(h.id, g->id_len, hex)));
		h.unborn = !e && !c.parents_n;
		if (!e && c.parents_n)
			memcpy(h.id, c.parents, g->id_len);
		arena_free(scratch);
		if (e || found)
			return e;
	}
	return NULL;
}

struct err *git_index_is_behind(struct git *g, struct arena *a, struct str path, struct str trailer,
				bool *behind, struct str *commit)
{
	const struct git_trailer t = {.name = trailer};
	struct change change = {0};
	struct entry_state is, was, now;
	struct commit c, parent = {0};
	struct git_log log = {0};
	enum object_type type;
	unsigned char id[ID_MAX];
	struct str text;
	struct head h;

	*behind = false;
	TRY(path_of_top(g, a, path, &change.path));
	TRY(head_read(g, a, &h));
	if (h.unborn)
		return NULL;
	TRY(git_file_log(g, a, "HEAD", change.path, 1, &log));
	if (!log.n)
		return NULL;
	*commit = log.p[0].id;
	TRY(rev_resolve(g, str_c(a, *commit), id, &type));
	TRY(object_read(g, a, id, OBJECT_COMMIT, OBJECT_MAX, &text));
	TRY(commit_read(g, a, id, &c));
	if (!commit_has_trailer(text, &t))
		return NULL;
	if (c.parents_n)
		TRY(commit_read(g, a, c.parents, &parent));
	TRY(index_states(g, a, &change, 1, &is));
	TRY(head_entry(g, a, c.parents_n ? parent.tree : NULL, change.path, &was));
	TRY(head_entry(g, a, h.tree, change.path, &now));
	*behind = !is.conflict && !is.in_way.p && entry_same(g, &is, &was) &&
		  !entry_same(g, &is, &now);
	return NULL;
}

void git_locks_clean(struct git *g, struct arena *a)
{
	const char *files[3] = {os_join(a, g->dir, "HEAD"), g->index, NULL};
	struct str head, ref = STR("ref: ");

	if (!os_read(a, files[0], OS_PATH_MAX, &head) && str_starts(head, ref))
		files[2] = os_join(a, git_common_dir(g),
				   str_c(a, str_trim(str_sub(head, ref.n, head.n))));
	/* To take a lock removes a stale lock file; an error means that there is nothing to do. */
	for (size_t i = 0; i < ARRAY_SIZE(files) && files[i]; i++) {
		struct os_lock_file *l;

		if (!os_lock_file(a, files[i], NULL, 0, &l))
			os_unlock_file(l);
	}
}
