/*
 * baseline_file: a file of findings that `ikm check --all --baseline FILE` treats as existing
 * (ikm-check(1), "A baseline"). A line for each finding: fingerprint, item, path, divided by tabs
 * and sorted by path, so that two branches that change it merge without help. Equal findings have
 * equal lines, and each line stands for one of them.
 */
#pragma once

#include "judge/judge.h"

#define BASELINE_MAX ((size_t)256 << 20)

struct baseline {
	struct str file;              /* as given */
	struct baseline_list entries; /* sorted by fingerprint */
	/* Writes a new baseline: text receives it, and everything that is found is existing. */
	bool update;
	struct str text;
};

/*
 * Reads the file that --baseline names; empty: *out is NULL. all, paths: what --all and PATH say.
 * An update needs --all, and no file yet. Errors: BAD_ARGUMENT, with file and line when the text
 * is no baseline, and those of os_read_path().
 */
struct err *baseline_open(struct arena *a, struct str file, bool all, bool paths, bool update,
			  struct baseline **out) MUST_USE;
/*
 * Makes findings of a report existing, as often as the baseline has them. The report lists every
 * finding. all: the whole tree was judged by all rules, so entries without a finding are gone.
 * keep: existing findings stay in the list.
 */
void baseline_apply(struct arena *a, struct baseline *b, bool all, bool keep,
		    struct check_report *r);
