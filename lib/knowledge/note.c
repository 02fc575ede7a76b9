#include "knowledge/read.h"

#define NOTES_MAX 50

static void add(struct kn_reading *r, enum kn_note_kind kind, size_t line, struct str message)
{
	struct kn_note *note;

	/* A file of nothing but mistakes must cost neither time nor screens. */
	if (r->noted[kind] > NOTES_MAX)
		return;
	if (r->noted[kind]++ == NOTES_MAX) {
		line = 0;
		message = STR("there is more wrong with this file than is shown");
	}
	note = VEC_PUSH(r->a, &r->k->notes);
	*note = (struct kn_note){
		.kind = kind,
		.path = r->item->shown_path,
		.in_tree = r->in_tree,
		.line = line,
		.message = str_utf8(r->a, message),
	};
}

void kn_vnote(struct kn_reading *r, enum kn_note_kind kind, size_t at, const char *fmt, va_list ap)
{
	struct buf b = buf_in(r->a);
	size_t line = 0;

	if (r->noted[kind] > NOTES_MAX)
		return;
	buf_vfmt(&b, fmt, ap);
	if (at != KN_WHOLE_FILE)
		line = str_place(r->text, at).line;
	add(r, kind, line, buf_str(&b));
}

void kn_note(struct kn_reading *r, enum kn_note_kind kind, size_t at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	kn_vnote(r, kind, at, fmt, ap);
	va_end(ap);
}

void kn_wrong(struct kn_reading *r, size_t at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	kn_vnote(r, r->rules ? KN_BROKEN : KN_WARNING, at, fmt, ap);
	va_end(ap);
}

void kn_note_file(struct arena *a, struct knowledge *k, enum kn_note_kind kind, struct str path,
		  bool in_tree, const char *fmt, ...)
{
	struct kn_item item = {.shown_path = path};
	struct kn_reading r = {.a = a, .k = k, .item = &item, .in_tree = in_tree};
	va_list ap;

	va_start(ap, fmt);
	kn_vnote(&r, kind, KN_WHOLE_FILE, fmt, ap);
	va_end(ap);
}

void kn_note_yaml(struct kn_reading *r, const char *what, size_t line, const struct err *e)
{
	const struct val *details = val_get(err_envelope(r->a, e), "details");
	struct str message = str_of(err_message(e));
	int64_t at = 0, column = 0;

	if (val_as_int(val_get(details, "line"), &at) &&
	    val_as_int(val_get(details, "column"), &column)) {
		size_t colon = str_find(message, STR(": "), 0);

		/* The note has the line already. */
		if (colon != SIZE_MAX)
			message = str_sub(message, colon + 2, message.n);
	}
	add(r, KN_BROKEN, (size_t)at + line,
	    str_fmt(r->a, "%s is not valid YAML: column %lld: %.*s", what, (long long)column,
		    STR_ARG(message)));
}
