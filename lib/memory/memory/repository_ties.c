/* Tells what became of the files of a memory, and whether HEAD leads to its commit. */
#include "memory/repository_ties_internal.h"
#include "os/os.h"

/*
 * RENAMES: new names in a row that are followed. VERSIONS: commits of a file whose contents are
 * compared. SHORT: digits of a commit in a sentence.
 */
enum { RENAMES = 8, VERSIONS = 50, SHORT = 7 };

const struct field memory_file_now_record[] = {
	FIELD_OF(struct memory_file_now, path, "the file, below the top of its repository"),
	FIELD_OF(struct memory_file_now, lines, "the lines that the memory speaks of",
		 .flags = IF_ANY),
	FIELD_NAMED(struct memory_file_now, state, "state", memory_file_states,
		    "moved: the same content elsewhere; unknown: it cannot be told"),
	FIELD_OF(struct memory_file_now, now, "where the content is now", .flags = IF_ANY),
	FIELD_OF(struct memory_file_now, commit, "the commit that changed it", .flags = IF_ANY),
	FIELD_OF(struct memory_file_now, note, "this as a sentence"),
	{0},
};

/* ---- the present repository ---- */

static bool ground_is(const struct memory_ground *ground, struct str repository)
{
	return str_eq(repository, ground->repository) ||
	       (repository.n && str_eq(repository, ground->former));
}

struct err *memory_ground_set_repository(struct memory_ground *ground)
{
	if (ground->identified || !ground->g)
		return NULL;
	TRY(ground->identify(ground->ctx, &ground->repository));
	ground->identified = true;
	return NULL;
}

static struct err *ground_head(struct memory_ground *ground)
{
	if (ground->has_head)
		return NULL;
	TRY(git_head(ground->g, ground->a, &ground->head));
	ground->has_head = true;
	return NULL;
}

static size_t ground_left(const struct memory_ground *ground)
{
	return ground->most > ground->read ? ground->most - ground->read : 1;
}

/* ---- one file ---- */

struct look {
	struct memory_ground *ground;
	struct arena *a;
	const struct memory_file *kept;
	struct memory_file_now *now;
	struct str path;         /* its name now, as far as it was followed */
	struct tree *head;       /* NULL: no commit yet */
	struct tied_range range; /* where its lines are now */
	bool uncommitted;        /* the rename is not committed */
	bool cut;                /* the history was not read far enough */
};

/* The file as a message names it. */
static struct str look_shown(struct arena *a, struct str path, struct str lines)
{
	return lines.n ? str_fmt(a, "%.*s:%.*s", STR_ARG(path), STR_ARG(lines)) : path;
}

static struct str look_kept(const struct look *l)
{
	return look_shown(l->a, l->kept->path, l->kept->lines);
}

static void look_unknown(struct look *l, const char *why)
{
	l->now->state = MEMORY_FILE_UNKNOWN;
	l->now->note = str_fmt(l->a, "%.*s: %s", STR_ARG(look_kept(l)), why);
}

/* The content of a path in a commit; *there is false when it has none. */
static struct err *look_committed(struct look *l, struct tree *tree, struct str path,
				  struct str *out, bool *there)
{
	struct tree_file f;

	*there = false;
	if (!tree)
		return NULL;
	TRY(tree_find(tree, path, &f, there));
	if (!*there || f.kind == TREE_SUBMODULE) {
		*there = false;
		return NULL;
	}
	return tree_read(tree, l->a, &f, MEMORY_FILE_MAX, out);
}

/* A sparse checkout leaves files out that are not removed. A bare repository has only commits. */
static struct err *look_unchecked_out(struct look *l, struct str *out, bool *there)
{
	bool sparse = !git_top(l->ground->g);

	if (!sparse)
		TRY(git_setting_bool(l->ground->g, "core.sparseCheckout", &sparse));
	return sparse ? look_committed(l, l->head, l->path, out, there) : NULL;
}

static struct err *look_present(struct look *l, struct str *out, bool *there)
{
	const char *top = git_top(l->ground->g);
	struct err *e;

	*there = false;
	if (!top)
		return look_unchecked_out(l, out, there);
	e = os_read_path(l->a, os_join(l->a, top, str_c(l->a, l->path)), MEMORY_FILE_MAX, out);
	*there = !e;
	if (!e)
		return NULL;
	if (err_reason(e) != E_FILE_NOT_FOUND && err_reason(e) != E_NOT_A_FILE)
		return e;
	return look_unchecked_out(l, out, there);
}

static struct err *look_log(struct look *l, size_t max, struct git_log *log)
{
	const struct git_log_ask q = {
		.rev = "HEAD",
		.path = l->path,
		.max = max,
		.since = l->kept->commit.n ? str_c(l->a, l->kept->commit) : NULL,
		.most = ground_left(l->ground),
	};

	*log = (struct git_log){0};
	TRY(git_file_log_limited(l->ground->g, l->a, &q, log));
	l->ground->read += log->read;
	return NULL;
}

/* Follows a missing file to its new name. *name is empty when there is none. */
static struct err *look_new_name(struct look *l, struct str *name)
{
	struct tree_changes changes = {0};
	struct tree *staged;
	struct git_log log;
	struct tree_file f;
	bool committed = false;

	*name = STR("");
	if (!l->head)
		return NULL;
	TRY(tree_find(l->head, l->path, &f, &committed));
	if (committed) {
		l->uncommitted = true;
		if (!git_top(l->ground->g))
			return NULL;
		/* The name that a staged rename gives, as `git status` shows it. */
		TRY(git_tree_index(l->ground->g, &staged));
		TRY(tree_diff(l->a, l->head, staged, &changes));
		TRY(tree_find_renames(l->head, staged, 0, &changes));
		for (size_t i = 0; i < changes.n; i++)
			if (changes.p[i].renamed && str_eq(changes.p[i].old.path, l->path))
				*name = changes.p[i].new.path;
		return NULL;
	}
	TRY(look_log(l, 1, &log));
	l->cut = !log.n && log.cut;
	if (!log.n)
		return NULL;
	l->now->commit = log.p[0].id;
	return git_file_renamed_to(l->ground->g, l->a, str_c(l->a, log.p[0].id), l->path, name);
}

/* The commit in brackets, or what is known instead. */
static struct str look_by(const struct look *l, bool uncommitted)
{
	if (uncommitted)
		return STR(" (uncommitted)");
	if (l->now->commit.n)
		return str_fmt(l->a, " (commit %.*s)", STR_ARG(str_sub(l->now->commit, 0, SHORT)));
	return l->cut ? STR(" (in a commit further back than ikm looks)") : STR("");
}

/* The content is the same. Says where it is now, if that is elsewhere. */
static void look_found(struct look *l, enum tied_found found)
{
	struct str lines = l->kept->lines;
	bool renamed = !str_eq(l->path, l->kept->path);

	l->now->state = MEMORY_FILE_SAME;
	if (found == TIED_SAME && !renamed)
		return;
	if (found == TIED_MOVED)
		lines = str_fmt(l->a, "%zu:%zu", l->range.from, l->range.to);
	l->now->state = MEMORY_FILE_MOVED;
	l->now->now = look_shown(l->a, l->path, lines);
	l->now->now_path = l->path;
	l->now->now_lines = lines;
	l->now->note = str_fmt(l->a, "%.*s is unchanged at %.*s now", STR_ARG(look_kept(l)),
			       STR_ARG(l->now->now));
	if (!renamed)
		l->now->commit = STR("");
}

/*
 * Finds the commit that changed the content: the one after the newest version that still had it.
 */
static struct err *look_changing_commit(struct look *l)
{
	struct git_log log;
	struct tree *tree;
	struct str bytes;
	bool found = false;
	size_t i = 0;

	TRY(look_log(l, VERSIONS, &log));
	l->cut = !log.n && log.cut;
	for (; i < log.n; i++) {
		/* The content was not committed when it was checked. */
		found = str_eq(log.p[i].id, l->kept->commit);
		if (found)
			break;
		TRY(git_tree_at(l->ground->g, str_c(l->a, log.p[i].id), &tree));
		TRY(look_committed(l, tree, log.p[i].path, &bytes, &found));
		found = found && tied_locate_kept_content(bytes, l->kept, &l->range) <= TIED_MOVED;
		if (found)
			break;
	}
	/* Without an older version it is the oldest change since the check, or the newest known. */
	if (!found && log.cut)
		i = size_min(i, 1);
	l->now->commit = i ? log.p[i - 1].id : STR("");
	return NULL;
}

static struct err *look_changed(struct look *l)
{
	struct str bytes, renamed = STR("");
	bool there, uncommitted;

	TRY(look_committed(l, l->head, l->path, &bytes, &there));
	uncommitted = !there || tied_locate_kept_content(bytes, l->kept, &l->range) <= TIED_MOVED;
	if (!uncommitted)
		TRY(look_changing_commit(l));
	else
		l->now->commit = STR("");
	if (!str_eq(l->path, l->kept->path)) {
		l->now->now = l->now->now_path = l->path;
		renamed = str_fmt(l->a, "; it is %.*s now", STR_ARG(l->path));
	}
	l->now->state = MEMORY_FILE_CHANGED;
	l->now->note = str_fmt(l->a, "%.*s has changed since%.*s%.*s", STR_ARG(look_kept(l)),
			       STR_ARG(look_by(l, uncommitted)), STR_ARG(renamed));
	return NULL;
}

static struct err *look_at(struct look *l)
{
	struct memory_ground *ground = l->ground;
	struct str bytes, name;
	enum tied_found found;
	bool there;

	if (!ground->g) {
		look_unknown(l, "ikm runs outside of its repository");
		return NULL;
	}
	TRY(memory_ground_set_repository(ground));
	if (!ground_is(ground, l->kept->repository)) {
		look_unknown(l,
			     str_c(l->a, str_fmt(l->a, "it belongs to another repository, '%.*s'",
						 STR_ARG(l->kept->repository))));
		return NULL;
	}
	TRY(ground_head(ground));
	if (ground->head.commit.n)
		TRY(git_tree_head(ground->g, &l->head));
	for (int hops = 0;; hops++) {
		TRY(look_present(l, &bytes, &there));
		if (there)
			break;
		TRY(look_new_name(l, &name));
		if (!name.n || hops == RENAMES) {
			l->now->state = MEMORY_FILE_REMOVED;
			l->now->note = str_fmt(l->a, "%.*s was removed%.*s", STR_ARG(look_kept(l)),
					       STR_ARG(look_by(l, l->uncommitted)));
			return NULL;
		}
		l->path = name;
	}
	found = tied_locate_kept_content(bytes, l->kept, &l->range);
	if (found == TIED_OTHER)
		return look_changed(l);
	if (found == TIED_TOO_LONG)
		look_unknown(l, "too many of its lines are alike to find these again");
	else
		look_found(l, found);
	return NULL;
}

/* ---- the commit ---- */

static struct memory_reach *ground_known(struct memory_ground *ground, struct str commit)
{
	for (size_t i = 0; i < ground->reached.n; i++)
		if (str_eq(ground->reached.p[i].commit, commit))
			return &ground->reached.p[i];
	return NULL;
}

/* A project may have several repositories: it has the name that memory.project gives. */
static bool ground_has(struct memory_ground *ground, const struct memory *one)
{
	if (!ground || !one->commit.n || !ground->g || memory_ground_set_repository(ground))
		return false;
	return ground_is(ground, one->repository);
}

void memory_ties_preload_history(struct memory_ground *ground, const struct memory *const *all,
				 size_t n)
{
	struct VEC(struct git_sought) sought = {0};
	struct err *e;
	size_t read = 0;

	for (size_t i = 0; i < n; i++) {
		const struct memory *one = all[i];

		if (!ground_has(ground, one) || ground_known(ground, one->commit))
			continue;
		*VEC_PUSH(ground->a, &ground->reached) = (struct memory_reach){
			.commit = str_dup(ground->a, one->commit), .reach = GIT_REACH_CUT};
		*VEC_PUSH(ground->a, &sought) = (struct git_sought){
			.commit = one->commit, .change = one->change, .made = one->created};
	}
	if (!sought.n || ground->read >= ground->most)
		return;
	e = git_commits_are_reachable(ground->g, sought.p, sought.n, ground_left(ground), &read);
	ground->read += read;
	for (size_t i = 0; i < sought.n && !e; i++)
		ground_known(ground, sought.p[i].commit)->reach = sought.p[i].reach;
}

static enum git_reach ground_reach(struct memory_ground *ground, const struct memory *one)
{
	memory_ties_preload_history(ground, &one, 1);
	return ground_known(ground, one->commit)->reach;
}

/*
 * On the branch of that name it counts in full: an amendment or a rebase with other subjects
 * replaced the commit.
 */
bool memory_ties_commit_elsewhere(struct memory_ground *ground, const struct memory *one)
{
	if (!ground_has(ground, one) || ground_reach(ground, one) != GIT_NOT_REACHED)
		return false;
	return ground_head(ground) || !one->branch.n || !str_eq(one->branch, ground->head.branch);
}

static void ties_commit(struct memory_ground *ground, struct arena *a, const struct memory *one,
			struct memory_ties *t)
{
	struct str commit = str_sub(one->commit, 0, SHORT);

	if (!ground_has(ground, one)) {
		t->note = str_fmt(a,
				  "it was made in the repository '%.*s', so ikm cannot tell here "
				  "whether its branch was merged",
				  STR_ARG(one->repository));
		return;
	}
	if (memory_ties_commit_elsewhere(ground, one)) {
		t->branch = one->branch.n ? one->branch : commit;
		t->note =
			str_fmt(a, "HEAD does not have commit %.*s of '%.*s', on which it was made",
				STR_ARG(commit), STR_ARG(t->branch));
		return;
	}
	if (ground_reach(ground, one) == GIT_REACH_CUT)
		t->note = str_fmt(a,
				  "ikm cannot tell whether HEAD has commit %.*s of '%.*s': the "
				  "clone is shallow, or the commit is further back than ikm "
				  "looks; 'git commit-graph write --reachable' lets it look "
				  "further",
				  STR_ARG(commit), STR_ARG(one->branch));
}

/* ---- all ties ---- */

const struct memory_ties *memory_ties_now(struct memory_ground *ground, struct arena *a,
					  const struct memory *one)
{
	struct memory_ties *t;
	struct err *e;

	if (!ground || (!one->commit.n && !(one->files && one->files->n)))
		return NULL;
	t = ARENA_NEW(a, struct memory_ties);
	t->branch = t->note = STR("");
	for (size_t i = 0; one->files && i < one->files->n; i++) {
		struct memory_file kept;
		struct memory_file_now now = {.now = STR(""), .commit = STR(""), .note = STR("")};
		struct look l = {.ground = ground, .a = a, .kept = &kept, .now = &now};

		memory_file_from_val(a, one->files, i, &kept);
		now.path = l.path = kept.path;
		now.lines = kept.lines;
		e = look_at(&l);
		if (e)
			look_unknown(&l, err_message(e));
		t->stale = t->stale || now.state == MEMORY_FILE_CHANGED ||
			   now.state == MEMORY_FILE_REMOVED;
		if (now.state != MEMORY_FILE_SAME)
			*VEC_PUSH(a, &t->files) = now;
	}
	if (one->commit.n)
		ties_commit(ground, a, one, t);
	return t;
}
