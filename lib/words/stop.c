/*
 * Stop words: words without a meaning of their own. A query ignores them, unless it has no other
 * words. They are indexed like all words, so a change of this list does not change a store.
 *
 * The words are chosen by class, not by frequency: articles, pronouns, auxiliary verbs, question
 * words, conjunctions, prepositions, and the ends of contractions. Some prepositions of place and
 * time distinguish memories (above, behind, inside, since, until), so they are not here. Most
 * quantities (all, each, both, many, more) are not here either. German, Russian, French and Spanish
 * words of the same classes are here only when they are not words of another of these languages. So
 * these are missing: die, hat, war, man, pour, con, la of "La Paz".
 */
#include "words/internal.h"

/* Sorted by bytes, folded like words. */
static const char *const stop_words[] = {
	"a",          "about",   "ai",       "ain",      "also",     "am",      "an",
	"and",        "any",     "are",      "aren",     "as",       "at",      "au",
	"auf",        "aus",     "aux",      "avec",     "be",       "been",    "bei",
	"beim",       "being",   "bis",      "but",      "by",       "can",     "could",
	"couldn",     "d",       "dans",     "das",      "dass",     "dein",    "deine",
	"deinem",     "deinen",  "deiner",   "dem",      "den",      "der",     "des",
	"dich",       "did",     "didn",     "diese",    "diesem",   "diesen",  "dieser",
	"dieses",     "do",      "does",     "doesn",    "doing",    "du",      "durch",
	"ein",        "eine",    "einem",    "einen",    "einer",    "eines",   "el",
	"esta",       "este",    "et",       "euch",     "euer",     "eure",    "for",
	"from",       "haben",   "had",      "hadn",     "has",      "hasn",    "hatte",
	"hatten",     "have",    "haven",    "having",   "he",       "her",     "hers",
	"herself",    "him",     "himself",  "his",      "how",      "i",       "ich",
	"if",         "ihr",     "ihre",     "ihrem",    "ihren",    "ihrer",   "im",
	"in",         "ins",     "into",     "is",       "isn",      "ist",     "it",
	"its",        "itself",  "just",     "kann",     "kein",     "keine",   "keinem",
	"keinen",     "keiner",  "konnen",   "les",      "ll",       "los",     "m",
	"may",        "me",      "mein",     "meine",    "meinem",   "meinen",  "meiner",
	"mich",       "might",   "mir",      "mit",      "muss",     "mussen",  "must",
	"my",         "myself",  "nach",     "nicht",    "no",       "nor",     "not",
	"ob",         "oder",    "of",       "on",       "or",       "our",     "ours",
	"para",       "por",     "pourquoi", "quand",    "que",      "quel",    "quelle",
	"quelles",    "quels",   "qui",      "re",       "s",        "sein",    "seine",
	"seinem",     "seinen",  "seiner",   "shall",    "she",      "should",  "shouldn",
	"sich",       "sie",     "sind",     "so",       "soll",     "sollen",  "sur",
	"t",          "than",    "that",     "the",      "their",    "theirs",  "them",
	"themselves", "then",    "there",    "these",    "they",     "this",    "those",
	"to",         "too",     "um",       "und",      "une",      "uns",     "unser",
	"unsere",     "unserem", "unseren",  "unserer",  "us",       "ve",      "very",
	"vom",        "von",     "wann",     "warum",    "was",      "wasn",    "we",
	"weil",       "welche",  "welchem",  "welchen",  "welcher",  "welches", "wem",
	"wen",        "wenn",    "wer",      "werden",   "were",     "weren",   "weshalb",
	"what",       "when",    "where",    "which",    "who",      "whom",    "whose",
	"why",        "wie",     "wieso",    "will",     "wir",      "wird",    "with",
	"wo",         "woher",   "wohin",    "would",    "wouldn",   "wurde",   "wurden",
	"you",        "your",    "yours",    "yourself", "zu",       "zum",     "zur",
	"а",          "бы",      "был",      "была",     "были",     "было",    "быть",
	"в",          "вам",     "вас",      "ваш",      "ваша",     "ваше",    "ваши",
	"во",         "вы",      "где",      "для",      "до",       "его",     "ее",
	"ей",         "ему",     "если",     "есть",     "же",       "за",      "зачем",
	"и",          "из",      "или",      "им",       "их",       "к",       "как",
	"какая",      "какие",   "каким",    "каких",    "какого",   "какое",   "какой",
	"каком",      "какому",  "какую",    "кем",      "ко",       "когда",   "кого",
	"ком",        "кому",    "которая",  "которого", "которое",  "которой", "которую",
	"которые",    "который", "которых",  "кто",      "куда",     "ли",      "меня",
	"мне",        "мной",    "мое",      "моего",    "моей",     "мои",     "моих",
	"мой",        "моя",     "мы",       "на",       "нам",      "нами",    "нас",
	"наш",        "наша",    "наше",     "нашего",   "нашей",    "наши",    "наших",
	"не",         "него",    "нее",      "ней",      "нем",      "ни",      "ним",
	"них",        "но",      "о",        "об",       "обо",      "он",      "она",
	"они",        "оно",     "от",       "откуда",   "отчего",   "по",      "почему",
	"при",        "про",     "с",        "скольким", "скольких", "сколько", "со",
	"собой",      "так",     "твое",     "твои",     "твой",     "твоя",    "те",
	"тебе",       "тебя",    "тем",      "теми",     "тех",      "то",      "того",
	"той",        "том",     "тому",     "тот",      "ту",       "ты",      "у",
	"чего",       "чей",     "чем",      "чему",     "что",      "чтобы",   "чье",
	"чьего",      "чьей",    "чьи",      "чья",      "эта",      "эти",     "этим",
	"этими",      "этих",    "это",      "этого",    "этой",     "этом",    "этому",
	"этот",       "эту",     "я"};

static int stop_compare(const void *key, const void *element)
{
	return str_cmp(*(const struct str *)key, str_of(*(const char *const *)element));
}

bool word_is_stop(struct str word)
{
	return bsearch(&word, stop_words, ARRAY_SIZE(stop_words), sizeof(*stop_words),
		       stop_compare);
}
