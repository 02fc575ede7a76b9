/* files: what commands over files, stored assets and events work with, made from the settings. */
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
	      .max = 4096,                                                                         \
	      .help = "only this section: its anchor, or its heading or the slug of it")

/*
 * Opens nothing yet: the store is opened by its first statement. The command needs NEED_ROOTS. On
 * tool faces what is changed is recorded, unless undo.days is 0: (*out)->events is NULL then.
 * files_events() is for commands that ask the record on any face.
 */
struct err *files_open(struct call *c, struct files **out) MUST_USE;
struct events *files_events(struct call *c, const struct files *f);

#endif
