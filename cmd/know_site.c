/* know site: writes the decisions as a web site that needs no server. */
#include "decisions/know_write_common.h"
#include "history/judge_trees.h"
#include "judge/rules_for_path.h"
#include "knowledge/load.h"
#include "site/site.h"

struct args {
	struct str dir, single;
	struct strs knowledge;
};

static const struct param site_params[] = {
	PARAM(dir, .flags = ARG | PATHS, .min = 1, .max = OS_PATH_MAX,
	      .help = "the folder for the pages; it is made if it is missing"),
	PARAM(single, .flags = PATHS, .meta = "FILE", .min = 1, .max = OS_PATH_MAX,
	      .help = "write all into this one file instead"),
	PARAM_KNOWLEDGE(struct args),
	{0},
};

struct result {
	bool success;
	struct str path;
	size_t decisions, files;
	struct strs notes;
};
static const struct field site_result[] = {
	FIELD(success, "the pages were written"),
	FIELD(path, "the folder, or the file"),
	FIELD(decisions, "the number of decisions"),
	FIELD(files, "the number of files"),
	FIELD(notes, "what the pages lack", .flags = IF_ANY),
	{0},
};

/* What the repository tells beside the decisions. */
static struct err *site_facts(struct call *c, const struct args *args, struct site *s,
			      struct strs *notes)
{
	struct judge j = {.git = c->git,
			  .args = c->set,
			  .given = args->knowledge,
			  .min_severity = KN_SEVERITY_INFO};
	struct check_report *now = ARENA_NEW(c->a, struct check_report);
	struct check_report *history = ARENA_NEW(c->a, struct check_report);
	struct waive_list *waivers = ARENA_NEW(c->a, struct waive_list);
	const char *since[] = {"rev-list", "--first-parent", "--max-count=1", NULL, "HEAD", NULL};
	struct str range, head;
	struct conf *conf;
	struct tree *t;

	TRY(git_is_bare(c->git) ? git_tree_head(c->git, &t) : git_tree_worktree(c->git, &t));
	TRY(check_list_tree_paths(c->a, t, &s->paths));
	TRY(knowledge_tree_conf(c->a, t, &c->set, &conf));
	TRY(waivers_list(c->a, c->git, t, s->knowledge, (size_t)conf->check_max_file_size,
			 waivers));
	TRY(judge_all(c->a, &j, now));
	s->waivers = waivers;
	s->now = now;
	if (git_rev_id(c->git, c->a, "HEAD", &head))
		return NULL;
	/* The plot shows what follows the last commit before its weeks, or the whole history. */
	since[3] =
		str_fmt(c->a, "--before=%lld", (long long)(s->today + 1 - 7 * SITE_WEEKS) * 86400)
			.p;
	TRY(git_run(c->git, c->a, since, (struct str){0}, &range));
	range = str_trim(range);
	range = range.n ? str_fmt(c->a, "%.*s..HEAD", STR_ARG(range)) : STR("HEAD");
	TRY(judge_each_commit(c->a, &j, range, history));
	if (history->verified.not_judged)
		strs_push(c->a, notes,
			  str_fmt(c->a,
				  "the history lacks %u of %u commits, which could not be judged: "
				  "see 'ikm check --verify %.*s'",
				  history->verified.not_judged,
				  history->verified.commits + history->verified.not_judged,
				  STR_ARG(range)));
	if (history->verified.commits)
		s->history = history;
	return NULL;
}

static struct err *know_site_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct site s = {.single = args->single.n > 0, .today = waive_today()};
	struct site_pages pages = {0};
	const char *top = c->git && git_top(c->git) ? git_top(c->git) : c->cwd, *to;
	struct knowledge *k;

	if (!args->dir.n == !args->single.n)
		return err_help(err_for_param(E_MISSING_PARAMETER, STR("dir"),
					      "know site needs a folder, or --single with a file"),
				"ikm know site DIR, or ikm know site --single FILE");
	TRY(know_load(c, &args->knowledge, &k));
	if (!k->items.n)
		return err_help(err_new(E_NO_SUCH_ITEM, "there are no decisions to show"),
				KNOWLEDGE_BEGIN);
	s.knowledge = k;
	s.name = str_base(str_of(top));
	if (c->git)
		TRY(site_facts(c, args, &s, &r->notes));
	site_pages(c->a, &s, &pages);
	r->path = s.single ? args->single : args->dir;
	to = app_absolute_path(c, r->path);
	if (!s.single)
		TRY(os_mkdirs(to, 0777));
	for (size_t i = 0; i < pages.n; i++) {
		const char *path = s.single ? to : os_join(c->a, to, str_c(c->a, pages.p[i].file));
		struct os_stat st;
		struct str old;

		/* Replaces a page that ikm wrote, and no other file. */
		TRY(os_stat(path, true, &st));
		if (st.kind != OS_NONE) {
			TRY(os_read_path(c->a, path, FILE_BYTES_MAX, &old));
			if (str_find(old, STR(SITE_MARK), 0) == SIZE_MAX)
				return err_help(err_new(E_EXISTS,
							"'%s' is no page of 'ikm know site'", path),
						"name another place, or remove the file");
		}
		TRY(os_write(path, pages.p[i].text, 0));
	}
	r->success = true;
	r->decisions = k->items.n;
	r->files = pages.n;
	return NULL;
}

const struct cmd cmd_know_site = {
	.name = "know site",
	.summary = "write the decisions as a web site",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT | NEED_CONF,
	CMD_PARAMS(struct args, site_params),
	CMD_RESULT(struct result, site_result),
	.run = know_site_run,
	.template =
		"{*path}  {decisions} decision{?!decisions=1:s}, {files} file{?!files=1:s}\n" TEMPLATE_NOTES,
};
