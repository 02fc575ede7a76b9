/* run_policies: asks the policies of a change (file.h, struct file_policy). Private to
 * lib/files/file. */
#pragma once

#include "file/backend.h"

struct err *policy_prepare_change(struct file_change *c) MUST_USE;
/* Asks about the places of a change that is refused with e; returns the error to give. op NULL:
 * that of a write. */
struct err *policy_judge_places_after_error(struct file_change *c, const char *op,
					    struct err *e) MUST_USE;
/* Lets the policies replace s->new; s->was is set. */
struct err *policy_let_replace_content(struct file_change *c, struct file_step *s) MUST_USE;
/*
 * Asks about all steps at once, because the files of one change belong together: a manifest and its
 * lockfile, a file and its new name.
 */
struct err *policy_judge(struct file_change *c, struct file_step *steps, size_t n) MUST_USE;
/* Sets s->log and s->kept_by_policy, and completes the event. */
struct err *policy_fill_event(struct file_change *c, struct file_step *s, struct event *e) MUST_USE;
struct err *policy_save_before_write(struct file_change *c, struct file_step *s) MUST_USE;
/* Asks for the content that an undo of e writes: see restore() of struct file_policy. */
struct err *policy_undo_content(struct file_change *c, const struct event *e, struct str *out,
				bool *done) MUST_USE;
void policy_after_write(struct file_change *c, struct file_step *steps, size_t n);
void policy_tell_undone(struct file_change *c, struct file_step *s);
/* Adds what the step would do to c->f->proposed; its strings outlive the change. */
void policy_record_proposed_change(struct file_change *c, struct file_step *s);
