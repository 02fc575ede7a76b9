/* Whether a host's own settings in a project call ikm. */
#include "agent/internal.h"

#define SETTINGS_MAX ((size_t)4 << 20)

static bool installed_calls(struct arena *a, enum host host, const char *path, struct str *text)
{
	struct str call = str_fmt(a, "hook run agent --host %s", host_names[host]);
	/* A plugin gives the words as a list. */
	struct str list = str_fmt(a, "\"agent\", \"--host\", \"%s\"", host_names[host]);

	return !os_read(a, path, SETTINGS_MAX, text) &&
	       (str_find(*text, call, 0) != SIZE_MAX || str_find(*text, list, 0) != SIZE_MAX);
}

static bool installed_in(struct arena *a, const struct host_file *f, const char *top,
			 struct str *text)
{
	const char *path = os_join(a, top, f->path);
	size_t star = str_find_char(str_of(path), '*', 0);
	struct strs names = {0};
	const char *folder;

	if (star == SIZE_MAX)
		return installed_calls(a, f->host, path, text);
	folder = str_c(a, str_sub(str_of(path), 0, star - 1));
	if (os_list(a, folder, &names))
		return false;
	for (size_t i = 0; i < names.n; i++)
		if (str_ends(names.p[i], str_of(path + star + 1)) &&
		    installed_calls(a, f->host, os_join(a, folder, str_c(a, names.p[i])), text))
			return true;
	return false;
}

bool agent_installed(struct arena *a, enum host host, const char *top, struct str *text)
{
	for (const struct host_file *f = host_files; f->path; f++)
		if (f->host == host && !f->user && installed_in(a, f, top, text))
			return true;
	return false;
}
