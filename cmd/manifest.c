/* manifest list: what tools may read of the memories (requirement: memory queries, "Tool Manifest
 * Declaration"). */
#include "app/app.h"
#include "request/manifest.h"
#include "app/warnings.h"

static const char *const types[] = ACCESS_TYPES;
static const char *const layers[] = MEMORY_LAYERS;
static const char *const provenances[] = MEMORY_PROVENANCES;

/* ---- list ---- */

struct list_args {
	struct str tool;
};
static const struct param list_params[] = {
	PARAM_OF(struct list_args, tool, .flags = ARG, .min = 1, .max = 128, .also = "tool_id",
		 .help = "only this tool's"),
	{0},
};

static const struct field access_fields[] = {
	{"memory_type", "which memory", F_STR, .choices = types},
	{"enabled", "the tool may read it", F_BOOL},
	{"query_types", "only of these types; absent: any", F_STRS, OPTIONAL},
	{"tags", "only with one of these tags; absent: any", F_STRS, OPTIONAL},
	{"max_queries", "of a request; absent: any number", F_INT, OPTIONAL},
	{"max_budget_tokens", "of a query; absent: 1000", F_INT, OPTIONAL},
	{"sensitive", "also what is marked sensitive", F_BOOL},
	{"layers", "also of these layers, besides the agent's own", F_STRS},
	{"provenance", "only what these said; absent: anybody", F_STRS, OPTIONAL},
	{0},
};
static const struct field manifest_fields[] = {
	{"tool_id", "the tool", F_STR},
	{"version", "as declared, or empty", F_STR},
	{"path", "the manifest", F_STR},
	{"memory_access", "what is declared", F_LIST, .sub = access_fields},
	{0},
};
static const struct field list_result[] = {
	{"manifests", "by tool", F_LIST, .sub = manifest_fields},
	{"broken", "what cannot be used, and why: its tool is denied", F_STRS},
	{0},
};

static struct val *bits_val(struct arena *a, unsigned bits, const char *const *names)
{
	struct val *list = val_list(a);

	for (size_t i = 0; names[i]; i++)
		if (bits & 1u << i)
			val_add(list, val_str(a, str_of(names[i])));
	return list;
}

static struct val *access_val(struct arena *a, const char *type, const struct access *it)
{
	struct val *v = val_map(a);

	val_set(a, v, "memory_type", val_str(a, str_of(type)));
	val_set(a, v, "enabled", val_bool(a, it->enabled));
	if (it->query_types.n)
		val_set(a, v, "query_types", val_strs(a, &it->query_types));
	if (it->tags.n)
		val_set(a, v, "tags", val_strs(a, &it->tags));
	if (it->max_queries >= 0)
		val_set(a, v, "max_queries", val_int(a, it->max_queries));
	if (it->max_budget_tokens >= 0)
		val_set(a, v, "max_budget_tokens", val_int(a, it->max_budget_tokens));
	val_set(a, v, "sensitive", val_bool(a, it->sensitive));
	val_set(a, v, "layers", bits_val(a, it->layers, layers));
	if (it->provenances)
		val_set(a, v, "provenance", bits_val(a, it->provenances, provenances));
	return v;
}

static struct err *manifest_list_run(struct call *c, const void *p, struct val **out)
{
	const struct list_args *args = p;
	struct arena *a = c->a;
	struct manifests all = {0};
	const struct manifest *one = NULL;
	const char *home = os_ikigai_home(a);
	struct str why = {0};
	struct val *list;

	if (args->tool.p) {
		TRY(manifest_of(a, home, args->tool, &one, &why));
		if (one)
			*VEC_PUSH(a, &all) = *one;
		else
			strs_push(a, &all.broken, why);
	} else {
		TRY(manifests_load(a, home, &all));
	}
	*out = val_map(a);
	list = val_set(a, *out, "manifests", val_list(a));
	for (size_t i = 0; i < all.n; i++) {
		const struct manifest *m = &all.p[i];
		struct val *v = val_add(list, val_map(a)), *access;

		val_set(a, v, "tool_id", val_str(a, m->tool_id));
		val_set(a, v, "version", val_str(a, m->version));
		val_set(a, v, "path", val_str(a, str_utf8(a, m->path)));
		access = val_set(a, v, "memory_access", val_list(a));
		for (size_t t = 0; t < ACCESS_TYPES_END; t++)
			val_add(access, access_val(a, types[t], &m->access[t]));
	}
	for (size_t i = 0; i < all.broken.n; i++)
		all.broken.p[i] = str_utf8(a, all.broken.p[i]);
	val_set(a, *out, "broken", val_strs(a, &all.broken));
	return NULL;
}

/* "  only query_types: fact, skill" */
static void print_list(struct out *o, const struct val *access, const char *name)
{
	const char *sep = "";

	if (!val_get(access, name) || !val_get(access, name)->n)
		return;
	out_fmt(o, "  %s: ", name);
	VAL_EACH(val_get(access, name), v) {
		out_puts(o, sep);
		out_safe(o, v->s, false);
		sep = ", ";
	}
}

static void print_access(struct out *o, const struct val *v)
{
	static const char *const lists[] = {"query_types", "tags", "layers", "provenance"};
	static const char *const numbers[] = {"max_queries", "max_budget_tokens"};

	out_fmt(o, "  %-12.*s", STR_ARG(val_get_str(v, "memory_type")));
	if (!val_get(v, "enabled")->b) {
		out_puts(o, "  no\n");
		return;
	}
	out_puts(o, "  yes");
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		print_list(o, v, lists[i]);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (val_get(v, numbers[i]))
			out_fmt(o, "  %s: %jd", numbers[i], (intmax_t)val_get_int(v, numbers[i]));
	out_puts(o, val_get(v, "sensitive")->b ? "  sensitive\n" : "\n");
}

static void manifest_list_text(struct call *c, const void *args, const struct val *r)
{
	struct strs broken = {0};

	(void)args;
	VAL_EACH(val_get(r, "manifests"), m) {
		out_styled(c->out, OUT_BOLD, val_get_str(m, "tool_id"));
		out_puts(c->out, val_get_str(m, "version").n ? " " : "");
		out_safe(c->out, val_get_str(m, "version"), false);
		out_puts(c->out, "\n");
		VAL_EACH(val_get(m, "memory_access"), v)
			print_access(c->out, v);
	}
	VAL_EACH(val_get(r, "broken"), v)
		strs_push(c->a, &broken, v->s);
	warnings_print(c, &broken);
	if (!val_get(r, "manifests")->n && !broken.n)
		out_puts(c->err, "no manifests: no tool may read a memory\n");
}

const struct cmd cmd_manifest_list = {
	.name = "manifest list",
	.tool = "memory_access",
	.toolset = SET_MEMORY,
	.traits = TOOL_READS,
	.summary = "show which memories each tool may read",
	.args_size = sizeof(struct list_args),
	.params = list_params,
	.result = list_result,
	.run_val = manifest_list_run,
	.text_val = manifest_list_text,
};
