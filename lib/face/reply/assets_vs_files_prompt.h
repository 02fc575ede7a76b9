/* assets_vs_files_prompt: explains files and stored assets to a model (requirement: assets, "System
 * Prompt Guidance"). */
#pragma once

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
