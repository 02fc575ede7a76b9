/* Makes a repository, with the program git: it knows the user's templates and default branch. */
#include "git/git.h"
#include "os/os.h"

#define INIT_LIMIT_MS 60000

struct err *git_init(struct arena *a, const char *path)
{
	const char *const argv[] = {"git", "-c", "core.hooksPath=/dev/null", "init", "--quiet",
				    path,  NULL};
	const char *const env[] = {"GIT_TERMINAL_PROMPT=0", "LC_ALL=C", NULL};
	struct os_spawn s = {
		.argv = argv, .env = env, .clear_git = true, .timeout_ms = INIT_LIMIT_MS};
	struct os_result r;
	struct err *e = os_run(a, &s, &r);
	struct str said;

	if (e && err_reason(e) == E_NO_PROGRAM)
		return err_help(
			err_new(E_NO_PROGRAM, "ikm needs the program git, and PATH has no git"),
			"install git, or add its folder to PATH");
	if (e || !r.status)
		return e;
	said = str_utf8(a, str_trim(r.err));
	return err_new(E_GIT_FAILED, "git init failed in '%s': %.*s", path, STR_ARG(said));
}
