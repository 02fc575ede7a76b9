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
	FIELD_OF(struct memory_left, line, "the line, from 1; none: the whole file",
		 .flags = IF_ANY),
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
		.line = f->text.n ? (int64_t)str_place(f->text, at).line : 0,
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

/* A memory whose kind, type or content differs is another one: memory_import() never changes one.
 */
static struct str foreign_id(struct arena *a, struct str key, const struct memory *one)
{
	unsigned char sum[SHA256_BYTES];
	struct sha256 h;

	sha256_init(&h);
	sha256_add_part(&h, key);
	sha256_add_part(&h, str_of(memory_kinds[one->kind]));
	sha256_add_part(&h, one->type);
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

/* By the first line that is not blank, which *text begins with. False: it does not tell. */
static bool foreign_guess_line(struct arena *a, struct str text, enum memory_format *out)
{
	const struct json_limits limits = {.bytes = MEMORY_LINE_MAX};
	struct str line = {0}, type;
	struct val *v;

	while (!str_trim(line).n && str_line(&text, &line)) {
	}
	if (json_read(a, line, &limits, &v) || v->type != VAL_MAP)
		return false;
	type = val_get_str(v, "type");
	*out = MEMORY_MCP;
	if (!val_get(v, "content") && ((str_is(type, "entity") && val_get(v, "name")) ||
				       (str_is(type, "relation") && val_get(v, "from"))))
		return true;
	*out = MEMORY_OWN;
	return val_get(v, "content") || val_get(v, "deletedAt");
}

static bool foreign_is_note(struct str name)
{
	return str_ends(name, STR(".md")) || str_ends(name, STR(".markdown"));
}

bool memory_foreign_begins_own(struct arena *a, struct str name, struct str head)
{
	enum memory_format format;
	size_t end = str_rfind_char(head, '\n');

	return !foreign_is_note(name) && end != SIZE_MAX &&
	       foreign_guess_line(a, str_sub(head, 0, end + 1), &format) && format == MEMORY_OWN;
}

enum memory_format memory_foreign_guess(struct arena *a, struct str name, struct str text)
{
	enum memory_format format;
	struct val *v;

	if (foreign_is_note(name))
		return MEMORY_NOTES;
	if (foreign_guess_line(a, text, &format))
		return format;
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
	/* A clock may have been wrong. */
	f->created = created > os_now() ? os_now() : created;
	if (format != MEMORY_MCP && !str_is_utf8(text)) {
		for (; i < text.n && n; i += n)
			n = str_utf8_char(text.p + i, text.n - i, &code);
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
