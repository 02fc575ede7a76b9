/* Where the path of an event leads, before anything is opened. */
#include "agent/internal.h"

#define LINKS_MAX 16

/*
 * The folder without links: the kernel resolves what exists, and the parts behind it are joined.
 */
static struct err *place_folder(struct arena *a, struct str folder, const char **out,
				const char **exists)
{
	struct str have = folder, rest, part;
	const char *real = NULL;
	struct buf b = buf_in(a);

	while (!real) {
		struct err *e = os_realpath(a, have.n ? str_c(a, have) : "/", &real);

		if (e && (!have.n ||
			  (err_reason(e) != E_FILE_NOT_FOUND && err_reason(e) != E_NOT_A_FILE)))
			return e;
		if (e)
			have = str_dir(have);
	}
	*exists = real;
	buf_puts(&b, strcmp(real, "/") ? real : "");
	rest = str_sub(folder, have.n, folder.n);
	while (str_next_part(&rest, '/', &part)) {
		if (!part.n || str_is(part, "."))
			continue;
		if (str_is(part, "..")) {
			b.n = str_dir(buf_as_str(&b)).n;
			continue;
		}
		buf_putc(&b, '/');
		buf_put(&b, part);
	}
	*out = b.n ? buf_as_cstr(&b) : "/";
	return NULL;
}

static struct err *place_one(struct arena *a, const char *cwd, struct str path, const char **out,
			     const char **exists)
{
	struct str whole =
		str_starts(path, STR("/")) ? path : str_fmt(a, "%s/%.*s", cwd, STR_ARG(path));
	struct str name = str_base(whole);
	const char *folder;

	if (!name.n || str_is(name, ".") || str_is(name, "..") || str_has_nul(path) ||
	    whole.n >= OS_PATH_MAX)
		return err_new(E_BAD_PATH, "'%.*s' is no path of a file",
			       STR_ARG(str_utf8_head(path, 200)));
	TRY(place_folder(a, str_dir(whole), &folder, exists));
	*out = str_fmt(a, "%s/%.*s", strcmp(folder, "/") ? folder : "", STR_ARG(name)).p;
	return NULL;
}

struct err *agent_path_resolve(struct arena *a, const char *cwd, struct str path,
			       struct agent_place *out)
{
	struct str target;

	*out = (struct agent_place){0};
	TRY(place_one(a, cwd, path, &out->name, &out->folder));
	out->target = out->name;
	for (int i = 0; i < LINKS_MAX; i++) {
		TRY(os_stat(out->target, false, &out->st));
		if (out->st.kind != OS_LINK)
			return NULL;
		out->link = true;
		TRY(os_readlink(a, out->target, &target));
		TRY(place_one(a, str_c(a, str_dir(str_of(out->target))), target, &out->target,
			      &out->folder));
	}
	return err_new(E_BAD_PATH, "'%.*s' leads to more than %d links", STR_ARG(path), LINKS_MAX);
}

struct str agent_path_relative_to(const char *folder, const char *path)
{
	size_t n = strlen(folder);

	if (!strcmp(folder, "/"))
		n = 0;
	if (strncmp(folder, path, n) || path[n] != '/')
		return (struct str){NULL, 0};
	return str_of(path + n + 1);
}
