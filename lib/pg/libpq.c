/* Loads libpq on first use. It is never unloaded: LeakSanitizer would lose the names. */
#include "pg/internal.h"
#include <dlfcn.h>
#include <pthread.h>
#include <sys/auxv.h>

#define LIBRARY "libpq.so.5"

static struct libpq libpq_functions;
static const char *libpq_why; /* why it cannot be used */
static pthread_once_t libpq_once = PTHREAD_ONCE_INIT;

/* ISO C has no conversion between pointers to objects and to functions; POSIX has. */
static void libpq_find(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);

	if (!found)
		libpq_why = name;
	memcpy(function, &found, sizeof(found));
}

static void libpq_open(void)
{
	void *library;

	/* A static program has no loader: what it loads would bring a second libc. */
	if (!getauxval(AT_BASE)) {
		libpq_why = "this ikm is a static program, which cannot load libraries";
		return;
	}
	library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		libpq_why = dlerror();
		return;
	}
#define LIBPQ_FIND(type, name, args) libpq_find(library, #name, &libpq_functions.name);
	LIBPQ_FUNCTIONS(LIBPQ_FIND)
#undef LIBPQ_FIND
}

struct err *libpq_load(const struct libpq **out)
{
	pthread_once(&libpq_once, libpq_open);
	*out = &libpq_functions;
	if (!libpq_why)
		return NULL;
	return err_help(
		err_new(E_NO_LIBRARY, "libpq is needed to talk to the server: %s", libpq_why),
		"install it: apt-get install libpq5");
}
