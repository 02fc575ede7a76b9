/* confirm: asks a person at a terminal before a command does what cannot be seen beforehand. */
#pragma once

#include "app/app.h"

/* Whether there is a person to ask: text is printed, and both ends are a terminal. */
bool confirm_can_ask(const struct call *c);
/* Prints what c->out has, and the question with "[y/N]". *yes is false for any other answer. */
struct err *confirm(struct call *c, const char *question, bool *yes) MUST_USE;
