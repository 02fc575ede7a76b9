#include "judge/internal.h"
#include "os/os.h"

#define THREADS_MAX 64

static void workers_new(struct run *run)
{
	size_t rules = run->rules.n, scopes = run->rules.scopes.n;

	run->threads = run->in->threads ? run->in->threads : os_cores();
	run->threads = (unsigned)size_min(size_max(run->threads, 1), THREADS_MAX);
	run->giveup = pattern_limit_new(run->a, rules);
	run->workers = arena_array(run->a, run->threads, sizeof(*run->workers));
	run->waivers_now = waiver_index_new(run->a, &run->in->waive.now);
	run->waivers_base =
		arena_array(run->a, run->in->waive.bases.n, sizeof(struct waiver_index *));
	for (size_t i = 0; i < run->in->waive.bases.n; i++)
		run->waivers_base[i] = waiver_index_new(run->a, &run->in->waive.bases.p[i].list);
	for (unsigned i = 0; i < run->threads; i++) {
		struct worker *w = &run->workers[i];

		w->run = run;
		w->a = arena_child(run->a);
		w->re = re_work_new(w->a);
		w->may = arena_array(w->a, rules, sizeof(*w->may));
		w->may_too = arena_array(w->a, rules, sizeof(*w->may_too));
		w->blind = arena_array(w->a, rules, sizeof(*w->blind));
		w->scoped = arena_array(w->a, scopes, sizeof(*w->scoped));
		w->was_scoped = arena_array(w->a, scopes, sizeof(*w->was_scoped));
		w->present = arena_array(w->a, rules, sizeof(*w->present));
		w->present_at = arena_array(w->a, rules, sizeof(*w->present_at));
		w->was = arena_array(w->a, rules, sizeof(*w->was));
		w->waiver_uses = arena_array(w->a, run->in->waive.now.n, sizeof(*w->waiver_uses));
		w->waiver_gone = arena_array(w->a, waive_bases_count_waivers(&run->in->waive.bases),
					     sizeof(*w->waiver_gone));
		w->near.bases = arena_array(w->a, run->in->waive.bases.n, sizeof(*w->near.bases));
		w->limit_hit = arena_array(w->a, rules, sizeof(*w->limit_hit));
	}
}

struct err *check_run(struct arena *a, const struct check_input *in, struct check_report *out)
{
	struct run run = {.a = a, .in = in, .out = out};

	*out = (struct check_report){.notes = {out->notes.p, out->notes.n, out->notes.cap},
				     .waivers_first = in->waive.asks && !in->waive.trusts};
	run.max_file = in->max_file;
	run.now_files = manifest_files_of_tree(a, in->complete ? in->now : in->around);
	run.old_files = manifest_files_of_tree(a, in->base);
	run.now_imports = imports_tree_new(a, run.now_files ? run.now_files
							    : manifest_files_of_tree(a, in->now));
	run.old_imports = imports_tree_new(a, run.old_files);
	TRY(subjects_diff_against_base(&run));
	TRY(rules_load(&run));
	TRY(subjects_load(&run));
	workers_new(&run);
	workers_judge_files(&run);
	TRY(workers_first_error(&run));
	manifest_of_tree_note_unread(&run);
	pattern_limit_report(&run);
	waive_begin_file(&run.workers[0], NULL);
	TRY(facts_judge_given(&run));
	TRY(presence_judge(&run));
	/* The next run may begin with the .gitattributes of a run that had no error. */
	if (in->compiled && in->now_id.n) {
		in->compiled->attrs = run.now_attrs;
		in->compiled->attrs_of = in->now_id;
	}
	waive_report_waiver_use(&run);
	report_finish(&run);
	return NULL;
}
