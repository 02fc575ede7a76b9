/* The six commands, and the function that runs them and makes the answer. */
#include "memtool/internal.h"
#include "out/out.h"

#define CONTEXT    2   /* lines to show around a change */
#define PLACES_MAX 100 /* line numbers in one message */

static struct str say(struct arena *a, const char *fmt, va_list ap)
{
	struct str rest = str_of(fmt);
	struct buf b = buf_in(a);
	size_t at;

	while ((at = str_find(rest, STR("{}"), 0)) != SIZE_MAX) {
		buf_put(&b, str_sub(rest, 0, at));
		buf_put(&b, va_arg(ap, struct str));
		rest = str_sub(rest, at + 2, rest.n);
	}
	buf_put(&b, rest);
	return buf_as_str(&b);
}

/* The format with each "{}" replaced by the next struct str. NUL bytes in it are data. */
static struct str memtool_format(struct arena *a, const char *fmt, ...)
{
	struct str s;
	va_list ap;

	va_start(ap, fmt);
	s = say(a, fmt, ap);
	va_end(ap);
	return s;
}

/* Makes this text the answer, as an error, and rolls the transaction back. */
static struct err *memtool_refuse(struct memtool_job *j, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	j->text = say(j->a, fmt, ap);
	va_end(ap);
	j->refused = true;
	/* The text may be longer than an error's message. Nobody prints this error. */
	return err_new(E_BAD_ARGUMENT, "refused");
}

/* The asset of that path, and its state. /memories itself is always a folder. */
static struct err *memtool_ref(struct memtool_job *j, struct str shown, struct file_ref *r,
			       struct file_stat *st)
{
	TRY(file_ref_resolve(j->f, str_fmt(j->a, ASSET_SCHEME "%.*s", STR_ARG(shown)), r));
	TRY(file_stat(j->f, r, st));
	/* /memories exists even when it is empty. */
	if (st->kind == OS_NONE && str_is(shown, MEMTOOL_ROOT))
		st->kind = OS_DIR;
	return NULL;
}

/* ---- view: a folder two levels deep, or a file with line numbers ---- */

#define LINES_MAX 999999
#define LEVELS    2

void memtool_number_lines(struct buf *b, struct str content, size_t first, size_t last)
{
	struct str part;

	for (size_t line = 1; line <= last && str_next_part(&content, '\n', &part); line++) {
		if (line < first)
			continue;
		buf_fmt(b, "%s%6zu\t", line > first ? "\n" : "", line);
		buf_put(b, part);
	}
}

struct entry {
	struct str path; /* below the folder; a folder's path ends with a slash */
	int64_t size;    /* of a folder: the total size of the files in it */
};
struct entries VEC(struct entry);

/* Files arrive sorted by path, so the files of a folder follow each other. */
static void memtool_view_add(struct arena *a, struct entries *all, size_t open[LEVELS],
			     struct str path, int64_t size)
{
	size_t from = 0;

	for (size_t level = 0; level < LEVELS; level++) {
		size_t slash = str_find_char(path, '/', from);
		struct str folder;

		if (slash == SIZE_MAX) {
			*VEC_PUSH(a, all) = (struct entry){path, size};
			return;
		}
		folder = str_sub(path, 0, slash + 1);
		if (open[level] >= all->n || !str_eq(all->p[open[level]].path, folder)) {
			open[level] = all->n;
			*VEC_PUSH(a, all) = (struct entry){.path = folder};
		}
		all->p[open[level]].size += size;
		from = slash + 1;
	}
}

/* "512B", "1.5K", "2.0M" */
static void put_size(struct out *o, int64_t size)
{
	static const char units[] = "KMG";
	double n = (double)size / 1024;
	size_t i = 0;

	if (size < 1024) {
		out_fmt(o, "%jdB\t", (intmax_t)size);
		return;
	}
	/* A size that would print as 1024.0 moves to the next unit. */
	for (; n >= 1023.95 && i + 2 < sizeof(units); i++)
		n /= 1024;
	out_fmt(o, "%.1f%c\t", n, units[i]);
}

static struct err *view_folder(struct memtool_job *j, const struct file_ref *r)
{
	struct asset_list below = {0};
	struct entries all = {0};
	size_t open[LEVELS] = {SIZE_MAX, SIZE_MAX};
	struct out *o = out_new_in_memory(j->a);
	int64_t size = 0;

	TRY(asset_list_by_prefix(j->f->assets, j->a, r->path, &below));
	for (size_t i = 0; i < below.n; i++) {
		struct str path = str_sub(below.p[i].path, r->path.n + 1, below.p[i].path.n);
		struct str rest = path, part;
		bool hidden = false;

		while (str_next_part(&rest, '/', &part))
			hidden = hidden || str_starts(part, STR(".")) ||
				 str_is(part, "node_modules");
		if (hidden)
			continue;
		memtool_view_add(j->a, &all, open, path, below.p[i].size);
		size += below.p[i].size;
	}
	out_bytes_unchanged(
		o, memtool_format(j->a,
				  "Here're the files and directories up to 2 levels deep in "
				  "{}, excluding hidden items and node_modules:\n",
				  j->asked.path));
	put_size(o, size);
	out_bytes_unchanged(o, j->asked.path);
	for (size_t i = 0; i < all.n; i++) {
		out_puts(o, "\n");
		put_size(o, all.p[i].size);
		out_bytes_unchanged(o, j->asked.path);
		out_puts(o, "/");
		/* Other commands can store names with control characters. */
		out_safe(o, all.p[i].path, false);
	}
	j->text = out_text_so_far(o);
	return NULL;
}

static struct err *memtool_view(struct memtool_job *j)
{
	struct file_stat st;
	struct file_ref r;

	TRY(memtool_ref(j, j->asked.path, &r, &st));
	if (st.kind == OS_FILE) {
		struct str path = j->asked.path, content;
		struct buf b = buf_in(j->a);
		int64_t from = j->asked.first, to = j->asked.last;
		size_t lines, first, last;

		TRY(file_read(j->f, j->a, &r, FILE_BYTES_MAX, &content));
		lines = str_line_count(content);
		if (lines > LINES_MAX)
			return memtool_refuse(
				j, "File {} exceeds maximum line limit of 999,999 lines.", path);
		if (j->asked.view_range &&
		    (from < 1 || (from > 1 && (uint64_t)from > lines) || (to != -1 && to < from)))
			return memtool_refuse(
				j,
				"Error: Invalid `view_range` parameter: {}. It should be "
				"within the range of lines of the file: [1, {}]",
				str_fmt(j->a, "[%jd, %jd]", (intmax_t)from, (intmax_t)to),
				str_fmt(j->a, "%zu", lines));
		/* An end beyond the last line means the last line, and so does -1. */
		first = j->asked.view_range ? (size_t)from : 1;
		last = j->asked.view_range && to != -1 ? size_min((size_t)to, lines) : lines;
		buf_put(&b, memtool_format(j->a, "Here's the content of {} with line numbers:\n",
					   path));
		memtool_number_lines(&b, content, first, last);
		j->text = buf_as_str(&b);
		return NULL;
	}
	if (st.kind == OS_DIR)
		return view_folder(j, &r);
	return memtool_refuse(j, "The path {} does not exist. Please provide a valid path.",
			      j->asked.path);
}

/* ---- create ---- */

static struct err *memtool_put(struct memtool_job *j, const struct file_ref *r, const char *op,
			       struct str content)
{
	const struct file_write w = {.op = op};
	struct file_done done;

	return file_put(j->f, r, &w, content, &done);
}

static struct err *memtool_create(struct memtool_job *j)
{
	struct str path = j->asked.path;
	struct file_stat st;
	struct file_ref r;

	TRY(memtool_ref(j, path, &r, &st));
	if (st.kind != OS_NONE)
		return memtool_refuse(j, "Error: File {} already exists", path);
	TRY(memtool_put(j, &r, "write", j->asked.file_text));
	j->text = memtool_format(j->a, "File created successfully at: {}", path);
	return NULL;
}

/* ---- str_replace ---- */

/* Begins an edit of the file. For a folder the protocol wants the same message as for a missing
 * file. */
static struct err *memtool_begin(struct memtool_job *j, const char *missing,
				 struct file_change **out)
{
	const struct file_write w = {.op = "edit", .existing = true};
	struct file_stat st;
	struct file_ref r;

	TRY(memtool_ref(j, j->asked.path, &r, &st));
	if (st.kind != OS_FILE)
		return memtool_refuse(j, missing, j->asked.path);
	return file_begin(j->f, &r, &w, out);
}

/* The lines in which the text begins. The loop reads each line once, although the text may match at
 * every byte. */
static struct str places(struct arena *a, struct str content, struct str text)
{
	struct strs lines = {0};
	size_t line = 1, counted = 0, at = str_find(content, text, 0);

	while (at != SIZE_MAX && lines.n < PLACES_MAX) {
		for (; counted < at; counted++)
			line += content.p[counted] == '\n';
		strs_push(a, &lines, str_fmt(a, "%zu", line));
		at = str_find_char(content, '\n', at);
		at = at == SIZE_MAX ? at : str_find(content, text, at + 1);
	}
	if (at != SIZE_MAX)
		strs_push(a, &lines, STR("..."));
	return str_join(a, &lines, ", ");
}

static struct err *str_replace(struct memtool_job *j)
{
	const struct file_edit edit = {.old = j->asked.old_str, .new = j->asked.new_str};
	struct file_edited edited;
	struct buf b = buf_in(j->a);
	struct file_change *c;
	struct file_done done;
	struct str content, new;
	size_t line;
	struct err *e;

	TRY(memtool_begin(j, "Error: The path {} does not exist. Please provide a valid path.",
			  &c));
	content = str_dup(j->a, c->old); /* the answer shows lines of it after the commit */
	e = file_edit_text(j->a, content, &edit, &new, &edited);
	if (e && err_reason(e) == E_NO_SUCH_TEXT)
		e = memtool_refuse(j,
				   "No replacement was performed, old_str `{}` did not "
				   "appear verbatim in {}.",
				   edit.old, j->asked.path);
	else if (e && err_reason(e) == E_NOT_UNIQUE)
		e = memtool_refuse(j,
				   "No replacement was performed. Multiple occurrences of "
				   "old_str `{}` in lines: {}. Please ensure it is unique",
				   edit.old, places(j->a, content, edit.old));
	if (e)
		return file_abort(c, e);
	TRY(file_commit(c, new, &done));
	line = str_place_of_offset(content, edited.at).line;
	buf_puts(&b, "The memory file has been edited. ");
	if (edited.tolerated.n)
		buf_fmt(&b, "The file has other %.*s than old_str. ", STR_ARG(edited.tolerated));
	buf_puts(&b, "Here is the snippet showing the change (with line numbers):\n");
	memtool_number_lines(&b, new, line - size_min(CONTEXT, line - 1),
			     str_place_of_offset(new, new.n - (content.n - edited.end)).line +
				     CONTEXT);
	j->text = buf_as_str(&b);
	return NULL;
}

/* ---- insert ---- */

/* Whether lines end with CR LF there: the line before, else the line behind, else the text's. */
static bool memtool_is_crlf(struct str head, struct str tail, struct str text)
{
	size_t nl = str_rfind_char(head, '\n');
	const struct str behind[] = {tail, text};

	for (size_t i = 0; nl == SIZE_MAX && i < ARRAY_SIZE(behind); i++) {
		head = behind[i];
		nl = str_find_char(head, '\n', 0);
	}
	return nl != SIZE_MAX && nl && head.p[nl - 1] == '\r';
}

bool memtool_insert(struct arena *a, struct str content, int64_t line, struct str text,
		    struct str *out)
{
	struct buf b = buf_in(a);
	size_t at = str_starts(content, STR(FILE_BOM)) ? strlen(FILE_BOM) : 0;
	struct str head, tail;
	enum file_ends ends;
	const char *end;

	if (line < 0 || (uint64_t)line > str_line_count(content))
		return false;
	for (int64_t i = 0; i < line; i++)
		at += str_line_from(content, at).n;
	head = str_sub(content, 0, at);
	tail = str_sub(content, at, content.n);
	end = memtool_is_crlf(head, tail, text) ? "\r\n" : "\n";
	text = file_ends_convert(a, text, end[1], &ends);
	buf_room(&b, content.n + text.n + 2 * strlen(end));
	buf_put(&b, head);
	if (line && head.n && !str_ends(head, STR("\n")))
		buf_puts(&b, end);
	buf_put(&b, text);
	/* The last line keeps its end: with a newline or without. */
	if (!str_ends(text, STR("\n")) && (tail.n || str_ends(content, STR("\n"))))
		buf_puts(&b, end);
	buf_put(&b, tail);
	*out = buf_as_str(&b);
	return true;
}

static struct err *memtool_insert_line(struct memtool_job *j)
{
	struct file_change *c;
	struct file_done done;
	struct str new;

	TRY(memtool_begin(j, "Error: The path {} does not exist", &c));
	if (!memtool_insert(c->a, c->old, j->asked.insert_line, j->asked.insert_text, &new))
		return file_abort(
			c,
			memtool_refuse(j,
				       "Error: Invalid `insert_line` parameter: {}. It should be "
				       "within the range of lines of the file: [0, {}]",
				       str_fmt(j->a, "%jd", (intmax_t)j->asked.insert_line),
				       str_fmt(j->a, "%zu", str_line_count(c->old))));
	TRY(file_commit(c, new, &done));
	j->text = memtool_format(j->a, "The file {} has been edited.", j->asked.path);
	return NULL;
}

/* ---- delete and rename ---- */

/* Calls fn for the file, or for each file below the folder, with its path in the store. */
static struct err *memtool_each(struct memtool_job *j, const struct file_ref *r, enum os_kind kind,
				struct err *(*fn)(struct memtool_job *j, struct str path))
{
	struct asset_list below = {0};

	if (kind == OS_FILE)
		return fn(j, r->path);
	TRY(asset_list_by_prefix(j->f->assets, j->a, r->path, &below));
	for (size_t i = 0; i < below.n; i++)
		TRY(fn(j, below.p[i].path));
	return NULL;
}

static struct err *memtool_remove_one(struct memtool_job *j, struct str path)
{
	const struct file_ref r = file_ref_of_asset(j->f, path);

	return memtool_put(j, &r, "remove", (struct str){0});
}

static struct err *delete (struct memtool_job *j)
{
	struct str path = j->asked.path;
	struct file_stat st;
	struct file_ref r;

	if (str_is(path, MEMTOOL_ROOT))
		return memtool_refuse(j,
				      "Error: Cannot delete the " MEMTOOL_ROOT " directory itself");
	TRY(memtool_ref(j, path, &r, &st));
	if (st.kind == OS_NONE)
		return memtool_refuse(j, "Error: The path {} does not exist", path);
	TRY(memtool_each(j, &r, st.kind, memtool_remove_one));
	j->text = memtool_format(j->a, "Successfully deleted {}", path);
	return NULL;
}

static struct err *move_one(struct memtool_job *j, struct str path)
{
	const struct file_write w = {.op = "move"};
	/* The part of the path below the folder that moves. old_path begins with a slash. */
	struct str below = str_sub(path, j->asked.old_path.n - 1, path.n);
	const struct file_ref from = file_ref_of_asset(j->f, path);
	struct file_ref to;
	struct file_done done;

	TRY(file_ref_resolve(
		j->f, memtool_format(j->a, ASSET_SCHEME "{}{}", j->asked.new_path, below), &to));
	return file_move(j->f, &from, &to, &w, &done);
}

static struct err *memtool_move(struct memtool_job *j)
{
	struct str old = j->asked.old_path, new = j->asked.new_path;
	struct file_stat st, other;
	struct file_ref r, to;

	if (str_is(old, MEMTOOL_ROOT))
		return memtool_refuse(j,
				      "Error: Cannot rename the " MEMTOOL_ROOT " directory itself");
	TRY(memtool_ref(j, old, &r, &st));
	TRY(memtool_ref(j, new, &to, &other));
	if (st.kind == OS_NONE)
		return memtool_refuse(j, "Error: The path {} does not exist", old);
	if (other.kind != OS_NONE)
		return memtool_refuse(j, "Error: The destination {} already exists", new);
	if (st.kind == OS_DIR && str_starts(new, memtool_format(j->a, "{}/", old)))
		return memtool_refuse(j, "Error: The destination {} is inside {}", new, old);
	TRY(memtool_each(j, &r, st.kind, move_one));
	j->text = memtool_format(j->a, "Successfully renamed {} to {}", old, new);
	return NULL;
}

/* ---- the commands ---- */

#define MEMBER(member, help, ...) FIELD_OF(struct memtool_asked, member, help, __VA_ARGS__)
#define MEMBERS(...)                                                                               \
	(const struct field[])                                                                     \
	{                                                                                          \
		MEMBER(command, "what to do"), __VA_ARGS__,                                        \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}

const struct memtool_command memtool_commands[] = {
	{"view",
	 MEMBERS(MEMBER(path, "a path"),
		 MEMBER(view_range, "the lines to show", .flags = OPTIONAL | NULLABLE)),
	 memtool_view, true},
	{"create", MEMBERS(MEMBER(path, "a path"), MEMBER(file_text, "the content")),
	 memtool_create, false},
	{"str_replace",
	 MEMBERS(MEMBER(path, "a path"), MEMBER(old_str, "what to replace"),
		 MEMBER(new_str, "what to put there")),
	 str_replace, false},
	{"insert",
	 MEMBERS(MEMBER(path, "a path"), MEMBER(insert_line, "behind which line"),
		 MEMBER(insert_text, "the lines")),
	 memtool_insert_line, false},
	{"delete", MEMBERS(MEMBER(path, "a path")), delete, false},
	{"rename", MEMBERS(MEMBER(old_path, "a path"), MEMBER(new_path, "a path")), memtool_move,
	 false},
	{0},
};

/* ---- answers ---- */

const struct field memtool_fields[] = {
	FIELD_OF(struct memtool_said, type,
		 "tool_result, when the input was a block of type tool_use", .flags = OPTIONAL),
	FIELD_OF(struct memtool_said, tool_use_id, "the id of that block", .flags = OPTIONAL),
	FIELD_OF(struct memtool_said, content, "the answer, for the model"),
	FIELD_OF(struct memtool_said, is_error, "the command failed; content says why"),
	{0},
};

struct memtool_said memtool_trouble(struct arena *a, const struct err *e)
{
	return (struct memtool_said){
		.content = str_utf8(a, str_fmt(a, "Error: %s", err_message(e))), .is_error = true};
}

static struct str memtool_replaced(struct arena *a, struct str text, struct str old, struct str new)
{
	struct buf b = buf_in(a);
	size_t at;

	while ((at = str_find(text, old, 0)) != SIZE_MAX) {
		buf_put(&b, str_sub(text, 0, at));
		buf_put(&b, new);
		text = str_sub(text, at + old.n, text.n);
	}
	buf_put(&b, text);
	return buf_as_str(&b);
}

/* Errors that the model can correct. The host or a person must handle the others. */
static bool is_models(const struct err *e)
{
	switch (err_code(e)) {
	case CODE_INVALID_INPUT:
	case CODE_CONFLICT:
	case CODE_BLOCKED:
	case CODE_BUDGET_EXCEEDED: return true;
	case CODE_NOT_FOUND: return err_reason(e) != E_NO_HOME;
	default: return false;
	}
}

static struct err *memtool_run(struct memtool_job *j)
{
	struct db *db = j->f->assets->db;
	struct db_txn t DB_TXN = {0};

	TRY(j->command->reads ? db_begin_read(&t, db) : db_begin(&t, db));
	TRY(j->command->run(j));
	return j->command->reads ? NULL : db_commit(&t);
}

/* Takes the input out of a block of type tool_use. The other members concern only the host and the
 * service. */
static struct err *memtool_unwrap(const struct val *block, const struct val **input, struct str *id)
{
	*input = block;
	if (!str_is(val_get_str(block, "type"), "tool_use"))
		return NULL;
	*id = val_get_str(block, "id");
	*input = val_get(block, "input");
	if (!id->n || !*input)
		return err_new(E_MISSING_PARAMETER,
			       "a block of type tool_use must have `id` and `input`");
	if (val_get(block, "name") && !str_is(val_get_str(block, "name"), "memory"))
		return err_new(E_BAD_ARGUMENT, "the block calls a tool other than memory");
	return NULL;
}

struct err *memtool_answer(struct files *f, struct arena *a, const struct val *asked,
			   struct memtool_said *out)
{
	struct files own = *f;
	struct memtool_job j = {.f = &own, .a = a};
	const struct val *input;
	struct str id = {0};
	struct err *e, *store = NULL;

	/* A server gives each request its own arena: keep none of it in the shared files. */
	own.a = a;
	e = memtool_unwrap(asked, &input, &id);
	if (!e)
		e = memtool_input(a, input, &j.asked, &j.command);
	if (e) {
		*out = memtool_trouble(a, e);
	} else {
		e = memtool_run(&j);
		*out = (struct memtool_said){.content = j.text, .is_error = j.refused};
		if (e && !j.refused) {
			*out = memtool_trouble(a, e);
			/* The model knows the paths, and not the names of assets. */
			out->content = memtool_replaced(
				a, out->content, STR(ASSET_SCHEME MEMTOOL_ROOT), STR(MEMTOOL_ROOT));
			out->content = memtool_replaced(a, out->content, STR("asset 'memories/"),
							STR("file '" MEMTOOL_ROOT "/"));
			store = is_models(e) ? NULL : e;
		}
	}
	if (id.n) {
		out->type = "tool_result";
		out->tool_use_id = id;
	}
	return store;
}
