/* The id of a repository's project: its origin as HOST/PATH for every protocol, else its root
 * commit. */
#include "memories.h"

/* Removes "user@" in front and ":port" behind. */
static struct str host_of(struct str s)
{
	size_t port;

	s = str_sub(s, str_rfind_char(s, '@') + 1, s.n);
	port = str_rfind_char(s, ':');
	return port != SIZE_MAX && str_find_char(s, ']', port) == SIZE_MAX ? str_sub(s, 0, port)
									   : s;
}

struct str mem_repo_id_of_remote_url(struct arena *a, struct str url)
{
	size_t scheme = str_find(url, STR("://"), 0), colon, slash;
	struct str host = {0}, path = url;

	while (str_ends(path, STR("/")))
		path.n--;
	if (str_ends(path, STR(".git")))
		path.n -= strlen(".git");
	while (str_ends(path, STR("/")))
		path.n--;
	if (scheme != SIZE_MAX && scheme < path.n) {
		path = str_sub(path, scheme + strlen("://"), path.n);
		slash = size_min(str_find_char(path, '/', 0), path.n);
		host = host_of(str_sub(path, 0, slash));
		path = str_sub(path, slash, path.n);
	} else {
		/* Git's short form is HOST:PATH, unless a slash comes before the colon. */
		colon = str_find_char(path, ':', 0);
		slash = str_find_char(path, '/', 0);
		if (colon != SIZE_MAX && colon < slash) {
			host = str_sub(path, 0, colon);
			host = str_sub(host, str_rfind_char(host, '@') + 1, host.n);
			path = str_sub(path, colon + 1, path.n);
		} else if (slash) {
			return STR("");
		}
	}
	while (host.n && str_starts(path, STR("/")))
		path = str_sub(path, 1, path.n);
	if (!host.n)
		return str_dup(a, path);
	return str_fmt(a, "%.*s/%.*s", STR_ARG(str_lower(a, host)), STR_ARG(path));
}

struct err *mem_git_repository_id(struct arena *a, struct git *g, struct db *db, struct str *out)
{
	const char *url;

	*out = STR("");
	TRY(git_setting(g, a, "remote.origin.url", &url));
	if (url)
		*out = mem_repo_id_of_remote_url(a, str_of(url));
	return out->n ? NULL : mem_root_commit(a, g, db, out);
}

struct err *mem_find_current_project(struct call *c, struct memories *m)
{
	if (m->who.project.n || !c->git)
		return NULL;
	TRY(memory_ground_set_repository(m->ground));
	m->who.project = m->ground->repository;
	return NULL;
}
