/* files: opens files, stored assets and the record of changes, with the caller's settings. */
#ifndef IKM_COMMON_FILES_H
#define IKM_COMMON_FILES_H

#include "app/app.h"
#include "file/file.h"

/* Rows of params; struct args has these members. */
#define PARAM_FILE                                                                                 \
	PARAM(path, .flags = ARG | REQUIRED | PATHS, .min = 1, .max = OS_PATH_MAX,                 \
	      .help = "the file, or a stored asset as ikigai:///NAME", .also = "file_path")
#define PARAM_SECTION                                                                              \
	PARAM(section, .letter = 's', .meta = "anchor", .also = "sectionAnchor", .min = 1,         \
	      .max = 4096, .help = "only this section: its anchor, heading or slug")

/*
 * Opens nothing yet: the first statement opens the store. The command needs NEED_ROOTS. Tool faces
 * have their changes judged (see agent.h), and record them, unless undo.days is 0: then
 * (*out)->events is NULL. files_events() is for
 * commands that read the record on any face.
 */
struct err *files_open(struct call *c, struct files **out) MUST_USE;
struct events *files_events(struct call *c, const struct files *f);

#endif
