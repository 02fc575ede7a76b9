/* The steps that `ikm init` tells. */
#include "os/os.h"
#include "setup/setup.h"

const char *const setup_states[] = {SETUP_STATES(ENUM_NAME) NULL};
const char *const setup_areas[] = {SETUP_AREAS(ENUM_NAME) NULL};

#define STEP(member, name, help, ...) FIELD_AS(struct setup_step, member, name, help, __VA_ARGS__)
const struct field setup_step_fields[] = {
	FIELD_NAMED(struct setup_step, state, "state", setup_states,
		    "done: made now; would: a run without --dry-run makes it; found: was there; "
		    "skipped: not made, see message; failed: see message"),
	FIELD_NAMED(struct setup_step, area, "area", setup_areas, "the part"),
	STEP(path, "path", "the file or folder", .flags = IF_ANY),
	STEP(what, "message", "what was made or found, or why it was not made"),
	STEP(remedy, "step", "what to do", .flags = IF_ANY),
	STEP(reason, "reason", "failed: the reason of the error", .flags = IF_ANY),
	{0},
};

void setup_add_step(struct setup *s, enum setup_state state, enum setup_area area, const char *path,
		    const char *fmt, ...)
{
	struct buf b = buf_in(s->a);

	BUF_ARGS(&b, fmt);
	if (state == SETUP_DONE && s->dry)
		state = SETUP_WOULD;
	s->changes += state == SETUP_DONE || state == SETUP_WOULD;
	s->failures += state == SETUP_FAILED;
	*VEC_PUSH(s->a, s) = (struct setup_step){
		.state = state,
		.area = area,
		.path = path ? str_utf8(s->a, str_dup(s->a, str_of(path))) : STR(""),
		.what = str_utf8(s->a, buf_as_str(&b)),
		.remedy = STR(""),
		.reason = STR(""),
	};
}

void setup_fail(struct setup *s, enum setup_area area, const char *path, struct err *e)
{
	setup_add_step(s, SETUP_FAILED, area, path, "%s", err_message(e));
	s->p[s->n - 1].reason = str_of(err_reason_name(err_reason(e)));
	setup_set_remedy_from_error(s, e);
	if (!err_has_help(e))
		s->p[s->n - 1].remedy = os_permission_help(s->a, e);
}

void setup_set_remedy_from_error(struct setup *s, const struct err *e)
{
	const struct val *help = val_get(err_envelope(s->a, e), "help");
	struct strs steps = {0};

	VAL_EACH(val_get(help, "steps"), step)
		strs_push(s->a, &steps, step->s);
	s->p[s->n - 1].remedy = str_dup(s->a, str_join(s->a, &steps, "; "));
}

void setup_set_remedy(struct setup *s, const char *fmt, ...)
{
	struct buf b = buf_in(s->a);

	BUF_ARGS(&b, fmt);
	s->p[s->n - 1].remedy = str_utf8(s->a, buf_as_str(&b));
}
