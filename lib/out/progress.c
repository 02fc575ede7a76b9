#include "out/out.h"
#include "os/os.h"
#include <unistd.h>

#define SECOND 1000000000u

void progress_start(struct progress *p, const char *what, uint64_t total)
{
	*p = (struct progress){.what = what, .total = total, .on = isatty(STDERR_FILENO)};
	if (p->on)
		p->start = p->shown = os_ticks();
}

void progress_at(struct progress *p, uint64_t done)
{
	uint64_t now;

	if (!p->on)
		return;
	now = os_ticks();
	if (now - p->start < SECOND || now - p->shown < SECOND / 10)
		return;
	p->shown = now;
	p->visible = true;
	if (p->total)
		fprintf(stderr, "\r%s: %llu of %llu\033[K", p->what, (unsigned long long)done,
			(unsigned long long)p->total);
	else
		fprintf(stderr, "\r%s: %llu\033[K", p->what, (unsigned long long)done);
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (p->visible)
		fputs("\r\033[K", stderr);
	p->visible = false;
}
