/* Checks the garden: its folder, its repository, and who may read it. */
#include "conf/conf.h"
#include "doctor/doctor.h"
#include "git/git.h"
#include "os/os.h"
#include "saga/saga.h"
#include "tree/tree.h"

static struct err *garden_read_file(void *tree, const struct tree_file *f)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct str text;

	return f->kind == TREE_SUBMODULE ? NULL : tree_read(tree, a, f, SIZE_MAX, &text);
}

/* A commit may name objects that were lost: every later commit would keep them. */
static void garden_head(struct doctor *d, struct git *g, const char *path)
{
	struct tree *head = NULL;
	struct err *e = git_tree_head(g, &head);
	struct os_stat st;

	if (!e)
		e = tree_foreach(head, git_prefix(g), garden_read_file, head);
	if (!e)
		return;
	doctor_problem(d, "garden", "HEAD of '%s' cannot be read: %s", path, err_message(e));
	/* The .git of a larger repository is not ours to set aside. */
	if (os_stat(os_join(d->a, path, ".git"), false, &st) || st.kind != OS_DIR)
		doctor_set_remedy(
			d,
			"put the objects back from a copy of the repository; to see which: git "
			"-C '%s' fsck",
			path);
	else
		doctor_set_remedy(
			d,
			"put the objects back from a copy of the repository; without one, begin "
			"a new one of the files: mv '%s/.git' '%s.git.broken' && ikm init "
			"--home-only",
			path, path);
}

/* What a git leaves that is killed: nothing that needs the lock works, not even git init. */
bool doctor_check_locks(struct doctor *d, const char *area, const char *git)
{
	size_t before = d->problems;
	struct strs names = {0};

	if (os_list(d->a, git, &names))
		return false;
	for (size_t i = 0; i < names.n; i++) {
		if (!str_ends(names.p[i], STR(".lock")))
			continue;
		doctor_problem(
			d, area,
			"'%s/%.*s' exists: git or another program writes there, or was killed", git,
			STR_ARG(names.p[i]));
		doctor_set_remedy(d, "when no program writes there any more: rm '%s/%.*s'", git,
				  STR_ARG(names.p[i]));
	}
	return d->problems > before;
}

static void garden_repository(struct doctor *d, const char *path)
{
	struct tree *index;
	const char *real;
	struct git *g;
	struct err *e = os_realpath(d->a, path, &real);

	if (doctor_check_locks(d, "garden", os_join(d->a, path, ".git")))
		return;
	if (!e)
		e = git_open(d->a, real, &g);
	if (e && err_reason(e) == E_GIT_FAILED)
		err_help(e,
			 "mend that file, or begin it anew: mv '%s/.git/config' "
			 "'%s/.git/config.broken' && git init '%s'",
			 path, path, path);
	if (e && err_reason(e) == E_NO_REPOSITORY) {
		doctor_problem(d, "garden", "'%s' is in no Git repository", path);
		doctor_set_remedy(d, "ikm init --home-only");
	} else if (e) {
		doctor_error(d, "garden", e);
	} else if (git_is_bare(g)) {
		doctor_problem(d, "garden",
			       "'%s' is in a bare repository, which has no working tree", path);
		doctor_set_remedy(d, "name another folder: ikm config set garden.path DIR");
	} else {
		garden_head(d, g, path);
		e = git_tree_index(g, &index);
		if (e) {
			doctor_problem(d, "garden", "%s", err_message(e));
			doctor_set_remedy(
				d, "make it anew from HEAD: rm '%s/index' && git -C '%s' reset",
				git_dir(g), path);
		}
	}
}

/* What a garden write leaves: no event that waits. */
static void garden_record(struct doctor *d, const char *path)
{
	struct events log = {.db = d->m->db};
	struct event_list list = {0};
	const char *real;
	struct err *e = os_realpath(d->a, path, &real);

	if (!e)
		e = event_unsettled(&log, d->a, str_of(real), &list);
	if (e || !list.n)
		return; /* the checks of the store tell an error */
	doctor_note(d, "garden", "%zu %s of the garden %s not settled, the first one of '%.*s'",
		    list.n, list.n == 1 ? "change" : "changes", list.n == 1 ? "is" : "are",
		    STR_ARG(list.p[0].path));
	doctor_set_remedy(d, "ikm events reconcile");
}

/* What commits and copies say of the record. Their own faults are told elsewhere. */
static void garden_proof(struct doctor *d, const char *path)
{
	struct events log = {.db = d->m->db};
	struct saga s = {.a = d->a, .top = path, .log = &log};
	struct saga_proof proof;
	int64_t n;

	if (saga_verify_commits(&s, d->a, &proof) || !proof.count[SAGA_CONTRADICTED])
		return;
	n = proof.count[SAGA_CONTRADICTED];
	doctor_note(d, "garden",
		    "%jd event%s of the garden %s a commit or a history copy that is gone or says "
		    "something else",
		    (intmax_t)n, PLURAL(n), n == 1 ? "has" : "have");
	doctor_set_remedy(d, "ikm events verify");
}

void doctor_garden(struct doctor *d)
{
	const char *path = conf_garden_folder(d->a, d->conf);
	struct os_stat st, is = {.kind = OS_NONE};
	struct err *e;

	if (!path)
		return;
	e = os_stat(path, true, &st);
	if (e) {
		doctor_problem(d, "garden", "%s", err_message(e));
	} else if (st.kind == OS_NONE && !os_stat(path, false, &is) && is.kind != OS_NONE) {
		doctor_problem(d, "garden", "'%s' is a link to nothing", path);
		doctor_set_remedy(d, "make or mount what it leads to, or remove the link: rm '%s'",
				  path);
	} else if (st.kind == OS_NONE && d->conf->garden_path.n) {
		/* Without the setting: many people use no garden. */
		doctor_problem(d, "garden", "garden.path names '%s', which does not exist", path);
		doctor_set_remedy(d, "make it: ikm init --home-only");
	} else if (st.kind != OS_NONE && st.kind != OS_DIR) {
		doctor_problem(d, "garden", "'%s' is not a folder", path);
		doctor_set_remedy(d, "move it away: mv '%s' '%s.old'", path, path);
	}
	if (e || st.kind != OS_DIR)
		return;
	d->garden = true;
	if (!doctor_check_access(d, "garden", path))
		return;
	if (st.mode & 022) {
		doctor_problem(d, "garden", "others may change '%s' (mode %04o)", path,
			       (unsigned)st.mode & 07777);
		doctor_set_remedy(d, "chmod 0700 '%s'", path);
	}
	garden_repository(d, path);
	garden_record(d, path);
	garden_proof(d, path);
}
