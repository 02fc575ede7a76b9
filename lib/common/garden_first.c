#include "garden_first.h"
#include "garden/text.h"

static struct err *garden_first_write(struct call *c, struct str path, const struct garden_new *n,
				      struct file_done *done)
{
	struct file_write w = {.op = "write", .flags = OS_PARENTS, .if_match = STR("none")};
	struct file_ref ref;
	struct files *f;
	struct str text;

	TRY(garden_text_new(c->a, n, &text));
	TRY(files_open(c, &f));
	TRY(file_ref(f, path, &ref));
	return file_put(f, &ref, &w, text, done);
}

/* Commits what waits, such as an overview from before Git knew the name of the user. */
static void garden_first_settle(struct call *c, struct setup *s)
{
	struct saga_report report = {0};
	size_t committed = 0;
	struct files *f;
	struct err *e = files_open(c, &f);

	if (!e)
		e = saga_reconcile(files_saga(c, f), false, &report);
	if (e) {
		setup_fail(s, SETUP_GARDEN, NULL, err_in(e, "settling the garden"));
		return;
	}
	for (size_t i = 0; i < report.n; i++) {
		const struct saga_settled *one = &report.p[i];

		committed += one->outcome == SAGA_COMMITTED;
		if (!one->why.n)
			continue;
		setup_say(s, SETUP_SKIPPED, SETUP_GARDEN, str_c(c->a, one->path), "%s: %.*s",
			  saga_outcomes[one->outcome], STR_ARG(one->why));
		setup_remedy(s, "mend that, then run 'ikm events reconcile'");
	}
	if (committed)
		setup_say(s, SETUP_DONE, SETUP_GARDEN, NULL, "settled %zu earlier %s", committed,
			  committed == 1 ? "change" : "changes");
}

void garden_first(struct call *c, struct setup *s)
{
	struct garden_new n = {
		.kind = GARDEN_OVERVIEW,
		.user = c->conf->user.n ? c->conf->user : os_user(c->a),
		.now = os_now(),
	};
	const char *top = conf_garden(c->a, c->conf), *path = top;
	struct file_done done = {0};
	struct os_stat st = {0};
	struct str name;
	struct err *e;

	e = garden_text_path(c->a, n.kind, n.kind, n.user, n.id, &name);
	if (!e) {
		path = os_join(c->a, top, str_c(c->a, name));
		e = os_stat(path, true, &st);
	}
	if (!e && st.kind == OS_NONE && !s->dry)
		e = garden_first_write(c, str_of(path), &n, &done);
	if (e) {
		setup_fail(s, SETUP_GARDEN, path, e);
		return;
	}
	if (st.kind != OS_NONE)
		setup_say(s, SETUP_FOUND, SETUP_GARDEN, path, "your overview");
	else
		setup_say(s, SETUP_DONE, SETUP_GARDEN, path, "your overview, the first file%s",
			  done.committed.b ? ", committed" : "");
	for (size_t i = 0; i < done.warnings.n; i++)
		setup_say(s, SETUP_SKIPPED, SETUP_GARDEN, path, "%.*s",
			  STR_ARG(done.warnings.p[i]));
	if (st.kind != OS_NONE && !s->dry)
		garden_first_settle(c, s);
	if (!done.uncommitted.n)
		return;
	setup_say(s, SETUP_SKIPPED, SETUP_GARDEN, path, "no commit of it: %.*s",
		  STR_ARG(done.uncommitted));
	setup_remedy(
		s,
		"mend that, then run 'ikm init' again; the next write in the garden commits it too");
}
