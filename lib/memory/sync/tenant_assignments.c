/* Which tenant may have what: the question, its answers, and what needs none. */
#include "sync/exchange_internal.h"
#include "sync/members.h"

struct err *tenant_may_receive(struct exchange *x, struct str what, struct str whose,
			       enum tenant_right *out)
{
	*out = x->right.right;
	if (x->right.what.p && str_eq(x->right.what, what) && str_eq(x->right.whose, whose))
		return NULL;
	x->right.what = str_dup(x->a, what);
	x->right.whose = str_dup(x->a, whose);
	x->right.said = false;
	x->right.right = x->alone ? TENANT_OURS : TENANT_UNSAID;
	DB_EACH(rows, x->ask->m->db, Q_TENANT_GET, DB_S(what), DB_S(whose)) {
		x->right.said = true;
		x->right.right = str_eq(db_column_bytes(rows, 0), x->ask->share.tenant)
					 ? TENANT_OURS
					 : TENANT_OTHERS;
	}
	*out = x->right.right;
	return NULL;
}

struct err *tenant_remember_sent(struct exchange *x, struct str what, struct str whose)
{
	enum tenant_right right;

	if (!x->alone)
		return NULL;
	TRY(tenant_may_receive(x, what, whose, &right));
	if (x->right.said)
		return NULL;
	x->right.said = true;
	/* There are many sessions, and all are one person's. */
	if (str_is(what, memory_layers[MEMORY_AGENT]) || str_is(what, memory_layers[MEMORY_USER]) ||
	    str_is(what, memory_layers[MEMORY_SESSION]))
		whose = STR("");
	return db_do(x->ask->m->db, Q_TENANT_KEEP, NULL, DB_S(what), DB_S(whose),
		     DB_S(x->ask->share.tenant));
}

/* ---- saying it ---- */

struct err *remote_check_assignable(struct db *db, struct arena *a, const struct remote_what *one,
				    struct str *unknown)
{
	struct str shown = sync_layer_shown(a, one->what, one->whose), near;
	struct strs names = {0};

	*unknown = (struct str){0};
	if (!one->whose.n)
		return NULL;
	if (str_is(one->what, REMOTE_RECORD) || str_is(one->what, REMOTE_ASSETS))
		return err_for_param(E_BAD_ARGUMENT, STR("what"),
				     "'%.*s': '%.*s' has no parts, and belongs to one organisation",
				     STR_ARG(shown), STR_ARG(one->what));
	DB_EACH(rows, db, Q_TENANT_NAMES) {
		if (str_eq(db_column_bytes(rows, 0), one->what) &&
		    str_eq(db_column_bytes(rows, 1), one->whose))
			return NULL;
		strs_push(
			a, &names,
			sync_layer_shown(a, db_column_str(rows, a, 0), db_column_str(rows, a, 1)));
	}
	near = str_nearest(shown, &names);
	*unknown = str_fmt(a, "no memory here is of '%.*s' yet%.*s", STR_ARG(shown),
			   STR_ARG(str_did_you_mean(a, near)));
	return NULL;
}

struct err *remote_assign_layers_to_tenant(struct db *db, const struct remote_whats *what,
					   const struct str *tenant)
{
	struct db_txn t DB_TXN = {0};

	TRY(db_begin(&t, db));
	VEC_EACH(const struct remote_what, one, what)
		if (tenant)
			TRY(db_do(db, Q_TENANT_ASSIGN, NULL, DB_S(one->what), DB_S(one->whose),
				  DB_S(*tenant)));
		else
			TRY(db_do(db, Q_TENANT_FORGET, NULL, DB_S(one->what), DB_S(one->whose)));
	/* What waited stands before the place up to which memories were offered. */
	TRY(db_do(db, Q_REMOTE_OFFER_AGAIN, NULL));
	return db_commit(&t);
}

struct err *remote_list_tenant_assignments(struct db *db, struct arena *a, struct remote_whats *out)
{
	*out = (struct remote_whats){0};
	DB_EACH(rows, db, Q_TENANT_EACH)
		*VEC_PUSH(a, out) = (struct remote_what){.what = db_column_str(rows, a, 0),
							 .whose = db_column_str(rows, a, 1),
							 .tenant = db_column_str(rows, a, 2)};
	return NULL;
}
