/* sync_server: the server of a call, by the person's settings. */
#ifndef IKM_COMMON_SYNC_SERVER_H
#define IKM_COMMON_SYNC_SERVER_H

#include "app/app.h"
#include "pg/pg.h"

/*
 * Connects to the server that the settings sync.* name; a repository cannot set them. Errors: those
 * of pg_open().
 */
struct err *sync_server(struct call *c, struct pg **out) MUST_USE;
/* The setting sync.tenant. Errors: NOT_CONFIGURED. */
struct err *sync_tenant(struct call *c, struct str *out) MUST_USE;

#endif
