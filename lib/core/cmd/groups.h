/*
 * groups: the commands by purpose, for people who look for one: what `ikm` alone prints, `ikm help
 * GROUP`, and the list in ikm(1). The summaries of commands come from the table of commands.
 */
#pragma once

#include "cmd/cmd.h"

struct cmd_group {
	const char *name, *about;
	const char *nouns; /* first words of commands, with blanks between */
	const char *page;  /* the page that tells more; NULL: none */
};
/* {0} at the end. Each command that is listed is in one group; a test holds this. */
extern const struct cmd_group cmd_groups[];
/* NULL: there is no such group. */
const struct cmd_group *cmd_group_find(struct str name);
bool cmd_group_has(const struct cmd_group *g, const struct cmd *c);

/* Whether a text has the word, or one that begins alike: "waiver" and "waive". */
bool cmd_text_has_word(struct str text, struct str word);
/* What a first word is for: the summary of its only command, or that of all its verbs. */
struct str cmd_noun_about(struct str noun);

/* The first word of the command's name. */
struct str cmd_noun(const struct cmd *c);

/* A manual page that is about no command. */
struct cmd_topic {
	const char *name, *section, *about;
};
extern const struct cmd_topic cmd_topics[]; /* {0} at the end */

/* `ikm` alone: at most 24 lines of 80 columns. */
void cmd_print_front_page(struct out *o);
/* The group's commands with their summaries. */
void cmd_group_print(struct out *o, const struct cmd_group *g);
/* The groups with their commands, for ikm(1). */
void cmd_mdoc_commands(struct out *o);
