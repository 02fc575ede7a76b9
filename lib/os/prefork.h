/*
 * prefork: children of this program that do jobs one after another, for the server of lines.
 * Private to lib/os.
 */
#ifndef IKM_OS_PREFORK_H
#define IKM_OS_PREFORK_H

#include "os/os.h"

#include <poll.h>
#include <signal.h>

#define PREFORK_MAX 64

/* A buffer that lives as long as the server. */
struct pipe_buf {
	struct arena *a;
	struct buf b;
	size_t taken;
};
/* What is in it and was not taken. */
struct str pipe_buf_waiting(const struct pipe_buf *p);
void pipe_buf_take(struct pipe_buf *p, size_t n);
void pipe_buf_empty(struct pipe_buf *p);
/* Reads once. How many bytes came; 0: the end; -1: none now. */
ssize_t pipe_buf_fill(struct pipe_buf *p, int fd, bool is_socket);

struct prefork_worker {
	pid_t pid; /* 0: there is none in this place */
	int fd;
	struct os_task *job; /* NULL: idle, or its job was cancelled */
	struct pipe_buf in;
	uint64_t killed; /* when it gets KILL, if it had TERM */
	bool dying, old;
};

struct prefork {
	struct os_serve *serve;
	const struct os_serve_ops *ops;
	void *ctx;
	pid_t pid;         /* ours */
	int server_fds[3]; /* what a worker has no business with */
	sigset_t mask;     /* of a worker */
	bool held;         /* no job is begun */
	struct os_queue {
		struct os_task *first, **last;
		size_t running;
	} queue[OS_POOLS];
	size_t queued, queued_bytes, running; /* of all queues */
	struct prefork_worker w[PREFORK_MAX];
};

void prefork_init(struct prefork *ws);
struct os_task *prefork_add(struct prefork *ws, struct str request, void *what, enum os_pool pool,
			    bool keep);
void prefork_cancel(struct prefork *ws, const struct os_task *job);
/* Begins what may be begun. */
void prefork_begin(struct prefork *ws);
/* None that is there gets another job. */
void prefork_renew(struct prefork *ws);
/* TERM to all; their jobs are gone. */
void prefork_end(struct prefork *ws);
/* Whether one that had TERM is still there. */
bool prefork_dying(const struct prefork *ws);
/* When the next one is to be killed, of os_ticks(); UINT64_MAX: none. */
uint64_t prefork_due(const struct prefork *ws);
void prefork_kill_late(struct prefork *ws, uint64_t now);

/* What poll() is to wait for, one for each worker that is there; how many. */
size_t prefork_poll(const struct prefork *ws, struct pollfd p[PREFORK_MAX]);
/* Then the same, with what was found. */
void prefork_hear(struct prefork *ws, const struct pollfd *p, size_t n);
/* Waits for the last of them. */
void prefork_release(struct prefork *ws);

#endif
