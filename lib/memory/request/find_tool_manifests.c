/* Finds manifests: the manifest of one tool id, and all manifests. */
#include "request/tool_access_manifest.h"
#include "os/os.h"

#define FOLDER    "manifests"
#define TOOLS     "tools"
#define FILE_NAME "tool.yaml"
#define SUFFIX    ".yaml"

static bool manifests_is_missing(const struct err *e)
{
	return e && err_reason(e) == E_FILE_NOT_FOUND;
}

/* One of the two places of a tool's manifest. */
struct place_of {
	const char *path;
	bool there, read;
	bool text_bad;
	struct str why; /* why it cannot be used; empty: it can be used */
	struct manifest manifest;
};

/* A manifest that everybody may write could grant access that its owner does not want. */
#define ANYBODY 0002

/* Empty, or the reason why anybody could have written the manifest: the permissions of the file, of
 * its folder, or of the folder that a link leads into. */
static struct str open_to_all(struct arena *a, const char *path)
{
	const char *real = path;
	struct err *e = os_realpath(a, path, &real);
	const char *at[] = {path, str_parent(a, path), str_parent(a, e ? path : real)};
	struct os_stat st;

	for (size_t i = 0; i < ARRAY_SIZE(at); i++)
		if (!os_stat(at[i], true, &st) && st.mode & ANYBODY)
			return str_fmt(a, "%s: anybody may write to %s: chmod o-w '%s' first", path,
				       i == 0   ? "it"
				       : i == 1 ? "its folder"
						: "the folder that it is a link into",
				       at[i]);
	return STR("");
}

PRINTF(2, 3)
static struct err *manifest_bad(struct place at, const char *fmt, ...)
{
	struct err *e;
	va_list ap;

	va_start(ap, fmt);
	e = err_new_at_line(E_BAD_MANIFEST, at, fmt, ap);
	va_end(ap);
	return e;
}

static void manifests_look(struct arena *a, const char *path, struct str id, struct place_of *out)
{
	struct manifest_problems problems = {0};
	struct str text, rest = STR("");
	struct err *e = os_read_path(a, path, MANIFEST_BYTES_MAX, &text);
	size_t more;

	*out = (struct place_of){.path = path, .there = !manifests_is_missing(e), .read = !e};
	if (!out->there)
		return;
	if (!e)
		out->text_bad =
			!manifest_validate(a, text, str_of(path), &out->manifest, &problems);
	if (out->text_bad) {
		more = problems.n - 1 + problems.more;
		if (more)
			rest = str_fmt(a, " (and %zu more)", more);
		e = manifest_bad(problems.p[0].at, "%.*s%.*s", STR_ARG(problems.p[0].message),
				 STR_ARG(rest));
	}
	if (e)
		out->why = str_fmt(a, "%s: %s", path, err_message(e));
	else if (!str_eq(out->manifest.tool_id, id))
		out->why =
			str_fmt(a, "%s: its id is '%.*s', but its file name belongs to tool '%.*s'",
				path, STR_ARG(out->manifest.tool_id), STR_ARG(id));
	else
		out->why = open_to_all(a, path);
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

/* Looks at both places. NULL when there is no manifest, or when *why says what is wrong. */
static const struct manifest *manifests_find(struct arena *a, const char *home, struct str id,
					     struct place_of at[2], struct str *why)
{
	const struct place_of *it = &at[0];

	manifests_look(a, flat_path(a, home, id), id, &at[0]);
	manifests_look(a, tool_path(a, home, id), id, &at[1]);
	if (at[0].there && at[1].there) {
		*why = str_fmt(a, "tool '%.*s' has two manifests, %s and %s: remove one",
			       STR_ARG(id), at[0].path, at[1].path);
		return NULL;
	}
	if (!it->there)
		it = &at[1];
	*why = it->why;
	return it->there && !it->why.n ? &it->manifest : NULL;
}

/* Hides the path of the home folder from the tool. */
static struct str without_home(struct arena *a, const char *home, struct str why)
{
	struct str path = str_of(home);
	struct buf b = buf_in(a);
	size_t from = 0, at;

	while (path.n && (at = str_find(why, path, from)) != SIZE_MAX) {
		buf_put(&b, str_sub(why, from, at));
		buf_puts(&b, "IKIGAI_HOME");
		from = at + path.n;
	}
	buf_put(&b, str_sub(why, from, why.n));
	return buf_as_str(&b);
}

struct err *manifest_of_tool(struct arena *a, const char *home, struct str id,
			     const struct manifest **out, struct str *why_not)
{
	struct place_of *at;

	*out = NULL;
	*why_not = STR("");
	if (!home) {
		*why_not = STR("there is no home folder to look for manifests in");
		return NULL;
	}
	if (!manifest_is_id(id)) {
		*why_not =
			str_fmt(a, "'%.*s' is not a valid tool id", STR_ARG(str_sub(id, 0, 160)));
		return NULL;
	}
	at = arena_array(a, 2, sizeof(*at));
	*out = manifests_find(a, home, id, at, why_not);
	if (!*out && !why_not->n)
		*why_not = str_fmt(a, "tool '%.*s' has no manifest at %s", STR_ARG(id),
				   flat_path(a, home, id));
	else if (!*out)
		*why_not = str_fmt(a, "its manifest cannot be used: %.*s", STR_ARG(*why_not));
	*why_not = without_home(a, home, *why_not);
	return NULL;
}

static void misplaced(struct arena *a, struct manifests *out, struct str why)
{
	strs_push(a, &out->broken, why);
	strs_push(a, &out->misplaced, why);
}

static struct err *names_in(struct arena *a, const char *folder, struct manifests *out,
			    struct strs *names)
{
	struct err *e = os_list(a, folder, names);

	if (!e || manifests_is_missing(e))
		return NULL;
	if (err_code(e) != CODE_INVALID_INPUT)
		return e;
	misplaced(a, out, str_fmt(a, "%s: it is not a folder", folder));
	return NULL;
}

struct err *manifests_load_access(struct arena *a, const char *home, struct manifests *out)
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
			misplaced(a, out,
				  str_fmt(a,
					  "%s/%.*s: ignored: the name must be a tool's id and "
					  "'" SUFFIX "'",
					  folder, STR_ARG(f)));
	}
	for (size_t i = 0; i < tools.n; i++) {
		struct os_stat st = {0};

		/* A tool's folder need not have a manifest. */
		if (manifest_is_id(tools.p[i]) && !strs_has(&ids, tools.p[i]) &&
		    !os_stat(tool_path(a, home, tools.p[i]), true, &st) && st.kind != OS_NONE)
			strs_push(a, &ids, tools.p[i]);
	}
	strs_sort(&ids);
	for (size_t i = 0; i < ids.n; i++) {
		struct place_of at[2];
		struct str why;
		const struct manifest *m = manifests_find(a, home, ids.p[i], at, &why);

		for (size_t k = 0; k < ARRAY_SIZE(at); k++)
			if (at[k].read)
				strs_push(a, &out->files, str_of(at[k].path));
		if (m)
			*VEC_PUSH(a, out) = *m;
		else if (why.n && (at[0].text_bad || at[1].text_bad) &&
			 !(at[0].there && at[1].there))
			strs_push(a, &out->broken, why);
		else if (why.n)
			misplaced(a, out, why);
	}
	return NULL;
}
