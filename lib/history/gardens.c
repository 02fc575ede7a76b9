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
	const char *path = conf_garden(a, conf), *real;
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

/* The last paragraph behind the subject. */
static struct str gardens_last_paragraph(struct str message)
{
	struct str line, rest = message, found = STR("");
	bool blank = false;

	while (str_line(&rest, &line)) {
		bool empty = !str_trim(line).n;

		if (!empty && blank)
			found = (struct str){line.p, (size_t)(message.p + message.n - line.p)};
		blank = empty;
	}
	return found;
}

struct str gardens_rationale(struct arena *a, struct str message)
{
	struct str line, name, value, found = STR("");
	struct str rest = gardens_last_paragraph(message);
	bool ours = false;

	while (str_line(&rest, &line)) {
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

/* The trailer of a commit. *why: why its value does not count. */
static struct err *gardens_commit_rationale(struct arena *a, struct git *g, struct str id,
					    struct str *rationale, struct str *why)
{
	const char *const args[] = {"rev-list",    "--no-walk",  "--encoding=UTF-8",
				    "--format=%B", str_c(a, id), NULL};
	struct str text, line;
	struct err *e;

	TRY(git_run(g, a, args, STR(""), &text));
	str_line(&text, &line); /* "commit ID" */
	*rationale = gardens_rationale(a, text);
	e = garden_rationale_check(*rationale);
	if (e) {
		*why = str_dup(a, str_of(err_message(e)));
		*rationale = STR("");
	}
	return NULL;
}

/* ---- one change ---- */

struct gardens_change {
	struct tree *now;
	struct tree **sides; /* the parents; none: everything is new */
	size_t sides_n;
	struct str commit; /* empty: it is not made yet, and its message is not known */
	bool named;        /* several commits are judged, so messages name this one */
	bool made;         /* it has no message, and none will come */
};

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
	return buf_str(&b);
}

static void gardens_note(struct arena *a, const struct gardens_change *c, struct str path,
			 const struct garden_diagnostic *d, struct str why,
			 struct check_report *out)
{
	bool told = c->made || c->commit.n;
	bool said = told || garden_rules[d->rule].force != GARDEN_FORCE_PERSON;

	/* A push brings many commits: only what stops it is told. */
	if (d->overridden || (told ? !d->blocks : d->severity == GARDEN_INFO))
		return;
	*VEC_PUSH(a, &out->notes) = (struct check_note){
		.kind = CHECK_GARDEN,
		.blocks = d->blocks && said,
		.path = path,
		.line = d->line,
		.message = gardens_message(a, c, d, why),
		.rule = garden_rules[d->rule].id,
		.commit = c->commit,
	};
}

static struct err *gardens_judge_top(struct arena *a, struct git *g, struct garden_trees *q,
				     const struct gardens_change *c, struct check_report *out)
{
	struct garden_judged judged;
	struct str why = STR("");

	q->rationale = STR("");
	TRY(garden_judge_trees(a, q, &judged));
	if (judged.blocked && c->commit.n) {
		TRY(gardens_commit_rationale(a, g, c->commit, &q->rationale, &why));
		if (q->rationale.n)
			TRY(garden_judge_trees(a, q, &judged));
	}
	out->garden += judged.files;
	for (size_t i = 0; i < judged.n; i++)
		for (size_t k = 0; k < judged.p[i].found.n; k++)
			gardens_note(a, c, judged.p[i].path, &judged.p[i].found.p[k], why, out);
	return NULL;
}

static struct err *gardens_judge(struct arena *a, struct git *g, const struct strs *tops,
				 const struct gardens_change *c, struct check_report *out)
{
	struct tree_changes changes = {0};
	struct garden_trees q = {.now = c->now, .changes = &changes, .person = true};

	if (!tops->n)
		return NULL;
	if (c->sides_n) {
		q.before = c->sides[0];
		q.others = c->sides + 1;
		q.others_n = c->sides_n - 1;
	}
	TRY(tree_diff(a, q.before, q.now, &changes));
	for (size_t i = 0; i < tops->n; i++) {
		q.top = tops->p[i];
		TRY(gardens_judge_top(a, g, &q, c, out));
	}
	reports_count(out);
	return NULL;
}

/* ---- the next commit, and one commit of a history ---- */

static struct err *gardens_of_sides(struct arena *a, const struct judge *j, const struct sides *s,
				    struct strs *tops)
{
	TRY(gardens_of_user(a, j->git, s->now.conf, tops));
	gardens_of_conf(a, s->now.conf, tops);
	for (size_t i = 0; i < s->base_n; i++)
		if (s->base[i].conf)
			gardens_of_conf(a, s->base[i].conf, tops);
	return NULL;
}

struct err *gardens_judge_next(struct arena *a, const struct judge *j, const struct sides *s,
			       struct check_report *out)
{
	struct gardens_change c = {.now = s->now.tree};
	struct strs tops = {0};

	TRY(gardens_of_sides(a, j, s, &tops));
	if (!tops.n)
		return NULL;
	c.sides = arena_array(a, s->tips.n + 1, sizeof(struct tree *));
	c.sides[c.sides_n++] = s->base[0].tree;
	for (size_t i = 0; i < s->tips.n; i++)
		TRY(git_tree_at(j->git, str_c(a, s->tips.p[i]), &c.sides[c.sides_n++]));
	return gardens_judge(a, j->git, &tops, &c, out);
}

struct err *gardens_judge_commit(struct arena *a, const struct judge *j, struct str id,
				 const struct sides *s, struct check_report *out)
{
	struct gardens_change c = {.now = s->now.tree, .commit = id};
	struct strs tops = {0};

	TRY(gardens_of_sides(a, j, s, &tops));
	c.sides = arena_array(a, s->base_n + 1, sizeof(struct tree *));
	for (size_t i = 0; i < s->base_n; i++)
		c.sides[c.sides_n++] = s->base[i].tree;
	return gardens_judge(a, j->git, &tops, &c, out);
}

/* ---- a range ---- */

struct gardens_range {
	struct arena *a;
	const struct judge *j;
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

static struct err *gardens_range_start(struct gardens_range *r, const struct bases_range *range)
{
	struct conf *conf;
	struct tree *t;

	TRY(knowledge_tree_conf(r->a, NULL, &r->j->args, &conf));
	TRY(gardens_of_user(r->a, r->j->git, conf, &r->always));
	gardens_of_conf(r->a, conf, &r->always);
	for (size_t i = 0; i < range->bases.n; i++) {
		TRY(git_tree_at(r->j->git, str_c(r->a, range->bases.p[i]), &t));
		TRY(gardens_at(r, t, &r->always));
	}
	for (size_t i = 0; i < r->always.n; i++)
		gardens_add(r->a, &r->tops, r->always.p[i]);
	for (size_t i = 0; i < range->tips.n; i++) {
		TRY(git_tree_at(r->j->git, str_c(r->a, range->tips.p[i]), &t));
		TRY(gardens_at(r, t, &r->tops));
	}
	return NULL;
}

/* The commits that touch a garden, oldest first: "commit ID", then "ID PARENT…". */
static struct err *gardens_list(struct gardens_range *r, const struct bases_range *range,
				struct str *out)
{
	static const char *const options[] = {"rev-list", "--full-history", "--topo-order",
					      "--reverse", "--format=%H %P"};
	struct arena *a = r->a;
	const char **args =
		arena_array(a, ARRAY_SIZE(options) + range->tips.n + range->bases.n + r->tops.n + 3,
			    sizeof(*args));
	size_t n = ARRAY_SIZE(options);

	memcpy(args, options, sizeof(options));
	for (size_t i = 0; i < range->tips.n; i++)
		args[n++] = str_c(a, range->tips.p[i]);
	args[n++] = "--not";
	for (size_t i = 0; i < range->bases.n; i++)
		args[n++] = str_c(a, range->bases.p[i]);
	args[n++] = "--";
	for (size_t i = 0; i < r->tops.n; i++)
		args[n++] =
			str_c(a, str_fmt(a, ":(top,literal)%.*s",
					 STR_ARG(r->tops.p[i].n ? r->tops.p[i] : STR("users"))));
	return git_run(r->j->git, a, args, STR(""), out);
}

static struct err *gardens_range_commit(struct gardens_range *r, struct str id, struct str parents)
{
	struct git *g = r->j->git;
	struct gardens_change c = {.commit = id, .named = true};
	struct strs tops = {0}, ids = {0};
	struct str one;

	while (str_split(&parents, ' ', &one))
		if (one.n)
			strs_push(r->a, &ids, one);
	c.sides = arena_array(r->a, ids.n + 1, sizeof(struct tree *));
	TRY(git_tree_at(g, str_c(r->a, id), &c.now));
	for (size_t i = 0; i < r->always.n; i++)
		gardens_add(r->a, &tops, r->always.p[i]);
	for (size_t i = 0; i < ids.n; i++) {
		TRY(git_tree_at(g, str_c(r->a, ids.p[i]), &c.sides[c.sides_n++]));
		TRY(gardens_at(r, c.sides[i], &tops));
	}
	TRY(gardens_at(r, c.now, &tops));
	return gardens_judge(r->a, g, &tops, &c, r->out);
}

/* What the whole range makes of a file may be fine though one of its commits was not. */
static struct err *gardens_range_mended(struct gardens_range *r, const struct bases_range *range)
{
	struct gardens_change c = {.made = true};
	struct check_report net = {0};
	struct str tip = range->tips.p[0];

	if (range->bases.n) {
		c.sides = arena_array(r->a, 1, sizeof(struct tree *));
		c.sides_n = 1;
		TRY(git_tree_at(r->j->git, str_c(r->a, range->bases.p[0]), &c.sides[0]));
	}
	TRY(git_tree_at(r->j->git, str_c(r->a, tip), &c.now));
	TRY(gardens_judge(r->a, r->j->git, &r->tops, &c, &net));
	for (size_t i = 0; i < r->out->notes.n; i++) {
		struct check_note *n = &r->out->notes.p[i];
		bool mended = n->kind == CHECK_GARDEN && n->blocks && n->commit.n;

		for (size_t k = 0; k < net.notes.n && mended; k++)
			mended = !str_eq(net.notes.p[k].path, n->path);
		if (!mended)
			continue;
		n->blocks = false;
		n->message = str_fmt(r->a, "%.*s; a later commit mends it, so it does not block",
				     STR_ARG(n->message));
	}
	reports_count(r->out);
	return NULL;
}

/*
 * A forced push takes commits back, which no commit says. So what it makes of the first base is
 * judged, with the rationale of the tip. What other bases have was judged there.
 */
static struct err *gardens_range_forced(struct gardens_range *r, const struct bases_range *range,
					struct str tip)
{
	struct gardens_change c = {.commit = tip, .named = true};
	struct git *g = r->j->git;
	bool follows = true;

	if (range->bases.n)
		TRY(bases_contains(r->a, g, tip, range->bases.p[0], &follows));
	if (follows)
		return NULL;
	TRY(git_tree_at(g, str_c(r->a, tip), &c.now));
	c.sides = arena_array(r->a, range->bases.n, sizeof(struct tree *));
	for (size_t i = 0; i < range->bases.n; i++) {
		struct str base = range->bases.p[i];
		bool known = false;

		/* The place where both parted is no side of its own. */
		if (i)
			TRY(bases_contains(r->a, g, range->bases.p[0], base, &known));
		if (!known)
			TRY(git_tree_at(g, str_c(r->a, base), &c.sides[c.sides_n++]));
	}
	return gardens_judge(r->a, g, &r->tops, &c, r->out);
}

struct err *gardens_judge_range(struct arena *a, const struct judge *j,
				const struct bases_range *range, struct check_report *out)
{
	struct gardens_range r = {.a = a, .j = j, .out = out};
	size_t before = out->notes.n;
	struct str list, line, commit;
	struct gardens_change whole = {.made = true};

	TRY(gardens_range_start(&r, range));
	if (!r.tops.n)
		return NULL;
	if (git_rev_id(j->git, a, str_c(a, range->tips.p[0]), &commit)) {
		/* A tag of a tree, which has neither history nor message. */
		TRY(git_tree_at(j->git, str_c(a, range->tips.p[0]), &whole.now));
		return gardens_judge(a, j->git, &r.tops, &whole, out);
	}
	TRY(gardens_range_forced(&r, range, commit));
	TRY(gardens_list(&r, range, &list));
	while (str_line(&list, &line))
		if (!str_starts(line, STR("commit ")) && str_split(&line, ' ', &commit))
			TRY(gardens_range_commit(&r, commit, line));
	for (size_t i = before; i < out->notes.n; i++)
		if (out->notes.p[i].blocks)
			return gardens_range_mended(&r, range);
	return NULL;
}
