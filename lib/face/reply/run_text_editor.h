/* run_text_editor: runs the person's editor on a file. */
#pragma once

#include "base/base.h"

/*
 * Runs $VISUAL, else $EDITOR, else vi, as git does: a command line for the shell, with the file as
 * its last argument. PROGRAM_FAILED when it ends with a status other than 0.
 */
struct err *editor_run(struct arena *a, const char *file) MUST_USE;
