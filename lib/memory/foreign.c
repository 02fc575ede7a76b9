/* What the readers of other programs' memories share. */
#include "memory/foreign.h"
#include "crypt/crypt.h"
#include "event/ulid.h"
#include "json/json.h"
#include "memory/internal.h"
#include "memory/line.h"
#include "os/os.h"

const char *const memory_formats[] = {MEMORY_FORMATS(ENUM_NAME) NULL};

const struct field memory_left_record[] = {
	FIELD_OF(struct memory_left, file, "the file"),
	FIELD_OF(struct memory_left, line, "the line, from 1", .flags = IF_ANY),
	FIELD_OF(struct memory_left, what, "what is left out, and why"),
	{0},
};

void memory_foreign_start(struct memory_foreign *f, struct arena *a,
			  const struct memory_import *how)
{
	*f = (struct memory_foreign){.a = a, .how = how, .lines = buf_in(a)};
}

void foreign_leave(struct memory_foreign *f, size_t at, bool whole, const char *fmt, ...)
{
	struct buf b = buf_in(f->a);
	va_list ap;

	f->whole += whole;
	f->all++;
	if (f->left.n == MEMORY_LEFT_MOST)
		return;
	va_start(ap, fmt);
	buf_vfmt(&b, fmt, ap);
	va_end(ap);
	*VEC_PUSH(f->a, &f->left) = (struct memory_left){
		.file = f->file,
		.line = (int64_t)str_place(f->text, at).line,
		.what = buf_str(&b),
	};
}

struct memory foreign_memory(const struct memory_foreign *f)
{
	return (struct memory){
		.layer = f->how->layer,
		.kind = f->how->kind,
		.importance = -1,
		.confidence = -1,
		.provenance = MEMORY_BY_IMPORT,
		.redaction = MEMORY_INTERNAL,
	};
}

struct str foreign_name(struct arena *a, struct str text)
{
	struct buf b = buf_in(a);

	text = str_utf8_head(str_trim(text), MEMORY_NAME_MAX);
	for (size_t i = 0; i < text.n; i++)
		buf_putc(&b, (unsigned char)text.p[i] < ' ' ? ' ' : text.p[i]);
	return buf_str(&b);
}

static struct str foreign_id(struct arena *a, struct str key, const struct memory *one)
{
	unsigned char sum[SHA256_BYTES];
	struct sha256 h;

	sha256_init(&h);
	sha256_add_part(&h, key);
	sha256_add_part(&h, one->content);
	sha256_end(&h, sum);
	return str_fmt(a, MEMORY_ID "%.*s", STR_ARG(ulid_of(a, one->created, sum)));
}

void foreign_add(struct memory_foreign *f, size_t at, struct str key, struct memory *one)
{
	struct memory checked;
	struct err *e;

	one->id = foreign_id(f->a, key, one);
	if (!one->created)
		one->created = f->created;
	if (!one->updated || one->updated < one->created)
		one->updated = one->created;
	if (!one->happened)
		one->happened = one->created;
	one->source = str_utf8_head(one->source, MEMORY_NAME_MAX);
	e = memory_check(f->a, one, MEMORY_CONTENT_MAX, &checked);
	if (e) {
		foreign_leave(f, at, true, "%s", err_message(e));
		return;
	}
	json_write(&f->lines, record_val(f->a, memory_record, &checked), 0);
	buf_putc(&f->lines, '\n');
}

enum memory_format memory_foreign_guess(struct arena *a, struct str name, struct str text)
{
	const struct json_limits limits = {.bytes = MEMORY_LINE_MAX};
	struct str rest = text, line = {0};
	struct val *v;

	if (str_ends(name, STR(".md")) || str_ends(name, STR(".markdown")))
		return MEMORY_NOTES;
	while (!str_trim(line).n && str_line(&rest, &line)) {
	}
	if (!json_read(a, line, &limits, &v) && v->type == VAL_MAP) {
		struct str type = val_get_str(v, "type");

		if (!val_get(v, "content") && ((str_is(type, "entity") && val_get(v, "name")) ||
					       (str_is(type, "relation") && val_get(v, "from"))))
			return MEMORY_MCP;
		if (val_get(v, "content") || val_get(v, "deletedAt"))
			return MEMORY_OWN;
	}
	if (json_read(a, text, NULL, &v))
		return MEMORY_OWN;
	if (v->type == VAL_MAP && val_get(v, "results"))
		return MEMORY_MEM0;
	return v->type == VAL_LIST && v->first && val_get(v->first, "memory") ? MEMORY_MEM0
									      : MEMORY_OWN;
}

void memory_foreign_read(struct memory_foreign *f, enum memory_format format, struct str name,
			 struct str text, int64_t created)
{
	size_t i = 0, n = 1;
	uint32_t code;

	f->file = name;
	f->text = text;
	f->created = created;
	for (; format != MEMORY_MCP && !str_is_utf8(text) && i < text.n && n; i += n)
		n = str_utf8_char(text.p + i, text.n - i, &code);
	if (i) {
		foreign_leave(f, i, true, "the file is no UTF-8 here");
		return;
	}
	switch (format) {
	case MEMORY_MCP: foreign_read_mcp(f, text); break;
	case MEMORY_MEM0: foreign_read_mem0(f, text); break;
	case MEMORY_NOTES: foreign_read_notes(f, text); break;
	case MEMORY_OWN: BUG("ikm's own lines need no reader");
	}
}
