/* A memory as JSON: what results show, exports hold and tombstones keep. One table, both ways. */
#include "base/base.h"
#include "json/json.h"
#include "memory/internal.h"
#include "os/os.h"

enum form { TEXT, TEXTS, OBJECT, NUMBER, WHOLE, TIME, NAME };

/* `always`: written also when it is empty. */
static const struct member {
	const char *name;
	enum form form;
	size_t offset;
	const char *const *names;
	bool always;
} members[] = {
#define AT(member) offsetof(struct memory, member)
	{"memoryId", TEXT, AT(id), NULL, true},
	{"layer", NAME, AT(layer), memory_layers, true},
	{"kind", NAME, AT(kind), memory_kind_names, true},
	{"type", TEXT, AT(type), NULL, false},
	{"content", TEXT, AT(content), NULL, true},
	{"tags", TEXTS, AT(tags), NULL, true},
	{"metadata", OBJECT, AT(metadata), NULL, false},
	{"source", TEXT, AT(source), NULL, false},
	{"importance", NUMBER, AT(importance), NULL, true},
	{"confidence", NUMBER, AT(confidence), NULL, true},
	{"provenance", NAME, AT(provenance), memory_provenances, true},
	{"redaction", NAME, AT(redaction), memory_redactions, true},
	{"status", NAME, AT(status), memory_statuses, false},
	{"state", NAME, AT(state), memory_states, true},
	{"userId", TEXT, AT(user), NULL, false},
	{"agentId", TEXT, AT(agent), NULL, false},
	{"sessionId", TEXT, AT(session), NULL, false},
	{"speaker", TEXT, AT(speaker), NULL, false},
	{"turn", WHOLE, AT(turn), NULL, false},
	{"supersedes", TEXT, AT(supersedes), NULL, false},
	{"supersededBy", TEXT, AT(superseded_by), NULL, false},
	{"supersededAt", TIME, AT(superseded), NULL, false},
	{"happenedAt", TIME, AT(happened), NULL, true},
	{"createdAt", TIME, AT(created), NULL, true},
	{"updatedAt", TIME, AT(updated), NULL, true},
	{"expiresAt", TIME, AT(expires), NULL, false},
	{"deletedAt", TIME, AT(deleted), NULL, false},
	{"tokens", WHOLE, AT(tokens), NULL, true},
#undef AT
};

_Static_assert(sizeof(enum memory_layer) == sizeof(unsigned) &&
		       sizeof(enum memory_kind) == sizeof(unsigned) &&
		       sizeof(enum memory_state) == sizeof(unsigned),
	       "names are read and written as numbers");

/* ---- out ---- */

static struct val *metadata_val(struct arena *a, struct str text)
{
	struct val *v;
	struct err *e = json_read(a, text, NULL, &v);

	if (e)
		BUG("metadata in the store: %s", err_message(e));
	return v;
}

/* NULL: it is empty. */
static struct val *member_val(struct arena *a, const struct member *it, const void *at)
{
	switch (it->form) {
	case TEXT:
		return ((const struct str *)at)->n ? val_str(a, *(const struct str *)at) : NULL;
	case TEXTS:
		return val_strs(a, at);
	case OBJECT:
		return ((const struct str *)at)->n ? metadata_val(a, *(const struct str *)at)
						   : NULL;
	case NUMBER:
		return val_double(a, *(const double *)at);
	case WHOLE:
		return *(const int64_t *)at ? val_int(a, *(const int64_t *)at) : NULL;
	case TIME:
		return *(const int64_t *)at
			       ? val_str(a, os_time_text(a, *(const int64_t *)at, true))
			       : NULL;
	case NAME:
	default:
		return val_str(a, str_of(it->names[*(const unsigned *)at]));
	}
}

static struct val *empty_val(struct arena *a, enum form form)
{
	return form == WHOLE ? val_int(a, 0) : val_str(a, STR(""));
}

struct val *memory_val(struct arena *a, const struct memory *one)
{
	struct val *out = val_map(a);

	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		const struct member *it = &members[i];
		struct val *v = NULL;

		if (it->names != memory_statuses || memory_kinds[one->kind].has_status)
			v = member_val(a, it, (const char *)one + it->offset);
		if (!v && it->always)
			v = empty_val(a, it->form);
		if (v)
			val_set(a, out, it->name, v);
	}
	return out;
}

struct memory memory_copy(struct arena *a, const struct memory *one)
{
	struct memory out = *one;

	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		struct str *s = (struct str *)(void *)((char *)&out + members[i].offset);

		if (members[i].form == TEXT || members[i].form == OBJECT)
			*s = str_dup(a, *s);
	}
	out.tags = (struct strs){0};
	for (size_t i = 0; i < one->tags.n; i++)
		strs_push(a, &out.tags, str_dup(a, one->tags.p[i]));
	return out;
}

/* ---- in ---- */

static struct err *memory_val_wrong(const struct val *v, const char *allowed)
{
	return err_detail(err_new(E_WRONG_TYPE, "%.*s must be %s, not %s", STR_ARG(v->key), allowed,
				  val_type_name(v->type)),
			  "parameter", v->key);
}

static struct err *memory_val_read_name(struct arena *a, const struct member *it,
					const struct val *v, unsigned *out)
{
	struct strs allowed = {0};

	if (v->type != VAL_STR)
		return memory_val_wrong(v, "a string");
	for (unsigned i = 0; it->names[i]; i++) {
		if (str_is(v->s, it->names[i])) {
			*out = i;
			return NULL;
		}
		strs_push(a, &allowed, str_of(it->names[i]));
	}
	return err_detail_list(err_new(E_NOT_IN_ENUM, "%s is '%.*s'; allowed: %.*s", it->name,
				       STR_ARG(v->s), STR_ARG(str_join(a, &allowed, ", "))),
			       "allowed", &allowed);
}

static struct err *read_texts(struct arena *a, const struct val *v, struct strs *out)
{
	*out = (struct strs){0};
	if (v->type != VAL_LIST)
		return memory_val_wrong(v, "a list of strings");
	VAL_EACH(v, one) {
		if (one->type != VAL_STR)
			return memory_val_wrong(v, "a list of strings");
		strs_push(a, out, one->s);
	}
	return NULL;
}

static struct err *memory_val_read_member(struct arena *a, const struct member *it,
					  const struct val *v, void *to)
{
	struct buf b;

	switch (it->form) {
	case TEXT:
		if (v->type != VAL_STR)
			return memory_val_wrong(v, "a string");
		*(struct str *)to = v->s;
		return NULL;
	case TEXTS:
		return read_texts(a, v, to);
	case OBJECT:
		if (v->type != VAL_MAP)
			return memory_val_wrong(v, "an object");
		b = buf_in(a);
		json_write(&b, v, 0);
		*(struct str *)to = buf_str(&b);
		return NULL;
	case NUMBER:
		return val_as_double(v, to) ? NULL : memory_val_wrong(v, "a number");
	case WHOLE:
		return val_as_int(v, to) ? NULL : memory_val_wrong(v, "an integer");
	case TIME:
		return v->type == VAL_STR && os_time_read(v->s, to)
			       ? NULL
			       : memory_val_wrong(v, "a time as 2026-01-31T12:00:00Z");
	case NAME:
	default:
		return memory_val_read_name(a, it, v, to);
	}
}

static struct err *memory_val_unknown(struct arena *a, struct str key)
{
	struct strs names = {0};
	struct str near;
	struct err *e;

	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		strs_push(a, &names, str_of(members[i].name));
	near = str_nearest(key, &names);
	e = err_new(E_UNKNOWN_PARAMETER, "a memory has no member '%.*s'%s%.*s%s", STR_ARG(key),
		    near.n ? "; did you mean '" : "", STR_ARG(near), near.n ? "'?" : "");
	return err_detail_list(err_detail(e, "parameter", key), "allowed", &names);
}

struct err *memory_read(struct arena *a, const struct val *v, struct memory *out)
{
	if (v->type != VAL_MAP)
		return err_new(E_WRONG_TYPE, "a memory must be an object, not %s",
			       val_type_name(v->type));
	VAL_EACH(v, member) {
		const struct member *it = members;

		while (it < members + ARRAY_SIZE(members) && !str_is(member->key, it->name))
			it++;
		if (it == members + ARRAY_SIZE(members))
			return memory_val_unknown(a, member->key);
		if (member->type != VAL_NULL)
			TRY(memory_val_read_member(a, it, member, (char *)out + it->offset));
	}
	return NULL;
}
