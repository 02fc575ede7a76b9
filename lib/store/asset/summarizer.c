/* Asks the user's program for a shorter text of a pinned asset (asset.summarizer). */
#include "asset/asset.h"

/* The asset as it will be after the change. False: it will not be there. */
static bool summary_after(struct assets *s, const struct asset_new *with, size_t n,
			  struct asset *one)
{
	for (size_t i = 0; i < n; i++) {
		if (!str_eq(with[i].path, one->path))
			continue;
		if (!with[i].content.p)
			return false;
		one->content = with[i].content;
		one->tokens = (int64_t)token_estimate(one->content, s->model);
	}
	return true;
}

/* Letters of no width show nothing, either. */
static bool summary_shows(struct str text)
{
	uint32_t c;

	for (size_t i = 0, n; i < text.n; i += n) {
		n = str_utf8_char(text.p + i, text.n - i, &c);
		if (!n)
			return true;
		if (c > ' ' && c != 0xa0 && c != 0xad && (c < 0x2000 || c > 0x200f) &&
		    (c < 0x2028 || c > 0x202f) && (c < 0x205f || c > 0x206f) && c != 0x3000 &&
		    c != 0xfeff)
			return true;
	}
	return false;
}

static struct err *summary_read(struct assets *s, struct arena *a, struct str output, int64_t most,
				struct asset_summary *out)
{
	const struct val *answer, *texts;

	TRY(conf_parse_program_answer(a, output, s->summarizer.answer_max, &answer));
	texts = val_get(answer, "texts");
	if (!texts || texts->type != VAL_LIST || texts->n != 1 || texts->first->type != VAL_STR)
		return err_new(E_PROGRAM_FAILED, "its answer has no list texts with one string");
	out->content = texts->first->s;
	if (!summary_shows(out->content))
		return err_new(E_PROGRAM_FAILED, "its text is empty");
	if (memchr(out->content.p, 0, out->content.n))
		return err_new(E_PROGRAM_FAILED, "its text has a NUL");
	out->tokens = (int64_t)token_estimate(out->content, s->model);
	if (out->tokens > most)
		return err_new(E_PROGRAM_FAILED, "its text has %jd tokens; at most %jd are allowed",
			       (intmax_t)out->tokens, (intmax_t)most);
	return NULL;
}

struct err *asset_summarize(struct assets *s, struct arena *a, const struct asset_new *with,
			    size_t n, struct asset_summary *out)
{
	struct strs texts = {0};
	struct asset_list all = {0};
	struct asset largest = {0};
	int64_t over = -s->budget;
	struct str output;
	struct err *e;

	TRY(asset_list_pinned(s, a, true, &all));
	VEC_EACH(struct asset, one, &all) {
		if (!summary_after(s, with, n, one))
			continue;
		over += one->tokens;
		if (!one->read_only && one->tokens > largest.tokens)
			largest = *one;
	}
	if (over <= 0)
		return err_new(E_CHANGED, "another process made room meanwhile");
	if (!largest.path.p)
		return err_new(E_OVER_BUDGET, "every pinned asset is read-only");
	if (over >= largest.tokens)
		return err_new(E_OVER_BUDGET,
			       "%jd tokens are too many, and the largest pinned asset that may be "
			       "shortened, '%.*s', has only %jd",
			       (intmax_t)over, STR_ARG(largest.path), (intmax_t)largest.tokens);
	*out = (struct asset_summary){
		.path = largest.path, .full = largest.content, .full_tokens = largest.tokens};
	strs_push(a, &texts, out->full);
	e = conf_program_run(a, &s->summarizer,
			     conf_program_input_json(a, &texts, largest.tokens - over), &output);
	if (!e)
		e = summary_read(s, a, output, largest.tokens - over, out);
	return e ? conf_program_add_to_error(&s->summarizer, e) : NULL;
}
