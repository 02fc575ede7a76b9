/* ask_person: asks a person at a terminal before a command does what cannot be seen beforehand, and
 * runs the person's editor on a file. */
#pragma once

#include "app/app.h"

/* Whether there is a person to ask: text is printed, and both ends are a terminal. */
bool confirm_can_ask(const struct call *c);
/* Prints what c->out has, and the question with "[y/N]". *yes is false for any other answer. */
struct err *confirm(struct call *c, const char *question, bool *yes) MUST_USE;
/*
 * Runs $VISUAL, else $EDITOR, else vi, as git does: a command line for the shell, with the file as
 * its last argument. PROGRAM_FAILED when it ends with a status other than 0.
 */
struct err *editor_run(struct arena *a, const char *file) MUST_USE;
