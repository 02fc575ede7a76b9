/* know_write_common: what the commands share that write knowledge files. */
#pragma once

#include "paths/open_files_for_call.h"
#include "know_test.h"
#include "knowledge/item_edit.h"

#define PARAM_KNOW_ITEM(object, member, what)                                                      \
	PARAM_OF(object, member, .flags = ARG | REQUIRED, .min = 1, .max = 4096,                   \
		 .complete = know_complete,                                                        \
		 .help = what ": its id, path, number, or the start of its id")

/* A file, as a person names it on the shell's command line from the current folder. */
struct str know_path_for_shell(struct call *c, const char *path);
/*
 * The advice to commit the files of an item whose rules end with this change in a commit of their
 * own. message: of that commit.
 */
struct str know_commit_alone_advice(struct call *c, const struct kn_item *item, struct str message,
				    const char *const *paths, size_t n);
/* The advice that follows when an item's rules begin to judge. */
struct str know_rules_take_effect_advice(struct call *c, const struct kn_item *item);
/* Prints advice on standard error, one line each. */
#define TEMPLATE_NOTES "{/notes:{2:{.}\n}}"
void know_print_notes(struct call *c, const struct strs *notes);

/*
 * file_ref_resolve() for a decision, or the file of exceptions, that is to be changed.
 * FILE_NOT_FOUND when a sparse checkout leaves the file out: a new one would take its place.
 */
struct err *know_file_ref(struct call *c, struct files *f, const char *path,
			  struct file_ref *out) MUST_USE;

/* ---- rules of a decision ---- */

struct rules VEC(struct kn_constraint);
struct rule_result {
	struct know_test_result tested;
	struct kn_constraint rule; /* that was removed */
	struct str removed;
	struct strs staged, notes;
};
extern const struct field rule_result[];

/*
 * Writes the rules into the item's file if their examples hold, stages the file unless it has other
 * changes, and shows what the rules stop. Without rules the one of the number `remove` is removed.
 * given: --knowledge.
 */
struct err *know_edit_item_rules(struct call *c, const struct strs *given, struct str id,
				 const struct rules *rules, int64_t remove, bool stage,
				 struct rule_result *r) MUST_USE;
/* What people read of it, a struct rule_result. */
void know_rules_change_print(struct call *c, const void *args, const void *result);
