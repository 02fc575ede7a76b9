#include "os/internal.h"
#include <errno.h>
#include <pwd.h>
#include <sched.h>
#include <sys/auxv.h>

/* The longest user name of Linux, with its end. Each start zeroes the variables of the thread. */
enum { NAME_KEPT = 256 };

const char *os_env(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

void os_env_names(struct arena *a, const char *prefix, struct strs *out)
{
	for (char **e = environ; e && *e; e++) {
		struct str name = str_of(*e);

		name = str_sub(name, 0, str_find_char(name, '=', 0));
		if (str_starts(name, str_of(prefix)))
			strs_push(a, out, str_dup(a, name));
	}
}

const char *os_home(void)
{
	static _Thread_local char text[OS_PATH_MAX * 2];
	const char *home = os_env("HOME");
	struct passwd entry, *found = NULL;

	if (home)
		return home;
	if (getpwuid_r(getuid(), &entry, text, sizeof(text), &found) || !found)
		return NULL;
	return found->pw_dir && *found->pw_dir ? found->pw_dir : NULL;
}

/* NULL: the system does not know the user. */
static const struct passwd *env_entry_of(struct arena *a, uint32_t uid)
{
	struct passwd *entry = ARENA_NEW(a, struct passwd), *found = NULL;
	char *text = arena_alloc(a, OS_PATH_MAX * 2);

	return getpwuid_r(uid, entry, text, OS_PATH_MAX * 2, &found) ? NULL : found;
}

const char *os_home_of(struct arena *a, uint32_t uid)
{
	const struct passwd *entry = env_entry_of(a, uid);

	return entry && entry->pw_dir && entry->pw_dir[0] == '/' ? entry->pw_dir : NULL;
}

uint32_t os_uid(void)
{
	return geteuid();
}

struct str os_user_of_uid(struct arena *a, uint32_t uid)
{
	const struct passwd *entry = env_entry_of(a, uid);

	return entry ? str_dup(a, str_of(entry->pw_name)) : str_fmt(a, "%u", (unsigned)uid);
}

struct str os_user(struct arena *a)
{
	/* A server asks with every request, and each time the system would read two files. */
	static _Thread_local char name[NAME_KEPT];
	struct str user;

	if (name[0])
		return str_dup(a, str_of(name));
	user = os_user_of_uid(a, getuid());
	if (user.n < NAME_KEPT)
		memcpy(name, user.p, user.n + 1);
	return user;
}

const char *os_ikigai_home(struct arena *a)
{
	const char *set = os_env("IKIGAI_HOME"), *home = set ? NULL : os_home();

	if (home)
		set = os_join(a, home, ".ikigai");
	return set && set[0] == '/' ? set : NULL;
}

struct err *os_check_home_absolute(void)
{
	static const char *const names[] = {"IKIGAI_HOME", "HOME"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *value = os_env(names[i]);

		if (value && value[0] != '/')
			return err_help(err_new(E_BAD_PATH,
						"%s is '%s': it must be an absolute path, or each "
						"folder would get a store of its own",
						names[i], value),
					"set it to a path that begins with '/', or unset it");
	}
	return NULL;
}

static char self_run[OS_PATH_MAX];

/* Without /proc the kernel still tells the name that was run. It may be relative to a folder that
 * the command leaves, and be a link. */
__attribute__((constructor)) static void self_keep(void)
{
	const char *name = (const char *)getauxval(AT_EXECFN);

	if (access(OS_PROC_SELF "exe", F_OK) && (!name || !realpath(name, self_run)))
		self_run[0] = '\0';
}

const char *os_self(struct arena *a)
{
	static const char gone[] = " (deleted)";
	char path[OS_PATH_MAX];
	ssize_t n = readlink(OS_PROC_SELF "exe", path, sizeof(path));
	struct str s = {path, (size_t)n};

	if (n < 0)
		s = str_of(self_run);
	if (!n || (size_t)n == sizeof(path) || !str_starts(s, STR("/")))
		return NULL;
	/* An upgrade replaced the running binary: the new file has the name now. */
	if (str_ends(s, STR(" (deleted)")) && access(str_c(a, s), X_OK)) {
		s.n -= sizeof(gone) - 1;
		if (access(str_c(a, s), X_OK))
			return NULL;
	}
	return str_c(a, s);
}

struct err *os_cwd(struct arena *a, const char **out)
{
	char path[OS_PATH_MAX];

	if (!getcwd(path, sizeof(path)))
		return err_errno(errno, "find the current folder");
	/* "(unreachable)/x": outside the process's root or mounts. */
	if (path[0] != '/')
		return err_errno(ENOENT, "find the current folder");
	*out = str_c(a, str_of(path));
	return NULL;
}

unsigned os_cores(void)
{
	cpu_set_t set;
	int n = 0;

	if (!sched_getaffinity(0, sizeof(set), &set))
		n = CPU_COUNT(&set);
	else
		n = (int)sysconf(_SC_NPROCESSORS_ONLN); /* more than 1,024 cores */
	return n > 0 ? (unsigned)n : 1;
}

/*
 * Signals stay with the caller's thread: os_run() and the program expect them there. Signals for a
 * thread's own faults must stay enabled.
 */
void os_block_signals(sigset_t *old)
{
	static const int own[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL, SIGABRT,
				  SIGPROF, SIGPIPE, SIGXFSZ, SIGCHLD};
	sigset_t all;

	sigfillset(&all);
	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		sigdelset(&all, own[i]);
	pthread_sigmask(SIG_BLOCK, &all, old);
}
