/*
 * No network: these take the place of the members of libgit2.a that bring in TLS, SSH and HTTP.
 *
 * libgit2 reads the whole bundle of certificates when it starts (5 of its 6 ms) and drags in four
 * libraries, for a network that ikm never uses: fetching and pushing is git's. The linker takes
 * the first definition it meets, so this file must define every symbol of those members that
 * anything refers to: one less, and the member comes in after all and defines the rest twice.
 * The Makefile names one of them with -u, so that this file is met before libgit2.a.
 * With SHARED=1 this file is left out, as libgit2.so binds its own names.
 */
#include "base/base.h"

int git_mbedtls_stream_global_init(void);
int git_mbedtls_stream_new(void **out, const char *host, const char *port);
int git_mbedtls_stream_wrap(void **out, void *in, const char *host);
int git_mbedtls__set_cert_location(const char *file, const char *path);
int git_transport_ssh_global_init(void);
int git_transport_ssh_with_paths(void **out, void *owner, void *payload);
int git_smart_subtransport_ssh(void **out, void *owner, void *payload);
int git_smart_subtransport_http(void **out, void *owner, void *payload);
extern bool git_http__expect_continue;

/* A variable that libgit2 sets through an option. */
bool git_http__expect_continue;

/* Starting up succeeds, for nothing was started. */
int git_mbedtls_stream_global_init(void)
{
	return 0;
}

int git_transport_ssh_global_init(void)
{
	return 0;
}

/* Whoever asks for a connection is told that there is none. */
int git_mbedtls_stream_new(void **out, const char *host, const char *port)
{
	(void)out, (void)host, (void)port;
	return -1;
}

int git_mbedtls_stream_wrap(void **out, void *in, const char *host)
{
	(void)out, (void)in, (void)host;
	return -1;
}

int git_mbedtls__set_cert_location(const char *file, const char *path)
{
	(void)file, (void)path;
	return -1;
}

int git_transport_ssh_with_paths(void **out, void *owner, void *payload)
{
	(void)out, (void)owner, (void)payload;
	return -1;
}

int git_smart_subtransport_ssh(void **out, void *owner, void *payload)
{
	(void)out, (void)owner, (void)payload;
	return -1;
}

int git_smart_subtransport_http(void **out, void *owner, void *payload)
{
	(void)out, (void)owner, (void)payload;
	return -1;
}
