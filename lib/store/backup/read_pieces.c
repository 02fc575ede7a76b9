/* Reads a file of any size in pieces. */
#include "internal.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE ((size_t)128 << 10)

static void backup_source_close(void *fd)
{
	close(*(int *)fd);
}

struct err *backup_source_open(struct arena *a, const char *path, struct backup_source *out)
{
	int *fd = ARENA_NEW(a, int);
	struct stat st;

	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0)
		return err_errno(errno, "open '%s'", path);
	arena_defer(a, backup_source_close, fd);
	*out = (struct backup_source){.a = a, .name = path, .fd = *fd, .p = arena_alloc(a, PIECE)};
	out->progress =
		progress_start("backup, bytes read", fstat(*fd, &st) ? 0 : (uint64_t)st.st_size);
	return NULL;
}

/* Reads behind what is there. *more false: the end, or the piece is full. */
static struct err *backup_source_fill(struct backup_source *s, bool *more)
{
	size_t got;

	if (s->from) {
		memmove(s->p, s->p + s->from, s->to - s->from);
		s->to -= s->from;
		s->from = 0;
	}
	*more = false;
	if (s->to == PIECE)
		return NULL;
	TRY(os_read_some(s->fd, s->name, s->p + s->to, PIECE - s->to, &got));
	s->to += got;
	progress_at(&s->progress, (uint64_t)s->at);
	if (!got)
		progress_end(&s->progress);
	*more = got > 0;
	return NULL;
}

struct err *backup_source_read_some(struct backup_source *s, int64_t most, struct str *part)
{
	bool more;

	*part = (struct str){0};
	if (most <= 0)
		return NULL;
	if (s->from == s->to)
		TRY(backup_source_fill(s, &more));
	*part = (struct str){
		s->p + s->from,
		(size_t)(most < (int64_t)(s->to - s->from) ? most : (int64_t)(s->to - s->from))};
	s->from += part->n;
	s->at += (int64_t)part->n;
	return NULL;
}

struct err *backup_source_hash(struct backup_source *s, int64_t most, const struct backup_to *to,
			       int64_t *size, struct str *hash)
{
	unsigned char sum[SHA256_BYTES];
	struct sha256 h;
	struct str part;

	sha256_init(&h);
	for (*size = 0;; *size += (int64_t)part.n) {
		TRY(backup_source_read_some(s, most - *size, &part));
		if (!part.n)
			break;
		sha256_add(&h, part);
		if (to)
			TRY(os_write_fd(to->fd, to->name, part));
	}
	sha256_end(&h, sum);
	*hash = str_fmt(s->a, "sha256:%.*s", STR_ARG(crypt_hex(s->a, sum, sizeof(sum))));
	return NULL;
}

struct err *backup_source_read_line(struct backup_source *s, struct str *line, bool *found)
{
	bool more = true;

	for (*found = false;;) {
		struct str have = {s->p + s->from, s->to - s->from};
		size_t lf = str_find_char(have, '\n', 0);

		if (lf != SIZE_MAX) {
			*line = str_dup(s->a, str_sub(have, 0, lf));
			s->from += lf + 1;
			s->at += (int64_t)lf + 1;
			*found = true;
			return NULL;
		}
		if (have.n > BACKUP_LINE_MAX || !more)
			return NULL;
		TRY(backup_source_fill(s, &more));
	}
}
