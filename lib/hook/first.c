/*
 * The mark that lets the first push into an empty repository in, whatever it breaks: an old history
 * could not be pushed to a new server otherwise, and an empty server can merge no exception first.
 */
#include "git/git.h"
#include "hook/hook.h"
#include "hook/internal.h"
#include "os/os.h"

#define MARK "ikm-accept-first"
#define USED "ikm-accepted-first"

struct err *hook_first_awaited(struct arena *a, struct git *g, bool *out)
{
	const char *args[] = {"for-each-ref", "--count=1", NULL};
	struct str refs;

	TRY(git_run(g, a, args, (struct str){0}, &refs));
	*out = !refs.n;
	return NULL;
}

struct err *hook_first_mark(struct arena *a, struct git *g)
{
	bool empty;

	TRY(hook_first_awaited(a, g, &empty));
	if (!empty)
		return err_help(err_new(E_EXISTS,
					"'%s' has branches or tags already: --accept-first "
					"is for the first push into an empty repository",
					git_common_dir(g)),
				"ikm hook install --server, without --accept-first");
	return os_write(os_join(a, git_common_dir(g), MARK), STR(""), 0);
}

/* Every push uses the mark up, so that nobody can keep it for a repository that he empties later.
 * Of two pushes at once only one can rename it. */
struct err *hook_first_take(struct arena *a, struct git *g, bool empty, bool *out)
{
	const char *mark = os_join(a, git_common_dir(g), MARK);
	struct os_stat st;

	*out = false;
	TRY(os_stat(mark, false, &st));
	if (st.kind == OS_NONE)
		return NULL;
	TRY(os_rename(mark, os_join(a, git_common_dir(g), USED)));
	*out = empty;
	return NULL;
}
