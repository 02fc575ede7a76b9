/*
 * Pushes and pulls stored assets. There are few of them, so each sync compares all with what the
 * remote holds. Versions keep what an asset was before another machine changed it.
 */
#include "crypt/crypt.h"
#include "json/json.h"
#include "os/os.h"
#include "sync/exchange_internal.h"

#define BATCH_BYTES ((size_t)4 << 20)
#define BATCH_ROWS  ((size_t)256)
/* Contents are large, and the server does not count their bytes. */
#define PULL_ROWS ((size_t)16)

struct shared_asset {
	struct asset one; /* with its content, where it was read */
	struct str digest, machine;
	int64_t clock, base, deleted; /* deleted: ms; 0: it is there */
	bool known;                   /* the remote has, or had it */
	struct str held;              /* the digest of what it has; empty: it is deleted there */
};

static struct str asset_digest(struct arena *a, const struct asset *one)
{
	unsigned char sum[SHA256_BYTES];
	struct sha256 h;

	sha256_init(&h);
	sha256_add_part(&h, one->hash);
	sha256_add_part(&h, one->description);
	sha256_add_part(&h, str_of(asset_categories[one->category]));
	sha256_add_part(&h, one->read_only ? STR("1") : STR("0"));
	sha256_end(&h, sum);
	return crypt_hex(a, sum, sizeof(sum));
}

static struct err *asset_held(struct exchange *x, struct arena *a, struct shared_asset *s)
{
	DB_EACH(rows, x->ask->m->db, Q_REMOTE_ASSET, DB_I(x->now.id), DB_S(s->one.path)) {
		s->known = true;
		s->base = db_column_int(rows, 0);
		s->held = db_column_str(rows, a, 2);
	}
	return NULL;
}

static struct err *asset_hold(struct exchange *x, const struct shared_asset *s)
{
	return db_do(x->ask->m->db, Q_REMOTE_ASSET_PUT, NULL, DB_I(x->now.id), DB_S(s->one.path),
		     DB_I(s->clock), DB_S(s->machine), DB_S(s->deleted ? STR("") : s->digest));
}

/* ---- push ---- */

struct asset_batch {
	struct exchange *x;
	struct arena *a;
	struct VEC(struct shared_asset) rows;
	struct buf text;
	struct strs refused;
	int64_t first;
};

static void asset_copy(struct asset_batch *b, const struct shared_asset *s)
{
	const struct str null = {NULL, 0};

	buf_fmt(&b->text, "%zu\t", b->rows.n);
	pg_copy_append_value(&b->text, s->one.path);
	buf_fmt(&b->text, "\t%jd\t%jd\t", (intmax_t)s->clock, (intmax_t)s->base);
	if (s->deleted)
		buf_fmt(&b->text, "%jd\t", (intmax_t)s->deleted);
	else
		buf_puts(&b->text, "\\N\t");
	pg_copy_append_value(&b->text, s->one.description);
	buf_fmt(&b->text, "\t%s\t%s\t", asset_categories[s->one.category],
		s->one.read_only ? "t" : "f");
	pg_copy_append_value(&b->text, s->deleted ? null : s->one.content);
	buf_putc(&b->text, '\n');
}

static struct err *asset_send(void *ctx)
{
	struct asset_batch *b = ctx;
	struct exchange *x = b->x;
	struct str tenant = x->ask->share.tenant, first;
	struct pg_rows rows;

	TRY(push_reserve_numbers(x, b->a, b->rows.n, &b->first));
	TRY(pg_copy(x->ask->pg, b->a, PG_PUSH_ASSETS_COPY, buf_as_str(&b->text)));
	TRY(pg_ask(x->ask->pg, b->a, PG_PUSH_ASSETS_REFUSED, &rows, tenant, x->machine));
	for (size_t i = 0; i < rows.n; i++)
		strs_push(b->a, &b->refused, pg_cell_str(&rows, i, 0));
	first = str_fmt(b->a, "%jd", (intmax_t)b->first);
	return pg_do(x->ask->pg, b->a, PG_PUSH_ASSETS_PUT, NULL, tenant, x->machine, first);
}

static struct err *asset_flush(struct asset_batch *b)
{
	struct exchange *x = b->x;

	if (b->rows.n) {
		struct db_txn t DB_TXN = {0};

		TRY(push_make_temp_table(x, TABLE_ASSETS));
		TRY(push_store_nonce(x));
		TRY(pg_transaction_run(x->ask->pg, b->a, asset_send, b));
		exchange_tell_progress(x, "assets", b->rows.n, -1);
		TRY(db_begin(&t, x->ask->m->db));
		VEC_EACH(const struct shared_asset, s, &b->rows) {
			/* The next sync pulls it first. */
			if (strs_has(&b->refused, s->one.path))
				continue;
			x->out->assetsPushed++;
			TRY(asset_hold(x, s));
		}
		push_skip_own_numbers(x, b->first, b->rows.n);
		TRY(tenant_remember_sent(x, STR(REMOTE_ASSETS), STR("")));
		TRY(exchange_save_state(x));
		TRY(db_commit(&t));
	}
	arena_free(b->a);
	*b = (struct asset_batch){.x = x, .a = arena_new()};
	b->text = buf_in(b->a);
	return NULL;
}

static struct err *asset_push_all(struct asset_batch *b)
{
	struct exchange *x = b->x;
	struct asset_list all = {0};

	TRY(asset_list_by_prefix(x->ask->assets, x->a, STR(""), &all));
	for (size_t i = 0; i < all.n; i++) {
		struct shared_asset s = {.one = all.p[i], .machine = x->machine};
		bool found;

		TRY(asset_held(x, b->a, &s));
		s.digest = asset_digest(b->a, &all.p[i]);
		if (s.known && str_eq(s.digest, s.held))
			continue;
		TRY(asset_get(x->ask->assets, b->a, all.p[i].path, true, &s.one, &found));
		if (!found)
			continue;
		s.digest = asset_digest(b->a, &s.one);
		s.clock = exchange_clock(s.one.updated, s.base);
		*VEC_PUSH(b->a, &b->rows) = s;
		asset_copy(b, &s);
		if (b->text.n > BATCH_BYTES || b->rows.n == BATCH_ROWS)
			TRY(asset_flush(b));
	}
	TRY(asset_flush(b));
	DB_EACH(rows, x->ask->m->db, Q_REMOTE_ASSETS_GONE, DB_I(x->now.id)) {
		struct shared_asset s = {
			.one = {.path = db_column_str(rows, b->a, 0), .description = STR("")},
			.machine = x->machine,
			.base = db_column_int(rows, 1),
			.deleted = os_now()};

		s.clock = exchange_clock(s.deleted, s.base);
		*VEC_PUSH(b->a, &b->rows) = s;
		asset_copy(b, &s);
	}
	return asset_flush(b);
}

struct err *push_assets(struct exchange *x)
{
	struct asset_batch b = {.x = x, .a = arena_new()};
	struct err *e = NULL;

	b.text = buf_in(b.a);
	if (x->ask->share.assets)
		e = asset_push_all(&b);
	arena_free(b.a);
	return e;
}

/* ---- pull ---- */

struct asset_pull {
	struct exchange *x;
	struct arena *a;
	struct pg_rows rows;
};

static struct str asset_lost_text(struct arena *a, const struct asset *one)
{
	struct val *v = val_map(a);

	val_set(a, v, "path", val_str(a, one->path));
	val_set(a, v, "description", val_str(a, one->description));
	val_set(a, v, "category", val_str(a, str_of(asset_categories[one->category])));
	val_set(a, v, "content", val_str(a, one->content));
	return json_text(a, v);
}

static struct err *asset_take(struct asset_pull *p, const struct shared_asset *s,
			      const struct asset *was)
{
	struct assets *assets = p->x->ask->assets;
	struct asset_meta free = {.category = -1, .read_only = 0};
	struct asset_meta meta = {.description = s->one.description,
				  .category = (int)s->one.category,
				  .read_only = s->one.read_only};
	struct asset now;
	bool found = false;

	if (was && was->read_only)
		TRY(asset_set_description(assets, p->a, was->path, &free, &now));
	if (was)
		TRY(asset_get(assets, p->a, was->path, true, &now, &found));
	p->x->out->assetsPulled++;
	if (s->deleted)
		return found ? asset_remove(assets, &now, "sync") : NULL;
	if (!found || !str_eq(now.hash, s->one.hash))
		TRY(asset_put(assets, p->a, s->one.path, found ? &now : NULL, "sync",
			      s->one.content, s->one.hash));
	return asset_set_description(assets, p->a, s->one.path, &meta, &now);
}

static struct err *asset_meet(struct asset_pull *p, struct shared_asset *s)
{
	struct exchange *x = p->x;
	struct lost_version lost = {.id = s->one.path, .type = "asset"};
	struct str digest = STR("");
	struct asset was;
	bool found, changed, theirs;
	int64_t clock;

	TRY(asset_held(x, p->a, s));
	if (s->known && s->clock <= s->base)
		return NULL;
	TRY(asset_get(x->ask->assets, p->a, s->one.path, true, &was, &found));
	if (found)
		digest = asset_digest(p->a, &was);
	changed = s->known ? !str_eq(digest, s->held) : found;
	if (str_eq(digest, s->deleted ? STR("") : s->digest) || !changed) {
		if (changed || !str_eq(digest, s->deleted ? STR("") : s->digest))
			TRY(asset_take(p, s, found ? &was : NULL));
		return asset_hold(x, s);
	}
	clock = exchange_clock(found ? was.updated : os_now(), s->base);
	theirs = s->clock > clock || (s->clock == clock && str_cmp(s->machine, x->machine) > 0);
	lost.machine = theirs ? x->machine : s->machine;
	lost.winner = theirs ? s->machine : x->machine;
	lost.clock = theirs ? clock : s->clock;
	if (theirs && found)
		lost.text = asset_lost_text(p->a, &was);
	else if (!theirs && !s->deleted)
		lost.text = asset_lost_text(p->a, &s->one);
	TRY(exchange_keep_lost_version(x, &lost));
	if (theirs)
		TRY(asset_take(p, s, found ? &was : NULL));
	return asset_hold(x, s);
}

/* A part of its own: what fails leaves nothing. */
static struct err *asset_row(struct asset_pull *p, size_t i)
{
	const struct pg_rows *rows = &p->rows;
	struct shared_asset s = {
		.clock = pg_cell_int(rows, i, 2),
		.machine = pg_cell_str(rows, i, 3),
		.deleted = pg_cell_int(rows, i, 4),
		.one = {.path = pg_cell_str(rows, i, 1),
			.description = pg_cell_str(rows, i, 5),
			.read_only = pg_cell_bool(rows, i, 7),
			.content = pg_cell_str(rows, i, 8)},
	};
	int category = record_choice_index(asset_categories, pg_cell_str(rows, i, 6));
	struct db_txn t DB_TXN = {0};
	struct str path;

	s.one.category = category < 0 ? 0 : (enum asset_category)category;
	s.one.hash = crypt_content_hash(p->a, s.one.content);
	s.digest = asset_digest(p->a, &s.one);
	TRY(asset_path_read(p->a, s.one.path, true, &path));
	if (!str_eq(path, s.one.path))
		return err_new(E_BAD_PATH, "the server's path is no path of an asset");
	TRY(db_begin(&t, p->x->ask->m->db));
	TRY(asset_meet(p, &s));
	return db_commit(&t);
}

static struct err *asset_store(struct asset_pull *p)
{
	struct exchange *x = p->x;
	struct db *db = x->ask->m->db;
	struct db_txn t DB_TXN = {0};

	TRY(db_begin(&t, db));
	for (size_t i = 0; i < p->rows.n; i++) {
		const struct remote_done before = *x->out;
		struct err *e = asset_row(p, i);
		struct str path = pg_cell_str(&p->rows, i, 1);

		if (e)
			*x->out = before;
		if (e && (err_code(e) == CODE_INVALID_INPUT || err_code(e) == CODE_BLOCKED ||
			  err_code(e) == CODE_BUDGET_EXCEEDED))
			TRY(exchange_postpone_row(x, path, true, err_reason(e), err_message(e)));
		else
			TRY(e);
		if (!e)
			TRY(db_do(db, Q_REMOTE_WAITING_REMOVE, NULL, DB_I(x->now.id), DB_S(path),
				  DB_I(1)));
		/* The number of an asset that waited may be lower. */
		if (x->now.pulled_assets < pg_cell_int(&p->rows, i, 0))
			x->now.pulled_assets = pg_cell_int(&p->rows, i, 0);
	}
	if (p->rows.n < PULL_ROWS && x->now.pulled_assets < x->last)
		x->now.pulled_assets = x->last;
	TRY(exchange_save_state(x));
	return db_commit(&t);
}

struct err *pull_assets(struct exchange *x)
{
	struct asset_pull p = {.x = x};
	struct strs again = {0};
	bool more = x->ask->share.assets;

	/* Assets that wait: one may fit into the budget now. */
	if (more)
		DB_EACH(rows, x->ask->m->db, Q_REMOTE_WAITING, DB_I(x->now.id))
			if (db_column_int(rows, 1) &&
			    !exchange_id_is_memory(db_column_bytes(rows, 0)) &&
			    again.n < PULL_ROWS / 2)
				strs_push(x->a, &again, db_column_str(rows, x->a, 0));
	more = more && (again.n || x->now.pulled_assets < x->last);
	while (more) {
		struct arena *a ARENA_LOCAL = arena_new();

		p.a = a;
		TRY(pg_ask(x->ask->pg, a, PG_PULL_ASSETS, &p.rows, x->ask->share.tenant,
			   str_fmt(a, "%jd", (intmax_t)x->now.pulled_assets), x->machine,
			   str_fmt(a, "%zu", PULL_ROWS),
			   json_text(a, val_list_of_strs(a, &again))));
		again.n = 0;
		if (p.rows.n || x->now.pulled_assets < x->last)
			TRY(asset_store(&p));
		if (p.rows.n)
			exchange_tell_progress(x, "assets", p.rows.n,
					       x->last - x->now.pulled_assets);
		more = p.rows.n == PULL_ROWS;
	}
	return NULL;
}
