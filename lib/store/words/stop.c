/*
 * Stop words: words without a meaning of their own. A query ignores them, unless it has no other
 * words. They are indexed like all words, so a change of this list does not change a store.
 *
 * The words are chosen by class, not by frequency: articles, pronouns, auxiliary verbs, question
 * words, conjunctions, prepositions, and the ends of contractions. Some prepositions of place and
 * time distinguish memories (above, behind, inside, since, until), so they are not here. Most
 * quantities (all, each, both, many, more) are not here either.
 */
#include "words/internal.h"

/*
 * The languages in which a word is a stop word. ELSE: in another language it has a meaning, as
 * "die" of a server, "hat" and "comment" have.
 */
enum { EN = 1, DE = 2, FR = 4, ES = 8, RU = 16, ELSE = 32 };
enum { LANGUAGES = 5 };

/* Sorted by bytes; the words are folded. */
/* clang-format off */
static const struct stop_word {
	const char *text;
	unsigned of;
} stop_words[] = {
	{"a", EN | FR | ES}, {"aber", DE}, {"about", EN}, {"ai", FR | ELSE}, {"ain", EN},
	{"al", ES | ELSE}, {"also", EN}, {"am", EN | DE}, {"an", EN | DE}, {"and", EN},
	{"any", EN}, {"are", EN}, {"aren", EN}, {"as", EN}, {"at", EN}, {"au", FR},
	{"auch", DE}, {"auf", DE}, {"aus", DE}, {"aux", FR}, {"avec", FR}, {"be", EN},
	{"been", EN}, {"bei", DE}, {"beim", DE}, {"being", EN}, {"bin", DE | ELSE}, {"bis", DE},
	{"bist", DE}, {"but", EN}, {"by", EN}, {"can", EN}, {"ce", FR | ELSE}, {"cette", FR},
	{"combien", FR}, {"comment", FR | ELSE}, {"como", ES | ELSE}, {"con", ES | ELSE},
	{"could", EN}, {"couldn", EN}, {"cual", ES}, {"cuales", ES}, {"cuando", ES},
	{"cuanto", ES}, {"d", EN | FR}, {"dans", FR}, {"das", DE}, {"dass", DE},
	{"de", FR | ES | ELSE}, {"dein", DE}, {"deine", DE}, {"deinem", DE}, {"deinen", DE},
	{"deiner", DE}, {"del", ES | ELSE}, {"dem", DE}, {"den", DE}, {"der", DE},
	{"des", DE | FR}, {"dich", DE}, {"did", EN}, {"didn", EN}, {"die", DE | ELSE},
	{"diese", DE}, {"diesem", DE}, {"diesen", DE}, {"dieser", DE}, {"dieses", DE},
	{"do", EN}, {"does", EN}, {"doesn", EN}, {"doing", EN}, {"donde", ES}, {"du", DE | FR},
	{"durch", DE}, {"durfen", DE}, {"ein", DE}, {"eine", DE}, {"einem", DE}, {"einen", DE},
	{"einer", DE}, {"eines", DE}, {"el", ES}, {"en", FR | ES | ELSE}, {"er", DE | ELSE},
	{"era", ES | ELSE}, {"es", DE | ES | ELSE}, {"est", FR | ELSE}, {"esta", ES},
	{"estan", ES}, {"este", ES}, {"et", FR}, {"etaient", FR}, {"etait", FR}, {"euch", DE},
	{"euer", DE}, {"eure", DE}, {"for", EN}, {"from", EN}, {"fur", DE | ELSE}, {"habe", DE},
	{"haben", DE}, {"had", EN}, {"hadn", EN}, {"has", EN}, {"hasn", EN}, {"hast", DE},
	{"hat", DE | ELSE}, {"hatte", DE}, {"hatten", DE}, {"have", EN}, {"haven", EN},
	{"having", EN}, {"he", EN}, {"her", EN}, {"hers", EN}, {"herself", EN}, {"him", EN},
	{"himself", EN}, {"his", EN}, {"how", EN}, {"i", EN}, {"ich", DE}, {"if", EN},
	{"ihm", DE}, {"ihn", DE}, {"ihnen", DE}, {"ihr", DE}, {"ihre", DE}, {"ihrem", DE},
	{"ihren", DE}, {"ihrer", DE}, {"il", FR | ELSE}, {"im", DE}, {"in", EN | DE},
	{"ins", DE}, {"into", EN}, {"is", EN}, {"isn", EN}, {"ist", DE}, {"it", EN},
	{"its", EN}, {"itself", EN}, {"just", EN}, {"kann", DE}, {"kannst", DE}, {"kein", DE},
	{"keine", DE}, {"keinem", DE}, {"keinen", DE}, {"keiner", DE}, {"konnen", DE},
	{"konnte", DE}, {"konnten", DE}, {"la", FR | ES | ELSE}, {"laquelle", FR},
	{"las", ES | ELSE}, {"le", FR | ELSE}, {"lequel", FR}, {"les", FR}, {"ll", EN},
	{"lo", ES | ELSE}, {"los", ES}, {"m", EN | FR}, {"man", DE | ELSE}, {"may", EN},
	{"me", EN}, {"mein", DE}, {"meine", DE}, {"meinem", DE}, {"meinen", DE}, {"meiner", DE},
	{"mich", DE}, {"might", EN}, {"mir", DE}, {"mit", DE}, {"muss", DE}, {"mussen", DE},
	{"must", EN}, {"my", EN}, {"myself", EN}, {"nach", DE}, {"nicht", DE}, {"no", EN | ES},
	{"nor", EN}, {"not", EN}, {"nous", FR}, {"ob", DE}, {"oder", DE}, {"of", EN},
	{"on", EN}, {"ont", FR | ELSE}, {"or", EN}, {"ou", FR | ELSE}, {"our", EN},
	{"ours", EN}, {"par", FR | ELSE}, {"para", ES}, {"por", ES}, {"pour", FR | ELSE},
	{"pourquoi", FR}, {"qu", FR | ELSE}, {"quand", FR}, {"que", FR | ES}, {"quel", FR}, {"quelle", FR},
	{"quelles", FR}, {"quels", FR}, {"qui", FR}, {"quien", ES}, {"re", EN}, {"s", EN | FR},
	{"se", FR | ES | ELSE}, {"sehr", DE}, {"seid", DE}, {"sein", DE}, {"seine", DE},
	{"seinem", DE}, {"seinen", DE}, {"seiner", DE}, {"shall", EN}, {"she", EN},
	{"should", EN}, {"shouldn", EN}, {"sich", DE}, {"sie", DE}, {"sind", DE},
	{"so", EN | DE}, {"soll", DE}, {"sollen", DE}, {"sollte", DE}, {"sollten", DE},
	{"son", FR | ES | ELSE}, {"sont", FR}, {"su", ES | ELSE}, {"sur", FR}, {"t", EN | FR},
	{"than", EN}, {"that", EN}, {"the", EN}, {"their", EN}, {"theirs", EN}, {"them", EN},
	{"themselves", EN}, {"then", EN}, {"there", EN}, {"these", EN}, {"they", EN},
	{"this", EN}, {"those", EN}, {"to", EN}, {"too", EN}, {"uber", DE | ELSE}, {"um", DE},
	{"un", FR | ES | ELSE}, {"una", ES}, {"und", DE}, {"une", FR}, {"uns", DE},
	{"unser", DE}, {"unsere", DE}, {"unserem", DE}, {"unseren", DE}, {"unserer", DE},
	{"us", EN}, {"ve", EN}, {"very", EN}, {"vom", DE}, {"von", DE}, {"vous", FR},
	{"wann", DE}, {"war", DE | ELSE}, {"waren", DE}, {"warum", DE}, {"was", EN | DE},
	{"wasn", EN}, {"we", EN}, {"weil", DE}, {"welche", DE}, {"welchem", DE},
	{"welchen", DE}, {"welcher", DE}, {"welches", DE}, {"wem", DE}, {"wen", DE},
	{"wenn", DE}, {"wer", DE}, {"werden", DE}, {"were", EN}, {"weren", EN}, {"weshalb", DE},
	{"wessen", DE}, {"what", EN}, {"when", EN}, {"where", EN}, {"which", EN}, {"who", EN},
	{"whom", EN}, {"whose", EN}, {"why", EN}, {"wie", DE}, {"wieso", DE}, {"will", EN | DE},
	{"wir", DE}, {"wird", DE}, {"with", EN}, {"wo", DE}, {"woher", DE}, {"wohin", DE},
	{"womit", DE}, {"woran", DE}, {"worauf", DE}, {"woruber", DE}, {"would", EN},
	{"wouldn", EN}, {"wovon", DE}, {"wozu", DE}, {"wurde", DE}, {"wurden", DE},
	{"y", ES | ELSE}, {"you", EN}, {"your", EN}, {"yours", EN}, {"yourself", EN},
	{"zu", DE}, {"zum", DE}, {"zur", DE}, {"а", RU}, {"бы", RU}, {"был", RU}, {"была", RU},
	{"были", RU}, {"было", RU}, {"быть", RU}, {"в", RU}, {"вам", RU}, {"вас", RU},
	{"ваш", RU}, {"ваша", RU}, {"ваше", RU}, {"ваши", RU}, {"во", RU}, {"вы", RU},
	{"где", RU}, {"для", RU}, {"до", RU}, {"его", RU}, {"ее", RU}, {"ей", RU}, {"ему", RU},
	{"если", RU}, {"есть", RU}, {"же", RU}, {"за", RU}, {"зачем", RU}, {"и", RU},
	{"из", RU}, {"или", RU}, {"им", RU}, {"их", RU}, {"к", RU}, {"как", RU}, {"какая", RU},
	{"какие", RU}, {"каким", RU}, {"каких", RU}, {"какого", RU}, {"какое", RU},
	{"какой", RU}, {"каком", RU}, {"какому", RU}, {"какую", RU}, {"кем", RU}, {"ко", RU},
	{"когда", RU}, {"кого", RU}, {"ком", RU}, {"кому", RU}, {"которая", RU},
	{"которого", RU}, {"которое", RU}, {"которой", RU}, {"которую", RU}, {"которые", RU},
	{"который", RU}, {"которых", RU}, {"кто", RU}, {"куда", RU}, {"ли", RU}, {"меня", RU},
	{"мне", RU}, {"мной", RU}, {"мое", RU}, {"моего", RU}, {"моей", RU}, {"мои", RU},
	{"моих", RU}, {"мой", RU}, {"моя", RU}, {"мы", RU}, {"на", RU}, {"нам", RU},
	{"нами", RU}, {"нас", RU}, {"наш", RU}, {"наша", RU}, {"наше", RU}, {"нашего", RU},
	{"нашей", RU}, {"наши", RU}, {"наших", RU}, {"не", RU}, {"него", RU}, {"нее", RU},
	{"ней", RU}, {"нем", RU}, {"ни", RU}, {"ним", RU}, {"них", RU}, {"но", RU}, {"о", RU},
	{"об", RU}, {"обо", RU}, {"он", RU}, {"она", RU}, {"они", RU}, {"оно", RU}, {"от", RU},
	{"откуда", RU}, {"отчего", RU}, {"по", RU}, {"почему", RU}, {"при", RU}, {"про", RU},
	{"с", RU}, {"скольким", RU}, {"скольких", RU}, {"сколько", RU}, {"со", RU},
	{"собой", RU}, {"так", RU}, {"твое", RU}, {"твои", RU}, {"твой", RU}, {"твоя", RU},
	{"те", RU}, {"тебе", RU}, {"тебя", RU}, {"тем", RU}, {"теми", RU}, {"тех", RU},
	{"то", RU}, {"того", RU}, {"той", RU}, {"том", RU}, {"тому", RU}, {"тот", RU},
	{"ту", RU}, {"ты", RU}, {"у", RU}, {"чего", RU}, {"чей", RU}, {"чем", RU}, {"чему", RU},
	{"что", RU}, {"чтобы", RU}, {"чье", RU}, {"чьего", RU}, {"чьей", RU}, {"чьи", RU},
	{"чья", RU}, {"эта", RU}, {"эти", RU}, {"этим", RU}, {"этими", RU}, {"этих", RU},
	{"это", RU}, {"этого", RU}, {"этой", RU}, {"этом", RU}, {"этому", RU}, {"этот", RU},
	{"эту", RU}, {"я", RU}
};
/* clang-format on */

/* As str_cmp(), of a word, which has no NUL. Most end at the first byte, before any call. */
static int stop_compare(const void *key, const void *element)
{
	const struct str *word = key;
	const char *text = ((const struct stop_word *)element)->text;
	size_t i = 0;

	while (i < word->n && text[i] && word->p[i] == text[i])
		i++;
	return (i < word->n ? (unsigned char)word->p[i] : 0) - (unsigned char)text[i];
}

/* 0: no stop word. */
static unsigned stop_languages(struct str word)
{
	const struct stop_word *one = bsearch(&word, stop_words, ARRAY_SIZE(stop_words),
					      sizeof(*stop_words), stop_compare);

	return one ? one->of : 0;
}

bool word_is_stop(struct str word)
{
	const unsigned of = stop_languages(word);

	return of && !(of & ELSE);
}

void words_mark_stop_by_language(struct word_list *words)
{
	size_t n[LANGUAGES] = {0}, most = 1;
	unsigned of = 0;

	for (size_t i = 0; i < words->n; i++) {
		const unsigned one = words->p[i].stop ? stop_languages(words->p[i].text) : 0;

		for (unsigned k = 0; k < LANGUAGES; k++)
			n[k] += one >> k & 1;
	}
	/* The languages with the most stop words, as bits; 0: no word is one. */
	for (unsigned k = 0; k < LANGUAGES; k++) {
		of = n[k] > most ? 0 : of;
		most = size_max(most, n[k]);
		of |= n[k] == most ? 1u << k : 0;
	}

	/* "que" and "la" are of two languages, in which both are stop words. */
	for (size_t i = 0; of && i < words->n; i++)
		if (words->p[i].script == WORDS_LETTERS &&
		    (stop_languages(words->p[i].text) & of) == of)
			words->p[i].stop = true;
	for (size_t i = 0; of == DE && i < words->n; i++)
		words->p[i].capital = false;
}
