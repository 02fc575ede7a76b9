/*
 * propose: what a writing tool would do, without doing it (requirement: garden, propose_change).
 * The tool's own code runs up to the first effect, so its answer is that of the real call.
 */
#pragma once

#include "open_files_for_call.h"

/* For c->proposed: filled by files_open() and lib/files/file. */
struct files_proposal {
	struct file_proposals files;
	/* the event that the call would only repeat, or its key when it made none; empty: none */
	struct str repeats;
	bool repeats_key;
	struct saga *saga; /* knows what the garden's policy says */
};

struct propose_file {
	struct str path, path_to, op;
	struct str before, after; /* hashes; empty: no file */
	size_t tokens_before, tokens_after;
	struct str diff;
};
struct propose_result {
	struct str diff, report;
	struct str repeats;
	bool repeats_key; /* it is a key */
	bool requires_approval, blocked;
	struct strs reasons, warnings;
	struct garden_diagnostics diagnostics;
	struct VEC(struct propose_file) files;
};
extern const struct field propose_fields[];

/*
 * The tool is one of those with PARAMS_AUDIT. A change that a policy or a budget forbids is an
 * answer with `blocked`; any other error is that of the real call.
 */
struct err *propose_preview_tool_call(struct call *c, struct str tool, const struct val *input,
				      struct propose_result *out) MUST_USE;
