#include "doctor/doctor.h"
#include "backup/backup.h"
#include "os/os.h"
#include <errno.h>
#include <unistd.h>

const char *const doctor_levels[] = {DOCTOR_LEVELS(ENUM_NAME) NULL};

/* ---- findings ---- */

void doctor_say(struct doctor *d, enum doctor_level level, const char *area, const char *fmt, ...)
{
	struct buf b = buf_in(d->a);

	BUF_ARGS(&b, fmt);
	*VEC_PUSH(d->a, d) = (struct doctor_finding){.level = level,
						     .area = area,
						     .what = str_utf8(d->a, buf_as_str(&b)),
						     .step = STR("")};
	d->problems += level == DOCTOR_PROBLEM;
}

void doctor_set_remedy(struct doctor *d, const char *fmt, ...)
{
	struct buf b = buf_in(d->a);

	BUF_ARGS(&b, fmt);
	d->p[d->n - 1].step = str_utf8(d->a, buf_as_str(&b));
}

/* Errors send people to doctor, who are here already. */
void doctor_error(struct doctor *d, const char *area, const struct err *e)
{
	const struct val *help = val_get(err_envelope(d->a, e), "help");
	struct strs steps = {0};

	VAL_EACH(val_get(help, "steps"), step)
		if (!str_starts(step->s, STR("'ikm doctor'")))
			strs_push(d->a, &steps, step->s);
	doctor_problem(d, area, "%s", err_message(e));
	doctor_set_remedy(d, "%.*s", STR_ARG(str_join(d->a, &steps, "; ")));
}

/* ---- what the user cannot use ---- */

struct shut {
	struct doctor *d;
	const char *top;
	const char *first; /* the first file or folder that is shut, or NULL */
	struct os_stat st; /* of first */
	size_t n;
	int errnum; /* why first is shut */
};

/* Whether the user can use it; *errnum says why not. Git and ikm replace most files. */
static bool shut_is(struct shut *s, const char *path, struct str name, const struct os_stat *st)
{
	static const char *const written[] = {"config.json", "ikm.db", "ikm.db-wal", "ikm.db-shm",
					      NULL};
	int mode = st->kind == OS_DIR ? R_OK | W_OK | X_OK : R_OK;

	if (!access(path, str_is_any(name, written) ? mode | W_OK : mode))
		return false;
	/* A foreign owner matters more than a mode: one command gives everything back. */
	if (!s->n++ || (st->uid != os_uid() && s->st.uid == os_uid())) {
		s->first = str_c(s->d->a, str_dup(s->d->a, str_of(path)));
		s->st = *st;
		s->errnum = errno;
	}
	return true;
}

/* What a process of ikm that was killed leaves, and what a salvage keeps. */
static void shut_leftover(struct doctor *d, const char *path, struct str name, bool folder)
{
	struct str below = str_of(path + strlen(d->home));
	bool killed = backup_is_leftover(str_sub(below, str_starts(below, STR("/")), below.n));

	if (str_is(name, "ikm.db.salvaged")) {
		doctor_problem(d, "files", "'%s': a salvage was interrupted before its last step",
			       path);
		doctor_set_remedy(d, "ikm doctor --salvage");
	} else if (killed || str_starts(name, STR("ikm.db.damaged-"))) {
		doctor_note(d, "files", "'%s' is a %s", path,
			    killed ? "temporary file of a process that runs or was killed"
				   : "copy of the store from before a salvage");
		doctor_set_remedy(d, "%s: rm %s'%s'",
				  killed ? "when no ikm runs" : "when you no longer need it",
				  folder ? "-r " : "", path);
	}
}

static void shut_look(struct shut *s, struct arena *a, const char *path, struct str name)
{
	struct strs names = {0};
	struct os_stat st;

	if (os_stat(path, path == s->top, &st) || (st.kind != OS_FILE && st.kind != OS_DIR))
		return;
	/* The garden, which may be in the home, is looked at again. */
	if (s->top == s->d->home)
		shut_leftover(s->d, path, name, st.kind == OS_DIR);
	if (shut_is(s, path, name, &st) || st.kind != OS_DIR || os_list(a, path, &names))
		return;
	for (size_t i = 0; i < names.n; i++) {
		struct arena *each ARENA_LOCAL = arena_new();

		shut_look(s, each, os_join(each, path, str_c(each, names.p[i])), names.p[i]);
	}
}

bool doctor_check_access(struct doctor *d, const char *area, const char *top)
{
	struct shut s = {.d = d, .top = top};
	struct str more = STR(""), user = os_user_of_uid(d->a, os_uid());
	uint32_t own; /* the bits of the mode that its owner needs */

	shut_look(&s, d->a, top, STR(""));
	if (!s.n)
		return true;
	if (s.n > 1)
		more = str_fmt(d->a, "; so it is with %zu more", s.n - 1);
	if (s.errnum == EROFS) {
		doctor_problem(d, area, "the file system of '%s' is read-only", top);
		doctor_set_remedy(d, "sudo mount -o remount,rw \"$(stat -c %%m '%s')\"", top);
		return true;
	}
	doctor_problem(d, area, "you cannot use '%s': it belongs to %.*s and has the mode %04o%.*s",
		       s.first, STR_ARG(os_user_of_uid(d->a, s.st.uid)), (unsigned)s.st.mode,
		       STR_ARG(more));
	own = s.st.kind == OS_DIR ? 0700 : 0600;
	if (s.st.uid != os_uid() && (s.st.mode & own) == own)
		doctor_set_remedy(d, "sudo chown -R %.*s '%s'", STR_ARG(user), top);
	else if (s.st.uid != os_uid())
		doctor_set_remedy(d, "sudo chown -R %.*s '%s' && chmod -R u+rwX '%s'",
				  STR_ARG(user), top, top);
	else if (s.n > 1 || s.st.kind == OS_DIR)
		doctor_set_remedy(d, "chmod -R u+rwX '%s'", s.n > 1 ? top : s.first);
	else
		doctor_set_remedy(d, "chmod u+rw '%s'", s.first);
	return false;
}

/* ---- all checks ---- */

struct err *doctor_check_all(struct doctor *d)
{
	if (!d->home)
		return err_new(E_NO_HOME, "there is no home folder");
	if (!doctor_home(d)) {
		size_t kept = 0;

		/* Drops the problems of the settings, whose cause is told otherwise. */
		for (size_t i = 0; i < d->n; i++)
			if (strcmp(d->p[i].area, "settings") != 0)
				d->p[kept++] = d->p[i];
			else
				d->problems--;
		d->n = kept;
		doctor_note(d, "store",
			    "the settings, the garden and the store are checked when the home can "
			    "be used");
		return NULL;
	}
	doctor_garden(d);
	return doctor_store(d);
}

/* ---- salvage ---- */

static struct err *doctor_copy_rows(void *ctx, struct db *fresh)
{
	struct doctor *d = ctx;
	struct memories m = *d->m;
	struct arena *a ARENA_LOCAL = arena_new();
	int64_t indexed;

	m.db = fresh;
	m.words = NULL;
	m.vectors = NULL;
	return memory_reindex(&m, a, &indexed);
}

struct err *doctor_salvage(struct doctor *d, struct db_salvaged *out)
{
	return db_salvage(d->a, db_path(d->m->db), doctor_copy_rows, d, out);
}
