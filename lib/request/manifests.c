/* Where manifests are: a look-up by a tool's id, and all of them. */
#include "request/manifest.h"
#include "os/os.h"

#define FOLDER "manifests"
#define TOOLS  "tools"
#define FILE_NAME "tool.yaml"
#define SUFFIX	".yaml"

static bool is_missing(const struct err *e)
{
	return e && err_reason(e) == E_FILE_NOT_FOUND;
}

/*
 * One file; `id` is the tool that its name speaks of. What is wrong with it is *why, an empty string
 * when there is nothing; *there: there is such a file.
 */
static struct manifest *read_one(struct arena *a, const char *path, struct str id, bool *there,
				 struct str *why)
{
	struct manifest *m = ARENA_NEW(a, struct manifest);
	struct str text;
	struct err *e = os_read(a, path, MANIFEST_BYTES_MAX, &text);

	*why = STR("");
	*there = !is_missing(e);
	if (!*there)
		return NULL;
	if (!e)
		e = manifest_read(a, text, str_of(path), m);
	if (e) {
		*why = str_fmt(a, "%s: %s", path, err_message(e));
		return NULL;
	}
	if (!str_eq(m->tool_id, id)) {
		*why = str_fmt(a, "%s: it is for tool '%.*s', and its name for '%.*s': they must be "
			       "the same", path, STR_ARG(m->tool_id), STR_ARG(id));
		return NULL;
	}
	return m;
}

static const char *flat_path(struct arena *a, const char *home, struct str id)
{
	return os_join(a, os_join(a, home, FOLDER),
		       str_c(a, str_fmt(a, "%.*s" SUFFIX, STR_ARG(id))));
}

static const char *tool_path(struct arena *a, const char *home, struct str id)
{
	return os_join(a, os_join(a, os_join(a, home, TOOLS), str_c(a, id)), FILE_NAME);
}

/* Both places that a tool's manifest can be at. Both missing: m and why are empty. */
static struct manifest *find(struct arena *a, const char *home, struct str id, struct str *why)
{
	const char *one = flat_path(a, home, id), *two = tool_path(a, home, id);
	bool first, second;
	struct str other;
	struct manifest *m = read_one(a, one, id, &first, why);
	struct manifest *n = read_one(a, two, id, &second, &other);

	if (first && second) {
		*why = str_fmt(a, "tool '%.*s' has two: %s and %s; remove one", STR_ARG(id), one, two);
		return NULL;
	}
	if (second)
		*why = other;
	return first ? m : n;
}

struct err *manifest_of(struct arena *a, const char *home, struct str id,
			const struct manifest **out, struct str *why_not)
{
	*out = NULL;
	*why_not = STR("");
	if (!home) {
		*why_not = STR("there is no home folder to look for manifests in");
		return NULL;
	}
	if (!manifest_is_id(id)) {
		*why_not = str_fmt(a, "'%.*s' can be no tool's id", STR_ARG(str_sub(id, 0, 160)));
		return NULL;
	}
	*out = find(a, home, id, why_not);
	if (!*out && !why_not->n)
		*why_not = str_fmt(a, "tool '%.*s' has no manifest at %s", STR_ARG(id),
				   flat_path(a, home, id));
	else if (!*out)
		*why_not = str_fmt(a, "its manifest cannot be used: %.*s", STR_ARG(*why_not));
	return NULL;
}

static struct err *names_in(struct arena *a, const char *folder, struct manifests *out,
			    struct strs *names)
{
	struct err *e = os_list(a, folder, names);

	if (!e || is_missing(e))
		return NULL;
	if (err_code(e) != CODE_INVALID_INPUT)
		return e;
	strs_push(a, &out->broken, str_fmt(a, "%s: it is no folder", folder));
	return NULL;
}

struct err *manifests_load(struct arena *a, const char *home, struct manifests *out)
{
	struct strs files = {0}, tools = {0}, ids = {0};
	const char *folder;

	*out = (struct manifests){0};
	if (!home)
		return NULL;
	folder = os_join(a, home, FOLDER);
	TRY(names_in(a, folder, out, &files));
	TRY(names_in(a, os_join(a, home, TOOLS), out, &tools));
	for (size_t i = 0; i < files.n; i++) {
		struct str f = files.p[i], id = str_sub(f, 0, f.n - size_min(f.n, strlen(SUFFIX)));

		if (f.p[0] == '.')
			continue;
		if (str_ends(f, STR(SUFFIX)) && manifest_is_id(id))
			strs_push(a, &ids, id);
		else
			strs_push(a, &out->broken,
				  str_fmt(a, "%s/%.*s: it is not looked at: the name must be a tool's "
					  "id and '" SUFFIX "'", folder, STR_ARG(f)));
	}
	for (size_t i = 0; i < tools.n; i++) {
		struct os_stat st = {0};

		/* A tool's folder may be without a manifest. */
		if (manifest_is_id(tools.p[i]) && !strs_has(&ids, tools.p[i]) &&
		    !os_stat(tool_path(a, home, tools.p[i]), true, &st) && st.kind != OS_NONE)
			strs_push(a, &ids, tools.p[i]);
	}
	strs_sort(&ids);
	for (size_t i = 0; i < ids.n; i++) {
		struct str why;
		struct manifest *m = find(a, home, ids.p[i], &why);

		if (m)
			*VEC_PUSH(a, out) = *m;
		else if (why.n)
			strs_push(a, &out->broken, why);
	}
	return NULL;
}
