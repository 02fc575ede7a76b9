/* hook_result: rows and lines about single hooks of Git, which several commands show. */
#ifndef IKM_COMMON_HOOK_RESULT_H
#define IKM_COMMON_HOOK_RESULT_H

#include "hook/hook.h"
#include "record/record.h"

/* Of struct hook_change and struct hook_found. */
extern const struct field hook_change_fields[], hook_found_fields[];

#endif
