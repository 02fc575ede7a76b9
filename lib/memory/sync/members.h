/* members: who belongs to a tenant on the server. The service role calls these functions. */
#pragma once

#include "pg/pg.h"
#include "record/record.h"

struct sync_member {
	struct str login;
	struct strs layers; /* as they were given: "team", "team:web" */
	int64_t since;      /* ms */
	bool gone;          /* the server has no such role any more */
};
struct sync_member_list VEC(struct sync_member);

/*
 * Reads a layer, and what it is of: "team:web" is the layer team and the identifiers ["web"], as
 * rows have them; "team" has none. Several identifiers are given as that list. layers: the names
 * that are allowed. Errors: NOT_IN_ENUM, BAD_ARGUMENT.
 */
struct err *sync_layer_parse(struct arena *a, const char *parameter, const char *const *layers,
			     struct str given, struct str *layer, struct str *whose) MUST_USE;
/* The way back, for people. */
struct str sync_layer_shown(struct arena *a, struct str layer, struct str whose);

/*
 * Adds a person, or changes the layers of one: `login` is a login role of the server. A layer is
 * project, team, org or company; with ":" and an identifier it is one project, team and so on. No
 * layers: the person shares memories only between machines of their own. Errors: NOT_IN_ENUM and
 * BAD_ARGUMENT for a layer or a role that cannot be a member; NOT_ALLOWED.
 */
struct err *sync_member_add(struct pg *pg, struct arena *a, struct str tenant, struct str login,
			    const struct strs *layers, bool *added) MUST_USE;
/* Removes a person, and takes from the role what it may, unless another tenant has it. */
struct err *sync_member_remove(struct pg *pg, struct arena *a, struct str tenant, struct str login,
			       bool *removed) MUST_USE;
/*
 * Erases what somebody who is no member of the tenant any more has there. The memories become
 * tombstones, so the machines of others erase their copies; the owner's own keep them as sensitive
 * ones. dry: undoes it. Errors: BAD_ARGUMENT for a member; NOT_ALLOWED for anybody but the service
 * role.
 */
struct sync_purged {
	int64_t memories, assets, events, machines;
};
struct err *sync_member_purge(struct pg *pg, struct arena *a, struct str tenant, struct str login,
			      bool dry, struct sync_purged *out) MUST_USE;
struct err *sync_members(struct pg *pg, struct arena *a, struct str tenant,
			 struct sync_member_list *out) MUST_USE;
