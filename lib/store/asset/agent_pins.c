/* Pins of agents, and the budget of tokens that they share. */
#include "asset/internal.h"
#include "os/os.h"

struct err *asset_list_pinned(struct assets *s, struct arena *a, bool content,
			      struct asset_list *out)
{
	struct asset one;

	DB_EACH(rows, s->db, Q_ASSET_PINNED, DB_S(s->agent), DB_I(content),
		DB_S(asset_token_model(s))) {
		DB_ROW(s->db, asset_row(s, rows, a, content, &one), continue);
		*VEC_PUSH(a, out) = one;
	}
	return NULL;
}

/* ---- the budget ---- */

struct asset_budget asset_budget_of_pinned(const struct assets *s, const struct asset_list *pinned)
{
	struct asset_budget b = {.limit = s->budget, .level = ASSET_OK};

	for (size_t i = 0; i < pinned->n; i++)
		b.used += pinned->p[i].tokens;
	b.percent = b.limit > 0 ? b.used * 100 / b.limit : 0;
	/* Products instead of quotients: 80 % of an odd limit needs no rounding. */
	if (b.used * 100 > b.limit * 80)
		b.level = ASSET_WARNING;
	if (b.used * 100 > b.limit * 95)
		b.level = ASSET_CRITICAL;
	if (b.used > b.limit)
		b.level = ASSET_OVER;
	return b;
}

/* "45k", and what thousands would hide as it is: "950". */
static struct str pin_thousands(struct arena *a, int64_t tokens)
{
	return tokens < 1000 ? str_fmt(a, "%jd", (intmax_t)tokens)
			     : str_fmt(a, "%jdk", (intmax_t)(tokens / 1000));
}

struct err *asset_check_budget(struct assets *s, struct str path, int64_t tokens, bool pinning)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct asset_list list = {0};
	int64_t used, after;
	bool pinned = pinning;
	struct err *e;

	TRY(asset_list_pinned(s, a, false, &list));
	used = asset_budget_of_pinned(s, &list).used;
	after = used + tokens;
	for (size_t i = 0; i < list.n; i++)
		if (str_eq(list.p[i].path, path)) {
			after -= list.p[i].tokens;
			pinned = true;
		}
	if (!pinned || after <= s->budget || after <= used)
		return NULL;
	/* The requirement gives the words (requirement: assets, "Block Budget Enforcement"). */
	e = err_new(E_OVER_BUDGET,
		    "Block budget exceeded: %.*s/%.*s tokens. "
		    "This write would use %.*s tokens. "
		    "Use /compact or /unpin to free space.",
		    STR_ARG(pin_thousands(a, used)), STR_ARG(pin_thousands(a, s->budget)),
		    STR_ARG(pin_thousands(a, tokens)));
	err_detail_int(e, "used", used);
	err_detail_int(e, "limit", s->budget);
	err_detail_int(e, "wouldUse", tokens);
	err_add_detail(e, "path", path);
	err_help(e, "'ikm asset pinned' lists the pinned assets");
	return err_help(e, "write a shorter text, or free space with 'ikm asset unpin'");
}

struct err *asset_agents_with_pins(struct assets *s, struct arena *a, struct strs *out)
{
	DB_EACH(rows, s->db, Q_PIN_AGENTS)
		strs_push(a, out, db_column_str(rows, a, 0));
	return NULL;
}

/* ---- pins ---- */

struct err *asset_pin(struct assets *s, struct str path, bool *was)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct db_txn t DB_TXN = {0};
	struct asset it;
	bool found;

	TRY(db_begin(&t, s->db));
	TRY(asset_get(s, a, path, false, &it, &found));
	if (!found)
		return asset_missing(s, a, path);
	*was = it.pinned;
	if (*was)
		return NULL;
	TRY(asset_check_budget(s, path, it.tokens, true));
	TRY(db_do(s->db, Q_PIN_ADD, NULL, DB_S(s->agent), DB_S(path), DB_I(os_now())));
	return db_commit(&t);
}

struct err *asset_unpin(struct assets *s, struct str path, bool *was)
{
	struct db_txn t DB_TXN = {0};
	int64_t removed;

	TRY(db_begin(&t, s->db));
	TRY(db_do(s->db, Q_PIN_REMOVE, &removed, DB_S(s->agent), DB_S(path)));
	*was = removed;
	return db_commit(&t);
}
