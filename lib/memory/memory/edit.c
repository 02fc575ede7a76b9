/* Changes members of a memory. Its content and kind never change: a new memory supersedes it. */
#include "json/json.h"
#include "memory/storage_internal.h"
#include "os/os.h"

struct edit {
	struct memories *m;
	struct arena *a;
	const struct memory_edit *how;
	struct memory_edited *told;
};

/* A merge patch (RFC 7396) on the first level: null removes a key. */
static struct err *edit_metadata(struct edit *t, struct memory *now)
{
	const struct val *patch = t->how->metadata;
	struct val *old = val_map(t->a), *new = val_map(t->a);

	if (!patch)
		return NULL;
	if (now->metadata.n)
		TRY(json_read(t->a, now->metadata, NULL, &old));
	VAL_EACH(old, member) {
		const struct val *other = val_get_key(patch, member->key);

		if (!other || other->type != VAL_NULL)
			val_set_key(new, member->key,
				    val_copy_shallow(t->a, other ? other : member));
	}
	VAL_EACH(patch, member)
		if (member->type != VAL_NULL && !val_get_key(old, member->key))
			val_set_key(new, str_dup(t->a, member->key),
				    val_copy_shallow(t->a, member));
	if (!val_eq(old, new))
		now->metadata = new->n ? json_text(t->a, new) : STR("");
	return NULL;
}

/* What superseded the memory must stay visible to all who see it, and so must what it superseded.
 */
static struct err *edit_layer(struct edit *t, struct memory *now)
{
	if (t->how->layer < 0 || (enum memory_layer)t->how->layer == now->layer)
		return NULL;
	if (now->superseded_by.n)
		return err_help(
			err_for_param(E_BAD_ARGUMENT, STR("layer"),
				      "the memory '%.*s' was superseded by '%.*s', and stays "
				      "in its layer",
				      STR_ARG(now->id), STR_ARG(now->superseded_by)),
			"move the newest: '%.*s'", STR_ARG(now->superseded_by));
	now->layer = (enum memory_layer)t->how->layer;
	TRY(memory_scope_of_layer(t->m, t->a, now->layer, true, &now->scope));
	return memory_check_superseded_layer(t->m, t->a, now);
}

struct err *memory_check_scope_change(struct memories *m, struct arena *a, const struct memory *was,
				      const struct memory *now)
{
	bool again = was->state == MEMORY_EXPIRED && (!now->expires || now->expires > os_now());
	struct memory same;
	bool found;

	if (now->state != MEMORY_CURRENT || (now->scope == was->scope && !again))
		return NULL;
	TRY(memory_find_repeat(m, a, now, memory_hash(now), &same, &found));
	if (!found)
		return again ? memory_make_room(m, a, now) : NULL;
	return err_help(
		err_add_detail(err_new(E_EXISTS, "the layer %s has the same memory already, '%.*s'",
				       memory_layers[now->layer], STR_ARG(same.id)),
			       "memoryId", same.id),
		"one of the two can go: '%.*s' or '%.*s'", STR_ARG(now->id), STR_ARG(same.id));
}

static struct err *edit_members(struct edit *t, const struct memory *was, struct memory *now)
{
	const struct memory_edit *how = t->how;
	struct memory checked;
	struct strs tags = {0};

	*now = *was;
	if (how->redaction >= 0)
		now->redaction = (enum memory_redaction)how->redaction;
	if (now->redaction < was->redaction && !how->may_publish) {
		struct err *e = err_new(E_NOT_ALLOWED,
					"the memory '%.*s' is %s; only a person may make it %s",
					STR_ARG(was->id), memory_redactions[was->redaction],
					memory_redactions[now->redaction]);

		return err_help(err_add_detail(e, "parameter", STR("redaction")),
				"a person may: ikm mem edit %.*s --redaction %s", STR_ARG(was->id),
				memory_redactions[now->redaction]);
	}
	if (how->importance >= 0)
		now->importance = how->importance;
	if (how->confidence >= 0)
		now->confidence = how->confidence;
	if (how->source.p)
		now->source = how->source;
	for (size_t i = 0; i < now->tags.n; i++)
		if (!strs_has(&how->remove_tags, now->tags.p[i]))
			strs_push(t->a, &tags, now->tags.p[i]);
	for (size_t i = 0; i < how->remove_tags.n; i++)
		if (!strs_has(&now->tags, how->remove_tags.p[i]))
			strs_push(t->a, &t->told->absent, how->remove_tags.p[i]);
	strs_add_all(t->a, &tags, &how->add_tags);
	now->tags = memory_tags_sorted(t->a, &tags);
	TRY(memory_check_tags(&now->tags));
	TRY(edit_metadata(t, now));
	if (how->expires.given) {
		if (!how->expires.n && memory_kind_rules[now->kind].lives_ms)
			return err_help(
				err_for_param(
					E_BAD_ARGUMENT, STR("expires"),
					"the memory '%.*s' is of kind '%s', and such memories always "
					"expire; give a time",
					STR_ARG(now->id), memory_kinds[now->kind]),
				"write a date, a time, or 12h, 7d, 2w from now");
		now->expires = how->expires.n;
		if (now->state == MEMORY_EXPIRED)
			now->state = MEMORY_CURRENT;
	}
	TRY(edit_layer(t, now));
	checked = *now;
	return memory_check(t->a, &checked, MEMORY_CONTENT_MAX, &(struct memory){0});
}

static bool edit_same_tags(const struct strs *a, const struct strs *b)
{
	for (size_t i = 0; i < a->n && i < b->n; i++)
		if (!str_eq(a->p[i], b->p[i]))
			return false;
	return a->n == b->n;
}

struct strs memory_changed_members(struct arena *a, const struct memory *was,
				   const struct memory *now)
{
	const struct {
		bool changed;
		const char *name;
	} members[] = {
		{was->layer != now->layer, "layer"},
		{!edit_same_tags(&was->tags, &now->tags), "tags"},
		{!str_eq(was->metadata, now->metadata), "metadata"},
		{!str_eq(was->source, now->source), "source"},
		{was->importance != now->importance, "importance"},
		{was->confidence != now->confidence, "confidence"},
		{was->redaction != now->redaction, "redaction"},
		{was->status != now->status, "status"},
		{was->expires != now->expires, "expires"},
		{!(was->files && now->files ? val_eq(was->files, now->files)
					    : !was->files == !now->files),
		 "files"},
		{!str_eq(was->commit, now->commit) || !str_eq(was->branch, now->branch), "madeAt"},
		{(was->state == MEMORY_REJECTED) != (now->state == MEMORY_REJECTED), "state"},
	};
	struct strs names = {0};

	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (members[i].changed)
			strs_push(a, &names, str_of(members[i].name));
	return names;
}

struct err *memory_edit_members(struct memories *m, struct arena *a, struct str id,
				const struct memory_edit *how, struct memory *out,
				struct memory_edited *told)
{
	struct edit edit = {.m = m, .a = a, .how = how, .told = told};
	struct db_txn t DB_TXN = {0};
	struct memory was, now;

	*told = (struct memory_edited){0};
	TRY(memory_begin(&t, m, a));
	TRY(memory_get(m, a, id, false, &was));
	TRY(edit_members(&edit, &was, &now));
	told->changed = memory_changed_members(a, &was, &now);
	*out = was;
	if (!told->changed.n)
		return NULL;
	TRY(memory_check_scope_change(m, a, &was, &now));
	TRY(memory_change(m, a, &was, &now));
	*out = now;
	TRY(memory_log_change(m, a, &(struct memory_log){.op = "edit", .was = &was, .now = &now}));
	return memory_commit(&t, m, a);
}
