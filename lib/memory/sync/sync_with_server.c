/* The steps of a sync with a server, and what the store knows about that server. */
#include "sync/sync_with_server.h"
#include "crypt/crypt.h"
#include "event/ulid.h"
#include "json/json.h"
#include "os/os.h"
#include "sync/exchange_internal.h"
#include "sync/members.h"
#include <sys/utsname.h>

/* The names of the person in the last sync, in the table meta. */
#define USERS "sync users"
/* How often a sync pulls again because another machine was faster. */
#define ROUNDS 8

void exchange_tell_progress(struct exchange *x, const char *phase, uint64_t n, int64_t left)
{
	x->told = x->phase && !strcmp(x->phase, phase) ? x->told + n : n;
	x->phase = phase;
	if (x->ask->progress)
		x->ask->progress(x->ask->ctx, phase, x->told,
				 left < 0 ? 0 : x->told + (uint64_t)left);
}

int64_t exchange_clock(int64_t ms, int64_t former)
{
	int64_t clock = ms << CLOCK_BITS;

	return clock > former ? clock : former + 1;
}

int64_t exchange_row_hash(struct str text)
{
	return (int64_t)crypt_short_hash('s', text);
}

/* ---- the row of the remote ---- */

static struct err *remote_row(struct db_rows *rows, struct arena *a, struct remote *out)
{
	struct db_cells c = {.rows = rows, .table = "sync_remotes", .key = 0};

	*out = (struct remote){
		.id = db_cell_int(&c, 0, 1, INT64_MAX),
		.cluster = db_cell_text(&c, a, 1),
		.layers = db_cell_text(&c, a, 2),
		.shared = db_cell_text(&c, a, 3),
		.assets = db_cell_int(&c, 4, 0, 1),
		.pushed = db_cell_int(&c, 5, 0, INT64_MAX),
		.pushed_events = db_cell_int(&c, 6, 0, INT64_MAX),
		.pulled = db_cell_int(&c, 7, 0, INT64_MAX),
		.pulled_assets = db_cell_int(&c, 8, 0, INT64_MAX),
		.pulled_events = db_cell_int(&c, 9, 0, INT64_MAX),
		.nonce = db_cell_text(&c, a, 10),
		.next_nonce = db_cell_text(&c, a, 11),
		.offer = db_cell_int(&c, 12, 0, INT64_MAX),
		.synced = db_cell_int_or_null(&c, 13, DB_TIME_LEAST, DB_TIME_MOST),
		.failed = db_cell_int_or_null(&c, 14, DB_TIME_LEAST, DB_TIME_MOST),
		.reason = db_cell_text_or_null(&c, a, 15),
		.message = db_cell_text_or_null(&c, a, 16),
	};
	return db_cells_check(&c);
}

struct err *exchange_save_state(struct exchange *x)
{
	const struct remote *r = &x->now;

	return db_do(x->ask->m->db, Q_REMOTE_SET, NULL, DB_I(r->id), DB_S(r->cluster),
		     DB_S(r->layers), DB_S(r->shared), DB_I(r->assets), DB_I(r->pushed),
		     DB_I(r->pushed_events), DB_I(r->pulled), DB_I(r->pulled_assets),
		     DB_I(r->pulled_events), DB_S(r->nonce), DB_S(r->next_nonce), DB_I(r->offer));
}

struct err *exchange_postpone_row(struct exchange *x, struct str id, bool pulled,
				  enum err_reason reason, const char *message)
{
	return db_do(x->ask->m->db, Q_REMOTE_WAITING_PUT, NULL, DB_I(x->now.id), DB_S(id),
		     DB_I(pulled), DB_S(str_of(err_reason_name(reason))), DB_S(str_of(message)),
		     DB_I(os_now()));
}

bool exchange_id_is_memory(struct str id)
{
	return str_starts(id, STR("mem_")) && ulid_is(str_sub(id, 4, id.n));
}

struct err *exchange_keep_lost_version(struct exchange *x, const struct lost_version *lost)
{
	x->out->conflicts++;
	return db_do(x->ask->m->db, Q_CONFLICT_PUT, NULL, DB_S(lost->id), DB_S(str_of(lost->type)),
		     DB_I(os_now()), DB_S(lost->machine), DB_I(lost->clock), DB_S(lost->winner),
		     lost->text.p ? DB_S(lost->text) : DB_N, db_text_or_null(lost->members));
}

struct err *exchange_cached_remote_row_put(struct exchange *x, struct str id, const struct held *h,
					   bool *added)
{
	/* Nearly all are new, and an upsert takes half as long again. */
	const enum db_query ways[] = {Q_REMOTE_ROW_ADD, Q_REMOTE_ROW_SET};
	int64_t written = 0;

	for (size_t i = 0; !written && i < (added ? 1 : 2); i++)
		TRY(db_do(x->ask->m->db, ways[i], &written, DB_I(x->now.id), DB_S(id),
			  DB_S(h->owner), DB_I(h->doc), DB_I(h->clock), DB_S(h->machine),
			  DB_I(h->hash)));
	if (added)
		*added = written;
	return NULL;
}

bool exchange_may_write(const struct exchange *x, struct str layer, struct str whose)
{
	size_t n;

	if (str_is(layer, memory_layers[MEMORY_AGENT]) ||
	    str_is(layer, memory_layers[MEMORY_USER]) ||
	    str_is(layer, memory_layers[MEMORY_SESSION]) || strs_has(&x->layers, layer))
		return true;
	for (size_t i = 0; i < x->layers.n; i++) {
		struct str one = x->layers.p[i];

		n = layer.n;
		if (one.n == n + 1 + whose.n && str_starts(one, layer) && one.p[n] == ':' &&
		    str_ends(one, whose))
			return true;
	}
	return false;
}

bool exchange_memory_is_own(const struct exchange *x, const struct memory *one)
{
	return !one->owner.n && (!one->user.n || strs_has(&x->ask->share.users, one->user));
}

/* ---- the name of this home on the server ---- */

static struct err *machine_name(struct exchange *x)
{
	struct utsname u;

	x->label = uname(&u) ? STR("") : str_utf8(x->a, str_dup(x->a, str_of(u.nodename)));
	DB_EACH(rows, x->ask->m->db, Q_META_GET, DB_S(STR("machine")))
		x->machine = db_column_str(rows, x->a, 0);
	return NULL;
}

/* A row of the record here. */
struct record_row {
	int64_t seq;
	struct str event, number;
};

/* The last row up to that place. seq 0: there is none. */
static struct err *record_row_before(struct exchange *x, int64_t upto, struct record_row *out)
{
	*out = (struct record_row){.seq = 0};
	DB_EACH(rows, x->ask->m->db, Q_REMOTE_EVENT_UP_TO, DB_I(upto))
		*out = (struct record_row){
			.seq = db_column_int(rows, 0),
			.event = db_column_str(rows, x->a, 1),
			.number = str_fmt(x->a, "%jd", (intmax_t)db_column_int(rows, 2)),
		};
	return NULL;
}

static struct err *record_server_has(struct exchange *x, const struct record_row *row, bool *has)
{
	struct pg_rows rows;

	TRY(pg_ask(x->ask->pg, x->a, PG_RECORD_HAS, &rows, x->ask->share.tenant, x->machine,
		   str_fmt(x->a, "%jd", (intmax_t)row->seq), row->event, row->number));
	*has = rows.n > 0;
	return NULL;
}

/* How the record here compares with that of the server under the name of this home. */
struct record_match {
	int64_t upto; /* the rows up to this one are on the server */
	bool differs; /* and the server has others behind it */
};

/* Copies have the same rows up to some place, and other ones behind it: it is found by halves. */
static struct err *machine_compare_with_server(struct exchange *x, struct record_match *out)
{
	struct record_row row;
	struct pg_rows rows;
	int64_t low = 0, high, last;
	bool has = true;

	*out = (struct record_match){.differs = false};
	DB_EACH(names, x->ask->m->db, Q_MACHINE_NAMES)
		low = db_column_int(names, 0) - 1;
	TRY(record_row_before(x, INT64_MAX, &row));
	high = row.seq;
	while (low < high) {
		int64_t middle = low + (high - low + 1) / 2;

		has = true;
		TRY(record_row_before(x, middle, &row));
		if (row.seq > low)
			TRY(record_server_has(x, &row, &has));
		if (has)
			low = middle;
		else
			high = row.seq - 1;
	}
	out->upto = low;
	/* Whether the server's last row of this machine is another one than that here. */
	TRY(pg_ask(x->ask->pg, x->a, PG_RECORD_LAST, &rows, x->ask->share.tenant, x->machine));
	if (!rows.n)
		return NULL;
	last = pg_cell_int(&rows, 0, 0);
	TRY(record_row_before(x, last, &row));
	out->differs = row.seq != last;
	if (out->differs)
		return NULL;
	TRY(record_server_has(x, &row, &has));
	out->differs = !has;
	return NULL;
}

/*
 * A copied or restored home gets a new name: a machine's rows of the record have its name and their
 * place, which two homes must not share. Rows that match keep the name they have.
 */
static struct err *machine_rename(struct exchange *x, const struct record_match *match)
{
	struct db *db = x->ask->m->db;
	struct str name = ulid_new(x->a, os_now(), STR(""));

	if (!x->machine.n) {
		/* A change that is recorded meanwhile may have given the home its name. */
		TRY(db_do(db, Q_META_PUT, NULL, DB_S(STR("machine")), DB_S(name)));
		return machine_name(x);
	}
	x->machine = name;
	x->out->renamed = true;
	TRY(db_do(db, Q_META_SET, NULL, DB_S(STR("machine")), DB_S(name)));
	return db_do(db, Q_MACHINE_NAME_PUT, NULL, DB_I(match->upto + 1), DB_S(name));
}

/* ---- who this is, and with whom it talks ---- */

static struct str exchange_shared(struct arena *a, const struct remote_share *share)
{
	struct strs names = {0};

	for (unsigned i = 0; memory_layers[i]; i++)
		if (share->layers & 1u << i)
			strs_push(a, &names, str_of(memory_layers[i]));
	return json_text(a, val_list_of_strs(a, &names));
}

struct hello {
	struct exchange *x;
	struct str incarnation, cluster, layers, nonce;
	struct record_match match;
	bool doubted; /* match is set */
	bool renamed; /* the names of the person are not those of the last sync */
	bool back;    /* the server has gone back to an earlier number */
};

static struct err *hello_look(struct hello *h)
{
	struct exchange *x = h->x;

	x->now = (struct remote){.id = 0};
	DB_EACH(rows, x->ask->m->db, Q_REMOTE_GET, DB_S(h->incarnation), DB_S(x->ask->share.tenant),
		DB_S(x->login))
		TRY(remote_row(rows, x->a, &x->now));
	return NULL;
}

static struct err *hello_find(struct hello *h)
{
	struct exchange *x = h->x;
	struct str shared = exchange_shared(x->a, &x->ask->share);

	TRY(hello_look(h));
	if (x->now.id)
		return NULL;
	x->now = (struct remote){.cluster = h->cluster, .layers = h->layers, .shared = shared};
	DB_EACH(rows, x->ask->m->db, Q_REMOTE_PUT, DB_S(h->incarnation), DB_S(x->ask->share.tenant),
		DB_S(x->login), DB_S(h->cluster), DB_S(h->layers), DB_S(shared),
		DB_I(x->ask->share.assets))
		x->now.id = db_column_int(rows, 0);
	return NULL;
}

/* Whether the server knows another home under the name of this machine. */
static bool hello_is_copy(const struct hello *h)
{
	const struct remote *now = &h->x->now;

	return h->nonce.n && !str_eq(h->nonce, now->nonce) && !str_eq(h->nonce, now->next_nonce);
}

static struct err *hello_no_member(struct exchange *x)
{
	return err_help(err_new(E_NOT_ALLOWED, "%.*s is no member of '%.*s'",
				STR_ARG(pg_role_and_database(x->ask->pg)),
				STR_ARG(x->ask->share.tenant)),
			"the service role adds members: ikm sync member add ROLE --layer project");
}

/* One question for all. Where it cannot be asked, the schema may be missing, or another one. */
static struct err *hello_ask(struct exchange *x, struct pg_rows *rows)
{
	struct pg *pg = x->ask->pg;
	struct pg_schema schema;
	struct err *e =
		pg_ask(pg, x->a, PG_HELLO, rows, x->ask->share.tenant, x->machine, x->label);

	/* A role that is a member of no tenant may not even look. */
	if (e && err_reason(e) == E_NOT_ALLOWED)
		return hello_no_member(x);
	if (e && err_reason(e) == E_SERVER_FAILED)
		TRY(pg_schema_check(pg, x->a, &schema));
	TRY(e);
	TRY(pg_schema_fits(rows->n ? pg_cell_int(rows, 0, 0) : 0));
	x->last = pg_cell_int(rows, 0, 2);
	x->machines = pg_cell_str(rows, 0, 7);
	x->unseen = pg_cell_bool(rows, 0, 8);
	return pg_cell_str(rows, 0, 2).p ? NULL : hello_no_member(x);
}

/* Compares what the last sync knew with what is there now. */
static struct err *hello_meet(struct hello *h)
{
	struct exchange *x = h->x;
	struct db_txn t DB_TXN = {0};
	struct remote *now = &x->now;
	struct str shared = exchange_shared(x->a, &x->ask->share);
	bool copy, restored;
	int64_t last;

	TRY(db_begin(&t, x->ask->m->db));
	TRY(hello_find(h));
	copy = hello_is_copy(h);
	TRY(db_number(x->ask->m->db, Q_INDEX_LAST, &last));
	restored = h->back || !str_eq(now->cluster, h->cluster);
	if (restored) {
		now->nonce = now->next_nonce = h->nonce;
		copy = h->match.differs;
		x->out->restarted = true;
	}
	/*
	 * A restored server may lack what it had, and has counted its numbers again. A nonce that
	 * this home does not know may be an old one, and then the server is a restored one, too.
	 */
	if (restored || copy) {
		now->pushed = now->pushed_events = 0;
		now->pulled = now->pulled_assets = now->pulled_events = 0;
		now->offer = last;
	}
	if (!str_eq(now->layers, h->layers))
		now->pulled = now->pushed = 0;
	if (!str_eq(now->shared, shared))
		now->pulled = now->pushed = 0;
	/* Some that stayed here may go now. An older ikm has no such names, nor owners. */
	if (h->renamed) {
		TRY(db_do(x->ask->m->db, Q_REMOTE_OFFER_AGAIN, NULL));
		TRY(db_do(x->ask->m->db, Q_META_SET, NULL, DB_S(STR(USERS)), DB_S(x->users)));
		now->pushed = 0;
	}
	/* A salvaged store may count its numbers again, too. */
	if (now->pushed > last)
		now->pushed = 0;
	now->cluster = h->cluster;
	now->layers = h->layers;
	now->shared = shared;
	now->assets = x->ask->share.assets;
	if (!x->machine.n || copy) {
		/* Another sync of this home came between the comparison and this. */
		if (x->machine.n && !h->doubted)
			return err_new(E_CHANGED, "another sync of this home ran: sync again");
		TRY(machine_rename(x, &h->match));
		now->nonce = now->next_nonce = STR("");
	}
	if (h->nonce.n && str_eq(h->nonce, now->next_nonce))
		now->nonce = h->nonce;
	TRY(exchange_save_state(x));
	return db_commit(&t);
}

/* Whether the home knows no other tenant. */
static struct err *tenant_is_only(struct db *db, struct str tenant, bool *out)
{
	*out = true;
	DB_EACH(rows, db, Q_TENANT_OTHER, DB_S(tenant))
		*out = false;
	return NULL;
}

/* as_before not NULL: a server that is not as the last sync left it is not met here. */
static struct err *exchange_hello(struct exchange *x, bool *as_before)
{
	struct hello h = {.x = x, .renamed = true};
	const struct remote *now = &x->now;
	struct pg_rows rows;
	struct val *layers;
	int64_t last;
	bool before;

	TRY(machine_name(x));
	TRY(tenant_is_only(x->ask->m->db, x->ask->share.tenant, &x->alone));
	x->users = json_text(x->a, val_list_of_strs(x->a, &x->ask->share.users));
	DB_EACH(names, x->ask->m->db, Q_META_GET, DB_S(STR(USERS)))
		h.renamed = !str_eq(db_column_bytes(names, 0), x->users);
	TRY(hello_ask(x, &rows));
	h.incarnation = pg_cell_str(&rows, 0, 1);
	h.layers = pg_cell_str(&rows, 0, 3);
	h.cluster = pg_cell_str(&rows, 0, 4);
	x->login = pg_cell_str(&rows, 0, 5);
	h.nonce = pg_cell_str(&rows, 0, 6);
	TRY(json_read(x->a, h.layers, NULL, &layers));
	VAL_EACH(layers, v)
		strs_push(x->a, &x->layers, v->s);
	TRY(hello_look(&h));
	/*
	 * A server whose disk was restored, by a snapshot of its machine, has the same identity,
	 * and gives numbers again that this home has read before. It has an old nonce, which proves
	 * nothing: there the records are compared.
	 */
	h.back = now->pulled > x->last || now->pulled_assets > x->last ||
		 now->pulled_events > x->last;
	h.doubted = x->machine.n && ((h.nonce.n && hello_is_copy(&h)) ||
				     (now->id && (h.back || !str_eq(now->cluster, h.cluster))));
	if (h.doubted)
		TRY(machine_compare_with_server(x, &h.match));
	TRY(db_number(x->ask->m->db, Q_INDEX_LAST, &last));
	/* Where all is as the last sync left it, nothing is stored. */
	before = x->machine.n && now->id && !h.renamed && !hello_is_copy(&h) && !h.back &&
		 str_eq(now->cluster, h.cluster) && str_eq(now->layers, h.layers) &&
		 str_eq(now->shared, exchange_shared(x->a, &x->ask->share)) &&
		 now->assets == x->ask->share.assets && now->pushed <= last &&
		 (!h.nonce.n || str_eq(h.nonce, now->nonce));
	if (as_before)
		*as_before = before;
	return before || as_before ? NULL : hello_meet(&h);
}

/* ---- all steps ---- */

/*
 * In the table meta, for each tenant: the machines of the person on its server; the failure of a
 * tenant that no sync has reached yet, as a list of the time in ms, the reason and the message; and
 * how often its record could not be pushed.
 */
#define MACHINES  "sync machines"
#define UNREACHED "sync failure"
#define UNPUSHED  "record not pushed"

static struct db_arg meta_key(struct arena *a, const char *what, struct str tenant)
{
	return DB_S(str_fmt(a, "%s %.*s", what, STR_ARG(tenant)));
}

static struct err *machines_get(struct db *db, struct arena *a, struct str tenant,
				struct remote_status *out)
{
	struct val *list = NULL;
	struct str here = STR("");

	DB_EACH(rows, db, Q_META_GET, DB_S(STR("machine")))
		here = db_column_str(rows, a, 0);
	DB_EACH(rows, db, Q_META_GET, meta_key(a, MACHINES, tenant))
		TRY(json_read(a, db_column_str(rows, a, 0), NULL, &list));
	if (!list || list->type != VAL_LIST)
		return NULL;
	VAL_EACH(list, v) {
		struct remote_machine *m;

		if (v->type != VAL_LIST || v->n != 3)
			continue;
		m = VEC_PUSH(a, &out->machines);
		*m = (struct remote_machine){.machine = v->first->s, .name = v->first->next->s};
		m->here = str_eq(m->machine, here);
		/* null: an older ikm has not told it */
		(void)!str_int(v->last->s, &m->synced);
		if (m->here)
			m->synced = out->synced;
	}
	return NULL;
}

static struct err *exchange_all(struct exchange *x)
{
	enum tenant_right right;
	bool erasing = false;

	TRY(exchange_hello(x, NULL));
	/* What others erase is overwritten here. */
	DB_EACH(rows, x->ask->m->db, Q_STORE_SECURE)
		(void)rows;
	for (unsigned round = 0; round < ROUNDS; round++) {
		/* Another machine that was faster has raised the number. */
		TRY(pull_memories(x, round > 0));
		x->refused = false;
		TRY(push_memories(x));
		if (!x->refused)
			break;
	}
	TRY(tenant_may_receive(x, STR(REMOTE_ASSETS), STR(""), &right));
	if (right == TENANT_OURS) {
		TRY(pull_assets(x));
		TRY(push_assets(x));
	}
	TRY(pull_events(x));
	TRY(tenant_may_receive(x, STR(REMOTE_RECORD), STR(""), &right));
	if (right == TENANT_OURS)
		TRY(push_events(x));
	/* A machine that has not erased everything yet does not say that it is up to date. */
	DB_EACH(rows, x->ask->m->db, Q_META_GET, DB_S(STR(ERASING)))
		erasing = str_is(db_column_bytes(rows, 0), "1");
	if (erasing ||
	    !(x->unseen || x->out->pulled || x->out->removed || x->out->erased || x->out->hidden))
		return NULL;
	return pg_do(x->ask->pg, x->a, PG_MACHINE_SYNCED, NULL, x->ask->share.tenant, x->machine,
		     x->label, x->now.nonce);
}

/* Batches did not wait for the disk. Rows that the answer counts must be on it. */
static struct err *exchange_ended_well(struct exchange *x, bool counted)
{
	struct db *db = x->ask->m->db;
	struct db_txn t DB_TXN = {0};
	const struct db_arg key = meta_key(x->a, MACHINES, x->ask->share.tenant);
	bool same = !x->machines.n;

	if (counted)
		TRY(db_begin(&t, db));
	else
		TRY(db_begin(&t, db, .sync = DB_LATER, .wait_ms = SYNC_NOTE_MS));
	TRY(db_do(db, Q_REMOTE_SYNCED, NULL, DB_I(x->now.id), DB_I(os_now())));
	DB_EACH(rows, db, Q_META_GET, key)
		same = same || str_eq(db_column_bytes(rows, 0), x->machines);
	if (!same)
		TRY(db_do(db, Q_META_SET, NULL, key, DB_S(x->machines)));
	return db_commit(&t);
}

static struct err *remote_of(struct db *db, struct arena *a, struct str tenant, struct remote *out)
{
	*out = (struct remote){.id = 0};
	DB_EACH(rows, db, Q_REMOTE_LAST, DB_S(tenant))
		TRY(remote_row(rows, a, out));
	return NULL;
}

static struct err *remote_unreached_get(struct db *db, struct arena *a, struct str tenant,
					struct remote_status *out)
{
	struct val *list = NULL;

	DB_EACH(rows, db, Q_META_GET, meta_key(a, UNREACHED, tenant))
		TRY(json_read(a, db_column_str(rows, a, 0), NULL, &list));
	if (!list || list->type != VAL_LIST || list->n != 3 ||
	    !str_int(list->first->s, &out->failed))
		return NULL;
	out->reason = list->first->next->s;
	out->message = list->first->next->next->s;
	return NULL;
}

/* Notes a failure. remote 0: no sync has reached the tenant yet. */
static struct err *remote_failed(struct db *db, int64_t remote, struct str tenant,
				 const struct err *e)
{
	struct db_txn t DB_TXN = {0};

	TRY(db_begin(&t, db, .sync = DB_LATER, .wait_ms = SYNC_NOTE_MS));
	if (remote) {
		TRY(db_do(db, Q_REMOTE_FAILED, NULL, DB_I(remote), DB_I(os_now()),
			  DB_S(str_of(err_reason_name(err_reason(e)))),
			  DB_S(str_of(err_message(e)))));
	} else {
		struct arena *a ARENA_LOCAL = arena_new();
		struct val *list = val_list(a);

		val_add(list, val_int(a, os_now()));
		val_add(list, val_str(a, str_of(err_reason_name(err_reason(e)))));
		val_add(list, val_str(a, str_of(err_message(e))));
		TRY(db_do(db, Q_META_SET, NULL, meta_key(a, UNREACHED, tenant),
			  DB_S(json_text(a, list))));
	}
	return db_commit(&t);
}

struct err *remote_note_failure(struct db *db, struct str tenant, const struct err *e)
{
	struct arena *a ARENA_LOCAL = arena_new();
	struct remote now;

	TRY(remote_of(db, a, tenant, &now));
	return remote_failed(db, now.id, tenant, e);
}

static struct err *remote_unpushed_put(struct db *db, struct arena *a, struct str tenant, int64_t n)
{
	struct db_txn t DB_TXN = {0};

	TRY(db_begin(&t, db, .sync = DB_LATER, .wait_ms = SYNC_NOTE_MS));
	TRY(db_do(db, Q_META_SET, NULL, meta_key(a, UNPUSHED, tenant),
		  DB_S(str_fmt(a, "%jd", (intmax_t)n))));
	return db_commit(&t);
}

struct err *remote_sync(struct arena *a, const struct remote_ask *ask, struct remote_done *out)
{
	struct exchange x = {.a = a, .ask = ask, .out = out};
	struct events *log = ask->m->events;
	struct db *db = ask->m->db;
	struct remote_status now;
	struct err *e, *noted;
	int64_t unpushed;

	/* The machine that made a change has recorded it. */
	ask->m->events = NULL;
	e = exchange_all(&x);
	ask->m->events = log;
	if (e) {
		/* Nothing depends on the note, and a failed sync has its own error. */
		noted = x.now.id ? remote_failed(db, x.now.id, ask->share.tenant, e)
				 : remote_note_failure(db, ask->share.tenant, e);
		(void)noted;
		return e;
	}
	TRY(exchange_ended_well(&x, out->pulled || out->removed));
	TRY(db_number(db, Q_META_GET, &unpushed, meta_key(a, UNPUSHED, ask->share.tenant)));
	if (unpushed)
		TRY(remote_unpushed_put(db, a, ask->share.tenant, 0));
	DB_EACH(rows, db, Q_REMOTE_WAITING_COUNT, DB_I(x.now.id))
		out->waiting = db_column_int(rows, 0);
	out->undecided = out->otherTenants = 0;
	/* It reads all memories. */
	if (x.alone)
		return NULL;
	TRY(remote_status(db, a, &ask->share, &now));
	for (size_t i = 0; i < now.unsaid.n; i++)
		out->undecided += now.unsaid.p[i].memories;
	out->otherTenants = now.elsewhose;
	return NULL;
}

/* ---- the record alone ---- */

struct err *remote_has_unsent_events(struct db *db, struct arena *a, struct str tenant, bool *out)
{
	struct remote now;

	*out = false;
	TRY(remote_of(db, a, tenant, &now));
	if (now.id)
		DB_EACH(rows, db, Q_EVENT_LAST_ROW)
			*out = db_column_int(rows, 0) > now.pushed_events;
	return NULL;
}

struct err *remote_note_events_failure(struct db *db, struct arena *a, struct str tenant,
				       const struct err *e)
{
	int64_t n;

	TRY(remote_note_failure(db, tenant, e));
	TRY(db_number(db, Q_META_GET, &n, meta_key(a, UNPUSHED, tenant)));
	return remote_unpushed_put(db, a, tenant, n + 1);
}

struct err *remote_push_events(struct arena *a, const struct remote_ask *ask)
{
	struct remote_done done = {0};
	struct exchange x = {.a = a, .ask = ask, .out = &done};
	enum tenant_right right;
	bool as_before;

	TRY(exchange_hello(&x, &as_before));
	if (!as_before)
		return NULL;
	TRY(tenant_may_receive(&x, STR(REMOTE_RECORD), STR(""), &right));
	return right == TENANT_OURS ? push_events(&x) : NULL;
}

/* ---- what the store knows ---- */

/* Reads the current row of remote_withheld. */
static struct err *status_layer(struct db_rows *rows, struct arena *a, struct remote_status *out)
{
	int64_t *const sums[] = {&out->pending, &out->sensitive, &out->elsewhere, &out->unwritable,
				 &out->foreign, &out->others,    &out->elsewhose};
	static const char *const why[] = {"",        "sensitive", "layer", "role",
					  "foreign", "others",    "tenant"};
	struct remote_layer *row = VEC_PUSH(a, &out->table);

	*row = (struct remote_layer){
		.layer = db_column_str(rows, a, 0),
		.why = db_column_str(rows, a, 2),
		.memories = db_column_int(rows, 3),
	};
	for (size_t i = 0; i < ARRAY_SIZE(why); i++)
		if (str_is(row->why, why[i]))
			*sums[i] += row->memories;
	if (!row->why.n)
		row->why = STR("pending");
	if (str_is(row->why, "role"))
		row->layer = sync_layer_shown(a, row->layer, db_column_str(rows, a, 1));
	return NULL;
}

struct err *remote_status(struct db *db, struct arena *a, const struct remote_share *share,
			  struct remote_status *out)
{
	struct str shared = exchange_shared(a, share);
	struct str users = json_text(a, val_list_of_strs(a, &share->users));
	struct remote now;
	bool alone;

	*out = (struct remote_status){.known = false};
	TRY(tenant_is_only(db, share->tenant, &alone));
	TRY(remote_of(db, a, share->tenant, &now));
	out->known = now.id;
	out->synced = now.synced;
	out->failed = now.failed;
	out->reason = now.reason;
	out->message = now.message;
	if (!now.id)
		TRY(remote_unreached_get(db, a, share->tenant, out));
	DB_EACH(rows, db, Q_REMOTE_PENDING, DB_I(now.id), DB_I(now.pushed_events),
		DB_S(share->tenant), DB_I(alone))
		out->pending = db_column_int(rows, 0);
	DB_EACH(rows, db, Q_REMOTE_WITHHELD, DB_I(now.id), DB_I(now.pushed), DB_S(shared),
		DB_S(users), DB_S(share->tenant), DB_I(alone), now.id ? DB_S(now.layers) : DB_N)
		TRY(status_layer(rows, a, out));
	/* What waits for an answer. */
	if (!alone)
		DB_EACH(rows, db, Q_REMOTE_UNSAID, DB_I(now.id), DB_S(shared), DB_S(users),
			DB_I(share->assets))
			*VEC_PUSH(a, &out->unsaid) =
				(struct remote_what){.what = db_column_str(rows, a, 0),
						     .whose = db_column_str(rows, a, 1),
						     .memories = db_column_int(rows, 2)};
	DB_EACH(rows, db, Q_META_GET, DB_S(STR(ERASING)))
		out->erasing = str_is(db_column_bytes(rows, 0), "1");
	DB_EACH(rows, db, Q_CONFLICT_COUNT)
		out->conflicts = db_column_int(rows, 0);
	TRY(db_number(db, Q_META_GET, &out->unpushed, meta_key(a, UNPUSHED, share->tenant)));
	TRY(machines_get(db, a, share->tenant, out));
	DB_EACH(rows, db, Q_REMOTE_WAITING, DB_I(now.id))
		*VEC_PUSH(a, &out->waiting) = (struct remote_waiting){
			.id = db_column_str(rows, a, 0),
			.pulled = db_column_int(rows, 1),
			.reason = db_column_str(rows, a, 2),
			.message = db_column_str(rows, a, 3),
			.first = db_column_int(rows, 4),
			.tries = db_column_int(rows, 5),
		};
	return NULL;
}

struct err *remote_reset(struct db *db, struct str tenant, bool *found)
{
	struct db_txn t DB_TXN = {0};
	int64_t changed;

	TRY(db_begin(&t, db));
	TRY(db_do(db, Q_REMOTE_RESET, &changed, DB_S(tenant)));
	*found = changed > 0;
	return db_commit(&t);
}
