/*
 * repository_ties: ties memories to a Git repository: to the files that they speak of, and to the
 * commit on which a memory of the layer project was made. It tells what became of both in the
 * present repository. Nothing here writes.
 */
#pragma once

#include "git/git.h"
#include "memory/memory.h"

struct os_roots;

#define MEMORY_FILES_MAX 32
/* Limit of a file's content in bytes, because each look reads the whole file. */
#define MEMORY_FILE_MAX ((size_t)16 << 20)

/* A file of a memory, as it was when somebody last checked it. */
struct memory_file {
	struct str repository; /* as struct memory_ground names it */
	struct str path;       /* below the repository's top */
	struct str lines;      /* "A:B", from 1, both included; empty: the whole file */
	/*
	 * "sha256:" and digits, of the file or of these lines; a line's end counts as LF, since
	 * Git may check out another one.
	 */
	struct str hash;
	int64_t bytes;     /* what the hash covers */
	struct str commit; /* HEAD then; empty: there was no commit */
	int64_t checked;   /* ms */
};
extern const struct field memory_file_record[];
/* Checks memory.files from foreign input. Errors: those of record_from_val(), OUT_OF_RANGE. */
struct err *memory_files_validate_value(struct arena *a, const struct val *files) MUST_USE;

#define MEMORY_FILE_STATES(X)                                                                      \
	X(MEMORY_FILE_SAME, "unchanged")                                                           \
	X(MEMORY_FILE_MOVED, "moved") /* the same content on other lines or with a new name */     \
	X(MEMORY_FILE_CHANGED, "changed")                                                          \
	X(MEMORY_FILE_REMOVED, "removed")                                                          \
	X(MEMORY_FILE_UNKNOWN, "unknown") /* it cannot be told */
enum memory_file_state { MEMORY_FILE_STATES(ENUM_MEMBER) };
extern const char *const memory_file_states[];

/* What became of a file. */
struct memory_file_now {
	struct str path, lines; /* as the memory has them */
	enum memory_file_state state;
	struct str now;    /* "PATH" or "PATH:A:B" when it moved or was renamed; or empty */
	struct str commit; /* which changed it; empty: not committed, or not found */
	struct str note;   /* all of this as a sentence; empty: unchanged */
	struct str now_path, now_lines; /* the parts of `now` */
};
/* What became of a memory's ties. */
struct memory_ties {
	bool stale;                               /* a file is changed or removed */
	struct VEC(struct memory_file_now) files; /* those that are not unchanged */
	/* HEAD does not lead to the commit of the memory: the branch, or a commit without one. */
	struct str branch;
	struct str
		note; /* on the commit: why it is elsewhere, or why that cannot be told; or empty */
};

/* Rows for results: `object` reaches the memory's ties by the pointer `at`. */
extern const struct field memory_file_now_record[];
/* clang-format off */
#define MEMORY_ROWS_TIES(object, at)                                                               \
	FIELD_OF(struct memory_ties, stale, "a file that it speaks of has changed since",          \
		 .flags = IF_ANY, FIELD_VIA(object, at)),                                          \
	FIELD_RECORDS(struct memory_ties, files, "changes", memory_file_now_record,                \
		      "what became of its files: those that are not as they were",                 \
		      .flags = IF_ANY, FIELD_VIA(object, at)),                                     \
	FIELD_OF(struct memory_ties, branch, "the branch on which it was made; HEAD does not have " \
		 "that commit", .flags = IF_ANY, FIELD_VIA(object, at)),                           \
	FIELD_OF(struct memory_ties, note, "what ikm knows about that commit",                     \
		 .flags = IF_ANY, FIELD_VIA(object, at))
/* clang-format on */

struct memory_reach {
	struct str commit;
	enum git_reach reach;
};
/* The present repository. The first question that needs a member reads it. */
struct memory_ground {
	struct arena *a; /* for what is kept between questions; lives as long as the ground */
	struct git *g;   /* NULL: ikm runs outside of any repository */
	size_t most;     /* limit of commits to read, for all questions together */
	/*
	 * Gives the identity of g: its origin as HOST/PATH, else its root commit; empty: it has
	 * neither yet.
	 */
	struct err *(*identify)(void *ctx, struct str *out);
	void *ctx;

	bool identified, has_head;
	struct str repository;
	struct str former; /* struct memory_who */
	struct git_head head;
	size_t read;                             /* commits that were read already */
	struct VEC(struct memory_reach) reached; /* answers of git_commits_are_reachable() */
};

/* Sets ground->repository. In a repository without an origin the first call starts git. */
struct err *memory_ground_set_repository(struct memory_ground *ground) MUST_USE;

/*
 * Reads "PATH" or "PATH:LINES" as a person writes it, below cwd: a file in the working tree of the
 * present repository. A name that exists as a whole is a path. Errors: NO_REPOSITORY, BAD_PATH for
 * a file outside the repository or in a nested one, BAD_ARGUMENT for lines that it does not have,
 * and those of reading.
 */
struct err *memory_file_from_spec(struct memory_ground *ground, struct arena *a,
				  const struct os_roots *roots, const char *cwd, struct str spec,
				  struct memory_file *out) MUST_USE;
/* memory.files of these files. */
const struct val *memory_files_val(struct arena *a, const struct memory_file *files, size_t n);
/*
 * Hashes the memory's files again as they are now, and takes HEAD as its commit: a person or an
 * agent has looked, and the memory still holds. Errors: FILE_NOT_FOUND for a file that is gone;
 * NO_REPOSITORY when the memory is tied to another repository.
 */
struct err *memory_ties_renew(struct memory_ground *ground, struct arena *a,
			      struct memory *one) MUST_USE;
/* Sets repository, commit, branch and change of a new memory of the layer project. */
struct err *memory_ties_set_commit(struct memory_ground *ground, struct memory *one) MUST_USE;

/*
 * Joins the ties of `one`, a repeat of the memory `now`, with those of `now`: new files, and of the
 * same file the content that was checked later; the commit, if HEAD leads to that of `one` only.
 * told: gets the names of the members that changed. Errors: OUT_OF_RANGE for too many files.
 */
struct err *memory_ties_merge(struct memory_ground *ground, struct arena *a,
			      const struct memory *one, struct memory *now,
			      struct strs *told) MUST_USE;

/*
 * Looks at the ties of a memory. *out is NULL when it has none. What cannot be read is a note and
 * no error.
 */
const struct memory_ties *memory_ties_now(struct memory_ground *ground, struct arena *a,
					  const struct memory *one);
/* Reads the history once for all of these memories, so that memory_ties_commit_elsewhere() need
 * not. */
void memory_ties_preload_history(struct memory_ground *ground, const struct memory *const *all,
				 size_t n);
/* Whether HEAD does not lead to the memory's commit. */
bool memory_ties_commit_elsewhere(struct memory_ground *ground, const struct memory *one);
