#include "history/paused_decisions.h"
#include "host/host.h"
#include "json/json.h"
#include "judge/judge.h"
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

/* A file that is not there has no pauses. */
static struct err *pauses_load(struct arena *a, const char *path, struct pauses *out)
{
	struct record_reader how = {.what = PAUSE_FILE, .unknown = RECORD_REFUSED};
	struct pause_file file = {0};
	struct err *e;
	struct str text;
	struct val *v;

	*out = (struct pauses){0};
	e = os_read_path(a, path, PAUSE_BYTES, &text);
	if (e && err_reason(e) == E_FILE_NOT_FOUND)
		return NULL;
	if (!e)
		e = json_read(a, text, NULL, &v);
	if (!e)
		e = record_from_val(a, &how, file_fields, v, &file);
	if (e)
		return err_help(err_add_context(e, "no pause counts"), "remove the file: rm '%s'",
				path);
	for (size_t i = 0; i < file.pauses.n; i++) {
		const struct pause *p = &file.pauses.p[i];
		int64_t left = p->until - os_now();

		/* ikm did not write it. */
		if (left > PAUSE_MOST_MS)
			strs_push(a, &out->warnings,
				  str_fmt(a,
					  "the pause of '%.*s' until %.*s does not count: a pause "
					  "lasts at most 24h; again: ikm know pause %.*s --for 2h "
					  "--reason WHY",
					  STR_ARG(p->item),
					  STR_ARG(os_time_text(a, p->until, false)),
					  STR_ARG(p->item)));
		else if (left > 0)
			*VEC_PUSH(a, out) = *p;
	}
	return NULL;
}

void pauses_read(struct arena *a, struct git *g, struct pauses *out)
{
	const char *path = os_join(a, git_common_dir(g), PAUSE_FILE);
	struct err *e = pauses_load(a, path, out);

	if (e)
		strs_push(a, &out->warnings,
			  str_fmt(a, "%s; remove the file: rm '%s'", err_message(e), path));
}

struct err *pause_set(struct arena *a, struct git *g, const struct pause *p, bool *had)
{
	const char *path = os_join(a, git_common_dir(g), PAUSE_FILE);
	struct pause_file file = {0};
	struct pauses now;
	struct os_lock *lock;
	struct err *e;

	*had = false;
	TRY(os_lock_dir(a, git_common_dir(g), PAUSE_WAIT, &lock));
	e = pauses_load(a, path, &now);
	for (size_t i = 0; i < now.n; i++)
		if (str_eq(now.p[i].item, p->item))
			*had = true;
		else
			*VEC_PUSH(a, &file.pauses) = now.p[i];
	if (p->reason.p)
		*VEC_PUSH(a, &file.pauses) = *p;
	if (!e && (p->reason.p || *had))
		e = os_write(path, json_text(a, record_val(a, file_fields, &file)), 0);
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
	for (size_t i = 0; r->block && i < pauses.warnings.n; i++)
		check_warn(a, r, false, STR(".git/" PAUSE_FILE), pauses.warnings.p[i]);
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
		report_count_findings(r);
}
