/* The answer to an event, in the form of its dialect. */
#include "host/internal.h"
#include "json/json.h"

/*
 * To deny a tool of an event without a sign takes the form that stops every host. For any other
 * answer the form of the host that --host names is the best guess.
 */
static const struct host_dialect *answer_dialect(const struct host_event *e, enum host_verdict v)
{
	bool guessed = e->dialect->host == HOST_UNKNOWN && e->host != HOST_UNKNOWN;
	bool stops = v == HOST_DENY && e->moment == HOST_BEFORE;

	return guessed && !stops ? host_default_dialect(e->host) : e->dialect;
}

static const struct host_form *form_find(const struct host_event *e, enum host_verdict v)
{
	for (const struct host_form *f = answer_dialect(e, v)->forms; f->out; f++)
		if (f->moment == e->moment && f->verdict == v)
			return f;
	return NULL;
}

bool host_takes_verdict(const struct host_event *e, enum host_verdict v)
{
	return v == HOST_ALLOW || form_find(e, v);
}

static struct str form_fill(struct arena *a, const char *form, struct str event, struct str text)
{
	struct buf b = buf_in(a);

	for (const char *p = form; *p; p++) {
		if (p[0] == '$' && p[1] == 'R')
			json_write_str(&b, text);
		else if (p[0] == '$' && p[1] == 'E')
			json_write_str(&b, event);
		else
			buf_putc(&b, *p);
		p += p[0] == '$';
	}
	buf_putc(&b, '\n');
	return buf_as_str(&b);
}

void host_answer(struct arena *a, const struct host_event *e, enum host_verdict v, struct str text,
		 struct host_answer *out)
{
	const struct host_form *f = form_find(e, v);

	*out = (struct host_answer){{"", 0}, {"", 0}, 0};
	if (!f && v == HOST_ALLOW)
		return;
	if (!f)
		BUG("%s takes no verdict %d", host_names[e->host], (int)v);
	if (v != HOST_ALLOW && !str_trim(text).n)
		BUG("verdict %d without a reason", (int)v);
	out->out = form_fill(a, f->out, e->name, text);
	out->err = f->err ? str_fmt(a, "%.*s\n", STR_ARG(text)) : STR("");
	out->status = f->status;
}
