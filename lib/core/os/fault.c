#include "os/os.h"

#ifdef IKM_TEST
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

bool os_fault(const char *what)
{
	static atomic_llong passed;
	const char *set = os_env("IKM_FAULT");
	long long at, now;
	int errnum = EIO;
	char *end;

	if (!set)
		return true;
	at = strtoll(set, &end, 10);
	if (*end == ':')
		errnum = (int)strtol(end + 1, &end, 10);
	if (*end || !at || errnum <= 0)
		BUG("IKM_FAULT=%s is not N, -N or N:ERRNO (at '%s')", set, what);
	now = ++passed;
	if (now == at || now == -at) {
		const char *path = os_env("IKM_FAULT_HIT");
		int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;

		/* Tells a test which effect it hit, so that a loop over all knows its end. */
		if (fd >= 0) {
			if (write(fd, what, strlen(what)) < 0 || write(fd, "\n", 1) < 0)
				BUG("cannot write '%s'", path);
			close(fd);
		}
	}
	if (at < 0 && now == -at) {
		kill(getpid(), SIGKILL);
		for (;;)
			pause();
	}
	errno = errnum;
	return now != at;
}

static _Thread_local const char *held;

void os_critical_begin(const char *what)
{
	if (held)
		BUG("%s begins within %s", what, held);
	held = what;
}

void os_critical_end(void)
{
	held = NULL;
}

void os_critical_check_wait(const char *doing)
{
	if (held)
		BUG("%s within %s, for which others wait", doing, held);
}
#else
void os_critical_begin(const char *what)
{
	(void)what;
}

void os_critical_end(void)
{
}

void os_critical_check_wait(const char *doing)
{
	(void)doing;
}

bool os_fault(const char *what)
{
	(void)what;
	return true;
}
#endif
