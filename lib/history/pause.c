#include "history/pause.h"
#include "host/host.h"
#include "json/json.h"
#include "judge/check.h"
#include "os/os.h"
#include "record/record.h"

#define PAUSE_FILE  "ikm-pause.json"
#define PAUSE_BYTES ((size_t)1 << 20)
#define PAUSE_WAIT  5000 /* milliseconds */

const struct field pause_fields[] = {
	FIELD_OF(struct pause, item, "the decision"),
	FIELD_TIME(struct pause, until, "until", "when it ends by itself"),
	FIELD_OF(struct pause, by, "the person"),
	FIELD_OF(struct pause, reason, "why"),
	{0},
};
struct pause_file {
	struct pauses pauses;
};
static const struct field file_fields[] = {
	FIELD_RECORDS(struct pause_file, pauses, "pauses", pause_fields, "by decision"),
	{0},
};

static struct err *pauses_load(struct arena *a, struct git *g, struct pauses *out)
{
	struct record_reader how = {.what = PAUSE_FILE, .unknown = RECORD_REFUSED};
	struct pause_file file = {0};
	struct str text;
	struct val *v;

	TRY(os_read(a, os_join(a, git_common_dir(g), PAUSE_FILE), PAUSE_BYTES, &text));
	TRY(json_read(a, text, NULL, &v));
	TRY(record_read(a, &how, file_fields, v, &file));
	for (size_t i = 0; i < file.pauses.n; i++) {
		int64_t left = file.pauses.p[i].until - os_now();

		/* Somebody else wrote a pause that is longer than ikm allows: it does not
		 * count. */
		if (left > 0 && left <= PAUSE_MOST_MS)
			*VEC_PUSH(a, out) = file.pauses.p[i];
	}
	return NULL;
}

void pauses_read(struct arena *a, struct git *g, struct pauses *out)
{
	*out = (struct pauses){0};
	if (pauses_load(a, g, out))
		*out = (struct pauses){0};
}

struct err *pause_set(struct arena *a, struct git *g, const struct pause *p)
{
	struct pause_file file = {0};
	struct pauses now;
	struct os_lock *lock;
	struct err *e;

	TRY(os_lock_dir(a, git_common_dir(g), PAUSE_WAIT, &lock));
	pauses_read(a, g, &now);
	for (size_t i = 0; i < now.n; i++)
		if (!str_eq(now.p[i].item, p->item))
			*VEC_PUSH(a, &file.pauses) = now.p[i];
	if (p->reason.p)
		*VEC_PUSH(a, &file.pauses) = *p;
	e = os_write(os_join(a, git_common_dir(g), PAUSE_FILE),
		     json_text(a, record_val(a, file_fields, &file)), 0);
	os_unlock(lock);
	return e;
}

void pause_apply(struct arena *a, struct git *g, struct check_report *r)
{
	struct pauses pauses;
	struct str session;

	if (!r->violations.n || host_running(&session) != HOST_UNKNOWN)
		return;
	pauses_read(a, g, &pauses);
	VEC_EACH(struct check_violation, v, &r->violations)
		VEC_EACH(const struct pause, p, &pauses) {
			if (v->existing || v->severity != KN_SEVERITY_BLOCK ||
			    !str_eq(p->item, v->item->id))
				continue;
			v->severity = KN_SEVERITY_WARN;
			v->message = str_fmt(a, "%.*s; paused by %.*s until %.*s: %.*s",
					     STR_ARG(v->message), STR_ARG(p->by),
					     STR_ARG(os_time_text(a, p->until, false)),
					     STR_ARG(p->reason));
		}
	if (pauses.n)
		reports_count(r);
}
