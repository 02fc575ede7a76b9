/*
 * The bytes that `git add` would store for a file: line ends and $Id$, by the attributes and the
 * configuration. No filter driver runs.
 */
#include "git/commit_paths.h"
#include "os/os.h"

enum { ATTR_FILTER, ATTR_ENCODING, ATTR_TEXT, ATTR_CRLF, ATTR_EOL, ATTR_IDENT, ATTR_COUNT };
static const char *const attr_names[ATTR_COUNT] = {
	"filter", "working-tree-encoding", "text", "crlf", "eol", "ident"};

static struct err *attributes_by_git(struct git *g, struct arena *a, struct str path,
				     const char **values)
{
	const char *args[ATTR_COUNT + 5] = {"check-attr", "-z"}, *user = NULL;
	const char *settings[2] = {0};
	struct git_ask q = {.args = args, .settings = settings};
	struct str rest, name, value;
	struct git_said said;
	const char *xdg = os_env("XDG_CONFIG_HOME"), *home = os_env("HOME");

	memcpy(args + 2, attr_names, sizeof(attr_names));
	args[ATTR_COUNT + 2] = "--";
	args[ATTR_COUNT + 3] = os_join(a, g->top, str_c(a, path));
	TRY(git_setting(g, a, "core.attributesFile", &user));
	if (!user && (xdg || home))
		user = xdg ? os_join(a, xdg, "git/attributes")
			   : os_join(a, home, ".config/git/attributes");
	if (user)
		settings[0] = str_c(a, str_fmt(a, "core.attributesFile=%s", user));
	TRY(git_ask(g, a, &q, &said));
	if (said.status) {
		name = cli_git_message_line(a, said.err);
		return err_new(E_GIT_FAILED, "git check-attr: %.*s", STR_ARG(name));
	}
	rest = said.out;
	while (str_next_part(&rest, 0, &name) && str_next_part(&rest, 0, &name) &&
	       str_next_part(&rest, 0, &value))
		for (size_t i = 0; i < ATTR_COUNT; i++)
			if (str_is(name, attr_names[i]))
				values[i] = str_is(value, "unspecified") ? NULL
					    : str_is(value, "set")       ? "true"
					    : str_is(value, "unset")     ? "false"
									 : str_c(a, value);
	return NULL;
}

static struct err *attributes_read(struct git *g, struct arena *a, struct str path,
				   const char **values)
{
	struct index_entry *staged;
	size_t n = 0, end = 0;
	struct index ix;

	if (!put_can_use_libgit2(g, a))
		return attributes_by_git(g, a, path, values);
	/* The entries that count for the path: its own, and the .gitattributes above it. */
	TRY(index_file_read(g, &ix));
	staged = arena_array(a, path.n + 2, sizeof(*staged));
	for (bool last = false; !last;) {
		size_t slash = str_find_char(path, '/', end), at;
		struct str name = str_fmt(a, "%.*s.gitattributes", (int)end, path.p);

		last = slash == SIZE_MAX;
		for (int own = 0; own <= last; own++, name = path) {
			at = index_lower_bound(&ix, 0, ix.n, name);
			if (at == ix.n || !str_eq(index_entry_path(&ix, at), name))
				continue;
			staged[n] = ix.p[at];
			staged[n++].name = str_c(a, name);
		}
		end = slash + 1;
	}
	return libgit2_attributes(g, a, str_c(a, path), staged, n, attr_names, ATTR_COUNT, values);
}

static bool attribute_says(const char *value)
{
	return value && strcmp(value, "false") != 0;
}

/* git runs a driver only when the configuration has a command for it. */
static struct err *attributes_filter(struct git *g, struct arena *a, struct str path,
				     const char *filter)
{
	static const char *const keys[] = {"clean", "process", "required"};

	if (!attribute_says(filter) || !strcmp(filter, "true"))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const char *value = NULL;
		struct err *e;

		TRY(git_setting(g, a, str_c(a, str_fmt(a, "filter.%s.%s", filter, keys[i])),
				&value));
		if (!value || (i == 2 && !config_bool(value, false)))
			continue;
		e = err_new(E_GIT_UNSUPPORTED,
			    "'%.*s' has the attribute filter=%s, and ikm does not run filter "
			    "drivers",
			    STR_ARG(path), filter);
		return err_help(e,
				"take these files out of the filter: echo '%.*s -filter' >> "
				".gitattributes; or commit by hand with git",
				STR_ARG(path));
	}
	return NULL;
}

struct err *git_convert_to_object(struct git *g, struct arena *a, struct str path, struct str bytes,
				  struct str *out)
{
	const char *values[ATTR_COUNT] = {0};
	const char *encoding;

	TRY(path_relative_to_top(g, a, path, &path));
	*out = bytes;
	/* Refuses what only a program of the repository could convert. */
	TRY_IN(attributes_read(g, a, path, values), "'%.*s'", STR_ARG(path));
	TRY(attributes_filter(g, a, path, values[ATTR_FILTER]));
	encoding = values[ATTR_ENCODING];
	if (attribute_says(encoding) && !str_ieq(str_of(encoding), STR("UTF-8")) &&
	    !str_ieq(str_of(encoding), STR("UTF8")))
		return err_help(err_new(E_GIT_UNSUPPORTED,
					"'%.*s' has the attribute working-tree-encoding=%s, and "
					"ikm writes UTF-8 only",
					STR_ARG(path), encoding),
				"take it out of .gitattributes");
	if (!str_holds(bytes, "\r\n") &&
	    (!attribute_says(values[ATTR_IDENT]) || !str_holds(bytes, "$Id")))
		return NULL;
	if (!put_can_use_libgit2(g, a)) {
		const char *autocrlf = NULL;
		bool text = attribute_says(values[ATTR_TEXT]) ||
			    attribute_says(values[ATTR_CRLF]) || values[ATTR_EOL];

		/* Only git can make its own form of the text in this repository. */
		TRY(git_setting(g, a, "core.autocrlf", &autocrlf));
		if (!text && !values[ATTR_TEXT] && !values[ATTR_CRLF] && autocrlf)
			text = !strcmp(autocrlf, "input") || config_bool(autocrlf, false);
		if (!text && !attribute_says(values[ATTR_IDENT]))
			return NULL;
		return err_help(
			err_new(E_GIT_UNSUPPORTED,
				"git would convert '%.*s', and ikm cannot do that in this "
				"repository (%s)",
				STR_ARG(path),
				g->why_no_libgit2 ? g->why_no_libgit2 : "core.sharedRepository"),
			"write the file with line feeds only, or commit it by hand: git add, git "
			"commit");
	}
	return libgit2_to_object(g, a, str_c(a, path), bytes, out);
}
