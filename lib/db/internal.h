/* internal: what the files of lib/db share. */
#ifndef IKM_DB_INTERNAL_H
#define IKM_DB_INTERNAL_H

#include "db/db.h"

/* A statement's text. */
const char *db_text(enum db_query query);

#endif
