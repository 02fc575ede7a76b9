/* The answer to an event, in the form of its dialect. */
#include "host/internal.h"
#include "json/json.h"

static const struct host_form *form_find(const struct host_event *e, enum host_verdict v)
{
	bool guessed = e->dialect->host == HOST_UNKNOWN && e->host != HOST_UNKNOWN;
	bool stops = v == HOST_DENY && e->moment == HOST_BEFORE;
	const struct host_dialect *d = e->dialect;

	/*
	 * To deny a tool of an event without a sign takes the form that stops every host. For any
	 * other answer the form of the host that --host names is the best guess.
	 */
	if (guessed && !stops)
		d = host_default_dialect(e->host);
	for (const struct host_form *f = d->forms; f->out; f++)
		if (f->moment == e->moment && f->verdict == v)
			return f;
	return NULL;
}

bool host_takes_verdict(const struct host_event *e, enum host_verdict v)
{
	return v == HOST_ALLOW || form_find(e, v);
}

void host_answer(struct arena *a, const struct host_event *e, enum host_verdict v, struct str text,
		 struct host_answer *out)
{
	const struct host_form *f = form_find(e, v);
	struct buf b = buf_in(a);

	*out = (struct host_answer){{"", 0}, {"", 0}, 0};
	if (!f && v == HOST_ALLOW)
		return;
	if (!f)
		BUG("%s takes no verdict %d", host_names[e->host], (int)v);
	if (v != HOST_ALLOW && !str_trim(text).n)
		BUG("verdict %d without a reason", (int)v);
	for (const char *p = f->out; *p; p++) {
		if (p[0] == '$' && p[1] == 'R')
			json_write_str(&b, text);
		else if (p[0] == '$' && p[1] == 'E')
			json_write_str(&b, e->name);
		else
			buf_putc(&b, *p);
		p += p[0] == '$';
	}
	buf_putc(&b, '\n');
	out->out = buf_as_str(&b);
	out->err = f->err ? str_fmt(a, "%.*s\n", STR_ARG(text)) : STR("");
	out->status = f->status;
}
