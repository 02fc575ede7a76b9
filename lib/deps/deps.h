/*
 * deps: which packages a project asks for, from its manifests and lockfiles, with the place of
 * each name. Knows the formats; judges nothing.
 */
#ifndef IKM_DEPS_H
#define IKM_DEPS_H

#include "base/base.h"

enum deps_ecosystem {
	DEPS_UNKNOWN,
	DEPS_NPM,
	DEPS_PYPI,
	DEPS_GO,
	DEPS_CARGO,
	DEPS_GEM,
	DEPS_ECOSYSTEMS,
};
/* "npm", "pypi", "go", "cargo", "gem"; DEPS_UNKNOWN is "". */
const char *deps_ecosystem_name(enum deps_ecosystem e);
/* By that name, or by a usual other one (golang, python, crates.io); DEPS_UNKNOWN if none. */
enum deps_ecosystem deps_ecosystem_of(struct str name);

struct dep {
	enum deps_ecosystem ecosystem;
	struct str name;    /* the real package as its registry writes it, aliases resolved */
	struct str normal;  /* normalised: PyPI PEP 503; others as the ecosystem compares names */
	struct str written; /* the name it goes by in the file, when that hides the real one */
	struct str version; /* a version (locks) or the range as written; empty: any or unknown */
	bool locked;        /* version is the one version that is installed */
	struct span at;     /* of the name (the real one, where it is written) in the file */
};
/* Something that the file asks for, and of which nobody can tell the package by reading. */
struct deps_unresolved {
	struct str name; /* as written: a key, "${revision}", a file; empty when there is none */
	struct str
		reason; /* a clause: "'user/repo' is an address, which does not name its package" */
	struct span at; /* in the file */
	struct place place; /* line and column, in bytes, from 1 */
};
struct deps {
	struct dep *p;
	size_t n, cap;
	struct {
		struct deps_unresolved *p;
		size_t n, cap;
	} unresolved;
	/* Files of the tree that it includes, by their paths from the top, and that are
	 * requirements for pip although their names do not say so. */
	struct strs includes;
};

/* By the file's name (the last part of the path, and what the format says of folders), whatever
 * its case: does deps_read() read it? */
bool deps_is_manifest(struct str path);
/* "package.json, package-lock.json, …": for messages and the manual. */
const char *deps_manifests(void);

/* A manifest or lockfile that ikm knows, and for which it has no reader yet. */
struct deps_format {
	const char *name;      /* "Maven project", "Gradle build, a program" */
	const char *ecosystem; /* "maven": of its packages, not of enum deps_ecosystem alone */
	const char *words;     /* not NULL: others have such names; deps_unread_fits() tells */
};
/* The format of the path, as deps_is_manifest() goes by it; NULL when it is none such. */
const struct deps_format *deps_unread(struct str path);
/* Is the file of that name one? Reads the text only where the name is not enough (words). */
bool deps_unread_fits(const struct deps_format *f, struct str text);

/* May it include other requirements files? */
bool deps_may_include(struct str path);
/* A path beside this one by which deps_read() reads it as a requirements file. */
struct str deps_as_requirements(struct arena *a, struct str path);

/*
 * The other files of the tree in which the manifest lies, for what it refers to: an included file,
 * a workspace's catalog. read() may be called by the threads that call deps_read().
 */
struct deps_files {
	/*
	 * path: from the top, without "." and "..". *found false is success. text NULL: only asks
	 * whether there is one. A link and what is too big to be read has no text: *found false.
	 */
	struct err *(*read)(void *ctx, struct arena *a, struct str path, struct str *text,
			    bool *found);
	void *ctx;
};

/*
 * Everything the file asks for, each once per place. path picks the format. Strings borrow from
 * the text or live in the arena. files may be NULL: then no other file is known, and one that is
 * included counts as judged by its own name. Errors: BAD_MANIFEST, whose message begins "'PATH':
 * line L, column C: " and whose details have path, line and column; also for a member of another
 * type than the format's own tools take. Where people give the name to other texts too (in another
 * case than the tools write it, *requirements*.txt), that is one unresolved entry and no error.
 * TOO_BIG over 64 MiB. A file that is valid but holds no dependencies is success. A byte order mark
 * is skipped; places count its bytes.
 *
 * What is listed, where a format leaves a choice:
 * - Nobody can tell what an address gives without fetching it. Such an entry is listed by the name
 *   that the file has for it; by the repository's or archive's name, too, when that is another one
 *   (`written` is the first); and it is unresolved besides.
 * - npm: a known registry's tarball gives its own name alone. A folder is listed by the name in its
 *   package.json, "catalog:" by what a catalog of the tree says. Overrides and resolutions list
 * what they put in place, not the packages they select. In locks the address that is fetched counts
 *   over the entry's name; of yarn's the workspaces are none. yarn.lock and pnpm-lock.yaml must be
 *   as those programs write them: what looks otherwise is BAD_MANIFEST.
 * - PyPI: a folder is listed by the name in its pyproject.toml, and is unresolved without one; the
 *   manifest's own folder is none. In locks the folder "." is none, and an archive of another
 *   package counts over the entry's name. A file that is included is read by its own name; one that
 *   is not in the tree, or not named like a requirements file, is unresolved.
 * - Go: versions are locked. A replaced module is listed by its replacement (`written` is the
 *   module), at the replacement; one replaced by a folder by its own name, without a version.
 *   exclude and retract are none; a directive that is not known is unresolved.
 * - Cargo.lock: packages of the project itself only when another package depends on them.
 * - Gemfile.lock: gems of all sources, but of the folder "."; versions without their platform.
 */
struct err *deps_read(struct arena *a, struct str path, struct str text,
		      const struct deps_files *files, struct deps *out) MUST_USE;

/* The name as the ecosystem compares it. */
struct str deps_normal(struct arena *a, enum deps_ecosystem e, struct str name);

/* ---- versions ---- */

/* A range in the ecosystem's own syntax, e.g. "^1.2 || >=3" or ">=1.0,!=1.5". */
struct deps_range;
/* Errors: BAD_PATTERN naming the range, the part that is wrong, and the syntax. An unknown
 * ecosystem is read as npm's. */
struct err *deps_range_new(struct arena *a, enum deps_ecosystem e, struct str text,
			   struct deps_range **out) MUST_USE;
/*
 * Ranges are sets in the order of versions, with nothing hidden: "<2.0.0" holds 2.0.0-rc.1, though
 * npm, pip and Cargo would not choose it unless asked, since a pre-release that is there counts.
 * (PEP 440 itself says that <2.0 holds no pre-release of 2.0.) Poetry's ^, ~ and || are read beside
 * PEP 440's clauses. Go takes npm's comparators; "v1.2.3" alone is exactly that.
 *
 * Does what the dependency may be overlap the range? A locked version: is it inside. A declared
 * range: do the two have a version in common. No or unreadable version: yes, for nothing excludes
 * it.
 */
bool deps_range_overlaps(const struct deps_range *r, struct arena *scratch, const struct dep *d);

#endif
