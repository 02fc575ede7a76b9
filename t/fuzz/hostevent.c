#include "base/base.h"
#include "host/host.h"
#include "json/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_answers(struct arena *a, const struct host_event *e)
{
	struct host_answer got;
	struct val *v;

	for (int i = HOST_ALLOW; i <= HOST_CONTEXT; i++) {
		if (!host_takes_verdict(e, (enum host_verdict)i))
			continue;
		host_answer(a, e, (enum host_verdict)i, STR("why"), &got);
		if (got.status && got.status != 2)
			BUG("status %d", got.status);
		if (got.out.n && (json_read(a, got.out, NULL, &v) || v->type != VAL_MAP))
			BUG("wrote what is no object");
		if (i == HOST_DENY && str_find(got.out, STR("why"), 0) == SIZE_MAX)
			BUG("a denial without its reason");
	}
}

/* A patch that applies gives text that ends with a line end; what it adds is in it. */
static void check_patch(struct arena *a, struct str text, struct str old)
{
	struct host_patch patch;
	struct str new;

	if (host_patch_read(a, text, &patch))
		return;
	for (size_t i = 0; i < patch.n; i++) {
		if (patch.p[i].kind != HOST_PATCH_UPDATE || !patch.p[i].n ||
		    host_patch_apply(a, &patch.p[i], old, &new))
			continue;
		if (new.n &&new.p[new.n - 1] != '\n')
			BUG("a file without an end of line");
		if (new.n < host_patch_added(a, &patch.p[i]).n)
			BUG("an added line is lost");
	}
}

/*
 * Whatever a host sends, it is an event that can be answered. The first byte says what --host is.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct str text, cwd, patch;
	struct host_event e;

	if (size) {
		text = (struct str){(const char *)data + 1, size - 1};
		host_event_read(a, text, (enum host)(data[0] % (HOST_UNKNOWN + 1)), STR(""), &e);
		if (!e.dialect)
			BUG("an event without a dialect");
		check_answers(a, &e);
		check_patch(a, e.patch.n ? e.patch : text, e.content.n ? e.content : text);
		if (host_patch_in_command(e.command.n ? e.command : text, &cwd, &patch))
			check_patch(a, patch, text);
	}
	arena_free(a);
	return 0;
}
