/* hook_result: rows and lines about single hooks of Git, which several commands show. */
#ifndef IKM_COMMON_HOOK_RESULT_H
#define IKM_COMMON_HOOK_RESULT_H

#include "hook/hook.h"
#include "record/record.h"

/* Of struct hook_change and struct hook_found. */
extern const struct field hook_change_fields[], hook_found_fields[];

/* A line about the hook that was there before ikm; nothing when there was none. */
void hook_print_previous(struct out *o, const struct hook_previous *p);
/* A line with the reason; nothing when there is none. */
void hook_print_why(struct out *o, struct str why);
/* Each hook and whether git calls ikm from it, the folder, and the notes. */
void hook_report_print(struct out *o, const struct hook_report *r);
/* One line for each. */
void hook_notes_print(struct out *o, const struct strs *notes);
/* Each hook, the notes, and the folder. */
void hook_changes_print(struct out *o, const struct hook_changes *r);

#endif
