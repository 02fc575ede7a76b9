/* Checks a memory before it is stored. */
#include "crypt/crypt.h"
#include "json/json.h"
#include "memory/storage_internal.h"
#include "memory/repository_ties.h"
#include "os/os.h"

/* what: how messages name the text that the parameter gives. */
static struct err *check_text_of(const char *parameter, const char *what, struct str s,
				 size_t least, size_t most)
{
	struct str name = str_of(parameter);
	size_t i = 0, n = 1;
	uint32_t code;

	if (s.n < least)
		return err_help(err_for_param(E_OUT_OF_RANGE, name, "%s is empty", what),
				"give a text with a word in it");
	if (least && !str_trim(s).n)
		return err_help(err_for_param(E_OUT_OF_RANGE, name, "%s is only blanks", what),
				"give a text with a word in it");
	if (s.n > most)
		return err_detail_int(err_for_param(E_TOO_LONG, name,
						    "%s has %zu bytes; at most %zu are allowed",
						    what, s.n, most),
				      "limit", (int64_t)most);
	if (str_is_utf8(s))
		return NULL;
	for (; i < s.n && n; i += n)
		n = str_utf8_char(s.p + i, s.n - i, &code);
	return err_detail_int(
		err_for_param(E_BAD_UTF8, name, "%s is not UTF-8 at byte %zu", what, i), "byte",
		(int64_t)i);
}

static struct err *memory_check_text(const char *parameter, struct str s, size_t least, size_t most)
{
	return check_text_of(parameter, parameter, s, least, most);
}

static struct err *check_share(const char *name, double x)
{
	if (x >= 0 && x <= 1)
		return NULL;
	return err_for_param(E_OUT_OF_RANGE, str_of(name), "%s is %g; allowed: 0 to 1", name, x);
}

static struct err *check_time(const char *name, int64_t ms)
{
	if (ms >= DB_TIME_LEAST && ms <= DB_TIME_MOST)
		return NULL;
	return err_for_param(E_OUT_OF_RANGE, str_of(name), "%s is outside the years 0 to 9999",
			     name);
}

struct err *memory_check_tags(const struct strs *tags)
{
	if (tags->n > MEMORY_TAGS_MAX)
		return err_detail_int(
			err_for_param(E_OUT_OF_RANGE, STR("tags"),
				      "tags: the memory would have %zu; at most %d are "
				      "allowed",
				      tags->n, MEMORY_TAGS_MAX),
			"limit", MEMORY_TAGS_MAX);
	for (size_t i = 0; i < tags->n; i++)
		TRY(check_text_of("tags", "a tag", tags->p[i], 1, MEMORY_TAG_MAX));
	return NULL;
}

struct strs memory_tags_sorted(struct arena *a, const struct strs *tags)
{
	struct strs sorted = {0}, out = {0};

	for (size_t i = 0; i < tags->n; i++)
		strs_push(a, &sorted, tags->p[i]);
	strs_sort(&sorted);
	for (size_t i = 0; i < sorted.n; i++)
		if (!i || !str_eq(sorted.p[i], sorted.p[i - 1]))
			strs_push(a, &out, sorted.p[i]);
	return out;
}

/* Checks members that only some kinds have. */
static struct err *check_kind(const struct memory *in)
{
	const struct memory_kind_rules *k = &memory_kind_rules[in->kind];
	const char *not_its = NULL;

	if (!k->has_turns && (in->speaker.n || in->turn))
		not_its = in->speaker.n ? "speaker" : "turn";
	if (!k->has_status && in->status != MEMORY_ACTIVE)
		not_its = "status";
	if (not_its)
		return err_help(err_for_param(E_BAD_ARGUMENT, str_of(not_its),
					      "a memory of kind '%s' has no %s",
					      memory_kinds[in->kind], not_its),
				"leave it out, or give the kind '%s'",
				memory_kinds[k->has_status || in->speaker.n || in->turn
						     ? MEMORY_CONVERSATION
						     : MEMORY_SCRATCH]);
	if (in->turn < 0)
		return err_for_param(E_OUT_OF_RANGE, STR("turn"), "turn is %jd; turns count from 1",
				     (intmax_t)in->turn);
	return NULL;
}

struct err *memory_check(struct arena *a, const struct memory *in, size_t most, struct memory *out)
{
	const struct memory_kind_rules *k = &memory_kind_rules[in->kind];
	int64_t now = os_now();
	struct val *v;
	struct err *e;

	*out = *in;
	e = memory_check_text("content", in->content, 1, most);
	if (e && err_reason(e) == E_TOO_LONG)
		err_help(e,
			 "store it as a file or an asset, and add a memory that names it; the "
			 "setting memory.maxBytes allows up to %zu bytes",
			 MEMORY_CONTENT_MAX);
	TRY(e);
	TRY(memory_check_text("type", in->type, 0, MEMORY_NAME_MAX));
	TRY(memory_check_text("source", in->source, 0, MEMORY_NAME_MAX));
	TRY(memory_check_text("speaker", in->speaker, 0, MEMORY_NAME_MAX));
	TRY(check_kind(in));
	out->tags = memory_tags_sorted(a, &in->tags);
	TRY(memory_check_tags(&out->tags));
	TRY(memory_check_text("metadata", in->metadata, 0, MEMORY_CONTENT_MAX));
	if (in->metadata.n) {
		e = json_read(a, in->metadata, NULL, &v);
		if (e)
			return err_add_context(e, "metadata");
		if (v->type != VAL_MAP)
			return err_for_param(E_WRONG_TYPE, STR("metadata"),
					     "metadata must be an object, not %s",
					     val_type_name(v->type));
	}
	TRY(memory_files_validate_value(a, in->files));
	if (!str_is_text(in->repository) || !str_is_text(in->branch) || !str_is_text(in->commit) ||
	    !str_is_text(in->change))
		return err_for_param(E_BAD_ARGUMENT, STR("madeAt"),
				     "madeAt has a member that is no line of text");
	out->importance = in->importance < 0 ? 0.5 : in->importance;
	TRY(check_share("importance", out->importance));
	out->confidence = in->confidence < 0 ? k->confidence : in->confidence;
	TRY(check_share("confidence", out->confidence));
	if (!in->happened)
		out->happened = now;
	TRY(check_time("happened", out->happened));
	if (!in->expires && k->lives_ms)
		out->expires = now + k->lives_ms;
	return check_time("expires", out->expires);
}

int64_t memory_hash(const struct memory *one)
{
	unsigned char sum[SHA256_BYTES];
	struct sha256 h;
	int64_t out;

	sha256_init(&h);
	sha256_add_part(&h, str_of(memory_kinds[one->kind]));
	sha256_add_part(&h, one->type);
	sha256_add_part(&h, one->content);
	sha256_end(&h, sum);
	memcpy(&out, sum, sizeof(out));
	return out;
}
