/* Adds notes on files, and the list of skipped files, to struct knowledge. */
#include "knowledge/read.h"

#define NOTES_MAX 50

static void knowledge_note_add(struct kn_reading *r, enum kn_note_kind kind, enum kn_rule rule,
			       struct place at, struct str message)
{
	/* A file full of mistakes must not flood the output. */
	if (r->noted[kind] > NOTES_MAX)
		return;
	if (r->noted[kind]++ == NOTES_MAX) {
		at = (struct place){0};
		message = STR("this file has more mistakes than are shown");
	}
	r->item->broken = r->item->broken || kind == KN_BROKEN;
	*VEC_PUSH(r->a, &r->k->notes) = (struct kn_note){
		.kind = kind,
		.rule = rule,
		.path = r->item->shown_path,
		.in_tree = r->in_tree,
		.line = at.line,
		.column = at.column,
		.message = str_utf8(r->a, message),
	};
}

struct place kn_place_of_offset(const struct kn_reading *r, size_t at)
{
	return at == KN_WHOLE_FILE ? (struct place){0} : str_place_of_offset(r->text, at);
}

void kn_note(struct kn_reading *r, enum kn_note_kind kind, enum kn_rule rule, size_t at,
	     const char *fmt, ...)
{
	struct buf b = buf_in(r->a);

	if (r->noted[kind] > NOTES_MAX)
		return;
	BUF_ARGS(&b, fmt);
	knowledge_note_add(r, kind, rule, kn_place_of_offset(r, at), buf_as_str(&b));
}

struct kn_note *kn_note_file(struct arena *a, struct knowledge *k, enum kn_note_kind kind,
			     enum kn_rule rule, struct str path, bool in_tree, const char *fmt, ...)
{
	struct kn_item item = {.shown_path = path};
	struct kn_reading r = {.a = a, .k = k, .item = &item, .in_tree = in_tree};
	struct buf b = buf_in(a);

	BUF_ARGS(&b, fmt);
	knowledge_note_add(&r, kind, rule, (struct place){0}, buf_as_str(&b));
	return &k->notes.p[k->notes.n - 1];
}

const struct kn_note *kn_broken_note(const struct knowledge *k, const struct kn_item *item)
{
	VEC_EACH(const struct kn_note, n, &k->notes)
		if (n->kind == KN_BROKEN && str_eq(n->path, item->shown_path))
			return n;
	return NULL;
}

static const struct {
	enum kn_note_kind told;
	enum kn_rule rule;
	const char *message;
} reasons[] = {
#define X(c, name, told, rule, message) {told, rule, message},
	KN_REASONS(X)
#undef X
};

enum kn_note_kind kn_note_kind_of_reason(enum kn_reason why)
{
	return reasons[why].told;
}

static void knowledge_note_pass(struct kn_reading *r, enum kn_reason why, struct place place,
				struct str message)
{
	*VEC_PUSH(r->a, &r->k->passed) = (struct kn_passed){
		.why = why,
		.path = r->item->shown_path,
		.tree_path = r->item->tree_path,
		.in_tree = r->in_tree,
		.line = place.line,
		.message = str_utf8(r->a, message),
	};
	/*
	 * A message about an item names the part that was not read; a file without an item needs
	 * this.
	 */
	if (reasons[why].told != KN_QUIET && !r->item->source && why < KN_PASSED_NO_ITEM)
		message = str_fmt(r->a, "it is not read: %.*s", STR_ARG(message));
	if (reasons[why].told != KN_QUIET)
		knowledge_note_add(r, reasons[why].told, reasons[why].rule, place, message);
}

void kn_add_skipped_file(struct arena *a, struct knowledge *k, const struct kn_source *s,
			 struct str path, bool in_tree, enum kn_reason why, const char *fmt, ...)
{
	struct str own = str_dup(a, path); /* the tree may be freed before k */
	struct kn_item item = {.shown_path = kn_shown_path(a, s, own),
			       .tree_path = kn_tree_path(a, s, own)};
	struct kn_reading r = {.a = a, .k = k, .item = &item, .in_tree = in_tree};
	struct buf b = buf_in(a);

	if (fmt)
		BUF_ARGS(&b, fmt);
	knowledge_note_pass(&r, why, (struct place){0},
			    fmt ? buf_as_str(&b) : str_of(reasons[why].message));
}

void kn_add_skipped_item(struct kn_reading *r, enum kn_reason why, size_t at, const char *fmt, ...)
{
	struct buf b = buf_in(r->a);

	BUF_ARGS(&b, fmt);
	knowledge_note_pass(r, why, kn_place_of_offset(r, at), buf_as_str(&b));
}

void kn_note_yaml(struct kn_reading *r, const struct md_block *b, size_t line, const struct err *e)
{
	const struct val *details = val_get(err_envelope(r->a, e), "details");
	struct str message = str_of(err_message(e));
	int64_t found = 0, column = 0;
	struct place at;

	if (val_as_int(val_get(details, "line"), &found) &&
	    val_as_int(val_get(details, "column"), &column)) {
		size_t colon = str_find(message, STR(": "), 0);

		/* The note has the line already. */
		if (colon != SIZE_MAX)
			message = str_sub(message, colon + 2, message.n);
	}
	at = (struct place){(size_t)found + line, line ? 0 : (size_t)column};
	message = str_fmt(r->a, "%s is not valid YAML: column %lld: %.*s",
			  b ? "the constraints block" : "the frontmatter", (long long)column,
			  STR_ARG(message));
	if (b)
		knowledge_note_add(r, KN_BROKEN, KN_RULE_CONSTRAINT, at, message);
	else
		knowledge_note_pass(r, KN_PASSED_FRONT_MATTER, at, message);
}
