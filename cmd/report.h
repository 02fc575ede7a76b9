/* report: what a check's result is, for the commands that give one. */
#ifndef IKM_REPORT_H
#define IKM_REPORT_H

#include "app.h"

extern const struct field report_fields[], rule_change_fields[];

#endif
