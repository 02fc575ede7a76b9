/* view: lists a folder two levels deep, or shows a file with line numbers. */
#include "memtool/internal.h"
#include "out/out.h"

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

struct err *memtool_view(struct memtool_job *j)
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
