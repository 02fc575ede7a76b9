/* prompts: what ikm tells a model about stored assets, in prompts and in answers. */
#pragma once

/* Explains files and stored assets (requirement: assets, "System Prompt Guidance"). */
#define GUIDANCE                                                                                    \
	"file_read, file_write and file_edit take a path, and work the same on both kinds of it:\n" \
	"\n"                                                                                        \
	"- a file of the project: src/main.c, tests/test_db.c, README.md\n"                         \
	"- a stored asset, by its URI: ikigai:///blocks/decisions.md, ikigai:///skills/ddd.md\n"    \
	"\n"                                                                                        \
	"Keep in stored assets what is of use in several projects, is needed often, or should be\n" \
	"pinned. Keep in files the project's own code and documentation, what belongs under\n"      \
	"version control, and what other programs read. When in doubt, ask the user where to\n"     \
	"save.\n"                                                                                   \
	"\n"                                                                                        \
	"Pinned assets share a budget of tokens. A write that would exceed it fails with\n"         \
	"BUDGET_EXCEEDED and changes nothing. Then shorten an asset with /compact NAME, or take\n"  \
	"one out of the context with /unpin NAME, and write again. Offer to pin a new asset; do\n"  \
	"not pin it unasked.\n"

/* How to shorten a text whose content the rules keep. Takes the path or the URI. */
#define COMPACT_PROMPT                                                                             \
	"Make %s smaller.\n\n"                                                                     \
	"1. Read it with file_read and keep its hash.\n"                                           \
	"2. Rewrite it: keep every decision, name, number and open question; drop repetitions, "   \
	"superseded statements, and the course of discussions.\n"                                  \
	"3. Write it back with file_write, with that hash as ifMatch, so that a change by "        \
	"someone else is not lost.\n"                                                              \
	"4. Report its tokens before and after."
