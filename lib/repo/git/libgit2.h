/* What the two files that use git2.h share. */
#pragma once

#include "git/internal.h"
#include <git2.h>
/* Since libgit2 1.8 git_error_clear() is declared here. */
#if __has_include(<git2/sys/errors.h>)
#include <git2/sys/errors.h>
#endif

struct libgit2 {
	git_repository *repo;
	git_config *config;
	/*
	 * Why an object was not given to libgit2, whose own errors cannot say it; NULL: all were
	 * given.
	 */
	const char *damage;
	enum err_reason damage_reason;
	git_repository *writer; /* NULL: nothing was written yet; see libgit2_write.c */
};

/* GIT_FAILED with the words of libgit2's last error. */
struct err *libgit2_failed(const char *doing) MUST_USE;
