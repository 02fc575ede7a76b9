/* git_hook_fields: rows and lines about single hooks of Git, which several commands show. */
#pragma once

#include "hook/hook.h"
#include "record/record.h"

/* Of struct hook_change and struct hook_found. */
extern const struct field hook_change_fields[], hook_found_fields[];
