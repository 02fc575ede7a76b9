/* shorten_text_prompt: tells a model how to shorten a text whose content the rules keep. */
#pragma once

/* Takes the path or the URI. */
#define COMPACT_PROMPT                                                                             \
	"Make %s smaller.\n\n"                                                                     \
	"1. Read it with file_read and keep its hash.\n"                                           \
	"2. Rewrite it: keep every decision, name, number and open question; drop repetitions, "   \
	"superseded statements, and the course of discussions.\n"                                  \
	"3. Write it back with file_write, with that hash as ifMatch, so that a change by "        \
	"someone else is not lost.\n"                                                              \
	"4. Report its tokens before and after."
