/*
 * doctor: looks at the home and the store, says what is wrong and what to do, and mends what it
 * can. Reads everything; changes nothing but in doctor_rebuild() and doctor_salvage().
 */
#ifndef IKM_DOCTOR_H
#define IKM_DOCTOR_H

#include "memory/memory.h"

/* A problem should be mended; a note is only to be known. */
#define DOCTOR_LEVELS(X) X(DOCTOR_PROBLEM, "problem") X(DOCTOR_NOTE, "note")
enum doctor_level { DOCTOR_LEVELS(ENUM_MEMBER) };
extern const char *const doctor_levels[];

struct doctor_finding {
	enum doctor_level level;
	const char *area; /* "home", "store", "rows", "index", "files" */
	struct str what;  /* names the thing and what is wrong with it */
	struct str step;  /* what to do; empty: nothing can be done */
};
struct doctor {
	struct arena *a;
	const char *home;   /* the folder, or NULL */
	struct memories *m; /* of the home's store */
	struct doctor_finding *p;
	size_t n, cap;
	size_t problems;
	int64_t schema, memories, deleted; /* of the store; 0: it could not be read */
};

/*
 * Every check. Damage is a finding, not an error; an error says that nothing can be checked:
 * NO_HOME, LOCKED, PERMISSION and the like.
 */
struct err *doctor_check(struct doctor *d) MUST_USE;
/* Damaged rows out of the way, index and vocabulary anew. */
struct doctor_rebuilt {
	int64_t moved, indexed;
};
struct err *doctor_rebuild(struct doctor *d,
			   void (*progress)(void *ctx, uint64_t done, uint64_t all), void *ctx,
			   struct doctor_rebuilt *out) MUST_USE;
/* db_salvage(), with index and vocabulary of the new store made anew. */
struct err *doctor_salvage(struct doctor *d, struct db_salvaged *out) MUST_USE;

/* ---- for the files of this module ---- */

PRINTF(3, 4)
void doctor_problem(struct doctor *d, const char *area, const char *fmt, ...);
PRINTF(3, 4)
void doctor_note(struct doctor *d, const char *area, const char *fmt, ...);
/* The step of the last finding. */
PRINTF(2, 3)
void doctor_step(struct doctor *d, const char *fmt, ...);
void doctor_home(struct doctor *d);
struct err *doctor_store(struct doctor *d) MUST_USE;
/* Every row that a command may read. */
struct err *doctor_verify(struct doctor *d, struct memory_verified *v,
			  struct db_damaged_rows *damaged) MUST_USE;
/* False: nothing may leave its table. */
bool doctor_is_movable(const struct db_damaged_row *row);

#endif
