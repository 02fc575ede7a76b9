/*
 * deps: lists the packages that a project asks for, from its manifests and lockfiles, with the
 * place of each name. Knows the formats; judges nothing.
 */
#pragma once

#include "base/base.h"
#include "deps/ecosystems.h"

enum deps_ecosystem {
#define X(e, ...) e,
	DEPS_ECOSYSTEM_ROWS(X)
#undef X
		DEPS_ECOSYSTEMS
};
extern const char *const deps_ecosystems[];
/* Accepts such a name and common other names (golang, python, crates.io); otherwise DEPS_UNKNOWN.
 */
enum deps_ecosystem deps_ecosystem_by_name(struct str name);

/* Whether the project itself asks for a package, or another package does. Many lockfiles do not
 * tell. */
enum deps_reach { DEPS_REACH_UNKNOWN, DEPS_DIRECT, DEPS_TRANSITIVE };

/*
 * A runtime is no package: it is what a manifest says of the interpreter, compiler or package
 * manager that the project runs with.
 */
#define DEPS_KINDS(X) X(DEPS_PACKAGE, "package") X(DEPS_RUNTIME, "runtime")
enum deps_kind { DEPS_KINDS(ENUM_MEMBER) };
extern const char *const deps_kinds[];

struct dep {
	enum deps_ecosystem ecosystem;
	enum deps_kind kind;
	struct str name;    /* the real package as its registry writes it, aliases resolved */
	struct str normal;  /* normalised: PyPI PEP 503; others as the ecosystem compares names */
	struct str written; /* the name in the file, when it hides the real name */
	struct str brief;   /* as deps_short_name() gives it */
	struct str version; /* a version (locks) or the range as written; empty: any or unknown */
	bool locked;        /* version is the installed version */
	enum deps_reach reach;
	struct span at; /* of the real name in the file, where it is written */
};
/* An entry of the file whose package ikm cannot know by reading. */
struct deps_unresolved {
	struct str name; /* as written: a key, "${revision}", a file; empty: none */
	struct str
		reason; /* a clause: "'user/repo' is an address, which does not name its package" */
	struct span at; /* in the file */
	struct place place; /* line and column, in bytes, from 1 */
};
struct deps {
	struct dep *p;
	size_t n, cap;
	struct VEC(struct deps_unresolved) unresolved;
	/*
	 * Paths from the top of included files that pip reads as requirements, and Compose as
	 * Dockerfiles, although their names do not say so.
	 */
	struct strs includes;
};

/* Whether deps_read() has a reader, by the last parts of the path, ignoring case. */
bool deps_is_manifest(struct str path);
/* Whether every file of that name is a manifest, whatever its text is. */
bool deps_is_always_manifest(struct str path);
/*
 * Whether a file of such a name is a manifest: other files have some of the names too, and only the
 * text tells.
 */
bool deps_text_is_manifest(struct str path, struct str text);
/* Writes the list of all formats for the manual, as mdoc. */
struct out;
void deps_mdoc_formats(struct out *o);

/* A manifest or lockfile that ikm knows, and cannot read yet. */
struct deps_format {
	const char *name;      /* "Maven project", "Gradle build, a program" */
	const char *ecosystem; /* ecosystem of its packages, beyond enum deps_ecosystem */
	const char *words;     /* not NULL: other files have such names; deps_unread_format_fits()
				  decides */
};
/* The format of the path; NULL when it is not such a manifest. */
const struct deps_format *deps_unread_format(struct str path);
/* Whether a file of that name has the format. Reads the text only when `words` is set. */
bool deps_unread_format_fits(const struct deps_format *f, struct str text);

/* Whether it may include files of other names: requirements, or Dockerfiles. */
bool deps_may_include(struct str path);
/* Another name for the path, so that deps_read() reads it as a file that `by` includes. */
struct str deps_path_to_read_included_as(struct arena *a, struct str by, struct str path);

/*
 * The other files of the manifest's tree, for references: an included file, a workspace's catalog.
 * The threads that call deps_read() may call read().
 */
struct deps_files {
	/*
	 * path: from the top, without "." and "..". Returns success with *found false for a missing
	 * file and for a link. text NULL: only asks whether the file exists. Errors: TOO_BIG.
	 */
	struct err *(*read)(void *ctx, struct arena *a, struct str path, struct str *text,
			    bool *found);
	void *ctx;
	/* Adds the paths of the files of that name below a folder. NULL: nothing is listed. */
	struct err *(*list)(void *ctx, struct arena *a, struct str folder, const char *name,
			    struct strs *out);
};

/*
 * Lists everything the file asks for, each name once per place. The path decides the format.
 * Strings borrow from the text or live in the arena. files NULL: no other file is known, and an
 * included file counts as judged under its own name.
 *
 * Errors: BAD_MANIFEST for a path without a reader, and for a text that does not parse or has a
 * member of a type that the format's own tools refuse. For a text the message begins "'PATH': line
 * L, column C: ", and the details have path, line and column. TOO_BIG over 64 MiB. For names that
 * other texts have too (another case, *requirements*.txt), a text that does not parse is one
 * unresolved entry and no error. A valid file without dependencies is success. A byte order mark is
 * skipped; places count its bytes.
 *
 * Listed entries, where a format leaves a choice:
 * - Addresses: nobody can know the package without fetching it. The entry is listed by its name in
 *   the file, and also by the repository's or archive's name when that differs (`written` is the
 *   name in the file). It is unresolved too.
 * - npm: a known registry's tarball gives its own name only. A folder is listed by the name in its
 *   package.json, "catalog:" by a catalog of the tree. Overrides and resolutions list the packages
 *   that they install, not those that they select. In locks the fetched address takes precedence
 *   over the entry's name, and yarn's workspaces are left out. yarn.lock and pnpm-lock.yaml must be
 *   written as those programs write them; any other form is BAD_MANIFEST.
 * - PyPI: a folder is listed by the name in its pyproject.toml, and is unresolved without a name.
 *   The manifest's own folder is left out. In locks the folder "." is left out, and the name of a
 *   fetched archive takes precedence. An included file is read under its own name; an included file
 *   that is missing, or not named like a requirements file, is unresolved.
 * - Go: versions are locked. A replaced module is listed by its replacement (`written` is the
 *   module), at the replacement. A module that a folder replaces keeps its own name, without a
 *   version. exclude and retract list nothing; an unknown directive is unresolved.
 * - Cargo.lock: packages of the project itself only when another package depends on them.
 * - Gemfile.lock: gems of all sources except the folder "."; versions without their platform.
 * - Programs (Gemfile, gemspec, build.gradle, setup.py): literal declarations. Each other one is
 *   unresolved, and never taken as absent.
 * - Maven: "group:artifact", with the artifact as `brief`. Profiles count as active. A parent
 * counts when the tree does not have it. Properties come from the file and its parents in the tree;
 * a property that a profile sets is not known. XML with a document type is BAD_MANIFEST.
 * - Gradle: also each literal "group:artifact:version" outside of the block "dependencies". Names
 *   of catalogs are resolved by the catalogs in files of the tree, and by literals of the settings.
 * - .NET: properties of the project, and of the nearest Directory.Build.props and
 *   Directory.Packages.props. A property with a condition is not known. An SDK counts with its
 *   version only.
 * - Composer: parts of PHP too: ext-json and lib-curl as packages, php and hhvm as runtimes.
 * - Runtimes: of npm, PyPI, Go, Cargo, RubyGems, Composer and Dart; ikm-knowledge(5) has the keys.
 * - Dart: packages of an SDK have no version.
 * - conda: the requirements below "pip:" have the ecosystem PyPI.
 * - Images of containers: the name without tag and digest; the tag is the version. A build's
 *   variables have their defaults, those of Compose the values of the .env file beside first. A
 * variable without one is unresolved in a name, and no version in a tag. Names of stages, "scratch"
 * and caches list nothing.
 * - GitHub: "owner/repository", with a path behind it in `written`; commits are no versions.
 *   What lies in the repository lists nothing.
 * - Mix, Package.swift: literal declarations; applications of the umbrella, and Swift's packages
 *   in folders, list nothing.
 * - Terraform: providers by their source, "hashicorp/NAME" without one; modules of a registry, or
 *   the address of their repository, also in a registry of containers. Modules in folders list
 *   nothing.
 * - Meson: the wrap's file name, and the repository when it has another name.
 * - Paket: ranges as intervals of NuGet.
 * - go.sum: modules whose content it has; lines for a go.mod file list nothing.
 * - vendor/modules.txt: lines that Go reads as a module; it skips others, and so does ikm.
 */
struct err *deps_read(struct arena *a, struct str path, struct str text,
		      const struct deps_files *files, struct deps *out) MUST_USE;

/*
 * A shorter name of the package, which rules match too: Maven's artifact without its group, the
 * repository of an address. Empty: none.
 */
struct str deps_short_name(enum deps_ecosystem e, struct str name);

/* The name as the ecosystem compares it. */
struct str deps_normal(struct arena *a, enum deps_ecosystem e, struct str name);

/* ---- names as people type them ---- */

/* The ways to read one name. Each lists the packages that it names, and what it does not tell. */
struct deps_readings VEC(struct deps);
/*
 * Reads what a person types to install a package: "mysql2@^3", "requests[socks]>=2",
 * "group:artifact:1", "docker.io/library/mysql:8", "npm:mysql2", a package URL. Blanks and quotes
 * around it do not count. version: as given apart; it may be empty. e DEPS_UNKNOWN: one reading for
 * each ecosystem that writes packages so. Places are empty. BAD_ARGUMENT: no ecosystem does, or two
 * versions differ.
 */
struct err *deps_read_install_argument(struct arena *a, enum deps_ecosystem e, struct str name,
				       struct str version, struct deps_readings *out) MUST_USE;

/* ---- versions ---- */

/* A range in the ecosystem's own syntax, e.g. "^1.2 || >=3" or ">=1.0,!=1.5". */
struct deps_range;
/*
 * Errors: BAD_PATTERN names the range, the wrong part, and the syntax. An unknown ecosystem is read
 * as npm.
 */
struct err *deps_range_new(struct arena *a, enum deps_ecosystem e, struct str text,
			   struct deps_range **out) MUST_USE;
/*
 * Ranges are sets in the order of versions: "<2.0.0" holds 2.0.0-rc.1. npm, pip and Cargo would
 * choose a pre-release only on request, but an installed pre-release counts. (PEP 440 itself says
 * that <2.0 holds no pre-release of 2.0.) PyPI ranges also accept Poetry's ^, ~ and ||. Go accepts
 * npm's comparators; "v1.2.3" alone is that version.
 *
 * Whether the dependency may have a version in the range. A locked version: is it inside. A
 * declared range: do the two overlap. No or unreadable version: true, because no version is
 * excluded.
 */
bool deps_range_overlaps(const struct deps_range *r, struct arena *scratch, const struct dep *d);
