/* know supersede: replaces a decision by another, and writes both files. */
#include "decisions/know_write_common.h"

struct args {
	struct str old, successor;
	struct strs knowledge;
};

static const struct param supersede_params[] = {
	PARAM_KNOW_ITEM(struct args, old, "the item that is replaced"),
	PARAM_KNOW_ITEM(struct args, successor, "the item that replaces it"),
	PARAM_KNOWLEDGE(struct args),
	{0},
};

struct result {
	bool success;
	struct str id, path, successor, successorPath;
	struct strs notes;
};

static const struct field supersede_result[] = {
	FIELD(success, "both files were written"),
	FIELD(id, "the item that is superseded now"),
	FIELD(path, "its file"),
	FIELD(successor, "the item that supersedes it"),
	FIELD(successorPath, "its file"),
	FIELD(notes, "what stays in the files, and the next steps", .flags = IF_ANY),
	{0},
};

/* Both files, or none. A killed process may leave the successor's alone, which says the same. */
static struct err *supersede_write(struct call *c, struct knowledge_side *old,
				   struct knowledge_side *successor)
{
	struct knowledge_side *sides[] = {successor, old};
	struct file_item items[ARRAY_SIZE(sides)] = {0};
	struct file_step steps[ARRAY_SIZE(sides)] = {0};
	struct file_change *change;
	struct files *f;
	struct err *e;

	TRY(files_open(c, &f));
	for (size_t i = 0; i < ARRAY_SIZE(sides); i++)
		TRY(know_file_ref(c, f, sides[i]->path, &items[i].ref));
	TRY(file_begin_all(f, items, ARRAY_SIZE(items), &change));
	for (size_t i = 0; i < ARRAY_SIZE(sides); i++)
		sides[i]->text = items[i].there ? items[i].content : STR("");
	e = knowledge_write_superseding(c->a, old, successor);
	if (e)
		return file_abort(change, e);
	for (size_t i = 0; i < ARRAY_SIZE(sides); i++)
		steps[i] = (struct file_step){
			.at = &items[i], .w = {.op = "know supersede"}, .new = sides[i]->out};
	e = file_commit_all(change, steps, ARRAY_SIZE(steps));
	return file_abort(change, e);
}

static struct err *know_supersede_run(struct call *c, const void *p, void *out)
{
	const struct args *args = p;
	struct result *r = out;
	struct knowledge_side old = {0}, successor = {0};
	struct knowledge *k;
	struct str message;
	int64_t number;
	struct err *e;

	TRY(know_load(c, &args->knowledge, &k));
	TRY(knowledge_resolve_item_name(c->a, k, args->old, -1, &old.item));
	e = knowledge_resolve_item_name(c->a, k, args->successor, -1, &successor.item);
	if (e && err_reason(e) == E_NO_SUCH_ITEM)
		err_help(e, "begin it, and use its id: ikm know new adr '%.*s'",
			 STR_ARG(str_int(args->successor, &number) ? STR("TITLE")
								   : args->successor));
	TRY(e);
	TRY(knowledge_may_supersede(c->a, k, old.item, successor.item));
	TRY(knowledge_file(c->a, old.item, &old.path));
	TRY(knowledge_file(c->a, successor.item, &successor.path));
	TRY(supersede_write(c, &old, &successor));
	*r = (struct result){
		.success = true,
		.id = old.item->id,
		.path = old.item->shown_path,
		.successor = successor.item->id,
		.successorPath = successor.item->shown_path,
		.notes = old.notes,
	};
	message = str_fmt(c->a, "%.*s is superseded by %.*s", STR_ARG(old.item->id),
			  STR_ARG(successor.item->id));
	strs_add_all(c->a, &r->notes, &successor.notes);
	if (successor.item->status == KN_STATUS_PROPOSED)
		strs_push(c->a, &r->notes,
			  str_fmt(c->a,
				  "'%.*s' is proposed, so its rules stop nothing until it is "
				  "accepted",
				  STR_ARG(successor.item->id)));
	if (old.item->constraints_n)
		strs_push(c->a, &r->notes,
			  know_commit_alone_advice(c, old.item, message,
						   (const char *const[]){old.path, successor.path},
						   2));
	return NULL;
}

const struct cmd cmd_know_supersede = {
	.name = "know supersede",
	.summary = "replace a decision by another, in both files",
	.expose = EXPOSE_PERSON,
	.need = MAY_GIT,
	CMD_PARAMS(struct args, supersede_params),
	CMD_RESULT(struct result, supersede_result),
	.run = know_supersede_run,
	.template = "{*id} is superseded by {*successor}\n" TEMPLATE_NOTES,
};
