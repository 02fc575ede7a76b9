/* check_result: what a check's result is, for the commands that give one. */
#ifndef IKM_COMMON_CHECK_RESULT_H
#define IKM_COMMON_CHECK_RESULT_H

#include "app/app.h"

extern const struct field report_fields[], rule_change_fields[];

#endif
