/* open_files_for_call: opens files, stored assets and the record of changes, with the caller's
 * settings. */
#pragma once

#include "app/app.h"
#include "app/audit_params.h"
#include "file/file.h"
#include "saga/saga.h"

/* For c->proposed: filled by files_open() and lib/files/file. */
struct files_proposal {
	struct file_proposals files;
	/* the event that the call would only repeat, or its key when it made none; empty: none */
	struct str repeats;
	bool repeats_key;
	struct saga *saga; /* knows what the garden's policy says */
};

/* Prints the URIs of stored assets for a word that begins as one. */
struct err *uri_complete(struct call *c, struct str typed) MUST_USE;
/* Runs a function that completes a word in the shell, as a command that needs `need`; args: the
 * word. */
struct err *complete_word(struct call *c, struct str typed, unsigned need,
			  struct err *(*run)(struct call *c, const void *args,
					     void *result)) MUST_USE;

/* Rows of params; struct args has these members. */
#define PARAM_FILE                                                                                 \
	PARAM(path, .flags = ARG | REQUIRED | PATHS | GARDEN_NAMES, .min = 1, .max = OS_PATH_MAX,  \
	      .complete = uri_complete, .help = "the file, or ikigai:///NAME",                     \
	      .also = "file_path")
#define PARAM_SECTION                                                                              \
	PARAM(section, .letter = 's', .meta = "anchor", .also = "sectionAnchor", .min = 1,         \
	      .max = 4096, .help = "only this section: anchor, heading or slug")

/*
 * Opens nothing yet: the first statement opens the store. The command needs NEED_ROOTS. Tool faces
 * have their changes judged (see agent.h), and record them, unless undo.days is 0: then
 * (*out)->events is NULL. On all faces files of the garden are written as saga.h says.
 * files_event_recorder_new() is for commands that read the record on any face.
 */
struct err *files_open(struct call *c, struct files **out) MUST_USE;
struct events *files_event_recorder_new(struct call *c, const struct files *f);
/*
 * Records the changes on every face, unless undo.days is 0: for a command whose change loses
 * content, which only the record can bring back. audit: the parameters of the call.
 */
struct err *files_record_on_every_face(struct call *c, struct files *f,
				       const struct audit *audit) MUST_USE;
/* Whether a glob asks for history copies of the garden, which searches else leave out. */
bool files_globs_want_history(const struct strs *globs);
/* Warns of what a walk left out. */
void files_warn_left_out(struct call *c, const struct file_left *left, struct strs *warnings);
/* The garden of this call, for commands that settle it or ask about it; with its own record. */
struct saga *files_garden_saga_new(struct call *c, const struct files *f);

/*
 * Runs a writing tool that has PARAMS_AUDIT. Their values reach the record. A repeat (see
 * event/idempotency.h) gets the former result with `replayed` set, and run is not called: in the
 * garden always, elsewhere for a call with an idempotencyKey. A key of the caller names one call:
 * its repeat gets the first answer even when the file has changed since. A call that only proposes
 * (c->proposed) asks for a repeat, and stores none. c->cmd->result describes the result.
 */
struct files_write {
	const struct audit *audit;
	struct str path;   /* what is written; p NULL: several files, which only a key can repeat */
	struct str anchor; /* the section that is written; empty: the file */
	bool dry;          /* the call only reports, so it is no repeat and has none */
	bool by_key;       /* only a call with an idempotencyKey is a repeat, in the garden too */
	struct err *(*run)(struct call *c, struct files *f, const void *args, void *result);
};
struct err *files_run_write_tool(struct call *c, const struct files_write *w, const void *args,
				 void *result) MUST_USE;

/*
 * Records an attempt that was refused for `why` before files_run_write_tool() or its change began
 * (see saga_record_refusal()). audit: NULL, or the parameters of the call. Returns `why`.
 */
struct err *files_record_refusal(struct call *c, const struct audit *audit,
				 const struct saga_attempt *q, struct err *why);

/* A warning about a glob that matched nothing and is a list that was sent as a text; p NULL: it is
 * none. */
struct str files_glob_list_warning(struct call *c, struct str glob);
