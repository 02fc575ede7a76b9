/*
 * reader: shared by the readers of deps; private to the module. A reader is one function per
 * format, named in the table of formats.c, in one file per ecosystem or format. It walks the text
 * and calls reader_add_dep() for each package that the file asks for.
 */
#pragma once

#include "base/base.h"
#include "deps/deps.h"
#include "xml/xml.h"

/*
 * What names stand for, by hash: a hostile manifest may have a million of them, and need each one
 * in another of its lists.
 */
struct names {
	struct name {
		struct str name;
		const void *value; /* NULL: the slot is free */
	} * p;                     /* open addressing, at most half full */
	size_t n, cap;
};
/* A later value takes the place of an earlier one. */
void name_map_put(struct arena *a, struct names *v, struct str name, const void *value);
/* NULL: the name is not there. */
const void *name_map_get(const struct names *v, struct str name);

struct reader {
	struct arena *a;
	struct str path, text; /* text: without a byte order mark */
	size_t begin;          /* the size of the mark in the file */
	enum deps_ecosystem ecosystem;
	enum deps_reach reach; /* of the entries that are added */
	struct deps *out;
	const struct deps_files *files; /* or NULL */
	struct place bad;               /* of the error; line 0: no error */
	struct str why;                 /* the message of the error, without the place */
	const struct val *top;          /* of a tree */
	const char *in;      /* where its rows are: "dependencies", "target.linux.dependencies" */
	struct names lookup; /* of reader_find_map_member() */
	struct names shared; /* what the format's entries share */
	bool loaded;         /* other files have been read for `shared` or `catalogs` */
	/* npm: the catalogs of the manifest's workspace; read on first use. */
	struct VEC(const struct val *) catalogs;
};

typedef struct err *reader_fn(struct reader *r);

/* Adds an entry with its normal name and r->reach; the caller sets version and written. */
struct dep *reader_add_dep(struct reader *r, struct str name, struct span at);
/*
 * Adds an entry of the kind runtime: what the file demands of the interpreter, compiler or package
 * manager. written: the key that stands for the name, such as "requires-python", or empty.
 */
struct dep *reader_add_runtime(struct reader *r, struct str name, struct str written,
			       struct str version, struct span at);
/* As reader_add_dep(), at the name's own place: a slice of the text, a string, the key of a member.
 */
struct dep *reader_add_dep_slice(struct reader *r, struct str name);
struct dep *reader_add_dep_val(struct reader *r, const struct val *v);
struct dep *reader_add_dep_key(struct reader *r, const struct val *v);
/* In another ecosystem than the file's. */
struct dep *reader_add_dep_in_ecosystem(struct reader *r, enum deps_ecosystem e, struct str name,
					struct span at);
/* Gives the entry its real name, which another one hides in the file. */
void reader_set_real_name(struct reader *r, struct dep *d, struct str name, struct span at);
/* The version is the installed one, when it is given. */
void reader_set_locked_version(struct dep *d, struct str version);
/* name: as written, or empty. reason: see struct deps_unresolved. Always NULL, for readers. */
struct err *reader_add_unresolved(struct reader *r, struct str name, struct span at,
				  const char *reason, ...) PRINTF(4, 5);

/* BAD_MANIFEST, "'path': line L, column C: …", for the text at the offset. */
struct err *reader_error_at(struct reader *r, size_t offset, const char *fmt, ...)
	PRINTF(3, 4) MUST_USE;

/* The same for a slice of the text: "'SLICE' WHAT", at its beginning. */
struct err *reader_bad_line(struct reader *r, struct str line, const char *what) MUST_USE;
/* Calls it for each line of the text, trimmed. */
struct err *reader_lines(struct reader *r,
			 struct err *(*line)(struct reader *r, struct str line)) MUST_USE;
/* Defines the reader `format`, which does so. */
#define LINE_READER(format, line)                                                                  \
	struct err *format(struct reader *r)                                                       \
	{                                                                                          \
		return reader_lines(r, line);                                                      \
	}

/* The text as a tree; the top must be a map. Errors become BAD_MANIFEST. */
struct err *reader_json(struct reader *r, struct val **out) MUST_USE;
/* JSON with comments and trailing commas. */
struct err *reader_jsonc(struct reader *r, struct val **out) MUST_USE;
struct err *reader_toml(struct reader *r, struct val **out) MUST_USE;
/* An empty document is a map without members. */
struct err *reader_yaml(struct reader *r, struct val **out) MUST_USE;
/* The top element, which must have the name, in any case. */
struct err *reader_xml(struct reader *r, const char *name, struct xml **out) MUST_USE;

/* The value of a property or variable; false: it is not known. */
typedef bool reader_variable_value_fn(void *ctx, struct str name, struct str *value);
/*
 * Replaces what stands between `open` and `close`, in values too. False when one is not known, or
 * they refer to each other; *unknown is its name.
 */
bool reader_expand_variables(struct reader *r, struct str text, const char *open, char close,
			     reader_variable_value_fn *value, void *ctx, struct str *out,
			     struct str *unknown);

/*
 * The place in the file of `part`, a slice of the decoded string `whole`. `at` is the span of the
 * string with its quotes. Returns `at` when the string has escapes.
 */
struct span reader_string_part_span(const struct reader *r, struct span at, struct str whole,
				    struct str part);
struct span reader_key_span(const struct reader *r, const struct val *v);
/* The place of a slice of the text; `at` for any other string. */
struct span reader_span_of_slice_or(const struct reader *r, struct str s, struct span at);
struct span reader_slice_span(const struct reader *r, struct str slice);
/* Of a string: the place of its content, or of a part of it. */
struct span reader_val_span(const struct reader *r, const struct val *v);
struct span reader_part_span(const struct reader *r, const struct val *v, struct str part);

/* ---- texts; `words` are some words with bars between ---- */

/* The parts before and behind the first `c` at or after `from`; without it *tail is empty. */
bool reader_split_at(struct str s, char c, size_t from, struct str *head, struct str *tail);
/* Whether s is one of the words. */
bool reader_is_any_of_words(struct str s, const char *words);
/* How many bytes the first of the words has with which s begins, or ends; 0: none of them. */
size_t reader_starts_with_any_of(struct str s, const char *words);
size_t reader_suffix_word_length(struct str s, const char *words);
/* s without such a beginning. */
struct str reader_skip_prefix(struct str s, const char *words);
/* The part of s before any of these characters. */
struct str reader_until(struct str s, const char *ends);
/* The text with another character in the place of each of these. */
struct str reader_replace_chars(struct arena *a, struct str s, const char *of, char by);
/* The text without one pair of quotes around it. */
struct str reader_unquote(struct str s);

/* BAD_MANIFEST when v has another type; `what` names it: "dependencies.foo". */
struct err *reader_require_type(struct reader *r, const struct val *v, enum val_type type,
				const char *fmt, ...) PRINTF(4, 5) MUST_USE;
/*
 * *out is the member when it exists and has the type; NULL when it is missing or null (TOML has no
 * null). `in` names v in the message: "package.json's pnpm"; empty for the top.
 */
struct err *reader_get_member(struct reader *r, const struct val *v, const char *in,
			      const char *key, enum val_type type, struct val **out) MUST_USE;

/* The value at a path of members, "hosted.name"; NULL: there is none. */
const struct val *reader_get_path(const struct val *v, const char *path);
/* The same, when it is a string. */
const struct val *reader_get_str(const struct val *v, const char *path);

/* ---- manifests that are trees of JSON, TOML or YAML: one row for each list ---- */

/* What an entry of the list may be, and what it says. */
enum tree_is {
	TREE_LOCKED = 1, /* the version is the installed one */
	TREE_DIRECT = 2, /* the project itself asks for the package */
	TREE_TEXT = 4,   /* a string too: the version, or in a list the name */
	TREE_NULL = 8,   /* null too */
	TREE_WHOLE = 16, /* the version must be there */
};

typedef struct err *tree_fn(struct reader *r, const struct val *v);

struct tree_row {
	/*
	 * Where the entries are, from the top. "a.b": a member; "{}": each member of an object,
	 * "[]": each item of a list, "*": of either. "a{}.b[]" is each item of the list b in each
	 * member of a. An empty path is the top. A missing or null list has no entries.
	 */
	const char *path;
	const char *name;    /* a member that must be there; NULL: the entry's key is the name */
	const char *version; /* a member, or NULL */
	const char *real;    /* a path to the real name, which the name hides if it is there */
	const char *any;     /* the text of the version that means any */
	const char *own;     /* "MEMBER=VALUE", in any case: the entry is the project itself */
	unsigned is;         /* enum tree_is */
	enum deps_ecosystem ecosystem; /* DEPS_UNKNOWN: the file's */
	bool (*skip)(struct reader *r, const struct val *v);
	/* Called with each entry that is listed, for what the row does not say. */
	struct err *(*each)(struct reader *r, const struct val *v, struct dep *d);
	/* These read the entry instead: all but `path` is ignored. */
	tree_fn *read;
	const char *runtime; /* a runtime, whose version is the entry, if that is a string */
};

/* Reads the rows in their order; their paths begin at v. */
struct err *reader_read_deps_by_table(struct reader *r, const struct val *v,
				      const struct tree_row *rows, size_t n) MUST_USE;
/* Whether it is a text: in YAML an unquoted version may be a number. */
static inline bool reader_is_text(const struct val *v)
{
	return v->type == VAL_STR || (v->type == VAL_NUM && v->plain);
}
/* The name of an entry, for messages: r->in, and its key if it has one. */
const char *reader_entry_name(struct reader *r, const struct val *v);
/* BAD_MANIFEST when the entry has another type. */
struct err *reader_require_entry_type(struct reader *r, const struct val *v,
				      enum val_type type) MUST_USE;
/* Defines the static tree_fn `name`, which reads such rows. */
#define TREE_TABLE(name, ...)                                                                      \
	static struct err *name(struct reader *r, const struct val *v)                             \
	{                                                                                          \
		static const struct tree_row rows[] = {__VA_ARGS__};                               \
                                                                                                   \
		return reader_read_deps_by_table(r, v, rows, ARRAY_SIZE(rows));                    \
	}
/* Defines the reader `format` of a file in that syntax: json, jsonc, toml or yaml. */
#define TREE_READER(format, syntax, ...)                                                           \
	struct err *format(struct reader *r)                                                       \
	{                                                                                          \
		static const struct tree_row rows[] = {__VA_ARGS__};                               \
		struct val *top;                                                                   \
                                                                                                   \
		TRY(reader_##syntax(r, &top));                                                     \
		r->top = top;                                                                      \
		r->in = "";                                                                        \
		return reader_read_deps_by_table(r, top, rows, ARRAY_SIZE(rows));                  \
	}

/* val_get_key() for maps with many lookups: reads a large map once. */
const struct val *reader_find_map_member(struct reader *r, const struct val *map, struct str key);

/* ---- other files of the tree ---- */

/*
 * The path of `to`, as written in the manifest, from the top of the tree, without "." and "..".
 * False when it leads outside the tree.
 */
bool reader_resolve_path(struct reader *r, struct str to, struct str *path);
/* The folder of a path, or the folder above; false: it was the top. */
bool reader_path_to_parent_folder(struct str *path);
/* The path of a file in the folder. */
struct str reader_join_path(struct reader *r, struct str folder, const char *name);
/* The text of the file. *found is false when it is missing, or when no other files are known. */
struct err *reader_read_other_file(struct reader *r, struct str path, struct str *text,
				   bool *found) MUST_USE;
/* Whether the tree has the file. *known is false when no other files are known. */
struct err *reader_has_file(struct reader *r, struct str path, bool *known, bool *found) MUST_USE;

/* ---- formats ---- */

reader_fn npm_manifest, pnpm_workspace, npm_lock, yarn_lock, pnpm_lock, pypi_requirements,
	pypi_pyproject, pypi_lock, go_mod, cargo_manifest, cargo_lock, gem_lock, maven_project,
	maven_extensions, nuget_project, nuget_config, nuget_spec, nuget_lock, nuget_tools,
	nuget_global, nuget_script, composer_manifest, composer_lock, gem_manifest, gem_spec,
	gradle_build, gradle_lock, gradle_catalog, pipenv_manifest, pipenv_lock, setup_py,
	setup_cfg, setup_script, conda_environment, go_sum, go_vendor, bun_lock, npm_yaml,
	cargo_config, deno_manifest, deno_lock, pub_manifest, pub_lock, mix_lock, swift_lock,
	vcpkg_manifest, conan_manifest, git_modules, docker_file, compose_manifest, github_workflow,
	github_action, mix_manifest, swift_manifest, terraform_config, terraform_json,
	terraform_lock, meson_wrap, paket_manifest, paket_references, paket_lock, nuget_assets,
	pixi_manifest, pixi_lock, conda_lock, conda_explicit;

/* ---- formats that lists of packages share ---- */

/* Lists a package of conda: "channel::name[version='>=1']", "name=1.2=build", "name >=1,<2" */
struct err *conda_spec(struct reader *r, const struct val *v) MUST_USE;
/* Whether a name without a vendor is part of PHP's platform: php, ext-json, lib-curl, hhvm. */
bool composer_is_platform(struct str name);
/* Extensions and libraries are packages; PHP itself and Composer are runtimes. */
enum deps_kind composer_kind(struct str name);

/* ---- names of container images, and texts with variables ---- */

/*
 * Replaces $X, ${X}, ${X-default} and ${X:-default}. Every other form, and a variable without a
 * value and a default, becomes a byte that no image's name has.
 * `escape` before a dollar sign keeps it, and is removed. value NULL: no variable has a value.
 */
struct str image_expand_variables(struct reader *r, struct str s, char escape,
				  reader_variable_value_fn *value, void *ctx);
/*
 * Lists the image that an expanded text names. `at` is the text in the file, before it was
 * expanded. Unresolved when the name is not known; a tag that is not known is no version.
 */
struct dep *image_add_dependency(struct reader *r, struct str expanded, struct span at);

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
bool url_repo_address(struct arena *a, struct str url, struct str *name);
/* The last part of the path of a Git or archive URL, without .git; empty: none. */
struct str url_repo_name(struct str url);
/*
 * Splits the file name of a wheel or source archive into NAME and VERSION; false for other names.
 */
bool url_pypi_file(struct str url, struct str *name, struct str *version);
