/* Starts a child: finds its program, its environment, and its descriptors. */
#include "os/internal.h"
#include <errno.h>
#include <spawn.h>

/*
 * A variable of these prefixes with one of these words in its name is a secret, or may hold one (a
 * database's URL).
 */
static const char *const secret_prefixes[] = {"IKM_", "IKIGAI_"};
static const char *const secret_words[] = {"KEY",    "TOKEN",      "SECRET", "PASSWORD",
					   "PASSWD", "CREDENTIAL", "URL"};

/*
 * The variables that tie git to one repository: `git rev-parse --local-env-vars` of git 2.39, which
 * a test compares, and two that it does not list: the namespace of refs, and the folder that
 * receives a push. GIT_CEILING_DIRECTORIES stays, because it applies to any repository.
 */
static const char *const git_names[] = {
	"GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_COMMON_DIR",
	"GIT_CONFIG",
	"GIT_CONFIG_COUNT",
	"GIT_CONFIG_PARAMETERS",
	"GIT_DIR",
	"GIT_GRAFT_FILE",
	"GIT_IMPLICIT_WORK_TREE",
	"GIT_INDEX_FILE",
	"GIT_INTERNAL_SUPER_PREFIX",
	"GIT_NAMESPACE",
	"GIT_NO_REPLACE_OBJECTS",
	"GIT_OBJECT_DIRECTORY",
	"GIT_PREFIX",
	"GIT_QUARANTINE_PATH",
	"GIT_REPLACE_REF_BASE",
	"GIT_SHALLOW_FILE",
	"GIT_WORK_TREE",
	NULL,
};

static struct str childenv_name_of(const char *entry)
{
	struct str s = str_of(entry);

	return str_sub(s, 0, size_min(str_find_char(s, '=', 0), s.n));
}

static bool is_secret(struct str name)
{
	for (size_t i = 0; i < ARRAY_SIZE(secret_prefixes); i++)
		for (size_t j = 0; j < ARRAY_SIZE(secret_words); j++)
			if (str_starts(name, str_of(secret_prefixes[i])) &&
			    str_find(name, str_of(secret_words[j]), 0) != SIZE_MAX)
				return true;
	return false;
}

/* Whether changes[0] or a later change has this name. */
static bool is_changed(const char *const *changes, struct str name)
{
	for (; changes && *changes; changes++)
		if (str_eq(childenv_name_of(*changes), name))
			return true;
	return false;
}

/* Makes a child's environment, and nothing else does. NULL-ended. */
static char **os_child_env(struct arena *a, const struct os_spawn *s)
{
	struct VEC(char *) v = {0};

	for (char **e = environ; e && *e; e++) {
		struct str name = childenv_name_of(*e);

		if (!is_secret(name) && !(s->clear_git && str_is_any(name, git_names)) &&
		    !is_changed(s->env, name))
			*VEC_PUSH(a, &v) = *e;
	}
	for (const char *const *e = s->env; e && *e; e++)
		if (strchr(*e, '=') && !is_changed(e + 1, childenv_name_of(*e)))
			*VEC_PUSH(a, &v) = str_c(a, str_of(*e));
	*VEC_PUSH(a, &v) = NULL;
	return v.p;
}

/* The PATH of a shell when PATH is unset. */
#define PATH_DEFAULT "/usr/local/bin:/usr/bin:/bin"
/* The kernel reads no more of a first line that names an interpreter. */
#define FIRST_BYTES ((size_t)256)

static struct err *no_program(const char *name, const char *why)
{
	return err_add_detail(err_new(E_NO_PROGRAM, "cannot run '%s': %s", name, why), "program",
			      str_of(name));
}

static const char *system_error(struct arena *a, int errnum)
{
	char *why = arena_alloc(a, 128);

	errno = errnum;
	snprintf(why, 128, "%m");
	return why;
}

/* The beginning of a file, as far as the kernel reads "#!"; empty when unreadable. */
static struct str child_first_line(struct arena *a, const char *file)
{
	char *p = arena_alloc(a, FIRST_BYTES);
	int fd = os_openat(AT_FDCWD, file, O_RDONLY | O_NONBLOCK, 0);
	ssize_t got = fd < 0 ? -1 : read(fd, p, FIRST_BYTES);
	struct str text = {p, got > 0 ? (size_t)got : 0}, line = {0};

	os_close_fd(&fd);
	str_next_part(&text, '\n', &line);
	return line;
}

/* ENOENT may also mean that a script exists and its interpreter does not. */
static const char *why_not_run(struct arena *a, const char *file, int errnum)
{
	struct str line, interpreter;
	struct stat st;

	if (errnum == ENOEXEC)
		return "it is no program for this machine, and no script that "
		       "begins with '#!'";
	if (errnum != ENOENT || file[0] != '/' || stat(file, &st))
		return system_error(a, errnum);
	line = child_first_line(a, file);
	if (!str_starts(line, STR("#!")))
		return "the loader that it needs does not exist";
	if (str_ends(line, STR("\r")))
		return "its first line ends with a carriage return: give it the line ends of Unix";
	line = str_trim(str_sub(line, 2, line.n));
	interpreter = str_sub(line, 0,
			      size_min(str_find_char(line, ' ', 0), str_find_char(line, '\t', 0)));
	return str_fmt(a, "its first line names '%.*s', which does not exist", STR_ARG(interpreter))
		.p;
}

/*
 * Ignores relative entries of PATH: the current folder may be a stranger's repository, which must
 * not supply the program.
 */
static struct err *find_program(struct arena *a, const char *name, char *const *env,
				const char **out)
{
	struct str path = STR(PATH_DEFAULT), dir;
	int errnum = ENOENT;

	*out = name;
	if (strchr(name, '/'))
		return NULL;
	for (; *env; env++)
		if (!strncmp(*env, "PATH=", 5))
			path = str_of(*env + 5);
	while (*name && str_next_part(&path, ':', &dir)) {
		const char *file = os_join(a, str_c(a, dir), name);
		struct stat st;

		if (!str_starts(dir, STR("/")) || stat(file, &st) || !S_ISREG(st.st_mode))
			continue;
		if (!faccessat(AT_FDCWD, file, X_OK, AT_EACCESS)) {
			*out = file;
			return NULL;
		}
		errnum = errno;
	}
	if (errnum != ENOENT)
		return no_program(name, system_error(a, errnum));
	return no_program(name, "there is no such program in PATH");
}

static bool is_program_error(int errnum)
{
	switch (errnum) {
	case ENOENT:
	case ENOTDIR:
	case EACCES:
	case EPERM:
	case ENOEXEC:
	case EISDIR:
	case ELOOP:
	case ENAMETOOLONG:
	case ETXTBSY:
	case ELIBBAD: return true;
	default: return false;
	}
}

static int set_attributes(posix_spawnattr_t *at, const sigset_t *mask, bool foreground)
{
	/*
	 * With a group of its own, the child would be in the background of the terminal and stop
	 * forever when it reads there. In a session of its own it has no terminal, so opening the
	 * terminal fails at once.
	 */
	const short session = foreground ? 0 : POSIX_SPAWN_SETSID;
	sigset_t ignored;
	int rc;

	/* The caller may ignore these; a shell pipeline in the child must not. */
	sigemptyset(&ignored);
	sigaddset(&ignored, SIGPIPE);
	sigaddset(&ignored, SIGXFSZ);
	rc = posix_spawnattr_setflags(at, session | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	rc = rc ? rc : posix_spawnattr_setsigmask(at, mask);
	return rc ? rc : posix_spawnattr_setsigdefault(at, &ignored);
}

/* glibc's posix_spawn() reports a failed exec; fork() would need a pipe for that. */
static int spawn(const char *file, const struct os_spawn *s, char *const *env, const int fds[3],
		 const sigset_t *mask, pid_t *pid)
{
	posix_spawn_file_actions_t fa;
	posix_spawnattr_t at;
	int rc = posix_spawn_file_actions_init(&fa);

	if (rc)
		return rc;
	rc = posix_spawnattr_init(&at);
	if (!rc) {
		/*
		 * When 0, 1 or 2 were closed at start-up, a source may be one of them. The sources
		 * were made in the order of their targets, each as the lowest free number, and are
		 * set in that order, so none is overwritten before use.
		 */
		rc = s->cwd ? posix_spawn_file_actions_addchdir_np(&fa, s->cwd) : 0;
		for (int i = 0; i < 3 && !rc; i++)
			if (fds[i] >= 0)
				rc = posix_spawn_file_actions_adddup2(&fa, fds[i], i);
		rc = rc ? rc : set_attributes(&at, mask, s->foreground);
		rc = rc ? rc : posix_spawn(pid, file, &fa, &at, (char *const *)s->argv, env);
		posix_spawnattr_destroy(&at);
	}
	posix_spawn_file_actions_destroy(&fa);
	return rc;
}

/*
 * Descriptors of this program close on exec. Inherited descriptors do not, and may lead to files
 * that are none of the child's business.
 */
static void close_inherited(void)
{
	struct arena *a ARENA_LOCAL = NULL;
	struct strs names = {0};
	int64_t fd;

#ifdef SYS_close_range
	/* 4 is CLOSE_RANGE_CLOEXEC, which older headers lack. */
	if (!syscall(SYS_close_range, 3u, ~0u, 4u))
		return;
#endif
	a = arena_new();
	if (!os_list(a, OS_PROC_SELF "fd", &names))
		for (size_t i = 0; i < names.n; i++)
			if (str_int(names.p[i], &fd) && fd > 2 && fd <= INT32_MAX)
				fcntl((int)fd, F_SETFD, FD_CLOEXEC);
}

struct err *os_child_start(struct arena *a, const struct os_spawn *s, const int fds[3],
			   const sigset_t *mask, pid_t *pid)
{
	char **env = os_child_env(a, s);
	const char *name = s->argv[0], *file;
	int rc;

	if (s->cwd) {
		struct os_stat st;

		/* Otherwise its error would look like an error of the program. */
		TRY(os_stat(s->cwd, true, &st));
		if (st.kind != OS_DIR)
			return err_new(E_FILE_NOT_FOUND, "cannot run '%s' in '%s': no such folder",
				       name, s->cwd);
	}
	TRY(find_program(a, name, env, &file));
	/* In the foreground the child takes the caller's place: a hook, or an editor. */
	if (!s->foreground)
		close_inherited();
	rc = spawn(file, s, env, fds, mask, pid);
	if (rc && is_program_error(rc))
		return no_program(name, why_not_run(a, file, rc));
	return rc ? err_errno(rc, "run '%s'", name) : NULL;
}

struct err *os_child_pipe(const char *name, int fds[2])
{
	return pipe2(fds, O_CLOEXEC) ? err_errno(errno, "make a pipe for '%s'", name) : NULL;
}

void os_close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}
