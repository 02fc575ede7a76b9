/*
 * Judges what a push would make of the branches and tags of this repository, before Git accepts it.
 * The new commits may lie in a quarantine, which lib/repo/git finds by the environment that Git
 * sets.
 */
#include "history/gardens.h"
#include "history/sides.h"
#include "knowledge/load.h"

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

const char *const check_ref_actions[] = {CHECK_REF_ACTIONS(ENUM_NAME) NULL};

#define HEADS   "refs/heads/"
#define TAGS    "refs/tags/"
#define REPLACE "refs/replace/"

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

static bool receive_has_name(struct str ref, struct str branch)
{
	return branch.n && str_starts(ref, STR(HEADS)) &&
	       str_eq(str_sub(ref, sizeof(HEADS) - 1, ref.n), branch);
}

static struct err *receive_ref(struct receive *r, struct check_ref *ref)
{
	bool has_tree;
	struct str key;

	ref->is_default = receive_has_name(ref->ref, r->here.default_name) ||
			  receive_has_name(ref->ref, r->head);
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
