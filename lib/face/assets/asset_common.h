/* asset_common: parameters, fields and functions that the asset commands share. */
#pragma once

#include "reply/plain_for_model.h"
#include "paths/open_files_for_call.h"

/* Prints the names of stored assets that begin so, as URIs if the word begins as one. */
struct err *asset_complete(struct call *c, struct str typed) MUST_USE;

/* The row for a member `path` of a struct. */
#define PARAM_ASSET(object)                                                                        \
	PARAM_OF(object, path, .flags = ARG | REQUIRED, .min = 1, .max = OS_PATH_MAX,              \
		 .complete = asset_complete,                                                       \
		 .help = "the asset, such as blocks/decisions or ikigai:///blocks/decisions.md")

/* The arguments of commands that take only a path. */
struct asset_args {
	struct str path;
};
extern const struct param asset_params[];
/* Opens the store, and resolves a bare name to a path. */
struct err *asset_open_store(struct call *c, struct str text, struct files **f,
			     struct str *path) MUST_USE;
/* Resolves a name of an existing asset, or of a removed asset with kept versions. *all: its
 * versions. */
struct err *asset_resolve_with_versions(struct call *c, struct assets *s, struct str text,
					struct str *path, struct asset_versions *all) MUST_USE;
/*
 * Appends the pinned assets in their order as quoted data, for a system prompt: each with its URI
 * and tokens. Equal assets give equal bytes.
 */
void context_put_assets(struct arena *a, struct buf *b, const struct asset_list *all);
/* A line of a list. Columns of fixed width come first, because paths may have any length. */
#define TEMPLATE_ASSET                                                                             \
	"{;flags:{?pinned:*| }{?readOnly:r| }} {;category:{category%-10}} {;tokens%>:{tokens%7}} " \
	"tokens {;bytes%>:{size%9}} bytes  {;path%16p:{*path}}"                                    \
	"{;description%12e:{?description:  {description}}}\n"
#define TEMPLATE_BUDGET                                                                            \
	"{used} of {limit} tokens are pinned ({percent} %){?!level='ok':: {?level='warning':"      \
	"{~level}|{!level}}}\n"
