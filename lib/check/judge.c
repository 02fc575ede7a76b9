#include "check/judge.h"
#include "knowledge/load.h"

/* One side: a tree with its own settings and knowledge. */
struct side {
	struct tree *tree;
	const char *ref;
	struct conf *conf;
	struct knowledge *knowledge;
};

static struct err *read_knowledge(struct arena *a, const struct judge *j, struct side *s,
				  struct strs *missing)
{
	struct knowledge_place p = {.conf = s->conf, .git = j->git, .tree = s->tree,
				    .ref = s->ref, .given = j->given, .missing = missing};

	return knowledge_load(a, &p, &s->knowledge);
}

static struct err *load(struct arena *a, const struct judge *j, struct side *s)
{
	TRY(knowledge_tree_conf(a, s->tree, &j->args, &s->conf));
	return read_knowledge(a, j, s, NULL);
}

/*
 * The base's own settings and knowledge judge too, so that no change switches off its judge. What
 * of them cannot be read is told loudly and not refused, for the change may be the one that mends
 * it; all else still judges, by the change's settings where the base's are no settings at all. A
 * layer that the base requires stays required: who takes that away must have it once more.
 */
static struct err *load_base(struct arena *a, const struct judge *j, const struct side *now,
			     struct side *base, struct check_report *out)
{
	struct strs missing = {0};
	struct err *e = knowledge_tree_conf(a, base->tree, &j->args, &base->conf);

	if (e && err_code(e) != CODE_INVALID_INPUT && err_reason(e) != E_TOO_BIG)
		return e;
	if (e) {
		strs_push(a, &missing, str_dup(a, str_of(err_message(e))));
		base->conf = now->conf;
	}
	TRY(read_knowledge(a, j, base, &missing));
	for (size_t i = 0; i < missing.n; i++)
		*VEC_PUSH(a, &out->notes) = (struct check_note){
			.kind = CHECK_WARNING,
			.path = str_dup(a, base->tree->name),
			.message = str_fmt(a, "not all of its rules could be read: %.*s",
					   STR_ARG(missing.p[i])),
		};
	return NULL;
}

static struct err *severity_of(const struct conf *conf, enum kn_severity *out)
{
	int n = kn_word(kn_severities, conf_str(conf, "check.minSeverity"));

	if (n < 0)
		return err_new(E_BAD_CONFIG, "check.minSeverity is '%.*s'; allowed: %s, %s, %s",
			       STR_ARG(conf_str(conf, "check.minSeverity")), kn_severities[0],
			       kn_severities[1], kn_severities[2]);
	*out = (enum kn_severity)n;
	return NULL;
}

/* Of both sides what looks at more counts: a change cannot shrink what is looked at, or told. */
static struct err *limits(const struct judge *j, const struct side *now, const struct side *base,
			  struct check_input *in)
{
	enum kn_severity before;

	in->max_file = (size_t)conf_int(now->conf, "check.maxFileSize");
	if (base)
		in->max_file = size_max(in->max_file,
					(size_t)conf_int(base->conf, "check.maxFileSize"));
	in->unjudged_blocks = str_is(conf_str(now->conf, "check.unjudged"), "block") ||
			      (base && str_is(conf_str(base->conf, "check.unjudged"), "block"));
	if (j->min_severity >= 0) {
		in->min_severity = (enum kn_severity)j->min_severity;
		return NULL;
	}
	TRY(severity_of(now->conf, &in->min_severity));
	/* A word of the base that is none is one that the change mends. */
	if (base && !severity_of(base->conf, &before) && before < in->min_severity)
		in->min_severity = before;
	return NULL;
}

static struct err *judge(struct arena *a, const struct judge *j, struct side *now,
			 struct side *base, struct check_input *in, struct check_report *out)
{
	TRY(load(a, j, now));
	if (base)
		TRY(load_base(a, j, now, base, out));
	TRY(limits(j, now, base, in));
	/* Where git ignores case, two names that differ in it are one file. */
	if (j->git)
		TRY(git_setting_bool(j->git, "core.ignorecase", &in->ignore_case));
	in->base = base ? base->tree : NULL;
	in->only = j->only;
	in->rules = now->knowledge;
	in->base_rules = base ? base->knowledge : NULL;
	in->item_ids = j->items;
	in->want_existing = j->want_existing;
	return check_run(a, in, out);
}

static struct err *need_git(const struct judge *j)
{
	if (j->git)
		return NULL;
	return err_help(err_new(E_NO_REPOSITORY, "this is no Git repository"),
			"run it inside one, or use -C DIR");
}

/* Who has just begun has settings and decisions in the working tree that a commit does not see. */
static struct err *not_added(struct arena *a, const struct judge *j, struct check_report *out)
{
	const char *name;
	struct tree *t;

	if (!out->no_knowledge || git_is_bare(j->git))
		return NULL;
	TRY(git_tree_worktree(j->git, &t));
	TRY(knowledge_marker(t, &name));
	if (name)
		*VEC_PUSH(a, &out->notes) = (struct check_note){
			.kind = CHECK_WARNING,
			.path = str_of(name),
			.message = STR("it is not in the index, so nothing is judged by it: "
				       "git add it"),
		};
	return NULL;
}

struct err *judge_staged(struct arena *a, const struct judge *j, struct check_report *out)
{
	struct check_input in = {.complete = true};
	struct side now = {0}, base = {.ref = "HEAD"};

	TRY(need_git(j));
	if (git_is_bare(j->git))
		return err_help(err_new(E_NO_REPOSITORY, "a bare repository has nothing staged"),
				"use --range A..B");
	TRY(git_tree_index(j->git, &now.tree));
	TRY(git_tree_head(j->git, &base.tree));
	/* Before the first commit the base is empty: everything is introduced. */
	if (!base.tree)
		base.tree = tree_mem(a, STR("an empty tree"), NULL, 0);
	in.now = now.tree;
	TRY(judge(a, j, &now, &base, &in, out));
	return not_added(a, j, out);
}

static struct err *bad_range(struct str range)
{
	return err_help(err_detail(err_new(E_BAD_REVISION, "'%.*s' is no range", STR_ARG(range)),
				   "parameter", STR("range")),
			"write A..B, for example origin/main..HEAD");
}

static struct err *commits(struct arena *a, const struct judge *j, struct side *now,
			   struct side *base, struct check_report *out)
{
	struct check_input in = {.complete = true};

	TRY(git_tree_at(j->git, now->ref, &now->tree));
	if (base)
		TRY(git_tree_at(j->git, base->ref, &base->tree));
	in.now = now->tree;
	return judge(a, j, now, base, &in, out);
}

struct err *judge_range(struct arena *a, const struct judge *j, struct str range,
			struct check_report *out)
{
	size_t dots = str_find(range, STR(".."), 0);
	struct side now = {0}, base = {0};
	struct str one, two, fork;

	TRY(need_git(j));
	if (dots == SIZE_MAX || !dots || str_has_nul(range))
		return bad_range(range);
	one = str_sub(range, 0, dots);
	two = str_sub(range, dots + 2, range.n);
	if (str_starts(two, STR(".")))
		two = str_sub(two, 1, two.n);
	if (!two.n)
		two = STR("HEAD");
	TRY(git_rev_id(j->git, a, str_c(a, one), &one));
	TRY(git_rev_id(j->git, a, str_c(a, two), &two));
	TRY(git_rev_merge_base(j->git, a, str_c(a, one), str_c(a, two), &fork));
	if (!fork.n)
		return err_help(err_new(E_BAD_REVISION, "the two ends of '%.*s' have no commit in "
					"common", STR_ARG(range)),
				"a shallow clone lacks it: fetch more (in GitHub Actions, checkout "
				"with fetch-depth: 0)");
	now.ref = str_c(a, two);
	base.ref = str_c(a, fork);
	return commits(a, j, &now, &base, out);
}

struct err *judge_all(struct arena *a, const struct judge *j, struct check_report *out)
{
	struct check_input in = {.complete = true, .broken_blocks = true, .list_unjudged = true};
	struct side now = {0};

	TRY(need_git(j));
	TRY(git_tree_worktree(j->git, &now.tree));
	in.now = now.tree;
	return judge(a, j, &now, NULL, &in, out);
}

struct err *judge_input(struct arena *a, const struct judge *j, struct tree *files,
			const struct check_dep *deps, size_t n, bool complete,
			struct check_report *out)
{
	struct check_input in = {.complete = complete, .now = files, .deps = deps, .deps_n = n};
	struct side now = {0};

	if (j->git && !git_is_bare(j->git))
		TRY(git_tree_worktree(j->git, &now.tree));
	else if (j->git)
		TRY(git_tree_head(j->git, &now.tree));
	return judge(a, j, &now, NULL, &in, out);
}

/* ---- pre-push ---- */

static bool is_zero(struct str id)
{
	for (size_t i = 0; i < id.n; i++)
		if (id.p[i] != '0')
			return false;
	return id.n > 0;
}

/* What the remote is known to have: the tips of its branches. */
static struct err *remote_tips(struct arena *a, const struct judge *j, const char *remote,
			       struct strs *ids)
{
	struct str refs, line, pattern = str_fmt(a, "refs/remotes/%s%s", remote, *remote ? "/" : "");
	const char *list[] = {"for-each-ref", "--format=%(objectname)", pattern.p, NULL};

	TRY(git_run(j->git, a, list, (struct str){0}, &refs));
	while (str_line(&refs, &line))
		if (line.n && !strs_has(ids, line))
			strs_push(a, ids, line);
	/* A push to an address, or to a remote that has nothing yet: what the others have is no news. */
	return ids->n || !*remote ? NULL : remote_tips(a, j, "", ids);
}

/* Where the tip left any of them; empty when it shares nothing with them. */
static struct err *fork_of(struct arena *a, const struct judge *j, const struct strs *known,
			   struct str tip, struct str *out)
{
	const char **ask;
	struct strs ids = *known;
	struct err *e;
	size_t n = 0;

	*out = (struct str){"", 0};
	if (!ids.n)
		return NULL;
	/* The nearest of the bases with any of them: as with a merge of all of the remote's tips. */
	ask = arena_array(a, ids.n + 4, sizeof(*ask));
	ask[n++] = "merge-base";
	ask[n++] = str_c(a, tip);
	for (size_t i = 0; i < ids.n; i++)
		ask[n++] = str_c(a, ids.p[i]);
	e = git_run(j->git, a, ask, (struct str){0}, out);
	/* "None" is exit status 1 without a word. */
	if (e && err_reason(e) != E_GIT_FAILED)
		return e;
	*out = e ? (struct str){"", 0} : str_trim(*out);
	if (!e)
		*out = str_sub(*out, 0, str_find_char(*out, '\n', 0));
	return NULL;
}

static bool told(const struct check_report *r, const struct check_violation *v)
{
	for (size_t i = 0; i < r->violations.n; i++) {
		const struct check_violation *w = &r->violations.p[i];

		if (str_eq(v->fingerprint, w->fingerprint) && v->line == w->line &&
		    str_eq(v->file, w->file))
			return true;
	}
	return false;
}

static bool noted(const struct check_report *r, const struct check_note *n)
{
	for (size_t i = 0; i < r->notes.n; i++) {
		const struct check_note *m = &r->notes.p[i];

		if (m->kind == n->kind && m->blocks >= n->blocks && m->line == n->line &&
		    str_eq(m->path, n->path) && str_eq(m->message, n->message))
			return true;
	}
	return false;
}

static void merge(struct arena *a, struct check_report *to, const struct check_report *from)
{
	for (size_t i = 0; i < from->violations.n; i++) {
		const struct check_violation *v = &from->violations.p[i];

		if (told(to, v))
			continue;
		*VEC_PUSH(a, &to->violations) = *v;
		to->block += !v->existing && v->severity == KN_SEVERITY_BLOCK;
		to->warn += !v->existing && v->severity == KN_SEVERITY_WARN;
		to->info += !v->existing && v->severity == KN_SEVERITY_INFO;
	}
	to->existing += from->existing;
	check_unjudged_merge(a, to, from);
	for (size_t i = 0; i < from->notes.n; i++) {
		if (noted(to, &from->notes.p[i]))
			continue;
		*VEC_PUSH(a, &to->notes) = from->notes.p[i];
		to->block += from->notes.p[i].blocks;
	}
	to->passed = to->passed && from->passed;
	to->no_knowledge = to->no_knowledge && from->no_knowledge;
	to->items = from->items > to->items ? from->items : to->items;
	to->active = from->active > to->active ? from->active : to->active;
	to->constraints = from->constraints > to->constraints ? from->constraints : to->constraints;
	to->broken = from->broken > to->broken ? from->broken : to->broken;
	to->files += from->files;
	to->manifests += from->manifests;
	to->not_judged = from->not_judged > to->not_judged ? from->not_judged : to->not_judged;
	to->unsupported = from->unsupported > to->unsupported ? from->unsupported : to->unsupported;
	to->unresolved += from->unresolved;
}

static struct err *tip(struct arena *a, const struct judge *j, const struct strs *known,
		       struct str local, struct str theirs, struct check_report *out)
{
	struct side now = {.ref = str_c(a, local)}, base = {0};
	struct str fork = {"", 0}, have;
	struct err *e;

	if (!is_zero(theirs)) {
		e = git_rev_id(j->git, a, str_c(a, theirs), &have);
		if (!e)
			fork = have;
	}
	if (!fork.n)
		TRY(fork_of(a, j, known, local, &fork));
	base.ref = str_c(a, fork);
	return commits(a, j, &now, fork.n ? &base : NULL, out);
}

/* A tag may name a single blob, which git pushes too. */
static struct err *has_tree(struct arena *a, const struct judge *j, struct str id, bool *has)
{
	struct str peeled = str_fmt(a, "%.*s^{}", STR_ARG(id)), type;
	const char *ask[] = {"cat-file", "-t", peeled.p, NULL};

	*has = true;
	if (git_rev_id(j->git, a, str_c(a, id), &type) == NULL)
		return NULL;
	TRY(git_run(j->git, a, ask, (struct str){0}, &type));
	*has = !str_is(str_trim(type), "blob");
	return NULL;
}

struct err *judge_push(struct arena *a, const struct judge *j, const char *remote,
		       struct str lines, struct check_report *out)
{
	struct strs known = {0}, judged = {0};
	struct str line;
	bool judgeable;

	TRY(need_git(j));
	TRY(remote_tips(a, j, remote, &known));
	*out = (struct check_report){.passed = true, .no_knowledge = true};
	while (str_line(&lines, &line)) {
		struct check_report one = {0};
		struct str part[4] = {{0}}, rest = line;
		size_t n = 0;

		while (n < 4 && str_split(&rest, ' ', &part[n]))
			n++;
		if (!line.n)
			continue;
		if (n < 4)
			return err_new(E_BAD_ARGUMENT, "'%.*s' is no line of a pre-push hook's input: "
				       "local ref, local id, remote ref, remote id", STR_ARG(line));
		if (is_zero(part[1]))
			continue; /* a branch is deleted: nothing is pushed */
		/* Many refs on one commit are one question. */
		rest = str_fmt(a, "%.*s %.*s", STR_ARG(part[1]), STR_ARG(part[3]));
		if (strs_has(&judged, rest))
			continue;
		strs_push(a, &judged, rest);
		TRY(has_tree(a, j, part[1], &judgeable));
		if (!judgeable) {
			*VEC_PUSH(a, &out->notes) = (struct check_note){
				.kind = CHECK_WARNING,
				.path = str_dup(a, part[0]),
				.message = STR("it names a single object, no files: not judged"),
			};
			continue;
		}
		TRY(tip(a, j, &known, part[1], part[3], &one));
		merge(a, out, &one);
	}
	return NULL;
}
