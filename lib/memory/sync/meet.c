/*
 * Resolves one row of the server that meets something here: a version of the same memory, or
 * another memory that says the same.
 */
#include "os/os.h"
#include "sync/pull.h"

static struct held pull_held(const struct pull_row *r, int64_t doc)
{
	return (struct held){
		.known = true,
		.doc = doc,
		.clock = r->clock,
		.machine = r->machine,
		.owner = r->mine ? STR("") : r->owner,
		.hash = r->text.p ? r->hash : 0,
	};
}

struct err *pull_note_remote_row(struct pulling *p, const struct pull_row *r, int64_t doc,
				 bool *added)
{
	const struct held h = pull_held(r, doc);

	if (r->text.p)
		TRY(tenant_remember_sent(p->x, r->layer, r->whose));
	return exchange_cached_remote_row_put(p->x, r->id, &h, added);
}

/* ---- what is here ---- */

struct local {
	bool live, deleted, changed;
	bool purged; /* deleted, and nothing of it is kept */
	struct memory one;
	int64_t when;    /* of the deletion */
	int64_t clock;   /* of the version here, if it was changed */
	struct str text; /* of a live one */
};

static struct err *pull_local(struct pulling *p, const struct pull_row *r, struct local *l)
{
	struct memories *m = p->x->ask->m;

	*l = (struct local){.live = false};
	TRY(memory_synced_get(m, p->a, r->id, &l->one, &l->live));
	if (l->live) {
		l->text = memory_synced_text(p->a, &l->one);
		l->changed = !r->held.known || (l->one.doc != r->held.doc &&
						exchange_row_hash(l->text) != r->held.hash);
		l->clock = exchange_clock(l->one.updated, r->held.clock);
		return NULL;
	}
	DB_EACH(rows, m->db, Q_REMOTE_DELETED, DB_S(r->id)) {
		l->deleted = true;
		l->when = db_column_int(rows, 0);
		l->purged = db_column_int(rows, 1);
	}
	/* The server may know of the deletion, and not yet that nothing is kept. */
	l->changed = l->deleted && (!r->held.known || r->held.doc >= 0 || (l->purged && r->text.p));
	l->clock = exchange_clock(l->when, r->held.clock);
	return NULL;
}

/* Whether the two versions differ in more than the time of their last change. */
static bool pull_differs(struct pulling *p, const struct pull_row *r, const struct local *l)
{
	struct memory other;

	if (!r->text.p || !l->live)
		return true;
	other = *r->one;
	other.updated = l->one.updated;
	return !str_eq(memory_synced_text(p->a, &other), l->text);
}

/* ---- what follows for another memory ---- */

static struct err *pull_followed(struct pulling *p, const struct memory_shared_followed *f)
{
	if (!f->changed)
		return NULL;
	p->derived = true;
	/* One's own is pushed; another person's is no change that stays here. */
	return db_do(p->x->ask->m->db, Q_REMOTE_ROW_FOLLOWED, NULL, DB_S(f->was.id),
		     DB_I(f->was.doc), DB_I(f->now.doc));
}

struct err *pull_supersede(struct pulling *p, struct str id, bool *found)
{
	struct memory_shared_followed f = {.found = false};
	struct memory by;

	TRY(memory_synced_get(p->x->ask->m, p->a, id, &by, found));
	if (!*found || !by.supersedes.n)
		return NULL;
	TRY(memory_synced_supersede(p->x->ask->m, p->a, &by, &f));
	*found = f.found;
	return pull_followed(p, &f);
}

/* ---- storing one ---- */

/* What a memory that goes has superseded holds again. */
static struct err *pull_revive(struct pulling *p, const struct memory *gone)
{
	struct memory_shared_followed f;

	do {
		TRY(memory_synced_revive_superseded(p->x->ask->m, p->a, gone, &f));
		TRY(pull_followed(p, &f));
	} while (f.changed);
	return NULL;
}

static bool pull_is_gone(const struct pull_row *r, const char *why)
{
	return !r->text.p && str_is(r->gone, why);
}

/* No change that was made here wins over its owner's will that it be forgotten. */
static struct err *pull_erase(struct pulling *p, const struct pull_row *r, const struct local *l)
{
	struct db *db = p->x->ask->m->db;
	int64_t when = r->deleted ? r->deleted : os_now();

	if (l->live)
		TRY(pull_revive(p, &l->one));
	if (l->live || l->deleted) {
		p->x->out->erased++;
		TRY(db_do(db, Q_META_SET, NULL, DB_S(STR(ERASING)), DB_S(STR("1"))));
		TRY(memory_synced_erase(p->x->ask->m, p->a, r->id, l->live ? &l->one : NULL, when));
	}
	TRY(db_do(db, Q_REMOTE_GONE_REMOVE, NULL, DB_I(p->x->now.id), DB_S(r->id)));
	return pull_note_remote_row(p, r, -when, NULL);
}

/*
 * Another machine of the person shares it no more. It stays here, and becomes sensitive, so that no
 * change of this machine shares it again; where the member may not share the layer, it cannot.
 */
static struct err *pull_hide(struct pulling *p, const struct pull_row *r, const struct local *l)
{
	struct memories *m = p->x->ask->m;
	struct held h = pull_held(r, -(r->deleted ? r->deleted : 1));
	struct memory now = l->one;

	if (l->deleted)
		TRY(db_do(m->db, Q_REMOTE_DELETED_HIDE, NULL, DB_S(r->id)));
	if (l->live && now.redaction != MEMORY_SENSITIVE &&
	    exchange_may_write(p->x, r->layer, r->whose)) {
		now.redaction = MEMORY_SENSITIVE;
		TRY(memory_synced_put(m, p->a, &l->one, &now));
		p->x->out->hidden++;
	}
	if (l->live)
		h.hash = exchange_row_hash(memory_synced_text(p->a, &now));
	return exchange_cached_remote_row_put(p->x, r->id, &h, NULL);
}

static struct err *pull_bury(struct pulling *p, const struct pull_row *r, const struct local *l)
{
	if (l->live) {
		TRY(pull_revive(p, &l->one));
		p->x->out->removed++;
		TRY(memory_synced_remove(p->x->ask->m, p->a, &l->one,
					 r->deleted ? r->deleted : os_now()));
		TRY(db_do(p->x->ask->m->db, Q_REMOTE_GONE_REMOVE, NULL, DB_I(p->x->now.id),
			  DB_S(r->id)));
	}
	return pull_note_remote_row(p, r, -(r->deleted ? r->deleted : 1), NULL);
}

static struct err *pull_put(struct pulling *p, struct pull_row *r, const struct local *l)
{
	struct memories *m = p->x->ask->m;

	TRY(memory_synced_scope_of_owner(m, p->a, r->one->layer, r->whose, &r->one->scope));
	TRY(memory_synced_put(m, p->a, l->live ? &l->one : NULL, r->one));
	if (r->one->supersedes.n)
		strs_push(p->a, &p->correcting, r->id);
	p->x->out->pulled++;
	return pull_note_remote_row(p, r, r->one->doc, NULL);
}

/* The version here wins: the next push offers it, with a clock above that of the server. */
static struct err *pull_keep(struct pulling *p, const struct pull_row *r, const struct local *l)
{
	struct db *db = p->x->ask->m->db;
	struct held h = pull_held(r, 0);

	h.hash = 0;
	TRY(exchange_cached_remote_row_put(p->x, r->id, &h, NULL));
	if (!l->live)
		return db_do(db, Q_REMOTE_GONE_PUT, NULL, DB_I(p->x->now.id), DB_S(r->id));
	return db_do(db, Q_REMOTE_WAITING_PUT, NULL, DB_I(p->x->now.id), DB_S(r->id), DB_I(0),
		     DB_S(str_of(err_reason_name(E_CHANGED))),
		     DB_S(STR("another machine has changed it, too")), DB_I(os_now()));
}

/*
 * Merges both by their members. What the server has is stored first, so that the merged one is a
 * change of it, which the next push offers.
 */
static struct err *pull_merge_members(struct pulling *p, struct pull_row *r, const struct local *l,
				      bool theirs, struct lost_version *lost)
{
	struct memories *m = p->x->ask->m;
	struct memory_versions s = {.ours = &l->one, .theirs = r->one, .theirs_wins = theirs};
	struct memory base, both;
	struct local merged = *l;

	DB_EACH(rows, m->db, Q_REMOTE_BASE, DB_S(r->id), DB_I(p->x->now.id)) {
		TRY(memory_synced_row(m, p->a, rows, &base));
		s.base = &base;
	}
	TRY(memory_synced_scope_of_owner(m, p->a, r->one->layer, r->whose, &r->one->scope));
	memory_synced_merge_versions(p->a, &s, &both, &lost->members);
	TRY(pull_put(p, r, l));
	merged.one = both;
	merged.text = memory_synced_text(p->a, &both);
	if (lost->members.n)
		TRY(exchange_keep_lost_version(p->x, lost));
	return pull_differs(p, r, &merged) ? memory_synced_put(m, p->a, r->one, &both) : NULL;
}

/* Both sides have changed it. The greater clock wins, then the greater machine. */
static struct err *pull_resolve(struct pulling *p, struct pull_row *r, const struct local *l)
{
	struct exchange *x = p->x;
	bool theirs = r->clock > l->clock ||
		      (r->clock == l->clock && str_cmp(r->machine, x->machine) > 0);
	struct lost_version lost = {
		.id = r->id,
		.type = "memory",
		.machine = theirs ? x->machine : r->machine,
		.winner = theirs ? r->machine : x->machine,
		.clock = theirs ? l->clock : r->clock,
		.text = theirs ? l->text : r->text,
	};

	/* A change by a machine that has not heard of it brings nothing back that was purged. */
	theirs = theirs && !(l->purged && r->mine);
	/* Nobody else may write the row of another person, as this one was in a copied home. */
	theirs = theirs || !r->mine || (l->live && l->one.owner.n);
	if (!r->mine) {
		lost.machine = x->machine;
		lost.winner = r->machine;
		lost.text = l->text;
	}
	if (r->text.p && l->live && memory_synced_same_origin(&l->one, r->one))
		return pull_merge_members(p, r, l, theirs, &lost);
	if (!theirs)
		TRY(pull_keep(p, r, l));
	else
		TRY(r->text.p ? pull_put(p, r, l) : pull_bury(p, r, l));
	/* Storing may have erased versions that had lost earlier. */
	if (!pull_differs(p, r, l) || l->purged)
		return NULL;
	return r->text.p || l->live ? exchange_keep_lost_version(x, &lost) : NULL;
}

/* ---- two equal facts ---- */

/* Leaves a tombstone of a row that is merged into another one; the next push tells the server. */
static struct err *pull_merge_away(struct pulling *p, const struct pull_row *r, int64_t scope)
{
	struct db *db = p->x->ask->m->db;

	TRY(pull_note_remote_row(p, r, 0, NULL));
	TRY(db_do(db, Q_REMOTE_DELETED_PUT, NULL, DB_S(r->id), DB_I(scope), DB_I(os_now()),
		  DB_S(p->x->ask->m->who.agent), DB_S(r->text)));
	return db_do(db, Q_REMOTE_GONE_PUT, NULL, DB_I(p->x->now.id), DB_S(r->id));
}

/*
 * The fact is here already under another id. The smaller id stays, so all machines agree; it gets
 * the tags of both.
 */
static struct err *pull_merge(struct pulling *p, struct pull_row *r, struct memory *same)
{
	struct memories *m = p->x->ask->m;
	struct local nothing = {.live = false};

	/* Only one's own are here: everybody keeps theirs. */
	if (str_cmp(same->id, r->id) < 0) {
		TRY(memory_synced_merge_repeat(m, p->a, r->one, same));
		return pull_merge_away(p, r, same->scope);
	}
	TRY(memory_synced_remove(m, p->a, same, os_now()));
	TRY(pull_put(p, r, &nothing));
	return memory_synced_merge_repeat(m, p->a, same, r->one);
}

/* ---- one row ---- */

/* The server was restored, and has an older version than this machine once pushed or pulled. */
static struct err *pull_older(struct pulling *p, const struct pull_row *r, const struct local *l)
{
	struct held h = r->held;

	if (!r->mine || h.owner.n)
		return NULL;
	/* The next push compares with the version that the server has, and sends ours. */
	if (l->live)
		return pull_keep(p, r, l);
	if (l->deleted) {
		h.doc = 0;
		TRY(exchange_cached_remote_row_put(p->x, r->id, &h, NULL));
		return db_do(p->x->ask->m->db, Q_REMOTE_GONE_PUT, NULL, DB_I(p->x->now.id),
			     DB_S(r->id));
	}
	return NULL;
}

static bool pull_is_newer(const struct pull_row *r)
{
	return r->clock > r->held.clock ||
	       (r->clock == r->held.clock && str_cmp(r->machine, r->held.machine) > 0);
}

struct err *pull_store_row(struct pulling *p, struct pull_row *r)
{
	struct memories *m = p->x->ask->m;
	struct memory same;
	struct local l;
	bool found;

	/* The batch may have stored what this row says. */
	TRY(exchange_cached_remote_row_get(p->x, p->a, r->id, &r->held));
	if (r->held.known && r->clock == r->held.clock && str_eq(r->machine, r->held.machine))
		return NULL;
	TRY(pull_local(p, r, &l));
	if (l.live && r->text.p)
		TRY(memory_synced_keep_superseded(m, p->a, &l.one, r->one));
	if (r->held.known && !pull_is_newer(r))
		return pull_older(p, r, &l);
	/* A row of a third person with the id of another one's memory does not replace it. */
	if (!r->mine && r->held.owner.n && r->held.doc >= 0 && !str_eq(r->held.owner, r->owner))
		return NULL;
	if (!r->mine && l.one.owner.n && !str_eq(l.one.owner, r->owner))
		return NULL;
	/* One's own memory of the same id, such as one of the same import, stays one's own. */
	if (!r->mine && !r->held.owner.n &&
	    (r->held.known || l.deleted || (l.live && exchange_memory_is_own(p->x, &l.one))))
		return NULL;
	/* An older ikm pushed another person's in this one's name: the push takes it back. */
	if (r->mine && l.one.owner.n && !str_eq(l.one.owner, r->owner))
		return r->text.p ? pull_keep(p, r, &l)
				 : pull_note_remote_row(p, r, -(r->deleted ? r->deleted : 1), NULL);
	if (pull_is_gone(r, GONE_PURGED) || (pull_is_gone(r, GONE_WITHDRAWN) && !r->mine))
		return pull_erase(p, r, &l);
	if (pull_is_gone(r, GONE_WITHDRAWN))
		return pull_hide(p, r, &l);
	if (l.changed)
		return pull_resolve(p, r, &l);
	if (!r->text.p)
		return l.live || l.deleted || r->held.known ? pull_bury(p, r, &l) : NULL;
	if (!l.live) {
		TRY(memory_synced_scope_of_owner(m, p->a, r->one->layer, r->whose, &r->one->scope));
		found = false;
		if (r->mine)
			TRY(memory_synced_find_repeat(m, p->a, r->one, r->ready, &same, &found));
		if (found)
			return pull_merge(p, r, &same);
	}
	return pull_put(p, r, &l);
}
