/* manifest list: what tools may read of the memories (requirement: memory queries, "Tool Manifest
 * Declaration"). */
#include "request/manifest.h"
#include "app/warnings.h"

/* ---- list ---- */

struct list_args {
	struct str tool;
};
static const struct param list_params[] = {
	PARAM_OF(struct list_args, tool, .flags = ARG, .min = 1, .max = 128, .also = "tool_id",
		 .help = "only this tool"),
	{0},
};

struct listed {
	struct str tool_id, version, path;
	struct {
		const struct access *p;
		size_t n;
	} access;
	struct strs ignored;
};

static const struct field manifest_fields[] = {
	FIELD_OF(struct listed, tool_id, "the tool"),
	FIELD_OF(struct listed, version, "the tool's version, or empty"),
	FIELD_OF(struct listed, path, "the manifest"),
	FIELD_RECORDS(struct listed, access, "memory_access", access_fields, "the declared access"),
	FIELD_OF(struct listed, ignored, "keys that ikm does not read, with their places",
		 .flags = IF_ANY),
	{0},
};

struct list_result {
	struct {
		struct listed *p;
		size_t n, cap;
	} manifests;
	struct strs broken;
};

static const struct field list_result[] = {
	FIELD_RECORDS(struct list_result, manifests, "manifests", manifest_fields,
		      "sorted by tool"),
	FIELD_OF(struct list_result, broken,
		 "invalid manifests and their errors; their tools are denied"),
	{0},
};

static struct err *manifest_list_run(struct call *c, const void *p, void *out)
{
	const struct list_args *args = p;
	struct list_result *r = out;
	struct arena *a = c->a;
	struct manifests all = {0};
	const struct manifest *one = NULL;
	const char *home = os_ikigai_home(a);
	struct str why = {0};

	if (args->tool.p) {
		TRY(manifest_of(a, home, args->tool, &one, &why));
		if (one)
			*VEC_PUSH(a, &all) = *one;
		else
			strs_push(a, &all.broken, why);
	} else {
		TRY(manifests_load(a, home, &all));
	}
	for (size_t i = 0; i < all.n; i++) {
		const struct manifest *m = &all.p[i];

		*VEC_PUSH(a, &r->manifests) = (struct listed){
			.tool_id = m->tool_id,
			.version = m->version,
			.path = m->path,
			.access = {m->access, ACCESS_TYPES_END},
			.ignored = m->ignored,
		};
	}
	r->broken = all.broken;
	return NULL;
}

/* "  only query_types: fact, skill" */
static void print_list(struct call *c, const char *name, struct strs list)
{
	if (!list.n)
		return;
	out_fmt(c->out, "  %s: ", name);
	out_safe(c->out, str_join(c->a, &list, ", "), false);
}

static struct strs names_of(struct arena *a, unsigned bits, const char *const *names)
{
	struct strs list = {0};

	for (unsigned i = 0; names[i]; i++)
		if (bits & 1u << i)
			strs_push(a, &list, str_of(names[i]));
	return list;
}

static void print_access(struct call *c, const struct access *it)
{
	struct out *o = c->out;

	out_fmt(o, "  %-12s", access_types[it->type]);
	if (!it->enabled) {
		out_puts(o, "  no\n");
		return;
	}
	out_puts(o, "  yes");
	print_list(c, "query_types", it->query_types);
	print_list(c, "tags", it->tags);
	print_list(c, "layers", names_of(c->a, it->layers, memory_layers));
	print_list(c, "provenance", names_of(c->a, it->provenances, memory_provenances));
	if (it->max_queries.given)
		out_fmt(o, "  max_queries: %jd", (intmax_t)it->max_queries.n);
	if (it->max_budget_tokens.given)
		out_fmt(o, "  max_budget_tokens: %jd", (intmax_t)it->max_budget_tokens.n);
	if (it->fallback != ACCESS_FALLBACK_NONE)
		out_fmt(o, "  fallback: %s", access_fallbacks[it->fallback]);
	out_puts(o, it->sensitive ? "  sensitive\n" : "\n");
}

static void manifest_list_text(struct call *c, const void *args, const void *p)
{
	const struct list_result *r = p;

	(void)args;
	for (size_t i = 0; i < r->manifests.n; i++) {
		const struct listed *m = &r->manifests.p[i];

		out_styled(c->out, OUT_BOLD, m->tool_id);
		out_puts(c->out, m->version.n ? " " : "");
		out_safe(c->out, m->version, false);
		out_puts(c->out, "\n");
		for (size_t k = 0; k < m->access.n; k++)
			print_access(c, &m->access.p[k]);
	}
	warnings_print(c, &r->broken);
	if (!r->manifests.n && !r->broken.n)
		out_puts(c->err, "no manifests, so no tool may read memories\n");
}

const struct cmd cmd_manifest_list = {
	.name = "manifest list",
	.tool = "memory_access",
	.toolset = SET_MEMORY,
	.traits = TOOL_READS,
	.summary = "show which memories each tool may read",
	CMD_PARAMS(struct list_args, list_params),
	CMD_RESULT(struct list_result, list_result),
	.run = manifest_list_run,
	.text = manifest_list_text,
};
