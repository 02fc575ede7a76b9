/*
 * Stop words: words without a meaning of their own. A query ignores them, unless it has no other
 * words. They are indexed like all words, so a change of these lists does not change a store.
 *
 * The words are chosen by class, not by frequency: articles, pronouns, auxiliary verbs, question
 * words, conjunctions, prepositions, and the ends of contractions. Some prepositions of place and
 * time distinguish memories (above, behind, inside, since, until), so they are not here. Most
 * quantities (all, each, both, many, more) are not here either.
 */
#include "words/internal.h"

/* Each list is sorted by bytes; words are folded. */
static const char *const stop_english[] = {
	"a",      "about",   "ain",    "also",    "am",         "an",     "and",   "any",
	"are",    "aren",    "as",     "at",      "be",         "been",   "being", "but",
	"by",     "can",     "could",  "couldn",  "d",          "did",    "didn",  "do",
	"does",   "doesn",   "doing",  "for",     "from",       "had",    "hadn",  "has",
	"hasn",   "have",    "haven",  "having",  "he",         "her",    "hers",  "herself",
	"him",    "himself", "his",    "how",     "i",          "if",     "in",    "into",
	"is",     "isn",     "it",     "its",     "itself",     "just",   "ll",    "m",
	"may",    "me",      "might",  "must",    "my",         "myself", "no",    "nor",
	"not",    "of",      "on",     "or",      "our",        "ours",   "re",    "s",
	"shall",  "she",     "should", "shouldn", "so",         "t",      "than",  "that",
	"the",    "their",   "theirs", "them",    "themselves", "then",   "there", "these",
	"they",   "this",    "those",  "to",      "too",        "us",     "ve",    "very",
	"was",    "wasn",    "we",     "were",    "weren",      "what",   "when",  "where",
	"which",  "who",     "whom",   "whose",   "why",        "will",   "with",  "would",
	"wouldn", "you",     "your",   "yours",   "yourself"};
static const char *const stop_german[] = {
	"aber",    "am",      "an",      "auch",    "auf",     "aus",     "bei",     "beim",
	"bin",     "bis",     "bist",    "das",     "dass",    "dein",    "deine",   "deinem",
	"deinen",  "deiner",  "dem",     "den",     "der",     "des",     "dich",    "die",
	"diese",   "diesem",  "diesen",  "dieser",  "dieses",  "du",      "durch",   "durfen",
	"ein",     "eine",    "einem",   "einen",   "einer",   "eines",   "er",      "es",
	"euch",    "euer",    "eure",    "fur",     "habe",    "haben",   "hast",    "hat",
	"hatte",   "hatten",  "ich",     "ihm",     "ihn",     "ihnen",   "ihr",     "ihre",
	"ihrem",   "ihren",   "ihrer",   "im",      "in",      "ins",     "ist",     "kann",
	"kannst",  "kein",    "keine",   "keinem",  "keinen",  "keiner",  "konnen",  "konnte",
	"konnten", "man",     "mein",    "meine",   "meinem",  "meinen",  "meiner",  "mich",
	"mir",     "mit",     "muss",    "mussen",  "nach",    "nicht",   "ob",      "oder",
	"sehr",    "seid",    "sein",    "seine",   "seinem",  "seinen",  "seiner",  "sich",
	"sie",     "sind",    "so",      "soll",    "sollen",  "sollte",  "sollten", "uber",
	"um",      "und",     "uns",     "unser",   "unsere",  "unserem", "unseren", "unserer",
	"vom",     "von",     "wann",    "war",     "waren",   "warum",   "was",     "weil",
	"welche",  "welchem", "welchen", "welcher", "welches", "wem",     "wen",     "wenn",
	"wer",     "werden",  "weshalb", "wessen",  "wie",     "wieso",   "will",    "wir",
	"wird",    "wo",      "woher",   "wohin",   "womit",   "woran",   "worauf",  "woruber",
	"wovon",   "wozu",    "wurde",   "wurden",  "zu",      "zum",     "zur"};
static const char *const stop_french[] = {
	"a",       "ai",      "au",    "aux",    "avec",    "ce",       "cette", "combien",
	"comment", "d",       "dans",  "de",     "des",     "du",       "en",    "est",
	"et",      "etaient", "etait", "il",     "la",      "laquelle", "le",    "lequel",
	"les",     "m",       "nous",  "ont",    "ou",      "par",      "pour",  "pourquoi",
	"quand",   "que",     "quel",  "quelle", "quelles", "quels",    "qui",   "s",
	"se",      "son",     "sont",  "sur",    "t",       "un",       "une",   "vous"};
static const char *const stop_spanish[] = {
	"a",  "al",   "como", "con", "cual",  "cuales", "cuando", "cuanto", "de",  "del", "donde",
	"el", "en",   "era",  "es",  "esta",  "estan",  "este",   "la",     "las", "lo",  "los",
	"no", "para", "por",  "que", "quien", "se",     "son",    "su",     "un",  "una", "y"};
static const char *const stop_russian[] = {
	"а",       "бы",      "был",     "была",    "были",     "было",     "быть",    "в",
	"вам",     "вас",     "ваш",     "ваша",    "ваше",     "ваши",     "во",      "вы",
	"где",     "для",     "до",      "его",     "ее",       "ей",       "ему",     "если",
	"есть",    "же",      "за",      "зачем",   "и",        "из",       "или",     "им",
	"их",      "к",       "как",     "какая",   "какие",    "каким",    "каких",   "какого",
	"какое",   "какой",   "каком",   "какому",  "какую",    "кем",      "ко",      "когда",
	"кого",    "ком",     "кому",    "которая", "которого", "которое",  "которой", "которую",
	"которые", "который", "которых", "кто",     "куда",     "ли",       "меня",    "мне",
	"мной",    "мое",     "моего",   "моей",    "мои",      "моих",     "мой",     "моя",
	"мы",      "на",      "нам",     "нами",    "нас",      "наш",      "наша",    "наше",
	"нашего",  "нашей",   "наши",    "наших",   "не",       "него",     "нее",     "ней",
	"нем",     "ни",      "ним",     "них",     "но",       "о",        "об",      "обо",
	"он",      "она",     "они",     "оно",     "от",       "откуда",   "отчего",  "по",
	"почему",  "при",     "про",     "с",       "скольким", "скольких", "сколько", "со",
	"собой",   "так",     "твое",    "твои",    "твой",     "твоя",     "те",      "тебе",
	"тебя",    "тем",     "теми",    "тех",     "то",       "того",     "той",     "том",
	"тому",    "тот",     "ту",      "ты",      "у",        "чего",     "чей",     "чем",
	"чему",    "что",     "чтобы",   "чье",     "чьего",    "чьей",     "чьи",     "чья",
	"эта",     "эти",     "этим",    "этими",   "этих",     "это",      "этого",   "этой",
	"этом",    "этому",   "этот",    "эту",     "я"};
/* Words that have a meaning in another language: "die" of a server, "hat", "comment". */
static const char *const stop_elsewhere[] = {
	"ai",  "al",  "bin",  "ce",  "comment", "como", "con",  "de",  "del", "die", "en",  "er",
	"era", "es",  "est",  "fur", "hat",     "il",   "la",   "las", "le",  "lo",  "man", "ont",
	"ou",  "par", "pour", "se",  "son",     "su",   "uber", "un",  "war", "y"};

static const struct stop_list {
	const char *const *p;
	size_t n;
} stop_lists[] = {
	{stop_english, ARRAY_SIZE(stop_english)}, {stop_german, ARRAY_SIZE(stop_german)},
	{stop_french, ARRAY_SIZE(stop_french)},   {stop_spanish, ARRAY_SIZE(stop_spanish)},
	{stop_russian, ARRAY_SIZE(stop_russian)},
};
enum { LANGUAGES = ARRAY_SIZE(stop_lists) };

static int stop_compare(const void *key, const void *element)
{
	return str_cmp(*(const struct str *)key, str_of(*(const char *const *)element));
}

static bool stop_has(const char *const *list, size_t n, struct str word)
{
	return bsearch(&word, list, n, sizeof(*list), stop_compare);
}

bool word_is_stop(struct str word)
{
	if (stop_has(stop_elsewhere, ARRAY_SIZE(stop_elsewhere), word))
		return false;
	for (size_t k = 0; k < LANGUAGES; k++)
		if (stop_has(stop_lists[k].p, stop_lists[k].n, word))
			return true;
	return false;
}

/* The language with the most stop words, by its list; NULL if no language has the most. */
static const struct stop_list *stop_language(const struct word_list *words)
{
	const struct stop_list *language = NULL;
	size_t most = 0;

	for (size_t k = 0; k < LANGUAGES; k++) {
		size_t n = 0;

		for (size_t i = 0; i < words->n; i++)
			n += words->p[i].stop &&
			     stop_has(stop_lists[k].p, stop_lists[k].n, words->p[i].text);
		if (n >= most)
			language = n > most ? &stop_lists[k] : NULL;
		most = size_max(most, n);
	}
	return language;
}

void words_stop_by_language(struct word_list *words)
{
	const struct stop_list *language = stop_language(words);

	for (size_t i = 0; language && i < words->n; i++)
		if (words->p[i].script == WORDS_LETTERS &&
		    stop_has(language->p, language->n, words->p[i].text))
			words->p[i].stop = true;
}
