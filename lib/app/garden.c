/* Finds the garden: whose files tools may use besides those of the project. */
#include "app.h"

struct err *app_garden(struct call *c, const char **out)
{
	const char *home = os_ikigai_home(c->a);

	if (c->conf->garden_path.n) {
		*out = str_c(c->a, c->conf->garden_path);
		return NULL;
	}
	if (!home)
		return err_help(err_new(E_NO_HOME, "there is no home for the garden"),
				"set HOME or IKIGAI_HOME, or garden.path");
	*out = os_join(c->a, home, "garden");
	return NULL;
}

struct str app_user(struct call *c)
{
	return c->conf->user.n ? c->conf->user : os_user(c->a);
}
