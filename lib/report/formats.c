#include "report/formats.h"
#include "report/show.h"
#include "json/json.h"
#include "os/os.h"

const char *const check_formats[] = {CHECK_FORMATS(ENUM_NAME) NULL};

#define CHECK_READERS(c, name, writer, readers) readers,
const char *const check_format_readers[] = {CHECK_FORMATS(CHECK_READERS) NULL};

#define CHECK_WRITER_ROW(c, name, writer, readers) [c] = writer,
static check_writer *const check_writers[] = {CHECK_FORMATS(CHECK_WRITER_ROW)};

void check_write(enum check_format f, struct out *o, const struct check_report *r, bool existing)
{
	check_writers[f](o, r, existing);
}

void check_write_text(struct out *o, const struct check_report *r, bool existing)
{
	check_text(o, r, "", existing);
}

/* Prints the members of a list one at a time: the values of 100,000 findings need much memory. */
static void check_json_list(struct out *o, const struct field *f, const struct check_report *r)
{
	const char *p = *(const char *const *)((const char *)r + f->offset);
	size_t n = *(const size_t *)((const char *)r + f->count);

	out_puts(o, "[");
	for (size_t i = 0; i < n; i++) {
		struct arena *a ARENA_LOCAL = arena_new();
		struct buf b = buf_in(a);

		buf_puts(&b, i ? "," : "");
		json_write(&b, record_val(a, f->sub, p + i * f->size), 0);
		out_bytes(o, buf_str(&b));
	}
	out_puts(o, "]");
}

/* The bytes that --json prints on a pipe. The list of findings has the existing ones already. */
void check_write_json(struct out *o, const struct check_report *r, bool existing)
{
	bool any = false;

	(void)existing;
	for (const struct field *f = check_report_fields; f->name; f++) {
		struct arena *a ARENA_LOCAL = arena_new();
		struct field one[2] = {*f, {0}};
		bool list = f->kind == K_RECORDS && !(f->flags & OPTIONAL);
		struct buf b = buf_in(a);
		struct val *v = NULL;

		if (f->given && !f->given(r))
			continue;
		if (!list && !(v = val_get(record_val(a, one, r), f->name)))
			continue;
		buf_fmt(&b, "%c\"%s\":", any ? ',' : '{', f->name);
		any = true;
		if (v)
			json_write(&b, v, 0);
		out_bytes(o, buf_str(&b));
		if (list)
			check_json_list(o, f, r);
	}
	out_puts(o, "}\n");
}

/* ---- further outputs ---- */

static struct err *check_output_bad(struct arena *a, struct str given)
{
	struct strs names = strs_of(a, check_formats);

	return err_help(err_param(E_BAD_ARGUMENT, STR("output"),
				  "'%.*s' is not FORMAT:FILE, where FORMAT is one of %.*s",
				  STR_ARG(given), STR_ARG(str_join(a, &names, ", "))),
			"for example --output sarif:ikm.sarif");
}

static struct err *check_output_read(struct arena *a, struct str given, struct check_outputs *out)
{
	size_t colon = str_find_char(given, ':', 0);
	struct check_output *to;
	struct str name, path;
	enum check_format f = 0;

	if (colon == SIZE_MAX || !colon || colon + 1 == given.n || str_has_nul(given))
		return check_output_bad(a, given);
	name = str_sub(given, 0, colon);
	path = str_sub(given, colon + 1, given.n);
	while (check_formats[f] && !str_is(name, check_formats[f]))
		f++;
	if (!check_formats[f])
		return check_output_bad(a, given);
	if (str_is(path, "-"))
		return err_help(err_param(E_BAD_ARGUMENT, STR("output"),
					  "'%.*s': standard output has the format of --format "
					  "already",
					  STR_ARG(given)),
				"--format %s", check_formats[f]);
	for (size_t i = 0; i < out->n; i++)
		if (str_is(path, out->p[i].path))
			return err_param(E_BAD_ARGUMENT, STR("output"),
					 "two outputs to one file: '%.*s'", STR_ARG(path));
	to = VEC_PUSH(a, out);
	*to = (struct check_output){f, str_c(a, path)};
	return os_check_write(to->path, 0);
}

struct err *check_outputs_read(struct arena *a, const struct strs *given, struct check_outputs *out)
{
	for (size_t i = 0; i < given->n; i++)
		TRY(check_output_read(a, given->p[i], out));
	return NULL;
}

struct check_fill {
	const struct check_output *output;
	const struct check_report *report;
	bool existing;
};

static struct err *check_output_fill(void *ctx, int fd, const char *shown)
{
	const struct check_fill *c = ctx;
	struct arena *a ARENA_LOCAL = arena_new();
	struct out *o = out_file(a, fd, shown);

	check_write(c->output->format, o, c->report, c->existing);
	return out_flush(o);
}

struct err *check_outputs_write(const struct check_outputs *outputs, const struct check_report *r,
				bool existing)
{
	for (size_t i = 0; i < outputs->n; i++) {
		struct check_fill fill = {&outputs->p[i], r, existing};

		TRY(os_write_by(outputs->p[i].path, check_output_fill, &fill, 0));
	}
	return NULL;
}
