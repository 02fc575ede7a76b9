/* Reads one line of an import: a memory or a deletion. */
#include "crypt/crypt.h"
#include "event/ulid.h"
#include "json/json.h"
#include "memory/storage_internal.h"
#include "memory/import_line.h"
#include "os/os.h"

/* How far another machine's clock may be ahead. */
#define CLOCK_MS ((int64_t)24 * 60 * 60 * 1000)

static struct err *memory_line_bad(enum err_reason reason, const char *member, const char *what)
{
	return err_for_param(reason, str_of(member), "%s %s", member, what);
}

static struct err *check_id(const char *member, struct str id, bool needed)
{
	if (!id.n && !needed)
		return NULL;
	if (str_starts(id, STR(MEMORY_ID)) && ulid_is(str_sub(id, strlen(MEMORY_ID), id.n)))
		return NULL;
	return memory_line_bad(E_BAD_ARGUMENT, member,
			       "is no id of a memory: \"" MEMORY_ID
			       "\" and 26 digits or capitals, a ULID");
}

static struct err *check_past(const char *member, int64_t ms, int64_t now)
{
	return ms <= now + CLOCK_MS ? NULL
				    : memory_line_bad(E_OUT_OF_RANGE, member, "is in the future");
}

/* A deletion has the id, the layer and the time; nothing else of the memory may be left. */
static struct err *read_tombstone(const struct val *v, const struct memory *one)
{
	VAL_EACH(v, member)
		if (!str_is(member->key, "memoryId") && !str_is(member->key, "layer") &&
		    !str_is(member->key, "deletedAt"))
			return err_for_param(E_UNKNOWN_PARAMETER, member->key,
					     "%.*s is not allowed beside deletedAt; a deletion "
					     "has memoryId, layer and deletedAt",
					     STR_ARG(member->key));
	return check_id("memoryId", one->id, true);
}

/* Makes state and supersededBy agree. */
static struct err *settle_state(struct memory *one)
{
	/* EXPIRED follows from the time and is not stored; supersededBy gives the stored state. */
	if (one->state == MEMORY_EXPIRED)
		one->state = one->superseded_by.n ? MEMORY_SUPERSEDED : MEMORY_CURRENT;
	if (one->superseded_by.n && one->state != MEMORY_SUPERSEDED &&
	    one->state != MEMORY_REJECTED)
		return memory_line_bad(E_BAD_ARGUMENT, "state",
				       "must be 'superseded' when supersededBy is given");
	if (one->state == MEMORY_SUPERSEDED && !one->superseded)
		one->superseded = one->updated;
	return NULL;
}

struct err *memory_line_read(struct arena *a, struct str text, size_t number,
			     const struct memory_import *how, const struct memory_who *who,
			     struct memory_line *out)
{
	const struct json_limits limits = {.bytes = MEMORY_LINE_MAX};
	int64_t now = os_now();
	struct memory one = {
		.layer = how->layer,
		.kind = how->kind,
		.importance = -1,
		.confidence = -1,
		.provenance = MEMORY_BY_IMPORT,
		.redaction = MEMORY_INTERNAL,
		.user = who->user,
		.agent = who->agent,
	};
	struct val *v;
	struct err *e;

	*out = (struct memory_line){0};
	TRY(json_read(a, text, &limits, &v));
	TRY(memory_from_json(a, v, &one));
	TRY(check_past("createdAt", one.created, now));
	TRY(check_past("updatedAt", one.updated, now));
	TRY(check_past("supersededAt", one.superseded, now));
	TRY(check_past("deletedAt", one.deleted, now));
	if (one.deleted) {
		TRY(read_tombstone(v, &one));
		out->tombstone = true;
		out->one = one;
		return NULL;
	}
	e = check_id("memoryId", one.id, val_get(v, "memoryId"));
	if (e)
		return err_help(e, "leave it out of the line: ikm makes an id from the line's "
				   "number and bytes");
	TRY(check_id("supersedes", one.supersedes, false));
	TRY(check_id("supersededBy", one.superseded_by, false));
	if (!one.id.n) {
		int64_t ms = one.created ? one.created : one.happened;
		unsigned char sum[SHA256_BYTES];
		struct sha256 h;

		/* The same line at the same place gets the same id, so it is not stored twice. */
		sha256_init(&h);
		sha256_add_part(&h, str_fmt(a, "%zu", number));
		sha256_add_part(&h, text);
		sha256_end(&h, sum);
		one.id = str_fmt(a, MEMORY_ID "%.*s", STR_ARG(ulid_of(a, ms, sum)));
	}
	if (!one.created)
		one.created = now;
	if (!one.updated)
		one.updated = one.created;
	if (!one.happened)
		one.happened = one.created;
	if (!one.session.n && one.layer == MEMORY_SESSION)
		one.session = who->session;
	TRY(settle_state(&one));
	/* No content_most here: a store with a higher limit may have made the export. */
	TRY(memory_check(a, &one, MEMORY_CONTENT_MAX, &out->one));
	out->said = out->one;
	out->said.importance = one.importance;
	out->said.confidence = one.confidence;
	out->said.happened = val_get(v, "happenedAt") ? one.happened : 0;
	return NULL;
}
