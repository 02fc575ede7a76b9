/*
 * run_configured_program: runs a program of the user that a setting names, such as memory.embedder.
 * The program reads one JSON object, prints one, and ends (requirement: external tools, "Execution
 * Protocol"). Its output is untrusted.
 */
#pragma once

#include "base/base.h"

/*
 * Set for the program while it runs: ikm asks no summarizer under it, because a summarizer that
 * writes the asset with ikm would start itself without end.
 */
#define CONF_PROGRAM_RUNS "IKM_RUN_BY_IKM"

struct conf_program {
	const char *noun, *setting; /* for messages: "the embedder", and the setting's key */
	struct strs command;        /* the setting: program and arguments; n 0: none */
	unsigned timeout_ms;
	size_t answer_max; /* bytes that it may print */
};

/* The input: {"texts": […], and, unless most is 0, "maxTokens": most}. */
struct str conf_program_input_json(struct arena *a, const struct strs *texts, int64_t most);
/*
 * Runs the program, and takes its output. Errors: PROGRAM_FAILED (it failed, or
 * printed too much), NO_PROGRAM, TOOK_TOO_LONG.
 */
struct err *conf_program_run(struct arena *a, const struct conf_program *p, struct str input,
			     struct str *output) MUST_USE;
/*
 * Reads the object in an output: the output itself, or the member "result" of the object that
 * tools print. Errors: PROGRAM_FAILED.
 */
struct err *conf_parse_program_answer(struct arena *a, struct str output, size_t max,
				      const struct val **answer) MUST_USE;
/* Adds the program and its setting to an error. Returns e. */
struct err *conf_program_add_to_error(const struct conf_program *p, struct err *e);
