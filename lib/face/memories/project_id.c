/* The id of a repository's project: its origin as HOST/PATH for every protocol, else its root
 * commit. */
#include "memories.h"
#include "os/os.h"

#define ROOT_WAIT_MS 100 /* for other writers */

/* ---- the origin ---- */

struct str mem_repo_id_of_remote_url(struct arena *a, struct str url)
{
	size_t scheme = str_find(url, STR("://"), 0), colon, slash;
	struct str host = {0}, path = url;

	while (str_ends(path, STR("/")))
		path.n--;
	if (str_ends(path, STR(".git")))
		path.n -= strlen(".git");
	while (str_ends(path, STR("/")))
		path.n--;
	if (scheme != SIZE_MAX && scheme < path.n) {
		struct str s;
		size_t port;

		path = str_sub(path, scheme + strlen("://"), path.n);
		slash = size_min(str_find_char(path, '/', 0), path.n);
		/* Removes "user@" in front and ":port" behind. */
		s = str_sub(path, 0, slash);
		s = str_sub(s, str_rfind_char(s, '@') + 1, s.n);
		port = str_rfind_char(s, ':');
		host = port != SIZE_MAX && str_find_char(s, ']', port) == SIZE_MAX
			       ? str_sub(s, 0, port)
			       : s;
		path = str_sub(path, slash, path.n);
	} else {
		/* Git's short form is HOST:PATH, unless a slash comes before the colon. */
		colon = str_find_char(path, ':', 0);
		slash = str_find_char(path, '/', 0);
		if (colon != SIZE_MAX && colon < slash) {
			host = str_sub(path, 0, colon);
			host = str_sub(host, str_rfind_char(host, '@') + 1, host.n);
			path = str_sub(path, colon + 1, path.n);
		} else if (slash) {
			return STR("");
		}
	}
	while (host.n && str_starts(path, STR("/")))
		path = str_sub(path, 1, path.n);
	if (!host.n)
		return str_dup(a, path);
	return str_fmt(a, "%.*s/%.*s", STR_ARG(str_lower(a, host)), STR_ARG(path));
}

/*
 * ---- the root commit ----
 *
 * The root commit of a repository, which names a project that has no origin. Finding it takes a
 * walk through the whole history. So the store keeps it with the commit that HEAD was, whose
 * history never changes, and a later walk only reads the commits since then. A shallow clone is
 * walked each time, because its edge moves.
 */

struct root {
	struct arena *a;
	struct git *g;
	struct db *db;
	struct str folder, head, root;
};

/*
 * The commits that git lists, empty when it fails. Replaced commits and grafts are ignored: they
 * are this clone's own, and would change the history of a commit.
 */
static struct err *root_list(const struct root *r, const char *const *args, bool *ok,
			     struct str *out)
{
	static const char *const env[] = {"GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE=/dev/null",
					  NULL};
	const struct git_ask ask = {.args = args, .env = env};
	struct git_said said;

	*out = STR("");
	TRY(git_ask(r->g, r->a, &ask, &said));
	*ok = !said.status;
	if (*ok)
		*out = said.out;
	return NULL;
}

/* Whether `old` is an ancestor of HEAD, and no root commit came since then. */
static struct err *root_stays(const struct root *r, struct str old, bool *out)
{
	const char *since = str_c(r->a, str_fmt(r->a, "^%.*s", STR_ARG(r->head)));
	const char *before = str_c(r->a, str_fmt(r->a, "^%.*s", STR_ARG(old)));
	const char *const ancestor[] = {"rev-list", "-n1", str_c(r->a, old), since, NULL};
	const char *const added[] = {"rev-list",           "-n1",  "--max-parents=0",
				     str_c(r->a, r->head), before, NULL};
	struct str text;

	TRY(root_list(r, ancestor, out, &text));
	*out = *out && !text.n;
	if (!*out)
		return NULL;
	TRY(root_list(r, added, out, &text));
	*out = *out && !text.n;
	return NULL;
}

static bool root_is_id(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_digit(s.p[i]) && (s.p[i] < 'a' || s.p[i] > 'f'))
			return false;
	return s.n == 40 || s.n == 64;
}

/* Sets r->root when the store knows it. *stored: of this HEAD. */
static struct err *root_known(struct root *r, bool *stored)
{
	struct str old = {0}, root = {0};
	bool stays = false;

	DB_EACH(rows, r->db, Q_ROOT_GET, DB_B(r->folder)) {
		old = db_column_str(rows, r->a, 0);
		root = db_column_str(rows, r->a, 1);
	}
	*stored = str_eq(old, r->head) && root_is_id(root);
	if (!*stored && root_is_id(old) && root_is_id(root))
		TRY(root_stays(r, old, &stays));
	if (*stored || stays)
		r->root = root;
	return NULL;
}

static struct err *root_put(const struct root *r)
{
	struct db_txn t DB_TXN = {0};

	TRY(db_begin(&t, r->db, .wait_ms = ROOT_WAIT_MS));
	TRY(db_do(r->db, Q_ROOT_PUT, NULL, DB_B(r->folder), DB_S(r->head), DB_S(r->root)));
	return db_commit(&t);
}

struct err *mem_root_commit(struct arena *a, struct git *g, struct db *db, struct str *out)
{
	struct root r = {.a = a, .g = g, .db = db, .folder = str_of(git_common_dir(g))};
	struct git_head head;
	bool stored = false, keeps;
	struct os_stat st;
	struct err *e;

	*out = STR("");
	/* A shallow clone is walked each time. */
	keeps = db && !os_stat(os_join(a, git_common_dir(g), "shallow"), true, &st) &&
		st.kind == OS_NONE;
	TRY(git_head(g, a, &head));
	r.head = head.commit;
	/* Before the first commit there is no root. */
	if (!r.head.n)
		return NULL;
	/* When the store cannot be read or written, every call walks. */
	e = keeps ? root_known(&r, &stored) : NULL;
	if (!r.root.n) {
		const char *const args[] = {"rev-list", "--max-parents=0", str_c(r.a, r.head),
					    NULL};
		struct str text, line;
		bool ok;

		/* The last root commit. Merged histories of other projects come before it. */
		TRY(root_list(&r, args, &ok, &text));
		while (str_next_line(&text, &line))
			r.root = line;
	}
	*out = r.root;
	if (keeps && !e && !stored && r.root.n && db_is_idle(db))
		e = root_put(&r);
	(void)e;
	return NULL;
}

/* ---- the id ---- */

struct err *mem_git_repository_id(struct arena *a, struct git *g, struct db *db, struct str *out)
{
	const char *url;

	*out = STR("");
	TRY(git_setting(g, a, "remote.origin.url", &url));
	if (url)
		*out = mem_repo_id_of_remote_url(a, str_of(url));
	return out->n ? NULL : mem_root_commit(a, g, db, out);
}

struct err *mem_find_current_project(struct call *c, struct memories *m)
{
	if (m->who.project.n || !c->git)
		return NULL;
	TRY(memory_ground_set_repository(m->ground));
	m->who.project = m->ground->repository;
	return NULL;
}
