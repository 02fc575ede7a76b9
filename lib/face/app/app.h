/*
 * app: the layer between main and the commands. It finds the command for the words or the program's
 * name, opens what the command needs, and runs it. In test builds it compares the result with the
 * table. main owns the rows; see cmd_table.
 */
#pragma once

#include "cmd/cmd.h"
#include "conf/conf.h"
#include "db/db.h"
#include "git/git.h"
#include "os/os.h"

/* One call of the program. */
struct app {
	struct call call;
	struct cmd_common common;
	void *args;
	struct val *result;
};

/* Runs the command that the program's name and its words name. Afterwards result is set, or the
 * output is printed. The caller sets call.a, out and err. */
struct err *app_run_argv(struct app *app, char **argv, size_t n) MUST_USE;
/* Opens what c->cmd needs, and runs it. The caller sets a, face, out, err and json of the call. */
struct err *app_run_command(struct call *c, const struct cmd_common *common, const void *args,
			    struct val **result) MUST_USE;
/*
 * app_run_command() for a tool: reads the input into the arguments of cmd by their table. Sets
 * c->cmd.
 *
 * A tool with TOOL_EVERY_ROOT, and without a path, runs once in each root that --root, files.roots
 * or the client of a server names, and the answers become one: lists follow each other, numbers are
 * added, and `passed` needs all. Paths are then absolute, and rows of the knowledge tools name
 * their root. A path of the input is looked up only in the root that it lies in; a relative one in
 * the first root. An error of one root is a warning while another root answers, and so is a root of
 * a client that cannot be opened.
 */
struct err *app_run_json(struct call *c, const struct cmd_common *common, const struct cmd *cmd,
			 const struct val *input, struct val **result) MUST_USE;
/* In test builds: writes the command's name into the file that IKM_RAN names. Else nothing. */
void app_test_note_command(const struct cmd *cmd);
/* In test builds: writes the error's reason into the file that IKM_REFUSED names, in place of the
 * reason before it. */
void app_test_note_error(const struct err *e);
/* c->set, from the options that every command has. */
void app_settings_from_options(struct call *c, const struct cmd_common *common);
/* NO_ROOTS: says that no folder is open to this call, the reason, and how to open one. */
struct err *app_no_roots_error(const struct call *c) MUST_USE;
/* The settings without those of the repository, for a setting that no repository may set. */
struct err *app_person_conf(struct call *c, struct conf **out) MUST_USE;
/* Sets c->conf, for a command that has no NEED_CONF because it rarely needs settings. */
struct err *app_load_conf(struct call *c) MUST_USE;
/* Adds c->warnings and c->notes to the warnings of the result. */
void app_result_add_warnings(struct call *c, struct val *result);
/* An argument that names a file, as an absolute path. c->cwd is set. */
const char *app_absolute_path(const struct call *c, struct str path);
/* The handle of the home's store, one for a call. The first statement opens it. */
struct db *app_store(struct call *c);
/* Opens git (if there is a repository), conf and roots of a call that is limited to roots. */
struct err *app_call_open_with_roots(struct call *c, const struct cmd_common *common) MUST_USE;
/* The person who uses ikm: the setting user, else the login name. Needs c->conf. */
struct str app_user(struct call *c);
/* Where the repository's configuration may be, from the top of the working tree; nearest first. */
struct strs app_conf_paths(struct arena *a, struct git *g);

/* ---- roots.c: which folders the tools of a call may touch ---- */

/*
 * c->roots of a call whose repository and settings are open, from the first of these that there is:
 * --root, the setting files.roots, the folders of an MCP client, the top of the repository. Errors:
 * OUTSIDE_ROOTS for a named root in a protected folder, FILE_NOT_FOUND, NOT_A_FILE, BAD_PATH.
 */
struct err *roots_open(struct call *c, const struct cmd_common *common) MUST_USE;
/* The garden's folder (garden.path, else the folder garden in ikm's home), absolute; it need not
 * exist. NULL: there is no home. c->conf is set. */
const char *app_garden_path(const struct call *c);
/* ---- garden_file_aliases.c: short names of the garden's files ---- */

/*
 * The file that a path names (ikm-garden(7), NAMES OF FILES): a relative path of the garden's
 * grammar, "users/ada/notes.md", names the garden's file, unless the current folder has a folder
 * users/. "garden:///notes.md" always does, in the folder of the caller. So do folders of the
 * grammar. *out is then absolute; any other path stays as it is. Reads the settings only for such a
 * path. Errors: BAD_PATH for a URI that the grammar has not, FILE_NOT_FOUND without a garden.
 */
struct err *app_garden_file_resolve(struct call *c, struct str path, struct str *out) MUST_USE;
/* The same for all GARDEN_NAMES parameters of a command. *args may become a copy. */
struct err *app_garden_file_resolve_args(struct call *c, const struct cmd *cmd,
					 const void **args) MUST_USE;
/* Whether a value of the setting user can be a folder of the garden; any other key passes. Errors:
 * BAD_ARGUMENT. */
struct err *app_garden_user_name_check(struct call *c, struct str key,
				       const struct strs *values) MUST_USE;
/* Adds to FILE_NOT_FOUND that a name of the command looks like one of the garden. */
void app_error_add_garden_hint(struct call *c, const void *args, struct err *e);

/* Why a folder that a client names is not open to tools; NULL: it is. *real is without links. */
const char *roots_refusal_reason(struct arena *a, struct str root, const char **real);
/* Adds to OUTSIDE_ROOTS which folders are open, which are not, and how to open one. */
void roots_help(struct call *c, struct err *e);
