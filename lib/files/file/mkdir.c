/* Makes folders, and proposes to make them. */
#include "file/run_policies.h"

/*
 * What would be made, without making it. Below a file the real call makes nothing either, and says
 * why.
 */
static struct err *mkdir_propose(struct files *f, const struct file_ref *r, bool *made)
{
	struct file_stat st = {.kind = OS_DIR};
	struct str path = r->path, above;
	size_t slash;

	if (f->cwd && !str_starts(path, STR("/")))
		path = str_of(os_join(f->a, f->cwd, str_c(f->a, path)));
	while (path.n > 1 && path.p[path.n - 1] == '/')
		path.n--;
	/* Looks for the nearest folder above the path, or other thing, that exists. */
	for (above = path;;) {
		struct file_ref ref = {0};

		slash = str_rfind_char(above, '/');
		if (slash == SIZE_MAX || !slash)
			break;
		above = str_sub(above, 0, slash);
		TRY(file_ref_resolve(f, above, &ref));
		TRY(file_stat(f, &ref, &st));
		if (st.kind != OS_NONE)
			break;
	}
	if (st.kind != OS_DIR)
		return r->backend->mkdir(f, r->path, made);
	*made = true;
	*VEC_PUSH(f->a, f->proposed) = (struct file_proposal){.op = "mkdir", .path = path};
	return NULL;
}

struct err *file_mkdir(struct files *f, const struct file_ref *r, bool *made)
{
	struct file_item it = {.ref = *r, .parents = true};
	struct file_change c = {.f = f, .a = arena_new(), .p = &it, .n = 1};
	struct file_stat st;
	bool there = !file_stat(f, r, &st) && st.kind != OS_NONE;
	struct err *e = NULL;

	/* Policies judge what is made, not what is there. */
	if (!there) {
		e = policy_prepare_change(&c);
		if (!e)
			e = policy_judge_places_after_error(&c, "mkdir", NULL);
	}
	if (!e && f->proposed && !there && r->backend == &backend_fs)
		e = mkdir_propose(f, r, made);
	else if (!e)
		e = r->backend->mkdir(f, r->path, made);
	arena_free(c.a);
	return e;
}
