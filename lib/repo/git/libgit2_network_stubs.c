/*
 * Removes the network from libgit2: these symbols replace the members of libgit2.a that bring in
 * TLS, SSH and HTTP.
 *
 * libgit2 reads the whole bundle of certificates at start-up (5 of its 6 ms) and needs four
 * libraries, for a network that ikm never uses: git fetches and pushes. The linker takes the first
 * definition that it finds, so this file must define every symbol of those members that anything
 * refers to. If one is missing, the linker also takes the member, and the other symbols are defined
 * twice. Names with libssh2 in them are those of libgit2 1.9. The Makefile names one symbol with
 * -u, so that the linker takes this file before libgit2.a. SHARED=1 leaves this file out, because
 * libgit2.so binds its own names.
 */
#include "base/base.h"

/* A declaration for -Wmissing-prototypes, and the definition. */
#define STUB(result, name, ...)                                                                    \
	int name(__VA_ARGS__);                                                                     \
	int name(__VA_ARGS__)                                                                      \
	{                                                                                          \
		return result;                                                                     \
	}

extern bool git_http__expect_continue;

/* libgit2 sets this variable through an option. */
bool git_http__expect_continue;

/* Initialisation succeeds, because there is nothing to initialise. */
STUB(0, git_mbedtls_stream_global_init, void)
STUB(0, git_transport_ssh_global_init, void)
STUB(0, git_transport_ssh_libssh2_global_init, void)

/* A request for a connection fails. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
STUB(-1, git_mbedtls_stream_new, void **out, const char *host, const char *port)
STUB(-1, git_mbedtls_stream_wrap, void **out, void *in, const char *host)
STUB(-1, git_mbedtls__set_cert_location, const char *file, const char *path)
STUB(-1, git_transport_ssh_with_paths, void **out, void *owner, void *payload)
STUB(-1, git_smart_subtransport_ssh, void **out, void *owner, void *payload)
STUB(-1, git_smart_subtransport_ssh_libssh2, void **out, void *owner, void *payload)
STUB(-1, git_smart_subtransport_ssh_libssh2_set_paths, void *transport, const char *send,
     const char *receive)
STUB(-1, git_smart_subtransport_http, void **out, void *owner, void *payload)
