/* Searches files in several threads, and reports results in order. */
#include "file/search.h"
#include "file/charset.h"
#include "file/find_matching_lines.h"
#include "out/out.h"
#include <pthread.h>
#include <unistd.h>

#define PIECE       ((size_t)256 << 10) /* bytes of results that one file may buffer */
#define PIECE_LINES ((size_t)4 << 10)   /* and their lines, which may be empty */
#define WARNINGS    20

struct start {
	struct file_ref ref;
	struct tree *tree;
	struct file_left left;
	bool file;
};

struct item {
	const struct start *start;
	struct tree_file file;
};

struct kept_line {
	struct search_line line;
	size_t at; /* offset of its text */
};
/* The results of one file, or a piece of them. The memory is reused for other files. */
struct result {
	struct arena *a;
	struct result *next; /* in the list of unused results */
	size_t count;
	struct VEC(struct kept_line) lines;
	struct buf path, text; /* text: of all lines, concatenated */
};

struct trouble {
	size_t at; /* index of the item */
	struct str message;
	enum err_reason why;
};
struct troubles {
	struct trouble *p;
	size_t n, cap;
	size_t unreadable, gave_up;
	struct slow {
		size_t at;
		const struct scan_pattern *pattern;
		struct str path;
	} slow; /* the first item in which a pattern took too long */
};

/* The state of one thread. */
struct worker {
	struct run *run;
	struct arena *a;
	struct scanner *scanner;
	struct troubles troubles;
	size_t files, matched, lines, binary;
	/* of the current file */
	struct os_job *job;
	const struct item *item;
	struct result *result;
};

struct run {
	struct arena *a; /* for the thread that walks the trees */
	const struct search *s;
	struct scan_plan plan;
	struct start *starts;
	size_t n;
	struct worker *workers; /* OS_THREADS_MAX */
	struct troubles troubles;
	const struct start *walked; /* the start that is being walked */
	struct os_ordered *team;
	size_t items;
	struct progress progress; /* of the thread that walks */
	size_t told;              /* only file_search_tell() changes it, and enough */
	bool enough;
	pthread_mutex_t lock;
	struct result *unused;
};

static bool is_full(const struct run *run)
{
	return run->enough || (run->s->max && run->told >= run->s->max);
}

/* ---- trouble ---- */

/* Only the first messages are kept; each thread meets its items in order. */
static void file_search_unreadable(struct arena *a, struct troubles *t, size_t at,
				   const struct err *e)
{
	t->unreadable++;
	if (t->n < WARNINGS)
		*VEC_PUSH(a, t) =
			(struct trouble){at, str_dup(a, str_of(err_message(e))), err_reason(e)};
}

ORDER_OF(trouble_cmp, struct trouble, ORDER_UP(at) || ORDER_STR(message))

static void file_search_add_all(struct arena *a, struct troubles *to, const struct troubles *t)
{
	for (size_t k = 0; k < t->n; k++)
		*VEC_PUSH(a, to) = t->p[k];
	to->unreadable += t->unreadable;
	if (t->gave_up && (!to->gave_up || t->slow.at < to->slow.at))
		to->slow = t->slow;
	to->gave_up += t->gave_up;
}

static void add_warnings(struct arena *a, struct run *run, struct search_done *out)
{
	struct troubles all = {0};
	struct buf b = buf_in(a);

	file_search_add_all(a, &all, &run->troubles);
	for (size_t i = 0; i < OS_THREADS_MAX; i++)
		file_search_add_all(a, &all, &run->workers[i].troubles);
	VEC_SORT(&all, trouble_cmp);
	for (size_t i = 0; i < all.n && i < WARNINGS; i++)
		strs_push(a, &out->warnings, str_dup(a, all.p[i].message));
	if (all.unreadable > WARNINGS)
		strs_push(a, &out->warnings,
			  str_fmt(a, "and more files or folders that could not be read: %zu",
				  all.unreadable - WARNINGS));
	if (all.gave_up) {
		buf_fmt(&b, "the pattern '%.*s' takes too long in '%.*s'",
			STR_ARG(str_sub(all.slow.pattern->source, 0, 200)), STR_ARG(all.slow.path));
		if (all.gave_up > 1)
			buf_fmt(&b, " and %zu more file%s", all.gave_up - 1,
				all.gave_up == 2 ? "" : "s");
		buf_puts(&b, atomic_load(&run->plan.stop) && !is_full(run)
				     ? "; the files after them were not searched"
				     : "; its matches there are not known");
		strs_push(a, &out->warnings, buf_as_str(&b));
	}
	out->unreadable = all.unreadable;
	if (all.n)
		out->why = all.p[0].why;
	out->gave_up = all.gave_up;
}

static struct str file_search_shown(struct arena *a, const struct start *p, struct str path)
{
	return file_path_shown(a, &p->ref, p->file, path);
}

/* ---- finding files ---- */

static struct err *found(void *ctx, const struct tree_file *f)
{
	struct run *run = ctx;
	struct item *item;

	if (atomic_load_explicit(&run->plan.stop, memory_order_relaxed))
		return err_new(E_CHANGED, "enough"); /* ends the walk; see file_search_find() */
	if (f->kind != TREE_FILE && f->kind != TREE_EXEC)
		return NULL;
	if (!run->walked->file && !file_filter_matches(&run->s->pick, f->path))
		return NULL;
	item = ARENA_NEW(run->a, struct item);
	*item = (struct item){run->walked, *f};
	progress_at(&run->progress, ++run->items);
	os_ordered_pool_add(run->team, item);
	return NULL;
}

static struct err *file_search_find(void *ctx, struct os_ordered *team)
{
	struct run *run = ctx;
	struct err *e = NULL;

	run->team = team;
	run->progress = progress_start("files found", 0);
	for (size_t i = 0; i < run->n && !e; i++) {
		run->walked = &run->starts[i];
		e = tree_foreach(run->walked->tree, STR(""), found, run);
	}
	return atomic_load(&run->plan.stop) ? NULL : e;
}

static void walk_trouble(void *ctx, struct str path, const struct err *e)
{
	struct run *run = ctx;

	(void)path;
	file_search_unreadable(run->a, &run->troubles, run->items, e);
}

void file_left_out_add(struct arena *a, const struct file_ref *r, const struct file_pick *pick,
		       const struct file_left *left, struct file_left *out)
{
	out->copies += left->copies;
	for (size_t i = 0; i < left->worktrees.n; i++)
		strs_push(a, &out->worktrees,
			  str_dup(a, file_path_shown(a, r, false, left->worktrees.p[i])));
	for (size_t i = 0; i < left->closed.n; i++)
		strs_push(a, &out->closed,
			  str_dup(a, file_path_shown(a, r, false, left->closed.p[i])));
	for (size_t i = 0; i < left->tracked.n; i++)
		if (file_filter_matches(pick, left->tracked.p[i]))
			strs_push(a, &out->tracked,
				  str_dup(a, file_path_shown(a, r, false, left->tracked.p[i])));
}

/* ---- reporting ---- */

static void file_search_tell(void *ctx, void *result)
{
	struct run *run = ctx;
	struct result *r = result;

	if (!is_full(run)) {
		if (run->s->want != SEARCH_LINES) {
			run->s->file(run->s->ctx, buf_as_str(&r->path), r->count);
			run->told++;
		}
		for (size_t i = 0; run->s->want == SEARCH_LINES && i < r->lines.n; i++) {
			struct search_line line = r->lines.p[i].line;

			/* After the last line only its context is reported. */
			if (is_full(run) && !line.joined && (!line.context || line.gap))
				break;
			line.path = buf_as_str(&r->path);
			line.text.p = r->text.p + r->lines.p[i].at;
			run->s->line(run->s->ctx, &line);
			run->told += !line.context && !line.joined;
		}
	}
	run->enough = run->enough || (run->s->enough && run->s->enough(run->s->ctx));
	if (is_full(run)) {
		atomic_store(&run->plan.full, true);
		if (!run->s->count_on)
			atomic_store(&run->plan.stop, true);
	}
	/* Keeps the memory, because new memory for each file costs more than its lines. */
	if (r->text.cap > 4 * PIECE) {
		arena_free(r->a);
		return;
	}
	r->lines.n = r->path.n = r->text.n = 0;
	pthread_mutex_lock(&run->lock);
	r->next = run->unused;
	run->unused = r;
	pthread_mutex_unlock(&run->lock);
}

/* ---- searching ---- */

static struct result *result_of(struct worker *w)
{
	struct run *run = w->run;
	struct result *r = w->result;
	struct arena *a;

	if (r)
		return r;
	pthread_mutex_lock(&run->lock);
	r = run->unused;
	if (r)
		run->unused = r->next;
	pthread_mutex_unlock(&run->lock);
	if (!r) {
		a = arena_new();
		r = ARENA_NEW(a, struct result);
		r->a = a;
		r->path = buf_in(a);
		r->text = buf_in(a);
	}
	a = arena_new();
	buf_put(&r->path, file_search_shown(a, w->item->start, w->item->file.path));
	arena_free(a);
	w->result = r;
	return r;
}

static void keep_line(void *ctx, const struct search_line *line)
{
	struct worker *w = ctx;
	struct result *r = result_of(w);

	if (r->text.n >= PIECE || r->lines.n >= PIECE_LINES) {
		os_ordered_turn(w->job);
		w->result = NULL;
		file_search_tell(w->run, r);
		r = result_of(w);
	}
	*VEC_PUSH(r->a, &r->lines) = (struct kept_line){*line, r->text.n};
	buf_put(&r->text, line->text);
}

/* A slow pattern is reported once, with the first file. */
static void gave_up(struct worker *w, const struct scan_pattern *by, struct str path)
{
	struct scan_plan *plan = &w->run->plan;
	size_t over = 0;

	if (!w->troubles.gave_up++)
		w->troubles.slow = (struct slow){w->job->i, by, str_dup(w->a, path)};
	for (size_t i = 0; i < plan->n; i++)
		over += atomic_load(&plan->patterns[i].gave_up) >= SCAN_GIVE_UP;
	if (over == plan->n)
		atomic_store(&plan->stop, true);
}

static void scan_item(struct worker *w, struct arena *scratch, int fd, uint64_t size,
		      struct str text)
{
	struct scan_sink sink = {keep_line, w};
	struct scan_result r;
	/* On the disk; empty for a stored asset. */
	struct file_ref disk = {.shown = file_disk_path(&w->item->start->ref)};
	struct str path = disk.shown;
	struct err *e;

	if (path.n)
		path = file_path_shown(scratch, &disk, w->item->start->file, w->item->file.path);
	scanner_run(w->scanner, fd, size, path, text, &sink, &r);
	if (r.end == SCAN_BINARY) {
		w->binary++;
		path = file_search_shown(scratch, w->item->start, w->item->file.path);
		/* Of a folder they are only counted. */
		if (w->item->start->file && w->troubles.n < WARNINGS)
			*VEC_PUSH(w->a, &w->troubles) = (struct trouble){
				w->job->i,
				str_fmt(w->a, "'%.*s' was not searched: it is no text",
					STR_ARG(path)),
				E_NOT_TEXT};
		return;
	}
	w->files++;
	w->matched += r.lines > 0;
	w->lines += r.lines;
	if (r.lines && w->run->s->want != SEARCH_LINES)
		result_of(w)->count = r.lines;
	if (r.end == SCAN_DONE && !r.gave_up)
		return;
	path = file_search_shown(scratch, w->item->start, w->item->file.path);
	if (r.gave_up)
		gave_up(w, r.gave_up, path);
	if (r.end == SCAN_DONE)
		return;
	if (r.end == SCAN_TOO_BIG)
		e = err_new(E_TOO_BIG,
			    "'%.*s' is over %zu bytes, too long for matches of several lines",
			    STR_ARG(path), FILE_BYTES_MAX);
	else if (r.end == SCAN_LONG_LINE)
		e = err_new(E_TOO_BIG, "'%.*s' has a line over %zu bytes", STR_ARG(path),
			    FILE_BYTES_MAX);
	else
		e = err_errno(r.errnum, "read '%.*s'", STR_ARG(path));
	file_search_unreadable(w->a, &w->troubles, w->job->i, e);
}

static void work_on(struct worker *w, struct arena *scratch)
{
	struct tree *t = w->item->start->tree;
	struct str text = {0};
	struct err *e;
	uint64_t size;
	int fd;

	if (w->run->s->names) {
		w->files++;
		w->matched++;
		w->lines++;
		result_of(w)->count = 1;
		return;
	}
	e = tree_open_file(t, &w->item->file, &fd, &size);
	if (!e && fd < 0)
		e = tree_read(t, scratch, &w->item->file, FILE_BYTES_MAX, &text);
	if (!e)
		scan_item(w, scratch, fd, size, text);
	/* A file that vanished meanwhile counts as if it had never been there. */
	else if (err_reason(e) != E_FILE_NOT_FOUND && err_reason(e) != E_NO_SUCH_ASSET &&
		 err_reason(e) != E_NOT_A_FILE)
		file_search_unreadable(w->a, &w->troubles, w->job->i, e);
	if (fd >= 0)
		close(fd);
}

static void file_search_work(void *ctx, struct os_job *job)
{
	struct run *run = ctx;
	struct worker *w = &run->workers[job->thread];
	struct arena *scratch;

	if (atomic_load_explicit(&run->plan.stop, memory_order_relaxed))
		return;
	if (!w->a) {
		w->run = run;
		w->a = arena_new();
		w->scanner = run->s->names ? NULL : scanner_new(w->a, &run->plan);
	}
	w->job = job;
	w->item = job->item;
	w->result = NULL;
	scratch = arena_new();
	work_on(w, scratch);
	arena_free(scratch);
	if (w->result) {
		job->result = w->result;
		job->bytes = w->result->text.n + w->result->lines.n * sizeof(struct kept_line);
	}
}

/* ---- the whole search ---- */

static struct err *plan_new(struct arena *a, const struct search *s, struct scan_plan *plan)
{
	const struct re **all = arena_array(a, s->patterns.n, sizeof(struct re *));

	plan->s = s;
	plan->n = s->patterns.n;
	if (s->names)
		return NULL;
	plan->patterns = arena_array(a, plan->n, sizeof(*plan->patterns));
	if (!plan->n || plan->n > SEARCH_PATTERNS)
		return err_new(E_OUT_OF_RANGE, "there are %zu patterns; allowed: 1 to %d", plan->n,
			       SEARCH_PATTERNS);
	for (size_t i = 0; i < plan->n; i++) {
		struct scan_pattern *p = &plan->patterns[i];

		p->source = s->patterns.p[i];
		if (!p->source.n)
			return err_help(err_for_param(E_BAD_ARGUMENT, STR("pattern"),
						      "the pattern is empty: "
						      "it would match every line"),
					"use '^' to match every line");
		TRY(re_new(a, p->source, s->flags | RE_CRLF | (s->across ? RE_MULTILINE : RE_LINES),
			   &p->re));
		all[i] = p->re;
	}
	return plan->n > 1 ? re_set_new(a, all, plan->n, &plan->set) : NULL;
}

static struct err *file_search_roots(struct files *f, struct run *run, const struct strs *roots)
{
	static const struct os_ordered_ops ops = {file_search_find, file_search_work,
						  file_search_tell};
	unsigned threads = 0;
	struct file_walk walk;

	TRY(plan_new(f->a, run->s, &run->plan));
	walk = (struct file_walk){
		.all = run->s->pick.all,
		.trouble = walk_trouble,
		.ctx = run,
		.copies = run->s->copies,
	};
	run->starts = arena_array(f->a, roots->n, sizeof(*run->starts));
	for (run->n = 0; run->n < roots->n; run->n++) {
		struct start *p = &run->starts[run->n];

		walk.left = &p->left;
		TRY(file_ref_or_folder(f, roots->p[run->n], &p->ref));
		TRY(file_tree(f, &p->ref, &walk, &p->tree, &p->file));
	}
	/* Only one thread may read the store. */
	for (size_t i = 0; i < run->n; i++)
		if (!run->starts[i].tree->ops->open)
			threads = 1;
	return os_ordered_run(&ops, threads, run);
}

struct err *search_run(struct files *f, const struct strs *roots, const struct search *s,
		       struct search_done *out)
{
	/* The trees grow while another thread reports, so they have their own arena. */
	struct files own = *f;
	struct run run = {.s = s};
	struct err *e;

	*out = (struct search_done){0};
	own.a = run.a = arena_new();
	pthread_mutex_init(&run.lock, NULL);
	run.workers = arena_array(own.a, OS_THREADS_MAX, sizeof(*run.workers));
	e = file_search_roots(&own, &run, roots);
	for (size_t i = 0; i < OS_THREADS_MAX && !e; i++) {
		const struct worker *w = &run.workers[i];

		out->files += w->files;
		out->matched += w->matched;
		out->lines += w->lines;
		out->binary += w->binary;
	}
	out->told = run.told;
	for (size_t i = 0; i < run.n; i++)
		file_left_out_add(f->a, &run.starts[i].ref, &s->pick, &run.starts[i].left,
				  &out->left);
	if (!e)
		add_warnings(f->a, &run, out);
	for (size_t i = 0; i < OS_THREADS_MAX; i++)
		arena_free(run.workers[i].a);
	for (struct result *r = run.unused, *next; r; r = next) {
		next = r->next;
		arena_free(r->a);
	}
	progress_end(&run.progress);
	pthread_mutex_destroy(&run.lock);
	arena_free(own.a);
	return e;
}
