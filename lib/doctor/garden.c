/* Checks the garden: its folder, its repository, and who may read it. */
#include "conf/conf.h"
#include "doctor/doctor.h"
#include "git/git.h"
#include "os/os.h"

static void garden_repository(struct doctor *d, const char *path)
{
	const char *real;
	struct git *g;
	struct err *e = os_realpath(d->a, path, &real);

	if (!e)
		e = git_open(d->a, real, &g);
	if (e && err_reason(e) == E_NO_REPOSITORY) {
		doctor_problem(d, "garden", "'%s' is in no Git repository", path);
		doctor_step(d, "ikm init --home-only");
	} else if (e) {
		doctor_problem(d, "garden", "the repository of '%s': %s", path, err_message(e));
	} else if (git_is_bare(g)) {
		doctor_problem(d, "garden",
			       "'%s' is in a bare repository, which has no working tree", path);
		doctor_step(d, "name another folder: ikm config set garden.path DIR");
	}
}

void doctor_garden(struct doctor *d)
{
	const char *path = conf_garden(d->a, d->conf);
	bool set = d->conf->garden_path.n;
	struct os_stat st;
	struct err *e;

	if (!path)
		return;
	e = os_stat(path, true, &st);
	if (e) {
		doctor_problem(d, "garden", "%s", err_message(e));
		return;
	}
	/* Many people use no garden. */
	if (st.kind == OS_NONE && !set)
		return;
	if (st.kind == OS_NONE) {
		doctor_problem(d, "garden", "garden.path names '%s', which does not exist", path);
		doctor_step(d, "make it: ikm init --home-only");
		return;
	}
	if (st.kind != OS_DIR) {
		doctor_problem(d, "garden", "'%s' is not a folder", path);
		return;
	}
	if (st.mode & 022) {
		doctor_problem(d, "garden", "others may change '%s' (mode %04o)", path,
			       (unsigned)st.mode & 07777);
		doctor_step(d, "chmod 0700 '%s'", path);
	}
	garden_repository(d, path);
}
