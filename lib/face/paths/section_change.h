/* section_change: the parameters and the result of commands that change one section. */
#pragma once

#include "change_common.h"
#include "garden/section_edit.h"

#define PARAM_SECTION_ANCHOR                                                                       \
	PARAM(sectionAnchor, .flags = ARG | REQUIRED, .meta = "ANCHOR", .min = 1, .max = 4096,     \
	      .also = "section_anchor section anchor", .complete = section_complete_names,         \
	      .help = "the section: its anchor, heading or slug; NAME:LINE when several fit")
#define PARAM_SECTION_IF_MATCH                                                                     \
	PARAM(ifMatch, .meta = "hash", .also = "if_match",                                         \
	      .help = "only if the file has this hash, or the section this text:sha256:...")
/* A member `section` of the result; `written` comes before it. */
struct section_written {
	struct written written;
	struct str before, after; /* text:sha256 of the section */
	struct garden_text_done done;
};

/* clang-format off */
/* The rows of `section`, for a struct result with that member. */
#define FIELDS_SECTION_WRITTEN                                                                     \
	FIELD_AS(struct result, section.before, "beforeHash",                                      \
		 "text:sha256 of the section before, as fs_hash gives it"),                        \
	FIELD_AS(struct result, section.after, "afterHash", "text:sha256 of the section now"),     \
	FIELD_AS(struct result, section.done.heading, "heading", "the heading of the section"),    \
	FIELD_AS(struct result, section.done.anchor, "anchor", "its anchor", .flags = IF_ANY)
/* clang-format on */

/* What a command does to a text. */
struct section_change {
	struct str path, if_match;
	bool break_links;
	/* Computes the new text. op is what the event will say; it may be changed. */
	struct err *(*compute)(void *ctx, struct arena *a, struct str old,
			       struct garden_text_done *done, const char **op);
	void *ctx;
};
/*
 * Changes a section of a file or asset under its lock, so that two changes of two sections at once
 * both survive. The anchors that the change removed become a warning.
 */
struct err *section_change(struct call *c, struct files *f, const struct section_change *q,
			   struct written *written, struct section_written *out) MUST_USE;
/* Completes the names of sections of the file that is the command's first argument. */
struct err *section_complete_names(struct call *c, struct str typed);
