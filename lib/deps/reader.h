/*
 * reader: shared by the readers of deps; private to the module. A reader is one function per
 * format, named in the table of formats.c, in one file per ecosystem or format. It walks the text
 * and calls reader_add() for each package that the file asks for.
 */
#ifndef IKM_DEPS_READER_H
#define IKM_DEPS_READER_H

#include "base/base.h"
#include "deps/deps.h"
#include "xml/xml.h"

struct reader_lookup;
struct reader_env;

struct reader {
	struct arena *a;
	struct str path, text; /* text: blanks stand for a byte order mark */
	size_t begin;          /* the offset behind it */
	enum deps_ecosystem ecosystem;
	struct deps *out;
	const struct deps_files *files; /* or NULL */
	struct place bad;               /* of the error; line 0: no error */
	struct str why;                 /* the message of the error, without the place */
	/* npm: the manifest and the catalogs of its workspace; read on first use. */
	const struct val *top;
	bool catalogs_loaded;
	struct reader_env *env;       /* Compose: variables of .env, or NULL */
	struct reader_lookup *lookup; /* of reader_find(); NULL: no lookup yet */
	struct {
		const struct val **p;
		size_t n, cap;
	} catalogs;
};

typedef struct err *reader_fn(struct reader *r);

/* Adds an entry with its normal name; the caller sets version and written. */
struct dep *reader_add(struct reader *r, struct str name, struct span at);
/*
 * Adds an entry of the kind runtime: what the file demands of the interpreter, compiler or package
 * manager. written: the key that stands for the name, such as "requires-python", or empty.
 */
struct dep *reader_runtime(struct reader *r, struct str name, struct str written,
			   struct str version, struct span at);
/* name: as written, or empty. reason: see struct deps_unresolved. */
void reader_unresolved(struct reader *r, struct str name, struct span at, const char *reason, ...)
	PRINTF(4, 5);

/* BAD_MANIFEST, "'path': line L, column C: …", for the text at the offset. */
struct err *reader_bad(struct reader *r, size_t offset, const char *fmt, ...) PRINTF(3, 4) MUST_USE;

/* The text as a tree; the top must be a map. Errors become BAD_MANIFEST. */
struct err *reader_json(struct reader *r, struct val **out) MUST_USE;
/* JSON with comments and trailing commas. */
struct err *reader_jsonc(struct reader *r, struct val **out) MUST_USE;
struct err *reader_toml(struct reader *r, struct val **out) MUST_USE;
/* An empty document is a map without members. */
struct err *reader_yaml(struct reader *r, struct val **out) MUST_USE;
/* The top element. */
struct err *reader_xml(struct reader *r, struct xml **out) MUST_USE;

/*
 * The place in the file of `part`, a slice of the decoded string `whole`. `at` is the span of the
 * string with its quotes. Returns `at` when the string has escapes.
 */
struct span reader_span(const struct reader *r, struct span at, struct str whole, struct str part);
struct span reader_key_span(const struct reader *r, const struct val *v);

/* BAD_MANIFEST when v has another type; `what` names it: "dependencies.foo". */
struct err *reader_want(struct reader *r, const struct val *v, enum val_type type, const char *fmt,
			...) PRINTF(4, 5) MUST_USE;
/*
 * *out is the member when it exists and has the type; NULL when it is missing or null (TOML has no
 * null). `in` names v in the message: "package.json's pnpm"; empty for the top.
 */
struct err *reader_member(struct reader *r, const struct val *v, const char *in, const char *key,
			  enum val_type type, struct val **out) MUST_USE;

/*
 * val_get_key() for maps with many lookups: sorts a large map once. The map must not change
 * afterwards.
 */
const struct val *reader_find(struct reader *r, const struct val *map, struct str key);

/* ---- other files of the tree ---- */

/*
 * The path of `to`, as written in the manifest, from the top of the tree, without "." and "..".
 * False when it leads outside the tree.
 */
bool reader_beside(struct reader *r, struct str to, struct str *path);
/* The text of the file. *found is false when it is missing, or when no other files are known. */
struct err *reader_file(struct reader *r, struct str path, struct str *text, bool *found) MUST_USE;
/* Whether the tree has the file. *known is false when no other files are known. */
struct err *reader_has(struct reader *r, struct str path, bool *known, bool *found) MUST_USE;

/* ---- formats ---- */

reader_fn npm_manifest, pnpm_workspace, npm_lock, yarn_lock, pnpm_lock, pypi_requirements,
	pypi_pyproject, pypi_lock, go_mod, cargo_manifest, cargo_lock, gem_lock, maven_project,
	maven_extensions, nuget_project, nuget_config, nuget_spec, nuget_lock, nuget_tools,
	nuget_global, composer_manifest, composer_lock, gem_manifest, gem_spec, gradle_build,
	gradle_lock, gradle_catalog, pipenv_manifest, pipenv_lock, setup_py, setup_cfg,
	setup_script, conda_environment, go_sum, go_vendor, bun_lock, npm_yaml, cargo_config,
	deno_manifest, deno_lock, pub_manifest, pub_lock, mix_lock, swift_lock, vcpkg_manifest,
	conan_manifest, git_modules, docker_file, compose_manifest, github_workflow, github_action,
	mix_manifest, swift_manifest, terraform_config, terraform_json, terraform_lock, meson_wrap,
	paket_manifest, paket_references, paket_lock, nuget_assets, pixi_manifest, pixi_lock,
	conda_lock, conda_explicit;

/* ---- formats that lists of packages share ---- */

/* Lists a package of conda: "channel::name[version='>=1']", "name=1.2=build", "name >=1,<2" */
struct err *conda_spec(struct reader *r, const struct val *v) MUST_USE;
/* Whether a name without a vendor is part of PHP's platform: php, ext-json, lib-curl, hhvm. */
bool composer_is_platform(struct str name);
/* Extensions and libraries are packages; PHP itself and Composer are runtimes. */
enum deps_kind composer_kind(struct str name);

/* ---- package names in URLs ---- */

/* Whether it begins with scheme://. */
bool url_has_scheme(struct str s);
/* Whether it is user@host:path, Git's short form. */
bool url_is_scp(struct str s);
/*
 * The package that a tarball URL of an npm registry names (…/NAME/-/BASE-VERSION.tgz), as slices of
 * the URL. False for any other URL. Escapes must be decoded before.
 */
bool url_npm_tarball(struct str url, struct str *name, struct str *version);
/* Decodes %xx escapes; returns the same slice when there are none. */
struct str url_decoded(struct arena *a, struct str url);
/*
 * The recorded name when the address has it without the @ of its scope; otherwise `name`, a slice
 * of the address.
 */
struct str npm_full_name(struct str url, struct str name, struct str recorded);
/*
 * The address of a repository without scheme, user and ".git": github.com/owner/name. A slice of
 * the URL where it can be. False: it is relative.
 */
bool url_address(struct arena *a, struct str url, struct str *name);
/* The last part of the path of a Git or archive URL, without .git; empty: none. */
struct str url_repo(struct str url);
/*
 * Splits the file name of a wheel or source archive into NAME and VERSION; false for other names.
 */
bool url_pypi_file(struct str url, struct str *name, struct str *version);

/* ---- formats.c: the table of all formats ---- */

/*
 * The reader of a path, or NULL. *sure: only this format has such names, so a text that does not
 * parse is an error.
 */
reader_fn *format_reader(struct str path, enum deps_ecosystem *ecosystem, bool *sure);

#endif
