/* know status: prints the status of a decision, or changes it in its file. */
#include "decisions/know_write_common.h"

struct args {
	struct str id;
	int status, layer;
	struct strs knowledge;
};

static const struct param status_params[] = {
	PARAM_KNOW_ITEM(struct args, id, "the item"),
	PARAM(status, .flags = ARG, .choices = kn_statuses,
	      .help = "the new status; without it, print the present one"),
	PARAM_KNOW_LAYER(struct args),
	PARAM_KNOWLEDGE(struct args),
	{0},
};

struct result {
	bool success, changed;
	struct str id, path;
	int status, before;
	unsigned allowed;
	int64_t rules;
	struct strs notes;
};

static const struct field status_result[] = {
	FIELD(success, "the item was found, and has this status"),
	FIELD(id, "the item's id"),
	FIELD(path, "its file"),
	FIELD_NAMED(struct result, status, "status", kn_statuses, "its status"),
	FIELD_NAMED(struct result, before, "before", kn_statuses, "its status before the command"),
	FIELD(changed, "the file was written"),
	FIELD_SET(struct result, allowed, "allowed", kn_statuses, "the statuses that may follow"),
	FIELD(rules, "the number of its rules"),
	FIELD(notes, "what stays in the file, and the next steps", .flags = IF_ANY),
	{0},
};

/* Whether the next commit records another content of the file than the last one. */
static struct err *status_is_staged(struct call *c, const struct kn_item *item, bool *is)
{
	struct tree_file next, last;
	struct tree *index, *head;
	bool in_index, in_head;

	*is = false;
	if (!c->git || !git_top(c->git) || !item->tree_path.n)
		return NULL;
	TRY(git_tree_index(c->git, &index));
	TRY(git_tree_head(c->git, &head));
	TRY(tree_find(index, item->tree_path, &next, &in_index));
	TRY(tree_find(head, item->tree_path, &last, &in_head));
	*is = in_index && (!in_head || memcmp(next.id, last.id, sizeof(next.id)) != 0);
	return NULL;
}

/* A decision that waits for its commit goes on waiting: else the commit has its former status. */
static void status_stage(struct call *c, const struct kn_item *item, const char *path,
			 struct str was, struct str now, struct strs *notes)
{
	bool staged = false;
	struct err *e = status_is_staged(c, item, &staged);

	if (!e && !staged)
		return;
	if (!e)
		e = git_stage(c->git, c->a, str_of(path), was, now, &staged);
	strs_push(c->a, notes,
		  e || !staged ? str_fmt(c->a, "the index has its former status: git add %.*s",
					 STR_ARG(know_path_for_shell(c, path)))
			       : str_fmt(c->a, "staged: %.*s", STR_ARG(item->tree_path)));
}

static void status_notes(struct call *c, const struct kn_item *item, const char *path,
			 enum kn_status to, struct strs *notes)
{
	struct str message = str_fmt(c->a, "%.*s is %s", STR_ARG(item->id), kn_statuses[to]);

	if (item->constraints_n && to == KN_STATUS_ACCEPTED)
		strs_push(c->a, notes, know_rules_take_effect_advice(c, item));
	else if (item->constraints_n && item->status == KN_STATUS_ACCEPTED)
		strs_push(c->a, notes, know_commit_alone_advice(c, item, message, &path, 1));
	if (to == KN_STATUS_SUPERSEDED)
		strs_push(c->a, notes,
			  str_fmt(c->a,
				  "its file names no successor: 'ikm know supersede' writes both "
				  "sides"));
}

static struct err *know_status_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	const struct kn_item *item;
	struct knowledge *k;
	const char *path;

	TRY(know_load(c, &args->knowledge, &k));
	TRY(knowledge_resolve_item_name(c->a, k, args->id, args->layer, &item));
	*r = (struct result){
		.success = true,
		.id = item->id,
		.path = item->shown_path,
		.status = (int)item->status,
		.before = (int)item->status,
		.rules = (int64_t)item->constraints_n,
	};
	if (args->status >= 0 && args->status != r->status) {
		struct file_write w = {.op = "know status", .existing = true};
		enum kn_status to = (enum kn_status)args->status;
		struct file_change *change;
		struct file_done done;
		struct file_ref ref;
		struct str text, was;
		struct files *f;
		struct err *e;

		TRY(knowledge_may_become(c->a, k, item, to));
		TRY(knowledge_file(c->a, item, &path));
		TRY(files_open(c, &f));
		TRY(know_file_ref(c, f, path, &ref));
		TRY(file_begin(f, &ref, &w, &change));
		was = str_dup(c->a, change->old);
		e = knowledge_write_status(c->a, item, was, to, &text, &r->notes);
		TRY(e ? file_abort(change, e) : file_commit(change, text, &done));
		status_stage(c, item, path, was, text, &r->notes);
		r->status = args->status;
		r->changed = true;
		status_notes(c, item, path, to, &r->notes);
	}
	r->allowed = knowledge_next_statuses((enum kn_status)r->status);
	return NULL;
}

const struct cmd cmd_know_status = {
	.name = "know status",
	.summary = "print or change the status of a decision",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	CMD_PARAMS(struct args, status_params),
	CMD_RESULT(struct result, status_result),
	.run = know_status_run,
	.template = "{?!@status:{status}\n|{*id}{?changed:  {before} \xe2\x86\x92 {status}  |  "
		    "{status} already  }{path}\n" TEMPLATE_NOTES "}",
};
