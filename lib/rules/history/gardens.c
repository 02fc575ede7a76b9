#include "history/gardens.h"
#include "knowledge/load.h"
#include "os/os.h"

#define CONF_PATH ".ikm/config.json"
#define TRAILER   STR("Ikm-Rationale")

/* ---- where the gardens are ---- */

static void gardens_add(struct arena *a, struct strs *tops, struct str top)
{
	top = str_is(top, ".") ? STR("") : top;
	if (!strs_has(tops, top))
		strs_push(a, tops, str_dup(a, top));
}

/* The folders of check.garden from every place that sets it: a repository takes none away. */
static void gardens_of_conf(struct arena *a, const struct conf *conf, struct strs *tops)
{
	const struct conf_parts *said = &conf->said[CONF_ID_check_garden];

	for (size_t i = 0; i < said->n; i++)
		if (said->p[i].value->s.n)
			gardens_add(a, tops, said->p[i].value->s);
}

/* Whether the place is the folder or below it; then *top is the rest of its path. */
static bool gardens_below(struct str place, struct str folder, struct str *top)
{
	*top = str_sub(place, size_min(place.n, folder.n + (folder.n > 1)), place.n);
	return str_eq(place, folder) ||
	       (str_starts(place, folder) && (folder.n == 1 || place.p[folder.n] == '/'));
}

/*
 * The garden may stand in another working tree of the same repository (git worktree): its files
 * have the same paths here, and the commits of each tree reach the others.
 */
static struct err *gardens_linked(struct arena *a, const struct git *g, struct str place,
				  struct str *top, bool *held)
{
	const char *mine, *other;
	struct str folder = place;
	struct os_stat st;
	struct git *garden;

	/* Only a repository with linked working trees has this folder. */
	TRY(os_stat(os_join(a, git_common_dir(g), "worktrees"), true, &st));
	if (st.kind == OS_NONE)
		return NULL;
	/* The folder of the garden goes with its last file. */
	for (;;) {
		size_t slash = str_rfind_char(folder, '/');

		TRY(os_stat(str_c(a, folder), true, &st));
		if (st.kind == OS_DIR || slash == SIZE_MAX || !slash)
			break;
		folder = str_sub(folder, 0, slash);
	}
	/* A repository that cannot be opened is another one: this one is open. */
	if (git_open(a, str_c(a, folder), &garden))
		return NULL;
	TRY(os_realpath(a, git_common_dir(g), &mine));
	TRY(os_realpath(a, git_common_dir(garden), &other));
	if (git_is_bare(garden) || strcmp(mine, other) != 0)
		return NULL;
	*held = gardens_below(place, str_of(git_top(garden)), top);
	return NULL;
}

/* The user's own garden, when it lies in this working tree. */
static struct err *gardens_of_user(struct arena *a, const struct git *g, const struct conf *conf,
				   struct strs *tops)
{
	const char *path = conf_garden_folder(a, conf), *real;
	struct str place, top;
	bool held;

	if (git_is_bare(g) || !path)
		return NULL;
	/* `git rm` of its last file takes the folder away too. */
	place = str_of(os_realpath(a, path, &real) ? path : real);
	held = gardens_below(place, str_of(git_top(g)), &top);
	if (!held)
		TRY(gardens_linked(a, g, place, &top, &held));
	if (held)
		gardens_add(a, tops, top);
	return NULL;
}

/* The gardens of a tree by its own settings. Settings that cannot be read are told elsewhere. */
static struct err *gardens_of_tree(struct arena *a, struct tree *t, const struct strs *args,
				   struct strs *tops)
{
	struct conf *conf;
	struct err *e = knowledge_tree_conf(a, t, args, &conf);

	if (e)
		return err_code(e) == CODE_INVALID_INPUT || err_reason(e) == E_TOO_BIG ? NULL : e;
	gardens_of_conf(a, conf, tops);
	return NULL;
}

struct err *gardens_here(struct arena *a, struct git *g, const struct strs *args, struct strs *tops)
{
	struct tree *head, *index;
	struct conf *conf;
	struct err *e;

	if (git_is_bare(g))
		return NULL;
	TRY(knowledge_tree_conf(a, NULL, args, &conf));
	TRY(gardens_of_user(a, g, conf, tops));
	TRY(git_tree_head(g, &head));
	if (head)
		TRY(gardens_of_tree(a, head, args, tops));
	e = git_tree_index(g, &index);
	/* An index with conflicts: nothing can be committed from it. */
	if (e)
		return err_reason(e) == E_GIT_FAILED ? NULL : e;
	return gardens_of_tree(a, index, args, tops);
}

/* ---- the message ---- */

/* "Name : value", as git reads a trailer. */
static bool gardens_trailer(struct str line, struct str *name, struct str *value)
{
	size_t colon = str_find_char(line, ':', 0);

	if (colon == SIZE_MAX || !colon || line.p[0] == ' ' || line.p[0] == '\t')
		return false;
	*name = str_trim(str_sub(line, 0, colon));
	*value = str_trim(str_sub(line, colon + 1, line.n));
	for (size_t i = 0; i < name->n; i++)
		if (!ascii_is_alnum(name->p[i]) && name->p[i] != '-')
			return false;
	return true;
}

struct str gardens_rationale_of_message(struct arena *a, struct str message)
{
	struct str line, name, value, rest = message, last = STR(""), found = STR("");
	bool ours = false, blank = false;

	/* The last paragraph behind the subject. */
	while (str_next_line(&rest, &line)) {
		bool empty = !str_trim(line).n;

		if (!empty && blank)
			last = (struct str){line.p, (size_t)(message.p + message.n - line.p)};
		blank = empty;
	}
	while (str_next_line(&last, &line)) {
		if (gardens_trailer(line, &name, &value)) {
			ours = str_ieq(name, TRAILER);
			found = ours ? value : found;
		} else if (ours && line.n && (line.p[0] == ' ' || line.p[0] == '\t')) {
			/* git folds a long value onto further lines. */
			found = str_fmt(a, "%.*s %.*s", STR_ARG(found), STR_ARG(str_trim(line)));
		} else {
			ours = false;
		}
	}
	return found;
}

/* ---- one change ---- */

struct gardens_change {
	struct garden_trees trees;
	struct str commit; /* empty: it is not made yet, and its message is not known */
	bool named;        /* several commits are judged, so messages name this one */
	bool made;         /* it has no message, and none will come */
};

static struct err *gardens_add_side(struct arena *a, struct git *g, struct str id,
				    struct garden_trees *trees)
{
	return git_tree_at(g, str_c(a, id), VEC_PUSH(a, &trees->sides));
}

static struct str gardens_message(struct arena *a, const struct gardens_change *c,
				  const struct garden_diagnostic *d, struct str why)
{
	bool person = d->blocks && garden_rules[d->rule].force == GARDEN_FORCE_PERSON;
	struct buf b = buf_in(a);

	buf_fmt(&b, "%.*s (%s)", STR_ARG(d->message), garden_rules[d->rule].id);
	if (c->named)
		buf_fmt(&b, " in commit %.*s", STR_ARG(str_sub(c->commit, 0, 12)));
	if (d->fix.n)
		buf_fmt(&b, "; %.*s", STR_ARG(d->fix));
	if (person)
		buf_fmt(&b, "; or, if it is meant, end the message of the commit with a line "
			    "'Ikm-Rationale: WHY'");
	if (person && why.n)
		buf_fmt(&b, ", which does not count as it is: %.*s", STR_ARG(why));
	return buf_as_str(&b);
}

static struct err *gardens_judge(struct arena *a, struct git *g, struct gardens_change *c,
				 struct check_report *out)
{
	bool told = c->made || c->commit.n;
	struct garden_judged judged;
	struct str why = STR(""), text, line;
	struct err *e;

	if (!c->trees.tops.n)
		return NULL;
	c->trees.person = true;
	TRY(garden_judge_trees(a, &c->trees, &judged));
	if (judged.blocked && c->commit.n) {
		const char *const args[] = {"rev-list",    "--no-walk",         "--encoding=UTF-8",
					    "--format=%B", str_c(a, c->commit), NULL};

		TRY(git_run(g, a, args, STR(""), &text));
		str_next_line(&text, &line); /* "commit ID" */
		c->trees.rationale = gardens_rationale_of_message(a, text);
		e = garden_rationale_check(c->trees.rationale);
		if (e) {
			why = str_dup(a, str_of(err_message(e)));
			c->trees.rationale = STR("");
		}
		if (c->trees.rationale.n)
			TRY(garden_judge_trees(a, &c->trees, &judged));
	}
	out->garden += judged.files;
	for (size_t i = 0; i < judged.n; i++)
		VEC_EACH(const struct garden_diagnostic, d, &judged.p[i].found) {
			bool said = told || garden_rules[d->rule].force != GARDEN_FORCE_PERSON;

			/* A push brings many commits: only what stops it is told. */
			if (d->overridden || (told ? !d->blocks : d->severity == GARDEN_INFO))
				continue;
			*VEC_PUSH(a, &out->notes) = (struct check_note){
				.kind = CHECK_GARDEN,
				.blocks = d->blocks && said,
				.path = judged.p[i].path,
				.line = d->line,
				.message = gardens_message(a, c, d, why),
				.rule = garden_rules[d->rule].id,
				.commit = c->commit,
			};
		}
	report_count_findings(out);
	return NULL;
}

/* ---- the next commit, and one commit of a history ---- */

struct err *gardens_judge_sides(struct sides *s, struct str commit)
{
	struct gardens_change c = {.trees.now = s->now.tree, .commit = commit};
	struct garden_trees *t = &c.trees;

	TRY(gardens_of_user(s->a, s->judge->git, s->now.conf, &t->tops));
	gardens_of_conf(s->a, s->now.conf, &t->tops);
	for (size_t i = 0; i < s->base_n; i++) {
		if (s->base[i].conf)
			gardens_of_conf(s->a, s->base[i].conf, &t->tops);
		if (!i || commit.n)
			*VEC_PUSH(s->a, &t->sides) = s->base[i].tree;
	}
	for (size_t i = 0; t->tops.n && !commit.n && i < s->tips.n; i++)
		TRY(gardens_add_side(s->a, s->judge->git, s->tips.p[i], t));
	return gardens_judge(s->a, s->judge->git, &c, s->out);
}

/* ---- a range ---- */

struct gardens_range {
	struct arena *a;
	const struct judge *j;
	const struct bases_range *range;
	struct strs always; /* the gardens of the user and of the bases */
	struct strs tops;   /* all gardens of the range */
	/* The settings that were read last: most commits have those of their parents. */
	struct tree_file conf;
	struct strs conf_tops;
	struct check_report *out;
};

static struct err *gardens_at(struct gardens_range *r, struct tree *t, struct strs *tops)
{
	struct tree_file f = {0};
	bool there;

	TRY(tree_find(t, STR(CONF_PATH), &f, &there));
	if (!there)
		f = (struct tree_file){0};
	if (!r->conf.path.p || f.id_len != r->conf.id_len ||
	    memcmp(f.id, r->conf.id, f.id_len) != 0) {
		r->conf_tops = (struct strs){0};
		TRY(gardens_of_tree(r->a, t, &r->j->args, &r->conf_tops));
		r->conf = f;
		r->conf.path = STR(CONF_PATH);
	}
	for (size_t i = 0; i < r->conf_tops.n; i++)
		gardens_add(r->a, tops, r->conf_tops.p[i]);
	return NULL;
}

/* The commits that touch a garden, oldest first: "commit ID", then "ID PARENT…". */
static struct err *gardens_list(struct gardens_range *r, struct str *out)
{
	static const char *const options[] = {"rev-list", "--full-history", "--topo-order",
					      "--reverse", "--format=%H %P"};
	const struct strs *tips = &r->range->tips, *bases = &r->range->bases;
	struct arena *a = r->a;
	const char **args = arena_array(a, ARRAY_SIZE(options) + tips->n + bases->n + r->tops.n + 3,
					sizeof(*args));
	size_t n = ARRAY_SIZE(options);

	memcpy(args, options, sizeof(options));
	for (size_t i = 0; i < tips->n; i++)
		args[n++] = str_c(a, tips->p[i]);
	args[n++] = "--not";
	for (size_t i = 0; i < bases->n; i++)
		args[n++] = str_c(a, bases->p[i]);
	args[n++] = "--";
	for (size_t i = 0; i < r->tops.n; i++)
		args[n++] =
			str_c(a, str_fmt(a, ":(top,literal)%.*s",
					 STR_ARG(r->tops.p[i].n ? r->tops.p[i] : STR("users"))));
	return git_run(r->j->git, a, args, STR(""), out);
}

static struct err *gardens_range_commit(struct gardens_range *r, struct str id, struct str parents)
{
	struct gardens_change c = {.commit = id, .named = true};
	struct garden_trees *t = &c.trees;
	struct str one;

	TRY(git_tree_at(r->j->git, str_c(r->a, id), &t->now));
	for (size_t i = 0; i < r->always.n; i++)
		gardens_add(r->a, &t->tops, r->always.p[i]);
	while (str_next_part(&parents, ' ', &one)) {
		if (!one.n)
			continue;
		TRY(gardens_add_side(r->a, r->j->git, one, t));
		TRY(gardens_at(r, t->sides.p[t->sides.n - 1], &t->tops));
	}
	TRY(gardens_at(r, t->now, &t->tops));
	return gardens_judge(r->a, r->j->git, &c, r->out);
}

/* What the whole range makes of a file may be fine though one of its commits was not. */
static struct err *gardens_range_mended(struct gardens_range *r)
{
	struct gardens_change c = {.made = true, .trees.tops = r->tops};
	struct check_report net = {0};

	if (r->range->bases.n)
		TRY(gardens_add_side(r->a, r->j->git, r->range->bases.p[0], &c.trees));
	TRY(git_tree_at(r->j->git, str_c(r->a, r->range->tips.p[0]), &c.trees.now));
	TRY(gardens_judge(r->a, r->j->git, &c, &net));
	VEC_EACH(struct check_note, n, &r->out->notes) {
		bool mended = n->kind == CHECK_GARDEN && n->blocks && n->commit.n;

		for (size_t k = 0; k < net.notes.n && mended; k++)
			mended = !str_eq(net.notes.p[k].path, n->path);
		if (!mended)
			continue;
		n->blocks = false;
		n->message = str_fmt(r->a, "%.*s; a later commit mends it, so it does not block",
				     STR_ARG(n->message));
	}
	report_count_findings(r->out);
	return NULL;
}

/*
 * A forced push takes commits back, which no commit says. So what it makes of the first base is
 * judged, with the rationale of the tip. What other bases have was judged there.
 */
static struct err *gardens_range_forced(struct gardens_range *r, struct str tip)
{
	struct gardens_change c = {.commit = tip, .named = true, .trees.tops = r->tops};
	const struct strs *bases = &r->range->bases;
	struct git *g = r->j->git;
	bool follows = true;

	if (bases->n)
		TRY(bases_is_descendant(r->a, g, tip, bases->p[0], &follows));
	if (follows)
		return NULL;
	TRY(git_tree_at(g, str_c(r->a, tip), &c.trees.now));
	for (size_t i = 0; i < bases->n; i++) {
		bool known = false;

		/* The place where both parted is no side of its own. */
		if (i)
			TRY(bases_is_descendant(r->a, g, bases->p[0], bases->p[i], &known));
		if (!known)
			TRY(gardens_add_side(r->a, g, bases->p[i], &c.trees));
	}
	return gardens_judge(r->a, g, &c, r->out);
}

struct err *gardens_judge_range(struct arena *a, const struct judge *j,
				const struct bases_range *range, struct check_report *out)
{
	struct gardens_range r = {.a = a, .j = j, .range = range, .out = out};
	const struct strs *ids[] = {&range->bases, &range->tips};
	size_t before = out->notes.n;
	struct str list, line, commit;
	struct conf *conf;
	struct tree *t;

	TRY(knowledge_tree_conf(a, NULL, &j->args, &conf));
	TRY(gardens_of_user(a, j->git, conf, &r.always));
	gardens_of_conf(a, conf, &r.always);
	for (int tips = 0; tips < 2; tips++) {
		for (size_t i = 0; i < ids[tips]->n; i++) {
			TRY(git_tree_at(j->git, str_c(a, ids[tips]->p[i]), &t));
			TRY(gardens_at(&r, t, tips ? &r.tops : &r.always));
		}
		for (size_t i = 0; i < r.always.n; i++)
			gardens_add(a, &r.tops, r.always.p[i]);
	}
	if (!r.tops.n)
		return NULL;
	if (git_rev_id(j->git, a, str_c(a, range->tips.p[0]), &commit)) {
		struct gardens_change whole = {.made = true, .trees.tops = r.tops};

		/* A tag of a tree, which has neither history nor message. */
		TRY(git_tree_at(j->git, str_c(a, range->tips.p[0]), &whole.trees.now));
		return gardens_judge(a, j->git, &whole, out);
	}
	TRY(gardens_range_forced(&r, commit));
	TRY(gardens_list(&r, &list));
	while (str_next_line(&list, &line))
		if (!str_starts(line, STR("commit ")) && str_next_part(&line, ' ', &commit))
			TRY(gardens_range_commit(&r, commit, line));
	for (size_t i = before; i < out->notes.n; i++)
		if (out->notes.p[i].blocks)
			return gardens_range_mended(&r);
	return NULL;
}
