#include "git/comparison_bases.h"
#include "os/os.h"

#define HEADS_MAX ((size_t)1 << 20) /* bytes of MERGE_HEAD */
#define BASES_MAX 8 /* more bases cost time; leaving a base out only makes the judge stricter */

#define FORKS_AT_ONCE 1000 /* ids of one command line */

/* Many git commands say "none" by their exit status alone, with empty output. */
static struct err *bases_ask(struct arena *a, struct git *g, const char *const *args,
			     struct str *out)
{
	struct err *e = git_run(g, a, args, (struct str){0}, out);

	if (e && err_reason(e) != E_GIT_FAILED)
		return e;
	*out = e ? STR("") : str_trim(*out);
	return NULL;
}

struct err *bases_is_descendant(struct arena *a, struct git *g, struct str one, struct str other,
				bool *yes)
{
	struct str shared;

	TRY(git_rev_merge_base(g, a, str_c(a, one), str_c(a, other), &shared));
	*yes = shared.n && str_eq(shared, other);
	return NULL;
}

/* ---- what a remote has ---- */

/* The default branch of a remote: what its HEAD names, else main, else master. */
struct default_branch {
	struct str name, id;
	unsigned rank; /* 3: by HEAD; 2: main; 1: master; 0: none was found */
};

static void remote_ref(struct arena *a, struct remote_state *r, struct default_branch *d,
		       struct str prefix, struct str line)
{
	struct str id = {"", 0}, ref = {"", 0}, to = line;
	unsigned rank;

	if (!str_next_part(&to, ' ', &id) || !str_next_part(&to, ' ', &ref) || !id.n)
		return;
	strs_push(a, &r->tips, id);
	ref = str_sub(ref, prefix.n, ref.n);
	to = str_is(ref, "HEAD") && str_starts(to, prefix) ? str_sub(to, prefix.n, to.n) : STR("");
	rank = to.n ? 3 : str_is(ref, "main") ? 2 : str_is(ref, "master") ? 1 : 0;
	if (rank > d->rank)
		*d = (struct default_branch){to.n ? to : ref, id, rank};
}

struct err *git_remote_branches_read(struct arena *a, struct git *g, const struct strs *names,
				     struct remote_state *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < names->n; i++) {
		struct str name = names->p[i], prefix, refs, line;
		struct default_branch d = {0};
		size_t had = out->tips.n;

		if (!name.n || strs_has(&out->names, name))
			continue;
		prefix = str_fmt(a, "refs/remotes/%.*s/", STR_ARG(name));
		TRY(git_run(g, a,
			    (const char *const[]){"for-each-ref",
						  "--format=%(objectname) %(refname) %(symref)",
						  prefix.p, NULL},
			    (struct str){0}, &refs));
		while (str_next_line(&refs, &line))
			remote_ref(a, out, &d, prefix, line);
		if (out->tips.n == had)
			continue;
		strs_push(a, &out->names, name);
		if (out->default_id.n || !d.rank)
			continue;
		out->default_id = d.id;
		out->default_name = d.name;
		out->default_ref = str_fmt(a, "%.*s/%.*s", STR_ARG(name), STR_ARG(d.name));
	}
	/* A remote may have a hundred thousand branches. */
	strs_sort(&out->tips);
	for (size_t i = 0; i < out->tips.n; i++)
		if (!kept || !str_eq(out->tips.p[kept - 1], out->tips.p[i]))
			out->tips.p[kept++] = out->tips.p[i];
	out->tips.n = kept;
	return NULL;
}

struct err *bases_remote_names(struct arena *a, struct git *g, struct strs *names,
			       struct str *branch)
{
	struct str head;
	const char *own;

	TRY(bases_ask(a, g, (const char *const[]){"symbolic-ref", "--quiet", "HEAD", NULL}, &head));
	*branch = str_starts(head, STR("refs/heads/")) ? str_sub(head, 11, head.n) : STR("");
	if (branch->n) {
		TRY(git_setting(g, a, str_c(a, str_fmt(a, "branch.%.*s.remote", STR_ARG(*branch))),
				&own));
		if (own && strcmp(own, ".") != 0)
			strs_push(a, names, str_of(own));
	}
	strs_push(a, names, STR("origin"));
	strs_push(a, names, STR("upstream"));
	return NULL;
}

/* ---- what is merged ---- */

static void add_id(struct arena *a, struct strs *ids, struct str id)
{
	if ((id.n != 40 && id.n != 64) || strs_has(ids, id))
		return;
	for (size_t i = 0; i < id.n; i++)
		if (!strchr("0123456789abcdef", id.p[i]))
			return;
	strs_push(a, ids, id);
}

struct err *bases_merge_parents(struct arena *a, struct git *g, struct strs *ids)
{
	struct strs names = {0};
	struct str text, line;
	struct err *e = os_read_path(a, os_join(a, git_dir(g), "MERGE_HEAD"), HEADS_MAX, &text);

	if (e && err_reason(e) != E_FILE_NOT_FOUND)
		return err_add_context(e, "what is merged");
	while (!e && str_next_line(&text, &line))
		add_id(a, ids, line);
	/*
	 * A merge without conflicts has no MERGE_HEAD yet: git names the merged commits to the hook
	 * in GITHEAD_ variables.
	 */
	os_env_names(a, "GITHEAD_", &names);
	for (size_t i = 0; i < names.n; i++)
		add_id(a, ids, str_sub(names.p[i], 8, names.p[i].n));
	return NULL;
}

static struct err *bases_has_file(struct arena *a, const struct git *g, const char *file, bool *out)
{
	struct os_stat st;

	TRY(os_stat(os_join(a, git_dir(g), file), true, &st));
	*out = st.kind != OS_NONE;
	return NULL;
}

/*
 * git sets the time of the author before it runs a hook. When the hook of a repository takes longer
 * than this before ikm runs, no second commit has the time of the first. A time in the future is
 * that of HEAD too: a new commit gets the time of now.
 */
#define BASES_SECONDS 2

struct err *bases_is_amend(struct arena *a, struct git *g, bool *out, bool *sure, size_t *parents)
{
	static const char *const args[] = {"cat-file", "commit", "HEAD", NULL};
	const char *name = os_env("GIT_AUTHOR_NAME"), *email = os_env("GIT_AUTHOR_EMAIL"),
		   *date = os_env("GIT_AUTHOR_DATE");
	struct str text, line, author, word;
	bool merge, pick;
	int64_t seconds;

	*out = *sure = false;
	*parents = 0;
	TRY(bases_has_file(a, g, "MERGE_HEAD", &merge));
	TRY(bases_has_file(a, g, "CHERRY_PICK_HEAD", &pick));
	/* git amends nothing then. */
	if (merge || pick || !name || !email || !date)
		return NULL;
	date += date[0] == '@';
	author = str_fmt(a, "author %s <%s> %s", name, email, date);
	text = str_of(date);
	*sure = str_next_part(&text, ' ', &word) && str_int(word, &seconds) &&
		(os_now() / 1000 - seconds > BASES_SECONDS ||
		 seconds - os_now() / 1000 > BASES_SECONDS);
	TRY(git_run(g, a, args, STR(""), &text));
	while (str_next_line(&text, &line) && line.n) {
		*parents += str_starts(line, STR("parent "));
		*out = *out || str_eq(line, author);
	}
	return NULL;
}

/* ---- bases ---- */

static struct err *add_base(struct arena *a, struct git *g, struct str first, struct str id,
			    bool is_default, struct base_commits *out)
{
	struct base_commit b = {.id = id, .is_default = is_default};
	bool known;

	if (!id.n || out->n >= BASES_MAX)
		return NULL;
	for (size_t i = 0; i < out->n; i++) {
		TRY(bases_is_descendant(a, g, out->p[i].id, id, &known));
		if (known)
			return NULL;
	}
	if (first.n) {
		TRY(git_rev_merge_base(g, a, str_c(a, first), str_c(a, id), &b.fork));
		/*
		 * A commit without a shared history comes from elsewhere, so all of it is
		 * introduced here.
		 */
		if (!b.fork.n || str_eq(b.fork, id))
			return NULL;
	}
	*VEC_PUSH(a, out) = b;
	return NULL;
}

struct err *bases_published(struct arena *a, struct git *g, const struct remote_state *remote,
			    struct str first, struct str tip, bool default_only,
			    struct base_commits *out)
{
	const struct str defaults[] = {remote->default_id, remote->upstream_id};
	struct str shared, list, line;
	const char **args;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(defaults); i++) {
		if (!defaults[i].n)
			continue;
		TRY(git_rev_merge_base(g, a, str_c(a, tip), str_c(a, defaults[i]), &shared));
		TRY(add_base(a, g, first, shared, true, out));
	}
	if (default_only || !(remote->names.n || remote->is_here))
		return NULL;
	args = arena_array(a, remote->names.n + 6, sizeof(*args));
	args[n++] = "rev-list";
	args[n++] = "--boundary";
	args[n++] = str_c(a, tip);
	args[n++] = "--not";
	if (remote->is_here)
		args[n++] = "--branches";
	for (size_t i = 0; i < remote->names.n; i++)
		args[n++] = str_fmt(a, "--remotes=%.*s", STR_ARG(remote->names.p[i])).p;
	TRY(git_run(g, a, args, (struct str){0}, &list));
	if (!str_trim(list).n)
		return add_base(a, g, first, tip, false, out);
	while (str_next_line(&list, &line))
		if (str_starts(line, STR("-")))
			TRY(add_base(a, g, first, str_sub(line, 1, line.n), false, out));
	return NULL;
}

struct err *bases_default_fork(struct arena *a, struct git *g, const struct remote_state *remote,
			       struct str first, struct str tip, struct base_commits *out)
{
	struct str fork = {"", 0}, other = {"", 0};
	bool newer = !remote->default_id.n;

	if (remote->default_id.n)
		TRY(git_rev_merge_base(g, a, str_c(a, tip), str_c(a, remote->default_id), &fork));
	if (remote->upstream_id.n)
		TRY(git_rev_merge_base(g, a, str_c(a, tip), str_c(a, remote->upstream_id), &other));
	/* The default branch of a fork may be old. */
	if (fork.n && other.n)
		TRY(bases_is_descendant(a, g, other, fork, &newer));
	if (newer && other.n)
		fork = other;
	out->is_apart = !fork.n && (remote->default_id.n || remote->upstream_id.n);
	if (!fork.n || str_eq(fork, first))
		return NULL;
	for (size_t i = 0; i < out->n; i++)
		if (str_eq(out->p[i].id, fork)) {
			out->p[i].is_fork = true;
			return NULL;
		}
	*VEC_PUSH(a, out) = (struct base_commit){.id = fork, .rules_only = true, .is_fork = true};
	return NULL;
}

struct err *bases_fork(struct arena *a, struct git *g, const struct strs *known, struct str tip,
		       struct str *out)
{
	static const char *const boundary[] = {"rev-list", "--boundary", "--ignore-missing",
					       "--stdin", NULL};
	struct str commit, list, line;
	struct buf in = buf_in(a);
	struct strs ids = {0};

	*out = STR("");
	/* A tag may name a tree, which has no history. */
	if (!known->n || git_rev_id(g, a, str_c(a, tip), &commit))
		return NULL;
	tip = commit;
	/*
	 * The ids where the tip's history meets the known commits; the tip, when one of them has
	 * it. On standard input, because the list may be longer than a command line.
	 */
	buf_fmt(&in, "%.*s\n", STR_ARG(tip));
	for (size_t i = 0; i < known->n; i++)
		buf_fmt(&in, "^%.*s\n", STR_ARG(known->p[i]));
	TRY(git_run(g, a, boundary, buf_as_str(&in), &list));
	if (!str_trim(list).n)
		strs_push(a, &ids, tip);
	while (str_next_line(&list, &line))
		if (str_starts(line, STR("-")))
			strs_push(a, &ids, str_sub(line, 1, line.n));
	if (ids.n)
		*out = ids.p[0];
	/* Of several places, one that no other has: git takes a limited number of arguments. */
	for (size_t i = 1; i < ids.n; i += FORKS_AT_ONCE) {
		const char **args = arena_array(a, FORKS_AT_ONCE + 4, sizeof(*args));
		size_t n = 0;

		args[n++] = "merge-base";
		args[n++] = str_c(a, tip);
		args[n++] = str_c(a, *out);
		for (size_t k = i; k < ids.n && k < i + FORKS_AT_ONCE; k++)
			args[n++] = str_c(a, ids.p[k]);
		TRY(bases_ask(a, g, args, out));
		*out = str_sub(*out, 0, str_find_char(*out, '\n', 0));
	}
	return NULL;
}

/* "rev-list", the options, the range, and room for `more` arguments. */
static const char **range_args(struct arena *a, const struct bases_range *range,
			       const char *const *options, size_t more, size_t *n)
{
	const char **args;
	size_t count = 0;

	while (options[count])
		count++;
	args = arena_array(a, count + range->tips.n + range->bases.n + more + 3, sizeof(*args));
	*n = 0;
	args[(*n)++] = "rev-list";
	for (size_t i = 0; i < count; i++)
		args[(*n)++] = options[i];
	for (size_t i = 0; i < range->tips.n; i++)
		args[(*n)++] = str_c(a, range->tips.p[i]);
	args[(*n)++] = "--not";
	for (size_t i = 0; i < range->bases.n; i++)
		args[(*n)++] = str_c(a, range->bases.p[i]);
	return args;
}

void bases_range_of(struct arena *a, struct str tip, struct str first,
		    const struct base_commits *more, struct bases_range *out)
{
	strs_push(a, &out->tips, tip);
	if (first.n)
		strs_push(a, &out->bases, first);
	for (size_t i = 0; i < more->n; i++)
		strs_push(a, &out->bases, more->p[i].id);
}

struct err *bases_walk(struct arena *a, struct git *g, const struct bases_range *range,
		       const struct strs *paths, size_t max, struct bases_walk *out)
{
	const char *options[] = {"--full-history", "--topo-order", "--format=of %P",
				 max ? str_fmt(a, "--max-count=%zu", max).p : NULL, NULL};
	struct str list, line, id;
	size_t n;
	const char **args = range_args(a, range, options, paths->n + 1, &n);

	args[n++] = "--";
	for (size_t i = 0; i < paths->n; i++)
		args[n++] = str_fmt(a, ":(top,literal)%.*s", STR_ARG(paths->p[i])).p;
	TRY(git_run(g, a, args, (struct str){0}, &list));
	while (str_next_line(&list, &line)) {
		struct bases_step *step = VEC_PUSH(a, out);

		*step = (struct bases_step){.id = str_sub(line, strlen("commit "), line.n)};
		str_next_line(&list, &line);
		str_next_part(&line, ' ', &id);
		while (str_next_part(&line, ' ', &id))
			if (id.n)
				strs_push(a, &step->parents, id);
	}
	return NULL;
}

struct err *bases_commit_touches_files(struct arena *a, struct git *g, struct bases_step *step,
				       const struct strs *files, bool *yes)
{
	*yes = false;
	if (!step->compared) {
		struct tree *was = NULL, *is;

		TRY(git_tree_at(g, str_c(a, step->id), &is));
		for (size_t i = 0; i < size_max(step->parents.n, 1); i++) {
			struct tree_changes changes = {0};

			if (step->parents.n)
				TRY(git_tree_at(g, str_c(a, step->parents.p[i]), &was));
			TRY(tree_diff(a, was, is, &changes));
			VEC_EACH(const struct tree_change, c, &changes)
				strs_push(a, &step->touched,
					  c->has_new ? c->new.path : c->old.path);
		}
		step->compared = true;
		strs_sort(&step->touched);
	}
	for (size_t i = 0; i < files->n && !*yes; i++)
		*yes = strs_sorted_has(&step->touched, files->p[i]);
	return NULL;
}

struct err *bases_is_cut(struct arena *a, struct git *g, const struct bases_range *range, bool *cut)
{
	struct strs shallow = {0}, ids = {0};
	const char *const *args;
	struct str list, line;
	size_t n;

	*cut = false;
	TRY(git_shallow_commits(g, a, &shallow));
	if (!shallow.n)
		return NULL;
	args = range_args(a, range, (const char *const[]){NULL}, 0, &n);
	TRY(git_run(g, a, args, (struct str){0}, &list));
	while (str_next_line(&list, &line))
		if (line.n)
			strs_push(a, &ids, line);
	strs_sort(&ids);
	for (size_t i = 0, k = 0; i < ids.n && k < shallow.n && !*cut;) {
		int c = str_cmp(ids.p[i], shallow.p[k]);

		*cut = !c;
		i += c < 0;
		k += c > 0;
	}
	return NULL;
}
