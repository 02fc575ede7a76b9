/*
 * Judges the tips of a push: for the hook of the person who pushes, by what the remote has; and for
 * the server, before Git accepts what would become of its branches and tags. The server's new
 * commits may lie in a quarantine, which lib/repo/git finds by the environment that Git sets.
 */
#include "history/gardens.h"
#include "history/sides.h"
#include "knowledge/load.h"

const char *const check_ref_actions[] = {CHECK_REF_ACTIONS(ENUM_NAME) NULL};

#define HEADS   "refs/heads/"
#define TAGS    "refs/tags/"
#define REPLACE "refs/replace/"

/* ---- one tip ---- */

static bool pushed_is_branch(struct str ref, struct str branch)
{
	return branch.n && str_starts(ref, STR(HEADS)) &&
	       str_eq(str_sub(ref, sizeof(HEADS) - 1, ref.n), branch);
}

/*
 * Without a default branch nobody knows which rules hold outside the pushed branch, so the branch
 * could retire a rule in one push and break it in the next. Then the whole tree counts.
 */
static struct err *judge_tip_whole(struct arena *a, const struct judge *j,
				   const struct remote_state *remote, struct str tip,
				   struct check_report *out)
{
	struct check_report *whole = ARENA_NEW(a, struct check_report);
	struct base_commits none = {0};
	struct str name = remote->names.n ? remote->names.p[0] : STR("");

	TRY(judge_commit_against(a, j, tip, STR(""), &none, true, whole));
	reports_merge(a, out, whole);
	if (remote->is_here)
		return NULL; /* judge_receive() tells it once for all refs */
	check_warn(
		a, out, false, name.n ? name : STR("this remote"),
		name.n ? str_fmt(a,
				 "its default branch is not known, so the whole tree was judged; "
				 "to ask for it: git remote set-head %.*s --auto",
				 STR_ARG(name))
		       : STR("its default branch is not known, so the whole tree was judged; to "
			     "make it known, add the remote: git remote add NAME URL"));
	return NULL;
}

/*
 * A history that shares nothing with the default branch may have no decisions, or may have retired
 * them by itself: the default branch's rules judge its whole tree too. None of its own retirements
 * counts.
 */
static struct err *judge_tip_foreign(struct arena *a, const struct judge *j,
				     const struct remote_state *remote, struct str tip,
				     struct check_report *out)
{
	struct check_report *whole = ARENA_NEW(a, struct check_report);
	struct side base[2] = {{.tree = tree_mem(a, STR("an empty tree"), NULL, 0)},
			       {.ref = str_c(a, remote->default_id), .rules_only = true}};
	struct judge strict = *j;
	struct sides s = {
		.a = a,
		.judge = &strict,
		.out = whole,
		.in = {.complete = true, .broken_blocks = j->asker == JUDGE_SERVER},
		.now = {.ref = str_c(a, tip)},
		.base = base,
		.base_n = 2,
		.first_of_branch = true,
		.is_branch = true,
		.foreign_to = remote->default_name,
	};

	strict.retire_merged = true;
	TRY(git_tree_at(j->git, s.now.ref, &s.now.tree));
	TRY(git_tree_at(j->git, base[1].ref, &base[1].tree));
	s.in.now = s.now.tree;
	TRY(sides_judge(&s));
	/* Against an empty tree every rule is new. */
	whole->rule_changes.n = 0;
	whole->compared = false;
	report_count_findings(whole);
	reports_merge(a, out, whole);
	return NULL;
}

/*
 * Without a default branch, what one push retires the next one could break: nobody knows which
 * rules hold. A server takes no such push, and so the rules of every branch stay sound.
 */
static void judge_tip_keep_rules(struct arena *a, struct check_report *out)
{
	bool kept = false;

	VEC_EACH(struct rule_change, c, &out->rule_changes) {
		if ((c->kind != RULE_RETIRED && c->kind != RULE_EDITED) ||
		    c->severity != KN_SEVERITY_BLOCK)
			continue;
		c->blocks = kept = true;
	}
	if (!kept)
		return;
	check_warn(a, out, false, STR("HEAD"),
		   STR("without a default branch no rule that blocks can be retired or edited; on "
		       "the server: git symbolic-ref HEAD refs/heads/BRANCH"));
	report_count_findings(out);
}

/*
 * Judges a pushed tip. part: local ref, local id, remote ref, remote id, as in a line of pre-push.
 * remote: what the receiver has; its tips are the commits that a new branch may have left.
 */
static struct err *judge_tip(struct arena *a, const struct judge *j,
			     const struct remote_state *remote, const struct str *part,
			     struct check_report *out)
{
	struct str local = part[1], theirs = part[3], first = {"", 0}, have;
	struct base_commits more = {0};
	struct remote_state known = *remote;
	struct bases_range range = {0};
	bool main_branch = pushed_is_branch(part[2], remote->default_name), empty;

	if (!str_is_zeros(theirs) && !git_rev_id(j->git, a, str_c(a, theirs), &have))
		first = have;
	/* git has just asked the remote, so its answer is newer than refs/remotes. */
	if (first.n && main_branch)
		known.default_id = first;
	if (!first.n)
		TRY(bases_fork(a, j->git, &remote->tips, local, &first));
	if (first.n) {
		TRY(bases_published(a, j->git, &known, first, local, main_branch, &more));
		TRY(bases_default_fork(a, j->git, &known, first, local, &more));
	}
	TRY(judge_commit_against(a, j, local, first, &more, !main_branch, out));
	/* The commits of the tip that the receiver does not have. */
	bases_range_of(a, local, first, &more, &range);
	TRY(gardens_judge_range(a, j, &range, out));
	/* A clone of a person may be shallow, and not know what is shared. */
	if (known.is_here && known.default_id.n) {
		TRY(git_rev_merge_base(j->git, a, str_c(a, local), str_c(a, known.default_id),
				       &have));
		if (!have.n)
			TRY(judge_tip_foreign(a, j, &known, local, out));
	}
	if (first.n && !known.default_id.n) {
		if (known.is_here)
			judge_tip_keep_rules(a, out);
		return judge_tip_whole(a, j, &known, local, out);
	}
	/* Into an empty repository every push brings all of it. */
	empty = remote->is_here ? remote->is_empty : !remote->tips.n;
	if (!first.n && (!empty || !out->passed))
		check_warn(a, out, false, str_dup(a, part[0]),
			   remote->is_here ? STR("no branch here shares a commit with it, so the "
						 "whole tree was judged")
					   : STR("it shares no commit with what the remote has, so "
						 "the whole tree was judged"));
	return NULL;
}

/* Whether the id names files: a tag may name a single blob, and git pushes that too. */
static struct err *judge_git_object_has_tree(struct arena *a, const struct judge *j, struct str id,
					     bool *has)
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

/* ---- a push, where it begins ---- */

/*
 * The known state of the remote. For an address, or a remote that has nothing yet, commits of all
 * remotes count as published.
 */
static struct err *remote_state_of_push(struct arena *a, const struct judge *j, const char *remote,
					struct remote_state *state)
{
	struct strs own = {0}, upstream = {0}, all = {0};
	struct remote_state more = {0};
	struct str list, line;

	strs_push(a, &own, str_of(remote));
	TRY(git_remote_branches_read(a, j->git, &own, state));
	if (!state->names.n) {
		TRY(git_run(j->git, a, (const char *const[]){"remote", NULL}, (struct str){0},
			    &list));
		strs_push(a, &all, STR("origin"));
		while (str_next_line(&list, &line))
			strs_push(a, &all, line);
		return git_remote_branches_read(a, j->git, &all, state);
	}
	/*
	 * A fork's own default branch is often old: use the default branch of the project that it
	 * follows.
	 */
	strs_push(a, &upstream, STR("upstream"));
	TRY(git_remote_branches_read(a, j->git, &upstream, &more));
	state->upstream_id = more.default_id;
	return NULL;
}

struct err *judge_push(struct arena *a, const struct judge *j, const char *remote, struct str lines,
		       struct check_report *out)
{
	struct remote_state state = {0};
	struct strs judged = {0};
	struct str line;
	bool judgeable;

	TRY(judge_need_git(j));
	TRY(remote_state_of_push(a, j, remote, &state));
	*out = (struct check_report){.passed = true, .no_knowledge = true};
	while (str_next_line(&lines, &line)) {
		struct check_report one = {0};
		struct str part[4] = {{0}}, rest = line;
		size_t n = 0;

		while (n < 4 && str_next_part(&rest, ' ', &part[n]))
			n++;
		if (!line.n)
			continue;
		if (n < 4)
			return err_new(E_BAD_ARGUMENT,
				       "'%.*s' is no line of a pre-push hook's input: "
				       "local ref, local id, remote ref, remote id",
				       STR_ARG(line));
		if (str_is_zeros(part[1]))
			continue; /* a branch is deleted, so nothing is pushed */
		/* Several refs on one commit are judged once. */
		rest = str_fmt(a, "%.*s %.*s %d", STR_ARG(part[1]), STR_ARG(part[3]),
			       pushed_is_branch(part[2], state.default_name));
		if (strs_has(&judged, rest))
			continue;
		strs_push(a, &judged, rest);
		TRY(judge_git_object_has_tree(a, j, part[1], &judgeable));
		if (!judgeable) {
			check_warn(a, out, false, str_dup(a, part[0]),
				   STR("it names a single object, no files: not judged"));
			continue;
		}
		TRY(judge_tip(a, j, &state, part, &one));
		reports_merge(a, out, &one);
	}
	return NULL;
}

/* ---- a push, where it arrives ---- */

/* Whether git finds the pushed ref under this name: "refs/heads/know", "heads/know", "know". */
static bool refsource_is(struct arena *a, struct str name, const struct check_ref *ref)
{
	static const char *const places[] = {"", "refs/", "refs/heads/", "refs/tags/"};

	if (str_is(name, "HEAD"))
		return ref->is_default;
	for (size_t i = 0; name.n && i < ARRAY_SIZE(places); i++)
		if (str_eq(str_fmt(a, "%s%.*s", places[i], STR_ARG(name)), ref->ref))
			return true;
	return false;
}

/* The part of a source that names the ref, without "~1" and "^{}". */
static struct str refsource_name(struct str revision)
{
	size_t n = size_min(str_find_char(revision, '~', 0), str_find_char(revision, '^', 0));

	return str_sub(revision, 0, size_min(n, revision.n));
}

/* The same source at another commit. */
static const struct val *refsource_at(struct arena *a, const struct val *source, struct str id)
{
	struct val *map = val_map(a);

	for (const struct val *v = source->first; v; v = v->next) {
		struct str now = v->s, name = refsource_name(now);

		if (!str_is(v->key, "ref")) {
			val_set_key(map, v->key, val_copy_shallow(a, v));
			continue;
		}
		now = str_fmt(a, "%.*s%.*s", STR_ARG(id), STR_ARG(str_sub(now, name.n, now.n)));
		val_set_key(map, v->key, val_str(a, now));
	}
	return map;
}

/*
 * The settings as they would be read after the push. moved: the refs of the push that a source
 * names, by index.
 */
static bool refsource_after(struct arena *a, const struct check_report *out,
			    const struct conf *before, struct conf *after, bool *moved)
{
	const struct conf_parts *parts = &before->knowledge_sources;
	bool any = false;

	*after = *before;
	after->knowledge_sources = (struct conf_parts){0};
	for (size_t i = 0; i < parts->n; i++) {
		struct conf_part part = parts->p[i];
		struct str name = refsource_name(val_get_str(part.value, "ref"));
		bool gone = false;

		for (size_t k = 0; part.origin == CONF_REPO && k < out->refs.n; k++) {
			const struct check_ref *ref = &out->refs.p[k];

			if (!refsource_is(a, name, ref))
				continue;
			any = moved[k] = true;
			gone = str_is_zeros(ref->new);
			if (!gone)
				part.value = refsource_at(a, parts->p[i].value, ref->new);
		}
		if (!gone)
			*VEC_PUSH(a, &after->knowledge_sources) = part;
	}
	return any;
}

/*
 * Compares the rules that the default branch reads from a ref of this repository, before and after
 * the push of out->refs. A rule that the push takes away without a retirement blocks. default_id
 * empty: nothing is done.
 */
static struct err *judge_ref_sources(struct arena *a, const struct judge *j, struct str default_id,
				     struct check_report *out)
{
	bool *moved = arena_array(a, out->refs.n, sizeof(*moved));
	struct side old = {.ref = str_c(a, default_id)}, new;
	struct strs missing = {0};
	struct rule_changes found = {0};
	struct conf after;
	unsigned lost = 0;
	struct err *e;

	if (!default_id.n)
		return NULL;
	TRY(git_tree_at(j->git, old.ref, &old.tree));
	e = knowledge_tree_conf(a, old.tree, &j->args, &old.conf);
	/* The judgement of each branch tells what is wrong with the settings of its base. */
	if (e)
		return err_code(e) == CODE_INVALID_INPUT || err_reason(e) == E_TOO_BIG ? NULL : e;
	if (!refsource_after(a, out, old.conf, &after, moved))
		return NULL;
	new = old;
	new.conf = &after;
	TRY(side_load_knowledge(a, j, &old, &missing));
	TRY(side_load_knowledge(a, j, &new, &missing));
	TRY(rulechange_diff_sides(a, &(struct rulechange_side){old.knowledge, old.conf, NULL},
				  &(struct rulechange_side){new.knowledge, old.conf, NULL}, NULL,
				  true, &found));
	if (!found.n)
		return NULL;
	for (size_t i = 0; i < found.n; i++) {
		if (rule_changes_has(&out->rule_changes, &found.p[i]))
			continue;
		lost += found.p[i].blocks;
		*VEC_PUSH(a, &out->rule_changes) = found.p[i];
	}
	for (size_t i = 0; i < out->refs.n; i++) {
		if (!moved[i])
			continue;
		out->refs.p[i].block += lost;
		check_warn(a, out, false, out->refs.p[i].ref,
			   STR("the default branch reads decisions from this ref "
			       "(knowledge.sources), so the push changes the rules of every "
			       "branch"));
	}
	out->compared = true;
	out->no_knowledge = false;
	report_count_findings(out);
	return NULL;
}

struct receive {
	struct arena *a;
	struct judge judge;
	struct remote_state here; /* the branches as they are before the push */
	struct str head;          /* the name of the branch that HEAD names, which may be missing */
	struct strs keys;         /* of the tips that are judged, as in refs */
	size_t *at;               /* by key: its place in out->refs */
	struct check_report *out;
};

/* ---- the branches that are here ---- */

struct receive_branches {
	struct strs names, ids;
};

static bool receive_is_default(struct receive *r, const struct receive_branches *all,
			       struct str name)
{
	for (size_t i = 0; i < all->names.n; i++) {
		if (!str_eq(all->names.p[i], name))
			continue;
		r->here.default_name = r->here.default_ref = name;
		r->here.default_id = all->ids.p[i];
		return true;
	}
	return false;
}

/*
 * The default branch is the branch that HEAD names. A new bare repository often names a branch that
 * nobody ever pushes; then main, master or the only branch stands in.
 */
static struct err *receive_find_default(struct receive *r)
{
	static const char *const ask[] = {"symbolic-ref", "--quiet", "HEAD", NULL};
	static const char *const args[] = {"for-each-ref", "--format=%(objectname) %(refname)",
					   HEADS, NULL};
	struct receive_branches all = {0};
	struct str head, list, line, id;
	struct git_said said;

	r->here.is_here = true;
	TRY(git_ask(r->judge.git, r->a, &(struct git_ask){.args = ask}, &said));
	head = said.status ? STR("") : str_trim(said.out);
	TRY(git_run(r->judge.git, r->a, args, (struct str){0}, &list));
	while (str_next_line(&list, &line)) {
		if (!str_next_part(&line, ' ', &id) || !str_starts(line, STR(HEADS)))
			continue;
		strs_push(r->a, &all.ids, id);
		strs_push(r->a, &all.names, str_sub(line, sizeof(HEADS) - 1, line.n));
	}
	r->here.is_empty = !all.names.n;
	if (str_starts(head, STR(HEADS)))
		r->head = r->here.default_name = str_sub(head, sizeof(HEADS) - 1, head.n);
	/* The first push of all: the branch that HEAD names may be among the pushed ones. */
	if (!all.names.n || receive_is_default(r, &all, r->here.default_name))
		return NULL;
	head = head.n ? str_fmt(r->a, "HEAD names '%.*s', which does not exist", STR_ARG(head))
		      : STR("HEAD names no branch");
	if (receive_is_default(r, &all, STR("main")) ||
	    receive_is_default(r, &all, STR("master")) ||
	    (all.names.n == 1 && receive_is_default(r, &all, all.names.p[0]))) {
		check_warn(r->a, r->out, false, STR("HEAD"),
			   str_fmt(r->a,
				   "%.*s, so '%.*s' counts as the default branch; on the server: "
				   "git symbolic-ref HEAD " HEADS "%.*s",
				   STR_ARG(head), STR_ARG(r->here.default_name),
				   STR_ARG(r->here.default_name)));
		return NULL;
	}
	r->here.default_name = STR("");
	check_warn(r->a, r->out, false, STR("HEAD"),
		   str_fmt(r->a,
			   "%.*s, so no branch is the default branch and whole trees are judged; "
			   "on the server: git symbolic-ref HEAD " HEADS "BRANCH",
			   STR_ARG(head)));
	return NULL;
}

/*
 * Where the history of a new tip leaves the branches that are here. Their parents are asked for,
 * not all branches given as arguments: a server may have a hundred thousand.
 */
static struct err *receive_find_forks(struct receive *r, struct str tip, struct strs *forks)
{
	const char *args[] = {"rev-list", "--boundary", str_c(r->a, tip),
			      "--not",    "--branches", NULL};
	struct str list, line;

	if (r->here.is_empty)
		return NULL;
	TRY(git_run(r->judge.git, r->a, args, (struct str){0}, &list));
	if (!str_trim(list).n)
		strs_push(r->a, forks, tip); /* a branch has the commit already */
	while (str_next_line(&list, &line))
		if (str_starts(line, STR("-")))
			strs_push(r->a, forks, str_sub(line, 1, line.n));
	return NULL;
}

/* ---- one ref ---- */

static struct err *receive_judge_tip(struct receive *r, struct check_ref *ref)
{
	struct check_report *one = ARENA_NEW(r->a, struct check_report);
	struct str part[4] = {ref->ref, ref->new, ref->ref, ref->old}, commit;
	struct base_commits none = {0};
	struct bases_range tree = {0};
	struct remote_state here = r->here;

	here.tips = (struct strs){0};
	/*
	 * The push makes the branch that HEAD names, so from then on it is the default branch: what
	 * the branch that stands in for it demands, it must keep.
	 */
	if (ref->is_default && r->here.default_id.n && str_is_zeros(part[3])) {
		part[2] = str_fmt(r->a, HEADS "%.*s", STR_ARG(r->here.default_name));
		part[3] = r->here.default_id;
	}
	if (git_rev_id(r->judge.git, r->a, str_c(r->a, ref->new), &commit)) {
		/* A tag of a tree. */
		TRY(judge_commit_against(r->a, &r->judge, ref->new, STR(""), &none, true, one));
		strs_push(r->a, &tree.tips, ref->new);
		TRY(gardens_judge_range(r->a, &r->judge, &tree, one));
	} else {
		if (str_is_zeros(part[3]))
			TRY(receive_find_forks(r, commit, &here.tips));
		part[1] = commit;
		TRY(judge_tip(r->a, &r->judge, &here, part, one));
	}
	ref->block = one->block;
	reports_merge(r->a, r->out, one);
	return NULL;
}

static void receive_not_judged(struct check_ref *ref, struct str why)
{
	ref->action = CHECK_REF_NOT_JUDGED;
	ref->why = why;
}

static struct err *receive_ref(struct receive *r, struct check_ref *ref)
{
	bool has_tree;
	struct str key;

	ref->is_default = pushed_is_branch(ref->ref, r->here.default_name) ||
			  pushed_is_branch(ref->ref, r->head);
	if (str_is_zeros(ref->new)) {
		ref->action = CHECK_REF_DELETED;
		ref->why = STR("it is deleted, so there is nothing to judge");
		return NULL;
	}
	if (str_starts(ref->ref, STR(REPLACE))) {
		check_warn(r->a, r->out, true, ref->ref,
			   STR("a replacement makes git show other commits than those that were "
			       "judged, so the server takes none; push without this ref"));
		receive_not_judged(ref, STR("it is a replacement"));
		ref->block = 1;
		report_count_findings(r->out);
		return NULL;
	}
	if (!str_starts(ref->ref, STR(HEADS)) && !str_starts(ref->ref, STR(TAGS))) {
		receive_not_judged(ref, STR("it is neither a branch nor a tag"));
		return NULL;
	}
	/* A rule of the default branch must have been retired by an earlier push. */
	r->judge.retire_merged = ref->is_default;
	r->judge.pushed_to =
		ref->is_default ? str_sub(ref->ref, sizeof(HEADS) - 1, ref->ref.n) : STR("");
	TRY(judge_git_object_has_tree(r->a, &r->judge, ref->new, &has_tree));
	if (!has_tree) {
		receive_not_judged(ref, STR("it names a single object, no files"));
		return NULL;
	}
	/* Refs that move from one commit to the same other commit are judged once. */
	key = str_fmt(r->a, "%.*s %.*s %d", STR_ARG(ref->new), STR_ARG(ref->old), ref->is_default);
	for (size_t i = 0; i < r->keys.n; i++) {
		if (!str_eq(r->keys.p[i], key))
			continue;
		ref->block = r->out->refs.p[r->at[i]].block;
		return NULL;
	}
	TRY(receive_judge_tip(r, ref));
	r->at[r->keys.n] = (size_t)(ref - r->out->refs.p);
	strs_push(r->a, &r->keys, key);
	return NULL;
}

struct err *judge_receive(struct arena *a, const struct judge *j, struct str lines,
			  struct check_report *out)
{
	struct receive r = {.a = a, .judge = *j, .out = out};
	struct str line;

	r.judge.asker = JUDGE_SERVER;
	TRY(judge_need_git(j));
	*out = (struct check_report){.passed = true, .no_knowledge = true};
	/* All lines are read first, so that a bad line is found before any work. */
	while (str_next_line(&lines, &line)) {
		struct check_ref *ref;

		if (!line.n)
			continue;
		/* "old new ref", as Git writes it; a ref has no blank. */
		ref = VEC_PUSH(a, &out->refs);
		ref->ref = line;
		if (!str_next_part(&ref->ref, ' ', &ref->old) ||
		    !str_next_part(&ref->ref, ' ', &ref->new) || !ref->old.n || !ref->new.n ||
		    !str_starts(ref->ref, STR("refs/")) || str_has_nul(line))
			return err_help(
				err_new(E_BAD_ARGUMENT,
					"'%.*s' is no line of a pre-receive hook's input: old "
					"id, new id, ref",
					STR_ARG(line)),
				"Git writes these lines; by hand: echo \"OLD NEW "
				"refs/heads/NAME\" | ikm check --receive");
	}
	TRY(receive_find_default(&r));
	r.at = arena_array(a, out->refs.n, sizeof(*r.at));
	for (size_t i = 0; i < out->refs.n; i++)
		TRY(receive_ref(&r, &out->refs.p[i]));
	return judge_ref_sources(a, &r.judge, r.here.default_id, out);
}
