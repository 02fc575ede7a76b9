/* garden_first: the first file of a new garden. */
#ifndef IKM_COMMON_GARDEN_FIRST_H
#define IKM_COMMON_GARDEN_FIRST_H

#include "files.h"
#include "setup/setup.h"

/*
 * Makes the overview of the user in the garden at c->conf, as `ikm md new overview` does: recorded,
 * and committed when garden.commit is on. Tells the step; one that is there stays.
 */
void garden_first(struct call *c, struct setup *s);

#endif
