/*
 * Stop words: words without a meaning of their own. A query ignores them, unless it has no other
 * words. They are indexed like all words, so a change of this list does not change a store.
 *
 * The words are chosen by class, not by frequency: articles, pronouns, auxiliary verbs, question
 * words, conjunctions, prepositions, and the ends of contractions. Some prepositions of place and
 * time distinguish memories (above, behind, inside, since, until), so they are not here. Most
 * quantities (all, each, both, many, more) are not here either. German, French and Spanish words of
 * the same classes are here only when they are not words of another of the four languages. So these
 * are missing: die, war, man, pour, con, la of "La Paz".
 */
#include "words/internal.h"

/* Sorted by bytes, folded like words. */
static const char *const stop_words[] = {
	"a",      "about",    "ai",      "ain",    "also",    "am",     "an",         "and",
	"any",    "are",      "aren",    "as",     "at",      "au",     "aux",        "avec",
	"be",     "been",     "being",   "but",    "by",      "can",    "could",      "couldn",
	"d",      "dans",     "das",     "dass",   "dem",     "den",    "der",        "des",
	"did",    "didn",     "do",      "does",   "doesn",   "doing",  "du",         "ein",
	"eine",   "einem",    "einen",   "einer",  "el",      "esta",   "este",       "et",
	"for",    "from",     "had",     "hadn",   "has",     "hasn",   "have",       "haven",
	"having", "he",       "her",     "hers",   "herself", "him",    "himself",    "his",
	"how",    "i",        "if",      "im",     "in",      "into",   "is",         "isn",
	"ist",    "it",       "its",     "itself", "just",    "les",    "ll",         "los",
	"m",      "may",      "me",      "might",  "mit",     "must",   "my",         "myself",
	"nicht",  "no",       "nor",     "not",    "of",      "on",     "or",         "our",
	"ours",   "para",     "por",     "que",    "qui",     "re",     "s",          "shall",
	"she",    "should",   "shouldn", "sich",   "sind",    "so",     "sur",        "t",
	"than",   "that",     "the",     "their",  "theirs",  "them",   "themselves", "then",
	"there",  "these",    "they",    "this",   "those",   "to",     "too",        "und",
	"une",    "us",       "ve",      "very",   "von",     "was",    "wasn",       "we",
	"were",   "weren",    "what",    "when",   "where",   "which",  "who",        "whom",
	"whose",  "why",      "will",    "with",   "would",   "wouldn", "you",        "your",
	"yours",  "yourself", "zu",      "zum",    "zur"};

static int stop_compare(const void *key, const void *element)
{
	return str_cmp(*(const struct str *)key, str_of(*(const char *const *)element));
}

bool word_is_stop(struct str word)
{
	return bsearch(&word, stop_words, ARRAY_SIZE(stop_words), sizeof(*stop_words),
		       stop_compare);
}
