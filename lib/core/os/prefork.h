/*
 * prefork: forked children that do one job after another, for the line server.
 * Private to lib/core/os.
 */
#pragma once

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
/* The bytes that were not consumed yet. */
struct str pipe_buf_unconsumed(const struct pipe_buf *p);
void pipe_buf_consume(struct pipe_buf *p, size_t n);
void pipe_buf_clear(struct pipe_buf *p);
/* Reads once. Returns the number of bytes; 0: the end, or an error, with errno; -1: none now. */
ssize_t pipe_buf_fill(struct pipe_buf *p, int fd, bool is_socket);

struct prefork_worker {
	pid_t pid; /* 0: this place is free */
	int fd;
	struct os_task *job; /* NULL: idle, or its job was cancelled */
	struct pipe_buf in;
	uint64_t killed; /* when it gets KILL, after TERM */
	bool dying, old;
};

struct prefork {
	struct os_serve *serve;
	const struct os_serve_ops *ops;
	void *ctx;
	pid_t pid;         /* of the server */
	int server_fds[3]; /* descriptors that a worker closes */
	sigset_t mask;     /* of a worker */
	bool held;         /* no job may start */
	struct os_queue {
		struct os_task *first, **last;
		size_t running;
	} queue[OS_POOLS];
	size_t queued, queued_bytes, running; /* of all queues */
	struct prefork_worker w[PREFORK_MAX];
};

void prefork_init(struct prefork *ws);
struct os_task *prefork_add_job(struct prefork *ws, struct str request, void *what,
				enum os_pool pool, bool keep);
void prefork_cancel_job(struct prefork *ws, const struct os_task *job);
/* Starts the jobs that may start. */
void prefork_start_jobs(struct prefork *ws);
/* Present workers get no more jobs. */
void prefork_renew(struct prefork *ws);
/* Sends TERM to all and drops their jobs. */
void prefork_end(struct prefork *ws);
/* Whether a worker that got TERM is still alive. */
bool prefork_has_dying_worker(const struct prefork *ws);
/* When the next KILL is due, in os_ticks(); UINT64_MAX: never. */
uint64_t prefork_next_kill_time(const struct prefork *ws);
void prefork_kill_late(struct prefork *ws, uint64_t now);

/* Fills one entry for each live worker, for poll(); returns how many. */
size_t prefork_poll_fill(const struct prefork *ws, struct pollfd p[PREFORK_MAX]);
/* Handles the same entries after poll(). */
void prefork_poll_handle(struct prefork *ws, const struct pollfd *p, size_t n);
/* Waits for the last worker. */
void prefork_release(struct prefork *ws);
