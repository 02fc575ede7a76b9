/* The names of files and stored assets that the finder ranks. */
#include "find_names.h"
#include "words/words.h"

struct gather {
	struct call *c;
	struct strs *names, *warnings;
	size_t skip;        /* bytes of the current folder's path, which names leave out */
	struct str home;    /* ikm's own folder below it, with a slash at the end; or empty */
	const char *top;    /* the folder that paths begin at, without links */
	const char *garden; /* NULL: history copies are no matter */
	size_t *copies;
	struct files *f;
	struct file_left left;
	struct str users; /* the garden's folder of users below `top`, with a slash; or empty */
	struct str user;  /* the last one that was looked at */
	bool closed;      /* it is outside the roots */
};

/* Whether the file is in a folder of another user in the garden, which tools do not read. */
static bool find_is_closed(struct gather *g, struct str path)
{
	struct os_stat st;
	struct str user;
	struct err *e;

	if (!g->users.n || !str_starts(path, g->users))
		return false;
	user = str_sub(path, 0, str_find_char(path, '/', g->users.n));
	if (user.n == path.n)
		return false;
	if (g->user.p && str_eq(user, g->user))
		return g->closed;
	g->user = user;
	e = os_roots_stat(g->f->roots, NULL, str_of(os_join(g->c->a, g->top, str_c(g->c->a, user))),
			  &st);
	g->closed = e && err_reason(e) == E_OUTSIDE_ROOTS;
	if (g->closed)
		strs_push(g->c->a, &g->left.closed, user);
	return g->closed;
}

static bool find_is_copy(const struct gather *g, struct str path)
{
	struct arena *a ARENA_LOCAL = NULL;
	size_t at = str_find(path, STR("/history/"), 0);

	if (!g->garden || (at == SIZE_MAX && !str_starts(path, STR("history/"))))
		return false;
	at = str_rfind_char(path, '/');
	a = arena_new();
	return file_is_history(g->garden,
			       str_of(os_join(a, g->top, str_c(a, str_sub(path, 0, at)))));
}

static struct err *find_add_file(void *ctx, const struct tree_file *file)
{
	struct gather *g = ctx;
	struct str path = str_sub(file->path, g->skip, file->path.n);

	if (find_is_copy(g, file->path)) {
		++*g->copies;
		return NULL;
	}
	if (find_is_closed(g, file->path))
		return NULL;
	/* A submodule is a folder of another repository. The home folder is ikm's own. */
	if (file->kind != TREE_SUBMODULE && !(g->home.n && str_starts(path, g->home)))
		strs_push(g->c->a, g->names, path);
	return NULL;
}

static void find_add_warning(void *ctx, struct str path, const struct err *e)
{
	struct gather *g = ctx;

	(void)path;
	strs_push(g->c->a, g->warnings, str_dup(g->c->a, str_of(err_message(e))));
}

static struct err *find_in_git(struct gather *g, bool whole)
{
	struct str prefix = whole ? (struct str){"", 0} : git_prefix(g->c->git);
	const char *home = os_ikigai_home(g->c->a);
	const char *at = whole ? git_top(g->c->git) : g->c->cwd;
	const char *garden;
	struct tree *t;

	if (home && str_starts(str_of(home), str_fmt(g->c->a, "%s/", at)))
		g->home = str_fmt(g->c->a, "%s/", home + strlen(at) + 1);
	g->skip = prefix.n;
	g->top = git_top(g->c->git);
	if (g->f->garden && !os_realpath(g->c->a, g->f->garden, &garden) &&
	    str_starts(str_fmt(g->c->a, "%s/", garden), str_fmt(g->c->a, "%s/", g->top)))
		g->users = str_of(os_join(g->c->a, garden, "users/") + strlen(g->top) + 1);
	TRY(git_tree_worktree_but(g->c->git, find_add_warning, g, &t));
	return tree_foreach(t, str_sub(prefix, 0, prefix.n - (prefix.n > 0)), find_add_file, g);
}

struct err *find_files(struct call *c, struct files *f, bool whole, struct strs *names,
		       struct strs *warnings, size_t *copies)
{
	struct gather g = {.c = c, .f = f, .names = names, .warnings = warnings, .copies = copies};
	const struct file_walk walk = {
		.trouble = find_add_warning, .ctx = &g, .left = &g.left, .copies = true};
	struct file_ref here;
	struct file_stat st;
	struct tree *t;
	bool file;

	TRY(file_ref(f, STR("."), &here));
	TRY(file_stat(f, &here, &st)); /* OUTSIDE_ROOTS */
	if (copies && f->garden && os_realpath(c->a, f->garden, &g.garden))
		g.garden = NULL;
	TRY(os_realpath(c->a, c->cwd ? c->cwd : ".", &g.top));
	if (c->git && git_top(c->git)) {
		TRY(find_in_git(&g, whole));
	} else {
		TRY(file_tree(f, &here, &walk, &t, &file));
		TRY(tree_foreach(t, STR(""), find_add_file, &g));
	}
	files_left_warn(c, &g.left, warnings);
	return NULL;
}

struct err *find_names(struct call *c, bool asset, struct strs *names, struct strs *warnings,
		       size_t *copies)
{
	struct asset_list list = {0};
	struct files *f;

	TRY(files_open(c, &f));
	if (!asset)
		return find_files(c, f, false, names, warnings, copies);
	TRY(asset_each(f->assets, c->a, STR(""), &list));
	for (size_t i = 0; i < list.n; i++)
		strs_push(c->a, names, list.p[i].path);
	return NULL;
}

struct err *find_rank(struct call *c, struct str query, const struct strs *names, size_t limit,
		      struct fuzzy_hits *out)
{
	struct strs plain = {0};

	for (size_t i = 0; i < names->n; i++)
		strs_push(c->a, &plain, words_plain_letters(c->a, names->p[i]));
	return fuzzy_rank(c->a, words_plain_letters(c->a, query), &plain, limit, out);
}

bool find_is_asset(struct str *query)
{
	bool asset = str_starts(*query, STR("@@"));

	if (str_starts(*query, STR("@")))
		*query = str_sub(*query, 1 + asset, query->n);
	if (str_starts(*query, STR("\"")))
		*query = str_sub(*query, 1,
				 query->n - (query->n > 1 && str_ends(*query, STR("\""))));
	return asset;
}
