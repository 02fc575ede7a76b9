/*
 * setup: what `ikm init` makes: the home with its store and keys, the garden, and the settings of a
 * repository that has decisions.
 *
 * Each part tells what it made, what it found made, and what it did not make and why. A part that
 * fails is told too, and the parts that do not need it go on. Nothing that exists is replaced, and
 * a second call makes nothing.
 */
#pragma once

#include "conf/conf.h"
#include "event/event.h"
#include "git/git.h"
#include "record/record.h"

#define SETUP_STATES(X)                                                                            \
	X(SETUP_DONE, "done")                                                                      \
	X(SETUP_WOULD, "would")                                                                    \
	X(SETUP_FOUND, "found")                                                                    \
	X(SETUP_SKIPPED, "skipped")                                                                \
	X(SETUP_FAILED, "failed")
enum setup_state { SETUP_STATES(ENUM_MEMBER) };
extern const char *const setup_states[];

#define SETUP_AREAS(X)                                                                             \
	X(SETUP_HOME, "home")                                                                      \
	X(SETUP_STORE, "store")                                                                    \
	X(SETUP_KEYS, "keys")                                                                      \
	X(SETUP_GARDEN, "garden")                                                                  \
	X(SETUP_REPOSITORY, "repository")
enum setup_area { SETUP_AREAS(ENUM_MEMBER) };
extern const char *const setup_areas[];

struct setup_step {
	enum setup_state state;
	enum setup_area area;
	struct str path;   /* the file or folder; empty: none */
	struct str what;   /* a sentence without a full stop */
	struct str remedy; /* what to do; empty: nothing */
	struct str reason; /* SETUP_FAILED: the name of the error's reason */
};

struct setup {
	struct arena *a;
	bool dry; /* write nothing: SETUP_WOULD in place of SETUP_DONE */
	struct setup_step *p;
	size_t n, cap;
	size_t changes, failures;
};
/* Rows of a step, for JSON. */
extern const struct field setup_step_fields[];

/*
 * The home (mode 0700) and the store in it. False: the home cannot be used, so keys and garden
 * cannot either.
 */
bool setup_home(struct setup *s, struct db *store) MUST_USE;

/*
 * The keys of the record, and the beginning of its chain. False: there is no key that garden writes
 * can use.
 */
bool setup_keys(struct setup *s, struct events *log) MUST_USE;

struct setup_garden {
	const char *given;       /* --garden: absolute; NULL: none */
	const struct conf *conf; /* the person's settings */
	const char *path;        /* set: the folder; NULL: there is no usable garden */
};
/*
 * The garden: a folder (mode 0700) in a Git repository. A garden beside the default place is
 * remembered in garden.path of the user's settings. One that another repository holds stays a part
 * of that repository.
 */
void setup_garden(struct setup *s, struct setup_garden *q);

/*
 * The repository of the working tree: finds folders of decisions, and names them in
 * knowledge.sources of its .ikm/config.json. g NULL: there is none here.
 */
void setup_repository(struct setup *s, struct git *g);

/* ---- for the files of this module ---- */

/* Adds a step. DONE becomes WOULD in a dry run, and counts as a change. */
PRINTF(5, 6)
void setup_add_step(struct setup *s, enum setup_state state, enum setup_area area, const char *path,
		    const char *fmt, ...);
/* Adds the failure of a part, with the error's words and steps. */
void setup_fail(struct setup *s, enum setup_area area, const char *path, struct err *e);
/* Sets the remedy of the last step. */
PRINTF(2, 3)
void setup_set_remedy(struct setup *s, const char *fmt, ...);
