/* manifest list: what tools may read of the memories (requirement: memory queries, "Tool Manifest
 * Declaration"). */
#include "request/tool_access_manifest.h"
#include "app/print_warnings.h"

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
	struct VEC(struct listed) manifests;
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
		TRY(manifest_of_tool(a, home, args->tool, &one, &why));
		if (one)
			*VEC_PUSH(a, &all) = *one;
		else
			strs_push(a, &all.broken, why);
	} else {
		TRY(manifests_load_access(a, home, &all));
	}
	VEC_EACH(const struct manifest, m, &all) {
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

const struct cmd cmd_manifest_list = {
	.name = "manifest list",
	.tool = "memory_access",
	.toolset = SET_MEMORY,
	.traits = TOOL_READS,
	.summary = "show which memories each tool may read",
	CMD_PARAMS(struct list_args, list_params),
	CMD_RESULT(struct list_result, list_result),
	.run = manifest_list_run,
	.template = "{/manifests:{*tool_id}{?version: {version}}\n"
		    "{/memory_access:  {memory_type%-12}{?!enabled:  no|  yes{?query_types:  "
		    "query_types: {query_types}}{?tags:  tags: {tags}}{?layers:  layers: {layers}}"
		    "{?provenance:  provenance: {provenance}}{?^max_queries:  max_queries: "
		    "{max_queries}}{?^max_budget_tokens:  max_budget_tokens: {max_budget_tokens}}"
		    "{?!fallback='none':  fallback: {fallback}}{?sensitive:  sensitive}}\n}}"
		    "{/broken:{2:{~'ikm'}: {.}\n}}{?!manifests&!broken:{2:no manifests, so no "
		    "tool may read memories\n}}",
};
