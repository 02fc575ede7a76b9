/* doctor: checks the home and the store, reports each problem with its remedy, and repairs what it
 * can. Checks only read; doctor_rebuild() and doctor_salvage() write. */
#pragma once

#include "conf/conf.h"
#include "memory/memory.h"

/* The user should repair a problem. A note only informs. */
#define DOCTOR_LEVELS(X) X(DOCTOR_PROBLEM, "problem") X(DOCTOR_NOTE, "note")
enum doctor_level { DOCTOR_LEVELS(ENUM_MEMBER) };
extern const char *const doctor_levels[];

struct doctor_finding {
	enum doctor_level level;
	const char *area; /* "settings", "home", "garden", "record", "store", "rows", "index", … */
	struct str what;  /* the thing, and its defect */
	struct str step;  /* the remedy; empty: there is none */
};
struct doctor {
	struct arena *a;
	const char *home; /* the folder, or NULL */
	const struct conf *conf;
	struct memories *m; /* of the home's store */
	struct doctor_finding *p;
	size_t n, cap;
	size_t problems;
	bool mends;                        /* --rebuild makes again what statements need */
	bool garden;                       /* there is one, whose changes need a key */
	int64_t schema, memories, deleted; /* in the store; 0: could not be read */
};

/* Runs every check. Damage is a finding, not an error. An error means that nothing can be checked:
 * NO_HOME, LOCKED, PERMISSION and the like. */
struct err *doctor_check_all(struct doctor *d) MUST_USE;
/*
 * Makes missing indexes, triggers, views and tables of the record again, moves damaged rows to a
 * table of their own, and builds the index and the vocabulary again.
 */
struct doctor_rebuilt {
	int64_t moved, indexed;
	struct strs mended; /* one line each */
};
struct err *doctor_rebuild(struct doctor *d, struct doctor_rebuilt *out) MUST_USE;
/* Runs db_salvage(), then builds index and vocabulary of the new store. */
struct err *doctor_salvage(struct doctor *d, struct db_salvaged *out) MUST_USE;

/*
 * Notes that memories of the caller speak of files that have changed. own: the caller's memories,
 * with the present repository as their ground.
 */
struct err *doctor_stale_memories(struct doctor *d, struct memories *own) MUST_USE;

/* ---- for the files of this module ---- */

/* Adds a finding: doctor_problem(d, "home", "'%s' is …", path). */
PRINTF(4, 5)
void doctor_say(struct doctor *d, enum doctor_level level, const char *area, const char *fmt, ...);
#define doctor_problem(d, ...) doctor_say(d, DOCTOR_PROBLEM, __VA_ARGS__)
#define doctor_note(d, ...)    doctor_say(d, DOCTOR_NOTE, __VA_ARGS__)
/* Sets the remedy of the last finding. */
PRINTF(2, 3)
void doctor_set_remedy(struct doctor *d, const char *fmt, ...);
/* Makes a problem of an error: its message, and its steps as the remedy. */
void doctor_error(struct doctor *d, const char *area, const struct err *e);
/* Finds the lock files in the folder of a repository. */
bool doctor_check_locks(struct doctor *d, const char *area, const char *git);
struct err *doctor_store(struct doctor *d) MUST_USE;
